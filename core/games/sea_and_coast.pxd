# Sea and Coast, 3 to 5 seats: tricks with half of each card covered.
# § = docs/rules/sea_and_coast.md, J = a ruling at its end.
# Not as at the table: the pass is one decision a seat, revealed at once (J1); where a rule leaves
# no choice nobody is asked.
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from islebots.core.contract cimport Move, Seen, TapeCard
from islebots.core.rng cimport Rng

cdef enum:                  # §1 The box: room for it; the counts are data
    SEATS = 5
    COLOURS = 4             # R B G P; action card and deck of a colour: colour >> 1
    NUMBERS = 12            # card = 12 * colour + number - 1
    TRICKS = 12
    DECKS = 2
    LOOKS = 3               # cards looked at by action 3
    KINDS = 32              # treasure kind = 8 * colour + points; 0 = no treasure
    MOVES = 320             # no list of moves is longer

cdef enum Action:           # §1.3
    BONUS = 1, EXCHANGE, PEEK, FETCH

cdef enum Phase:            # in the order of a round; who acts stands in `turn`
    FIRSTING, TURNING, DEALING, PASSING, PLAYING, UNCOVERING, CLAIMING, ROBBING
    SWAPPING, DRAWING, GIVING, LOOKING, SEEING, ORDERING, RETRIEVING, DISCARDING, ENDED

cdef enum Type:             # of a move, in bits 27 to 31; the seat in 24 to 26; below, what it says
    FIRST = 1, TURN, DEAL, PASS, PLAY, TAKE, STEAL, ROB, SWAP, DRAW, GIVE, LOOK, SEE, ORDER
    RETRIEVE, DISCARD
    HANDED, UNCOVERED       # what is seen of the two REVEALs

cdef enum Half:             # the half everybody sees
    SEA = 1, COAST          # colour, number

cdef struct Box:
    uint64_t islands        # the set of island cards
    uint8_t numbers, cap, bonus
    uint8_t hand[SEATS + 1]                     # by seats; 0 = not for so many
    uint8_t decks[SEATS + 1]
    uint8_t count[SEATS + 1][KINDS]             # treasures by seats and kind

cdef struct Options:
    uint8_t rounds
    uint8_t action[2][2]    # by round and action card

cdef struct Trick:          # the log of one trick. Cards + 1, seats + 1; 0 = none, or not known
    uint8_t card[SEATS]     # laid, from the uncovering on
    uint8_t turned[DECKS]   # kind turned up at the end of the trick
    uint8_t thief, victim   # a swap, with the cards drawn and given back, each pair ascending
    uint8_t taken[2]
    uint8_t given[2]
    uint8_t looker, deck    # a look; deck from 0
    uint8_t saw[LOOKS]      # the top cards as found, topmost first
    uint8_t put[LOOKS]      # and as put back
    uint8_t fetcher, fetched, dropped

# The truth, or with `observer` set a view: then what that seat does not know is 0.
# Zeroed at birth, copied whole: == and hash go over bytes.
cdef struct State:
    uint64_t hand[SEATS]    # hidden: a set of cards as bits
    int16_t score[SEATS]    # of the rounds that are over
    uint8_t observer        # 0 = the truth, seat + 1, or SEATS + 1 = PUBLIC
    uint8_t seats, rounds
    uint8_t action[2][2]
    uint8_t round, trick, phase, first
    uint8_t turn            # the seat whose decision or event it is (not in PASSING: all)
    uint8_t claims, acts    # seats that still claim a treasure or carry out an action, as bits
    uint8_t target, count   # of a running action: victim or deck; cards drawn or seen so far
    uint8_t supply
    uint8_t bonus[SEATS]
    uint8_t hand_size[SEATS]
    uint8_t given[SEATS]    # hidden: card + 1 passed, from the choice on
    uint8_t card[SEATS]     # hidden until uncovered: card + 1 laid in this trick
    uint8_t half[SEATS]     # SEA or COAST; 0 = not laid yet
    uint8_t face[SEATS]     # colour + 1 or number, as shown
    uint8_t laid[SEATS]     # bonus with it
    uint8_t left[KINDS]     # treasures still face down, by kind, both decks
    uint8_t top[DECKS]      # kind turned up, 0 = none
    uint8_t n_placed[DECKS]         # top cards somebody has looked at
    uint8_t placed[DECKS][LOOKS]    # hidden: which, topmost first
    uint8_t known[DECKS][LOOKS]     # seats that know that very card, as bits; in a view its own bit
    uint8_t n_pile[SEATS]
    uint8_t pile[SEATS][TRICKS]
    Trick log[TRICKS]

cdef enum:                  # room of the sampler
    EVENTS = 2 * TRICKS     # looks and turns of one deck in a round
    ORDERS = 6              # of LOOKS cards
    AROUNDS = 64            # ways the three top slots can be known: 34 at most
    GUESSES = TRICKS + 2    # what a pass may have been: a known card + 1, or one of
    HIDDEN = 0              # still among the unseen cards
    COVERED = 63            # the same, and it is the card its receiver has laid covered
    LOWER = 3               # of the lower cards a pass needs, so many are drawn before the deal

cdef struct Deck:           # the past of one deck, for the sampler
    uint8_t n_events
    uint8_t turned[EVENTS]  # kind turned up, or 0: a look
    uint8_t trick[EVENTS]   # of a look
    uint8_t n_around[EVENTS + 1]
    uint16_t around[EVENTS + 1][AROUNDS]    # before each event and after the last
    double odds[EVENTS + 1][AROUNDS]        # of what the seat saw from there on

cdef enum:                  # cards followed through swaps nobody of us saw
    TRACKS = 20             # at 3 bits each in a key
    ROUTES = 1 << 14        # room of the table, a power of 2

cdef struct Route:          # places of the followed cards: seat + 1 in 3 bits each, 0 = none
    uint64_t key            # with the number of swaps before in the top 4 bits
    double ways             # pasts that lead there; 0 = no entry

cdef struct Ctx:            # what the sampler works out once for a view
    uint64_t unseen         # cards whose place is not known
    uint64_t sure[SEATS]    # cards certainly in a hand (before a covered play)
    uint64_t start[SEATS]   # cards certainly in it right after the pass
    uint8_t need[SEATS]     # cards missing in that hand
    # Passes. Each seat has a list of options (one if this observer saw its pass); its factor
    # belongs to its own and the next seat's option, so that they form a ring.
    uint8_t option[SEATS][GUESSES]
    uint8_t n_option[SEATS]
    double factor[SEATS][GUESSES][GUESSES]
    double ahead[GUESSES][SEATS][GUESSES]   # sums from a seat on, by the option of the ring's first
    uint64_t covered[SEATS]     # unseen cards one of which is laid covered: drawn before the deal
    uint64_t may[SEATS][GUESSES]    # unseen cards a hidden pass may be, by the next seat's option
    # Cards drawn before the deal for a pass, by its and the next seat's option; at most so many for
    # the seats before; at most so many of a colour, and out of which.
    uint8_t early[SEATS][GUESSES][GUESSES]
    uint8_t sooner[SEATS]
    uint8_t n_early[SEATS][COLOURS]
    uint64_t drawn[SEATS]
    uint8_t lead            # is dealt to first, without the cards its pass rules out; odds:
    double avoids[GUESSES][GUESSES]
    uint8_t open_swaps      # swaps this observer saw neither side of
    uint8_t swap_at[TRICKS]         # their tricks
    uint8_t n_tracks
    uint8_t track[TRACKS]           # cards known before such a swap and again after it (or unseen)
    # Between two such swaps, all in keys: which tracks are known there, how they come out of the
    # earlier swap (0: followed from here on), how they go into the later one (0: no longer).
    uint64_t stop[TRICKS + 1]
    uint64_t come[TRICKS + 1]
    uint64_t leave[TRICKS + 1]
    uint8_t reach[TRACKS][TRICKS + 1]       # seats a track can come out in, as bits
    double most_passes[SEATS]       # bound of what a seat may have passed, unseen; see `unpass`
    uint32_t n_routes
    uint32_t first_route[TRICKS + 2]        # by the number of swaps before
    uint32_t route_mask
    uint8_t passed          # are the cards handed over?
    Deck deck[DECKS]
    # Large and mostly untouched: not zeroed.
    uint16_t listed[ROUTES]         # table places in the order they were found
    double ending[ROUTES]           # cumulated weight of where the tracks can be today
    Route route[ROUTES]
