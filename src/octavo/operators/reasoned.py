"""The reasoned reader: one decision works through pages and overviews to a typed value (MMRAG-DocQA, eq. 17).

Owns what is handed to the decision and what is believed of its reply. Knows nothing about how the pages were found.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.document import Answer, AnswerFormat, Evidence
from octavo.errors import UsageError
from octavo.operators.base import Step
from octavo.operators.packing import pack
from octavo.operators.pages import RELEVANCE
from octavo.operators.read import ExtractiveReader
from octavo.operators.run import Run


@dataclasses.dataclass(frozen=True)
class ReasonedReader(Step[Evidence, Answer]):
    """Answer with a model that reasons first and ends with a value of a stated type; quotes are checked.

    Beside the evidence the model sees the `overviews` summaries of the cross-page tree that are nearest to the
    question, all levels together. `otherwise` answers when no model decides.
    """

    overviews: int = 10
    otherwise: ExtractiveReader = dataclasses.field(default_factory=ExtractiveReader)

    def __post_init__(self) -> None:
        if self.overviews < 0:
            raise UsageError("ReasonedReader takes 0 overviews or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of the tree where overviews are shown, and what the reader without a model needs."""
        tree = frozenset({"topology", "topology_vectors"}) if self.overviews else frozenset[str]()
        return tree | self.otherwise.needs()

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return the answer with its citations, or one that says there is none."""
        if not len(value) or not using.judge.has_model("answer_with_reasoning"):
            return self.otherwise.apply(value, using)
        return self._reason(value, using)

    def _reason(self, value: Evidence, using: Run) -> Answer:
        from octavo.decisions.answer_from_evidence import Reply
        from octavo.decisions.answer_with_reasoning import ANSWER_WITH_REASONING, Reasoned, ReasoningInput
        from octavo.operators.answering import answer_of, answer_only

        packed, query = pack(value, RELEVANCE), using.query
        extracted: list[Answer] = []

        def extract(_input: ReasoningInput) -> Reasoned:
            extracted.append(self.otherwise.read(value, using))
            form = extracted[0].format if extracted[0].answerable else AnswerFormat.NONE
            return Reasoned(format=form.value, answer=extracted[0].text)

        found = ReasoningInput(
            query.question,
            tuple(one.shown for one in packed),
            overviews=_overviews(self.overviews, using),
            pages=tuple(np.unique(value.view.blocks.page[value.rows]).tolist()),
            format=query.format,
        )
        decided = using.judge.decide(
            ANSWER_WITH_REASONING, found, rule=extract, on_text=answer_only(using.on_text)
        ).output
        if extracted:
            return extracted[0]
        reply = Reply(evidence=decided.evidence, answerable=decided.answerable, answer=decided.answer)
        form = query.format or (AnswerFormat(decided.format) if decided.answerable else None)
        return answer_of(value, packed, reply, query.question, form)


def _overviews(count: int, using: Run) -> tuple[str, ...]:
    """Return the nearest summaries with the pages they stand for, nearest first."""
    from octavo.operators.tree_search import best_nodes, node_cosines

    if not count or not len(using.view.topology):
        return ()
    view = using.view
    nodes = best_nodes(view, node_cosines(using.query, using), count=count, least_level=1)
    places = view.topology.places
    blocks = (places.block[places.node == node] for node in nodes.tolist())
    return tuple(
        f"(pages {', '.join(map(str, np.unique(view.blocks.page[rows]).tolist()))}) {view.topology.nodes.text[node]}"
        for node, rows in zip(nodes.tolist(), blocks, strict=True)
    )
