"""A place in a document on the terminal, a passage or a citation: where it is, and what stands there."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from octavo.cli.show.prose import EMPHASIS, MARK, QUOTE_LENGTH, page_name, paragraph, section_name
from octavo.cli.terminal import one_line, plain, shorten
from octavo.document import Citation, Evidence, Passage

if TYPE_CHECKING:
    from rich.console import Console

_BEST = 5
"""Pages named of all that were read."""
_WHOLE = 3
"""Lines of a passage that is shown whole where it is shown briefly."""
_HANGING = 2
"""Columns that the rest of a table row or list item stands further in than its start."""


def in_one_part(evidence: Evidence) -> frozenset[str]:
    """Return the ids of documents of flowing text that are one part: their name says where."""
    documents = evidence.view.documents
    return frozenset(one.id for one in documents if len(one.pages) == 1 and one.pages.label[0] == "part 1")


def name_of(place: Passage | Citation, whole: Container[str]) -> str:
    """Return "report.pdf, page 12 (printed “10”)" or "costs.xlsx, sheet Q1, cells B4:D9".

    Of a document whose id is in `whole` the page is not named.
    """
    page = "" if place.document_id in whole else page_name(place.page, place.page_label)
    return ", ".join(filter(None, (one_line(place.document), page, f"cells {place.cells}" if place.cells else "")))


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
    """Return the lines of a passage that matter, each cut short; of a longer one its first two and those emphasised."""
    lines, at = list[tuple[str, bool]](), 0
    for line in passage.text.split("\n"):
        stop = at + len(line)
        lines.append((line, any(start < stop and at < end for start, end in passage.emphasis)))
        at = stop + 1
    head = len(lines) if len(lines) <= _WHOLE else 2
    marked = [line for line, is_marked in lines[head:] if is_marked][: _WHOLE - 1]
    shown = [line for line, _ in lines[:head]] + marked
    return [shorten(line, QUOTE_LENGTH) for line in shown] + (["…"] if len(shown) < len(lines) else [])


def kind_name(place: Passage | Citation) -> str:
    """Return "list item"."""
    return place.kind.replace("_", " ")


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
    documents, whole = evidence.view.documents, in_one_part(evidence)
    return [
        one_line(documents[at].name) + ("" if documents[at].id in whole else f" {', '.join(map(str, numbers))}")
        for at, numbers in pages.items()
    ]
