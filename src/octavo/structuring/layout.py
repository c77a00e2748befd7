"""One page to drafts of blocks in reading order.

Owns the order of the steps on a page. Knows nothing about other pages or about headings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from octavo.document import Kind
from octavo.parsing.content import Box, PageContent
from octavo.structuring.breaks import Words
from octavo.structuring.captions import link_captions, take_labels
from octavo.structuring.drafts import Draft, draft, written
from octavo.structuring.lines import Look, PageLines, inside
from octavo.structuring.notes import set_footnotes, set_nesting
from octavo.structuring.order import Items, columns, row_groups
from octavo.structuring.paragraphs import paragraphs
from octavo.structuring.regions import Region, regions
from octavo.structuring.runs import running_text
from octavo.structuring.tables import unruled as tables
from octavo.structuring.tables.grid import grid_of
from octavo.structuring.tables.numbers import number_tables

_NO_LOOK = Look(0.0, bold=False, italic=False, color=0)


class PageLayout:
    """The steps on one page; `em` is the body type size in points."""

    def __init__(self, content: PageContent, page: PageLines, words: Words, em: float) -> None:
        self._content, self._page, self._words, self._em = content, page, words, em

    def drafts(self, marked: Mapping[int, Kind]) -> list[Draft]:
        """Return the page's blocks: headers, content in reading order, footers; `marked` rows are furniture."""
        page = self._page
        rows = [row for row in range(len(page)) if row not in marked and page.texts[row]]
        upright = [row for row in rows if page.angles[row] == 0]
        found = regions(self._content, page, upright, self._em)
        taken = {row for region in found for row in region.lines}
        for box, lines in number_tables(page, [row for row in upright if row not in taken], self._em):
            found.append(Region(Kind.TABLE, box, tuple(lines)))
            taken.update(lines)
        content = self._flow([row for row in upright if row not in taken], found)
        for angle in sorted({page.angles[row] for row in rows} - {0}):
            content.extend(self._flow([row for row in rows if page.angles[row] == angle], []))
        take_labels(content, self._em)
        link_captions(content)
        set_footnotes(content, self._content, self._em)
        set_nesting(content)
        return [
            *self._furniture(marked, Kind.PAGE_HEADER),
            *content,
            *self._furniture(marked, Kind.PAGE_FOOTER),
        ]

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
            em=self._em,
        )
        drafts: list[Draft] = []
        for number, column in enumerate(columns(items), start=1):
            waiting: list[int] = []
            for at in column:
                if at < len(rows):
                    waiting.append(rows[at])
                    continue
                drafts.extend(self._column(waiting, number))
                waiting = []
                drafts.append(self._region(found[at - len(rows)], number))
            drafts.extend(self._column(waiting, number))
        return drafts

    def _column(self, lines: list[int], column: int) -> list[Draft]:
        page, drafts = self._page, list[Draft]()
        for stretch in tables.stretches(page, lines, self._em) if lines else ():
            rows = [row for group in stretch.rows for row in group]
            if stretch.is_table:
                drafts.append(self._table(rows, page.hull(rows), column))
            else:
                drafts.extend(running_text(page, group, self._words, column=column) for group in paragraphs(page, rows))
        return drafts

    def _table(self, lines: Sequence[int], box: Box, column: int) -> Draft:
        grid = grid_of(self._page, lines, self._content.graphics, box)
        table = written(Kind.TABLE, self._page, lines, grid.text(), column=column)
        table.grid = grid.to_json()
        return table

    def _region(self, region: Region, column: int) -> Draft:
        page = self._page
        if region.kind == Kind.TABLE:
            block = self._table(region.lines, region.box, column)
        elif region.lines:
            groups = row_groups(page.places, region.lines)
            text = "\n".join(" ".join(page.texts[row] for row in group) for group in groups)
            block = written(region.kind, page, region.lines, text, column=column)
        else:
            block = Draft(region.kind, page.index, "", region.box, _NO_LOOK, column=column)
        block.box = inside(region.box, page.width, page.height)
        return block
