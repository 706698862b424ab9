"""islebots games lists what the registry has."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import islebots
from islebots.cli import main
from islebots.core import registry


def test_json_has_boxes_player_counts_and_options() -> None:
    done = CliRunner().invoke(main, ["games", "--json"])
    assert done.exit_code == 0, done.output
    found = {game["name"]: game for game in json.loads(done.stdout)}
    assert list(found) == islebots.games()
    for name, game in found.items():
        loaded = {box: islebots.load(name, box) for box in islebots.boxes(name)}
        assert game["boxes"] == [{"name": b, "players": g.players} for b, g in loaded.items()]
        options = {
            o["name"]: (tuple(o["choices"]), o["default"], o["doc"]) for o in game["options"]
        }
        assert options == loaded["base"].options


def test_the_list_names_every_option_with_what_it_is() -> None:
    done = CliRunner().invoke(main, ["games"])
    assert done.exit_code == 0, done.output
    said = " ".join(done.stdout.split())
    assert "box base: 3, 4, 5 players" in said
    assert "rounds 1, [2] rounds played; the box says 2" in said
    assert "kuhn_poker box base: 2 players" in said


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_a_game_that_cannot_be_loaded_does_not_hide_the_others(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(name: str, box: str = "base") -> islebots.Game:
        if name == "kuhn_poker":
            raise ImportError("no module named cards")
        return islebots.load(name, box)

    monkeypatch.setattr(registry, "load", load)
    done = CliRunner().invoke(main, ["games", *words])
    assert done.exit_code == 1
    assert "sea_and_coast" in done.stdout
    assert done.stderr == "islebots games: kuhn_poker cannot be loaded: no module named cards\n"
