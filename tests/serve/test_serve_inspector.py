"""The MCP inspector's command line, from the npm registry, against real processes."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from serve.conftest import Place, Web

pytestmark = [pytest.mark.slow, pytest.mark.req("MCP-17"), pytest.mark.allow_hosts(["127.0.0.1"])]

_PACKAGE = "@modelcontextprotocol/inspector@0.15.0"
_CALLS: dict[str, tuple[str, ...]] = {
    "memory_search": ("--method", "tools/list"),
    "Redis goes": ("--method", "tools/call", "--tool-name", "memory_search", "--tool-arg", "query=what about Redis?"),
    "memory://memory/2026-02-10.md": ("--method", "resources/list"),
    "boathouse": ("--method", "resources/read", "--uri", "memory://MEMORY.md"),
    "memory://{+path}": ("--method", "resources/templates/list"),
    "recall": ("--method", "prompts/list"),
}


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Its command, installed into a folder of its own."""
    npm, folder = shutil.which("npm"), tmp_path_factory.mktemp("inspector")
    if npm is None:
        pytest.skip("LEFT OUT: there is no npm here")
    install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), _PACKAGE]
    done = subprocess.run(install, capture_output=True, text=True, check=False, timeout=400)
    if done.returncode:
        pytest.skip(f"LEFT OUT: the inspector cannot be installed: {done.stderr[-200:]}")
    return [str(folder / "node_modules" / ".bin" / "mcp-inspector"), "--cli"]


def _said(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.dumps(json.loads(done.stdout), ensure_ascii=False)


@pytest.mark.parametrize("word", _CALLS)
def test_it_talks_to_the_server_over_stdio(word: str, inspector: list[str], indexed: Place, tmp_path: Path) -> None:
    assert word in _said([*inspector, *indexed.argv("--chat", "direct"), *_CALLS[word]], tmp_path)


@pytest.mark.parametrize("word", _CALLS)
def test_it_talks_to_the_server_over_http(
    word: str, inspector: list[str], indexed: Place, web: Callable[..., Web], tmp_path: Path
) -> None:
    server = web("--chat", "direct")
    assert word in _said([*inspector, server.url, *_CALLS[word]], tmp_path)
