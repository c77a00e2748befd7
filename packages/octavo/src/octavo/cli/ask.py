"""`octavo ask` and `octavo search`: a question, over files or the corpus."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import shlex
import sys
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from octavo.cli import context, guard, models, terminal
from octavo.cli.models_from_settings import caps_of, end
from octavo.cli.options import (
    BudgetOptions,
    CorpusOptions,
    JsonOption,
    RayOption,
    ReadingOptions,
    RetrievalOptions,
    TraceOption,
    WhereOption,
    command,
    flag,
    text,
)
from octavo.cli.settings import Settings, load
from octavo.errors import CorpusError, OctavoError, SourceError, UsageError
from octavo.example import example_file

if TYPE_CHECKING:
    from PIL.Image import Image

    from octavo.corpus import Corpus
    from octavo.evidence import Answer, Result, TraceStep
    from octavo.evidence.citation import Citation, Passage
    from octavo.systems import System

_KEPT = "; what was indexed so far is kept"


@dataclasses.dataclass(frozen=True, kw_only=True)
class PlanOption:
    """A plan to carry out."""

    plan: str | None = text(
        "--plan", "FILE|TEXT", "Carry out this plan, as --trace printed it, in the place of a system."
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearcherOptions(RayOption):
    """Which machines search, and what is done where some are away."""

    partial: bool = flag("--partial", "Answer without the documents whose searchers are away, and say so.")


_AROUND = 48.0
"""Points above and below what is marked that a terminal shows of a page."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class QuestionCommandOptions(
    TraceOption,
    JsonOption,
    BudgetOptions,
    ReadingOptions,
    PlanOption,
    WhereOption,
    RetrievalOptions,
    SearcherOptions,
    CorpusOptions,
):
    """The options that `ask`, `search` and `chat` have on the command line."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class AskCommandOptions(QuestionCommandOptions):
    """The options that `ask` has on the command line."""

    answer_format: str | None = text(
        "--answer-format", "TYPE", "Type of the answer, for systems that ask by type: Str, Int, Float, List, None."
    )
    pictures: str | None = text(
        "--pictures",
        "DIR",
        "Draw the pages that the answer stands on there, its words marked; terminals that can show them too.",
    )


Question = Annotated[str, typer.Argument(metavar="QUESTION", help="The question, in quotation marks.")]
Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE]...",
        help="Files or folders to look in, indexed on the way; names of documents, parts of them, ids and patterns "
        "such as 'wiki.jsonl#*' work too. Without any, the whole corpus.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    command(app, AskCommandOptions)(ask)
    command(app, QuestionCommandOptions)(search)


def ask(question: Question, files: Files = None, *, options: AskCommandOptions) -> None:
    """Answer a question and show where the answer stands."""
    with _scope(question, files or (), options, options.answer_format) as scope:
        hint = models.begin_hint(scope.settings, quiet=options.json)
        answer = _answer(scope, options)
        if options.json:
            terminal.write_json(answer.to_json())
        else:
            from octavo.cli.show.answer import show_answer

            show_answer(terminal.console(), answer)
            show_end(answer, options)
            hint()
        if options.pictures is not None:
            _draw(scope.corpus, answer, Path(options.pictures), quiet=options.json)
        end(answer)


def search(question: Question, files: Files = None, *, options: QuestionCommandOptions) -> None:
    """Show the pages and blocks a question leads to."""
    with _scope(question, files or (), options) as scope:
        result = scope.corpus.search(scope.question, **scope.call())
        if options.json:
            terminal.write_json(result.to_json())
        else:
            from octavo.cli.show.answer import show_result

            show_result(terminal.console(), result)
            show_end(result, options)
        end(result)


def _draw(corpus: Corpus, answer: Answer, folder: Path, *, quiet: bool) -> None:
    """Draw the places that an answer stands on, or those to read where it has none; say which have no page.

    A terminal that takes pictures shows them too, as much of each page as is about the marks.
    """
    from octavo.cli import inline_pictures

    way = "" if quiet else inline_pictures.way_of()
    for number, place in enumerate(answer.citations or answer.passages, start=1):
        stem = re.sub(r"[^\w.-]+", "-", Path(place.document.split("#")[0]).stem)
        path = folder / f"{number}-{stem}-page-{place.page}.png"
        try:
            drawn = corpus.picture_of(place.id)
            folder.mkdir(parents=True, exist_ok=True)
            drawn.save(path)
        except (UsageError, SourceError) as error:
            terminal.note(f"octavo: [{number}] is not drawn: {terminal.one_line(str(error))}")
        except OSError as error:
            raise OctavoError(f"{path} cannot be written: {error.strerror}; name another with --pictures") from error
        else:
            (terminal.note if quiet else terminal.write)(terminal.one_line(str(path)))
            if way:
                inline_pictures.show(_about_marks(corpus, place, drawn), way)


def _about_marks(corpus: Corpus, place: Citation | Passage, drawn: Image) -> Image:
    """Return the part of a drawn page from a little above what is marked to a little below."""
    boxes = [spot.box for spot in corpus.cited(place.id).boxes if spot.page == place.page] or [place.box]
    scale = drawn.width / float(corpus.document(place.document_id).pages.width[place.page - 1])
    top, bottom = min(box[1] for box in boxes) - _AROUND, max(box[3] for box in boxes) + _AROUND
    return drawn.crop((0, max(round(top * scale), 0), drawn.width, min(round(bottom * scale), drawn.height)))


def _answer(scope: _Scope, options: QuestionCommandOptions) -> Answer:
    """Return the answer; a person at a terminal sees a model's answer while it is written."""
    if options.json or scope.settings.model == "none" or not terminal.is_terminal(sys.stdout):
        return scope.corpus.ask(scope.question, **scope.call())
    from octavo.cli.show.answer import follow

    return follow(terminal.console(), scope.corpus.stream(scope.question, **scope.call()))


def show_end(ran: Answer | Result, options: QuestionCommandOptions) -> None:
    """Show the steps when they are asked for, and say what ended the work or kept a model from deciding."""
    _show_trace(ran, options)
    if ran.unsearched:
        terminal.note(f"octavo: {terminal.one_line(str(ran.unsearched))}")
    if ran.words_alone:
        terminal.note(f"octavo: words alone were looked for: {terminal.one_line(ran.words_alone)}")
    if ran.stopped:
        why = terminal.one_line(_refusal(ran))
        terminal.note(f"octavo: the budget ended it ({ran.stopped}){why}; this is the best answer so far")
    elif reasons := _reasons(ran.trace):
        terminal.note(f"octavo: decided by rule: {terminal.one_line(reasons[0])}")


def _refusal(ran: Answer | Result) -> str:
    """Return what the cap left no room for, ": " before it; "" where no decision was refused."""
    said = next((reason for reason in _reasons(ran.trace) if f"({ran.stopped})" in reason), "")
    detail = said.partition(": ")[2].partition(f" ({ran.stopped})")[0]
    return f": {detail}" if detail else ""


def _reasons(steps: Sequence[TraceStep]) -> list[str]:
    """Return why rules decided although a model is there, in the order it came up."""
    decided = [step for step in steps if "decided_by" in step.parameters and "why" in step.parameters]
    own = [f"{step.step}: {step.parameters['why']}" for step in decided]
    return own + [reason for step in steps for reason in _reasons(step.steps)]


def _show_trace(ran: Answer | Result, options: QuestionCommandOptions) -> None:
    if options.trace:
        from octavo.cli.show.answer import show_trace

        show_trace(terminal.console(), ran)


@dataclasses.dataclass(frozen=True)
class _Scope:
    question: str
    corpus: Corpus
    documents: tuple[str, ...] | None
    """What they are called; None for all of the corpus."""
    settings: Settings
    started: float
    """When the command began (`time.monotonic`)."""
    system: System | str
    where: str | None

    def call(self) -> dict[str, Any]:
        """Return the options of the call."""
        return {
            "documents": self.documents,
            **({} if self.where is None else {"where": self.where}),
            "system": self.system,
            "limit": self.settings.limit,
            "caps": caps_of(self.settings, self.started),
        }


@contextlib.contextmanager
def _scope(
    question: str, files: Sequence[str], options: QuestionCommandOptions, answer_format: str | None = None
) -> Generator[_Scope]:
    """Open the corpus with the files of a question in it, and run the block within the time allowed."""
    from octavo import systems

    started = time.monotonic()
    chosen = load(options.given())
    _check_question(question, files)
    context.load_ahead(chosen)
    system = system_of(chosen, options)
    if answer_format is not None:
        system = systems.get(system).answering_as(answer_format)
    with guard.within(chosen.max_seconds, kept=_KEPT), open_corpus(chosen, options) as corpus:
        if files:
            references = context.references_of(corpus, files, chosen, options, hint=_hint(question))
            yield _Scope(question.strip(), corpus, references, chosen, started, system, options.where)
            return
        check_filled(corpus, "name a file after the question")
        yield _Scope(question.strip(), corpus, None, chosen, started, system, options.where)


def open_corpus(chosen: Settings, options: QuestionCommandOptions) -> Corpus:
    """Open the corpus that questions are put to. Raises UsageError for --partial without searchers."""
    if options.partial and not chosen.ray:
        raise UsageError("--partial is for searchers that are away: name their Ray cluster with --ray ADDRESS")
    return context.open_to_search(dataclasses.replace(chosen, partial=options.partial), is_quiet=options.json)


def check_filled(corpus: Corpus, hint: str) -> None:
    """Raise CorpusError for a corpus without documents; the hint says what may be named instead."""
    context.check_there(corpus)
    if not corpus.list(limit=1):
        raise CorpusError(
            "missing",
            f"the corpus at {corpus.path} is empty; {hint}, or put some in with 'octavo add FILE'{_example()}",
        )


def _example() -> str:
    """Return how to have the document that comes with Octavo."""
    path = example_file()
    return "" if path is None else f". An example to try: octavo add {shlex.quote(str(path))}"


def _hint(question: str) -> str:
    """Return what is advised where a word names no file: after a question of one word it may be the second one."""
    return context.LOOK if " " in question.strip() else "put the question in quotation marks"


def _check_question(question: str, files: Sequence[str]) -> None:
    if not question.strip():
        raise UsageError('the question is empty; write it first, in quotation marks: octavo ask "QUESTION" FILE')
    is_marked = os.sep in question or Path(question).suffix
    if Path(question).suffix.lower() == ".pdf" or (is_marked and context.is_there(question)):
        rest = next((name for name in files if not context.is_there(name)), "QUESTION")
        raise UsageError(f'the question comes before the files: octavo ask "{rest}" {question}')


def system_of(chosen: Settings, options: QuestionCommandOptions) -> System | str:
    """Return what answers: the system chosen, or one that carries out the plan given; raise UsageError for neither."""
    from octavo import systems

    if options.plan is None:
        systems.get(chosen.system)
        return chosen.system
    if options.system is not None:
        raise UsageError("a plan takes the place of a system: give --plan or --system, not both")
    return systems.from_plan(_plan_text(options.plan))


def _plan_text(plan: str) -> str:
    """Return the text of a plan: what stands in the file of that name, where there is one, else the text itself."""
    try:
        path = Path(plan)
        return path.read_text(encoding="utf-8") if path.is_file() else plan
    except (OSError, UnicodeDecodeError, ValueError):
        return plan
