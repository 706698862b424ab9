"""Every check of the kit can fail: a game broken on purpose for each, and what else notices."""

from __future__ import annotations

import ctypes
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from islebots.core import registry
from islebots.core.errors import BadSetup
from islebots.core.kit import LAWS, check
from tests.kit.table import Changes, Real, build, moves_at, numbers_at

GAME, BOX, PLAYERS = "sea_and_coast", "mini", 3
PLAY, TAKE = 5, 6  # types of moves
REVEAL_MOVE = 0xFFFFFFFF


@dataclass(frozen=True)
class Case:
    """A way to break the game, and the laws it must and may break."""

    law: str
    make: Callable[[Real], Changes]
    also: frozenset[str]
    games: int
    counting: bool
    """Are worlds enumerated? That is dear."""

    @property
    def what(self) -> str:
        """The name of the case."""
        return self.make.__name__


CASES: list[Case] = []
Make = Callable[[Real], Changes]


def breaks(law: str, *also: str, games: int = 12, counting: bool = False) -> Callable[[Make], Make]:
    """A case for this law; `also` are others that notice the same."""

    def keep(make: Make) -> Make:
        CASES.append(Case(law, make, frozenset(also), games, counting))
        return make

    return keep


def legal_of(real: Real, box: int, state: int, seat: int) -> list[int]:
    """The real legal moves."""
    buffer = (ctypes.c_uint32 * real.max_moves)()
    n = real.legal(box, state, seat, ctypes.addressof(buffer))
    return list(buffer[:n])


def first_legal(real: Real) -> Changes:
    """A rule player and candidates that need no more than the first move of the list."""

    def policy(box: int, state: int, seat: int, rng: int) -> int:
        return legal_of(real, box, state, seat)[0]

    def candidates(box: int, state: int, seat: int, out: int) -> int:
        moves_at(out, 1)[0] = legal_of(real, box, state, seat)[0]
        return 1

    return {"policy": policy, "candidates": candidates}


# ---- Setting up -------------------------------------------------------------
@breaks("setup")
def a_choice_that_cannot_be_set_up(real: Real) -> Changes:
    def read_options(options: dict[str, Any]) -> Any:
        if options["wind"] == "strong":
            raise BadSetup("wind: not implemented")
        return real.rules.read_options({k: v for k, v in options.items() if k != "wind"})

    wind = (("none", "strong"), "none", "the weather")
    options = {**real.rules.OPTIONS, "wind": wind}
    return {"rules": {"OPTIONS": options, "read_options": read_options}}


# ---- Decisions --------------------------------------------------------------
@breaks("actors")
def the_highest_seat_first(real: Real) -> Changes:
    def actor(box: int, state: int) -> int:
        seats = real.deciders(box, state)
        return seats.bit_length() - 1 if seats else real.actor(box, state)

    return {"actor": actor}


@breaks("legal_list")
def legal_moves_in_the_wrong_order(real: Real) -> Changes:
    def legal(box: int, state: int, seat: int, out: int) -> int:
        n = real.legal(box, state, seat, out)
        moves_at(out, n)[:] = moves_at(out, n)[::-1]
        return n

    return {"legal": legal}


@breaks("legal_list", "candidates", "one_to_one", "move_text")
def a_legal_move_twice(real: Real) -> Changes:
    def legal(box: int, state: int, seat: int, out: int) -> int:
        n = real.legal(box, state, seat, out)
        moves = moves_at(out, n + 1)
        moves[n] = moves[n - 1]
        return n + 1

    return {"legal": legal}


@breaks("layout", "move_text", "accepts")
def a_chance_move_of_a_seat_that_is_not_there(real: Real) -> Changes:
    def elsewhere(move: int) -> int:
        return move | 4 << 24 if move >> 27 == 2 else move  # "turn R4" is nobody's

    def chances(box: int, state: int, out: int, p: int) -> int:
        n = real.chances(box, state, out, p)
        moves_at(out, n)[:] = [elsewhere(move) for move in moves_at(out, n)]
        return n

    def draw(box: int, state: int, rng: int) -> int:
        return elsewhere(real.draw(box, state, rng))

    return {"chances": chances, "draw": draw}


@breaks("is_legal")
def a_predicate_that_forgets_a_move(real: Real) -> Changes:
    def is_legal(box: int, state: int, move: int) -> bool:
        moves = real.state(state).possible()
        return move in moves and (move != moves[-1] or len(moves) == 1)

    return {"is_legal": is_legal}


@breaks("is_legal", "refused")
def a_predicate_that_says_yes(real: Real) -> Changes:
    return {"is_legal": lambda box, state, move: True}


@breaks("refused")
def words_that_crash_the_reader(real: Real) -> Changes:
    def read_text(text: str) -> Any:
        return real.rules.read_text(text if len(text) > 1 else text[5])

    return {"rules": {"read_text": read_text}}


@breaks("random_legal", "legal_by_view")
def a_random_move_with_dice_of_its_own(real: Real) -> Changes:
    count = itertools.count()

    def random_legal(box: int, state: int, seat: int, rng: int) -> int:
        moves = legal_of(real, box, state, seat)
        return moves[next(count) % len(moves)]

    return {"random_legal": random_legal} | first_legal(real)


@breaks("candidates")
def no_candidates(real: Real) -> Changes:
    return {"candidates": lambda box, state, seat, out: 0}


@breaks("candidates")
def a_candidate_that_is_not_legal(real: Real) -> Changes:
    def candidates(box: int, state: int, seat: int, out: int) -> int:
        n = real.legal(box, state, seat, out)
        moves_at(out, n)[0] ^= 1 << 22
        return n

    return {"candidates": candidates}


@breaks("policy")
def a_rule_player_that_breaks_the_rules(real: Real) -> Changes:
    return {"policy": lambda box, state, seat, rng: 1 << 27}


# ---- Plain memory -----------------------------------------------------------
@breaks("pure", "view_alone", "follow", "unseen_commitment")
def a_question_that_leaves_a_mark(real: Real) -> Changes:
    def hidden_ahead(box: int, view: int, cuts: int) -> bool:
        real.scribble(view, 1)
        return True

    return {"scratch": True, "hidden_ahead": hidden_ahead}


@breaks("repeatable", "step", "tape")
def moves_that_count_how_often_they_are_made(real: Real) -> Changes:
    count = itertools.count(1)

    def apply(box: int, state: int, move: int) -> None:
        dealt = real.actor(box, state) == -1
        real.apply(box, state, move)
        if dealt and real.scratch(state) == 0:
            real.scribble(state, next(count))

    def observe(box: int, state: int, observer: int, view: int) -> None:
        real.observe(box, state, observer, view)
        real.scribble(view, 0)

    return {"scratch": True, "apply": apply, "observe": observe}


@breaks("step")
def a_step_of_two_plies(real: Real) -> Changes:
    def step(box: int, state: int, rng: int) -> int:
        s = real.state(state)
        for seed in range(2):
            s = s.step(seed) if s.actor != "over" else s
        real.write(state, s)
        return int(real.actor(box, state))

    return {"step": step}


@breaks("faults", "records")
def a_view_that_contradicts_itself(real: Real) -> Changes:
    def faults(box: bytes, data: bytes) -> list[str]:
        is_public = real.rules.fields(box, data)["observer"] == "public"
        return ["made up"] if is_public else real.rules.faults(box, data)

    return {"rules": {"faults": faults}}


@breaks("records")
def fields_that_forget(real: Real) -> Changes:
    def fields(box: bytes, data: bytes) -> dict[str, Any]:
        return {**real.rules.fields(box, data), "log": [], "trick": 1}

    return {"rules": {"fields": fields}}


@breaks("move_text")
def two_cards_of_one_name(real: Real) -> Changes:
    def move_text(code: int) -> str:
        return str(real.rules.move_text(code)).replace("B1", "B2")

    return {"rules": {"move_text": move_text}}


# ---- Chance -----------------------------------------------------------------
@breaks("chances", "draws", "tape_odds")
def probabilities_that_do_not_sum_to_1(real: Real) -> Changes:
    def chances(box: int, state: int, out: int, p: int) -> int:
        n = real.chances(box, state, out, p)
        numbers_at(p, n)[0] *= 0.9
        return n

    return {"chances": chances}


@breaks("draws")
def draws_that_love_the_first(real: Real) -> Changes:
    def draw(box: int, state: int, rng: int) -> int:
        other = real.draw(box, state, rng)
        return min(other, real.draw(box, state, rng))

    return {"draw": draw}


@breaks("tape")
def a_tape_that_counts_calls(real: Real) -> Changes:
    count = itertools.count()

    def tape_card(box: int, state: int, move: int, card: int) -> None:
        real.tape_card(box, state, move, card)
        ctypes.c_uint32.from_address(card).value = next(count)

    return {"tape_card": tape_card}


@breaks("tape_odds", games=70)
def a_tape_that_cannot_tell_cards_apart(real: Real) -> Changes:
    def tape_card(box: int, state: int, move: int, card: int) -> None:
        numbers = (ctypes.c_uint32 * 5).from_address(card)
        numbers[:] = [0, 0, 0, 0, 1]

    return {"tape_card": tape_card}


# ---- What is seen -----------------------------------------------------------
@breaks("follow", "playing_on")
def a_view_that_forgets(real: Real) -> Changes:
    def follow(box: int, view: int, seen: int) -> None:
        if seen >> 27 & 31 != PLAY or seen & 1:
            real.follow(box, view, seen)

    return {"follow": follow}


@breaks("one_to_one", "follow", "playing_on", "move_text", "hidden_ahead", "accepts")
def a_seat_that_does_not_see_its_own_move(real: Real) -> Changes:
    def seen(box: int, state: int, move: int, observer: int) -> int:
        if observer == move >> 24 & 7 and real.deciders(box, state) == 1 << observer:
            move = legal_of(real, box, state, observer)[0]
        return int(real.seen(box, state, move, observer))

    return {"seen": seen}


@breaks("commuting", "step")
def the_last_to_decide_is_kept(real: Real) -> Changes:
    def apply(box: int, state: int, move: int) -> None:
        if real.deciders(box, state).bit_count() > 1:
            real.scribble(state, move)
        elif move == REVEAL_MOVE:
            real.scribble(state, 0)
        real.apply(box, state, move)

    def observe(box: int, state: int, observer: int, view: int) -> None:
        real.observe(box, state, observer, view)
        real.scribble(view, 0)

    return {"scratch": True, "apply": apply, "observe": observe}


@breaks("unseen_commitment", "follow", "worlds", "playing_on", "view_alone")
def a_view_that_counts_who_has_decided(real: Real) -> Changes:
    def observe(box: int, state: int, observer: int, view: int) -> None:
        real.observe(box, state, observer, view)
        real.scribble(view, real.deciders(box, state).bit_count())

    return {"scratch": True, "observe": observe}


# ---- Worlds -----------------------------------------------------------------
@breaks("worlds", "follow", "playing_on", "unseen_commitment")
def a_view_that_leaks(real: Real) -> Changes:
    def observe(box: int, state: int, observer: int, view: int) -> None:
        real.observe(box, state, observer, view)
        real.scribble(view, real.secret(state))

    return {"scratch": True, "observe": observe}


@breaks("worlds")
def worlds_that_look_otherwise(real: Real) -> Changes:
    def sample(box: int, view: int, ctx: int, rng: int, world: int) -> float:
        weight: float = real.sample(box, view, ctx, rng, world)
        real.scribble(world, 1)
        return weight

    return {"scratch": True, "sample": sample}


@breaks("vary", "uncommitted")
def a_sampler_that_remembers_the_truth(real: Real) -> Changes:
    truth: dict[bytes, bytes] = {}

    def observe(box: int, state: int, observer: int, view: int) -> None:
        real.observe(box, state, observer, view)
        truth[ctypes.string_at(view, real.size)] = ctypes.string_at(state, real.size)

    def sample(box: int, view: int, ctx: int, rng: int, world: int) -> float:
        ctypes.memmove(world, truth[ctypes.string_at(view, real.size)], real.size)
        return 1.0

    return {"observe": observe, "sample": sample}


@breaks("uncommitted")
def a_sampler_that_decides_for_others(real: Real) -> Changes:
    def sample(box: int, view: int, ctx: int, rng: int, world: int) -> float:
        weight: float = real.sample(box, view, ctx, rng, world)
        s = real.state(world)
        observer = real.rules.fields(real.box, ctypes.string_at(view, real.size))["observer"]
        others = [seat for seat in s.deciders if "ABC"[seat] != observer]
        if weight and len(s.deciders) > 1:
            real.write(world, s.apply_known(s.legal(others[-1])[0]))
        return weight

    return {"sample": sample}


@breaks("playing_on")
def worlds_in_which_a_reveal_does_nothing(real: Real) -> Changes:
    def sample(box: int, view: int, ctx: int, rng: int, world: int) -> float:
        weight: float = real.sample(box, view, ctx, rng, world)
        real.scribble(world, 1)
        return weight

    def observe(box: int, state: int, observer: int, view: int) -> None:
        real.observe(box, state, observer, view)
        real.scribble(view, 0)

    def apply(box: int, state: int, move: int) -> None:
        if move != REVEAL_MOVE or not real.scratch(state):
            real.apply(box, state, move)

    return {"scratch": True, "sample": sample, "observe": observe, "apply": apply}


@breaks("reached", games=25, counting=True)
def worlds_that_no_history_leads_to(real: Real) -> Changes:
    def sample(box: int, view: int, ctx: int, rng: int, world: int) -> float:
        weight: float = real.sample(box, view, ctx, rng, world)
        real.scribble(world, 1)
        return weight

    def observe(box: int, state: int, observer: int, view: int) -> None:
        real.observe(box, state, observer, view)
        real.scribble(view, 0)

    return {"scratch": True, "sample": sample, "observe": observe}


@breaks("odds", games=25, counting=True)
def worlds_with_wrong_odds(real: Real) -> Changes:
    def sample(box: int, view: int, ctx: int, rng: int, world: int) -> float:
        weight: float = real.sample(box, view, ctx, rng, world)
        return weight if real.secret(world) % 2 else weight * 0.5

    return {"sample": sample}


@breaks("n_worlds")
def no_worlds_counted(real: Real) -> Changes:
    return {"n_worlds": lambda box, view, ctx: 0.0}


# ---- Knowing no more than the view -----------------------------------------
@breaks("turn_by_view", "accepts")
def worlds_in_which_the_game_is_over(real: Real) -> Changes:
    def sample(box: int, view: int, ctx: int, rng: int, world: int) -> float:
        weight: float = real.sample(box, view, ctx, rng, world)
        real.scribble(world, real.deciders(box, world).bit_count() == 1)
        return weight

    def observe(box: int, state: int, observer: int, view: int) -> None:
        real.observe(box, state, observer, view)
        real.scribble(view, 0)

    def actor(box: int, state: int) -> int:
        return -3 if real.scratch(state) else real.actor(box, state)

    def deciders(box: int, state: int) -> int:
        return 0 if real.scratch(state) else real.deciders(box, state)

    functions = {"sample": sample, "observe": observe, "actor": actor, "deciders": deciders}
    return {"scratch": True, **functions}


@breaks("legal_by_view", "accepts", "random_legal", "step")
def legal_moves_that_depend_on_hidden_cards(real: Real) -> Changes:
    def legal(box: int, state: int, seat: int, out: int) -> int:
        n = real.legal(box, state, seat, out)
        plays = moves_at(out, 1)[0] >> 27 == PLAY
        return n - 1 if plays and real.secret(state) % 2 else n

    return {"legal": legal} | first_legal(real)


@breaks("candidates_by_view")
def candidates_that_peek(real: Real) -> Changes:
    def candidates(box: int, state: int, seat: int, out: int) -> int:
        moves = legal_of(real, box, state, seat)
        moves_at(out, 1)[0] = moves[real.secret(state) % len(moves)]
        return 1

    return {"candidates": candidates}


@breaks("policy_by_view")
def a_rule_player_that_peeks(real: Real) -> Changes:
    def policy(box: int, state: int, seat: int, rng: int) -> int:
        moves = legal_of(real, box, state, seat)
        return moves[real.secret(state) % len(moves)]

    return {"policy": policy}


@breaks("view_alone")
def worlds_that_count_calls(real: Real) -> Changes:
    count = itertools.count()

    def sample(box: int, view: int, ctx: int, rng: int, world: int) -> float:
        if next(count) % 3 == 0:
            real.sample(box, view, ctx, rng, world)
        weight: float = real.sample(box, view, ctx, rng, world)
        return weight

    return {"sample": sample}


@breaks("accepts")
def a_view_that_refuses_the_truth(real: Real) -> Changes:
    return {"accepts": lambda box, view, seen: seen >> 27 & 31 != PLAY}


@breaks("hidden_ahead")
def secrets_after_they_were_ruled_out(real: Real) -> Changes:
    return {"hidden_ahead": lambda box, view, cuts: False}


# ---- The end ----------------------------------------------------------------
@breaks("ends")
def games_longer_than_they_say(real: Real) -> Changes:
    return {"max_plies": 20}


@breaks("ends", "follow", "playing_on", "step", "accepts", games=3)
def a_game_that_never_ends(real: Real) -> Changes:
    def apply(box: int, state: int, move: int) -> None:
        before = real.state(state)
        real.apply(box, state, move)
        if real.actor(box, state) == -3:
            real.write(state, before)

    return {"apply": apply, "max_plies": 90}


@breaks("outcome")
def a_result_that_is_no_number(real: Real) -> Changes:
    def outcome(box: int, state: int, returns: int) -> int:
        numbers_at(returns, PLAYERS)[:] = [1.0, math.nan, 2.0]
        return 0

    return {"outcome": outcome}


@breaks("rewards")
def rewards_above_1(real: Real) -> Changes:
    def rewards(box: int, state: int, out: int) -> None:
        numbers_at(out, PLAYERS)[:] = [0.5, 1.5, 0.0]

    return {"rewards": rewards}


@breaks("evaluate")
def a_cut_with_negative_rewards(real: Real) -> Changes:
    def evaluate(box: int, state: int, out: int) -> bool:
        numbers_at(out, PLAYERS)[:] = [0.5, -0.5, 0.0]
        return True

    return {"evaluate": evaluate}


@breaks("evaluate")
def a_cut_that_depends_on_hidden_cards(real: Real) -> Changes:
    def evaluate(box: int, state: int, out: int) -> bool:
        numbers_at(out, PLAYERS)[:] = [0.5, 0.5, 0.5]
        return real.secret(state) % 2 == 1

    return {"evaluate": evaluate}


# ---- The tests --------------------------------------------------------------
def laws_broken_by(
    make: Make, games: int, counting: bool, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """The laws the kit finds broken, with what it says."""
    game = build(GAME, BOX, PLAYERS, make)
    monkeypatch.setattr(registry, "load", lambda name, box="base": game)  # for JSON and pickles
    report = check([game], players=PLAYERS, n_games=games, seed=1, counting=counting)
    return {law.name: law.failures[0].says for law in report.laws if law.failures}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.law}-{case.what}")
def test_a_broken_game_is_found_out(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    found = laws_broken_by(case.make, case.games, case.counting, monkeypatch)
    assert case.law in found, found
    assert set(found) <= {case.law, *case.also}, found


@pytest.mark.parametrize("scratch", [False, True])
def test_the_same_game_unbroken_keeps_every_law(
    scratch: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert laws_broken_by(lambda real: {"scratch": scratch}, 25, True, monkeypatch) == {}


def test_every_law_has_a_game_that_breaks_it() -> None:
    assert {law.name for law in LAWS} == {case.law for case in CASES}
