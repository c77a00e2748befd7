"""The kinds of question a report breaks figures down by. Adding one is a function and a line in the table."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from octavo.corpus import DocumentInfo
from octavo.evaluation.question import Question
from octavo.question import understand

Group = Callable[[Question, DocumentInfo | None], Sequence[str]]
"""Returns the groups of a question, from itself and the one document it is about, None for several or none."""

_BOUNDS = ((20, "up to 20 pages"), (50, "21 to 50 pages"), (100, "51 to 100 pages"))


def in_order(name: str) -> tuple[float, str]:
    """Return what groups are sorted by: the first number in their name, then the name; those without come last."""
    found = re.search(r"\d+", name)
    return (float(found.group()) if found else math.inf, name)


def _source(question: Question, _: DocumentInfo | None) -> Sequence[str]:
    return question.evidence_sources or (() if question.answerable else ("no answer",))


def _evidence_pages(question: Question, _: DocumentInfo | None) -> Sequence[str]:
    count = len(question.evidence_pages)
    if not count:
        return ("no gold page",)
    return ("1 page" if count == 1 else "2 or 3 pages" if count <= 3 else "4 pages or more",)


def _span(question: Question, _: DocumentInfo | None) -> Sequence[str]:
    count = len(question.evidence_pages)
    return ("single page" if count == 1 else "multi page",) if count else ()


def _reference(question: Question, _: DocumentInfo | None) -> Sequence[str]:
    return ("explicit reference" if understand(question.question).references else "no reference",)


def _length(_: Question, info: DocumentInfo | None) -> Sequence[str]:
    if info is None:
        return ()
    return (next((name for bound, name in _BOUNDS if info.pages <= bound), "more than 100 pages"),)


def _scan(_: Question, info: DocumentInfo | None) -> Sequence[str]:
    if info is None:
        return ()
    return ("scanned" if 2 * info.scanned_pages > info.pages else "born digital",)


def _named(name: str) -> Sequence[str]:
    return (name,) if name else ()


GROUPS: dict[str, tuple[str, Group]] = {
    "kind": ("what was asked", lambda question, _: _named(question.kind)),
    "source": ("evidence source", _source),
    "page": ("gold pages", _evidence_pages),
    "span": ("single or multi page", _span),
    "reference": ("reference to a page, figure, table or section in the question", _reference),
    "length": ("length of the document", _length),
    "scan": ("scanned or born digital", _scan),
    "type": ("question type", lambda question, _: _named(question.question_type)),
    "format": ("answer format", lambda question, _: () if question.kind else (question.answer_format,)),
    "document_type": ("kind of document", lambda question, _: _named(question.document_type)),
}
"""Title and function by the key in report.json."""
