"""Blocks in the making, from groups of lines to the rows of the block table.

A draft keeps its lines, and its kind and level stay open until the last step, so that a later step may cut a heading
out of it or join two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from octavo_documents.document import (
    BlockTable,
    Document,
    FigureKind,
    Kind,
    LinkKind,
    LinkTable,
    Metadata,
    PageTable,
    TextColumn,
    nest,
)
from octavo_documents.parsing.content import Box, SourceContent
from octavo_documents.structuring import markers
from octavo_documents.structuring.lines import LineLook, PageLines, common_look
from octavo_documents.structuring.styled_runs import styled
from octavo_documents.text.line_joining import Words, joined


class _Formula:
    """Thresholds for a displayed formula, chosen by hand, and how code is indented."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    CODE_WIDTH = 0.6  # width of a letter of code in ems; a typographic convention
    LONGEST_FORMULA = 120  # characters
    SHORT_FORMULA = 40  # characters of a formula without a symbol besides its relation


_RELATION = re.compile(r"\S\s*[=≈≤≥∝≡→]\s*\S")
_SYMBOL = re.compile(r"[Α-Ωα-ω∑∏∫√∞±×·∂∇∈½⅓¼^|/+−]")
_PLACE = re.compile(r"https?:|www\.|\w@\w")
_LED = re.compile(r"(?:[.·…_]\s?){4,}\s*(?:\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})?\s*\Z")
"""The end of a line of contents: a list of figures has labels, and is no caption."""
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(slots=True, eq=False)
class Draft:
    """A block before the table is built. `lines` are rows of its page's lines; `column` counts columns on the page."""

    kind: Kind
    page: int
    """0-based."""
    text: str
    box: Box
    look: LineLook
    lines: tuple[int, ...] = ()
    confidence: float = 1.0
    level: int = 0
    column: int = 0
    grid: str = ""
    figure: FigureKind = FigureKind.OTHER
    is_from_model: bool = False
    """A layout model says what it is."""
    targets: list[tuple[Draft, int]] = field(default_factory=list["tuple[Draft, int]"])
    """Links to other drafts, each with its `LinkKind`."""
    references: list[tuple[Draft, str, float]] = field(default_factory=list["tuple[Draft, str, float]"])
    """Drafts its text refers to, each with the words that do and how sure the link is (0..1)."""


def draft(kind: Kind, page: PageLines, lines: Sequence[int], words: Words, *, column: int = 0) -> Draft:
    """Return a draft of running text; `lines` are rows of `page` in reading order, at least one."""
    return written(kind, page, lines, joined([page.texts[row] for row in lines], words), column=column)


def written(kind: Kind, page: PageLines, lines: Sequence[int], text: str, *, column: int = 0) -> Draft:
    """Return a draft whose text is given."""
    return Draft(
        kind=kind,
        page=page.index,
        text=text,
        box=page.hull(lines),
        look=common_look([page.looks[row] for row in lines], [len(page.texts[row]) for row in lines]),
        lines=tuple(lines),
        confidence=sum(page.confidences[row] for row in lines) / len(lines),
        column=column,
    )


def running_text(page: PageLines, lines: Sequence[int], words: Words, *, column: int) -> Draft:
    """Return the draft of one group of lines in reading order."""
    block = draft(Kind.PARAGRAPH, page, lines, words, column=column)
    if lines[0] in page.entries:
        block.kind, block.level = Kind.LIST_ITEM, 1
    elif block.look.monospace and " " in block.text:
        block.kind = Kind.CODE
        block.text = _indented(page, lines)
    elif _is_formula(block.text):
        block.kind = Kind.FORMULA
    elif markers.caption(block.text) and not _LED.search(block.text):
        block.kind = Kind.CAPTION
    elif markers.bullet(block.text) or markers.enumeration(block.text) or markers.caption(block.text):
        block.kind, block.level = Kind.LIST_ITEM, 1
    return block


def _is_formula(text: str) -> bool:
    """Return whether it is a displayed formula: short, with a relation, and hardly any words."""
    if len(text) > _Formula.LONGEST_FORMULA or not _RELATION.search(text) or _PLACE.search(text):
        return False
    words = _LONG_WORD.findall(text)
    return len(words) <= 1 and bool(_SYMBOL.search(text) or len(text) < _Formula.SHORT_FORMULA)


def _indented(page: PageLines, lines: Sequence[int]) -> str:
    """Return lines of code with their indentation in spaces, from where they stand."""
    left = min(float(page.places[row, 0]) for row in lines)
    width = _Formula.CODE_WIDTH * max(page.looks[lines[0]].size, 1.0)
    return "\n".join(" " * round((float(page.places[row, 0]) - left) / width) + page.texts[row] for row in lines)


def document_of(content: SourceContent, drafts: Sequence[Draft], words: Words, *, name: str, digest: str) -> Document:
    """Return the document whose blocks are `drafts`, in this order; `words` are those of its text."""
    pages = [page.lines for page in content.pages]
    styles = (styled(one.text, one.look, [pages[one.page][row] for row in one.lines], words) for one in drafts)
    return Document(
        id=f"sha256:{digest.removeprefix('sha256:')}",
        name=name,
        pages=_pages(content),
        blocks=_blocks(drafts, styles),
        links=links_of(drafts),
        metadata=Metadata(
            title=content.title,
            author=content.author,
            created=content.created,
            has_outline=bool(content.outline),
            warnings=content.warnings,
            damage=content.damage,
        ),
    )


def _pages(content: SourceContent) -> PageTable:
    return PageTable(
        label=TextColumn.of(page.label for page in content.pages),
        width=np.array([page.width for page in content.pages]),
        height=np.array([page.height for page in content.pages]),
        is_scanned=np.array([page.is_scanned for page in content.pages], np.bool_),
    )


def _blocks(drafts: Sequence[Draft], styles: Iterable[str]) -> BlockTable:
    kind = np.array([item.kind for item in drafts], np.uint8)
    level = np.array([item.level for item in drafts], np.uint8)
    parent, end = nest(kind, level)
    return BlockTable(
        kind=kind,
        text=TextColumn.of(item.text for item in drafts),
        page=np.array([item.page + 1 for item in drafts], np.int32),
        box=np.array([item.box for item in drafts], np.float32).reshape(len(drafts), 4),
        level=level,
        parent=parent,
        end=end,
        size=np.array([item.look.size if item.text else 0.0 for item in drafts]),
        bold=np.array([item.look.bold for item in drafts], np.bool_),
        italic=np.array([item.look.italic for item in drafts], np.bool_),
        color=np.array([item.look.color for item in drafts], np.uint32),
        confidence=np.array([item.confidence for item in drafts]),
        grid=TextColumn.of(item.grid for item in drafts),
        figure=np.array([item.figure for item in drafts], np.uint8),
        styled=TextColumn.of(styles),
    )


def links_of(drafts: Sequence[Draft]) -> LinkTable:
    """Return the links of a document's blocks, which are its rows in this order."""
    row_of = {id(item): row for row, item in enumerate(drafts)}
    named = [(item, target, kind, 1.0, "") for item in drafts for target, kind in item.targets]
    named.extend(
        (item, target, LinkKind.REFERS_TO, weight, text) for item in drafts for target, text, weight in item.references
    )
    links = [link for link in named if id(link[1]) in row_of and link[0] is not link[1]]
    return LinkTable(
        source=np.array([row_of[id(link[0])] for link in links], np.int32),
        target=np.array([row_of[id(link[1])] for link in links], np.int32),
        kind=np.array([link[2] for link in links], np.uint8),
        weight=np.array([link[3] for link in links], np.float32),
        text=TextColumn.of(link[4] for link in links),
    )
