/*
 * A root node's 32 output blocks (2048 bytes), one vector of eight counters after the other, their state in the registers.
 * xof_avx2.S has the same in the other form of rounds, which is faster on other processors.
 *
 *   void xof_in_registers_avx2(const RootNode *node, uint16_t out[1024]);
 *     stored, in order
 *   void xof_add_in_registers_avx2(const RootNode *node, uint32_t sums[16][32], uint8_t guard[16]);
 *     added into lane sums, 16 bits at a time; the first 16 bytes are also stored
 *   void xof_sub_in_registers_avx2(const RootNode *node, uint32_t sums[16][32], uint8_t guard[16]);
 *     subtracted from lane sums; the first 16 bytes are also stored
 *
 * node    104 bytes (blake3.h), any alignment, read
 * out     2048 bytes, any alignment, written
 * sums    2048 bytes, 64-byte aligned, read and written: for each state word the 32 counters side by side
 * guard   16 bytes, any alignment, written
 *
 * Registers: ymm0 to ymm15, eax, ecx, edx, r8d, r9d, r10, rdi, rsi. Stack: 1408 bytes.
 * Gate: avx2, bmi2.
 * Vector operations: 3764 of BLAKE3 (4032 without first-round sharing), 64 that feed forward, and 192 that transpose or
 * 67 that add to sums and gather the guard.
 */

#include "abi.h"
#include "blake3.h"

/* The frame. */
#define MESSAGE(i) [rsp + 32 * (i)]
#define STATE(w, k) [rsp + 512 + 32 * (w) + 32 * (k)] /* words 0, 4, 8 and 12 of the four vectors after their column */
#define STATE_OF_VECTOR(w) [rsp + rcx + 512 + 32 * (w)]
#define UPPER_OF_VECTOR(i) [rsp + 1024 + 32 * (i)]
#define WORD_11_OF_VECTOR UPPER_OF_VECTOR(3)
#define RESTING_WITHIN UPPER_OF_VECTOR(0)
#define RESTING_BETWEEN UPPER_OF_VECTOR(3)
#define MESSAGE_WORD_9 MESSAGE(9)
#define MESSAGE_WORD_15 MESSAGE(15)
#define SHARED(i) [rsp + 1280 + 4 * (i)] /* lane-invariant words (first_round.h), each once */
#define FRAME 1344

#define mixed v11

#include "xof_avx2.h"
#include "rounds_in_registers_avx2.h"

/* What is computed once for all vectors. */
.macro prepare
        first_column_0
        shared_words
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vpbroadcastd v0, BLOCK_WORD(\i)
        vmovdqa MESSAGE(\i), v0
.endr
.endm

/* All seven rounds of a vector. Afterwards output words 0 to 7 are in v0 to v7, and state words 8 to 15 in v8 to v15, except word
 * 11. */
.macro compress
        first_diagonals
        rounds_2_to_7
        feed_lower_half
.endm

.macro save_upper_half
        vmovdqa UPPER_OF_VECTOR(0), v8
        vmovdqa UPPER_OF_VECTOR(1), v9
        vmovdqa UPPER_OF_VECTOR(2), v10
        vmovdqa UPPER_OF_VECTOR(4), v12
        vmovdqa UPPER_OF_VECTOR(5), v13
        vmovdqa UPPER_OF_VECTOR(6), v14
        vmovdqa UPPER_OF_VECTOR(7), v15
.endm

.macro in_order
        compress
        store_in_order save_upper_half
.endm

/* Output word 8 + i is state word 8 + i, in r, ^ a word of the chaining value. v4 is free, since its word has been mixed before. */
.macro upper_row mix_row, i, r
        vpbroadcastd v4, CHAINING_WORD(\i)
        vpxor   v4, v4, \r
        \mix_row \i + 8, v4
.endm

/* Mixes a vector's output words into their rows, `mix_row` being add_row or sub_row. It leaves v0 to v3 for the guard. */
.macro in_lanes mix_row
        compress
.irpc i, 01234567
        \mix_row \i, ymm\i
.endr
        upper_row \mix_row, 0, v8
        upper_row \mix_row, 1, v9
        upper_row \mix_row, 2, v10
        upper_row \mix_row, 3, WORD_11_OF_VECTOR
        upper_row \mix_row, 4, v12
        upper_row \mix_row, 5, v13
        upper_row \mix_row, 6, v14
        upper_row \mix_row, 7, v15
.endm

.macro by_adding
        in_lanes add_row
.endm

.macro by_subtracting
        in_lanes sub_row
.endm

KERNEL(xof_in_registers_avx2)
        frame_open FRAME
        prepare
        for_each_vector LOCAL(xof_in_registers_avx2_vector), in_order, 512
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_in_registers_avx2)

/* Vector 0 is the last one, so the guard's words are still in registers. */
KERNEL(xof_add_in_registers_avx2)
        frame_open FRAME
        mov     guard, rdx
        prepare
        for_each_vector LOCAL(xof_add_in_registers_avx2_vector), by_adding, 32
        store_guard
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_add_in_registers_avx2)

KERNEL(xof_sub_in_registers_avx2)
        frame_open FRAME
        mov     guard, rdx
        prepare
        for_each_vector LOCAL(xof_sub_in_registers_avx2_vector), by_subtracting, 32
        store_guard
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_sub_in_registers_avx2)

        xof_constants

OBJECT_END
