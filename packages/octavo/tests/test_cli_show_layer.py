"""`octavo show --entities` and its like: layers as tables, JSON, DOT and GraphML."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import pytest

import pdfs
from cli_corpus import octavo
from octavo.cli import terminal
from octavo.cli.show.document import Edge, LayerGraph, OutlineNode, dot, graphml, pages_of, show_rows
from octavo.layers.rows import LinkRow

LAYERS = ("entities", "links", "summaries", "clusters", "communities")
GRAPHS = ("entities", "links", "clusters", "communities")
TEXT = "The Northern Ferry Company of Harwick runs the Grey Heron. Its fees are told in Table {}. "


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("layers")
    pages = [pdfs.say(f"{page} Ferries and fees", *(TEXT.format(page) for _ in range(3))) for page in range(1, 9)]
    pdfs.write(folder / "tide.pdf", *pages)
    return folder


def show(folder: Path, *arguments: str) -> str:
    done = octavo("show", str(folder / "tide.pdf"), "--corpus", str(folder / "corpus"), *arguments)
    assert done.status == 0, done.err
    return done.out


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_is_built_on_the_way_and_told_in_few_lines(corpus: Path, layer: str) -> None:
    lines = show(corpus, f"--{layer}", "--limit", "2").splitlines()
    assert re.match(r"\d[\d,]* (entit|link|summar|cluster|communit)", lines[0])
    assert len(lines) <= 6


@pytest.mark.parametrize("layer", LAYERS)
def test_json_has_every_row_and_who_decided(corpus: Path, layer: str) -> None:
    whole = json.loads(show(corpus, f"--{layer}", "--json"))
    assert whole["document"] == "tide.pdf"
    assert set(whole["layers"].values()) == {"rule"}
    few = json.loads(show(corpus, f"--{layer}", "--json", "--limit", "1"))
    assert few[layer] == whole[layer][:1]
    on_page = json.loads(show(corpus, f"--{layer}", "--json", "--page", "2"))[layer]
    assert on_page == [row for row in whole[layer] if 2 in row["pages"]]


def test_entities_are_told_the_most_mentioned_first_with_their_pages(corpus: Path) -> None:
    rows = json.loads(show(corpus, "--entities", "--json"))["entities"]
    assert [row["mentions"] for row in rows] == sorted((row["mentions"] for row in rows), reverse=True)
    heron = next(row for row in rows if row["name"] == "Grey Heron")
    assert heron["pages"] == list(range(1, 9))


def test_the_table_of_links_leaves_out_what_the_order_of_blocks_says(corpus: Path) -> None:
    out = show(corpus, "--links", "--limit", "0")
    assert re.fullmatch(r"0 links\n[1-9]\d* more only say what follows or holds what; --json has them", out.strip())


def test_the_total_of_links_is_of_those_that_can_be_shown() -> None:
    def link(kind: str) -> LinkRow:
        return LinkRow("b1", "b2", kind, "see Table 3", "rule", 1.0, (1, 2), "source", "target")

    rows = [*[link("refers_to")] * 9, *[link("caption_of")] * 2, *[link("next")] * 629]
    out = io.StringIO()
    show_rows(terminal.console(out), "links", rows, 6)
    lines = out.getvalue().splitlines()
    assert lines[0] == "11 links: 9 refers to, 2 caption of"
    assert lines[-2:] == [
        "6 of 11 are shown; --limit 0 shows all",
        "629 more only say what follows or holds what; --json has them",
    ]
    assert len(lines) == 1 + 1 + 6 + 2


@pytest.mark.parametrize("layer", GRAPHS)
def test_graphs_are_read_by_other_programs(corpus: Path, layer: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.graphml"
    path.write_text(show(corpus, f"--{layer}", "--graphml"), encoding="utf-8")
    graph = nx.read_graphml(path)
    lines = show(corpus, f"--{layer}", "--dot").splitlines()
    assert lines[0] == f"digraph {layer} {{"
    assert graph.number_of_nodes() == sum(" [label=" in line and "->" not in line for line in lines) > 0
    assert graph.number_of_edges() <= sum("->" in line for line in lines)


def test_text_of_documents_breaks_out_of_no_graph() -> None:
    hostile = 'a"];\nb -> c; <script>&amp;</data> \x00 \\'
    graph = LayerGraph("links", [OutlineNode("b0", hostile, hostile, 1)], [Edge("b0", "b0", hostile, 0.5)])
    whole = ElementTree.fromstring("\n".join(graphml(graph)))
    assert len([*whole.iter("{http://graphml.graphdrawing.org/xmlns}node")]) == 1
    assert [*whole.iter("{http://graphml.graphdrawing.org/xmlns}script")] == []
    lines = [*dot(graph)]
    assert len(lines) == 5
    assert all(re.fullmatch(r'[^"]*("(\\.|[^"\\])*"[^"]*)*', line) for line in lines)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--entities", "--links"), "--entities and --links: one layer is shown at a time"),
        (("--json",), "--json goes with --entities"),
        (("--entities", "--json", "--dot"), "--json and --dot: choose one form"),
        (("--summaries", "--dot"), "--summaries are no graph"),
        (("--entities", "--dot", "--limit", "3"), "a graph is written whole"),
        (("--entities", "--limit", "few"), "--limit is a whole number"),
        (("--entities", "--layout"), "--layout, --out and --dpi are about pages"),
        (("--entities", "--page", "9"), "--page 9: tide.pdf has pages 1 to 8"),
    ],
)
def test_what_makes_no_sense_is_said(corpus: Path, arguments: tuple[str, ...], told: str) -> None:
    done = octavo("show", str(corpus / "tide.pdf"), "--corpus", str(corpus / "corpus"), *arguments)
    assert done.status == 2
    assert done.err.startswith(f"octavo: {told}")
    assert done.err.count("\n") == 1


def test_an_outline_tells_the_layers_that_are_there(corpus: Path) -> None:
    show(corpus, "--summaries", "--limit", "1")
    arguments = ("outline", str(corpus / "tide.pdf"), "--corpus", str(corpus / "corpus"), "--layers")
    lines = octavo(*arguments).out.splitlines()
    assert any(re.match(r"summaries +rule +[\d,]+ summaries", line) for line in lines)
    layers = json.loads(octavo(*arguments, "--json").out)["layers"]
    assert {"layer": "passages", "by": "rule"}.items() <= layers[0].items()
    assert next(one for one in layers if one["layer"] == "summaries")["rows"] == 8


def test_pages_are_told_as_runs() -> None:
    assert pages_of([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"
    assert pages_of([1, 3, 5, 7, 8, 9], most=2) == "1, 3 and 4 more"
