"""The index over all passages: ranks as brute force does, grows by what is new, and mends itself."""

from __future__ import annotations

import errno
import itertools
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import Engine
from octavo.corpus.ask import derived, segments
from octavo.corpus.ask.derived import DerivedIndex
from octavo.corpus.ask.passage_index import LiveSegment, PassageIndex
from octavo.corpus.backend import Backend
from octavo.corpus.store import DocumentInfo, DocumentPart, PartKey, Publication, Ready, Source, StoredPart
from octavo.corpus.store.catalogue import Catalogue
from octavo.corpus.store.sqlite import SqliteCatalogue, SqliteStore
from octavo.errors import CorpusError
from octavo.layers.passages import index as index_terms
from octavo.models.question_vectors import QuestionVectors
from octavo_documents.document import TextColumn
from octavo_documents.document.columns import pack

WORDS = ["ash", "birch", "cedar", "elm", "fir"]
PASSAGES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), max_size=4)
CORPUS = st.lists(PASSAGES, min_size=1, max_size=8)


def terms_of(passages: list[list[str]]) -> bytes:
    terms, postings = index_terms([Counter(words) for words in passages])
    return pack(terms.arrays("terms") | postings.arrays("postings"), {"passages": len(passages)})


def vectors_of(passages: list[list[str]]) -> np.ndarray:
    rows = np.zeros((len(passages), len(WORDS)), np.float32)
    for row, words in enumerate(passages):
        rows[row] = [words.count(word) for word in WORDS]
        rows[row] /= np.linalg.norm(rows[row])
    return rows


def part(data: bytes, mark: int) -> StoredPart:
    return StoredPart(PartKey("", "", "", mark), mark, data)


def index_of(folder: Path, documents: list[list[list[str]]], cuts: list[int], dead: set[int]) -> PassageIndex:
    """Return an index of documents in segments that end where cuts say, some documents no longer visible."""
    bounds = sorted({0, len(documents), *(cut % (len(documents) + 1) for cut in cuts)})
    parts: list[LiveSegment] = []
    for first, last in itertools.pairwise(bounds):
        members = [
            segments.Member(
                f"d{number}",
                number,
                part(terms_of(documents[number]), 2 * number + 1),
                part(pack({"vectors": vectors_of(documents[number]).astype(np.float16)}, {}), 2 * number + 2),
            )
            for number in range(first, last)
        ]
        segment = segments.write(folder, segments.build(members), "words", "corpus")
        alive = np.array([number not in dead for number in range(first, last)], np.bool_)
        parts.append(LiveSegment(segment, alive))
    return PassageIndex(tuple(parts))


def brute_bm25(documents: dict[int, list[list[str]]], question: list[str]) -> dict[int, float]:
    """Return each document's best score, by the formula and nothing else."""
    passages = [words for passages in documents.values() for words in passages]
    average = sum(map(len, passages)) / max(len(passages), 1)
    best: dict[int, float] = {}
    for number, own in documents.items():
        for words in own:
            score = 0.0
            for term in set(question):
                held = sum(term in other for other in passages)
                idf = np.log1p((len(passages) - held + 0.5) / (held + 0.5))
                count = words.count(term)
                score += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(words) / average))
            if score > 0:
                best[number] = max(best.get(number, 0.0), score)
    return best


def is_ranked_by(found: list[int], scores: dict[int, float], limit: int) -> bool:
    """Whether documents come best first and none better is left out, differences of rounding aside."""
    values = [scores[number] for number in found]
    left = [score for number, score in scores.items() if number not in found]
    is_sorted = all(left + 1e-3 >= right for left, right in itertools.pairwise(values))
    return (
        is_sorted and len(found) == min(limit, len(scores)) and max(left, default=-2) <= min(values, default=2) + 1e-3
    )


@settings(max_examples=25, deadline=None)
@given(
    documents=CORPUS,
    cuts=st.lists(st.integers(0, 8), max_size=3),
    dead=st.sets(st.integers(0, 7), max_size=3),
    scope=st.none() | st.sets(st.integers(0, 7)),
    question=st.lists(st.sampled_from([*WORDS, "oak"]), min_size=1, max_size=4),
    limit=st.integers(1, 9),
)
def test_both_rankings_are_those_of_brute_force(
    tmp_path_factory, documents, cuts, dead, scope, question, limit
) -> None:
    index = index_of(tmp_path_factory.mktemp("index"), documents, cuts, dead)
    live = {number: passages for number, passages in enumerate(documents) if number not in dead}
    assert index.passages == sum(map(len, live.values()))
    wanted = None if scope is None else np.array(sorted(scope), np.int64)
    lexical = {n: score for n, score in brute_bm25(live, question).items() if scope is None or n in scope}
    assert is_ranked_by(index.lexical(question, wanted, limit), lexical, limit)
    query = vectors_of([["ash", "elm", "elm"]])[0]
    dense = {
        n: float((vectors_of(own) @ query).max()) for n, own in live.items() if own and (scope is None or n in scope)
    }
    assert is_ranked_by(index.dense(QuestionVectors(query), wanted, limit), dense, limit)


@given(st.lists(st.text(max_size=12), max_size=30))
def test_equal_terms_have_equal_keys_and_others_have_others(terms: list[str]) -> None:
    texts = TextColumn.of(terms)
    keys = segments.term_keys(texts).tolist()
    assert len(set(keys)) == len(set(texts))
    assert keys == [int(segments.term_keys(TextColumn.of([text]))[0]) for text in texts]


class Shelf:
    """A store with documents of given passages, and its index."""

    def __init__(self, folder: Path, opened: Backend | None = None) -> None:
        store = opened.store if opened else SqliteStore(folder / "corpus.db")
        self.store: Any = store
        self.catalogue = opened.catalogue if opened else SqliteCatalogue(self.store)
        self.folder = folder / "derived"
        self.index = DerivedIndex(self.folder, self.catalogue)

    def add(self, name: str, *passages: str, version: str = "1") -> None:
        document = f"sha256:{name}"
        split = [text.split() for text in passages]
        layers = {"terms": terms_of(split), "vectors": pack({"vectors": vectors_of(split)}, {})}
        lease = self.store.claim(document, f"/{name}")
        assert lease
        for layer, data in layers.items():
            self.store.stage(lease, DocumentPart(layer, f"{layer}{version}-words.rule", data))
        info = DocumentInfo(document, name, "", 1, 0, 1, 0, len(passages), 1, "")
        marks = {layer: f"{layer}{version}-words.rule" for layer in layers}
        ready = Ready(lease, Publication(info, "auto", marks), Source(f"/{name}", 1, 1, document), ())
        assert self.store.bulk.publish_many([ready]) == [True]

    def find(self, *terms: str) -> list[str]:
        numbers = self.index.current().lexical(terms, None, 9)
        return [info.name for info in self.catalogue.documents(numbers)]

    def files(self) -> set[str]:
        return {path.name for path in self.folder.glob("segment-*.bin")}


@pytest.fixture
def shelf(engine: Engine) -> Shelf:
    return Shelf(engine.folder, engine.backend())


def test_one_more_document_leaves_the_files_of_many_as_they_are(shelf: Shelf) -> None:
    for number in range(20):
        shelf.add(f"tree{number}", "ash birch", "cedar")
    shelf.find("ash")
    before = shelf.files()
    shelf.add("new", "fir")
    assert shelf.find("fir") == ["new"]
    assert before < shelf.files()


def test_documents_added_one_by_one_end_in_few_files(shelf: Shelf) -> None:
    for number in range(40):
        shelf.add(f"tree{number}", "ash birch")
        shelf.find("ash")
    assert len(shelf.files()) <= 6
    assert shelf.index.current().passages == 40


def test_of_a_changed_document_only_the_new_passages_are_found(shelf: Shelf) -> None:
    shelf.add("tree", "ash")
    shelf.add("other", "cedar")
    assert shelf.find("ash") == ["tree"]
    shelf.add("tree", "elm", version="2")
    assert shelf.find("ash") == []
    assert shelf.find("elm") == ["tree"]


def test_nothing_of_a_forgotten_document_stays_in_a_file(shelf: Shelf) -> None:
    shelf.add("tree", "ash")
    shelf.add("other", "cedar")
    shelf.find("ash")
    [number] = shelf.catalogue.scope(["tree"])
    shelf.store.remove(["sha256:tree"])
    before = shelf.files()
    shelf.index.forget([number])
    (segment,) = shelf.index.segments()
    assert not shelf.files() & before
    assert [*segment.ids] == ["sha256:other"]
    assert segment.keys.tolist() == segments.term_keys(TextColumn.of(["cedar"])).tolist()
    kept = shelf.files()
    assert shelf.find("ash", "cedar") == ["other"]
    assert kept <= shelf.files(), "what is left is not read from the store again"


def test_a_full_disk_does_not_keep_a_forgotten_document(shelf: Shelf, monkeypatch) -> None:
    shelf.add("tree", "ash")
    shelf.add("other", "cedar")
    shelf.find("ash")
    [number] = shelf.catalogue.scope(["tree"])
    shelf.store.remove(["sha256:tree"])

    def full(*_: object) -> segments.Segment:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patched:
        patched.setattr(segments, "write", full)
        shelf.index.forget([number])
    assert not shelf.files()
    assert shelf.find("ash", "cedar") == ["other"]


@settings(max_examples=25, deadline=None)
@given(documents=CORPUS, gone=st.sets(st.integers(0, 7)), question=st.lists(st.sampled_from(WORDS), min_size=1))
def test_a_segment_written_without_some_documents_is_as_if_they_had_never_been_in_it(
    tmp_path_factory, documents, gone, question
) -> None:
    folder = tmp_path_factory.mktemp("index")
    whole = index_of(folder, documents, [], set()).segments[0].segment
    mask = np.isin(whole.numbers, [*gone])
    left = segments.write(folder, segments.without(whole, mask), whole.embedding, whole.corpus)
    assert segments.is_sound(folder, left)
    rest = PassageIndex((LiveSegment(left, np.ones(len(left.numbers), np.bool_)),))
    masked = PassageIndex((LiveSegment(whole, ~mask),))
    assert rest.passages == masked.passages
    assert rest.lexical(question, None, 9) == masked.lexical(question, None, 9)
    query = vectors_of([question])[0]
    assert rest.dense(QuestionVectors(query), None, 9) == masked.dense(QuestionVectors(query), None, 9)


def test_a_process_killed_between_segments_leaves_what_it_wrote_to_the_next(shelf: Shelf, monkeypatch) -> None:
    monkeypatch.setattr(derived, "SEGMENT_PASSAGES", 2)
    for number in range(6):
        shelf.add(f"tree{number}", "ash", "birch")
    write = segments.write
    written: list[str] = []

    def killed(*arguments) -> segments.Segment:
        if len(written) == 3:
            raise KeyboardInterrupt
        written.append((made := write(*arguments)).name)
        return made

    monkeypatch.setattr(segments, "write", killed)
    with pytest.raises(KeyboardInterrupt):
        shelf.find("ash")
    monkeypatch.setattr(segments, "write", write)
    assert len(shelf.find("ash")) == 6
    assert set(written) < shelf.files()


def test_two_processes_that_make_the_index_at_once_both_find_everything(shelf: Shelf) -> None:
    for number in range(9):
        shelf.add(f"tree{number}", "ash")
    found: list[int] = []

    def work() -> None:
        own = DerivedIndex(shelf.folder, shelf.catalogue)
        found.append(len(own.current().lexical(["ash"], None, 99)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [9] * 4
    assert len(shelf.find("ash")) == 9


ACTIONS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["add", "remove", "look"])), min_size=4, max_size=14)


@settings(max_examples=25, deadline=None)
@given(actions=ACTIONS)
def test_an_index_kept_in_step_finds_what_one_made_anew_finds(tmp_path_factory, actions) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("shelf"))
    for turn, (number, action) in enumerate(actions):
        if action == "add":
            shelf.add(f"tree{number}", WORDS[turn % len(WORDS)], WORDS[number], version=str(turn))
        elif action == "remove":
            shelf.store.remove([f"sha256:tree{number}"])
        else:
            shelf.index.current()
    anew = DerivedIndex(shelf.folder.parent / "anew", shelf.catalogue).current()
    kept = shelf.index.current()
    assert kept.passages == anew.passages
    assert [kept.lexical([word], None, 9) for word in WORDS] == [anew.lexical([word], None, 9) for word in WORDS]
    shelf.store.close()


def test_an_index_of_another_history_of_the_store_is_not_believed(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.add("tree", "ash")
    shelf.store.connections.get().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    backup = shelf.store.path.read_bytes()
    shelf.add("tree", "birch", version="2")
    assert shelf.find("birch") == ["tree"]
    shelf.store.close()
    shelf.store.path.write_bytes(backup)
    shelf = Shelf(tmp_path)
    shelf.add("tree", "cedar", version="3")
    assert shelf.find("birch") == []
    assert shelf.find("cedar") == ["tree"]
    shelf.store.close()


def test_layers_that_do_not_fit_together_are_damage(shelf: Shelf) -> None:
    members = [segments.Member("a", 1, part(terms_of([["ash"]]), 1), part(pack({"vectors": np.ones((2, 5))}, {}), 2))]
    with pytest.raises(CorpusError, match="differ in number"):
        segments.build(members)


class TestReferences:
    @pytest.fixture
    def catalogue(self, shelf: Shelf) -> Catalogue:
        for name in ("docs/ash.md", "docs/old/ash.md", "docs/elm.md", "docs2/fir.md"):
            shelf.add(name, "ash")
        return shelf.catalogue

    @pytest.mark.parametrize(
        ("reference", "count"),
        [("/docs", 3), ("/docs/old", 1), ("/docs/elm.md", 1), ("*ash*", 2), ("/docs/*.md", 3), ("*/fir.md", 1)],
    )
    def test_folders_and_patterns_mean_all_they_hold(self, catalogue: Catalogue, reference: str, count: int) -> None:
        assert len(catalogue.scope([reference])) == count

    def test_what_means_nothing_is_unknown(self, catalogue: Catalogue) -> None:
        for reference in ("/doc", "oak*", "sha256:none"):
            with pytest.raises(CorpusError, match="no document"):
                catalogue.scope([reference])

    def test_the_listing_is_in_the_order_of_paths(self, catalogue: Catalogue) -> None:
        listed = [info.path for info in catalogue.listing()]
        assert listed == sorted(listed)
        assert [info.path for info in catalogue.listing(limit=2)] == listed[:2]
        assert [(held.path, held.documents) for held in catalogue.holdings()] == [
            ("/docs", 2),
            ("/docs/old", 1),
            ("/docs2", 1),
        ]


def test_terms_have_the_same_keys_however_many_are_hashed_at_once(monkeypatch) -> None:
    terms = TextColumn.of(["ash", "", "birch", "é", "cedar", "", "ash"])
    together = segments.term_keys(terms).tolist()
    monkeypatch.setattr(segments, "_TERMS_AT_ONCE", 2)
    assert segments.term_keys(terms).tolist() == together
    assert together[0] == together[-1]
    assert len({*together}) == 5
