"""Locate: places a question names lead to their pages, and a question that names none to those that promise most."""

from __future__ import annotations

import json
import re

import pytest

from indexed import run_over
from located import BY_LABEL, GUIDE, LABELLED, LOCATED
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Evidence, Query
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import Script, ScriptedModel
from octavo.operators.core import Run
from octavo.operators.read.image_evidence import LOCATED as COLUMN
from octavo.operators.read.image_evidence import NAMED_ELEMENT
from octavo.systems import get, run_ask
from octavo.systems.baselines import SCORED
from octavo_documents.document import Document, Kind
from octavo_methods.dmap.locate import Locate
from synthetic import Row, document


def located(run: Run, question: str, *, limit: int = 30) -> Evidence:
    """Return what is located without any search before."""
    run.query = Query(question, limit=limit)
    return Locate()(Evidence.of(run.view, []), run)


def pages(found: Evidence) -> list[int]:
    """Return the located pages, best first."""
    return [hit.page for hit in found.pages(COLUMN)]


@pytest.fixture(scope="module")
def guide() -> Run:
    """A run over the guide, with its layers built once."""
    return run_over(GUIDE)


def test_the_table_of_phrasings_is_large() -> None:
    assert len(LOCATED) + len(BY_LABEL) >= 60


@pytest.mark.parametrize(("question", "expected"), LOCATED.items())
def test_a_phrasing_is_located_on_its_pages(guide: Run, question: str, expected: set[int]) -> None:
    assert set(pages(located(guide, question))) == expected


@pytest.mark.parametrize(("question", "expected"), BY_LABEL.items())
def test_a_printed_label_is_located_on_its_pages(question: str, expected: set[int]) -> None:
    assert set(pages(located(run_over(LABELLED), question))) == expected


def test_what_is_named_itself_is_marked_within_its_page(guide: Run) -> None:
    found = located(guide, "What does Table 3 show?")
    marked = found.rows[found.sources[NAMED_ELEMENT]].tolist()
    assert [GUIDE.blocks.text[row] for row in marked] == ["Table 3: Keepers"]


def test_a_page_that_is_named_comes_before_one_with_a_thing_that_is_named(guide: Run) -> None:
    assert pages(located(guide, "Does Figure 1 show what page 12 says?")) == [12, 7]


def test_the_limit_of_the_question_caps_what_is_located(guide: Run) -> None:
    assert len(pages(located(guide, "the first ten pages", limit=3))) == 3


def test_the_columns_of_a_search_come_along_on_located_pages_only() -> None:
    run = run_over(GUIDE)
    run.query = Query("Who bakes bread on page 9?")
    found = Locate()(SCORED(run.query, run), run)
    assert pages(found) == [9]
    assert {"fused", "bm25", COLUMN} <= found.scores.keys()


def test_the_kind_of_thing_a_question_speaks_of_makes_its_pages_promise_more() -> None:
    run = run_over(GUIDE)
    assert pages(located(run, "What falls in autumn according to the chart?"))[0] == 14
    assert pages(located(run, "What falls in autumn according to the keepers?"))[0] == 12


def test_a_question_that_names_nothing_is_located_on_the_pages_that_promise_most() -> None:
    run = run_over(GUIDE)
    run.query = Query("How many crowns does a berth cost?")
    found = Locate()(SCORED(run.query, run), run)
    best = pages(found)
    assert best[0] in (5, 6)
    assert len(best) <= 10
    assert all(0 < score < 0.5 for score in found.scores[COLUMN])


def test_without_a_search_summaries_alone_decide() -> None:
    assert pages(located(run_over(GUIDE), "bread bakes crew"))[0] in (9, 10)


@pytest.mark.parametrize("source", [document([]), document([], pages=3), document([(Kind.PARAGRAPH, "Alone.", 1, 0)])])
def test_a_document_with_nothing_or_no_outline_raises_nothing(source: Document) -> None:
    assert len(located(run_over(source), "Who bakes?")) <= 1
    assert len(located(run_over(source), "Who bakes on page 3 of Appendix B, see Table 9?")) <= 1


def test_two_documents_are_located_apart() -> None:
    other = document([(Kind.HEADING, "Kitchen", 1, 1), (Kind.HEADING, "Crew", 2, 1)], pages=2, name="other.pdf")
    found = located(run_over(GUIDE, other), "the Crew section")
    assert {(hit.document, hit.page) for hit in found.pages(COLUMN)} == {(0, 9), (0, 10), (0, 11), (0, 12), (1, 2)}


@pytest.mark.parametrize("wrong", [{"pages": 0}, {"sections": 0}])
def test_nothing_to_locate_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="one page and one section"):
        Locate(**wrong)


# With a model


def asked(script: Script, question: str, source: Document = GUIDE) -> tuple[list[int], ScriptedModel, Run]:
    model = ScriptedModel(script)
    run = run_over(source)
    run.judge = Judge({"language": model})
    return pages(located(run, question)), model, run


def choosing(title: str, relevant: str = "nothing") -> Script:
    """A model that locates the pages of which a title is told, and calls items relevant that hold some words."""

    def say(request: Request) -> str:
        text = request.turns[0].text
        if request.decision == "locate_on_map":
            numbers = re.findall(rf"^Page (\d+): .*{title}", text, re.M)
            return json.dumps({"location": [f"Page {number}" for number in numbers]})
        items = re.findall(r"<item id=(\d+)>(.*?)</item>", text, re.DOTALL)
        return json.dumps({"items": [{"id": int(at), "relevance": float(relevant in item)} for at, item in items]})

    return say


def test_a_model_sees_the_outline_and_all_summaries_and_a_few_pages_are_not_asked_about_again() -> None:
    found, model, _ = asked(choosing("4.1 Wind"), "Where does it come from?")
    assert found == [15]
    assert [request.decision for request in model.requests] == ["locate_on_map"]
    text = model.requests[0].turns[0].text
    assert "4.1 Wind <-> 15" in text
    assert [int(number) for number in re.findall(r"^Page (\d+): ", text, re.M)] == list(range(1, 21))


def test_located_pages_are_ranked_as_the_model_ranks_them_and_tables_lead_to_their_pages() -> None:
    found, _, _ = asked([json.dumps({"location": ["Page 18", "Table 2", "Page 3", "Figure 77"]})], "Where is it from?")
    assert found == [18, 11, 3]


def test_summaries_that_do_not_fit_the_context_are_those_of_chosen_sections() -> None:
    run = run_over(GUIDE)

    def say(request: Request) -> str:
        if request.decision == "select_sections":
            text = request.turns[0].text
            return json.dumps({"sections": [int(at) for at in re.findall(r"\[(\d+)\] Appendix B Logs: ", text)]})
        return choosing("Day two")(request)

    model = ScriptedModel(say, context_tokens=1300)
    run.judge = Judge({"language": model})
    assert pages(located(run, "What was it like?")) == [18]
    assert [request.decision for request in model.requests] == ["select_sections", "locate_on_map"]
    assert re.findall(r"^Page (\d+): ", model.requests[1].turns[0].text, re.M) == ["17", "18"]


def test_a_question_about_all_pages_is_not_located_by_choosing_some() -> None:
    found, model, _ = asked([], "How many pages have a table?")
    assert model.calls == 0
    assert 11 in found


def test_the_pages_of_larger_sections_are_judged_by_their_summaries() -> None:
    found, model, _ = asked(choosing("(?:2 Mooring|3 Crew)", "page 10)"), "What is baked?")
    assert [request.decision for request in model.requests] == ["locate_on_map", "judge_page_relevance"]
    assert found == [10]


def test_where_no_page_helps_two_are_located_all_the_same() -> None:
    found, _, _ = asked(choosing("(?:2 Mooring|3 Crew)"), "What is baked?")
    assert len(found) == 2


def test_a_page_is_judged_by_what_is_nearest_to_the_question_and_told_once() -> None:
    _, model, _ = asked(choosing("(?:2 Mooring|3 Crew)", "page 10)"), "What is baked?")
    items = dict(
        re.findall(r"<item id=\d+>\n\((page \d+)\)\n(.*?)\n</item>", model.requests[1].turns[0].text, re.DOTALL)
    )
    assert items["page 9"] == "[3 Crew]\nThe crew bakes its bread."
    assert all("photo" not in text for text in items.values())


def test_the_pages_of_a_short_document_are_not_judged() -> None:
    rows: list[Row] = []
    for page in range(1, 9):
        rows += [(Kind.HEADING, f"{page} Part", page, 1), (Kind.PARAGRAPH, f"The crew bakes on day {page}.", page, 0)]
    found, model, _ = asked(choosing(r"\d Part"), "What is baked?", document(rows))
    assert [request.decision for request in model.requests] == ["locate_on_map"]
    assert found == list(range(1, 9))


def test_pages_that_a_model_chooses_are_sure_to_be_read() -> None:
    line = "The bread of the crew is baked by the bakers of the harbour at night."
    rows: list[Row] = [(Kind.HEADING, "1 Bread", 1, 1)]
    rows += [(Kind.PARAGRAPH, f"{line} {page} {'y ' * 700}", page, 0) for page in range(1, 20)]
    rows += [(Kind.HEADING, "2 Map", 20, 1), (Kind.PARAGRAPH, "MUMBAI BHOPAL HASSAN", 20, 0)]

    def say(request: Request) -> str:
        if request.decision == "answer_from_evidence":
            return json.dumps({"evidence": [], "answerable": False, "answer": "", "missing": []})
        return choosing("2 Map")(request)

    model = ScriptedModel(say)
    run = run_over(document(rows))
    run.judge = Judge({"language": model})
    run_ask(get("dmap"), Query("Who bakes the bread of the crew at night?", limit=16), run)
    assert "MUMBAI BHOPAL HASSAN" in model.requests[-1].turns[0].text.partition("<passage")[2]


def test_what_the_question_names_costs_no_call() -> None:
    found, model, _ = asked([], "What is on page 7?")
    assert (found, model.calls) == ([7], 0)


def test_a_model_is_asked_what_the_grammar_may_have_missed() -> None:
    words = "page that faces Table 2"
    reply = {"references": [{"words": words, "what": "page", "anchor": "Table 2", "relation": "same page"}]}
    found, model, _ = asked([json.dumps(reply)], f"What is in the lower half of the {words}?")
    assert model.requests[0].decision == "locate_references"
    assert found == [11]


@pytest.mark.parametrize("kind", [FaultKind.SERVER, FaultKind.REFUSED, FaultKind.EMPTY])
def test_a_model_that_fails_leaves_it_to_the_rules(kind: FaultKind) -> None:
    found, _, run = asked(lambda _request: ModelFault(kind, "no"), "Who bakes the bread of the crew?")
    assert 9 in found
    assert "rule" in run.decided_by
