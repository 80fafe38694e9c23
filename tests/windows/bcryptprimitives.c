/* What Rust's standard library wants of bcryptprimitives.dll, which Wine 8 lacks: random bytes. */
#include <stdint.h>

unsigned char SystemFunction036(void *bytes, unsigned long count); /* RtlGenRandom */

__declspec(dllexport) int ProcessPrng(void *bytes, uint64_t count) { return SystemFunction036(bytes, (unsigned long)count); }
