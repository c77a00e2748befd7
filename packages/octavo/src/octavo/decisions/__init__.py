"""Every judgement a language or vision model may be asked for: a module each, its prompt in a Markdown file beside it.

A decision has a typed input, a typed output and, where one makes sense, a rule that decides without a model. A new one
is its module, the prompt beside it, and one row here. A module is imported when its decision is looked up.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from types import ModuleType
from typing import Any

from octavo.decisions.engine import Decision, ItemsDecision
from octavo_documents.lazy import LazyTable

AnyDecision = Decision[Any, Any] | ItemsDecision[Any, Any, Any]

_NAMES = (
    "adjudicate_entities",
    "answer_from_evidence",
    "answer_from_passage",
    "answer_from_pictures",
    "choose_pictures",
    "combine_answers",
    "complete_question",
    "connect_page",
    "describe_document",
    "describe_element",
    "extract_graph",
    "extract_nodes",
    "extract_picture_graph",
    "interpret_links",
    "investigate",
    "judge_page_relevance",
    "level_headings",
    "query_table",
    "select_sections",
    "summarize",
    "update_sections",
)


def _decision(module: ModuleType, name: str) -> AnyDecision:
    """Return the decision of a module, which has the module's name in capitals."""
    return getattr(module, name.upper())


DECISIONS: MutableMapping[str, AnyDecision] = LazyTable(
    {name: f"octavo.decisions.{name}" for name in _NAMES}, _decision, "octavo.decisions"
)
"""Decisions by name: the name is that of the module, in capitals that of the object in it."""
