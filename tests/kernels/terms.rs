//! The domain in which a run is a proof: a value is a term over the inputs, and equal terms are equal for every input.
//!
//! Terms are hash-consed, so equality is that of an index, and normalised as they are built. The normal form knows just
//! what BLAKE3 and limbs need:
//!
//! - a byte is known or is the i-th byte of a term, so shuffles, halves and rotations by whole bytes are moves of bytes,
//!   and bytes that are a term's own, in order or rotated, join to that term again;
//! - addition mod 2^width, xor and or are associative and commutative: a sum is a constant and terms with coefficients;
//! - two shifts of one term that make up its width, joined by or, xor or addition, are a rotation;
//! - a constant in a xor passes through a rotation.
//!
//! Each rule is an identity of machine words. Two different terms may still be equal: that fails a proof that should
//! hold, and never the other way round.

mod random;

use crate::domain::{Domain, Operation, mask};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// A term, by its place in the arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Byte {
    Known(u8),
    Of(Term, u8),
}

#[derive(PartialEq, Eq, Hash)]
struct Definition {
    width: usize,
    node: Node,
}

#[derive(PartialEq, Eq, Hash)]
enum Node {
    Number(u64),
    Input(String),
    Base {
        region: usize,
        alignment: u64,
    },
    /// Bytes that are neither all known nor all of one term in order.
    Bytes(Vec<Byte>),
    /// Add, Xor or Or over a constant and terms, in the order of the arena. A coefficient counts a term's occurrences:
    /// mod 2^width in a sum, mod 2 in a xor, at most once in an or.
    Fold {
        operation: Operation,
        constant: u64,
        terms: Vec<(Term, u64)>,
    },
    /// A shift by 1 to width − 1 bits.
    Shift {
        operation: Operation,
        term: Term,
        count: u64,
    },
    /// A rotation to the right by 1 to width − 1 bits, of what is neither a rotation nor a xor with a constant.
    Rotation {
        term: Term,
        count: u64,
    },
}

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// A fast hash function for keys that nobody chooses to do harm: a rotation, xor and multiplication for each number.
#[derive(Clone, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(32)
    }
}

/// What a term is that is linear in inputs, mod 2^64.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear {
    pub region: Option<usize>,
    pub constant: u64,
    pub inputs: Vec<(Term, u64)>,
}

/// The arena.
#[derive(Clone, Default)]
pub struct Terms {
    definitions: Vec<Rc<Definition>>,
    terms: Map<Rc<Definition>, Term>,
    /// What operations gave, so that none is normalised twice.
    results: Map<(Operation, Term, Term), Term>,
}

impl Terms {
    /// How many terms there are.
    pub fn mark(&self) -> usize {
        self.definitions.len()
    }

    /// Forgets the terms that were made since the mark, once they are many.
    pub fn forget(&mut self, mark: usize) {
        if self.definitions.len() < 2 * mark + 100_000 {
            return;
        }
        let old = |term: &Term| (term.0 as usize) < mark;
        self.definitions.truncate(mark);
        self.terms.retain(|_, term| old(term));
        self.results
            .retain(|(_, left, right), result| old(left) && old(right) && old(result));
    }

    fn term(&mut self, width: usize, node: Node) -> Term {
        let definition = Rc::new(Definition { width, node });
        if let Some(&term) = self.terms.get(&definition) {
            return term;
        }
        let term = Term(self.definitions.len() as u32);
        self.definitions.push(definition.clone());
        self.terms.insert(definition, term);
        term
    }

    fn definition(&self, term: Term) -> &Definition {
        &self.definitions[term.0 as usize]
    }

    /// Add, Xor or Or of `left` and `factor` times `right`.
    fn fold(&mut self, operation: Operation, left: Term, right: Term, factor: u64) -> Term {
        let width = self.definition(left).width;
        let (one, other) = ([(left, 1)], [(right, 1)]);
        let (left_constant, mut left) = self.folded(operation, &one);
        let (right_constant, mut right) = self.folded(operation, &other);
        let right_constant = right_constant.wrapping_mul(factor);
        let constant = operation.evaluate(width, left_constant, right_constant);

        // Both are in the order of the arena; so is what they merge to.
        let mut terms = Vec::with_capacity(left.len() + right.len());
        let mut push = |term, count| {
            if count != 0 {
                terms.push((term, count));
            }
        };
        while let (Some(&(l, l_count)), Some(&(r, r_count))) = (left.first(), right.first()) {
            let r_count = r_count.wrapping_mul(factor);
            let count = match (l.cmp(&r), operation) {
                (Ordering::Less, _) => l_count,
                (Ordering::Greater, _) => r_count & mask(width),
                (Ordering::Equal, Operation::Add) => l_count.wrapping_add(r_count) & mask(width),
                (Ordering::Equal, Operation::Xor) => (l_count + r_count) % 2,
                (Ordering::Equal, _) => 1,
            };
            push(l.min(r), count);
            left = &left[usize::from(l <= r)..];
            right = &right[usize::from(r <= l)..];
        }
        left.iter().for_each(|&(term, count)| push(term, count));
        right
            .iter()
            .for_each(|&(term, count)| push(term, count.wrapping_mul(factor) & mask(width)));
        match terms[..] {
            [] => self.number(width, constant),
            [(term, 1)] if constant == 0 => term,
            _ => self.term(
                width,
                Node::Fold {
                    operation,
                    constant,
                    terms,
                },
            ),
        }
    }

    /// A term as a constant and terms with coefficients under an operation; `itself` is the term once.
    fn folded<'a>(
        &'a self,
        operation: Operation,
        itself: &'a [(Term, u64); 1],
    ) -> (u64, &'a [(Term, u64)]) {
        match &self.definition(itself[0].0).node {
            Node::Number(value) => (*value, &[]),
            Node::Fold {
                operation: its,
                constant,
                terms,
            } if *its == operation => (*constant, terms),
            _ => (0, itself),
        }
    }

    /// `term` rotated to the right by 0 to width − 1 bits.
    fn rotation(&mut self, term: Term, count: u64) -> Term {
        let &Definition { width, ref node } = self.definition(term);
        match *node {
            _ if count == 0 => term,
            Node::Number(value) => {
                self.number(width, Operation::RotateRight.evaluate(width, value, count))
            }
            Node::Rotation {
                term: inner,
                count: its,
            } => self.rotation(inner, (its + count) % (8 * width as u64)),
            Node::Fold {
                operation: Operation::Xor,
                constant,
                ..
            } if constant != 0 => {
                let constant = self.number(width, constant);
                let rest = self.fold(Operation::Xor, term, constant, 1);
                let (rest, constant) = (
                    self.rotate_right(rest, count),
                    self.rotate_right(constant, count),
                );
                self.fold(Operation::Xor, rest, constant, 1)
            }
            _ => self.term(width, Node::Rotation { term, count }),
        }
    }

    /// The rotation that two shifts make up, if they do: they have no bit in common, so or, xor and addition all join
    /// them.
    fn rotation_of_shifts(&mut self, one: Term, other: Term) -> Option<Term> {
        let (
            &Definition {
                width,
                node: ref one,
            },
            other,
        ) = (self.definition(one), &self.definition(other).node);
        let &Node::Shift {
            operation: one,
            term,
            count,
        } = one
        else {
            return None;
        };
        let &Node::Shift {
            operation: other,
            term: its,
            count: rest,
        } = other
        else {
            return None;
        };
        if term != its || one == other || count + rest != 8 * width as u64 {
            return None;
        }
        let right = if one == Operation::ShiftRight {
            count
        } else {
            rest
        };
        Some(self.rotate_right(term, right))
    }

    /// Whole bytes rotate as bytes, which gives them the same form as a shuffle does.
    fn rotate_right(&mut self, term: Term, count: u64) -> Term {
        if count % 8 != 0 {
            return self.rotation(term, count);
        }
        let mut bytes = self.split(term);
        bytes.rotate_left(count as usize / 8);
        self.join(&bytes)
    }

    /// A term as a region's base and an offset.
    fn based(&self, term: Term) -> Option<(Term, u64)> {
        let (base, offset) = match &self.definition(term).node {
            Node::Base { .. } => (term, 0),
            Node::Fold {
                operation: Operation::Add,
                constant,
                terms,
            } => match terms[..] {
                [(base, 1)] => (base, *constant),
                _ => return None,
            },
            _ => return None,
        };
        matches!(self.definition(base).node, Node::Base { .. }).then_some((base, offset))
    }

    /// A term as a region's base, if there is one in it, a constant and multiples of inputs; `None` if it is more than that.
    pub fn linear(&self, term: Term) -> Option<Linear> {
        let itself = [(term, 1)];
        let (constant, terms) = self.folded(Operation::Add, &itself);
        let mut linear = Linear {
            region: None,
            constant,
            inputs: Vec::new(),
        };
        for &(term, count) in terms {
            match self.definition(term).node {
                Node::Base { region, .. } if count == 1 && linear.region.is_none() => {
                    linear.region = Some(region);
                }
                Node::Input(_) => linear.inputs.push((term, count)),
                _ => return None,
            }
        }
        Some(linear)
    }

    /// An address rounded down to a power of two that divides its base: `term` and the negative of that power.
    fn round_down(&mut self, term: Term, negative: u64) -> Option<Term> {
        let (base, offset) = self.based(term)?;
        let Node::Base { alignment, .. } = self.definition(base).node else {
            return None;
        };
        let power = negative.wrapping_neg();
        if !power.is_power_of_two() || alignment % power != 0 {
            return None;
        }
        let offset = self.number(8, offset & negative);
        Some(self.fold(Operation::Add, base, offset, 1))
    }

    fn normalise(&mut self, operation: Operation, left: Term, right: Term) -> Option<Term> {
        let width = self.definition(left).width;
        assert_eq!(width, self.definition(right).width);
        let (left_value, right_value) = (self.value(left), self.value(right));
        if let (Some(left), Some(right)) = (left_value, right_value) {
            return Some(self.number(width, operation.evaluate(width, left, right)));
        }
        let bits = 8 * width as u64;
        match (operation, right_value) {
            (Operation::Add | Operation::Or | Operation::Xor, _) => {
                let rotation = self.rotation_of_shifts(left, right);
                Some(rotation.unwrap_or_else(|| self.fold(operation, left, right, 1)))
            }
            (Operation::Subtract, _) => Some(self.fold(Operation::Add, left, right, mask(width))),
            (Operation::And, Some(number)) => self.round_down(left, number),
            (Operation::RotateRight, Some(count)) => Some(self.rotate_right(left, count % bits)),
            (Operation::ShiftLeft | Operation::ShiftRight, Some(0)) => Some(left),
            (Operation::ShiftLeft | Operation::ShiftRight, Some(count)) if count < bits => {
                let term = left;
                Some(self.term(
                    width,
                    Node::Shift {
                        operation,
                        term,
                        count,
                    },
                ))
            }
            (Operation::ShiftLeft | Operation::ShiftRight, Some(_)) => Some(self.number(width, 0)),
            _ => None,
        }
    }

    fn describe(&self, term: Term, depth: usize) -> String {
        if depth == 0 {
            return "…".into();
        }
        let inner = |term| self.describe(term, depth - 1);
        let &Definition { width, ref node } = self.definition(term);
        match node {
            Node::Number(value) => format!("{value:#x}"),
            Node::Input(name) => name.clone(),
            Node::Base { region, .. } => format!("region {region}"),
            Node::Bytes(bytes) => {
                let byte = |byte: &Byte| match *byte {
                    Byte::Known(value) => format!("{value:#04x}"),
                    Byte::Of(term, index) => format!("{}.{index}", inner(term)),
                };
                format!("[{}]", bytes.iter().map(byte).collect::<Vec<_>>().join(" "))
            }
            Node::Fold {
                operation,
                constant,
                terms,
            } => {
                let mut parts: Vec<String> = (terms.iter().take(4))
                    .map(|&(term, count)| match count {
                        1 => inner(term),
                        _ if count == mask(width) => format!("-{}", inner(term)),
                        _ => format!("{count}·{}", inner(term)),
                    })
                    .collect();
                parts.extend((terms.len() > 4).then(|| "…".into()));
                parts.extend((*constant != 0).then(|| format!("{constant:#x}")));
                format!("{operation:?}({})", parts.join(", "))
            }
            Node::Shift {
                operation,
                term,
                count,
            } => format!("{operation:?}({}, {count})", inner(*term)),
            Node::Rotation { term, count } => format!("RotateRight({}, {count})", inner(*term)),
        }
    }
}

impl Domain for Terms {
    type Byte = Byte;
    type Word = Term;

    fn number(&mut self, width: usize, value: u64) -> Term {
        self.term(width, Node::Number(value & mask(width)))
    }

    fn input(&mut self, name: &str, width: usize) -> Term {
        self.term(width, Node::Input(name.into()))
    }

    fn base(&mut self, region: usize, alignment: u64) -> Term {
        self.term(8, Node::Base { region, alignment })
    }

    fn join(&mut self, bytes: &[Byte]) -> Term {
        let width = bytes.len();
        match bytes[0] {
            Byte::Known(_) => {
                let known = bytes.iter().rev().try_fold(0, |value, byte| match *byte {
                    Byte::Known(byte) => Some(value << 8 | u64::from(byte)),
                    Byte::Of(..) => None,
                });
                if let Some(value) = known {
                    return self.number(width, value);
                }
            }
            Byte::Of(term, first) => {
                let own = |(i, byte)| byte == &Byte::Of(term, (first + i as u8) % width as u8);
                if self.definition(term).width == width && bytes.iter().enumerate().all(own) {
                    return self.rotation(term, 8 * u64::from(first));
                }
            }
        }
        self.term(width, Node::Bytes(bytes.to_vec()))
    }

    fn split(&self, term: Term) -> Vec<Byte> {
        let &Definition { width, ref node } = self.definition(term);
        match node {
            Node::Number(value) => value.to_le_bytes()[..width]
                .iter()
                .map(|&byte| Byte::Known(byte))
                .collect(),
            Node::Bytes(bytes) => bytes.clone(),
            Node::Rotation { term, count } if count % 8 == 0 => {
                let mut bytes = self.split(*term);
                bytes.rotate_left(*count as usize / 8);
                bytes
            }
            _ => (0..width as u8).map(|i| Byte::Of(term, i)).collect(),
        }
    }

    fn operate(&mut self, operation: Operation, left: Term, right: Term) -> Result<Term, String> {
        if let Some(&term) = self.results.get(&(operation, left, right)) {
            return Ok(term);
        }
        let Some(term) = self.normalise(operation, left, right) else {
            let [left, right] = [left, right].map(|term| self.show(term));
            return Err(format!("no term for {operation:?}({left}, {right})"));
        };
        self.results.insert((operation, left, right), term);
        Ok(term)
    }

    fn value(&self, term: Term) -> Option<u64> {
        match self.definition(term).node {
            Node::Number(value) => Some(value),
            _ => None,
        }
    }

    fn address(&self, term: Term) -> Option<(usize, i64)> {
        let (base, offset) = self.based(term)?;
        match self.definition(base).node {
            Node::Base { region, .. } => Some((region, offset as i64)),
            _ => None,
        }
    }

    fn show(&self, term: Term) -> String {
        self.describe(term, 3)
    }
}
