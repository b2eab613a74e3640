"""sqlite-vec: the same answers where it can be loaded, its real cause where it cannot, and search either way."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from recollect.stores.sqlite import SqliteStore
from recollect.testing.store_samples import chunk_of, identity_of, update_of, vector_of

if TYPE_CHECKING:
    from pathlib import Path

    from recollect.types import Grain

ROWS = [chunk_of(0, "alpha", "", "beta"), chunk_of(1, "early", embedded=False), chunk_of(2, "gamma")]
CHUNKS = [chunk_of(0, "alpha", "beta", grain="chunk"), chunk_of(1, "early", embedded=False, grain="chunk")]
MISSING = importlib.util.find_spec("sqlite_vec") is None


def made(path: Path, grain: Grain) -> str:
    with SqliteStore(str(path)).write() as writer:
        writer.begin(identity_of(grain=grain))
        writer.apply([update_of("a.md", *(CHUNKS if grain == "chunk" else ROWS))])
    return str(path)


@pytest.mark.req("STORE-18")
@pytest.mark.skipif(MISSING, reason="sqlite-vec is not installed")
@pytest.mark.parametrize("grain", ["unit", "chunk"])
def test_both_paths_give_the_same_cosines(tmp_path: Path, grain: Grain) -> None:
    path = made(tmp_path / "index.sqlite", grain)
    plain, extended = SqliteStore(path), SqliteStore(path, vector_extension="auto")
    for query in (vector_of("alpha"), vector_of("gamma") * 5, vector_of(""), vector_of("wide", 16)):
        one, other = (store.read(lambda reader, q=query: reader.cosines(q)) for store in (plain, extended))  # type: ignore[misc]  # mypy does not infer a lambda's default
        assert np.allclose(one, other, atol=1e-6, equal_nan=True)
    health = extended.health()
    assert (health.vector_path, health.vector_error) == ("sqlite-vec", None)
    assert plain.health().vector_path == "in-process"
    assert "sqlite_vec" not in sys.modules


@pytest.mark.req("STORE-18")
def test_the_real_cause_is_said_and_search_goes_on(tmp_path: Path) -> None:
    path = made(tmp_path / "index.sqlite", "unit")
    broken = tmp_path / "vec0.so"
    broken.write_bytes(b"no library")
    for extension, cause in ((broken, "vec0.so"), (tmp_path / "none" / "vec0", "vec0")):
        store = SqliteStore(path, vector_extension=str(extension))
        health = store.health()
        assert health.vector_path == "in-process"
        assert health.vector_error is not None
        assert cause in health.vector_error
        assert str(tmp_path) not in health.vector_error
        wanted = SqliteStore(path).read(lambda reader: reader.cosines(vector_of("beta")))
        assert np.array_equal(store.read(lambda reader: reader.cosines(vector_of("beta"))), wanted, equal_nan=True)


@pytest.mark.req("STORE-18")
def test_a_package_that_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    health = SqliteStore(made(tmp_path / "index.sqlite", "unit"), vector_extension="auto").health()
    assert health.vector_error == "sqlite-vec is not installed."


@pytest.mark.req("STORE-18")
def test_a_vector_side_that_is_switched_off_has_no_cosines(tmp_path: Path) -> None:
    store = SqliteStore(made(tmp_path / "index.sqlite", "unit"), vectors_enabled=False, vector_extension="auto")
    assert np.isnan(store.read(lambda reader: reader.cosines(vector_of("alpha")))).all()
    assert store.health().vector_extension is None
