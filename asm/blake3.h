/*
 * BLAKE3's constants and the layouts that the kernels and src/backend/batch/abi.rs agree on.
 *
 * Source: O'Connor, Aumasson, Neves, Wilcox-O'Hearn, "BLAKE3: one function, fast everywhere", 2021-11-05, section 2.2.
 */

/* The initial chaining value, SHA-256's (table 1). State words 8 to 11 of every compression begin as its first four. */
#define IV0 0x6a09e667
#define IV1 0xbb67ae85
#define IV2 0x3c6ef372
#define IV3 0xa54ff53a

/* Where a RootNode's fields stand: the input of a tree's last compression, run once for each output block. */
#define NODE_CHAINING_VALUE 0
#define NODE_BLOCK 32
#define NODE_BLOCK_LENGTH 96
#define NODE_FLAGS 100

#define CHAINING_WORD(i) dword ptr [node + NODE_CHAINING_VALUE + 4 * (i)]
#define BLOCK_WORD(i) dword ptr [node + NODE_BLOCK + 4 * (i)]

/* Rounds 2 to 7, by a macro `round` that takes the message words' order. Each order is the one before with the permutation
 * (table 2) applied once more. */
.macro rounds_2_to_7
        round    2,  6,  3, 10,  7,  0,  4, 13,  1, 11, 12,  5,  9, 14, 15,  8
        round    3,  4, 10, 12, 13,  2,  7, 14,  6,  5,  9,  0, 11, 15,  8,  1
        round   10,  7, 12,  9, 14,  3, 13, 15,  4,  0, 11,  2,  5,  8,  1,  6
        round   12, 13,  9, 11, 15, 10, 14,  8,  7,  2,  5,  3,  0,  1,  6,  4
        round    9, 14, 11,  5,  8, 12, 15,  1, 13,  3,  0, 10,  2,  6,  4,  7
        round   11, 15,  5,  0,  1,  9,  8,  6, 14, 10,  2, 12,  3,  4,  7, 13
.endm
