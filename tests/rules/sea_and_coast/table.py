"""A table of Sea and Coast: positions as text, and questions in a player's words.

A position stands at the start of a trick. Its first line is about the table, the others are about
the seats, A first; what a player does not care about is made up, and fits.

    first B, tops R4 G2
    A lays R7+2, holds G1 G2, bonus 3, pile B1 R2
    B lays R9
    C lays P3
    D lays G5

`lays` is the card that `trick` will lay: `R(9)` with the colour shown, `(R)9` with the number; a
plain `R9` shows its colour. `holds` are the other cards of the hand. The number of cards in the
longest hand written down tells which trick it is; without `holds` it is trick 6. If the line about
the table has a `trick`, hands are filled up to what they have in that trick.

A world that is to be exact also has `played`, the cards of the tricks before, and `passed`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import chain
from random import Random
from typing import Any

import islebots

SEATS = "ABCDE"
COLOURS = "RBGP"
CARDS = [f"{colour}{number}" for colour in COLOURS for number in range(1, 13)]
POINTS = [1, 2, 2, 3, 3, 4, 4, 5]
DEALT = {3: 12, 4: 12, 5: 9}
BONUS = 22


@cache
def game() -> Any:
    return islebots.load("sea_and_coast")


# ---- Cards ------------------------------------------------------------------
def cards(text: str) -> list[str]:
    """ "R1-3 B7" are R1, R2, R3 and B7."""
    out = []
    for word in text.split():
        colour, low, high = re.fullmatch(r"([RBGP])(\d+)(?:-(\d+))?", word).groups()
        out += [f"{colour}{number}" for number in range(int(low), int(high or low) + 1)]
    return out


def ascending(some: Iterable[str]) -> list[str]:
    return sorted(some, key=CARDS.index)


def passable(hand: Iterable[str]) -> list[str]:
    """The highest card of each colour of which a dealt hand has most."""
    colours = [[card for card in ascending(hand) if card[0] == c] for c in COLOURS]
    most = max(map(len, colours))
    return [colour[-1] for colour in colours if len(colour) == most]


def treasures(players: int) -> Counter[str]:
    points = [1, 2, 3, 4, 5] if players == 3 else POINTS
    return Counter(f"{colour}{value}" for colour in COLOURS for value in points)


def deck_of(treasure: str, players: int) -> int:
    return 0 if players == 3 or treasure[0] in "RB" else 1


# ---- The table --------------------------------------------------------------
class Table:
    """A state, asked in text. Like the state it never changes."""

    def __init__(self, state: Any, lays: tuple[str, ...] = ()) -> None:
        self.state = state
        self.lays = lays  # what `lay` will lay, in order

    def do(self, *moves: str, uncover: bool = True) -> Table:
        """The table after these moves. What was secret is uncovered at once, unless told not to."""
        state = self.state
        for move in moves:
            state = state.apply(move)
            while uncover and state.actor == "reveal":
                state = state.apply("reveal")
        return Table(state)

    def lay(self, n: int | None = None, uncover: bool = True) -> Table:
        """The first n of the cards the position tells to lay are laid; without n, all."""
        return self.do(*self.lays[:n], uncover=uncover)

    def turn(self, text: str = "RBGP") -> Table:
        """Treasures are turned up: "R4 G2" those, "R G" any red and any green, "RB GP" any."""
        wanted, table = text.split(), self
        while table.phase == "turn":
            move = next(
                move
                for move in table.chances()
                for word in wanted
                if move.split()[1] == word or (word.isalpha() and move.split()[1][0] in word)
            )
            table = table.do(move)
        return table

    def deal(self, hands: dict[str, str], tops: str, first: str = "A") -> Table:
        """A round is set up up to the passes. Hands may be short or absent; they are filled up."""
        wanted = {seat: cards(text) for seat, text in hands.items()}
        rest = [card for card in CARDS if card not in chain(*wanted.values())]
        Random(0).shuffle(rest)
        for seat in SEATS[: self.players]:
            own = wanted.setdefault(seat, [])
            own += [rest.pop() for _ in range(DEALT[self.players] - len(own))]
        table = self
        if table.phase == "first":
            table = table.do(f"first {first}")
        table = table.turn(tops)
        while table.phase == "deal":
            seat = next(iter(table.chances())).split()[1]
            table = table.do(f"deal {seat} {wanted[seat].pop(0)}")
        return table

    def take(self) -> Table:
        """Whoever may take or steal takes."""
        table = self
        while table.phase == "claim":
            table = table.do(next(move for move in table.moves() if "takes" in move))
        return table

    def pass_on(self) -> Table:
        """Everybody passes; who may choose passes the first card in the order."""
        table = self
        while table.phase == "pass":
            table = table.do(table.game.text(table.state.legal()[0]))
        return table

    def play_on(self, until: Callable[[Table], bool], seed: int = 0) -> Table:
        """On at random until something is so."""
        table, rng = self, Random(seed)
        while not until(table):
            table = Table(table.state.apply(rng.choice(table.state.possible())))
        return table

    # ---- questions ----
    @property
    def game(self) -> Any:
        return self.state.game

    @property
    def players(self) -> int:
        return self.state.players

    @property
    def fields(self) -> dict[str, Any]:
        return self.state.fields()

    @property
    def phase(self) -> str:
        return self.fields["phase"]

    @property
    def turn_of(self) -> str:
        """Whose decision it is: "A", or "chance", "reveal", "over"."""
        actor = self.state.actor
        return actor if isinstance(actor, str) else SEATS[actor]

    @property
    def for_whom(self) -> str:
        """The seat whose decision or chance event it is."""
        return self.fields["turn"]

    @property
    def tops(self) -> str:
        """ "R4 G2"; a deck that shows nothing is "-"."""
        return " ".join(top or "-" for top in self.fields["tops"])

    @property
    def supply(self) -> int:
        return self.fields["supply"]

    def moves(self, seat: str | None = None) -> set[str]:
        who = None if seat is None else SEATS.index(seat)
        return {self.game.text(move) for move in self.state.legal(who)}

    def chances(self) -> dict[str, float]:
        return {self.game.text(move): p for move, p in self.state.chances()}

    def seat(self, seat: str) -> dict[str, Any]:
        return self.fields["seats"][SEATS.index(seat)]

    def hand(self, seat: str) -> list[str]:
        return self.seat(seat)["hand"]

    def hands(self) -> dict[str, list[str]]:
        return {SEATS[i]: seat["hand"] for i, seat in enumerate(self.fields["seats"])}

    def held(self) -> list[str]:
        """The cards of all hands."""
        return list(chain(*self.hands().values()))

    def pile(self, seat: str) -> str:
        return " ".join(self.seat(seat)["pile"])

    def piles(self) -> list[str]:
        return [" ".join(seat["pile"]) for seat in self.fields["seats"]]

    def bonus(self, seat: str) -> int:
        return self.seat(seat)["bonus"]

    def bonuses(self) -> list[int]:
        return [seat["bonus"] for seat in self.fields["seats"]]

    def view(self, observer: str) -> dict[str, Any]:
        """The fields of what a seat, or the "public", knows."""
        return self.state.view(who_is(observer)).fields()

    def seen(self, move: str, observer: str) -> str:
        """What an observer sees of a move made here."""
        seen = self.state.seen(self.game.parse(move, self.state), who_is(observer))
        return self.game.text(seen) if seen else "nothing"

    def worlds(self, observer: str, n: int = 200, seed: int = 0) -> list[Table]:
        """Tables that an observer must think possible, as often as they are likely."""
        return [Table(state) for state in self.state.view(who_is(observer)).worlds(n, seed=seed)]


def who_is(observer: str) -> int | str:
    return observer if observer == "public" else SEATS.index(observer)


def start(players: int, **options: Any) -> Table:
    """Before anything has happened."""
    return Table(game().setup(players, **options))


def dealt(players: int, seed: int = 7, **options: Any) -> Table:
    """A game before the first passes."""
    return Table(game().new(players, seed=seed, **options))


# ---- Positions --------------------------------------------------------------
def position(text: str, **values: Any) -> Table:
    """The table at the start of a trick; values stand for the {names} of the text."""
    head, seats = read(text.format(**values))
    n = len(seats)
    wants = [cards(re.sub(r"[()]|\+\d+", "", s.get("lays", "") + " " + s.get("holds", "")))
             for s in seats]  # fmt: skip
    if "trick" in head:
        trick = int(head["trick"])
    elif any("holds" in seat for seat in seats):
        trick = DEALT[n] + 1 - max(map(len, wants))
    else:
        trick = 6
    if "played" in seats[0]:
        played = [cards(seat["played"]) for seat in seats]
        passed = [seat["passed"] for seat in seats]
        hands = wants
    else:
        hands, played, passed = made_up_past(wants, DEALT[n] + 1 - trick, n)

    red_blue, green_purple = head.get("actions", "bonus look").split()
    options = {"red_blue": red_blue, "green_purple": green_purple}
    options["rounds"] = int(head.get("rounds", 2))
    tops = head["tops"].split()
    piles = [seat.get("pile", "").split() for seat in seats]
    turned = turned_before(piles, tops, trick, n)
    left = treasures(n) - Counter(tops) - Counter(card for deck in turned for card in deck)
    bonus = [int(seat.get("bonus", 0)) for seat in seats]

    fields = start(n, **options).fields
    fields |= {
        "round": int(head.get("round", 1)),
        "trick": trick,
        "phase": "play",
        "first": head["first"],
        "turn": head["first"],
        "claims": [],
        "acts": [],
        "victim": None,
        "deck": None,
        "count": 0,
        "supply": BONUS - sum(bonus),
        "tops": tops,
        "left": dict(left),
        "looked": [[] for _ in tops],
        "seats": [
            {
                "hand": ascending(hands[i]),
                "hand_size": len(hands[i]),
                "score": int(seat.get("score", 0)),
                "bonus": bonus[i],
                "passed": passed[i],
                "card": None,
                "half": None,
                "shows": None,
                "laid": 0,
                "pile": piles[i],
            }
            for i, seat in enumerate(seats)
        ],
        "log": [
            {
                "cards": [own[k] if k + 1 < trick else None for own in played],
                "turned": [
                    (turned[d] + [tops[d]])[k + 1] if k + 1 < trick else None
                    for d in range(len(tops))
                ],
                "swap": None,
                "look": None,
                "retrieve": None,
            }
            for k in range(trick)
        ],
    }
    first = SEATS.index(head["first"])
    lays = [
        f"{SEATS[i]} plays {halved(seats[i]['lays'])}"
        for i in [*range(first, n), *range(first)]
        if "lays" in seats[i]
    ]
    return Table(game().state(fields), tuple(lays))


def trick(text: str, **values: Any) -> Table:
    """The table after everybody has laid a card and the halves are uncovered."""
    return position(text, **values).lay()


def read(text: str) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The lines of a position as words with what follows them: of the table, and by seat."""
    head: dict[str, str] = {}
    seats: list[dict[str, str]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        seat = re.match(r"([A-E])(?: |$)", line)
        into = head
        if seat:
            assert seat[1] == SEATS[len(seats)], f"seats in their order, please: {line}"
            into, line = {}, line[1:]
            seats.append(into)
        for clause in filter(None, map(str.strip, line.split(","))):
            word, _, rest = clause.partition(" ")
            into[word] = rest
    return head, seats


def halved(card: str) -> str:
    """R9+1 is laid as R(9)+1; with brackets as it stands."""
    return card if "(" in card else re.sub(r"^([RBGP])(\d+)", r"\1(\2)", card)


def made_up_past(
    wants: list[list[str]], size: int, players: int
) -> tuple[list[list[str]], list[list[str]], list[str]]:
    """Hands with the cards wanted, the cards played before, and legal passes: some that fit."""
    rng = Random(0)
    wanted = list(chain(*wants))
    assert len(set(wanted)) == len(wanted), "a card is in two places"
    assert all(len(want) <= size for want in wants), f"a hand has {size} cards in this trick"
    for _ in range(20_000):
        rest = [card for card in CARDS if card not in wanted]
        rng.shuffle(rest)
        deals = [want + [rest.pop() for _ in range(DEALT[players] - len(want))] for want in wants]
        choices = [[card for card in passable(deal) if card not in wanted] for deal in deals]
        if not all(choices):
            continue
        passed = [rng.choice(choice) for choice in choices]
        hands, played = [], []
        for i, deal in enumerate(deals):
            others = [card for card in deal if card not in wants[i] and card != passed[i]]
            others.append(passed[(i + 1) % players])
            rng.shuffle(others)
            n = size - len(wants[i])
            hands.append(wants[i] + others[:n])
            played.append(others[n:])
        return hands, played, passed
    raise AssertionError("no past fits these hands")


def turned_before(piles: list[list[str]], tops: list[str], trick: int, players: int) -> list:
    """By deck, the treasures on top in the tricks before: those in the piles, others made up."""
    turned: list[list[str | None]] = [[None] * (trick - 1) for _ in tops]
    for pile in piles:
        k = 0
        for treasure in pile:
            deck = turned[deck_of(treasure, players)]
            while k < trick - 1 and deck[k]:
                k += 1
            assert k < trick - 1, f"too many treasures won before trick {trick}"
            deck[k] = treasure
            k += 1
    rest = treasures(players)
    rest.subtract(Counter(chain(tops, *piles)))
    assert min(rest.values()) >= 0, "a treasure is in two places"
    spare = sorted(rest.elements())
    Random(0).shuffle(spare)
    for d, deck in enumerate(turned):
        own = [treasure for treasure in spare if deck_of(treasure, players) == d]
        turned[d] = [treasure or own.pop() for treasure in deck]
    return turned


# ---- Chances of what is hidden ----------------------------------------------
def check_shares(
    table: Table,
    observer: str,
    facts: dict[Any, Fraction | int],
    fact: Callable[[Table], Any],
    n: int = 20_000,
    seed: int = 1,
) -> None:
    """The worlds of an observer show each fact as often as it is likely.

    4.5 standard errors: of 100,000 right samplers fewer than one fails on a fact.
    """
    found = Counter(fact(world) for world in table.worlds(observer, n, seed))
    odd = found.keys() - facts.keys()
    assert not odd, f"impossible: {odd} (seed {seed})"
    for name, share in facts.items():
        p = float(share)
        z = (found[name] - n * p) / max((n * p * (1 - p)) ** 0.5, 1e-9)
        message = f"{name}: {found[name]} of {n} worlds, expected {share}, z = {z:.1f}, seed {seed}"
        assert abs(z) < 4.5, message
