"""RDR2 as its paper prints it (Xu et al., 2025): five chunks of 100 words, subtrees, five expansions, one reading.

RETRIEVE is equation 1, the subtree Algorithm 1, ROUTE equations 2 to 5, ROUTED equations 5 and 6, the reader 7. The
ablations are those of Table 2. `rdr2-paper-no-router` is its Retrieve-and-Read, `rdr2-paper-no-expand` its single-turn
routing (iter-0 in Table 9). `RetrieveChunks.count` is the top-k of Table 8, where 0 asks the reader the question alone,
and `RouteSubtrees.iterations` the expand-iter of Table 9.
"""

from __future__ import annotations

from octavo.evidence import Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.keep import RankPages
from octavo.operators.score.search import Search
from octavo.systems import System
from octavo_methods.rdr2.chunks import RetrieveChunks, RetrievedAlone
from octavo_methods.rdr2.reader import ChunkReader, RoutedReader
from octavo_methods.rdr2.subtrees import RoutedContent, RouteSubtrees
from octavo_methods.rdr2.trees import HeadingsOnly, RandomSubtree, RetrievalSubtree

PAPER = (
    ("parser", "pages of Wikipedia"),
    ("embedder", "Contriever-MS MARCO"),
    ("model", "Llama-3.1-8B-Instruct, fine-tuned to route; several readers"),
)
_UNLIMITED = 1000
"""Pages: the paper's plan has no limit of its own."""
_REST = Search("dense") >> RankPages("dense")
RETRIEVE: Operator[Query, Evidence] = RetrieveChunks()
SUBTREE: Operator[Query, Evidence] = RETRIEVE >> RetrievalSubtree(tokens=None)


def routed(name: str, route: Operator[Query, Evidence]) -> System:
    """Return the system that reads what a route ends with."""
    found = route >> RoutedContent()
    return System(name, found, found >> RoutedReader(), rest=_REST, limit=_UNLIMITED, paper=PAPER)


_ALONE = RETRIEVE >> RetrievedAlone()
RDR2_PAPER = routed("rdr2-paper", SUBTREE >> RouteSubtrees())
RDR2_PAPER_ABLATIONS = (
    System("rdr2-paper-no-router", _ALONE, _ALONE >> ChunkReader(), rest=_REST, limit=_UNLIMITED, paper=PAPER),
    routed("rdr2-paper-no-structure", RETRIEVE >> RouteSubtrees()),
    routed("rdr2-paper-no-similarity", RETRIEVE >> RandomSubtree(tokens=None) >> RouteSubtrees()),
    routed("rdr2-paper-no-content", RETRIEVE >> HeadingsOnly() >> RouteSubtrees()),
    routed("rdr2-paper-no-expand", SUBTREE >> RouteSubtrees(iterations=0)),
    routed("rdr2-paper-no-refuse", SUBTREE >> RouteSubtrees(refuses=False)),
)
