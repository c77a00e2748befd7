"""Every decision by its name. A new one is its module, the prompt beside it, and one row here.

A module is imported when its decision is looked up; import a single one from its module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from octavo.decisions.engine.base import Decision, ItemsDecision

AnyDecision = Decision[Any, Any] | ItemsDecision[Any, Any, Any]

_OF_QUESTIONS = (
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
    "answer_from_evidence",
    "answer_from_pictures",
    "answer_with_reasoning",
    "combine_answers",
    "reflect",
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
_NAMES = (*_OF_QUESTIONS, *_OF_LAYERS)
OF_LAYERS = frozenset(_OF_LAYERS)
"""The decisions that are taken while a document is indexed and its layers are built."""


class _Decisions(Mapping[str, AnyDecision]):
    def __getitem__(self, name: str) -> AnyDecision:
        if name not in _NAMES:
            raise KeyError(name)
        return getattr(import_module(f"octavo.decisions.{name}"), name.upper())

    def __contains__(self, name: object) -> bool:
        return name in _NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


DECISIONS: Mapping[str, AnyDecision] = _Decisions()
"""Decisions by name: the name is that of the module, in capitals that of the object in it."""
