"""Long blocks of flowing text in pieces: a paragraph of megabytes would be read whole for each question."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from octavo_documents.document import Kind
from octavo_documents.document.grid import Cell
from octavo_documents.parsing.flow import FlowBlock

LONGEST = 10_000
"""The most characters of a block that is no table: some four printed pages; people write shorter paragraphs."""
_NEAR = 1_000
"""Characters before the bound in which a line or a sentence may end; a piece has nine tenths of the bound at least."""
_LINE_END = re.compile(r"\n")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’)\]]{0,3}\s|[。！？]")
_SPACE = re.compile(r"\s")


def pieces(block: FlowBlock) -> Iterator[FlowBlock]:
    """Yield a block as it is; a longer one than `LONGEST` in pieces, and as paragraphs where it was to be a heading.

    A table stays whole, as its rows are its pieces; what its cells have beyond the bound follows it as paragraphs.
    """
    if len(block.text) <= LONGEST:
        yield block
        return
    if block.kind == Kind.TABLE:
        yield from _table(block)
        return
    if block.kind in (Kind.HEADING, Kind.TITLE):
        block = dataclasses.replace(block, kind=Kind.PARAGRAPH, level=0)
    text, start, part = block.text, 0, block.part
    while start < len(text):
        stop = _stop(text, start)
        piece = text[start:stop].strip()
        if piece:
            yield dataclasses.replace(block, text=piece, part=part)
            part = ""
        start = stop


def _table(block: FlowBlock) -> Iterator[FlowBlock]:
    """Yield a table whose cells end at the bound, and the rest of those that were longer."""
    grid, rests = block.grid, list[str]()
    if grid is not None and any(len(cell.text) > LONGEST for cell in grid.cells):
        cells: list[Cell] = []
        for cell in grid.cells:
            stop = _stop(cell.text, 0)
            rests += [rest for rest in (cell.text[stop:].strip(),) if rest]
            cells.append(dataclasses.replace(cell, text=cell.text[:stop].strip()))
        grid = dataclasses.replace(grid, cells=tuple(cells))
        block = dataclasses.replace(block, text=grid.text(), grid=grid)
    yield block
    for rest in rests:
        yield from pieces(FlowBlock(Kind.PARAGRAPH, rest))


def _stop(text: str, start: int) -> int:
    """Return where a piece ends: after a line, else a sentence, else a word near the bound, else at the bound."""
    stop = start + LONGEST
    if stop >= len(text):
        return len(text)
    for end in (_LINE_END, _SENTENCE_END, _SPACE):
        found = [match.end() for match in end.finditer(text, stop - _NEAR, stop)]
        if found:
            return found[-1]
    return stop
