/*
 * Vectors of LANES chunks side by side: the kernels' arguments and the layout of a vector. LANES is 8 or 16.
 *
 * A vector, LaneVector in src/backend/batch/abi.rs, has 56 * LANES bytes:
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

#define VECTOR(k) lanes + 56 * LANES * (k)
#define CHAINING(i, k) [VECTOR(k) + 4 * LANES * (i)]
#define COUNTERS_LOWER(k) [VECTOR(k) + 32 * LANES]
#define COUNTERS_UPPER(k) [VECTOR(k) + 36 * LANES]
#define FIRST_FLAGS(k) [VECTOR(k) + 40 * LANES]
#define FIRST_LENGTHS(k) [VECTOR(k) + 44 * LANES]
#define BLOCKS(i, k) [VECTOR(k) + 48 * LANES + 8 * (i)]
