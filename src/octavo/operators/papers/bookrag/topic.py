"""The topic of a global question: which of the items it goes through are about what it asks.

Owns the batched predicate over items (BookRAG, global filters). Knows nothing about how items were found or are
counted.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.decisions.satisfies_topic import SATISFIES_TOPIC, TopicItem, TopicQuestion
from octavo.document import Evidence, Kind
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.papers.bookrag.filters import ITEM
from octavo.operators.papers.bookrag.text_reasoning import TEXT
from octavo.operators.read.items import item_text


@dataclasses.dataclass(frozen=True)
class FilterTopic(Step[Evidence, Evidence]):
    """Keep the items that are about the topic of the question; all where it has none, or what is left are no items.

    At most `most` items are judged, those with the best scores in the column `by`; the others are dropped.
    """

    most: int = 60
    by: str = TEXT

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the items that satisfy the topic; none when none does."""
        query = using.query
        if not query.topic or not len(value) or ITEM not in value.sources:
            return value
        judged = value.top(self.most, self.by)
        items = [_item(judged, int(row)) for row in judged.rows]
        asked = TopicQuestion(query.question, query.topic)
        verdicts = using.judge.decide_items(SATISFIES_TOPIC, asked, items)
        return judged.keep(np.array([one.output.satisfies for one in verdicts], np.bool_))


def _item(evidence: Evidence, row: int) -> TopicItem:
    view = evidence.view
    section = " > ".join(view.blocks.section_path(row))
    return TopicItem(item_text(view, row), Kind(int(view.blocks.kind[row])).label, section)
