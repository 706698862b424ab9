"""Sea and Coast in words: notation, fields, box and options. See docs/games/sea_and_coast.md."""
from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memset

from islebots.core.contract cimport REVEAL_MOVE
from islebots.core.games.sea_and_coast cimport *

import re
from importlib.resources import files

from islebots.core.errors import BadSetup, BadText
from islebots.core.fields import Fields, items, number

cdef uint64_t ONE = 1

SEAT_NAMES = "ABCDE"
COLOUR_NAMES = "RBGP"
DECK_NAMES = ("RB", "GP")
ACTION_NAMES = {"bonus": BONUS, "swap": EXCHANGE, "look": PEEK, "retrieve": FETCH}
HALF_NAMES = {SEA: "sea", COAST: "coast"}
PHASE_NAMES = {
    FIRSTING: "first", TURNING: "turn", DEALING: "deal", PASSING: "pass", PLAYING: "play",
    UNCOVERING: "reveal", CLAIMING: "claim", ROBBING: "rob", SWAPPING: "swap", DRAWING: "draw",
    GIVING: "give", LOOKING: "look", SEEING: "see", ORDERING: "order", RETRIEVING: "retrieve",
    DISCARDING: "discard", ENDED: "over",
}
NOBODYS = (FIRSTING, TURNING, PASSING, UNCOVERING, ENDED)   # phases that are no single seat's

# ---- Moves ------------------------------------------------------------------
def card_text(card1):
    """R7 for a card + 1, ? for one that is not known."""
    if not card1:
        return "?"
    return f"{COLOUR_NAMES[(card1 - 1) // NUMBERS]}{(card1 - 1) % NUMBERS + 1}"

def kind_text(kind):
    """R4 for a treasure kind, ? for one that is not known."""
    return f"{COLOUR_NAMES[kind >> 3]}{kind & 7}" if kind else "?"

def shown_text(half, face):
    """What is shown of a covered card: R? or ?9."""
    return f"{COLOUR_NAMES[face - 1]}?" if half == SEA else f"?{face}"

def laid_text(card1, half):
    """A card with one half covered, as its owner sees it: R(9) or (R)9."""
    colour, digits = card_text(card1)[0], card_text(card1)[1:]
    return f"{colour}({digits})" if half == SEA else f"({colour}){digits}"

def move_text(move):
    """A move, or what is seen of one, as a line a player can read."""
    try:
        return line_of(move)
    except (IndexError, TypeError):         # a number that says no card, seat or deck
        raise BadText(f"move {move!r}: not a move of sea_and_coast") from None

def line_of(move):
    """As `move_text`, of a code that is one."""
    if move == REVEAL_MOVE:
        return "reveal"
    t = move >> 27 & 31
    rest = move & 0xFFFFFF
    if (move >> 24 & 7) >= SEATS:
        raise BadText(f"move {move}: not a move of sea_and_coast")
    seat = SEAT_NAMES[move >> 24 & 7]
    if t == FIRST:
        return f"first {seat}"
    if t == TURN:
        return f"turn {kind_text(rest)}"
    if t == DEAL:
        return f"deal {seat} {card_text(rest)}"
    if t == PASS:
        return f"{seat} passes {card_text(rest)}"
    if t == PLAY:
        card1, half, bonus, face = (rest >> 6) & 63, (rest >> 4) & 3, rest & 15, rest >> 12
        card = laid_text(card1, half) if card1 else shown_text(half, face)
        return f"{seat} plays {card}" + (f"+{bonus}" if bonus else "")
    if t == TAKE:
        return f"{seat} takes {kind_text(rest)}"
    if t == STEAL:
        return f"{seat} steals {kind_text(rest & 63)} from {SEAT_NAMES[rest >> 8]}"
    if t == ROB:
        return f"{seat} robs {SEAT_NAMES[rest]}"
    if t == SWAP:
        return f"{seat} swaps with {SEAT_NAMES[rest]}"
    if t == DRAW:
        return f"{seat} draws {card_text(rest)}"
    if t == GIVE:
        cards = " ".join(card_text(c) for c in (rest >> 6, rest & 63) if c)
        return f"{seat} gives {cards or '?'}"
    if t == LOOK:
        return f"{seat} looks at {DECK_NAMES[rest]}"
    if t == SEE:
        return f"{seat} sees {kind_text(rest)}"
    if t == ORDER:
        kinds = " ".join(kind_text(rest >> k & 63) for k in (12, 6, 0)) if rest else "?"
        return f"{seat} orders {kinds}"
    if t == RETRIEVE:
        return f"{seat} retrieves {card_text(rest)}"
    if t == DISCARD:
        return f"{seat} discards {card_text(rest)}"
    if t == HANDED:
        return f"handed {card_text(rest)}" if rest else "handed"
    if t == UNCOVERED:
        cards = (move >> (32 + 6 * i) & 63 for i in range(SEATS))
        return "uncovered " + " ".join(card_text(c) for c in cards if c)
    raise BadText(f"move {move}: not a move of sea_and_coast")

CARD = r"[RBGP](?:[1-9]|1[0-2])"
KIND = r"[RBGP][1-7]"
# Every line of the notation, with its type. Groups: seat first where there is one.
LINES = [(re.compile(pattern), t) for pattern, t in (
    (r"first ([A-E])", FIRST),
    (rf"turn ({KIND})", TURN),
    (rf"deal ([A-E]) ({CARD}|\?)", DEAL),
    (rf"([A-E]) passes ({CARD})", PASS),
    (r"([A-E]) plays (\(?[RBGP]\)?|\?)(\(?\d{1,2}\)?|\?)(?:\+(\d{1,2}))?", PLAY),
    (rf"([A-E]) takes ({KIND})", TAKE),
    (rf"([A-E]) steals ({KIND}) from ([A-E])", STEAL),
    (r"([A-E]) robs ([A-E])", ROB),
    (r"([A-E]) swaps with ([A-E])", SWAP),
    (rf"([A-E]) draws ({CARD}|\?)", DRAW),
    (rf"([A-E]) gives (?:({CARD})(?: ({CARD}))?|\?)", GIVE),
    (r"([A-E]) looks at (RB|GP)", LOOK),
    (rf"([A-E]) sees ({KIND}|\?)", SEE),
    (rf"([A-E]) orders (?:({KIND}) ({KIND}) ({KIND})|\?)", ORDER),
    (rf"([A-E]) retrieves ({CARD})", RETRIEVE),
    (rf"([A-E]) discards ({CARD})", DISCARD),
    (rf"handed(?: ({CARD}))?", HANDED),
    (rf"uncovered ({CARD}(?: {CARD})*)", UNCOVERED),
)]

def read_card(text):
    """card + 1 of R7; 0 of ? or nothing."""
    if text is None or text == "?":
        return 0
    return NUMBERS * COLOUR_NAMES.index(text[0]) + int(text[1:])

def read_kind(text):
    """The kind of R4; 0 of ? or nothing."""
    return 0 if text is None or text == "?" else 8 * COLOUR_NAMES.index(text[0]) + int(text[1:])

def read_laid(colour, digits):
    """What is laid, (colour, number), each covered, plain or ?: (card + 1, half, face)."""
    if colour in COLOUR_NAMES and digits == "?":
        return 0, SEA, COLOUR_NAMES.index(colour) + 1
    if colour == "?" and digits.isdigit() and 1 <= int(digits) <= NUMBERS:
        return 0, COAST, int(digits)
    n, half = digits.strip("()"), SEA if digits.startswith("(") else COAST
    covered = f"({n})" == digits, f"({colour.strip('()')})" == colour
    plain = digits == n, colour in COLOUR_NAMES
    if n.isdigit() and 1 <= int(n) <= NUMBERS and (covered[0] and plain[1]
                                                   or plain[0] and covered[1]):
        return read_card(colour.strip("()") + n), half, 0
    return None

def read_text(text):
    """The code of a line of the notation: a move, or what is seen of one."""
    words = " ".join(text.split())
    if words == "reveal":
        return REVEAL_MOVE
    for pattern, t in LINES:
        found = pattern.fullmatch(words)
        if found:
            code = read_line(t, found.groups())
            if code is not None:
                return code
    raise BadText(f'"{text}": not a line of sea_and_coast, as "A plays R(9)+1" or "turn R4"; '
                  "cards are R, B, G or P with 1 to 12")

def read_line(t, groups):
    """The code of a line of one type; None if it does not add up."""
    if t == TURN:
        return t << 27 | read_kind(groups[0])
    if t == HANDED:
        return t << 27 | read_card(groups[0])
    if t == UNCOVERED:
        code = t << 27
        cards = groups[0].split()
        if len(cards) > SEATS:
            return None
        for i, card in enumerate(cards):
            code |= read_card(card) << (32 + 6 * i)
        return code
    code = t << 27 | SEAT_NAMES.index(groups[0]) << 24
    if t == PLAY:
        laid = read_laid(groups[1], groups[2])
        bonus = int(groups[3] or 0)
        if laid is None or bonus > 15:
            return None
        card1, half, face = laid
        return code | face << 12 | card1 << 6 | half << 4 | bonus
    if t == STEAL:
        return code | SEAT_NAMES.index(groups[2]) << 8 | read_kind(groups[1])
    if t in (ROB, SWAP):
        return code | SEAT_NAMES.index(groups[1])
    if t == LOOK:
        return code | DECK_NAMES.index(groups[1])
    if t == GIVE:
        return code | read_card(groups[1]) << 6 | read_card(groups[2])
    if t == ORDER:
        return code | sum(read_kind(groups[k + 1]) << (12 - 6 * k) for k in range(LOOKS))
    if t in (TAKE, SEE):
        return code | read_kind(groups[1])
    return code | (read_card(groups[1]) if len(groups) > 1 else 0)

# ---- The table in words -----------------------------------------------------
def state_text(bytes box, const unsigned char[:] data):
    """The table as one can read it; what a view does not know is shown as ?."""
    cdef const State* s = <const State*>&data[0]
    names = {v: k for k, v in ACTION_NAMES.items()}
    r = min(s.round, s.rounds - 1)
    trick = s.trick + (s.phase != ENDED)
    whose = "" if not s.observer else (
        f"   as seen by {'all' if s.observer > SEATS else SEAT_NAMES[s.observer - 1]}")
    tops = " ".join(kind_text(s.top[d]) for d in range(DECKS) if s.top[d]) or "-"
    lines = [f"round {r + 1} of {s.rounds}   trick {trick}   first {SEAT_NAMES[s.first]}"
             f"   tops {tops}   supply {s.supply}   actions RB {names[s.action[r][0]]}"
             f", GP {names[s.action[r][1]]}   next: {next_text(s)}{whose}"]
    for i in range(s.seats):
        hand = cards_of(s.hand[i])
        hand += ["?"] * (s.hand_size[i] - len(hand))
        pile = " ".join(kind_text(s.pile[i][k]) for k in range(s.n_pile[i])) or "-"
        lines.append(f"{SEAT_NAMES[i]}  points {s.score[i]:<3d} bonus {s.bonus[i]:<2d}"
                     f" pile {pile}   hand {' '.join(hand) or '-'}{played_text(s, i)}")
    return "\n".join(lines)

cdef next_text(const State* s):
    name = PHASE_NAMES[s.phase]
    return name if s.phase in NOBODYS else f"{SEAT_NAMES[s.turn]} {name}"

cdef played_text(const State* s, int seat):
    """What the seat has laid in this trick, as one who sees this table reads it."""
    if not s.half[seat]:
        return ""
    if not s.card[seat]:
        card = shown_text(s.half[seat], s.face[seat])
    elif s.phase > UNCOVERING:
        card = card_text(s.card[seat])
    else:
        card = laid_text(s.card[seat], s.half[seat])
    return f"   plays {card}" + (f"+{s.laid[seat]}" if s.laid[seat] else "")

# ---- Fields -----------------------------------------------------------------
cdef list cards_of(uint64_t cards):
    return [card_text(c + 1) for c in range(COLOURS * NUMBERS) if cards >> c & 1]

cdef seat_or_none(int seat1):
    return SEAT_NAMES[seat1 - 1] if seat1 else None

cdef seats_of(int bits, int seats):
    return [SEAT_NAMES[i] for i in range(seats) if bits >> i & 1]

cdef card_or_none(int card1):
    return card_text(card1) if card1 else None

cdef kind_or_none(int kind):
    return kind_text(kind) if kind else None

def fields(bytes box, const unsigned char[:] data):
    """A state or view as plain fields."""
    cdef const State* s = <const State*>&data[0]
    cdef const Box* b = <const Box*><const char*>box
    cdef bint over = s.phase == ENDED, deck_phase = s.phase in (SEEING, ORDERING)
    names = {v: k for k, v in ACTION_NAMES.items()}
    trick = s.trick if over else s.trick + 1
    return {
        "observer": (None if s.observer == 0 else
                     "public" if s.observer > SEATS else SEAT_NAMES[s.observer - 1]),
        "players": s.seats,
        "rounds": s.rounds,
        "actions": [[names[s.action[r][k]] for k in range(2)] for r in range(2)],
        "round": s.round if over else s.round + 1,
        "trick": trick,
        "phase": phase_name(s),
        "first": None if s.phase == FIRSTING else SEAT_NAMES[s.first],
        "turn": None if s.phase in NOBODYS else SEAT_NAMES[s.turn],
        "claims": seats_of(s.claims, s.seats),
        "acts": seats_of(s.acts, s.seats),
        "victim": SEAT_NAMES[s.target] if s.phase in (DRAWING, GIVING) else None,
        "deck": s.target if deck_phase else None,
        "count": s.count,
        "supply": s.supply,
        "tops": [kind_or_none(s.top[d]) for d in range(b.decks[s.seats])],
        "left": {kind_text(k): s.left[k] for k in range(KINDS) if s.left[k]},
        "looked": [[{"treasure": kind_or_none(s.placed[d][k]),
                     "known_to": seats_of(s.known[d][k], s.seats)}
                    for k in range(s.n_placed[d])] for d in range(b.decks[s.seats])],
        "seats": [seat_fields(s, i) for i in range(s.seats)],
        "log": [trick_fields(b, s, t) for t in range(trick)],
    }

cdef phase_name(const State* s):
    """What comes next; that all have passed is not known to anybody before the cards go over."""
    if s.phase == PASSING and not s.observer and all(s.given[i] for i in range(s.seats)):
        return "reveal"
    return PHASE_NAMES[s.phase]

cdef seat_fields(const State* s, int i):
    cdef bint known = s.observer == 0 or s.observer == i + 1
    return {
        "hand": cards_of(s.hand[i]) if known else None,
        "hand_size": s.hand_size[i],
        "score": s.score[i],
        "bonus": s.bonus[i],
        "passed": card_or_none(s.given[i]),
        "card": card_or_none(s.card[i]),
        "half": HALF_NAMES.get(s.half[i]),
        "shows": (None if not s.half[i] else
                  COLOUR_NAMES[s.face[i] - 1] if s.half[i] == SEA else s.face[i]),
        "laid": s.laid[i],
        "pile": [kind_text(s.pile[i][k]) for k in range(s.n_pile[i])],
    }

cdef trick_fields(const Box* b, const State* s, int t):
    cdef const Trick* log = &s.log[t]
    cdef bint now = t == s.trick
    swap = look = retrieve = None
    if log.thief:
        swap = {
            "thief": SEAT_NAMES[log.thief - 1],
            "victim": SEAT_NAMES[log.victim - 1],
            "taken": some([card_text(log.taken[k]) for k in range(2) if log.taken[k]],
                          now and s.phase == DRAWING and s.count == 0),
            "given": some([card_text(log.given[k]) for k in range(2) if log.given[k]],
                          now and s.phase in (DRAWING, GIVING)),
        }
    if log.looker:
        look = {
            "seat": SEAT_NAMES[log.looker - 1],
            "deck": log.deck,
            "saw": some([kind_text(log.saw[k]) for k in range(LOOKS) if log.saw[k]],
                        now and s.phase == SEEING and s.count == 0),
            "put": some([kind_text(log.put[k]) for k in range(LOOKS) if log.put[k]],
                        now and s.phase in (SEEING, ORDERING)),
        }
    if log.fetcher:
        retrieve = {"seat": SEAT_NAMES[log.fetcher - 1], "card": card_text(log.fetched),
                    "discard": card_or_none(log.dropped)}
    return {
        "cards": [card_or_none(log.card[i]) for i in range(s.seats)],
        "turned": [kind_or_none(log.turned[d]) for d in range(b.decks[s.seats])],
        "swap": swap, "look": look, "retrieve": retrieve,
    }

cdef some(list what, bint none_yet):
    """What is known: a list, empty as long as there is nothing, None if it is not known."""
    return what if what or none_yet else None

STATE_KEYS = ("observer", "players", "rounds", "actions", "round", "trick", "phase", "first",
              "turn", "claims", "acts", "victim", "deck", "count", "supply", "tops", "left",
              "looked", "seats", "log")
SEAT_KEYS = ("hand", "hand_size", "score", "bonus", "passed", "card", "half", "shows", "laid",
             "pile")
TRICK_KEYS = ("cards", "turned", "swap", "look", "retrieve")
PHASES = {name: phase for phase, name in PHASE_NAMES.items()}

cdef class Reader:
    """Reads the fields of one table."""
    cdef const Box* b
    cdef int seats

    cdef seat(self, value, path):
        """A seat from its letter."""
        names = SEAT_NAMES[:self.seats]
        if not isinstance(value, str) or len(value) != 1 or value not in names:
            raise BadText(f"{path}: {value!r} given, takes {', '.join(names)}")
        return SEAT_NAMES.index(value)

    cdef seat_bits(self, value, path):
        bits = 0
        for _, item, at in items(value, path, 0, self.seats):
            bits |= 1 << self.seat(item, at)
        return bits

    cdef card(self, value, path, bint or_none=False):
        """card + 1; 0 for null where that is allowed."""
        if value is None and or_none:
            return 0
        card1 = read_card(value) if isinstance(value, str) and re.fullmatch(CARD, value) else 0
        if not card1 or not self.b.islands >> (card1 - 1) & 1:
            raise BadText(f"{path}: {value!r} given, takes a card from "
                          f"R1 to P{self.b.numbers}" + (" or null" if or_none else ""))
        return card1

    cdef kind(self, value, path, bint or_none=False):
        """A treasure; 0 for null where that is allowed."""
        if value is None and or_none:
            return 0
        kind = read_kind(value) if isinstance(value, str) and re.fullmatch(KIND, value) else 0
        if not kind or not self.b.count[self.seats][kind]:
            takes = ", ".join(kind_text(k) for k in range(KINDS) if self.b.count[self.seats][k])
            raise BadText(f"{path}: {value!r} given, takes {takes}"
                          + (" or null" if or_none else ""))
        return kind

    cdef cards(self, value, path, int most):
        """Known cards + 1, ascending; none for null."""
        out = [] if value is None else [self.card(c, at)
                                        for _, c, at in items(value, path, 0, most)]
        if out != sorted(set(out)):
            raise BadText(f"{path}: takes cards in ascending order, each once")
        return out

    cdef kinds(self, value, path, int most):
        return [] if value is None else [self.kind(k, at)
                                         for _, k, at in items(value, path, 0, most)]

def read_fields(bytes box, value):
    """The bytes of a state or view from its fields; BadText names what is wrong."""
    cdef State s
    cdef Reader r = Reader()
    cdef int i, k, d, t
    memset(&s, 0, sizeof(State))
    r.b = <const Box*><const char*>box
    f = Fields(value, "", STATE_KEYS)
    s.seats = r.seats = f.choice("players", tuple(players_of(box)))
    s.rounds = f.number("rounds", 1, 2)
    observers = (None, *SEAT_NAMES[:s.seats], "public")
    observer = f.choice("observer", observers)
    s.observer = SEATS + 1 if observer == "public" else observers.index(observer)
    for i, pair, path in f.items("actions", 2, 2):
        for k, name, at in items(pair, path, 2, 2):
            if not isinstance(name, str) or name not in ACTION_NAMES:
                raise BadText(f"{at}: {name!r} given, takes {', '.join(ACTION_NAMES)}")
            s.action[i][k] = ACTION_NAMES[name]
    s.phase = PHASES[f.choice("phase", tuple(PHASES))]
    if s.phase == UNCOVERING and not any(isinstance(seat, dict) and seat.get("half")
                                         for _, seat, _ in f.items("seats", s.seats, s.seats)):
        s.phase = PASSING                   # all have passed, nothing is laid
    hand = r.b.hand[s.seats]
    over = s.phase == ENDED
    s.round = f.number("round", 1, s.rounds) - (not over)
    s.trick = f.number("trick", 1, hand) - (not over)
    if over and (s.round < s.rounds or s.trick < hand):
        raise BadText(f"phase: \"over\" given, but this is round {s.round}, trick {s.trick}")
    if s.phase != FIRSTING:
        s.first = r.seat(f.value.get("first"), "first")
    if s.phase in NOBODYS:
        f.choice("turn", (None,))
        s.turn = s.first if s.phase == UNCOVERING else 0
    else:
        s.turn = r.seat(f.value.get("turn"), "turn")
    s.claims = r.seat_bits(f.value.get("claims"), "claims")
    s.acts = r.seat_bits(f.value.get("acts"), "acts")
    decks = r.b.decks[s.seats]
    if s.phase in (DRAWING, GIVING):
        s.target = r.seat(f.value.get("victim"), "victim")
    else:
        f.choice("victim", (None,))
    if s.phase in (SEEING, ORDERING):
        s.target = f.number("deck", 0, decks - 1)
    else:
        f.choice("deck", (None,))
    s.count = f.number("count", 0, 2 if s.phase in (DRAWING, GIVING) else
                       LOOKS if s.phase in (SEEING, ORDERING) else 0)
    s.supply = f.number("supply", 0, r.b.bonus)
    for d, kind, path in f.items("tops", decks, decks):
        s.top[d] = r.kind(kind, path, True)
    left = f.value.get("left")
    if not isinstance(left, dict):
        raise BadText(f"left: {left!r} given, takes an object")
    for name, n in left.items():
        k = r.kind(name, "left")
        s.left[k] = number(n, f"left.{name}", 0, r.b.count[s.seats][k])
    for d, cards, path in f.items("looked", decks, decks):
        for i, entry, at in items(cards, path, 0, LOOKS):
            e = Fields(entry, at, ("treasure", "known_to"))
            s.placed[d][i] = r.kind(e.value.get("treasure"), e.at("treasure"), True)
            s.known[d][i] = r.seat_bits(e.value.get("known_to"), e.at("known_to"))
            s.n_placed[d] = i + 1
    for i, seat, path in f.items("seats", s.seats, s.seats):
        read_seat(r, &s, i, Fields(seat, path, SEAT_KEYS))
    for t, trick, path in f.items("log", s.trick + (not over), s.trick + (not over)):
        read_trick(r, &s, &s.log[t], Fields(trick, path, TRICK_KEYS))
    return bytes((<unsigned char*>&s)[:sizeof(State)])

cdef read_seat(Reader r, State* s, int i, f):
    cdef bint own = s.observer == 0 or s.observer == i + 1
    s.hand_size[i] = f.number("hand_size", 0, TRICKS + 2)
    if own:
        cards = r.cards(f.value.get("hand") or [], f.at("hand"), TRICKS + 2)
        if len(cards) != s.hand_size[i]:
            raise BadText(f"{f.at('hand')}: {len(cards)} cards given, hand_size is "
                          f"{s.hand_size[i]}")
        for card1 in cards:
            s.hand[i] |= ONE << <int>(card1 - 1)
    elif f.has("hand"):
        raise BadText(f"{f.at('hand')}: hidden from this observer; send hand_size only")
    s.score[i] = f.number("score", 0, 200)
    s.bonus[i] = f.number("bonus", 0, r.b.bonus)
    s.given[i] = r.card(f.value.get("passed"), f.at("passed"), True)
    s.card[i] = r.card(f.value.get("card"), f.at("card"), True)
    half = f.choice("half", (None, *HALF_NAMES.values()))
    if half is None:
        f.choice("shows", (None,))
    elif half == "sea":
        s.half[i] = SEA
        s.face[i] = COLOUR_NAMES.index(f.choice("shows", tuple(COLOUR_NAMES))) + 1
    else:
        s.half[i] = COAST
        s.face[i] = f.number("shows", 1, r.b.numbers)
    s.laid[i] = f.number("laid", 0, r.b.cap)
    for k, kind, path in f.items("pile", 0, TRICKS):
        s.pile[i][k] = r.kind(kind, path)
        s.n_pile[i] = k + 1

cdef read_trick(Reader r, State* s, Trick* log, f):
    decks = r.b.decks[s.seats]
    for i, card, path in f.items("cards", s.seats, s.seats):
        log.card[i] = r.card(card, path, True)
    for d, kind, path in f.items("turned", decks, decks):
        log.turned[d] = r.kind(kind, path, True)
    if f.has("swap"):
        e = Fields(f.value["swap"], f.at("swap"), ("thief", "victim", "taken", "given"))
        log.thief = e.read("thief", lambda v, path: r.seat(v, path)) + 1
        log.victim = e.read("victim", lambda v, path: r.seat(v, path)) + 1
        for k, card1 in enumerate(r.cards(e.value.get("taken"), e.at("taken"), 2)):
            log.taken[k] = card1
        for k, card1 in enumerate(r.cards(e.value.get("given"), e.at("given"), 2)):
            log.given[k] = card1
    if f.has("look"):
        e = Fields(f.value["look"], f.at("look"), ("seat", "deck", "saw", "put"))
        log.looker = e.read("seat", lambda v, path: r.seat(v, path)) + 1
        log.deck = e.number("deck", 0, decks - 1)
        for k, kind in enumerate(r.kinds(e.value.get("saw"), e.at("saw"), LOOKS)):
            log.saw[k] = kind
        for k, kind in enumerate(r.kinds(e.value.get("put"), e.at("put"), LOOKS)):
            log.put[k] = kind
    if f.has("retrieve"):
        e = Fields(f.value["retrieve"], f.at("retrieve"), ("seat", "card", "discard"))
        log.fetcher = e.read("seat", lambda v, path: r.seat(v, path)) + 1
        log.fetched = e.read("card", lambda v, path: r.card(v, path))
        log.dropped = e.read("discard", lambda v, path: r.card(v, path, True))

# ---- What cannot be ---------------------------------------------------------
def faults(bytes box, const unsigned char[:] data):
    """Why a state or view cannot be, a line a fact; empty if nothing contradicts itself."""
    cdef const State* s = <const State*>&data[0]
    cdef const Box* b = <const Box*><const char*>box
    out = []
    if s.phase == FIRSTING:
        check_start(b, s, out)
    else:
        check_cards(b, s, out)
        check_sizes(b, s, out)
        check_laid(b, s, out)
        check_log(b, s, out)
    check_bonus(b, s, out)
    check_treasures(b, s, out)
    check_winners(b, s, out)
    check_phase(b, s, out)
    return out

cdef check_start(const Box* b, const State* s, list out):
    """Before the first seat is drawn nothing has happened."""
    cdef State fresh
    memset(&fresh, 0, sizeof(State))
    fresh.seats, fresh.rounds, fresh.observer = s.seats, s.rounds, s.observer
    fresh.action = s.action
    fresh.phase = FIRSTING
    fresh.supply = b.bonus
    fresh.left = b.count[s.seats]
    if memcmp(&fresh, s, sizeof(State)):
        out.append('phase: "first" given, but something has happened already')

cdef check_cards(const Box* b, const State* s, list out):
    """No card lies in two places."""
    cdef const Trick* log
    cdef int t, i
    place = {}                              # card + 1: where it lies
    for t in range(min(s.trick + 1, TRICKS)):
        log = &s.log[t]
        for i in range(s.seats):
            if log.card[i]:
                note(place, log.card[i], f"{SEAT_NAMES[i]} played it in trick {t + 1}", out)
        if log.fetcher:
            if log.fetched not in [log.card[i] for i in range(s.seats)]:
                out.append(f"log[{t}].retrieve: {card_text(log.fetched)} was not played in "
                           f"trick {t + 1}")
            place.pop(log.fetched, None)
            if log.dropped:
                note(place, log.dropped,
                     f"{SEAT_NAMES[log.fetcher - 1]} discarded it in trick {t + 1}", out)
    for i in range(s.seats):
        for c in range(COLOURS * NUMBERS):
            if s.hand[i] >> c & 1:
                note(place, c + 1, f"it is in {SEAT_NAMES[i]}'s hand", out)
        if s.card[i] and s.phase in (PLAYING, UNCOVERING):
            note(place, s.card[i], f"{SEAT_NAMES[i]} lays it", out)
    n_unseen = COLOURS * b.numbers - len(place)
    missing = sum(max(0, s.hand_size[i] - len(cards_of(s.hand[i]))
                      + (1 if s.half[i] and not s.card[i] else 0)) for i in range(s.seats))
    if missing > n_unseen:
        out.append(f"hands miss {missing} cards, but only {n_unseen} cards are unseen")
    check_colours(b, s, place, out)

cdef note(dict place, int card1, where, list out):
    if card1 in place:
        out.append(f"{card_text(card1)}: {place[card1]} and {where}")
    place[card1] = where

cdef check_colours(const Box* b, const State* s, dict place, list out):
    """Halves shown need unseen cards that fit."""
    cdef int i
    wanted = {}
    for i in range(s.seats):
        if s.half[i] and not s.card[i] and s.phase in (PLAYING, UNCOVERING):
            face = shown_text(s.half[i], s.face[i])
            wanted[face] = wanted.get(face, 0) + 1
    for face, n in wanted.items():
        fit = [c for c in range(COLOURS * NUMBERS) if b.islands >> c & 1 and c + 1 not in place
               and (COLOUR_NAMES[c // NUMBERS] == face[0] or str(c % NUMBERS + 1) == face[1:])]
        if n > len(fit):
            out.append(f"{n} seats show {face}, but only {len(fit)} such cards are unseen")

cdef check_sizes(const Box* b, const State* s, list out):
    """Hands have as many cards as the moment asks for."""
    cdef int i, want, h = b.hand[s.seats]
    for i in range(s.seats):
        want = h - s.trick
        if s.phase == ENDED or s.phase == TURNING and s.trick == 0:
            want = 0
        elif s.phase == DEALING:
            want = h if i < s.turn else 0
            if i == s.turn and 0 < s.hand_size[i] < h:
                want = s.hand_size[i]
        elif s.half[i]:
            want -= 1
        if s.phase in (DRAWING, GIVING):
            want += s.count * ((i == s.turn) - (i == s.target))
        if s.phase == DISCARDING and i == s.turn:
            want += 1
        if s.hand_size[i] != want:
            out.append(f"seats[{i}].hand_size: {s.hand_size[i]} given, at this point it is {want}")

cdef check_laid(const Box* b, const State* s, list out):
    """Laid cards and bonus fit what is shown, in turn from the first player."""
    cdef int i, k, laid = 0
    cdef bint uncovered = s.phase > UNCOVERING and s.phase != ENDED
    if s.phase == PLAYING:
        laid = (s.turn - s.first + s.seats) % s.seats
    elif s.phase >= UNCOVERING and s.phase != ENDED:
        laid = s.seats
    for k in range(s.seats):
        i = (s.first + k) % s.seats
        if (s.half[i] != 0) != (k < laid):
            out.append(f"seats[{i}].half: {'nothing is laid' if k < laid else 'a card is laid'}, "
                       f"but {SEAT_NAMES[s.first]} began and {laid} cards are laid")
        if not s.half[i]:
            if s.card[i] or s.laid[i]:
                out.append(f"seats[{i}]: a card or bonus without a half shown")
            continue
        if s.card[i]:
            colour, n = (s.card[i] - 1) // NUMBERS, (s.card[i] - 1) % NUMBERS + 1
            if s.face[i] != (colour + 1 if s.half[i] == SEA else n):
                out.append(f"seats[{i}].shows: {shown_text(s.half[i], s.face[i])} is not a half "
                           f"of {card_text(s.card[i])}")
            if n + s.laid[i] > b.cap:
                out.append(f"seats[{i}].laid: {s.laid[i]} bonus on {card_text(s.card[i])} exceed "
                           f"{b.cap} (§3.5)")
        elif uncovered or s.observer in (0, i + 1):
            out.append(f"seats[{i}].card: not given, but known to this observer")
        elif (1 if s.half[i] == SEA else s.face[i]) + s.laid[i] > b.cap:
            out.append(f"seats[{i}].laid: {s.laid[i]} bonus exceed {b.cap} (§3.5)")
        if s.card[i] and not uncovered and s.observer not in (0, i + 1):
            out.append(f"seats[{i}].card: hidden from this observer until the cards are uncovered")
        if uncovered and s.log[s.trick].card[i] != s.card[i]:
            out.append(f"log[{s.trick}].cards[{i}]: not the card that seats[{i}] laid")

cdef check_log(const Box* b, const State* s, list out):
    """What the log says of swaps and looks is what the observer knows of them, and complete."""
    cdef const Trick* log
    cdef int t, n
    cdef bint now, known
    for t in range(TRICKS):
        log = &s.log[t]
        now = t == s.trick
        if log.thief:
            n = min(2, b.hand[s.seats] - t - 1)
            known = s.observer in (0, log.thief, log.victim)
            if log.thief == log.victim:
                out.append(f"log[{t}].swap: thief and victim are one")
            check_known(out, f"log[{t}].swap.taken", known, [c for c in log.taken[:2] if c],
                        s.count if now and s.phase == DRAWING else n)
            check_known(out, f"log[{t}].swap.given", known, [c for c in log.given[:2] if c],
                        0 if now and s.phase in (DRAWING, GIVING) else n)
        if log.looker:
            known = s.observer in (0, log.looker)
            saw = [k for k in log.saw[:LOOKS] if k]
            put = [k for k in log.put[:LOOKS] if k]
            check_known(out, f"log[{t}].look.saw", known, saw,
                        s.count if now and s.phase == SEEING else LOOKS)
            check_known(out, f"log[{t}].look.put", known, put,
                        0 if now and s.phase in (SEEING, ORDERING) else LOOKS)
            if put and sorted(put) != sorted(saw):
                out.append(f"log[{t}].look: put back are not the cards seen")
    for i in range(s.seats):
        if s.given[i] and not (s.phase >= PASSING or s.phase == TURNING and s.trick):
            out.append(f"seats[{i}].passed: nobody has passed yet")
        elif s.given[i] and s.phase == PASSING and not s.hand[i] & ONE << (s.given[i] - 1):
            out.append(f"seats[{i}].passed: {card_text(s.given[i])} is not in this seat's hand")

cdef check_known(list out, path, bint known, list cards, int n):
    if known and len(cards) != n:
        out.append(f"{path}: {len(cards)} cards given, the observer knows {n}")
    if not known and cards:
        out.append(f"{path}: hidden from this observer")

cdef check_bonus(const Box* b, const State* s, list out):
    total = s.supply + sum(s.bonus[i] + s.laid[i] for i in range(s.seats))
    if total != b.bonus:
        out.append(f"{total} bonus cards in supply, before seats and laid; the box has {b.bonus}")

cdef check_treasures(const Box* b, const State* s, list out):
    """Every treasure is in a deck, turned up, won or put under."""
    cdef int d, k, i, t, decks = b.decks[s.seats], out_of, turned
    up = [0] * KINDS
    for i in range(s.seats):
        for k in range(s.n_pile[i]):
            up[s.pile[i][k]] += 1
    for d in range(decks):
        turned = not (s.trick == 0 and s.phase <= TURNING and not s.top[d])
        if s.top[d]:
            up[s.top[d]] += 1
            if decks == 2 and s.top[d] >> 4 != d:
                out.append(f"tops[{d}]: {kind_text(s.top[d])} belongs to the other deck")
        for t in range(TRICKS):
            if s.log[t].turned[d]:
                turned += 1
        out_of = sum(b.count[s.seats][k] - s.left[k] for k in range(KINDS)
                     if decks == 1 or k >> 4 == d)
        if out_of != turned:
            out.append(f"left: {out_of} treasures are out of deck {d}, but {turned} were turned up")
        for k in range(KINDS):
            n = sum(s.placed[d][i] == k for i in range(s.n_placed[d])) if k else 0
            if n > s.left[k]:
                out.append(f"looked[{d}]: {n} times {kind_text(k)}, but {s.left[k]} are left")
    for k in range(KINDS):
        if up[k] > b.count[s.seats][k] - s.left[k]:
            out.append(f"{kind_text(k)}: {up[k]} on piles and decks, but only "
                       f"{b.count[s.seats][k] - s.left[k]} were turned up")
    if sum(s.n_pile[i] for i in range(s.seats)) > decks * (s.trick + 1):
        out.append("seats.pile: more treasures than tricks can bring")

cdef check_winners(const Box* b, const State* s, list out):
    """Who still claims a treasure or carries out an action has won a colour for it (§4, §6.1)."""
    cdef int i, k, d
    cdef bint resolving = CLAIMING <= s.phase <= DISCARDING
    best = {}                               # by colour: ((value, -place), seat)
    shown = {s.top[d] >> 3 for d in range(DECKS) if s.top[d]}
    turn = (s.turn - s.first + s.seats) % s.seats
    for k in range(s.seats):
        i = (s.first + k) % s.seats
        claims, acts = s.claims >> i & 1, s.acts >> i & 1
        if not resolving:
            if claims or acts:
                out.append(f"{'claims' if claims else 'acts'}: {SEAT_NAMES[i]} is listed, "
                           "but no cards are uncovered")
        elif claims and (s.phase != CLAIMING or k < turn):
            out.append(f"claims: {SEAT_NAMES[i]} is listed, but would have claimed already")
        elif acts and s.phase != CLAIMING and k <= turn:
            out.append(f"acts: {SEAT_NAMES[i]} is listed, but would have acted already")
        if resolving and s.card[i]:
            colour, n = (s.card[i] - 1) // NUMBERS, (s.card[i] - 1) % NUMBERS + 1
            if claims and colour not in shown:
                out.append(f"claims: {SEAT_NAMES[i]} is listed, but no deck shows the colour "
                           f"of {card_text(s.card[i])}")
            if acts and colour in shown:
                out.append(f"acts: {SEAT_NAMES[i]} is listed, but a deck shows the colour of "
                           f"{card_text(s.card[i])}")
            if (n + s.laid[i], -k) > best.get(colour, ((0, 0), 0))[0]:
                best[colour] = (n + s.laid[i], -k), i
    for i in range(s.seats):
        if resolving and s.card[i] and (s.claims | s.acts) >> i & 1 \
                and best[(s.card[i] - 1) // NUMBERS][1] != i:
            out.append(f"{'claims' if s.claims >> i & 1 else 'acts'}: {SEAT_NAMES[i]} is listed, "
                       f"but did not win the colour of {card_text(s.card[i])}")
    if s.round == 0 and any(s.score[i] for i in range(s.seats)):
        out.append("seats.score: points given, but no round is over")
    for k in range(2):
        if s.action[k][0] == s.action[k][1]:
            out.append(f"actions[{k}]: both cards show the same action (§1.3)")

cdef check_phase(const Box* b, const State* s, list out):
    """What the phase asks for is there."""
    cdef bint mine = s.observer == 0 or s.observer == s.turn + 1
    name = PHASE_NAMES[s.phase]
    if s.phase == CLAIMING and not s.claims >> s.turn & 1:
        out.append(f"claims: {SEAT_NAMES[s.turn]} is at turn in claim, but not listed")
    if s.phase == CLAIMING and not any(
            s.top[d] and s.card[s.turn] and s.top[d] >> 3 == (s.card[s.turn] - 1) // NUMBERS
            for d in range(DECKS)):
        out.append(f"tops: no treasure of the colour {SEAT_NAMES[s.turn]} won")
    if s.phase in (DRAWING, GIVING):
        done = min(2, b.hand[s.seats] - s.trick - 1)
        if s.count != done if s.phase == GIVING else s.count >= done:
            out.append(f"count: {s.count} given in {name}, {done} cards are drawn")
        if s.turn == s.target or s.log[s.trick].thief != s.turn + 1 \
                or s.log[s.trick].victim != s.target + 1:
            out.append(f"log[{s.trick}].swap: not between the seats at turn")
    if s.phase in (SEEING, ORDERING):
        if (s.count != LOOKS) if s.phase == ORDERING else s.count >= LOOKS:
            out.append(f"count: {s.count} given in {name}")
        if s.log[s.trick].looker != s.turn + 1 or s.log[s.trick].deck != s.target:
            out.append(f"log[{s.trick}].look: not by the seat at turn, or at another deck")
        if s.n_placed[s.target] < s.count:
            out.append(f"looked[{s.target}]: fewer cards than count")
        if mine and any(not s.placed[s.target][k] for k in range(s.count)):
            out.append(f"looked[{s.target}]: cards the observer has seen are not given")
    if s.phase == DISCARDING and s.log[s.trick].fetcher != s.turn + 1:
        out.append(f"log[{s.trick}].retrieve: not by the seat at turn")
    if s.phase in (SWAPPING, DRAWING, GIVING, LOOKING, SEEING, ORDERING, RETRIEVING, DISCARDING) \
            and s.trick + 1 >= b.hand[s.seats]:
        out.append(f"phase: {name} has no effect in the last trick (§6.18)")

# ---- Box and options --------------------------------------------------------
BOXES = files("islebots.core") / "data" / "sea_and_coast"

def read_box(data):
    """The data of a box, checked, as the bytes every function takes."""
    cdef Box b
    memset(&b, 0, sizeof(Box))
    name = data["name"]

    def refuse(what):
        raise BadSetup(f"core/data/sea_and_coast/{name}.toml: {what}")

    numbers = data["islands"]["numbers"]
    if not 1 <= numbers <= NUMBERS:
        refuse(f"islands.numbers is {numbers}, takes 1 to {NUMBERS}")
    if data["islands"]["total"] != COLOURS * numbers:
        refuse(f"{COLOURS * numbers} island cards listed, the box has {data['islands']['total']}")
    b.numbers = numbers
    b.cap = data["islands"]["highest_value"]
    b.bonus = data["bonus"]["total"]
    points = data["treasures"]["points"]
    if data["treasures"]["total"] != COLOURS * len(points):
        refuse(f"{COLOURS * len(points)} treasures listed, "
               f"the box has {data['treasures']['total']}")
    for c in range(COLOURS):
        b.islands |= ((ONE << numbers) - 1) << (NUMBERS * c)
    for key, hand in data["hand"].items():
        n = int(key)
        if not 3 <= n <= SEATS:
            refuse(f"hand.{key}: takes 3 to {SEATS} players")
        if n * hand > COLOURS * numbers or not 1 <= hand <= TRICKS:
            refuse(f"hand.{key} is {hand}: {n} hands do not fit {COLOURS * numbers} cards")
        kept = list(points)
        for p in data.get("removed", {}).get(key, []):
            if p not in kept:
                refuse(f"removed.{key} takes out a {p} that is not there")
            kept.remove(p)
        decks = data["decks"][key]
        # J26: a deck never runs dry, and a look never meets a card put under it.
        if COLOURS // decks * len(kept) < hand + LOOKS:
            refuse(f"a deck of {COLOURS // decks * len(kept)} treasures is too small "
                   f"for {hand} tricks")
        b.hand[n] = hand
        b.decks[n] = decks
        for c in range(COLOURS):
            for p in kept:
                if not 1 <= p <= 7:
                    refuse(f"treasures.points holds {p}, takes 1 to 7")
                b.count[n][8 * c + p] += 1
    return bytes((<unsigned char*>&b)[:sizeof(Box)])

def players_of(bytes box):
    """The player counts a box is made for."""
    cdef const Box* b = <const Box*><const char*>box
    return [n for n in range(SEATS + 1) if b.hand[n]]

OPTIONS = {
    "rounds": ((1, 2), 2, "rounds played; the box says 2"),
    "red_blue": (tuple(ACTION_NAMES), "bonus", "action of the red/blue card in round 1"),
    "green_purple": (tuple(ACTION_NAMES), "look", "action of the green/purple card in round 1"),
    "red_blue_2": (("same", *ACTION_NAMES), "same", "action of the red/blue card in round 2"),
    "green_purple_2": (("same", *ACTION_NAMES), "same",
                       "action of the green/purple card in round 2"),
}

def read_options(options):
    """Options by name, complete and from OPTIONS, as bytes."""
    cdef Options o
    memset(&o, 0, sizeof(Options))
    o.rounds = options["rounds"]
    first = [options["red_blue"], options["green_purple"]]
    second = [options["red_blue_2"], options["green_purple_2"]]
    second = [a if b == "same" else b for a, b in zip(first, second)]
    for n, pair in enumerate((first, second)):
        if pair[0] == pair[1]:
            raise BadSetup(f'both action cards of round {n + 1} show "{pair[0]}": '
                           "each action is on one card (§1.3)")
        for k in range(2):
            o.action[n][k] = ACTION_NAMES[pair[k]]
    return bytes((<unsigned char*>&o)[:sizeof(Options)])
