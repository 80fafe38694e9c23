/*
 * Vectors of eight chunks side by side: how their blocks are loaded, and constants.
 */

#define LANES 8
#include "chunks.h"

#define INITIAL_WORD(i) [rip + LOCAL(chunks_avx2_iv) + 32 * (i)] /* state words 8 to 11 */
#define WHOLE_BLOCK [rip + LOCAL(chunks_avx2_whole_block)]

/* Half a block of every lane of a vector, rows of eight words, becomes eight message words of all lanes, in v8 to v15. */
.macro load_half k, half
        mov     r8, BLOCKS(0, \k)
        mov     r9, BLOCKS(1, \k)
        mov     r10, BLOCKS(2, \k)
        mov     r11, BLOCKS(3, \k)
        vmovdqu v0, [r8 + offset + 32 * \half]
        vmovdqu v1, [r9 + offset + 32 * \half]
        vmovdqu v2, [r10 + offset + 32 * \half]
        vmovdqu v3, [r11 + offset + 32 * \half]
        mov     r8, BLOCKS(4, \k)
        mov     r9, BLOCKS(5, \k)
        mov     r10, BLOCKS(6, \k)
        mov     r11, BLOCKS(7, \k)
        vmovdqu v4, [r8 + offset + 32 * \half]
        vmovdqu v5, [r9 + offset + 32 * \half]
        vmovdqu v6, [r10 + offset + 32 * \half]
        vmovdqu v7, [r11 + offset + 32 * \half]
        transpose_lower_to_upper
.endm

.macro chunks_constants
        lanes_constants
        .p2align 5
LOCAL(chunks_avx2_iv):
        .long   IV0, IV0, IV0, IV0, IV0, IV0, IV0, IV0
        .long   IV1, IV1, IV1, IV1, IV1, IV1, IV1, IV1
        .long   IV2, IV2, IV2, IV2, IV2, IV2, IV2, IV2
        .long   IV3, IV3, IV3, IV3, IV3, IV3, IV3, IV3
LOCAL(chunks_avx2_whole_block):
        .long   64, 64, 64, 64, 64, 64, 64, 64
.endm
