"""The players a match can seat. A bot takes a view and a seed and gives a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from islebots.ai import flat
from islebots.core.game import View


class Bot(Protocol):
    def __call__(self, view: View, seed: int, /) -> int: ...


@dataclass(frozen=True)
class Random:
    """A uniform legal move."""

    def __call__(self, view: View, seed: int, /) -> int:
        return view.random_legal(seed=seed)


@dataclass(frozen=True)
class RulePolicy:
    """The rule player of the game."""

    def __call__(self, view: View, seed: int, /) -> int:
        return view.policy(seed=seed)


@dataclass(frozen=True)
class FlatMonteCarlo:
    """Random playouts from sampled worlds, the best mean reward; see ai/flat.pyx."""

    playouts_per_move: int = 100
    reward: str = "win"  # or "margin"

    def __call__(self, view: View, seed: int, /) -> int:
        return flat.choose(view, self.playouts_per_move, seed, self.reward)
