//! Real calls of the linked kernels, with a guard page on either side of every buffer.
//!
//! A trampoline fills with poison what a kernel must preserve, calls it and looks at what it left. Each call happens in a
//! process of its own, so that a fault is an answer. Broken twins show that each kind of damage is noticed.

use crate::claims::{ARGUMENTS, Buffer, Call, PRESERVED, claims};
use crate::common;
use crate::decode::{InstructionSet, Kernel};
use crate::domain::Numbers;
use crate::linked::Linked;
use crate::machine::{Access, BUFFERS, Memory};
use crate::objects::kernels;
use std::arch::global_asm;
use std::mem::offset_of;
use std::ptr;

/// What the trampoline takes and leaves. It stands in memory that the caller shares with the process that calls.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Frame {
    /// What is called: the kernel, or a twin that goes on to it.
    target: u64,
    kernel: u64,
    /// rdi, rsi, rdx, rcx, r8, r9.
    arguments: [u64; 6],
    /// rbx, rbp, r12, r13, r14, r15 before and after.
    before: [u64; 6],
    after: [u64; 6],
    rsp_before: u64,
    rsp_after: u64,
    flags: u64,
    mxcsr_before: u32,
    mxcsr_after: u32,
    /// Whether to look at XGETBV(1), the state components in use, right after the call; and what it was.
    probe: u64,
    in_use: u64,
    returned: u64,
}

global_asm!(
    ".lcomm lthash_tests_frame, 8",
    ".macro lthash_tests_function name",
    ".globl \\name",
    ".hidden \\name",
    "\\name:",
    ".endm",
    "lthash_tests_function lthash_tests_call",
    ".irp register, rbx, rbp, r12, r13, r14, r15",
    "push \\register",
    ".endr",
    "sub rsp, 8",
    "mov [rip + lthash_tests_frame], rdi",
    "mov [rdi + {rsp_before}], rsp",
    "stmxcsr [rdi + {mxcsr_before}]",
    // Upper halves that a kernel must leave clean are full before it.
    ".irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
    "vpcmpeqd ymm\\number, ymm\\number, ymm\\number",
    ".endr",
    "mov rax, [rdi + {target}]",
    "mov r11, [rdi + {kernel}]",
    "mov rbx, [rdi + {before}]",
    "mov rbp, [rdi + {before} + 8]",
    "mov r12, [rdi + {before} + 16]",
    "mov r13, [rdi + {before} + 24]",
    "mov r14, [rdi + {before} + 32]",
    "mov r15, [rdi + {before} + 40]",
    "mov rsi, [rdi + {arguments} + 8]",
    "mov rdx, [rdi + {arguments} + 16]",
    "mov rcx, [rdi + {arguments} + 24]",
    "mov r8, [rdi + {arguments} + 32]",
    "mov r9, [rdi + {arguments} + 40]",
    "mov rdi, [rdi + {arguments}]",
    "call rax",
    "mov r11, [rip + lthash_tests_frame]",
    "cmp qword ptr [r11 + {probe}], 0",
    "je 2f",
    "mov ecx, 1",
    "xgetbv",
    "mov [r11 + {in_use}], eax",
    "2:",
    "mov [r11 + {rsp_after}], rsp",
    "mov rsp, [r11 + {rsp_before}]",
    "pushfq",
    "pop qword ptr [r11 + {flags}]",
    "cld",
    "stmxcsr [r11 + {mxcsr_after}]",
    "mov [r11 + {after}], rbx",
    "mov [r11 + {after} + 8], rbp",
    "mov [r11 + {after} + 16], r12",
    "mov [r11 + {after} + 24], r13",
    "mov [r11 + {after} + 32], r14",
    "mov [r11 + {after} + 40], r15",
    "mov qword ptr [r11 + {returned}], 1",
    "vzeroupper",
    "add rsp, 8",
    ".irp register, r15, r14, r13, r12, rbp, rbx",
    "pop \\register",
    ".endr",
    "ret",
    // What shows whether XGETBV(1) tells clean upper halves from full ones.
    "lthash_tests_function lthash_tests_cleans",
    "vzeroupper",
    "lthash_tests_function lthash_tests_returns",
    "ret",
    // The broken twins: they do their damage before or after the kernel, whose address is in r11.
    "lthash_tests_function lthash_tests_clobbers_rbx",
    "mov ebx, 1",
    "jmp r11",
    "lthash_tests_function lthash_tests_clobbers_r15",
    "not r15",
    "jmp r11",
    "lthash_tests_function lthash_tests_sets_direction",
    "sub rsp, 8",
    "call r11",
    "add rsp, 8",
    "std",
    "ret",
    "lthash_tests_function lthash_tests_leaves_upper_halves",
    "sub rsp, 8",
    "call r11",
    "add rsp, 8",
    "vpcmpeqd ymm3, ymm3, ymm3",
    "ret",
    "lthash_tests_function lthash_tests_writes_beyond",
    "mov byte ptr [rdi + 2048], 0",
    "jmp r11",
    "lthash_tests_function lthash_tests_writes_before",
    "mov byte ptr [rdi - 1], 0",
    "jmp r11",
    "lthash_tests_function lthash_tests_reads_beyond",
    "movzx eax, byte ptr [rsi + 2048]",
    "jmp r11",
    "lthash_tests_function lthash_tests_reads_before",
    "movzx eax, byte ptr [rsi - 1]",
    "jmp r11",
    "lthash_tests_function lthash_tests_writes_input",
    "not byte ptr [rsi]",
    "jmp r11",
    "lthash_tests_function lthash_tests_miscounts",
    "sub rsp, 8",
    "call r11",
    "add rsp, 8",
    "inc word ptr [rdi + 2046]",
    "ret",
    target = const offset_of!(Frame, target),
    kernel = const offset_of!(Frame, kernel),
    arguments = const offset_of!(Frame, arguments),
    before = const offset_of!(Frame, before),
    after = const offset_of!(Frame, after),
    rsp_before = const offset_of!(Frame, rsp_before),
    rsp_after = const offset_of!(Frame, rsp_after),
    flags = const offset_of!(Frame, flags),
    mxcsr_before = const offset_of!(Frame, mxcsr_before),
    mxcsr_after = const offset_of!(Frame, mxcsr_after),
    probe = const offset_of!(Frame, probe),
    in_use = const offset_of!(Frame, in_use),
    returned = const offset_of!(Frame, returned),
);

/// The twins, and what must be said of each.
macro_rules! twins {
    ($($symbol:ident: $complaint:literal,)*) => {
        unsafe extern "C" {
            fn lthash_tests_call(frame: *mut Frame);
            fn lthash_tests_returns();
            fn lthash_tests_cleans();
            $(fn $symbol();)*
        }

        const TWINS: &[(&str, unsafe extern "C" fn(), &str)] =
            &[$((stringify!($symbol), $symbol, $complaint)),*];
    };
}

twins! {
    lthash_tests_clobbers_rbx: "callee-saved registers",
    lthash_tests_clobbers_r15: "callee-saved registers",
    lthash_tests_sets_direction: "direction flag",
    lthash_tests_leaves_upper_halves: "upper halves",
    lthash_tests_writes_beyond: "limbs",
    lthash_tests_writes_before: "limbs",
    lthash_tests_reads_beyond: "signal",
    lthash_tests_reads_before: "signal",
    lthash_tests_writes_input: "signal",
    lthash_tests_miscounts: "limbs",
}

const PAGE: usize = 4096;

/// What stands around a buffer on its own pages, and in an output before the call.
const CANARY: u8 = 0xa5;

/// Where a buffer stands on its pages.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Flush {
    /// Its first byte directly behind a guard page.
    Left,
    /// Its last byte directly before one.
    Right,
}

/// Pages shared with child processes, between two that nobody may touch.
struct Pages {
    map: *mut u8,
    size: usize,
}

impl Pages {
    fn new(size: usize) -> Self {
        let size = size.max(1).next_multiple_of(PAGE);
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping, wherever there is room.
        let map = unsafe {
            libc::mmap(
                ptr::null_mut(),
                size + 2 * PAGE,
                libc::PROT_NONE,
                flags,
                -1,
                0,
            )
        };
        assert_ne!(map, libc::MAP_FAILED);
        let pages = Self {
            map: map.cast(),
            size,
        };
        pages.protect(libc::PROT_READ | libc::PROT_WRITE);
        pages
    }

    fn first(&self) -> *mut u8 {
        self.map.wrapping_add(PAGE)
    }

    fn protect(&self, protection: libc::c_int) {
        // SAFETY: these pages are this mapping's, and no reference into them is alive.
        assert_eq!(
            unsafe { libc::mprotect(self.first().cast(), self.size, protection) },
            0
        );
    }

    fn fill(&self, bytes: impl Fn(usize) -> u8) {
        // SAFETY: between the guard pages, and writable.
        (0..self.size).for_each(|i| unsafe { self.first().add(i).write(bytes(i)) });
    }

    fn read(&self) -> Vec<u8> {
        // SAFETY: between the guard pages; all bytes were written by `mmap` at the latest, and no process writes now.
        unsafe { std::slice::from_raw_parts(self.first(), self.size) }.to_vec()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the whole of this mapping, into which no reference is alive.
        unsafe { libc::munmap(self.map.cast(), self.size + 2 * PAGE) };
    }
}

/// How a call is set up beside its claim.
struct Setting {
    target: u64,
    kernel: u64,
    flush: Flush,
    /// Whether XGETBV(1) tells clean upper halves from others.
    probe: bool,
}

/// Calls a kernel, or what goes on to it, on random inputs. An error names the first thing that is wrong.
fn call(kernel: &Kernel, claim: &Call<Numbers>, setting: &Setting) -> Result<(), String> {
    let buffers: Vec<(&str, Buffer)> = claim.buffers().collect();
    let pages: Vec<Pages> = buffers
        .iter()
        .map(|(_, buffer)| Pages::new(buffer.size))
        .collect();
    let offset = |pages: &Pages, buffer: &Buffer| match setting.flush {
        Flush::Left => 0,
        Flush::Right => pages.size - buffer.size,
    };
    let places: Vec<usize> = pages
        .iter()
        .zip(&buffers)
        .map(|(pages, (_, buffer))| offset(pages, buffer))
        .collect();
    let addresses = pages
        .iter()
        .zip(&places)
        .map(|(pages, &place)| pages.first() as u64 + place as u64);

    // The stack and the constants are the processor's own here: their regions are far from all others.
    let bases = [1 << 62, 1 << 61].into_iter().chain(addresses).collect();
    let domain = &mut Numbers::new(1 + setting.flush as u64, bases);
    let (start, expected) = claim.prepare(domain, kernel);
    let contents = |memory: &Memory<Numbers>, number: usize, i: usize| {
        let byte = i
            .checked_sub(places[number])
            .and_then(|i| memory[BUFFERS + number].bytes.get(i));
        byte.copied().flatten().unwrap_or(CANARY)
    };
    for (number, (pages, (_, buffer))) in pages.iter().zip(&buffers).enumerate() {
        pages.fill(|i| contents(&start.memory, number, i));
        if buffer.access == Access::Read {
            pages.protect(libc::PROT_READ);
        }
    }

    let register = |number: usize| u64::from_le_bytes(start.general[number]);
    let frame = run(Frame {
        target: setting.target,
        kernel: setting.kernel,
        arguments: ARGUMENTS.map(register),
        before: PRESERVED.map(register),
        probe: setting.probe.into(),
        ..Frame::default()
    })?;

    for (number, (pages, (name, _))) in pages.iter().zip(&buffers).enumerate() {
        for (i, is) in pages.read().into_iter().enumerate() {
            let (should, at) = (
                contents(&expected, number, i),
                i as isize - places[number] as isize,
            );
            if is != should {
                return Err(format!(
                    "{name}[{at}] is {is:#04x}, should be {should:#04x}"
                ));
            }
        }
    }
    let wrong = [
        (
            frame.before != frame.after,
            "callee-saved registers are not what they were",
        ),
        (
            frame.rsp_before != frame.rsp_after,
            "rsp is not what it was",
        ),
        (frame.flags & DIRECTION != 0, "the direction flag is set"),
        (
            frame.mxcsr_before != frame.mxcsr_after,
            "MXCSR is not what it was",
        ),
        (
            frame.in_use & UPPER_HALVES != 0,
            "upper halves are not clean",
        ),
    ];
    match wrong.iter().find(|(wrong, _)| *wrong) {
        Some((_, what)) => Err((*what).into()),
        None => Ok(()),
    }
}

/// The direction flag's bit.
const DIRECTION: u64 = 1 << 10;
/// The state components that vzeroupper cleans: the upper halves of ymm0 to ymm15, and of zmm0 to zmm15.
const UPPER_HALVES: u64 = 1 << 2 | 1 << 6;

/// Runs the trampoline in a child process.
fn run(frame: Frame) -> Result<Frame, String> {
    let pages = Pages::new(size_of::<Frame>());
    let shared: *mut Frame = pages.first().cast();
    // SAFETY: a page, which is as aligned as a frame needs. The child runs the trampoline and nothing else; what that may
    // do to it stays in it and in the pages that are shared for this.
    let status = unsafe {
        shared.write(frame);
        let child = libc::fork();
        assert!(child >= 0);
        if child == 0 {
            lthash_tests_call(shared);
            libc::_exit(0);
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &mut status, 0), child);
        status
    };
    if libc::WIFSIGNALED(status) {
        return Err(format!("signal {}", libc::WTERMSIG(status)));
    }
    // SAFETY: a frame stands there, and no process writes to it any more.
    let frame = unsafe { shared.read() };
    if frame.returned == 1 {
        Ok(frame)
    } else {
        Err("it never returned".into())
    }
}

/// Whether XGETBV(1) tells clean upper halves from others on this processor: it must see those that the trampoline fills,
/// and must not see them once they are clean.
fn probe_works() -> bool {
    let in_use = |target: unsafe extern "C" fn()| {
        run(Frame {
            target: target as usize as u64,
            probe: 1,
            ..Frame::default()
        })
        .map(|frame| frame.in_use & UPPER_HALVES)
    };
    // CPUID leaf 13, subleaf 1, EAX bit 2.
    // SAFETY: every x86-64 processor has CPUID. (Newer compilers know; Rust 1.85 does not.)
    #[allow(unused_unsafe)]
    let leaf = unsafe { std::arch::x86_64::__cpuid_count(13, 1) };
    let supported = leaf.eax & 1 << 2 != 0;
    let works =
        supported && in_use(lthash_tests_returns) != Ok(0) && in_use(lthash_tests_cleans) == Ok(0);
    if !works {
        common::not_tested(
            "calls leave upper halves clean: XGETBV(1) does not tell clean ones from others on this processor",
        );
    }
    works
}

fn call_all(instruction_set: InstructionSet) {
    if !instruction_set.can_run() {
        return;
    }
    let (linked, probe, claims) = (Linked::new(), probe_works(), claims(instruction_set));
    let (mut calls, mut failures) = (0, Vec::new());
    for kernel in kernels()
        .iter()
        .filter(|kernel| kernel.instruction_set == instruction_set)
    {
        let address = linked.address(kernel) as u64;
        for claim in claims.iter().filter(|claim| claim.kernel == kernel.name) {
            for flush in [Flush::Left, Flush::Right] {
                let setting = Setting {
                    target: address,
                    kernel: address,
                    flush,
                    probe,
                };
                if let Err(failure) = call(kernel, claim, &setting) {
                    failures.push(format!(
                        "{} ({}, {flush:?}): {failure}",
                        kernel.symbol, claim.title
                    ));
                }
                calls += 1;
            }
        }
    }
    println!(
        "{}: {calls} calls between guard pages",
        instruction_set.name()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn calls_of_avx2_kernels_leave_all_as_they_should() {
    call_all(InstructionSet::Avx2);
}

#[cfg(lthash_avx512)]
#[test]
fn calls_of_avx512_kernels_leave_all_as_they_should() {
    call_all(InstructionSet::Avx512);
}

#[test]
fn broken_twins_are_noticed() {
    if !InstructionSet::Avx2.can_run() {
        return;
    }
    let (linked, probe, claims) = (Linked::new(), probe_works(), claims(InstructionSet::Avx2));
    let kernels = kernels();
    let kernel = kernels
        .iter()
        .find(|it| it.name == "limbs_add" && it.instruction_set == InstructionSet::Avx2)
        .unwrap();
    let claim = claims
        .iter()
        .find(|claim| claim.kernel == "limbs_add" && claim.title == "apart")
        .unwrap();
    for &(twin, target, complaint) in TWINS {
        if complaint == "upper halves" && !probe {
            common::not_tested(twin);
            continue;
        }
        let settings = [Flush::Left, Flush::Right].map(|flush| Setting {
            target: target as usize as u64,
            kernel: linked.address(kernel) as u64,
            flush,
            probe,
        });
        let said: Vec<String> = settings
            .iter()
            .filter_map(|setting| call(kernel, claim, setting).err())
            .collect();
        assert!(
            said.iter().any(|said| said.contains(complaint)),
            "{twin}: {said:?} has no word of {complaint}"
        );
    }
}
