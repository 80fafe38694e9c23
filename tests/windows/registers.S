/* See registers.h. In Microsoft's convention: arguments in rcx, rdx, r8, and 32 bytes of stack for the callee. */
        .intel_syntax noprefix

#define GENERAL rbx, rbp, rdi, rsi, r12, r13, r14, r15
#define GENERAL_REVERSED r15, r14, r13, r12, rsi, rdi, rbp, rbx
#define VECTOR 6, 7, 8, 9, 10, 11, 12, 13, 14, 15

/* registers */
#define OF_VECTOR 64
#define OF_MXCSR 224
#define OF_DIRECTION 228

/* The frame, behind the callee's 32 bytes: `after`, and the caller's MXCSR and xmm6 to xmm15. */
#define AFTER [rsp + 32]
#define OUR_MXCSR [rsp + 40]
#define OUR_VECTOR(i) [rsp + 48 + 16 * (i - 6)]
#define FRAME 216

.macro loads_general from
        .set    place, 0
        .irp    name, GENERAL
        mov     \name, [\from + place]
        .set    place, place + 8
        .endr
.endm

.macro stores_general to
        .set    place, 0
        .irp    name, GENERAL
        mov     [\to + place], \name
        .set    place, place + 8
        .endr
.endm

        .text
        .globl  call_with
call_with:
        .irp    name, GENERAL
        push    \name
        .endr
        sub     rsp, FRAME
        mov     AFTER, r8
        stmxcsr OUR_MXCSR
        .irp    i, VECTOR
        movups  OUR_VECTOR(\i), xmm\i
        movups  xmm\i, [rdx + OF_VECTOR + 16 * (\i - 6)]
        .endr
        ldmxcsr [rdx + OF_MXCSR]
        mov     rax, rcx
        loads_general rdx

        call    rax

        mov     rax, AFTER
        stores_general rax
        stmxcsr [rax + OF_MXCSR]
        pushfq
        pop     rdx
        cld
        and     edx, 0x400
        mov     [rax + OF_DIRECTION], edx
        .irp    i, VECTOR
        movups  [rax + OF_VECTOR + 16 * (\i - 6)], xmm\i
        movups  xmm\i, OUR_VECTOR(\i)
        .endr
        ldmxcsr OUR_MXCSR
        add     rsp, FRAME
        .irp    name, GENERAL_REVERSED
        pop     \name
        .endr
        ret

.macro twin name, instruction:vararg
        .globl  spoil_\name
spoil_\name:
        \instruction
        ret
.endm

        .irp    name, GENERAL
        twin    \name, not \name
        .endr
        /* The upper quadword alone. */
        .irp    i, VECTOR
        twin    xmm\i, movhps xmm\i, [rsp]
        .endr
        twin    mxcsr, ldmxcsr [rip + round_down]
        twin    direction, std

        .section .rdata, "dr"
round_down:
        .long   0x3f80
