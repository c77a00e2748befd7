"""A run: what one question may use, and what it left behind."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from octavo import models
from octavo.decisions.engine.judge import Judge
from octavo.document import Passage, Query, TraceStep, View
from octavo.models import embedders
from octavo.models.ports import ImageTextEmbedder, Raster, Reranker, TextEmbedder, TokenEmbedder


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """What is drawn: a physical page (1-based), or a box on it (x0, y0, x1, y1 in points), at so many dots per inch."""

    page: int
    box: tuple[float, float, float, float] | None = None
    dpi: float = 96.0


class Drawer(Protocol):
    """Draws places of a document in scope; only to be had where documents come from files."""

    def __call__(self, document_id: str, places: Sequence[Place]) -> list[Raster | None]:
        """Return a picture for each place, in order; None for what cannot be drawn, or when the file has gone."""
        ...


@dataclasses.dataclass
class Run:
    """What one question may use. Made for one question and one thread; the view may be shared.

    `embedder` is called when a vector is first wanted. `judge` takes the decisions, by model or rule, within a budget.
    `reranker` and `image_text` are there where such a model is configured, `pictures` where pages can be drawn.
    `on_step` receives each step when it is done, `on_passages` the best passages that a model is about to read, and
    `on_text` an answer as it is written.
    """

    view: View
    embedder: Callable[[], TextEmbedder] = embedders.embedder
    token_embedder: Callable[[], TokenEmbedder] = models.token_embedder
    query: Query = dataclasses.field(default_factory=lambda: Query(""))
    trace: list[TraceStep] = dataclasses.field(default_factory=list[TraceStep])
    judge: Judge = dataclasses.field(default_factory=Judge)
    reranker: Callable[[], Reranker] | None = None
    image_text: Callable[[], ImageTextEmbedder] | None = None
    pictures: Drawer | None = None
    on_text: Callable[[str], None] | None = None
    on_step: Callable[[TraceStep], None] | None = None
    on_passages: Callable[[tuple[Passage, ...]], None] | None = None
    clock: Callable[[], float] = time.perf_counter
    _vectors: dict[str, npt.NDArray[np.float32]] = dataclasses.field(
        default_factory=dict[str, npt.NDArray[np.float32]], repr=False
    )
    _states: dict[str, npt.NDArray[np.float32]] = dataclasses.field(
        default_factory=dict[str, npt.NDArray[np.float32]], repr=False
    )

    def branch(self, query: Query) -> Run:
        """Return a run for a part of the question, with a trace and decisions of its own; `join` takes them back.

        It shares the view, the models and the budget, and may go to another thread.
        """
        return dataclasses.replace(
            self,
            query=query,
            trace=[],
            judge=self.judge.branch(),
            on_text=None,
            on_step=None,
            on_passages=None,
            _vectors={},
            _states={},
        )

    def join(self, branch: Run) -> None:
        """Take over the decisions of a branch; its trace is the caller's to place."""
        for record in branch.judge.records:
            self.judge.record(record)

    def note(self, step: TraceStep) -> None:
        """Add a step to the trace."""
        self.trace.append(step)
        if self.on_step is not None:
            self.on_step(step)

    def timer(self) -> Timer:
        """Return what tells, when a step is done, what it took from now on."""
        return Timer(self, self.clock(), len(self.judge.records))

    @property
    def decided_by(self) -> Counter[str]:
        """Return how many decisions were taken by model, cache and rule."""
        return Counter(record.by for record in self.judge.records)

    def remember(self, text: str, vector: npt.NDArray[np.float32]) -> None:
        """Keep the vector of a text that was embedded before the run."""
        self._vectors[text] = vector

    def states(self, texts: Sequence[str]) -> list[npt.NDArray[np.float32]]:
        """Return for each text (n_tokens, dimension) float32, a row a word piece; each text is read once in a run."""
        new = [text for text in dict.fromkeys(texts) if text not in self._states]
        if new:
            self._states.update(zip(new, self.token_embedder().states(new), strict=True))
        return [self._states[text] for text in texts]

    def vectors(self, texts: list[str]) -> npt.NDArray[np.float32]:
        """Return (len(texts), dimension) float32, rows of length 1; each text is embedded once in a run."""
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self.embedder().embed(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


@dataclasses.dataclass(frozen=True)
class Timer:
    """When a step began, and how many decisions its run had taken by then."""

    run: Run
    started: float
    before: int

    def step(
        self,
        name: str,
        parameters: dict[str, Any],
        rows: tuple[int, int],
        steps: Sequence[TraceStep] = (),
    ) -> TraceStep:
        """Return the step, done now: with its rows before and after, the steps inside it, and what decisions took."""
        seconds = round(self.run.clock() - self.started, 6)
        return TraceStep(name, parameters, *rows, seconds, steps=tuple(steps)).taking(self.run.judge.usage(self.before))
