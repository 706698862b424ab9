"""§2 Setting up a round."""

from collections import Counter

import pytest

import islebots
from tests.rules.sea_and_coast.table import (
    CARDS,
    SEATS,
    ascending,
    cards,
    dealt,
    game,
    passable,
    start,
    treasures,
    trick,
)

rule = pytest.mark.rule

# Longest colours: A red, B blue, C green, D purple.
HANDS = {
    "A": "R1-5 B1-4 G1-2 P1",
    "B": "B5-9 R6-9 G3-4 P2",
    "C": "G5-9 P3-6 R10-11 B10",
    "D": "P7-12 R12 B11-12 G10-12",
}
PASSES = ("A passes R5", "B passes B9", "C passes G9", "D passes P12")


def hands_dealt():
    return start(4).deal(HANDS, tops="R4 G2")


def last_trick_of_round_1():
    return trick("""
        first A, tops R4 G2, trick 12
        A lays R1
        B lays R2
        C lays G3
        D lays G4
    """)


# ---- 2.1 – 2.7 --------------------------------------------------------------
@rule("2.1", "J33")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_seat_is_drawn_at_random_as_the_first_player(players):
    table = start(players)
    assert table.phase == "first"
    assert table.chances() == {
        f"first {seat}": pytest.approx(1 / players) for seat in SEATS[:players]
    }


@rule("2.1", "3.1")
@pytest.mark.parametrize("first", "ABCD")
def test_the_seat_drawn_lays_the_first_card(first):
    table = start(4).deal({}, tops="R4 G2", first=first).pass_on()
    assert (table.phase, table.turn_of, table.fields["first"]) == ("play", first, first)


@rule("2.2", "2.3")
def test_the_box_is_for_3_to_5_players():
    assert list(game().players) == [3, 4, 5]
    for players in (2, 6):
        with pytest.raises(islebots.IslebotsError):
            start(players)


@rule("2.2")
def test_with_3_players_20_treasures_are_one_deck_without_a_2_a_3_and_a_4_of_each_colour():
    table = start(3)
    assert table.fields["left"] == {f"{c}{n}": 1 for c in "RBGP" for n in (1, 2, 3, 4, 5)}
    assert len(table.fields["tops"]) == 1
    turn = table.do("first A").chances()
    assert turn == {f"turn {c}{n}": pytest.approx(1 / 20) for c in "RBGP" for n in range(1, 6)}


@rule("2.3")
@pytest.mark.parametrize("players", [4, 5])
def test_with_4_or_5_players_all_treasures_lie_in_a_red_blue_and_a_green_purple_deck(players):
    table = start(players)
    assert sum(table.fields["left"].values()) == 32
    assert len(table.fields["tops"]) == 2
    decks = set()
    table = table.do("first A")
    for _ in range(2):
        decks.add("".join(sorted({move.split()[1][0] for move in table.chances()})))
        table = table.do(next(iter(table.chances())))
    assert decks == {"BR", "GP"}
    assert table.fields["tops"][0][0] in "RB"
    assert table.fields["tops"][1][0] in "GP"


@rule("2.4")
def test_decks_are_shuffled_and_their_top_cards_turned_up():
    table = start(4).do("first A")
    for _ in range(2):
        for move, p in table.chances().items():
            assert p == pytest.approx(treasures(4)[move.split()[1]] / 16)
        table = table.do(next(iter(table.chances())))
    assert None not in table.fields["tops"]
    assert sum(table.fields["left"].values()) == 30


@rule("2.5")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_bonus_cards_lie_in_the_supply(players):
    table = dealt(players)
    assert table.supply == 22
    assert table.bonuses() == [0] * players


@rule("2.6")
@pytest.mark.parametrize(("players", "size", "boxed"), [(3, 12, 12), (4, 12, 0), (5, 9, 3)])
def test_everybody_is_dealt_12_or_9_cards_and_the_rest_is_out_of_the_game(players, size, boxed):
    table = dealt(players)
    assert [len(hand) for hand in table.hands().values()] == [size] * players
    held = table.held()
    assert len(set(held)) == len(held) == 48 - boxed


@rule("2.6", "8.2")
@pytest.mark.parametrize("players", [3, 5])
def test_the_rest_goes_into_the_box_unseen(players):
    table = dealt(players)
    held = set(table.held())
    boxed = {card for world in table.worlds("A", 300) for card in set(CARDS) - set(world.held())}
    assert boxed == set(CARDS) - set(table.hand("A")), "any card but the own may be in the box"
    assert boxed & held


@rule("2.7")
def test_a_player_sees_only_the_own_hand():
    table = dealt(4)
    for i, seat in enumerate("ABCD"):
        view = table.view(seat)
        assert view["seats"][i]["hand"] == table.hand(seat)
        assert [other["hand"] for j, other in enumerate(view["seats"]) if j != i] == [None] * 3
        assert [other["hand_size"] for other in view["seats"]] == [12] * 4
    assert [other["hand"] for other in table.view("public")["seats"]] == [None] * 4


# ---- 2.8 – 2.12: the pass ---------------------------------------------------
@rule("2.8", "J20")
def test_everybody_passes_the_highest_card_of_the_longest_colour():
    table = hands_dealt()
    assert [table.moves(seat) for seat in "ABCD"] == [{move} for move in PASSES]


@rule("2.8", "J20")
def test_the_card_goes_to_the_right_b_gives_to_a_and_a_to_the_last_seat():
    table = hands_dealt().do(*PASSES)
    hands = {seat: set(cards(text)) for seat, text in HANDS.items()}
    assert set(table.hand("A")) == hands["A"] - {"R5"} | {"B9"}
    assert set(table.hand("B")) == hands["B"] - {"B9"} | {"G9"}
    assert set(table.hand("C")) == hands["C"] - {"G9"} | {"P12"}
    assert set(table.hand("D")) == hands["D"] - {"P12"} | {"R5"}


@rule("2.9", "J20")
@pytest.mark.parametrize(
    ("hand", "passes"),
    [
        ("R1-4 B1-4 G1-2 P1-2", "R4 B4"),
        ("R1-3 B1-4 G1-3 P1-2", "B4"),
        ("R1-4 B5 B7 B9 B11 G1-4", "R4 B11 G4"),
        ("R1-3 B1-3 G1-3 P10-12", "R3 B3 G3 P12"),
        ("R12 B1-5 G7-11 P12", "B5 G11"),
        ("R12 B1-6 G8-11 P12", "B6"),
    ],
)
def test_if_colours_are_tied_the_giver_chooses_among_their_highest_cards(hand, passes):
    table = start(4).deal({"A": hand}, tops="R4 G2")
    assert table.moves("A") == {f"A passes {card}" for card in passes.split()}


@rule("2.8", "2.9")
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(5))
def test_no_other_card_may_be_passed_whatever_is_dealt(players, seed):
    table = dealt(players, seed)
    for seat in SEATS[:players]:
        assert table.moves(seat) == {f"{seat} passes {c}" for c in passable(table.hand(seat))}


@rule("2.10", "J1")
def test_all_choose_at_once():
    table = hands_dealt()
    assert table.state.deciders == [0, 1, 2, 3]
    assert table.do("C passes G9").state.deciders == [0, 1, 3]
    one_way = table.do(*PASSES)
    other_way = table.do(*reversed(PASSES))
    assert one_way.state == other_way.state


@rule("2.10", "J1")
def test_nobody_knows_who_has_already_chosen():
    before = hands_dealt()
    after = before.do("B passes B9", "C passes G9")
    for observer in ("A", "D", "public"):
        assert after.view(observer) == before.view(observer)
    assert before.seen("B passes B9", "A") == "nothing"


@rule("2.10", "J1")
def test_nobody_has_seen_the_card_received_when_choosing():
    table = hands_dealt().do("B passes B9", "C passes G9", "D passes P12")
    assert table.turn_of == "A"
    assert table.hand("A") == cards(HANDS["A"])
    assert table.view("A")["seats"][1]["passed"] is None
    assert table.moves("A") == {"A passes R5"}


@rule("2.11", "J20", "8.2")
def test_the_card_passed_is_seen_by_giver_and_receiver_only():
    table = hands_dealt().do(*PASSES)

    def passed(observer):
        return [seat["passed"] for seat in table.view(observer)["seats"]]

    assert passed("A") == ["R5", "B9", None, None]
    assert passed("B") == [None, "B9", "G9", None]
    assert passed("C") == [None, None, "G9", "P12"]
    assert passed("D") == ["R5", None, None, "P12"]
    assert passed("public") == [None] * 4


@rule("2.12", "J1", "7.7")
def test_cards_are_passed_in_round_2_too():
    table = last_trick_of_round_1()
    assert table.fields["round"] == 2
    table = table.deal(HANDS, tops="R4 G2")
    assert table.phase == "pass"
    assert table.state.deciders == [0, 1, 2, 3]
    table = table.do(*PASSES)
    assert table.hand("A") == ascending(set(cards(HANDS["A"])) - {"R5"} | {"B9"})


@rule("2.4", "7.7")
def test_decks_are_shuffled_anew_for_round_2():
    table = last_trick_of_round_1()
    turned = Counter()
    while table.phase == "turn":
        turned.update(move.split()[1] for move in table.chances())
        table = table.do(next(iter(table.chances())))
    assert turned.keys() == treasures(4).keys()
