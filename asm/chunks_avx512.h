/*
 * Vectors of sixteen chunks side by side: how their blocks are loaded, and constants.
 */

#define LANES 16
#include "chunks.h"

#define INITIAL_WORD(i) dword ptr [rip + LOCAL(chunks_avx512_iv) + 4 * (i)] /* state words 8 to 11 */
#define WHOLE_BLOCK dword ptr [rip + LOCAL(chunks_avx512_whole_block)]

/* The block at hand of lanes i to i + 3 of a vector. */
.macro load_four r0, r1, r2, r3, i, k
        mov     r8, BLOCKS(\i, \k)
        mov     r9, BLOCKS(\i + 1, \k)
        mov     r10, BLOCKS(\i + 2, \k)
        mov     r11, BLOCKS(\i + 3, \k)
        vmovdqu32 \r0, [r8 + offset]
        vmovdqu32 \r1, [r9 + offset]
        vmovdqu32 \r2, [r10 + offset]
        vmovdqu32 \r3, [r11 + offset]
        transpose_parts \r0, \r1, \r2, \r3, zmm8, zmm9, zmm10, zmm11
.endm

/* A vector's sixteen rows of sixteen words become message words of all lanes, word i in zmm<16 + i>. */
.macro load_messages k
        load_four zmm16, zmm17, zmm18, zmm19, 0, \k
        load_four zmm20, zmm21, zmm22, zmm23, 4, \k
        load_four zmm24, zmm25, zmm26, zmm27, 8, \k
        load_four zmm28, zmm29, zmm30, zmm31, 12, \k
        gather_parts zmm16, zmm20, zmm24, zmm28, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm17, zmm21, zmm25, zmm29, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm18, zmm22, zmm26, zmm30, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm19, zmm23, zmm27, zmm31, zmm8, zmm9, zmm10, zmm11
.endm

.macro chunks_constants
        CONSTANTS
        .p2align 2
LOCAL(chunks_avx512_iv):
        .long   IV0, IV1, IV2, IV3
LOCAL(chunks_avx512_whole_block):
        .long   64
.endm
