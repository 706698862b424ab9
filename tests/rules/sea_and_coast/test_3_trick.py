"""§3 A trick."""

import pytest

from tests.rules.sea_and_coast.table import position, trick

rule = pytest.mark.rule

RED_AND_GREEN = """
first {first}, tops R4 G2
A lays R7
B lays R9
C lays G3
D lays G5
"""


# ---- 3.1 – 3.3: which card --------------------------------------------------
@rule("3.1")
@pytest.mark.parametrize(
    ("first", "order"), [("A", "ABCD"), ("B", "BCDA"), ("C", "CDAB"), ("D", "DABC")]
)
def test_the_first_player_lays_a_card_then_the_others_clockwise_one_each(first, order):
    table = position(RED_AND_GREEN, first=first)
    for seat, move in zip(order, table.lays, strict=True):
        assert (table.phase, table.turn_of) == ("play", seat)
        table = table.do(move)
    assert table.fields["log"][5]["cards"] == ["R7", "R9", "G3", "G5"]
    assert table.phase != "play"


@rule("3.2", "J2")
def test_the_player_chooses_whether_all_see_the_colour_or_the_number():
    table = position("""
        first A, tops R4 G2
        A holds R9 B4
        B
        C
        D
    """)
    assert table.moves() == {"A plays R(9)", "A plays (R)9", "A plays B(4)", "A plays (B)4"}


@rule("3.2", "J2", "8.1")
@pytest.mark.parametrize(
    ("move", "half", "shows", "seen"),
    [
        ("A plays R(7)", "sea", "R", "A plays R?"),
        ("A plays (R)7", "coast", 7, "A plays ?7"),
    ],
)
def test_the_other_half_is_open_at_once_and_the_covered_one_is_not(move, half, shows, seen):
    table = position(RED_AND_GREEN, first="A")
    for observer in ("B", "C", "D", "public"):
        assert table.seen(move, observer) == seen
    table = table.do(move)
    for observer in ("B", "C", "D", "public"):
        seat = table.view(observer)["seats"][0]
        assert (seat["half"], seat["shows"], seat["card"]) == (half, shows, None)
    assert table.view("A")["seats"][0]["card"] == "R7"


@rule("3.2")
def test_of_a_covered_card_the_view_fits_all_cards_with_the_half_shown():
    table = position("""
        first A, tops R4 G2
        A lays R(7), holds R1
        B holds R9 B9
        C holds G9 P9
        D holds B7 B3
    """)
    colour = table.do("A plays R(7)")
    assert {world.seat("A")["card"] for world in colour.worlds("D")} <= {"R1", "R7", "R9"}
    number = table.do("A plays (R)7")
    assert {world.seat("A")["card"] for world in number.worlds("D")} == {"R7"}


@rule("3.3", "J19")
def test_there_is_no_duty_to_follow_suit():
    table = position("""
        first A, tops R4 G2
        A lays R(9), holds P1
        B holds R3 G5
        C
        D
    """).do("A plays R(9)")
    assert table.moves() == {"B plays R(3)", "B plays (R)3", "B plays G(5)", "B plays (G)5"}


# ---- 3.4, 3.5: bonus --------------------------------------------------------
BONUS_HAND = """
first A, tops R4 G2
A holds {card} P12, bonus {bonus}
B
C
D
"""


def bonus_choices(table, card):
    """How many bonus may be laid with a card of A, the colour shown and the number shown."""
    colour, number = card[0], card[1:]
    out = []
    for plain in (f"A plays {colour}({number})", f"A plays ({colour}){number}"):
        out.append([n for n in range(23) if plain + (f"+{n}" if n else "") in table.moves()])
    assert out[0] == out[1]
    return out[0]


@rule("3.4", "J3")
@pytest.mark.parametrize(
    ("bonus", "choices"), [(0, [0]), (1, [0, 1]), (2, [0, 1, 2]), (4, [0, 1, 2, 3, 4])]
)
def test_any_number_of_own_bonus_may_be_laid_with_the_card(bonus, choices):
    table = position(BONUS_HAND, card="R4", bonus=bonus)
    assert bonus_choices(table, "R4") == choices


@rule("3.4", "J3", "8.1")
def test_bonus_are_laid_openly_and_leave_their_player():
    table = position(BONUS_HAND, card="R4", bonus=3).do("A plays R(4)+2")
    for observer in ("B", "C", "D", "public"):
        seat = table.view(observer)["seats"][0]
        assert (seat["laid"], seat["bonus"], seat["card"]) == (2, 1, None)


@rule("3.5", "J3")
@pytest.mark.parametrize(
    ("card", "choices"),
    [("R12", [0]), ("R11", [0, 1]), ("R10", [0, 1, 2]), ("R7", [0, 1, 2, 3, 4, 5])],
)
def test_number_plus_bonus_is_at_most_12(card, choices):
    table = position(BONUS_HAND, card=card, bonus=5)
    assert bonus_choices(table, card) == choices
    assert "A plays P(12)" in table.moves()
    assert "A plays P(12)+1" not in table.moves()


# ---- 3.6: the halves are uncovered ------------------------------------------
@rule("3.6", "J2")
def test_when_all_have_laid_all_covered_halves_are_uncovered_at_once():
    table = position(RED_AND_GREEN, first="A")
    last = table.lay(uncover=False)
    assert last.turn_of == "reveal"
    for observer, own in (("A", 0), ("B", 1), ("C", 2), ("D", 3), ("public", None)):
        shown = [seat["card"] for seat in last.view(observer)["seats"]]
        assert [card for i, card in enumerate(shown) if i != own and card] == []
        assert last.view(observer)["log"][5]["cards"] == [None] * 4
    uncovered = last.do("reveal")
    for observer in ("A", "B", "C", "D", "public"):
        assert uncovered.view(observer)["log"][5]["cards"] == ["R7", "R9", "G3", "G5"]


@rule("3.6", "J2")
def test_halves_stay_covered_until_the_last_card_lies():
    table = position(RED_AND_GREEN, first="A").lay(3)
    assert table.turn_of == "D"
    assert [seat["card"] for seat in table.view("D")["seats"]] == [None] * 4


# ---- 3.7: values ------------------------------------------------------------
@rule("3.7", "J5")
@pytest.mark.parametrize(
    ("a", "b", "winner"),
    [
        ("R7+2", "R8", "A"),  # 9 against 8
        ("R7+1", "R9", "B"),  # 8 against 9
        ("R1+5", "R4+1", "A"),
        ("R1+3", "R4+1", "B"),
    ],
)
def test_the_number_plus_the_bonus_laid_decides_who_wins(a, b, winner):
    table = trick("""
        first A, tops R4 G2
        A lays {a}, bonus 5
        B lays {b}, bonus 1
        C lays G3
        D lays G5
    """, a=a, b=b)  # fmt: skip
    assert table.pile(winner) == "R4"


@rule("3.7", "J5")
@pytest.mark.parametrize(("a", "lowest"), [("R7", "A"), ("R7+2", "B")])
def test_and_who_is_lowest(a, lowest):
    table = trick("""
        first A, tops R4 G2
        A lays {a}, bonus 2
        B lays R8
        C lays R12
        D lays G5
    """, a=a)  # fmt: skip
    kept = 2 if a == "R7" else 0
    assert table.bonuses() == ([kept + 3, 0, 0, 0] if lowest == "A" else [kept, 3, 0, 0])
