/*
 * BLAKE3 in sixteen lanes: state word i of sixteen compressions in zmm<s + i>, s being 0 or, of a second state, 16.
 *
 * Needs macros of register numbers:
 *   add_message s, d, i     word d of state s += message word i in every lane
 *   quarter_rounds words    four quarter rounds of every state, by quarter_step
 */

.macro one_word operation, d, a, b
        \operation zmm\d, zmm\a, zmm\b
.endm

.macro one_rotate d, n
        vprord  zmm\d, zmm\d, \n
.endm

/* One step of four quarter rounds of state s. */
.macro step s, operation, d0, d1, d2, d3, b0, b1, b2, b3
        one_word \operation, %(\s + \d0), %(\s + \d0), %(\s + \b0)
        one_word \operation, %(\s + \d1), %(\s + \d1), %(\s + \b1)
        one_word \operation, %(\s + \d2), %(\s + \d2), %(\s + \b2)
        one_word \operation, %(\s + \d3), %(\s + \d3), %(\s + \b3)
.endm

.macro step_message s, d0, d1, d2, d3, i0, i1, i2, i3
        add_message \s, \d0, \i0
        add_message \s, \d1, \i1
        add_message \s, \d2, \i2
        add_message \s, \d3, \i3
.endm

.macro step_rotate s, d0, d1, d2, d3, n
        one_rotate %(\s + \d0), \n
        one_rotate %(\s + \d1), \n
        one_rotate %(\s + \d2), \n
        one_rotate %(\s + \d3), \n
.endm

#define QUARTER_STEPS 14

/* Step n of so many. */
.macro quarter_step n, s, a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, x0, x1, x2, x3, y0, y1, y2, y3
.if \n == 0
        step_message \s, \a0, \a1, \a2, \a3, \x0, \x1, \x2, \x3
.elseif \n == 7
        step_message \s, \a0, \a1, \a2, \a3, \y0, \y1, \y2, \y3
.elseif \n == 1 || \n == 8
        step    \s, vpaddd, \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3
.elseif \n == 2 || \n == 9
        step    \s, vpxord, \d0, \d1, \d2, \d3, \a0, \a1, \a2, \a3
.elseif \n == 3
        step_rotate \s, \d0, \d1, \d2, \d3, 16
.elseif \n == 10
        step_rotate \s, \d0, \d1, \d2, \d3, 8
.elseif \n == 4 || \n == 11
        step    \s, vpaddd, \c0, \c1, \c2, \c3, \d0, \d1, \d2, \d3
.elseif \n == 5 || \n == 12
        step    \s, vpxord, \b0, \b1, \b2, \b3, \c0, \c1, \c2, \c3
.elseif \n == 6
        step_rotate \s, \b0, \b1, \b2, \b3, 12
.elseif \n == 13
        step_rotate \s, \b0, \b1, \b2, \b3, 7
.endif
.endm

.macro round m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15
        quarter_rounds 0, 1, 2, 3,  4, 5, 6, 7,  8, 9, 10, 11,  12, 13, 14, 15,  \m0, \m2, \m4, \m6,  \m1, \m3, \m5, \m7
        quarter_rounds 0, 1, 2, 3,  5, 6, 7, 4,  10, 11, 8, 9,  15, 12, 13, 14,  \m8, \m10, \m12, \m14,  \m9, \m11, \m13, \m15
.endm

/* Four rows become four columns in each 128-bit part: r0 to r3 then hold columns 0, 4, 8, 12 and the next. */
.macro transpose_parts r0, r1, r2, r3, t0, t1, t2, t3
        vpunpckldq \t0, \r0, \r1
        vpunpckhdq \t1, \r0, \r1
        vpunpckldq \t2, \r2, \r3
        vpunpckhdq \t3, \r2, \r3
        vpunpcklqdq \r0, \t0, \t2
        vpunpckhqdq \r1, \t0, \t2
        vpunpcklqdq \r2, \t1, \t3
        vpunpckhqdq \r3, \t1, \t3
.endm

/* The four parts of a column come together: parts 0 of r0 to r3 in r0, parts 1 in r1, and so on. */
.macro gather_parts r0, r1, r2, r3, t0, t1, t2, t3
        vshufi32x4 \t0, \r0, \r1, 0x44
        vshufi32x4 \t1, \r2, \r3, 0x44
        vshufi32x4 \t2, \r0, \r1, 0xee
        vshufi32x4 \t3, \r2, \r3, 0xee
        vshufi32x4 \r0, \t0, \t1, 0x88
        vshufi32x4 \r1, \t0, \t1, 0xdd
        vshufi32x4 \r2, \t2, \t3, 0x88
        vshufi32x4 \r3, \t2, \t3, 0xdd
.endm
