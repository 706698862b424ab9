from cpython.pycapsule cimport PyCapsule_New
from libc.string cimport memcpy, memset

from islebots.core.contract cimport (CHANCE, CONTRACT, NOTHING, OVER, PUBLIC, REVEAL, REVEAL_MOVE,
                                     GameTable, move_of, seat_of, type_of)
from islebots.core.rng cimport below, count64, highest64, lowest64, next64, pick64, uniform

cdef uint64_t ONE = 1

# ---- Moves ------------------------------------------------------------------
cdef inline int colour_of(int card) noexcept nogil:
    return card // NUMBERS

cdef inline int number_of(int card) noexcept nogil:
    return card % NUMBERS + 1

cdef inline uint64_t bit(int card) noexcept nogil:
    return ONE << card

cdef inline uint64_t bit1(int card1) noexcept nogil:      # of card + 1; nothing for 0
    return ONE << (card1 - 1) if card1 else 0

cdef inline uint64_t suit_mask(int colour) noexcept nogil:
    return <uint64_t>0xFFF << (NUMBERS * colour)

cdef inline int deck_of(const Box* b, const State* s, int kind) noexcept nogil:
    return 0 if b.decks[s.seats] == 1 else kind >> 4

cdef inline int n_hand(const Box* b, const State* s) noexcept nogil:
    return b.hand[s.seats]

# ---- §2 Setting up a round --------------------------------------------------
cdef void setup(const void* box, const void* options, int seats, void* state) noexcept nogil:
    cdef State* s = <State*>state
    cdef const Options* o = <const Options*>options
    memset(s, 0, sizeof(State))
    s.seats = seats
    s.rounds = o.rounds
    memcpy(s.action, o.action, sizeof(s.action))
    s.phase = FIRSTING
    set_up_round(<const Box*>box, s)

cdef void set_up_round(const Box* b, State* s) noexcept nogil:
    s.trick = 0
    s.supply = b.bonus
    memset(s.bonus, 0, sizeof(s.bonus))
    memset(s.given, 0, sizeof(s.given))
    memset(s.n_placed, 0, sizeof(s.n_placed))
    memset(s.placed, 0, sizeof(s.placed))
    memset(s.known, 0, sizeof(s.known))
    memset(s.top, 0, sizeof(s.top))
    memset(s.n_pile, 0, sizeof(s.n_pile))
    memset(s.pile, 0, sizeof(s.pile))
    memset(s.log, 0, sizeof(s.log))
    memcpy(s.left, b.count[s.seats], sizeof(s.left))
    if s.phase != FIRSTING:
        s.phase = TURNING

cdef void apply_first(State* s, int seat) noexcept nogil:
    s.first = seat
    s.phase = TURNING

# §2.4, §5.9: the next card of each deck is turned up, in the order of the decks.
cdef void apply_turn(const Box* b, State* s, int kind) noexcept nogil:
    cdef int d = deck_of(b, s, kind)
    cdef int i
    s.left[kind] -= 1
    s.top[d] = kind
    if s.n_placed[d]:
        s.n_placed[d] -= 1
        for i in range(LOOKS - 1):
            s.placed[d][i] = s.placed[d][i + 1]
            s.known[d][i] = s.known[d][i + 1]
        s.placed[d][LOOKS - 1] = 0
        s.known[d][LOOKS - 1] = 0
    if s.trick:
        s.log[s.trick - 1].turned[d] = kind
    for i in range(b.decks[s.seats]):
        if not s.top[i]:
            return
    if s.hand_size[0] == 0:
        s.phase = DEALING
        s.turn = 0
    else:
        s.phase = PLAYING
        s.turn = s.first

cdef void apply_deal(const Box* b, State* s, int seat, int card1) noexcept nogil:
    s.hand[seat] |= bit1(card1)
    s.hand_size[seat] += 1
    if s.hand_size[seat] == n_hand(b, s):
        s.turn += 1
        if s.turn == s.seats:
            s.turn = 0
            s.phase = PASSING

# §2.8, §2.9: the highest card of each colour of which the hand holds most.
cdef uint64_t pass_cards(uint64_t hand) noexcept nogil:
    cdef uint64_t out = 0, suit
    cdef int c, n, most = 0
    for c in range(COLOURS):
        suit = hand & suit_mask(c)
        n = count64(suit)
        if n > most:
            most = n
            out = 0
        if n == most and n:
            out |= bit(highest64(suit))
    return out

cdef int legal_pass(const State* s, int seat, Move* out) noexcept nogil:
    cdef uint64_t cards = pass_cards(s.hand[seat])
    cdef int n = 0
    while cards:
        out[n] = move_of(PASS, seat, lowest64(cards) + 1)
        cards &= cards - 1
        n += 1
    return n

# §2.10, §2.11: all at once; seat s + 1 gives to seat s.
cdef void hand_over(State* s) noexcept nogil:
    cdef int i
    for i in range(s.seats):
        s.hand[i] &= ~bit1(s.given[i])
    for i in range(s.seats):
        s.hand[i] |= bit1(s.given[(i + 1) % s.seats])
    s.phase = PLAYING
    s.turn = s.first

# ---- §3 A trick -------------------------------------------------------------
cdef int legal_play(const Box* b, const State* s, Move* out) noexcept nogil:
    cdef uint64_t cards = s.hand[s.turn]
    cdef int n = 0, card, half, k, most
    while cards:
        card = lowest64(cards)
        cards &= cards - 1
        most = b.cap - number_of(card)
        if most > s.bonus[s.turn]:
            most = s.bonus[s.turn]
        for half in range(SEA, COAST + 1):
            for k in range(most + 1):
                out[n] = move_of(PLAY, s.turn, ((card + 1) << 6) | (half << 4) | k)
                n += 1
    return n

cdef inline int face_of(int card, int half) noexcept nogil:
    return colour_of(card) + 1 if half == SEA else number_of(card)

# A view follows with card1 = 0 and the face it was shown.
cdef void apply_play(State* s, int seat, int card1, int half, int face, int bonus) noexcept nogil:
    s.hand[seat] &= ~bit1(card1)
    s.hand_size[seat] -= 1
    s.card[seat] = card1
    s.half[seat] = half
    s.face[seat] = face_of(card1 - 1, half) if card1 else face
    s.laid[seat] = bonus
    s.bonus[seat] -= bonus
    s.turn = (seat + 1) % s.seats
    if s.turn == s.first:
        s.phase = UNCOVERING

# ---- §4 Who wins a colour ---------------------------------------------------
# §4.8, §4.9: with one deck the colours of an action card that is not the deck's are one suit.
cdef inline int suit_of(const Box* b, const State* s, int card1) noexcept nogil:
    cdef int c = colour_of(card1 - 1)
    if b.decks[s.seats] == 1 and (s.top[0] >> 4) != (c >> 1):
        return c & 2
    return c

cdef inline int value_of(const State* s, int seat) noexcept nogil:
    return number_of(s.card[seat] - 1) + s.laid[seat]

cdef void apply_uncover(const Box* b, State* s) noexcept nogil:
    cdef int i, k, suit, v, n, high, low, high_v, low_v, c, want
    cdef int wins[SEATS]
    cdef int suits[SEATS]
    cdef int values[SEATS]
    memset(wins, 0, sizeof(wins))
    for i in range(s.seats):
        s.log[s.trick].card[i] = s.card[i]
        suits[i] = suit_of(b, s, s.card[i])
        values[i] = value_of(s, i)
    cdef int due[SEATS]
    memset(due, 0, sizeof(due))
    for suit in range(COLOURS):
        # §4.2, §4.3, J4: from the first player on, > keeps the early winner, <= the late loser.
        n = 0
        high = low = -1
        high_v = -1
        low_v = 99
        i = s.first
        for k in range(s.seats):
            if k:
                i = i + 1 if i + 1 < s.seats else 0
            if suits[i] != suit:
                continue
            n += 1
            v = values[i]
            if v > high_v:
                high_v = v
                high = i
            if v <= low_v:
                low_v = v
                low = i
        if n == 0:
            continue
        wins[high] = 1
        if n >= 2:
            due[low] = n                    # §4.5
    for k in range(s.seats):                # §4.7
        i = (s.first + k) % s.seats
        want = due[i]
        if want > s.supply:
            want = s.supply
        s.bonus[i] += want
        s.supply -= want
    for i in range(s.seats):
        if not wins[i]:
            continue
        c = colour_of(s.card[i] - 1)
        if deck_with(b, s, c) < 0:
            s.acts |= 1 << i                # §6.1
        elif victims_of(b, s, i):
            s.claims |= 1 << i
        else:
            take(b, s, i)                   # §5.7
    go_on(b, s)

# ---- §5 Treasures -----------------------------------------------------------
cdef int deck_with(const Box* b, const State* s, int colour) noexcept nogil:
    cdef int d
    for d in range(b.decks[s.seats]):
        if s.top[d] and s.top[d] >> 3 == colour:
            return d
    return -1

# §5.3, §5.4: seats that the winner of a colour may rob, as bits.
cdef int victims_of(const Box* b, const State* s, int seat) noexcept nogil:
    cdef int i, out = 0, c = colour_of(s.card[seat] - 1)
    for i in range(s.seats):
        if (i != seat and colour_of(s.card[i] - 1) == c and value_of(s, i) < value_of(s, seat)
                and s.n_pile[i] and s.pile[i][s.n_pile[i] - 1] >> 3 == c):
            out |= 1 << i
    return out

cdef void put_on_pile(State* s, int seat, int kind) noexcept nogil:
    s.pile[seat][s.n_pile[seat]] = kind
    s.n_pile[seat] += 1

cdef void take(const Box* b, State* s, int seat) noexcept nogil:
    cdef int d = deck_with(b, s, colour_of(s.card[seat] - 1))
    put_on_pile(s, seat, s.top[d])
    s.top[d] = 0

cdef int legal_claim(const Box* b, const State* s, Move* out) noexcept nogil:
    cdef int i, n = 1, victims = victims_of(b, s, s.turn)
    out[0] = move_of(TAKE, s.turn, s.top[deck_with(b, s, colour_of(s.card[s.turn] - 1))])
    for i in range(s.seats):
        if victims >> i & 1:
            out[n] = move_of(STEAL, s.turn, (i << 8) | s.pile[i][s.n_pile[i] - 1])
            n += 1
    return n

cdef void apply_steal(State* s, int seat, int victim) noexcept nogil:
    cdef int kind
    s.n_pile[victim] -= 1
    kind = s.pile[victim][s.n_pile[victim]]
    s.pile[victim][s.n_pile[victim]] = 0
    put_on_pile(s, seat, kind)

# §6.3: claims first, then actions, each clockwise from the first player; then the trick ends.
cdef void go_on(const Box* b, State* s) noexcept nogil:
    cdef int k, seat
    for k in range(s.seats):
        seat = (s.first + k) % s.seats
        if s.claims >> seat & 1:
            s.phase = CLAIMING
            s.turn = seat
            return
    for k in range(s.seats):
        seat = (s.first + k) % s.seats
        if s.acts >> seat & 1:
            s.acts &= ~(1 << seat)
            if start_action(b, s, seat):
                s.turn = seat
                return
    end_trick(b, s)

# ---- §6 Actions -------------------------------------------------------------
# Does it take a decision or a chance move? §6.4, §6.18: hands are empty in the last trick.
cdef bint start_action(const Box* b, State* s, int seat) noexcept nogil:
    cdef int card = colour_of(s.card[seat] - 1) >> 1
    cdef int action = s.action[s.round][card]
    cdef int n, i, victim, got
    if action == BONUS:
        n = 0
        victim = 0
        for i in range(s.seats):
            if i != seat and s.bonus[i] >= 2:
                n += 1
                victim = i
        if n == 0:                          # §6.6
            got = 2 if s.supply >= 2 else s.supply
            s.bonus[seat] += got
            s.supply -= got
        elif n == 1:
            rob(s, seat, victim)
        else:
            s.phase = ROBBING
            return True
        return False
    if s.hand_size[seat] == 0:
        return False
    if action == EXCHANGE:
        s.phase = SWAPPING
    elif action == FETCH:
        s.phase = RETRIEVING
    elif b.decks[s.seats] == 1:
        s.turn = seat
        begin_look(s, 0)
    else:
        s.phase = LOOKING
    return True

cdef void rob(State* s, int seat, int victim) noexcept nogil:
    s.bonus[victim] -= 2
    s.bonus[seat] += 2

cdef int legal_victim(const State* s, int type_, Move* out) noexcept nogil:
    cdef int i, n = 0
    for i in range(s.seats):
        if i != s.turn and (type_ == SWAP or s.bonus[i] >= 2):
            out[n] = move_of(type_, s.turn, i)
            n += 1
    return n

# §6.8, §6.9
cdef inline int n_swap(int size) noexcept nogil:
    return 2 if size >= 2 else size

cdef void apply_swap(State* s, int victim) noexcept nogil:
    s.phase = DRAWING
    s.target = victim
    s.count = 0
    s.log[s.trick].thief = s.turn + 1
    s.log[s.trick].victim = victim + 1

cdef void apply_draw(State* s, int card1) noexcept nogil:
    cdef Trick* t = &s.log[s.trick]
    cdef int want = n_swap(s.hand_size[s.turn] - s.count), x
    s.hand[s.target] &= ~bit1(card1)
    s.hand_size[s.target] -= 1
    s.hand[s.turn] |= bit1(card1)
    s.hand_size[s.turn] += 1
    t.taken[s.count] = card1
    s.count += 1
    if s.count == want:
        if want == 2 and t.taken[0] > t.taken[1]:
            x = t.taken[0]
            t.taken[0] = t.taken[1]
            t.taken[1] = x
        s.phase = GIVING
    if s.observer and s.observer != s.turn + 1:         # a view keeps only its own hand
        s.hand[s.turn] = 0

cdef int legal_give(const State* s, Move* out) noexcept nogil:
    cdef uint64_t cards = s.hand[s.turn], more
    cdef int n = 0, c
    while cards:
        c = lowest64(cards)
        cards &= cards - 1
        if s.count == 1:
            out[n] = move_of(GIVE, s.turn, (c + 1) << 6)
            n += 1
            continue
        more = cards
        while more:
            out[n] = move_of(GIVE, s.turn, ((c + 1) << 6) | (lowest64(more) + 1))
            more &= more - 1
            n += 1
    return n

cdef void apply_give(const Box* b, State* s, int card1, int card2) noexcept nogil:
    cdef Trick* t = &s.log[s.trick]
    cdef uint64_t cards = bit1(card1) | bit1(card2)
    t.given[0] = card1
    t.given[1] = card2
    s.hand[s.turn] &= ~cards
    s.hand[s.target] |= cards
    if s.observer and s.observer != s.target + 1:
        s.hand[s.target] = 0
    s.hand_size[s.turn] -= s.count
    s.hand_size[s.target] += s.count
    s.target = s.count = 0
    go_on(b, s)

# §6.11 to §6.14
cdef void begin_look(State* s, int deck) noexcept nogil:
    s.phase = SEEING
    s.target = deck
    s.count = 0
    s.log[s.trick].looker = s.turn + 1
    s.log[s.trick].deck = deck

cdef void apply_see(State* s, int kind) noexcept nogil:
    cdef int d = s.target
    if kind:
        s.placed[d][s.count] = kind
        if s.observer == 0 or s.observer == s.turn + 1:
            s.known[d][s.count] |= 1 << s.turn
            s.log[s.trick].saw[s.count] = kind
    s.count += 1
    if s.count > s.n_placed[d]:
        s.n_placed[d] = s.count
    if s.count == LOOKS:
        s.phase = ORDERING

cdef int legal_order(const State* s, Move* out) noexcept nogil:
    cdef const uint8_t* p = s.placed[s.target]
    cdef int a, c, i, n = 0
    cdef Move m
    for a in range(LOOKS):
        for c in range(LOOKS):
            if a == c:
                continue
            m = move_of(ORDER, s.turn, (p[a] << 12) | (p[c] << 6) | p[LOOKS - a - c])
            i = 0
            while i < n and out[i] < m:
                i += 1
            if i < n and out[i] == m:       # look-alike copies: the same order
                continue
            insert(out, n, i, m)
            n += 1
    return n

cdef inline void insert(Move* out, int n, int at, Move m) noexcept nogil:
    cdef int i
    for i in range(n, at, -1):
        out[i] = out[i - 1]
    out[at] = m

cdef void apply_order(const Box* b, State* s, uint32_t rest) noexcept nogil:
    cdef int d = s.target, i, kind
    for i in range(LOOKS):
        kind = (rest >> (6 * (LOOKS - 1 - i))) & 63
        s.placed[d][i] = kind
        s.log[s.trick].put[i] = kind
        s.known[d][i] = (1 << s.turn) if kind else 0
    s.target = s.count = 0
    go_on(b, s)

# §6.15 to §6.17
cdef int legal_cards(int type_, int seat, uint64_t cards, Move* out) noexcept nogil:
    cdef int n = 0
    while cards:
        out[n] = move_of(type_, seat, lowest64(cards) + 1)
        cards &= cards - 1
        n += 1
    return n

cdef uint64_t trick_cards(const State* s) noexcept nogil:
    cdef uint64_t out = 0
    cdef int i
    for i in range(s.seats):
        out |= bit1(s.card[i])
    return out

cdef void apply_retrieve(State* s, int card1) noexcept nogil:
    s.log[s.trick].fetcher = s.turn + 1
    s.log[s.trick].fetched = card1
    if s.observer == 0 or s.observer == s.turn + 1:
        s.hand[s.turn] |= bit1(card1)
    s.hand_size[s.turn] += 1
    s.phase = DISCARDING

cdef void apply_discard(const Box* b, State* s, int card1) noexcept nogil:
    s.log[s.trick].dropped = card1
    s.hand[s.turn] &= ~bit1(card1)
    s.hand_size[s.turn] -= 1
    go_on(b, s)

# ---- §7 End of trick, round and game ----------------------------------------
cdef void end_trick(const Box* b, State* s) noexcept nogil:
    cdef int i
    for i in range(s.seats):
        s.supply += s.laid[i]                           # §7.1
        s.card[i] = s.half[i] = s.face[i] = s.laid[i] = 0
    s.first = (s.first + 1) % s.seats                   # §7.3
    s.turn = 0
    s.trick += 1
    for i in range(DECKS):                              # §5.8: what lies there goes under its deck
        s.top[i] = 0
    if s.trick < n_hand(b, s):
        s.phase = TURNING
        return
    for i in range(s.seats):                            # §7.5
        s.score[i] += round_points(s, i)
    s.round += 1
    if s.round == s.rounds:
        s.phase = ENDED
    else:
        s.phase = TURNING
        set_up_round(b, s)

cdef int round_points(const State* s, int seat) noexcept nogil:
    cdef int i, out = s.bonus[seat] // 2
    for i in range(s.n_pile[seat]):
        out += s.pile[seat][i] & 7
    return out

cdef int outcome(const void* box, const void* state, double* returns) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int i
    for i in range(s.seats):
        returns[i] = s.score[i]
    return 0

# ---- Whose decision, legal moves, apply -------------------------------------
cdef int actor(const void* box, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int i
    if s.phase == PLAYING:
        return s.turn
    if s.phase == PASSING:
        for i in range(s.seats):
            if not s.given[i]:
                return i
        return REVEAL
    if s.phase == UNCOVERING:
        return REVEAL
    if s.phase == ENDED:
        return OVER
    if s.phase < PASSING or s.phase == DRAWING or s.phase == SEEING:
        return CHANCE
    return s.turn

cdef uint32_t deciders(const void* box, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int i, who = actor(box, state)
    cdef uint32_t out = 0
    if who < 0:
        return 0
    if s.phase != PASSING:
        return 1 << who
    for i in range(s.seats):
        if not s.given[i]:
            out |= 1 << i
    return out

cdef int legal(const void* box, const void* state, int seat, Move* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Box* b = <const Box*>box
    if s.phase == PLAYING:
        return legal_play(b, s, out)
    if s.phase == PASSING:
        return legal_pass(s, seat, out)
    if s.phase == CLAIMING:
        return legal_claim(b, s, out)
    if s.phase == ROBBING:
        return legal_victim(s, ROB, out)
    if s.phase == SWAPPING:
        return legal_victim(s, SWAP, out)
    if s.phase == GIVING:
        return legal_give(s, out)
    if s.phase == LOOKING:
        out[0] = move_of(LOOK, s.turn, 0)
        out[1] = move_of(LOOK, s.turn, 1)
        return 2
    if s.phase == ORDERING:
        return legal_order(s, out)
    if s.phase == RETRIEVING:
        return legal_cards(RETRIEVE, seat, trick_cards(s), out)
    if s.phase == DISCARDING:
        return legal_cards(DISCARD, seat, s.hand[seat], out)
    return 0

# Serves states and, with blanks for what was not seen, views.
cdef void carry_out(const Box* b, State* s, uint64_t m) noexcept nogil:
    cdef int t = type_of(m), seat = seat_of(m)
    cdef uint32_t rest = m & 0xFFFFFF
    if t == PLAY:
        apply_play(s, seat, (rest >> 6) & 63, (rest >> 4) & 3, rest >> 12, rest & 15)
    elif t == DEAL:
        apply_deal(b, s, seat, rest)
    elif t == TURN:
        apply_turn(b, s, rest)
    elif t == FIRST:
        apply_first(s, seat)
    elif t == PASS:
        s.given[seat] = rest
    elif t == TAKE:
        s.claims &= ~(1 << seat)
        take(b, s, seat)
        go_on(b, s)
    elif t == STEAL:
        s.claims &= ~(1 << seat)
        apply_steal(s, seat, rest >> 8)
        go_on(b, s)
    elif t == ROB:
        rob(s, seat, rest)
        go_on(b, s)
    elif t == SWAP:
        apply_swap(s, rest)
    elif t == DRAW:
        apply_draw(s, rest)
    elif t == GIVE:
        apply_give(b, s, rest >> 6, rest & 63)
    elif t == LOOK:
        begin_look(s, rest)
    elif t == SEE:
        apply_see(s, rest)
    elif t == ORDER:
        apply_order(b, s, rest)
    elif t == RETRIEVE:
        apply_retrieve(s, rest)
    elif t == DISCARD:
        apply_discard(b, s, rest)

cdef void apply(const void* box, void* state, Move m) noexcept nogil:
    cdef State* s = <State*>state
    if m != REVEAL_MOVE:
        carry_out(<const Box*>box, s, m)
    elif s.phase == PASSING:
        hand_over(s)
    else:
        apply_uncover(<const Box*>box, s)

# ---- Chance -----------------------------------------------------------------
# The outcomes of the next event and how many physical cards stand behind each.
cdef int events(const Box* b, const State* s, Move* out, int* weight) noexcept nogil:
    cdef int i, n = 0, d, k, low, high
    cdef uint64_t cards
    if s.phase == FIRSTING:
        for i in range(s.seats):
            out[n] = move_of(FIRST, i, 0)
            weight[n] = 1
            n += 1
        return n
    if s.phase == DEALING or s.phase == DRAWING:
        cards = pool(b, s)
        k = DEAL if s.phase == DEALING else DRAW
        n = legal_cards(k, s.turn, cards, out)
        for i in range(n):
            weight[i] = 1
        return n
    # Treasures: a card somebody has looked at is where it was put.
    if s.phase == TURNING:
        d = 0 if not s.top[0] else 1
        k = 0
    else:
        d = s.target
        k = s.count
    cdef int type_ = TURN if s.phase == TURNING else SEE
    cdef int who = 0 if s.phase == TURNING else s.turn
    if k < s.n_placed[d]:
        out[0] = move_of(type_, who, s.placed[d][k])
        weight[0] = 1
        return 1
    low = 0
    high = KINDS
    if b.decks[s.seats] == 2:
        low = 16 * d
        high = low + 16
    for i in range(low, high):
        k = s.left[i]
        if k:
            k -= copies_placed(s, d, i)
        if k:
            out[n] = move_of(type_, who, i)
            weight[n] = k
            n += 1
    return n

cdef inline uint64_t pool(const Box* b, const State* s) noexcept nogil:
    cdef uint64_t cards
    cdef int i
    if s.phase == DRAWING:
        return s.hand[s.target]
    cards = b.islands
    for i in range(s.seats):
        cards &= ~s.hand[i]
    return cards

cdef inline int copies_placed(const State* s, int d, int kind) noexcept nogil:
    cdef int i, n = 0
    for i in range(s.n_placed[d]):
        n += s.placed[d][i] == kind
    return n

cdef int chances(const void* box, const void* state, Move* out, double* p) noexcept nogil:
    cdef int weight[64]
    cdef int i, total = 0, n = events(<const Box*>box, <const State*>state, out, weight)
    for i in range(n):
        total += weight[i]
    for i in range(n):
        p[i] = <double>weight[i] / total
    return n

cdef Move draw(const void* box, const void* state, Rng* rng) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Box* b = <const Box*>box
    cdef int d, k, n, kind, low, high
    if s.phase == FIRSTING:
        return move_of(FIRST, below(rng, s.seats), 0)
    if s.phase == DEALING or s.phase == DRAWING:
        k = pick64(rng, pool(b, s))
        return move_of(DEAL if s.phase == DEALING else DRAW, s.turn, k + 1)
    # As `events`, without its lists.
    cdef int type_ = TURN if s.phase == TURNING else SEE
    cdef int who = 0 if s.phase == TURNING else s.turn
    if s.phase == TURNING:
        d = 0 if not s.top[0] else 1
        k = 0
    else:
        d = s.target
        k = s.count
    if k < s.n_placed[d]:
        return move_of(type_, who, s.placed[d][k])
    low = 0 if b.decks[s.seats] == 1 else 16 * d
    high = KINDS if b.decks[s.seats] == 1 else low + 16
    n = -s.n_placed[d]
    for kind in range(low, high):
        n += s.left[kind]
    k = below(rng, n)
    for kind in range(low, high):
        n = s.left[kind]
        if n and s.n_placed[d]:
            n -= copies_placed(s, d, kind)
        if k < n:
            break
        k -= n
    return move_of(type_, who, kind)

cdef void tape_card(const void* box, const void* state, Move m, TapeCard* card) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Box* b = <const Box*>box
    cdef int t = type_of(m)
    card.deck = t
    card.shuffle = s.round
    card.kind = m & 0xFFFFFF
    card.drawn = 0
    card.copies = 1
    if t == FIRST:
        card.kind = seat_of(m)
    elif t == DRAW:
        card.shuffle = (s.round * TRICKS + s.trick) * 2 + s.count
    elif t == TURN or t == SEE:
        # One deck for both: a card looked at is the card that would have been turned up.
        card.deck = TURN
        card.copies = b.count[s.seats][card.kind]
        card.drawn = card.copies - s.left[card.kind]
        if t == SEE:
            card.drawn += copies_placed(s, s.target, card.kind)

# ---- Observe, seen and follow -----------------------------------------------
cdef void observe(const void* box, const void* state, int observer, void* view) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef State* v = <State*>view
    cdef int i, k, t, own
    cdef Trick* log
    memcpy(v, s, sizeof(State))
    v.observer = SEATS + 1 if observer == PUBLIC else observer + 1
    for i in range(s.seats):
        if i != observer:
            v.hand[i] = 0
            # §2.11: from the handing over on the receiver knows the card too.
            if s.phase == PASSING or observer == PUBLIC or i != (observer + 1) % s.seats:
                v.given[i] = 0
            if s.phase == PLAYING or s.phase == UNCOVERING:
                v.card[i] = 0
    own = 0 if observer == PUBLIC else 1 << observer
    for i in range(DECKS):
        for k in range(LOOKS):
            v.known[i][k] &= own
            if not v.known[i][k]:
                v.placed[i][k] = 0
    for t in range(TRICKS):
        log = &v.log[t]
        if log.thief and (observer == PUBLIC
                          or (log.thief != observer + 1 and log.victim != observer + 1)):
            memset(log.taken, 0, sizeof(log.taken))
            memset(log.given, 0, sizeof(log.given))
        if log.looker and (observer == PUBLIC or log.looker != observer + 1):
            memset(log.saw, 0, sizeof(log.saw))
            memset(log.put, 0, sizeof(log.put))

cdef Seen seen(const void* box, const void* state, Move m, int observer) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int t, seat, i, card1
    cdef Seen out
    if m == REVEAL_MOVE:
        if s.phase == PASSING:
            card1 = 0 if observer == PUBLIC else s.given[(observer + 1) % s.seats]
            return move_of(HANDED, 0, card1)
        out = move_of(UNCOVERED, 0, 0)
        for i in range(s.seats):
            out |= <uint64_t>s.card[i] << (32 + 6 * i)
        return out
    t = type_of(m)
    seat = seat_of(m)
    if observer == seat:
        return m
    if t == PASS:
        return NOTHING
    if t == PLAY:
        card1 = (m >> 6) & 63
        i = (m >> 4) & 3
        return move_of(PLAY, seat, (face_of(card1 - 1, i) << 12) | (i << 4) | (m & 15))
    if t == DEAL or t == SEE or t == ORDER:
        return move_of(t, seat, 0)
    if (t == DRAW or t == GIVE) and observer != s.target:
        return move_of(t, seat, 0)
    return m

cdef void follow(const void* box, void* view, Seen what) noexcept nogil:
    cdef State* v = <State*>view
    cdef int t = type_of(what), i, me = v.observer - 1
    if t == HANDED:
        if me < SEATS:
            v.given[(me + 1) % v.seats] = what & 63
            i = v.given[me]
            v.hand[me] = (v.hand[me] & ~bit1(i)) | bit1(what & 63)
        v.phase = PLAYING
        v.turn = v.first
    elif t == UNCOVERED:
        for i in range(v.seats):
            v.card[i] = (what >> (32 + 6 * i)) & 63
        apply_uncover(<const Box*>box, v)
    else:
        carry_out(<const Box*>box, v, what)

# Could this come next, as far as the view tells? What remains is for the sampler to say.
cdef bint accepts(const void* box, const void* view, Seen what) noexcept nogil:
    cdef const State* v = <const State*>view
    cdef const Box* b = <const Box*>box
    cdef int t = type_of(what), seat = seat_of(what), me = v.observer - 1
    cdef uint32_t rest = what & 0xFFFFFF
    if t == UNCOVERED:
        return v.phase == UNCOVERING and accepts_uncovered(b, v, what)
    if what >> 32 or seat >= v.seats:
        return False
    if t == HANDED:
        if v.phase != PASSING or me < SEATS and not v.given[me]:
            return False
        return fresh_card(b, v, rest) if me < SEATS else rest == 0
    if t == FIRST:
        return v.phase == FIRSTING and rest == 0
    if t == TURN:
        return v.phase == TURNING and seat == 0 and accepts_turn(b, v, rest)
    if t == PASS:
        return v.phase == PASSING and seat == me and not v.given[me] and is_listed(b, v, what)
    if v.turn != seat or (TAKE if t == STEAL else t) != wanted_type(v):
        return False
    if t == DEAL:
        return fresh_card(b, v, rest) if me == seat else rest == 0
    if t == SEE:
        return accepts_see(b, v, rest) if me == seat else rest == 0
    if t == DRAW:
        if me == v.target:
            return 0 < rest <= COLOURS * NUMBERS and v.hand[me] & bit1(rest)
        return fresh_card(b, v, rest) if me == seat else rest == 0
    if t == GIVE and me == v.target:
        if not fresh_card(b, v, rest >> 6):
            return False
        return rest & 63 == 0 if v.count == 1 else (rest >> 6 < rest & 63
                                                    and fresh_card(b, v, rest & 63))
    if me != seat:
        if t == PLAY:
            return accepts_play(b, v, rest)
        if t == GIVE or t == ORDER:
            return rest == 0
        if t == DISCARD:
            return fresh_card(b, v, rest)
    return is_listed(b, v, what)

# The type of line that the phase asks for; TAKE stands for a claim either way.
cdef int wanted_type(const State* v) noexcept nogil:
    cdef int p = v.phase
    return (DEAL if p == DEALING else PLAY if p == PLAYING else TAKE if p == CLAIMING
            else ROB if p == ROBBING else SWAP if p == SWAPPING else DRAW if p == DRAWING
            else GIVE if p == GIVING else LOOK if p == LOOKING else SEE if p == SEEING
            else ORDER if p == ORDERING else RETRIEVE if p == RETRIEVING
            else DISCARD if p == DISCARDING else 0)

cdef bint is_listed(const Box* b, const State* v, uint64_t what) noexcept nogil:
    cdef Move out[MOVES]
    cdef int i, n = legal(b, v, seat_of(what), out)
    for i in range(n):
        if out[i] == what:
            return True
    return False

# A card of the box that is not in the observer's own hand.
cdef bint fresh_card(const Box* b, const State* v, uint32_t card1) noexcept nogil:
    cdef int me = v.observer - 1
    if not 0 < card1 <= COLOURS * NUMBERS or not b.islands & bit1(card1):
        return False
    return me >= SEATS or not v.hand[me] & bit1(card1)

cdef bint accepts_turn(const Box* b, const State* v, uint32_t kind) noexcept nogil:
    cdef int d = 0 if not v.top[0] else 1
    if kind >= KINDS or not v.left[kind] or deck_of(b, v, kind) != d:
        return False
    return not v.n_placed[d] or not v.placed[d][0] or v.placed[d][0] == kind

cdef bint accepts_see(const Box* b, const State* v, uint32_t kind) noexcept nogil:
    cdef int d = v.target
    if kind >= KINDS or v.left[kind] <= copies_placed(v, d, kind) - (
            v.count < v.n_placed[d] and v.placed[d][v.count] == kind):
        return False
    if deck_of(b, v, kind) != d:
        return False
    return (v.count >= v.n_placed[d] or not v.placed[d][v.count]
            or v.placed[d][v.count] == kind)

cdef bint accepts_play(const Box* b, const State* v, uint32_t rest) noexcept nogil:
    cdef int half = (rest >> 4) & 3, face = rest >> 12, bonus = rest & 15
    if (rest >> 6) & 63 or bonus > v.bonus[v.turn]:
        return False
    if half == SEA:
        return 1 <= face <= COLOURS and 1 + bonus <= b.cap
    return half == COAST and 1 <= face <= b.numbers and face + bonus <= b.cap

cdef bint accepts_uncovered(const Box* b, const State* v, Seen what) noexcept nogil:
    cdef uint64_t cards = 0
    cdef int i, card1
    if what & 0x7FFFFFF or what >> (32 + 6 * v.seats):
        return False
    for i in range(v.seats):
        card1 = (what >> (32 + 6 * i)) & 63
        if i == v.observer - 1:
            if card1 != v.card[i]:
                return False
        elif (not fresh_card(b, v, card1) or face_of(card1 - 1, v.half[i]) != v.face[i]
                or number_of(card1 - 1) + v.laid[i] > b.cap):
            return False
        if cards & bit1(card1):
            return False
        cards |= bit1(card1)
    return True

# ---- Worlds -----------------------------------------------------------------
# What the seat knows of where cards are: first forward through its log (`sure`), then back to the
# moment after the pass (`start`).
cdef inline int first_of(const State* v, int trick) noexcept nogil:
    return (v.first + v.seats * TRICKS - (v.trick - trick)) % v.seats

# Did the swap of a trick come before its retrieval? §6.3
cdef inline bint swap_first(const State* v, int t) noexcept nogil:
    cdef int f = first_of(v, t)
    return ((v.log[t].thief - 1 - f + v.seats) % v.seats
            < (v.log[t].fetcher - 1 - f + v.seats) % v.seats)

cdef int prepare(const void* box, const void* view, void* context) noexcept nogil:
    cdef const State* v = <const State*>view
    cdef const Box* b = <const Box*>box
    cdef Ctx* x = <Ctx*>context
    cdef int me = v.observer - 1, s, t, k, step
    cdef uint64_t gone = 0, own = 0
    cdef const Trick* log
    memset(x, 0, <size_t>(<char*>&x.listed - <char*>x))
    if me >= SEATS:
        me = -1
    else:
        own = v.hand[me]
        if v.phase == PLAYING or v.phase == UNCOVERING:
            own |= bit1(v.card[me])         # laid, but not yet in the log
    x.passed = v.phase >= PLAYING
    if v.phase == TURNING and v.hand_size[0]:
        x.passed = 1
    if x.passed and me >= 0:
        x.sure[(me + v.seats - 1) % v.seats] |= bit1(v.given[me])
    for t in range(v.trick + 1 if v.trick < TRICKS else TRICKS):
        log = &v.log[t]
        for s in range(v.seats):
            gone |= bit1(log.card[s])
            x.sure[s] &= ~bit1(log.card[s])
        for step in range(2):
            if log.thief and step == (0 if log.fetcher == 0 or swap_first(v, t) else 1):
                know_swap(x, log, me)
            if log.fetcher and step == (1 if log.thief == 0 or swap_first(v, t) else 0):
                gone = (gone & ~bit1(log.fetched)) | bit1(log.dropped)
                x.sure[log.fetcher - 1] |= bit1(log.fetched)
                x.sure[log.fetcher - 1] &= ~bit1(log.dropped)
    if me >= 0:
        x.sure[me] = own
    x.unseen = b.islands & ~gone
    for s in range(v.seats):
        x.unseen &= ~x.sure[s]
    # How many cards each hand misses; a covered card is still counted in it.
    for s in range(b.decks[v.seats]):
        if not prepare_deck(b, v, x, s, me):
            return 4
    k = 0
    for s in range(v.seats):
        t = v.hand_size[s] - count64(x.sure[s])
        if v.half[s] and (v.phase == PLAYING or v.phase == UNCOVERING):
            t += 1
        if t < 0:
            return 1
        x.need[s] = t
        k += t
    if k > count64(x.unseen):
        return 2
    if x.passed and not x.open_swaps:
        return prepare_passes(b, v, x, me)
    if x.passed and x.open_swaps:
        return prepare_swaps(b, v, x, me)
    return 0

# The time a card is in players' hands, as far as it is known: in which hand it comes out of the
# unseen swap before and goes into the next, by the number of unseen swaps before; seat + 1.
cdef struct Life:
    uint8_t card, first, last
    uint8_t come[TRICKS + 1]
    uint8_t leave[TRICKS + 1]

cdef struct Lives:
    int n
    int now[64]             # of a card, or -1
    # One for each card laid, discarded or still held, and one for each that came into the own hand.
    Life life[128]

# A card was in a hand, and then in another (-1: in none, it was laid or discarded).
cdef void tell(Lives* lives, int part, int card1, int seat, int to, int me) noexcept nogil:
    cdef Life* life
    if not card1:
        return
    if lives.now[card1 - 1] < 0:
        life = &lives.life[lives.n]
        memset(life, 0, sizeof(Life))
        life.card = card1 - 1
        life.first = part
        lives.now[card1 - 1] = lives.n
        lives.n += 1
    life = &lives.life[lives.now[card1 - 1]]
    life.last = part
    if not life.come[part]:
        life.come[part] = seat + 1
    life.leave[part] = to + 1
    if to < 0 or to == me:                  # in the own hand nothing happens unseen
        life.leave[part] = 0
        lives.now[card1 - 1] = -1

# A card known to be in a hand before an unseen swap and, after it, in the same or another hand (or
# unseen again) is followed through the swaps; other cards go anywhere. So for all places of the
# followed cards the number of pasts can be counted, forward, and their way can be drawn, backward.
cdef int prepare_swaps(const Box* b, const State* v, Ctx* x, int me) noexcept nogil:
    cdef Lives lives
    cdef int t, s, step, i, k, part = 0, n = v.seats, size
    cdef const Trick* log
    cdef Life* life
    lives.n = 0
    memset(lives.now, 0xFF, sizeof(lives.now))
    if me >= 0:
        tell(&lives, 0, v.given[me], (me + n - 1) % n, (me + n - 1) % n, me)
    for t in range(v.trick + 1 if v.trick < TRICKS else TRICKS):
        log = &v.log[t]
        for s in range(n):
            tell(&lives, part, log.card[s], s, -1, me)
        for step in range(2):
            if log.thief and step == (0 if log.fetcher == 0 or swap_first(v, t) else 1):
                if log.thief != me + 1 and log.victim != me + 1:
                    x.swap_at[part] = t
                    part += 1
                    continue
                for k in range(2):
                    tell(&lives, part, log.taken[k], log.victim - 1, log.thief - 1, me)
                for k in range(2):
                    tell(&lives, part, log.given[k], log.thief - 1, log.victim - 1, me)
            if log.fetcher and step == (1 if log.thief == 0 or swap_first(v, t) else 0):
                tell(&lives, part, log.fetched, log.fetcher - 1, log.fetcher - 1, me)
                tell(&lives, part, log.dropped, log.fetcher - 1, -1, me)
    for i in range(lives.n):
        life = &lives.life[i]
        if lives.now[life.card] == i and x.unseen & bit(life.card):
            life.last = part
        if life.first < life.last and x.n_tracks < TRACKS:
            add_track(v, x, life, part)
    # More places than there is room for: follow one card less; its way is left to trial and error.
    size = 1 << 8
    while not count_routes(b, v, x, size):
        if size < ROUTES:
            size <<= 3
        else:
            x.n_tracks -= 1
            for i in range(part + 1):
                x.stop[i] &= ~(<uint64_t>7 << (3 * x.n_tracks))
                x.come[i] &= ~(<uint64_t>7 << (3 * x.n_tracks))
                x.leave[i] &= ~(<uint64_t>7 << (3 * x.n_tracks))
    bound_passes(b, v, x, &lives, me)
    return count_endings(b, v, x, me)

# The most options a seat's unseen pass can have, as `unpass` weighs them: the known cards that may
# have been in the receiver's hand and above all the giver's, and a share of the unknown ones. A
# swap takes at most two cards to a hand and from it: so few can have been elsewhere after the deal.
cdef void bound_passes(const Box* b, const State* v, Ctx* x, const Lives* lives,
                       int me) noexcept nogil:
    cdef uint64_t home[SEATS][TRICKS + 1]   # cards first known in a hand, by its open swaps so far
    cdef uint64_t may, seen = 0, elsewhere, higher
    cdef int n_swaps[SEATS]
    cdef int n_known[SEATS]
    cdef int i, j, s, r, c, t, k, part, hand = n_hand(b, v), n_numbers = 0, most
    cdef bint given
    cdef double total
    memset(home, 0, sizeof(home))
    for s in range(v.seats):
        n_swaps[s] = 0
        n_numbers += x.need[s]
    for part in range(x.open_swaps + 1):
        for i in range(lives.n):
            if lives.life[i].first == part and not seen & bit(lives.life[i].card):
                seen |= bit(lives.life[i].card)
                s = lives.life[i].come[part] - 1
                home[s][n_swaps[s]] |= bit(lives.life[i].card)
        if part < x.open_swaps:
            n_swaps[v.log[x.swap_at[part]].thief - 1] += 1
            n_swaps[v.log[x.swap_at[part]].victim - 1] += 1
    for s in range(v.seats):
        n_known[s] = 2 * n_swaps[s] + is_covered(v, s, me)
        for j in range(n_swaps[s] + 1):
            n_known[s] += count64(home[s][j])
        n_known[s] = min(n_known[s], hand)
    for s in range(v.seats):
        r = (s + v.seats - 1) % v.seats
        given = (s + 1) % v.seats == me
        may = 0
        for c in range(COLOURS * NUMBERS):
            if not seen & bit(c):
                continue
            k = 0
            for j in range(n_swaps[s] + 1):
                higher = home[s][j] & suit_mask(colour_of(c)) & ~(bit(c) | (bit(c) - 1))
                if given:
                    higher &= ~bit1(v.given[me])
                k += count64(higher)
                if k > 2 * j + (0 if given else 1):
                    break
            else:
                may |= bit(c)
        elsewhere = may
        for t in range(v.seats):            # certain to have been elsewhere
            if t != r:
                elsewhere &= ~home[t][0]
        k = is_covered(v, r, me)            # one more known card, first of all its hand's
        for j in range(n_swaps[r] + 1):
            k += count64(home[r][j] & may)
            elsewhere &= ~home[r][j]
        most = k + min(2 * n_swaps[r], count64(elsewhere) + v.seats)
        most = min(most, hand - count64(home[r][0] & ~may))
        x.most_passes[s] = 0
        for k in range(max(0, hand - n_numbers), n_known[r] + 1):
            total = min(k, most) + <double>(hand - k) / max(1, hand - n_known[s])
            if total > x.most_passes[s]:
                x.most_passes[s] = total

cdef void add_track(const State* v, Ctx* x, const Life* life, int n_parts) noexcept nogil:
    cdef int i = x.n_tracks, part, a, c, seats
    x.track[i] = life.card
    x.n_tracks += 1
    for part in range(life.first, life.last + 1):
        if not life.come[part]:
            continue
        x.stop[part] |= <uint64_t>7 << (3 * i)
        if part > life.first:
            x.come[part] |= <uint64_t>life.come[part] << (3 * i)
        if part < life.last:
            x.leave[part] |= <uint64_t>life.leave[part] << (3 * i)
    seats = (1 << v.seats) - 1
    for part in range(life.last, life.first, -1):
        if life.come[part]:
            seats = 1 << (life.come[part] - 1)
        x.reach[i][part] = seats
        a = v.log[x.swap_at[part - 1]].thief - 1
        c = v.log[x.swap_at[part - 1]].victim - 1
        if seats & (1 << a | 1 << c):
            seats |= 1 << a | 1 << c

cdef inline int seat_in(uint64_t key, int track) noexcept nogil:
    return <int>((key >> (3 * track)) & 7) - 1

# Its place in the table: where it is, or where it would go.
cdef inline int route_at(const Ctx* x, int part, uint64_t key) noexcept nogil:
    cdef uint64_t all_ = key | <uint64_t>part << 60
    cdef uint32_t i = <uint32_t>((all_ ^ (all_ >> 29)) * <uint64_t>0x9E3779B97F4A7C15 >> 32)
    i &= x.route_mask
    while x.route[i].ways > 0 and x.route[i].key != all_:
        i = (i + 1) & x.route_mask
    return i

cdef bint add_route(Ctx* x, int part, uint64_t key, double ways) noexcept nogil:
    cdef int i = route_at(x, part, key)
    if x.route[i].ways == 0:
        if 4 * x.n_routes >= 3 * x.route_mask:
            return False
        x.route[i].key = key | <uint64_t>part << 60
        x.listed[x.n_routes] = i
        x.n_routes += 1
    x.route[i].ways += ways
    return True

# The tracks that a swap may have moved, and how it can have moved them: bit i of `moves` moves the
# i-th of them. Ways of one such move; the key on the other side.
cdef struct Crossing:
    int a, c, n_given, n_taken, size_a, size_c      # hands after the swap
    int n
    uint8_t track[TRACKS]

cdef void cross(const Box* b, const State* v, const Ctx* x, int j, uint64_t key,
                Crossing* out) noexcept nogil:
    cdef int t = x.swap_at[j], i, s
    out.a = v.log[t].thief - 1
    out.c = v.log[t].victim - 1
    swap_sizes(b, v, t, &out.n_given, &out.n_taken)
    i = out.n_taken - out.n_given           # of a swap that is not yet complete
    out.size_a = n_hand(b, v) - t - 1 + i
    out.size_c = n_hand(b, v) - t - 1 - i
    out.n = 0
    for i in range(x.n_tracks):
        s = seat_in(key, i)
        if s == out.a or s == out.c:
            out.track[out.n] = i
            out.n += 1

cdef uint64_t moved(const Crossing* cr, uint64_t key, int moves) noexcept nogil:
    cdef int i, k
    for i in range(cr.n):
        if moves >> i & 1:
            k = 3 * cr.track[i]
            key ^= <uint64_t>((cr.a + 1) ^ (cr.c + 1)) << k
    return key

cdef double ways_across(const Crossing* cr, uint64_t after, int moves) noexcept nogil:
    cdef int n[2][2]
    cdef int i
    memset(n, 0, sizeof(n))
    for i in range(cr.n):
        n[seat_in(after, cr.track[i]) == cr.c][moves >> i & 1] += 1
    return all_ways(cr.n_given, cr.n_taken, n[1][1], n[1][0], cr.size_c - n[1][0] - n[1][1],
                    n[0][1], cr.size_a - n[0][0] - n[0][1])

# Forward, the pasts of all places the tracks can be in; False: there is no room.
cdef bint count_routes(const Box* b, const State* v, Ctx* x, int size) noexcept nogil:
    cdef int j, i, moves, k, s
    cdef uint64_t key, after
    cdef double ways, w
    cdef bint fits
    cdef Crossing cr
    x.route_mask = size - 1
    memset(x.route, 0, size * sizeof(Route))
    x.n_routes = 0
    x.first_route[0] = 0
    add_route(x, 0, x.leave[0], 1)
    x.first_route[1] = 1
    for j in range(x.open_swaps):
        for i in range(<int>x.first_route[j], <int>x.first_route[j + 1]):
            key = x.route[x.listed[i]].key & ~(<uint64_t>15 << 60)
            ways = x.route[x.listed[i]].ways
            cross(b, v, x, j, key, &cr)
            for moves in range(1 << cr.n):
                after = moved(&cr, key, moves)
                fits = True
                for k in range(x.n_tracks):
                    s = seat_in(after, k)
                    if s >= 0 and not x.reach[k][j + 1] >> s & 1:
                        fits = False
                        break
                if not fits:
                    continue
                w = ways * ways_across(&cr, after, moves)
                after = (after & ~x.stop[j + 1]) | x.leave[j + 1]
                if w > 0 and not add_route(x, j + 1, after, w):
                    return False
        x.first_route[j + 2] = x.n_routes
    return True

# Today: each place of the tracks with the ways to fill up the hands, and with the cards that may
# be the covered ones; see `cover_first`.
cdef int count_endings(const Box* b, const State* v, Ctx* x, int me) noexcept nogil:
    cdef int i, k, s, n, part = x.open_swaps
    cdef uint64_t key, pool
    cdef uint64_t sure[SEATS]
    cdef double ways, sum_ = 0
    for i in range(<int>x.first_route[part], <int>x.n_routes):
        key = x.route[x.listed[i]].key & ~(<uint64_t>15 << 60)
        ways = x.route[x.listed[i]].ways
        memcpy(sure, x.sure, sizeof(sure))
        pool = x.unseen
        for k in range(x.n_tracks):
            if seat_in(key, k) >= 0:
                sure[seat_in(key, k)] |= bit(x.track[k])
                pool &= ~bit(x.track[k])
        n = count64(pool)
        for s in range(v.seats):
            k = x.need[s] - count64(sure[s] & ~x.sure[s])
            ways *= choose(n, k)
            if ways == 0:
                break
            n -= k
            if is_covered(v, s, me):
                ways *= covers(b, v, s, sure[s], pool, k)
        sum_ += ways
        x.ending[i - x.first_route[part]] = sum_
    return 0 if sum_ > 0 else 3

# How many cards may be the one a seat has covered: its known ones and a share of the unseen ones.
cdef double covers(const Box* b, const State* v, int seat, uint64_t sure, uint64_t pool,
                   int need) noexcept nogil:
    cdef double out = count64(fitting(b, v, seat, sure))
    if need:
        out += <double>count64(fitting(b, v, seat, pool)) * need / count64(pool)
    return out

# A swap in the seat's log: what it knows of the two hands afterwards.
cdef void know_swap(Ctx* x, const Trick* log, int me) noexcept nogil:
    cdef int a = log.thief - 1, c = log.victim - 1
    cdef uint64_t taken = bit1(log.taken[0]) | bit1(log.taken[1])
    cdef uint64_t given = bit1(log.given[0]) | bit1(log.given[1])
    if me == a or me == c:
        x.sure[c] = (x.sure[c] & ~taken) | given
        x.sure[a] = (x.sure[a] | taken) & ~given
    else:
        x.sure[a] = x.sure[c] = 0
        x.open_swaps += 1

# Unseen passes, no unseen swaps. A world is how the unseen cards lie in the hands right after the
# pass and what everybody passed: a card of the receiver's hand, either one known to have been there
# (it has come to light) or a hidden one. Each hand misses `need` cards whatever was passed, so all
# ways to deal them count alike, and as many. What a pass says of the giver's dealt hand depends on
# it and on the card that hand received: a ring of factors, which sums weigh exactly. A factor is
# the most that a deal can count; what a deal falls short of it is the weight of its world.
cdef int prepare_passes(const Box* b, const State* v, Ctx* x, int me) noexcept nogil:
    cdef int s, r, t, step, n = v.seats, c
    cdef uint64_t cards
    cdef const Trick* log
    memcpy(x.start, x.sure, sizeof(x.start))
    for t in range(v.trick if v.trick < TRICKS else TRICKS - 1, -1, -1):
        log = &v.log[t]
        for step in range(1, -1, -1):
            if log.thief and step == (0 if log.fetcher == 0 or swap_first(v, t) else 1):
                undo_swap(x.start, log, bit1(log.taken[0]) | bit1(log.taken[1]),
                          bit1(log.given[0]) | bit1(log.given[1]))
            if log.fetcher and step == (1 if log.thief == 0 or swap_first(v, t) else 0):
                undo_fetch(x.start, log)
        for s in range(n):
            x.start[s] |= bit1(log.card[s])
    for s in range(n):
        if count64(x.start[s]) + x.need[s] != n_hand(b, v):
            return 3
        x.covered[s] = early_covers(b, v, x, me, s)
    for s in range(n):
        r = (s + n - 1) % n
        if s == me or r == me:
            add_option(x, s, v.given[s])
            continue
        cards = x.start[r]
        while cards:
            c = lowest64(cards)
            cards &= cards - 1
            # The giver's dealt hand holds all of `start` but the card it received.
            if count64(x.start[s] & higher_of(c)) <= 1:
                add_option(x, s, c + 1)
        if x.need[r] > (x.covered[r] != 0):
            add_option(x, s, HIDDEN)
        if x.covered[r]:
            add_option(x, s, COVERED)
    return prepare_ring(v, x, me)

cdef inline void add_option(Ctx* x, int s, int option) noexcept nogil:
    x.option[s][x.n_option[s]] = option
    x.n_option[s] += 1

cdef inline bint is_card(int option) noexcept nogil:
    return option != HIDDEN and option != COVERED

# Unseen cards one of which a seat has laid covered, where it pays to draw that one before the deal:
# a hand holds such a card less than once on average. 0 elsewhere; then `cover` finds it.
cdef uint64_t early_covers(const Box* b, const State* v, const Ctx* x, int me,
                           int s) noexcept nogil:
    cdef uint64_t fits
    if not is_covered(v, s, me) or fitting(b, v, s, x.sure[s]):
        return 0
    fits = fitting(b, v, s, x.unseen)
    return fits if x.need[s] * count64(fits) < count64(x.unseen) else 0

# Those of them that can have been in the dealt hand: not higher than the pass.
cdef inline uint64_t lay_cards(const Ctx* x, int s, int option) noexcept nogil:
    return x.covered[s] & ~higher_of(option - 1) if is_card(option) else x.covered[s]

# Unseen cards of a dealt hand besides the hidden pass, by the next seat's option; and those among
# them that are dealt or lower cards, not the covered one.
cdef inline int n_unseen(const Ctx* x, int s, int next_) noexcept nogil:
    return x.need[s] if is_card(next_) else x.need[s] - 1

cdef inline int n_fresh(const Ctx* x, int s, int next_) noexcept nogil:
    return n_unseen(x, s, next_) - (x.covered[s] != 0 and next_ != COVERED)

cdef inline uint64_t known_dealt(const Ctx* x, int s, int next_) noexcept nogil:
    return x.start[s] & ~bit1(next_) if is_card(next_) else x.start[s]

cdef inline uint64_t lower_of(int card) noexcept nogil:
    return suit_mask(colour_of(card)) & (bit(card) - 1)

cdef inline uint64_t higher_of(int card) noexcept nogil:
    return suit_mask(colour_of(card)) & ~(bit(card) | (bit(card) - 1))

# Could a hand of these cards, this one and m unseen ones pass this one? Then how many lower cards
# of its colour there must be among the unseen ones; else -1. Some colour has a quarter of the hand.
cdef int n_lacking(uint64_t hand, int card, uint64_t unseen, int m) noexcept nogil:
    cdef int c, k, n = count64(hand & suit_mask(colour_of(card))) + 1
    cdef int most = (count64(hand) + m + COLOURS) // COLOURS
    if hand & higher_of(card):
        return -1
    for c in range(COLOURS):
        k = count64(hand & suit_mask(c))
        if k > most:
            most = k
    if most <= n:
        return 0
    return most - n if most - n <= m and most - n <= count64(unseen & lower_of(card)) else -1

cdef double choose(int n, int k) noexcept nogil:
    cdef double out = 1
    cdef int i
    if k < 0 or k > n:
        return 0
    for i in range(k):
        out = out * (n - i) / (i + 1)
    return out

# In how many ways k cards take their places among n.
cdef double places(int n, int k) noexcept nogil:
    cdef double out = 1
    cdef int i
    for i in range(k):
        out *= n - i
    return out

# Of n cards so many are bad: the odds that k of them are all good.
cdef double all_good(int n, int bad, int k) noexcept nogil:
    cdef double out = 1
    cdef int i
    if n - bad < k:
        return 0
    for i in range(k if bad else 0):
        out = out * (n - bad - i) / (n - i)
    return out

# The ring, so that a sample has little to throw away and nothing to search.
cdef int prepare_ring(const State* v, Ctx* x, int me) noexcept nogil:
    cdef int n = v.seats, s, next_, i, k, c, first = me if me >= 0 else 0
    cdef double gain, best = 1, all_, odds
    # Step 1. Factors, and what is drawn before the deal.
    for s in range(n):
        next_ = (s + 1) % n
        if not is_card(x.option[s][x.n_option[s] - 1]):
            for k in range(x.n_option[next_]):
                x.may[s][k] = hidden_cards(x, s, x.option[next_][k])
        for i in range(x.n_option[s]):
            for k in range(x.n_option[next_]):
                x.factor[s][i][k] = ring_factor(v, x, me, s, i, k)
        count_early(v, x, s)
    # Step 2. The seat that gains most by being dealt to first.
    x.lead = SEATS
    for s in range(n):
        all_ = gain = 0
        for i in range(x.n_option[s]):
            for k in range(x.n_option[(s + 1) % n]):
                all_ += x.factor[s][i][k]
                gain += x.factor[s][i][k] * lead_odds(v, x, me, s, i, k)
        if gain < best * all_:
            best = gain / all_
            x.lead = s
    s = x.lead
    for i in range(x.n_option[s] if s < SEATS else 0):
        for k in range(x.n_option[(s + 1) % n]):
            x.avoids[i][k] = lead_odds(v, x, me, s, i, k)
            x.factor[s][i][k] *= x.avoids[i][k]
    # Step 3. Sums over the ring, cut open at one seat.
    all_ = 0
    for c in range(x.n_option[first]):
        for next_ in range(n, 0, -1):
            s = (first + next_ - 1) % n
            for i in range(x.n_option[s]):
                if next_ == n:
                    x.ahead[c][n - 1][i] = x.factor[s][i][c]
                    continue
                odds = 0
                for k in range(x.n_option[(s + 1) % n]):
                    odds += x.factor[s][i][k] * x.ahead[c][next_][k]
                x.ahead[c][next_ - 1][i] = odds
        all_ += x.ahead[c][0][c]
    return 0 if all_ > 0 else 3

# Unseen cards that the hidden pass of a seat may be.
cdef uint64_t hidden_cards(const Ctx* x, int s, int next_) noexcept nogil:
    cdef uint64_t out = 0, cards = x.unseen, hand = known_dealt(x, s, next_)
    cdef int c
    while cards:
        c = lowest64(cards)
        cards &= cards - 1
        if n_lacking(hand, c, x.unseen, n_unseen(x, s, next_)) >= 0:
            out |= bit(c)
    return out

# Cards drawn before the deal leave fewer for the next: the odds at most for the next k of a seat.
cdef double early_odds(const Ctx* x, int s, int k) noexcept nogil:
    cdef int i, left = count64(x.unseen) - x.sooner[s]
    cdef double out = 1
    for i in range(SEATS):
        left -= x.covered[i] != 0
    for i in range(k):
        out /= left - i if left - i > 1 else 1
    return out

# The most that the deals can count for an option of a seat and one of the next. What makes them
# count less often is drawn before the deal where that pays: the hidden pass, or lower cards without
# which the pass would not be of the longest colour.
cdef double ring_factor(const State* v, Ctx* x, int me, int s, int i, int k) noexcept nogil:
    cdef int r = (s + v.seats - 1) % v.seats, option = x.option[s][i], lack, n, j
    cdef int next_ = x.option[(s + 1) % v.seats][k], m = n_fresh(x, s, next_)
    cdef uint64_t hand, lower
    cdef double out, most, p
    if s == me:
        return 1
    if m < 0:
        return 0
    if option == COVERED:
        return <double>count64(x.may[s][k] & x.covered[r]) / count64(x.covered[r])
    if option == HIDDEN:        # it has as many places at the receiver's; blind: at the giver's too
        out = 1.0 / (m + 1) if x.may[s][k] else 0
        p = count64(x.may[s][k]) * early_odds(x, s, 1)
        x.early[s][i][k] = p < out
        return (x.need[r] - (x.covered[r] != 0)) * (p if p < out else out)
    hand = known_dealt(x, s, next_)
    lack = n_lacking(hand, option - 1, x.unseen, n_unseen(x, s, next_))
    if lack < 0:
        return 0
    if n_unseen(x, s, next_) == 0:
        return 1.0 / count64(pass_cards(hand | bit1(option))) if r != me else 1.0
    lower = x.unseen & lower_of(option - 1)
    out = 1
    if x.covered[s] and next_ != COVERED:
        if x.covered[s] & lower:
            lack -= 1                       # the covered card may be one of them
        out = <double>count64(lay_cards(x, s, option)) / count64(x.covered[s])
    most = out
    n = count64(lower)
    for j in range(1, (lack if lack < LOWER else LOWER) + 1):
        p = most * choose(n, j) * early_odds(x, s, j) * places(m, j)
        if p < out:
            out = p
            x.early[s][i][k] = j
    return out

# What is drawn before the deal for the pass of a seat: how many cards at most, and out of which.
cdef void count_early(const State* v, Ctx* x, int s) noexcept nogil:
    cdef int i, k, c, n, most = 0
    cdef uint64_t cards
    for i in range(x.n_option[s]):
        for k in range(x.n_option[(s + 1) % v.seats]):
            n = x.early[s][i][k]
            if n == 0:
                continue
            cards = (x.unseen & lower_of(x.option[s][i] - 1) if is_card(x.option[s][i])
                     else x.may[s][k])
            x.drawn[s] |= cards
            most = n if n > most else most
            for c in range(COLOURS):
                if cards & suit_mask(c) and n > x.n_early[s][c]:
                    x.n_early[s][c] = n
    for i in range(s + 1, v.seats):
        x.sooner[i] += most

# The odds at most that the fresh cards of the seat dealt to first are not higher than its pass:
# when as many as can be of those drawn before were higher.
cdef double lead_odds(const State* v, const Ctx* x, int me, int s, int i, int k) noexcept nogil:
    cdef int option = x.option[s][i], next_ = x.option[(s + 1) % v.seats][k]
    cdef int m = n_fresh(x, s, next_) - x.early[s][i][k], n = count64(x.unseen), gone = 0, j
    cdef uint64_t bad
    if s == me or m < 0 or not is_card(option):
        return 1
    bad = x.unseen & higher_of(option - 1)
    for j in range(v.seats):
        if j != s or next_ == COVERED:      # what itself was dealt is not higher
            gone += (x.covered[j] & bad) != 0
        if j != s and x.drawn[j] & bad:
            gone += x.n_early[j][colour_of(option - 1)]
    gone = min(gone, count64(bad), n - m)
    return all_good(n - gone, count64(bad) - gone, m)

# Backwards: the thief takes back what he gave, the victim what was drawn.
cdef inline void undo_swap(uint64_t* hand, const Trick* log, uint64_t taken,
                           uint64_t given) noexcept nogil:
    cdef int a = log.thief - 1, c = log.victim - 1
    hand[a] = (hand[a] | given) & ~taken
    hand[c] = (hand[c] & ~given) | taken

cdef inline void undo_fetch(uint64_t* hand, const Trick* log) noexcept nogil:
    hand[log.fetcher - 1] |= bit1(log.dropped)
    hand[log.fetcher - 1] &= ~bit1(log.fetched)

cdef uint64_t draw_cards(Rng* rng, uint64_t* cards, int n) noexcept nogil:
    cdef uint64_t out = 0, c
    cdef int _
    for _ in range(n):
        c = bit(pick64(rng, cards[0]))
        cards[0] &= ~c
        out |= c
    return out

cdef double sample(const void* box, const void* view, const void* context, Rng* rng,
                   void* state) noexcept nogil:
    cdef const Box* b = <const Box*>box
    cdef const State* v = <const State*>view
    cdef const Ctx* x = <const Ctx*>context
    cdef State* w = <State*>state
    cdef int me = v.observer - 1, s
    cdef uint64_t rest = x.unseen
    cdef double weight = 1
    memcpy(w, v, sizeof(State))
    w.observer = 0
    if me >= SEATS:
        me = -1
    if x.passed and x.open_swaps:
        weight = deal_backward(b, v, x, me, rng, w)
    elif x.passed:
        weight = deal_forward(b, v, x, me, rng, w)
        if weight == 0 or not cover(b, v, me, rng, w):
            return 0
    else:
        for s in range(v.seats):
            if s != me:
                w.hand[s] = x.sure[s] | draw_cards(rng, &rest, x.need[s])
    if weight == 0:
        return 0
    for s in range(b.decks[v.seats]):
        sample_deck(b, v, x, s, me, rng, w)
    return weight

# Deal the unseen cards as they were dealt, pass, and take what is known for granted.
cdef double deal_forward(const Box* b, const State* v, const Ctx* x, int me, Rng* rng,
                         State* w) noexcept nogil:
    cdef int n = v.seats, s, i, k, m, early, left = count64(x.unseen), gone = 0
    cdef int to_me = (me + 1) % n if me >= 0 else SEATS
    cdef bint blind
    cdef int at[SEATS + 1]                  # places in the lists of options; the first once more
    cdef int option[SEATS + 1]
    cdef uint64_t rest = x.unseen, cards, dealt, fits
    cdef uint64_t fresh[SEATS]              # unseen cards of a hand, but the card received
    cdef double weight = 1
    # Step 1. What was passed.
    draw_options(x, n, me, rng, at)
    at[n] = at[0]
    for s in range(n):
        option[s] = x.option[s][at[s]]
    option[n] = option[0]
    # Step 2. Cards that are drawn before the deal.
    for s in range(n):
        fresh[s] = 0
        if x.covered[s]:
            left -= 1
            if option[s + 1] != COVERED:
                cards = lay_cards(x, s, option[s])
                fresh[s] = draw_early(rng, cards, 1, &rest, &weight)
                if weight == 0:
                    return 0
    for s in range(n):
        early = x.early[s][at[s]][at[s + 1]]
        if is_card(option[s]):
            w.given[s] = option[s]
            if not early:
                continue
            cards = x.unseen & lower_of(option[s] - 1)
            fresh[s] |= draw_early(rng, cards, early, &rest, &weight)
        elif early or option[s] == COVERED:
            cards = x.may[s][at[s + 1]]
            if option[s] == COVERED:
                cards &= x.covered[s - 1 if s else n - 1]
            cards = draw_early(rng, cards, 1, &rest, &weight)
            if cards:
                w.given[s] = lowest64(cards) + 1
        if weight == 0:
            return 0
        for i in range(early):              # the factors reckon with all that may be gone by then
            m = left - x.sooner[s] - i
            weight *= <double>(m if m > 1 else 1) / (left - gone)
            gone += 1
    # Step 3. The deal, and what each hand says to its pass.
    for i in range(-1, n):
        s = x.lead if i < 0 else i
        if s == SEATS or s == me or (s == x.lead and i >= 0):
            continue
        early = x.early[s][at[s]][at[s + 1]]
        blind = option[s] == HIDDEN and not early
        m = n_fresh(x, s, option[s + 1]) + blind
        cards = rest
        if is_card(option[s]):
            m -= early
            if s == x.lead:
                cards &= ~higher_of(option[s] - 1)
                weight *= (all_good(count64(rest), count64(rest & ~cards), m)
                           / x.avoids[at[s]][at[s + 1]])
                if weight == 0:
                    return 0
        dealt = cards if m == count64(cards) else draw_cards(rng, &cards, m)
        rest &= ~dealt
        fresh[s] |= dealt
        cards = known_dealt(x, s, option[s + 1]) | fresh[s]
        if blind:
            fits = pass_cards(cards)
            k = count64(fits)
            fits &= dealt
            if not fits:
                return 0
            weight *= <double>count64(fits) / k
            w.given[s] = pick64(rng, fits) + 1
            fresh[s] &= ~bit1(w.given[s])
        elif not is_card(option[s]) or n_unseen(x, s, option[s + 1]):   # else the factor has it
            fits = pass_cards(cards | bit1(w.given[s]))
            if not fits & bit1(w.given[s]):
                return 0
            if s != to_me:                  # a received pass only rules out
                weight /= count64(fits)
            if early and is_card(option[s]):
                weight /= choose(early + count64(dealt & lower_of(option[s] - 1)), early)
    # Step 4. The hands of today.
    for s in range(n):
        if s == me:
            continue
        if not is_card(option[s + 1]):
            fresh[s] |= bit1(w.given[(s + 1) % n])
        if x.covered[s]:
            weight /= count64(fresh[s] & x.covered[s])
        w.hand[s] = x.sure[s] | fresh[s]
    return weight

# An option for each seat, with the odds of its factors: round the ring, by what lies ahead.
cdef void draw_options(const Ctx* x, int n, int me, Rng* rng, int* at) noexcept nogil:
    cdef int r, s, i, k, first = me if me >= 0 else 0
    cdef double p, left = 0, total = 0
    for i in range(x.n_option[first]):
        total += x.ahead[i][0][i]
    left = total * uniform(rng)
    for i in range(x.n_option[first]):
        p = x.ahead[i][0][i]
        if p > 0:
            at[first] = i
            if left < p:
                break
            left -= p
    if left >= p:                           # rounding took it past the last one
        left = 0
    s = first
    for r in range(n - 1):
        i = s + 1 if s + 1 < n else 0
        for k in range(x.n_option[i]):
            p = x.factor[s][at[s]][k] * x.ahead[at[first]][r + 1][k]
            if p > 0:
                at[i] = k
                if left < p:
                    break
                left -= p
        if left >= p:
            left = 0
        left /= x.factor[s][at[s]][at[i]]
        s = i

# Some of these cards, out of those that are left; weight 0 if they are too few.
cdef uint64_t draw_early(Rng* rng, uint64_t cards, int k, uint64_t* rest,
                         double* weight) noexcept nogil:
    cdef uint64_t left = cards & rest[0], out
    cdef int n = count64(left), all_ = count64(cards)
    if n < k:
        weight[0] = 0
        return 0
    if n < all_:
        weight[0] *= all_good(all_, all_ - n, k)
    out = draw_cards(rng, &left, k)
    rest[0] &= ~out
    return out

# A covered card is any card of the hand that fits what is shown of it. §8.4, §8.5
cdef bint cover(const Box* b, const State* v, int me, Rng* rng, State* w) noexcept nogil:
    cdef int s, c
    cdef uint64_t fits
    for s in range(v.seats):
        if not is_covered(v, s, me):
            continue
        fits = fitting(b, v, s, w.hand[s])
        if not fits:
            return False
        c = pick64(rng, fits)
        w.card[s] = c + 1
        w.hand[s] &= ~bit(c)
    return True

# With swaps this seat did not see: from the hands of today back to the deal, one event at a time.
# A swap has as many predecessors whatever the hands are, so a uniform predecessor is an exact one;
# cards known to have been elsewhere before it are followed, see `prepare_swaps`.
# What is not known stays unknown on the way: an unknown card is a number, and gets its card when
# the past names it, or at the end. So the past need not be hit by luck.
cdef struct Past:
    uint64_t known[SEATS]           # cards of each hand, as far as they are known
    uint64_t numbered[SEATS]        # the others, as bits of their numbers
    uint8_t card[64]                # by number: card + 1, 0 = not named yet
    uint64_t pool                   # unseen cards that no number stands for
    double weight
    uint64_t given[TRICKS]          # open swaps: known cards, and numbers, that went each way
    uint64_t given_number[TRICKS]
    uint64_t taken[TRICKS]
    uint64_t taken_number[TRICKS]

cdef double deal_backward(const Box* b, const State* v, const Ctx* x, int me, Rng* rng,
                          State* w) noexcept nogil:
    cdef Past z
    cdef uint64_t ids
    cdef uint64_t last[SEATS]
    cdef uint64_t found[SEATS]
    cdef int n = v.seats, s, t, step, m = 0, j = x.open_swaps
    cdef uint64_t key = draw_ending(x, rng)
    cdef const Trick* log
    z.pool = x.unseen
    z.weight = 1
    memset(z.card, 0, sizeof(z.card))
    memcpy(z.known, x.sure, sizeof(z.known))
    for t in range(x.n_tracks):
        s = seat_in(key, t)
        if s >= 0:
            z.known[s] |= bit(x.track[t])
            z.pool &= ~bit(x.track[t])
    for s in range(n):
        found[s] = z.known[s]
        t = x.need[s] - count64(z.known[s] & ~x.sure[s])
        z.numbered[s] = ((ONE << t) - 1) << m
        last[s] = z.numbered[s]
        m += t
    if not cover_first(b, v, me, rng, &z, w):
        return 0
    # Step 1. Back through the round.
    for t in range(v.trick if v.trick < TRICKS else TRICKS - 1, -1, -1):
        log = &v.log[t]
        for step in range(1, -1, -1):
            if log.thief and step == (0 if log.fetcher == 0 or swap_first(v, t) else 1):
                if log.thief == me + 1 or log.victim == me + 1:
                    if not unswap_own(log, me, rng, &z):
                        return 0
                else:
                    j -= 1
                    key = unswap(b, v, x, j, key, rng, &z)
            if log.fetcher and step == (1 if log.thief == 0 or swap_first(v, t) else 0):
                z.known[log.fetcher - 1] |= bit1(log.dropped)
                if not name_in(&z, log.fetcher - 1, log.fetched, rng):
                    return 0
                z.known[log.fetcher - 1] &= ~bit1(log.fetched)
        for s in range(n):
            z.known[s] |= bit1(log.card[s])
    if me >= 0 and not name_in(&z, (me + n - 1) % n, v.given[me], rng):
        return 0
    # Step 2. Cards for all numbers, then the passes.
    for s in range(m):
        if not z.card[s]:
            ids = draw_cards(rng, &z.pool, 1)
            z.card[s] = lowest64(ids) + 1
    if not unpass(b, v, x, me, rng, &z, w):
        return 0
    # Step 3. What was found, into the world.
    for s in range(n):
        if s == me:
            continue
        w.hand[s] = found[s] | cards_behind(&z, last[s])
        if is_covered(v, s, me):
            z.weight /= count64(fitting(b, v, s, w.hand[s]))
            w.hand[s] &= ~bit1(w.card[s])
    for t in range(v.trick + 1 if v.trick < TRICKS else TRICKS):
        if v.log[t].thief and v.log[t].thief != me + 1 and v.log[t].victim != me + 1:
            fill(w.log[t].given, z.given[t] | cards_behind(&z, z.given_number[t]))
            fill(w.log[t].taken, z.taken[t] | cards_behind(&z, z.taken_number[t]))
    return z.weight

# The covered cards before all else, because few cards fit: one of the hand's known ones or, as
# often as it comes into that hand, an unseen one. A hand with several that fit is found as often.
cdef bint cover_first(const Box* b, const State* v, int me, Rng* rng, Past* z,
                      State* w) noexcept nogil:
    cdef int s, c, n = count64(z.pool), n_drawn = 0, n_covered = 0
    cdef uint64_t sure, pool = z.pool
    cdef double total
    for s in range(v.seats):
        if not is_covered(v, s, me):
            continue
        sure = fitting(b, v, s, z.known[s])
        total = covers(b, v, s, z.known[s], pool, count64(z.numbered[s]))
        if uniform(rng) * total < count64(sure):
            w.card[s] = pick64(rng, sure) + 1
        else:
            c = pick64(rng, fitting(b, v, s, pool))
            if not z.pool & bit(c):
                return False                # another seat has it
            z.pool &= ~bit(c)
            z.card[lowest64(z.numbered[s])] = c + 1
            z.numbered[s] &= z.numbered[s] - 1
            z.known[s] |= bit(c)
            w.card[s] = c + 1
            z.weight *= <double>n / (n - n_drawn)       # fewer cards were left to draw from
            n_drawn += 1
        if n_covered < n:
            z.weight *= <double>(n - n_covered) / n     # the bound of that
        n_covered += 1
    return True

cdef uint64_t draw_ending(const Ctx* x, Rng* rng) noexcept nogil:
    cdef int n = x.n_routes - x.first_route[x.open_swaps], low = 0, high = n - 1, i
    cdef double at = uniform(rng) * x.ending[n - 1]
    while low < high:
        i = (low + high) // 2
        if x.ending[i] <= at:
            low = i + 1
        else:
            high = i
    i = x.listed[x.first_route[x.open_swaps] + low]
    return x.route[i].key & ~(<uint64_t>15 << 60)

cdef inline bint is_covered(const State* v, int seat, int me) noexcept nogil:
    return seat != me and v.half[seat] and (v.phase == PLAYING or v.phase == UNCOVERING)

# The cards of a set that may be the one a seat has covered. §8.4, §8.5
cdef uint64_t fitting(const Box* b, const State* v, int seat, uint64_t cards) noexcept nogil:
    cdef uint64_t out = 0
    cdef int c
    while cards:
        c = lowest64(cards)
        cards &= cards - 1
        if face_of(c, v.half[seat]) == v.face[seat] and number_of(c) + v.laid[seat] <= b.cap:
            out |= bit(c)
    return out

cdef uint64_t cards_behind(const Past* z, uint64_t numbers) noexcept nogil:
    cdef uint64_t out = 0
    while numbers:
        out |= bit1(z.card[lowest64(numbers)])
        numbers &= numbers - 1
    return out

# The past says that a card was in a hand: it is there, or one of the numbers there stands for it.
cdef bint name_in(Past* z, int seat, int card1, Rng* rng) noexcept nogil:
    cdef uint64_t card = bit1(card1)
    cdef int k, n, size
    if z.known[seat] & card:
        return True
    if not z.pool & card:
        return False                    # it is elsewhere
    n = count64(z.numbered[seat])
    size = n + count64(z.known[seat])
    if n == 0:
        return False
    z.weight *= <double>n / size        # each place of the hand is as likely; known ones are taken
    k = pick64(rng, z.numbered[seat])
    z.numbered[seat] &= ~bit(k)
    z.card[k] = card1
    z.pool &= ~card
    z.known[seat] |= card
    return True

# A swap of the observer: all its cards are known.
cdef bint unswap_own(const Trick* log, int me, Rng* rng, Past* z) noexcept nogil:
    cdef int a = log.thief - 1, c = log.victim - 1, k, other = c if a == me else a
    cdef uint64_t taken = bit1(log.taken[0]) | bit1(log.taken[1])
    cdef uint64_t given = bit1(log.given[0]) | bit1(log.given[1])
    cdef uint64_t there = given if a == me else taken & ~given
    for k in range(2):
        if a == me and log.given[k] and not name_in(z, other, log.given[k], rng):
            return False
        if c == me and bit1(log.taken[k]) & there and not name_in(z, other, log.taken[k], rng):
            return False
    undo_swap(z.known, log, taken, given)
    return True

# The number of ways to undo a swap: in the victim's hand are `ca` cards known to come from the
# thief, `cc` known to come from the victim and `cf` others; in the thief's `ac` cards known to come
# from the victim and `af` free ones. `k` of the cards given were taken first.
cdef double ways_to_unswap(int n_given, int n_taken, int ca, int cc, int cf, int ac, int af,
                           int k) noexcept nogil:
    cdef int rest = n_given - ca - k
    if rest < 0 or k > cc or n_taken - ac - k < 0:
        return 0
    return choose(cc, k) * choose(cf, rest) * choose(af + rest, n_taken - ac - k)

cdef double all_ways(int n_given, int n_taken, int ca, int cc, int cf, int ac,
                     int af) noexcept nogil:
    cdef double out = 0
    cdef int k
    for k in range(n_given + 1):
        out += ways_to_unswap(n_given, n_taken, ca, cc, cf, ac, af, k)
    return out

# Cards that go each way in the swap of a trick, as far as it has come.
cdef void swap_sizes(const Box* b, const State* v, int t, int* n_given,
                     int* n_taken) noexcept nogil:
    n_given[0] = n_taken[0] = n_swap(n_hand(b, v) - t - 1)
    if t == v.trick and v.phase == DRAWING or v.phase == GIVING and t == v.trick:
        n_given[0] = 0
        n_taken[0] = v.count

# A swap of others, the j-th: first where the tracks come from, by the number of pasts; then the
# other cards, any of them. Returns the key before it.
cdef uint64_t unswap(const Box* b, const State* v, const Ctx* x, int j, uint64_t key, Rng* rng,
                     Past* z) noexcept nogil:
    cdef int t = x.swap_at[j], n_given, n_taken, k, moves, best = 0, i
    cdef uint64_t after = (key & ~x.stop[j + 1]) | x.come[j + 1], free
    cdef uint64_t ca = 0, cc = 0, ac = 0, aa = 0, cf, af, known, numbers
    cdef double at, ways
    cdef Crossing cr
    cross(b, v, x, j, after, &cr)
    if cr.n:
        at = uniform(rng) * x.route[route_at(x, j + 1, key)].ways
        for moves in range(1 << cr.n):
            ways = x.route[route_at(x, j, moved(&cr, after, moves))].ways
            if ways > 0:
                ways *= ways_across(&cr, after, moves)
            if ways > 0:
                best = moves
                at -= ways
                if at < 0:
                    break
    for i in range(cr.n):
        free = bit(x.track[cr.track[i]])
        if seat_in(after, cr.track[i]) == cr.c:
            if best >> i & 1:
                ca |= free
            else:
                cc |= free
        elif best >> i & 1:
            ac |= free
        else:
            aa |= free
    cf = z.known[cr.c] & ~ca & ~cc
    af = z.known[cr.a] & ~ac & ~aa
    n_given = cr.n_given
    n_taken = cr.n_taken
    cdef int n_cf = count64(cf) + count64(z.numbered[cr.c])
    cdef int n_af = count64(af) + count64(z.numbered[cr.a])
    k = 0
    if cc:
        at = uniform(rng) * all_ways(n_given, n_taken, count64(ca), count64(cc), n_cf,
                                     count64(ac), n_af)
        while k < n_given:
            at -= ways_to_unswap(n_given, n_taken, count64(ca), count64(cc), n_cf, count64(ac),
                                 n_af, k)
            if at < 0:
                break
            k += 1
    # Given: all of ca, k of cc, the rest from the free ones. Of these, k and some go on to `taken`.
    z.taken[t] = draw_cards(rng, &cc, k)
    z.taken_number[t] = 0
    known = numbers = 0
    draw_mixed(rng, cf, z.numbered[cr.c], n_given - count64(ca) - k, &known, &numbers)
    z.given[t] = ca | z.taken[t] | known
    z.given_number[t] = numbers
    z.taken[t] |= ac
    draw_mixed(rng, af | known, z.numbered[cr.a] | numbers, n_taken - k - count64(ac), &z.taken[t],
               &z.taken_number[t])
    z.known[cr.a] = (z.known[cr.a] | z.given[t]) & ~z.taken[t]
    z.known[cr.c] = (z.known[cr.c] & ~z.given[t]) | z.taken[t]
    z.numbered[cr.a] = (z.numbered[cr.a] | z.given_number[t]) & ~z.taken_number[t]
    z.numbered[cr.c] = (z.numbered[cr.c] & ~z.given_number[t]) | z.taken_number[t]
    return moved(&cr, after, best)

# n different ones out of known cards and numbers together.
cdef void draw_mixed(Rng* rng, uint64_t known, uint64_t numbers, int n, uint64_t* out_known,
                     uint64_t* out_numbers) noexcept nogil:
    cdef int _
    for _ in range(n):
        if <int>below(rng, count64(known) + count64(numbers)) < count64(known):
            out_known[0] |= draw_cards(rng, &known, 1)
        else:
            out_numbers[0] |= draw_cards(rng, &numbers, 1)

# The passes, from the hands after them. Any card of the receiver may have been the one: the more
# may have been, the likelier these hands are, measured against `most_passes`. One unknown card is
# as good as another: which of the unknown cards of the giver went over is told by the rule of the
# pass, not by luck.
cdef bint unpass(const Box* b, const State* v, const Ctx* x, int me, Rng* rng, Past* z,
                 State* w) noexcept nogil:
    cdef int n = v.seats, i, s, r, k, id_, size
    cdef int passed[SEATS]                  # number of a passed card that is unknown, or -1
    cdef uint64_t fits, cards, options
    cdef double share, total
    for s in range(n):
        passed[s] = -1
    for i in range(n):
        # The seat whose received card is settled first: the one before the observer.
        s = (me - 1 - i + 2 * n) % n if me >= 0 else n - 1 - i
        r = (s + n - 1) % n
        if s == me or r == me:
            continue
        options = pass_options(v, z, me, s, r, w)
        size = count64(z.numbered[s]) + 1 - (1 if passed[(s + 1) % n] >= 0 else 0)
        if me < 0 and i == 0 and size > 1:
            size -= 1                       # the card it received is settled last: a lower bound
        share = <double>count64(z.numbered[r]) / size
        total = count64(options) + share
        if total == 0:
            return False
        if uniform(rng) * x.most_passes[s] >= total:
            return False
        if uniform(rng) * total < share:
            passed[s] = pick64(rng, z.numbered[r])
            w.given[s] = z.card[passed[s]]
        else:
            w.given[s] = pick64(rng, options) + 1
    for s in range(n):
        if s == me:
            continue
        r = (s + n - 1) % n
        k = (s + 1) % n
        cards = z.numbered[s]
        if passed[k] >= 0:
            cards &= ~bit(passed[k])
        cards = z.known[s] | cards_behind(z, cards)
        if passed[k] < 0:
            if not (z.known[s] & bit1(w.given[k])):
                return False
            cards &= ~bit1(w.given[k])
        cards |= bit1(w.given[s])
        fits = pass_cards(cards)
        k = count64(fits)
        if r == me:
            if not fits & bit1(w.given[s]):             # a received pass only rules out
                return False
        elif passed[s] < 0:
            if not fits & bit1(w.given[s]):
                return False
            z.weight /= k
        else:
            # Which unknown card of the giver it was: one that fits, exchanged for the one drawn.
            cards &= ~z.known[s]
            fits &= cards
            if not fits:
                return False
            z.weight *= <double>count64(fits) / k
            if me < 0 and s == n - 1:       # the lower bound above, made good
                size = count64(z.numbered[s]) or 1
                z.weight *= <double>size / count64(cards)
            id_ = pick64(rng, fits)
            exchange(z, z.numbered[s], passed[s], id_ + 1)
            w.given[s] = id_ + 1
    return True

# Known cards of the receiver that may have been passed: none above it stayed with the giver.
cdef uint64_t pass_options(const State* v, const Past* z, int me, int s, int r,
                           const State* w) noexcept nogil:
    cdef uint64_t out = 0, cards = z.known[r], stayed = z.known[s], higher
    cdef int c, k = (s + 1) % v.seats
    cdef bint settled = k == me or me >= 0 or s != v.seats - 1
    if settled:
        stayed &= ~bit1(w.given[k])
    while cards:
        c = lowest64(cards)
        cards &= cards - 1
        higher = stayed & suit_mask(colour_of(c)) & ~(bit(c) | (bit(c) - 1))
        if count64(higher) <= (0 if settled else 1):
            out |= bit(c)
    return out

# Two numbers change cards, so that the passed one stands for a given card of the giver.
cdef void exchange(Past* z, uint64_t numbers, int passed, int card1) noexcept nogil:
    cdef int k
    if z.card[passed] == card1:
        return
    while numbers:
        k = lowest64(numbers)
        numbers &= numbers - 1
        if z.card[k] == card1:
            z.card[k] = z.card[passed]
            z.card[passed] = card1
            return

cdef inline void fill(uint8_t* pair, uint64_t cards) noexcept nogil:
    pair[0] = lowest64(cards) + 1 if cards else 0
    cards &= cards - 1
    pair[1] = lowest64(cards) + 1 if cards else 0

cdef uint8_t[ORDERS][LOOKS] PERMUTATIONS = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

# A deck, as far as somebody has looked at it: three slots on top, each with a card this seat knows
# or with one it does not (0). `around` is all that the past can tell of them. A look of another
# seat permutes the slots (uniformly: as many orders of look-alike cards as ways to tell them apart
# fall together), its own look and what is turned up name what is in them.
cdef inline int slot(int around, int i) noexcept nogil:
    return (around >> (5 * i)) & 31

cdef inline int with_slot(int around, int i, int kind) noexcept nogil:
    return (around & ~(31 << (5 * i))) | (kind << (5 * i))

cdef inline int permuted(int around, int k) noexcept nogil:
    return (slot(around, PERMUTATIONS[k][0]) | slot(around, PERMUTATIONS[k][1]) << 5
            | slot(around, PERMUTATIONS[k][2]) << 10)

# The deck's looks and turns in their order; the one that is going on last.
cdef void list_events(const State* v, int d, Deck* deck) noexcept nogil:
    cdef int t
    for t in range(v.trick + 1 if v.trick < TRICKS else TRICKS):
        if v.log[t].looker and v.log[t].deck == d:
            deck.trick[deck.n_events] = t
            deck.n_events += 1
        if v.log[t].turned[d]:
            deck.turned[deck.n_events] = v.log[t].turned[d]
            deck.n_events += 1

cdef inline bint is_running(const State* v, int trick) noexcept nogil:
    return trick == v.trick and (v.phase == SEEING or v.phase == ORDERING)

cdef inline int n_orders(const State* v, const Deck* deck, int e, int me) noexcept nogil:
    cdef int t = deck.trick[e]
    return 1 if deck.turned[e] or is_running(v, t) or v.log[t].looker == me + 1 else ORDERS

# Cards of a kind, and of all kinds, that were face down before an event and in no slot.
cdef int n_loose(const Box* b, const State* v, const Deck* deck, int d, int e, int around,
                 int kind) noexcept nogil:
    cdef int n = 0, i
    for i in range(KINDS):
        if (kind == 0 or i == kind) and v.left[i] and deck_of(b, v, i) == d:
            n += v.left[i]
    for i in range(e, deck.n_events):
        n += deck.turned[i] != 0 and (kind == 0 or deck.turned[i] == kind)
    for i in range(LOOKS):
        n -= slot(around, i) != 0 and (kind == 0 or slot(around, i) == kind)
    return n

# A slot turns out to hold a kind: its odds (0 if it cannot), and the slots with it filled in.
cdef double name_slot(const Box* b, const State* v, const Deck* deck, int d, int e, int i, int kind,
                      int* around) noexcept nogil:
    cdef int known = slot(around[0], i), n, n_all
    if known:
        return 1.0 if known == kind else 0.0
    n = n_loose(b, v, deck, d, e, around[0], kind)
    if n <= 0:
        return 0.0
    n_all = n_loose(b, v, deck, d, e, around[0], 0)
    around[0] = with_slot(around[0], i, kind)
    return <double>n / n_all

# One event with one of its orders: the odds of what this seat saw of it, and the slots after it.
cdef double pass_event(const Box* b, const State* v, const Deck* deck, int d, int e, int order,
                       int me, int* around) noexcept nogil:
    cdef int t = deck.trick[e], i, n
    cdef double p = 1
    cdef const Trick* log = &v.log[t]
    if deck.turned[e]:
        p = name_slot(b, v, deck, d, e, 0, deck.turned[e], around)
        around[0] >>= 5
        return p
    if log.looker != me + 1:
        around[0] = permuted(around[0], order)
        return p
    n = v.count if is_running(v, t) else LOOKS
    for i in range(n):
        p *= name_slot(b, v, deck, d, e, i, log.saw[i], around)
    if not is_running(v, t):
        around[0] = log.put[0] | log.put[1] << 5 | log.put[2] << 10
    return p

cdef int place_of(const Deck* deck, int e, int around) noexcept nogil:
    cdef int i
    for i in range(deck.n_around[e]):
        if deck.around[e][i] == around:
            return i
    return -1

# Forward: which slots each moment can have. Backward: the odds of all that came after.
cdef bint prepare_deck(const Box* b, const State* v, Ctx* x, int d, int me) noexcept nogil:
    cdef Deck* deck = &x.deck[d]
    cdef int e, i, k, around
    cdef double p
    list_events(v, d, deck)
    deck.n_around[0] = 1
    for e in range(deck.n_events):
        for i in range(deck.n_around[e]):
            for k in range(n_orders(v, deck, e, me)):
                around = deck.around[e][i]
                p = pass_event(b, v, deck, d, e, k, me, &around)
                if p > 0 and place_of(deck, e + 1, around) < 0:
                    if deck.n_around[e + 1] == AROUNDS:
                        return False
                    deck.around[e + 1][deck.n_around[e + 1]] = around
                    deck.n_around[e + 1] += 1
    e = deck.n_events
    for i in range(deck.n_around[e]):
        deck.odds[e][i] = 1
        for k in range(LOOKS):              # what the view says of the slots must hold
            if v.placed[d][k] and slot(deck.around[e][i], k) != v.placed[d][k]:
                deck.odds[e][i] = 0
    for e in range(deck.n_events - 1, -1, -1):
        for i in range(deck.n_around[e]):
            for k in range(n_orders(v, deck, e, me)):
                around = deck.around[e][i]
                p = pass_event(b, v, deck, d, e, k, me, &around)
                if p > 0:
                    deck.odds[e][i] += p * deck.odds[e + 1][place_of(deck, e + 1, around)]
    return deck.odds[0][0] > 0

# Plays the deck's events again with orders drawn by what came after. Cards are numbered as they
# come into a slot; what a number stands for is known when it is named, or drawn at the end.
cdef void sample_deck(const Box* b, const State* v, const Ctx* x, int d, int me, Rng* rng,
                      State* w) noexcept nogil:
    cdef const Deck* deck = &x.deck[d]
    cdef uint8_t kind[LOOKS * TRICKS + 1]   # by number
    cdef uint8_t saw[EVENTS][LOOKS]         # numbers, by event
    cdef uint8_t put[EVENTS][LOOKS]
    cdef uint8_t at[LOOKS]
    cdef uint8_t old[LOOKS]
    cdef int e, i, k, n, m = 0, order, around = 0, after
    cdef const Trick* log
    if not deck.n_events:
        return
    memset(kind, 0, sizeof(kind))
    memset(at, 0, sizeof(at))
    for e in range(deck.n_events):
        order = draw_order(b, v, deck, d, e, around, me, rng)
        after = around
        pass_event(b, v, deck, d, e, order, me, &after)
        if deck.turned[e]:
            if at[0]:
                kind[at[0]] = deck.turned[e]
            at[0] = at[1]
            at[1] = at[2]
            at[2] = 0
            around = after
            continue
        log = &v.log[deck.trick[e]]
        n = v.count if is_running(v, deck.trick[e]) else LOOKS
        for i in range(n):
            if not at[i]:
                m += 1
                at[i] = m
            if log.looker == me + 1:
                kind[at[i]] = log.saw[i]
        memcpy(saw[e], at, sizeof(at))
        memcpy(old, at, sizeof(at))
        if not is_running(v, deck.trick[e]):
            for i in range(LOOKS):
                if log.looker != me + 1:
                    at[i] = old[PERMUTATIONS[order][i]]
                    continue
                k = 0
                while not old[k] or kind[old[k]] != log.put[i]:
                    k += 1
                at[i] = old[k]
                old[k] = 0
        memcpy(put[e], at, sizeof(at))
        around = after
    name_rest(b, v, d, m, kind, at, rng)
    for i in range(v.n_placed[d]):
        w.placed[d][i] = kind[at[i]]
    for e in range(deck.n_events):
        if deck.turned[e] or v.log[deck.trick[e]].looker == me + 1:
            continue
        for i in range(v.count if is_running(v, deck.trick[e]) else LOOKS):
            w.log[deck.trick[e]].saw[i] = kind[saw[e][i]]
            if not is_running(v, deck.trick[e]):
                w.log[deck.trick[e]].put[i] = kind[put[e][i]]
    know_deck(v, d, w)

cdef int draw_order(const Box* b, const State* v, const Deck* deck, int d, int e, int around,
                    int me, Rng* rng) noexcept nogil:
    cdef double odds[ORDERS]
    cdef double total = 0
    cdef int k, after, n = n_orders(v, deck, e, me)
    if n == 1:
        return 0
    for k in range(n):
        after = permuted(around, k)
        total += deck.odds[e + 1][place_of(deck, e + 1, after)]
        odds[k] = total
    total *= uniform(rng)
    for k in range(n - 1):
        if total < odds[k]:
            return k
    return n - 1

# Cards that lie in a slot and were never named: any of those that lie nowhere else.
cdef void name_rest(const Box* b, const State* v, int d, int n_named, uint8_t* kind,
                    const uint8_t* at, Rng* rng) noexcept nogil:
    cdef uint8_t loose[KINDS]
    cdef int i, k, n = 0
    for k in range(KINDS):
        loose[k] = v.left[k] if v.left[k] and deck_of(b, v, k) == d else 0
        n += loose[k]
    for i in range(LOOKS):
        if at[i] and kind[at[i]]:
            loose[kind[at[i]]] -= 1
            n -= 1
    for i in range(LOOKS):
        if at[i] and not kind[at[i]]:
            k = below(rng, n)
            n -= 1
            kind[at[i]] = 0
            while k >= loose[kind[at[i]]]:
                k -= loose[kind[at[i]]]
                kind[at[i]] += 1
            loose[kind[at[i]]] -= 1

# Who knows which of these cards: it follows from who looked when.
cdef void know_deck(const State* v, int d, State* w) noexcept nogil:
    cdef int t, i
    cdef const Trick* log
    memset(w.known[d], 0, sizeof(w.known[d]))
    for t in range(v.trick + 1 if v.trick < TRICKS else TRICKS):
        log = &w.log[t]
        if log.looker and log.deck == d:
            if t == v.trick and (v.phase == SEEING or v.phase == ORDERING):
                for i in range(v.count):
                    w.known[d][i] |= 1 << (log.looker - 1)
            else:
                for i in range(LOOKS):
                    w.known[d][i] = 1 << (log.looker - 1)
        if log.turned[d]:
            for i in range(LOOKS - 1):
                w.known[d][i] = w.known[d][i + 1]
            w.known[d][LOOKS - 1] = 0

# ---- Policy -----------------------------------------------------------------
# The rule player. First it makes its own view, so that there is nothing in reach that it may not
# know; then it weighs every choice in points: what it brings now, less what the card or the bonus
# would be worth later. Others are taken to play as measured: LAYS.

# In points, if nothing else is said; tuned by duels of the rule player against itself.
cdef struct Weights:
    double bonus                # a bonus card in front of a seat
    double raise_               # a bonus card laid: what it might have brought
    double swap, look, fetch    # carrying out that action
    double top                  # a card sure to win its colour later, per point that shows there
    double patience             # the same, for each trick to come: it can choose its moment
    double higher               # how a higher card in another hand divides that
    double low                  # a card sure to be the lowest of its colour later
    double lower                # how a lower card in another hand divides that
    double deny                 # a point that another seat does not get
    double rival                # the same of the seat that leads the others, added
    double robbed               # a point of the own top treasure if its colour is laid and lost
    double extra                # chance that a seat to come lays its bonus, on a colour on a deck
    double draws                # how much likelier a later seat is in a suit that shows
    double late                 # laying last in a trick, as a share more of what it brings

cdef Weights WEIGHTS
WEIGHTS.bonus = 0.6
WEIGHTS.raise_ = 0.6
WEIGHTS.swap = 1.2
WEIGHTS.look = 0.2
WEIGHTS.fetch = 0.8
WEIGHTS.top = 1.0
WEIGHTS.patience = 0.15
WEIGHTS.higher = 0.7
WEIGHTS.low = 0.6
WEIGHTS.lower = 0.7
WEIGHTS.deny = 0.2
WEIGHTS.rival = 0.07
WEIGHTS.robbed = 3.4
WEIGHTS.extra = 0.75
WEIGHTS.draws = 2.25
WEIGHTS.late = 0.5

# How often the rule player lays a card it holds, in thousandths: by the points its colour shows on
# a deck (0 = none, 5 or more) and by its number. Counted over its own games at 3 to 5 seats.
cdef int[6][12] LAYS = [
    [77, 89, 89, 85, 77, 67, 58, 50, 42, 33, 28, 18],
    [200, 193, 176, 167, 148, 130, 109, 91, 67, 54, 45, 34],
    [353, 284, 254, 267, 269, 283, 285, 239, 201, 159, 121, 87],
    [381, 291, 260, 245, 256, 277, 297, 298, 315, 334, 303, 251],
    [387, 287, 247, 223, 222, 239, 258, 286, 342, 423, 474, 534],
    [380, 282, 252, 225, 225, 232, 252, 297, 361, 469, 565, 731],
]

cdef struct Mind:               # what a seat makes of its view
    State v
    int me
    uint64_t unseen             # cards whose place is not known
    uint64_t sure[SEATS]        # cards known to be in that hand
    double held[SEATS]          # chance that an unseen card is in that hand
    double wish[COLOURS]        # points the colour shows on a deck in a later trick, on average
    double deny[SEATS]          # a point less for that seat, to this one
    # Of the others' cards of this trick: chance of a card of that suit below that value.
    double under[SEATS][COLOURS][NUMBERS + 2]

cdef Move policy(const void* box, const void* state, int seat, Rng* rng) noexcept nogil:
    cdef const Box* b = <const Box*>box
    cdef Mind m
    observe(box, state, seat, &m.v)
    m.me = seat
    recall(b, &m)
    size_up(b, &m)
    if m.v.phase == PLAYING:
        return choose_play(b, &m)
    if m.v.phase == PASSING:
        return move_of(PASS, seat, worst_card(b, &m, pass_cards(m.v.hand[seat])) + 1)
    if m.v.phase == CLAIMING:
        return choose_claim(b, &m)
    if m.v.phase == ROBBING or m.v.phase == SWAPPING:
        return choose_victim(&m)
    if m.v.phase == GIVING:
        return choose_gifts(b, &m)
    if m.v.phase == LOOKING:
        return move_of(LOOK, seat, choose_deck(b, &m))
    if m.v.phase == ORDERING:
        return choose_order(b, &m)
    if m.v.phase == RETRIEVING:
        return move_of(RETRIEVE, seat, best_card(b, &m, trick_cards(&m.v)) + 1)
    return move_of(DISCARD, seat, worst_card(b, &m, m.v.hand[seat]) + 1)

# Where the cards are, from the log.
cdef void recall(const Box* b, Mind* m) noexcept nogil:
    cdef const State* v = &m.v
    cdef const Trick* log
    cdef int n = v.seats, me = m.me, t, k, s, first, missing
    cdef uint64_t gone = 0, taken, given
    memset(m.sure, 0, sizeof(m.sure))
    if v.phase != PASSING:
        m.sure[(me + n - 1) % n] |= bit1(v.given[me])
    for t in range(v.trick + 1):
        log = &v.log[t]
        first = (v.first + n * TRICKS - (v.trick - t)) % n
        for s in range(n):
            gone |= bit1(log.card[s])
            m.sure[s] &= ~bit1(log.card[s])
        for k in range(n):                  # §6.3: actions clockwise from the first player
            s = (first + k) % n
            if log.thief == s + 1:
                taken = bit1(log.taken[0]) | bit1(log.taken[1])
                given = bit1(log.given[0]) | bit1(log.given[1])
                if s != me and log.victim != me + 1:    # what was known may have changed hands
                    m.sure[s] = m.sure[log.victim - 1] = 0
                m.sure[s] = (m.sure[s] | taken) & ~given
                m.sure[log.victim - 1] = (m.sure[log.victim - 1] & ~taken) | given
            if log.fetcher == s + 1:
                gone = (gone & ~bit1(log.fetched)) | bit1(log.dropped)
                m.sure[s] = (m.sure[s] | bit1(log.fetched)) & ~bit1(log.dropped)
    m.sure[me] = v.hand[me]
    m.unseen = b.islands & ~gone
    for s in range(n):
        m.unseen &= ~m.sure[s]
    for s in range(n):
        missing = v.hand_size[s] - count64(m.sure[s])
        if v.half[s] and v.phase == PLAYING:
            missing += 1                    # the covered card is still one of the unknown
        m.held[s] = <double>missing / count64(m.unseen) if m.unseen and missing > 0 else 0

# Chance that a seat holds a card. §8.3: who passed a card dealt itself no higher one of its colour.
cdef inline double holds(const Mind* m, int s, int card) noexcept nogil:
    cdef int passed = m.v.given[s] - 1 if s == (m.me + 1) % m.v.seats else -1
    if m.sure[s] >> card & 1:
        return 1
    if not m.unseen >> card & 1:
        return 0
    if passed >= 0 and colour_of(passed) == colour_of(card) and card > passed:
        return m.held[s] / n_dealt(m)
    return m.held[s]

cdef inline int n_dealt(const Mind* m) noexcept nogil:
    return m.v.hand_size[m.me] + m.v.trick + 1

# What is still to win, and from whom.
cdef void size_up(const Box* b, Mind* m) noexcept nogil:
    cdef const State* v = &m.v
    cdef int kind, c, s, d, rival = -1, most = -1000, points
    cdef double size[DECKS]
    memset(m.wish, 0, sizeof(m.wish))
    memset(size, 0, sizeof(size))
    for kind in range(KINDS):
        if v.left[kind]:
            m.wish[kind >> 3] += v.left[kind] * (kind & 7)
            size[deck_of(b, v, kind)] += v.left[kind]
    for c in range(COLOURS):
        d = deck_of(b, v, 8 * c)
        if size[d] > 0:
            m.wish[c] /= size[d]
    for s in range(v.seats):
        m.deny[s] = WEIGHTS.deny
        points = v.score[s] + round_points(v, s)
        if s != m.me and points > most:
            most = points
            rival = s
    m.deny[rival] += WEIGHTS.rival

# ---- Cards: what one is worth in a later trick
cdef double keep(const Box* b, const Mind* m, int card) noexcept nogil:
    cdef int c = colour_of(card), s, other
    cdef double above = 0, below_ = 0
    cdef uint64_t cards = suit_mask(c) & ~m.v.hand[m.me]
    while cards:
        other = lowest64(cards)
        cards &= cards - 1
        for s in range(m.v.seats):
            if s != m.me:
                if other > card:
                    above += holds(m, s, other)
                else:
                    below_ += holds(m, s, other)
    return ((WEIGHTS.top + WEIGHTS.patience * m.v.hand_size[m.me]) * m.wish[c]
            / (1 + WEIGHTS.higher * above)
            + WEIGHTS.low / (1 + WEIGHTS.lower * below_))

cdef int worst_card(const Box* b, const Mind* m, uint64_t cards) noexcept nogil:
    cdef int card, out = -1
    cdef double value, least = 0
    while cards:
        card = lowest64(cards)
        cards &= cards - 1
        value = keep(b, m, card)
        if out < 0 or value < least:
            least = value
            out = card
    return out

cdef int best_card(const Box* b, const Mind* m, uint64_t cards) noexcept nogil:
    cdef int card, out = -1
    cdef double value, most = 0
    while cards:
        card = lowest64(cards)
        cards &= cards - 1
        value = keep(b, m, card)
        if out < 0 or value > most:
            most = value
            out = card
    return out

# ---- §3 Laying a card
cdef inline int shown_points(const Box* b, const State* v, int colour) noexcept nogil:
    cdef int d = deck_with(b, v, colour)
    return v.top[d] & 7 if d >= 0 else 0

# The cards the others lay in this trick: those that fit what they show, each as likely as it is to
# be in that hand and to be laid from it.
cdef void guess(const Box* b, Mind* m) noexcept nogil:
    cdef const State* v = &m.v
    cdef int s, c, suit, card, number, points, more, value
    cdef double p, total, extra
    cdef uint64_t cards
    cdef double at[COLOURS][NUMBERS + 2]
    cdef double draws[COLOURS]
    for c in range(COLOURS):
        draws[c] = 1
    for s in range(v.seats):
        if v.half[s] == SEA:
            draws[suit_of(b, v, (v.face[s] - 1) * NUMBERS + 1)] *= WEIGHTS.draws
    for s in range(v.seats):
        if s == m.me:
            continue
        memset(at, 0, sizeof(at))
        total = 0
        cards = m.unseen | m.sure[s]
        while cards:
            card = lowest64(cards)
            cards &= cards - 1
            c = colour_of(card)
            number = number_of(card)
            if v.half[s] and (face_of(card, v.half[s]) != v.face[s]
                              or number + v.laid[s] > b.cap):
                continue
            points = shown_points(b, v, c)
            p = holds(m, s, card) * LAYS[points if points < 5 else 5][number - 1]
            suit = suit_of(b, v, card + 1)
            if not v.half[s]:
                p *= draws[suit]
            total += p
            if v.half[s]:
                at[suit][number + v.laid[s]] += p
                continue
            more = v.bonus[s]
            if more > b.cap - number:
                more = b.cap - number
            extra = WEIGHTS.extra if points and number > 6 else 0
            at[suit][number + more] += p * extra
            at[suit][number] += p * (1 - extra)
        for suit in range(COLOURS):
            p = 0
            for value in range(NUMBERS + 1):
                m.under[s][suit][value] = p / total if total > 0 else 0
                p += at[suit][value]
            m.under[s][suit][NUMBERS + 1] = p / total if total > 0 else 0

cdef Move choose_play(const Box* b, Mind* m) noexcept nogil:
    cdef const State* v = &m.v
    cdef int card, k, most, best_k = 0, best = -1
    cdef double gain, best_gain = 0, later
    cdef uint64_t cards = v.hand[m.me]
    guess(b, m)
    while cards:
        card = lowest64(cards)
        cards &= cards - 1
        later = keep(b, m, card)
        most = b.cap - number_of(card)
        if most > v.bonus[m.me]:
            most = v.bonus[m.me]
        for k in range(most + 1):
            gain = worth_of(b, m, card, number_of(card) + k) - later - WEIGHTS.raise_ * k
            if best < 0 or gain > best_gain:
                best_gain = gain
                best = card
                best_k = k
    # The colour, always: in duels showing values of 12 as numbers lost 2.4 points of win share, of
    # 11 and 10 less, and of 1 to 3 changed nothing.
    return move_of(PLAY, m.me, ((best + 1) << 6) | (SEA << 4) | best_k)

# Points to expect from a card of that value in this trick.
cdef double worth_of(const Box* b, const Mind* m, int card, int value) noexcept nogil:
    cdef const State* v = &m.v
    cdef int s, c = colour_of(card), suit = suit_of(b, v, card + 1), points = shown_points(b, v, c)
    cdef int mine
    cdef double win = 1, lowest = 1, alone = 1, above, below_, out_, prize, all_ = 1, more = 0
    cdef double steal, shift, extra = 0
    for s in range(v.seats):
        if s == m.me:
            continue
        out_ = 1 - m.under[s][suit][NUMBERS + 1]
        # §4.2, §4.3: of equal values the earlier is the higher. Who has laid is earlier.
        below_ = m.under[s][suit][value if v.half[s] else value + 1]
        if not v.half[s]:                   # they will have seen its colour
            shift = 1 - (1 - WEIGHTS.draws) * (1 - out_)
            out_ /= shift
            below_ *= WEIGHTS.draws / shift
        above = 1 - out_ - below_
        if points and v.n_pile[s] and v.pile[s][v.n_pile[s] - 1] >> 3 == c:
            steal = (v.pile[s][v.n_pile[s] - 1] & 7) * (1 + m.deny[s]) - points
            if steal > 0 and above < 1:
                extra += steal * m.under[s][suit][value] / (1 - above)
        win *= 1 - above
        # lowest * number of cards, by the generating function: product of (out + above * x).
        more = more * (out_ + above) + all_ * above
        all_ *= out_ + above
        alone *= out_
    lowest = all_ + more - alone            # §4.5: as many bonus as cards, if there are two
    if points:
        prize = points * (1 + WEIGHTS.deny * (1 - alone)) + extra
    else:
        prize = action_worth(b, m, v.action[v.round][c >> 1])
    prize = win * prize + lowest * WEIGHTS.bonus
    if points and v.n_pile[m.me] and v.pile[m.me][v.n_pile[m.me] - 1] >> 3 == c:
        mine = v.pile[m.me][v.n_pile[m.me] - 1] & 7
        if mine >= points:
            prize -= WEIGHTS.robbed * mine * (1 - win)
    return prize

cdef double action_worth(const Box* b, const Mind* m, int action) noexcept nogil:
    cdef const State* v = &m.v
    cdef int s
    if action == BONUS:
        for s in range(v.seats):
            if s != m.me and v.bonus[s] >= 2:
                return WEIGHTS.bonus * 2 * (1 + WEIGHTS.deny)
        return WEIGHTS.bonus * (2 if v.supply >= 2 else v.supply)
    if v.hand_size[m.me] == 1:              # §6.18
        return 0
    if action == EXCHANGE:
        return WEIGHTS.swap
    return WEIGHTS.look if action == PEEK else WEIGHTS.fetch

# ---- §5 Taking or stealing: the treasure on the deck is lost to all if it stays
cdef Move choose_claim(const Box* b, const Mind* m) noexcept nogil:
    cdef Move out[SEATS + 1]
    cdef int i, best = 0, n = legal_claim(b, &m.v, out)
    cdef double gain, most = out[0] & 7
    for i in range(1, n):
        gain = (out[i] & 7) * (1 + m.deny[(out[i] >> 8) & 7])
        if gain > most:
            most = gain
            best = i
    return out[best]

# ---- §6 Actions
cdef Move choose_victim(const Mind* m) noexcept nogil:
    cdef Move out[SEATS]
    cdef int i, s, points, best = 0, most = -1000
    cdef int n = legal_victim(&m.v, ROB if m.v.phase == ROBBING else SWAP, out)
    for i in range(n):
        s = out[i] & 7
        points = m.v.score[s] + round_points(&m.v, s)
        if points > most:
            most = points
            best = i
    return out[best]

cdef Move choose_gifts(const Box* b, const Mind* m) noexcept nogil:
    cdef int first = worst_card(b, m, m.v.hand[m.me]), second
    if m.v.count == 1:
        return move_of(GIVE, m.me, (first + 1) << 6)
    second = worst_card(b, m, m.v.hand[m.me] & ~bit(first))
    return move_of(GIVE, m.me, ((min(first, second) + 1) << 6) | (max(first, second) + 1))

# How likely the own best card of a colour wins it.
cdef double strength(const Box* b, const Mind* m, int colour) noexcept nogil:
    cdef uint64_t own = m.v.hand[m.me] & suit_mask(colour), cards
    cdef double above = 0
    cdef int s, card
    if not own:
        return 0
    cards = suit_mask(colour) & ~m.v.hand[m.me] & ~(bit(highest64(own)) - 1)
    while cards:
        card = lowest64(cards)
        cards &= cards - 1
        for s in range(m.v.seats):
            if s != m.me:
                above += holds(m, s, card)
    return 1 / (1 + WEIGHTS.higher * above)

# The deck where more is to be had; one that it has already seen tells less.
cdef int choose_deck(const Box* b, const Mind* m) noexcept nogil:
    cdef double worth[DECKS]
    cdef int d, i
    for d in range(DECKS):
        worth[d] = (m.wish[2 * d] * strength(b, m, 2 * d)
                    + m.wish[2 * d + 1] * strength(b, m, 2 * d + 1))
        for i in range(LOOKS):
            if m.v.placed[d][i]:
                worth[d] /= 2
    return 1 if worth[1] > worth[0] else 0

# Treasures it can win to the tricks in which it lays late, others deep down.
cdef Move choose_order(const Box* b, const Mind* m) noexcept nogil:
    cdef Move out[6]
    cdef int i, k, kind, place, best = 0, n = legal_order(&m.v, out)
    cdef double gain, most = 0, own[COLOURS]
    for i in range(COLOURS):
        own[i] = strength(b, m, i) - 0.3
    for i in range(n):
        gain = 0
        for k in range(LOOKS):
            if k >= m.v.hand_size[m.me]:
                break                       # the round is over before it comes up
            kind = (out[i] >> (6 * (LOOKS - 1 - k))) & 63
            place = (m.me - m.v.first - 1 - k + 4 * m.v.seats) % m.v.seats
            gain += (kind & 7) * own[kind >> 3] * (1 + WEIGHTS.late * place / (m.v.seats - 1))
        if i == 0 or gain > most:
            most = gain
            best = i
    return out[best]

# ---- Random play ------------------------------------------------------------
# Uniform over `legal`, without the list where it is long.
cdef Move random_legal(const void* box, const void* state, int seat, Rng* rng) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Box* b = <const Box*>box
    cdef Move out[8]
    cdef uint64_t cards
    cdef int n, c, k
    if s.phase == PLAYING:
        while True:     # a bonus that the card cannot bear: draw all anew, so that moves stay equal
            c = pick64(rng, s.hand[seat])
            n = s.bonus[seat]
            k = below(rng, 2 * n + 2) if n else <int>(next64(rng) >> 63)
            if number_of(c) + (k >> 1) <= b.cap:
                return move_of(PLAY, seat, ((c + 1) << 6) | ((SEA + (k & 1)) << 4) | (k >> 1))
    if s.phase == PASSING:
        return move_of(PASS, seat, pick64(rng, pass_cards(s.hand[seat])) + 1)
    if s.phase == GIVING:
        cards = s.hand[seat]
        c = pick64(rng, cards)
        if s.count == 1:
            return move_of(GIVE, seat, (c + 1) << 6)
        k = pick64(rng, cards & ~bit(c))
        return move_of(GIVE, seat, ((min(c, k) + 1) << 6) | (max(c, k) + 1))
    if s.phase == RETRIEVING:
        return move_of(RETRIEVE, seat, pick64(rng, trick_cards(s)) + 1)
    if s.phase == DISCARDING:
        return move_of(DISCARD, seat, pick64(rng, s.hand[seat]) + 1)
    n = legal(box, state, seat, out)        # at most 6 orders, or a victim for each other seat
    return out[below(rng, n)]

cdef int step(const void* box, void* state, Rng* rng) noexcept nogil:
    cdef State* s = <State*>state
    cdef const Box* b = <const Box*>box
    cdef int who
    if s.phase == PLAYING:
        carry_out(b, s, random_legal(box, state, s.turn, rng))
        return s.turn if s.phase == PLAYING else REVEAL
    if s.phase == DEALING:
        apply_deal(b, s, s.turn, pick64(rng, pool(b, s)) + 1)
        return CHANCE if s.phase == DEALING else 0
    who = actor(box, state)
    if who == CHANCE:
        carry_out(b, s, draw(box, state, rng))
    elif who == REVEAL:
        apply(box, state, REVEAL_MOVE)
    else:
        carry_out(b, s, random_legal(box, state, who, rng))
    return actor(box, state)

# ---- The table --------------------------------------------------------------
cdef GameTable TABLE
memset(&TABLE, 0, sizeof(GameTable))
TABLE.contract = CONTRACT
TABLE.table_bytes = sizeof(GameTable)
TABLE.box_bytes = sizeof(Box)
TABLE.options_bytes = sizeof(Options)
TABLE.state_bytes = sizeof(State)
TABLE.ctx_bytes = sizeof(Ctx)
TABLE.max_moves = MOVES
TABLE.max_plies = 640
TABLE.min_seats = 3
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
TABLE.deciders = deciders
TABLE.random_legal = random_legal
TABLE.policy = policy
TABLE.step = step
TABLE.tape_card = tape_card
TABLE.accepts = accepts

table = PyCapsule_New(&TABLE, "islebots.GameTable", NULL)

# The words of the game stand in a file of their own; the module shows both.
from islebots.core.games.sea_and_coast_text import (  # no-cython-lint
    BOXES, OPTIONS, faults, fields, move_text, players_of,  # no-cython-lint
    read_box, read_fields, read_options, read_text, state_text)  # no-cython-lint
