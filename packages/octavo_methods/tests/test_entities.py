"""The knowledge graph: what is an entity, where it is mentioned, how entities are related; by rule and by model."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings

from indexed import FakeEmbedder
from memory_layers import MemoryLayers
from octavo.corpus.index.builders import Builders
from octavo.decisions.engine.judge import Judge
from octavo.decisions.extract_graph import EXTRACT_GRAPH, ExtractedGraph, GraphWindow, WindowBlock
from octavo.errors import CorpusError
from octavo.evidence import Graph, View
from octavo.evidence.layer_tables import ENTITIES_TABLE
from octavo.layers import LAYERS, OPTIONAL_LAYERS, LayerInputs
from octavo.layers.entities import ENTITIES, graph_of
from octavo.layers.entities.by_model import WINDOW_TOKENS, windows_of
from octavo.layers.entities.extraction import statistics_of
from octavo.layers.entities.names import c_values, type_of
from octavo.layers.entities.words import blocks_as_words
from octavo.layers.vectors import entity_texts
from octavo.models.gateway import Gateway, Limits, MemoryJournal
from octavo.models.language import Request, estimate_tokens
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Document, Kind, LinkKind, LinkTable, TextColumn
from octavo_documents.document.grid import Grid
from octavo_documents.text.names import acronyms
from octavo_methods.bookrag.reasoning import mention_matrix, relation_matrix
from synthetic import document, documents

HANDBOOK = document(
    [
        (Kind.HEADING, "1 Harbour", 1, 1),
        (
            Kind.PARAGRAPH,
            "The tidal warning index (TWI) is an hourly figure. The station at Harwick sends the TWI.",
            1,
            0,
        ),
        (Kind.PARAGRAPH, "In March 2018 the Northern Ferry Company bought the Grey Heron for $4.1 million.", 1, 0),
        (Kind.PAGE_FOOTER, "Printed by Quill Press in Oslo", 1, 0),
        (Kind.PARAGRAPH, "Anna Brandt led the Northern Ferry Company. Later Brandt moved to Norway.", 2, 0),
        (Kind.PARAGRAPH, "A wind gauge fails in ice. Each wind gauge is 12 km from the next wind gauge.", 2, 0),
        (Kind.HEADING, "References", 3, 1),
        (Kind.PARAGRAPH, "Osric Plum. 2001. Notes by Osric Plum on what Osric Plum saw at Harwick.", 3, 0),
    ]
)


def graph(source: Document, judge: Judge | None = None) -> Graph:
    return graph_of(LayerInputs(source, judge=judge or Judge(), embedder=FakeEmbedder))


def types(found: Graph) -> dict[str, str]:
    return dict(zip(found.entities.name, found.entities.type, strict=True))


def spoken(source: Document, found: Graph, name: str) -> list[tuple[int, str]]:
    """Return where an entity is mentioned, as (block, the words there)."""
    at = list(found.entities.name).index(name)
    mentions = found.mentions
    rows = np.flatnonzero(mentions.entity == at)
    return [
        (int(mentions.block[row]), source.blocks.text[mentions.block[row]][mentions.start[row] : mentions.stop[row]])
        for row in rows
    ]


def with_table(rows: list[list[str]], caption: str = "Table 1: Length of ferries") -> Document:
    """Return a page with a table under its caption and a paragraph that refers to it."""
    grid = Grid.of_rows(rows, header_rows=1, header_columns=1)
    plain = document(
        [
            (Kind.PARAGRAPH, "All lengths are in Table 1.", 1, 0),
            (Kind.CAPTION, caption, 1, 0),
            (Kind.TABLE, grid.text(), 1, 0),
        ]
    )
    blocks = dataclasses.replace(plain.blocks, grid=TextColumn.of(["", "", grid.to_json()]))
    links = LinkTable(
        source=np.array([1, 0], np.int32),
        target=np.array([2, 2], np.int32),
        kind=np.array([LinkKind.CAPTION_OF, LinkKind.REFERS_TO], np.uint8),
        weight=np.ones(2, np.float32),
        text=TextColumn.of(["", "Table 1"]),
    )
    return dataclasses.replace(plain, blocks=blocks, links=links)


# By rule


def test_names_acronyms_terms_values_and_people_are_found_and_typed() -> None:
    found = types(graph(HANDBOOK))
    assert found["tidal warning index"] == "name"
    assert found["Northern Ferry Company"] == "organisation"
    assert found["Anna Brandt"] == "person"
    assert found["Norway"] == "place"
    assert found["March 2018"] == "date"
    assert found["$4.1 million"] == found["12 km"] == "quantity"
    assert found["wind gauge"] == "term"
    assert "Grey Heron" in found


def test_an_acronym_and_a_surname_are_mentions_of_what_they_stand_for() -> None:
    found = graph(HANDBOOK)
    assert spoken(HANDBOOK, found, "tidal warning index") == [(1, "tidal warning index"), (1, "TWI"), (1, "TWI")]
    assert spoken(HANDBOOK, found, "Anna Brandt") == [(4, "Anna Brandt"), (4, "Brandt")]
    at = list(found.entities.name).index("tidal warning index")
    assert found.entities.aliases[at] == "TWI" or found.entities.aliases[at].startswith("TWI")
    assert "is an hourly figure" in found.entities.description[at]


def test_page_furniture_and_reference_lists_name_nothing_but_known_names_are_recognised_there() -> None:
    found = graph(HANDBOOK)
    assert not {"Quill Press", "Oslo", "Osric Plum"} & set(types(found))
    assert 7 in [block for block, _ in spoken(HANDBOOK, found, "Harwick")]


def test_words_capitalised_only_because_they_open_a_sentence_are_no_names() -> None:
    source = document(
        [(Kind.PARAGRAPH, "Heavy rain fell on the old quay. Later heavy rain fell again. Boats left.", 1, 0)]
    )
    assert not {"Heavy", "Later", "Boats"} & set(types(graph(source)))


@given(documents())
def test_mentions_are_verbatim_and_never_in_furniture(source: Document) -> None:
    found = graph(source)
    for block, start, stop in zip(found.mentions.block, found.mentions.start, found.mentions.stop, strict=True):
        assert source.blocks.kind_of(block) not in (Kind.PAGE_HEADER, Kind.PAGE_FOOTER)
        text = source.blocks.text[block]
        assert (start, stop) == (-1, -1) or (0 <= start < stop <= len(text) and text[start:stop].strip())


@given(documents())
@settings(max_examples=25)
def test_the_same_document_gives_the_same_bytes_and_they_can_be_read(source: Document) -> None:
    data = ENTITIES.build(LayerInputs(source))
    assert data == ENTITIES.build(LayerInputs(source))
    read = Graph.from_bytes(data)
    assert read.to_bytes() == data
    assert read.statistics["resolved"]["entities"] == len(read)


def test_a_table_is_an_entity_with_its_headers_contained_in_it() -> None:
    source = with_table([["Ferry", "Length overall"], ["Grey Heron", "38 m"], ["Storm Petrel", "41 m"]])
    found = graph(source)
    table = list(found.entities.type).index("table")
    assert found.entities.name[table] == "Table 1: Length of ferries"
    relations = found.relations
    inside = [
        found.entities.name[relations.source[at]]
        for at in range(len(relations))
        if relations.type[at] == "contained_in" and relations.target[at] == table and relations.weight[at] == 1.0
    ]
    assert set(inside) == {"Ferry", "Length overall", "Grey Heron", "Storm Petrel"}
    assert {block for block, _ in spoken(source, found, found.entities.name[table])} == {0, 1, 2}
    assert (0, "Table 1") in spoken(source, found, found.entities.name[table])


def test_names_in_one_sentence_are_related_by_how_often_they_meet() -> None:
    often = "The Grey Heron sails from Harwick. Again Grey Heron left Harwick. One Grey Heron stayed in Harwick. "
    source = document([(Kind.PARAGRAPH, often + "We saw Storm Petrel off Harwick.", 1, 0)])
    found = graph(source)
    names = list(found.entities.name)
    weights = {
        frozenset((names[left], names[right])): weight
        for left, right, weight in zip(
            found.relations.source, found.relations.target, found.relations.weight.tolist(), strict=True
        )
    }
    assert 0 < weights[frozenset(("Storm Petrel", "Harwick"))] < weights[frozenset(("Grey Heron", "Harwick"))] <= 1
    assert frozenset(("Storm Petrel", "Grey Heron")) not in weights
    at = next(at for at in range(len(found.relations)) if names[found.relations.source[at]] == "Grey Heron")
    assert found.relations.description[at] == "sails from"


def test_acronyms_are_read_in_both_orders_and_need_fitting_initials() -> None:
    text = "We use retrieval-augmented generation (RAG) and the NFC (Northern Ferry Company), on Monday (ABC)."
    assert acronyms([text]) == [("RAG", "retrieval-augmented generation"), ("NFC", "Northern Ferry Company")]


def test_c_value_takes_from_a_term_what_stands_inside_longer_ones() -> None:
    values = c_values({("wind", "gauge"): 5, ("cold", "wind", "gauge"): 3, ("salt", "boat"): 2})
    assert values["wind", "gauge"] == pytest.approx(5 - 3)
    assert values["cold", "wind", "gauge"] == pytest.approx(3 * np.log2(3))
    assert values["salt", "boat"] == pytest.approx(2)


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("Norway", "place"),
        ("U.S.", "place"),
        ("Lawrence County", "place"),
        ("University of Bergen", "organisation"),
        ("Harwick Salt Inc", "organisation"),
        ("J. R. Halvorsen", "person"),
        ("Dr. Ida Holm", "person"),
        ("U.S. Muslims", "name"),
        ("GPT-4", "name"),
    ],
)
def test_types_are_told_by_words(name: str, type_: str) -> None:
    assert type_of(name) == type_


BAD = {
    "nothing": document([]),
    "no text": document([(Kind.FIGURE, "", 1, 0), (Kind.FIGURE, "", 2, 0)]),
    "one block": document([(Kind.PARAGRAPH, "x", 1, 0)]),
    "5000 words": document([(Kind.PARAGRAPH, "Grey Heron sails. " * 1700, 1, 0)]),
    "one long run": document([(Kind.PARAGRAPH, "grey heron " * 2500, 1, 0)]),
    "non-Latin": document([(Kind.PARAGRAPH, "北京大学发布了报告。Привет, Москва и МГУ. مرحبا بالعالم", 1, 0)] * 3),
    "marks only": document([(Kind.PARAGRAPH, "((((( ]]] ... ··· --- ‘’“”", 1, 0)]),
    "surrogates": document([(Kind.PARAGRAPH, "The \ud800 Grey Heron ﬁrst \x00", 1, 0)]),
}


@pytest.mark.parametrize("name", BAD)
def test_odd_documents_end_in_a_graph_empty_or_full(name: str) -> None:
    assert Graph.from_bytes(ENTITIES.build(LayerInputs(BAD[name]))).check() is None


# By model


def judge_of(reply: object) -> tuple[Judge, ScriptedModel]:
    model = ScriptedModel(lambda request: reply(request) if callable(reply) else json.dumps(reply))
    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    return Judge({"extract_graph": model}, gateway=gateway), model


REPLY = {
    "entities": [
        {"block": 2, "name": "Northern Ferry Company", "type": "company", "description": "bought a ferry"},
        {"block": 2, "name": "Grey Heron", "type": "product", "description": "a ferry"},
        {"block": 2, "name": "Heron Grey", "type": "product"},
        {"block": 2, "name": "Black Swan", "type": "product"},
    ],
    "relations": [
        {"source": "Northern Ferry Company", "target": "Grey Heron", "type": "bought", "weight": 9},
        {"source": "Northern Ferry Company", "target": "Black Swan", "type": "sold", "weight": 1},
    ],
}


def test_a_models_entities_are_mentioned_where_they_stand_and_made_up_names_are_dropped() -> None:
    judge, _ = judge_of(REPLY)
    found = graph(HANDBOOK, judge)
    assert "Black Swan" not in types(found)
    assert types(found)["Grey Heron"] == "product"
    assert spoken(HANDBOOK, found, "Grey Heron") == [(2, "Grey Heron")]
    assert [block for block, _ in spoken(HANDBOOK, found, "Northern Ferry Company")] == [2, 4]
    relations = [(found.relations.type[at], float(found.relations.weight[at])) for at in range(len(found.relations))]
    assert ("bought", pytest.approx(0.9)) in relations
    assert "sold" not in [type_ for type_, _ in relations]


def test_a_name_in_other_words_than_the_blocks_is_kept_without_a_place() -> None:
    judge, _ = judge_of(REPLY)
    found = graph(HANDBOOK, judge)
    at = list(found.entities.name).index("Heron Grey")
    rows = np.flatnonzero(found.mentions.entity == at)
    assert found.mentions.block[rows].tolist() == [2]
    assert found.mentions.start[rows].tolist() == found.mentions.stop[rows].tolist() == [-1]


def test_where_the_model_fails_the_rules_stand() -> None:
    judge, _ = judge_of(lambda _request: "I cannot do that.")
    assert graph(HANDBOOK, judge).entities == graph(HANDBOOK).entities


def test_tables_stay_entities_with_headers_when_a_model_reads() -> None:
    judge, model = judge_of({"entities": [], "relations": []})
    source = with_table([["Ferry", "Length overall"], ["Grey Heron", "38 m"]])
    found = graph(source, judge)
    assert "table" in types(found).values()
    assert {"Ferry", "Length overall"} <= set(types(found))
    shown = model.requests[0].turns[0].text
    assert "<table id=" in shown
    assert "Ferry: Grey Heron; Length overall: 38 m" in shown


def test_short_neighbours_are_read_in_one_call_and_long_sections_apart() -> None:
    short = document(
        [
            (Kind.HEADING, f"{n} Days at the quay", 1, 1)
            if n % 2
            else (Kind.PARAGRAPH, f"The Grey Heron sails on day {n}.", 1, 0)
            for n in range(1, 9)
        ]
    )
    assert len(windows_of(short, blocks_as_words(short))) == 1
    text = "The keepers of the lantern wrote down what they saw that night. " * 20
    long = document(
        [
            row
            for n in range(6)
            for row in ((Kind.HEADING, f"{n} Nights at the lantern", n + 1, 1), (Kind.PARAGRAPH, text, n + 1, 0))
        ]
    )
    windows = windows_of(long, blocks_as_words(long))
    assert 1 < len(windows) <= 6
    for window in windows:
        sizes = [estimate_tokens(block.text) for block in window.asked.blocks]
        assert sum(sizes) <= WINDOW_TOKENS or len(sizes) == 1
    read = [row for window in windows for row in window.rows.values()]
    assert read == list(range(len(long.blocks)))


def test_the_check_refuses_a_reply_in_which_no_name_stands_in_the_blocks() -> None:
    window = GraphWindow((WindowBlock(1, "text", "The Grey Heron sails."),))
    assert EXTRACT_GRAPH.check is not None
    with pytest.raises(ValueError, match="copy each name"):
        EXTRACT_GRAPH.check(window, ExtractedGraph.model_validate({"entities": [{"name": "Black Swan"}]}))
    assert EXTRACT_GRAPH.check(window, ExtractedGraph()) == ExtractedGraph()


def test_a_cost_estimate_names_as_many_calls_as_are_made() -> None:
    judge, model = judge_of(lambda _request: '{"entities": [], "relations": []}')
    inputs = LayerInputs(HANDBOOK, judge=judge, embedder=FakeEmbedder)
    assert ENTITIES.estimate is not None
    calls = [name for name, _, _ in ENTITIES.estimate(inputs)]
    graph_of(inputs)
    assert calls.count("extract_graph") == model.calls


def test_adjudication_by_a_model_is_one_call_and_its_verdict_unites() -> None:
    asked: list[Request] = []

    def reply(request: Request) -> str:
        asked.append(request)
        return '{"items": [{"id": 1, "reason": "short form", "match": 1}, {"id": 2, "match": 0}]}'

    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    judge = Judge({"adjudicate_entities": ScriptedModel(reply)}, gateway=gateway)
    text = "We met the Harwick Signal Group here. They say Harwick Signal works well. "
    found = graph(document([(Kind.PARAGRAPH, text, 1, 0)]), judge)
    assert len(asked) == 1
    assert (
        "candidate 1: Harwick Signal Group (organisation): We met the Harwick Signal Group here."
        in asked[0].turns[0].text
    )
    assert found.statistics["united_by_adjudication"] == 1
    assert "Harwick Signal Group" in found.entities.name
    assert "Harwick Signal" in list(found.entities.aliases)


# Tables, matrices, statistics


def test_views_join_graphs_and_shift_entities_and_blocks() -> None:
    other = document([(Kind.PARAGRAPH, "We sail the Storm Petrel to Norway.", 1, 0)], name="other.pdf")
    view = View([HANDBOOK, other], MemoryLayers([HANDBOOK, other]))
    first, second = graph(HANDBOOK), graph(other)
    joined = view.layer(ENTITIES_TABLE)
    assert len(joined) == len(first) + len(second)
    at = len(first) + list(second.entities.name).index("Norway")
    assert joined.entities.name[at] == "Norway"
    assert set(joined.mentions.block[joined.mentions.entity == at].tolist()) == {len(HANDBOOK.blocks)}


def test_matrices_have_the_shapes_a_walk_needs() -> None:
    found = graph(HANDBOOK)
    blocks = len(HANDBOOK.blocks)
    mentions, relations = mention_matrix(found, blocks), relation_matrix(found)
    assert mentions.shape == (len(found), blocks)
    assert mentions.sum() == len(found.mentions)
    assert abs(relations - relations.T).sum() == 0
    assert relations.max() <= 1
    assert mention_matrix(Graph.empty(), 0).shape == (0, 0)


def line(size: int, extra: tuple[tuple[int, int], ...] = ()) -> Graph:
    """Return a graph whose entities stand in a row, with more relations between some."""
    pairs = [*((at, at + 1) for at in range(size - 1)), *extra]
    base = Graph.empty()
    names = TextColumn.of(str(at) for at in range(size))
    blank = TextColumn.of([""] * size)
    entities = dataclasses.replace(base.entities, name=names, type=blank, description=blank, aliases=blank)
    text = TextColumn.of([""] * len(pairs))
    relations = dataclasses.replace(
        base.relations,
        source=np.array([left for left, _ in pairs], np.int32),
        target=np.array([right for _, right in pairs], np.int32),
        type=text,
        description=text,
        weight=np.ones(len(pairs), np.float32),
        block=np.zeros(len(pairs), np.int32),
    )
    return Graph(entities, base.mentions, relations)


def test_statistics_of_small_graphs_are_those_worked_by_hand() -> None:
    row = statistics_of(line(5))
    assert (row.entities, row.edges, row.components, row.diameter) == (5, 4, 1, 4)
    assert row.density == pytest.approx(0.4)
    ring = statistics_of(line(6, ((0, 5), (0, 5), (2, 2))))
    assert (ring.edges, ring.diameter) == (6, 3)
    assert statistics_of(Graph.empty()).entities == 0


def test_the_diameter_is_that_of_a_search_from_everywhere() -> None:
    import networkx

    draw = np.random.default_rng(3)
    for _ in range(8):
        size = 40
        extra = tuple((int(left), int(right)) for left, right in draw.integers(0, size, (6, 2)) if left != right)
        found = line(size, extra)
        source, target, _ = found.edges()
        known = networkx.Graph(zip(source.tolist(), target.tolist(), strict=True))
        assert statistics_of(found).diameter == networkx.diameter(known)


def test_merging_makes_a_document_of_aliases_denser_and_loses_no_mention() -> None:
    text = "The Northern Ferry Company (NFC) owns the Grey Heron. NFC owns Storm Petrel. The NFC sails to Norway. "
    text += "We saw Storm Petrel with the Grey Heron."
    found = graph(document([(Kind.PARAGRAPH, text, 1, 0)]))
    before, after = found.statistics["exact_names"], found.statistics["resolved"]
    assert after["entities"] < before["entities"]
    assert after["density"] > before["density"]
    assert after["components"] <= before["components"]
    assert found.statistics["mentions"] == len(found.mentions)


def test_a_damaged_graph_is_told() -> None:
    good = line(3)
    broken = Graph(good.entities, good.mentions, dataclasses.replace(good.relations, target=good.relations.target + 5))
    with pytest.raises(CorpusError, match="damaged"):
        Graph.from_bytes(broken.to_bytes())


def test_what_a_model_described_is_embedded_with_aliases_and_what_is_said() -> None:
    found = graph(HANDBOOK)
    texts = entity_texts(found)
    assert texts[list(found.entities.name).index("tidal warning index")].startswith("tidal warning index (TWI): ")


def test_optional_layers_come_after_what_they_read() -> None:
    known = set(LAYERS)
    for name, layer in Builders.default().in_build_order([*reversed([*OPTIONAL_LAYERS])]).items():
        assert set(layer.reads) <= known
        known.add(name)
    assert known == {*LAYERS, *OPTIONAL_LAYERS}
