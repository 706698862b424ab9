"""§7 End of trick, round and game."""

import pytest

from tests.rules.sea_and_coast.table import SEATS, dealt, trick

rule = pytest.mark.rule


# ---- 7.1 – 7.3: the end of a trick ------------------------------------------
@rule("7.1", "J6")
def test_after_the_actions_the_bonus_laid_go_back_to_the_supply():
    table = trick("""
        first A, tops R4 G2, actions retrieve look
        A lays B3+2, bonus 3
        B lays R9
        C lays R5
        D lays G5
    """)
    assert table.phase == "retrieve"
    assert (table.bonus("A"), table.bonus("C"), table.supply) == (1, 2, 17)
    table = table.do("A retrieves R9", "A discards R9")
    assert (table.bonus("A"), table.bonus("C"), table.supply) == (1, 2, 19)
    assert table.phase == "turn"


@rule("7.2", "8.1", "J29")
def test_the_cards_laid_are_discarded_open_to_all():
    table = trick("""
        first A, tops R4 G2
        A lays R9
        B lays R5
        C lays G3
        D lays G5
    """).turn()
    assert [seat["card"] for seat in table.fields["seats"]] == [None] * 4
    for observer in ("A", "B", "C", "D", "public"):
        assert table.view(observer)["log"][5]["cards"] == ["R9", "R5", "G3", "G5"]
    for world in table.worlds("A", 50):
        assert not {"R9", "R5", "G3", "G5"} & set(world.held())


FIRST = """
first {first}, tops R4 G2, trick {number}
A lays R9
B lays R5
C lays G3
D lays G5
"""


@rule("7.3", "J17")
@pytest.mark.parametrize("number", [6, 12])
@pytest.mark.parametrize(("first", "following"), [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])
def test_the_first_player_card_goes_clockwise_also_after_the_last_trick(first, following, number):
    table = trick(FIRST, first=first, number=number).turn()
    assert table.fields["first"] == following
    if number == 12:
        assert table.fields["round"] == 2
        table = table.deal({}, tops="").pass_on()
    assert table.turn_of == following


# ---- 7.4 – 7.7: the end of a round ------------------------------------------
@rule("7.4")
@pytest.mark.parametrize(("number", "phase", "round_now"), [(11, "play", 1), (12, "deal", 2)])
def test_a_round_ends_when_all_hands_are_empty(number, phase, round_now):
    table = trick(FIRST, first="A", number=number).turn()
    assert (table.phase, table.fields["round"]) == (phase, round_now)


@rule("7.4")
@pytest.mark.parametrize(("players", "tricks"), [(3, 12), (4, 12), (5, 9)])
def test_a_round_has_as_many_tricks_as_cards_were_dealt(players, tricks):
    table = dealt(players, rounds=1).play_on(lambda t: t.turn_of == "over")
    assert table.fields["trick"] == tricks
    assert table.hands() == {seat: [] for seat in SEATS[:players]}


SCORES = """
first A, tops R4 G2, trick 12, rounds 1
A lays R7, bonus {bonus}, pile G4 B1
B lays R9
C lays R8
D lays R1, bonus {d}
"""


@rule("7.5", "J18")
@pytest.mark.parametrize(("bonus", "points"), [(0, 5), (1, 5), (2, 6), (3, 6), (4, 7), (5, 7)])
def test_everybody_scores_the_treasures_and_1_for_each_pair_of_bonus(bonus, points):
    table = trick(SCORES, bonus=bonus, d=0)
    assert table.seat("A")["score"] == points, "4 and 1 for the treasures"
    assert table.seat("B")["score"] == 4, "the red 4 just won"
    assert table.seat("C")["score"] == 0


@rule("7.6", "7.5", "J27")
@pytest.mark.parametrize(("d", "points"), [(0, 2), (1, 2), (2, 3)])
def test_bonus_received_in_the_last_trick_count(d, points):
    table = trick(SCORES, bonus=0, d=d)
    assert table.seat("D")["score"] == points, "4 bonus as the lowest of 4 red cards"


@rule("7.5", "7.1", "J27")
def test_bonus_laid_in_the_last_trick_do_not_count():
    table = trick("""
        first A, tops R4 G2, trick 12, rounds 1
        A lays R7+2, bonus 4
        B lays R12
        C lays R8
        D lays R1
    """)
    assert table.seat("A")["score"] == 1


ROUND_1_OVER = """
first {first}, tops R4 G2, trick 12
A lays R9, bonus 5, pile G4 B1
B lays R5
C lays G3
D lays G5
"""


@rule("7.7", "J17")
@pytest.mark.parametrize(("first", "following"), [("A", "B"), ("D", "A")])
def test_round_2_is_set_up_anew_and_the_first_player_card_stays(first, following):
    table = trick(ROUND_1_OVER, first=first)
    assert table.phase == "turn", "no first player is drawn"
    assert table.fields["round"] == 2
    assert table.fields["first"] == following
    assert table.supply == 22
    assert table.bonuses() == [0, 0, 0, 0]
    assert table.piles() == ["", "", "", ""]
    assert sum(table.fields["left"].values()) == 32
    assert [seat["score"] for seat in table.fields["seats"]] == [11, 1, 1, 2]
    table = table.turn().deal({}, tops="")
    assert table.phase == "pass"
    assert [len(hand) for hand in table.hands().values()] == [12] * 4
    assert [entry["cards"] for entry in table.fields["log"]] in ([], [[None] * 4])


@rule("7.7", "7.3", "J17")
@pytest.mark.parametrize(("players", "step"), [(3, 0), (4, 0), (5, 4)])
def test_12_tricks_bring_the_card_back_9_bring_it_to_the_right(players, step):
    table = dealt(players)
    first = SEATS.index(table.fields["first"])
    table = table.play_on(lambda t: t.fields["round"] == 2 and t.phase == "play")
    assert SEATS.index(table.fields["first"]) == (first + step) % players


# ---- 7.8: the end of the game -----------------------------------------------
GAME_OVER = """
first A, tops R4 G2, trick 12, round 2
A lays R9, score {a}
B lays G5, score {b}
C lays G3, score 0
D lays G1, score 0
"""


@rule("7.8", "J18")
def test_after_round_2_the_points_of_both_rounds_are_added():
    table = trick(GAME_OVER, a=10, b=30)
    assert table.turn_of == "over"
    # 4 for the red treasure, 2 for the green one, 3 bonus for the lowest of three green cards.
    assert [seat["score"] for seat in table.fields["seats"]] == [14, 32, 0, 1]


@rule("7.8", "J18")
@pytest.mark.parametrize(
    ("a", "b", "winners"), [(10, 11, {0}), (10, 12, {0, 1}), (10, 13, {1}), (0, 30, {1})]
)
def test_the_highest_sum_wins_and_tied_players_share_the_win(a, b, winners):
    outcome = trick(GAME_OVER, a=a, b=b).state.outcome()
    assert {seat for seat in range(4) if outcome[seat] == max(outcome)} == winners


@rule("7.8")
def test_a_game_of_one_round_ends_after_it():
    assert trick(SCORES, bonus=0, d=0).turn_of == "over"
    assert trick(FIRST, first="A", number=12).turn_of == "chance"
