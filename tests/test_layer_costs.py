"""What the layers of a document of 47 pages cost: few calls, and no more than was said before."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from indexed import FakeEmbedder
from octavo.decisions.engine.judge import Judge
from octavo.decisions.extract_graph import EXTRACT_GRAPH, GraphWindow, WindowBlock
from octavo.document import Document, Kind
from octavo.layers import LAYERS, OPTIONAL_LAYERS, LayerInputs
from octavo.models.gateway import Gateway, MemoryJournal
from octavo.models.language import Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from synthetic import Row, document

PAGES = 47
ASKING = [name for name, layer in OPTIONAL_LAYERS.items() if layer.decisions]
WORDS = re.findall(
    r"\w+", "harbour ferry tide berth crew winter fee pilot island quay storm lamp rope mast engine cargo"
)


def sentence(rng: np.random.Generator, name: str) -> str:
    first, *rest = (WORDS[at] for at in rng.integers(0, len(WORDS), 14))
    return f"The {first} of {name} {' '.join(rest)}."


def report() -> Document:
    """Return a report with a section on every other page, three paragraphs, a table and its caption on each page."""
    rng = np.random.default_rng(7)
    rows: list[Row] = []
    for page in range(1, PAGES + 1):
        if page % 2:
            rows.append((Kind.HEADING, f"{page // 2 + 1} Works of {WORDS[page % len(WORDS)]}s", page, 1))
        for at in range(3):
            name = f"{WORDS[(page + at) % len(WORDS)].title()} Harwick {'Company' if at % 2 else 'Board'}"
            text = " ".join(sentence(rng, name) for _ in range(4))
            rows.append((Kind.PARAGRAPH, f"{text} It is given in Table {page}.", page, 0))
        rows.append((Kind.CAPTION, f"Table {page}: Fees of the year", page, 0))
        rows.append((Kind.TABLE, f"Boat | Length | Fee\nGull | 12 | {340 + page}\nTern | 9 | 280", page, 0))
    return document(rows)


def said(request: Request) -> dict[str, Any]:
    """Say what an obedient model might."""
    text = request.turns[0].text
    numbers = [int(number) for number in re.findall(r"<item id=(\d+)>", text)]
    if request.decision == "summarize":
        items = re.findall(r"<item id=\d+>\n(.*?)\n</item>", text, re.S)
        return {"items": [{"id": at, "summary": item[:250]} for at, item in zip(numbers, items, strict=True)]}
    if request.decision == "summarize_cluster":
        return {"summary": text.removeprefix("<texts>\n- ")[:250]}
    if request.decision == "describe_element":
        return {"sort": "table", "description": "It lists boats with their lengths and fees. " * 4, "text": "Gull Tern"}
    if request.decision == "extract_graph":
        shown = re.findall(r"<(\w+) id=(\d+)>\n(.*?)\n</\w+>", text, re.S)
        assert EXTRACT_GRAPH.rule is not None
        graph = EXTRACT_GRAPH.rule(GraphWindow(tuple(WindowBlock(int(at), kind, said) for kind, at, said in shown)))
        described = [
            one.model_copy(update={"description": "something that its block says in a few words"})
            for one in graph.entities
        ]
        return graph.model_copy(update={"entities": described}).model_dump()
    if request.decision == "interpret_links":
        blocks = re.findall(r"^\[(\d+)\] \(\w+, page \d+\) (.+)$", text, re.M)[-4:]
        pairs = pairwise(blocks)
        return {
            "links": [
                {"source": int(one), "target": int(other), "relation": "explains", "evidence": words[:30]}
                for (one, words), (other, _) in pairs
            ]
        }
    return {"items": [{"id": number, "reason": "another thing", "match": 0} for number in numbers]}


def drawn(_page: int, _box: object, _dpi: float) -> Raster:
    return np.full((1, 1, 3), 255, np.uint8)


def built(source: Document) -> dict[str, tuple[list[tuple[str, int, int]], ScriptedModel, int]]:
    """Build every layer with a model; return of each that asks what was estimated, the model, and its tokens."""
    ruled: dict[str, bytes] = {}
    stored: dict[str, bytes] = {}
    found: dict[str, tuple[list[tuple[str, int, int]], ScriptedModel, int]] = {}
    for name, layer in {**LAYERS, **OPTIONAL_LAYERS}.items():
        model = ScriptedModel(lambda request: json.dumps(said(request)), sees=True)
        judge = Judge({"language": model}, gateway=Gateway(MemoryJournal()))
        inputs = LayerInputs(source, {read: ruled[read] for read in layer.reads}, embedder=FakeEmbedder)
        ruled[name] = layer.build(inputs)
        if layer.estimate is None:
            stored[name] = ruled[name]
            continue
        calls = [*layer.estimate(LayerInputs(source, inputs.stored, judge=judge, embedder=FakeEmbedder))]
        assert model.calls == 0
        reads = {read: stored[read] for read in layer.reads}
        stored[name] = layer.build(LayerInputs(source, reads, judge=judge, embedder=FakeEmbedder, render=drawn))
        found[name] = (calls, model, judge.usage().input_tokens + judge.usage().output_tokens)
    return found


@pytest.fixture(scope="module")
def costs() -> dict[str, tuple[list[tuple[str, int, int]], ScriptedModel, int]]:
    return built(report())


AS_PRINTED = {"cross_page_tree", "text_cross_page_tree"}
"""Layers of a published plan, which sums up each cluster in a call of its own."""


def test_all_layers_of_47_pages_take_at_most_150_calls_but_those_of_published_plans(costs: dict[str, Any]) -> None:
    assert costs.keys() == set(ASKING)
    assert 40 < sum(model.calls for name, (_, model, _) in costs.items() if name not in AS_PRINTED) <= 150
    assert all(costs[name][1].calls <= 150 for name in AS_PRINTED)


@pytest.mark.parametrize("name", ASKING)
def test_each_layer_takes_what_was_estimated(costs: dict[str, Any], name: str) -> None:
    calls, model, taken = costs[name]
    assert len(calls) == pytest.approx(model.calls, rel=0.15)
    # The model counts no pictures, of which the estimate has at least 85 tokens each.
    pictures = 85 * model.calls if name == "descriptions" else 0
    expected = sum(read + written for _, read, written in calls)
    if pictures:
        assert expected >= taken + pictures
    else:
        assert expected == pytest.approx(taken, rel=0.15)
