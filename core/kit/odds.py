"""Chi-square, as far as the kit needs it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")

LEAST = 5.0  # expected draws in a bin; rarer outcomes share one
BINS = 10  # of a pooled histogram


def tail(statistic: float, freedom: float) -> float:
    """The probability that chi-square with so many degrees of freedom is at least this high."""
    if freedom <= 0 or statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    scale = math.exp(max(-745.0, a * math.log(x) - x - math.lgamma(a)))
    if x < a + 1:  # the lower tail as a series
        term = total = 1 / a
        for n in range(1, 100_000):
            term *= x / (a + n)
            total += term
            if term < total * 1e-15:
                break
        return min(1.0, max(0.0, 1 - total * scale))
    # the upper tail as a continued fraction (Lentz)
    b = x + 1 - a
    c, d = 1e300, 1 / b
    out = d
    for n in range(1, 100_000):
        an = -n * (n - a)
        b += 2
        d = an * d + b
        d = 1 / (d if abs(d) > 1e-300 else 1e-300)
        c = b + an / c
        c = c if abs(c) > 1e-300 else 1e-300
        out *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return min(1.0, out * scale)


def chi_square(drawn: Mapping[T, int], expected: Mapping[T, float]) -> tuple[float, int]:
    """The statistic and its degrees of freedom for draws against probabilities.

    Outcomes too rare to be tested alone are put together, the rarest first.
    """
    n = sum(drawn.get(outcome, 0) for outcome in expected)
    statistic, bins = 0.0, 0
    want = got = 0.0
    rest = float(n)
    for outcome in sorted(expected, key=lambda o: expected[o]):
        want += n * expected[outcome]
        got += drawn.get(outcome, 0)
        if want >= LEAST and rest - want >= LEAST:
            statistic += (got - want) ** 2 / want
            bins += 1
            rest -= want
            want = got = 0.0
    if want:  # the last bin, with all that is left
        statistic += (got - want) ** 2 / want
        bins += 1
    return statistic, max(0, bins - 1)


class Pool:
    """Numbers that should be uniform in [0, 1), in two halves that must both look wrong.

    Chi-square is not quite exact in its far tail. Asking two independent halves, each at the root
    of the bound, leaves a right game far below it.
    """

    def __init__(self) -> None:
        """Nothing yet."""
        self.n = 0
        self.bins = [[0] * BINS, [0] * BINS]

    def add(self, x: float) -> None:
        """One number more."""
        self.bins[self.n & 1][min(BINS - 1, max(0, int(x * BINS)))] += 1
        self.n += 1

    def p(self, half: int | None = None) -> float:
        """The p value of one half, or of all."""
        both = [a + b for a, b in zip(*self.bins, strict=True)]
        bins = both if half is None else self.bins[half]
        n = sum(bins)
        if n < BINS * LEAST:
            return 1.0
        want = n / BINS
        return tail(sum((got - want) ** 2 / want for got in bins), BINS - 1)

    def is_wrong(self, bound: float) -> bool:
        """Are both halves beyond the root of the bound?"""
        return self.p(0) < math.sqrt(bound) and self.p(1) < math.sqrt(bound)


class Sum:
    """Statistics of many tests added up, in two halves as in Pool."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.n = 0
        self.statistic = [0.0, 0.0]
        self.freedom = [0, 0]

    def add(self, statistic: float, freedom: int) -> None:
        """One test more."""
        self.statistic[self.n & 1] += statistic
        self.freedom[self.n & 1] += freedom
        self.n += 1

    def p(self, half: int | None = None) -> float:
        """The p value of one half, or of all."""
        if half is None:
            return tail(sum(self.statistic), sum(self.freedom))
        return tail(self.statistic[half], self.freedom[half])

    def is_wrong(self, bound: float) -> bool:
        """Are both halves beyond the root of the bound?"""
        return self.p(0) < math.sqrt(bound) and self.p(1) < math.sqrt(bound)
