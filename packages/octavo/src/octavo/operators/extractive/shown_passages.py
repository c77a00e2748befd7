"""The passages that a person is shown: what the best units grow into, none overlapping another, the best unit marked.

Two of them that are a sentence or two apart have these sentences too: nothing is lost between them.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Sequence

from octavo.evidence import Evidence, Passage, View
from octavo.operators.core import Run
from octavo.operators.extractive.passages import expand_passage, render_passage
from octavo.operators.extractive.shown_rows import AskedOfRow, whole_row
from octavo.operators.extractive.unit_scores import ScoredUnit, best_of_passage
from octavo.operators.extractive.units import MOST_WORDS, Span, stream_of
from octavo.operators.keep import MEANT_ALONE, each_first, pages_with, ranked_pages, things_of
from octavo.question import Question
from octavo_documents.document import Kind
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

MOST_PASSAGES = 3
"""Passages that are shown with an answer."""
_GAP, _GAP_WORDS = 2, 40
"""Sentences between two passages, and their words, at most, that are shown with the first of them. Of a table the
passage says how many rows are left out."""
# From one run over the natural questions, no documents left out: how often the first passage holds an answer, by the
# score of its unit, by rule and where a scorer read it. A rough guide.
_BY_RULE, _BY_SCORER = (0.36, -3.94), (0.54, -2.24)


def passages_of(
    question: Question,
    evidence: Evidence,
    units: Sequence[ScoredUnit],
    using: Run,
    count: int = MOST_PASSAGES,
    *,
    sources: Sequence[ScoredUnit] = (),
    answer: str = "",
) -> tuple[Passage, ...]:
    """Return the passages of the first units as `of_each` takes them, in each the unit that fits best marked.

    Those of `sources` come first and are marked as they are: `answer` stands in the first of them.
    """
    given = {one.unit.key for one in sources}
    ordered = [*sources, *(one for one in units if one.unit.key not in given)]
    chosen = [
        one if one.unit.key in given else best_of_passage(question, evidence, one, using)
        for one in of_each(evidence, ordered, count)
    ]
    said = [answer if sources and one is sources[0] else "" for one in chosen]
    shown = zip(without_gaps(evidence.view, chosen), said, strict=True)
    return tuple(passage_of(evidence.view, one, words) for one, words in shown)


def without_gaps(view: View, chosen: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return units of which each passage goes on over the sentence or two that part it from another one below it.

    So it does over the items of one list, where these are read at a glance: nobody skips steps.
    """
    return [
        dataclasses.replace(one, span=_up_to(view, one, [other for other in chosen if other is not one]))
        for one in chosen
    ]


def _up_to(view: View, one: ScoredUnit, others: Sequence[ScoredUnit]) -> Span:
    """Return the span of a passage up to the next of others, where what is between is short and of its own section."""
    units, last = one.stream.units, one.span.last
    items = list(itertools.takewhile(lambda unit: view.blocks.kind_of(unit.row) == Kind.LIST_ITEM, units[last + 1 :]))
    most, words = (len(items), 2 * MOST_WORDS) if len(items) > _GAP else (_GAP, _GAP_WORDS)
    after = units[last + 1 : last + 2 + most]
    begins = {other.units[0].key for other in others if other.unit.section == one.unit.section}
    gap = next((after[:at] for at, unit in enumerate(after) if unit.key in begins), ())
    is_text = all(unit.section == one.unit.section and not unit.is_heading and not unit.is_table_row for unit in gap)
    if not is_text or sum(unit.words for unit in gap) > words:
        return one.span
    return Span(one.span.first, last + len(gap))


def passage_around(
    view: View, row: int, words: str = "", *, is_quote: bool = True, question: str = ""
) -> Passage | None:
    """Return the passage around the part of a block that shares most words; None for a block without any.

    The part is marked where the words are a quote of it. Of a row that is shown in part, what the question asks, else
    what the words say, is shown.
    """
    stream = stream_of(view, int(view.page_index[row]))
    own = [at for at, unit in enumerate(stream.units) if unit.row == row]
    if not own:
        return None
    wanted = set(analyze(words))
    best = max(own, key=lambda at: (len(wanted & set(analyze(stream.units[at].text))), -at))
    unit = stream.units[best]
    asked = AskedOfRow.of(question or words, unit.language, on_one_line(words))
    text, emphasis = render_passage(view, stream, expand_passage(view, stream, best), best, asked)
    shown = emphasis if words and is_quote else ()
    return Passage.at(view, row, text, emphasis=shown, whole=whole_row(unit, text))


def apart(units: Sequence[ScoredUnit], count: int = MOST_PASSAGES) -> list[ScoredUnit]:
    """Return the first units whose passages share nothing, `count` at most."""
    chosen: list[ScoredUnit] = []
    for one in units:
        if len(chosen) == count:
            break
        if not any(one.overlaps(other) for other in chosen):
            chosen.append(one)
    return chosen


def of_each(evidence: Evidence, units: Sequence[ScoredUnit], count: int = MOST_PASSAGES) -> list[ScoredUnit]:
    """Return the first units whose passages share nothing, `count` at most; one for each of several things first.

    Where the best page is of a document that is surely meant, so is the first unit.
    """
    is_meant = pages_with(evidence, MEANT_ALONE)
    if units and is_meant[ranked_pages(evidence)[1][0]]:
        units = [*sorted(units, key=lambda one: not is_meant[one.page])[:1], *units]
    things = things_of(evidence, [one.page for one in units])
    several = len({*things} - {-1})
    if several < 2 or count < 2:
        return apart(units, count)
    return apart([units[at] for at in each_first(things)], max(count, several))


def passage_of(view: View, one: ScoredUnit, answer: str = "") -> Passage:
    """Return the passage of a unit, the unit itself marked; of a row of a wide table the cell that is the answer."""
    asked = dataclasses.replace(one.asked, words=on_one_line(answer)) if one.asked is not None else None
    text, emphasis = render_passage(view, one.stream, one.span, one.at, asked)
    return Passage.at(
        view,
        one.unit.row,
        text,
        emphasis=emphasis,
        score=round(chance(one.score, is_read=one.answers is not None), 3),
        whole=whole_row(one.unit, text),
    )


def chance(score: float, *, is_read: bool = False) -> float:
    """Return how likely the passage of a unit with this score holds the answer, 0..1; `is_read` where a scorer read."""
    scale, base = _BY_SCORER if is_read else _BY_RULE
    return 1 / (1 + math.exp(-scale * score - base))
