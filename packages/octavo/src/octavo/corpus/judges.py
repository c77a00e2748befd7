"""From the names of models to judges: what a question or a job may ask, and what remembers the answers.

The journal of a corpus's gateway lies in the store, so that nothing is paid for twice.
"""

from __future__ import annotations

import dataclasses
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

from octavo.decisions.engine.judge import Judge, metered_reranker
from octavo.models import rerankers
from octavo.models.gateway import Budget, Caps, Gateway, Journal, Limits, Prices, SpareJournal
from octavo.models.language import LanguageModel
from octavo.models.language_models import language_model
from octavo.models.ports import Reranker, TextEmbedder
from octavo.models.rerankers import RuleReranker
from octavo.models.spec import NONE

if TYPE_CHECKING:
    from pydantic_ai.models import Model as PydanticAI

NamedModel: TypeAlias = "str | LanguageModel | PydanticAI"
"""A model as "PROVIDER:NAME" or ready made: an object with the methods of `LanguageModel`, or one of pydantic-ai."""
ModelNames: TypeAlias = "NamedModel | Mapping[str, NamedModel]"
"""One model for everything, or several by role (`language`, `vision`) or decision.

"none" for a decision leaves it to its rule.
"""

RERANKING = "reranking"
"""What a reranker is for."""
_MOST_BY_RULE = 0.1
"""Share of decisions that may fall back to the rule in what still counts as decided by the model."""


@dataclasses.dataclass(frozen=True)
class ModelConfig:
    """What decisions may ask: models, what they cost where that is not known or another, and how calls are made.

    `reranking` names what scores how well texts answer, as a text (`octavo.models.rerankers`) or what makes one; "" for
    none: systems then rank by their own scores.
    """

    models: ModelNames = dataclasses.field(default_factory=dict[str, NamedModel])
    prices: Prices | None = None
    limits: Limits | None = None
    reranking: str | Callable[[], Reranker] = ""


class Judges:
    """Makes the judges of one corpus; they share a gateway and so a journal, prices and limits. Thread-safe."""

    def __init__(self, config: ModelConfig | ModelNames | None, journal: Callable[[], Journal]) -> None:
        """Take the models; they are opened, and the journal with them, when the first judge is made."""
        self._config = config if isinstance(config, ModelConfig) else ModelConfig(config or {})
        self._named = _by_role(self._config.models)
        self._journal = journal
        self._opening = threading.Lock()
        self._opened: tuple[dict[str, LanguageModel | None], Gateway] | None = None

    @property
    def has_model(self) -> bool:
        """Whether any model is configured."""
        return bool(self._named)

    @property
    def unkept(self) -> int:
        """How many replies were paid for and could not be kept, as on a full disk."""
        with self._opening:
            journal = None if self._opened is None else self._opened[1].journal
        return journal.unkept if isinstance(journal, SpareJournal) else 0

    def has_own(self, decision: str) -> bool:
        """Whether a model is named for this decision itself."""
        return self._named.get(decision) is not None

    def names(self) -> dict[str, str]:
        """Return the ids of the models, by role or decision, and the name of the reranker as `reranking`.

        Raises ModelError and UsageError as `judge` does.
        """
        opened = self._open()[0] if self._named else {}
        found = {role: model.id for role, model in opened.items() if model is not None}
        named = self._config.reranking
        return {**found, RERANKING: named if isinstance(named, str) else named().name} if named else found

    def judge(self, caps: Caps | Budget | None = None) -> Judge:
        """Return a judge with a budget, its own or one that is shared.

        Raises ModelError and UsageError as `language_model` does.
        """
        budget = caps if isinstance(caps, Budget) else Budget(caps)
        if not self._named and not self._config.reranking:
            return Judge(budget=budget)
        models, gateway = self._open()
        return Judge(models, gateway=gateway, budget=budget, workers=gateway.limits.concurrency)

    def reranker(self, judge: Judge, embedder: Callable[[], TextEmbedder]) -> Callable[[], Reranker] | None:
        """Return what gives the reranker of a question, asked within its judge's budget; None when none is named.

        Calling it raises UsageError and ModelError as `rerankers.reranker` does. The rule reads texts by `embedder`.
        """
        named = self._config.reranking
        if not named:
            return None

        def rule() -> Reranker:
            return RuleReranker(embedder())

        def make() -> Reranker:
            if named == "rule":
                return rule()
            return metered_reranker(rerankers.reranker(named) if isinstance(named, str) else named(), judge, rule)

        return make

    def pricing(self) -> Judge:
        """Return a judge that knows the models and their prices, for plans. Raises as `judge`; opens no journal."""
        models = {role: _opened(named) for role, named in self._named.items()}
        return Judge(models, gateway=Gateway(prices=self._config.prices))

    def _open(self) -> tuple[dict[str, LanguageModel | None], Gateway]:
        with self._opening:
            if self._opened is None:
                models = {role: _opened(named) for role, named in self._named.items()}
                self._opened = models, self._gateway()
            return self._opened

    def _gateway(self) -> Gateway:
        return Gateway(self._journal(), prices=self._config.prices, limits=self._config.limits)


def fell_back(judge: Judge) -> bool:
    """Whether the rule took more of the decisions than an odd one, because the models failed."""
    failed = sum(record.by == "rule" and bool(record.why) for record in judge.records)
    asked = sum(record.by != "rule" for record in judge.records)
    return failed > _MOST_BY_RULE * (asked + failed)


def shortfall(judge: Judge) -> tuple[str, ...]:
    """Return a line on decisions the rules took because models failed, with the commonest reason; () without any.

    What a cap left to the rules is not told: the cap is.
    """
    failed = [record for record in judge.records if record.by == "rule" and record.why]
    if not failed or judge.stopped:
        return ()
    (name, why), _ = Counter((record.name, record.why) for record in failed).most_common(1)[0]
    asked = sum(record.by != "rule" for record in judge.records) + len(failed)
    return (f"the model failed and rules took {len(failed):,} of {asked:,} decisions: {name}: {why}",)


def _by_role(models: ModelNames) -> dict[str, NamedModel | None]:
    """Return the models by role or decision, None for the rule; {} when none of them is a model."""
    named: dict[str, NamedModel] = dict(models) if isinstance(models, Mapping) else {"language": models}
    found: dict[str, NamedModel | None] = {role: None if model == NONE else model for role, model in named.items()}
    return found if any(model is not None for model in found.values()) else {}


def _opened(model: NamedModel | None) -> LanguageModel | None:
    """Return the model of a name, an object that is one already, or a model object of pydantic-ai.

    Raises UsageError and ModelError as `language_model` does.
    """
    if isinstance(model, str):
        return language_model(model)
    clients = sys.modules.get("pydantic_ai.models")  # whoever has made one has imported it
    if clients is not None and isinstance(model, clients.Model):
        from octavo.models.pydantic_ai_model import GivenPydanticAIModel

        return GivenPydanticAIModel(cast("PydanticAI", model))
    return cast("LanguageModel | None", model)


HEADINGS_DECISION = "level_headings"
"""What doubtful headings of a document that was just read are put to a model with, where one is named for it itself.

A model named for everything is not asked: files are added without cost unless layers or this decision are asked for by
name, or a system that filters sections (`put_headings`). A model that mostly fails changes nothing.
"""


def indexing_decisions() -> frozenset[str]:
    """Return the names of the decisions that are taken while a document is indexed and its layers are built."""
    from octavo.layers import OPTIONAL_LAYERS

    return frozenset({HEADINGS_DECISION}).union(*(layer.decisions for layer in OPTIONAL_LAYERS.values()))


def put_headings(judge: Judge) -> None:
    """Have the model that a judge would ask decide doubtful headings as one named for them does (section filtering).

    One that is named for them stays, and so does their rule.
    """
    if (model := judge.model_for(HEADINGS_DECISION)) is not None:
        judge.models[HEADINGS_DECISION] = model


def headings_model(judge: Judge) -> str:
    """Return the id of the model that doubtful headings are put to, "" for none."""
    model = judge.models.get(HEADINGS_DECISION)
    return "" if model is None else model.id
