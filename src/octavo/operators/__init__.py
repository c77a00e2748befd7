"""Operators: the steps a question goes through, each a frozen value that composes with `>>` and `|`."""

from __future__ import annotations

from octavo.operators.agents import Agents
from octavo.operators.base import Operator, Step
from octavo.operators.best_passages import BestPassages
from octavo.operators.combinators import ByReach, FirstFound, ForEach
from octavo.operators.credit import Credit
from octavo.operators.depict import Depict
from octavo.operators.direct import DirectReader
from octavo.operators.fuse import Fuse, Part
from octavo.operators.investigate import Investigate
from octavo.operators.judge_pages import JudgePages
from octavo.operators.locate import Locate
from octavo.operators.pages import RankPages
from octavo.operators.parent_pages import ParentPages
from octavo.operators.read import ExtractiveReader
from octavo.operators.reasoned import ReasonedReader
from octavo.operators.refer import Refer
from octavo.operators.reflecting import Reflect
from octavo.operators.run import Run
from octavo.operators.search import Search
from octavo.operators.size import Size
from octavo.operators.statements import Statements
from octavo.operators.tools import Contextualize, NeuroSemanticSearch, SymbolicGraphQuery
from octavo.operators.tree_search import SearchTree
from octavo.operators.unite import Unite
from octavo.operators.visual_search import VisualSearch
from octavo.operators.widen import Widen

__all__ = [
    "Agents",
    "BestPassages",
    "ByReach",
    "Contextualize",
    "Credit",
    "Depict",
    "DirectReader",
    "ExtractiveReader",
    "FirstFound",
    "ForEach",
    "Fuse",
    "Investigate",
    "JudgePages",
    "Locate",
    "NeuroSemanticSearch",
    "Operator",
    "ParentPages",
    "Part",
    "RankPages",
    "ReasonedReader",
    "Refer",
    "Reflect",
    "Run",
    "Search",
    "SearchTree",
    "Size",
    "Statements",
    "Step",
    "SymbolicGraphQuery",
    "Unite",
    "VisualSearch",
    "Widen",
]
