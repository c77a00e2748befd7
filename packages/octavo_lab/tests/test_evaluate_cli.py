"""`octavo evaluate`: what it writes, what it says, how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import evaluating
import storing
from cli_corpus import Done, octavo
from octavo.cli import context
from octavo.cli.settings import Settings
from octavo.corpus import Corpus
from octavo_lab.benchmarks import BENCHMARKS
from octavo_lab.commands.evaluate import Name

ROWS: list[dict[str, Any]] = [
    {
        "id": "heron",
        "document": "birds.pdf",
        "question": "How many grams does the grey heron weigh?",
        "answer": "1500",
        "evidence_pages": [2],
        "evidence_sources": ["Text"],
    },
    {"id": "owl", "document": "birds.pdf", "question": "What does the barn owl hunt?", "answer": "voles"},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a benchmark folder in our own layout; corpora hold text files."""

    def open_corpus(settings: Settings) -> Corpus:
        assert settings.corpus is not None
        return storing.corpus(settings.corpus)

    monkeypatch.setattr(context, "open_corpus", open_corpus)
    monkeypatch.delenv("OCTAVO_CORPUS", raising=False)
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "bench"
    storing.write(place / "documents", birds=evaluating.BIRDS, stones=evaluating.STONES)
    write(place, *ROWS)
    return place


def write(place: Path, *rows: Any) -> None:
    written = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (place / "questions.jsonl").write_text("\n".join(written) + "\n")


def evaluate(folder: Path, *more: str, name: str = "mmlongbench") -> Done:
    return octavo("evaluate", name, "--documents", str(folder), "--out", "out", "--system", "bm25", *more)


def report() -> dict[str, Any]:
    return json.loads(Path("out/report.json").read_text())


def test_it_prints_a_table_and_writes_the_report(folder: Path) -> None:
    done = evaluate(folder)
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[2].startswith("| bm25   | ")
    assert done.out.splitlines()[-1] == "report: out/report.html"
    assert {path.name for path in Path("out").iterdir()} >= {"report.json", "report.html", "report.md", "corpus"}
    assert [row["id"] for row in report()["systems"][0]["rows"]] == ["heron", "owl"]
    assert report()["run"]["peak_memory"] > 0


def test_a_file_of_ones_own_questions_needs_no_other_option(folder: Path) -> None:
    done = octavo("evaluate", str(folder / "questions.jsonl"), "--out", "out", "--system", "bm25")
    assert done.status == 0
    assert (report()["benchmark"], report()["title"]) == ("bench", "Own questions: bench")


def test_own_questions_are_told_of_in_words(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "mine.jsonl"
    owl = {"question": "What does the barn owl hunt?", "answers": ["voles"], "document": "birds.pdf", "pages": [4]}
    place.write_text(json.dumps(owl) + "\n")
    done = octavo("evaluate", str(place), "--documents", str(folder), "--out", "out", "--system", "bm25")
    assert (done.status, done.err) == (0, "")
    told = {line.split("|")[1].strip(): line.split("|")[2].strip() for line in done.out.splitlines()[:-3]}
    assert told["answer to be read in the first passage shown"] == "100 % (1 of 1)"
    assert told["a page with the answer ranked first"] == "100 % (1 of 1)"
    assert "accuracy" not in done.out and "MMLongBench" not in done.out


def test_without_a_name_auto_is_measured_beside_the_baselines(folder: Path) -> None:
    done = octavo("evaluate", str(folder / "questions.jsonl"), "--out", "out", "--limit", "1")
    assert done.status == 0
    assert [system["system"] for system in report()["systems"]] == ["auto", "bm25", "dense", "hybrid"]


def test_the_second_run_answers_from_the_first(folder: Path) -> None:
    evaluate(folder)
    assert "2 of 2 answers from an earlier run" in evaluate(folder).out


def test_json_prints_the_figures_without_the_questions(folder: Path) -> None:
    found = json.loads(evaluate(folder, "--json").out)
    assert found["systems"][0]["metrics"]["pr"] == 1.0
    assert "rows" not in found["systems"][0]
    assert [Path(name).name for name in found["files"]] == ["report.json", "report.html", "report.md"]


def test_a_given_corpus_is_used(folder: Path, tmp_path: Path) -> None:
    evaluate(folder, "--corpus", str(tmp_path / "mine"))
    assert (tmp_path / "mine").is_dir()
    assert not Path("out/corpus").exists()


def test_limit_and_sample_choose_questions(folder: Path) -> None:
    evaluate(folder, "--limit", "1")
    assert report()["questions"] == 1
    chosen = set()
    for seed in range(8):
        evaluate(folder, "--limit", "1", "--sample", str(seed))
        chosen.add(report()["systems"][0]["rows"][0]["id"])
    assert chosen == {"heron", "owl"}


def test_pages_limits_what_a_reader_gets(folder: Path) -> None:
    evaluate(folder, "--pages", "1")
    assert report()["options"]["limit"] == 1
    assert report()["systems"][0]["metrics"]["pages"] == 1.0


def test_files_are_read_as_asked_and_the_password_is_in_no_report(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[dict[str, Any]] = []
    add = Corpus.add

    def spy(self: Corpus, paths: Any, **options: Any) -> Any:
        given.append(options)
        return add(self, paths, **options)

    monkeypatch.setattr(Corpus, "add", spy)
    evaluate(folder, "--password", "topsecret", "--ocr", "never", "--workers", "1")
    assert [(one["password"], one["ocr"], one["workers"]) for one in given] == [("topsecret", "never", 1)]
    assert not any("topsecret" in path.read_text() for path in Path("out").glob("*.*"))
    assert report()["options"]["ocr"] == "never"


def test_variants_and_sweeps_are_run_and_unknown_ones_told_at_once(folder: Path) -> None:
    done = octavo(
        *("evaluate", "mmlongbench", "--documents", str(folder), "--out", "out", "--system", "bm25,dense@limit=2"),
        *("--sweep", "limit=1,3"),
    )
    assert done.status == 0
    names = [system["system"] for system in report()["systems"]]
    assert names == ["bm25", "bm25@limit=1", "bm25@limit=3", "dense@limit=2"]
    assert [line.split()[1] for line in done.out.splitlines()[2:4]] == ["bm25", "dense@limit=2"]
    wrong = evaluate(folder, "--sweep", "rounds=1,2")
    assert (wrong.status, len(wrong.err.splitlines())) == (2, 1)
    assert "There is no setting 'rounds' in bm25: choose one of limit, " in wrong.err


def test_the_report_says_when_the_format_was_told(folder: Path) -> None:
    evaluate(folder, "--give-format")
    assert report()["options"]["give_format"] is True
    assert "with the gold&#x27;s answer format given" in Path("out/report.html").read_text()


def test_a_bad_row_is_told_and_left_out_or_stops(folder: Path) -> None:
    write(folder, ROWS[0], {"id": "x", "answer": "a"}, ROWS[1])
    done = evaluate(folder)
    assert done.status == 0
    assert done.err == "octavo: left out: questions.jsonl:2: needs a text in 'question', not None\n"
    assert report()["problems"] == ["questions.jsonl:2: needs a text in 'question', not None"]
    stopped = evaluate(folder, "--on-error", "stop")
    assert (stopped.status, stopped.out) == (1, "")
    assert stopped.err == "octavo: questions.jsonl:2: needs a text in 'question', not None\n"


def test_a_missing_or_broken_document_is_told_and_counted(folder: Path) -> None:
    storing.write_file(folder / "documents" / "broken.pdf", "!damaged")
    write(folder, ROWS[0], {**ROWS[1], "document": "gone.pdf"}, {**ROWS[1], "id": "b", "document": "broken.pdf"})
    done = evaluate(folder)
    assert done.status == 0
    assert "octavo: bm25: question owl: the document gone.pdf is not in the benchmark's folder" in done.err
    assert "broken.pdf is damaged" in done.err
    assert report()["systems"][0]["failed"] == 2
    assert evaluate(folder, "--on-error", "stop").status == 2


def test_a_key_that_is_not_read_is_told(folder: Path) -> None:
    write(folder, {**ROWS[0], "page": [2]}, ROWS[1])
    done = octavo("evaluate", str(folder / "questions.jsonl"), "--out", "out", "--system", "bm25")
    assert done.status == 0
    assert done.err == "octavo: questions.jsonl:1: 'page' is not read; did you mean 'pages'?\n"


def test_when_every_question_fails_the_report_is_written_and_the_status_is_1(folder: Path) -> None:
    write(folder, {**ROWS[0], "document": "gone.pdf"}, {**ROWS[1], "document": "lost.pdf"})
    done = evaluate(folder, "--system", "bm25,dense")
    assert done.status == 1
    assert done.err.splitlines()[-1] == (
        "octavo: 2 of 2 questions failed: question heron: the document gone.pdf is not in the benchmark's folder"
    )
    assert [system["failed"] for system in report()["systems"]] == [2, 2]
    assert evaluate(folder, "--json").status == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--system", "bm25,nope"], "no system called 'nope'"),
        (["--system", "bm25,bm25"], "each once"),
        (["--system", ","], "--system needs names"),
        (["--limit", "0"], "--limit: needs a whole number, 1 or more"),
        (["--limit", "many"], "--limit: needs a whole number"),
        (["--pages", "-1"], "--pages: needs a whole number"),
        (["--sample", "1"], "with --limit N"),
        (["--on-error", "ignore"], "--on-error: needs skip or stop"),
        (["--model", "gpt"], "PROVIDER:NAME"),
        (["--ocr", "maybe"], "needs one of auto, always, never"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(folder: Path, arguments: list[str], named: str) -> None:
    done = evaluate(folder, *arguments)
    assert (done.status, done.out) == (2, "")
    assert named in done.err
    assert done.err.count("\n") == 1
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["mmlongbanch", "--out", "out"], "there is no benchmark or file 'mmlongbanch'"),
        (["mmlongbench", "--out", "out"], "--documents FOLDER is needed"),
        (["mmlongbench", "--documents", "gone", "--out", "out"], "there is no folder gone"),
        (["dude", "--documents", ".", "--out", "out"], "holds no questions of DUDE"),
        (["mmlongbench", "--documents", "bench"], "--out FOLDER is needed"),
        ([], "BENCHMARK is missing"),
    ],
)
def test_a_benchmark_that_is_not_there_is_one_line(folder: Path, arguments: list[str], named: str) -> None:
    done = octavo("evaluate", *arguments)
    assert done.status == 2
    assert named in done.err
    assert done.err.count("\n") == 1


def test_ctrl_c_keeps_what_was_answered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Corpus.ask

    def interrupted(self: Corpus, question: str, **options: Any) -> Any:
        if "owl" in question:
            raise KeyboardInterrupt
        return ask(self, question, **options)

    monkeypatch.setattr(Corpus, "ask", interrupted)
    done = evaluate(folder)
    assert done.status == 130
    assert "interrupted when 1 of 2 answers were there; what was done is kept" in done.err
    monkeypatch.setattr(Corpus, "ask", ask)
    assert "1 of 2 answers from an earlier run" in evaluate(folder).out


def test_the_help_names_every_benchmark() -> None:
    told = Name.__metadata__[0].help
    assert [name for name in BENCHMARKS if name != "jsonl" and name not in told.replace(",", " ").split()] == []
