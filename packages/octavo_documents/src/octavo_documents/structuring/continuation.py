"""Paragraphs and tables that go on in the next column or on the next page.

A paragraph goes on in the next text that looks like it, whatever stands between: tables and pictures at the head of a
column, text of another size. A table with a number of its own goes on from none with another number.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence

from octavo_documents.document import FURNITURE, Kind, LinkKind
from octavo_documents.document.grid import Grid
from octavo_documents.structuring import markers
from octavo_documents.structuring.drafts import Draft
from octavo_documents.text.punctuation import COLONS, SENTENCE_ENDS, has_no_case

_ENDS = (*SENTENCE_ENDS, *COLONS, ".”", '."', ".)", "。”", "。」", "。）")
_OPEN = re.compile(r"(?:[-,]|\b(?:of|the|an?|and|or|in|to|from|with|for|by|on|at|as|that|which|than|between|see))$")
"""How a text ends that cannot be over, however the next one begins."""


class _Parts:
    """When a text or table goes on from another, chosen by hand."""

    # A tenth higher costs .017 of the cells of generated tables, a tenth lower none (`benchmarks/ablation.py`).
    # Characters under which a text is too little of a paragraph to be cut, or to go on what only its end says is cut
    SHORTEST = 30
    SAME_SIZE = 0.6  # points by which the type sizes of two parts differ
    SAME_SIDES = 0.9  # least share of their common width that the parts of an unruled table cover both


_TEXTS = (Kind.PARAGRAPH, Kind.LIST_ITEM)
_BETWEEN = (Kind.HEADING, Kind.TITLE, Kind.CODE, Kind.FORMULA)
_BESIDE = (Kind.FIGURE, Kind.CHART, Kind.CAPTION, Kind.FOOTNOTE, *FURNITURE)
_SAME_CELLS = 0.75
"""Least share of equal cells in the first rows of two tables, from which the second repeats the heads of the first."""


def link_continuations(pages: Sequence[Sequence[Draft]]) -> None:
    """Link a paragraph or table to the one it goes on from, across columns and pages."""
    labels = _labels(pages)
    before: Draft | None = None
    texts: list[Draft] = []
    for page in pages:
        for item in page:
            if item.kind in _BESIDE:
                continue
            if item.kind == Kind.TABLE and before is not None and _is_same_table(before, item, labels):
                item.targets.append((before, LinkKind.CONTINUES))
                item.grid = continued(Grid.from_json(before.grid), Grid.from_json(item.grid)).to_json()
            elif item.kind == Kind.PARAGRAPH and (begun := _begun(texts, item)) is not None:
                item.targets.append((begun, LinkKind.CONTINUES))
            texts = _later_texts(texts, item)
            before = item


def _labels(pages: Sequence[Sequence[Draft]]) -> dict[int, str]:
    """Return what captions call the tables they belong to ("Table 3"), by the draft's id."""
    drafts = [item for page in pages for item in page]
    captions = [(item, target) for item in drafts for target, kind in item.targets if kind == LinkKind.CAPTION_OF]
    return {id(target): markers.caption(item.text) for item, target in captions}


def _later_texts(texts: list[Draft], item: Draft) -> list[Draft]:
    """Return the texts that a later one may go on from: the last of each look since what no paragraph runs across."""
    if item.kind in _BETWEEN:
        return []
    if item.kind not in _TEXTS:
        return texts
    return [*(text for text in texts if not _alike(text, item)), item]


def _begun(texts: Sequence[Draft], item: Draft) -> Draft | None:
    """Return the text that a paragraph goes on from: the last one like it, where that is not over."""
    before = next((text for text in texts if _alike(text, item)), None)
    if before is None or (before.page, before.column) == (item.page, item.column) or item.page - before.page > 1:
        return None
    if before.text.endswith(_ENDS) or len(before.text) < _Parts.SHORTEST:
        return None
    is_long = len(item.text) >= _Parts.SHORTEST
    goes_on = item.text.lstrip("(“")[:1].islower() or (is_long and (_is_open(before.text) or _is_cut(before)))
    return before if goes_on else None


def _alike(one: Draft, other: Draft) -> bool:
    return abs(one.look.size - other.look.size) < _Parts.SAME_SIZE and one.look.bold == other.look.bold


def _is_open(text: str) -> bool:
    return bool(_OPEN.search(text)) or text.rfind("(") > text.rfind(")")


def _is_cut(before: Draft) -> bool:
    """Return whether a paragraph of several lines in a script without capitals ends as none does."""
    return before.kind == Kind.PARAGRAPH and len(before.lines) > 1 and has_no_case(before.text.rstrip("，；、،؛"))


def _is_same_table(before: Draft, item: Draft, labels: Mapping[int, str]) -> bool:
    """Return whether two parts are one table: as many columns, and the same header, or the same sides and no other."""
    if before.kind != Kind.TABLE or item.page - before.page != 1:
        return False
    label, own = labels.get(id(before), ""), labels.get(id(item), "")
    first, second = Grid.from_json(before.grid), Grid.from_json(item.grid)
    if not (first.cells and second.cells) or (own and label and own != label):
        return False
    if repeated_rows(first, second):
        return True
    return own == "" and first.width == second.width and _has_same_sides(before, item)


def _has_same_sides(one: Draft, other: Draft) -> bool:
    shared = min(one.box[2], other.box[2]) - max(one.box[0], other.box[0])
    return shared >= _Parts.SAME_SIDES * (max(one.box[2], other.box[2]) - min(one.box[0], other.box[0]))


def repeated_rows(first: Grid, second: Grid) -> int:
    """Return how many rows at the top of `second` print the header of `first` again."""
    above, below = first.rows(), second.rows()
    count = 0
    for one, other in zip(above[: max(first.header_rows, 1)], below, strict=False):
        if not _are_same_rows(one, other):
            break
        count += 1
    return count if count >= first.header_rows else 0


def _are_same_rows(one: list[str], other: list[str]) -> bool:
    """Return whether rows have the same texts in the same order, but for a few that two pages part otherwise."""
    first, second = "".join("".join(one).split()), "".join("".join(other).split())
    if first == second:
        return bool(first)
    shared = len(set(filter(None, one)) & set(filter(None, other)))
    return shared >= 2 and shared >= _SAME_CELLS * max(len(list(filter(None, one))), len(list(filter(None, other))))


def continued(first: Grid, second: Grid) -> Grid:
    """Return `second` as the part of a table that `first` begins: its repeated header marked, or `first`'s kept."""
    count = repeated_rows(first, second)
    if count:
        return dataclasses.replace(
            second, header_rows=count, header_columns=first.header_columns, repeated=count, carried=()
        )
    carried = tuple(first.headers()) if first.width == second.width else ()
    return dataclasses.replace(second, header_rows=0, header_columns=first.header_columns, carried=carried)
