"""The rule player and random play: legal, and blind to what the seat may not know."""

from collections import Counter
from itertools import product

import pytest

from islebots import ImpossibleView, Tape, load
from islebots.core.rng import Random, hash_of

GAME = load("sea_and_coast")
ACTIONS = ("bonus", "swap", "look", "retrieve")
PAIRS = [pair for pair in product(ACTIONS, ACTIONS) if pair[0] != pair[1]]


def positions(players, pair, seed, policy_share=0.5, **options):
    """(state, seat) for each decision of a game played half by the rule player, half at random."""
    tape, rng = Tape(seed), Random(seed, 9)
    state = GAME.setup(players, red_blue=pair[0], green_purple=pair[1], **options).advance(tape)
    while state.actor != "over":
        for seat in state.deciders:
            yield state, seat
            draw = rng.next64()
            if rng.uniform() < policy_share:
                state = state.apply_known(state.policy(seat, draw))
            else:
                state = state.apply_known(state.random_legal(seat, draw))
        state = state.advance(tape)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_rule_player_makes_legal_moves(players, pair):
    for seed in range(3):
        for state, seat in positions(players, pair, seed):
            assert state.policy(seat, 1) in state.legal(seat), f"seed {seed}\n{state}"


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_rule_player_does_the_same_in_every_world_of_a_view(players, pair):
    checked = 0
    for ply, (state, seat) in enumerate(positions(players, pair, 5, rounds=1)):
        if ply % 2:
            continue
        view = state.view(seat)
        choice = state.policy(seat, ply)
        assert view.policy(seed=ply) == choice, f"{GAME.text(choice)} in\n{state}"
        try:
            worlds = view.worlds(4, ply)
        except ImpossibleView:  # too rare a view to be drawn; whether it should be is tested there
            continue
        for world in worlds:
            assert world.policy(seat, ply) == choice, f"{GAME.text(choice)} in\n{state}\n{world}"
        checked += 1
    assert checked >= 15


def test_the_rule_player_repeats_itself():
    for state, seat in positions(4, ("bonus", "look"), 2):
        assert state.policy(seat, 3) == state.policy(seat, 3)


@pytest.mark.parametrize("pair", [("bonus", "look"), ("swap", "retrieve")], ids="-".join)
def test_random_moves_are_uniform_over_the_legal_ones(pair):
    seen = Counter()
    for ply, (state, seat) in enumerate(positions(4, pair, 11, 0.2, rounds=1)):
        phase = state.fields()["phase"]
        moves = state.legal(seat)
        seen[phase] += 1
        if len(moves) == 1 or seen[phase] > 6:
            continue
        n = 100 * len(moves)
        counts = Counter(state.random_legal(seat, hash_of(ply, i)) for i in range(n))
        assert set(counts) <= set(moves)
        free = len(moves) - 1
        chi2 = sum((counts[m] - 100) ** 2 / 100 for m in moves)
        limit = free + 4.5 * (2 * free) ** 0.5 + 8  # far beyond p = 0.0001 for any `free`
        assert chi2 < limit, f"chi-square {chi2:.1f} with {free} degrees of freedom in\n{state}"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_plies_lead_to_the_end(players):
    for seed in range(10):
        state = GAME.setup(players)
        for ply in range(GAME.max_plies):
            if state.actor == "over":
                break
            state = state.step(hash_of(seed, ply))
            assert state.faults() == [], f"seed {seed}"
        assert state.actor == "over"
