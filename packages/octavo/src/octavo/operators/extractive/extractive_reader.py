"""The reader without a model: a short answer where it is sure, else the passages that fit, else that nothing does.

Nothing is written that is not in the evidence. Passages are what the best units grow into, none overlapping another.

Questions everybody asks first are told from structure: what is this, how long is it, what are its parts, who wrote it.
A document is told by its own words: its opening, its abstract or summary, and the headings of its main sections.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from octavo.decisions.engine import DecisionRecord
from octavo.evidence import NO_SHORT_ANSWER, Answer, AnswerFormat, Citation, Evidence, Outcome, Passage, View
from octavo.evidence.answer_shapes import Value
from octavo.evidence.own_words import is_on, page_told
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.extractive.calculations import calculated
from octavo.operators.extractive.cells_asked import named_answer
from octavo.operators.extractive.fits import ShortAnswer
from octavo.operators.extractive.flat_statements import said_first
from octavo.operators.extractive.items_asked import units_of_items
from octavo.operators.extractive.looks_asked import words_of_look
from octavo.operators.extractive.mail_answers import mail_answer
from octavo.operators.extractive.matching import unknown_names, unknown_words
from octavo.operators.extractive.meant_answers import is_of_meant
from octavo.operators.extractive.pages_asked import pages_beyond, pages_shown
from octavo.operators.extractive.short_answers import short_answers, typed
from octavo.operators.extractive.shown_passages import (
    MOST_PASSAGES,
    apart,
    passage_around,
    passage_of,
    passages_of,
    without_gaps,
)
from octavo.operators.extractive.stands_nowhere import stands_nowhere
from octavo.operators.extractive.sure_answers import Surest, surest
from octavo.operators.extractive.table_answers import SURE as OF_TABLE
from octavo.operators.extractive.table_answers import asked_of_tables, but_cells_compared, either, looked_up, stated
from octavo.operators.extractive.unit_scores import ScoredUnit, scored_units
from octavo.operators.keep import AS_FOUND, MEANT_ALONE, RELEVANCE, THING, ranked_pages
from octavo.operators.score.contents_lists import in_contents
from octavo.operators.score.page_features import is_contents_line
from octavo.operators.sentence_forms import Sentence, read_by
from octavo.question import About, Expects, Question, understand
from octavo_documents.document import Kind, is_no_page
from octavo_documents.text.analyzer import sentence_spans
from octavo_documents.text.lines import on_one_line
from octavo_documents.wording import counted, t

_CLOSE = -10.0
"""What the scorer says of the best passage where nothing close was found. Of 96 questions that were asked of a document
that is not theirs 0.88 had less; of 168 with an answer in theirs 4 had, in two of them the passage with the answer."""


def units_to_read(evidence: Evidence, using: Run) -> list[ScoredUnit] | Answer:
    """Return the units of the evidence's best pages, one or more, best first; or what is told without reading them.

    That is what structure tells of the documents, and that nothing fits.
    """
    question = understand(using.query.question)
    told = _of_look(question, evidence, using) or about_documents(question.text, evidence, using)
    if told is not None:
        return told
    missing = unknown_names(question, evidence.view)
    units = scored_units(question, evidence, using)
    if missing:
        rest = [one for one in units if one.unit.is_table_row and _OTHERS.match(one.unit.shown)]
        return (
            [*rest, *(one for one in units if one not in rest)]
            if rest
            else nothing(question.text, evidence, missing=missing)
        )
    units = said_first(question, evidence, units)
    is_far = _is_far(units)
    if not question.asks_for_looks and (is_far or (units and units[0].answers is None and units[0].pieces < _ALIKE)):
        missing = unknown_words(question, evidence.view)
    return nothing(question.text, evidence, missing=missing) if missing or is_far or not units else units


def _is_far(units: Sequence[ScoredUnit]) -> bool:
    """Return whether the scorer read passages and says that none comes close."""
    said = [one.answers for one in units if one.answers is not None]
    return bool(said) and max(said) < _CLOSE


_ALIKE = 0.42
"""Likeness by word pieces below which words that stand nowhere have no other words for them either. Of 19 questions
with such words over a handbook, nonsense and things it does not have were below 0.36, other words for what it has
above 0.48."""
_OTHERS = re.compile(
    r"\W*(?:(?:all|any|every|the)\s+)?(?:others?\b|rest\b|remain(?:ing|der)\b|elsewhere\b|every(?:where|thing) else\b"
    r"|(?:übrige|andere|sonstige|autres?|otros?|altri)\w*\b)",
    re.IGNORECASE,
)
"""A row for whatever no other row names."""


def best_passages(question: str, evidence: Evidence, using: Run, count: int = MOST_PASSAGES) -> tuple[Passage, ...]:
    """Return the passages of the evidence's best pages that fit a question best, the best first."""
    units = scored_units(understand(question), evidence, using)
    return passages_of(understand(question), evidence, units, using, count)


def shown_with(answer: Answer, using: Run) -> Answer:
    """Return an answer with the passages that a person is shown beside it, where its reader gave none.

    Those of its citations or, where there are none, the nearest ones.
    """
    if answer.passages or not len(answer.evidence):
        return answer
    view = answer.evidence.view
    documents = {document.id: at for at, document in enumerate(view.documents)}
    rows = [int(view.row_starts[documents[one.document_id]]) + int(one.block[1:]) for one in answer.citations]
    asked = using.query.question
    around = [
        passage_around(view, row, one.quote, question=asked) for row, one in zip(rows, answer.citations, strict=True)
    ]
    distinct = tuple(dict.fromkeys(one for one in around if one is not None))[:MOST_PASSAGES]
    most = 1 if answer.outcome is Outcome.NOTHING else MOST_PASSAGES
    found = distinct or best_passages(using.query.question, answer.evidence, using, most)
    return dataclasses.replace(answer, passages=found)


# Outcomes


def passages_only(
    question: str, evidence: Evidence, passages: Sequence[Passage], text: str = "", *, confidence: float = 0.0
) -> Answer:
    """Return the outcome that these passages fit; `text` says why in place of the usual words."""
    where = places(evidence.view, passages)
    if understand(question).expects is Expects.YES_NO:
        said = t("Whether that means yes or no is for you to read; the closest passages are {where}.", where=where)
    else:
        said = t(f"{NO_SHORT_ANSWER} are {{where}}; no short answer is sure.", where=where)
    return _unanswered(question, evidence, Outcome.PASSAGES, text or said, passages, confidence)


def _of_structure(question: str, evidence: Evidence, passages: Sequence[Passage], text: str) -> Answer:
    """Return passages that structure tells, not a search: what these are is said first."""
    return dataclasses.replace(passages_only(question, evidence, passages, text), opening=text.rstrip("."))


def nothing(question: str, evidence: Evidence, *, missing: Sequence[str] = ()) -> Answer:
    """Return the outcome that the documents do not say; `missing` are names that were looked for and stand nowhere.

    What comes nearest is shown beside it once the answer is complete (`shown_with`).
    """
    found = _unanswered(question, evidence, Outcome.NOTHING, "", (), 0.0)
    told = dataclasses.replace(found, looked_for=tuple(missing))
    return dataclasses.replace(told, text=t("{sentence}.", sentence=told.lead))


def _unanswered(
    question: str, evidence: Evidence, outcome: Outcome, text: str, passages: Sequence[Passage], confidence: float
) -> Answer:
    return Answer(
        question=question,
        system="",
        text=text,
        outcome=outcome,
        evidence=evidence,
        by=RELEVANCE,
        format=AnswerFormat.NONE,
        passages=tuple(passages),
        confidence=confidence,
    )


def places(view: View, passages: Sequence[Passage]) -> str:
    """Return where passages stand: "on page 2, page 5", of several documents "on page 2 of notes.pdf"."""
    several = len(view.documents) > 1
    told = [
        t("{at} of {document}", at=place(one), document=one.document) if several else place(one) for one in passages
    ]
    return t(
        "on {place}" if passages and is_on(passages[0].page_label) else "in {place}",
        place=t(", ").join(dict.fromkeys(told)),
    )


def place(where: Passage | Citation) -> str:
    """Return the page something stands on, or the part, slide or sheet of what has no pages."""
    return page_told(where.page, where.page_label if is_no_page(where.page_label) else "")


_SUMMARY = re.compile(
    r"\W*(?:[\dIVX]+\.?\d*\s+)?(?:abstract|(?:executive |overall )?summary|overview|introduction)\W*", re.I
)
_LIKELY = 0.6
"""The share of the chance of what is stated that one of two rivals must have for both to be told; chosen by hand."""
_LOOKS = 0.7
"""The chance that the only words known to have a look are all that have it; chosen by hand."""
# What is shown at most, chosen by hand for a reader's screen.
_WORDS = 120
_MOST_PARTS = 12
_MOST_DOCUMENTS = 10


def about_documents(question: str, evidence: Evidence, using: Run) -> Answer | None:
    """Return what structure tells of the documents in scope; None for a question about what stands in them."""
    view, about = evidence.view, understand(question).about
    of_mail = mail_answer(understand(question), evidence)
    if of_mail is not None:
        return of_mail
    if len(view.documents) > 1:
        return _documents(question, evidence, using) if About.WHICH in about else None
    if not len(view):
        return None
    of_pages = _pages(question, evidence)
    if of_pages is not None:
        return of_pages
    if About.LENGTH in about:
        return _length(question, evidence)
    if About.PARTS in about and len(_main_headings(view)) > 1:
        return _parts(question, evidence)
    if About.GIST in about or About.ORIGIN in about:
        told = [one for one in (_opening(view), _summary(view), _contents(view)) if one is not None]
        shown = told[:1] if About.ORIGIN in about else _without_repeats(told)
        words = "How the document begins" if About.ORIGIN in about else "What the document says of itself"
        return _of_structure(question, evidence, shown, f"{t(words)}, {places(view, shown[:1])}.") if shown else None
    return None


def _of_look(question: Question, evidence: Evidence, using: Run) -> Answer | None:
    """Return the words that are asked for by their look, stated where they are the only ones; else None."""
    found = words_of_look(question, evidence)
    if found is None:
        return None
    told = _of_structure(question.text, evidence, found.passages, found.said(places(evidence.view, found.passages)))
    if found.stated is None or (using.sure or 0.0) > _LOOKS:
        return told
    words = found.stated.quote
    return dataclasses.replace(
        told,
        text=words,
        outcome=Outcome.ANSWER,
        opening="",
        value=words,
        format=AnswerFormat.STR,
        citations=(found.stated,),
        confidence=_LOOKS,
    )


def _without_repeats(passages: Sequence[Passage]) -> list[Passage]:
    return [one for at, one in enumerate(passages) if not any(one.text in other.text for other in passages[:at])]


def _pages(question: str, evidence: Evidence) -> Answer | None:
    """Return what stands on the pages that are asked for by themselves, or that there is no such page."""
    view, asked = evidence.view, understand(question)
    beyond = pages_beyond(asked, view)
    if beyond:
        return dataclasses.replace(nothing(question, evidence), text=t("{sentence}.", sentence=beyond), opening=beyond)
    shown = pages_shown(asked, view)
    if not shown:
        return None
    return _of_structure(question, evidence, shown, t("What stands {where}.", where=places(view, shown)))


def _length(question: str, evidence: Evidence) -> Answer:
    view = evidence.view
    content = np.flatnonzero(view.is_content)  # how the document ends, but no page's footer
    pages, last = len(view.documents[0].pages), int(content[-1]) if len(content) else len(view) - 1
    unit = view.documents[0].unit
    if unit == "part":
        words = sum(len(text.split()) for text in view.blocks.text)
        said = t("{n} words; it has no pages", n=words)
        return _answer_of_structure(question, evidence, said, said, AnswerFormat.STR, [last])
    return _answer_of_structure(question, evidence, counted(pages, unit), pages, AnswerFormat.INT, [last])


def _parts(question: str, evidence: Evidence) -> Answer:
    rows = _main_headings(evidence.view)
    names = [_heading(evidence.view, row) for row in rows]
    return _answer_of_structure(question, evidence, "; ".join(names), names, AnswerFormat.LIST, rows)


def _answer_of_structure(
    question: str, evidence: Evidence, text: str, value: Value, form: AnswerFormat, rows: Sequence[int]
) -> Answer:
    view = evidence.view
    told = _contents(view)
    return Answer(
        question=question,
        system="",
        text=text,
        outcome=Outcome.ANSWER,
        evidence=evidence,
        by=RELEVANCE,
        value=value,
        format=form,
        citations=tuple(Citation.at(view, row) for row in rows),
        confidence=0.95,
        passages=(told,) if told is not None else (),
    )


def _opening(view: View) -> Passage | None:
    """Return how the document begins: the blocks of its first page with any words, up to 120 words."""
    is_entry = in_contents(view)
    rows = [row for row in range(len(view)) if view.is_content[row] and view.blocks.text[row].strip()]
    rows = [row for row in rows if not is_entry[row]] or rows
    if not rows:
        return None
    first = view.page_index[rows[0]]
    return _joined(view, [row for row in rows if view.page_index[row] == first])


def _summary(view: View) -> Passage | None:
    """Return the beginning of the first section that sums the document up, by its title; else none."""
    for row in view.sections().tolist():
        if _SUMMARY.fullmatch(view.blocks.text[row]):
            inside = view.subtree(row)
            kinds = (Kind.PARAGRAPH, Kind.LIST_ITEM)
            rows = [at for at in range(inside.start + 1, inside.stop) if view.blocks.kind_of(at) in kinds]
            if rows:
                return _joined(view, rows)
    return None


def _contents(view: View) -> Passage | None:
    rows = _main_headings(view)
    if len(rows) < 2:
        return None
    shown = [f"{_heading(view, row)} ({place(Citation.at(view, row))})" for row in rows[:_MOST_PARTS]]
    more = [t("and {n} more", n=len(rows) - _MOST_PARTS)] if len(rows) > _MOST_PARTS else []
    return Passage.at(view, rows[0], "\n".join((*shown, *more)))


def _main_headings(view: View) -> list[int]:
    """Return the rows of the headings that stand in no other section; of a single one, those right below it."""
    heads = view.sections()
    main = heads[view.blocks.parent[heads] < 0]
    if len(main) == 1:
        below = heads[view.blocks.parent[heads] == main[0]]
        main = below if len(below) > 1 else main
    return [row for row in main.tolist() if not is_contents_line(view.blocks.text[row])]


def _heading(view: View, row: int) -> str:
    return on_one_line(view.blocks.text[row])


def _joined(view: View, rows: Sequence[int]) -> Passage:
    lines: list[str] = []
    room = _WORDS
    for row in rows:
        said = " ".join(_whole_sentences(view.blocks.text[row], room))
        if not said:
            continue
        lines.append(said)
        room -= len(said.split())
    return Passage.at(view, rows[0], "\n".join(lines))


def _whole_sentences(text: str, room: int) -> Iterator[str]:
    """Yield the sentences of a text from its start that `room` words have room for."""
    for start, stop in sentence_spans(text):
        said = on_one_line(text[start:stop])
        room -= len(said.split())
        if room < 0:
            return
        yield said


def _documents(question: str, evidence: Evidence, using: Run) -> Answer | None:
    """Return the documents with the best pages, the best passage from each of the first three."""
    view = evidence.view
    if not len(evidence):
        return None
    _, pages = ranked_pages(evidence)
    found = list(dict.fromkeys(view.locate_page(page)[0] for page in pages.tolist()))
    names = [view.names[document] for document in found[:_MOST_DOCUMENTS]]
    shown = [
        passage
        for document in found[:MOST_PASSAGES]
        for passage in best_passages(question, evidence.keep(view.document[evidence.rows] == document), using, 1)
    ]
    text = t("The documents that come closest, the nearest first: {names}.", names="; ".join(names))
    return _of_structure(question, evidence, shown, text)


@dataclasses.dataclass(frozen=True)
class ExtractiveReader(Step[Evidence, Answer]):
    """Answer in the document's own words, or show the passages that fit.

    A short answer is given where the chance (0..1) that it is right is `least` or more, or what the run asks for; it is
    the answer's confidence.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE}, uses={AS_FOUND, MEANT_ALONE, THING})
    sentence: ClassVar[Sentence] = read_by

    least: float = 0.5

    def needs(self) -> frozenset[str]:
        """Return the layers that weigh the question's terms."""
        return frozenset({"passages", "terms"})

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return what comes of the question."""
        using.judge.record(DecisionRecord("read", "rule"))
        return self.read(value, using)

    def read(self, value: Evidence, using: Run) -> Answer:
        """Return the same, noting nothing: for a reader that falls back on this one."""
        view, question = value.view, understand(using.query.question)
        units = units_to_read(value, using)
        if isinstance(units, Answer):
            return units
        items = units_of_items(question, view, units)
        least = self.least if using.sure is None else using.sure
        sure = calculated(question.text, view, units, using.meant)
        asked = asked_of_tables(question.text, view, units, using.meant) if sure is None else []
        cell = looked_up(view, units, asked)
        if cell is not None:
            sure = Surest(cell, OF_TABLE)
        sure = sure or named_answer(question, view, units, using.meant)
        if sure is None:
            of_table = stated(question.text, value, asked)
            if of_table is not None and (not of_table.answerable or of_table.confidence >= least):
                return of_table
            searched = items or units
            found = [one for one in short_answers(question, view, searched) if is_of_meant(one, view, using.meant)]
            tells = units[0].answers is not None or using.token_embedder() is not None  # words alone do not
            found = but_cells_compared(question.text, view, found) if tells else []
            sure = surest(question, view, found, units[0].score, using.passage_scorer())
        if sure is not None and sure.is_clear and sure.chance >= least:
            answer = self._answer(value, using, units, sure)
            if answer is not None:
                return answer
        if sure is not None and sure.rival is not None and not sure.is_clear and sure.chance >= _LIKELY * least:
            return _between(question.text, value, units, using, sure, sure.rival)
        passages = passages_of(question, value, units, using, sources=items)
        clear = sure.chance if sure is not None and sure.is_clear else 0.0
        told = passages_only(question.text, value, passages, confidence=clear)
        return dataclasses.replace(told, looked_for=stands_nowhere(question, view))

    def _answer(self, value: Evidence, using: Run, units: list[ScoredUnit], sure: Surest) -> Answer | None:
        """Return a short answer with its passage first; None where its words cannot be found in its block."""
        view, best, text = value.view, sure.answer, using.query.question
        row, unit = best.source.unit.row, best.source.unit
        cited = Citation.of_cell(view, row, (unit.shown, best.quote), (best.quote, best.text))
        if cited is None:
            return None
        question = understand(text)
        printed, form = typed(question, best)
        sources = [one.source for one in (best, sure.rival) if one is not None]
        return Answer(
            question=text,
            system="",
            text=best.text,
            outcome=Outcome.ANSWER,
            evidence=value,
            by=RELEVANCE,
            value=printed,
            format=form,
            citations=(cited,),
            confidence=round(sure.chance, 3),
            passages=passages_of(question, value, units, using, sources=sources, answer=best.quote),
            rivals=(sure.rival.text,) if sure.rival is not None else (),
        )


def _between(
    question: str, evidence: Evidence, units: Sequence[ScoredUnit], using: Run, sure: Surest, rival: ShortAnswer
) -> Answer:
    """Return the passages of two short answers between which nothing decides, and both as rivals."""
    own = [units[0], sure.answer.source, rival.source]
    passages = [passage_of(evidence.view, one) for one in without_gaps(evidence.view, apart([*own, *units]))]
    rivals = (sure.answer.text, rival.text)
    text = t("It may be {texts}: no short answer is sure", texts=either(rivals))
    return dataclasses.replace(_of_structure(question, evidence, passages, text), rivals=rivals)
