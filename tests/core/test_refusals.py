"""Seeds, options and numbers of moves that make no sense are refused by name."""

from typing import Any

import pytest

import islebots

GAME = islebots.load("sea_and_coast")
STATE = GAME.new(players=4, seed=7)


@pytest.mark.parametrize("seed", [-1, 2**64, "x", None, True, 1.5])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    for call in (STATE.step, STATE.view(0).policy, STATE.random_legal):
        with pytest.raises(islebots.BadSetup, match=r"seed: .* takes 0 to"):
            call(seed=seed)
    with pytest.raises(islebots.BadSetup, match=r"seed: .* takes 0 to"):
        STATE.view(0).worlds(1, seed=seed)


@pytest.mark.parametrize("rounds", [True, 2.0])
def test_an_option_takes_its_own_kind_of_value(rounds: Any) -> None:
    with pytest.raises(islebots.BadSetup, match=r"rounds: .* takes 1, 2"):
        GAME.new(players=4, rounds=rounds)


def test_fewer_than_no_worlds_are_refused() -> None:
    with pytest.raises(islebots.BadText, match="n: -1 given"):
        STATE.view(0).worlds(-1)


@pytest.mark.parametrize("code", [7 << 27 | 200 << 8 | 63, 12 << 27 | 99, 6 << 27 | 63, "x"])
def test_a_number_that_says_no_move_is_refused(code: Any) -> None:
    with pytest.raises(islebots.BadText, match="not a move of sea_and_coast"):
        GAME.text(code)
