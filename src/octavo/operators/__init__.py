"""Operators: the steps a question goes through, each a frozen value that composes with `>>` and `|`.

A module is imported when one of its names is first asked for: a plan pays for its own steps alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from octavo.operators.agents import Agents
    from octavo.operators.base import Operator, Step
    from octavo.operators.best_passages import BestPassages
    from octavo.operators.combinators import ByReach, FirstFound, ForEach
    from octavo.operators.compose import Compose
    from octavo.operators.credit import Credit
    from octavo.operators.decompose import Decompose
    from octavo.operators.depict import Depict
    from octavo.operators.direct import DirectReader
    from octavo.operators.document_standing import DocumentStanding
    from octavo.operators.doubt import Doubt
    from octavo.operators.every_kind import EveryKind
    from octavo.operators.extract import Extract
    from octavo.operators.filters import Everything, FilterModal, FilterRange
    from octavo.operators.fuse import Fuse, Part
    from octavo.operators.graph_reasoning import GraphReasoning
    from octavo.operators.judge_pages import JudgePages
    from octavo.operators.keep_named import KeepNamed
    from octavo.operators.locate import Locate
    from octavo.operators.map_reduce import Map, Reduce
    from octavo.operators.mentioned import Mentioned
    from octavo.operators.merge import Merge
    from octavo.operators.needed_pages import NeededPages
    from octavo.operators.openings import Openings
    from octavo.operators.page_signs import PageSigns
    from octavo.operators.pages import RankPages
    from octavo.operators.parent_pages import ParentPages
    from octavo.operators.part_pages import PartPages
    from octavo.operators.plan import PlanQuestion
    from octavo.operators.rank_by_units import RankByUnits
    from octavo.operators.reader.extractive_reader import ExtractiveReader
    from octavo.operators.reasoned import ReasonedReader
    from octavo.operators.refer import Refer
    from octavo.operators.reflecting import Reflect
    from octavo.operators.retrieve_passages import RetrievePassages
    from octavo.operators.route import Route
    from octavo.operators.routed_passages import RoutedPassages
    from octavo.operators.run import Run
    from octavo.operators.search import Search
    from octavo.operators.search_agent.investigate import Investigate
    from octavo.operators.search_agent.search_further import SearchFurther
    from octavo.operators.search_agent.tools import Contextualize, NeuroSemanticSearch, SymbolicGraphQuery
    from octavo.operators.select_by_entity import SelectByEntity
    from octavo.operators.select_by_scent import SelectByScent
    from octavo.operators.select_by_section import SelectBySection
    from octavo.operators.size import Size
    from octavo.operators.skyline import Skyline
    from octavo.operators.statements import Statements
    from octavo.operators.subtree import HeadingsOnly, RandomSubtree, RetrievalSubtree
    from octavo.operators.text_reasoning import TextReasoning
    from octavo.operators.topic import FilterTopic
    from octavo.operators.tree_search import SearchTree
    from octavo.operators.unit import Unit
    from octavo.operators.unite import Unite
    from octavo.operators.visual_search import VisualSearch
    from octavo.operators.widen import Widen

__all__ = [
    "Agents",
    "BestPassages",
    "ByReach",
    "Compose",
    "Contextualize",
    "Credit",
    "Decompose",
    "Depict",
    "DirectReader",
    "DocumentStanding",
    "Doubt",
    "EveryKind",
    "Everything",
    "Extract",
    "ExtractiveReader",
    "FilterModal",
    "FilterRange",
    "FilterTopic",
    "FirstFound",
    "ForEach",
    "Fuse",
    "GraphReasoning",
    "HeadingsOnly",
    "Investigate",
    "JudgePages",
    "KeepNamed",
    "Locate",
    "Map",
    "Mentioned",
    "Merge",
    "NeededPages",
    "NeuroSemanticSearch",
    "Openings",
    "Operator",
    "PageSigns",
    "ParentPages",
    "Part",
    "PartPages",
    "PlanQuestion",
    "RandomSubtree",
    "RankByUnits",
    "RankPages",
    "ReasonedReader",
    "Reduce",
    "Refer",
    "Reflect",
    "RetrievalSubtree",
    "RetrievePassages",
    "Route",
    "RoutedPassages",
    "Run",
    "Search",
    "SearchFurther",
    "SearchTree",
    "SelectByEntity",
    "SelectByScent",
    "SelectBySection",
    "Size",
    "Skyline",
    "Statements",
    "Step",
    "SymbolicGraphQuery",
    "TextReasoning",
    "Unit",
    "Unite",
    "VisualSearch",
    "Widen",
]

_WHERE = {
    "Agents": "agents",
    "BestPassages": "best_passages",
    "ByReach": "combinators",
    "Compose": "compose",
    "Contextualize": "search_agent.tools",
    "Credit": "credit",
    "Decompose": "decompose",
    "Depict": "depict",
    "DirectReader": "direct",
    "DocumentStanding": "document_standing",
    "Doubt": "doubt",
    "EveryKind": "every_kind",
    "Everything": "filters",
    "Extract": "extract",
    "ExtractiveReader": "reader.extractive_reader",
    "FilterModal": "filters",
    "FilterRange": "filters",
    "FilterTopic": "topic",
    "FirstFound": "combinators",
    "ForEach": "combinators",
    "Fuse": "fuse",
    "GraphReasoning": "graph_reasoning",
    "HeadingsOnly": "subtree",
    "Investigate": "search_agent.investigate",
    "JudgePages": "judge_pages",
    "KeepNamed": "keep_named",
    "Locate": "locate",
    "Map": "map_reduce",
    "Mentioned": "mentioned",
    "Merge": "merge",
    "NeededPages": "needed_pages",
    "NeuroSemanticSearch": "search_agent.tools",
    "Openings": "openings",
    "Operator": "base",
    "ParentPages": "parent_pages",
    "Part": "fuse",
    "PageSigns": "page_signs",
    "PartPages": "part_pages",
    "PlanQuestion": "plan",
    "RandomSubtree": "subtree",
    "RankByUnits": "rank_by_units",
    "RankPages": "pages",
    "ReasonedReader": "reasoned",
    "Reduce": "map_reduce",
    "Refer": "refer",
    "Reflect": "reflecting",
    "RetrievalSubtree": "subtree",
    "RetrievePassages": "retrieve_passages",
    "Route": "route",
    "RoutedPassages": "routed_passages",
    "Run": "run",
    "Search": "search",
    "SearchFurther": "search_agent.search_further",
    "SearchTree": "tree_search",
    "SelectByEntity": "select_by_entity",
    "SelectByScent": "select_by_scent",
    "SelectBySection": "select_by_section",
    "Size": "size",
    "Skyline": "skyline",
    "Statements": "statements",
    "Step": "base",
    "SymbolicGraphQuery": "search_agent.tools",
    "TextReasoning": "text_reasoning",
    "Unit": "unit",
    "Unite": "unite",
    "VisualSearch": "visual_search",
    "Widen": "widen",
}
"""The module of each name."""


def __getattr__(name: str) -> Any:
    """Return an operator, its module imported now. Raises AttributeError."""
    module = _WHERE.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{module}"), name)
