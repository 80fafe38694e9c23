# 1 "/work/w-everywhere/asm/limbs_avx2.S"
# 1 "<built-in>" 1
# 1 "<built-in>" 3
# 386 "<built-in>" 3
# 1 "<command line>" 1
# 1 "<built-in>" 2
# 1 "/work/w-everywhere/asm/limbs_avx2.S" 2
# 15 "/work/w-everywhere/asm/limbs_avx2.S"
# 1 "/work/w-everywhere/asm/abi.h" 1
# 32 "/work/w-everywhere/asm/abi.h"
.intel_syntax noprefix

.macro kernel_begin symbol
        .text
        .p2align 6
        .globl \symbol






        .def \symbol
        .scl 2
        .type 32
        .endef

\symbol:
        .cfi_startproc



.endm

.macro kernel_end symbol
        .cfi_endproc



.endm
# 73 "/work/w-everywhere/asm/abi.h"
.macro frame_open size
        push rbp
        .cfi_def_cfa_offset 16
        .cfi_offset rbp, -16
        mov rbp, rsp
        .cfi_def_cfa_register rbp
        sub rsp, \size
        and rsp, -64
.endm

.macro frame_close
        mov rsp, rbp
        pop rbp
        .cfi_restore rbp
        .cfi_def_cfa rsp, 8
.endm

.macro object_end
# 102 "/work/w-everywhere/asm/abi.h"
.endm
# 16 "/work/w-everywhere/asm/limbs_avx2.S" 2






.macro combine_limbs operation, loop
        mov eax, 8
\loop:
.irpc i, 01234567
        vmovdqu ymm\i, [rdi + 32 * \i]
.endr
.irpc i, 01234567
        \operation ymm\i, ymm\i, [rsi + 32 * \i]
.endr
.irpc i, 01234567
        vmovdqu [rdi + 32 * \i], ymm\i
.endr
        add rdi, 256
        add rsi, 256
        dec eax
        jnz \loop
.endm

kernel_begin lthash_0_1_0_limbs_add_avx2
        combine_limbs vpaddw, .Llimbs_add_avx2_step
        vzeroupper
        ret
kernel_end lthash_0_1_0_limbs_add_avx2

kernel_begin lthash_0_1_0_limbs_sub_avx2
        combine_limbs vpsubw, .Llimbs_sub_avx2_step
        vzeroupper
        ret
kernel_end lthash_0_1_0_limbs_sub_avx2

object_end
