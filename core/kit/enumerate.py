"""The exact odds of the worlds of a view, by going through every history that fits it.

Weight of a history = probability of its chance moves x for each decision of another seat (for the
public: of every seat) 1 / (legal moves there that fit what the observer has been shown of that very
move by now: what it saw of it, and the next REVEAL). A REVEAL counts for a decision only through
what it shows of that decision: another move that would have led to the same REVEAL fits it; one
after which a later move of the record could not have been made fits too, for that is inference and
not something shown.
"""

from __future__ import annotations

from islebots.core.game import State
from islebots.core.kit.ply import NOTHING, Observer
from islebots.core.record import REVEAL_MOVE

CAP = 20_000  # histories kept apart at one time

# Since the last REVEAL, from the first decision that was not shown in full: the state, the move
# made there, and the moves that looked alike (those that looked otherwise are ruled out).
Tail = tuple[tuple[State, int, tuple[int, ...]], ...]
Frontier = dict[tuple[State, Tail], float]


class TooMany(Exception):
    """More histories than can be kept."""


class Histories:
    """All histories that look to an observer as one game has looked so far."""

    def __init__(self, first: State, observer: Observer, cap: int = CAP) -> None:
        """Before the first move."""
        self.observer = observer
        self.cap = cap
        self.frontier: Frontier = {(first, ()): 1.0}

    def follow(self, seen: int) -> None:
        """On over one more thing that the observer saw; TooMany if that takes too many."""
        if seen == NOTHING:  # to be made up for when something is seen again
            return
        after: Frontier = {}
        for (state, tail), weight in self.frontier.items():
            self._fit(state, tail, weight, seen, after)
            if len(after) > self.cap:
                raise TooMany
        if not after:
            raise LookupError("no history fits what was seen")
        top = max(after.values())
        self.frontier = {key: weight / top for key, weight in after.items()}

    def worlds(self) -> dict[bytes, float]:
        """The states at the end of these histories, with their probabilities."""
        out: dict[bytes, float] = {}
        for (state, _), weight in self.frontier.items():
            key = bytes(state)
            out[key] = out.get(key, 0.0) + weight
        total = sum(out.values())
        return {key: weight / total for key, weight in out.items()}

    def _fit(self, state: State, tail: Tail, weight: float, seen: int, after: Frontier) -> None:
        """All ways from one state to just after what was seen."""
        if state.actor == "reveal":
            if state.seen(REVEAL_MOVE, self.observer) == seen:
                weight *= self._shown(tail, seen)
                put(after, state.apply_known(REVEAL_MOVE), (), weight)
            return
        if self._moves(state, tail, weight, seen, after, state.deciders):
            return
        # Nothing here looks like that: something unseen came first. Of seats that decide at the
        # same time the lowest goes first; their moves commute.
        between: Frontier = {}
        seats = [seat for seat in state.deciders[:1] if seat != self.observer]
        self._moves(state, tail, weight, NOTHING, between, seats)
        for (unseen, longer), w in between.items():
            self._fit(unseen, longer, w, seen, after)

    def _moves(
        self,
        state: State,
        tail: Tail,
        weight: float,
        seen: int,
        after: Frontier,
        seats: list[int],
    ) -> bool:
        """All moves of chance or these seats that look like that; was there one?"""
        found = False
        for move, p in state.chances():
            if state.seen(move, self.observer) == seen:
                found = True
                longer = (*tail, (state, move, (move,))) if tail else ()
                put(after, state.apply_known(move), longer, weight * p)
        for seat in seats:
            alike = tuple(m for m in state.legal(seat) if state.seen(m, self.observer) == seen)
            for move in alike:
                found = True
                hidden = alike if seat != self.observer else (move,)
                longer = (*tail, (state, move, hidden)) if tail or len(hidden) > 1 else ()
                put(after, state.apply_known(move), longer, weight / len(hidden))
        return found

    def _shown(self, tail: Tail, seen: int) -> float:
        """What a REVEAL makes of the weight: fewer moves look like those that were made."""
        out = 1.0
        for i, (state, move, alike) in enumerate(tail):
            if len(alike) > 1:
                rest = [m for _, m, _ in tail[i + 1 :]]
                fits = sum(m == move or self._reveals(state, m, rest, seen) for m in alike)
                out *= len(alike) / fits
        return out

    def _reveals(self, state: State, move: int, rest: list[int], seen: int) -> bool:
        """Had this move been made instead: would the REVEAL have looked the same?"""
        state = state.apply_known(move)
        for m in rest:
            if m not in state.possible():
                return True
            state = state.apply_known(m)
        return state.actor == "reveal" and state.seen(REVEAL_MOVE, self.observer) == seen


def put(frontier: Frontier, state: State, tail: Tail, weight: float) -> None:
    """Add to the weight of a history's end; equal ends are one."""
    key = (state, tail)
    frontier[key] = frontier.get(key, 0.0) + weight
