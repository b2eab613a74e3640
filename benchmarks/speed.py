"""The rows of "speed and size": CPU seconds of whole processes, ratios to an empty interpreter, counts, bytes."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import corpus
from measure import PYTHON, Table, recollect, run

QUESTION = "how do I configure the connection timeout of the client"


def main(*, quick: bool = False) -> Table:
    """Print the table; `quick` leaves the 5,000 files out."""
    table = Table()
    with tempfile.TemporaryDirectory() as scratch:
        env = {**os.environ, "RECOLLECT_STATE_DIR": str(Path(scratch) / "state"), "HOME": scratch}
        empty = run([PYTHON, "-c", "pass"], env, 10).cpu
        table.add("recollect --help, multiple of python -c pass", run(recollect("--help"), env, 10).cpu / empty, 4, "x")
        sizes = (1000,) if quick else (1000, 5000)
        for files in sizes:
            _corpus_rows(table, Path(scratch), env, files, empty)
        _warm_rows(table, Path(scratch), env)
    return table


def _corpus_rows(table: Table, scratch: Path, env: dict[str, str], files: int, empty: float) -> None:
    work = scratch / f"docs-{files}"
    size, source = corpus.make(work, files)
    print(f"-- {files} files, {size / 1e6:.1f} MB: {source}")
    at = ("--workspace", str(work))
    index = run(recollect("index", "--json", *at), env)
    target = {1000: 2.6, 5000: 12.0}[files]
    table.add(f"full index with vectors, {files} files, CPU", index.cpu, target, "s")
    if files == 5000:  # the rows of the targets
        table.add("peak memory while indexing 5,000 files", index.peak_mb, 250, "MB")
    store = next((Path(env["RECOLLECT_STATE_DIR"]) / "memory").glob("*.sqlite"))
    table.add(f"index on disk / bytes of Markdown, {files} files", store.stat().st_size / size, 1.6, "x")
    note = next((work / "memory").rglob("doc-00042.md"))
    path = note.relative_to(work).as_posix()
    for command in (["status"], ["get", path]):
        cost = run(recollect(*command, *at), env, 5).cpu
        table.add(f"recollect {command[0]}, {files} files, multiple of python -c pass", cost / empty, 6, "x")
    table.add(
        f"search, offline, {files} files, cold process", run(recollect("search", QUESTION, *at), env, 5).cpu, 0.25, "s"
    )
    table.add(f"sync with nothing changed, {files} files", run(recollect("index", *at), env, 5).cpu, 0.35, "s")
    _change_rows(table, env, work, note, at, files)
    if files == 5000:  # the rows of the targets
        _keyword_row(table, env, at)
    shutil.rmtree(work)
    shutil.rmtree(env["RECOLLECT_STATE_DIR"])


def _change_rows(table: Table, env: dict[str, str], work: Path, note: Path, at: tuple[str, ...], files: int) -> None:
    with note.open("a", encoding="utf-8") as file:
        file.write("\nThe new timeout is forty seconds.\n")
    cost = run(recollect("index", "--json", *at), env)
    table.add(f"sync after one line in one file of {files}", cost.cpu, 0.4, "s")
    table.add("  texts embedded for it", json.loads(cost.output)["embedded"], 2, "")
    long = work / "memory" / "long.md"
    long.write_text("\n".join(path.read_text() for path in sorted((work / "memory").rglob("doc-000*.md"))[:30]))
    run(recollect("index", *at), env)
    long.write_text("Two new lines\nat the very top.\n" + long.read_text())
    report = json.loads(run(recollect("index", "--json", *at), env).output)
    table.add("two lines inserted at the top of a long file: texts embedded", report["embedded"], 2, "")
    long.rename(long.with_name("longer.md"))
    report = json.loads(run(recollect("index", "--json", *at), env).output)
    table.add("a file renamed: texts embedded", report["embedded"], 0, "")


_KEYWORD = """
import sys, time
from recollect import Memory
memory = Memory(workspace=sys.argv[1], config={"provider": "none", "sync": {"onSearch": False}})
memory.search("warm up the index")
print(memory.status().chunks)
words = "how do I configure the connection timeout of the client when the server does not answer in time"
started = time.process_time()
for _ in range(20):
    memory.search(words)
print((time.process_time() - started) / 20 * 1000)
"""

_WARM = """
import sys, time
from recollect import Memory
memory = Memory(workspace=sys.argv[1])
memory.sync()
memory.search("warm up the index")
print(memory.status().chunks)
started = time.process_time()
for number in range(20):
    memory.search(f"how do I configure the connection timeout of client {number}")
print((time.process_time() - started) / 20 * 1000)
"""


def _keyword_row(table: Table, env: dict[str, str], at: tuple[str, ...]) -> None:
    chunks, spent = run([PYTHON, "-c", _KEYWORD, at[1]], env).output.split()
    table.add(f"keyword search, natural question, {chunks} chunks, warm process, CPU", float(spent), 3, "ms")


def _warm_rows(table: Table, scratch: Path, env: dict[str, str]) -> None:
    work = scratch / "warm"
    corpus.make(work, 1000)
    chunks, spent = run([PYTHON, "-c", _WARM, str(work)], env).output.split()
    table.add(f"search in a warm process, {chunks} chunks, CPU with the query's embedding", float(spent), 3, "ms")
    _vector_rows(table)


def _vector_rows(table: Table) -> None:
    """The scan alone: what an exact answer over all vectors costs, in int8, and beside the seeds' way of asking."""
    import numpy as np
    import simsimd

    rng = np.random.default_rng(7)
    spent = {}
    for rows in (100_000, 1_000_000):
        vectors = rng.integers(-127, 128, size=(rows, 384), dtype=np.int8)
        query = vectors[:1].copy()
        simsimd.cdist(query, vectors[:1000], metric="cosine")
        started = time.process_time()
        for _ in range(3):
            distances = np.asarray(simsimd.cdist(query, vectors, metric="cosine"))
            np.argpartition(distances[0], 24)
        spent[rows] = (time.process_time() - started) / 3
    _join_row(table, spent[100_000])
    table.add("exact int8 scan of 1,000,000 x 384, CPU", spent[1_000_000] * 1000, 60, "ms")


def _join_row(table: Table, ours: float) -> None:
    """The seeds' query: sqlite-vec's cosine distance over a table of float32 vectors, joined with the chunks."""
    import apsw
    import numpy as np

    found = importlib.util.find_spec("sqlite_vec")
    if found is None or found.origin is None:
        print("NOT MEASURED beside the seeds' JOIN scan: sqlite-vec is not installed.")
        return
    vectors = np.random.default_rng(7).standard_normal((100_000, 384), dtype=np.float32)
    database = apsw.Connection(":memory:")
    database.enable_load_extension(True)
    database.load_extension(str(Path(found.origin).with_name("vec0")))
    database.execute("CREATE TABLE chunks(id TEXT PRIMARY KEY, path TEXT, model TEXT, text TEXT)")
    database.execute("CREATE VIRTUAL TABLE chunks_vec USING vec0(id TEXT PRIMARY KEY, embedding FLOAT[384])")
    names = [f"{number:064x}" for number in range(len(vectors))]
    with database:
        database.executemany("INSERT INTO chunks VALUES(?, 'a.md', 'm', ?)", ((name, "text " * 250) for name in names))
        blobs = ((name, vector.tobytes()) for name, vector in zip(names, vectors, strict=True))
        database.executemany("INSERT INTO chunks_vec VALUES(?, ?)", blobs)
    started = time.process_time()
    database.execute(_JOIN, (vectors[0].tobytes(),)).fetchall()
    ratio = (time.process_time() - started) / ours
    table.add("exact int8 scan against the seeds' JOIN scan, 100,000 x 384", ratio, 130, "x", higher_is_better=True)


_JOIN = """
SELECT c.id, c.path, c.text, vec_distance_cosine(v.embedding, ?) AS dist
FROM chunks_vec v JOIN chunks c ON c.id = v.id WHERE c.model = 'm' ORDER BY dist ASC LIMIT 24
"""


if __name__ == "__main__":
    main(quick="--quick" in sys.argv)
