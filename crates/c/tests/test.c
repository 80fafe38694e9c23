/* The C interface, on every backend: published values, every error, memory at every alignment, threads. */
#include "vectors.h"

#include <pthread.h>

/* The hash of one element, by every way there is to it. */
static void of_element(lthash_hash *hash, const uint8_t *key_or_null, lthash_bytes element) {
    lthash_hash other;
    lthash_batch *batch = lthash_batch_new(key_or_null);
    size_t parts, at;
    if (key_or_null != NULL) {
        OK(lthash_of_keyed(hash, key_or_null, element.data, element.length));
    } else {
        OK(lthash_of(hash, element.data, element.length));
        OK(lthash_init(&other));
        OK(lthash_insert(&other, element.data, element.length));
        CHECK(lthash_equal(&other, hash));
        OK(lthash_remove(&other, element.data, element.length));
        CHECK(lthash_is_identity(&other) && !lthash_is_identity(hash));
    }
    OK(lthash_batch_insert(batch, element.data, element.length));
    OK(lthash_batch_take(batch, &other));
    CHECK(lthash_equal(&other, hash));
    for (parts = 1; parts <= 1000; parts *= 10) {
        for (at = 0; at < element.length; at += parts) {
            size_t length = element.length - at < parts ? element.length - at : parts;
            OK(lthash_batch_element_update(batch, (const char *)element.data + at, length));
        }
        OK(lthash_batch_element_insert(batch));
        OK(lthash_batch_take(batch, &other));
        CHECK(lthash_equal(&other, hash));
    }
    OK(lthash_batch_element_update(batch, element.data, element.length));
    OK(lthash_batch_element_remove(batch));
    OK(lthash_batch_mix_in(batch, hash));
    OK(lthash_batch_take(batch, &other));
    CHECK(lthash_is_identity(&other));
    lthash_batch_free(batch);
}

static void test_messages(void) {
    lthash_hash hash, hello, world;
    size_t i;
    for (i = 0; i < COUNT(messages); i++) {
        of_element(&hash, NULL, messages[i].element);
        check_hash(&hash, &messages[i].expected);
        of_element(&hash, key, keyed[i].element);
        check_hash(&hash, &keyed[i].expected);
    }
    OK(lthash_of(&hello, "hello", 5));
    OK(lthash_of(&world, "world!", 6));
    hash = hello;
    OK(lthash_mix_in(&hash, &world));
    check_hash(&hash, &hello_plus_world);
    OK(lthash_mix_out(&hash, &hello));
    check_hash(&hash, &hello_plus_world_minus_hello);
    memset(&hash, 0, sizeof hash);
    check_hash(&hash, &identity);
    OK(lthash_mix_out(&hash, &hello));
    check_hash(&hash, &identity_minus_hello);
}

/* All messages at once, in every way; and out again. */
static void test_many(void) {
    const uint8_t *keys[2] = {NULL, key};
    lthash_bytes elements[COUNT(messages)];
    size_t lengths[COUNT(messages)], total = 0, i, k;
    uint8_t *packed;
    for (i = 0; i < COUNT(messages); i++) {
        elements[i] = messages[i].element;
        lengths[i] = elements[i].length;
        total += lengths[i];
    }
    packed = (uint8_t *)malloc(total);
    CHECK(packed != NULL);
    for (i = 0, total = 0; i < COUNT(messages); total += lengths[i], i++) {
        if (lengths[i] != 0) memcpy(packed + total, elements[i].data, lengths[i]);
    }
    for (k = 0; k < 2; k++) {
        lthash_hash expected = {{0}}, sum = {{0}}, one;
        lthash_batch *batch = lthash_batch_new(keys[k]);
        for (i = 0; i < COUNT(messages); i++) {
            of_element(&one, keys[k], elements[i]);
            OK(lthash_mix_in(&expected, &one));
            OK(lthash_batch_remove(batch, elements[i].data, elements[i].length));
        }
        OK(lthash_insert_many(&sum, keys[k], elements, COUNT(messages)));
        CHECK(lthash_equal(&sum, &expected));
        OK(lthash_insert_packed(&sum, keys[k], packed, lengths, COUNT(messages)));
        OK(lthash_remove_many(&sum, keys[k], elements, COUNT(messages)));
        CHECK(lthash_equal(&sum, &expected));
        OK(lthash_remove_packed(&sum, keys[k], packed, lengths, COUNT(messages)));
        CHECK(lthash_is_identity(&sum));
        OK(lthash_batch_take(batch, &sum));
        OK(lthash_mix_in(&sum, &expected));
        CHECK(lthash_is_identity(&sum));
        lthash_batch_free(batch);
    }
    {
        lthash_hash state = {{0}};
        for (i = 0; i < COUNT(accounts); i++) elements[i] = accounts[i].element;
        OK(lthash_insert_many(&state, NULL, elements, COUNT(accounts)));
        check_hash(&state, &state_of_accounts);
    }
    free(packed);
}

static void test_records(void) {
    size_t i;
    for (i = 0; i < COUNT(records); i++) {
        const struct record *record = &records[i];
        size_t needed = 0, length;
        uint8_t *element;
        lthash_mutation mutation = {record->key, record->value, {NULL, 0}};
        lthash_delta delta;
        lthash_status status =
            lthash_kv_element(record->key.data, record->key.length, record->value.data, record->value.length, NULL, &needed);
        CHECK(status == (record->element.length == 0 ? LTHASH_STATUS_OK : LTHASH_STATUS_WRONG_SIZE));
        CHECK(needed == record->element.length);
        length = needed + 7;
        element = (uint8_t *)malloc(length);
        CHECK(element != NULL);
        OK(lthash_kv_element(record->key.data, record->key.length, record->value.data, record->value.length, element, &length));
        CHECK(length == needed);
        CHECK(needed == 0 || memcmp(element, record->element.data, needed) == 0);
        free(element);

        memset(&delta, 0, sizeof delta);
        OK(lthash_kv_changeset(&delta, NULL, &mutation, 1));
        check_hash(&delta.hash, &record->expected);
        CHECK(delta.keys == (needed != 0));
        CHECK(delta.bytes == (needed == 0 ? 0 : (int64_t)(needed - LTHASH_KV_PREFIXES)));

        /* The record's element under a key, by the element and as a deletion. */
        if (needed != 0) {
            lthash_hash keyed_hash;
            mutation.previous = mutation.value;
            mutation.value.length = 0;
            memset(&delta, 0, sizeof delta);
            OK(lthash_kv_changeset(&delta, key, &mutation, 1));
            OK(lthash_of_keyed(&keyed_hash, key, record->element.data, record->element.length));
            OK(lthash_mix_in(&keyed_hash, &delta.hash));
            CHECK(lthash_is_identity(&keyed_hash) && delta.keys == -1);
        }
    }
}

static void test_changesets(void) {
    lthash_delta states[COUNT(changesets) + 1];
    size_t i, j;
    memset(states, 0, sizeof states);
    for (i = 0; i < COUNT(changesets); i++) {
        const struct changeset *changeset = &changesets[i];
        lthash_delta *state = &states[i + 1], change, twice;
        *state = states[changeset->previous];
        memset(&change, 0, sizeof change);
        OK(lthash_kv_changeset(&change, NULL, changeset->mutations, changeset->count));
        OK(lthash_kv_changeset(state, NULL, changeset->mutations, changeset->count));
        check_hash(&state->hash, &changeset->expected);

        /* The same by a delta, and by each mutation alone. */
        twice = change;
        OK(lthash_delta_add(&twice, &twice));
        OK(lthash_mix_out(&twice.hash, &change.hash));
        CHECK(twice.keys == 2 * change.keys && twice.bytes == 2 * change.bytes);
        CHECK(lthash_equal(&twice.hash, &change.hash));
        OK(lthash_delta_add(&change, &states[changeset->previous]));
        CHECK(lthash_equal(&change.hash, &state->hash) && change.keys == state->keys && change.bytes == state->bytes);
        change = states[changeset->previous];
        for (j = changeset->count; j-- > 0;) OK(lthash_kv_changeset(&change, NULL, &changeset->mutations[j], 1));
        CHECK(lthash_equal(&change.hash, &state->hash) && change.keys == state->keys && change.bytes == state->bytes);
    }
}

/* Hashes at every even address of a cache line, with canaries around them. */
static void test_alignment(void) {
    static uint16_t memory[LTHASH_LIMBS + 64];
    lthash_hash hello, sum, expected;
    size_t i, j;
    OK(lthash_of(&hello, "hello", 5));
    expected = hello;
    OK(lthash_mix_in(&expected, &expected));
    for (i = 1; i < 63; i++) {
        lthash_hash *hash = (lthash_hash *)&memory[i];
        uint8_t bytes[LTHASH_BYTES + 1];
        lthash_bytes elements[2] = {{"hello", 5}, {"hello", 5}};
        memset(memory, 0xaa, sizeof memory);
        OK(lthash_of(hash, "hello", 5));
        CHECK(lthash_equal(hash, &hello));
        OK(lthash_mix_in(hash, &hello));
        CHECK(lthash_equal(hash, &expected));
        sum = hello;
        OK(lthash_mix_out(&sum, hash));
        OK(lthash_mix_in(&sum, &hello));
        CHECK(lthash_is_identity(&sum));
        OK(lthash_remove_many(hash, NULL, elements, 2));
        CHECK(lthash_is_identity(hash));
        OK(lthash_insert(hash, "hello", 5));
        OK(lthash_to_bytes(hash, bytes + 1));
        OK(lthash_mix_in(hash, hash));
        CHECK(lthash_equal(hash, &expected));
        OK(lthash_mix_out(hash, hash));
        CHECK(lthash_is_identity(hash));
        OK(lthash_from_bytes(hash, bytes + 1));
        CHECK(lthash_equal(hash, &hello));
        for (j = 0; j < COUNT(memory); j++) CHECK((j >= i && j < i + LTHASH_LIMBS) || memory[j] == 0xaaaa);
    }
    /* Overlapping by all but one limb. */
    memcpy(memory, &hello, sizeof hello);
    memory[LTHASH_LIMBS] = 7;
    OK(lthash_mix_in((lthash_hash *)&memory[0], (const lthash_hash *)&memory[1]));
    for (i = 0; i + 1 < LTHASH_LIMBS; i++) CHECK(memory[i] == (uint16_t)(hello.limbs[i] + hello.limbs[i + 1]));
    CHECK(memory[LTHASH_LIMBS - 1] == (uint16_t)(hello.limbs[LTHASH_LIMBS - 1] + 7) && memory[LTHASH_LIMBS] == 7);
}

static void test_hex(void) {
    const char digits[] = "00ff10aBcDeF";
    const uint8_t expected[6] = {0x00, 0xff, 0x10, 0xab, 0xcd, 0xef};
    uint8_t bytes[100];
    char text[201];
    size_t position = 77;
    OK(lthash_hex_decode(digits, 12, bytes, 6, &position));
    CHECK(memcmp(bytes, expected, 6) == 0 && position == 77);
    OK(lthash_hex_encode(bytes, 6, text, 13));
    CHECK(strcmp(text, "00ff10abcdef") == 0);
    OK(lthash_hex_encode(NULL, 0, text, 1));
    CHECK(text[0] == 0);
    OK(lthash_hex_decode(NULL, 0, NULL, 0, NULL));
    FAILS(WRONG_SIZE, lthash_hex_encode(bytes, 6, text, 12));
    FAILS(WRONG_SIZE, lthash_hex_encode(bytes, 6, text, 14));
    FAILS(NULL_POINTER, lthash_hex_encode(bytes, 6, NULL, 13));
    FAILS(NULL_POINTER, lthash_hex_encode(NULL, 6, text, 13));
    FAILS(TOO_LONG, lthash_hex_encode(bytes, SIZE_MAX / 2 + 1, text, 13));
    FAILS(TOO_LONG, lthash_hex_encode(bytes, SIZE_MAX / 2, text, SIZE_MAX));
    FAILS(ODD_LENGTH, lthash_hex_decode(digits, 11, bytes, 6, &position));
    FAILS(WRONG_SIZE, lthash_hex_decode(digits, 12, bytes, 5, &position));
    FAILS(NULL_POINTER, lthash_hex_decode(NULL, 12, bytes, 6, &position));
    FAILS(NULL_POINTER, lthash_hex_decode(digits, 12, NULL, 6, &position));
    CHECK(position == 77);
    /* A long one, whose last digit is bad: the bytes stay. */
    memset(text, 'a', sizeof text);
    text[199] = 'g';
    memset(bytes, 1, sizeof bytes);
    FAILS(INVALID_DIGIT, lthash_hex_decode(text, 200, bytes, 100, &position));
    CHECK(position == 199 && bytes[0] == 1 && bytes[99] == 1);
    FAILS(INVALID_DIGIT, lthash_hex_decode(text, 200, bytes, 100, NULL));
}

static void test_null(void) {
    lthash_hash hash = {{0}}, before;
    lthash_delta delta;
    uint8_t bytes[LTHASH_BYTES] = {0};
    lthash_batch *batch = lthash_batch_new(NULL);
    lthash_bytes elements[3] = {{"a", 1}, {NULL, 1}, {"b", 1}};
    lthash_mutation mutations[2] = {{{"k", 1}, {"v", 1}, {NULL, 0}}, {{"k", 1}, {NULL, 1}, {NULL, 0}}};
    size_t lengths[2] = {1, 1}, length = 100;
    memset(&delta, 0, sizeof delta);
    OK(lthash_insert(&hash, "before", 6));
    before = hash;

    FAILS(NULL_POINTER, lthash_init(NULL));
    FAILS(NULL_POINTER, lthash_of(NULL, "a", 1));
    FAILS(NULL_POINTER, lthash_of(&hash, NULL, 1));
    FAILS(NULL_POINTER, lthash_of_keyed(NULL, key, "a", 1));
    FAILS(NULL_POINTER, lthash_of_keyed(&hash, NULL, "a", 1));
    FAILS(NULL_POINTER, lthash_of_keyed(&hash, key, NULL, 1));
    FAILS(NULL_POINTER, lthash_insert(NULL, "a", 1));
    FAILS(NULL_POINTER, lthash_insert(&hash, NULL, 1));
    FAILS(NULL_POINTER, lthash_remove(NULL, "a", 1));
    FAILS(NULL_POINTER, lthash_remove(&hash, NULL, 1));
    FAILS(NULL_POINTER, lthash_mix_in(NULL, &hash));
    FAILS(NULL_POINTER, lthash_mix_in(&hash, NULL));
    FAILS(NULL_POINTER, lthash_mix_out(NULL, &hash));
    FAILS(NULL_POINTER, lthash_mix_out(&hash, NULL));
    FAILS(NULL_POINTER, lthash_checksum(NULL, bytes));
    FAILS(NULL_POINTER, lthash_checksum(&hash, NULL));
    FAILS(NULL_POINTER, lthash_to_bytes(NULL, bytes));
    FAILS(NULL_POINTER, lthash_to_bytes(&hash, NULL));
    FAILS(NULL_POINTER, lthash_from_bytes(NULL, bytes));
    FAILS(NULL_POINTER, lthash_from_bytes(&hash, NULL));
    CHECK(!lthash_equal(NULL, &hash) && !lthash_equal(&hash, NULL) && !lthash_equal(NULL, NULL));
    CHECK(!lthash_is_identity(NULL));

    FAILS(NULL_POINTER, lthash_insert_many(NULL, NULL, elements, 1));
    FAILS(NULL_POINTER, lthash_insert_many(&hash, NULL, NULL, 1));
    FAILS(NULL_POINTER, lthash_insert_many(&hash, NULL, elements, 3));
    FAILS(NULL_POINTER, lthash_remove_many(NULL, NULL, elements, 1));
    FAILS(NULL_POINTER, lthash_remove_many(&hash, NULL, NULL, 1));
    FAILS(NULL_POINTER, lthash_remove_many(&hash, NULL, elements, 3));
    FAILS(NULL_POINTER, lthash_insert_packed(NULL, NULL, "ab", lengths, 2));
    FAILS(NULL_POINTER, lthash_insert_packed(&hash, NULL, NULL, lengths, 2));
    FAILS(NULL_POINTER, lthash_insert_packed(&hash, NULL, "ab", NULL, 2));
    FAILS(NULL_POINTER, lthash_remove_packed(NULL, NULL, "ab", lengths, 2));
    FAILS(NULL_POINTER, lthash_remove_packed(&hash, NULL, NULL, lengths, 2));
    FAILS(NULL_POINTER, lthash_remove_packed(&hash, NULL, "ab", NULL, 2));
    CHECK(lthash_equal(&hash, &before));
    OK(lthash_insert_many(&hash, NULL, NULL, 0));
    OK(lthash_remove_many(&hash, NULL, NULL, 0));
    OK(lthash_insert_packed(&hash, NULL, NULL, NULL, 0));
    OK(lthash_remove_packed(&hash, NULL, NULL, NULL, 0));
    CHECK(lthash_equal(&hash, &before));

    FAILS(NULL_POINTER, lthash_batch_insert(NULL, "a", 1));
    FAILS(NULL_POINTER, lthash_batch_insert(batch, NULL, 1));
    FAILS(NULL_POINTER, lthash_batch_remove(NULL, "a", 1));
    FAILS(NULL_POINTER, lthash_batch_remove(batch, NULL, 1));
    FAILS(NULL_POINTER, lthash_batch_mix_in(NULL, &hash));
    FAILS(NULL_POINTER, lthash_batch_mix_in(batch, NULL));
    FAILS(NULL_POINTER, lthash_batch_mix_out(NULL, &hash));
    FAILS(NULL_POINTER, lthash_batch_mix_out(batch, NULL));
    FAILS(NULL_POINTER, lthash_batch_element_update(NULL, "a", 1));
    FAILS(NULL_POINTER, lthash_batch_element_update(batch, NULL, 1));
    FAILS(NULL_POINTER, lthash_batch_element_insert(NULL));
    FAILS(NULL_POINTER, lthash_batch_element_remove(NULL));
    FAILS(NULL_POINTER, lthash_batch_element_discard(NULL));
    FAILS(NULL_POINTER, lthash_batch_take(NULL, &hash));
    FAILS(NULL_POINTER, lthash_batch_take(batch, NULL));
    OK(lthash_batch_take(batch, &hash));
    CHECK(lthash_is_identity(&hash));
    lthash_batch_free(batch);
    lthash_batch_free(NULL);

    FAILS(NULL_POINTER, lthash_kv_element("k", 1, "v", 1, NULL, &length));
    length = 100;
    FAILS(NULL_POINTER, lthash_kv_element("k", 1, "v", 1, bytes, NULL));
    FAILS(NULL_POINTER, lthash_kv_element(NULL, 1, "v", 1, bytes, &length));
    FAILS(NULL_POINTER, lthash_kv_element("k", 1, NULL, 1, bytes, &length));
    CHECK(length == 100);
    FAILS(NULL_POINTER, lthash_kv_changeset(NULL, NULL, mutations, 1));
    FAILS(NULL_POINTER, lthash_kv_changeset(&delta, NULL, NULL, 1));
    FAILS(NULL_POINTER, lthash_kv_changeset(&delta, NULL, mutations, 2));
    OK(lthash_kv_changeset(&delta, NULL, NULL, 0));
    CHECK(lthash_is_identity(&delta.hash) && delta.keys == 0 && delta.bytes == 0);
    FAILS(NULL_POINTER, lthash_delta_add(NULL, &delta));
    FAILS(NULL_POINTER, lthash_delta_add(&delta, NULL));
}

static void test_too_long(void) {
    const size_t over = SIZE_MAX / 2 + 1;
    lthash_hash hash = {{0}};
    lthash_delta delta;
    lthash_batch *batch = lthash_batch_new(NULL);
    lthash_bytes elements[2] = {{"a", 1}, {"b", over}};
    size_t lengths[2] = {SIZE_MAX, 2}, length = 100;
    uint8_t bytes[100];
    memset(&delta, 0, sizeof delta);
    FAILS(TOO_LONG, lthash_of(&hash, "a", over));
    FAILS(TOO_LONG, lthash_of_keyed(&hash, key, "a", over));
    FAILS(TOO_LONG, lthash_insert(&hash, "a", over));
    FAILS(TOO_LONG, lthash_remove(&hash, "a", over));
    FAILS(TOO_LONG, lthash_insert_many(&hash, NULL, elements, 2));
    FAILS(TOO_LONG, lthash_insert_many(&hash, NULL, elements, over));
    FAILS(TOO_LONG, lthash_insert_packed(&hash, NULL, "a", lengths, 2));
    FAILS(TOO_LONG, lthash_insert_packed(&hash, NULL, "a", lengths, 1));
    FAILS(TOO_LONG, lthash_batch_insert(batch, "a", over));
    FAILS(TOO_LONG, lthash_batch_remove(batch, "a", over));
    FAILS(TOO_LONG, lthash_batch_element_update(batch, "a", over));
    CHECK(lthash_is_identity(&hash));
    lthash_batch_free(batch);
#if SIZE_MAX > UINT32_MAX
    {
        const size_t over_32 = (size_t)UINT32_MAX + 1;
        lthash_mutation mutations[3] = {
            {{"k", over_32}, {"v", 1}, {NULL, 0}}, {{"k", 1}, {"v", over_32}, {NULL, 0}}, {{"k", 1}, {NULL, 0}, {"v", over_32}}};
        size_t i;
        FAILS(TOO_LONG, lthash_kv_element("k", over_32, "v", 1, bytes, &length));
        FAILS(TOO_LONG, lthash_kv_element("k", 1, "v", over_32, bytes, &length));
        for (i = 0; i < 3; i++) FAILS(TOO_LONG, lthash_kv_changeset(&delta, NULL, &mutations[i], 1));
    }
#endif
    CHECK(lthash_is_identity(&delta.hash) && delta.keys == 0 && delta.bytes == 0 && length == 100);
}

static void test_open_element(void) {
    lthash_hash hash, expected;
    lthash_batch *batch = lthash_batch_new(NULL);
    OK(lthash_of(&expected, "", 0));
    OK(lthash_batch_element_insert(batch));
    OK(lthash_batch_element_update(batch, NULL, 0));
    FAILS(ELEMENT_OPEN, lthash_batch_insert(batch, "a", 1));
    FAILS(ELEMENT_OPEN, lthash_batch_remove(batch, "a", 1));
    FAILS(ELEMENT_OPEN, lthash_batch_mix_in(batch, &expected));
    FAILS(ELEMENT_OPEN, lthash_batch_mix_out(batch, &expected));
    FAILS(ELEMENT_OPEN, lthash_batch_take(batch, &hash));
    OK(lthash_batch_element_update(batch, "a", 1));
    OK(lthash_batch_element_discard(batch));
    OK(lthash_batch_element_discard(batch));
    OK(lthash_batch_take(batch, &hash));
    CHECK(lthash_equal(&hash, &expected));
    /* Freed while one is open. */
    OK(lthash_batch_element_update(batch, "a", 1));
    lthash_batch_free(batch);
}

static void test_backends(void) {
    const char *name;
    char last[16] = "";
    size_t i;
    for (i = 0; (name = lthash_backend_available(i)) != NULL; i++) {
        OK(lthash_backend_pin(name));
        CHECK(strcmp(lthash_backend_active(), name) == 0);
        strcpy(last, name);
    }
    CHECK(i > 0 && strcmp(lthash_backend_available(0), "portable") == 0);
    CHECK(lthash_backend_available(SIZE_MAX) == NULL);
    FAILS(UNKNOWN_BACKEND, lthash_backend_pin("avx3"));
    FAILS(UNKNOWN_BACKEND, lthash_backend_pin(""));
    FAILS(UNKNOWN_BACKEND, lthash_backend_pin("\xff"));
    CHECK(strcmp(lthash_backend_active(), last) == 0);
    if (i == 1) FAILS(UNAVAILABLE_BACKEND, lthash_backend_pin("avx512"));
    OK(lthash_backend_pin("portable"));
    OK(lthash_backend_pin(NULL));
    {
        const char *wanted = getenv("LTHASH_BACKEND");
        lthash_status status = lthash_backend_requested();
        if (wanted == NULL) {
            CHECK(status == LTHASH_STATUS_OK);
            CHECK(strcmp(lthash_backend_active(), last) == 0);
        } else if (strcmp(wanted, "avx3") == 0) {
            CHECK(status == LTHASH_STATUS_UNKNOWN_BACKEND);
            CHECK(strcmp(lthash_backend_active(), last) == 0);
        } else {
            CHECK(status == LTHASH_STATUS_OK);
            CHECK(strcmp(lthash_backend_active(), wanted) == 0);
        }
    }
}

static void test_texts(void) {
    int i, j;
    for (i = LTHASH_STATUS_OK; i <= LTHASH_STATUS_ELEMENT_OPEN; i++) {
        const char *text = lthash_status_text(i);
        CHECK(strlen(text) > 5 && strcmp(text, lthash_status_text(-1)) != 0);
        for (j = LTHASH_STATUS_OK; j < i; j++) CHECK(strcmp(text, lthash_status_text(j)) != 0);
    }
    CHECK(strcmp(lthash_status_text(LTHASH_STATUS_OK), "no error") == 0);
    CHECK(strstr(lthash_status_text(LTHASH_STATUS_NULL_POINTER), "NULL") != NULL);
    CHECK(strstr(lthash_status_text(LTHASH_STATUS_TOO_LONG), "PTRDIFF_MAX") != NULL);
    CHECK(strstr(lthash_status_text(LTHASH_STATUS_WRONG_SIZE), "wrong size") != NULL);
    CHECK(strstr(lthash_status_text(LTHASH_STATUS_ODD_LENGTH), "odd") != NULL);
    CHECK(strstr(lthash_status_text(LTHASH_STATUS_INVALID_DIGIT), "invalid digit") != NULL);
    CHECK(strstr(lthash_status_text(LTHASH_STATUS_UNKNOWN_BACKEND), "unknown") != NULL);
    CHECK(strstr(lthash_status_text(LTHASH_STATUS_UNAVAILABLE_BACKEND), "not available") != NULL);
    CHECK(strstr(lthash_status_text(LTHASH_STATUS_ELEMENT_OPEN), "open") != NULL);
    CHECK(strcmp(lthash_status_text(LTHASH_STATUS_ELEMENT_OPEN + 1), lthash_status_text(INT32_MIN)) == 0);
}

/* Threads that hash with batches of their own, read one hash, and pin backends meanwhile. */
enum { THREADS = 4, ROUNDS = 20 };
static lthash_hash shared;

static void *work(void *argument) {
    size_t number = (size_t)(uintptr_t)argument, round, i;
    for (round = 0; round < ROUNDS; round++) {
        lthash_hash hash;
        lthash_batch *batch = lthash_batch_new(NULL);
        OK(lthash_backend_pin(lthash_backend_available((round + number) % 2)));
        for (i = 0; i < COUNT(messages); i++)
            OK(lthash_batch_insert(batch, messages[i].element.data, messages[i].element.length));
        OK(lthash_batch_mix_out(batch, &shared));
        OK(lthash_batch_take(batch, &hash));
        CHECK(lthash_is_identity(&hash));
        lthash_batch_free(batch);
    }
    return NULL;
}

static void test_threads(void) {
    pthread_t threads[THREADS];
    size_t i;
    OK(lthash_init(&shared));
    for (i = 0; i < COUNT(messages); i++) OK(lthash_insert(&shared, messages[i].element.data, messages[i].element.length));
    for (i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i) == 0);
    for (i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    OK(lthash_backend_pin(NULL));
}

int main(void) {
    const char *name;
    size_t i;
    test_texts();
    test_backends();
    for (i = 0; (name = lthash_backend_available(i)) != NULL; i++) {
        OK(lthash_backend_pin(name));
        test_messages();
        test_many();
        test_records();
        test_changesets();
        test_alignment();
        test_hex();
        test_null();
        test_too_long();
        test_open_element();
        printf("%s%s", i == 0 ? "C: all tests passed on " : ", ", name);
    }
    OK(lthash_backend_pin(NULL));
    test_threads();
    printf("\n");
    return 0;
}
