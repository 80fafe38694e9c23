/*
 * The same number of blocks of 32 chunks side by side, each absorbed into its own chaining value.
 *
 *   void absorb_groups_avx512(Lanes lanes[2], size_t offset, size_t count, uint32_t flags);
 *
 * lanes   twice 896 bytes (absorb_many_avx512.S), 64-byte aligned, read; their chaining values written
 * offset  of the lanes' first blocks, bytes from where their pointers point
 * count   1 to 15
 * flags   those of every block but the first
 *
 * Registers: zmm0 to zmm31, rsi, rdx, r8 to r11. Stack: 2368 bytes.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations: 1716 a block of 32 lanes.
 *
 * State word i of the first sixteen lanes is in zmm<i>, of the others in zmm<16 + i>: two states side by side, and every
 * step is done to both.
 */

#include "abi.h"
#include "blake3.h"

#define lanes  rdi
#define offset rsi
#define count  rdx
#define flags  ecx

#define CHAINING(i, g) [lanes + 896 * (g) + 64 * (i)]
#define COUNTERS_LOWER(g) [lanes + 896 * (g) + 512]
#define COUNTERS_UPPER(g) [lanes + 896 * (g) + 576]
#define FIRST_FLAGS(g) [lanes + 896 * (g) + 640]
#define FIRST_LENGTHS(g) [lanes + 896 * (g) + 704]
#define BLOCKS(i, g) [lanes + 896 * (g) + 768 + 8 * (i)]

/* The frame. */
#define MESSAGE(i, g) [rsp + 1024 * (g) + 64 * (i)]
#define LENGTHS(g) [rsp + 2048 + 64 * (g)] /* of the block at hand */
#define FLAGS(g) [rsp + 2176 + 64 * (g)]   /* likewise */
#define FRAME 2304

.altmacro /* computes register numbers: %(expression) */

.macro one_word operation, d, a, b
        \operation zmm\d, zmm\a, zmm\b
.endm

.macro word operation, d, a, b
        one_word \operation, \d, \a, \b
        one_word \operation, %(\d + 16), %(\a + 16), %(\b + 16)
.endm

.macro one_add_message d, i, g
        vpaddd  zmm\d, zmm\d, MESSAGE(\i, \g)
.endm

.macro add_message d, i
        one_add_message \d, \i, 0
        one_add_message %(\d + 16), \i, 1
.endm

.macro one_rotate d, n
        vprord  zmm\d, zmm\d, \n
.endm

.macro rotate d, n
        one_rotate \d, \n
        one_rotate %(\d + 16), \n
.endm

#include "lanes_avx512.h"

/* The block at hand of lanes i to i + 3 of a group. */
.macro load_four r0, r1, r2, r3, i, g
        mov     r8, BLOCKS(\i, \g)
        mov     r9, BLOCKS(\i + 1, \g)
        mov     r10, BLOCKS(\i + 2, \g)
        mov     r11, BLOCKS(\i + 3, \g)
        vmovdqu32 \r0, [r8 + offset]
        vmovdqu32 \r1, [r9 + offset]
        vmovdqu32 \r2, [r10 + offset]
        vmovdqu32 \r3, [r11 + offset]
        transpose_parts \r0, \r1, \r2, \r3, zmm8, zmm9, zmm10, zmm11
.endm

.macro store_word r, i, g
        vmovdqa32 MESSAGE(\i, \g), zmm\r
.endm

/* Sixteen rows of sixteen words become message words of all lanes of a group. */
.macro load_messages g
        load_four zmm16, zmm17, zmm18, zmm19, 0, \g
        load_four zmm20, zmm21, zmm22, zmm23, 4, \g
        load_four zmm24, zmm25, zmm26, zmm27, 8, \g
        load_four zmm28, zmm29, zmm30, zmm31, 12, \g
        gather_parts zmm16, zmm20, zmm24, zmm28, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm17, zmm21, zmm25, zmm29, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm18, zmm22, zmm26, zmm30, zmm8, zmm9, zmm10, zmm11
        gather_parts zmm19, zmm23, zmm27, zmm31, zmm8, zmm9, zmm10, zmm11
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        store_word %(\i + 16), \i, \g
.endr
.endm

.macro one_chaining d, i, g
        vmovdqa32 zmm\d, CHAINING(\i, \g)
.endm

.macro one_store_chaining d, i, g
        vmovdqa32 CHAINING(\i, \g), zmm\d
.endm

KERNEL(absorb_groups_avx512)
        frame_open FRAME
.irpc g, 01
        vmovdqa32 zmm0, FIRST_LENGTHS(\g)
        vmovdqa32 zmm1, FIRST_FLAGS(\g)
        vmovdqa32 LENGTHS(\g), zmm0
        vmovdqa32 FLAGS(\g), zmm1
.endr
LOCAL(absorb_groups_avx512_block):
        load_messages 0
        load_messages 1

        /* The initial state. */
.irpc i, 01234567
        one_chaining \i, \i, 0
        one_chaining %(\i + 16), \i, 1
.endr
        vpbroadcastd zmm8, dword ptr [rip + LOCAL(absorb_groups_avx512_iv)]
        vpbroadcastd zmm9, dword ptr [rip + LOCAL(absorb_groups_avx512_iv) + 4]
        vpbroadcastd zmm10, dword ptr [rip + LOCAL(absorb_groups_avx512_iv) + 8]
        vpbroadcastd zmm11, dword ptr [rip + LOCAL(absorb_groups_avx512_iv) + 12]
        vmovdqa32 zmm24, zmm8
        vmovdqa32 zmm25, zmm9
        vmovdqa32 zmm26, zmm10
        vmovdqa32 zmm27, zmm11
        vmovdqa32 zmm12, COUNTERS_LOWER(0)
        vmovdqa32 zmm28, COUNTERS_LOWER(1)
        vmovdqa32 zmm13, COUNTERS_UPPER(0)
        vmovdqa32 zmm29, COUNTERS_UPPER(1)
        vmovdqa32 zmm14, LENGTHS(0)
        vmovdqa32 zmm30, LENGTHS(1)
        vmovdqa32 zmm15, FLAGS(0)
        vmovdqa32 zmm31, FLAGS(1)

        round    0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        rounds_2_to_7

        /* The chaining value is the xor of the state's halves. */
.irpc i, 01234567
        word    vpxord, \i, \i, %(\i + 8)
        one_store_chaining \i, \i, 0
        one_store_chaining %(\i + 16), \i, 1
.endr
        vpbroadcastd zmm0, dword ptr [rip + LOCAL(absorb_groups_avx512_whole_block)]
        vpbroadcastd zmm1, flags
        vmovdqa32 LENGTHS(0), zmm0
        vmovdqa32 LENGTHS(1), zmm0
        vmovdqa32 FLAGS(0), zmm1
        vmovdqa32 FLAGS(1), zmm1
        add     offset, 64
        dec     count
        jnz     LOCAL(absorb_groups_avx512_block)
        frame_close
        vzeroupper
        ret
KERNEL_END(absorb_groups_avx512)

        CONSTANTS
        .p2align 2
LOCAL(absorb_groups_avx512_iv):
        .long   IV0, IV1, IV2, IV3
LOCAL(absorb_groups_avx512_whole_block):
        .long   64

OBJECT_END
