/*
 * A root node's 32 output blocks (2048 bytes), in four groups of eight counters; and the sums of many.
 *
 *   void xof_avx2(const RootNode *node, uint16_t out[1024]);
 *     stored, in order
 *   void xof_add_avx2(const RootNode *node, uint32_t sums[16][32], uint8_t guard[16]);
 *     added into lane sums, 16 bits at a time; the first 16 bytes are also stored
 *   void xof_sub_avx2(const RootNode *node, uint32_t sums[16][32], uint8_t guard[16]);
 *     subtracted from lane sums; the first 16 bytes are also stored
 *   void lanes_to_limbs_avx2(const uint32_t sums[16][32], uint16_t limbs[1024]);
 *     lane sums, put in order, added to limbs
 *
 * node    104 bytes (blake3.h), any alignment, read
 * out     2048 bytes, any alignment, written
 * sums    2048 bytes, 64-byte aligned, read and, but for the last, written: for each state word the 32 counters side by side
 * guard   16 bytes, any alignment, written
 * limbs   2048 bytes, any alignment, read and written
 *
 * Registers: ymm0 to ymm15, eax, ecx, edx, r8d, r9d, r10, rdi, rsi. Stack: 3072 bytes.
 * Gate: avx2, bmi2.
 * Vector operations: 3764 of BLAKE3 (4032 without first-round sharing), 64 that feed forward, and 192 that transpose or
 * 71 that add to sums and gather the guard.
 */

#include "abi.h"
#include "blake3.h"

#define node rdi
#define out  rsi
#define sums rsi
#define guard r10 /* rdx is used for the shared words */

/* The frame. The state has the shape of the sums: word by word, each word's four groups of eight counters side by side. */
#define MESSAGE_AT(position, g) [rsp + rax + 32 * (position)] /* rounds_avx2.h; the same for all groups */
#define MESSAGE(position) [rsp + 32 * (position)]
#define STATE(w, g) [rsp + 896 + 128 * (w) + 32 * (g)]
#define LOWER(w, g) STATE(w, g)
#define UPPER(w, g) STATE(w, g)
#define STATE_OF_GROUP(w) [rsp + rcx + 896 + 128 * (w)] /* of the group at hand, rcx = 32 g */
#define SHARED(i) [rsp + 2944 + 4 * (i)] /* lane-invariant words (first_round.h), each once */
#define FRAME 3008

#include "lanes_avx2.h"
#include "rounds_avx2.h"
#include "first_round.h"

.macro place_message i, r, position, g
        vpbroadcastd \r, BLOCK_WORD(\i)
        vmovdqa MESSAGE(\position), \r
.endm

/* Column 0 of all counters, group g's in v<g>, v<4 + g>, v<8 + g>, v<12 + g>. Up to its first rotation, it differs by a
 * constant: v12 = rotated (v0 ^ counter). */
.macro first_column_0
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
        vpaddd  v9, v8, v13
        vpaddd  v10, v8, v14
        vpaddd  v11, v8, v15
        vpaddd  v8, v8, v12
        vmovdqa STATE(8, 3), v11
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
        vpaddd  v11, v15, STATE(8, 3)
        step    vpxor, v4, v5, v6, v7, v8, v9, v10, v11
        vmovdqa STATE(8, 3), v11
        step_rotate_by_shifts v4, v5, v6, v7, 7, v11
        store_row 0, v0, v1, v2, v3
        store_row 4, v4, v5, v6, v7
        vmovdqa STATE(8, 0), v8
        vmovdqa STATE(8, 1), v9
        vmovdqa STATE(8, 2), v10
        store_row 12, v12, v13, v14, v15
.endm

.macro store_row w, r0, r1, r2, r3
        vmovdqa STATE(\w, 0), \r0
        vmovdqa STATE(\w, 1), \r1
        vmovdqa STATE(\w, 2), \r2
        vmovdqa STATE(\w, 3), \r3
.endm

/* A group's first diagonals, from column 0 and the shared words, each of which is broadcast when needed. v2 is the
 * temporary until its turn comes. */
.macro first_diagonals
        vpbroadcastd v13, SHARED(V13)
        vpbroadcastd v5, SHARED(A0)
        vpbroadcastd v1, SHARED(A1)
        vpbroadcastd v3, SHARED(A3)
        vpaddd  v8, v13, STATE_OF_GROUP(8)
        vpaddd  v0, v5, STATE_OF_GROUP(0)
        vpxor   v12, v1, STATE_OF_GROUP(12)
        vpaddd  v3, v3, STATE_OF_GROUP(4)
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
        vpxor   v4, v9, STATE_OF_GROUP(4)
        rotate_by_shifts v6, 12, v2
        rotate_by_shifts v5, 12, v2
        rotate_by_shifts v4, 12, v2
        vpbroadcastd v2, SHARED(B2)
        vpbroadcastd v1, SHARED(B1)
        vpaddd  v0, v0, MESSAGE(5) /* message word 9 */
        vpaddd  v3, v3, MESSAGE(20) /* message word 15 */
        step    vpaddd, v2, v1, v0, v3, v7, v6, v5, v4
        step    vpxor, v13, v12, v15, v14, v2, v1, v0, v3
        step_shuffle v13, v12, v15, v14, ROTATE8
        step    vpaddd, v8, v11, v10, v9, v13, v12, v15, v14
        vmovdqa STATE_OF_GROUP(11), v11
        step    vpxor, v7, v6, v5, v4, v8, v11, v10, v9
        step_rotate_by_shifts v7, v6, v5, v4, 7, v11
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15
        vmovdqa STATE_OF_GROUP(\i), ymm\i
.endr
.endm

/* All seven rounds in all 32 lanes. */
.macro compress diagonals_loop, rounds_loop
        first_column_0
        shared_words
        place_words_0_to_7 place_message, all
        place_words_8_to_15 place_message, all
        xor     ecx, ecx
\diagonals_loop:
        first_diagonals
        add     ecx, 32
        cmp     ecx, 128
        jne     \diagonals_loop

        xor     eax, eax
\rounds_loop:
        repeat_first_words all
        add     eax, 32
        round_in_flight 3
        cmp     eax, 6 * 32
        jne     \rounds_loop
.endm

/* Runs `finish` on each group of eight counters, and moves rsi on by `stride`. */
.macro for_each_group loop, finish, stride
        xor     ecx, ecx
\loop:
        \finish
        add     rsi, \stride
        add     ecx, 32
        cmp     ecx, 128
        jne     \loop
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

/* Output words 0 to 7 are state words 0 to 7, each ^ the one eight after it; 8 to 15 are these, each ^ a word of the
 * chaining value. */
.macro finish_in_order
.irpc i, 01234567
        vmovdqa ymm\i, STATE_OF_GROUP(\i)
        vpxor   ymm\i, ymm\i, STATE_OF_GROUP(\i + 8)
.endr
        transpose_lower_to_upper
        store_columns 0
.irpc i, 01234567
        vpbroadcastd ymm\i, CHAINING_WORD(\i)
        vpxor   ymm\i, ymm\i, STATE_OF_GROUP(\i + 8)
.endr
        transpose_lower_to_upper
        store_columns 32
.endm

.macro add_row i, r
        vpaddw  \r, \r, [sums + 128 * (\i)]
        vmovdqa [sums + 128 * (\i)], \r
.endm

.macro sub_row i, r
        vmovdqa v2, [sums + 128 * (\i)]
        vpsubw  v2, v2, \r
        vmovdqa [sums + 128 * (\i)], v2
.endm

/* Mixes a group's output words i and i + 8 into their rows, `mix_row` being add_row or sub_row. */
.macro mix_two_rows mix_row, i, chaining_word
        vmovdqa v1, STATE_OF_GROUP(\i + 8)
        vpxor   v0, v1, STATE_OF_GROUP(\i)
        vpxor   v1, v1, \chaining_word
        \mix_row \i, v0
        \mix_row \i + 8, v1
.endm

.macro finish_in_lanes mix_row
        mix_two_rows \mix_row, 0, v8
        mix_two_rows \mix_row, 1, v9
        mix_two_rows \mix_row, 2, v10
        mix_two_rows \mix_row, 3, v11
        mix_two_rows \mix_row, 4, v12
        mix_two_rows \mix_row, 5, v13
        mix_two_rows \mix_row, 6, v14
        mix_two_rows \mix_row, 7, v15
.endm

.macro finish_by_adding
        finish_in_lanes add_row
.endm

.macro finish_by_subtracting
        finish_in_lanes sub_row
.endm

/* The guard is words 0 to 3 of output block 0. One store, so that it can be read at once. */
.macro store_guard
.irpc i, 0123
        vmovdqa xmm\i, STATE(\i, 0)
        vpxor   xmm\i, xmm\i, STATE(\i + 8, 0)
.endr
        vpunpckldq xmm0, xmm0, xmm1
        vpunpckldq xmm2, xmm2, xmm3
        vpunpcklqdq xmm0, xmm0, xmm2
        vmovdqu xmmword ptr [guard], xmm0
.endm

.macro broadcast_chaining_value
        vpbroadcastd v8, CHAINING_WORD(0)
        vpbroadcastd v9, CHAINING_WORD(1)
        vpbroadcastd v10, CHAINING_WORD(2)
        vpbroadcastd v11, CHAINING_WORD(3)
        vpbroadcastd v12, CHAINING_WORD(4)
        vpbroadcastd v13, CHAINING_WORD(5)
        vpbroadcastd v14, CHAINING_WORD(6)
        vpbroadcastd v15, CHAINING_WORD(7)
.endm

KERNEL(xof_avx2)
        frame_open FRAME
        compress LOCAL(xof_avx2_diagonals), LOCAL(xof_avx2_rounds)
        for_each_group LOCAL(xof_avx2_group), finish_in_order, 512
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_avx2)

KERNEL(xof_add_avx2)
        frame_open FRAME
        mov     guard, rdx
        compress LOCAL(xof_add_avx2_diagonals), LOCAL(xof_add_avx2_rounds)
        store_guard
        broadcast_chaining_value
        for_each_group LOCAL(xof_add_avx2_group), finish_by_adding, 32
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_add_avx2)

KERNEL(xof_sub_avx2)
        frame_open FRAME
        mov     guard, rdx
        compress LOCAL(xof_sub_avx2_diagonals), LOCAL(xof_sub_avx2_rounds)
        store_guard
        broadcast_chaining_value
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
LOCAL(xof_avx2_counters):
        rotated_counters
LOCAL(xof_avx2_iv0):
        .long   IV0, IV0, IV0, IV0, IV0, IV0, IV0, IV0

OBJECT_END
