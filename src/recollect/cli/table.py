"""The list of commands with what their help says in one line, so that `--help` need not import them.

Nothing enters; the table and the text of `recollect --help` leave. It imports nothing at all.
"""

from __future__ import annotations

# name -> (module under recollect.cli, attribute, summary)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "init": ("init", "init_command", "Start a memory: make MEMORY.md and memory/."),
    "index": ("index", "index_command", "Bring the index to the state of the notes."),
    "search": ("search", "search_command", "Ask a question; answers come with file and lines."),
    "get": ("get", "get_command", "Print a note, or some of its lines."),
    "status": ("status", "status_command", "Say how the memory stands."),
    "config": ("config", "config_group", "Show and check the settings."),
    "mcp": ("mcp", "mcp_command", "Serve the memory to agents (Model Context Protocol)."),
    "doctor": ("doctor", "doctor_command", "Look for what is wrong, and say what to do."),
}

USAGE = "Usage: recollect [OPTIONS] COMMAND [ARGS]..."

INTRODUCTION = """\
Memory for AI agents in plain Markdown: MEMORY.md and memory/*.md are the truth,
the index is made from them, and every answer names the lines it stands on."""

# Accepted before the command and after it.
COMMON_OPTIONS: tuple[tuple[str, str], ...] = (
    ("--workspace FOLDER", "The folder with MEMORY.md and memory/."),
    ("--agent ID", "Whose memory (main)."),
    ("--config FILE", "The settings file."),
    ("--state-dir FOLDER", "Where index and settings live (~/.recollect)."),
    ("--json", "Print JSON and nothing else."),
    ("--version", "Print the version."),
    ("--help", "Print this help; `recollect COMMAND --help` says more."),
)

EXAMPLES = """\
First steps:
  recollect init                               makes MEMORY.md and memory/
  recollect search "what did we decide?"       asks
  recollect get memory/2026-02-10.md:3-12      reads what was cited"""


def help_text() -> str:
    """What `recollect --help` prints."""
    commands = _columns([(name, summary) for name, (_, _, summary) in COMMANDS.items()])
    options = _columns(list(COMMON_OPTIONS))
    return f"{USAGE}\n\n{INTRODUCTION}\n\nCommands:\n{commands}\n\nOptions:\n{options}\n\n{EXAMPLES}\n"


def _columns(rows: list[tuple[str, str]]) -> str:
    width = max(len(left) for left, _ in rows) + 2
    return "\n".join(f"  {left.ljust(width)}{right}" for left, right in rows)
