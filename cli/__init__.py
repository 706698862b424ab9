"""The islebots command."""

from __future__ import annotations

import click

from islebots.cli.check import check


@click.group()
@click.version_option(package_name="islebots")
def main() -> None:
    """Bots for island games."""


main.add_command(check)
