"""§1 The box."""

from collections import Counter

import pytest

import islebots
from tests.rules.sea_and_coast.table import CARDS, start, trick

rule = pytest.mark.rule

ACTIONS = ["bonus", "swap", "look", "retrieve"]
PHASES = {"bonus": "rob", "swap": "swap", "look": "look", "retrieve": "retrieve"}

# Nobody lays the colours on top but B and C; A and D win a colour that is not there.
TWO_ACTIONS = """
first {first}, tops {tops}, actions {actions}
A lays {a}
B lays {b}, bonus 2
C lays {c}, bonus 2
D lays {d}
"""


@rule("1.1")
def test_there_are_48_island_cards_four_colours_numbers_1_to_12_each_once():
    table = start(4).do("first A").turn("R4 G2")
    first_cards = [move.split()[2] for move in table.chances()]
    assert sorted(first_cards) == sorted(CARDS)
    assert len(first_cards) == 48
    assert all(p == pytest.approx(1 / 48) for p in table.chances().values())


@rule("1.2")
def test_there_are_32_treasures_eight_of_each_colour_worth_1_2_2_3_3_4_4_5():
    left = start(4).fields["left"]
    assert sum(left.values()) == 32
    for colour in "RBGP":
        assert [left[f"{colour}{n}"] for n in (1, 2, 3, 4, 5)] == [1, 2, 2, 2, 1]


@rule("1.3")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_there_are_22_bonus_cards(players):
    assert start(players).supply == 22


@rule("1.3")
@pytest.mark.parametrize("green_purple", ACTIONS)
@pytest.mark.parametrize("red_blue", ACTIONS)
def test_the_two_action_cards_never_show_the_same_action(red_blue, green_purple):
    if red_blue == green_purple:
        with pytest.raises(islebots.IslebotsError):
            start(4, red_blue=red_blue, green_purple=green_purple)
    else:
        table = start(4, red_blue=red_blue, green_purple=green_purple)
        assert table.fields["actions"][0] == [red_blue, green_purple]


@rule("1.3")
def test_nor_do_they_in_the_second_round():
    with pytest.raises(islebots.IslebotsError):
        start(4, red_blue="bonus", green_purple="look", red_blue_2="look")
    start(4, red_blue="bonus", green_purple="look", red_blue_2="look", green_purple_2="bonus")


@rule("1.3", "J22")
@pytest.mark.parametrize(
    ("tops", "cards", "winner"),
    [
        ("R4 G2", "B5 R3 G4 G6", "A"),  # blue
        ("B4 G2", "R5 B3 G4 G6", "A"),  # red
        ("R4 G2", "B3 R5 B6 G5", "C"),
    ],
)
@pytest.mark.parametrize("action", ACTIONS)
def test_both_colours_of_the_red_blue_card_start_its_action(action, tops, cards, winner):
    other = "look" if action != "look" else "swap"
    a, b, c, d = cards.split()
    table = trick(
        TWO_ACTIONS, first="A", tops=tops, actions=f"{action} {other}", a=a, b=b, c=c, d=d
    )
    if action == "bonus":
        # With nobody, or only one, to rob there is nothing to ask: see 6.5.
        assert table.bonus(winner) >= 2 or table.phase == "rob"
    else:
        assert (table.phase, table.turn_of) == (PHASES[action], winner)


@rule("1.3", "J22")
@pytest.mark.parametrize(("tops", "card"), [("R4 G2", "P5"), ("R4 P2", "G5")])
@pytest.mark.parametrize("action", ACTIONS)
def test_both_colours_of_the_green_purple_card_start_its_action(action, tops, card):
    other = "look" if action != "look" else "swap"
    on_deck = tops[3] + "6"
    table = trick(
        TWO_ACTIONS, first="A", tops=tops, actions=f"{other} {action}", a=card, b="R3", c="R6",
        d=on_deck,
    )  # fmt: skip
    assert (table.phase, table.turn_of) == (PHASES[action], "A")


@rule("1.4", "J22")
def test_by_default_red_blue_shows_bonus_and_green_purple_look_in_both_rounds():
    assert start(4).fields["actions"] == [["bonus", "look"], ["bonus", "look"]]


@rule("1.4")
@pytest.mark.parametrize(
    ("options", "actions"),
    [
        (
            {"red_blue": "swap", "green_purple": "retrieve"},
            [["swap", "retrieve"], ["swap", "retrieve"]],
        ),
        (
            {"red_blue_2": "swap", "green_purple_2": "retrieve"},
            [["bonus", "look"], ["swap", "retrieve"]],
        ),
        ({"red_blue_2": "swap"}, [["bonus", "look"], ["swap", "look"]]),
        ({"green_purple_2": "swap"}, [["bonus", "look"], ["bonus", "swap"]]),
        (
            {"red_blue": "look", "green_purple": "bonus", "red_blue_2": "same"},
            [["look", "bonus"], ["look", "bonus"]],
        ),
    ],
)
def test_which_actions_are_up_is_an_option_of_each_round(options, actions):
    assert start(4, **options).fields["actions"] == actions


@rule("1.4")
def test_round_2_plays_with_its_own_actions():
    table = start(4, red_blue_2="retrieve").do("first A")
    assert table.fields["actions"] == [["bonus", "look"], ["retrieve", "look"]]


@rule("1.2")
def test_treasures_of_the_decks_add_up_to_the_box():
    left = Counter(start(5).fields["left"])
    assert sum(int(treasure[1:]) * n for treasure, n in left.items()) == 96
