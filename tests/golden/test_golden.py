"""The golden playthroughs are what the rules do today."""

from __future__ import annotations

import difflib
import re

import pytest

from tests.golden import GOLDEN, HERE, Golden

MOST = 150_000  # bytes a file, so that it can be read


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda g: f"{g.game}-{g.players}")
def test_a_game_played_again_is_the_one_in_the_file(golden: Golden) -> None:
    name = golden.path.relative_to(HERE)
    assert golden.path.exists(), f"no {name}: run `make golden`"
    old, new = golden.path.read_text("utf-8"), golden.text()
    if old != new:
        diff = difflib.unified_diff(
            old.splitlines(), new.splitlines(), "file", "now", "", "", 2, ""
        )
        first = "\n".join(list(diff)[:40])
        pytest.fail(
            f"{name} is not what happens now. If that is meant, run `make golden`, read the diff "
            f"and commit it. It begins:\n{first}",
            pytrace=False,
        )


def test_every_file_has_its_games_and_can_be_read() -> None:
    files = sorted(HERE.glob("*/*.txt"))
    assert files == sorted(golden.path for golden in GOLDEN), "run `make golden`"
    assert {file.name: file.stat().st_size for file in files if file.stat().st_size > MOST} == {}


def decided(game: str) -> set[str]:
    """The verbs of all moves and events in the files of a game."""
    text = "".join(golden.path.read_text("utf-8") for golden in GOLDEN if golden.game == game)
    return set(re.findall(r"^[>~] (?:[A-Z] )?(\w+)", text, re.MULTILINE))


def test_sea_and_coast_shows_every_kind_of_move() -> None:
    assert decided("sea_and_coast") == {
        "first", "turn", "deal", "passes", "plays", "takes", "steals", "robs", "swaps", "draws",
        "gives", "looks", "sees", "orders", "retrieves", "discards", "reveal",
    }  # fmt: skip


def test_kuhn_poker_shows_every_line_of_play() -> None:
    (golden,) = [golden for golden in GOLDEN if golden.game == "kuhn_poker"]
    games = golden.path.read_text("utf-8").split("\ngame ")[1:]
    lines = {" ".join(re.findall(r"^> . (\w+)", game, re.MULTILINE)) for game in games}
    assert lines == {
        "checks checks", "checks bets calls", "checks bets folds", "bets calls", "bets folds",
    }  # fmt: skip


def test_a_seat_sees_no_hidden_card_of_another() -> None:
    golden = GOLDEN[0]
    for line in golden.path.read_text("utf-8").splitlines():
        found = re.match(r"(\S+) +\| ([A-E])  points .* hand (.*?)(?:   plays (.*))?$", line)
        if found:
            who, seat, hand, laid = found.groups()
            if who != seat:
                assert set(hand) <= set("? -"), line
                assert "(" not in (laid or ""), line
