"""RAPTOR as a baseline: collapsed-tree retrieval (Sarthi et al., 2024, section 3).

The tree is the cross-page layer: leaves of about 100 tokens, clusters of them by meaning, summaries of these, level
after level. All nodes are ranked together by cosine with the question until the pages behind them fill the limit. The
paper hands node texts to its reader; here the reader gets the blocks behind the nodes, so that citations are verbatim.
"""

from __future__ import annotations

from octavo.document import Evidence, Query
from octavo.operators.core.base import Operator
from octavo.operators.keep.pages import RankPages
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.score.search import TREE, SearchTree
from octavo.systems import System

_RETRIEVE: Operator[Query, Evidence] = SearchTree() >> RankPages(TREE)

RAPTOR = System("raptor", _RETRIEVE, _RETRIEVE >> DirectReader())
