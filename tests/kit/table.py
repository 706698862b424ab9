"""Games broken on purpose, without compiling: a real game's table with functions in Python.

The table is read from contract.pxd, so that what is added there is found here.
"""

from __future__ import annotations

import ctypes
import re
import tomllib
from collections.abc import Callable
from importlib.resources import files
from types import SimpleNamespace
from typing import Any

import islebots
from islebots.core import registry
from islebots.core.game import Game, State

NAME = b"islebots.GameTable"
SCRATCH = 8  # bytes added at the end of states and views, for a game that has something to hide
TYPES: dict[str, Any] = {
    "void": None,
    "int": ctypes.c_int,
    "bint": ctypes.c_int,
    "double": ctypes.c_double,
    "uint32_t": ctypes.c_uint32,
    "Move": ctypes.c_uint32,
    "Seen": ctypes.c_uint64,
}
FUNCTION = re.compile(r"(\w+) \(\*(\w+)\)\((.*)\) noexcept nogil")

get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def type_of(declared: str) -> Any:
    """The ctypes type of an argument, `const void* box`."""
    if "*" in declared:
        return ctypes.c_void_p
    return TYPES[declared.replace("const ", "").split()[0]]


def read_table() -> list[tuple[str, Any]]:
    """The fields of GameTable as they stand in contract.pxd."""
    text = (files("islebots.core") / "contract.pxd").read_text("utf-8")
    body = text.split("cdef struct GameTable:")[1]
    body = re.sub(r"#.*", "", body)
    lines = re.sub(r",\s*\n\s+", ", ", body).splitlines()
    fields: list[tuple[str, Any]] = []
    for line in filter(None, (line.strip() for line in lines)):
        found = FUNCTION.fullmatch(line)
        if found:
            result, name, arguments = found.groups()
            kinds = [type_of(a.strip()) for a in arguments.split(",")]
            fields.append((name, ctypes.CFUNCTYPE(TYPES[result], *kinds)))
        else:
            kind, names = line.split(" ", 1)
            fields += [(name.strip(), TYPES[kind]) for name in names.split(",")]
    return fields


class Table(ctypes.Structure):
    """The mirror of GameTable."""

    _fields_ = read_table()


class Real:
    """The game that is to be broken, with what a broken function needs of it."""

    def __init__(self, name: str, box: str) -> None:
        """Its table, and itself."""
        self.rules = registry.rules_of(name)
        self.game: Game = islebots.load(name, box)
        pointer = get_pointer(self.rules.table, NAME)
        self.table = Table.from_buffer_copy(ctypes.string_at(pointer, ctypes.sizeof(Table)))
        assert self.table.table_bytes == ctypes.sizeof(Table)
        assert self.table.state_bytes == self.game.state_bytes
        self.size: int = self.table.state_bytes
        self.players = 0
        text = (self.rules.BOXES / f"{box}.toml").read_text("utf-8")
        self.box: bytes = self.rules.read_box(tomllib.loads(text))

    def __getattr__(self, name: str) -> Any:
        """A function of the real table."""
        return getattr(self.table, name)

    def state(self, pointer: int) -> State:
        """A state or view at an address, as the real game reads it (a view as if it were true)."""
        return State(self.game, ctypes.string_at(pointer, self.size), self.players)

    def write(self, pointer: int, state: State) -> None:
        """Put a state there."""
        ctypes.memmove(pointer, bytes(state), self.size)

    def secret(self, pointer: int) -> int:
        """A number that depends on all that stands there, hidden things too."""
        return sum(ctypes.string_at(pointer, self.size))

    def scratch(self, pointer: int) -> int:
        """What stands in the bytes added at the end."""
        return ctypes.c_uint64.from_address(pointer + self.size).value

    def scribble(self, pointer: int, value: int) -> None:
        """Write into the bytes added at the end."""
        ctypes.c_uint64.from_address(pointer + self.size).value = value


Changes = dict[str, Any]  # functions, numbers, "rules" with names of the module, "scratch"


def moves_at(pointer: int, n: int) -> Any:
    """An array of moves as a list of numbers that can be written to."""
    return (ctypes.c_uint32 * n).from_address(pointer)


def numbers_at(pointer: int, n: int) -> Any:
    """An array of doubles likewise."""
    return (ctypes.c_double * n).from_address(pointer)


def build(name: str, box: str, players: int, make: Callable[[Real], Changes]) -> Game:
    """The game with some of its functions replaced."""
    real = Real(name, box)
    real.players = players
    changes = make(real)
    rules = {key: getattr(real.rules, key) for key in dir(real.rules) if key[:2] != "__"}
    if changes.pop("scratch", False):
        rules |= with_scratch(real, dict(rules))
        changes = scratch_functions(real) | changes
        real.table.state_bytes = real.size + SCRATCH
    rules |= changes.pop("rules", {})
    table = Table.from_buffer_copy(bytes(real.table))
    kinds = dict(Table._fields_)
    keep = []
    for key, change in changes.items():
        value = kinds[key](change) if callable(change) else change
        keep.append(value)
        setattr(table, key, value)
    rules["table"] = new_capsule(ctypes.addressof(table), NAME, None)
    module: Any = SimpleNamespace(**rules, keep=(table, keep, real))
    return Game(name, module, box, real.box)


def scratch_functions(real: Real) -> Changes:
    """The functions that fill a state or view, with the added bytes: views show them."""

    def setup(box: int, options: int, seats: int, state: int) -> None:
        real.setup(box, options, seats, state)
        real.scribble(state, 0)

    def observe(box: int, state: int, observer: int, view: int) -> None:
        real.observe(box, state, observer, view)
        real.scribble(view, real.scratch(state))

    def sample(box: int, view: int, ctx: int, rng: int, world: int) -> float:
        weight: float = real.sample(box, view, ctx, rng, world)
        real.scribble(world, real.scratch(view))
        return weight

    return {"setup": setup, "observe": observe, "sample": sample}


def with_scratch(real: Real, rules: dict[str, Any]) -> dict[str, Any]:
    """The game's words, with the added bytes as a field."""

    def fields(box: bytes, data: bytes) -> dict[str, Any]:
        added = int.from_bytes(data[real.size :], "little")
        return {**rules["fields"](box, data[: real.size]), "scratch": added}

    def read_fields(box: bytes, given: dict[str, Any]) -> bytes:
        rest = {key: value for key, value in given.items() if key != "scratch"}
        data: bytes = rules["read_fields"](box, rest)
        return data + int(given["scratch"]).to_bytes(SCRATCH, "little")

    def faults(box: bytes, data: bytes) -> Any:
        return rules["faults"](box, data[: real.size])

    def state_text(box: bytes, data: bytes) -> Any:
        return rules["state_text"](box, data[: real.size])

    return {
        "fields": fields,
        "read_fields": read_fields,
        "faults": faults,
        "state_text": state_text,
    }
