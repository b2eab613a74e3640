"""Every setting there is: its name, kind, default, bounds and meaning, as data.

What enters: nothing. What leaves: `KEYS`, the one table from which settings are checked, resolved, shown and
documented. Never: behaviour, or a default that stands anywhere else.

`memorySearch.*` stands in the file under `agents.defaults` and under `agents.list[n]`.
`[]` is an item of a list.
"""

# ruff: noqa: FBT003 - in a table, what True means stands in the row
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from recollect.config.values import Value

Kind = Literal["flag", "whole", "number", "text", "path", "secret", "reference", "choice", "texts", "choices", "pairs"]


class Key(Struct, frozen=True, kw_only=True):
    """One setting. Outside `low`..`high` it is refused; `least` and `most` are what it is moved to instead."""

    path: str
    kind: Kind
    says: str
    default: Value | None = None  # None: unset
    shown_default: str = ""  # where the default is not a plain value
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    least: float | None = None
    most: float | None = None
    exact: bool = False  # of a whole number: whether a fraction is refused rather than cut off
    active: bool = True  # false: accepted and reported, the feature does not exist yet
    later: tuple[str, ...] = ()  # the choices whose feature does not exist yet


REMOTE_PROVIDERS = ("openai", "gemini", "voyage", "mistral")
PROVIDERS = ("auto", "offline", "none", *REMOTE_PROVIDERS, "local", "ollama")
LATER_PROVIDERS = (*REMOTE_PROVIDERS, "local", "ollama")
# What the file calls a provider, and which one that is.
PROVIDER_NAMES = {"openai": "openai", "gemini": "gemini", "google": "gemini", "voyage": "voyage", "mistral": "mistral"}
SOURCES = ("memory", "sessions")


def _flag(path: str, default: bool, says: str, *, active: bool = True) -> Key:
    return Key(path=path, kind="flag", default=default, says=says, active=active)


def _later_whole(path: str, default: int | None, says: str, *, least: float, high: float) -> Key:
    return Key(path=path, kind="whole", default=default, says=says, least=least, high=high, active=False)


_MEMORY_SEARCH = (
    _flag("enabled", True, "Whether this agent has a memory at all."),
    Key(
        path="sources",
        kind="choices",
        default=("memory",),
        choices=SOURCES,
        later=("sessions",),
        says="What is searched. `sessions` needs `experimental.sessionMemory` and is dropped without it.",
    ),
    Key(
        path="extraPaths",
        kind="texts",
        default=(),
        says="More Markdown files or folders, absolute or below the workspace. Lists of defaults, agent and workspace "
        "add up.",
    ),
    Key(
        path="provider",
        kind="choice",
        default="auto",
        choices=PROVIDERS,
        later=LATER_PROVIDERS,
        says="Who makes the vectors. `offline` is the table inside the package, `none` means keyword search on "
        "purpose, `auto` takes the first that is ready and `offline` at the end.",
    ),
    Key(
        path="model",
        kind="text",
        default="",
        shown_default="the provider's own",
        says="The model's name; a prefix such as `openai/` is dropped.",
        active=False,
    ),
    Key(
        path="fallback",
        kind="choice",
        default="none",
        choices=("none", *REMOTE_PROVIDERS, "local", "ollama", "offline"),
        says="The provider to use when the first one fails.",
        active=False,
    ),
    Key(
        path="remote.baseUrl",
        kind="text",
        says="The endpoint of a remote provider, http or https. Link-local and metadata addresses are refused.",
        active=False,
    ),
    Key(
        path="remote.apiKey",
        kind="secret",
        says="The provider's key. `${NAME}` is read from the environment and must exist there.",
        active=False,
    ),
    Key(
        path="remote.headers",
        kind="pairs",
        default=(),
        says="More headers for the provider; they win over its own. `${NAME}` is read from the environment.",
        active=False,
    ),
    _flag(
        "remote.allowPrivateNetwork",
        False,
        "Whether `remote.baseUrl` may be an address of a private network. Loopback always may.",
        active=False,
    ),
    _flag("remote.batch.enabled", False, "Whether large builds go through the provider's batch API.", active=False),
    _flag("remote.batch.wait", True, "Whether a build waits until its batch is done.", active=False),
    _later_whole("remote.batch.concurrency", 2, "How many batch jobs run at once.", least=1, high=64),
    _later_whole("remote.batch.pollIntervalMs", 2000, "How often a batch job is asked after.", least=1, high=3_600_000),
    _later_whole("remote.batch.timeoutMinutes", 60, "How long a batch job may take.", least=1, high=10_080),
    Key(
        path="local.modelPath",
        kind="path",
        says="A model file on this machine, or its `hf:` or `https:` address.",
        active=False,
    ),
    Key(path="local.modelCacheDir", kind="path", says="Where downloaded model files are kept.", active=False),
    Key(path="store.driver", kind="choice", default="sqlite", choices=("sqlite",), says="The kind of database."),
    Key(
        path="store.path",
        kind="path",
        shown_default="`<state>/memory/{agentId}.sqlite`",
        says="The index file. `{agentId}` is replaced everywhere. A folder other than the configured workspace has "
        "an index of its own, `{agentId}-<mark>.sqlite`.",
    ),
    _flag("store.vector.enabled", True, "Whether the sqlite-vec extension may be used where it loads."),
    Key(
        path="store.vector.extensionPath",
        kind="path",
        shown_default="none: vectors are compared in the process",
        says="The sqlite-vec library to load, or `auto` for the installed one.",
    ),
    Key(
        path="chunking.tokens",
        kind="whole",
        default=400,
        low=1,
        high=100_000,
        says="The size of a chunk, about four characters a token.",
    ),
    Key(
        path="chunking.overlap",
        kind="whole",
        default=80,
        least=0,
        says="How much of a chunk the next one repeats; at most `chunking.tokens` less one.",
    ),
    _flag(
        "sync.onSessionStart",
        True,
        "Whether a session's start brings the index up to date, in a host that has a worker for it.",
    ),
    _flag("sync.onSearch", True, "Whether a search brings small changes of the files in before it answers."),
    _flag("sync.watch", True, "Whether a running process watches the files.", active=False),
    _later_whole("sync.watchDebounceMs", 1500, "How long the files must rest after a change.", least=0, high=3_600_000),
    _later_whole("sync.intervalMinutes", 0, "How often a running process syncs; 0 is never.", least=0, high=525_600),
    _later_whole("sync.sessions.deltaBytes", 100_000, "Transcript growth that syncs; 0 is any.", least=0, high=1e12),
    _later_whole("sync.sessions.deltaMessages", 50, "New transcript lines that sync; 0 is any.", least=0, high=1e9),
    Key(
        path="query.maxResults",
        kind="whole",
        default=6,
        exact=True,
        low=1,
        high=1000,
        says="How many hits an answer has.",
    ),
    Key(path="query.minScore", kind="number", default=0.35, least=0, most=1, says="The score that a hit needs."),
    _flag("query.hybrid.enabled", True, "Whether words and vectors are searched together."),
    Key(
        path="query.hybrid.vectorWeight",
        kind="number",
        default=0.7,
        least=0,
        most=1,
        says="The share of the vectors; both weights are divided by their sum, which must not be 0.",
    ),
    Key(
        path="query.hybrid.textWeight",
        kind="number",
        default=0.3,
        least=0,
        most=1,
        says="The share of the words.",
    ),
    Key(
        path="query.hybrid.candidateMultiplier",
        kind="whole",
        default=4,
        least=1,
        most=20,
        says="How many candidates are ranked for each hit that is asked for.",
    ),
    _flag("query.hybrid.mmr.enabled", False, "Whether hits that repeat each other make room for others."),
    Key(
        path="query.hybrid.mmr.lambda",
        kind="number",
        default=0.7,
        least=0,
        most=1,
        says="1 is relevance alone, 0 is variety alone.",
    ),
    _flag("query.hybrid.temporalDecay.enabled", False, "Whether dated notes lose weight with age."),
    Key(
        path="query.hybrid.temporalDecay.halfLifeDays",
        kind="whole",
        default=30,
        least=1,
        high=100_000,
        says="The age at which a note counts half.",
    ),
    _flag("cache.enabled", True, "Whether vectors that cost something are kept for reuse."),
    Key(
        path="cache.maxEntries",
        kind="whole",
        low=0,
        high=1_000_000_000,
        shown_default="no limit",
        says="How many vectors are kept; the oldest go first. 0 switches the cache off.",
    ),
    _flag("experimental.sessionMemory", False, "Whether session transcripts may be indexed.", active=False),
)


def _qmd(path: str, kind: Kind, default: Value | None, says: str, choices: tuple[str, ...] = ()) -> Key:
    low = 0 if kind == "whole" else None
    return Key(path=f"memory.qmd.{path}", kind=kind, default=default, says=says, choices=choices, low=low, active=False)


_QMD = (
    _qmd("command", "text", "qmd", "The program to run."),
    _qmd("searchMode", "choice", "search", "Which of its searches answers.", ("search", "vsearch", "query")),
    _qmd("includeDefaultMemory", "flag", True, "Whether `MEMORY.md` and `memory/` are in it."),
    _qmd("paths[].path", "text", None, "A further file or folder."),
    _qmd("paths[].pattern", "text", "**/*.md", "Which files of the folder."),
    _qmd("paths[].name", "text", "", "A stable name of the collection."),
    _qmd("sessions.enabled", "flag", False, "Whether transcripts are exported to it."),
    _qmd("sessions.exportDir", "path", None, "Where they are exported to."),
    _qmd("sessions.retentionDays", "whole", None, "How long exported transcripts stay."),
    _qmd("update.interval", "text", "5m", "How often it updates."),
    _qmd("update.debounceMs", "whole", 15_000, "The least time between two updates."),
    _qmd("update.onBoot", "flag", True, "Whether it updates at the start."),
    _qmd("update.waitForBootSync", "flag", False, "Whether the start waits for that."),
    _qmd("update.embedInterval", "text", "60m", "How often it embeds."),
    _qmd("update.commandTimeoutMs", "whole", 30_000, "How long a command may take."),
    _qmd("update.updateTimeoutMs", "whole", 120_000, "How long an update may take."),
    _qmd("update.embedTimeoutMs", "whole", 120_000, "How long embedding may take."),
    _qmd("limits.maxResults", "whole", 6, "How many hits."),
    _qmd("limits.maxSnippetChars", "whole", 700, "Characters of a snippet."),
    _qmd("limits.maxInjectedChars", "whole", 4000, "Characters of all snippets."),
    _qmd("limits.timeoutMs", "whole", 4000, "How long a search may take."),
    _qmd("scope.default", "choice", "deny", "What holds where no rule matches.", ("allow", "deny")),
    _qmd("scope.rules[].action", "choice", None, "What this rule says.", ("allow", "deny")),
    _qmd("scope.rules[].match.channel", "text", None, "The channel it speaks of."),
    _qmd("scope.rules[].match.chatType", "choice", None, "The kind of chat.", ("direct", "dm", "group", "channel")),
    _qmd("scope.rules[].match.keyPrefix", "text", None, "The session key's beginning."),
    _qmd("scope.rules[].match.rawKeyPrefix", "text", None, "The same, agent and all."),
    _qmd("mcporter.enabled", "flag", False, "Whether it is spoken to through mcporter."),
    _qmd("mcporter.serverName", "text", "qmd", "The name of that server."),
    _qmd("mcporter.startDaemon", "flag", True, "Whether its daemon is started."),
)

_FLUSH = "agents.defaults.compaction.memoryFlush."

_REST = (
    Key(
        path="memory.backend",
        kind="choice",
        default="builtin",
        choices=("builtin", "qmd"),
        later=("qmd",),
        says="Which engine answers.",
    ),
    Key(
        path="memory.citations",
        kind="choice",
        default="auto",
        choices=("auto", "on", "off"),
        says="Whether hits carry their `path#L5-L9`; `auto` in direct chats only.",
    ),
    *_QMD,
    Key(
        path="agents.defaults.workspace",
        kind="path",
        shown_default="`<state>/workspace`",
        says="The notes of every agent that has no workspace of its own.",
    ),
    Key(path="agents.list[].id", kind="text", says="The agent's name; it names the index file."),
    Key(path="agents.list[].workspace", kind="path", says="This agent's notes."),
    Key(
        path="agents.defaults.compaction.reserveTokensFloor",
        kind="number",
        default=20_000,
        says="Tokens that stay free, as the memory flush counts them.",
        active=False,
    ),
    _flag(_FLUSH + "enabled", True, "Whether notes are written before a session is compacted.", active=False),
    Key(
        path=_FLUSH + "softThresholdTokens",
        kind="number",
        default=4000,
        says="How long before compaction that happens.",
        active=False,
    ),
    Key(path=_FLUSH + "prompt", kind="text", shown_default="built in", says="What is asked.", active=False),
    Key(
        path=_FLUSH + "systemPrompt",
        kind="text",
        shown_default="built in",
        says="The same, for the system prompt.",
        active=False,
    ),
    Key(
        path="plugins.slots.memory",
        kind="text",
        default="memory-core",
        later=("memory-lancedb",),
        says="Which plugin is the memory; `none` switches it off.",
    ),
    *(
        Key(
            path=f"models.providers.{name}.apiKey",
            kind="reference",
            says=f"The key of {provider}, where `remote.apiKey` is unset.",
            active=False,
        )
        for name, provider in PROVIDER_NAMES.items()
    ),
)

KEYS: dict[str, Key] = {
    **{f"memorySearch.{key.path}": key for key in _MEMORY_SEARCH},
    **{key.path: key for key in _REST},
}

# The parts of the file that hold other settings beside ours: a name that we do not know there is none of our business.
OPEN = frozenset(
    {
        "",
        "agents",
        "agents.defaults",
        "agents.list[]",
        "agents.defaults.compaction",
        "plugins",
        "plugins.slots",
        "models",
        "models.providers",
        *(f"models.providers.{name}" for name in PROVIDER_NAMES),
    }
)
# Where the memorySearch object stands in the file.
PLACES = ("agents.defaults", "agents.list[]")
# What a settings file inside a workspace may set.
HARMLESS = ("memorySearch.chunking.", "memorySearch.query.", "memorySearch.extraPaths")
