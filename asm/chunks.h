/*
 * Groups of LANES chunks side by side: the kernels' arguments and the layout of a group. LANES is 8 or 16.
 *
 * A group, LaneGroup in src/backend/batch/family.rs, has 56 * LANES bytes:
 *
 *   chaining_values  uint32_t[8][LANES]      word by word, each of all lanes
 *   counters         uint32_t[2][LANES]      the chunks' counters, lower and upper halves
 *   first_flags      uint32_t[LANES]         the flags of a lane's first block
 *   first_lengths    uint32_t[LANES]         the length of a lane's first block; the others have 64 bytes
 *   blocks           const uint8_t *[LANES]  64 * count bytes each from the offset on, any alignment, read
 */

#define lanes  rdi
#define offset rsi
#define count  rdx
#define flags  ecx

#define GROUP(g) lanes + 56 * LANES * (g)
#define CHAINING(i, g) [GROUP(g) + 4 * LANES * (i)]
#define COUNTERS_LOWER(g) [GROUP(g) + 32 * LANES]
#define COUNTERS_UPPER(g) [GROUP(g) + 36 * LANES]
#define FIRST_FLAGS(g) [GROUP(g) + 40 * LANES]
#define FIRST_LENGTHS(g) [GROUP(g) + 44 * LANES]
#define BLOCKS(i, g) [GROUP(g) + 48 * LANES + 8 * (i)]
