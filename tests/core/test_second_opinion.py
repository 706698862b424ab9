"""The core and the second opinion on the rules play the same random games, step by step."""

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import islebots
from tests.second_opinion.sea_and_coast import ACTIONS, Table

DATA = Path(__file__).parents[2] / "core" / "data" / "sea_and_coast"
BOXES = {path.stem: tomllib.loads(path.read_text()) for path in sorted(DATA.glob("*.toml"))}
GAMES = {box: islebots.load("sea_and_coast", box=box) for box in BOXES}
SIZES = [(box, int(players)) for box in BOXES for players in BOXES[box]["hand"]]
PAIRS = [(one, other) for one in ACTIONS for other in ACTIONS if one != other]

# What is asked at every step costs little. Whole views and all chances of a step are compared at
# these shares of the steps, by phase; else a dealt card would take most of the time.
TRUTHS = {"deal": 0.05, "first": 1.0}, 0.5
VIEWS = {"deal": 0.01, "first": 1.0, "pass": 0.2, "play": 0.1, "turn": 0.2}, 0.5
CHANCES = {"deal": 0.02}, 0.5


def setting(seed: int) -> tuple[str, int, dict[str, Any]]:
    """Box, players and options: all sizes and all pairs of actions in turn, the rest at random."""
    pick = random.Random(f"setting {seed}")
    box, players = SIZES[seed % len(SIZES)]
    options: dict[str, Any] = {"rounds": pick.choice([1, 2, 2])}
    options["red_blue"], options["green_purple"] = PAIRS[seed // len(SIZES) % len(PAIRS)]
    while pick.random() < 0.5 or "red_blue_2" not in options:
        names = [pick.choice(["same", *ACTIONS]) for _ in range(2)]
        old = options["red_blue"], options["green_purple"]
        new = [o if name == "same" else name for o, name in zip(old, names, strict=True)]
        if new[0] != new[1]:  # §1.3
            options["red_blue_2"], options["green_purple_2"] = names
    return box, players, options


def differences(core: Any, opinion: Any, path: str) -> Iterator[str]:
    """Where two values of fields differ, a line each."""
    if isinstance(core, dict) and isinstance(opinion, dict):
        for key in sorted(core.keys() | opinion.keys()):
            if key not in core or key not in opinion:
                yield f"{path}.{key}: only one of the two has it"
            else:
                yield from differences(core[key], opinion[key], f"{path}.{key}")
    elif isinstance(core, list) and isinstance(opinion, list) and len(core) == len(opinion):
        for index, (one, other) in enumerate(zip(core, opinion, strict=True)):
            yield from differences(one, other, f"{path}[{index}]")
    elif core != opinion or type(core) is not type(opinion):
        yield f"{path}: core {core!r}, second opinion {opinion!r}"


class Comparison:
    """One game, played by both."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.box, self.players, self.options = setting(seed)
        self.game = GAMES[self.box]
        self.state = self.game.setup(self.players, **self.options)
        self.table = Table(BOXES[self.box], self.players, self.options)
        self.moves: list[str] = []

    def same(self, core: Any, opinion: Any, what: str) -> None:
        found = list(differences(core, opinion, what))
        if found:
            pytest.fail(
                "\n".join(
                    [
                        *found,
                        f"seed {self.seed}, box {self.box}, {self.players} players, {self.options}",
                        *self.moves,
                    ]
                ),
                pytrace=False,
            )

    def play(self) -> None:
        while self.table.actor != "over":
            self.compare_step()
            text = self.choose()
            self.compare_seen(text)
            self.moves.append(text)
            self.state = self.state.apply(text)
            self.table.apply(text)
        self.compare_step()
        scores = [seat["score"] for seat in self.state.fields()["seats"]]
        self.same(scores, self.table.scores(), "scores")

    def choose(self) -> str:
        match self.table.actor:
            case "reveal":
                return "reveal"
            case "chance":
                return self.random.choice(list(self.table.chances()))
        return self.random.choice(self.table.legal(self.random.choice(self.table.deciders)))

    def now(self, shares: tuple[dict[str, float], float]) -> bool:
        by_phase, else_share = shares
        return self.random.random() < by_phase.get(self.table.waiting.phase, else_share)

    def compare_step(self) -> None:
        actor = self.state.actor
        self.same(letter(actor), self.table.actor, "actor")
        deciders = self.table.deciders
        self.same([letter(seat) for seat in self.state.deciders], deciders, "deciders")
        for seat in deciders:
            legal = [self.game.text(move) for move in self.state.legal("ABCDE".index(seat))]
            self.same(sorted(legal), sorted(self.table.legal(seat)), f"legal of {seat}")
        if actor == "chance" and self.now(CHANCES):
            chances = {self.game.text(move): p for move, p in self.state.chances()}
            expected = {text: float(p) for text, p in self.table.chances().items()}
            self.same(sorted(chances), sorted(expected), "chances")
            close = {text: pytest.approx(p) == chances[text] for text, p in expected.items()}
            self.same(close, dict.fromkeys(close, True), f"odds {chances} against {expected}")
        if actor == "over" or self.now(TRUTHS):
            self.same(self.state.fields(), self.table.fields(), "truth")
        if actor == "over" or self.now(VIEWS):
            for observer in self.observers():
                known = self.state.view(observer).fields()
                self.same(known, self.table.fields(letter(observer)), f"view of {observer}")

    def compare_seen(self, text: str) -> None:
        move = self.game.parse(text, self.state)
        for observer in self.observers():
            seen = self.state.seen(move, observer)
            seen_text = self.game.text(seen) if seen else None
            self.same(seen_text, self.table.seen(text, letter(observer)), f"{observer} sees {text}")

    def observers(self) -> list[Any]:
        return [*range(self.players), "public"]


def letter(who: Any) -> str:
    return "ABCDE"[who] if isinstance(who, int) else who


@pytest.mark.parametrize("start", range(0, 200, 25))
def test_core_and_second_opinion_agree_in_every_step(start: int) -> None:
    for seed in range(start, start + 25):
        Comparison(seed).play()


@pytest.mark.long
@pytest.mark.parametrize("start", range(1_000, 11_000, 500))
def test_core_and_second_opinion_agree_in_ten_thousand_games(start: int) -> None:
    for seed in range(start, start + 500):
        Comparison(seed).play()
