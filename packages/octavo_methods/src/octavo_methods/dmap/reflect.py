"""Two agents answer, and an answer that is not complete is asked for again from wider evidence (DMAP section 3.3.2).

One agent reads the evidence and one looks at it; their answers become one (equation 11). Evidence widens over the
document map (equation 12): the same section, then the section above, then the pages beside.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from octavo.decisions.answer_from_evidence import Seen
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES, Looking
from octavo.decisions.combine_answers import PartAnswer
from octavo.errors import UsageError
from octavo.evidence import Answer, AnswerFormat, Citation, Evidence, Outcome, Passage, TraceStep, View
from octavo.operators.columns import Columns, Given, shared
from octavo.operators.core import Operator, Run, Step
from octavo.operators.extractive.extractive_reader import nothing
from octavo.operators.extractive.short_answers import typed_answer
from octavo.operators.keep import READ_FIRST, RELEVANCE
from octavo.operators.read.combining import combine, missing_of
from octavo.operators.read.contact_sheet import goes_over
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.read.has_read import has_read
from octavo.operators.read.image_evidence import (
    NAMED_PAGE,
    Spot,
    can_look,
    cited_at,
    image_evidence,
    make_due,
    pictured,
    places_due,
    was_shown,
)
from octavo.operators.read.in_part import IN_PART, better_of, fuller
from octavo.operators.read.material import FURTHER_LOOKS, most_large
from octavo.operators.read.packing import pack
from octavo.operators.read.passage_choice import needs_several
from octavo.operators.read.wanted import wanted_of
from octavo.operators.score.fuse import scaled
from octavo.operators.score.search import VISUAL
from octavo.operators.sentence_forms import Sentence, always, read_by
from octavo.question import understand
from octavo_documents.text.analyzer import analyze, coverages
from octavo_documents.text.names import caseless, normal_form
from octavo_documents.wording import t
from octavo_methods.dmap.decisions.reflect import REFLECT, ReflectInput, Reflection, where
from octavo_methods.dmap.document_map import DocumentMap, hardly_in_words, read_first
from octavo_methods.dmap.locate import page_summaries
from octavo_methods.dmap.pictures_to_see import pictures_to_see

_SURE = 0.6
"""How sure an answer by sight is: its words cannot be checked against a text."""


@dataclasses.dataclass(frozen=True)
class Agents(Step[Evidence, Answer]):
    """Answer by reading; where image evidence was found and a model sees, also by looking at up to `pictures` of it.

    A page that was chosen over the map although it has hardly any words is image evidence as a whole. With `pictures`
    of 0 neither is shown any. Both are asked at once. Where they differ a decision makes one answer of the two; one
    that finds nothing leaves it to the other. Pictures that were asked for come first, as many as a reader is told.
    """

    declares: ClassVar[Columns] = Columns(
        reads={RELEVANCE}, uses={NAMED_PAGE, READ_FIRST, VISUAL, *DirectReader.declares.uses}
    )
    sentence: ClassVar[Sentence] = read_by

    text: DirectReader = dataclasses.field(default_factory=DirectReader)
    pictures: int = 4

    def __post_init__(self) -> None:
        if self.pictures < 0:
            raise UsageError("Agents take 0 pictures or more")

    def needs(self) -> frozenset[str]:
        """Return what reading needs."""
        return self.text.needs()

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return one answer with its citations, or one that says there is none."""
        if self.pictures and goes_over(using):
            return self.text.read(value, using)
        looked_at = self._looked_at(value, using)
        if not looked_at:
            return self.text.read(value, using, looks=bool(self.pictures))
        reading, looking = using.branch(using.query), using.branch(using.query, goes_on=True)
        reading.so_far.known = using.so_far.known
        read, seen = using.judge.map(
            lambda ask: ask(),
            [lambda: self.text.read(value, reading, looks=False, asks=True), lambda: look(value, looked_at, looking)],
        )
        using.join(reading)
        using.join(looking)
        using.so_far.readings += reading.so_far.readings
        answer = merged((read, seen), using)
        if answer.known:
            using.so_far.known = fuller(using.so_far.known, answer.known)
        return answer

    def _looked_at(self, value: Evidence, using: Run) -> list[tuple[Spot, Seen]]:
        """Return the pictures to look at; none where nobody sees, or nothing was found by sight, named or wordless."""
        sees = using.judge.has_model(ANSWER_FROM_PICTURES.name, ANSWER_FROM_PICTURES.role)
        if not sees or not self.pictures:
            return []
        due = places_due(using)
        most = max(self.pictures, min(len(due), most_large(using)))
        spots = list(dict.fromkeys([*due, *image_evidence(value)]))
        whole = [spot for spot in map(Spot, hardly_in_words(value)) if spot not in spots]
        if whole:
            pages = dict.fromkeys(value.view.page_index[value.ranked(RELEVANCE)].tolist())
            spots = list(dict.fromkeys([*spots, *whole, *pictured(value.view, pages)]))
        spots = [spot for spot in spots if not was_shown(spot, using)][:most]
        return pictures_to_see(value.view, spots, using)


def look(value: Evidence, looked_at: Sequence[tuple[Spot, Seen]], using: Run, *, as_said: bool = False) -> Answer:
    """Return what a model sees, cited by caption or words on the page.

    One that stands on nothing is no answer, but where it is taken as it is said.
    """
    query = using.query
    looking = Looking(query.question, tuple(seen for _, seen in looked_at))
    decided = using.judge.decide(ANSWER_FROM_PICTURES, looking)
    reply = decided.output
    if decided.by != "rule":
        using.note_read(pages=(spot.page for spot, _ in looked_at))
        using.so_far.pictures.update({(spot.page, spot.row): reply.seen for spot, _ in looked_at})
    spots = [looked_at[number - 1][0] for number in reply.used] if reply.answerable else []
    cited = [cited_at(value.view, spot, reply.answer) for spot in spots]
    citations = tuple(dict.fromkeys(citation for citation in cited if citation is not None))
    if not (citations or (as_said and reply.answerable)):
        refused = nothing(query.question, value)
        if not reply.seen:
            return refused
        return dataclasses.replace(
            refused,
            outcome=Outcome.PASSAGES,
            text=f"{t(IN_PART)}{reply.seen}",
            known=reply.seen,
            format=AnswerFormat.NONE,
        )
    typed, form = typed_answer(query.question, reply.answer)
    return Answer(
        question=query.question,
        system="",
        text=reply.answer,
        outcome=Outcome.ANSWER,
        evidence=value,
        by=RELEVANCE,
        value=typed,
        format=form,
        citations=citations,
        confidence=_SURE,
        is_seen=True,
    )


def merged(answers: tuple[Answer, Answer], using: Run) -> Answer:
    """Return one answer of two: the one there is, the first where both say the same, else what is decided.

    Where there is none, but both know a part, that is decided of both parts, and only told of both where another round
    brings pictures that are asked for.
    """
    read, seen = answers
    if read.known and seen.known and not (read.answerable or seen.answerable):
        return _beside(answers) if _comes_next(read, using) else combined((READ, SEEN), answers, using)
    if not (read.answerable and seen.answerable):
        is_better = seen.answerable or (bool(seen.known) and not read.known)
        if read.answerable or not is_better:
            return read
        # What the reader misses is still missing where something is seen that does not settle it.
        return seen if seen.answerable else dataclasses.replace(seen, missing=read.missing)
    if normal_form(read.text) == normal_form(seen.text):
        return dataclasses.replace(read, citations=tuple(dict.fromkeys((*read.citations, *seen.citations))))
    return combined((READ, SEEN), answers, using)


def _comes_next(read: Answer, using: Run) -> bool:
    """Return whether a reader asks for places that another reading will be shown."""
    if using.so_far.readings >= _MOST_READINGS or not can_look(using):
        return False
    wanted = wanted_of(read.evidence.view, read.missing, read.evidence.page_indices(RELEVANCE), using)
    return bool(wanted.spots)


def _beside(answers: tuple[Answer, Answer]) -> Answer:
    """Return what each of two agents knows in part, side by side, with what is missing."""
    known = "; ".join(f"{label}: {one.known}" for label, one in zip((READ, SEEN), answers, strict=True))
    return dataclasses.replace(answers[0], text=f"{t(IN_PART)}{known}", known=known, missing=missing_of(answers))


READ, SEEN = "read in the text", "seen in pictures"
"""Where the answers of the two agents come from."""


def combined(labels: Sequence[str], answers: Sequence[Answer], using: Run) -> Answer:
    """Return the answer that a decision makes of several, of which `labels` say where they come from."""
    question, evidence = using.query.question, answers[0].evidence
    told = zip(labels, answers, strict=True)
    parts = [PartAnswer(label, one.text, one.answerable, one.known, one.missing) for label, one in told]
    made = combine(parts, answers, using)
    if made is None:
        known = next((one for one in answers if one.known and not one.answerable), nothing(question, evidence))
        return dataclasses.replace(known, missing=missing_of(answers))
    whole = [one for one in made.used if one.answerable]
    if not whole or not made.is_whole:
        return made.in_part(question, evidence)
    if len(made.used) == 1 and normal_form(whole[0].text) == normal_form(made.text):
        return whole[0]
    return dataclasses.replace(
        whole[0],
        text=made.text,
        value=made.value,
        format=made.format,
        citations=tuple(dict.fromkeys(citation for one in whole for citation in one.citations)),
        confidence=min(one.confidence for one in whole),
        is_seen=any(one.is_seen for one in made.used),
    )


COMPLETE, WIDENED, NOTHING_NEW, BUDGET = "complete", "widened", "nothing new", "budget"
"""What a round came to, in the trace; the second is also the source of blocks that widening added."""
_READER = "answer_from_evidence"
_PLACES = 5
_PASSAGES = 8
"""Passages of the evidence that an answer is held against."""
_TITLES = 60
_MOST_READINGS = 1 + FURTHER_LOOKS
"""Readings after which pictures that are asked for are no reason for another."""
_MOST_COMPARED = 200
"""Pages whose summaries are compared with what is looked for."""


def _reflect_sentence(step: TraceStep) -> str:
    outcomes = {
        WIDENED: "Checked whether that is enough to answer, and read more pages",
        NOTHING_NEW: "Read more pages, which brought nothing new",
    }
    return outcomes.get(str(step.parameters.get("outcome")), "Checked whether that is enough to answer")


@dataclasses.dataclass(frozen=True)
class Reflect(Operator[Evidence, Answer]):
    """Answer with `read`; while the answer is not complete, `widen` the evidence and answer again, `rounds` times.

    A round that finds nothing new ends it, and so does a budget, with the best answer so far. What a model itself found
    missing is looked for without a check, and where it says that nothing more is to be found, that stands. So does
    what it saw in pictures, which no text can bear out, and an answer of one place that is word for word in its quotes.
    Each round is a step of the trace, and no picture is shown in two of them. What was read first to answer again does
    not rank first: the evidence is ranked as it was found, new pages last.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE}, writes={RELEVANCE})
    sentence: ClassVar[Sentence] = _reflect_sentence

    read: Operator[Evidence, Answer]
    widen: Operator[Evidence, Evidence]
    rounds: int = 2

    def __post_init__(self) -> None:
        if self.rounds < 0:
            raise UsageError("Reflect takes 0 rounds or more")

    def needs(self) -> frozenset[str]:
        """Return what reading and widening need."""
        return self.read.needs() | self.widen.needs()

    def after(self, given: Given = None) -> Given:
        """Return the columns that are there whether evidence was widened or not."""
        found = super().after(given)
        return shared(found, self.read.after(found), self.read.after(self.widen.after(found)))

    def __call__(self, value: Evidence, using: Run) -> Answer:
        """Return the answer that stands."""
        best, evidence = self.read(value, using), value
        for number in range(1, self.rounds + 1):
            branch = using.branch(using.query, goes_on=True)
            timer = branch.timer()
            outcome, answer, evidence = self._round(best, evidence, branch)
            using.join(branch)
            rows, steps = (len(best.evidence), len(evidence)), (*timer.decisions(REFLECT.name), *branch.trace)
            using.note(timer.step("Reflect", {"round": number, "outcome": outcome}, rows, steps))
            # Of two that know nothing the later saw more.
            best = better_of(best, answer) if best.answerable or best.known else answer
            if outcome != WIDENED:
                break
        return dataclasses.replace(best, evidence=_in_order_found(value, best.evidence))

    def _round(self, draft: Answer, evidence: Evidence, branch: Run) -> tuple[str, Answer, Evidence]:
        """Return what the round came to, the answer it ends with and the evidence that answer is from."""
        if branch.judge.stopped:
            return BUDGET, draft, evidence
        verdict = _own_verdict(draft, evidence, branch) or reflected(draft, evidence, branch)
        if branch.judge.stopped:
            return BUDGET, draft, evidence
        if verdict.is_complete:
            return COMPLETE, draft, evidence
        asked = branch.query
        branch.query = dataclasses.replace(
            asked, sub_questions=tuple(verdict.look_for), sections=tuple(verdict.look_in)
        )
        cited = _known_pages(draft, branch)
        # What a draft stands on makes no room for other pages.
        wider = self.widen(lifted(evidence, cited) if cited else evidence, branch)
        branch.query = asked
        if can_look(branch):
            wanted = wanted_of(evidence.view, verdict.look_for, evidence.page_indices(RELEVANCE), branch)
            make_due(wanted.spots, branch)
        if not len(np.setdiff1d(wider.rows, evidence.rows)):
            if not places_due(branch) or branch.so_far.readings >= _MOST_READINGS:
                return NOTHING_NEW, draft, evidence
            wider = evidence
        whole = lifted(wider, cited)
        left = _unread_rows(whole, cited, branch)
        answer = self.read(left, branch)
        answer = answer if len(left) == len(whole) else dataclasses.replace(answer, evidence=whole)
        # What was answered after the money had run out is the rule's, and no better than the draft.
        return (BUDGET, draft, evidence) if branch.judge.stopped else (WIDENED, answer, wider)


def _unread_rows(evidence: Evidence, cited: Sequence[int], using: Run) -> Evidence:
    """Return what was not read yet, what stands on some page indices, and the best page."""
    pages = evidence.view.page_index[evidence.rows]
    is_kept = np.isin(pages, [*cited, *evidence.page_indices(RELEVANCE)[:1]])
    return evidence.keep(is_kept | ~np.isin(evidence.rows, [*using.so_far.rows]))


def _own_verdict(draft: Answer, evidence: Evidence, using: Run) -> Reflection | None:
    """Return what a model's reading came to by itself; None where there is something to check."""
    if not has_read(using):
        return Reflection(is_complete=True) if draft.is_seen else None
    if draft.answerable:
        return Reflection(is_complete=True) if draft.is_seen or _is_as_quoted(draft, using) else None
    missing = [*draft.missing]
    places = where(" ".join(missing), _unread(evidence)) if missing else []
    return Reflection(is_complete=not missing, look_for=missing, look_in=places[:_PLACES])


def _is_as_quoted(draft: Answer, using: Run) -> bool:
    """Return whether a question of one place is answered in words that stand in what the answer quotes."""
    if needs_several(using.query):
        return False
    quoted = set(analyze(" ".join((using.query.question, *(one.quote for one in draft.citations)))))
    texts = (draft.text, draft.value if isinstance(draft.value, str) else "")
    return any(terms and quoted.issuperset(terms) for terms in map(analyze, texts))


def reflected(draft: Answer, evidence: Evidence, using: Run) -> Reflection:
    """Return whether a draft is complete given its evidence, and if not what to look for, and in which sections.

    A model is shown the passages that the draft cites, and those beside them; where it cites none, the best ones.
    """
    cited = {*_cited_rows(draft)}
    packed = sorted(pack(evidence, RELEVANCE), key=lambda one: cited.isdisjoint(one.rows))
    near = _with_neighbours([one.shown.number for one in packed if not cited.isdisjoint(one.rows)])
    if near and using.judge.has_model(REFLECT.name):
        packed = [one for one in packed if one.shown.number in near]
    value = ReflectInput(
        question=using.query.question,
        answer=draft.text,
        evidence=tuple(f"[{one.shown.where}]\n{one.shown.text}" for one in packed[:_PASSAGES]),
        titles=_unread(evidence),
        is_answerable=draft.answerable,
    )
    return using.judge.decide(REFLECT, value).output


def _with_neighbours(numbers: Sequence[int]) -> set[int]:
    return {number + step for number in numbers for step in (-1, 0, 1)}


def _unread(evidence: Evidence) -> tuple[str, ...]:
    """Return the titles of sections none of whose pages is in the evidence."""
    pages = np.unique(evidence.view.page_index[evidence.rows]).tolist()
    sections = DocumentMap.of(evidence.view).sections
    titles = [one.title for one in sections if not any(one.first <= page <= one.last for page in pages)]
    return tuple(dict.fromkeys(titles))[:_TITLES]


def _cited_rows(draft: Answer) -> list[int]:
    return _rows_of(draft, draft.citations)


def _rows_of(draft: Answer, places: Sequence[Citation] | Sequence[Passage]) -> list[int]:
    view = draft.evidence.view
    documents = {document.id: at for at, document in enumerate(view.documents)}
    return [int(view.row_starts[documents[one.document_id]]) + int(one.block[1:]) for one in places]


def _known_pages(draft: Answer, using: Run) -> list[int]:
    """Return the page indices that a draft cites, or that what a model knows in part stands on."""
    rows = _cited_rows(draft)
    if draft.outcome is Outcome.PASSAGES and has_read(using):
        rows += _rows_of(draft, draft.passages)
    return draft.evidence.view.page_index[rows].tolist()


def _in_order_found(first: Evidence, wider: Evidence) -> Evidence:
    """Return the wider evidence with what was there at first ranked as then, and what came later behind it."""
    found = np.full(len(first.view), np.nan)
    found[first.rows] = np.nan_to_num(first.scores[RELEVANCE])
    known, later = found[wider.rows], np.nan_to_num(scaled(wider.scores[RELEVANCE]))
    behind = float(np.nanmin(found)) - 2.0 + later if len(first) else later
    return wider.with_score(RELEVANCE, np.where(np.isnan(known), behind, known))


@dataclasses.dataclass(frozen=True)
class Widen(Step[Evidence, Evidence]):
    """Add up to `pages` pages that are near the `around` best ones: the first step over the map that has new ones.

    What is looked for orders them: the titles in the query's `sections`, wherever these are, then the words of its
    `sub_questions`, or of the question. New pages rank behind those they are near and before the rest. With them there
    are no more pages than the question's limit: the last ones make room for them, and those they are near stay. Under
    a small limit that is half of it. The new pages are sure to be read where a model reads.
    """

    declares: ClassVar[Columns] = Columns(
        reads={RELEVANCE}, uses={READ_FIRST}, writes={RELEVANCE}, may_write={READ_FIRST}
    )
    sentence: ClassVar[Sentence] = always("Added the pages before and after")

    pages: int = 4
    around: int = 3

    def __post_init__(self) -> None:
        if self.pages < 1 or self.around < 1:
            raise UsageError("Widen takes one page or more, around one page or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of summaries, and of passages for documents without an outline."""
        return frozenset({"passages", "vectors", "descriptions", "summaries"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the evidence with the new pages; the same evidence when the map has nothing new."""
        limit = max(using.query.limit, 0)
        near = value.page_indices(RELEVANCE)[: min(self.around, max(limit // 2, 1))] if len(value) else []
        chosen = self._chosen(value, near, using)[: max(limit - len(near), 0)]
        if not chosen:
            return value
        view = value.view
        place = {page: len(chosen) - at for at, page in enumerate(chosen)}
        rows = np.flatnonzero(np.isin(view.page_index, chosen) & view.is_content)
        if not len(rows):
            return value
        base = float(np.nan_to_num(value.scores[RELEVANCE]).max(initial=0.0))
        scores = [base + place[int(view.page_index[row])] for row in rows.tolist()]
        wider = value | Evidence.of(view, rows, source=WIDENED, **{RELEVANCE: scores})
        wider = lifted(wider, near)
        wider = wider.keep(np.isin(view.page_index[wider.rows], wider.page_indices(RELEVANCE)[:limit]))
        if not using.judge.has_model(_READER):
            return wider
        return read_first(wider, chosen, " ".join(using.query.sub_questions) or using.query.question)

    def _chosen(self, value: Evidence, near: list[int], using: Run) -> list[int]:
        view = value.view
        known = set(np.unique(view.page_index[value.rows]).tolist())
        filled = set(np.unique(view.page_index[view.is_content]).tolist())
        document_map = DocumentMap.of(view)
        named = _titled(document_map, using.query.sections)
        found = self._ranked(view, [page for page in named if page in filled - known], using)
        steps = document_map.widened(near) if near else ()
        new = ([page for page in pages if page in filled - known and page not in found] for _, pages in steps)
        first = next((pages for pages in new if pages), list[int]())
        return (found + self._ranked(view, first, using))[: self.pages]

    def _ranked(self, view: View, pages: list[int], using: Run) -> list[int]:
        """Return pages, those first whose summaries have most of what is looked for."""
        wanted = understand(" ".join(using.query.sub_questions) or using.query.question).terms
        said = page_summaries(view, pages[:_MOST_COMPARED])
        shares = coverages(wanted, [said[page] for page in said])
        return [page for _, page in sorted(zip((-share for share in shares), said, strict=True))]


def _titled(document_map: DocumentMap, titles: Sequence[str]) -> list[int]:
    wanted = {caseless(title) for title in titles}
    sections = [section for section in document_map.sections if section.title.casefold() in wanted]
    return sorted({page for section in sections for page in section.pages})


def lifted(value: Evidence, pages: Sequence[int]) -> Evidence:
    """Return the evidence with the blocks on some page indices ranked above all others."""
    is_lifted = np.isin(value.view.page_index[value.rows], pages)
    scores = np.nan_to_num(value.scores[RELEVANCE])
    raised = scores.max(initial=0.0) + 1.0 + 0.9 * np.nan_to_num(scaled(scores))
    return value.with_score(RELEVANCE, np.where(is_lifted, raised, scores))
