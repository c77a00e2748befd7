"""Which candidates are no headings after all, judged by what stands around them and by each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from octavo_documents.document import FURNITURE, Kind
from octavo_documents.structuring.drafts import Draft
from octavo_documents.structuring.headings.candidates import (
    ENOUGH,
    Body,
    Candidate,
    HeadingStyle,
    is_section_name,
    style_of,
)
from octavo_documents.structuring.markers import plain
from octavo_documents.text.punctuation import SENTENCE_ENDS

_CONTINUED = re.compile(r"\W*\b(?:continued|cont(?:['’]d|\.))\W*$", re.I)
_SIGNED = re.compile(r"(?:by|name|signed|signature)\s*:|/s/|_{4,}", re.I)


class _Doubt:
    """When a candidate is no heading, chosen by hand and measured by `benchmarks/headings.py`."""

    # A tenth lower or higher moves no figure of 11 outlined and 75 generated documents (`benchmarks/ablation.py`).
    FEWEST_IN_SEQUENCE = 3  # numbers of one style that count on, headings of one style
    FEWEST_LISTED = 3  # titles of a list that come again later
    FEWEST_IN_RUN = 4  # candidates with nothing between them that are a list
    FEWEST_LATER = 8  # headings after the first page of a long document
    FEWEST_NUMBERED = 8  # numbered headings of a document whose sections are numbered
    MOSTLY_NUMBERED = 0.4  # share of numbered headings there
    OWED_TO_NUMBER = 1.5  # score that a number gives
    SIGNATURE = 3  # blocks under a signature with the name and office of who signs
    BOUND = 5  # pages within which a table of contents follows a cover
    LARGER = 1.06  # type size of what is larger than the body
    LONGEST_CELL = 60  # characters of the head of a column
    SHORTEST_TEXT = 60  # characters of running text
    SAME_EDGE = 3.0  # points between the left edges of a heading and its text
    CLOSE = 0.8  # type sizes between the head of columns and its table
    INDENT = 15.0  # points by which it stands off the table's edge


_NOT_PARTED = ("part", "item", "note")
"""Words of numbers whose sections are not numbered on: there is no 3.1 in Item 3."""


def without_doubtful(
    found: Sequence[Candidate], drafts: Sequence[Draft], body: Body, *, contents: int = 0
) -> list[Candidate]:
    """Return the candidates that stand as headings stand.

    `drafts` are all blocks in order, `contents` is the page (from 0) on which a table of contents starts, 0 for none.
    """
    found = _not_in_rows(_alone(_apart(_not_listed(found, drafts), drafts), drafts), drafts, body)
    found = _not_of_cover(_in_sequence(_counting(found)), is_bound=0 < contents < _Doubt.BOUND)
    return _not_signing(_not_again(_consistent(_of_a_kind(found), drafts, body), drafts), drafts)


def _not_signing(found: Sequence[Candidate], drafts: Sequence[Draft]) -> list[Candidate]:
    """Drop names and offices of who signs: "By:", "/s/" or a blank to write on is right under or close over them."""
    below = {id(item): under for item, under in pairwise(drafts) if under.page == item.page}
    signed = {key for key, under in below.items() if _SIGNED.match(under.text)}
    over = [at for at, item in enumerate(drafts) if _SIGNED.match(item.text)]
    under = (item for at in over for item in drafts[at + 1 : at + 1 + _Doubt.SIGNATURE] if item.page == drafts[at].page)
    signed.update(id(item) for item in under)
    return [candidate for candidate in found if candidate.number or id(candidate.item) not in signed]


def _not_again(found: Sequence[Candidate], drafts: Sequence[Draft]) -> list[Candidate]:
    """Drop a title that the one before it says already: again on its page over a table, or where a section goes on."""
    over = {id(item) for item, below in pairwise(drafts) if below.kind == Kind.TABLE and below.page == item.page}
    again = {
        id(candidate)
        for before, candidate in pairwise(found)
        if _says_again(before, candidate, is_over_table=id(candidate.item) in over)
    }
    return [candidate for candidate in found if id(candidate) not in again]


def _says_again(before: Candidate, candidate: Candidate, *, is_over_table: bool) -> bool:
    text, bare = candidate.item.text, _CONTINUED.sub("", candidate.item.text)
    is_near = (is_over_table and before.item.page == candidate.item.page) or bare != text
    return is_near and plain(_CONTINUED.sub("", before.item.text)) == plain(bare) and before.style == candidate.style


def _not_of_cover(found: list[Candidate], *, is_bound: bool) -> list[Candidate]:
    """Drop what stands on the first page in a style that no later heading of a long document has.

    Where a table of contents comes soon after (`is_bound`) the first page is a cover, whatever the style.
    """
    later = Counter(candidate.style for candidate in found if candidate.item.page > 0)
    if later.total() < _Doubt.FEWEST_LATER:
        return found
    return [
        candidate
        for candidate in found
        if candidate.item.page > 0
        or candidate.number
        or (later[candidate.style] and not is_bound)
        or is_section_name(candidate.item.text)
        or candidate.vouched
    ]


def _apart(found: Sequence[Candidate], drafts: Sequence[Draft]) -> list[Candidate]:
    """Drop runs of unnumbered candidates of one style with nothing between them: lists of names, labels in a figure."""
    place = {id(item): at for at, item in enumerate(drafts)}
    runs: list[list[Candidate]] = []
    for candidate in found:
        before = runs[-1][-1] if runs else None
        goes_on = (
            before is not None
            and place[id(before.item)] + 1 == place[id(candidate.item)]
            and before.style == candidate.style
            and before.item.page == candidate.item.page
            and before.number is None
            and candidate.number is None
        )
        if goes_on:
            runs[-1].append(candidate)
        else:
            runs.append([candidate])
    return [candidate for run in runs for candidate in run if len(run) < _Doubt.FEWEST_IN_RUN]


def _not_in_rows(found: list[Candidate], drafts: Sequence[Draft], body: Body) -> list[Candidate]:
    """Drop candidates in the size of the text that stand in a row with others set like them: heads of table columns.

    So does one that stands close over a table, neither at its edge nor in its middle. Headings of two columns of text
    may stand on one line by chance: then each has text right under it.
    """
    pages: dict[int, list[Draft]] = {}
    for item in drafts:
        pages.setdefault(item.page, []).append(item)
    cells = {
        number: [item for item in page if len(item.text) <= _Doubt.LONGEST_CELL and item.kind not in FURNITURE]
        for number, page in pages.items()
    }
    tables = {id(item): below for item, below in pairwise(drafts) if below.kind == Kind.TABLE}
    kept: list[Candidate] = []
    for candidate in found:
        is_plain = candidate.style.size < _Doubt.LARGER * body.size and candidate.number is None
        page = pages[candidate.item.page]
        row = [item for item in cells[candidate.item.page] if is_plain and _is_cell_beside(candidate.item, item)]
        table = tables.get(id(candidate.item)) if is_plain else None
        if table is not None and _is_head_of(candidate.item, table):
            continue
        if not row or all(_has_text_under(item, page) for item in (candidate.item, *row)):
            kept.append(candidate)
    return kept


def _is_head_of(item: Draft, table: Draft) -> bool:
    a, b = item.box, table.box
    is_close = item.page == table.page and -a[3] + b[1] < _Doubt.CLOSE * max(item.look.size, 1.0)
    is_inside = a[0] > b[0] + _Doubt.INDENT and a[2] < b[2] + _Doubt.INDENT
    return is_close and is_inside and abs(a[0] + a[2] - b[0] - b[2]) > 2 * _Doubt.INDENT


def _is_cell_beside(item: Draft, other: Draft) -> bool:
    a, b = item.look, other.look
    is_alike = (a.size, a.bold, a.italic) == (b.size, b.bold, b.italic)
    return is_alike and _is_beside(item, other)


def _has_text_under(item: Draft, page: Sequence[Draft]) -> bool:
    """Return whether a block has running text right under it, from the same edge."""
    x0, _, _, bottom = item.box
    return any(
        len(other.text) >= _Doubt.SHORTEST_TEXT
        and abs(other.box[0] - x0) < _Doubt.SAME_EDGE
        and -_Doubt.SAME_EDGE < other.box[1] - bottom < 2 * max(item.look.size, 1.0)
        for other in page
    )


def _counting(found: Sequence[Candidate]) -> list[Candidate]:
    """Drop candidates that live by a number of several parts which follows no other ("85.9 tons").

    Set like the text, they have to stand under the number they start with ("10.7 Form of ..." under a section 10).
    """
    numbers = {candidate.number.parts for candidate in found if candidate.number}
    sections = {
        candidate.number.parts for candidate in found if candidate.number and candidate.number.word not in _NOT_PARTED
    }
    kept: list[Candidate] = []
    for candidate in found:
        number = candidate.number
        if number and number.depth > 1 and not number.word and candidate.score < ENOUGH + _Doubt.OWED_TO_NUMBER:
            before = (*number.parts[:-1], str(number.last - 1))
            is_under = number.parts[:-1] in sections
            if not is_under and (candidate.score < ENOUGH or (number.last > 1 and before not in numbers)):
                continue
        kept.append(candidate)
    return kept


def _of_a_kind(found: list[Candidate]) -> list[Candidate]:
    """Where sections are numbered, drop what stands between them in a style few headings have: text in figures."""
    places = [at for at, candidate in enumerate(found) if candidate.number and candidate.score >= ENOUGH]
    if len(places) < _Doubt.FEWEST_NUMBERED or len(places) < _Doubt.MOSTLY_NUMBERED * len(found):
        return found
    styles = Counter(candidate.style for candidate in found)
    numbered = {found[at].style for at in places}
    return [
        candidate
        for at, candidate in enumerate(found)
        if candidate.number
        or not places[0] < at < places[-1]
        or candidate.style in numbered
        or styles[candidate.style] >= _Doubt.FEWEST_IN_SEQUENCE
        or is_section_name(candidate.item.text)
    ]


def _not_listed(found: Sequence[Candidate], drafts: Sequence[Draft]) -> list[Candidate]:
    """Drop runs of candidates with nothing between them that come again later: a chapter's own list of sections."""
    place = {id(item): at for at, item in enumerate(drafts)}
    last = {plain(candidate.item.text): at for at, candidate in enumerate(found)}
    runs: list[list[int]] = []
    for at, candidate in enumerate(found):
        follows = runs and place[id(candidate.item)] == place[id(found[at - 1].item)] + 1
        if follows:
            runs[-1].append(at)
        else:
            runs.append([at])
    listed: set[int] = set()
    for run in runs:
        again = [at for at in run if last[plain(found[at].item.text)] > at]
        if len(again) >= _Doubt.FEWEST_LISTED and len(again) >= 0.5 * len(run):
            listed.update(again)
    return [candidate for at, candidate in enumerate(found) if at not in listed]


def _alone(found: list[Candidate], drafts: Sequence[Draft]) -> list[Candidate]:
    """Drop candidates that have another block of their column beside them, as heads of table columns have."""
    columns: dict[tuple[int, int], list[Draft]] = {}
    for item in drafts:
        columns.setdefault((item.page, item.column), []).append(item)
    return [
        candidate
        for candidate in found
        if not any(_is_beside(candidate.item, other) for other in columns[candidate.item.page, candidate.item.column])
    ]


def _is_beside(item: Draft, other: Draft) -> bool:
    a, b = item.box, other.box
    overlap = min(a[3], b[3]) - max(a[1], b[1])
    return item is not other and overlap > 0.5 * min(a[3] - a[1], b[3] - b[1]) and (b[0] >= a[2] or a[0] >= b[2])


def _in_sequence(found: list[Candidate]) -> list[Candidate]:
    """Drop weak numbered candidates unless several of their style count on from each other."""
    followed: Counter[tuple[HeadingStyle, str]] = Counter()
    last: dict[tuple[HeadingStyle, str], int] = {}
    for candidate in found:
        if candidate.number:
            key = candidate.style, candidate.number.scheme
            value = candidate.number.last
            followed[key] += value in (1, last.get(key, 0) + 1)
            last[key] = value
    return [
        candidate
        for candidate in found
        if candidate.score >= ENOUGH
        or (candidate.number and followed[candidate.style, candidate.number.scheme] >= _Doubt.FEWEST_IN_SEQUENCE)
    ]


def _is_running(text: str) -> bool:
    """Return whether a text is running text, no label and no cell: long, or a sentence."""
    return len(text) >= _Doubt.SHORTEST_TEXT or text.endswith(SENTENCE_ENDS)


def _consistent(found: list[Candidate], drafts: Sequence[Draft], body: Body) -> list[Candidate]:
    """Drop candidates whose style mostly sets running text, as in a box or a quotation."""
    inside: Counter[HeadingStyle] = Counter()
    outside: Counter[HeadingStyle] = Counter()
    chosen = {id(candidate.item) for candidate in found}
    for item in drafts:
        if id(item) in chosen:
            inside[style_of(item, body)] += len(item.text)
        elif item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and _is_running(item.text):
            outside[style_of(item, body)] += len(item.text)
    return [
        candidate
        for candidate in found
        if candidate.number
        or candidate.is_placed
        or outside[candidate.style] <= 1.5 * inside[candidate.style]
        or candidate.score >= 4.5
    ]
