"""`octavo outline`: the section tree of one document, and the layers it has. Its JSON is a contract others rely on."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

import typer

from octavo.cli import context, terminal
from octavo.cli.declare import command
from octavo.cli.options import CorpusOptions, JsonOption, ReadingOptions
from octavo.cli.settings import load

if TYPE_CHECKING:
    from octavo.cli.layer_rows import LayerCount
    from octavo.corpus import Corpus
    from octavo.document import Document


@dataclasses.dataclass(frozen=True, kw_only=True)
class OutlineOptions(JsonOption, ReadingOptions, CorpusOptions):
    """The options of `outline`."""

    blocks: Annotated[bool, typer.Option("--blocks", help="Show every block, not the headings alone.")] = False
    layers: Annotated[bool, typer.Option("--layers", help="Show the layers that are stored, and who decided.")] = False


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
        more = {} if layers is None else {"layers": [dataclasses.asdict(layer) for layer in layers]}
        terminal.write_json(outline_json(document, blocks=options.blocks) | more)
        return
    from octavo.cli.show.outline import show_outline

    show_outline(terminal.console(), document, blocks=options.blocks)
    if layers is not None:
        from octavo.cli.show.layers import show_counts

        show_counts(terminal.console(), layers)


def _layers(corpus: Corpus, identity: str) -> list[LayerCount]:
    from octavo.cli.layer_rows import counted

    return counted(corpus.layers().get(identity, {}), corpus.view([identity]))


def outline_json(document: Document, *, blocks: bool) -> dict[str, Any]:
    """Return the object that `octavo outline --json` prints."""
    value: dict[str, Any] = {
        "document": document.name,
        "document_id": document.id,
        "pages": len(document.pages),
        "sections": _sections(document),
    }
    if blocks:
        value["blocks"] = [_block(document, row) for row in range(len(document.blocks))]
    return value


def _sections(document: Document) -> list[dict[str, Any]]:
    table, top = document.blocks, list[dict[str, Any]]()
    nodes: dict[int, dict[str, Any]] = {}
    for row in table.headings().tolist():
        nodes[row] = {
            "title": table.text[row],
            "level": int(table.level[row]),
            "page": int(table.page[row]),
            "page_label": document.pages.label[int(table.page[row]) - 1],
            "end_page": int(table.page[int(table.end[row]) - 1]),
            "block": f"b{row}",
            "sections": [],
        }
        parent = int(table.parent[row])
        (nodes[parent]["sections"] if parent >= 0 else top).append(nodes[row])
    return top


def _block(document: Document, row: int) -> dict[str, Any]:
    from octavo.document import FigureKind, Kind

    table = document.blocks
    page = int(table.page[row])
    return {
        "block": f"b{row}",
        "kind": Kind(int(table.kind[row])).label,
        "figure": FigureKind(int(table.figure[row])).label or None,
        "page": page,
        "page_label": document.pages.label[page - 1],
        "box": [round(float(value), 1) for value in table.box[row]],
        "level": int(table.level[row]),
        "section": list(table.section_path(row)),
        "text": table.text[row],
        "confidence": round(float(table.confidence[row]), 3),
    }
