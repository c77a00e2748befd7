"""The passages that a person is shown: of a unit, and around the words that an answer stands on."""

from __future__ import annotations

import dataclasses
import math

from octavo.evidence import Passage, View
from octavo.operators.extractive.passages import expand_passage, render_passage
from octavo.operators.extractive.shown_rows import AskedOfRow, whole_row
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.extractive.units import stream_of
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

# From one run over the natural questions, no documents left out: how often the first passage holds an answer, by the
# score of its unit, by rule and where a scorer read it. A rough guide.
_BY_RULE, _BY_SCORER = (0.36, -3.94), (0.54, -2.24)


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
