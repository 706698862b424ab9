"""§8 What is known. What is only likely is in test_worlds.py."""

import pytest

from tests.rules.sea_and_coast.table import SEATS, cards, dealt, passable, position, start

rule = pytest.mark.rule

COVERED = """
first A, tops R4 G2, trick {number}
A lays (R)7+2, bonus 5, pile B1 R2
B lays R(9), pile G3
C lays P3, bonus 1
D lays G5
"""


@rule("8.1", "J29")
def test_halves_bonus_piles_tops_left_and_hand_sizes_are_open_to_all():
    table = position(COVERED, number=6).lay(2)
    truth = table.fields
    for observer in ("A", "B", "C", "D", "public"):
        view = table.view(observer)
        for key in ("players", "rounds", "actions", "round", "trick", "phase", "first", "turn",
                    "supply", "tops", "left"):  # fmt: skip
            assert view[key] == truth[key], key
        for key in ("hand_size", "score", "bonus", "half", "shows", "laid", "pile"):
            assert [s[key] for s in view["seats"]] == [s[key] for s in truth["seats"]], key
        a, b = view["seats"][:2]
        assert (a["half"], a["shows"], a["laid"]) == ("coast", 7, 2)
        assert (b["half"], b["shows"], b["laid"]) == ("sea", "R", 0)


@rule("8.1", "7.2", "J29")
def test_who_played_which_card_in_the_tricks_before_is_open():
    table = position(COVERED, number=6)
    log = table.fields["log"]
    assert len(log) == 6
    for observer in ("A", "D", "public"):
        for shown, entry in zip(table.view(observer)["log"], log, strict=True):
            assert shown["cards"] == entry["cards"]
            assert shown["turned"] == entry["turned"]


@rule("8.2", "J29")
def test_hands_and_covered_halves_are_hidden():
    table = position(COVERED, number=6).lay(2)
    for i, observer in enumerate("ABCD"):
        for j, seat in enumerate(table.view(observer)["seats"]):
            if i == j:
                assert seat["hand"] == table.hand(observer)
            else:
                assert seat["hand"] is None
                assert seat["card"] is None


@rule("8.2", "J29")
def test_the_order_of_the_decks_is_hidden():
    table = position(COVERED, number=6).lay(4)
    while table.phase != "turn":
        table = table.do(table.game.text(table.state.possible()[0]))
    nexts = {move for world in table.worlds("A", 300) for move, p in world.chances().items()}
    assert nexts >= table.chances().keys()


@rule("8.2")
@pytest.mark.parametrize(("red_blue", "green_purple"), [("bonus", "look"), ("swap", "retrieve")])
@pytest.mark.parametrize("number", [5, 8])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_world_shows_an_observer_what_the_truth_shows(players, number, red_blue, green_purple):
    table = dealt(players, 1, red_blue=red_blue, green_purple=green_purple)
    table = table.play_on(lambda t: t.fields["trick"] == number and t.phase == "play", seed=1)
    for observer in (*SEATS[:players], "public"):
        for world in table.worlds(observer, 5):
            assert world.view(observer) == table.view(observer)


# ---- 8.3: what a pass tells -------------------------------------------------
HANDS = {
    "A": "R1-5 B1-4 G1-2 P1",
    "B": "B5-9 R6-9 G3-4 P2",
    "C": "G5-9 P3-6 R10-11 B10",
    "D": "P7-12 R12 B11-12 G10-12",
}


@rule("8.3", "J30")
def test_the_receiver_knows_that_the_giver_had_no_higher_card_and_no_longer_colour():
    table = start(4).deal(HANDS, tops="R4 G2").pass_on()
    assert set(cards(HANDS["B"])) - {"B9"} < set(table.hand("B"))
    for world in table.worlds("A", 300):
        seats = world.fields["seats"]
        dealt_to_b = set(seats[1]["hand"]) - {seats[2]["passed"]} | {"B9"}
        assert "B9" in passable(dealt_to_b)
        # What B has received may well be a higher blue card.
        assert not {"B10", "B11", "B12"} & dealt_to_b
    assert any(
        {"B10", "B11", "B12"} & set(world.hand("B")) for world in table.worlds("A", 2000, seed=3)
    )


@rule("8.3", "J30")
@pytest.mark.parametrize("observer", ["A", "B", "C", "D", "public"])
def test_in_every_world_all_passes_were_legal(observer):
    table = start(4).deal(HANDS, tops="R4 G2").pass_on()
    for world in table.worlds(observer, 100):
        seats = world.fields["seats"]
        for i, seat in enumerate(seats):
            received = seats[(i + 1) % 4]["passed"]
            assert received in seat["hand"]
            assert seat["passed"] in passable(set(seat["hand"]) - {received} | {seat["passed"]})


# ---- 8.4: what bonus tell ---------------------------------------------------
@rule("8.4", "J30")
@pytest.mark.parametrize(("bonus", "highest"), [(0, 12), (3, 9), (5, 7), (8, 4)])
def test_a_card_laid_with_b_bonus_has_a_number_of_at_most_12_minus_b(bonus, highest):
    table = position("""
        first B, tops R4 G2, trick 3
        A
        B lays R(2), bonus 8
        C
        D
    """)
    reds = {f"R{n}" for n in range(1, 13)} & set(
        table.hand("B") + table.hand("C") + table.hand("D")
    )
    table = table.do("B plays R(2)" + (f"+{bonus}" if bonus else ""))
    possible = {world.seat("B")["card"] for world in table.worlds("A", 2000)}
    assert possible == {red for red in reds if int(red[1:]) <= highest}
