"""`octavo list` and `octavo remove`: what is indexed, and taking it out again.

Owns the question asked before something is removed. Knows nothing about how documents are kept.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Annotated

import typer

from octavo.cli import context, guard, terminal
from octavo.cli.declare import command
from octavo.cli.options import CorpusOptions, JsonOption
from octavo.cli.settings import load


@dataclasses.dataclass(frozen=True, kw_only=True)
class ListOptions(JsonOption, CorpusOptions):
    """The options of `list`."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class RemoveOptions(JsonOption, CorpusOptions):
    """The options of `remove`."""

    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False


References = Annotated[
    list[str], typer.Argument(metavar="ID...", help="Ids (or how they begin), names or paths of documents.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    command(app, ListOptions, name="list")(show_list)
    command(app, RemoveOptions)(remove)


def show_list(*, options: ListOptions) -> None:
    """List the documents in the corpus."""
    with context.open_corpus(load(options.given())) as corpus:
        documents, folder = corpus.list(), corpus.path
        layers = corpus.layers() if options.json else {}
    if options.json:
        rows = [{**dataclasses.asdict(info), "layers": layers.get(info.id, {})} for info in documents]
        terminal.write_json({"documents": rows})
        return
    from octavo.cli.show.corpus import show_documents

    show_documents(terminal.console(), documents, folder=folder)


def remove(ids: References, *, options: RemoveOptions) -> None:
    """Take documents out of the corpus.

    The files themselves stay where they are. On a terminal it asks first.
    """
    with context.open_corpus(load(options.given())) as corpus:
        chosen = {info.id: info for info in map(corpus.resolve, ids)}
        names = ", ".join(terminal.one_line(info.name) for info in chosen.values())
        if not options.yes and sys.stdin.isatty() and not _confirm(names):
            terminal.note("octavo: nothing was removed")
            raise typer.Exit(guard.FAILED)
        removed = corpus.remove(*chosen)
    if options.json:
        terminal.write_json({"removed": [dataclasses.asdict(info) for info in removed]})
        return
    for info in removed:
        terminal.write(f"removed {terminal.one_line(info.name)} ({info.id[:19]})")


def _confirm(names: str) -> bool:
    sys.stderr.write(f"Remove {names} from the corpus? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
