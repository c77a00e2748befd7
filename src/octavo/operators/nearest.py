"""What comes nearest where the evidence does not answer: the sentences that say most of the question, and a refusal.

Owns the words of a refusal and what it points at. Knows nothing about who gives up or why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from octavo.decisions.rules.question import read_question
from octavo.document import Answer, AnswerFormat, Citation, Evidence, Outcome, Passage, View, part_label
from octavo.models.analyzer import analyze
from octavo.operators.pages import RELEVANCE
from octavo.operators.reader.matching import Matcher
from octavo.operators.reading.lists import is_contents_line
from octavo.operators.reading.sentences import sentences

NOT_ANSWERABLE = "Not answerable"
MOST_NEAREST = 3
"""Citations of a refusal."""
_LOOKED_AT = 80
"""Blocks of the evidence, best first, in which something near is looked for."""
_LONGEST_QUOTE = 200
"""Characters of the quote in the answer's text; the citation has all of it."""


def refusal(evidence: Evidence, question: str, nearest: Sequence[Citation] | None = None) -> Answer:
    """Return the answer that the evidence holds none, with what comes nearest: `nearest`, or the best sentences."""
    near = tuple(nearest if nearest is not None else nearest_to(question, evidence))[:MOST_NEAREST]
    return Answer(
        question=question,
        system="",
        text=f"{NOT_ANSWERABLE}: the evidence found does not say{_pointing(near, evidence.view)}.",
        outcome=Outcome.NOTHING,
        evidence=evidence,
        by=RELEVANCE,
        format=AnswerFormat.NONE,
        passages=tuple(_passage(evidence.view, one) for one in near),
    )


def _passage(view: View, near: Citation) -> Passage:
    documents = {document.id: at for at, document in enumerate(view.documents)}
    first = int(view.row_starts[documents[near.document_id]])
    return Passage.at(view, first + int(near.block[1:]), " ".join(near.quote.split()))


def nearest_to(question: str, evidence: Evidence) -> tuple[Citation, ...]:
    """Return the sentences, a block each, that say most of a question, the best first; none that say nothing of it."""
    view = evidence.view
    matcher = Matcher.of(read_question(question), view)
    found: list[tuple[float, Citation]] = []
    for at in evidence.ranking(RELEVANCE)[:_LOOKED_AT] if RELEVANCE in evidence.scores else ():
        row = int(evidence.rows[at])
        told = max(_told(matcher, view, row), default=(0.0, ""), key=lambda one: one[0])
        cited = Citation.of(view, row, told[1]) if told[0] > 0 else None
        if cited is not None:
            found.append((told[0], cited))
    found.sort(key=lambda one: -one[0])
    return tuple(citation for _, citation in found[:MOST_NEAREST])


def _told(matcher: Matcher, view: View, row: int) -> Iterator[tuple[float, str]]:
    """Yield (share of the question, sentence) of a block's sentences that have a term of it."""
    if is_contents_line(view.blocks.text[row]):
        return
    around = [term for title in view.blocks.section_path(row) for term in analyze(title)]
    for sentence in sentences(view.blocks.text[row]):
        terms = analyze(sentence)
        if matcher.share(terms) > 0:
            yield matcher.coverage(terms, around), sentence


def _pointing(nearest: Sequence[Citation], view: View) -> str:
    """Return where the first of what is near stands and what it says, empty for nothing."""
    if not nearest:
        return ""
    first = nearest[0]
    name = f" of {first.document}" if len(view.documents) > 1 else ""
    section = f", {first.section[-1]}" if first.section else ""
    quote = " ".join(first.quote.split())
    said = quote if len(quote) <= _LONGEST_QUOTE else f"{quote[:_LONGEST_QUOTE].rsplit(' ', 1)[0]} …"
    is_part = first.page_label == part_label(first.page)  # of text that has no pages
    place = f"in {first.page_label}" if is_part else f"on page {first.page}"
    return f"; the nearest evidence is {place}{name}{section}: “{said}”"
