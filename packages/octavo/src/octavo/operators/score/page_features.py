"""What a page shows beside its words: a thing of the kind asked for, a financial statement, or only where things stand.

A search does not see it. DMAP goes by these features when it locates pages, and MMRAG-DocQA where a rule judges pages;
all start from the pages of statements behind a measure. Contents pages, bibliographies and indexes point elsewhere and
say little themselves.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.evidence import Evidence, Query, View
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Run, Step
from octavo.operators.sentence_forms import Sentence, found
from octavo.question import understand
from octavo_documents.document import KIND_BY_LABEL, Kind, Mask
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.statements import TITLES, Statement, line_of
from octavo_documents.text.things import KindName

Floats = npt.NDArray[np.float64]
STATEMENT = "statement"
"""The column of blocks on the pages of a statement: 1 on the page that has most of it."""
_LEAST_LINES = 5.0
"""Lines a page has of a statement at least; excerpts and notes have fewer."""
_TITLED = 1.5
"""A page with the statement's title counts for more than one that only shares its lines."""
_PART = 0.5
"""Share of the best page's lines at which another page holds a part of the same statement."""
_TITLE_LENGTH = 90
"""Characters of a block that may be a title."""
# Weights of the features, chosen by hand: what is found changes little between half and twice these, and with the
# documents of each question left out.
_GONE_THROUGH_WEIGHT = 1.0
_STATEMENT_WEIGHT = 1.0
_MEANT_WEIGHT = 0.8
_SIGNPOST_WEIGHT = 0.6
_VISUAL: tuple[KindName, ...] = ("figure", "chart", "table")
_MANY = 5
"""Sections that begin elsewhere and are named on a page, from which it is nothing but a signpost."""
_LONGEST_ENTRY = 200
"""Characters of a line that may be an entry."""
_SHORTEST_TITLE = 4
"""Characters of a title that is told from other words."""
_LEADERS = re.compile(r"(?:[.·•…_]\s?){5,}\s*\w{1,6}\s*$")
_LEADER_TAIL = 200
"""Characters at the end of a line in which leaders are looked for."""
_WORD = re.compile(r"\w+")
_BIBLIOGRAPHY = re.compile(
    r"\W*(?:[\dIVX]+\.?\d*\s+)?(?:references|bibliography|works cited|literature cited|index)\W*", re.IGNORECASE
)


@dataclasses.dataclass(frozen=True)
class FinancialStatementPages(Step[Query, Evidence]):
    """Find the pages of the statements behind a financial measure; none when none is asked for or none is there."""

    declares: ClassVar[Columns] = Columns(writes={STATEMENT}, keeps=NEW)
    sentence: ClassVar[Sentence] = found("Looked on the pages of the financial statements")

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the content blocks of those pages with the column `statement`, 0..1."""
        view = using.view
        asked = understand(value.question).statements
        scores = np.zeros(int(view.page_starts[-1]))
        for statement in sorted(asked, key=lambda one: one.value):
            scores = np.maximum(scores, statement_pages(view)[statement])
        rows = np.flatnonzero((scores[view.page_index] > 0) & view.is_content)
        return Evidence.of(view, rows, source=STATEMENT, **{STATEMENT: scores[view.page_index[rows]]})


def statement_pages(view: View) -> dict[Statement, Floats]:
    """Return for each statement (n_pages,) how much of it a page has: 1 for the best of its document, 0 for none."""
    found = view.each(_statements)
    return {statement: np.concatenate([np.zeros(0), *(own[statement] for own in found)]) for statement in Statement}


def _statements(view: View) -> dict[Statement, Floats]:
    """Return the same of one document."""
    pages = int(view.page_starts[-1])
    lines: dict[Statement, set[tuple[int, str]]] = {statement: set() for statement in Statement}
    titled = {statement: np.ones(pages) for statement in Statement}
    is_table, page_index = view.of_kind(Kind.TABLE), view.page_index.tolist()
    for row in np.flatnonzero(view.is_content).tolist():
        page, text = page_index[row], view.blocks.text[row]
        for line in text.splitlines():
            found = line_of(line)
            if found:
                lines[found[0]].add((page, found[1]))
        if not is_table[row] and len(text) <= _TITLE_LENGTH:
            for statement, title in TITLES.items():
                if title.search(text):
                    titled[statement][page] = _TITLED
    return {
        statement: _shares(np.bincount([page for page, _ in found], minlength=pages) * titled[statement])
        for statement, found in lines.items()
    }


def _shares(scores: Floats) -> Floats:
    """Return (n_pages,) scores over the best of them; 0 where they are too low for a statement."""
    best = float(scores.max(initial=0.0))
    if best < _LEAST_LINES:
        return np.zeros(len(scores))
    return np.where(scores >= _PART * best, scores / best, 0.0)


def page_signs(question: str, view: View) -> Floats:
    """Return (n_pages,) what speaks for each page beside its words, about -1 to 2, 0 for nothing.

    For a page speaks that it has a thing of the kind that the question goes through ("how many charts"), a figure or
    table of the kind that it speaks of, or a financial statement where it asks for a measure, which may need one that
    it does not name. Against it speaks that it names sections that begin elsewhere. A collection has no signs: nearly
    all documents would have them.
    """
    if len(view.documents) > 1:
        return np.zeros(int(view.page_starts[-1]))
    asked = understand(question)
    gone_through = asked.kinds_gone_through
    shown: list[KindName] = [kind for kind in _VISUAL if kind in asked.kinds_meant]
    signs = _GONE_THROUGH_WEIGHT * _has(view, gone_through) + _MEANT_WEIGHT * _has(view, shown)
    if asked.statements:
        signs += _STATEMENT_WEIGHT * np.max(list(statement_pages(view).values()), axis=0)
    return signs if "heading" in gone_through else signs - _SIGNPOST_WEIGHT * signposts(view)


def _has(view: View, kinds: Iterable[KindName]) -> Floats:
    """Return (n_pages,) 1 for pages with a block of one of these kinds, else 0."""
    has = np.zeros(int(view.page_starts[-1]))
    has[view.page_index[view.of_kind(*(KIND_BY_LABEL[kind] for kind in kinds))]] = 1.0
    return has


def signposts(view: View) -> Floats:
    """Return (n_pages,) 0..1 how much of a signpost each page is: by the titles on it of sections that begin elsewhere.

    A line counts that says a title and no more, with or without the page. Found out once for each document.
    """
    return np.concatenate([np.zeros(0), *view.each(_signposts)])


def _signposts(view: View) -> Floats:
    titles = _titles(view)
    named: defaultdict[int, set[str]] = defaultdict(set)
    for row in np.flatnonzero(view.is_content).tolist() if titles else ():
        page = int(view.page_index[row])
        for title in _entries(view.blocks.text[row]):
            if titles.get(title, {page}) - {page}:
                named[page].add(title)
    counts = np.zeros(int(view.page_starts[-1]))
    counts[list(named)] = [len(found) for found in named.values()]
    return np.minimum(counts / _MANY, 1.0)


def _titles(view: View) -> dict[str, set[int]]:
    """Return the pages of one document on which sections with a title begin, by title."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for row in view.sections().tolist():
        for title in _entries(on_one_line(view.blocks.text[row])):
            found[title].add(int(view.page_index[row]))
    return dict(found)


def _entries(text: str) -> Iterator[str]:
    """Yield what may be titles among the lines of a text, without case, signs, numbers before and pages behind."""
    for line in text.split("\n"):
        words = _WORD.findall(line.casefold()) if len(line) <= _LONGEST_ENTRY else []
        first = next((at for at, word in enumerate(words) if not word.isdigit()), len(words))
        title = " ".join(words[first : -1 if words[-1:] and words[-1].isdigit() else None])
        if len(title) >= _SHORTEST_TITLE:
            yield title


# Lines of a table of contents, and bibliographies


def is_contents_line(text: str) -> bool:
    """Say whether a text is a line of a table of contents, by the leaders before its last characters."""
    return bool(_LEADERS.search(text[-_LEADER_TAIL:]))


def in_bibliography(view: View) -> Mask:
    """Return (n_rows,) bool, true for what stands in a section of references or an index; found once a document."""
    return np.concatenate([np.zeros(0, np.bool_), *view.each(_in_bibliography)])


def _in_bibliography(view: View) -> Mask:
    blocks = view.blocks
    inside = np.zeros(len(view), np.bool_)
    for row in np.flatnonzero(blocks.kind == Kind.HEADING).tolist():
        if _BIBLIOGRAPHY.fullmatch(blocks.text[row]):
            inside[blocks.subtree(row)] = True
    return inside
