"""Operators: the steps a question goes through, each a frozen value that composes with `>>` and `|`.

`OPERATORS` is where an operator is registered: a plan that was printed is read back with the operators named there. A
module is imported when one of its names is first asked for, so that a plan pays for its own steps alone. Other packages
register theirs by entry points of the group `octavo.operators`.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from octavo_documents.lazy import LazyTable

_MODULES = {
    "AddPageBonuses": "score.fuse",
    "AnswerAs": "read.answer_as",
    "BestPassages": "keep",
    "ByReach": "core",
    "Contextualize": "search_agent.contextualize",
    "DirectReader": "read.direct_reader",
    "DocumentScoreGap": "score.fuse",
    "ExtractiveReader": "extractive.extractive_reader",
    "FirstFound": "core",
    "ForEach": "core",
    "Fuse": "score.fuse",
    "Investigate": "search_agent.investigate",
    "KeepByScoreGap": "keep",
    "LateSearch": "score.search",
    "BoostMentionedDocuments": "score.fuse",
    "NeuroSemanticSearch": "search_agent.tools",
    "OverPictures": "read.direct_reader",
    "AddNeighbourPages": "score.fuse",
    "Part": "score.fuse",
    "PreferDocuments": "score.prefer_documents",
    "RankByUnits": "extractive.unit_scores",
    "RankPages": "keep",
    "Refer": "score.refer",
    "Search": "score.search",
    "SeenReader": "search_agent.seen_reader",
    "ScoreMeantAlone": "score.score_meant_alone",
    "SearchFurther": "search_agent.investigate",
    "SearchTree": "score.tree_search",
    "FinancialStatementPages": "score.page_features",
    "SymbolicGraphQuery": "search_agent.graph_query",
    "VerbatimReader": "read.verbatim_reader",
    "VisualSearch": "score.search",
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
