# The Python face of the rules, as seen from C: for the search and other things that take views.
from libc.stdint cimport uint64_t

from islebots.core.contract cimport GameTable, Move

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
