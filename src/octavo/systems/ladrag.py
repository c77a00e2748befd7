"""LAD-RAG: an agent over a neural index and a symbolic graph of the document (Sourati et al., 2025).

Section 2.2: the agent searches by meaning, asks the graph, and puts what it found in context, until nothing is missing;
the size of its evidence follows from the question. Without a language model a rule planner makes the same calls.
Table 1's ablations are expressions of their own: without contextualizing, without symbolic queries, without both.
"""

from __future__ import annotations

from octavo.document import Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.keep import KeepByScoreGap
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.score.fuse import AddPageBonuses
from octavo.operators.search_agent.contextualize import Contextualize
from octavo.operators.search_agent.investigate import Investigate
from octavo.operators.search_agent.symbolic_search import SymbolicGraphQuery
from octavo.operators.search_agent.tools import NeuroSemanticSearch
from octavo.systems import System
from octavo.systems.baselines import RANKED, SCORED

_SEARCH = NeuroSemanticSearch(SCORED)
_SIZED: Operator[Evidence, Evidence] = (
    AddPageBonuses("fused", bonuses=(("symbolic", 0.4), ("listed", 1.0))) >> KeepByScoreGap()
)

_RETRIEVE: Operator[Query, Evidence] = Investigate((_SEARCH, SymbolicGraphQuery(), Contextualize())) >> _SIZED
_NO_CONTEXT: Operator[Query, Evidence] = Investigate((_SEARCH, SymbolicGraphQuery())) >> _SIZED
_NO_SYMBOLS: Operator[Query, Evidence] = Investigate((_SEARCH, Contextualize())) >> _SIZED
_SEARCH_ONLY: Operator[Query, Evidence] = Investigate((_SEARCH,)) >> _SIZED

LADRAG = System("ladrag", _RETRIEVE, _RETRIEVE >> DirectReader(), rest=RANKED, limit=20)
LADRAG_ABLATIONS = (
    System("ladrag-no-contextualize", _NO_CONTEXT, _NO_CONTEXT >> DirectReader(), rest=RANKED, limit=20),
    System("ladrag-no-symbolic", _NO_SYMBOLS, _NO_SYMBOLS >> DirectReader(), rest=RANKED, limit=20),
    System("ladrag-search-only", _SEARCH_ONLY, _SEARCH_ONLY >> DirectReader(), rest=RANKED, limit=20),
)
