"""Keys of remote providers: from the settings, else from the environment.

What enters: settings, the file's provider keys and the environment. What leaves: a key, or None.
Never: a `${NAME}` that goes out as it stands, or a key in a message.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from recollect.config.endpoint import is_line
from recollect.config.values import Pairs, Secret, shown
from recollect.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recollect.config.resolve import Settings

VARIABLES = {
    "openai": ("OPENAI_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "voyage": ("VOYAGE_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
}
_NAMES_IN_FILE = {"gemini": ("google", "gemini")}
_REFERENCE = re.compile(r"\$\{([^}]*)(\}?)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def key_for(provider: str, settings: Settings, provider_keys: Pairs, environ: Mapping[str, str]) -> str | None:
    """The provider's key: remote.apiKey, else models.providers.<provider>.apiKey, else the environment's."""
    if settings.remote is not None and settings.remote.api_key:
        return _meant(provider, settings.remote.api_key, environ)
    in_file = dict(provider_keys)
    for name in _NAMES_IN_FILE.get(provider, (provider,)):
        written = in_file.get(name)
        # The file may be shared with a host that has variables which this process has not: then there is no key here.
        key = _clean(resolved(written, environ)) if written and not missing_variables(written, environ) else None
        if key:
            return _meant(provider, key, environ)
    return _from_environment(provider, environ)


def _from_environment(provider: str, environ: Mapping[str, str]) -> str | None:
    return next((key for name in VARIABLES.get(provider, ()) if (key := _clean(environ.get(name, "")))), None)


def _meant(provider: str, key: str, environ: Mapping[str, str]) -> str | None:
    """The seeds let the name of Google's variable stand for its value."""
    if provider == "gemini" and key in VARIABLES["gemini"]:
        return _clean(environ.get(key, ""))
    return key


def _clean(key: str) -> str | None:
    stripped = key.strip()
    return Secret(stripped) if stripped and is_line(stripped) else None


def missing_variables(text: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The names in `${NAME}` that the environment does not hold."""
    return tuple(
        name
        for name, closed in _REFERENCE.findall(text)
        if not (closed and _NAME.fullmatch(name) and environ.get(name))
    )


def resolved(text: str, environ: Mapping[str, str]) -> str:
    """The text with each `${NAME}` replaced; every name must be there."""
    return Secret(_REFERENCE.sub(lambda found: environ[found[1]], text))


def secret_of(text: str, path: str, where: str, environ: Mapping[str, str]) -> str:
    """A secret setting with its variables filled in; ConfigError for one that is missing."""
    missing = missing_variables(text, environ)
    if missing:
        raise ConfigError(
            f"{path} in {where} names the environment variable {shown(missing[0]) or '(none)'}, which is not set.",
            hint="Set it, or leave the setting out.",
        )
    value = resolved(text, environ).strip()
    if not is_line(value):
        raise ConfigError(
            f"{path} in {where} holds a line break or a control character.", hint="Write the value in one line."
        )
    return Secret(value)
