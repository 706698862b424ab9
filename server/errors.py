"""Refusals: what the rules raise becomes one status with google.rpc details, here alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2  # type: ignore[import-untyped]

from islebots.core.errors import BadSetup, BadText, IllegalMove, ImpossibleView, IslebotsError

DOMAIN = "islebots"
# Message and details travel as trailing metadata, for which clients take 8 kB by default; in a
# header a character can grow to three bytes.
LONGEST = 1000

REASONS = {
    BadText: "BAD_TEXT",
    BadSetup: "BAD_SETUP",
    IllegalMove: "ILLEGAL_MOVE",
    ImpossibleView: "IMPOSSIBLE_VIEW",
}
# What stands at the head of a message: seats[1].hand in "seats[1].hand: hidden from seat A", or
# the place in a record: "move 17: …".
HEAD = re.compile(r"(move \d+|[a-z_][a-z0-9_]*(?:\[\d+\]|\.\w+)*): (.*)", re.DOTALL)


class Refused(Exception):
    """A request that is not served. What it says may be read by the caller."""

    def __init__(
        self,
        reason: str,
        message: str,
        field: str = "",  # the path of the field to blame; "" = none
        code: grpc.StatusCode = grpc.StatusCode.INVALID_ARGUMENT,
        facts: tuple[tuple[str, str], ...] = (),  # (field, what is wrong) where there are several
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.code = code
        self.facts = facts or (((field, message),) if field else ())


INTERNAL = Refused("INTERNAL", "internal error", code=grpc.StatusCode.INTERNAL)


@contextmanager
def refusing(path: str, field_of: Callable[[str], str] | None = None) -> Iterator[None]:
    """Whatever the rules refuse inside is blamed on a field of the request.

    `path` is where in the request it stands. `field_of` turns a path that heads a message of the
    rules ("seats[1].hand") into one below it; without it only paths of the request itself count.
    """
    try:
        yield
    except IslebotsError as error:
        raise refusal(error, path, field_of) from error


def refusal(error: IslebotsError, path: str, field_of: Callable[[str], str] | None) -> Refused:
    """What a caller is told of an error of the rules."""
    reason = next((name for kind, name in REASONS.items() if isinstance(error, kind)), "BAD_TEXT")
    text = str(error)
    if isinstance(error, ImpossibleView):  # lists every fact that breaks
        facts = text.removeprefix("view: ").split("; ")
    else:
        facts = [text]
    blamed = tuple(blame(fact, path, field_of) for fact in facts)
    message = "; ".join(f"{field}: {fact}" for field, fact in blamed)
    return Refused(reason, message, facts=blamed)


def blame(text: str, path: str, field_of: Callable[[str], str] | None) -> tuple[str, str]:
    """The field that a message is about, and what it says of it."""
    found = HEAD.fullmatch(text)
    if found is None:
        return path, text
    said, rest = found.groups()
    root = path.split(".")[0]
    if said == path or said.startswith((f"{root}.", f"{root}[")):
        return said, rest
    if field_of is None:
        return path, text
    return field_of(said), rest


def cut(text: str, longest: int = LONGEST) -> str:
    """A text short enough for a header."""
    data = text.encode()
    if len(data) <= longest:
        return text
    return data[: longest - 3].decode(errors="ignore") + " …"


def details(refused: Refused) -> tuple[str, tuple[tuple[str, bytes], ...]]:
    """The message of a status and its trailing metadata."""
    message = cut(refused.message)
    status = status_pb2.Status(code=code_number(refused.code), message=message)
    add(status, error_details_pb2.ErrorInfo(reason=refused.reason, domain=DOMAIN))
    if refused.facts:
        share = LONGEST // min(len(refused.facts), 5)
        violations = [
            error_details_pb2.BadRequest.FieldViolation(
                field=cut(field, 200), description=cut(text, share)
            )
            for field, text in refused.facts[:5]
        ]
        add(status, error_details_pb2.BadRequest(field_violations=violations))
    return message, (("grpc-status-details-bin", status.SerializeToString()),)


def add(
    status: status_pb2.Status,
    detail: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest,
) -> None:
    """Packs one more detail."""
    packed = any_pb2.Any()
    packed.Pack(detail)
    status.details.append(packed)


def code_number(code: grpc.StatusCode) -> int:
    """The number of a status code."""
    return int(code_pb2.Code.Value(code.name))
