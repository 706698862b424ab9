"""Chi-square against printed tables, and how often a fair source is called unfair."""

import math

import pytest

from islebots.core.kit.odds import Pool, Sum, chi_square, tail
from islebots.core.rng import Random


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841459, 1, 0.05),
        (10.827566, 1, 0.001),
        (18.307038, 10, 0.05),
        (124.342113, 100, 0.05),
        (149.449253, 100, 0.001),
        (2.0, 2, math.exp(-1)),
        (100.0, 2, math.exp(-50)),
        (0.0, 3, 1.0),
        (5.0, 0, 1.0),
    ],
)
def test_the_tail_is_that_of_the_tables(statistic: float, freedom: int, p: float) -> None:
    assert tail(statistic, freedom) == pytest.approx(p, rel=1e-5)


def test_rare_outcomes_share_a_bin() -> None:
    expected = {"common": 0.98, "rare": 0.01, "rarer": 0.01}
    assert chi_square({"common": 98, "rare": 2}, expected) == (0.0, 0)  # 2 expected are too few
    assert chi_square({"common": 980, "rare": 10, "rarer": 10}, expected) == (pytest.approx(0), 2)


def test_a_fair_die_passes_and_a_loaded_one_does_not() -> None:
    random = Random(1)
    fair = dict.fromkeys(range(6), 1 / 6)
    drawn = dict.fromkeys(range(6), 0)
    for _ in range(6000):
        drawn[random.below(6)] += 1
    assert tail(*chi_square(drawn, fair)) > 1e-3
    drawn[5] += 300
    assert tail(*chi_square(drawn, fair)) < 1e-6


def test_a_pool_and_a_sum_need_both_halves_to_look_wrong() -> None:
    random = Random(2)
    pool, wrong, half = Pool(), Pool(), Pool()
    for i in range(4000):
        u = random.uniform()
        pool.add(u)
        wrong.add(u * u)
        half.add(u if i % 2 else u * u)
    assert not pool.is_wrong(1e-6)
    assert wrong.is_wrong(1e-6)
    assert not half.is_wrong(1e-6)
    sums = Sum()
    for _ in range(10):
        sums.add(60.0, 10)
    assert sums.is_wrong(1e-6)
    assert sums.p() < 1e-50
