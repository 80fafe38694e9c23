/*
 * The same number of blocks of sixteen chunks side by side, each absorbed into its own chaining value.
 *
 *   void absorb_many_avx512(Lanes *lanes, size_t offset, size_t count, uint32_t flags);
 *
 * lanes   896 bytes, 64-byte aligned, read; its chaining values written:
 *           chaining_values  uint32_t[8][16]      word by word, each of the sixteen lanes
 *           counters         uint32_t[2][16]      the chunks' counters, lower and upper halves
 *           first_flags      uint32_t[16]         the flags of a lane's first block
 *           first_lengths    uint32_t[16]         the length of a lane's first block; the others have 64 bytes
 *           blocks           const uint8_t *[16]  64 * count bytes each, any alignment, read
 * offset  of the lanes' first blocks, bytes from where their pointers point
 * count   1 to 15
 * flags   those of every block but the first
 *
 * Registers: zmm0 to zmm31, rsi, rdx, r8 to r11. Stack: none.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations: 858 a block of sixteen lanes.
 *
 * State word i is in zmm<i>, message word i in zmm<16 + i>.
 */

#include "abi.h"
#include "blake3.h"

#define lanes  rdi
#define offset rsi
#define count  rdx
#define flags  ecx

#define CHAINING(i) [lanes + 64 * (i)]
#define COUNTERS_LOWER [lanes + 512]
#define COUNTERS_UPPER [lanes + 576]
#define FIRST_FLAGS [lanes + 640]
#define FIRST_LENGTHS [lanes + 704]
#define BLOCKS(i) [lanes + 768 + 8 * (i)]

.altmacro /* computes register numbers: %(expression) */

.macro word operation, d, a, b
        \operation zmm\d, zmm\a, zmm\b
.endm

.macro add_message_register d, m
        vpaddd  zmm\d, zmm\d, zmm\m
.endm

.macro add_message d, i
        add_message_register \d, %(\i + 16)
.endm

.macro rotate d, n
        vprord  zmm\d, zmm\d, \n
.endm

#include "lanes_avx512.h"

/* The block at hand of lanes i to i + 3. */
.macro load_four r0, r1, r2, r3, i
        mov     r8, BLOCKS(\i)
        mov     r9, BLOCKS(\i + 1)
        mov     r10, BLOCKS(\i + 2)
        mov     r11, BLOCKS(\i + 3)
        vmovdqu32 \r0, [r8 + offset]
        vmovdqu32 \r1, [r9 + offset]
        vmovdqu32 \r2, [r10 + offset]
        vmovdqu32 \r3, [r11 + offset]
        transpose_parts \r0, \r1, \r2, \r3, zmm8, zmm9, zmm10, zmm11
.endm

KERNEL(absorb_many_avx512)
.irpc i, 01234567
        vmovdqa32 zmm\i, CHAINING(\i)
.endr
        vmovdqa32 zmm14, FIRST_LENGTHS
        vmovdqa32 zmm15, FIRST_FLAGS
LOCAL(absorb_many_avx512_block):
        /* Sixteen rows of sixteen words become message words of all lanes. */
        load_four zmm16, zmm17, zmm18, zmm19, 0
        load_four zmm20, zmm21, zmm22, zmm23, 4
        load_four zmm24, zmm25, zmm26, zmm27, 8
        load_four zmm28, zmm29, zmm30, zmm31, 12
        gather_parts zmm16, zmm20, zmm24, zmm28, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm17, zmm21, zmm25, zmm29, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm18, zmm22, zmm26, zmm30, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm19, zmm23, zmm27, zmm31, zmm8, zmm9, zmm10, zmm11

        /* The initial state; length and flags are there already. */
        vpbroadcastd zmm8, dword ptr [rip + LOCAL(absorb_many_avx512_iv)]
        vpbroadcastd zmm9, dword ptr [rip + LOCAL(absorb_many_avx512_iv) + 4]
        vpbroadcastd zmm10, dword ptr [rip + LOCAL(absorb_many_avx512_iv) + 8]
        vpbroadcastd zmm11, dword ptr [rip + LOCAL(absorb_many_avx512_iv) + 12]
        vmovdqa32 zmm12, COUNTERS_LOWER
        vmovdqa32 zmm13, COUNTERS_UPPER

        round    0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        rounds_2_to_7

        /* The chaining value is the xor of the state's halves. */
.irpc i, 01234567
        word    vpxord, \i, \i, %(\i + 8)
.endr
        vpbroadcastd zmm14, dword ptr [rip + LOCAL(absorb_many_avx512_whole_block)]
        vpbroadcastd zmm15, flags
        add     offset, 64
        dec     count
        jnz     LOCAL(absorb_many_avx512_block)
.irpc i, 01234567
        vmovdqa32 CHAINING(\i), zmm\i
.endr
        vzeroupper
        ret
KERNEL_END(absorb_many_avx512)

        CONSTANTS
        .p2align 2
LOCAL(absorb_many_avx512_iv):
        .long   IV0, IV1, IV2, IV3
LOCAL(absorb_many_avx512_whole_block):
        .long   64

OBJECT_END
