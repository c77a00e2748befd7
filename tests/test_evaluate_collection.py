"""Gold over several documents: evidence is aligned with blocks, and what the reader got is measured against it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluating
from evaluating import HERON, MARBLE
from octavo.evaluation.indexing import Indexed
from octavo.evaluation.metrics import block_recall, gold_blocks
from octavo.evaluation.metrics.gold_blocks import Block, align
from octavo.evaluation.metrics.table import METRICS
from octavo.evaluation.question import Question
from octavo.evaluation.runner import Options, SystemRun, evaluate
from octavo.evaluation.scope import Scope

FERRY = "The ferry was built at Corran in 1931 and carried horses until the bridge was opened."
SOLD = "She was sold to a museum that keeps her afloat with the help of many volunteers."
WORDS = st.lists(
    st.sampled_from(["ferry", "pier", "boat", "sea", "rope", "mast", "sail", "deck"]), min_size=1, max_size=12
)


def blocks(*texts: str, document: str = "a") -> list[Block[str]]:
    return [Block(f"{document}{at}", document, text) for at, text in enumerate(texts)]


def test_a_sentence_is_in_the_block_that_has_it_word_for_word() -> None:
    assert align("carried horses until the bridge", blocks(SOLD, FERRY)) == (frozenset({"a1"}),)


def test_blocks_that_say_the_same_do_equally_well() -> None:
    twice = [*blocks("Length: 41 m"), *blocks("Length: 41 m", "Length: 41 mm", document="b")]
    assert align("Length: 41 m", twice) == (frozenset({"a0", "b0"}),)


def test_a_text_with_a_few_other_words_is_in_the_block_that_has_most_of_it() -> None:
    changed = FERRY.replace("horses", "cattle")
    assert align(changed, blocks(SOLD, FERRY, "The ferry was built")) == (frozenset({"a1"}),)


def test_a_text_over_several_blocks_is_all_of_them() -> None:
    assert align(f"{FERRY} {SOLD}", blocks(FERRY, "Nothing of it.", SOLD)) == (frozenset({"a0"}), frozenset({"a2"}))


def test_evidence_that_was_lost_can_never_be_found() -> None:
    gold = align("Nobody ever indexed this sentence about llamas.", blocks(FERRY, SOLD))
    assert gold == (frozenset(),)
    assert gold_blocks.recall(gold, ["a0", "a1"]) == 0.0


@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_every_block_is_the_gold_of_its_own_text(texts: list[list[str]], data: st.DataObject) -> None:
    known = blocks(*(" ".join(words) for words in texts))
    chosen = data.draw(st.sampled_from(known))
    (alternatives,) = align(chosen.text, known)
    assert chosen.id in alternatives
    assert gold_blocks.perfect((alternatives,), [chosen.id]) == 1.0


def test_a_short_evidence_counts_where_its_words_stand_together() -> None:
    assert block_recall.of_texts(["Length: 41 metres"], ["Its length: 41 metres, all in all"]) == 1.0
    assert block_recall.of_texts(["Length: 41 metres"], ["length of 12 and 41 metres"]) == 0.0


EVERYWHERE = dataclasses.replace(
    MARBLE,
    id="everywhere",
    question="What is marble made of, and where does the gull nest?",
    documents=(),
    evidence_pages=(),
    evidence_documents=("stones.pdf", "birds.pdf"),
    evidence_texts=("Marble is made of calcite.", "The herring gull nests on cliffs and roofs."),
)


def run(folder: Path, *questions: Question, limit: int | None = None) -> SystemRun:
    made = dataclasses.replace(
        evaluating.benchmark(folder, *questions), metrics=("string_em", "passage_em", "passage_tokens")
    )
    with evaluating.corpus(folder) as corpus:
        return evaluate(corpus, made, ["bm25"], folder / "out", options=Options(limit=limit)).runs[0]


def test_what_the_reader_got_is_measured_against_blocks_and_documents(tmp_path: Path) -> None:
    (row,) = run(tmp_path, EVERYWHERE).rows
    assert len(row.gold.blocks) == 2 and row.gold.documents == (frozenset({"stones.pdf"}), frozenset({"birds.pdf"}))
    found = {name: METRICS[name].of(row) for name in ("block_pr", "block_recall", "document_pr", "document_recall")}
    assert found == {"block_pr": 1.0, "block_recall": 1.0, "document_pr": 1.0, "document_recall": 1.0}
    assert METRICS["passage_tokens"].of(row) > 20


def test_a_page_less_loses_what_stood_on_it(tmp_path: Path) -> None:
    (row,) = run(tmp_path, EVERYWHERE, limit=1).rows
    assert len(row.read_documents) == 1
    assert METRICS["block_pr"].of(row) == 0.0
    assert METRICS["block_recall"].of(row) == METRICS["document_recall"].of(row) == 0.5


def test_gold_is_looked_up_only_where_questions_name_documents(tmp_path: Path) -> None:
    (row,) = run(tmp_path, HERON).rows
    assert row.gold.blocks == () and METRICS["block_pr"].of(row) is None
    assert METRICS["block_recall"].of(row) == 1.0


def test_all_documents_are_the_whole_corpus_only_where_it_has_no_others(tmp_path: Path) -> None:
    folder = evaluating.benchmark(tmp_path)
    with evaluating.corpus(tmp_path) as corpus:
        corpus.add(list(folder.documents))
        infos = {info.name: info for info in corpus.list()}
    indexed = Indexed(infos, {})
    assert Scope(indexed, 2).asked(()) is None
    assert Scope(indexed, 3).asked(()) == tuple(info.id for info in infos.values())
    assert Scope(indexed, 2).asked(("birds.pdf",)) == (infos["birds.pdf"].id,)
    assert Scope(indexed, 2).missing(("birds.pdf", "fish.pdf")) == "fish.pdf"


@pytest.mark.parametrize("name", ["stones.pdf", "birds.pdf"])
def test_another_scope_has_another_key(tmp_path: Path, name: str) -> None:
    folder = evaluating.benchmark(tmp_path)
    with evaluating.corpus(tmp_path) as corpus:
        corpus.add(list(folder.documents))
        infos = {info.name: info for info in corpus.list()}
    scope, made_of = Scope(Indexed(infos, {}), 2), {info.id: "1" for info in infos.values()}
    whole = scope.fingerprints((), made_of)
    assert len(whole) == 1 and whole != scope.fingerprints((name,), made_of)
    changed = {**made_of, infos[name].id: "2"}
    assert scope.fingerprints((), changed) != whole
