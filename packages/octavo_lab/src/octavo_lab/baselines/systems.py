"""The baselines as systems, each a row of a paper's table; all read what was found as it was found.

BookRAG's Table 5: `chunks-bm25`, `chunks-dense` (Vanilla RAG), `layout-dense` (Layout + Vanilla), `raptor-nodes`,
`looks-dense` (MM-Vanilla), `tree-traverse`, `graph-ranker`. LAD-RAG's Table 2: `oracle-pages` (ground truth),
`bm25-pages`, `dense-pages` and `visual-pages` at k, `page-images` (all pages). MMRAG-DocQA's Table 1: `all-text`,
`late-pages`, `visual-page-images` (M3DocRAG). RDR2: `no-retrieval`.
"""

from __future__ import annotations

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.keep import RELEVANCE, RankPages
from octavo.operators.read.verbatim_reader import DOCUMENT_ORDER, VerbatimReader
from octavo.operators.score.search import LATE, VISUAL, LateSearch, Search, VisualSearch
from octavo.operators.score.tree_search import TREE, SearchTree
from octavo.systems import System
from octavo_lab.baselines.token_chunks import ChunkTextReader, SearchChunkTexts
from octavo_lab.baselines.tree_nodes import TreeNodesReader
from octavo_lab.baselines.whole_pages import (
    EveryPage,
    GivenPages,
    NoEvidence,
    PagePicturesReader,
    PagesReader,
    UnaidedReader,
)
from octavo_methods.bookrag.as_printed import Unranked
from octavo_methods.bookrag.reasoning import BASIC_ENTITIES, BestBlocks, GraphReasoning
from octavo_methods.bookrag.select import Everything, Extract, SelectBySection
from octavo_methods.dmap.elements import LOOK
from octavo_methods.dmap.paths import NearestElements, UnitePaths

_TOP_K = 10
_ALL = 100_000
"""Pages: more than any document has."""
_DENSE: Operator[Query, Evidence] = Search("dense") >> RankPages("dense")
_TEXT_ALONE = VerbatimReader(pictures=0)


def _system(
    name: str,
    retrieve: Operator[Query, Evidence],
    reader: Operator[Evidence, Answer],
    *,
    limit: int = _ALL,
    rest: Operator[Query, Evidence] | None = _DENSE,
) -> System:
    return System(name, retrieve, retrieve >> reader, rest=rest, limit=limit)


def _chunks(name: str, kind: str, unit: str = "chunks") -> System:
    return _system(name, SearchChunkTexts(kind, _TOP_K, unit), ChunkTextReader(kind=kind, unit=unit))


CHUNKS_BM25 = _chunks("chunks-bm25", "bm25")
CHUNKS_DENSE = _chunks("chunks-dense", "dense")
LAYOUT_DENSE = _chunks("layout-dense", "dense", "passages")

RAPTOR_NODES = _system("raptor-nodes", SearchTree(_TOP_K) >> RankPages(TREE), TreeNodesReader(nodes=_TOP_K))
TREE_TRAVERSE = _system("tree-traverse", SelectBySection() >> Unranked(), _TEXT_ALONE)
_GRAPH = (
    Extract(nearest=0, graph=BASIC_ENTITIES)
    >> Everything()
    >> GraphReasoning(relevance=0.0, by_rarity=False, weighted=False, graph=BASIC_ENTITIES)
    >> BestBlocks("graph", _TOP_K)
    >> RankPages("graph")
)
GRAPH_RANKER = _system("graph-ranker", _GRAPH, VerbatimReader())
LOOKS_DENSE = _system("looks-dense", NearestElements(LOOK, _TOP_K) >> UnitePaths(), VerbatimReader())

_BM25: Operator[Query, Evidence] = Search("bm25") >> RankPages("bm25")
_VISUAL: Operator[Query, Evidence] = Everything() >> VisualSearch(_ALL) >> RankPages(VISUAL)
ORACLE_PAGES = _system("oracle-pages", GivenPages(), PagesReader())
BM25_PAGES = _system("bm25-pages", _BM25, PagesReader(), limit=_TOP_K, rest=None)
DENSE_PAGES = _system("dense-pages", _DENSE, PagesReader(), limit=_TOP_K, rest=None)
VISUAL_PAGES = _system("visual-pages", _VISUAL, PagesReader(), limit=_TOP_K, rest=None)
VISUAL_PAGE_IMAGES = _system("visual-page-images", _VISUAL, PagePicturesReader(), limit=_TOP_K, rest=None)
LATE_PAGES = _system("late-pages", LateSearch() >> RankPages(LATE), _TEXT_ALONE, limit=_TOP_K, rest=None)

ALL_TEXT = _system("all-text", EveryPage(), VerbatimReader(DOCUMENT_ORDER, pictures=0))
PAGE_IMAGES = _system("page-images", EveryPage() >> RankPages(RELEVANCE), PagePicturesReader())
NO_RETRIEVAL = _system("no-retrieval", NoEvidence(), UnaidedReader())

SEEING = frozenset({"page-images", "visual-page-images"})
"""Baselines that only a model that sees can answer for."""
BY_LOOKS = frozenset({"looks-dense", "visual-pages", "visual-page-images"})
"""Baselines that find nothing without an image-text model."""
