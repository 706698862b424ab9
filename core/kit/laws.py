"""The laws of the contract, one class each, in the order in which a game meets them.

A law is asked at its moments: `setup` once a box, `begin` before a game, `ply` before each move,
`dear` at a few plies of a game picked at random, `step` after each move, `leave` when a ply is done
with, `over` at the end of a game, `counted` for a view whose worlds were enumerated, `close` at the
end. Each raises Broken with what it found; one law never hides another.
"""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from islebots.core.errors import BadSetup, BadText, IllegalMove
from islebots.core.game import Game, State, Tape, View
from islebots.core.kit.odds import Pool, Sum, chi_square, tail
from islebots.core.kit.ply import NOTHING, Observer, Ply, name_of
from islebots.core.record import REVEAL_MOVE
from islebots.core.registry import from_json
from islebots.core.rng import Random, hash_of

BOUND = 1e-6  # a right game fails a test of chance less often than this
SUSPECT = 1e-3  # below this a view is drawn from again, and judged by the fresh draws alone
N_DRAWS = 64  # at a chance event
AHEAD = 10  # plies played on from a sampled world
N_BLIND = 30  # views with more than one world before a sampler may be said never to vary


class Broken(Exception):
    """A law does not hold; the text says how."""


@dataclass
class Counted:
    """A view, its worlds with their exact odds, and what the sampler gave."""

    at: Ply
    observer: Observer
    worlds: dict[bytes, float]
    drawn: Counter[bytes]
    again: Callable[[int], Counter[bytes]]
    """Fresh draws, so many."""
    n_tests: int
    """How many views are tested in the whole run."""


class Law:
    """One sentence that must hold of every game."""

    name: ClassVar[str]
    says: ClassVar[str]
    where: ClassVar[str] = "everywhere"

    def __init__(self) -> None:
        """Nothing checked yet."""
        self.checks = 0

    def applies(self, game: Game) -> bool:
        """Is there anything to check in this game?"""
        return game.hidden if "hidden" in self.where else True

    def setup(self, game: Game) -> None:
        """Once a box."""

    def begin(self, at: Ply) -> None:
        """Before a game."""

    def ply(self, at: Ply) -> None:
        """Before each move."""

    def dear(self, at: Ply) -> None:
        """Before a few of the moves."""

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """After each move."""

    def leave(self, at: Ply) -> None:
        """When everybody else is done with a ply."""

    def over(self, at: Ply) -> None:
        """At the end of a game."""

    def counted(self, view: Counted) -> None:
        """For an enumerated view."""

    def close(self) -> None:
        """After all games."""

    def note(self) -> str:
        """What the report should say of it besides."""
        return ""


def agree(got: Any, want: Any, what: str) -> None:
    """Two answers that must be the same."""
    if got != want:
        raise Broken(f"{what}: {short(got)}, expected {short(want)}")


def short(value: Any) -> str:
    """A value, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:197]}..."


def difference(a: bytes, b: bytes) -> str:
    """Where two states or views differ."""
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} bytes"
    at = [i for i in range(len(a)) if a[i] != b[i]]
    where = f"byte {at[0]} is {a[at[0]]} and {b[at[0]]}"
    return where if len(at) == 1 else f"{where}, {len(at)} bytes differ"


def apart(a: bytes, b: bytes) -> int:
    """In how many bytes two states differ."""
    return sum(x != y for x, y in zip(a, b, strict=True))


def same_bytes(a: object, b: object, what: str) -> None:
    """Two states or views that must be equal byte for byte."""
    x, y = bytes(a), bytes(b)  # type: ignore[call-overload]
    if x != y:
        raise Broken(f"{what}: {difference(x, y)}")


def mutated(at: Ply, n: int) -> Iterable[int]:
    """Codes like those of legal moves, most of them illegal; never chance moves or reveals."""
    moves = at.possible
    for _ in range(n):
        move = at.random.choice(moves) ^ 1 << at.random.below(32)
        if at.random.below(3) == 0:
            move ^= 1 << at.random.below(32)
        yield move & 0xFFFFFFFF


# ---- Setting up -------------------------------------------------------------
class Setup(Law):
    """Bad ones are refused, and every choice of every option can be played."""

    name = "setup"
    says = (
        "A player count, option or seed that does not exist is refused with BadSetup; "
        "every choice of every option can be set up."
    )

    def setup(self, game: Game) -> None:
        """Wrong ones, then right ones."""
        least, most = min(game.players), max(game.players)
        bad: list[tuple[str, Callable[[], object]]] = []
        for n in (-1, 0, least - 1, most + 1, 99, str(least), None, float(least)):
            if not isinstance(n, int) or n not in game.players:
                bad.append((f"players {n!r}", lambda n=n: game.setup(n)))  # type: ignore[misc]
        bad.append(("option no_such_option", lambda: game.setup(least, no_such_option=1)))
        for name in game.options:
            for value in ("no such choice", None, -12345):
                options = {name: value}
                bad.append((f"{name}={value!r}", lambda o=options: game.setup(least, **o)))  # type: ignore[misc]
        for seed in (-1, 1 << 64, "1", 1.5):
            bad.append((f"seed {seed!r}", lambda s=seed: game.new(least, s)))  # type: ignore[misc]
        for what, call in bad:
            self.checks += 1
            try:
                call()
            except BadSetup:
                continue
            except Exception as error:
                raise Broken(f"{what}: {type(error).__name__} instead of BadSetup") from error
            raise Broken(f"{what}: accepted")
        for name, (choices, default, _) in game.options.items():
            if default not in choices:
                raise Broken(f"{name}: its default {default!r} is none of its choices")
            for choice in choices:
                self.checks += 1
                if not can_set_up(game, least, name, choice):
                    raise Broken(f"{name}={choice!r}: cannot be set up, whatever the other options")


def can_set_up(game: Game, players: int, name: str, choice: Any) -> bool:
    """Is there a set of options with this choice?"""
    random = Random(0, 0)
    options: dict[str, Any] = {name: choice}
    for _ in range(200):
        try:
            game.setup(players, **options)
            return True
        except BadSetup:
            options = random_options(game, random) | {name: choice}
    return False


def random_options(game: Game, random: Random) -> dict[str, Any]:
    """Some choice of each option; not every set of them need be allowed."""
    return {name: random.choice(choices) for name, (choices, _, _) in game.options.items()}


# ---- Decisions --------------------------------------------------------------
class Actors(Law):
    """Who is to move, and what can come."""

    name = "actors"
    says = (
        "The actor is the lowest seat that may decide, or chance, reveal or over; "
        "what is possible is what these can do."
    )

    def ply(self, at: Ply) -> None:
        """The actor against the deciders, possible() against the lists."""
        self.checks += 1
        seats = at.deciders
        if isinstance(at.actor, str):
            agree(seats, [], f"deciders at {at.actor}")
        elif not seats or at.actor != seats[0] or seats[-1] >= at.state.players:
            raise Broken(f"actor {at.actor}, deciders {seats} of {at.state.players} seats")
        if at.actor != "over" and at.listed:
            agree(at.state.possible(), at.possible, "possible moves")


class LegalList(Law):
    """The list of legal moves."""

    name = "legal_list"
    says = (
        "A seat that may decide has a legal move; its list is sorted, without doubles "
        "and no longer than max_moves."
    )

    def ply(self, at: Ply) -> None:
        """Each decider's list."""
        for seat, moves in at.legal.items():
            self.checks += 1
            if not moves:
                raise Broken(f"{name_of(seat)} may decide and has no legal move")
            if len(moves) > at.game.max_moves:
                raise Broken(f"{len(moves)} legal moves, max_moves is {at.game.max_moves}")
            for a, b in pairwise(moves):
                if a >= b:
                    raise Broken(f"{name_of(seat)}: move {a} stands before {b}")


class Layout(Law):
    """Codes of moves."""

    name = "layout"
    says = "A move, and what is seen of it, has a type from 1 to 30, and carries the mover's seat."

    def ply(self, at: Ply) -> None:
        """Every legal move."""
        for seat, moves in at.legal.items():
            for move in moves:
                self.checks += 1
                if not 1 <= move >> 27 <= 30 or (move >> 24 & 7) != seat:
                    raise Broken(f"move {move} of {name_of(seat)}: {laid_out(move)}")

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """What chance did, and what each observer saw."""
        codes = [at.state.seen(move, observer) for observer in at.observers]
        if at.actor == "chance":
            codes.append(move)
        for code in codes:
            self.checks += 1
            if code != NOTHING and not (
                1 <= (code >> 27 & 31) <= 30 and (code >> 24 & 7) < at.state.players
            ):
                raise Broken(f"code {code} of {at.state.players} players: {laid_out(code)}")


def laid_out(code: int) -> str:
    """What a code says by its bits."""
    return f"type {code >> 27 & 31}, seat {code >> 24 & 7}"


class IsLegal(Law):
    """The predicate against the list."""

    name = "is_legal"
    says = "is_legal says yes to just the legal moves, whatever code it is asked about."

    def ply(self, at: Ply) -> None:
        """A legal move, and codes near one."""
        if not at.deciders:
            return
        moves = at.possible if at.dear else [at.random.choice(at.possible)]
        wrong = [*mutated(at, 8 if at.dear else 2), 0, REVEAL_MOVE] if at.listed else [0]
        for move in [*moves, *wrong]:
            self.checks += 1
            agree(at.state.is_legal(move), move in at.legal_set, f"is_legal({move})")


class Refused(Law):
    """Illegal moves."""

    name = "refused"
    says = "apply refuses what is not possible with IllegalMove (or BadText) and changes nothing."

    def dear(self, at: Ply) -> None:
        """Codes near a possible one, rubbish, and nonsense words."""
        codes = [m for m in mutated(at, 4) if m not in at.possible] if at.listed else []
        self.refuse(at, codes)

    def over(self, at: Ply) -> None:
        """Nothing can be played after the end."""
        self.refuse(at, [1])

    def refuse(self, at: Ply, codes: list[int]) -> None:
        """Each of these must be refused."""
        wrong: list[int | str] = [*codes, 0, -1, 1 << 40, "", "no such move", "?"]
        for move in wrong:
            self.checks += 1
            try:
                at.state.apply(move)
            except IllegalMove:
                pass
            except BadText:
                if not isinstance(move, str):
                    raise
            else:
                raise Broken(f"apply({move!r}) is accepted")
        same_bytes(at.state, at.kept, "after refused moves the state is another")


class RandomLegal(Law):
    """The random move."""

    name = "random_legal"
    says = "random_legal gives a legal move, the same for the same seed."

    def ply(self, at: Ply) -> None:
        """One decider, one seed."""
        if at.deciders:
            self.checks += 1
            seat, seed = at.random.choice(at.deciders), at.random.next64()
            move = at.state.random_legal(seat, seed)
            if not at.may(seat, move):
                raise Broken(f"random_legal({seat}, {seed}) is {move}: not legal")
            agree(at.state.random_legal(seat, seed), move, f"random_legal({seat}, {seed}) again")


class Candidates(Law):
    """What a bot should weigh."""

    name = "candidates"
    says = "The candidates of a seat are legal moves, at least one, none twice."

    def ply(self, at: Ply) -> None:
        """One decider."""
        if at.deciders:
            self.checks += 1
            seat = at.random.choice(at.deciders)
            moves = at.state.candidates(seat)
            legal = all(at.may(seat, move) for move in moves)
            if not moves or len(set(moves)) < len(moves) or not legal:
                raise Broken(f"{name_of(seat)}: candidates {moves}, legal {short(at.legal[seat])}")


class Policy(Law):
    """The rule player."""

    name = "policy"
    says = "The rule player picks a legal move, the same for the same seed."

    def ply(self, at: Ply) -> None:
        """One decider, one seed."""
        if at.deciders:
            self.checks += 1
            seat, seed = at.random.choice(at.deciders), at.random.next64()
            move = at.state.policy(seat, seed)
            if not at.may(seat, move):
                raise Broken(f"policy({seat}, {seed}) is {move}: not legal")
            agree(at.state.policy(seat, seed), move, f"policy({seat}, {seed}) again")


# ---- Plain memory -----------------------------------------------------------
class Pure(Law):
    """States and views are values."""

    name = "pure"
    says = "Nothing that is asked of a state or view changes it, nor does playing on from a copy."

    def ply(self, at: Ply) -> None:
        """Note what the views are now."""
        assert len(at.kept_views) == len(at.observers)

    def dear(self, at: Ply) -> None:
        """Copies are equal, and apart."""
        for twin in (copy.copy(at.state), copy.deepcopy(at.state)):
            self.checks += 1
            same_bytes(twin, at.kept, "a copy is not equal")
            if at.actor != "over":
                twin.apply_known(at.random.choice(at.possible))
            same_bytes(twin, at.kept, "a copy changed when it was played on")

    def leave(self, at: Ply) -> None:
        """They are what they were."""
        self.checks += 1
        same_bytes(at.state, at.kept, "the state changed though nobody played")
        for observer, view in at.views.items():
            same_bytes(view, at.kept_views[observer], f"the view of {name_of(observer)} changed")


class Repeatable(Law):
    """Apply has no clock and no randomness."""

    name = "repeatable"
    says = "The same move in the same state gives the same state, byte for byte."

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """Once more."""
        self.checks += 1
        again = at.state.apply_known(move)
        same_bytes(again, after.kept, f'"{at.game.text(move)}" again gives another state')


class Step(Law):
    """The playout step."""

    name = "step"
    says = "step makes one of the possible moves."

    def dear(self, at: Ply) -> None:
        """Its result is among those of apply."""
        if at.actor != "over" and at.listed:
            self.checks += 1
            after = bytes(at.state.step(at.random.next64()))
            if all(bytes(at.state.apply_known(move)) != after for move in at.possible):
                raise Broken("step leads to a state that no possible move leads to")


class Faults(Law):
    """Nothing contradicts itself."""

    name = "faults"
    says = "No state or view that play reaches contradicts itself: faults() is empty."

    def ply(self, at: Ply) -> None:
        """The state, and one view; all of them at a dear ply."""
        self.checks += 1
        agree(at.state.faults(), [], "faults of the state")
        for observer in at.observers if at.dear else [at.random.choice(at.observers)]:
            agree(at.views[observer].faults(), [], f"faults of the view of {name_of(observer)}")


# ---- Written down -----------------------------------------------------------
class Records(Law):
    """States and views as fields, JSON and pickles."""

    name = "records"
    says = "A state or view comes back equal from its fields, its JSON and its pickle."

    def dear(self, at: Ply) -> None:
        """The state, and one view that a world was found for (reading it looks for one)."""
        self.back(at.state, "state", at.game.state)
        observer = at.random.choice(at.picked)
        if at.worlds(observer):
            view = at.views[observer]
            self.back(view, f"view of {name_of(observer)}", at.game.view)
            agree(pickle.loads(pickle.dumps(view)).observer, observer, "observer after pickling")

    def over(self, at: Ply) -> None:
        """The last state too."""
        self.back(at.state, "state", at.game.state)

    def back(
        self, x: State | View, what: str, read: Callable[[dict[str, Any]], State | View]
    ) -> None:
        """There and back again, three ways."""
        self.checks += 1
        fields = x.fields()
        agree(json.loads(json.dumps(fields)), fields, f"{what}: fields as JSON")
        same_bytes(read(fields), x, f"{what} from its fields")
        same_bytes(from_json(x.to_json()), x, f"{what} from its JSON")
        twin = pickle.loads(pickle.dumps(x))
        same_bytes(twin, x, f"{what} from its pickle")
        if twin != x or hash(twin) != hash(x):
            raise Broken(f"{what}: an equal one is not == or has another hash")
        if not str(x).strip():
            raise Broken(f"{what}: its text is empty")


class MoveText(Law):
    """Notation."""

    name = "move_text"
    says = (
        "A move, and what is seen of it, comes back from its text; no two possible moves "
        "have the same text."
    )

    def ply(self, at: Ply) -> None:
        """One possible move, or all of them."""
        if at.actor == "over":
            return
        texts: dict[str, int] = {}
        for move in at.possible if at.dear else [at.random.choice(at.possible)]:
            self.checks += 1
            text = at.game.text(move)
            agree(at.game.read(text), move, f'code of "{text}"')
            if text in texts:
                raise Broken(f'"{text}" is both move {texts[text]} and move {move}')
            texts[text] = move
        agree(at.game.parse(f"  {text} ", at.state), move, f'"{text}" read at its state')

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """What one observer saw."""
        seen = at.state.seen(move, at.random.choice(at.observers))
        if seen != NOTHING:
            self.checks += 1
            text = at.game.text(seen)
            agree(at.game.read(text), seen, f'code of what was seen, "{text}"')


# ---- Chance -----------------------------------------------------------------
class Chances(Law):
    """The list of chance moves."""

    name = "chances"
    says = "Chance moves are sorted, without doubles; their probabilities are over 0 and sum to 1."

    def ply(self, at: Ply) -> None:
        """At chance."""
        if at.actor != "chance":
            return
        self.checks += 1
        moves = [move for move, _ in at.chances]
        if not 0 < len(moves) <= at.game.max_moves:
            raise Broken(f"{len(moves)} chance moves, takes 1 to max_moves {at.game.max_moves}")
        if moves != sorted(set(moves)) or not 0 < moves[0] <= moves[-1] < REVEAL_MOVE:
            raise Broken(f"chance moves not in order, or with 0 or a reveal: {short(moves)}")
        if any(not p > 0 for _, p in at.chances):
            raise Broken(f"a probability is not over 0: {short(at.chances)}")
        total = math.fsum(p for _, p in at.chances)
        if abs(total - 1) > 1e-9:
            raise Broken(f"the probabilities sum to {total!r}")


def place(chances: list[tuple[int, float]], move: int, u: float) -> float:
    """Where a move stands between 0 and 1, at random within its own probability.

    Uniform if the move came with its probability, whatever the list: so events can be pooled.
    """
    before = 0.0
    for m, p in chances:
        if m == move:
            return before + u * p
        before += p
    raise Broken(f"move {move} is not one of the chance moves")


class Draws(Law):
    """Draws follow the probabilities."""

    name = "draws"
    says = "draw gives each chance move with its probability."

    def __init__(self) -> None:
        """Two ways to see it: where draws stand in their lists, and list by list."""
        super().__init__()
        self.pool = Pool()
        self.sum = Sum()

    def dear(self, at: Ply) -> None:
        """Many draws at this state."""
        if at.actor != "chance":
            return
        self.checks += 1
        drawn: Counter[int] = Counter()
        for _ in range(N_DRAWS):
            move = at.state.draw(at.random.next64())
            drawn[move] += 1
            self.pool.add(place(at.chances, move, at.random.uniform()))
        self.sum.add(*chi_square(drawn, dict(at.chances)))

    def close(self) -> None:
        """The bound is for both together."""
        for way in (self.pool, self.sum):
            if way.is_wrong(BOUND / 2):
                raise Broken(f"draws do not follow the probabilities: p = {way.p():.2g}")

    def note(self) -> str:
        """The p values."""
        return f"{self.pool.n} draws, p = {self.pool.p():.2g} and {self.sum.p():.2g}"


class OnTape(Law):
    """Games along the chance tape."""

    name = "tape"
    says = "The tape of a seed gives one fixed game: the same seed, the same chance moves."

    def begin(self, at: Ply) -> None:
        """Two games of one seed, and a fresh tape."""
        self.tape = Tape(at.record.seed)
        self.checks += 1
        new = [at.game.new(at.state.players, at.record.seed, **at.record.options) for _ in "ab"]
        same_bytes(new[0], new[1], "two new games of one seed differ")

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """The tape again, along the same game."""
        if at.record.by_tape and at.actor == "chance":
            self.checks += 1
            again = self.tape.next(at.state)
            if again not in at.possible:
                raise Broken(f"the tape gives {again}: not a chance move here")
            agree(again, move, "the same seed gives at the same state")


class TapeOdds(Law):
    """The tape deals fairly."""

    name = "tape_odds"
    says = "Along tapes of different seeds chance moves come with their probabilities."

    def __init__(self) -> None:
        """Nothing yet."""
        super().__init__()
        self.pool = Pool()

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """What the tape gave, where there was a choice."""
        if at.record.by_tape and at.actor == "chance" and len(at.chances) > 1:
            self.checks += 1
            self.pool.add(place(at.chances, move, at.random.uniform()))

    def close(self) -> None:
        """All of them together."""
        if self.pool.is_wrong(BOUND):
            raise Broken(f"the tape does not follow the probabilities: p = {self.pool.p():.2g}")

    def note(self) -> str:
        """The p value."""
        return f"{self.pool.n} chance moves, p = {self.pool.p():.2g}"


# ---- What is seen -----------------------------------------------------------
class Follow(Law):
    """The view law."""

    name = "follow"
    says = (
        "What an observer sees carries its view on: follow(observe(s), seen(s, m)) is "
        "observe(apply(s, m)), byte for byte; where nothing is seen the view stays."
    )

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """Every seat and the public."""
        self.checks += 1
        check_follow(at.state, move, at.views, after.views)


def check_follow(
    state: State, move: int, before: dict[Observer, View], after: dict[Observer, View]
) -> None:
    """Follow each view over a move."""
    for observer, view in before.items():
        seen = state.seen(move, observer)
        followed = view if seen == NOTHING else view.follow(seen)
        if bytes(followed) != bytes(after[observer]):
            how = "sees nothing of it" if seen == NOTHING else f'saw "{state.game.text(seen)}"'
            raise Broken(
                f'"{state.game.text(move)}": {name_of(observer)} {how}, but its view is another: '
                + difference(bytes(followed), bytes(after[observer]))
            )


class OneToOne(Law):
    """The mover knows its move."""

    name = "one_to_one"
    says = "To the mover no two legal moves look alike, and none like nothing."

    def ply(self, at: Ply) -> None:
        """Each decider's list."""
        for seat, moves in at.legal.items():
            self.checks += 1
            looks: dict[int, int] = {NOTHING: 0}
            for move in moves:
                seen = at.state.seen(move, seat)
                if seen in looks:
                    other = at.game.text(looks[seen]) if looks[seen] else "nothing"
                    raise Broken(
                        f'{name_of(seat)} sees of its own "{at.game.text(move)}" '
                        f"the same as of {other}"
                    )
                looks[seen] = move


class Commuting(Law):
    """Simultaneous choices."""

    name = "commuting"
    says = "Moves of seats that decide at the same time give the same state in either order."

    def ply(self, at: Ply) -> None:
        """Two of the deciders."""
        if len(at.deciders) < 2:
            return
        self.checks += 1
        i = at.random.below(len(at.deciders) - 1)
        a, b = at.deciders[i], at.deciders[i + 1 + at.random.below(len(at.deciders) - i - 1)]
        x, y = at.random.choice(at.legal[a]), at.random.choice(at.legal[b])
        one, two = at.state.apply_known(x), at.state.apply_known(y)
        for other, state in ((b, one), (a, two)):
            if other not in state.deciders or state.legal(other) != at.legal[other]:
                raise Broken(f"{name_of(other)} may no longer choose as before")
        same_bytes(
            one.apply_known(y),
            two.apply_known(x),
            f'"{at.game.text(x)}" and "{at.game.text(y)}" in either order',
        )


class Unseen(Law):
    """A commitment is secret."""

    name = "unseen_commitment"
    says = "That a seat has decided, while others must too, is in no other view."

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """Others saw nothing and know as much as before."""
        if len(at.open) < 2 or isinstance(at.actor, str):
            return
        self.checks += 1
        mover = move >> 24 & 7
        for observer in at.observers:
            if observer == mover:
                continue
            if at.state.seen(move, observer) != NOTHING:
                raise Broken(f'{name_of(observer)} sees "{at.game.text(move)}"')
            what = f'"{at.game.text(move)}" changes the view of {name_of(observer)}'
            same_bytes(after.views[observer], at.views[observer], what)


# ---- Worlds -----------------------------------------------------------------
class Worlds(Law):
    """Sampled worlds fit."""

    name = "worlds"
    says = "A sampled world looks to the observer just as the view it was sampled from."

    def dear(self, at: Ply) -> None:
        """A decider, and one of all observers."""
        for observer in at.picked:
            self.checks += 1
            worlds = at.worlds(observer)
            if observer in at.errors:
                error = at.errors[observer]
                raise Broken(f"{name_of(observer)}: {type(error).__name__}: {error}") from error
            for world in worlds:
                what = f"a world of {name_of(observer)} has another view"
                same_bytes(world.view(observer), at.views[observer], what)


class Vary(Law):
    """Sampled worlds differ."""

    name = "vary"
    says = "Where something was hidden the sampler gives other worlds than the true one."
    where = "where anything is hidden"

    def __init__(self) -> None:
        """Nothing sampled yet."""
        super().__init__()
        self.seen_other = False
        self.blind = 0

    def dear(self, at: Ply) -> None:
        """Is there another world?"""
        for observer in at.picked:
            worlds = at.worlds(observer)
            if observer in at.hidden_from and worlds:
                self.checks += 1
                self.blind += 1
                # A seat that committed is uncommitted in every world: no sign of variety.
                true = at.kept
                if at.open and at.committed - {observer}:
                    true = bytes(worlds[0])
                self.seen_other |= any(bytes(world) != true for world in worlds)

    def counted(self, view: Counted) -> None:
        """Where there is one for sure, and it had every chance to come."""
        if len(view.worlds) > 1 and len(view.drawn) == 1:
            self.checks += 1
            (only,) = view.drawn
            n = view.drawn.total()
            if view.worlds.get(only, 0.0) ** n < BOUND / view.n_tests:
                raise Broken(
                    f"{name_of(view.observer)}: {len(view.worlds)} worlds fit, "
                    f"{n} samples all gave the same"
                )

    def close(self) -> None:
        """Over the whole run."""
        if self.blind >= N_BLIND and not self.seen_other:
            raise Broken(f"{self.blind} views with something hidden: only the true world came")


class Uncommitted(Law):
    """Worlds do not decide for others."""

    name = "uncommitted"
    says = "While several must decide, a sampled world leaves all but the observer undecided."
    where = "where anything is hidden"

    def ply(self, at: Ply) -> None:
        """For one observer."""
        if len(at.open) < 2 or (not at.dear and at.random.below(2)):
            return
        self.checks += 1
        observer = at.random.choice(at.sampled)
        want = [seat for seat in at.open if seat != observer or seat not in at.committed]
        for world in at.worlds(observer)[:1]:
            agree(world.deciders, want, f"who decides in a world of {name_of(observer)}")


class PlayingOn(Law):
    """Worlds are states like any other."""

    name = "playing_on"
    says = (
        "A sampled world is a state that play can reach: it has no faults, and views follow "
        "as play goes on from it."
    )

    def dear(self, at: Ply) -> None:
        """A few plies on from one world."""
        worlds = at.worlds(at.picked[-1])
        if not worlds:
            return
        self.checks += 1
        state = at.random.choice(worlds)
        for n in range(AHEAD):
            wrong = state.faults()
            if wrong:
                raise Broken(f"{n} plies on from a world of {name_of(at.picked[-1])}: {wrong[0]}")
            actor = state.actor
            if actor == "over":
                return
            moves = [REVEAL_MOVE] if actor == "reveal" else state.possible()
            move = at.random.choice(moves)
            after = state.apply_known(move)
            check_follow(
                state,
                move,
                {o: state.view(o) for o in at.observers},
                {o: after.view(o) for o in at.observers},
            )
            state = after


class Reached(Law):
    """Worlds are possible."""

    name = "reached"
    says = "Every sampled world is one that some history leads to."
    where = "hidden, in a box small enough to enumerate"

    def counted(self, view: Counted) -> None:
        """Among the enumerated ones."""
        self.checks += 1
        for world, n in view.drawn.items():
            if world not in view.worlds:
                near = min(view.worlds, key=lambda w: apart(w, world))
                raise Broken(
                    f"{name_of(view.observer)}: no history gives a world that came {n} times in "
                    f"{view.drawn.total()}; against the nearest {difference(world, near)}"
                )


class Odds(Law):
    """Worlds come with their odds."""

    name = "odds"
    says = "The sampler gives each world with its exact probability (chi-square)."
    where = "hidden, in a box small enough to enumerate"

    def __init__(self) -> None:
        """Nothing tested yet."""
        super().__init__()
        self.sum = Sum()
        self.lowest = 1.0
        self.tests = 0

    def counted(self, view: Counted) -> None:
        """This view; drawn from again if it looks odd."""
        self.checks += 1
        if len(view.worlds) < 2:
            return
        statistic, freedom = chi_square(view.drawn, view.worlds)
        if not freedom:
            return
        self.tests += 1
        self.sum.add(statistic, freedom)
        p = tail(statistic, freedom)
        if p < SUSPECT:
            n = 10 * view.drawn.total()
            p = tail(*chi_square(view.again(n), view.worlds))
            if p < BOUND / view.n_tests:
                raise Broken(
                    f"{name_of(view.observer)}: {len(view.worlds)} worlds, {n} samples: p = {p:.2g}"
                )
        self.lowest = min(self.lowest, p)

    def close(self) -> None:
        """All views together: many small deviations."""
        if self.sum.is_wrong(BOUND):
            raise Broken(f"all {self.tests} views together: p = {self.sum.p():.2g}")

    def note(self) -> str:
        """The p values."""
        return f"{self.tests} views, lowest p = {self.lowest:.2g}, together p = {self.sum.p():.2g}"


class NWorlds(Law):
    """The number of worlds."""

    name = "n_worlds"
    says = "n_worlds, where the game has it, counts at least one world, however they are counted."
    where = "where anything is hidden"

    def dear(self, at: Ply) -> None:
        """A number, for the picked observers."""
        for observer in at.picked:
            n = at.views[observer].n_worlds()
            if n is not None:
                self.checks += 1
                if not 1 <= n < math.inf:
                    raise Broken(f"n_worlds of {name_of(observer)} is {n}, and the truth fits")


# ---- Knowing no more than the view -----------------------------------------
class TurnByView(Law):
    """Whose turn it is."""

    name = "turn_by_view"
    says = "Who is to decide is told by the view, and the same in every world of it."

    def dear(self, at: Ply) -> None:
        """In each sampled world; who else decides at the same time has a law of its own."""
        for observer in at.picked:
            for x in (at.views[observer], *at.worlds(observer)):
                self.checks += 1
                what = "by its view" if isinstance(x, View) else "in a world"
                if at.open:
                    may = observer in at.deciders
                    agree(observer in x.deciders, may, f"may {name_of(observer)} decide, {what}")
                else:
                    agree(x.actor, at.actor, f"actor to {name_of(observer)}, {what}")
                    agree(x.deciders, at.deciders, f"deciders to {name_of(observer)}, {what}")


class ByView(Law):
    """An answer to a seat that may use its view only."""

    what: ClassVar[str]

    def dear(self, at: Ply) -> None:
        """The same by the view of a decider, and in its worlds."""
        if not at.deciders:
            return
        seat = at.picked[0]
        assert isinstance(seat, int)
        for seed in (at.random.next64(), at.random.next64()):
            want = self.ask(at.state, seat, seed)
            asked: list[State | View] = [at.views[seat], *at.worlds(seat)]
            for x in asked:
                if seat in x.deciders:
                    self.checks += 1
                    where = "by its view" if isinstance(x, View) else "in another world"
                    agree(self.ask(x, seat, seed), want, f"{self.what} of {name_of(seat)} {where}")

    def ask(self, x: State | View, seat: int, seed: int) -> Any:
        """The answer in a state or of the seat's view."""
        raise NotImplementedError


class LegalByView(ByView):
    """A seat knows its legal moves."""

    name = "legal_by_view"
    says = "A seat's legal moves are told by its view, and the same in every world of it."
    what = "legal moves"

    def ask(self, x: State | View, seat: int, seed: int) -> Any:
        """The list, where there is one, and the random one."""
        try:
            return x.legal(seat), x.random_legal(seat, seed)
        except IllegalMove:
            return "unlisted", x.random_legal(seat, seed)


class CandidatesByView(ByView):
    """Candidates do not peek."""

    name = "candidates_by_view"
    says = "A seat's candidates are told by its view, and the same in every world of it."
    what = "candidates"

    def ask(self, x: State | View, seat: int, seed: int) -> Any:
        """The list, in its order."""
        return x.candidates(seat)


class PolicyByView(ByView):
    """The rule player does not peek."""

    name = "policy_by_view"
    says = "What the rule player does is told by the seat's view, and the same in all its worlds."
    what = "choice of the rule player"

    def ask(self, x: State | View, seat: int, seed: int) -> Any:
        """The move."""
        return x.policy(seat, seed)


class ViewAlone(Law):
    """What is asked of a view depends on the view."""

    name = "view_alone"
    says = "Equal views give equal answers: the same worlds for a seed, the same hidden_ahead."

    def dear(self, at: Ply) -> None:
        """The view, again, and the same view of another world."""
        for observer in at.picked:
            worlds = at.worlds(observer)
            if not worlds:
                continue
            self.checks += 1
            view, twin = at.views[observer], worlds[-1].view(observer)
            if bytes(view) != bytes(twin):
                continue
            seed = hash_of(at.key, at.observers.index(observer))
            for other in (view, twin):
                for cuts in range(3):
                    got, want = other.hidden_ahead(cuts), view.hidden_ahead(cuts)
                    agree(got, want, f"hidden_ahead({cuts}) of an equal view")
                what = f"worlds of {name_of(observer)} for the same seed"
                same_bytes(other.worlds(1, seed)[0], worlds[0], what)


class Accepts(Law):
    """The truth is accepted."""

    name = "accepts"
    says = "What an observer really sees next is accepted by its view, again and again alike."

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """At dear plies, for the picked observers."""
        if not at.dear:
            return
        for observer in at.picked:
            seen = at.state.seen(move, observer)
            if seen == NOTHING or observer in at.errors:
                continue
            self.checks += 1
            for _ in range(2):
                if not at.views[observer].accepts(seen):
                    raise Broken(f'{name_of(observer)} refuses "{at.game.text(seen)}", which came')


class HiddenAhead(Law):
    """No hidden move comes after it was ruled out."""

    name = "hidden_ahead"
    says = (
        "After hidden_ahead has said no, every seat sees every move in full, "
        "until so many natural cuts or the end."
    )

    def begin(self, at: Ply) -> None:
        """Nothing ruled out yet."""
        self.promise: tuple[Observer, int] | None = None

    def step(self, at: Ply, move: int, after: Ply) -> None:
        """Ask one observer; then hold it to its word."""
        if self.promise is None:
            observer, cuts = at.random.choice(at.observers), at.random.below(3)
            if at.views[observer].hidden_ahead(cuts):
                return
            self.promise = observer, cuts
            self.left = cuts
        self.checks += 1
        observer, cuts = self.promise
        seats = sees_in_part(at, move) if at.actor != "reveal" else []
        if seats:
            self.promise = None
            raise Broken(
                f"{name_of(observer)} was told that nothing hidden comes before the "
                + (f"cut number {cuts}" if cuts else "end")
                + f', and {name_of(seats[0])} does not see "{at.game.text(move)}" in full'
            )
        if after.actor == "over":
            self.promise = None
        elif cuts and after.state.evaluate() is not None:
            self.left -= 1
            self.promise = self.promise if self.left else None


def sees_in_part(at: Ply, move: int) -> list[int]:
    """The seats that cannot tell a move from another one of the same seat, or of chance."""
    rivals = at.possible if at.actor == "chance" else at.legal[move >> 24 & 7]
    out = []
    for seat in range(at.state.players):
        seen = at.state.seen(move, seat)
        if any(other != move and at.state.seen(other, seat) == seen for other in rivals):
            out.append(seat)
    return out


# ---- The end ----------------------------------------------------------------
class Ends(Law):
    """Games end."""

    name = "ends"
    says = "Every game is over within max_plies, without an error."

    def over(self, at: Ply) -> None:
        """It is."""
        self.checks += 1
        agree(at.actor, "over", f"actor after {at.index} of {at.game.max_plies} plies")


class Outcome(Law):
    """Official returns."""

    name = "outcome"
    says = "A game that is over has a finite official return for each seat."

    def over(self, at: Ply) -> None:
        """A number a seat."""
        if at.actor == "over":
            self.checks += 1
            returns = at.state.outcome()
            if len(returns) != at.state.players or not all(map(math.isfinite, returns)):
                raise Broken(f"outcome {returns} of {at.state.players} players")


class Rewards(Law):
    """What the result is worth."""

    name = "rewards"
    says = "Rewards are from 0 to 1, for each seat."

    def over(self, at: Ply) -> None:
        """A number a seat."""
        if at.actor == "over":
            self.checks += 1
            check_rewards(at.state.rewards(), at.state.players, "rewards")


class Evaluate(Law):
    """Natural cuts."""

    name = "evaluate"
    says = (
        "At a natural cut, which is public, evaluate gives rewards from 0 to 1 for each seat; "
        "elsewhere nothing."
    )

    def ply(self, at: Ply) -> None:
        """If there is a cut here."""
        rewards = at.state.evaluate()
        if rewards is not None:
            self.checks += 1
            check_rewards(rewards, at.state.players, "evaluate")

    def dear(self, at: Ply) -> None:
        """Whether there is one is public."""
        is_cut = at.state.evaluate() is not None
        for observer in at.picked:
            for world in at.worlds(observer):
                agree(world.evaluate() is not None, is_cut, "natural cut in another world")


def check_rewards(rewards: list[float], players: int, what: str) -> None:
    """A number from 0 to 1 for each seat."""
    if len(rewards) != players or not all(0 <= x <= 1 for x in rewards):
        raise Broken(f"{what}: {rewards} for {players} players, takes 0 to 1")


LAWS: tuple[type[Law], ...] = (
    Setup,
    Actors,
    LegalList,
    Layout,
    IsLegal,
    Refused,
    RandomLegal,
    Candidates,
    Policy,
    Pure,
    Repeatable,
    Step,
    Faults,
    Records,
    MoveText,
    Chances,
    Draws,
    OnTape,
    TapeOdds,
    Follow,
    OneToOne,
    Commuting,
    Unseen,
    Worlds,
    Vary,
    Uncommitted,
    PlayingOn,
    Reached,
    Odds,
    NWorlds,
    TurnByView,
    LegalByView,
    CandidatesByView,
    PolicyByView,
    ViewAlone,
    Accepts,
    HiddenAhead,
    Ends,
    Outcome,
    Rewards,
    Evaluate,
)
