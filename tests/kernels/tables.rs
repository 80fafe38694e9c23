//! A domain for hexadecimal text: a value is a function of at most two input bytes, with all its values in a table.
//!
//! Equal functions are equal tables, whatever way they were computed: a table lists every value, and inputs that it does not
//! depend on are dropped. Two things have more inputs. Bytes that merely stand side by side are kept as bytes. And an or of
//! many bytes, which serves to ask whether all of them are zero, is kept as the set of these.

mod random;

use crate::domain::{Domain, Operation};
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// No input.
const NONE: u32 = u32::MAX;

/// A byte or a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A table, and what its places stand for.
    Function {
        table: usize,
        inputs: [u32; 2],
    },
    Address {
        region: usize,
        offset: i64,
    },
    /// One of the eight bytes of an address.
    OfAddress {
        region: usize,
        offset: i64,
        byte: usize,
    },
    /// Bytes side by side, by their place in the arena.
    Bytes(usize),
    /// The or of bytes, likewise.
    Or(usize),
}

/// What a result was computed by.
#[derive(Clone, PartialEq, Eq, Hash)]
enum By {
    Join,
    Operation(Operation),
    LookUp(Vec<u64>),
    Function(String),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Table {
    width: usize,
    inputs: usize,
    values: Vec<u64>,
}

#[derive(Clone, Default)]
pub struct Tables {
    tables: Vec<Table>,
    numbers: HashMap<Table, usize>,
    /// The bytes of each table that is wider than one: their tables, and which of its inputs these have.
    bytes: Vec<Vec<(usize, Vec<usize>)>>,
    joined: Arena<Vec<Value>>,
    ors: Arena<BTreeSet<Value>>,
    /// How many inputs there are.
    inputs: u32,
    /// The table of an input.
    identity: Option<usize>,
    /// What operations on tables gave: the table, and which of the inputs it has.
    results: HashMap<(By, Vec<usize>), (usize, Vec<usize>)>,
    /// The answer when a branch asks whether bytes that depend on inputs are all zero.
    assumed_zero: Option<bool>,
    /// What that was asked of. A run may ask once: the answers to two questions could depend on each other.
    asked: Option<BTreeSet<Value>>,
}

impl Tables {
    /// A table and the inputs that it depends on, which may be fewer.
    fn table(&mut self, mut table: Table) -> (usize, Vec<usize>) {
        let mut kept: Vec<usize> = (0..table.inputs).collect();
        for place in (0..table.inputs).rev() {
            // Input i is byte i of an index, the first the least significant.
            let stride = 256usize.pow(place as u32);
            let is_first = |index: &usize| index / stride % 256 == 0;
            let firsts: Vec<usize> = (0..table.values.len()).filter(is_first).collect();
            let depends = firsts.iter().any(|&first| {
                (0..256).any(|value| table.values[first + value * stride] != table.values[first])
            });
            if !depends {
                table.values = firsts.iter().map(|&first| table.values[first]).collect();
                table.inputs -= 1;
                kept.remove(place);
            }
        }
        if let Some(&number) = self.numbers.get(&table) {
            return (number, kept);
        }
        let mut bytes = Vec::new();
        if table.width > 1 {
            for i in 0..table.width {
                let values = table.values.iter().map(|value| value >> (8 * i) & 0xff);
                bytes.push(self.table(Table {
                    width: 1,
                    inputs: table.inputs,
                    values: values.collect(),
                }));
            }
        }
        let number = self.tables.len();
        self.tables.push(table.clone());
        self.bytes.push(bytes);
        self.numbers.insert(table, number);
        (number, kept)
    }

    /// The function with which `evaluate` answers for values of the operands, or nothing if they have more than two inputs.
    fn combine(
        &mut self,
        by: By,
        width: usize,
        operands: &[Value],
        evaluate: impl Fn(&[u64]) -> u64,
    ) -> Option<Value> {
        let mut all: Vec<u32> = Vec::new();
        let mut key = vec![width];
        for operand in operands {
            let Value::Function { table, inputs } = *operand else {
                return None;
            };
            key.push(table);
            for input in inputs.into_iter().filter(|&input| input != NONE) {
                let place = all.iter().position(|&other| other == input);
                key.push(place.unwrap_or(all.len()));
                if place.is_none() {
                    all.push(input);
                }
            }
        }
        if all.len() > 2 {
            return None;
        }
        let key = (by, key);
        let (table, kept) = match self.results.get(&key) {
            Some(result) => result.clone(),
            None => {
                let values = (0..256usize.pow(all.len() as u32)).map(|index| {
                    let byte = |input| match all.iter().position(|&other| other == input) {
                        Some(place) => index >> (8 * place) & 0xff,
                        None => 0,
                    };
                    let of = |operand: &Value| match *operand {
                        Value::Function { table, inputs } => {
                            self.tables[table].values[byte(inputs[0]) | byte(inputs[1]) << 8]
                        }
                        _ => unreachable!(),
                    };
                    evaluate(&operands.iter().map(of).collect::<Vec<_>>())
                });
                let (values, inputs) = (values.collect(), all.len());
                let result = self.table(Table {
                    width,
                    inputs,
                    values,
                });
                self.results.insert(key, result.clone());
                result
            }
        };
        let mut inputs = [NONE; 2];
        for (slot, place) in inputs.iter_mut().zip(kept) {
            *slot = all[place];
        }
        Some(Value::Function { table, inputs })
    }

    /// A function of bytes. The name tells it from others.
    pub fn function(
        &mut self,
        name: &str,
        of: &[Value],
        evaluate: impl Fn(&[u64]) -> u64,
    ) -> Result<Value, String> {
        self.combine(By::Function(name.into()), 1, of, evaluate)
            .ok_or_else(|| format!("{name}, which has more than two inputs"))
    }

    fn or(&mut self, left: Value, right: Value) -> Value {
        let mut parts = BTreeSet::new();
        for side in [left, right] {
            match side {
                Value::Or(number) => parts.extend(self.ors.values[number].iter().copied()),
                other => drop(parts.insert(other)),
            }
        }
        Value::Or(self.ors.place(parts))
    }

    fn width(&self, value: Value) -> usize {
        match value {
            Value::Function { table, .. } => self.tables[table].width,
            Value::Address { .. } => 8,
            Value::Bytes(number) => self.joined.values[number].len(),
            Value::Or(_) | Value::OfAddress { .. } => 1,
        }
    }

    /// Forgets all values but what the tables hold, for another run.
    pub fn restart(&mut self, assumed_zero: Option<bool>) {
        self.joined = Arena::default();
        self.ors = Arena::default();
        self.inputs = 0;
        self.assumed_zero = assumed_zero;
        self.asked = None;
    }

    /// The bytes of which a set of conditions asks whether they are all zero.
    pub fn conditions(&self) -> BTreeSet<Value> {
        let mut conditions = BTreeSet::new();
        for &value in self.asked.iter().flatten() {
            match value {
                Value::Or(number) => conditions.extend(self.ors.values[number].iter().copied()),
                other => drop(conditions.insert(other)),
            }
        }
        conditions
    }

    /// A function's table, and its inputs in the order of an index's bytes.
    pub fn parts(&self, value: Value) -> Result<(usize, Vec<u32>), String> {
        let Value::Function { table, inputs } = value else {
            return Err(format!("{value:?} is no function"));
        };
        let inputs = inputs.into_iter().filter(|&input| input != NONE);
        Ok((table, inputs.collect()))
    }

    pub fn values(&self, table: usize) -> &[u64] {
        &self.tables[table].values
    }
}

/// Each value once, at a place.
#[derive(Clone)]
struct Arena<T> {
    values: Vec<T>,
    places: HashMap<T, usize>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        let (values, places) = Default::default();
        Self { values, places }
    }
}

impl<T: Clone + Eq + Hash> Arena<T> {
    fn place(&mut self, value: T) -> usize {
        if let Some(&place) = self.places.get(&value) {
            return place;
        }
        self.values.push(value.clone());
        self.places.insert(value, self.values.len() - 1);
        self.values.len() - 1
    }
}

impl Domain for Tables {
    type Byte = Value;
    type Word = Value;

    fn number(&mut self, width: usize, value: u64) -> Value {
        let value = value & crate::domain::mask(width);
        let (table, _) = self.table(Table {
            width,
            inputs: 0,
            values: vec![value],
        });
        let inputs = [NONE; 2];
        Value::Function { table, inputs }
    }

    fn input(&mut self, name: &str, width: usize) -> Value {
        assert_eq!(width, 1, "{name}: inputs are bytes");
        let table = self.identity.unwrap_or_else(|| {
            let (width, inputs, values) = (1, 1, (0..256).collect());
            self.table(Table {
                width,
                inputs,
                values,
            })
            .0
        });
        self.identity = Some(table);
        self.inputs += 1;
        let inputs = [self.inputs - 1, NONE];
        Value::Function { table, inputs }
    }

    fn base(&mut self, region: usize, _alignment: u64) -> Value {
        Value::Address { region, offset: 0 }
    }

    fn join(&mut self, bytes: &[Value]) -> Value {
        if let Value::OfAddress { region, offset, .. } = bytes[0] {
            let whole = Value::Address { region, offset };
            if self.split(whole) == bytes {
                return whole;
            }
        }
        let values: Vec<Value> = bytes.to_vec();
        let join = |bytes: &[u64]| bytes.iter().rev().fold(0, |word, byte| word << 8 | byte);
        match self.combine(By::Join, bytes.len(), &values, join) {
            Some(word) => word,
            None => Value::Bytes(self.joined.place(values)),
        }
    }

    fn split(&self, word: Value) -> Vec<Value> {
        match word {
            Value::Function { table, .. } if self.tables[table].width == 1 => vec![word],
            Value::Function { table, inputs } => {
                let byte = |(table, kept): &(usize, Vec<usize>)| {
                    let mut its = [NONE; 2];
                    for (slot, &place) in its.iter_mut().zip(kept) {
                        *slot = inputs[place];
                    }
                    let (table, inputs) = (*table, its);
                    Value::Function { table, inputs }
                };
                self.bytes[table].iter().map(byte).collect()
            }
            Value::Bytes(number) => self.joined.values[number].clone(),
            Value::Address { region, offset } => (0..8)
                .map(|byte| Value::OfAddress {
                    region,
                    offset,
                    byte,
                })
                .collect(),
            Value::Or(_) | Value::OfAddress { .. } => vec![word],
        }
    }

    fn operate(
        &mut self,
        operation: Operation,
        left: Value,
        right: Value,
    ) -> Result<Value, String> {
        use Operation::{Add, And, AndNot, Or, ShiftLeft, Subtract, Xor};
        let width = self.width(left);
        assert_eq!(width, self.width(right));
        let numbers = (self.value(left), self.value(right));
        match (operation, left, right, numbers) {
            (Add, Value::Address { region, offset }, _, (_, Some(number)))
            | (Add, _, Value::Address { region, offset }, (Some(number), _)) => {
                let offset = offset.wrapping_add(number as i64);
                return Ok(Value::Address { region, offset });
            }
            (Subtract, Value::Address { region, offset }, _, (_, Some(number))) => {
                let offset = offset.wrapping_sub(number as i64);
                return Ok(Value::Address { region, offset });
            }
            (
                Subtract,
                Value::Address { region, offset },
                Value::Address {
                    region: other,
                    offset: from,
                },
                _,
            ) if region == other => return Ok(self.number(8, offset.wrapping_sub(from) as u64)),
            (ShiftLeft, Value::Address { .. }, _, (_, Some(0))) => return Ok(left),
            // Bit by bit, so byte by byte.
            (And | AndNot | Or | Xor, ..) if width > 1 => {
                let (left, right) = (self.split(left), self.split(right));
                let bytes: Result<Vec<Value>, String> = left
                    .into_iter()
                    .zip(right)
                    .map(|(left, right)| self.operate(operation, left, right))
                    .collect();
                return Ok(self.join(&bytes?));
            }
            (And | Or, ..) if left == right => return Ok(left),
            (AndNot | Xor, ..) if left == right => return Ok(self.number(width, 0)),
            (Or, _, _, (Some(0), _)) => return Ok(right),
            (Or, _, _, (_, Some(0))) => return Ok(left),
            _ => {}
        }
        let evaluate = |values: &[u64]| operation.evaluate(width, values[0], values[1]);
        match self.combine(By::Operation(operation), width, &[left, right], evaluate) {
            Some(value) => Ok(value),
            None if operation == Or => Ok(self.or(left, right)),
            None => Err(format!("{operation:?} of more than two input bytes")),
        }
    }

    fn look_up(&mut self, table: [Value; 16], index: Value) -> Result<Value, String> {
        let known: Option<Vec<u64>> = table.iter().map(|&byte| self.value(byte)).collect();
        let known = known.ok_or("a table that depends on data")?;
        let evaluate = |values: &[u64]| match values[0] {
            0x80.. => 0,
            index => known[index as usize & 15],
        };
        let found = self.combine(By::LookUp(known.clone()), 1, &[index], evaluate);
        found.ok_or("an index of more than two input bytes".into())
    }

    fn are_zero(&mut self, bytes: &[Value]) -> Option<bool> {
        let known: Option<Vec<u64>> = bytes.iter().map(|&byte| self.value(byte)).collect();
        if let Some(known) = known {
            return Some(known.iter().all(|&byte| byte == 0));
        }
        if self.asked.is_some() {
            return None;
        }
        self.asked = Some(bytes.iter().copied().collect());
        self.assumed_zero
    }

    fn value(&self, word: Value) -> Option<u64> {
        match word {
            Value::Function {
                table,
                inputs: [NONE, NONE],
            } => Some(self.tables[table].values[0]),
            _ => None,
        }
    }

    fn address(&self, word: Value) -> Option<(usize, i64)> {
        match word {
            Value::Address { region, offset } => Some((region, offset)),
            _ => None,
        }
    }

    fn show(&self, word: Value) -> String {
        format!("{word:?}")
    }
}
