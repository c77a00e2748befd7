"""What the API returns of a text that is looked for as it is typed, as types (see `responses.py`)."""

from __future__ import annotations

from typing_extensions import TypedDict

from octavo_server.responses import CitationShape


class OccurrenceShape(CitationShape):
    """A place where a text stands: `quote` are its words, `snippet` is what is around them, `emphasis` [start, stop) of
    the words in it.
    """

    snippet: str
    emphasis: list[tuple[int, int]]


class DocumentFindsShape(TypedDict):
    """What a document has of a text: where its title and name have it, how many places, and those of them asked for.
    `next` is the cursor of the places that follow.
    """

    document: str
    document_id: str
    title: str
    in_title: list[tuple[int, int]]
    in_name: list[tuple[int, int]]
    total: int
    places: list[OccurrenceShape]
    next: str | None


class FindsShape(TypedDict):
    """Documents that have a text: those first whose title or name has it, then those that have it most often. `found`
    counts these documents, `total` the places in all; `searched` were looked through, all there are if `is_complete`.
    """

    text: str
    documents: list[DocumentFindsShape]
    found: int
    total: int
    searched: int
    is_complete: bool
