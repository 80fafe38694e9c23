/*
 * Blocks absorbed into a chaining value, one after the other.
 *
 *   void absorb_avx512(uint32_t chaining_value[8], const uint8_t *blocks, size_t count, uint64_t counter,
 *                     uint32_t block_length, uint32_t flags);
 *
 * chaining_value   32 bytes, any alignment, read and written
 * blocks           64 * count bytes, any alignment, read
 * count            0 to 15
 * counter          the chunk's
 * block_length     every block's
 * flags            every block's
 *
 * Registers: xmm0 to xmm13, rdx, rsi. Stack: none.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations: 312 a block, in a chain of about 170 cycles.
 */

#include "abi.h"
#include "blake3.h"
#include "rows.h"

.macro rotate16 r
        vprord  \r, \r, 16
.endm

.macro rotate12 r
        vprord  \r, \r, 12
.endm

.macro rotate8 r
        vprord  \r, \r, 8
.endm

.macro rotate7 r
        vprord  \r, \r, 7
.endm

KERNEL(absorb_avx512)
        absorb_blocks LOCAL(absorb_avx512)
        vzeroupper
        ret
KERNEL_END(absorb_avx512)

        absorb_constants LOCAL(absorb_avx512)

OBJECT_END
