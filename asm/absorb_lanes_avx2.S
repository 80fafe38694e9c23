/*
 * The same number of blocks of eight chunks side by side, each absorbed into its own chaining value.
 *
 *   void absorb_lanes_avx2(LaneVector *lanes, size_t offset, size_t count, uint32_t flags);
 *
 * lanes   448 bytes (chunks.h), 32-byte aligned, read; its chaining values written
 * offset  of the lanes' first blocks, bytes from where their pointers point
 * count   1 to 15
 * flags   those of every block but the first
 *
 * Registers: ymm0 to ymm15, rsi, rdx, r8 to r11. Stack: 704 bytes.
 * Gate: avx2, bmi2.
 * Vector operations: 1064 a block of eight lanes.
 */

#include "abi.h"
#include "blake3.h"

/* The frame. */
#define MESSAGE(i) [rsp + 32 * (i)]
#define FLAGS [rsp + 512]   /* of the block at hand */
#define LENGTHS [rsp + 544] /* likewise */
#define RESTING_WITHIN [rsp + 576]
#define RESTING_BETWEEN [rsp + 608]
#define FRAME 640

#include "lanes_avx2.h"
#include "chunks_avx2.h"
#include "rounds_in_registers_avx2.h"

.macro load_half_message half
        load_half 0, \half
        vmovdqa MESSAGE(8 * \half), v8
        vmovdqa MESSAGE(8 * \half + 1), v9
        vmovdqa MESSAGE(8 * \half + 2), v10
        vmovdqa MESSAGE(8 * \half + 3), v11
        vmovdqa MESSAGE(8 * \half + 4), v12
        vmovdqa MESSAGE(8 * \half + 5), v13
        vmovdqa MESSAGE(8 * \half + 6), v14
        vmovdqa MESSAGE(8 * \half + 7), v15
.endm

KERNEL(absorb_lanes_avx2)
        frame_open FRAME
        vmovdqa v0, FIRST_FLAGS(0)
        vmovdqa v1, FIRST_LENGTHS(0)
        vmovdqa FLAGS, v0
        vmovdqa LENGTHS, v1
LOCAL(absorb_lanes_avx2_block):
        load_half_message 0
        load_half_message 1

        /* The initial state. */
.irpc i, 01234567
        vmovdqa ymm\i, CHAINING(\i, 0)
.endr
        vmovdqa v11, INITIAL_WORD(3)
        vmovdqa RESTING_BETWEEN, v11
        vmovdqa v8, INITIAL_WORD(0)
        vmovdqa v9, INITIAL_WORD(1)
        vmovdqa v10, INITIAL_WORD(2)
        vmovdqa v12, COUNTERS_LOWER(0)
        vmovdqa v13, COUNTERS_UPPER(0)
        vmovdqa v14, LENGTHS
        vmovdqa v15, FLAGS

        round    0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        rounds_2_to_7

        feed_lower_half
.irpc i, 01234567
        vmovdqa CHAINING(\i, 0), ymm\i
.endr
        vmovd   xmm0, flags
        vpbroadcastd v0, xmm0
        vmovdqa v1, WHOLE_BLOCK
        vmovdqa FLAGS, v0
        vmovdqa LENGTHS, v1
        add     offset, 64
        dec     count
        jnz     LOCAL(absorb_lanes_avx2_block)
        frame_close
        vzeroupper
        ret
KERNEL_END(absorb_lanes_avx2)

        chunks_constants

OBJECT_END
