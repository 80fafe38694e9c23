/*
 * A root node's 32 output blocks (2048 bytes), in four vectors of eight counters, with four quarter rounds in flight; and the sums of
 * many. xof_in_registers_avx2.S has the same in the other form of rounds, which is faster on other processors.
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

/* The frame. The state has the shape of the sums: word by word, each word's four vectors of eight counters side by side. */
#define MESSAGE_AT(position, k) [rsp + rax + 32 * (position)] /* rounds_in_flight_avx2.h; the same for all vectors */
#define MESSAGE(position) [rsp + 32 * (position)]
#define STATE(w, k) [rsp + 896 + 128 * (w) + 32 * (k)]
#define LOWER(w, k) STATE(w, k)
#define UPPER(w, k) STATE(w, k)
#define STATE_OF_VECTOR(w) [rsp + rcx + 896 + 128 * (w)] /* of the vector at hand, rcx = 32 k */
#define WORD_11_OF_VECTOR STATE_OF_VECTOR(11)
#define UPPER_OF_VECTOR(i) STATE_OF_VECTOR(8 + i)
#define MESSAGE_WORD_9 MESSAGE(5)
#define MESSAGE_WORD_15 MESSAGE(20)
#define SHARED(i) [rsp + 2944 + 4 * (i)] /* lane-invariant words (first_round.h), each once */
#define FRAME 3008

#define mixed v2

#include "xof_avx2.h"
#include "rounds_in_flight_avx2.h"

.macro place_message i, r, position, k
        vpbroadcastd \r, BLOCK_WORD(\i)
        vmovdqa MESSAGE(\position), \r
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
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15
        vmovdqa STATE_OF_VECTOR(\i), ymm\i
.endr
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

.macro lower_half
.irpc i, 01234567
        vmovdqa ymm\i, STATE_OF_VECTOR(\i)
        vpxor   ymm\i, ymm\i, STATE_OF_VECTOR(\i + 8)
.endr
.endm

.macro finish_in_order
        store_in_order lower_half
.endm

/* Mixes a vector's output words i and i + 8 into their rows, `mix_row` being add_row or sub_row. */
.macro mix_two_rows mix_row, i, chaining_word
        vmovdqa v1, STATE_OF_VECTOR(\i + 8)
        vpxor   v0, v1, STATE_OF_VECTOR(\i)
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

.macro load_guard
.irpc i, 0123
        vmovdqa xmm\i, STATE(\i, 0)
        vpxor   xmm\i, xmm\i, STATE(\i + 8, 0)
.endr
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
        for_each_vector LOCAL(xof_avx2_vector), finish_in_order, 512
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_avx2)

KERNEL(xof_add_avx2)
        frame_open FRAME
        mov     guard, rdx
        compress LOCAL(xof_add_avx2_diagonals), LOCAL(xof_add_avx2_rounds)
        load_guard
        store_guard
        broadcast_chaining_value
        for_each_vector LOCAL(xof_add_avx2_vector), finish_by_adding, 32
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_add_avx2)

KERNEL(xof_sub_avx2)
        frame_open FRAME
        mov     guard, rdx
        compress LOCAL(xof_sub_avx2_diagonals), LOCAL(xof_sub_avx2_rounds)
        load_guard
        store_guard
        broadcast_chaining_value
        for_each_vector LOCAL(xof_sub_avx2_vector), finish_by_subtracting, 32
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_sub_avx2)

#undef sums
#define sums rdi

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

/* Each vector's rows become the columns that `xof` would have stored. */
KERNEL(lanes_to_limbs_avx2)
        mov     ecx, 4
LOCAL(lanes_to_limbs_avx2_vector):
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
        jnz     LOCAL(lanes_to_limbs_avx2_vector)
        vzeroupper
        ret
KERNEL_END(lanes_to_limbs_avx2)

        xof_constants

OBJECT_END
