"""What a server is told when it starts."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Settings:
    """The settings of a server; `islebots serve --help` says the same."""

    host: str = "127.0.0.1"  # the address to listen on
    port: int = 50051  # 0 = any free one
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)  # for the work of calls
    max_message_kb: int = 1024  # a longer request or answer is refused
    grace_s: float = 5.0  # how long running calls may take to end when the server stops
