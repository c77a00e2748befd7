"""What the layers of a document of 47 pages cost: few calls, and no more than was said before."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from indexed import FakeEmbedder
from octavo.corpus.index.builders import Builders
from octavo.decisions.engine.judge import Judge
from octavo.decisions.extract_graph import EXTRACT_GRAPH, GraphWindow, WindowBlock
from octavo.layers import LAYERS, OPTIONAL_LAYERS, LayerInputs
from octavo.models.gateway import Gateway, MemoryJournal
from octavo.models.language import Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Document, Kind
from synthetic import Row, document

PAGES = 47
PAGE_BY_PAGE = ("document_map", "document_graph")
"""The layers whose calls show pictures."""
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
    if request.decision == "extract_picture_graph":
        names = [
            {"name": name, "type": "product", "description": "a boat and what is said of it"} for name in WORDS[:8]
        ]
        return {"entities": names, "relations": []}
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
    if request.decision == "map_page":
        number = re.findall(r'<page number="(\d+)">', text)[0]
        outline = [f"{line}, {number}" for line in re.findall(r"^\d+: .* <-> .*$", text, re.M)[-1:]]
        outline = re.findall(r"^\d+: .* <-> .*$", text, re.M)[:-1] + outline
        page = text.rpartition("<page number")[2]
        titles = re.findall(r"^\(heading\) (.*)$", page, re.M)
        outline += [f"{len(outline) + 1}: {title} <-> {number}" for title in titles]
        elements = [
            {"id": int(at), "summary": words[:200]} for at, words in re.findall(r"^\[(\d+)\] (.*)$", page, re.M)
        ]
        return {"outline": outline, "summary": page.splitlines()[2][:250], "elements": elements}
    if request.decision in PAGE_STEPS:
        return of_page(request.decision, text)
    return {"items": [{"id": number, "reason": "another thing", "match": 0} for number in numbers]}


PAGE_STEPS = ("extract_nodes", "update_sections", "connect_page")


def of_page(decision: str, text: str) -> dict[str, Any]:
    """Say what an obedient model might of a page: a heading on every other one, a paragraph and a table."""
    if decision == "extract_nodes":
        (page,) = (int(number) for number in re.findall(r"^page (\d+) of", text, re.M))
        head = [{"kind": "heading", "content": f"{page // 2 + 1} Works", "summary": "Works."}] * (page % 2)
        rest = ("paragraph", "table")
        return {"nodes": head + [{"kind": kind, "content": f"The {kind} of {page}", "summary": "S."} for kind in rest]}
    ids = re.findall(r"^\[(p\d+-\d+)\]", text, re.M)
    if decision == "update_sections":
        return {"sections": ids[-1:]}
    own = re.findall(r"^\[(p\d+-\d+)\] \(", text, re.M)
    pairs = pairwise(own)
    return {
        "relations": [{"source": one, "target": other, "type": "explains"} for one, other in pairs],
        "entities": [{"text": "Works", "ids": own[:1]}],
        "topics": ["works"],
        "unresolved": [],
    }


def drawn(_page: int, _box: object, _dpi: float) -> Raster:
    return np.full((1, 1, 3), 255, np.uint8)


def built(source: Document) -> dict[str, tuple[list[tuple[str, int, int]], ScriptedModel, int]]:
    """Build every layer with a model; return of each that asks what was estimated, the model, and its tokens."""
    ruled: dict[str, bytes] = {}
    stored: dict[str, bytes] = {}
    found: dict[str, tuple[list[tuple[str, int, int]], ScriptedModel, int]] = {}
    for name, layer in {**LAYERS, **Builders.default().in_build_order([*OPTIONAL_LAYERS])}.items():
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


AS_PRINTED = ("cross_page_tree", "text_cross_page_tree")
"""Layers of a published plan, which sums up each cluster in a call of its own."""


@pytest.mark.needs("octavo_methods")
def test_all_layers_of_47_pages_take_at_most_200_calls(costs: dict[str, Any]) -> None:
    assert costs.keys() == set(ASKING)
    # The graphs of one document are of one extraction, whose replies the journal has after the first.
    apart = (*PAGE_BY_PAGE, *AS_PRINTED, "bookindex", "basic_entities")
    assert 40 < sum(model.calls for name, (_, model, _) in costs.items() if name not in apart) <= 200
    assert all(costs[name][1].calls <= 150 for name in AS_PRINTED)


@pytest.mark.needs("octavo_methods")
def test_the_document_map_takes_a_call_for_each_page(costs: dict[str, Any]) -> None:
    assert costs["document_map"][1].calls == PAGES


def test_a_page_that_is_looked_at_takes_two_calls_and_one_more_where_it_has_headings(costs: dict[str, Any]) -> None:
    _, model, _ = costs["document_graph"]
    asked = Counter(request.decision for request in model.requests)
    assert asked == {"extract_nodes": PAGES, "update_sections": -(-PAGES // 2), "connect_page": PAGES}
    assert all(bool(one.turns[0].pictures) == (one.decision != "update_sections") for one in model.requests)


@pytest.mark.parametrize("name", ASKING)
def test_each_layer_takes_what_was_estimated(costs: dict[str, Any], name: str) -> None:
    calls, model, taken = costs[name]
    assert len(calls) == pytest.approx(model.calls, rel=0.15)
    # The model counts no pictures, of which the estimate has at least 85 tokens each.
    looked = sum(len(request.turns[0].pictures) for request in model.requests)
    pictures = 85 * looked
    expected = sum(read + written for _, read, written in calls)
    if pictures:
        assert expected >= taken + pictures
    else:
        assert expected == pytest.approx(taken, rel=0.15)
