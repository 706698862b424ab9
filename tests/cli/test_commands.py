"""Every command: help with an example, and bad input told in one line with exit status 2."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from islebots.cli import main


def commands(group: click.Group, *names: str) -> Iterator[tuple[str, ...]]:
    """The words that name each command, groups too."""
    yield names
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        else:
            yield (*names, name)


ALL = [" ".join(words) for words in commands(main)]


def command_of(words: list[str]) -> click.Command:
    """The command that some words name."""
    found: click.Command = main
    for word in words:
        if not isinstance(found, click.Group) or word not in found.commands:
            break
        found = found.commands[word]
    return found


@pytest.mark.parametrize("words", ALL)
def test_help_shows_an_example_of_the_command(words: str) -> None:
    done = CliRunner().invoke(main, [*words.split(), "--help"], prog_name="islebots")
    assert done.exit_code == 0, done.output
    assert f"Usage: islebots {words}".rstrip() in done.output
    lines = done.output.split("  Example:\n")[1].split("\n\n")[0].splitlines()
    assert lines
    for line in lines:
        example = shlex.split(line)
        assert example[0] == "islebots"
        assert " ".join(example[1:]).startswith(words)
        command = command_of(example[1:])
        assert not isinstance(command, click.Group), line
        given = example[1 + example[1:].index(command.name or "") + 1 :]
        command.make_context(command.name, given)  # its options and arguments are taken


@pytest.mark.parametrize("words", ["games", "check kuhn_poker --games 1", "bench rules kuhn_poker"])
def test_a_good_command_ends_with_status_0(words: str) -> None:
    short = ["--seconds", "0.02"] if "bench" in words else []
    done = CliRunner().invoke(main, [*words.split(), *short])
    assert done.exit_code == 0, done.output
    assert done.stderr == ""


REFUSED = {
    "check see_and_coast": 'game "see_and_coast": unknown; known: ',
    "check sea_and_coast --box big": 'box "big": unknown; sea_and_coast has base, mini',
    "check sea_and_coast --players 6": "players: 6 given, sea_and_coast takes 3, 4, 5",
    "bench rules see_and_coast": 'game "see_and_coast": unknown; known: ',
    "bench rules sea_and_coast --box ../base": 'box "../base": unknown; sea_and_coast has base, ',
    "bench rules sea_and_coast --players 6": "players: 6 given, sea_and_coast takes 3, 4, 5",
    "bench rules sea_and_coast --box mini --players 5": "players: 5 given, ",
    "bench rules sea_and_coast --players -1": "players: -1 given, sea_and_coast takes 3, 4, 5",
}


@pytest.mark.parametrize(("words", "says"), REFUSED.items())
def test_what_the_library_refuses_is_one_line_and_status_2(words: str, says: str) -> None:
    done = CliRunner().invoke(main, words.split())
    assert done.exit_code == 2
    assert done.stdout == ""
    name = " ".join(["islebots", *words.split()[: 2 if words.startswith("bench") else 1]])
    assert done.stderr.startswith(f"{name}: {says}")
    assert done.stderr.count("\n") == 1


USAGE = {
    "pley": "No such command 'pley'",
    "bench": "Usage: islebots bench",
    "bench speed": "No such command 'speed'",
    "bench rules": "Missing argument 'GAME'",
    "bench rules kuhn_poker --seconds 0": "Invalid value for '--seconds'",
    "bench rules kuhn_poker --seed -1": "Invalid value for '--seed'",
    "bench rules kuhn_poker --seed 18446744073709551616": "Invalid value for '--seed'",
    "bench rules kuhn_poker --players two": "Invalid value for '--players'",
    "check": "Missing argument 'GAME'",
    "check kuhn_poker --games 0": "Invalid value for '--games'",
    "games all": "Got unexpected extra argument (all)",
    "games --xml": "--xml",
    "serve --port 70000": "Invalid value for '--port'",
}


@pytest.mark.parametrize(("words", "says"), USAGE.items())
def test_words_that_mean_nothing_are_named_with_status_2(words: str, says: str) -> None:
    done = CliRunner().invoke(main, words.split(), prog_name="islebots")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert "Traceback" not in done.output


def test_the_installed_command_refuses_without_a_traceback() -> None:
    code = "import islebots.cli as c; c.main()"
    words = ["bench", "rules", "sea_and_coast", "--players", "6"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    says = "islebots bench rules: players: 6 given, sea_and_coast takes 3, 4, 5\n"
    assert done.stderr == says
