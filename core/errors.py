"""The errors of islebots: one family, so that a caller can catch them all.

Each message says where, what came, and what would be right.
"""

from __future__ import annotations


class IslebotsError(ValueError):
    """Whatever islebots refuses."""


class BadText(IslebotsError):
    """A text that is not notation: a move, a card, a record line."""


class IllegalMove(IslebotsError):
    """A move that is well written but not legal now."""


class ImpossibleView(IslebotsError):
    """A view that no world fits; the message lists the facts that break."""


class BadSetup(IslebotsError):
    """A game, box, player count, option or seed that does not exist."""
