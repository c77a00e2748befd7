"""The elements of a document map as evidence: figures, tables, charts, and the content of whole pages (DMAP 3.2).

An element is a `Spot`: a page with the row of a block on it, or -1 for the page's content. A path of retrieval names
elements, best first; as evidence they are the rows of their blocks, with two columns for each path: its own, where the
block was found itself, and one for blocks whose page was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from octavo.evidence import Evidence, View
from octavo.operators.read.image_evidence import Spot
from octavo_documents.document.columns import Mask

STRUCTURE, TEXT, LOOK, AROUND = "structure", "text_path", "look_path", "around"
PATHS = (STRUCTURE, TEXT, LOOK, AROUND)
"""The paths in the order of their union (equation 9), and last what reflection added."""


def whole(path: str) -> str:
    """Return the column of a path for blocks whose page it found."""
    return f"{path}_page"


PATH_COLUMNS = frozenset(column for path in PATHS for column in (path, whole(path)))
"""The columns of all paths."""


def evidence_of(view: View, spots: Sequence[Spot], path: str) -> Evidence:
    """Return the rows of some elements, best first, with the columns of a path: higher for those that come first."""
    own = np.full(len(view), np.nan)
    page = np.full(len(view), np.nan)
    for place, spot in enumerate(dict.fromkeys(spots)):
        score = float(len(spots) - place)
        if spot.row >= 0:
            own[spot.row] = score
        else:
            page[_content_of(view, spot.page)] = score
    rows = np.flatnonzero(~np.isnan(own) | ~np.isnan(page))
    return Evidence.of(view, rows, source=path, **{path: own[rows], whole(path): page[rows]})


def _content_of(view: View, page: int) -> Mask:
    """Return (n_rows,) true for the blocks that are a page's content; running headers where there is nothing else."""
    on_page = view.page_index == page
    content = on_page & view.is_content
    return content if content.any() else on_page


def spots_of(evidence: Evidence, path: str) -> list[Spot]:
    """Return the elements that a path found, best first."""
    view = evidence.view
    found: dict[Spot, float] = {}
    for column, is_whole in ((path, False), (whole(path), True)):
        scores = evidence.scores.get(column)
        for at in np.flatnonzero(~np.isnan(scores)).tolist() if scores is not None else ():
            row = int(evidence.rows[at])
            spot = Spot(int(view.page_index[row]), -1 if is_whole else row)
            found[spot] = float(scores[at]) if scores is not None else 0.0
    return sorted(found, key=lambda spot: -found[spot])


def union_of(evidence: Evidence, paths: Sequence[str] = PATHS) -> list[Spot]:
    """Return the elements of several paths, each once, path after path (equation 9)."""
    return list(dict.fromkeys(_all(evidence, paths)))


def _all(evidence: Evidence, paths: Sequence[str]) -> Iterator[Spot]:
    for path in paths:
        yield from spots_of(evidence, path)
