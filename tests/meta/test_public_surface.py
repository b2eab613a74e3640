"""What the package shows: its names, their signatures, its values, and what importing it costs."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

import recollect
from recollect import protocols, types

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

_PACKAGE = Path(recollect.__file__).parent
_PUBLIC_FILES = ["memory.py", "aio.py", "types.py", "errors.py", "protocols.py"]
_TESTING_FILES = sorted(str(path.relative_to(_PACKAGE)) for path in (_PACKAGE / "testing").glob("*.py"))

# What makes a command slow to start. Loaded only where something is ranked, embedded, or shown in colours.
HEAVY = {"numpy", "simsimd", "Stemmer", "rich", "pyjson5", "json", "sqlite3", "asyncio", "urllib.request", "difflib"}


@pytest.mark.req("META-02")
def test_the_public_names_are_sorted_and_each_can_be_imported() -> None:
    assert list(recollect.__all__) == sorted(set(recollect.__all__))
    for name in recollect.__all__:
        assert getattr(recollect, name).__name__ == name
        assert name in dir(recollect)


@pytest.mark.req("META-02")
def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Memmory"):
        getattr(recollect, "Memmory")  # noqa: B009 - mypy knows that it does not exist
    with pytest.raises(ImportError):
        exec("from recollect import Memmory", {})  # noqa: S102 - as a program would write it


@pytest.mark.req("META-02")
def test_every_error_of_the_library_is_public_and_under_one_base() -> None:
    errors = importlib.import_module("recollect.errors")
    named = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert named == {name for name in recollect.__all__ if name.endswith("Error")}
    assert all(issubclass(getattr(recollect, name), recollect.RecollectError) for name in named)


def _functions(path: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The public functions and methods of a file, and how it makes its objects."""
    tree = ast.parse((_PACKAGE / path).read_text(encoding="utf-8"))
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    for body in bodies:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
                not node.name.startswith("_") or node.name == "__init__"
            ):
                yield f"{path}:{node.lineno} {node.name}", node


def _annotations(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, ast.expr | None]]:
    named = function.args
    for argument in (*named.posonlyargs, *named.args, *named.kwonlyargs, named.vararg, named.kwarg):
        if argument is not None and argument.arg not in {"self", "cls"}:
            yield argument.arg, argument.annotation
    yield "return", function.returns


@pytest.mark.req("META-04")
@pytest.mark.parametrize("path", [*_PUBLIC_FILES, *_TESTING_FILES])
def test_public_signatures_are_typed_without_any_and_without_dict(path: str) -> None:
    for place, function in _functions(path):
        for name, annotation in _annotations(function):
            assert annotation is not None, f"{place}: {name} has no type"
            words = {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}
            assert not words & {"Any", "dict", "Dict"}, f"{place}: {name} is {ast.unparse(annotation)}"


@pytest.mark.req("META-04")
def test_fields_of_public_values_are_typed_without_any_and_without_dict() -> None:
    tree = ast.parse((_PACKAGE / "types.py").read_text(encoding="utf-8"))
    for field in (node for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)):
        words = {node.id for node in ast.walk(field.annotation) if isinstance(node, ast.Name)}
        assert not words & {"Any", "dict", "Dict", "list", "object"}, ast.unparse(field)


def _structs(module: ModuleType) -> list[type[msgspec.Struct]]:
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct) and value.__module__ == module.__name__
    ]


@pytest.mark.req("META-05")
@pytest.mark.parametrize("struct", _structs(types) + _structs(protocols), ids=lambda struct: struct.__name__)
def test_every_value_is_frozen(struct: type[msgspec.Struct]) -> None:
    assert struct.__struct_config__.frozen


@pytest.mark.req("META-05")
@pytest.mark.parametrize("struct", _structs(types), ids=lambda struct: struct.__name__)
def test_values_that_leave_the_library_are_made_by_keyword_alone(struct: type[msgspec.Struct]) -> None:
    with pytest.raises(TypeError):
        struct("a value")


def _loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after running this."""
    program = f"{code}\nimport sys; names = sorted(sys.modules); import json; print(json.dumps(names))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {*json.loads(run.stdout.splitlines()[-1])}


@pytest.mark.req("META-06")
def test_importing_the_package_loads_nothing_else() -> None:
    loaded = _loaded_after("import recollect")
    assert not HEAVY & loaded
    assert not {"apsw", "msgspec", "click"} & loaded
    assert not [name for name in loaded if name.startswith("recollect.")]


@pytest.mark.req("META-06")
@pytest.mark.parametrize(
    "code",
    [
        "from recollect import Memory; Memory('notes', state_dir='state')",
        "from recollect import Memory; Memory('notes', state_dir='state').get('MEMORY.md')",
        "from recollect import Memory; Memory('notes', state_dir='state').status()",
        "from recollect import RecollectError, Hit, SearchResult",
    ],
)
def test_what_needs_no_ranking_loads_nothing_for_it(code: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "MEMORY.md").write_text("# Memory\n\nTea, not coffee.\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-c", "from recollect import Memory; Memory('notes', state_dir='state').sync()"],
        cwd=tmp_path,
        check=True,
    )
    loaded = _loaded_after(f"import os; os.chdir({str(tmp_path)!r}); {code}")
    assert "recollect" in loaded
    assert not HEAVY & loaded
    assert not [name for name in loaded if name.startswith(("recollect.rank", "recollect.retrieve"))]
