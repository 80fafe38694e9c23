/*
 * Hexadecimal digits from bytes, and bytes from hexadecimal digits.
 *
 *   typedef struct { uint8_t *start; size_t length; } Bytes;
 *
 *   Bytes hex_encode_avx2(const uint8_t *bytes, size_t count, uint8_t *digits, size_t digit_count,
 *                         const uint8_t alphabet[16]);
 *   Bytes hex_decode_avx2(const uint8_t *digits, size_t digit_count, uint8_t *bytes, size_t count, uint8_t *saved);
 *
 * hex_decode.h describes hex_decode_avx2. For hex_encode_avx2:
 *
 * bytes        count bytes, any alignment, read
 * count        at least 32
 * digits       digit_count digits, any alignment, written
 * digit_count  2 * count
 * alphabet     the digits of the values 0 to 15, any alignment, read
 *
 * The buffers do not overlap. Encoding returns the digits and their number, so that the caller need not keep them across the call.
 * The step at the end may overlap the one before it.
 *
 * Registers: ymm0 to ymm15, rax, rcx, rdx, rsi, rdi, r8 to r11. Stack: none.
 * Gate: avx2, bmi2.
 * Vector operations for each 32 bytes: encode 8, decode 18.
 */

#include "abi.h"

CONSTANTS
        .p2align 5
LOCAL(hex_avx2_nibbles_apart):
        .fill   16, 2, 0x1001
LOCAL(hex_avx2_right_by_4):
        .fill   16, 2, 0x1000
CODE

#define bytes          rdi
#define count          rsi
#define out            rdx
#define digit_count    rcx
#define alphabet       r8
#define last           r9  /* where the last step reads */
#define last_out       r10 /* and where it writes */

#define digit          ymm2
#define nibbles_apart  ymm3
#define right_by_4     ymm4

/*
 * Makes 64 digits of 32 bytes. A byte b becomes a word; (b * 0x1001 mod 2^16) >> 4 has the high nibble of b in its low byte and the
 * low nibble in its high byte. One of the two vectors is shifted; the other is multiplied by 2^12 and the high half taken, since
 * shifts share the shuffles' ports.
 */
.macro encode_step from, to
        vpmovzxbw ymm0, [\from]
        vpmovzxbw ymm1, [\from + 16]
        vpmullw ymm0, ymm0, nibbles_apart
        vpmullw ymm1, ymm1, nibbles_apart
        vpmulhuw ymm0, ymm0, right_by_4
        vpsrlw  ymm1, ymm1, 4
        vpshufb ymm0, digit, ymm0
        vpshufb ymm1, digit, ymm1
        vmovdqu [\to], ymm0
        vmovdqu [\to + 32], ymm1
.endm

KERNEL(hex_encode_avx2)
        mov     rax, out
        vbroadcasti128 digit, [alphabet]
        vmovdqa nibbles_apart, [rip + LOCAL(hex_avx2_nibbles_apart)]
        vmovdqa right_by_4, [rip + LOCAL(hex_avx2_right_by_4)]
        lea     last, [bytes + count - 32]
        lea     last_out, [out + 2 * count - 64]
        cmp     bytes, last
        jae     LOCAL(hex_encode_avx2_last)
LOCAL(hex_encode_avx2_step):
        encode_step bytes, out
        add     bytes, 32
        add     out, 64
        cmp     bytes, last
        jb      LOCAL(hex_encode_avx2_step)
LOCAL(hex_encode_avx2_last):
        encode_step last, last_out
        mov     rdx, digit_count
        vzeroupper
        ret
KERNEL_END(hex_encode_avx2)

#undef count
#undef digit_count
#undef last
#include "hex_decode.h"

/* Makes 16 words with a byte in each of 32 digits. */
.macro decode_first vector, from
        look_up \vector, \from
        vpandn  errors, column, row
        join    \vector
.endm

.macro decode_more vector, from
        look_up \vector, \from
        vpandn  column, column, row
        vpor    errors, errors, column
        join    \vector
.endm

KERNEL(hex_decode_avx2)
        decode_digits LOCAL(hex_decode_avx2)
KERNEL_END(hex_decode_avx2)

        decode_constants LOCAL(hex_decode_avx2)

OBJECT_END
