"""What the API returns, as types: they describe the responses in `/openapi.json`, and tests hold responses to them.

Answers are those of `octavo.evidence.answer_shapes` with ids and links. Objects may have more keys than these.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from octavo.about.document_about import AboutShape
from octavo.evidence import answer_shapes
from octavo.evidence.answer_shapes import AnswerFields, Box, ResultFields, SaidShape
from octavo.evidence.citation_ids import State
from octavo.evidence.places import Found


class CandidateShape(TypedDict):
    """A document that an ambiguous name may mean: its id, and as much of its path as tells it apart."""

    id: str
    path: str


class ProblemShape(TypedDict):
    """What went wrong (RFC 9457): `reason` is a stable word for programs, `detail` says what to do.

    With `reason` "ambiguous" there are `candidates`: ask again with the id of one.
    """

    type: str
    title: str
    status: int
    detail: str
    reason: str
    candidates: NotRequired[list[CandidateShape]]


class DocumentShape(TypedDict):
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
    about: AboutShape
    is_upload: bool
    """Whether it was sent: removing it deletes its bytes, of which the server has the only copy."""
    files_left: int
    """Other files that lead to it. Removing never deletes these."""


class RemovedShape(TypedDict):
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


class FolderShape(TypedDict):
    """A folder that documents came from; `pattern` names those in and under it wherever documents are named."""

    name: str
    pattern: str
    documents: int
    pages: int


class FoldersShape(TypedDict):
    """The folders that documents came from, by name; none where that was one."""

    items: list[FolderShape]


class DocumentsShape(TypedDict):
    """A page of the list of documents; `next` is the cursor of the next one."""

    items: list[DocumentShape]
    next: str | None
    total: int


class SectionShape(TypedDict):
    """A section of an outline."""

    title: str
    level: int
    page: int
    page_label: str
    end_page: int
    block: str
    sections: list[SectionShape]


class PlainBlockShape(TypedDict):
    """A block of a document. `box` is in points from the top left."""

    block: str
    kind: str
    figure: str | None
    level: int
    page: int
    page_label: str
    box: Box
    section: list[str]
    text: str
    confidence: float


class OutlineShape(TypedDict):
    """The section tree of a document, with its `blocks` where they were asked for."""

    document: str
    document_id: str
    pages: int
    warnings: list[str]
    sections: list[SectionShape]
    blocks: NotRequired[list[PlainBlockShape]]


class BriefSectionShape(TypedDict):
    """A section of the highest level and where it begins."""

    title: str
    page: int
    block: str


class ElementShape(TypedDict):
    """A table, chart or figure: what it is called, and where it stands."""

    kind: str
    called: str
    page: int
    block: str


class AnsweredQuestionShape(TypedDict):
    """A question that was asked of the document without a model, and the place that answers it."""

    question: str
    page: int
    link: str


class FirstLookShape(TypedDict):
    """What there is in a document: sections in brief (of `section_count`), tables and figures, questions it answers."""

    document_id: str
    sections: list[BriefSectionShape]
    section_count: int
    elements: list[ElementShape]
    questions: list[AnsweredQuestionShape]


class LinkShape(TypedDict):
    """A link from a block to another."""

    kind: str
    to: str
    page: int
    text: str


class CellShape(TypedDict):
    """A cell of a table: its top left corner from 0, and how much it covers."""

    row: int
    column: int
    rows: int
    columns: int
    text: str
    box: Box | None


class TableShape(TypedDict):
    """The cells of a table."""

    rows: int
    columns: int
    header_rows: int
    header_columns: int
    cells: list[CellShape]


class BlockShape(PlainBlockShape):
    """A block of a page: `relative` is its box in parts (0..1) of the page."""

    relative: Box | None
    table: TableShape | None
    links: list[LinkShape]


class PageShape(TypedDict):
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


class WordsShape(TypedDict):
    """The words of a page: text, left, top, right, bottom in points, and the number of its line."""

    page: int
    source: str
    words: list[tuple[str, float, float, float, float, int]]


class MarkShape(TypedDict):
    """Where a text stands: a box for each line of print; none where it is not found."""

    text: str
    page: int
    boxes: list[Box]
    relative: list[Box | None]


class MarksShape(TypedDict):
    """Where texts stand."""

    marks: list[MarkShape]


class CitationShape(answer_shapes.CitationShape):
    """A place with its words, verbatim; `link` opens it."""

    link: str


class PassageShape(answer_shapes.PassageShape):
    """A stretch to be read alone; `emphasis` are [start, stop) of the words that matter."""

    link: str


class FoundShape(CitationShape):
    """A place where a quote stands."""

    similarity: float


class SpotShape(TypedDict):
    """A box on a page."""

    page: int
    box: Box
    relative: Box | None


class CitedShape(CitationShape):
    """What a citation stands for; `state` is `moved` where a new reading put the words elsewhere."""

    start: int
    stop: int
    quote_sha256: str
    state: State
    text: str
    boxes: list[SpotShape]
    page_width: float
    page_height: float


class VerificationShape(TypedDict):
    """Whether documents hold a quote."""

    found: Found
    places: list[FoundShape]
    searched: int
    is_complete: bool


class SearchShape(ResultFields):
    """Evidence, best first, as `octavo search --json` has it."""

    passages: list[PassageShape]


class AnswerEvent(SaidShape):
    """What an answer says, before what was found on the way to it."""

    id: str
    link: str
    conversation: str | None
    citations: list[CitationShape]


class AnswerShape(AnswerEvent, AnswerFields):
    """An answer, as `octavo ask --json` has it, with its id, its link, and the steps in plain words."""

    created: str
    passages: list[PassageShape]
    steps: list[str]
    failures: list[str]
    is_kept: NotRequired[bool]
    """False where there was no room for it on the disk: it is kept until the server ends."""


class PlanEvent(TypedDict):
    """What is asked, how and of what; null: of all documents."""

    question: str
    system: str
    documents: list[str] | None
    models: dict[str, str]


class StepEvent(TypedDict):
    """A step that was taken, in a sentence."""

    step: str
    told: str
    seconds: float


class TokenEvent(TypedDict):
    """All of an answer that is written so far."""

    text: str


class PassagesEvent(TypedDict):
    """What is read."""

    passages: list[PassageShape]


class AskEvents(TypedDict):
    """The events of an answer that streams, each with its data: it ends with `done` or `error`."""

    plan: PlanEvent
    step: StepEvent
    token: TokenEvent
    passages: PassagesEvent
    answer: AnswerEvent
    done: AnswerShape
    error: ProblemShape


class ConversationShape(TypedDict):
    """A conversation with the answers of its turns."""

    id: str
    documents: list[str] | None
    turns: list[AnswerShape]


class KeptConversationShape(TypedDict):
    """A conversation in a list: `name` is its first question until it is named; `changed` when it last went on."""

    id: str
    name: str
    is_named: bool
    created: str
    changed: str
    turns: int


class ConversationsShape(TypedDict):
    """A page of the list of the conversations of a key, the last one first."""

    items: list[KeptConversationShape]
    next: str | None
    total: int


class JobErrorShape(TypedDict):
    """Why a job failed, or, where it is done, what of a damaged file could be read: a word of `SourceError`, a line for
    people, and what they can do.
    """

    reason: str
    detail: str
    advice: str


class JobShape(TypedDict):
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


class JobEvents(TypedDict):
    """The events of jobs that are watched: `job` is one that has changed."""

    job: JobShape


class QueuedShape(TypedDict):
    """The job of a file that was sent."""

    job: JobShape


class JobsShape(TypedDict):
    """A page of the list of jobs."""

    items: list[JobShape]
    next: str | None
    total: int


class SystemShape(TypedDict):
    """A way to answer, and what it is for."""

    name: str
    told: str


class ExampleShape(TypedDict):
    """The example document, whether it was added or not, and what can be asked of it."""

    id: str
    name: str
    questions: list[str]


class StatusShape(TypedDict):
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


class HealthShape(TypedDict):
    """That the server is up."""

    status: Literal["ok"]
    instance: str
    """Another one each time a server starts."""


class DescriptionShape(TypedDict):
    """The description of the API."""

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]
    components: dict[str, Any]
