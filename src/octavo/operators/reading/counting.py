"""Candidates that count what a document is made of: its figures, tables, chapters or sections.

Owns what such a question counts and where. Knows nothing about numbers that a document prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from octavo.decisions.rules.question import Expects, Question
from octavo.decisions.rules.references.words import named
from octavo.decisions.rules.values import Value, ValueKind
from octavo.document import Kind, Rows, View
from octavo.models.analyzer import analyze
from octavo.operators.labels import labels_opening
from octavo.operators.reading.candidate import Candidate, Quote
from octavo.operators.refer import named_pages, rows_labelled

_COUNTED = re.compile(
    r"\b(?:how many|number of) (?:\w+ )?(?P<thing>tables?|figures?|charts?|chapters?|sections?|appendi(?:x|ces))\b",
    re.IGNORECASE,
)
_PAGES = re.compile(r"\b(?:how many|number of) (?:\w+ )?(?:pages|slides)\b", re.IGNORECASE)
_LABELS = {"chart": ("chart", "figure")}
_KINDS = {"table": (Kind.TABLE,), "figure": (Kind.FIGURE, Kind.CHART), "chart": (Kind.CHART,)}
_FRAME = frozenset(
    analyze(
        "how many number total document report paper slide deck presentation handbook book file pdf article include "
        "included contain contains whole entire there are shown appear present appendix section chapter page pages "
        "tables figures charts chapters sections appendices slides"
    )
)
_MOST_QUOTED = 12


def from_counting(question: Question, view: View) -> Iterator[Candidate]:
    """Yield the number of captions or headings of the kind asked for, in the part or on the pages that are named."""
    yield from _pages(question, view)
    found = _COUNTED.search(question.text)
    if question.expects is not Expects.COUNT or not found or len(view.documents) != 1:
        return
    thing = named(found["thing"])
    rows = _scope(question, view)
    if rows is None:
        return
    counted = _of_label(view, rows, thing) or _of_kind(view, rows, thing)
    quotes = tuple(Quote(row, view.blocks.text[row].split("\n")[0]) for row in counted[:_MOST_QUOTED])
    if counted and any(quote.text.strip() for quote in quotes):
        text = str(len(counted))
        value = Value(ValueKind.NUMBER, text, 0, len(text), float(len(counted)))
        yield Candidate(text, quotes, question.text, 1.0, 0.9, 0.9, relevance=1.0, value=value)


def _pages(question: Question, view: View) -> Iterator[Candidate]:
    """Yield the number of pages when all of them are asked for; what stands on the last one is cited."""
    if len(view.documents) != 1 or not _PAGES.search(question.text) or named_pages(question.text, view.documents[0]):
        return
    if _scope(question, view) is None:
        return
    written = [row for row in range(len(view)) if view.blocks.text[row].strip()]
    if written:
        pages = len(view.documents[0].pages)
        value = Value(ValueKind.NUMBER, str(pages), 0, len(str(pages)), float(pages))
        quote = Quote(written[-1], view.blocks.text[written[-1]].split("\n")[0])
        yield Candidate(value.text, (quote,), question.text, 1.0, 0.9, 0.9, relevance=1.0, value=value)


def _scope(question: Question, view: View) -> Rows | None:
    """Return the rows a question speaks of; None when it speaks of more than a place in the document."""
    pages = named_pages(question.text, view.documents[0])
    if pages:
        return np.flatnonzero(view.on_pages(pages) & view.is_content)
    labelled = rows_labelled(view, question.text)
    rest = [term for term in question.asked if term not in _FRAME and len(term) > 1 and not term.isdigit()]
    if rest:
        return None
    headings = [row for row in labelled if view.blocks.kind[row] == Kind.HEADING]
    return np.flatnonzero(view.within(headings) if headings else view.is_content) if headings or not labelled else None


def _of_label(view: View, rows: Rows, thing: str) -> list[int]:
    """Return the first row of each label of the kind asked for, such as "Table A.2", in captions and headings."""
    first: dict[tuple[str, str], int] = {}
    for row in rows.tolist():
        if view.blocks.kind[row] in (Kind.CAPTION, Kind.HEADING, Kind.TITLE):
            for label in labels_opening(view.blocks.text[row]):
                if label[0] in _LABELS.get(thing, (thing,)):
                    first.setdefault(label, row)
    return list(first.values())


def _of_kind(view: View, rows: Rows, thing: str) -> list[int]:
    return [row for row in rows.tolist() if view.blocks.kind[row] in _KINDS.get(thing, ())]
