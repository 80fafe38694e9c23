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

#define limbs rdi
#define other rsi
#define left  eax /* steps of 512 bytes left */

/* Eight vectors a step, each loaded, combined with the other side's from memory and stored before the next: loads and
 * stores then go on side by side. */
.macro combine_limbs operation, loop
        mov     left, 4
\loop:
.irpc i, 01234567
        vmovdqu64 zmm\i, [limbs + 64 * \i]
        \operation zmm\i, zmm\i, [other + 64 * \i]
        vmovdqu64 [limbs + 64 * \i], zmm\i
.endr
        add     limbs, 512
        add     other, 512
        dec     left
        jnz     \loop
.endm

KERNEL(limbs_add_avx512)
        combine_limbs vpaddw, LOCAL(limbs_add_avx512_step)
        vzeroupper
        ret
KERNEL_END(limbs_add_avx512)

KERNEL(limbs_sub_avx512)
        combine_limbs vpsubw, LOCAL(limbs_sub_avx512_step)
        vzeroupper
        ret
KERNEL_END(limbs_sub_avx512)

OBJECT_END
