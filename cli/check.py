"""islebots check: does a game keep the contract?"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from islebots.cli.errors import Command

if TYPE_CHECKING:
    from islebots.core.game import Game
    from islebots.core.kit import Report


@click.command(cls=Command)
@click.argument("game")
@click.option("--players", type=int, help="Only games of so many.  [default: every number]")
@click.option(
    "--games", "n_games", type=click.IntRange(1), default=100, show_default=True,
    help="Games for each box and number of players.",
)  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True,
    help="The seed of the first game; the next one has the next seed.",
)  # fmt: skip
@click.option("--box", help="Only this box.  [default: every box]")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def check(
    game: str, players: int | None, n_games: int, seed: int, box: str | None, as_json: bool
) -> None:
    """Play random games of GAME and ask every law of the contract along the way.

    Exit status 1 if a law does not hold: then the seed and the moves that show it are printed. 2 if
    there is no such game, box or number of players.

    \b
    Example:
      islebots check sea_and_coast --players 4 --games 20
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from islebots.core.kit import check as run
    from islebots.core.registry import boxes, load

    found = [load(game, name) for name in ([box] if box else boxes(game))]
    if players is not None:
        found = [one for one in found if players in one.players] or refuse(game, players, found)
    total = sum(len(one.players) if players is None else 1 for one in found) * n_games
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    console = Console(stderr=True)
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as bar:
        task = bar.add_task(game, total=total)

        def progress(box_name: str, n_players: int, done: int) -> None:
            bar.update(task, advance=1, description=f"{game} {box_name}, {n_players} players")

        report = run(found, players=players, n_games=n_games, seed=seed, progress=progress)
    if as_json:
        click.echo(json.dumps(report.to_dict(), indent=2))
    else:
        show(report)
    if not report.ok:
        raise SystemExit(1)


def refuse(game: str, players: int, found: list[Game]) -> list[Game]:
    """No box is made for so many."""
    from islebots.core.errors import BadSetup

    takes = ", ".join(map(str, sorted({n for one in found for n in one.players})))
    raise BadSetup(f"players: {players} given, {game} takes {takes}")


def show(report: Report) -> None:
    """The report as one reads it."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("law", "", "checks", "says"):
        table.add_column(name, justify="right" if name == "checks" else "left")
    colours = {"holds": "green", "broken": "bold red", "not asked": "dim"}
    for law in report.laws:
        says = "\n".join([law.says, *law.notes])
        table.add_row(
            law.name, Text(law.status, colours[law.status]), f"{law.checks:,}", Text(says)
        )
    console.print(table)
    for run in report.runs:
        line = f"{run.box}, {run.players} players: {run.games} games, {run.plies:,} plies"
        if run.counted or run.too_large:
            line += f", {run.counted} views enumerated, {run.too_large} too large"
        console.print(f"{line}, {run.seconds:.1f} s")
    broken = report.broken()
    if not broken:
        console.print(
            f"{report.game} keeps the contract, as far as these games show", style="green"
        )
    for law in report.laws:
        for failure in law.failures:
            console.print(f"\n{law.name} is broken: ", style="bold red", end="")
            console.print(Text(failure.says))
            options = ", ".join(f"{k}={v}" for k, v in failure.options.items()) or "default options"
            console.print(Text(f"  {failure.box}, {failure.players} players, {options}"))
            console.print(Text(f"  seed {failure.seed}: {failure.command}"), soft_wrap=True)
            if failure.moves:
                console.print(Text("  moves: " + "; ".join(failure.moves)), soft_wrap=True)
    if broken:
        console.print(f"\n{len(broken)} laws broken: {', '.join(broken)}", style="bold red")
