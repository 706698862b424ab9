/* Sets of up to 64 things as bits. `select64` is pdep where the CPU has it (asked once at run time,
 * so one build serves every x86-64), else a clear-lowest loop. */
#ifndef ISLEBOTS_BITS_H
#define ISLEBOTS_BITS_H
#include <stdint.h>

static inline int count64(uint64_t set) { return __builtin_popcountll(set); }
static inline int highest64(uint64_t set) { return 63 - __builtin_clzll(set); }  /* set != 0 */
static inline int lowest64(uint64_t set) { return __builtin_ctzll(set); }  /* set != 0 */

#if defined(__x86_64__)
static inline int has_bmi2(void) {
    static int known = -1;
    if (known < 0) {
        __builtin_cpu_init();
        known = __builtin_cpu_supports("bmi2") ? 1 : 0;
    }
    return known;
}
#endif

/* Index of the k-th member (from 0) of a set with more than k members. */
static inline int select64(uint64_t set, int k) {
#if defined(__x86_64__)
    if (has_bmi2()) {
        uint64_t one = 1ULL << k, out;
        __asm__("pdep %2, %1, %0" : "=r"(out) : "r"(one), "r"(set));
        return __builtin_ctzll(out);
    }
#endif
    while (k--) set &= set - 1;
    return __builtin_ctzll(set);
}
#endif
