"""What stands beside the text of a document: its figures, charts, tables and formulas, with all that speaks of them."""

from __future__ import annotations

import dataclasses
from collections import defaultdict

import numpy as np

from octavo.document import Document, FigureKind, Kind, LinkKind
from octavo.document.grid import Grid
from octavo.layers.passages import without_leaders
from octavo.text.sentences import sentence_spans

ELEMENTS = (Kind.FIGURE, Kind.CHART, Kind.TABLE, Kind.FORMULA)
_SORTS = {FigureKind.PHOTO: "photo", FigureKind.DIAGRAM: "diagram", FigureKind.MAP: "map", FigureKind.LOGO: "logo"}
_MOST_MENTIONS = 5
_LONGEST_INSIDE = 4000
_SMALL = 0.002
"""Share of the page under which a picture without words is an ornament."""


@dataclasses.dataclass(frozen=True, slots=True)
class Gathered:
    """An element: its block row, what rules take it for, its captions, the text in it, sentences that refer to it."""

    row: int
    sort: str
    caption: str
    inside: str
    mentions: tuple[str, ...]


def elements_of(document: Document) -> list[Gathered]:
    """Return the elements of a document in reading order; ornaments without any words are none."""
    blocks = document.blocks
    rows = np.flatnonzero(np.isin(blocks.kind, ELEMENTS)).tolist()
    captions, references = document.links.captions(), _references(document)
    found: list[Gathered] = []
    for row in rows:
        gathered = Gathered(
            row,
            _sort(document, row),
            " ".join(" ".join(blocks.text[at].split()) for at in captions.get(row, ())),
            _inside(document, row),
            _mentions(document, references.get(row, [])),
        )
        if gathered.caption or gathered.inside or gathered.mentions or not _is_ornament(document, row):
            found.append(gathered)
    return found


def _references(document: Document) -> dict[int, list[tuple[int, str]]]:
    """Return the (row, words) that refer to each block, in reading order."""
    links = document.links
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for at in np.flatnonzero(links.kind == LinkKind.REFERS_TO).tolist():
        found[int(links.target[at])].append((int(links.source[at]), links.text[at]))
    return {target: sorted(places) for target, places in found.items()}


def _sort(document: Document, row: int) -> str:
    kind = Kind(int(document.blocks.kind[row]))
    return _SORTS.get(FigureKind(int(document.blocks.figure[row])), kind.label) if kind is Kind.FIGURE else kind.label


def _inside(document: Document, row: int) -> str:
    """Return the text inside an element, a table's row by row, each value with its headers."""
    blocks = document.blocks
    text = blocks.text[row]
    if blocks.kind[row] == Kind.TABLE:
        lines = [line for line in Grid.from_json(blocks.grid[row]).linearised() if line]
        text = "\n".join(lines) or text
    return without_leaders(text)[:_LONGEST_INSIDE].strip()


def _mentions(document: Document, places: list[tuple[int, str]]) -> tuple[str, ...]:
    kept: dict[str, None] = {}
    for row, words in places:
        text = document.blocks.text[row]
        at = max(text.find(words), 0)
        start, stop = next((span for span in sentence_spans(text) if span[0] <= at < span[1]), (0, len(text)))
        kept[" ".join(text[start:stop].split())] = None
        if len(kept) == _MOST_MENTIONS:
            break
    return tuple(kept)


def _is_ornament(document: Document, row: int) -> bool:
    blocks, pages = document.blocks, document.pages
    x0, y0, x1, y1 = blocks.box[row].tolist()
    page = int(blocks.page[row]) - 1
    area = float(pages.width[page] * pages.height[page]) or 1.0
    return (x1 - x0) * (y1 - y0) / area < _SMALL or blocks.figure[row] == FigureKind.LOGO
