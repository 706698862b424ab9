"""One moment of a game under test, and the record it belongs to."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from islebots.core.errors import IllegalMove
from islebots.core.game import Game, State, View
from islebots.core.record import REVEAL_MOVE
from islebots.core.rng import Random, hash_of

Observer = int | str
NOTHING = 0
N_UNLISTED = 10  # random moves where they are not listed
N_WORLDS = 3  # sampled of a view at a ply picked for the dear checks


@dataclass
class Record:
    """A game played at random: enough to play it again, in this program and by hand."""

    game: Game
    players: int
    seed: int
    options: dict[str, Any] = field(default_factory=dict)
    first: State | None = None
    """The state before the first move; none where the setup itself failed."""
    moves: list[tuple[int | None, int]] = field(default_factory=list)
    """Seat (none for chance and reveals) and move."""
    by_tape: bool = False
    """Do chance moves come from the tape of the seed?"""
    error: str = ""
    """What stopped it, if something did."""

    def command(self, games: int = 1) -> str:
        """What makes this very game again, or all games of a run from this seed on."""
        words = ["islebots", "check", self.game.name, "--box", self.game.box_name]
        words += ["--players", str(self.players), "--seed", str(self.seed), "--games", str(games)]
        return shlex.join(words)

    def texts(self, n: int) -> list[str]:
        """The first n moves as text; a number where the game has no text."""
        out = []
        for _, move in self.moves[:n]:
            try:
                out.append(self.game.text(move))
            except Exception:  # the text may be what is broken
                out.append(str(move))
        return out


class Ply:
    """A state with what the laws ask of it, each asked once."""

    def __init__(self, state: State, index: int, record: Record, dear: bool = False) -> None:
        """The state after `index` moves of a record; `dear` where the dear checks are made."""
        self.state = state
        self.index = index
        self.record = record
        self.dear = dear
        self.game = record.game
        self.actor: int | str = state.actor
        self.deciders: list[int] = state.deciders
        self.kept = bytes(bytearray(bytes(state)))  # a real copy: bytes(state) is the state's own
        self.key = hash_of(record.seed, index)
        self.random = Random(self.key)
        """For the law that is being asked."""
        self.open: tuple[int, ...] = ()
        """Who had to decide when the open simultaneous choice began; empty if none is open."""
        self.committed: frozenset[int] = frozenset()
        """Who of those has decided since."""
        self.hidden_from: frozenset[Observer] = frozenset()
        """Who has not seen in full all that has happened."""
        self.errors: dict[Observer, Exception] = {}
        self._worlds: dict[Observer, list[State]] = {}

    @cached_property
    def observers(self) -> list[Observer]:
        """Every seat, and the public."""
        return [*range(self.state.players), "public"]

    @cached_property
    def views(self) -> dict[Observer, View]:
        """The view of each observer."""
        return {o: self.state.view(o) for o in self.observers}

    @cached_property
    def kept_views(self) -> dict[Observer, bytes]:
        """A real copy of each view."""
        return {o: bytes(bytearray(bytes(v))) for o, v in self.views.items()}

    @cached_property
    def sampled(self) -> list[Observer]:
        """The observers whose worlds can be sampled."""
        return self.observers if self.game.public_worlds else self.observers[:-1]

    @cached_property
    def legal(self) -> dict[int, list[int]]:
        """The legal moves of each seat that may decide; some of them where `listed` is false."""
        return {seat: legal_moves(self.state, seat, self.key) for seat in self.deciders}

    @cached_property
    def listed(self) -> bool:
        """Are all legal moves listed?"""
        return all(is_listed(self.state, seat) for seat in self.deciders)

    def may(self, seat: int, move: int) -> bool:
        """Is it a legal move of this seat?"""
        if not self.listed:
            return move >> 24 & 7 == seat and self.state.is_legal(move)
        return move in self.legal[seat]

    @cached_property
    def legal_set(self) -> frozenset[int]:
        """The legal moves of all."""
        return frozenset(m for moves in self.legal.values() for m in moves)

    @cached_property
    def chances(self) -> list[tuple[int, float]]:
        """At chance: moves and probabilities."""
        return self.state.chances()

    @cached_property
    def possible(self) -> list[int]:
        """Every move that can come next."""
        if self.actor == "chance":
            return [move for move, _ in self.chances]
        if self.actor == "reveal":
            return [REVEAL_MOVE]
        return [m for moves in self.legal.values() for m in moves]

    @cached_property
    def picked(self) -> list[Observer]:
        """The observers whose worlds are sampled here: a decider, if any, and one of all."""
        out: list[Observer] = []
        random = Random(self.key, 1 << 32)
        if self.deciders:
            out.append(random.choice(self.deciders))
        other = random.choice(self.sampled)
        return out if other in out else [*out, other]

    def worlds(self, observer: Observer) -> list[State]:
        """A few sampled worlds; empty where sampling failed (then see `errors`)."""
        if observer not in self._worlds:
            number = self.observers.index(observer)
            try:
                found = self.views[observer].worlds(N_WORLDS, hash_of(self.key, number))
            except Exception as error:
                self.errors[observer] = error
                found = []
            self._worlds[observer] = found
        return self._worlds[observer]


def is_listed(state: State, seat: int) -> bool:
    """Are the legal moves of a seat few enough to be listed?"""
    try:
        state.legal(seat)
    except IllegalMove:
        return False
    return True


def legal_moves(state: State, seat: int, seed: int) -> list[int]:
    """The legal moves of a seat; where they are not listed the candidates and some others."""
    try:
        return state.legal(seat)
    except IllegalMove:
        others = {state.random_legal(seat, hash_of(seed, i)) for i in range(N_UNLISTED)}
        return sorted(others | set(state.candidates(seat)))


def name_of(observer: Observer) -> str:
    """An observer as it is called in text."""
    return "the public" if isinstance(observer, str) else f"seat {chr(ord('A') + observer)}"
