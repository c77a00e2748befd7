"""Captions and what they name.

Owns the match of a page's captions with its tables and figures. Knows nothing about other pages.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.document import Kind, LinkKind
from octavo.structuring import markers
from octavo.structuring.drafts import Draft

_FARTHEST = 60.0
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
