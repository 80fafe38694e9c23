/*
 * Bytes from hexadecimal digits, with vectors of 32: what the kernels of both instruction sets share.
 *
 *   Bytes hex_decode(const uint8_t *digits, size_t digit_count, uint8_t *bytes, size_t count, uint8_t *saved);
 *
 * digits       digit_count digits, any alignment, read
 * digit_count  2 * count
 * bytes        count bytes, any alignment, written
 * count        at least 17
 * saved        null, or at least count bytes, any alignment, written
 *
 * The buffers do not overlap. Digits may be of either case. The result has the address of the digits, and the length 0 if all are
 * good, else digit_count. (The kernel returns the address so that the caller need not keep it across the call.)
 *
 * If a digit is bad, the bytes are as they were, unless there are more than 256 and saved is null. Up to 256 decoded bytes stay in
 * registers until all digits are known to be good. If there are more, 64 bytes at either end do, and what the
 * output held between them is copied to saved before it is overwritten. Checking all digits first would load them twice, which
 * takes longer.
 *
 * Steps from the end may overlap steps from the beginning.
 *
 * Needs macros decode_first and decode_more of a vector and an address. They look the digits up, set errors or add to it, and join
 * pairs of digits.
 */

#define digits       rdi
#define digit_count  rsi
#define out          rdx
#define count        rcx
#define saved        r8
#define end          r9  /* of the digits */
#define next         r10 /* where a step writes */
#define last         r11 /* where the last step reads */

#define errors       ymm8 /* has a bit set for each bad digit */
#define low_nibbles  ymm9
#define rows         ymm10
#define columns      ymm11
#define row          ymm13
#define column       ymm14
#define weights      ymm15

/* 32 digits: row gets what to subtract from each, and column the bits that a good digit's row may have. Any other bit in row is an
 * error. */
.macro look_up vector, from
        vmovdqu \vector, [\from]
        vpsrlw  row, \vector, 4
        vpand   row, row, low_nibbles
        vpshufb row, rows, row
        vpshufb column, columns, \vector
.endm

/* Makes 16 words with a byte in each of 32 digits that were just looked up. */
.macro join vector
        vpsubb  \vector, \vector, row
        vpmaddubsw \vector, \vector, weights
.endm

/* Packs two vectors of words into 32 bytes. The instruction packs within 128-bit halves, so the two middle quadwords are then
 * exchanged. */
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

/* The kernel from its first instruction on; every label begins with `name`. */
.macro decode_digits name
        mov     rax, digits
        vmovdqa low_nibbles, [rip + \name\()_low_nibbles]
        vmovdqa rows, [rip + \name\()_rows]
        vmovdqa columns, [rip + \name\()_columns]
        vmovdqa weights, [rip + \name\()_weights]
        cmp     count, 32
        ja      \name\()_33

        decode_first ymm0, digits
        decode_more ymm12, digits+digit_count-32
        pack    ymm0, ymm12
        vptest  errors, errors
        jnz     \name\()_bad
        vmovdqu [out], xmm0
        vextracti128 [out + count - 16], ymm0, 1
        xor     edx, edx
        vzeroupper
        ret

\name\()_33:
        lea     end, [digits + digit_count]
        decode_first ymm0, digits
        decode_more ymm12, digits+32
        pack    ymm0, ymm12
        decode_step ymm1, end-64
        cmp     count, 64
        ja      \name\()_65

        vptest  errors, errors
        jnz     \name\()_bad
        vmovdqu [out], ymm0
        vmovdqu [out + count - 32], ymm1
        xor     edx, edx
        vzeroupper
        ret

\name\()_65:
        decode_step ymm2, digits+64
        decode_step ymm3, end-128
        cmp     count, 128
        ja      \name\()_129

        vptest  errors, errors
        jnz     \name\()_bad
\name\()_ends:
        store_ends
        xor     edx, edx
        vzeroupper
        ret

\name\()_129:
        cmp     count, 256
        ja      \name\()_257

        decode_step ymm4, digits+128
        decode_step ymm5, digits+192
        decode_step ymm6, end-256
        decode_step ymm7, end-192
        vptest  errors, errors
        jnz     \name\()_bad
        vmovdqu [out + 64], ymm4
        vmovdqu [out + 96], ymm5
        vmovdqu [out + count - 128], ymm6
        vmovdqu [out + count - 96], ymm7
        store_ends
        xor     edx, edx
        vzeroupper
        ret

\name\()_257:
        lea     last, [end - 128]
        lea     next, [out + 64]
        add     digits, 128
        test    saved, saved
        jz      \name\()_step
\name\()_saving_step:
        decode_step ymm4, digits
        vmovdqu ymm5, [next]
        vmovdqu [saved], ymm5
        vmovdqu [next], ymm4
        add     digits, 64
        add     next, 32
        add     saved, 32
        cmp     digits, last
        jb      \name\()_saving_step
        vptest  errors, errors
        jz      \name\()_ends

        /* Put the saved bytes back, from the last step to the first. */
        lea     out, [out + 64]
\name\()_restore:
        sub     next, 32
        sub     saved, 32
        vmovdqu ymm0, [saved]
        vmovdqu [next], ymm0
        cmp     next, out
        ja      \name\()_restore
        jmp     \name\()_bad

\name\()_step:
        decode_step ymm4, digits
        vmovdqu [next], ymm4
        add     digits, 64
        add     next, 32
        cmp     digits, last
        jb      \name\()_step
        vptest  errors, errors
        jz      \name\()_ends

\name\()_bad:
        mov     rdx, digit_count
        vzeroupper
        ret
.endm

.macro decode_constants name
        CONSTANTS
        .p2align 5
\name\()_low_nibbles:
        .fill   32, 1, 0x0f
/* What to subtract from a digit, by its high nibble. Bit 7 stands for a row without digits. */
\name\()_rows:
.rept 2
        .byte   0x80, 0x80, 0x80, '0', 'A' - 10, 0x80, 'a' - 10, 0x80
        .byte   0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80
.endr
/* The bits that the entry above may have, by the low nibble: all, those of '0' or none. */
\name\()_columns:
.rept 2
        .byte   0x30, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x30
        .byte   0x30, 0x30, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00
.endr
\name\()_weights:
        .fill   16, 2, 0x0110
.endm
