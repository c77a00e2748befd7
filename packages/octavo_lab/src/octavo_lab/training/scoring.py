"""How good a router is (RDR2, Table 4): single steps held against examples, and the passages its system reads.

Its steps are measured on its first reply: nothing is repaired, and no rule stands in for it. The report of a training
shows the loss curve, and routers side by side before and after; report.json holds the figures whole.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from octavo.corpus import Corpus
from octavo.decisions.engine.judge import Judge
from octavo.decisions.engine.replies import InvalidReply, parse
from octavo.errors import ModelError
from octavo.models.language import FaultKind, LanguageModel, ModelFault, estimate_tokens
from octavo_lab.metrics.overlap import string_em, string_hit
from octavo_lab.question import Question
from octavo_lab.report import NAMES, html, replace
from octavo_lab.report.html import Html, Look, element, join, legend, table, whole_page
from octavo_lab.training.example import KINDS, Example, request_for
from octavo_methods.rdr2.decisions.route_document import (
    ROUTE_DOCUMENT,
    Actions,
    Legal,
    Routing,
    from_tags,
    legal,
    route_by_scores,
)

DEFINITIONS = {
    "answer_f1": "F1 of the lines chosen, over all steps",
    "answer_precision": "share of the lines chosen that are gold",
    "answer_recall": "share of the gold lines that are chosen",
    "expand_precision": "share of the headings opened that hide gold",
    "expand_recall": "share of the headings that hide gold that are opened",
    "refuse_accuracy": "share of the steps to refuse that are refused",
    "false_refusals": "share of the steps with something to do that are refused",
    "expelled": "actions per step that cannot be done",
    "collapsed": "share of the steps with nothing that can be done, and no refusal",
}
"""What each figure is, in the order reports show them."""
LOWER_IS_BETTER = frozenset({"false_refusals", "expelled", "collapsed"})
Router = Callable[[Routing], Actions]
"""Says what to do with a document; Actions() for nothing that can be understood."""
REPLY_TOKENS = 256
"""Tokens of a reply at most."""


@dataclass(frozen=True, slots=True)
class RouterScores:
    """The figures of a router, as DEFINITIONS says; None where there is nothing to count."""

    answer_f1: float | None
    answer_precision: float | None
    answer_recall: float | None
    expand_precision: float | None
    expand_recall: float | None
    refuse_accuracy: float | None
    false_refusals: float | None
    expelled: float
    collapsed: float

    def to_json(self) -> dict[str, float | None]:
        """Return the figures by name, to four digits."""
        return {name: None if value is None else round(value, 4) for name, value in asdict(self).items()}


def score(examples: Sequence[Example], chosen: Sequence[Actions]) -> RouterScores:
    """Return the figures of what a router did for each of at least one example."""
    taken = [legal(actions, one.routing.lines) for one, actions in zip(examples, chosen, strict=True)]
    answer = _counts([(one.actions.answer, done.answer) for one, done in zip(examples, taken, strict=True)])
    expand = _counts([(one.actions.expand, done.expand) for one, done in zip(examples, taken, strict=True)])
    refused = {kind: [done.refuse for done in _taken_of(examples, taken, kind)] for kind in KINDS}
    return RouterScores(
        answer_f1=_share(2 * answer[0], answer[1] + answer[2]),
        answer_precision=_share(answer[0], answer[2]),
        answer_recall=_share(answer[0], answer[1]),
        expand_precision=_share(expand[0], expand[2]),
        expand_recall=_share(expand[0], expand[1]),
        refuse_accuracy=_share(sum(refused["refuse"]), len(refused["refuse"])),
        false_refusals=_share(
            sum(refused["answer"]) + sum(refused["expand"]), len(refused["answer"]) + len(refused["expand"])
        ),
        expelled=sum(done.dropped for done in taken) / len(taken),
        collapsed=sum(done.collapsed for done in taken) / len(taken),
    )


def _taken_of(examples: Sequence[Example], taken: Sequence[Legal], kind: str) -> list[Legal]:
    return [done for one, done in zip(examples, taken, strict=True) if one.kind == kind]


def _counts(pairs: Sequence[tuple[Sequence[int], Sequence[int]]]) -> tuple[int, int, int]:
    """Return how many ids are right, how many are gold, and how many were given."""
    right = sum(len(set(gold) & set(given)) for gold, given in pairs)
    return right, sum(len(set(gold)) for gold, _ in pairs), sum(len(given) for _, given in pairs)


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


# Asking a router


def by_rule(routing: Routing) -> Actions:
    """Route as without a model."""
    return route_by_scores(routing)


def by_model(
    model: LanguageModel, judge: Judge, reply_tokens: int = REPLY_TOKENS, decision: str = ROUTE_DOCUMENT.name
) -> Router:
    """Return the router a model is for a decision, asked through a judge's gateway and within its budget.

    It raises BudgetError at a cap, and ModelError when the model cannot be had.
    """

    def route(routing: Routing) -> Actions:
        try:
            request, _ = request_for(routing, model.context_tokens, decision)
            asked = dataclasses.replace(request, max_output_tokens=reply_tokens)
            reply = judge.gateway.call(model, asked, judge.budget).reply
        except ModelFault as fault:
            if fault.kind in (FaultKind.UNKNOWN_MODEL, FaultKind.AUTH):
                raise ModelError(f"{model.id}: {fault}") from fault
            return Actions()
        return understood(reply.text, is_cut=reply.finish == "length")

    return route


def understood(text: str, *, is_cut: bool = False) -> Actions:
    """Return the actions in a reply, in tags or JSON; no action where there are none in it."""
    said = from_tags(text)
    if said is not None:
        return said
    try:
        return parse(text, Actions, is_cut=is_cut)
    except InvalidReply:
        return Actions()


def routed(router: Router, examples: Sequence[Example], advance: Callable[[], None] | None = None) -> list[Actions]:
    """Return what a router does for each example; `advance` is called after each."""
    found: list[Actions] = []
    for one in examples:
        found.append(router(one.routing))
        if advance:
            advance()
    return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """Means over questions: string EM of the passages read (0..1), and their tokens, estimated."""

    questions: int
    passage_em: float
    passage_hit: float
    passage_tokens: float
    routed_by_model: float
    """Decisions per question that a model took."""

    def to_json(self) -> dict[str, float]:
        """Return the figures by name, to four digits."""
        return {name: round(value, 4) for name, value in asdict(self).items()}


def run_system(
    corpus: Corpus,
    questions: Sequence[Question],
    scope: Callable[[Question], Sequence[str] | None],
    system: str,
    *,
    advance: Callable[[], None] | None = None,
) -> Outcome:
    """Return how a system does on at least one question, with the models the corpus was opened with.

    `scope` gives the ids of the documents a question is about, None for the whole corpus; where there are none nothing
    is read, and nothing found.
    """
    em = hit = tokens = decided = 0.0
    for question in questions:
        texts, by_model = _read(corpus, question, scope(question), system)
        em += string_em(question.answer, "\n".join(texts))
        hit += string_hit(question.answer, "\n".join(texts))
        tokens += sum(map(estimate_tokens, texts))
        decided += by_model
        if advance:
            advance()
    count = len(questions)
    return Outcome(count, em / count, hit / count, tokens / count, decided / count)


def _read(corpus: Corpus, question: Question, scope: Sequence[str] | None, system: str) -> tuple[list[str], int]:
    """Return the passages a reader would get, and how many decisions a model took on the way to them."""
    if scope is not None and not scope:
        return [], 0
    found = corpus.search(question.question, documents=scope, system=system)
    evidence = found.evidence
    texts = [evidence.view.blocks.text[int(row)] for row in evidence.rows]
    return texts, sum(count for who, count in found.decided_by.items() if who != "rule")


Run = Mapping[str, Any]

_SMOOTH = 5
"""Steps on either side whose mean is the smooth curve."""
_END_TO_END = {
    "passage_em": "share of the gold answers in the passages read",
    "passage_hit": "share of the questions with all gold answers in them",
    "passage_tokens": "tokens of the passages, estimated",
    "routed_by_model": "decisions per question that a model took",
}


def write(run: Run, folder: Path) -> tuple[Path, ...]:
    """Write report.json, report.html and report.md; return their paths. Raises CorpusError (`full`)."""
    contents = (json.dumps(run, ensure_ascii=False, indent=1) + "\n", page(run), markdown(run))
    targets = tuple(folder / name for name in NAMES)
    for target, content in zip(targets, contents, strict=True):
        replace(target, content)
    return targets


def markdown(run: Run) -> str:
    """Return the tables, a row per figure and a column per router."""
    parts = [f"# {_title(run)}\n\n{_facts(run)}\n"]
    for title, rows in _tables(run):
        routers = list(rows[0][2])
        lines = [
            "| " + " | ".join(("", *routers, "what it is")) + " |",
            "| --- |" + " ---: |" * len(routers) + " --- |",
        ]
        lines += [f"| {name} | {' | '.join(map(_figure, values.values()))} | {told} |" for name, told, values in rows]
        parts.append(f"## {title}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def page(run: Run) -> str:
    """Return the page; it fetches nothing and runs nothing."""
    main = element(
        "main",
        element("h1", _title(run)),
        element("p", _facts(run), class_="facts"),
        _curve(run),
        *(_table(title, rows) for title, rows in _tables(run)),
        _how(run),
    )
    return whole_page(_title(run), main)


def _title(run: Run) -> str:
    return f"Router trained on {run['name']}"


def _facts(run: Run) -> str:
    counts, training = run["examples"], run.get("training")
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts["kinds"].items())
    told = [f"{counts['train']:,} examples ({kinds}), {counts['held_out']:,} held out"]
    if training:
        told.append(f"{training['steps']:,} steps on {training['device']}, base model {training['base']}")
        left = f", {training['too_long']:,} left out as too long" if training["too_long"] else ""
        told.append(f"loss {training['losses'][0]:.3f} at first, {training['losses'][-1]:.3f} at last{left}")
        if held := training.get("held_out_loss"):
            told.append(f"on held-out examples {held[0]:.3f} before, {held[1]:.3f} after")
    return " · ".join(told)


_Row = tuple[str, str, Mapping[str, float | None]]


def _tables(run: Run) -> list[tuple[str, list[_Row]]]:
    """Return each table: a title, and rows of a name, what it is, and the value of each router."""
    found = [("Steps on held-out documents", _rows(run["routers"], DEFINITIONS)) if run.get("routers") else None]
    found.append(("End to end", _rows(run["end_to_end"], _END_TO_END)) if run.get("end_to_end") else None)
    return [table for table in found if table is not None]


def _rows(routers: Mapping[str, Mapping[str, float | None]], definitions: Mapping[str, str]) -> list[_Row]:
    return [(name, told, {who: one.get(name) for who, one in routers.items()}) for name, told in definitions.items()]


def _table(title: str, rows: Sequence[_Row]) -> Html:
    routers = list(rows[0][2])
    head = [element("th", ""), *(element("th", name, class_="number") for name in routers), element("th", "what it is")]
    body = (
        element(
            "tr",
            element("th", name.replace("_", " ")),
            *(_cell(value, _best(name, list(values.values()))) for value in values.values()),
            element("td", told, class_="definition"),
        )
        for name, told, values in rows
    )
    return join([element("h2", title), table(head, body)])


def _best(name: str, values: Sequence[float | None]) -> float | None:
    """Return the best of several figures; None where neither direction is better."""
    known = [value for value in values if value is not None]
    if name in ("passage_tokens", "routed_by_model") or len(set(known)) < 2:
        return None
    return min(known) if name in LOWER_IS_BETTER else max(known)


def _cell(value: float | None, best: float | None) -> Html:
    if value is None:
        return element("td", "–", class_="number muted")
    return element("td", element("span", _figure(value), class_="best" if value == best else None), class_="number")


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.0f}"


def _curve(run: Run) -> Html | str:
    """Draw the loss of each step and its running mean."""
    if not run.get("training"):
        return ""
    losses: list[float] = run["training"]["losses"]
    steps = [(float(at), loss) for at, loss in enumerate(losses, start=1)]
    smooth = [(at, _mean(losses[max(0, int(at) - 1 - _SMOOTH) : int(at) + _SMOOTH])) for at, _ in steps]
    looks = {"loss of a step": Look(7, 1), f"mean of {2 * _SMOOTH + 1} steps": Look(0, 0)}
    lines = [
        html.Series(name, look, points) for (name, look), points in zip(looks.items(), (steps, smooth), strict=True)
    ]
    drawn = html.curves(lines, (), across="step", up="loss", places=html.ticks(len(losses)), most=max(losses))
    caption = element("figcaption", "Mean loss of a token of the reply, by step of training.")
    return join(
        [element("h2", "Loss"), element("div", element("figure", drawn, legend(looks), caption), class_="plots")]
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _how(run: Run) -> Html:
    training: Mapping[str, Any] = run.get("training") or {}
    settings: Mapping[str, object] = training.get("settings") or {}
    facts = (join([element("dt", name), element("dd", value)]) for name, value in settings.items())
    told = "Routers are measured on their first reply: nothing is repaired, and no rule stands in for a model."
    return join([element("h2", "How it was run"), element("p", told), element("dl", *facts)])
