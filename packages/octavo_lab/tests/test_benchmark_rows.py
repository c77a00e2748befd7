"""Bad input: rows are named, left out or stop the reading; a folder of the wrong shape says what was looked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from octavo.errors import UsageError
from octavo_lab.benchmarks import BENCHMARKS, choose, load
from octavo_lab.benchmarks.rows import BadRow
from octavo_lab.question import Question

GOOD: dict[str, Any] = {"id": "good", "question": "What?", "answer": "a", "document": "a.pdf"}

BAD = [
    ({**GOOD, "id": "bad", "question": ""}, "'question'"),
    ({**GOOD, "id": "bad", "question": ["x"]}, "'question'"),
    ({"id": "bad", "question": "What?"}, "'answers'"),
    ({**GOOD, "id": "bad", "answer": ""}, "'answer'"),
    ({**GOOD, "id": "bad", "evidence_pages": [0]}, "'evidence_pages'"),
    ({**GOOD, "id": "bad", "evidence_pages": ["3"]}, "'evidence_pages'"),
    ({**GOOD, "id": "bad", "evidence_pages": [True]}, "'evidence_pages'"),
    ({**GOOD, "id": "bad", "evidence_pages": "three"}, "'evidence_pages'"),
    ({**GOOD, "id": "bad", "evidence_pages": 3}, "'evidence_pages'"),
    ({**GOOD, "id": "bad", "answer_format": "Number"}, "'answer_format'"),
    (GOOD, "id 'good'"),
    (["a", "list"], "no JSON object"),
    ("not json at all", "not valid JSON"),
]


def folder(tmp_path: Path, *rows: Any) -> Path:
    written = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (tmp_path / "questions.jsonl").write_text("\n".join(written) + "\n")
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "a.pdf").write_bytes(b"%PDF")
    return tmp_path


@pytest.mark.parametrize(("row", "named"), BAD)
def test_a_bad_row_is_named_by_file_line_and_field_and_left_out_or_stops_the_reading(
    tmp_path: Path, row: Any, named: str
) -> None:
    place = str(folder(tmp_path, GOOD, row, {**GOOD, "id": "last"}))
    found = load(place)
    assert [question.id for question in found.questions] == ["good", "last"]
    (problem,) = found.problems
    assert problem.startswith("questions.jsonl:2: ")
    assert named in problem
    assert "\n" not in problem
    with pytest.raises(BadRow, match=r"questions\.jsonl:2: "):
        load(place, skip_bad=False)


def test_blank_lines_and_a_byte_order_mark_are_no_rows(tmp_path: Path) -> None:
    place = folder(tmp_path, GOOD)
    (place / "questions.jsonl").write_text("\ufeff\n" + json.dumps(GOOD) + "\n\n", encoding="utf-8")
    assert len(load(str(place)).questions) == 1


@pytest.mark.parametrize("name", sorted(set(BENCHMARKS) - {"jsonl", "mmlongbench-first", "longdocurl", "financebench"}))
def test_an_empty_folder_says_what_was_looked_for(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"holds no questions of .*looked for"):
        load(name, tmp_path)


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no folder .*gone"):
        load("mmlongbench", tmp_path / "gone")


def test_a_published_benchmark_needs_a_folder() -> None:
    with pytest.raises(UsageError, match="--documents FOLDER is needed"):
        load("mmlongbench")


def test_an_unknown_benchmark_is_told_the_known_ones() -> None:
    with pytest.raises(UsageError, match="mmlongbench, mmlongbench-first"):
        load("mmlongbanch")


def test_questions_without_documents_are_of_no_use(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps(GOOD))
    with pytest.raises(UsageError, match="holds no documents"):
        load(str(tmp_path / "q.jsonl"))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({}, ["a.pdf"]),
        ({"document": "gone.pdf"}, []),
        ({"document": None, "documents": ["b.pdf", "a.pdf"]}, ["a.pdf", "b.pdf"]),
        ({"document": None}, ["a.pdf", "b.pdf", "c.pdf"]),
    ],
)
def test_only_documents_in_the_scope_of_a_question_are_taken(
    tmp_path: Path, row: dict[str, Any], expected: list[str]
) -> None:
    place = folder(tmp_path, {**GOOD, **row}, {**GOOD, "id": "left out", "document": "c.pdf"})
    (place / "documents" / "below").mkdir()
    for name in ("b.pdf", "below/c.pdf"):
        (place / "documents" / name).write_bytes(b"%PDF")
    assert [path.name for path in load(str(place), limit=1).documents] == expected


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("page", "pages"),
        ("Answer", "answer"),
        ("Answers", "answers"),
        ("evidence_page", "evidence_pages"),
        ("doc", "document"),
        ("answer-format", "answer_format"),
        ("zzz", None),
    ],
)
def test_an_unknown_key_is_told_once_with_the_nearest_known_one(tmp_path: Path, key: str, meant: str | None) -> None:
    found = load(str(folder(tmp_path, GOOD, {**GOOD, "id": "x", key: 1}, {**GOOD, "id": "y", key: 2})))
    assert len(found.questions) == 3
    told = f"questions.jsonl:2: {key!r} is not read"
    assert found.warnings == ((f"{told}; did you mean {meant!r}?" if meant else told),)


def test_a_published_file_may_hold_any_key(tmp_path: Path) -> None:
    row = {**GOOD, "answer_format": "Str", "evidence_pages": [], "pages": [1]}
    assert load("mmlongbench", folder(tmp_path, row)).warnings == ()


def test_a_file_without_a_readable_row_is_an_error_that_shows_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no question that can be read; questions\.jsonl:1: is not valid JSON"):
        load(str(folder(tmp_path, "{")))


@pytest.mark.parametrize(
    ("name", "file", "content"),
    [
        ("dude", "dude.json", "{"),
        ("dude", "dude.json", '{"data": {}}'),
        ("qasper", "qasper-dev.json", "[]"),
        ("asqa", "ASQA.json", "{}"),
    ],
)
def test_a_file_of_the_wrong_shape_is_named(tmp_path: Path, name: str, file: str, content: str) -> None:
    (tmp_path / file).write_text(content)
    with pytest.raises(UsageError, match=file):
        load(name, tmp_path)


def test_one_bad_question_of_a_paper_leaves_its_others(tmp_path: Path) -> None:
    answer = {"answer": {"unanswerable": False, "free_form_answer": "a", "evidence": []}}
    good, bad = (
        {"question_id": "1", "question": "What?", "answers": [answer]},
        {"question_id": "2", "answers": [answer]},
    )
    papers = {"1912.1": {"qas": [bad, good]}, "1912.2": {"qas": 3}, "1912.3": {"qas": [{**good, "question_id": "3"}]}}
    (tmp_path / "qasper-dev.json").write_text(json.dumps(papers))
    (tmp_path / "1912.1.pdf").write_bytes(b"%PDF")
    found = load("qasper", tmp_path)
    assert [question.id for question in found.questions] == ["1", "3"]
    assert [problem.split(": needs")[0] for problem in found.problems] == [
        "qasper-dev.json:1912.1, qas 1",
        "qasper-dev.json:1912.2",
    ]


QUESTIONS = [Question(str(number), "What?", "a") for number in range(20)]


def test_a_limit_takes_the_first_questions() -> None:
    assert [question.id for question in choose(QUESTIONS, 3, None)] == ["0", "1", "2"]
    assert len(choose(QUESTIONS, 99, None)) == len(choose(QUESTIONS, None, 1)) == 20


def test_a_sample_is_the_same_for_the_same_seed_and_keeps_the_order() -> None:
    first, again, other = (choose(QUESTIONS, 5, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert [int(question.id) for question in first] == sorted(int(question.id) for question in first)


def test_own_questions_may_be_about_documents_of_any_format_without_a_folder_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps({**GOOD, "document": "tides.md"}))
    (tmp_path / "all.jsonl").write_text(json.dumps({**GOOD, "document": None}))
    (tmp_path / "tides.md").write_text("# Tides")
    named = {path.name for path in load(str(tmp_path / "q.jsonl")).documents}
    given = {path.name for path in load(str(tmp_path / "all.jsonl"), tmp_path).documents}
    assert named == given == {"tides.md"}
    with pytest.raises(UsageError, match="holds no documents"):
        load(str(tmp_path / "all.jsonl"))


def test_articles_may_come_in_any_format_that_is_read(tmp_path: Path) -> None:
    (tmp_path / "articles").mkdir()
    for name in ("Alû.html", "Lilu (mythology).md", "notes.docx"):
        (tmp_path / "articles" / name).write_text("A spirit.")
    row = {**GOOD, "document": "Alû.pdf"}
    (tmp_path / "questions.jsonl").write_text(json.dumps(row))
    found = load(str(tmp_path))
    assert [path.name for path in found.documents] == ["Alû.html"]
    assert found.questions[0].documents == ("Alû.html",)
