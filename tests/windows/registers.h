/*
 * The registers that a function has to preserve in Microsoft's calling convention: general registers, xmm6 to xmm15, the
 * control word of vector arithmetic and the direction flag.
 */
#include <stdint.h>

/* NAME(register) for each of them, in the order of `registers`. */
#define EACH_REGISTER(NAME) \
    NAME(rbx) NAME(rbp) NAME(rdi) NAME(rsi) NAME(r12) NAME(r13) NAME(r14) NAME(r15) \
    NAME(xmm6) NAME(xmm7) NAME(xmm8) NAME(xmm9) NAME(xmm10) NAME(xmm11) NAME(xmm12) NAME(xmm13) NAME(xmm14) NAME(xmm15) \
    NAME(mxcsr) NAME(direction)

typedef union {
    struct {
        uint64_t general[8];
        uint64_t vector[10][2];
        uint32_t mxcsr;
        uint32_t direction; /* the direction flag in its place among the flags */
    };
    uint8_t bytes[232];
} registers;

/* Calls `work` with the registers of `before`, except that the direction flag is clear, and stores them `after` the call. */
void call_with(void (*work)(void), const registers *before, registers *after);

/* The controls: each spoils the one register that it is named after. */
#define TWIN(name) void spoil_##name(void);
EACH_REGISTER(TWIN)
#undef TWIN
