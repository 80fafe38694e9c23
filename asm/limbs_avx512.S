/*
 * 1024 limbs += or -= 1024 limbs, mod 2^16, 32 at a time.
 *
 *   void limbs_add_avx512(uint16_t limbs[1024], const uint16_t other[1024]);
 *   void limbs_sub_avx512(uint16_t limbs[1024], const uint16_t other[1024]);
 *
 * limbs   2048 bytes, any alignment, read and written; may be the same as other
 * other   2048 bytes, any alignment, read
 *
 * Registers: zmm0 to zmm7, rdi, rsi, eax. Stack: none.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations: 32 (1 for each 32 limbs).
 */

#include "abi.h"
#include "limbs.h"

KERNEL(limbs_add_avx512)
        combine_limbs vpaddw, LOCAL(limbs_add_avx512_step), vmovdqu64, zmm, 64, 4
        vzeroupper
        ret
KERNEL_END(limbs_add_avx512)

KERNEL(limbs_sub_avx512)
        combine_limbs vpsubw, LOCAL(limbs_sub_avx512_step), vmovdqu64, zmm, 64, 4
        vzeroupper
        ret
KERNEL_END(limbs_sub_avx512)

OBJECT_END
