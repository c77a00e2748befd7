"""Shards asked all at once give the ranking of one index; what does not answer is an error, or told of."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_passage_index import CORPUS, WORDS, index_of, part, vectors_of

from octavo.corpus.ask import segments, shards
from octavo.corpus.ask.passage_index import LiveSegment, PassageIndex
from octavo.corpus.ask.shards import Copy, Refusal, ShardedIndex
from octavo.corpus.store.catalogue import Stamp
from octavo.errors import CorpusError
from octavo.models.question_vectors import QuestionVectors
from octavo_documents.document.columns import pack

STAMP = Stamp("corpus", 1, "")


class Counted:
    """As much of a catalogue as shards need: documents by number."""

    def __init__(self, documents: int) -> None:
        self.documents = documents

    def stamp(self) -> Stamp:
        return STAMP

    def count(self) -> int:
        return self.documents

    def in_shards(self, at: Sequence[int], of: int) -> int:
        return sum(number % of in at for number in range(self.documents))


class Holder:
    """A copy of a shard in a thread of this process."""

    def __init__(self, index: PassageIndex, threads: ThreadPoolExecutor) -> None:
        self.index, self.threads = index, threads
        self.asked = 0
        self.before: Callable[[], Any] = lambda: None

    def __call__(self, stamp: Stamp, question: Any) -> Future[Any]:
        assert stamp == STAMP
        self.asked += 1
        return self.threads.submit(lambda: self.before() or question.put_to(self.index))


@pytest.fixture(scope="module")
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(16) as pool:
        yield pool


def sharded(found: list[list[Copy]], documents: int, *, partial: bool = False) -> ShardedIndex:
    counted: Any = Counted(documents)
    return ShardedIndex(counted, lambda: found, count=counted.in_shards, partial=partial)


@settings(max_examples=40, deadline=None)
@given(
    documents=CORPUS,
    count=st.integers(1, 4),
    cuts=st.lists(st.integers(0, 8), max_size=3),
    dead=st.sets(st.integers(0, 7), max_size=3),
    scope=st.none() | st.sets(st.integers(0, 7)),
    question=st.lists(st.sampled_from([*WORDS, "oak"]), min_size=1, max_size=4),
    limit=st.integers(1, 9),
)
def test_rankings_are_those_of_one_index_ties_too(
    tmp_path_factory, threads, documents, count, cuts, dead, scope, question, limit
) -> None:
    folder = tmp_path_factory.mktemp("shards")
    whole = index_of(folder, documents, cuts, dead)
    parts = [
        index_of(folder, documents, cuts, dead | {n for n in range(len(documents)) if n % count != at})
        for at in range(count)
    ]
    ranking = sharded([[Holder(part, threads)] for part in parts], len(documents)).current()
    wanted = None if scope is None else np.array(sorted(scope), np.int64)
    query = QuestionVectors(vectors_of([question if "oak" not in question else ["ash", "fir"]])[0])
    assert ranking.lexical(question, wanted, limit) == whole.lexical(question, wanted, limit)
    assert ranking.dense(query, wanted, limit) == whole.dense(query, wanted, limit)
    counted = [
        sum(word in words for words in map(_words_of, _alive(documents, dead))) for word in dict.fromkeys(question)
    ]
    assert ranking.documents_with(question) == whole.documents_with(question) == counted
    assert (ranking.passages, ranking.embeddings) == (whole.passages, whole.embeddings)
    assert ranking.unsearched is None


def _alive(documents: list[list[list[str]]], dead: set[int]) -> list[list[list[str]]]:
    return [passages for number, passages in enumerate(documents) if number not in dead]


def _words_of(passages: list[list[str]]) -> set[str]:
    return {word for words in passages for word in words}


def test_equal_vectors_rank_by_number_wherever_their_rows_stand(tmp_path: Path, threads: ThreadPoolExecutor) -> None:
    """The product of a matrix and a vector differs in the last bit by where a row stands in the matrix."""
    random = np.random.default_rng(3)
    same = random.standard_normal(384)
    stored = part(pack({"vectors": (same / np.linalg.norm(same))[None].astype(np.float16)}, {}), 1)

    def index(numbers: list[int]) -> PassageIndex:
        members = [segments.Member(f"d{number}", number, None, stored) for number in numbers]
        segment = segments.write(tmp_path, segments.build(members), "words", "corpus")
        return PassageIndex((LiveSegment(segment, np.ones(len(numbers), np.bool_)),))

    numbers = [*range(71)]
    whole = index(numbers)
    parts = [index([number for number in numbers if number % 3 == at]) for at in range(3)]
    ranking = sharded([[Holder(one, threads)] for one in parts], 71).current()
    for query in random.standard_normal((40, 384)).astype(np.float32):
        asked = QuestionVectors(query / np.linalg.norm(query))
        assert ranking.dense(asked, None, 71) == whole.dense(asked, None, 71) == numbers


class TestCopies:
    @pytest.fixture
    def held(self, tmp_path: Path, threads: ThreadPoolExecutor) -> list[list[Holder]]:
        """Three shards of two copies, over documents of one word each."""
        documents = [[[word]] for word in WORDS * 3]
        indexes = [index_of(tmp_path, documents, [], {n for n in range(15) if n % 3 != at}) for at in range(3)]
        return [[Holder(index, threads), Holder(index, threads)] for index in indexes]

    def test_one_that_fails_is_replaced_at_once_and_asked_last_from_then_on(
        self, held: list[list[Holder]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shards, "HEDGE_SECONDS", 600.0)  # its copy is not asked for being late
        monkeypatch.setattr(shards, "_LATEST_HEDGE_SECONDS", 600.0)
        bad = held[1][0]
        bad.before = fails
        index = sharded([[*copies] for copies in held], 15)
        assert index.current().lexical(["ash"], None, 9) == [0, 5, 10]
        before = bad.asked
        assert index.current().unsearched is None
        assert index.current().lexical(["elm"], None, 9) == [3, 8, 13]
        assert bad.asked <= before + 1, "it is looked for anew once"

    def test_one_that_is_late_has_its_copy_asked_after_a_fifth_of_a_second(self, held: list[list[Holder]]) -> None:
        stuck = threading.Event()
        index = sharded([[*copies] for copies in held], 15)
        index.current()
        held[2][0].before = stuck.wait
        before = held[2][0].asked
        try:
            while held[2][0].asked == before:
                started = time.monotonic()
                assert len(index.current().asked(shards.ShardHolding())) == 3
            assert time.monotonic() - started > 0.15
            waiting = held[2][0].asked
            for _ in range(8):
                assert index.current().lexical(["ash"], None, 9) == [0, 5, 10]
            assert held[2][0].asked <= waiting + 1, "it is asked last for a while"
        finally:
            stuck.set()

    def test_all_copies_have_their_share(self, held: list[list[Holder]]) -> None:
        index = sharded([[*copies] for copies in held], 15)
        for _ in range(200):
            index.current().asked(shards.ShardHolding())
        assert all(copy.asked > 60 for copies in held for copy in copies)

    def test_all_that_belongs_to_one_question_is_asked_of_one_copy(self, held: list[list[Holder]]) -> None:
        index = sharded([[*copies] for copies in held], 15)
        index.current()
        for _ in range(20):
            before = [copy.asked for copies in held for copy in copies]
            assert index.current().lexical(["ash"], None, 9) == [0, 5, 10]
            asked = [copy.asked - then for copy, then in zip((c for pair in held for c in pair), before, strict=True)]
            assert sorted(asked) == [0, 0, 0, 2, 2, 2]

    def test_where_all_are_slow_no_copy_does_the_work_of_another_again(self, held: list[list[Holder]]) -> None:
        index = sharded([[*copies] for copies in held], 15)
        index.current()
        for copy in held[0]:
            copy.before = lambda: time.sleep(0.25)
        before = sum(copy.asked for copy in held[0])
        for _ in range(6):
            index.current().asked(shards.ShardHolding())
        assert sum(copy.asked for copy in held[0]) - before <= 6 + 1

    def test_the_time_until_a_copy_is_asked_follows_what_answers_take(self) -> None:
        copies = known([])
        assert copies.hedge == shards.HEDGE_SECONDS
        for seconds, hedge in ((0.01, 0.2), (1.0, 2.0), (9.0, 5.0), (0.01, 0.2)):
            for _ in range(100):
                copies.answered(seconds)
            assert copies.hedge == hedge

    def test_what_nobody_waits_for_is_dropped(self, held: list[list[Holder]]) -> None:
        stuck, begun = threading.Event(), list[int]()
        with ThreadPoolExecutor(1) as busy:
            busy.submit(stuck.wait)
            for copy in held[0]:
                copy.threads = busy
                copy.before = lambda: begun.append(1)
            found, _ = shards.ask_all({0: known(held[0])}, STAMP, shards.ShardHolding(), patience=0.5)
            assert not found
            assert [copy.asked for copy in held[0]] == [1, 1]
            stuck.set()
        assert not begun

    def test_a_shard_without_an_answer_is_one_clear_error(self, held: list[list[Holder]]) -> None:
        for copy in held[1]:
            copy.before = lambda: Refusal("its disk is full")
        with pytest.raises(CorpusError) as caught:
            sharded([[*copies] for copies in held], 15).current()
        assert caught.value.reason == "unreachable"
        assert str(caught.value) == (
            "No searcher of shard 2 of 3 answers (its disk is full): 'octavo cluster search' starts searchers again, "
            "and with --partial the others are asked alone"
        )

    def test_it_is_left_out_and_told_of_where_that_is_allowed(self, held: list[list[Holder]]) -> None:
        index = sharded([[*copies] for copies in held], 15, partial=True)
        ranking = index.current()
        assert ranking.unsearched is None
        for copy in held[1]:
            copy.before = fails
        assert ranking.lexical(["ash"], None, 9) == [0, 5]
        asked = held[1][0].asked + held[1][1].asked
        ranking.dense(QuestionVectors(vectors_of([["ash"]])[0]), None, 9)
        assert held[1][0].asked + held[1][1].asked == asked, "what failed once is not asked again for this question"
        assert str(ranking.unsearched) == "5 of 15 documents were not searched (shard 2 of 3: gone)"
        assert index.current().unsearched, "nor is it forgotten for the next one"
        for copy in held[1]:
            copy.before = lambda: None
        assert index.current().unsearched is None, "and it is searched when it is back"

    def test_nothing_at_all_is_an_error_even_so(self, held: list[list[Holder]]) -> None:
        for copies in held:
            for copy in copies:
                copy.before = fails
        with pytest.raises(CorpusError, match=r"No searcher of shards 1, 2, 3 of 3 answers \(gone\)"):
            sharded([[*copies] for copies in held], 15, partial=True).current()

    def test_what_never_answers_is_given_up(self, held: list[list[Holder]]) -> None:
        stuck = threading.Event()
        for copy in held[0]:
            copy.before = stuck.wait
        among = {at: known(copies) for at, copies in enumerate(held)}
        found, why = shards.ask_all(among, STAMP, shards.ShardHolding(), patience=0.1)
        stuck.set()
        assert sorted(found) == [1, 2]
        assert why == {0: "it said nothing in 0.1 seconds"}
        assert shards.ask_all({0: known([])}, STAMP, shards.ShardHolding()) == ({}, {0: "there is none"})


def known(copies: list[Holder]) -> shards.Copies:
    return shards.Copies(copies, deque(maxlen=64), {})


def fails() -> None:
    raise ConnectionError("gone\nand more that nobody needs to know")
