"""Questions of one's own: how they are read, what they are measured by, what is told of them."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

import evaluating
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Outcome
from octavo.models.scripted import ScriptedModel
from octavo_lab.advice import advice
from octavo_lab.benchmarks import load
from octavo_lab.benchmarks.rows import BadRow
from octavo_lab.journal import RunCost
from octavo_lab.metrics.registry import METRICS, of_plain_questions
from octavo_lab.question import Benchmark, Question, Response, ScoredResponse, ShownPassage
from octavo_lab.report import document, table
from octavo_lab.report.page import page
from octavo_lab.runner import Evaluation, Options, SystemRun, evaluate
from octavo_lab.scoring import ModelAssessor, scored_response
from octavo_lab.summary import summarize

WEIGHT = Question(
    "weight", "How heavy is the heron?", ["1,500 grams", "1500"], ("birds.pdf",), sufficient_pages=(2, 7), kind="text"
)
PREY = Question("prey", "What do they hunt?", [], ("birds.pdf",), items=("voles", "fish / eels"), kind="list")
NIGHT = Question("night", "Does the owl hunt by day?", ["no"], ("birds.pdf",), kind="yes/no", sufficient_pages=(4,))
PRICE = Question("price", "What does a heron cost?", "Not answerable", ("birds.pdf",), kind="unanswerable")
ALL = (WEIGHT, PREY, NIGHT, PRICE)


def answered(text: str, *ranking: int, **changes: Any) -> Response:
    places = tuple(("birds.pdf", number) for number in ranking)
    plain = Response(
        outcome=Outcome.ANSWER, answer=text, ranking=places, usage={"seconds": 0.5}, decided_by={"rule": 3}
    )
    return dataclasses.replace(plain, **changes)


def passages(*texts: str) -> Response:
    shown = tuple(ShownPassage("birds.pdf", 2, "b1", "paragraph", text, 0.5) for text in texts)
    return Response(outcome=Outcome.PASSAGES, answer="No sure short answer.", passages=shown, usage={"seconds": 0.1})


REFUSED = Response(outcome=Outcome.NOTHING, answer="Nothing speaks of it.")
FAILED = Response(error="it broke")


def row(question: Question, response: Response) -> ScoredResponse:
    return scored_response(question, response, lambda blocks: (), metrics=of_plain_questions(), give_format=False)


def value(name: str, question: Question, response: Response) -> float | None:
    return METRICS[name].of(row(question, response))


@pytest.mark.parametrize(
    ("question", "response", "expected"),
    [
        (WEIGHT, answered("1500 grams"), 1.0),
        (WEIGHT, answered("21,500 grams"), 0.0),
        (WEIGHT, answered("1,500"), 1.0),
        (WEIGHT, answered("The heron stands still. " * 9 + "It weighs 1500 grams."), 0.0),
        (WEIGHT, answered("The heron stands still. " * 9 + "It weighs 1500 grams.", decided_by={"model": 1}), 1.0),
        (WEIGHT, answered("The heron stands still. " * 9 + "It weighs 1500 grams.", decided_by={"cache": 1}), 1.0),
        (WEIGHT, passages("It weighs 1500 grams."), 0.0),
        (WEIGHT, REFUSED, 0.0),
        (WEIGHT, FAILED, 0.0),
        (PREY, answered("voles; eels"), 1.0),
        (PREY, answered("voles"), 0.0),
        (NIGHT, answered("No, at night."), 1.0),
        (NIGHT, answered("It hunts at night, so no."), 0.0),
        (PRICE, answered("1500"), None),
        (PRICE, REFUSED, None),
        (PRICE, FAILED, None),
    ],
)
def test_right_is_asked_of_questions_with_an_answer(
    question: Question, response: Response, expected: float | None
) -> None:
    assert value("right", question, response) == expected


@pytest.mark.parametrize(
    ("question", "response", "precision", "coverage", "false"),
    [
        (WEIGHT, answered("1500"), 1.0, 1.0, None),
        (WEIGHT, answered("9"), 0.0, 1.0, None),
        (WEIGHT, passages("It weighs 1500 grams."), None, 0.0, None),
        (WEIGHT, REFUSED, None, 0.0, None),
        (WEIGHT, FAILED, None, 0.0, None),
        (PRICE, answered("1500"), 0.0, None, 1.0),
        (PRICE, passages("Herons are free."), None, None, 0.0),
        (PRICE, REFUSED, None, None, 0.0),
        (PRICE, FAILED, None, None, 0.0),  # an error claims nothing
    ],
)
def test_only_an_answer_is_a_claim(
    question: Question, response: Response, precision: float | None, coverage: float | None, false: float | None
) -> None:
    found = [value(name, question, response) for name in ("short_precision", "short_coverage", "false_claims")]
    assert found == [precision, coverage, false]


def test_a_failed_question_without_an_answer_is_no_false_claim_and_not_right(tmp_path: Path) -> None:
    refused, failed = summarize(measured(tmp_path, refused=(REFUSED,) * 4, failed=(FAILED,) * 4))["systems"]
    assert (refused["metrics"]["false_claims"], failed["metrics"]["false_claims"]) == (0.0, 0.0)
    assert (refused["rows"][3]["score"], failed["rows"][3]["score"]) == (1.0, 0.0)


def test_units_are_the_passages_shown_each_cut_to_120_words() -> None:
    late = "word " * 118 + "it weighs 1500 grams"
    assert value("unit@1", WEIGHT, passages("Herons weigh 1500.")) == 1.0
    assert value("unit@1", WEIGHT, passages("Herons.", "They weigh 1500.")) == 0.0
    assert value("unit@3", WEIGHT, passages("Herons.", "They weigh 1500.")) == 1.0
    assert value("unit@3", WEIGHT, passages("a", "b", "c", "They weigh 1500.")) == 0.0
    assert value("unit@1", WEIGHT, passages(late)) == 0.0
    assert value("unit@1", WEIGHT, answered("1500")) == 0.0  # nothing was shown beside the answer
    assert value("unit@1", WEIGHT, FAILED) == 0.0


def test_items_may_stand_in_several_of_the_passages() -> None:
    assert value("unit@1", PREY, passages("Owls hunt voles.", "Herons eat fish.")) == 0.0
    assert value("unit@3", PREY, passages("Owls hunt voles.", "Herons eat fish.")) == 1.0


def test_yes_or_no_and_questions_without_an_answer_have_no_words_to_find() -> None:
    assert value("unit@3", NIGHT, passages("no")) is None
    assert value("unit@3", PRICE, passages("1500")) is None


def test_any_sufficient_page_will_do() -> None:
    assert [value(name, WEIGHT, answered("", 3, 7, 2)) for name in ("page@1", "page@5")] == [0.0, 1.0]
    assert value("page@5", WEIGHT, answered("", 1, 3, 4, 5, 6, 7)) == 0.0
    assert value("page@5", PRICE, answered("", 1)) is None
    assert value("page@1", dataclasses.replace(WEIGHT, documents=()), answered("", 2)) is None  # whose page 2?
    assert value("page@1", WEIGHT, FAILED) == 0.0


GOOD: dict[str, Any] = {"id": "good", "question": "What?", "answers": ["a"], "document": "a.pdf"}


def read(folder: Path, *rows: Any, place: str = "q.jsonl", **options: Any) -> Benchmark:
    file = folder / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    if not (folder / "a.pdf").exists():
        (folder / "a.pdf").write_bytes(b"%PDF")
    return load(str(file), folder, **options)


@pytest.mark.parametrize(
    ("fields", "accepted", "items", "kind"),
    [
        ({}, ["a"], (), "text"),
        ({"answers": ["$35,700", 35700]}, ["$35,700", "35700"], (), "text"),
        ({"answers": []}, [], (), "unanswerable"),
        ({"answers": [], "kind": "none"}, [], (), "unanswerable"),
        ({"answers": ["No"]}, ["No"], (), "yes/no"),
        ({"answers": ["yes"], "kind": "yesno"}, ["yes"], (), "yes/no"),
        ({"kind": "Table"}, ["a"], (), "table"),
        ({"answers": [], "items": ["a / b", "c"]}, [], ("a / b", "c"), "list"),
        ({"answers": ["a and c"], "items": ["a", "c"], "kind": "section"}, ["a and c"], ("a", "c"), "section"),
        ({"answers": None, "answer": "$35,700"}, ["$35,700"], (), "text"),
        ({"answers": None, "answer": None}, [], (), "unanswerable"),
        ({"answers": None, "answer": ["a", "c"]}, ["a, c"], ("a", "c"), "list"),
        ({"answers": None, "answer": "['a', 'c']"}, ["['a', 'c']"], ("a", "c"), "list"),
        ({"answers": None, "answer": ["a", "c"], "answer_format": "Str"}, ["a", "c"], (), "text"),
    ],
)
def test_gold_is_read_as_it_is_written(
    tmp_path: Path, fields: dict[str, Any], accepted: list[str], items: tuple[str, ...], kind: str
) -> None:
    row = {name: value for name, value in {**GOOD, **fields}.items() if name != "answers" or value is not None}
    made = read(tmp_path, row)
    (found,) = made.questions
    assert (found.accepted, found.items, found.kind) == (accepted, items, kind)
    assert found.answerable == (kind != "unanswerable")
    assert made.metrics == of_plain_questions()
    assert made.warnings == ()


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"answers": "a"}, "needs a list in 'answers', not 'a'"),
        ({"answers": [], "kind": "text"}, "says 'text' in 'kind' and has no answers"),
        ({"kind": "unanswerable"}, "says 'unanswerable' in 'kind' and has answers"),
        ({"pages": [0]}, "needs page numbers from 1 in 'pages', not 0"),
        ({"pages": 3}, "needs a list in 'pages', not 3"),
        ({"items": "voles"}, "needs a list in 'items', not 'voles'"),
        ({"question": " "}, "needs a text in 'question'"),
        ({"id": "good"}, "has the id 'good' of an earlier row"),
    ],
)
def test_a_bad_row_is_named_and_left_out(tmp_path: Path, fields: dict[str, Any], named: str) -> None:
    bad = {**GOOD, "id": "bad", **fields}
    made = read(tmp_path, GOOD, bad)
    assert [question.id for question in made.questions] == ["good"]
    assert made.problems[0].startswith(f"q.jsonl:2: {named}")
    with pytest.raises(BadRow, match=r"q\.jsonl:2: "):
        read(tmp_path, GOOD, bad, skip_bad=False)


def test_documents_are_found_by_name_anywhere_below_the_folder(tmp_path: Path) -> None:
    for place in ("documents/a.pdf", "reports/2031/b.pdf", "other/c.md", "other/not named.pdf"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(place)
    (tmp_path / "a.pdf").write_text("documents/a.pdf")  # the same file twice is one document
    rows = [{**GOOD, "id": name, "document": name} for name in ("a.pdf", "b.pdf", "c.md")]
    made = read(tmp_path, *rows, place="natural/questions.jsonl")
    assert sorted(path.name for path in made.documents) == ["a.pdf", "b.pdf", "c.md"]
    named = load("natural", tmp_path)
    assert (named.name, named.questions, named.documents) == ("natural", made.questions, made.documents)


def test_two_files_of_one_name_are_not_guessed_between(tmp_path: Path) -> None:
    for place in ("x/a.pdf", "y/a.pdf"):
        (tmp_path / place).parent.mkdir()
        (tmp_path / place).write_text(place)
    (tmp_path / "a.pdf").write_text("x/a.pdf")
    with pytest.raises(UsageError, match=r"a\.pdf and .*y/a\.pdf have the same name; --documents names the folder"):
        read(tmp_path, GOOD)


def test_a_document_that_is_not_there_leaves_the_others(tmp_path: Path) -> None:
    made = read(tmp_path, GOOD, {**GOOD, "id": "gone", "document": "gone.pdf"})
    assert [path.name for path in made.documents] == ["a.pdf"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="empty holds no documents"):
        load(str(tmp_path / "q.jsonl"), tmp_path / "empty")


@pytest.mark.parametrize("given", ["$35,700", "35,700", "35700"])
def test_money_in_an_own_file_is_scored_by_its_value(tmp_path: Path, given: str) -> None:
    (question,) = read(tmp_path, {**GOOD, "answers": ["$35,700"]}).questions
    (older,) = read(tmp_path, {"question": "What?", "answer": "$35,700", "document": "a.pdf"}).questions
    assert [value("right", one, answered(given)) for one in (question, older)] == [1.0, 1.0]
    assert [value("right", one, answered("35,701")) for one in (question, older)] == [0.0, 0.0]


def measured(folder: Path, **runs: tuple[Response, ...]) -> Evaluation:
    made = evaluating.benchmark(folder, *ALL)
    return Evaluation(
        benchmark=dataclasses.replace(made, metrics=of_plain_questions()),
        options=Options(),
        runs=tuple(SystemRun(name, "Read()", tuple(map(row, ALL, responses))) for name, responses in runs.items()),
        documents={},
        took=(RunCost(1.0, 2.0, 8, 0),),
        failures=(),
    )


@pytest.fixture
def summary(tmp_path: Path) -> dict[str, Any]:
    good = (answered("1500", 2), passages("Voles and fish."), answered("No", 1, 4), REFUSED)
    poor = (answered("9", 1), answered("voles", 2), FAILED, answered("£5"))
    return summarize(measured(tmp_path, good=good, poor=poor))


def test_systems_that_equal_the_best_or_may_do_so_are_named_with_it(tmp_path: Path) -> None:
    right = answered("1500"), answered("voles; eels"), answered("No"), REFUSED
    one_less = (*right[:2], FAILED, REFUSED)
    none = (FAILED, FAILED, FAILED, REFUSED)
    found = summarize(measured(tmp_path, bm25=none, dense=right, hybrid=one_less, auto=right))
    assert found["best"] == ["dense", "hybrid", "auto"]
    assert advice(found).startswith("Use auto: dense and auto are equal: 100% ")
    assert summarize(measured(tmp_path, poor=none, good=right))["best"] == ["good"]


def test_the_printed_table_says_in_words_what_matters(summary: dict[str, Any]) -> None:
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table(summary).splitlines()]
    assert lines[0] == ["", "good", "poor"]
    assert {line[0]: line[1:] for line in lines[2:]} == {
        "answerable questions answered right": ["67 % (2 of 3)", "0 % (0 of 3)"],
        "short answers given that are right": ["100 % (2 of 2)", "0 % (0 of 3)"],
        "answerable questions given a short answer": ["67 % (2 of 3)", "67 % (2 of 3)"],
        "unanswerable questions given an answer (lower is better)": ["0 % (0 of 1)", "100 % (1 of 1)"],
        "answer to be read in the first passage shown": ["50 % (1 of 2)", "0 % (0 of 2)"],
        "answer to be read in the first three passages shown": ["50 % (1 of 2)", "0 % (0 of 2)"],
        "a page with the answer ranked first": ["50 % (1 of 2)", "0 % (0 of 2)"],
        "a page with the answer among the first five": ["100 % (2 of 2)", "0 % (0 of 2)"],
        "seconds a question, mean": ["0.37", "0.50"],
        "seconds a question, median": ["0.50", "0.50"],
    }


def test_no_benchmarks_rule_is_shown_for_own_questions(summary: dict[str, Any]) -> None:
    assert "mmlongbench" not in summary["metrics"] and summary["main_metric"] == "right"
    for written in (table(summary), document(summary), page(summary)):
        assert "accuracy" not in written.lower() and "mmlongbench" not in written.lower()


def test_figures_are_split_by_kind_everywhere(summary: dict[str, Any]) -> None:
    by = summary["systems"][0]["by"]["kind"]
    assert {kind: group["right"] for kind, group in by.items()} == {
        "text": 1.0,
        "list": 0.0,
        "yes/no": 1.0,
        "unanswerable": None,
    }
    told = document(summary)
    assert told.startswith(table(summary))
    line = next(line for line in told.splitlines() if line.startswith("| list"))
    assert [cell.strip() for cell in line.split("|")[2:5]] == ["1", "0 %", "–"]
    assert "good, by kind" in told and "poor, by kind" in told
    assert "By what was asked" in page(summary) and "unanswerable (1)" in page(summary)


def test_a_row_says_what_came_of_a_question_and_what_was_shown(summary: dict[str, Any]) -> None:
    weight, prey, _, price = summary["systems"][0]["rows"]
    assert (weight["outcome"], weight["score"], weight["sufficient_pages"]) == ("answer", 1.0, [2, 7])
    assert (prey["outcome"], prey["items"]) == ("passages", ["voles", "fish / eels"])
    assert prey["passages"][0]["text"] == "Voles and fish."
    assert (price["outcome"], price["score"]) == ("nothing", 1.0)  # rightly not answered
    assert summary["systems"][1]["rows"][3]["score"] == 0.0
    html = page(summary)
    assert "Voles and fish." in html and "fish / eels" in html and "gold pages: 2, 7" in html


def test_each_refusal_is_told_once(summary: dict[str, Any]) -> None:
    assert {"refused_answerable", "refused_unanswerable"}.isdisjoint(summary["metrics"])


def test_a_model_that_judges_is_asked_about_own_questions(tmp_path: Path) -> None:
    model = ScriptedModel(['{"correct": true}'])
    made = evaluating.benchmark(tmp_path, evaluating.HERON)
    own = dataclasses.replace(made, metrics=of_plain_questions())
    assessor = ModelAssessor(Judge({"language": model}), "scripted:test")
    with evaluating.corpus(tmp_path) as corpus:
        found = evaluate(corpus, own, ["bm25"], tmp_path / "out", assessor=assessor)
    assert [request.decision for request in model.requests] == [
        "judge_answer"
    ]  # no short answer is read out of the response: nothing would be scored by it
    assert "| judged right by scripted:test" in table(summarize(found))


def test_what_an_older_version_kept_is_asked_again(tmp_path: Path) -> None:
    made = evaluating.benchmark(tmp_path, evaluating.OWL)
    with evaluating.corpus(tmp_path) as corpus:
        evaluate(corpus, made, ["bm25"], tmp_path / "out")
        assert evaluate(corpus, made, ["bm25"], tmp_path / "out").took[-1].from_journal == 1
        path = tmp_path / "out" / "journal.jsonl"
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        for line in lines:
            for name in ("outcome", "passages"):
                line.get("response", {}).pop(name, None)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        again = evaluate(corpus, made, ["bm25"], tmp_path / "out")
    assert again.took[-1].from_journal == 0
    assert again.runs[0].rows[0].response.error is None
