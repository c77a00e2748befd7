"""Every decision by its name: what tests, benchmarks and reports go over.

Adding a decision is its folder and one line here. Importing this imports them all: ask for a single one by its folder.
"""

from __future__ import annotations

from typing import Any

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES
from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES
from octavo.decisions.answer_with_reasoning import ANSWER_WITH_REASONING
from octavo.decisions.base import Decision, ItemsDecision
from octavo.decisions.classify_question import CLASSIFY_QUESTION
from octavo.decisions.combine_answers import COMBINE_ANSWERS
from octavo.decisions.decompose_question import DECOMPOSE_QUESTION
from octavo.decisions.describe_element import DESCRIBE_ELEMENT
from octavo.decisions.extract_answer_value import EXTRACT_ANSWER_VALUE
from octavo.decisions.extract_graph import EXTRACT_GRAPH
from octavo.decisions.extract_question_entities import EXTRACT_QUESTION_ENTITIES
from octavo.decisions.interpret_links import INTERPRET_LINKS
from octavo.decisions.investigate import INVESTIGATE
from octavo.decisions.judge_answer import JUDGE_ANSWER
from octavo.decisions.judge_page_relevance import JUDGE_PAGE_RELEVANCE
from octavo.decisions.level_headings import LEVEL_HEADINGS
from octavo.decisions.locate_references import LOCATE_REFERENCES
from octavo.decisions.plan_question import PLAN_QUESTION
from octavo.decisions.predict_answer_format import PREDICT_ANSWER_FORMAT
from octavo.decisions.reflect import REFLECT
from octavo.decisions.route_document import ROUTE_DOCUMENT
from octavo.decisions.satisfies_topic import SATISFIES_TOPIC
from octavo.decisions.select_sections import SELECT_SECTIONS
from octavo.decisions.summarize import SUMMARIZE

AnyDecision = Decision[Any, Any] | ItemsDecision[Any, Any, Any]

_OF_QUESTIONS: tuple[AnyDecision, ...] = (
    CLASSIFY_QUESTION,
    PLAN_QUESTION,
    DECOMPOSE_QUESTION,
    EXTRACT_QUESTION_ENTITIES,
    LOCATE_REFERENCES,
    PREDICT_ANSWER_FORMAT,
    SELECT_SECTIONS,
    ROUTE_DOCUMENT,
    INVESTIGATE,
    JUDGE_PAGE_RELEVANCE,
    SATISFIES_TOPIC,
    ANSWER_FROM_EVIDENCE,
    ANSWER_FROM_PICTURES,
    ANSWER_WITH_REASONING,
    COMBINE_ANSWERS,
    REFLECT,
    EXTRACT_ANSWER_VALUE,
    JUDGE_ANSWER,
)
_OF_LAYERS: tuple[AnyDecision, ...] = (
    EXTRACT_GRAPH,
    ADJUDICATE_ENTITIES,
    LEVEL_HEADINGS,
    INTERPRET_LINKS,
    DESCRIBE_ELEMENT,
    SUMMARIZE,
)
DECISIONS: dict[str, AnyDecision] = {decision.name: decision for decision in (*_OF_QUESTIONS, *_OF_LAYERS)}
"""Decisions by name; the name is that of the folder."""
OF_LAYERS = frozenset(decision.name for decision in _OF_LAYERS)
"""The decisions that are taken while a document is indexed and its layers are built."""
