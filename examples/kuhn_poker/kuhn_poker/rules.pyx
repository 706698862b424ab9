# Kuhn poker: 2 seats, one card each, one bet. § = README.md of this package.
from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from islebots.core.contract cimport (CHANCE, CONTRACT, OVER, PUBLIC, REVEAL, REVEAL_MOVE,
                                     GameTable, Move, Seen, move_of, seat_of, type_of)
from islebots.core.rng cimport Rng, count64, lowest64, pick64, uniform

from pathlib import Path

from islebots.core.errors import BadSetup, BadText
from islebots.core.fields import Fields

cdef uint64_t ONE = 1

cdef enum:                  # §1 room for every box; which cards there are is data
    SEATS = 2
    RANKS = 13              # card = place in 2 3 4 5 6 7 8 9 T J Q K A, from 0
    LINE = 3                # the longest: A checks, B bets, A calls

cdef enum Phase:            # in the order of a game
    DEALING, BETTING, SHOWING, ENDED

cdef enum Type:             # of a move; its payload is the card + 1, or nothing
    DEAL = 1, CHECK, BET, CALL, FOLD
    SHOWN                   # what is seen of the REVEAL

cdef struct Box:
    uint64_t cards          # a set of cards as bits
    uint8_t ante, bet       # in chips

# The truth, or with `observer` set a view: then a card which that observer does not know is 0.
# Zeroed at birth, copied whole: == and hash go over bytes.
cdef struct State:
    uint8_t observer        # 0 = the truth, seat + 1, or SEATS + 1 = PUBLIC
    uint8_t phase
    uint8_t dealt           # seats that have a card
    uint8_t said            # moves of the seats so far; A has the even ones
    uint8_t line[LINE]      # which: CHECK, BET, CALL or FOLD; 0 = not yet
    uint8_t card[SEATS]     # hidden: card + 1; 0 = none, or not known

cdef struct Ctx:            # what the sampler works out once for a view
    uint64_t unseen         # cards whose place is not known
    uint8_t hidden          # seats whose card is not known

cdef inline uint64_t bit1(int card1) noexcept nogil:    # of card + 1; nothing for 0
    return ONE << (card1 - 1) if card1 else 0

# ---- Setup ------------------------------------------------------------------
cdef void setup(const void* box, const void* options, int seats, void* state) noexcept nogil:
    memset(state, 0, sizeof(State))

# ---- Whose decision ---------------------------------------------------------
cdef inline int turn(const State* s) noexcept nogil:
    return s.said % SEATS

cdef int actor(const void* box, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.phase == DEALING:
        return CHANCE
    if s.phase == BETTING:
        return turn(s)
    return REVEAL if s.phase == SHOWING else OVER

# ---- §2, §3 Moves -----------------------------------------------------------
cdef inline bint faces_bet(const State* s) noexcept nogil:
    return s.said > 0 and s.line[s.said - 1] == BET

cdef int legal(const void* box, const void* state, int seat, Move* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef bint bet = faces_bet(s)
    out[0] = move_of(CALL if bet else CHECK, seat, 0)
    out[1] = move_of(FOLD if bet else BET, seat, 0)
    return 2

cdef void apply_deal(State* s, int seat, int card1) noexcept nogil:
    s.card[seat] = card1
    s.dealt += 1
    if s.dealt == SEATS:
        s.phase = BETTING

cdef void apply_word(State* s, int word) noexcept nogil:
    s.line[s.said] = word
    s.said += 1
    if word == FOLD:                                            # §3.3
        s.phase = ENDED
    elif word == CALL or (word == CHECK and s.said == SEATS):   # §3.2, §3.4
        s.phase = SHOWING

# Serves a state and a view: there the card of another seat is 0.
cdef void carry_out(State* s, uint64_t m) noexcept nogil:
    if type_of(m) == DEAL:
        apply_deal(s, seat_of(m), m & 15)
    else:
        apply_word(s, type_of(m))

cdef void apply(const void* box, void* state, Move m) noexcept nogil:
    cdef State* s = <State*>state
    if m == REVEAL_MOVE:
        s.phase = ENDED
    else:
        carry_out(s, m)

# ---- §4 Who wins ------------------------------------------------------------
cdef enum Reason:
    FOLDED = 1, SHOWDOWN

cdef int paid(const Box* b, const State* s, int seat) noexcept nogil:
    cdef int i
    for i in range(s.said):
        if i % SEATS == seat and (s.line[i] == BET or s.line[i] == CALL):
            return b.ante + b.bet
    return b.ante

cdef int outcome(const void* box, const void* state, double* returns) noexcept nogil:
    cdef const Box* b = <const Box*>box
    cdef const State* s = <const State*>state
    cdef int last = (s.said - 1) % SEATS
    cdef bint folded = s.line[s.said - 1] == FOLD
    cdef int winner = 1 - last if folded else s.card[1] > s.card[0]
    cdef int chips = paid(b, s, 1 - winner)     # §4.1: the winner gets back the own chips too
    returns[winner] = chips
    returns[1 - winner] = -chips
    return FOLDED if folded else SHOWDOWN

# From 0 for the greatest loss to 1 for the greatest win.
cdef void rewards(const void* box, const void* state, double* out) noexcept nogil:
    cdef const Box* b = <const Box*>box
    cdef int seat
    outcome(box, state, out)
    for seat in range(SEATS):
        out[seat] = 0.5 + 0.5 * out[seat] / (b.ante + b.bet)

# ---- Chance -----------------------------------------------------------------
# A deck is a set, not an order: the cards nobody holds.
cdef inline uint64_t deck(const Box* b, const State* s) noexcept nogil:
    return b.cards & ~(bit1(s.card[0]) | bit1(s.card[1]))

cdef int chances(const void* box, const void* state, Move* out, double* p) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef uint64_t cards = deck(<const Box*>box, s)
    cdef int i, n = count64(cards)
    for i in range(n):
        out[i] = move_of(DEAL, s.dealt, lowest64(cards) + 1)
        p[i] = 1.0 / n
        cards &= cards - 1
    return n

cdef Move draw(const void* box, const void* state, Rng* rng) noexcept nogil:
    cdef const State* s = <const State*>state
    return move_of(DEAL, s.dealt, pick64(rng, deck(<const Box*>box, s)) + 1)

# ---- Observe, seen and follow -----------------------------------------------
cdef inline bint is_shown(const State* s) noexcept nogil:
    return s.phase == ENDED and s.line[s.said - 1] != FOLD

cdef void observe(const void* box, const void* state, int observer, void* view) noexcept nogil:
    cdef State* v = <State*>view
    cdef int seat
    memcpy(v, state, sizeof(State))
    v.observer = SEATS + 1 if observer == PUBLIC else observer + 1
    for seat in range(SEATS):
        if seat != observer and not is_shown(v):
            v.card[seat] = 0

cdef Seen seen(const void* box, const void* state, Move m, int observer) noexcept nogil:
    cdef const State* s = <const State*>state
    if m == REVEAL_MOVE:                                # §4.2
        return move_of(SHOWN, 0, s.card[0] | (s.card[1] << 4))
    if type_of(m) == DEAL and seat_of(m) != observer:   # §2.2
        return move_of(DEAL, seat_of(m), 0)
    return m

cdef void follow(const void* box, void* view, Seen what) noexcept nogil:
    cdef State* v = <State*>view
    if type_of(what) == SHOWN:
        v.card[0] = what & 15
        v.card[1] = (what >> 4) & 15
        v.phase = ENDED
    else:
        carry_out(v, what)

# ---- Worlds -----------------------------------------------------------------
# Every decision is seen in full, so it only rules deals out; none is ruled out, so all deals that
# agree with the known cards are equally likely.
cdef int prepare(const void* box, const void* view, void* ctx) noexcept nogil:
    cdef const State* v = <const State*>view
    cdef Ctx* x = <Ctx*>ctx
    cdef int seat
    memset(x, 0, sizeof(Ctx))
    x.unseen = (<const Box*>box).cards
    for seat in range(v.dealt):
        if not v.card[seat]:
            x.hidden += 1
        elif not x.unseen & bit1(v.card[seat]):
            return seat + 1             # a card the box does not have, or has once and shows twice
        x.unseen &= ~bit1(v.card[seat])
    return 0

cdef double sample(const void* box, const void* view, const void* ctx, Rng* rng,
                   void* state) noexcept nogil:
    cdef State* s = <State*>state
    cdef uint64_t unseen = (<const Ctx*>ctx).unseen
    cdef int seat
    memcpy(s, view, sizeof(State))
    s.observer = 0
    for seat in range(s.dealt):
        if not s.card[seat]:
            s.card[seat] = pick64(rng, unseen) + 1
            unseen &= ~bit1(s.card[seat])
    return 1

cdef double n_worlds(const void* box, const void* view, const void* ctx) noexcept nogil:
    cdef const Ctx* x = <const Ctx*>ctx
    cdef int i
    cdef double n = 1
    for i in range(x.hidden):
        n *= count64(x.unseen) - i
    return n

# After the deal nothing is done in secret: one shared tree is enough.
cdef bint hidden_ahead(const void* box, const void* view, int cuts) noexcept nogil:
    return (<const State*>view).phase == DEALING

# Reads a seat's record line by line: could this be seen next?
cdef bint accepts(const void* box, const void* view, Seen what) noexcept nogil:
    cdef const State* v = <const State*>view
    cdef uint64_t cards = (<const Box*>box).cards
    cdef Move out[2]
    cdef int a, c
    if v.phase == DEALING:
        a = what & 15
        return (what == move_of(DEAL, v.dealt, a) and (a != 0) == (v.observer == v.dealt + 1)
                and (a == 0 or cards & bit1(a) != 0))
    if v.phase == BETTING:
        legal(box, v, turn(v), out)
        return what == out[0] or what == out[1]
    if v.phase == SHOWING:
        a = what & 15
        c = (what >> 4) & 15
        return (what == move_of(SHOWN, 0, a | (c << 4)) and a != c
                and cards & bit1(a) != 0 and cards & bit1(c) != 0
                and (v.card[0] == 0 or v.card[0] == a) and (v.card[1] == 0 or v.card[1] == c))
    return False

# ---- Policy -----------------------------------------------------------------
# Kuhn's equilibrium (1950) with alpha = 1/3 for three cards; with more, the lower, middle and upper
# third of the cards play as J, Q and K. It reads the own card and the line only.
cdef Move policy(const void* box, const void* state, int seat, Rng* rng) noexcept nogil:
    cdef const Box* b = <const Box*>box
    cdef const State* s = <const State*>state
    cdef int third = 3 * count64(b.cards & (bit1(s.card[seat]) - 1)) // count64(b.cards)
    cdef double p = 0                   # of betting, or of calling
    cdef bint bet = faces_bet(s)
    if third == 2:
        p = 1
    elif third == 1 and bet:
        p = 2.0 / 3 if seat == 0 else 1.0 / 3
    elif third == 0 and not bet:
        p = 1.0 / 3
    if uniform(rng) < p:
        return move_of(CALL if bet else BET, seat, 0)
    return move_of(FOLD if bet else CHECK, seat, 0)

# ---- Text -------------------------------------------------------------------
SEAT_NAMES = "AB"
CARD_NAMES = "23456789TJQKA"
WORDS = {CHECK: "checks", BET: "bets", CALL: "calls", FOLD: "folds"}

def card_text(card1):
    """K for a card + 1, ? for one that is not known."""
    return CARD_NAMES[card1 - 1] if card1 else "?"

def move_text(move):
    """A move, or what is seen of one, as a line a player can read."""
    if move not in TEXTS:
        raise BadText(f"move {move}: not a move of kuhn_poker")
    return TEXTS[move]

def read_text(text):
    """The code of a move, or of what is seen of one."""
    words = " ".join(text.split())
    if words not in CODES:
        raise BadText(f'"{words}": not a line of kuhn_poker, as "A checks" or "deal A K"; '
                      f"cards are {' '.join(CARD_NAMES)}")
    return CODES[words]

def all_texts():
    """Every code with its text: few enough to list. A game with more takes a text apart."""
    texts = {REVEAL_MOVE: "reveal"}
    for seat, name in enumerate(SEAT_NAMES):
        for kind, word in WORDS.items():
            texts[move_of(kind, seat, 0)] = f"{name} {word}"
        for card1 in range(RANKS + 1):
            texts[move_of(DEAL, seat, card1)] = f"deal {name} {card_text(card1)}"
    for card1 in range(1, RANKS + 1):
        for other1 in range(1, RANKS + 1):
            texts[move_of(SHOWN, 0, card1 | other1 << 4)] = (
                f"showdown {card_text(card1)} {card_text(other1)}")
    return texts

TEXTS = all_texts()
CODES = {text: code for code, text in TEXTS.items()}

def state_text(bytes box, bytes data):
    """The table as one can read it; what a view does not know is shown as ?."""
    cdef const Box* b = <const Box*><const char*>box
    cdef const State* s = <const State*><const char*>data
    said = ", ".join(f"{SEAT_NAMES[i % SEATS]} {WORDS[s.line[i]]}" for i in range(s.said))
    lines = [f"next: {PHASES[s.phase]}   {said or 'nothing said'}"
             + (f"   as seen by {OBSERVERS[s.observer]}" if s.observer else "")]
    for seat, name in enumerate(SEAT_NAMES):
        card = card_text(s.card[seat]) if seat < s.dealt else "-"
        lines.append(f"{name}  card {card}   in the pot {paid(b, s, seat)}")
    return "\n".join(lines)

# ---- Fields -----------------------------------------------------------------
OBSERVERS = (None, *SEAT_NAMES, "public")           # by `observer` of a state
PHASES = ("deal", "bet", "reveal", "over")          # by `phase`
LINE_NAMES = {CHECK: "check", BET: "bet", CALL: "call", FOLD: "fold"}
KEYS = ("observer", "players", "phase", "dealt", "line", "cards")

def fields(bytes box, bytes data):
    """A state or view as plain fields; README.md says what each means."""
    cdef const State* s = <const State*><const char*>data
    return {
        "observer": OBSERVERS[s.observer],
        "players": SEATS,
        "phase": PHASES[s.phase],
        "dealt": s.dealt,
        "line": [LINE_NAMES[s.line[i]] for i in range(s.said)],
        "cards": [card_text(s.card[seat]) if s.card[seat] else None for seat in range(SEATS)],
    }

def read_fields(bytes box, value):
    """The bytes of a state or view from its fields; BadText names what is wrong."""
    cdef State s
    memset(&s, 0, sizeof(State))
    f = Fields(value, "", KEYS)
    s.observer = OBSERVERS.index(f.choice("observer", OBSERVERS))
    f.number("players", SEATS, SEATS)
    s.phase = PHASES.index(f.choice("phase", PHASES))
    s.dealt = f.number("dealt", 0, SEATS)
    words = {name: word for word, name in LINE_NAMES.items()}
    for i, name, path in f.items("line", 0, LINE):
        s.line[i] = words[one_of(name, path, tuple(words))]
        s.said = i + 1
    for seat, name, path in f.items("cards", SEATS, SEATS):
        if name is not None:
            s.card[seat] = CARD_NAMES.index(one_of(name, path, tuple(CARD_NAMES))) + 1
    return bytes((<unsigned char*>&s)[:sizeof(State)])

def one_of(value, path, choices):
    """The value, if it is one of these texts."""
    if value not in choices:
        raise BadText(f"{path}: {value!r} given, takes {', '.join(choices)}")
    return value

def faults(bytes box, bytes data):
    """Why a state or view cannot be, a line a fact; empty if nothing contradicts itself."""
    cdef const State* s = <const State*><const char*>data
    cdef const Box* b = <const Box*><const char*>box
    cdef State told                 # the line once more, from the start
    cdef Move may[2]
    out = []
    memset(&told, 0, sizeof(State))
    told.phase = BETTING if s.dealt == SEATS else DEALING
    for i in range(s.said):
        legal(b, &told, turn(&told), may)
        if told.phase != BETTING or s.line[i] not in (type_of(may[0]), type_of(may[1])):
            out.append(f"line[{i}]: nobody can {LINE_NAMES[s.line[i]]} here (§3)")
            return out
        apply_word(&told, s.line[i])
    if told.phase == SHOWING and s.phase == ENDED:
        told.phase = ENDED
    if s.phase != told.phase:
        out.append(f'phase: "{PHASES[s.phase]}" given, here it is "{PHASES[told.phase]}"')
        return out
    for seat in range(SEATS):
        known = s.observer in (0, seat + 1) or is_shown(s)
        if seat >= s.dealt:
            if s.card[seat]:
                out.append(f"cards[{seat}]: given, but {s.dealt} cards are dealt")
        elif known and not s.card[seat]:
            out.append(f"cards[{seat}]: not given, but known to this observer")
        elif not known and s.card[seat]:
            out.append(f"cards[{seat}]: hidden from this observer")
        elif bit1(s.card[seat]) & ~b.cards:
            out.append(f"cards[{seat}]: this box has no {card_text(s.card[seat])}")
    if s.card[0] and s.card[0] == s.card[1]:
        out.append(f"{card_text(s.card[0])}: both A and B hold it")
    return out

# ---- Box and options --------------------------------------------------------
# Beside this very file: Python may take a folder of this name where it is started for the package.
BOXES = Path(__file__).parent / "data"
OPTIONS = {}

def read_box(data):
    """The data of a box, checked, as the bytes every function takes."""
    cdef Box b
    memset(&b, 0, sizeof(Box))
    for card in data["cards"]:
        if card not in CARD_NAMES or len(card) != 1:
            refuse(data, f"card {card!r}, takes {' '.join(CARD_NAMES)}")
        b.cards |= ONE << <int>CARD_NAMES.index(card)
    if count64(b.cards) != data["total"]:
        refuse(data, f"{count64(b.cards)} different cards listed, the box has {data['total']}")
    if count64(b.cards) < SEATS:
        refuse(data, f"{count64(b.cards)} cards do not serve {SEATS} players")
    for name in ("ante", "bet"):
        if not 1 <= data[name] <= 100:
            refuse(data, f"{name} is {data[name]}, takes 1 to 100")
    b.ante = data["ante"]
    b.bet = data["bet"]
    return bytes((<unsigned char*>&b)[:sizeof(Box)])

def refuse(data, what):
    """Names the file, since who wrote it must correct it."""
    raise BadSetup(f"kuhn_poker/data/{data['name']}.toml: {what}")

def players_of(bytes box):
    """The player counts a box is made for."""
    return [SEATS]

def read_options(options):
    """Options by name as bytes; there are none."""
    return b""

# ---- The table --------------------------------------------------------------
cdef GameTable TABLE
memset(&TABLE, 0, sizeof(GameTable))
TABLE.contract = CONTRACT
TABLE.table_bytes = sizeof(GameTable)
TABLE.box_bytes = sizeof(Box)
TABLE.options_bytes = 0
TABLE.state_bytes = sizeof(State)
TABLE.ctx_bytes = sizeof(Ctx)
TABLE.max_moves = RANKS             # chance moves count too
TABLE.max_plies = SEATS + LINE + 1  # the deal, the line, the REVEAL
TABLE.min_seats = SEATS
TABLE.max_seats = SEATS
TABLE.hidden = True
TABLE.public_worlds = True
TABLE.setup = setup
TABLE.actor = actor
TABLE.legal = legal
TABLE.apply = apply
TABLE.chances = chances
TABLE.draw = draw
TABLE.seen = seen
TABLE.observe = observe
TABLE.follow = follow
TABLE.prepare = prepare
TABLE.sample = sample
TABLE.outcome = outcome
TABLE.policy = policy
TABLE.hidden_ahead = hidden_ahead
TABLE.accepts = accepts
TABLE.n_worlds = n_worlds
TABLE.rewards = rewards

table = PyCapsule_New(&TABLE, "islebots.GameTable", NULL)
