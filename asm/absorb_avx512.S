/*
 * A first chunk's blocks before its last, absorbed into its chaining value.
 *
 *   void absorb_avx512(uint32_t chaining_value[8], const uint8_t *blocks, size_t count, uint32_t flags);
 *
 * chaining_value   32 bytes, any alignment, read and written
 * blocks           64 * count bytes, any alignment, read
 * count            0 to 15
 * flags            the mode's; the first block's CHUNK_START is the kernel's business
 *
 * Registers: xmm0 to xmm12, eax, rdx, rsi. Stack: none.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations: 316 a block, in a chain of about 170 cycles.
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
