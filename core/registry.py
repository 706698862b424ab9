"""Which games there are, and loading one with a box."""

from __future__ import annotations

import importlib
import json
import tomllib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from islebots.core.errors import BadSetup, BadText
from islebots.core.fields import Fields
from islebots.core.game import Game, State, View

OURS = {"sea_and_coast": "islebots.core.games.sea_and_coast"}


@cache
def registered() -> dict[str, EntryPoint]:
    """The games of other packages, by name. Read once: it means looking through all packages."""
    return {point.name: point for point in entry_points(group="islebots.games")}


def games() -> list[str]:
    """The names of all games: ours, and those other packages register as islebots.games."""
    return sorted({*OURS, *registered()})


@cache
def rules_of(name: str) -> Any:
    """The module of a game."""
    if name in OURS:
        return importlib.import_module(OURS[name])
    if name in registered():
        return registered()[name].load()
    raise BadSetup(f'game "{name}": unknown; known: {", ".join(games())}')


def boxes(name: str) -> list[str]:
    """The boxes of a game, "base" first."""
    found = (file.name for file in rules_of(name).BOXES.iterdir())
    names = [file.removesuffix(".toml") for file in found if file.endswith(".toml")]
    return sorted(names, key=lambda box: (box != "base", box))


@cache
def load(name: str, box: str = "base") -> Game:
    """A game by name, with one of its boxes."""
    rules = rules_of(name)
    if box not in boxes(name):
        raise BadSetup(f'box "{box}": unknown; {name} has {", ".join(boxes(name))}')
    text = (rules.BOXES / f"{box}.toml").read_text("utf-8")
    return Game(name, rules, box, rules.read_box(tomllib.loads(text)))


def restore(kind: type, name: str, box: str, *rest: Any) -> Any:
    """A state or view back from what pickle kept of it."""
    return kind(load(name, box), *rest)


def from_json(text: str) -> State | View:
    """A state or view back from its JSON."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadText(f"line {error.lineno}: not JSON: {error.msg}") from None
    fields = Fields(value, "", ("game", "box", "state", "view"))
    game = load(fields.choice("game", tuple(games())), str(value.get("box", "base")))
    if fields.has("state") == fields.has("view"):
        raise BadText("state, view: takes one of them")
    return game.state(value["state"]) if fields.has("state") else game.view(value["view"])
