"""The weights of histories, against what they should be by their definition."""

from collections import defaultdict
from itertools import product

import pytest

import islebots
from islebots.core.game import State
from islebots.core.kit.enumerate import Histories, TooMany
from islebots.core.kit.ply import REVEAL_MOVE

DEAL = "first A; turn R1; deal A R1; deal A G1; deal B R2; deal B B1; deal C P1; deal C G2"


def play(
    record: str, observer: int | str, cap: int = 50_000
) -> tuple[list[State], list[dict[bytes, float]]]:
    """The states of a game on the mini box, and the worlds of an observer at each."""
    state = islebots.load("sea_and_coast", "mini").setup(3)
    histories = Histories(state, observer, cap)
    states, worlds = [state], [histories.worlds()]
    for text in record.split("; "):
        move = state.game.parse(text, state)
        histories.follow(state.seen(move, observer))
        state = state.apply_known(move)
        states.append(state)
        worlds.append(histories.worlds())
    return states, worlds


def near(found: dict[bytes, float], expected: dict[bytes, float]) -> None:
    """The same worlds with the same odds."""
    total = sum(expected.values())
    assert found == pytest.approx({key: x / total for key, x in expected.items()})


@pytest.mark.parametrize(("observer", "n"), [(0, 90), (1, 90), ("public", 2520)])
def test_every_deal_that_fits_is_as_likely(observer: int | str, n: int) -> None:
    states, worlds = play(DEAL, observer)
    near(worlds[-1], dict.fromkeys(worlds[-1], 1.0))
    assert len(worlds[-1]) == n
    assert bytes(states[-1]) in worlds[-1]


def test_only_the_pass_that_nobody_showed_divides() -> None:
    """A knows its own pass and sees B's: C chose among what its hand allowed, unseen."""
    states, worlds = play(f"{DEAL}; A passes R1; B passes R2; C passes G2; reveal", 0)
    record = [states[-2].seen(REVEAL_MOVE, 0)]
    expected: dict[bytes, float] = defaultdict(float)
    own = states[8].legal(0)
    for deal in worlds[8]:
        state = State(states[0].game, deal, 3)
        assert state.legal(0) == own
        for b, c in product(state.legal(1), state.legal(2)):
            after = state.apply("A passes R1").apply_known(b).apply_known(c)
            if [after.seen(REVEAL_MOVE, 0)] == record:
                expected[bytes(after.apply_known(REVEAL_MOVE))] += 1 / len(state.legal(2))
    near(worlds[-1], expected)
    assert len(worlds[-1]) > 10


def test_a_covered_half_divides_until_it_is_uncovered() -> None:
    game = f"{DEAL}; A passes R1; B passes R2; C passes G2; reveal; A plays (R)2"
    states, worlds = play(game, 2)
    seen = states[-2].seen(states[0].game.parse("A plays (R)2", states[-2]), 2)
    expected: dict[bytes, float] = defaultdict(float)
    for world, p in worlds[-2].items():
        state = State(states[0].game, world, 3)
        alike = [m for m in state.legal(0) if state.seen(m, 2) == seen]
        for move in alike:
            expected[bytes(state.apply_known(move))] += p / len(alike)
    near(worlds[-1], expected)
    assert len({round(p, 9) for p in worlds[-1].values()}) > 1

    rest = "; B plays (B)1; C plays P(1); reveal"
    states, later = play(game + rest, 2)
    expected = defaultdict(float)
    moves = [states[0].game.read(text) for text in f"A plays (R)2{rest}".split("; ")]
    for world, p in worlds[-2].items():  # the cards are known now: they only rule out
        state = State(states[0].game, world, 3)
        for move in moves:
            if move != REVEAL_MOVE and not state.is_legal(move):
                break
            state = state.apply_known(move)
        else:
            expected[bytes(state)] += p
    near(later[-1], expected)


def test_too_many_histories_are_not_begun() -> None:
    with pytest.raises(TooMany):
        play(DEAL, "public", cap=100)
