"""What a run of the kit found."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Status = Literal["holds", "broken", "not asked"]


@dataclass(frozen=True)
class Failure:
    """One game, or run of games, in which a law does not hold."""

    law: str
    says: str
    """What was found."""
    box: str
    players: int | None
    """None where it does not depend on it."""
    seed: int
    options: dict[str, Any]
    moves: list[str]
    """From the setup to the ply where it was found; empty for what all games show together."""
    command: str
    """What shows it again."""


@dataclass
class LawReport:
    """How one law fared."""

    name: str
    says: str
    where: str
    status: Status = "not asked"
    checks: int = 0
    notes: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


@dataclass
class RunReport:
    """The games of one box and player count."""

    box: str
    players: int
    games: int = 0
    plies: int = 0
    counted: int = 0
    """Views whose worlds were enumerated."""
    too_large: int = 0
    """Views that had too many histories for it."""
    seconds: float = 0.0


@dataclass
class Report:
    """All of it."""

    game: str
    seed: int
    runs: list[RunReport] = field(default_factory=list)
    laws: list[LawReport] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Does every law hold, as far as was asked?"""
        return all(law.status != "broken" for law in self.laws)

    def broken(self) -> list[str]:
        """The names of the laws that do not hold."""
        return [law.name for law in self.laws if law.status == "broken"]

    def to_dict(self) -> dict[str, Any]:
        """For JSON. Seeds are strings: some programs read numbers as floats."""
        out = asdict(self) | {"ok": self.ok, "seed": str(self.seed)}
        for law in out["laws"]:
            for failure in law["failures"]:
                failure["seed"] = str(failure["seed"])
        return out
