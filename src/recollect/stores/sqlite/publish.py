"""A new index made beside the live one, and its publication in one write transaction.

Enters: the path of the live store, whose write lock is held. Leaves: a draft, and the live store with its content.
Never a rename over a live store (it would bring old rows back out of the log), never a moment without an index, never
a draft left behind: whoever holds the write lock removes what an earlier holder left when it died.
"""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING, cast

from recollect.stores.sqlite import driver, schema
from recollect.stores.sqlite.driver import (
    SIDECARS,
    explain_os,
    explained,
    make_private_file,
    open_draft,
    remove,
    transaction,
    uri_of,
)

if TYPE_CHECKING:
    import apsw

_MARK = ".build-"


class Draft:
    """An index in the making."""

    def __init__(self, path: str) -> None:
        self.path = f"{path}{_MARK}{uuid.uuid4().hex}"
        make_private_file(self.path)
        try:
            self.connection = open_draft(self.path)
            with transaction(self.connection):
                schema.create(self.connection)
        except BaseException:
            self.drop()
            raise

    def publish(self, live: apsw.Connection) -> None:
        """Put the draft's content in the place of the live store's, in one transaction; the cache stays."""
        driver.close(self.connection)
        with explained():
            live.execute("ATTACH ? AS draft", (uri_of(self.path, "mode=ro&immutable=1"),))
            try:
                with transaction(live):
                    _replace_content(live)
            finally:
                if not live.in_transaction:
                    live.execute("DETACH draft")

    def drop(self) -> None:
        """Remove the draft."""
        connection = getattr(self, "connection", None)
        if connection is not None:
            driver.close(connection)
        remove(*(self.path + end for end in ("", *SIDECARS)))


def _replace_content(live: apsw.Connection) -> None:
    before = schema.read_meta(live)
    for table in schema.CONTENT_TABLES:
        live.execute(f"DELETE FROM main.{table}")  # noqa: S608 - our own names
        live.execute(f"INSERT INTO main.{table} SELECT * FROM draft.{table}")  # noqa: S608 - our own names
    live.execute("DELETE FROM main.sync_problems")
    live.execute("INSERT INTO main.sync_problems SELECT * FROM draft.sync_problems")
    live.execute("DELETE FROM main.meta")
    live.execute("INSERT INTO main.meta SELECT * FROM draft.meta")
    generation = cast("int", before.get("generation") or 0) + 1
    schema.write_meta(live, {"generation": generation, "instance": before["instance"]})


def drafts(path: str) -> list[str]:
    """The drafts beside the store: a writer's that is at work, or of one that died."""
    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder or ".")
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise explain_os(error, "read", path) from error
    return [os.path.join(folder, found) for found in names if found.startswith(name + _MARK)]


def sweep(path: str) -> None:
    """Remove what a writer that died left beside the store; only for the holder of the write lock."""
    remove(*drafts(path))
