/*
 * The same number of blocks of eight chunks side by side, each absorbed into its own chaining value.
 *
 *   void absorb_many_avx2(LaneGroup *lanes, size_t offset, size_t count, uint32_t flags);
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

/* All 16 registers hold state, word i in ymm<i>, but a rotation needs a temporary register. So while words b are rotated, one
 * of the words c, which are needed last, rests in memory. A word that rested every time would wait for its own stores (some
 * nine cycles each, twice a half round). So each of the four words c rests once a round: within a half round, or from one half
 * round to the next. Before the columns and after the diagonals, v11 rests. */

.macro step_message d0, d1, d2, d3, i0, i1, i2, i3
        vpaddd  \d0, \d0, MESSAGE(\i0)
        vpaddd  \d1, \d1, MESSAGE(\i1)
        vpaddd  \d2, \d2, MESSAGE(\i2)
        vpaddd  \d3, \d3, MESSAGE(\i3)
.endm

/* Four quarter rounds side by side, on the columns or the diagonals. c3 rests when it begins, c2 within it, c1 when it ends. */
.macro quarter_rounds a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, x0, x1, x2, x3, y0, y1, y2, y3
        step_message \a0, \a1, \a2, \a3, \x0, \x1, \x2, \x3
        step    vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
        step    vpxor, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
        step_shuffle \d0, \d1, \d2, \d3, ROTATE16
        vpaddd  \c0, \c0, \d0
        vpaddd  \c1, \c1, \d1
        vpaddd  \c2, \c2, \d2
        vpaddd  \c3, \d3, RESTING_BETWEEN
        vmovdqa RESTING_WITHIN, \c2
        step    vpxor, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
        step_rotate_by_shifts \b0, \b1, \b2, \b3, 12, \c2
        step_message \a0, \a1, \a2, \a3, \y0, \y1, \y2, \y3
        step    vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
        step    vpxor, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
        step_shuffle \d0, \d1, \d2, \d3, ROTATE8
        vpaddd  \c0, \c0, \d0
        vpaddd  \c1, \c1, \d1
        vpaddd  \c2, \d2, RESTING_WITHIN
        vpaddd  \c3, \c3, \d3
        vmovdqa RESTING_BETWEEN, \c1
        step    vpxor, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
        step_rotate_by_shifts \b0, \b1, \b2, \b3, 7, \c1
.endm

.macro columns x0, y0, x1, y1, x2, y2, x3, y3
        quarter_rounds v0, v1, v2, v3,  v4, v5, v6, v7,  v8, v9, v10, v11,  v12, v13, v14, v15,  \x0, \x1, \x2, \x3, \y0, \y1, \y2, \y3
.endm

.macro diagonals x0, y0, x1, y1, x2, y2, x3, y3
        quarter_rounds v0, v1, v2, v3,  v5, v6, v7, v4,  v10, v11, v8, v9,  v15, v12, v13, v14,  \x0, \x1, \x2, \x3, \y0, \y1, \y2, \y3
.endm

.macro round m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15
        columns   \m0, \m1, \m2, \m3, \m4, \m5, \m6, \m7
        diagonals \m8, \m9, \m10, \m11, \m12, \m13, \m14, \m15
.endm

/* After the last round: words 0 to 7 are v0 ^ v8 to v7 ^ v15. */
.macro feed_lower_half
        vpxor   v0, v0, v8
        vpxor   v1, v1, v9
        vpxor   v2, v2, v10
        vpxor   v3, v3, RESTING_BETWEEN
        vpxor   v4, v4, v12
        vpxor   v5, v5, v13
        vpxor   v6, v6, v14
        vpxor   v7, v7, v15
.endm

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

KERNEL(absorb_many_avx2)
        frame_open FRAME
        vmovdqa v0, FIRST_FLAGS(0)
        vmovdqa v1, FIRST_LENGTHS(0)
        vmovdqa FLAGS, v0
        vmovdqa LENGTHS, v1
LOCAL(absorb_many_avx2_block):
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
        jnz     LOCAL(absorb_many_avx2_block)
        frame_close
        vzeroupper
        ret
KERNEL_END(absorb_many_avx2)

        chunks_constants

OBJECT_END
