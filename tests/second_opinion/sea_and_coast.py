"""Sea and Coast told as one story, to check the fast core step by step.

Numbers in comments are those of docs/rules/sea_and_coast.md; texts and fields are those of
docs/games/sea_and_coast.md. The whole game is one generator: it stops at each `yield` to say what
the table waits for, and goes on with the text of what happened. What not everybody knows stands on
a `Note` that carries the seats that saw it; a view is what is left when the other notes are blank.
"""

import re
from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

COLOURS = "RBGP"
PAIRS = ["RB", "GP"]  # 1.3: the colours of the two action cards
ACTIONS = ["bonus", "swap", "look", "retrieve"]

Story = Generator["Waiting", str, Any]  # yields what it waits for, is sent what happened


@dataclass
class Waiting:
    """What the table waits for."""

    phase: str
    turn: str | None = None  # the seat the decision or chance event is about
    legal: dict[str, list[str]] = field(default_factory=dict)  # by seat that has to decide
    chances: dict[str, Fraction] = field(default_factory=dict)


@dataclass
class Note:
    """Something written down, and which seats have seen it."""

    text: str
    seen_by: set[str]

    def to(self, observer: str | None) -> str | None:
        """What the observer reads; no observer at all reads the truth."""
        return self.text if observer is None or observer in self.seen_by else None


@dataclass
class Seat:
    """What lies in front of one seat, and its hand."""

    hand: list[str] = field(default_factory=list)
    bonus: int = 0
    pile: list[str] = field(default_factory=list)  # the top one last
    passed: Note | None = None
    card: Note | None = None  # laid in this trick
    half: str | None = None  # "sea" or "coast"
    laid: int = 0  # bonus laid with the card


@dataclass
class Deck:
    """A deck of treasures. Its order is not made up beforehand: it comes as chance tells it."""

    colours: str
    unturned: Counter[str]  # all treasures that have not been turned up in this round
    looked: list[Note] = field(default_factory=list)  # the top ones, as far as places are known
    top: str | None = None  # lies face up


@dataclass
class Trick:
    """What the log keeps of one trick."""

    cards: list[str | None]
    turned: list[str | None]
    swap: tuple[str, str, list[Note], list[Note]] | None = None  # thief, victim, taken, given
    look: tuple[str, int, list[Note], list[Note]] | None = None  # seat, deck, saw, put
    retrieve: tuple[str, str, str | None] | None = None  # seat, card, discard


def card_order(card: str) -> tuple[int, int]:
    """Cards ascend by colour, then by number."""
    return COLOURS.index(card[0]), number(card)


def ascending(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=card_order)


def number(card: str) -> int:
    return int(card[1:])


def evenly(texts: Iterable[str]) -> dict[str, Fraction]:
    """Each equally likely; a text that stands there twice is twice as likely."""
    counts = Counter(texts)
    return {text: Fraction(count, counts.total()) for text, count in counts.items()}


class Table:
    """One game at the table. `apply` texts; ask what comes, what is seen and what is known."""

    def __init__(self, box: dict[str, Any], players: int, options: dict[str, Any]) -> None:
        if str(players) not in box["hand"]:
            raise ValueError(f"players: {players} given, the box takes {', '.join(box['hand'])}")
        self.box = box
        self.players = players
        self.letters = "ABCDE"[:players]
        self.rounds = options.get("rounds", 2)
        self.actions = self.choose_actions(options)
        self.round = self.trick = 1
        self.first: str | None = None
        self.scores_so_far = dict.fromkeys(self.letters, 0)
        self.clear_table()
        self.story = self.tell()
        self.waiting = next(self.story)

    def choose_actions(self, options: dict[str, Any]) -> list[list[str]]:
        """1.3, 1.4: by round, the action of red/blue and of green/purple."""
        names = ["red_blue", "green_purple"]
        round_1 = [options.get("red_blue", "bonus"), options.get("green_purple", "look")]
        round_2 = [options.get(name + "_2", "same") for name in names]
        round_2 = [old if new == "same" else new for old, new in zip(round_1, round_2, strict=True)]
        for pair in (round_1, round_2):
            if pair[0] == pair[1] or not set(pair) <= set(ACTIONS):
                raise ValueError(f"actions: {pair} given, two different ones of {ACTIONS} needed")
        return [round_1, round_2]

    # ---- What the table waits for ------------------------------------------------

    @property
    def actor(self) -> str:
        if self.waiting.legal:
            return min(self.waiting.legal)
        if self.waiting.chances:
            return "chance"
        return self.waiting.phase  # "reveal" or "over"

    @property
    def deciders(self) -> list[str]:
        return sorted(self.waiting.legal)

    def legal(self, seat: str) -> list[str]:
        return self.waiting.legal[seat]

    def chances(self) -> dict[str, Fraction]:
        return self.waiting.chances

    def apply(self, text: str) -> None:
        moves = [move for moves in self.waiting.legal.values() for move in moves]
        if not (
            text in moves
            or text in self.waiting.chances
            or (text == "reveal" == self.waiting.phase)
        ):
            raise ValueError(f'"{text}" cannot happen now; we wait for {self.waiting}')
        self.waiting = self.story.send(text)

    # ---- The story -----------------------------------------------------------------

    def tell(self) -> Story:
        seat = yield Waiting("first", chances=evenly(f"first {seat}" for seat in self.letters))
        self.first = seat.split()[1]  # 2.1
        for number_of_round in range(1, self.rounds + 1):
            self.round = number_of_round
            self.clear_table()  # 7.7
            yield from self.set_up()
            while any(self.seats[seat].hand for seat in self.letters):  # 7.4
                yield from self.play_trick()
            self.count_points()
        yield Waiting("over")

    def clear_table(self) -> None:
        """A new round: everything back into the box, nobody has anything (2.5, 7.7)."""
        self.trick = 1
        self.seats = {seat: Seat() for seat in self.letters}
        self.supply: int = self.box["bonus"]["total"]
        self.decks = [self.make_deck(colours) for colours in self.deck_colours()]
        self.log: list[Trick] = [self.blank_trick()]
        self.claims: list[str] = []
        self.acts: list[str] = []
        self.victim: str | None = None
        self.deck: int | None = None
        self.count = 0

    def deck_colours(self) -> list[str]:
        return ["RBGP"] if self.box["decks"][str(self.players)] == 1 else PAIRS  # 2.2, 2.3

    def make_deck(self, colours: str) -> Deck:
        points = list(self.box["treasures"]["points"])
        for removed in self.box["removed"].get(str(self.players), []):  # 2.2
            points.remove(removed)
        return Deck(colours, Counter(f"{colour}{n}" for colour in colours for n in points))

    def blank_trick(self) -> Trick:
        return Trick([None] * self.players, [None] * len(self.deck_colours()))

    def set_up(self) -> Story:
        yield from self.turn_up()  # 2.4
        islands = [
            f"{colour}{n}"
            for colour in COLOURS
            for n in range(1, self.box["islands"]["numbers"] + 1)
        ]
        for seat in self.letters:  # 2.6
            for _ in range(self.box["hand"][str(self.players)]):
                chances = evenly(f"deal {seat} {card}" for card in islands)
                text = yield Waiting("deal", seat, chances=chances)
                card = text.split()[2]
                islands.remove(card)
                self.seats[seat].hand.append(card)
        yield from self.pass_cards()

    def turn_up(self) -> Story:
        """2.4, 5.9: the next card of each deck."""
        for index, deck in enumerate(self.decks):
            text = yield Waiting("turn", chances=self.next_treasures(deck, 0, "turn"))
            deck.top = text.split()[1]
            deck.unturned[deck.top] -= 1
            deck.looked = deck.looked[1:]
            if self.trick > 1:
                self.log[-2].turned[index] = deck.top  # of the trick that ended

    def next_treasures(self, deck: Deck, place: int, verb: str) -> dict[str, Fraction]:
        """What can lie at this place below the top: what was seen there, or any of the rest."""
        if place < len(deck.looked):
            return {f"{verb} {deck.looked[place].text}": Fraction(1)}
        rest = deck.unturned - Counter(note.text for note in deck.looked)
        return evenly(f"{verb} {treasure}" for treasure in rest.elements())

    def pass_cards(self) -> Story:
        """2.8 to 2.11: all choose at once, then the cards go to the right."""
        to_choose = {seat: self.passes(seat) for seat in self.letters}
        while to_choose:
            text = yield Waiting("pass", legal=dict(to_choose))
            seat, _, card = text.split()
            self.seats[seat].passed = Note(card, {seat})
            del to_choose[seat]
        yield Waiting("reveal")
        for seat in self.letters:
            note = self.seats[seat].passed
            receiver = self.right_of(seat)
            self.seats[seat].hand.remove(note.text)
            self.seats[receiver].hand.append(note.text)
            note.seen_by.add(receiver)

    def passes(self, seat: str) -> list[str]:
        hand = self.seats[seat].hand
        by_colour = [[card for card in hand if card[0] == colour] for colour in COLOURS]
        most = max(len(cards) for cards in by_colour)
        longest = [cards for cards in by_colour if len(cards) == most]
        return [f"{seat} passes {max(cards, key=number)}" for cards in longest]  # 2.8, 2.9

    def right_of(self, seat: str) -> str:
        return self.letters[self.letters.index(seat) - 1]

    def left_of(self, seat: str) -> str:
        return self.letters[(self.letters.index(seat) + 1) % self.players]

    def clockwise(self) -> list[str]:
        """All seats, the first player first."""
        start = self.letters.index(self.first)
        return list(self.letters[start:] + self.letters[:start])

    # ---- A trick -------------------------------------------------------------------

    @property
    def trick_is_under_way(self) -> bool:
        return any(seat.card for seat in self.seats.values())

    @property
    def is_last_trick(self) -> bool:
        """Asked when all have laid a card: no hand has another one."""
        return not any(seat.hand for seat in self.seats.values())

    def play_trick(self) -> Story:
        for seat in self.clockwise():  # 3.1
            text = yield Waiting("play", seat, legal={seat: self.plays(seat)})
            self.lay(seat, text)
        yield Waiting("reveal")
        self.uncover()
        to_act = yield from self.share_out()
        yield from self.carry_out(to_act)
        yield from self.end_trick()

    def plays(self, seat: str) -> list[str]:
        texts = []
        for card in self.seats[seat].hand:  # 3.3
            for bonus in range(self.seats[seat].bonus + 1):  # 3.4
                if bonus and number(card) + bonus > self.box["islands"]["highest_value"]:  # 3.5
                    continue
                plus = f"+{bonus}" if bonus else ""
                texts.append(f"{seat} plays {card[0]}({card[1:]}){plus}")  # 3.2
                texts.append(f"{seat} plays ({card[0]}){card[1:]}{plus}")
        return texts

    def lay(self, seat: str, text: str) -> None:
        halves, _, bonus = text.split()[2].partition("+")
        card = re.sub(r"[()]", "", halves)
        at = self.seats[seat]
        at.hand.remove(card)
        at.card = Note(card, {seat})
        at.half = "coast" if halves.startswith("(") else "sea"
        at.laid = int(bonus or 0)
        at.bonus -= at.laid  # in the trick, not in the supply (6.7)

    def uncover(self) -> None:
        """3.6: everybody sees all cards."""
        for seat in self.letters:
            self.seats[seat].card.seen_by.update(self.letters, ["public"])
        self.log[-1].cards = [self.seats[seat].card.text for seat in self.letters]

    def value(self, seat: str) -> int:
        return number(self.seats[seat].card.text) + self.seats[seat].laid  # 3.7

    def colour(self, seat: str) -> str:
        return self.seats[seat].card.text[0]

    def suits(self) -> list[str]:
        """The colours that are fought for together: one by one, or merged with 3 players."""
        suits = []
        for pair in PAIRS:
            if self.players == 3 and not any(colour in self.colours_up() for colour in pair):
                suits.append(pair)  # 4.8
            else:
                suits.extend(pair)  # 4.9
        return suits

    def colours_up(self) -> list[str]:
        return [deck.top[0] for deck in self.decks if deck.top]

    def share_out(self) -> Story:
        """Who wins what: bonus and treasures for all. Tells who acts and what, clockwise."""
        winner_of: dict[str, str] = {}
        lowest_gets: dict[str, int] = {}
        for suit in self.suits():
            laid = [seat for seat in self.clockwise() if self.colour(seat) in suit]
            if laid:
                winner_of[suit] = max(laid, key=self.value)  # 4.1, 4.2: max finds the first
            if len(laid) >= 2:
                lowest = min(reversed(laid), key=self.value)  # 4.3: the last of equal ones
                lowest_gets[lowest] = len(laid)  # 4.5, 4.6
        for seat in self.clockwise():  # 4.7
            self.take_from_supply(seat, lowest_gets.get(seat, 0))

        takers = {}  # 5.1: by seat, the deck whose top is won
        actors = {}  # 6.1, 6.2: by seat, the action
        for suit, seat in winner_of.items():
            if suit in self.colours_up():
                takers[seat] = next(
                    index for index, deck in enumerate(self.decks) if suit in deck.colours
                )
            else:
                card = next(index for index, pair in enumerate(PAIRS) if suit in pair)
                actors[seat] = self.actions[self.round - 1][card]
        to_act = [(seat, actors[seat]) for seat in self.clockwise() if seat in actors]
        self.acts = [seat for seat, _ in to_act]
        for seat, deck in takers.items():
            if not self.robbable(seat):
                self.take(seat, deck)  # 5.7
        self.claims = [seat for seat in self.clockwise() if self.robbable(seat) and seat in takers]
        while self.claims:
            seat = self.claims[0]
            yield from self.claim(seat, takers[seat])
            self.claims = self.claims[1:]
        return to_act

    def take_from_supply(self, seat: str, wanted: int) -> None:
        got = min(wanted, self.supply)
        self.supply -= got
        self.seats[seat].bonus += got

    def robbable(self, winner: str) -> list[str]:
        """Whom the winner of a colour on a deck can rob: 5.3, 5.4."""
        return [
            seat
            for seat in self.letters
            if self.colour(seat) == self.colour(winner)
            and self.value(seat) < self.value(winner)
            and self.seats[seat].pile
            and self.seats[seat].pile[-1][0] == self.colour(winner)
        ]

    def take(self, seat: str, deck: int) -> None:
        self.seats[seat].pile.append(self.decks[deck].top)
        self.decks[deck].top = None

    def claim(self, seat: str, deck: int) -> Story:
        """5.1, 5.2: the treasure of the deck, or that of another."""
        legal = [f"{seat} takes {self.decks[deck].top}"]
        for victim in self.robbable(seat):
            legal.append(f"{seat} steals {self.seats[victim].pile[-1]} from {victim}")
        text = yield Waiting("claim", seat, legal={seat: legal})
        if " takes " in text:
            self.take(seat, deck)
        else:
            victim = text.split()[-1]
            self.seats[seat].pile.append(self.seats[victim].pile.pop())  # 5.6

    def end_trick(self) -> Story:
        for deck in self.decks:
            deck.top = None  # 5.8: what nobody took is put under the deck and stays there
        is_last = self.is_last_trick
        for seat in self.seats.values():
            self.supply += seat.laid  # 7.1
            seat.card, seat.half, seat.laid = None, None, 0  # 7.2
        self.first = self.left_of(self.first)  # 7.3
        if not is_last:
            self.trick += 1
            self.log.append(self.blank_trick())
            yield from self.turn_up()  # 5.9

    # ---- Actions -------------------------------------------------------------------

    def carry_out(self, to_act: list[tuple[str, str]]) -> Story:
        """6.3: one after another, each to its end."""
        for seat, action in to_act:
            self.acts.remove(seat)
            if self.is_last_trick and action != "bonus":  # 6.18
                continue
            match action:
                case "bonus":
                    yield from self.act_bonus(seat)
                case "swap":
                    yield from self.act_swap(seat)
                case "look":
                    yield from self.act_look(seat)
                case "retrieve":
                    yield from self.act_retrieve(seat)
            self.victim, self.deck, self.count = None, None, 0

    def others(self, seat: str) -> list[str]:
        return [other for other in self.letters if other != seat]

    def act_bonus(self, seat: str) -> Story:
        victims = [other for other in self.others(seat) if self.seats[other].bonus >= 2]
        if not victims:
            self.take_from_supply(seat, 2)  # 6.6
            return
        victim = victims[0]
        if len(victims) > 1:  # 6.5
            legal = [f"{seat} robs {other}" for other in victims]
            text = yield Waiting("rob", seat, legal={seat: legal})
            victim = text.split()[-1]
        self.seats[victim].bonus -= 2
        self.seats[seat].bonus += 2

    def act_swap(self, seat: str) -> Story:
        legal = [f"{seat} swaps with {other}" for other in self.others(seat)]
        text = yield Waiting("swap", seat, legal={seat: legal})
        self.victim = text.split()[-1]
        both = {seat, self.victim}  # 6.10
        mine, theirs = self.seats[seat].hand, self.seats[self.victim].hand
        taken: list[Note] = []
        given: list[Note] = []
        self.log[-1].swap = (seat, self.victim, taken, given)
        for _ in range(min(2, len(mine), len(theirs))):  # 6.8, 6.9
            chances = evenly(f"{seat} draws {card}" for card in theirs)
            text = yield Waiting("draw", seat, chances=chances)
            card = text.split()[-1]
            theirs.remove(card)
            mine.append(card)
            taken.append(Note(card, both))
            self.count += 1
        legal = [
            f"{seat} gives {' '.join(cards)}" for cards in combinations(ascending(mine), self.count)
        ]
        text = yield Waiting("give", seat, legal={seat: legal})
        for card in text.split()[2:]:
            mine.remove(card)
            theirs.append(card)
            given.append(Note(card, both))

    def act_look(self, seat: str) -> Story:
        colours = [deck.colours for deck in self.decks]
        chosen = colours[0]
        if len(colours) > 1:  # 6.12
            legal = [f"{seat} looks at {colour_pair}" for colour_pair in colours]
            text = yield Waiting("look", seat, legal={seat: legal})
            chosen = text.split()[-1]
        self.deck = colours.index(chosen)
        deck = self.decks[self.deck]
        saw: list[Note] = []
        put: list[Note] = []
        self.log[-1].look = (seat, self.deck, saw, put)
        for place in range(min(3, deck.unturned.total())):  # 6.11, 6.12
            text = yield Waiting(
                "see", seat, chances=self.next_treasures(deck, place, f"{seat} sees")
            )
            treasure = text.split()[-1]
            if place == len(deck.looked):
                deck.looked.append(Note(treasure, set()))
            deck.looked[place].seen_by.add(seat)
            saw.append(Note(treasure, {seat}))  # 6.13
            self.count += 1
        orders = {" ".join(order) for order in permutations(note.text for note in saw)}
        legal = [f"{seat} orders {order}" for order in sorted(orders)]
        text = yield Waiting("order", seat, legal={seat: legal})
        put.extend(Note(treasure, {seat}) for treasure in text.split()[2:])
        # 6.14: whoever looked here before knows no place any more.
        deck.looked = [Note(note.text, {seat}) for note in put]

    def act_retrieve(self, seat: str) -> Story:
        hand = self.seats[seat].hand
        laid = [at.card.text for at in self.seats.values()]
        text = yield Waiting(
            "retrieve", seat, legal={seat: [f"{seat} retrieves {card}" for card in laid]}
        )
        card = text.split()[-1]
        hand.append(card)
        self.log[-1].retrieve = (seat, card, None)
        text = yield Waiting(
            "discard", seat, legal={seat: [f"{seat} discards {card}" for card in hand]}
        )
        discard = text.split()[-1]
        hand.remove(discard)
        self.log[-1].retrieve = (seat, card, discard)

    # ---- End and score ---------------------------------------------------------------

    def count_points(self) -> None:
        for letter, seat in self.seats.items():  # 7.5
            treasures = sum(number(treasure) for treasure in seat.pile)
            self.scores_so_far[letter] += treasures + seat.bonus // 2

    def scores(self) -> list[int]:
        return list(self.scores_so_far.values())

    # ---- What is seen and known --------------------------------------------------------

    def seen(self, text: str, observer: str) -> str | None:
        """What the observer sees of the event that happens now."""
        words = text.split()
        seat, all_but_last = words[0], " ".join(words[:-1])
        match self.waiting.phase:
            case "reveal" if self.trick_is_under_way:
                return " ".join(["uncovered", *(at.card.text for at in self.seats.values())])
            case "reveal":
                if observer == "public":
                    return "handed"
                return f"handed {self.seats[self.left_of(observer)].passed.text}"
            case "pass":
                return text if observer == seat else None  # 2.10, 2.11
            case "deal":
                return text if observer == words[1] else f"{all_but_last} ?"  # 2.7
            case "play":
                return text if observer == seat else re.sub(r"\(\w+\)", "?", text)  # 3.2
            case "draw" | "give":
                both = (seat, self.victim)
                return text if observer in both else f"{seat} {words[1]} ?"  # 6.10
            case "see" | "order":
                return text if observer == seat else f"{seat} {words[1]} ?"  # 6.13
        return text

    def fields(self, observer: str | None = None) -> dict[str, Any]:
        return {
            "observer": observer,
            "players": self.players,
            "rounds": self.rounds,
            "actions": self.actions,
            "round": self.round,
            "trick": self.trick,
            "phase": self.phase_for(observer),
            "first": self.first,
            "turn": self.waiting.turn,
            "claims": sorted(self.claims),
            "acts": sorted(self.acts),
            "victim": self.victim,
            "deck": self.deck,
            "count": self.count,
            "supply": self.supply,
            "tops": [deck.top for deck in self.decks],
            "left": {text: n for deck in self.decks for text, n in deck.unturned.items() if n},
            "looked": [
                [looked_fields(note, observer) for note in deck.looked] for deck in self.decks
            ],
            "seats": [self.seat_fields(letter, observer) for letter in self.letters],
            "log": [trick_fields(trick, observer) for trick in self.log],
        }

    def phase_for(self, observer: str | None) -> str:
        """2.10: nobody knows who has already chosen, so to a view all choose till the handover."""
        phase = self.waiting.phase
        if observer and phase == "reveal" and not self.trick_is_under_way:
            return "pass"
        return phase

    def seat_fields(self, letter: str, observer: str | None) -> dict[str, Any]:
        seat = self.seats[letter]
        shows: str | int | None = None
        if seat.card:
            shows = seat.card.text[0] if seat.half == "sea" else number(seat.card.text)
        return {
            "hand": ascending(seat.hand) if observer in (None, letter) else None,  # 2.7
            "hand_size": len(seat.hand),
            "score": self.scores_so_far[letter],
            "bonus": seat.bonus,
            "passed": seat.passed and seat.passed.to(observer),
            "card": seat.card and seat.card.to(observer),
            "half": seat.half,
            "shows": shows,
            "laid": seat.laid,
            "pile": list(seat.pile),
        }


def looked_fields(note: Note, observer: str | None) -> dict[str, Any]:
    seats = sorted(seat for seat in note.seen_by if observer in (None, seat))
    return {"treasure": note.to(observer), "known_to": seats}


def trick_fields(trick: Trick, observer: str | None) -> dict[str, Any]:
    swap = look = retrieve = None
    if trick.swap:
        thief, victim, taken, given = trick.swap
        swap = {
            "thief": thief,
            "victim": victim,
            "taken": read(sorted(taken, key=lambda note: card_order(note.text)), observer),
            "given": read(sorted(given, key=lambda note: card_order(note.text)), observer),
        }
    if trick.look:
        seat, deck, saw, put = trick.look
        look = {
            "seat": seat,
            "deck": deck,
            "saw": read(saw, observer),
            "put": read(put, observer),
        }
    if trick.retrieve:
        seat, card, discard = trick.retrieve
        retrieve = {"seat": seat, "card": card, "discard": discard}
    return {
        "cards": list(trick.cards),
        "turned": list(trick.turned),
        "swap": swap,
        "look": look,
        "retrieve": retrieve,
    }


def read(notes: list[Note], observer: str | None) -> list[str | None] | None:
    """What is on the notes, or null for one who has not seen them: they are seen all or none."""
    texts = [note.to(observer) for note in notes]
    return None if None in texts else texts
