/*
 * The AVX2 kernels on Windows: objects for COFF, called in the System V convention from code in Microsoft's.
 *
 * Each kernel's result is compared with the C BLAKE3 library's or a plain loop's. Around each call, registers that
 * Microsoft's convention preserves hold known values: a caller in that convention must find them again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blake3.h"

#define SYSV __attribute__((sysv_abi))
#define KERNEL(name) lthash_0_1_0_##name##_avx2

typedef struct {
    uint32_t chaining_value[8];
    uint8_t block[64];
    uint32_t block_length;
    uint32_t flags;
} root_node;

SYSV void KERNEL(xof)(const root_node *node, uint8_t out[2048]);
SYSV void KERNEL(xof_add)(const root_node *node, uint32_t sums[16][32]);
SYSV void KERNEL(lanes_to_limbs)(const uint32_t sums[16][32], uint16_t limbs[1024]);
SYSV void KERNEL(limbs_add)(uint16_t limbs[1024], const uint16_t other[1024]);
SYSV void KERNEL(limbs_sub)(uint16_t limbs[1024], const uint16_t other[1024]);
SYSV void KERNEL(absorb)(uint32_t chaining_value[8], const uint8_t *blocks, size_t count, uint64_t counter,
                         uint32_t block_length, uint32_t flags);

/* Runs `work` with xmm6 to xmm15, rbx, rbp, rdi, rsi and r12 to r15 full of known values; 0 if it finds them again. */
int preserves(void (*work)(void));
__asm__(
    ".intel_syntax noprefix\n"
    ".globl preserves\n"
    "preserves:\n"
    "push rbx\n push rbp\n push rdi\n push rsi\n push r12\n push r13\n push r14\n push r15\n"
    "sub rsp, 392\n" /* 32 bytes for the callee, then what xmm6 to xmm15 held, then the known values */
    "mov [rsp + 352], rcx\n"
    ".irpc i, 6789\n movups [rsp + 32 + 16 * (\\i - 6)], xmm\\i\n .endr\n"
    ".irp i, 10, 11, 12, 13, 14, 15\n movups [rsp + 32 + 16 * (\\i - 6)], xmm\\i\n .endr\n"
    "mov rax, 0x0123456789abcdef\n"
    ".irp i, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
    "add rax, 0x1111\n movq xmm\\i, rax\n pshufd xmm\\i, xmm\\i, 0x44\n movups [rsp + 192 + 16 * (\\i - 6)], xmm\\i\n"
    ".endr\n"
    ".irp r, rbx, rbp, rdi, rsi, r12, r13, r14, r15\n lea \\r, [rax + 1]\n mov rax, \\r\n .endr\n"
    "mov [rsp + 360], rax\n"
    "call [rsp + 352]\n"
    "mov rdx, [rsp + 360]\n"
    "xor eax, eax\n"
    ".irp r, r15, r14, r13, r12, rsi, rdi, rbp, rbx\n xor \\r, rdx\n or rax, \\r\n dec rdx\n .endr\n"
    ".irp i, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
    "movups xmm0, [rsp + 192 + 16 * (\\i - 6)]\n pxor xmm0, xmm\\i\n movq rdx, xmm0\n or rax, rdx\n"
    "psrldq xmm0, 8\n movq rdx, xmm0\n or rax, rdx\n"
    "movups xmm\\i, [rsp + 32 + 16 * (\\i - 6)]\n"
    ".endr\n"
    "test rax, rax\n setne al\n movzx eax, al\n"
    "add rsp, 392\n"
    "pop r15\n pop r14\n pop r13\n pop r12\n pop rsi\n pop rdi\n pop rbp\n pop rbx\n"
    "ret\n"
    ".att_syntax\n");

static uint8_t message[1024], expected[2048], actual[2048];
static uint16_t limbs[1024], other[1024];
static size_t length;
static root_node node;

static void spoil(void) { __asm__ volatile("pcmpeqd %%xmm9, %%xmm9" ::: "memory"); } /* a broken twin: breaks xmm9 */

static void expand(void) {
    static const uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    size_t before = length ? (length - 1) / 64 : 0, last = length - 64 * before;
    memset(&node, 0, sizeof node);
    memcpy(node.chaining_value, iv, sizeof iv);
    KERNEL(absorb)(node.chaining_value, message, before > 0, 0, 64, 1); /* CHUNK_START */
    if (before > 1) KERNEL(absorb)(node.chaining_value, message + 64, before - 1, 0, 64, 0);
    memcpy(node.block, message + 64 * before, last);
    node.block_length = (uint32_t)last;
    node.flags = (before ? 0 : 1) | 2 | 8; /* CHUNK_START, CHUNK_END, ROOT */
    KERNEL(xof)(&node, actual);
}

static void add_lanes(void) {
    static _Alignas(64) uint32_t sums[16][32];
    memset(sums, 0, sizeof sums);
    memset(limbs, 0, sizeof limbs);
    KERNEL(xof_add)(&node, sums);
    KERNEL(lanes_to_limbs)(sums, limbs);
}

static void add(void) { KERNEL(limbs_add)(limbs, other); }
static void subtract(void) { KERNEL(limbs_sub)(limbs, other); }

static int passed, failed;

static void check(const char *name, void (*work)(void), const void *got, const void *wanted) {
    int kept = preserves(work) == 0;
    if (kept && memcmp(got, wanted, 2048) == 0) {
        passed++;
    } else {
        failed++;
        printf("%s of %d bytes: %s\n", name, (int)length, kept ? "wrong" : "breaks a register");
    }
}

int main(void) {
    uint16_t sum[1024];
    for (int i = 0; i < 1024; i++) message[i] = (uint8_t)(i % 251);
    for (length = 0; length <= 1024; length += length % 64 < 2 ? 1 : 31) {
        blake3_hasher hasher;
        blake3_hasher_init(&hasher);
        blake3_hasher_update(&hasher, message, length);
        blake3_hasher_finalize(&hasher, expected, sizeof expected);
        check("absorb and xof", expand, actual, expected);
        check("xof_add and lanes_to_limbs", add_lanes, limbs, expected);
        memcpy(other, message, sizeof message);
        for (int i = 0; i < 1024; i++) sum[i] = limbs[i] + other[i];
        check("limbs_add", add, limbs, sum);
        check("limbs_sub", subtract, limbs, expected);
    }
    if (preserves(spoil) == 0) {
        printf("a broken xmm9 is not noticed\n");
        failed++;
    } else {
        passed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
