"""Bots for four island games: rules, search and service."""

from islebots.core.errors import BadSetup, BadText, IllegalMove, ImpossibleView, IslebotsError
from islebots.core.game import Game, State, Tape, View
from islebots.core.registry import boxes, from_json, games, load

__all__ = [
    "BadSetup",
    "BadText",
    "Game",
    "IllegalMove",
    "ImpossibleView",
    "IslebotsError",
    "State",
    "Tape",
    "View",
    "boxes",
    "from_json",
    "games",
    "load",
]
