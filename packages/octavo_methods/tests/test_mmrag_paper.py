"""MMRAG-DocQA as its paper prints it: each equation, each number, the rows of its tables, its examples, its faults."""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from indexed import FakeEmbedder
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Answer, AnswerFormat, Outcome, Query, SummaryTable, View
from octavo.evidence.layer_tables import Topology, summary_table, topology_table
from octavo.evidence.view import vectors_of_bytes
from octavo.layers import LAYERS, OPTIONAL_LAYERS, LayerInputs
from octavo.models.bert import count_tokens, token_spans
from octavo.models.gateway import Budget, Caps, Gateway, Journal, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Place, Run
from octavo.operators.keep import RELEVANCE
from octavo.systems import BLIND, get, run_ask, run_search
from octavo_documents.document import Document, Kind, LinkKind, LinkTable, TextColumn
from octavo_documents.document.grid import Cell, Grid
from octavo_methods.mmrag.layers.page_texts import windows
from octavo_methods.mmrag.pages import JUDGED, SIMILARITY, ParentPages
from octavo_methods.mmrag.rate_pages import RatePages
from octavo_methods.mmrag.table_rows import rows_to_read
from octavo_methods.mmrag.two_level_index import CHUNK, SearchChunks, SearchSummaries, nearest_summaries, page_text
from octavo_methods.mmrag.typed_reader import TypedReader
from synthetic import Row, document, with_tables

Script = Callable[[Request], str]


class Shelf:
    """Layers built in memory when they are asked for, by rule or with a judge."""

    def __init__(self, source: Document, judge: Judge | None = None) -> None:
        self._source, self._judge = source, judge or Judge()
        self.built: dict[str, bytes] = {}

    def load(self, document_id: str, layer: str) -> bytes:
        if layer not in self.built:
            builder = LAYERS.get(layer) or OPTIONAL_LAYERS[layer]
            reads = {name: self.load(document_id, name) for name in builder.reads}
            self.built[layer] = builder.build(
                LayerInputs(self._source, reads, judge=self._judge, embedder=FakeEmbedder, render=drawn)
            )
        return self.built[layer]


def drawn(_page: int, _box: object, _dpi: float) -> Raster:
    return np.full((4, 4, 3), 255, np.uint8)


def captioned(rows: Sequence[Row], captions: Mapping[int, int], **more: Any) -> Document:
    """Return a document whose captions, by row, are those of the elements in other rows."""
    size = len(captions)
    links = LinkTable(
        source=np.array(list(captions), np.int32),
        target=np.array(list(captions.values()), np.int32),
        kind=np.full(size, LinkKind.CAPTION_OF, np.uint8),
        weight=np.ones(size, np.float32),
        text=TextColumn.of([""] * size),
        origin=np.zeros(size, np.uint8),
    )
    return dataclasses.replace(document(rows, **more), links=links)


def said(request: Request) -> str:
    """Return what a request says beside its instructions."""
    return request.turns[0].text


def tag(request: Request, name: str) -> list[str]:
    """Return what stands in the places of a name."""
    return re.findall(rf"<{name}[^>]*>\n(.*?)\n</{name}>", said(request), re.DOTALL)


class Rating:
    """Rates pages as `pN` says, others 0; it knows them by what they say, in the view of the run that asks."""

    def __init__(self, **relevance: float) -> None:
        self._relevance = relevance
        self.view = View([document([])])

    def __call__(self, request: Request) -> str:
        _, _, shown = tag(request, "page")[0].partition("\n")
        said_by = {
            page_text(self.view, page, descriptions=one): self.view.locate_page(page)[1]
            for page in reversed(range(int(self.view.page_starts[-1])))
            for one in (True, False)
        }
        page = said_by[shown]
        return json.dumps({"reasoning": f"It is page {page}.", "relevance": self._relevance.get(f"p{page}", 0.0)})


def place_shown(request: Request) -> tuple[int, int]:
    """Return the page and the row of the element in the one picture of a request, as `painted` painted it."""
    (picture,) = request.turns[0].pictures
    page, row, _ = np.asarray(Image.open(io.BytesIO(picture.data)))[0, 0].tolist()
    return page, row


def painted(_document: str, places: Sequence[Place]) -> list[Raster | None]:
    """Return pictures in a colour of their own: page and row of the element, as boxes of synthetic documents stand.

    What stands highest in a picture is the element: its caption is under it.
    """
    rows = [round((one.box[1] - 72) / 12) for one in places if one.box]
    return [np.full((4, 4, 3), (one.page, row, 0), np.uint8) for one, row in zip(places, rows, strict=True)]


def final(answer: object, pages: Sequence[int] = (1,)) -> str:
    return json.dumps(
        {
            "step_by_step_analysis": ["1. ...", "2. ..."],
            "reasoning_summary": "As the pages say.",
            "relevant_pages": list(pages),
            "final_answer": answer,
        }
    )


DEFAULTS: dict[str, Script] = {
    "rate_page": Rating(),
    "note_picture": lambda _: '{"evidence": ""}',
    "predict_answer_type": lambda _: '{"type": "string"}',
    "answer_string": lambda _: final("Not answerable", ()),
    "describe_element": lambda _: '{"sort": "chart", "description": "Bars of equal height.", "text": "alpha"}',
    "summarize_cluster": lambda request: json.dumps({"summary": f"Together: {said(request)[9:160]}"}),
}


def asking(
    source: Document, question: str, *, sees: bool = True, caps: Caps | None = None, limit: int = 10, **scripts: Script
) -> tuple[Run, ScriptedModel]:
    """Return a run whose model answers each decision as scripted; layers are built by rule."""
    said_by = {**DEFAULTS, **scripts}
    model = ScriptedModel(lambda request: said_by[request.decision](request), sees=sees)
    run = Run(View([source], Shelf(source)), embedder=FakeEmbedder, query=Query(question, limit=limit))
    run.judge = Judge({"language": model}, budget=Budget(caps))
    run.pictures = painted
    for script in said_by.values():
        if isinstance(script, Rating):
            script.view = run.view
    return run, model


def asked(model: ScriptedModel, decision: str) -> list[Request]:
    return [request for request in model.requests if request.decision == decision]


def pages_of(run: Run, name: str = "mmrag-paper") -> list[int]:
    return [hit.page for hit in run_search(get(name), run.query, run).evidence.pages(RELEVANCE)]


# What a document says (equations 3 and 4)

TOLD = with_tables(
    document(
        [
            (Kind.HEADING, "1 Ferries", 1, 1),
            (Kind.PARAGRAPH, "The Petrel sails daily.", 1, 0),
            (Kind.TABLE, "", 1, 0),
            (Kind.CHART, "2019 2020", 1, 0),
            (Kind.CAPTION, "Figure 1: Passengers", 1, 0),
            (Kind.PAGE_FOOTER, "Harbour report", 1, 0),
            (Kind.PARAGRAPH, "Winter is cold.", 2, 0),
        ]
    ),
    {2: [["Boat", "Fee"], ["Gull", "12"]]},
)


def described(source: Document) -> Shelf:
    """Return the layers of a document with pictures described by a model that sees."""
    return Shelf(source, Judge({"language": ScriptedModel(lambda one: DEFAULTS[one.decision](one), sees=True)}))


def test_a_page_says_text_tables_layout_and_descriptions_where_they_stand() -> None:
    table = SummaryTable.from_bytes(described(TOLD).load("", "page_texts"))
    assert list(zip(table.start.tolist(), table.target, table.text, strict=True)) == [
        (0, "layout", "1 Ferries"),
        (1, "text", "The Petrel sails daily."),
        (2, "table", "Boat: Gull; Fee: 12"),
        (3, "text", "2019 2020"),
        (3, "description", "Bars of equal height.\nText in it: alpha"),
        (4, "layout", "Figure 1: Passengers"),
        (6, "text", "Winter is cold."),
    ]


def test_descriptions_enter_both_indexes_and_neither_of_those_without() -> None:
    shelf = described(TOLD)
    words = "Bars of equal height."
    assert any(words in text for text in SummaryTable.from_bytes(shelf.load("", "page_chunks")).text)
    assert any(words in text for text in Topology.from_bytes(shelf.load("", "cross_page_tree")).nodes.text)
    assert not any(words in text for text in SummaryTable.from_bytes(shelf.load("", "text_page_chunks")).text)
    assert not any(words in text for text in Topology.from_bytes(shelf.load("", "text_cross_page_tree")).nodes.text)


# The in-page index (equation 6)


def test_chunks_have_300_tokens_of_which_50_are_those_before() -> None:
    text = " ".join(["tide"] * 700)
    spans = windows(text)
    assert [count_tokens([text[start:stop]])[0] for start, stop in spans] == [300, 300, 200]
    shared = [text[right[0] : left[1]] for left, right in pairwise(spans)]
    assert count_tokens(shared) == [50, 50]


@given(st.lists(st.text("abcdé1.,-", min_size=1, max_size=30), max_size=80), st.integers(1, 12), st.integers(0, 5))
def test_chunks_cover_a_text_and_none_is_too_long(words: list[str], tokens: int, overlap: int) -> None:
    text = " ".join(words)
    spans, pieces = windows(text, tokens, overlap), token_spans(text)
    assert all(count_tokens([text[start:stop]])[0] <= tokens + 1 for start, stop in spans)
    assert all(any(start <= left and right <= stop for start, stop in spans) for left, right in pieces)
    assert spans == sorted(set(spans))


def test_a_chunk_never_crosses_a_page_and_has_its_own_vector() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, f"{word} " * 400, page, 0) for page, word in ((1, "tide"), (2, "mast"))]
    shelf = Shelf(document(rows))
    chunks = SummaryTable.from_bytes(shelf.load("", "page_chunks"))
    assert [{*text.split()} for text in chunks.text] == [{"tide"}, {"tide"}, {"mast"}, {"mast"}]
    assert list(zip(chunks.start.tolist(), chunks.stop.tolist(), strict=True)) == [(0, 1), (0, 1), (1, 2), (1, 2)]
    vectors = vectors_of_bytes(shelf.load("", "page_chunk_vectors"))
    assert np.allclose(vectors, FakeEmbedder().embed(list(chunks.text)), atol=1e-3)


# The cross-page index (equations 7 to 9)

THEMES = ("ferry quay berth tide pilot", "oven flour butter sugar dough", "judge appeal verdict statute counsel")


def themed(pages: int = 9) -> Document:
    """Return a document that speaks of three themes on every page."""
    rng = np.random.default_rng(3)
    rows: list[Row] = []
    for page in range(1, pages + 1):
        for theme in THEMES:
            words = " ".join(rng.permutation(theme.split() * 8).tolist())
            rows.append((Kind.PARAGRAPH, f"The {words} of {page}. And {words} again.", page, 0))
    return document(rows)


def test_leaves_have_100_tokens_at_most_go_over_pages_and_cut_no_sentence() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, f"Mooring costs 12.50 crowns on day {page}.", page, 0) for page in range(1, 21)]
    tree = Topology.from_bytes(Shelf(document(rows)).load("", "cross_page_tree"))
    leaves = [tree.nodes.text[at] for at in np.flatnonzero(tree.nodes.level == 0)]
    sizes, following = count_tokens(leaves), count_tokens([leaf.splitlines()[0] for leaf in leaves[1:]])
    assert max(sizes) <= 100
    assert all(size + more > 100 for size, more in zip(sizes[:-1], following, strict=True))
    assert "\n".join(leaves).splitlines() == [text for _, text, _, _ in rows]
    assert len(tree.blocks_of(0)) > 1


def test_the_tree_ends_in_one_root_and_each_node_has_the_vector_of_its_own_text() -> None:
    shelf = Shelf(themed())
    tree = Topology.from_bytes(shelf.load("", "cross_page_tree"))
    level = tree.nodes.level
    assert np.count_nonzero(level == level.max()) == 1
    assert set(tree.blocks_of(len(tree) - 1).tolist()) == set(range(27))
    vectors = vectors_of_bytes(shelf.load("", "cross_page_tree_vectors"))
    assert np.allclose(vectors, FakeEmbedder().embed(list(tree.nodes.text)), atol=1e-3)


def test_leaves_are_clustered_by_meaning_over_pages_and_may_be_in_several() -> None:
    tree = Topology.from_bytes(Shelf(themed()).load("", "cross_page_tree"))
    first = np.flatnonzero(tree.nodes.level == 1)
    assert len(first) >= 3
    for node in first.tolist():
        members = tree.memberships.member[tree.memberships.cluster == node].tolist()
        themes = {
            next(at for at, theme in enumerate(THEMES) if theme.split()[0] in tree.nodes.text[one]) for one in members
        }
        assert len(themes) == 1
    assert set(tree.memberships.member[np.isin(tree.memberships.cluster, first)].tolist()) == set(
        np.flatnonzero(tree.nodes.level == 0).tolist()
    )


def with_journal(journal: Journal, script: Script) -> tuple[Topology, ScriptedModel]:
    """Return the tree that a model sums up, and the model; what was paid for is in the journal."""
    model = ScriptedModel(script)
    shelf = Shelf(themed(), Judge({"language": model}, gateway=Gateway(journal, sleep=lambda _: None)))
    return Topology.from_bytes(shelf.load("", "cross_page_tree")), model


def test_each_cluster_is_summed_up_by_itself_and_what_was_paid_is_not_paid_again() -> None:
    journal, left = MemoryJournal(), [2]

    def summing(request: Request) -> str:
        left[0] -= 1
        if left[0] < 0:
            raise ModelFault(FaultKind.AUTH, "the key ran out")
        return DEFAULTS["summarize_cluster"](request)

    with pytest.raises(Exception, match="ran out"):
        with_journal(journal, summing)
    left[0] = 1_000
    tree, model = with_journal(journal, summing)
    clusters = np.flatnonzero(tree.nodes.level > 0).tolist()
    assert model.calls == len(clusters) - 2
    assert all(
        text.startswith("Together: ") for text in [tree.nodes.text[at] for at in np.flatnonzero(tree.nodes.level)]
    )
    again, model = with_journal(journal, summing)
    assert model.calls == 0
    assert list(again.nodes.text) == list(tree.nodes.text)


def test_a_summary_is_made_of_all_members_of_its_cluster_and_of_nothing_else() -> None:
    tree, model = with_journal(MemoryJournal(), DEFAULTS["summarize_cluster"])
    owners, members = tree.memberships.cluster, tree.memberships.member
    wanted = {
        "\n".join(f"- {tree.nodes.text[at]}" for at in sorted(members[owners == node].tolist()))
        for node in np.flatnonzero(tree.nodes.level > 0).tolist()
    }
    assert {tag(request, "texts")[0] for request in model.requests} == wanted


@pytest.mark.parametrize("reply", ["", "I would rather not.", '{"summary": ""}'])
def test_a_model_that_says_nothing_leaves_a_tree_that_rules_sum_up(reply: str) -> None:
    tree, _ = with_journal(MemoryJournal(), lambda _: reply)
    assert all(tree.nodes.text)
    assert np.count_nonzero(tree.nodes.level == tree.nodes.level.max()) == 1


def test_what_the_tree_costs_is_told_before() -> None:
    model = ScriptedModel(DEFAULTS["summarize_cluster"])
    shelf = Shelf(themed())
    layer = OPTIONAL_LAYERS["cross_page_tree"]
    reads = {"page_texts": shelf.load("", "page_texts")}
    assert layer.estimate is not None
    calls = layer.estimate(LayerInputs(themed(), reads, judge=Judge({"language": model}), embedder=FakeEmbedder))
    assert model.calls == 0
    tree = Topology.from_bytes(shelf.load("", "cross_page_tree"))
    assert [name for name, _, _ in calls] == ["summarize_cluster"] * int(np.count_nonzero(tree.nodes.level > 0))


# Parent pages (equation 11)

FERRY = "How many passengers does the Petrel carry?"


def numbered(pages: int, text: str = "The Petrel carries passengers on line {}.") -> Document:
    return document([(Kind.PARAGRAPH, text.format(page), page, 0) for page in range(1, pages + 1)])


def test_the_nearest_chunks_bring_their_whole_pages_as_near_as_they_are() -> None:
    source = document(
        [
            (Kind.PARAGRAPH, "How many passengers does the Petrel carry? 420.", 1, 0),
            (Kind.FIGURE, "", 1, 0),
            (Kind.PARAGRAPH, "The Petrel is blue.", 2, 0),
            (Kind.PARAGRAPH, "Nothing of note.", 3, 0),
        ]
    )
    run, _ = asking(source, FERRY)
    found = (SearchChunks(2) >> ParentPages(CHUNK, as_scored=True))(run.query, run)
    assert found.rows.tolist() == [0, 1, 2]
    said_there = f"{source.blocks.text[0]}\nfigure"  # all that a rule can say of the picture
    cosine = float(FakeEmbedder().embed([said_there])[0] @ FakeEmbedder().embed([FERRY])[0])
    assert found.scores[SIMILARITY][:2] == pytest.approx([cosine, cosine], abs=1e-3)


def test_thirty_chunks_are_found_and_every_parent_page_is_rated() -> None:
    run, model = asking(numbered(40), FERRY)
    run_search(get("mmrag-paper"), run.query, run)
    assert len(asked(model, "rate_page")) == 30


# Rated pages (equation 12)


def test_a_page_is_rated_by_itself_as_a_whole_with_reasons_first() -> None:
    source = captioned(
        [
            (Kind.PARAGRAPH, "The Petrel carries passengers. " * 60, 1, 0),
            (Kind.CHART, "2019 2020", 1, 0),
            (Kind.CAPTION, "Figure 1: Passengers of the Petrel", 1, 0),
            (Kind.PARAGRAPH, "The crew is small.", 2, 0),
        ],
        {2: 1},
    )
    run, model = asking(source, FERRY, rate_page=Rating(p1=0.44))
    found = (SearchChunks() >> ParentPages(CHUNK, as_scored=True) >> RatePages())(run.query, run)
    requests = sorted(asked(model, "rate_page"), key=lambda request: -len(said(request)))
    assert [len(tag(request, "page")) for request in requests] == [1, 1]
    assert tag(requests[0], "page")[0].count("The Petrel carries passengers.") == 60
    assert "Figure 1: Passengers of the Petrel" in tag(requests[0], "page")[0]
    assert requests[0].instructions.index("reasoning") < requests[0].instructions.index("- relevance")
    assert found.scores[JUDGED].tolist() == [0.4, 0.4, 0.4, 0.0]


LONG = "Share of members who said in the winter survey that they row at least twice a week"
TABLES = [
    (
        [["Town", LONG, "Boats"], ["Graz", "41%", "7"], ["Linz", "38%", "9"]],
        [f"(A) {LONG}", "Town: Graz; (A): 41%; Boats: 7"],
    ),
    ([[LONG, LONG], ["Graz", "41%"], ["Linz", "38%"]], [LONG, "Graz; 41%", "Linz; 38%"]),
    ([["", "Fee", "Fee"], ["Graz", "4", "5"], ["Linz", "6", "7"]], ["Fee", "Graz; 4; 5", "Linz; 6; 7"]),
    ([["Town", "Boats"], ["Graz", "7"]], ["Town: Graz; Boats: 7"]),
    ([["Town", LONG], ["Graz", "41%"]], [f"Town: Graz; {LONG}: 41%"]),
]


@pytest.mark.parametrize(("cells", "lines"), TABLES, ids=str)
def test_a_page_is_shown_with_long_and_shared_headers_of_a_table_once(cells: list[list[str]], lines: list[str]) -> None:
    grid = Grid.of_rows(cells, header_rows=1)
    assert rows_to_read(grid)[: len(lines)] == lines
    source = with_tables(document([(Kind.TABLE, "", 1, 0), (Kind.PARAGRAPH, "Boats are oiled.", 1, 0)]), {0: grid})
    run, model = asking(source, FERRY)
    run_search(get("mmrag-paper"), run.query, run)
    assert tag(asked(model, "rate_page")[0], "page")[0].splitlines()[1:-1] == rows_to_read(grid)
    assert run.view.layer(summary_table("page_texts")).text[0].splitlines() == grid.linearised()[1:]


def test_a_header_that_reaches_into_rows_is_said_in_them() -> None:
    cells = (Cell(0, 0, "Town"), Cell(0, 1, LONG), Cell(0, 2, "all", rows=2), Cell(1, 0, "Graz"), Cell(1, 1, "41%"))
    grid = Grid(3, 3, (*cells, Cell(2, 0, "Linz"), Cell(2, 1, "38%")), header_rows=1)
    assert rows_to_read(grid) == [f"(A) {LONG}", "Town: Graz; (A): 41%; all", "Town: Linz; (A): 38%"]


def test_pages_are_ranked_by_their_rating_alone_however_near_they_are() -> None:
    source = document(
        [
            (Kind.PARAGRAPH, FERRY, 1, 0),
            (Kind.PARAGRAPH, "The Petrel is blue.", 2, 0),
            (Kind.PARAGRAPH, "Nothing of note.", 3, 0),
            (Kind.PARAGRAPH, "How many passengers?", 4, 0),
        ]
    )
    run, _ = asking(source, FERRY, rate_page=Rating(p1=0.5, p2=0.3, p3=0.6, p4=0.3))
    found = run_search(get("mmrag-paper"), run.query, run).evidence
    similarity = dict(zip(run.view.blocks.page[found.rows].tolist(), found.scores[SIMILARITY].tolist(), strict=True))
    assert similarity[1] > 0.99
    assert similarity[4] > similarity[2] > similarity[3]
    assert [hit.page for hit in found.pages(RELEVANCE)] == [3, 1, 4, 2]


def test_a_page_is_rated_by_the_question_its_number_and_what_it_says_and_nothing_else() -> None:
    run, model = asking(document([(Kind.PARAGRAPH, "The crew is small.", 7, 0)], name="harbour.pdf"), FERRY)
    run_search(get("mmrag-paper"), run.query, run)
    assert [said(request) for request in asked(model, "rate_page")] == [
        f"<question>\n{FERRY}\n</question>\n<page>\n(page 7)\nThe crew is small.\n</page>"
    ]


def test_the_ten_best_pages_are_kept_whatever_their_ratings() -> None:
    run, _ = asking(numbered(25), FERRY, limit=99, rate_page=Rating(**{f"p{page}": 1.0 for page in (5, 20)}))
    pages = pages_of(run)
    assert len(pages) == 10
    assert set(pages[:2]) == {5, 20}


def test_without_a_model_pages_are_ranked_by_similarity_and_the_trace_says_so() -> None:
    source = document([(Kind.PARAGRAPH, "Nothing of note.", 1, 0), (Kind.PARAGRAPH, FERRY, 2, 0)])
    run, _ = asking(source, FERRY)
    run.judge = Judge()
    found = run_search(get("mmrag-paper"), run.query, run)
    assert [hit.page for hit in found.evidence.pages(RELEVANCE)] == [2, 1]
    assert found.decided_by == {"rule": 2}


# Pictures (equations 13 and 14)

SHOWN = captioned(
    [
        (Kind.PARAGRAPH, "The Petrel carries 420 passengers.", 1, 0),
        (Kind.CHART, "", 1, 0),
        (Kind.CAPTION, "Figure 1: Passengers of the Petrel", 1, 0),
        (Kind.FIGURE, "", 1, 0),
        (Kind.PARAGRAPH, "The Petrel has a crew of seven.", 2, 0),
        (Kind.FIGURE, "", 2, 0),
    ],
    {2: 1},
)


def noting(request: Request) -> str:
    return json.dumps({"evidence": "420 stands above the bar." if place_shown(request) == (1, 1) else ""})


def test_every_picture_of_the_kept_pages_is_looked_at_with_the_question_whatever_it_says() -> None:
    run, model = asking(SHOWN, FERRY, rate_page=Rating(p2=1.0), note_picture=noting)
    run_ask(get("mmrag-paper"), run.query, run)
    requests = asked(model, "note_picture")
    assert sorted(map(place_shown, requests)) == [(1, 1), (1, 3), (2, 5)]
    assert {said(request) for request in requests} == {
        f"<question>\n{FERRY}\n</question>\n<picture>{where}</picture>"
        for where in ("page 1; chart; Figure 1: Passengers of the Petrel", "page 1; figure", "page 2; figure")
    }
    reading = asked(model, "answer_string")[0]
    assert tag(reading, "picture_notes") == [
        "- (page 1; chart; Figure 1: Passengers of the Petrel) 420 stands above the bar."
    ]


def test_pictures_are_capped_by_a_setting_best_pages_first_and_the_trace_counts_the_others() -> None:
    run, model = asking(SHOWN, FERRY, rate_page=Rating(p2=1.0))
    plan = get("mmrag-paper").retrieve >> TypedReader(pictures=1)
    plan(run.query, run)
    assert [place_shown(request) for request in asked(model, "note_picture")] == [(2, 5)]
    shown = next(step for step in run.trace if step.step == "Shown")
    assert (shown.parameters["pictures"], shown.parameters["pictures_left_out"]) == (1, 2)


def test_where_nobody_sees_the_trace_says_so_and_the_reader_reads_the_rest() -> None:
    run, model = asking(SHOWN, FERRY, sees=False, answer_string=lambda _: final("420"))
    answer = run_ask(get("mmrag-paper"), run.query, run)
    assert answer.trace[0].step == BLIND
    assert not asked(model, "note_picture")
    assert answer.value == "420"


# Summaries (equation 16)


def test_the_ten_nearest_nodes_of_all_levels_are_always_joined() -> None:
    run, model = asking(themed(), "ferry quay berth", rate_page=lambda _: '{"reasoning": "", "relevance": 1}')
    run_ask(get("mmrag-paper"), run.query, run)
    vectors = run.view.vectors("cross_page_tree_vectors")
    nearest = np.argsort(-(vectors @ FakeEmbedder().embed(["ferry quay berth"])[0]), kind="stable")[:10]
    tree = run.view.layer(topology_table("cross_page_tree"))
    assert {int(level) for level in tree.nodes.level[nearest]} >= {0, 1}
    shown = tag(asked(model, "answer_string")[0], "summaries")[0]
    found = nearest_summaries(run.query, run, 10, descriptions=True)
    assert [one.text for one in found] == [tree.nodes.text[at] for at in nearest.tolist()]
    told = re.findall(r"- \(pages [\d, ]+\) (.*?)(?=\n- \(pages|\Z)", shown, re.DOTALL)
    assert told == [one.text for one in found]
    assert shown.count("- (pages ") == 10


# Reading (equations 17 and 18)


def test_the_reader_is_shown_pages_notes_and_summaries_in_this_order_and_nothing_else() -> None:
    run, model = asking(SHOWN, FERRY, rate_page=Rating(p2=1.0), note_picture=noting)
    run_ask(get("mmrag-paper"), run.query, run)
    shown = said(asked(model, "answer_string")[0])
    order = ["<page number=2>", "<page number=1>", "<picture_notes>", "<summaries>", "<question>"]
    assert [shown.index(one) for one in order] == sorted(shown.index(one) for one in order)
    assert re.findall(r"<(\w+)", shown) == ["page", "page", "picture_notes", "summaries", "question"]
    assert "The Petrel carries 420 passengers." in shown


TYPES = [
    ("string", "420 passengers", "420 passengers", AnswerFormat.STR),
    ("integer", "420 passengers", 420, AnswerFormat.INT),
    ("integer", 419.6, 420, AnswerFormat.INT),
    ("integer", 2.5, 3, AnswerFormat.INT),
    ("integer", "-2.5", -3, AnswerFormat.INT),
    ("integer", "1,200", 1200, AnswerFormat.INT),
    ("float", "53.6%", 53.6, AnswerFormat.FLOAT),
    ("float", 12, 12.0, AnswerFormat.FLOAT),
    ("string", True, "yes", AnswerFormat.STR),
    ("list", ["Petrel", 420], ["Petrel", "420"], AnswerFormat.LIST),
    ("list", [None, False, "Heron"], ["no", "Heron"], AnswerFormat.LIST),
    ("list", [["Petrel", 420], ["Heron", 12]], ["Petrel, 420", "Heron, 12"], AnswerFormat.LIST),
]


@pytest.mark.parametrize(("kind", "reply", "value", "form"), TYPES, ids=str)
def test_each_type_has_a_prompt_and_a_value_of_its_own(
    kind: str, reply: object, value: object, form: AnswerFormat
) -> None:
    run, model = asking(
        SHOWN,
        FERRY,
        predict_answer_type=lambda _: json.dumps({"type": kind}),
        **{f"answer_{kind}": lambda _: final(reply)},
    )
    answer = run_ask(get("mmrag-paper"), run.query, run)
    assert (answer.value, answer.format) == (value, form)
    assert [request.decision for request in model.requests if request.decision.startswith("answer_")] == [
        f"answer_{kind}"
    ]


@pytest.mark.parametrize("reply", ["3 million", "$1.2k", "1,234.5 thousand", True])
def test_a_whole_number_that_is_not_written_out_is_asked_for_once_more_and_never_stated(reply: object) -> None:
    run, model = asking(
        SHOWN, FERRY, predict_answer_type=lambda _: '{"type": "integer"}', answer_integer=lambda _: final(reply)
    )
    answer = run_ask(get("mmrag-paper"), run.query, run)
    assert len(asked(model, "answer_integer")) == 2
    assert answer.outcome is Outcome.PASSAGES


@pytest.mark.parametrize("kind", ["string", "integer", "float", "list"])
def test_null_is_no_answer(kind: str) -> None:
    run, _ = asking(
        SHOWN,
        FERRY,
        predict_answer_type=lambda _: json.dumps({"type": kind}),
        **{f"answer_{kind}": lambda _: final(None, ())},
    )
    assert run_ask(get("mmrag-paper"), run.query, run).outcome is Outcome.NOTHING


@pytest.mark.parametrize(
    ("form", "decision"),
    [("Str", "string"), ("Int", "integer"), ("Float", "float"), ("List", "list"), ("None", "string")],
)
def test_a_caller_may_fix_the_type(form: str, decision: str) -> None:
    plan, query = get("mmrag-paper"), Query(FERRY, answer_format=AnswerFormat(form))
    plans = (
        (plan.retrieve >> TypedReader(form=form), Query(FERRY)),
        (plan.answer, query),
        (plan.answering_as(form).answer, Query(FERRY)),
    )
    for fixed, asking_for in plans:
        run, model = asking(SHOWN, FERRY, **{f"answer_{decision}": lambda _: final("Not answerable", ())})
        run.query = asking_for
        answer = fixed(run.query, run)
        assert not asked(model, "predict_answer_type")
        assert len(asked(model, f"answer_{decision}")) == 1
        assert (answer.outcome, answer.format) == (Outcome.NOTHING, AnswerFormat.NONE)


@pytest.mark.parametrize("kind", ["string", "integer", "float", "list"])
def test_each_prompt_asks_for_the_four_parts_in_order_with_an_answer_and_a_refusal_as_examples(kind: str) -> None:
    from octavo.decisions import DECISIONS

    instructions = DECISIONS[f"answer_{kind}"].template.instructions
    parts = ["step_by_step_analysis", "reasoning_summary", "relevant_pages", "final_answer"]
    assert [instructions.index(f'"{part}"') for part in parts] == sorted(
        instructions.index(f'"{part}"') for part in parts
    )
    assert "five numbered steps and 150 words" in instructions
    assert "about 50 words" in instructions
    examples = [
        json.loads(part.partition("\n")[2], strict=False)
        for part in instructions.partition("Examples:")[2].split("Question: ")[1:]
    ]
    assert [list(one) for one in examples] == [parts, parts]
    assert all(len(re.findall(r"\b\d\.\s[A-Z\d]", one["step_by_step_analysis"])) >= 5 for one in examples)
    assert type(examples[0]["final_answer"]) is {"string": str, "integer": int, "float": float, "list": list}[kind]
    assert (examples[1]["final_answer"], examples[1]["relevant_pages"]) == ("Not answerable", [])


def test_pages_that_were_not_shown_are_dropped_and_those_named_are_cited() -> None:
    run, _ = asking(SHOWN, FERRY, answer_string=lambda _: final("420", [1, 9]))
    answer = run_ask(get("mmrag-paper"), run.query, run)
    assert [(one.page, one.quote) for one in answer.citations] == [(1, "420")]


def test_a_reply_stands_as_it_is_said() -> None:
    run, _ = asking(SHOWN, FERRY, answer_string=lambda _: final("77 leagues", []))
    answer = run_ask(get("mmrag-paper"), run.query, run)
    assert (answer.outcome, answer.text, answer.citations) == (Outcome.ANSWER, "77 leagues", ())


def test_pages_in_several_documents_have_numbers_of_their_own() -> None:
    other = document([(Kind.PARAGRAPH, "The Petrel was built in Graz.", 1, 0)], name="other.pdf")
    rated = Rating(p1=0.1)
    run, model = asking(SHOWN, FERRY, answer_string=lambda _: final("Graz", [3]), rate_page=rated)
    shelves = {source.id: Shelf(source) for source in (SHOWN, other)}

    class Shelves:
        def load(self, document_id: str, layer: str) -> bytes:
            return shelves[document_id].load(document_id, layer)

    run.view = rated.view = View([SHOWN, other], Shelves())
    run_ask(get("mmrag-paper"), run.query, run)
    shown = said(asked(model, "answer_string")[0])
    assert re.findall(r"<page number=(\d+)>", shown) == ["1", "2", "3"]
    assert "(other.pdf, page 1)" in shown
    assert "other.pdf, pages 1)" in shown


def test_an_answer_names_what_stands_for_the_papers_parts_and_the_pages_that_were_read() -> None:
    run, _ = asking(SHOWN, FERRY)
    answer = run_ask(get("mmrag-paper"), run.query, run)
    assert {one.role: one.here for one in answer.substitutes}["model"] == "scripted:test"
    assert [one.page for one in answer.pages_read] == [1, 2]


# The rows of Tables 1 to 4


def context(name: str) -> tuple[list[str], bool, bool, ScriptedModel]:
    """Return of a variant the pages that its reader is shown, and whether it is shown notes and summaries."""
    rows: list[Row] = []
    for page in range(1, 13):
        rows += [(Kind.PARAGRAPH, f"The Petrel carries passengers on line {page}.", page, 0), (Kind.CHART, "", page, 0)]
    run, model = asking(document(rows), FERRY, note_picture=lambda _: '{"evidence": "A bar."}')
    run_ask(get(name), Query(FERRY, limit=get(name).limit), run)
    shown = said(asked(model, "answer_string")[0])
    pages = re.findall(r"<page number=(\d+)>", shown)
    return pages, "<picture_notes>" in shown, "<summaries>" in shown, model


@pytest.mark.parametrize(
    ("name", "pages", "visual", "summaries"),
    [
        ("mmrag-paper", 10, True, True),
        ("mmrag-paper-v1", 10, False, True),
        ("mmrag-paper-v2", 1, True, True),
        ("mmrag-paper-v3", 1, True, False),
        ("mmrag-paper-v4", 0, False, True),
        ("mmrag-paper-page-4", 4, True, True),
    ],
)
def test_a_variant_leaves_out_what_its_row_does(name: str, pages: int, visual: bool, summaries: bool) -> None:
    shown, has_notes, has_summaries, _ = context(name)
    assert (len(shown), has_notes, has_summaries) == (pages, visual, summaries)


def test_v1_reads_no_description_and_v4_rates_no_page() -> None:
    assert not {"page_chunks", "cross_page_tree"} & get("mmrag-paper-v1").needs()
    assert not asked(context("mmrag-paper-v4")[3], "rate_page")
    run, _ = asking(SHOWN, FERRY)
    found = run_search(get("mmrag-paper-v4"), run.query, run).evidence
    assert [hit.page for hit in found.pages(RELEVANCE)] == [1, 2]


@pytest.mark.parametrize("name", ["mmrag-paper", *(one for one in systems.ABLATIONS if one.startswith("mmrag-paper"))])
def test_every_variant_answers_without_a_model(name: str) -> None:
    run, _ = asking(SHOWN, FERRY)
    run.judge = Judge()
    answer = run_ask(get(name), run.query, run)
    assert "420" in answer.text
    assert answer.usage.calls == 0


# The paper's examples, on documents of our own


def answered(source: Document, question: str, **scripts: Script) -> tuple[Answer, ScriptedModel]:
    run, model = asking(source, question, **scripts)
    return run_ask(get("mmrag-paper"), run.query, run), model


def test_two_charts_far_apart_are_brought_together_by_the_titles_on_their_pages() -> None:
    rows: list[Row] = []
    for page in range(1, 16):
        title = {11: "% RESPONDENTS USING WIFI AT STORES", 14: "Are you doing promotions to customers over Wi-Fi?"}
        rows += [
            (Kind.PARAGRAPH, title.get(page, f"Nothing of note in part {page}."), page, 0),
            (Kind.CHART, "", page, 0),
        ]
    source = document(rows)
    question = (
        "What percentage of respondents of the sector in which 15% are doing promotions to customers over Wi-Fi use"
        " wifi at stores?"
    )

    def note(request: Request) -> str:
        page, _ = place_shown(request)
        return json.dumps(
            {"evidence": {11: "Hospitality 100%, Food 75%", 14: "Hospitality 15%, Food 30%"}.get(page, "")}
        )

    answer, model = answered(
        source,
        question,
        rate_page=Rating(p11=0.8, p14=0.8),
        note_picture=note,
        predict_answer_type=lambda _: '{"type": "integer"}',
        answer_integer=lambda _: final("100", [14, 11]),
    )
    notes = tag(asked(model, "answer_integer")[0], "picture_notes")[0]
    assert "Hospitality 100%" in notes
    assert "Hospitality 15%" in notes
    assert answer.value == 100
    assert [one.page for one in answer.citations] == [14, 11]


def test_a_number_on_one_page_and_how_to_read_it_on_another_are_shown_together() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, f"Tulips bloom {page} times.", page, 0) for page in range(1, 24)]
    rows += [
        (Kind.PARAGRAPH, "For service and support call the support center number nearest you.", 24, 0),
        (Kind.TABLE, "", 25, 0),
    ]
    source = with_tables(
        document(rows), {24: [["Country", "Number for service and support"], ["Mexico", "001 555 0100"]]}
    )
    question = "I live in Mexico. Which number shall I call for service and support?"
    answer, model = answered(
        source,
        question,
        rate_page=Rating(p24=0.7, p25=0.9),
        answer_string=lambda _: final("001 555 0100", [24, 25]),
    )
    shown = said(asked(model, "answer_string")[0])
    assert "Country: Mexico; Number for service and support: 001 555 0100" in shown
    assert "the support center number nearest you" in shown
    assert [one.page for one in answer.citations] == [24, 25]


# Faults


def fails(_request: Request) -> str:
    raise ModelFault(FaultKind.CONNECTION, "no way there")


@pytest.mark.parametrize("decision", ["rate_page", "note_picture", "predict_answer_type"])
def test_a_step_that_fails_is_taken_by_rule_and_the_question_is_answered(decision: str) -> None:
    run, _ = asking(
        SHOWN,
        FERRY,
        **{"answer_string": lambda _: final("420"), "answer_integer": lambda _: final(420), decision: fails},
    )
    run.judge.gateway = Gateway(MemoryJournal(), sleep=lambda _: None)
    answer = run_ask(get("mmrag-paper"), run.query, run)
    assert str(answer.value) == "420"
    assert answer.decided_by["rule"] > 0


@pytest.mark.parametrize("reply", ["", "no", "[]", '{"final_answer": ""}', '{"final_answer": {"a": 1}}'])
def test_a_reading_that_is_nonsense_leaves_the_pages(reply: str) -> None:
    run, _ = asking(SHOWN, FERRY, answer_string=lambda _: reply)
    answer = run_ask(get("mmrag-paper"), run.query, run)
    assert answer.outcome is Outcome.PASSAGES
    assert answer.passages


def test_a_reader_that_cannot_be_reached_leaves_the_extracted_answer() -> None:
    run, _ = asking(SHOWN, FERRY, answer_string=fails)
    run.judge.gateway = Gateway(MemoryJournal(), sleep=lambda _: None)
    assert "420" in run_ask(get("mmrag-paper"), run.query, run).text


@pytest.mark.parametrize("calls", range(7))
def test_a_budget_that_ends_anywhere_leaves_an_answer(calls: int) -> None:
    run, model = asking(SHOWN, FERRY, caps=Caps(calls=calls), answer_string=lambda _: final("420"))
    answer = run_ask(get("mmrag-paper"), run.query, run)
    assert model.calls == min(calls, 7)
    assert "420" in answer.text


def test_pages_that_do_not_fit_are_left_out_from_the_last_and_not_read() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, f"Line {page}. " + "The Petrel carries passengers. " * 150, page, 0) for page in (1, 2, 3)
    ]
    run, model = asking(document(rows), FERRY, rate_page=Rating(p3=1.0, p2=0.5))
    model.context_tokens = 5_000
    plan = get("mmrag-paper").retrieve >> TypedReader(summaries=0)
    plan(run.query, run)
    assert re.findall(r"<page number=(\d+)>", said(asked(model, "answer_string")[0])) == ["3"]
    assert run.pages_read == {2}


@pytest.mark.parametrize("rows", [[], [(Kind.PARAGRAPH, "", 1, 0)], [(Kind.FIGURE, "", 1, 0)]], ids=str)
def test_a_document_with_nothing_to_read_gives_nothing(rows: list[Row]) -> None:
    run, _ = asking(document(rows), FERRY)
    assert not run_ask(get("mmrag-paper"), run.query, run).answerable


@pytest.mark.parametrize(
    "make",
    [
        lambda: SearchChunks(0),
        lambda: SearchSummaries(0),
        lambda: TypedReader(-1),
        lambda: TypedReader(form="Date"),
        lambda: get("mmrag-paper-v4").answering_as("Date"),
        lambda: get("mmrag").answering_as("Int"),
    ],
)
def test_senseless_parameters_are_refused(make: Callable[[], object]) -> None:
    with pytest.raises(UsageError):
        make()


def test_the_plan_is_the_papers_operators_and_numbers() -> None:
    plan = get("mmrag-paper")
    assert repr(plan.answer).partition(", otherwise")[0] == (
        "SearchChunks(count=30, descriptions=True) >> ParentPages(by='chunk', as_scored=True)"
        " >> RatePages(descriptions=True) >> RankPages(by='relevance', most=10)"
        " >> TypedReader(summaries=10, pictures=50, pages=True, descriptions=True, form=''"
    )
