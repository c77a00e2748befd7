"""`octavo chat`: what is typed or piped in, what is shown, and how it ends."""

from __future__ import annotations

import builtins
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cli_corpus import Done, FakeCorpus, document, octavo
from octavo.cli import context
from octavo.errors import BudgetError, CorpusError, ModelError


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeCorpus:
    fake = FakeCorpus()
    monkeypatch.setattr(context, "open_corpus", lambda _settings, **_options: fake)
    monkeypatch.chdir(tmp_path)
    return fake


@pytest.fixture
def corpus(empty: FakeCorpus) -> FakeCorpus:
    for one in (document(), document("other.pdf")):
        empty.documents[one.id] = one
    return empty


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Return what runs the program with lines on standard input."""

    def run(lines: Sequence[str], *arguments: str) -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return octavo("chat", *arguments)

    return run


class Terminal(io.StringIO):
    """Standard input at which somebody sits."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Return what runs the program with lines that are typed; an exception among them is raised in their place."""

    def run(lines: Sequence[str | type[BaseException]], *arguments: str) -> Done:
        waiting = list(lines)

        def read(_prompt: str = "") -> str:
            line = waiting.pop(0) if waiting else EOFError
            if isinstance(line, str):
                return line
            raise line

        monkeypatch.setattr("sys.stdin", Terminal())
        monkeypatch.setattr("octavo.cli.chat._reader", lambda: read)
        monkeypatch.setattr(builtins, "input", read)
        return octavo("chat", *arguments)

    return run


def test_a_follow_up_shows_what_it_was_understood_as(corpus: FakeCorpus, piped: Callable[..., Done]) -> None:
    done = piped(["What was net income in 2015?", "", "and in 2016?"])
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[1] == "3.1 million"
    assert "Understood as: What was net income in 2016?" in lines
    assert lines.count("3.1 million") == 2
    assert done.err == ""


def test_json_is_one_object_a_line_for_each_turn(corpus: FakeCorpus, piped: Callable[..., Done]) -> None:
    done = piped(["What was net income in 2015?", "and in 2016?", "When was it?"], "--json")
    first, second, third = map(json.loads, done.out.splitlines())
    assert "understood" not in first
    assert (second["question"], second["understood"]) == ("and in 2016?", "What was net income in 2016?")
    assert third["answer"] == "3.1 million"


def test_the_options_of_ask_hold_for_every_turn(corpus: FakeCorpus, piped: Callable[..., Done]) -> None:
    done = piped(["a?", "b?"], "report.pdf", "--system", "hybrid", "--limit", "4", "--max-calls", "3")
    assert done.status == 0
    calls = [given for name, given in corpus.calls if name == "search"]
    assert [(call["system"], call["limit"], call["caps"].caps.calls) for call in calls] == [("hybrid", 4, 3)] * 2
    assert calls[0]["caps"] is not calls[1]["caps"]
    assert len(calls[0]["documents"]) == 1


def test_commands_change_what_is_asked_and_forget(corpus: FakeCorpus, piped: Callable[..., Done]) -> None:
    lines = ["What was net income in 2015?", "/new", "and in 2016?", "/scope", "/scope other.pdf", "/scope", "x?"]
    done = piped([*lines, "/scope all", "y?", "/nosuch", "/help", "/quit", "z?"])
    assert "Understood" not in done.out
    said = done.err.splitlines()
    assert said[0] == "octavo: a new conversation; nothing said before counts"
    assert said[1:5] == [
        "octavo: asking the whole corpus",
        "octavo: asking other.pdf",
        "octavo: asking other.pdf",
        "octavo: asking the whole corpus",
    ]
    assert said[5] == "octavo: there is no command /nosuch; /help lists them"
    scopes = [given["documents"] for name, given in corpus.calls if name == "search"]
    assert [scope and len(scope) for scope in scopes] == [None, None, 1, None]


def test_a_scope_that_there_is_not_changes_nothing(corpus: FakeCorpus, piped: Callable[..., Done]) -> None:
    done = piped(["/scope nosuch.pdf", "/scope it's", "/scope"])
    assert done.status == 0
    assert "there is no file 'nosuch.pdf'" in done.err
    assert done.err.splitlines()[-1] == "octavo: asking the whole corpus"


def test_a_question_that_fails_is_said_and_the_next_is_answered(
    corpus: FakeCorpus, piped: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    asks, wrong = corpus.ask, [ModelError("the key is refused")]

    def ask(question: str, **given: Any) -> object:
        if wrong:
            raise wrong.pop()
        return asks(question, **given)

    monkeypatch.setattr(corpus, "ask", ask)
    done = piped(["a?", "b?"], "--json")
    failed, answered = map(json.loads, done.out.splitlines())
    assert failed == {"question": "a?", "error": "the key is refused"}
    assert answered["question"] == "b?"
    assert done.err == "octavo: the key is refused\n"
    assert done.status == ModelError.exit_status


def test_a_spent_budget_is_said_and_ends_with_its_status(corpus: FakeCorpus, piped: Callable[..., Done]) -> None:
    corpus.stopped = "max_calls"
    done = piped(["a?"])
    assert done.status == BudgetError.exit_status
    assert "the budget ended it (max_calls)" in done.err


def test_an_empty_corpus_and_a_wrong_system_are_refused_at_once(empty: FakeCorpus, piped: Callable[..., Done]) -> None:
    done = piped(["a?"])
    assert done.status == CorpusError.exit_status
    assert "is empty; name a file" in done.err
    assert piped(["a?"], "--system", "nosuch").status == 2


def test_a_person_is_told_how_it_ends_and_ends_it(corpus: FakeCorpus, typed: Callable[..., Done]) -> None:
    done = typed(["What was net income in 2015?", "why?"])
    assert done.status == 0
    assert done.err.splitlines()[0] == "octavo: ask, and ask on; /help lists the commands, Ctrl-D ends"
    assert "Understood as: " in done.out


def test_ctrl_c_at_the_prompt_ends_it_the_second_time_in_a_row(corpus: FakeCorpus, typed: Callable[..., Done]) -> None:
    done = typed([KeyboardInterrupt, "a?", KeyboardInterrupt, "b?"])
    assert done.status == 0
    assert done.out.splitlines().count("3.1 million") == 2
    done = typed([KeyboardInterrupt, KeyboardInterrupt, "b?"])
    assert done.status == 130
    assert done.out == ""
    assert "Traceback" not in done.err


def test_ctrl_c_stops_an_answer_and_not_the_conversation(
    corpus: FakeCorpus, typed: Callable[..., Done], piped: Callable[..., Done]
) -> None:
    corpus.raises = KeyboardInterrupt()
    done = typed(["a?", "/help"])
    assert done.status == 0
    assert "octavo: stopped; ask on, or press Ctrl-C again to end" in done.err
    assert typed(["a?", KeyboardInterrupt, "b?"]).status == 130
    assert piped(["a?"]).status == 130


def test_a_failing_question_of_a_person_does_not_decide_how_it_ends(
    corpus: FakeCorpus, typed: Callable[..., Done]
) -> None:
    corpus.raises = CorpusError("damaged", "it cannot be read")
    done = typed(["a?"])
    assert done.status == 0
    assert "octavo: it cannot be read" in done.err
