"""Flat Monte Carlo: random playouts from sampled worlds, no tree. A control arm for every bot."""
from libc.math cimport sqrt
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from islebots.core.contract cimport MAX_SEATS, OVER, GameTable, Move
from islebots.core.game cimport View, draw_world, play_ply, rewards_of
from islebots.core.rng cimport Rng, key_of, rng_init

from islebots.core.errors import BadSetup, IllegalMove, ImpossibleView

REWARDS = ("win", "margin")         # the share of the win; points ahead of the best other seat
cdef enum:
    STREAM_WORLDS = 1               # streams of a seed, so that uses of one seed do not meet
    STREAM_PLAY = 2


# Random play to the end of the game.
cdef void play_out(const GameTable* t, const void* box, void* s, Rng* rng,
                   Move* buffer) noexcept nogil:
    cdef int who = t.actor(box, s)
    while who != OVER:
        who = play_ply(t, box, s, who, rng, buffer)


# What a finished game is worth to a seat.
cdef double worth(const GameTable* t, const void* box, const void* s, int seats, int seat,
                  bint margin) noexcept nogil:
    cdef double r[MAX_SEATS]
    cdef double best = 0
    cdef int i
    cdef bint any_ = False
    if not margin:
        rewards_of(t, box, s, seats, r)
        return r[seat]
    t.outcome(box, s, r)
    for i in range(seats):
        if i != seat and (not any_ or r[i] > best):
            best = r[i]
            any_ = True
    return r[seat] - best


def values(View view, int playouts_per_move=100, uint64_t seed=0, str reward="win"):
    """Every candidate move of a view: (move, mean reward of its playouts, standard error).

    Playout k of every move starts in the same world with the same random numbers, so that moves
    are compared and not worlds. A single move is not played out.
    """
    cdef const GameTable* t = view.game_.table
    cdef const void* box = view.game_.b
    cdef int seats = view.players, seat, n, i, k
    cdef bint found = True, margin = reward == "margin"
    cdef Rng rng, play
    cdef void* ctx
    cdef void* world
    cdef void* s
    cdef Move* move
    cdef Move* buffer
    cdef double* total
    cdef double* square
    cdef double x
    if reward not in REWARDS:
        raise BadSetup(f"reward: {reward!r} given, takes {', '.join(REWARDS)}")
    if playouts_per_move < 1:
        raise BadSetup(f"playouts_per_move: {playouts_per_move} given, takes 1 or more")
    if not isinstance(view.observer, int):
        raise IllegalMove(f"view: {view.observer!r} has no moves")
    moves = view.candidates(view.observer)
    if len(moves) == 1:
        return [(moves[0], 0.0, 0.0)]
    seat = view.observer
    n = len(moves)
    ctx = malloc(t.ctx_bytes)
    world = malloc(t.state_bytes)
    s = malloc(t.state_bytes)
    buffer = <Move*>malloc(t.max_moves * sizeof(Move))
    move = <Move*>malloc(n * sizeof(Move))
    total = <double*>calloc(n, sizeof(double))
    square = <double*>calloc(n, sizeof(double))
    rng_init(&rng, seed, STREAM_WORLDS)
    try:
        for i in range(n):
            move[i] = moves[i]
        if t.prepare(box, view.p, ctx):
            raise ImpossibleView("view: no world fits")
        with nogil:
            for k in range(playouts_per_move):
                found = draw_world(t, box, view.p, ctx, &rng, world)
                if not found:
                    break
                for i in range(n):
                    memcpy(s, world, t.state_bytes)
                    rng_init(&play, key_of(seed, k), STREAM_PLAY)
                    t.apply(box, s, move[i])
                    play_out(t, box, s, &play, buffer)
                    x = worth(t, box, s, seats, seat, margin)
                    total[i] += x
                    square[i] += x * x
        if not found:
            raise ImpossibleView("view: no world found")
        result = []
        for i in range(n):
            x = total[i] / playouts_per_move
            result.append((move[i], x, sqrt(max(square[i] / playouts_per_move - x * x, 0.0)
                                            / playouts_per_move)))
        return result
    finally:
        free(ctx)
        free(world)
        free(s)
        free(buffer)
        free(move)
        free(total)
        free(square)


def choose(View view, int playouts_per_move=100, uint64_t seed=0, str reward="win"):
    """The move with the best mean reward; of equal ones the first."""
    moves = values(view, playouts_per_move, seed, reward)
    return max(moves, key=lambda m: m[1])[0]
