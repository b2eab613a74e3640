"""Digests of text: what tells whether two texts, or two rows, are the same.

In: text. Out: hexadecimal or raw digests that are the same on every machine. Never: secrets; these are no signatures.
"""

from __future__ import annotations

from hashlib import blake2b, sha256

_LENGTH_BYTES = 8


def sha256_hex(text: str) -> str:
    """The SHA-256 of a text's UTF-8 bytes, in hexadecimal."""
    return sha256(_utf8(text)).hexdigest()


def key8(*parts: str) -> bytes:
    """Eight bytes that stand for these texts in this order."""
    return _key(parts, 8)


def key16(*parts: str) -> bytes:
    """Sixteen bytes that stand for these texts in this order."""
    return _key(parts, 16)


def _key(parts: tuple[str, ...], size: int) -> bytes:
    told: list[bytes] = []
    for part in parts:
        data = _utf8(part)
        # The length goes first, so that ("ab", "c") and ("a", "bc") differ.
        told += (len(data).to_bytes(_LENGTH_BYTES, "little"), data)
    return blake2b(b"".join(told), digest_size=size).digest()


def _utf8(text: str) -> bytes:
    """Bytes of any str: a lone surrogate must not stop a digest."""
    return text.encode("utf-8", "surrogatepass")
