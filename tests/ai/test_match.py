"""Duplicate matches: rotated seats, the same luck, honest intervals; the rule player's bar."""

import pytest

from islebots import BadSetup, load
from islebots.ai.match import mean_of, play, play_game
from islebots.ai.players import FlatMonteCarlo, Random, RulePolicy

GAME = load("sea_and_coast")


def test_the_same_tape_gives_the_same_game():
    bots = [Random(), RulePolicy(), Random(), RulePolicy()]
    assert play_game(GAME, bots, 7) == play_game(GAME, bots, 7)
    assert play_game(GAME, bots, 7) != play_game(GAME, bots, 8)


def test_equal_players_share_every_deal_equally():
    result = play(GAME, [RulePolicy()] * 4, 1, deals=5)
    assert result.games == 20
    for share in result.shares:
        assert share.mean == pytest.approx(0.25)
        assert share.high - share.low < 1e-9


def test_a_player_meets_every_seat_of_a_deal():
    asked = []

    class Watch(Random):
        def __call__(self, view, seed, /):
            asked.append(view.observer)
            return super().__call__(view, seed)

    play(GAME, [Watch(), Random(), Random()], 1, deals=2, rounds=1)
    assert set(asked) == {0, 1, 2}


def test_bots_get_views():
    class Check(Random):
        def __call__(self, view, seed, /):
            assert view.observer in view.deciders
            assert [s["hand"] for s in view.fields()["seats"]].count(None) == 2
            return super().__call__(view, seed)

    play(GAME, [Check()] * 3, 1, deals=2, rotations=1, rounds=1)


def test_an_illegal_move_stops_the_match():
    with pytest.raises(ValueError, match="illegal move"):
        play(GAME, [lambda view, seed: 0] * 3, 1, deals=2)


def test_a_match_of_one_deal_has_no_interval():
    with pytest.raises(BadSetup, match="1 deals"):
        play(GAME, [Random()] * 3, deals=1)


def test_the_interval_holds_what_it_says():
    # Of 400 intervals over 50 fair coins about 5 % miss 0.5.
    from islebots.core.rng import Random as Source

    rng, missed = Source(5), 0
    for _ in range(400):
        mean = mean_of([float(rng.below(2)) for _ in range(50)])
        missed += not mean.low <= 0.5 <= mean.high
    assert 4 <= missed <= 40, f"{missed} of 400 intervals miss, seed 5"


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_rule_player_beats_random_play(players):
    result = play(GAME, [RulePolicy()] + [Random()] * (players - 1), 2, deals=10)
    assert result.shares[0].low > 0.9, f"share {result.shares[0]}, tape seed 2"


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_the_rule_player_holds_its_own_against_flat_monte_carlo(part, capsys):
    """The bar: one rule player against three of 100 playouts a move, fair share 25 %.

    400 games: 100 duplicate deals, the rule player once in each seat; about 7 minutes on one core.
    In four parts, so that they can run side by side.
    """
    bots = [RulePolicy()] + [FlatMonteCarlo(100)] * 3
    result = play(GAME, bots, 1000 + part, deals=25)
    with capsys.disabled():
        print(
            f"\nrule player: share {result.shares[0]}, margin {result.margins[0]}, "
            f"{result.games} games, tape seed {1000 + part}"
        )
    assert result.shares[0].mean >= 0.25, f"share {result.shares[0]}, tape seed {1000 + part}"
