"""BookRAG as its paper prints it (Wang, Zhou and Fang, 2025): its operators, numbers and order, and nothing of ours.

The expressions are the paper's equations: P_STD is 10, SINGLE 9, MULTI 11, GLOBAL 12; the plan is 8. The graph is that
of Algorithm 1 (layer `bookindex`). What the paper leaves open is told in docs/systems.md. The ablations are the rows of
Table 7: without one of the two scores the skyline is disabled, and the ten best blocks are kept, the paper's top-k.
"""

from __future__ import annotations

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import ByReach, FirstFound, ForEach, Operator
from octavo.operators.keep import RELEVANCE, RankPages
from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo.systems import System
from octavo.systems.baselines import RANKED
from octavo_methods.bookrag.as_printed import (
    ClassifyQuestion,
    DecomposeComplex,
    MapBlocks,
    PlanFilters,
    ReduceBlocks,
    Unranked,
)
from octavo_methods.bookrag.plan import Merge, Reduce
from octavo_methods.bookrag.reasoning import BASIC_ENTITIES, BOOKINDEX, BestBlocks, GraphReasoning, Skyline, TextRanker
from octavo_methods.bookrag.select import Everything, Extract, FilterModal, FilterRange, SelectByEntity, SelectBySection

PAPER = (
    ("parser", "MinerU"),
    ("embedder", "Qwen3-Embedding-0.6B"),
    ("reranker", "Qwen3-Reranker-4B"),
    ("model", "Qwen3-8B"),
    ("vision", "Qwen2.5VL-30B"),
)
_TOP_K = 10
_UNLIMITED = 1_000_000
"""Pages: the skyline alone says how many there are, and filters leave what they leave."""

READ: Operator[Evidence, Answer] = VerbatimReader()


def _extract(graph: str) -> Operator[Query, Query]:
    return Extract(nearest=0, graph=graph)


def _select(graph: str) -> Operator[Query, Evidence]:
    """Return the selection of equation 9."""
    return FirstFound((_extract(graph) >> SelectByEntity(graph=graph), SelectBySection()))


def _walk(graph: str) -> Operator[Evidence, Evidence]:
    return GraphReasoning(damping=0.85, relevance=0.0, by_rarity=False, weighted=False, graph=graph)


def _standard(graph: str) -> Operator[Evidence, Evidence]:
    """Return what of P_std comes before Reduce (equation 10)."""
    return _walk(graph) >> TextRanker() >> Skyline(("graph", "text")) >> RankPages("text")


def _planned(name: str, select: Operator[Query, Evidence], reason: Operator[Evidence, Evidence]) -> System:
    single = select >> reason
    filtered = PlanFilters() >> Everything() >> FilterRange(strict=True) >> FilterModal(strict=True) >> Unranked()
    retrieve = ByReach(single, DecomposeComplex() >> ForEach(single) >> Merge() >> RankPages(RELEVANCE), filtered)
    answer = ByReach(
        single >> READ,
        DecomposeComplex() >> ForEach(single >> READ) >> Reduce(otherwise=None),
        filtered >> MapBlocks() >> ReduceBlocks(),
    )
    return _system(name, ClassifyQuestion() >> retrieve, ClassifyQuestion() >> answer)


def _system(name: str, retrieve: Operator[Query, Evidence], answer: Operator[Query, Answer]) -> System:
    return System(name, retrieve, answer, rest=RANKED, limit=_UNLIMITED, paper=PAPER, looks=True, filters_sections=True)


SELECT = _select(BOOKINDEX)
STANDARD = _standard(BOOKINDEX)
BOOKRAG_PAPER = _planned("bookrag-paper", SELECT, STANDARD)

# Table 7
_TEXT_ONLY = TextRanker() >> BestBlocks("text", _TOP_K) >> RankPages("text")
_GRAPH_ONLY = _walk(BOOKINDEX) >> BestBlocks("graph", _TOP_K) >> RankPages("graph")
_STATIC = SELECT >> STANDARD

PAPER_ABLATIONS = (
    _planned("bookrag-paper-no-gradient-er", _select(BASIC_ENTITIES), _standard(BASIC_ENTITIES)),
    _system("bookrag-paper-no-planning", _STATIC, _STATIC >> READ),
    _planned("bookrag-paper-no-selector", _extract(BOOKINDEX) >> Everything(), STANDARD),
    _planned("bookrag-paper-no-graph-reasoning", SELECT, _TEXT_ONLY),
    _planned("bookrag-paper-no-text-reasoning", SELECT, _GRAPH_ONLY),
)
