"""The reasoned reader of `mmrag`: pages, what pictures show, and overviews, worked through to a typed value.

One decision after MMRAG-DocQA, equations 13 to 17.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo.operators.keep import CHOSEN_ORDER, READ_FIRST, RELEVANCE, ROUTED
from octavo.operators.sentence_forms import Sentence, read_by
from octavo.systems.baselines import SCORED
from octavo_methods.mmrag.pages import JUDGED


@dataclasses.dataclass(frozen=True)
class ReasonedReader(Step[Evidence, Answer]):
    """Answer with a model that reasons first and ends with a value of a stated type; quotes are checked.

    Pages that a model judged to hold the answer or a part of it are read first. Where there are none the model sees the
    `overviews` summaries of the cross-page tree that are nearest to the question, all levels together. It is told what
    a model that sees makes of up to `pictures` pictures on the pages, best pages first, all in one call. Where it says
    what is missing, that is looked for once, and it reads again: pages and pictures that it asks for by their places,
    and the passages nearest to its phrases. `otherwise` answers when no model decides.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE}, uses={JUDGED, READ_FIRST, ROUTED, CHOSEN_ORDER})
    sentence: ClassVar[Sentence] = read_by

    overviews: int = 10
    pictures: int = 4
    otherwise: ExtractiveReader = dataclasses.field(default_factory=ExtractiveReader)

    def __post_init__(self) -> None:
        if min(self.overviews, self.pictures) < 0:
            raise UsageError("ReasonedReader takes 0 overviews and pictures or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of the tree where overviews are shown, and what readers with and without a model need."""
        tree = frozenset({"topology", "topology_vectors"}) if self.overviews else frozenset[str]()
        return tree | self.otherwise.needs() | SCORED.needs()

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return the answer with its citations, or one that says there is none."""
        if not len(value) or not using.judge.has_model("answer_with_reasoning"):
            return self.otherwise.apply(value, using)
        from octavo_methods.mmrag.reasoning import reasoned_answer  # late: its replies are of pydantic

        return reasoned_answer(value, using, self)
