from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from recollect.embed import offline
from recollect.embed.offline import TABLE_PATH, OfflineEmbedder
from recollect.embed.table import Table, load_table, read_header
from recollect.errors import ProviderError
from recollect.testing.embedder_contract import EmbedderContract

if TYPE_CHECKING:
    from recollect.protocols import Embedder

EMBEDDER = OfflineEmbedder()
SAMPLES = json.loads((Path(__file__).parent / "language_samples.json").read_text("utf-8"))
PAIRS = (
    ("The car would not start.", "My automobile has a broken engine."),
    ("I have a toothache.", "The dentist has to look at my molar."),
    ("We chose Postgres as the database.", "The decision where all data is stored."),
    ("She got a raise.", "Her salary increased in spring."),
    ("How do I deploy the service?", "Release the application to production."),
    ("My cat is sick.", "The veterinarian examined our kitten."),
    ("The flight was cancelled.", "Our trip by airplane fell through."),
    ("The meeting moved to Friday.", "Our appointment was rescheduled."),
)


def votes(text: str) -> bool:
    return bool(EMBEDDER.embed_query(text).any())


@pytest.mark.req("EMBED-13")
class TestOfflineEmbedderContract(EmbedderContract):
    def make(self) -> Embedder:
        return OfflineEmbedder()


@pytest.mark.req("EMBED-04")
def test_the_identity_carries_the_digest_of_the_table() -> None:
    identity = EMBEDDER.identity
    assert identity.fingerprint == read_header(TABLE_PATH).digest
    assert (identity.provider, identity.model, identity.dims) == ("offline", "recollect-en-1", 128)
    assert (identity.grain, identity.dtype, identity.cached, identity.trust) == ("unit", "int8", False, offline.TRUST)


@pytest.mark.req("EMBED-05")
def test_paraphrases_without_a_common_word_rank_above_unrelated_sentences() -> None:
    one = EMBEDDER.embed_documents([first for first, _ in PAIRS])
    other = EMBEDDER.embed_documents([second for _, second in PAIRS])
    cosines = one @ other.T
    assert cosines.argmax(axis=1).tolist() == list(range(len(PAIRS)))
    assert cosines.diagonal().min() > 0.2


@pytest.mark.req("EMBED-05")
@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("car", "automobile", "salary"),
        ("dentist", "tooth", "engine"),
        ("doctor", "physician", "bridge"),
        ("cat", "kitten", "invoice"),
        ("salary", "wage", "tooth"),
        ("deploy", "install", "happy"),
    ],
)
def test_a_word_is_nearer_to_a_related_one(word: str, near: str, far: str) -> None:
    vectors = EMBEDDER.embed_documents([word, near, far])
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


@pytest.mark.req("EMBED-05")
def test_a_question_and_a_document_with_the_same_text_are_the_same_vector() -> None:
    documents = EMBEDDER.embed_documents([text for pair in PAIRS for text in pair])
    questions = np.stack([EMBEDDER.embed_query(text) for pair in PAIRS for text in pair])
    assert np.allclose(documents, questions, atol=1e-5)


@pytest.mark.req("EMBED-05")
def test_punctuation_and_case_change_nothing() -> None:
    one = EMBEDDER.embed_query("(the DENTIST, on **Monday**!)")
    assert np.allclose(one, EMBEDDER.embed_query("the dentist on monday"), atol=1e-6)


@pytest.mark.req("EMBED-05")
def test_a_text_longer_than_a_block_weighs_all_of_its_words() -> None:
    ends = EMBEDDER.embed_query("dentist " * 5_000 + "salary " * 5_000)
    both = EMBEDDER.embed_query("dentist salary")
    assert ends @ both > 0.999


@pytest.mark.req("EMBED-06")
@pytest.mark.parametrize("text", SAMPLES["english"])
def test_english_is_understood_with_names_and_typing_errors_too(text: str) -> None:
    assert votes(text)


@pytest.mark.req("EMBED-06")
@pytest.mark.parametrize("text", SAMPLES["scripts"])
def test_text_in_another_script_gets_no_vote(text: str) -> None:
    assert not votes(text)


@pytest.mark.req("EMBED-06")
@pytest.mark.parametrize("text", SAMPLES["speechless"])
def test_text_without_words_gets_no_vote(text: str) -> None:
    assert not votes(text)


@pytest.mark.req("EMBED-06")
@pytest.mark.parametrize("language", SAMPLES["latin"])
def test_another_language_in_latin_letters_gets_hardly_a_vote(language: str) -> None:
    sentences = SAMPLES["latin"][language]
    assert sum(map(votes, sentences)) <= len(sentences) // 7


@pytest.mark.req("EMBED-06")
def test_a_row_without_a_vote_does_not_disturb_its_neighbours() -> None:
    rows = EMBEDDER.embed_documents(["the dentist", "Где ключ от подвала?", "the dentist"])
    assert rows.any(axis=1).tolist() == [True, False, True]
    assert np.allclose(rows[0], rows[2])


@pytest.mark.req("EMBED-15")
def test_the_identity_is_told_without_numpy() -> None:
    script = (
        "import sys; from recollect.embed.offline import OfflineEmbedder; "
        "print(OfflineEmbedder().identity.dims, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["128", "False"]


@pytest.mark.req("EMBED-15")
def test_the_table_is_loaded_once_for_all_embedders(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def load(path: str) -> Table:
        loaded.append(path)
        return load_table(path)

    monkeypatch.setattr(offline, "load_table", load)
    offline._model.cache_clear()
    for _ in range(3):
        OfflineEmbedder().embed_query("where is the key?")
    assert loaded == [TABLE_PATH]


@pytest.mark.req("EMBED-03")
def test_a_missing_table_is_an_error_when_it_is_needed_and_not_before() -> None:
    embedder = OfflineEmbedder("nowhere/lost.table")
    with pytest.raises(ProviderError, match=r"lost\.table cannot be read"):
        embedder.embed_query("where is the key?")
    with pytest.raises(ProviderError):
        _ = embedder.identity


@pytest.mark.req("EMBED-02")
def test_what_is_remembered_of_words_is_bounded_and_forgetting_changes_no_vector(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [f"the bridge number {name} crosses a river" for name in ("alpha", "beta", "gamma", "delta")]
    offline._model.cache_clear()
    expected = OfflineEmbedder().embed_documents(texts)
    monkeypatch.setattr(offline, "_MOST_WORDS", 8)
    monkeypatch.setattr(offline, "_TEXTS", 1)
    offline._model.cache_clear()
    embedder = OfflineEmbedder()
    assert np.array_equal(embedder.embed_documents(texts), expected)
    assert len(offline._model(offline.TABLE_PATH)._words) < 8 + 7
    offline._model.cache_clear()
