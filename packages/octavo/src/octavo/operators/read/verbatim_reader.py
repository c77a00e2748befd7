"""The verbatim reader: a model is shown the evidence as it was found, in its order, and its reply stands as it is said.

Published systems hand their reader what they retrieved and nothing else. The readers of Octavo's own systems choose
once more what is shown (`octavo.operators.read.passage_choice`) and weigh what is replied.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, View
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo.operators.keep import RELEVANCE
from octavo_documents.document import PICTURED

if TYPE_CHECKING:
    from octavo.decisions.answer_from_evidence import EvidenceReply, Reading
    from octavo.decisions.engine import Decided, Decision
    from octavo.operators.read.image_evidence import Spot
    from octavo.operators.read.material import Material

DOCUMENT_ORDER = "document"
"""The order of blocks in their documents, in the place of a column."""


@dataclasses.dataclass(frozen=True)
class VerbatimReader(Step[Evidence, Answer]):
    """Answer with a model from all of the evidence, best first by the column `order`, as far as its context holds.

    `order` may be `DOCUMENT_ORDER`. What does not fit is left out from the end and counted in the trace. A reader that
    sees is shown the first `pictures` figures and charts of the evidence, or with `whole_pages` the first so many of
    its pages. `otherwise` answers where no model decides.
    """

    order: str = RELEVANCE
    pictures: int = 10
    whole_pages: bool = False
    otherwise: ExtractiveReader = dataclasses.field(default_factory=ExtractiveReader)

    def __post_init__(self) -> None:
        if self.pictures < 0:
            raise UsageError("VerbatimReader takes 0 pictures or more")

    def needs(self) -> frozenset[str]:
        """Return what the reader without a model needs."""
        return self.otherwise.needs()

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={RELEVANCE, self.order} - {DOCUMENT_ORDER})

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return the model's answer with the places it names, or that there is none."""
        if not len(value) or not using.judge.has_model("answer_from_evidence"):
            return self.otherwise.apply(value, using)
        from octavo.operators.read.answering import answer_only, no_reply
        from octavo.operators.read.as_said import read_as_said

        material = self.material(value, using)
        reading, listener = material.reading(using), answer_only(using.on_text)
        replies: list[EvidenceReply] = []

        def decide() -> Decided[EvidenceReply]:
            decided = using.judge.decide(self.decision(), reading, rule=no_reply, on_text=listener)
            replies.append(decided.output)
            return decided

        answer = read_as_said(material, using, decide, partial(self.otherwise.read, value, using))
        return self.with_places(answer, material, replies[-1])

    def decision(self) -> Decision[Reading, EvidenceReply]:
        """Return what the model is asked."""
        from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE

        return ANSWER_FROM_EVIDENCE

    def with_places(self, answer: Answer, material: Material, reply: EvidenceReply) -> Answer:
        """Return the answer with what else its citations are to tell of the reply."""
        del material, reply
        return answer

    def material(self, value: Evidence, using: Run) -> Material:
        """Return what is shown of the evidence: all passages in their order, and the pictures."""
        from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE
        from octavo.operators.read.as_said import shown_alone
        from octavo.operators.read.image_evidence import drawn
        from octavo.operators.read.packing import pack_as_found

        rows = in_order(value, self.order)
        reader = using.judge.model_for(ANSWER_FROM_EVIDENCE.name)
        spots = self._spots(value.view, rows) if reader is not None and reader.sees else []
        return shown_alone(value, pack_as_found(value.view, rows), drawn(value.view, spots, using))

    def _spots(self, view: View, rows: Sequence[int]) -> list[Spot]:
        """Return the figures and charts among rows, or their pages, in the order they come in."""
        from octavo.operators.read.image_evidence import Spot
        from octavo.operators.read.packing import is_logo

        if self.whole_pages:
            found = [Spot(int(view.page_index[row])) for row in rows]
        else:
            found = [
                Spot(int(view.page_index[row]), row)
                for row in rows
                if view.blocks.kind_of(row) in PICTURED and not is_logo(view, row)
            ]
        return list(dict.fromkeys(found))[: self.pictures]


def in_order(value: Evidence, order: str) -> list[int]:
    """Return the rows of the evidence, best first by a column, or as they stand in their documents."""
    if order == DOCUMENT_ORDER:
        return np.sort(value.rows).tolist()
    return value.ranked(order).tolist()
