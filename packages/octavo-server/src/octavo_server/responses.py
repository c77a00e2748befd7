"""What the API returns, as types: they describe the responses in `/openapi.json`, and tests hold responses to them.

Objects may have more keys than these.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

BoxValue = list[float]


class Shape(BaseModel):
    """Base of what is returned."""

    model_config = ConfigDict(extra="allow")


class CandidateShape(Shape):
    """A document that an ambiguous name may mean: its id, and as much of its path as tells it apart."""

    id: str
    path: str


class ProblemShape(Shape):
    """What went wrong (RFC 9457): `reason` is a stable word for programs, `detail` says what to do.

    With `reason` "ambiguous" there are `candidates`: ask again with the id of one.
    """

    type: str
    title: str
    status: int
    detail: str
    reason: str
    candidates: list[CandidateShape] = []


class DocumentShape(Shape):
    """A document. `title` is what it is called, "" where its name has to do, `unit` what its pages are;
    `layers` tells who decided in each: `rule` or `model`.
    """

    id: str
    name: str
    title: str
    author: str
    created: str
    pages: int
    scanned_pages: int
    blocks: int
    sections: int
    size_bytes: int
    added: str
    has_pages: bool
    unit: str
    warnings: list[str]
    damage: str
    layers: dict[str, str]
    is_upload: bool
    """Whether it was sent: removing it deletes its bytes, of which the server has the only copy."""
    files_left: int
    """Other files that lead to it. Removing never deletes these."""


class RemovedShape(Shape):
    """What removing a document did: `deleted` are names of files that were sent, whose bytes are gone; those of
    `left_alone` are where they were. Where it is not gone, the file that was sent was a copy of those `remaining`.
    """

    document_id: str
    name: str
    is_gone: bool
    deleted: list[str]
    left_alone: list[str]
    remaining: int
    told: str


class DocumentsShape(Shape):
    """A page of the list of documents; `next` is the cursor of the next one."""

    items: list[DocumentShape]
    next: str | None
    total: int


class SectionShape(Shape):
    """A section of an outline."""

    title: str
    level: int
    page: int
    page_label: str
    end_page: int
    block: str
    sections: list[SectionShape]


class PlainBlockShape(Shape):
    """A block of a document. `box` is in points from the top left."""

    block: str
    kind: str
    figure: str | None
    level: int
    page: int
    box: BoxValue
    section: list[str]
    text: str


class OutlineShape(Shape):
    """The section tree of a document, with its `blocks` where they were asked for."""

    document: str
    document_id: str
    pages: int
    sections: list[SectionShape]
    blocks: list[PlainBlockShape] = []


class LinkShape(Shape):
    """A link from a block to another."""

    kind: str
    to: str
    page: int
    text: str


class CellShape(Shape):
    """A cell of a table: its top left corner from 0, and how much it covers."""

    row: int
    column: int
    rows: int
    columns: int
    text: str
    box: BoxValue | None


class TableShape(Shape):
    """The cells of a table."""

    rows: int
    columns: int
    header_rows: int
    header_columns: int
    cells: list[CellShape]


class BlockShape(PlainBlockShape):
    """A block of a page: `relative` is its box in parts (0..1) of the page."""

    relative: BoxValue | None
    table: TableShape | None
    links: list[LinkShape]


class PageShape(Shape):
    """A page with its blocks in reading order. Sizes are points; 0 for text that has no pages."""

    document: str
    document_id: str
    page: int
    page_label: str
    pages: int
    width: float
    height: float
    rotation: int
    is_scanned: bool
    has_picture: bool
    blocks: list[BlockShape]


class WordsShape(Shape):
    """The words of a page: text, left, top, right, bottom in points, and the number of its line."""

    page: int
    source: str
    words: list[list[str | float]]


class MarkShape(Shape):
    """Where a text stands: a box for each line of print; none where it is not found."""

    text: str
    page: int
    boxes: list[BoxValue]
    relative: list[BoxValue | None]


class MarksShape(Shape):
    """Where texts stand."""

    marks: list[MarkShape]


class PlaceShape(Shape):
    """A block of a document that something stands on."""

    id: str
    link: str
    document: str
    document_title: str = ""
    document_id: str
    block: str
    page: int
    page_label: str
    box: BoxValue
    section: list[str]
    kind: str


class CitationShape(PlaceShape):
    """A place with its words, verbatim."""

    quote: str


class PassageShape(PlaceShape):
    """A stretch to be read alone; `emphasis` are [start, stop) of the words that matter."""

    text: str
    emphasis: list[list[int]]
    score: float


class FoundShape(CitationShape):
    """A place where a quote stands."""

    similarity: float


class SpotShape(Shape):
    """A box on a page."""

    page: int
    box: BoxValue
    relative: BoxValue | None


class CitedShape(CitationShape):
    """What a citation stands for; `state` is `moved` where a new reading put the words elsewhere."""

    start: int
    stop: int
    quote_sha256: str
    state: Literal["same", "moved"]
    text: str
    boxes: list[SpotShape]
    page_width: float
    page_height: float


class VerificationShape(Shape):
    """Whether documents hold a quote."""

    found: Literal["exact", "normalised", "near", "none"]
    places: list[FoundShape]
    searched: int
    is_complete: bool


class RankedPageShape(Shape):
    """A page that fits, with the id of its document: names may be shared. Answers of before this had ids have none."""

    document: str
    document_id: str = ""
    page: int
    score: float


class EvidenceBlockShape(Shape):
    """A block that fits, and how well by each way of looking."""

    document: str
    document_title: str
    document_id: str
    block: str
    page: int
    page_label: str
    box: BoxValue
    section: list[str]
    kind: str
    text: str
    scores: dict[str, float]


class PageReadShape(Shape):
    """A page of which a model that answered was shown something; physical, from 1."""

    document: str
    document_id: str
    page: int


class SubstituteShape(Shape):
    """What stands for a part of a published system: its role, what the paper used, what is used here."""

    role: str
    paper: str
    here: str


class UsageShape(Shape):
    """What models took: calls, those answered out of the journal, tokens; seconds of the whole; cost where known."""

    calls: int
    input_tokens: int
    output_tokens: int
    cached_calls: int
    seconds: float
    cost: float | None
    pictures: int = 0


class TraceStepShape(Shape):
    """One step as it ran: rows before and after, what it took, and the steps inside it."""

    step: str
    parameters: dict[str, Any]
    rows_in: int
    rows_out: int
    seconds: float
    calls: int = 0
    cached_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    steps: list[TraceStepShape] = []


class SearchShape(Shape):
    """Evidence, best first, as `octavo search --json` has it."""

    question: str
    system: str
    passages: list[PassageShape]
    pages: list[RankedPageShape]
    blocks: list[EvidenceBlockShape]
    usage: UsageShape
    decided_by: dict[str, int]
    stopped: str | None
    trace: list[TraceStepShape]


class AnswerShape(Shape):
    """An answer, as `octavo ask --json` has it, with its id, its link, and the steps in plain words."""

    id: str
    link: str
    conversation: str | None
    created: str
    question: str
    system: str
    outcome: Literal["answer", "passages", "nothing"]
    answerable: bool
    lead: str
    answer: str
    answer_is_quoted: bool
    answer_label: str
    value: Any
    format: str
    confidence: float
    missing: list[str]
    passages: list[PassageShape]
    citations: list[CitationShape]
    pages: list[RankedPageShape]
    pages_read: list[PageReadShape] = []
    substitutes: list[SubstituteShape] = []
    usage: UsageShape
    decided_by: dict[str, int]
    stopped: str | None
    trace: list[TraceStepShape]
    steps: list[str]
    failures: list[str]
    is_kept: bool = True
    """False where there was no room for it on the disk: it is kept until the server ends."""


class ConversationShape(Shape):
    """A conversation with the answers of its turns."""

    id: str
    documents: list[str] | None
    turns: list[AnswerShape]


class JobErrorShape(Shape):
    """Why a job failed, or, where it is done, what of a damaged file could be read: a word of `SourceError`, a line for
    people, and what they can do.
    """

    reason: str
    detail: str
    advice: str


class JobShape(Shape):
    """A file that is indexed, or was. `done` of `total` tells how far its stage is; the total is 0 where not known."""

    id: str
    name: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    stage: str
    done: int
    total: int
    document_id: str | None
    created: str
    heartbeat: str
    error: JobErrorShape | None


class QueuedShape(Shape):
    """The job of a file that was sent."""

    job: JobShape


class JobsShape(Shape):
    """A page of the list of jobs."""

    items: list[JobShape]
    next: str | None
    total: int


class SystemShape(Shape):
    """A way to answer, and what it is for."""

    name: str
    told: str


class ExampleShape(Shape):
    """The example document, whether it was added or not, and what can be asked of it."""

    id: str
    name: str
    questions: list[str]


class StatusShape(Shape):
    """What the corpus holds and what may be asked of it."""

    documents: int
    pages: int
    passages: int
    bytes: int
    layers: dict[str, int]
    models: dict[str, str]
    systems: list[SystemShape]
    formats: list[str]
    can_write: bool
    example: ExampleShape | None
    instance: str
    """Another one each time a server starts."""
    version: str


class HealthShape(Shape):
    """That the server is up."""

    status: Literal["ok"]
    instance: str
    """Another one each time a server starts."""


class DescriptionShape(Shape):
    """The description of the API."""

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]
    components: dict[str, Any]
