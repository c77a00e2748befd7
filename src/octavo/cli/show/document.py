"""What a document holds, as drawn: its outline, and the rows of its layers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.text import Text

from octavo.cli.show.prose import MARK, paragraph, table_of
from octavo.cli.terminal import draw, one_line, prose_width, shorten
from octavo.document import Document, Kind, number_of
from octavo.layers.rows import STRUCTURE, ClusterRow, CommunityRow, EntityRow, LinkRow, Row, SummaryRow

if TYPE_CHECKING:
    from rich.console import Console

    from octavo.layers.rows import LayerCount

_PIPE_WIDTH = 80
"""Columns of a line where there is no terminal."""
_BLOCK = 100
"""Characters shown of a block."""
_NAME, _WORDS, _TEXT = 48, 40, 300
"""Characters shown of a name, of a block's words beside a link, and of a summary; JSON has all of them."""


def show_outline(screen: Console, document: Document, *, blocks: bool) -> None:
    """Print every section with the page it starts on, and every block under its section when asked for."""
    table = document.blocks
    labels = _labels(document)
    heading = f"{one_line(document.name)}: {number_of(len(document.pages), document.unit)}"
    paragraph(screen, Text.assemble((heading, "bold"), ("; printed page labels in brackets" if labels else "", "dim")))
    rows = range(len(table)) if blocks else table.headings().tolist()
    for row in rows:
        depth = len(table.ancestors(row))
        number = int(table.page[row])
        page = f"{number} ({one_line(labels[number - 1])})" if labels else str(number)
        _line(screen, _words(document, row, width=prose_width(screen)), page, indent=2 * depth)
    if not blocks and not len(table.headings()):
        paragraph(screen, "No headings were found; --blocks shows the text.")


def _labels(document: Document) -> list[str]:
    """Return the printed labels of all pages, none when they are nothing but the page numbers."""
    labels = list(document.pages.label) if document.has_pages else []
    return labels if any(label not in {"", str(number)} for number, label in enumerate(labels, 1)) else []


def _words(document: Document, row: int, *, width: int) -> Text:
    table = document.blocks
    kind = Kind(int(table.kind[row]))
    if kind == Kind.HEADING:
        return Text(one_line(table.text[row]))
    text = shorten(table.text[row], min(_BLOCK, width))
    return Text.assemble((f"{kind.label.replace('_', ' ')}: ", MARK), (text, "dim"))


def _line(screen: Console, words: Text, page: str, *, indent: int) -> None:
    """Print a line that ends with its page at the right, dots between; long words are cut on a terminal only."""
    width = prose_width(screen) if screen.is_terminal else _PIPE_WIDTH
    room = width - indent - len(page) - 2
    if screen.is_terminal and words.cell_len > room - 3:
        words = Text(shorten(words.plain, max(room - 3, 10)))
    dots = "." * max(room - words.cell_len, 2)
    line = Text.assemble(" " * indent, words, " ", (dots, "dim"), " ", page, no_wrap=True, overflow="ignore")
    draw(screen, line)


def show_rows(screen: Console, name: str, rows: Sequence[Row], limit: int) -> None:
    """Print at most `limit` rows of a layer, and how many there are; 0 prints all.

    Links that the order of blocks says already are not shown, and counted apart.
    """
    shown = [row for row in rows if not isinstance(row, LinkRow) or row.kind not in STRUCTURE]
    paragraph(screen, Text(_counted(name, shown), "bold"))
    chosen = shown[:limit] if limit else shown
    for kind, group in groupby(chosen, type):
        _LOOKS[kind](screen, list(group))
    if len(chosen) < len(shown):
        paragraph(screen, Text(f"{len(chosen):,} of {len(shown):,} are shown; --limit 0 shows all", "dim"))
    if order := len(rows) - len(shown):
        paragraph(screen, Text(f"{order:,} more only say what follows or holds what; --json has them", "dim"))


def show_counts(screen: Console, layers: Sequence[LayerCount]) -> None:
    """Print a line for each layer that is stored."""
    table = table_of("layer", "decided by", "holds")
    for one in layers:
        holds = "" if one.rows is None else f"{one.rows:,} {one.what}"
        table.add_row(*map(Text, (one.layer, one.by, holds)))
    draw(screen, Text(), table)


def _counted(name: str, rows: Sequence[Row]) -> str:
    """Return how many rows there are, links and summaries by their kinds."""
    kinds = Counter(row.kind if isinstance(row, LinkRow) else row.of for row in rows if isinstance(row, _SORTED))
    told = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in kinds.most_common())
    whole = number_of(len(rows), _NOUNS[name])
    return f"{whole}: {told}" if told else whole


_SORTED = (LinkRow, SummaryRow)
_NOUNS = {
    "entities": "entity",
    "links": "link",
    "summaries": "summary",
    "clusters": "cluster",
    "communities": "community",
}


def _entities(screen: Console, rows: Sequence[EntityRow]) -> None:
    table = table_of("entity", "type", "mentions", "relations", "pages", "also called", right=("mentions", "relations"))
    for row in rows:
        others = shorten(", ".join(row.aliases[:3]), _NAME)
        counts = (f"{row.mentions:,}", f"{row.relations:,}")
        table.add_row(*map(Text, (shorten(row.name, _NAME), one_line(row.type), *counts, pages_of(row.pages), others)))
    draw(screen, table)


def _links(screen: Console, rows: Sequence[LinkRow]) -> None:
    table = table_of("pages", "from", "link", "to", "words")
    for row in rows:
        pages = "-".join(map(str, row.pages)) if len(row.pages) < 3 else pages_of(row.pages)
        ends = (shorten(row.source_text, _WORDS), row.kind.replace("_", " "), shorten(row.target_text, _WORDS))
        table.add_row(*map(Text, (pages, *ends, shorten(row.words, _WORDS))))
    draw(screen, table)


def _summaries(screen: Console, rows: Sequence[SummaryRow]) -> None:
    for row in rows:
        place = row.place if row.of == "page" else f"{row.place} ({_named(row.pages)})"
        _entry(screen, one_line(place), row.text)


def _clusters(screen: Console, rows: Sequence[ClusterRow]) -> None:
    for row in rows:
        counts = f"level {row.level}, {row.leaves:,} leaves, {_named(row.pages)}"
        _entry(screen, " ".join(filter(None, (row.id, one_line(row.heading), f"({counts})"))), row.text)


def _communities(screen: Console, rows: Sequence[CommunityRow]) -> None:
    for row in rows:
        counts = f"{number_of(row.blocks, 'block')}, {_named(row.pages)}"
        titles = shorten("; ".join(row.headings[:3]), 2 * _NAME)
        _entry(screen, " ".join(filter(None, (row.id, titles, f"({counts})"))), row.text)


def _entry(screen: Console, head: str, text: str) -> None:
    paragraph(screen, Text(head, "bold"))
    paragraph(screen, shorten(text, _TEXT), indent=4)


_LOOKS: Mapping[type[Row], Callable[[Console, Sequence[Any]], None]] = {
    EntityRow: _entities,
    LinkRow: _links,
    SummaryRow: _summaries,
    ClusterRow: _clusters,
    CommunityRow: _communities,
}


def _named(pages: Sequence[int]) -> str:
    return f"{'page' if len(pages) == 1 else 'pages'} {pages_of(pages)}"


def pages_of(pages: Sequence[int], most: int = 6) -> str:
    """Return pages as a reader writes them, runs joined: "1-3, 7, 9"; after `most` runs the number of the rest."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    named = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs[:most]]
    more = sum(len(run) for run in runs[most:])
    return ", ".join(named) + (f" and {more} more" if more else "")
