"""`octavo reproduce`: what it lists, plans, refuses, prints and writes."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import errno
import json
from collections.abc import Generator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import published_sets
from cli_corpus import Done, octavo
from octavo.cli import context, guard, models_from_settings
from octavo.cli.settings import Settings
from octavo.corpus import Corpus
from octavo.errors import BudgetError
from octavo.models.language import FaultKind, ModelFault
from octavo.models.scripted import ScriptedModel
from octavo_lab.commands import reproduce_run as command
from octavo_lab.commands.paid_models import paid_models
from octavo_lab.reproduce.presets import names


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with stand-ins; corpora hold text files, and pages are drawn white."""

    def open_corpus(settings: Settings) -> Corpus:
        assert settings.corpus is not None
        return published_sets.corpus(Path(settings.corpus))

    monkeypatch.setattr(context, "open_corpus", open_corpus)
    monkeypatch.setattr(Corpus, "picture", lambda *_: np.full((40, 30, 3), 255, np.uint8))
    monkeypatch.delenv("OCTAVO_MODEL", raising=False)
    monkeypatch.chdir(tmp_path)
    published_sets.mmlongbench(tmp_path / "data" / "mmlongbench")
    published_sets.qasper(tmp_path / "data" / "qasper")
    return tmp_path


def reproduce(*more: str) -> Done:
    return octavo("reproduce", *more, "--data", "data")


def record(name: str) -> dict[str, Any]:
    return json.loads(Path("reproduced", f"{name}.json").read_text())


def test_all_tables_are_listed_with_what_they_run_on() -> None:
    lines = octavo("reproduce", "--list").out.splitlines()
    assert [line.split()[0] for line in lines] == list(names())
    assert "BookRAG, Table 5: " in lines[0] and "(mmlongbench-first, m3docvqa, qasper)" in lines[0]
    found = json.loads(octavo("reproduce", "--list", "--json").out)["tables"]
    assert [one["name"] for one in found] == list(names())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("bookrag-tabel5",), "there is no table 'bookrag-tabel5'; did you mean 'bookrag-table5'?"),
        ((), "TABLE is missing: octavo reproduce --list names all"),
        (("bookrag-table7", "--benchmark", "asqa"), "bookrag-table7 has mmlongbench-first, qasper, not 'asqa'"),
        (("bookrag-table7", "--sample", "3"), "say how many with --limit N"),
        (("bookrag-table7", "--limit", "none"), "--limit: needs a whole number"),
        (("bookrag-table5",), "M3DocVQA is not there: looked in data/m3docvqa; it is published at https://github.com"),
        (("bookrag-table5",), "or run what is there with --benchmark mmlongbench-first,qasper"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(given: tuple[str, ...], told: str) -> None:
    done = reproduce(*given)
    assert done.status == 2
    assert told in done.err
    assert len(done.err.splitlines()) == 1
    assert not Path("reproduced").exists()


def test_a_table_is_printed_and_written(folder: Path) -> None:
    done = reproduce("bookrag-table7", "--ocr", "never")
    assert done.status == 0, done.err
    assert done.out.startswith("BookRAG, Table 7: BookRAG without each of its parts\n")
    assert "| w/o planning" in done.out
    assert done.out.splitlines()[-1] == "report: reproduced/bookrag-table7.html"
    written = record("bookrag-table7")
    assert [row["cells"][0]["printed"] for row in written["rows"]] == [43.8, 40.1, 30.8, 42.5, 39.8, 39.0]
    assert all(row["cells"][0]["questions"] == 4 for row in written["rows"])
    with Path("reproduced", "bookrag-table7.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 6 * 4
    assert (lines[0]["printed"], lines[0]["metric"], lines[0]["questions"]) == ("43.8", "exact_match", "4")
    text = Path("reproduced", "bookrag-table7.md").read_text()
    assert "43.8 / " in text and "4 of 1,082 questions" in text


def test_the_second_run_asks_nothing() -> None:
    reproduce("mmrag-table3")
    first = record("mmrag-table3")
    again = reproduce("mmrag-table3")
    assert again.status == 0
    second = record("mmrag-table3")
    assert second["rows"] == first["rows"]
    assert second["benchmarks"][0]["indexing"]["from_journal"] == 20


def test_only_some_benchmarks_are_run_where_it_is_asked_for() -> None:
    done = reproduce("bookrag-table5", "--benchmark", "qasper", "--limit", "1")
    assert done.status == 0, done.err
    row = record("bookrag-table5")["rows"][-1]
    assert [cell["questions"] for cell in row["cells"]] == [0, 0, 0, 0, 1, 1]
    assert "Not run: mmlongbench-first, m3docvqa." in done.out


def test_a_table_without_a_system_is_printed_with_its_reasons() -> None:
    done = reproduce("rdr2-table4")
    assert done.status == 0
    assert "86.3 / –" in done.out and "octavo train-router" in done.out


def test_json_prints_the_record_and_nothing_else() -> None:
    done = reproduce("bookrag-figure7", "--json")
    found = json.loads(done.out)
    assert found["name"] == "bookrag-figure7"
    assert [Path(name).suffix for name in found["files"]] == [".json", ".csv", ".md", ".html"]


class Links(HTMLParser):
    """Collects where links lead to, and ids; refuses what would fetch or run something."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "img", "link", "iframe")
        given = dict(attrs)
        self.targets += [given["href"] or ""] if tag == "a" else []
        self.ids |= {given.get("id") or ""}


def test_failures_lead_to_the_document_and_the_picture_of_the_page() -> None:
    reproduce("ladrag-table1", "--benchmark", "mmlongbench-first")
    html = Path("reproduced", "ladrag-table1.html").read_text()
    links = Links()
    links.feed(html)
    wrong = record("ladrag-table1")["failures"]
    assert wrong and all(one["question"] in html for one in wrong)
    inner = {target[1:] for target in links.targets if target.startswith("#")}
    assert inner and inner <= links.ids
    files = [target.partition("#")[0] for target in links.targets if not target.startswith("#")]
    assert any(target.endswith(".jpg") for target in files) and any(target.endswith(".pdf") for target in files)
    assert all(Path("reproduced", target).is_file() for target in files)


def test_a_report_stays_under_two_megabytes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (1400, 1000, 3), np.uint8)
    monkeypatch.setattr(Corpus, "picture", lambda *_: noise)
    rows = json.loads((folder / "data" / "mmlongbench" / "samples.json").read_text())
    many = [
        {**rows[at % 3], "question": f"{rows[at % 3]['question']} ({at})", "evidence_pages": f"[{at % 4 + 1}]"}
        for at in range(24)
    ]
    (folder / "data" / "mmlongbench" / "samples.json").write_text(json.dumps(many))
    reproduce("mmrag-table3")
    pages = list(Path("reproduced", "mmrag-table3-pages").iterdir())
    files = [*pages, *Path("reproduced").glob("mmrag-table3.*")]
    assert pages
    assert sum(path.stat().st_size for path in files) < 2_000_000


def test_pictures_of_an_earlier_report_are_gone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reproduce("mmrag-table3", "--limit", "3")
    pages = Path("reproduced", "mmrag-table3-pages")
    assert list(pages.iterdir())
    (pages / "09-page-9.jpg").write_bytes(b"of another run")
    reproduce("mmrag-table3", "--limit", "3")
    assert list(pages.iterdir()) and not (pages / "09-page-9.jpg").exists()
    monkeypatch.setattr(Corpus, "picture", lambda *_: None)
    reproduce("mmrag-table3", "--limit", "3")
    assert not pages.exists()
    assert not [path for path in Path("reproduced").iterdir() if path.name.startswith(".")]


def test_a_full_disk_is_told_and_leaves_the_pictures_that_were_there(monkeypatch: pytest.MonkeyPatch) -> None:
    reproduce("mmrag-table3")
    pages = Path("reproduced", "mmrag-table3-pages")
    before = sorted(path.name for path in pages.iterdir())

    def full(path: Path, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    done = reproduce("mmrag-table3")
    assert (done.status, done.err.splitlines()[-1]) == (
        1,
        "octavo: reproduced/mmrag-table3-pages cannot be written: No space left on device",
    )
    assert before and sorted(path.name for path in pages.iterdir()) == before
    assert not [path for path in Path("reproduced").iterdir() if path.name.startswith(".")]


def test_a_plan_says_what_is_there_what_is_missing_and_what_it_takes() -> None:
    done = reproduce("bookrag-table5", "--dry-run", "--model", "openai:gpt-4o-mini@http://example.invalid/v1")
    assert done.status == 0
    assert "there    MMLongBench-Doc, first release: 4 of 1,082 questions, 2 files" in done.out
    assert "missing  M3DocVQA is not there" in done.out
    assert "not run  GraphRAG-Local, GraphRAG-Global: GraphRAG is not built" in done.out
    assert "to ask   bookrag-paper on qasper: 2 answers, about 4 calls each" in done.out
    assert "to build " in done.out and "bookindex" in done.out
    assert not Path("reproduced").exists()
    found = json.loads(reproduce("bookrag-table5", "--dry-run", "--json").out)
    assert (found["calls"], found["answers"], list(found["missing"])) == (0, 42, ["m3docvqa"])


def test_a_plan_counts_what_is_there_already() -> None:
    reproduce("mmrag-table3")
    assert json.loads(reproduce("mmrag-table3", "--dry-run", "--json").out)["answers"] == 0
    assert json.loads(reproduce("mmrag-table1", "--dry-run", "--json").out)["answers"] == 12


def test_nothing_is_paid_for_that_nobody_agreed_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_sees", lambda _: False)
    done = reproduce("mmrag-table3", "--model", "openai:gpt-4o-mini@http://example.invalid/v1")
    assert done.status == 2
    assert "openai:gpt-4o-mini@http://example.invalid/v1 would be asked for mmrag-table3: 20 answers; " in done.err
    assert "--yes agrees" in done.err
    assert not Path("reproduced").exists()


def judged_by(monkeypatch: pytest.MonkeyPatch, script: Any) -> ScriptedModel:
    """Have a scripted model judge."""
    model = ScriptedModel(script)

    def config_of(settings: Settings) -> Any:
        from octavo.corpus.judges import ModelConfig

        return ModelConfig({"language": model}) if settings.model != "none" else None

    monkeypatch.setattr(command, "config_of", config_of)
    return model


@pytest.mark.parametrize("kind", [FaultKind.UNKNOWN_MODEL, FaultKind.REFUSED])
def test_a_judge_that_does_not_answer_is_refused(monkeypatch: pytest.MonkeyPatch, kind: FaultKind) -> None:
    judged_by(monkeypatch, lambda _: ModelFault(kind, "no such model"))
    done = reproduce("dmap-table5", "--judge", "ollama:nobody")
    assert done.status == 2
    assert done.err.splitlines()[-1].startswith("octavo: the judge ollama:nobody does not answer (")
    assert not list(Path("reproduced").glob("*.json"))


def test_a_model_that_does_not_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = ScriptedModel(lambda _: ModelFault(FaultKind.REFUSED, "no"))
    monkeypatch.setattr(command, "_sees", lambda _: False)
    monkeypatch.setattr(context, "open_corpus", lambda settings: published_sets.corpus(Path(settings.corpus), dead))
    done = reproduce("mmrag-table3", "--model", "ollama:nobody")
    assert done.status == 2
    assert done.err.splitlines()[-1].startswith("octavo: the model ollama:nobody does not answer (refused")
    assert not list(Path("reproduced").glob("*.json"))


def test_a_judge_reads_and_judges_each_response(monkeypatch: pytest.MonkeyPatch) -> None:
    model = judged_by(monkeypatch, lambda one: published_sets.replying(one))
    done = reproduce("dmap-table5", "--judge", "ollama:somebody")
    assert done.status == 0, done.err
    assert {request.decision for request in model.requests} >= {"judge_answer"}
    assert (record("dmap-table5")["judge"], record("dmap-table5")["benchmarks"][0]["assessor"]) == (
        "ollama:somebody",
        "ollama:somebody",
    )


def test_without_a_judge_it_is_said_that_a_rule_judges() -> None:
    assert "without --judge a rule does, which is coarse" in reproduce("dmap-table5").err


def test_options_are_those_that_are_shown() -> None:
    shown = octavo("reproduce", "--help").out
    assert all(f"--{name}" in shown for name in ("list", "data", "dry-run", "yes", "limit", "judge", "max-cost"))
    assert dataclasses.is_dataclass(command.ReproduceOptions)
    assert models_from_settings.total_caps_of(Settings()) is None


def predictions(folder: Path, *given: str) -> str:
    rows = json.loads((folder / "data" / "mmlongbench" / "samples.json").read_text())
    made = [
        {"doc_id": row["doc_id"], "question": row["question"], "pred": pred}
        for row, pred in zip(rows, given, strict=True)
    ]
    path = folder / "predictions.json"
    path.write_text(json.dumps(made))
    return f"mmrag-paper={path}"


def test_predictions_made_elsewhere_are_measured_without_documents(folder: Path) -> None:
    given = predictions(folder, "1500", "mice", "calcite", "Not answerable")
    for path in (folder / "data" / "mmlongbench" / "documents").iterdir():
        path.unlink()
    done = reproduce("mmrag-table3", "--system", "mmrag-paper", "--predictions", given)
    assert done.status == 0, done.err
    rows = record("mmrag-table3")["rows"]
    assert (rows[0]["cells"][8]["value"], rows[0]["cells"][8]["questions"]) == (75.0, 4)
    assert rows[1]["why_not"] == "left out with --system"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda _: "[]", "is of another run: it has no prediction for 4 of 4 questions"),
        (lambda text: text.replace("marble", "basalt"), "it has no prediction for 1 of 4 questions"),
        (lambda text: text[:-9], "cannot be read as predictions"),
        (lambda text: text.replace('"pred"', '"guess"'), "has neither 'pred' nor 'response'"),
    ],
)
def test_predictions_of_another_run_are_refused(folder: Path, change: Any, told: str) -> None:
    given = predictions(folder, "1500", "voles", "calcite", "Not answerable")
    (folder / "predictions.json").write_text(change((folder / "predictions.json").read_text()))
    done = reproduce("mmrag-table3", "--system", "mmrag-paper", "--predictions", given)
    assert done.status == 2
    assert told in done.err
    assert "--predictions takes SYSTEM=FILE" in reproduce("mmrag-table3", "--predictions", "x=y").err


def test_a_judge_elsewhere_is_all_that_is_agreed_to_where_answers_are_in_a_file(folder: Path) -> None:
    given = predictions(folder, "1500", "mice", "calcite", "Not answerable")
    only = ("mmrag-table3", "--system", "mmrag-paper", "--predictions", given)
    found = json.loads(reproduce(*only, "--dry-run", "--json", "--judge", "openai:judge").out)
    assert (found["answers"], found["judging_calls"], found["layers_by_model"]) == (0, 8, [])
    done = reproduce(*only, "--model", "openai:some@http://example.invalid/v1", "--judge", "openai:judge")
    assert (done.status, "octavo: openai:judge would be asked for mmrag-table3: 0 answers; " in done.err) == (2, True)
    done = reproduce(*only, "--model", "openai:some@http://example.invalid/v1")
    assert done.status == 0, done.err


def test_rows_with_as_many_pages_as_a_system_whose_answers_are_in_a_file_are_left_out(folder: Path) -> None:
    given = predictions(folder, "1500", "mice", "calcite", "Not answerable").replace("mmrag", "ladrag")
    done = reproduce("ladrag-table3", "--predictions", given)
    assert done.status == 0, done.err
    rows = {row["label"]: row for row in record("ladrag-table3")["rows"]}
    told = "takes as many pages as ladrag-paper, which is not run: its answers are in a file"
    assert rows["topk-adjusted"]["why_not"] == told
    assert rows["retrieving@5"]["why_not"] == rows["LAD-RAG"]["why_not"] == ""
    plan = json.loads(reproduce("ladrag-table3", "--predictions", given, "--dry-run", "--json").out)
    assert plan["not_run"][told] == ["topk-adjusted"]


EVERY_MODEL = """
[models]
reranking = "jina:ranker"
embedding = "openai:embeds@http://example.invalid/v1"
image_text = "sentence-transformers:clip"
late_interaction = "late-interaction:colbert"
vision = "openai:sees@http://127.0.0.1:8080/v1"
"""


def test_models_elsewhere_are_agreed_to_whatever_they_are_for(folder: Path) -> None:
    (folder / "octavo.toml").write_text(EVERY_MODEL)
    done = reproduce("mmrag-table3")
    asked = done.err.removeprefix("octavo: ").partition(" would be asked for mmrag-table3: ")[0].split(", ")
    assert (done.status, set(asked)) == (2, {"openai:embeds@http://example.invalid/v1", "jina:ranker"})
    assert not Path("reproduced").exists()


@pytest.mark.parametrize(
    ("spec", "is_told"),
    [
        ("endpoint:ranker@http://127.0.0.1:8080/v1", False),
        ("endpoint:ranker@http://example.invalid/v1", True),
        ("cross-encoder:ranker", False),
        ("cohere:ranker", True),
        ("rule", False),
    ],
)
def test_a_reranker_on_this_machine_needs_no_consent(spec: str, *, is_told: bool) -> None:
    assert paid_models(Settings(models={"reranking": spec}), "none") == ([spec] if is_told else [])


def test_caps_and_the_clock_are_those_of_the_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    model = published_sets.model()
    clocks: list[float | None] = []

    @contextlib.contextmanager
    def within(seconds: float | None, *, kept: str) -> Generator[None]:
        assert kept
        clocks.append(seconds)
        yield

    monkeypatch.setattr(guard, "within", within)
    monkeypatch.setattr(command, "_sees", lambda _: False)
    monkeypatch.setattr(context, "open_corpus", lambda settings: published_sets.corpus(Path(settings.corpus), model))
    given = ("all", "--benchmark", "mmlongbench-first", "--system", "oracle-pages,all-text", "--model", "ollama:some")
    done = reproduce(*given, "--out", "first")
    assert done.status == 0, done.err
    tables = {path.stem for path in Path("first").glob("*.html")}
    assert tables == {"ladrag-table2", "ladrag-table3", "ladrag-table5", "mmrag-table1"}
    calls = model.calls
    done = reproduce(*given, "--out", "second", "--max-calls", str(calls - 1), "--max-seconds", "600")
    assert (done.status, model.calls) == (BudgetError.exit_status, 2 * calls - 1)
    assert {path.stem for path in Path("second").glob("*.html")} == tables - {"mmrag-table1"}
    assert clocks == [None, 600]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--system", "mmrag-papers"), "--system: no table has 'mmrag-papers'"),
        (("--benchmark", "asqua"), "--benchmark: no table has 'asqua'"),
        (("--system", "mmrag-paper", "--benchmark", "asqa"), "no table has mmrag-paper on asqa"),
        (("--predictions", "x=y"), "--predictions takes SYSTEM=FILE, with a system of a table, not 'x=y'"),
        (("--sample", "3"), "say how many with --limit N"),
    ],
)
def test_what_no_table_has_is_refused_before_the_first_is_made(given: tuple[str, ...], told: str) -> None:
    done = reproduce("all", *given)
    assert (done.status, len(done.err.splitlines())) == (2, 1)
    assert told in done.err
    assert not Path("reproduced").exists()


def test_of_all_tables_those_without_a_benchmark_or_system_are_passed_over() -> None:
    planned = json.loads(reproduce("all", "--benchmark", "asqa", "--dry-run", "--json").out)["tables"]
    assert "rdr2-table2" in {one["name"] for one in planned} <= {name for name in names() if name.startswith("rdr2")}
    assert all(list(one["missing"]) == ["asqa"] for one in planned)
    done = reproduce("all", "--system", "mmrag-paper", "--limit", "1")
    assert done.status == 0, done.err
    made = {path.stem for path in Path("reproduced").glob("*.html")}
    assert made == {"mmrag-table1", "mmrag-table3", "mmrag-figure3", "mmrag-table5"}


def test_all_tables_are_made_of_what_is_there(folder: Path) -> None:
    (folder / "data" / "mmlongbench").rename(folder / "elsewhere")
    done = reproduce("all", "--limit", "1", "--json")
    assert done.status == 0, done.err
    made = {path.stem for path in Path("reproduced").glob("*.html")}
    assert made == {
        "bookrag-table5",
        "bookrag-table6",
        "bookrag-figure5",
        "bookrag-table7",
        "bookrag-figure6",
        "bookrag-figure7",
        "bookrag-figure9",
        "rdr2-table4",
    }
    assert done.err.count("octavo: longdocurl is left out: LongDocURL is not there") == 1
    assert {one["name"] for one in json.loads(done.out)["tables"]} == made
