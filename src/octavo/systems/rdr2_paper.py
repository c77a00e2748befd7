"""RDR2 as its paper prints it.

The routing of `octavo.systems.rdr2` with a reader that is shown what was routed, in its order.
"""

from __future__ import annotations

from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo.systems import System
from octavo.systems.rdr2 import RDR2

PAPER = (("parser", "HTML of Wikipedia"), ("embedder", "GTR-large and others"), ("model", "GPT-4o-mini and others"))
RDR2_PAPER = System("rdr2-paper", RDR2.retrieve, RDR2.retrieve >> VerbatimReader(), rest=RDR2.rest, paper=PAPER)
