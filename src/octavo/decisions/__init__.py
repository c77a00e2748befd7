"""Every judgement a language or vision model may be asked for: a module each, its prompt in a Markdown file beside it.

A decision has a typed input, a typed output and, where one makes sense, a rule that decides without a model. A new one
is its module, the prompt beside it, and one row here. A module is imported when its decision is looked up.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from types import ModuleType
from typing import Any

from octavo.decisions.engine import Decision, ItemsDecision
from octavo.lazy import LazyTable

AnyDecision = Decision[Any, Any] | ItemsDecision[Any, Any, Any]

_FINDING = (
    "complete_question",
    "plan_question",
    "decompose_question",
    "extract_question_entities",
    "locate_references",
    "select_sections",
    "route_document",
    "investigate",
    "judge_page_relevance",
    "satisfies_topic",
    "combine_answers",
    "reflect",
)
_OF_QUESTIONS = (
    *_FINDING,
    "answer_from_evidence",
    "answer_from_passage",
    "answer_from_pictures",
    "answer_with_reasoning",
    "choose_pictures",
    "extract_answer_value",
    "judge_answer",
)
_OF_LAYERS = (
    "extract_graph",
    "adjudicate_entities",
    "level_headings",
    "interpret_links",
    "describe_element",
    "summarize",
)
FINDING = frozenset(_FINDING)
"""The decisions that make a question whole, by which a system finds evidence, and that put together what was read."""
OF_LAYERS = frozenset(_OF_LAYERS)
"""The decisions that are taken while a document is indexed and its layers are built."""


def _decision(module: ModuleType, name: str) -> AnyDecision:
    """Return the decision of a module, which has the module's name in capitals."""
    return getattr(module, name.upper())


DECISIONS: MutableMapping[str, AnyDecision] = LazyTable(
    {name: f"octavo.decisions.{name}" for name in (*_OF_QUESTIONS, *_OF_LAYERS)}, _decision
)
"""Decisions by name: the name is that of the module, in capitals that of the object in it."""
