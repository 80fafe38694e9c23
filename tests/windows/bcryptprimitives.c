/* The function of bcryptprimitives.dll that Rust's standard library calls for random bytes. Wine 8 has no such library. */
#include <stdint.h>

unsigned char SystemFunction036(void *bytes, unsigned long count); /* RtlGenRandom */

__declspec(dllexport) int ProcessPrng(void *bytes, uint64_t count) { return SystemFunction036(bytes, (unsigned long)count); }
