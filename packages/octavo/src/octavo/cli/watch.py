"""`octavo watch`: keeps the corpus up with a folder."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from octavo.cli import context, guard, progress, terminal
from octavo.cli.options import CorpusOptions, ReadingOptions, command, flag, text, whole
from octavo.cli.settings import load
from octavo.errors import SourceError, UsageError

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.reports import AddReport, Copy
    from octavo.corpus.watching import FolderChanges, WatchedFolder


@dataclasses.dataclass(frozen=True, kw_only=True)
class WatchOptions(ReadingOptions, CorpusOptions):
    """The options of `watch`."""

    every: str | None = text("--every", "SECONDS", "Time between two looks at the folder. [default: 5]")
    once: bool = flag("--once", "Look once, take files as they are, and end.")
    prune: bool = flag("--prune", "Name the documents whose files have gone; with --yes remove them.")
    yes: bool = flag("--yes", "Remove what --prune names.", short="-y")


Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="The folder, with what is below it.")]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, WatchOptions)(watch)


def watch(folder: Folder, *, options: WatchOptions) -> None:
    """Keep the corpus up with a folder.

    What is new is added, once it rests. A document whose file went stays and is asked only where it is
    named; it is back when the file is. Ctrl-C ends it.
    """
    from octavo.corpus.watching import WatchedFolder

    every = whole("--every", options.every, 5)
    if options.yes and not options.prune:
        raise UsageError("--yes removes what --prune names: give both")
    settings = load(options.given())
    with context.open_corpus(settings) as corpus:
        watched = WatchedFolder(corpus, folder)

        def add(paths: list[str]) -> AddReport:
            with progress.listener(quiet=not options.once) as listener:
                return context.add(corpus, paths, settings, options, listener)

        failed = _told(watched.look(add, settled=options.once or options.prune))
        if options.prune:
            _prune(corpus, watched, does=options.yes)
        elif options.once:
            raise typer.Exit(guard.FAILED if failed else 0)
        else:
            _keep_looking(watched, add, every)


def _keep_looking(watched: WatchedFolder, add: Callable[[list[str]], AddReport], every: int) -> None:
    terminal.note(f"octavo: watching {watched.folder}, looking every {every} s; Ctrl-C ends it")
    is_lost = False
    while True:
        time.sleep(every)
        try:
            _told(watched.look(add))
            is_lost = False
        except SourceError as error:
            if not is_lost:
                terminal.note(f"octavo: {terminal.one_line(str(error))}; waiting for it")
            is_lost = True


def _told(changes: FolderChanges) -> bool:
    """Say what a look did, a line for each file; return whether one could not be read."""
    report = changes.report
    for info in sorted(report.added, key=lambda one: one.path) if report else ():
        terminal.write(f"added {terminal.one_line(info.path)}")
    for copy in sorted(report.copies, key=lambda one: one.path) if report else ():
        terminal.write(_copy_told(copy))
    for failure in report.failed if report else ():
        terminal.note(f"octavo: {terminal.one_line(failure.message)}")
    for path in changes.hidden:
        terminal.write(f"gone {terminal.one_line(path)}: its document is hidden, and asked where it is named")
    for path in changes.back:
        terminal.write(f"back {terminal.one_line(path)}")
    terminal.flush()
    return bool(report and report.failed)


def _copy_told(copy: Copy) -> str:
    """Return a line for a file that has the bytes of another, which may have been this one before it moved."""
    if copy.is_moved:
        return f"moved {terminal.one_line(copy.path)} to {terminal.one_line(copy.of)}"
    if context.is_there(copy.of):
        return f"known {terminal.one_line(copy.path)}: a copy of {terminal.one_line(copy.of)}"
    return f"moved {terminal.one_line(copy.of)} to {terminal.one_line(copy.path)}"


def _prune(corpus: Corpus, watched: WatchedFolder, *, does: bool) -> None:
    gone = watched.gone()
    if not gone:
        terminal.write("no document is without its file")
    for document, path in gone:
        if does:
            corpus.remove(document)
        terminal.write(f"{'removed' if does else 'would be removed:'} {terminal.one_line(path)}")
    if gone and not does:
        terminal.note("octavo: nothing was removed; --prune --yes removes them")
