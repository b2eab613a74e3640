"""What `--json` prints beyond the values of the library: the workspace that was taken, and the seeds' outer shapes.

In come values, out go objects for the encoder. Keys are the seeds', in camelCase.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.memory import Memory
    from recollect.types import GetResult, SearchResult, Status, SyncReport


def with_workspace(value: SearchResult | SyncReport | GetResult, memory: Memory) -> dict[str, object]:
    """A result and the notes that it speaks of."""
    import msgspec

    plain: dict[str, object] = msgspec.to_builtins(value)
    return {**plain, "workspace": memory.workspace, "workspaceOrigin": memory.workspace_origin}


def status_entry(status: Status, index_error: str | None = None) -> dict[str, object]:
    """One agent's entry in `status --json`."""
    return {
        "agentId": status.agent_id,
        "status": status,
        "embeddingProbe": status.embedding_probe,
        "indexError": index_error,
        "scan": {"totalFiles": status.files, "issues": [problem.message for problem in status.problems]},
    }
