"""The shape of what is asked about: how many documents, how long, how deep, scanned or not, slides or not.

Owns the figures a planner reads of a view, in arrays. Knows nothing about questions.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Kind, View

_SLIDES = 0.8
"""Share of pages wider than high from which a document counts as slides."""
_SCANNED = 0.5


@dataclasses.dataclass(frozen=True, slots=True)
class Shape:
    """Figures of all documents in scope together.

    `depth` is the level of the deepest heading, 0 for none; `scanned` and `wide` are shares of pages, 0..1: those read
    as images, and those wider than high; `tables` and `pictures` count blocks.
    """

    documents: int
    pages: int
    depth: int
    sections: int
    scanned: float
    wide: float
    tables: int
    pictures: int

    @classmethod
    def of(cls, view: View) -> Shape:
        """Return the shape of a view, worked out once for each view."""
        return view.derived("shape", lambda: _shape(view))

    @property
    def is_collection(self) -> bool:
        """Whether several documents are asked at once."""
        return self.documents > 1

    @property
    def is_scanned(self) -> bool:
        """Whether most pages were read as images."""
        return self.scanned >= _SCANNED

    @property
    def is_slides(self) -> bool:
        """Whether nearly all pages are wider than high."""
        return self.wide >= _SLIDES

    def told(self) -> str:
        """Return the shape in a few words: "28 pages, 3 levels of headings, scanned"."""
        documents = [f"{self.documents} documents"] * self.is_collection
        depth = f"{self.depth} level{'s' * (self.depth > 1)} of headings" if self.depth else "no headings"
        return ", ".join(
            [
                *documents,
                f"{self.pages} page{'s' * (self.pages != 1)}",
                depth,
                *["scanned"] * self.is_scanned,
                *["slides"] * self.is_slides,
            ]
        )


def _shape(view: View) -> Shape:
    heads = view.sections()
    pages = [document.pages for document in view.documents]
    scanned = np.concatenate([np.zeros(0, np.bool_), *(one.is_scanned for one in pages)])
    wide = np.concatenate([np.zeros(0, np.bool_), *(one.width > one.height for one in pages)])
    return Shape(
        documents=len(view.documents),
        pages=int(view.page_starts[-1]),
        depth=int(view.blocks.level[heads].max()) if len(heads) else 0,
        sections=len(heads),
        scanned=float(scanned.mean()) if len(scanned) else 0.0,
        wide=float(wide.mean()) if len(wide) else 0.0,
        tables=int(view.of_kind(Kind.TABLE).sum()),
        pictures=int(view.of_kind(Kind.FIGURE, Kind.CHART).sum()),
    )


def main_titles(view: View, count: int) -> tuple[str, ...]:
    """Return the titles of the first `count` sections that stand in no other."""
    rows = [int(row) for row in view.sections() if view.blocks.parent[row] < 0]
    return tuple(" ".join(text.split()) for text in view.blocks.text.take(rows[:count]))
