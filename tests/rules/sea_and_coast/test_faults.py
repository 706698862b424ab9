"""Fields that contradict the rules are refused by name, those of a real game never."""

from collections.abc import Callable
from typing import Any

import pytest

import islebots

GAME = islebots.load("sea_and_coast")


def state_in(phase: str) -> Any:
    """A position of a random game in a phase, after three tricks or before the first."""
    for seed in range(100):
        state = GAME.setup(4)
        for ply in range(300):
            fields = state.fields()
            if fields["phase"] == phase and (fields["trick"] > 3 or phase in ("first", "pass")):
                return fields
            state = state.step(1000 * seed + ply)
    raise AssertionError(phase)


@pytest.mark.parametrize(
    ("phase", "edit", "says"),
    [
        ("play", lambda f: f.update(claims=["A"]), "claims: A is listed"),
        ("play", lambda f: f.update(acts=["A"]), "acts: A is listed"),
        ("claim", lambda f: f.update(claims=list("ABCD")), "claims: . is listed"),
        ("claim", lambda f: f.update(acts=list("ABCD")), "acts: . is listed"),
        ("play", lambda f: f["seats"][1].update(score=50), "seats.score: points given"),
        ("play", lambda f: f["actions"].__setitem__(0, ["look", "look"]), "same action"),
        ("play", lambda f: f["actions"].__setitem__(0, [{}, "look"]), r"actions\[0\]\[0\]: {}"),
        ("first", lambda f: f["seats"][1].update(bonus=1), "something has happened"),
        ("pass", lambda f: f["seats"][0].update(passed="not held"), r"seats\[0\].passed"),
    ],
)
def test_fields_against_the_rules_are_named(
    phase: str, edit: Callable[[Any], None], says: str
) -> None:
    fields = state_in(phase)
    edit(fields)
    if fields["seats"][0]["passed"] == "not held":
        fields["seats"][0]["passed"] = fields["seats"][1]["hand"][0]
    with pytest.raises(islebots.IslebotsError, match=says):
        GAME.state(fields)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_nothing_contradicts_itself_in_a_real_game(players: int) -> None:
    pairs = (("bonus", "look"), ("swap", "retrieve"), ("look", "swap"), ("retrieve", "bonus"))
    for seed, (red_blue, green_purple) in enumerate(pairs * 3):
        state = GAME.setup(players, red_blue=red_blue, green_purple=green_purple)
        ply = 0
        while state.actor != "over":
            assert state.faults() == []
            for observer in (*range(players), "public"):
                assert state.view(observer).faults() == []
            state = state.step(1000 * seed + ply)
            ply += 1
