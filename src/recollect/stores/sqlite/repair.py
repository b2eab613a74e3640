"""What becomes of a store that cannot be used as it is, under the write lock.

Enters: the store's path. Leaves: a file that a writer can open, and notes on what was done.
Only a malformed file is put aside as damaged (one is kept). A database that is somebody else's is put aside whole and
never deleted. An index of another format, or one that lacks a table, is emptied: the next sync fills it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from recollect.errors import StoreError
from recollect.stores.sqlite import driver, schema, verify
from recollect.stores.sqlite.driver import SIDECARS, DamagedError

if TYPE_CHECKING:
    import apsw

    from recollect.stores.sqlite.reader import Note

EXPLAINED = {
    "old": "The index was made by another version of recollect; `recollect index` makes it anew.",
    "broken": "A table of the index is gone; `recollect index` makes it anew.",
    "foreign": "The file at the index's path is another program's database; `recollect index` puts it aside.",
}

_SUSPECT = ".suspect"  # left by a reader that met damage, for the next writer to look into


def suspect(path: str) -> None:
    """Ask the next writer to look at the store. Where that cannot be asked, the reader's error must do."""
    with suppress(OSError):
        os.close(os.open(path + _SUSPECT, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))


def put_right(path: str) -> list[Note]:
    """See to it that a writer can open the file at `path`. For the holder of the write lock."""
    notes: list[Note] = []
    if driver.mark_of(path) is not None:
        os.chmod(path, 0o600)
        state = _state(path)
        if state == "damaged":
            _put_aside(path, ".damaged")
            notes.append(("quarantined", "The index was damaged; it was put aside and is made anew from your notes."))
        elif state == "foreign":
            if os.path.lexists(path + ".foreign"):
                raise StoreError(
                    "The file at the index's path is another program's database.",
                    hint="Choose another store.path in the settings.",
                )
            _put_aside(path, ".foreign")
            notes.append(("foreign", "Another program's database lay at the index's path; it was put aside."))
    if driver.mark_of(path) is None:
        # a log that stands beside a new file would be taken for its own
        driver.remove(path, *(path + end for end in SIDECARS))
        driver.make_private_file(path)
    driver.remove(path + _SUSPECT)
    return notes


def _state(path: str) -> str:
    try:
        connection = driver.open_writer(path)
        try:
            with driver.explained():
                state = schema.state_of(connection)
                if state == "ready" and os.path.exists(path + _SUSPECT) and verify.damage(connection):
                    return "damaged"
                return state
        finally:
            connection.close()
    except DamagedError:
        return "damaged"


def _put_aside(path: str, ending: str) -> None:
    """The main file first: if this is cut short, the log is beside no file, and is removed before one is made."""
    try:
        if ending == ".foreign":
            for end in SIDECARS:
                if os.path.exists(path + end):
                    os.replace(path + end, path + ending + end)
        os.replace(path, path + ending)
    except OSError as error:
        raise driver.explain_os(error, "put aside") from error
    driver.remove(*(path + end for end in SIDECARS))


def make_empty(connection: apsw.Connection) -> None:
    """Drop every table and make ours anew, within the transaction that is open."""
    generation = cast("int", connection.execute("SELECT abs(random()) >> 24").fetchall()[0][0])
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%'")
    for name in cast("list[tuple[str]]", names.fetchall()):
        quoted = name[0].replace('"', '""')
        connection.execute(f'DROP TABLE IF EXISTS "{quoted}"')
    schema.create(connection)
    # a reader that knew an earlier file must never take this one for it
    schema.write_meta(connection, {"instance": os.urandom(8).hex(), "generation": generation})
