"""Having a model reason over pages, what pictures show, and overviews: MMRAG-DocQA, equations 13 to 17."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from octavo.decisions.answer_from_evidence import EvidenceReply
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES, Looking
from octavo.evidence import Answer, AnswerFormat, Evidence
from octavo.evidence.layer_tables import TOPOLOGY_TABLE
from octavo.operators.core import Run
from octavo.operators.keep import LISTED, RELEVANCE
from octavo.operators.read.answering import answer_of, answer_only, without_reply
from octavo.operators.read.close_reading import read_closely
from octavo.operators.read.contact_sheet import goes_over
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.read.has_read import has_read
from octavo.operators.read.image_evidence import drawn, pictured
from octavo.operators.read.material import choose_what_a_model_reads
from octavo.operators.score.tree_search import best_nodes, node_cosines
from octavo_documents.text.analyzer import sentence_spans
from octavo_methods.mmrag.decisions.answer_with_reasoning import ANSWER_WITH_REASONING, Reasoned, ReasoningInput
from octavo_methods.mmrag.page_verdicts import HOLDS_A_PART
from octavo_methods.mmrag.pages import JUDGED

if TYPE_CHECKING:
    from octavo_methods.mmrag.reasoned_reader import ReasonedReader

_LEAST_SENTENCES = 2
"""Sentences of an overview: a single one says less than a passage."""


def reasoned_answer(value: Evidence, using: Run, reader: ReasonedReader) -> Answer:
    """Return the answer of a model with its citations, or one that says there is none."""
    if reader.pictures and goes_over(using):
        return DirectReader(otherwise=reader.otherwise).apply(value, using)
    found = read_closely(value, using, partial(reader.otherwise.read, value, using), "answer_with_reasoning")
    return found if found is not None else _reason(value, using, reader)


def _reason(value: Evidence, using: Run, reader: ReasonedReader) -> Answer:
    query, name = using.query, ANSWER_WITH_REASONING.name
    value, has_best = _best_first(value)
    notes = _notes(value, reader.pictures, using)
    material = dataclasses.replace(choose_what_a_model_reads(value, using, name), seen=notes)
    material.announce(using)
    found = ReasoningInput(
        query.question,
        material.shown,
        notes=notes,
        overviews=() if has_best else _overviews(reader.overviews, using),
        pages=tuple(np.unique(value.view.blocks.page[value.rows]).tolist()),
        about=material.about.shown.text,
    )
    has_replied = has_read(using, name)
    decided = using.judge.decide(
        ANSWER_WITH_REASONING, found, rule=lambda _: Reasoned(format="None"), on_text=answer_only(using.on_text)
    )
    if decided.by == "rule":
        otherwise = partial(reader.otherwise.read, value, using)
        return without_reply(material, decided, query.question, otherwise, has_replied=has_replied)
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
    form = AnswerFormat(said.format) if said.answerable else None
    return answer_of(material, reply, query.question, form)


def _best_first(value: Evidence) -> tuple[Evidence, bool]:
    """Return the evidence with the blocks listed of pages judged to hold the answer, and whether there are any."""
    if JUDGED not in value.scores:
        return value, False
    is_best = np.nan_to_num(value.scores[JUDGED]) >= HOLDS_A_PART
    return dataclasses.replace(value, sources={**value.sources, LISTED: is_best}), bool(is_best.any())


def _notes(value: Evidence, count: int, using: Run) -> tuple[str, ...]:
    """Return what is seen in pictures on the pages of the evidence; nothing where there are none or nobody sees."""
    question = using.query.question
    if not count or not using.judge.has_model("answer_from_pictures", "vision"):
        return ()
    looked_at = drawn(value.view, pictured(value.view, value.page_indices(RELEVANCE))[:count], using)
    if not looked_at:
        return ()
    looking = Looking(question, tuple(seen for _, seen in looked_at))
    decided = using.judge.decide(ANSWER_FROM_PICTURES, looking)
    if decided.by != "rule":
        using.note_read(pages=(spot.page for spot, _ in looked_at))
    reply = decided.output
    if not reply.answerable and not reply.seen:
        return ()
    used = reply.used or range(1, len(looked_at) + 1)
    places = "; ".join(looked_at[number - 1][1].where for number in used)
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
        sentences = dict.fromkeys(" ".join(text[start:stop].split()) for start, stop in sentence_spans(text))
        new = [one for one in sentences if one and one not in told]
        told.update(new)
        if len(new) >= _LEAST_SENTENCES:
            pages = np.unique(view.blocks.page[places.block[places.node == node]]).tolist()
            found.append(f"(pages {', '.join(map(str, pages))}) {' '.join(new)}")
    return tuple(found)
