"""The report: figures for programs, a page for people that fetches and runs nothing."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluating
from evaluating import HERON, MARBLE, NOTHING, OWL, benchmark
from octavo.errors import CorpusError
from octavo.evidence import Outcome
from octavo_lab.journal import RunCost
from octavo_lab.metrics.registry import METRICS
from octavo_lab.question import CheckedCitation, PageScore, Question, Response, ScoredResponse, ShownPassage
from octavo_lab.report import table, write
from octavo_lab.report.html import element, looks, text
from octavo_lab.report.page import page
from octavo_lab.report.tables import ordered
from octavo_lab.runner import Evaluation, Options, SystemRun
from octavo_lab.scoring import final_answer, scored_response
from octavo_lab.summary import summarize

PAYLOAD = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> \x00\ud800 </style> javascript:alert(1)"


def response(*pages: int, answer: str = "voles", seconds: float = 0.5, **changes: Any) -> Response:
    plain = Response(
        pages=tuple(PageScore("birds.pdf", number, 1 / number) for number in pages),
        ranking=tuple(("birds.pdf", number) for number in (*pages, 9)),
        answer=answer,
        value=answer,
        outcome=Outcome.ANSWER,
        citations=(CheckedCitation("birds.pdf", pages[0], "b1", answer, is_verbatim=True),) if pages else (),
        usage={"calls": 0, "input_tokens": 0, "output_tokens": 0, "cached_calls": 0, "seconds": seconds, "cost": None},
        decided_by={"rule": 1},
        trace=({"step": "Search", "parameters": {"by": "bm25"}, "rows_in": 9, "rows_out": 2, "seconds": 0.1},),
    )
    return dataclasses.replace(plain, **changes)


def rows(*pairs: tuple[Question, Response]) -> tuple[ScoredResponse, ...]:
    return tuple(
        scored_response(question, made, lambda blocks: (), metrics=("mmlongbench",), give_format=False)
        for question, made in pairs
    )


def evaluation(folder: Path, *runs: SystemRun, questions: tuple[Question, ...] = (HERON, OWL, NOTHING)) -> Evaluation:
    return Evaluation(
        benchmark=benchmark(folder, *questions),
        options=Options(),
        runs=runs,
        documents={},
        took=(RunCost(61.0, 1.0, 3, 0, 2**30), RunCost(0.1, 0.5, 3, 3, 2**20)),
        failures=(),
    )


def two_systems(folder: Path) -> Evaluation:
    refused = response(answer="Not answerable", outcome=Outcome.NOTHING, value=None)
    good = rows((HERON, response(2, 3, answer="1,500 grams")), (OWL, response(4)), (NOTHING, refused))
    bad = rows((HERON, response(3, 4, answer="9")), (OWL, response(error="it broke")), (NOTHING, response(1)))
    return evaluation(folder, SystemRun("good", "Search() >> Read()", good), SystemRun("bad", "Guess()", bad))


@pytest.fixture
def summary(tmp_path: Path) -> dict[str, Any]:
    return summarize(two_systems(tmp_path))


def by_name(summary: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {system["system"]: system for system in summary["systems"]}


def test_averages_count_every_question_and_a_failed_one_counts_as_wrong(summary: dict[str, Any]) -> None:
    good, bad = by_name(summary)["good"], by_name(summary)["bad"]
    assert good["metrics"]["mmlongbench"] == pytest.approx((1 + 1 + 1) / 3)
    assert bad["metrics"]["mmlongbench"] == 0.0
    assert (good["failed"], bad["failed"]) == (0, 1)
    assert (good["metrics"]["pr"], bad["metrics"]["pr"]) == (1.0, 0.0)
    assert bad["metrics"]["ipr"] == 1.0
    assert good["metrics"]["ipr"] == pytest.approx((0.5 + 0) / 2)
    assert good["metrics"]["refused_unanswerable"] == 1.0
    assert bad["metrics"]["refused_answerable"] == 0.5


def test_a_row_has_the_fields_others_rely_on(summary: dict[str, Any]) -> None:
    row = by_name(summary)["good"]["rows"][0]
    wanted = {"id", "document", "question", "evidence_pages", "pages", "ranking", "answer", "prediction", "score"}
    assert wanted | {"usage", "error"} <= set(row)
    assert row["pages"] == [{"page": 2, "score": 0.5}, {"page": 3, "score": pytest.approx(1 / 3)}]
    assert row["ranking"] == [2, 3, 9]
    assert (row["answer"], row["prediction"], row["score"], row["error"]) == ("1500", "1500", 1.0, None)


def test_breakdowns_cover_the_kinds_of_question(summary: dict[str, Any]) -> None:
    by = by_name(summary)["good"]["by"]
    assert {"source", "page", "format"} <= set(by)
    assert by["source"]["Text"]["questions"] == 2
    assert by["source"]["Layout"]["questions"] == 1
    assert by["page"]["1 page"]["pr"] == 1.0
    assert by["page"]["no gold page"]["pr"] is None
    assert by["format"]["Int"]["mmlongbench"] == 1.0


def test_systems_are_compared_in_pairs_with_the_first(summary: dict[str, Any]) -> None:
    (only,) = summary["comparisons"]
    assert (only["system"], only["against"]) == ("bad", "good")
    assert only["metrics"]["mmlongbench"]["difference"] == -1.0
    assert only["metrics"]["mmlongbench"]["interval"] == [-1.0, -1.0]


def test_perfect_recall_at_matched_pages_cuts_each_ranking(tmp_path: Path) -> None:
    short = rows((HERON, response(2)), (OWL, response(4)))
    long = rows((HERON, response(3, 2)), (OWL, response(4, 3)))
    made = evaluation(tmp_path, SystemRun("short", "", short), SystemRun("long", "", long), questions=(HERON, OWL))
    matched = summarize(made)["matched_pages"]
    assert matched["short"]["long"] == 0.5  # its first page is right for one question of two
    assert matched["long"]["short"] == 1.0


def test_differences_at_matched_pages_have_paired_intervals(tmp_path: Path) -> None:
    short = rows((HERON, response(2)), (OWL, response(4)))
    long = rows((HERON, response(3, 2)), (OWL, response(3, 4)))
    made = evaluation(tmp_path, SystemRun("short", "", short), SystemRun("long", "", long), questions=(HERON, OWL))
    found = summarize(made)["matched_differences"]
    assert found["short"]["long"] == {"difference": -1.0, "interval": [-1.0, -1.0]}
    assert found["long"]["short"] == {"difference": 0.0, "interval": [0.0, 0.0]}
    assert summarize(made)["pages_to_match"] == {"short": {"long": 2}, "long": {"short": 1}}
    html = page(summarize(made))
    assert "At matched pages" in html
    assert "as good at 2" in html
    assert "-1.000 against short (-1.000 to -1.000)" in html


def test_questions_are_told_apart_by_pages_they_need_and_by_what_they_name(tmp_path: Path) -> None:
    named = dataclasses.replace(HERON, id="named", question="What is shown in Figure 3 on page 2?")
    found = rows((HERON, response(2)), (MARBLE, response(1)), (named, response(9)), (NOTHING, response(1)))
    made = evaluation(tmp_path, SystemRun("one", "", found), questions=(HERON, MARBLE, named, NOTHING))
    by = summarize(made)["systems"][0]["by"]
    assert {name: group["questions"] for name, group in by["span"].items()} == {"multi page": 1, "single page": 2}
    assert {name: group["pr"] for name, group in by["span"].items()} == {"multi page": 0.0, "single page": 0.5}
    assert by["reference"]["explicit reference"]["questions"] == 1
    assert by["reference"]["no reference"]["questions"] == 3


def many(folder: Path) -> dict[str, Any]:
    """Return the summary of 13 systems, three of them variants."""
    names = [*"abcdefghij", "b@limit=1", "b@limit=2", "c@limit=1"]
    pages = {name: (4, 2, 3)[: 1 + at % 3] for at, name in enumerate(names)}
    runs = [
        SystemRun(name, "", rows((HERON, response(*pages[name])), (OWL, response(4))), name[0])
        for name in sorted(names)
    ]
    return summarize(evaluation(folder, *runs, questions=(HERON, OWL)))


def test_many_systems_stay_apart_and_variants_stand_under_their_system(tmp_path: Path) -> None:
    summary = many(tmp_path)
    told = looks(summary["systems"])
    assert len(set(told.values())) == len(told) == 13
    assert told["b"].color == told["b@limit=1"].color == told["b@limit=2"].color
    names = [system["system"] for system in ordered(summary)]
    assert names[names.index("b") + 1 :][:2] == ["b@limit=1", "b@limit=2"]
    html = page(summary)
    assert html.count('class="heat"') == len([key for key in summary["groups"] if len(groups(summary, key)) > 1])
    assert sum(tag == "svg" for tag, _ in parsed(html).seen) > 13


def groups(summary: dict[str, Any], key: str) -> dict[str, Any]:
    return summary["systems"][0]["by"][key]


def test_more_systems_than_looks_are_drawn_all_the_same() -> None:
    systems = [{"system": f"{name}{at}", "base": name} for name in "abcdefghij" for at in range(4)]
    assert len(looks(systems)) == 40


def test_the_best_comes_first_and_systems_that_count_alike_share_a_row(tmp_path: Path) -> None:
    good = rows((HERON, response(2)), (OWL, response(4)))
    bad = rows((HERON, response(3)), (OWL, response(3, answer="mice")))
    made = evaluation(tmp_path, SystemRun("bad", "", bad), SystemRun("good", "", good), questions=(HERON, OWL))
    summary = summarize(made)
    assert [system["system"] for system in ordered(summary)] == ["good", "bad"]
    assert "At matched pages" not in page(summary)


def test_the_numbers_of_a_real_run_hold_together(tmp_path: Path) -> None:
    from octavo_lab.runner import evaluate

    with evaluating.corpus(tmp_path) as corpus:
        found = summarize(evaluate(corpus, benchmark(tmp_path), ["bm25"], tmp_path / "out"))
    (system,) = found["systems"]
    assert system["metrics"]["pr@20"] == system["pr_at"][19]
    assert system["pr_at"] == sorted(system["pr_at"])
    assert system["metrics"]["citations_verbatim"] == 1.0
    assert system["by"]["scan"]["born digital"]["questions"] == 4
    assert system["by"]["length"]["up to 20 pages"]["questions"] == 4
    assert found["pages"] == 6
    assert page(found)


def test_the_three_files_are_written_whole_and_as_promised(tmp_path: Path, summary: dict[str, Any]) -> None:
    files = write(summary, tmp_path / "new" / "out")
    assert [path.name for path in files] == ["report.json", "report.html", "report.md"]
    assert json.loads(files[0].read_text())["systems"][0]["system"] == "good"
    assert sorted(path.name for path in files[0].parent.iterdir()) == ["report.html", "report.json", "report.md"]


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, summary: dict[str, Any]) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(CorpusError, match=r"report\.json cannot be written"):
        write(summary, tmp_path / "out")


class Tags(HTMLParser):
    """Notes every element, and whether elements close in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in {"meta", "input", "br", "hr", "wbr"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def parsed(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    tags.close()
    assert not tags.open
    return tags


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    question = Question(
        id=PAYLOAD,
        question=PAYLOAD,
        answer=PAYLOAD,
        documents=(PAYLOAD,),
        answer_format=PAYLOAD,
        evidence_pages=(1,),
        evidence_sources=(PAYLOAD, "other"),
        evidence_documents=(PAYLOAD,),
        question_type=PAYLOAD,
        document_type=PAYLOAD,
    )
    made = response(
        1,
        answer=PAYLOAD,
        citations=(CheckedCitation(PAYLOAD, 1, PAYLOAD, PAYLOAD, is_verbatim=False),),
        decided_by={PAYLOAD: 1},
        trace=({"step": PAYLOAD, "parameters": {PAYLOAD: PAYLOAD}, "rows_in": 1, "rows_out": 1, "seconds": 0.0},),
    )
    broken = rows((question, dataclasses.replace(made, error=PAYLOAD)))
    runs = [SystemRun(PAYLOAD, PAYLOAD, rows((question, made))), SystemRun("other", "", broken)]
    found = evaluation(tmp_path, *runs, questions=(question,))
    stated = dataclasses.replace(found.benchmark, title=PAYLOAD, problems=(PAYLOAD,))
    return page(summarize(dataclasses.replace(found, benchmark=stated, failures=(PAYLOAD,))))


def test_text_from_outside_stays_text_everywhere(hostile: str) -> None:
    tags = parsed(hostile)
    names = {name for name, _ in tags.seen}
    assert not names & {"script", "img", "iframe", "object", "embed", "link", "base", "a", "form"}
    assert not [name for _, attributes in tags.seen for name in attributes if name.startswith("on") or name == "style"]
    assert not [attributes for _, attributes in tags.seen if {"src", "href", "xlink:href", "action"} & set(attributes)]
    assert any("<script>alert(1)</script>" in words for words in tags.words)
    assert not re.search("[\x00\ud800]", hostile)


def test_nothing_is_fetched(hostile: str) -> None:
    for match in re.finditer(r"https?://|url\(|@import", hostile):
        raise AssertionError(hostile[match.start() - 40 : match.end() + 40])


def test_the_policy_allows_the_one_style_sheet_and_nothing_else(hostile: str) -> None:
    tags = parsed(hostile)
    (policy,) = [found["content"] for _, found in tags.seen if found.get("http-equiv") == "Content-Security-Policy"]
    sheet = hostile.split("<style>")[1].split("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_the_page_shows_each_question_once_with_every_system(summary: dict[str, Any]) -> None:
    tags = parsed(page(summary))
    entries = [found for name, found in tags.seen if name == "details" and "question" in (found.get("class") or "")]
    assert len(entries) == 3
    assert sum("missed" in (found["class"] or "") for found in entries) == 3
    assert sum("failed" in (found["class"] or "") for found in entries) == 1
    assert "it broke" in tags.words
    assert sum(name == "section" for name, _ in tags.seen) == 6


def test_every_class_the_page_uses_has_a_style(summary: dict[str, Any]) -> None:
    html = page(summary)
    sheet = html.split("<style>")[1].split("</style>")[0]
    used = {name for _, found in parsed(html).seen for name in (found.get("class") or "").split()}
    unstyled = {name for name in used if not re.search(rf"\.{re.escape(name)}\b", sheet)}
    assert not unstyled


def test_tokens_are_plotted_when_there_are_any(tmp_path: Path) -> None:
    spent = {"calls": 1, "input_tokens": 900, "output_tokens": 30, "cached_calls": 0, "seconds": 1.0, "cost": 0.01}
    made = rows((HERON, response(2, usage=spent)))
    found = summarize(evaluation(tmp_path, SystemRun("paid", "", made), questions=(HERON,)))
    assert found["systems"][0]["usage"]["input_tokens"] == 900
    assert found["systems"][0]["usage"]["cost"] == 0.01
    assert "tokens per question" in page(found)
    assert "against the tokens" in page(found)


def test_a_report_without_gold_pages_or_answers_is_still_a_report(tmp_path: Path) -> None:
    bare = Question("x", "What?", "a")
    found = summarize(evaluation(tmp_path, SystemRun("s", "", rows((bare, Response(error="no")))), questions=(bare,)))
    assert found["systems"][0]["pr_at"] == []
    assert parsed(page(found))


def test_the_page_says_what_all_runs_took(summary: dict[str, Any]) -> None:
    assert "indexed in 1 min 1 s, asked in 1.5 s over 2 runs · 1,024 MiB at most" in page(summary)
    assert summary["run"]["indexing_seconds"] == 0.1


def test_the_markdown_table_has_a_row_per_system(summary: dict[str, Any]) -> None:
    head, rule, *body = table(summary).splitlines()
    assert [cell.strip() for cell in head.split("|")[1:4]] == ["system", "MMLongBench accuracy", "PR@1"]
    assert rule.count("-: ") == head.count("|") - 2
    assert [line.split()[1] for line in body] == ["good", "bad"]
    assert len({len(line) for line in (head, rule, *body)}) == 1  # columns stand under each other


@given(st.text(max_size=60))
def test_escaping_gives_back_the_text_and_no_markup(value: str) -> None:
    html = element("p", value, title=value)
    assert html.count("<") == 2
    assert text(text(value)) == text(value)


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (response(1, value=12.5), "12.5"),
        (response(1, value=1500.0), "1500"),
        (response(1, value=["a", 1]), "['a', 1]"),
        (response(1, answer="voles at night. Then it sleeps.", value=None), "voles at night"),
        (response(1, outcome=Outcome.NOTHING), "Not answerable"),
        (response(1, error="broke"), "Fail to answer"),
    ],
)
def test_the_answer_that_is_scored_comes_from_value_text_or_refusal(made: Response, expected: str) -> None:
    assert final_answer("What does the owl eat?", made) == expected


def test_telling_the_format_is_an_option(tmp_path: Path) -> None:
    made = response(2, answer="In 2015, the grey heron")
    assert final_answer("When?", made) == "In 2015, the grey heron"
    assert final_answer("When?", made, answer_format="Int") == "2015"


def metric_values() -> Iterator[tuple[str, ScoredResponse]]:
    for question in (HERON, OWL, MARBLE, NOTHING):
        for made in (response(2), response(error="broke"), Response()):
            for name in METRICS:
                yield name, rows((question, made))[0]


def test_every_metric_has_a_value_or_none_for_every_outcome() -> None:
    for name, row in metric_values():
        value = METRICS[name].of(row)
        assert value is None or not METRICS[name].is_share or 0.0 <= value <= 1.0, name


def test_a_response_comes_back_from_json_as_it_was() -> None:
    shown = ShownPassage("birds.pdf", 2, "b1", "paragraph", "Voles and fish.", 0.5)
    made = response(2, 3, outcome=Outcome.PASSAGES, passages=(shown,))
    assert Response.of_json(json.loads(json.dumps(made.to_json()))) == made
