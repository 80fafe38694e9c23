# 1 "/work/w-everywhere/asm/absorb_many_avx512.S"
# 1 "<built-in>" 1
# 1 "<built-in>" 3
# 386 "<built-in>" 3
# 1 "<command line>" 1
# 1 "<built-in>" 2
# 1 "/work/w-everywhere/asm/absorb_many_avx512.S" 2
# 22 "/work/w-everywhere/asm/absorb_many_avx512.S"
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
# 23 "/work/w-everywhere/asm/absorb_many_avx512.S" 2
# 1 "/work/w-everywhere/asm/blake3.h" 1
# 23 "/work/w-everywhere/asm/blake3.h"
.macro rounds_2_to_7
        round 2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8
        round 3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1
        round 10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6
        round 12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4
        round 9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7
        round 11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13
.endm
# 24 "/work/w-everywhere/asm/absorb_many_avx512.S" 2
# 37 "/work/w-everywhere/asm/absorb_many_avx512.S"
.altmacro

.macro word operation, d, a, b
        \operation zmm\d, zmm\a, zmm\b
.endm

.macro add_message_register d, m
        vpaddd zmm\d, zmm\d, zmm\m
.endm

.macro add_message d, i
        add_message_register \d, %(\i + 16)
.endm

.macro rotate d, n
        vprord zmm\d, zmm\d, \n
.endm

# 1 "/work/w-everywhere/asm/lanes_avx512.h" 1
# 11 "/work/w-everywhere/asm/lanes_avx512.h"
.macro step operation, d0, d1, d2, d3, b0, b1, b2, b3
        word \operation, \d0, \d0, \b0
        word \operation, \d1, \d1, \b1
        word \operation, \d2, \d2, \b2
        word \operation, \d3, \d3, \b3
.endm

.macro step_message d0, d1, d2, d3, i0, i1, i2, i3
        add_message \d0, \i0
        add_message \d1, \i1
        add_message \d2, \i2
        add_message \d3, \i3
.endm

.macro step_rotate d0, d1, d2, d3, n
        rotate \d0, \n
        rotate \d1, \n
        rotate \d2, \n
        rotate \d3, \n
.endm

.macro quarter_rounds a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, x0, x1, x2, x3, y0, y1, y2, y3
        step_message \a0, \a1, \a2, \a3, \x0, \x1, \x2, \x3
        step vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
        step vpxord, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
        step_rotate \d0, \d1, \d2, \d3, 16
        step vpaddd, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
        step vpxord, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
        step_rotate \b0, \b1, \b2, \b3, 12
        step_message \a0, \a1, \a2, \a3, \y0, \y1, \y2, \y3
        step vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
        step vpxord, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
        step_rotate \d0, \d1, \d2, \d3, 8
        step vpaddd, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
        step vpxord, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
        step_rotate \b0, \b1, \b2, \b3, 7
.endm

.macro round m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15
        quarter_rounds 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, \m0, \m2, \m4, \m6, \m1, \m3, \m5, \m7
        quarter_rounds 0, 1, 2, 3, 5, 6, 7, 4, 10, 11, 8, 9, 15, 12, 13, 14, \m8, \m10, \m12, \m14, \m9, \m11, \m13, \m15
.endm


.macro transpose_parts r0, r1, r2, r3, t0, t1, t2, t3
        vpunpckldq \t0, \r0, \r1
        vpunpckhdq \t1, \r0, \r1
        vpunpckldq \t2, \r2, \r3
        vpunpckhdq \t3, \r2, \r3
        vpunpcklqdq \r0, \t0, \t2
        vpunpckhqdq \r1, \t0, \t2
        vpunpcklqdq \r2, \t1, \t3
        vpunpckhqdq \r3, \t1, \t3
.endm


.macro gather_parts r0, r1, r2, r3, t0, t1, t2, t3
        vshufi32x4 \t0, \r0, \r1, 0x44
        vshufi32x4 \t1, \r2, \r3, 0x44
        vshufi32x4 \t2, \r0, \r1, 0xee
        vshufi32x4 \t3, \r2, \r3, 0xee
        vshufi32x4 \r0, \t0, \t1, 0x88
        vshufi32x4 \r1, \t0, \t1, 0xdd
        vshufi32x4 \r2, \t2, \t3, 0x88
        vshufi32x4 \r3, \t2, \t3, 0xdd
.endm
# 56 "/work/w-everywhere/asm/absorb_many_avx512.S" 2


.macro load_four r0, r1, r2, r3, i
        mov r8, [rdi + 768 + 8 * (\i)]
        mov r9, [rdi + 768 + 8 * (\i + 1)]
        mov r10, [rdi + 768 + 8 * (\i + 2)]
        mov r11, [rdi + 768 + 8 * (\i + 3)]
        vmovdqu32 \r0, [r8 + rax]
        vmovdqu32 \r1, [r9 + rax]
        vmovdqu32 \r2, [r10 + rax]
        vmovdqu32 \r3, [r11 + rax]
        transpose_parts \r0, \r1, \r2, \r3, zmm8, zmm9, zmm10, zmm11
.endm

kernel_begin lthash_0_1_0_absorb_many_avx512
.irpc i, 01234567
        vmovdqa32 zmm\i, [rdi + 64 * (\i)]
.endr
        vmovdqa32 zmm14, [rdi + 704]
        vmovdqa32 zmm15, [rdi + 640]
        xor eax, eax
.Labsorb_many_avx512_block:

        load_four zmm16, zmm17, zmm18, zmm19, 0
        load_four zmm20, zmm21, zmm22, zmm23, 4
        load_four zmm24, zmm25, zmm26, zmm27, 8
        load_four zmm28, zmm29, zmm30, zmm31, 12
        gather_parts zmm16, zmm20, zmm24, zmm28, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm17, zmm21, zmm25, zmm29, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm18, zmm22, zmm26, zmm30, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm19, zmm23, zmm27, zmm31, zmm8, zmm9, zmm10, zmm11


        vpbroadcastd zmm8, dword ptr [rip + .Labsorb_many_avx512_iv]
        vpbroadcastd zmm9, dword ptr [rip + .Labsorb_many_avx512_iv + 4]
        vpbroadcastd zmm10, dword ptr [rip + .Labsorb_many_avx512_iv + 8]
        vpbroadcastd zmm11, dword ptr [rip + .Labsorb_many_avx512_iv + 12]
        vmovdqa32 zmm12, [rdi + 512]
        vmovdqa32 zmm13, [rdi + 576]

        round 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        rounds_2_to_7


.irpc i, 01234567
        word vpxord, \i, \i, %(\i + 8)
.endr
        vpbroadcastd zmm14, dword ptr [rip + .Labsorb_many_avx512_whole_block]
        vpbroadcastd zmm15, edx
        add rax, 64
        dec rsi
        jnz .Labsorb_many_avx512_block
.irpc i, 01234567
        vmovdqa32 [rdi + 64 * (\i)], zmm\i
.endr
        vzeroupper
        ret
kernel_end lthash_0_1_0_absorb_many_avx512

        .section .rdata,"dr"
        .p2align 2
.Labsorb_many_avx512_iv:
        .long 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
.Labsorb_many_avx512_whole_block:
        .long 64

object_end
