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

_FINDING = (
    "complete_question",
    "plan_question",
    "classify_question",
    "plan_filters",
    "decompose_question",
    "decompose_complex",
    "extract_question_entities",
    "locate_references",
    "locate_on_map",
    "select_sections",
    "route_document",
    "route_subtree",
    "investigate",
    "retrieve_nodes",
    "judge_page_relevance",
    "rate_page",
    "satisfies_topic",
    "analyze_block",
    "review_items",
    "combine_answers",
    "reflect",
    "reflect_on_answer",
)
_OF_QUESTIONS = (
    *_FINDING,
    "answer_at_length",
    "answer_from_evidence",
    "answer_from_passage",
    "answer_from_pictures",
    "answer_unaided",
    "answer_with_reasoning",
    "note_picture",
    "predict_answer_type",
    "answer_string",
    "answer_integer",
    "answer_float",
    "answer_list",
    "choose_pictures",
    "extract_answer_value",
    "judge_answer",
    "judge_claims",
)
_OF_LAYERS = (
    "extract_graph",
    "extract_picture_graph",
    "adjudicate_entities",
    "level_headings",
    "interpret_links",
    "describe_element",
    "extract_nodes",
    "update_sections",
    "connect_page",
    "summarize",
    "map_page",
    "summarize_cluster",
)
FINDING = frozenset(_FINDING)
"""The decisions that make a question whole, by which a system finds evidence, and that put together what was read."""
OF_LAYERS = frozenset(_OF_LAYERS)
"""The decisions that are taken while a document is indexed and its layers are built."""


def _decision(module: ModuleType, name: str) -> AnyDecision:
    """Return the decision of a module, which has the module's name in capitals."""
    return getattr(module, name.upper())


DECISIONS: MutableMapping[str, AnyDecision] = LazyTable(
    {name: f"octavo.decisions.{name}" for name in (*_OF_QUESTIONS, *_OF_LAYERS)}, _decision, "octavo.decisions"
)
"""Decisions by name: the name is that of the module, in capitals that of the object in it."""
