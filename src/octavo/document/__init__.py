"""The nouns: documents, blocks, links, the graph, views, evidence and answers. Pure data, no I/O, no model."""

from octavo.document.answer import (
    NO_SHORT_ANSWER,
    UNSEARCHED,
    Answer,
    Citation,
    Outcome,
    Passage,
    Result,
    TraceStep,
    Unsearched,
    Usage,
)
from octavo.document.blocks import FURNITURE, KIND_BY_LABEL, BlockTable, FigureKind, Kind, nest
from octavo.document.columns import Mask, Rows, Table, TextColumn
from octavo.document.document import Document, Metadata, PageTable, is_no_page, number_of, page_name, part_label
from octavo.document.evidence import Evidence, PageHit
from octavo.document.layer_tables import (
    EntityTable,
    Graph,
    MentionTable,
    PassageTable,
    PostingTable,
    RelationTable,
    SummaryTable,
    TermTable,
)
from octavo.document.links import LinkKind, LinkOrigin, LinkTable
from octavo.document.query import AnswerFormat, Operation, Query, Reach
from octavo.document.view import LayerSource, View

__all__ = [
    "FURNITURE",
    "KIND_BY_LABEL",
    "NO_SHORT_ANSWER",
    "UNSEARCHED",
    "Answer",
    "AnswerFormat",
    "BlockTable",
    "Citation",
    "Document",
    "EntityTable",
    "Evidence",
    "FigureKind",
    "Graph",
    "Kind",
    "LayerSource",
    "LinkKind",
    "LinkOrigin",
    "LinkTable",
    "Mask",
    "MentionTable",
    "Metadata",
    "Operation",
    "Outcome",
    "PageHit",
    "PageTable",
    "Passage",
    "PassageTable",
    "PostingTable",
    "Query",
    "Reach",
    "RelationTable",
    "Result",
    "Rows",
    "SummaryTable",
    "Table",
    "TermTable",
    "TextColumn",
    "TraceStep",
    "Unsearched",
    "Usage",
    "View",
    "is_no_page",
    "nest",
    "number_of",
    "page_name",
    "part_label",
]
