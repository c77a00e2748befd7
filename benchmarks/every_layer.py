"""What the benchmarks of layers share: a system that needs every layer, and a model that copies its replies.

Owns the two and how layers' names are found. Knows nothing about what is measured.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from itertools import pairwise

from octavo.evidence import Evidence, Query
from octavo.layers import LAYERS, OPTIONAL_LAYERS
from octavo.models.language import Request
from octavo.operators.core import Run, Step
from octavo.operators.read.direct_reader import DirectReader
from octavo.systems import SYSTEMS, System

EVERY_LAYER = "every_layer"
"""The name of the system that needs them all."""
_ITEM = re.compile(r"<item id=(\d+)>\n(.*?)\n</item>", re.DOTALL)
_BLOCK = re.compile(r"<(text|table|figure) id=(\d+)>\n(.*?)\n</\1>", re.DOTALL)
_PLACED = re.compile(r"^\[(\d+)\] \((\w+), page \d+\) (.*)$", re.MULTILINE)
_NODE = re.compile(r"^\[(p\d+-\d+)\] (.*)$", re.MULTILINE)
_NAME = re.compile(r"\b[A-Z][\w-]+(?: [A-Z][\w-]+)*")
_SENTENCE = re.compile(r".{20,300}?[.!?](?=\s|$)", re.DOTALL)
_OUTLINE = re.compile(r"^\d[\d.]*: .* <-> .*$", re.MULTILINE)
_ELEMENT = re.compile(r"^\[(\d+)\] \(\w+\) (.*)$", re.MULTILINE)
_MOST_NAMES = 8
"""Entities that are copied from one block."""


@dataclasses.dataclass(frozen=True)
class NeedEverything(Step[Query, Evidence]):
    """Finds nothing, and needs every layer for it."""

    def needs(self) -> frozenset[str]:
        return frozenset({*LAYERS, *OPTIONAL_LAYERS})

    def apply(self, value: Query, using: Run) -> Evidence:
        return Evidence.of(using.view, [], source=EVERY_LAYER, relevance=[])


def register() -> None:
    """Put the system that needs every layer into the table of systems, for this process."""
    SYSTEMS[EVERY_LAYER] = System(EVERY_LAYER, NeedEverything(), NeedEverything() >> DirectReader())


def copied(request: Request) -> str:
    """Return a valid reply to a decision of a layer, of words of the request; equal requests have equal replies."""
    return json.dumps(_REPLIES[request.decision](request.turns[0].text))


def _summaries(text: str) -> object:
    items = [(int(number), " ".join(said.split("\n", 1)[-1].split())) for number, said in _ITEM.findall(text)]
    return {"items": [{"id": number, "summary": _first_sentence(said)} for number, said in items]}


def _first_sentence(text: str) -> str:
    found = _SENTENCE.search(text)
    return found.group().strip() if found else text[:300] or "empty"


def _graph(text: str) -> object:
    homes: dict[str, int] = {}
    for _, number, said in _BLOCK.findall(text):
        for name in list(dict.fromkeys(_NAME.findall(said)))[:_MOST_NAMES]:
            homes.setdefault(name, int(number))
    names = list(homes)
    return {
        "entities": [{"block": block, "name": name, "type": "name"} for name, block in homes.items()],
        "relations": [
            {"source": first, "target": second, "type": "is named with", "weight": 0.5}
            for first, second in pairwise(names)
            if homes[first] == homes[second]
        ],
    }


def _picture_graph(text: str) -> object:
    names = list(dict.fromkeys(_NAME.findall(text)))[:_MOST_NAMES]
    return {"entities": [{"name": name, "type": "name"} for name in names], "relations": []}


def _links(text: str) -> object:
    """Say that the paragraph before the first table or chart of a window explains it."""
    placed = [(int(number), kind, said) for number, kind, said in _PLACED.findall(text.split("<blocks>")[-1])]
    for before, element in pairwise(placed):
        if before[1] == "paragraph" and element[1] in ("table", "chart", "figure"):
            evidence = " ".join(before[2].split()[:6])
            link = {"source": before[0], "target": element[0], "relation": "explains", "evidence": evidence}
            return {"links": [link]}
    return {"links": []}


def _description(text: str) -> object:
    return {"sort": "other", "description": _first_sentence(" ".join(text.split())), "text": ""}


def _mapped(text: str) -> object:
    """Say the outline over again, and the first sentence of the page and of each element on it."""
    page = text.rpartition("<page number")[2].partition(">")[2]
    elements = [{"id": int(number), "summary": _first_sentence(said)} for number, said in _ELEMENT.findall(page)]
    return {"outline": _OUTLINE.findall(text), "summary": _first_sentence(page), "elements": elements}


def _matches(text: str) -> object:
    return {"items": [{"id": int(number), "reason": "not sure", "match": 0} for number, _ in _ITEM.findall(text)]}


def _page_nodes(text: str) -> object:
    """Say of a page, whose picture is not looked at, that it has a heading and a paragraph."""
    page = " ".join(text.split()[-5:-1])
    kinds = ("heading", "paragraph")
    return {
        "nodes": [{"kind": kind, "content": f"{kind} of {page}", "summary": f"What {page} says."} for kind in kinds]
    }


def _open_sections(text: str) -> object:
    return {"sections": [number for number, _ in _NODE.findall(text)][-1:]}


def _page_links(text: str) -> object:
    ids = [number for number, _ in _NODE.findall(text.split("<page number")[-1])]
    return {"relations": [{"source": one, "target": ids[0], "type": "is_part_of_section"} for one in ids[1:]]}


_REPLIES: dict[str, Callable[[str], object]] = {
    "summarize": _summaries,
    "summarize_cluster": lambda text: {"summary": _first_sentence(" ".join(text.split()))},
    "extract_graph": _graph,
    "extract_picture_graph": _picture_graph,
    "interpret_links": _links,
    "describe_element": _description,
    "adjudicate_entities": _matches,
    "map_page": _mapped,
    "extract_nodes": _page_nodes,
    "update_sections": _open_sections,
    "connect_page": _page_links,
    "describe_document": lambda text: {"title": _first_sentence(" ".join(text.split()))},
}

__all__ = ["EVERY_LAYER", "copied", "register"]
