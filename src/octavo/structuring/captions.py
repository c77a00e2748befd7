"""Captions, labels and what they belong to.

Owns the match of a page's captions and labels with its tables and figures. Knows nothing about other pages.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.document import Kind, LinkKind
from octavo.parsing.content import Box
from octavo.structuring import markers
from octavo.structuring.drafts import Draft

_FARTHEST = 60.0
_LABEL_SIZE = 0.85
_LABEL_LENGTH = 40
_BESIDE = 45.0
_UNDER = 16.0
_FIGURES = (Kind.FIGURE, Kind.CHART)


def link_captions(drafts: Sequence[Draft]) -> None:
    """Link each caption to the nearest table or figure of its sort above or below it, each to one at most."""
    captions = [item for item in drafts if item.kind == Kind.CAPTION]
    shown = [item for item in drafts if item.kind in (Kind.TABLE, *_FIGURES)]
    pairs = sorted(
        (distance, at, to)
        for at, caption in enumerate(captions)
        for to, target in enumerate(shown)
        if _fits(caption, target) and (distance := _distance(caption, target)) < _FARTHEST
    )
    linked: set[int] = set()
    taken: set[int] = set()
    for _, at, to in pairs:
        if at not in linked and to not in taken:
            captions[at].targets.append((shown[to], LinkKind.CAPTION_OF))
            linked.add(at)
            taken.add(to)


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
        and 0 < item.look.size < _LABEL_SIZE * body
        and len(item.text) < _LABEL_LENGTH * len(item.lines)
        and not markers.is_source_note(item.text)
    )


def _is_around(item: Draft, box: Box) -> bool:
    a = item.box
    beside = a[1] >= box[1] - 3 and a[3] <= box[3] + 3 and max(a[0] - box[2], box[0] - a[2]) < _BESIDE
    under = a[0] >= box[0] - 20 and a[2] <= box[2] + 20 and max(a[1] - box[3], box[1] - a[3]) < _UNDER
    return beside or under


def _fits(caption: Draft, target: Draft) -> bool:
    word = markers.caption(caption.text)[:3].lower()
    if word == "tab":
        return target.kind == Kind.TABLE
    if word == "fig":
        return target.kind in _FIGURES or target.kind == Kind.TABLE
    return True


def _distance(caption: Draft, target: Draft) -> float:
    """Return the gap in points between a caption and what it may name; infinite when they share no x range."""
    a, b = caption.box, target.box
    if min(a[2], b[2]) - max(a[0], b[0]) < 0.3 * min(a[2] - a[0], b[2] - b[0]):
        return float("inf")
    gap = max(b[1] - a[3], a[1] - b[3], 0.0)
    return gap + (20.0 if target.kind == Kind.TABLE and markers.caption(caption.text)[:3].lower() == "fig" else 0.0)
