"""Drafts of the generated library as files: PDF, Word, HTML, Markdown and plain text, one draft always the same bytes.

Writing a PDF sets the page of each fact. The other formats have no pages of their own, so their facts have none.
"""

from __future__ import annotations

import datetime
import html
import io
import random
import re
import textwrap
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import docx
from docx.enum.text import WD_BREAK
from library_texts import Block, Draft
from reportlab.lib import colors, pagesizes
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageBreak, PageTemplate, Paragraph, Spacer, Table

_SCRIPTS = "HeiseiMin-W3"
"""A font that every reader has, with the letters of Greek and Japanese names."""
_OTHER_SCRIPTS = re.compile(r"[Ͱ-Ͽ぀-ヿ一-鿿][Ͱ-Ͽ぀-ヿ一-鿿. ]*")
_FACES = (("Helvetica", "Helvetica-Bold"), ("Times-Roman", "Times-Bold"), ("Times-Roman", "Helvetica-Bold"))
_MIDNIGHT = (1980, 1, 1, 0, 0, 0)


def write(draft: Draft, path: Path, seed: int) -> int | None:
    """Write a draft as its file name says, and return how many pages it has, where it has pages."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".pdf":
        return _Pages(draft, path, random.Random(f"{seed} pages {draft.plan.key}")).write()
    if path.suffix == ".docx":
        path.write_bytes(_word(draft))
    else:
        path.write_text(_WRITERS[path.suffix](draft), "utf-8")
    return None


class _Pages(BaseDocTemplate):
    """A PDF that notes on which page each block comes to stand."""

    def __init__(self, draft: Draft, path: Path, source: random.Random) -> None:
        self._draft = draft
        self._plain, self._bold = source.choice(_FACES)
        self._size = source.choice((9.5, 10, 10.5, 11))
        self._has_lines, self._is_numbered = source.random() < 0.5, source.random() < 0.8
        self._facts_of: dict[int, Block] = {}
        self._is_cover_bare = draft.style == "words"
        size = pagesizes.letter if draft.plan.issuer["regime"] == "us" else pagesizes.A4
        margin = source.choice((20, 24, 28)) * mm
        super().__init__(str(path), pagesize=size, invariant=1, author=draft.author, title=self._named(source))
        frame = Frame(margin, margin, size[0] - 2 * margin, size[1] - 2 * margin - 6 * mm)
        self.addPageTemplates(PageTemplate("page", [frame], onPage=self._around))

    def _named(self, source: random.Random) -> str:
        """Return the title in the metadata, which is often that of another file."""
        return source.choice((self._draft.title, self._draft.title, "", "untitled", "Microsoft Word - Document1"))

    def write(self) -> int:
        pdfmetrics.registerFont(UnicodeCIDFont(_SCRIPTS))
        self.build(list(self._flowables()))
        return self.page

    def _around(self, canvas: Any, _: Any) -> None:
        """Draw running header and page number; a cover with the name left out has neither."""
        width, height = self.pagesize
        if self._is_cover_bare and canvas.getPageNumber() == 1:
            return
        canvas.saveState()
        canvas.setFont(self._plain, 8)
        canvas.drawString(20 * mm, height - 14 * mm, self._draft.header)
        if self._is_numbered:
            canvas.drawCentredString(width / 2, 11 * mm, str(canvas.getPageNumber()))
        canvas.restoreState()

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802  (the name is reportlab's)
        """Note the page of the facts in what was drawn."""
        block = self._facts_of.get(id(flowable))
        for fact in block.facts if block else ():
            fact.page = self.page

    def _flowables(self) -> Iterator[Flowable]:
        has_cover = any(block.shape == "break" for block in self._draft.blocks)
        if has_cover:
            yield Spacer(1, 70 * mm)
        for block in self._draft.blocks:
            if block.shape == "break":
                yield PageBreak()
                continue
            made = self._table(block.rows) if block.shape == "table" else self._paragraph(block)
            self._facts_of[id(made)] = block
            yield made

    def _paragraph(self, block: Block) -> Paragraph:
        size = {"title": 17, "subtitle": 12, "heading": self._size + 2}.get(block.shape, self._size)
        is_bold = block.shape in {"title", "heading"}
        style = ParagraphStyle(
            block.shape,
            fontName=self._bold if is_bold else self._plain,
            fontSize=size,
            leading=size * 1.32,
            spaceBefore=size * 0.8 if is_bold else 0,
            spaceAfter=size * 0.6,
            keepWithNext=block.shape == "heading",
            leftIndent=12 if block.shape == "item" else 0,
            alignment=1 if block.shape in {"title", "subtitle"} else 0,
            splitLongWords=0,
            allowOrphans=0,
            bulletIndent=2,
        )
        text = _OTHER_SCRIPTS.sub(lambda found: f'<font name="{_SCRIPTS}">{found[0]}</font>', html.escape(block.text))
        made = Paragraph(text, style, bulletText="•" if block.shape == "item" else None)
        made.split = lambda width, height: []  # A paragraph stands on one page, so that its facts do.
        return made

    def _table(self, rows: list[list[str]]) -> Table:
        style: list[tuple[Any, ...]] = [
            ("FONT", (0, 0), (-1, 0), self._bold, self._size),
            ("FONT", (0, 1), (-1, -1), self._plain, self._size),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("LINEBELOW", (0, 0), (-1, 0), 0.7, colors.black),
            ("TOPPADDING", (0, 0), (-1, -1), 1.5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
        ]
        if self._has_lines:
            style.append(("INNERGRID", (0, 0), (-1, -1), 0.25, colors.grey))
        widths = [78 * mm] + [32 * mm] * (len(rows[0]) - 1)
        return Table(rows, widths, style=style, hAlign="LEFT", splitByRow=0, spaceBefore=4, spaceAfter=10)


def _word(draft: Draft) -> bytes:
    """Return a Word file with styles, a running header and properties."""
    made = docx.Document()
    made.core_properties.author = draft.author
    made.core_properties.title = draft.title if draft.style in {"cover", "metadata"} else ""
    made.core_properties.created = made.core_properties.modified = _at(draft)
    made.core_properties.last_modified_by = ""
    made.core_properties.comments = ""
    if draft.header:
        made.sections[0].header.paragraphs[0].text = draft.header
    for block in draft.blocks:
        _add(made, block)
    packed = io.BytesIO()
    made.save(packed)
    return _same_times(packed.getvalue())


def _at(draft: Draft) -> datetime.datetime:
    return datetime.datetime.combine(draft.plan.date, datetime.time(9, 30))


def _add(made: Any, block: Block) -> None:
    styles = {"title": "Title", "subtitle": "Subtitle", "heading": "Heading 1", "item": "List Bullet"}
    if block.shape == "break":
        made.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    elif block.shape == "table":
        table = made.add_table(len(block.rows), len(block.rows[0]), style="Table Grid")
        for row, cells in zip(table.rows, block.rows, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
    else:
        made.add_paragraph(block.text, style=styles.get(block.shape))


def _same_times(packed: bytes) -> bytes:
    """Return an archive whose parts all have one time, so that it does not depend on when it was made."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as read, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as written:
        for part in read.infolist():
            written.writestr(zipfile.ZipInfo(part.filename, _MIDNIGHT), read.read(part), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _html(draft: Draft) -> str:
    tags = {"title": "h1", "subtitle": "p class=subtitle", "heading": "h2", "item": "li"}
    body: list[str] = []
    for block in draft.blocks:
        if block.shape == "break":
            body.append("<hr>")
        elif block.shape == "table":
            rows = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in block.rows]
            body.append("<table>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>")
        else:
            tag = tags.get(block.shape, "p")
            body.append(f"<{tag}>{html.escape(block.text)}</{tag.split()[0]}>")
    lists = re.sub(r"((?:<li>.*</li>\n?)+)", r"<ul>\n\1</ul>\n", "\n".join(body) + "\n")
    author = f'<meta name="author" content="{html.escape(draft.author)}">\n' if draft.author else ""
    head = f'<meta charset="utf-8">\n{author}<title>{html.escape(draft.title)}</title>'
    return f"<!DOCTYPE html>\n<html>\n<head>\n{head}\n</head>\n<body>\n{lists}</body>\n</html>\n"


def _markdown(draft: Draft) -> str:
    """Return Markdown; a deck has a line between slides."""
    marks = {"title": "# ", "heading": "---\n\n## " if draft.has_slides else "## ", "item": "- "}
    parts: list[str] = []
    for block in draft.blocks:
        if block.shape == "table":
            lines = [" | ".join(row) for row in block.rows]
            lines.insert(1, " | ".join("---" for _ in block.rows[0]))
            parts.append("\n".join(f"| {line} |" for line in lines))
        elif block.shape != "break":
            parts.append(f"{marks.get(block.shape, '')}{block.text}")
    return re.sub(r"(?m)^(- .*)\n\n(?=- )", r"\1\n", "\n\n".join(parts)) + "\n"


def _text(draft: Draft) -> str:
    """Return plain text in lines of 78 characters."""
    parts: list[str] = []
    for block in draft.blocks:
        if block.shape == "table":
            parts.append("\n".join(f"{row[0]:<40}" + "".join(f"{cell:>16}" for cell in row[1:]) for row in block.rows))
        elif block.shape == "heading":
            parts.append(block.text.upper())
        elif block.shape == "item":
            parts.append(textwrap.fill(block.text, 74, initial_indent="  * ", subsequent_indent="    "))
        elif block.shape != "break":
            parts.append(textwrap.fill(block.text, 78))
    return "\n\n".join(parts) + "\n"


_WRITERS: dict[str, Callable[[Draft], str]] = {".html": _html, ".md": _markdown, ".txt": _text}
