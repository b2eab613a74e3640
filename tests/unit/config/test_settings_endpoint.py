from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.config.endpoint import address_fault, header_fault


@pytest.mark.req("CONFIG-25")
@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com/v1/",
        "http://localhost:11434",
        "http://127.0.0.1:8080/v1",
        "http://[::1]:8080",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]/v1",
        "https://bücher.example/",
        "https://api.example.com./v1",
        "https://1.2.3.4.example/",
    ],
)
def test_a_providers_address_is_accepted(url: str) -> None:
    assert address_fault(url, allow_private=False) is None


@pytest.mark.req("CONFIG-25")
@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://a.example/",
        "//a.example/",
        "a.example",
        "",
        "http://",
        "http:///v1",
        "http://[::1",
        "http://a.example:99999/",
        "http://a.example:0/",
        "http://a b/",
        "http://a.example/\r\nX: y",
        "http://a.example\\@b.example/",
        "https://user:word@a.example/",
        "http://metadata.google.internal/",
        "http://METADATA.google.internal./",
    ],
)
def test_what_is_no_providers_address_is_refused(url: str) -> None:
    assert address_fault(url, allow_private=True) is not None


@pytest.mark.req("CONFIG-25", "CONFIG-22")
@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "169.254.1.1",
        "169.254.169.254.",
        "2852039166",
        "0xa9fea9fe",
        "0xA9.0xfe.0xa9.0xfe",
        "0251.0376.0251.0376",
        "169.254.43518",
        "\uff11\uff16\uff19.254.169.254",
        "[::ffff:169.254.169.254]",
        "[::ffff:a9fe:a9fe]",
        "[::169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:a9fe:a9fe::]",
        "[fe80::1]",
        "[fe80::1%25eth0]",
        "[fd00:ec2::254]",
        "100.100.100.200",
        "0.0.0.0",  # noqa: S104 - refused, not bound
        "0",
        "224.0.0.1",
        "[::]",
    ],
)
def test_metadata_and_link_local_addresses_are_refused_in_every_spelling(host: str) -> None:
    assert address_fault(f"http://{host}/", allow_private=True) is not None
    assert address_fault(f"http://{host}:80/v1", allow_private=False) is not None


@pytest.mark.req("CONFIG-25")
@pytest.mark.parametrize(
    "host", ["10.0.0.1", "192.168.1.5:11434", "172.16.0.1", "[fd12::1]", "0xc0a80105", "100.64.0.1"]
)
def test_a_private_address_needs_leave(host: str) -> None:
    fault = address_fault(f"http://{host}/", allow_private=False)
    assert fault is not None
    assert "allowPrivateNetwork" in fault[1]
    assert address_fault(f"http://{host}/", allow_private=True) is None


@pytest.mark.req("CONFIG-25")
@given(st.text(max_size=40))
def test_any_text_is_judged_without_a_crash(text: str) -> None:
    for url in (text, f"http://{text}/", f"http://[{text}]/"):
        fault = address_fault(url, allow_private=False)
        assert fault is None or all(fault)


@pytest.mark.req("CONFIG-25")
@given(st.integers(0xA9FE0000, 0xA9FEFFFF), st.sampled_from([str, hex, lambda n: f"0{n:o}"]))
def test_no_link_local_address_passes_as_a_number(number: int, spell: object) -> None:
    assert callable(spell)
    assert address_fault(f"http://{spell(number)}/", allow_private=True) is not None


@pytest.mark.req("CONFIG-22")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-A", "a\r\nX-B: b"),
        ("X-A", "a\0"),
        ("X-A", "a\x7f"),
        ("X A", "a"),
        ("", "a"),
        ("X-A:", "a"),
        ("X-\u00e9", "a"),
    ],
)
def test_a_header_that_would_be_two_or_none_is_refused(name: str, value: str) -> None:
    wrong = header_fault((("X-Good", "a\tb"), (name, value)))
    assert wrong is not None
    assert wrong[0] == name


@pytest.mark.req("CONFIG-22")
def test_ordinary_headers_are_accepted() -> None:
    assert header_fault((("X-Organization", "org id"), ("Authorization", "Bearer x.y-z"))) is None
