"""A document: what one source file holds, immutable once indexed, its packing into bytes, and its outline as JSON."""

from __future__ import annotations

import dataclasses
import re
from functools import cached_property
from pathlib import PurePath
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo_documents.document.blocks import BlockTable, Kind
from octavo_documents.document.columns import Table, TextColumn, column, damaged, pack, text_column, unpack
from octavo_documents.document.docling import docling_json
from octavo_documents.document.found_tables import FoundTable, tables_of
from octavo_documents.document.html import html, outline_html
from octavo_documents.document.links import LinkKind, LinkTable
from octavo_documents.document.markdown import markdown
from octavo_documents.document.sheets import tables_csv, tables_xlsx

_NO_TITLE = re.compile(
    r"^(\(?(?:untitled|anonymous|unspecified|unknown|no title)\)?$|untitled|microsoft |slide |powerpoint|"
    r"document ?\d*$|layout \d)|\.(pdf|docx?|pptx?|xlsx?|indd|html?|tex|dvi)$",
    re.IGNORECASE,
)
"""What programs write where a title belongs: their own words, and names of files."""
_LETTERS = re.compile(r"[^\W\d_]{3}")
_LEAST_WORDS = 3
"""Words of a title in the text: large words of one or two on a first page are often a letterhead or a form's name."""
_LONGEST_TITLE = 300
"""Characters."""
_OPENING = 200
"""Blocks from the first in which a title is looked for."""


def part_label(number: int) -> str:
    """Return the label of a part of text that has no pages, by its number from 1."""
    return f"part {number}"


PLACES = ("part", "slide", "sheet", "chapter", "message", "cell", "page")
"""What a label that says by itself where one is begins with: "sheet Costs", "page 2 as LibreOffice prints it"."""


def is_no_page(label: str) -> bool:
    """Whether a label is that of a part, a sheet or the like, which says by itself where one is."""
    first, _, rest = label.partition(" ")
    return first in PLACES and bool(rest)


def page_name(page: int, label: str) -> str:
    """Return "page 12", with the label printed there where that is another one; "part 3" and the like as they are."""
    if is_no_page(label):
        return label
    printed = printed_label(page, label)
    return f"page {page} (printed “{printed}”)" if printed else f"page {page}"


def printed_label(page: int, label: str) -> str:
    """Return the label of a page where another number than its own is printed there, else ""."""
    return "" if label == str(page) else label


def number_of(count: int, noun: str) -> str:
    """Return a count with its noun: "1 page", "2 pages", "1,200 entries"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}"


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class PageTable(Table):
    """Physical pages; row i is page i + 1."""

    label: TextColumn = text_column()
    """Printed label: "ii", "12", "A-3"."""
    width: npt.NDArray[np.float32] = column("<f4")
    """Points, as displayed (rotation applied)."""
    height: npt.NDArray[np.float32] = column("<f4")
    is_scanned: npt.NDArray[np.bool_] = column("?")
    """True when the page has no text layer; its text, if any, was read by OCR."""
    within: TextColumn = text_column(absent="")
    """Where a page of a file in the file stands: "2:5" is page 5 of its third file, "2/0:5" of the first in that one;
    empty for pages of the file itself."""


@dataclasses.dataclass(frozen=True)
class Metadata:
    """What is known of the file besides its content. `outline` says whether it has bookmarks of its own.

    `damage` says what of a damaged file could be read, "2 of 23 pages could be read"; it is empty for a whole one.
    """

    title: str = ""
    author: str = ""
    created: str = ""
    has_outline: bool = False
    warnings: tuple[str, ...] = ()
    damage: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it: the blocks of rows `[row, end)`, its own heading first."""

    title: str
    level: int
    """1 is the highest."""
    page: int
    end_page: int
    row: int
    end: int
    sections: tuple[Section, ...] = ()


@dataclasses.dataclass(frozen=True, repr=False)
class Document:
    """One source file. `id` is "sha256:" and the hex digest of its bytes, `name` its file name."""

    id: str
    name: str
    pages: PageTable
    blocks: BlockTable
    links: LinkTable
    metadata: Metadata = Metadata()

    def __repr__(self) -> str:
        return f"Document({self.name!r}, {len(self.pages)} pages, {len(self.blocks)} blocks)"

    def _repr_html_(self) -> str:
        return outline_html(self)

    @cached_property
    def page_starts(self) -> npt.NDArray[np.int64]:
        """(n_pages + 1,) rows: the blocks that start on page p are `[page_starts[p - 1], page_starts[p])`."""
        return np.searchsorted(self.blocks.page, np.arange(1, len(self.pages) + 2), side="left")

    @cached_property
    def has_pages(self) -> bool:
        """Whether it has pages of its own to look at; flowing text has parts instead, without size and boxes.

        Files in the file may have pages where it has none (`is_drawn`).
        """
        return bool((self.pages.width[self.pages.within.lengths() == 0] > 0).any())

    def is_drawn(self, page: int) -> bool:
        """Whether a page (1-based) can be looked at; parts of flowing text cannot."""
        return bool(self.pages.width[page - 1])

    @cached_property
    def title(self) -> str:
        """What it is called in its text, else by its file; "" where neither reads as a title: its name has to do."""
        if len(self._printed_title.split()) >= _LEAST_WORDS:
            return self._printed_title
        return self._as_title(self.metadata.title)

    @property
    def called(self) -> str:
        """What the root of its tree says: its title, a short one that is printed in it too, else its name."""
        return self.title or self._printed_title or self.name

    @cached_property
    def _printed_title(self) -> str:
        rows = np.flatnonzero(self.blocks.kind[:_OPENING] == Kind.TITLE)
        return self._as_title(self.blocks.text[int(rows[0])]) if len(rows) else ""

    def _as_title(self, text: str) -> str:
        """Return a text as a title; "" for a name of a file, a number, and what programs write for want of one."""
        title = " ".join(text.split())[:_LONGEST_TITLE]
        is_title = _LETTERS.search(title) and not _NO_TITLE.search(title)
        return title if is_title and title not in (self.name, PurePath(self.name).stem) else ""

    @property
    def unit(self) -> str:
        """What its pages are called: "page"; for what has none "part", "slide", "sheet" and the like."""
        first = self.pages.label[0] if len(self.pages) else ""
        return first.partition(" ")[0] if is_no_page(first) else "page"

    def on_page(self, page: int) -> slice:
        """Return the rows that start on a physical page (1-based); raise IndexError outside the document."""
        if not 1 <= page <= len(self.pages):
            raise IndexError(f"page {page} of {len(self.pages)}")
        return slice(int(self.page_starts[page - 1]), int(self.page_starts[page]))

    @cached_property
    def outline(self) -> tuple[Section, ...]:
        """The sections of the highest level, each with those below it."""
        return _outline(self)

    @cached_property
    def tables(self) -> tuple[FoundTable, ...]:
        """The tables with their cells, in reading order; one that goes on over pages is one."""
        return tables_of(self)

    def to_markdown(self, *, pages: bool = False) -> str:
        """Return the text as Markdown; with `pages` a comment says where each begins."""
        return markdown(self, pages=pages)

    def to_json(self, *, blocks: bool = True) -> dict[str, Any]:
        """Return the outline as an object for JSON, and with `blocks` every block with its kind, page, box and text."""
        return outline_json(self, blocks=blocks)

    def to_html(self) -> str:
        """Return the text as HTML without scripts or styles; each block says the page and box it stands on."""
        return html(self)

    def to_docling(self) -> dict[str, Any]:
        """Return the document as a DoclingDocument, as an object for JSON."""
        return docling_json(self)

    def to_csv(self) -> str:
        """Return its tables as CSV, an empty line between two."""
        return tables_csv(self)

    def to_xlsx(self) -> bytes:
        """Return its tables as a workbook, a sheet for each."""
        return tables_xlsx(self)

    def check(self) -> None:
        """Raise ValueError unless tables are well formed and point into each other."""
        self.blocks.check()
        for table in (self.pages, self.blocks, self.links):
            for spec in dataclasses.fields(table):
                values = getattr(table, spec.name)
                if isinstance(values, TextColumn):
                    values.check()
        if len(self.blocks) and int(self.blocks.page[-1]) > len(self.pages):
            raise ValueError("a block stands on a page that does not exist")
        for rows in (self.links.source, self.links.target):
            if len(rows) and not (rows.min() >= 0 and rows.max() < len(self.blocks)):
                raise ValueError("a link leads outside the document")
        if len(self.links) and int(self.links.kind.max()) > max(LinkKind):
            raise ValueError("a link has an unknown kind")

    def to_bytes(self) -> bytes:
        """Pack the whole document; `from_bytes` gives an equal one."""
        arrays = self.pages.arrays("pages") | self.blocks.arrays("blocks") | self.links.arrays("links")
        header = {"id": self.id, "name": self.name, "metadata": dataclasses.asdict(self.metadata)}
        return pack(arrays, header)

    @classmethod
    def from_bytes(cls, data: bytes, *, checked: bool = True) -> Document:
        """Unpack and check a document; raise CorpusError (`damaged`) when the bytes are not one.

        Args:
            data: What `to_bytes` returned.
            checked: Whether to verify the tables against each other; false only for bytes whose checksum was verified.
        """
        arrays, header = unpack(data)
        try:
            document = cls(
                id=_text(header["id"]),
                name=_text(header["name"]),
                pages=PageTable.of_arrays(arrays, "pages"),
                blocks=BlockTable.of_arrays(arrays, "blocks"),
                links=LinkTable.of_arrays(arrays, "links"),
                metadata=_metadata(header["metadata"]),
            )
            if checked:
                document.check()
        except (ValueError, TypeError, KeyError) as wrong:
            raise damaged(str(wrong)) from wrong
        return document


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("not a text")
    return value


def _metadata(values: dict[str, Any]) -> Metadata:
    return Metadata(
        title=_text(values["title"]),
        author=_text(values["author"]),
        created=_text(values["created"]),
        has_outline=bool(values["has_outline"]),
        warnings=tuple(_text(item) for item in values["warnings"]),
        damage=_text(values.get("damage", "")),
    )


def _outline(document: Document) -> tuple[Section, ...]:
    """Return the tree of sections, made from the last heading to the first."""
    table = document.blocks
    below: dict[int, list[Section]] = {}
    for row in reversed(table.headings().tolist()):
        end = int(table.end[row])
        under = tuple(reversed(below.pop(row, [])))
        pages = int(table.page[row]), int(table.page[end - 1])
        section = Section(table.text[row], int(table.level[row]), *pages, row, end, under)
        below.setdefault(int(table.parent[row]), []).append(section)
    return tuple(reversed(below.get(-1, [])))


def outline_json(document: Document, *, blocks: bool) -> dict[str, Any]:
    """Return the object that `octavo outline --json` prints."""
    value: dict[str, Any] = {
        "document": document.name,
        "document_id": document.id,
        "pages": len(document.pages),
        "warnings": [*document.metadata.warnings],
        "sections": _sections(document),
    }
    if blocks:
        value["blocks"] = [block_json(document, row) for row in range(len(document.blocks))]
    return value


def _sections(document: Document) -> list[dict[str, Any]]:
    table, top = document.blocks, list[dict[str, Any]]()
    nodes: dict[int, dict[str, Any]] = {}
    for row in table.headings().tolist():
        nodes[row] = {
            "title": table.text[row],
            "level": int(table.level[row]),
            "page": int(table.page[row]),
            "page_label": document.pages.label[int(table.page[row]) - 1],
            "end_page": int(table.page[int(table.end[row]) - 1]),
            "block": f"b{row}",
            "sections": [],
        }
        parent = int(table.parent[row])
        (nodes[parent]["sections"] if parent >= 0 else top).append(nodes[row])
    return top


def block_json(document: Document, row: int) -> dict[str, Any]:
    """Return a block as it stands in an outline."""
    table = document.blocks
    page = int(table.page[row])
    return {
        "block": f"b{row}",
        "kind": table.kind_of(row).label,
        "figure": table.figure_kind_of(row).label or None,
        "page": page,
        "page_label": document.pages.label[page - 1],
        "box": [round(float(value), 1) for value in table.box[row]],
        "level": int(table.level[row]),
        "section": list(table.section_path(row)),
        "text": table.text[row],
        "confidence": round(float(table.confidence[row]), 3),
    }
