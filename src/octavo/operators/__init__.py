"""Operators: the steps a question goes through, each a frozen value that composes with `>>` and `|`.

`OPERATORS` is where an operator is registered: what it names may be used in a plan that is printed and read back. A
module is imported when one of its names is first asked for, so that a plan pays for its own steps alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

OPERATORS = {
    "AddPageBonuses": "score.fuse",
    "Agents": "papers.dmap.reflect",
    "BestPassages": "keep",
    "ByReach": "core",
    "ChunkReader": "papers.rdr2.reader",
    "Contextualize": "search_agent.contextualize",
    "Decompose": "papers.bookrag.plan",
    "DirectReader": "read.direct_reader",
    "DocumentStanding": "score.fuse",
    "Everything": "papers.bookrag.select",
    "Extract": "papers.bookrag.select",
    "ExtractiveReader": "extractive.extractive_reader",
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
    "JudgePages": "papers.mmrag",
    "KeepByScoreGap": "keep",
    "Locate": "papers.dmap.locate",
    "LowerConfidence": "papers.rdr2.routing",
    "Map": "papers.bookrag.plan",
    "Mentioned": "score.fuse",
    "Merge": "papers.bookrag.plan",
    "NeuroSemanticSearch": "search_agent.tools",
    "PagesBeside": "score.fuse",
    "ParentPages": "papers.mmrag",
    "Part": "score.fuse",
    "PlanQuestion": "papers.bookrag.plan",
    "RandomSubtree": "papers.rdr2.trees",
    "RankByUnits": "extractive.unit_scores",
    "RankPages": "keep",
    "ReasonedReader": "papers.mmrag",
    "Reduce": "papers.bookrag.plan",
    "Refer": "score.refer",
    "Reflect": "papers.dmap.reflect",
    "RetrievalSubtree": "papers.rdr2.trees",
    "RetrieveChunks": "papers.rdr2.chunks",
    "RetrievePassages": "papers.rdr2.trees",
    "RetrievedAlone": "papers.rdr2.chunks",
    "Route": "papers.rdr2.routing",
    "RouteSubtrees": "papers.rdr2.subtrees",
    "RoutedContent": "papers.rdr2.subtrees",
    "RoutedPassages": "papers.rdr2.routing",
    "RoutedReader": "papers.rdr2.reader",
    "Search": "score.search",
    "SearchFurther": "search_agent.investigate",
    "SearchTree": "score.search",
    "SelectByEntity": "papers.bookrag.select",
    "SelectByScent": "papers.bookrag.select",
    "SelectBySection": "papers.bookrag.select",
    "Skyline": "papers.bookrag.reasoning",
    "Statements": "score.page_features",
    "SymbolicGraphQuery": "search_agent.symbolic_search",
    "TextReasoning": "papers.bookrag.reasoning",
    "VerbatimReader": "read.verbatim_reader",
    "VisualSearch": "score.search",
    "Widen": "papers.dmap.reflect",
}
"""The module of each operator, and of each value that one takes as an argument, beside this one."""


def __getattr__(name: str) -> Any:
    """Return an operator, its module imported now. Raises AttributeError."""
    if name not in OPERATORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{OPERATORS[name]}"), name)
