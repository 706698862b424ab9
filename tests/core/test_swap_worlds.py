"""Sea and Coast with swaps the observer did not see: worlds against a count of all histories."""

from __future__ import annotations

from collections import Counter

import pytest

from islebots.core.game import Game, State
from islebots.core.kit.enumerate import Histories, TooMany
from islebots.core.kit.odds import Sum, chi_square
from islebots.core.kit.ply import REVEAL_MOVE, Observer
from islebots.core.registry import load, rules_of
from islebots.core.rng import Random


def small_box(players: int, numbers: int, hand: int) -> Game:
    """A box with few cards."""
    rules = rules_of("sea_and_coast")
    data = {
        "name": "small",
        "islands": {"numbers": numbers, "total": 4 * numbers, "highest_value": numbers},
        "bonus": {"total": 2},
        "hand": {str(players): hand},
        "decks": {str(players): 1 if players == 3 else 2},
        "treasures": {"points": [1, 1, 1, 1], "total": 16},
    }
    return Game("sea_and_coast", rules, "small", rules.read_box(data))


def next_move(state: State, random: Random) -> int:
    """Any."""
    if state.actor == "reveal":
        return REVEAL_MOVE
    if state.actor == "chance":
        return state.draw(random.next64())
    return random.choice(state.legal(random.choice(state.deciders)))


def is_open(state: State, observer: Observer) -> bool:
    """Has there been a swap whose cards the observer has not seen?"""
    name = observer if observer == "public" else "ABCDE"[int(observer)]
    swaps = [trick["swap"] for trick in state.fields()["log"] if trick["swap"]]
    return any(name not in (swap["thief"], swap["victim"]) for swap in swaps)


# Enough cards for a swap to leave room, few enough for all histories to be counted.
@pytest.mark.parametrize(
    ("players", "numbers", "hand", "other", "games"),
    [
        (3, 3, 3, "retrieve", 30),
        (3, 3, 3, "look", 40),
        (4, 3, 3, "retrieve", 30),
        (3, 3, 4, "bonus", 15),
    ],
)
def test_worlds_are_exact(players: int, numbers: int, hand: int, other: str, games: int) -> None:
    """Worlds with open swaps, drawn as often as they should be."""
    game = small_box(players, numbers, hand)
    together, n_views = Sum(), 0
    for seed in range(games):
        random = Random(seed, 77)
        state = game.setup(players, rounds=1, red_blue="swap", green_purple=other)
        observer: Observer = random.choice([*range(players), "public"])
        histories = Histories(state, observer, cap=6000)
        try:
            while state.actor != "over":
                move = next_move(state, random)
                histories.follow(state.seen(move, observer))
                state = state.apply_known(move)
                if state.actor == "over" or not is_open(state, observer) or random.below(3):
                    continue
                worlds = histories.worlds()
                found = state.view(observer).worlds(1000, random.next64())
                drawn = Counter(bytes(world) for world in found)
                assert set(drawn) <= set(worlds)
                statistic, freedom = chi_square(drawn, worlds)
                if freedom:
                    together.add(statistic, freedom)
                    n_views += 1
        except TooMany:
            continue
    assert n_views > 5
    assert together.p() > 1e-4


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("other", ["look", "retrieve"])
def test_every_view_has_a_world(players: int, other: str) -> None:
    """Views of seats in whole games, the last trick included, where cards are few."""
    game = load("sea_and_coast")
    for seed in range(3):
        random = Random(seed, 78)
        state = game.setup(players, rounds=1, red_blue="swap", green_purple=other)
        while state.actor != "over":
            if state.fields()["trick"] == 12 or random.below(8) == 0:
                view = state.view(random.below(players))
                (world,) = view.worlds(1, random.next64())
                assert world.view(view.observer) == view
            state = state.apply_known(next_move(state, random))
