"""Reflective generation as DMAP prints it (section 3.3.2): agents answer, one makes an answer of theirs, one reflects.

The text agent gets the texts of the elements that were found and the image agent their pictures, all of them, at once
(equations 10 and 11, appendices A.3 and A.4); a third makes one answer of theirs (A.5). Whether that answers the
question is judged by these two alone (equation 12, A.6). If not, the map is traversed to the elements around those
found, and these go through the same agents.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from octavo.decisions.answer_from_evidence import Seen
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES
from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence
from octavo.operators.columns import Columns, Given
from octavo.operators.core import Operator, Run, Step
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.image_evidence import Spot
from octavo.operators.read.in_part import better_of
from octavo.operators.read.material import Material
from octavo.operators.read.packing import Packed
from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo_methods.dmap.decisions.reflect_on_answer import REFLECT_ON_ANSWER, GivenAnswer
from octavo_methods.dmap.document_map import DocumentMap, grown_maps
from octavo_methods.dmap.elements import AROUND, PATH_COLUMNS, evidence_of, union_of, whole
from octavo_methods.dmap.paths import ranked
from octavo_methods.dmap.pictures_to_see import pictures_to_see
from octavo_methods.dmap.reflect import (
    BUDGET,
    COMPLETE,
    NOTHING_NEW,
    READ,
    SEEN,
    WIDENED,
    combined,
    look,
)

_BEFORE = "answered before"


@dataclasses.dataclass(frozen=True)
class ElementsReader(VerbatimReader):
    """Show a model the texts of the elements, as a `VerbatimReader` does, and what the map says of each of them."""

    pictures: int = 0

    def needs(self) -> frozenset[str]:
        """Return what the reader without a model needs, and the layer of the map."""
        return super().needs() | {"document_map"}

    def material(self, value: Evidence, using: Run) -> Material:
        """Return what is shown, with a sentence on each figure, table and chart that a model wrote."""
        material = super().material(value, using)
        said = _sentences(value)
        return dataclasses.replace(material, packed=tuple(_with_sentences(one, said) for one in material.packed))


def _sentences(value: Evidence) -> dict[int, str]:
    """Return by row what a model said of each element while the map was grown."""
    view = value.view
    return {
        int(view.row_starts[at]) + one.row: one.summary
        for at, grown in enumerate(grown_maps(view))
        for one in grown.elements
        if one.summary and grown.written[int(view.documents[at].blocks.page[one.row]) - 1]
    }


def _with_sentences(packed: Packed, said: dict[int, str]) -> Packed:
    told = [said[row] for row in packed.rows if row in said]
    shown = dataclasses.replace(packed.shown, text="\n".join((packed.shown.text, *told)))
    return dataclasses.replace(packed, shown=shown) if told else packed


@dataclasses.dataclass(frozen=True)
class AnswerByAgents(Step[Evidence, Answer]):
    """Answer by a text agent and an image agent at once, and by a third that makes one answer of theirs (equation 11).

    The image agent is shown every element found, figures, tables and charts as they are cropped and pages whole, up to
    `pictures` of them; 0 shows none. With `reads` false there is no text agent but where nobody looks.
    """

    text: ElementsReader = dataclasses.field(default_factory=ElementsReader)
    pictures: int = 16
    reads: bool = True

    def __post_init__(self) -> None:
        if self.pictures < 0:
            raise UsageError("AnswerByAgents takes 0 pictures or more")

    def needs(self) -> frozenset[str]:
        """Return what reading needs."""
        return self.text.needs()

    def declared(self) -> Columns:
        """Return what is read and written."""
        return dataclasses.replace(self.text.declared(), uses=PATH_COLUMNS)

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return one answer with the places it names, or one that says there is none."""
        return self.answer(value, using)

    def answer(self, value: Evidence, using: Run, before: Sequence[Answer] = ()) -> Answer:
        """Return the same; answers that were given before are put together with those of the agents."""
        looked_at = self._looked_at(value, using)
        reading, looking = using.branch(using.query), using.branch(using.query)
        agents: list[tuple[str, Callable[[], Answer]]] = []
        if self.reads or not looked_at:
            agents.append((READ, lambda: self.text.apply(value, reading)))
        if looked_at:
            agents.append((SEEN, lambda: look(value, looked_at, looking, as_said=True)))
        found = using.judge.map(lambda agent: agent[1](), agents)
        using.join(reading)
        using.join(looking)
        known = [one for one in before if one.answerable or one.known]
        return _one_of([*(_BEFORE for _ in known), *(label for label, _ in agents)], [*known, *found], using)

    def _looked_at(self, value: Evidence, using: Run) -> list[tuple[Spot, Seen]]:
        """Return the pictures of the elements found, in their order; none where nobody sees."""
        if not self.pictures or not using.judge.has_model(ANSWER_FROM_PICTURES.name, ANSWER_FROM_PICTURES.role):
            return []
        spots = union_of(value)[: self.pictures]
        return pictures_to_see(value.view, spots, using)


def _one_of(labels: Sequence[str], answers: Sequence[Answer], using: Run) -> Answer:
    """Return the answer there is, or what is made of several; where none answers and one knows a part, that one."""
    told = [one for one in answers if one.answerable or one.known]
    if len(answers) == 1 or not told:
        return answers[0]
    if len(told) == 1 and not told[0].answerable:
        return told[0]
    return combined(labels, answers, using)


@dataclasses.dataclass(frozen=True)
class ReflectOverMap(Operator[Evidence, Answer]):
    """Answer; while that does not answer the question, answer again from the elements around, `rounds` times (eq. 12).

    The question and the answer alone are judged; "not answerable" answers nothing. Around are the pages of the same
    sections, then of those above, then, where there are none of these, the pages before and after: `most` at a time,
    the nearest first. Their texts and pictures go to the agents, and what was answered before goes to the one that puts
    answers together. Nothing is shown twice. The paper gives no number of rounds or elements: the code its authors
    published reflects once, over ten pages.
    """

    declares: ClassVar[Columns] = Columns(uses=PATH_COLUMNS, writes={RELEVANCE}, may_write={AROUND, whole(AROUND)})

    agents: AnswerByAgents = dataclasses.field(default_factory=AnswerByAgents)
    rounds: int = 1
    most: int = 10

    def __post_init__(self) -> None:
        if self.rounds < 0 or self.most < 1:
            raise UsageError("ReflectOverMap takes 0 rounds or more, over one page or more")

    def needs(self) -> frozenset[str]:
        """Return what the agents and the map need."""
        return self.agents.needs() | {"passages", "vectors", "document_map"}

    def after(self, given: Given = None) -> Given:
        """Return the columns that the agents leave, ranked."""
        return super().after(self.agents.after(given))

    def __call__(self, value: Evidence, using: Run) -> Answer:
        """Return the answer of the last round."""
        answer, evidence = self.agents(value, using), value
        for number in range(1, self.rounds + 1):
            branch = using.branch(using.query)
            timer = branch.timer()
            outcome, answer, wider = self._round(answer, evidence, branch)
            using.join(branch)
            steps = (*timer.decisions(REFLECT_ON_ANSWER.name), *branch.trace)
            told = {"round": number, "outcome": outcome}
            using.note(timer.step(type(self).__name__, told, (len(evidence), len(wider)), steps))
            evidence = wider
            if outcome != WIDENED:
                break
        return dataclasses.replace(answer, evidence=evidence)

    def _round(self, before: Answer, evidence: Evidence, branch: Run) -> tuple[str, Answer, Evidence]:
        """Return what the round came to, the answer it ends with and all evidence there is by then."""
        if branch.judge.stopped:
            return BUDGET, before, evidence
        if before.answerable:
            given = GivenAnswer(branch.query.question, before.text)
            is_answered = branch.judge.decide(REFLECT_ON_ANSWER, given).output.answered
            if branch.judge.stopped or is_answered:
                return (BUDGET if branch.judge.stopped else COMPLETE), before, evidence
        pages = around(evidence, self.most)
        if not pages:
            return NOTHING_NEW, before, evidence
        added = evidence_of(evidence.view, [Spot(page) for page in pages], AROUND)
        answer = self.agents.answer(ranked(union_of(added), added), branch, (before,))
        if branch.judge.stopped:  # what came after the money had run out is the rule's
            return BUDGET, before, evidence
        wider = evidence | added
        return WIDENED, _that_answers(before, answer), ranked(union_of(wider), wider)


def around(evidence: Evidence, most: int) -> list[int]:
    """Return up to so many page indices around those of the evidence over the map: related elements (section 3.3.2)."""
    view = evidence.view
    found: list[int] = []
    spots = union_of(evidence)
    known = list(dict.fromkeys(spot.page for spot in spots))
    whole = {spot.page for spot in spots if spot.row < 0}
    filled = set(np.unique(view.page_index).tolist())
    found += [page for page in known if page not in whole]  # the page is the parent of an element on it
    for step, pages in DocumentMap.grown(view).widened(known) if known else ():
        if step == "neighbours" and found:
            break
        new = [page for page in pages if page in filled and page not in found]
        found += sorted(new, key=lambda page: (min(abs(page - one) for one in known), page))
    return found[:most]


def _that_answers(before: Answer, after: Answer) -> Answer:
    """Return the later answer, be it that there is none: the third agent knew the earlier one and did not take it.

    Where neither is one, the one that knows more in part stands; and the passages that were found first are better than
    those around them.
    """
    if after.known and not before.answerable:
        return better_of(before, after)
    return before if before.passages and not (before.answerable or after.answerable) else after
