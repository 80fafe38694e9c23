/*
 * Bytes from hexadecimal digits, with vectors of 32: what the kernels of both instruction sets share.
 *
 *   Bytes hex_decode(const uint8_t *digits, size_t digit_count, uint8_t *bytes, size_t count, uint8_t *saved);
 *
 * digits       digit_count digits, any alignment, read
 * digit_count  2 * count
 * bytes        count bytes, any alignment, written
 * count        at least 17
 * saved        null, or count bytes, any alignment, written
 *
 * Nothing overlaps. Decoding takes either case and returns the digits, and as length zero if all are good, digit_count if not.
 * (What a caller gets back it need not keep across the call.) If a digit is bad, the bytes are as they were, unless there are
 * more than 256 and saved is null. Up to so many are in registers until all digits are known to be good; of more, 64 at either
 * end, and what was between goes to saved: to check all digits first would be to load them twice, which takes longer.
 *
 * What is taken from the end may overlap what is taken from the beginning.
 *
 * Needs macros decode_first and decode_more of a vector and an address, which look up, set or add to errors and join.
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

/* 32 digits: what to subtract from each, in row, and the bits that this may have, in column. A bit more is an error. */
.macro look_up vector, from
        vmovdqu \vector, [\from]
        vpsrlw  row, \vector, 4
        vpand   row, row, low_nibbles
        vpshufb row, rows, row
        vpshufb column, columns, \vector
.endm

/* The same to 16 words with a byte in each. */
.macro join vector
        vpsubb  \vector, \vector, row
        vpmaddubsw \vector, \vector, weights
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

        /* Back from the last step to the first. */
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
/* What to subtract from a digit, by its high nibble; bit 7 for a row without digits. */
\name\()_rows:
.rept 2
        .byte   0x80, 0x80, 0x80, '0', 'A' - 10, 0x80, 'a' - 10, 0x80
        .byte   0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80
.endr
/* The bits that the above may have, by the low nibble: all, those of '0' or none. */
\name\()_columns:
.rept 2
        .byte   0x30, 0x77, 0x77, 0x77, 0x77, 0x77, 0x77, 0x30
        .byte   0x30, 0x30, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00
.endr
\name\()_weights:
        .fill   16, 2, 0x0110
.endm
