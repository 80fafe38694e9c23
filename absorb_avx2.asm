# 1 "/work/w-everywhere/asm/absorb_avx2.S"
# 1 "<built-in>" 1
# 1 "<built-in>" 3
# 386 "<built-in>" 3
# 1 "<command line>" 1
# 1 "<built-in>" 2
# 1 "/work/w-everywhere/asm/absorb_avx2.S" 2
# 19 "/work/w-everywhere/asm/absorb_avx2.S"
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
# 20 "/work/w-everywhere/asm/absorb_avx2.S" 2
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
# 21 "/work/w-everywhere/asm/absorb_avx2.S" 2
# 1 "/work/w-everywhere/asm/rows.h" 1
# 37 "/work/w-everywhere/asm/rows.h"
.macro load_message
        vmovdqu xmm6, [rsi]
        vmovdqu xmm7, [rsi + 16]
        vshufps xmm4, xmm6, xmm7, 0x88
        vshufps xmm5, xmm6, xmm7, 0xdd
        vmovdqu xmm7, [rsi + 32]
        vmovdqu xmm12, [rsi + 48]
        vshufps xmm6, xmm7, xmm12, 0x88
        vshufps xmm7, xmm7, xmm12, 0xdd
        vpshufd xmm6, xmm6, 0x93
        vpshufd xmm7, xmm7, 0x93
.endm




.macro permute_message x, y, u, w, nx, ny, nu, nw
        vshufps \nx, \x, \y, 0xd9
        vpshufd \nx, \nx, 0x78
        vpblendd xmm12, \u, \w, 0x8
        vpshufd \ny, \x, 0x30
        vpunpckhdq \ny, \ny, xmm12
        vpunpckldq \nu, \w, \y
        vpblendd xmm12, \u, \w, 0x2
        vshufps \nu, \nu, xmm12, 0x74
        vpunpckhdq \nw, \w, \y
        vshufps \nw, \u, \nw, 0x41
        vpshufd \nw, \nw, 0x78
.endm


.macro quarter_rounds x, y
        vpaddd xmm0, xmm0, \x
        vpaddd xmm0, xmm0, xmm1
        vpxor xmm3, xmm3, xmm0
        rotate16 xmm3
        vpaddd xmm2, xmm2, xmm3
        vpxor xmm1, xmm1, xmm2
        vpaddd xmm0, xmm0, \y
        rotate12 xmm1
        vpaddd xmm0, xmm0, xmm1
        vpxor xmm3, xmm3, xmm0
        rotate8 xmm3
        vpaddd xmm2, xmm2, xmm3
        vpxor xmm1, xmm1, xmm2
        rotate7 xmm1
.endm



.macro round x, y, u, w
        quarter_rounds \x, \y
        vpshufd xmm0, xmm0, 0x93
        vpshufd xmm3, xmm3, 0x4e
        vpshufd xmm2, xmm2, 0x39
        quarter_rounds \u, \w
        vpshufd xmm0, xmm0, 0x39
        vpshufd xmm3, xmm3, 0x4e
        vpshufd xmm2, xmm2, 0x93
.endm

.macro round_and_permute
        round xmm4, xmm5, xmm6, xmm7
        permute_message xmm4, xmm5, xmm6, xmm7, xmm8, xmm9, xmm10, xmm11
        round xmm8, xmm9, xmm10, xmm11
        permute_message xmm8, xmm9, xmm10, xmm11, xmm4, xmm5, xmm6, xmm7
.endm


.macro absorb_blocks name
        test rdx, rdx
        jz \name\()_done
        vmovdqu xmm0, [rdi]
        vmovdqu xmm1, [rdi + 16]
        vmovq xmm13, rcx
        vpinsrd xmm13, xmm13, r8d, 2
        vpinsrd xmm13, xmm13, r9d, 3
\name\()_block:
        load_message
        vmovdqa xmm2, [rip + \name\()_iv]
        vmovdqa xmm3, xmm13

        round_and_permute
        round_and_permute
        round_and_permute
        round xmm4, xmm5, xmm6, xmm7


        vpxor xmm0, xmm0, xmm2
        vpxor xmm1, xmm1, xmm3
        add rsi, 64
        dec rdx
        jnz \name\()_block
        vmovdqu [rdi], xmm0
        vmovdqu [rdi + 16], xmm1
\name\()_done:
.endm

.macro absorb_constants name
        .section .rdata,"dr"
        .p2align 4
\name\()_iv:
        .long 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
.endm
# 22 "/work/w-everywhere/asm/absorb_avx2.S" 2

.macro rotate16 r
        vpshufb \r, \r, xmm14
.endm

.macro rotate8 r
        vpshufb \r, \r, xmm15
.endm

.macro rotate12 r
        vpslld xmm12, \r, 20
        vpsrld \r, \r, 12
        vpor \r, \r, xmm12
.endm

.macro rotate7 r
        vpslld xmm12, \r, 25
        vpsrld \r, \r, 7
        vpor \r, \r, xmm12
.endm

kernel_begin lthash_0_1_0_absorb_avx2
        vmovdqa xmm14, [rip + .Labsorb_avx2_rotate16]
        vmovdqa xmm15, [rip + .Labsorb_avx2_rotate8]
        absorb_blocks .Labsorb_avx2
        vzeroupper
        ret
kernel_end lthash_0_1_0_absorb_avx2

        absorb_constants .Labsorb_avx2
.Labsorb_avx2_rotate16:
        .byte 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
.Labsorb_avx2_rotate8:
        .byte 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12

object_end
