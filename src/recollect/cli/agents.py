"""The agents that the settings file names.

In comes an open memory, out go names. The file has been checked when the memory was opened; here only its list of
agents is looked at again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.memory import Memory


def configured_agents(memory: Memory) -> list[str]:
    """This memory's agent first, then every other that the settings file has, in its order."""
    own = memory.settings.agent_id
    path = memory.loaded.config_path
    if path is None:
        return [own]
    from recollect.config.reading import read_settings

    document = read_settings(path, os.path.basename(path))
    named = [name for entry in _entries(document) if isinstance(name := entry.get("id"), str) and name.strip()]
    return list(dict.fromkeys([own, *named]))


def _entries(document: object) -> list[dict[object, object]]:
    agents = document.get("agents") if isinstance(document, dict) else None
    listed = agents.get("list") if isinstance(agents, dict) else None
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
