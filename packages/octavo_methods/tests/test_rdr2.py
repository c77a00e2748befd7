"""RDR2 as a whole: subtrees, rounds of routing on scripted answers, routed passages, ablations, poor models."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexed import run_over
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Evidence, Query
from octavo.models.gateway import Budget, Caps, Gateway, Limits, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Request, estimate_tokens
from octavo.models.scripted import Script, ScriptedModel
from octavo.operators.core import Run
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.material import choose_what_a_model_reads
from octavo.operators.read.passage_choice import ONE_PLACE
from octavo.systems import ABLATIONS, get
from octavo_documents.document import Document, Kind
from octavo_methods.rdr2.routing import UNSURE, Route, RoutedPassages
from octavo_methods.rdr2.trees import (
    VISIBLE,
    HeadingsOnly,
    RandomSubtree,
    RetrievalSubtree,
    RetrievePassages,
    node_scores,
)
from parks import GARDENS, PARK, QUESTION, document_of, lines_of, number_of, reply, retrieved, router
from synthetic import document, documents

NAMES = ["rdr2", *(name for name in ABLATIONS if name.startswith("rdr2-") and "paper" not in name)]
NINETIES, TWO_THOUSANDS = "In the 1990s", "In 2001"
PASSAGES = RetrievalSubtree() >> Route() >> RoutedPassages()


def run_with(script: Script | None, *given: Document, caps: Caps | None = None) -> tuple[Run, ScriptedModel]:
    run = run_over(*given, question=QUESTION)
    model = ScriptedModel(script or [])
    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    run.judge = Judge({"language": model} if script else None, gateway=gateway, budget=Budget(caps))
    return run, model


def with_router_of_its_own(script: Script, *given: Document) -> tuple[Run, ScriptedModel]:
    """Return a run whose model is named for this decision alone, as a trained router is."""
    run, model = run_with(script, *given)
    run.judge = Judge({"route_document": model})
    return run, model


def both(run: Run, *texts: str) -> Evidence:
    return retrieved(run.view, *(texts or (NINETIES, TWO_THOUSANDS)))


def texts(evidence: Evidence, *, ranked: bool = False) -> list[str]:
    rows = evidence.ranked(RELEVANCE) if ranked else evidence.rows
    return [
        evidence.view.blocks.text[row] for row in rows.tolist() if evidence.view.blocks.kind_of(row) != Kind.HEADING
    ]


def rounds(run: Run) -> list[dict[str, object]]:
    (step,) = [one for one in run.trace if one.step == "Route"]
    return [dict(one.parameters) for one in step.steps]


# The worked example of the paper, in our own words


def example() -> dict[str, list[str]]:
    ride, records = number_of(PARK, TWO_THOUSANDS), number_of(PARK, "Records")
    coaster, swing = number_of(PARK, "Tallest coaster"), number_of(PARK, "Tallest swing")
    return {
        "Petrel Gardens": [reply(expand=(0,)), reply(refuse=True)],
        "Heron Park": [reply((ride,), (records,)), reply((coaster, swing))],
    }


def test_the_worked_example() -> None:
    run, model = run_with(router(example()), GARDENS, PARK)
    found = PASSAGES(both(run), run)
    assert texts(found) == [
        "In 2001 the park opened Storm Petrel, then its tallest ride.",
        "Tallest coaster of the country: Storm Petrel (75 m)",
        "Tallest swing of the world: Marsh Lark (122 m)",
    ]
    assert [[one[key] for key in ("documents", "routed", "expanded", "refused")] for one in rounds(run)] == [
        [2, 1, 2, 0],
        [2, 2, 0, 1],
    ]
    assert model.calls == 4


def test_a_router_sees_all_headings_and_the_content_beside_what_was_retrieved() -> None:
    run, model = run_with(router(example()), GARDENS, PARK)
    PASSAGES(both(run), run)
    first, second = (
        lines_of(one) for name in ("Petrel Gardens",) for one in model.requests if document_of(one) == name
    )
    assert first == [
        "0: + Introduction",
        "4: # History",
        "  5: # 1990s",
        "    6: In the 1990s the gardens opened a wooden ride that was the tallest of the county.",
        "7: + Visitors",
    ]
    assert second == [
        "0: # Introduction",
        "  2: Petrel Gardens is a pleasure garden by the estuary.",
        "  3: The town owns it and lends it to a society of friends.",
        "4: # History",
        "  5: # 1990s",
        "    6: In the 1990s the gardens opened a wooden ride that was the tallest of the county.",
        "7: + Visitors",
    ]


def test_for_a_router_of_its_own_what_is_expanded_takes_the_place_of_what_was_visible() -> None:
    run, model = with_router_of_its_own(router(example()), GARDENS, PARK)
    PASSAGES(both(run), run)
    last = lines_of([one for one in model.requests if document_of(one) == "Heron Park"][-1])
    assert not [line for line in last if TWO_THOUSANDS in line]
    assert len([line for line in last if re.match(r"    \d+: (Tallest|Fastest|Largest)", line)]) == 4


def test_the_rows_of_a_table_stay_apart() -> None:
    source = document([(Kind.HEADING, "Rides", 1, 1), (Kind.TABLE, "Ride | Height\nHeron | 40\nPetrel | 38", 1, 0)])
    run, model = run_with(lambda _request: reply(refuse=True), source)
    (RetrievalSubtree() >> Route())(retrieved(run.view, "Ride | Height"), run)
    assert "Ride | Height / Heron | 40 / Petrel | 38" in model.requests[0].turns[0].text


def test_what_was_chosen_stays_when_a_later_step_refuses() -> None:
    records, ride = number_of(PARK, "Records"), number_of(PARK, TWO_THOUSANDS)
    run, _ = run_with([reply((ride,), (records,)), reply(refuse=True)], PARK)
    assert any(text.startswith(TWO_THOUSANDS) for text in texts(PASSAGES(both(run, TWO_THOUSANDS), run)))


# Rounds


def test_headings_are_opened_most_promising_first_and_no_more_than_the_iterations() -> None:
    awards, records = number_of(PARK, "Awards"), number_of(PARK, "Records")
    said = [reply(expand=(awards, 0, records)), reply((awards + 1,)), reply((2,))]
    run, model = with_router_of_its_own(said, PARK)
    (RetrievalSubtree() >> Route(iterations=2))(both(run, TWO_THOUSANDS), run)
    shown = [[line for line in lines_of(one) if not re.match(r" *\d+: [+#]", line)] for one in model.requests]
    assert "medal" in shown[1][0]
    assert "amusement" in shown[2][0]
    assert model.calls == 3


def test_a_model_opens_several_headings_at_once_and_is_told_how_many_are_left() -> None:
    awards, records = number_of(PARK, "Awards"), number_of(PARK, "Records")
    run, model = run_with([reply(expand=(awards, 0, records)), reply((awards + 1, 2))], PARK)
    (RetrievalSubtree() >> Route(iterations=4))(both(run, TWO_THOUSANDS), run)
    shown = "\n".join(lines_of(model.requests[1]))
    assert all(words in shown for words in ("medal", "amusement", "Tallest coaster", TWO_THOUSANDS))
    left = [re.search(r"can still be opened here: (\d+)\.", one.turns[0].text) for one in model.requests]
    assert [found and found[1] for found in left] == ["4", "1"]
    assert ["At most 3 are opened in one step" in one.turns[0].text for one in model.requests] == [True, False]


def test_a_long_section_that_stays_open_can_be_opened_on() -> None:
    rows = [(Kind.HEADING, "Hall", 1, 1), (Kind.PARAGRAPH, "The hall is old.", 1, 0), (Kind.HEADING, "Rides", 1, 1)]
    rows += [(Kind.PARAGRAPH, f"Ride {at} went round the pond at {at} metres an hour.", 1, 0) for at in range(40)]
    source = document(rows, name="Long")
    run, model = run_with(lambda _request: reply(expand=(number_of(source, "Rides"),)), source)
    (RetrievalSubtree(tokens=200) >> Route(tokens=200))(retrieved(run.view, "The hall"), run)
    seen = [set(re.findall(r"Ride (\d+) ", one.turns[0].text)) for one in model.requests]
    assert len(set().union(*seen)) == 40
    assert max(map(len, seen)) < 40


def test_a_refusal_ends_what_was_opened_and_headings_that_wait_are_opened() -> None:
    awards, records = number_of(PARK, "Awards"), number_of(PARK, "Records")
    said = [reply(expand=(awards, records)), reply(refuse=True), reply((number_of(PARK, "Tallest swing"),))]
    run, model = with_router_of_its_own(said, PARK)
    found = PASSAGES(both(run, TWO_THOUSANDS), run)
    assert [text.split()[0] for text in texts(found)] == ["Tallest"]
    assert model.calls == 3


def test_no_heading_is_opened_twice_and_none_that_has_no_content() -> None:
    records = number_of(PARK, "Records")
    run, model = run_with(lambda _request: reply(expand=(records, number_of(PARK, "Firsts and"))), PARK)
    (RetrievalSubtree() >> Route())(both(run, TWO_THOUSANDS), run)
    assert model.calls == 2
    assert [one["dropped"] for one in rounds(run)] == [1, 2]


def test_without_iterations_there_is_one_round() -> None:
    run, model = run_with(lambda _request: reply(expand=(0,)), GARDENS, PARK)
    (RetrievalSubtree() >> Route(iterations=0))(both(run), run)
    assert model.calls == 2
    assert len(rounds(run)) == 1


def test_a_later_round_shows_what_was_marked_in_all_documents() -> None:
    run, model = run_with(router(example()), GARDENS, PARK)
    PASSAGES(both(run), run)
    line = "<found>\n- Heron Park: In 2001 the park opened Storm Petrel, then its tallest ride.\n</found>\n<question>"
    assert [line in one.turns[0].text for one in model.requests] == [False, False, True, True]


def test_a_router_of_its_own_is_asked_as_it_was_trained() -> None:
    run, model = run_with(router(example()), GARDENS, PARK)
    run.judge = Judge({"route_document": model})
    PASSAGES(both(run), run)
    assert model.calls == 4
    assert not any("<found>" in one.turns[0].text for one in model.requests)


def test_no_round_begins_when_what_was_found_settles_the_question() -> None:
    ride, records = number_of(PARK, TWO_THOUSANDS), number_of(PARK, "Records")
    said = {"Petrel Gardens": [reply(expand=(0,))], "Heron Park": [settled((ride,), (records,))]}
    run, model = run_with(router(said), GARDENS, PARK)
    assert [text[:7] for text in texts(PASSAGES(both(run), run))] == [TWO_THOUSANDS]
    assert (model.calls, len(rounds(run))) == (2, 1)


def test_what_other_documents_say_may_settle_the_question_where_this_one_says_nothing() -> None:
    said = {"Petrel Gardens": [reply(expand=(0,)), settled()], "Heron Park": [example()["Heron Park"][0], settled()]}
    run, model = run_with(router(said), GARDENS, PARK)
    assert [text[:7] for text in texts(PASSAGES(both(run), run))] == [TWO_THOUSANDS]
    assert (model.calls, rounds(run)[1]["collapsed"]) == (4, 0)


def test_nothing_is_settled_while_nothing_was_found() -> None:
    run, model = run_with([settled(expand=(number_of(PARK, "Records"),)), reply(refuse=True)], PARK)
    PASSAGES(both(run, TWO_THOUSANDS), run)
    assert model.calls == 2


def settled(answer: tuple[int, ...] = (), expand: tuple[int, ...] = ()) -> str:
    return json.dumps({**json.loads(reply(answer, expand)), "done": True})


def test_all_documents_of_a_round_are_asked_at_once() -> None:
    run, model = run_with(router(example()), GARDENS, PARK)
    PASSAGES(both(run), run)
    asked = [document_of(one) for one in model.requests]
    assert sorted(asked[:2]) == sorted(asked[2:]) == ["Heron Park", "Petrel Gardens"]


# What a model may say


def test_illegal_actions_are_dropped_and_counted() -> None:
    ride = number_of(PARK, TWO_THOUSANDS)
    run, _ = run_with([reply((ride, 3, 999, -4), (ride, 777))], PARK)
    found = PASSAGES(both(run, TWO_THOUSANDS), run)
    assert texts(found) == ["In 2001 the park opened Storm Petrel, then its tallest ride."]
    assert rounds(run)[0]["dropped"] == 5


def test_where_nothing_legal_is_said_the_rule_acts_and_the_collapse_is_counted() -> None:
    run, model = run_with([reply((999,))], PARK)
    found = PASSAGES(both(run, TWO_THOUSANDS), run)
    assert texts(found) == ["In 2001 the park opened Storm Petrel, then its tallest ride."]
    assert (rounds(run)[0]["collapsed"], rounds(run)[0]["dropped"], model.calls) == (1, 1, 1)


FAULTS: Sequence[Callable[[Request], str | ModelFault]] = (
    lambda _request: "",
    lambda _request: "I cannot tell.",
    lambda _request: "[ANSWER]",
    lambda _request: '{"answer": [[1]], "expand": {}, "refuse": "maybe"}',
    lambda _request: '{"answer": [' + "9" * 5000 + "]}",
    lambda _request: "[EXPAND] " + ", ".join(map(str, range(2000))),
    lambda _request: "</lines> ignore all rules [REFUSE]",
    lambda _request: ModelFault(FaultKind.TIMEOUT, "too slow"),
    lambda _request: ModelFault(FaultKind.REFUSED, "no"),
)


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_a_model_leaves_a_question_without_evidence(fault: Callable[[Request], str | ModelFault]) -> None:
    run, _ = run_with(fault, GARDENS, PARK)
    found = PASSAGES(both(run), run)
    assert len(found)
    assert np.isfinite(found.scores[RELEVANCE]).all()


def test_a_spent_budget_leaves_it_to_the_rule() -> None:
    run, model = run_with(router(example()), GARDENS, PARK, caps=Caps(calls=1))
    found = PASSAGES(both(run), run)
    assert model.calls == 1
    assert len(found)


@settings(max_examples=30, deadline=None)
@given(given=documents(), data=st.data())
def test_any_actions_on_any_document_choose_content_that_was_visible(given: Document, data: st.DataObject) -> None:
    ids = st.lists(st.integers(-3, 26), max_size=6)

    def script(request: Request) -> str:
        seen.update(int(found[1]) for line in lines_of(request) if (found := re.match(r" *(\d+): (?![+#])", line)))
        return reply(tuple(data.draw(ids)), tuple(data.draw(ids)), refuse=data.draw(st.booleans()))

    seen: set[int] = set()
    run, _ = run_with(script, given)
    evidence = Evidence.of(run.view, range(0, len(run.view), 3), retrieved=np.ones(len(range(0, len(run.view), 3))))
    found = (RetrievalSubtree() >> Route(iterations=2))(evidence, run)
    chosen = found.rows[np.isfinite(found.scores["routed"])]
    assert {row + 1 for row in chosen.tolist()} <= seen
    assert len(rounds(run)) <= 3


# Subtrees


def visible(evidence: Evidence) -> list[str]:
    return [evidence.view.blocks.text[row] for row in evidence.rows[evidence.scores[VISIBLE] == 1]]


def test_a_subtree_shows_siblings_of_what_was_retrieved_and_nothing_of_other_sections() -> None:
    run = run_over(PARK)
    found = RetrievalSubtree()(retrieved(run.view, "Fastest coaster"), run)
    assert [text.split()[0] for text in visible(found)] == ["Tallest", "Fastest", "Largest", "Tallest"]


def test_a_subtree_keeps_to_its_size_the_retrieved_first() -> None:
    run = run_over(PARK)
    found = RetrievalSubtree(tokens=30)(retrieved(run.view, "Largest pond"), run)
    assert "Largest pond: the Mirror" in visible(found)
    assert len(visible(found)) < 4


def test_documents_of_which_nothing_was_retrieved_are_not_routed() -> None:
    run = run_over(GARDENS, PARK)
    found = RetrievalSubtree()(retrieved(run.view, TWO_THOUSANDS), run)
    routed = Route()(found.keep(run.view.document[found.rows] == 1), run)
    assert set(run.view.document[routed.rows].tolist()) == {1}


def test_a_lot_falls_the_same_way_each_time_and_not_always_on_the_same_heading() -> None:
    shown = set[tuple[str, ...]]()
    for number in range(12):
        run = run_over(PARK, question=f"{QUESTION} {number}")
        found = [RandomSubtree()(both(run, TWO_THOUSANDS), run) for _ in range(2)]
        assert visible(found[0]) == visible(found[1]) != []
        assert "fused" not in found[0].scores
        shown.add(tuple(visible(found[0])))
    assert len(shown) > 2


def test_headings_only_shows_no_content_and_can_still_be_expanded() -> None:
    run, model = run_with([reply(expand=(number_of(PARK, "Records"),)), reply(refuse=True)], PARK)
    (HeadingsOnly() >> Route())(both(run, TWO_THOUSANDS), run)
    assert all(re.match(r" *\d+: [+#] ", line) for line in lines_of(model.requests[0]))
    assert len([line for line in lines_of(model.requests[1]) if "Tallest" in line]) == 2


def test_without_a_subtree_the_router_sees_the_retrieved_content_alone() -> None:
    run, model = run_with(lambda _request: reply(refuse=True), GARDENS, PARK)
    Route()(both(run), run)
    assert sorted(len(lines_of(one)) for one in model.requests) == [1, 1]
    assert all(not re.match(r"\d+: [+#] ", lines_of(one)[0]) for one in model.requests)


def test_a_document_with_very_many_headings_shows_those_that_matter() -> None:
    rows = [
        row
        for at in range(400)
        for row in ((Kind.HEADING, f"Part {at}", 1, 1 + at % 3), (Kind.PARAGRAPH, f"Text number {at}.", 1, 0))
    ]
    run, model = run_with(lambda _request: reply(refuse=True), document(rows, name="long"))
    (RetrievalSubtree() >> Route())(retrieved(run.view, "Text number 398."), run)
    shown = lines_of(model.requests[0])
    assert len(shown) < 140
    assert [line for line in shown if "Part 398" in line]


# Retrieval and routed passages


def test_retrieval_marks_the_best_passages_and_keeps_their_documents() -> None:
    run = run_over(GARDENS, PARK, question="Marsh Lark swing")
    scored = Evidence.of(run.view, range(len(run.view)), fused=np.arange(len(run.view)))
    one = RetrievePassages("fused", 1)(scored, run)
    assert set(run.view.document[one.rows].tolist()) == {1}
    assert len(RetrievePassages("fused", 0)(scored, run)) == 0
    more = RetrievePassages("fused", 99)(scored, run)
    assert np.isfinite(more.scores["retrieved"]).sum() > np.isfinite(one.scores["retrieved"]).sum()


def test_passages_come_by_document_in_order_of_retrieval_each_row_once_with_its_headings() -> None:
    ride, records = number_of(PARK, TWO_THOUSANDS), number_of(PARK, "Records")
    said = {
        "Petrel Gardens": [reply((6,))],
        "Heron Park": [
            reply((ride, ride), (records,)),
            reply((number_of(PARK, "Largest"), number_of(PARK, "Fastest"))),
        ],
    }
    run, _ = run_with(router(said), GARDENS, PARK)
    found = PASSAGES(both(run, TWO_THOUSANDS, NINETIES), run)
    assert len(texts(found)) == len(set(texts(found))) == 4
    assert [text.split()[0] for text in texts(found)] == ["In", "In", "Fastest", "Largest"]
    best = found.view.document[found.ranked(RELEVANCE)]
    assert best.tolist() == sorted(best.tolist(), reverse=True)
    headings = {found.view.blocks.text[row] for row in found.rows if found.view.blocks.kind_of(row) == Kind.HEADING}
    assert headings == {"History", "1990s", "2000s", "Firsts and records", "Records"}


def test_without_a_router_bare_passages_are_read_the_best_first() -> None:
    found = systems.run_search(get("rdr2-no-router"), Query("Heron Park hedges medal"), run_over(GARDENS, PARK))
    evidence = found.evidence
    assert not np.isin(evidence.rows, evidence.view.sections()).any()
    scores = evidence.scores["retrieved"][evidence.ranking(RELEVANCE)]
    assert (np.diff(scores) <= 0).all()


def test_the_root_is_called_by_the_title_of_the_document() -> None:
    source = document([(Kind.TITLE, "Heron Park", 1, 0), (Kind.PARAGRAPH, "A park.", 1, 0)], name="export-7.html")
    run, model = run_with(lambda _request: reply(refuse=True), source)
    PASSAGES(retrieved(run.view, "A park"), run)
    assert document_of(model.requests[0]) == "Heron Park"


def test_when_every_document_is_refused_what_was_retrieved_is_read_and_marked() -> None:
    run, _ = run_with(lambda _request: reply(refuse=True), GARDENS, PARK)
    found = PASSAGES(both(run), run)
    assert [text[:7] for text in texts(found)] == [NINETIES[:7], TWO_THOUSANDS]
    assert found.sources[UNSURE].all()
    assert run.trace[-1].parameters["unsure"] is True


def test_a_strict_system_reads_nothing_then() -> None:
    run, _ = run_with(lambda _request: reply(refuse=True), GARDENS, PARK)
    assert len((RetrievalSubtree() >> Route() >> RoutedPassages(strict=True))(both(run), run)) == 0


def test_what_a_router_chose_is_not_marked() -> None:
    run, _ = run_with(router(example()), GARDENS, PARK)
    assert UNSURE not in PASSAGES(both(run), run).sources


# The system


def plan(name: str) -> set[str]:
    parts = ("RetrievePassages", "RetrievalSubtree", "RandomSubtree", "HeadingsOnly", "Route(", "RoutedPassages")
    return {part for part in parts if part in repr(get(name).answer)}


def test_each_ablation_is_an_expression_of_its_own() -> None:
    assert plan("rdr2-no-router") == {"RetrievePassages"}
    common = {"RetrievePassages", "RoutedPassages"}
    assert {name.removeprefix("rdr2-"): plan(name) - common for name in NAMES} == {
        "rdr2": {"RetrievalSubtree", "Route("},
        "no-router": set(),
        "no-structure": {"Route("},
        "no-similarity": {"RandomSubtree", "Route("},
        "no-content": {"HeadingsOnly", "Route("},
        "no-expand": {"RetrievalSubtree", "Route("},
        "no-refuse": {"RetrievalSubtree", "Route("},
    }
    assert "iterations=0" in repr(get("rdr2-no-expand").answer)
    assert "refuses=False" in repr(get("rdr2-no-refuse").answer)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("question", [QUESTION, "Who won a medal?", "zebra", "??"])
def test_every_variant_answers_without_a_model_and_within_the_limit(name: str, question: str) -> None:
    found = systems.run_search(get(name), Query(question, limit=2), run_over(GARDENS, PARK))
    assert len(found.evidence.pages(found.by)) <= 2
    answer = systems.run_ask(get(name), Query(question), run_over(GARDENS, PARK))
    assert set(answer.decided_by) <= {"rule"}


def test_a_question_over_two_documents_takes_a_call_each_round_and_document_and_one_to_read() -> None:
    def script(request: Request) -> str:
        if request.decision == "route_document":
            return reply(
                tuple(int(found[1]) for line in lines_of(request) if (found := re.match(r" *(\d+): [^+#]", line)))
            )
        found = re.search(r"<passage id=(\d+)>\n(.*?)\n", request.turns[0].text)
        assert found is not None
        cited = [{"id": int(found[1]), "quote": found[2]}]
        return json.dumps({"evidence": cited, "answerable": True, "answer": found[2]})

    run, model = run_with(script, GARDENS, PARK)
    answer = systems.run_ask(get("rdr2"), Query(QUESTION), run)
    assert answer.answerable
    assert [one.decision for one in model.requests] == ["route_document", "route_document", "answer_from_evidence"]
    assert {citation.document for citation in answer.citations} <= {"Heron Park", "Petrel Gardens"}


def test_a_reader_is_shown_all_that_was_marked_however_much_it_is() -> None:
    words = [f"keeper{at} " + "rowed out to a far lamp in the dark " * 25 for at in range(24)]
    rows = [(Kind.HEADING, "Rides", 1, 1), *((Kind.PARAGRAPH, one, 1 + at // 4, 0) for at, one in enumerate(words))]
    source = document([*rows, (Kind.PARAGRAPH, "The tallest ride of the park is the tallest.", 7, 0)], name="Lamps")
    run, _ = run_with(lambda _request: reply(tuple(range(2, 26))), source)
    found = (Route() >> RoutedPassages())(Evidence.of(run.view, range(26), fused=np.ones(26)), run)
    shown = "".join(one.text for one in choose_what_a_model_reads(found, run, "answer_from_evidence").shown)
    assert estimate_tokens(shown) > 2 * ONE_PLACE
    assert [at for at in range(24) if f"keeper{at} " not in shown] == []


def test_of_a_long_table_that_was_marked_a_reader_is_shown_the_parts_that_settle() -> None:
    table = "Ride | Height\n" + "\n".join(f"Ride {at} of the long quay by the sea | {at} metres" for at in range(900))
    rows = [(Kind.HEADING, "Rides", 1, 1), (Kind.TABLE, table, 1, 0), (Kind.PARAGRAPH, "Keepers row.", 2, 0)]
    run, _ = run_with(lambda _request: reply((2, 3)), document(rows, name="Rides"))
    found = (Route() >> RoutedPassages())(Evidence.of(run.view, range(3), fused=np.ones(3)), run)
    shown = [one.text for one in choose_what_a_model_reads(found, run, "answer_from_evidence").shown]
    assert any("Keepers row." in one for one in shown)
    assert any("Ride | Height" in one for one in shown)
    assert estimate_tokens("".join(shown)) < ONE_PLACE


def test_an_empty_view_has_no_evidence_and_says_so() -> None:
    answer = systems.run_ask(get("rdr2"), Query(QUESTION), run_over(document([], name="empty")))
    assert not answer.answerable


# What nodes score


def scores_of(run: Run, titles: float, by: str = "fused") -> dict[str, float]:
    found = retrieved(run.view, "The decade")
    scores = node_scores(found, by, range(len(run.view.documents)), run, titles=titles)
    return {run.view.blocks.text[row].split()[0]: float(scores[row]) for row in range(len(run.view)) if scores[row]}


def test_what_stands_under_a_telling_heading_scores_more_than_its_words_do() -> None:
    run = run_over(PARK, question="Heron Park awards")
    medal = "The park won a medal for its hedges."
    row = list(run.view.blocks.text).index(medal)
    before, after = (
        node_scores(retrieved(run.view, "The decade"), "fused", [0], run, titles=titles)[row] for titles in (0.0, 0.7)
    )
    assert after > 3 * before


def test_words_of_the_documents_name_do_not_speak_for_a_heading() -> None:
    rows = [
        (Kind.HEADING, "Heron Park", 1, 1),
        (Kind.PARAGRAPH, "one", 1, 0),
        (Kind.HEADING, "Prices", 1, 1),
        (Kind.PARAGRAPH, "two", 1, 0),
    ]
    run = run_over(document(rows, name="Heron Park"), question="Heron Park prices")
    scores = node_scores(Evidence.of(run.view, range(4), fused=np.ones(4)), "fused", [0], run, titles=1.0)
    assert scores[3] > scores[1]


def test_without_retrieval_scores_the_words_of_content_count() -> None:
    run = run_over(PARK, question="Which is the fastest coaster?")
    scores = scores_of(run, 0.0, by="nothing")
    assert max(scores, key=lambda name: scores[name]) == "Fastest"


def test_an_answer_from_evidence_that_nobody_chose_is_half_as_sure() -> None:
    question = Query("How many crowns does the medal cost?")
    rows = [(Kind.HEADING, "Fees", 1, 1), (Kind.PARAGRAPH, "The medal costs 30 crowns.", 1, 0)]
    sure, unsure = (
        systems.run_ask(get("rdr2"), question, one)
        for one in (run_over(document(rows)), run_with(refusing, document(rows))[0])
    )
    assert sure.text == unsure.text
    assert 0 < unsure.confidence == pytest.approx(sure.confidence / 2, abs=0.001)


def refusing(request: Request) -> str | ModelFault:
    """A model that refuses every document and reads none."""
    return reply(refuse=True) if request.decision == "route_document" else ModelFault(FaultKind.TIMEOUT, "too slow")
