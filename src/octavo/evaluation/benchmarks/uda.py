"""PaperTab, PaperText and FetaTab of UDA: questions over papers and Wikipedia pages as PDFs.

Hui et al., "UDA", NeurIPS 2024. Read from the published question files, CSV separated by "|" (`paper_tab_qa.csv`), or
from the extended JSON (`bench_paper_tab_qa.json`), an object of lists of questions by document.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from octavo.evaluation.benchmarks.base import Definition
from octavo.evaluation.benchmarks.rows import Row, csv_lines, json_object, parts_of
from octavo.evaluation.question import Question


def rows(path: Path) -> Iterator[Row]:
    """Yield a row for each question of either layout."""
    return csv_lines("|")(path) if path.suffix == ".csv" else parts_of(json_object()(path), "_value")


def questions(row: Row) -> Iterator[Question]:
    """Yield the row's question with the answers of all annotators."""
    row.require()
    answers = _answers(row)
    if not answers:
        raise row.bad("needs an answer in 'answers' or 'answer_1'")
    yield Question(
        id=row.text("q_uid"),
        question=row.text("question"),
        answer=list(answers),
        documents=(f"{row.text('doc_name', '_key')}.pdf",),
        evidence_texts=_evidence(row),
    )


def _answers(row: Row) -> tuple[str, ...]:
    given = row.get("answers")
    if isinstance(given, str):
        return (given,)
    if given is None:
        named = (row.optional(name).strip() for name in ("answer", "answer_1", "answer_2", "answer_3"))
        return tuple(dict.fromkeys(filter(None, named)))
    return tuple(item.text("answer") for item in row.parts("answers"))


def _evidence(row: Row) -> tuple[str, ...]:
    """Return the paragraphs that papers' annotators named; FetaTab gives table cells instead, which are left out."""
    if not isinstance(row.get("evidence"), list):
        return ()
    parts = row.parts("evidence")
    return tuple(dict.fromkeys(text for part in parts for text in part.texts("raw_evidence")))


def _definition(name: str, title: str, stem: str, metrics: tuple[str, ...]) -> Definition:
    return Definition(
        name=name,
        title=title,
        source="https://github.com/qinchuanhui/UDA-Benchmark",
        files=(f"{stem}.csv", f"bench_{stem}.json"),
        questions=questions,
        rows=rows,
        metrics=metrics,
    )


PAPERTAB = _definition("papertab", "PaperTab", "paper_tab_qa", ("qasper", "judged", "inclusion"))
PAPERTEXT = _definition("papertext", "PaperText", "paper_text_qa", ("qasper", "judged", "inclusion"))
FETATAB = _definition("fetatab", "FetaTab", "feta_qa", ("judged", "rouge_l", "token_f1"))
