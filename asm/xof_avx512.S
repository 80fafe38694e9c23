/*
 * A root node's 32 output blocks (2048 bytes), all counters in one pass; and the sums of many.
 *
 *   void xof_avx512(const RootNode *node, uint16_t out[1024]);
 *     stored, in order
 *   void xof_add_avx512(const RootNode *node, uint32_t sums[16][32], uint8_t guard[16]);
 *     added into lane sums, 16 bits at a time; the first 16 bytes are also stored
 *   void xof_sub_avx512(const RootNode *node, uint32_t sums[16][32], uint8_t guard[16]);
 *     subtracted from lane sums; the first 16 bytes are also stored
 *   void lanes_to_limbs_avx512(const uint32_t sums[16][32], uint16_t limbs[1024]);
 *     lane sums, put in order, added to limbs
 *
 * node    104 bytes (blake3.h), any alignment, read
 * out     2048 bytes, any alignment, written
 * sums    2048 bytes, 64-byte aligned, read and, but for the last, written: for each state word the 32 counters side by side
 * guard   16 bytes, any alignment, written
 * limbs   2048 bytes, any alignment, read and written
 *
 * Registers: zmm0 to zmm31, eax, ecx, edx, r8d, r9d, r10, rdi, rsi. Stack: 1152 bytes.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations: 1460 of BLAKE3 (1568 without first-round sharing), 32 that feed forward, and 128 that transpose or
 * 35 that add to sums and gather the guard.
 *
 * State word i of counters 0 to 15 is in zmm<i>, of counters 16 to 31 in zmm<16 + i> (two_states_avx512.h). Message words
 * and lane-invariant words are broadcast as they are read.
 */

#include "abi.h"
#include "blake3.h"

#define node rdi
#define out  rsi
#define sums rsi
#define guard r10 /* rdx is used for the shared words */

/* The frame. */
#define SHARED(i) dword ptr [rsp + 4 * (i)] /* lane-invariant words (first_round.h), each once */
#define UPPER(i) [rsp + 64 + 64 * (i)]      /* counters 16 to 31 while 0 to 15 are transposed */
#define FRAME 1088

#include "two_states_avx512.h"
#include "first_round.h"

.macro one_add_message d, i
        vpaddd  zmm\d, zmm\d, BLOCK_WORD(\i){1to16}
.endm

.macro add_message s, d, i
        one_add_message %(\s + \d), \i
.endm

/* d = a operation lane-invariant word i. */
.macro one_shared operation, d, a, i
        \operation zmm\d, zmm\a, SHARED(\i){1to16}
.endm

.macro shared operation, d, a, i
        one_shared \operation, \d, \a, \i
        one_shared \operation, %(\d + 16), %(\a + 16), \i
.endm

.macro first_round
        /* Column 0, the only one with the counter. */
        vpbroadcastd zmm0, CHAINING_WORD(0)
        vpaddd  zmm0, zmm0, CHAINING_WORD(4){1to16}
        vpaddd  zmm0, zmm0, BLOCK_WORD(0){1to16}
        vprord  zmm12, zmm0, 16
        vpaddd  zmm0, zmm0, BLOCK_WORD(1){1to16}
        vpxord  zmm28, zmm12, [rip + LOCAL(xof_avx512_counters) + 64]
        vpxord  zmm12, zmm12, [rip + LOCAL(xof_avx512_counters)]
        vpaddd  zmm8, zmm12, dword ptr [rip + LOCAL(xof_avx512_iv0)]{1to16}
        vpaddd  zmm24, zmm28, dword ptr [rip + LOCAL(xof_avx512_iv0)]{1to16}
        vpxord  zmm4, zmm8, CHAINING_WORD(4){1to16}
        vpxord  zmm20, zmm24, CHAINING_WORD(4){1to16}
        rotate 4, 12
        vpaddd  zmm16, zmm0, zmm20
        vpaddd  zmm0, zmm0, zmm4
        word    vpxord, 12, 12, 0
        rotate 12, 8
        word    vpaddd, 8, 8, 12
        word    vpxord, 4, 4, 8
        rotate 4, 7

        shared_words

        /* The diagonals. A word from the general registers is an operand of the first operation that needs it. */
        shared vpaddd, 8, 8, V13
        shared vpaddd, 0, 0, A0
        shared vpxord, 12, 12, A1
        shared vpaddd, 3, 4, A3
        shared vpxord, 7, 8, V7
        shared vpxord, 15, 0, V15
        shared vpxord, 14, 3, V14
        rotate 12, 16
        rotate 15, 16
        rotate 14, 16
        shared vpaddd, 10, 15, V10
        shared vpaddd, 11, 12, V11
        shared vpaddd, 9, 14, V9
        shared vpxord, 5, 10, V5
        shared vpxord, 6, 11, V6
        word    vpxord, 4, 4, 9
.irp s, 0, 16
        step_rotate \s, 5, 6, 7, 4, 12
        add_message \s, 0, 9
.endr
        shared vpaddd, 1, 6, B1
        shared vpaddd, 2, 7, B2
        add_message 0, 3, 15
        add_message 16, 3, 15
        word    vpaddd, 0, 0, 5
        word    vpaddd, 3, 3, 4
        word    vpxord, 15, 15, 0
        word    vpxord, 12, 12, 1
        shared vpxord, 13, 2, V13
        word    vpxord, 14, 14, 3
.irp s, 0, 16
        step_rotate \s, 15, 12, 13, 14, 8
        step    \s, vpaddd, 10, 11, 8, 9, 15, 12, 13, 14
        step    \s, vpxord, 5, 6, 7, 4, 10, 11, 8, 9
        step_rotate \s, 5, 6, 7, 4, 7
.endr
.endm

/* Output words 0 to 7 are state words 0 to 7, each ^ the state word eight after it. Output words 8 to 15 are state words 8 to 15,
 * each ^ a word of the chaining value. */
.macro feed_lower i
        word    vpxord, \i, \i, %(\i + 8)
.endm

.macro one_chaining d, i
        vpxord  zmm\d, zmm\d, CHAINING_WORD(\i){1to16}
.endm

.macro feed_upper i
        one_chaining %(\i + 8), \i
        one_chaining %(\i + 24), \i
.endm

/* The sixteen rows in zmm0 to zmm15 become sixteen columns, which are put into output block `first` and those after it. */
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
        \put   \r0, \first
        \put   \r1, %(\first + 4)
        \put   \r2, %(\first + 8)
        \put   \r3, %(\first + 12)
.endm

.macro store_block r, block
        vmovdqu32 [out + 64 * (\block)], \r
.endm

.macro add_to_block r, block
        vpaddw  \r, \r, [out + 64 * (\block)]
        vmovdqu32 [out + 64 * (\block)], \r
.endm

.macro store_upper i, r
        vmovdqa32 UPPER(\i), zmm\r
.endm

/* Mixes output words r into a row; \d is a register for the sum. */
.macro add_row d, r, place, temporary
        vpaddw  zmm\d, zmm\r, [sums + 64 * (\place)]
        vmovdqa32 [sums + 64 * (\place)], zmm\d
.endm

.macro sub_row d, r, place, temporary
        vmovdqa32 \temporary, [sums + 64 * (\place)]
        vpsubw  \temporary, \temporary, zmm\r
        vmovdqa32 [sums + 64 * (\place)], \temporary
.endm

/* Mixes output words i and i + 8 into their rows, `mix_row` being add_row or sub_row. It goes row by row, so that the stores, of
 * which some processors do one in two cycles, begin early. Word i of counters 0 to 15 stays in its register. */
.macro mix_two_rows mix_row, i, temporary
        feed_lower \i
        \mix_row %(\i + 16), %(\i + 16), %(2 * \i + 1), \temporary
        feed_upper \i
        \mix_row %(\i + 8), %(\i + 8), %(2 * \i + 16), \temporary
        \mix_row %(\i + 24), %(\i + 24), %(2 * \i + 17), \temporary
        \mix_row %(\i + 8), \i, %(2 * \i), \temporary
.endm

/* The guard is words 0 to 3 of output block 0. It is stored at once, so that one load can read it without waiting. */
.macro store_guard
        vpunpckldq xmm0, xmm0, xmm1
        vpunpckldq xmm2, xmm2, xmm3
        vpunpcklqdq xmm0, xmm0, xmm2
        vmovdqu xmmword ptr [guard], xmm0
.endm

KERNEL(xof_avx512)
        frame_open FRAME
        first_round
        rounds_2_to_7
.irpc i, 01234567
        feed_lower \i
        feed_upper \i
.endr

        /* The state of counters 16 to 31 is stored, to make room for the transposition of the others'. */
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        store_upper \i, %(\i + 16)
.endr
        put_columns store_block, 0
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqa32 zmm\i, UPPER(\i)
.endr
        put_columns store_block, 16
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_avx512)

KERNEL(xof_add_avx512)
        frame_open FRAME
        mov     guard, rdx
        first_round
        rounds_2_to_7
.irpc i, 0123
        mix_two_rows add_row, \i, none
.endr
        store_guard
.irpc i, 4567
        mix_two_rows add_row, \i, none
.endr
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_add_avx512)

KERNEL(xof_sub_avx512)
        frame_open FRAME
        mov     guard, rdx
        first_round
        rounds_2_to_7

        /* A difference needs a register of its own: zmm31, whose word waits in memory until zmm0 is free. */
        vmovdqa32 UPPER(15), zmm31
.irpc i, 0123
        mix_two_rows sub_row, \i, zmm31
.endr
        store_guard
.irpc i, 456
        mix_two_rows sub_row, \i, zmm31
.endr
        vmovdqa32 zmm31, UPPER(15)
        mix_two_rows sub_row, 7, zmm0
        frame_close
        vzeroupper
        ret
KERNEL_END(xof_sub_avx512)

#undef sums
#define sums rdi

/* The rows become the columns that `xof` would have stored. */
KERNEL(lanes_to_limbs_avx512)
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqa32 zmm\i, [sums + 128 * \i]
.endr
        put_columns add_to_block, 0
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vmovdqa32 zmm\i, [sums + 128 * \i + 64]
.endr
        put_columns add_to_block, 16
        vzeroupper
        ret
KERNEL_END(lanes_to_limbs_avx512)

        CONSTANTS
        .p2align 6
LOCAL(xof_avx512_counters):
        rotated_counters
LOCAL(xof_avx512_iv0):
        .long   IV0

OBJECT_END
