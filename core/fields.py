"""Reading plain fields (what JSON holds) from outside: what is wrong is named by its path.

A game writes a state as a dict and reads one back through this; see docs/games/.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from islebots.core.errors import BadText

T = TypeVar("T")


class Fields:
    """A dict whose keys are all read; errors say where."""

    def __init__(self, value: Any, path: str, keys: tuple[str, ...]) -> None:
        """Takes a dict with just these keys; one left out counts as null."""
        if not isinstance(value, dict):
            raise BadText(f"{path or 'fields'}: {value!r} given, takes an object")
        for key in value:
            if key not in keys:
                raise BadText(f"{dot(path, key)}: unknown field; known: {', '.join(keys)}")
        self.value = value
        self.path = path

    def at(self, key: str) -> str:
        """The path of a key."""
        return dot(self.path, key)

    def has(self, key: str) -> bool:
        """Is the key there and not null?"""
        return self.value.get(key) is not None

    def number(self, key: str, low: int, high: int) -> int:
        """A whole number in a range."""
        return number(self.value.get(key), self.at(key), low, high)

    def text(self, key: str) -> str:
        """A text."""
        value = self.value.get(key)
        if not isinstance(value, str):
            raise BadText(f"{self.at(key)}: {value!r} given, takes a text")
        return value

    def choice(self, key: str, choices: tuple[Any, ...]) -> Any:
        """One of a few values."""
        value = self.value.get(key)
        if value not in choices or isinstance(value, bool):
            takes = ", ".join("null" if c is None else str(c) for c in choices)
            raise BadText(f"{self.at(key)}: {value!r} given, takes {takes}")
        return value

    def read(self, key: str, reader: Callable[[Any, str], T]) -> T:
        """Any value, by a function of the value and its path."""
        return reader(self.value.get(key), self.at(key))

    def items(self, key: str, least: int, most: int) -> Iterator[tuple[int, Any, str]]:
        """The index, value and path of each item of a list of stated length."""
        return items(self.value.get(key), self.at(key), least, most)


def read_json(text: str, what: str = "") -> Any:
    """The value of a JSON text; BadText names the line where it breaks off."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where, why = f"line {error.lineno}", error.msg
    except (RecursionError, ValueError):  # nested too deep, a number too long
        where, why = "line 1", "nested too deep, or a number that is too long"
    raise BadText(f"{what} {where}: not JSON: {why}".lstrip())


def dot(path: str, key: str) -> str:
    """The path of a key below a path."""
    return f"{path}.{key}" if path else key


def number(value: Any, path: str, low: int, high: int) -> int:
    """A whole number in a range, or an error that names the path."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadText(f"{path}: {value!r} given, takes {low} to {high}")
    return value


def items(value: Any, path: str, least: int, most: int) -> Iterator[tuple[int, Any, str]]:
    """The index, value and path of each item of a list of stated length."""
    if not isinstance(value, list):
        raise BadText(f"{path}: {value!r} given, takes a list")
    if not least <= len(value) <= most:
        takes = str(least) if least == most else f"{least} to {most}"
        raise BadText(f"{path}: {len(value)} items given, takes {takes}")
    return ((i, item, f"{path}[{i}]") for i, item in enumerate(value))
