"""Worlds of Sea and Coast fit their view and come with exactly the right odds (J30, J31)."""

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

import islebots
from islebots.core.game import Game, State, View
from islebots.core.registry import rules_of

SEATS = "ABCDE"
COLOURS = "RBGP"

Hand = set[str]
Key = tuple[Any, ...]


# ---- Every world by brute force ----------------------------------------------
def passes(hand: Hand) -> list[str]:
    """The cards a dealt hand may pass. §2.8, §2.9"""
    suits = [sorted(c for c in hand if c[0] == colour) for colour in COLOURS]
    most = max(map(len, suits))
    return [max(suit, key=lambda c: int(c[1:])) for suit in suits if len(suit) == most]


def hands_of(cards: Hand, sizes: list[int]) -> Iterator[list[Hand]]:
    """Every way to lay cards into hands of these sizes; the rest stays in the box."""
    if not sizes:
        yield []
        return
    for hand in combinations(sorted(cards), sizes[0]):
        for rest in hands_of(cards - set(hand), sizes[1:]):
            yield [set(hand), *rest]


def may_lie(card: str, seat: dict[str, Any], highest: int) -> bool:
    """Can this card lie there with one half covered? §3.5, §8.4"""
    face = card[0] if seat["half"] == "sea" else int(card[1:])
    return face == seat["shows"] and int(card[1:]) + seat["laid"] <= highest


def undo(hand: list[Hand], log: dict[str, Any], first: int, seats: int) -> bool:
    """The hands before a trick's swap and retrieval, the last first; False if they cannot be."""
    steps = []
    for kind, who in (("swap", "thief"), ("retrieve", "seat")):
        if log[kind]:
            steps.append(((SEATS.index(log[kind][who]) - first) % seats, kind, log[kind]))
    for _, kind, step in sorted(steps, reverse=True):
        if kind == "swap":
            a, c = SEATS.index(step["thief"]), SEATS.index(step["victim"])
            taken, given = set(step["taken"]), set(step["given"])
            if not given <= hand[c]:
                return False
            hand[c] -= given
            hand[a] |= given
            if not taken <= hand[a]:
                return False
            hand[a] -= taken
            hand[c] |= taken
        else:
            s = SEATS.index(step["seat"])
            if step["discard"]:
                hand[s].add(step["discard"])
            if step["card"] not in hand[s]:
                return False
            hand[s].remove(step["card"])
    return True


def every_world(view: View, numbers: int, hand_size: int) -> dict[Key, float]:
    """Odds by (hands, cards passed, cards laid) of each world in which nobody's swap is hidden."""
    f = view.fields()
    n, seats, late = f["players"], f["seats"], f["phase"] in ("play", "reveal")
    me = None if f["observer"] == "public" else SEATS.index(f["observer"])
    gone = set()
    for log in f["log"]:
        gone |= {c for c in log["cards"] if c}
        if log["retrieve"]:
            gone -= {log["retrieve"]["card"]}
            gone |= {log["retrieve"]["discard"]} - {None}
    own = set()
    if me is not None:
        own = set(seats[me]["hand"]) | ({seats[me]["card"]} - {None} if late else set())
    free = {f"{c}{k + 1}" for c in COLOURS for k in range(numbers)} - gone - own
    others = [s for s in range(n) if s != me]
    sizes = [seats[s]["hand_size"] + bool(late and seats[s]["half"]) for s in others]
    given = [seats[s]["passed"] for s in range(n)]
    odds: dict[Key, float] = {}
    for dealt in hands_of(free, sizes):
        now = [own] * n
        for s, hand in zip(others, dealt, strict=True):
            now[s] = hand
        hand = [set(h) for h in now]
        fine = True
        for t in range(len(f["log"]) - 1, -1, -1):
            first = (SEATS.index(f["first"]) - (f["trick"] - 1 - t)) % n
            fine = fine and undo(hand, f["log"][t], first, n)
            for s in range(n):
                hand[s] |= {f["log"][t]["cards"][s]} - {None}
        if not fine or any(len(h) != hand_size for h in hand):
            continue
        laid = [
            [c for c in now[s] if may_lie(c, seats[s], numbers)]
            if late and seats[s]["half"] and s != me
            else [None]
            for s in range(n)
        ]
        choice = [[given[s]] if given[s] else sorted(hand[s - 1]) for s in range(n)]
        for passed in product(*choice):
            p = 1.0
            for s in range(n):
                if passed[s] not in hand[s - 1]:
                    p = 0
                if s == me:
                    continue
                fits = passes((hand[s] - {passed[(s + 1) % n]}) | {passed[s]})
                p *= (passed[s] in fits) / (1 if given[s] else len(fits))
            if p > 0:
                for cards in product(*laid):
                    q = p / math.prod(len(x) for x in laid)
                    key = [
                        now[s] - {cards[s]} - ({seats[s]["card"]} if s == me and late else set())
                        for s in range(n)
                    ]
                    world = (tuple(map(frozenset, key)), passed, cards)
                    odds[world] = odds.get(world, 0) + q
    total = sum(odds.values())
    return {key: p / total for key, p in odds.items()}


def key_of(world: State, view: View) -> Key:
    """What `every_world` tells its worlds apart by."""
    seats = world.fields()["seats"]
    me = view.observer
    late = world.fields()["phase"] in ("play", "reveal")
    return (
        tuple(frozenset(s["hand"]) for s in seats),
        tuple(s["passed"] for s in seats),
        tuple(s["card"] if late and i != me else None for i, s in enumerate(seats)),
    )


def chi_square_p(counts: Counter[Key], odds: dict[Key, float], n: int) -> float:
    """How odd are these counts? Rare worlds are counted together."""
    chi, cells, few, few_odds = 0.0, 0, 0, 0.0
    for key, p in sorted(odds.items(), key=lambda item: item[1]):
        few += counts[key]
        few_odds += p
        if few_odds * n >= 5:
            chi += (few - few_odds * n) ** 2 / (few_odds * n)
            cells += 1
            few, few_odds = 0, 0.0
    if cells < 2:
        return 1.0
    k = cells - 1  # Wilson and Hilferty
    z = ((chi / k) ** (1 / 3) - 1 + 2 / (9 * k)) / math.sqrt(2 / (9 * k))
    return math.erfc(z / math.sqrt(2)) / 2


# ---- Odds --------------------------------------------------------------------
def made_up(numbers: int, players: int, hand: int) -> Game:
    """A box of four colours with so many numbers."""
    rules = rules_of("sea_and_coast")
    data = {
        "name": "made_up",
        "islands": {"numbers": numbers, "total": 4 * numbers, "highest_value": numbers},
        "bonus": {"total": 4},
        "hand": {str(players): hand},
        "decks": {str(players): 1 if players == 3 else 2},
        "treasures": {"points": [1, 2, 2, 3], "total": 16},
        "removed": {},
    }
    return Game("sea_and_coast", rules, "made_up", rules.read_box(data))


def is_told(view: View) -> bool:
    """After the deal, and with no swap that this observer did not see."""
    f = view.fields()
    swaps = [log["swap"] for log in f["log"] if log["swap"]]
    early = f["phase"] in ("first", "turn", "deal", "pass")
    return not early and all(swap["taken"] is not None for swap in swaps)


def n_listed(view: View, numbers: int) -> float:
    """How long `every_world` would take, roughly."""
    f = view.fields()
    seats = f["seats"]
    left = 4 * numbers - sum(c is not None for log in f["log"] for c in log["cards"])
    n = 1.0
    for s, seat in enumerate(seats):
        if SEATS[s] == f["observer"]:
            left -= seat["hand_size"]
    for s, seat in enumerate(seats):
        if SEATS[s] != f["observer"]:
            size = seat["hand_size"] + bool(seat["half"] and f["phase"] in ("play", "reveal"))
            n *= math.comb(left, min(size, left))
            left -= size
            n *= 1 if seat["passed"] else f["trick"] - 1 + seat["hand_size"]
    return n


ACTIONS = (("bonus", "look"), ("swap", "retrieve"), ("retrieve", "bonus"), ("bonus", "swap"))


def views_of(game: Game, players: int, numbers: int, n: int, seed: int) -> Iterator[View]:
    """So many views of random games, few enough worlds in each to list them."""
    rng = random.Random(seed)
    while True:
        first, second = rng.choice(ACTIONS)
        state = game.setup(players, red_blue=first, green_purple=second, rounds=1)
        while state.actor != "over":
            view = state.view(rng.choice([*range(players), "public"]))
            if is_told(view) and rng.random() < 0.3 and 1 < n_listed(view, numbers) < 20_000:
                yield view
                n -= 1
                if n == 0:
                    return
            state = state.step(rng.getrandbits(60))


@pytest.mark.parametrize(
    ("numbers", "players", "hand"),
    [(2, 3, 2), (2, 4, 2), (3, 3, 3), (3, 4, 3), (3, 5, 2), (4, 3, 5), (4, 4, 4), (5, 3, 6)],
)
def test_worlds_come_as_often_as_the_list_of_all_deals_says(numbers, players, hand):
    mini = numbers == 2
    game = islebots.load("sea_and_coast", "mini") if mini else made_up(numbers, players, hand)
    for i, view in enumerate(views_of(game, players, numbers, 6, seed=1)):
        check_odds(view, numbers, hand, 3000, f"view {i}")


def test_worlds_come_as_often_where_the_sampler_draws_cards_before_the_deal():
    # Nothing of the passes is known to the public, so there most of them are drawn so.
    for i, view in enumerate(views_of(made_up(4, 4, 4), 4, 4, 90, seed=1)):
        if view.observer == "public":
            check_odds(view, 4, 4, 20_000, f"view {i}")


def check_odds(view: View, numbers: int, hand: int, n: int, name: str) -> None:
    odds = every_world(view, numbers, hand)
    counts = Counter(key_of(world, view) for world in view.worlds(n, seed=7))
    assert not set(counts) - set(odds), f"{name} has a world that cannot be\n{view}"
    p = chi_square_p(counts, odds, n)
    assert p > 1e-5, f"{name}, {len(odds)} worlds: p = {p:.2g}\n{view}"


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("actions", [("bonus", "look"), ("look", "retrieve")])
def test_an_observer_of_a_world_sees_the_view_it_was_drawn_for(players, actions):
    game = islebots.load("sea_and_coast")
    first, second = actions
    state = game.setup(players, red_blue=first, green_purple=second)
    seed = 0
    while state.actor != "over":
        for observer in [*range(players), "public"] if state.actor != "chance" else []:
            view = state.view(observer)
            for world in view.worlds(2, seed=seed):
                assert world.view(observer) == view, f"ply {seed}, seen by {observer}\n{view}"
                assert world.faults() == []
        state = state.step(seed)
        seed += 1
