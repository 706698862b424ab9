"""islebots games: which games there are."""

from __future__ import annotations

import json
from typing import Any

import click

from islebots.cli.errors import Command


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print them as JSON.")
def games(as_json: bool) -> None:
    """List the games with their boxes, player counts and options.

    Games of other packages that are installed are listed too. Exit status 1 if one of them cannot
    be loaded; the others are listed all the same.

    \b
    Example:
      islebots games
    """
    from islebots.core import registry

    found, broken = [], []
    for name in registry.games():
        try:
            found.append(describe(name))
        except Exception as error:  # of another package
            broken.append(f"islebots games: {name} cannot be loaded: {error}")
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        show(found)
    for line in broken:
        click.echo(line, err=True)
    if broken:
        raise SystemExit(1)


def describe(name: str) -> dict[str, Any]:
    """What the registry knows of a game."""
    from islebots.core import registry

    boxes = [registry.load(name, box) for box in registry.boxes(name)]
    return {
        "name": name,
        "boxes": [{"name": box.box_name, "players": box.players} for box in boxes],
        "options": [
            {"name": option, "choices": list(choices), "default": default, "doc": doc}
            for option, (choices, default, doc) in boxes[0].options.items()
        ],
    }


def show(found: list[dict[str, Any]]) -> None:
    """The games as one reads them."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    for i, game in enumerate(found):
        console.print(Text(("\n" if i else "") + game["name"], "bold"))
        for box in game["boxes"]:
            players = ", ".join(map(str, box["players"]))
            console.print(Text(f"  box {box['name']}: {players} players"), soft_wrap=True)
        table = Table(box=None, show_header=False, padding=(0, 0, 0, 2))
        for option in game["options"]:
            choices = ", ".join(
                f"[{choice}]" if choice == option["default"] else str(choice)
                for choice in option["choices"]
            )
            table.add_row(Text(option["name"]), Text(choices), Text(option["doc"]))
        console.print(table if game["options"] else "  no options")
    if any(game["options"] for game in found):
        console.print("\nOf an option the choice in brackets is the default.")
