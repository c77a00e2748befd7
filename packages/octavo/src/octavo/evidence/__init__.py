"""The nouns of answering: views of documents with their layers, evidence, questions, answers. Pure data, no I/O."""

from octavo.evidence.answer import (
    NO_SHORT_ANSWER,
    UNSEARCHED,
    WORDS_ALONE,
    Answer,
    AnswerFormat,
    Operation,
    Outcome,
    PageRead,
    Query,
    Reach,
    Result,
    Substitute,
    TraceStep,
    Unsearched,
    Usage,
)
from octavo.evidence.citation import Citation, Passage
from octavo.evidence.document_graph import DocumentGraph
from octavo.evidence.evidence import Evidence, PageHit
from octavo.evidence.framing import axis_rows, framed
from octavo.evidence.layer_tables import (
    EntityTable,
    Graph,
    MentionTable,
    PassageTable,
    PostingTable,
    RelationTable,
    SummaryTable,
    TermTable,
)
from octavo.evidence.view import LayerSource, View

__all__ = [
    "NO_SHORT_ANSWER",
    "UNSEARCHED",
    "WORDS_ALONE",
    "Answer",
    "AnswerFormat",
    "Citation",
    "DocumentGraph",
    "EntityTable",
    "Evidence",
    "Graph",
    "LayerSource",
    "MentionTable",
    "Operation",
    "Outcome",
    "PageHit",
    "PageRead",
    "Passage",
    "PassageTable",
    "PostingTable",
    "Query",
    "Reach",
    "RelationTable",
    "Result",
    "Substitute",
    "SummaryTable",
    "TermTable",
    "TraceStep",
    "Unsearched",
    "Usage",
    "View",
    "axis_rows",
    "framed",
]
