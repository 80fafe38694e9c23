/*
 * Hexadecimal digits from bytes, and bytes from hexadecimal digits.
 *
 *   typedef struct { uint8_t *start; size_t length; } Bytes;
 *
 *   Bytes hex_encode_avx2(const uint8_t *bytes, size_t count, uint8_t *digits, size_t digit_count,
 *                         const uint8_t alphabet[16]);
 *   Bytes hex_decode_avx2(const uint8_t *digits, size_t digit_count, uint8_t *bytes, size_t count, uint8_t *saved);
 *
 * bytes        count bytes, any alignment, read / written
 * count        at least 32 / at least 17
 * digits       digit_count digits, any alignment, written / read
 * digit_count  2 * count
 * alphabet     the digits of the values 0 to 15, any alignment, read
 * saved        null, or count bytes, any alignment, written
 *
 * Nothing overlaps. Encoding returns all digits. Decoding takes either case and returns the digits, and as length zero if all
 * are good, digit_count if not. (What a caller gets back it need not keep across the call.) If a digit is bad, the bytes are
 * as they were, unless there are more than 256 and saved is null. Up to so many are in registers until all digits are known
 * to be good; of more, 64 at either end, and what was between goes to saved: to check all digits first would be to load
 * them twice.
 *
 * What is taken from the end may overlap what is taken from the beginning.
 *
 * Registers: ymm0 to ymm14, rax, rcx, rdx, rsi, rdi, r8 to r11. Stack: none.
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
#define digit_count    rcx
#define alphabet       r8
#define last           r9  /* where the last step reads */
#define last_out       r10 /* and where it writes */

#define digit          ymm2
#define nibbles_apart  ymm3
#define right_by_4     ymm4

/*
 * 32 bytes to 64 digits. A byte b becomes a word; (b * 0x1001 mod 2^16) >> 4 has the high nibble of b in its low byte and the
 * low nibble in its high byte. One of the two vectors is shifted and the other multiplied by 2^12, of which the high half
 * counts: shifts share the shuffles' ports.
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

#undef bytes
#undef count
#undef digit_count
#undef alphabet
#undef last

#define digits       rdi
#define digit_count  rsi
#define count        rcx
#define saved        r8
#define end          r9  /* of the digits */
#define next         r10 /* where a step writes */
#define last         r11 /* where the last step reads */

#define errors       ymm8 /* has a bit set for each bad digit */
#define low_nibbles  ymm9
#define rows         ymm10
#define columns      ymm11

/* 32 digits to 16 words with a byte in each; what the columns forbid goes to forbidden. */
.macro decode vector, from, forbidden
        vmovdqu \vector, [\from]
        vpsrlw  ymm13, \vector, 4
        vpand   ymm13, ymm13, low_nibbles
        vpshufb ymm13, rows, ymm13
        vpshufb \forbidden, columns, \vector
        vpandn  \forbidden, \forbidden, ymm13
        vpsubb  \vector, \vector, ymm13
        vpmaddubsw \vector, \vector, [rip + LOCAL(hex_avx2_weights)]
.endm

.macro decode_more vector, from
        decode  \vector, \from, ymm14
        vpor    errors, errors, ymm14
.endm

/* Two vectors of words to 32 bytes. The pack works within 128-bit halves, so the two middle quadwords then change places. */
.macro pack vector, upper
        vpackuswb \vector, \vector, \upper
        vpermq  \vector, \vector, 0xd8
.endm

/* 64 digits to 32 bytes. */
.macro decode_step vector, from
        decode_more \vector, \from
        decode_more ymm12, \from + 32
        pack    \vector, ymm12
.endm

/* The 64 bytes at either end. */
.macro store_ends
        vmovdqu [out], ymm0
        vmovdqu [out + 32], ymm2
        vmovdqu [out + count - 64], ymm3
        vmovdqu [out + count - 32], ymm1
.endm

KERNEL(hex_decode_avx2)
        mov     rax, digits
        vmovdqa low_nibbles, [rip + LOCAL(hex_avx2_low_nibbles)]
        vmovdqa rows, [rip + LOCAL(hex_avx2_rows)]
        vmovdqa columns, [rip + LOCAL(hex_avx2_columns)]
        cmp     count, 32
        ja      LOCAL(hex_decode_avx2_33)

        decode  ymm0, digits, errors
        decode_more ymm12, digits+digit_count-32
        pack    ymm0, ymm12
        vptest  errors, errors
        jnz     LOCAL(hex_decode_avx2_bad)
        vmovdqu [out], xmm0
        vextracti128 [out + count - 16], ymm0, 1
        xor     edx, edx
        vzeroupper
        ret

LOCAL(hex_decode_avx2_33):
        lea     end, [digits + digit_count]
        decode  ymm0, digits, errors
        decode_more ymm12, digits+32
        pack    ymm0, ymm12
        decode_step ymm1, end-64
        cmp     count, 64
        ja      LOCAL(hex_decode_avx2_65)

        vptest  errors, errors
        jnz     LOCAL(hex_decode_avx2_bad)
        vmovdqu [out], ymm0
        vmovdqu [out + count - 32], ymm1
        xor     edx, edx
        vzeroupper
        ret

LOCAL(hex_decode_avx2_65):
        decode_step ymm2, digits+64
        decode_step ymm3, end-128
        cmp     count, 128
        ja      LOCAL(hex_decode_avx2_129)

        vptest  errors, errors
        jnz     LOCAL(hex_decode_avx2_bad)
LOCAL(hex_decode_avx2_ends):
        store_ends
        xor     edx, edx
        vzeroupper
        ret

LOCAL(hex_decode_avx2_129):
        cmp     count, 256
        ja      LOCAL(hex_decode_avx2_257)

        decode_step ymm4, digits+128
        decode_step ymm5, digits+192
        decode_step ymm6, end-256
        decode_step ymm7, end-192
        vptest  errors, errors
        jnz     LOCAL(hex_decode_avx2_bad)
        vmovdqu [out + 64], ymm4
        vmovdqu [out + 96], ymm5
        vmovdqu [out + count - 128], ymm6
        vmovdqu [out + count - 96], ymm7
        store_ends
        xor     edx, edx
        vzeroupper
        ret

LOCAL(hex_decode_avx2_257):
        lea     last, [end - 128]
        lea     next, [out + 64]
        add     digits, 128
        test    saved, saved
        jz      LOCAL(hex_decode_avx2_step)
LOCAL(hex_decode_avx2_saving_step):
        decode_step ymm4, digits
        vmovdqu ymm5, [next]
        vmovdqu [saved], ymm5
        vmovdqu [next], ymm4
        add     digits, 64
        add     next, 32
        add     saved, 32
        cmp     digits, last
        jb      LOCAL(hex_decode_avx2_saving_step)
        vptest  errors, errors
        jz      LOCAL(hex_decode_avx2_ends)

        /* Back from the last step to the first. */
        lea     out, [out + 64]
LOCAL(hex_decode_avx2_restore):
        sub     next, 32
        sub     saved, 32
        vmovdqu ymm0, [saved]
        vmovdqu [next], ymm0
        cmp     next, out
        ja      LOCAL(hex_decode_avx2_restore)
        jmp     LOCAL(hex_decode_avx2_bad)

LOCAL(hex_decode_avx2_step):
        decode_step ymm4, digits
        vmovdqu [next], ymm4
        add     digits, 64
        add     next, 32
        cmp     digits, last
        jb      LOCAL(hex_decode_avx2_step)
        vptest  errors, errors
        jz      LOCAL(hex_decode_avx2_ends)

LOCAL(hex_decode_avx2_bad):
        mov     rdx, digit_count
        vzeroupper
        ret
KERNEL_END(hex_decode_avx2)

OBJECT_END
