# 1 "/work/w-everywhere/asm/xof_avx512.S"
# 1 "<built-in>" 1
# 1 "<built-in>" 3
# 386 "<built-in>" 3
# 1 "<command line>" 1
# 1 "<built-in>" 2
# 1 "/work/w-everywhere/asm/xof_avx512.S" 2
# 23 "/work/w-everywhere/asm/xof_avx512.S"
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
# 24 "/work/w-everywhere/asm/xof_avx512.S" 2
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
# 25 "/work/w-everywhere/asm/xof_avx512.S" 2
# 35 "/work/w-everywhere/asm/xof_avx512.S"
.altmacro

.macro one_word operation, d, a, b
        \operation zmm\d, zmm\a, zmm\b
.endm

.macro word operation, d, a, b
        one_word \operation, \d, \a, \b
        one_word \operation, %(\d + 16), %(\a + 16), %(\b + 16)
.endm

.macro one_add_message d, i
        vpaddd zmm\d, zmm\d, dword ptr [rdi + 32 + 4 * (\i)]{1to16}
.endm

.macro add_message d, i
        one_add_message \d, \i
        one_add_message %(\d + 16), \i
.endm

.macro one_rotate d, n
        vprord zmm\d, zmm\d, \n
.endm

.macro rotate d, n
        one_rotate \d, \n
        one_rotate %(\d + 16), \n
.endm


.macro one_shared operation, d, a, i
        \operation zmm\d, zmm\a, dword ptr [rsp + 4 * (\i)]{1to16}
.endm

.macro shared operation, d, a, i
        one_shared \operation, \d, \a, \i
        one_shared \operation, %(\d + 16), %(\a + 16), \i
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
# 75 "/work/w-everywhere/asm/xof_avx512.S" 2
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
        mov dword ptr [rsp + 4 * (2)], edx
        mov dword ptr [rsp + 4 * (5)], ecx
        mov dword ptr [rsp + 4 * (8)], r8d
        add eax, dword ptr [rdi + 32 + 4 * (14)]
        mov dword ptr [rsp + 4 * (13)], eax
        mov r9d, edx
        add r9d, dword ptr [rdi + 32 + 4 * (12)]


        mov r8d, [rdi + 96]
        shared_column 2, 0x3c6ef372
        mov dword ptr [rsp + 4 * (1)], edx
        mov dword ptr [rsp + 4 * (4)], ecx
        mov dword ptr [rsp + 4 * (7)], r8d
        add r9d, eax


        xor r8d, r8d
        shared_column 1, 0xbb67ae85
        mov dword ptr [rsp + 4 * (0)], edx
        mov dword ptr [rsp + 4 * (3)], ecx
        add edx, dword ptr [rdi + 32 + 4 * (8)]
        mov dword ptr [rsp + 4 * (9)], edx
        add eax, dword ptr [rsp + 4 * (1)]
        add eax, dword ptr [rdi + 32 + 4 * (10)]
        mov dword ptr [rsp + 4 * (10)], eax
        add eax, dword ptr [rdi + 32 + 4 * (11)]
        mov dword ptr [rsp + 4 * (11)], eax


        xor r8d, r9d
        rorx r8d, r8d, 16
        mov dword ptr [rsp + 4 * (6)], r8d
        add r9d, dword ptr [rdi + 32 + 4 * (13)]
        mov dword ptr [rsp + 4 * (12)], r9d
.endm
# 76 "/work/w-everywhere/asm/xof_avx512.S" 2

.macro first_round
        shared_words


        vpbroadcastd zmm0, dword ptr [rdi + 0 + 4 * (0)]
        vpaddd zmm0, zmm0, dword ptr [rdi + 0 + 4 * (4)]{1to16}
        vpaddd zmm0, zmm0, dword ptr [rdi + 32 + 4 * (0)]{1to16}
        vprord zmm12, zmm0, 16
        vpaddd zmm0, zmm0, dword ptr [rdi + 32 + 4 * (1)]{1to16}
        vpxord zmm28, zmm12, [rip + .Lxof_avx512_counters + 64]
        vpxord zmm12, zmm12, [rip + .Lxof_avx512_counters]
        vpaddd zmm8, zmm12, dword ptr [rip + .Lxof_avx512_iv0]{1to16}
        vpaddd zmm24, zmm28, dword ptr [rip + .Lxof_avx512_iv0]{1to16}
        vpxord zmm4, zmm8, dword ptr [rdi + 0 + 4 * (4)]{1to16}
        vpxord zmm20, zmm24, dword ptr [rdi + 0 + 4 * (4)]{1to16}
        rotate 4, 12
        vpaddd zmm16, zmm0, zmm20
        vpaddd zmm0, zmm0, zmm4
        word vpxord, 12, 12, 0
        rotate 12, 8
        word vpaddd, 8, 8, 12
        word vpxord, 4, 4, 8
        rotate 4, 7


        shared vpaddd, 8, 8, 6
        shared vpaddd, 0, 0, 9
        shared vpxord, 12, 12, 10
        shared vpaddd, 3, 4, 13
        shared vpxord, 7, 8, 2
        shared vpxord, 15, 0, 8
        shared vpxord, 14, 3, 7
        rotate 12, 16
        rotate 15, 16
        rotate 14, 16
        shared vpaddd, 10, 15, 4
        shared vpaddd, 11, 12, 5
        shared vpaddd, 9, 14, 3
        shared vpxord, 5, 10, 0
        shared vpxord, 6, 11, 1
        word vpxord, 4, 4, 9
        step_rotate 5, 6, 7, 4, 12
        add_message 0, 9
        shared vpaddd, 1, 6, 11
        shared vpaddd, 2, 7, 12
        add_message 3, 15
        word vpaddd, 0, 0, 5
        word vpaddd, 3, 3, 4
        word vpxord, 15, 15, 0
        word vpxord, 12, 12, 1
        shared vpxord, 13, 2, 6
        word vpxord, 14, 14, 3
        step_rotate 15, 12, 13, 14, 8
        step vpaddd, 10, 11, 8, 9, 15, 12, 13, 14
        step vpxord, 5, 6, 7, 4, 10, 11, 8, 9
        step_rotate 5, 6, 7, 4, 7
.endm


.macro one_chaining d, i
        vpxord zmm\d, zmm\d, dword ptr [rdi + 0 + 4 * (\i)]{1to16}
.endm

.macro chaining d, i
        one_chaining \d, \i
        one_chaining %(\d + 16), \i
.endm

.macro feed_forward
.irpc i, 01234567
        word vpxord, \i, \i, %(\i + 8)
        chaining %(\i + 8), \i
.endr
.endm


.macro put_columns put, first
        transpose_parts zmm0, zmm1, zmm2, zmm3, zmm16, zmm17, zmm18, zmm19
        transpose_parts zmm4, zmm5, zmm6, zmm7, zmm20, zmm21, zmm22, zmm23
        transpose_parts zmm8, zmm9, zmm10, zmm11, zmm24, zmm25, zmm26, zmm27
        transpose_parts zmm12, zmm13, zmm14, zmm15, zmm28, zmm29, zmm30, zmm31
        put_four \put, zmm0, zmm4, zmm8, zmm12, zmm16, zmm17, zmm18, zmm19, \first
        put_four \put, zmm1, zmm5, zmm9, zmm13, zmm20, zmm21, zmm22, zmm23, %(\first + 1)
        put_four \put, zmm2, zmm6, zmm10, zmm14, zmm24, zmm25, zmm26, zmm27, %(\first + 2)
        put_four \put, zmm3, zmm7, zmm11, zmm15, zmm28, zmm29, zmm30, zmm31, %(\first + 3)
.endm

.macro put_four put, r0, r1, r2, r3, t0, t1, t2, t3, first
        gather_parts \r0, \r1, \r2, \r3, \t0, \t1, \t2, \t3
        \put \r0, \first
        \put \r1, %(\first + 4)
        \put \r2, %(\first + 8)
        \put \r3, %(\first + 12)
.endm

.macro store_block r, block
        vmovdqu32 [rsi + 64 * (\block)], \r
.endm

.macro add_to_block r, block
        vpaddw \r, \r, [rsi + 64 * (\block)]
        vmovdqu32 [rsi + 64 * (\block)], \r
.endm

.macro store_upper i, r
        vmovdqa32 [rsp + 64 + 64 * (\i)], zmm\r
.endm

.macro add_row r, place
        vpaddw zmm\r, zmm\r, [rsi + 64 * (\place)]
        vmovdqa32 [rsi + 64 * (\place)], zmm\r
.endm

.macro sub_row r, place
        vmovdqa32 zmm31, [rsi + 64 * (\place)]
        vpsubw zmm31, zmm31, zmm\r
        vmovdqa32 [rsi + 64 * (\place)], zmm31
.endm

kernel_begin lthash_0_1_0_xof_avx512
        frame_open 1088
        first_round
        rounds_2_to_7
        feed_forward


.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        store_upper \i, %(\i + 16)
.endr
        put_columns store_block, 0
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqa32 zmm\i, [rsp + 64 + 64 * (\i)]
.endr
        put_columns store_block, 16
        frame_close
        vzeroupper
        ret
kernel_end lthash_0_1_0_xof_avx512

kernel_begin lthash_0_1_0_xof_add_avx512
        frame_open 1088
        first_round
        rounds_2_to_7
        feed_forward
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        add_row \i, %(2 * \i)
        add_row %(\i + 16), %(2 * \i + 1)
.endr
        frame_close
        vzeroupper
        ret
kernel_end lthash_0_1_0_xof_add_avx512

kernel_begin lthash_0_1_0_xof_sub_avx512
        frame_open 1088
        first_round
        rounds_2_to_7
        feed_forward


        vmovdqa32 [rsp + 64 + 64 * (15)], zmm31
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
        sub_row \i, %(2 * \i)
        sub_row %(\i + 16), %(2 * \i + 1)
.endr
        sub_row 15, 30
        vmovdqa32 zmm0, [rsp + 64 + 64 * (15)]
        sub_row 0, 31
        frame_close
        vzeroupper
        ret
kernel_end lthash_0_1_0_xof_sub_avx512





kernel_begin lthash_0_1_0_lanes_to_limbs_avx512
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqa32 zmm\i, [rdi + 128 * \i]
.endr
        put_columns add_to_block, 0
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqa32 zmm\i, [rdi + 128 * \i + 64]
.endr
        put_columns add_to_block, 16
        vzeroupper
        ret
kernel_end lthash_0_1_0_lanes_to_limbs_avx512

        .section .rdata,"dr"
        .p2align 6
.Lxof_avx512_counters:
        .long 0 << 16, 1 << 16, 2 << 16, 3 << 16, 4 << 16, 5 << 16, 6 << 16, 7 << 16
        .long 8 << 16, 9 << 16, 10 << 16, 11 << 16, 12 << 16, 13 << 16, 14 << 16, 15 << 16
        .long 16 << 16, 17 << 16, 18 << 16, 19 << 16, 20 << 16, 21 << 16, 22 << 16, 23 << 16
        .long 24 << 16, 25 << 16, 26 << 16, 27 << 16, 28 << 16, 29 << 16, 30 << 16, 31 << 16
.Lxof_avx512_iv0:
        .long 0x6a09e667

object_end
