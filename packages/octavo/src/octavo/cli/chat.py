"""`octavo chat`: questions one after the other, at a terminal or from a pipe."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import shlex
import sys
import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import typer

from octavo.cli import context, models, terminal
from octavo.cli.ask import Files, QuestionCommandOptions, check_filled, open_corpus, show_end, system_of
from octavo.cli.guard import FAILED, Stopped, within
from octavo.cli.models_from_settings import caps_of
from octavo.cli.options import command
from octavo.cli.settings import Settings, load
from octavo.errors import BudgetError, OctavoError

if TYPE_CHECKING:
    from collections.abc import Callable

    from octavo.corpus import Corpus
    from octavo.corpus.conversation import Conversation
    from octavo.evidence import Answer
    from octavo.systems import System

_MOST_NAMED = 10
_PROMPT = "> "
_WELCOME = "octavo: ask, and ask on; /help lists the commands, Ctrl-D ends"
_HELP = """/new            forget what was asked so far
/scope          say which documents are asked
/scope NAME...  ask these documents or files from now on
/scope all      ask the whole corpus
/quit           end, as Ctrl-D does
Ctrl-C stops an answer; twice, it ends the conversation."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, QuestionCommandOptions)(chat)


def chat(files: Files = None, *, options: QuestionCommandOptions) -> None:
    """Ask questions that build on one another."""
    chosen = load(options.given())
    system = system_of(chosen, options)
    with open_corpus(chosen, options) as corpus:
        references = None
        if files:
            with within(chosen.max_seconds):
                references = context.references_of(corpus, files, chosen, options)
        else:
            check_filled(corpus, "name a file")
        talk = _Talk(corpus, corpus.conversation(references), chosen, options, system)
        talk.run()
        if talk.status:
            raise typer.Exit(talk.status)


@dataclasses.dataclass
class _Talk:
    corpus: Corpus
    conversation: Conversation
    settings: Settings
    options: QuestionCommandOptions
    system: System | str
    status: int = 0
    """How the program ends: with the last question that failed where no person watched, else 0."""

    is_interrupted: bool = False
    """Whether Ctrl-C was the last thing that was pressed."""

    def run(self) -> None:
        """Answer what is asked until there is no more."""
        hint = models.begin_hint(self.settings, quiet=self.options.json)
        for line in self._lines():
            if line.startswith("/"):
                if not self._obey(line):
                    return
            elif self._answer(line):
                hint()
                hint = _say_nothing

    def _lines(self) -> Generator[str]:
        """Yield what is typed or piped in, a line at a time, without blank lines, until it ends.

        At a terminal Ctrl-C twice in a row raises KeyboardInterrupt.
        """
        if not sys.stdin.isatty():
            terminal.as_utf8(sys.stdin)
            yield from (line.strip() for line in sys.stdin if line.strip())
            return
        terminal.note(_WELCOME)
        read = _reader()
        while True:
            try:
                line = read().strip()
            except EOFError:
                terminal.note("")
                return
            except KeyboardInterrupt:
                if self.is_interrupted:
                    raise
                self.is_interrupted = True
                terminal.note("\noctavo: press Ctrl-C again, or Ctrl-D, to end")
                continue
            self.is_interrupted = False
            if line:
                yield line

    def _answer(self, question: str) -> bool:
        """Answer a question and show the answer; return whether there is one. A fault ends this question only."""
        try:
            with within(self.settings.max_seconds):
                answer = self._asked(question)
        except OctavoError as wrong:
            return self._fail(question, str(wrong), wrong.exit_status)
        except Stopped as stopped:
            return self._fail(question, str(stopped), stopped.status)
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            self.is_interrupted = True
            terminal.note("\noctavo: stopped; ask on, or press Ctrl-C again to end")
            return False
        except (OSError, MemoryError) as wrong:
            return self._fail(question, str(wrong) or type(wrong).__name__, FAILED)
        if answer.stopped:
            self._note_status(BudgetError.exit_status)
        if self.options.json:
            terminal.write_json_line(answer.to_json())
        else:
            self._show(answer)
        return True

    def _asked(self, question: str) -> Answer:
        call: dict[str, Any] = {
            "system": self.system,
            "limit": self.settings.limit,
            **({} if self.options.where is None else {"where": self.options.where}),
            "caps": caps_of(self.settings, time.monotonic()),
        }
        if self.options.json or self.settings.model == "none" or not terminal.is_terminal(sys.stdout):
            return self.conversation.ask(question, **call)
        from octavo.cli.show.answer import follow

        return follow(terminal.console(), self.conversation.stream(question, **call))

    def _show(self, answer: Answer) -> None:
        from octavo.cli.show.answer import show_answer

        screen = terminal.console()
        show_answer(screen, answer, brief=True)
        show_end(answer, self.options)
        screen.print()
        terminal.flush()

    def _fail(self, question: str, message: str, status: int) -> bool:
        self._note_status(status)
        terminal.note(f"octavo: {terminal.one_line(message)}")
        if self.options.json:
            terminal.write_json_line({"question": question, "error": terminal.one_line(message)})
        return False

    def _note_status(self, status: int) -> None:
        if not sys.stdin.isatty():
            self.status = status

    # Commands

    def _obey(self, line: str) -> bool:
        """Do what a line with a slash says; return whether the conversation goes on."""
        name, _, rest = line.partition(" ")
        if name == "/quit":
            return False
        if name == "/help":
            terminal.note(_HELP)
        elif name == "/new":
            self.conversation.clear()
            terminal.note("octavo: a new conversation; nothing said before counts")
        elif name == "/scope":
            self._scope(rest.strip())
        else:
            terminal.note(f"octavo: there is no command {terminal.one_line(name)}; /help lists them")
        return True

    def _scope(self, names: str) -> None:
        try:
            if names:
                self.conversation.look_in(None if names == "all" else self._references(names))
            terminal.note(f"octavo: asking {self._named_scope()}")
        except OctavoError as wrong:
            terminal.note(f"octavo: {terminal.one_line(str(wrong))}")

    def _references(self, names: str) -> tuple[str, ...]:
        try:
            words = shlex.split(names)
        except ValueError:  # an apostrophe in a name
            words = [names]
        return context.references_of(self.corpus, words, self.settings, self.options)

    def _named_scope(self) -> str:
        scope = self.conversation.documents
        if scope is None:
            return "the whole corpus"
        found = [info.name for name in scope for info in self.corpus.list(name, limit=_MOST_NAMED)]
        more = ", ..." if len(found) > _MOST_NAMED else ""
        return terminal.one_line(", ".join(found[:_MOST_NAMED])) + more


def _say_nothing() -> None:
    pass


def _reader() -> Callable[[], str]:
    """Return what reads a line from the terminal, with editing and the lines before where Python has them."""
    if terminal.is_terminal(sys.stdout):
        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # input() edits lines with it
        return lambda: input(_PROMPT)

    def read() -> str:
        sys.stderr.write(_PROMPT)
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    return read
