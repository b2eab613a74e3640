"""Arguments of another kind, and why there may be no memory: what opening one says."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import ArgumentError, AsyncMemory, Memory


@pytest.mark.req("LIB-22")
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"workspace": 5}, "workspace must be a path."),
        ({"workspace": b"notes"}, "workspace must be a path."),
        ({"state_dir": 5}, "state_dir must be a path."),
        ({"config_file": ["x"]}, "config_file must be a path."),
        ({"agent": 3}, "The agent's name must be a text."),
        ({"config": "x"}, "config must be a mapping of memorySearch settings."),
        ({"config": ""}, "config must be a mapping of memorySearch settings."),
        ({"config": [("query", {})]}, "config must be a mapping of memorySearch settings."),
        ({"clock": 3}, "clock must be a function that tells the time."),
        ({"embedder": 3}, "embedder must be an embedder."),
        ({"embedder": "openai"}, "embedder must be an embedder."),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [Memory, AsyncMemory])
def test_an_argument_of_another_kind_says_what_is_wanted(
    wrong: dict[str, object], says: str, kind: type[Memory | AsyncMemory], tmp_path: Path
) -> None:
    with pytest.raises(ArgumentError) as refused:
        kind(**{"state_dir": tmp_path, **wrong})  # type: ignore[arg-type] # wrong on purpose
    assert refused.value.message == says
    assert refused.value.hint


@pytest.mark.req("LIB-22")
def test_a_path_may_be_a_text_or_a_path(tmp_path: Path) -> None:
    assert Memory(Path(tmp_path), state_dir=tmp_path).workspace == Memory(str(tmp_path)).workspace == str(tmp_path)


@pytest.mark.req("LIB-24")
def test_a_memory_that_is_switched_off_names_the_setting_that_did_it(tmp_path: Path) -> None:
    file = tmp_path / "settings.json5"
    for text, says in (
        ("{plugins: {slots: {memory: 'none'}}}", 'plugins.slots.memory is "none"'),
        ("{agents: {defaults: {memorySearch: {enabled: false}}}}", "memorySearch.enabled is false"),
    ):
        file.write_text(text)
        with Memory(tmp_path, state_dir=tmp_path / "state", config_file=file) as memory:
            for problem in (*memory.search("tea").warnings, *memory.sync().problems):
                assert says in problem.message
