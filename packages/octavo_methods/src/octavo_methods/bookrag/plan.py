"""Planning a question and taking it apart into questions of one place each; partial answers, and one made out of them.

BookRAG section 5.2: the plan is equation 8, the parts are equation 2. What decides both is in `decisions`. Map and
Reduce are its Synthesizer.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import chain, pairwise
from typing import Any, ClassVar

import numpy as np

from octavo.decisions.answer_from_evidence import Shown
from octavo.decisions.combine_answers import PartAnswer
from octavo.evidence import Answer, AnswerFormat, Citation, Evidence, Operation, Outcome, Query, Reach, TraceStep, View
from octavo.models.language import estimate_tokens
from octavo.operators.columns import Columns, Given, shared
from octavo.operators.core import Operator, QueryStep, Run, Step, rows_of
from octavo.operators.extractive.extractive_reader import nothing
from octavo.operators.extractive.units import caption_of
from octavo.operators.keep import RELEVANCE, RankPages
from octavo.operators.read.close_reading import reads_closely
from octavo.operators.read.combining import combine
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.read.in_part import better_of
from octavo.operators.read.packing import Packed, cite
from octavo.operators.score.fuse import FUSED
from octavo.operators.score.refer import Label, labels_opening
from octavo.operators.sentence_forms import Sentence, always
from octavo.question import understand
from octavo_documents.document import KIND_BY_LABEL, number_of
from octavo_documents.text.lines import on_one_line
from octavo_methods.bookrag.decisions.decompose_question import DECOMPOSE_QUESTION, DecomposeInput
from octavo_methods.bookrag.decisions.plan_question import PLAN_QUESTION, PlanInput, QuestionPlan
from octavo_methods.bookrag.decisions.review_items import REVIEW_ITEMS, FoundItem, ReviewInput
from octavo_methods.bookrag.select import IN_PART, ITEM, RANGED, pictures_of


def _plan_sentence(step: TraceStep) -> str:
    names = step.parameters.get("entities") or ()
    about = ", ".join(map(str, names[:3]))
    return f"Noted that the question is about {about}" if about else "Worked out what kind of question it is"


@dataclasses.dataclass(frozen=True)
class PlanQuestion(QueryStep):
    """Decide how a question is to be answered; the planner is shown at most `titles` titles of main sections.

    Where a model fails the words of the question decide, and they find a question single-hop unless it plainly is not.
    """

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = _plan_sentence

    titles: int = 24

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with its reach, parts, entities, filters and operation."""
        asked = PlanInput(value.question, main_titles(using.view, self.titles))
        return planned(value, using.judge.decide(PLAN_QUESTION, asked).output)

    def details(self, result: Query, using: Run) -> Mapping[str, Any]:
        """Return the plan: what of it is not empty."""
        plan = {
            "reach": result.reach.value if result.reach else "",
            "operation": result.operation.value if result.operation else "",
            "kinds": [kind.label for kind in result.kinds],
            "pages": [f"{first}-{last}" for first, last in result.pages],
            "sections": list(result.sections),
            "topic": result.topic,
            "sub_questions": list(result.sub_questions),
            "entities": list(result.entities),
        }
        return {name: value for name, value in plan.items() if value}


def planned(query: Query, plan: QuestionPlan) -> Query:
    """Return a query that carries a plan."""
    reach = Reach(plan.category)
    return dataclasses.replace(
        query,
        reach=reach,
        sub_questions=tuple(plan.retrieval_questions) if reach is Reach.MULTI else (),
        synthesis=tuple(plan.synthesis_questions),
        entities=tuple(plan.entities),
        kinds=tuple(KIND_BY_LABEL[kind] for kind in plan.kinds),
        pages=plan.page_ranges,
        sections=tuple(plan.sections),
        topic=plan.topic,
        operation=None if plan.operation == "NONE" else Operation(plan.operation),
    )


def main_titles(view: View, count: int) -> tuple[str, ...]:
    """Return the titles of the first `count` sections that stand in no other."""
    rows = [int(row) for row in view.sections() if view.blocks.parent[row] < 0]
    return tuple(on_one_line(text) for text in view.blocks.text.take(rows[:count]))


@dataclasses.dataclass(frozen=True)
class Decompose(Step[Query, tuple[Query, ...]]):
    """Return the questions to look up: those of the plan, else by a decision; the question itself if it stays whole.

    Each keeps the page limit and, of the entities of the whole, those it names.
    """

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = always("Split the question into parts that are searched one by one")

    def apply(self, value: Query, using: Run) -> tuple[Query, ...]:
        """Return one query or more."""
        parts = value.sub_questions
        if not parts:
            decided = using.judge.decide(DECOMPOSE_QUESTION, DecomposeInput(value.question)).output
            parts = tuple(decided.retrieval_questions)
            using.query = dataclasses.replace(value, synthesis=tuple(decided.synthesis_questions))
        return tuple(_sub_query(value, question) for question in parts)


def _sub_query(whole: Query, question: str) -> Query:
    asked = question.casefold()
    return Query(
        question,
        whole.limit,
        reach=Reach.SINGLE,
        entities=tuple(entity for entity in whole.entities if entity.casefold() in asked),
        part_of=whole.question if question != whole.question else "",
    )


@dataclasses.dataclass(frozen=True)
class Merge(Step[tuple[Evidence, ...], Evidence]):
    """Unite evidence: all rows, each with the best of its scores. Columns must be on one scale, 0 to about 1."""

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = always("Put the answers of the parts together")

    def apply(self, value: tuple[Evidence, ...], using: Run) -> Evidence:
        """Return the rows of all."""
        return merged(using.view, value)


def merged(view: View, found: Sequence[Evidence]) -> Evidence:
    """Return the rows of all evidence, each with the best of its scores."""
    return reduce(lambda one, other: one | other, found, Evidence.of(view, ()))


_LONGEST_NAME = 160
_IN_PART_CONFIDENCE = 0.4
"""Confidence of what is known only in part, that of an answer no quote bears out."""
_ITEM_CONFIDENCE = 0.6
"""Confidence of counts and lists of items, a fixed figure: nothing weighs how complete they are."""


def _map_sentence(step: TraceStep) -> str:
    return f"Read the text in {number_of(int(step.parameters.get('pieces', 0)), 'part')}, one by one"


@dataclasses.dataclass(frozen=True)
class Map(Operator[Evidence, tuple[Answer, ...]]):
    """Give each piece of evidence an answer of its own.

    Items to be counted or listed are one piece each and need no reader; where some have numbered captions, only these.
    Anything else is read with the whole question: to be summarised or analysed in `segments` pieces at most, cut
    between main sections, else in one; a range of which every block is to be read in pieces of about `tokens`, `most`
    at most. The column `by` ranks what a reader is shown.
    """

    sentence: ClassVar[Sentence] = _map_sentence

    reader: Operator[Evidence, Answer] = dataclasses.field(default_factory=DirectReader)
    segments: int = 3
    tokens: int = 2400
    most: int = 8
    by: str = FUSED

    def needs(self) -> frozenset[str]:
        """Return what the reader needs."""
        return self.reader.needs()

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by}, writes={RELEVANCE})

    def after(self, given: Given = None) -> Given:
        """Return the columns of what is ranked, which the reader goes by."""
        ranked = super().after(given)
        return shared(ranked, self.reader.after(ranked))

    def __call__(self, value: Evidence, using: Run) -> tuple[Answer, ...]:
        """Return one answer for each piece, in document order; the readings are inside this step in the trace."""
        timer, inside = using.timer(), list[TraceStep]()
        ranked = value.with_score(RELEVANCE, value.scores[self.by]) if len(value) else value
        if asks_for_items(using.query) and ITEM in value.sources:
            answers = tuple(_item_answer(ranked, at, using.query) for at in _places(ranked, using.query))
        else:
            pieces = [ranked] if self._reads_whole(using) else self._pieces(ranked, using.query)
            found = using.judge.map(lambda piece: self._read(piece, using.branch(using.query)), pieces)
            for branch, _ in found:
                using.join(branch)
                inside.extend(branch.trace)
            answers = tuple(answer for _, answer in found)
        using.note(timer.step("Map", {"pieces": len(answers)}, (len(value), rows_of(answers, using)), inside))
        return answers

    def _reads_whole(self, using: Run) -> bool:
        """Return whether a small model reads, which has a few words for a whole question and none for a third of it."""
        if not using.judge.models:
            return False
        return reads_closely(using)

    def _read(self, piece: Evidence, branch: Run) -> tuple[Run, Answer]:
        return branch, self.reader(piece, branch)

    def _pieces(self, evidence: Evidence, query: Query) -> list[Evidence]:
        if RANGED in evidence.sources:
            return self._by_size(evidence)
        if query.operation not in (Operation.SUMMARIZE, Operation.ANALYZE) or not len(evidence):
            return [evidence]
        edges = [0, *_cuts(evidence, self.segments), len(evidence)]
        places = np.arange(len(evidence))
        return [evidence.keep((places >= start) & (places < stop)) for start, stop in pairwise(edges)]

    def _by_size(self, evidence: Evidence) -> list[Evidence]:
        """Return all of the evidence in pieces of about the same size, in document order."""
        texts = evidence.view.blocks.text.take(evidence.rows)
        ends = np.cumsum([estimate_tokens(text) + 1 for text in texts])
        size = max(self.tokens, -(-int(ends[-1]) // self.most)) if len(ends) else 1
        number = (ends - 1) // size
        return [evidence.keep(number == one) for one in np.unique(number)]


def _cuts(evidence: Evidence, pieces: int) -> list[int]:
    """Return where evidence is cut: where main sections change, as near as can be to even shares."""
    blocks = evidence.view.blocks
    main = np.array([next(iter(blocks.ancestors(int(row))), int(row)) for row in evidence.rows], np.int64)
    changes = (np.flatnonzero(np.diff(main)) + 1).tolist()
    cuts: list[int] = []
    for part in range(1, pieces):
        left = [at for at in changes if at not in cuts]
        if left:
            cuts.append(min(left, key=lambda at: abs(at - len(main) * part / pieces)))
    return sorted(cuts)


@dataclasses.dataclass(frozen=True)
class Reduce(Step[tuple[Answer, ...], Answer]):
    """Make one answer of several: their number or list for items, else what a decision combines.

    Before items are counted or listed, a model looks once at all of them and says which count, with up to `pictures`
    pictures of them where it sees. The answer cites what the parts it stands on cite, and of a part that is half known
    the passages. When the parts settle nothing, the evidence of all of them is read once more with the whole question,
    by `otherwise`; None: there is no answer then.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE}, writes={RELEVANCE})
    sentence: ClassVar[Sentence] = always("Put together what was found in the parts")

    otherwise: Operator[Evidence, Answer] | None = dataclasses.field(default_factory=DirectReader)
    pictures: int = 20

    def needs(self) -> frozenset[str]:
        """Return what the other reader needs."""
        return frozenset[str]() if self.otherwise is None else self.otherwise.needs()

    def after(self, given: Given = None) -> Given:
        """Return the columns of all evidence, which the other reader goes by."""
        united = super().after(given)
        return united if self.otherwise is None else shared(united, self.otherwise.after(united))

    def apply(self, value: tuple[Answer, ...], using: Run) -> Answer:
        """Return the answer, its evidence that of all parts on at most as many pages as the question's limit."""
        if value and asks_for_items(using.query) and all(ITEM in part.evidence.sources for part in value):
            counted, times = self._reviewed(value, using)
            return items_answer(counted, evidence_of(counted, using), using.query, times)
        evidence = evidence_of(value, using)
        if len(value) == 1 and value[0].question == using.query.question:
            return dataclasses.replace(value[0], question=using.query.question, evidence=evidence)
        found = combined(value, evidence, using)
        if found is not None and (found.answerable or self.otherwise is None):
            return found
        if self.otherwise is None:
            return nothing(using.query.question, evidence)
        using.so_far.known = found.known if found else ""
        read = self.otherwise(evidence, dataclasses.replace(using, trace=[], on_step=None))
        return better_of(found, read) if found else read

    def _reviewed(self, items: tuple[Answer, ...], using: Run) -> tuple[tuple[Answer, ...], tuple[int, ...]]:
        """Return the items that count when all are looked at together, and how often each; all once without a model."""
        view = using.view
        rows = [int(item.evidence.rows[0]) for item in items]
        seen = pictures_of(view, rows[: self.pictures], using, REVIEW_ITEMS.name)
        found = tuple(
            FoundItem(item.text, view.blocks.kind_of(row).label, int(view.blocks.page[row]), seen.get(row))
            for item, row in zip(items, rows, strict=True)
        )
        decision = dataclasses.replace(REVIEW_ITEMS, role="vision") if seen else REVIEW_ITEMS
        decided = using.judge.decide(decision, ReviewInput(using.query.question, found))
        # Of what did not fit nobody has said that it does not count.
        unseen = range(len(items) - decided.left_out + 1, len(items) + 1)
        counted = sorted({*decided.output.counted, *unseen})
        return tuple(items[number - 1] for number in counted), tuple(map(decided.output.times, counted))


def evidence_of(parts: Sequence[Answer], using: Run) -> Evidence:
    """Return the evidence of all parts, ranked, on at most as many pages as the question's limit."""
    united = merged(using.view, [part.evidence for part in parts])
    return RankPages(RELEVANCE).apply(united, using) if len(united) else united


def combined(parts: Sequence[Answer], evidence: Evidence, using: Run) -> Answer | None:
    """Return the answer that a decision makes of partial ones, be it one in part; None when they settle nothing."""
    query = using.query
    labelled = [PartAnswer(part.question, part.text, part.answerable, part.known, part.missing) for part in parts]
    made = combine(labelled, parts, using, synthesis=query.synthesis)
    if made is None:
        return None
    if not made.is_whole:
        return made.in_part(query.question, evidence)
    citations = _distinct(chain.from_iterable(_citations(part, using.view) for part in made.used))
    if not citations and not any(part.answerable for part in made.used):  # half-known parts may cite nothing
        return None
    return Answer(
        question=query.question,
        system="",
        text=made.text,
        outcome=Outcome.ANSWER,
        evidence=evidence,
        by=RELEVANCE,
        value=made.value,
        format=made.format,
        citations=citations,
        confidence=min(part.confidence if part.answerable else _IN_PART_CONFIDENCE for part in made.used),
        is_seen=any(part.is_seen for part in made.used),
    )


def _citations(part: Answer, view: View) -> Sequence[Citation]:
    """Return where a part stands; of one that is half known, the lines of its passages that say most of it."""
    if not part.known:
        return part.citations
    starts = {document.id: int(start) for document, start in zip(view.documents, view.row_starts, strict=False)}
    rows = [starts[one.document_id] + int(one.block.removeprefix("b")) for one in part.passages]
    found = (cite(view, Packed(Shown(0, "", ""), (row,), 0.0), "", part.known) for row in rows)
    return [one for one in found if one is not None]


def asks_for_items(query: Query) -> bool:
    """Return whether a question counts or lists blocks of a kind or the pages they are on, not what they are like."""
    is_of_items = bool(query.kinds) and query.operation in (Operation.COUNT, Operation.LIST)
    return is_of_items and not understand(query.question).asks_for_sorts


def _item_answer(evidence: Evidence, at: int, query: Query) -> Answer:
    """Return an item as an answer: what it is called, and where it stands."""
    row = int(evidence.rows[at])
    alone = np.zeros(len(evidence), np.bool_)
    alone[at] = True
    return Answer(
        question=query.question,
        system="",
        text=item_name(evidence.view, row),
        outcome=Outcome.ANSWER,
        evidence=evidence.keep(alone),
        by=RELEVANCE,
        citations=(item_citation(evidence.view, row),),
        confidence=_ITEM_CONFIDENCE,
    )


def _places(evidence: Evidence, query: Query) -> list[int]:
    """Return the positions of the items that count; where pages with items are counted, all do."""
    if _is_of_pages(query):
        return list(range(len(evidence)))
    return np.searchsorted(evidence.rows, _counted(evidence.view, evidence.rows.tolist())).tolist()


def _is_of_pages(query: Query) -> bool:
    question = understand(query.question)
    return question.counts_pages if query.operation is Operation.COUNT else question.lists_pages


def items_answer(items: Sequence[Answer], evidence: Evidence, query: Query, times: Sequence[int] = ()) -> Answer:
    """Return how many items there are, or which; of pages, each once; that there is nothing where there is none.

    `times` says how often each counts, once where it is empty. Where the pages of what is counted are asked for too,
    they come after the number, and where it is asked how many are on each, or one item counts more than once, with the
    number on each. A number of items of which not all were looked at is told as the least there are.
    """
    if not items:
        return nothing(query.question, evidence)
    on_pages = _by_page(items, times or [1] * len(items))
    names = [*on_pages] if _is_of_pages(query) else [item.text for item in items]
    number = len(names) if _is_of_pages(query) else sum(on_pages.values())
    is_count = query.operation is Operation.COUNT
    is_part = any(IN_PART in item.evidence.sources for item in items)
    return Answer(
        question=query.question,
        system="",
        text=_number_of(number, on_pages, len(items), query, is_part=is_part) if is_count else "; ".join(names),
        outcome=Outcome.ANSWER,
        evidence=evidence,
        by=RELEVANCE,
        value=number if is_count else names,
        format=AnswerFormat.INT if is_count else AnswerFormat.LIST,
        citations=_distinct(chain.from_iterable(item.citations for item in items)),
        confidence=_IN_PART_CONFIDENCE if is_part else _ITEM_CONFIDENCE,
        is_seen=any(item.is_seen for item in items),
    )


def _number_of(number: int, on_pages: Mapping[str, int], n_items: int, query: Query, *, is_part: bool) -> str:
    told, asked = f"at least {number}" if is_part else str(number), understand(query.question)
    if _is_of_pages(query) or not asked.lists_pages:
        return told
    if asked.asks_for_each or number > n_items:
        return f"{told} ({', '.join(f'page {page}: {count}' for page, count in on_pages.items())})"
    return f"{told} (on page{'s' if len(on_pages) > 1 else ''} {', '.join(on_pages)})"


def _by_page(items: Sequence[Answer], times: Sequence[int]) -> dict[str, int]:
    """Return how many things are on each page, with the name of the document where they are in several."""
    places = [item.citations[0] for item in items]
    are_of_one = len({one.document_id for one in places}) == 1
    found = Counter[tuple[str, str, int]]()
    for one, count in zip(places, times, strict=True):
        found[one.document_id, one.document, one.page] += count
    return {str(page) if are_of_one else f"{page} of {document}": count for (_, document, page), count in found.items()}


def _distinct(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    return tuple({(one.document_id, one.block, one.quote): one for one in citations}.values())


def _counted(view: View, rows: Sequence[int]) -> list[int]:
    """Return the items that a document itself counts: those with a numbered caption, one for each label; else all.

    "Table 3 (continued)" is no fourth table, and a table without a number beside numbered ones is mostly layout.
    """
    first: dict[frozenset[Label], int] = {}
    for row in rows:
        caption = caption_of(view, row)
        labels = labels_opening(view.blocks.text[caption]) if caption >= 0 else set[Label]()
        if labels:
            first.setdefault(frozenset(labels), row)
    return sorted(first.values()) or list(rows)


def item_name(view: View, row: int) -> str:
    """Return what an item is called: its caption, else its first line, else its kind and page."""
    caption = caption_of(view, row)
    texts = (view.blocks.text[caption] if caption >= 0 else "", view.blocks.text[row])
    name = next((on_one_line(text.split("\n")[0]) for text in texts if text.strip()), "")
    return name[:_LONGEST_NAME] or f"{view.blocks.kind_of(row).label} on page {int(view.blocks.page[row])}"


def item_citation(view: View, row: int) -> Citation:
    """Cite an item by the first line of its caption or text; one without any words by its place alone."""
    caption = caption_of(view, row)
    for at in (caption, row):
        line = view.blocks.text[at].strip().split("\n")[0] if at >= 0 else ""
        cited = Citation.of(view, at, line) if line else None
        if cited is not None:
            return cited
    return Citation.at(view, row)
