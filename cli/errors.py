"""How a command refuses: one line on stderr, exit status 2, no traceback."""

from __future__ import annotations

from typing import Any

import click

from islebots.core.errors import IslebotsError


class Command(click.Command):
    """A command whose IslebotsError is told in one line."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except IslebotsError as error:
            click.echo(f"{name_of(ctx)}: {error}", err=True)
            raise SystemExit(2) from None


def name_of(ctx: click.Context) -> str:
    """The command in full: islebots bench rules."""
    names = []
    while ctx.parent is not None:
        names.append(ctx.info_name or "")
        ctx = ctx.parent
    return " ".join(["islebots", *reversed(names)])
