"""`octavo table`: questions as columns, documents as rows, a cell for each."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from octavo.cli import context, guard, progress, terminal
from octavo.cli.ask import check_filled
from octavo.cli.models_from_settings import total_caps_of
from octavo.cli.options import (
    BudgetOptions,
    CorpusOptions,
    JsonOption,
    ReadingOptions,
    RetrievalOptions,
    WhereOption,
    command,
    flag,
    listed_lines,
    text,
)
from octavo.cli.settings import Settings, load
from octavo.errors import BudgetError, UnknownDocumentError, UsageError

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.tables.answer_table import AnswerTable
    from octavo.corpus.tables.filling import CellFilled, TablePlan

_KEPT = "what was found is kept, run the same command again to go on"


@dataclasses.dataclass(frozen=True, kw_only=True)
class TableOptions(JsonOption, BudgetOptions, ReadingOptions, WhereOption, RetrievalOptions, CorpusOptions):
    """The options of `table`."""

    out: str | None = text(
        "--out",
        "FILE",
        "File to write: .xlsx, .csv, .json or .html. What was changed by hand in an .xlsx that is there is taken over.",
    )
    base: str | None = text("--base", "URL", "Address of a server, for links that open there.")
    again: bool = flag("--again", "Ask anew what was found before; what was corrected by hand stays.")
    dry_run: bool = flag("--dry-run", "Say what it takes, about, and ask nothing.")


Questions = Annotated[
    str, typer.Argument(metavar="QUESTIONS", help="A text file with a question a line; - for standard input.")
]
Documents = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[DOCUMENT]...",
        help="Files or folders, indexed on the way; names of documents, parts of them, ids and patterns work too. "
        "Without any, the whole corpus.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, TableOptions)(table)


def table(questions: Questions, documents: Documents = None, *, options: TableOptions) -> None:
    """Answer questions of each document by itself, as a table.

    Each cell is kept as soon as it is there: the same command goes on where it was left, and asks another document
    or another question only what is missing.
    """
    asked, chosen = _questions(questions), load(options.given())
    _check_out(options.out)
    with guard.within(chosen.max_seconds, kept=f"; {_KEPT}"), context.open_to_search(chosen) as corpus:
        named = context.references_of(corpus, documents, chosen, options) if documents else None
        if named is None:
            check_filled(corpus, "name documents after the questions")
        if options.dry_run:
            plan = corpus.table_plan(
                asked, named, where=options.where, system=chosen.system, limit=chosen.limit, again=options.again
            )
            if options.json:
                terminal.write_json(dataclasses.asdict(plan))
            else:
                terminal.write(_told(plan))
            return
        _take_corrections(corpus, options.out)
        try:
            found = _filled(corpus, asked, named, chosen, options)
        except (KeyboardInterrupt, guard.Stopped):
            _write(_as_it_stands(corpus, asked, named, chosen, options), options)
            raise
        _show(found, options)
    if found.stopped:
        raise typer.Exit(BudgetError.exit_status)


def _filled(
    corpus: Corpus, asked: Sequence[str], named: Sequence[str] | None, chosen: Settings, options: TableOptions
) -> AnswerTable:
    with progress.StepBar(quiet=options.json) as bar:
        begun = time.monotonic()

        def announce(plan: TablePlan) -> None:
            if plan.models and plan.due:
                terminal.note(f"octavo: {_told(plan)}")
            bar.begin("filling", plan.due)

        def follow(filled: CellFilled) -> None:
            bar.advance(filled.done, _pace(filled, time.monotonic() - begun))

        return corpus.table(
            asked,
            named,
            where=options.where,
            system=chosen.system,
            limit=chosen.limit,
            caps=total_caps_of(chosen),
            again=options.again,
            announce=announce,
            on_cell=follow,
        )


def _as_it_stands(
    corpus: Corpus, asked: Sequence[str], named: Sequence[str] | None, chosen: Settings, options: TableOptions
) -> AnswerTable:
    return corpus.table_filling(asked, named, where=options.where, system=chosen.system, limit=chosen.limit).table


def _pace(filled: CellFilled, seconds: float) -> str:
    from octavo.cli.show.prose import seconds_of

    return f"{filled.cell['outcome']}, {seconds_of(seconds / filled.done)} a cell"


def _told(plan: TablePlan) -> str:
    """Return what a table takes in a line."""
    kept = f", {plan.cells - plan.due:,} are there" if plan.due < plan.cells else ""
    cells = f"{plan.due:,} of {plan.cells:,} cells to fill{kept}"
    if not plan.models:
        return f"{cells}; without a model, which costs nothing"
    cost = "its price is not known" if plan.cost is None else f"cost {plan.cost:.2f}"
    tokens = f"{plan.input_tokens:,} tokens read and {plan.output_tokens:,} written"
    return f"{cells}; about {plan.calls:,} calls of {', '.join(plan.models)}, {tokens}, {cost}"


def _questions(name: str) -> list[str]:
    """Return the questions of a file, a line each; empty lines and those that begin with # are none."""
    try:
        told = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = (error.strerror if isinstance(error, OSError) else "") or "it is no text in UTF-8"
        raise UsageError(
            f"{name} cannot be read: {why}; the first name is a text file with a question a line"
        ) from error
    found = listed_lines(told)
    if not found:
        raise UsageError(f"{name} holds no question: write one a line")
    return found


def _check_out(out: str | None) -> None:
    """Raise UsageError for a file that cannot be written, before anything is asked."""
    if out is None:
        return
    from octavo.exports.tables import check_format

    path = Path(out)
    check_format(path.suffix.removeprefix("."))
    if not path.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {path.parent} to write {path.name} in")


def _take_corrections(corpus: Corpus, out: str | None) -> None:
    """Keep what a person changed in the workbook that is there, before it is written anew."""
    if out is None or not out.lower().endswith(".xlsx") or not Path(out).exists():
        return
    from octavo.exports.workbook import corrections

    count = 0
    for document, question, said in corrections(Path(out).read_bytes(), out):
        try:
            corpus.correct(document, question, said)
        except UnknownDocumentError:
            continue  # removed since the workbook was written
        count += 1
    if count:
        cells = "1 cell that was" if count == 1 else f"{count:,} cells that were"
        terminal.note(f"octavo: {cells} changed by hand in {terminal.one_line(out)} taken over")


def _show(found: AnswerTable, options: TableOptions) -> None:
    _write(found, options)
    for note in found.notes:
        terminal.note(f"octavo: {terminal.one_line(note)}")
    if options.json:
        terminal.write_json({**found.to_json()})
    elif options.out is None:
        from octavo.cli.show.answer_table import show_answer_table

        show_answer_table(terminal.console(), found)
    else:
        terminal.write(f"{terminal.one_line(options.out)}: {found.summary()}")
    if found.stopped:
        terminal.note(f"octavo: the budget ended it ({found.stopped}); {_KEPT}")


def _write(found: AnswerTable, options: TableOptions) -> None:
    if options.out is None:
        return
    from octavo.exports.tables import export_table
    from octavo.exports.writing import write_file

    path = Path(options.out)
    file: Any = export_table(found, path.suffix.removeprefix("."), options.base or "")
    write_file(path, file.data)  # the former table stays whole where there is no room for the new one
