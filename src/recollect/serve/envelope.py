"""What is a message of JSON-RPC 2.0 at all: bytes enter, nothing or the fault to answer them with leaves.

What a message means is the SDK's business. Costs one pass over the bytes.
"""

from __future__ import annotations

from typing import Final

from msgspec import DecodeError, Struct, json

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600

_MEMBERS: Final = ("method", "result", "error")


class Fault(Struct, frozen=True, kw_only=True):
    """Why bytes are no message; `id` is what its sender would know it by."""

    code: int
    message: str
    id: str | int | None = None


def fault_of(data: bytes) -> Fault | None:
    """What is wrong with the bytes; None: they have the shape of a message."""
    try:
        value = json.decode(data)
    except (DecodeError, RecursionError, UnicodeDecodeError):
        return Fault(code=PARSE_ERROR, message="This is not JSON.")
    if not isinstance(value, dict):
        return no_message(None)
    shaped = value.get("jsonrpc") == "2.0" and any(member in value for member in _MEMBERS)
    named = not ("method" in value and "id" in value) or _known(value["id"]) is not None
    return None if shaped and named else no_message(value.get("id"))


def no_message(number: object) -> Fault:
    """The fault of JSON that is no message."""
    return Fault(code=INVALID_REQUEST, message="This is no message of JSON-RPC 2.0.", id=_known(number))


def _known(number: object) -> str | int | None:
    """What a request may be known by."""
    return number if isinstance(number, str | int) and not isinstance(number, bool) else None
