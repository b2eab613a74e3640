"""The index in one SQLite file: plain tables that any SQLite can read, opened through apsw alone."""

from __future__ import annotations

from recollect.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
