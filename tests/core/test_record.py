"""Records: they replay exactly, a seat's is worth its view, and a broken one is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

import islebots
from islebots import BadSetup, BadText, IllegalMove, ImpossibleView, IslebotsError, State, Tape
from islebots.core.record import Record, SeatRecord
from islebots.core.rng import Random

GAMES: list[tuple[str, str, int, dict[str, Any]]] = [
    ("sea_and_coast", "base", 3, {"red_blue": "swap", "green_purple": "retrieve"}),
    ("sea_and_coast", "base", 3, {"rounds": 1, "red_blue": "look", "green_purple": "swap"}),
    ("sea_and_coast", "base", 4, {}),
    ("sea_and_coast", "base", 4, {"red_blue_2": "swap", "green_purple_2": "bonus"}),
    ("sea_and_coast", "base", 5, {"rounds": 1, "red_blue": "retrieve"}),
    ("sea_and_coast", "mini", 4, {"red_blue": "swap"}),
    ("kuhn_poker", "base", 2, {}),
    ("kuhn_poker", "wide", 2, {}),
]


def random_game(
    name: str, box: str, players: int, options: dict[str, Any], seed: int, moves: int = 1000
) -> tuple[Record, State]:
    """A game of so many moves at most, chance included, and the state it leads to."""
    record = Record(name, players, box, options)
    state, tape, rng = record.start(), Tape(seed), Random(seed)
    while state.actor != "over":
        if state.actor == "reveal":
            state = state.apply("reveal")
            continue
        if len(record.moves) == moves:
            break
        move = tape.next(state) if state.actor == "chance" else rng.choice(state.possible())
        record = record.add(state.game.text(move))
        state = state.apply(move)
    return record, state


# ---- There and back ---------------------------------------------------------
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_game_replays_from_text_and_json(game: tuple[Any, ...]) -> None:
    for seed in range(3):
        record, state = random_game(*game, seed=seed)
        assert state.actor == "over"
        assert record.replay() == state
        assert Record.parse(record.text()) == record
        assert Record.from_json(record.to_json()) == record
        assert Record.parse(record.text()).text() == record.text()


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_seats_record_is_worth_exactly_its_view(game: tuple[Any, ...]) -> None:
    for seed, moves in enumerate([0, 1, 40, 70, 100, 150, 1000]):
        record, state = random_game(*game, seed=seed, moves=moves)
        for seat in range(record.players):
            own = record.seat(seat)
            assert own.view() == state.view(seat), f"seed {seed}, {moves} moves, seat {seat}"
            assert SeatRecord.parse(own.text()) == own
            assert SeatRecord.from_json(own.to_json()) == own


def test_comments_blank_lines_and_spaces_do_not_count() -> None:
    record, _ = random_game(*GAMES[2], seed=1)
    lines = ["# a game", "", *record.text().splitlines()]
    padded = "\r\n".join(f"  {line.replace(' ', '   ')}\t# as told by C" for line in lines)
    parsed = Record.parse(padded)
    assert parsed.replay() == record.replay()
    assert (parsed.players, parsed.options) == (record.players, record.options)


def test_an_option_comes_back_as_the_value_it_is() -> None:
    record = Record("sea_and_coast", 3, options={"rounds": 1})
    assert Record.parse(record.text()).options == {"rounds": 1}
    assert json.loads(record.to_json())["options"] == {"rounds": 1}


def test_options_may_contradict_each_other_until_the_last_is_read() -> None:
    # The red/blue card shows "look", as the green/purple one does by default.
    text = "game sea_and_coast\nplayers 3\noption red_blue look\noption green_purple swap\nmoves\n"
    assert Record.parse(text).options == {"red_blue": "look", "green_purple": "swap"}


def test_a_seats_record_says_nothing_the_seat_did_not_see() -> None:
    record, _ = random_game(*GAMES[2], seed=1, moves=60)
    own = record.seat(1)
    assert [line for line in own.moves if line.startswith("deal A")] == ["deal A ?"] * 12
    assert not any(line.startswith("A passes") for line in own.moves)
    assert sum(line.startswith("B passes") for line in own.moves) == 1


@pytest.mark.parametrize("seat", [-1, 4])
def test_a_seat_that_is_not_at_the_table_has_no_record(seat: int) -> None:
    with pytest.raises(BadText, match=rf"^seat: {seat} given, takes 0 to 3$"):
        Record("sea_and_coast", 4).seat(seat)


# ---- Broken texts -----------------------------------------------------------
# Three players; A gets its cards first.
GAME = """\
game sea_and_coast
players 3
option rounds 1
moves
first A
turn R1
deal A R11
"""
SEAT = GAME.replace("moves\n", "seat A\nmoves\n")

BROKEN_GAMES: list[tuple[str, str, type[IslebotsError], str]] = [
    ("sea_and_coast", "sea", BadSetup, 'line 1: game "sea": unknown; known: .*sea_and_coast'),
    ("players 3", "players 6", BadSetup, "line 2: players: '6' given, sea_and_coast takes 3, 4, 5"),
    ("players 3", "players three", BadSetup, "line 2: players: 'three' given"),
    ("players 3", "players ²", BadSetup, "line 2: players: '²' given"),
    ("players 3", "players -3", BadSetup, "line 2: players: '-3' given"),
    ("players 3", "players 03", BadSetup, "line 2: players: '03' given"),
    ("players 3", f"players {'9' * 5000}", BadSetup, "line 2: players: '9999"),
    ("players 3", "players", BadText, 'line 2: "players": takes game, box, players, option'),
    ("players 3", "players 3 4", BadText, 'line 2: "players 3 4": takes '),
    ("players 3\n", "players 3\nplayers 3\n", BadText, 'line 3: "players 3": takes .* once each'),
    ("players 3\n", "", BadSetup, '"players" is missing'),
    ("game sea_and_coast\n", "", BadSetup, '"game" is missing'),
    ("players 3", "players 3\nbox big", BadSetup, 'line 3: box "big": unknown; sea_and_coast has'),
    ("players 3", "box mini\nplayers 5", BadSetup, "line 3: players: '5' given, .* takes 3, 4$"),
    ("rounds 1", "rounds 3", BadSetup, "line 3: rounds: '3' given, takes 1, 2"),
    ("rounds 1", "round 1", BadSetup, 'line 3: option "round": unknown; known: rounds, '),
    ("rounds 1", "rounds", BadText, 'line 3: "option rounds": takes '),
    ("rounds 1\n", "rounds 1\noption rounds 2\n", BadText, 'line 4: "option rounds 2": takes '),
    ("rounds 1", "red_blue look", BadSetup, 'line 3: both action cards of round 1 show "look"'),
    (
        "rounds 1", "red_blue look\noption rounds 1", BadSetup,
        'line 3: both action cards of round 1 show "look"',
    ),
    ("moves\n", "", BadText, 'line 4: "first A": takes game, box, players, option NAME VALUE'),
    ("moves\nfirst A\nturn R1\ndeal A R11\n", "", BadText, 'line 4: a line "moves" is missing'),
    ("moves\n", "seat A\nmoves\n", BadSetup, "line 4: a seat's record, where a game's is wanted"),
    ("\ngame sea", "\nyear 2026\ngame sea", BadText, 'line 2: "year 2026": takes game, '),
    ("R11", "R13", BadText, 'line 7: "deal A R13": not a line of sea_and_coast'),
    ("R11", "?", IllegalMove, 'line 7: illegal move "deal A \\?"; legal: "deal A R1", '),
    ("deal A", "deal B", IllegalMove, 'line 7: illegal move "deal B R11"; legal: "deal A R1", '),
    ("turn R1", "reveal", IllegalMove, 'line 6: illegal move "reveal"; legal: "turn R1"'),
    ("R11\n", "R11\ndeal A R11\n", IllegalMove, 'line 8: illegal move "deal A R11"; legal: '),
    ("first A", "# dealt\n\nfirst A\nfirst A", IllegalMove, 'line 8: illegal move "first A"'),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "kind", "says"), BROKEN_GAMES)
def test_a_broken_game_is_refused_with_the_line(
    old: str, new: str, kind: type[IslebotsError], says: str
) -> None:
    assert Record.parse(GAME)
    text = (
        GAME.replace(old, new, 1) if not old.startswith("\n") else ("\n" + GAME).replace(old, new)
    )
    with pytest.raises(kind, match=f"^record:? {says}"):
        Record.parse(text)


def test_an_illegal_move_late_in_a_game_is_told_with_its_line() -> None:
    record, _ = random_game(*GAMES[2], seed=3)
    lines = record.text().splitlines()
    at = 80
    while not lines[at - 1].startswith("A plays"):
        at += 1
    lines[at - 1] = lines[at - 1].replace("A plays", "B plays")
    with pytest.raises(IllegalMove, match=f'^record line {at}: illegal move "B plays '):
        Record.parse("\n".join(lines))


def test_no_move_follows_the_end() -> None:
    record, _ = random_game(*GAMES[1], seed=1)
    line = record.text().count("\n") + 1
    says = f"^record line {line}: .*nothing is to be decided here"
    with pytest.raises(IllegalMove, match=says):
        Record.parse(record.add("A passes R1").text())


BROKEN_SEATS: list[tuple[str, str, type[IslebotsError], str]] = [
    ("seat A\n", "", BadSetup, '"seat" is missing'),
    ("seat A", "seat D", BadSetup, "line 4: seat: 'D' given, takes A, B, C"),
    ("seat A", "seat AB", BadSetup, "line 4: seat: 'AB' given, takes A, B, C"),
    ("seat A", "seat 0", BadSetup, "line 4: seat: '0' given"),
    ("seat A", "seat public", BadSetup, "line 4: seat: 'public' given"),
    ("players 3", "players 6", BadSetup, "line 2: players: '6' given"),
    ("R11", "R13", BadText, 'line 8: "deal A R13": not a line'),
    ("R11", "?", IllegalMove, 'line 8: "deal A \\?": seat A could not see this now'),
    ("deal A R11", "deal B R11", IllegalMove, 'line 8: "deal B R11": seat A could not see this'),
    ("deal A R11", "A passes R11", IllegalMove, 'line 8: "A passes R11": seat A could not see'),
    ("first A\n", "first A\nfirst  B\n", IllegalMove, 'line 7: "first B": seat A could not see'),
    ("turn R1\n", "turn R1\nreveal\n", IllegalMove, 'line 8: "reveal": seat A could not see this'),
    ("R11\n", "R11\ndeal A R11\n", IslebotsError, "line 9: .*"),
]


@pytest.mark.parametrize(("old", "new", "kind", "says"), BROKEN_SEATS)
def test_a_broken_seats_record_is_refused_with_the_line(
    old: str, new: str, kind: type[IslebotsError], says: str
) -> None:
    assert SeatRecord.parse(SEAT)
    with pytest.raises(kind, match=f"^record:? {says}"):
        SeatRecord.parse(SEAT.replace(old, new, 1))


def test_a_card_that_was_seen_elsewhere_is_refused_with_the_line() -> None:
    record, _ = random_game(*GAMES[2], seed=2, moves=110)
    own = record.seat(0)
    mine = next(line for line in own.moves if line.startswith("A plays"))
    card = mine.split()[2].split("+")[0].translate(str.maketrans("", "", "()"))
    late = [i for i, line in enumerate(own.moves) if line.startswith("uncovered")][1]
    cards = own.moves[late].split()
    cards[2] = card  # B's, which A laid itself a trick ago
    moves = [*own.moves[:late], " ".join(cards), *own.moves[late + 1 :]]
    lines = SeatRecord(own.game, own.players, 0, moves=tuple(moves)).text().splitlines()
    line = lines.index(" ".join(cards)) + 1
    with pytest.raises((IllegalMove, ImpossibleView), match=f"^record line {line}: "):
        SeatRecord.parse("\n".join(lines))


def test_a_record_of_the_other_kind_is_refused() -> None:
    with pytest.raises(BadSetup, match=r"^record line 4: a seat's record, where a game's is want"):
        Record.parse(SEAT)
    with pytest.raises(BadSetup, match=r'^record: "seat" is missing$'):
        SeatRecord.parse(GAME)
    with pytest.raises(BadSetup, match=r"^record: a seat's record, where a game's is wanted$"):
        Record.from_json(SeatRecord.parse(SEAT).to_json())


# ---- Broken JSON ------------------------------------------------------------
BROKEN_JSON: list[tuple[dict[str, Any] | str, str]] = [
    ("", "^record line 1: not JSON: "),
    ('{"game": "sea_and_coast",\n"players" 3}', "^record line 2: not JSON: "),
    ("[" * 100_000, "^record line 1: not JSON: nested too deep"),
    ("null", "^fields: None given, takes an object$"),
    ("[]", "^fields: \\[\\] given, takes an object$"),
    ({"title": "x"}, "^title: unknown field; known: game, box, players, options, seat, moves$"),
    ({"game": None}, '^record: "game" is missing$'),
    ({"game": 1}, "^game: 1 given, takes a text$"),
    ({"game": "go"}, '^record: game "go": unknown; known: '),
    ({"box": ["base"]}, "^box: \\['base'\\] given, takes a text$"),
    ({"players": None}, '^record: "players" is missing$'),
    ({"players": "3"}, "^players: '3' given, takes 1 to 8$"),
    ({"players": 3.0}, "^players: 3.0 given"),
    ({"players": True}, "^players: True given"),
    ({"players": 6}, "^record: players: 6 given, sea_and_coast takes 3, 4, 5$"),
    ({"options": []}, "^options: \\[\\] given, takes an object$"),
    ({"options": [1]}, "^options: \\[1\\] given, takes an object$"),
    ({"options": {"rounds": 3}}, "^record: rounds: 3 given, takes 1, 2$"),
    ({"options": {"rounds": None}}, "^record: rounds: None given, takes 1, 2$"),
    ({"options": {"rounds": True}}, "^record: rounds: True given, takes 1, 2$"),
    ({"options": {"rounds": {}}}, "^record: rounds: {} given, takes 1, 2$"),
    ({"options": {"speed": 1}}, '^record: option "speed": unknown; known: rounds, '),
    ({"seat": "A"}, "^record: a seat's record, where a game's is wanted$"),
    ({"moves": None}, "^moves: None given, takes a list$"),
    ({"moves": "first A"}, "^moves: 'first A' given, takes a list$"),
    ({"moves": ["first A", 7]}, "^moves\\[1\\]: 7 given, takes the text of a move$"),
    ({"moves": ["first A", "turn R9"]}, '^move 2: "turn R9": not a line of sea_and_coast'),
    ({"moves": ["first A", "first A"]}, '^move 2: illegal move "first A"; legal: "turn R1", '),
    ({"moves": ["first A"] * 641}, "^moves: 641 items given, takes 0 to 640$"),
]


@pytest.mark.parametrize(("change", "says"), BROKEN_JSON, ids=lambda value: str(value)[:40])
def test_a_broken_json_is_refused_with_the_field(change: dict[str, Any] | str, says: str) -> None:
    good = json.loads(Record.parse(GAME).to_json())
    text = change if isinstance(change, str) else json.dumps({**good, **change})
    with pytest.raises(IslebotsError, match=says):
        Record.from_json(text)


@pytest.mark.parametrize("seat", ["", "D", "AB", 0, None, ["A"]])
def test_a_seat_that_makes_no_sense_is_refused_in_json(seat: Any) -> None:
    good = json.loads(SeatRecord.parse(SEAT).to_json())
    with pytest.raises(IslebotsError, match="seat"):
        SeatRecord.from_json(json.dumps({**good, "seat": seat}))


def test_a_seats_json_names_the_move_that_could_not_be_seen() -> None:
    good = json.loads(SeatRecord.parse(SEAT).to_json())
    good["moves"][2] = "deal A ?"
    with pytest.raises(IllegalMove, match=r'^move 3: "deal A \?": seat A could not see this now$'):
        SeatRecord.from_json(json.dumps(good))


def test_what_is_left_out_of_json_has_its_default() -> None:
    record = Record.from_json('{"game": "kuhn_poker", "players": 2, "moves": []}')
    assert record == Record("kuhn_poker", 2)
    assert record.replay() == islebots.load("kuhn_poker").setup(2)
