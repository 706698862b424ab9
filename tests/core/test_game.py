"""The Python face: what people type at the prompt, and what they get told when it is wrong."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import islebots
from islebots import BadSetup, BadText, IllegalMove, ImpossibleView, IslebotsError, State, Tape
from islebots.core.game import play_random
from islebots.core.rng import Random

SEA = islebots.load("sea_and_coast")
KUHN = islebots.load("kuhn_poker")
ALL_ACTIONS = {
    "red_blue": "swap", "green_purple": "look", "red_blue_2": "retrieve", "green_purple_2": "bonus",
}  # fmt: skip


def positions(players: int = 4, seed: int = 1, game: islebots.Game = SEA) -> Iterator[State]:
    """Every state of a random game: setup, chance, reveals and decisions."""
    options = ALL_ACTIONS if game is SEA else {}
    state, tape, rng = game.setup(players, **options), Tape(seed), Random(seed)
    while True:
        yield state
        if state.actor == "over":
            return
        move = tape.next(state) if state.actor == "chance" else rng.choice(state.possible())
        state = state.apply(move)


SOME = list(positions())[::7] + list(positions(2, 1, KUHN))


@pytest.fixture(scope="module")
def state() -> State:
    """A game of four in which A, B, C and D pass a card."""
    return SEA.new(players=4, seed=7)


# ---- Loading and beginning --------------------------------------------------
def test_a_game_is_loaded_once() -> None:
    assert islebots.load("sea_and_coast") is islebots.load("sea_and_coast", "base") is SEA
    assert islebots.load("sea_and_coast", "mini") is not SEA
    assert repr(SEA) == "islebots.load('sea_and_coast', box='base')"
    assert eval(repr(SEA)) is SEA


def test_a_new_game_stands_at_its_first_decision(state: State) -> None:
    assert (state.players, state.actor, state.deciders) == (4, 0, [0, 1, 2, 3])
    assert SEA.new(4, 7) == state
    assert SEA.new(4, 8) != state
    assert SEA.setup(4).actor == "chance"


def test_options_change_the_setup() -> None:
    fields = SEA.new(3, rounds=1, red_blue="swap").fields()
    assert fields["rounds"] == 1
    assert fields["actions"][0] == ["swap", "look"]


def new(*args: Any, **options: Any) -> Callable[[], object]:
    """A new game of Sea and Coast, later."""
    return lambda: SEA.new(*args, **options)


SEED = "takes 0 to 2\\*\\*64 - 1$"
BAD_SETUPS: dict[str, Callable[[], object]] = {
    "^players: 6 given, sea_and_coast takes 3, 4, 5$": new(6),
    "^players: 2 given, ": new(2),
    "^players: '4' given, ": new("4"),
    "^players: None given, ": new(None),
    "^players: 4.0 given, ": new(4.0),
    '^option "round": unknown; known: rounds, red_blue, ': new(4, round=1),
    "^rounds: 3 given, takes 1, 2$": new(4, rounds=3),
    "^rounds: '1' given, takes 1, 2$": new(4, rounds="1"),
    "^rounds: True given, takes 1, 2$": new(4, rounds=True),
    "^rounds: \\[1\\] given, takes 1, 2$": new(4, rounds=[1]),
    "^red_blue: 'steal' given, takes bonus, swap, look, retrieve$": new(4, red_blue="steal"),
    '^both action cards of round 1 show "look": ': new(4, red_blue="look"),
    f"^seed: -1 given, {SEED}": new(4, seed=-1),
    f"^seed: 18446744073709551616 given, {SEED}": new(4, seed=2**64),
    f"^seed: 'x' given, {SEED}": new(4, seed="x"),
    f"^seed: True given, {SEED}": new(4, seed=True),
    f"^seed: 1.5 given, {SEED}": lambda: Tape(1.5),  # type: ignore[arg-type]
    f"^seed: -2 given, {SEED}": lambda: SEA.new(4).random_legal(seed=-2),
    f"^seed: -3 given, {SEED}": lambda: SEA.new(4).policy(seed=-3),
    f"^seed: -4 given, {SEED}": lambda: SEA.setup(4).draw(-4),
    f"^seed: -5 given, {SEED}": lambda: SEA.setup(4).step(-5),
    f"^seed: -6 given, {SEED}": lambda: SEA.new(4).view(0).worlds(1, -6),
    f"^seed: -7 given, {SEED}": lambda: play_random(SEA, 4, -7, 1),
    "^games: 0 given, takes 1 or more$": lambda: play_random(SEA, 4, 0, 0),
    "^players: 7 given, ": lambda: play_random(SEA, 7, 0, 1),
    '^game "chess": unknown; known: .*sea_and_coast': lambda: islebots.load("chess"),
    '^game "": unknown': lambda: islebots.load(""),
    "^game: None given, takes .*sea_and_coast": lambda: islebots.load(None),  # type: ignore[arg-type]
    '^box "big": unknown; sea_and_coast has base, mini$': lambda: islebots.load(SEA.name, "big"),
    '^box "../../sea_and_coast/base": unknown': lambda: islebots.load(
        SEA.name, "../../sea_and_coast/base"
    ),
    "^box: \\['base'\\] given, takes base, mini$": lambda: islebots.load(
        SEA.name, ["base"]  # type: ignore[arg-type]
    ),
}  # fmt: skip


@pytest.mark.parametrize("says", BAD_SETUPS)
def test_a_bad_setup_says_what_is_wrong_and_what_would_be_right(says: str) -> None:
    with pytest.raises(BadSetup, match=says):
        BAD_SETUPS[says]()


def test_all_errors_are_of_one_family() -> None:
    for kind in (BadSetup, BadText, IllegalMove, ImpossibleView):
        assert issubclass(kind, IslebotsError)
        assert issubclass(kind, ValueError)


# ---- Moves and their text ---------------------------------------------------
def test_every_possible_move_is_read_back_from_its_text() -> None:
    for state in SOME:
        for move in state.possible():
            text = state.game.text(move)
            assert state.game.parse(text, state) == move
            assert state.game.parse(f"  {text.replace(' ', '   ')} ", state) == move


def test_a_move_is_applied_by_number_or_text(state: State) -> None:
    move = state.legal()[0]
    assert state.apply(move) == state.apply(SEA.text(move))


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("A passes R1", '^illegal move "A passes R1"; legal: "A passes '),
        ("A  plays   R(1)", '^illegal move "A plays R\\(1\\)"; legal: "A passes '),
        (12345, "^illegal move 12345; legal: "),
        (-1, "^illegal move -1; legal: "),
        (2**32, "^illegal move 4294967296; legal: "),
        (None, "^illegal move None; legal: "),
    ],
)
def test_an_illegal_move_leaves_the_state_as_it_was(move: Any, says: str, state: State) -> None:
    before = bytes(state)
    with pytest.raises(IllegalMove, match=says):
        state.apply(move)
    assert bytes(state) == before
    assert state == SEA.new(4, 7)


@pytest.mark.parametrize("text", ["", "A", "A plays R13", "F passes R1", "A passes", "\x00", "É"])
def test_what_is_not_notation_is_told_so(text: str, state: State) -> None:
    with pytest.raises(BadText, match="not a line of sea_and_coast"):
        state.apply(text)


def test_a_long_list_of_legal_moves_is_cut() -> None:
    state = next(s for s in positions() if s.actor != "over" and len(s.possible()) > 12)
    with pytest.raises(IllegalMove, match=f'" and {len(state.possible()) - 12} more$'):
        state.apply("A takes R5")


def test_a_game_that_is_over_takes_no_move() -> None:
    state = list(positions())[-1]
    assert (state.actor, state.deciders, state.legal(), state.possible()) == ("over", [], [], [])
    with pytest.raises(IllegalMove, match="nothing is to be decided here"):
        state.apply("A passes R1")
    with pytest.raises(IllegalMove, match=r"^step: the game is over$"):
        state.step()
    assert len(state.outcome()) == len(state.rewards()) == 4
    with pytest.raises(IllegalMove, match=r"^outcome: the game is not over$"):
        SEA.new(4).outcome()


def test_apply_makes_a_new_state() -> None:
    for state in SOME:
        before = bytes(state)
        for move in state.possible()[:20]:
            assert state.apply(move) != state
        assert bytes(state) == before


# ---- Views ------------------------------------------------------------------
def test_a_seat_finds_its_legal_moves_in_its_view() -> None:
    for state in SOME:
        for seat in range(state.players):
            view = state.view(seat)
            assert view.legal() == state.legal(seat)
            assert view.may_act() == (seat in state.deciders)
        assert state.view("public").legal() == []


def test_a_view_reads_and_refuses_moves_like_a_state(state: State) -> None:
    view = state.view(2)
    text = SEA.text(view.legal()[0])
    assert SEA.parse(text, view) == view.legal()[0]
    with pytest.raises(IllegalMove, match=r'^illegal move "C passes R2"; legal: "C passes '):
        SEA.parse("C passes R2", view)
    with pytest.raises(IllegalMove, match=r"^seat 1: this is what 2 knows$"):
        view.legal(1)


@pytest.mark.parametrize("seat", [-1, 4, "A", None, True, 1.0, "PUBLIC"])
def test_a_seat_that_is_not_at_the_table_has_no_view(seat: Any, state: State) -> None:
    with pytest.raises(BadText, match=r'^seat: .* given, takes 0 to 3 or "public"$'):
        state.view(seat)


def test_worlds_fit_the_view_and_hang_on_the_seed(state: State) -> None:
    view = state.view(0)
    worlds = view.worlds(20, seed=1)
    assert all(world.view(0) == view for world in worlds)
    assert worlds == view.worlds(20, seed=1)
    assert worlds != view.worlds(20, seed=2)
    assert len(set(worlds)) > 1
    assert view.worlds(0) == []


@pytest.mark.parametrize("n", [-1, 1.5, "3", None, True])
def test_a_number_of_worlds_that_makes_no_sense_is_refused(n: Any, state: State) -> None:
    with pytest.raises(BadText, match=r"^n: .* given, takes a number of worlds$"):
        state.view(0).worlds(n)


# ---- Copies, equality, pickle, JSON -----------------------------------------
def test_states_and_views_are_values() -> None:
    for state in SOME:
        for one in (state, *(state.view(seat) for seat in [*range(state.players), "public"])):
            others = [
                copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one)),
                islebots.from_json(one.to_json()),
            ]  # fmt: skip
            for other in others:
                assert other == one
                assert hash(other) == hash(one)
                assert type(other) is type(one)
                assert (other.game, other.players, other.actor) == (
                    one.game,
                    one.players,
                    one.actor,
                )
                assert str(other) == str(one)
                assert getattr(other, "observer", None) == getattr(one, "observer", None)


def test_a_state_is_not_its_view_nor_that_of_another_seat_or_box(state: State) -> None:
    assert state != state.view(0)
    assert state.view(0) != state.view(1) != state.view("public")
    assert state != "state"
    wide = islebots.load("kuhn_poker", "wide").setup(2)
    assert bytes(wide) == bytes(KUHN.setup(2))
    assert wide != KUHN.setup(2)


def test_a_table_can_be_read(state: State) -> None:
    assert str(state).count("\n") == 4
    assert "as seen by" not in str(state)
    assert "as seen by C" in str(state.view(2))
    assert repr(state) == "<State of sea_and_coast, 4 players, actor 0>"
    assert repr(state.view(2)) == "<View of sea_and_coast, 4 players, observer 2>"


BAD_JSON = {
    "": "^line 1: not JSON: ",
    '{"game": "sea_and_coast",\n}': "^line 2: not JSON: ",
    "[" * 100_000: "^line 1: not JSON: nested too deep",
    "1" * 5000: "^line 1: not JSON: .*a number that is too long",
    "[]": "^fields: \\[\\] given, takes an object$",
    "{}": "^game: None given, takes .*sea_and_coast",
    '{"game": "go", "state": {}}': "^game: 'go' given, takes .*sea_and_coast",
    '{"game": ["kuhn_poker"], "state": {}}': "^game: ",
    '{"game": "sea_and_coast", "box": 1, "state": {}}': "^box: 1 given, takes a text$",
    '{"game": "sea_and_coast", "box": "x", "state": {}}': '^box "x": unknown',
    '{"game": "sea_and_coast"}': "^state, view: takes one of them$",
    '{"game": "sea_and_coast", "state": {}, "view": {}}': "^state, view: takes one of them$",
    '{"game": "sea_and_coast", "truth": {}}': "^truth: unknown field; known: game, box, ",
    '{"game": "sea_and_coast", "state": []}': "^fields: \\[\\] given, takes an object$",
    '{"game": "sea_and_coast", "state": {}}': "^players: None given, takes 3, 4, 5$",
    '{"game": "sea_and_coast", "state": {"player": 3}}': "^player: unknown field; known: ",
}


@pytest.mark.parametrize("text", BAD_JSON, ids=lambda text: text[:40])
def test_json_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(IslebotsError, match=BAD_JSON[text]):
        islebots.from_json(text)


def test_a_view_is_not_taken_for_a_state_nor_a_state_for_a_view(state: State) -> None:
    with pytest.raises(BadText, match=r"^observer: 'A' given, a state has none$"):
        SEA.state(state.view(0).fields())
    with pytest.raises(BadText, match=r"^observer: null given, a view takes a seat "):
        SEA.view(state.fields())


# ---- Fields edited into nonsense --------------------------------------------
EDITS: list[tuple[str, Any, str]] = [
    ("players", 6, "^players: 6 given, takes 3, 4, 5$"),
    ("players", True, "^players: True given"),
    ("rounds", 3, "^rounds: 3 given, takes 1 to 2$"),
    ("phase", "sleep", "^phase: 'sleep' given, takes first, turn, "),
    ("phase", [], "^phase: \\[\\] given"),
    ("first", "E", "^first: 'E' given, takes A, B, C, D$"),
    ("supply", 21, "21 bonus cards in supply, before seats and laid; the box has 22"),
    ("tops.0", "R9", "^tops\\[0\\]: 'R9' given, takes R1, "),
    ("left.R1", -1, "^left.R1: -1 given, takes 0 to 1$"),
    ("left", None, "^left: None given, takes an object$"),
    ("actions.0.1", "fly", "^actions\\[0\\]\\[1\\]: 'fly' given, takes bonus, "),
    ("actions.0.1", [], "^actions\\[0\\]\\[1\\]: \\[\\] given, takes bonus, "),
    ("seats.1", None, "^seats\\[1\\]: None given, takes an object$"),
    ("seats.1.hand", 5, "^seats\\[1\\].hand: 5 given, takes a list$"),
    (
        "seats.1.hand.0",
        "R13",
        "^seats\\[1\\].hand\\[0\\]: 'R13' given, takes a card from R1 to P12",
    ),
    ("seats.1.hand_size", 11, "^seats\\[1\\].hand: 12 cards given, hand_size is 11$"),
    ("seats.1.bonus", "2", "^seats\\[1\\].bonus: '2' given, takes 0 to 22$"),
    ("seats.1.half", "shore", "^seats\\[1\\].half: 'shore' given, takes null, sea, coast$"),
    ("log.0.cards", [], "^log\\[0\\].cards: 0 items given, takes 4$"),
    ("log.0.swap", {"thief": "Z"}, "^log\\[0\\].swap.thief: 'Z' given, takes A, B, C, D$"),
]


def edited(fields: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of fields with one value changed."""
    out = copy.deepcopy(fields)
    *outer, last = path.split(".")
    at: Any = out
    for key in outer:
        at = at[int(key)] if isinstance(at, list) else at[key]
    at[int(last) if isinstance(at, list) else last] = value
    return out


@pytest.mark.parametrize(("path", "value", "says"), EDITS)
def test_fields_edited_into_nonsense_are_refused_with_the_path(
    path: str, value: Any, says: str, state: State
) -> None:
    with pytest.raises(IslebotsError, match=says):
        SEA.state(edited(state.fields(), path, value))


def paths(value: Any, path: str = "") -> Iterator[str]:
    """The path of every value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        at = f"{path}.{key}" if path else str(key)
        yield at
        if isinstance(item, dict | list):
            yield from paths(item, at)


NONSENSE = [None, True, -1, 99, 1.5, "", "A", "R1", "R12", "public", [], [[]], {}, "é", 10**30]


# That no world fits can take a minute to find out (seed 1).
LONG = [pytest.param(seed, marks=pytest.mark.long) for seed in (1, *range(5, 30))]


@pytest.mark.parametrize("seed", [0, 2, 3, 4, *LONG])
def test_no_edit_of_a_field_does_more_than_raise_one_of_our_errors(seed: int) -> None:
    rng = Random(seed)
    some = [*list(positions(3 + seed % 3, seed))[:: 60 - 7 * (seed % 3)], *positions(2, seed, KUHN)]
    for state in some:
        for one in (state, state.view(0)):
            make = one.game.state if isinstance(one, State) else one.game.view
            fields = json.loads(one.to_json())["state" if isinstance(one, State) else "view"]
            all_paths = list(paths(fields))
            for _ in range(80):
                path, value = rng.choice(all_paths), rng.choice(NONSENSE)
                try:
                    other = make(edited(fields, path, value))
                except IslebotsError:
                    continue
                except Exception as error:
                    pytest.fail(f"{path} = {value!r}: {error!r}\n{json.dumps(fields)}")
                assert make(other.fields()) == other, f"{path} = {value!r}"
