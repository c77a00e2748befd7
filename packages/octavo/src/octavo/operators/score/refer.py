"""References in a question, "on page 5", "the last slide", "Table 2", lead to pages and blocks.

How they are read out of a question is in `octavo.question.references`. Labels are those that blocks open with: "Table
A.2: Tides", "3.1 Results". Of the numbers in headers and footers those are page numbers that go up from page to page,
by one, or by two where a page of the file shows two of the paper; the file itself may count otherwise.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.evidence import Evidence, Query, View
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import READ_FIRST
from octavo.operators.sentence_forms import Sentence, found
from octavo.question import About, Question, Reference, understand
from octavo_documents.document import FURNITURE, BlockTable, Document, Kind, Mask
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.things import NAMES, NUMBER, canonical, named, number_value

Label = tuple[str, str]
"""What it is and its number: ("figure", "3"), ("appendix", "b")."""
_OPENING = lazy_regex(rf"\s*({'|'.join(NAMES.values())})[\s-]*({NUMBER})", re.I)
_NUMBER_OPENING = lazy_regex(r"\s*([A-Z]?\d+(?:\.\d+)*|[A-Z])[.)]?\s")
_TITLES = (Kind.CAPTION, Kind.HEADING, Kind.TITLE)
_NUMBERED_HEADINGS = ("section", "chapter", "appendix")
_NEAR = (1, 2)
"""Pages between two numbers of one count: a page without a number may lie between them."""
_STEPS = (1, 2)
"""What the number goes up by from page to page: a page of the file may show two of the paper."""
NAMED = "named"
"""The column of blocks the question names: 1 for a page it names, 0.5 for the page of a figure, table or section."""
_SHOWN = {"figure": (Kind.FIGURE, Kind.CHART), "chart": (Kind.CHART, Kind.FIGURE), "table": (Kind.TABLE,)}
_TOLD_FIRST = {About.GIST, About.ORIGIN}
_BACK = ("before", "previous page")
_STEM = 5
"""Letters that two spellings of a word begin with alike."""


def labels_opening(text: str, *, is_heading: bool = False) -> set[Label]:
    """Return the labels a block opens with; a heading "3.1 Results" is section, chapter and appendix 3.1."""
    found = _OPENING.match(text)
    if found:
        return set(spellings(named(found[1]), found[2]))
    numbered = _NUMBER_OPENING.match(text) if is_heading else None
    return {(name, canonical(numbered[1])) for name in _NUMBERED_HEADINGS} if numbered else set()


def spellings(what: str, number: str) -> Iterator[Label]:
    """Yield a label as printed, and with a Roman number in figures: Chapter IV is also chapter 4."""
    plain = canonical(number)
    yield what, plain
    value = number_value(plain)
    if value is not None and len(plain) > 1 and not plain.isdigit():
        yield what, str(value)


def rows_with(blocks: BlockTable, wanted: Iterable[Label]) -> list[int]:
    """Return the rows that open with a wanted label: captions and headings where there are any, else other blocks."""
    wanted = set(wanted)
    if not wanted:
        return []
    found: dict[Label, list[int]] = {}
    for row, text in enumerate(blocks.text):
        for name in labels_opening(text, is_heading=blocks.kind_of(row) == Kind.HEADING) & wanted:
            found.setdefault(name, []).append(row)
    return [row for rows in found.values() for row in _best(blocks, rows)]


def _best(blocks: BlockTable, rows: list[int]) -> list[int]:
    titles = [row for row in rows if blocks.kind_of(row) in _TITLES]
    return titles or [row for row in rows if blocks.kind_of(row) not in FURNITURE]


# Page numbers


def printed_pages(document: Document) -> dict[str, list[int]]:
    """Return the pages (1-based) on which each number is printed as a page number, in the form of `canonical`."""
    said = _printed_numbers(document)
    found: defaultdict[str, list[int]] = defaultdict(list)
    for page, numbers in said.items():
        for number in numbers:
            if _is_counted(page, number, said):
                found[number].append(page)
    return dict(found)


def _printed_numbers(document: Document) -> dict[int, set[str]]:
    """Return the numbers at either end of the headers and footers of each page."""
    said: defaultdict[int, set[str]] = defaultdict(set)
    blocks = document.blocks
    for row in np.flatnonzero(np.isin(blocks.kind, FURNITURE)).tolist():
        words = blocks.text[row].split()
        said[int(blocks.page[row])].update(_numbers(words[:1] + words[-1:]))
    return said


def _numbers(words: list[str]) -> Iterator[str]:
    for word in words:
        plain = canonical(word.strip("|-–—()[]"))
        if number_value(plain) is not None:
            yield plain


def _is_counted(page: int, number: str, said: dict[int, set[str]]) -> bool:
    """Return whether a page near by has the number that a count with this one would have there."""
    value = number_value(number) or 0
    return any(
        _value_in(said.get(page + away, set()), value + step * away, is_plain=number.isdigit())
        for near in _NEAR
        for away in (near, -near)
        for step in _STEPS
    )


def _value_in(numbers: set[str], value: int, *, is_plain: bool) -> bool:
    return any(number.isdigit() == is_plain and number_value(number) == value for number in numbers)


@dataclasses.dataclass(frozen=True)
class Refer(Step[Query, Evidence]):
    """Find the blocks on pages that the question names by number, place or label; none when it names none.

    A question about a document as such, what it is or who made it, is one about its first page.
    """

    declares: ClassVar[Columns] = Columns(writes={NAMED, READ_FIRST}, keeps=NEW)
    sentence: ClassVar[Sentence] = found("Went to the pages, sections or tables that the question names")

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return content blocks of the named pages with `named`, and `read_first` where a page is named as one."""
        view = using.view
        question = understand(value.question)
        score, is_page = page_scores(question.references, view), is_asked_page(question, view)
        score = np.where(is_page, 1.0, score)
        rows = np.flatnonzero((score[view.page_index] > 0) & view.is_content)
        page = view.page_index[rows]
        columns = {NAMED: score[page], READ_FIRST: np.where(is_page[page], 1.0, np.nan)}
        return Evidence.of(view, rows, source=NAMED, **columns)


def page_scores(found: Sequence[Reference], view: View) -> npt.NDArray[np.float64]:
    """Return (n_pages,) 1 for pages that references name, 0.5 for those of things they name, 0 for all others."""
    of_things = np.zeros(int(view.page_starts[-1]))
    for at, document in enumerate(view.documents if found else ()):
        for page in _pages_of_things(found, document):
            of_things[view.page_starts[at] + page - 1] = 0.5
    return np.where(is_named_page(found, view), 1.0, of_things)


def is_named_page(found: Sequence[Reference], view: View) -> Mask:
    """Return (n_pages,) true for pages that references name as pages, not for what stands on them."""
    is_named = np.zeros(int(view.page_starts[-1]), np.bool_)
    for at, document in enumerate(view.documents if found else ()):
        for page in _pages_named(found, document):
            is_named[view.page_starts[at] + _with_content(page, document) - 1] = True
    return is_named


def is_asked_page(question: Question, view: View) -> Mask:
    """Return (n_pages,) true for pages named as pages, and for the first where its document itself is asked about.

    What a document is and who made it is told where it begins; of several documents none is meant so.
    """
    is_asked = is_named_page(question.references, view)
    if len(view.documents) == 1 and len(is_asked) and not is_asked.any() and question.about & _TOLD_FIRST:
        is_asked[_with_content(1, view.documents[0]) - 1] = True
    return is_asked


def _with_content(page: int, document: Document) -> int:
    """Return a page, or the next one inward that has anything on it: nobody means a blank page."""
    count, starts = len(document.pages), document.page_starts
    inward = range(page, count + 1) if 2 * page <= count else range(page, 0, -1)
    return next((other for other in inward if starts[other] > starts[other - 1]), page)


def rows_of_references(found: Sequence[Reference], view: View) -> list[int]:
    """Return the rows of the view that references name as things: captions, headings, figures, tables."""
    own = [one for one in found if one.relation in ("", "in")]
    return [
        int(view.row_starts[at]) + row
        for at, document in enumerate(view.documents if own else ())
        for row in _rows(own, document.blocks)
    ]


def named_pages(question: str, document: Document) -> list[int]:
    """Return the physical pages (1-based, ascending) a question names, by number, printed label or place."""
    return _pages_named(understand(question).references, document)


def _labels(found: Iterable[Reference]) -> set[Label]:
    return {
        label
        for one in found
        if one.what != "page" and one.relation in ("", "in")
        for number in one.numbers()
        for label in spellings(one.what, number)
    }


# Pages named as pages


def _pages_named(found: Iterable[Reference], document: Document) -> list[int]:
    count = len(document.pages)
    pages = {page for one in found if one.what == "page" for page in _pages(one, document)}
    return sorted(page for page in pages if 1 <= page <= count)


def _pages(one: Reference, document: Document) -> Iterator[int]:
    """Yield the pages of a reference; those off the document are dropped by the caller."""
    if not one.relation:
        yield from _numbered(one, document)
        yield from _placed(one, 1, len(document.pages))
        return
    for first, last in _anchors(one.anchor, document):
        if one.relation == "in":
            numbers = (int(number) for number in one.numbers() if number.isdecimal())
            inside = {*(first + number - 1 for number in numbers), *_placed(one, first, last)}
            yield from (page for page in inside if first <= page <= last)
        else:
            yield from _beside(one, first, last)


def _numbered(one: Reference, document: Document) -> Iterator[int]:
    """Yield the pages with a number, as a label, in print or in the file; a range that is a label ("3-12") is one."""
    if not one.number:
        return
    labels = [canonical(label) for label in document.pages.label]
    whole = canonical(f"{one.number}-{one.to}")
    numbers = {whole} if one.to and whole in labels else set(one.numbers())
    yield from (page for page, label in enumerate(labels, 1) if label and label in numbers)
    printed = printed_pages(document)
    yield from (page for number in numbers for page in printed.get(number, ()))
    yield from (int(number) for number in numbers if number.isdecimal())


def _placed(one: Reference, first: int, last: int) -> Iterator[int]:
    """Yield the pages at a position among those from `first` to `last`."""
    if one.position > 0:
        start = first + one.position - 1
        yield from range(start, start + one.count)
    elif one.position < 0:
        stop = last + one.position + 2
        yield from range(stop - one.count, stop)


def _beside(one: Reference, first: int, last: int) -> Iterator[int]:
    steps = max(one.position, 1)
    if one.relation == "same page":
        yield from range(first, last + 1)
    elif one.relation in _BACK:
        yield from range(first - steps, first)
    else:
        yield from range(last + 1, last + steps + 1)


def _anchors(anchor: str, document: Document) -> Iterator[tuple[int, int]]:
    """Yield (first, last) page of what an anchor names: a page, the page of a caption, the pages of a section."""
    found = understand(anchor).references or [Reference(words=anchor, what="section", title=anchor)]
    pages = [page for one in found if one.what == "page" and not one.relation for page in _pages(one, document)]
    yield from ((page, page) for page in pages)
    for row in _rows(found, document.blocks):
        yield int(document.blocks.page[row]), int(document.blocks.page[document.blocks.subtree(row).stop - 1])


# Pages of what is named on them


def _pages_of_things(found: Sequence[Reference], document: Document) -> list[int]:
    blocks, count = document.blocks, len(document.pages)
    pages = {int(blocks.page[row]) for row in _rows([one for one in found if one.relation in ("", "in")], blocks)}
    for one in found:
        if one.what != "page" and one.relation not in ("", "in"):
            for first, last in _anchors(one.anchor, document):
                is_beside = one.relation in ("before", "after")
                pages |= {*_beside(one, first, last), *([first if one.relation == "before" else last] * is_beside)}
    return sorted(page for page in pages if 1 <= page <= count)


def _rows(found: Sequence[Reference], blocks: BlockTable) -> list[int]:
    """Return the rows of things named by label, by title or by position."""
    rows = rows_with(blocks, _labels(found))
    for one in found:
        if one.title:
            rows += _titled(one.title, blocks)
        elif one.position and one.what in _SHOWN:
            rows += _nth(one, blocks)
    return rows


def _titled(title: str, blocks: BlockTable) -> list[int]:
    """Return the headings that have every word of a title; those that say no more, where there are such."""
    wanted = set(analyze(title))
    found = {int(row): set(analyze(blocks.text[int(row)])) for row in blocks.headings()}
    rows = [row for row, terms in found.items() if wanted and wanted <= terms]
    rows = rows or [row for row, terms in found.items() if wanted and all(_alike(word, terms) for word in wanted)]
    return [row for row in rows if found[row] == wanted] or rows


def _alike(word: str, terms: set[str]) -> bool:
    """Return whether a term begins as the word does or the word as it: "program" is "programm"."""
    return any(
        min(len(word), len(term)) >= _STEM and (word.startswith(term) or term.startswith(word)) for term in terms
    )


def _nth(one: Reference, blocks: BlockTable) -> list[int]:
    """Return the first, second or last figures or tables, of the whole document or of what they stand in."""
    rows = np.flatnonzero(np.isin(blocks.kind, _SHOWN[one.what]))
    if one.relation == "in":
        inside = [blocks.subtree(row) for row in _rows(understand(one.anchor).references, blocks)]
        rows = rows[[any(span.start <= row < span.stop for span in inside) for row in rows.tolist()]]
    start = one.position - 1 if one.position > 0 else len(rows) + one.position + 1 - one.count
    return rows[max(start, 0) : max(start + one.count, 0)].tolist()
