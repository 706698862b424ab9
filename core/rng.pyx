"""The random source at the Python level, for tests and drivers."""
from libc.stdint cimport uint64_t


cdef class Random:
    """Numbers keyed by (seed, stream); the same on every platform."""
    cdef Rng rng

    def __init__(self, uint64_t seed, uint64_t stream=0):
        rng_init(&self.rng, seed, stream)

    def next64(self):
        """The next 64 random bits."""
        return next64(&self.rng)

    def below(self, n):
        """A uniform integer from 0 to n - 1."""
        if not 0 < n < 1 << 32:
            raise ValueError(f"n: {n} given, takes 1 to 4294967295")
        return below(&self.rng, n)

    def uniform(self):
        """A uniform float in [0, 1)."""
        return uniform(&self.rng)

    def choice(self, items):
        """A uniform member of a sequence."""
        return items[self.below(len(items))]


def hash_of(*numbers):
    """One 64-bit hash out of several whole numbers, order kept."""
    cdef uint64_t key = 0
    for number in numbers:
        key = key_of(key, <uint64_t>(number & 0xFFFFFFFFFFFFFFFF))
    return key
