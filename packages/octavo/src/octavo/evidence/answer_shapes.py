"""The JSON of answers and of results, as types: the one place that says which keys there are and what stands in them.

The command line prints it. The server adds ids and links (`octavo_server.responses`), and its description in OpenAPI
and the types of its page are made from these. They are plain dictionaries; pydantic reads the types where it is there.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in points from the top left."""
Span = tuple[int, int]
OutcomeName = Literal["answer", "passages", "nothing"]
FormatName = Literal["Str", "Int", "Float", "List", "None"]
Value = str | int | float | list[str] | None


class PlaceShape(TypedDict):
    """A block of a document; `cells` is the range of a table in a sheet."""

    document: str
    document_title: NotRequired[str]
    document_id: str
    block: str
    page: int
    page_label: str
    box: Box
    section: list[str]
    kind: str
    cells: NotRequired[str]


class CitationShape(PlaceShape):
    """A place with its words, verbatim."""

    quote: str
    id: str


class PassageShape(PlaceShape):
    """A stretch to be read alone; `emphasis` are [start, stop) of the words that matter.

    `whole` is the row of a table, verbatim, that the text shows in part.
    """

    text: str
    emphasis: list[Span]
    score: float
    id: str
    whole: NotRequired[str]


class RankedPageShape(TypedDict):
    """A page that fits, with the id of its document: names may be shared. Answers of before this had ids have none."""

    document: str
    document_id: NotRequired[str]
    page: int
    score: float


class EvidenceBlockShape(PlaceShape):
    """A block that fits, and how well by each way of looking."""

    text: str
    scores: dict[str, float]


class PageReadShape(TypedDict):
    """A page of which a model that answered was shown something; physical, from 1."""

    document: str
    document_id: str
    page: int


class SubstituteShape(TypedDict):
    """What stands for a part of a published system: its role, what the paper used, what is used here."""

    role: str
    paper: str
    here: str


class UsageShape(TypedDict):
    """What models took: calls, those answered out of the journal, tokens; seconds of the whole; cost where known."""

    calls: int
    input_tokens: int
    output_tokens: int
    cached_calls: int
    seconds: float
    cost: float | None
    pictures: NotRequired[int]


class TraceStepShape(TypedDict):
    """One step as it ran: rows before and after, what it took, and the steps inside it."""

    step: str
    parameters: dict[str, Any]
    rows_in: int
    rows_out: int
    seconds: float
    calls: NotRequired[int]
    cached_calls: NotRequired[int]
    input_tokens: NotRequired[int]
    output_tokens: NotRequired[int]
    steps: NotRequired[list[TraceStepShape]]


class UnsearchedShape(TypedDict):
    """Documents that could not be looked among: those of some shards, counted from 1, of `of_shards`."""

    documents: int
    of_documents: int
    shards: list[int]
    of_shards: int
    why: str


class LeftOutShape(TypedDict):
    """What was left out: a part of the documents that could not be looked among, or meaning, and why."""

    unsearched: NotRequired[UnsearchedShape]
    words_alone: NotRequired[str]


class NamedDocumentShape(TypedDict):
    """A document by its name and its id."""

    document: str
    document_id: str


class MeantShape(TypedDict):
    """What a question asked of several documents names, as it writes it, and the documents that fit that best.

    `strangers` are written as names, and no document is about them; `uncovered` are years that no document of the name
    which is asked about speaks of. `age` is "newest", "oldest" or "previous" where that told documents of one name
    apart.
    """

    documents: list[NamedDocumentShape]
    named: NotRequired[list[str]]
    periods: NotRequired[list[str]]
    kinds: NotRequired[list[str]]
    versions: NotRequired[list[str]]
    age: NotRequired[Literal["newest", "oldest", "previous"]]
    strangers: NotRequired[list[str]]
    uncovered: NotRequired[list[str]]


class PreferredShape(TypedDict):
    """Which documents were preferred, where the question names any."""

    meant: NotRequired[MeantShape]


class RunShape(LeftOutShape, PreferredShape):
    """What a result and an answer share: who decided how often, what it took, what ended it early, and the steps."""

    usage: UsageShape
    decided_by: dict[str, int]
    stopped: str | None
    trace: list[TraceStepShape]


class ResultFields(RunShape):
    """All of a result but its passages."""

    question: str
    system: str
    pages: list[RankedPageShape]
    blocks: list[EvidenceBlockShape]


class ResultShape(ResultFields):
    """The object that `octavo search --json` prints: evidence, best first."""

    passages: list[PassageShape]


class ClaimShape(TypedDict):
    """A sentence of an answer, its characters [start, stop), and the numbers from 1 of the citations whose quotes say
    it, none where no quote stands behind it.
    """

    start: int
    stop: int
    citations: list[int]


class LabelsShape(TypedDict):
    """How an answer came about, in words for people; "" where there is none. `claims` are the sentences of an answer
    that a model wrote.
    """

    answer_is_quoted: bool
    answer_label: str
    claims: NotRequired[list[ClaimShape]]


class UnderstoodShape(TypedDict):
    """What a question was understood as, where that is another one."""

    understood: NotRequired[str]


class SaidShape(UnderstoodShape, LabelsShape):
    """What an answer says, and how sure it is. `missing` is what a model would have to find."""

    outcome: OutcomeName
    answerable: bool
    lead: str
    answer: str
    value: Value
    format: FormatName
    confidence: float
    missing: list[str]


class SeenShape(TypedDict):
    """Whether an answer was read off pictures, what stood for the parts that a paper used, and other short answers that
    are as near, or nearly: each where it is so.
    """

    rivals: NotRequired[list[str]]
    is_seen: NotRequired[bool]
    substitutes: NotRequired[list[SubstituteShape]]


class AnswerFields(SaidShape, RunShape, SeenShape):
    """All of an answer but its passages and citations."""

    question: str
    system: str
    pages: list[RankedPageShape]
    pages_read: NotRequired[list[PageReadShape]]


class AnswerShape(AnswerFields):
    """The object that `octavo ask --json` prints."""

    passages: list[PassageShape]
    citations: list[CitationShape]
