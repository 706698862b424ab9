"""Golden playthroughs: whole games as text, with every seat's view and legal moves at each step.

`make golden` writes them anew, test_golden.py compares. Moves are drawn from the legal ones by a
seed, so the text changes only where rules, notation, views or the random source do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import islebots
from islebots.core.game import State, Tape
from islebots.core.record import REVEAL_MOVE, SEATS
from islebots.core.rng import Random

HERE = Path(__file__).parent
WIDTH = 100
PUBLIC = "*"
NOTHING = 0
HEAD = """\
# Whole games, every move drawn from the legal ones. Written by `make golden`: read the diff.
#
# == 1      the first decision, then what every seat's view shows: a line begins with the seats that
#           read it so, * is what everybody knows
# legal A   every legal move of A
# > move    what was decided      ~ event   chance, or what comes to light
#           on the right what others see instead
"""


@dataclass(frozen=True)
class Golden:
    """The games of one file."""

    game: str
    players: int
    seeds: tuple[int, ...]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The file."""
        return HERE / self.game / f"{self.players}_players.txt"

    def text(self) -> str:
        """What the file should hold."""
        return "\n".join([HEAD, *(self.play(seed) for seed in self.seeds)])

    def play(self, seed: int) -> str:
        """One game from its setup to its outcome."""
        game = islebots.load(self.game)
        lines = [f"game {self.game}", f"players {self.players}"]
        lines += [f"option {name} {value}" for name, value in self.options.items()]
        lines += [f"seed {seed}", ""]
        state, tape, rng = game.setup(self.players, **self.options), Tape(seed), Random(seed)
        n = 0
        while state.actor != "over":
            if state.actor == "chance":
                move = tape.next(state)
                lines.append(event("~", state, move))
            elif state.actor == "reveal":
                move = REVEAL_MOVE
                lines.append(event("~", state, move))
            else:
                n += 1
                lines += ["", f"== {n}", *views(state)]
                for seat in state.deciders:
                    lines += legal(state, seat)
                move = rng.choice(state.legal(rng.choice(state.deciders)))
                lines.append(event(">", state, move))
            state = state.apply_known(move)
        returns = " ".join(f"{SEATS[i]} {value:g}" for i, value in enumerate(state.outcome()))
        return "\n".join([*lines, "", "== over", *views(state), f"outcome {returns}", ""])


def observers(state: State) -> dict[str, int | str]:
    """Every observer by the letter it has here."""
    return {**{SEATS[i]: i for i in range(state.players)}, PUBLIC: "public"}


def grouped(by_letter: dict[str, str]) -> dict[str, str]:
    """Equal texts together: those who read them, by text."""
    out: dict[str, str] = {}
    for letter, text in by_letter.items():
        out[text] = out.get(text, "") + letter
    return out


def views(state: State) -> list[str]:
    """Every observer's view, line by line; lines that several read alike stand once."""
    tables = {}
    for letter, observer in observers(state).items():
        table = str(state.view(observer))
        tables[letter] = re.sub(r"   as seen by \w+$", "", table, flags=re.MULTILINE).split("\n")
    room = state.players + 1
    lines = []
    for i in range(len(tables[PUBLIC])):
        for text, who in grouped({letter: table[i] for letter, table in tables.items()}).items():
            lines.append(f"{who:{room}} | {text}".rstrip())
    return lines


def legal(state: State, seat: int) -> list[str]:
    """The legal moves of a seat, without its letter, and without a verb that stands before."""
    moves = state.legal(seat)
    assert state.view(seat).legal() == moves
    lines = [f"legal {SEATS[seat]} ({len(moves)}):"]
    last = None
    for i, move in enumerate(moves):
        verb, _, rest = state.game.text(move).removeprefix(f"{SEATS[seat]} ").partition(" ")
        item = (rest if rest and verb == last else f"{verb} {rest}".rstrip()) + ","
        last = verb
        if len(lines[-1]) + 1 + len(item) > WIDTH:
            lines.append("   ")
        lines[-1] += f" {item if i < len(moves) - 1 else item[:-1]}"
    return lines


def event(mark: str, state: State, move: int) -> str:
    """A move or chance move, and what those see who see something else."""
    truth = state.game.text(move)
    seen = {}
    for letter, observer in observers(state).items():
        code = state.seen(move, observer)
        seen[letter] = "nothing" if code == NOTHING else state.game.text(code)
    others = [f"{who}: {text}" for text, who in grouped(seen).items() if text != truth]
    return f"{mark} {truth:24} {'   '.join(others)}".rstrip()


GOLDEN = [
    # Round 1 with swap and retrieve, round 2 with look and bonus.
    Golden(
        "sea_and_coast",
        3,
        (17,),
        {
            "red_blue": "swap",
            "green_purple": "retrieve",
            "red_blue_2": "look",
            "green_purple_2": "bonus",
        },
    ),
    Golden("sea_and_coast", 4, (25,), {"rounds": 1}),
    Golden(
        "sea_and_coast", 5, (17,), {"rounds": 1, "red_blue": "retrieve", "green_purple": "swap"}
    ),
    Golden("kuhn_poker", 2, tuple(range(1, 11))),
]
