"""LAD-RAG: an agent over a neural index and a symbolic graph of the document (Sourati et al., 2025).

Section 2.2: the agent searches by meaning, asks the graph, and puts what it found in context, until nothing is missing;
the size of its evidence follows from the question. Without a language model a rule planner makes the same calls.
The links that a model which looked at the pages found (layer `document_graph`) count beside those of rules; a reader
that cannot look is told what it read in figures and charts. Table 1's ablations are expressions of their own: without
contextualizing, without symbolic queries, without both; and one whose links are those of rules alone.
"""

from __future__ import annotations

import dataclasses

from octavo.evidence import Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.keep import KeepByScoreGap
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.score.fuse import AddPageBonuses
from octavo.operators.search_agent.contextualize import Contextualize
from octavo.operators.search_agent.graph_query import SymbolicGraphQuery
from octavo.operators.search_agent.investigate import Investigate
from octavo.operators.search_agent.seen_reader import SeenReader
from octavo.operators.search_agent.tools import NeuroSemanticSearch, Tool
from octavo.systems import System
from octavo.systems.baselines import RANKED, SCORED
from octavo_methods.ladrag import ABOUT

_SEARCH = NeuroSemanticSearch(SCORED)
_SIZED: Operator[Evidence, Evidence] = (
    AddPageBonuses("fused", bonuses=(("symbolic", 0.4), ("listed", 1.0))) >> KeepByScoreGap()
)


def _agent(*tools: Tool) -> Operator[Query, Evidence]:
    return Investigate((_SEARCH, *tools)) >> _SIZED


def _system(name: str, retrieve: Operator[Query, Evidence], *, seen: bool = True) -> System:
    return System(name, retrieve, retrieve >> (SeenReader() if seen else DirectReader()), rest=RANKED, limit=20)


LADRAG = dataclasses.replace(
    _system("ladrag", _agent(SymbolicGraphQuery(seen=True), Contextualize(seen=True))), about=ABOUT
)
LADRAG_ABLATIONS = (
    _system("ladrag-rule-graph", _agent(SymbolicGraphQuery(), Contextualize()), seen=False),
    _system("ladrag-no-contextualize", _agent(SymbolicGraphQuery(seen=True))),
    _system("ladrag-no-symbolic", _agent(Contextualize(seen=True))),
    _system("ladrag-search-only", _agent(), seen=False),
)
