/*
 * First-round sharing: the 32 compressions of one element differ only in the counter, state word 12. So in the first round,
 * every word of columns 1 to 3 and several words of the diagonals are the same in every lane. They are computed once, in general
 * registers, and stored at SHARED(...).
 *
 * Needs `node` and SHARED(i), 14 words of the frame. Uses eax, ecx, edx, r8d, r9d.
 */

/* V<i> is state word i after its column. A<i> and B<i> are diagonal i's word a after the additions of its first and of its
 * second half, without those words of the sum that differ between the lanes. */
#define V5  0
#define V6  1
#define V7  2
#define V9  3
#define V10 4
#define V11 5
#define V13 6  /* in its diagonal, after the first rotation */
#define V14 7
#define V15 8
#define A0  9  /* v5 + m8 */
#define A1  10 /* v1 + v6 + m10 */
#define B1  11 /* v1 + v6 + m10 + m11 */
#define B2  12 /* v2 + v7 + m12 + m13 */
#define A3  13 /* v3 + m14 */

/* The quarter round of column i: a, b, c, d in eax, edx, ecx, r8d. On entry r8d holds state word 12 + i. */
.macro shared_column i, iv
        mov     eax, CHAINING_WORD(\i)
        mov     edx, CHAINING_WORD(\i + 4)
        add     eax, edx
        add     eax, BLOCK_WORD(2 * \i)
        xor     r8d, eax
        rorx    r8d, r8d, 16
        lea     ecx, [r8 + \iv - (\iv >> 31 << 32)] /* a displacement is signed */
        xor     edx, ecx
        rorx    edx, edx, 12
        add     eax, BLOCK_WORD(2 * \i + 1)
        add     eax, edx
        xor     r8d, eax
        rorx    r8d, r8d, 8
        add     ecx, r8d
        xor     edx, ecx
        rorx    edx, edx, 7
.endm

.macro shared_words
        /* Column 3's d begins as the flags. Its b goes into diagonal 2, kept in r9d. */
        mov     r8d, [node + NODE_FLAGS]
        shared_column 3, IV3
        mov     SHARED(V7), edx
        mov     SHARED(V11), ecx
        mov     SHARED(V15), r8d
        add     eax, BLOCK_WORD(14)
        mov     SHARED(A3), eax
        mov     r9d, edx
        add     r9d, BLOCK_WORD(12)

        /* Column 2's d begins as the block length. */
        mov     r8d, [node + NODE_BLOCK_LENGTH]
        shared_column 2, IV2
        mov     SHARED(V6), edx
        mov     SHARED(V10), ecx
        mov     SHARED(V14), r8d
        add     r9d, eax

        /* Column 1's d begins as the counter's upper half, 0. */
        xor     r8d, r8d
        shared_column 1, IV1
        mov     SHARED(V5), edx
        mov     SHARED(V9), ecx
        add     edx, BLOCK_WORD(8)
        mov     SHARED(A0), edx
        add     eax, SHARED(V6)
        add     eax, BLOCK_WORD(10)
        mov     SHARED(A1), eax
        add     eax, BLOCK_WORD(11)
        mov     SHARED(B1), eax

        /* In diagonal 2, the lanes first differ in c: its d is the same in all up to the first rotation. */
        xor     r8d, r9d
        rorx    r8d, r8d, 16
        mov     SHARED(V13), r8d
        add     r9d, BLOCK_WORD(13)
        mov     SHARED(B2), r9d
.endm

/* The counters 0 to 31, rotated by 16. In column 0, d begins as the counter, so after its first rotation it is a, rotated,
 * ^ one of these. */
.macro rotated_counters
        .long   0 << 16, 1 << 16, 2 << 16, 3 << 16, 4 << 16, 5 << 16, 6 << 16, 7 << 16
        .long   8 << 16, 9 << 16, 10 << 16, 11 << 16, 12 << 16, 13 << 16, 14 << 16, 15 << 16
        .long   16 << 16, 17 << 16, 18 << 16, 19 << 16, 20 << 16, 21 << 16, 22 << 16, 23 << 16
        .long   24 << 16, 25 << 16, 26 << 16, 27 << 16, 28 << 16, 29 << 16, 30 << 16, 31 << 16
.endm
