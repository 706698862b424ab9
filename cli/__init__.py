"""The islebots command."""

from __future__ import annotations

import click

from islebots.cli.check import check
from islebots.cli.serve import serve


@click.group()
@click.version_option(package_name="islebots")
def main() -> None:
    """Bots for island games."""


main.add_command(check)
main.add_command(serve)
