"""LAD-RAG as its paper prints it (Sourati et al., 2025, sections 2.1 and 2.2, figures 9 to 12, Table 1).

Pages are read in order by a model that sees, with a running memory; the agent searches the summaries of nodes, queries
the graph, and gets whole communities; what it lists is the evidence, and the reader is shown these nodes and their
pages. Table 1's ablations leave out Contextualize (C), graph queries (G), or both.
"""

from __future__ import annotations

from octavo.operators.search_agent.tools import Tool
from octavo.systems import System
from octavo.systems.baselines import RANKED
from octavo_methods.ladrag.node_tools import NodeCommunity, NodeQuery, SummarySearch
from octavo_methods.ladrag.reader import NodeReader
from octavo_methods.ladrag.retrieve import RetrieveNodes

PAPER = (
    ("parser", "GPT-4o over page pictures"),
    ("embedder", "not named"),
    ("model", "GPT-4o"),
    ("vision", "GPT-4o"),
)
_PAGES = 1000
"""More pages than an agent lists: the paper sets no limit."""


def _system(name: str, *tools: Tool) -> System:
    retrieve = RetrieveNodes((SummarySearch(), *tools))
    return System(name, retrieve, retrieve >> NodeReader(), rest=RANKED, limit=_PAGES, paper=PAPER, looks=True)


LADRAG_PAPER = _system("ladrag-paper", NodeQuery(), NodeCommunity())
LADRAG_PAPER_ABLATIONS = (
    _system("ladrag-paper-no-c", NodeQuery()),
    _system("ladrag-paper-no-g", NodeCommunity()),
    _system("ladrag-paper-no-c-g"),
)
