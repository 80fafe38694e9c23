/*
 * Blocks one after the other. The state's four rows are in four xmm registers, so that four quarter rounds, on the columns or
 * the diagonals, are one sequence of steps. Latency determines the speed: each step waits for the one before.
 *
 * Needs macros rotate16, rotate12, rotate8 and rotate7 of a register, which may use `scratch`.
 */

#define chaining_value rdi
#define blocks         rsi
#define count          rdx
#define counter        rcx
#define block_length   r8d
#define flags          r9d

#define row0 xmm0
#define row1 xmm1
#define row2 xmm2
#define row3 xmm3

/* The sixteen message words as the four quarter rounds of a half round take them, and the same for the next round. */
#define x_columns   xmm4
#define y_columns   xmm5
#define x_diagonals xmm6
#define y_diagonals xmm7
#define next_x_columns   xmm8
#define next_y_columns   xmm9
#define next_x_diagonals xmm10
#define next_y_diagonals xmm11

#define scratch xmm12
#define counter_length_flags xmm13 /* row 3 of every block's initial state */

/* Message words 0 to 15 in order, as they stand in the block, to
 *   x_columns   = m0  m2 m4  m6     y_columns   = m1  m3 m5  m7
 *   x_diagonals = m14 m8 m10 m12    y_diagonals = m15 m9 m11 m13
 * The diagonals are in the order 3, 0, 1, 2: see round. */
.macro load_message
        vmovdqu x_diagonals, [blocks]
        vmovdqu y_diagonals, [blocks + 16]
        vshufps x_columns, x_diagonals, y_diagonals, 0x88
        vshufps y_columns, x_diagonals, y_diagonals, 0xdd
        vmovdqu y_diagonals, [blocks + 32]
        vmovdqu scratch, [blocks + 48]
        vshufps x_diagonals, y_diagonals, scratch, 0x88
        vshufps y_diagonals, y_diagonals, scratch, 0xdd
        vpshufd x_diagonals, x_diagonals, 0x93
        vpshufd y_diagonals, y_diagonals, 0x93
.endm

/* The permutation (table 2) on the four: with words named by place, x0 to x3 of x_columns and so on, in order
 *   nx = x1 y1 y3 x2    ny = x3 u2 x0 w3    nu = w0 y0 u3 w1    nw = u1 w2 y2 u0
 * for the columns' x and y and the diagonals' u and w. */
.macro permute_message x, y, u, w, nx, ny, nu, nw
        vshufps \nx, \x, \y, 0xd9           /* x1 x2 y1 y3 */
        vpshufd \nx, \nx, 0x78
        vpblendd scratch, \u, \w, 0x8       /* .. .. u2 w3 */
        vpshufd \ny, \x, 0x30               /* .. .. x3 x0 */
        vpunpckhdq \ny, \ny, scratch
        vpunpckldq \nu, \w, \y              /* w0 y0 .. .. */
        vpblendd scratch, \u, \w, 0x2       /* .. w1 .. u3 */
        vshufps \nu, \nu, scratch, 0x74
        vpunpckhdq \nw, \w, \y              /* w2 y2 .. .. */
        vshufps \nw, \u, \nw, 0x41          /* u1 u0 w2 y2 */
        vpshufd \nw, \nw, 0x78
.endm

/* Four quarter rounds at once. */
.macro quarter_rounds x, y
        vpaddd  row0, row0, \x
        vpaddd  row0, row0, row1
        vpxor   row3, row3, row0
        rotate16 row3
        vpaddd  row2, row2, row3
        vpxor   row1, row1, row2
        vpaddd  row0, row0, \y
        rotate12 row1
        vpaddd  row0, row0, row1
        vpxor   row3, row3, row0
        rotate8 row3
        vpaddd  row2, row2, row3
        vpxor   row1, row1, row2
        rotate7 row1
.endm

/* A round. Between its halves, three rows are rotated so that the diagonals stand in columns, in the order 3, 0, 1, 2, and
 * then back. Row 1 is not rotated, since the next step waits for it. */
.macro round x, y, u, w
        quarter_rounds \x, \y
        vpshufd row0, row0, 0x93
        vpshufd row3, row3, 0x4e
        vpshufd row2, row2, 0x39
        quarter_rounds \u, \w
        vpshufd row0, row0, 0x39
        vpshufd row3, row3, 0x4e
        vpshufd row2, row2, 0x93
.endm

.macro round_and_permute
        round   x_columns, y_columns, x_diagonals, y_diagonals
        permute_message x_columns, y_columns, x_diagonals, y_diagonals, next_x_columns, next_y_columns, next_x_diagonals, next_y_diagonals
        round   next_x_columns, next_y_columns, next_x_diagonals, next_y_diagonals
        permute_message next_x_columns, next_y_columns, next_x_diagonals, next_y_diagonals, x_columns, y_columns, x_diagonals, y_diagonals
.endm

/* The kernel's body up to its exit; every label begins with `name`. */
.macro absorb_blocks name
        test    count, count
        jz      \name\()_done
        vmovdqu row0, [chaining_value]
        vmovdqu row1, [chaining_value + 16]
        vmovq   counter_length_flags, counter
        vpinsrd counter_length_flags, counter_length_flags, block_length, 2
        vpinsrd counter_length_flags, counter_length_flags, flags, 3
\name\()_block:
        load_message
        vmovdqa row2, [rip + \name\()_iv]
        vmovdqa row3, counter_length_flags

        round_and_permute
        round_and_permute
        round_and_permute
        round   x_columns, y_columns, x_diagonals, y_diagonals

        /* The chaining value is the xor of the state's halves. */
        vpxor   row0, row0, row2
        vpxor   row1, row1, row3
        add     blocks, 64
        dec     count
        jnz     \name\()_block
        vmovdqu [chaining_value], row0
        vmovdqu [chaining_value + 16], row1
\name\()_done:
.endm

.macro absorb_constants name
        CONSTANTS
        .p2align 4
\name\()_iv:
        .long   IV0, IV1, IV2, IV3
.endm
