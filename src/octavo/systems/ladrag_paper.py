"""LAD-RAG as its paper prints it.

The agent of `octavo.systems.ladrag` with a reader that is shown what was found.
"""

from __future__ import annotations

from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo.systems import System
from octavo.systems.baselines import RANKED
from octavo.systems.ladrag import LADRAG

PAPER = (
    ("parser", "GPT-4o over page pictures"),
    ("embedder", "BGE-M3 and others"),
    ("model", "GPT-4o"),
    ("vision", "GPT-4o"),
)
LADRAG_PAPER = System(
    "ladrag-paper", LADRAG.retrieve, LADRAG.retrieve >> VerbatimReader(), rest=RANKED, limit=20, paper=PAPER, looks=True
)
