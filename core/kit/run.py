"""Random games of every player count and box, with every law asked along the way."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from islebots.core.errors import BadSetup
from islebots.core.game import Game, State, Tape
from islebots.core.kit.enumerate import Histories, TooMany
from islebots.core.kit.laws import LAWS, Broken, Counted, Law, random_options, sees_in_part
from islebots.core.kit.ply import Observer, Ply, Record, legal_moves
from islebots.core.kit.report import Failure, LawReport, Report, RunReport
from islebots.core.record import REVEAL_MOVE
from islebots.core.rng import Random, hash_of

N_DEAR = 5  # plies a game at which the dear checks are made
N_COUNTED = 6  # views a game, of one observer, whose sampler is tested against enumeration
COUNT_ONE_IN = 5  # games in which this is done
MANY = 30  # views too large to be enumerated, before this is held against a box named "mini"
KEPT = 3  # failures of a law; then it is not asked again
SEEDS = 1 << 64
MOMENTS = ("setup", "begin", "ply", "dear", "step", "leave", "over", "counted", "close")

Progress = Callable[[str, int, int], None]  # box, players, games done


def check(
    games: Sequence[Game],
    *,
    players: int | None = None,
    n_games: int = 100,
    seed: int = 0,
    laws: Sequence[type[Law]] = LAWS,
    counting: bool = True,
    progress: Progress | None = None,
) -> Report:
    """Play games of each box (a Game each) and player count; what was found.

    Worlds are enumerated, unless `counting` is False, in boxes small enough for it; in one named
    "mini" that is a must.
    """
    run = Run(games, players, n_games, seed, laws, progress or (lambda *_: None))
    run.counting = counting
    return run.all()


class Run:
    """One run of the kit."""

    def __init__(
        self,
        games: Sequence[Game],
        players: int | None,
        n_games: int,
        seed: int,
        laws: Sequence[type[Law]],
        progress: Progress,
    ) -> None:
        """Nothing played yet."""
        self.games, self.players, self.n_games, self.seed = games, players, n_games, seed
        self.progress = progress
        self.kinds = laws
        self.counting = True
        self.reports = {law.name: LawReport(law.name, law.says, law.where) for law in laws}
        self.report = Report(games[0].name, seed, laws=list(self.reports.values()))
        self.laws: list[tuple[int, Law]] = []
        self.at: dict[str, list[tuple[int, Law]]] = {}

    def all(self) -> Report:
        """Every box and player count."""
        for game in self.games:
            takes = [n for n in game.players if self.players in (None, n)]
            for i, players in enumerate(takes):
                self.laws = [(n, law()) for n, law in enumerate(self.kinds)]
                self.laws = [(n, law) for n, law in self.laws if law.applies(game)]
                self.sort_out()
                self.box(game, players, first=i == 0)
        for law in self.report.laws:
            if law.failures:
                law.status = "broken"
            elif law.checks:
                law.status = "holds"
        return self.report

    def box(self, game: Game, players: int, first: bool) -> None:
        """All games of one box and player count."""
        run = RunReport(game.box_name, players)
        self.report.runs.append(run)
        start = time.monotonic()
        whole = Record(game, players, self.seed)
        if first:
            self.ask(whole, None, "setup", game)
        for i in range(self.n_games):
            record = play(game, players, (self.seed + i) % SEEDS)
            self.walk(record)
            run.games += 1
            run.plies += len(record.moves)
            small = game.box_name == "mini" or run.counted >= run.too_large
            if self.counting and small and self.asked("counted") and is_counted(record.seed):
                self.count(record, run)
            self.progress(game.box_name, players, i + 1)
        self.ask(whole, None, "close")
        for _, law in self.laws:
            report = self.reports[law.name]
            report.checks += law.checks
            if law.checks and law.note():
                report.notes.append(f"{game.box_name}, {players} players: {law.note()}")
        if game.box_name == "mini" and max(run.counted, MANY) < run.too_large:
            text = f"{run.too_large} views had too many histories, {run.counted} could be checked"
            for _, law in self.laws:
                if "enumerate" in law.where:
                    self.fail(law, whole, None, text)
        run.seconds = time.monotonic() - start

    # ---- One game -----------------------------------------------------------
    def walk(self, record: Record) -> None:
        """Go through a game again, with every law."""
        if record.first is None or record.error:
            for _, law in self.laws:
                if law.name == "ends":
                    self.fail(law, record, len(record.moves), record.error)
            if record.first is None:
                return
        dear = dear_plies(record)
        at = Ply(record.first, 0, record, 0 in dear)
        self.ask(record, at, "begin", at)
        for i, (mover, move) in enumerate(record.moves):
            self.ask_ply(record, at)
            after = next_ply(at, mover, move, i + 1 in dear)
            self.ask(record, at, "step", at, move, after)
            self.ask(record, at, "leave", at)
            at = after
        self.ask_ply(record, at)
        self.ask(record, at, "over", at)
        self.ask(record, at, "leave", at)

    def ask_ply(self, record: Record, at: Ply) -> None:
        """What is asked before a move."""
        self.ask(record, at, "ply", at)
        if at.dear:
            self.ask(record, at, "dear", at)

    def ask(self, record: Record, at: Ply | None, moment: str, *args: Any) -> None:
        """Every law that has something to ask at this moment."""
        for number, law in self.asked(moment):
            if at is not None:  # its own numbers, whatever else is asked
                at.random = Random(at.key, number)
            try:
                getattr(law, moment)(*args)
            except Exception as error:
                self.fail(law, record, at.index if at else None, error)

    def asked(self, moment: str) -> list[tuple[int, Law]]:
        """The laws that ask something at this moment and have not failed too often."""
        return self.at[moment]

    def sort_out(self) -> None:
        """Find them anew."""
        base = vars(Law)
        self.at = {
            moment: [
                (number, law)
                for number, law in self.laws
                if getattr(type(law), moment) is not base[moment]
                and len(self.reports[law.name].failures) < KEPT
            ]
            for moment in MOMENTS
        }

    def fail(self, law: Law, record: Record, n: int | None, found: Exception | str) -> None:
        """Keep a failure, with what shows it again; one a game and law."""
        report = self.reports[law.name]
        law.checks = max(1, law.checks)
        last = report.failures[-1] if report.failures else None
        key = (record.game.box_name, record.players, record.seed)
        if len(report.failures) >= KEPT or (
            n is not None and last and last.moves and (last.box, last.players, last.seed) == key
        ):
            return
        says = str(found)
        if not isinstance(found, (Broken, str)):
            says = f"{type(found).__name__}: {says}"
        command = record.command(self.n_games if n is None else 1)
        report.failures.append(
            Failure(
                law.name,
                says,
                record.game.box_name,
                record.players,
                record.seed,
                record.options,
                record.texts(n or 0),
                command,
            )
        )
        if len(report.failures) >= KEPT:
            self.sort_out()

    # ---- Enumeration --------------------------------------------------------
    def count(self, record: Record, run: RunReport) -> None:
        """Enumerate the worlds of some views of one observer, and sample them."""
        if record.first is None or not record.moves:
            return
        random = Random(record.seed, 2)
        at = Ply(record.first, 0, record)
        observer = random.choice(at.sampled)
        plies = sorted({random.below(len(record.moves)) for _ in range(N_COUNTED)})
        histories = Histories(record.first, observer)
        try:
            for i, (mover, move) in enumerate(record.moves[: plies[-1] + 1]):
                if i in plies:
                    self.ask_counted(record, at, observer, histories)
                    run.counted += 1
                    plies.remove(i)
                histories.follow(at.state.seen(move, observer))
                at = next_ply(at, mover, move, False)
        except TooMany:
            run.too_large += len(plies)
        except LookupError as error:
            for _, law in self.laws:
                if law.name == "reached":
                    self.fail(law, record, at.index, str(error))

    def ask_counted(
        self, record: Record, at: Ply, observer: Observer, histories: Histories
    ) -> None:
        """One view."""
        worlds = histories.worlds()
        key = hash_of(record.seed, at.index)

        def sample(n: int, again: int = 1) -> Counter[bytes]:
            found = at.views[observer].worlds(n, hash_of(key, again))
            return Counter(bytes(world) for world in found)

        n = min(4000, max(400, 10 * len(worlds))) if len(worlds) > 1 else 3
        tests = self.n_games * N_COUNTED * len(record.game.players)
        try:
            drawn = sample(n, 0)
        except Exception:  # the law about sampling says so elsewhere
            return
        self.ask(record, at, "counted", Counted(at, observer, worlds, drawn, sample, tests))


def is_counted(seed: int) -> bool:
    """Is this a game whose views are enumerated? Told by its seed, so that it can be had again."""
    return hash_of(seed, 5) % COUNT_ONE_IN == 0


def dear_plies(record: Record) -> set[int]:
    """Some plies of the game, at random."""
    random = Random(record.seed, 4)
    n = len(record.moves)
    return {random.below(n) for _ in range(N_DEAR)} if n else set()


def next_ply(at: Ply, mover: int | None, move: int, dear: bool) -> Ply:
    """The ply after a move, with who has decided and who has not seen all."""
    after = Ply(at.state.apply_known(move), at.index + 1, at.record, dear)
    if mover is not None and at.open:
        after.open, after.committed = at.open, at.committed | {mover}
    if not after.open and len(after.deciders) > 1:
        after.open = tuple(after.deciders)
    hidden = at.hidden_from
    if at.actor != "reveal" and at.game.hidden and len(hidden) <= at.state.players:
        part = sees_in_part(at, move)
        hidden |= {*part, "public"} if part else hidden
    after.hidden_from = hidden
    return after


def play(game: Game, players: int, seed: int) -> Record:
    """A random game; every choice in it follows from the seed."""
    record = Record(game, players, seed)
    random = Random(seed, 0)
    try:
        record.options, state = first_state(game, players, random)
    except Exception as error:
        record.error = f"setup: {type(error).__name__}: {error}"
        return record
    record.first = state
    record.by_tape = random.below(4) == 0
    by_policy = random.below(3) == 0
    tape = Tape(seed)
    try:
        while state.actor != "over" and len(record.moves) <= game.max_plies:
            mover, move = pick(state, random, tape if record.by_tape else None, by_policy)
            if move is None:
                break
            record.moves.append((mover, move))
            state = state.apply_known(move)
    except Exception as error:
        record.error = f"{type(error).__name__}: {error}"
    return record


def first_state(game: Game, players: int, random: Random) -> tuple[dict[str, Any], State]:
    """The default options, or others that go together."""
    for _ in range(100 if random.below(3) else 0):
        options = random_options(game, random)
        try:
            return options, game.setup(players, **options)
        except BadSetup:
            continue
    return {}, game.setup(players)


def pick(
    state: State, random: Random, tape: Tape | None, by_policy: bool
) -> tuple[int | None, int | None]:
    """Seat and move of the next ply; no move where there is none (a law says so)."""
    if state.actor == "reveal":
        return None, REVEAL_MOVE
    if state.actor == "chance":
        moves = [move for move, _ in state.chances()]
        move = tape.next(state) if tape else state.draw(random.next64())
        return None, move if move in moves else random.choice(moves) if moves else None
    seat = random.choice(state.deciders)
    moves = legal_moves(state, seat, random.next64())
    if by_policy:
        move = state.policy(seat, random.next64())
        if move in moves:
            return seat, move
    return seat, random.choice(moves) if moves else None
