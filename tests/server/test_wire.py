"""Fields and notation of Sea and Coast survive the way through protobuf."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import islebots
from islebots.core.errors import BadText
from islebots.server import wire
from islebots.server.wire import sea_and_coast
from islebots.v1 import game_pb2, sea_and_coast_pb2

OPTIONS: list[dict[str, Any]] = [
    {},
    {"red_blue": "swap", "green_purple": "retrieve"},
    {"red_blue": "look", "green_purple": "swap", "rounds": 1},
    {"red_blue": "retrieve", "green_purple": "bonus", "red_blue_2": "look"},
]


def random_game(players: int, seed: int) -> Iterator[tuple[islebots.State, int]]:
    """Every state of a random game with the move made there."""
    rng = random.Random(seed)
    state = islebots.load("sea_and_coast").setup(players, **OPTIONS[seed])
    while state.actor != "over":
        move = rng.choice(state.possible())
        yield state, move
        state = state.apply(move)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(len(OPTIONS)))
def test_a_view_comes_back_as_it_was(players: int, seed: int) -> None:
    for state, _ in random_game(players, seed):
        for observer in [*range(players), "public"]:
            fields = state.view(observer).fields()
            sent = sea_and_coast.write_view(fields).SerializeToString()
            message = sea_and_coast_pb2.SeaAndCoastView.FromString(sent)
            assert sea_and_coast.read_view(message, "view") == fields


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(len(OPTIONS)))
def test_a_move_and_what_is_seen_of_it_come_back_as_they_were(players: int, seed: int) -> None:
    for state, move in random_game(players, seed):
        seen = {state.seen(move, observer) for observer in [*range(players), "public"]}
        if state.actor != "reveal":
            seen.add(move)
        for code in seen - {0}:
            text = state.game.text(code)
            sent = wire.write_move(text, state.game).SerializeToString()
            message = game_pb2.Move.FromString(sent)
            assert message.text == text
            message.text = ""
            assert wire.read_move(message, state.game, "move") == text


@pytest.mark.parametrize("options", OPTIONS)
def test_options_come_back_as_they_were(options: dict[str, Any]) -> None:
    game = islebots.load("sea_and_coast")
    sent = wire.write_options(options, game)
    assert wire.read_options(sent, game, "options") == options


def test_unset_options_are_left_to_the_default() -> None:
    game = islebots.load("sea_and_coast")
    message = game_pb2.Options(sea_and_coast=sea_and_coast_pb2.SeaAndCoastOptions())
    assert wire.read_options(message, game, "options") == {}


def test_an_unset_hand_is_not_known_and_an_empty_one_is_empty() -> None:
    fields = islebots.load("sea_and_coast").setup(3).view(0).fields()
    read = sea_and_coast.read_view(sea_and_coast.write_view(fields), "view")
    assert [seat["hand"] for seat in read["seats"]] == [[], None, None]


def test_text_and_fields_of_a_move_must_agree() -> None:
    game = islebots.load("sea_and_coast")
    move = wire.write_move("A plays R(9)", game)
    move.text = "A plays R(8)"
    with pytest.raises(BadText, match=r'move.text: "A plays R\(8\)" given, but'):
        wire.read_move(move, game, "move")


def test_plain_values_come_back_as_they_were() -> None:
    fields = {"pot": 2, "cards": ["K", None], "deep": {"share": 0.5, "over": False}, "none": {}}
    assert wire.read_struct(wire.write_struct(fields)) == fields
