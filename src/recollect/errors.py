"""The errors of recollect: each says what went wrong and what to do about it.

RecollectError            base of everything that recollect raises on purpose
├── ArgumentError         E_ARG       a call or a command was used wrongly            exit 2
├── ConfigError           E_CONFIG    the settings are wrong                          exit 2
├── PathError             E_PATH      a path is refused                               exit 1
├── ProviderError         E_PROVIDER  an embedding provider failed                    exit 1
└── StoreError            E_STORE     the index cannot be used                        exit 1
    ├── BusyError         E_BUSY      another process is writing the index            exit 1, retryable
    └── FullError         E_FULL      no space is left for the index                  exit 1, retryable

A message never holds a key, and never an absolute path of somebody's home.
"""

from __future__ import annotations

from typing import ClassVar


class RecollectError(Exception):
    """Something that recollect can explain: `message` says what, `hint` says what to do."""

    code: ClassVar[str] = "E_FAILED"
    exit_code: ClassVar[int] = 1
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class ArgumentError(RecollectError):
    """A call or a command was used wrongly."""

    code = "E_ARG"
    exit_code = 2


class ConfigError(RecollectError):
    """The settings are wrong; the message names the path in the file."""

    code = "E_CONFIG"
    exit_code = 2


class PathError(RecollectError):
    """A path is refused: outside the memory, no Markdown, no regular file, or not permitted."""

    code = "E_PATH"


class ProviderError(RecollectError):
    """An embedding provider failed or answered something that cannot be used."""

    code = "E_PROVIDER"


class StoreError(RecollectError):
    """The index cannot be used; the notes themselves are untouched."""

    code = "E_STORE"


class BusyError(StoreError):
    """Another process is writing the index."""

    code = "E_BUSY"
    retryable = True


class FullError(StoreError):
    """No space is left for the index."""

    code = "E_FULL"
    retryable = True
