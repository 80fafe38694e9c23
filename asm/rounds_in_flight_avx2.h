/*
 * BLAKE3's rounds in several groups of eight lanes, their state words in memory.
 *
 * A quarter round's operations wait for one another, and the four of one group are too few to keep the pipes of a
 * processor busy. So four are in flight, each two of its eight lines (BLAKE3 paper, section 2.2, the function G) behind
 * the next, and the next belongs to another group more often than not, whose words were stored long before.
 *
 * Needs lanes_avx2.h and, in 32-byte aligned memory, LOWER(w, g) and UPPER(w, g), state words 0 to 7 and 8 to 15 of group
 * g, and MESSAGE_AT(position, g), its message words in the order that place_words_0_to_7 and place_words_8_to_15 give them,
 * from where the round's begin.
 */

/*
 * From a round to the next, slot s receives the message word of slot p(s), p being the permutation (table 2). It has two
 * cycles of eight: 0, 2, 3, 10, 12, 9, 11, 5 and 1, 6, 4, 7, 13, 14, 15, 8. The words stand in this order, the second
 * cycle's from position 14 on. So all slots of a round are one position further than those of the round before, once
 * the words at the cycles' beginnings, 0 and 14, have been repeated behind their ends, at 8 and 22.
 *
 * `place i, r, position, g` puts message word i of group g, which a kernel may have in r, at a position.
 */
.macro place_words_0_to_7 place, g
        \place  0, v8, 0, \g
        \place  1, v9, 14, \g
        \place  2, v10, 1, \g
        \place  3, v11, 2, \g
        \place  4, v12, 16, \g
        \place  5, v13, 7, \g
        \place  6, v14, 15, \g
        \place  7, v15, 17, \g
.endm

.macro place_words_8_to_15 place, g
        \place  8, v8, 21, \g
        \place  9, v9, 5, \g
        \place  10, v10, 3, \g
        \place  11, v11, 6, \g
        \place  12, v12, 4, \g
        \place  13, v13, 18, \g
        \place  14, v14, 19, \g
        \place  15, v15, 20, \g
.endm

.macro repeat_first_words g
        vmovdqa v0, MESSAGE_AT(0, \g)
        vmovdqa v1, MESSAGE_AT(14, \g)
        vmovdqa MESSAGE_AT(8, \g), v0
        vmovdqa MESSAGE_AT(22, \g), v1
.endm

/* The eight lines of a quarter round with state words wa, wb, wc and wd of group g in a, b, c and d and message words at
 * positions x and y. `free` is the next quarter round's c, which that has yet to load. */
.macro line_1 a, b, c, d, free, g, wa, wb, wc, wd, x, y
        vmovdqa \b, LOWER(\wb, \g)
        vpaddd  \a, \b, LOWER(\wa, \g)
        vpaddd  \a, \a, MESSAGE_AT(\x, \g)
.endm

.macro line_2 a, b, c, d, free, g, wa, wb, wc, wd, x, y
        vpxor   \d, \a, UPPER(\wd, \g)
        vpshufb \d, \d, ROTATE16
.endm

.macro line_3 a, b, c, d, free, g, wa, wb, wc, wd, x, y
        vpaddd  \c, \d, UPPER(\wc, \g)
.endm

.macro line_4 a, b, c, d, free, g, wa, wb, wc, wd, x, y
        vpxor   \b, \b, \c
        rotate_by_shifts \b, 12, \free
.endm

.macro line_5 a, b, c, d, free, g, wa, wb, wc, wd, x, y
        vpaddd  \a, \a, MESSAGE_AT(\y, \g)
        vpaddd  \a, \a, \b
        vmovdqa LOWER(\wa, \g), \a
.endm

.macro line_6 a, b, c, d, free, g, wa, wb, wc, wd, x, y
        vpxor   \d, \d, \a
        vpshufb \d, \d, ROTATE8
        vmovdqa UPPER(\wd, \g), \d
.endm

.macro line_7 a, b, c, d, free, g, wa, wb, wc, wd, x, y
        vpaddd  \c, \c, \d
        vmovdqa UPPER(\wc, \g), \c
.endm

.macro line_8 a, b, c, d, free, g, wa, wb, wc, wd, x, y
        vpxor   \b, \b, \c
        rotate_by_shifts \b, 7, \a
        vmovdqa LOWER(\wb, \g), \b
.endm

.macro column_0 line, g
        \line   v0, v4, v8, v12, v9, \g, 0, 4, 8, 12, 0, 14
.endm
.macro column_1 line, g
        \line   v1, v5, v9, v13, v10, \g, 1, 5, 9, 13, 1, 2
.endm
.macro column_2 line, g
        \line   v2, v6, v10, v14, v11, \g, 2, 6, 10, 14, 16, 7
.endm
.macro column_3 line, g
        \line   v3, v7, v11, v15, v8, \g, 3, 7, 11, 15, 15, 17
.endm
.macro diagonal_0 line, g
        \line   v0, v4, v8, v12, v9, \g, 0, 5, 10, 15, 21, 5
.endm
.macro diagonal_1 line, g
        \line   v1, v5, v9, v13, v10, \g, 1, 6, 11, 12, 3, 6
.endm
.macro diagonal_2 line, g
        \line   v2, v6, v10, v14, v11, \g, 2, 7, 8, 13, 4, 18
.endm
.macro diagonal_3 line, g
        \line   v3, v7, v11, v15, v8, \g, 3, 4, 9, 14, 19, 20
.endm

.macro line_of quarter_round, line, g
.ifnc \g, none
        \quarter_round \line, \g
.endif
.endm

/* Two lines of each quarter round in flight, the newest first. */
.macro two_lines q0, g0, q1, g1, q2, g2, q3, g3
        line_of \q0, line_1, \g0
        line_of \q1, line_3, \g1
        line_of \q2, line_5, \g2
        line_of \q3, line_7, \g3
        line_of \q0, line_2, \g0
        line_of \q1, line_4, \g1
        line_of \q2, line_6, \g2
        line_of \q3, line_8, \g3
.endm

/* Begins group g's columns or diagonals (`now`), one after the other, and ends those begun before. */
.macro four_begin now, g, before, g_before
        two_lines \now\()_0, \g, \before\()_3, \g_before, \before\()_2, \g_before, \before\()_1, \g_before
        two_lines \now\()_1, \g, \now\()_0, \g, \before\()_3, \g_before, \before\()_2, \g_before
        two_lines \now\()_2, \g, \now\()_1, \g, \now\()_0, \g, \before\()_3, \g_before
        two_lines \now\()_3, \g, \now\()_2, \g, \now\()_1, \g, \now\()_0, \g
.endm

/* A round of the groups 0 to `last`, 2 or 3: all columns, then all diagonals. */
.macro round_in_flight last
        four_begin column, 0, column, none
        four_begin column, 1, column, 0
        four_begin column, 2, column, 1
.if \last == 3
        four_begin column, 3, column, 2
.endif
        four_begin diagonal, 0, column, \last
        four_begin diagonal, 1, diagonal, 0
        four_begin diagonal, 2, diagonal, 1
.if \last == 3
        four_begin diagonal, 3, diagonal, 2
.endif
        four_begin diagonal, none, diagonal, \last
.endm
