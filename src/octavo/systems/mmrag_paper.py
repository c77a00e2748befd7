"""MMRAG-DocQA as its paper prints it.

The retrieval of `octavo.systems.mmrag` with a reader that is shown what was found.
"""

from __future__ import annotations

from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo.systems import System
from octavo.systems.mmrag import MMRAG

PAPER = (("parser", "MinerU"), ("embedder", "text-embedding-3-large"), ("model", "GPT-4o"), ("vision", "GPT-4o"))
MMRAG_PAPER = System(
    "mmrag-paper", MMRAG.retrieve, MMRAG.retrieve >> VerbatimReader(), rest=MMRAG.rest, paper=PAPER, looks=True
)
