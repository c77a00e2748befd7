"""Passages as a reader is shown them: numbered, with the place they are from, and the way from a quote to a block."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

import numpy as np

from octavo.evidence import Citation, Evidence, View
from octavo.evidence.citation import cells_of
from octavo.layers.passages import without_leaders
from octavo.models.language import estimate_tokens
from octavo.operators.extractive.shown_rows import more_of
from octavo.operators.extractive.units import lead_before
from octavo_documents.document import PICTURED, FigureKind, Kind, is_no_page
from octavo_documents.document.grid import Grid
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.names import caseless

if TYPE_CHECKING:
    from octavo.decisions.answer_from_evidence import Shown

_UNIT_TOKENS = 280
"""About how many tokens a passage has; neighbouring blocks of one section share one."""
_LEAST_SHARED = 1
"""Terms that a line must share with an answer to be quoted for it."""
_TITLES = 3
_TITLE_CHARACTERS, _OWN_TITLE_CHARACTERS = 60, 200
"""Of a heading path the innermost titles are told, cut at these lengths: the last may say what no text below does."""
_RUNNING_CHARACTERS = 100
_TOP = 0.1
"""Share of a page's height in which a running head stands."""
_RUNNING_PAGES = 4
"""A short line that stands alone on so many pages belongs to the page, not to what the document says."""
_MOST_HEAD_LINES = 5
_LINE_CHARACTERS = 60
"""A line of at most so many right above a table is told with each part of it."""
_HARDLY_ANY = 5
"""Words of a picture that stand for next to nothing of what it shows."""
_LINES = (Kind.TITLE, Kind.HEADING, Kind.PARAGRAPH, Kind.FOOTNOTE)


@dataclasses.dataclass(frozen=True, slots=True)
class Packed:
    """A passage of evidence: the rows it shows, its text, and its score."""

    shown: Shown
    rows: tuple[int, ...]
    score: float


def pack(evidence: Evidence, by: str, *, unit: int = _UNIT_TOKENS) -> list[Packed]:
    """Return the evidence as passages, best first by a column, numbered from 1 in document order.

    Neighbouring rows of a page are one passage while they have at most `unit` tokens; a heading goes with what follows
    it, and over the first block of a passage it is told by where the passage stands. A block too long for one passage
    is shown in parts, cut between lines. A caption is told with what it is of. Left out are lines that run through the
    pages, logos, figures without a word or caption, and a passage that was there before word for word. Ties are broken
    by document order.
    """
    from octavo.decisions.answer_from_evidence import Shown

    view = evidence.view
    scores = dict(zip(evidence.rows.tolist(), np.nan_to_num(evidence.scores[by], nan=0.0).tolist(), strict=True))
    captions = {row: found for row in scores if (found := view.captions.get(row))}
    told = {caption for some in captions.values() for caption in some}
    left_out = told | running_lines(view)
    rows = [row for row in scores if row not in left_out and (row in captions or not _is_wordless(view, row))]
    packed: list[Packed] = []
    seen: set[str] = set()
    for run in _runs(view, rows, unit):
        whole = tuple(sorted({*run, *(caption for row in run for caption in captions.get(row, ()))}))
        best = max(scores.get(row, 0.0) for row in whole)
        for text in _parts(_text(view, run, captions), unit, head=_head_lines(view, run, captions)):
            plain = on_one_line(text)
            if plain not in seen:
                packed.append(Packed(Shown(len(packed) + 1, where(view, _lead(view, run)[0]), text), whole, best))
            seen.add(plain)
    return sorted(packed, key=lambda one: -one.score)


def pack_as_found(view: View, rows: Sequence[int], *, unit: int = _UNIT_TOKENS) -> list[Packed]:
    """Return rows as passages in the order they come in, numbered from 1 and none left out.

    Rows that follow each other on a page as they come are one passage while they have at most `unit` tokens; a block is
    never cut. A figure or table is told with its caption, and the caption not again. What has no words is left out.
    """
    from octavo.decisions.answer_from_evidence import Shown

    among = set(rows)
    captions = {row: found for row in rows if (found := view.captions.get(row))}
    told = {caption for some in captions.values() for caption in some}
    packed: list[Packed] = []
    for stretch in _ascending([row for row in rows if row not in told]):
        for run in _runs(view, stretch, unit):
            text = _text(view, run, captions)
            if text.strip():
                shown = Shown(len(packed) + 1, where(view, _lead(view, run)[0]), text)
                own = tuple(sorted({*run, *(at for row in run for at in captions.get(row, ()) if at in among)}))
                packed.append(Packed(shown, own, -float(len(packed))))
    return packed


def _ascending(rows: Sequence[int]) -> Iterator[list[int]]:
    """Yield the stretches of rows that ascend."""
    stretch: list[int] = []
    for row in rows:
        if stretch and row < stretch[-1]:
            yield stretch
            stretch = []
        stretch.append(row)
    if stretch:
        yield stretch


def cite(view: View, packed: Packed, quote: str, answer: str) -> Citation | None:
    """Return where a quote stands: the block that has it, else the line of the passage that says most of the answer.

    None when the quote is nowhere in the passage and no line shares a term with the answer.
    """
    for row in packed.rows:
        found = Citation.of(view, row, quote)
        if found is not None:
            return found
    wanted = set(analyze(answer)) | set(analyze(quote))
    lines = [(row, line) for row in packed.rows for line in view.blocks.text[row].splitlines() if line.strip()]
    shared = [len(wanted & set(analyze(line))) for _, line in lines]
    if not shared or max(shared) < _LEAST_SHARED:
        return None
    row, line = lines[shared.index(max(shared))]
    return Citation.of(view, row, line)


def running_lines(view: View) -> frozenset[int]:
    """Return the rows of short lines that stood before, word for word, and stand on four pages or more."""
    found = view.each(_running_lines)
    return frozenset(row + first for rows, first in zip(found, view.row_starts.tolist(), strict=False) for row in rows)


def _running_lines(view: View) -> frozenset[int]:
    blocks = view.blocks
    short = blocks.text.lengths() <= _RUNNING_CHARACTERS
    rows = np.flatnonzero(short & np.isin(blocks.kind, _LINES)).tolist()
    texts = {row: caseless(blocks.text[row]) for row in rows}
    pages = Counter(text for text, _ in {(texts[row], int(view.page_index[row])) for row in rows})
    first = {texts[row]: row for row in reversed(rows)}
    return frozenset(row for row in rows if pages[texts[row]] >= _RUNNING_PAGES and row != first[texts[row]])


def page_heads(view: View) -> frozenset[int]:
    """Return the rows of lines at the top of pages that only repeat titles of the sections on the page."""
    found = view.each(_page_heads)
    return frozenset(row + first for rows, first in zip(found, view.row_starts.tolist(), strict=False) for row in rows)


def _page_heads(view: View) -> frozenset[int]:
    blocks, heights = view.blocks, view.documents[0].pages.height
    content = np.flatnonzero(view.is_content)
    _, first = np.unique(view.page_index[content], return_index=True)
    heads: set[int] = set()
    for row in content[first].tolist():
        bottom, page = float(blocks.box[row][3]), int(view.page_index[row])
        is_short = blocks.kind_of(row) == Kind.PARAGRAPH and len(blocks.text[row]) <= _RUNNING_CHARACTERS
        if is_short and 0 < bottom <= _TOP * float(heights[page]) and _says_titles(view, row, page):
            heads.add(row)
    return frozenset(heads)


def _says_titles(view: View, row: int, page: int) -> bool:
    """Return whether all words of a line are words of the titles of what follows on its page."""
    rows = view.page_rows(page)
    titles = {title for at in range(row + 1, rows.stop) for title in view.blocks.section_path(at)}
    titles.update(view.blocks.text[at] for at in range(row + 1, rows.stop) if view.blocks.kind_of(at) == Kind.HEADING)
    words = set(analyze(view.blocks.text[row]))
    return bool(words) and words <= set(analyze(" ".join(titles)))


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers that ascend as "1, 3-5"."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def depicted(view: View, row: int) -> str:
    """Return what sort of picture a row is: chart, photo, map, diagram, figure."""
    kind = view.blocks.kind_of(row)
    sort = view.blocks.figure_kind_of(row).label if kind is Kind.FIGURE else ""
    return sort or kind.label


def is_logo(view: View, row: int) -> bool:
    """Return whether a row is a logo."""
    return view.blocks.figure_kind_of(row) is FigureKind.LOGO


def _is_wordless(view: View, row: int) -> bool:
    """Return whether a block has nothing to be read: a picture without words, and a logo whatever its words."""
    return is_logo(view, row) or not view.blocks.text[row].strip()


def where(view: View, row: int) -> str:
    """Return document (when there are several), page and section of a row, and the cells of a table in a sheet."""
    path = [on_one_line(title) for title in view.blocks.section_path(row)][-_TITLES:]
    titles = [_cut(title, _TITLE_CHARACTERS) for title in path[:-1]]
    titles += [_cut(title, _OWN_TITLE_CHARACTERS) for title in path[-1:]]
    cells = cells_of(view, row)
    place = "; ".join(place_of(view, int(view.page_index[row]))) + (f", cells {cells}" if cells else "")
    return "; ".join(filter(None, (place, " > ".join(titles))))


def page_told(view: View, row: int) -> str:
    """Return the page of a row with its printed number; the part, slide or sheet of what has no pages."""
    return place_of(view, int(view.page_index[row]))[-1]


def place_of(view: View, page: int) -> list[str]:
    """Return the document of a page index, where there are several, and the page with its printed number."""
    document, number = view.locate_page(page)
    label = view.documents[document].pages.label[number - 1]
    printed = f' (printed "{label}")' if label and label != str(number) else ""
    told = label if is_no_page(label) else f"page {number}{printed}"
    return [view.names[document], told] if len(view.documents) > 1 else [told]


def shortened(text: str, most: int) -> str:
    """Return a text of at most `most` characters, cut between words."""
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} ..."


def _cut(title: str, most: int) -> str:
    return title if len(title) <= most else f"{title[:most].rstrip()}..."


def _runs(view: View, rows: Sequence[int], unit: int) -> Iterator[list[int]]:
    """Yield neighbouring rows of one page, as many as are short enough together."""
    sizes = [estimate_tokens(view.blocks.text[row]) for row in rows]
    is_head = [_stands_over(view, row, below) for row, below in pairwise((*rows, -1))]
    run: list[int] = []
    size = 0
    for at, row in enumerate(rows):
        # A heading is not parted from what it stands over, nor the unit of a table ("In thousands") from the table.
        needed = sizes[at] + (sizes[at + 1] if is_head[at] and at + 1 < len(rows) else 0)
        is_apart = bool(run) and not _is_next(view, run[-1], row)
        if is_apart or (size and size + needed > unit):
            yield run
            run, size = [], 0
        run.append(row)
        size += 0 if is_head[at] and not size else sizes[at]
    if run:
        yield run


def lines_above(view: View, table: int) -> list[int]:
    """Return the rows of the headings and short lines right above a table on its page, at most two."""
    stand = (
        row >= 0 and _is_next(view, row, table) and _stands_over(view, row, table) for row in (table - 1, table - 2)
    )
    return [*range(table - sum(takewhile(bool, stand)), table)]


def _stands_over(view: View, row: int, below: int) -> bool:
    """Return whether a row is a heading, or a short line right above a table, such as the unit of its numbers."""
    blocks = view.blocks
    if blocks.kind_of(row) == Kind.HEADING:
        return True
    is_over_table = below >= 0 and _is_next(view, row, below) and blocks.kind_of(below) == Kind.TABLE
    return bool(is_over_table and lead_before(view, below) == row and len(blocks.text[row]) <= _LINE_CHARACTERS)


def _is_next(view: View, before: int, row: int) -> bool:
    return bool(row - before <= 2 and view.page_index[row] == view.page_index[before])


def _lead(view: View, run: list[int]) -> list[int]:
    """Return a run without the headings it begins with, which the place of the next block tells."""
    at = 0
    while at + 1 < len(run) and view.blocks.parent[run[at + 1]] == run[at]:
        at += 1
    return run[at:]


def _text(view: View, run: list[int], captions: dict[int, list[int]]) -> str:
    """Return the text of a run below the headings over its first block; those inside it are marked."""
    lead = _lead(view, run)
    told = {row: _text_with_caption(view, row, captions.get(row, ())) for row in lead}
    inside = (row for row in lead[1:] if view.blocks.kind_of(row) == Kind.HEADING)
    told.update({row: f"## {told[row]}" for row in inside})
    return "\n".join(filter(None, told.values()))


def _text_with_caption(view: View, row: int, captions: Sequence[int]) -> str:
    """Return a block's text below its caption, which may be part of it; a picture says that it is one."""
    blocks = view.blocks
    text = without_leaders(blocks.text[row]).rstrip().lstrip("" if blocks.kind_of(row) == Kind.TABLE else None)
    caption = " ".join(on_one_line(blocks.text[at]) for at in captions)
    if caption and caption in on_one_line(text):
        caption = ""
    if blocks.kind_of(row) == Kind.TABLE and (carried := Grid.from_json(blocks.grid[row]).carried):
        text = f"{' | '.join(carried)}\n{text}"  # it goes on from a page before, where its columns have their heads
    if blocks.kind_of(row) not in PICTURED:
        return "\n".join(filter(None, (caption, text)))
    if not text and not caption:
        return ""
    if not text:
        return f"({depicted(view, row)}, not in words) {caption}"
    words = "of its words only" if len(text.split()) < _HARDLY_ANY else "words in it"
    words = "read from it" if blocks.grid[row] else words
    return f"({depicted(view, row)}) " + "\n".join(filter(None, (caption, f"{words}: {text}")))


def _head_lines(view: View, run: list[int], captions: dict[int, list[int]]) -> int:
    """Return how many lines at the top of a run are those above a table, its caption and the heads of its columns."""
    *above, row = _lead(view, run)
    if view.blocks.kind_of(row) != Kind.TABLE or not all(_stands_over(view, one, row) for one in above):
        return 0
    grid = Grid.from_json(view.blocks.grid[row])
    heads = len(above) + (grid.header_rows or int(not grid.carried))
    return min(_MOST_HEAD_LINES, heads + bool(grid.carried) + bool(captions.get(row)))


def _parts(text: str, unit: int, *, head: int) -> Iterator[str]:
    """Yield a text; a long one in parts, those of a table with its first `head` lines and how many rows they lack."""
    if estimate_tokens(text) <= 3 * unit:
        if text:
            yield text
        return
    lines = text.splitlines()
    first, part = head, lines[:head]
    for at in range(head, len(lines)):
        if at > first and estimate_tokens("\n".join((*part, lines[at]))) > 2 * unit:
            yield _part(lines, head, first, at)
            first, part = at, lines[:head]
        part.append(lines[at])
    yield _part(lines, head, first, len(lines))


def _part(lines: Sequence[str], head: int, first: int, stop: int) -> str:
    """Return the lines [first, stop) of a text; of a table under its heads, with how many rows are left out."""
    rows = lines[first:stop]
    if head:
        rows = [*lines[:head], more_of(first - head, "row"), *rows, more_of(len(lines) - stop, "row")]
    return "\n".join(filter(None, rows) if head else rows)
