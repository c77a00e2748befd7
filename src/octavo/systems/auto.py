"""auto, the system of those who choose none: a plan for each question out of the operators of all systems.

A rule reads the question and the shape of what it is asked about, and composes a plan (`octavo.operators.auto`); a
model is asked only where the rule is not sure. How many pages follow from the scores is calibrated. One call reads;
where it says what is missing, the agent of LAD-RAG looks for just that, and the question is read again. It needs no
layer that indexing does not build by itself.
"""

from __future__ import annotations

import dataclasses

from octavo.document import Answer, Evidence, Query
from octavo.operators.auto.compose import Compose
from octavo.operators.core.base import Operator
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.search_agent.search_further import SearchFurther
from octavo.operators.search_agent.tools import Contextualize, NeuroSemanticSearch, SymbolicGraphQuery
from octavo.systems.base import System
from octavo.systems.baselines import RANKED, SCORED

READ: Operator[Evidence, Answer] = SearchFurther(
    DirectReader(), (NeuroSemanticSearch(SCORED), SymbolicGraphQuery(layers=False), Contextualize(layers=False))
)
"""What reads the evidence of any plan, chosen or replayed."""


def _system(name: str, composed: Compose, read: Operator[Evidence, Answer] = READ, *, limit: int = 20) -> System:
    """Return a system; what it leaves out is ranked by its own scores."""
    return System(name, composed, composed >> read, rest=dataclasses.replace(composed, sized=False), limit=limit)


AUTO = _system("auto", Compose(SCORED))
AUTO_ABLATIONS = (
    _system("auto-no-plan", Compose(SCORED, planned=False)),
    _system("auto-by-rule", Compose(SCORED, asks=False)),
    _system("auto-fixed-size", Compose(SCORED, sized=False), limit=10),
    _system("auto-no-unit", Compose(SCORED, completed=False)),
    _system("auto-no-signs", Compose(SCORED, signed=False)),
    _system("auto-no-standing", Compose(SCORED, stands=False)),
    _system("auto-read-once", Compose(SCORED), DirectReader()),
)


def replayed(retrieve: Operator[Query, Evidence]) -> System:
    """Return a system that carries out one plan for any question, and reads as `auto` does."""
    return System("plan", retrieve, retrieve >> READ, rest=RANKED, limit=20)
