"""DMAP as its paper prints it.

The paths of `octavo.systems.dmap` with a reader that is shown what was found.
"""

from __future__ import annotations

from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo.systems import System
from octavo.systems.dmap import DMAP

PAPER = (("embedder", "ColBERT"), ("image_text", "ColPali"), ("model", "GPT-4o"), ("vision", "GPT-4o"))
DMAP_PAPER = System(
    "dmap-paper", DMAP.retrieve, DMAP.retrieve >> VerbatimReader(), rest=DMAP.rest, paper=PAPER, looks=True
)
