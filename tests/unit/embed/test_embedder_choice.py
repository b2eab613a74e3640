from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from recollect.embed.offline import OfflineEmbedder
from recollect.embed.registry import BY_KEY, NOT_YET, Chosen, choose
from recollect.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


def chosen(
    provider: str = "auto",
    *,
    model: str = "",
    fallback: str = "none",
    local_model_path: str | None = None,
    keys: tuple[str, ...] = (),
    vectors_wanted: bool = True,
) -> Chosen:
    return choose(
        provider=provider,
        model=model,
        fallback=fallback,
        local_model_path=local_model_path,
        has_key=keys.__contains__,
        vectors_wanted=vectors_wanted,
    )


@pytest.mark.req("EMBED-07")
def test_auto_without_a_key_takes_offline_without_a_problem() -> None:
    answer = chosen()
    assert isinstance(answer.embedder, OfflineEmbedder)
    assert (answer.provider, answer.requested, answer.model) == ("offline", "auto", "recollect-en-1")
    assert answer.problems == ()
    assert (answer.fallback_from, answer.fallback_reason) == (None, None)


@pytest.mark.req("EMBED-07")
def test_auto_says_which_providers_it_passed_over_in_the_order_of_its_search(tmp_path: Path) -> None:
    model = tmp_path / "model.gguf"
    model.touch()
    answer = chosen(local_model_path=str(model), keys=tuple(reversed(BY_KEY)))
    assert answer.provider == "offline"
    (problem,) = answer.problems
    assert problem.code == "provider-not-available"
    assert problem.message.startswith(
        "There is a local model file and a key for `openai`, `gemini`, `voyage` and `mistral`, but"
    )
    (problem,) = chosen(keys=("gemini",)).problems
    assert problem.message.startswith("There is a key for `gemini`, but")
    assert str(tmp_path) not in repr(answer.problems)


@pytest.mark.req("EMBED-07")
@pytest.mark.parametrize("path", ["hf:someone/some-model/model.gguf", "https://example.org/model.gguf", "", None])
def test_auto_takes_no_address_for_a_local_model_file(path: str | None) -> None:
    assert chosen(local_model_path=path).problems == ()


@pytest.mark.req("EMBED-07")
def test_auto_takes_no_folder_and_no_missing_file_for_a_local_model(tmp_path: Path) -> None:
    assert chosen(local_model_path=str(tmp_path)).problems == ()
    assert chosen(local_model_path=str(tmp_path / "missing.gguf")).problems == ()


@pytest.mark.req("EMBED-07")
def test_auto_ignores_the_name_of_a_remote_model() -> None:
    assert chosen(model="text-embedding-3-small").model == "recollect-en-1"


@pytest.mark.req("EMBED-08")
def test_none_is_keyword_search_on_purpose() -> None:
    answer = chosen("none", keys=BY_KEY)
    assert answer.embedder is None
    assert (answer.provider, answer.requested, answer.model, answer.problems) == ("none", "none", None, ())


@pytest.mark.req("EMBED-08")
def test_where_no_vectors_are_wanted_no_embedder_is_chosen() -> None:
    answer = chosen("openai", vectors_wanted=False)
    assert (answer.embedder, answer.provider, answer.requested) == (None, "none", "openai")


@pytest.mark.req("EMBED-09")
@pytest.mark.parametrize("provider", NOT_YET)
def test_a_provider_that_is_not_there_yet_is_an_error_that_names_the_ways_out(provider: str) -> None:
    with pytest.raises(ConfigError, match=f"`{provider}` is not available") as caught:
        chosen(provider, keys=BY_KEY)
    assert "`offline`" in caught.value.hint
    assert "`none`" in caught.value.hint


@pytest.mark.req("EMBED-09")
def test_a_fallback_to_offline_is_taken_and_told() -> None:
    answer = chosen("openai", fallback="offline", model="text-embedding-3-small")
    assert (answer.provider, answer.requested, answer.fallback_from) == ("offline", "openai", "openai")
    assert answer.fallback_reason is not None
    assert "not available" in answer.fallback_reason
    assert len(answer.problems) == 1


@pytest.mark.req("EMBED-09")
def test_a_fallback_that_is_not_there_either_is_no_way_out() -> None:
    with pytest.raises(ConfigError, match="`openai` is not available"):
        chosen("openai", fallback="gemini", keys=BY_KEY)


@pytest.mark.req("EMBED-09")
def test_an_unknown_provider_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="There is no embedding provider `opneai`") as caught:
        chosen("opneai")
    assert "`auto`, `offline`, `none`" in caught.value.hint


@pytest.mark.req("EMBED-09")
def test_offline_has_one_model_and_refuses_the_name_of_another() -> None:
    assert chosen("offline", model="recollect-en-1").provider == "offline"
    with pytest.raises(ConfigError, match="no model `bge-small`"):
        chosen("offline", model="bge-small")


@pytest.mark.req("EMBED-15")
def test_choosing_loads_no_numpy() -> None:
    script = (
        "import sys; from recollect.embed.registry import choose; "
        "choose(provider='auto', model='', fallback='none', local_model_path=None, has_key=lambda _: False); "
        "print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
