"""§5 Treasures."""

import pytest

import islebots
from tests.rules.sea_and_coast.table import dealt, position, treasures, trick

rule = pytest.mark.rule

# A wins red, B loses it; B's pile is what matters.
A_BEATS_B = """
first A, tops R4 G2
A lays R9
B lays R5, pile {pile}
C lays G3
D lays G5
"""
TAKE = {"A takes R4"}


# ---- 5.1: taking ------------------------------------------------------------
@rule("5.1")
@pytest.mark.parametrize(("tops", "won"), [("R4 G2", "R4"), ("R1 G2", "R1")])
def test_who_wins_a_colour_on_top_of_a_deck_takes_the_treasure_onto_the_own_pile(tops, won):
    table = trick("""
        first A, tops {tops}
        A lays R9, pile G3 B1
        B lays R5
        C lays G3
        D lays G5
    """, tops=tops)  # fmt: skip
    assert table.pile("A") == f"G3 B1 {won}"
    assert table.pile("D") == "G2"


@rule("5.1", "6.1")
def test_who_wins_another_colour_takes_no_treasure():
    table = trick("""
        first A, tops B4 G2
        A lays R9
        B lays R5
        C lays G3
        D lays G5
    """)
    assert table.piles() == ["", "", "", "G2"]


# ---- 5.2 – 5.6: stealing ----------------------------------------------------
@rule("5.2", "J7")
def test_instead_the_winner_may_steal_the_top_treasure_of_another_pile():
    table = trick(A_BEATS_B, pile="G1 R3")
    assert (table.phase, table.turn_of) == ("claim", "A")
    assert table.moves() == {"A takes R4", "A steals R3 from B"}
    assert table.do("A takes R4").piles() == ["R4", "G1 R3", "", "G2"]
    assert table.do("A steals R3 from B").piles() == ["R3", "G1", "", "G2"]


@rule("5.3", "J21")
def test_the_other_must_have_laid_the_same_colour():
    table = trick("""
        first A, tops R4 G2
        A lays R9
        B lays R5
        C lays G3, pile R3
        D lays G5
    """)
    assert table.piles() == ["R4", "", "R3", "G2"], "C has a red treasure and laid green"


@rule("5.3", "J21", "4.2")
@pytest.mark.parametrize(("b", "may_steal"), [("R7+1", True), ("R7+2", False)])
def test_with_a_strictly_lower_value_a_tied_loser_cannot_be_robbed(b, may_steal):
    table = trick("""
        first A, tops R4 G2
        A lays R9
        B lays {b}, bonus 2, pile R3
        C lays G3
        D lays G5
    """, b=b)  # fmt: skip
    if may_steal:
        assert table.moves() == {"A takes R4", "A steals R3 from B"}
    else:
        assert table.piles() == ["R4", "R3", "", "G2"]
        assert table.bonus("B") == 2, "but as the lowest he gets the bonus"


@rule("5.3", "3.7", "J21")
def test_lower_means_the_value_with_bonus_not_the_number():
    table = trick("""
        first A, tops R4 G2
        A lays R7+2, bonus 2
        B lays R8, pile R3
        C lays G3
        D lays G5
    """)
    assert table.moves() == {"A takes R4", "A steals R3 from B"}


@rule("5.3", "J21")
def test_a_winner_alone_cannot_steal():
    table = trick("""
        first A, tops R4 G2
        A lays R9
        B lays B5, pile R3
        C lays B3, pile R2
        D lays G5
    """)
    assert table.pile("A") == "R4"


@rule("5.2", "5.3")
def test_every_loser_with_the_colour_on_top_can_be_robbed_not_only_the_lowest():
    table = trick("""
        first A, tops R4 G2
        A lays R9
        B lays R5, pile R3
        C lays R7, pile R2
        D lays R1, pile R5 B1
    """)
    assert table.moves() == {"A takes R4", "A steals R3 from B", "A steals R2 from C"}


@rule("5.4", "J7")
@pytest.mark.parametrize(
    ("pile", "may_steal"), [("R3", True), ("G1 R3", True), ("R3 G1", False), ("B3", False)]
)
def test_the_top_treasure_of_the_pile_must_be_of_that_colour(pile, may_steal):
    table = trick(A_BEATS_B, pile=pile)
    assert (table.phase == "claim") == may_steal
    if not may_steal:
        assert table.piles() == ["R4", pile, "", "G2"]


@rule("5.4")
def test_a_loser_without_a_pile_cannot_be_robbed():
    assert trick(A_BEATS_B, pile="").piles() == ["R4", "", "", "G2"]


@rule("5.5", "J7")
@pytest.mark.parametrize("red_on_top", [True, False])
def test_the_colour_must_lie_on_top_of_a_deck(red_on_top):
    table = trick("""
        first A, tops {tops}, actions swap look
        A lays R9
        B lays R5, pile R3
        C lays G3
        D lays G5
    """, tops="R4 G2" if red_on_top else "B4 G2")  # fmt: skip
    if red_on_top:
        assert table.moves() == {"A takes R4", "A steals R3 from B"}
    else:
        assert table.phase == "swap"
        assert table.pile("B") == "R3"


@rule("5.6", "J7")
def test_a_stolen_treasure_lies_on_top_and_the_card_under_it_is_the_victims_top():
    table = trick("""
        first A, tops R4 G2, trick 5
        A lays R9, holds R12, pile B1
        B lays R5, holds R2, pile R2 R3
        C lays G3, holds G6
        D lays G5, holds G8
    """).do("A steals R3 from B")
    assert table.pile("A") == "B1 R3"
    assert table.pile("B") == "R2"
    # In the next trick both tops count: B leads, and A robs him again.
    table = table.turn("R G")
    table = table.do("B plays R(2)", "C plays G(6)", "D plays G(8)", "A plays R(12)")
    assert "A steals R2 from B" in table.moves()


@rule("5.2", "J8")
def test_only_taking_and_stealing_are_offered():
    table = trick(A_BEATS_B, pile="R3")
    with pytest.raises(islebots.IslebotsError):
        table.do("A steals R3 from C")
    with pytest.raises(islebots.IslebotsError):
        table.do("A steals R4 from B")


# ---- 5.7: no choice ---------------------------------------------------------
@rule("5.7", "J8")
def test_with_nobody_to_rob_the_winner_takes_without_being_asked():
    table = trick(A_BEATS_B, pile="G1")
    assert table.pile("A") == "R4"
    assert table.turn_of == "chance", "the trick is over"


@rule("5.7", "J8")
def test_taking_or_stealing_is_compulsory():
    table = trick(A_BEATS_B, pile="R3")
    assert len(table.moves()) == 2
    for move in table.moves():
        assert table.do(move).pile("A") in ("R4", "R3")


@rule("5.2", "J32")
@pytest.mark.parametrize("first", "ABCD")
def test_takes_and_steals_of_a_trick_cannot_collide(first):
    # A wins red and may rob B, D wins green and may rob C: whoever begins, each has his choice.
    table = trick("""
        first {first}, tops R4 G2
        A lays R9
        B lays R5, pile R3
        C lays G3, pile G1
        D lays G5
    """, first=first)  # fmt: skip
    choices = {
        "A": {"A takes R4", "A steals R3 from B"},
        "D": {"D takes G2", "D steals G1 from C"},
    }
    one = table.turn_of
    other = "D" if one == "A" else "A"
    assert table.moves() == choices[one]
    for move in choices[one]:
        assert table.do(move).moves() == choices[other]
    steals = {"A": "A steals R3 from B", "D": "D steals G1 from C"}
    assert table.do(steals[one], steals[other]).piles() == ["R3", "", "", "G1"]


# ---- 5.8 – 5.10: the decks --------------------------------------------------
NOBODY_LAYS_RED = """
first A, tops R5 G2
A lays G9
B lays G5
C lays G3
D lays G1
"""


@rule("5.8", "J16")
def test_a_treasure_nobody_took_goes_under_its_deck():
    table = trick(NOBODY_LAYS_RED)
    assert table.piles() == ["G2", "", "", ""]
    assert table.phase == "turn"
    assert "R5" not in table.fields["left"] or table.fields["left"]["R5"] == 0
    assert "turn R5" not in table.chances(), "the only red 5 lies under the deck"
    assert sum(table.chances().values()) == pytest.approx(1)


@rule("5.8", "5.9", "J16")
def test_the_treasure_of_a_winner_who_robbed_goes_under_its_deck_too():
    table = trick("""
        first A, tops R5 G2
        A lays R9
        B lays R5, pile R3
        C lays G3
        D lays G5
    """).do("A steals R3 from B")
    assert "turn R5" not in table.chances()


@rule("5.9", "J16")
def test_at_the_end_of_a_trick_the_next_card_of_each_deck_is_turned_up():
    table = trick("""
        first A, tops R4 G2, trick 6
        A lays R9
        B lays R5
        C lays G3
        D lays G5
    """)
    left = table.fields["left"]
    for _ in range(2):
        # 16 cards a deck, six of each were turned up: ten are left, each as likely.
        chances = table.chances()
        assert chances == {move: pytest.approx(left[move.split()[1]] / 10) for move in chances}
        table = table.do(next(iter(chances)))
    assert None not in table.fields["tops"]
    assert (table.phase, table.fields["trick"]) == ("play", 7)
    assert table.fields["log"][5]["turned"] == table.fields["tops"]


@rule("5.9")
def test_but_not_at_the_end_of_the_last_trick():
    table = trick("""
        first A, tops R4 G2, trick 12, rounds 1
        A lays R9
        B lays R5
        C lays G3
        D lays G5
    """)
    assert table.phase == "over"
    assert table.fields["log"][-1]["turned"] == [None, None]


@rule("5.9", "J26")
@pytest.mark.parametrize(
    ("players", "tricks", "never_turned"), [(3, 12, 8), (4, 12, 8), (5, 9, 14)]
)
def test_the_decks_never_run_dry(players, tricks, never_turned):
    # So what becomes of an empty deck cannot be shown with the printed counts.
    table = dealt(players).play_on(lambda t: t.fields["trick"] == tricks and t.phase == "play")
    assert sum(table.fields["left"].values()) == never_turned
    assert None not in table.fields["tops"]


@rule("5.10", "8.1", "J29")
def test_piles_tops_and_what_is_left_are_open():
    table = trick(NOBODY_LAYS_RED).turn("RB GP")
    for observer in ("A", "B", "C", "D", "public"):
        view = table.view(observer)
        assert view["tops"] == table.fields["tops"]
        assert view["left"] == table.fields["left"]
        assert [seat["pile"] for seat in view["seats"]] == [["G2"], [], [], []]


@rule("5.8", "5.10", "J29")
def test_everybody_knows_that_a_treasure_lies_under_the_deck_and_not_in_it():
    table = position(NOBODY_LAYS_RED)
    assert treasures(4)["R5"] == 1
    table = table.lay()
    for observer in ("A", "public"):
        assert not table.view(observer)["left"].get("R5")
        for world in table.worlds(observer, 50):
            assert "turn R5" not in world.chances()
