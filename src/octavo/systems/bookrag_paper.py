"""BookRAG as its paper prints it.

The expressions are those of `octavo.systems.bookrag` with a reader that is shown what was found.
"""

from __future__ import annotations

from octavo.operators.keep import RankPages
from octavo.operators.papers.bookrag.plan import PlanQuestion
from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo.systems import System
from octavo.systems.baselines import RANKED
from octavo.systems.bookrag import REASON, SELECT

PAPER = (
    ("parser", "MinerU"),
    ("embedder", "Qwen3-Embedding-0.6B"),
    ("reranker", "Qwen3-Reranker-4B"),
    ("model", "Qwen3-8B"),
    ("vision", "Qwen2.5VL-30B"),
)
_RETRIEVE = PlanQuestion() >> SELECT >> REASON >> RankPages("fused")
BOOKRAG_PAPER = System("bookrag-paper", _RETRIEVE, _RETRIEVE >> VerbatimReader(), rest=RANKED, paper=PAPER, looks=True)
