"""Having a model reason over pages, what pictures show, and overviews: MMRAG-DocQA, equations 13 to 17."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from octavo.decisions.answer_from_evidence import EvidenceReply
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES, Looking
from octavo.evidence import Answer, AnswerFormat, Citation, Evidence, View
from octavo.evidence.layer_tables import TOPOLOGY_TABLE
from octavo.operators.core import Run
from octavo.operators.keep import LISTED, RELEVANCE
from octavo.operators.read.answering import answer_of, answer_only, without_reply
from octavo.operators.read.close_reading import read_closely
from octavo.operators.read.has_read import has_read
from octavo.operators.read.image_evidence import Spot, drawn, pictured
from octavo.operators.read.in_part import better_of
from octavo.operators.read.material import Material, choose_what_a_model_reads
from octavo.operators.read.packing import cite
from octavo.operators.score.tree_search import best_nodes, node_cosines
from octavo_documents.text.analyzer import sentence_spans
from octavo_documents.text.lines import on_one_line
from octavo_methods.mmrag.decisions.answer_with_reasoning import ANSWER_WITH_REASONING, Reasoned, ReasoningInput
from octavo_methods.mmrag.further_reading import further, read_again
from octavo_methods.mmrag.page_verdicts import HOLDS_A_PART
from octavo_methods.mmrag.pages import JUDGED

if TYPE_CHECKING:
    from octavo_methods.mmrag.reasoned_reader import ReasonedReader

_NAME = ANSWER_WITH_REASONING.name
_LEAST_SENTENCES = 2
"""Sentences of an overview: a single one says less than a passage."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Reading:
    """What one reading gets beside its passages; `known` is what the one before came to."""

    material: Material
    notes: tuple[str, ...] = ()
    overviews: tuple[str, ...] = ()
    known: str = ""


def reasoned_answer(value: Evidence, using: Run, reader: ReasonedReader) -> Answer:
    """Return the answer of a model with its citations, or one that says there is none."""
    found = read_closely(value, using, partial(reader.otherwise.read, value, using), _NAME)
    return found if found is not None else _reason(value, using, reader)


def _reason(value: Evidence, using: Run, reader: ReasonedReader) -> Answer:
    """Return what a reading comes to, or a second one that is shown what the first said is missing."""
    value, has_best = _best_first(value)
    material = dataclasses.replace(choose_what_a_model_reads(value, using, _NAME), may_look=True)
    notes = _notes(value.view, pictured(value.view, value.page_indices(RELEVANCE)), reader, using)
    material.announce(using)
    reading = _Reading(material, notes, () if has_best else _overviews(reader.overviews, using))
    first, taken = _read(reading, using, reader)
    if first.answerable or not first.missing or using.judge.stopped:
        return first
    more = further(material, first.missing, using)
    notes = _notes(value.view, more.spots, reader, using) if more else ()
    if not more.rows and not notes:
        return first
    again = _Reading(read_again(material, taken, more.rows, using), (*reading.notes, *notes), known=first.known)
    return better_of(first, _read(again, using, reader)[0])


def _read(reading: _Reading, using: Run, reader: ReasonedReader) -> tuple[Answer, list[int]]:
    """Return what one reading comes to, and the rows of the passages that it names."""
    question, material = using.query.question, dataclasses.replace(reading.material, seen=reading.notes)
    evidence = material.evidence
    found = ReasoningInput(
        question,
        material.shown,
        notes=reading.notes,
        overviews=reading.overviews,
        pages=tuple(np.unique(evidence.view.blocks.page[evidence.rows]).tolist()),
        about=material.about.shown.text,
        known=reading.known,
    )
    has_replied = has_read(using, _NAME)
    decided = using.judge.decide(
        ANSWER_WITH_REASONING, found, rule=lambda _: Reasoned(format="None"), on_text=answer_only(using.on_text)
    )
    if decided.by == "rule":
        otherwise = partial(reader.otherwise.read, evidence, using)
        return without_reply(material, decided, question, otherwise, has_replied=has_replied), []
    material.note_read(using, decided.left_out)
    said = decided.output
    reply = EvidenceReply(
        evidence=said.evidence,
        answerable=said.answerable,
        answer=said.answer or said.known,
        value=said.answer,
        missing=said.missing,
        why=said.why,
    )
    answer = answer_of(material, reply, question, AnswerFormat(said.format) if said.answerable else None)
    if answer.known:
        answer = dataclasses.replace(answer, citations=_cited(material, said))
    return answer, [row for one in material.named(said.evidence) for row in one.rows]


def _cited(material: Material, said: Reasoned) -> tuple[Citation, ...]:
    """Return where what is known in part stands, by what a reply quotes of the passages that it names."""
    view = material.evidence.view
    places = [(material.at(support.id), support.quote) for support in said.evidence]
    cited = (cite(view, packed, quote, said.known) for packed, quote in places if packed is not None)
    return tuple(dict.fromkeys(one for one in cited if one is not None))


def _best_first(value: Evidence) -> tuple[Evidence, bool]:
    """Return the evidence with the blocks listed of pages judged to hold the answer, and whether there are any."""
    if JUDGED not in value.scores:
        return value, False
    is_best = np.nan_to_num(value.scores[JUDGED]) >= HOLDS_A_PART
    return dataclasses.replace(value, sources={**value.sources, LISTED: is_best}), bool(is_best.any())


def _notes(view: View, spots: Sequence[Spot], reader: ReasonedReader, using: Run) -> tuple[str, ...]:
    """Return what is seen in the first of some pictures; nothing where there are none or nobody sees."""
    question = using.query.question
    if not reader.pictures or not using.judge.has_model("answer_from_pictures", "vision"):
        return ()
    looked_at = drawn(view, spots[: reader.pictures], using)
    if not looked_at:
        return ()
    looking = Looking(question, tuple(seen for _, seen in looked_at))
    decided = using.judge.decide(ANSWER_FROM_PICTURES, looking)
    reply = decided.output
    used = reply.used or range(1, len(looked_at) + 1)
    if decided.by != "rule":
        using.note_read(pages=(spot.page for spot, _ in looked_at))
        told = dict.fromkeys(used, reply.seen)
        shown = {(spot.page, spot.row): told.get(number, "") for number, (spot, _) in enumerate(looked_at, start=1)}
        using.so_far.pictures.update(shown)
    if not reply.answerable and not reply.seen:
        return ()
    # What is seen may speak of pictures by their numbers.
    marks = {number: f"[{number}] " if len(looked_at) > 1 else "" for number in used}
    places = "; ".join(f"{marks[number]}{looked_at[number - 1][1].where}" for number in used)
    answer = reply.answer if reply.answerable else "They do not settle the question."
    return (" ".join(filter(None, (f"({places})", answer, f"Seen: {reply.seen}" if reply.seen else ""))),)


def _overviews(count: int, using: Run) -> tuple[str, ...]:
    """Return the nearest summaries with the pages they stand for, nearest first, each sentence once.

    One that has less than two sentences of its own is left out.
    """
    view = using.view
    if not count or not len(tree := view.layer(TOPOLOGY_TABLE)):
        return ()
    nodes: list[int] = best_nodes(tree, node_cosines(using.query, using), count=count, least_level=1).tolist()
    places, told = tree.places, set[str]()
    found: list[str] = []
    for node in nodes:
        text = tree.nodes.text[node]
        sentences = dict.fromkeys(on_one_line(text[start:stop]) for start, stop in sentence_spans(text))
        new = [one for one in sentences if one and one not in told]
        told.update(new)
        if len(new) >= _LEAST_SENTENCES:
            pages = np.unique(view.blocks.page[places.block[places.node == node]]).tolist()
            found.append(f"(pages {', '.join(map(str, pages))}) {' '.join(new)}")
    return tuple(found)
