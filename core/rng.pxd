# The one random source: counter-based, keyed by (seed, stream), the same numbers everywhere.
# Number i of a stream is a mix of key + i * GOLDEN (SplitMix64 in counter mode).
from libc.stdint cimport uint32_t, uint64_t

cdef extern from "bits.h" nogil:
    int count64(uint64_t members)
    int highest64(uint64_t members)
    int lowest64(uint64_t members)
    int select64(uint64_t members, int k)

cdef struct Rng:
    uint64_t key                    # of (seed, stream)
    uint64_t index                  # numbers drawn so far

cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)

# One key out of two numbers; not symmetric, so that (a, b) and (b, a) differ.
cdef inline uint64_t key_of(uint64_t a, uint64_t b) noexcept nogil:
    return mix64(mix64(a + <uint64_t>0x9E3779B97F4A7C15) + b * <uint64_t>0xD1342543DE82EF95)

cdef inline void rng_init(Rng* rng, uint64_t seed, uint64_t stream) noexcept nogil:
    rng.key = key_of(seed, stream)
    rng.index = 0

cdef inline uint64_t next64(Rng* rng) noexcept nogil:
    rng.index += 1
    return mix64(rng.key + rng.index * <uint64_t>0x9E3779B97F4A7C15)

# Uniform in 0 .. n - 1, n > 0, without bias (Lemire's multiply and reject).
cdef inline uint32_t below(Rng* rng, uint32_t n) noexcept nogil:
    cdef uint64_t product = (next64(rng) >> 32) * n
    cdef uint32_t low = <uint32_t>product
    cdef uint32_t threshold
    if low < n:
        threshold = (<uint32_t>0 - n) % n
        while low < threshold:
            product = (next64(rng) >> 32) * n
            low = <uint32_t>product
    return <uint32_t>(product >> 32)

# Uniform in [0, 1), 53 bits.
cdef inline double uniform(Rng* rng) noexcept nogil:
    return <double>(next64(rng) >> 11) * (1.0 / 9007199254740992.0)

# A uniform member of a non-empty set.
cdef inline int pick64(Rng* rng, uint64_t members) noexcept nogil:
    return select64(members, <int>below(rng, <uint32_t>count64(members)))
