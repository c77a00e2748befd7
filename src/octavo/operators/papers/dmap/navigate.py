"""Navigating the document map by a model: sections first, then the pages of those chosen."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from octavo.decisions.judge_page_relevance import JUDGE_PAGE_RELEVANCE, PageItem, PagesQuestion
from octavo.decisions.select_sections import SELECT_SECTIONS, OutlineLine, SectionsInput
from octavo.document import View
from octavo.operators.core.run import Run
from octavo.operators.papers.dmap.document_map import DocumentMap
from octavo.operators.read.passages_shown import page_excerpts, page_name
from octavo.question import understand
from octavo.text.analyzer import analyze

Floats = npt.NDArray[np.float64]

_LEAST_RELEVANCE = 0.5
_LEAST = 0.1
"""What a page counts for at least that is located although little speaks for it."""
_FEW = 4
"""Pages that are not worth another question."""
_SHORT = 8
"""Pages of a document that is read whole."""
_NEAREST_TOKENS = 240
_LEAST_NEW = 2
"""Words of a summary that its page does not have: less is a copy of what the page says."""
_KEY_WORDS = 3
_KEY_WORD = re.compile(r"[^\W\d_]{4,}")
_MOST_LINES = 200
"""Sections shown: of a longer outline the most promising ones, and those above them."""


def navigate(view: View, promise: Floats, using: Run, *, pages: int, sections: int) -> Floats:
    """Return (n_pages,) how much each located page helps, 0..1, 0 for those that are not located; at most `pages` are.

    A model chooses up to `sections` sections, then judges the most promising of their pages by summaries and by what
    comes nearest to the question. Where the sections or the whole document have only a few pages, all of these are
    located and nothing more is asked.
    """
    inside = _chosen_pages(view, promise, using, sections)
    ranked = inside[np.argsort(-promise[inside], kind="stable")][: JUDGE_PAGE_RELEVANCE.per_call]
    highest = float(promise.max(initial=0.0)) or 1.0
    helps = np.maximum(promise[ranked] / highest, _LEAST)
    if len(ranked) > _FEW and len(promise) > _SHORT:
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
    outline = _outline(document_map, promise, using.query.question)
    if not outline:
        return np.arange(len(promise))
    value = SectionsInput(using.query.question, outline, limit=most)
    chosen = using.judge.decide(SELECT_SECTIONS, value).output.sections
    found = {page for number in chosen for page in document_map.sections[number].pages}
    return np.array(sorted(found), np.int64)


def _outline(document_map: DocumentMap, promise: Floats, question: str) -> tuple[OutlineLine, ...]:
    """Return the map's sections as lines, each with the promise of its best page; pages are those of its document."""
    best = [float(promise[section.first : section.last + 1].max()) for section in document_map.sections]
    highest = max(best, default=0.0) or 1.0
    shown = sorted(_shown(document_map, best))
    told_apart = _told_apart(document_map, shown, understand(question).terms)
    lines: list[OutlineLine] = []
    for number in shown:
        section = document_map.sections[number]
        document, first = document_map.view.locate_page(section.first)
        name = f"{document_map.view.documents[document].name}: " if len(document_map.view.documents) > 1 else ""
        last = first + section.last - section.first
        score = round(best[number] / highest, 3)
        lines.append(
            OutlineLine(number, f"{name}{section.title}{told_apart.get(number, '')}", section.depth, first, last, score)
        )
    return tuple(lines)


def _told_apart(document_map: DocumentMap, shown: Sequence[int], wanted: Collection[str]) -> dict[int, str]:
    """Return what is added to titles that several sections have: words that tell their pages from each other's."""
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for number in shown:
        alike[document_map.sections[number].title.casefold()].append(number)
    found: dict[int, str] = {}
    for title, numbers in alike.items():
        counts = {number: _words_of(document_map, number) for number in numbers if len(numbers) > 1}
        common = Counter(term for one in counts.values() for term in one)
        for number, words in counts.items():
            own = [term for term in words if common[term] == 1 and term not in analyze(title)]
            own.sort(key=lambda term: (term not in wanted, -words[term][1]))
            if own:
                found[number] = f": {', '.join(words[term][0] for term in own[:_KEY_WORDS])}"
    return found


def _words_of(document_map: DocumentMap, number: int) -> dict[str, tuple[str, int]]:
    """Return the terms on the first page of a section, each as it is first written and how often."""
    view = document_map.view
    span = view.page_rows(document_map.sections[number].first)
    found: dict[str, tuple[str, int]] = {}
    for row in range(span.start, span.stop):
        for word in _KEY_WORD.findall(view.blocks.text[row]) if view.is_content[row] else ():
            for term in analyze(word):
                found[term] = (found.get(term, (word, 0))[0], found.get(term, (word, 0))[1] + 1)
    return found


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
    """Return how much each of some pages helps, 0..1, by summaries and by what of it is nearest to the question."""
    numbers: list[int] = pages.tolist()
    said = page_summaries(view, numbers)
    nearest = page_excerpts(view, numbers, using, tokens=_NEAREST_TOKENS)
    items = [
        PageItem("\n".join((*_of_its_own(view, page, said[page]), text)), page_name(view, page), score)
        for page, text, score in zip(numbers, nearest, promise.tolist(), strict=True)
    ]
    decided = using.judge.decide_items(JUDGE_PAGE_RELEVANCE, PagesQuestion(using.query.question), items)
    return np.array([one.output.relevance for one in decided])


def _of_its_own(view: View, page: int, summaries: str) -> Iterator[str]:
    """Yield the summaries that say what the page does not in the same words: those that no rule copied from it."""
    span = view.page_rows(page)
    rows = range(span.start, span.stop)
    path = (title for row in rows for title in view.blocks.section_path(row))
    known = set(analyze(" ".join((page_name(view, page), *path, *(view.blocks.text[row] for row in rows)))))
    for line in dict.fromkeys(summaries.splitlines()):
        if len(set(analyze(line)) - known) >= _LEAST_NEW:
            yield line


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
