/*
 * BLAKE3's rounds in one vector of eight lanes, its state in the registers.
 *
 * Word i is in ymm<i>. So all 16 registers hold state, but a rotation needs a temporary one. So while words b are rotated, one
 * of the words c, which are needed last, rests in memory. A word that rested every time would wait for its own stores (some nine cycles
 * each, twice a half round). So each of the four words c rests once a round: within a half round, or from one half round to the
 * next. Before the columns and after the diagonals, v11 rests.
 *
 * Needs lanes_avx2.h and, in 32-byte aligned memory, MESSAGE(i), the message words in every lane, and RESTING_WITHIN and RESTING_BETWEEN.
 */

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
