/*
 * 1024 limbs combined with 1024 others, eight vectors a step: what the limbs' kernels share.
 */

#define limbs rdi
#define other rsi
#define left  eax /* steps that are left */

/* Each vector is loaded, combined with the other side's from memory and stored before the next: loads and stores then go
 * on side by side. A vector has `size` bytes, its registers are `vector`0 to `vector`7, and `move` loads and stores it at
 * any alignment. */
.macro combine_limbs operation, loop, move, vector, size, steps
        mov     left, \steps
\loop:
.irpc i, 01234567
        \move   \vector\i, [limbs + \size * \i]
        \operation \vector\i, \vector\i, [other + \size * \i]
        \move   [limbs + \size * \i], \vector\i
.endr
        add     limbs, 8 * \size
        add     other, 8 * \size
        dec     left
        jnz     \loop
.endm
