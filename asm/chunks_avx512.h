/*
 * Groups of sixteen chunks side by side: a kernel's arguments, the layout of a group, and how its blocks are loaded.
 *
 * A group, LaneGroup, has 896 bytes:
 *
 *   chaining_values  uint32_t[8][16]      word by word, each of the sixteen lanes
 *   counters         uint32_t[2][16]      the chunks' counters, lower and upper halves
 *   first_flags      uint32_t[16]         the flags of a lane's first block
 *   first_lengths    uint32_t[16]         the length of a lane's first block; the others have 64 bytes
 *   blocks           const uint8_t *[16]  64 * count bytes each from the offset on, any alignment, read
 */

#define lanes  rdi
#define offset rsi
#define count  rdx
#define flags  ecx

#define CHAINING(i, g) [lanes + 896 * (g) + 64 * (i)]
#define COUNTERS_LOWER(g) [lanes + 896 * (g) + 512]
#define COUNTERS_UPPER(g) [lanes + 896 * (g) + 576]
#define FIRST_FLAGS(g) [lanes + 896 * (g) + 640]
#define FIRST_LENGTHS(g) [lanes + 896 * (g) + 704]
#define BLOCKS(i, g) [lanes + 896 * (g) + 768 + 8 * (i)]

#define INITIAL_WORD(i) dword ptr [rip + LOCAL(chunks_avx512_iv) + 4 * (i)] /* state words 8 to 11 */
#define WHOLE_BLOCK dword ptr [rip + LOCAL(chunks_avx512_whole_block)]

/* The block at hand of lanes i to i + 3 of a group. */
.macro load_four r0, r1, r2, r3, i, g
        mov     r8, BLOCKS(\i, \g)
        mov     r9, BLOCKS(\i + 1, \g)
        mov     r10, BLOCKS(\i + 2, \g)
        mov     r11, BLOCKS(\i + 3, \g)
        vmovdqu32 \r0, [r8 + offset]
        vmovdqu32 \r1, [r9 + offset]
        vmovdqu32 \r2, [r10 + offset]
        vmovdqu32 \r3, [r11 + offset]
        transpose_parts \r0, \r1, \r2, \r3, zmm8, zmm9, zmm10, zmm11
.endm

/* A group's sixteen rows of sixteen words become message words of all lanes, word i in zmm<16 + i>. */
.macro load_messages g
        load_four zmm16, zmm17, zmm18, zmm19, 0, \g
        load_four zmm20, zmm21, zmm22, zmm23, 4, \g
        load_four zmm24, zmm25, zmm26, zmm27, 8, \g
        load_four zmm28, zmm29, zmm30, zmm31, 12, \g
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
