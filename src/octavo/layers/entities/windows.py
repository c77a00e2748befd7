"""Blocks packed into windows for one model call each: neighbours of one section, short sections together.

Owns which blocks a model reads and how they are shown. Knows nothing about what is extracted.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from octavo.decisions.extract_graph import GraphWindow, WindowBlock
from octavo.document import BlockTable, Document, Kind, LinkKind
from octavo.document.grid import Grid
from octavo.layers.entities.words import BlockWords
from octavo.models.language import estimate_tokens

WINDOW_TOKENS = 1400
"""The most that the blocks of a window take, about."""
SHORT_WINDOW = 500
"""A window with fewer tokens goes on into the next section."""
_LEAST_LETTERS = 12
_SHOWN_AS = {Kind.TABLE: "table", Kind.FIGURE: "figure", Kind.CHART: "figure"}


@dataclasses.dataclass(frozen=True, slots=True)
class Window:
    """What is asked of the model, and the row of each of its blocks by number."""

    asked: GraphWindow
    rows: dict[int, int]


def windows_of(document: Document, words: Sequence[BlockWords]) -> list[Window]:
    """Return the windows over the blocks with something to say, in reading order; reference lists are left out."""
    captions = {
        int(target): int(source)
        for source, target, kind in zip(document.links.source, document.links.target, document.links.kind, strict=True)
        if kind == LinkKind.CAPTION_OF
    }
    shown = [(block.row, _text(document.blocks, block, captions)) for block in words if not block.apart]
    kept = [(row, text) for row, text in shown if sum(map(str.isalpha, text)) >= _LEAST_LETTERS]
    return [_window(document, group) for group in _groups(document.blocks, kept)]


def _text(blocks: BlockTable, block: BlockWords, captions: dict[int, int]) -> str:
    """Return a block as it is shown: a table by its rows with headers under its caption, all else as it stands."""
    if block.kind not in _SHOWN_AS:
        return block.text
    lines = list(filter(None, Grid.from_json(blocks.grid[block.row]).linearised())) if blocks.grid[block.row] else []
    caption = blocks.text[captions[block.row]] if block.row in captions else ""
    return "\n".join([caption, *(lines or [block.text])]).strip()


def _groups(blocks: BlockTable, shown: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    group: list[tuple[int, str]] = []
    tokens = 0
    for row, text in shown:
        size = estimate_tokens(text)
        opens = blocks.kind[row] == Kind.HEADING and tokens >= SHORT_WINDOW
        if group and (opens or tokens + size > WINDOW_TOKENS):
            yield group
            group, tokens = [], 0
        group.append((row, text))
        tokens += size
    if group:
        yield group


def _window(document: Document, group: Sequence[tuple[int, str]]) -> Window:
    blocks = document.blocks
    rows = {number: row for number, (row, _) in enumerate(group, start=1)}
    section = " > ".join(blocks.section_path(group[0][0]))
    shown = tuple(
        WindowBlock(number, _SHOWN_AS.get(Kind(int(blocks.kind[row])), "text"), text)
        for number, (row, text) in enumerate(group, start=1)
    )
    return Window(GraphWindow(shown, section, document.metadata.title.strip()), rows)
