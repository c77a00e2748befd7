"""From evidence to a model's answer: passages chosen, one decision, its quotes and value checked.

Loaded when a model is asked.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from pydantic_core import from_json

from octavo.decisions.answer_from_evidence import (
    ABOUT,
    ANSWER_FROM_EVIDENCE,
    EvidenceReply,
    Reading,
    Seen,
    Shown,
    Support,
)
from octavo.decisions.engine import Decided
from octavo.evidence import Answer, AnswerFormat, Citation, Evidence, Outcome, Passage, Query
from octavo.operators.core import Run
from octavo.operators.extractive.extractive_reader import nothing, passage_around
from octavo.operators.extractive.short_answers import typed_answer
from octavo.operators.keep import CHOSEN_ORDER, LISTED, READ_FIRST, RELEVANCE, ROUTED
from octavo.operators.read.about_lines import told_before, told_of
from octavo.operators.read.contact_sheet import look_over
from octavo.operators.read.direct_reader import has_read
from octavo.operators.read.image_evidence import (
    Spot,
    can_look,
    cited_at,
    has_few_words,
    looked_at,
    pictures_for,
    said_of,
    to_be_seen,
)
from octavo.operators.read.packing import Packed, cite, pack
from octavo.operators.read.reading_material import (
    following_rows,
    named_rows,
    passage_tokens,
    room_for,
    settling,
    stored,
)
from octavo.operators.read.reply_check import holds, only_refuses, quotes_of, sureness
from octavo.operators.read.wanted import to_search, wanted_of
from octavo.question import Question, understand
from octavo_documents.document import Kind

_MOST_CITED = 5
_MOST_PASSAGES = 3
_SMALL_CONTEXT, _SMALL_UNIT, _UNIT = 16_384, 140, 280
"""A model of a small context reads shorter passages."""
_BEST = 2
"""Passages that are followed one step, and that are read again where a reading took nothing from any."""
_LARGE, _FOR_PICTURE = 8, 4_000
"""Pictures chosen from contact sheets, or asked for, that are shown large: at most so many, and one for each so many
tokens of the model's context. Of more it is told where they stand."""
_SEEN = 0.6
"""How sure an answer by sight is: it cannot be checked against a text."""
IN_PART = "Known only in part: "
UNCHECKED = "No sure answer: what the model replied is not borne out by the passages."


@dataclasses.dataclass(frozen=True)
class Material:
    """What a model is shown of evidence: passages, best first, and the lines about the documents."""

    evidence: Evidence
    packed: tuple[Packed, ...]
    about: Packed
    seen: tuple[str, ...] = ()
    """What was told of pictures of these pages."""
    looked_at: tuple[tuple[Spot, Seen], ...] = ()
    """Pictures that are shown beside the passages."""
    picked: tuple[int, ...] = ()
    """The rows that an agent chose, in its order."""
    by_meaning: bool = True
    may_look: bool = False
    """Whether the reader can ask for pictures."""

    @classmethod
    def of(
        cls, evidence: Evidence, using: Run, decision: str, *, by_meaning: bool = True, asked: Sequence[int] = ()
    ) -> Material:
        """Choose what of the evidence a decision's model is shown, by stored vectors too or by words alone.

        Rows that a reader `asked` for come first, also where they are no part of the evidence.
        """
        model = using.judge.model_for(decision)
        context = model.context_tokens if model else 0
        unit = _SMALL_UNIT if context < _SMALL_CONTEXT else _UNIT
        chosen = frozenset(evidence.rows[evidence.sources[LISTED]].tolist()) if LISTED in evidence.sources else ()
        routed = _routed(evidence)
        room = room_for(using.query, context)
        meaning = stored if by_meaning else None

        def shown(added: Sequence[int]) -> list[Packed]:
            first = _asked_for(evidence, using.query.question).union(added)
            packed = pack(_with_rows(evidence, added), RELEVANCE, unit=unit)
            if not routed:
                return settling(packed, using, tokens=room, first=first, chosen=chosen, meaning=meaning)
            whole = _whole(packed)
            needed = sum(passage_tokens(one) for one in packed if not (routed & whole).isdisjoint(one.rows))
            tokens = max(room, min(needed + (room // 2 if routed - whole else 0), context // 2))
            first |= routed - whole
            return settling(packed, using, tokens=tokens, first=first, chosen=routed & whole, meaning=meaning)

        named = [*asked, *named_rows(evidence.view, using.query.question)]
        kept = shown(named)
        following = following_rows(evidence.view, kept[:_BEST], using.query.question)
        if following:
            kept = shown([*named, *following])
        about = Packed(Shown(ABOUT, "", _told(kept, (), using)), _opening(evidence), 0.0)
        order = tuple(evidence.ranked(CHOSEN_ORDER).tolist()) if CHOSEN_ORDER in evidence.scores else ()
        picked = tuple(row for row in order if row in chosen)
        return cls(evidence, tuple(kept), about, picked=picked, by_meaning=by_meaning)

    def reading(self, query: Query) -> Reading:
        """Return what the reader is asked."""
        pictures = tuple(seen for _, seen in self.looked_at)
        about = self.about.shown.text
        return Reading(query.question, self.shown, about, pictures, query.part_of, may_look=self.may_look)

    def with_pictures(self, using: Run, *, only: Sequence[int] = ()) -> Material:
        """Return the same with the pictures that a model can be shown of these pages, or `only` of these rows."""
        return self.showing(pictures_for(self.evidence.view, self.packed, using, picked=self.picked, only=only), using)

    def showing(self, pictures: Sequence[tuple[Spot, Seen]], using: Run) -> Material:
        """Return the same with some pictures, and with what was seen in those that were shown before."""
        view, new = self.evidence.view, {spot for spot, _ in pictures}
        before = [(Spot(*place), told) for place, told in using.so_far.pictures.items() if told]
        known = [(spot, Seen(said_of(view, spot), told=told)) for spot, told in before if spot not in new]
        shown = (*pictures, *known)
        if not shown and not using.so_far.overview:
            return self
        about = Shown(ABOUT, "", _told(self.packed, [spot for spot, _ in shown], using))
        return dataclasses.replace(self, looked_at=shown, about=dataclasses.replace(self.about, shown=about))

    def first_look(self, using: Run, *, sheets: int) -> Material:
        """Return the same with the pictures that come at once: all that a question goes over, or what it asks to see.

        Else there are those that words do not stand for. What is known of others already is told.
        """
        view, asked = self.evidence.view, understand(using.query.question)
        if using.so_far.overview is None and (over := look_over(view, self.pages, using, sheets=sheets)) is not None:
            using.so_far.overview = over.told
            return self._with_chosen(over.chosen, using)
        if _asks_to_look(asked):
            return self.with_pictures(using)
        wordless = to_be_seen(view, self.packed, using.query.question, picked=self.picked)
        return self.with_pictures(using, only=wordless) if wordless else self.showing((), using)

    def _with_chosen(self, chosen: Sequence[Spot], using: Run) -> Material:
        """Return the same with the first of some places large; of the others it is told that they were chosen."""
        view = self.evidence.view
        most = _most_large(using)
        large = looked_at(view, chosen[:most], using)
        told = "chosen in small as one that may matter"
        small = [(spot, Seen(said_of(view, spot), told=told)) for spot in chosen[most:]]
        return self.showing([*large, *small], using)

    def again(
        self, read: ReadReply, pictures: Sequence[tuple[Spot, Seen]], asked: Sequence[int], using: Run
    ) -> Material:
        """Return what a second reading gets: what the first took, the rows it asked for, and pictures.

        Of passages that were read and not taken only the pages are told.
        """
        view = self.evidence.view
        wider = _with_rows(self.evidence, asked) if asked else self.evidence
        material = Material.of(wider, using, ANSWER_FROM_EVIDENCE.name, by_meaning=self.by_meaning, asked=asked)
        kept, near = {*read.rows, *asked}, {spot.page for spot, _ in pictures}
        kept.update(row for one in self.packed[:_BEST] for row in one.rows if not read.rows)
        before = using.so_far.rows
        packed = tuple(
            one
            for one in material.packed
            if not (kept.isdisjoint(one.rows) and before.issuperset(one.rows))
            or int(view.page_index[one.rows[0]]) in near
        )
        about = dataclasses.replace(material.about, shown=Shown(ABOUT, "", _told(packed, (), using)))
        return dataclasses.replace(material, packed=packed, about=about, may_look=self.may_look).showing(
            pictures, using
        )

    def tell(self, using: Run) -> None:
        """Tell whoever listens which passages are read."""
        if using.on_passages is not None:
            using.on_passages(_passages(self, self.packed))

    def note_read(self, using: Run, left_out: int = 0, reply: EvidenceReply | None = None) -> None:
        """Note what was shown: the pages of all passages but the last `left_out`, and of the pictures.

        Of a reader that can ask for pictures it is noted too which rows it read, and what it saw where.
        """
        texts, pictures = self.evidence.view.blocks.text, using.so_far.pictures
        for one in self.packed[: max(len(self.packed) - left_out, 0)]:
            using.note_read(one.rows)
            if self.may_look:
                whole = (row for row in one.rows if len(texts[row]) <= len(one.shown.text))
                using.so_far.rows.update(whole)
        said = {id(self.picture(one.id)): one.quote for one in reply.evidence} if reply else {}
        for spot, seen in self.looked_at:
            place = (spot.page, spot.row)
            if seen.picture.data:
                using.note_read(pages=[spot.page])
            if seen.picture.data or place in pictures:
                pictures[place] = said.get(id(spot)) or seen.told

    @property
    def pages(self) -> tuple[int, ...]:
        """The page indices of the passages, best first."""
        index = self.evidence.view.page_index
        return tuple(dict.fromkeys(int(index[row]) for one in self.packed for row in one.rows))

    def picture(self, number: int) -> Spot | None:
        """Return the picture that is shown under a number."""
        first = max((one.shown.number for one in self.packed), default=0) + 1
        at = number - first
        return self.looked_at[at][0] if 0 <= at < len(self.looked_at) else None

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The passages as a decision takes them."""
        return tuple(one.shown for one in self.packed)

    def at(self, number: int) -> Packed | None:
        """Return what is shown under a number."""
        return next((one for one in (*self.packed, self.about) if one.shown.number == number), None)

    def named(self, evidence: Sequence[Support]) -> list[Packed]:
        """Return the passages that a reply names, each once."""
        found = (self.at(support.id) for support in evidence)
        return list({one.shown.number: one for one in found if one is not None}.values())


@dataclasses.dataclass(frozen=True)
class ReadReply:
    """One reading: what it came to, the rows of the passages it took, and whether it says that no more is there."""

    answer: Answer
    rows: tuple[int, ...] = ()
    is_over: bool = True


def _most_large(using: Run) -> int:
    """Return how many pictures come large at once: fewer for a model of a small context, which has passages to read."""
    model = using.judge.model_for(ANSWER_FROM_EVIDENCE.name)
    return min(_LARGE, max(1, model.context_tokens // _FOR_PICTURE if model else 0))


def _told(packed: Sequence[Packed], seen: Sequence[Spot], using: Run) -> str:
    """Return the lines about the documents."""
    told = told_of(using.view, packed, using.query.question, seen=seen)
    return "\n".join(filter(None, (told, *told_before(using, packed))))


def _with_rows(evidence: Evidence, rows: Sequence[int]) -> Evidence:
    """Return the evidence with some rows more, which score as little as the least of it."""
    least = float(np.nan_to_num(evidence.scores[RELEVANCE]).min()) if len(evidence) else 0.0
    added = Evidence.of(evidence.view, rows)
    return added.with_score(RELEVANCE, np.full(len(added), least)) | evidence


def _routed(evidence: Evidence) -> frozenset[int]:
    """Return the rows that a router chose."""
    column = evidence.scores.get(ROUTED)
    return frozenset() if column is None else frozenset(evidence.rows[np.isfinite(column)].tolist())


def _whole(packed: Sequence[Packed]) -> frozenset[int]:
    """Return the rows that one passage holds whole; of a long table the parts that settle are enough."""
    parts = Counter(one.rows for one in packed)
    return frozenset(row for rows, count in parts.items() if count == 1 for row in rows)


def _asked_for(evidence: Evidence, question: str) -> frozenset[int]:
    """Return the rows that are to be read first, and those of the kinds of block all of which it is about."""
    kinds = [Kind[name.upper()] for name in understand(question).kinds_gone_through]
    first = evidence.scores.get(READ_FIRST)
    rows = frozenset(evidence.of_kind(*kinds).rows.tolist()) if kinds else frozenset[int]()
    return rows if first is None else rows.union(evidence.rows[~np.isnan(first)].tolist())


def _opening(evidence: Evidence) -> tuple[int, ...]:
    """Return the first block with words of the best page's document: what the lines about it are cited by."""
    view = evidence.view
    document = int(view.document[evidence.ranked(RELEVANCE)[0]]) if len(evidence) else 0
    rows = view.rows_of(document)
    return next(((row,) for row in range(rows.start, rows.stop) if view.blocks.text[row].strip()), ())


def answer_from(
    evidence: Evidence,
    using: Run,
    otherwise: Callable[[], Answer],
    *,
    looks: bool = True,
    by_meaning: bool = True,
    sheets: int = 3,
) -> Answer:
    """Return the model's answer from the evidence; `otherwise` gives one where no model has replied to the question.

    With `looks` a model that sees is shown pictures: at once where the question asks for something to be seen, those
    chosen from at most so many contact `sheets` where it is about all of them. Where a reading is not enough and says
    what is missing, a second one gets the pictures and pages that it asks for, else pictures that say more than words.
    """
    material = Material.of(evidence, using, ANSWER_FROM_EVIDENCE.name, by_meaning=by_meaning)
    material.tell(using)
    if not looks:
        return _answered(material, using, otherwise).answer
    shown = dataclasses.replace(material, may_look=can_look(using)).first_look(using, sheets=sheets)
    first = _answered(shown, using, otherwise)
    if first.answer.answerable or first.is_over or using.judge.stopped:
        return first.answer
    more = _more(shown, first, using)
    second = _answered(more, using, otherwise).answer if more else first.answer
    return second if second.outcome is not Outcome.NOTHING else first.answer


def _asks_to_look(asked: Question) -> bool:
    """Tell a question of which the likeliest pictures come at once; others come only where they are asked for."""
    return asked.asks_to_see or asked.asks_for_looks or asked.asks_for_logo


def _more(material: Material, read: ReadReply, using: Run) -> Material | None:
    """Return what a second reading gets, None where there is nothing new to show."""
    view, before = material.evidence.view, {row for one in material.packed for row in one.rows}
    wanted = wanted_of(view, read.answer.missing, material.pages, using)
    if wanted.spots or wanted.rows:
        pictures = looked_at(view, wanted.spots[: _most_large(using)], using) if material.may_look else []
        return material.again(read, pictures, wanted.rows, using) if pictures or {*wanted.rows} - before else None
    asked = understand(using.query.question)
    is_looked = bool(material.looked_at) and (_asks_to_look(asked) or asked.goes_over_pictures)
    if is_looked or not to_search(view, read.answer.missing):
        return None
    pictures = pictures_for(view, material.packed, using, picked=material.picked)
    if not any(has_few_words(view, spot) for spot, _ in pictures):
        return None
    return material.again(read, pictures, (), using)


def _answered(material: Material, using: Run, otherwise: Callable[[], Answer]) -> ReadReply:
    """Return what one reading comes to."""
    query = using.query
    reading = material.reading(query)
    has_replied = has_read(using)
    decided = using.judge.decide(ANSWER_FROM_EVIDENCE, reading, rule=no_reply, on_text=answer_only(using.on_text))
    if decided.by == "rule":
        return ReadReply(without_reply(material, decided, query.question, otherwise, has_replied=has_replied))
    reply = decided.output
    material.note_read(using, decided.left_out, reply)
    rows = tuple(row for one in material.named(reply.evidence) for row in one.rows)
    is_over = not reply.answerable and not reply.missing
    return ReadReply(answer_of(material, reply, query.question), rows, is_over)


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
        return _passages_only(material, material.packed, question, UNCHECKED)
    return nothing(question, material.evidence) if has_replied else otherwise()


def answer_only(on_text: Callable[[str], None] | None) -> Callable[[str], None] | None:
    """Return a listener for a reply that grows, which hands on the answer in it."""
    if on_text is None:
        return None

    def hand_on(reply: str) -> None:
        with contextlib.suppress(ValueError):
            value = from_json(reply, allow_partial="trailing-strings")
            answer = value.get("answer") if isinstance(value, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            if isinstance(answer, str) and answer:
                on_text(answer)

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
        return dataclasses.replace(refused(material, reply, question), passages=_passages(material, named))
    if not reply.answerable:
        return known_in_part(material, reply, question)
    cited = citations_of(material, reply)
    if not cited or not (is_seen or holds(reply, named, quotes, material, question)):
        return _passages_only(material, named or material.packed, question, UNCHECKED)
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
    in_part = _passages_only(material, shown, question, f"{IN_PART}{known}")
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
        passages=_passages(material, material.named(reply.evidence)),
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
        passages=_passages(material, packed),
    )


def _passages(material: Material, packed: Sequence[Packed]) -> tuple[Passage, ...]:
    """Return the first passages to be read alone, each by its longest block."""
    view = material.evidence.view
    rows = [max(one.rows, key=lambda row: len(view.blocks.text[row])) for one in packed if one.rows]
    around = (passage_around(view, row) for row in dict.fromkeys(rows[:_MOST_PASSAGES]))
    return tuple(one for one in around if one is not None)


def citations_of(material: Material, reply: EvidenceReply) -> tuple[Citation, ...]:
    """Return where a reply stands, by what it quotes of the passages and pictures it names."""
    view = material.evidence.view
    found: list[Citation] = []
    for support in reply.evidence:
        packed, spot = material.at(support.id), material.picture(support.id)
        quote = support.quote if support.id != ABOUT else _first_line(material)
        cited = cite(view, packed, quote, reply.answer) if packed else spot and cited_at(view, spot, reply.answer)
        found += [cited] if cited is not None else []
    unique = {(citation.document_id, citation.block, citation.quote): citation for citation in found}
    return tuple(unique.values())[:_MOST_CITED]


def _first_line(material: Material) -> str:
    texts = [material.evidence.view.blocks.text[row] for row in material.about.rows]
    return next((line.strip() for text in texts for line in text.splitlines() if line.strip()), "")
