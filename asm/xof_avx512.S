/*
 * A root node's 32 output blocks (2048 bytes), all counters in one pass.
 *
 *   void xof_avx512(const RootNode *node, uint8_t out[2048]);
 *
 * node   104 bytes (blake3.h), any alignment, read
 * out    2048 bytes, any alignment, written
 *
 * Registers: zmm0 to zmm31, eax, ecx, edx, r8d, r9d, rdi, rsi. Stack: 1216 bytes.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations: 1456 of BLAKE3 (without first-round sharing 1568), 64 that feed forward, 128 that transpose.
 *
 * State word i of counters 0 to 15 is in zmm<i>, of counters 16 to 31 in zmm<16 + i>: two states side by side, and
 * every step is done to both. Message words and lane-invariant words are broadcast as they are read.
 */

#include "abi.h"
#include "blake3.h"

#define node rdi
#define out  rsi

/* The frame. */
#define SHARED(i) dword ptr [rsp + 4 * (i)] /* lane-invariant words (first_round.h), each once */
#define UPPER(i) [rsp + 64 + 64 * (i)]      /* counters 16 to 31 while 0 to 15 are transposed */
#define FRAME 1088

#include "first_round.h"

.altmacro /* computes register numbers: %(expression) */

/* One operation on one word of a state; `both` does it to both states. */
.macro one operation, d, a, b
        \operation zmm\d, zmm\a, zmm\b
.endm

.macro both operation, d, a, b
        one     \operation, \d, \a, \b
        one     \operation, %(\d + 16), %(\a + 16), %(\b + 16)
.endm

/* The same with a message word or a lane-invariant word for b. */
.macro one_message operation, d, a, i
        \operation zmm\d, zmm\a, BLOCK_WORD(\i){1to16}
.endm

.macro both_message operation, d, a, i
        one_message \operation, \d, \a, \i
        one_message \operation, %(\d + 16), %(\a + 16), \i
.endm

.macro one_shared operation, d, a, i
        \operation zmm\d, zmm\a, SHARED(\i){1to16}
.endm

.macro both_shared operation, d, a, i
        one_shared \operation, \d, \a, \i
        one_shared \operation, %(\d + 16), %(\a + 16), \i
.endm

.macro one_rotate d, n
        vprord  zmm\d, zmm\d, \n
.endm

.macro both_rotate d, n
        one_rotate \d, \n
        one_rotate %(\d + 16), \n
.endm

/* The same on four words at a time: one step of four quarter rounds. */
.macro step operation, d0, d1, d2, d3, b0, b1, b2, b3
        both    \operation, \d0, \d0, \b0
        both    \operation, \d1, \d1, \b1
        both    \operation, \d2, \d2, \b2
        both    \operation, \d3, \d3, \b3
.endm

.macro step_message d0, d1, d2, d3, i0, i1, i2, i3
        both_message vpaddd, \d0, \d0, \i0
        both_message vpaddd, \d1, \d1, \i1
        both_message vpaddd, \d2, \d2, \i2
        both_message vpaddd, \d3, \d3, \i3
.endm

.macro step_rotate d0, d1, d2, d3, n
        both_rotate \d0, \n
        both_rotate \d1, \n
        both_rotate \d2, \n
        both_rotate \d3, \n
.endm

.macro quarter_rounds a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, x0, x1, x2, x3, y0, y1, y2, y3
        step_message \a0, \a1, \a2, \a3, \x0, \x1, \x2, \x3
        step    vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
        step    vpxord, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
        step_rotate \d0, \d1, \d2, \d3, 16
        step    vpaddd, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
        step    vpxord, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
        step_rotate \b0, \b1, \b2, \b3, 12
        step_message \a0, \a1, \a2, \a3, \y0, \y1, \y2, \y3
        step    vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
        step    vpxord, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
        step_rotate \d0, \d1, \d2, \d3, 8
        step    vpaddd, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
        step    vpxord, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
        step_rotate \b0, \b1, \b2, \b3, 7
.endm

.macro round m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15
        quarter_rounds 0, 1, 2, 3,  4, 5, 6, 7,  8, 9, 10, 11,  12, 13, 14, 15,  \m0, \m2, \m4, \m6,  \m1, \m3, \m5, \m7
        quarter_rounds 0, 1, 2, 3,  5, 6, 7, 4,  10, 11, 8, 9,  15, 12, 13, 14,  \m8, \m10, \m12, \m14,  \m9, \m11, \m13, \m15
.endm

.macro first_round
        shared_words

        /* Column 0, the only one with the counter. */
        vpbroadcastd zmm12, SHARED(COLUMN0_D)
        vpxord  zmm28, zmm12, [rip + LOCAL(xof_avx512_counters) + 64]
        vpxord  zmm12, zmm12, [rip + LOCAL(xof_avx512_counters)]
        vpaddd  zmm8, zmm12, dword ptr [rip + LOCAL(xof_avx512_iv0)]{1to16}
        vpaddd  zmm24, zmm28, dword ptr [rip + LOCAL(xof_avx512_iv0)]{1to16}
        vpxord  zmm4, zmm8, CHAINING_WORD(4){1to16}
        vpxord  zmm20, zmm24, CHAINING_WORD(4){1to16}
        both_rotate 4, 12
        both_shared vpaddd, 0, 4, COLUMN0_B
        both    vpxord, 12, 12, 0
        both_rotate 12, 8
        both    vpaddd, 8, 8, 12
        both    vpxord, 4, 4, 8
        both_rotate 4, 7

        /* The diagonals: a word that comes out of general registers is taken in by the first operation that needs it. */
        both_shared vpaddd, 8, 8, V13
        both_shared vpaddd, 0, 0, A0
        both_shared vpxord, 12, 12, A1
        both_shared vpaddd, 3, 4, A3
        both_shared vpxord, 7, 8, V7
        both_shared vpxord, 15, 0, V15
        both_shared vpxord, 14, 3, V14
        both_rotate 12, 16
        both_rotate 15, 16
        both_rotate 14, 16
        both_shared vpaddd, 10, 15, V10
        both_shared vpaddd, 11, 12, V11
        both_shared vpaddd, 9, 14, V9
        both_shared vpxord, 5, 10, V5
        both_shared vpxord, 6, 11, V6
        both    vpxord, 4, 4, 9
        step_rotate 5, 6, 7, 4, 12
        both_message vpaddd, 0, 0, 9
        both_shared vpaddd, 1, 6, B1
        both_shared vpaddd, 2, 7, B2
        both_message vpaddd, 3, 3, 15
        both    vpaddd, 0, 0, 5
        both    vpaddd, 3, 3, 4
        both    vpxord, 15, 15, 0
        both    vpxord, 12, 12, 1
        both_shared vpxord, 13, 2, V13
        both    vpxord, 14, 14, 3
        step_rotate 15, 12, 13, 14, 8
        step    vpaddd, 10, 11, 8, 9, 15, 12, 13, 14
        step    vpxord, 5, 6, 7, 4, 10, 11, 8, 9
        step_rotate 5, 6, 7, 4, 7
.endm

/* Words 0 to 7 become v0 ^ v8 to v7 ^ v15; words 8 to 15 are v8 to v15, each ^ its word of the chaining value. */
.macro one_chaining d, i
        vpxord  zmm\d, zmm\d, CHAINING_WORD(\i){1to16}
.endm

.macro feed_forward
.irpc i, 01234567
        both    vpxord, \i, \i, %(\i + 8)
        one_chaining %(\i + 8), \i
        one_chaining %(\i + 24), \i
.endr
.endm

/* Four rows become four columns in each 128-bit part: r0 to r3 hold four words each of blocks 0, 4, 8, 12 and the next. */
.macro transpose_words r0, r1, r2, r3, t0, t1, t2, t3
        vpunpckldq \t0, \r0, \r1
        vpunpckhdq \t1, \r0, \r1
        vpunpckldq \t2, \r2, \r3
        vpunpckhdq \t3, \r2, \r3
        vpunpcklqdq \r0, \t0, \t2
        vpunpckhqdq \r1, \t0, \t2
        vpunpcklqdq \r2, \t1, \t3
        vpunpckhqdq \r3, \t1, \t3
.endm

/* The four parts of a block come together, for blocks 0, 4, 8 and 12 after `block`. */
.macro store_blocks r0, r1, r2, r3, t0, t1, t2, t3, block
        vshufi32x4 \t0, \r0, \r1, 0x44
        vshufi32x4 \t1, \r2, \r3, 0x44
        vshufi32x4 \t2, \r0, \r1, 0xee
        vshufi32x4 \t3, \r2, \r3, 0xee
        vshufi32x4 \r0, \t0, \t1, 0x88
        vshufi32x4 \r1, \t0, \t1, 0xdd
        vshufi32x4 \r2, \t2, \t3, 0x88
        vshufi32x4 \r3, \t2, \t3, 0xdd
        vmovdqu32 [out + 64 * (\block)], \r0
        vmovdqu32 [out + 64 * (\block + 4)], \r1
        vmovdqu32 [out + 64 * (\block + 8)], \r2
        vmovdqu32 [out + 64 * (\block + 12)], \r3
.endm

/* The sixteen words in zmm0 to zmm15 become sixteen output blocks, from `block` on. */
.macro store_state block
        transpose_words zmm0, zmm1, zmm2, zmm3, zmm16, zmm17, zmm18, zmm19
        transpose_words zmm4, zmm5, zmm6, zmm7, zmm20, zmm21, zmm22, zmm23
        transpose_words zmm8, zmm9, zmm10, zmm11, zmm24, zmm25, zmm26, zmm27
        transpose_words zmm12, zmm13, zmm14, zmm15, zmm28, zmm29, zmm30, zmm31
        store_blocks zmm0, zmm4, zmm8, zmm12, zmm16, zmm17, zmm18, zmm19, \block
        store_blocks zmm1, zmm5, zmm9, zmm13, zmm20, zmm21, zmm22, zmm23, \block + 1
        store_blocks zmm2, zmm6, zmm10, zmm14, zmm24, zmm25, zmm26, zmm27, \block + 2
        store_blocks zmm3, zmm7, zmm11, zmm15, zmm28, zmm29, zmm30, zmm31, \block + 3
.endm

.macro store_upper i, r
        vmovdqa32 UPPER(\i), zmm\r
.endm

KERNEL(xof_avx512)
        frame_open FRAME
        first_round
        rounds_2_to_7
        feed_forward

.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        store_upper \i, %(\i + 16)
.endr
        store_state 0
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqa32 zmm\i, UPPER(\i)
.endr
        store_state 16
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_avx512)

        CONSTANTS
        .p2align 6
LOCAL(xof_avx512_counters): /* 0 to 31, rotated by 16 */
        .long   0 << 16, 1 << 16, 2 << 16, 3 << 16, 4 << 16, 5 << 16, 6 << 16, 7 << 16
        .long   8 << 16, 9 << 16, 10 << 16, 11 << 16, 12 << 16, 13 << 16, 14 << 16, 15 << 16
        .long   16 << 16, 17 << 16, 18 << 16, 19 << 16, 20 << 16, 21 << 16, 22 << 16, 23 << 16
        .long   24 << 16, 25 << 16, 26 << 16, 27 << 16, 28 << 16, 29 << 16, 30 << 16, 31 << 16
LOCAL(xof_avx512_iv0):
        .long   IV0

OBJECT_END
