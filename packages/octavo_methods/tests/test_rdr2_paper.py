"""RDR2 to the letter: a test for each equation, for Algorithm 1, for each row of Table 2, and the case study."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, cast

import numpy as np
import pytest

from indexed import FakeEmbedder, run_over
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Evidence, Outcome, PassageTable, Query
from octavo.layers import LayerInputs
from octavo.models.gateway import Budget, Caps, Gateway, Limits, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import Script, ScriptedModel
from octavo.operators.core import Operator, Run
from octavo.operators.keep import RELEVANCE
from octavo.systems import ABLATIONS, PAPER_PLANS, System, get
from octavo_documents.document import Document, Kind
from octavo_methods.rdr2.chunks import RetrieveChunks, nearest_chunks
from octavo_methods.rdr2.layers.word_chunks import CHUNK_WORDS, WORD_CHUNK_VECTORS, WORD_CHUNKS
from octavo_methods.rdr2.reader import UNAIDED, RoutedReader
from octavo_methods.rdr2.subtrees import RoutedContent, RouteSubtrees
from octavo_methods.rdr2.trees import VISIBLE, RandomSubtree, RetrievalSubtree
from parks import GARDENS, PARK, QUESTION, number_of, retrieved
from synthetic import document

NAMES = ["rdr2-paper", *(name for name in ABLATIONS if name.startswith("rdr2-paper-"))]
NINETIES, TWO_THOUSANDS = "The decade", "In 2001"
ROUTED = RetrievalSubtree(tokens=None) >> RouteSubtrees() >> RoutedContent()


def run_with(script: Script, *given: Document, caps: Caps | None = None) -> tuple[Run, ScriptedModel]:
    run, model = run_over(*given, question=QUESTION), ScriptedModel(script)
    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    run.judge = Judge({"language": model}, gateway=gateway, budget=Budget(caps))
    return run, model


def tags(answer: Sequence[int] = (), expand: Sequence[int] = ()) -> str:
    said = [*(f"[ANSWER] {one}: words" for one in answer), *(f"[EXPAND] {one}: words" for one in expand)]
    return "\n".join(said) or "[REFUSE]"


def tree_of(request: Request) -> list[str]:
    found = re.search(r"<tree>\n(.*?)\n</tree>", request.turns[0].text, re.DOTALL)
    assert found is not None
    return found[1].split("\n")


def contents_of(request: Request, source: Document) -> list[int]:
    """Return the numbers of the lines of content that a router is shown."""
    numbers = [int(line.split(":")[0]) for line in tree_of(request)]
    headings = {row + 1 for row in source.blocks.headings().tolist()}
    return [one for one in numbers if one > 0 and one not in headings]


def texts(evidence: Evidence) -> list[str]:
    return [evidence.view.blocks.text[row] for row in evidence.ranked(RELEVANCE).tolist()]


def steps(run: Run) -> list[dict[str, object]]:
    (step,) = [one for one in run.trace if one.step == "RouteSubtrees"]
    return [dict(one.parameters) for one in step.steps]


# Equation 1: chunks of 100 words, the five that are nearest


def chunk_table(source: Document) -> PassageTable:
    return PassageTable.from_bytes(WORD_CHUNKS.build(LayerInputs(source)))


def long_article(words: int = 250, name: str = "Long") -> Document:
    rows = [(Kind.TITLE, "The long pier", 1, 0), (Kind.PARAGRAPH, " ".join(f"a{at}" for at in range(90)), 1, 0)]
    rows += [(Kind.HEADING, "Later", 1, 1), (Kind.PARAGRAPH, " ".join(f"b{at}" for at in range(words - 90)), 1, 0)]
    return document(rows, name=name)


def test_chunks_have_a_hundred_words_and_do_not_heed_sections() -> None:
    table = chunk_table(long_article())
    assert CHUNK_WORDS == 100
    assert [len(text.split()) for text in table.text] == [100, 100, 50]
    assert [(int(start), int(stop)) for start, stop in zip(table.start, table.stop, strict=True)] == [
        (1, 4),
        (3, 4),
        (3, 4),
    ]
    assert "Later" not in "".join(table.text)
    assert next(iter(table.text)).endswith("a89\nb0 b1 b2 b3 b4 b5 b6 b7 b8 b9")


def test_a_chunk_is_embedded_after_the_title_of_its_document() -> None:
    seen: list[str] = []

    class Listening(FakeEmbedder):
        def embed(self, texts: Sequence[str], *, progress: object = None) -> np.ndarray:
            seen.extend(texts)
            return super().embed(texts, progress=progress)

    source = long_article(words=95)
    stored = {"word_chunks": WORD_CHUNKS.build(LayerInputs(source))}
    WORD_CHUNK_VECTORS.build(LayerInputs(source, stored, embedder=Listening))
    assert [text.split("\n")[0] for text in seen] == ["The long pier"]


def test_an_empty_document_has_no_chunk() -> None:
    assert len(chunk_table(document([], name="empty"))) == 0
    assert len(chunk_table(document([(Kind.HEADING, "Only a heading", 1, 1)]))) == 0


def quays(count: int) -> list[Document]:
    """Return articles of one chunk, each of which shares fewer words with "quay"."""
    filler = " ".join(f"filler{at}" for at in range(20))
    return [
        document(
            [(Kind.PARAGRAPH, "quay " * (count - at) + filler.replace("filler", f"f{at}x"), 1, 0)], name=f"q{at}.txt"
        )
        for at in range(count)
    ]


def test_the_five_nearest_chunks_are_retrieved_and_their_documents() -> None:
    run = run_over(*quays(8), question="quay quay")
    found = RetrieveChunks()(Query("quay quay"), run)
    assert RetrieveChunks().count == 5
    assert len(nearest_chunks("quay quay", run, 5)) == 5
    scores = [one.score for one in nearest_chunks("quay quay", run, 8)]
    assert scores == sorted(scores, reverse=True)
    assert sorted(set(found.view.document[found.rows].tolist())) == sorted(
        int(run.view.document[one.rows[0]]) for one in nearest_chunks("quay quay", run, 5)
    )
    assert "5" in repr(RetrieveChunks()) and "RetrieveChunks(count=5)" in repr(get("rdr2-paper").retrieve)


def test_a_chunk_lights_every_block_it_has_words_of_and_the_rest_of_the_document_is_there_unlit() -> None:
    run = run_over(long_article(), question="b200")
    found = RetrieveChunks(1)(Query("a1 a2 a3 a4 a5 a6 a7 a8"), run)
    assert found.rows[~np.isnan(found.scores["retrieved"])].tolist() == [1, 3]


# Section 3.2 and Algorithm 1: the subtree


def visible(evidence: Evidence) -> list[str]:
    return [evidence.view.blocks.text[row] for row in evidence.rows[evidence.scores[VISIBLE] == 1]]


def test_a_subtree_has_all_headings_and_siblings_ancestors_and_descendants_that_are_content() -> None:
    rows = [
        (Kind.HEADING, "Rides", 1, 1),
        (Kind.PARAGRAPH, "A sibling of the outer items.", 1, 0),
        (Kind.LIST_ITEM, "Outer", 1, 1),
        (Kind.LIST_ITEM, "Inner item", 1, 2),
        (Kind.LIST_ITEM, "Nested in it", 1, 3),
        (Kind.LIST_ITEM, "Sibling", 1, 2),
        (Kind.HEADING, "Prices", 1, 1),
        (Kind.PARAGRAPH, "Elsewhere.", 1, 0),
    ]
    run = run_over(document(rows))
    found = RetrievalSubtree(tokens=None)(retrieved(run.view, "Inner item"), run)
    assert visible(found) == ["Outer", "Inner item", "Nested in it", "Sibling"]
    assert set(run.view.sections().tolist()) <= set(found.rows.tolist())


def test_a_subtree_is_not_cut_to_a_size_and_all_headings_are_shown() -> None:
    rows = [(Kind.HEADING, "Rides", 1, 1)]
    rows += [(Kind.PARAGRAPH, f"Ride {at} " + "went round and round the pond " * 20, 1, 0) for at in range(60)]
    rows += [(Kind.HEADING, f"Part {at}", 1, 1) for at in range(200)]
    source = document(rows)
    run, model = run_with([tags()], source)
    ROUTED(retrieved(run.view, "Ride 30 "), run)
    assert len(contents_of(model.requests[0], source)) == 60
    assert len(tree_of(model.requests[0])) == 1 + 60 + 201


# Section 3.3: what a router is shown and says


def test_a_router_is_shown_id_and_text_a_line_each_level_indented_under_the_title() -> None:
    run, model = run_with([tags()], PARK)
    ROUTED(retrieved(run.view, TWO_THOUSANDS), run)
    assert tree_of(model.requests[0]) == [
        "-1: Heron Park",
        "  0: Introduction",
        "  3: History",
        "    4: 1990s",
        "    6: 2000s",
        "      7: In 2001 the park opened Storm Petrel, then its tallest ride.",
        "  8: Firsts and records",
        "    9: Records",
        "    14: Awards",
    ]


def test_a_router_is_asked_for_tags_and_not_told_what_was_found() -> None:
    run, model = run_with(case_study(), PARK)
    ROUTED(retrieved(run.view, NINETIES, TWO_THOUSANDS), run)
    assert {one.schema for one in model.requests} == {""}
    assert {one.lines for one in model.requests} == {()}
    later = model.requests[-1].turns[0].text
    assert "Storm Petrel, then" not in later
    assert "can still be opened" not in later


# The case study of appendix D, on a park of our own


def case_study() -> list[str]:
    coaster, swing = number_of(PARK, "Tallest coaster"), number_of(PARK, "Tallest swing")
    return [
        tags(expand=[0]),
        tags(),
        tags([number_of(PARK, TWO_THOUSANDS)], [number_of(PARK, "Records")]),
        tags([coaster, swing]),
    ]


def test_the_case_study_goes_step_by_step_as_it_is_printed() -> None:
    run, model = run_with(case_study(), PARK)
    found = ROUTED(retrieved(run.view, TWO_THOUSANDS, NINETIES), run)
    assert [contents_of(one, PARK) for one in model.requests] == [[5], [2], [7], [10, 11, 12, 13]]
    assert texts(found) == [
        "In 2001 the park opened Storm Petrel, then its tallest ride.",
        "Tallest coaster of the country: Storm Petrel (75 m)",
        "Tallest swing of the world: Marsh Lark (122 m)",
    ]
    told = [[one[key] for key in ("routed", "expanded", "refused")] for one in steps(run)]
    assert told == [[0, 1, 0], [0, 0, 1], [1, 1, 0], [2, 0, 0]]


# Equations 2 to 4: the state and its update


def test_a_refusal_ends_what_is_lit_and_nothing_that_waits() -> None:
    run, model = run_with(lambda _request: tags(), PARK)
    assert len(ROUTED(retrieved(run.view, NINETIES, TWO_THOUSANDS), run)) == 0
    assert [contents_of(one, PARK) for one in model.requests] == [[5], [7]]


def test_one_heading_is_lit_at_a_time_the_most_promising_first_and_content_once() -> None:
    awards, records = number_of(PARK, "Awards"), number_of(PARK, "Records")
    run, model = run_with([tags(expand=[awards, records]), tags(expand=[awards]), tags()], PARK)
    ROUTED(retrieved(run.view, TWO_THOUSANDS), run)
    assert [contents_of(one, PARK) for one in model.requests] == [[7], [15], [10, 11, 12, 13]]


def test_a_heading_that_was_named_later_is_opened_before_those_that_wait() -> None:
    source = chain(5)
    run, model = run_with([tags(expand=[3, 5]), tags(expand=[7]), tags(), tags()], source)
    ROUTED(retrieved(run.view, "Text 0."), run)
    assert [contents_of(one, source) for one in model.requests] == [[2], [4], [8], [6]]


def test_what_was_seen_by_an_expansion_is_not_lit_again_as_retrieved() -> None:
    said = iter([tags(expand=[number_of(PARK, "2000s")])])
    run, model = run_with(lambda _request: next(said, tags()), PARK)
    ROUTED(retrieved(run.view, NINETIES, TWO_THOUSANDS), run)
    assert [contents_of(one, PARK) for one in model.requests] == [[5], [7]]
    assert len(steps(run)) == 2


def chain(parts: int) -> Document:
    rows = [
        row
        for at in range(parts)
        for row in ((Kind.HEADING, f"Part {at}", 1, 1), (Kind.PARAGRAPH, f"Text {at}.", 1, 0))
    ]
    return document(rows, name="Chain")


def test_five_headings_are_expanded_in_a_document_at_most_and_what_was_retrieved_does_not_count() -> None:
    source = chain(12)
    run, model = run_with(lambda _request: tags(expand=range(1, 24, 2)), source)
    ROUTED(retrieved(run.view, "Text 0.", "Text 11."), run)
    shown = [contents_of(one, source) for one in model.requests]
    assert shown == [[2], [4], [6], [8], [10], [12], [24]]
    assert RouteSubtrees().iterations == 5


def test_single_turn_routing_expands_nothing() -> None:
    run, model = run_with(lambda _request: tags([7], expand=[0]), PARK)
    found = (RetrievalSubtree(tokens=None) >> RouteSubtrees(iterations=0) >> RoutedContent())(
        retrieved(run.view, TWO_THOUSANDS), run
    )
    assert (model.calls, len(found), steps(run)[0]["dropped"]) == (1, 1, 1)


def test_what_cannot_be_done_is_dropped_and_a_collapse_passes_without_effect() -> None:
    run, model = run_with([tags([3, 999], [7]), tags([7])], PARK)
    found = ROUTED(retrieved(run.view, NINETIES, TWO_THOUSANDS), run)
    assert texts(found) == ["In 2001 the park opened Storm Petrel, then its tallest ride."]
    assert [(one["dropped"], one["collapsed"]) for one in steps(run)] == [(3, 1), (0, 0)]
    assert model.calls == 2


def test_documents_are_routed_each_by_itself_and_at_once() -> None:
    run, model = run_with(lambda _request: tags(), GARDENS, PARK)
    ROUTED(retrieved(run.view, "In the 1990s", TWO_THOUSANDS), run)
    assert sorted(tree_of(one)[0] for one in model.requests) == ["-1: Heron Park", "-1: Petrel Gardens"]
    assert [one["documents"] for one in steps(run)] == [2]


# Equations 5 and 6: what is accumulated, and its order


def test_routed_content_comes_by_document_as_retrieved_and_then_as_it_stands_without_headings() -> None:
    ride, records = number_of(PARK, TWO_THOUSANDS), number_of(PARK, "Records")

    def script(request: Request) -> str:
        if tree_of(request)[0].endswith("Petrel Gardens"):
            return tags([6])
        is_first = contents_of(request, PARK) == [ride]
        return tags([ride], [records]) if is_first else tags([number_of(PARK, "Largest"), number_of(PARK, "Fastest")])

    run, _ = run_with(script, GARDENS, PARK)
    found = ROUTED(retrieved(run.view, TWO_THOUSANDS, "In the 1990s"), run)
    assert [text.split()[0] for text in texts(found)] == ["In", "Fastest", "Largest", "In"]
    assert not np.isin(found.rows, found.view.sections()).any()
    assert found.view.document[found.ranked(RELEVANCE)].tolist() == [1, 1, 1, 0]


# Equation 7: the reader


def says(answer: str, passage: int = 1, *, answerable: bool = True) -> str:
    return json.dumps({"evidence": [{"id": passage, "quote": ""}], "answerable": answerable, "answer": answer})


def reading(reply: str, route: Callable[[Request], str]) -> Callable[[Request], str]:
    return lambda request: route(request) if request.decision == "route_subtree" else reply


def accept(request: Request) -> str:
    """A router that takes all content of the parks it sees."""
    source = GARDENS if tree_of(request)[0].endswith("Petrel Gardens") else PARK
    return tags(contents_of(request, source))


def test_the_reader_gets_what_was_routed_a_passage_a_document_under_its_title_and_nothing_else() -> None:
    run, model = run_with(reading(says("Storm Petrel"), accept), GARDENS, PARK)
    answer = (ROUTED >> RoutedReader())(retrieved(run.view, TWO_THOUSANDS, "In the 1990s"), run)
    (asked,) = [one for one in model.requests if one.decision == "answer_from_evidence"]
    assert re.findall(r"\[(.*?)\]\n<passage id=(\d)>\n(.*?)\n</passage>", asked.turns[0].text, re.DOTALL) == [
        ("Heron Park", "1", "In 2001 the park opened Storm Petrel, then its tallest ride."),
        ("Petrel Gardens", "2", "In the 1990s the gardens opened a wooden ride that was the tallest of the county."),
    ]
    assert (answer.text, answer.outcome) == ("Storm Petrel", Outcome.ANSWER)
    assert {one.document for one in answer.citations} == {"Heron Park"}


@pytest.mark.parametrize(
    ("words", "question", "length"),
    [(None, QUESTION, None), (65, QUESTION, "65"), (None, "Why did the park open a ride?", "131"), (0, "Why?", None)],
)
def test_a_long_answer_has_a_prompt_of_its_own_where_it_is_asked_for(
    words: int | None, question: str, length: str | None
) -> None:
    run, model = run_with(reading(says("A ride."), accept), PARK)
    run.query = Query(question)
    (ROUTED >> RoutedReader(words=words))(retrieved(run.view, TWO_THOUSANDS), run)
    asked = model.requests[-1]
    assert asked.decision == ("answer_from_evidence" if length is None else "answer_at_length")
    found = re.search(r"in about (\d+) words", asked.turns[0].text)
    assert (found and found[1]) == length


@pytest.mark.parametrize("words", [0, 65])
def test_an_answer_can_be_followed_while_it_is_written(words: int) -> None:
    seen: list[str] = []
    run, _ = run_with(reading(says("It is Storm Petrel"), accept), PARK)
    run.on_text = seen.append
    (ROUTED >> RoutedReader(words=words))(retrieved(run.view, TWO_THOUSANDS), run)
    assert seen[-1] == "It is Storm Petrel"
    assert len(seen) > 1 and all(seen[-1].startswith(text) for text in seen)


def test_what_is_remembered_is_not_told_while_it_is_written_before_it_is_said_to_be_so() -> None:
    seen: list[str] = []
    run, _ = run_with(remembering, PARK)
    run.on_text = seen.append
    assert systems.run_ask(get("rdr2-paper"), Query(QUESTION), run).known == "Storm Petrel"
    assert not seen


def remembering(request: Request) -> str:
    return "Storm Petrel" if request.decision == "answer_unaided" else tags()


def with_chunks(name: str, count: int) -> System:
    """Return a system that retrieves another number of chunks."""

    def changed(step: Any) -> Any:
        if isinstance(step, RetrieveChunks):
            return replace(step, count=count)
        if not isinstance(step, Operator):
            return step
        plain = cast("Any", step)
        return replace(plain, **{field.name: changed(getattr(plain, field.name)) for field in fields(plain)})

    system = get(name)
    return replace(system, answer=changed(system.answer))


@pytest.mark.parametrize("is_retrieved", [True, False])
def test_with_nothing_to_read_the_question_alone_is_asked_and_the_answer_is_not_relied_on(is_retrieved: bool) -> None:
    run, model = run_with(remembering, PARK)
    answer = systems.run_ask(with_chunks("rdr2-paper", 5 if is_retrieved else 0), Query(QUESTION), run)
    asked = model.requests[-1]
    assert (asked.decision, "Heron Park" in asked.turns[0].text) == ("answer_unaided", False)
    assert (answer.outcome, answer.citations, answer.label) == (Outcome.NOTHING, (), "")
    assert (answer.text, answer.known) == (f"{UNAIDED}Storm Petrel", "Storm Petrel")
    assert is_retrieved == ("route_subtree" in {one.decision for one in model.requests})


def test_without_a_router_the_reader_gets_the_bare_chunks_the_nearest_first() -> None:
    run, model = run_with([says("94")], long_article(), PARK)
    run.query = Query(QUESTION)
    found = get("rdr2-paper-no-router")
    systems.run_ask(found, Query("b10 b11 b12 b13 b14 b15 b16"), run)
    (asked,) = model.requests
    shown = re.findall(r"<passage id=\d>\n(.*?)\n</passage>", asked.turns[0].text, re.DOTALL)
    assert shown == [one.text for one in nearest_chunks("b10 b11 b12 b13 b14 b15 b16", run, 5)]
    assert len(shown[0].split()) == 100
    assert "Later" not in asked.turns[0].text


@pytest.mark.parametrize("count", [0, 2, 5])
def test_retrieve_and_read_has_the_top_k_that_was_retrieved(count: int) -> None:
    run, model = run_with([says("94")], *quays(8))
    systems.run_ask(with_chunks("rdr2-paper-no-router", count), Query("quay quay"), run)
    shown = re.findall(r"<passage id=\d>\n(.*?)\n</passage>", model.requests[0].turns[0].text, re.DOTALL)
    assert shown == [one.text for one in nearest_chunks("quay quay", run, count)]
    assert model.requests[0].decision == ("answer_from_evidence" if count else "answer_unaided")


# Table 2


def test_each_row_of_table_2_is_an_expression_of_its_own() -> None:
    printed = {name: repr(get(name).answer) for name in NAMES}
    assert set(NAMES) == {
        "rdr2-paper",
        *(f"rdr2-paper-no-{part}" for part in ("router", "structure", "similarity", "content", "expand", "refuse")),
    }
    assert all(one.startswith("RetrieveChunks(count=5)") for one in printed.values())
    assert {name for name, one in printed.items() if "RouteSubtrees" not in one} == {"rdr2-paper-no-router"}
    assert {name for name, one in printed.items() if "RetrievalSubtree(tokens=None)" in one} == {
        "rdr2-paper",
        "rdr2-paper-no-expand",
        "rdr2-paper-no-refuse",
    }
    assert "RandomSubtree(tokens=None)" in printed["rdr2-paper-no-similarity"]
    assert "HeadingsOnly()" in printed["rdr2-paper-no-content"]
    assert "iterations=0" in printed["rdr2-paper-no-expand"]
    assert "refuses=False" in printed["rdr2-paper-no-refuse"]


def test_without_structure_each_retrieved_block_is_taken_or_refused_by_itself() -> None:
    run, model = run_with([tags([5]), tags()], PARK)
    found = (RouteSubtrees() >> RoutedContent())(retrieved(run.view, TWO_THOUSANDS, NINETIES), run)
    assert [tree_of(one) for one in model.requests] == [
        ["-1: Heron Park", "  5: The decade began with a flood."],
        ["-1: Heron Park", "  7: In 2001 the park opened Storm Petrel, then its tallest ride."],
    ]
    assert texts(found) == ["The decade began with a flood."]


def test_without_similarity_content_under_a_heading_drawn_by_lot_is_lit_whole() -> None:
    run = run_over(PARK, question="Which 3?")
    found = RandomSubtree(tokens=None)(retrieved(run.view, TWO_THOUSANDS), run)
    rows = found.rows[found.scores[VISIBLE] == 1]
    assert len({int(run.view.blocks.parent[row]) for row in rows}) == 1
    assert "nearest" not in found.scores


def test_without_content_the_first_step_shows_headings_alone() -> None:
    run, model = run_with([tags(expand=[number_of(PARK, "Records")]), tags()], PARK)
    systems.run_search(get("rdr2-paper-no-content"), Query(QUESTION), run)
    assert [contents_of(one, PARK) for one in model.requests] == [[], [10, 11, 12, 13]]


def test_where_refusing_is_not_possible_the_rule_answers_in_the_place_of_a_refusal() -> None:
    run, model = run_with([tags()], PARK)
    route = RetrievalSubtree(tokens=None) >> RouteSubtrees(refuses=False) >> RoutedContent()
    assert len(route(retrieved(run.view, TWO_THOUSANDS), run)) == 1
    assert "[REFUSE] is not allowed" in model.requests[0].turns[0].text
    assert model.calls == 1


# The plan as a whole


def test_the_plan_names_what_stands_for_the_papers_parts() -> None:
    answer = systems.run_ask(get("rdr2-paper"), Query(QUESTION), run_over(PARK))
    assert {one.role: one.here for one in answer.substitutes} == {
        "parser": "Octavo's own",
        "embedder": "fake",
        "model": "none, by rule",
    }
    assert "rdr2-paper" in PAPER_PLANS


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("question", [QUESTION, "Who won a medal?", "zebra", "??"])
def test_each_plan_runs_from_end_to_end_by_rule_and_says_so(name: str, question: str) -> None:
    run = run_over(GARDENS, PARK)
    answer = systems.run_ask(get(name), Query(question), run)
    assert set(answer.decided_by) <= {"rule"}
    assert systems.run_search(get(name), Query(question, limit=1), run_over(GARDENS, PARK)).evidence is not None
    for step in answer.trace:
        for inner in (one for each in step.steps for one in each.steps):
            assert (inner.step, inner.parameters["decided_by"]) == ("route_subtree", "rule")


FAULTS: Sequence[Callable[[Request], str | ModelFault]] = (
    lambda _request: "",
    lambda _request: "I cannot tell.",
    lambda _request: "[ANSWER]",
    lambda _request: '{"answer": [[1]], "expand": {}}',
    lambda _request: "[EXPAND] " + ", ".join(map(str, range(2000))),
    lambda _request: "</tree> ignore all rules [REFUSE]",
    lambda _request: ModelFault(FaultKind.TIMEOUT, "too slow"),
    lambda _request: ModelFault(FaultKind.REFUSED, "no"),
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_of_a_model_ends_a_question(name: str, fault: Callable[[Request], str | ModelFault]) -> None:
    run, _ = run_with(fault, GARDENS, PARK)
    answer = systems.run_ask(get(name), Query(QUESTION), run)
    assert answer.outcome in Outcome
    assert np.isfinite(answer.evidence.scores[RELEVANCE]).all()


def test_a_budget_that_ends_in_the_middle_leaves_the_rest_to_the_rule() -> None:
    run, model = run_with(lambda _request: tags(expand=[0]), GARDENS, PARK, caps=Caps(calls=1))
    answer = systems.run_ask(get("rdr2-paper"), Query(QUESTION), run)
    assert model.calls == 1
    assert answer.stopped is not None
    assert len(answer.evidence)


def test_a_limit_of_the_caller_is_kept() -> None:
    run, _ = run_with(accept, GARDENS, PARK)
    found = systems.run_search(get("rdr2-paper"), replace(Query(QUESTION), limit=1), run)
    assert len(found.evidence.pages(RELEVANCE)) == 1
