"""Kinds of blocks as a model that looked at the pages sees them, in queries, in what the agent is told, and to read."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from indexed import FakeEmbedder, view_of
from octavo.decisions.engine.judge import Judge
from octavo.decisions.investigate import ToolCall
from octavo.errors import SourceError
from octavo.evidence import Evidence, Query, View
from octavo.models.language import Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Place, Run
from octavo.operators.read.image_evidence import Spot, graphics
from octavo.operators.search_agent.graph_query import SymbolicGraphQuery
from octavo.operators.search_agent.seen_reader import SeenReader, as_seen
from octavo.operators.search_agent.tools import Called, lines_of, seen_in
from octavo_documents.document import Document, Kind
from seen_pages import Seeing, node, quick
from synthetic import document

H, P, C, T = Kind.HEADING, Kind.PARAGRAPH, Kind.CHART, Kind.TABLE
ROWS = [
    (H, "1 Catch", 1, 1),
    (P, "49 55", 1, 0),
    (P, "Not gone far enough", 1, 0),
    (C, "62 48", 2, 0),
    (C, "33 36", 2, 0),
    (T, "Gull | 12", 3, 0),
    (C, "", 4, 0),
]
SEEN = [
    [
        node("heading", "1 Catch"),
        node("line chart", "Not gone far enough: 49, 55", "Concern rose.", position="center"),
    ],
    [node("line chart", "Very 62 48; Somewhat 33 36", "One chart of two halves.", position="center")],
    [
        node("bar chart", "Gull 12", "A first chart.", position="center"),
        node("bar chart", "Gull 12, Tern 3", "A second chart.", position="center"),
    ],
    [node("photo", "a quay", "A photo of a quay.", position="center")],
]


def boxed(rows: Sequence[tuple[Kind, str, int, int]]) -> Document:
    """Return a document of blocks one below the other."""
    made = document(rows)
    boxes = np.array([[72, 80 + 90 * at, 500, 140 + 90 * at] for at in range(len(rows))], np.float32)
    return dataclasses.replace(made, blocks=dataclasses.replace(made.blocks, box=boxes))


def source() -> Document:
    return boxed(ROWS)


def queried(view: View, query: dict[str, Any], *, seen: bool = True) -> Called:
    run = Run(view, embedder=FakeEmbedder, query=Query("charts"))
    call = ToolCall(tool="symbolic_graph_query", query=query)
    return SymbolicGraphQuery(seen=seen).call(call, np.zeros(0, np.int64), run)


def test_a_query_by_kind_finds_what_was_seen_to_be_of_it() -> None:
    view = Seeing(SEEN).view(source())
    assert queried(view, {"kinds": ["chart"]}).result.tolist() == [2, 3, 4, 5, 6]
    assert queried(view, {"kinds": ["chart"]}, seen=False).result.tolist() == [3, 4, 6]
    assert queried(view, {"kinds": ["figure"]}).result.tolist() == [6]
    # What parsing says stays: a table that was seen to be a chart is found as both.
    assert queried(view, {"kinds": ["table"]}).result.tolist() == [5]
    beside = {"contains": ["catch"], "hops": 1, "reached": ["chart"]}
    assert 2 in queried(view, beside).result.tolist()
    assert 2 not in queried(view, beside, seen=False).result.tolist()


def test_a_count_tells_blocks_and_the_things_that_were_seen() -> None:
    view = Seeing(SEEN).view(source())
    counted = queried(view, {"kinds": ["chart"], "operation": "count", "group_by": "page"})
    assert counted.note == (
        "5 blocks (page 1: 1, page 2: 2, page 3: 1, page 4: 1); "
        "who looked at the pages saw 4 (page 1: 1, page 2: 1, page 3: 2)"
    )
    assert len(counted.shown) == 0
    # Where both are the same it is told once.
    assert queried(view, {"kinds": ["heading"]}).note == "1 blocks"


def test_pages_that_nobody_looked_at_count_by_their_blocks() -> None:
    sight = Seeing(SEEN)
    drawn = sight.render

    def render(page: int, box: object, dpi: float) -> Raster:
        if page == 2:
            raise SourceError("damaged", "no such page")
        return drawn(page, box, dpi)

    sight.render = render  # pyright: ignore[reportAttributeAccessIssue]
    note = queried(sight.view(source()), {"kinds": ["chart"], "operation": "count", "group_by": "page"}).note
    assert note.endswith("saw 5 (page 1: 1, page 2: 2, page 3: 2)")


def test_by_rule_kinds_are_those_of_parsing() -> None:
    view = view_of(source())
    for query in ({"kinds": ["chart"]}, {"kinds": ["chart"], "operation": "count", "group_by": "page"}):
        ours, plain = queried(view, query), queried(view, query, seen=False)
        assert (ours.result.tolist(), ours.note) == (plain.result.tolist(), plain.note)
        assert "saw" not in ours.note


def test_the_agent_is_told_the_kind_that_was_seen() -> None:
    view = Seeing(SEEN).view(source())
    told = lines_of(view, np.array([1, 2, 3, 5, 6]), seen=seen_in(view))
    assert [line.split("(")[1].split(")")[0].split(", ")[1] for line in told] == [
        "paragraph",
        "chart",
        "chart",
        "chart",
        "figure",
    ]


# To read


def test_what_was_seen_to_be_a_chart_is_a_picture_around_all_its_blocks() -> None:
    view = Seeing(SEEN).view(source())
    seen = as_seen(view)
    assert seen.blocks.kind.tolist() == [H, P, C, C, C, C, C]
    assert seen.blocks.box[2].tolist() == [72, 170, 500, 320]
    assert seen.blocks.box[[0, 1, 5, 6]].tolist() == view.blocks.box[[0, 1, 5, 6]].tolist()
    assert [graphics(seen, page) for page in range(4)] == [[Spot(page, row)] for page, row in enumerate((2, 3, 5, 6))]
    assert [spot.row for spot in graphics(view, 1)] == [3, 4]  # what parsing cut in two is one
    assert seen.documents[0].id == view.documents[0].id
    assert [*seen.blocks.text] == [*view.blocks.text]
    assert len(seen.passages) == len(view.passages)


def test_a_picture_is_drawn_without_its_neighbours_and_words_far_off() -> None:
    rows = [(P, "62 48", 1, 0), *[(P, f"Of {word}.", 1, 0) for word in ("gulls", "terns", "owls")]]
    rows += [(C, "Very 62 48", 1, 0), (P, "62 48", 1, 0), (C, "Hardly 62 48", 1, 0)]
    charts = [node("chart", "Very 62 48; 62 48; 62 48", title="One"), node("chart", "Hardly 62 48", title="Two")]
    view = Seeing([charts]).view(boxed(rows))
    boxes, seen = view.blocks.box, as_seen(view).blocks.box
    assert seen[4].tolist() == [72, 440, 500, 590]
    assert np.delete(seen, 4, axis=0).tolist() == np.delete(boxes, 4, axis=0).tolist()


def test_a_text_beside_a_picture_of_no_block_stays_a_text() -> None:
    rows = [(P, "The quay was built in stone.", 1, 0)]
    view = Seeing([[node("photo", "gulls over water"), node("paragraph", "The quay was built in stone.")]]).view(
        document(rows)
    )
    assert as_seen(view) is view


def test_a_table_that_was_seen_as_one_too_stays_a_table() -> None:
    both = [node("table", "Gull 12"), node("bar chart", "Gull 12 and Tern 3", title="Birds")]
    view = Seeing([both]).view(document([(T, "Gull | 12", 1, 0)]))
    assert as_seen(view) is view


def test_by_rule_blocks_are_seen_as_they_are() -> None:
    view = view_of(source(), document(ROWS, name="b.pdf"))
    assert as_seen(view) is view


def test_charts_of_labels_join_the_contact_sheet() -> None:
    view = Seeing([*SEEN, [node("bar chart", "9 8")]]).view(boxed([*ROWS, (C, "9 8", 5, 0)]))
    drawn: list[Place] = []

    def pictures(_document: str, places: Sequence[Place]) -> list[Raster]:
        drawn.extend(places)
        return [np.full((4, 4, 3), 9, np.uint8) for _ in places]

    def reply(request: Request) -> str:
        if request.decision == "choose_pictures":
            return json.dumps({"numbers": [1], "seen": "by lines"})
        return json.dumps({"evidence": [], "answerable": False})

    model = ScriptedModel(reply, sees=True)
    run = Run(view, embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()), pictures=pictures)
    run.query = Query("How many line charts are there in all?")
    SeenReader().read(Evidence.of(view, range(len(view)), relevance=np.ones(len(view))), run)
    listed = next(one.turns[0].text for one in model.requests if one.decision == "choose_pictures")
    assert "[1] page 1; chart\n[2] page 2; chart" in listed
    assert drawn[0].page == 1
    box = drawn[0].box
    assert box is not None
    assert box[1] <= 170
    assert box[3] >= 320


def test_a_chart_of_labels_that_the_agent_chose_is_shown() -> None:
    view, drawn = Seeing(SEEN).view(source()), list[Place]()

    def pictures(_document: str, places: Sequence[Place]) -> list[Raster]:
        drawn.extend(places)
        return [np.full((4, 4, 3), 9, np.uint8) for _ in places]

    model = ScriptedModel(lambda _: json.dumps({"evidence": [], "answerable": False}), sees=True)
    run = Run(view, embedder=FakeEmbedder, judge=Judge({"language": model}, gateway=quick()), pictures=pictures)
    run.query = Query("What colour is the upper line of the chart?")
    chosen = [1.0 if row == 2 else np.nan for row in range(len(view))]
    found = Evidence.of(view, range(len(view)), relevance=np.ones(len(view)), chosen_order=chosen)
    SeenReader().read(found | Evidence.of(view, [2], source="listed"), run)
    assert drawn[0].page == 1
    assert drawn[0].box is not None
    assert drawn[0].box[3] >= 320
