"""The readers of RDR2's own plan (equation 7): what was routed, or the bare chunks, and the question; nothing chosen.

A document's routed content is one passage under its title. A question that is told in sentences is answered at the
length of ELI5's references, another one briefly; a plan may say how many words it wants. Where nothing was retrieved,
or everything was refused, the model is asked the question alone, and what it says is told as no answer to rely on.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import ClassVar

from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE, EvidenceReply, Shown
from octavo.decisions.engine import Decided
from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.extractive.extractive_reader import ExtractiveReader, nothing
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.answering import answer_only, no_reply
from octavo.operators.read.as_said import read_as_said, shown_alone
from octavo.operators.read.material import Material
from octavo.operators.read.packing import Packed
from octavo.question import Expects, understand
from octavo_methods.rdr2.chunks import CHUNKS, LAYERS, nearest_chunks
from octavo_methods.rdr2.decisions.answer_at_length import ANSWER_AT_LENGTH, EXPLAINING_WORDS, LongReading
from octavo_methods.rdr2.decisions.answer_unaided import ANSWER_UNAIDED, Remembered, Unaided

UNAIDED = "Without any passage, from what the model remembers: "
"""Begins a text that nothing bears out."""


@dataclasses.dataclass(frozen=True)
class RoutedReader(Step[Evidence, Answer]):
    """Answer with a model from the routed content, a passage for each document, in the order of equation 6.

    `words` is about how long the answer is to be, None: as the question asks, and 0: short. `otherwise` answers where
    no model decides. What the model replies stands as it says it.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE})

    words: int | None = None
    otherwise: ExtractiveReader = dataclasses.field(default_factory=ExtractiveReader)

    def __post_init__(self) -> None:
        if self.words is not None and self.words < 0:
            raise UsageError(f"{type(self).__name__} takes 0 words or more")

    def needs(self) -> frozenset[str]:
        """Return what the reader without a model needs."""
        return self.otherwise.needs()

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return the model's answer with the places it names; what it remembers where there is nothing to read."""
        if not using.judge.has_model(ANSWER_FROM_EVIDENCE.name):
            return self.otherwise.apply(value, using)
        packed = self.packed(value, using)
        words = self._words(using.query.question)
        return _read(value, packed, words, using, self.otherwise) if packed else _unaided(value, words, using)

    def packed(self, value: Evidence, using: Run) -> list[Packed]:
        """Return a passage for each document, its chosen content joined."""
        view, ranked = value.view, value.ranked(RELEVANCE).tolist()
        return [
            _passage(at, view.documents[document].called, [view.blocks.text[row] for row in rows], rows)
            for at, (document, rows) in enumerate(
                ((document, tuple(rows)) for document, rows in groupby(ranked, lambda row: int(view.document[row]))), 1
            )
        ]

    def _words(self, question: str) -> int:
        if self.words is not None:
            return self.words
        asked = understand(question)
        return EXPLAINING_WORDS if asked.is_told_in_sentences and asked.expects is Expects.PASSAGE else 0


@dataclasses.dataclass(frozen=True)
class ChunkReader(RoutedReader):
    """Answer with a model from the retrieved chunks as they were cut, the nearest first: Retrieve-and-Read (4.2)."""

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE, CHUNKS})

    def needs(self) -> frozenset[str]:
        """Return what the reader without a model needs, and the chunks."""
        return self.otherwise.needs() | LAYERS

    def packed(self, value: Evidence, using: Run) -> list[Packed]:
        """Return a passage for each chunk."""
        view, counted = value.view, value.scores[CHUNKS][:1]
        count = int(counted[0]) if len(counted) else 0
        return [
            _passage(at, view.documents[int(view.document[chunk.rows[0]])].called, [chunk.text], chunk.rows)
            for at, chunk in enumerate(nearest_chunks(using.query.question, using, count), 1)
        ]


def _passage(number: int, title: str, texts: Sequence[str], rows: Sequence[int]) -> Packed:
    return Packed(Shown(number, title, "\n".join(texts)), tuple(rows), -float(number))


def _read(value: Evidence, packed: Sequence[Packed], words: int, using: Run, otherwise: ExtractiveReader) -> Answer:
    """Return what a model says of passages, briefly or in about so many words."""
    material = shown_alone(value, packed)
    decision = ANSWER_AT_LENGTH.name if words else ANSWER_FROM_EVIDENCE.name
    by_rule: Callable[[], Answer] = partial(otherwise.read, value, using)
    return read_as_said(material, using, lambda: _decided(material, words, using), by_rule, decision)


def _decided(material: Material, words: int, using: Run) -> Decided[EvidenceReply]:
    reading, listener = material.reading(using), answer_only(using.on_text)
    if words:
        asked = LongReading(reading.question, reading.passages, part_of=reading.part_of, words=words)
        return using.judge.decide(ANSWER_AT_LENGTH, asked, rule=no_reply, on_text=listener)
    return using.judge.decide(ANSWER_FROM_EVIDENCE, reading, rule=no_reply, on_text=listener)


def _nothing_remembered(_asked: object) -> Remembered:
    return Remembered(answer="")


def _unaided(value: Evidence, words: int, using: Run) -> Answer:
    """Return what a model remembers, as no answer to rely on: it cites nothing, and `known` has its words."""
    question = using.query.question
    found = nothing(question, value)
    decided = using.judge.decide(ANSWER_UNAIDED, Unaided(question, words or None), rule=_nothing_remembered)
    if decided.by == "rule":
        return found
    known = decided.output.answer
    return dataclasses.replace(found, text=f"{UNAIDED}{known}", known=known)
