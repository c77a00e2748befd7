"""Every benchmark is read from small files in its published format."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from octavo.errors import UsageError
from octavo_lab.benchmarks import BENCHMARKS, load
from octavo_lab.metrics.registry import METRICS
from octavo_lab.question import Question


def read(tmp_path: Path, benchmark: str, name: str, content: Any) -> list[Question]:
    """Write a question file and one document; return the questions that the benchmark's loader finds."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    documents = tmp_path / "documents"
    documents.mkdir(exist_ok=True)
    (documents / "a.pdf").write_bytes(b"%PDF")
    return list(load(benchmark, tmp_path, skip_bad=False).questions)


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_own_questions_need_a_question_and_an_answer(tmp_path: Path) -> None:
    plain, full = read(
        tmp_path,
        str(tmp_path / "questions.jsonl"),
        "questions.jsonl",
        lines(
            {"question": "How many?", "answer": 1000},
            {
                "id": "x",
                "question": "Which?",
                "answer": ["a", "b"],
                "document": "a.pdf",
                "evidence_pages": [3, 1, 3],
                "evidence_sources": ["Table", None],
                "evidence_text": ["a b c"],
                "evidence_blocks": ["b7"],
                "task_type": "lookup",
                "document_type": "report",
            },
        ),
    )
    assert (plain.id, plain.documents, plain.answer_format) == ("questions.jsonl:1", (), "Int")
    assert (full.id, full.documents, full.answer_format) == ("x", ("a.pdf",), "List")
    assert (full.evidence_pages, full.evidence_sources, full.evidence_texts) == ((1, 3), ("Table",), ("a b c",))
    assert (full.evidence_blocks, full.question_type, full.document_type) == (("b7",), "lookup", "report")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, "None"),
        ("Not answerable", "None"),
        ("8", "Int"),
        (8, "Int"),
        ("412,000", "Str"),
        ("$1577.50", "Float"),
        ("12.5%", "Float"),
        ("$3.1", "Float"),
        ("['a', 'b']", "List"),
        (["a"], "List"),
        ("in 2015", "Str"),
    ],
)
def test_a_format_that_is_not_given_is_read_off_the_gold(tmp_path: Path, answer: Any, expected: str) -> None:
    file = str(tmp_path / "q.jsonl")
    (found,) = read(tmp_path, file, "q.jsonl", lines({"question": "What?", "answer": answer}))
    assert found.answer_format == expected
    assert found.answerable == (expected != "None")


MMLONGBENCH = {
    "doc_id": "a.pdf",
    "doc_type": "Tutorial/Workshop",
    "question": "Which shapes?",
    "answer": "['Circle', 'Square']",
    "evidence_pages": "[8, 2]",
    "evidence_sources": "['Figure']",
    "answer_format": "List",
}


def test_mmlongbench_reads_lists_written_as_texts(tmp_path: Path) -> None:
    (found,) = read(tmp_path, "mmlongbench", "samples.json", [MMLONGBENCH])
    assert (found.documents, found.evidence_pages, found.evidence_sources) == (("a.pdf",), (2, 8), ("Figure",))
    assert (found.answer, found.answer_format, found.document_type) == (
        "['Circle', 'Square']",
        "List",
        "Tutorial/Workshop",
    )


def test_both_releases_of_mmlongbenchs_gold_can_be_had(tmp_path: Path) -> None:
    row = {
        "id": "1",
        "document": "a.pdf",
        "question": "Who?",
        "answer": "Nobody",
        "answer_format": "Str",
        "evidence_pages": [6],
        "first_release": {"answer": "Not answerable", "evidence_pages": []},
    }
    (second,) = read(tmp_path, "mmlongbench", "questions.jsonl", lines(row))
    (first,) = read(tmp_path, "mmlongbench-first", "questions.jsonl", lines(row))
    assert (second.answer, second.evidence_pages, second.answerable) == ("Nobody", (6,), True)
    assert (first.answer, first.evidence_pages, first.answerable) == ("Not answerable", (), False)


def test_financebench_counts_pages_from_0(tmp_path: Path) -> None:
    row = {
        "financebench_id": "f1",
        "doc_name": "ACME_2020_10K",
        "question_type": "metrics-generated",
        "question_reasoning": None,
        "question": "What is it?",
        "answer": "$1577.00",
        "evidence": [
            {"doc_name": "ACME_2020_10K", "evidence_page_num": 59, "evidence_text": "Capital expenditure 1,577"},
            {"doc_name": "ACME_2019_10K", "evidence_page_num": 3, "evidence_text": "elsewhere"},
        ],
    }
    (found,) = read(tmp_path, "financebench", "financebench_open_source.jsonl", lines(row))
    assert (found.documents, found.evidence_pages) == (("ACME_2020_10K.pdf",), (60,))
    assert found.evidence_texts == ("Capital expenditure 1,577", "elsewhere")
    assert found.evidence_sources == ("metrics-generated",)


def test_longdocurl_counts_pages_from_1(tmp_path: Path) -> None:
    row = {
        "question_id": "q1",
        "doc_no": "4055915",
        "question": "How many?",
        "answer": 5,
        "evidence_pages": [54],
        "evidence_sources": ["Table"],
        "answer_format": "Integer",
        "task_tag": "Reasoning",
    }
    (found,) = read(tmp_path, "longdocurl", "LongDocURL.jsonl", lines(row))
    assert (found.documents, found.answer, found.evidence_pages) == (("4055915.pdf",), "5", (54,))
    assert (found.answer_format, found.question_type) == ("Integer", "Reasoning")


def dude(**changes: Any) -> dict[str, Any]:
    return {
        "questionId": "d1",
        "docId": "a",
        "question": "What is shown?",
        "answers": ["a map"],
        "answers_variants": ["map"],
        "answer_type": "extractive",
        "answers_page_bounding_boxes": [[{"page": 2, "left": 1}]],
        "data_split": "val",
        **changes,
    }


def test_dude_has_variants_lists_and_questions_without_an_answer(tmp_path: Path) -> None:
    rows = [
        dude(),
        dude(questionId="d2", answer_type="list/extractive", answers=["x", "y"], answers_variants=[]),
        dude(questionId="d3", answer_type="not-answerable", answers=[], answers_page_bounding_boxes=[]),
        dude(questionId="d4", data_split="test", answers=[]),
    ]
    one, several, none = read(tmp_path, "dude", "2023_DUDE_gt.json", {"data": rows})
    assert (one.answer, one.evidence_pages, one.documents) == (["a map", "map"], (3,), ("a.pdf",))
    assert (several.answer, several.answer_format) == (["x", "y"], "List")
    assert not none.answerable


@pytest.mark.parametrize(("pages", "expected"), [(["f_p3", "f_p4"], 5), (["3", "4"], 2)])
def test_mpdocvqa_finds_the_page_by_its_id(tmp_path: Path, pages: list[str], expected: int) -> None:
    row = {
        "questionId": 49153,
        "question": "What is the date?",
        "doc_id": "f",
        "page_ids": pages,
        "answers": ["May 1"],
        "answer_page_idx": 1,
    }
    (found,) = read(tmp_path, "mpdocvqa", "val.json", {"data": [row]})
    assert (found.id, found.documents, found.evidence_pages) == ("49153", ("f.pdf",), (expected,))


def test_m3docvqa_is_over_the_whole_corpus(tmp_path: Path) -> None:
    row = {
        "qid": "m1",
        "question": "Which films?",
        "answers": [{"answer": "Godzilla", "modality": "table"}, {"answer": 12, "modality": "table"}],
        "metadata": {"type": "TableQ"},
        "supporting_context": [{"doc_id": "d1", "doc_part": "table"}, {"doc_id": "d1", "doc_part": "text"}],
    }
    (found,) = read(tmp_path, "m3docvqa", "MMQA_dev.jsonl", lines(row))
    assert (found.documents, found.answer, found.answer_format) == ((), ["Godzilla", "12"], "List")
    assert (found.evidence_documents, found.evidence_sources) == (("d1.pdf",), ("table", "text"))


def annotation(**answer: Any) -> dict[str, Any]:
    blank = {
        "unanswerable": False,
        "extractive_spans": [],
        "yes_no": None,
        "free_form_answer": "",
        "evidence": [],
    }
    return {"answer": {**blank, **answer}}


def test_qasper_reads_answers_as_its_evaluation_writes_them(tmp_path: Path) -> None:
    answers = [
        annotation(extractive_spans=["SVM", "LSTM"], evidence=["We use SVM.", "FLOAT SELECTED: Table 1: Results"]),
        annotation(free_form_answer="two models"),
        annotation(yes_no=False),
        annotation(unanswerable=True),
    ]
    qas = [
        {"question_id": "p1", "question": "Which models?", "answers": answers},
        {"question_id": "p2", "question": "Which city?", "answers": [annotation(unanswerable=True)]},
    ]
    first, second = read(tmp_path, "qasper", "qasper-dev-v0.3.json", {"1912.01214": {"title": "T", "qas": qas}})
    assert first.answer == ["SVM, LSTM", "two models", "No", "Unanswerable"]
    assert (first.documents, first.evidence_texts) == (("1912.01214.pdf",), ("We use SVM.", "Table 1: Results"))
    assert first.evidence_sources == ("Text", "Table or figure")
    assert (second.answerable, second.answer_format) == (False, "None")


def test_uda_is_read_from_either_of_its_layouts(tmp_path: Path) -> None:
    table = 'doc_name|q_uid|question|answer_1|answer_2|answer_3\n1912.1|u1|What?|"one\ntwo"|1| \n'
    (flat,) = read(tmp_path / "flat", "papertab", "paper_tab_qa.csv", table)
    assert (flat.documents, flat.answer) == (("1912.1.pdf",), ["one\ntwo", "1"])
    item = {
        "question": "What?",
        "q_uid": "u1",
        "answers": [{"answer": "one", "type": "extractive"}],
        "evidence": [{"raw_evidence": ["A paragraph."], "highlighted_evidence": ["A"]}],
    }
    (nested,) = read(tmp_path / "nested", "papertext", "bench_paper_text_qa.json", {"1912.1": [item]})
    assert (nested.documents, nested.answer, nested.evidence_texts) == (("1912.1.pdf",), ["one"], ("A paragraph.",))
    cells = {"question": "When?", "q_uid": 7, "answers": "In 1995.", "evidence": {"table_array": [["Year"]]}}
    (wiki,) = read(tmp_path / "wiki", "fetatab", "bench_feta_qa.json", {"Smallville": [cells]})
    assert (wiki.id, wiki.answer, wiki.evidence_texts) == ("7", ["In 1995."], ())


def test_asqa_is_read_from_either_of_its_layouts(tmp_path: Path) -> None:
    pairs = [{"question": "?", "short_answers": ["1990", "in 1990"]}, {"question": "?", "short_answers": ["1994"]}]
    notes = [{"long_answer": "First."}, {"long_answer": "Second."}]
    listed = [{"question": "When?", "qa_pairs": pairs, "annotations": notes, "answer": "First."}]
    (alce,) = read(tmp_path / "alce", "asqa", "asqa_eval_gtr_top100.json", listed)
    assert (alce.answer, alce.reference) == ([["1990", "in 1990"], ["1994"]], ["First.", "Second."])
    published = {"dev": {"77": {"ambiguous_question": "When?", "qa_pairs": pairs, "annotations": notes}}}
    (own,) = read(tmp_path / "own", "asqa", "ASQA.json", published)
    assert (own.id, own.question, own.answer) == ("77", "When?", alce.answer)


def test_qampari_is_read_from_either_of_its_layouts(tmp_path: Path) -> None:
    listed = [{"id": "1", "question": "Who?", "answers": [["A", "B"], ["C"]]}]
    (alce,) = read(tmp_path / "alce", "qampari", "qampari_eval_gtr_top100.json", listed)
    row = {
        "qid": "1",
        "question_text": "Who?",
        "answer_list": [{"answer_text": "A", "aliases": ["A", "B"]}, {"answer_text": "C", "aliases": []}],
    }
    (own,) = read(tmp_path / "own", "qampari", "dev_data.jsonl", lines(row))
    assert alce.answer == own.answer == [["A", "B"], ["C"]]


def test_eli5_hotpotqa_and_triviaqa_are_over_the_whole_corpus(tmp_path: Path) -> None:
    (eli5,) = read(
        tmp_path / "e",
        "eli5",
        "eli5_eval_bm25_top100.json",
        [{"question": "Why?", "answer": "So.", "claims": ["It is so."]}],
    )
    assert (eli5.answer, eli5.reference, eli5.claims, eli5.documents) == ("So.", "So.", ("It is so.",), ())
    hotpot = {
        "_id": "5a",
        "question": "Are both?",
        "answer": "yes",
        "type": "comparison",
        "supporting_facts": [["Adam", 0], ["Adam", 2], ["Eve", 1]],
    }
    (two,) = read(tmp_path / "h", "hotpotqa", "hotpot_dev_distractor_v1.json", [hotpot])
    assert (two.evidence_documents, two.question_type) == (("Adam.pdf", "Eve.pdf"), "comparison")
    trivia = {
        "QuestionId": "t1",
        "Question": "Who?",
        "Answer": {"Value": "Sunset Boulevard", "Aliases": ["Sunset Blvd", "Sunset Boulevard"]},
        "EntityPages": [{"Title": "Andrew Lloyd Webber"}],
    }
    (one,) = read(tmp_path / "t", "triviaqa", "wikipedia-dev.json", {"Data": [trivia]})
    assert (one.answer, one.evidence_documents) == (
        ["Sunset Boulevard", "Sunset Blvd"],
        ("Andrew Lloyd Webber.pdf",),
    )


def test_the_hub_is_asked_when_the_folder_has_no_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def load_dataset(name: str, *, split: str) -> list[dict[str, Any]]:
        asked.append((name, split))
        return [MMLONGBENCH]

    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=load_dataset))
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    found = load("mmlongbench-first", tmp_path)
    assert asked == [("yubo2333/MMLongBench-Doc", "train")]
    assert found.questions[0].evidence_pages == (2, 8)


def test_without_the_package_the_hub_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(UsageError, match=r"pip install 'octavo\[datasets\]'"):
        load("mmlongbench-first", tmp_path)


def test_every_benchmark_is_scored_by_metrics_that_exist() -> None:
    assert {name for found in BENCHMARKS.values() for name in found.metrics} <= set(METRICS)
    assert all(definition.metrics for definition in BENCHMARKS.values())


def test_the_training_split_of_asqa_is_read_from_what_its_authors_publish(tmp_path: Path) -> None:
    def row(question: str) -> dict[str, object]:
        pairs = [{"question": "?", "short_answers": ["1990"], "context": "", "wikipage": "Pier"}]
        notes = [{"knowledge": [], "long_answer": "In 1990."}]
        return {"ambiguous_question": question, "qa_pairs": pairs, "wikipages": [], "annotations": notes}

    published = {"dev": {"1": row("When?")}, "train": {"2": row("Where?"), "3": row("Who?")}}
    assert [one.question for one in read(tmp_path, "asqa-train", "ASQA.json", published)] == ["Where?", "Who?"]
    assert [one.question for one in read(tmp_path, "asqa", "ASQA.json", published)] == ["When?"]
