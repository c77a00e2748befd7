"""Who reads the short answer out of a response and says whether a response is right: a rule, or a model.

Owns that choice, which is named in every report. Extraction never sees a gold answer; judging has to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from octavo.decisions.extract_answer_value import extract
from octavo.evaluation.metrics.judged import by_rule

if TYPE_CHECKING:
    from octavo.decisions.engine.judge import Judge
    from octavo.decisions.extract_answer_value import ValueFormat
    from octavo.decisions.judge_answer import Judgement, Response


class Assessor(Protocol):
    """Assesses responses."""

    @property
    def name(self) -> str:
        """Says who assesses: "rule", or the model."""
        ...

    @property
    def decided_by(self) -> Mapping[str, int]:
        """How many assessments were made by model, cache and rule so far; empty when no model is asked."""
        ...

    def extract(self, question: str, response: str, answer_format: str | None) -> str:
        """Return the short answer a response gives, in a format that is given or else the question's words ask for."""
        ...

    def judge(self, question: str, accepted: Sequence[str], response: str) -> bool:
        """Return whether a response is complete and correct."""
        ...


class RuleAssessor:
    """Assesses without a model."""

    name = "rule"

    @property
    def decided_by(self) -> Mapping[str, int]:
        """Return nothing: no model is asked."""
        return {}

    def extract(self, question: str, response: str, answer_format: str | None) -> str:
        """Return what the rule reads out of the response."""
        return extract(question, response, answer_format=answer_format).answer

    def judge(self, question: str, accepted: Sequence[str], response: str) -> bool:
        """Return whether the rule finds one of the accepted answers in the response."""
        return any(by_rule(wanted, response) for wanted in accepted)


class ModelAssessor:
    """Assesses with a model; what it does not decide the rule does."""

    def __init__(self, judge: Judge, name: str) -> None:
        """Take the judge whose model assesses, and the name it has in reports."""
        self.name = name
        self._judge = judge
        self._rule = RuleAssessor()

    @property
    def decided_by(self) -> Mapping[str, int]:
        """Return the decisions of the judge by who took them."""
        return Counter(record.by for record in self._judge.records)

    def extract(self, question: str, response: str, answer_format: str | None) -> str:
        """Return what the model reads out of the response."""
        from octavo.decisions.extract_answer_value import EXTRACT_ANSWER_VALUE, AnswerInput

        value = AnswerInput(question, response, cast("ValueFormat | None", answer_format))
        return self._judge.decide(EXTRACT_ANSWER_VALUE, value).output.answer

    def judge(self, question: str, accepted: Sequence[str], response: str) -> bool:
        """Return the model's verdict."""
        from octavo.decisions.judge_answer import JUDGE_ANSWER, Judgement, Response

        def rule(value: Response) -> Judgement:
            return Judgement(correct=self._rule.judge(value.question, value.accepted, value.response))

        return self._judge.decide(JUDGE_ANSWER, Response(question, tuple(accepted), response), rule=rule).output.correct
