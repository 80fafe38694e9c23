/*
 * BLAKE3's rounds in several vectors of eight lanes, their state words in memory.
 *
 * A quarter round's operations wait for one another, and the four of one vector are too few to keep the pipes of a
 * processor busy. So four are in flight, each two of its eight lines (BLAKE3 paper, section 2.2, the function G) behind
 * the next, and the next belongs to another vector more often than not, whose words were stored long before.
 *
 * Needs lanes_avx2.h and, in 32-byte aligned memory, LOWER(w, k) and UPPER(w, k), state words 0 to 7 and 8 to 15 of vector
 * k, and MESSAGE_AT(position, k), its message words in the order that place_words_0_to_7 and place_words_8_to_15 give them,
 * from where the round's begin.
 */

/*
 * From a round to the next, slot s receives the message word of slot p(s), p being the permutation (table 2). It has two
 * cycles of eight: 0, 2, 3, 10, 12, 9, 11, 5 and 1, 6, 4, 7, 13, 14, 15, 8. The words stand in this order, the second
 * cycle's from position 14 on. So all slots of a round are one position further than those of the round before, once
 * the words at the cycles' beginnings, 0 and 14, have been repeated behind their ends, at 8 and 22.
 *
 * `place i, r, position, k` puts message word i of vector k, which a kernel may have in r, at a position.
 */
.macro place_words_0_to_7 place, k
        \place  0, v8, 0, \k
        \place  1, v9, 14, \k
        \place  2, v10, 1, \k
        \place  3, v11, 2, \k
        \place  4, v12, 16, \k
        \place  5, v13, 7, \k
        \place  6, v14, 15, \k
        \place  7, v15, 17, \k
.endm

.macro place_words_8_to_15 place, k
        \place  8, v8, 21, \k
        \place  9, v9, 5, \k
        \place  10, v10, 3, \k
        \place  11, v11, 6, \k
        \place  12, v12, 4, \k
        \place  13, v13, 18, \k
        \place  14, v14, 19, \k
        \place  15, v15, 20, \k
.endm

.macro repeat_first_words k
        vmovdqa v0, MESSAGE_AT(0, \k)
        vmovdqa v1, MESSAGE_AT(14, \k)
        vmovdqa MESSAGE_AT(8, \k), v0
        vmovdqa MESSAGE_AT(22, \k), v1
.endm

/* The eight lines of a quarter round with state words wa, wb, wc and wd of vector k in a, b, c and d and message words at
 * positions x and y. `free` is the next quarter round's c, which that has yet to load. */
.macro line_1 a, b, c, d, free, k, wa, wb, wc, wd, x, y
        vmovdqa \b, LOWER(\wb, \k)
        vpaddd  \a, \b, LOWER(\wa, \k)
        vpaddd  \a, \a, MESSAGE_AT(\x, \k)
.endm

.macro line_2 a, b, c, d, free, k, wa, wb, wc, wd, x, y
        vpxor   \d, \a, UPPER(\wd, \k)
        vpshufb \d, \d, ROTATE16
.endm

.macro line_3 a, b, c, d, free, k, wa, wb, wc, wd, x, y
        vpaddd  \c, \d, UPPER(\wc, \k)
.endm

.macro line_4 a, b, c, d, free, k, wa, wb, wc, wd, x, y
        vpxor   \b, \b, \c
        rotate_by_shifts \b, 12, \free
.endm

.macro line_5 a, b, c, d, free, k, wa, wb, wc, wd, x, y
        vpaddd  \a, \a, MESSAGE_AT(\y, \k)
        vpaddd  \a, \a, \b
        vmovdqa LOWER(\wa, \k), \a
.endm

.macro line_6 a, b, c, d, free, k, wa, wb, wc, wd, x, y
        vpxor   \d, \d, \a
        vpshufb \d, \d, ROTATE8
        vmovdqa UPPER(\wd, \k), \d
.endm

.macro line_7 a, b, c, d, free, k, wa, wb, wc, wd, x, y
        vpaddd  \c, \c, \d
        vmovdqa UPPER(\wc, \k), \c
.endm

.macro line_8 a, b, c, d, free, k, wa, wb, wc, wd, x, y
        vpxor   \b, \b, \c
        rotate_by_shifts \b, 7, \a
        vmovdqa LOWER(\wb, \k), \b
.endm

.macro column_0 line, k
        \line   v0, v4, v8, v12, v9, \k, 0, 4, 8, 12, 0, 14
.endm
.macro column_1 line, k
        \line   v1, v5, v9, v13, v10, \k, 1, 5, 9, 13, 1, 2
.endm
.macro column_2 line, k
        \line   v2, v6, v10, v14, v11, \k, 2, 6, 10, 14, 16, 7
.endm
.macro column_3 line, k
        \line   v3, v7, v11, v15, v8, \k, 3, 7, 11, 15, 15, 17
.endm
.macro diagonal_0 line, k
        \line   v0, v4, v8, v12, v9, \k, 0, 5, 10, 15, 21, 5
.endm
.macro diagonal_1 line, k
        \line   v1, v5, v9, v13, v10, \k, 1, 6, 11, 12, 3, 6
.endm
.macro diagonal_2 line, k
        \line   v2, v6, v10, v14, v11, \k, 2, 7, 8, 13, 4, 18
.endm
.macro diagonal_3 line, k
        \line   v3, v7, v11, v15, v8, \k, 3, 4, 9, 14, 19, 20
.endm

.macro line_of quarter_round, line, k
.ifnc \k, none
        \quarter_round \line, \k
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

/* Begins vector k's columns or diagonals (`now`), one after the other, and ends those begun before. */
.macro four_begin now, k, before, k_before
        two_lines \now\()_0, \k, \before\()_3, \k_before, \before\()_2, \k_before, \before\()_1, \k_before
        two_lines \now\()_1, \k, \now\()_0, \k, \before\()_3, \k_before, \before\()_2, \k_before
        two_lines \now\()_2, \k, \now\()_1, \k, \now\()_0, \k, \before\()_3, \k_before
        two_lines \now\()_3, \k, \now\()_2, \k, \now\()_1, \k, \now\()_0, \k
.endm

/* A round of the vectors 0 to `last`, 2 or 3: all columns, then all diagonals. */
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
