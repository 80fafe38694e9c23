/*
 * 1024 limbs += or -= 1024 limbs, mod 2^16, 16 at a time.
 *
 *   void limbs_add_avx2(uint16_t limbs[1024], const uint16_t other[1024]);
 *   void limbs_sub_avx2(uint16_t limbs[1024], const uint16_t other[1024]);
 *
 * limbs   2048 bytes, any alignment, read and written; may be the same as other
 * other   2048 bytes, any alignment, read
 *
 * Registers: ymm0 to ymm7, rdi, rsi, eax. Stack: none.
 * Gate: avx2, bmi2.
 * Vector operations: 64 (1 for each 16 limbs).
 */

#include "abi.h"
#include "limbs.h"

KERNEL(limbs_add_avx2)
        combine_limbs vpaddw, LOCAL(limbs_add_avx2_step), vmovdqu, ymm, 32, 8
        vzeroupper
        ret
KERNEL_END(limbs_add_avx2)

KERNEL(limbs_sub_avx2)
        combine_limbs vpsubw, LOCAL(limbs_sub_avx2_step), vmovdqu, ymm, 32, 8
        vzeroupper
        ret
KERNEL_END(limbs_sub_avx2)

OBJECT_END
