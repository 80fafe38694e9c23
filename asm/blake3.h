/*
 * BLAKE3's constants and the layouts that the kernels and src/backend/x86_64/root_node.rs agree on.
 *
 * Source: O'Connor, Aumasson, Neves, Wilcox-O'Hearn, "BLAKE3: one function, fast everywhere", 2021-11-05, section 2.2.
 */

/* The initial chaining value, SHA-256's (table 1). State words 8 to 11 of every compression begin as its first four. */
#define IV0 0x6a09e667
#define IV1 0xbb67ae85
#define IV2 0x3c6ef372
#define IV3 0xa54ff53a

/* Domain flags (table 3). */
#define CHUNK_START 1
#define CHUNK_END 2

/* Where a RootNode's fields stand: the input of a tree's last compression, run once for each output block. */
#define NODE_CHAINING_VALUE 0
#define NODE_BLOCK 32
#define NODE_BLOCK_LENGTH 96
#define NODE_FLAGS 100
