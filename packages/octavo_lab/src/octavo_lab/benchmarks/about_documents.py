"""Published benchmarks whose questions are each about one document.

A reader turns a row of the published file into a question. Pages are 1-based here, whatever a file calls the first.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from octavo_lab.benchmarks import own
from octavo_lab.benchmarks.rows import Definition, Row, json_list, json_object, list_or_lines, parts_of, piped_lines
from octavo_lab.metrics.published import UNANSWERABLE
from octavo_lab.question import NOT_ANSWERABLE, Question

_PAGE = re.compile(r"_p(\d+)$")
_DUDE_FORMATS = {"not-answerable": "None", "list/extractive": "List", "list/abstractive": "List"}
_FLOAT = "FLOAT SELECTED"
"""Marks evidence in Qasper that is a table or figure by its caption."""


def _mmlongbench(row: Row) -> Question:
    """Read Octavo's own layout, or the published one, which calls the document `doc_id` and writes lists as texts."""
    return own.published_question(_with_document(row))


def _mmlongbench_first(row: Row) -> Question:
    """Read the gold of the set's first release, where the row has one."""
    changed = row.below("first_release", row.get("first_release") or {})
    changed.require()
    return _mmlongbench(dataclasses.replace(row, fields={**row.fields, **changed.fields}))


def _with_document(row: Row) -> Row:
    return dataclasses.replace(row, fields={**row.fields, "document": row.get("document", "doc_id")})


MMLONGBENCH = Definition(
    name="mmlongbench",
    title="MMLongBench-Doc",
    source="https://github.com/mayubo2333/MMLongBench-Doc",
    files=("questions.jsonl", "samples.json", "*.jsonl"),
    question=_mmlongbench,
    rows=list_or_lines,
    metrics=("mmlongbench", "mmlongbench_f1", "exact_match", "token_f1"),
)
"""The corrected gold. Ma et al., NeurIPS 2024 (arXiv 2407.01523)."""

MMLONGBENCH_FIRST = dataclasses.replace(
    MMLONGBENCH,
    name="mmlongbench-first",
    title="MMLongBench-Doc, first release",
    question=_mmlongbench_first,
    hub=("yubo2333/MMLongBench-Doc", "train"),
)


def _financebench(row: Row) -> Question:
    """Read either layout; evidence in other documents than the one asked about has no page gold."""
    if "financebench_id" not in row.fields:
        return own.published_question(row)
    name = row.text("doc_name")
    evidence = row.parts("evidence")
    here = [item for item in evidence if item.get("doc_name", "evidence_doc_name") in (None, name)]
    return Question(
        id=row.text("financebench_id"),
        question=row.text("question"),
        answer=row.text("answer"),
        documents=(f"{name}.pdf",),
        evidence_pages=tuple(sorted({_evidence_page(item) for item in here})),
        evidence_sources=tuple(filter(None, (row.optional("question_type"), row.optional("question_reasoning")))),
        evidence_texts=tuple(item.text("evidence_text") for item in evidence),
        question_type=row.optional("question_type"),
        document_type=row.optional("doc_type"),
    )


def _evidence_page(item: Row) -> int:
    item.require()
    number = item.get("evidence_page_num", "page_number")
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise item.bad(f"needs a page number from 0 in 'evidence_page_num', not {number!r}")
    return number + 1


FINANCEBENCH = Definition(
    name="financebench",
    title="FinanceBench",
    source="https://github.com/patronus-ai/financebench",
    files=("questions.jsonl", "financebench_open_source.jsonl", "*.jsonl"),
    question=_financebench,
    metrics=("judged", "inclusion", "token_f1"),
    hub=("PatronusAI/financebench", "train"),
)
"""Islam et al., 2023 (arXiv 2311.11944)."""


def _longdocurl(row: Row) -> Question:
    return Question(
        id=row.text("question_id"),
        question=row.text("question"),
        answer=row.items("answer") if isinstance(row.get("answer"), list) else row.text("answer"),
        documents=(f"{row.text('doc_no')}.pdf",),
        answer_format=row.text("answer_format"),
        evidence_pages=row.pages("evidence_pages"),
        evidence_sources=row.texts("evidence_sources"),
        question_type=row.optional("task_tag") or row.optional("question_type"),
    )


LONGDOCURL = Definition(
    name="longdocurl",
    title="LongDocURL",
    source="https://github.com/dengc2023/LongDocURL",
    files=("LongDocURL*.jsonl", "*.jsonl"),
    question=_longdocurl,
    metrics=("longdocurl", "exact_match", "token_f1"),
    hub=("dengchao/LongDocURL", "train"),
)
"""Deng et al., ACL 2025 (arXiv 2412.18424)."""


def _dude(row: Row) -> Question | None:
    """Read a row; those of the test split have no answers."""
    if row.get("data_split", "split") == "test" and not row.get("answers"):
        return None
    answer_format = _DUDE_FORMATS.get(row.optional("answer_type"), "Str")
    return Question(
        id=row.text("questionId"),
        question=row.text("question"),
        answer=NOT_ANSWERABLE if answer_format == "None" else _dude_answers(row, answer_format),
        documents=(f"{row.text('docId')}.pdf",),
        answer_format=answer_format,
        evidence_pages=_dude_pages(row),
        question_type=row.optional("answer_type"),
    )


def _dude_val(row: Row) -> Question | None:
    """Read a row of the validation split, which is the one with answers that is for measuring."""
    return _dude(row) if row.get("data_split", "split") == "val" else None


def _dude_answers(row: Row, answer_format: str) -> list[str]:
    answers = row.texts("answers")
    if not answers:
        raise row.bad("needs a list with an answer in 'answers'")
    return list(answers) if answer_format == "List" else [*answers, *row.texts("answers_variants")]


def _dude_pages(row: Row) -> tuple[int, ...]:
    """Return the pages of the answers' boxes, from 0 there; boxes are lists of objects, or lists of such lists."""
    boxes: list[Any] = row.items("answers_page_bounding_boxes")
    flat = [box for item in boxes for box in (cast("list[Any]", item) if isinstance(item, list) else [item])]
    found = [cast(dict[str, Any], box).get("page") for box in flat if isinstance(box, dict)]
    return tuple(sorted({page + 1 for page in found if isinstance(page, int) and page >= 0}))


DUDE = Definition(
    name="dude",
    title="DUDE",
    source="https://github.com/duchallenge-team/dude",
    files=("*DUDE*.json", "*dude*.json", "*.json"),
    question=_dude,
    rows=json_list("data"),
    metrics=("anls", "exact_match", "token_f1"),
)
"""Van Landeghem et al., ICCV 2023."""

DUDE_VAL = dataclasses.replace(DUDE, name="dude-val", title="DUDE, validation split", question=_dude_val)


def _mpdocvqa(row: Row) -> Question | None:
    """Read a row; those of the test split have no answers."""
    answers = row.texts("answers")
    if not answers:
        return None
    return Question(
        id=row.text("questionId"),
        question=row.text("question"),
        answer=list(answers),
        documents=(f"{row.text('doc_id')}.pdf",),
        evidence_pages=(_mpdocvqa_page(row),),
    )


def _mpdocvqa_page(row: Row) -> int:
    """Return the page: its id ends in its number from 0 ("ffbf0023_p3"); else its place among the question's pages."""
    names, at = row.texts("page_ids"), row.get("answer_page_idx")
    if isinstance(at, bool) or not isinstance(at, int) or at < 0:
        raise row.bad(f"needs a place among the pages in 'answer_page_idx', not {at!r}")
    found = _PAGE.search(names[at]) if at < len(names) else None
    return (int(found.group(1)) if found else at) + 1


MPDOCVQA = Definition(
    name="mpdocvqa",
    title="MP-DocVQA",
    source="https://rrc.cvc.uab.es/?ch=17&com=tasks",
    files=("val.json", "train.json", "*.json"),
    question=_mpdocvqa,
    rows=json_list("data"),
    metrics=("anls", "exact_match", "token_f1"),
)
"""Tito et al., Pattern Recognition 2023."""


def _qasper(row: Row) -> Question:
    """Read a question of a paper with the answers of all annotators; documents are named after the arXiv number."""
    answers = [item.below("answer", item.get("answer")) for item in row.parts("answers")]
    if not answers:
        raise row.bad("needs a list with an answer in 'answers'")
    texts = [_qasper_answer(answer) for answer in answers]
    evidence = dict.fromkeys(text for answer in answers for text in answer.texts("evidence"))
    unanswerable = all(text == UNANSWERABLE for text in texts)
    return Question(
        id=row.text("question_id"),
        question=row.text("question"),
        answer=UNANSWERABLE if unanswerable else texts,
        documents=(f"{row.text('_key')}.pdf",),
        answer_format="None" if unanswerable else "Str",
        evidence_texts=tuple(text.removeprefix(f"{_FLOAT}: ") for text in evidence),
        evidence_sources=tuple(dict.fromkeys("Table or figure" if _FLOAT in text else "Text" for text in evidence)),
        question_type=_qasper_kind(answers[0]),
    )


def _qasper_answer(answer: Row) -> str:
    """Return an annotator's answer as the published evaluation writes it."""
    answer.require()
    kind = _qasper_kind(answer)
    if kind == "extractive":
        return ", ".join(answer.texts("extractive_spans"))
    if kind == "boolean":
        return "Yes" if answer.get("yes_no") else "No"
    return UNANSWERABLE if kind == "none" else answer.text("free_form_answer")


def _qasper_kind(answer: Row) -> str:
    if answer.get("unanswerable"):
        return "none"
    if answer.get("extractive_spans"):
        return "extractive"
    return "boolean" if answer.get("yes_no") is not None and not answer.get("free_form_answer") else "abstractive"


QASPER = Definition(
    name="qasper",
    title="Qasper",
    source="https://allenai.org/data/qasper",
    files=("qasper-test*.json", "qasper-dev*.json", "qasper*.json", "*.json"),
    question=_qasper,
    rows=lambda path: parts_of(json_object()(path), "qas"),
    metrics=("qasper", "exact_match", "inclusion"),
)
"""Dasigi et al., NAACL 2021."""


def _uda_rows(path: Path) -> Iterator[Row]:
    """Yield a row for each question of the published CSV, or of the extended JSON, an object of lists by document."""
    return piped_lines(path) if path.suffix == ".csv" else parts_of(json_object()(path), "_value")


def _uda(row: Row) -> Question:
    """Read a question with the answers of all annotators."""
    answers = _uda_answers(row)
    if not answers:
        raise row.bad("needs an answer in 'answers' or 'answer_1'")
    return Question(
        id=row.text("q_uid"),
        question=row.text("question"),
        answer=list(answers),
        documents=(f"{row.text('doc_name', '_key')}.pdf",),
        evidence_texts=_uda_evidence(row),
    )


def _uda_answers(row: Row) -> tuple[str, ...]:
    given = row.get("answers")
    if isinstance(given, str):
        return (given,)
    if given is None:
        named = (row.optional(name).strip() for name in ("answer", "answer_1", "answer_2", "answer_3"))
        return tuple(dict.fromkeys(filter(None, named)))
    return tuple(item.text("answer") for item in row.parts("answers"))


def _uda_evidence(row: Row) -> tuple[str, ...]:
    """Return the paragraphs that papers' annotators named; FetaTab gives table cells instead, which are left out."""
    if not isinstance(row.get("evidence"), list):
        return ()
    return tuple(dict.fromkeys(text for part in row.parts("evidence") for text in part.texts("raw_evidence")))


def _uda_set(name: str, title: str, stem: str, *metrics: str) -> Definition:
    """Define a set of UDA. Hui et al., "UDA", NeurIPS 2024."""
    return Definition(
        name=name,
        title=title,
        source="https://github.com/qinchuanhui/UDA-Benchmark",
        files=(f"{stem}.csv", f"bench_{stem}.json"),
        question=_uda,
        rows=_uda_rows,
        metrics=metrics,
    )


PAPERTAB = _uda_set("papertab", "PaperTab", "paper_tab_qa", "qasper", "judged", "inclusion")
PAPERTEXT = _uda_set("papertext", "PaperText", "paper_text_qa", "qasper", "judged", "inclusion")
FETATAB = _uda_set("fetatab", "FetaTab", "feta_qa", "judged", "rouge_l", "token_f1")

DEFINITIONS = (
    MMLONGBENCH,
    MMLONGBENCH_FIRST,
    FINANCEBENCH,
    LONGDOCURL,
    DUDE,
    DUDE_VAL,
    MPDOCVQA,
    QASPER,
    PAPERTAB,
    PAPERTEXT,
    FETATAB,
)
