"""What stands beside a table and was found as a part of it: other tables, and paragraphs.

Tables are parted where each has its own caption, rules or heads; a paragraph is told by how its lines are wrapped.

One table may have a wide gap, rules under some of its columns, or numbers twice over. So a gap alone parts nothing that
has no labels of its own on its right.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence

from octavo_documents.document import Kind
from octavo_documents.parsing.content import Graphic
from octavo_documents.structuring import markers
from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.structuring.regions import Region
from octavo_documents.structuring.tables.columns import stretches_of
from octavo_documents.structuring.tables.rows import is_data
from octavo_documents.structuring.tables.ruled import Rules, rules_of
from octavo_documents.text.punctuation import SENTENCE_ENDS

_NARROWEST, _WIDE = 0.8, 4.0
"""Gap between two tables, in ems: the least, and from which on it may part them where they have no rules."""
_WIDER = 1.8
"""Gap between two tables without rules, by the widest between the columns of either."""
_COVERED = 0.8
"""Share of a table's width that its own rules run over."""
_FEWEST = 3
"""Rows of each table, its heads among them."""
_LABELLED = 0.8
"""Share of the rows of a table that begin with a label."""
_WORDS, _FULL = 3, 0.97
"""Spaces in each line of a paragraph, and the share of its width that a line and the next word take together."""
_CAPTION = 3.0
"""Ems from the foot of a caption to its table."""

_Rows = Sequence[Sequence[int]]
_Gap = tuple[float, float]


def abreast(page: PageLines, table: Region, graphics: Sequence[Graphic], em: float) -> list[Region]:
    """Return the tables in a region, left to right; the region as it is where it holds one."""
    if table.kind != Kind.TABLE or table.is_from_model or len(table.lines) < 2 * _FEWEST:
        return [table]
    gaps = list(_gaps(page, table.lines, em))
    if not gaps:
        return [table]
    x0, y0, x1, y1 = table.box
    rules = rules_of(graphics, (x0 - em, y0 - em, x1 + em, y1 + em))
    for gap in gaps:
        left, right = (_part(page, table, gap, is_left=is_left) for is_left in (True, False))
        rows, others = row_groups(page.places, left.lines), row_groups(page.places, right.lines)
        for part, own, other in ((right, others, rows), (left, rows, others)):
            if _is_beside_text(page, own, other, rules):
                return abreast(page, part, graphics, em)
        if min(len(rows), len(others)) >= _FEWEST and (
            _have_captions(page, table, gap, em)
            or _have_rules(rules, left, right)
            or _have_heads(page, rows, others)
            or _have_room(page, gap, gaps, rows, others, em)
        ):
            return [*abreast(page, left, graphics, em), *abreast(page, right, graphics, em)]
    return [table]


def _gaps(page: PageLines, lines: Sequence[int], em: float) -> Iterator[_Gap]:
    """Yield the gaps from left to right that no line of a table crosses."""
    reached = float("inf")
    for x0, x1 in sorted((float(page.places[line, 0]), float(page.places[line, 2])) for line in lines):
        if x0 - reached > _NARROWEST * em:
            yield reached, x0
        reached = x1 if reached == float("inf") else max(reached, x1)


def _part(page: PageLines, table: Region, gap: _Gap, *, is_left: bool) -> Region:
    """Return what stands on one side of a gap."""
    middle = sum(gap) / 2
    lines = tuple(line for line in table.lines if (float(page.places[line, 0]) < middle) == is_left)
    x0, y0, x1, y1 = page.hull(lines)
    left, top, right, bottom = table.box
    is_whole = y1 - y0 > _COVERED * (bottom - top)
    sides = (left, middle) if is_left else (middle, right)
    box = (sides[0], top, sides[1], bottom) if is_whole else (min(sides[0], x0), y0, max(sides[1], x1), y1)
    return dataclasses.replace(table, box=box, lines=lines)


def _have_captions(page: PageLines, table: Region, gap: _Gap, em: float) -> bool:
    """Return whether two captions stand beside each other over or under a table, one on each side of a gap."""
    _, top, _, bottom = table.box
    found = [
        line
        for line in range(len(page))
        if (top - _CAPTION * em < page.places[line, 3] < top + em or 0 < page.places[line, 1] - bottom < _CAPTION * em)
        and markers.caption(page.texts[line])
    ]
    rows = row_groups(page.places, found) if len(found) > 1 else []
    return any(
        page.places[one, 2] < gap[1] and gap[0] < page.places[other, 0] < gap[1] + 2 * em
        for row in rows
        for one, other in itertools.pairwise(row)
    )


def _have_rules(rules: Rules, left: Region, right: Region) -> bool:
    """Return whether rules of its own run over each part, at two heights or more, and none over both."""
    middle = (left.box[2] + right.box[0]) / 2
    if any(first < middle < last for _, first, last in rules.runs):
        return False
    counts = [0, 0]
    for side, (x0, x1) in enumerate(((left.box[0], middle), (middle, right.box[2]))):
        heights = [y for y, first, last in rules.runs if min(last, x1) - max(first, x0) > _COVERED * (x1 - x0)]
        counts[side] = len({round(y) for y in heights})
    return min(counts) > 1


def _have_heads(page: PageLines, rows: _Rows, others: _Rows) -> bool:
    """Return whether the right part begins with the heads of the left one again, and both with labels."""
    heads, again = ([part.text for line in part[0] for part in stretches_of(page, line)] for part in (rows, others))
    is_again = len(heads) > 1 and heads == again[: len(heads)] and not is_data(heads[0])
    return is_again and _are_labelled(page, rows) and _are_labelled(page, others)


def _have_room(page: PageLines, gap: _Gap, gaps: Sequence[_Gap], rows: _Rows, others: _Rows, em: float) -> bool:
    """Return whether a gap is much wider than all others, and each part has labels with values right of them."""
    width = gap[1] - gap[0]
    rest = max((other[1] - other[0] for other in gaps if other is not gap), default=0.0)
    if width < max(_WIDE * em, _WIDER * rest):
        return False
    return all(_are_labelled(page, part) and _have_values(page, part) for part in (rows, others))


def _is_beside_text(page: PageLines, rows: _Rows, others: _Rows, rules: Rules) -> bool:
    """Return whether rows are a table and what stands beside them is a paragraph, without rules of its own."""
    if min(len(rows), len(others)) < _FEWEST or any(len(row) > 1 for row in others):
        return False
    lines = [row[0] for row in others]
    x0, _, x1, _ = page.hull(lines)
    is_ruled = any(min(last, x1) - max(first, x0) > _COVERED * (x1 - x0) for _, first, last in rules.runs)
    return not is_ruled and _is_wrapped(page, lines, x1 - x0) and _are_labelled(page, rows) and _have_values(page, rows)


def _is_wrapped(page: PageLines, lines: Sequence[int], width: float) -> bool:
    """Return whether each line has several words, ends no sentence, and has no room for the first word of the next."""
    for line, after in itertools.pairwise(lines):
        text, following = page.texts[line], page.texts[after]
        word = following.split(maxsplit=1)[0] if following.strip() else ""
        own, other = (float(page.places[one, 2] - page.places[one, 0]) for one in (line, after))
        needed = other * (len(word) + 1) / max(len(following), 1)
        if text.count(" ") < _WORDS or text.endswith(SENTENCE_ENDS) or own + needed < _FULL * width:
            return False
    return True


def _are_labelled(page: PageLines, rows: _Rows) -> bool:
    """Return whether most rows begin with what is no number, in a column of their own."""
    labels = sum(len(row) > 1 and not is_data(page.texts[row[0]]) for row in rows)
    return labels >= _LABELLED * len(rows)


def _have_values(page: PageLines, rows: _Rows) -> bool:
    valued = sum(any(is_data(page.texts[line]) for line in row[1:]) for row in rows[1:])
    return valued >= _LABELLED * (len(rows) - 1)
