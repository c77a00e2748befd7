"""What of a whole page is shown to who judges it: the passages nearest to the question, and which pictures it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from octavo.document import Evidence, View
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE
from octavo.operators.read.packing import PICTURED, Packed, depicted, is_logo, pack, page_told
from octavo.operators.read.settling_passages import settling

_UNIT_TOKENS = 120


def page_excerpts(view: View, pages: Iterable[int], using: Run, *, tokens: int) -> list[str]:
    """Return of each page index its passages that are nearest to the question, within `tokens`.

    Over them stands in which section they are, and below them which pictures without words the page has.
    """
    content = np.flatnonzero(view.is_content)
    texts: list[str] = []
    for page in pages:
        rows = content[view.page_index[content] == page]
        evidence = Evidence.of(view, rows, source="page", **{RELEVANCE: np.zeros(len(rows))})
        kept = settling(pack(evidence, RELEVANCE, unit=_UNIT_TOKENS), using, tokens=tokens)
        texts.append("\n".join((*_by_section(view, kept), *_pictured(view, rows.tolist()))))
    return texts


def page_name(view: View, page: int) -> str:
    """Return what a page index is called: its number with the printed one, after its document if there are several."""
    return ", ".join(_place(view, page))


def _place(view: View, page: int) -> list[str]:
    """Return the document of a page index, where there are several, and the page."""
    document, number = view.locate_page(page)
    span = view.page_rows(page)
    told = page_told(view, span.start) if span.stop > span.start else f"page {number}"
    return [view.documents[document].name, told] if len(view.documents) > 1 else [told]


def _by_section(view: View, kept: Sequence[Packed]) -> Iterator[str]:
    """Yield the passages of a page in order, and before them their section, once for those that stand together."""
    before: list[str] = []
    for one in sorted(kept, key=lambda one: one.shown.number):
        path = _section(view, one)
        if path and path != before:
            same = next((at for at, (new, old) in enumerate(zip(path, before, strict=False)) if new != old), 0)
            yield f"[{' > '.join(['...'] * bool(same) + path[same:])}]"
        before = path or before
        yield one.shown.text


def _section(view: View, one: Packed) -> list[str]:
    """Return the titles over a passage, without document and page, which the page's name tells."""
    place = "; ".join(_place(view, int(view.page_index[one.rows[0]])))
    told = one.shown.where.removeprefix(place).removeprefix("; ")
    return told.split(" > ") if told else []


def _pictured(view: View, rows: Iterable[int]) -> Iterator[str]:
    """Yield what pictures without words a page has."""
    found = [
        depicted(view, row)
        for row in rows
        if view.blocks.kind[row] in PICTURED and not view.blocks.text[row].strip() and not is_logo(view, row)
    ]
    if found:
        yield f"Pictures without words: {', '.join(found)}"
