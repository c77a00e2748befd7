"""The example documents are what their golden files say, as read by pdfium alone."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest

import make_deck
import make_handbook

EXAMPLES = Path(__file__).parent.parent / "examples"
QUESTIONS = [json.loads(line) for line in (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
FIELDS = {"id", "document", "kind", "question", "answers", "items", "pages", "evidence_pages", "note"}
KINDS = {"text", "table", "figure", "list", "yes/no", "section", "overview", "unanswerable"}
DERIVED = ("counted", "worked out")


@cache
def golden(name: str) -> dict[str, Any]:
    return json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))


def page_texts(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as document:
        return [page.get_textpage().get_text_range() for page in document]


def labels(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as document:
        return [document.get_page_label(index) for index in range(len(document))]


def outline(path: Path) -> list[tuple[str, int, int]]:
    """Return (title, level, page) of each entry of the PDF's own outline."""
    with pypdfium2.PdfDocument(path) as document:
        entries = [(item.get_title(), item.level + 1, item.get_dest().get_index() + 1) for item in document.get_toc()]
    return [(squeeze(title), level, page) for title, level, page in entries]


def squeeze(text: str) -> str:
    """Drop spaces and hyphens and unify case: what stays the same however a text is broken into lines."""
    # pdfium gives U+FFFE for a hyphen at the end of a line.
    return re.sub("[\\s\u00a0\u00ad\ufffe-]", "", text).lower()


@cache
def squeezed(page: int) -> str:
    return squeeze(HANDBOOK_TEXTS[page - 1])


HANDBOOK = EXAMPLES / "handbook.pdf"
DECK = EXAMPLES / "deck.pdf"
HANDBOOK_TEXTS = page_texts(HANDBOOK)


def test_the_handbook_has_the_stated_pages_and_labels() -> None:
    assert len(HANDBOOK_TEXTS) == golden("handbook")["pages"] == 44
    assert labels(HANDBOOK) == golden("handbook")["labels"]
    assert labels(HANDBOOK)[5:8] == ["vi", "1", "2"]


def test_the_outline_names_every_section_and_its_page() -> None:
    sections = golden("handbook")["sections"]
    assert outline(HANDBOOK) == [(squeeze(s["number"] + s["title"]), s["level"], s["page"]) for s in sections]
    assert {section["level"] for section in sections} == {1, 2, 3}


def test_every_section_title_stands_on_its_page() -> None:
    for section in golden("handbook")["sections"]:
        assert squeeze(section["number"] + section["title"]) in squeezed(section["page"])


def test_sections_nest_in_their_pages() -> None:
    open_sections: list[dict[str, Any]] = []
    for section in golden("handbook")["sections"]:
        open_sections = [*open_sections[: section["level"] - 1], section]
        assert len(open_sections) == section["level"]
        assert section["page"] <= section["end_page"] <= open_sections[0]["end_page"]


@pytest.mark.parametrize("group", ["captions", "footnotes", "contents", "references", "furniture"])
def test_small_texts_stand_on_their_pages(group: str) -> None:
    rows = golden("handbook")[group]
    assert rows
    assert not [row for row in rows if squeeze(row["text"]) not in squeezed(row["page"])]


def test_blocks_begin_on_their_pages_in_reading_order() -> None:
    # Formulas are drawn with raised and lowered signs, which pdfium orders as it likes; tables are tested below.
    blocks = [block for block in golden("handbook")["blocks"] if block["kind"] not in ("formula", "table")]
    # The number of a footnote, drawn inside the text, is not part of a block's text: compare what precedes it.
    assert not [block for block in blocks if squeeze(block["text"][:25]) not in squeezed(block["page"])]
    assert [block["page"] for block in blocks] == sorted(block["page"] for block in blocks)


def test_tables_hold_their_cells_and_repeat_their_header() -> None:
    broken = 0
    for table in golden("handbook")["tables"]:
        pages = range(table["page"], table["end_page"] + 1)
        text = "".join(squeezed(page) for page in pages)
        assert not [cell for row in table["rows"] for cell in row if squeeze(cell) not in text]
        assert all(squeeze("".join(table["header"])) in squeezed(page) for page in pages)
        broken += len(pages) > 1
    assert broken == 2


def test_words_broken_at_a_line_end_are_broken_in_the_pdf() -> None:
    for row in golden("handbook")["hyphenated"]:
        word = row["word"]
        broken = "|".join(f"{word[:cut]}[\ufffe-]\\s*{word[cut:]}" for cut in range(2, len(word) - 1))
        assert re.search(broken, HANDBOOK_TEXTS[row["page"] - 1])


def test_printed_contents_give_the_labels_of_the_sections() -> None:
    contents = "".join(squeezed(page) for page in (4, 5, 6))
    for section in golden("handbook")["sections"][3:]:
        label = golden("handbook")["labels"][section["page"] - 1]
        assert re.search(re.escape(squeeze(section["number"] + section["title"])) + r"\.*" + label, contents)


def test_fonts_and_sizes_stay_modest() -> None:
    assert HANDBOOK.stat().st_size < 600_000
    assert DECK.stat().st_size < 1_500_000
    assert b"/FontFile" not in HANDBOOK.read_bytes()


def test_the_handbook_is_made_again_as_it_is(tmp_path: Path) -> None:
    again = tmp_path / "handbook.pdf"
    make_handbook.write(again)
    assert json.loads(again.with_suffix(".json").read_text(encoding="utf-8")) == golden("handbook")
    assert page_texts(again) == HANDBOOK_TEXTS
    assert (labels(again), outline(again)) == (labels(HANDBOOK), outline(HANDBOOK))


def test_without_outline_only_the_outline_is_missing(tmp_path: Path) -> None:
    bare = tmp_path / "bare.pdf"
    make_handbook.write(bare, outline=False)
    assert outline(bare) == []
    assert page_texts(bare) == HANDBOOK_TEXTS
    assert json.loads(bare.with_suffix(".json").read_text(encoding="utf-8")) == golden("handbook")


def test_the_deck_has_pictures_and_no_text() -> None:
    assert len(page_texts(DECK)) == golden("deck")["pages"] == 10
    assert set(page_texts(DECK)) == {""}
    with pypdfium2.PdfDocument(DECK) as document:
        kinds = [[item.type for item in page.get_objects()] for page in document]
    assert kinds == [[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]] * 10


def thumbnails(path: Path) -> list[np.ndarray[Any, np.dtype[np.float64]]]:
    with pypdfium2.PdfDocument(path) as document:
        return [page.render(scale=0.5, grayscale=True).to_numpy().astype(np.float64) for page in document]


def test_the_deck_is_made_again_as_it_is(tmp_path: Path) -> None:
    again = tmp_path / "deck.pdf"
    make_deck.write(again)
    assert json.loads(again.with_suffix(".json").read_text(encoding="utf-8")) == golden("deck")
    # Two versions of Pillow may round a pixel differently, but no stroke may move.
    assert max(np.abs(a - b).mean() for a, b in zip(thumbnails(again), thumbnails(DECK), strict=True)) < 1.0


def test_questions_have_known_fields_and_are_of_every_kind() -> None:
    assert all(set(row) <= FIELDS for row in QUESTIONS)
    assert {row["kind"] for row in QUESTIONS} == KINDS
    assert len({row["id"] for row in QUESTIONS}) == len(QUESTIONS) >= 30


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["id"])
def test_a_question_is_answered_on_its_pages(row: dict[str, Any]) -> None:
    name = Path(row["document"]).stem
    sufficient, needed = row.get("pages", []), row.get("evidence_pages", [])
    assert all(1 <= page <= golden(name)["pages"] for page in (*sufficient, *needed))
    assert bool(sufficient) + bool(needed) == (row["kind"] != "unanswerable")
    if row["kind"] in ("yes/no", "unanswerable") or row.get("note", "").startswith(DERIVED):
        return
    for pages in ([page] for page in sufficient) if sufficient else [needed]:
        text = "".join(squeezed(page) if name == "handbook" else deck_text(page) for page in pages)
        assert is_told(row, text), pages


def is_told(row: dict[str, Any], text: str) -> bool:
    """Return whether every item, or else any of the answers, stands in a squeezed text."""
    wanted = [item.split(" / ") for item in row.get("items", [])] or [row["answers"]]
    return all(any(squeeze(part).removesuffix("%") in text for part in parts) for parts in wanted)


def deck_text(page: int) -> str:
    groups = [golden("deck")[group] for group in ("blocks", "tables", "figures")]
    return squeeze(json.dumps([row for rows in groups for row in rows if row["page"] == page], ensure_ascii=False))


def test_questions_without_an_answer_are_of_documents_that_are_there_and_each_asked_once() -> None:
    lines = (EXAMPLES / "unanswerable.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows) == 60
    assert all((EXAMPLES / row["document"]).is_file() and row["kind"] in KINDS for row in rows)
    assert not any(row["answers"] or row["pages"] or row.keys() - FIELDS for row in rows)
    assert {row["question"] for row in rows}.isdisjoint(row["question"] for row in QUESTIONS)
