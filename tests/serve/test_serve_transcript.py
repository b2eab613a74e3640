"""The transcript in the docs is what a real session gives today."""

from __future__ import annotations

import pytest

from serve.transcript import PAGE, page


@pytest.mark.req("MCP-16")
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_transcript_in_the_docs_is_a_real_session() -> None:
    assert page() == PAGE.read_text(encoding="utf-8")
