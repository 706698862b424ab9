"""Kuhn poker, a game outside the tree: its rules, the laws of a view, and that it is found."""

import pickle
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.metadata import entry_points
from itertools import permutations, product
from pathlib import Path

import pytest

import islebots
from islebots import BadSetup, BadText, IllegalMove, ImpossibleView, State, View
from islebots.core.game import play_random

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MINI = islebots.load("kuhn_poker", "mini")
WIDE = islebots.load("kuhn_poker", "wide")
OBSERVERS = (0, 1, "public")
RANK = {"J": 0, "Q": 1, "K": 2}
DEALS = list(permutations("JQK", 2))

# Every line there is: what the loser pays, and who wins if it is not the higher card.
LINES = {
    ("A checks", "B checks"): (1, None),
    ("A checks", "B bets", "A calls"): (2, None),
    ("A checks", "B bets", "A folds"): (1, 1),
    ("A bets", "B calls"): (2, None),
    ("A bets", "B folds"): (1, 0),
}


def deal(a: str, b: str, box: str = "base") -> State:
    """A game in which A and B have these cards."""
    start = islebots.load("kuhn_poker", box).setup(2)
    return start.apply(f"deal A {a}").apply(f"deal B {b}")


def play(state: State, line: tuple[str, ...]) -> State:
    for move in line:
        state = state.apply(move)
    return state


def histories(state: State, chance: float = 1.0) -> Iterator[tuple[State, float]]:
    """Every state that can come of one, itself first, with the probability of its chance moves."""
    yield state, chance
    odds = dict(state.chances())
    for move in state.possible():
        yield from histories(state.apply(move), chance * odds.get(move, 1.0))


ALL = list(histories(MINI.setup(2)))


# ---- The rules ---------------------------------------------------------------
@pytest.mark.parametrize("line", LINES, ids=" ".join)
@pytest.mark.parametrize("cards", DEALS, ids="".join)
def test_the_loser_of_every_deal_and_line_pays_what_is_in_the_pot(
    cards: tuple[str, str], line: tuple[str, ...]
) -> None:
    chips, winner = LINES[line]
    state = play(deal(*cards), line)
    if winner is None:
        assert state.actor == "reveal"
        state = state.apply("reveal")
        winner = 0 if RANK[cards[0]] > RANK[cards[1]] else 1
    assert state.actor == "over"
    assert state.outcome() == ([chips, -chips] if winner == 0 else [-chips, chips])
    assert state.rewards() == [0.5 + value / 4 for value in state.outcome()]


def test_there_are_no_other_lines() -> None:
    over = [state for state, _ in ALL if state.actor == "over"]
    assert len(over) == len(DEALS) * len(LINES)
    assert len(ALL) == 1 + 3 + 6 * (1 + 2 + 4 + 2 + 3)


def test_each_seat_is_dealt_one_card_of_those_left_with_equal_odds() -> None:
    start = MINI.setup(2)
    first = {MINI.text(move): p for move, p in start.chances()}
    assert first == pytest.approx({f"deal A {card}": 1 / 3 for card in "JQK"})
    second = {MINI.text(move): p for move, p in start.apply("deal A Q").chances()}
    assert second == {"deal B J": 0.5, "deal B K": 0.5}


def test_what_is_not_legal_is_refused_with_what_is() -> None:
    with pytest.raises(IllegalMove, match='illegal move "A calls"; legal: "A checks", "A bets"'):
        deal("K", "Q").apply("A calls")
    with pytest.raises(BadText, match=r'"A raises": not a line of kuhn_poker'):
        deal("K", "Q").apply("A raises")


def test_the_same_rules_play_a_box_with_more_cards_and_a_higher_bet() -> None:
    state = play(deal("2", "A", "wide"), ("A bets", "B calls", "reveal"))
    assert state.outcome() == [-3, 3]
    assert state.rewards() == [0, 1]
    assert len(WIDE.setup(2).chances()) == 13
    assert WIDE.new(2, seed=1).view(0).n_worlds() == 12
    plies, returns = play_random(WIDE, 2, 7, 1000)
    assert 4000 <= plies <= 6000
    assert sum(returns) == 0


def test_a_box_that_cannot_be_is_refused_with_its_file() -> None:
    data = {"name": "odd", "cards": ["J", "Q"], "total": 3, "ante": 1, "bet": 1}
    with pytest.raises(BadSetup, match=r"odd.toml: 2 different cards listed, the box has 3"):
        MINI.rules.read_box(data)
    with pytest.raises(BadSetup, match=r"odd.toml: card '1', takes 2 3"):
        MINI.rules.read_box(data | {"cards": ["1"]})
    with pytest.raises(BadSetup, match=r"odd.toml: 1 cards do not serve 2 players"):
        MINI.rules.read_box(data | {"cards": ["K"], "total": 1})
    with pytest.raises(BadSetup, match=r"odd.toml: bet is 0, takes 1 to 100"):
        MINI.rules.read_box(data | {"total": 2, "bet": 0})


# ---- What is known -----------------------------------------------------------
def test_a_view_follows_what_it_sees_in_every_history() -> None:
    for state, _ in ALL:
        for move in state.possible():
            after = state.apply(move)
            for observer in OBSERVERS:
                seen = state.seen(move, observer)
                assert state.view(observer).follow(seen) == after.view(observer)


def test_a_card_is_seen_by_its_owner_until_a_showdown_shows_both() -> None:
    start = MINI.setup(2)
    move = start.possible()[0]
    assert [MINI.text(start.seen(move, who)) for who in OBSERVERS] == [
        "deal A J",
        "deal A ?",
        "deal A ?",
    ]
    state = play(deal("K", "Q"), ("A bets", "B calls"))
    (reveal,) = state.possible()
    assert {MINI.text(state.seen(reveal, who)) for who in OBSERVERS} == {"showdown K Q"}
    assert state.view("public").fields()["cards"] == [None, None]
    assert state.apply("reveal").view("public").fields()["cards"] == ["K", "Q"]


def test_a_fold_shows_nothing() -> None:
    state = play(deal("K", "Q"), ("A bets", "B folds"))
    assert state.view(0).fields()["cards"] == ["K", None]
    assert state.view("public").fields()["cards"] == [None, None]


def worlds_by_view() -> dict[View, dict[State, float]]:
    """By view, the states that fit with their weight. All decisions are seen in full: they only
    rule worlds out, so the weight is the probability of the deal."""
    found: dict[View, dict[State, float]] = defaultdict(lambda: defaultdict(float))
    for state, chance in ALL:
        for observer in OBSERVERS:
            found[state.view(observer)][state] += chance
    return found


def test_worlds_are_the_states_that_fit_each_with_its_weight() -> None:
    n = 600
    for view, weights in worlds_by_view().items():
        total = sum(weights.values())
        drawn = Counter(view.worlds(n, seed=11))
        assert set(drawn) == set(weights)
        assert all(world.view(view.observer) == view for world in drawn)
        assert view.n_worlds() == len(weights)
        chi2 = sum((drawn[w] - n * p / total) ** 2 / (n * p / total) for w, p in weights.items())
        # p = 0.0001 with 5 degrees of freedom, the most there are.
        assert chi2 < 25.8, f"chi-square {chi2:.1f}, seed 11\n{view}"


def test_a_view_accepts_just_what_can_be_seen_next() -> None:
    codes = MINI.rules.CODES.values()
    for view, worlds in worlds_by_view().items():
        can = {w.seen(move, view.observer) for w in worlds for move in w.possible()}
        assert {code for code in codes if view.accepts(code)} == can, str(view)


def test_something_hidden_comes_only_in_the_deal() -> None:
    for state, _ in ALL:
        hidden = any(
            history.seen(move, 0) != history.seen(move, 1)
            for history, _ in histories(state)
            for move in history.possible()
        )
        assert state.view(0).hidden_ahead() == hidden


# ---- The rule player ---------------------------------------------------------
# How often it bets or calls, by seat, card and whether it faces a bet.
THIRD = Fraction(1, 3)
POLICY = {
    (0, False): {"J": THIRD, "Q": Fraction(0), "K": Fraction(1)},
    (0, True): {"J": Fraction(0), "Q": 2 * THIRD, "K": Fraction(1)},
    (1, False): {"J": THIRD, "Q": Fraction(0), "K": Fraction(1)},
    (1, True): {"J": Fraction(0), "Q": THIRD, "K": Fraction(1)},
}
SPOTS = {
    (0, False): (),
    (0, True): ("A checks", "B bets"),
    (1, False): ("A checks",),
    (1, True): ("A bets",),
}


@pytest.mark.parametrize("spot", SPOTS, ids=str)
def test_the_policy_bets_and_calls_as_often_as_the_equilibrium_asks(spot: tuple[int, bool]) -> None:
    n = 900
    for card, p in POLICY[spot].items():
        other = "Q" if card != "Q" else "K"
        cards = (card, other) if spot[0] == 0 else (other, card)
        state = play(deal(*cards), SPOTS[spot])
        assert state.actor == spot[0]
        texts = [state.game.text(state.policy(seed=seed)) for seed in range(n)]
        bold = sum(text.endswith(("bets", "calls")) for text in texts)
        assert abs(bold - n * p) <= 4 * (n * p * (1 - p)) ** 0.5, f"{bold} of {n} with {card}"


def test_the_policy_chooses_alike_in_every_world_of_a_view() -> None:
    for view, worlds in worlds_by_view().items():
        if view.observer == "public" or not view.may_act():
            continue
        for seed in range(20):
            chosen = {world.policy(view.observer, seed) for world in worlds}
            assert chosen == {view.policy(seed=seed)}


def value_to_a(a: Callable[[bool, str], Fraction], b: Callable[[bool, str], Fraction]) -> Fraction:
    """What A wins on average; a player tells how often it bets or calls."""
    total = Fraction(0)
    for card_a, card_b in DEALS:
        sign = 1 if RANK[card_a] > RANK[card_b] else -1
        bet, call = a(False, card_a), b(True, card_b)
        total += bet * (call * 2 * sign + (1 - call))
        raised, answer = b(False, card_b), a(True, card_a)
        total += (1 - bet) * (raised * (answer * 2 * sign - (1 - answer)) + (1 - raised) * sign)
    return total / len(DEALS)


def test_no_strategy_gains_against_the_policy() -> None:
    value = Fraction(-1, 18)  # Kuhn 1950

    def policy(seat: int) -> Callable[[bool, str], Fraction]:
        return lambda faces_bet, card: POLICY[seat, faces_bet][card]

    assert value_to_a(policy(0), policy(1)) == value
    for choices in product((Fraction(0), Fraction(1)), repeat=6):
        pure = dict(zip(product((False, True), "JQK"), choices, strict=True))

        def other(faces_bet: bool, card: str, pure=pure) -> Fraction:
            return pure[faces_bet, card]

        assert value_to_a(other, policy(1)) <= value <= value_to_a(policy(0), other)


# ---- Text and fields ---------------------------------------------------------
def test_every_text_reads_back() -> None:
    for text, code in MINI.rules.CODES.items():
        assert MINI.read(f"  {text} ".replace(" ", "  ")) == code
        assert MINI.text(code) == text


def test_every_state_and_view_reads_back_from_its_fields_and_json() -> None:
    for state, _ in ALL:
        assert state.faults() == []
        assert islebots.from_json(state.to_json()) == state
        assert pickle.loads(pickle.dumps(state)) == state
        for observer in OBSERVERS:
            view = state.view(observer)
            assert view.faults() == []
            assert islebots.from_json(view.to_json()) == view
            assert str(view)


VIEW = play(deal("K", "Q"), ("A checks",)).view(0).fields()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"line": ["call"]}, r"line\[0\]: nobody can call here"),
        ({"phase": "over"}, 'phase: "over" given, here it is "bet"'),
        ({"cards": ["K", "Q"]}, r"cards\[1\]: hidden from this observer"),
        ({"cards": [None, None]}, r"cards\[0\]: not given, but known to this observer"),
        ({"cards": ["A", None]}, r"cards\[0\]: this box has no A"),
        ({"dealt": 1, "line": [], "phase": "deal", "cards": ["K", "Q"]}, "1 cards are dealt"),
        (
            {"line": ["check", "check"], "phase": "over", "cards": ["K", "K"]},
            "K: both A and B hold it",
        ),
    ],
)
def test_a_view_that_cannot_be_is_refused_with_the_reason(change: dict, message: str) -> None:
    with pytest.raises(ImpossibleView, match=message):
        MINI.view(VIEW | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"line": ["raise"]}, r"line\[0\]: 'raise' given, takes check, bet, call, fold"),
        ({"line": [["check"]]}, r"line\[0\]: \['check'\] given"),
        ({"cards": ["10", None]}, r"cards\[0\]: '10' given, takes 2, 3"),
        ({"cards": ["K"]}, "cards: 1 items given, takes 2"),
        ({"players": 3}, "players: 3 given, takes 2 to 2"),
        ({"pot": 2}, "pot: unknown field"),
    ],
)
def test_fields_that_are_not_notation_are_named(change: dict, message: str) -> None:
    with pytest.raises(BadText, match=message):
        MINI.view(VIEW | change)


# ---- Found from outside ------------------------------------------------------
def test_the_game_is_found_by_its_entry_point() -> None:
    (point,) = entry_points(group="islebots.games", name="kuhn_poker")
    assert point.value == "kuhn_poker.rules"
    assert "kuhn_poker" in islebots.games()
    assert islebots.boxes("kuhn_poker") == ["base", "mini", "wide"]
    assert islebots.load("kuhn_poker").new(2, seed=7).actor == 0


def test_the_game_loads_where_a_folder_of_its_name_is_in_the_way() -> None:
    play = "import islebots; print(islebots.load('kuhn_poker').new(2).actor)"
    done = subprocess.run(
        [sys.executable, "-c", play], cwd=EXAMPLES, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_an_unknown_game_or_box_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadSetup, match=r'game "poker": unknown; known: .*kuhn_poker'):
        islebots.load("poker")
    with pytest.raises(BadSetup, match='box "tiny": unknown; kuhn_poker has base, mini, wide'):
        islebots.load("kuhn_poker", "tiny")
    with pytest.raises(BadSetup, match="players: 3 given, kuhn_poker takes 2"):
        islebots.load("kuhn_poker").new(3)
