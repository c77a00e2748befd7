"""`octavo add`: files and folders into the corpus.

Owns what is said of each file afterwards, and what Ctrl-C leaves. Knows nothing about how a file is indexed.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

import typer

from octavo.cli import context, guard, progress, terminal
from octavo.cli.deadline import within
from octavo.cli.declare import command
from octavo.cli.options import CorpusOptions, JsonOption, ReadingOptions, TimeOption
from octavo.cli.settings import load

if TYPE_CHECKING:
    from octavo.corpus.reports import AddReport

_RESUME = "what was indexed is kept; run the same command again to go on from there"


@dataclasses.dataclass(frozen=True, kw_only=True)
class AddOptions(JsonOption, TimeOption, ReadingOptions, CorpusOptions):
    """The options of `add`."""

    retry: Annotated[
        bool, typer.Option("--retry", help="Try files again that are left alone because they failed badly before.")
    ] = False


Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, or folders that are searched for PDFs.")]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, AddOptions)(add)


def add(paths: Paths, *, options: AddOptions) -> None:
    """Index files or folders into the corpus.

    Files that did not change are skipped; what was interrupted goes on from where it was.
    """
    chosen = load(options.given())
    with within(chosen.max_seconds, kept=f"; {_RESUME}"), context.open_corpus(chosen) as corpus:
        if options.retry:
            corpus.retry()
        with progress.listener(quiet=options.json) as listener:
            try:
                report = context.add(corpus, paths, chosen, options, listener)
            except KeyboardInterrupt:
                done = "1 file" if listener.finished == 1 else f"{listener.finished} files"
                raise guard.Stopped(f"interrupted when {done} had been done; {_RESUME}") from None
        if options.json:
            terminal.write_json(_json(report, listener.seconds))
        else:
            _show(report, listener.seconds)
    if report.failed:
        raise typer.Exit(guard.FAILED)


def _json(report: AddReport, seconds: float) -> dict[str, Any]:
    return {
        "added": [dataclasses.asdict(info) for info in report.added],
        "unchanged": [dataclasses.asdict(info) for info in report.unchanged],
        "failed": [dataclasses.asdict(failure) for failure in report.failed],
        "seconds": round(seconds, 3),
    }


def _show(report: AddReport, seconds: float) -> None:
    from octavo.cli.show.corpus import show_added

    show_added(terminal.console(), report, seconds)
    for failure in report.failed:
        terminal.note(f"octavo: {terminal.one_line(failure.message)}")
