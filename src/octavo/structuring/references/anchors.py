"""Link annotations of a page as links between blocks.

Owns which block and words an annotation lies on, and which block it leads to. Knows nothing about references in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from octavo.document import FURNITURE, Kind
from octavo.parsing.content import Annotation, PageContent, TextLine
from octavo.structuring.drafts import Draft
from octavo.structuring.headings.numbered import first_block
from octavo.structuring.references.labels import shown_by


class _Target:
    """Which block a link annotation means, chosen by hand."""

    SLACK = 6.0  # points over a target's height at which a block still is under it
    AHEAD = 30.0  # points by which a heading or caption below a target's height goes before other text
    LEFT_OF = 36.0  # points by which a target may lie left of the text it means
    SHORTEST = 6  # letters and digits under which words are too few to name a title


_LABELLED = (Kind.HEADING, Kind.CAPTION, Kind.TITLE)
_PLAIN = re.compile(r"[\W_]+")
_LEADER = re.compile(r"\s*(?:[.·…]\s?){3,}.*$", re.DOTALL)


class Anchors:
    """The blocks of a document by place."""

    def __init__(self, pages: Sequence[Sequence[Draft]]) -> None:
        self._pages = pages

    def links(self, page: PageContent) -> Iterator[tuple[Draft, str, Draft]]:
        """Yield the block an annotation lies on, its words, and the block it leads to."""
        inside = [item for item in page.annotations if 0 < item.page <= len(self._pages)]
        if not inside or not page.lines:
            return
        owner = {row: item for item in self._pages[page.number - 1] for row in item.lines}
        for annotation, row in zip(inside, _lines_under(inside, page.lines), strict=True):
            source = owner.get(row)
            if source is None:
                continue
            words = _words(page.lines[row], annotation)
            target = self._target(annotation, words)
            if target is not None:
                yield source, words, target

    def _target(self, annotation: Annotation, words: str) -> Draft | None:
        """Return the heading on the target's page that the words name, else what stands at the target's place."""
        page = self._pages[annotation.page - 1]
        height = annotation.y
        named = [item for item in page if item.kind in _LABELLED and _names(words, item.text)]
        if named:
            return shown_by(min(named, key=lambda item: abs(item.box[1] - (height or 0.0))))
        below = [
            item for item in page if item.kind not in FURNITURE and height and item.box[1] >= height - _Target.SLACK
        ]
        if not below or height is None:
            return first_block(page)
        below = [item for item in below if _is_in_column(annotation.x, item)] or below
        return shown_by(
            min(below, key=lambda item: item.box[1] - height - (_Target.AHEAD if item.kind in _LABELLED else 0.0))
        )


def _names(words: str, text: str) -> bool:
    """Whether words are a title, or the greater part of one, as in a list of contents."""
    said, title = _PLAIN.sub("", words).casefold(), _PLAIN.sub("", text).casefold()
    return said in title and len(said) >= max(_Target.SHORTEST, len(title) / 2)


def _is_in_column(x: float | None, item: Draft) -> bool:
    return x is not None and item.box[0] - _Target.LEFT_OF <= x < item.box[2]


def _lines_under(annotations: Sequence[Annotation], lines: Sequence[TextLine]) -> list[int]:
    """Return for each annotation the row of the line that shares most of its area, -1 for none."""
    a = np.array([item.box for item in annotations])[:, None, :]
    b = np.array([line.box for line in lines])[None, :, :]
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    shared = np.maximum(width, 0) * np.maximum(height, 0)
    best = shared.argmax(axis=1)
    return np.where(shared.max(axis=1) > 0, best, -1).tolist()


def _words(line: TextLine, annotation: Annotation) -> str:
    """Return the words of a line that an annotation covers, told from how far along the line they stand."""
    x0, x1 = line.box[0], line.box[2]
    step = max(x1 - x0, 1e-6) / max(len(line.text), 1)
    first, last = (annotation.box[0] - x0) / step, (annotation.box[2] - x0) / step
    words = [
        found.group()
        for found in re.finditer(r"\S+", line.text)
        if first - 1 <= (found.start() + found.end()) / 2 <= last + 1
    ]
    return _LEADER.sub("", " ".join(words) or line.text).strip(" ,;:()")
