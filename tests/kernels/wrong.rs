//! Wrong kernels: changes of the sources that compute something else, leak, fault or go unseen in some case, and that once
//! passed. Each is assembled here and must fail, with these words.

use crate::decode::Kernel;
use crate::objects::SYMBOL_PREFIX;
use crate::{build_script, common, objects, proofs};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A change of a source.
struct Change {
    title: &'static str,
    /// In asm/: the kernel's own or a header that it includes.
    file: &'static str,
    /// The kernel that is changed, with its instruction set.
    kernel: &'static str,
    /// Where this stands first, or first behind the kernel's beginning, ...
    at: &'static str,
    /// ... this stands instead.
    instead: &'static str,
    /// What must be said of it.
    says: &'static str,
}

/// The beginning of a kernel.
const BEGIN: &str = "";

const CHANGES: &[Change] = &[
    // Registers: what the bytes and words of a register are.
    Change {
        title: "the low byte of a preserved register by its name",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: BEGIN,
        instead: "mov bpl, 1",
        says: "register 5 is not what it was",
    },
    Change {
        title: "a second byte",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: BEGIN,
        instead: "mov bh, 1",
        says: "register 3 is not what it was",
    },
    Change {
        title: "a branch on a byte of a block, by way of r10b",
        file: "absorb_avx2.S",
        kernel: "absorb_avx2",
        at: LOADS,
        instead: "xor r10d, r10d\n mov r10b, [rsi]\n cmp r10d, 7\n jz 1f\n 1:",
        says: "a branch that depends on data",
    },
    Change {
        title: "a branch on a word of a block, by way of dil",
        file: "absorb_avx512.S",
        kernel: "absorb_avx512",
        at: LOADS,
        instead: "push rdi\n mov edi, [rsi]\n xor eax, eax\n mov al, dil\n pop rdi\n cmp eax, 7\n jz 1f\n 1:",
        says: "a branch that depends on data",
    },
    Change {
        title: "16 bits pushed",
        file: "limbs_avx2.S",
        kernel: "limbs_sub_avx2",
        at: BEGIN,
        instead: "push bx\n pop cx",
        says: "does not know this instruction",
    },
    // Addresses: nothing is known of them but what the claims say.
    Change {
        title: "nothing is done for limbs at one address",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: BEGIN,
        instead: "mov rax, rdi\n sub rax, 0x7ff00000\n jz .Lskipped",
        says: "a branch that depends on data",
    },
    Change {
        title: "nothing is done for limbs below 2 GiB",
        file: "limbs_avx2.S",
        kernel: "limbs_sub_avx2",
        at: BEGIN,
        instead: "lea rax, [rdi - 0x7fffffff]\n cmp rax, rdi\n ja .Lskipped",
        says: "a branch that depends on data",
    },
    Change {
        title: "nothing is done for limbs at a multiple of 2^32",
        file: "limbs_avx512.S",
        kernel: "limbs_add_avx512",
        at: BEGIN,
        instead: "test edi, edi\n jz .Lskipped",
        says: "no term",
    },
    Change {
        title: "no step for digits that end near the last address",
        file: "hex_avx2.S",
        kernel: "hex_encode_avx2",
        at: "        cmp     bytes, last\n        jae",
        instead: "lea r11, [last + 0x7fffffff]\n cmp bytes, r11\n jae",
        says: "a branch that depends on data",
    },
    // Tables: a run asks one question of the data.
    Change {
        title: "digits are good where either of two tests says so",
        file: "hex_decode.h",
        kernel: "hex_decode_avx2",
        at: "        vptest  errors, errors\n        jnz     \\name\\()_bad\n",
        instead: "vptest errors, errors\n jz 1f\n vptest errors, low_nibbles\n jnz \\name\\()_bad\n 1:\n",
        says: "a branch that depends on data",
    },
    // Bounds: lanes' blocks are read from where they begin.
    Change {
        title: "a byte before a lane's blocks",
        file: "absorb_lanes_avx2.S",
        kernel: "absorb_lanes_avx2",
        at: "        load_half_message 0\n",
        instead: "mov r8, BLOCKS(0, 0)\n movzx eax, byte ptr [r8 + offset - 1]\n load_half_message 0\n",
        says: "Read outside blocks[0][0]",
    },
    Change {
        title: "a byte behind a lane's blocks",
        file: "absorb_lanes_avx512.S",
        kernel: "absorb_lanes_avx512",
        at: "        load_messages 0\n",
        instead: "mov r8, BLOCKS(5, 0)\n movzx eax, byte ptr [r8 + offset + 64]\n load_messages 0\n",
        says: "Read outside blocks[0][5]",
    },
    // Memory given back: a signal overwrites what is below rsp.
    Change {
        title: "a register restored from below rsp",
        file: "absorb_avx2.S",
        kernel: "absorb_avx2",
        at: BEGIN,
        instead: "push rcx\n lea rsp, [rsp + 8]\n lea rsp, [rsp - 8]\n pop rcx",
        says: "reads what nobody wrote",
    },
    Change {
        title: "rsp above the return address",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: BEGIN,
        instead: "add rsp, 8\n sub rsp, 8",
        says: "outside the frame",
    },
    // Control flow.
    Change {
        title: "a return that takes an argument from the stack",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: "        ret\n",
        instead: "ret 8\n",
        says: "does not know this instruction",
    },
    Change {
        title: "an indirect jump",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: BEGIN,
        instead: "lea rax, [rip + 1f]\n jmp rax\n 1:",
        says: "does not know this instruction",
    },
    Change {
        title: "a return of 16 bits",
        file: "limbs_avx2.S",
        kernel: "limbs_sub_avx2",
        at: "        ret\n",
        instead: ".byte 0x66\n ret\n",
        says: "processors may differ",
    },
    Change {
        title: "a branch with an operand size, of which processors think differently",
        file: "limbs_avx2.S",
        kernel: "limbs_sub_avx2",
        at: BEGIN,
        instead: ".byte 0x66\n jmp 1f\n .byte 0, 0\n 1:",
        says: "processors may differ",
    },
    // Lengths: beyond those that are run, more turns are the same turn.
    Change {
        title: "nothing is encoded of more than 100,000 bytes",
        file: "hex_avx2.S",
        kernel: "hex_encode_avx2",
        at: BEGIN,
        instead: "cmp count, 100000\n ja .Lskipped",
        says: "of any length: +0x0",
    },
    Change {
        title: "nothing is encoded of a multiple of 65,536 bytes",
        file: "hex_avx2.S",
        kernel: "hex_encode_avx2",
        at: BEGIN,
        instead: "movzx r11d, si\n cmp r11d, 0\n jz .Lskipped",
        says: "of any length: +0x4",
    },
    Change {
        title: "the thousandth turn is skipped",
        file: "hex_avx2.S",
        kernel: "hex_encode_avx2",
        at: "        encode_step bytes, out\n",
        instead: "add alphabet, 1\n cmp alphabet, 1000\n je 1f\n encode_step bytes, out\n 1:\n",
        says: "of any length",
    },
    Change {
        title: "digits are good in the 256th turn",
        file: "hex_decode.h",
        kernel: "hex_decode_avx2",
        at: "\\name\\()_step:\n",
        instead: "\\name\\()_step:\n vpsubb columns, columns, rows\n",
        says: "a turn takes ZMM11 from the turn before",
    },
    Change {
        title: "digits are good where the turn before had the same errors",
        file: "hex_avx512.S",
        kernel: "hex_decode_avx512",
        at: BEGIN,
        instead: ".purgem decode_more\n .macro decode_more vector, from\n look_up \\vector, \\from\n vpternlogd errors, row, column, 0xb4\n join \\vector\n .endm\n",
        says: "a turn takes ZMM8 from the turn before",
    },
    Change {
        title: "nothing is encoded of 200 bytes",
        file: "hex_avx2.S",
        kernel: "hex_encode_avx2",
        at: BEGIN,
        instead: "cmp count, 200\n je .Lskipped",
        says: "200 bytes",
    },
    Change {
        title: "other digits from a million bytes on, by way of a vector",
        file: "hex_avx2.S",
        kernel: "hex_encode_avx2",
        at: "        vmovdqa nibbles_apart",
        instead: "vmovq xmm5, count\n vpsrlq xmm5, xmm5, 20\n vpaddb digit, digit, ymm5\n vmovdqa nibbles_apart",
        says: "depend on each other",
    },
    Change {
        title: "nothing is encoded of 500 bytes, by pointers that are in the buffer for the lengths that are run",
        file: "hex_avx2.S",
        kernel: "hex_encode_avx2",
        at: BEGIN,
        instead: "cmp count, 256\n jbe 1f\n lea r9, [bytes + count - 250]\n lea r10, [bytes + 250]\n cmp r9, r10\n jae .Lskipped\n 1:",
        says: "the answer changes with the count",
    },
    Change {
        title: "of a thousand bytes, a step is left out, by a pointer that moves faster",
        file: "hex_avx2.S",
        kernel: "hex_encode_avx2",
        at: "        cmp     bytes, last\n        jb",
        instead: "add rax, 65\n lea r11, [rax - 8]\n cmp r11, last_out\n jb",
        says: "the turns are not the buffers'",
    },
    // What a linker fills in.
    Change {
        title: "an address of nothing, as far from the code as constants are taken to be",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: BEGIN,
        instead: "mov eax, [rip + .Lsome]\n mov r10d, [rip + 0x3fffff00]\n .section .rodata\n .Lsome: .fill 512\n .text",
        says: "it fills in none",
    },
    Change {
        title: "a number that the linker fills in",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: BEGIN,
        instead: "mov eax, offset .Lsome - .\n .section .rodata\n .Lsome: .fill 512\n .text",
        says: "what the linker fills in",
    },
    // Objects: nothing goes unseen.
    Change {
        title: "constants that a linker merges",
        file: "hex_avx2.S",
        kernel: "hex_encode_avx2",
        at: "KERNEL_END(hex_encode_avx2)",
        instead: "KERNEL_END(hex_encode_avx2)\n .section .rodata.cst8, \"aM\", @progbits, 8\n .quad 1\n .text\n",
        says: "a section .rodata.cst8",
    },
    Change {
        title: "a stack that is executable",
        file: "limbs_avx2.S",
        kernel: "limbs_sub_avx2",
        at: "OBJECT_END",
        instead: ".section .note.GNU-stack, \"x\", @progbits",
        says: "executable",
    },
    Change {
        title: "an entry out of line",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: "KERNEL_END(limbs_add_avx2)",
        instead: "KERNEL_END(limbs_add_avx2)\n .set .Lnone, 0\n .purgem kernel_begin\n .macro kernel_begin symbol\n .text\n .globl \\symbol\n .hidden \\symbol\n .type \\symbol, @function\n \\symbol:\n .cfi_startproc\n .endm\n",
        says: "not aligned to 64",
    },
    Change {
        title: "a kernel without a size",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: "KERNEL_END(limbs_add_avx2)",
        instead: ".cfi_endproc",
        says: "has no size",
    },
    Change {
        title: "a kernel of another type",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: BEGIN,
        instead: ".type SYMBOL(limbs_add_avx2), @object",
        says: "no hidden global function",
    },
    Change {
        title: "code that a loader runs",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: "KERNEL_END(limbs_add_avx2)",
        instead: "KERNEL_END(limbs_add_avx2)\n .section .init, \"ax\"\n nop\n .text\n",
        says: "a section .init",
    },
    Change {
        title: "a function that is called when the stack unwinds",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: BEGIN,
        instead: ".cfi_personality 0x1b, SYMBOL(limbs_sub_avx2)",
        says: "unwinding that calls a function",
    },
    Change {
        title: "code behind a kernel",
        file: "limbs_avx2.S",
        kernel: "limbs_add_avx2",
        at: "KERNEL_END(limbs_add_avx2)",
        instead: "KERNEL_END(limbs_add_avx2)\n xor eax, eax\n ret\n",
        says: "code without a name",
    },
];

/// The instruction that loads from the blocks first.
const LOADS: &str = "absorb_blocks";

fn asm() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("asm")
}

impl Change {
    /// The changed source.
    fn source(&self) -> String {
        let source = fs::read_to_string(asm().join(self.file)).unwrap();
        if self.file.ends_with(".h") {
            assert!(source.contains(self.at), "{}", self.title);
            return source.replacen(self.at, self.instead, 1);
        }
        let begin = format!("KERNEL({})\n", self.kernel);
        let (before, behind) = source.split_once(&begin).unwrap();
        let skipped = behind.replacen(
            "        vzeroupper\n",
            ".Lskipped:\n        vzeroupper\n",
            1,
        );
        match self.at {
            BEGIN => format!("{before}{begin}{}\n{skipped}", self.instead),
            LOADS => {
                let (head, tail) = skipped.split_once(LOADS).unwrap();
                let added = format!("test count, count\n jz .Lskipped\n {}\n", self.instead);
                format!("{before}{begin}{head}{added}{LOADS}{tail}")
            }
            at => {
                let (head, tail) = skipped.split_once(at).unwrap();
                format!("{before}{begin}{head}{}{tail}", self.instead)
            }
        }
    }

    /// The file that the kernel is in.
    fn kernels_file(&self) -> String {
        let mut files = build_script::files();
        let has_it = |file: &String| {
            let kernels = build_script::kernels(&asm().join(file)).unwrap();
            kernels.iter().any(|kernel| kernel == self.kernel)
        };
        files.find(has_it).unwrap()
    }

    /// What is said of the changed kernel.
    fn verdict(&self) -> Result<Vec<String>, String> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("kernels-wrong")
            .join(self.title.replace(|it: char| !it.is_alphanumeric(), "-"));
        fs::create_dir_all(&folder).unwrap();
        let asm = asm();
        let own = self.kernels_file();
        // A header beside the file that includes it comes before those in asm/.
        fs::copy(asm.join(&own), folder.join(&own)).unwrap();
        fs::write(folder.join(self.file), self.source()).unwrap();
        let (source, object) = (folder.join(own), folder.join("kernel.o"));
        let output = Command::new("cc")
            .arg("-c")
            .arg(format!("-DLTHASH_PREFIX={SYMBOL_PREFIX}"))
            .arg("-I")
            .args([&asm, &source])
            .arg("-o")
            .arg(&object)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", self.title);
        let kernels = objects::kernels_of(&fs::read(&object).unwrap())?;
        let (kernel, instruction_set) = self.kernel.rsplit_once('_').unwrap();
        let is_meant =
            |it: &&Kernel| it.name == kernel && it.instruction_set.name() == instruction_set;
        let kernel = kernels.iter().find(is_meant).unwrap();
        Ok(proofs::faults(kernel))
    }
}

#[test]
fn wrong_kernels_fail() {
    if Command::new("cc").arg("--version").output().is_err() {
        assert!(
            std::env::var_os("LTHASH_REQUIRE_ASM").is_none(),
            "LTHASH_REQUIRE_ASM is set, but there is no cc"
        );
        common::not_tested("that wrong kernels fail, for there is no `cc` on this machine");
        return;
    }
    let mut passed = Vec::new();
    for change in CHANGES {
        let said = change.verdict().unwrap_or_else(|why| vec![why]);
        if !said.iter().any(|said| said.contains(change.says)) {
            passed.push(format!(
                "{}: {said:?} has no word of {}",
                change.title, change.says
            ));
        }
    }
    assert!(passed.is_empty(), "{}", passed.join("\n"));
}
