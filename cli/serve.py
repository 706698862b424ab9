"""islebots serve: the gRPC service."""

from __future__ import annotations

import logging
import sys

import click

from islebots.cli.errors import Command
from islebots.server.settings import Settings

DEFAULT = Settings()


@click.command(cls=Command)
@click.option("--host", default=DEFAULT.host, show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT.port,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    default=DEFAULT.threads,
    show_default="one a core",
    help="Threads for the work of calls.",
)
@click.option(
    "--max-message-kb",
    type=click.IntRange(16, 65536),
    default=DEFAULT.max_message_kb,
    show_default=True,
    help="Longest request or answer.",
)
@click.option(
    "--grace-s",
    type=click.FloatRange(0, 3600),
    default=DEFAULT.grace_s,
    show_default=True,
    help="Time for running calls to end when the server stops.",
)
def serve(host: str, port: int, threads: int, max_message_kb: int, grace_s: float) -> None:
    """Serve the bots over gRPC, until SIGTERM or Ctrl-C.

    \b
    Example:
      islebots serve --port 50052
    """
    from islebots.server import grpc_door

    logging.basicConfig(
        stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s"
    )
    sys.exit(grpc_door.serve(Settings(host, port, threads, max_message_kb, grace_s)))
