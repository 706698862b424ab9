"""Sea and Coast on the wire: its messages to and from fields, options and notation.

docs/games/sea_and_coast.md has the two forms; this file only changes one into the other. What can
be wrong in a message and cannot be said in fields is refused here, all else by the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from islebots.core.errors import BadText
from islebots.v1 import sea_and_coast_pb2 as pb

SEATS = "ABCDE"
COLOURS = "RBGP"  # by enum number, from 1
DECKS = ("RB", "GP")
ACTIONS = ("bonus", "swap", "look", "retrieve")
HALVES = ("sea", "coast")
PHASES = (
    *("first", "turn", "deal", "pass", "reveal", "play", "claim", "rob", "swap", "draw", "give"),
    *("look", "see", "order", "retrieve", "discard", "over"),
)

Card = pb.SeaAndCoastCard
Treasure = pb.SeaAndCoastTreasure


# ---- Single values, from a message ------------------------------------------
def read_name(value: int, names: Sequence[str], path: str) -> str:
    """The name of an enum value, which counts from 1; unset is not allowed."""
    if not 1 <= value <= len(names):
        came = "unset" if value == 0 else f"{value} given"
        takes = ", ".join(f"{i} ({name})" for i, name in enumerate(names, 1))
        raise BadText(f"{path}: {came}, takes {takes}")
    return names[value - 1]


def read_seat(message: Any, name: str, path: str) -> str:
    """The letter of a seat that has to be set."""
    if not message.HasField(name):
        raise BadText(f"{path}.{name}: unset, takes a seat from 0")
    return seat_letter(getattr(message, name), f"{path}.{name}")


def seat_letter(seat: int, path: str) -> str:
    """The letter of a seat."""
    if seat >= len(SEATS):
        raise BadText(f"{path}: {seat} given, takes 0 to {len(SEATS) - 1}")
    return SEATS[seat]


def read_card(card: Card, path: str) -> str:
    """A card of which both halves are known."""
    colour = read_name(card.colour, COLOURS, f"{path}.colour")
    return f"{colour}{read_number(card.number, f'{path}.number')}"


def read_number(number: int, path: str) -> int:
    """The number of a card."""
    if not 1 <= number <= 12:
        raise BadText(f"{path}: {number or 'unset'}{' given' if number else ''}, takes 1 to 12")
    return number


def read_shown(card: Card, half: str, path: str) -> str | int:
    """The half that is shown, and nothing of the other."""
    if half == "sea":
        if card.number:
            raise BadText(f"{path}.number: {card.number} given, but the number is covered")
        return read_name(card.colour, COLOURS, f"{path}.colour")
    if card.colour:
        colour = read_name(card.colour, COLOURS, f"{path}.colour")
        raise BadText(f"{path}.colour: {colour} given, but the colour is covered")
    return read_number(card.number, f"{path}.number")


def read_treasure(treasure: Treasure, path: str) -> str:
    """A treasure."""
    colour = read_name(treasure.colour, COLOURS, f"{path}.colour")
    if not 1 <= treasure.points <= 7:
        came = f"{treasure.points} given" if treasure.points else "unset"
        raise BadText(f"{path}.points: {came}, takes 1 to 7")
    return f"{colour}{treasure.points}"


def treasure_or_none(treasure: Treasure, path: str) -> str | None:
    """A treasure, or None for an empty message."""
    return read_treasure(treasure, path) if treasure != Treasure() else None


def read_cards(cards: Iterable[Card], path: str) -> list[str]:
    """Cards that are all known."""
    return [read_card(card, f"{path}[{i}]") for i, card in enumerate(cards)]


def read_treasures(treasures: Iterable[Treasure], path: str) -> list[str]:
    """Treasures that are all known."""
    return [read_treasure(treasure, f"{path}[{i}]") for i, treasure in enumerate(treasures)]


def card_or_none(message: Any, name: str, path: str) -> str | None:
    """A card, or None where the field is unset."""
    return read_card(getattr(message, name), f"{path}.{name}") if message.HasField(name) else None


def cards_or_none(message: Any, name: str, path: str) -> list[str] | None:
    """Cards, or None where the field is unset."""
    if not message.HasField(name):
        return None
    return read_cards(getattr(message, name).cards, f"{path}.{name}.cards")


def treasures_or_none(message: Any, name: str, path: str) -> list[str] | None:
    """Treasures, or None where the field is unset."""
    if not message.HasField(name):
        return None
    return read_treasures(getattr(message, name).treasures, f"{path}.{name}.treasures")


# ---- Single values, to a message --------------------------------------------
def write_name(name: str, names: Sequence[str]) -> Any:
    """The enum value of a name. (Any: the stubs want each enum's own type.)"""
    return names.index(name) + 1


def write_card(text: str) -> Card:
    """R7, or the half of a card that is known: R? or ?7."""
    colour, number = text[0], text[1:]
    return Card(
        colour=write_name(colour, COLOURS) if colour != "?" else None,
        number=int(number) if number != "?" else None,
    )


def write_treasure(text: str | None) -> Treasure:
    """R4; an empty message for None."""
    if text is None:
        return Treasure()
    return Treasure(colour=write_name(text[0], COLOURS), points=int(text[1:]))


def write_cards(cards: Iterable[str]) -> pb.SeaAndCoastCards:
    """Cards that are all known."""
    return pb.SeaAndCoastCards(cards=map(write_card, cards))


def write_treasures(treasures: Iterable[str]) -> pb.SeaAndCoastTreasures:
    """Treasures that are all known."""
    return pb.SeaAndCoastTreasures(treasures=map(write_treasure, treasures))


# ---- Options ----------------------------------------------------------------
def read_options(message: pb.SeaAndCoastOptions, path: str) -> dict[str, Any]:
    """The options that are set, by name."""
    options: dict[str, Any] = {}
    if message.rounds:
        options["rounds"] = message.rounds
    for name in ("red_blue", "green_purple", "red_blue_2", "green_purple_2"):
        if getattr(message, name):
            options[name] = read_name(getattr(message, name), ACTIONS, f"{path}.{name}")
    return options


def write_options(options: dict[str, Any]) -> pb.SeaAndCoastOptions:
    """Options by name; "same" is what an unset action means."""
    message = pb.SeaAndCoastOptions()
    for name, value in options.items():
        if name == "rounds":
            message.rounds = value
        elif value != "same":
            setattr(message, name, write_name(value, ACTIONS))
    return message


# ---- Moves ------------------------------------------------------------------
# By arm of SeaAndCoastMove, the line of the notation. A word in braces is a field of the message;
# {laid} stands for card, half and bonus together.
LINES = {
    "first": "first {seat}",
    "turn": "turn {treasure}",
    "deal": "deal {seat} {card}",
    "passes": "{seat} passes {card}",
    "plays": "{seat} plays {laid}",
    "takes": "{seat} takes {treasure}",
    "steals": "{seat} steals {treasure} from {victim}",
    "robs": "{seat} robs {victim}",
    "swaps": "{seat} swaps with {victim}",
    "draws": "{seat} draws {card}",
    "gives": "{seat} gives {cards}",
    "looks": "{seat} looks at {deck}",
    "sees": "{seat} sees {treasure}",
    "orders": "{seat} orders {treasures}",
    "retrieves": "{seat} retrieves {card}",
    "discards": "{seat} discards {card}",
    "handed": "handed {card}",
    "uncovered": "uncovered {cards}",
}
HIDDEN = ("deal", "draws", "gives", "sees", "orders", "handed")  # lines with a part others miss
WORDS = {
    "seat": "[A-E]",
    "victim": "[A-E]",
    "deck": "RB|GP",
    "card": r"[RBGP]\d+|\?",
    "cards": r"[RBGP]\d+(?: [RBGP]\d+)*|\?",
    "treasure": r"[RBGP]\d|\?",
    "treasures": r"[RBGP]\d(?: [RBGP]\d)*|\?",
    "laid": r"\S+",
}
PATTERNS = {
    arm: re.compile(re.sub(r"\{(\w+)\}", lambda m: f"(?P<{m[1]}>{WORDS[m[1]]})", line))
    for arm, line in LINES.items()
}
LAID = re.compile(r"(\(?)([RBGP?])\)?\(?(\d+|\?)\)?(?:\+(\d+))?")


def read_move(message: pb.SeaAndCoastMove, path: str) -> str:
    """The line of the notation that a message says."""
    arm = message.WhichOneof("line")
    if arm is None:
        raise BadText(f"{path}: unset, takes one of {', '.join(LINES)}")
    said = getattr(message, arm)
    at = f"{path}.{arm}"
    words: dict[str, str] = {}
    for word in PATTERNS[arm].groupindex:
        if word in ("seat", "victim"):
            words[word] = read_seat(said, word, at)
        elif word == "deck":
            if said.deck >= len(DECKS):
                raise BadText(f"{at}.deck: {said.deck} given, takes 0 or 1")
            words[word] = DECKS[said.deck]
        elif word == "laid":
            words[word] = read_laid(said, at)
        elif arm in HIDDEN and not said.HasField(word):
            words[word] = "?"
        elif word == "card":
            words[word] = read_card(said.card, f"{at}.card")
        elif word == "treasure":
            words[word] = read_treasure(said.treasure, f"{at}.treasure")
        elif word == "treasures":
            treasures = said.treasures.treasures
            words[word] = " ".join(read_treasures(treasures, f"{at}.treasures.treasures"))
        elif arm == "uncovered":
            words[word] = " ".join(read_cards(said.cards, f"{at}.cards"))
        else:
            words[word] = " ".join(read_cards(said.cards.cards, f"{at}.cards.cards"))
    line = LINES[arm].format_map(words)
    return "handed" if line == "handed ?" else line.rstrip()


def read_laid(said: pb.SeaAndCoastMove.Play, path: str) -> str:
    """R(9), (R)9, or as others see it R? and ?9; with the bonus."""
    half = read_name(said.half, HALVES, f"{path}.half")
    if said.card.colour and said.card.number:
        text = read_card(said.card, f"{path}.card")
        card = f"{text[0]}({text[1:]})" if half == "sea" else f"({text[0]}){text[1:]}"
    else:
        shown = read_shown(said.card, half, f"{path}.card")
        card = f"{shown}?" if half == "sea" else f"?{shown}"
    return card + (f"+{said.bonus}" if said.bonus else "")


def write_move(text: str) -> pb.SeaAndCoastMove:
    """The message of a line as the rules write it."""
    message = pb.SeaAndCoastMove()
    if text == "handed":
        message.handed.SetInParent()
        return message
    for arm, pattern in PATTERNS.items():
        found = pattern.fullmatch(text)
        if found is None:
            continue
        said = getattr(message, arm)
        said.SetInParent()
        for word, value in found.groupdict().items():
            if word in ("seat", "victim"):
                setattr(said, word, SEATS.index(value))
            elif word == "deck":
                said.deck = DECKS.index(value)
            elif word == "laid":
                write_laid(value, said)
            elif value == "?":
                continue
            elif word == "card":
                said.card.CopyFrom(write_card(value))
            elif word == "treasure":
                said.treasure.CopyFrom(write_treasure(value))
            elif word == "treasures":
                said.treasures.CopyFrom(write_treasures(value.split()))
            elif arm == "uncovered":
                said.cards.extend(map(write_card, value.split()))
            else:
                said.cards.CopyFrom(write_cards(value.split()))
        return message
    raise ValueError("a line of the rules that has no message")


def write_laid(text: str, said: pb.SeaAndCoastMove.Play) -> None:
    """Card, half and bonus of R(9), (R)9, R? or ?9."""
    found = LAID.fullmatch(text)
    if found is None:
        raise ValueError("a laid card that has no message")
    covered, colour, number, bonus = found.groups()
    said.card.CopyFrom(write_card(colour + number))
    said.half = write_name("coast" if covered or colour == "?" else "sea", HALVES)
    said.bonus = int(bonus or 0)


# ---- View -------------------------------------------------------------------
def read_view(message: pb.SeaAndCoastView, path: str) -> dict[str, Any]:
    """The fields of a view."""

    def seats(numbers: Iterable[int], at: str) -> list[str]:
        return [seat_letter(seat, f"{at}[{i}]") for i, seat in enumerate(numbers)]

    def seat(name: str) -> str | None:
        return read_seat(message, name, path) if message.HasField(name) else None

    left: dict[str, int] = {}
    for i, entry in enumerate(message.left):
        at = f"{path}.left[{i}].treasure"
        name = read_treasure(entry.treasure, at)
        if name in left:
            raise BadText(f"{at}: {name} given twice")
        left[name] = entry.count
    return {
        "observer": seat("observer") or "public",
        "players": message.players,
        "rounds": message.rounds,
        "actions": [
            [
                read_name(pair.red_blue, ACTIONS, f"{path}.actions[{i}].red_blue"),
                read_name(pair.green_purple, ACTIONS, f"{path}.actions[{i}].green_purple"),
            ]
            for i, pair in enumerate(message.actions)
        ],
        "round": message.round,
        "trick": message.trick,
        "phase": read_name(message.phase, PHASES, f"{path}.phase"),
        "first": seat("first"),
        "turn": seat("turn"),
        "claims": seats(message.claims, f"{path}.claims"),
        "acts": seats(message.acts, f"{path}.acts"),
        "victim": seat("victim"),
        "deck": message.deck if message.HasField("deck") else None,
        "count": message.count,
        "supply": message.supply,
        "tops": [treasure_or_none(t, f"{path}.tops[{i}]") for i, t in enumerate(message.tops)],
        "left": left,
        "looked": [
            [
                {
                    "treasure": treasure_or_none(card.treasure, f"{at}.treasure"),
                    "known_to": seats(card.known_to, f"{at}.known_to"),
                }
                for k, card in enumerate(deck.cards)
                for at in [f"{path}.looked[{d}].cards[{k}]"]
            ]
            for d, deck in enumerate(message.looked)
        ],
        "seats": [read_table(s, f"{path}.seats[{i}]") for i, s in enumerate(message.seats)],
        "log": [read_trick(trick, f"{path}.log[{i}]") for i, trick in enumerate(message.log)],
    }


def read_table(seat: pb.SeaAndCoastView.Seat, path: str) -> dict[str, Any]:
    """What lies before one seat."""
    half = read_name(seat.half, HALVES, f"{path}.half") if seat.half else None
    shows = None
    if seat.HasField("shows"):
        if half is None:
            raise BadText(f"{path}.shows: given, but no half")
        shows = read_shown(seat.shows, half, f"{path}.shows")
    return {
        "hand": cards_or_none(seat, "hand", path),
        "hand_size": seat.hand_size,
        "score": seat.score,
        "bonus": seat.bonus,
        "passed": card_or_none(seat, "passed", path),
        "card": card_or_none(seat, "card", path),
        "half": half,
        "shows": shows,
        "laid": seat.laid,
        "pile": read_treasures(seat.pile, f"{path}.pile"),
    }


def read_trick(trick: pb.SeaAndCoastView.TrickLog, path: str) -> dict[str, Any]:
    """What happened in one trick."""
    swap = look = retrieve = None
    if trick.HasField("swap"):
        at = f"{path}.swap"
        swap = {
            "thief": read_seat(trick.swap, "thief", at),
            "victim": read_seat(trick.swap, "victim", at),
            "taken": cards_or_none(trick.swap, "taken", at),
            "given": cards_or_none(trick.swap, "given", at),
        }
    if trick.HasField("look"):
        at = f"{path}.look"
        look = {
            "seat": read_seat(trick.look, "seat", at),
            "deck": trick.look.deck,
            "saw": treasures_or_none(trick.look, "saw", at),
            "put": treasures_or_none(trick.look, "put", at),
        }
    if trick.HasField("retrieve"):
        at = f"{path}.retrieve"
        retrieve = {
            "seat": read_seat(trick.retrieve, "seat", at),
            "card": read_card(trick.retrieve.card, f"{at}.card"),
            "discard": card_or_none(trick.retrieve, "discard", at),
        }
    return {
        "cards": [
            read_card(card, f"{path}.cards[{i}]") if card != Card() else None
            for i, card in enumerate(trick.cards)
        ],
        "turned": [treasure_or_none(t, f"{path}.turned[{i}]") for i, t in enumerate(trick.turned)],
        "swap": swap,
        "look": look,
        "retrieve": retrieve,
    }


def field_of(path: str) -> str:
    """The path of a field in the message, from that in the fields."""
    path = re.sub(r"\b(hand|taken|given)\[", r"\1.cards[", path)
    path = re.sub(r"\b(saw|put)\[", r"\1.treasures[", path)
    path = re.sub(r"^looked\[(\d+)\]\[", r"looked[\1].cards[", path)
    path = re.sub(r"^(actions\[\d+\])\[0\]", r"\1.red_blue", path)
    path = re.sub(r"^(actions\[\d+\])\[1\]", r"\1.green_purple", path)
    return re.sub(r"^left\..*", "left", path)


def write_view(fields: dict[str, Any]) -> pb.SeaAndCoastView:
    """The message of a view's fields."""
    View = pb.SeaAndCoastView
    message = View(
        players=fields["players"],
        rounds=fields["rounds"],
        actions=[
            View.Actions(red_blue=write_name(a, ACTIONS), green_purple=write_name(b, ACTIONS))
            for a, b in fields["actions"]
        ],
        round=fields["round"],
        trick=fields["trick"],
        phase=write_name(fields["phase"], PHASES),
        claims=map(SEATS.index, fields["claims"]),
        acts=map(SEATS.index, fields["acts"]),
        deck=fields["deck"],
        count=fields["count"],
        supply=fields["supply"],
        tops=map(write_treasure, fields["tops"]),
        left=[
            View.TreasureCount(treasure=write_treasure(name), count=n)
            for name, n in fields["left"].items()
        ],
        looked=[
            View.LookedDeck(
                cards=[
                    View.LookedCard(
                        treasure=write_treasure(c["treasure"]) if c["treasure"] else None,
                        known_to=map(SEATS.index, c["known_to"]),
                    )
                    for c in deck
                ]
            )
            for deck in fields["looked"]
        ],
        seats=map(write_table, fields["seats"]),
        log=map(write_trick, fields["log"]),
    )
    for name in ("observer", "first", "turn", "victim"):
        if fields[name] not in (None, "public"):
            setattr(message, name, SEATS.index(fields[name]))
    return message


def write_table(seat: dict[str, Any]) -> pb.SeaAndCoastView.Seat:
    """What lies before one seat."""
    shown = seat["shows"]
    return pb.SeaAndCoastView.Seat(
        hand=None if seat["hand"] is None else write_cards(seat["hand"]),
        hand_size=seat["hand_size"],
        score=seat["score"],
        bonus=seat["bonus"],
        passed=write_card(seat["passed"]) if seat["passed"] else None,
        card=write_card(seat["card"]) if seat["card"] else None,
        half=write_name(seat["half"], HALVES) if seat["half"] else None,
        shows=None
        if shown is None
        else write_card(f"{shown}?" if seat["half"] == "sea" else f"?{shown}"),
        laid=seat["laid"],
        pile=map(write_treasure, seat["pile"]),
    )


def write_trick(trick: dict[str, Any]) -> pb.SeaAndCoastView.TrickLog:
    """What happened in one trick."""
    View = pb.SeaAndCoastView
    message = View.TrickLog(
        cards=[Card() if card is None else write_card(card) for card in trick["cards"]],
        turned=map(write_treasure, trick["turned"]),
    )
    if swap := trick["swap"]:
        message.swap.CopyFrom(
            View.SwapLog(
                thief=SEATS.index(swap["thief"]),
                victim=SEATS.index(swap["victim"]),
                taken=None if swap["taken"] is None else write_cards(swap["taken"]),
                given=None if swap["given"] is None else write_cards(swap["given"]),
            )
        )
    if look := trick["look"]:
        message.look.CopyFrom(
            View.LookLog(
                seat=SEATS.index(look["seat"]),
                deck=look["deck"],
                saw=None if look["saw"] is None else write_treasures(look["saw"]),
                put=None if look["put"] is None else write_treasures(look["put"]),
            )
        )
    if retrieve := trick["retrieve"]:
        discard = retrieve["discard"]
        message.retrieve.CopyFrom(
            View.RetrieveLog(
                seat=SEATS.index(retrieve["seat"]),
                card=write_card(retrieve["card"]),
                discard=write_card(discard) if discard else None,
            )
        )
    return message
