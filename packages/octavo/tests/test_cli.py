"""What the commands say and how they end, over a corpus that only pretends."""

from __future__ import annotations

import dataclasses
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from cli_corpus import FakeCorpus, document, info, octavo
from octavo import systems
from octavo.cli import context
from octavo.cli.show.corpus import show_documents
from octavo.corpus.reports import AddReport, CheckReport, Failure, Finding, LeftOut, Removal
from octavo.corpus.store import Job
from octavo.errors import KINDS, BudgetError, CorpusError, ModelError
from octavo.evidence import Answer, Usage
from octavo.models.gateway import Caps


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeCorpus:
    fake = FakeCorpus()
    monkeypatch.setattr(context, "open_corpus", lambda _settings, **_options: fake)
    monkeypatch.chdir(tmp_path)
    return fake


@pytest.fixture
def corpus(empty: FakeCorpus) -> FakeCorpus:
    one = document()
    empty.documents[one.id] = one
    return empty


# ask


def test_the_answer_comes_first_and_then_where_it_stands(corpus: FakeCorpus) -> None:
    done = octavo("ask", "What was net income in 2015?")
    lines = done.out.splitlines()
    assert done.status == 0
    assert lines[:3] == ["Found in 1.1 Revenue, page 3 (printed “1”):", "3.1 million", ""]
    assert lines[3:5] == ["[1] report.pdf, page 3 (printed “1”)", "    1 Results > 1.1 Revenue"]
    assert lines[5].startswith("    “Net income in 2015 was 3.1 million, which")


def test_a_long_quote_is_cut_between_words(corpus: FakeCorpus) -> None:
    quote = octavo("ask", "x?").out.splitlines()[5].strip().strip("“”")
    text = " ".join(next(iter(corpus.documents.values())).blocks.text[3].split())
    assert quote.endswith("…")
    assert len(quote) <= 280
    assert text.startswith(quote[:-1])
    assert text[len(quote) - 1] in " ,;:"


def test_no_line_in_a_pipe_is_wrapped_or_ends_in_blanks(corpus: FakeCorpus) -> None:
    for arguments in (["ask", "x?"], ["search", "x?"], ["list"], ["outline", "report.pdf"], ["status"]):
        lines = octavo(*arguments).out.splitlines()
        assert all(line == line.rstrip() for line in lines)
        assert not any("\x1b" in line for line in lines)
    assert max(map(len, octavo("ask", "x?").out.splitlines())) > 200


def test_no_answer_is_said_plainly_with_the_nearest_pages(corpus: FakeCorpus) -> None:
    corpus.answerable = False
    done = octavo("ask", "What is the moon made of?")
    assert done.status == 0
    assert done.out.splitlines() == ["Not answerable: nothing found says so.", "", "Nearest pages: report.pdf 3, 4"]


def test_the_trace_says_in_words_what_was_done_and_then_each_step(corpus: FakeCorpus) -> None:
    words, _, steps = octavo("ask", "x?", "--trace").out.partition("question")[2].partition("step ")
    assert words.splitlines() == [
        "    x?",
        "looked in   report.pdf, 4 pages",
        "read        2 pages, best first report.pdf 3, 4",
        "decided by  rules; no model was asked",
        "took        10 ms, with the system bm25",
        "",
        "- Searched for the question's words, and found 3 of 7 places that fit.",
        "",
    ]
    assert re.search(r"^ +rows in +rows out +time$", steps, re.M)
    assert re.search(r"^Search\(kind=bm25\) +7 +3 +2 ms$", steps, re.M)


def test_the_trace_says_what_models_took(corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = Usage(calls=3, input_tokens=5210, output_tokens=180, cached_calls=1, seconds=2.1, cost=0.25)
    ask = FakeCorpus.ask

    def asked(*given: Any, **options: Any) -> Answer:
        return dataclasses.replace(ask(*given, **options), usage=usage, decided_by={"model": 3, "rule": 2})

    monkeypatch.setattr(FakeCorpus, "ask", asked)
    out = octavo("ask", "x?", "--trace").out
    assert (
        "decided by  model 3, rule 2; 3 model calls; 1 reply kept from before; 5,210 tokens in, 180 out; cost 0.2500\n"
        in out
    )
    assert re.search(r"^step +rows in +rows out +time +calls +tokens$", out, re.M)
    assert re.search(r"^Search\(kind=bm25\) +7 +3 +2 ms +0 +0$", out, re.M)


ASK_KEYS = {
    "question", "system", "answerable", "answer", "value", "format", "citations", "pages", "usage", "decided_by",
    "stopped", "trace",
}  # fmt: skip
CITATION_KEYS = {"document", "document_id", "block", "page", "page_label", "box", "section", "kind", "quote"}
BLOCK_KEYS = {"document", "document_id", "block", "page", "box", "section", "kind", "text", "scores"}


def test_ask_prints_the_json_of_the_contract_and_nothing_else(corpus: FakeCorpus) -> None:
    done = octavo("ask", "x?", "--json")
    value = json.loads(done.out)
    assert done.err == ""
    assert value.keys() >= ASK_KEYS
    assert value["citations"][0].keys() >= CITATION_KEYS
    (document_id,) = corpus.documents
    assert value["pages"][0] == {"document": "report.pdf", "document_id": document_id, "page": 3, "score": 0.9}
    assert value["trace"][0].keys() >= {"step", "parameters", "rows_in", "rows_out", "seconds", "calls"}
    assert value["usage"].keys() == {
        "calls",
        "input_tokens",
        "output_tokens",
        "cached_calls",
        "seconds",
        "cost",
        "pictures",
    }


def test_json_keeps_a_box_on_one_line_and_every_text_as_it_is(corpus: FakeCorpus) -> None:
    question = "[\n 1,\n 2\n] é \u202e?"
    out = octavo("ask", question, "--json").out
    assert json.loads(out)["question"] == question
    assert "\u202e" not in out
    assert re.search(r'"box": \[72.0, 108.0, 500.0, 118.0\]', out)


def test_search_prints_the_json_of_the_contract_and_nothing_else(corpus: FakeCorpus) -> None:
    value = json.loads(octavo("search", "x?", "--json").out)
    assert value.keys() >= (ASK_KEYS - {"answerable", "answer", "value", "format", "citations"}) | {"blocks"}
    assert not value.keys() & {"answer", "value", "format", "citations"}
    assert [block["block"] for block in value["blocks"]] == ["b3", "b4", "b6"]
    assert value["blocks"][0].keys() >= BLOCK_KEYS


def test_options_reach_the_corpus(corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    octavo("ask", "x?", "--limit", "3", "--system", "bm25", "--max-calls", "0", "--max-cost", "1", "--max-tokens", "9")
    caps = Caps(calls=0, tokens=9, cost=1.0)
    assert ("search", {"documents": None, "system": "bm25", "limit": 3, "caps": caps}) in corpus.calls
    monkeypatch.setenv("OCTAVO_PASSWORD", "secret")
    Path("new.pdf").touch()
    octavo("ask", "x?", "new.pdf", "--ocr", "never", "--workers", "2")
    added = next(options for name, options in corpus.calls if name == "add")
    assert (added["ocr"], added["workers"], added["password"]) == ("never", 2, "secret")


def test_a_plan_may_be_a_text_or_a_file(corpus: FakeCorpus) -> None:
    plan = "Search(kind='bm25') >> RankPages(by='bm25', most=None)"
    Path("plan.txt").write_text(f"{plan}\n", encoding="utf-8")
    for given in (plan, "plan.txt"):
        corpus.calls.clear()
        assert octavo("search", "x?", "--plan", given).status == 0
        system = next(options["system"] for name, options in corpus.calls if name == "search")
        assert (system.name, repr(system.retrieve)) == ("plan", plan)


@pytest.mark.needs("octavo_methods")
def test_the_type_of_an_answer_is_fixed_for_a_system_that_asks_by_it(corpus: FakeCorpus) -> None:
    assert octavo("ask", "x?", "--system", "mmrag-paper", "--answer-format", "Int").status == 0
    system = next(options["system"] for name, options in corpus.calls if name == "search")
    assert repr(system.answer) == f"AnswerAs(form='Int') >> {systems.get('mmrag-paper').answer!r}"
    corpus.calls.clear()
    for wrong, said in (
        (["--system", "mmrag-paper", "--answer-format", "Date"], "Str, Int"),
        (["--answer-format", "Int"], "auto"),
    ):
        done = octavo("ask", "x?", *wrong)
        assert (done.status, len(done.err.splitlines())) == (2, 1)
        assert said in done.err
    assert "search" not in [name for name, _ in corpus.calls]


def test_the_trace_ends_with_the_plan_of_the_system_to_be_carried_out_again(corpus: FakeCorpus) -> None:
    told, _, plan = octavo("ask", "x?", "--trace").out.rpartition("plan: ")
    name = told.partition("with the system ")[2].split()[0]
    assert "".join(plan.split()) == "".join(repr(systems.get(name).retrieve).split())


def test_a_question_its_budget_ended_shows_the_best_answer_and_says_so(corpus: FakeCorpus) -> None:
    corpus.stopped = "max_calls"
    done = octavo("ask", "x?", "--max-calls", "1")
    assert done.status == 3
    assert done.out.splitlines()[1] == "3.1 million"
    assert done.err == "octavo: the budget ended it (max_calls); this is the best answer so far\n"
    printed = octavo("ask", "x?", "--max-calls", "1", "--json")
    assert (printed.status, json.loads(printed.out)["stopped"]) == (3, "max_calls")


def test_a_long_question_with_a_slash_in_it_is_no_file(corpus: FakeCorpus) -> None:
    question = "Which of them are " + "very " * 60 + "long and/or wide?"
    assert octavo("ask", question).status == 0


def test_a_file_in_the_place_of_the_question_is_noticed(corpus: FakeCorpus) -> None:
    Path("notes.md").write_text("text")
    assert "the question comes before the files" in octavo("ask", "notes.md", "What is it?").err


def test_a_corpus_that_cannot_be_read_is_not_taken_for_a_document_that_is_not_there(
    corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(_self: FakeCorpus, _reference: str) -> None:
        raise CorpusError("locked", "corpus.db cannot be opened")

    monkeypatch.setattr(FakeCorpus, "resolve", locked)
    assert octavo("ask", "x?", "report.pdf").err == "octavo: corpus.db cannot be opened\n"


def test_a_question_over_files_asks_those_alone(corpus: FakeCorpus) -> None:
    Path("a.pdf").touch()
    done = octavo("ask", "x?", "a.pdf")
    assert done.status == 0
    assert done.err == ""
    assert "[1] a.pdf" in done.out
    assert dict(corpus.calls)["search"]["documents"] == (document("a.pdf").id,)


def test_a_misspelt_file_is_told_with_the_file_beside_it_that_it_may_mean(corpus: FakeCorpus) -> None:
    Path("folder").mkdir()
    Path("folder/tides of 2030.pdf").touch()
    Path("folder/tides of 2030.bin").touch()
    for written in ("folder/tids of 2030.pdf", "folder/Tides"):
        assert octavo("ask", "What was it?", written).err.endswith("did you mean 'folder/tides of 2030.pdf'?\n")


def test_a_file_may_be_named_by_what_the_corpus_calls_it(corpus: FakeCorpus) -> None:
    assert octavo("ask", "x?", document().id).status == 0
    assert octavo("ask", "x?", "report.pdf").status == 0
    assert "add" not in dict(corpus.calls)


def test_a_bad_file_that_was_named_ends_the_question(corpus: FakeCorpus) -> None:
    Path("bad.pdf").touch()
    Path("good.pdf").touch()
    done = octavo("ask", "x?", "good.pdf", "bad.pdf")
    assert (done.status, done.out) == (1, "")
    assert done.err == "octavo: bad.pdf is damaged; get another copy\n"


def test_a_bad_file_in_a_folder_is_told_and_left_out(corpus: FakeCorpus) -> None:
    Path("folder").mkdir()
    Path("folder/bad.pdf").touch()
    Path("folder/good.pdf").touch()
    done = octavo("ask", "x?", "folder")
    assert done.status == 0
    assert "[1] good.pdf" in done.out
    assert done.err == "octavo: left out: folder/bad.pdf is damaged; get another copy\n"


def test_a_folder_without_files_is_an_error(corpus: FakeCorpus) -> None:
    Path("folder").mkdir()
    done = octavo("ask", "x?", "folder")
    assert (done.status, done.err) == (1, f"octavo: there is no document ({KINDS}) in folder\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", " "], "the question is empty"),
        (
            ["ask", "report.pdf", "What is it?"],
            'the question comes before the files: octavo ask "What is it?" report.pdf',
        ),
        (["ask", "report.pdf"], 'octavo ask "QUESTION" report.pdf'),
        (["ask", "x?", "y" * 300], "there is no file 'yyy"),
        (["ask", "What", "was", "it", "report.pdf"], "there is no file 'was'"),
        (["ask", "What", "was", "it", "report.pdf"], "put the question in quotation marks"),
        (["ask", "x?", "missing.pdf"], "there is no file 'missing.pdf'"),
        (["ask", "What was it?", "reprot"], "or id in the corpus; did you mean 'report.pdf'?"),
        (["ask", "What was it?", "zzz"], "or id in the corpus; 'octavo list' shows what there is"),
        (["outline", "nothing"], "or id in the corpus; 'octavo list' shows what there is"),
        (["ask", "x?", ""], "a file name is empty"),
        (["add", "report.pdf", ""], "a file name is empty"),
        (["ask"], "QUESTION is missing; see 'octavo ask --help'"),
        (["lst"], "No such command 'lst'. Did you mean 'list'"),
        (["add"], "PATH... is missing"),
        (["ask", "x?", "--limit", "0"], "--limit: needs a whole number, 1 or more, not '0'"),
        (["ask", "x?", "--system", "bm52"], "bm25"),
        (["ask", "x?", "--plan", "Search('bm25') >> nonsense"], "the plan cannot be read"),
        (["ask", "x?", "--plan", "Search('bm25')", "--system", "bm25"], "--plan or --system, not both"),
        (["ask", "x?", "--model", "gpt"], "PROVIDER:NAME"),
        (["ask", "x?", "--ocr", "maybe"], "needs one of auto, always, never"),
        (["ask", "x?", "--limt", "3"], "--limit"),
        (["ask", "x?", "--limit"], "requires an argument"),
        (["serch", "x?"], "search"),
        (["remove"], "ID... is missing"),
    ],
)
def test_a_wrong_call_is_one_helpful_line_and_status_2(corpus: FakeCorpus, arguments: list[str], said: str) -> None:
    done = octavo(*arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert done.err.startswith("octavo: ")
    assert done.err.count("\n") == 1


def test_a_wrong_option_is_found_before_any_file_is_read(corpus: FakeCorpus) -> None:
    Path("a.pdf").touch()
    for wrong in (["--limit", "x"], ["--system", "x"], ["--model", "x"]):
        assert octavo("ask", "x?", "a.pdf", *wrong).status == 2
    assert corpus.calls == []


def test_an_empty_corpus_is_told_with_what_to_do(empty: FakeCorpus) -> None:
    done = octavo("ask", "What is it?")
    assert done.status == 1
    hint = "name a file after the question, or put some in with 'octavo add FILE'"
    assert done.err.startswith(f"octavo: the corpus at /corpus is empty; {hint}")
    assert done.err.endswith("examples/handbook.pdf\n")
    assert "is empty; 'octavo add FILE' puts a document in" in octavo("list").out


# add


def test_add_tells_of_each_file_and_of_all(corpus: FakeCorpus) -> None:
    for name in ("a.pdf", "report.pdf"):
        Path(name).touch()
    done = octavo("add", "a.pdf", "report.pdf")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "added     a.pdf  4 pages, 1 read as images, 3 sections"
    assert lines[1] == "unchanged report.pdf  4 pages, 1 read as images, 3 sections"
    assert lines[2].startswith("1 added, 1 unchanged, 0 failed: 4 pages in ")


def test_a_bad_file_fails_the_command_but_keeps_the_good_ones(corpus: FakeCorpus) -> None:
    for name in ("a.pdf", "bad.pdf"):
        Path(name).touch()
    done = octavo("add", "a.pdf", "bad.pdf")
    assert done.status == 1
    assert done.err == "octavo: bad.pdf is damaged; get another copy\n"
    assert "1 added, 0 unchanged, 1 failed" in done.out
    assert document("a.pdf").id in corpus.documents


def test_what_was_not_read_is_summed_up_by_ending_and_reason(
    corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [("a.exe", "format"), ("b.EXE", "format"), ("c.png", "no_text"), (".git", "hidden"), ("Makefile", "format")]
    half = dataclasses.replace(info(document("half.pdf")), damage="2 of 23 pages could be read")
    report = AddReport(
        added=(half,),
        failed=tuple(Failure(f"{at}.pdf", "encrypted", f"{at}.pdf is encrypted") for at in range(30)),
        left_out=tuple(LeftOut(f"/docs/{name}", reason) for name, reason in left),
    )
    monkeypatch.setattr(FakeCorpus, "add", lambda *_, **__: report)
    done = octavo("add", "/docs")
    assert done.status == 1
    assert "half.pdf  4 pages, 1 read as images, 3 sections, damaged: 2 of 23 pages could be read\n" in done.out
    *failed, damaged, total = done.err.splitlines()
    assert failed == [f"octavo: {at}.pdf is encrypted" for at in range(20)]
    assert damaged == "octavo: /docs/half.pdf is damaged: 2 of 23 pages could be read; copy or download it again"
    assert total == (
        "octavo: 35 files not read: 30 .pdf (encrypted), 2 .exe (not documents), 1 hidden, "
        "1 .png (a picture without text), 1 without an ending (not a document); 'octavo add --verbose' names them all"
    )
    told = octavo("add", "/docs", "--verbose").err.splitlines()
    assert len(told) == 30 + 1 + 5 + 1
    assert "octavo: /docs/c.png is left out: a picture without text" in told
    value = json.loads(octavo("add", "/docs", "--json").out)
    assert [(one["path"], one["reason"]) for one in value["left_out"]] == [(f"/docs/{a}", b) for a, b in left]
    assert value["added"][0]["damage"] == "2 of 23 pages could be read"


def test_add_prints_json_alone(corpus: FakeCorpus) -> None:
    for name in ("a.pdf", "bad.pdf", "report.pdf"):
        Path(name).touch()
    done = octavo("add", ".", "--json")
    value = json.loads(done.out)
    assert (done.status, done.err) == (1, "")
    assert [info["name"] for info in value["added"]] == ["a.pdf"]
    assert [info["name"] for info in value["unchanged"]] == ["report.pdf"]
    assert value["failed"][0]["reason"] == "damaged"


def test_ctrl_c_says_what_is_kept_and_how_to_go_on(corpus: FakeCorpus) -> None:
    Path("a.pdf").touch()
    corpus.raises = KeyboardInterrupt()
    done = octavo("add", "a.pdf")
    assert (done.status, done.out) == (130, "")
    assert "what was indexed is kept; run the same command again to go on" in done.err
    assert octavo("ask", "x?").status == 130
    assert corpus.calls[-1][0] == "close"


def test_ctrl_c_counts_the_articles_of_files_that_hold_many(
    corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add(_self: FakeCorpus, _paths: object, *, progress: Any, **_options: object) -> None:
        progress.finish("a.pdf", "added")
        progress.advance("wiki.jsonl", "articles", 1200)
        raise KeyboardInterrupt

    monkeypatch.setattr(FakeCorpus, "add", add)
    assert "interrupted when 1 file and 1,200 articles had been done" in octavo("add", "a.pdf", "wiki.jsonl").err


# outline


def test_an_outline_shows_sections_with_pages_and_printed_labels(corpus: FakeCorpus) -> None:
    lines = octavo("outline", "report.pdf").out.splitlines()
    assert lines[0] == "report.pdf: 4 pages; printed page labels in brackets"
    assert [re.sub(r" \.+ ", " | ", line) for line in lines[1:]] == [
        "1 Results | 2 (ii)",
        "  1.1 Revenue | 3 (1)",
        "2 Outlook | 4 (2)",
    ]
    assert {len(line) for line in lines[1:]} == {80}


def test_an_outline_without_labels_of_its_own_shows_numbers_alone(empty: FakeCorpus) -> None:
    one = document(labels=["1", "2", "3", "4"])
    empty.documents[one.id] = one
    lines = octavo("outline", "report.pdf").out.splitlines()
    assert lines[0] == "report.pdf: 4 pages"
    assert lines[1].endswith("..... 2")


def test_an_outline_with_blocks_shows_every_block_under_its_section(corpus: FakeCorpus) -> None:
    lines = octavo("outline", "report.pdf", "--blocks").out.splitlines()
    assert len(lines) == 8
    assert lines[5].startswith("    table: Year Sales 2015 3.1 ...")


def test_an_outline_in_json_nests_sections(corpus: FakeCorpus) -> None:
    value = json.loads(octavo("outline", "report.pdf", "--json", "--blocks").out)
    assert (value["document"], value["pages"]) == ("report.pdf", 4)
    first, second = value["sections"]
    assert (first["title"], first["level"], first["page"], first["end_page"], first["block"]) == (
        "1 Results", 1, 2, 3, "b0",
    )  # fmt: skip
    assert [inner["title"] for inner in first["sections"]] == ["1.1 Revenue"]
    assert second["sections"] == []
    assert [block["block"] for block in value["blocks"]] == [f"b{row}" for row in range(7)]
    assert "blocks" not in json.loads(octavo("outline", "report.pdf", "--json").out)


def test_an_outline_reads_a_file_that_is_not_in_the_corpus(empty: FakeCorpus) -> None:
    Path("new.pdf").touch()
    assert octavo("outline", "new.pdf").out.startswith("new.pdf: 4 pages")


def test_an_outline_is_of_one_document(corpus: FakeCorpus) -> None:
    for name in ("a.pdf", "b.pdf"):
        Path(name).touch()
    done = octavo("outline", ".")
    assert (done.status, done.err) == (2, "octavo: . holds 2 documents; name one file\n")


# list, remove, status, check


def test_list_shows_enough_of_an_id_to_use_it_and_where_the_file_is(corpus: FakeCorpus) -> None:
    row = octavo("list").out.splitlines()[1].split()
    assert row[:6] == [document().id[:19], "report.pdf", "4", "3", "3", "123"]
    assert row[-1] == "/docs"
    assert octavo("remove", row[0].removeprefix("sha256:"), "--yes").status == 0


@pytest.mark.parametrize(("width", "columns"), [(40, 3), (60, 3), (80, 3), (100, 7), (200, 7)])
def test_on_a_terminal_list_names_each_folder_above_what_is_in_it(width: int, columns: int) -> None:
    out = io.StringIO()
    screen = Console(file=out, force_terminal=True, width=width, no_color=True)
    files = [("a.pdf", "/docs/a.pdf"), ("b.pdf", "/docs/b.pdf"), ("Title", "/more/wiki.jsonl#Title")]
    show_documents(screen, [info(document(name), path) for name, path in files], folder=None)
    lines = [line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", out.getvalue()).splitlines()]
    assert [lines[0], lines[4], lines[5]] == ["/docs", "", "/more/wiki.jsonl"]
    assert len(re.split(r" {2,}", lines[1])) == columns
    assert [line.split()[1] for line in (lines[2], lines[3], lines[7])] == ["a.pdf", "b.pdf", "Title"]
    assert max(map(len, lines)) <= width


def test_list_in_json_has_every_document(corpus: FakeCorpus) -> None:
    (one,) = json.loads(octavo("list", "--json").out)["documents"]
    assert (one["name"], one["pages"], one["scanned_pages"]) == ("report.pdf", 4, 1)


def test_of_many_documents_list_shows_where_they_are_unless_some_are_asked_for(corpus: FakeCorpus) -> None:
    corpus.documents = {f"sha256:{at:064x}": document(f"article{at}") for at in range(150)}
    summary = octavo("list").out
    assert re.search(r"^/docs +150 +450 ", summary, re.M)
    assert "150 documents: 'octavo list --match PATTERN'" in summary
    assert len(octavo("list", "--limit", "3").out.splitlines()) == 4
    assert len(octavo("list", "--match", "*14?").out.splitlines()) == 11
    assert octavo("list", "--match", "nothing*").out.startswith("No document fits")
    assert len(json.loads(octavo("list", "--json").out)["documents"]) == 150
    assert octavo("list", "--limit", "0").status == 2


def test_an_empty_list_in_json_is_a_list(corpus: FakeCorpus) -> None:
    corpus.documents = {}
    assert json.loads(octavo("list", "--json").out) == {"documents": []}


def test_remove_names_what_it_removed(corpus: FakeCorpus) -> None:
    done = octavo("remove", "report.pdf", "--yes")
    assert done.out == f"removed report.pdf ({document().id[:19]})\n"
    assert corpus.documents == {}


def test_remove_of_something_unknown_removes_nothing(corpus: FakeCorpus) -> None:
    done = octavo("remove", "report.pdf", "other.pdf", "--yes")
    assert done.status == 1
    assert "'octavo list' shows all" in done.err
    assert len(corpus.documents) == 1


@pytest.mark.parametrize(("answer", "left"), [("y\n", 0), ("yes\n", 0), ("\n", 1), ("n\n", 1), ("", 1)])
def test_remove_asks_a_person(corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch, answer: str, left: int) -> None:
    person = io.StringIO(answer)
    monkeypatch.setattr(person, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", person)
    done = octavo("remove", "report.pdf")
    assert len(corpus.documents) == left
    assert done.err.splitlines()[0] == "report.pdf  4 pages, /docs/report.pdf"
    assert done.err.splitlines()[1].startswith("Remove 1 document from the corpus? No file is deleted. [y/N] ")
    assert done.status == left


def test_a_copy_is_forgotten_and_its_document_is_kept(corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = Removal(
        **dataclasses.asdict(corpus.list()[0]), forgotten=("/docs/copy.pdf",), remaining=("/docs/report.pdf",)
    )
    monkeypatch.setattr(corpus, "removals", lambda *_, **__: (copy,))
    person = io.StringIO("n\n")
    monkeypatch.setattr(person, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", person)
    asked = octavo("remove", "copy.pdf")
    assert "Forget 1 file and keep its document? No file is deleted. [y/N] " in asked.err
    person.seek(0)
    sent = dataclasses.replace(copy, remaining=(), deleted=("/corpus/sent/copy.pdf",))
    monkeypatch.setattr(corpus, "removals", lambda *_, **__: (sent,))
    assert (
        "from the corpus? 1 file that only the corpus has would be deleted. [y/N] " in octavo("remove", "copy.pdf").err
    )
    monkeypatch.setattr(corpus, "removals", lambda *_, **__: (copy,))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    refused = octavo("remove", "copy.pdf")
    assert refused.err.startswith(
        "octavo: 1 file of documents that stay would be forgotten (report.pdf) and there is no "
    )


def test_of_many_documents_to_remove_the_first_are_named_and_the_rest_counted(
    corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{number}.pdf" for number in range(12)]
    corpus.documents = {document(name).id: document(name) for name in names}
    person = io.StringIO("y\n")
    monkeypatch.setattr(person, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", person)
    done = octavo("remove", *names)
    assert done.err.splitlines()[8] == "and 4 more"
    assert (len(done.err.splitlines()), corpus.documents) == (10, {})


def test_where_nobody_can_be_asked_remove_needs_yes(corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    done = octavo("remove", "report.pdf")
    assert (done.status, done.out, len(corpus.documents)) == (2, "", 1)
    assert done.err == (
        "octavo: 1 document would be removed (report.pdf) and there is no terminal to ask on: "
        "add --yes to remove without asking\n"
    )


def test_remove_does_not_ask_twice(corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    assert octavo("remove", "report.pdf", "--yes", "--json").status == 0
    assert corpus.documents == {}


def test_status_names_work_that_was_interrupted(corpus: FakeCorpus) -> None:
    corpus.jobs = (Job("sha256:0", "/docs/half.pdf", "2025", is_running=False, parts=("document", "passages")),)
    out = octavo("status").out
    assert re.search(r"^documents +1$", out, re.M)
    assert "/docs/half.pdf: interrupted; add it again to go on (document, passages done)" in out
    assert json.loads(octavo("status", "--json").out)["jobs"][0]["path"] == "/docs/half.pdf"


def test_check_fails_until_nothing_is_left_to_repair(corpus: FakeCorpus) -> None:
    assert (octavo("check").status, octavo("check").out) == (0, "The corpus is sound.\n")
    corpus.findings = (Finding("checksum", "sha256:0", "report.pdf is damaged"),)
    found = octavo("check")
    assert (found.status, found.out.splitlines()[0]) == (1, "found    checksum: report.pdf is damaged")
    assert "octavo check --repair" in found.out
    assert json.loads(octavo("check", "--json").out)["sound"] is False
    assert octavo("check", "--repair").status == 0


def test_check_does_not_advise_the_repair_that_was_just_tried(
    corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = CheckReport((Finding("integrity", "", "corpus.db cannot be mended: move it away"),))
    monkeypatch.setattr(corpus, "check", lambda **_: lost)
    done = octavo("check", "--repair")
    assert (done.status, done.out) == (1, "found    integrity: corpus.db cannot be mended: move it away\n")


# How it ends


@pytest.mark.parametrize(
    ("raised", "status"),
    [
        (CorpusError("full", "no room"), 1),
        (ModelError("no model"), 1),
        (BudgetError("spent"), 3),
        (OSError(28, "No space left on device"), 1),
        (ValueError("odd"), 1),
        (MemoryError(), 1),
        (RecursionError("deep"), 1),
    ],
)
def test_any_failure_is_one_line_and_a_status(corpus: FakeCorpus, raised: Exception, status: int) -> None:
    corpus.raises = raised
    done = octavo("ask", "x?")
    assert (done.status, done.out) == (status, "")
    assert done.err.startswith("octavo: ")
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err


def test_an_unplanned_failure_says_how_to_see_more(corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.raises = ValueError("odd\nvalue")
    assert "(ValueError: odd value); OCTAVO_DEBUG=1 shows where" in octavo("ask", "x?").err
    monkeypatch.setenv("OCTAVO_DEBUG", "1")
    assert "Traceback" in octavo("ask", "x?").err


def test_time_that_runs_out_is_status_3(corpus: FakeCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setattr(FakeCorpus, "ask", lambda *_a, **_k: time.sleep(30))
    done = octavo("ask", "x?", "--max-seconds", "0.05")
    assert done.status == 3
    assert done.err == "octavo: stopped after 0.05 seconds (max_seconds); what was indexed so far is kept\n"


def test_nothing_from_a_document_steers_the_terminal(empty: FakeCorpus) -> None:
    Path("a.pdf").touch()
    nasty = document("\x1b[31mred\u202e.pdf")
    empty.documents[nasty.id] = nasty
    for command in (["ask", "x?"], ["search", "x?"], ["list"], ["outline", nasty.id]):
        out = octavo(*command).out
        assert "red" in out
        assert not re.search("[\x1b\u202e]", out)


def test_rich_markup_in_a_document_is_text(empty: FakeCorpus) -> None:
    named = document("[bold]x[/bold].pdf")
    empty.documents[named.id] = named
    for command in (["ask", "x?"], ["search", "x?"], ["list"], ["outline", named.id]):
        assert "[bold]x[/bold].pdf" in octavo(*command).out


def test_without_a_command_it_greets_and_names_commands_that_there_are(corpus: FakeCorpus) -> None:
    done = octavo()
    assert (done.status, done.err) == (0, "")
    assert "Here: 1 document (/corpus); rules decide" in done.out
    tried = re.findall(r"^  octavo (\w+)", done.out, re.M)
    assert len(tried) == 3
    assert all(octavo(name, "--help").status == 0 for name in tried)


def test_a_corpus_that_cannot_be_opened_is_said_in_the_greeting(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise CorpusError("damaged", "the corpus is damaged: run 'octavo check'")

    monkeypatch.setattr(context, "open_corpus", broken)
    done = octavo()
    assert done.status == 0
    assert "Here: the corpus is damaged" in done.out


def test_help_names_every_command() -> None:
    out = octavo("--help").out
    for name in ("ask", "add", "search", "outline", "list", "remove", "status", "check", "doctor"):
        assert re.search(rf"^  {name} +\w", out, re.M)
        assert octavo(name, "--help").status == 0


def test_no_line_of_help_is_cut() -> None:
    assert "..." not in octavo("--help").out.split("Commands:")[1]


def test_the_version_is_the_packages() -> None:
    from importlib.metadata import version

    assert octavo("--version").out == f"octavo {version('octavo')}\n"
