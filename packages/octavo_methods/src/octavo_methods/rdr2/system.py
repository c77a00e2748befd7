"""RDR2: retrieve, route through the structure of each document, read (Xu et al., 2025).

RETRIEVE is equation 1, in the place of whose retriever stand the scores that `hybrid` ranks. The subtree is Algorithm
1; ROUTE goes through equations 2 to 4, PASSAGES is 5 and 6, the reader 7. The ablations are those of Table 2.
"""

from __future__ import annotations

import dataclasses

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.read.direct_reader import DirectReader, OverPictures
from octavo.systems import System
from octavo.systems.baselines import RANKED, SCORED
from octavo_methods.rdr2 import ABOUT
from octavo_methods.rdr2.chunks import RetrievedAlone
from octavo_methods.rdr2.routing import LowerConfidence, Route, RoutedPassages
from octavo_methods.rdr2.trees import HeadingsOnly, RandomSubtree, RetrievalSubtree, RetrievePassages

RETRIEVE: Operator[Query, Evidence] = SCORED >> RetrievePassages("fused", 5)
SUBTREE: Operator[Query, Evidence] = RETRIEVE >> RetrievalSubtree()
PASSAGES: Operator[Evidence, Evidence] = RoutedPassages()
READ: Operator[Evidence, Answer] = DirectReader() >> LowerConfidence()


_ALONE: Operator[Query, Evidence] = RETRIEVE >> RetrievedAlone()


def routed(name: str, retrieve: Operator[Query, Evidence]) -> System:
    """Return the system that reads the passages a retrieval ends with.

    A router reads words: where a model that sees goes over all figures or pages, nothing is routed for it.
    """
    answer = OverPictures(_ALONE >> READ, retrieve >> PASSAGES >> READ, figures=True)
    return System(name, retrieve >> PASSAGES, answer, rest=RANKED)


RDR2 = dataclasses.replace(routed("rdr2", SUBTREE >> Route()), about=ABOUT)
RDR2_ABLATIONS = (
    System("rdr2-no-router", _ALONE, _ALONE >> READ, rest=RANKED),
    routed("rdr2-no-structure", RETRIEVE >> Route()),
    routed("rdr2-no-similarity", RETRIEVE >> RandomSubtree() >> Route()),
    routed("rdr2-no-content", RETRIEVE >> HeadingsOnly() >> Route()),
    routed("rdr2-no-expand", SUBTREE >> Route(iterations=0)),
    routed("rdr2-no-refuse", SUBTREE >> Route(refuses=False)),
)
