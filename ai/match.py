"""Duplicate matches: the same deals again with the seats rotated, so that luck cancels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from islebots.ai.players import Bot
from islebots.core.errors import BadSetup
from islebots.core.game import Game, Tape
from islebots.core.rng import hash_of


@dataclass(frozen=True)
class Mean:
    """A mean over deals with its 95 % confidence interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True)
class Result:
    """What each player made of a match, in the order the players were given."""

    games: int
    shares: list[Mean]  # of the win; tied winners share it
    margins: list[Mean]  # returns less the best of the others


def play_game(game: Game, bots: Sequence[Bot], tape_seed: int, **options: Any) -> list[float]:
    """The returns by seat of one game; chance comes from the tape of that seed."""
    tape = Tape(tape_seed)
    state = game.setup(len(bots), **options).advance(tape)
    ply = 0
    while state.actor != "over":
        for seat in state.deciders:
            ply += 1
            move = bots[seat](state.view(seat), hash_of(tape_seed, ply))
            if move not in state.legal(seat):
                raise ValueError(f"{bots[seat]}: illegal move {move} in\n{state.view(seat)}")
            state = state.apply_known(move)
        state = state.advance(tape)
    return state.outcome()


def play(
    game: Game,
    players: Sequence[Bot],
    tape_seed: int = 0,
    deals: int = 100,
    rotations: int | None = None,
    **options: Any,
) -> Result:
    """`deals` deals, each played once in each rotation of the players round the table.

    `rotations` plays fewer of them; then seats do not cancel. A deal is one observation: its games
    are not independent of each other.
    """
    n = len(players)
    turns = n if rotations is None else rotations
    if not 1 <= turns <= n or deals < 2:
        raise BadSetup(f"match: {deals} deals in {turns} rotations, takes 2 or more in 1 to {n}")
    shares: list[list[float]] = [[] for _ in players]
    margins: list[list[float]] = [[] for _ in players]
    for deal in range(deals):
        sums = [[0.0] * n, [0.0] * n]
        for turn in range(turns):
            order = [(seat + turn) % n for seat in range(n)]  # the player in each seat
            bots = [players[p] for p in order]
            returns = play_game(game, bots, hash_of(tape_seed, deal), **options)
            best = max(returns)
            for seat, p in enumerate(order):
                sums[0][p] += (returns[seat] == best) / returns.count(best)
                sums[1][p] += returns[seat] - max(returns[:seat] + returns[seat + 1 :])
        for p in range(n):
            shares[p].append(sums[0][p] / turns)
            margins[p].append(sums[1][p] / turns)
    return Result(deals * turns, [mean_of(x) for x in shares], [mean_of(x) for x in margins])


def mean_of(samples: Sequence[float]) -> Mean:
    """Mean and 95 % interval of independent samples, by the normal law."""
    n = len(samples)
    mean = sum(samples) / n
    wide = 1.96 * sqrt(sum((x - mean) ** 2 for x in samples) / (n - 1) / n)
    return Mean(mean, mean - wide, mean + wide)
