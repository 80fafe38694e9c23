/* What the tests share: a check, the published values (vectors.py writes them) and comparisons with them. C and C++. */
#ifndef TEST_H
#define TEST_H

#include <lthash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A call that succeeds, and one that fails in this way. */
#define OK(call) CHECK((call) == LTHASH_STATUS_OK)
#define FAILS(status, call) CHECK((call) == LTHASH_STATUS_##status)

struct expected {
    uint16_t limbs[8];
    const char *checksum;
};

struct message {
    lthash_bytes element;
    struct expected expected;
};

struct record {
    lthash_bytes key, value, element;
    struct expected expected;
};

/* previous: 0 is the empty state, n that after changesets[n - 1]. */
struct changeset {
    const char *name;
    size_t previous;
    const lthash_mutation *mutations;
    size_t count;
    struct expected expected;
};

static void check_hash(const lthash_hash *hash, const struct expected *expected) {
    uint8_t checksum[LTHASH_CHECKSUM_BYTES], bytes[LTHASH_BYTES];
    char text[2 * LTHASH_CHECKSUM_BYTES + 1];
    size_t i;
    OK(lthash_checksum(hash, checksum));
    OK(lthash_hex_encode(checksum, sizeof checksum, text, sizeof text));
    if (strcmp(text, expected->checksum) != 0) {
        fprintf(stderr, "checksum %s: expected %s\n", text, expected->checksum);
        exit(1);
    }
    OK(lthash_to_bytes(hash, bytes));
    for (i = 0; i < 8; i++) {
        CHECK(hash->limbs[i] == expected->limbs[i]);
        CHECK(bytes[2 * i] == (uint8_t)expected->limbs[i] && bytes[2 * i + 1] == expected->limbs[i] >> 8);
    }
}

#endif
