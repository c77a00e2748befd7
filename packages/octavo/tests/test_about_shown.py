"""What documents are about is shown by the command line, and so is which of them were preferred and why."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from cli_corpus import octavo
from octavo.cli.show.answer import show_trace
from octavo.cli.show.corpus import show_about
from octavo.corpus import Corpus
from octavo.corpus.streaming import sentence_of
from octavo.evidence import TraceStep
from two_ferries import QUESTION, two_ferries

ABOUT = {"issuer": "Norwick Ferries plc", "kind": "annual report", "period": "2021", "version": ""}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ferries")


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Iterator[Corpus]:
    with two_ferries(folder) as made:
        yield made


def listed(folder: Path, *options: str) -> str:
    done = octavo("list", "--corpus", str(folder / "corpus"), *options)
    assert done.status == 0
    return done.out


def test_list_tells_what_each_document_is_about(corpus: Corpus, folder: Path) -> None:
    head, *rows = listed(folder, "--about").splitlines()
    assert head.split() == ["id", "name", "title", "issuer", "kind", "period", "date", "version", "in"]
    assert len(rows) == corpus.count()
    (row,) = [row for row in rows if "norwick_annual_report_2021.md" in row]
    cells = re.split(r" {2,}", row)
    assert cells[2:7] == ["Annual report 2021", "Norwick Ferries plc", "annual report", "2021", "2021-12-31"]
    assert cells[-1].endswith("files/Norwick")
    assert sum(f"{place}/README.md" in row for row in rows for place in ("Norwick", "Harbor", "Manuals")) == 3
    assert len(listed(folder, "--about", "--match", "*2021*").splitlines()) == 3
    assert len(listed(folder, "--about", "--limit", "1").splitlines()) == 2
    assert listed(folder, "--about", "--match", "none of them").startswith("No document fits")


def test_json_tells_it_too_where_it_is_asked_for(corpus: Corpus, folder: Path) -> None:
    (one,) = json.loads(listed(folder, "--about", "--json", "--match", "norwick*2021*"))["documents"]
    assert {name: one["about"][name] for name in ABOUT} == ABOUT
    assert one["about"]["title"] == "Annual report 2021"
    assert all("about" not in one for one in json.loads(listed(folder, "--json"))["documents"])


@pytest.mark.parametrize(("width", "columns"), [(60, 5), (89, 5), (90, 7)])
def test_a_narrow_terminal_gets_fewer_columns(corpus: Corpus, width: int, columns: int) -> None:
    out = io.StringIO()
    screen = Console(file=out, force_terminal=True, width=width, no_color=True)
    infos = corpus.list("norwick*2021*")
    show_about(screen, [(info, corpus.all_about([info])[0].to_json()) for info in infos])
    lines = re.sub(r"\x1b\[[\d;]*m", "", out.getvalue()).splitlines()
    assert len(lines[0].split()) == columns
    assert max(map(len, lines)) <= width
    assert "Norwick" in "".join(lines)


def test_the_trace_tells_which_documents_were_preferred_and_for_what(corpus: Corpus) -> None:
    out = io.StringIO()
    show_trace(Console(file=out, width=200), corpus.ask(QUESTION))
    why = "norwick_annual_report_2021.md, for “Norwick Ferries” and 2021"
    assert f"preferred   {why}" in out.getvalue()
    assert f"- Preferred {why}." in out.getvalue()
    assert "MeantDocuments(norwick_annual_report_2021.md, for “Norwick" in out.getvalue()


def test_the_trace_tells_of_a_name_that_no_document_is_about(corpus: Corpus) -> None:
    out = io.StringIO()
    show_trace(Console(file=out, width=200), corpus.ask("What was the revenue of Tesla in 2021?"))
    assert "unknown     no document is about “Tesla”" in out.getvalue()
    assert "- Found no document that is about “Tesla”." in out.getvalue()
    assert "MeantDocuments(no document is about “Tesla”)" in out.getvalue()


def test_who_listens_is_told_of_documents_that_were_preferred_before_the_search(corpus: Corpus) -> None:
    steps = [event for event in corpus.stream(QUESTION) if isinstance(event, TraceStep)]
    assert steps[0].step == "MeantDocuments"
    assert str(sentence_of(steps[0])).startswith("Preferred norwick_annual_report_2021.md, for")
    assert [step.step for step in steps] == [step.step for step in corpus.ask(QUESTION).trace]
