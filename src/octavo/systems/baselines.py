"""The baselines: BM25, vectors, and both, each with the extractive reader; BM25 without any model at all."""

from __future__ import annotations

from octavo.document import Answer, Evidence, Query
from octavo.operators import ExtractiveReader, Fuse, Operator, Part, RankPages, Refer, Search
from octavo.systems.base import System

_LEXICAL: Operator[Query, Evidence] = Search("bm25") >> RankPages("bm25")
_DENSE: Operator[Query, Evidence] = Search("dense") >> RankPages("dense")
# Weights and the neighbours' share: best mean of PR@1, 3, 5 and 10 on leave-document-out over 42 documents.
_HYBRID: Operator[Query, Evidence] = (
    (Search("bm25") | Search("bm25_page") | Search("dense") | Refer())
    >> Fuse(
        (
            Part("bm25", 0.5, floor=0.0),
            Part("bm25_page", 0.5, floor=0.0),
            Part("dense", 0.8),
            Part("named", 1.0, floor=0.0),
        )
    )
    >> RankPages("fused", neighbour=0.1)
)
_READ: Operator[Evidence, Answer] = ExtractiveReader()
_READ_BY_WORDS: Operator[Evidence, Answer] = ExtractiveReader(compare=0)

BM25 = System("bm25", _LEXICAL, _LEXICAL >> _READ_BY_WORDS)
DENSE = System("dense", _DENSE, _DENSE >> _READ)
HYBRID = System("hybrid", _HYBRID, _HYBRID >> _READ)
