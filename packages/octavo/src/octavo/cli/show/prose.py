"""Wrapped and indented text, plain tables, and the words that places, passages, numbers and times are told with."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from octavo.cli.terminal import draw, one_line, plain, prose_width, shorten
from octavo.evidence import Citation, Evidence, Passage
from octavo.evidence.own_words import page_told
from octavo_documents.wording import t

if TYPE_CHECKING:
    from rich.console import Console

SECTION_SEPARATOR = " > "
_TITLE = 60
"""Characters of a section's title that are shown in its path; JSON has all of them."""
MARK = "cyan"
"""The style of numbers and labels. What they stand for keeps the terminal's own colour: cyan is faint on white."""
EMPHASIS = "bold underline"
"""The style of the words in a text that fit a question; an answer is bold alone."""
QUOTE_LENGTH = 280
"""Characters of a quote that are shown; JSON has all of them."""
_BEST = 5
"""Pages named of all that were read."""
_WHOLE = 3
"""Lines of a passage that is shown whole where it is shown briefly."""
_HANGING = 2
"""Columns that the rest of a table row or list item stands further in than its start."""


def paragraph(screen: Console, text: Text | str, *, indent: int = 0, hanging: int = 0) -> None:
    """Print text wrapped between words at the width of prose, every line indented, all but the first by more."""
    body = Text(text) if isinstance(text, str) else text
    width = max(prose_width(screen) - indent - hanging, 20)
    for at, line in enumerate(body.wrap(screen, width) or [Text()]):
        line.rstrip()
        margin = " " * (indent + (hanging if at else 0))
        draw(screen, Text.assemble(margin, line, no_wrap=True, overflow="ignore"))


def pairs(rows: Sequence[tuple[str, str]]) -> Table:
    """Return a table of names and what they stand for."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(Text(t(name)), Text(value))
    return table


def table_of(*names: str, right: Sequence[str] = ()) -> Table:
    """Return an empty table of these columns, those of `right` numbers; an id is never broken over two lines."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for name in names:
        table.add_column(t(name), justify="right" if name in right else "left", overflow="fold", no_wrap=name == "id")
    return table


def page_name(page: int, label: str) -> str:
    """Return what a page is called (`octavo.evidence.own_words.page_told`) on one line."""
    return page_told(page, one_line(label))


def section_name(titles: Iterable[str]) -> str:
    """Return the path of sections as one line, outermost first; titles that are whole sentences are cut."""
    return SECTION_SEPARATOR.join(shorten(title, _TITLE) for title in titles)


def size_of(count: int) -> str:
    """Return bytes in the unit people read: "980 B", "1.4 MB"."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def seconds_of(seconds: float) -> str:
    """Return seconds as "<1 ms", "12 ms", "4.2 s" or "3 min 5 s"."""
    if seconds < 0.001:
        return "<1 ms"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 120:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def rate_of(count: int, seconds: float, nouns: str) -> str:
    """Return " (12 pages/s)", a space before it; "" for less than one a second."""
    rate = count / seconds if seconds > 0 else 0.0
    return f" ({pace(rate)} {nouns}/s)" if rate >= 1 else ""


def pace(rate: float) -> str:
    """Return a rate in as many figures as tell it: "1,500", "12", "1.2", "0.2"."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"


def in_one_part(evidence: Evidence) -> frozenset[str]:
    """Return the ids of documents of flowing text that are one part: their name says where."""
    documents = evidence.view.documents
    return frozenset(one.id for one in documents if len(one.pages) == 1 and one.pages.label[0] == "part 1")


def name_of(place: Passage | Citation, whole: Container[str]) -> str:
    """Return "report.pdf, page 12 (printed “10”)" or "costs.xlsx, sheet Q1, cells B4:D9".

    Of a document whose id is in `whole` the page is not named.
    """
    page = "" if place.document_id in whole else page_name(place.page, place.page_label)
    return ", ".join(filter(None, (one_line(place.document), page, place.cells_told)))


def show_place(
    screen: Console, number: int, place: Passage | Citation, whole: Container[str], *, brief: bool = False
) -> None:
    """Print a numbered passage in full, or a citation with its quote; `brief`: a passage cut to the length of one."""
    mark = f"[{number}] "
    kind = "" if place.kind == "paragraph" else f", {kind_name(place)}"
    paragraph(screen, Text.assemble((mark, MARK), name_of(place, whole), (kind, "dim")))
    if place.section:
        paragraph(screen, Text(section_name(place.section), style="dim"), indent=len(mark))
    if isinstance(place, Passage) and brief:
        for line in _brief_lines(place):
            paragraph(screen, line, indent=len(mark), hanging=_HANGING)
    elif isinstance(place, Passage):
        show_text(screen, place, indent=len(mark))
    elif place.quote:
        paragraph(screen, f"“{shorten(place.quote, QUOTE_LENGTH)}”", indent=len(mark))


def _brief_lines(passage: Passage) -> list[str]:
    """Return the lines of a passage that matter, each cut short; of a longer one its first two and those emphasised.

    "…" stands wherever lines were left out.
    """
    lines, at = list[tuple[str, bool]](), 0
    for line in passage.text.split("\n"):
        stop = at + len(line)
        lines.append((line, any(start < stop and at < end for start, end in passage.emphasis)))
        at = stop + 1
    head = len(lines) if len(lines) <= _WHOLE else 2
    marked = [at for at in range(head, len(lines)) if lines[at][1]][: _WHOLE - 1]
    told, last = list[str](), -1
    for at in [*range(head), *marked, len(lines)]:
        if at > last + 1 and (not told or told[-1] != "…"):
            told.append("…")
        if at < len(lines):
            told.append(shorten(lines[at][0], QUOTE_LENGTH))
        last = at
    return told


def kind_name(place: Passage | Citation) -> str:
    """Return "list item"."""
    return t(place.kind.replace("_", " "))


def show_text(screen: Console, passage: Passage, *, indent: int) -> None:
    """Print the text of a passage in its own lines, the words that matter emphasised."""
    text = Text(plain(passage.text))  # as long as the text itself, so that the places of the emphasis hold
    for start, stop in passage.emphasis:
        text.stylize(EMPHASIS, start, stop)
    lines = text.split("\n")
    for line in lines:
        paragraph(screen, line, indent=indent, hanging=_HANGING if len(lines) > 1 else 0)


def best_pages(evidence: Evidence, by: str) -> Sequence[str]:
    """Return the few best pages, those of one document together: "report.pdf 12, 14"."""
    pages: dict[int, list[int]] = {}
    for hit in evidence.pages(by)[:_BEST]:
        pages.setdefault(hit.document, []).append(hit.page)
    view, whole = evidence.view, in_one_part(evidence)
    return [
        one_line(view.names[at]) + ("" if view.documents[at].id in whole else f" {', '.join(map(str, numbers))}")
        for at, numbers in pages.items()
    ]
