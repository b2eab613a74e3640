"""Text cut into parts that a provider with a limit in bytes can take.

In: a text and a limit in UTF-8 bytes. Out: parts whose concatenation is the text. Never: a part that splits a
character; where a single character is longer than the limit, it stands alone and whole.
"""

from __future__ import annotations

from recollect.errors import ArgumentError

_CONTINUATION_MASK = 0xC0
_CONTINUATION = 0x80


def split_by_bytes(text: str, limit: int) -> tuple[str, ...]:
    """Parts of at most `limit` UTF-8 bytes each; no parts for an empty text."""
    if limit < 1:
        raise ArgumentError(f"A text cannot be cut into parts of {limit} bytes.", hint="The limit must be 1 or more.")
    if text.isascii():
        return tuple(text[at : at + limit] for at in range(0, len(text), limit))
    data = text.encode("utf-8", "surrogatepass")
    parts: list[str] = []
    start = 0
    while start < len(data):
        end = _border(data, start, start + limit)
        parts.append(data[start:end].decode("utf-8", "surrogatepass"))
        start = end
    return tuple(parts)


def _border(data: bytes, start: int, wanted: int) -> int:
    """The last border between characters up to `wanted`, or the first after `start` where none fits."""
    end = min(wanted, len(data))
    while end < len(data) and end > start and data[end] & _CONTINUATION_MASK == _CONTINUATION:
        end -= 1
    if end > start:
        return end
    end = start + 1
    while end < len(data) and data[end] & _CONTINUATION_MASK == _CONTINUATION:
        end += 1
    return end
