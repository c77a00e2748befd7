"""Captions, labels and what they belong to.

Owns the match of a page's captions and labels with its tables and figures. Knows nothing about other pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from octavo.document import FigureKind, Kind, LinkKind
from octavo.parsing.content import Box
from octavo.structuring import markers
from octavo.structuring.drafts import Draft
from octavo.structuring.figures.kinds import kind_in_words


class _Caption:
    """How far captions and labels stand from what they belong to, in points but for sizes; chosen by hand."""

    FARTHEST = 60.0  # gap between a caption and what it names
    SIDEWAYS = 12.0  # surcharge on the gap of a caption that stands beside
    CLOSE = 30.0  # gap to what stands in the caption's column without sharing its width
    LABEL_SIZE = 0.85  # type size of a label, by the body's
    LABEL_LENGTH = 40  # characters of a label's line
    BESIDE = 45.0  # gap of a label beside a drawing
    UNDER = 16.0  # gap of a label over or under a drawing


_FIGURES = (Kind.FIGURE, Kind.CHART)


def link_captions(drafts: Sequence[Draft]) -> None:
    """Link each caption to a table or figure of its sort over, under or beside it, each to one at most.

    Where the nearest would leave some without, all captions of the page stand on one side of what they name. What is
    called an exhibit and names nothing on the page is no caption, but the head of a part.
    """
    captions = [item for item in drafts if item.kind == Kind.CAPTION]
    shown = [item for item in drafts if item.kind in (Kind.TABLE, *_FIGURES)]
    pairs = [
        _Pair(distance, at, to, is_under=caption.box[1] > target.box[1])
        for at, caption in enumerate(captions)
        for to, target in enumerate(shown)
        if _fits(caption, target) and (distance := _distance(caption, target)) < _Caption.FARTHEST
    ]
    ways = (
        _matched(sorted(pairs, key=lambda pair: (pair.distance, pair.at, pair.to))),
        _matched(sorted(pairs, key=lambda pair: (not pair.is_under, pair.distance, pair.at, pair.to))),
        _matched(sorted(pairs, key=lambda pair: (pair.is_under, pair.distance, pair.at, pair.to))),
    )
    matched = max(ways, key=lambda way: (len(way), -sum(pair.distance for pair in way)))
    for pair in matched:
        caption, target = captions[pair.at], shown[pair.to]
        caption.targets.append((target, LinkKind.CAPTION_OF))
        _name(target, caption.text)
    for caption in captions:
        if not caption.targets and not caption.is_told and _word(caption) == "exh":
            caption.kind = Kind.PARAGRAPH


def _name(target: Draft, caption: str) -> None:
    """Set the kind of a figure whose shapes do not tell it by the words of its caption."""
    is_open = target.kind == Kind.FIGURE and target.figure == FigureKind.OTHER and not target.is_told
    if is_open and (named := kind_in_words(caption)):
        target.kind, target.figure = named


@dataclass(frozen=True, slots=True)
class _Pair:
    """A caption and what it may name, by their places in the page's lists; `distance` in points."""

    distance: float
    at: int
    to: int
    is_under: bool


def _matched(pairs: Iterable[_Pair]) -> list[_Pair]:
    """Return the pairs in the order given that share no caption and no target with one before."""
    found: list[_Pair] = []
    linked, taken = set[int](), set[int]()
    for pair in pairs:
        if pair.at not in linked and pair.to not in taken:
            found.append(pair)
            linked.add(pair.at)
            taken.add(pair.to)
    return found


def take_labels(drafts: list[Draft], body: float) -> None:
    """Move small text beside or under a drawing (legends, axis titles) into its block; shortens `drafts`."""
    for shown in [item for item in drafts if item.kind in _FIGURES]:
        x0, y0, x1, y1 = shown.box
        labels = [item for item in drafts if _is_label(item, body) and _is_around(item, (x0, y0, x1, y1))]
        for label in labels:
            drafts.remove(label)
            shown.text = f"{shown.text}\n{label.text}".strip()
            shown.lines = shown.lines + label.lines
            a, b = shown.box, label.box
            shown.box = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))


def _is_label(item: Draft, body: float) -> bool:
    return (
        item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM)
        and not item.is_told
        and 0 < item.look.size < _Caption.LABEL_SIZE * body
        and len(item.text) < _Caption.LABEL_LENGTH * len(item.lines)
        and not markers.is_source_note(item.text)
    )


def _is_around(item: Draft, box: Box) -> bool:
    a = item.box
    beside = a[1] >= box[1] - 3 and a[3] <= box[3] + 3 and max(a[0] - box[2], box[0] - a[2]) < _Caption.BESIDE
    under = a[0] >= box[0] - 20 and a[2] <= box[2] + 20 and max(a[1] - box[3], box[1] - a[3]) < _Caption.UNDER
    return beside or under


def _word(caption: Draft) -> str:
    """Return the first three letters of a caption's label."""
    return markers.caption(caption.text)[:3].lower()


def _fits(caption: Draft, target: Draft) -> bool:
    word = _word(caption)
    if word == "tab":
        return target.kind == Kind.TABLE
    if word == "fig":
        return target.kind in _FIGURES or target.kind == Kind.TABLE
    return True


def _distance(caption: Draft, target: Draft) -> float:
    """Return the gap in points between a caption and what it may name, with a surcharge for what is less usual.

    It is infinite for boxes that share neither enough of their width nor of their height.
    """
    a, b = caption.box, target.box
    unusual = 20.0 if target.kind == Kind.TABLE and _word(caption) == "fig" else 0.0
    if min(a[2], b[2]) - max(a[0], b[0]) >= 0.3 * min(a[2] - a[0], b[2] - b[0]):
        return _gap(a, b) + unusual
    if caption.column == target.column and _gap(a, b) < _Caption.CLOSE:
        return _gap(a, b) + _Caption.SIDEWAYS + unusual
    if min(a[3], b[3]) - max(a[1], b[1]) >= 0.5 * min(a[3] - a[1], b[3] - b[1]):
        return max(b[0] - a[2], a[0] - b[2], 0.0) + _Caption.SIDEWAYS + unusual
    return float("inf")


def _gap(a: Box, b: Box) -> float:
    """Return the height in points between two boxes."""
    return max(b[1] - a[3], a[1] - b[3], 0.0)
