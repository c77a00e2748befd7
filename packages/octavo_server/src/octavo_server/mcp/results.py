"""What tools give, as models that make their output schemas. What documents say in them is `Said`, never text."""

from __future__ import annotations

from pydantic import BaseModel, Field

from octavo.evidence.answer_shapes import OutcomeName
from octavo.evidence.citation_ids import State
from octavo.evidence.places import Found
from octavo_server.mcp.fencing import NOTICE, Said
from octavo_server.mcp.tool import Result


class Words(Result):
    """Base of results that hold words of documents; they are the values that `NOTICE` is about."""

    notice: str = NOTICE


class Place(BaseModel):
    """Where something stands. `id` names it for get_citation, read and show_page; `link` opens it for a person."""

    id: str
    link: str = ""
    document: Said
    document_id: str
    page: int = Field(description="Physical page, from 1.")
    page_label: Said = Said("")
    section: list[Said] = Field(default_factory=list[Said])
    kind: str = ""


class Listed(BaseModel):
    """A document in a list."""

    id: str
    name: Said
    title: Said = Said("")
    issuer: Said = Said("")
    kind: Said = Said("")
    period: Said = Field(Said(""), description="What it reports on, else its date.")
    pages: int
    has_pages: bool = Field(description="Whether show_page can draw it.")
    sections: int
    link: str = ""


class DocumentList(Words):
    """What `list_documents` gives."""

    documents: list[Listed]
    total: int
    has_more: bool
    cursor: str | None = None


class Section(BaseModel):
    """A section of a document."""

    block: str = Field(description="Names the section for read and get_outline.")
    level: int
    title: Said
    page: int
    end_page: int
    subsections: int


class Outline(Words):
    """What `get_outline` gives."""

    document: Said
    document_id: str
    pages: int
    sections: list[Section]
    has_more: bool
    cursor: str | None = None


class Hit(Place):
    """A passage that fits."""

    text: Said
    score: float


class Hits(Words):
    """What `search` gives."""

    passages: list[Hit]
    pages: list[PageHit]
    preferred: Said = Field(Said(""), description="Ids of the documents that were looked into first, and for what.")
    has_more: bool


class PageHit(BaseModel):
    """A page that fits."""

    document: Said
    document_id: str = ""
    page: int
    score: float


class Block(BaseModel):
    """A block of a page."""

    id: str
    block: str
    page: int
    page_label: Said = Said("")
    kind: str
    text: Said


class Reading(Words):
    """What `read` gives."""

    document: Said
    document_id: str
    pages: int
    first_page: int
    last_page: int
    blocks: list[Block]
    has_more: bool
    cursor: str | None = None


class Spot(BaseModel):
    """A box on a page."""

    page: int
    box: list[float] = Field(description="Left, top, right, bottom in points from the top left.")


class Quoted(Place):
    """A quote and where it stands."""

    quote: Said


class CitationFound(Words, Quoted):
    """What `get_citation` gives."""

    state: State
    context: Said = Field(description="The block that the quote stands in.")
    boxes: list[Spot]


class PageShown(Words):
    """What `show_page` gives, beside the picture."""

    document: Said
    document_id: str
    page: int
    pages: int
    width: int
    height: int
    marked: int = Field(description="Boxes drawn on it.")
    link: str = ""


class PlaceShown(BaseModel):
    """A page as a chat shows it to a person, with what is cited on it. Boxes are in parts of the page."""

    id: str
    document: Said
    document_id: str
    page: int
    page_label: Said
    pages: int
    section: list[Said]
    quote: Said
    state: State
    text: Said
    """Where there is no picture."""
    link: str
    boxes: list[list[float]]
    """What is outlined: the cited block, or those that were asked for."""
    marks: list[list[float]]
    """What is marked: the quoted words, a box for each line of print or cell."""


class FoundAt(Quoted):
    """A place where a quote stands, and how like it is, 0..1."""

    similarity: float


class QuoteCheck(Words):
    """What `verify_quote` gives."""

    found: Found
    places: list[FoundAt]
    searched: int = Field(description="Documents looked through.")
    is_complete: bool


class Answered(Words):
    """What `ask` gives."""

    outcome: OutcomeName
    lead: Said = Field(Said(""), description="What was found and where, in a sentence.")
    answer: Said
    answer_is_quoted: bool
    answer_label: str
    confidence: float
    citations: list[Quoted]
    passages: list[Hit]
    preferred: Said = Said("")
    steps: list[Said]
    missing: list[Said]
    understood: Said = Said("")
    link: str = ""
    conversation: str | None = None
    stopped: str | None = None
    words_alone: Said = Field(Said(""), description="Why words alone were looked for and no meaning, empty else.")


class CellFound(BaseModel):
    """A cell of a table: what a document answers to a question, and where; `outcome` is null before it was asked."""

    outcome: OutcomeName | None
    text: Said = Said("")
    id: str = ""
    page: int | None = None
    link: str = ""


class RowFound(BaseModel):
    """A document of a table, a cell for each question."""

    document: Said
    document_id: str
    cells: list[CellFound]


class TableFound(Words):
    """What `answer_table` gives, and how many cells there are of each kind."""

    rows: list[RowFound]
    answers: int
    passages: int
    nothing: int
    empty: int = Field(description="Not asked yet.")


class JobState(Result):
    """What `add_document` and `job_status` give."""

    job: str
    state: str
    stage: str = ""
    done: int = 0
    total: int = 0
    document_id: str | None = None
    error: Said = Said("")


class Removed(Result):
    """What `remove_document` gives."""

    removed: Said
    document_id: str
    copies: int = 0
    """Further files with the same bytes, which are forgotten with it."""
    is_gone: bool = True
    """Whether no other file leads to it."""
    deleted: list[Said] = Field(default_factory=list[Said])
    """Names of files that had been sent, whose bytes were deleted."""


Hits.model_rebuild()
