"""The baselines: BM25, vectors, and both, each with the direct reader; and RAPTOR (Sarthi et al., 2024, section 3).

Without a language model the reader extracts; BM25 then asks no model at all.

RAPTOR's tree is the cross-page layer: leaves of about 100 tokens, clusters of them by meaning, summaries of these,
level after level. All nodes are ranked together by cosine with the question until the pages behind them fill the limit.
The paper hands node texts to its reader; here the reader gets the blocks behind the nodes, so that citations are
verbatim.
"""

from __future__ import annotations

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.keep import RankPages
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.score.fuse import AddNeighbourPages, BoostMentionedDocuments, Fuse, Part
from octavo.operators.score.page_features import FinancialStatementPages
from octavo.operators.score.prefer_documents import PreferDocuments
from octavo.operators.score.refer import Refer
from octavo.operators.score.score_meant_alone import ScoreMeantAlone
from octavo.operators.score.search import Search
from octavo.operators.score.tree_search import TREE, SearchTree
from octavo.systems.sentences import ABOUT
from octavo.systems.system import System

_LEXICAL: Operator[Query, Evidence] = Search("bm25") >> RankPages("bm25")
_DENSE: Operator[Query, Evidence] = Search("dense") >> RankPages("dense")
_SEARCHES: Operator[Query, Evidence] = (
    Search("bm25") | Search("bm25_page") | Search("coverage") | Search("dense") | Search("dense_page")
)
# Weights are the middle of a plateau over 44 documents: the means of PR@1, 3, 5 and 10 change little around them.
_FUSED: Operator[Query, Evidence] = (_SEARCHES | Refer() | FinancialStatementPages()) >> Fuse(
    (
        Part("bm25", 0.5, floor=0.0, doubt=0.6, by="coverage"),
        Part("bm25_page", 0.5, floor=0.0, doubt=0.6, by="coverage"),
        Part("dense", 0.7),
        Part("dense_page", 0.25),
        Part("named", 1.0, floor=0.0),
        Part("statement", 0.8, floor=0.0),
    )
)
# Over 60 questions of two or more articles, what is found changes little between 0.5 and 1.2.
SCORED_BY_CONTENT: Operator[Query, Evidence] = (
    _FUSED >> BoostMentionedDocuments("fused", 0.8) >> AddNeighbourPages("fused", 0.05)
)
"""The same scores by what stands in documents alone, whichever of them is meant."""
SCORED_MEANT_ALONE: Operator[Query, Evidence] = ScoreMeantAlone(SCORED_BY_CONTENT, "fused")
"""The same, of the documents that are surely meant as if these alone were asked."""
# What preferring documents is worth changes little between 0.75 and 1.5, over 42 documents asked together.
SCORED: Operator[Query, Evidence] = SCORED_MEANT_ALONE >> PreferDocuments("fused")
"""The scores of everything for a question, in the column `fused`: what `hybrid` ranks and other systems start from."""

BY_SCORE: Operator[Evidence, Evidence] = RankPages("fused")
"""Pages by these scores."""
RANKED: Operator[Query, Evidence] = SCORED >> BY_SCORE
"""All pages by these scores: what `hybrid` hands over, and the order of what other systems leave out."""

_READ: Operator[Evidence, Answer] = DirectReader()

BM25 = System("bm25", _LEXICAL, _LEXICAL >> DirectReader(by_meaning=False), about=ABOUT["bm25"])
DENSE = System("dense", _DENSE, _DENSE >> _READ, about=ABOUT["dense"])
HYBRID = System("hybrid", RANKED, RANKED >> _READ, about=ABOUT["hybrid"])


_RETRIEVE: Operator[Query, Evidence] = SearchTree() >> PreferDocuments(TREE) >> RankPages(TREE)

RAPTOR = System("raptor", _RETRIEVE, _RETRIEVE >> DirectReader(), about=ABOUT["raptor"])
