/*
 * What every kernel shares: how a function begins and ends for the assembler and the linker, on ELF, Mach-O and
 * COFF. build.rs passes LTHASH_PREFIX, lthash_<major>_<minor>_<patch>_<fingerprint of asm/>_, so that any two
 * sources of the crate link into one program.
 *
 *   KERNEL(name)        opens a function: hidden symbol <prefix><name>, 64-byte aligned, with CFI
 *   KERNEL_END(name)    closes it
 *   LOCAL(name)         a label that stays out of the object's symbols
 *   CONSTANTS / CODE    switch to read-only data / to code
 *   OBJECT_END          the last line of a file: the stack note and the CET note
 *
 * Every kernel uses the System V calling convention, on Windows too:
 *
 *   arguments   rdi, rsi, rdx, rcx, r8, r9
 *   preserved   rbx, rbp, r12, r13, r14, r15, rsp
 */

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

#if defined(__APPLE__)
#define SYMBOL(name) PASTE(_, PASTE(LTHASH_PREFIX, name))
#define LOCAL(name) L##name
#else
#define SYMBOL(name) PASTE(LTHASH_PREFIX, name)
#define LOCAL(name) .L##name
#endif

#define KERNEL(name) kernel_begin SYMBOL(name)
#define KERNEL_END(name) kernel_end SYMBOL(name)

.intel_syntax noprefix

.macro kernel_begin symbol
        .text
        .p2align 6
        .globl  \symbol
#if defined(__ELF__)
        .hidden \symbol
        .type   \symbol, @function
#elif defined(__APPLE__)
        .private_extern \symbol
#else
        .def    \symbol
        .scl    2
        .type   32
        .endef
#endif
\symbol:
        .cfi_startproc
#if defined(__CET__) && (__CET__ & 1)
        endbr64
#endif
.endm

.macro kernel_end symbol
        .cfi_endproc
#if defined(__ELF__)
        .size   \symbol, . - \symbol
#endif
.endm

#if defined(__ELF__)
#define CONSTANTS .section .rodata
#elif defined(__APPLE__)
#define CONSTANTS .section __TEXT,__const
#else
#define CONSTANTS .section .rdata,"dr"
#endif
#define CODE .text

/* A frame of `size` bytes, 64-byte aligned, reached through rsp; rbp holds the caller's. */
.macro frame_open size
        push    rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov     rbp, rsp
        .cfi_def_cfa_register rbp
        sub     rsp, \size
        and     rsp, -64
.endm

.macro frame_close
        mov     rsp, rbp
        pop     rbp
        .cfi_restore rbp
        .cfi_def_cfa rsp, 8
.endm

.macro object_end
#if defined(__ELF__)
        .section .note.GNU-stack, "", @progbits
#if defined(__CET__)
        /* NT_GNU_PROPERTY_TYPE_0 with GNU_PROPERTY_X86_FEATURE_1_AND: bit 0 is IBT, bit 1 SHSTK, as in __CET__. */
        .section .note.gnu.property, "a"
        .p2align 3
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, __CET__ & 3, 0
#endif
#endif
.endm

#define OBJECT_END object_end
