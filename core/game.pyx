"""The Python face of the rules: games, states, views, worlds."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from islebots.core.contract cimport (CHANCE, CONTRACT, MAX_SEATS, NOTHING, OVER, PUBLIC, REVEAL,
                                     REVEAL_MOVE, UNLISTED, GameTable, Move, Seen, TapeCard,
                                     seat_of)
from islebots.core.rng cimport Rng, below, key_of, rng_init, uniform

import json

from islebots.core.errors import BadSetup, BadText, IllegalMove, ImpossibleView

ACTORS = {CHANCE: "chance", REVEAL: "reveal", OVER: "over"}
cdef enum:
    TRIES = 10_000_000              # proposals before a view counts as impossible
    STREAM_WORLDS = 1               # streams of a seed, so that uses of one seed do not meet
    STREAM_CHOICE = 2

cdef uint64_t seed_of(seed) except? 0:
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 1 << 64:
        raise BadSetup(f"seed: {seed!r} given, takes 0 to 2**64 - 1")
    return seed


# ---- Game -------------------------------------------------------------------
cdef class Game:
    """A game with one box: the rules, from which states are made."""

    def __init__(self, str name, rules, str box_name, bytes box):
        cdef const GameTable* given
        self.name = name
        self.rules = rules
        self.box_name = box_name
        given = <const GameTable*>PyCapsule_GetPointer(rules.table, "islebots.GameTable")
        if given.contract != CONTRACT or given.table_bytes > sizeof(GameTable):
            raise BadSetup(f"{name}: built for contract {given.contract} with {given.table_bytes} "
                           f"bytes, this is {CONTRACT} with {sizeof(GameTable)}: build it anew")
        memset(&self.own, 0, sizeof(GameTable))
        memcpy(&self.own, given, given.table_bytes)
        self.table = &self.own
        if len(box) != self.table.box_bytes:
            raise BadSetup(f"{name}: a box of {len(box)} bytes, takes {self.table.box_bytes}")
        self.box = box
        self.b = <const void*>PyBytes_AS_STRING(box)

    def __repr__(self):
        return f"islebots.load({self.name!r}, box={self.box_name!r})"

    def __reduce__(self):
        from islebots.core.registry import load
        return load, (self.name, self.box_name)

    @property
    def players(self):
        """The player counts this box is made for."""
        return self.rules.players_of(self.box)

    @property
    def options(self):
        """Options by name: (choices, default, what it is)."""
        return self.rules.OPTIONS

    @property
    def hidden(self):
        """Is anything ever hidden from a seat?"""
        return bool(self.table.hidden)

    @property
    def public_worlds(self):
        """Can the worlds of a public view be sampled?"""
        return bool(self.table.public_worlds)

    @property
    def state_bytes(self):
        """Size of a state, and of a view."""
        return self.table.state_bytes

    @property
    def max_plies(self):
        """No game is longer, chance and reveals included."""
        return self.table.max_plies

    @property
    def max_moves(self):
        """No seat ever has more legal moves, no chance event more outcomes."""
        return self.table.max_moves

    def setup(self, players, **options):
        """The first state, before any chance move."""
        if not isinstance(players, int) or players not in self.players:
            takes = ", ".join(map(str, self.players))
            raise BadSetup(f"players: {players!r} given, {self.name} takes {takes}")
        full = {name: default for name, (_, default, _) in self.options.items()}
        for name, value in options.items():
            if name not in full:
                raise BadSetup(f'option "{name}": unknown; known: {", ".join(full) or "none"}')
            choices = self.options[name][0]
            if not any(type(value) is type(choice) and value == choice for choice in choices):
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

    def state(self, fields):
        """The state that plain fields describe."""
        cdef bytes data = self.rules.read_fields(self.box, fields)
        if fields.get("observer") is not None:
            raise BadText(f"observer: {fields['observer']!r} given, a state has none")
        state = State(self, data, fields["players"])
        wrong = state.faults()
        if wrong:
            raise BadSetup("state: " + "; ".join(wrong))
        return state

    def view(self, fields):
        """The view that plain fields describe; ImpossibleView if no world fits."""
        cdef bytes data = self.rules.read_fields(self.box, fields)
        observer = fields.get("observer")
        if observer is None:
            raise BadText("observer: null given, a view takes a seat or \"public\"")
        if observer != "public":
            observer = "ABCDEFGH".index(observer)
        view = View(self, data, fields["players"], observer)
        wrong = view.faults()
        if wrong:
            raise ImpossibleView("view: " + "; ".join(wrong))
        world = view.worlds(1)[0]
        wrong = world.faults()
        if wrong:                           # of the world, not for the observer's eyes
            raise ImpossibleView("view: no world fits")
        return view

    def text(self, code):
        """A move, or what is seen of one, as text."""
        return self.rules.move_text(code)

    def read(self, str text):
        """The code of a move, or of what is seen of one; BadText if it is not notation."""
        return self.rules.read_text(text)

    def parse(self, str text, Position position):
        """The move of a state (or of a view's seat) that is written so."""
        move = self.read(text)
        moves = position.possible()
        if move in moves:
            return move
        raise IllegalMove(f'illegal move "{" ".join(text.split())}"; {legal_text(self, moves)}')


def legal_text(Game game, moves):
    """What would have been legal, cut to a readable length."""
    if not moves:
        return "nothing is to be decided here"
    shown = ", ".join(f'"{game.text(m)}"' for m in moves[:12])
    return f"legal: {shown}" + (f" and {len(moves) - 12} more" if len(moves) > 12 else "")


# ---- What a state and a view share ------------------------------------------
cdef class Position:
    """A state or a view: plain bytes that never change."""

    @property
    def game(self):
        """The game it belongs to."""
        return self.game_

    def __bytes__(self):
        return self.data

    def __eq__(self, other):
        return (type(self) is type(other) and self.data == (<Position>other).data
                and self.game_.name == (<Position>other).game_.name
                and self.game_.box_name == (<Position>other).game_.box_name)

    def __hash__(self):
        return hash(self.data)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __str__(self):
        return self.game_.rules.state_text(self.game_.box, self.data)

    def fields(self):
        """As plain values, as in docs/games/."""
        return self.game_.rules.fields(self.game_.box, self.data)

    def faults(self):
        """What contradicts itself in it, as sentences; empty if nothing does."""
        return self.game_.rules.faults(self.game_.box, self.data)

    def to_json(self):
        """As JSON; `from_json` reads it back."""
        kind = "state" if isinstance(self, State) else "view"
        return json.dumps({"game": self.game_.name, "box": self.game_.box_name,
                           kind: self.fields()})

    cdef int who(self) noexcept:
        return self.game_.table.actor(self.game_.b, self.p)

    @property
    def actor(self):
        """A seat from 0, or "chance", "reveal", "over". While several decide, the lowest of them,
        as far as this observer knows."""
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

    def _seat(self, seat):
        """A seat that decides now; the actor for None."""
        if seat is None:
            seat = self.who()
        if seat not in self.deciders:
            raise IllegalMove(f"seat {seat}: has nothing to decide now; "
                              f"{', '.join(map(str, self.deciders)) or 'nobody'} has")
        return seat

    def legal(self, seat=None):
        """The legal moves of a seat (default: the actor), ascending; empty if it has none."""
        if seat is None:
            seat = self.who()
        if seat not in self.deciders:
            return []
        return self._listed(self.game_.table.legal, seat)

    def candidates(self, seat=None):
        """The few moves a bot should weigh, out of the legal ones."""
        seat = self._seat(seat)
        if self.game_.table.candidates == NULL:
            return self.legal(seat)
        return self._listed(self.game_.table.candidates, seat)

    cdef list _listed(self, int (*list_moves)(const void*, const void*, int, Move*) noexcept nogil,
                      int seat):
        cdef Move* out = <Move*>malloc(self.game_.table.max_moves * sizeof(Move))
        cdef int i, n
        try:
            n = list_moves(self.game_.b, self.p, seat, out)
            if n == UNLISTED:
                raise IllegalMove("legal: too many moves to list here; ask is_legal or candidates")
            return [out[i] for i in range(n)]
        finally:
            free(out)

    def is_legal(self, Move move):
        """May one of the deciders make this move now?"""
        cdef const GameTable* t = self.game_.table
        if self.who() < 0:
            return False
        if t.is_legal != NULL:
            return bool(t.is_legal(self.game_.b, self.p, move))
        return seat_of(move) in self.deciders and move in self.legal(seat_of(move))

    def random_legal(self, seat=None, seed=0):
        """A uniformly drawn legal move of a seat."""
        cdef Rng rng
        seat = self._seat(seat)
        rng_init(&rng, seed_of(seed), STREAM_CHOICE)
        if self.game_.table.random_legal != NULL:
            return self.game_.table.random_legal(self.game_.b, self.p, seat, &rng)
        moves = self.legal(seat)
        return moves[below(&rng, <uint32_t>len(moves))]

    def policy(self, seat=None, seed=0):
        """What the rule player does at this seat; random in a game without one."""
        cdef Rng rng
        seat = self._seat(seat)
        if self.game_.table.policy == NULL:
            return self.random_legal(seat, seed)
        rng_init(&rng, seed_of(seed), STREAM_CHOICE)
        return self.game_.table.policy(self.game_.b, self.p, seat, &rng)


# ---- State ------------------------------------------------------------------
cdef class State(Position):
    """The truth of a game at one moment. Never changes: `apply` makes a new one."""

    def __init__(self, Game game, bytes data, int players):
        if len(data) != game.table.state_bytes:
            raise BadText(f"state: {len(data)} bytes, takes {game.table.state_bytes}")
        self.game_ = game
        self.data = data
        self.p = <const void*>PyBytes_AS_STRING(data)
        self.players = players

    def __repr__(self):
        return f"<State of {self.game_.name}, {self.players} players, actor {self.actor}>"

    def __reduce__(self):
        from islebots.core.registry import restore
        return restore, (State, self.game_.name, self.game_.box_name, self.data, self.players)

    def chances(self):
        """The chance moves of this state with their probabilities."""
        cdef Move* out
        cdef double* p
        cdef int i, n
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

    def draw(self, seed=0):
        """A chance move drawn with its probability."""
        cdef Rng rng
        if self.who() != CHANCE:
            raise IllegalMove(f"draw: no chance move comes next, but {self.actor}")
        rng_init(&rng, seed_of(seed), STREAM_CHOICE)
        return self.game_.table.draw(self.game_.b, self.p, &rng)

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
        elif not isinstance(move, int) or not 0 <= move <= 0xFFFFFFFF or not self._fits(move):
            raise IllegalMove(f"illegal move {move!r}; {legal_text(self.game_, self.possible())}")
        return self.apply_known(move)

    def _fits(self, move):
        return self.is_legal(move) if self.who() >= 0 else move in self.possible()

    cpdef State apply_known(self, Move move):
        """As `apply`, for a move known to be possible."""
        cdef bytes data = PyBytes_FromStringAndSize(PyBytes_AS_STRING(self.data), len(self.data))
        self.game_.table.apply(self.game_.b, <void*>PyBytes_AS_STRING(data), move)
        return State(self.game_, data, self.players)

    def step(self, seed=0):
        """The state after one random ply."""
        cdef Rng rng
        cdef bytes data = PyBytes_FromStringAndSize(PyBytes_AS_STRING(self.data), len(self.data))
        if self.who() == OVER:
            raise IllegalMove("step: the game is over")
        rng_init(&rng, seed_of(seed), STREAM_CHOICE)
        buffer = <Move*>malloc(self.game_.table.max_moves * sizeof(Move))
        play_ply(self.game_.table, self.game_.b, <void*>PyBytes_AS_STRING(data), self.who(), &rng,
                 buffer)
        free(buffer)
        return State(self.game_, data, self.players)

    def advance(self, Tape tape):
        """On through reveals and the tape's chance moves to the next decision."""
        cdef State s = self
        cdef int who = s.who()
        while who == CHANCE or who == REVEAL:
            s = s.apply_known(tape.next(s) if who == CHANCE else REVEAL_MOVE)
            who = s.who()
        return s

    def seen(self, Move move, observer):
        """What an observer (a seat, or "public") sees of a move made here; 0 = nothing."""
        return self.game_.table.seen(self.game_.b, self.p, move, observer_of(self, observer))

    def view(self, observer):
        """What a seat (or "public") knows."""
        cdef bytes data = PyBytes_FromStringAndSize(NULL, self.game_.table.state_bytes)
        cdef int who = observer_of(self, observer)
        self.game_.table.observe(self.game_.b, self.p, who, <void*>PyBytes_AS_STRING(data))
        return View(self.game_, data, self.players, observer)

    def outcome(self):
        """The returns by seat; only of a game that is over."""
        cdef double returns[MAX_SEATS]
        cdef int i
        self._must_be_over("outcome")
        self.game_.table.outcome(self.game_.b, self.p, returns)
        return [returns[i] for i in range(self.players)]

    def rewards(self):
        """What the outcome is worth by seat, from 0 to 1: by default the share of the win."""
        cdef double rewards[MAX_SEATS]
        cdef int i
        self._must_be_over("rewards")
        rewards_of(self.game_.table, self.game_.b, self.p, self.players, rewards)
        return [rewards[i] for i in range(self.players)]

    def evaluate(self):
        """The rewards to expect at a natural cut of the game; None elsewhere."""
        cdef double rewards[MAX_SEATS]
        cdef int i
        if (self.game_.table.evaluate == NULL
                or not self.game_.table.evaluate(self.game_.b, self.p, rewards)):
            return None
        return [rewards[i] for i in range(self.players)]

    def _must_be_over(self, what):
        if self.who() != OVER:
            raise IllegalMove(f"{what}: the game is not over")


cdef int observer_of(State state, observer) except -2:
    if isinstance(observer, str) and observer == "public":
        return PUBLIC
    if (not isinstance(observer, int) or isinstance(observer, bool)
            or not 0 <= observer < state.players):
        raise BadText(f'seat: {observer!r} given, takes 0 to {state.players - 1} or "public"')
    return observer


# ---- View -------------------------------------------------------------------
cdef class View(Position):
    """All that one seat (or the public) knows at one moment."""

    def __init__(self, Game game, bytes data, int players, observer):
        if len(data) != game.table.state_bytes:
            raise BadText(f"view: {len(data)} bytes, takes {game.table.state_bytes}")
        self.game_ = game
        self.data = data
        self.p = <const void*>PyBytes_AS_STRING(data)
        self.players = players
        self.observer = observer

    def __repr__(self):
        return f"<View of {self.game_.name}, {self.players} players, observer {self.observer}>"

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

    def accepts(self, Seen seen):
        """Could this be seen next, as far as the view tells?"""
        cdef const GameTable* t = self.game_.table
        cdef State world
        if t.accepts != NULL:
            return bool(t.accepts(self.game_.b, self.p, seen))
        for world in self.worlds(200):
            # What others choose in secret comes first: any choice will do.
            while world.who() != OVER:
                shown = {world.seen(move, self.observer): move for move in world.possible()}
                if seen in shown:
                    return True
                if NOTHING not in shown:
                    break
                world = world.apply_known(shown[NOTHING])
        return False

    def hidden_ahead(self, int cuts=0):
        """Can something hidden from an observer still come before so many natural cuts?"""
        cdef const GameTable* t = self.game_.table
        if t.hidden_ahead == NULL:
            return bool(t.hidden)
        return bool(t.hidden_ahead(self.game_.b, self.p, cuts))

    def n_worlds(self):
        """How many worlds fit; None where that is not counted."""
        cdef const GameTable* t = self.game_.table
        cdef void* ctx
        if t.n_worlds == NULL:
            return None
        ctx = malloc(t.ctx_bytes)
        try:
            if t.prepare(self.game_.b, self.p, ctx):
                return 0.0
            return t.n_worlds(self.game_.b, self.p, ctx)
        finally:
            free(ctx)

    def worlds(self, n, seed=0):
        """n states that fit the view, each drawn with its exact probability."""
        cdef const GameTable* t = self.game_.table
        cdef const void* box = self.game_.b
        cdef const void* view = self.p
        cdef void* ctx
        cdef void* world
        cdef bint found
        cdef Rng rng
        cdef bytes data
        out = []
        if not isinstance(n, int) or isinstance(n, bool) or n < 0:
            raise BadText(f"n: {n!r} given, takes a number of worlds")
        rng_init(&rng, seed_of(seed), STREAM_WORLDS)
        ctx = malloc(t.ctx_bytes)
        try:
            with nogil:
                found = t.prepare(box, view, ctx) == 0
            if not found:
                self._impossible()
            for _ in range(n):
                data = PyBytes_FromStringAndSize(NULL, t.state_bytes)
                world = <void*>PyBytes_AS_STRING(data)
                with nogil:                 # can take long: other threads go on
                    found = draw_world(t, box, view, ctx, &rng, world)
                if not found:
                    self._impossible(f"no world found in {TRIES:,} proposals")
                out.append(State(self.game_, data, self.players))
        finally:
            free(ctx)
        return out

    def _impossible(self, otherwise="no world fits"):
        why = self.faults()
        raise ImpossibleView("view: " + ("; ".join(why) or otherwise))

    def may_act(self):
        """Has this seat something to decide now?"""
        return self.observer in self.deciders

    def _own(self, seat):
        if seat is None and self.observer != "public":
            seat = self.observer
        if seat != self.observer:
            raise IllegalMove(f"seat {seat}: this is what {self.observer} knows")
        return seat

    def legal(self, seat=None):
        """The legal moves of the view's own seat, ascending; empty if it has none."""
        return Position.legal(self, self._own(seat)) if self.observer != "public" else []

    def candidates(self, seat=None):
        """The few moves a bot should weigh, out of the legal ones."""
        return Position.candidates(self, self._own(seat))

    def random_legal(self, seat=None, seed=0):
        """A uniformly drawn legal move of the view's own seat."""
        return Position.random_legal(self, self._own(seat), seed)

    def policy(self, seat=None, seed=0):
        """What the rule player does here."""
        return Position.policy(self, self._own(seat), seed)

    def is_legal(self, Move move):
        """May this seat make this move now?"""
        if self.observer == "public" or not self.may_act() or seat_of(move) != self.observer:
            return False
        return Position.is_legal(self, move)

    def possible(self):
        """As `legal`: the moves of the seat itself."""
        return self.legal()


# One world, drawn with its exact probability; False if none was found.
cdef bint draw_world(const GameTable* t, const void* box, const void* view, const void* ctx,
                     Rng* rng, void* world) noexcept nogil:
    cdef double w
    cdef int _
    for _ in range(TRIES):
        w = t.sample(box, view, ctx, rng, world)
        if w >= 1 or w > 0 and uniform(rng) < w:
            return True
    return False


# ---- The chance tape --------------------------------------------------------
cdef class Tape:
    """A fixed future: the same seed brings the same cards wherever the same deck stands alike."""

    def __init__(self, seed):
        self.seed = seed_of(seed)
        self.count = 0

    def next(self, State state):
        """The chance move the tape holds for this state."""
        cdef const GameTable* t = state.game_.table
        cdef TapeCard card
        cdef Rng rng
        cdef uint64_t best = 0, rank
        if t.tape_card == NULL:
            rng_init(&rng, self.seed, self.count)
            self.count += 1
            return t.draw(state.game_.b, state.p, &rng)
        chosen = None
        for move in state.possible():
            memset(&card, 0, sizeof(TapeCard))
            t.tape_card(state.game_.b, state.p, move, &card)
            rank = rank_on_tape(self.seed, &card)
            if chosen is None or rank < best:
                chosen = move
                best = rank
        return chosen


cdef uint64_t hash_on_tape(uint64_t seed, const TapeCard* card, uint32_t copy) noexcept nogil:
    return key_of(key_of(key_of(key_of(seed, card.deck), card.shuffle), card.kind), copy)


# The k-th drawn of a kind has the k-th lowest hash of its copies.
cdef uint64_t rank_on_tape(uint64_t seed, const TapeCard* card) noexcept nogil:
    cdef uint64_t h, out = 0
    cdef uint32_t i, j, lower
    for i in range(card.copies):
        h = hash_on_tape(seed, card, i)
        lower = 0
        for j in range(card.copies):
            lower += hash_on_tape(seed, card, j) < h
        if lower == card.drawn:
            out = h
    return out


# ---- Random play ------------------------------------------------------------
# One random ply by `step`, or from the other functions; the next actor.
cdef int play_ply(const GameTable* t, const void* box, void* s, int who, Rng* rng,
                  Move* buffer) noexcept nogil:
    cdef int n
    if t.step != NULL:
        return t.step(box, s, rng)
    if who == CHANCE:
        t.apply(box, s, t.draw(box, s, rng))
    elif who == REVEAL:
        t.apply(box, s, REVEAL_MOVE)
    elif t.random_legal != NULL:
        t.apply(box, s, t.random_legal(box, s, who, rng))
    else:
        n = t.legal(box, s, who, buffer)
        t.apply(box, s, buffer[below(rng, n)])
    return t.actor(box, s)


# Rewards at OVER: the game's own, or the share of the win by official returns.
cdef void rewards_of(const GameTable* t, const void* box, const void* s, int seats,
                     double* rewards) noexcept nogil:
    cdef double best
    cdef int i, winners = 0
    if t.rewards != NULL:
        t.rewards(box, s, rewards)
        return
    t.outcome(box, s, rewards)
    best = rewards[0]
    for i in range(1, seats):
        if rewards[i] > best:
            best = rewards[i]
    for i in range(seats):
        winners += rewards[i] == best
    for i in range(seats):
        rewards[i] = 1.0 / winners if rewards[i] == best else 0.0


def play_random(Game game, players, seed, games, **options):
    """Whole random games in C: (plies played, mean returns by seat)."""
    cdef State first = game.setup(players, **options)
    cdef const GameTable* t = game.table
    cdef uint64_t key = seed_of(seed)
    cdef void* s
    cdef Move* buffer
    cdef Rng rng
    cdef long plies = 0
    cdef int who, g, i, n, seats = first.players
    cdef double returns[MAX_SEATS]
    cdef double total[MAX_SEATS]
    if not isinstance(games, int) or isinstance(games, bool) or not 0 < games < 1 << 31:
        raise BadSetup(f"games: {games!r} given, takes 1 or more")
    n = games
    memset(total, 0, sizeof(total))
    s = malloc(t.state_bytes)
    buffer = <Move*>malloc(t.max_moves * sizeof(Move))
    try:
        with nogil:
            for g in range(n):
                rng_init(&rng, key, g)
                memcpy(s, first.p, t.state_bytes)
                who = t.actor(game.b, s)
                while who != OVER:
                    who = play_ply(t, game.b, s, who, &rng, buffer)
                    plies += 1
                t.outcome(game.b, s, returns)
                for i in range(seats):
                    total[i] += returns[i]
    finally:
        free(s)
        free(buffer)
    return plies, [total[i] / n for i in range(seats)]
