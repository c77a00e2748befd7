"""Which blocks the nodes of a page stand at: by their words, and by where on the page they are said to be.

Whatever is told of a page is a node of its own: several stand at one block where parsing has cut the page otherwise,
as where it took four charts for one figure, or a heading for a part of the figure below it.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Collection, Sequence

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
_ANCHOR = 2
"""Words of a text that tell its block for sure, where no other block has as many of them."""
_Box = tuple[float, float, float, float]


@dataclasses.dataclass
class Placed:
    """A node at its place: the row it stands at, and all rows whose words it has, that one among them, ascending."""

    node: SeenNode
    row: int
    rows: tuple[int, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class _Block:
    row: int
    kind: Kind
    words: Counter[str]
    box: _Box
    """Where on the page it is, 0..1 across and down."""

    @property
    def middle(self) -> tuple[float, float]:
        x0, y0, x1, y1 = self.box
        return (x0 + x1) / 2, (y0 + y1) / 2


def placed(document: Document, page: int, nodes: Sequence[SeenNode]) -> list[Placed]:
    """Return the nodes of a page (1-based) at their blocks, in their order.

    A node without a word in common with any block stands at the nearest block, one of its kind and one that no other
    node stands at before others; an element before all between the texts that it was told between. What is told twice,
    in the same words and of the same place, is one node. The nodes of a page without blocks are left out.
    """
    blocks = _blocks(document, page)
    if not blocks:
        return []
    taken: set[int] = set()
    # Elements first: their captions and labels are not to be taken for texts of their own.
    order = sorted(range(len(nodes)), key=lambda at: KIND_BY_LABEL[nodes[at].kind] not in ELEMENTS)
    between = _between(nodes, blocks)
    places = {at: _place(nodes[at], blocks, taken, between[at]) for at in order}
    found: dict[tuple[object, ...], Placed] = {}
    for at, node in enumerate(nodes):
        row, rows = places[at]
        key = (row, node.kind, node.position, _plain(node.title), _plain(node.content))
        found.setdefault(key, Placed(node, row, rows))
    return [*found.values()]


def _between(nodes: Sequence[SeenNode], blocks: Sequence[_Block]) -> list[range]:
    """Return for each node the rows between those of the texts told before and after it whose blocks are sure."""
    sure = [_anchor(node, blocks) for node in nodes]
    before, first = list[int](), blocks[0].row
    for row in sure:
        before.append(first)
        first = row + 1 if row is not None else first
    after, stop = list[int](), blocks[-1].row + 1
    for row in reversed(sure):
        after.append(stop)
        stop = row if row is not None else stop
    return [range(start, end) for start, end in zip(before, reversed(after), strict=True)]


def _anchor(node: SeenNode, blocks: Sequence[_Block]) -> int | None:
    """Return the row of the block that has the words of a text as no other has them; None for what is no text."""
    if KIND_BY_LABEL[node.kind] in ELEMENTS:
        return None
    words = _words(node.content)
    shared = {block.row: (block.words & words).total() for block in blocks if _is_covered(block, words)}
    best = max(shared.values(), default=0)
    rows = [row for row, count in shared.items() if count == best]
    return rows[0] if len(rows) == 1 and best >= _ANCHOR else None


def _blocks(document: Document, page: int) -> list[_Block]:
    rows = document.on_page(page)
    table = document.blocks
    width = float(document.pages.width[page - 1]) or 1.0
    height = float(document.pages.height[page - 1]) or 1.0
    found: list[_Block] = []
    for row in range(rows.start, rows.stop):
        x0, y0, x1, y1 = table.box[row].tolist()
        box = (x0 / width, y0 / height, x1 / width, y1 / height)
        found.append(_Block(row, Kind(int(table.kind[row])), _words(table.text[row]), box))
    return found


def _words(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in _WORD.findall(text))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _place(node: SeenNode, blocks: Sequence[_Block], taken: set[int], between: range) -> tuple[int, tuple[int, ...]]:
    """Return the row that a node stands at, which is then taken, and all rows whose words it has."""
    words = _words(f"{node.title}\n{node.content}" if node.kind == "heading" else node.content)
    shared = {block.row: (block.words & words).total() for block in blocks}
    able = _able(node, blocks, words)
    covered = _covered(words, sorted(able, key=lambda one: (-shared[one.row], one.row in taken, one.row)))
    element = _element(node, able, words, taken, between)
    if element is not None:
        row = element
    elif covered:
        row = covered[0]
    else:
        around = max(able, key=lambda one: (shared[one.row], -one.row))
        is_part = shared[around.row] >= _INSIDE * max(words.total(), 1)
        row = around.row if is_part else _nearest(node, able, taken)
    taken.add(row)
    return row, tuple(sorted({row, *covered}))


def _covered(words: Counter[str], blocks: Sequence[_Block]) -> list[int]:
    """Return the rows of the blocks whose words are among some words, each of which stands for one alone."""
    left, rows = Counter(words), list[int]()
    for block in blocks:
        if _is_covered(block, left):
            rows.append(block.row)
            left -= block.words
    return rows


def _able(node: SeenNode, blocks: Sequence[_Block], words: Counter[str]) -> Sequence[_Block]:
    """Return the blocks that a node may stand at: of a page header or footer such blocks, of anything else others.

    All where there are none of these, or where only of the others one has its words: parsing may err in what runs.
    """
    is_furniture = KIND_BY_LABEL[node.kind] in FURNITURE
    alike = [one for one in blocks if (one.kind in FURNITURE) == is_furniture]
    others = [one for one in blocks if (one.kind in FURNITURE) != is_furniture]
    has_words = any(_is_covered(one, words) for one in others) and not any(one.words & words for one in alike)
    return blocks if has_words or not alike else alike


def _is_covered(block: _Block, words: Counter[str]) -> bool:
    return bool(block.words) and (block.words & words).total() >= _COVERED * block.words.total()


def _element(
    node: SeenNode, blocks: Sequence[_Block], words: Counter[str], taken: set[int], between: range
) -> int | None:
    """Return the row of an element: of the blocks of its kind that have its words or are where it is said to stand.

    Of these, and of all where there are none, one between the texts it was told between, one that no other node stands
    at, one with most of its words, the nearest.
    """
    kind = KIND_BY_LABEL[node.kind]
    if kind not in ELEMENTS:
        return None
    rows = [one for one in blocks if one.kind in _ALIKE[kind]]
    if not rows:
        return None

    def rank(one: _Block) -> tuple[object, ...]:
        is_likely = _is_covered(one, words) or _reaches(one.box, node.position)
        shared = (one.words & words).total()
        chosen = (not is_likely, one.row not in between, one.row in taken)
        return (*chosen, -shared, one.kind != kind, _distance(node, one), one.row)

    return min(rows, key=rank).row


def _nearest(node: SeenNode, blocks: Sequence[_Block], taken: Collection[int]) -> int:
    kind = KIND_BY_LABEL[node.kind]
    return min(blocks, key=lambda one: (one.row in taken, one.kind != kind, _distance(node, one), one.row)).row


def _field(position: str) -> tuple[int, int]:
    """Return how manieth across and down of three by three fields a position is."""
    at = POSITIONS.index(position)
    return at % 3, at // 3


def _reaches(box: _Box, position: str) -> bool:
    """Return whether a box has a part in the field of a position."""
    across, down = _field(position)
    x0, y0, x1, y1 = box
    return x0 < (across + 1) / 3 and x1 > across / 3 and y0 < (down + 1) / 3 and y1 > down / 3


def _distance(node: SeenNode, block: _Block) -> float:
    """Return how far the middle of a block is from that of the field that a node is said to stand in, squared."""
    across, down = _field(node.position)
    return round((block.middle[0] - (across + 0.5) / 3) ** 2 + (block.middle[1] - (down + 0.5) / 3) ** 2, 6)
