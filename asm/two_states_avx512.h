/*
 * Two states of sixteen lanes side by side: state word i of the first in zmm<i>, of the second in zmm<16 + i>. Every step is
 * done to both, so that the processor works on one while the other waits for its last result.
 *
 * Needs add_message as lanes_avx512.h does, for both states.
 */

.altmacro /* computes register numbers: %(expression) */

.macro one_word operation, d, a, b
        \operation zmm\d, zmm\a, zmm\b
.endm

.macro word operation, d, a, b
        one_word \operation, \d, \a, \b
        one_word \operation, %(\d + 16), %(\a + 16), %(\b + 16)
.endm

.macro one_rotate d, n
        vprord  zmm\d, zmm\d, \n
.endm

.macro rotate d, n
        one_rotate \d, \n
        one_rotate %(\d + 16), \n
.endm

#include "lanes_avx512.h"
