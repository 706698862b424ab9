"""§6 Actions."""

from itertools import combinations, permutations

import pytest

from tests.rules.sea_and_coast.table import ascending, position, trick

rule = pytest.mark.rule


# ---- 6.1 – 6.4 --------------------------------------------------------------
@rule("6.1", "J22")
@pytest.mark.parametrize(
    ("tops", "phase", "winner"),
    [
        ("R4 G2", "swap", "A"),  # blue is absent, and so is purple
        ("B4 G2", "swap", "B"),  # red is absent
    ],
)
def test_who_wins_a_colour_on_top_of_no_deck_carries_out_its_action(tops, phase, winner):
    table = trick("""
        first A, tops {tops}, actions swap retrieve
        A lays B9
        B lays R5
        C lays G3
        D lays G5
    """, tops=tops)  # fmt: skip
    assert (table.phase, table.turn_of) == (phase, winner)
    assert table.fields["acts"] == []


@rule("6.1")
def test_who_wins_a_treasure_has_no_action():
    table = trick("""
        first A, tops B4 P2, actions swap retrieve
        A lays B9
        B lays B5
        C lays P3
        D lays P5
    """)
    assert table.phase == "turn"


@rule("6.2", "J28", "J10")
@pytest.mark.parametrize(
    ("top", "phase", "winner"),
    [
        ("R4", "retrieve", "C"),  # green and purple are one suit: purple 8 wins it
        ("G4", "swap", "A"),  # red and blue are: red 9 wins it
    ],
)
def test_with_3_players_the_winner_of_the_merged_suit_carries_out_its_action(top, phase, winner):
    table = trick("""
        first A, tops {top}, actions swap retrieve
        A lays R9
        B lays {b}
        C lays P8
    """, top=top, b="G7" if top == "R4" else "B5")  # fmt: skip
    if top == "G4":
        # Purple is absent too and a suit of its own: C comes after A.
        assert table.fields["acts"] == ["C"]
    assert (table.phase, table.turn_of) == (phase, winner)


@rule("6.3", "J9")
@pytest.mark.parametrize(("first", "order"), [("A", "AC"), ("B", "CA"), ("C", "CA"), ("D", "AC")])
def test_actions_go_clockwise_from_the_first_player(first, order):
    table = trick("""
        first {first}, tops R4 G2, actions retrieve look
        A lays B9
        B lays R5
        C lays P3
        D lays G5
    """, first=first)  # fmt: skip
    moves = {
        "A": ("A retrieves B9", "A discards B9"),
        "C": ("C looks at RB",),
    }
    assert table.turn_of == order[0]
    assert table.fields["acts"] == [order[1]]
    if order[0] == "A":
        assert table.do(*moves["A"]).turn_of == "C"
    else:
        table = table.do(*moves["C"])
        while table.turn_of == "chance":
            table = table.do(next(iter(table.chances())))
        table = table.do(table.game.text(table.state.legal()[0]))
        assert (table.phase, table.turn_of) == ("retrieve", "A")


@rule("6.3", "J9")
def test_treasures_and_bonus_come_first_for_all():
    table = trick("""
        first A, tops R4 G2, actions retrieve look
        A lays B9
        B lays R9
        C lays R5, pile R2
        D lays P3
    """)
    assert (table.phase, table.turn_of) == ("claim", "B"), "although A is the first player"
    assert table.fields["acts"] == ["A", "D"]
    assert table.bonus("C") == 2
    table = table.do("B takes R4")
    assert (table.phase, table.turn_of) == ("retrieve", "A")
    table = table.do("A retrieves R9", "A discards R9")
    assert (table.phase, table.turn_of) == ("look", "D")


@rule("6.4", "J15")
@pytest.mark.parametrize(
    ("action", "begins"), [("bonus", "robs"), ("swap", "swaps"), ("retrieve", "retrieves")]
)
def test_an_action_is_compulsory_if_it_can_have_an_effect(action, begins):
    table = trick("""
        first A, tops R4 G2, actions {action} look
        A lays B9
        B lays R5, bonus 2
        C lays G3, bonus 2
        D lays G5
    """, action=action)  # fmt: skip
    assert table.turn_of == "A"
    assert {move.split()[1] for move in table.moves()} == {begins}


# ---- 6.5 – 6.7: bonus -------------------------------------------------------
# A wins blue, nobody gets bonus: four colours, one card each. D looks afterwards.
ROB = """
first A, tops R4 G2, actions bonus look
A lays B9, bonus {a}
B lays R5, bonus {b}
C lays G3, bonus {c}
D lays P5, bonus {d}
"""


@rule("6.5", "J11", "J24")
def test_bonus_steals_2_from_one_other_player_who_has_at_least_2():
    table = trick(ROB, a=5, b=2, c=3, d=1)
    assert (table.phase, table.turn_of) == ("rob", "A")
    assert table.moves() == {"A robs B", "A robs C"}, "not D, who has 1, nor himself"
    assert table.do("A robs B").bonuses() == [7, 0, 3, 1]
    assert table.do("A robs C").bonuses() == [7, 2, 1, 1]
    assert table.do("A robs C").supply == table.supply


@rule("6.5", "J11", "J24")
def test_with_one_possible_victim_nobody_is_asked():
    table = trick(ROB, a=0, b=1, c=2, d=1)
    assert table.bonuses() == [2, 1, 0, 1]
    assert (table.phase, table.turn_of) == ("look", "D"), "A's action is over"


@rule("6.6", "J11", "J24")
@pytest.mark.parametrize("others", [(0, 0, 0), (1, 0, 0), (1, 1, 1)])
def test_if_no_other_player_has_2_the_thief_takes_2_from_the_supply(others):
    b, c, d = others
    table = trick(ROB, a=3, b=b, c=c, d=d)
    assert table.bonuses() == [5, b, c, d]
    assert table.supply == 22 - 5 - b - c - d


@rule("6.6", "J11")
@pytest.mark.parametrize(("supply", "got"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_as_far_as_the_supply_goes(supply, got):
    table = trick(ROB, a=19 - supply, b=1, c=1, d=1)
    assert table.bonuses() == [19 - supply + got, 1, 1, 1]
    assert table.supply == supply - got


@rule("6.7", "J24")
def test_bonus_received_in_this_trick_can_be_stolen():
    table = trick("""
        first A, tops R4 G2
        A lays B9
        B lays R5
        C lays G3
        D lays G5
    """)
    assert table.bonuses() == [2, 0, 0, 0], "C got 2 as the lowest in green, A stole them"


@rule("6.7", "J6", "J24")
@pytest.mark.parametrize(("bonus", "can_be_robbed"), [(4, True), (3, False), (2, False)])
def test_bonus_laid_in_this_trick_are_not_with_their_player(bonus, can_be_robbed):
    table = trick("""
        first A, tops R4 G2
        A lays B9
        B lays R5+2, bonus {bonus}
        C lays G3, bonus 2
        D lays P5
    """, bonus=bonus)  # fmt: skip
    if can_be_robbed:
        assert table.moves() == {"A robs B", "A robs C"}
    else:
        assert table.bonuses() == [2, bonus - 2, 0, 0], "only C had 2"


@rule("6.7", "J6")
def test_nor_are_they_in_the_supply():
    table = trick("""
        first A, tops R4 G2
        A lays B5+3, bonus 20
        B lays R5, bonus 1
        C lays G3, bonus 1
        D lays P5
    """)
    assert table.bonuses() == [17, 1, 1, 0]
    assert table.supply == 0


# ---- 6.8 – 6.10: swap -------------------------------------------------------
SWAP = """
first A, tops R4 G2, actions swap look
A lays B9, holds {a}
B lays R5, holds {b}
C lays G3, holds {c}
D lays G5, holds {d}
"""
THREE = {"a": "R1 B1 G1", "b": "R2 B2 G2", "c": "R10 B10 G10", "d": "P7 P8 P9"}
ONE = {"a": "R1", "b": "R2", "c": "R10", "d": "P7"}


@rule("6.8", "J12")
def test_swap_chooses_another_player():
    assert trick(SWAP, **THREE).moves() == {"A swaps with B", "A swaps with C", "A swaps with D"}


@rule("6.8", "J12")
def test_2_cards_are_drawn_blind_from_that_hand():
    table = trick(SWAP, **THREE).do("A swaps with C")
    assert table.chances() == {
        f"A draws {card}": pytest.approx(1 / 3) for card in ("R10", "B10", "G10")
    }
    table = table.do("A draws B10")
    assert table.chances() == {f"A draws {card}": pytest.approx(1 / 2) for card in ("R10", "G10")}
    table = table.do("A draws R10")
    assert (table.phase, table.turn_of) == ("give", "A")
    assert table.hand("C") == ["G10"]


@rule("6.8", "J12")
def test_then_2_cards_of_the_own_choice_are_given_back_drawn_ones_included():
    table = trick(SWAP, **THREE).do("A swaps with C", "A draws B10", "A draws R10")
    hand = ["R1", "R10", "B1", "B10", "G1"]
    assert table.moves() == {f"A gives {x} {y}" for x, y in combinations(hand, 2)}
    given = table.do("A gives R1 G1")
    assert given.hand("A") == ["R10", "B1", "B10"]
    assert given.hand("C") == ["R1", "G1", "G10"]
    returned = table.do("A gives R10 B10")
    assert returned.hand("A") == ["R1", "B1", "G1"]
    assert returned.hand("C") == ["R10", "B10", "G10"]


@rule("6.9", "J12")
def test_with_one_card_in_hand_one_card_goes_each_way():
    table = trick(SWAP, **ONE).do("A swaps with D", "A draws P7")
    assert table.moves() == {"A gives R1", "A gives P7"}
    table = table.do("A gives R1")
    assert (table.hand("A"), table.hand("D")) == (["P7"], ["R1"])


@rule("6.9", "J12", "6.18")
def test_with_no_card_in_hand_nothing_happens():
    table = trick("""
        first A, tops R4 G2, actions swap look, trick 12, rounds 1
        A lays B9
        B lays R5
        C lays G3
        D lays G5
    """)
    assert table.phase == "over"


@rule("6.10", "J30")
def test_thief_and_victim_know_the_cards_drawn_and_given_the_others_only_how_many():
    table = trick(SWAP, **THREE).do("A swaps with C")
    assert table.seen("A draws B10", "C") == "A draws B10"
    assert table.seen("A draws B10", "B") == "A draws ?"
    table = table.do("A draws B10", "A draws R10")
    assert table.seen("A gives R1 G1", "C") == "A gives R1 G1"
    assert table.seen("A gives R1 G1", "D") == "A gives ?"
    table = table.do("A gives R1 G1")
    truth = {"thief": "A", "victim": "C", "taken": ["R10", "B10"], "given": ["R1", "G1"]}
    for observer in ("A", "C"):
        assert table.view(observer)["log"][8]["swap"] == truth
    for observer in ("B", "D", "public"):
        assert table.view(observer)["log"][8]["swap"] == {
            "thief": "A",
            "victim": "C",
            "taken": None,
            "given": None,
        }


@rule("6.10", "8.5", "J30")
def test_the_thief_knows_what_the_victim_holds_of_it_and_others_do_not():
    table = trick(SWAP, **THREE).do("A swaps with C", "A draws B10", "A draws R10", "A gives R1 G1")
    assert all({"R1", "G1"} <= set(world.hand("C")) for world in table.worlds("A"))
    assert all({"R10", "B10"} <= set(world.hand("A")) for world in table.worlds("C"))
    assert {"R1" in world.hand("C") for world in table.worlds("B")} == {True, False}


# ---- 6.11 – 6.14: look ------------------------------------------------------
LOOK = """
first A, tops R4 G2, actions bonus look
A lays P9
B lays R5
C lays G3
D lays G5
"""


def see(table, *sees):
    """A looks at these cards, from the top down."""
    for treasure in sees:
        table = table.do(f"A sees {treasure}")
    return table


@rule("6.11", "J13")
def test_look_chooses_a_deck():
    assert trick(LOOK).moves() == {"A looks at RB", "A looks at GP"}


@rule("6.11", "J13")
def test_look_sees_the_top_3_face_down_cards():
    table = trick(LOOK).do("A looks at RB")
    left = {t: n for t, n in table.fields["left"].items() if t[0] in "RB" and n}
    assert sum(left.values()) == 10
    for seen in range(3):
        assert (table.phase, table.turn_of) == ("see", "chance")
        assert table.fields["count"] == seen
        n = sum(left.values())
        assert table.chances() == {f"A sees {t}": pytest.approx(k / n) for t, k in left.items()}
        treasure = next(iter(left))
        table = table.do(f"A sees {treasure}")
        left[treasure] -= 1
        left = {t: k for t, k in left.items() if k}
    assert (table.phase, table.turn_of) == ("order", "A")


def three_in(table, colours, n=3):
    """Three (or n) different treasures that are still face down in a deck."""
    left = sorted(table.fields["left"].items())
    return [treasure for treasure, k in left if k and treasure[0] in colours][:n]


@rule("6.11", "J13")
def test_and_puts_them_back_on_it_in_any_order():
    table = trick(LOOK).do("A looks at GP")
    three = three_in(table, "GP")
    table = see(table, *three)
    assert table.moves() == {f"A orders {' '.join(order)}" for order in permutations(three)}


@rule("6.11", "J13")
@pytest.mark.parametrize("deck", ["RB", "GP"])
def test_the_face_up_card_is_not_touched(deck):
    # Nobody laid red or green: both tops lie there until the trick is over.
    table = trick("""
        first A, tops R4 G2, actions swap look
        A lays P9
        B lays P8
        C lays P7
        D lays P6
    """).do(f"A looks at {deck}")
    assert table.tops == "R4 G2"
    three = three_in(table, deck)
    table = see(table, *three)
    assert table.tops == "R4 G2"


@rule("6.11", "J13")
def test_the_order_put_back_is_the_order_turned_up():
    # After this trick only red and blue are laid, so nobody looks a second time.
    table = trick("""
        first A, tops R4 G2
        A lays P9, holds R1 B1 B9
        B lays R5, holds R2 B2 B10
        C lays G3, holds R3 B3 B11
        D lays G5, holds R6 B6 B12
    """).do("A looks at RB")
    x, y, z = three_in(table, "RB")
    table = see(table, x, y, z).do(f"A orders {z} {x} {y}")
    for top in (z, x, y):
        table = table.play_on(lambda t: t.phase == "turn" and has(t.chances(), "RB"))
        assert table.chances() == {f"turn {top}": 1}
        table = table.do(f"turn {top}")


def has(chances, colours):
    return all(move.split()[1][0] in colours for move in chances)


@rule("6.12", "J13")
def test_with_one_deck_nobody_is_asked_which():
    table = trick("""
        first A, tops R4
        A lays P9
        B lays R5
        C lays R3
    """)
    assert (table.phase, table.fields["deck"]) == ("see", 0)
    left = {t: n for t, n in table.fields["left"].items() if n}
    assert table.chances().keys() == {f"A sees {t}" for t in left}


@rule("6.12", "J13", "J26")
@pytest.mark.parametrize("trick_number", [1, 11])
def test_there_are_always_3_to_see(trick_number):
    table = trick("""
        first A, tops R4, trick {trick_number}
        A lays P9
        B lays R5
        C lays R3
    """, trick_number=trick_number)  # fmt: skip
    for _ in range(3):
        assert table.phase == "see"
        table = table.do(next(iter(table.chances())))
    assert table.phase == "order"


@rule("6.13", "J30")
def test_which_deck_is_open_cards_and_order_are_known_to_the_player_alone():
    table = trick(LOOK)
    for observer in ("B", "C", "D", "public"):
        assert table.seen("A looks at RB", observer) == "A looks at RB"
    table = table.do("A looks at RB")
    x, y, z = three_in(table, "RB")
    assert table.seen(f"A sees {x}", "B") == "A sees ?"
    table = see(table, x, y, z)
    assert table.seen(f"A orders {z} {x} {y}", "B") == "A orders ?"
    table = table.do(f"A orders {z} {x} {y}")
    assert table.view("A")["looked"] == [
        [{"treasure": treasure, "known_to": ["A"]} for treasure in (z, x, y)],
        [],
    ]
    mine = table.view("A")["log"][5]["look"]
    assert (mine["seat"], mine["deck"], mine["put"]) == ("A", 0, [z, x, y])
    assert sorted(mine["saw"]) == sorted([x, y, z])
    for observer in ("B", "C", "D", "public"):
        view = table.view(observer)
        assert view["looked"] == [[{"treasure": None, "known_to": []}] * 3, []]
        entry = view["log"][5]["look"]
        assert (entry["seat"], entry["deck"]) == ("A", 0)
        assert (entry["saw"], entry["put"]) == (None, None)


def two_looks():
    """A orders x, y, z on red/blue; x is turned up; then B looks at y, z and a fourth card u."""
    table = trick("""
        first A, tops R4 G2
        A lays P9, holds B1 B2
        B lays R5, holds P8 R3
        C lays G3, holds R6 G6
        D lays G5, holds R7 G7
    """).do("A looks at RB")
    x, y, z, u = three_in(table, "RB", 4)
    assert x[0] == "B"
    table = see(table, x, y, z).do(f"A orders {x} {y} {z}").turn(f"{x} G")
    table = table.do("B plays P(8)", "C plays G(6)", "D plays G(7)", "A plays B(1)")
    return table.do("B looks at RB"), (y, z, u)


@rule("6.14", "J30")
def test_a_later_player_sees_the_cards_in_the_order_they_were_put_back():
    table, (y, z, u) = two_looks()
    assert table.chances() == {f"B sees {y}": 1}
    table = table.do(f"B sees {y}")
    assert table.chances() == {f"B sees {z}": 1}
    table = table.do(f"B sees {z}")
    assert f"B sees {u}" in table.chances()
    assert len(table.chances()) > 1


@rule("6.14", "J30")
def test_then_the_earlier_player_knows_only_which_cards_are_still_among_the_top_ones():
    table, (y, z, u) = two_looks()
    table = table.do(f"B sees {y}", f"B sees {z}", f"B sees {u}", f"B orders {z} {u} {y}")
    assert [entry["known_to"] for entry in table.fields["looked"][0]] == [["B"]] * 3
    assert [entry["treasure"] for entry in table.view("B")["looked"][0]] == [z, u, y]
    assert [entry["treasure"] for entry in table.view("A")["looked"][0]] == [None] * 3
    orders = set()
    for world in table.worlds("A", 400):
        order = [entry["treasure"] for entry in world.fields["looked"][0]]
        assert {y, z} <= set(order), "A has seen both"
        orders.add((order.index(y), order.index(z)))
    assert len(orders) == 6, "but does not know where they are"


# ---- 6.15 – 6.17: retrieve --------------------------------------------------
RETRIEVE = """
first A, tops R4 G2, actions retrieve look
A lays B9, holds P1 P2
B lays R5+2, holds R1 R2, bonus 2
C lays G3, holds G1 G2
D lays G5, holds P3 P4
"""


@rule("6.15", "J25")
def test_retrieve_takes_any_island_card_laid_in_this_trick_the_own_included():
    table = trick(RETRIEVE)
    assert (table.phase, table.turn_of) == ("retrieve", "A")
    assert table.moves() == {f"A retrieves {card}" for card in ("B9", "R5", "G3", "G5")}


@rule("6.15", "J25")
def test_and_discards_one_card_of_the_hand_which_may_be_the_same():
    table = trick(RETRIEVE).do("A retrieves R5")
    assert (table.phase, table.turn_of) == ("discard", "A")
    assert table.hand("A") == ["R5", "P1", "P2"]
    assert table.moves() == {f"A discards {card}" for card in ("R5", "P1", "P2")}
    assert table.do("A discards P1").hand("A") == ["R5", "P2"]
    assert table.do("A discards R5").hand("A") == ["P1", "P2"]


@rule("6.15", "J25")
def test_the_retrieved_card_can_be_played_again():
    table = trick(RETRIEVE).do("A retrieves R5", "A discards P1")
    while table.phase == "turn":
        table = table.do(next(iter(table.chances())))
    table = table.do("B plays R(1)", "C plays G(1)", "D plays P(3)")
    assert table.moves("A") >= {"A plays R(5)", "A plays P(2)"}
    assert "A plays P(1)" not in table.moves("A")


@rule("6.16", "J25")
def test_both_are_open_and_everybody_knows_who_holds_the_retrieved_card():
    table = trick(RETRIEVE)
    assert table.seen("A retrieves R5", "public") == "A retrieves R5"
    table = table.do("A retrieves R5")
    assert table.seen("A discards P1", "public") == "A discards P1"
    table = table.do("A discards P1")
    for observer in ("A", "B", "C", "D", "public"):
        entry = table.view(observer)["log"][9]
        assert entry["retrieve"] == {"seat": "A", "card": "R5", "discard": "P1"}
        for world in table.worlds(observer, 50):
            assert "R5" in world.hand("A")
            assert all("P1" not in hand for hand in world.hands().values())


@rule("6.16", "J25")
def test_bonus_on_it_stay_behind_and_what_it_won_stays_won():
    table = trick(RETRIEVE).do("A retrieves R5", "A discards P1")
    assert table.pile("B") == "R4", "the red 5 had won it"
    assert table.bonuses() == [0, 0, 2, 0], "C was the lowest of two green cards"
    assert table.supply == 20, "the two bonus laid on the red 5 are back in the supply"


@rule("6.17", "6.18", "J14", "J27")
def test_with_an_empty_hand_retrieve_has_no_effect():
    table = trick("""
        first A, tops R4 G2, actions retrieve look, trick 12, rounds 1
        A lays B9
        B lays R5
        C lays G3
        D lays G5
    """)
    assert table.phase == "over"
    assert table.fields["log"][-1]["retrieve"] is None


@rule("6.17", "J14")
def test_with_one_card_it_has():
    table = trick(
        """
        first A, tops R4 G2, actions retrieve look
        A lays B9, holds P1
        B lays R5
        C lays G3
        D lays G5
        """
    ).do("A retrieves G5")
    assert table.moves() == {"A discards G5", "A discards P1"}


# ---- 6.18: the last trick ---------------------------------------------------
LAST = """
first A, tops {tops}, actions {actions}, trick {number}, rounds 1
A lays B9
B lays R5
C lays G3
D lays P5
"""


@rule("6.18", "J27")
@pytest.mark.parametrize(("number", "phase"), [(12, "over"), (11, None)])
@pytest.mark.parametrize("action", ["swap", "look", "retrieve"])
def test_in_the_last_trick_swap_look_and_retrieve_do_nothing(action, number, phase):
    other = "look" if action != "look" else "swap"
    table = trick(LAST, tops="R4 G2", actions=f"{action} {other}", number=number)
    assert table.phase == (phase or action)


@rule("6.18", "J27")
def test_bonus_works_in_the_last_trick():
    table = trick(LAST, tops="R4 G2", actions="bonus look", number=12)
    assert table.phase == "over"
    assert table.bonus("A") == 2
    assert table.seat("A")["score"] == 1


@rule("6.18", "J27")
def test_and_the_victim_is_chosen_in_the_last_trick_too():
    table = trick("""
        first A, tops R4 G2, trick 12, rounds 1
        A lays B9
        B lays R5, bonus 2
        C lays G3, bonus 3
        D lays P5
    """)
    assert table.moves() == {"A robs B", "A robs C"}
    table = table.do("A robs C")
    assert table.phase == "over"
    assert table.bonuses() == [2, 2, 1, 0]


@rule("6.8")
def test_hands_are_told_in_the_order_of_the_cards():
    table = position(SWAP, **THREE)
    assert all(hand == ascending(hand) for hand in table.hands().values())
