/*
 * The same number of blocks of 32 chunks side by side, each absorbed into its own chaining value.
 *
 *   void absorb_all_lanes_avx512(LaneVector lanes[2], size_t offset, size_t count, uint32_t flags);
 *
 * lanes   twice 896 bytes (chunks.h), 64-byte aligned, read; their chaining values written
 * offset  of the lanes' first blocks, bytes from where their pointers point
 * count   1 to 15
 * flags   those of every block but the first
 *
 * Registers: zmm0 to zmm31, rsi, rdx, r8 to r11. Stack: 2368 bytes.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations: 1712 a block of 32 lanes.
 *
 * State word i of the first sixteen lanes is in zmm<i>, of the others in zmm<16 + i> (two_states_avx512.h).
 */

#include "abi.h"
#include "blake3.h"

/* The frame. */
#define MESSAGE(i, k) [rsp + 1024 * (k) + 64 * (i)]
#define LENGTHS(k) [rsp + 2048 + 64 * (k)] /* of the block at hand */
#define FLAGS(k) [rsp + 2176 + 64 * (k)]   /* likewise */
#define FRAME 2304

#include "two_states_avx512.h"
#include "chunks_avx512.h"

.macro one_add_message d, i, k
        vpaddd  zmm\d, zmm\d, MESSAGE(\i, \k)
.endm

.macro add_message s, d, i
        one_add_message %(\s + \d), \i, %(\s / 16)
.endm

.macro store_word r, i, k
        vmovdqa32 MESSAGE(\i, \k), zmm\r
.endm

.macro load_and_store_messages k
        load_messages \k
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        store_word %(\i + 16), \i, \k
.endr
.endm

.macro one_load_chaining d, i, k
        vmovdqa32 zmm\d, CHAINING(\i, \k)
.endm

.macro one_store_chaining d, i, k
        vmovdqa32 CHAINING(\i, \k), zmm\d
.endm

KERNEL(absorb_all_lanes_avx512)
        frame_open FRAME
.irpc k, 01
        vmovdqa32 zmm0, FIRST_LENGTHS(\k)
        vmovdqa32 zmm1, FIRST_FLAGS(\k)
        vmovdqa32 LENGTHS(\k), zmm0
        vmovdqa32 FLAGS(\k), zmm1
.endr
LOCAL(absorb_all_lanes_avx512_block):
        load_and_store_messages 0
        load_and_store_messages 1

        /* The initial state. */
.irpc i, 01234567
        one_load_chaining \i, \i, 0
        one_load_chaining %(\i + 16), \i, 1
.endr
        vpbroadcastd zmm8, INITIAL_WORD(0)
        vpbroadcastd zmm9, INITIAL_WORD(1)
        vpbroadcastd zmm10, INITIAL_WORD(2)
        vpbroadcastd zmm11, INITIAL_WORD(3)
        vmovdqa32 zmm24, zmm8
        vmovdqa32 zmm25, zmm9
        vmovdqa32 zmm26, zmm10
        vmovdqa32 zmm27, zmm11
        vmovdqa32 zmm12, COUNTERS_LOWER(0)
        vmovdqa32 zmm28, COUNTERS_LOWER(1)
        vmovdqa32 zmm13, COUNTERS_UPPER(0)
        vmovdqa32 zmm29, COUNTERS_UPPER(1)
        vmovdqa32 zmm14, LENGTHS(0)
        vmovdqa32 zmm30, LENGTHS(1)
        vmovdqa32 zmm15, FLAGS(0)
        vmovdqa32 zmm31, FLAGS(1)

        round    0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        rounds_2_to_7

        /* The chaining value is the xor of the state's halves. */
.irpc i, 01234567
        word    vpxord, \i, \i, %(\i + 8)
        one_store_chaining \i, \i, 0
        one_store_chaining %(\i + 16), \i, 1
.endr
        vpbroadcastd zmm0, WHOLE_BLOCK
        vpbroadcastd zmm1, flags
        vmovdqa32 LENGTHS(0), zmm0
        vmovdqa32 LENGTHS(1), zmm0
        vmovdqa32 FLAGS(0), zmm1
        vmovdqa32 FLAGS(1), zmm1
        add     offset, 64
        dec     count
        jnz     LOCAL(absorb_all_lanes_avx512_block)
        frame_close
        vzeroupper
        ret
KERNEL_END(absorb_all_lanes_avx512)

        chunks_constants

OBJECT_END
