"""Symbolic queries over the document graph (LAD-RAG section 2.2): closed, typed, bounded in time, never code."""

from octavo.operators.search_agent.symbolic.execute import Found, execute
from octavo.operators.search_agent.symbolic.query import InvalidQuery, Style, SymbolicQuery, parse

__all__ = ["Found", "InvalidQuery", "Style", "SymbolicQuery", "execute", "parse"]
