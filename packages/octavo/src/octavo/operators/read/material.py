"""`Material`, all that a model is shown for a question: passages, pictures, and lines about the documents.

Chosen once for a reading, and once more for a second one, which gets what the first asked for.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

import numpy as np

from octavo.decisions.answer_from_evidence import (
    ABOUT,
    ANSWER_FROM_EVIDENCE,
    EvidenceReply,
    Reading,
    Seen,
    Shown,
    Support,
)
from octavo.evidence import Evidence, Passage, View
from octavo.operators.core import Run
from octavo.operators.extractive.shown_passages import passage_around
from octavo.operators.keep import CHOSEN_ORDER, LISTED, READ_FIRST, RELEVANCE, ROUTED
from octavo.operators.read.about_lines import lines_about_documents, lines_about_earlier_readings
from octavo.operators.read.contact_sheet import LookedOver, look_over, look_over_every_page
from octavo.operators.read.image_evidence import (
    Spot,
    looked_at,
    make_due,
    pictures_for,
    places_due,
    said_of,
    to_be_seen,
    together,
)
from octavo.operators.read.packing import Packed, pack, page_heads
from octavo.operators.read.passage_choice import (
    choose_passages,
    following_rows,
    named_rows,
    passage_tokens,
    room_for,
    stored,
)
from octavo.question import Question, understand
from octavo_documents.document import Kind

_MOST_PASSAGES = 3
"""Passages that an answer brings to be read beside it."""
_SMALL_CONTEXT, _SMALL_UNIT, _UNIT = 16_384, 140, 280
"""A model of a small context reads shorter passages."""
_BEST = 2
"""Passages that are followed one step, and that are read again where a reading took nothing from any."""
_LARGE, _FOR_PICTURE = 8, 4_000
"""Pictures chosen from contact sheets, or asked for, that are shown large: at most so many, and one for each so many
tokens of the model's context. Others come first in the next reading."""
FURTHER_LOOKS = 2
"""Looks that may follow the first reading of a question, where each has something new to show."""


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

    def reading(self, using: Run) -> Reading:
        """Return what the reader is asked."""
        query, at_once = using.query, most_large(using) if self.may_look else 0
        pictures = tuple(seen for _, seen in self.looked_at)
        about = self.about.shown.text
        return Reading(query.question, self.shown, about, pictures, query.part_of, at_once)

    def with_pictures(self, using: Run, *, only: Sequence[int] = ()) -> Material:
        """Return the same with the pictures that a model can be shown of these pages, or `only` of these rows."""
        return self.showing(pictures_for(self.evidence.view, self.packed, using, picked=self.picked, only=only), using)

    def showing(self, pictures: Sequence[tuple[Spot, Seen]], using: Run) -> Material:
        """Return the same with some pictures, and with what was seen in those that were shown before."""
        view, new = self.evidence.view, {spot for spot, _ in pictures}
        before = [(Spot(*place), told) for place, told in using.so_far.pictures.items() if told]
        known = _told_once(view, [(spot, told) for spot, told in before if spot not in new])
        shown = (*pictures, *known)
        if not shown and not using.so_far.overview:
            return self
        about = Shown(ABOUT, "", _lines_about(self.packed, [spot for spot, _ in shown], using))
        return dataclasses.replace(self, looked_at=shown, about=dataclasses.replace(self.about, shown=about))

    def first_look(self, using: Run, *, sheets: int) -> Material:
        """Return the same with the pictures that come at once: all that a question goes over, or what it asks to see.

        Else there are those that words do not stand for. What is known of others already is told.
        """
        view, asked = self.evidence.view, understand(using.query.question)
        if using.so_far.overview is None and (over := look_over(view, self.pages, using, sheets=sheets)) is not None:
            using.so_far.overview = over.told
            return self._with_chosen(over, using)
        if due := places_due(using):
            return self.showing(looked_at(view, due[: most_large(using)], using), using)
        if asks_to_look(asked):
            return self.with_pictures(using)
        wordless = to_be_seen(view, self.packed, using.query.question, picked=self.picked)
        return self.with_pictures(using, only=wordless) if wordless else self.showing((), using)

    def over_all(self, using: Run, sheets: int) -> Material | None:
        """Return the same with what is chosen of small pictures of all pages, where two looks cannot show them large.

        They are chosen from once for a question.
        """
        if using.so_far.overview is not None or not self.may_look:
            return None
        view, few = self.evidence.view, FURTHER_LOOKS * most_large(using)
        over = look_over_every_page(view, self.pages, using, few=few, sheets=sheets)
        if over is None or not over.told:
            return None
        using.so_far.overview = over.told
        return self._with_chosen(over, using)

    def _with_chosen(self, over: LookedOver, using: Run) -> Material:
        """Return the same with the first of the chosen places large; the others are due."""
        chosen = together(over.chosen)
        large = chosen[: most_large(using)]
        make_due(chosen[len(large) :], using)
        return self._beside(over, using).showing(looked_at(self.evidence.view, large, using), using)

    def _beside(self, over: LookedOver, using: Run) -> Material:
        """Return the passages of chosen pages and of those that nobody looked over, without pages that were ruled out.

        Where nothing was ruled out, or all, the passages are the same.
        """
        if not over.chosen or not over.ruled_out:
            return self
        view = self.evidence.view
        using.so_far.ruled_out |= over.ruled_out
        asked = np.isin(view.page_index, [spot.page for spot in over.chosen]) & view.is_content
        rows = np.flatnonzero(asked).tolist()
        name = ANSWER_FROM_EVIDENCE.name
        material = choose_what_a_model_reads(self.evidence, using, name, by_meaning=self.by_meaning, asked=rows)
        return dataclasses.replace(material, may_look=self.may_look)

    def again(
        self, taken: Sequence[int], pictures: Sequence[tuple[Spot, Seen]], asked: Sequence[int], using: Run
    ) -> Material:
        """Return what a second reading gets: what the first took, the rows it asked for, and pictures.

        Of passages that were read and not taken only the pages are told.
        """
        view = self.evidence.view
        wider = _with_rows(self.evidence, asked) if asked else self.evidence
        material = choose_what_a_model_reads(
            wider, using, ANSWER_FROM_EVIDENCE.name, by_meaning=self.by_meaning, asked=asked
        )
        kept, near = {*taken, *asked}, {spot.page for spot, _ in pictures}
        kept.update(row for one in self.packed[:_BEST] for row in one.rows if not taken)
        before = using.so_far.rows
        packed = tuple(
            one
            for one in material.packed
            if not (kept.isdisjoint(one.rows) and before.issuperset(one.rows))
            or int(view.page_index[one.rows[0]]) in near
        )
        about = dataclasses.replace(material.about, shown=Shown(ABOUT, "", _lines_about(packed, (), using)))
        return dataclasses.replace(material, packed=packed, about=about, may_look=self.may_look).showing(
            pictures, using
        )

    def announce(self, using: Run) -> None:
        """Hand whoever listens the passages that are about to be read."""
        if using.on_passages is not None:
            using.on_passages(self.passages(self.packed, using.query.question))

    def passages(self, packed: Sequence[Packed], question: str) -> tuple[Passage, ...]:
        """Return the first of some passages to be read alone, each around what fits a question in its longest block."""
        view = self.evidence.view
        rows = [max(one.rows, key=lambda row: len(view.blocks.text[row])) for one in packed if one.rows]
        around = (passage_around(view, row, question, is_quote=False) for row in dict.fromkeys(rows[:_MOST_PASSAGES]))
        return tuple(one for one in around if one is not None)

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
        """The page indices of the passages, best first, and of the pictures."""
        index = self.evidence.view.page_index
        seen = (spot.page for spot, _ in self.looked_at)
        return tuple(dict.fromkeys([*(int(index[row]) for one in self.packed for row in one.rows), *seen]))

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


def choose_what_a_model_reads(
    evidence: Evidence, using: Run, decision: str, *, by_meaning: bool = True, asked: Sequence[int] = ()
) -> Material:
    """Return what of the evidence a decision's model is shown, chosen by stored vectors too or by words alone.

    Rows that a reader `asked` for come first, also where they are no part of the evidence. Pages that were ruled out
    are left out, where there are others.
    """
    model = using.judge.model_for(decision)
    context = model.context_tokens if model else 0
    unit = _SMALL_UNIT if context < _SMALL_CONTEXT else _UNIT
    chosen = frozenset(evidence.rows[evidence.sources[LISTED]].tolist()) if LISTED in evidence.sources else ()
    routed = _routed(evidence)
    room = room_for(using.query, context)
    meaning = stored if by_meaning else None
    is_left = ~np.isin(evidence.view.page_index[evidence.rows], [*using.so_far.ruled_out])
    left = evidence.keep(is_left) if asked or is_left.any() else evidence
    left = left.keep(~np.isin(left.rows, [*page_heads(evidence.view)]))

    def shown(added: Sequence[int]) -> list[Packed]:
        first = _asked_for(evidence, using.query.question).union(added)
        packed = pack(_with_rows(left, added), RELEVANCE, unit=unit)
        if not routed:
            return choose_passages(packed, using, tokens=room, first=first, chosen=chosen, meaning=meaning)
        whole = _whole(packed)
        needed = sum(passage_tokens(one) for one in packed if not (routed & whole).isdisjoint(one.rows))
        tokens = max(room, min(needed + (room // 2 if routed - whole else 0), context // 2))
        first |= routed - whole
        return choose_passages(packed, using, tokens=tokens, first=first, chosen=routed & whole, meaning=meaning)

    named = [*asked, *named_rows(evidence.view, using.query.question)]
    kept = shown(named)
    following = following_rows(evidence.view, kept[:_BEST], using.query.question)
    if following:
        kept = shown([*named, *following])
    about = Packed(Shown(ABOUT, "", _lines_about(kept, (), using)), _opening(evidence), 0.0)
    order = tuple(evidence.ranked(CHOSEN_ORDER).tolist()) if CHOSEN_ORDER in evidence.scores else ()
    picked = tuple(row for row in order if row in chosen)
    return Material(evidence, tuple(kept), about, picked=picked, by_meaning=by_meaning)


def most_large(using: Run) -> int:
    """Return how many pictures come large at once: fewer for a model of a small context, which has passages to read."""
    model = using.judge.model_for(ANSWER_FROM_EVIDENCE.name)
    return min(_LARGE, max(1, model.context_tokens // _FOR_PICTURE if model else 0))


def _told_once(view: View, told: Sequence[tuple[Spot, str]]) -> list[tuple[Spot, Seen]]:
    """Return pictures with what was seen in them; what was said of several at once stands with the first of them."""
    first: dict[str, str] = {}
    found: list[tuple[Spot, Seen]] = []
    for spot, words in told:
        where = said_of(view, spot)
        is_first = first.setdefault(words, where) == where
        found.append((spot, Seen(where, told=words if is_first else f"what is told of {first[words]}")))
    return found


def _lines_about(packed: Sequence[Packed], seen: Sequence[Spot], using: Run) -> str:
    """Return the lines about the documents."""
    told = lines_about_documents(using.view, packed, using.query.question, seen=seen)
    return "\n".join(filter(None, (told, *lines_about_earlier_readings(using, packed, seen))))


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


def asks_to_look(asked: Question) -> bool:
    """Return whether the likeliest pictures come at once; others come only where they are asked for."""
    return asked.asks_to_see or asked.asks_for_looks or asked.asks_for_logo or asked.asks_for_pages
