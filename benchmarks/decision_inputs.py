"""What every decision is asked in a benchmark: inputs made as systems and layers make them.

Owns the cases of each decision. Those of question time come from a question and what was retrieved for it, or are
overheard while a system answers it by rule; those of indexing while layers are built by rule. Gold answers are looked
at for `judge_answer` alone.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import octavo
from octavo import systems
from octavo.corpus.index.builders import Builders
from octavo.corpus.index.heading_review import judge_headings
from octavo.decisions import DECISIONS
from octavo.decisions.answer_from_evidence import Reading
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Evidence, Query, View
from octavo.layers import OPTIONAL_LAYERS, LayerInputs
from octavo.operators.core import Run
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.packing import pack
from octavo_documents.document import Document

SHOWN_PAGES = 4
PAGE_CHARACTERS = 600
SHOWN_PASSAGES = 6
MOST_HEADINGS = 60
MOST_ITEMS = 8
"""Items of an overheard call that are asked about, at most."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One thing to decide: `value` is the input, or the context where there are `items`.

    `about` is the question or the document; `rule` decides where the decision has no rule of its own.
    """

    about: str
    value: Any
    items: Sequence[Any] = ()
    rule: Callable[[Any], Any] | None = None


@dataclasses.dataclass(frozen=True)
class Setting:
    """A question, its accepted answer, the view of its document and what was retrieved."""

    question: str
    gold: str
    view: View
    evidence: Evidence
    corpus: Path

    def outline(self) -> list[tuple[int, int, str, int]]:
        """Return (row, level, title, page) of the headings, 60 at most."""
        blocks = self.view.blocks
        rows = blocks.headings()[:MOST_HEADINGS].tolist()
        return [(row, int(blocks.level[row]), blocks.text[row], int(blocks.page[row])) for row in rows]

    def pages(self) -> list[tuple[int, str]]:
        """Return (page, text) of the best pages."""
        hits = self.evidence.pages(RELEVANCE)[:SHOWN_PAGES]
        return [(hit.page, self._page(hit.page)[:PAGE_CHARACTERS]) for hit in hits]

    def _page(self, page: int) -> str:
        blocks = self.view.blocks
        return "\n".join(blocks.text[int(row)] for row in (blocks.page == page).nonzero()[0])


def settings(folder: Path, corpus: Path, limit: int) -> Iterator[Setting]:
    """Yield questions drawn by the hash of their text, each with its document."""
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines() if line.strip()]
    rows.sort(key=lambda row: hashlib.sha256(row["question"].encode()).digest())
    with octavo.open(corpus) as opened:
        known = {info.name for info in opened.list()}
        for row in [row for row in rows if document_of(row) in known][:limit]:
            run = Run(opened.view([document_of(row)]))
            evidence = systems.run_search(systems.get("hybrid"), Query(row["question"]), run).evidence
            yield Setting(row["question"], str(row.get("answer", "")), run.view, evidence, corpus)


def document_of(row: dict[str, Any]) -> str:
    return str(row.get("document") or row.get("doc_id") or row.get("doc_name"))


def cases(name: str, asked: Sequence[Setting], limit: int) -> list[Case]:
    """Return the first `limit` cases of a decision: a question each, or a document each for those of indexing."""
    if name in AT_QUESTIONS:
        return [AT_QUESTIONS[name](setting) for setting in asked[:limit]]
    if name in BY_SYSTEM:
        found_by_system = (case for setting in asked for case in answering(setting, BY_SYSTEM[name]).get(name, [])[:1])
        return list(itertools.islice(found_by_system, limit))
    documents = {document.id: document for setting in asked for document in setting.view.documents}
    found: list[Case] = []
    for document in documents.values():
        if len(found) >= limit:
            break
        calls = overheard(document).get(name, [])
        found += calls[len(calls) // 2 : len(calls) // 2 + 1]
    return found


# When a question is asked


def _question_only(module: str, kind: str) -> Callable[[Setting], Case]:
    import importlib

    made = getattr(importlib.import_module(f"octavo.decisions.{module}"), kind)
    return lambda setting: Case(setting.question, made(question=setting.question))


def _sections(setting: Setting) -> Case:
    from octavo.decisions.select_sections import OutlineLine, SectionsInput

    lines = tuple(
        OutlineLine(id=number, depth=level, title=title, first_page=page, last_page=page)
        for number, (_row, level, title, page) in enumerate(setting.outline(), 1)
    )
    return Case(setting.question, SectionsInput(setting.question, lines))


def _pages(setting: Setting) -> Case:
    from octavo.decisions.judge_page_relevance import PageItem, PagesQuestion

    items = [PageItem(text, str(page)) for page, text in setting.pages()]
    return Case(setting.question, PagesQuestion(setting.question), items)


def _topics(setting: Setting) -> Case:
    from octavo_methods.bookrag.decisions.satisfies_topic import TopicItem, TopicQuestion

    items = [TopicItem(text[:400]) for _page, text in setting.pages()]
    return Case(setting.question, TopicQuestion(setting.question, setting.question), items)


def _reading(setting: Setting) -> Case:
    from octavo.operators.read.about_lines import lines_about_documents

    packed = pack(setting.evidence, RELEVANCE)[:SHOWN_PASSAGES]
    about = lines_about_documents(setting.view, packed, setting.question)
    return Case(setting.question, Reading(setting.question, tuple(one.shown for one in packed), about=about))


def _reflection(setting: Setting) -> Case:
    from octavo_methods.dmap.decisions.reflect import ReflectInput

    texts = tuple(one.shown.text for one in pack(setting.evidence, RELEVANCE)[:4])
    return Case(setting.question, ReflectInput(setting.question, texts[0][:300] if texts else "", texts))


def _long_answer(setting: Setting) -> Case:
    from octavo_lab.decisions.extract_answer_value import AnswerInput

    packed = pack(setting.evidence, RELEVANCE)
    return Case(
        setting.question, AnswerInput(setting.question, packed[0].shown.text[:600] if packed else "nothing found")
    )


def _response(setting: Setting) -> Case:
    """Judge what the rules answer, against the accepted answer."""
    from octavo_lab.decisions.judge_answer import AnswerToJudge, Judgement
    from octavo_lab.scoring import RuleAssessor

    answer = systems.run_ask(systems.get("hybrid"), Query(setting.question), Run(setting.view))
    response = AnswerToJudge(setting.question, (setting.gold,), answer.text or "not answerable")

    def rule(value: AnswerToJudge) -> Judgement:
        return Judgement(correct=RuleAssessor().judge(value.question, value.accepted, value.response))

    return Case(setting.question, response, rule=rule)


AT_QUESTIONS: dict[str, Callable[[Setting], Case]] = {
    "plan_question": _question_only("plan_question", "PlanInput"),
    "decompose_question": _question_only("decompose_question", "DecomposeInput"),
    "extract_question_entities": _question_only("extract_question_entities", "EntitiesInput"),
    "locate_references": _question_only("locate_references", "LocateInput"),
    "select_sections": _sections,
    "judge_page_relevance": _pages,
    "satisfies_topic": _topics,
    "answer_from_evidence": _reading,
    "reflect": _reflection,
    "extract_answer_value": _long_answer,
    "judge_answer": _response,
}
"""How the case of a question is made, for each decision that can be put without a system."""
BY_SYSTEM = {
    "combine_answers": "bookrag",
    "locate_on_map": "dmap-paper",
    "reflect_on_answer": "dmap-paper",
    "investigate": "ladrag",
    "answer_with_reasoning": "mmrag",
    "route_document": "rdr2",
    "route_subtree": "rdr2-paper",
}
"""The system that is overheard, for each decision that stands in the middle of one."""


def answering(setting: Setting, name: str) -> dict[str, list[Case]]:
    """Return what a system would ask while it answers a question, by decision."""
    system, judge = systems.get(name), Overheard()
    document = setting.view.documents[0].name
    with octavo.open(setting.corpus) as corpus:
        systems.run_ask(
            system, Query(setting.question), Run(corpus.view([document], layers=system.needs()), judge=judge)
        )
    return {
        asked: [Case(setting.question, value, items, rule) for value, items, rule in calls]
        for asked, calls in judge.asked.items()
    }


# When a document is indexed


class Overheard(Judge):
    """Notes what layers or a system would ask a model, and lets the rules decide it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: dict[str, list[tuple[Any, Sequence[Any], Any]]] = {}

    def has_model(self, name: str, role: str = "language") -> bool:
        return True

    def decide(self, decision: Any, value: Any, *, rule: Any = None, on_text: Any = None) -> Any:
        self.asked.setdefault(decision.name, []).append((value, (), rule))
        return super().decide(decision, value, rule=rule, on_text=on_text)

    def decide_items(self, decision: Any, context: Any, items: Sequence[Any]) -> Any:
        if items:
            shown = items[: min(decision.per_call, MOST_ITEMS)]
            self.asked.setdefault(decision.name, []).append((context, shown, None))
        return super().decide_items(decision, context, items)


_overheard: dict[str, dict[str, list[Case]]] = {}
"""By document id: layers are built once for all decisions."""


def overheard(document: Document) -> dict[str, list[Case]]:
    """Return what would be asked while a document is indexed with every layer, by decision."""
    if document.id not in _overheard:
        _overheard[document.id] = _overhear(document)
    return _overheard[document.id]


def _overhear(document: Document) -> dict[str, list[Case]]:
    judge = Overheard()
    judge_headings(document, judge)
    stored: dict[str, bytes] = {}
    for layer in Builders.default().in_build_order([*OPTIONAL_LAYERS]).values():
        if set(layer.decisions) & DECISIONS.keys() and set(layer.reads) <= stored.keys():
            stored[layer.name] = layer.build(LayerInputs(document, stored, judge=judge))
    return {
        name: [Case(document.name, value, items) for value, items, _rule in asked]
        for name, asked in judge.asked.items()
    }
