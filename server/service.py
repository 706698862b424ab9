"""The layer behind the doors: validate, call the rules, encode.

One method for each call of BotService, from request to response. They keep nothing between calls,
touch no network and may run in any thread; what they refuse is raised as `Refused`.
"""

from __future__ import annotations

import logging
import secrets
from functools import cache
from typing import Any

import grpc

from islebots.core.game import Game, State, Tape, View
from islebots.core.record import SEATS, Record
from islebots.core.registry import boxes, games, load
from islebots.server import wire
from islebots.server.errors import Refused, refusing
from islebots.v1 import bot_pb2, game_pb2, host_pb2

LEVELS = (0,)  # the rule player

log = logging.getLogger(__name__)


class Service:
    """Answers the calls of BotService."""

    def list_games(self, request: bot_pb2.ListGamesRequest) -> bot_pb2.ListGamesResponse:
        """The games with boxes and options."""
        found = []
        for name in games():
            try:
                found.append(wire.write_game(name, [load(name, box) for box in boxes(name)]))
            except Exception:  # of another package: the others are still served
                log.exception("game %s cannot be loaded", name)
        return bot_pb2.ListGamesResponse(games=found)

    # ---- For a seat ---------------------------------------------------------
    def get_legal_moves(
        self, request: bot_pb2.GetLegalMovesRequest
    ) -> bot_pb2.GetLegalMovesResponse:
        """The legal moves of a seat."""
        view, _ = read_position(request)
        moves = view.legal()
        return bot_pb2.GetLegalMovesResponse(
            moves=[wire.write_move(view.game.text(move), view.game) for move in moves],
            turn=wire.write_turn(view, outcome_of(view)),
        )

    def choose_move(self, request: bot_pb2.ChooseMoveRequest) -> bot_pb2.ChooseMoveResponse:
        """A move for a seat."""
        level = request.level if request.HasField("level") else LEVELS[0]
        if level not in LEVELS:
            takes = ", ".join(map(str, LEVELS))
            raise Refused("BAD_SETUP", f"level: {level} given, takes {takes}", "level")
        view, path = read_position(request)
        must_decide(view, path)
        seed = request.seed if request.HasField("seed") else fresh_seed()
        move = view.game.text(view.policy(seed=seed))
        return bot_pb2.ChooseMoveResponse(
            move=wire.write_move(move, view.game),
            reasons=bot_pb2.Reasons(policy="rule"),
            seed=seed,
            level=level,
        )

    # ---- For a host ---------------------------------------------------------
    def new_game(self, request: host_pb2.NewGameRequest) -> host_pb2.NewGameResponse:
        """A game at its first decision."""
        game = find_game(request.game, request.box, "")
        with refusing("options", lambda said: wire.setup_field(game, said, "")):
            options = wire.read_options(request.options, game, "options")
            record = Record(game.name, request.players, game.box_name, options)
            state = record.replay()
        seed = request.seed if request.HasField("seed") else fresh_seed()
        record, state = carry_on(record, state, seed)
        return host_pb2.NewGameResponse(
            record=wire.write_record(record, seed), turn=wire.write_turn(state, outcome_of(state))
        )

    def apply_move(self, request: host_pb2.ApplyMoveRequest) -> host_pb2.ApplyMoveResponse:
        """The game at its next decision."""
        record, state = read_record(request.record)
        if state.actor == "over":
            raise Refused(
                "GAME_OVER",
                "record: the game is over, no move can follow",
                "record",
                grpc.StatusCode.FAILED_PRECONDITION,
            )
        with refusing("move"):
            move = wire.read_move(request.move, record.rules, "move")
            code = record.rules.parse(move, state)
            state = state.apply(code)
        secret = request.record.HasField("host_secret")
        seed = request.record.host_secret.chance_seed if secret else fresh_seed()
        record, state = carry_on(record.add(record.rules.text(code)), state, seed)
        return host_pb2.ApplyMoveResponse(
            record=wire.write_record(record, seed), turn=wire.write_turn(state, outcome_of(state))
        )

    def get_view(self, request: host_pb2.GetViewRequest) -> host_pb2.GetViewResponse:
        """What one seat, or the public, can see."""
        record, state = read_record(request.record)
        if not request.HasField("seat"):
            view = state.view("public")
            turn = wire.write_turn(view, outcome_of(state))
            return host_pb2.GetViewResponse(view=wire.write_view(view), turn=turn)
        with refusing("seat"):
            wire.must_be_seat(request.seat, record.players, "seat")
        view = state.view(request.seat)
        return host_pb2.GetViewResponse(
            view=wire.write_view(view),
            record=wire.write_seat_record(record.seat(request.seat)),
            turn=wire.write_turn(view, outcome_of(state)),
        )


# ---- Reading ----------------------------------------------------------------
def find_game(name: str, box: str, path: str) -> Game:
    """A game and box by name; `path` is that of the message that names them, with its dot."""
    if not name:
        known = ", ".join(games())
        raise Refused("BAD_SETUP", f"{path}game: unset, takes {known}", f"{path}game")
    try:
        return loaded(name, box)
    except LookupError as error:
        field, why = error.args
        code = grpc.StatusCode.NOT_FOUND
        raise Refused("UNKNOWN_GAME", f"{path}{field}: {why}", f"{path}{field}", code) from None


@cache  # what exists; a refusal is not kept
def loaded(name: str, box: str) -> Game:
    """A game with a box, by default its first; LookupError(field, why) if there is none."""
    if name not in games():
        raise LookupError("game", f'"{name}" is not known; known: {", ".join(games())}')
    known = boxes(name)
    if box and box not in known:
        raise LookupError("box", f'"{box}" is not known; {name} has {", ".join(known)}')
    return load(name, box or known[0])


def read_record(message: host_pb2.GameRecord) -> tuple[Record, State]:
    """A game record and the state at its end."""
    game = find_game(message.game, message.box, "record.")
    with refusing("record", wire.record_field(game, "record", "moves")):
        record = wire.read_record(message, game, "record")
        return record, record.replay()


def read_position(
    request: bot_pb2.GetLegalMovesRequest | bot_pb2.ChooseMoveRequest,
) -> tuple[View, str]:
    """What a seat knows, and the field that said so."""
    match request.WhichOneof("position"):
        case "view":
            return read_view(request.view), "view"
        case "record":
            return read_seat_record(request.record), "record"
        case _:
            raise Refused("BAD_TEXT", "position: unset, takes view or record", "position")


def read_seat_record(message: game_pb2.SeatRecord) -> View:
    """The view that a seat's record leads to."""
    game = find_game(message.game, message.box, "record.")
    with refusing("record", wire.record_field(game, "record", "seen")):
        return wire.read_seat_record(message, game, "record").view()


def read_view(message: game_pb2.View) -> View:
    """A view of a seat that some world fits and that knows no more than the seat can."""
    game = find_game(message.game, message.box, "view.")
    field_of = wire.view_field(game, "view")
    with refusing("view", field_of):
        fields = wire.read_view(message, game, "view")
        view = game.view(fields)
        observer = view.observer
        canonical = view.worlds(1)[0].view(observer)
    if observer == "public":
        field = field_of("observer")
        raise Refused(
            "BAD_TEXT", f"{field}: public given, takes a seat: that is who decides", field
        )
    if view != canonical:
        path, given, known = difference(fields, canonical.fields(), "")
        field = field_of(path) if path else "view"
        what = (
            f"seat {SEATS[int(observer)]} cannot know this"
            if known is None
            else f"unset, but seat {SEATS[int(observer)]} knows it"
            if given is None
            else "not what the seat can know"
        )
        raise Refused("IMPOSSIBLE_VIEW", f"{field}: {what}", field)
    return view


def difference(given: Any, known: Any, path: str) -> tuple[str, Any, Any]:
    """The first path at which two fields differ, and the two values there."""
    if isinstance(given, dict) and isinstance(known, dict):
        for key in known:
            if given.get(key) != known[key]:
                at = f"{path}.{key}" if path else key
                return difference(given.get(key), known[key], at)
    if isinstance(given, list) and isinstance(known, list) and len(given) == len(known):
        for i, (one, other) in enumerate(zip(given, known, strict=True)):
            if one != other:
                return difference(one, other, f"{path}[{i}]")
    if isinstance(given, list) and known == []:
        return path, given, None
    return path, given, known


# ---- Who is next ------------------------------------------------------------
def outcome_of(position: State | View) -> list[float]:
    """The outcome of a game that is over; otherwise empty. It is public: any world tells it."""
    if position.actor != "over":
        return []
    state = position.worlds(1)[0] if isinstance(position, View) else position
    return state.outcome()


def must_decide(view: View, path: str) -> None:
    """Refuses a question about a seat that has nothing to decide."""
    if view.observer in view.deciders:
        return
    if view.actor == "over":
        reason, why = "GAME_OVER", "the game is over"
    else:
        who = ", ".join(SEATS[seat] for seat in view.deciders)
        reason, why = "NOT_YOUR_TURN", f"to decide has {who}" if who else f"{view.actor} is next"
    seat = SEATS[int(view.observer)]
    raise Refused(
        reason,
        f"{path}: seat {seat} has nothing to decide; {why}",
        path,
        grpc.StatusCode.FAILED_PRECONDITION,
    )


# ---- Chance -----------------------------------------------------------------
def fresh_seed() -> int:
    """A seed nobody can guess."""
    return secrets.randbits(64)


def carry_on(record: Record, state: State, seed: int) -> tuple[Record, State]:
    """On through chance and reveals to the next decision, along the tape of a seed."""
    tape: Tape | None = None
    drawn: list[str] = []
    while state.actor in ("chance", "reveal"):
        if state.actor == "reveal":
            state = state.apply("reveal")
            continue
        tape = tape or tape_after(record, seed)
        move = tape.next(state)
        drawn.append(record.rules.text(move))
        state = state.apply_known(move)
    return record.add(*drawn), state


def tape_after(record: Record, seed: int) -> Tape:
    """The tape of a seed, wound on to the end of a record: some games count chance moves."""
    tape = Tape(seed)
    state = record.start()
    for text in record.moves:
        while state.actor == "reveal":
            state = state.apply("reveal")
        if state.actor == "chance":
            tape.next(state)
        state = state.apply(text)
    return tape
