"""Which blocks the nodes of a page stand at: by their words, and by where on the page they are said to be."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence

from octavo.decisions.extract_nodes import SeenNode
from octavo.evidence.document_graph import POSITIONS
from octavo.layers.descriptions import ELEMENTS
from octavo_documents.document import FURNITURE, KIND_BY_LABEL, PICTURED, Document, Kind

_WORD = re.compile(r"[^\W_]+")
_COVERED = 0.6
"""Share of a block's words that a node has when the block is part of the node."""
_INSIDE = 0.5
"""Share of a node's words that a block has when the node is part of the block."""
_ALIKE = {
    Kind.CHART: PICTURED,
    Kind.FIGURE: PICTURED,
    Kind.TABLE: (Kind.TABLE, *PICTURED),
    Kind.FORMULA: (Kind.FORMULA, *PICTURED),
}
"""The kinds of block that an element may be, as parsers see it, the likeliest first."""


@dataclasses.dataclass
class Placed:
    """A node at its place: the row it is named by, and all rows whose words it has, ascending."""

    node: SeenNode
    row: int
    rows: tuple[int, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class _Block:
    row: int
    kind: Kind
    words: Counter[str]
    middle: tuple[float, float]
    """Where on the page its middle is, 0..1 across and down."""


def placed(document: Document, page: int, nodes: Sequence[SeenNode]) -> list[Placed]:
    """Return the nodes of a page (1-based) at their blocks, those that stand at one block as one node.

    A node without a word in common with any block stands at the nearest block that no other node stands at, one of its
    kind before others; page furniture and the nodes of a page without blocks are left out.
    """
    blocks = _blocks(document, page)
    found: dict[int, Placed] = {}
    taken: set[int] = set()
    content = [node for node in nodes if KIND_BY_LABEL[node.kind] not in FURNITURE]
    # Elements first: their captions and labels are not to be taken for texts of their own.
    order = sorted(range(len(content)), key=lambda at: KIND_BY_LABEL[content[at].kind] not in ELEMENTS)
    places = {at: _place(content[at], blocks, taken) for at in order} if blocks else {}
    for at in sorted(places):
        row, rows = places[at]
        found[row] = _joined(found[row], content[at], rows) if row in found else Placed(content[at], row, rows)
    return [found[row] for row in sorted(found)]


def _blocks(document: Document, page: int) -> list[_Block]:
    rows = document.on_page(page)
    table, width, height = (
        document.blocks,
        float(document.pages.width[page - 1]),
        float(document.pages.height[page - 1]),
    )
    found: list[_Block] = []
    for row in range(rows.start, rows.stop):
        kind = Kind(int(table.kind[row]))
        x0, y0, x1, y1 = table.box[row].tolist()
        middle = ((x0 + x1) / 2 / (width or 1.0), (y0 + y1) / 2 / (height or 1.0))
        if kind not in FURNITURE:
            found.append(_Block(row, kind, _words(table.text[row]), middle))
    return found


def _words(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in _WORD.findall(text))


def _place(node: SeenNode, blocks: Sequence[_Block], taken: set[int]) -> tuple[int, tuple[int, ...]]:
    """Return the row that a node is named by, which is then taken, and all rows whose words it has."""
    words = _words(f"{node.title}\n{node.content}" if node.kind == "heading" else node.content)
    shared = {block.row: (block.words & words).total() for block in blocks}
    covered = [one.row for one in blocks if one.words and shared[one.row] >= _COVERED * one.words.total()]
    element = _element(node, blocks, shared, taken)
    if element is not None:
        row = element
    elif covered:
        row = max(covered, key=lambda at: (shared[at], at not in taken, -at))
    else:
        around = max(blocks, key=lambda one: (shared[one.row], -one.row))
        is_part = shared[around.row] >= _INSIDE * max(words.total(), 1)
        row = around.row if is_part else _nearest(node, blocks, taken)
    taken.add(row)
    return row, tuple(sorted({row, *covered}))


def _element(node: SeenNode, blocks: Sequence[_Block], shared: dict[int, int], taken: set[int]) -> int | None:
    """Return the row of an element: one of its kind with most of its words, else the nearest; those taken come last."""
    kind = KIND_BY_LABEL[node.kind]
    if kind not in ELEMENTS:
        return None
    kinds = _ALIKE[kind]
    rows = [one for one in blocks if one.kind in kinds]
    if not rows:
        return None
    best = min(
        rows,
        key=lambda one: (one.row in taken, -shared[one.row], one.kind != kind, _distance(node, one), one.row),
    )
    return best.row


def _nearest(node: SeenNode, blocks: Sequence[_Block], taken: set[int]) -> int:
    kind = KIND_BY_LABEL[node.kind]
    return min(blocks, key=lambda one: (one.row in taken, one.kind != kind, _distance(node, one), one.row)).row


def _distance(node: SeenNode, block: _Block) -> float:
    """Return how far a block is from the middle of the field that a node is said to stand in, squared."""
    at = POSITIONS.index(node.position)
    across, down = (at % 3 + 0.5) / 3, (at // 3 + 0.5) / 3
    return round((block.middle[0] - across) ** 2 + (block.middle[1] - down) ** 2, 6)


def _joined(first: Placed, node: SeenNode, rows: tuple[int, ...]) -> Placed:
    """Return two nodes of one block as one: the kind, place and title of the first, the words of both."""
    both = {
        name: "\n".join(part for part in (getattr(first.node, name), getattr(node, name)) if part)
        for name in ("content", "summary")
    }
    return Placed(first.node.model_copy(update=both), first.row, tuple(sorted({*first.rows, *rows})))
