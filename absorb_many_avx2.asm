# 1 "/work/w-everywhere/asm/absorb_many_avx2.S"
# 1 "<built-in>" 1
# 1 "<built-in>" 3
# 386 "<built-in>" 3
# 1 "<command line>" 1
# 1 "<built-in>" 2
# 1 "/work/w-everywhere/asm/absorb_many_avx2.S" 2
# 20 "/work/w-everywhere/asm/absorb_many_avx2.S"
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
# 21 "/work/w-everywhere/asm/absorb_many_avx2.S" 2
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
# 22 "/work/w-everywhere/asm/absorb_many_avx2.S" 2
# 43 "/work/w-everywhere/asm/absorb_many_avx2.S"
# 1 "/work/w-everywhere/asm/lanes_avx2.h" 1
# 33 "/work/w-everywhere/asm/lanes_avx2.h"
.macro rotate_by_shifts r, n, temporary
        vpslld \temporary, \r, 32 - \n
        vpsrld \r, \r, \n
        vpor \r, \r, \temporary
.endm


.macro step operation, d0, d1, d2, d3, b0, b1, b2, b3
        \operation \d0, \d0, \b0
        \operation \d1, \d1, \b1
        \operation \d2, \d2, \b2
        \operation \d3, \d3, \b3
.endm

.macro step_message d0, d1, d2, d3, i0, i1, i2, i3
        vpaddd \d0, \d0, [rsp + 32 * (\i0)]
        vpaddd \d1, \d1, [rsp + 32 * (\i1)]
        vpaddd \d2, \d2, [rsp + 32 * (\i2)]
        vpaddd \d3, \d3, [rsp + 32 * (\i3)]
.endm

.macro step_shuffle d0, d1, d2, d3, order:vararg
        vpshufb \d0, \d0, \order
        vpshufb \d1, \d1, \order
        vpshufb \d2, \d2, \order
        vpshufb \d3, \d3, \order
.endm

.macro step_rotate_by_shifts d0, d1, d2, d3, n, temporary
        rotate_by_shifts \d0, \n, \temporary
        rotate_by_shifts \d1, \n, \temporary
        rotate_by_shifts \d2, \n, \temporary
        rotate_by_shifts \d3, \n, \temporary
.endm


.macro quarter_rounds a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, x0, x1, x2, x3, y0, y1, y2, y3
        step_message \a0, \a1, \a2, \a3, \x0, \x1, \x2, \x3
        step vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
        step vpxor, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
        step_shuffle \d0, \d1, \d2, \d3, [rip + .Llanes_avx2_rotate16]
        vpaddd \c0, \c0, \d0
        vpaddd \c1, \c1, \d1
        vpaddd \c2, \c2, \d2
        vpaddd \c3, \d3, [rsp + 608]
        vmovdqa [rsp + 576], \c2
        step vpxor, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
        step_rotate_by_shifts \b0, \b1, \b2, \b3, 12, \c2
        step_message \a0, \a1, \a2, \a3, \y0, \y1, \y2, \y3
        step vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
        step vpxor, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
        step_shuffle \d0, \d1, \d2, \d3, [rip + .Llanes_avx2_rotate8]
        vpaddd \c0, \c0, \d0
        vpaddd \c1, \c1, \d1
        vpaddd \c2, \d2, [rsp + 576]
        vpaddd \c3, \c3, \d3
        vmovdqa [rsp + 608], \c1
        step vpxor, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
        step_rotate_by_shifts \b0, \b1, \b2, \b3, 7, \c1
.endm

.macro columns x0, y0, x1, y1, x2, y2, x3, y3
        quarter_rounds ymm0, ymm1, ymm2, ymm3, ymm4, ymm5, ymm6, ymm7, ymm8, ymm9, ymm10, ymm11, ymm12, ymm13, ymm14, ymm15, \x0, \x1, \x2, \x3, \y0, \y1, \y2, \y3
.endm

.macro diagonals x0, y0, x1, y1, x2, y2, x3, y3
        quarter_rounds ymm0, ymm1, ymm2, ymm3, ymm5, ymm6, ymm7, ymm4, ymm10, ymm11, ymm8, ymm9, ymm15, ymm12, ymm13, ymm14, \x0, \x1, \x2, \x3, \y0, \y1, \y2, \y3
.endm

.macro round m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15
        columns \m0, \m1, \m2, \m3, \m4, \m5, \m6, \m7
        diagonals \m8, \m9, \m10, \m11, \m12, \m13, \m14, \m15
.endm


.macro transpose r0, r1, r2, r3, r4, r5, r6, r7, t0, t1, t2, t3, t4, t5, t6, t7
        vpunpckldq \t0, \r0, \r1
        vpunpckhdq \t1, \r0, \r1
        vpunpckldq \t2, \r2, \r3
        vpunpckhdq \t3, \r2, \r3
        vpunpckldq \t4, \r4, \r5
        vpunpckhdq \t5, \r4, \r5
        vpunpckldq \t6, \r6, \r7
        vpunpckhdq \t7, \r6, \r7
        vpunpcklqdq \r0, \t0, \t2
        vpunpckhqdq \r1, \t0, \t2
        vpunpcklqdq \r2, \t1, \t3
        vpunpckhqdq \r3, \t1, \t3
        vpunpcklqdq \r4, \t4, \t6
        vpunpckhqdq \r5, \t4, \t6
        vpunpcklqdq \r6, \t5, \t7
        vpunpckhqdq \r7, \t5, \t7
        vperm2i128 \t0, \r0, \r4, 0x20
        vperm2i128 \t1, \r1, \r5, 0x20
        vperm2i128 \t2, \r2, \r6, 0x20
        vperm2i128 \t3, \r3, \r7, 0x20
        vperm2i128 \t4, \r0, \r4, 0x31
        vperm2i128 \t5, \r1, \r5, 0x31
        vperm2i128 \t6, \r2, \r6, 0x31
        vperm2i128 \t7, \r3, \r7, 0x31
.endm

.macro transpose_lower_to_upper
        transpose ymm0, ymm1, ymm2, ymm3, ymm4, ymm5, ymm6, ymm7, ymm8, ymm9, ymm10, ymm11, ymm12, ymm13, ymm14, ymm15
.endm


.macro feed_lower_half
        vpxor ymm0, ymm0, ymm8
        vpxor ymm1, ymm1, ymm9
        vpxor ymm2, ymm2, ymm10
        vpxor ymm3, ymm3, [rsp + 608]
        vpxor ymm4, ymm4, ymm12
        vpxor ymm5, ymm5, ymm13
        vpxor ymm6, ymm6, ymm14
        vpxor ymm7, ymm7, ymm15
.endm

.macro lanes_constants
        .section .rdata,"dr"
        .p2align 5
.Llanes_avx2_rotate16:
        .byte 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
.Llanes_avx2_rotate8:
        .byte 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12
.endm
# 44 "/work/w-everywhere/asm/absorb_many_avx2.S" 2


.macro load_half half
        mov r8, [rdi + 384 + 8 * (0)]
        mov r9, [rdi + 384 + 8 * (1)]
        mov r10, [rdi + 384 + 8 * (2)]
        mov r11, [rdi + 384 + 8 * (3)]
        vmovdqu ymm0, [r8 + rax + 32 * \half]
        vmovdqu ymm1, [r9 + rax + 32 * \half]
        vmovdqu ymm2, [r10 + rax + 32 * \half]
        vmovdqu ymm3, [r11 + rax + 32 * \half]
        mov r8, [rdi + 384 + 8 * (4)]
        mov r9, [rdi + 384 + 8 * (5)]
        mov r10, [rdi + 384 + 8 * (6)]
        mov r11, [rdi + 384 + 8 * (7)]
        vmovdqu ymm4, [r8 + rax + 32 * \half]
        vmovdqu ymm5, [r9 + rax + 32 * \half]
        vmovdqu ymm6, [r10 + rax + 32 * \half]
        vmovdqu ymm7, [r11 + rax + 32 * \half]
        transpose_lower_to_upper
        vmovdqa [rsp + 32 * (8 * \half)], ymm8
        vmovdqa [rsp + 32 * (8 * \half + 1)], ymm9
        vmovdqa [rsp + 32 * (8 * \half + 2)], ymm10
        vmovdqa [rsp + 32 * (8 * \half + 3)], ymm11
        vmovdqa [rsp + 32 * (8 * \half + 4)], ymm12
        vmovdqa [rsp + 32 * (8 * \half + 5)], ymm13
        vmovdqa [rsp + 32 * (8 * \half + 6)], ymm14
        vmovdqa [rsp + 32 * (8 * \half + 7)], ymm15
.endm

kernel_begin lthash_0_1_0_absorb_many_avx2
        frame_open 640
        vmovdqa ymm0, [rdi + 320]
        vmovdqa ymm1, [rdi + 352]
        vmovdqa [rsp + 512], ymm0
        vmovdqa [rsp + 544], ymm1
        xor eax, eax
.Labsorb_many_avx2_block:
        load_half 0
        load_half 1


.irpc i, 01234567
        vmovdqa ymm\i, [rdi + 32 * (\i)]
.endr
        vmovdqa ymm11, [rip + .Labsorb_many_avx2_iv + 96]
        vmovdqa [rsp + 608], ymm11
        vmovdqa ymm8, [rip + .Labsorb_many_avx2_iv]
        vmovdqa ymm9, [rip + .Labsorb_many_avx2_iv + 32]
        vmovdqa ymm10, [rip + .Labsorb_many_avx2_iv + 64]
        vmovdqa ymm12, [rdi + 256]
        vmovdqa ymm13, [rdi + 288]
        vmovdqa ymm14, [rsp + 544]
        vmovdqa ymm15, [rsp + 512]

        round 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        rounds_2_to_7

        feed_lower_half
.irpc i, 01234567
        vmovdqa [rdi + 32 * (\i)], ymm\i
.endr
        vmovd xmm0, edx
        vpbroadcastd ymm0, xmm0
        vmovdqa ymm1, [rip + .Labsorb_many_avx2_whole_block]
        vmovdqa [rsp + 512], ymm0
        vmovdqa [rsp + 544], ymm1
        add rax, 64
        dec rsi
        jnz .Labsorb_many_avx2_block
        frame_close
        vzeroupper
        ret
kernel_end lthash_0_1_0_absorb_many_avx2

        lanes_constants
        .p2align 5
.Labsorb_many_avx2_iv:
        .long 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667
        .long 0xbb67ae85, 0xbb67ae85, 0xbb67ae85, 0xbb67ae85, 0xbb67ae85, 0xbb67ae85, 0xbb67ae85, 0xbb67ae85
        .long 0x3c6ef372, 0x3c6ef372, 0x3c6ef372, 0x3c6ef372, 0x3c6ef372, 0x3c6ef372, 0x3c6ef372, 0x3c6ef372
        .long 0xa54ff53a, 0xa54ff53a, 0xa54ff53a, 0xa54ff53a, 0xa54ff53a, 0xa54ff53a, 0xa54ff53a, 0xa54ff53a
.Labsorb_many_avx2_whole_block:
        .long 64, 64, 64, 64, 64, 64, 64, 64

object_end
