"""How likely what is hidden is (§8.5, J31), against chances worked out by hand.

Each test says how its fractions come about; `check_shares` compares them with 20,000 worlds.

In most positions there are two cards left to each of four players, and A looks on. The passes are
such that they tell nothing, unless the test is about them: B, C and D have long colours whose
highest card is known or can only be one card. So the six cards A does not see are dealt to B, C
and D in 90 ways, two each, all as likely.
"""

from fractions import Fraction

import pytest

from tests.rules.sea_and_coast.table import check_shares, dealt, position, trick

rule = pytest.mark.rule

# A has got B12 from B, the highest of at least six blue cards. C's green cards are many, and the
# only green card of B is G12: C passed it. So D passed P12 to C.
TWO_LEFT = """
first B, tops R4 G2
A holds B6 B7, played R1-5 R8 B12 G8-10, passed R12
B holds {b}, played B1-5 R6 P6-8 G12, passed B12, bonus 5
C holds {c}, played G1-7 P12 R11 B8, passed G12
D holds {d}, played P1-5 P9-11 G11 R12, passed P12
"""
UNSEEN = ["R7", "R9", "R10", "B9", "B10", "B11"]


def two_left(b="R9 R7", c="B9 R10", d="B10 B11"):
    return position(TWO_LEFT, b=b, c=c, d=d)


def other_of_b(world):
    """What B has left beside the card laid."""
    return world.hand("B")[0]


# ---- A deal -----------------------------------------------------------------
@rule("8.5", "2.6", "J31")
@pytest.mark.parametrize(
    ("players", "box", "other"),
    [
        (3, Fraction(12, 36), Fraction(12, 36)),
        (4, 0, Fraction(12, 36)),
        (5, Fraction(3, 39), Fraction(9, 39)),
    ],
)
def test_an_unseen_card_is_anywhere_by_the_number_of_cards_there(players, box, other):
    # Before anything is passed. With 5 players 39 cards are unseen: 4 hands of 9 and 3 in the box.
    table = dealt(players)
    card = next(f"R{n}" for n in range(1, 13) if f"R{n}" not in table.hand("A"))

    def where(world):
        return next((seat for seat, hand in world.hands().items() if card in hand), "box")

    facts = dict.fromkeys("BCDE"[: players - 1], other)
    if box:
        facts["box"] = box
    check_shares(table, "A", facts, where)


@rule("8.5", "J31")
def test_two_cards_each_are_dealt_in_90_ways_all_as_likely():
    # B has a given pair in 6 of the 90 ways.
    facts = {(x, y): Fraction(1, 15) for i, x in enumerate(UNSEEN) for y in UNSEEN[i + 1 :]}
    check_shares(two_left(), "A", facts, lambda world: tuple(world.hand("B")))


# ---- A covered half ---------------------------------------------------------
@rule("8.5", "J31", "3.2")
def test_a_9_is_red_or_blue_and_both_are_seldom_in_one_hand():
    # B has laid "?9". Hands of B with one nine: R9 or B9 and one of 4 others, 8 hands. With both
    # nines: 1 hand; which of them lies there counts half each, and together as one.
    # So all 9 hands weigh the same: the other card is the other nine in 1/9, each of 4 in 2/9.
    table = two_left().do("B plays (R)9")

    def laid_and_other(world):
        other = other_of_b(world)
        return world.seat("B")["card"], "nine" if other in ("R9", "B9") else other

    facts = {}
    for nine in ("R9", "B9"):
        facts[nine, "nine"] = Fraction(1, 18)
        for other in ("R7", "R10", "B10", "B11"):
            facts[nine, other] = Fraction(1, 9)
    check_shares(table, "A", facts, laid_and_other)


@rule("8.5", "J31", "3.2")
def test_a_colour_shown_tells_of_one_card_no_more_of_a_hand_with_two():
    # B has laid "R?"; R7, R9, R10 are unseen, and three blue cards. Hands of B with two reds: 3,
    # with one: 3 * 3 = 9. All weigh the same: the other card is red in 3/12.
    table = two_left().do("B plays R(9)")
    facts = {"R7": Fraction(1, 3), "R9": Fraction(1, 3), "R10": Fraction(1, 3)}
    check_shares(table, "A", facts, lambda world: world.seat("B")["card"])
    facts = {"R": Fraction(1, 4), "B": Fraction(3, 4)}
    check_shares(table, "A", facts, lambda world: other_of_b(world)[0], seed=2)


@rule("8.4", "8.5", "J30", "J31")
@pytest.mark.parametrize(
    ("b", "move", "facts"),
    [
        # Number at most 9: R7 or R9. Hands with one of them: 2 * 4, with both: 1. Of the others
        # R10, B9, B10, B11 each is the second card in 2/9, R7 or R9 in 1/9.
        (
            "R9 B9",
            "B plays R(9)+3",
            {
                **{(r, other): Fraction(1, 9) for r in ("R7", "R9") for other in ("R10", "B9")},
                **{(r, other): Fraction(1, 9) for r in ("R7", "R9") for other in ("B10", "B11")},
                ("R7", "R9"): Fraction(1, 18),
                ("R9", "R7"): Fraction(1, 18),
            },
        ),
        # Number at most 7: R7, and one of the 5 others.
        (
            "R7 B9",
            "B plays R(7)+5",
            {("R7", other): Fraction(1, 5) for other in ("R9", "R10", "B9", "B10", "B11")},
        ),
    ],
)
def test_bonus_laid_bound_the_number(b, move, facts):
    rest = [card for card in UNSEEN if card not in b.split()]
    table = two_left(b, " ".join(rest[:2]), " ".join(rest[2:])).do(move)
    check_shares(table, "A", facts, lambda w: (w.seat("B")["card"], other_of_b(w)))


@rule("8.5", "3.6", "J31")
def test_once_uncovered_a_card_only_rules_deals_out():
    # R9, R10 and B10 were laid and uncovered; R7, B9 and B11 are left, one to each of B, C and D.
    # That B might have laid B9 as his "?9" no longer counts: each card is B's in 1/3.
    table = two_left().do("B plays (R)9", "C plays R(10)", "D plays B(10)", "A plays B(6)")
    facts = {card: Fraction(1, 3) for card in ("R7", "B9", "B11")}
    check_shares(table, "A", facts, other_of_b)


@rule("8.5", "J31")
def test_two_covered_cards_count_each_for_itself():
    # B has laid "?9", C has laid "R?". The hands of B, and those of C that fit:
    # B {R9, B9}, 1/2 for each card. C has two of R7, R10, B10, B11 with a red: 5 hands.
    #   R9 laid: 5/2.  B9 laid: 5/2.
    # B R9 and x. Left to C: B9, of R7, R10, B10, B11 all but x. A hand of C with a red one:
    #   x = R7 or R10: one red and three blue: 3 hands.  x = B10 or B11: 2 reds, 2 blues: 5.
    #   Together 16.
    # B B9 and x. Left to C: R9 in place of B9. x red: 2 reds, 2 blues: 5.  x blue: 3 reds, 1
    #   blue: all 6.  Together 22.
    # R9 was laid in (5/2 + 16) / (5 + 16 + 22) = 37/86.
    table = two_left().do("B plays (R)9", "C plays R(10)")
    facts = {"R9": Fraction(37, 86), "B9": Fraction(49, 86)}
    check_shares(table, "A", facts, lambda world: world.seat("B")["card"])


# ---- A pass -----------------------------------------------------------------
@rule("8.3", "8.5", "J30", "J31")
def test_a_card_received_rules_out_higher_ones_and_longer_colours_of_the_giver():
    # B passed B9 and was dealt 4 blue cards: B1, B2, B3, B9, and R1, R2, R3. Unseen: R9, R10, B10,
    # B11, G1, P1. B had neither B10 nor B11, higher than B9, nor both R9 and R10, as five reds
    # would be more than four blues. One of them he may have: what A has seen of the pass only
    # rules deals out, so that B had a choice then does not count.
    # Hands of B: {R9 or R10, G1 or P1} 4, {G1, P1} 1, each with 6 deals to C and D.
    table = position("""
        first B, tops R4 G2
        A holds G9 G10, played R6-8 R11 B9 B5-8 B12, passed R12
        B holds R9 P1, played B1-3 R1-3 P6-7 G8 G12, passed B9
        C holds B10 R10, played G2-7 G11 P12 R4 B4, passed G12
        D holds B11 G1, played P2-5 P8-11 R12 R5, passed P12
    """)
    facts = {(r, o): Fraction(1, 5) for r in ("R9", "R10") for o in ("G1", "P1")}
    facts["G1", "P1"] = Fraction(1, 5)
    check_shares(table, "A", facts, lambda world: tuple(world.hand("B")))
    # Whatever B has, four cards are left, B10 and B11 among them: C has both in 1 of 6 ways.
    facts = {True: Fraction(1, 6), False: Fraction(5, 6)}
    check_shares(table, "A", facts, lambda w: {"B10", "B11"} <= set(w.hand("C")), seed=2)


# C passed G12 to B and still has G8-11. If he has R4 he had as many reds as greens.
TIED = """
first A, tops R4 G2
A holds R7, played R8-11 B11 B1 G2-6, passed G7
B holds B3, played B5-10 R5-6 P1-2 G12, passed B11
C holds R4, played G8-11 R12 R1-3 B12 B2 P12, passed G12
D holds B4, played P3-11 G1 G7, passed P12
"""


@rule("8.5", "2.9", "J31")
def test_a_colour_chosen_among_tied_ones_counts_half():
    # One card left each; unseen: R4, B3, B4, in 6 ways. C passed G12 to B, of five green cards.
    # With R4 he had five reds as well and passed green in one of two cases: these 2 ways count
    # half, the 4 others whole. So R4 is C's in 1/5, B3 and B4 in 2/5.
    # Nothing else can have been passed: C's R12 and B12 are higher than any card of B.
    table = position(TIED)
    facts = {"R4": Fraction(1, 5), "B3": Fraction(2, 5), "B4": Fraction(2, 5)}
    check_shares(table, "A", facts, lambda world: world.hand("C")[0])
    # R4 is with B or D in the other 4/5.
    facts = {"R4": Fraction(2, 5), "B3": Fraction(3, 10), "B4": Fraction(3, 10)}
    check_shares(table, "A", facts, lambda world: world.hand("B")[0], seed=2)


@rule("8.5", "2.9", "J31")
def test_who_has_seen_the_pass_does_not_count_it_half():
    # The same cards. B has got G12 himself: for him R4 is C's as often as any of the others.
    table = position(TIED)
    facts = {"R4": Fraction(1, 3), "R7": Fraction(1, 3), "B4": Fraction(1, 3)}
    check_shares(table, "B", facts, lambda world: world.hand("C")[0])


# ---- A swap -----------------------------------------------------------------
@rule("8.5", "6.10", "6.16", "J30", "J31")
@pytest.mark.parametrize("observer", ["A", "C", "public"])
def test_in_a_swap_of_others_a_known_card_changes_hands_in_2_of_5(observer):
    # D retrieves R5, all know that. In the next trick B swaps with D, who has R5 and two others:
    # R5 is drawn in 2/3, and then among the 5 cards of which B gives 2 back: it stays in 3/5.
    table = trick("""
        first D, tops R4 G2, actions swap retrieve
        A lays G9, holds G1 G2 R1 R2
        B lays R5, holds B9 B1 R7 R8
        C lays G3, holds G4 G6 P1 P2
        D lays P5, holds P7 P8 P9 R9
    """)
    table = table.do("D retrieves R5", "D discards P9").turn("R G")
    table = table.do("A plays R(1)", "B plays B(9)", "C plays G(4)", "D plays R(9)")
    table = table.take().do("B swaps with D", "B draws R5", "B draws P7", "B gives B1 P7")
    facts = {"B": Fraction(2, 5), "D": Fraction(3, 5)}
    n = 2_000 if observer == "public" else 20_000  # worlds of a public view take long
    check_shares(table, observer, facts, lambda w: "B" if "R5" in w.hand("B") else "D", n)


@rule("8.5", "6.10", "J31")
def test_in_a_swap_of_single_cards_too():
    # D has R5 alone: it is drawn for certain, and given back in 1/2.
    table = trick("""
        first D, tops R4 G2, actions swap retrieve
        A lays G9, holds G1 G2
        B lays R5, holds B9 B1
        C lays G3, holds G4 G6
        D lays P5, holds P7 P8
    """)
    table = table.do("D retrieves R5", "D discards P8").turn("R G")
    table = table.do("A plays G(1)", "B plays B(9)", "C plays G(4)", "D plays P(7)")
    table = table.take().do("B swaps with D", "B draws R5", "B gives B1")
    facts = {"B": Fraction(1, 2), "D": Fraction(1, 2)}
    check_shares(table, "A", facts, lambda w: "B" if "R5" in w.hand("B") else "D")


# ---- A look -----------------------------------------------------------------
def after_two_looks():
    """A puts B2 R1 B1 on red/blue; B2 is turned up; B looks at R1, B1 and R5, and orders them."""
    table = trick("""
        first A, tops R4 G2, trick 3
        A lays P9, holds B1, pile R3 P3
        B lays R5, holds P8, pile G3 B3
        C lays G3, holds G6
        D lays G5, holds G7
    """).do("A looks at RB", "A sees B1", "A sees R1", "A sees B2", "A orders B2 R1 B1")
    table = table.turn("B2 G")
    table = table.do("B plays P(8)", "C plays G(6)", "D plays G(7)", "A plays B(1)")
    table = table.take().do("B looks at RB", "B sees R1", "B sees B1", "B sees R5")
    return table.do("B orders R5 B1 R1")


def deck(world):
    return [entry["treasure"] for entry in world.fields["looked"][0]]


@rule("8.5", "6.14", "J30", "J31")
def test_after_a_look_of_another_the_own_cards_are_anywhere_among_the_three():
    # A knows that R1 and B1 are among the top three, in any of 6 orders. The third is one of the
    # 10 other cards face down: R2 R2 R3 R4 R5 B2 B3 B4 B4 B5. So R1 is on top in 1/3, B1 in 1/3,
    # R2 and B4, of which there are two, in 2/30, the others in 1/30.
    table = after_two_looks()
    facts = {"R1": Fraction(1, 3), "B1": Fraction(1, 3)}
    facts |= {two: Fraction(2, 30) for two in ("R2", "B4")}
    facts |= {one: Fraction(1, 30) for one in ("R3", "R4", "R5", "B2", "B3", "B5")}
    check_shares(table, "A", facts, lambda world: deck(world)[0])
    facts = {True: Fraction(1, 2), False: Fraction(1, 2)}
    check_shares(table, "A", facts, lambda w: deck(w).index("R1") < deck(w).index("B1"), seed=2)


@rule("8.5", "6.13", "J30", "J31")
def test_who_has_not_looked_knows_nothing_of_the_three():
    # C has seen neither look: of the 12 cards face down R1 is on top in 1/12, R2 in 2/12.
    table = after_two_looks()
    facts = {two: Fraction(2, 12) for two in ("R2", "B4")}
    facts |= {one: Fraction(1, 12) for one in ("R1", "R3", "R4", "R5", "B1", "B2", "B3", "B5")}
    check_shares(table, "C", facts, lambda world: deck(world)[0])


@rule("6.13", "J30")
def test_who_ordered_the_three_knows_them_for_certain():
    check_shares(after_two_looks(), "B", {("R5", "B1", "R1"): 1}, lambda w: tuple(deck(w)))
