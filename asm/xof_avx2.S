/*
 * A root node's 32 output blocks (2048 bytes), eight counters at a time.
 *
 *   void xof_avx2(const RootNode *node, uint8_t out[2048]);        in order, stored
 *   void xof_add_avx2(const RootNode *node, uint32_t sums[16][32]); added into lane sums, 16 bits at a time
 *   void xof_sub_avx2(const RootNode *node, uint32_t sums[16][32]); subtracted from lane sums
 *
 * node   104 bytes (blake3.h), any alignment, read
 * out    2048 bytes, any alignment, written
 * sums   2048 bytes, 64-byte aligned, read and written: for each state word the 32 counters side by side
 *
 * Registers: ymm0 to ymm15 (state word i is in ymm<i>), eax, ecx, edx, r8d, r9d, rdi, rsi. Stack: 1472 bytes.
 * Gate: avx2, bmi2.
 * Vector operations: 3760 of BLAKE3 (without sharing 4032), and 128 for each of: the feed-forward, adding into sums.
 *
 * The 32 compressions differ only in the counter, state word 12. So in the first round's columns 1 to 3 every word,
 * and in its diagonals several, are the same in every lane: general registers compute those once.
 *
 * All 16 registers hold state, so the rotations' temporary takes turns with state word 11: of the words that stand
 * still while four quarter rounds rotate, it is the one needed last. It rests in memory meanwhile.
 */

#include "abi.h"
#include "blake3.h"

#define node rdi
#define out  rsi
#define sums rsi
#define step rcx /* the group of eight counters, times 32 */

#define v0  ymm0
#define v1  ymm1
#define v2  ymm2
#define v3  ymm3
#define v4  ymm4
#define v5  ymm5
#define v6  ymm6
#define v7  ymm7
#define v8  ymm8
#define v9  ymm9
#define v10 ymm10
#define v11 ymm11
#define v12 ymm12
#define v13 ymm13
#define v14 ymm14
#define v15 ymm15

/* The frame. */
#define MESSAGE(i) [rsp + 32 * (i)]         /* message word i in every lane */
#define COLUMN0(i, g) [rsp + 512 + 128 * (g) + 32 * (i)] /* state word 4 i after its column, counters 8 g to 8 g + 7 */
#define SHARED(i) [rsp + 1024 + 4 * (i)]    /* lane-invariant words (first_round.h), each once */
#define UPPER(i) [rsp + 1120 + 32 * (i)]    /* state words 8 to 15 while the lower half is transposed */
#define RESTING UPPER(3)                    /* state word 11 while its register is the temporary */
#define FRAME 1408

#include "first_round.h"

.macro rotate_by_shifts r, n, temporary
        vpslld  \temporary, \r, 32 - \n
        vpsrld  \r, \r, \n
        vpor    \r, \r, \temporary
.endm

/* Four quarter rounds side by side, on the columns or the diagonals; c3 is v11, which is also the temporary. */
.macro quarter_rounds a0, b0, c0, d0, a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3, x0, y0, x1, y1, x2, y2, x3, y3
        vpaddd  \a0, \a0, MESSAGE(\x0)
        vpaddd  \a1, \a1, MESSAGE(\x1)
        vpaddd  \a2, \a2, MESSAGE(\x2)
        vpaddd  \a3, \a3, MESSAGE(\x3)
        vpaddd  \a0, \a0, \b0
        vpaddd  \a1, \a1, \b1
        vpaddd  \a2, \a2, \b2
        vpaddd  \a3, \a3, \b3
        vpxor   \d0, \d0, \a0
        vpxor   \d1, \d1, \a1
        vpxor   \d2, \d2, \a2
        vpxor   \d3, \d3, \a3
        vpshufb \d0, \d0, [rip + LOCAL(xof_avx2_rotate16)]
        vpshufb \d1, \d1, [rip + LOCAL(xof_avx2_rotate16)]
        vpshufb \d2, \d2, [rip + LOCAL(xof_avx2_rotate16)]
        vpshufb \d3, \d3, [rip + LOCAL(xof_avx2_rotate16)]
        vpaddd  \c0, \c0, \d0
        vpaddd  \c1, \c1, \d1
        vpaddd  \c2, \c2, \d2
        vpaddd  v11, \d3, RESTING
        vpxor   \b0, \b0, \c0
        vpxor   \b1, \b1, \c1
        vpxor   \b2, \b2, \c2
        vpxor   \b3, \b3, v11
        vmovdqa RESTING, v11
        rotate_by_shifts \b0, 12, v11
        rotate_by_shifts \b1, 12, v11
        rotate_by_shifts \b2, 12, v11
        rotate_by_shifts \b3, 12, v11
        vpaddd  \a0, \a0, MESSAGE(\y0)
        vpaddd  \a1, \a1, MESSAGE(\y1)
        vpaddd  \a2, \a2, MESSAGE(\y2)
        vpaddd  \a3, \a3, MESSAGE(\y3)
        vpaddd  \a0, \a0, \b0
        vpaddd  \a1, \a1, \b1
        vpaddd  \a2, \a2, \b2
        vpaddd  \a3, \a3, \b3
        vpxor   \d0, \d0, \a0
        vpxor   \d1, \d1, \a1
        vpxor   \d2, \d2, \a2
        vpxor   \d3, \d3, \a3
        vpshufb \d0, \d0, [rip + LOCAL(xof_avx2_rotate8)]
        vpshufb \d1, \d1, [rip + LOCAL(xof_avx2_rotate8)]
        vpshufb \d2, \d2, [rip + LOCAL(xof_avx2_rotate8)]
        vpshufb \d3, \d3, [rip + LOCAL(xof_avx2_rotate8)]
        vpaddd  \c0, \c0, \d0
        vpaddd  \c1, \c1, \d1
        vpaddd  \c2, \c2, \d2
        vpaddd  v11, \d3, RESTING
        vpxor   \b0, \b0, \c0
        vpxor   \b1, \b1, \c1
        vpxor   \b2, \b2, \c2
        vpxor   \b3, \b3, v11
        vmovdqa RESTING, v11
        rotate_by_shifts \b0, 7, v11
        rotate_by_shifts \b1, 7, v11
        rotate_by_shifts \b2, 7, v11
        rotate_by_shifts \b3, 7, v11
.endm

.macro columns x0, y0, x1, y1, x2, y2, x3, y3
        quarter_rounds v0, v4, v8, v12,  v1, v5, v9, v13,  v2, v6, v10, v14,  v3, v7, v11, v15,  \x0, \y0, \x1, \y1, \x2, \y2, \x3, \y3
.endm

/* The last two diagonals first, so that v11 comes last here too. */
.macro diagonals x0, y0, x1, y1, x2, y2, x3, y3
        quarter_rounds v2, v7, v8, v13,  v3, v4, v9, v14,  v0, v5, v10, v15,  v1, v6, v11, v12,  \x2, \y2, \x3, \y3, \x0, \y0, \x1, \y1
.endm

.macro round m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15
        columns   \m0, \m1, \m2, \m3, \m4, \m5, \m6, \m7
        diagonals \m8, \m9, \m10, \m11, \m12, \m13, \m14, \m15
.endm

/* What comes before the groups: the message in every lane, the shared words, column 0 of all counters. */
.macro prepare
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vpbroadcastd v0, BLOCK_WORD(\i)
        vmovdqa MESSAGE(\i), v0
.endr

        shared_words

        /* Column 0: v12 ^= counter, v8 = IV0 + v12, ... for all counters: group g in v<g>, v<4 + g>, v<8 + g>, v<12 + g>. */
        vpbroadcastd v12, SHARED(COLUMN0_D)
        vpbroadcastd v0, SHARED(COLUMN0_B)
        vpbroadcastd v4, CHAINING_WORD(4)
        vmovdqa v8, [rip + LOCAL(xof_avx2_iv0)]
        vpxor   v15, v12, [rip + LOCAL(xof_avx2_counters) + 96]
        vpxor   v14, v12, [rip + LOCAL(xof_avx2_counters) + 64]
        vpxor   v13, v12, [rip + LOCAL(xof_avx2_counters) + 32]
        vpxor   v12, v12, [rip + LOCAL(xof_avx2_counters)]
        vpaddd  v9, v8, v13
        vpaddd  v10, v8, v14
        vpaddd  v11, v8, v15
        vpaddd  v8, v8, v12
        vmovdqa RESTING, v11
        vpxor   v5, v4, v9
        vpxor   v6, v4, v10
        vpxor   v7, v4, v11
        vpxor   v4, v4, v8
        rotate_by_shifts v4, 12, v11
        rotate_by_shifts v5, 12, v11
        rotate_by_shifts v6, 12, v11
        rotate_by_shifts v7, 12, v11
        vpaddd  v1, v0, v5
        vpaddd  v2, v0, v6
        vpaddd  v3, v0, v7
        vpaddd  v0, v0, v4
        vpxor   v12, v12, v0
        vpxor   v13, v13, v1
        vpxor   v14, v14, v2
        vpxor   v15, v15, v3
.irp i, 12, 13, 14, 15
        vpshufb ymm\i, ymm\i, [rip + LOCAL(xof_avx2_rotate8)]
.endr
        vpaddd  v8, v8, v12
        vpaddd  v9, v9, v13
        vpaddd  v10, v10, v14
        vpaddd  v11, v15, RESTING
        vpxor   v4, v4, v8
        vpxor   v5, v5, v9
        vpxor   v6, v6, v10
        vpxor   v7, v7, v11
        vmovdqa COLUMN0(2, 3), v11
        rotate_by_shifts v4, 7, v11
        rotate_by_shifts v5, 7, v11
        rotate_by_shifts v6, 7, v11
        rotate_by_shifts v7, 7, v11
        vmovdqa COLUMN0(0, 0), v0
        vmovdqa COLUMN0(0, 1), v1
        vmovdqa COLUMN0(0, 2), v2
        vmovdqa COLUMN0(0, 3), v3
        vmovdqa COLUMN0(1, 0), v4
        vmovdqa COLUMN0(1, 1), v5
        vmovdqa COLUMN0(1, 2), v6
        vmovdqa COLUMN0(1, 3), v7
        vmovdqa COLUMN0(2, 0), v8
        vmovdqa COLUMN0(2, 1), v9
        vmovdqa COLUMN0(2, 2), v10
        vmovdqa COLUMN0(3, 0), v12
        vmovdqa COLUMN0(3, 1), v13
        vmovdqa COLUMN0(3, 2), v14
        vmovdqa COLUMN0(3, 3), v15
.endm

/* The first diagonals of a group, starting from column 0 and the shared words. */
.macro first_diagonals
        vmovdqa v0, [rsp + 4 * step + 512]
        vmovdqa v4, [rsp + 4 * step + 512 + 32]
        vmovdqa v8, [rsp + 4 * step + 512 + 64]
        vmovdqa v12, [rsp + 4 * step + 512 + 96]

        vpbroadcastd v13, SHARED(V13)
        vpbroadcastd v5, SHARED(A0)
        vpbroadcastd v1, SHARED(A1)
        vpbroadcastd v3, SHARED(A3)
        vpaddd  v8, v8, v13
        vpaddd  v0, v0, v5
        vpxor   v12, v12, v1
        vpaddd  v3, v3, v4
        vpbroadcastd v7, SHARED(V7)
        vpbroadcastd v15, SHARED(V15)
        vpbroadcastd v14, SHARED(V14)
        vpxor   v7, v7, v8
        vpxor   v15, v15, v0
        vpshufb v12, v12, [rip + LOCAL(xof_avx2_rotate16)]
        vpxor   v14, v14, v3
        rotate_by_shifts v7, 12, v11
        vpshufb v15, v15, [rip + LOCAL(xof_avx2_rotate16)]
        vpbroadcastd v11, SHARED(V11)
        vpshufb v14, v14, [rip + LOCAL(xof_avx2_rotate16)]
        vpaddd  v11, v11, v12
        vpbroadcastd v10, SHARED(V10)
        vpbroadcastd v9, SHARED(V9)
        vpaddd  v10, v10, v15
        vmovdqa RESTING, v11
        vpaddd  v9, v9, v14
        vpbroadcastd v6, SHARED(V6)
        vpbroadcastd v5, SHARED(V5)
        vpxor   v6, v6, v11
        vpxor   v5, v5, v10
        vpxor   v4, v4, v9
        rotate_by_shifts v6, 12, v11
        rotate_by_shifts v5, 12, v11
        rotate_by_shifts v4, 12, v11
        vpbroadcastd v2, SHARED(B2)
        vpbroadcastd v1, SHARED(B1)
        vpaddd  v0, v0, MESSAGE(9)
        vpaddd  v3, v3, MESSAGE(15)
        vpaddd  v2, v2, v7
        vpaddd  v1, v1, v6
        vpaddd  v0, v0, v5
        vpaddd  v3, v3, v4
        vpxor   v13, v13, v2
        vpxor   v12, v12, v1
        vpxor   v15, v15, v0
        vpxor   v14, v14, v3
        vpshufb v13, v13, [rip + LOCAL(xof_avx2_rotate8)]
        vpshufb v12, v12, [rip + LOCAL(xof_avx2_rotate8)]
        vpshufb v15, v15, [rip + LOCAL(xof_avx2_rotate8)]
        vpshufb v14, v14, [rip + LOCAL(xof_avx2_rotate8)]
        vpaddd  v8, v8, v13
        vpaddd  v11, v12, RESTING
        vpaddd  v10, v10, v15
        vpaddd  v9, v9, v14
        vpxor   v7, v7, v8
        vpxor   v6, v6, v11
        vpxor   v5, v5, v10
        vpxor   v4, v4, v9
        vmovdqa RESTING, v11
        rotate_by_shifts v7, 7, v11
        rotate_by_shifts v6, 7, v11
        rotate_by_shifts v5, 7, v11
        rotate_by_shifts v4, 7, v11
.endm

/* Eight rows of eight words, r0 to r7, become eight output blocks' halves: row j of lane l goes to word j of block l. */
.macro store_transposed r0, r1, r2, r3, r4, r5, r6, r7, t0, t1, t2, t3, t4, t5, t6, t7, half
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
        vmovdqu [out + 0 * 64 + \half], \t0
        vmovdqu [out + 1 * 64 + \half], \t1
        vmovdqu [out + 2 * 64 + \half], \t2
        vmovdqu [out + 3 * 64 + \half], \t3
        vmovdqu [out + 4 * 64 + \half], \t4
        vmovdqu [out + 5 * 64 + \half], \t5
        vmovdqu [out + 6 * 64 + \half], \t6
        vmovdqu [out + 7 * 64 + \half], \t7
.endm

/* Words 0 to 7 are v0 ^ v8 to v7 ^ v15. */
.macro feed_lower_half
        vpxor   v0, v0, v8
        vpxor   v1, v1, v9
        vpxor   v2, v2, v10
        vpxor   v3, v3, RESTING
        vpxor   v4, v4, v12
        vpxor   v5, v5, v13
        vpxor   v6, v6, v14
        vpxor   v7, v7, v15
.endm

KERNEL(xof_avx2)
        frame_open FRAME
        prepare
        xor     ecx, ecx
LOCAL(xof_avx2_group):
        first_diagonals
        rounds_2_to_7

        feed_lower_half
        vmovdqa UPPER(0), v8
        vmovdqa UPPER(1), v9
        vmovdqa UPPER(2), v10
        vmovdqa UPPER(4), v12
        vmovdqa UPPER(5), v13
        vmovdqa UPPER(6), v14
        vmovdqa UPPER(7), v15
        store_transposed v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, 0

        /* Words 8 to 15 are v8 to v15, each ^ its word of the chaining value. */
.irpc i, 01234567
        vpbroadcastd ymm\i, CHAINING_WORD(\i)
.endr
.irpc i, 01234567
        vpxor   ymm\i, ymm\i, UPPER(\i)
.endr
        store_transposed v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, 32

        add     out, 512
        add     ecx, 32
        cmp     ecx, 128
        jne     LOCAL(xof_avx2_group)
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_avx2)

/* The same, each word mixed into its row of the lane sums instead of stored. */
.macro mix_word word, r, operation
        vmovdqa v0, [sums + step + 128 * \word]
        \operation v0, v0, \r
        vmovdqa [sums + step + 128 * \word], v0
.endm

.macro mix operation
        feed_lower_half
.endm

        CONSTANTS
        .p2align 6
LOCAL(xof_avx2_counters): /* 0 to 31, rotated by 16 */
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        .long   \i << 16
.endr
.irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        .long   \i << 16
.endr
LOCAL(xof_avx2_rotate16):
        .byte   2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
LOCAL(xof_avx2_rotate8):
        .byte   1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12
LOCAL(xof_avx2_iv0):
        .long   IV0, IV0, IV0, IV0, IV0, IV0, IV0, IV0

OBJECT_END
