"""MMRAG-DocQA: passages lead to parent pages, pages are judged and mixed, the reader ends with a typed value."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from indexed import FakeEmbedder, run_over, view_of
from memory_layers import MemoryLayers
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Answer, AnswerFormat, Evidence, Outcome, Query, View
from octavo.evidence.layer_tables import MembershipTable, NodeTable, PlaceTable, Topology
from octavo.models.gateway import Budget, Caps
from octavo.models.language import FaultKind, ModelFault, Reply, Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run
from octavo.operators.keep import RELEVANCE, BestPassages, passage_scores
from octavo.operators.score.search import Search
from octavo.systems import System, get, run_ask, run_search
from octavo_documents.document import Document, Kind, LinkKind, LinkTable
from octavo_documents.document.columns import TextColumn, pack
from octavo_methods.mmrag.pages import SIMILARITY, JudgePages, ParentPages
from octavo_methods.mmrag.reasoned_reader import ReasonedReader
from octavo_methods.mmrag.system import MMRAG, MMRAG_ABLATIONS
from synthetic import document

DRAWN = document(
    [
        (Kind.HEADING, "1 Ferries", 1, 1),
        (Kind.PARAGRAPH, "The Storm Petrel carries 420 passengers.", 1, 0),
        (Kind.FIGURE, "", 1, 0),
        (Kind.CAPTION, "Figure 1: The Storm Petrel at its berth", 1, 0),
        (Kind.HEADING, "2 Fees", 2, 1),
        (Kind.PARAGRAPH, "Mooring costs 12.50 crowns a night.", 2, 0),
        (Kind.PAGE_FOOTER, "Harbour report", 2, 0),
        (Kind.HEADING, "3 Staff", 3, 1),
        (Kind.PARAGRAPH, "The winter crew has seven members.", 3, 0),
    ],
    pages=4,
)
REPORT = dataclasses.replace(
    DRAWN,
    links=LinkTable(np.array([3]), np.array([2]), np.array([LinkKind.CAPTION_OF]), np.ones(1), TextColumn.of([""])),
)
FERRY = "How many passengers does the Storm Petrel carry?"
OVERVIEW = "The harbour runs one ferry and moors yachts. Seven people work there in winter."


class Shelf:
    """Layers in memory, with a cross-page tree of one summary over the whole report."""

    def __init__(self, source: Document, overview: str = OVERVIEW) -> None:
        self._own = MemoryLayers([source], FakeEmbedder)
        rows = np.flatnonzero([bool(text) for text in source.blocks.text])
        tree = Topology(
            NodeTable(TextColumn.of([overview]), TextColumn.of([""]), np.array([1])),
            MembershipTable(np.zeros(0, int), np.zeros(0, int), np.zeros(0, np.float32)),
            PlaceTable(np.zeros(len(rows), int), rows),
        )
        vectors = FakeEmbedder().embed([overview])
        self._tree = {"topology": tree.to_bytes(), "topology_vectors": pack({"vectors": vectors}, {})}

    def load(self, document_id: str, layer: str) -> bytes | None:
        return self._tree.get(layer) or self._own.load(document_id, layer)


def prompt(request: Request) -> str:
    """Return all that a request says."""
    return "\n".join([request.instructions, *(turn.text for turn in request.turns)])


def asking(
    script: object, question: str = FERRY, *, caps: Caps | None = None, overview: str = OVERVIEW
) -> tuple[Run, ScriptedModel]:
    model = ScriptedModel(script)  # pyright: ignore[reportArgumentType]
    judge = Judge({"language": model}, budget=Budget(caps))
    view = View([REPORT], Shelf(REPORT, overview))
    return Run(view, embedder=FakeEmbedder, query=Query(question), judge=judge), model


def judged(**relevance: float) -> Callable[[Request], str]:
    """Answer a judging request with a relevance for each page it shows, by `pN`."""

    def reply(request: Request) -> str:
        shown = [line for line in prompt(request).splitlines() if line.startswith("(page ")]
        pages = [int(line.removeprefix("(page ").partition(")")[0]) for line in shown]
        verdicts = [{"id": at, "relevance": relevance.get(f"p{page}", 0.0)} for at, page in enumerate(pages, 1)]
        return json.dumps({"items": verdicts})

    return reply


# Passages and pages


def test_a_passage_scores_as_its_best_block_and_the_best_ones_are_kept_whole() -> None:
    run = run_over(REPORT)
    scored = Search("bm25")(Query("passengers"), run)
    scores = passage_scores(run.view, scored, "bm25")
    assert len(scores) == len(run.view.passages)
    kept = BestPassages("bm25", 1)(scored, run)
    assert {int(page) for page in run.view.blocks.page[kept.rows]} == {1}
    assert 1 in kept.rows


def test_passages_go_on_until_they_stand_on_as_many_pages_as_are_wanted() -> None:
    run = run_over(REPORT)
    scored = Search("dense")(Query("passengers"), run)

    def kept(pages: int) -> set[int]:
        return set(run.view.blocks.page[BestPassages("dense", 1, pages=pages)(scored, run).rows].tolist())

    assert [len(kept(pages)) for pages in (0, 1, 2, 3, 9)] == [1, 1, 2, 3, 3]


def test_parent_pages_bring_everything_on_the_page_but_furniture() -> None:
    run = run_over(REPORT)
    found = ParentPages("bm25")(BestPassages("bm25", 1)(Search("bm25")(Query("mooring"), run), run), run)
    assert found.rows.tolist() == [4, 5]
    assert found.scores[SIMILARITY].tolist() == [1.0, 1.0]


def test_nothing_found_has_no_parent_pages_and_no_relevance() -> None:
    run = run_over(REPORT)
    none = Search("bm25")(Query("zebra"), run)
    found = (BestPassages("bm25") >> ParentPages("bm25") >> JudgePages("bm25"))(none, run)
    assert len(found) == 0
    assert RELEVANCE in found.scores


@pytest.mark.parametrize("rows", [[], [(Kind.PARAGRAPH, "", 1, 0)], [(Kind.FIGURE, "", 1, 0)]], ids=str)
def test_a_document_with_nothing_to_read_gives_nothing(rows: list[tuple[Kind, str, int, int]]) -> None:
    source = document(rows)
    run = Run(View([source], Shelf(source)), embedder=FakeEmbedder)
    assert not run_ask(MMRAG, Query("what is this?"), run).answerable


@pytest.mark.parametrize(
    "make",
    [
        lambda: BestPassages("x", 0),
        lambda: BestPassages("x", 1, -1),
        lambda: JudgePages("x", 0, 0),
        lambda: JudgePages("x", most=0),
        lambda: ReasonedReader(-1),
    ],
)
def test_senseless_parameters_are_refused(make: object) -> None:
    with pytest.raises(UsageError):
        make()  # pyright: ignore[reportCallIssue]


# Judging


def pages_of(found: Evidence) -> list[int]:
    return [hit.page for hit in found.pages(RELEVANCE)]


def test_without_a_model_pages_are_ranked_by_similarity() -> None:
    result = run_search(get("mmrag"), Query(FERRY), run_over(REPORT))
    assert result.evidence.pages(result.by)[0].page == 1
    assert result.usage.calls == 0


def test_a_models_verdicts_count_seven_tenths() -> None:
    run, model = asking(judged(p3=1.0, p1=0.3))
    found = run_search(MMRAG, run.query, run)
    assert pages_of(found.evidence)[0] == 3
    best = {hit.page: hit.score for hit in found.evidence.pages(RELEVANCE)}
    similarity = {
        int(page): score
        for page, score in zip(
            run.view.blocks.page[found.evidence.rows], found.evidence.scores[SIMILARITY], strict=True
        )
    }
    assert best[3] == pytest.approx(0.7 + 0.3 * similarity[3])
    assert best[1] == pytest.approx(0.7 * 0.3 + 0.3 * similarity[1])
    assert model.calls == 1


def test_a_page_is_never_behind_one_that_was_rated_lower_nor_left_out_for_it() -> None:
    rows = [(Kind.PARAGRAPH, "The Storm Petrel carries passengers.", page, 0) for page in range(1, 7)]
    rows += [(Kind.PARAGRAPH, f"Nothing of note {'x ' * 40}", 7, 0)]
    source = document(rows)
    relevance = {f"p{page}": 0.3 for page in range(1, 7)} | {"p7": 0.6}
    model = ScriptedModel(judged(**relevance))
    run = Run(View([source], Shelf(source)), embedder=FakeEmbedder, judge=Judge({"language": model}))
    mixed = run_search(get("mmrag-fixed-pages"), Query(FERRY), run).evidence
    assert pages_of(mixed)[0] == 7
    assert 7 in pages_of(run_search(MMRAG, Query(FERRY, limit=3), run).evidence)


def test_pages_that_a_model_finds_worthless_are_left_out_where_any_is_of_worth() -> None:
    assert pages_of(run_search(MMRAG, Query(FERRY), asking(judged(p3=1.0, p1=0.2))[0]).evidence) == [3]
    assert len(pages_of(run_search(MMRAG, Query(FERRY), asking(judged(p3=0.2))[0]).evidence)) > 1


def test_more_pages_are_judged_where_the_likeliest_do_not_hold_it_all_or_several_places_are_needed() -> None:
    rows = [(Kind.PARAGRAPH, f"The Storm Petrel carries {page} passengers.", page, 0) for page in range(1, 13)]
    source = document(rows)

    def calls(question: str, relevance: float) -> tuple[int, int]:
        model = ScriptedModel(judged(**{f"p{page}": relevance for page in range(1, 13)}))
        run = Run(View([source], Shelf(source)), embedder=FakeEmbedder, judge=Judge({"language": model}))
        result = run_search(MMRAG, Query(question, limit=16), run)
        return model.calls, len(pages_of(result.evidence))

    assert calls(FERRY, 0.9) == (1, 8)
    assert calls(FERRY, 0.8) == (2, 12)
    assert calls("List all passengers of the Storm Petrel.", 0.9) == (2, 12)
    assert calls("Of the Storm Petrel, say (a) what it carries, and (b) who steers it.", 0.9) == (2, 12)


def test_pages_that_the_model_was_not_asked_about_come_behind_those_it_was() -> None:
    rows = [(Kind.PARAGRAPH, f"The Storm Petrel carries {page} passengers.", page, 0) for page in range(1, 13)]
    source = document(rows)
    asked: list[int] = []

    def say(request: Request) -> str:
        asked.extend(map(int, re.findall(r"^\(page (\d+)", prompt(request), re.M)))
        return judged(**{f"p{page}": 0.3 for page in asked} | {f"p{asked[-1]}": 1.0, f"p{asked[0]}": 0.2})(request)

    run = Run(View([source], Shelf(source)), embedder=FakeEmbedder, judge=Judge({"language": ScriptedModel(say)}))
    found = pages_of(run_search(get("mmrag-fixed-pages"), Query(FERRY, limit=12), run).evidence)
    assert len(asked) == 8
    assert (found[0], {*found[1:7]}) == (asked[-1], {*asked[1:-1]})
    assert {*found[7:]} == {*range(1, 13)}.difference(asked)


def test_nobody_is_asked_for_verdicts_that_count_nothing() -> None:
    run, model = asking(judged(p3=1.0))
    assert pages_of(run_search(get("mmrag-no-judge"), Query(FERRY), run).evidence)[0] == 1
    assert not model.calls


def test_a_page_is_told_once_and_so_is_what_sections_have_in_common() -> None:
    source = document(
        [
            (Kind.HEADING, "1 Ferries", 1, 1),
            (Kind.HEADING, "1.1 Petrel", 1, 2),
            (Kind.PARAGRAPH, "The Storm Petrel carries 420 passengers. " * 12, 1, 0),
            (Kind.HEADING, "1.2 Heron", 1, 2),
            (Kind.PARAGRAPH, "The Grey Heron carries 12 passengers. " * 12, 1, 0),
        ]
    )
    model = ScriptedModel(judged(p1=1.0))
    run = Run(View([source], Shelf(source)), embedder=FakeEmbedder, judge=Judge({"judge_page_relevance": model}))
    run_search(MMRAG, Query(FERRY), run)
    shown = prompt(model.requests[0])
    assert re.findall(r"^\[.*\]$|^\(page.*", shown, re.M) == [
        "(page 1)",
        "[1 Ferries > 1.1 Petrel]",
        "[... > 1.2 Heron]",
    ]


def test_all_of_a_page_with_the_answer_is_read_before_others() -> None:
    filler = "Nothing is said of the size of it, and it lies far away."
    rows = [(Kind.PARAGRAPH, f"{filler} {at} {'x ' * 400}", 2, 0) for at in range(4)]
    rows += [
        (Kind.PARAGRAPH, f"The Storm Petrel carries {page} passengers. {'y ' * 400}", page, 0) for page in range(3, 40)
    ]
    source = document(rows)

    def say(request: Request) -> str:
        relevance = {f"p{page}": 0.4 for page in range(3, 40)} | {"p2": 0.8}
        if request.decision == "judge_page_relevance":
            return judged(**relevance)(request)
        return json.dumps({"analysis": "…", "pages": [], "evidence": [], "format": "None", "answer": ""})

    model = ScriptedModel(say)
    run = Run(View([source], Shelf(source)), embedder=FakeEmbedder, judge=Judge({"language": model}))
    run.query = Query(FERRY, limit=16)
    pages = JudgePages("by", most=40)(
        Evidence.of(run.view, range(len(source.blocks)), **{SIMILARITY: np.ones(len(rows)), "by": np.ones(len(rows))}),
        run,
    )
    ReasonedReader()(pages, run)
    assert prompt(model.requests[-1]).count(filler) == 4


def test_a_page_is_judged_by_the_rows_that_are_nearest_to_the_question() -> None:
    rows = "\n".join(f"Ferry {number} | {number * 3} passengers" for number in range(400))
    source = document(
        [
            (Kind.PARAGRAPH, "Nothing is said of ferries here. " * 300, 1, 0),
            (Kind.TABLE, f"Name | Passengers\n{rows}", 1, 0),
            (Kind.FIGURE, "", 1, 0),
        ]
    )
    model = ScriptedModel(judged(p1=1.0))
    run = Run(View([source], Shelf(source)), embedder=FakeEmbedder, judge=Judge({"judge_page_relevance": model}))
    run_search(MMRAG, Query("How many passengers does Ferry 377 carry?"), run)
    shown = prompt(model.requests[0])
    assert "Name | Passengers" in shown
    assert "Ferry 377 | 1131 passengers" in shown
    assert "Pictures without words: figure" in shown


def test_a_model_that_fails_leaves_the_pages_to_similarity() -> None:
    def fail(request: Request) -> Reply:
        raise ModelFault(FaultKind.CONNECTION, "no way there")

    run, _ = asking(fail)
    found = run_search(MMRAG, run.query, run)
    assert pages_of(found.evidence)[0] == 1
    assert found.decided_by["rule"] > 0


def test_without_a_model_what_is_asked_to_be_shown_speaks_for_a_page() -> None:
    line = "The ferry is late on most days of winter."
    rows = [(Kind.PARAGRAPH, line, 1, 0), (Kind.PARAGRAPH, line, 2, 0), (Kind.CHART, "", 2, 0)]
    run = run_over(document(rows))
    assert pages_of(run_search(MMRAG, Query("How late is the ferry in winter?"), run).evidence) == [1, 2]
    assert pages_of(run_search(MMRAG, Query("How late is the ferry in the chart?"), run).evidence) == [2, 1]


def test_only_the_likeliest_pages_are_judged_and_the_others_left_out() -> None:
    run, model = asking(judged(p1=0.2))
    passages = Search("dense")(run.query, run)
    found = (ParentPages("dense") >> JudgePages("dense", most=2))(passages, run)
    assert len(pages_of(found)) == 2
    assert prompt(model.requests[0]).count("(page ") == 2


class Reranking:
    """Likes what is said about the crew."""

    name = "likes crews"

    def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
        return np.array([float("crew" in text) for text in texts], np.float32)


def test_a_reranker_judges_where_there_is_no_model() -> None:
    run = run_over(REPORT)
    run.reranker = Reranking
    assert pages_of(run_search(MMRAG, Query(FERRY), run).evidence)[0] == 3


def test_pages_are_as_many_as_score_near_the_best_and_fixed_where_that_is_asked_for() -> None:
    rows = [(Kind.PARAGRAPH, f"The Storm Petrel carries passengers on line {page}.", page, 0) for page in range(1, 13)]
    rows += [(Kind.PARAGRAPH, f"Nothing of note happened in week {page}.", page, 0) for page in range(13, 40)]
    run = run_over(document(rows))
    chosen, fixed = get("mmrag"), get("mmrag-fixed-pages")
    found = run_search(chosen, Query(FERRY, limit=chosen.limit), run).evidence
    assert set(pages_of(found)) == set(range(1, 13))
    assert len(pages_of(run_search(fixed, Query(FERRY), run).evidence)) == fixed.limit == 10
    assert len(pages_of(run_search(chosen, Query(FERRY, limit=3), run).evidence)) == 3


# Reading


def read(reply: dict[str, object], *, relevance: float = 1.0, overview: str = OVERVIEW) -> tuple[Answer, ScriptedModel]:
    def say(request: Request) -> str:
        return judged(p1=relevance)(request) if request.decision == "judge_page_relevance" else json.dumps(reply)  # pyright: ignore[reportCallIssue]

    run, model = asking(say, overview=overview)
    return run_ask(MMRAG, Query(FERRY), run), model


def reasoned(answer: str, form: str, quote: str, **more: object) -> dict[str, object]:
    return {
        "analysis": "…",
        "pages": [1],
        "evidence": [{"id": 1, "quote": quote}],
        "format": form,
        "answer": answer,
        **more,
    }


TYPED = [
    ("420", "Int", 420, AnswerFormat.INT),
    ("420 passengers", "Int", 420, AnswerFormat.INT),
    ("420.0%", "Float", 420.0, AnswerFormat.FLOAT),
    ("0.42 thousand", "Float", 0.42, AnswerFormat.FLOAT),
    ("420", "Str", "420", AnswerFormat.STR),
    ("Storm Petrel; berth", "List", ["Storm Petrel", "berth"], AnswerFormat.LIST),
    ("Storm Petrel", "string", "Storm Petrel", AnswerFormat.STR),
]


@pytest.mark.parametrize(("text", "said", "value", "form"), TYPED, ids=str)
def test_the_value_has_the_type_that_the_model_says(text: str, said: str, value: object, form: AnswerFormat) -> None:
    answer, _ = read(reasoned(text, said, "carries 420 passengers"))
    assert (answer.value, answer.format) == (value, form)
    assert answer.citations[0].quote == "carries 420 passengers"


def test_not_answerable_is_an_answer() -> None:
    answer, _ = read({"analysis": "…", "pages": [], "evidence": [], "format": "None", "answer": ""})
    assert (answer.answerable, answer.format, answer.citations) == (False, AnswerFormat.NONE, ())


def test_overviews_are_shown_with_their_pages_and_pages_that_were_not_shown_are_dropped() -> None:
    answer, model = read(reasoned("420", "Int", "carries 420 passengers", pages=[1, 99]), relevance=0.6)
    assert f"(pages 1, 2, 3) {OVERVIEW}" in prompt(model.requests[-1])
    assert answer.answerable


@pytest.mark.parametrize(
    ("relevance", "overview"),
    [(0.7, OVERVIEW), (0.6, ""), (0.6, "The harbour runs one ferry."), (0.6, "Ferries sail. Ferries sail.")],
)
def test_overviews_that_say_nothing_of_their_own_or_stand_beside_a_page_with_the_answer_are_not_shown(
    relevance: float, overview: str
) -> None:
    _, model = read(reasoned("420", "Int", "carries 420 passengers"), relevance=relevance, overview=overview)
    assert "<overviews>" not in prompt(model.requests[-1])


def test_what_is_known_of_a_question_without_an_answer_is_said_and_what_is_missing() -> None:
    known = "It carries 420 passengers; nothing is said of winter."
    none = {
        "analysis": "…",
        "pages": [1],
        "format": "None",
        "answer": "",
        "known": known,
        "missing": ["winter timetable"],
    }
    answer, _ = read({**none, "evidence": [{"id": 1, "quote": "carries 420 passengers"}]})
    assert (answer.outcome, answer.format) == (Outcome.PASSAGES, AnswerFormat.NONE)
    assert known in answer.text
    assert "420" in answer.passages[0].text
    assert answer.missing == ("winter timetable",)
    without, _ = read({**none, "evidence": [], "why": "There is no winter ferry."})
    assert without.outcome is Outcome.NOTHING
    assert without.text.endswith("There is no winter ferry.")


def test_what_is_known_in_part_is_cited_by_what_it_quotes() -> None:
    known = {"format": "None", "answer": "", "known": "420 passengers", "pages": [1], "analysis": "…"}
    answer, _ = read({**known, "evidence": [{"id": 1, "quote": "carries 420 passengers"}, {"id": 9, "quote": "seven"}]})
    assert (answer.outcome, [one.quote for one in answer.citations]) == (Outcome.PASSAGES, ["carries 420 passengers"])


def further(
    missing: list[str], second: dict[str, object], *, sees: bool = False, caps: Caps | None = None
) -> tuple[Answer, list[Request]]:
    """Ask with a model that at first knows a part, from page 1 alone, and says what is missing."""
    known = {"known": "The Storm Petrel carries 420.", "evidence": [{"id": 1, "quote": "carries 420 passengers"}]}
    none = {"analysis": "…", "pages": [1], "format": "None", "answer": ""}
    replies = iter([{**none, **known, "missing": missing}, second])

    def say(request: Request) -> str:
        if request.decision == "judge_page_relevance":
            return judged(p1=1.0)(request)
        if request.decision == "answer_from_pictures":
            return json.dumps({"used": [1], "seen": "The hull is red.", "answerable": False, "answer": ""})
        return json.dumps(next(replies))

    model = ScriptedModel(say, sees=sees)
    judge = Judge({"language": model}, budget=Budget(caps))
    run = Run(View([REPORT], Shelf(REPORT)), embedder=FakeEmbedder, judge=judge)
    run.pictures = lambda document, places: [np.zeros((8, 8, 3), np.uint8) for _ in places]
    answer = run_ask(MMRAG, Query("What does it cost to moor the Storm Petrel for a night?"), run)
    return answer, [request for request in model.requests if request.decision != "judge_page_relevance"]


MOORING = {"analysis": "…", "pages": [2], "format": "Str", "answer": "12.50 crowns", "evidence": []}


@pytest.mark.parametrize("missing", [["crowns for mooring a night"], ["page 2"]], ids=str)
def test_what_is_missing_is_searched_or_shown_and_read_with_what_was_known(missing: list[str]) -> None:
    answer, (first, second) = further(missing, MOORING)
    assert "12.50" not in prompt(first)
    assert "Mooring costs 12.50 crowns a night." in prompt(second)
    assert "The Storm Petrel carries 420 passengers." in prompt(second)
    assert "<known so far>\nThe Storm Petrel carries 420.\n</known so far>" in prompt(second)
    assert (answer.text, answer.citations[0].page) == ("12.50 crowns", 2)
    assert {page.page for page in answer.pages_read} >= {1, 2}


def test_a_picture_that_is_asked_for_is_looked_at_once() -> None:
    red = {"analysis": "…", "pages": [1], "format": "Str", "answer": "red", "evidence": [{"id": 1, "quote": "Petrel"}]}
    answer, requests = further(["picture of page 2"], red, sees=True)
    assert [request.decision for request in requests] == [
        "answer_from_pictures",
        "answer_with_reasoning",
        "answer_from_pictures",
        "answer_with_reasoning",
    ]
    assert "page 2" in prompt(requests[2])
    assert prompt(requests[3]).count("Seen: The hull is red.") == 2
    assert answer.text == "red"


def test_there_is_one_further_reading_and_none_where_nothing_new_is_found() -> None:
    again = {"analysis": "…", "pages": [], "format": "None", "answer": "", "evidence": [], "missing": ["winter crew"]}
    answer, requests = further(["crowns for mooring a night"], again)
    assert (len(requests), answer.known) == (2, "The Storm Petrel carries 420.")
    answer, requests = further(["page 1"], again)
    assert (len(requests), answer.missing) == (1, ("page 1",))
    answer, requests = further(["page 2"], again, caps=Caps(calls=2))
    assert (len(requests), answer.known) == (1, "The Storm Petrel carries 420.")


def test_a_quote_that_is_not_there_is_replaced_by_a_line_that_is() -> None:
    answer, _ = read(reasoned("420", "Int", "it carries some 420 or so"))
    assert answer.citations[0].quote == "The Storm Petrel carries 420 passengers."


def test_three_to_five_calls_are_made_for_a_question() -> None:
    _, model = read(reasoned("420", "Int", "carries 420 passengers"))
    assert model.calls <= 5


def test_a_budget_that_ends_leaves_the_extracted_answer_marked() -> None:
    run, model = asking(judged(p1=1.0), caps=Caps(calls=1))
    answer = run_ask(MMRAG, run.query, run)
    assert (model.calls, answer.stopped) == (1, "max_calls")
    assert answer.answerable
    assert "420" in answer.text


# Ablations


@pytest.mark.parametrize("system", MMRAG_ABLATIONS, ids=lambda system: system.name)
def test_every_ablation_answers(system: object) -> None:
    run, _ = asking(ModelFault(FaultKind.CONNECTION, "gone"))
    answer = run_ask(system, Query(FERRY), Run(run.view, embedder=FakeEmbedder))  # pyright: ignore[reportArgumentType]
    assert "420" in answer.text


def test_one_page_is_one_page_and_no_summaries_need_no_tree() -> None:
    _, one, no_summaries, no_pages, *_ = MMRAG_ABLATIONS
    assert len(run_search(one, Query(FERRY), run_over(REPORT)).evidence.pages(RELEVANCE)) == 1
    assert "topology" in MMRAG.needs() - no_summaries.needs()
    found = run_search(no_pages, Query("passengers", limit=1), run_over(REPORT)).evidence
    assert SIMILARITY not in found.scores


# Looking

SHOWN = "Which colour is the hull in the picture of the Storm Petrel?"


def looking(question: str, *, sees: bool, settles: bool = True) -> tuple[Answer, ScriptedModel]:
    def say(request: Request) -> str:
        if request.decision == "judge_page_relevance":
            return judged(p1=1.0)(request)
        if request.decision == "answer_from_pictures":
            assert len(request.turns[0].pictures) == 1
            return json.dumps({"used": [1], "seen": "The hull is red.", "answerable": settles, "answer": "red"})
        return json.dumps(reasoned("red", "Str", "The Storm Petrel at its berth"))

    model = ScriptedModel(say, sees=sees)
    run = Run(View([REPORT], Shelf(REPORT)), embedder=FakeEmbedder, judge=Judge({"language": model}))
    run.pictures = lambda document, places: [np.zeros((8, 8, 3), np.uint8) for _ in places]
    return run_ask(MMRAG, Query(question), run), model


def test_what_is_seen_on_the_pages_is_noted_for_the_reader() -> None:
    answer, model = looking(SHOWN, sees=True)
    assert "(page 1; figure; Figure 1: The Storm Petrel at its berth) red Seen: The hull is red." in prompt(
        model.requests[-1]
    )
    assert (answer.value, answer.citations[0].page) == ("red", 1)


def test_what_is_seen_is_noted_where_it_does_not_settle_the_question() -> None:
    _, model = looking(SHOWN, sees=True, settles=False)
    assert "They do not settle the question. Seen: The hull is red." in prompt(model.requests[-1])


@pytest.mark.parametrize(("question", "sees"), [(SHOWN, False), (SHOWN, True), (FERRY, False), (FERRY, True)])
def test_pictures_are_looked_at_whatever_the_question_by_a_model_that_sees_in_one_call(
    question: str, sees: bool
) -> None:
    _, model = looking(question, sees=sees)
    assert [request.decision for request in model.requests].count("answer_from_pictures") == sees


def test_views_of_several_documents_are_judged_by_name_and_page() -> None:
    other = document([(Kind.PARAGRAPH, "The Storm Petrel was built in Graz.", 1, 0)], name="other.pdf")
    model = ScriptedModel(lambda request: json.dumps({"items": []}))  # pyright: ignore[reportUnknownLambdaType]
    run = Run(view_of(REPORT, other), embedder=FakeEmbedder, judge=Judge({"language": model}))
    run_search(MMRAG, Query(FERRY), run)
    assert "(other.pdf, page 1)" in prompt(model.requests[0])


@pytest.mark.parametrize("system", [MMRAG, *MMRAG_ABLATIONS], ids=lambda system: system.name)
def test_no_page_is_judged_for_a_question_that_a_contact_sheet_decides(system: System) -> None:
    source = document(
        [row for page in range(1, 7) for row in [(Kind.PARAGRAPH, f"Boat {page}.", page, 0), (Kind.CHART, "", page, 0)]]
    )
    found = {"evidence": [{"id": 1, "quote": "Boat"}], "answerable": True, "answer": "2", "value": "2"}

    def say(request: Request) -> str:
        if request.decision == "choose_pictures":
            return json.dumps({"numbers": [1, 2], "seen": "Two of them are red."})
        return json.dumps(found) if request.decision == "answer_from_evidence" else judged(p1=1.0)(request)

    model = ScriptedModel(say, sees=True)
    run = Run(View([source], Shelf(source)), embedder=FakeEmbedder, judge=Judge({"language": model}))
    run.pictures = lambda document, places: [np.zeros((8, 8, 3), np.uint8) for _ in places]
    run_ask(system, Query("How many charts use red?"), run)
    asked = [request.decision for request in model.requests]
    if system.name == "mmrag-no-visual":
        assert asked[0] == "judge_page_relevance"
    else:
        assert asked == ["choose_pictures", "answer_from_evidence"]
