/*
 * Blocks absorbed into a chaining value, one after the other.
 *
 *   void absorb_avx2(uint32_t chaining_value[8], const uint8_t *blocks, size_t count, uint64_t counter,
 *                   uint32_t block_length, uint32_t flags);
 *
 * chaining_value   32 bytes, any alignment, read and written
 * blocks           64 * count bytes, any alignment, read
 * count            0 to 15
 * counter          the chunk's
 * block_length     every block's
 * flags            every block's
 *
 * Registers: xmm0 to xmm15, rdx, rsi. Stack: none.
 * Gate: avx2, bmi2.
 * Vector operations: 368 a block, in a chain of about 210 cycles.
 */

#include "abi.h"
#include "blake3.h"
#include "rows.h"

.macro rotate16 r
        vpshufb \r, \r, xmm14
.endm

.macro rotate8 r
        vpshufb \r, \r, xmm15
.endm

.macro rotate12 r
        vpslld  scratch, \r, 20
        vpsrld  \r, \r, 12
        vpor    \r, \r, scratch
.endm

.macro rotate7 r
        vpslld  scratch, \r, 25
        vpsrld  \r, \r, 7
        vpor    \r, \r, scratch
.endm

KERNEL(absorb_avx2)
        vmovdqa xmm14, [rip + LOCAL(absorb_avx2_rotate16)]
        vmovdqa xmm15, [rip + LOCAL(absorb_avx2_rotate8)]
        absorb_blocks LOCAL(absorb_avx2)
        vzeroupper
        ret
KERNEL_END(absorb_avx2)

        absorb_constants LOCAL(absorb_avx2)
LOCAL(absorb_avx2_rotate16):
        .byte   2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
LOCAL(absorb_avx2_rotate8):
        .byte   1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12

OBJECT_END
