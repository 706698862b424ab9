"""The second opinion by itself: the rulebook's examples and what is easily got wrong."""

import random
import tomllib
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest

from tests.second_opinion.sea_and_coast import Table

DATA = Path(__file__).parents[2] / "core" / "data" / "sea_and_coast"
BASE = tomllib.loads((DATA / "base.toml").read_text())
MINI = tomllib.loads((DATA / "mini.toml").read_text())


def table_with(hands: dict[str, str], tops: str, box=BASE, players=4, **options) -> Table:
    """A is first; these tops are turned up; after the pass each seat still holds these cards."""
    for seed in count():
        table = Table(box, players, options)
        pick = random.Random(seed).choice
        table.apply("first A")
        for top in tops.split():
            table.apply(f"turn {top}")
        wanted = {seat: cards.split() for seat, cards in hands.items()}
        while table.actor == "chance":
            texts = list(table.chances())
            seat = texts[0].split()[1]
            mine = [f"deal {seat} {card}" for card in wanted.get(seat, [])]
            others = [card for cards in wanted.values() for card in cards]
            free = [text for text in texts if text.split()[2] not in others]
            table.apply(mine[0] if mine else pick(free))
            if mine:
                wanted[seat].pop(0)
        while table.deciders:
            table.apply(pick(table.legal(table.actor)))
        table.apply("reveal")
        if all(set(cards.split()) <= set(table.seats[seat].hand) for seat, cards in hands.items()):
            return table
    raise AssertionError("unreachable")


def happen(table: Table, story: str) -> Table:
    for line in story.strip().splitlines():
        table.apply(line.strip())
    return table


def by_seat(table: Table, key: str) -> list:
    return [seat[key] for seat in table.fields()["seats"]]


def test_rulebook_eric_may_rob_stephanie_and_nicolas_gets_three_bonus():
    """Éric = A, Stéphanie = B, Nicolas = C, Marilou = D."""
    hands = {"A": "B1 R9", "B": "R5 R8", "C": "B2 R2", "D": "G1 G2"}
    table = happen(
        table_with(hands, "R4 P1"),
        """A plays B(1)
        B plays R(5)
        C plays B(2)
        D plays G(1)
        reveal""",
    )
    assert by_seat(table, "pile") == [[], ["R4"], [], []]
    assert by_seat(table, "bonus") == [0, 0, 2, 0]  # C won blue and stole what A got for it
    assert table.waiting.phase == "look"
    table.apply("D looks at GP")
    while table.waiting.phase != "turn":
        table.apply(next(iter(table.chances() or table.legal("D"))))
    happen(table, "turn R1")
    table.apply(next(text for text in table.chances()))
    table.apply("B plays (R)8")
    table.apply("C plays R(2)")
    table.apply("D plays G(2)")
    table.apply("A plays R(9)")
    table.apply("reveal")
    assert by_seat(table, "bonus") == [0, 0, 5, 0]
    assert table.legal("A") == ["A takes R1", "A steals R4 from B"]
    table.apply("A steals R4 from B")
    assert by_seat(table, "pile")[:2] == [["R4"], []]


def test_rulebook_merged_suit_with_three_players():
    """Éric = A, Marilou = B, Nicolas = C; red lies on the deck."""
    hands = {"A": "R4", "B": "P7", "C": "G9"}
    table = happen(
        table_with(hands, "R2", players=3),
        """A plays R(4)
        B plays P(7)
        C plays G(9)
        reveal""",
    )
    assert by_seat(table, "pile") == [["R2"], [], []]
    assert by_seat(table, "bonus") == [0, 2, 0]
    assert (table.actor, table.waiting.phase) == ("chance", "see")
    assert table.waiting.turn == "C"


def test_the_absent_colour_of_the_decks_own_card_is_a_suit_of_its_own():
    table = happen(
        table_with({"A": "R4", "B": "B7", "C": "G9"}, "R2", players=3),
        """A plays R(4)
        B plays B(7)
        C plays G(9)
        reveal""",
    )
    assert by_seat(table, "bonus") == [0, 2, 0]  # B alone in blue: the action, from the supply
    assert table.waiting.turn == "C"


def test_a_value_ends_at_twelve():
    table = table_with({"A": "R11 R12"}, "R4 P1")
    table.seats["A"].bonus = 3
    texts = table.plays("A")
    assert {"A plays R(11)+1", "A plays (R)12"} <= set(texts)
    assert not {"A plays R(11)+2", "A plays (R)12+1"} & set(texts)


@pytest.mark.parametrize(("first", "winner", "lowest"), [("A", "A", "C"), ("C", "C", "B")])
def test_of_equal_values_the_seat_nearer_to_the_first_player_ranks_higher(first, winner, lowest):
    table = Table(BASE, 3, {})
    table.first = first
    for seat, card in zip("ABC", ["R5", "R4", "R3"], strict=True):
        table.seats[seat].hand = [card, "G1"]
        table.seats[seat].bonus = 5 - int(card[1:])
        bonus = table.seats[seat].bonus
        table.lay(seat, f"{seat} plays R({card[1:]})" + (f"+{bonus}" if bonus else ""))
    table.uncover()
    table.decks[0].top = "R1"
    list(table.share_out())
    assert [seat for seat in "ABC" if table.seats[seat].pile] == [winner]
    assert [seat for seat in "ABC" if table.seats[seat].bonus] == [lowest]
    assert table.seats[lowest].bonus == 3


def test_a_pass_is_the_highest_of_a_longest_colour():
    table = Table(BASE, 4, {})
    table.seats["B"].hand = ["R1", "R9", "B3", "B4", "G12"]
    assert table.passes("B") == ["B passes R9", "B passes B4"]
    table.seats["B"].hand.append("B5")
    assert table.passes("B") == ["B passes B5"]


def test_a_pass_leaves_no_trace_but_with_giver_and_receiver():
    table = table_with({}, "R4 P1")
    passed = by_seat(table, "passed")
    assert None not in passed
    seen = [seat["passed"] for seat in table.fields("A")["seats"]]
    assert seen == [passed[0], passed[1], None, None]
    assert [seat["passed"] for seat in table.fields("public")["seats"]] == [None] * 4


def test_treasures_seen_on_a_deck_come_for_certain_and_a_later_look_takes_the_places_away():
    table = Table(BASE, 3, {})
    deck = table.decks[0]
    story = table.act_look("A")
    next(story)
    for text in ["A sees R1", "A sees B2", "A sees G3"]:
        waiting = story.send(text)
    assert len(waiting.legal["A"]) == 6
    with pytest.raises(StopIteration):
        story.send("A orders G3 R1 B2")
    looked = table.fields("A")["looked"][0]
    assert [place["treasure"] for place in looked] == ["G3", "R1", "B2"]
    assert table.fields("B")["looked"][0] == [{"treasure": None, "known_to": []}] * 3
    assert table.next_treasures(deck, 0, "turn") == {"turn G3": Fraction(1)}

    turn = table.turn_up()
    next(turn)
    with pytest.raises(StopIteration):
        turn.send("turn G3")
    table.count = 0
    story = table.act_look("B")
    assert next(story).chances == {"B sees R1": 1}
    assert story.send("B sees R1").chances == {"B sees B2": 1}
    assert table.fields()["looked"][0][0] == {"treasure": "R1", "known_to": ["A", "B"]}
    assert len(story.send("B sees B2").chances) == 17
    story.send("B sees P5")
    with pytest.raises(StopIteration):
        story.send("B orders R1 B2 P5")
    assert [place["known_to"] for place in table.fields()["looked"][0]] == [["B"]] * 3
    assert [place["treasure"] for place in table.fields("A")["looked"][0]] == [None] * 3


def test_look_alike_treasures_make_one_order():
    table = Table(BASE, 4, {})
    story = table.act_look("A")
    next(story)
    story.send("A looks at RB")
    for text in ["A sees R2", "A sees B3", "A sees R2"]:
        waiting = story.send(text)
    assert waiting.legal["A"] == ["A orders B3 R2 R2", "A orders R2 B3 R2", "A orders R2 R2 B3"]


@pytest.mark.parametrize(
    ("bonus", "victims"), [([2, 1, 2], "BD"), ([1, 2, 1], ""), ([1, 1, 0], "")]
)
def test_bonus_is_robbed_by_choice_by_necessity_or_from_the_supply(bonus, victims):
    table = Table(BASE, 4, {})
    for seat, n in zip("BCD", bonus, strict=True):
        table.seats[seat].bonus = n
    asked = next(table.act_bonus("A"), None)
    assert (asked.legal["A"] if asked else []) == [f"A robs {victim}" for victim in victims]
    if not asked:
        assert table.seats["A"].bonus == 2
        assert table.seats["C"].bonus == (0 if bonus[1] == 2 else bonus[1])
        assert table.supply == (22 if bonus[1] == 2 else 20)


def test_a_swap_is_seen_by_the_two_alone():
    table = Table(MINI, 3, {})
    table.seats["A"].hand, table.seats["B"].hand = ["R1"], ["P2"]
    story = table.act_swap("A")
    next(story)
    assert story.send("A swaps with B").chances == {"A draws P2": 1}
    assert story.send("A draws P2").legal["A"] == ["A gives R1", "A gives P2"]
    assert table.fields("B")["log"][0]["swap"]["taken"] == ["P2"]
    assert table.fields("C")["log"][0]["swap"]["taken"] is None


@pytest.mark.parametrize("action", ["swap", "look", "retrieve"])
def test_in_the_last_trick_only_bonus_works(action):
    table = Table(MINI, 3, {"red_blue": action, "green_purple": "bonus"})
    table.first = "A"
    table.decks[0].top = "R1"
    for seat, card in zip("ABC", ["B1", "G2", "P2"], strict=True):
        table.seats[seat].hand = [card]
        table.lay(seat, f"{seat} plays ({card[0]}){card[1:]}")
    table.uncover()
    with pytest.raises(StopIteration) as end:
        next(table.share_out())
    assert end.value.value == [("A", action), ("B", "bonus")]
    assert list(table.carry_out(end.value.value)) == []  # nobody is asked
    assert [table.seats[seat].bonus for seat in "ABC"] == [0, 2, 0]  # B robs C


@pytest.mark.parametrize(("box", "players"), [(BASE, 3), (BASE, 4), (BASE, 5), (MINI, 3)])
def test_who_sees_nothing_of_an_event_knows_what_he_knew_before(box, players):
    table = Table(box, players, {"red_blue": "swap"})
    pick = random.Random(players).choice
    while table.actor != "over":
        if table.actor == "reveal":
            text = "reveal"
        elif table.actor == "chance":
            text = pick(list(table.chances()))
        else:
            text = pick(table.legal(pick(table.deciders)))
        blind = [
            (who, table.fields(who))
            for who in [*table.letters, "public"]
            if table.seen(text, who) is None
        ]
        table.apply(text)
        for who, known in blind:
            assert table.fields(who) == known
        assert (
            table.supply + sum(s.bonus + s.laid for s in table.seats.values())
            == (box["bonus"]["total"])
        )
    assert table.fields()["phase"] == "over"


def test_twelve_tricks_later_the_same_seat_opens_nine_tricks_later_the_one_before():
    for players, opener in [(3, "A"), (4, "A"), (5, "E")]:
        table = Table(BASE, players, {})
        table.apply("first A")
        while table.round == 1:
            if table.actor == "reveal":
                table.apply("reveal")
            elif table.actor == "chance":
                table.apply(next(iter(table.chances())))
            else:
                table.apply(table.legal(table.actor)[0])
        assert table.first == opener
