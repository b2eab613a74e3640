"""The files of the repository: their size, their words, and the commands that run over them."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]
_MOST_LINES = 400
_A_REASON = 2  # words
_A_SENTENCE = 4
_BY_HAND = {".py", ".sh", ".md", ".toml"}

# A path of somebody's home or of a build machine: what people write in examples begins with ~ or is relative.
_MACHINE = re.compile(r"(?<![\w.~/-])/(?:home|Users|root|work|mnt|private|workspace|builds?)/[\w.-]+")
_INVENTED = {"/home/mira", "/home/miranda", "/home/someone"}  # people of the tests


def _tracked() -> list[Path]:
    """The files under version control; from a tree without it, all that are not made by tools."""
    listed = subprocess.run(
        ["git", "-C", str(_ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode == 0:
        names = [_ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        tops = ("src", "tests", "models", "benchmarks", "examples", "docs", ".ci")
        names = [path for top in tops for path in (_ROOT / top).rglob("*")] + [*_ROOT.glob("*")]
    return sorted(path for path in names if path.is_file() and "__pycache__" not in path.parts)


def _text(path: Path) -> str | None:
    data = path.read_bytes()
    try:
        return None if b"\0" in data else data.decode()
    except UnicodeDecodeError:
        return None


_FILES = _tracked()
_PYTHON = [path for path in _FILES if path.suffix == ".py"]
_MODULES = [path for path in _PYTHON if path.is_relative_to(_ROOT / "src")]


def _name(path: Path) -> str:
    return path.relative_to(_ROOT).as_posix()


@pytest.mark.req("META-03")
def test_no_file_is_too_long_without_a_reason() -> None:
    reasons = (_ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    long = {
        _name(path): lines
        for path in _FILES
        if path.suffix in _BY_HAND and (lines := (_text(path) or "").count("\n")) > _MOST_LINES
    }
    assert {name: lines for name, lines in long.items() if f"`{name}`" not in reasons} == {}


@pytest.mark.req("META-07")
def test_every_module_says_what_it_is() -> None:
    said = {_name(path): ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "" for path in _MODULES}
    assert [name for name, words in said.items() if len(words.split()) < _A_SENTENCE] == []


@pytest.mark.req("META-07")
def test_the_map_names_every_room() -> None:
    drawn = (_ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("```")[1]
    package = _ROOT / "src" / "recollect"
    for path in package.iterdir():
        if path.is_dir() and (path / "__init__.py").exists():
            assert f"  {path.name}/" in drawn, path.name
        elif path.suffix == ".py" and not path.name.startswith("__"):
            assert path.name in drawn, path.name
    for room in re.findall(r"^  (\w+)/", drawn, re.MULTILINE):
        assert (package / room).is_dir(), room


@pytest.mark.req("META-08")
def test_no_file_holds_a_path_of_a_machine() -> None:
    found = {
        f"{_name(path)}: {place}"
        for path in _FILES
        if path != Path(__file__).resolve() and (text := _text(path)) is not None
        for place in _MACHINE.findall(text)
        if place not in _INVENTED
    }
    assert found == set()


@pytest.mark.req("META-09")
def test_no_test_sleeps() -> None:
    for path in (path for path in _PYTHON if path.is_relative_to(_ROOT / "tests")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in {"time.sleep", "sleep", "asyncio.sleep"}, f"{_name(path)}:{node.lineno}"


def _settings() -> dict[str, object]:
    return tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.req("META-11")
def test_every_rule_that_is_switched_off_has_its_reason() -> None:
    inside = False
    for line in (_ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        inside = (inside or line.startswith(("ignore = [", "[tool.ruff.lint.per-file-ignores]"))) and line != ""
        if inside and re.match(r'^  "|^"', line) and not line.rstrip().endswith("["):
            assert "#" in line, line


@pytest.mark.req("META-11")
def test_every_exception_in_the_code_has_its_reason() -> None:
    silenced = re.compile(r"#\s*(?:ruff: )?noqa(?::\s*[A-Z0-9, ]+)?|#\s*type: ignore(?:\[[\w, -]+\])?")
    bare = []
    for path in (path for path in _PYTHON if path != Path(__file__).resolve()):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = silenced.search(line)
            if found and len(silenced.sub("", line[found.start() :]).strip(" -#").split()) < _A_REASON:
                bare.append(f"{_name(path)}:{number}: {line.strip()}")
    assert bare == []


def _targets() -> dict[str, list[str]]:
    """The targets of the Makefile, each with what it needs and does."""
    targets: dict[str, list[str]] = {}
    name = ""
    for line in (_ROOT / "Makefile").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"^([\w$()/.-]+):(?!=)(.*)$", line):
            name = found[1]
            targets[name] = [found[2]]
        elif line.startswith("\t"):
            targets[name].append(line)
    return targets


@pytest.mark.req("META-10")
def test_make_knows_what_the_readme_says() -> None:
    targets = _targets()
    assert {"demo", "test", "check", "bench", "clean"} <= targets.keys()
    assert "check" in targets["test"][0]
    for tool in ("ruff", "mypy", "lint-imports", "deptry"):
        assert f"/{tool}" in "\n".join(targets["check"]), tool


@pytest.mark.req("META-10")
def test_the_ci_script_runs_make_test() -> None:
    script = _ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert script.read_text(encoding="utf-8").rstrip().endswith("make test")


@pytest.mark.req("META-09")
def test_warnings_are_errors_and_markers_are_strict() -> None:
    pytest_settings = _settings()["tool"]["pytest"]["ini_options"]  # type: ignore[index] # TOML has no type
    assert pytest_settings["filterwarnings"] == ["error"]
    assert {"--strict-markers", "--disable-socket"} <= {*pytest_settings["addopts"]}
