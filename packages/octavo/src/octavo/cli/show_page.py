"""`octavo outline` and `octavo show`: the section tree of a document, a page as a picture, what indexing added.

On a page is drawn what was found there, when asked for. The JSON of an outline is a contract others rely on.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from octavo.cli import context, terminal
from octavo.cli.options import CorpusOptions, JsonOption, ReadingOptions, command, flag, text
from octavo.cli.settings import load
from octavo.errors import OctavoError, UsageError

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.store import DocumentInfo
    from octavo.evidence import View
    from octavo.layers.rows import LayerCount, Row
    from octavo_documents.document import Document


_DPI = 110.0
"""Dots per inch of a picture where --dpi does not say: a page of A4 is 900 pixels wide."""
_COARSEST, _FINEST = 20.0, 1200.0
"""Dots per inch that --dpi may ask for."""
_ROWS = 50
"""Rows shown where --limit does not say."""

File = Annotated[str, typer.Argument(metavar="FILE", help="A file, or the name or id of a document in the corpus.")]


@dataclasses.dataclass(frozen=True, kw_only=True)
class OutlineOptions(JsonOption, ReadingOptions, CorpusOptions):
    """The options of `outline`."""

    blocks: bool = flag("--blocks", "Show every block, not the headings alone.")
    layers: bool = flag("--layers", "Show the layers that are stored, and who decided.")


def outline(file: File, *, options: OutlineOptions) -> None:
    """Show the sections of a document with their pages."""
    chosen = load(options.given())
    with context.open_corpus(chosen) as corpus:
        info = context.document_of(corpus, file, chosen, options)
        document = context.document(corpus, info)
        layers = _layers(corpus, info.id) if options.layers else None
    if options.json:
        from octavo_documents.document.document import outline_json

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


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayerOptions(JsonOption):
    """Which layer is shown instead of a page, and how."""

    entities: bool = flag("--entities", "Show entities instead of a page.")
    links: bool = flag("--links", "Show links between blocks.")
    summaries: bool = flag("--summaries", "Show summaries of sections, pages, elements.")
    clusters: bool = flag("--clusters", "Show the clusters of the cross-page tree.")
    communities: bool = flag("--communities", "Show which blocks belong together.")
    limit: str | None = text("--limit", "N", "Rows to show, 0 for all. [default: 50; all in JSON]")
    dot: bool = flag("--dot", "Write the layer as a graph in DOT, for Graphviz.")
    graphml: bool = flag("--graphml", "Write it in GraphML, for Gephi, yEd or networkx.")

    def layer(self) -> str | None:
        """Return the layer that is asked for, None when a page is. Raises UsageError for several."""
        names = [name for name in ("entities", "links", "summaries", "clusters", "communities") if getattr(self, name)]
        if len(names) > 1:
            raise UsageError(f"--{names[0]} and --{names[1]}: one layer is shown at a time")
        forms = [f"--{name}" for name in ("json", "dot", "graphml", "limit") if getattr(self, name)]
        if not names and forms:
            raise UsageError(f"{forms[0]} goes with --entities, --links, --summaries, --clusters or --communities")
        if len(set(forms) - {"--limit"}) > 1:
            raise UsageError(f"{forms[0]} and {forms[1]}: choose one form")
        return names[0] if names else None

    def rows(self) -> int | None:
        """Return how many rows are asked for, 0 for all; None when it was not said. Raises UsageError."""
        if self.limit is None:
            return None
        if not self.limit.isdecimal():
            raise UsageError(f"--limit is a whole number, 0 for all, not {self.limit!r}")
        return int(self.limit)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShowOptions(LayerOptions, ReadingOptions, CorpusOptions):
    """The options of `show`."""

    page: str | None = text("--page", "N", "Page to draw: its number in the file, from 1. [default: 1; of a layer all]")
    layout: bool = flag("--layout", "Draw blocks, reading order, kinds, table cells and links over it.")
    out: str | None = text("--out", "PNG", "File to write. [default: the document's name and page]")
    dpi: str | None = text("--dpi", "D", "Dots per inch. [default: 110]")


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    command(app, OutlineOptions)(outline)
    command(app, ShowOptions)(show)


def show(file: File, *, options: ShowOptions) -> None:
    """Draw a page as a picture, or print what a layer holds."""
    page, dpi, layer = _whole("--page", options.page or "1"), _dpi(options.dpi), options.layer()
    if layer and (options.layout or options.out or options.dpi):
        raise UsageError(f"--layout, --out and --dpi are about pages, not --{layer}")
    chosen = load({**options.given(), "limit": None})
    with context.open_corpus(chosen, is_quiet=options.json) as corpus:
        info = context.document_of(corpus, file, chosen, options)
        document = context.document(corpus, info)
        _check(document, page)
        if not layer and not document.is_drawn(page):
            what = f"no picture of page {page}" if document.pages.width.any() else "no pages to draw"
            raise UsageError(f"{document.name} has {what}: 'octavo outline FILE --blocks' shows its text")
        if layer:
            show_layer(corpus, info, layer, options, page if options.page else None)
            return
        raster = corpus.render(info.id, page, dpi=dpi, password=options.password)
    from octavo.cli import drawing

    data = drawing.png(drawing.drawn(raster, document, page) if options.layout else raster)
    path = Path(options.out) if options.out else Path(f"{Path(document.name).stem}-{page}.png")
    _write(path, data)
    terminal.write(terminal.one_line(str(path)))


def _check(document: Document, page: int) -> None:
    count = len(document.pages)
    if not 1 <= page <= count:
        raise UsageError(f"--page {page}: {terminal.one_line(document.name)} has pages 1 to {count}")


def _whole(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"{option} is a whole number, not {text!r}") from None


def _dpi(text: str | None) -> float:
    try:
        dpi = float(text) if text else _DPI
    except ValueError:
        raise UsageError(f"--dpi is a number, not {text!r}") from None
    if not _COARSEST <= dpi <= _FINEST:
        raise UsageError(f"--dpi is {_COARSEST:.0f} to {_FINEST:.0f}, not {text}")
    return dpi


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OctavoError(f"{path} cannot be written: {error.strerror}; name another file with --out") from error


def show_layer(corpus: Corpus, info: DocumentInfo, name: str, options: LayerOptions, page: int | None) -> None:
    """Write a layer of a document, built by rule when it is missing: as a table, JSON, DOT or GraphML."""
    from octavo.layers.rows import LAYERS, on_page

    limit = options.rows()
    if options.dot or options.graphml:
        _check_graph(name, page, limit)
    view = corpus.view([info.id], layers=LAYERS[name].layers)
    if options.dot or options.graphml:
        _write_graph(name, view, is_dot=options.dot)
        return
    rows = on_page(LAYERS[name].rows(view), page)
    if options.json:
        terminal.write_json(_json(corpus, info, name, rows[: limit or None]))
        return
    from octavo.cli.show.document import show_rows

    show_rows(terminal.console(), name, rows, _ROWS if limit is None else limit)


def _check_graph(name: str, page: int | None, limit: int | None) -> None:
    from octavo.cli.show.document import GRAPHS

    if name not in GRAPHS:
        raise UsageError(f"--{name} are no graph; --dot and --graphml go with --{', --'.join(GRAPHS)}")
    if page is not None or limit is not None:
        raise UsageError("a graph is written whole: leave --page and --limit out")


def _write_graph(name: str, view: View, *, is_dot: bool) -> None:
    from octavo.cli.show import document

    terminal.as_utf8(sys.stdout)
    for line in (document.dot if is_dot else document.graphml)(document.GRAPHS[name](view)):
        terminal.write(line)


def _json(corpus: Corpus, info: DocumentInfo, name: str, rows: Sequence[Row]) -> dict[str, Any]:
    from octavo.layers.rows import LAYERS

    built = corpus.layers().get(info.id, {})
    by = {layer: built[layer] for layer in sorted(LAYERS[name].layers) if layer in built}
    return {
        "document": info.name,
        "document_id": info.id,
        "layers": by,
        name: [dataclasses.asdict(row) for row in rows],
    }
