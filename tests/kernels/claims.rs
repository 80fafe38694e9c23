//! What is claimed of each kernel: how it is called, what it may touch, and the specification it must meet.
//!
//! A new kernel needs its calls in [`claims`] and its specification.

use crate::decode::{InstructionSet, Kernel};
use crate::domain::{Domain, Operation};
use crate::machine::{Access, Flags, Machine, Memory, Region, STACK_SIZE};
use crate::specification;
use std::array::from_fn as array;
use std::rc::Rc;

/// One way to call a kernel.
pub struct Call<D: Domain> {
    pub kernel: &'static str,
    /// What tells this call from the kernel's others.
    pub title: String,
    pub arguments: Vec<Argument>,
    pub specification: Specification<D>,
}

/// Brings the buffers to what they must hold afterwards. What it leaves alone must not change.
pub type Specification<D> = Box<dyn Fn(&mut Buffers<D>)>;

/// What a kernel is given. Arguments are in the order of the calling convention's registers.
pub struct Argument {
    pub name: Rc<str>,
    pub kind: Kind,
}

#[derive(Clone, Copy)]
pub enum Kind {
    Buffer(Buffer),
    /// The same buffer as an earlier argument.
    Same(&'static str),
    /// A number of `width` bytes that the run is for; the rest of the register is unknown.
    Number {
        width: usize,
        value: u64,
    },
    /// A number of `width` bytes that may be any; the rest of the register is unknown.
    Any {
        width: usize,
    },
}

#[derive(Clone, Copy)]
pub struct Buffer {
    pub size: usize,
    pub alignment: u64,
    pub access: Access,
    /// If the pointer to it is no argument: where that stands.
    pub pointer: Option<Pointer>,
}

/// A pointer in an earlier buffer, which points `before` bytes before what it is for, an earlier argument.
#[derive(Clone, Copy)]
pub struct Pointer {
    holder: &'static str,
    offset: usize,
    before: &'static str,
}

fn argument(name: &str, kind: Kind) -> Argument {
    let name = name.into();
    Argument { name, kind }
}

/// A buffer at any address.
fn buffer(name: &str, size: usize, access: Access) -> Argument {
    let (alignment, pointer) = (1, None);
    argument(
        name,
        Kind::Buffer(Buffer {
            size,
            alignment,
            access,
            pointer,
        }),
    )
}

pub fn reads(name: &str, size: usize) -> Argument {
    buffer(name, size, Access::Read)
}

pub fn writes(name: &str, size: usize) -> Argument {
    buffer(name, size, Access::Write)
}

pub fn updates(name: &str, size: usize) -> Argument {
    buffer(name, size, Access::ReadWrite)
}

pub fn same(name: &str, earlier: &'static str) -> Argument {
    argument(name, Kind::Same(earlier))
}

pub fn number(name: &str, width: usize, value: usize) -> Argument {
    let value = value as u64;
    argument(name, Kind::Number { width, value })
}

pub fn any(name: &str, width: usize) -> Argument {
    argument(name, Kind::Any { width })
}

impl Argument {
    fn aligned(mut self, to: u64) -> Self {
        if let Kind::Buffer(buffer) = &mut self.kind {
            buffer.alignment = to;
        }
        self
    }

    fn pointed_to_by(mut self, pointer: Pointer) -> Self {
        if let Kind::Buffer(buffer) = &mut self.kind {
            buffer.pointer = Some(pointer);
        }
        self
    }

    /// Whether it stands in a register.
    fn is_passed(&self) -> bool {
        !matches!(
            self.kind,
            Kind::Buffer(Buffer {
                pointer: Some(_),
                ..
            })
        )
    }
}

/// Every call that is proven of an instruction set's kernels.
pub fn claims<D: Domain + 'static>(instruction_set: InstructionSet) -> Vec<Call<D>> {
    let mut calls = Vec::new();
    let mut claim = |kernel, title: &str, arguments, specification: Specification<D>| {
        let title = title.into();
        calls.push(Call {
            kernel,
            title,
            arguments,
            specification,
        });
    };

    // With AVX2 there are two forms of these.
    let [xof, xof_add, xof_sub]: [&[&str]; 3] = match instruction_set {
        InstructionSet::Avx2 => [
            &["xof", "xof_in_registers"],
            &["xof_add", "xof_add_in_registers"],
            &["xof_sub", "xof_sub_in_registers"],
        ],
        InstructionSet::Avx512 => [&["xof"], &["xof_add"], &["xof_sub"]],
    };
    for kernel in xof {
        let arguments = vec![reads("node", 104), writes("out", 2048)];
        claim(*kernel, "any node", arguments, Box::new(specification::xof));
    }

    let mixing = |kernels: &'static [&'static str], operation| {
        kernels.iter().map(move |&kernel| (kernel, operation))
    };
    for (kernel, operation) in
        mixing(xof_add, Operation::Add).chain(mixing(xof_sub, Operation::Subtract))
    {
        let arguments = vec![
            reads("node", 104),
            updates("sums", 2048).aligned(64),
            writes("guard", 16),
        ];
        claim(
            kernel,
            "any node",
            arguments,
            Box::new(move |it| specification::xof_mix(it, operation)),
        );
    }

    let arguments = vec![reads("sums", 2048).aligned(64), updates("limbs", 2048)];
    claim(
        "lanes_to_limbs",
        "any sums",
        arguments,
        Box::new(specification::lanes_to_limbs),
    );

    for (kernel, operation) in [
        ("limbs_add", Operation::Add),
        ("limbs_sub", Operation::Subtract),
    ] {
        for (title, other) in [
            ("apart", reads("other", 2048)),
            ("other is limbs", same("other", "limbs")),
        ] {
            let arguments = vec![updates("limbs", 2048), other];
            claim(
                kernel,
                title,
                arguments,
                Box::new(move |it| specification::limbs(it, operation)),
            );
        }
    }

    for count in 0..=15 {
        let arguments = vec![
            updates("chaining_value", 32),
            reads("blocks", 64 * count),
            number("count", 8, count),
            any("counter", 8),
            any("block_length", 4),
            any("flags", 4),
        ];
        claim(
            "absorb",
            &format!("{count} blocks"),
            arguments,
            Box::new(specification::absorb),
        );
    }

    let (lanes, vectors) = match instruction_set {
        InstructionSet::Avx2 => (8, 3),
        InstructionSet::Avx512 => (16, 2),
    };
    for (kernel, vectors) in [("absorb_lanes", 1), ("absorb_all_lanes", vectors)] {
        for count in 1..=15 {
            claim(
                kernel,
                &format!("{count} blocks"),
                absorbing_lanes(lanes, vectors, count),
                Box::new(move |it| specification::absorb_side_by_side(it, lanes, vectors)),
            );
        }
    }
    calls
}

/// The arguments of `absorb_lanes` and `absorb_all_lanes`: rows of one word a lane, then the lanes' pointers; and that again for
/// every other vector.
fn absorbing_lanes(lanes: usize, vectors: usize, count: usize) -> Vec<Argument> {
    let pointers = 4 * specification::ROWS * lanes;
    let vector_size = pointers + 8 * lanes;
    let mut arguments = vec![
        updates("lanes", vectors * vector_size).aligned(4 * lanes as u64),
        any("offset", 8),
        number("count", 8, count),
        any("flags", 4),
    ];
    for (vector, lane) in (0..vectors).flat_map(|vector| (0..lanes).map(move |lane| (vector, lane)))
    {
        let pointer = Pointer {
            holder: "lanes",
            offset: vector * vector_size + pointers + 8 * lane,
            before: "offset",
        };
        let blocks = reads(&specification::blocks(vector, lane), 64 * count);
        arguments.push(blocks.pointed_to_by(pointer));
    }
    arguments
}

/// The registers that carry arguments and those that a kernel preserves, by number.
pub const ARGUMENTS: [usize; 6] = [7, 6, 2, 1, 8, 9];
pub const PRESERVED: [usize; 6] = [3, 5, 12, 13, 14, 15];

impl<D: Domain> Call<D> {
    /// The buffers by name, in the order of their regions.
    pub fn buffers(&self) -> impl Iterator<Item = (&str, Buffer)> {
        self.arguments
            .iter()
            .filter_map(|argument| match argument.kind {
                Kind::Buffer(buffer) => Some((&*argument.name, buffer)),
                _ => None,
            })
    }

    /// The state in which the kernel is called, but for `rsp`, and the memory that the specification wants after it.
    pub fn prepare(&self, domain: &mut D, kernel: &Kernel) -> (Machine<D>, Memory<D>) {
        let mut general =
            array(|i| array(|j| domain.unknown(&format!("byte {j} of general register {i}"))));
        let vector =
            array(|i| array(|j| domain.unknown(&format!("byte {j} of vector register {i}"))));
        let constants = kernel
            .constants
            .iter()
            .map(|&byte| Some(domain.byte(byte)))
            .collect();
        let mut buffers = Buffers {
            domain,
            memory: Vec::new(),
            arguments: Vec::new(),
        };
        buffers.add("the stack", 64, Access::ReadWrite, vec![None; STACK_SIZE]);
        buffers.add(
            "the constants",
            kernel.constants_alignment,
            Access::Read,
            constants,
        );

        let mut registers = ARGUMENTS.into_iter();
        for argument in &self.arguments {
            let name = &argument.name;
            let value = match argument.kind {
                Kind::Buffer(Buffer {
                    size,
                    alignment,
                    access,
                    pointer,
                }) => {
                    let byte = |i| match access {
                        Access::Write => None,
                        Access::Read | Access::ReadWrite => {
                            Some(buffers.domain.unknown(&format!("{name}[{i}]")))
                        }
                    };
                    let bytes = (0..size).map(byte).collect();
                    let base = buffers.add(name, alignment, access, bytes);
                    if let Some(pointer) = pointer {
                        let before = buffers.argument(pointer.before);
                        let value = buffers.domain.operate(Operation::Subtract, base, before);
                        buffers.store(pointer.holder, pointer.offset, &[value.unwrap()]);
                    }
                    base
                }
                Kind::Same(earlier) => buffers.argument(earlier),
                Kind::Number { width, value } => buffers.domain.number(width, value),
                Kind::Any { width } => buffers.domain.input(name, width),
            };
            if argument.is_passed() {
                let bytes = buffers.domain.split(value);
                general[registers.next().unwrap()][..bytes.len()].copy_from_slice(&bytes);
            }
            buffers.arguments.push((name.clone(), value));
        }

        let memory = buffers.memory.clone();
        (self.specification)(&mut buffers);
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
            buffers.memory,
        )
    }
}

/// A call's memory and arguments, as a specification sees them.
pub struct Buffers<'a, D: Domain> {
    pub domain: &'a mut D,
    memory: Memory<D>,
    arguments: Vec<(Rc<str>, D::Word)>,
}

impl<D: Domain> Buffers<'_, D> {
    fn add(
        &mut self,
        name: &str,
        alignment: u64,
        access: Access,
        bytes: Vec<Option<D::Byte>>,
    ) -> D::Word {
        let (name, base) = (name.into(), self.domain.base(self.memory.len(), alignment));
        self.memory.push(Region {
            name,
            base,
            alignment,
            access,
            bytes,
        });
        base
    }

    pub fn argument(&self, name: &str) -> D::Word {
        self.arguments
            .iter()
            .find(|(its, _)| &**its == name)
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
