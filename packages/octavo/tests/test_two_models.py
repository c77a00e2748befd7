"""Two embedding models in one corpus: what is read by which, what is renewed, and questions across languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import octavo
from octavo import models
from octavo.corpus.ask import segments
from octavo.corpus.ask.passage_index import LiveSegment, PassageIndex
from octavo.corpus.index import fingerprints
from octavo.corpus.store import PartKey, StoredPart
from octavo.errors import CorpusError, ModelError
from octavo.evidence.view import read_vectors
from octavo.models.embedders import embedder
from octavo.models.question_vectors import QuestionVectors
from octavo.systems import System
from octavo_documents.document.columns import pack

GERMAN = (
    "Der Leuchtturm von Norrick wurde von den Fischern gebaut, die dort mit ihren Familien wohnten.\n\n"
    "Die Fähre fährt im Winter nur am Morgen, und die Leute warten dann auf sie im Hafen.\n"
)
ENGLISH = "The bakery sells bread and cakes to everyone who comes by in the morning.\n"
MEANINGS = {"lighthouse": 0, "leuchtturm": 0, "built": 1, "gebaut": 1, "ferry": 2, "fähre": 2, "bread": 3, "brot": 3}
SAID = ("lighthouse", "built", "ferry", "bread and cakes from the bakery")


class Meanings:
    """A model of two languages: a dimension for each of four things."""

    dimension = 5
    scale = (1.0, 0.0)

    def __init__(self, name: str = "meanings") -> None:
        self.name, self.read = name, list[str]()

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> np.ndarray:
        self.read += texts
        return self._vectors(texts)

    def embed_questions(self, texts: Sequence[str]) -> np.ndarray:
        return self._vectors(texts)

    def as_english(self, questions: np.ndarray) -> np.ndarray:
        return embedder().embed([SAID[int(one[:4].argmax())] for one in questions])

    def _vectors(self, texts: Sequence[str]) -> np.ndarray:
        found = np.zeros((len(texts), self.dimension), np.float32)
        found[:, -1] = 0.1
        for row, text in enumerate(texts):
            for word, at in MEANINGS.items():
                found[row, at] += word in text.lower()
        return found / np.linalg.norm(found, axis=1, keepdims=True)


class Broken(Meanings):
    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> np.ndarray:
        raise ModelError("there is no engine")

    def embed_questions(self, texts: Sequence[str]) -> np.ndarray:
        raise ModelError("there is no engine")


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[Meanings | None], None]:
    """Have a model of many languages, or none, from now on."""
    return lambda model: monkeypatch.setattr(models, "multilingual", lambda: model)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "norrick.txt").write_text(GERMAN, encoding="utf-8")
    (folder / "bakery.txt").write_text(ENGLISH, encoding="utf-8")
    return folder


def names(found: Sequence[octavo.corpus.store.DocumentInfo]) -> list[str]:
    return sorted(info.name for info in found)


def vectors_in(corpus: octavo.Corpus) -> dict[str, bytes]:
    store = corpus.backend.store
    called = {info.id: info.name for info in corpus.list()}
    keys = [key for key in store.published([*called]) if key.name == "vectors"]
    return {called[key.document_id]: store.load_all([key])[key.number] for key in keys}


def test_only_documents_in_other_languages_are_renewed_once_there_is_a_model(
    tmp_path: Path, files: Path, use: Callable[[Meanings | None], None]
) -> None:
    use(None)
    with octavo.open(tmp_path / "corpus") as corpus:
        first = corpus.add([files])
        (note,) = first.notes
        assert "norrick.txt is found by words alone" in note
        assert "octavo[languages]" in note
        again = corpus.add([files])
        assert (names(again.added), again.notes) == ([], ())
        before = vectors_in(corpus)
        model = Meanings()
        use(model)
        renewed = corpus.add([files])
        assert (names(renewed.added), names(renewed.unchanged)) == (["norrick.txt"], ["bakery.txt"])
        assert [note for note in renewed.notes if "1 document is renewed" in note] == list(renewed.notes)
        assert all("Norrick" in text or "Fähre" in text for text in model.read)
        after = vectors_in(corpus)
        assert after["bakery.txt"] == before["bakery.txt"]
        old, new = read_vectors(before["norrick.txt"]), read_vectors(after["norrick.txt"])
        assert (old.own == new.own).all()
        assert (len(old.places), len(new.places)) == (0, len(new.own))
        use(None)
        assert names(corpus.add([files]).added) == []
        use(Meanings("another"))
        assert names(corpus.add([files]).added) == ["norrick.txt"]


def test_a_model_that_fails_leaves_it_to_words(
    tmp_path: Path, files: Path, use: Callable[[Meanings | None], None]
) -> None:
    use(Broken())
    with octavo.open(tmp_path / "corpus") as corpus:
        assert "octavo[languages]" in corpus.add([files]).notes[0]
        assert len(read_vectors(vectors_in(corpus)["norrick.txt"]).places) == 0
        found = corpus.ask("Wer hat den Leuchtturm gebaut?").to_json()
        assert found["pages"][0]["document"] == "norrick.txt"


@pytest.mark.parametrize(
    ("question", "is_compared"), [("Wann fährt die Fähre im Winter?", True), ("When is the bakery open?", False)]
)
def test_sentences_in_a_language_of_latin_script_are_compared_by_it_too(
    tmp_path: Path, files: Path, use: Callable[[Meanings | None], None], question: str, is_compared: bool
) -> None:
    model = Meanings()
    use(model)
    file = files / ("norrick.txt" if is_compared else "bakery.txt")
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add([file])
        model.read.clear()
        assert corpus.ask(question).passages
        assert bool(model.read) is is_compared


@pytest.mark.parametrize("opens", [System.opens, 1])
def test_questions_find_documents_in_another_language_by_what_they_mean(
    tmp_path: Path,
    files: Path,
    use: Callable[[Meanings | None], None],
    monkeypatch: pytest.MonkeyPatch,
    opens: int,
) -> None:
    """`opens` documents are opened; where that is less than there are, a first search chooses them."""
    for at in range(4):
        text = f"House {at} of the harbour was painted in the spring of that year by the people of the town.\n"
        (files / f"house{at}.txt").write_text(text)
    use(Meanings())
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add([files])
        monkeypatch.setattr(System, "opens", opens)
        for question, name, text in (
            ("Who built the lighthouse?", "norrick.txt", "Leuchtturm"),
            ("When does the ferry go?", "norrick.txt", "Fähre"),
            ("Wo gibt es für die Leute das Brot?", "bakery.txt", "bread"),
        ):
            found = corpus.ask(question).to_json()
            assert found["pages"][0]["document"] == name
            assert text in found["passages"][0]["text"]


def test_english_alone_loads_no_second_model(
    tmp_path: Path, files: Path, use: Callable[[Meanings | None], None]
) -> None:
    (files / "norrick.txt").unlink()
    with octavo.open(tmp_path / "corpus") as corpus:
        use(None)
        corpus.add([files])
        without = corpus.search("Who sells bread?").to_json()["blocks"]
        model = Meanings()
        use(model)
        assert corpus.add([files]).notes == ()
        assert corpus.search("Who sells bread?").to_json()["blocks"] == without
        assert model.read == []


def test_segments_rank_by_both_kinds_of_vectors_and_lose_those_of_what_has_gone(tmp_path: Path) -> None:
    own = np.array([[1, 0, 0], [0, 1, 0], [0.6, 0.8, 0]], np.float16)
    other = {"multilingual": np.array([[0, 1.0]], np.float16), "multilingual.passage": np.array([1], np.int32)}
    parts = [pack({"vectors": own, **other}, {"multilingual": "m"}), pack({"vectors": own[2:]}, {})]
    parts.append(pack({"vectors": own[:2], **other}, {"multilingual": "m"}))
    members = [
        segments.Member(f"d{at}", at, None, StoredPart(PartKey("", "", "", at), at, data))
        for at, data in enumerate(parts)
    ]
    whole = segments.write(tmp_path, segments.build(members), "words", "corpus")
    query = QuestionVectors(np.array([0, 1, 0], np.float32), np.array([0.5, 0.2], np.float32), 0.1)
    assert whole.products(query) == pytest.approx([0, 0.3, 0.8, 0.8, 0, 0.3], abs=1e-3)
    gone = np.array([True, False, False])
    rest = segments.write(tmp_path, segments.without(whole, gone), "words", "corpus")
    assert rest.products(query) == pytest.approx([0.8, 0, 0.3], abs=1e-3)
    index = PassageIndex((LiveSegment(rest, np.ones(2, np.bool_)),))
    assert index.has_other_languages
    assert index.by_vector(query, None, 5).scores == pytest.approx([0.8, 0.3], abs=1e-3)
    english = segments.write(tmp_path, segments.build(members[1:2]), "words", "corpus")
    assert not PassageIndex((LiveSegment(english, np.ones(1, np.bool_)),)).has_other_languages


def test_stored_vectors_that_point_outside_are_damaged() -> None:
    arrays = {"vectors": np.zeros((1, 3), np.float16), "multilingual": np.zeros((1, 2), np.float16)}
    with pytest.raises(CorpusError, match="damaged"):
        read_vectors(pack({**arrays, "multilingual.passage": np.array([1], np.int32)}, {}))


def test_fingerprints_say_which_model_read_other_languages() -> None:
    plain = "base-model.rule"
    none, some = fingerprints.with_languages(plain, ""), fingerprints.with_languages(plain, "e5")
    assert [fingerprints.holds(plain, one, "e5") for one in (plain, none, some, None)] == [True, False, True, False]
    assert [fingerprints.holds(plain, one, "") for one in (plain, none, some)] == [True, True, True]
    assert not fingerprints.holds(plain, some, "other")
    assert fingerprints.decided_by(some) == fingerprints.decided_by(plain) == fingerprints.RULE
