"""Reranking as a decision: an endpoint is asked through the gateway, within the budget, else the rule scores.

A reranker that calls nobody is used as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from octavo.decisions.engine.base import SETTING_FAULTS, By, DecisionRecord, usage_of
from octavo.decisions.engine.judge import Judge
from octavo.errors import BudgetError, ModelError
from octavo.models.endpoint_models import EndpointReranker
from octavo.models.gateway import Settled, Spend
from octavo.models.language import ModelFault
from octavo.models.ports import Reranker, Scores

NAME = "rerank"


def judged(reranker: Reranker, judge: Judge, rule: Callable[[], Reranker]) -> Reranker:
    """Return a reranker whose calls, if it makes any, are a judge's: counted, capped, kept. `rule` takes over else."""
    return JudgedReranker(reranker, judge, rule) if isinstance(reranker, EndpointReranker) else reranker


class JudgedReranker:
    """A Reranker that asks an endpoint for what it was not asked before; at a cap or after faults the rule scores."""

    def __init__(self, endpoint: EndpointReranker, judge: Judge, rule: Callable[[], Reranker]) -> None:
        self._endpoint = endpoint
        self._judge = judge
        self._rule = rule

    @property
    def name(self) -> str:
        """Names the model."""
        return self._endpoint.name

    def score(self, question: str, texts: Sequence[str]) -> Scores:
        """Return (len(texts),) float32 from 0 to 1. Raises ModelError when the key or the model is refused."""
        if not texts:
            return self._rule().score(question, texts)
        taken, failed, why = list[Settled](), list[Spend](), ""
        try:
            taken.append(self._settled(question, texts, failed))
        except BudgetError as error:
            why = str(error)
        except ModelFault as fault:
            if fault.kind in SETTING_FAULTS:
                raise ModelError(f"{self.name}: {fault}") from fault
            why = f"{fault.kind.value}: {fault}"
        by: By = "rule" if not taken else "cache" if taken[0].is_cached else "model"
        self._judge.record(DecisionRecord(NAME, by, why, 0, usage_of(taken, failed), sum(one.calls for one in failed)))
        return self._endpoint.read(taken[0].reply) if taken else self._rule().score(question, texts)

    def _settled(self, question: str, texts: Sequence[str], failed: list[Spend]) -> Settled:
        return self._judge.gateway.call(
            self._endpoint,
            self._endpoint.request(question, texts),
            self._judge.budget,
            cancel=self._judge.cancelled,
            on_failed=failed.append,
        )
