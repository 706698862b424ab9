"""Core fields to and from protobuf messages, one file a game.

Here is what all games share: Move, Options, View, the two records, Turn. `ARMS` names the games
with messages of their own; the others go by text and google.protobuf.Struct.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf import struct_pb2

from islebots.core.errors import BadText
from islebots.core.game import Game, State, View
from islebots.core.record import Record, SeatRecord
from islebots.server.wire import sea_and_coast
from islebots.v1 import bot_pb2, game_pb2, host_pb2

ARMS: dict[str, Any] = {"sea_and_coast": sea_and_coast}
OTHER = "other"  # the arm of all other games
NEXT = {
    "chance": game_pb2.Turn.NEXT_CHANCE,
    "reveal": game_pb2.Turn.NEXT_REVEAL,
    "over": game_pb2.Turn.NEXT_OVER,
}


def arm_of(game: Game) -> str:
    """The arm in which a game's fields travel."""
    return game.name if game.name in ARMS else OTHER


def must_be_arm(given: str | None, game: Game, path: str) -> None:
    """Refuses fields of another game."""
    takes = arm_of(game)
    if given != takes:
        came = "unset" if given is None else f"{given} given"
        raise BadText(f"{path}: {came}, {game.name} takes {takes}")


# ---- Moves ------------------------------------------------------------------
def read_move(message: game_pb2.Move, game: Game, path: str) -> str:
    """The text of a move; not yet checked to be one."""
    arm = message.WhichOneof("game")
    text = " ".join(message.text.split())
    if arm is None:
        if not text:
            typed = f" or {game.name}" if game.name in ARMS else ""
            raise BadText(f"{path}: unset, takes text{typed}")
        return text
    must_be_arm(arm, game, path)
    said: str = ARMS[arm].read_move(getattr(message, arm), f"{path}.{arm}")
    if text and text != said and game.read(text) != game.read(said):
        raise BadText(f'{path}.text: "{text}" given, but {arm} says "{said}"')
    return said


def write_move(text: str, game: Game) -> game_pb2.Move:
    """A move, or what was seen of one."""
    message = game_pb2.Move(text=text)
    if game.name in ARMS:
        getattr(message, game.name).CopyFrom(ARMS[game.name].write_move(text))
    return message


# ---- Options ----------------------------------------------------------------
def read_options(message: game_pb2.Options, game: Game, path: str) -> dict[str, Any]:
    """The options that are given, by name; the rules check them."""
    arm = message.WhichOneof("game")
    if arm is None:
        return {}
    must_be_arm(arm, game, path)
    if arm == OTHER:
        return read_struct(message.other)
    options: dict[str, Any] = ARMS[arm].read_options(getattr(message, arm), f"{path}.{arm}")
    return options


def write_options(options: dict[str, Any], game: Game) -> game_pb2.Options:
    """Options by name."""
    message = game_pb2.Options()
    if not options:
        return message
    if game.name in ARMS:
        getattr(message, game.name).CopyFrom(ARMS[game.name].write_options(options))
    else:
        message.other.CopyFrom(write_struct(options))
    return message


# ---- Views ------------------------------------------------------------------
def read_view(message: game_pb2.View, game: Game, path: str) -> dict[str, Any]:
    """The fields of a view; the rules check them."""
    arm = message.WhichOneof("fields")
    must_be_arm(arm, game, path)
    if arm == OTHER:
        return read_struct(message.other)
    fields: dict[str, Any] = ARMS[game.name].read_view(getattr(message, game.name), f"{path}.{arm}")
    return fields


def write_view(view: View) -> game_pb2.View:
    """A view with its text."""
    game = view.game
    message = game_pb2.View(game=game.name, box=game.box_name, text=str(view))
    if game.name in ARMS:
        getattr(message, game.name).CopyFrom(ARMS[game.name].write_view(view.fields()))
    else:
        message.other.CopyFrom(write_struct(view.fields()))
    return message


def view_field(game: Game, path: str) -> Callable[[str], str]:
    """Turns the path of a field in a view's fields into one in the request."""
    arm = arm_of(game)

    def field_of(said: str) -> str:
        return f"{path}.{arm}.{ARMS[arm].field_of(said) if arm in ARMS else said}"

    return field_of


# ---- Records ----------------------------------------------------------------
def read_moves(messages: Sequence[game_pb2.Move], game: Game, path: str) -> tuple[str, ...]:
    """The moves of a record."""
    if len(messages) > game.max_plies:  # before each of them is looked at
        raise BadText(f"{path}: {len(messages)} given, {game.name} has at most {game.max_plies}")
    return tuple(read_move(message, game, f"{path}[{i}]") for i, message in enumerate(messages))


def read_record(message: host_pb2.GameRecord, game: Game, path: str) -> Record:
    """The record of a game; `replay` checks it."""
    return Record(
        game=game.name,
        box=game.box_name,
        players=message.players,
        options=read_options(message.options, game, f"{path}.options"),
        moves=read_moves(message.moves, game, f"{path}.moves"),
    )


def write_record(record: Record, seed: int) -> host_pb2.GameRecord:
    """The record of a game, with the seed of its future."""
    return host_pb2.GameRecord(
        game=record.game,
        box=record.box,
        players=record.players,
        options=write_options(record.options, record.rules),
        moves=[write_move(text, record.rules) for text in record.moves],
        host_secret=host_pb2.HostSecret(chance_seed=seed),
    )


def read_seat_record(message: game_pb2.SeatRecord, game: Game, path: str) -> SeatRecord:
    """What a seat saw; `view` checks it."""
    if not message.HasField("seat"):
        raise BadText(f"{path}.seat: unset, takes a seat from 0")
    must_be_seat(message.seat, message.players, f"{path}.seat")
    return SeatRecord(
        game=game.name,
        box=game.box_name,
        players=message.players,
        observer=message.seat,
        options=read_options(message.options, game, f"{path}.options"),
        moves=read_moves(message.seen, game, f"{path}.seen"),
    )


def write_seat_record(record: SeatRecord) -> game_pb2.SeatRecord:
    """What a seat saw."""
    return game_pb2.SeatRecord(
        game=record.game,
        box=record.box,
        players=record.players,
        options=write_options(record.options, record.rules),
        seat=record.observer,
        seen=[write_move(text, record.rules) for text in record.moves],
    )


def must_be_seat(seat: int, players: int, path: str) -> None:
    """Refuses a seat that is not at the table."""
    if seat >= players:
        raise BadText(f"{path}: {seat} given, takes 0 to {players - 1}")


def record_field(game: Game, path: str, moves: str) -> Callable[[str], str]:
    """Turns what heads an error of a record into the field of the request."""

    def field_of(said: str) -> str:
        if said.startswith("move "):  # "move 17", counted from 1
            return f"{path}.{moves}[{int(said[5:]) - 1}]"
        return setup_field(game, said, f"{path}.")

    return field_of


def setup_field(game: Game, said: str, path: str) -> str:
    """The field of a request that "players" or an option's name means."""
    if said in game.options:
        return f"{path}options.{arm_of(game)}.{said}"
    return f"{path}players" if said == "players" else f"{path}options"


# ---- Who is next ------------------------------------------------------------
def write_turn(position: State | View, outcome: Sequence[float]) -> game_pb2.Turn:
    """Who decides in a state, or as far as the observer of a view knows."""
    who = position.actor
    turn = game_pb2.Turn(
        next=game_pb2.Turn.NEXT_DECISION if isinstance(who, int) else NEXT[who],
        deciders=position.deciders,
    )
    if who == "over":
        turn.outcome.returns.extend(outcome)
    return turn


# ---- Games ------------------------------------------------------------------
def write_game(name: str, boxes: Sequence[Game]) -> bot_pb2.Game:
    """A game with all its boxes, the default first."""
    return bot_pb2.Game(
        name=name,
        boxes=[bot_pb2.Box(name=box.box_name, players=box.players) for box in boxes],
        options=[
            bot_pb2.Option(
                name=option,
                choices=map(write_value, choices),
                default=write_value(default),
                doc=doc,
            )
            for option, (choices, default, doc) in boxes[0].options.items()
        ],
        typed=name in ARMS,
    )


# ---- Plain values -----------------------------------------------------------
def read_struct(message: struct_pb2.Struct) -> dict[str, Any]:
    """A dict; whole numbers come back as int."""
    return {key: read_value(value) for key, value in message.fields.items()}


def read_value(value: struct_pb2.Value) -> Any:
    """A plain value. (json_format would raise at a NaN.)"""
    match value.WhichOneof("kind"):
        case "number_value":
            number = value.number_value
            return int(number) if math.isfinite(number) and number == int(number) else number
        case "string_value":
            return value.string_value
        case "bool_value":
            return value.bool_value
        case "struct_value":
            return read_struct(value.struct_value)
        case "list_value":
            return [read_value(item) for item in value.list_value.values]
        case _:
            return None


def write_struct(fields: dict[str, Any]) -> struct_pb2.Struct:
    """A Struct of plain values."""
    return struct_pb2.Struct(fields={key: write_value(value) for key, value in fields.items()})


def write_value(value: Any) -> struct_pb2.Value:
    """A Value of a plain one."""
    if value is None:
        return struct_pb2.Value(null_value=struct_pb2.NULL_VALUE)
    if isinstance(value, bool):
        return struct_pb2.Value(bool_value=value)
    if isinstance(value, int | float):
        return struct_pb2.Value(number_value=value)
    if isinstance(value, str):
        return struct_pb2.Value(string_value=value)
    if isinstance(value, dict):
        return struct_pb2.Value(struct_value=write_struct(value))
    return struct_pb2.Value(list_value=struct_pb2.ListValue(values=map(write_value, value)))
