"""§4 Who wins a colour."""

import pytest

from tests.rules.sea_and_coast.table import position, trick

rule = pytest.mark.rule


# ---- 4.1 – 4.4: the winner --------------------------------------------------
ONE_RED_CARD_EACH = """
first A, tops R4 G2
A lays {a}
B lays {b}
C lays {c}
D lays G5
"""


@rule("4.1")
@pytest.mark.parametrize(
    ("a", "b", "c", "winner"),
    [
        ("R7", "R9", "G1", "B"),
        ("R9", "R7", "G1", "A"),
        ("R7", "R9", "R10", "C"),
        ("R7", "R9", "R8", "B"),
    ],
)
def test_the_highest_value_of_a_colour_wins_it(a, b, c, winner):
    table = trick(ONE_RED_CARD_EACH, a=a, b=b, c=c)
    assert table.pile(winner) == "R4"
    assert sum(pile.startswith("R") for pile in table.piles()) == 1


@rule("4.1")
def test_a_card_alone_in_its_colour_wins_it():
    table = trick(ONE_RED_CARD_EACH, a="G12", b="R1", c="G11")
    assert table.pile("B") == "R4"


@rule("4.2", "J4")
@pytest.mark.parametrize(("first", "winner"), [("A", "A"), ("B", "B"), ("C", "A"), ("D", "A")])
def test_of_equal_values_the_seat_nearer_to_the_first_player_ranks_higher(first, winner):
    table = trick("""
        first {first}, tops R4 G2
        A lays R9
        B lays R7+2, bonus 2
        C lays G3
        D lays G5
    """, first=first)  # fmt: skip
    assert table.pile(winner) == "R4"


@rule("4.2", "J4")
@pytest.mark.parametrize(("first", "winner"), [("A", "A"), ("B", "C"), ("C", "C"), ("D", "A")])
def test_nearer_is_clockwise_from_him(first, winner):
    table = trick("""
        first {first}, tops R4 G2
        A lays R7+2, bonus 2
        B lays G3
        C lays R9
        D lays G5
    """, first=first)  # fmt: skip
    assert table.pile(winner) == "R4"


@rule("4.3", "J4")
@pytest.mark.parametrize(("first", "lowest"), [("A", "B"), ("B", "A"), ("C", "B"), ("D", "B")])
def test_of_equal_lowest_values_the_one_farther_from_the_first_player_is_the_lowest(first, lowest):
    table = trick("""
        first {first}, tops R4 G2
        A lays R5
        B lays R3+2, bonus 2
        C lays R9
        D lays G5
    """, first=first)  # fmt: skip
    assert table.pile("C") == "R4"
    assert table.bonuses() == ([3, 0, 0, 0] if lowest == "A" else [0, 3, 0, 0])


@rule("4.2", "4.3", "J4")
@pytest.mark.parametrize(("first", "winner", "lowest"), [("A", "A", "B"), ("B", "B", "A")])
def test_of_two_equal_cards_the_nearer_wins_and_the_farther_is_lowest(first, winner, lowest):
    table = trick("""
        first {first}, tops R4 G2
        A lays R5
        B lays R4+1, bonus 1
        C lays G9
        D lays G5
    """, first=first)  # fmt: skip
    assert table.pile(winner) == "R4"
    assert table.bonus(lowest) == 2
    assert table.bonus(winner) == 0


@rule("4.4")
def test_several_colours_can_be_won_in_one_trick_by_different_players():
    table = trick("""
        first A, tops R4 G2
        A lays R9
        B lays R3
        C lays G4
        D lays G8
    """)
    assert table.piles() == ["R4", "", "", "G2"]


# ---- 4.5 – 4.7: bonus for the lowest ----------------------------------------
@rule("4.5", "4.6", "J5", "J23")
@pytest.mark.parametrize(
    ("cards", "bonus"),
    [
        ("R2 G1 G3 G5 G7", [0, 4, 0, 0, 0]),
        ("R2 R3 G3 G5 G7", [2, 0, 3, 0, 0]),
        ("R3 R5 R2 G5 G7", [0, 0, 3, 2, 0]),
        ("R9 R7 R5 R3 G7", [0, 0, 0, 4, 0]),
        ("R9 R7 R5 R3 R1", [0, 0, 0, 0, 5]),
    ],
)
def test_the_lowest_gets_as_many_bonus_as_cards_of_the_colour_if_there_are_two(cards, bonus):
    a, b, c, d, e = cards.split()
    table = trick("""
        first A, tops R4 G2
        A lays {a}
        B lays {b}
        C lays {c}
        D lays {d}
        E lays {e}
    """, a=a, b=b, c=c, d=d, e=e)  # fmt: skip
    assert table.bonuses() == bonus
    assert table.supply == 22 - sum(bonus)


@rule("4.6", "J23")
def test_a_winner_alone_gets_no_bonus_nor_does_a_card_in_the_middle():
    table = trick("""
        first A, tops R4 G2
        A lays R2
        B lays G9
        C lays G5
        D lays G1
    """)
    assert table.bonus("A") == 0, "alone in red"
    assert table.bonus("B") == 0, "the winner of green"
    assert table.bonus("C") == 0, "in the middle"
    assert table.bonus("D") == 3


# A and C are the lowest of two colours of two cards each; 22 - 19 = 3 bonus are left.
SHORT_SUPPLY = """
first {first}, tops R4 G2
A lays R1, bonus {a}
B lays R5
C lays G1, bonus {c}
D lays G5
"""


@rule("4.7", "J5")
@pytest.mark.parametrize(
    ("first", "got"), [("A", (2, 1)), ("B", (1, 2)), ("C", (1, 2)), ("D", (2, 1))]
)
def test_a_short_supply_serves_clockwise_from_the_first_player_who_takes_what_is_left(first, got):
    table = trick(SHORT_SUPPLY, first=first, a=9, c=10)
    assert (table.bonus("A") - 9, table.bonus("C") - 10) == got
    assert table.supply == 0


@rule("4.7", "J5")
@pytest.mark.parametrize(
    ("left", "got"), [(0, (0, 0)), (1, (1, 0)), (2, (2, 0)), (3, (2, 1)), (4, (2, 2)), (5, (2, 2))]
)
def test_a_receiver_takes_what_the_supply_has(left, got):
    table = trick(SHORT_SUPPLY, first="A", a=10, c=12 - left)
    assert (table.bonus("A") - 10, table.bonus("C") - 12 + left) == got
    assert table.supply == max(left - 4, 0)


@rule("4.7", "J6")
def test_bonus_laid_in_this_trick_are_not_yet_in_the_supply():
    table = trick("""
        first A, tops R4 G2
        A lays R1
        B lays R5+4, bonus 12
        C lays G1, bonus 10
        D lays G5
    """)
    assert table.bonuses() == [0, 8, 10, 0]


# ---- 4.8, 4.9: three players ------------------------------------------------
# The example of the rulebook: red lies on the deck, so green and purple are one suit.
RULEBOOK = """
first {first}, tops R4
A lays R4
B lays P7
C lays G9
"""


@rule("4.8", "J10", "J28", "6.2")
def test_with_3_players_the_two_colours_absent_from_the_deck_are_one_suit():
    table = trick(RULEBOOK, first="A")
    assert table.pile("A") == "R4"
    assert table.bonuses() == [0, 2, 0], "purple 7 is the lowest of two"
    assert (table.phase, table.for_whom) == ("see", "C"), "green 9 wins the action"
    assert table.fields["acts"] == []


@rule("4.8", "J10", "J28")
@pytest.mark.parametrize(
    ("top", "one", "other"),
    [
        ("R4", "G", "P"),
        ("B4", "G", "P"),
        ("G4", "R", "B"),
        ("P4", "R", "B"),
    ],
)
def test_it_is_the_action_card_whose_colours_are_both_absent(top, one, other):
    table = trick("""
        first A, tops {top}, actions swap look
        A lays {one}4
        B lays {other}7
        C lays {top[0]}1
    """, top=top, one=one, other=other)  # fmt: skip
    assert table.pile("C") == top
    assert table.bonuses() == [2, 0, 0]
    assert table.for_whom == "B"
    assert table.phase == ("see" if one == "G" else "swap")


@rule("4.8", "J10")
def test_three_cards_of_the_merged_suit_have_one_winner_one_lowest_and_three_bonus():
    table = trick("""
        first A, tops R4
        A lays G8
        B lays P3
        C lays P10
    """)
    assert table.bonuses() == [0, 3, 0]
    assert (table.phase, table.for_whom) == ("see", "C")


@rule("4.8", "4.2", "J10")
@pytest.mark.parametrize(("first", "winner", "lowest"), [("A", "B", "C"), ("C", "C", "B")])
def test_ties_in_the_merged_suit_go_by_the_seats(first, winner, lowest):
    table = trick("""
        first {first}, tops R4
        A lays R4
        B lays P7
        C lays G7
    """, first=first)  # fmt: skip
    assert (table.phase, table.for_whom) == ("see", winner)
    assert table.bonus(lowest) == 2


@rule("4.8", "J28")
def test_the_only_card_of_the_merged_suit_wins_too():
    table = trick("""
        first A, tops R4
        A lays R4
        B lays R7
        C lays P1
    """)
    assert (table.phase, table.for_whom) == ("see", "C")
    assert table.bonuses() == [2, 0, 0]


@rule("4.9", "J28")
def test_the_other_colour_of_the_decks_action_card_stays_a_suit_of_its_own():
    table = trick("""
        first A, tops R4, actions retrieve look
        A lays B9
        B lays R2
        C lays R1
    """)
    assert table.pile("B") == "R4", "blue 9 does not beat red 2"
    assert table.bonuses() == [0, 0, 2], "two red cards, not three of a suit"
    assert (table.phase, table.turn_of) == ("retrieve", "A")


@rule("4.9", "J28")
def test_and_its_winner_has_the_action_beside_the_one_of_the_merged_suit():
    table = trick("""
        first A, tops R4, actions retrieve look
        A lays B4
        B lays G3
        C lays P9
    """)
    assert table.bonuses() == [0, 2, 0]
    assert (table.phase, table.turn_of) == ("retrieve", "A")
    table = table.do("A retrieves B4", "A discards B4")
    assert (table.phase, table.for_whom) == ("see", "C")


@rule("4.8", "J10")
def test_with_4_players_absent_colours_do_not_merge():
    # Each deck always shows one of its two colours, so only single colours are absent.
    table = position("""
        first A, tops R4 G2, actions swap look
        A lays B9
        B lays P3
        C lays P7
        D lays B4
    """).lay()
    assert table.bonuses() == [0, 2, 0, 2]
    assert (table.phase, table.turn_of) == ("swap", "A")
