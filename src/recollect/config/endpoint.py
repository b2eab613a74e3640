"""What a remote provider's address and headers may be.

What enters: text from the settings. What leaves: nothing, or what is wrong with it and what to do.
Pure: no name is looked up; what a host name stands for is the network room's to check when it connects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

    from recollect.config.values import Pairs

# Names and addresses under which a cloud machine hands out its credentials.
_METADATA = frozenset({"metadata", "metadata.google.internal", "instance-data", "instance-data.ec2.internal"})
_METADATA_ADDRESSES = frozenset({"100.100.100.200", "fd00:ec2::254"})
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_NAT64 = 0x0064FF9B << 96  # 64:ff9b::/96 holds IPv4 addresses
_MAX_IPV4 = 0xFFFFFFFF

Fault = tuple[str, str]  # what is wrong, what to do


def address_fault(url: str, *, allow_private: bool) -> Fault | None:
    """What is wrong with a base URL; None: nothing."""
    from urllib.parse import urlsplit  # only an address needs it

    example = "Write it as https://host/path."
    if any(c <= " " or c in "\\\x7f" for c in url):
        return "holds a space, a backslash or a control character", example
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "is no valid address", example
    if parts.scheme not in ("http", "https"):
        return "must begin with http:// or https://", "Only http and https are spoken."
    if not host or port == 0:
        return "names no host that can be reached", example
    if parts.username is not None or parts.password is not None:
        return "must not hold a user name or a password", "Put credentials into remote.apiKey or remote.headers."
    return _host_fault(host, allow_private=allow_private)


def header_fault(headers: Pairs) -> tuple[str, Fault] | None:
    """The first header that cannot be sent as one header, and what is wrong with it; None: none."""
    for name, value in headers:
        if not _TOKEN.fullmatch(name):
            return name, ("is no name of a header", "Use letters, digits and hyphens.")
        if not is_line(value):
            return name, ("holds a line break or a control character", "Write the value in one line.")
    return None


def is_line(text: str) -> bool:
    """Whether text can stand in one header line."""
    return not any((c < " " and c != "\t") or c == "\x7f" for c in text)


def _host_fault(host: str, *, allow_private: bool) -> Fault | None:
    import ipaddress  # only an address needs it
    import unicodedata  # as above

    # Full-width digits and dots become plain ones on their way to a socket.
    plain = unicodedata.normalize("NFKC", host).lower().rstrip(".")
    if plain in _METADATA:
        return "is a cloud machine's metadata service", "Name the provider's own host."
    number = _ipv4_number(plain)
    try:
        address = ipaddress.IPv4Address(number) if number is not None else ipaddress.ip_address(plain.partition("%")[0])
    except ValueError:
        return None  # a name
    return _address_fault(_inner(address), allow_private=allow_private)


def _address_fault(address: IPv4Address | IPv6Address, *, allow_private: bool) -> Fault | None:
    if address.is_link_local or address.is_multicast or address.is_unspecified or str(address) in _METADATA_ADDRESSES:
        return "is a link-local or metadata address", "Name the provider's own host."
    if address.is_loopback or address.is_global or allow_private:
        return None
    return "is an address of a private network", "Set remote.allowPrivateNetwork to true if it is meant."


def _inner(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 address stands for, where it does."""
    import ipaddress  # only an address needs it

    if isinstance(address, ipaddress.IPv4Address):
        return address
    inner = address.ipv4_mapped or address.sixtofour
    if inner is not None:
        return inner
    number = int(address)
    embedded = number <= _MAX_IPV4 and number > 1  # ::a.b.c.d, the old way; ::1 is loopback
    if embedded or number >> 32 == _NAT64 >> 32:
        return ipaddress.IPv4Address(number & _MAX_IPV4)
    return address


def _ipv4_number(host: str) -> int | None:
    """An IPv4 address in any of the forms that the C library reads: 1 to 4 parts, decimal, octal or hexadecimal."""
    parts = host.split(".")
    if len(parts) > 4:  # noqa: PLR2004 - an IPv4 address has four
        return None
    numbers: list[int] = []
    for part in parts:
        base = 16 if part.startswith("0x") else 8 if part.startswith("0") and part != "0" else 10
        if len(part) > 16 or not part.isascii() or not part.removeprefix("0x").isalnum():  # noqa: PLR2004 - no number
            return None
        try:
            numbers.append(int(part, base))
        except ValueError:
            return None
    last = numbers.pop()
    if any(n > 0xFF for n in numbers) or last >> (8 * (4 - len(numbers))):  # noqa: PLR2004 - a byte
        return None
    return sum(n << (8 * (3 - place)) for place, n in enumerate(numbers)) + last
