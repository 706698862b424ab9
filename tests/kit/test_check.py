"""The kit on our own games, and the command."""

from __future__ import annotations

import json
import shlex

import pytest
from click.testing import CliRunner, Result

import islebots
from islebots.cli import main
from islebots.core import registry
from islebots.core.kit import check
from tests.kit.table import Changes, Real, build, numbers_at


def run(*words: str) -> Result:
    """The command with these words."""
    return CliRunner().invoke(main, ["check", *words])


def say(report: object) -> str:
    """A report as text, for a failed assertion."""
    return json.dumps(report, indent=1)


@pytest.mark.parametrize("name", islebots.games())
def test_a_game_keeps_the_contract(name: str) -> None:
    for box in islebots.boxes(name):
        report = check([islebots.load(name, box)], n_games=20 if box == "mini" else 6)
        assert report.ok, say(report.to_dict())


@pytest.mark.long
@pytest.mark.parametrize("name", islebots.games())
def test_a_game_keeps_the_contract_in_a_thousand_games(name: str) -> None:
    for box in islebots.boxes(name):
        report = check([islebots.load(name, box)], n_games=1000, seed=1_000_000)
        assert report.ok, say(report.to_dict())


def test_the_report_says_what_was_asked() -> None:
    done = run("sea_and_coast", "--box", "mini", "--players", "3", "--games", "2")
    assert done.exit_code == 0, done.output
    assert "keeps the contract" in done.output
    assert "mini, 3 players: 2 games" in done.output


def test_json_has_every_law() -> None:
    done = run("sea_and_coast", "--box", "mini", "--games", "2", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["ok"] is True
    assert report["seed"] == "0"
    assert [r["players"] for r in report["runs"]] == islebots.load("sea_and_coast", "mini").players
    assert {law["status"] for law in report["laws"]} <= {"holds", "not asked"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["see_and_coast"], 'game "see_and_coast": unknown; known: '),
        (["sea_and_coast", "--box", "big"], 'box "big": unknown; sea_and_coast has base, mini'),
        (["sea_and_coast", "--players", "9"], "players: 9 given, sea_and_coast takes 3, 4, 5"),
    ],
)
def test_what_does_not_exist_is_one_line_and_status_2(words: list[str], says: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"islebots check: {says}")
    assert done.stderr.count("\n") == 1


def rewards_for_long_games(real: Real) -> Changes:
    """Rewards that are wrong in some games only."""

    def rewards(box: int, state: int, out: int) -> None:
        share = 1.5 if real.secret(state) % 3 == 0 else 0.5
        numbers_at(out, 3)[:] = [share, 0.0, 0.0]

    return {"rewards": rewards}


def test_a_failure_is_shown_again_by_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    game = build("sea_and_coast", "mini", 3, rewards_for_long_games)
    monkeypatch.setattr(registry, "load", lambda name, box="base": game)
    done = run("sea_and_coast", "--box", "mini", "--players", "3", "--games", "12", "--json")
    assert done.exit_code == 1, done.output
    (law,) = [law for law in json.loads(done.stdout)["laws"] if law["status"] == "broken"]
    assert law["name"] == "rewards"
    failure = law["failures"][-1]
    again = run(*shlex.split(failure["command"])[2:], "--json")
    assert again.exit_code == 1
    laws = {law["name"]: law for law in json.loads(again.stdout)["laws"]}
    assert laws["rewards"]["failures"] == [failure]
    state = game.setup(3, **failure["options"])
    for text in failure["moves"]:  # and by its moves alone
        state = state.apply(text)
    assert state.rewards()[0] == 1.5
    text = run(*shlex.split(failure["command"])[2:])
    assert text.exit_code == 1
    assert "rewards is broken: rewards: [1.5, 0.0, 0.0]" in text.stdout
    assert failure["command"] in text.stdout
    assert "; ".join(failure["moves"]) in text.stdout
