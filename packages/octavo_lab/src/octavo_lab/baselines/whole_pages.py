"""Pages as wholes: those of the gold, all there are, and readers that are shown pages or pictures of them alone."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from octavo.decisions.answer_from_evidence import Seen
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES
from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, Outcome, Query, TraceStep
from octavo.models.language import LONG_SIDE, encoded
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Run, Step
from octavo.operators.extractive.extractive_reader import nothing
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.image_evidence import Spot, rasters, said_of
from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo.operators.sentence_forms import Sentence, always, found, read_by
from octavo.systems import System
from octavo_methods.dmap.reflect import look
from octavo_methods.rdr2.decisions.answer_unaided import ANSWER_UNAIDED, Remembered, Unaided

_SHARE, _PIXELS_PER_TOKEN = 0.5, 750
"""Part of a model's context that pictures may take, and the pixels of one of its tokens."""
_SMALLEST = 256
"""Pixels of a picture's longer side, at least."""
_RANKED = Columns(writes={RELEVANCE}, keeps=NEW)


def _by_model(sentence: str) -> Sentence:
    """Return what says a sentence of a step in which a model decided, nothing of another."""

    def told(step: TraceStep) -> str | None:
        return sentence if any(one.parameters.get("decided_by", "rule") != "rule" for one in step.steps) else None

    return told


@dataclasses.dataclass(frozen=True)
class GivenPages(Step[Query, Evidence]):
    """Take these physical pages (1-based) of the document in scope, in their order: what an oracle retrieves."""

    declares: ClassVar[Columns] = _RANKED
    sentence: ClassVar[Sentence] = found("Took the pages that were given")

    pages: tuple[int, ...] = ()

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks of the pages; nothing where several documents are in scope."""
        view = using.view
        pages = self.pages if len(view.documents) == 1 else ()
        rank = {page: float(len(pages) - at) for at, page in enumerate(pages)}
        score = np.array([rank.get(int(page), np.nan) for page in view.blocks.page], np.float64)
        rows = np.flatnonzero(~np.isnan(score) & view.is_content)
        return Evidence.of(view, rows, source="given", **{RELEVANCE: score[rows]})


@dataclasses.dataclass(frozen=True)
class EveryPage(Step[Query, Evidence]):
    """Take all pages, the first one best."""

    declares: ClassVar[Columns] = _RANKED
    sentence: ClassVar[Sentence] = found("Took all pages")

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return all content."""
        view = using.view
        rows = np.flatnonzero(view.is_content)
        return Evidence.of(view, rows, source="all", **{RELEVANCE: -view.page_index[rows].astype(np.float64)})


def takes_gold_pages(system: System) -> bool:
    """Whether a system is an oracle: it is told the pages of the gold, question by question."""
    return any(isinstance(step, GivenPages) for step in _steps(system.retrieve))


def given_pages(system: System, pages: Sequence[int]) -> System:
    """Return an oracle with the pages of one question."""
    plans = {name: _with_pages(getattr(system, name), tuple(pages)) for name in ("retrieve", "answer")}
    return dataclasses.replace(system, **plans)


def _steps(plan: object) -> list[object]:
    if not dataclasses.is_dataclass(plan) or isinstance(plan, type):
        return []
    below = [step for field in dataclasses.fields(plan) for step in _steps(getattr(plan, field.name))]
    return [plan, *below]


def _with_pages(plan: Any, pages: tuple[int, ...]) -> Any:
    if isinstance(plan, GivenPages):
        return GivenPages(pages)
    if not dataclasses.is_dataclass(plan) or isinstance(plan, type):
        return plan
    changed = {field.name: _with_pages(getattr(plan, field.name), pages) for field in dataclasses.fields(plan)}
    return dataclasses.replace(plan, **changed)


@dataclasses.dataclass(frozen=True)
class NoEvidence(Step[Query, Evidence]):
    """Retrieve nothing: k = 0."""

    declares: ClassVar[Columns] = _RANKED
    sentence: ClassVar[Sentence] = always("Searched no document")

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return evidence without a row."""
        return Evidence.of(using.view, np.zeros(0, np.int64), source="none", **{RELEVANCE: np.zeros(0)})


@dataclasses.dataclass(frozen=True)
class UnaidedReader(Step[Evidence, Answer]):
    """Answer from what the model remembers, in about so many `words`, None for briefly; without one nothing is said."""

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = _by_model("Had a model answer from what it remembers")

    words: int | None = None

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return what the model says; it cites nothing."""
        return unaided(value, using, self.words)


def unaided(value: Evidence, using: Run, words: int | None = None) -> Answer:
    """Return what a model remembers of a question, as its answer: what systems that retrieve are compared with."""
    question = using.query.question
    decided = using.judge.decide(ANSWER_UNAIDED, Unaided(question, words), rule=lambda _: Remembered(answer=""))
    unanswered = nothing(question, value)
    if decided.by == "rule":
        return unanswered
    return dataclasses.replace(
        unanswered, outcome=Outcome.ANSWER, text=decided.output.answer, value=decided.output.answer
    )


@dataclasses.dataclass(frozen=True)
class PagesReader(VerbatimReader):
    """Answer with a model from pages, their text and, where it sees, their pictures; without a page from memory."""

    sentence: ClassVar[Sentence] = read_by

    pictures: int = 1000
    whole_pages: bool = True

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return the model's answer with the places it names."""
        if len(value) or not using.judge.has_model(ANSWER_UNAIDED.name):
            return super().apply(value, using)
        return unaided(value, using)


@dataclasses.dataclass(frozen=True)
class PagePicturesReader(Step[Evidence, Answer]):
    """Answer with a model that sees from the pictures of the pages alone, `most` of them, in their order.

    Many pages are drawn smaller, so that all of them fit the model's context. Who does not see answers nothing.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE})
    sentence: ClassVar[Sentence] = _by_model("Had a model look at pictures of the pages")

    most: int = 120

    def __post_init__(self) -> None:
        if self.most < 1:
            raise UsageError("PagePicturesReader takes one page or more")

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return what the model sees, or that it sees no answer."""
        model = using.judge.model_for(ANSWER_FROM_PICTURES.name, ANSWER_FROM_PICTURES.role)
        pages = list(dict.fromkeys(value.page_indices(RELEVANCE) if len(value) else []))[: self.most]
        if model is None or not pages:
            return nothing(using.query.question, value)
        each = _SHARE * model.context_tokens * _PIXELS_PER_TOKEN / len(pages)
        side = min(LONG_SIDE, max(_SMALLEST, int(math.sqrt(each))))
        spots = [Spot(page) for page in sorted(pages)]
        drawn = rasters(value.view, spots, using, side=side)
        seen = [(spot, Seen(said_of(value.view, spot), encoded(raster))) for spot, raster in drawn]
        return look(value, seen, using, as_said=True) if seen else nothing(using.query.question, value)
