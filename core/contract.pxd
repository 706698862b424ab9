# The contract between rules and everything above them: one table of C functions a game.
#
# A game fills a GameTable and registers it (core/game.pyx). States, views and contexts are plain
# bytes of the sizes the table states; every function takes the Box, the data of the edition, first.
# A view has the layout of a state, with blanks for what is not known: what `state` is called below
# may also be the view of the seat in question in actor, deciders, legal, is_legal, random_legal,
# candidates and policy, and the answer is the same.
# Required fields come first; a field after "may be NULL" has the default that stands beside it.
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from islebots.core.rng cimport Rng

ctypedef uint32_t Move              # one decision or chance event; carries its seat; never 0
ctypedef uint64_t Seen              # what an observer sees of a move; NOTHING = nothing at all

cdef enum:
    CONTRACT = 1                    # version of this table: a game built against another is refused
    MAX_SEATS = 8

cdef enum:                          # actor: a seat from 0, or one of these
    CHANCE = -1                     # a chance move comes next
    REVEAL = -2                     # one outcome (REVEAL_MOVE), a `seen` for each observer
    OVER = -3

cdef enum:
    PUBLIC = -1                     # an observer that sees what every seat sees
    NOTHING = 0
    UNLISTED = -1                   # what `legal` returns where moves are too many to list

cdef extern from *:
    """
    #define ISLEBOTS_REVEAL_MOVE UINT32_C(0xFFFFFFFF)
    """
    const Move REVEAL_MOVE "ISLEBOTS_REVEAL_MOVE"   # what `apply` and `seen` take at a REVEAL

# The layout of a move, and of the low half of a `seen`: type 1 to 30 in bits 27 to 31, seat in bits
# 24 to 26 (of a chance move: whom it concerns, else 0), the game's own below.
cdef inline Move move_of(int type_, int seat, uint32_t rest) noexcept nogil:
    return (<uint32_t>type_ << 27) | (<uint32_t>seat << 24) | rest

cdef inline int type_of(uint64_t m) noexcept nogil:
    return <int>((m >> 27) & 31)

cdef inline int seat_of(uint64_t m) noexcept nogil:
    return <int>((m >> 24) & 7)

cdef struct TapeCard:               # names the physical card behind a chance move, for the tape
    uint32_t deck                   # which deck, or which kind of event
    uint32_t shuffle                # how often it was shuffled; for an event its running number
    uint32_t kind                   # which card; look-alike copies share it
    uint32_t drawn                  # copies of the kind drawn since that shuffle
    uint32_t copies                 # copies of the kind in it at that shuffle

cdef struct GameTable:
    uint32_t contract               # = CONTRACT
    uint32_t table_bytes            # = sizeof(GameTable): later versions only add at its end
    uint32_t box_bytes, options_bytes, state_bytes, ctx_bytes
    uint32_t max_moves              # no list of legal moves, candidates or chances is longer
    uint32_t max_plies              # no game is longer, chance and REVEAL included
    int min_seats, max_seats
    bint hidden                     # is anything ever hidden from a seat?
    bint public_worlds              # does `sample` take a view of PUBLIC?

    # The first state, before any chance move.
    void (*setup)(const void* box, const void* options, int seats, void* state) noexcept nogil
    # A seat (the lowest that still has to decide), CHANCE, REVEAL or OVER.
    int (*actor)(const void* box, const void* state) noexcept nogil
    # Legal moves of a seat that may decide now, ascending; their number. UNLISTED where they are
    # too many: a game that says so must have is_legal, random_legal and candidates.
    int (*legal)(const void* box, const void* state, int seat, Move* out) noexcept nogil
    # Pure: no randomness, no clock. The move is legal (or a chance move, or REVEAL_MOVE).
    void (*apply)(const void* box, void* state, Move move) noexcept nogil
    # At CHANCE: every outcome, ascending, with its probability; their number. And one drawn.
    int (*chances)(const void* box, const void* state, Move* out, double* p) noexcept nogil
    Move (*draw)(const void* box, const void* state, Rng* rng) noexcept nogil
    # What an observer (seat or PUBLIC) sees of a move made in this state.
    Seen (*seen)(const void* box, const void* state, Move move, int observer) noexcept nogil
    void (*observe)(const void* box, const void* state, int observer, void* view) noexcept nogil
    # follow(observe(s), seen(s, m)) == observe(apply(s, m)), byte for byte. Not called for NOTHING.
    void (*follow)(const void* box, void* view, Seen seen) noexcept nogil
    # Once a search: what `sample` needs. 0, or the game's number for why no world fits.
    int (*prepare)(const void* box, const void* view, void* ctx) noexcept nogil
    # One proposed world and the probability (0 to 1) with which the caller must accept it. That
    # weighs whole worlds: a law that fixes the odds of a part must repeat the rest inside.
    double (*sample)(const void* box, const void* view, const void* ctx, Rng* rng,
                     void* state) noexcept nogil
    # At OVER: official returns by seat; the game's number for the reason.
    int (*outcome)(const void* box, const void* state, double* returns) noexcept nogil

    # ---- may be NULL --------------------------------------------------------------------------
    # Bit set of the seats that may decide now. NULL: the actor alone.
    uint32_t (*deciders)(const void* box, const void* state) noexcept nogil
    # NULL: looked up in `legal`; drawn from `legal`.
    bint (*is_legal)(const void* box, const void* state, Move move) noexcept nogil
    Move (*random_legal)(const void* box, const void* state, int seat, Rng* rng) noexcept nogil
    # The few moves a bot should weigh, the most promising first: a prefix is a sensible shorter
    # list. Depends on the mover's view alone. NULL: `legal`.
    int (*candidates)(const void* box, const void* state, int seat, Move* out) noexcept nogil
    # The rule player; reads only what the seat may know. NULL: random.
    Move (*policy)(const void* box, const void* state, int seat, Rng* rng) noexcept nogil
    # Picks and applies one random ply, chance and REVEAL too; the next actor. NULL: by the others.
    int (*step)(const void* box, void* state, Rng* rng) noexcept nogil
    # At a natural cut (the end of a trick, of a round), which the public part tells: True, and the
    # rewards to expect from here unless `rewards` is NULL. NULL: playouts go to the end.
    bint (*evaluate)(const void* box, const void* state, double* rewards) noexcept nogil
    # Can a move or draw that another observer does not see in full still come before so many
    # natural cuts (0: before the end)? NULL: `hidden` of this table.
    bint (*hidden_ahead)(const void* box, const void* view, int cuts) noexcept nogil
    # Could this be seen next, as far as the view tells? Reads seats' records. NULL: asks worlds.
    bint (*accepts)(const void* box, const void* view, Seen seen) noexcept nogil
    # How many worlds fit (of what, the game's page says), where that is counted. NULL: not known.
    double (*n_worlds)(const void* box, const void* view, const void* ctx) noexcept nogil
    # Rewards in [0, 1] by seat at OVER. NULL: win shares from `outcome`.
    void (*rewards)(const void* box, const void* state, double* rewards) noexcept nogil
    # The card behind a chance move. NULL: the tape counts chance moves.
    void (*tape_card)(const void* box, const void* state, Move move, TapeCard* card) noexcept nogil
