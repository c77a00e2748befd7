"""What the cells of a table of answers say, and where they stand: the same in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from octavo.exports.bundle import one_line
from octavo_documents.document import page_name

if TYPE_CHECKING:
    from octavo.corpus.tables.cell import AnswerCellShape
    from octavo.evidence.answer_shapes import PlaceShape

_LONGEST = 200
"""Characters of the nearest words."""
NOT_STATED = "not stated"
"""What stands in a cell where the document does not answer the question."""


def shown_text(cell: AnswerCellShape | None) -> str:
    """Return what a cell of a sheet says: the answer, that there is none, or the pages to choose from and the nearest
    words on them.
    """
    if cell is None:
        return ""
    if cell["outcome"] == "answer":
        return cell["text"]
    if cell["outcome"] == "nothing":
        return NOT_STATED
    pages = dict.fromkeys(page_of_place(one) for one in cell["passages"])
    return f"(to choose: {', '.join(pages)}) {nearest_words(cell)}".rstrip()


def nearest_words(cell: AnswerCellShape) -> str:
    """Return what fits best in the first passage to choose from, on one line; "" where there is none."""
    for passage in cell["passages"][:1]:
        start, stop = next(iter(passage["emphasis"]), (0, len(passage["text"])))
        line = one_line(passage["text"][start:stop])
        return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}…"
    return ""


def place_of(cell: AnswerCellShape | None) -> PlaceShape | None:
    """Return where a cell's answer stands, or the first passage to choose from; None where there is nothing.

    What a person put there stands on no passage that was only read.
    """
    if cell is None or cell["outcome"] == "nothing":
        return None
    places = [*cell["citations"], *(cell["passages"] if cell["by"] != "hand" else ())]
    return places[0] if places else None


def quote_of(cell: AnswerCellShape | None) -> str:
    """Return the words an answer stands on, or those of the passages to choose from, on one line."""
    if cell is None or cell["outcome"] == "nothing":
        return ""
    choice = [one["text"] for one in cell["passages"]] if cell["outcome"] == "passages" else []
    return " … ".join(one_line(words) for words in [one["quote"] for one in cell["citations"]] or choice)


def page_of(cell: AnswerCellShape | None) -> str:
    """Return the page that a cell stands on, as people call it."""
    place = place_of(cell)
    return "" if place is None else page_of_place(place)


def link_of(cell: AnswerCellShape | None, base: str) -> str:
    """Return the address at which a server shows where a cell stands, "" without a server."""
    place = place_of(cell)
    identity = "" if place is None else str(place.get("id", ""))
    return f"{base.rstrip('/')}/c/{identity}" if base and identity else ""


def page_of_place(place: PlaceShape) -> str:
    """Return a place's page as people call it."""
    return page_name(place["page"], one_line(place["page_label"]))
