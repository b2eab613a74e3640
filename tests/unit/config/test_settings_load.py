from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from recollect.config.load import Loaded, load
from recollect.errors import ArgumentError, ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Home:
    """A home with nothing in it but what a test puts there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.state = self.home / ".recollect"
        self.here = root / "here"
        self.state.mkdir(parents=True)
        self.here.mkdir()

    def settings(self, text: str, name: str = "recollect.json5") -> Path:
        path = self.state / name
        path.write_text(text)
        return path

    def memory_search(self, text: str) -> Path:
        return self.settings("{agents:{defaults:{memorySearch:" + text + "}}}")

    def load(
        self,
        *,
        environ: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        agent: str | None = None,
        workspace: str | None = None,
        state_dir: str | None = None,
        config: Mapping[str, object] | None = None,
        config_file: str | None = None,
    ) -> Loaded:
        return load(
            environ={"HOME": str(self.home), **(environ or {})},
            cwd=str(cwd or self.here),
            agent=agent,
            workspace=workspace,
            state_dir=state_dir,
            config=config,
            config_file=config_file,
        )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def codes(loaded: Loaded) -> list[str]:
    return [problem.code for problem in loaded.problems]


@pytest.mark.req("CONFIG-01", "CONFIG-18", "CONFIG-22", "CONFIG-23")
def test_without_a_file_the_defaults_hold(home: Home) -> None:
    loaded = home.load()
    assert loaded.config_path is None
    assert loaded.state_dir == str(home.state)
    assert loaded.settings.store.path == str(home.state / "memory" / "main.sqlite")
    assert loaded.problems == ()
    assert set(dict(loaded.origins).values()) == {"default"}
    home.settings("{}")
    assert home.load().settings == loaded.settings


@pytest.mark.req("CONFIG-27")
def test_without_a_file_no_parser_is_loaded(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from recollect.config.load import load\n"
        "load(environ={'HOME': sys.argv[1]}, cwd=sys.argv[1])\n"
        "heavy = {'pyjson5', 'difflib', 'json', 'ipaddress', 'urllib.parse', 'pathlib', 'numpy', 'click'}\n"
        "ours = {'recollect.config.' + name for name in ('reading', 'walk', 'checks', 'keys', 'endpoint', 'show')}\n"
        "print(sorted((heavy | ours) & set(sys.modules)))\n"
    )
    done = subprocess.run(  # without site packages' own imports, which may load anything
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]", done.stdout


@pytest.mark.req("CONFIG-18")
def test_the_file_is_found_by_argument_then_environment_then_state_directory(home: Home) -> None:
    def results(number: int) -> str:
        return "{agents:{defaults:{memorySearch:{query:{maxResults:" + str(number) + "}}}}}"

    home.settings(results(1), "openclaw.json")
    assert home.load().settings.query.max_results == 1
    home.settings(results(2), "recollect.json")
    home.settings(results(3))
    assert home.load().settings.query.max_results == 3
    named = home.here / "mine.json5"
    named.write_text(results(4))
    by_environment = home.load(environ={"RECOLLECT_CONFIG": str(named)})
    assert (by_environment.settings.query.max_results, by_environment.config_path) == (4, str(named))
    (home.here / "other.json5").write_text(results(5))
    both = home.load(environ={"RECOLLECT_CONFIG": str(named)}, config_file="other.json5")
    assert both.settings.query.max_results == 5


@pytest.mark.req("CONFIG-18")
def test_the_state_directory_is_found_by_argument_then_environment(home: Home) -> None:
    environ = {"RECOLLECT_STATE_DIR": "~/by-environment"}
    assert home.load(environ=environ).state_dir == str(home.home / "by-environment")
    assert home.load(environ=environ, state_dir="by-argument").state_dir == str(home.here / "by-argument")


@pytest.mark.req("CONFIG-18", "CONFIG-23")
def test_a_file_that_was_named_must_be_there(home: Home) -> None:
    with pytest.raises(ConfigError, match=r"There is no settings file here/none\.json5") as caught:
        home.load(config_file=str(home.here / "none.json5"))
    assert str(home.root) not in str(caught.value)
    with pytest.raises(ConfigError, match=r"There is no settings file ~/x/none\.json5\."):
        home.load(config_file="~/x/none.json5")


@pytest.mark.req("CONFIG-11", "CONFIG-21")
def test_layers_win_one_by_one_and_say_who_won(home: Home) -> None:
    home.settings("""{
      agents: {
        defaults: { memorySearch: { query: { maxResults: 3, minScore: 0.1 }, extraPaths: ["a"] } },
        list: [
          { id: "main", memorySearch: { query: { maxResults: 9 } } },
          { id: "work", memorySearch: { query: { maxResults: 4 }, chunking: { tokens: 200 }, extraPaths: ["b", "a"] } },
        ],
      },
      memory: { citations: "off" },
    }""")
    (home.here / ".recollect.json5").write_text("{chunking: {overlap: 7}, extraPaths: ['c']}")
    loaded = home.load(agent="work", workspace=".", config={"query": {"minScore": 0.2}})
    settings, origins = loaded.settings, dict(loaded.origins)
    assert (settings.query.max_results, settings.query.min_score) == (4, 0.2)
    assert (settings.chunking.tokens, settings.chunking.overlap) == (200, 7)
    assert settings.extra_paths == ("a", "b", "c")
    assert settings.citations == "off"
    assert "/memory/work-" in settings.store.path
    assert origins["memorySearch.query.maxResults"] == "agents.list[1]"
    assert origins["memorySearch.query.minScore"] == "argument"
    assert origins["memorySearch.chunking.overlap"] == "workspace file"
    assert origins["memorySearch.extraPaths"] == "recollect.json5 + agents.list[1] + workspace file"
    assert origins["memory.citations"] == "recollect.json5"
    assert origins["memorySearch.cache.enabled"] == "default"


@pytest.mark.req("CONFIG-02")
def test_one_agent_alone_can_be_switched_off(home: Home) -> None:
    home.settings("{agents:{list:[{id:'main'},{id:'off',memorySearch:{enabled:false}}]}}")
    assert home.load().settings.enabled is True
    assert home.load(agent="off").settings.enabled is False
    assert home.load(config={"enabled": False}).settings.enabled is False


@pytest.mark.req("CONFIG-30")
def test_the_slot_none_switches_the_memory_off_and_says_so(home: Home) -> None:
    home.settings("{plugins:{slots:{memory:'none'}}}")
    loaded = home.load()
    assert loaded.settings.enabled is False
    assert dict(loaded.origins)["memorySearch.enabled"] == "plugins.slots.memory in recollect.json5"


@pytest.mark.req("CONFIG-15")
@pytest.mark.parametrize(
    ("agents", "says"),
    [
        ("[{memorySearch:{enabled:true}}]", r"agents\.list\[0\] in ~/\.recollect/recollect\.json5 has no id"),
        (
            "[{id:'a'},{id:' a '}]",
            r"agents\.list\[1\]\.id in ~/\.recollect/recollect\.json5 names 'a', which stands twice.*an id of its own",
        ),
        ("[{id:'../a'}]", r"agents\.list\[0\]\.id in ~/\.recollect/recollect\.json5 holds a path separator"),
        ("[{id:''}]", r"agents\.list\[0\]\.id in ~/\.recollect/recollect\.json5 is empty"),
    ],
)
def test_a_list_of_agents_that_cannot_be_told_apart_is_refused(home: Home, agents: str, says: str) -> None:
    home.settings(f"{{agents:{{list:{agents}}}}}")
    with pytest.raises(ConfigError, match=says):
        home.load()


@pytest.mark.req("CONFIG-17")
def test_an_agent_that_the_list_does_not_name_is_reported(home: Home) -> None:
    home.settings("{agents:{list:[{id:'work'}]}}")
    assert codes(home.load()) == []
    assert codes(home.load(agent="wrok")) == ["unknown-agent"]


@pytest.mark.req("CONFIG-28", "CONFIG-22")
@pytest.mark.parametrize("agent", ["../x", "a/b", "a\\b", "", ".", "..", ".hidden", "a\0", "a\nb", "x" * 65])
def test_an_agents_name_cannot_lead_elsewhere(home: Home, agent: str) -> None:
    with pytest.raises(ArgumentError, match="The agent's name"):
        home.load(agent=agent)


@pytest.mark.req("CONFIG-28", "CONFIG-22")
def test_a_relative_store_path_counts_from_the_settings_file(home: Home) -> None:
    home.memory_search("{store:{path:'../../x/{agentId}.sqlite'}}")
    assert home.load(agent="Main X").settings.store.path == str(home.root / "x" / "Main X.sqlite")
    by_argument = home.load(config={"store": {"path": "x.sqlite"}})
    assert by_argument.settings.store.path == str(home.here / "x.sqlite")
    at_home = home.load(config={"store": {"path": "~/i/{agentId}{agentId}.db"}}, agent="{agentId}")
    assert at_home.settings.store.path == str(home.home / "i" / "{agentId}{agentId}.db")


@pytest.mark.req("CONFIG-22")
def test_a_store_path_that_is_no_file_is_refused(home: Home) -> None:
    os.mkfifo(home.here / "pipe")
    for path in ("/dev/null", "/proc/self/mem", "/dev/shm/../null", ".", "pipe"):  # noqa: S108 - refused, not used
        with pytest.raises(ConfigError, match=r"store\.path in the settings given is"):
            home.load(config={"store": {"path": path}})


@pytest.mark.req("CONFIG-17")
def test_agents_that_would_share_one_index_are_reported(home: Home) -> None:
    home.settings("{agents:{defaults:{memorySearch:{store:{path:'~/x.db'}}},list:[{id:'a'},{id:'b'}]}}")
    assert codes(home.load(agent="a")) == ["shared-store"]


@pytest.mark.req("CONFIG-20")
def test_the_workspace_is_chosen_in_the_documented_order(home: Home) -> None:
    def chosen(cwd: Path | None = None, workspace: str | None = None, agent: str = "main") -> tuple[str, str]:
        loaded = home.load(cwd=cwd, workspace=workspace, agent=agent)
        return loaded.workspace, loaded.workspace_origin

    assert chosen() == (str(home.state / "workspace"), "the default workspace")
    home.settings("{agents:{defaults:{workspace:'~/all'},list:[{id:'work',workspace:'notes'},{id:'main'}]}}")
    assert chosen() == (str(home.home / "all"), "agents.defaults.workspace")
    assert chosen(agent="work") == (str(home.state / "notes"), "agents.list[0].workspace")
    deep = home.here / "a" / "b"
    deep.mkdir(parents=True)
    (home.here / "memory").mkdir()
    assert chosen(deep) == (str(home.here), "memory/ found in a parent folder")
    (home.here / "a" / "memory.md").write_text("x")
    assert chosen(deep) == (str(home.here / "a"), "memory.md found in a parent folder")
    (deep / "MEMORY.md").write_text("x")
    assert chosen(deep) == (str(deep), "MEMORY.md found here")
    assert chosen(deep, workspace="~/mine") == (str(home.home / "mine"), "given")


@pytest.mark.req("CONFIG-20")
def test_a_folder_named_like_the_file_is_no_memory(home: Home) -> None:
    (home.here / "MEMORY.md").mkdir()
    (home.here / "memory").write_text("a file")
    assert home.load().workspace_origin == "the default workspace"


@pytest.mark.req("CONFIG-20")
def test_a_workspace_that_is_no_folder_is_refused(home: Home) -> None:
    (home.here / "file").write_text("x")
    for path in ("file", "", "a\0b"):
        with pytest.raises(ArgumentError, match="The workspace"):
            home.load(workspace=path)


@pytest.mark.req("CONFIG-22")
@pytest.mark.parametrize(
    "config",
    [
        {"chunking": {"tokens": 0}},
        {"chunking": {"tokens": 1e12}},
        {"query": {"hybrid": {"vectorWeight": 0, "textWeight": 0}}},
        {"provider": "opneai"},
        {"remote": {"baseUrl": "file:///etc/passwd"}},
        {"remote": {"baseUrl": "http://169.254.169.254/"}},
        {"remote": {"headers": {"X-A": "a\r\nX-B: b"}}},
        {"remote": {"headers": {"X-A: b\r\nX-B": "a"}}},
        {"remote": {"apiKey": "${MISSING}"}},
        {"remote": {"apiKey": "k\r\nX-B: b"}},
        {"remote": {"headers": {"Authorization": "Bearer ${MISSING}"}}},
        {"store": {"path": "/dev/null"}},
        {"redactPatterns": ["(a+)+$"]},
        {"redactPatterns": ["("]},
        {"cache": {"maxEntries": -1}},
    ],
)
def test_bad_settings_are_refused_with_a_sentence(home: Home, config: dict[str, object]) -> None:
    with pytest.raises(ConfigError) as caught:
        home.load(config=config)
    assert caught.value.message.endswith(".")
    assert str(home.root) not in str(caught.value)


@pytest.mark.req("CONFIG-22", "CONFIG-05")
def test_a_lambda_above_one_is_one(home: Home) -> None:
    assert home.load(config={"query": {"hybrid": {"mmr": {"lambda": 1.5}}}}).settings.query.hybrid.mmr_lambda == 1


@pytest.mark.req("CONFIG-22", "CONFIG-24")
def test_a_variable_in_a_key_is_filled_in(home: Home) -> None:
    config = {"remote": {"apiKey": " ${MY_KEY} ", "headers": {"X-Org": "org-${ORG}"}}}
    remote = home.load(config=config, environ={"MY_KEY": "s3cret\n", "ORG": "${MY_KEY}"}).settings.remote
    assert remote is not None
    assert (remote.api_key, remote.headers) == ("s3cret", (("X-Org", "org-${MY_KEY}"),))


@pytest.mark.req("CONFIG-21")
def test_what_is_loaded_never_shows_a_key(home: Home) -> None:
    home.settings("{models:{providers:{openai:{apiKey:'sk-in-file'}}}}")
    loaded = home.load(config={"remote": {"apiKey": "sk-in-call", "headers": {"X": "sk-in-header"}}})
    assert loaded.settings.remote is not None
    assert loaded.settings.remote.api_key == "sk-in-call"
    assert "sk-in" not in repr(loaded)


@pytest.mark.req("CONFIG-18")
def test_settings_can_be_loaded_where_the_current_folder_is_gone(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "from recollect.config.load import load\n"
        "os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')\n"
        "print(load(environ={'HOME': sys.argv[1]}).workspace_origin)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert done.stdout.strip() == "the default workspace"


@pytest.mark.req("CONFIG-31")
def test_each_folder_has_an_index_of_its_own_and_the_configured_one_has_the_agents(home: Home) -> None:
    home.settings("{agents: {defaults: {workspace: '~/mine'}}}")
    for name in ("mine", "one", "two"):
        (home.home / name).mkdir()
    mine, one, two = (home.load(workspace=str(home.home / name)).settings.store.path for name in ("mine", "one", "two"))
    assert mine.endswith("/memory/main.sqlite")
    assert len({mine, one, two}) == 3
    assert home.load().settings.store.path == mine
    assert home.load(workspace=str(home.home / "one" / "..") + "/one").settings.store.path == one
