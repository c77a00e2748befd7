"""BookRAG: a plan by the question's reach, a selection by scent, two kinds of reasoning and the skyline of both.

The expressions are the paper's equations: SINGLE is 9 and 10, MULTI 11, GLOBAL 12; the reasoning is 6, 7 and 14.
What is ours in it: the sections that the text points to are selected beside those of the entities, the skyline is
filled up by fused scores (`Fill`), items are filtered by a topic and looked at once more together before they are
counted. `octavo_methods.bookrag.paper_system` has none of it. The ablations are those of Table 7.
"""

from __future__ import annotations

import dataclasses

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import ByReach, FirstFound, ForEach, Operator
from octavo.operators.keep import RankPages
from octavo.operators.read.direct_reader import DirectReader, OverPictures
from octavo.operators.score.fuse import Fuse, Part
from octavo.systems import System
from octavo.systems.baselines import RANKED, SCORED
from octavo_methods.bookrag import ABOUT
from octavo_methods.bookrag.plan import Decompose, Map, Merge, PlanQuestion, Reduce
from octavo_methods.bookrag.reasoning import BASIC_ENTITIES, Fill, GraphReasoning, Skyline, TextReasoning
from octavo_methods.bookrag.select import (
    Everything,
    Extract,
    FilterModal,
    FilterRange,
    FilterTopic,
    SelectByEntity,
    SelectByScent,
    SelectBySection,
    WholeRange,
)

READ: Operator[Evidence, Answer] = DirectReader()
EXTRACT = Extract()
TEXT = Part("text", 1.0, floor=0.0)
GRAPH = Part("graph", 0.25, floor=0.0)


def selection(extract: Extract) -> Operator[Query, Evidence]:
    """Return the selectors: by the entities of a graph, else by the outline, and by what the text promises."""
    return FirstFound((extract >> SelectByEntity(graph=extract.graph), SelectBySection())) | SelectByScent(SCORED)


def reasoning(graph: GraphReasoning) -> Operator[Evidence, Evidence]:
    """Return graph and text reasoning, and the skyline of both."""
    return graph >> TextReasoning(SCORED) >> Fuse((TEXT, GRAPH)) >> Skyline(("graph", "text"), Fill())


def planned(name: str, select: Operator[Query, Evidence], reason: Operator[Evidence, Evidence]) -> System:
    """Return the whole system around a selection and a way to reason."""
    single = select >> reason >> RankPages("fused")
    everything = Everything() >> FilterRange()
    counted = FilterModal() >> TextReasoning(SCORED) >> FilterTopic() >> Fuse((TEXT,))
    ranged = everything >> WholeRange() >> TextReasoning(SCORED) >> Fuse((TEXT,))
    passages = FirstFound((select >> FilterRange(), everything)) >> reason >> RankPages("fused")
    retrieve = ByReach(
        single,
        Decompose() >> ForEach(single) >> Merge() >> RankPages("fused"),
        ((everything >> counted) | passages) >> RankPages("fused"),
    )
    # What stands outside the pages and sections that are named is no part of a count, also where these are not there.
    items = Everything() >> FilterRange(strict=True) >> counted
    answer = ByReach(
        single >> READ,
        Decompose() >> ForEach(single >> READ) >> Reduce(),
        FirstFound((items, ranged, passages)) >> Map() >> Reduce(),
    )
    # What pages show need not be a block of theirs: a model that sees goes over the pages themselves.
    seen = OverPictures(RANKED >> READ, PlanQuestion() >> answer)
    return System(name, PlanQuestion() >> retrieve, seen, rest=RANKED, filters_sections=True)


SELECT = selection(EXTRACT)
REASON = reasoning(GraphReasoning())
BOOKRAG = dataclasses.replace(planned("bookrag", SELECT, REASON), about=ABOUT)

# Table 7
_TEXT_ONLY = TextReasoning(SCORED) >> Fuse((TEXT,)) >> Skyline(("text",), Fill())
_GRAPH_ONLY = GraphReasoning() >> Fuse((GRAPH,)) >> Skyline(("graph",), Fill())
_BASIC = Extract(graph=BASIC_ENTITIES)
_STATIC = SELECT >> REASON >> RankPages("fused")

ABLATIONS = (
    planned("bookrag-basic-er", selection(_BASIC), reasoning(GraphReasoning(graph=BASIC_ENTITIES))),
    System("bookrag-no-planning", _STATIC, _STATIC >> READ, rest=RANKED, filters_sections=True),
    planned("bookrag-no-selector", EXTRACT >> Everything(), REASON),
    planned("bookrag-no-graph", SELECT, _TEXT_ONLY),
    planned("bookrag-no-text", SELECT, _GRAPH_ONLY),
)
