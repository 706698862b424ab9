"""Every call of BotService, over gRPC."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.struct_pb2 import Struct
from google.rpc import error_details_pb2
from grpc_status import rpc_status

import islebots
from islebots.core.record import Record
from islebots.server import wire
from islebots.server.errors import Refused
from islebots.server.service import Service
from islebots.v1 import bot_pb2 as bot
from islebots.v1 import game_pb2 as game
from islebots.v1 import host_pb2 as host
from islebots.v1 import sea_and_coast_pb2 as sea

README = Path(__file__).resolve().parents[2] / "README.md"


def new_game(bots: Any, players: int = 4, seed: int = 1, **rest: Any) -> Any:
    """A game at its first decision."""
    return bots.NewGame(
        host.NewGameRequest(game="sea_and_coast", players=players, seed=seed, **rest)
    )


def view_of(bots: Any, record: host.GameRecord, seat: int) -> Any:
    """What a seat can see."""
    return bots.GetView(host.GetViewRequest(record=record, seat=seat))


def play(bots: Any, at: Any, moves: int) -> Any:
    """A game some rule players' moves on, or its end."""
    for n in range(moves):
        if not at.turn.deciders:
            break
        seat = at.turn.deciders[0]
        seen = view_of(bots, at.record, seat)
        move = bots.ChooseMove(bot.ChooseMoveRequest(view=seen.view, seed=n)).move
        at = bots.ApplyMove(host.ApplyMoveRequest(record=at.record, move=move))
    return at


@pytest.fixture(scope="module")
def opening(bots: Any) -> Any:
    """A game of four at its first decision: all pass a card."""
    return new_game(bots)


@pytest.fixture(scope="module")
def middle(bots: Any, opening: Any) -> Any:
    """That game after some moves, a card laid in the running trick."""
    at = play(bots, opening, 11)
    while laid(at.record) == 0:
        at = play(bots, at, 1)
    return at


@pytest.fixture(scope="module")
def ended(bots: Any) -> Any:
    """A game that is over."""
    options = game.Options(sea_and_coast=sea.SeaAndCoastOptions(rounds=1))
    return play(bots, new_game(bots, 3, options=options), 1000)


def laid(record: host.GameRecord) -> int:
    """How many cards are laid and still covered."""
    fields = core_record(record).replay().fields()
    return sum(seat["half"] is not None for seat in fields["seats"])


def core_record(message: host.GameRecord) -> Record:
    return wire.read_record(message, islebots.load(message.game, message.box), "record")


def copy(message: Any, change: Callable[[Any], None]) -> Any:
    """A changed copy of a message."""
    other = type(message)()
    other.CopyFrom(message)
    change(other)
    return other


# ---- What the calls do ------------------------------------------------------
def test_games_are_listed_with_boxes_and_options(bots: Any) -> None:
    games = {g.name: g for g in bots.ListGames(bot.ListGamesRequest()).games}
    listed = games["sea_and_coast"]
    assert listed.typed
    assert listed.boxes[0].name == "base"
    assert list(listed.boxes[0].players) == [3, 4, 5]
    rounds = listed.options[0]
    assert (rounds.name, rounds.default.number_value) == ("rounds", 2)
    assert [choice.number_value for choice in rounds.choices] == [1, 2]
    assert rounds.doc


def test_a_new_game_is_that_of_the_library(bots: Any, opening: Any) -> None:
    assert opening.turn.next == game.Turn.NEXT_DECISION
    assert list(opening.turn.deciders) == [0, 1, 2, 3]
    state = islebots.load("sea_and_coast").new(4, 1)
    assert core_record(opening.record).replay() == state


def test_a_seed_not_given_is_drawn_and_kept_in_the_record(bots: Any) -> None:
    deals = [
        bots.NewGame(host.NewGameRequest(game="sea_and_coast", players=3)).record for _ in range(2)
    ]
    assert deals[0].host_secret.chance_seed != deals[1].host_secret.chance_seed
    assert deals[0].moves != deals[1].moves


def test_chance_follows_the_seed_of_the_record(bots: Any) -> None:
    one, other = (play(bots, new_game(bots, 3, seed), 6).record for seed in (7, 7))
    assert one == other


def test_chance_without_a_seed_draws_one(bots: Any, opening: Any) -> None:
    forgot = copy(opening, lambda at: at.record.ClearField("host_secret"))
    after = play(bots, forgot, 1)
    assert after.record.HasField("host_secret")
    assert after.record.host_secret != opening.record.host_secret


def test_a_whole_game_can_be_played_and_has_an_outcome(ended: Any) -> None:
    assert ended.turn.next == game.Turn.NEXT_OVER
    assert list(ended.turn.deciders) == []
    state = core_record(ended.record).replay()
    assert list(ended.turn.outcome.returns) == state.outcome()


def test_a_view_and_the_seats_record_are_worth_the_same(bots: Any, middle: Any) -> None:
    for seat in range(4):
        seen = view_of(bots, middle.record, seat)
        asked = [{"view": seen.view}, {"record": seen.record}]
        legal = [bots.GetLegalMoves(bot.GetLegalMovesRequest(**ask)) for ask in asked]
        assert legal[0] == legal[1]
        assert legal[0].turn == seen.turn
        if seat in seen.turn.deciders:
            first, second = (bots.ChooseMove(bot.ChooseMoveRequest(**a, seed=5)) for a in asked)
            assert first == second
            assert first.move in legal[0].moves
            assert first.reasons.policy == "rule"
        else:
            assert list(legal[0].moves) == []


def test_a_seat_sees_its_own_hand_alone(bots: Any, middle: Any) -> None:
    view = view_of(bots, middle.record, 2).view.sea_and_coast
    assert view.observer == 2
    assert [seat.HasField("hand") for seat in view.seats] == [False, False, True, False]


def test_the_public_sees_no_hand_and_has_no_record(bots: Any, middle: Any) -> None:
    seen = bots.GetView(host.GetViewRequest(record=middle.record))
    view = seen.view.sea_and_coast
    assert not view.HasField("observer")
    assert not any(seat.HasField("hand") for seat in view.seats)
    assert not seen.HasField("record")


def test_what_a_seat_gets_holds_nothing_of_the_hosts_record() -> None:
    """No message of a seat can carry a message of a host, however deep."""

    def reach(descriptor: Any, seen: set[str]) -> set[str]:
        if descriptor.full_name not in seen:
            seen.add(descriptor.full_name)
            for field in descriptor.fields:
                if field.message_type is not None:
                    reach(field.message_type, seen)
        return seen

    of_host = {"islebots.v1.GameRecord", "islebots.v1.HostSecret"}
    asks = (bot.GetLegalMovesRequest, bot.ChooseMoveRequest, host.GetViewResponse)
    gets = (bot.GetLegalMovesResponse, bot.ChooseMoveResponse)
    for message in (*asks, *gets):
        assert not reach(message.DESCRIPTOR, set()) & of_host


def test_while_all_pass_a_seat_does_not_learn_who_has_passed(bots: Any, opening: Any) -> None:
    seen = view_of(bots, opening.record, 0)
    move = bots.ChooseMove(bot.ChooseMoveRequest(view=seen.view)).move
    after = bots.ApplyMove(host.ApplyMoveRequest(record=opening.record, move=move))
    assert list(after.turn.deciders) == [1, 2, 3]
    assert view_of(bots, after.record, 1) == view_of(bots, opening.record, 1)


def test_a_move_is_taken_as_text_and_as_fields(bots: Any, opening: Any) -> None:
    seen = view_of(bots, opening.record, 0)
    move = bots.GetLegalMoves(bot.GetLegalMovesRequest(view=seen.view)).moves[0]
    assert move.sea_and_coast.WhichOneof("line") == "passes"
    forms = [move, game.Move(text=move.text), game.Move(sea_and_coast=move.sea_and_coast)]
    made = [
        bots.ApplyMove(host.ApplyMoveRequest(record=opening.record, move=form)) for form in forms
    ]
    assert made[0] == made[1] == made[2]


def test_the_same_seed_gives_the_same_choice_and_is_told(bots: Any, opening: Any) -> None:
    view = view_of(bots, opening.record, 0).view
    first = bots.ChooseMove(bot.ChooseMoveRequest(view=view))
    again = bots.ChooseMove(bot.ChooseMoveRequest(view=view, seed=first.seed))
    assert again == first


def test_the_lines_of_the_readme_play_a_whole_game(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    section = README.read_text("utf-8").split("## Play a game over gRPC")[1]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found is not None
    assert "localhost:50051" in found[1]
    exec(compile(found[1].replace("localhost:50051", address), "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) > 100
    assert re.search(r"A passes|B passes|C passes|D passes", printed[0])


def test_a_game_without_messages_of_its_own_goes_by_text_and_plain_fields(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wire, "ARMS", {})
    service = Service()
    new = host.NewGameRequest(game="sea_and_coast", box="mini", players=3, seed=1)
    new.options.other.update({"rounds": 1})
    at: Any = service.new_game(new)
    assert at.record.options.other.fields["rounds"].number_value == 1
    while at.turn.deciders:
        seat = at.turn.deciders[0]
        seen = service.get_view(host.GetViewRequest(record=at.record, seat=seat))
        assert seen.view.WhichOneof("fields") == "other"
        chosen = service.choose_move(bot.ChooseMoveRequest(view=seen.view, seed=1)).move
        assert chosen.WhichOneof("game") is None
        same = service.choose_move(bot.ChooseMoveRequest(record=seen.record, seed=1)).move
        assert same == chosen
        at = service.apply_move(host.ApplyMoveRequest(record=at.record, move=chosen))
    assert len(at.turn.outcome.returns) == 3

    new.options.other.update({"cheat": True})
    with pytest.raises(Refused, match='option "cheat": unknown') as raised:
        service.new_game(new)
    assert raised.value.facts[0][0] == "options"


# ---- What they refuse -------------------------------------------------------
def refusal(call: Callable[[], Any]) -> tuple[grpc.StatusCode, str, list[str], str]:
    """Status, reason, the fields named, and the message."""
    with pytest.raises(grpc.RpcError) as raised:
        call()
    status = rpc_status.from_call(raised.value)
    assert status is not None, raised.value
    info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    assert sum(detail.Unpack(info) for detail in status.details) == 1
    for detail in status.details:
        detail.Unpack(bad)
    assert info.domain == "islebots"
    code = raised.value.code()
    return code, info.reason, [v.field for v in bad.field_violations], status.message


INVALID = grpc.StatusCode.INVALID_ARGUMENT
MISSING = grpc.StatusCode.NOT_FOUND
NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION


def options(**values: Any) -> game.Options:
    return game.Options(sea_and_coast=sea.SeaAndCoastOptions(**values))


def struct(**values: Any) -> Struct:
    made = Struct()
    made.update(values)
    return made


@pytest.mark.parametrize(
    ("changed", "code", "reason", "field", "says"),
    [
        ({"game": "chess"}, MISSING, "UNKNOWN_GAME", "game", "known: "),
        ({"game": ""}, INVALID, "BAD_SETUP", "game", "unset"),
        ({"box": "deluxe"}, MISSING, "UNKNOWN_GAME", "box", "base"),
        ({"players": 6}, INVALID, "BAD_SETUP", "players", "takes 3, 4, 5"),
        ({"players": 0}, INVALID, "BAD_SETUP", "players", "takes 3, 4, 5"),
        (
            {"options": options(rounds=3)},
            INVALID,
            "BAD_SETUP",
            "options.sea_and_coast.rounds",
            "takes 1, 2",
        ),
        (
            {"options": options(red_blue=9)},
            INVALID,
            "BAD_TEXT",
            "options.sea_and_coast.red_blue",
            "9 given",
        ),
        ({"options": options(red_blue=3)}, INVALID, "BAD_SETUP", "options", "both"),
        (
            {"options": game.Options(other=struct(cheat=True))},
            INVALID,
            "BAD_TEXT",
            "options",
            "other given, sea_and_coast takes sea_and_coast",
        ),
    ],
)
def test_a_setup_that_does_not_exist_is_refused(
    bots: Any, changed: dict[str, Any], code: grpc.StatusCode, reason: str, field: str, says: str
) -> None:
    request = host.NewGameRequest(**{"game": "sea_and_coast", "players": 4, **changed})
    refused = refusal(lambda: bots.NewGame(request))
    assert refused[:3] == (code, reason, [field])
    assert says in refused[3]


@pytest.mark.parametrize(
    ("move", "reason", "field"),
    [
        (game.Move(), "BAD_TEXT", "move"),
        (game.Move(text="hello"), "BAD_TEXT", "move"),
        (game.Move(text="A plays R13"), "BAD_TEXT", "move"),
        (game.Move(text="A plays R(1)"), "ILLEGAL_MOVE", "move"),
        (game.Move(text="first A"), "ILLEGAL_MOVE", "move"),
        (game.Move(text="x" * 100_000), "BAD_TEXT", "move"),
        (game.Move(sea_and_coast=sea.SeaAndCoastMove()), "BAD_TEXT", "move.sea_and_coast"),
        (
            game.Move(
                sea_and_coast=sea.SeaAndCoastMove(
                    passes=sea.SeaAndCoastMove.Pass(card=sea.SeaAndCoastCard(colour=1, number=1))
                )
            ),
            "BAD_TEXT",
            "move.sea_and_coast.passes.seat",
        ),
        (
            game.Move(
                sea_and_coast=sea.SeaAndCoastMove(
                    passes=sea.SeaAndCoastMove.Pass(
                        seat=0, card=sea.SeaAndCoastCard(colour=1, number=13)
                    )
                )
            ),
            "BAD_TEXT",
            "move.sea_and_coast.passes.card.number",
        ),
    ],
)
def test_a_move_that_cannot_be_made_is_refused(
    bots: Any, opening: Any, move: game.Move, reason: str, field: str
) -> None:
    request = host.ApplyMoveRequest(record=opening.record, move=move)
    refused = refusal(lambda: bots.ApplyMove(request))
    assert refused[:3] == (INVALID, reason, [field])


def test_a_refusal_changes_nothing(bots: Any, opening: Any) -> None:
    before = view_of(bots, opening.record, 0)
    request = host.ApplyMoveRequest(record=opening.record, move=game.Move(text="hello"))
    refusal(lambda: bots.ApplyMove(request))
    assert view_of(bots, opening.record, 0) == before


def test_an_illegal_move_is_told_with_legal_ones(bots: Any, opening: Any) -> None:
    request = host.ApplyMoveRequest(record=opening.record, move=game.Move(text="A plays R(1)"))
    assert 'illegal move "A plays R(1)"; legal: "' in refusal(lambda: bots.ApplyMove(request))[3]


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        (lambda r: r.moves[20].CopyFrom(game.Move(text="nonsense")), INVALID, "record.moves[20]"),
        (lambda r: r.moves[20].CopyFrom(r.moves[19]), INVALID, "record.moves[20]"),
        (lambda r: r.moves.pop(3), INVALID, "record.moves["),
        (lambda r: r.moves[5].Clear(), INVALID, "record.moves[5]"),
        (lambda r: r.moves.extend([r.moves[0]] * 1000), INVALID, "record.moves"),
        (lambda r: setattr(r, "players", 7), INVALID, "record.players"),
        (lambda r: r.options.CopyFrom(options(rounds=4)), INVALID, "record.options.sea_and_coast"),
        (lambda r: setattr(r, "game", "chess"), MISSING, "record.game"),
        (lambda r: setattr(r, "box", "chess"), MISSING, "record.box"),
    ],
)
def test_a_broken_record_is_refused_where_it_breaks(
    bots: Any, middle: Any, change: Callable[[Any], None], code: grpc.StatusCode, field: str
) -> None:
    request = host.GetViewRequest(record=copy(middle.record, change), seat=0)
    refused = refusal(lambda: bots.GetView(request))
    assert refused[0] == code
    assert refused[2][0].startswith(field)


def test_a_seat_that_is_not_at_the_table_is_refused(bots: Any, opening: Any) -> None:
    refused = refusal(lambda: view_of(bots, opening.record, 4))
    assert refused[:3] == (INVALID, "BAD_TEXT", ["seat"])
    assert "takes 0 to 3" in refused[3]


CARD = sea.SeaAndCoastCard(colour=1, number=9)


def not_of(view: Any) -> list[int]:
    """The seats that are not the observer."""
    return [seat for seat in range(view.players) if seat != view.observer]


def covered(view: Any) -> int:
    """A seat that has laid a card the observer has not seen."""
    return next(
        i for i in not_of(view) if view.seats[i].half and not view.seats[i].HasField("card")
    )


def unpassed(view: Any) -> int:
    """A seat whose passed card the observer has not seen."""
    return next(i for i in not_of(view) if not view.seats[i].HasField("passed"))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda v: v.seats[not_of(v)[0]].hand.cards.append(CARD), "hand"),
        (lambda v: v.seats[not_of(v)[0]].hand.SetInParent(), "hand"),
        (lambda v: v.seats[covered(v)].card.CopyFrom(CARD), "card"),
        (lambda v: v.seats[unpassed(v)].passed.CopyFrom(CARD), "passed"),
    ],
)
def test_a_view_that_carries_what_the_seat_cannot_know_is_refused(
    bots: Any, middle: Any, change: Callable[[Any], None], field: str
) -> None:
    view = view_of(bots, middle.record, middle.turn.deciders[0]).view
    request = bot.ChooseMoveRequest(view=copy(view, lambda v: change(v.sea_and_coast)))
    code, _, fields, _ = refusal(lambda: bots.ChooseMove(request))
    assert code == INVALID
    assert any(re.fullmatch(rf"view\.sea_and_coast\.seats\[\d\]\.{field}", f) for f in fields)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda v: setattr(v, "players", 9), "players"),
        (lambda v: setattr(v, "phase", 0), "phase"),
        (lambda v: setattr(v, "phase", 99), "phase"),
        (lambda v: setattr(v, "observer", 7), "observer"),
        (lambda v: v.ClearField("observer"), ""),
        (lambda v: v.seats.pop(), "seats"),
        (lambda v: v.seats[0].pile.add(colour=1, points=9), "seats[0].pile"),
        (lambda v: setattr(v.seats[0], "hand_size", 40), "seats[0].hand_size"),
        (lambda v: setattr(v, "supply", 4_000_000_000), "supply"),
        (lambda v: v.ClearField("actions"), "actions"),
        (lambda v: v.left.append(v.left[0]), "left"),
        (lambda v: v.ClearField("log"), "log"),
    ],
)
def test_a_field_of_a_view_that_is_wrong_is_named(
    bots: Any, middle: Any, change: Callable[[Any], None], field: str
) -> None:
    view = view_of(bots, middle.record, middle.turn.deciders[0]).view
    request = bot.GetLegalMovesRequest(view=copy(view, lambda v: change(v.sea_and_coast)))
    code, _, fields, _ = refusal(lambda: bots.GetLegalMoves(request))
    assert code == INVALID
    assert fields[0].startswith(f"view.sea_and_coast.{field}")


def test_a_view_that_no_world_fits_is_refused_with_the_fact(bots: Any, middle: Any) -> None:
    seat = middle.turn.deciders[0]
    view = view_of(bots, middle.record, seat).view

    def twice(view: Any) -> None:  # a card of the observer's hand was already played
        view = view.sea_and_coast
        view.log[0].cards[0].CopyFrom(view.seats[seat].hand.cards[0])

    request = bot.ChooseMoveRequest(view=copy(view, twice))
    code, reason, _, message = refusal(lambda: bots.ChooseMove(request))
    assert (code, reason) == (INVALID, "IMPOSSIBLE_VIEW")
    assert "played it in trick 1" in message


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda r: r.ClearField("seat"), "record.seat"),
        (lambda r: setattr(r, "seat", 9), "record.seat"),
        (lambda r: r.seen[9].CopyFrom(game.Move(text="nonsense")), "record.seen[9]"),
        (lambda r: r.seen.append(r.seen[0]), "record.seen["),
    ],
)
def test_a_seats_record_that_cannot_be_is_refused(
    bots: Any, middle: Any, change: Callable[[Any], None], field: str
) -> None:
    record = view_of(bots, middle.record, 0).record
    request = bot.GetLegalMovesRequest(record=copy(record, change))
    code, _, fields, _ = refusal(lambda: bots.GetLegalMoves(request))
    assert code == INVALID
    assert fields[0].startswith(field)


def test_a_question_without_a_position_is_refused(bots: Any) -> None:
    refused = refusal(lambda: bots.ChooseMove(bot.ChooseMoveRequest()))
    assert refused[:3] == (INVALID, "BAD_TEXT", ["position"])


def test_a_view_without_fields_is_refused(bots: Any) -> None:
    request = bot.ChooseMoveRequest(view=game.View(game="sea_and_coast"))
    assert refusal(lambda: bots.ChooseMove(request))[:3] == (INVALID, "BAD_TEXT", ["view"])


def test_a_view_of_an_unknown_game_is_refused(bots: Any) -> None:
    request = bot.ChooseMoveRequest(view=game.View(game="chess"))
    refused = refusal(lambda: bots.ChooseMove(request))
    assert refused[:3] == (MISSING, "UNKNOWN_GAME", ["view.game"])


def test_a_level_that_does_not_exist_is_refused(bots: Any, opening: Any) -> None:
    view = view_of(bots, opening.record, 0).view
    request = bot.ChooseMoveRequest(view=view, level=42)
    assert refusal(lambda: bots.ChooseMove(request))[:3] == (INVALID, "BAD_SETUP", ["level"])


def test_a_seat_that_has_nothing_to_decide_is_told_who_has(bots: Any, middle: Any) -> None:
    (decider,) = middle.turn.deciders
    other = (decider + 1) % 4
    for name in ("view", "record"):
        seen = getattr(view_of(bots, middle.record, other), name)
        request = bot.ChooseMoveRequest(**{name: seen})
        refused = refusal(lambda request=request: bots.ChooseMove(request))  # type: ignore[misc]
        assert refused[:3] == (NOT_NOW, "NOT_YOUR_TURN", [name])
        assert f"to decide has {'ABCD'[decider]}" in refused[3]


def test_a_finished_game_takes_no_move_and_asks_for_none(bots: Any, ended: Any) -> None:
    move = game.Move(text="A takes R1")
    request = host.ApplyMoveRequest(record=ended.record, move=move)
    assert refusal(lambda: bots.ApplyMove(request))[:3] == (NOT_NOW, "GAME_OVER", ["record"])
    view = view_of(bots, ended.record, 0).view
    refused = refusal(lambda: bots.ChooseMove(bot.ChooseMoveRequest(view=view)))
    assert refused[:3] == (NOT_NOW, "GAME_OVER", ["view"])
