"""Who decides: the model through the gateway, else the rule; and what it took.

Many decisions run at once in a bounded pool, and each is recorded. What only a model needs is loaded when one is asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from octavo.decisions import DECISIONS
from octavo.decisions.engine import (
    SETTING_FAULTS,
    By,
    Context,
    Decided,
    Decision,
    DecisionFailure,
    DecisionRecord,
    In,
    Item,
    ItemsDecision,
    Out,
    Undecided,
    Verdict,
    total,
    usage_of,
)
from octavo.errors import BudgetError, ModelError
from octavo.evidence import Usage
from octavo.models.gateway import Budget, Cancelled, Gateway, Settled, Spend
from octavo.models.language import LanguageModel, ModelFault, estimate_tokens, is_small
from octavo.models.ports import Reranker, Scores
from octavo.models.spans import carried

if TYPE_CHECKING:
    from octavo.models.endpoint_models import EndpointReranker

_T = TypeVar("_T")
_Value = TypeVar("_Value")
Models = Mapping[str, LanguageModel | None]
"""Models by what they are for: the name of a decision, or the role `language` or `vision`; None: the rule decides."""

_GIVE_UP_AFTER = 5
_OVERHEAD = 192
_NO_VERDICT = DecisionFailure("the model gave no verdict", Usage())


def _finds(name: str) -> bool:
    return name in DECISIONS and DECISIONS[name].finds


class Judge:
    """Decides, for one question or one job. Thread-safe. Without models every decision goes to its rule."""

    def __init__(
        self,
        models: Models | None = None,
        *,
        gateway: Gateway | None = None,
        budget: Budget | None = None,
        workers: int = 4,
    ) -> None:
        """Take the models, the gateway they are reached through, and the budget that all decisions share.

        `workers` is how many decisions of one `decide_many` or `decide_items` are asked at once.
        """
        self.models: dict[str, LanguageModel | None] = dict(models or {})
        self.gateway = gateway or Gateway()
        self.budget = budget or Budget()
        self.workers = workers
        self.records: list[DecisionRecord] = []
        self._recording = threading.Lock()
        self._course = _SharedCallState()

    # Who there is

    def model_for(self, name: str, role: str = "language") -> LanguageModel | None:
        """Return the model that a decision of this name and role goes to; None when there is none.

        A small one is left out where rules find (docs/models.md says why), unless it is named for the decision itself.
        """
        named = next((one for one in (name, role, "language") if one in self.models), "")
        model = self.models.get(named)
        if model is None or (role == "vision" and not model.sees):
            return None
        return None if named != name and is_small(model) and _finds(name) else model

    def has_model(self, name: str, role: str = "language") -> bool:
        """Whether a model would be asked for a decision of this name and role."""
        return self.model_for(name, role) is not None

    def has_replied(self, name: str) -> bool:
        """Whether a model has replied to a decision of this name, to this judge or one it branched from or into."""
        return name in self._course.replied

    @property
    def stopped(self) -> str | None:
        """Return the cap that ended the work, None while none did."""
        return self.budget.stopped

    def usage(self, since: int = 0) -> Usage:
        """Return what the decisions took, all or those after the first `since` records."""
        return total([record.usage for record in self.records[since:]])

    def record(self, record: DecisionRecord) -> None:
        """Note a decision that was taken elsewhere."""
        with self._recording:
            self.records.append(record)

    @property
    def cancelled(self) -> threading.Event:
        """The event that `cancel` sets, for work that is done beside the judge."""
        return self._course.cancel

    def listen(self, on_call: Callable[[], None]) -> None:
        """Have `on_call` told, from any thread, each time before a model is asked, here and in every branch."""
        self._course.on_call = on_call

    def cancel(self) -> None:
        """End what is under way and whatever is asked from now on, here and in every branch."""
        self._course.cancel.set()

    def branch(self) -> Judge:
        """Return a judge with the same models, gateway and budget and records of its own, for work done beside."""
        made = Judge(self.models, gateway=self.gateway, budget=self.budget, workers=self.workers)
        made._course = self._course
        return made

    # Deciding

    def decide(
        self,
        decision: Decision[In, Out],
        value: In,
        *,
        rule: Callable[[In], Out] | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Decided[Out]:
        """Return the output for one input, by model, cache or rule.

        Args:
            decision: What is to be decided.
            value: The input.
            rule: Decides in the place of the decision's own rule, where the caller can do better.
            on_text: Receives the model's reply so far as it grows.

        Raises:
            Undecided: There is no model, or it failed, and there is no rule.
            ModelError: The provider refuses the key or does not know the model.
        """
        model = self.model_for(decision.name, decision.role)
        if model is None:
            return self._by_rule(decision, value, rule or decision.rule, DecisionFailure("", Usage()))
        outcome = self._by_model(decision, value, model, on_text)
        if isinstance(outcome, Decided) or outcome.replied:
            self._course.replied.add(decision.name)
        if isinstance(outcome, Decided):
            self._note(decision.name, outcome)
            return outcome
        return self._by_rule(decision, value, rule or decision.rule, outcome)

    def decide_many(
        self, decision: Decision[In, Out], values: Sequence[In], *, rule: Callable[[In], Out] | None = None
    ) -> list[Decided[Out]]:
        """Return the output for each input, in order; several are asked at once."""
        return self.map(lambda value: self.decide(decision, value, rule=rule), values)

    def decide_items(
        self, decision: ItemsDecision[Context, Item, Verdict], context: Context, items: Sequence[Item]
    ) -> list[Decided[Verdict]]:
        """Return a verdict for each item, in order, asking about several items in a call.

        Items the model left out are asked about again once; those still without a verdict go to the rule.
        """
        model = self.model_for(decision.name, decision.role)
        if model is None or not items:
            return self._rule_for_items(decision, context, items, [])
        from octavo.decisions.engine.replies import split

        groups = split(decision, items, self._room_for_items(decision, context, model))
        found, failures = dict[int, Decided[Verdict]](), list[DecisionFailure]()
        for answered, failure in self.map(lambda group: self._ask_group(decision, context, items, group), groups):
            found.update(answered)
            failures += [failure] if failure else []
        missing = [at for at in range(len(items)) if at not in found]
        ruled = self._rule_for_items(decision, context, [items[at] for at in missing], failures or [_NO_VERDICT])
        found.update(zip(missing, ruled, strict=True))
        return [found[at] for at in range(len(items))]

    def map(self, function: Callable[[_Value], _T], values: Sequence[_Value]) -> list[_T]:
        """Return the function of each value, in order; with a model, `workers` of them run at once.

        An error or Ctrl-C cancels what has not begun, waits for what is under way, and is raised again.
        """
        if len(values) < 2 or not self.models or _in_pool.is_worker:
            return [function(value) for value in values]
        ended_by: list[BaseException] = []

        def end(wrong: BaseException) -> None:
            ended_by.append(wrong)
            self._course.cancel.set()

        def one(value: _Value) -> _T:
            if ended_by:
                raise Cancelled
            try:
                return function(value)
            except BaseException as wrong:
                end(wrong)
                raise

        with ThreadPoolExecutor(min(self.workers, len(values)), "decide", _enter_pool) as pool:
            try:
                futures = [pool.submit(carried(one), value) for value in values]
                return [future.result() for future in futures]
            except Cancelled:
                raise ended_by[0] from None
            except BaseException as wrong:
                end(wrong)
                raise

    # By model

    def _by_model(
        self,
        decision: Decision[In, Out],
        value: In,
        model: LanguageModel,
        on_text: Callable[[str], None] | None = None,
    ) -> Decided[Out] | DecisionFailure:
        """Return what the model says, or why it says nothing; a model that failed too often in a row is left alone."""
        from octavo.decisions.engine.model_call import ModelCall

        course = self._course
        if (failures := course.failures.get(model.id, 0)) >= _GIVE_UP_AFTER:
            return DecisionFailure(f"{model.id} failed {failures} times in a row and is not asked again", Usage())
        if course.on_call is not None:
            course.on_call()
        outcome = ModelCall(model, self.gateway, self.budget, course.cancel, on_text).ask(decision, value)
        course.note(model.id, is_unreachable=isinstance(outcome, DecisionFailure) and outcome.is_unreachable)
        return outcome

    def _room_for_items(
        self, decision: ItemsDecision[Context, Item, Verdict], context: Context, model: LanguageModel
    ) -> int:
        from octavo.decisions.engine.replies import Batch, schema_of

        batch = Batch(decision, context, ()).as_decision()
        fixed = "".join(
            (batch.template.instructions, schema_of(batch.output), *decision.render_context(context).values())
        )
        return model.context_tokens - estimate_tokens(fixed) - _OVERHEAD

    def _ask_group(
        self,
        decision: ItemsDecision[Context, Item, Verdict],
        context: Context,
        items: Sequence[Item],
        group: Sequence[int],
    ) -> tuple[dict[int, Decided[Verdict]], DecisionFailure | None]:
        """Return the verdicts of one call by position, and of a second one for those the first left out.

        With them why the model gave none, when that is known.
        """
        found: dict[int, Decided[Verdict]] = {}
        for _ in range(2):
            missing = [at for at in group if at not in found]
            if not missing:
                break
            outcome = self._ask_once(decision, context, [items[at] for at in missing])
            if isinstance(outcome, DecisionFailure):
                return found, outcome
            found.update((missing[at], one) for at, one in outcome.items())
        return found, None

    def _ask_once(
        self, decision: ItemsDecision[Context, Item, Verdict], context: Context, items: Sequence[Item]
    ) -> dict[int, Decided[Verdict]] | DecisionFailure:
        from octavo.decisions.engine.replies import Batch

        model = self.model_for(decision.name, decision.role)
        batch = Batch(decision, context, items)
        outcome = _NO_VERDICT if model is None else self._by_model(batch.as_decision(), None, model)
        if isinstance(outcome, DecisionFailure):
            return outcome
        self._note(decision.name, outcome)
        return {at: Decided(verdict, outcome.by) for at, verdict in batch.verdicts(outcome.output).items()}

    # By rule

    def _by_rule(
        self, decision: Decision[In, Out], value: In, rule: Callable[[In], Out] | None, failure: DecisionFailure
    ) -> Decided[Out]:
        if rule is None:
            raise Undecided(f"{decision.name}: {failure.why or 'no model is configured'}, and no rule can decide this")
        decided = Decided(
            rule(value), "rule", why=failure.why, usage=failure.usage, failed=failure.failed, replied=failure.replied
        )
        self._note(decision.name, decided)
        return decided

    def _rule_for_items(
        self,
        decision: ItemsDecision[Context, Item, Verdict],
        context: Context,
        items: Sequence[Item],
        failures: Sequence[DecisionFailure],
    ) -> list[Decided[Verdict]]:
        if not items:
            return []
        verdicts, why = decision.rule(context, items), failures[0].why if failures else ""
        usage, failed = total([one.usage for one in failures]), sum(one.failed for one in failures)
        self.record(DecisionRecord(decision.name, "rule", why, 0, usage, failed))
        return [Decided(verdict, "rule", why=why) for verdict in verdicts]

    def _note(self, name: str, decided: Decided[Any]) -> None:
        self.record(DecisionRecord(name, decided.by, decided.why, decided.left_out, decided.usage, decided.failed))


class _SharedCallState:
    """How the work of a judge and its branches goes.

    Whether it was cancelled, which decisions models replied to, how often in a row each failed, who is told of calls.
    """

    def __init__(self) -> None:
        self.cancel = threading.Event()
        self.failures: dict[str, int] = {}
        self.replied: set[str] = set()
        self.on_call: Callable[[], None] | None = None
        self._lock = threading.Lock()

    def note(self, model: str, *, is_unreachable: bool) -> None:
        with self._lock:
            self.failures[model] = self.failures.get(model, 0) + 1 if is_unreachable else 0


class _Pool(threading.local):
    is_worker = False


_in_pool = _Pool()


def _enter_pool() -> None:
    _in_pool.is_worker = True  # a decision that asks others runs them one by one: waiting on its own pool could hang


NAME = "rerank"


def metered_reranker(reranker: Reranker, judge: Judge, rule: Callable[[], Reranker]) -> Reranker:
    """Return a reranker whose calls, if it makes any, are a judge's: counted, capped, kept. `rule` takes over else."""
    from octavo.models.endpoint_models import EndpointReranker

    return MeteredReranker(reranker, judge, rule) if isinstance(reranker, EndpointReranker) else reranker


class MeteredReranker:
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
