/*
 * A root node's 32 output blocks with AVX2, in four vectors of eight counters: what the two forms of the kernels share
 * (xof_avx2.S, xof_in_registers_avx2.S). They differ in the rounds after the first column and diagonals.
 *
 * Needs, in 32-byte aligned memory:
 *
 *   STATE(w, k)          state words 0, 4, 8 and 12 of vector k
 *   STATE_OF_VECTOR(w)   the same of the vector at hand, rcx being 32 k
 *   WORD_11_OF_VECTOR    a vector's word 11, for which no register is left, since a rotation needs a temporary one
 *   UPPER_OF_VECTOR(i)   state word 8 + i after the last round
 *   MESSAGE_WORD_9, MESSAGE_WORD_15   in every lane
 *
 * and `mixed`, a register.
 */

#define node rdi
#define out  rsi
#define sums rsi
#define guard r10 /* rdx is used for the shared words */

#include "lanes_avx2.h"
#include "first_round.h"

/* Column 0 of all counters: that of vector k in v<k>, v<4 + k>, v<8 + k>, v<12 + k>. After the first rotation, the vectors differ by
 * constants only: v12 = rotated (v0 ^ counter). */
.macro first_column_0
        vpbroadcastd v0, CHAINING_WORD(0)
        vpbroadcastd v4, CHAINING_WORD(4)
        vpbroadcastd v1, BLOCK_WORD(0)
        vpbroadcastd v2, BLOCK_WORD(1)
        vmovdqa v8, [rip + LOCAL(xof_avx2_iv0)]
        vpaddd  v0, v0, v4
        vpaddd  v0, v0, v1
        vpshufb v12, v0, ROTATE16
        vpaddd  v0, v0, v2
        vpxor   v15, v12, [rip + LOCAL(xof_avx2_counters) + 96]
        vpxor   v14, v12, [rip + LOCAL(xof_avx2_counters) + 64]
        vpxor   v13, v12, [rip + LOCAL(xof_avx2_counters) + 32]
        vpxor   v12, v12, [rip + LOCAL(xof_avx2_counters)]
        vpaddd  v9, v8, v13
        vpaddd  v10, v8, v14
        vpaddd  v11, v8, v15
        vpaddd  v8, v8, v12
        vmovdqa STATE(8, 3), v11
        vpxor   v5, v4, v9
        vpxor   v6, v4, v10
        vpxor   v7, v4, v11
        vpxor   v4, v4, v8
        step_rotate_by_shifts v4, v5, v6, v7, 12, v11
        vpaddd  v1, v0, v5
        vpaddd  v2, v0, v6
        vpaddd  v3, v0, v7
        vpaddd  v0, v0, v4
        step    vpxor, v12, v13, v14, v15, v0, v1, v2, v3
        step_shuffle v12, v13, v14, v15, ROTATE8
        vpaddd  v8, v8, v12
        vpaddd  v9, v9, v13
        vpaddd  v10, v10, v14
        vpaddd  v11, v15, STATE(8, 3)
        step    vpxor, v4, v5, v6, v7, v8, v9, v10, v11
        vmovdqa STATE(8, 3), v11
        step_rotate_by_shifts v4, v5, v6, v7, 7, v11
        store_row 0, v0, v1, v2, v3
        store_row 4, v4, v5, v6, v7
        vmovdqa STATE(8, 0), v8
        vmovdqa STATE(8, 1), v9
        vmovdqa STATE(8, 2), v10
        store_row 12, v12, v13, v14, v15
.endm

.macro store_row w, r0, r1, r2, r3
        vmovdqa STATE(\w, 0), \r0
        vmovdqa STATE(\w, 1), \r1
        vmovdqa STATE(\w, 2), \r2
        vmovdqa STATE(\w, 3), \r3
.endm

/* A vector's first diagonals, from column 0 and the shared words, each of which is broadcast when it is needed. Afterwards word i is
 * in v<i>, and word 11 in memory. v2 is the temporary register until its own word is loaded. */
.macro first_diagonals
        vpbroadcastd v13, SHARED(V13)
        vpbroadcastd v5, SHARED(A0)
        vpbroadcastd v1, SHARED(A1)
        vpbroadcastd v3, SHARED(A3)
        vpaddd  v8, v13, STATE_OF_VECTOR(8)
        vpaddd  v0, v5, STATE_OF_VECTOR(0)
        vpxor   v12, v1, STATE_OF_VECTOR(12)
        vpaddd  v3, v3, STATE_OF_VECTOR(4)
        vpbroadcastd v7, SHARED(V7)
        vpbroadcastd v15, SHARED(V15)
        vpbroadcastd v14, SHARED(V14)
        vpxor   v7, v7, v8
        vpxor   v15, v15, v0
        vpshufb v12, v12, ROTATE16
        vpxor   v14, v14, v3
        rotate_by_shifts v7, 12, v2
        vpshufb v15, v15, ROTATE16
        vpshufb v14, v14, ROTATE16
        vpbroadcastd v11, SHARED(V11)
        vpbroadcastd v10, SHARED(V10)
        vpbroadcastd v9, SHARED(V9)
        vpaddd  v11, v11, v12
        vpaddd  v10, v10, v15
        vpaddd  v9, v9, v14
        vpbroadcastd v6, SHARED(V6)
        vpbroadcastd v5, SHARED(V5)
        vpxor   v6, v6, v11
        vpxor   v5, v5, v10
        vpxor   v4, v9, STATE_OF_VECTOR(4)
        rotate_by_shifts v6, 12, v2
        rotate_by_shifts v5, 12, v2
        rotate_by_shifts v4, 12, v2
        vpbroadcastd v2, SHARED(B2)
        vpbroadcastd v1, SHARED(B1)
        vpaddd  v0, v0, MESSAGE_WORD_9
        vpaddd  v3, v3, MESSAGE_WORD_15
        step    vpaddd, v2, v1, v0, v3, v7, v6, v5, v4
        step    vpxor, v13, v12, v15, v14, v2, v1, v0, v3
        step_shuffle v13, v12, v15, v14, ROTATE8
        step    vpaddd, v8, v11, v10, v9, v13, v12, v15, v14
        vmovdqa WORD_11_OF_VECTOR, v11
        step    vpxor, v7, v6, v5, v4, v8, v11, v10, v9
        step_rotate_by_shifts v7, v6, v5, v4, 7, v11
.endm

/* Runs `finish` on each vector of eight counters, the last one first. There rcx is 32 k, and rsi is advanced by k times `stride`. */
.macro for_each_vector loop, finish, stride
        mov     ecx, 96
        add     rsi, 3 * \stride
\loop:
        \finish
        sub     rsi, \stride
        sub     ecx, 32
        jns     \loop
.endm

/* Stores columns, v8 to v15, as words 0 to 7 (half = 0) or 8 to 15 (half = 32) of a vector's output blocks. */
.macro store_columns half
        vmovdqu [out + 0 * 64 + \half], v8
        vmovdqu [out + 1 * 64 + \half], v9
        vmovdqu [out + 2 * 64 + \half], v10
        vmovdqu [out + 3 * 64 + \half], v11
        vmovdqu [out + 4 * 64 + \half], v12
        vmovdqu [out + 5 * 64 + \half], v13
        vmovdqu [out + 6 * 64 + \half], v14
        vmovdqu [out + 7 * 64 + \half], v15
.endm

/* A vector's output word i, in r, added to its row or subtracted from it. */
.macro add_row i, r
        vpaddw  mixed, \r, [sums + 128 * (\i)]
        vmovdqa [sums + 128 * (\i)], mixed
.endm

.macro sub_row i, r
        vmovdqa mixed, [sums + 128 * (\i)]
        vpsubw  mixed, mixed, \r
        vmovdqa [sums + 128 * (\i)], mixed
.endm

/* The guard is words 0 to 3 of output block 0, in lane 0 of v0 to v3. It is stored at once, so that one load can read it without
 * waiting. */
.macro store_guard
        vpunpckldq xmm0, xmm0, xmm1
        vpunpckldq xmm2, xmm2, xmm3
        vpunpcklqdq xmm0, xmm0, xmm2
        vmovdqu xmmword ptr [guard], xmm0
.endm

/* Stores a vector's output words, first the one half of each block, then the other. Output words 0 to 7 are state words 0 to 7,
 * each ^ the state word eight after it, which `lower_half` puts in v0 to v7. Output words 8 to 15 are state words 8 to 15, each ^ a
 * word of the chaining value. */
.macro store_in_order lower_half
        \lower_half
        transpose_lower_to_upper
        store_columns 0
.irpc i, 01234567
        vpbroadcastd ymm\i, CHAINING_WORD(\i)
        vpxor   ymm\i, ymm\i, UPPER_OF_VECTOR(\i)
.endr
        transpose_lower_to_upper
        store_columns 32
.endm

.macro xof_constants
        lanes_constants
        .p2align 5
LOCAL(xof_avx2_counters):
        rotated_counters
LOCAL(xof_avx2_iv0):
        .long   IV0, IV0, IV0, IV0, IV0, IV0, IV0, IV0
.endm
