"""What a page shows beside its words: a thing of the kind asked for, a financial statement, or only where things stand.

A search does not see it. DMAP goes by these features when it locates pages, and MMRAG-DocQA where a rule judges pages.
Contents pages, bibliographies and indexes point elsewhere and say little themselves.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from octavo.document import KIND_BY_LABEL, Evidence, Kind, Mask, Query, View
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.score.statements import statement_pages
from octavo.question import understand
from octavo.text.things import KindName

Floats = npt.NDArray[np.float64]
# Weights of the features, chosen by hand: what is found changes little between half and twice these, and with the
# documents of each question left out.
_GONE_THROUGH_WEIGHT = 1.0
_STATEMENT_WEIGHT = 1.0
_MEANT_WEIGHT = 0.8
_SIGNPOST_WEIGHT = 0.6
_VISUAL: tuple[KindName, ...] = ("figure", "chart", "table")
DEPICTED = "depicted"
"""The column of blocks on pages that hold a kind of block the question speaks of: 1."""
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


@dataclasses.dataclass(frozen=True)
class PagesWithAskedKind(Step[Query, Evidence]):
    """Find the blocks on pages with a figure, chart or table when the question speaks of one; else none."""

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return content blocks of those pages with the column `depicted`."""
        view = using.view
        kinds = [KIND_BY_LABEL[kind] for kind in understand(value.question).kinds_pictured]
        pages = np.unique(view.page_index[view.of_kind(*kinds)]) if kinds else np.zeros(0, np.int64)
        rows = np.flatnonzero(view.on_page_indices(pages) & view.is_content)
        return Evidence.of(view, rows, source=DEPICTED, **{DEPICTED: np.ones(len(rows))})


def signposts(view: View) -> Floats:
    """Return (n_pages,) 0..1 how much of a signpost each page is: by the titles on it of sections that begin elsewhere.

    A line counts that says a title and no more, with or without the page. Found out once for each document.
    """
    return np.concatenate([np.zeros(0), *view.each("signposts", _signposts)])


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
        for title in _entries(" ".join(view.blocks.text[row].split())):
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
    return np.concatenate([np.zeros(0, np.bool_), *view.each("bibliographies", _in_bibliography)])


def _in_bibliography(view: View) -> Mask:
    blocks = view.blocks
    inside = np.zeros(len(view), np.bool_)
    for row in np.flatnonzero(blocks.kind == Kind.HEADING).tolist():
        if _BIBLIOGRAPHY.fullmatch(blocks.text[row]):
            inside[blocks.subtree(row)] = True
    return inside
