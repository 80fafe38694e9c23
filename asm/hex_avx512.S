/*
 * Bytes from hexadecimal digits.
 *
 *   Bytes hex_decode_avx512(const uint8_t *digits, size_t digit_count, uint8_t *bytes, size_t count, uint8_t *saved);
 *
 * hex_decode.h says what it does and what its pointers must hold. Vectors of 64 bytes would be slower on Zen 4 where they cross
 * cache lines.
 *
 * Registers: ymm0 to ymm15, rax, rcx, rdx, rsi, rdi, r8 to r11. Stack: none.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations for each 32 bytes: 16.
 */

#include "abi.h"
#include "hex_decode.h"

/* Makes 16 words with a byte in each of 32 digits. */
.macro decode_first vector, from
        vpxor   errors, errors, errors
        decode_more \vector, \from
.endm

.macro decode_more vector, from
        look_up \vector, \from
        vpternlogd errors, row, column, 0xf4 /* errors | (row & ~column) */
        join    \vector
.endm

KERNEL(hex_decode_avx512)
        decode_digits LOCAL(hex_decode_avx512)
KERNEL_END(hex_decode_avx512)

        decode_constants LOCAL(hex_decode_avx512)

OBJECT_END
