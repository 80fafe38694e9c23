//! Random tables against numbers: whatever the domain makes of an operation must have the operation's value.

use super::{NONE, Tables, Value};
use crate::domain::{Domain, Numbers, Operation};

const OPERATIONS: [Operation; 13] = [
    Operation::Add,
    Operation::Subtract,
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::ShiftLeft,
    Operation::ShiftRight,
    Operation::RotateRight,
    Operation::AndNot,
    Operation::Multiply,
    Operation::MultiplyHigh,
    Operation::MultiplyAddBytes,
    Operation::SaturateToByte,
];

const INPUTS: usize = 4;

struct Checked {
    tables: Tables,
    chooser: Numbers,
    pool: Vec<Value>,
}

impl Checked {
    fn new(seed: u64) -> Self {
        let mut tables = Tables::default();
        let inputs = (0..INPUTS).map(|i| tables.input(&format!("input {i}"), 1));
        Self {
            pool: inputs.collect(),
            tables,
            chooser: Numbers::new(seed, Vec::new()),
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.chooser.random() % limit as u64) as usize
    }

    /// A value for these inputs, by what it is and not by how it came about.
    fn evaluate(&self, value: Value, inputs: &[u8; INPUTS]) -> u64 {
        match value {
            Value::Function { table, inputs: its } => {
                let index = its.iter().rev().fold(0, |index, &input| {
                    index << 8
                        | if input == NONE {
                            0
                        } else {
                            usize::from(inputs[input as usize])
                        }
                });
                self.tables.tables[table].values[index]
            }
            Value::Bytes(number) => (self.tables.joined.values[number].iter().rev())
                .fold(0, |word, &byte| word << 8 | self.evaluate(byte, inputs)),
            Value::Or(number) => (self.tables.ors.values[number].iter())
                .fold(0, |or, &part| or | self.evaluate(part, inputs)),
            Value::Address { .. } | Value::OfAddress { .. } => unreachable!("no addresses here"),
        }
    }

    fn any(&mut self, width: usize) -> Value {
        let bytes: Vec<Value> = (0..width)
            .map(|_| match self.below(4) {
                0 => {
                    let value = [0, 1, 4, 8, 0x0f, 0x10, 0x7f, 0x80, 0xff][self.below(9)];
                    self.tables.byte(value)
                }
                _ => {
                    let place = self.below(self.pool.len());
                    self.pool[place]
                }
            })
            .collect();
        let word = self.tables.join(&bytes);
        // Two functions of the same inputs in another order may be equal and have two forms.
        assert_eq!(self.tables.split(word).len(), width);
        word
    }

    /// One operation on random bytes or words of them.
    fn step(&mut self) {
        let operation = OPERATIONS[self.below(OPERATIONS.len())];
        let width = match operation {
            Operation::MultiplyAddBytes | Operation::SaturateToByte => 2,
            _ => [1, 1, 2][self.below(3)],
        };
        let (left, right) = (self.any(width), self.any(width));
        let Ok(result) = self.tables.operate(operation, left, right) else {
            return;
        };
        for _ in 0..8 {
            let inputs = self.chooser.random().to_le_bytes();
            let inputs = &inputs[..INPUTS].try_into().unwrap();
            let [of_left, of_right] = [left, right].map(|it| self.evaluate(it, inputs));
            let expected = operation.evaluate(width, of_left, of_right);
            let is = self.evaluate(result, inputs);
            assert_eq!(
                is, expected,
                "{operation:?}({left:?}, {right:?}) of {inputs:?}"
            );
            if let Some(value) = self.tables.value(result) {
                assert_eq!(value, is);
            }
        }
        for byte in self.tables.split(result) {
            // Two inputs' tables are large, so most values have one.
            let of_one = matches!(
                byte,
                Value::Function {
                    inputs: [_, NONE],
                    ..
                }
            );
            if of_one || self.below(8) == 0 {
                match self.pool.len() {
                    ..40 => self.pool.push(byte),
                    length => {
                        let place = INPUTS + self.below(length - INPUTS);
                        self.pool[place] = byte;
                    }
                }
            }
        }
    }
}

fn check(seeds: u64) {
    for seed in 0..seeds {
        let mut checked = Checked::new(seed);
        for _ in 0..250 {
            checked.step();
        }
    }
}

#[test]
fn tables_have_their_operations_values() {
    check(1);
}

#[test]
#[ignore = "takes minutes, even optimised"]
fn many_tables_have_their_operations_values() {
    check(2000);
}
