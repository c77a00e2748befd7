"""The baselines: BM25, vectors, and both, each with the extractive reader. No model but the embedding."""

from __future__ import annotations

from octavo.document import Answer, Evidence, Query
from octavo.operators import ExtractiveReader, Fuse, Operator, RankPages, Search
from octavo.systems.base import System

_LEXICAL: Operator[Query, Evidence] = Search("bm25") >> RankPages("bm25")
_DENSE: Operator[Query, Evidence] = Search("dense") >> RankPages("dense")
_HYBRID: Operator[Query, Evidence] = (Search("bm25") | Search("dense")) >> Fuse(("bm25", "dense")) >> RankPages("fused")
_READ: Operator[Evidence, Answer] = ExtractiveReader()

BM25 = System("bm25", _LEXICAL, _LEXICAL >> _READ)
DENSE = System("dense", _DENSE, _DENSE >> _READ)
HYBRID = System("hybrid", _HYBRID, _HYBRID >> _READ)
