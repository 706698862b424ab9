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

# What is asked at every step costs little. Whole views and all odds are compared at these shares
# of the steps, by phase, else the dealing of cards would take most of the time.
TRUTHS = {"deal": 0.05}
VIEWS = {"deal": 0.01, "pass": 0.3, "play": 0.3}
CHANCES = {"deal": 0.02}


def setting(seed: int) -> tuple[str, int, dict[str, Any]]:
    """Box, players and options: all sizes and all pairs of actions in turn, the rest at random."""
    pick = random.Random(f"setting {seed}")
    box, players = SIZES[seed % len(SIZES)]
    now = PAIRS[seed // len(SIZES) % len(PAIRS)]
    later = pick.choice(
        [
            *PAIRS,
            *[(one, "same") for one in ACTIONS if one != now[1]],
            *[("same", other) for other in ACTIONS if other != now[0]],
            ("same", "same"),
        ]
    )  # §1.3: never twice the same
    names = ["red_blue", "green_purple", "red_blue_2", "green_purple_2"]
    options: dict[str, Any] = dict(zip(names, [*now, *later], strict=True))
    options["rounds"] = pick.choice([1, 2, 2])
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
        self.hoards, self.fights = self.random.random() < 0.4, self.random.random() < 0.5
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
        self.same([int(score) for score in self.state.outcome()], self.table.scores(), "scores")

    def choose(self) -> str:
        match self.table.actor:
            case "reveal":
                return "reveal"
            case "chance":
                return self.random.choice(list(self.table.chances()))
        legal = self.table.legal(self.random.choice(self.table.deciders))
        if self.table.waiting.phase == "play":
            liked = [text for text in legal if self.likes(text)]
            legal = liked or legal
        return self.random.choice(legal)

    def likes(self, play: str) -> bool:
        """By chance alone the supply hardly runs dry, and few colours on a deck are fought for."""
        colour = play.removeprefix(play[0] + " plays ").lstrip("(")[0]
        return not (self.hoards and "+" in play) and not (
            self.fights and colour not in self.table.colours_up()
        )

    def now(self, shares: dict[str, float]) -> bool:
        return self.random.random() < shares.get(self.table.waiting.phase, 1)

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
