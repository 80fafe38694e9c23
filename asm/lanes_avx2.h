/*
 * BLAKE3 in eight lanes: what its kernels share. A ymm register holds one state word of eight compressions.
 */

#define v0  ymm0
#define v1  ymm1
#define v2  ymm2
#define v3  ymm3
#define v4  ymm4
#define v5  ymm5
#define v6  ymm6
#define v7  ymm7
#define v8  ymm8
#define v9  ymm9
#define v10 ymm10
#define v11 ymm11
#define v12 ymm12
#define v13 ymm13
#define v14 ymm14
#define v15 ymm15

#define ROTATE16 [rip + LOCAL(lanes_avx2_rotate16)]
#define ROTATE8  [rip + LOCAL(lanes_avx2_rotate8)]

.macro rotate_by_shifts r, n, temporary
        vpslld  \temporary, \r, 32 - \n
        vpsrld  \r, \r, \n
        vpor    \r, \r, \temporary
.endm

/* One step of four quarter rounds. */
.macro step operation, d0, d1, d2, d3, b0, b1, b2, b3
        \operation \d0, \d0, \b0
        \operation \d1, \d1, \b1
        \operation \d2, \d2, \b2
        \operation \d3, \d3, \b3
.endm

.macro step_shuffle d0, d1, d2, d3, order:vararg
        vpshufb \d0, \d0, \order
        vpshufb \d1, \d1, \order
        vpshufb \d2, \d2, \order
        vpshufb \d3, \d3, \order
.endm

.macro step_rotate_by_shifts d0, d1, d2, d3, n, temporary
        rotate_by_shifts \d0, \n, \temporary
        rotate_by_shifts \d1, \n, \temporary
        rotate_by_shifts \d2, \n, \temporary
        rotate_by_shifts \d3, \n, \temporary
.endm

/* Eight rows of eight words, r0 to r7, become eight columns, t0 to t7. */
.macro transpose r0, r1, r2, r3, r4, r5, r6, r7, t0, t1, t2, t3, t4, t5, t6, t7
        vpunpckldq \t0, \r0, \r1
        vpunpckhdq \t1, \r0, \r1
        vpunpckldq \t2, \r2, \r3
        vpunpckhdq \t3, \r2, \r3
        vpunpckldq \t4, \r4, \r5
        vpunpckhdq \t5, \r4, \r5
        vpunpckldq \t6, \r6, \r7
        vpunpckhdq \t7, \r6, \r7
        vpunpcklqdq \r0, \t0, \t2
        vpunpckhqdq \r1, \t0, \t2
        vpunpcklqdq \r2, \t1, \t3
        vpunpckhqdq \r3, \t1, \t3
        vpunpcklqdq \r4, \t4, \t6
        vpunpckhqdq \r5, \t4, \t6
        vpunpcklqdq \r6, \t5, \t7
        vpunpckhqdq \r7, \t5, \t7
        vperm2i128 \t0, \r0, \r4, 0x20
        vperm2i128 \t1, \r1, \r5, 0x20
        vperm2i128 \t2, \r2, \r6, 0x20
        vperm2i128 \t3, \r3, \r7, 0x20
        vperm2i128 \t4, \r0, \r4, 0x31
        vperm2i128 \t5, \r1, \r5, 0x31
        vperm2i128 \t6, \r2, \r6, 0x31
        vperm2i128 \t7, \r3, \r7, 0x31
.endm

.macro transpose_lower_to_upper
        transpose v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15
.endm

.macro lanes_constants
        CONSTANTS
        .p2align 5
LOCAL(lanes_avx2_rotate16):
        .byte   2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
LOCAL(lanes_avx2_rotate8):
        .byte   1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12
.endm
