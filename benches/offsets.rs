//! How far a sample moves its stack and its input, so that a lucky alignment is one sample among many.

/// The stack and the input move in steps of this many bytes, the alignment that a stack has to have.
const STEP: usize = 16;
/// How far the stack moves, in bytes: over a page.
const PAGE: usize = 4096;
/// How far the input moves, in bytes; its buffer has to be this much longer than the input.
pub const MAX_OFFSET: usize = 4 * PAGE;

/// One sample's offsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offsets {
    stack_steps: usize,
    /// Where the input begins in its buffer: a number of bytes below [`MAX_OFFSET`].
    pub input: usize,
}

impl Offsets {
    /// The offsets of the sample with this number. Odd multipliers give every step its turn.
    pub fn of_sample(number: usize) -> Offsets {
        Offsets {
            stack_steps: number * 97 % (PAGE / STEP),
            input: number * 41 % (MAX_OFFSET / STEP) * STEP,
        }
    }

    /// Does `work` with the stack moved. Only x86-64 has a way to; elsewhere the input alone moves.
    pub fn run(self, mut work: impl FnMut()) {
        #[cfg(target_arch = "x86_64")]
        on_moved_stack(self.stack_steps, &mut work);
        #[cfg(not(target_arch = "x86_64"))]
        work();
    }
}

/// Calls `work` with the stack pointer moved down by a number of steps.
#[cfg(target_arch = "x86_64")]
fn on_moved_stack(steps: usize, mut work: &mut dyn FnMut()) {
    extern "sysv64" fn call(work: &mut &mut dyn FnMut()) {
        work();
    }
    assert!(steps < PAGE / STEP);
    // SAFETY: the stack has a page to spare and stays aligned to 16 bytes; `call` preserves r12, changes whatever else its
    // convention lets it change, and ends the process rather than unwind.
    unsafe {
        std::arch::asm!(
            "sub rsp, r12",
            "call {call}",
            "add rsp, r12",
            call = sym call,
            in("r12") steps * STEP,
            in("rdi") &raw mut work,
            clobber_abi("sysv64"),
        );
    }
}
