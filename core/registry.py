"""Which games there are, and loading one with a box."""

from __future__ import annotations

import importlib
import tomllib
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any

from islebots.core.errors import BadSetup
from islebots.core.game import Game

OURS = {"sea_and_coast": "islebots.core.games.sea_and_coast"}


def games() -> list[str]:
    """The names of all games: ours, and those other packages register."""
    return sorted({*OURS, *(point.name for point in entry_points(group="islebots.games"))})


def boxes(name: str) -> list[str]:
    """The boxes of one of our games."""
    folder = files("islebots.core") / "data" / name
    return sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name[-5:] == ".toml")


@cache
def load(name: str, box: str = "base") -> Game:
    """A game by name, with one of its boxes."""
    if name not in OURS:
        raise BadSetup(f'game "{name}": unknown; known: {", ".join(games())}')
    rules = importlib.import_module(OURS[name])
    if box not in boxes(name):
        raise BadSetup(f'box "{box}": unknown; {name} has {", ".join(boxes(name))}')
    text = (files("islebots.core") / "data" / name / f"{box}.toml").read_text("utf-8")
    return Game(name, rules, box, rules.read_box(tomllib.loads(text)))


def restore(kind: type, name: str, box: str, data: bytes, *rest: Any) -> Any:
    """A state or view back from what pickle kept of it."""
    return kind(load(name, box), data, *rest)
