"""What a person sees on a terminal: numbers in words, the stretch of a block that fits, an answer as it grows."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from indexed import view_of
from octavo.cli.progress import Listener
from octavo.cli.show.answer import follow, snippet
from octavo.cli.show.corpus import show_added
from octavo.cli.show.prose import rate_of, seconds_of, section_name
from octavo.corpus.reports import AddReport, Copy
from octavo.corpus.streaming import AnswerText
from octavo.evidence import Answer, Evidence, Outcome, TraceStep
from octavo_documents.document import Kind, number_of
from synthetic import document


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0004, "<1 ms"),
        (0.0124, "12 ms"),
        (4.21, "4.2 s"),
        (119.7, "119.7 s"),
        (179.7, "3 min 0 s"),
        (185, "3 min 5 s"),
    ],
)
def test_seconds_are_said_in_the_unit_that_fits(seconds: float, said: str) -> None:
    assert seconds_of(seconds) == said


def test_one_of_a_thing_is_no_plural() -> None:
    assert [number_of(count, "reply") for count in (0, 1, 1200)] == ["0 replies", "1 reply", "1,200 replies"]


def test_a_rate_of_less_than_one_a_second_is_not_said() -> None:
    assert rate_of(3000, 2.0, "pages") == " (1,500 pages/s)"
    assert rate_of(1, 20.0, "pages") == rate_of(0, 1.0, "pages") == rate_of(5, 0.0, "pages") == ""


def test_a_slow_rate_is_said_with_a_decimal() -> None:
    assert rate_of(19, 18.3, "pages") == " (1.0 pages/s)"
    assert rate_of(25, 10.0, "pages") == " (2.5 pages/s)"


def test_a_summary_says_how_many_files_there_are_and_what_time_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Listener()
    heard.expect({"a.pdf": 1000, "b.pdf": 3000, "c.pdf": 5000, "d.pdf": 1000})
    assert heard.summary() == "0 of 4 files done, 0 pages read"
    monkeypatch.setattr(Listener, "seconds", property(lambda _: 60.0))
    heard.finish("c.pdf", "unchanged")
    assert heard.summary() == "1 of 4 files done, 0 pages read"
    heard.finish("a.pdf", "added")
    heard.finish("a.pdf", "again")
    assert heard.summary() == "2 of 4 files done, 0 pages read, about 4 min left"
    heard.finish("b.pdf", "failed")
    heard.finish("d.pdf", "added")
    assert heard.summary() == "4 of 4 files done, 0 pages read"


def test_the_line_of_the_whole_counts_what_there_is() -> None:
    heard = Listener()
    assert heard.summary() == "0 files done, 0 pages read"
    heard.start("a.pdf", "parse", 4)
    heard.advance("a.pdf", "parse", 1)
    heard.finish("a.pdf", "added")
    assert heard.summary().startswith("1 file done, 1 page read, ")
    heard.advance("b.jsonl", "articles", 1200)
    assert heard.summary().startswith("1 file done, 1,200 articles, ")


def test_of_a_copy_that_is_gone_it_is_said_which_file_the_document_stays_under() -> None:
    gone = Copy("/docs/Copy of a.pdf", "sha256:0", "/docs/a.pdf", is_moved=True)
    screen = Console(file=io.StringIO(), width=120)
    show_added(screen, AddReport((), (), (), copies=(gone,)), 1.0)
    told = screen.file.getvalue().splitlines()[0]
    assert told == "gone      /docs/Copy of a.pdf is no longer there; the document stays, as /docs/a.pdf"


def test_a_title_that_is_a_whole_sentence_is_cut_in_a_path_of_sections() -> None:
    long = "We may not realize the benefits that we expect of the companies which we bought and paid for"
    path = section_name(["Risk factors", long, "Costs"])
    assert path == "Risk factors > We may not realize the benefits that we expect of the… > Costs"


def test_a_short_text_is_shown_whole_with_its_words_marked() -> None:
    shown = snippet("The calibration of sensors.", "How is a sensor calibrated?", 80)
    assert shown.plain == "The calibration of sensors."
    assert [shown.plain[span.start : span.end] for span in shown.spans] == ["calibration", "sensors."]


def test_a_long_text_is_shown_where_the_question_is_met() -> None:
    text = "filler " * 60 + "the nitrogen cylinder lasts long " + "filler " * 60
    shown = snippet(text, "nitrogen cylinder", 80).plain
    assert "nitrogen cylinder lasts" in shown
    assert shown.startswith("…filler")
    assert shown.endswith("…")


def test_a_text_without_any_word_of_the_question_is_shown_from_its_start() -> None:
    assert snippet("one two three " * 20, "nitrogen", 20).plain == "one two three one…"


@given(st.text(max_size=300), st.text(max_size=40), st.integers(10, 100))
def test_a_snippet_is_one_line_that_fits(text: str, question: str, length: int) -> None:
    shown = snippet(text, question, length)
    assert shown.cell_len <= length
    assert "\n" not in shown.plain


def answer() -> Answer:
    view = view_of(document([(Kind.PARAGRAPH, "The harbour is deep.", 1, 0)]))
    evidence = Evidence.of(view, [0], relevance=[1.0])
    return Answer("How deep?", "bm25", "Deep", outcome=Outcome.ANSWER, evidence=evidence, by="relevance")


def test_the_answer_is_returned_and_what_was_shown_meanwhile_is_safe() -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=80)
    whole = answer()
    events = iter([TraceStep("Search", {}, 7, 3, 0.1), AnswerText("De\x1b[2J"), whole])
    assert follow(screen, events) is whole
    written = screen.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[2J" not in written
    assert "De\N{REPLACEMENT CHARACTER}[2J" in written


def test_a_stream_without_an_answer_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="without an answer"):
        follow(Console(file=io.StringIO()), iter([AnswerText("x")]))
