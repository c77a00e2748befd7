"""How a small model reads: the one passage that fits a question best, answered in a few words of it or not at all.

Shown many passages a small model finds an answer to anything, and says it in the same words whether it is there or not.
Of one short passage it tells by how it begins its reply: where it wavers between an answer and "not stated", nothing is
claimed and the passages are shown. `python benchmarks/close_reading.py` measures it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import numpy as np

from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE
from octavo.decisions.answer_from_passage import ANSWER_FROM_PASSAGE, InWords, PassageRead
from octavo.evidence import Answer, Citation, Evidence, Outcome, Passage, View
from octavo.models.language import is_small, tells_chances
from octavo.operators.core import Run
from octavo.operators.extractive.extractive_reader import apart, passages_only, units_to_read
from octavo.operators.extractive.short_answers import typed_answer
from octavo.operators.extractive.shown_passages import passage_of
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.keep import LISTED, RELEVANCE, ROUTED
from octavo.operators.read.reply_check import changes_units
from octavo.question import Expects, Question, understand
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.struck import without_struck
from octavo_documents.text.values import ValueKind, values_in

SURE = 0.5
"""The least probability (0..1) of a reply's beginning from which it is stated: likelier than all others together."""
_STANDS = 0.8
"""Share of an answer's terms that stand in its passage."""

_SEVERAL = re.compile(r"[,;](?=\s)|[\n•]|\b(?:and|or)\b", re.IGNORECASE)
"""What stands between several things that are named."""
_YES_OR_NO = re.compile(r"(?:yes|no)\b", re.IGNORECASE)


def reads_closely(using: Run, decision: str = ANSWER_FROM_EVIDENCE.name) -> bool:
    """Return whether the model that takes a decision is small, and so is the one that would read a passage.

    A question about what is to be seen is not for it where another model sees.
    """
    if understand(using.query.question).asks_to_see and using.judge.has_model("answer_from_pictures", "vision"):
        return False
    models = [using.judge.model_for(name) for name in (decision, ANSWER_FROM_PASSAGE.name)]
    return all(model is not None and is_small(model) and tells_chances(model) for model in models)


def read_closely(
    evidence: Evidence, using: Run, otherwise: Callable[[], Answer], decision: str = ANSWER_FROM_EVIDENCE.name
) -> Answer | None:
    """Return what a small model finds in the best passage, and `otherwise` where it could not be asked.

    What structure tells of the documents is not asked of it. None where no small model takes the decision
    (`reads_closely`), and for an answer of one that does not tell how likely its words are: it cannot be weighed so.
    """
    if not reads_closely(using, decision):
        return None
    units = units_to_read(evidence, using)
    if isinstance(units, Answer):
        return units
    question, has_replied = understand(using.query.question), using.judge.has_replied(ANSWER_FROM_PASSAGE.name)
    shown = apart(_chosen(evidence, units))
    passages = tuple(passage_of(evidence.view, one) for one in shown)
    if using.on_passages is not None:
        using.on_passages(passages[:1])
    decided = using.judge.decide(
        ANSWER_FROM_PASSAGE, to_read(evidence.view, passages[0], question), rule=lambda _: InWords()
    )
    said, chance = decided.output.answer, decided.chance
    if decided.by != "rule":
        using.note_read([shown[0].unit.row])
    if decided.by == "rule" and not decided.replied and not has_replied:
        return otherwise()
    if said and chance is None:
        return None
    found = answer_in(said, evidence, shown[0], question) if said and (chance or 0.0) >= SURE else None
    if found is None:
        return passages_only(question.text, evidence, passages)
    return dataclasses.replace(found, confidence=round(chance or 0.0, 3), passages=passages)


def _chosen(evidence: Evidence, units: list[ScoredUnit]) -> list[ScoredUnit]:
    """Return the units of rows that a router or an agent chose, all where there are none."""
    routed = np.isfinite(evidence.scores[ROUTED]) if ROUTED in evidence.scores else np.zeros(len(evidence), np.bool_)
    rows = {*evidence.rows[routed | evidence.sources.get(LISTED, routed)].tolist()}
    return [one for one in units if one.unit.row in rows] or units


def to_read(view: View, passage: Passage, question: Question) -> PassageRead:
    """Return what is asked of a passage, which stands in its section and, where there are several, its document.

    Without what is struck out in it: nothing is answered from that.
    """
    where = (*([passage.document] if len(view.documents) > 1 else []), *passage.section)
    return PassageRead(question.text, without_struck(passage.text), " > ".join(where))


def answer_in(said: str, evidence: Evidence, best: ScoredUnit, question: Question) -> Answer | None:
    """Return what was said as an answer that cites a unit of the best one's passage; None where it does not say it."""
    terms = set(analyze(said))
    most = max(best.units, key=lambda unit: (len(terms & set(analyze(unit.shown))), unit is best.unit))
    cited = Citation.of(evidence.view, most.row, most.shown) or Citation.of(evidence.view, most.row, said)
    passage = passage_of(evidence.view, best).text
    if cited is None or not _is_told(said, passage, question) or changes_units(said, said, [cited.quote], question):
        return None
    value, read_as = typed_answer(question.text, said)
    return Answer(
        question=question.text,
        system="",
        text=said,
        outcome=Outcome.ANSWER,
        evidence=evidence,
        by=RELEVANCE,
        value=value,
        format=read_as,
        citations=(cited,),
    )


def _is_told(said: str, passage: str, question: Question) -> bool:
    """Return whether words stand in a passage and say more than the question does, but for a yes or a no.

    Where several things are asked for, one is half an answer, and a share is no count.
    """
    terms = set(analyze(said))
    if question.expects is Expects.YES_NO and _YES_OR_NO.match(said):
        return True
    if question.expects is Expects.COUNT and {value.kind for value in values_in(said)} == {ValueKind.PERCENT}:
        return False
    if question.expects is Expects.LIST and not _SEVERAL.search(said):
        return False
    is_new = bool(question.choice) or not terms <= question.asked
    return bool(terms) and is_new and len(terms & {*analyze(passage)}) >= _STANDS * len(terms)
