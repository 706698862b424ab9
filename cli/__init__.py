"""The islebots command."""

from __future__ import annotations

import click

from islebots.cli.bench import bench
from islebots.cli.check import check
from islebots.cli.games import games
from islebots.cli.serve import serve


@click.group(name="islebots")
@click.version_option(package_name="islebots")
def main() -> None:
    """Bots for island games.

    \b
    Example:
      islebots games
      islebots check sea_and_coast --games 20
    """


main.add_command(bench)
main.add_command(check)
main.add_command(games)
main.add_command(serve)
