"""Flat Monte Carlo: sees a view only, finds what is plainly best, repeats itself."""

import pytest

from islebots import BadSetup, IllegalMove, Tape, load
from islebots.ai import flat
from islebots.ai.players import FlatMonteCarlo

GAME = load("sea_and_coast")
OPTIONS = {"green_purple": "retrieve"}


def late_views(players=4, seed=3, left=2):
    """Views of the seat that lays a card with so many cards left in the last round."""
    tape = Tape(seed)
    state = GAME.setup(players, rounds=1, **OPTIONS).advance(tape)
    while state.actor != "over":
        for seat in state.deciders:
            view = state.view(seat)
            fields = view.fields()
            if fields["phase"] == "play" and fields["seats"][seat]["hand_size"] <= left:
                yield view
            state = state.apply_known(state.random_legal(seat, seed))
        state = state.advance(tape)


def test_same_seed_gives_the_same_values():
    view = next(late_views())
    assert flat.values(view, 20, 5) == flat.values(view, 20, 5)
    assert flat.values(view, 20, 5) != flat.values(view, 20, 6)


def test_every_candidate_is_weighed_and_the_best_is_chosen():
    view = next(late_views())
    moves = flat.values(view, 30, 1, "margin")
    assert [m for m, _, _ in moves] == view.candidates()
    assert flat.choose(view, 30, 1, "margin") == max(moves, key=lambda m: m[1])[0]


def test_win_shares_lie_between_nothing_and_all():
    for view in late_views():
        assert all(0 <= value <= 1 for _, value, _ in flat.values(view, 10, 0, "win"))


def test_the_last_card_of_a_trick_is_laid_for_points():
    # With one card left and all others laid the outcome hangs on the bonus alone: playouts are
    # exact up to the covered halves, so the value found is close to that of ten times as many.
    for view in late_views(seed=8, left=1):
        if len(view.candidates()) > 1:
            few = {m: v for m, v, _ in flat.values(view, 300, 1, "margin")}
            many = {m: v for m, v, _ in flat.values(view, 3000, 2, "margin")}
            assert many[max(few, key=lambda m: few[m])] > max(many.values()) - 0.7


def test_a_seat_with_nothing_to_decide_is_refused():
    state = GAME.new(4, 1, **OPTIONS)
    while len(state.deciders) > 1:
        state = state.apply_known(state.legal()[0]).advance(Tape(1))
    while len(state.deciders) != 1:
        state = state.apply_known(state.legal()[0]).advance(Tape(1))
    with pytest.raises(IllegalMove):
        flat.choose(state.view((state.actor + 1) % 4))
    with pytest.raises(IllegalMove, match="public"):
        flat.choose(state.view("public"))


def test_what_it_does_not_know_is_refused():
    view = GAME.new(4, 1).view(0)
    with pytest.raises(BadSetup, match="takes win, margin"):
        flat.choose(view, reward="rank")
    with pytest.raises(BadSetup, match="takes 1 or more"):
        flat.choose(view, 0)


def test_it_beats_random_play():
    from islebots.ai.match import play
    from islebots.ai.players import Random

    result = play(GAME, [FlatMonteCarlo(20), Random(), Random()], 4, deals=8, **OPTIONS)
    assert result.shares[0].low > 1 / 3, f"share {result.shares[0]}, tape seed 4"
