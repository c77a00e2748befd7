"""Entities by the capital letters of a window alone; relations between those that follow each other in a sentence.

A layer that has seen the whole document does better, and gives its own rule. Knows nothing about documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from octavo.decisions.extract_graph.graph import ExtractedEntity, ExtractedGraph, ExtractedRelation
from octavo.decisions.extract_question_entities import rule as names_rule
from octavo.models.sentences import sentence_spans


def extract(blocks: Sequence[tuple[int, str]]) -> ExtractedGraph:
    """Return the capitalised names and acronyms of blocks (number, text)."""
    entities: dict[str, ExtractedEntity] = {}
    relations: dict[tuple[str, str], ExtractedRelation] = {}
    for block, text in blocks:
        for start, stop in sentence_spans(text):
            names = list(dict.fromkeys([*names_rule.names(text[start:stop]), *names_rule.acronyms(text[start:stop])]))
            for name in names:
                entities.setdefault(name, ExtractedEntity(block=block, name=name, type="name"))
            for left, right in pairwise(names):
                relations.setdefault((left, right), ExtractedRelation(source=left, target=right))
    return ExtractedGraph(entities=list(entities.values()), relations=list(relations.values()))
