"""Every decision against a real model: valid outputs, calls, tokens, seconds, and how often model and rule agree.

Inputs are made from questions of a folder as `octavo evaluate` reads it and from the documents they are about, as
systems make them; gold answers and pages are not looked at. With `--corpus` the documents are taken from an index.

    python benchmarks/decisions.py FOLDER --corpus INDEX --model openai:NAME@http://127.0.0.1:8089/v1 --questions 50
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import octavo
from octavo import systems
from octavo.corpus.judges import Means
from octavo.decisions.answer_from_evidence import Reading
from octavo.decisions.base import Decided, Decision, ItemsDecision
from octavo.decisions.judge import Judge
from octavo.decisions.registry import DECISIONS, AnyDecision
from octavo.document import Evidence, Query, View
from octavo.models.analyzer import analyze
from octavo.models.gateway import Limits
from octavo.models.language_models import language_model
from octavo.operators import Run
from octavo.operators.packing import pack
from octavo.operators.pages import RELEVANCE

SHOWN_PAGES = 8
PAGE_CHARACTERS = 1200
SHOWN_PASSAGES = 12


@dataclasses.dataclass(frozen=True)
class Setting:
    """A question, the view of its document and what was retrieved."""

    question: str
    view: View
    evidence: Evidence

    def outline(self) -> list[tuple[int, int, str, int]]:
        """Return (row, level, title, page) of the headings, 60 at most."""
        blocks = self.view.blocks
        rows = blocks.headings()[:60].tolist()
        return [(row, int(blocks.level[row]), blocks.text[row], int(blocks.page[row])) for row in rows]

    def pages(self) -> list[tuple[int, str]]:
        """Return (page, text) of the best pages."""
        hits = self.evidence.pages(RELEVANCE)[:SHOWN_PAGES]
        blocks = self.view.blocks
        return [
            (
                hit.page,
                "\n".join(blocks.text[int(row)] for row in (blocks.page == hit.page).nonzero()[0])[:PAGE_CHARACTERS],
            )
            for hit in hits
        ]


@dataclasses.dataclass
class Tally:
    """What a decision took over all questions."""

    asked: int = 0
    by_model: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    agreed: float = 0.0
    compared: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--only", help="names of decisions, separated by commas")
    parser.add_argument("--context-tokens", type=int, default=4096)
    parser.add_argument("--timeout", type=float, default=600.0)
    parser.add_argument("--out", type=Path, help="where every output is written as JSON lines")
    parser.add_argument("--keep", type=Path, help="corpus folder for the replies, so that a broken run goes on")
    given = parser.parse_args()
    model = language_model(given.model, context_tokens=given.context_tokens)
    keep = given.keep or Path(tempfile.mkdtemp())
    limits = Limits(timeout=given.timeout, attempts=2, concurrency=1)
    replies = octavo.open(keep, models=Means(model, limits=limits))
    names = given.only.split(",") if given.only else [name for name in DECISIONS if name in INPUTS]
    tallies = {name: Tally() for name in names}
    started = time.perf_counter()
    log = given.out.open("w", encoding="utf-8") if given.out else None
    asked = list(settings(given.folder, given.corpus, given.questions))
    for name in names:  # one decision after the other, so that the instructions stay in the model's prompt cache
        for setting in asked:
            row = measure(DECISIONS[name], setting, replies.judge(), tallies[name])
            if log:
                log.write(json.dumps({"decision": name, "question": setting.question, **row}) + "\n")
                log.flush()
    for row in replies.status().models:  # what the replies took when they were made, in this run or an earlier one
        if row.model == model.id and row.decision in tallies:
            tally = tallies[row.decision]
            tally.calls, tally.seconds = row.calls, row.seconds
            tally.input_tokens, tally.output_tokens = row.input_tokens, row.output_tokens
    show(tallies, given.model, time.perf_counter() - started)


def settings(folder: Path, corpus: Path, limit: int) -> Iterator[Setting]:
    """Yield questions drawn by the hash of their text, each with its document."""
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines() if line.strip()]
    rows.sort(key=lambda row: hashlib.sha256(row["question"].encode()).digest())
    with octavo.open(corpus) as opened:
        known = {info.name for info in opened.list()}
        chosen = [row for row in rows if document_of(row) in known][:limit]
        for row in chosen:
            run = Run(opened.view([document_of(row)]))
            evidence = systems.run_search(systems.get("hybrid"), Query(row["question"]), run).evidence
            yield Setting(row["question"], run.view, evidence)


def document_of(row: dict[str, Any]) -> str:
    return str(row.get("document") or row.get("doc_id") or row.get("doc_name"))


def measure(decision: AnyDecision, setting: Setting, judge: Judge, tally: Tally) -> dict[str, Any]:
    """Ask a model and the rule the same; count what it took and whether they agree."""
    value = INPUTS[decision.name](setting)
    if isinstance(decision, ItemsDecision):
        context, items = value
        asked = judge.decide_items(decision, context, items)
        ruled = decision.rule(context, items)
    else:
        asked = [
            judge.decide(decision, value, rule=decision.rule or (lambda _value: decision.output.model_construct()))
        ]
        ruled = [decision.rule(value)] if decision.rule else []
    tally.asked += len(asked)
    tally.by_model += sum(one.by != "rule" for one in asked)
    pairs = [(one, other) for one, other in zip(asked, ruled, strict=False) if one.by != "rule"]
    for one, other in pairs:
        tally.agreed += agreement(decision, one, other)
        tally.compared += 1
    return {
        "by": [one.by for one in asked],
        "why": [one.why for one in asked if one.why],
        "model": [one.output.model_dump(mode="json") for one in asked],
        "rule": [one.model_dump(mode="json") for one in ruled],
    }


def agreement(decision: Decision[Any, Any] | ItemsDecision[Any, Any, Any], one: Decided[Any], other: Any) -> float:
    """Return how far a model's output is the rule's: 0..1, by what the output is about."""
    return AGREE[decision.name](one.output, other) if decision.name in AGREE else float(one.output == other)


def overlap(left: Sequence[object], right: Sequence[object]) -> float:
    """Return the share of either's things that both have (Jaccard); two empty ones agree."""
    mine, theirs = set(map(str, left)), set(map(str, right))
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0


def words(texts: Sequence[str]) -> list[str]:
    return [term for text in texts for term in analyze(text)]


def _sections(setting: Setting) -> Any:
    from octavo.decisions.select_sections.rule import OutlineLine, SectionsInput

    lines = tuple(
        OutlineLine(id=number, depth=level, title=title, first_page=page, last_page=page)
        for number, (_row, level, title, page) in enumerate(setting.outline(), 1)
    )
    return SectionsInput(setting.question, lines)


def _question_only(module: str, kind: str) -> Callable[[Setting], Any]:
    import importlib

    made = getattr(importlib.import_module(f"octavo.decisions.{module}"), kind)
    return lambda setting: made(question=setting.question)


def _pages(setting: Setting) -> Any:
    from octavo.decisions.judge_page_relevance import PageItem, PagesQuestion

    return PagesQuestion(setting.question), [PageItem(text, str(page)) for page, text in setting.pages()]


def _topics(setting: Setting) -> Any:
    from octavo.decisions.satisfies_topic import TopicItem, TopicQuestion

    return TopicQuestion(setting.question, setting.question), [TopicItem(text[:400]) for _page, text in setting.pages()]


def _reading(setting: Setting) -> Reading:
    return Reading(setting.question, tuple(one.shown for one in pack(setting.evidence, RELEVANCE)[:SHOWN_PASSAGES]))


def _reflection(setting: Setting) -> Any:
    from octavo.decisions.reflect import ReflectInput

    texts = tuple(one.shown.text for one in pack(setting.evidence, RELEVANCE)[:4])
    return ReflectInput(setting.question, texts[0][:300] if texts else "", texts)


def _long_answer(setting: Setting) -> Any:
    from octavo.decisions.extract_answer_value import AnswerInput

    packed = pack(setting.evidence, RELEVANCE)
    return AnswerInput(setting.question, packed[0].shown.text[:600] if packed else "nothing found")


INPUTS: dict[str, Callable[[Setting], Any]] = {
    "classify_question": _question_only("classify_question", "ClassifyInput"),
    "plan_question": _question_only("plan_question", "PlanInput"),
    "decompose_question": _question_only("decompose_question", "DecomposeInput"),
    "extract_question_entities": _question_only("extract_question_entities", "EntitiesInput"),
    "locate_references": _question_only("locate_references", "LocateInput"),
    "predict_answer_format": _question_only("predict_answer_format", "FormatInput"),
    "select_sections": _sections,
    "judge_page_relevance": _pages,
    "satisfies_topic": _topics,
    "answer_from_evidence": _reading,
    "reflect": _reflection,
    "extract_answer_value": _long_answer,
}
"""How each decision's input is made from a question and its document."""

AGREE: dict[str, Callable[[Any, Any], float]] = {
    "classify_question": lambda one, other: ((one.reach == other.reach) + (one.modality == other.modality)) / 2,
    "plan_question": lambda one, other: float(one.category == other.category),
    "decompose_question": lambda one, other: float(len(one.retrieval_questions) == len(other.retrieval_questions)),
    "extract_question_entities": lambda one, other: overlap(
        words([*one.names, *one.acronyms, *one.quoted]), words([*other.names, *other.acronyms, *other.quoted])
    ),
    "locate_references": lambda one, other: overlap(one.references, other.references),
    "predict_answer_format": lambda one, other: float(one.format == other.format),
    "select_sections": lambda one, other: overlap(one.sections, other.sections),
    "judge_page_relevance": lambda one, other: 1.0 - abs(one.relevance - other.relevance),
    "satisfies_topic": lambda one, other: float(one.satisfies == other.satisfies),
    "reflect": lambda one, other: float(one.is_complete == other.is_complete),
    "extract_answer_value": lambda one, other: float(one.answer.lower() == other.answer.lower()),
}
"""How far two outputs agree; equality where nothing is said."""


def show(tallies: dict[str, Tally], model: str, seconds: float) -> None:
    table = Table(title=f"{model}: {seconds:.0f} s", box=None, header_style="bold")
    for name in ("decision", "outputs", "by model", "calls", "tokens in", "out", "s/call", "agree with rule"):
        table.add_column(name, justify="left" if name == "decision" else "right")
    for name, tally in tallies.items():
        table.add_row(
            name,
            str(tally.asked),
            f"{tally.by_model / max(tally.asked, 1):.0%}",
            str(tally.calls),
            f"{tally.input_tokens:,}",
            f"{tally.output_tokens:,}",
            f"{tally.seconds / max(tally.calls, 1):.1f}",
            f"{tally.agreed / tally.compared:.2f}" if tally.compared else "-",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
