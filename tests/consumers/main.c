/* Links lthash's consumer as a shared or static library; with BLAKE3, beside the C BLAKE3 library. */
#include <stdio.h>

extern void consumer_check(void);

#ifdef BLAKE3
#include "blake3.h"

/* The same bytes by the C library: BLAKE3 of "hello", from b3sum. */
static int check_blake3(void) {
    static const uint8_t expected[4] = {0xea, 0x8f, 0x16, 0x3d};
    uint8_t actual[4];
    blake3_hasher hasher;
    blake3_hasher_init(&hasher);
    blake3_hasher_update(&hasher, "hello", 5);
    blake3_hasher_finalize(&hasher, actual, sizeof actual);
    for (int i = 0; i < 4; i++) {
        if (actual[i] != expected[i]) return 1;
    }
    printf("C BLAKE3 %s\n", blake3_version());
    return 0;
}
#else
static int check_blake3(void) { return 0; }
#endif

int main(void) {
    consumer_check();
    return check_blake3();
}
