"""How a small model reads: the one passage that fits a question best, answered in a few words of it or not at all.

Shown many passages a small model finds an answer to anything, and says it in the same words whether it is there or not.
Of one short passage it tells by how it begins its reply: where it wavers between an answer and "not stated", nothing is
claimed and the passages are shown. `python benchmarks/close_reading.py` measures it.
"""

from __future__ import annotations

from collections.abc import Callable

from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE
from octavo.decisions.answer_from_passage import ANSWER_FROM_PASSAGE, InWords, PassageRead
from octavo.document import Answer, Citation, Evidence, Outcome, View
from octavo.models.language import is_small
from octavo.operators.core import Run
from octavo.operators.extractive.extractive_reader import apart, passage_of, passages_only, units_to_read
from octavo.operators.extractive.short_answers import typed_answer
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.reply_check import changes_units
from octavo.question import Expects, Question, understand
from octavo.text.analyzer import analyze

SURE = 0.5
"""The least probability (0..1) of a reply's beginning from which it is stated: likelier than all others together."""
_STANDS = 0.8
"""Share of an answer's terms that stand in its passage."""


def reads_closely(using: Run, decision: str = ANSWER_FROM_EVIDENCE.name) -> bool:
    """Tell whether the model that takes a decision is small, and so is the one that would read a passage."""
    models = [using.judge.model_for(name) for name in (decision, ANSWER_FROM_PASSAGE.name)]
    return all(model is not None and is_small(model) for model in models)


def read_closely(evidence: Evidence, using: Run, otherwise: Callable[[], Answer]) -> Answer | None:
    """Return what a small model finds in the best passage, and `otherwise` where it could not be asked.

    What structure tells of the documents is not asked of it. None for a model that does not tell how likely its words
    are: what it says cannot be weighed so.
    """
    view, question = evidence.view, understand(using.query.question)
    units = units_to_read(evidence, using)
    if isinstance(units, Answer):
        return units
    shown = apart(units)
    passages = tuple(passage_of(view, one) for one in shown)
    if using.on_passages is not None:
        using.on_passages(passages)
    where = (*([passages[0].document] if len(view.documents) > 1 else []), *passages[0].section)
    asked = PassageRead(question.text, passages[0].text, " > ".join(where))
    decided = using.judge.decide(ANSWER_FROM_PASSAGE, asked, rule=lambda _: InWords())
    if decided.by == "rule" and not decided.replied:
        return otherwise()
    if decided.by != "rule" and decided.chance is None:
        return None
    said, chance = decided.output.answer, decided.chance or 0.0
    cited = _cited(view, said, shown[0]) if chance >= SURE and _is_told(said, passages[0].text, question) else None
    if cited is None or changes_units(said, said, [cited.quote], question):
        return passages_only(question.text, evidence, passages)
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
        confidence=round(chance, 3),
        passages=passages,
    )


def _is_told(said: str, passage: str, question: Question) -> bool:
    """Tell whether words stand in a passage and say more than the question does, but for a yes or a no."""
    terms = set(analyze(said))
    if question.expects is Expects.YES_NO:
        return bool(terms)
    return len(terms & {*analyze(passage)}) >= _STANDS * len(terms) and not terms <= question.asked


def _cited(view: View, said: str, best: ScoredUnit) -> Citation | None:
    """Return the unit of the best one's passage that has most of what was said, the best one itself where it has."""
    terms = set(analyze(said))
    most = max(best.units, key=lambda unit: (len(terms & set(analyze(unit.shown))), unit is best.unit))
    return Citation.of(view, most.row, most.shown) or Citation.of(view, most.row, said)
