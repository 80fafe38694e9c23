//! What the interpreter computes with: bytes, the words they join to, and the operations on words.
//!
//! A domain says what a value is. [`Numbers`] are what a processor computes with; `terms::Terms` are expressions over
//! inputs that nobody has chosen yet, which makes a run a proof.

use std::fmt::Debug;

/// An operation on two words of equal width. A count is the right word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    Add,
    Subtract,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    RotateRight,
    /// The right word and the left one's complement.
    AndNot,
    /// The lower and the upper half of a product.
    Multiply,
    MultiplyHigh,
    /// Words of two bytes: the sum of the bytes' products, the left unsigned, the right and the result signed, saturated.
    MultiplyAddBytes,
    /// The left word as a signed number of two bytes, saturated to an unsigned byte.
    SaturateToByte,
}

impl Operation {
    /// The operation on numbers of `width` bytes, mod 2^(8 · width). A shift by the width in bits or more gives zero.
    pub fn evaluate(self, width: usize, left: u64, right: u64) -> u64 {
        let bits = 8 * width as u64;
        let value = match self {
            Operation::Add => left.wrapping_add(right),
            Operation::Subtract => left.wrapping_sub(right),
            Operation::And => left & right,
            Operation::Or => left | right,
            Operation::Xor => left ^ right,
            Operation::ShiftLeft if right < bits => left << right,
            Operation::ShiftRight if right < bits => left >> right,
            Operation::ShiftLeft | Operation::ShiftRight => 0,
            Operation::RotateRight if right % bits == 0 => left,
            Operation::RotateRight => left >> (right % bits) | left << (bits - right % bits),
            Operation::AndNot => !left & right,
            Operation::Multiply => left.wrapping_mul(right),
            Operation::MultiplyHigh => ((u128::from(left) * u128::from(right)) >> bits) as u64,
            Operation::MultiplyAddBytes => {
                let product = |i: u64| {
                    let (left, right) = ((left >> i) as u8, (right >> i) as u8 as i8);
                    i32::from(left) * i32::from(right)
                };
                let sum = product(0) + product(8);
                sum.clamp(i16::MIN.into(), i16::MAX.into()) as u64
            }
            Operation::SaturateToByte => (left as u16 as i16).clamp(0, 255) as u64,
        };
        value & mask(width)
    }
}

/// The largest number of `width` bytes.
pub fn mask(width: usize) -> u64 {
    u64::MAX >> (64 - 8 * width)
}

/// A kind of values. Widths are in bytes: 1, 2, 4 or 8.
pub trait Domain: Clone {
    /// What a byte of a register or of memory holds.
    type Byte: Copy + PartialEq + Debug;
    /// What an operation takes and gives: bytes joined, the least significant first.
    type Word: Copy + PartialEq + Debug;

    fn number(&mut self, width: usize, value: u64) -> Self::Word;

    fn byte(&mut self, value: u8) -> Self::Byte {
        let word = self.number(1, value.into());
        self.split(word)[0]
    }

    /// The value called `name`, of which nothing is known.
    fn input(&mut self, name: &str, width: usize) -> Self::Word;

    /// The same for a byte.
    fn unknown(&mut self, name: &str) -> Self::Byte {
        let word = self.input(name, 1);
        self.split(word)[0]
    }

    /// The address at which a region of memory begins, a multiple of `alignment`.
    fn base(&mut self, region: usize, alignment: u64) -> Self::Word;

    fn join(&mut self, bytes: &[Self::Byte]) -> Self::Word;

    fn split(&self, word: Self::Word) -> Vec<Self::Byte>;

    /// An error says what the domain cannot express.
    fn operate(
        &mut self,
        operation: Operation,
        left: Self::Word,
        right: Self::Word,
    ) -> Result<Self::Word, String>;

    /// The byte of `table` that the low four bits of `index` name, or zero if its top bit is set.
    fn look_up(
        &mut self,
        table: [Self::Byte; 16],
        index: Self::Byte,
    ) -> Result<Self::Byte, String> {
        let index = self.join(&[index]);
        match self.value(index) {
            Some(0x80..) => Ok(self.byte(0)),
            Some(index) => Ok(table[index as usize & 15]),
            None => Err("a permutation that depends on data".into()),
        }
    }

    /// Whether all bytes are zero, if that is the same whatever the inputs are, or the domain assumes an answer.
    fn are_zero(&mut self, bytes: &[Self::Byte]) -> Option<bool> {
        bytes.iter().try_fold(true, |zero, &byte| {
            let word = self.join(&[byte]);
            Some(zero & (self.value(word)? == 0))
        })
    }

    /// The number that a word is whatever the inputs are, if it is one.
    fn value(&self, word: Self::Word) -> Option<u64>;

    /// The region that a word points into, and how far in, if it is an address whatever the other inputs are.
    fn address(&self, word: Self::Word) -> Option<(usize, i64)>;

    /// A word for messages.
    fn show(&self, word: Self::Word) -> String;
}

/// Numbers, as in a processor. Inputs are pseudo-random, so that two runs with one seed see the same.
#[derive(Clone)]
pub struct Numbers {
    state: u64,
    bases: Vec<u64>,
}

/// A number and its width in bytes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Number {
    pub value: u64,
    width: usize,
}

impl Numbers {
    /// Numbers whose regions begin at `bases`.
    pub fn new(seed: u64, bases: Vec<u64>) -> Self {
        Self { state: seed, bases }
    }

    /// The next pseudo-random number: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
    /// OOPSLA 2014).
    pub fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

impl Domain for Numbers {
    type Byte = u8;
    type Word = Number;

    fn number(&mut self, width: usize, value: u64) -> Number {
        Number {
            value: value & mask(width),
            width,
        }
    }

    fn input(&mut self, _name: &str, width: usize) -> Number {
        let value = self.random();
        self.number(width, value)
    }

    fn base(&mut self, region: usize, alignment: u64) -> Number {
        let value = self.bases[region];
        assert_eq!(value % alignment, 0, "region {region} is not aligned");
        self.number(8, value)
    }

    fn join(&mut self, bytes: &[u8]) -> Number {
        let value = bytes
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte));
        Number {
            value,
            width: bytes.len(),
        }
    }

    fn split(&self, word: Number) -> Vec<u8> {
        word.value.to_le_bytes()[..word.width].to_vec()
    }

    fn operate(
        &mut self,
        operation: Operation,
        left: Number,
        right: Number,
    ) -> Result<Number, String> {
        assert_eq!(left.width, right.width);
        let value = operation.evaluate(left.width, left.value, right.value);
        Ok(self.number(left.width, value))
    }

    fn value(&self, word: Number) -> Option<u64> {
        Some(word.value)
    }

    fn address(&self, word: Number) -> Option<(usize, i64)> {
        let begun = (0..self.bases.len()).filter(|&region| self.bases[region] <= word.value);
        let region = begun.max_by_key(|&region| self.bases[region])?;
        Some((region, (word.value - self.bases[region]) as i64))
    }

    fn show(&self, word: Number) -> String {
        format!("{:#x}", word.value)
    }
}
