"""The deck's true structure, read off its source, in the same form as the handbook's. Pages are physical, from 1."""

from __future__ import annotations

from typing import Any

from .slides import FOOTER, SLIDES, TITLE, Bullets, Caption, Chart, Diagram, Grid, Lines, Part, Slide


def golden() -> dict[str, Any]:
    """Return pages, labels, sections (one to a slide), blocks, tables, figures, captions and furniture."""
    slides = list(enumerate(SLIDES, start=1))
    placed = [(page, slide, part) for page, slide in slides for part in slide.parts]
    captions = [(page, part.text) for page, _, part in placed if isinstance(part, Caption)]
    return {
        "title": TITLE,
        "pages": len(slides),
        "labels": [str(page) for page, _ in slides],
        "sections": [
            {"title": slide.title, "number": "", "level": 1, "page": page, "end_page": page} for page, slide in slides
        ],
        "blocks": [row for page, slide in slides for row in _blocks(page, slide)],
        "tables": [_table(page, slide, part) for page, slide, part in placed if isinstance(part, Grid)],
        "figures": [_figure(page, slide, part) for page, slide, part in placed if isinstance(part, Chart | Diagram)],
        "captions": [{"page": page, "text": text, "of": ""} for page, text in captions],
        "footnotes": [],
        "contents": [],
        "references": [],
        "hyphenated": [],
        "furniture": [
            {"page": page, "place": "footer", "text": text} for page, _ in slides[1:] for text in (FOOTER, str(page))
        ],
        "two_column_pages": [],
    }


def _blocks(page: int, slide: Slide) -> list[dict[str, Any]]:
    head = {"kind": "title" if page == 1 else "heading", "text": slide.title}
    rows = [head, *(row for part in slide.parts for row in _rows(part))]
    return [{**row, "page": page, "end_page": page, "section": [slide.title]} for row in rows]


def _rows(part: Part) -> list[dict[str, Any]]:
    if isinstance(part, Lines):
        return [{"kind": "paragraph", "text": text} for text in part.texts]
    if isinstance(part, Bullets):
        return [
            {"kind": "list_item", "text": text, "marker": f"{number}." if part.ordered else "•–"[depth], "depth": depth}
            for number, (depth, text) in enumerate(part.items, start=1)
        ]
    if isinstance(part, Caption):
        return [{"kind": "caption", "text": part.text}]
    kind = {Grid: "table", Chart: "chart", Diagram: "figure"}[type(part)]
    return [{"kind": kind, "text": " ".join(part.header) if isinstance(part, Grid) else ""}]


def _table(page: int, slide: Slide, part: Grid) -> dict[str, Any]:
    cells = {"header": list(part.header), "rows": [list(row) for row in part.rows]}
    return {"number": "", "page": page, "end_page": page, "look": "ruled", "section": [slide.title]} | cells


def _figure(page: int, slide: Slide, part: Chart | Diagram) -> dict[str, Any]:
    if isinstance(part, Chart):
        values = {"kind": "chart", "values": dict(part.values)}
    else:
        values = {"kind": "figure", "values": dict(part.boxes)}
    return {"number": "", "page": page, "section": [slide.title], **values}
