"""Map and Reduce: items counted and listed with their places, partial answers combined, and what helps when none is."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable

import numpy as np
import pytest

from indexed import run_over
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, AnswerFormat, Evidence, Operation, Outcome, Query
from octavo.models.language import Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.operators.score.fuse import Fuse, Part
from octavo.operators.score.search import Search
from octavo_documents.document import Kind, LinkKind, LinkTable, TextColumn
from octavo_methods.bookrag.plan import Map, Merge, Reduce, asks_for_items
from octavo_methods.bookrag.reasoning import TextReasoning
from octavo_methods.bookrag.select import Everything, FilterModal
from synthetic import Row, document

ROWS: list[Row] = [
    (Kind.HEADING, "1 Fleet", 1, 1),
    (Kind.PARAGRAPH, "The Grey Heron is 38 metres long.", 1, 0),
    (Kind.TABLE, "Ferry | Length\nGrey Heron | 38", 1, 0),
    (Kind.CAPTION, "The Heron at sea", 2, 0),
    (Kind.FIGURE, "", 2, 0),
    (Kind.HEADING, "2 Dues", 3, 1),
    (Kind.PARAGRAPH, "A berth costs 12 crowns.", 3, 0),
    (Kind.FIGURE, "", 3, 0),
    (Kind.HEADING, "3 Winter", 4, 1),
    (Kind.PARAGRAPH, "Two keepers stay in winter.", 4, 0),
]


def captions(*pairs: tuple[int, int]) -> LinkTable:
    """Return links from captions to what they are of."""
    return LinkTable(
        source=np.array([caption for caption, _ in pairs], np.int32),
        target=np.array([shown for _, shown in pairs], np.int32),
        kind=np.full(len(pairs), LinkKind.CAPTION_OF, np.uint8),
        weight=np.ones(len(pairs), np.float32),
        text=TextColumn.of([""] * len(pairs)),
    )


BOOK = dataclasses.replace(document(ROWS), links=captions((3, 4)))
FIGURES = Query("How many figures are there?", kinds=(Kind.FIGURE,), operation=Operation.COUNT)
ITEMS = Everything() >> FilterModal() >> TextReasoning(Search("bm25"), by="bm25") >> Fuse((Part("text", 1.0),))
PASSAGES = Everything() >> TextReasoning(Search("bm25"), by="bm25") >> Fuse((Part("text", 1.0),))


def run_of(query: Query, script: Callable[[Request], str] | None = None) -> Run:
    run = run_over(BOOK)
    run.query = query
    if script is not None:
        run.judge = Judge({"language": ScriptedModel(script)})
    return run


def part(run: Run, question: str, text: str, row: int) -> Answer:
    evidence = Evidence.of(run.view, [row], relevance=[1.0])
    outcome = Outcome.ANSWER if text else Outcome.NOTHING
    return Answer(question, "", text or "Not answerable", outcome, evidence, "relevance", confidence=0.5)


# Items


def test_count_returns_the_items_that_it_counts() -> None:
    answer = (ITEMS >> Map() >> Reduce())(FIGURES, run_of(FIGURES))
    assert (answer.text, answer.value, answer.format) == ("2", 2, AnswerFormat.INT)
    assert [(cited.page, cited.quote) for cited in answer.citations] == [(2, "The Heron at sea"), (3, "")]
    assert answer.citations[1].kind == "figure"


@pytest.mark.parametrize(
    ("second", "count"), [("Figure 2: Two keepers", 2), ("Figure 1 (continued)", 1), ("Keepers", 1)]
)
def test_where_captions_are_numbered_each_number_counts_once_and_nothing_else(second: str, count: int) -> None:
    rows = list(ROWS)
    rows[3], rows[6] = (Kind.CAPTION, "Figure 1: The Heron at sea", 2, 0), (Kind.CAPTION, second, 3, 0)
    source = dataclasses.replace(document(rows), links=captions((3, 4), (6, 7)))
    run = run_over(source)
    run.query = FIGURES
    assert (ITEMS >> Map() >> Reduce())(FIGURES, run).value == count


def test_list_returns_what_the_items_are_called() -> None:
    query = dataclasses.replace(FIGURES, question="List all figures.", operation=Operation.LIST)
    answer = (ITEMS >> Map() >> Reduce())(query, run_of(query))
    assert answer.value == ["The Heron at sea", "figure on page 3"]
    assert answer.format is AnswerFormat.LIST


def test_pages_with_items_are_counted_once_each() -> None:
    query = dataclasses.replace(
        FIGURES, question="How many pages contain headings or tables?", kinds=(Kind.HEADING, Kind.TABLE)
    )
    answer = (ITEMS >> Map() >> Reduce())(query, run_of(query))
    assert answer.value == 3
    assert len(answer.citations) == 4


def test_all_items_are_counted_though_the_evidence_has_no_more_pages_than_the_limit() -> None:
    query = dataclasses.replace(FIGURES, limit=1)
    answer = (ITEMS >> Map() >> Reduce())(query, run_of(query))
    assert answer.value == 2
    assert len(answer.evidence.pages("relevance")) == 1


def test_only_counting_and_listing_blocks_of_a_kind_asks_for_items() -> None:
    assert asks_for_items(FIGURES)
    assert not asks_for_items(dataclasses.replace(FIGURES, operation=Operation.SUMMARIZE))
    assert not asks_for_items(dataclasses.replace(FIGURES, kinds=()))
    assert not asks_for_items(dataclasses.replace(FIGURES, question="What types of figures are there?"))


# Readings


def test_what_is_no_item_is_read_in_one_piece() -> None:
    query = Query("How long is the Grey Heron?")
    run = run_of(query)
    parts = (PASSAGES >> Map())(query, run)
    assert [answer.text for answer in parts] == ["38 metres"]
    assert run.trace[-1].parameters == {"pieces": 1}


def test_a_summary_is_read_in_pieces_cut_between_main_sections() -> None:
    query = Query("Summarize the document.", operation=Operation.SUMMARIZE)
    run = run_of(query)
    parts = (PASSAGES >> Map())(query, run)
    assert [sorted({run.view.blocks.section_path(int(row))[0] for row in one.evidence.rows}) for one in parts] == [
        ["1 Fleet"],
        ["2 Dues"],
        ["3 Winter"],
    ]
    assert len((PASSAGES >> Map(segments=1))(query, run)) == 1


def test_a_piece_that_a_model_reads_is_inside_the_map_in_the_trace_and_counted_once() -> None:
    def say(request: Request) -> str:
        return json.dumps({"evidence": [{"id": 1, "quote": "38 metres"}], "answerable": True, "answer": "38 metres"})

    query = Query("How long is the Grey Heron?")
    run = run_of(query, say)
    (PASSAGES >> Map())(query, run)
    assert run.trace[-1].calls == 1
    assert [step.step for step in run.trace[-1].steps] == ["DirectReader"]
    assert run.judge.usage().calls == 1


# Combining

LONGER = Query("Which is longer, the Grey Heron or the Storm Petrel?", synthesis=("Which of the two is longer?",))


def test_parts_are_combined_with_the_synthesis_question_and_cite_what_was_used() -> None:
    shown: list[str] = []

    def say(request: Request) -> str:
        shown.append(request.turns[0].text)
        return json.dumps({"used": [1], "answerable": True, "answer": "the Grey Heron"})

    run = run_of(LONGER, say)
    parts = (part(run, "How long is the Heron?", "38 m", 1), part(run, "How long is the Petrel?", "30 m", 2))
    answer = Reduce()(parts, run)
    assert (answer.question, answer.text, answer.confidence) == (LONGER.question, "the Grey Heron", 0.5)
    assert answer.evidence.rows.tolist() == [1, 2]
    assert "How long is the Petrel?" in shown[0]
    assert "Which of the two is longer?" in shown[0]


def test_a_model_that_fails_leaves_combining_to_the_rule() -> None:
    run = run_of(LONGER, lambda _request: "no idea")
    parts = (part(run, "How long is the Grey Heron?", "38 m", 1), part(run, "How long is the Storm Petrel?", "30 m", 2))
    assert Reduce()(parts, run).text == "Grey Heron"
    assert run.trace[-1].steps[0].parameters["decided_by"] == "rule"
    assert run.trace[-1].steps[0].parameters["why"]


def test_parts_that_settle_nothing_leave_the_evidence_to_a_reader() -> None:
    query = dataclasses.replace(LONGER, question="How long is the Grey Heron?")
    run = run_of(query)
    assert Reduce()((part(run, "a?", "", 1), part(run, "b?", "", 6)), run).text == "38 metres"


def test_one_part_is_the_answer_and_none_is_no_answer() -> None:
    run = run_of(LONGER)
    assert Reduce()((part(run, "How long?", "38 m", 1),), run).text == "38 m"
    assert not Reduce()((), run).answerable


def test_merging_keeps_the_best_of_each_score() -> None:
    run = run_of(LONGER)
    one, other = Evidence.of(run.view, [1, 2], fused=[0.5, 1.0]), Evidence.of(run.view, [2, 6], fused=[0.4, 0.9])
    found = Merge()((one, other), run)
    assert (found.rows.tolist(), found.scores["fused"].tolist()) == ([1, 2, 6], [0.5, 1.0, 0.9])
    assert len(Merge()((), run)) == 0
