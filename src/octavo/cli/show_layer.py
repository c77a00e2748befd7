"""`octavo show --entities` and its like: a look into what indexing added to a document."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from octavo.cli import progress, terminal
from octavo.cli.declare import flag, text
from octavo.cli.options import JsonOption
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.store import DocumentInfo
    from octavo.document import View
    from octavo.layers.rows import Row

_ROWS = 50
"""Rows shown where --limit does not say."""


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


def show_layer(corpus: Corpus, info: DocumentInfo, name: str, options: LayerOptions, page: int | None) -> None:
    """Write a layer of a document, built by rule when it is missing: as a table, JSON, DOT or GraphML."""
    from octavo.layers.rows import LAYERS, on_page

    limit = options.rows()
    if options.dot or options.graphml:
        _check_graph(name, page, limit)
    corpus.watch = lambda: progress.listener(quiet=options.json)
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
    from octavo.cli.layer_graphs import GRAPHS

    if name not in GRAPHS:
        raise UsageError(f"--{name} are no graph; --dot and --graphml go with --{', --'.join(GRAPHS)}")
    if page is not None or limit is not None:
        raise UsageError("a graph is written whole: leave --page and --limit out")


def _write_graph(name: str, view: View, *, is_dot: bool) -> None:
    from octavo.cli import layer_graphs

    terminal.as_utf8(sys.stdout)
    for line in (layer_graphs.dot if is_dot else layer_graphs.graphml)(layer_graphs.GRAPHS[name](view)):
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
