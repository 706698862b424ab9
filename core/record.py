"""Records: a game (setup and moves, chance included) and a seat's own (setup and what it saw).

As text, one move a line; `#` starts a comment:

    game sea_and_coast
    players 4
    option red_blue swap
    moves
    first C
    turn R4

`box` is "base" and options have their defaults where they are not given. A seat's record has a line
`seat A` in its head. A reveal is not written in a game's record: it follows from the moves. What a
seat saw of it stands in the seat's own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

from islebots.core.errors import BadSetup, BadText, IllegalMove, IslebotsError
from islebots.core.fields import Fields, read_json
from islebots.core.game import Game, State, View
from islebots.core.registry import load

SEATS = "ABCDEFGH"
HEAD = ("game", "box", "players", "options", "seat", "moves")


@dataclass(frozen=True)
class Record:
    """A game from its setup to wherever it stands."""

    game: str  # its name
    players: int
    box: str = "base"
    options: dict[str, Any] = field(default_factory=dict)  # those that are not the default
    moves: tuple[str, ...] = ()  # decisions and chance moves, in order

    @property
    def rules(self) -> Game:
        """The game with its box."""
        return load(self.game, self.box)

    def start(self) -> State:
        """The first state, before any chance move."""
        return self.rules.setup(self.players, **self.options)

    def replay(self) -> State:
        """The state after all moves; a move that cannot be names its place."""
        state = past_reveals(self.start())
        for number, text in enumerate(self.moves, 1):
            try:
                state = past_reveals(state.apply(text))
            except IslebotsError as error:
                raise type(error)(f"move {number}: {error}") from None
        return state

    def add(self, *moves: str) -> Record:
        """The record with more moves at its end; not checked, see `replay`."""
        return replace(self, moves=self.moves + moves)

    def seat(self, seat: int) -> SeatRecord:
        """What one seat saw of this game."""
        if not 0 <= seat < self.players:
            raise BadText(f"seat: {seat!r} given, takes 0 to {self.players - 1}")
        saw = []
        state = self.start()
        for text in [*self.moves, None]:
            while state.actor == "reveal":
                saw.append(state.seen(REVEAL_MOVE, seat))
                state = state.apply_known(REVEAL_MOVE)
            if text is not None:
                move = self.rules.parse(text, state)
                saw.append(state.seen(move, seat))
                state = state.apply_known(move)
        lines = tuple(self.rules.text(seen) for seen in saw if seen)
        return SeatRecord(self.game, self.players, seat, self.box, self.options, lines)

    def text(self) -> str:
        """As text; `parse` reads it back."""
        return write_text(self, None)

    def to_json(self) -> str:
        """As JSON; `from_json` reads it back."""
        return json.dumps(write_fields(self))

    @classmethod
    def parse(cls, text: str) -> Record:
        """A record from its text. Every move is tried; errors name the line."""
        head, lines = read_text(text, with_seat=False)
        record = cls(**head, moves=tuple(line for _, line in lines))
        check(record, lines)
        return record

    @classmethod
    def from_json(cls, text: str) -> Record:
        """A record from its JSON. Every move is tried; errors name it."""
        record = cls(**read_fields(text, with_seat=False))
        record.replay()
        return record


@dataclass(frozen=True)
class SeatRecord:
    """What one seat saw of a game: worth exactly its view."""

    game: str
    players: int
    observer: int  # the seat, from 0
    box: str = "base"
    options: dict[str, Any] = field(default_factory=dict)
    moves: tuple[str, ...] = ()  # what the seat saw, its own moves among it, in order

    @property
    def rules(self) -> Game:
        """The game with its box."""
        return load(self.game, self.box)

    def view(self) -> View:
        """What the seat knows at the end; what cannot be names its place."""
        view = self.rules.setup(self.players, **self.options).view(self.observer)
        for number, text in enumerate(self.moves, 1):
            try:
                view = after(view, text)
            except IslebotsError as error:
                raise type(error)(f"move {number}: {error}") from None
        self._must_be_possible()
        return view

    def add(self, *moves: str) -> SeatRecord:
        """The record with more of what the seat saw; not checked, see `view`."""
        return replace(self, moves=self.moves + moves)

    def _must_be_possible(self) -> None:
        """Names the first line from which on no world fits: found by halving."""
        low, high = 0, len(self.moves)  # possible after `low`; `high` is to be seen
        if self._fault_after(high) is None:
            return
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._fault_after(middle) is None else (low, middle)
        fault = self._fault_after(high)
        assert fault is not None  # what `high` stands for
        raise type(fault)(f"move {high}: {fault}")

    def _fault_after(self, n: int) -> IslebotsError | None:
        view = self.rules.setup(self.players, **self.options).view(self.observer)
        for text in self.moves[:n]:
            view = view.follow(self.rules.read(text))
        try:
            view.worlds(1)
        except IslebotsError as error:
            return error
        return None

    def text(self) -> str:
        """As text; `parse` reads it back."""
        return write_text(self, self.observer)

    def to_json(self) -> str:
        """As JSON; `from_json` reads it back."""
        return json.dumps(write_fields(self))

    @classmethod
    def parse(cls, text: str) -> SeatRecord:
        """A seat's record from its text. Every line is tried; errors name the line."""
        head, lines = read_text(text, with_seat=True)
        record = cls(**head, moves=tuple(line for _, line in lines))
        check(record, lines)
        return record

    @classmethod
    def from_json(cls, text: str) -> SeatRecord:
        """A seat's record from its JSON. Every move is tried; errors name it."""
        record = cls(**read_fields(text, with_seat=True))
        record.view()
        return record


REVEAL_MOVE = 0xFFFFFFFF  # as in core/contract.pxd


def past_reveals(state: State) -> State:
    """On to the next decision or chance move."""
    while state.actor == "reveal":
        state = state.apply_known(REVEAL_MOVE)
    return state


def after(view: View, text: str) -> View:
    """The view after a line of the seat's record; IllegalMove if that could not be seen."""
    seen = view.game.read(text)
    if not view.accepts(seen):
        raise IllegalMove(
            f'"{" ".join(text.split())}": seat {SEATS[int(view.observer)]} could not see this now'
        )
    return view.follow(seen)


# ---- Text -------------------------------------------------------------------
def write_text(record: Record | SeatRecord, seat: int | None) -> str:
    lines = [f"game {record.game}"]
    if record.box != "base":
        lines.append(f"box {record.box}")
    lines.append(f"players {record.players}")
    lines += [f"option {name} {value}" for name, value in record.options.items()]
    if seat is not None:
        lines.append(f"seat {SEATS[seat]}")
    return "\n".join([*lines, "moves", *record.moves, ""])


def read_text(text: str, with_seat: bool) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """The head, and the moves with their line numbers."""
    lines = [(n, line.split("#")[0].strip()) for n, line in enumerate(text.splitlines(), 1)]
    lines = [(n, line) for n, line in lines if line]
    raw: dict[str, Any] = {"options": {}}
    at: dict[str, int] = {}
    for i, (n, line) in enumerate(lines):
        if line == "moves":
            return read_head(raw, at, with_seat), lines[i + 1 :]
        key, *rest = line.split()
        if key == "option" and len(rest) == 2 and rest[0] not in raw["options"]:
            raw["options"][rest[0]] = rest[1]
            at[f"option {rest[0]}"] = n
        elif key in ("game", "box", "players", "seat") and len(rest) == 1 and key not in raw:
            raw[key] = rest[0]
            at[key] = n
        else:
            raise BadText(
                f'record line {n}: "{line}": takes game, box, players, option NAME VALUE'
                f"{', seat' if with_seat else ''} once each, then moves"
            )
    raise BadText(f'record line {len(text.splitlines()) + 1}: a line "moves" is missing')


def read_head(raw: dict[str, Any], at: dict[str, int], with_seat: bool) -> dict[str, Any]:
    """The head with its values checked. Values are texts, or as JSON has them."""

    def refuse(key: str, error: str) -> BadSetup:
        return BadSetup(f"record line {at[key]}: {error}" if key in at else f"record: {error}")

    for key in ("game", "players", *(["seat"] if with_seat else [])):
        if key not in raw:
            raise BadSetup(f'record: "{key}" is missing')
    if "seat" in raw and not with_seat:
        raise refuse("seat", "a seat's record, where a game's is wanted")
    box = raw.get("box", "base")
    try:
        rules = load(raw["game"], box)
    except BadSetup as error:
        raise refuse("box" if str(error).startswith("box") else "game", str(error)) from None
    players = raw["players"]
    if isinstance(players, str):
        players = next((n for n in rules.players if str(n) == players), players)
    try:
        rules.setup(players)
    except BadSetup as error:
        raise refuse("players", str(error)) from None
    options: dict[str, Any] = {}
    broken: BadSetup | None = None  # by the first option from which on it is not put right
    for name, value in raw["options"].items():
        choices = rules.options[name][0] if name in rules.options else ()
        options[name] = next((c for c in choices if str(c) == value), value)
        try:
            rules.setup(players, **options)
            broken = None
        except BadSetup as error:
            broken = broken or refuse(f"option {name}", str(error))
    if broken:
        raise broken
    head = {"game": raw["game"], "box": box, "players": players, "options": options}
    if with_seat:
        seats = list(SEATS[:players])
        if raw["seat"] not in seats:
            raise refuse("seat", f"seat: {raw['seat']!r} given, takes {', '.join(seats)}")
        head["observer"] = seats.index(raw["seat"])
    return head


def check(record: Record | SeatRecord, lines: list[tuple[int, str]]) -> None:
    """Replays the record; an error names the line instead of the move."""
    try:
        if isinstance(record, Record):
            record.replay()
        else:
            record.view()
    except IslebotsError as error:
        move, _, why = str(error).partition(": ")
        number = int(move.removeprefix("move "))
        raise type(error)(f"record line {lines[number - 1][0]}: {why}") from None


# ---- JSON -------------------------------------------------------------------
def write_fields(record: Record | SeatRecord) -> dict[str, Any]:
    out: dict[str, Any] = {
        "game": record.game,
        "box": record.box,
        "players": record.players,
        "options": record.options,
    }
    if isinstance(record, SeatRecord):
        out["seat"] = SEATS[record.observer]
    return {**out, "moves": list(record.moves)}


def read_fields(text: str, with_seat: bool) -> dict[str, Any]:
    value = read_json(text, "record")
    fields = Fields(value, "", HEAD)
    options = value["options"] if fields.has("options") else {}
    if not isinstance(options, dict):
        raise BadText(f"options: {options!r} given, takes an object")
    raw: dict[str, Any] = {"options": options}
    for key in ("game", "box", "seat"):
        if fields.has(key):
            raw[key] = fields.text(key)
    if fields.has("players"):
        raw["players"] = fields.number("players", 1, len(SEATS))
    head = read_head(raw, {}, with_seat)
    rules = load(head["game"], head["box"])
    moves = []
    for _, move, path in fields.items("moves", 0, rules.max_plies):
        if not isinstance(move, str):
            raise BadText(f"{path}: {move!r} given, takes the text of a move")
        moves.append(move)
    return {**head, "moves": tuple(moves)}
