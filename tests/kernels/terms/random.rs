//! Random terms against numbers: whatever the normal form makes of an operation must have the operation's value.

use super::{Byte, Node, Term, Terms};
use crate::domain::{Domain, Numbers, Operation, mask};

const OPERATIONS: [Operation; 9] = [
    Operation::Add,
    Operation::Subtract,
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::ShiftLeft,
    Operation::ShiftRight,
    Operation::RotateRight,
    Operation::AndNot,
];

const WIDTHS: [usize; 4] = [1, 2, 4, 8];

/// What the regions' bases are multiples of.
const ALIGNMENTS: [u64; 3] = [1, 32, 64];

/// Terms and their values for one choice of the inputs.
struct Checked {
    terms: Terms,
    /// By the terms' places in the arena.
    values: Vec<u64>,
    chooser: Numbers,
    /// The regions' addresses.
    bases: Vec<u64>,
    pool: Vec<Term>,
}

impl Checked {
    fn new(seed: u64) -> Self {
        let mut chooser = Numbers::new(seed, Vec::new());
        let bases = ALIGNMENTS.map(|alignment| chooser.random() & alignment.wrapping_neg());
        let mut checked = Self {
            terms: Terms::default(),
            values: Vec::new(),
            chooser,
            bases: bases.to_vec(),
            pool: Vec::new(),
        };
        for (region, alignment) in ALIGNMENTS.into_iter().enumerate() {
            let base = checked.terms.base(region, alignment);
            checked.pool.push(base);
        }
        for i in 0..12 {
            let width = WIDTHS[i % 4];
            let input = checked.terms.input(&format!("input {i}"), width);
            checked.pool.push(input);
        }
        checked
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.chooser.random() % limit as u64) as usize
    }

    fn byte(&self, byte: Byte) -> u64 {
        match byte {
            Byte::Known(value) => value.into(),
            Byte::Of(term, place) => self.values[term.0 as usize] >> (8 * place) & 0xff,
        }
    }

    /// A term's value, by what it is and not by how it came about.
    fn value(&mut self, term: Term) -> u64 {
        while self.values.len() < self.terms.definitions.len() {
            let definition = self.terms.definitions[self.values.len()].clone();
            let (width, of) = (definition.width, |term: Term| self.values[term.0 as usize]);
            let value = match &definition.node {
                Node::Number(value) => *value,
                Node::Input(_) => match self.chooser.random() {
                    special if special % 4 == 0 => {
                        [0, 1, u64::MAX, 1 << 63][special as usize / 4 % 4]
                    }
                    random => random,
                },
                Node::Base { region, .. } => self.bases[*region],
                Node::Bytes(bytes) => {
                    (bytes.iter().rev()).fold(0, |value, &byte| value << 8 | self.byte(byte))
                }
                Node::Fold {
                    operation,
                    constant,
                    terms,
                } => terms.iter().fold(*constant, |value, &(term, count)| {
                    let term = match operation {
                        Operation::Add => of(term).wrapping_mul(count),
                        _ => {
                            assert_eq!(count, 1);
                            of(term)
                        }
                    };
                    operation.evaluate(width, value, term)
                }),
                Node::Shift {
                    operation,
                    term,
                    count,
                } => operation.evaluate(width, of(*term), *count),
                Node::Rotation { term, count } => {
                    Operation::RotateRight.evaluate(width, of(*term), *count)
                }
            };
            self.values.push(value & mask(width));
        }
        self.values[term.0 as usize]
    }

    /// A number that is likely to be special to an operation.
    fn number(&mut self, width: usize) -> Term {
        let bits = 8 * width as u64;
        let value = match self.below(6) {
            0 => self.chooser.random(),
            1 => 0,
            2 => u64::MAX << self.below(8),
            3 => 8 * (self.chooser.random() % 9),
            _ => self.chooser.random() % (bits + 2),
        };
        self.terms.number(width, value)
    }

    fn any(&mut self) -> Term {
        let place = self.below(self.pool.len());
        self.pool[place]
    }

    fn width(&self, term: Term) -> usize {
        self.terms.definition(term).width
    }

    /// A term of a width: one of the pool, or bytes of some.
    fn any_of(&mut self, width: usize) -> Term {
        for _ in 0..4 {
            let term = self.any();
            if self.width(term) == width {
                return term;
            }
        }
        self.joined(width)
    }

    fn joined(&mut self, width: usize) -> Term {
        let mut bytes = Vec::new();
        while bytes.len() < width {
            let term = self.any();
            let mut its = self.terms.split(term);
            let turn = self.below(its.len());
            its.rotate_left(turn);
            if self.below(4) == 0 {
                its[0] = self.terms.byte(turn as u8);
            }
            bytes.extend(its);
        }
        bytes.truncate(width);
        let term = self.terms.join(&bytes);
        self.value(term);
        let expected = (bytes.iter().rev()).fold(0, |value, &byte| value << 8 | self.byte(byte));
        assert_eq!(
            self.value(term),
            expected,
            "joined: {}",
            self.terms.show(term)
        );
        assert_eq!(self.terms.split(term).len(), width);
        term
    }

    /// One operation on random terms.
    fn step(&mut self) {
        let left = self.any();
        let width = self.width(left);
        let right = match self.below(3) {
            0 => self.number(width),
            _ => self.any_of(width),
        };
        let operation = OPERATIONS[self.below(OPERATIONS.len())];
        let Ok(result) = self.terms.operate(operation, left, right) else {
            return;
        };
        let expected = operation.evaluate(width, self.value(left), self.value(right));
        let is = self.value(result);
        let show = |term| self.terms.show(term);
        assert_eq!(
            (self.width(result), is),
            (width, expected),
            "{operation:?}({}, {}) is {}",
            show(left),
            show(right),
            show(result)
        );
        // What is said of a term is true of its value, and its bytes are its own.
        if let Some(value) = self.terms.value(result) {
            assert_eq!(value, is);
        }
        if let Some((region, offset)) = self.terms.address(result) {
            assert_eq!(self.bases[region].wrapping_add(offset as u64), is);
        }
        let bytes = self.terms.split(result);
        let of_bytes = (bytes.iter().rev()).fold(0, |value, &byte| value << 8 | self.byte(byte));
        assert_eq!(
            (bytes.len(), of_bytes),
            (width, is),
            "split: {}",
            show(result)
        );
        // Mostly the same term again; of two forms of one value, which fail a proof at worst, the value is the same.
        let again = self.terms.join(&bytes);
        let value = self.value(again);
        assert_eq!(
            value,
            is,
            "joined from its bytes: {}",
            self.terms.show(again)
        );

        match self.pool.len() {
            ..60 => self.pool.push(result),
            length => {
                let place = self.below(length);
                self.pool[place] = result;
            }
        }
    }
}

fn check(arenas: u64) {
    for seed in 0..arenas {
        let mut checked = Checked::new(seed);
        for _ in 0..2000 {
            checked.step();
        }
    }
}

#[test]
fn terms_have_their_operations_values() {
    check(50);
}

#[test]
#[ignore = "millions, which take a minute even optimised"]
fn millions_of_terms_have_their_operations_values() {
    check(5000);
}
