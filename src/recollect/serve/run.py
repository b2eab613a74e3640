"""Starts a server and waits for its end: a memory, a kind of chat and a way to listen enter, an exit status leaves.

For a process that does nothing else: it ends soon after the server, whatever still works in a thread. The SDK is
imported here, when a server is really wanted. Its four hundred models are built once; collecting garbage meanwhile
would cost a fifth of the start.
"""

from __future__ import annotations

import gc
import logging
import sys
from typing import TYPE_CHECKING, Final

from recollect.serve.lifecycle import end_at_last

if TYPE_CHECKING:
    from recollect.agent.scope import ChatType
    from recollect.memory import Memory
    from recollect.serve.address import Listening

_LEFT_S: Final = 0.9  # for what still works in a thread when nobody is served any more


def run_stdio(memory: Memory, chat: ChatType) -> None:
    """Speak over standard input and output until the input ends."""
    from recollect.serve.stdio_out import take_stdout

    sink = take_stdout()
    _log_to_stderr()
    gc.disable()
    import anyio

    from recollect.serve.mcp import Door
    from recollect.serve.stdio import serve_stdio

    _keep_what_is_there()
    anyio.run(serve_stdio, Door(memory, chat), 0, sink)
    end_at_last(_LEFT_S)


def run_http(memory: Memory, chat: ChatType, listening: Listening, *, token: str | None) -> None:
    """Speak over HTTP until a signal asks to stop."""
    _log_to_stderr()
    gc.disable()
    import anyio

    from recollect.serve.http import serve_http
    from recollect.serve.mcp import Door

    _keep_what_is_there()

    async def serve() -> None:
        await serve_http(Door(memory, chat), listening, token=token)

    anyio.run(serve)
    end_at_last(_LEFT_S)


def _keep_what_is_there() -> None:
    """What was imported lives as long as the process; there is no need to look at it again and again."""
    gc.freeze()
    gc.enable()


def _log_to_stderr() -> None:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s", force=True)
    logging.captureWarnings(capture=True)
