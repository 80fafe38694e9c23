//! What is claimed of each kernel: how it is called, what it may touch, and the specification it must meet.
//!
//! A new kernel needs one line in [`claims`] and its specification.

use crate::decode::Kernel;
use crate::domain::{Domain, Operation};
use crate::machine::{Access, Flags, Machine, Memory, Region, STACK_SIZE};
use crate::specification;
use std::array::from_fn as array;

type Specification<D> = Box<dyn Fn(&mut Buffers<D>)>;

/// One way to call a kernel.
pub struct Call<D: Domain> {
    pub kernel: &'static str,
    /// What tells this call from the kernel's others.
    pub title: String,
    pub arguments: Vec<(&'static str, Argument)>,
    /// Brings the buffers to what they must hold afterwards. What it leaves alone must not change.
    pub specification: Specification<D>,
}

/// An argument, in the order of the System V calling convention's registers.
pub enum Argument {
    Buffer {
        size: usize,
        alignment: u64,
        access: Access,
    },
    /// The same buffer as an earlier argument.
    Same(&'static str),
    /// A number of `width` bytes that the run is for; the rest of the register is unknown.
    Number { width: usize, value: u64 },
    /// A number of `width` bytes that may be any; the rest of the register is unknown.
    Any { width: usize },
}

fn buffer(size: usize, access: Access) -> Argument {
    Argument::Buffer {
        size,
        alignment: 1,
        access,
    }
}

/// A buffer that is read, at any address.
fn reads(size: usize) -> Argument {
    buffer(size, Access::Read)
}

/// A buffer that is written, at any address.
fn writes(size: usize) -> Argument {
    buffer(size, Access::Write)
}

/// A buffer that is read and written, at any address.
fn updates(size: usize) -> Argument {
    buffer(size, Access::ReadWrite)
}

/// Every call that is proven, for both families.
pub fn claims<D: Domain + 'static>() -> Vec<Call<D>> {
    let mut calls = vec![Call::new(
        "xof",
        "any node",
        [("node", reads(104)), ("out", writes(2048))],
        specification::xof,
    )];
    for (kernel, operation) in [
        ("limbs_add", Operation::Add),
        ("limbs_sub", Operation::Subtract),
    ] {
        let specification =
            move |buffers: &mut Buffers<D>| specification::limbs(buffers, operation);
        let apart = [("limbs", updates(2048)), ("other", reads(2048))];
        let same = [("limbs", updates(2048)), ("other", Argument::Same("limbs"))];
        calls.push(Call::new(kernel, "apart", apart, specification));
        calls.push(Call::new(kernel, "other is limbs", same, specification));
    }
    for count in 0..=15 {
        let arguments = [
            ("chaining_value", updates(32)),
            ("blocks", reads(64 * count)),
            (
                "count",
                Argument::Number {
                    width: 8,
                    value: count as u64,
                },
            ),
            ("flags", Argument::Any { width: 4 }),
        ];
        calls.push(Call::new(
            "absorb",
            &format!("{count} blocks"),
            arguments,
            specification::absorb,
        ));
    }
    calls
}

/// The registers that carry arguments and those that a kernel preserves, by number.
const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];
pub const PRESERVED: [usize; 6] = [3, 5, 12, 13, 14, 15];

impl<D: Domain + 'static> Call<D> {
    fn new<const N: usize>(
        kernel: &'static str,
        title: &str,
        arguments: [(&'static str, Argument); N],
        specification: impl Fn(&mut Buffers<D>) + 'static,
    ) -> Self {
        Self {
            kernel,
            title: title.into(),
            arguments: arguments.into(),
            specification: Box::new(specification),
        }
    }

    /// The state in which the kernel is called, but for `rsp`, and the memory that the specification wants after it.
    pub fn prepare(&self, domain: &mut D, kernel: &Kernel) -> (Machine<D>, Memory<D>) {
        let mut memory: Memory<D> = Vec::new();
        let mut region = |domain: &mut D, name, alignment, access, bytes| {
            let base = domain.base(memory.len(), alignment);
            memory.push(Region {
                name,
                base,
                alignment,
                access,
                bytes,
            });
            base
        };
        region(
            domain,
            "the stack",
            64,
            Access::ReadWrite,
            vec![None; STACK_SIZE],
        );
        let constants = kernel.constants.iter().map(|&byte| {
            let byte = domain.number(1, byte.into());
            Some(domain.split(byte)[0])
        });
        let constants = constants.collect();
        region(
            domain,
            "the constants",
            kernel.constants_alignment,
            Access::Read,
            constants,
        );

        let mut general =
            array(|i| array(|j| unknown(domain, &format!("general register {i}, byte {j}"))));
        let vector =
            array(|i| array(|j| unknown(domain, &format!("vector register {i}, byte {j}"))));
        let mut arguments: Vec<(&str, D::Word)> = Vec::new();
        for ((name, argument), register) in self.arguments.iter().zip(ARGUMENTS) {
            let word = match *argument {
                Argument::Buffer {
                    size,
                    alignment,
                    access,
                } => {
                    let bytes = (0..size).map(|i| match access {
                        Access::Write => None,
                        Access::Read | Access::ReadWrite => {
                            Some(unknown(domain, &format!("{name}[{i}]")))
                        }
                    });
                    let bytes = bytes.collect();
                    region(domain, name, alignment, access, bytes)
                }
                Argument::Same(earlier) => {
                    arguments
                        .iter()
                        .find(|(name, _)| *name == earlier)
                        .unwrap()
                        .1
                }
                Argument::Number { width, value } => domain.number(width, value),
                Argument::Any { width } => domain.input(name, width),
            };
            let bytes = domain.split(word);
            general[register][..bytes.len()].copy_from_slice(&bytes);
            arguments.push((name, word));
        }

        let mut expected = memory.clone();
        (self.specification)(&mut Buffers {
            domain,
            memory: &mut expected,
            arguments,
        });
        let (flags, next, entry) = (Flags::default(), 0, STACK_SIZE);
        (
            Machine {
                general,
                vector,
                flags,
                memory,
                next,
                entry,
                deepest: entry,
            },
            expected,
        )
    }
}

/// A byte of which nothing is known.
fn unknown<D: Domain>(domain: &mut D, name: &str) -> D::Byte {
    let word = domain.input(name, 1);
    domain.split(word)[0]
}

/// A call's memory and arguments, as a specification sees them.
pub struct Buffers<'a, D: Domain> {
    pub domain: &'a mut D,
    memory: &'a mut Memory<D>,
    arguments: Vec<(&'static str, D::Word)>,
}

impl<D: Domain> Buffers<'_, D> {
    pub fn argument(&self, name: &str) -> D::Word {
        self.arguments
            .iter()
            .find(|(its, _)| *its == name)
            .unwrap()
            .1
    }

    fn region(&self, name: &str) -> usize {
        self.domain.address(self.argument(name)).unwrap().0
    }

    /// All of a buffer, as little-endian words of `width` bytes.
    pub fn words(&mut self, name: &str, width: usize) -> Vec<D::Word> {
        let bytes: Option<Vec<D::Byte>> = self.memory[self.region(name)]
            .bytes
            .iter()
            .copied()
            .collect();
        bytes
            .unwrap()
            .chunks(width)
            .map(|word| self.domain.join(word))
            .collect()
    }

    /// Words into a buffer, from byte `offset` on.
    pub fn store(&mut self, name: &str, offset: usize, words: &[D::Word]) {
        let bytes: Vec<_> = words
            .iter()
            .flat_map(|&word| self.domain.split(word))
            .map(Some)
            .collect();
        let region = self.region(name);
        self.memory[region].bytes[offset..][..bytes.len()].copy_from_slice(&bytes);
    }
}
