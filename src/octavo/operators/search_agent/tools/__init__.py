"""The tools of LAD-RAG's retrieval agent (section 2.2), each a frozen value over a view and what was found so far."""

from octavo.operators.search_agent.tools.base import Called, Refused, Tool
from octavo.operators.search_agent.tools.contextualize import Contextualize
from octavo.operators.search_agent.tools.semantic import NeuroSemanticSearch
from octavo.operators.search_agent.tools.symbolic import SymbolicGraphQuery

__all__ = ["Called", "Contextualize", "NeuroSemanticSearch", "Refused", "SymbolicGraphQuery", "Tool"]
