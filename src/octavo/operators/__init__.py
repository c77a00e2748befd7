"""Operators: the steps a question goes through, each a frozen value that composes with `>>` and `|`.

`OPERATORS` is where an operator is registered: what it names may be used in a plan that is printed and read back. A
module is imported when one of its names is first asked for, so that a plan pays for its own steps alone. Other packages
register theirs by entry points of the group `octavo.operators`.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from octavo.lazy import LazyTable

_MODULES = {
    "AddPageBonuses": "score.fuse",
    "Agents": "papers.dmap.reflect",
    "AnswerByAgents": "papers.dmap.generate",
    "BestBlocks": "papers.bookrag.reasoning",
    "BestPassages": "keep",
    "ByReach": "core",
    "ChunkReader": "papers.rdr2.reader",
    "ClassifyQuestion": "papers.bookrag.as_printed",
    "Contextualize": "search_agent.contextualize",
    "Decompose": "papers.bookrag.plan",
    "DirectReader": "read.direct_reader",
    "DocumentStanding": "score.fuse",
    "ElementsReader": "papers.dmap.generate",
    "Everything": "papers.bookrag.select",
    "Extract": "papers.bookrag.select",
    "ExtractiveReader": "extractive.extractive_reader",
    "Fill": "papers.bookrag.reasoning",
    "FilterModal": "papers.bookrag.select",
    "FilterRange": "papers.bookrag.select",
    "FilterTopic": "papers.bookrag.select",
    "FirstFound": "core",
    "ForEach": "core",
    "Fuse": "score.fuse",
    "GraphReasoning": "papers.bookrag.reasoning",
    "HeadingsOnly": "papers.rdr2.trees",
    "InterleaveRankings": "papers.dmap.document_map",
    "Investigate": "search_agent.investigate",
    "JudgePages": "papers.mmrag.pages",
    "KeepByScoreGap": "keep",
    "LateSearch": "score.search",
    "Locate": "papers.dmap.locate",
    "LocateOnMap": "papers.dmap.paths",
    "LowerConfidence": "papers.rdr2.routing",
    "Map": "papers.bookrag.plan",
    "MapBlocks": "papers.bookrag.as_printed",
    "Mentioned": "score.fuse",
    "Merge": "papers.bookrag.plan",
    "NearestElements": "papers.dmap.paths",
    "NeuroSemanticSearch": "search_agent.tools",
    "NodeCommunity": "papers.ladrag.node_tools",
    "NodeQuery": "papers.ladrag.node_tools",
    "OverPictures": "read.direct_reader",
    "PagesBeside": "score.fuse",
    "ParentPages": "papers.mmrag.pages",
    "Part": "score.fuse",
    "PlanFilters": "papers.bookrag.as_printed",
    "PlanQuestion": "papers.bookrag.plan",
    "RandomSubtree": "papers.rdr2.trees",
    "RankByUnits": "extractive.unit_scores",
    "RankPages": "keep",
    "RatePages": "papers.mmrag.rate_pages",
    "ReasonedReader": "papers.mmrag.reasoned_reader",
    "Reduce": "papers.bookrag.plan",
    "ReduceBlocks": "papers.bookrag.as_printed",
    "Refer": "score.refer",
    "Reflect": "papers.dmap.reflect",
    "ReflectOverMap": "papers.dmap.generate",
    "RetrievalSubtree": "papers.rdr2.trees",
    "RetrieveChunks": "papers.rdr2.chunks",
    "RetrieveNodes": "papers.ladrag.retrieve",
    "RetrievePassages": "papers.rdr2.trees",
    "RetrievedAlone": "papers.rdr2.chunks",
    "Route": "papers.rdr2.routing",
    "RouteSubtrees": "papers.rdr2.subtrees",
    "RoutedContent": "papers.rdr2.subtrees",
    "RoutedPassages": "papers.rdr2.routing",
    "RoutedReader": "papers.rdr2.reader",
    "Search": "score.search",
    "SearchChunks": "papers.mmrag.two_level_index",
    "SearchFurther": "search_agent.investigate",
    "SearchSummaries": "papers.mmrag.two_level_index",
    "SearchTree": "score.search",
    "SelectByEntity": "papers.bookrag.select",
    "SelectByScent": "papers.bookrag.select",
    "SelectBySection": "papers.bookrag.select",
    "Skyline": "papers.bookrag.reasoning",
    "Statements": "score.page_features",
    "SummarySearch": "papers.ladrag.node_tools",
    "SymbolicGraphQuery": "search_agent.symbolic_search",
    "TextRanker": "papers.bookrag.reasoning",
    "TextReasoning": "papers.bookrag.reasoning",
    "TypedReader": "papers.mmrag.typed_reader",
    "UnitePaths": "papers.dmap.paths",
    "Unranked": "papers.bookrag.as_printed",
    "VerbatimReader": "read.verbatim_reader",
    "VisualSearch": "score.search",
    "WholeRange": "papers.bookrag.select",
    "Widen": "papers.dmap.reflect",
}
"""The module of each operator of ours, and of each value that one takes as an argument, beside this one."""
OPERATORS: MutableMapping[str, Any] = LazyTable(
    {name: f"{__name__}.{module}" for name, module in _MODULES.items()}, getattr, "octavo.operators"
)
"""Operators, and the values that they take as arguments, by name."""


def __getattr__(name: str) -> Any:
    """Return an operator, its module imported now. Raises AttributeError."""
    if name.startswith("_") or name not in OPERATORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return OPERATORS[name]
