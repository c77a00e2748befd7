"""Words that a question asks for by their looks: "Which words are underlined on page 3?", without a model that sees.

They are those that parsing found to look so, on the pages and in the sections that the question names. They are stated
where there is one run of them alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from octavo.evidence import Citation, Evidence, Passage, View
from octavo.evidence.word_looks import blocks_standing_out, words_with_look
from octavo.operators.extractive.matching import Matcher
from octavo.operators.extractive.shown_passages import MOST_PASSAGES, passage_around
from octavo.operators.score.refer import is_named_page
from octavo.question import Expects, Question
from octavo_documents.document.columns import Mask
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.looks_words import colour_name, looks_said, without_looks
from octavo_documents.wording import t

_NOT_STATED = (Expects.COUNT, Expects.YES_NO, Expects.PLACE)
"""Types of answer that are not the words themselves."""
_SAID = {
    "underlined": "What is underlined stands {where}.",
    "italic": "What is in italics stands {where}.",
    "bold": "What is in bold stands {where}.",
    "highlighted": "What is highlighted stands {where}.",
}


@dataclasses.dataclass(frozen=True)
class LookedWords:
    """Passages that hold words of a look, these marked; `stated` cites the words where they are the only ones."""

    passages: tuple[Passage, ...]
    look: str
    stated: Citation | None = None

    def said(self, where: str) -> str:
        """Return what is said of the passages, given where they stand."""
        return t(_SAID[self.look], where=where)


@dataclasses.dataclass(frozen=True)
class _Run:
    row: int
    words: str
    is_sure: bool
    """Whether it has the colour that is asked for, where one is."""


def words_of_look(question: Question, evidence: Evidence) -> LookedWords | None:
    """Return the words that a question asks for by their look; None for other questions, and where none are known.

    Nobody knows how the words of scanned pages look, and what is not text at all.
    """
    if len(question.word_looks) != 1 or question.says_picture or not len(evidence):
        return None
    view, look = evidence.view, question.word_looks[0]
    scope = _scope(question, view)
    runs = [*_runs(question, view, look, scope)]
    if not runs:
        return None
    ranked = _ranked(question, evidence, runs)
    rows = [*dict.fromkeys(run.row for run in ranked)][:MOST_PASSAGES]
    passages = tuple(one for row in rows if (one := _passage(view, row, look)) is not None)
    if not passages:
        return None
    is_asked = question.expects not in _NOT_STATED and "colour" not in {one.look for one in looks_said(question.text)}
    is_alone = len(runs) == 1 and runs[0].is_sure and len(view.documents) == 1 and not _is_scanned(view, scope)
    is_alone = is_alone and _is_all_said(question, view, runs[0].row)
    stated = Citation.of(view, runs[0].row, runs[0].words) if is_asked and is_alone else None
    return LookedWords(passages, look, stated)


def _is_all_said(question: Question, view: View, row: int) -> bool:
    """Return whether a block or the titles over it say all that a question does beside looks and pages."""
    asked = analyze(without_looks(question.without_references), question.language)
    texts = (view.blocks.text[row], *view.blocks.section_path(row))
    titled = (one.title for one in question.references if one.title)
    said = {term for text in texts for term in analyze(text, question.language)}
    return said.issuperset((*asked, *(term for title in titled for term in analyze(title, question.language))))


def _scope(question: Question, view: View) -> Mask:
    """Return (n_rows,) bool, true for what stands on the pages and in the sections that a question names."""
    mask = view.is_content.copy()
    pages = is_named_page([one for one in question.references if one.what == "page"], view)
    if pages.any():
        mask &= pages[view.page_index]
    return mask & _in_sections(question, view)


def _in_sections(question: Question, view: View) -> Mask:
    """Return (n_rows,) bool, true for sections all words of whose titles are asked for, for all where there is none."""
    asked = set(analyze(question.text, question.language))
    shared: dict[int, int] = {}
    for row in view.sections().tolist():
        terms = set(analyze(view.blocks.text[row], question.language))
        if terms and terms <= asked:
            shared[row] = len(terms)
    most = max(shared.values(), default=0)
    return (
        view.within(row for row, count in shared.items() if count == most) if shared else np.ones(len(view), np.bool_)
    )


def _runs(question: Question, view: View, look: str, scope: Mask) -> Iterator[_Run]:
    for row in np.flatnonzero(blocks_standing_out(view, look) & scope).tolist():
        for words, ground in words_with_look(view, row, look):
            colour = colour_name(ground) if ground >= 0 else ""
            if not question.colours_named or not colour or colour in question.colours_named:
                yield _Run(row, words, is_sure=not question.colours_named or colour in question.colours_named)


def _ranked(question: Question, evidence: Evidence, runs: Sequence[_Run]) -> list[_Run]:
    """Return runs, those first whose block and sections say most of what is asked, of the best documents first."""
    view = evidence.view
    matcher = Matcher.of(question, view)
    order = {int(at): place for place, at in enumerate(dict.fromkeys(view.document[evidence.rows].tolist()))}

    def share(run: _Run) -> float:
        texts = [view.blocks.text[run.row], *view.blocks.section_path(run.row)]
        return matcher.share(term for text in texts for term in matcher.terms(text))

    shares = {run.row: share(run) for run in runs}
    return sorted(runs, key=lambda run: (-shares[run.row], order.get(int(view.document[run.row]), len(order)), run.row))


def _passage(view: View, row: int, look: str) -> Passage | None:
    """Return the passage around the words of a look in a block, with these marked."""
    words = [one for one, _ in words_with_look(view, row, look)]
    found = passage_around(view, row, words[0])
    if found is None:
        return None
    marks: list[tuple[int, int]] = []
    for one in words:
        start = found.text.find(one, marks[-1][1] if marks else 0)
        marks += [(start, start + len(one))] if start >= 0 else []
    return dataclasses.replace(found, emphasis=tuple(marks) or found.emphasis)


def _is_scanned(view: View, scope: Mask) -> bool:
    """Return whether a page in scope is a scan, whose words have no looks that are known."""
    scanned = np.concatenate([document.pages.is_scanned for document in view.documents])
    return bool(scanned[view.page_index[scope]].any())
