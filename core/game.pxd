# The Python face of the rules, as seen from C: for the search and other things that take views.
from libc.stdint cimport uint64_t

from islebots.core.contract cimport GameTable, Move
from islebots.core.rng cimport Rng

cdef class Game:
    cdef GameTable own              # the game's table, with NULL for what it does not know
    cdef const GameTable* table
    cdef const void* b              # the box
    cdef bytes box
    cdef readonly str name
    cdef readonly str box_name
    cdef readonly object rules      # the game's module: text, fields, options, box

cdef class Position:                # what a state and a view share
    cdef Game game_
    cdef bytes data
    cdef const void* p
    cdef readonly int players
    cdef int who(self) noexcept
    cdef list _listed(self, int (*list_moves)(const void*, const void*, int, Move*) noexcept nogil,
                      int seat)

cdef class State(Position):
    cpdef State apply_known(self, Move move)

cdef class View(Position):
    cdef readonly object observer   # a seat, or "public"

cdef class Tape:
    cdef readonly uint64_t seed
    cdef uint64_t count

# One world, drawn with its exact probability; False if none was found.
cdef bint draw_world(const GameTable* t, const void* box, const void* view, const void* ctx,
                     Rng* rng, void* world) noexcept nogil
# One random ply; `buffer` has room for max_moves. The next actor.
cdef int play_ply(const GameTable* t, const void* box, void* s, int who, Rng* rng,
                  Move* buffer) noexcept nogil
# Rewards at OVER: the game's own, or the share of the win by official returns.
cdef void rewards_of(const GameTable* t, const void* box, const void* s, int seats,
                     double* rewards) noexcept nogil
