"""A server on a free loopback port, always stopped, and a stub of its calls."""

from __future__ import annotations

import queue
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from islebots.v1 import bot_pb2_grpc

PATIENCE = 60  # seconds a start or stop may take on a loaded machine


class Running:
    """`islebots serve` as a process of its own."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-c", "import islebots.cli as c; c.main()", "serve", *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.lines: list[str] = []
        self.said: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said.put(line)
        self.said.put(None)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """The first line of the log that matches."""
        while (line := self.said.get(timeout=PATIENCE)) is not None:
            self.lines.append(line)
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"no {pattern!r} in\n{''.join(self.lines)}")

    def address(self) -> str:
        """Where it listens, once it does."""
        return self.wait_for(r"serving \S+ on (\S+:\d+)")[1]

    def stop(self) -> int:
        """Ends it, by force if need be; its exit status."""
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a server that all tests share."""
    server = Running("--port", "0")
    try:
        yield server.address()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def channel(address: str) -> Iterator[grpc.Channel]:
    """A channel to that server."""
    with grpc.insecure_channel(address) as channel:
        yield channel


@pytest.fixture(scope="session")
def bots(channel: grpc.Channel) -> Any:
    """Its calls."""
    return bot_pb2_grpc.BotServiceStub(channel)
