"""What slides of any program have in common: reading order by position, titles, notes, and their labels."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowBlock

_SHORT = 90
"""Characters of a text that may stand for a missing title."""
_SHRINK = 0.04
"""Share of a shape's size by which neighbours may overlap and still count as apart."""
_WIDE = 0.6
"""Share of the width of all from which on a shape parts those above from those below."""
_DEEPEST = 40
_SECTION = 2
"""The level of the heading that names a section."""


@dataclass(frozen=True, slots=True)
class Box:
    """Where a shape stands, in any unit, origin at the top left."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Shape:
    """What a shape says. Without a box it keeps its place in the file."""

    blocks: Sequence[FlowBlock]
    box: Box | None = None


@dataclass(slots=True)
class Slide:
    """A slide. `level` is that of its title: 1 for that of all slides, 3 where it begins a section, 4 elsewhere."""

    number: int
    title: str = ""
    level: int = 4
    shapes: list[Shape] = field(default_factory=list[Shape])
    footnotes: list[str] = field(default_factory=list[str])
    """Notes of the speaker and comments."""
    section: str = ""
    """The name of the section that begins with it."""


def holds(outer: Box, inner: Box) -> bool:
    """Whether a box holds all of another."""
    is_across = outer.left <= inner.left and outer.right >= inner.right
    return is_across and outer.top <= inner.top and outer.bottom >= inner.bottom


def cover(shapes: list[Shape], box: Box, hide: Callable[[str], None]) -> None:
    """Take away the shapes that something drawn at a place hides, and note their words; pictures stay."""
    for at in range(len(shapes) - 1, -1, -1):
        where, blocks = shapes[at].box, shapes[at].blocks
        if where is not None and holds(box, where) and all(block.kind != Kind.FIGURE for block in blocks):
            del shapes[at]
            hide(" ".join(block.text for block in blocks))


def slide_blocks(slide: Slide) -> Iterator[FlowBlock]:
    """Yield the blocks of a slide: its title as a heading, shapes in reading order, footnotes.

    The first names the part. Where no title is given, a short text above all others stands for it, else the number.
    """
    label = f"slide {slide.number}"
    said = [block for shape in in_order(slide.shapes) for block in shape.blocks]
    title = slide.title
    if not title and said and said[0].kind == Kind.PARAGRAPH and len(said[0].text) <= _SHORT:
        title = said.pop(0).text
    found: list[FlowBlock] = []
    section = [FlowBlock(Kind.HEADING, slide.section, _SECTION)] if slide.section else []
    if slide.level > _SECTION:
        found += section
    if title or said or slide.footnotes:
        found.append(FlowBlock(Kind.HEADING, title or f"Slide {slide.number}", slide.level))
    found += said
    found += [FlowBlock(Kind.FOOTNOTE, text) for text in slide.footnotes]
    if slide.level <= _SECTION:
        found += section  # what names the whole comes before it
    if found:
        yield replace(found[0], part=label)
        yield from found[1:]


def in_order(shapes: Iterable[Shape]) -> list[Shape]:
    """Return shapes as they are read: cut again and again at the widest gap, from top to bottom or left to right.

    Shapes without a place come last, in their own order. The method is the recursive X-Y cut (Nagy and Seth, 1984).
    """
    placed = [(shape, _shrunk(shape.box)) for shape in shapes if shape.box is not None]
    return [*_cut(placed, 0), *(shape for shape in shapes if shape.box is None)]


_Placed = tuple[Shape, Box]


def _cut(shapes: Sequence[_Placed], depth: int) -> list[Shape]:
    if len(shapes) < 2:
        return [shape for shape, _ in shapes]
    across = _widest([(box.top, box.bottom) for _, box in shapes])
    down = _widest([(box.left, box.right) for _, box in shapes])
    if depth > _DEEPEST or (across is None and down is None):
        return [shape for shape, _ in sorted(shapes, key=lambda one: (one[1].top, one[1].left))]
    parts = _bands(shapes) if down is None else []
    if not parts and (down is None or (across is not None and across[0] >= down[0])):
        at = across[1] if across else 0.0
        parts = [[one for one in shapes if (one[1].top >= at) is is_below] for is_below in (False, True)]
    elif not parts and down is not None:
        parts = [[one for one in shapes if (one[1].left >= down[1]) is is_right] for is_right in (False, True)]
    return [shape for part in parts for shape in _cut(part, depth + 1)]


def _bands(shapes: Sequence[_Placed]) -> list[list[_Placed]]:
    """Return the bands that shapes about as wide as all lie between, these among them; nothing where none parts any."""
    left, right = min(box.left for _, box in shapes), max(box.right for _, box in shapes)
    least = _WIDE * (right - left)
    wide = sorted((one for one in shapes if one[1].right - one[1].left > least), key=_middle)
    rest = sorted((one for one in shapes if one[1].right - one[1].left <= least), key=_middle)
    if not wide or not rest:
        return []
    bounds = [bisect_left(rest, _middle(one), key=_middle) for one in wide]
    found: list[list[_Placed]] = []
    for one, start, end in zip(wide, [0, *bounds], bounds, strict=False):
        found += [rest[start:end], [one]]
    return [part for part in (*found, rest[bounds[-1] :]) if part]


def _middle(one: _Placed) -> float:
    return one[1].top + one[1].bottom


def _widest(spans: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Return the widest gap between spans and where it ends; None where there is none."""
    best: tuple[float, float] | None = None
    reached: float | None = None
    for start, end in sorted(spans):
        if reached is not None and start >= reached and (best is None or start - reached > best[0]):
            best = (start - reached, start)
        reached = end if reached is None else max(reached, end)
    return best


def _shrunk(box: Box) -> Box:
    x, y = (box.right - box.left) * _SHRINK, (box.bottom - box.top) * _SHRINK
    return Box(box.left + x, box.top + y, box.right - x, box.bottom - y)
