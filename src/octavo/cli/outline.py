"""`octavo outline`: the section tree of one document, and the layers it has. Its JSON is a contract others rely on."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from octavo.cli import context, terminal
from octavo.cli.declare import command, flag
from octavo.cli.options import CorpusOptions, JsonOption, ReadingOptions
from octavo.cli.settings import load

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.layers.rows import LayerCount


@dataclasses.dataclass(frozen=True, kw_only=True)
class OutlineOptions(JsonOption, ReadingOptions, CorpusOptions):
    """The options of `outline`."""

    blocks: bool = flag("--blocks", "Show every block, not the headings alone.")
    layers: bool = flag("--layers", "Show the layers that are stored, and who decided.")


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
        layers = _layers(corpus, info.id) if options.layers else None
    if options.json:
        from octavo.document.document import outline_json

        more = {} if layers is None else {"layers": [dataclasses.asdict(layer) for layer in layers]}
        terminal.write_json(outline_json(document, blocks=options.blocks) | more)
        return
    from octavo.cli.show.document import show_outline

    show_outline(terminal.console(), document, blocks=options.blocks)
    if layers is not None:
        from octavo.cli.show.document import show_counts

        show_counts(terminal.console(), layers)


def _layers(corpus: Corpus, identity: str) -> list[LayerCount]:
    from octavo.layers.rows import counted

    return counted(corpus.layers().get(identity, {}), corpus.view([identity]))
