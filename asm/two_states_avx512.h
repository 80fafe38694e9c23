/*
 * Two states of sixteen lanes side by side: state word i of the first in zmm<i>, of the second in zmm<16 + i>. The processor works on
 * one while the other waits for its last result.
 *
 * Needs add_message as lanes_avx512.h does.
 */

.altmacro /* computes register numbers: %(expression) */

#include "lanes_avx512.h"

.macro word operation, d, a, b
        one_word \operation, \d, \a, \b
        one_word \operation, %(\d + 16), %(\a + 16), %(\b + 16)
.endm

.macro rotate d, n
        one_rotate \d, \n
        one_rotate %(\d + 16), \n
.endm

/* The second state is so many steps behind the first, so that one adds while the other rotates: fewer pipes can rotate. */
#define BEHIND 5

.macro quarter_rounds words:vararg
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
.if \n < QUARTER_STEPS
        quarter_step \n, 0, \words
.endif
.if \n >= BEHIND
        quarter_step %(\n - BEHIND), 16, \words
.endif
.endr
.endm
