"""What a person sees while a model writes: steps, then the text; a document cannot steer the terminal with it."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from indexed import view_of
from octavo.cli.show.answer import follow
from octavo.corpus.streaming import AnswerText
from octavo.document import Answer, Evidence, Kind, Outcome, TraceStep
from synthetic import document


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
