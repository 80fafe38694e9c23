/*
 * lthash: the lattice multiset hash LtHash-16-1024 with BLAKE3, on hand-written AVX-512 and AVX2 kernels.
 *
 * A multiset's hash is the sum of its elements' hashes, 1024 limbs mod 2^16, so that adding and removing an element costs the
 * same however large the set is, and the order does not matter.
 *
 *     lthash_hash set = {0};
 *     uint8_t checksum[LTHASH_CHECKSUM_BYTES];
 *     lthash_insert(&set, "alice", 5);
 *     lthash_insert(&set, "bob", 3);
 *     lthash_remove(&set, "alice", 5);
 *     lthash_checksum(&set, checksum);
 *
 * Pointers. Each points to what the function's text says, of the alignment of its type; a hash needs that of uint16_t. NULL with
 * a length of 0 is no bytes; any other NULL is LTHASH_STATUS_NULL_POINTER, unless the function's text says otherwise. What a
 * function writes must not overlap what it reads, unless its text says that it may; what it only writes need not be initialised.
 *
 * Errors. A function that can fail returns an lthash_status, which lthash_status_text() explains. It has then changed nothing,
 * unless its text says so.
 *
 * Threads. Any function may be called on any thread. A hash, a delta or a batch may be read by several threads at a time, or
 * changed by one. The only state that calls share is which backend is in use.
 *
 * Memory. The caller owns all that is passed, but for batches. Functions that take many elements allocate while they run. If
 * memory runs out, or the library has a fault, the process is aborted, with a message on standard error; no panic of Rust's
 * leaves it.
 */


#ifndef LTHASH_H
#define LTHASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The number of a hash's limbs.
 */
#define LTHASH_LIMBS 1024

/**
 * The length of a hash's byte form.
 */
#define LTHASH_BYTES 2048

/**
 * The length of a checksum.
 */
#define LTHASH_CHECKSUM_BYTES 32

/**
 * The length of a key.
 */
#define LTHASH_KEY_BYTES 32

/**
 * How much longer a record's element is than its key and its value.
 */
#define LTHASH_KV_PREFIXES 8

/**
 * The result of a function that can fail. If it is not `LTHASH_STATUS_OK`, nothing has changed, unless the function's
 * documentation says otherwise.
 */
typedef enum lthash_status {
  /**
   * Success.
   */
  LTHASH_STATUS_OK = 0,
  /**
   * A pointer is NULL that must not be.
   */
  LTHASH_STATUS_NULL_POINTER = 1,
  /**
   * A length is over the maximum: `PTRDIFF_MAX` bytes, or `UINT32_MAX` for a record's key or value.
   */
  LTHASH_STATUS_TOO_LONG = 2,
  /**
   * The room for the output has the wrong size.
   */
  LTHASH_STATUS_WRONG_SIZE = 3,
  /**
   * A hex text has an odd number of digits.
   */
  LTHASH_STATUS_ODD_LENGTH = 4,
  /**
   * A byte of a hex text is not a hexadecimal digit.
   */
  LTHASH_STATUS_INVALID_DIGIT = 5,
  /**
   * No backend has this name.
   */
  LTHASH_STATUS_UNKNOWN_BACKEND = 6,
  /**
   * This build does not contain the backend, or this processor cannot run it.
   */
  LTHASH_STATUS_UNAVAILABLE_BACKEND = 7,
  /**
   * An element has been begun in parts and is neither inserted, removed nor discarded yet.
   */
  LTHASH_STATUS_ELEMENT_OPEN = 8,
} lthash_status;

/**
 * A multiset whose elements come one at a time and are hashed many at a time. It copies them, and has memory of its own: 100
 * KiB at most.
 */
typedef struct lthash_batch lthash_batch;

/**
 * The hash of a multiset of byte strings: the sum of its elements' hashes, limb by limb mod 2^16. An element that occurs
 * 65,536 times adds up to nothing, so compare the number of elements too where duplicates are possible.
 *
 * It is a plain value: copy it, and keep it anywhere. All limbs are 0 in the empty multiset's hash.
 */
typedef struct lthash_hash {
  /**
   * The limbs. How their numbers are stored depends on the processor: store `lthash_to_bytes` instead.
   */
  uint16_t limbs[LTHASH_LIMBS];
} lthash_hash;

/**
 * What mutations change. All zeros is no change: `lthash_delta delta = {0};`.
 */
typedef struct lthash_delta {
  /**
   * The hash of the records added less that of those removed.
   */
  struct lthash_hash hash;
  /**
   * The number of records added less that of those removed.
   */
  int64_t keys;
  /**
   * The lengths of keys and values added less those removed: an update moves it by the values' difference.
   */
  int64_t bytes;
} lthash_delta;

/**
 * Bytes of the caller's. NULL with length 0 stands for no bytes.
 */
typedef struct lthash_bytes {
  /**
   * The first byte.
   */
  const void *data;
  /**
   * The number of bytes.
   */
  size_t length;
} lthash_bytes;

/**
 * A change of a key's value. A value that is absent and one that is empty are the same, and nothing is stored under an empty
 * key.
 */
typedef struct lthash_mutation {
  /**
   * The key.
   */
  struct lthash_bytes key;
  /**
   * The value from now on; empty if the key is deleted.
   */
  struct lthash_bytes value;
  /**
   * The value until now; empty if there was none. It has to be right: this library does not know what is stored.
   */
  struct lthash_bytes previous;
} lthash_mutation;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The name of the backend in use: `portable`, `neon`, `avx2` or `avx512`. The text is never freed.
 */
const char *lthash_backend_active(void);

/**
 * The name of a backend that this build contains and this processor can run, or NULL if there are no more than `index`.
 * The slowest has index 0. The text is never freed.
 */
const char *lthash_backend_available(size_t index);

/**
 * Makes all calls from now on use the backend of this name, or, if it is NULL, the one that the library chooses by itself.
 * A batch stays on the backend that it was made on. The bytes are the same on every backend.
 *
 * Returns `LTHASH_STATUS_UNKNOWN_BACKEND` or `LTHASH_STATUS_UNAVAILABLE_BACKEND`.
 */
enum lthash_status lthash_backend_pin(const char *name);

/**
 * Whether the environment variable `LTHASH_BACKEND` is honoured, which names the backend that the library chooses. It is
 * read once.
 *
 * Returns `LTHASH_STATUS_OK` if it is honoured or not set; `LTHASH_STATUS_UNKNOWN_BACKEND` or
 * `LTHASH_STATUS_UNAVAILABLE_BACKEND` if it is ignored.
 */
enum lthash_status lthash_backend_requested(void);

/**
 * A new empty batch on the backend in use, never NULL. `key` is 32 bytes, or NULL for none; it is copied. `lthash_batch_free`
 * frees the batch.
 */
struct lthash_batch *lthash_batch_new(const uint8_t *key);

/**
 * Frees a batch. If it is NULL, nothing happens.
 */
void lthash_batch_free(struct lthash_batch *batch);

/**
 * Inserts an element.
 *
 * Returns `LTHASH_STATUS_ELEMENT_OPEN` if one is begun in parts.
 */
enum lthash_status lthash_batch_insert(struct lthash_batch *batch, const void *element, size_t length);

/**
 * Removes an element.
 *
 * Returns `LTHASH_STATUS_ELEMENT_OPEN` if one is begun in parts.
 */
enum lthash_status lthash_batch_remove(struct lthash_batch *batch, const void *element, size_t length);

/**
 * Adds a multiset.
 *
 * Returns `LTHASH_STATUS_ELEMENT_OPEN` if an element is begun in parts.
 */
enum lthash_status lthash_batch_mix_in(struct lthash_batch *batch, const struct lthash_hash *hash);

/**
 * Subtracts a multiset.
 *
 * Returns `LTHASH_STATUS_ELEMENT_OPEN` if an element is begun in parts.
 */
enum lthash_status lthash_batch_mix_out(struct lthash_batch *batch, const struct lthash_hash *hash);

/**
 * Appends a part to the open element, or begins an element. The batch holds no more than the element's last 16 KiB, and 32
 * bytes for each of at most 55 subtrees before them.
 */
enum lthash_status lthash_batch_element_update(struct lthash_batch *batch,
                                               const void *part,
                                               size_t length);

/**
 * Inserts the element that is the concatenation of its parts, or the empty element if none is open.
 */
enum lthash_status lthash_batch_element_insert(struct lthash_batch *batch);

/**
 * Removes the element that is the concatenation of its parts, or the empty element if none is open.
 */
enum lthash_status lthash_batch_element_remove(struct lthash_batch *batch);

/**
 * Drops the open element, if there is one.
 */
enum lthash_status lthash_batch_element_discard(struct lthash_batch *batch);

/**
 * Writes the multiset's hash. The batch is then empty, and keeps its backend, its key and its memory.
 *
 * Returns `LTHASH_STATUS_ELEMENT_OPEN` if an element is begun in parts.
 */
enum lthash_status lthash_batch_take(struct lthash_batch *batch, struct lthash_hash *hash);

/**
 * Sets a hash to that of the empty multiset, in which all limbs are 0. `memset`, or `lthash_hash hash = {0};`, does the same.
 */
enum lthash_status lthash_init(struct lthash_hash *hash);

/**
 * Sets a hash to that of the multiset that holds the element once. The empty element hashes like any other.
 */
enum lthash_status lthash_of(struct lthash_hash *hash, const void *element, size_t length);

/**
 * As `lthash_of`, under a key of 32 bytes: BLAKE3's keyed mode takes the place of its hash mode. Hashes under different
 * keys, or with and without one, must not be mixed.
 */
enum lthash_status lthash_of_keyed(struct lthash_hash *hash, const uint8_t *key, const void *element, size_t length);

/**
 * Inserts an element. Many are faster through `lthash_insert_many` or a batch.
 */
enum lthash_status lthash_insert(struct lthash_hash *hash, const void *element, size_t length);

/**
 * Removes an element. Removing what was never inserted is no error: multiplicities may be negative.
 */
enum lthash_status lthash_remove(struct lthash_hash *hash, const void *element, size_t length);

/**
 * Adds a multiset. Both may be the same hash, which is then doubled.
 */
enum lthash_status lthash_mix_in(struct lthash_hash *hash, const struct lthash_hash *other);

/**
 * Subtracts a multiset. Both may be the same hash, which is then that of the empty multiset.
 */
enum lthash_status lthash_mix_out(struct lthash_hash *hash, const struct lthash_hash *other);

/**
 * Writes the 32 bytes to compare, to store and to sign: BLAKE3 of `lthash_to_bytes`. Compare all of them.
 */
enum lthash_status lthash_checksum(const struct lthash_hash *hash, uint8_t *checksum);

/**
 * Writes the 2048 bytes of the limbs, little-endian on every processor.
 */
enum lthash_status lthash_to_bytes(const struct lthash_hash *hash, uint8_t *bytes);

/**
 * Sets a hash to the one of which these are the 2048 bytes (see `lthash_to_bytes`). Any 2048 bytes are those of a hash.
 */
enum lthash_status lthash_from_bytes(struct lthash_hash *hash, const uint8_t *bytes);

/**
 * Whether two hashes are equal. A NULL is equal to nothing.
 */
bool lthash_equal(const struct lthash_hash *hash, const struct lthash_hash *other);

/**
 * Whether a hash is the empty multiset's. A NULL is not.
 */
bool lthash_is_identity(const struct lthash_hash *hash);

/**
 * Writes bytes as lower-case hex digits and a NUL into `text`, whose size is twice the length plus one.
 *
 * Returns `LTHASH_STATUS_WRONG_SIZE` if it has another size.
 */
enum lthash_status lthash_hex_encode(const void *bytes, size_t length, char *text, size_t text_size);

/**
 * Decodes hex digits of either case into `bytes`, which is half as long as the text. The text need not end in a NUL and must not
 * begin with `0x`.
 *
 * Returns `LTHASH_STATUS_ODD_LENGTH`, `LTHASH_STATUS_WRONG_SIZE` or `LTHASH_STATUS_INVALID_DIGIT`, the first that applies;
 * if there is a bad digit, `position`, unless it is NULL, is set to the digit's index.
 */
enum lthash_status lthash_hex_decode(const char *text,
                                     size_t text_length,
                                     uint8_t *bytes,
                                     size_t length,
                                     size_t *position);

/**
 * Writes a record's element: the key and the value, each preceded by its length, 32 bits little-endian. A record whose key or
 * value is empty has no element.
 *
 * `length` holds the size of the room at `element`, and is set to the element's length, or to 0 if there is no element. If the
 * room is too small (it may be 0, with NULL), nothing is written, but `length` is set, and `LTHASH_STATUS_WRONG_SIZE` is
 * returned. The length is `LTHASH_KV_PREFIXES` more than the key's and the value's.
 */
enum lthash_status lthash_kv_element(const void *key,
                                     size_t key_length,
                                     const void *value,
                                     size_t value_length,
                                     uint8_t *element,
                                     size_t *length);

/**
 * Adds to `delta` what a changeset changes: an array of `count` mutations, hashed many at a time. `key` is 32 bytes, or NULL for
 * none.
 *
 * If a mutation has a wrong pointer or length, nothing is added.
 */
enum lthash_status lthash_kv_changeset(struct lthash_delta *delta,
                                       const uint8_t *key,
                                       const struct lthash_mutation *mutations,
                                       size_t count);

/**
 * Adds another delta to `delta`. Both may be the same delta.
 */
enum lthash_status lthash_delta_add(struct lthash_delta *delta, const struct lthash_delta *other);

/**
 * Inserts elements, hashed many at a time: an array of `count`. `key` is 32 bytes, or NULL for none.
 *
 * If an element has a wrong pointer or length, none is inserted.
 */
enum lthash_status lthash_insert_many(struct lthash_hash *hash,
                                      const uint8_t *key,
                                      const struct lthash_bytes *elements,
                                      size_t count);

/**
 * Removes elements, as `lthash_insert_many` inserts them.
 */
enum lthash_status lthash_remove_many(struct lthash_hash *hash,
                                      const uint8_t *key,
                                      const struct lthash_bytes *elements,
                                      size_t count);

/**
 * Inserts elements that are contiguous in memory, hashed many at a time: `count` of these `lengths`. `key` is 32
 * bytes, or NULL for none.
 */
enum lthash_status lthash_insert_packed(struct lthash_hash *hash,
                                        const uint8_t *key,
                                        const void *elements,
                                        const size_t *lengths,
                                        size_t count);

/**
 * Removes elements, as `lthash_insert_packed` inserts them.
 */
enum lthash_status lthash_remove_packed(struct lthash_hash *hash,
                                        const uint8_t *key,
                                        const void *elements,
                                        const size_t *lengths,
                                        size_t count);

/**
 * What a status means, in English: text that is never freed, for any number.
 */
const char *lthash_status_text(int32_t status);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LTHASH_H */
