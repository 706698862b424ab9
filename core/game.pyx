"""The Python face of the rules: games, states, views, worlds."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from islebots.core.contract cimport (CHANCE, CONTRACT, MAX_SEATS, NOTHING, OVER, PUBLIC, REVEAL,
                                     REVEAL_MOVE, GameTable, Move, Seen, TapeCard)
from islebots.core.rng cimport Rng, below, key_of, rng_init, uniform

from islebots.core.errors import BadSetup, BadText, IllegalMove, ImpossibleView

ACTORS = {CHANCE: "chance", REVEAL: "reveal", OVER: "over"}
cdef enum:
    TRIES = 50_000_000              # proposals before a view counts as impossible


cdef class Game:
    """A game with one box: the rules, from which states are made."""
    cdef const GameTable* table
    cdef readonly str name
    cdef readonly str box_name
    cdef readonly object rules      # the game's module: text, options, box
    cdef bytes box
    cdef const void* b

    def __init__(self, str name, rules, str box_name, bytes box):
        self.name = name
        self.rules = rules
        self.box_name = box_name
        self.table = <const GameTable*>PyCapsule_GetPointer(rules.table, "islebots.GameTable")
        if self.table.contract != CONTRACT:
            raise BadSetup(f"{name}: built for contract {self.table.contract}, this is {CONTRACT}")
        if len(box) != self.table.box_bytes:
            raise BadSetup(f"{name}: a box of {len(box)} bytes, takes {self.table.box_bytes}")
        self.box = box
        self.b = <const void*>PyBytes_AS_STRING(box)

    def __repr__(self):
        return f"islebots.load({self.name!r}, box={self.box_name!r})"

    @property
    def players(self):
        """The player counts this box is made for."""
        return self.rules.players_of(self.box)

    @property
    def options(self):
        """Options by name: (choices, default, what it is)."""
        return self.rules.OPTIONS

    @property
    def state_bytes(self):
        return self.table.state_bytes

    @property
    def view_bytes(self):
        return self.table.view_bytes

    @property
    def max_plies(self):
        return self.table.max_plies

    @property
    def max_moves(self):
        return self.table.max_moves

    def setup(self, players, **options):
        """The first state, before any chance move."""
        if players not in self.players:
            takes = ", ".join(map(str, self.players))
            raise BadSetup(f"players: {players!r} given, {self.name} takes {takes}")
        full = {name: default for name, (_, default, _) in self.options.items()}
        for name, value in options.items():
            if name not in full:
                raise BadSetup(f'option "{name}": unknown; known: {", ".join(full)}')
            choices = self.options[name][0]
            if value not in choices:
                raise BadSetup(f"{name}: {value!r} given, takes {', '.join(map(str, choices))}")
            full[name] = value
        cdef bytes opts = self.rules.read_options(full)
        cdef bytes data = PyBytes_FromStringAndSize(NULL, self.table.state_bytes)
        self.table.setup(self.b, <const void*>PyBytes_AS_STRING(opts), players,
                         <void*>PyBytes_AS_STRING(data))
        return State(self, data, players)

    def new(self, players, seed=0, **options):
        """A game dealt by the chance tape of a seed, up to the first decision."""
        return self.setup(players, **options).advance(Tape(seed))

    def text(self, move):
        """A move, or what is seen of one, as text."""
        return self.rules.move_text(move)

    def parse(self, str text, State state):
        """The move of a state that is written so; legal or a possible chance move."""
        words = " ".join(text.split())
        if words == "reveal" and state.actor == "reveal":
            return REVEAL_MOVE
        moves = state.possible()
        for move in moves:
            if self.text(move) == words:
                return move
        shown = ", ".join(f'"{self.text(m)}"' for m in moves[:12])
        raise IllegalMove(f'illegal move "{words}"; legal: {shown}'
                          + (f" and {len(moves) - 12} more" if len(moves) > 12 else ""))


cdef class Tape:
    """A fixed future: the same seed brings the same cards wherever the same deck stands alike."""
    cdef readonly uint64_t seed
    cdef uint64_t count

    def __init__(self, seed):
        if not isinstance(seed, int) or not 0 <= seed < 1 << 64:
            raise BadSetup(f"seed: {seed!r} given, takes 0 to 2**64 - 1")
        self.seed = seed
        self.count = 0

    cdef uint64_t hash_of(self, const TapeCard* card, uint32_t copy) noexcept nogil:
        return key_of(key_of(key_of(key_of(self.seed, card.deck), card.shuffle), card.kind), copy)

    # The k-th drawn of a kind has the k-th lowest hash of its copies.
    cdef uint64_t rank_of(self, const TapeCard* card) noexcept nogil:
        cdef uint64_t h, out = 0
        cdef uint32_t i, j, lower
        for i in range(card.copies):
            h = self.hash_of(card, i)
            lower = 0
            for j in range(card.copies):
                lower += self.hash_of(card, j) < h
            if lower == card.drawn:
                out = h
        return out

    def next(self, State state):
        """The chance move the tape holds for this state."""
        cdef const GameTable* t = state.game_.table
        cdef TapeCard card
        cdef Rng rng
        cdef uint64_t best = 0, rank
        moves = state.possible()
        if t.tape_card == NULL:
            rng_init(&rng, self.seed, self.count)
            self.count += 1
            return t.draw(state.game_.b, state.p, &rng)
        chosen = None
        for move in moves:
            memset(&card, 0, sizeof(TapeCard))
            t.tape_card(state.game_.b, state.p, move, &card)
            rank = self.rank_of(&card)
            if chosen is None or rank < best:
                chosen = move
                best = rank
        return chosen


cdef class State:
    """The truth of a game at one moment. Never changes: `apply` makes a new one."""
    cdef Game game_
    cdef bytes data
    cdef const void* p
    cdef readonly int players

    def __init__(self, Game game, bytes data, int players):
        if len(data) != game.table.state_bytes:
            raise BadText(f"state: {len(data)} bytes, takes {game.table.state_bytes}")
        self.game_ = game
        self.data = data
        self.p = <const void*>PyBytes_AS_STRING(data)
        self.players = players

    @property
    def game(self):
        return self.game_

    def __bytes__(self):
        return self.data

    def __eq__(self, other):
        return isinstance(other, State) and self.data == (<State>other).data

    def __hash__(self):
        return hash(self.data)

    def __str__(self):
        return self.game_.rules.state_text(self.data)

    def __reduce__(self):
        from islebots.core.registry import restore
        return restore, (State, self.game_.name, self.game_.box_name, self.data, self.players)

    cdef int who(self) noexcept:
        return self.game_.table.actor(self.game_.b, self.p)

    @property
    def actor(self):
        """A seat from 0, or "chance", "reveal", "over"."""
        cdef int who = self.who()
        return who if who >= 0 else ACTORS[who]

    @property
    def deciders(self):
        """The seats that may decide now."""
        cdef const GameTable* t = self.game_.table
        cdef uint32_t seats
        cdef int who = self.who()
        if who < 0:
            return []
        if t.deciders == NULL:
            return [who]
        seats = t.deciders(self.game_.b, self.p)
        return [i for i in range(MAX_SEATS) if seats >> i & 1]

    def legal(self, seat=None):
        """The legal moves of a seat (default: the actor), ascending; empty if it has none."""
        cdef Move* out
        cdef int n
        if seat is None:
            seat = self.who()
            if seat < 0:
                return []
        if seat not in self.deciders:
            return []
        out = <Move*>malloc(self.game_.table.max_moves * sizeof(Move))
        try:
            n = self.game_.table.legal(self.game_.b, self.p, seat, out)
            return [out[i] for i in range(n)]
        finally:
            free(out)

    def chances(self):
        """The chance moves of this state with their probabilities."""
        cdef Move* out
        cdef double* p
        cdef int n
        if self.who() != CHANCE:
            return []
        out = <Move*>malloc(self.game_.table.max_moves * sizeof(Move))
        p = <double*>malloc(self.game_.table.max_moves * sizeof(double))
        try:
            n = self.game_.table.chances(self.game_.b, self.p, out, p)
            return [(out[i], p[i]) for i in range(n)]
        finally:
            free(out)
            free(p)

    def possible(self):
        """Every move that can come next: of all deciders, or of chance."""
        if self.who() == CHANCE:
            return [m for m, _ in self.chances()]
        if self.who() == REVEAL:
            return [REVEAL_MOVE]
        return [m for seat in self.deciders for m in self.legal(seat)]

    def apply(self, move):
        """The state after a move, given as number or text."""
        if isinstance(move, str):
            move = self.game_.parse(move, self)
        elif move not in self.possible():
            raise IllegalMove(f"illegal move {move}")
        return self.apply_known(move)

    cpdef State apply_known(self, Move move):
        """As `apply`, for a move known to be possible."""
        cdef bytes data = PyBytes_FromStringAndSize(PyBytes_AS_STRING(self.data), len(self.data))
        self.game_.table.apply(self.game_.b, <void*>PyBytes_AS_STRING(data), move)
        return State(self.game_, data, self.players)

    def advance(self, Tape tape):
        """On through reveals and the tape's chance moves to the next decision."""
        cdef State s = self
        cdef int who = s.who()
        while who == CHANCE or who == REVEAL:
            s = s.apply_known(tape.next(s) if who == CHANCE else <Move>REVEAL_MOVE)
            who = s.who()
        return s

    def seen(self, Move move, observer):
        """What an observer (a seat, or "public") sees of a move made here; 0 = nothing."""
        return self.game_.table.seen(self.game_.b, self.p, move, observer_of(self, observer))

    def view(self, observer):
        """What a seat (or "public") knows."""
        cdef bytes data = PyBytes_FromStringAndSize(NULL, self.game_.table.view_bytes)
        cdef int who = observer_of(self, observer)
        self.game_.table.observe(self.game_.b, self.p, who, <void*>PyBytes_AS_STRING(data))
        return View(self.game_, data, self.players, observer)

    def outcome(self):
        """The returns by seat; only of a game that is over."""
        cdef double returns[MAX_SEATS]
        if self.who() != OVER:
            raise IllegalMove("outcome: the game is not over")
        self.game_.table.outcome(self.game_.b, self.p, returns)
        return [returns[i] for i in range(self.players)]


cdef int observer_of(State state, observer) except -2:
    if observer == "public":
        return PUBLIC
    if not isinstance(observer, int) or not 0 <= observer < state.players:
        raise BadText(f'seat: {observer!r} given, takes 0 to {state.players - 1} or "public"')
    return observer


cdef class View:
    """All that one seat (or the public) knows at one moment."""
    cdef Game game_
    cdef bytes data
    cdef const void* p
    cdef readonly int players
    cdef readonly object observer

    def __init__(self, Game game, bytes data, int players, observer):
        if len(data) != game.table.view_bytes:
            raise BadText(f"view: {len(data)} bytes, takes {game.table.view_bytes}")
        self.game_ = game
        self.data = data
        self.p = <const void*>PyBytes_AS_STRING(data)
        self.players = players
        self.observer = observer

    @property
    def game(self):
        return self.game_

    def __bytes__(self):
        return self.data

    def __eq__(self, other):
        return isinstance(other, View) and self.data == (<View>other).data

    def __hash__(self):
        return hash(self.data)

    def __str__(self):
        return self.game_.rules.state_text(self.data)

    def __reduce__(self):
        from islebots.core.registry import restore
        return restore, (View, self.game_.name, self.game_.box_name, self.data, self.players,
                         self.observer)

    def follow(self, Seen seen):
        """The view after something was seen."""
        cdef bytes data
        if seen == NOTHING:
            return self
        data = PyBytes_FromStringAndSize(PyBytes_AS_STRING(self.data), len(self.data))
        self.game_.table.follow(self.game_.b, <void*>PyBytes_AS_STRING(data), seen)
        return View(self.game_, data, self.players, self.observer)

    def worlds(self, int n, seed=0):
        """n states that fit the view, each drawn with its exact probability."""
        cdef const GameTable* t = self.game_.table
        cdef void* ctx = malloc(t.ctx_bytes)
        cdef Rng rng
        cdef bytes data
        cdef void* world
        cdef double w = 0
        cdef int why
        cdef long tries
        out = []
        rng_init(&rng, seed, 1)
        try:
            why = t.prepare(self.game_.b, self.p, ctx)
            if why:
                raise ImpossibleView(f"view: no world fits (reason {why})")
            for _ in range(n):
                data = PyBytes_FromStringAndSize(NULL, t.state_bytes)
                world = <void*>PyBytes_AS_STRING(data)
                w = 0
                tries = 0
                with nogil:
                    while tries < TRIES:
                        tries += 1
                        w = t.sample(self.game_.b, self.p, ctx, &rng, world)
                        if w > 0 and (w >= 1 or uniform(&rng) < w):
                            break
                        w = 0
                if w == 0:
                    raise ImpossibleView("view: no world found")
                out.append(State(self.game_, data, self.players))
        finally:
            free(ctx)
        return out

    def legal(self):
        """The moves the seat may choose from; they follow from its view."""
        return self.worlds(1)[0].legal(self.observer)


def play_random(Game game, int players, uint64_t seed, int games, **options):
    """Whole random games in C: (plies played, sum of the first seat's returns)."""
    cdef State first = game.setup(players, **options)
    cdef const GameTable* t = game.table
    cdef void* s = malloc(t.state_bytes)
    cdef Move* out = <Move*>malloc(t.max_moves * sizeof(Move))
    cdef Rng rng
    cdef long plies = 0
    cdef int who, g, n
    cdef double returns[MAX_SEATS]
    cdef double total = 0
    try:
        with nogil:
            for g in range(games):
                rng_init(&rng, seed, g)
                memcpy(s, first.p, t.state_bytes)
                who = t.actor(game.b, s)
                while who != OVER:
                    if who == CHANCE:
                        t.apply(game.b, s, t.draw(game.b, s, &rng))
                    elif who == REVEAL:
                        t.apply(game.b, s, REVEAL_MOVE)
                    elif t.random_legal != NULL:
                        t.apply(game.b, s, t.random_legal(game.b, s, who, &rng))
                    else:
                        n = t.legal(game.b, s, who, out)
                        t.apply(game.b, s, out[below(&rng, n)])
                    plies += 1
                    who = t.actor(game.b, s)
                t.outcome(game.b, s, returns)
                total += returns[0]
    finally:
        free(s)
        free(out)
    return plies, total
