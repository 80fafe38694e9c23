// The C interface from C++, on every backend: published values, by several threads at once.
#include "vectors.h"

#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

struct Free {
    void operator()(lthash_batch *batch) const { lthash_batch_free(batch); }
};
using Batch = std::unique_ptr<lthash_batch, Free>;

static void test_messages() {
    for (const message &message : messages) {
        Batch batch(lthash_batch_new(nullptr));
        lthash_hash hash;
        OK(lthash_batch_insert(batch.get(), message.element.data, message.element.length));
        OK(lthash_batch_take(batch.get(), &hash));
        check_hash(&hash, &message.expected);
    }
    for (const message &message : keyed) {
        Batch batch(lthash_batch_new(key));
        lthash_hash hash;
        OK(lthash_batch_element_update(batch.get(), message.element.data, message.element.length));
        OK(lthash_batch_element_insert(batch.get()));
        OK(lthash_batch_take(batch.get(), &hash));
        check_hash(&hash, &message.expected);
    }
    std::vector<lthash_bytes> elements;
    for (const message &message : accounts) elements.push_back(message.element);
    lthash_hash state{};
    OK(lthash_insert_many(&state, nullptr, elements.data(), elements.size()));
    check_hash(&state, &state_of_accounts);
}

static void test_mixing() {
    lthash_hash hello, hash;
    OK(lthash_of(&hello, "hello", 5));
    hash = hello;
    OK(lthash_insert(&hash, "world!", 6));
    check_hash(&hash, &hello_plus_world);
    OK(lthash_mix_out(&hash, &hello));
    check_hash(&hash, &hello_plus_world_minus_hello);
    OK(lthash_init(&hash));
    check_hash(&hash, &identity);
    OK(lthash_remove(&hash, "hello", 5));
    check_hash(&hash, &identity_minus_hello);
}

static void test_records() {
    for (const record &record : records) {
        lthash_delta delta{};
        const lthash_mutation mutation{record.key, record.value, {nullptr, 0}};
        OK(lthash_kv_changeset(&delta, nullptr, &mutation, 1));
        check_hash(&delta.hash, &record.expected);
    }
}

static void test_changesets() {
    std::vector<lthash_delta> states(1);
    for (const changeset &changeset : changesets) {
        lthash_delta state = states[changeset.previous];
        OK(lthash_kv_changeset(&state, nullptr, changeset.mutations, changeset.count));
        check_hash(&state.hash, &changeset.expected);
        states.push_back(state);
    }
}

int main() {
    for (size_t i = 0; const char *name = lthash_backend_available(i); i++) {
        OK(lthash_backend_pin(name));
        std::vector<std::thread> threads;
        for (void (*test)() : {test_messages, test_mixing, test_records, test_changesets}) threads.emplace_back(test);
        for (std::thread &thread : threads) thread.join();
        std::printf("%s%s", i == 0 ? "C++: all tests passed on " : ", ", name);
    }
    std::printf("\n");
}
