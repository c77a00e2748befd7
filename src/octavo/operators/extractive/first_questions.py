"""Questions everybody asks first, told from structure: what is this, how long is it, what are its parts, who wrote it.

A document is told by its own words: its opening, its abstract
or summary, and the headings of its main sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from octavo.document import Answer, AnswerFormat, Citation, Evidence, Kind, Outcome, Passage, View, number_of
from octavo.document.answer import Value
from octavo.operators.core.run import Run
from octavo.operators.extractive.passages import MOST_PASSAGES, best_passages, passages_only, place, places
from octavo.operators.keep.pages import RELEVANCE, ranked_pages
from octavo.operators.score.page_features import is_contents_line
from octavo.question import About, understand
from octavo.text.sentences import sentence_spans

_SUMMARY = re.compile(
    r"\W*(?:[\dIVX]+\.?\d*\s+)?(?:abstract|(?:executive |overall )?summary|overview|introduction)\W*", re.I
)
# What is shown at most, chosen by hand for a reader's screen.
_WORDS = 120
_MOST_PARTS = 12
_MOST_DOCUMENTS = 10


def about_documents(question: str, evidence: Evidence, using: Run) -> Answer | None:
    """Return what structure tells of the documents in scope; None for a question about what stands in them."""
    view, about = evidence.view, understand(question).about
    if len(view.documents) > 1:
        return _documents(question, evidence, using) if About.WHICH in about else None
    if not len(view):
        return None
    if About.LENGTH in about:
        return _length(question, evidence)
    if About.PARTS in about and len(_main_headings(view)) > 1:
        return _parts(question, evidence)
    if About.GIST in about or About.ORIGIN in about:
        told = [one for one in (_opening(view), _summary(view), _contents(view)) if one is not None]
        shown = told[:1] if About.ORIGIN in about else _without_repeats(told)
        words = "How the document begins" if About.ORIGIN in about else "What the document says of itself"
        return passages_only(question, evidence, shown, f"{words}, {places(view, shown[:1])}.") if shown else None
    return None


def _without_repeats(passages: Sequence[Passage]) -> list[Passage]:
    return [one for at, one in enumerate(passages) if not any(one.text in other.text for other in passages[:at])]


def _length(question: str, evidence: Evidence) -> Answer:
    view = evidence.view
    content = np.flatnonzero(view.is_content)  # how the document ends, but no page's footer
    pages, last = len(view.documents[0].pages), int(content[-1]) if len(content) else len(view) - 1
    unit = view.documents[0].unit
    if unit == "part":
        words = sum(len(text.split()) for text in view.blocks.text)
        said = f"{words:,} words; it has no pages"
        return _told(question, evidence, said, said, AnswerFormat.STR, [last])
    return _told(question, evidence, number_of(pages, unit), pages, AnswerFormat.INT, [last])


def _parts(question: str, evidence: Evidence) -> Answer:
    rows = _main_headings(evidence.view)
    names = [_heading(evidence.view, row) for row in rows]
    return _told(question, evidence, "; ".join(names), names, AnswerFormat.LIST, rows)


def _told(
    question: str, evidence: Evidence, text: str, value: Value, form: AnswerFormat, rows: Sequence[int]
) -> Answer:
    view = evidence.view
    told = _contents(view)
    return Answer(
        question=question,
        system="",
        text=text,
        outcome=Outcome.ANSWER,
        evidence=evidence,
        by=RELEVANCE,
        value=value,
        format=form,
        citations=tuple(Citation.at(view, row) for row in rows),
        confidence=0.95,
        passages=(told,) if told is not None else (),
    )


def _opening(view: View) -> Passage | None:
    """Return how the document begins: the blocks of its first page with any words, up to 120 words."""
    rows = [row for row in range(len(view)) if view.is_content[row] and view.blocks.text[row].strip()]
    if not rows:
        return None
    first = view.page_index[rows[0]]
    return _joined(view, [row for row in rows if view.page_index[row] == first])


def _summary(view: View) -> Passage | None:
    """Return the beginning of the first section that sums the document up, by its title; else none."""
    for row in view.sections().tolist():
        if _SUMMARY.fullmatch(view.blocks.text[row]):
            inside = view.subtree(row)
            kinds = (Kind.PARAGRAPH, Kind.LIST_ITEM)
            rows = [at for at in range(inside.start + 1, inside.stop) if view.blocks.kind[at] in kinds]
            if rows:
                return _joined(view, rows)
    return None


def _contents(view: View) -> Passage | None:
    rows = _main_headings(view)
    if len(rows) < 2:
        return None
    shown = [f"{_heading(view, row)} ({place(Citation.at(view, row))})" for row in rows[:_MOST_PARTS]]
    more = [f"and {len(rows) - _MOST_PARTS} more"] if len(rows) > _MOST_PARTS else []
    return Passage.at(view, rows[0], "\n".join((*shown, *more)))


def _main_headings(view: View) -> list[int]:
    """Return the rows of the headings that stand in no other section; of a single one, those right below it."""
    heads = view.sections()
    main = heads[view.blocks.parent[heads] < 0]
    if len(main) == 1:
        below = heads[view.blocks.parent[heads] == main[0]]
        main = below if len(below) > 1 else main
    return [row for row in main.tolist() if not is_contents_line(view.blocks.text[row])]


def _heading(view: View, row: int) -> str:
    return " ".join(view.blocks.text[row].split())


def _joined(view: View, rows: Sequence[int]) -> Passage:
    lines: list[str] = []
    room = _WORDS
    for row in rows:
        said = " ".join(_whole_sentences(view.blocks.text[row], room))
        if not said:
            continue
        lines.append(said)
        room -= len(said.split())
    return Passage.at(view, rows[0], "\n".join(lines))


def _whole_sentences(text: str, room: int) -> Iterator[str]:
    """Yield the sentences of a text from its start that `room` words have room for."""
    for start, stop in sentence_spans(text):
        said = " ".join(text[start:stop].split())
        room -= len(said.split())
        if room < 0:
            return
        yield said


def _documents(question: str, evidence: Evidence, using: Run) -> Answer | None:
    """Return the documents with the best pages, the best passage from each of the first three."""
    view = evidence.view
    if not len(evidence):
        return None
    _, pages = ranked_pages(evidence)
    found = list(dict.fromkeys(view.locate_page(page)[0] for page in pages.tolist()))
    names = [view.documents[document].name for document in found[:_MOST_DOCUMENTS]]
    shown = [
        passage
        for document in found[:MOST_PASSAGES]
        for passage in best_passages(question, evidence.keep(view.document[evidence.rows] == document), using, 1)
    ]
    text = f"The documents that come closest, the nearest first: {'; '.join(names)}."
    return passages_only(question, evidence, shown, text)
