"""auto, the system of those who choose none: the scores of `hybrid`, pages ranked by what stands on them, and read.

Over several documents a page also gains by how well its document as a whole fits. Without a model the extractive reader
answers. With one, a call reads; where it says what is missing, the searching agent looks for just that, and the
question is read again. It needs no layer that indexing does not build by itself.
"""

from __future__ import annotations

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.extractive.unit_scores import RankByUnits
from octavo.operators.keep import RELEVANCE, RankPages
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.score.fuse import FUSED, STANDING, AddPageBonuses, DocumentScoreGap
from octavo.operators.score.prefer_documents import PreferDocuments
from octavo.operators.search_agent.contextualize import Contextualize
from octavo.operators.search_agent.graph_query import SymbolicGraphQuery
from octavo.operators.search_agent.investigate import SearchFurther
from octavo.operators.search_agent.tools import NeuroSemanticSearch
from octavo.systems.baselines import RANKED, SCORED, SCORED_BY_CONTENT, SCORED_MEANT_ALONE
from octavo.systems.sentences import ABOUT
from octavo.systems.system import System

READ: Operator[Evidence, Answer] = SearchFurther(
    DirectReader(), (NeuroSemanticSearch(SCORED), SymbolicGraphQuery(layers=False), Contextualize(layers=False))
)
"""What reads the evidence of `auto`, and of a plan that is given in the place of a system."""

# What a document's standing is worth changed little between 0.4 and 1, for questions
# over 4 documents and over 32, while `auto` still had a planner; no documents were left out.
_BY_DOCUMENT: Operator[Evidence, Evidence] = DocumentScoreGap(FUSED) >> AddPageBonuses(
    FUSED, bonuses=((STANDING, 0.6),)
)
# Documents are preferred last, over what their standing adds, and so for more than where there is none.
_STANDING: Operator[Query, Evidence] = (
    SCORED_MEANT_ALONE >> _BY_DOCUMENT >> PreferDocuments(RELEVANCE, 1.5) >> RankPages(RELEVANCE)
)
_RETRIEVE: Operator[Query, Evidence] = _STANDING >> RankByUnits()

AUTO = System("auto", _RETRIEVE, _RETRIEVE >> READ, about=ABOUT["auto"])
AUTO_ABLATIONS = (
    System("auto-no-units", _STANDING, _STANDING >> READ),
    System("auto-no-standing", RANKED >> RankByUnits(), RANKED >> RankByUnits() >> READ),
    System(
        "auto-no-preference",
        SCORED_BY_CONTENT >> _BY_DOCUMENT >> RankPages(RELEVANCE) >> RankByUnits(),
        SCORED_BY_CONTENT >> _BY_DOCUMENT >> RankPages(RELEVANCE) >> RankByUnits() >> READ,
    ),
    System("auto-read-once", _RETRIEVE, _RETRIEVE >> DirectReader()),
)


def replayed(retrieve: Operator[Query, Evidence]) -> System:
    """Return a system that carries out one plan for any question, and reads as `auto` does."""
    return System("plan", retrieve, retrieve >> READ, rest=RANKED)
