/*
 * The same number of blocks of 24 chunks side by side, each absorbed into its own chaining value.
 *
 *   void absorb_all_lanes_avx2(LaneVector lanes[3], size_t offset, size_t count, uint32_t flags);
 *
 * lanes   3 times 448 bytes (chunks.h), 32-byte aligned, read; their chaining values written
 * offset  of the lanes' first blocks, bytes from where their pointers point
 * count   1 to 15
 * flags   those of every block but the first
 *
 * Registers: ymm0 to ymm15, eax, rsi, rdx, r8 to r11. Stack: 3520 bytes.
 * Gate: avx2, bmi2.
 * Vector operations: 3192 a block of 24 lanes.
 */

#include "abi.h"
#include "blake3.h"

/* The frame. State words 0 to 7 are in the place of the chaining values. */
#define MESSAGE(position, k) [rsp + 896 * (k) + 32 * (position)]
#define MESSAGE_AT(position, k) [rsp + rax + 896 * (k) + 32 * (position)]
#define LOWER(w, k) CHAINING(w, k)
#define UPPER(w, k) [rsp + 2688 + 256 * (k) + 32 * (w - 8)]
#define FRAME 3456

#include "lanes_avx2.h"
#include "chunks_avx2.h"
#include "rounds_in_flight_avx2.h"

.macro place_message i, r, position, k
        vmovdqa MESSAGE(\position, \k), \r
.endm

/* State words 8 to 13 of a vector before the first round. Words 14 and 15, lengths and flags, are there already. */
.macro begin_upper k
        vmovdqa v0, INITIAL_WORD(0)
        vmovdqa v1, INITIAL_WORD(1)
        vmovdqa v2, INITIAL_WORD(2)
        vmovdqa v3, INITIAL_WORD(3)
        vmovdqa v4, COUNTERS_LOWER(\k)
        vmovdqa v5, COUNTERS_UPPER(\k)
        vmovdqa UPPER(8, \k), v0
        vmovdqa UPPER(9, \k), v1
        vmovdqa UPPER(10, \k), v2
        vmovdqa UPPER(11, \k), v3
        vmovdqa UPPER(12, \k), v4
        vmovdqa UPPER(13, \k), v5
.endm

.macro feed_forward k
.irpc i, 01234567
        vmovdqa v0, CHAINING(\i, \k)
        vpxor   v0, v0, UPPER((\i + 8), \k)
        vmovdqa CHAINING(\i, \k), v0
.endr
.endm

KERNEL(absorb_all_lanes_avx2)
        frame_open FRAME
.irpc k, 012
        vmovdqa v0, FIRST_LENGTHS(\k)
        vmovdqa v1, FIRST_FLAGS(\k)
        vmovdqa UPPER(14, \k), v0
        vmovdqa UPPER(15, \k), v1
.endr
LOCAL(absorb_all_lanes_avx2_block):
.irpc k, 012
        load_half \k, 0
        place_words_0_to_7 place_message, \k
        load_half \k, 1
        place_words_8_to_15 place_message, \k
        begin_upper \k
.endr

        xor     eax, eax
LOCAL(absorb_all_lanes_avx2_round):
        round_in_flight 2
        cmp     eax, 6 * 32
        je      LOCAL(absorb_all_lanes_avx2_feed_forward)
.irpc k, 012
        repeat_first_words \k
.endr
        add     eax, 32
        jmp     LOCAL(absorb_all_lanes_avx2_round)

LOCAL(absorb_all_lanes_avx2_feed_forward):
.irpc k, 012
        feed_forward \k
.endr
        /* The lengths and flags of every block but the first. */
        vmovd   xmm1, flags
        vpbroadcastd v1, xmm1
        vmovdqa v0, WHOLE_BLOCK
.irpc k, 012
        vmovdqa UPPER(14, \k), v0
        vmovdqa UPPER(15, \k), v1
.endr
        add     offset, 64
        dec     count
        jnz     LOCAL(absorb_all_lanes_avx2_block)
        frame_close
        vzeroupper
        ret
KERNEL_END(absorb_all_lanes_avx2)

        chunks_constants

OBJECT_END
