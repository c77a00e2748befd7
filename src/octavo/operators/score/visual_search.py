"""Visual search: from a question to the pages and elements that look like it (DMAP equation 8)."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from octavo.document import Evidence, TraceStep, View
from octavo.errors import CorpusError, ModelError, UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run

VISUAL = "visual"
"""The column of blocks on pages that look like the question: the cosine of the page, or of its best element."""
SEEN = "seen"
"""The source of the figures, charts and tables that were found themselves, and not as parts of their page."""


@dataclasses.dataclass(frozen=True)
class VisualSearch(Step[Evidence, Evidence]):
    """Find the `count` pages that, or elements of which, come nearest to the question in an image-text model's space.

    Without such a model, or where pictures were not embedded with it, nothing is found; a step "skipped" says why.
    """

    count: int = 4

    def __post_init__(self) -> None:
        if self.count < 1:
            raise UsageError("VisualSearch takes a count of one or more")

    def needs(self) -> frozenset[str]:
        """Return the layer of pictures' vectors, which is only there where an image-text model is named."""
        return frozenset({"visual_vectors"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the content blocks of these pages with the column `visual`, and the columns they came with."""
        view = value.view
        cosines = _cosines(view, using)
        pages, elements = view.visuals if len(cosines) else (np.zeros(0, np.int64),) * 2
        best = np.full(int(view.page_starts[-1]), -np.inf)
        seen: list[int] = []
        for at in np.argsort(-cosines, kind="stable").tolist():
            page = int(pages[at])
            is_new = not np.isfinite(best[page])
            if np.isnan(cosines[at]) or (is_new and np.count_nonzero(np.isfinite(best)) == self.count):
                break
            best[page] = max(best[page], cosines[at])
            seen += [int(elements[at])] if elements[at] >= 0 else []
        return _evidence(value, best, seen)


def _evidence(value: Evidence, best: npt.NDArray[np.float64], seen: list[int]) -> Evidence:
    view = value.view
    rows = np.flatnonzero(np.isfinite(best[view.page_index]) & view.is_content)
    found = Evidence.of(view, rows, source=VISUAL, **{VISUAL: best[view.page_index[rows]]})
    found = dataclasses.replace(found, sources={**found.sources, SEEN: np.isin(rows, seen)})
    return found | value.keep(np.isin(value.rows, rows))


def _cosines(view: View, using: Run) -> npt.NDArray[np.float64]:
    """Return (n,) the cosine of each of `View.visuals` with the question, nan for what was not drawn; or none."""
    if using.image_text is None:
        return _skipped(using, "no image-text model is configured")
    try:
        vectors = view.vectors("visual_vectors")
        question = using.image_text().embed_texts([using.query.question])[0]
    except (CorpusError, ModelError) as fault:
        return _skipped(using, str(fault))
    if vectors.shape != (len(view.visuals[0]), len(question)):
        return _skipped(using, "the pictures were embedded with another model: index the documents again")
    return np.where(np.any(vectors != 0, axis=1), (vectors @ question).astype(np.float64), np.nan)


def _skipped(using: Run, why: str) -> npt.NDArray[np.float64]:
    using.note(TraceStep(step="skipped", parameters={"why": why}, rows_in=0, rows_out=0, seconds=0.0))
    return np.zeros(0)
