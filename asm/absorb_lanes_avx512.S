/*
 * The same number of blocks of sixteen chunks side by side, each absorbed into its own chaining value.
 *
 *   void absorb_lanes_avx512(LaneVector *lanes, size_t offset, size_t count, uint32_t flags);
 *
 * lanes   896 bytes (chunks.h), 64-byte aligned, read; its chaining values written
 * offset  of the lanes' first blocks, bytes from where their pointers point
 * count   1 to 15
 * flags   those of every block but the first
 *
 * Registers: zmm0 to zmm31, rsi, rdx, r8 to r11. Stack: none.
 * Gate: avx512f, avx512bw, avx512vl, avx2, bmi2.
 * Vector operations: 856 a block of sixteen lanes.
 *
 * State word i is in zmm<i>, message word i in zmm<16 + i>.
 */

#include "abi.h"
#include "blake3.h"

.altmacro /* computes register numbers: %(expression) */

.macro add_message_register d, m
        vpaddd  zmm\d, zmm\d, zmm\m
.endm

.macro add_message s, d, i
        add_message_register \d, %(\i + 16)
.endm

.macro quarter_rounds words:vararg
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
        quarter_step \n, 0, \words
.endr
.endm

#include "lanes_avx512.h"
#include "chunks_avx512.h"

KERNEL(absorb_lanes_avx512)
.irpc i, 01234567
        vmovdqa32 zmm\i, CHAINING(\i, 0)
.endr
        vmovdqa32 zmm14, FIRST_LENGTHS(0)
        vmovdqa32 zmm15, FIRST_FLAGS(0)
LOCAL(absorb_lanes_avx512_block):
        load_messages 0

        /* The initial state; length and flags are there already. */
        vpbroadcastd zmm8, INITIAL_WORD(0)
        vpbroadcastd zmm9, INITIAL_WORD(1)
        vpbroadcastd zmm10, INITIAL_WORD(2)
        vpbroadcastd zmm11, INITIAL_WORD(3)
        vmovdqa32 zmm12, COUNTERS_LOWER(0)
        vmovdqa32 zmm13, COUNTERS_UPPER(0)

        round    0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15
        rounds_2_to_7

        /* The chaining value is the xor of the state's halves. */
.irpc i, 01234567
        one_word vpxord, \i, \i, %(\i + 8)
.endr
        vpbroadcastd zmm14, WHOLE_BLOCK
        vpbroadcastd zmm15, flags
        add     offset, 64
        dec     count
        jnz     LOCAL(absorb_lanes_avx512_block)
.irpc i, 01234567
        vmovdqa32 CHAINING(\i, 0), zmm\i
.endr
        vzeroupper
        ret
KERNEL_END(absorb_lanes_avx512)

        chunks_constants

OBJECT_END
