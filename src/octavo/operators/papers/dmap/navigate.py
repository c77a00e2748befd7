"""Navigating the document map by a model: sections first, then the pages of those chosen.

Owns what of the map is shown to a model and what its choices come to. Knows nothing about references or search.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import numpy.typing as npt

from octavo.decisions.judge_page_relevance import JUDGE_PAGE_RELEVANCE, PageItem, PagesQuestion
from octavo.decisions.select_sections import SELECT_SECTIONS, OutlineLine, SectionsInput
from octavo.document import View
from octavo.operators.core.run import Run
from octavo.operators.papers.dmap.document_map import DocumentMap

Floats = npt.NDArray[np.float64]

_LEAST_RELEVANCE = 0.5
_LEAST = 0.1
"""What a page counts for at least that is located although little speaks for it."""
_FEW = 4
"""Pages that are not worth another question."""
_MOST_LINES = 200
"""Sections shown: of a longer outline the most promising ones, and those above them."""


def navigate(view: View, promise: Floats, using: Run, *, pages: int, sections: int) -> Floats:
    """Return (n_pages,) how much each located page helps, 0..1, 0 for those that are not located; at most `pages` are.

    A model chooses up to `sections` sections, then judges the most promising of their pages by summaries; where the
    sections have only a few pages, all of these are located and nothing more is asked.
    """
    inside = _chosen_pages(view, promise, using, sections)
    ranked = inside[np.argsort(-promise[inside], kind="stable")][: JUDGE_PAGE_RELEVANCE.per_call]
    highest = float(promise.max(initial=0.0)) or 1.0
    helps = np.maximum(promise[ranked] / highest, _LEAST)
    if len(ranked) > _FEW:
        ranked, helps = _relevant(ranked, _judged(view, ranked, helps, using))
    located = np.zeros(len(promise))
    located[ranked[:pages]] = helps[:pages]
    return located


def _relevant(ranked: npt.NDArray[np.int64], relevance: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return the pages that help and how much, the best first; where none does, the best two as far as they do."""
    order = np.argsort(-relevance, kind="stable")
    helping = int(np.count_nonzero(relevance >= _LEAST_RELEVANCE))
    kept = order[: helping or 2]
    return ranked[kept], np.maximum(relevance[kept], _LEAST)


def _chosen_pages(view: View, promise: Floats, using: Run, most: int) -> npt.NDArray[np.int64]:
    """Return the pages of the sections a model chooses; all pages where there are no sections."""
    document_map = DocumentMap.of(view)
    outline = _outline(document_map, promise)
    if not outline:
        return np.arange(len(promise))
    value = SectionsInput(using.query.question, outline, limit=most)
    chosen = using.judge.decide(SELECT_SECTIONS, value).output.sections
    found = {page for number in chosen for page in document_map.sections[number].pages}
    return np.array(sorted(found), np.int64)


def _outline(document_map: DocumentMap, promise: Floats) -> tuple[OutlineLine, ...]:
    """Return the map's sections as lines, each with the promise of its best page; pages are those of its document."""
    best = [float(promise[section.first : section.last + 1].max()) for section in document_map.sections]
    highest = max(best, default=0.0) or 1.0
    shown = sorted(_shown(document_map, best))
    lines: list[OutlineLine] = []
    for number in shown:
        section = document_map.sections[number]
        document, first = document_map.view.locate_page(section.first)
        name = f"{document_map.view.documents[document].name}: " if len(document_map.view.documents) > 1 else ""
        last = first + section.last - section.first
        score = round(best[number] / highest, 3)
        lines.append(OutlineLine(number, f"{name}{section.title}", section.depth, first, last, score))
    return tuple(lines)


def _shown(document_map: DocumentMap, best: list[float]) -> set[int]:
    """Return the numbers of the sections that are shown."""
    shown = set[int]()
    for number in sorted(range(len(best)), key=lambda at: (-best[at], at))[:_MOST_LINES]:
        above = number
        while above >= 0 and above not in shown:
            shown.add(above)
            above = document_map.sections[above].parent
    return shown


def _judged(view: View, pages: npt.NDArray[np.int64], promise: Floats, using: Run) -> Floats:
    """Return how much each of some pages helps, 0..1, by the summaries of the page and of its elements."""
    said = page_summaries(view, pages.tolist())
    items: list[PageItem] = []
    for page, score in zip(pages.tolist(), promise.tolist(), strict=True):
        document, number = view.locate_page(page)
        name = f"{view.documents[document].name}, " if len(view.documents) > 1 else ""
        items.append(PageItem(said[page], f"{name}page {number}", score))
    decided = using.judge.decide_items(JUDGE_PAGE_RELEVANCE, PagesQuestion(using.query.question), items)
    return np.array([one.output.relevance for one in decided])


def page_summaries(view: View, pages: list[int]) -> dict[int, str]:
    """Return by page index the summary of each page and of the elements on it, a line each, "" where there are none."""
    table = view.summaries
    first = view.page_index[table.start] if len(table) else np.zeros(0, np.int64)
    lines: defaultdict[int, list[str]] = defaultdict(list)
    elements: defaultdict[int, list[str]] = defaultdict(list)
    for at in np.flatnonzero(np.isin(first, pages)).tolist():
        kept = {"page": lines, "element": elements}.get(table.target[at])
        if kept is not None:
            kept[int(first[at])].append(" ".join(table.text[at].split()))
    return {page: "\n".join((*lines[page], *elements[page])) for page in pages}
