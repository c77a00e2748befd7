"""Documents whose pages were read by a scripted model that sees, and views over them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from indexed import FakeEmbedder
from memory_layers import MemoryLayers
from octavo.decisions.engine.judge import Judge
from octavo.evidence import View
from octavo.layers import OPTIONAL_LAYERS, LayerInputs
from octavo.models.gateway import Budget, Gateway, Limits, MemoryJournal
from octavo.models.language import ModelFault, Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Document

Page = Sequence[Mapping[str, Any]]
"""The nodes that a model sees on a page."""
BUILD = OPTIONAL_LAYERS["document_graph"].build


def node(kind: str, content: str, summary: str = "", **more: str) -> dict[str, str]:
    return {"kind": kind, "content": content, "summary": summary or content, **more}


class Seeing:
    """Sees the given nodes on each page, opens every heading, and relates as it is told; faults come as they are set.

    `related` has by page the relations that are told of it, by ids; `memory` the entities. A page in `faults` brings
    that fault when it is connected.
    """

    def __init__(
        self,
        pages: Sequence[Page],
        related: Mapping[int, Sequence[tuple[str, str, str]]] | None = None,
        entities: Mapping[int, Sequence[tuple[str, Sequence[str]]]] | None = None,
    ) -> None:
        self.pages, self.related, self.entities = pages, related or {}, entities or {}
        self.faults: dict[int, ModelFault | str] = {}
        self.model = ScriptedModel(self.reply, sees=True)
        self.drawn: list[tuple[int, float]] = []

    def reply(self, request: Request) -> str | ModelFault:
        text = request.turns[0].text
        if request.decision == "extract_nodes":
            (page,) = re.findall(r"^page (\d+) of", text, re.M)
            return json.dumps({"nodes": list(self.pages[int(page) - 1])})
        if request.decision == "update_sections":
            found = text.split("<headings_of_this_page>")[1]
            return json.dumps({"sections": re.findall(r"^\[(p\d+-\d+)\]", found, re.M)[-1:]})
        page = int(re.findall(r'<page number="(\d+)">', text)[0])
        if page in self.faults:
            return self.faults[page]
        relations = [{"source": one, "target": other, "type": said} for one, other, said in self.related.get(page, ())]
        entities = [{"text": name, "ids": list(ids)} for name, ids in self.entities.get(page, ())]
        return json.dumps({"relations": relations, "entities": entities, "topics": [], "unresolved": []})

    def render(self, page: int, _box: object, dpi: float) -> Raster:
        self.drawn.append((page, dpi))
        return np.full((2, 2, 3), 10 * page, np.uint8)

    def judge(self, gateway: Gateway | None = None, budget: Budget | None = None) -> Judge:
        return Judge({"language": self.model}, gateway=gateway or quick(), budget=budget, workers=1)

    def inputs(self, source: Document, judge: Judge | None = None) -> LayerInputs:
        return LayerInputs(source, judge=judge or self.judge(), render=self.render, embedder=FakeEmbedder)

    def view(self, source: Document) -> View:
        """Return the document with the graph that this model sees, all other layers by rule."""
        layers = MemoryLayers([source], FakeEmbedder)
        layers._built[source.id, "document_graph"] = BUILD(self.inputs(source))
        return View([source], layers)


def quick(journal: MemoryJournal | None = None) -> Gateway:
    return Gateway(journal or MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
