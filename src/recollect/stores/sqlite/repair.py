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

# By what the file is: what its name ends in afterwards, and what is said about it.
_PUT_ASIDE: dict[str, tuple[str, Note]] = {
    "damaged": (
        ".damaged",
        ("quarantined", "The index was damaged; it was put aside and is made anew from your notes."),
    ),
    "foreign": (
        ".foreign",
        ("foreign", "Another program's database lay at the index's path; it was put aside."),
    ),
}
_MAY_GO = {
    ".damaged": "A damaged index was put aside as {}; it may be deleted.",
    ".foreign": "Another program's database was put aside as {}; move it to where it belongs.",
}
SUSPECTED: Note = ("suspect", "A reader met damage in the index; `recollect index` looks into it and mends it.")
_SUSPECT = ".suspect"  # left by a reader that met damage, for the next writer to look into


def suspect(path: str) -> None:
    """Ask the next writer to look at the store. Where that cannot be asked, the reader's error must do."""
    with suppress(OSError):
        os.close(os.open(path + _SUSPECT, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))


def suspected(path: str) -> list[Note]:
    """What a reader has asked the next writer to look into."""
    return [SUSPECTED] if os.path.lexists(path + _SUSPECT) else []


def left_aside(path: str) -> list[Note]:
    """What lies beside the index because it was put aside, until somebody takes it away."""
    name = os.path.basename(path)
    return [
        ("put-aside", message.format(name + ending))
        for ending, message in _MAY_GO.items()
        if os.path.lexists(path + ending)
    ]


def open_usable(path: str) -> tuple[apsw.Connection, list[Note]]:
    """A connection that can write to the file at `path`, and what had to be done for it. The file may be empty, or of
    another format; see `make_empty`. For the holder of the write lock."""
    notes: list[Note] = []
    if driver.mark_of(path) is not None:
        connection = _open_private(path)
        state = _state(connection, path)
        if state not in _PUT_ASIDE:
            driver.remove(path + _SUSPECT)
            return connection, notes
        driver.close(connection)
        ending, note = _PUT_ASIDE[state]
        _put_aside(path, ending)
        notes.append(note)
    # a log that stands beside a new file would be taken for its own
    driver.remove(path, path + _SUSPECT, *(path + end for end in SIDECARS))
    driver.make_private_file(path)
    return driver.open_writer(path), notes


def _open_private(path: str) -> apsw.Connection:
    try:
        if not os.path.islink(path):  # what a link names may be somebody else's
            os.chmod(path, 0o600)
    except OSError as error:
        raise driver.explain_os(error, "written", path) from error
    return driver.open_writer(path)


def _state(connection: apsw.Connection, path: str) -> str:
    try:
        with driver.explained():
            state = schema.state_of(connection)
            if state == "ready" and os.path.exists(path + _SUSPECT) and verify.damage(connection):
                return "damaged"
            return state
    except DamagedError:
        return "damaged"
    except BaseException:
        driver.close(connection)
        raise


def _put_aside(path: str, ending: str) -> None:
    """Give the file another name. Of a damaged one the main file goes first: if this is cut short, its log is beside no
    file, and is removed before one is made. Another program's database keeps its log, and is never overwritten."""
    try:
        if ending == ".foreign":
            if os.path.lexists(path + ending):
                raise StoreError(
                    "The file at the index's path is another program's database.",
                    hint="Choose another store.path in the settings.",
                )
            for end in SIDECARS:
                if os.path.exists(path + end):
                    os.replace(path + end, path + ending + end)
        os.replace(path, path + ending)
    except OSError as error:
        raise driver.explain_os(error, "put aside", path) from error


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
