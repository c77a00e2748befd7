"""Gold over several documents: evidence is aligned with blocks, and what the reader got is measured against it."""

from __future__ import annotations

import dataclasses
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluating
import octavo
import storing
from evaluating import HERON, MARBLE
from octavo.corpus import DocumentInfo
from octavo.evidence import Outcome
from octavo_lab.benchmarks import load
from octavo_lab.indexing import Block, Indexed, Scope, align, by_title
from octavo_lab.intervals import cut, draws, matched_passages
from octavo_lab.metrics.registry import METRICS
from octavo_lab.metrics.retrieval import alternatives_perfect, alternatives_recall, text_recall
from octavo_lab.question import NO_GOLD, Gold, Question, Response, ScoredResponse
from octavo_lab.report import table
from octavo_lab.report.page import page
from octavo_lab.runner import Options, SystemRun, evaluate
from octavo_lab.summary import summarize

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
    assert alternatives_recall(gold, ["a0", "a1"]) == 0.0


@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_every_block_is_the_gold_of_its_own_text(texts: list[list[str]], data: st.DataObject) -> None:
    known = blocks(*(" ".join(words) for words in texts))
    chosen = data.draw(st.sampled_from(known))
    (alternatives,) = align(chosen.text, known)
    assert chosen.id in alternatives
    assert alternatives_perfect((alternatives,), [chosen.id]) == 1.0


def test_a_short_evidence_counts_where_its_words_stand_together() -> None:
    assert text_recall(["Length: 41 metres"], ["Its length: 41 metres, all in all"]) == 1.0
    assert text_recall(["Length: 41 metres"], ["length of 12 and 41 metres"]) == 0.0


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
    scope, before = Scope(Indexed(infos, {}), 2), {info.id: "1" for info in infos.values()}
    read = scope.digests_of(before)
    whole = scope.fingerprints((), read)
    assert len(whole) == 1 and whole != scope.fingerprints((name,), read)
    changed = {**before, infos[name].id: "2"}
    assert scope.fingerprints((), scope.digests_of(changed)) != whole


def row(*blocks: tuple[str, str], answer: object = "41 minutes", gold: Gold = NO_GOLD) -> ScoredResponse:
    texts = tuple(text for _, text in blocks)
    response = Response(blocks=tuple(("d", name) for name, _ in blocks), answer="41 minutes", outcome=Outcome.ANSWER)
    return ScoredResponse(Question("q", "How long?", answer), response, "41 minutes", texts, None, gold)


def test_passages_are_cut_to_a_length_the_last_one_when_half_of_it_fits() -> None:
    made = row(("b1", "x" * 300), ("b2", "y" * 300), ("b3", "z" * 300))
    assert [len(cut(made, tokens).texts) for tokens in (40, 50, 149, 150, 1000)] == [0, 1, 1, 2, 3]
    assert cut(made, 150).response.blocks == (("d", "b1"), ("d", "b2"))


def test_a_long_system_loses_at_equal_length_what_stood_late() -> None:
    gold = Gold(blocks=(frozenset({("d", "b9")}),))
    fact = ("b9", "It took 41 minutes from pier to pier.")
    short = SystemRun("short", "", (row(fact, gold=gold),))
    long = SystemRun("long", "", (row(("b1", "Of the sea. " * 40), fact, gold=gold),))
    found = matched_passages([short, long], ["passage_em", "block_recall"], draws(1))
    assert found["short"]["long"]["passage_em"]["value"] == found["short"]["long"]["block_recall"]["value"] == 0.0
    assert found["long"]["short"]["block_recall"] == {"value": 1.0, "difference": 0.0, "interval": [0.0, 0.0]}
    assert matched_passages([short, long], ["token_f1"], draws(1)) == {}


ARTICLES = [
    {"title": "MV Corran", "text": FERRY},
    {"title": "Corran", "text": "Corran is a village."},
    {"title": "Corran", "text": SOLD},
]
ASKED = {
    "question": "When was the ferry built?",
    "answer": "1931",
    "documents": ["Corran"],
    "evidence_documents": ["MV Corran"],
    "evidence_text": ["The ferry was built at Corran in 1931"],
    "benchmark": "made",
}


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "ferries"
    folder.mkdir()
    (folder / "questions.jsonl").write_text(json.dumps(ASKED) + "\n", "utf-8")
    lines = "".join(json.dumps(article) + "\n" for article in ARTICLES)
    (folder / "articles.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return folder


def test_a_file_of_articles_is_the_documents_of_a_benchmark(collection: Path) -> None:
    for made in (load("multihop", collection), load(str(collection))):
        assert [path.name for path in made.documents] == ["articles.jsonl.gz"]
        assert {"string_em", "passage_tokens"} <= set(made.metrics)
    assert load("multihop", collection).questions[0].documents == ()
    assert load("multihop", collection).questions[0].question_type == "made"
    assert load(str(collection)).questions[0].documents == ("Corran",)


def test_lists_are_scored_as_lists_too(collection: Path) -> None:
    several = {**ASKED, "answer": ["1931", "1933"]}
    (collection / "questions.jsonl").write_text(json.dumps(several) + "\n", "utf-8")
    assert "qampari_f1_5" in load(str(collection)).metrics


def test_articles_of_one_title_are_all_meant_by_it() -> None:
    infos = {
        name: DocumentInfo(name, name, f"/a.jsonl#{name}", 1, 0, 1, 0, 1, 9, "") for name in ("Corran", "Corran (2)")
    }
    found = Indexed(infos, {}, by_title(infos.values()))
    assert [info.name for info in found.called("Corran")] == ["Corran", "Corran (2)"]
    assert [info.name for info in found.called("Corran (2)")] == ["Corran (2)"]
    assert [info.name for info in found.called(" Corran.pdf")] == ["Corran", "Corran (2)"]
    assert found.called("Corran (3)") == ()


def test_the_report_compares_passages_at_equal_length(tmp_path: Path) -> None:
    made = dataclasses.replace(
        evaluating.benchmark(tmp_path, EVERYWHERE), metrics=("string_em", "passage_em", "passage_tokens")
    )
    with evaluating.corpus(tmp_path) as corpus:
        measured = evaluate(
            corpus,
            made,
            ["bm25", "hybrid"],
            tmp_path / "out",
            options=Options(sweeps=("BoostMentionedDocuments.weight=0,0.5",)),
        )
    summary = summarize(measured)
    assert set(summary["matched_passages"]) == {"bm25", "hybrid"}
    assert "At equal length" in page(summary) and "block recall" in table(summary)


def test_a_collection_is_indexed_and_its_titles_lead_to_articles(collection: Path, tmp_path: Path) -> None:
    with octavo.open(tmp_path / "corpus", embedding=storing.WordEmbedder) as corpus:
        made = evaluate(corpus, load("multihop", collection), ["bm25"], tmp_path / "out")
    (row,) = made.runs[0].rows
    assert row.response.error is None and made.failures == ()
    assert set(made.documents) == {"MV Corran", "Corran", "Corran (2)"}
    assert METRICS["document_pr"].of(row) == METRICS["block_pr"].of(row) == METRICS["passage_em"].of(row) == 1.0


def test_articles_are_asked_together_with_files_beside_them(collection: Path, tmp_path: Path) -> None:
    other = tmp_path / "beside" / "notes.txt"
    other.parent.mkdir()
    other.write_text("When was the ferry built? The ferry was built, and when the ferry was built nobody knows.")
    asked = load(str(collection), together=True, beside=[other.parent])
    with octavo.open(tmp_path / "corpus", embedding=storing.WordEmbedder) as corpus:
        made = evaluate(corpus, asked, ["bm25"], tmp_path / "out")
    (row,) = made.runs[0].rows
    assert {name for name, _ in row.ranking} >= {"MV Corran", "notes.txt"}
    assert row.right_documents == {"MV Corran"} and METRICS["documents@10"].of(row) == 1.0
    assert row.ranking[0] == ("notes.txt", 1) and METRICS["document@1"].of(row) == 0.0
    assert summarize(made)["together"] == {"documents": 4, "beside": 1}
