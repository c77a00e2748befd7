"""The example documents, whose structure is known because they are made from source, as they come out of a PDF."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headings as benchmark
from octavo.models import recognizer
from octavo_documents.document import Document, Kind, LinkKind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.content import SourceContent
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure

EXAMPLES = Path(__file__).parents[3] / "examples"


@dataclass(frozen=True)
class Example:
    """A structured example and what is truly in it."""

    document: Document
    truth: dict[str, Any]

    def texts(self, page: int, *kinds: Kind) -> list[str]:
        blocks, rows = self.document.blocks, self.document.on_page(page)
        return [plain(blocks.text[row]) for row in range(rows.start, rows.stop) if blocks.kind_of(row) in kinds]


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


@cache
def handbook_content() -> SourceContent:
    return extract(EXAMPLES / "handbook.pdf")


@cache
def handbook(*, outline: bool) -> Example:
    content = handbook_content() if outline else replace(handbook_content(), outline=())
    return _example(content, "handbook")


@cache
def deck() -> Example:
    return _example(extract(EXAMPLES / "deck.pdf", recognize=recognizer().read), "deck")


def _example(content: SourceContent, name: str) -> Example:
    document = structure(content, name=f"{name}.pdf", digest="0" * 64)
    document.check()
    return Example(document, json.loads((EXAMPLES / f"{name}.json").read_text("utf-8")))


def sections(example: Example) -> benchmark.Score:
    """Found sections against true ones; the document's title counts as found only when it is a section too."""
    true = [
        benchmark.Section(f"{item['number']} {item['title']}".strip(), item["level"], item["page"])
        for item in example.truth["sections"]
    ]
    title = plain(example.truth["title"])
    is_section = any(plain(item.title) == title for item in true)
    found = [item for item in benchmark.sections_of(example.document) if item.level or is_section]
    return benchmark.compare([replace(item, level=item.level or 1) for item in found], true)


@pytest.mark.parametrize(("outline", "least"), [(True, 0.99), (False, 0.97)])
def test_the_sections_of_the_handbook_are_found_with_their_levels(outline: bool, least: float) -> None:
    score = sections(handbook(outline=outline))
    assert score.f1 >= least, (score.missed, score.extra)
    assert score.levels >= least


def test_every_slide_of_the_scanned_deck_has_its_title() -> None:
    score = sections(deck())
    assert score.f1 >= 0.95, (score.missed, score.extra)
    assert score.levels == 1.0


def test_the_title_is_whole_although_the_cover_sets_it_in_two_sizes() -> None:
    example = handbook(outline=False)
    assert example.texts(1, Kind.TITLE) == [plain(example.truth["title"])]


@pytest.mark.parametrize("place", ["header", "footer"])
def test_headers_and_footers_of_the_handbook_are_told_exactly(place: str) -> None:
    example = handbook(outline=False)
    kind = Kind.PAGE_HEADER if place == "header" else Kind.PAGE_FOOTER
    for page in range(1, example.truth["pages"] + 1):
        true = [
            plain(item["text"]) for item in example.truth["furniture"] if (item["page"], item["place"]) == (page, place)
        ]
        assert sorted(example.texts(page, kind)) == sorted(true), page


def test_nearly_all_footers_of_the_scanned_deck_are_told() -> None:
    example = deck()
    true = [(item["page"], plain(item["text"])) for item in example.truth["furniture"]]
    found = [(page, text) for page in range(1, 11) for text in example.texts(page, Kind.PAGE_FOOTER)]
    assert len(set(found) & set(true)) >= 0.85 * len(true)
    assert not set(found) - set(true)


def test_paragraphs_come_in_the_order_they_were_written_also_in_two_columns() -> None:
    example = handbook(outline=False)
    whole = "".join("".join(example.texts(page, *Kind)) for page in example.truth["two_column_pages"])
    starts = [
        whole.find(plain(item["text"])[:50])
        for item in example.truth["blocks"]
        if item["page"] in example.truth["two_column_pages"] and item["kind"] in ("paragraph", "heading")
    ]
    assert len(starts) > 8
    assert min(starts) >= 0
    assert starts == sorted(starts)


def test_most_paragraphs_are_one_block_from_their_first_word() -> None:
    example = handbook(outline=False)
    true = [item for item in example.truth["blocks"] if item["kind"] == "paragraph" and item["page"] > 1]
    found = {page: example.texts(page, Kind.PARAGRAPH) for page in range(1, example.truth["pages"] + 1)}
    whole = sum(any(text.startswith(plain(item["text"])[:60]) for text in found[item["page"]]) for item in true)
    assert whole >= 0.97 * len(true)


def test_words_broken_at_line_ends_are_whole() -> None:
    example = handbook(outline=False)
    for item in example.truth["hyphenated"]:
        assert any(item["word"].lower() in text.lower() for text in example.document.blocks.text), item


def _grids(example: Example, first: int, last: int) -> list[list[list[str]]]:
    blocks = example.document.blocks
    chosen = np.flatnonzero((blocks.kind == Kind.TABLE) & (blocks.page >= first) & (blocks.page <= last)).tolist()
    return [[[plain(cell) for cell in row] for row in Grid.from_json(blocks.grid[at]).rows()] for at in chosen]


def test_the_rows_of_all_tables_are_read_cell_by_cell() -> None:
    example = handbook(outline=False)
    right = total = 0
    for table in example.truth["tables"]:
        found = [row for grid in _grids(example, table["page"], table["end_page"]) for row in grid]
        # The source of a table over a page break does not say its header.
        for row in filter(any, [table["header"], *table["rows"]]):
            total += 1
            right += [plain(cell) for cell in row] in found
    assert total > 100
    assert right == total


def test_the_header_of_a_table_is_printed_again_after_the_page_break_and_no_row() -> None:
    example = handbook(outline=False)
    blocks = example.document.blocks
    for table in (table for table in example.truth["tables"] if table["end_page"] > table["page"]):
        chosen = np.flatnonzero((blocks.kind == Kind.TABLE) & np.isin(blocks.page, (table["page"], table["end_page"])))
        parts = [Grid.from_json(blocks.grid[at]) for at in chosen.tolist()]
        assert sum(part.height - part.header_rows for part in parts) == len(table["rows"])
        assert [part.repeated for part in parts] == [0, 1]


def test_a_table_over_the_page_break_is_linked_to_its_beginning() -> None:
    example = handbook(outline=False)
    broken = [table for table in example.truth["tables"] if table["end_page"] > table["page"]]
    links, blocks = example.document.links, example.document.blocks
    joined = {
        (int(blocks.page[int(links.target[at])]), int(blocks.page[int(links.source[at])]))
        for at in np.flatnonzero(links.kind == LinkKind.CONTINUES).tolist()
        if blocks.kind_of(int(links.source[at])) == Kind.TABLE
    }
    assert broken
    assert {(table["page"], table["end_page"]) for table in broken} <= joined


def test_tables_on_scanned_slides_are_tables() -> None:
    example = deck()
    for table in example.truth["tables"]:
        cells = {cell for grid in _grids(example, table["page"], table["page"]) for row in grid for cell in row}
        true = [plain(cell) for row in [table["header"], *table["rows"]] for cell in row]
        assert sum(cell in cells for cell in true) >= 0.9 * len(true)


def test_figures_and_charts_are_found_where_they_stand() -> None:
    example = handbook(outline=False)
    blocks = example.document.blocks
    for figure in example.truth["figures"]:
        x0, y0, x1, y1 = figure["box"]
        middles = [
            ((float(box[0]) + float(box[2])) / 2, (float(box[1]) + float(box[3])) / 2)
            for box in blocks.box[(blocks.page == figure["page"]) & np.isin(blocks.kind, (Kind.FIGURE, Kind.CHART))]
        ]
        assert any(x0 < x < x1 and y0 < y < y1 for x, y in middles), figure["number"]


def test_captions_name_their_tables_and_figures() -> None:
    example = handbook(outline=False)
    labelled = [item for item in example.truth["captions"] if item["of"]]
    texts, links = example.document.blocks.text, example.document.links
    sources = {plain(texts[int(links.source[at])]) for at in np.flatnonzero(links.kind == LinkKind.CAPTION_OF).tolist()}
    linked = sum(any(text.startswith(plain(item["text"])[:40]) for text in sources) for item in labelled)
    assert linked >= 0.95 * len(labelled)


def test_footnotes_are_told_and_linked() -> None:
    example = handbook(outline=False)
    for note in example.truth["footnotes"]:
        assert any(plain(note["text"])[:60] in text for text in example.texts(note["page"], Kind.FOOTNOTE)), note
    assert int((example.document.links.kind == LinkKind.FOOTNOTE_OF).sum()) == len(example.truth["footnotes"])


def test_entries_of_the_contents_are_no_sections() -> None:
    example = handbook(outline=False)
    pages = {item["page"] for item in example.truth["contents"]}
    for page in pages:
        assert len(example.texts(page, Kind.HEADING)) <= 2
