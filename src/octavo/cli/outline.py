"""`octavo outline`: the section tree of one document.

Owns which document is meant. Knows nothing about how sections are found.
"""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from octavo.cli import context, terminal
from octavo.cli.declare import command
from octavo.cli.options import CorpusOptions, JsonOption, ReadingOptions
from octavo.cli.settings import load


@dataclasses.dataclass(frozen=True, kw_only=True)
class OutlineOptions(JsonOption, ReadingOptions, CorpusOptions):
    """The options of `outline`."""

    blocks: Annotated[bool, typer.Option("--blocks", help="Show every block, not the headings alone.")] = False


File = Annotated[str, typer.Argument(metavar="FILE", help="A file, or the name or id of a document in the corpus.")]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, OutlineOptions)(outline)


def outline(file: File, *, options: OutlineOptions) -> None:
    """Show the sections of a document with their pages."""
    chosen = load(options.given())
    with context.open_corpus(chosen) as corpus:
        info = context.document_of(corpus, file, chosen, options)
        document = corpus.document(info.id)
    if options.json:
        from octavo.cli.outline_json import outline_json

        terminal.write_json(outline_json(document, blocks=options.blocks))
        return
    from octavo.cli.show.outline import show_outline

    show_outline(terminal.console(), document, blocks=options.blocks)
