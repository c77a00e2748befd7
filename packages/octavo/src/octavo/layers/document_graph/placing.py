"""Which blocks the nodes of a page stand at: by their words, and by where on the page they are said to be.

Whatever is told of a page is a node of its own: several stand at one block where parsing has cut the page otherwise,
as where it took four charts for one figure, or a heading for a part of the figure below it. The figures, charts, tables
and formulas of a page are placed together: charts side by side have much the same labels, and each is to get its own.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from octavo.decisions.extract_nodes import SeenNode
from octavo.evidence.document_graph import POSITIONS
from octavo.layers.descriptions import ELEMENTS
from octavo.layers.document_graph.assignment import assigned
from octavo_documents.document import FURNITURE, KIND_BY_LABEL, PICTURED, Document, Kind
from octavo_documents.text.lines import on_one_line

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
_MISTAKEN = {Kind.CHART: (Kind.TABLE,), Kind.FIGURE: (Kind.TABLE,)}
"""What parsers take an element for by mistake: it is one if its words say so, or for want of others."""
_HEADINGS = (Kind.TITLE, Kind.HEADING)
_FAR, _OTHER_KIND, _MISTAKE = 0.3, 0.1, 0.3
"""What distance, in pages squared, another kind and a mistaken one cost beside the share of words that is lacking."""
_SHARING, _ELSEWHERE = 1.8, 1_000.0
"""What it costs to have no block of one's own, more than any of them, and to have one where the node cannot be."""
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
    words = [_words(f"{one.title}\n{one.content}" if one.kind == "heading" else one.content) for one in nodes]
    elements = _elements(nodes, words, blocks)
    taken = {*elements.values()}
    # Elements first: their captions and labels are not to be taken for texts of their own.
    order = sorted(range(len(nodes)), key=lambda at: KIND_BY_LABEL[nodes[at].kind] not in ELEMENTS)
    places = {at: _place(nodes[at], words[at], blocks, taken, elements.get(at)) for at in order}
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
        found.append(_Block(row, table.kind_of(row), _words(table.text[row]), box))
    return found


def _words(text: str) -> Counter[str]:
    return Counter(word.casefold() for word in _WORD.findall(text))


def _plain(text: str) -> str:
    return on_one_line(text.casefold())


def _place(
    node: SeenNode, words: Counter[str], blocks: Sequence[_Block], taken: set[int], element: int | None
) -> tuple[int, tuple[int, ...]]:
    """Return the row that a node stands at, which is then taken, and all rows whose words it has.

    `element` is the row of an element that has one.
    """
    shared = {block.row: (block.words & words).total() for block in blocks}
    able = _able(node, blocks, words)
    covered = _covered(words, sorted(able, key=lambda one: (-shared[one.row], one.row in taken, one.row)))
    if element is not None:
        row = element
    elif covered:
        row = _best_of(node, covered, able)
    else:
        around = max(able, key=lambda one: (shared[one.row], -one.row))
        is_part = shared[around.row] >= _INSIDE * max(words.total(), 1)
        row = around.row if is_part else _nearest(node, able, taken)
    taken.add(row)
    return row, tuple(sorted({row, *covered}))


def _best_of(node: SeenNode, covered: Sequence[int], blocks: Sequence[_Block]) -> int:
    """Return the first of the rows whose words a node has; an element stands at its heading for want of others only."""
    heads = {one.row for one in blocks if one.kind in _HEADINGS}
    others = [row for row in covered if row not in heads] if KIND_BY_LABEL[node.kind] in ELEMENTS else []
    return (others or covered)[0]


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


@dataclasses.dataclass(frozen=True, slots=True)
class _Choice:
    """A block that an element may stand at, and what it costs."""

    block: _Block
    cost: float
    is_likely: bool
    is_between: bool


def _elements(nodes: Sequence[SeenNode], words: Sequence[Counter[str]], blocks: Sequence[_Block]) -> dict[int, int]:
    """Return the rows of the elements, by their numbers, of those that any block of the page may be.

    Each may be at a block that has its words or is where it is said to stand, of these at one between the texts it was
    told between; only where there are none at others. They are assigned together, so that what they have of their
    blocks' words is the most in all. One that is left over stands at a free block that parsing may have taken for
    something else, or at one that is another's too.
    """
    between = _between(nodes, blocks)
    choices: dict[int, list[_Choice]] = {}
    for at, node in enumerate(nodes):
        if KIND_BY_LABEL[node.kind] in ELEMENTS:
            choices[at] = _choices(node, _able(node, blocks, words[at]), words[at], between[at])
    choices = {at: some for at, some in choices.items() if some}
    found = _assigned(choices)
    for at in choices:
        if at not in found:
            free = [one for one in blocks if one.row not in found.values()]
            found[at] = _left_over(nodes[at], words[at], free, choices[at])
    return found


def _choices(node: SeenNode, blocks: Sequence[_Block], words: Counter[str], between: range) -> list[_Choice]:
    """Return the blocks that an element may be, those of them that are as likely as any, the cheapest first."""
    kind = KIND_BY_LABEL[node.kind]
    alike = [one for one in blocks if one.kind in _ALIKE[kind]]
    mistaken = [one for one in blocks if one.kind in _MISTAKEN.get(kind, ())]
    able = [*alike, *(one for one in mistaken if not alike or _is_covered(one, words))]
    choices = [_choice(node, one, words, between) for one in able]
    best = max(((one.is_likely, one.is_between) for one in choices), default=None)
    likeliest = [one for one in choices if (one.is_likely, one.is_between) == best]
    return sorted(likeliest, key=lambda one: (one.cost, one.block.row))


def _choice(node: SeenNode, block: _Block, words: Counter[str], between: range) -> _Choice:
    # One word more, which the node lacks: a single word that it has by chance is not to be the whole of a block.
    lacks = 1 - (block.words & words).total() / (block.words.total() + 1)
    kind = KIND_BY_LABEL[node.kind]
    other = _MISTAKE if block.kind in _MISTAKEN.get(kind, ()) else _OTHER_KIND * (block.kind != kind)
    cost = lacks + _FAR * _distance(node, block) + other
    is_likely = _is_covered(block, words) or _reaches(block.box, node.position)
    return _Choice(block, cost, is_likely, block.row in between)


def _assigned(choices: Mapping[int, Sequence[_Choice]]) -> dict[int, int]:
    """Return the rows of elements, each at one of its blocks, no two at one; who gets none is left out."""
    rows = sorted({one.block.row for some in choices.values() for one in some})
    cost = np.full((len(choices), len(rows) + len(choices)), _ELSEWHERE)
    for line, some in enumerate(choices.values()):
        cost[line, len(rows) + line] = _SHARING
        for one in some:
            cost[line, rows.index(one.block.row)] = one.cost
    columns = assigned(cost).tolist()
    return {at: rows[column] for at, column in zip(choices, columns, strict=True) if column < len(rows)}


def _left_over(node: SeenNode, words: Counter[str], free: Sequence[_Block], choices: Sequence[_Choice]) -> int:
    """Return the row of an element that got no block of its own."""
    mistaken = [one for one in free if one.kind in _MISTAKEN.get(KIND_BY_LABEL[node.kind], ())]
    likely = [one for one in (_choice(node, block, words, range(0)) for block in mistaken) if one.is_likely]
    return min(likely or choices, key=lambda one: (one.cost, one.block.row)).block.row


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
