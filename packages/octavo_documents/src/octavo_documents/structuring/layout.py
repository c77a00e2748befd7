"""A parser's pages to a document: the steps on each page, then those over the whole document."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from octavo_documents.document import Document, Kind
from octavo_documents.parsing.content import Box, Comment, PageContent, SourceContent
from octavo_documents.parsing.turning import turn_of, upright
from octavo_documents.structuring.captions_and_footnotes import link_captions, set_footnotes, set_nesting, take_labels
from octavo_documents.structuring.continuation import link_continuations
from octavo_documents.structuring.counted_items import set_counted_items
from octavo_documents.structuring.drafts import Draft, document_of, draft, running_text, written
from octavo_documents.structuring.hanging_labels import with_hanging_labels
from octavo_documents.structuring.headings.sections import is_deck, set_headings
from octavo_documents.structuring.layout_model_regions import ModelRegions
from octavo_documents.structuring.leftward_pages import leftward, mirrored, put_back
from octavo_documents.structuring.line_numbers import without_line_numbers
from octavo_documents.structuring.lines import NO_LOOK, PageLines, body_size, inside, page_lines, with_initials
from octavo_documents.structuring.markers import DASHES, is_listed, is_lone_marker
from octavo_documents.structuring.panels import read_in_order
from octavo_documents.structuring.paragraphs import line_step, paragraphs
from octavo_documents.structuring.reading_order import Items, row_groups
from octavo_documents.structuring.references import link_references
from octavo_documents.structuring.regions import Region, regions
from octavo_documents.structuring.running_headers import (
    furniture,
    repeated_images,
    with_images,
    without_cells,
    without_images,
)
from octavo_documents.structuring.tables import unruled as tables
from octavo_documents.structuring.tables.finding import with_tables
from octavo_documents.structuring.tables.grid import grid_of
from octavo_documents.structuring.tables.notes import first_note, is_mark
from octavo_documents.structuring.tables.upright_heads import with_level_heads
from octavo_documents.text import column_heads
from octavo_documents.text.line_joining import Words

_MOSTLY_MARKED = 0.8
"""Share of rows that begin with a mark of their own, over which they are items and no cells; chosen by hand."""
_LEVEL = 5.0
"""Points between the feet of a mark and of its note, which may be raised."""


class PageLayout:
    """The steps on one page; `em` is the body type size in points."""

    def __init__(self, content: PageContent, page: PageLines, words: Words, em: float) -> None:
        self._content, self._page, self._words, self._em = content, page, words, em
        self._model = ModelRegions(content.regions, page)
        self._step = line_step(page)

    def drafts(self, marked: Mapping[int, Kind]) -> list[Draft]:
        """Return the page's blocks: headers, content in reading order, footers; `marked` rows are furniture."""
        page = self._page
        marked = self._model.furniture(without_cells(dict(marked), page, self._content.graphics))
        rows = [row for row in range(len(page)) if row not in marked and page.texts[row]]
        found = self._regions(rows)
        taken = {row for region in found for row in region.lines}
        rows = [row for row in rows if row not in taken]
        self._page = page = with_hanging_labels(page, [row for row in rows if page.angles[row] == 0], self._em)
        rows = [row for row in rows if page.texts[row]]
        content = self._flow([row for row in rows if page.angles[row] == 0], found)
        for angle in sorted({page.angles[row] for row in rows} - {0}):
            content.extend(self._flow([row for row in rows if page.angles[row] == angle], []))
        take_labels(content, page, self._em)
        link_captions(content)
        set_footnotes(content, self._content, self._em)
        set_nesting(content, self._content.lines)
        return [
            *self._furniture(marked, Kind.PAGE_HEADER),
            *content,
            *self._furniture(marked, Kind.PAGE_FOOTER),
        ]

    def _regions(self, rows: Sequence[int]) -> list[Region]:
        """Return the tables, figures and charts: those a layout model tells, then what the rules find beside them."""
        page = self._page
        free = self._model.free([row for row in rows if page.angles[row] == 0])
        found = [region for region in regions(self._content, page, free, self._em) if self._model.leaves(region.box)]
        return self._model.solid(rows) + with_tables(page, self._content.graphics, found, free, self._em)

    def _furniture(self, marked: Mapping[int, Kind], kind: Kind) -> list[Draft]:
        rows = [row for row, zone in marked.items() if zone == kind and self._page.texts[row]]
        groups = row_groups(self._page.boxes, rows)
        return [draft(kind, self._page, [row], self._words) for group in groups for row in group]

    def _flow(self, rows: list[int], found: Sequence[Region]) -> list[Draft]:
        """Put lines and regions in order and group the lines into blocks."""
        page = self._page
        boxes = np.concatenate((page.places[rows], np.array([region.box for region in found]).reshape(len(found), 4)))
        items = Items(
            boxes=boxes,
            characters=np.array([*(len(page.texts[row]) for row in rows), *(0 for _ in found)], np.int64),
            is_solid=np.arange(len(boxes)) >= len(rows),
            is_listed=np.array([*(is_listed(page.texts[row]) for row in rows), *(False for _ in found)], np.bool_),
            em=self._em,
        )
        drafts: list[Draft] = []
        graphics = () if rows and page.angles[rows[0]] else self._content.graphics
        for number, column in enumerate(read_in_order(items, graphics, page.width * page.height), start=1):
            waiting: list[int] = []
            for at in column:
                if at < len(rows):
                    waiting.append(rows[at])
                    continue
                drafts.extend(self._column(waiting, number))
                waiting = []
                drafts.extend(self._region(found[at - len(rows)], number))
            drafts.extend(self._column(waiting, number))
        return drafts

    def _column(self, lines: list[int], column: int) -> list[Draft]:
        drafts: list[Draft] = []
        for kind, rows in self._model.runs(lines):
            drafts.extend(self._free_run(rows, column) if kind is None else self._model_run(kind, rows, column))
        return drafts

    def _free_run(self, lines: list[int], column: int) -> list[Draft]:
        """Group lines that the rules are to judge."""
        page, drafts = self._page, list[Draft]()
        for stretch in tables.stretches(page, lines, self._em):
            rows = [row for group in stretch.rows for row in group]
            if stretch.is_table and not self._is_list(stretch.rows):
                first = first_note(page, stretch.rows)
                held = [row for group in stretch.rows[:first] for row in group]
                drafts.extend(self._tables(held, page.hull(held), column))
                rows = [row for group in stretch.rows[first:] for row in group]
            drafts.extend(
                running_text(page, group, self._words, column=column)
                for group in _with_marks(page, paragraphs(page, rows, step=self._step) if rows else ())
            )
        return drafts

    def _is_list(self, rows: Sequence[Sequence[int]]) -> bool:
        """Return whether rows mostly start with a list number or bullet of their own: items, and no cells."""
        ends = [(self._page.texts[row[0]], self._page.texts[row[-1]]) for row in rows if len(row) > 1]
        starts = [(is_lone_marker(first) or first in DASHES) and last[:1].isalpha() for first, last in ends]
        return sum(starts) > _MOSTLY_MARKED * len(starts)

    def _model_run(self, kind: Kind, lines: list[int], column: int) -> list[Draft]:
        """Group lines of one region: running text and lists into paragraphs and items, others into one block."""
        page = self._page
        is_parted = kind in (Kind.PARAGRAPH, Kind.LIST_ITEM)
        groups = paragraphs(page, lines, step=self._step) if is_parted else [lines]
        drafts = [running_text(page, group, self._words, column=column) for group in groups]
        for item in drafts:
            item.is_from_model = True
            if kind != Kind.PARAGRAPH:
                item.kind, item.level = kind, int(kind in (Kind.LIST_ITEM, Kind.HEADING))
        return drafts

    def _tables(self, lines: Sequence[int], box: Box, column: int) -> list[Draft]:
        """Return the table that lines make; several where its heads come again further down."""
        grid = grid_of(self._page, lines, self._content.graphics, box, self._words)
        found: list[Draft] = []
        rest = list(lines)
        parts = column_heads.parts(grid)
        for part, after in zip(parts, [*parts[1:], None], strict=True):
            bottom = min((cell.box[1] for cell in after.cells if cell.box), default=None) if after else None
            held = (
                rest if bottom is None else [line for line in rest if self._page.places[line, 1:4:2].sum() / 2 < bottom]
            )
            if not held:
                continue
            rest = [line for line in rest if line not in held]
            headed = column_heads.headed(part, is_printed=True)
            table = written(Kind.TABLE, self._page, held, headed.text(), column=column)
            table.grid = headed.to_json()
            found.append(table)
        return found

    def _region(self, region: Region, column: int) -> list[Draft]:
        page = self._page
        if region.kind == Kind.TABLE:
            tables = self._tables(region.lines, region.box, column)
            for table in tables:
                box = region.box if len(tables) == 1 else table.box
                table.box = inside(box, page.width, page.height)
                table.is_from_model = region.is_from_model
                table.figure = region.figure
            return tables
        if region.lines:
            groups = row_groups(page.places, region.lines)
            text = "\n".join(" ".join(page.texts[row] for row in group) for group in groups)
            block = written(region.kind, page, region.lines, text, column=column)
        else:
            block = Draft(region.kind, page.index, "", region.box, NO_LOOK, column=column)
        block.box = inside(region.box, page.width, page.height)
        block.is_from_model = region.is_from_model
        block.figure = region.figure
        return [block]


def _with_marks(page: PageLines, groups: Iterable[Sequence[int]]) -> Iterator[Sequence[int]]:
    """Yield groups of lines, the mark of a note that stands apart together with the note beside it."""
    waiting: Sequence[int] = ()
    for group in groups:
        if waiting and abs(float(page.places[waiting[0], 3] - page.places[group[0], 3])) < _LEVEL:
            yield [*waiting, *group]
            waiting = ()
            continue
        if waiting:
            yield waiting
        waiting = group if len(group) == 1 and is_mark(page.texts[group[0]]) else ()
        if not waiting:
            yield group
    if waiting:
        yield waiting


def _laid_out(
    content: PageContent, page: PageLines, words: Words, em: float, marked: Mapping[int, Kind]
) -> list[Draft]:
    """Return the blocks of a page; one that is written in another direction than it is shown in is laid out upright."""
    turn = turn_of(content)
    if turn is None:
        return PageLayout(content, page, words, em).drafts(marked)
    turned = upright(content, turn)
    drafts = PageLayout(turned, with_initials(page_lines(turned)), words, em).drafts(marked)
    for item in drafts:
        item.box = inside(turn.shown(item.box), page.width, page.height)
        item.grid = item.grid and turn.shown_grid(item.grid)
    return drafts


def structured(content: SourceContent, *, name: str, digest: str) -> Document:
    """Return the document in `content`; see `octavo_documents.structuring.structure`."""
    are_leftward = leftward(content.pages)
    sides = [mirrored(page) if is_left else page for page, is_left in zip(content.pages, are_leftward, strict=True)]
    read = (page if turn_of(page) else with_level_heads(page) for page in without_line_numbers(sides))
    content = dataclasses.replace(content, pages=tuple(read))
    pages = [with_initials(page_lines(page)) for page in content.pages]
    body = body_size(pages)
    words = Words(text for page in pages for text in page.texts)
    marked = furniture(pages, body, is_deck=is_deck(content.pages))
    images = repeated_images(content.pages)
    drafts = [
        with_images(_laid_out(without_images(source, repeated), page, words, body, marks), repeated, source)
        for source, page, marks, repeated in zip(content.pages, pages, marked, images, strict=True)
    ]
    set_headings(drafts, content)
    set_counted_items(item for page in drafts for item in page)
    link_continuations(drafts)
    link_references(drafts, content)
    for source, page, found in zip(content.pages, pages, drafts, strict=True):
        found.extend(_comment(one, page) for one in source.comments)
    for page, found, is_left in zip(pages, drafts, are_leftward, strict=True):
        if is_left:
            put_back(found, page.width)
    return document_of(content, [item for page in drafts for item in page], words, name=name, digest=digest)


def _comment(one: Comment, page: PageLines) -> Draft:
    kind = Kind.PARAGRAPH if one.is_printed else Kind.FOOTNOTE
    return Draft(kind, page.index, one.text, inside(one.box, page.width, page.height), NO_LOOK)
