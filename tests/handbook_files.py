"""The example handbook in other formats, written from what is truly in it by libraries that are none of Octavo's."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any

import docx
import odfdo
import pytest
from pptx import Presentation
from pptx.util import Inches

import office_files
from handbook import golden as source
from handbook.build import build


@cache
def golden() -> dict[str, Any]:
    """Return what is in the handbook as `handbook.json` has it, with whole texts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "TEXT_START", sys.maxsize)
        return source.golden(build())


@dataclass(frozen=True)
class Part:
    """A block of the handbook; `level` is that of a heading or an item, from 1, and `rows` those of a table."""

    kind: str
    text: str
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


@cache
def parts() -> tuple[Part, ...]:
    """Return the handbook's blocks in order."""
    sections, tables, notes = iter(golden()["sections"]), iter(golden()["tables"]), [*golden()["footnotes"]]
    last = {block["page"]: block for block in golden()["blocks"] if block["kind"] == "paragraph"}
    found: list[Part] = []
    for block in golden()["blocks"]:
        text, level, rows = " ".join(block["text"].split()), 0, ()
        if block["kind"] == "heading":
            level = next(sections)["level"]
        elif block["kind"] == "list_item":
            level, text = block["depth"] + 1, text if block["marker"] == "•" else f"{block['marker']} {text}"
        elif block["kind"] == "table":
            table = next(tables)
            rows = tuple(tuple(row) for row in [table["header"], *table["rows"]] if any(row))
        elif block["kind"] == "code":
            text = block["text"]
        if text or rows:
            found.append(Part(block["kind"], text, level, rows))
        while notes and block is last[notes[0]["page"]]:
            found.append(Part("footnote", notes.pop(0)["text"]))
    return tuple(found)


def as_docx() -> bytes:
    made = docx.Document()
    for part in parts():
        if part.rows:
            table = made.add_table(len(part.rows), max(map(len, part.rows)))
            for at, row in enumerate(part.rows):
                for column, text in enumerate(row):
                    table.cell(at, column).text = text
        elif part.kind in ("title", "heading"):
            made.add_heading(part.text, part.level)
        elif part.kind == "list_item":
            made.add_paragraph(part.text, style="List Bullet" if part.level == 1 else "List Bullet 2")
        else:
            made.add_paragraph(part.text, style="Caption" if part.kind == "caption" else None)
    return _saved(made.save)


def as_odt() -> bytes:
    made = odfdo.Document("text")
    made.body.clear()
    for part in parts():
        if part.rows:
            table = odfdo.Table("t")
            for row in part.rows:
                table.append_row(_row(row))
            made.body.append(table)
        elif part.kind == "heading":
            heading = odfdo.Header(part.level, part.text)
            heading.set_attribute("text:is-list-header", "true")  # the template numbers headings
            made.body.append(heading)
        elif part.kind == "list_item":
            items = odfdo.List([part.text]) if part.level == 1 else odfdo.List(odfdo.ListItem(odfdo.List([part.text])))
            made.body.append(items)
        else:
            made.body.append(odfdo.Paragraph(part.text, style="Title" if part.kind == "title" else "Standard"))
    return _saved(made.save)


def _row(texts: tuple[str, ...]) -> odfdo.Row:
    row = odfdo.Row()
    for text in texts:
        row.append_cell(odfdo.Cell(text))
    return row


def as_html() -> bytes:
    body = "".join(_html(part) for part in parts())
    return f"<!doctype html><html><head><meta charset=utf-8></head><body>{body}</body></html>".encode()


def _html(part: Part) -> str:
    if part.rows:
        names = ["th", *["td"] * len(part.rows)]
        rows = (
            "".join(f"<{name}>{escape(text)}</{name}>" for text in row)
            for name, row in zip(names, part.rows, strict=False)
        )
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
    if part.kind in ("title", "heading"):
        return f"<h{part.level + 1}>{escape(part.text)}</h{part.level + 1}>"
    if part.kind == "list_item":
        return f"{'<ul>' * part.level}<li>{escape(part.text)}</li>{'</ul>' * part.level}"
    if part.kind == "footnote":
        return f'<aside role="doc-footnote">{escape(part.text)}</aside>'
    name = {"code": "pre", "caption": "figcaption"}.get(part.kind, "p")
    return f"<{name}>{escape(part.text)}</{name}>"


def as_epub() -> bytes:
    files: dict[str, str] = {}
    nav = ""
    for number, chapter in enumerate(_chapters()):
        name = f"{number}.xhtml"
        files[name] = "".join(map(_html, chapter))
        nav += f'<li><a href="{name}">{escape(chapter[0].text)}</a></li>'
    return office_files.epub(files, nav=f'<nav epub:type="toc"><ol>{nav}</ol></nav>')


def _chapters() -> Iterator[list[Part]]:
    chapter: list[Part] = []
    for part in parts():
        if part.kind == "heading" and part.level == 1:
            yield chapter
            chapter = []
        chapter.append(part)
    yield chapter


def as_pptx() -> bytes:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[0])
    at = 1.0
    for part in parts():
        if part.kind in ("title", "heading"):
            at = 1.5
            slide = slide if part.kind == "title" else made.slides.add_slide(made.slide_layouts[5])
            slide.shapes.title.text = part.text
        elif part.rows:
            size = (len(part.rows), max(map(len, part.rows)))
            table = slide.shapes.add_table(*size, Inches(0.5), Inches(at), Inches(9), Inches(0.3)).table
            for row, texts in enumerate(part.rows):
                for column, text in enumerate(texts):
                    table.cell(row, column).text = text
            at += 0.4
        else:
            box = slide.shapes.add_textbox(Inches(0.5), Inches(at), Inches(9), Inches(0.3))
            box.text_frame.text = part.text
            at += 0.4
    return _saved(made.save)


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    kept = io.BytesIO()
    save(kept)
    return kept.getvalue()


FORMATS: Mapping[str, Callable[[], bytes]] = {
    ".docx": as_docx,
    ".odt": as_odt,
    ".html": as_html,
    ".epub": as_epub,
    ".pptx": as_pptx,
}
