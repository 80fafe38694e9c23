/*
 * Hexadecimal digits from bytes, and bytes from hexadecimal digits.
 *
 *   void hex_encode_avx2(const uint8_t *bytes, size_t count, uint8_t *digits, size_t digit_count,
 *                        const uint8_t alphabet[16]);
 *   bool hex_decode_avx2(const uint8_t *digits, size_t digit_count, uint8_t *bytes, size_t count, uint8_t *saved);
 *
 * bytes        count bytes, any alignment, read / written
 * count        at least 32
 * digits       digit_count digits, any alignment, written / read
 * digit_count  2 * count
 * alphabet     the digits of the values 0 to 15, any alignment, read
 * saved        count bytes, any alignment, written; or the same as bytes, if those need not be kept
 *
 * Nothing else overlaps. Decoding takes either case and returns whether all digits are good; if not, the bytes are as they
 * were. It keeps the first and the last 32 bytes in registers until it knows that, and what is between in saved: to check
 * all digits first would be to load them twice.
 *
 * The last step of a loop takes the last 32 bytes or 64 digits whatever count is, so it may overlap the step before it.
 *
 * Registers: ymm0 to ymm11, rax, rcx, rdx, rsi, rdi, r8 to r10. Stack: none.
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
LOCAL(hex_avx2_low_nibbles):
        .fill   32, 1, 0x0f
/* What to subtract from a digit, by its high nibble; bit 7 for a row without digits. */
LOCAL(hex_avx2_rows):
.rept 2
        .byte   0x80, 0x80, 0x80, '0', 'A' - 10, 0x80, 'a' - 10, 0x80
        .byte   0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80
.endr
/* The bits that the above may have, by the low nibble: all, those of '0' or none. */
LOCAL(hex_avx2_columns):
.rept 2
        .byte   0x30, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x30
        .byte   0x30, 0x30, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00
.endr
LOCAL(hex_avx2_weights):
        .fill   16, 2, 0x0110
CODE

#define bytes          rdi
#define count          rsi
#define out            rdx
#define alphabet       r8
#define last           r9  /* where the last step reads */
#define last_out       r10 /* and where it writes */

#define digit          ymm2
#define nibbles_apart  ymm3
#define right_by_4     ymm4

/*
 * 16 bytes to 32 digits. A byte b becomes a word; (b * 0x1001 mod 2^16) >> 4 has the high nibble of b in its low byte and
 * the low nibble in its high byte. The shift is a multiplication too, by 2^12, whose high half counts: shifts share the
 * shuffles' ports.
 */
.macro encode vector, from, to
        vpmovzxbw \vector, [\from]
        vpmullw   \vector, \vector, nibbles_apart
        vpmulhuw  \vector, \vector, right_by_4
        vpshufb   \vector, digit, \vector
        vmovdqu   [\to], \vector
.endm

.macro encode_step from, to
        encode  ymm0, \from, \to
        encode  ymm1, \from + 16, \to + 32
.endm

KERNEL(hex_encode_avx2)
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
        vzeroupper
        ret
KERNEL_END(hex_encode_avx2)

#undef bytes
#undef count
#undef alphabet

#define digits       rdi
#define digit_count  rsi
#define count        rcx
#define saved        r8
#define next         r10 /* where a step writes */

#define first_bytes  ymm0
#define last_bytes   ymm1
#define errors       ymm2 /* has a bit set for each bad digit */
#define low_nibbles  ymm3
#define rows         ymm4
#define columns      ymm5
#define weights      ymm6

/* 32 digits to 16 words with a byte in each. */
.macro decode vector, from
        vmovdqu \vector, [\from]
        vpsrlw  ymm8, \vector, 4
        vpand   ymm8, ymm8, low_nibbles
        vpshufb ymm8, rows, ymm8
        vpshufb ymm9, columns, \vector
        vpandn  ymm9, ymm9, ymm8
        vpor    errors, errors, ymm9
        vpsubb  \vector, \vector, ymm8
        vpmaddubsw \vector, \vector, weights
.endm

/* 64 digits to 32 bytes. The pack works within 128-bit halves, so the two middle quadwords then change places. */
.macro decode_step vector, from
        decode  \vector, \from
        decode  ymm7, \from + 32
        vpackuswb \vector, \vector, ymm7
        vpermq  \vector, \vector, 0xd8
.endm

KERNEL(hex_decode_avx2)
        vmovdqa low_nibbles, [rip + LOCAL(hex_avx2_low_nibbles)]
        vmovdqa rows, [rip + LOCAL(hex_avx2_rows)]
        vmovdqa columns, [rip + LOCAL(hex_avx2_columns)]
        vmovdqa weights, [rip + LOCAL(hex_avx2_weights)]
        vpxor   errors, errors, errors
        lea     last, [digits + digit_count - 64]
        lea     next, [out + 32]
        add     saved, 32

        decode_step first_bytes, digits
        vmovdqa last_bytes, first_bytes
        cmp     digits, last
        je      LOCAL(hex_decode_avx2_end)
        decode_step last_bytes, last
        add     digits, 64
        cmp     digits, last
        jae     LOCAL(hex_decode_avx2_end)

LOCAL(hex_decode_avx2_step):
        decode_step ymm10, digits
        vmovdqu ymm11, [next]
        vmovdqu [saved], ymm11
        vmovdqu [next], ymm10
        add     digits, 64
        add     next, 32
        add     saved, 32
        cmp     digits, last
        jb      LOCAL(hex_decode_avx2_step)

LOCAL(hex_decode_avx2_end):
        vptest  errors, errors
        jnz     LOCAL(hex_decode_avx2_bad)
        vmovdqu [out], first_bytes
        vmovdqu [out + count - 32], last_bytes
        mov     eax, 1
        vzeroupper
        ret

        /* Back from the last step to the first. */
LOCAL(hex_decode_avx2_bad):
        add     out, 32
        cmp     next, out
        je      LOCAL(hex_decode_avx2_restored)
LOCAL(hex_decode_avx2_restore):
        sub     next, 32
        sub     saved, 32
        vmovdqu ymm0, [saved]
        vmovdqu [next], ymm0
        cmp     next, out
        ja      LOCAL(hex_decode_avx2_restore)
LOCAL(hex_decode_avx2_restored):
        xor     eax, eax
        vzeroupper
        ret
KERNEL_END(hex_decode_avx2)

OBJECT_END
