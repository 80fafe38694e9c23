# 1 "/work/w-everywhere/asm/xof_avx2.S"
# 1 "<built-in>" 1
# 1 "<built-in>" 3
# 386 "<built-in>" 3
# 1 "<command line>" 1
# 1 "<built-in>" 2
# 1 "/work/w-everywhere/asm/xof_avx2.S" 2
# 20 "/work/w-everywhere/asm/xof_avx2.S"
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
# 21 "/work/w-everywhere/asm/xof_avx2.S" 2
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
# 22 "/work/w-everywhere/asm/xof_avx2.S" 2
# 37 "/work/w-everywhere/asm/xof_avx2.S"
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
        vpaddd \c3, \d3, [rsp + 960 + 32 * (3)]
        vmovdqa [rsp + 960 + 32 * (0)], \c2
        step vpxor, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
        step_rotate_by_shifts \b0, \b1, \b2, \b3, 12, \c2
        step_message \a0, \a1, \a2, \a3, \y0, \y1, \y2, \y3
        step vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
        step vpxor, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
        step_shuffle \d0, \d1, \d2, \d3, [rip + .Llanes_avx2_rotate8]
        vpaddd \c0, \c0, \d0
        vpaddd \c1, \c1, \d1
        vpaddd \c2, \d2, [rsp + 960 + 32 * (0)]
        vpaddd \c3, \c3, \d3
        vmovdqa [rsp + 960 + 32 * (3)], \c1
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
        vpxor ymm3, ymm3, [rsp + 960 + 32 * (3)]
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
# 38 "/work/w-everywhere/asm/xof_avx2.S" 2
# 1 "/work/w-everywhere/asm/first_round.h" 1
# 27 "/work/w-everywhere/asm/first_round.h"
.macro shared_column i, iv
        mov eax, dword ptr [rdi + 0 + 4 * (\i)]
        mov edx, dword ptr [rdi + 0 + 4 * (\i + 4)]
        add eax, edx
        add eax, dword ptr [rdi + 32 + 4 * (2 * \i)]
        xor r8d, eax
        rorx r8d, r8d, 16
        lea ecx, [r8 + \iv - (\iv >> 31 << 32)]
        xor edx, ecx
        rorx edx, edx, 12
        add eax, dword ptr [rdi + 32 + 4 * (2 * \i + 1)]
        add eax, edx
        xor r8d, eax
        rorx r8d, r8d, 8
        add ecx, r8d
        xor edx, ecx
        rorx edx, edx, 7
.endm

.macro shared_words

        mov r8d, [rdi + 100]
        shared_column 3, 0xa54ff53a
        mov [rsp + 896 + 4 * (2)], edx
        mov [rsp + 896 + 4 * (5)], ecx
        mov [rsp + 896 + 4 * (8)], r8d
        add eax, dword ptr [rdi + 32 + 4 * (14)]
        mov [rsp + 896 + 4 * (13)], eax
        mov r9d, edx
        add r9d, dword ptr [rdi + 32 + 4 * (12)]


        mov r8d, [rdi + 96]
        shared_column 2, 0x3c6ef372
        mov [rsp + 896 + 4 * (1)], edx
        mov [rsp + 896 + 4 * (4)], ecx
        mov [rsp + 896 + 4 * (7)], r8d
        add r9d, eax


        xor r8d, r8d
        shared_column 1, 0xbb67ae85
        mov [rsp + 896 + 4 * (0)], edx
        mov [rsp + 896 + 4 * (3)], ecx
        add edx, dword ptr [rdi + 32 + 4 * (8)]
        mov [rsp + 896 + 4 * (9)], edx
        add eax, [rsp + 896 + 4 * (1)]
        add eax, dword ptr [rdi + 32 + 4 * (10)]
        mov [rsp + 896 + 4 * (10)], eax
        add eax, dword ptr [rdi + 32 + 4 * (11)]
        mov [rsp + 896 + 4 * (11)], eax


        xor r8d, r9d
        rorx r8d, r8d, 16
        mov [rsp + 896 + 4 * (6)], r8d
        add r9d, dword ptr [rdi + 32 + 4 * (13)]
        mov [rsp + 896 + 4 * (12)], r9d
.endm
# 39 "/work/w-everywhere/asm/xof_avx2.S" 2



.macro prepare
        shared_words


        vpbroadcastd ymm0, dword ptr [rdi + 0 + 4 * (0)]
        vpbroadcastd ymm4, dword ptr [rdi + 0 + 4 * (4)]
        vpbroadcastd ymm1, dword ptr [rdi + 32 + 4 * (0)]
        vpbroadcastd ymm2, dword ptr [rdi + 32 + 4 * (1)]
        vmovdqa ymm8, [rip + .Lxof_avx2_iv0]
        vpaddd ymm0, ymm0, ymm4
        vpaddd ymm0, ymm0, ymm1
        vpshufb ymm12, ymm0, [rip + .Llanes_avx2_rotate16]
        vpaddd ymm0, ymm0, ymm2
        vpxor ymm15, ymm12, [rip + .Lxof_avx2_counters + 96]
        vpxor ymm14, ymm12, [rip + .Lxof_avx2_counters + 64]
        vpxor ymm13, ymm12, [rip + .Lxof_avx2_counters + 32]
        vpxor ymm12, ymm12, [rip + .Lxof_avx2_counters]


        vpaddd ymm9, ymm8, ymm13
        vpaddd ymm10, ymm8, ymm14
        vpaddd ymm11, ymm8, ymm15
        vpaddd ymm8, ymm8, ymm12
        vmovdqa [rsp + 960 + 32 * (0)], ymm11
        vpxor ymm5, ymm4, ymm9
        vpxor ymm6, ymm4, ymm10
        vpxor ymm7, ymm4, ymm11
        vpxor ymm4, ymm4, ymm8
        step_rotate_by_shifts ymm4, ymm5, ymm6, ymm7, 12, ymm11
        vpaddd ymm1, ymm0, ymm5
        vpaddd ymm2, ymm0, ymm6
        vpaddd ymm3, ymm0, ymm7
        vpaddd ymm0, ymm0, ymm4
        step vpxor, ymm12, ymm13, ymm14, ymm15, ymm0, ymm1, ymm2, ymm3
        step_shuffle ymm12, ymm13, ymm14, ymm15, [rip + .Llanes_avx2_rotate8]
        vpaddd ymm8, ymm8, ymm12
        vpaddd ymm9, ymm9, ymm13
        vpaddd ymm10, ymm10, ymm14
        vpaddd ymm11, ymm15, [rsp + 960 + 32 * (0)]
        step vpxor, ymm4, ymm5, ymm6, ymm7, ymm8, ymm9, ymm10, ymm11
        vmovdqa [rsp + 512 + 128 * (3 - 1) + 32 * (2)], ymm11
        step_rotate_by_shifts ymm4, ymm5, ymm6, ymm7, 7, ymm11
        vmovdqa [rsp + 512 + 128 * (1 - 1) + 32 * (0)], ymm1
        vmovdqa [rsp + 512 + 128 * (2 - 1) + 32 * (0)], ymm2
        vmovdqa [rsp + 512 + 128 * (3 - 1) + 32 * (0)], ymm3
        vmovdqa [rsp + 512 + 128 * (1 - 1) + 32 * (1)], ymm5
        vmovdqa [rsp + 512 + 128 * (2 - 1) + 32 * (1)], ymm6
        vmovdqa [rsp + 512 + 128 * (3 - 1) + 32 * (1)], ymm7
        vmovdqa [rsp + 512 + 128 * (1 - 1) + 32 * (2)], ymm9
        vmovdqa [rsp + 512 + 128 * (2 - 1) + 32 * (2)], ymm10
        vmovdqa [rsp + 512 + 128 * (1 - 1) + 32 * (3)], ymm13
        vmovdqa [rsp + 512 + 128 * (2 - 1) + 32 * (3)], ymm14
        vmovdqa [rsp + 512 + 128 * (3 - 1) + 32 * (3)], ymm15

.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vpbroadcastd ymm1, dword ptr [rdi + 32 + 4 * (\i)]
        vmovdqa [rsp + 32 * (\i)], ymm1
.endr
.endm



.macro first_diagonals
        vpbroadcastd ymm13, [rsp + 896 + 4 * (6)]
        vpbroadcastd ymm5, [rsp + 896 + 4 * (9)]
        vpbroadcastd ymm1, [rsp + 896 + 4 * (10)]
        vpbroadcastd ymm3, [rsp + 896 + 4 * (13)]
        vpaddd ymm8, ymm8, ymm13
        vpaddd ymm0, ymm0, ymm5
        vpxor ymm12, ymm12, ymm1
        vpaddd ymm3, ymm3, ymm4
        vpbroadcastd ymm7, [rsp + 896 + 4 * (2)]
        vpbroadcastd ymm15, [rsp + 896 + 4 * (8)]
        vpbroadcastd ymm14, [rsp + 896 + 4 * (7)]
        vpxor ymm7, ymm7, ymm8
        vpxor ymm15, ymm15, ymm0
        vpshufb ymm12, ymm12, [rip + .Llanes_avx2_rotate16]
        vpxor ymm14, ymm14, ymm3
        rotate_by_shifts ymm7, 12, ymm2
        vpshufb ymm15, ymm15, [rip + .Llanes_avx2_rotate16]
        vpshufb ymm14, ymm14, [rip + .Llanes_avx2_rotate16]
        vpbroadcastd ymm11, [rsp + 896 + 4 * (5)]
        vpbroadcastd ymm10, [rsp + 896 + 4 * (4)]
        vpbroadcastd ymm9, [rsp + 896 + 4 * (3)]
        vpaddd ymm11, ymm11, ymm12
        vpaddd ymm10, ymm10, ymm15
        vpaddd ymm9, ymm9, ymm14
        vpbroadcastd ymm6, [rsp + 896 + 4 * (1)]
        vpbroadcastd ymm5, [rsp + 896 + 4 * (0)]
        vpxor ymm6, ymm6, ymm11
        vpxor ymm5, ymm5, ymm10
        vpxor ymm4, ymm4, ymm9
        rotate_by_shifts ymm6, 12, ymm2
        rotate_by_shifts ymm5, 12, ymm2
        rotate_by_shifts ymm4, 12, ymm2
        vpbroadcastd ymm2, [rsp + 896 + 4 * (12)]
        vpbroadcastd ymm1, [rsp + 896 + 4 * (11)]
        vpaddd ymm0, ymm0, [rsp + 32 * (9)]
        vpaddd ymm3, ymm3, [rsp + 32 * (15)]
        step vpaddd, ymm2, ymm1, ymm0, ymm3, ymm7, ymm6, ymm5, ymm4
        step vpxor, ymm13, ymm12, ymm15, ymm14, ymm2, ymm1, ymm0, ymm3
        step_shuffle ymm13, ymm12, ymm15, ymm14, [rip + .Llanes_avx2_rotate8]
        step vpaddd, ymm8, ymm11, ymm10, ymm9, ymm13, ymm12, ymm15, ymm14
        vmovdqa [rsp + 960 + 32 * (3)], ymm11
        step vpxor, ymm7, ymm6, ymm5, ymm4, ymm8, ymm11, ymm10, ymm9
        step_rotate_by_shifts ymm7, ymm6, ymm5, ymm4, 7, ymm11
.endm


.macro for_each_group loop, finish, stride
        prepare
        xor ecx, ecx
\loop:
        first_diagonals
        rounds_2_to_7
        feed_lower_half
        \finish
        add rsi, \stride
        add ecx, 32
        cmp ecx, 128
        je \loop\()_done
        vmovdqa ymm0, [rsp + 512 + 4 * rcx - 128 + 32 * (0)]
        vmovdqa ymm4, [rsp + 512 + 4 * rcx - 128 + 32 * (1)]
        vmovdqa ymm8, [rsp + 512 + 4 * rcx - 128 + 32 * (2)]
        vmovdqa ymm12, [rsp + 512 + 4 * rcx - 128 + 32 * (3)]
        jmp \loop
\loop\()_done:
.endm


.macro store_columns half
        vmovdqu [rsi + 0 * 64 + \half], ymm8
        vmovdqu [rsi + 1 * 64 + \half], ymm9
        vmovdqu [rsi + 2 * 64 + \half], ymm10
        vmovdqu [rsi + 3 * 64 + \half], ymm11
        vmovdqu [rsi + 4 * 64 + \half], ymm12
        vmovdqu [rsi + 5 * 64 + \half], ymm13
        vmovdqu [rsi + 6 * 64 + \half], ymm14
        vmovdqu [rsi + 7 * 64 + \half], ymm15
.endm

.macro add_to_columns half
        vpaddw ymm8, ymm8, [rsi + 0 * 64 + \half]
        vpaddw ymm9, ymm9, [rsi + 1 * 64 + \half]
        vpaddw ymm10, ymm10, [rsi + 2 * 64 + \half]
        vpaddw ymm11, ymm11, [rsi + 3 * 64 + \half]
        vpaddw ymm12, ymm12, [rsi + 4 * 64 + \half]
        vpaddw ymm13, ymm13, [rsi + 5 * 64 + \half]
        vpaddw ymm14, ymm14, [rsi + 6 * 64 + \half]
        vpaddw ymm15, ymm15, [rsi + 7 * 64 + \half]
        store_columns \half
.endm


.macro finish_in_order
        vmovdqa [rsp + 960 + 32 * (0)], ymm8
        vmovdqa [rsp + 960 + 32 * (1)], ymm9
        vmovdqa [rsp + 960 + 32 * (2)], ymm10
        vmovdqa [rsp + 960 + 32 * (4)], ymm12
        vmovdqa [rsp + 960 + 32 * (5)], ymm13
        vmovdqa [rsp + 960 + 32 * (6)], ymm14
        vmovdqa [rsp + 960 + 32 * (7)], ymm15
        transpose_lower_to_upper
        store_columns 0
.irpc i, 01234567
        vpbroadcastd ymm\i, dword ptr [rdi + 0 + 4 * (\i)]
.endr
.irpc i, 01234567
        vpxor ymm\i, ymm\i, [rsp + 960 + 32 * (\i)]
.endr
        transpose_lower_to_upper
        store_columns 32
.endm

.macro add_row i, r
        vpaddw \r, \r, [rsi + 128 * (\i)]
        vmovdqa [rsi + 128 * (\i)], \r
.endm

.macro sub_row i, r
        vmovdqa ymm11, [rsi + 128 * (\i)]
        vpsubw ymm11, ymm11, \r
        vmovdqa [rsi + 128 * (\i)], ymm11
.endm

.macro upper_row i, r, mix_row
        vpbroadcastd ymm0, dword ptr [rdi + 0 + 4 * (\i)]
        vpxor \r, ymm0, \r
        \mix_row \i + 8, \r
.endm


.macro finish_in_lanes mix_row
.irpc i, 01234567
        \mix_row \i, ymm\i
.endr
        upper_row 0, ymm8, \mix_row
        upper_row 1, ymm9, \mix_row
        upper_row 2, ymm10, \mix_row
        vpbroadcastd ymm0, dword ptr [rdi + 0 + 4 * (3)]
        vpxor ymm1, ymm0, [rsp + 960 + 32 * (3)]
        \mix_row 11, ymm1
        upper_row 4, ymm12, \mix_row
        upper_row 5, ymm13, \mix_row
        upper_row 6, ymm14, \mix_row
        upper_row 7, ymm15, \mix_row
.endm

.macro finish_by_adding
        finish_in_lanes add_row
.endm

.macro finish_by_subtracting
        finish_in_lanes sub_row
.endm

kernel_begin lthash_0_1_0_xof_avx2
        frame_open 1216
        for_each_group .Lxof_avx2_group, finish_in_order, 512
        frame_close
        vzeroupper
        ret
kernel_end lthash_0_1_0_xof_avx2

kernel_begin lthash_0_1_0_xof_add_avx2
        frame_open 1216
        for_each_group .Lxof_add_avx2_group, finish_by_adding, 32
        frame_close
        vzeroupper
        ret
kernel_end lthash_0_1_0_xof_add_avx2

kernel_begin lthash_0_1_0_xof_sub_avx2
        frame_open 1216
        for_each_group .Lxof_sub_avx2_group, finish_by_subtracting, 32
        frame_close
        vzeroupper
        ret
kernel_end lthash_0_1_0_xof_sub_avx2





kernel_begin lthash_0_1_0_lanes_to_limbs_avx2
        mov ecx, 4
.Llanes_to_limbs_avx2_group:
.irpc i, 01234567
        vmovdqa ymm\i, [rdi + 128 * \i]
.endr
        transpose_lower_to_upper
        add_to_columns 0
.irpc i, 01234567
        vmovdqa ymm\i, [rdi + 128 * \i + 1024]
.endr
        transpose_lower_to_upper
        add_to_columns 32
        add rdi, 32
        add rsi, 512
        dec ecx
        jnz .Llanes_to_limbs_avx2_group
        vzeroupper
        ret
kernel_end lthash_0_1_0_lanes_to_limbs_avx2

        lanes_constants
        .p2align 5
.Lxof_avx2_counters:
        .long 0 << 16, 1 << 16, 2 << 16, 3 << 16, 4 << 16, 5 << 16, 6 << 16, 7 << 16
        .long 8 << 16, 9 << 16, 10 << 16, 11 << 16, 12 << 16, 13 << 16, 14 << 16, 15 << 16
        .long 16 << 16, 17 << 16, 18 << 16, 19 << 16, 20 << 16, 21 << 16, 22 << 16, 23 << 16
        .long 24 << 16, 25 << 16, 26 << 16, 27 << 16, 28 << 16, 29 << 16, 30 << 16, 31 << 16
.Lxof_avx2_iv0:
        .long 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667, 0x6a09e667

object_end
