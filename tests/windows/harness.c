/*
 * The AVX2 kernels on Windows: COFF objects, whose kernels are called in the System V convention from code that is compiled for
 * Microsoft's.
 *
 * On random inputs, each kernel's result must be that of the C BLAKE3 library's portable code or of a plain loop. After each
 * call, the registers that a function has to preserve in Microsoft's convention must hold what they held before.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "blake3_impl.h"
#include "registers.h"

#define SYSV __attribute__((sysv_abi))
#define PASTE_(prefix, name) prefix##name##_avx2
#define PASTE(prefix, name) PASTE_(prefix, name)
#define KERNEL(name) PASTE(LTHASH_PREFIX, name)

typedef struct {
    uint32_t chaining_value[8];
    uint8_t block[64];
    uint32_t block_length;
    uint32_t flags;
} root_node;

typedef struct {
    uint32_t chaining_values[8][8];
    uint32_t counters[2][8];
    uint32_t first_flags[8];
    uint32_t first_lengths[8];
    const uint8_t *blocks[8];
} chunk_lanes;

SYSV void KERNEL(xof)(const root_node *node, uint8_t out[2048]);
SYSV void KERNEL(xof_add)(const root_node *node, uint32_t sums[16][32], uint8_t guard[16]);
SYSV void KERNEL(xof_sub)(const root_node *node, uint32_t sums[16][32], uint8_t guard[16]);
SYSV void KERNEL(xof_in_registers)(const root_node *node, uint8_t out[2048]);
SYSV void KERNEL(xof_add_in_registers)(const root_node *node, uint32_t sums[16][32], uint8_t guard[16]);
SYSV void KERNEL(xof_sub_in_registers)(const root_node *node, uint32_t sums[16][32], uint8_t guard[16]);
SYSV void KERNEL(lanes_to_limbs)(const uint32_t sums[16][32], uint16_t limbs[1024]);
SYSV void KERNEL(limbs_add)(uint16_t limbs[1024], const uint16_t other[1024]);
SYSV void KERNEL(limbs_sub)(uint16_t limbs[1024], const uint16_t other[1024]);
SYSV void KERNEL(absorb)(uint32_t chaining_value[8], const uint8_t *blocks, size_t count, uint64_t counter,
                         uint32_t block_length, uint32_t flags);
SYSV void KERNEL(absorb_lanes)(chunk_lanes *lanes, size_t offset, size_t count, uint32_t flags);
SYSV void KERNEL(absorb_all_lanes)(chunk_lanes lanes[3], size_t offset, size_t count, uint32_t flags);
typedef struct {
    uint8_t *start;
    size_t length;
} span;

SYSV span KERNEL(hex_encode)(const uint8_t *bytes, size_t count, uint8_t *digits, size_t digit_count,
                             const uint8_t alphabet[16]);
SYSV span KERNEL(hex_decode)(const uint8_t *digits, size_t digit_count, uint8_t *bytes, size_t count, uint8_t *saved);

/* --- What is checked ------------------------------------------------------------------------------------------------ */

static int passed, failed;

static bool expect(bool good) {
    if (good) {
        passed++;
    } else {
        failed++;
    }
    return good;
}

static const char *const register_names[] = {
#define NAME(name) #name,
    EACH_REGISTER(NAME)
#undef NAME
};

static uint64_t random_bits(void) { /* xorshift64 */
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static uint32_t random_up_to(uint32_t most) { return (uint32_t)(random_bits() >> 32) % (most + 1); }

static void randomize(void *memory, size_t size) {
    for (size_t i = 0; i < size; i++) ((uint8_t *)memory)[i] = (uint8_t)(random_bits() >> 32);
}

/* The name of a register that `work` spoils, or NULL. */
static const char *spoilt_by(void (*work)(void)) {
    registers before, after;
    randomize(&before, sizeof before);
    before.mxcsr = 0x5f80; /* exceptions masked, as usual, and rounding up, which is unusual */
    before.direction = 0;
    call_with(work, &before, &after);
    const char *const *name = register_names;
    for (int i = 0; i < 8; i++, name++)
        if (before.general[i] != after.general[i]) return *name;
    for (int i = 0; i < 10; i++, name++)
        if (memcmp(before.vector[i], after.vector[i], 16) != 0) return *name;
    if (before.mxcsr != after.mxcsr) return *name;
    name++;
    return before.direction == after.direction ? NULL : *name;
}

/* Calls a kernel and checks the registers, and that memory then holds what is wanted. */
static void check(const char *kernel, void (*work)(void), const void *memory, const void *wanted, size_t size) {
    const char *spoilt = spoilt_by(work);
    if (!expect(spoilt == NULL)) printf("%s spoils %s\n", kernel, spoilt);
    if (!expect(memcmp(memory, wanted, size) == 0)) printf("%s: wrong result\n", kernel);
}

/* --- The kernels ---------------------------------------------------------------------------------------------------- */

static root_node node;
static uint8_t output[2048], output_wanted[2048], guard[16];
static _Alignas(64) uint32_t sums[16][32], sums_wanted[16][32];
static uint16_t limbs[1024], limbs_wanted[1024], other[1024];
static uint8_t memory[8192]; /* where blocks are taken from */
static uint32_t chaining_value[8], chaining_value_wanted[8], block_length, flags;
static uint64_t counter;
static const uint8_t *blocks;
static size_t count;
static _Alignas(64) chunk_lanes lanes[3], lanes_wanted[3];
static size_t offset;
static const char *alphabet;
static uint8_t bytes[300], bytes_wanted[300], saved[300], digits[600], digits_wanted[600];
static span returned;

static void xof(void) { KERNEL(xof)(&node, output); }
static void xof_add(void) { KERNEL(xof_add)(&node, sums, guard); }
static void xof_sub(void) { KERNEL(xof_sub)(&node, sums, guard); }
static void xof_in_registers(void) { KERNEL(xof_in_registers)(&node, output); }
static void xof_add_in_registers(void) { KERNEL(xof_add_in_registers)(&node, sums, guard); }
static void xof_sub_in_registers(void) { KERNEL(xof_sub_in_registers)(&node, sums, guard); }
static void lanes_to_limbs(void) { KERNEL(lanes_to_limbs)(sums, limbs); }
static void limbs_add(void) { KERNEL(limbs_add)(limbs, other); }
static void limbs_sub(void) { KERNEL(limbs_sub)(limbs, other); }
static void absorb(void) { KERNEL(absorb)(chaining_value, blocks, count, counter, block_length, flags); }
static void absorb_lanes(void) { KERNEL(absorb_lanes)(lanes, offset, count, flags); }
static void absorb_all_lanes(void) { KERNEL(absorb_all_lanes)(lanes, offset, count, flags); }
static void hex_encode(void) { returned = KERNEL(hex_encode)(bytes, count, digits, 2 * count, (const uint8_t *)alphabet); }
static void hex_decode(void) { returned = KERNEL(hex_decode)(digits, 2 * count, bytes, count, saved); }
static void hex_decode_unsaved(void) { returned = KERNEL(hex_decode)(digits, 2 * count, bytes, count, NULL); }

/* Both halves of a word + or - those of another. */
static uint32_t mixed(uint32_t sum, uint32_t word, int sign) {
    uint32_t lower = sum + sign * word, upper = (sum >> 16) + sign * (word >> 16);
    return upper << 16 | (lower & 0xffff);
}

static void check_xof(void) {
    randomize(&node, sizeof node);
    node.block_length = random_up_to(64);
    node.flags = random_up_to(31);
    for (int i = 0; i < 32; i++)
        blake3_compress_xof_portable(node.chaining_value, node.block, (uint8_t)node.block_length, i, (uint8_t)node.flags,
                                     output_wanted + 64 * i);
    static const struct {
        const char *names[3];
        void (*xof)(void), (*add)(void), (*sub)(void);
    } forms[] = {
        {{"xof", "xof_add", "xof_sub"}, xof, xof_add, xof_sub},
        {{"xof_in_registers", "xof_add_in_registers", "xof_sub_in_registers"},
         xof_in_registers, xof_add_in_registers, xof_sub_in_registers},
    };
    for (int form = 0; form < 2; form++) {
        randomize(output, sizeof output);
        check(forms[form].names[0], forms[form].xof, output, output_wanted, sizeof output);
        for (int sign = 1; sign >= -1; sign -= 2) {
            randomize(sums, sizeof sums);
            randomize(guard, sizeof guard);
            for (int word = 0; word < 16; word++)
                for (int i = 0; i < 32; i++)
                    sums_wanted[word][i] = mixed(sums[word][i], load32(output_wanted + 64 * i + 4 * word), sign);
            check(forms[form].names[sign > 0 ? 1 : 2], sign > 0 ? forms[form].add : forms[form].sub, sums, sums_wanted, sizeof sums);
            if (!expect(memcmp(guard, output_wanted, sizeof guard) == 0)) printf("wrong guard\n");
        }
    }
    randomize(limbs, sizeof limbs);
    for (int i = 0; i < 1024; i++)
        limbs_wanted[i] = (uint16_t)(limbs[i] + (sums[i / 2 % 16][i / 32] >> 16 * (i % 2)));
    check("lanes_to_limbs", lanes_to_limbs, limbs, limbs_wanted, sizeof limbs);
}

static void check_limbs(void) {
    randomize(other, sizeof other);
    for (int i = 0; i < 1024; i++) limbs_wanted[i] = limbs[i] + other[i];
    check("limbs_add", limbs_add, limbs, limbs_wanted, sizeof limbs);
    randomize(other, sizeof other);
    for (int i = 0; i < 1024; i++) limbs_wanted[i] = limbs[i] - other[i];
    check("limbs_sub", limbs_sub, limbs, limbs_wanted, sizeof limbs);
}

static void check_absorb(void) {
    randomize(memory, sizeof memory);
    randomize(chaining_value, sizeof chaining_value);
    blocks = memory + random_up_to(63);
    count = random_up_to(15);
    counter = random_bits();
    block_length = random_up_to(64);
    flags = random_up_to(31);
    memcpy(chaining_value_wanted, chaining_value, sizeof chaining_value);
    for (size_t i = 0; i < count; i++)
        blake3_compress_in_place_portable(chaining_value_wanted, blocks + 64 * i, (uint8_t)block_length, counter, (uint8_t)flags);
    check("absorb", absorb, chaining_value, chaining_value_wanted, sizeof chaining_value);
}

/* Fills a vector's lanes at random, and computes what they have to hold afterwards. */
static void fill_lanes(chunk_lanes *vector, chunk_lanes *wanted) {
    randomize(vector, sizeof *vector);
    for (int lane = 0; lane < 8; lane++) {
        vector->blocks[lane] = memory + random_up_to(sizeof memory - 64 * 16) - offset;
        vector->first_lengths[lane] = random_up_to(64);
        vector->first_flags[lane] = random_up_to(31);
    }
    *wanted = *vector;
    for (int lane = 0; lane < 8; lane++) {
        const uint8_t *begin = vector->blocks[lane] + offset;
        uint32_t value[8];
        for (int i = 0; i < 8; i++) value[i] = vector->chaining_values[i][lane];
        for (size_t i = 0; i < count; i++)
            blake3_compress_in_place_portable(value, begin + 64 * i, i ? 64 : (uint8_t)vector->first_lengths[lane],
                                              (uint64_t)vector->counters[1][lane] << 32 | vector->counters[0][lane],
                                              (uint8_t)(i ? flags : vector->first_flags[lane]));
        for (int i = 0; i < 8; i++) wanted->chaining_values[i][lane] = value[i];
    }
}

static void check_absorb_lanes(void) {
    count = 1 + random_up_to(14);
    flags = random_up_to(31);
    offset = 64 * random_up_to(99);
    for (int vectors = 1; vectors <= 3; vectors += 2) {
        for (int k = 0; k < vectors; k++) fill_lanes(&lanes[k], &lanes_wanted[k]);
        check(vectors == 1 ? "absorb_lanes" : "absorb_all_lanes", vectors == 1 ? absorb_lanes : absorb_all_lanes, lanes, lanes_wanted,
              vectors * sizeof *lanes);
    }
}

static void check_returned(const char *kernel, size_t length) {
    if (!expect(returned.start == digits && returned.length == length)) printf("%s returns another part\n", kernel);
}

static void check_hex(void) {
    count = 32 + random_up_to(sizeof bytes - 32);
    alphabet = random_up_to(1) ? "0123456789abcdef" : "0123456789ABCDEF";
    randomize(bytes, count);
    memcpy(bytes_wanted, bytes, count);
    for (size_t i = 0; i < 2 * count; i++) digits_wanted[i] = (uint8_t)alphabet[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
    check("hex_encode", hex_encode, digits, digits_wanted, 2 * count);
    check_returned("hex_encode", 2 * count);

    if (random_up_to(1)) count = 17 + random_up_to(15);
    memset(bytes, 0, count);
    check("hex_decode", hex_decode, bytes, bytes_wanted, count);
    check_returned("hex_decode of good digits", 0);
    memset(bytes, 0, count);
    check("hex_decode", hex_decode_unsaved, bytes, bytes_wanted, count);
    check_returned("hex_decode of good digits", 0);

    memset(bytes, 0xa5, count);
    memset(bytes_wanted, 0xa5, count);
    digits[random_up_to(2 * (uint32_t)count - 1)] = "/:@G`g\x00\x80"[random_up_to(7)];
    check("hex_decode", hex_decode, bytes, bytes_wanted, count);
    check_returned("hex_decode of a bad digit", 2 * count);
}

int main(void) {
    for (int round = 0; round < 200; round++) {
        check_xof();
        check_limbs();
        check_absorb();
        check_absorb_lanes();
        check_hex();
    }
    /* The controls: functions that each spoil one register, which must be named. */
    static void (*const twins[])(void) = {
#define TWIN(name) spoil_##name,
        EACH_REGISTER(TWIN)
#undef TWIN
    };
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
        if (!expect(spoilt_by(twins[i]) == register_names[i])) printf("spoilt %s is not noticed\n", register_names[i]);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
