"""The nouns of a document: its table of blocks, pages, links between blocks, grids of tables. Pure data, no I/O."""

from octavo_documents.document.blocks import FURNITURE, KIND_BY_LABEL, PICTURED, BlockTable, FigureKind, Kind, nest
from octavo_documents.document.columns import Mask, Rows, Table, TextColumn
from octavo_documents.document.document import (
    Document,
    Metadata,
    PageTable,
    Section,
    is_no_page,
    number_of,
    page_name,
    part_label,
    printed_label,
)
from octavo_documents.document.found_tables import CellPlace, FoundTable, TablePart
from octavo_documents.document.grid import Cell, Grid
from octavo_documents.document.links import LinkKind, LinkOrigin, LinkTable

__all__ = [
    "FURNITURE",
    "KIND_BY_LABEL",
    "PICTURED",
    "BlockTable",
    "Cell",
    "CellPlace",
    "Document",
    "FigureKind",
    "FoundTable",
    "Grid",
    "Kind",
    "LinkKind",
    "LinkOrigin",
    "LinkTable",
    "Mask",
    "Metadata",
    "PageTable",
    "Rows",
    "Section",
    "Table",
    "TablePart",
    "TextColumn",
    "is_no_page",
    "nest",
    "number_of",
    "page_name",
    "part_label",
    "printed_label",
]
