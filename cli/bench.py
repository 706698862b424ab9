"""islebots bench: how fast is it?"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from time import process_time
from typing import TYPE_CHECKING

import click

from islebots.cli.errors import Command

if TYPE_CHECKING:
    from islebots.core.game import Game, View

VIEWS = 64  # at so many decision points worlds are sampled
WORLDS = 100  # so many for each, prepared once


@click.group()
def bench() -> None:
    """Measure speed.

    \b
    Example:
      islebots bench rules sea_and_coast --players 4
    """


@dataclass(frozen=True)
class RulesSpeed:
    """The speed of a game's rules on one core."""

    game: str
    box: str
    players: int
    seed: str  # as text: a 64-bit number
    games_per_second: float  # whole random games
    plies_per_second: float  # in those games; chance and reveals are plies
    state_bytes: int
    view_bytes: int  # a view has the layout of a state
    worlds_per_second: float  # for views at random decisions of random games


@bench.command(cls=Command)
@click.argument("game")
@click.option(
    "--players", type=int, help="Only games of so many.  [default: a row for each number]"
)
@click.option("--box", default="base", show_default=True, help="The box.")
@click.option(
    "--seconds", type=click.FloatRange(0.01, 3600), default=2.0, show_default=True,
    help="How long a row takes, about.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True,
    help="Seed of the games played.",
)  # fmt: skip
@click.option(
    "--json", "as_json", is_flag=True,
    help="Print JSON: one object with --players, else a list of them.",
)  # fmt: skip
def rules(
    game: str, players: int | None, box: str, seconds: float, seed: int, as_json: bool
) -> None:
    """Play random games of GAME, then sample worlds, on one core.

    Half of the time goes to whole random games, half to worlds: 100 for each view, the view
    prepared anew. Views are those of the seats that decide at random moments of random games. A
    second is one of processor time, so that other programs disturb little.

    \b
    Example:
      islebots bench rules sea_and_coast --players 4 --json
    """
    from islebots.core.registry import load

    found = load(game, box)
    counts = found.players if players is None else [players]
    rows = [measure(found, count, seconds, seed) for count in counts]
    if as_json:
        out = [asdict(row) for row in rows]
        click.echo(json.dumps(out if players is None else out[0], indent=2))
    else:
        show(rows)


def measure(game: Game, players: int, seconds: float, seed: int) -> RulesSpeed:
    """One row."""
    games, plies = play(game, players, seconds / 2, seed)
    return RulesSpeed(
        game=game.name,
        box=game.box_name,
        players=players,
        seed=str(seed),
        games_per_second=games,
        plies_per_second=plies,
        state_bytes=game.state_bytes,
        view_bytes=game.state_bytes,
        worlds_per_second=sample(views_of(game, players, seed), seconds / 2),
    )


def play(game: Game, players: int, seconds: float, seed: int) -> tuple[float, float]:
    """Games and plies a second."""
    from islebots.core.game import play_random

    games, plies, batch, spent = 0, 0, 1, 0.0
    while spent < seconds:
        began = process_time()
        plies += play_random(game, players, (seed + games) % 2**64, batch)[0]
        took = process_time() - began
        games += batch
        spent += took
        if took < seconds / 16:  # calls that take long enough to be timed
            batch *= 2
    return round(games / spent, 1), round(plies / spent, 1)


def views_of(game: Game, players: int, seed: int) -> list[View]:
    """What the seat knows that decides, at random moments of random games."""
    from islebots.core.game import Tape
    from islebots.core.rng import Random

    rng = Random(seed)
    views: list[View] = []
    while len(views) < VIEWS:
        tape = Tape(rng.next64())
        state = game.setup(players).advance(tape)
        path = []
        while isinstance(state.actor, int):
            path.append(state)
            state = state.apply_known(state.random_legal(seed=rng.next64())).advance(tape)
        for _ in range(8):
            state = rng.choice(path)
            views.append(state.view(rng.choice(state.deciders)))
    return views


def sample(views: list[View], seconds: float) -> float:
    """Worlds a second. Every view is asked equally often: some are far harder than others."""
    worlds, spent = 0, 0.0
    while spent < seconds:
        began = process_time()
        for view in views:
            view.worlds(WORLDS, seed=worlds)
            worlds += WORLDS
        spent += process_time() - began
    return round(worlds / spent, 1)


def show(rows: list[RulesSpeed]) -> None:
    """The rows as one reads them."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    console.print(f"{rows[0].game}, box {rows[0].box}, one core")
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("players", "games/s", "plies/s", "worlds/s", "state bytes", "view bytes"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        speeds = row.games_per_second, row.plies_per_second, row.worlds_per_second
        numbers = (row.players, *map(round, speeds), row.state_bytes, row.view_bytes)
        table.add_row(*(f"{number:,}" for number in numbers))
    console.print(table)
