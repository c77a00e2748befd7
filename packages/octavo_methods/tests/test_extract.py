"""From a question to sections: its entities in the graph, sections that mention them, and what helps without any."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import run_over
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Evidence, Query
from octavo.evidence.layer_tables import ENTITIES_TABLE
from octavo.models.language import Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import FirstFound, Run
from octavo.operators.score.search import Search
from octavo_documents.document import Document, Kind
from octavo_methods.bookrag.reasoning import NamedGraph
from octavo_methods.bookrag.select import Extract, SelectByEntity, SelectByScent, SelectBySection, section_of
from synthetic import document, documents

HANDBOOK = document(
    [
        (Kind.PARAGRAPH, "A word of greeting from the Grey Heron.", 1, 0),
        (Kind.HEADING, "1 Harbour", 1, 1),
        (
            Kind.PARAGRAPH,
            "The tidal warning index (TWI) is made in Harwick. Every hour the TWI is sent to Harwick.",
            1,
            0,
        ),
        (Kind.HEADING, "1.1 Berths", 2, 2),
        (Kind.PARAGRAPH, "The Grey Heron lies at pier two. The crew of the Grey Heron sleeps ashore.", 2, 0),
        (Kind.HEADING, "1.1.1 Fees", 2, 3),
        (Kind.PARAGRAPH, "A berth costs 12 crowns a night.", 2, 0),
        (Kind.HEADING, "2 Winter", 3, 1),
        (Kind.PARAGRAPH, "Two keepers stay in winter and read the tidal warning index.", 3, 0),
        (Kind.PAGE_FOOTER, "Grey Heron Press", 3, 0),
    ]
)


def linked(question: str, *entities: str, extract: Extract | None = None, run: Run | None = None) -> list[str]:
    """Return the names of the entities a question is linked to; the fake vectors say nothing, so by names alone."""
    run = run or run_over(HANDBOOK)
    found = (extract or Extract(nearest=0))(Query(question, entities=entities), run)
    names = run.view.layer(ENTITIES_TABLE).entities.name
    return [names[row] for row in (*found.linked, *found.near)]


@pytest.mark.parametrize("name", ["Grey Heron", "the grey herons", "GREY HERON"])
def test_a_name_is_found_by_its_normal_form(name: str) -> None:
    assert linked("?", name) == ["Grey Heron"]


@pytest.mark.parametrize("name", ["TWI", "tidal warning index", "Tidal Warning Indices"])
def test_an_acronym_and_what_it_is_short_for_are_one_entity(name: str) -> None:
    assert linked("?", name) == ["tidal warning index"]


def test_an_acronym_the_document_never_uses_finds_what_it_is_short_for() -> None:
    assert linked("?", "GH") == ["Grey Heron"]
    assert linked("?", "XQ") == []


def test_without_a_plan_the_names_of_the_question_are_decided_on() -> None:
    run = run_over(HANDBOOK)
    assert linked("Where does the Grey Heron lie?", run=run) == ["Grey Heron"]
    assert run.decided_by == {"rule": 1}
    model = ScriptedModel([json.dumps({"names": ["Harwick"], "acronyms": []})])
    run.judge = Judge({"language": model})
    assert linked("What is sent from Harwick?", run=run) == ["Harwick"]


def test_what_a_question_says_without_naming_it_is_found_by_vectors() -> None:
    run = run_over(HANDBOOK)
    assert "Harwick" in linked("harwick harwick", "nothing known", extract=Extract(nearest=3), run=run)
    assert linked("zzz", "nothing known", extract=Extract(nearest=3, least=0.99)) == []


def selected(*entities: str, depth: int = 0) -> list[int]:
    run = run_over(HANDBOOK)
    return (Extract(nearest=0) >> SelectByEntity(depth))(Query("?", entities=entities), run).rows.tolist()


def test_whole_sections_that_mention_an_entity_are_selected_and_blocks_before_the_first_heading() -> None:
    assert selected("Grey Heron") == [0, 3, 4, 5, 6]
    assert selected("tidal warning index") == [1, 2, 3, 4, 5, 6, 7, 8]


def test_depth_counts_sections_from_the_outside() -> None:
    assert selected("Grey Heron", depth=1) == [0, 1, 2, 3, 4, 5, 6]
    assert selected("Grey Heron", depth=2) == selected("Grey Heron", depth=9) == [0, 3, 4, 5, 6]


def test_no_entity_selects_nothing_and_the_outline_decides() -> None:
    assert selected("no such thing") == []
    run = run_over(HANDBOOK)
    select = FirstFound((Extract(nearest=0) >> SelectByEntity(), SelectBySection(1)))
    assert select(Query("What are the fees?", entities=("nothing",)), run).rows.tolist() == [5, 6]
    assert [step.step for step in run.trace] == ["Extract", "SelectByEntity", "SelectBySection"]
    assert [step.rows_out for step in run.trace[1:]] == [0, 2]
    assert run.trace[0].parameters["found"] == []


def test_a_model_chooses_sections_by_the_numbers_it_was_shown() -> None:
    shown: list[str] = []

    def choose(request: Request) -> str:
        shown.append(request.turns[0].text)
        return json.dumps({"sections": [7, 99]})

    run = run_over(HANDBOOK)
    run.judge = Judge({"language": ScriptedModel(choose)})
    assert SelectBySection()(Query("Who stays?"), run).rows.tolist() == [7, 8]
    assert "[3] 1.1 Berths" in shown[0]


def test_a_document_without_sections_is_selected_as_a_whole() -> None:
    source = document([(Kind.PARAGRAPH, "One.", 1, 0), (Kind.PAGE_FOOTER, "x", 1, 0), (Kind.PARAGRAPH, "Two.", 2, 0)])
    assert SelectBySection()(Query("Two?"), run_over(source)).rows.tolist() == [0, 2]


def test_scent_selects_the_sections_of_the_best_blocks() -> None:
    run = run_over(HANDBOOK)
    scent = SelectByScent(Search("bm25"), count=1, by="bm25")
    assert scent(Query("How many keepers stay in winter?"), run).rows.tolist() == [7, 8]
    assert [step.step for step in run.trace] == ["SelectByScent"]
    assert [step.step for step in run.trace[0].steps] == ["Search"]
    assert len(scent(Query("zebra"), run)) == 0


@given(documents(), st.integers(0, 3), st.data())
def test_the_section_of_a_row_holds_it(source: Document, depth: int, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, max(len(source.blocks) - 1, 0)), max_size=4)) if len(source.blocks) else []
    for row in rows:
        (section,) = section_of(source.blocks, np.array([row]), depth).tolist()
        assert section <= row < int(source.blocks.end[section])


# Without entity resolution


def test_names_written_differently_are_different_entities_in_the_basic_graph() -> None:
    run = run_over(HANDBOOK)
    resolved, basic = NamedGraph.of(run.view), NamedGraph.of(run.view, "basic_entities")
    assert len(basic.graph) > len(resolved.graph)
    assert len(basic.graph.mentions) == len(resolved.graph.mentions)
    names = list(basic.graph.entities.name)
    assert {"TWI", "tidal warning index"} <= set(names)
    assert len(set(names)) == len(names)
    for entity, block, start, stop in zip(
        *(getattr(basic.graph.mentions, name).tolist() for name in ("entity", "block", "start", "stop")), strict=True
    ):
        assert start < 0 or names[entity] == " ".join(HANDBOOK.blocks.text[block][start:stop].split())
    basic.graph.check()


def test_a_question_finds_only_the_sections_with_its_own_words_in_the_basic_graph() -> None:
    run = run_over(HANDBOOK)
    query = Extract(nearest=0, graph="basic_entities")(Query("?", entities=("TWI",)), run)
    assert SelectByEntity(graph="basic_entities")(query, run).rows.tolist() == [1, 2, 3, 4, 5, 6]
    assert selected("TWI")[-1] == 8


def test_an_unknown_graph_is_refused() -> None:
    run = run_over(HANDBOOK)
    with pytest.raises(UsageError, match="entities, basic_entities or bookindex"):
        SelectByEntity(graph="fuzzy")(Query("?", linked=(0,)), run)
    with pytest.raises(UsageError, match="no vectors"):
        Extract(graph="bookindex").needs()


def test_dates_and_quantities_are_no_named_entities() -> None:
    source = document([(Kind.PARAGRAPH, "In March 2018 the Grey Heron was bought for $4.1 million.", 1, 0)])
    assert linked("?", "March 2018", "$4.1 million", "Grey Heron", run=run_over(source)) == ["Grey Heron"]


def test_what_is_only_near_does_not_keep_the_outline_from_being_asked() -> None:
    run = run_over(HANDBOOK)
    query = Extract(nearest=3)(Query("harwick harwick", entities=("nothing known",)), run)
    assert (query.linked, len(query.near)) == ((), 1)
    assert len(SelectByEntity()(query, run)) == 0


def test_evidence_of_a_selection_says_so() -> None:
    found: Evidence = SelectBySection()(Query("winter"), run_over(HANDBOOK))
    assert found.sources["selected"].all()
