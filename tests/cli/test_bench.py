"""islebots bench rules: every figure is there. How large it is, is not asked."""

from __future__ import annotations

import json

from click.testing import CliRunner

import islebots
from islebots.cli import main

SPEEDS = ("games_per_second", "plies_per_second", "worlds_per_second")
SIZES = ("state_bytes", "view_bytes")


def run(*words: str) -> str:
    """What the command prints in a short time."""
    done = CliRunner().invoke(main, ["bench", "rules", *words, "--seconds", "0.05"])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_json_of_one_player_count_is_one_object_with_every_figure() -> None:
    row = json.loads(run("sea_and_coast", "--players", "4", "--seed", "3", "--json"))
    assert (row["game"], row["box"], row["players"]) == ("sea_and_coast", "base", 4)
    assert row["seed"] == "3"
    for name in SPEEDS:
        assert isinstance(row[name], float)
        assert row[name] > 0
    for name in SIZES:
        assert row[name] == islebots.load("sea_and_coast").state_bytes
    # A game has at least the deal, 4 passes, 4 cards a trick.
    assert row["plies_per_second"] > 50 * row["games_per_second"]


def test_json_of_a_whole_box_is_a_list_of_all_player_counts() -> None:
    rows = json.loads(run("sea_and_coast", "--box", "mini", "--json"))
    assert [row["players"] for row in rows] == [3, 4]
    assert all(row[name] > 0 for row in rows for name in SPEEDS)
    assert len(json.loads(run("kuhn_poker", "--json"))) == 1


def test_the_table_has_a_row_for_each_player_count() -> None:
    head, names, *rows = run("sea_and_coast", "--box", "mini").splitlines()
    assert head == "sea_and_coast, box mini, one core"
    assert names.split("  ")[0] == "players"
    assert [row.split()[0] for row in rows] == ["3", "4"]
    size = f"{islebots.load('sea_and_coast').state_bytes:,}"
    assert all(row.split()[-2:] == [size, size] for row in rows)


def test_a_seed_at_its_upper_end_is_taken() -> None:
    run("kuhn_poker", "--seed", str(2**64 - 1))
