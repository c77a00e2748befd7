"""`octavo show`: a page as a picture, with what was found on it drawn over it when asked for, or a layer."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from octavo.cli import context, terminal
from octavo.cli.declare import command, flag, text
from octavo.cli.options import CorpusOptions, ReadingOptions
from octavo.cli.settings import load
from octavo.cli.show_layer import LayerOptions, show_layer
from octavo.errors import OctavoError, UsageError

if TYPE_CHECKING:
    from octavo.document import Document

_DPI = 110.0
"""Dots per inch of a picture where --dpi does not say: a page of A4 is 900 pixels wide."""
_COARSEST, _FINEST = 20.0, 1200.0
"""Dots per inch that --dpi may ask for."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ShowOptions(LayerOptions, ReadingOptions, CorpusOptions):
    """The options of `show`."""

    page: str | None = text("--page", "N", "Page to draw: its number in the file, from 1. [default: 1; of a layer all]")
    layout: bool = flag("--layout", "Draw blocks, reading order, kinds, table cells and links over it.")
    out: str | None = text("--out", "PNG", "File to write. [default: the document's name and page]")
    dpi: str | None = text("--dpi", "D", "Dots per inch. [default: 110]")


File = Annotated[str, typer.Argument(metavar="FILE", help="A file, or the name or id of a document in the corpus.")]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, ShowOptions)(show)


def show(file: File, *, options: ShowOptions) -> None:
    """Draw a page as a picture, or print what a layer holds."""
    page, dpi, layer = _whole("--page", options.page or "1"), _dpi(options.dpi), options.layer()
    if layer and (options.layout or options.out or options.dpi):
        raise UsageError(f"--layout, --out and --dpi are about pages, not --{layer}")
    chosen = load({**options.given(), "limit": None})
    with context.open_corpus(chosen) as corpus:
        info = context.document_of(corpus, file, chosen, options)
        document = corpus.document(info.id)
        _check(document, page)
        if not layer and not document.has_pages:
            raise UsageError(f"{document.name} has no pages to draw: 'octavo outline FILE --blocks' shows its text")
        if layer:
            show_layer(corpus, info, layer, options, page if options.page else None)
            return
        raster = corpus.render(info.id, page, dpi=dpi, password=options.password or os.environ.get("OCTAVO_PASSWORD"))
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
