"""Two agents answer, one that reads the evidence and one that looks at it; their answers become one (DMAP eq. 11)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo.decisions.answer_from_evidence import Seen
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES, Looking
from octavo.decisions.combine_answers import COMBINE_ANSWERS, CombineInput, PartAnswer
from octavo.decisions.engine.base import DecisionRecord
from octavo.document import Answer, Evidence, Outcome
from octavo.errors import UsageError
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.extractive.passages import nothing
from octavo.operators.extractive.typed_values import typed_answer
from octavo.operators.keep.pages import RELEVANCE
from octavo.operators.papers.dmap.page_order import hardly_in_words
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.read.image_evidence import Spot, cited_at, drawn, image_evidence, pictured
from octavo.text.names import normal_form

_SURE = 0.6
"""How sure an answer by sight is: its words cannot be checked against a text."""


@dataclasses.dataclass(frozen=True)
class Agents(Step[Evidence, Answer]):
    """Answer by reading; where image evidence was found and a model sees, also by looking at up to `pictures` of it.

    A page that was chosen over the map although it has hardly any words is image evidence as a whole.
    Both are asked at once. Where they differ a decision makes one answer of the two; one that finds nothing leaves it
    to the other.
    """

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
        looked_at = self._looked_at(value, using)
        if not looked_at:
            return self.text.apply(value, using)
        reading, looking = using.branch(using.query), using.branch(using.query)
        read, seen = using.judge.map(
            lambda ask: ask(),
            [lambda: self.text.read(value, reading, looks=False), lambda: _look(value, looked_at, looking)],
        )
        using.join(reading)
        using.join(looking)
        return merged((read, seen), using)

    def _looked_at(self, value: Evidence, using: Run) -> list[tuple[Spot, Seen]]:
        """Return the pictures to look at; none where nobody sees, or nothing was found by sight, named or wordless."""
        if not using.judge.has_model(ANSWER_FROM_PICTURES.name, ANSWER_FROM_PICTURES.role):
            return []
        spots = image_evidence(value)
        whole = [spot for spot in map(Spot, hardly_in_words(value)) if spot not in spots]
        if whole:
            pages = dict.fromkeys(value.view.page_index[value.ranked(RELEVANCE)].tolist())
            spots = list(dict.fromkeys([*spots, *whole, *pictured(value.view, pages)]))
        spots = spots[: self.pictures]
        found = drawn(value.view, spots, using)
        if spots and not found:
            why = "skipped: the pages cannot be drawn: their files have gone or changed"
            using.judge.record(DecisionRecord(ANSWER_FROM_PICTURES.name, "rule", why=why))
        return found


def _look(value: Evidence, looked_at: Sequence[tuple[Spot, Seen]], using: Run) -> Answer:
    """Return what a model sees, cited by caption or words on the page; one that stands on nothing is no answer."""
    query = using.query
    looking = Looking(query.question, tuple(seen for _, seen in looked_at))
    reply = using.judge.decide(ANSWER_FROM_PICTURES, looking).output
    spots = [looked_at[number - 1][0] for number in reply.used] if reply.answerable else []
    cited = [cited_at(value.view, spot, reply.answer) for spot in spots]
    citations = tuple(dict.fromkeys(citation for citation in cited if citation is not None))
    if not citations:
        return nothing(query.question, value)
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
    """Return one answer of two: the one there is, the first where both say the same, else what is decided."""
    read, seen = answers
    if not (read.answerable and seen.answerable):
        return read if read.answerable or not seen.answerable else seen
    if normal_form(read.text) == normal_form(seen.text):
        return dataclasses.replace(read, citations=tuple(dict.fromkeys((*read.citations, *seen.citations))))
    parts = (PartAnswer("read in the text", read.text), PartAnswer("seen in pictures", seen.text))
    combined = using.judge.decide(COMBINE_ANSWERS, CombineInput(using.query.question, parts)).output
    used = [answers[number - 1] for number in combined.used]
    if not combined.answerable or not used:
        return nothing(using.query.question, read.evidence)
    typed, form = typed_answer(using.query.question, combined.answer)
    if len(used) == 1 and normal_form(used[0].text) == normal_form(combined.answer):
        return used[0]
    citations = tuple(dict.fromkeys(citation for one in used for citation in one.citations))
    sure = min(one.confidence for one in used)
    is_seen = any(one.is_seen for one in used)
    return dataclasses.replace(
        read, text=combined.answer, value=typed, format=form, citations=citations, confidence=sure, is_seen=is_seen
    )
