"""From evidence to a model's answer: passages chosen, one decision, its quotes and value checked.

Loaded when a model is asked.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from pydantic_core import from_json

from octavo.decisions.answer_from_evidence import (
    ABOUT,
    ANSWER_FROM_EVIDENCE,
    EvidenceReply,
    without_preface,
)
from octavo.decisions.engine import Decided
from octavo.evidence import Answer, AnswerFormat, Citation, Evidence, Outcome
from octavo.operators.core import Run
from octavo.operators.extractive.extractive_reader import nothing
from octavo.operators.extractive.short_answers import typed_answer
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.has_read import has_read
from octavo.operators.read.image_evidence import (
    can_look,
    cited_at,
    has_few_words,
    looked_at,
    make_due,
    pictures_for,
    places_due,
    without_parts,
)
from octavo.operators.read.in_part import IN_PART, better_of, fuller
from octavo.operators.read.material import (
    FURTHER_LOOKS,
    Material,
    asks_to_look,
    choose_what_a_model_reads,
    most_large,
)
from octavo.operators.read.packing import Packed, cite, running_lines
from octavo.operators.read.reply_check import holds, only_refuses, quotes_of, sureness
from octavo.operators.read.wanted import to_search, wanted_of
from octavo.question import understand
from octavo_documents.document import Kind
from octavo_documents.wording import t

_MOST_CITED, _MOST_COUNTED = 5, 24
"""Citations of an answer, and of one that counts or lists."""
_LONG_REPLY = 1_400
"""Tokens of a reply that names each thing which it counts or lists."""
_SEEN = 0.6
"""How sure an answer by sight is: it cannot be checked against a text."""
UNCHECKED = "No sure answer: what the model replied is not borne out by the passages."


@dataclasses.dataclass(frozen=True)
class ReadReply:
    """One reading: what it came to, the rows of the passages it took, and whether it says that no more is there."""

    answer: Answer
    rows: tuple[int, ...] = ()
    is_over: bool = True


def answer_from(
    evidence: Evidence,
    using: Run,
    otherwise: Callable[[], Answer],
    *,
    looks: bool = True,
    asks: bool = False,
    by_meaning: bool = True,
    sheets: int = 3,
) -> Answer:
    """Return the model's answer from the evidence; `otherwise` gives one where no model has replied to the question.

    With `looks` a model that sees is shown pictures: at once where the question asks for something to be seen, those
    chosen from at most so many contact `sheets` where it is about all of them. Where a reading is not enough and says
    what is missing, another one gets what was chosen and not shown yet and the pictures and pages that it asks for,
    else pictures that say more than words, and what is known so far. There are three readings at most; of answers that
    are known in part the one that knows more stands. Without `looks` there is one reading; with `asks` it is told that
    pictures can be asked for, which are then for others to show.
    """
    material = choose_what_a_model_reads(evidence, using, ANSWER_FROM_EVIDENCE.name, by_meaning=by_meaning)
    material.announce(using)
    if not looks:
        return _answered(dataclasses.replace(material, may_look=asks and can_look(using)), using, otherwise).answer
    further = 1 if using.so_far.readings else FURTHER_LOOKS
    material = dataclasses.replace(material, may_look=can_look(using)).first_look(using, sheets=sheets)
    read = _answered(material, using, otherwise)
    best = read.answer
    for number in range(further):
        if read.answer.answerable or read.is_over or using.judge.stopped:
            break
        more = _more(material, read, using, sheets=sheets, may_guess=not number)
        if more is None:
            break
        material, read = more, _answered(more, using, otherwise)
        best = better_of(best, read.answer)
    return best


def _more(material: Material, read: ReadReply, using: Run, *, sheets: int, may_guess: bool) -> Material | None:
    """Return what another reading gets, None where there is nothing new to show.

    With `may_guess` pictures come too that nobody asked for.
    """
    view = material.evidence.view
    missing = read.answer.missing
    wanted = wanted_of(view, missing, material.pages, using)
    if any(understand(phrase).wants_every_page for phrase in missing) and (over := material.over_all(using, sheets)):
        return over
    if material.may_look:
        make_due(wanted.spots, using)
    spots = without_parts(places_due(using))
    if spots or wanted.rows:
        pictures = looked_at(view, spots[: most_large(using)], using) if material.may_look else []
        is_new = bool(pictures) or _has_unread(material, wanted.rows, using)
        return material.again(read.rows, pictures, wanted.rows, using) if is_new else None
    if not may_guess:
        return None
    asked = understand(using.query.question)
    is_looked = bool(material.looked_at) and (asks_to_look(asked) or asked.goes_over_pictures)
    if is_looked or not to_search(view, missing):
        return None
    pictures = pictures_for(view, material.packed, using, picked=material.picked)
    if not any(has_few_words(view, spot) for spot, _ in pictures):
        return None
    return material.again(read.rows, pictures, (), using)


def _has_unread(material: Material, rows: Sequence[int], using: Run) -> bool:
    """Return whether there are words among some rows, beside headings and running lines, that were not shown."""
    view = material.evidence.view
    shown = using.so_far.rows.union(row for one in material.packed for row in one.rows) | running_lines(view)
    is_text = (bool(view.blocks.text[row].strip()) and view.blocks.kind_of(row) != Kind.HEADING for row in rows)
    return any(is_said and row not in shown for row, is_said in zip(rows, is_text, strict=True))


def _answered(material: Material, using: Run, otherwise: Callable[[], Answer]) -> ReadReply:
    """Return what one reading comes to."""
    query = using.query
    reading = material.reading(using)
    has_replied = has_read(using)
    decision = ANSWER_FROM_EVIDENCE
    if counts_or_lists(query.question):
        decision = dataclasses.replace(decision, max_output_tokens=_LONG_REPLY)
    decided = using.judge.decide(decision, reading, rule=no_reply, on_text=answer_only(using.on_text))
    using.so_far.readings += 1
    if decided.by == "rule":
        return ReadReply(without_reply(material, decided, query.question, otherwise, has_replied=has_replied))
    reply = decided.output
    material.note_read(using, decided.left_out, reply)
    rows = tuple(row for one in material.named(reply.evidence) for row in one.rows)
    is_over = not reply.answerable and not reply.missing
    answer = answer_of(material, reply, query.question)
    if answer.known:
        using.so_far.known = fuller(using.so_far.known, answer.known)
    return ReadReply(answer, rows, is_over)


def no_reply(_asked: object) -> EvidenceReply:
    """Answer nothing: the rule of a reader that has one of its own for when no model replied."""
    return EvidenceReply(answerable=False)


def without_reply(
    material: Material, decided: Decided[Any], question: str, otherwise: Callable[[], Answer], *, has_replied: bool
) -> Answer:
    """Return what comes of a question whose model gave nothing that can be taken.

    A reply that stayed wrong leaves the passages. A model that could not be asked leaves the question to the rule, but
    never where it replied to it before: what it refused stays refused.
    """
    if decided.replied:
        return _passages_only(material, material.packed, question, t(UNCHECKED))
    return nothing(question, material.evidence) if has_replied else otherwise()


def answer_only(on_text: Callable[[str], None] | None) -> Callable[[str], None] | None:
    """Return a listener for a reply that grows, which hands on the answer in it."""
    if on_text is None:
        return None

    def hand_on(reply: str) -> None:
        with contextlib.suppress(ValueError):
            value = from_json(reply, allow_partial="trailing-strings")
            answer = value.get("answer") if isinstance(value, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            if isinstance(answer, str) and (told := without_preface(answer)):
                on_text(told)

    return hand_on


def answer_of(material: Material, reply: EvidenceReply, question: str, form: AnswerFormat | None = None) -> Answer:
    """Return a model's reply as an answer: quotes and value checked, sureness from how much the quotes bear out.

    What is known only in part, or is not borne out, becomes passages; "not answerable" is believed.
    """
    named = material.named(reply.evidence)
    is_seen = any(material.picture(support.id) for support in reply.evidence)
    quotes = quotes_of(reply, material)
    if reply.answerable and only_refuses(reply, understand(question), quotes):
        reply = reply.model_copy(update={"answerable": False, "answer": "", "why": reply.why or reply.answer.strip()})
    if not reply.answerable and not (reply.answer.strip() and (named or is_seen)):
        return dataclasses.replace(refused(material, reply, question), passages=material.passages(named, question))
    if not reply.answerable:
        return known_in_part(material, reply, question)
    cited = citations_of(material, reply, question)
    if not cited or not (is_seen or holds(reply, named, quotes, material, question)):
        return _passages_only(material, named or material.packed, question, t(UNCHECKED))
    return stated(material, reply, question, cited, form)


def refused(material: Material, reply: EvidenceReply, question: str) -> Answer:
    """Return that there is no answer, with what the reply says of why and of what is missing."""
    found = nothing(question, material.evidence)
    return dataclasses.replace(
        found, text=" ".join(filter(None, (found.text, reply.why))), missing=tuple(reply.missing)
    )


def known_in_part(material: Material, reply: EvidenceReply, question: str) -> Answer:
    """Return the passages of a reply that answers a part, with what is known and what is missing."""
    known = reply.answer.strip()
    shown = material.named(reply.evidence) or material.packed
    in_part = _passages_only(material, shown, question, f"{t(IN_PART)}{known}")
    return dataclasses.replace(in_part, missing=tuple(reply.missing), known=known)


def stated(
    material: Material,
    reply: EvidenceReply,
    question: str,
    cited: tuple[Citation, ...],
    form: AnswerFormat | None = None,
) -> Answer:
    """Return a reply as an answer that stands on some citations."""
    is_seen = any(material.picture(support.id) for support in reply.evidence)
    value, read_as = typed_answer(question, reply.value.strip() or reply.answer, form)
    return Answer(
        question=question,
        system="",
        text=reply.answer.strip(),
        outcome=Outcome.ANSWER,
        evidence=material.evidence,
        by=RELEVANCE,
        value=value,
        format=read_as,
        citations=cited,
        is_seen=is_seen,
        confidence=_SEEN if is_seen else sureness(reply.answer, cited, question),
        passages=material.passages(material.named(reply.evidence), question),
    )


def _passages_only(material: Material, packed: Sequence[Packed], question: str, text: str) -> Answer:
    return Answer(
        question=question,
        system="",
        text=text,
        outcome=Outcome.PASSAGES,
        evidence=material.evidence,
        by=RELEVANCE,
        format=AnswerFormat.NONE,
        passages=material.passages(packed, question),
    )


def citations_of(material: Material, reply: EvidenceReply, question: str) -> tuple[Citation, ...]:
    """Return where a reply stands, by what it quotes of the passages and pictures it names."""
    view = material.evidence.view
    found: list[Citation] = []
    for support in reply.evidence:
        packed, spot = material.at(support.id), material.picture(support.id)
        quote = support.quote if support.id != ABOUT else _first_line(material)
        cited = cite(view, packed, quote, reply.answer) if packed else spot and cited_at(view, spot, reply.answer)
        found += [cited] if cited is not None else []
    unique = {(citation.document_id, citation.block, citation.quote): citation for citation in found}
    most = _MOST_COUNTED if counts_or_lists(question) else _MOST_CITED
    return tuple(unique.values())[:most]


def counts_or_lists(question: str) -> bool:
    """Return whether an answer stands on a place for each thing that it counts or lists."""
    asked = understand(question)
    return asked.goes_through_all or asked.counts_pages or asked.lists_pages or asked.goes_over_pictures


def _first_line(material: Material) -> str:
    texts = [material.evidence.view.blocks.text[row] for row in material.about.rows]
    return next((line.strip() for text in texts for line in text.splitlines() if line.strip()), "")
