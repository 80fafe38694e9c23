/*
 * A root node's 32 output blocks (2048 bytes), eight counters at a time; and the sums of many.
 *
 *   void xof_avx2(const RootNode *node, uint8_t out[2048]);         stored, in order
 *   void xof_add_avx2(const RootNode *node, uint32_t sums[16][32]); added into lane sums, 16 bits at a time
 *   void xof_sub_avx2(const RootNode *node, uint32_t sums[16][32]); subtracted from lane sums
 *   void lanes_to_limbs_avx2(const uint32_t sums[16][32], uint16_t limbs[1024]); lane sums, put in order, added to limbs
 *
 * node    104 bytes (blake3.h), any alignment, read
 * out     2048 bytes, any alignment, written
 * sums    2048 bytes, 64-byte aligned, read and, but for the last, written: for each state word the 32 counters side by side
 * limbs   2048 bytes, any alignment, read and written
 *
 * Registers: ymm0 to ymm15, eax, ecx, edx, r8d, r9d, rdi, rsi. Stack: 1280 bytes.
 * Gate: avx2, bmi2.
 * Vector operations: 3764 of BLAKE3 (4032 without first-round sharing), 64 that feed forward, and 192 that transpose or
 * 64 that add to sums.
 */

#include "abi.h"
#include "blake3.h"

#define node rdi
#define out  rsi
#define sums rsi

/* The frame. */
#define MESSAGE(i) [rsp + 32 * (i)]
#define COLUMN0(i, g) [rsp + 512 + 128 * (g - 1) + 32 * (i)] /* state word 4 i after its column, counters 8 g to 8 g + 7 */
#define COLUMN0_OF_GROUP(i) [rsp + 512 + 4 * rcx - 128 + 32 * (i)] /* the same for the group at hand, rcx = 32 g */
#define SHARED(i) [rsp + 896 + 4 * (i)] /* lane-invariant words (first_round.h), each once */
#define UPPER(i) [rsp + 960 + 32 * (i)] /* state words 8 to 15 while the lower half is transposed */
#define FRAME 1216
#define RESTING_WITHIN UPPER(0)
#define RESTING_BETWEEN UPPER(3)

#include "lanes_avx2.h"
#include "first_round.h"

/* What comes before the groups: the shared words, column 0 of all counters, the message in every lane. Column 0 ends in
 * v0, v4, v8, v12 for the first group and in memory for the others. */
.macro prepare
        shared_words

        /* Up to its first rotation, column 0 differs by a constant: v12 = rotated (v0 ^ counter). */
        vpbroadcastd v0, CHAINING_WORD(0)
        vpbroadcastd v4, CHAINING_WORD(4)
        vpbroadcastd v1, BLOCK_WORD(0)
        vpbroadcastd v2, BLOCK_WORD(1)
        vmovdqa v8, [rip + LOCAL(xof_avx2_iv0)]
        vpaddd  v0, v0, v4
        vpaddd  v0, v0, v1
        vpshufb v12, v0, ROTATE16
        vpaddd  v0, v0, v2
        vpxor   v15, v12, [rip + LOCAL(xof_avx2_counters) + 96]
        vpxor   v14, v12, [rip + LOCAL(xof_avx2_counters) + 64]
        vpxor   v13, v12, [rip + LOCAL(xof_avx2_counters) + 32]
        vpxor   v12, v12, [rip + LOCAL(xof_avx2_counters)]

        /* Then group g is in v<g>, v<4 + g>, v<8 + g>, v<12 + g>. */
        vpaddd  v9, v8, v13
        vpaddd  v10, v8, v14
        vpaddd  v11, v8, v15
        vpaddd  v8, v8, v12
        vmovdqa RESTING_WITHIN, v11
        vpxor   v5, v4, v9
        vpxor   v6, v4, v10
        vpxor   v7, v4, v11
        vpxor   v4, v4, v8
        step_rotate_by_shifts v4, v5, v6, v7, 12, v11
        vpaddd  v1, v0, v5
        vpaddd  v2, v0, v6
        vpaddd  v3, v0, v7
        vpaddd  v0, v0, v4
        step    vpxor, v12, v13, v14, v15, v0, v1, v2, v3
        step_shuffle v12, v13, v14, v15, ROTATE8
        vpaddd  v8, v8, v12
        vpaddd  v9, v9, v13
        vpaddd  v10, v10, v14
        vpaddd  v11, v15, RESTING_WITHIN
        step    vpxor, v4, v5, v6, v7, v8, v9, v10, v11
        vmovdqa COLUMN0(2, 3), v11
        step_rotate_by_shifts v4, v5, v6, v7, 7, v11
        vmovdqa COLUMN0(0, 1), v1
        vmovdqa COLUMN0(0, 2), v2
        vmovdqa COLUMN0(0, 3), v3
        vmovdqa COLUMN0(1, 1), v5
        vmovdqa COLUMN0(1, 2), v6
        vmovdqa COLUMN0(1, 3), v7
        vmovdqa COLUMN0(2, 1), v9
        vmovdqa COLUMN0(2, 2), v10
        vmovdqa COLUMN0(3, 1), v13
        vmovdqa COLUMN0(3, 2), v14
        vmovdqa COLUMN0(3, 3), v15

.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vpbroadcastd v1, BLOCK_WORD(\i)
        vmovdqa MESSAGE(\i), v1
.endr
.endm

/* The first diagonals of a group, starting from column 0 and the shared words, each of which is broadcast when needed.
 * v2 is the temporary until its turn comes. */
.macro first_diagonals
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
        vpshufb v12, v12, ROTATE16
        vpxor   v14, v14, v3
        rotate_by_shifts v7, 12, v2
        vpshufb v15, v15, ROTATE16
        vpshufb v14, v14, ROTATE16
        vpbroadcastd v11, SHARED(V11)
        vpbroadcastd v10, SHARED(V10)
        vpbroadcastd v9, SHARED(V9)
        vpaddd  v11, v11, v12
        vpaddd  v10, v10, v15
        vpaddd  v9, v9, v14
        vpbroadcastd v6, SHARED(V6)
        vpbroadcastd v5, SHARED(V5)
        vpxor   v6, v6, v11
        vpxor   v5, v5, v10
        vpxor   v4, v4, v9
        rotate_by_shifts v6, 12, v2
        rotate_by_shifts v5, 12, v2
        rotate_by_shifts v4, 12, v2
        vpbroadcastd v2, SHARED(B2)
        vpbroadcastd v1, SHARED(B1)
        vpaddd  v0, v0, MESSAGE(9)
        vpaddd  v3, v3, MESSAGE(15)
        step    vpaddd, v2, v1, v0, v3, v7, v6, v5, v4
        step    vpxor, v13, v12, v15, v14, v2, v1, v0, v3
        step_shuffle v13, v12, v15, v14, ROTATE8
        step    vpaddd, v8, v11, v10, v9, v13, v12, v15, v14
        vmovdqa RESTING_BETWEEN, v11
        step    vpxor, v7, v6, v5, v4, v8, v11, v10, v9
        step_rotate_by_shifts v7, v6, v5, v4, 7, v11
.endm

/* Runs `finish` on each group of eight counters after its last round, and moves rsi on by `stride`. */
.macro for_each_group loop, finish, stride
        prepare
        xor     ecx, ecx
\loop:
        first_diagonals
        rounds_2_to_7
        feed_lower_half
        \finish
        add     rsi, \stride
        add     ecx, 32
        cmp     ecx, 128
        je      \loop\()_done
        vmovdqa v0, COLUMN0_OF_GROUP(0)
        vmovdqa v4, COLUMN0_OF_GROUP(1)
        vmovdqa v8, COLUMN0_OF_GROUP(2)
        vmovdqa v12, COLUMN0_OF_GROUP(3)
        jmp     \loop
\loop\()_done:
.endm

/* Puts columns, v8 to v15, where output blocks of a group have words 0 to 7 (half = 0) or 8 to 15 (half = 32). */
.macro store_columns half
        vmovdqu [out + 0 * 64 + \half], v8
        vmovdqu [out + 1 * 64 + \half], v9
        vmovdqu [out + 2 * 64 + \half], v10
        vmovdqu [out + 3 * 64 + \half], v11
        vmovdqu [out + 4 * 64 + \half], v12
        vmovdqu [out + 5 * 64 + \half], v13
        vmovdqu [out + 6 * 64 + \half], v14
        vmovdqu [out + 7 * 64 + \half], v15
.endm

.macro add_to_columns half
        vpaddw  v8, v8, [out + 0 * 64 + \half]
        vpaddw  v9, v9, [out + 1 * 64 + \half]
        vpaddw  v10, v10, [out + 2 * 64 + \half]
        vpaddw  v11, v11, [out + 3 * 64 + \half]
        vpaddw  v12, v12, [out + 4 * 64 + \half]
        vpaddw  v13, v13, [out + 5 * 64 + \half]
        vpaddw  v14, v14, [out + 6 * 64 + \half]
        vpaddw  v15, v15, [out + 7 * 64 + \half]
        store_columns \half
.endm

/* Words 8 to 15 are v8 to v15, each ^ its word of the chaining value; v11 already rests in its place. */
.macro finish_in_order
        vmovdqa UPPER(0), v8
        vmovdqa UPPER(1), v9
        vmovdqa UPPER(2), v10
        vmovdqa UPPER(4), v12
        vmovdqa UPPER(5), v13
        vmovdqa UPPER(6), v14
        vmovdqa UPPER(7), v15
        transpose_lower_to_upper
        store_columns 0
.irpc i, 01234567
        vpbroadcastd ymm\i, CHAINING_WORD(\i)
.endr
.irpc i, 01234567
        vpxor   ymm\i, ymm\i, UPPER(\i)
.endr
        transpose_lower_to_upper
        store_columns 32
.endm

.macro add_row i, r
        vpaddw  \r, \r, [sums + 128 * (\i)]
        vmovdqa [sums + 128 * (\i)], \r
.endm

.macro sub_row i, r
        vmovdqa v11, [sums + 128 * (\i)]
        vpsubw  v11, v11, \r
        vmovdqa [sums + 128 * (\i)], v11
.endm

.macro upper_row i, r, mix_row
        vpbroadcastd v0, CHAINING_WORD(\i)
        vpxor   \r, v0, \r
        \mix_row \i + 8, \r
.endm

/* Mixes the group's words into their rows, `mix_row` being add_row or sub_row. */
.macro finish_in_lanes mix_row
.irpc i, 01234567
        \mix_row \i, ymm\i
.endr
        upper_row 0, v8, \mix_row
        upper_row 1, v9, \mix_row
        upper_row 2, v10, \mix_row
        vpbroadcastd v0, CHAINING_WORD(3)
        vpxor   v1, v0, RESTING_BETWEEN
        \mix_row 11, v1
        upper_row 4, v12, \mix_row
        upper_row 5, v13, \mix_row
        upper_row 6, v14, \mix_row
        upper_row 7, v15, \mix_row
.endm

.macro finish_by_adding
        finish_in_lanes add_row
.endm

.macro finish_by_subtracting
        finish_in_lanes sub_row
.endm

KERNEL(xof_avx2)
        frame_open FRAME
        for_each_group LOCAL(xof_avx2_group), finish_in_order, 512
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_avx2)

KERNEL(xof_add_avx2)
        frame_open FRAME
        for_each_group LOCAL(xof_add_avx2_group), finish_by_adding, 32
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_add_avx2)

KERNEL(xof_sub_avx2)
        frame_open FRAME
        for_each_group LOCAL(xof_sub_avx2_group), finish_by_subtracting, 32
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_sub_avx2)

#undef sums
#define sums rdi

/* Each group's rows become the columns that `xof` would have stored. */
KERNEL(lanes_to_limbs_avx2)
        mov     ecx, 4
LOCAL(lanes_to_limbs_avx2_group):
.irpc i, 01234567
        vmovdqa ymm\i, [sums + 128 * \i]
.endr
        transpose_lower_to_upper
        add_to_columns 0
.irpc i, 01234567
        vmovdqa ymm\i, [sums + 128 * \i + 1024]
.endr
        transpose_lower_to_upper
        add_to_columns 32
        add     sums, 32
        add     out, 512
        dec     ecx
        jnz     LOCAL(lanes_to_limbs_avx2_group)
        vzeroupper
        ret
KERNEL_END(lanes_to_limbs_avx2)

        lanes_constants
        .p2align 5
LOCAL(xof_avx2_counters): /* 0 to 31, rotated by 16 */
        .long   0 << 16, 1 << 16, 2 << 16, 3 << 16, 4 << 16, 5 << 16, 6 << 16, 7 << 16
        .long   8 << 16, 9 << 16, 10 << 16, 11 << 16, 12 << 16, 13 << 16, 14 << 16, 15 << 16
        .long   16 << 16, 17 << 16, 18 << 16, 19 << 16, 20 << 16, 21 << 16, 22 << 16, 23 << 16
        .long   24 << 16, 25 << 16, 26 << 16, 27 << 16, 28 << 16, 29 << 16, 30 << 16, 31 << 16
LOCAL(xof_avx2_iv0):
        .long   IV0, IV0, IV0, IV0, IV0, IV0, IV0, IV0

OBJECT_END
