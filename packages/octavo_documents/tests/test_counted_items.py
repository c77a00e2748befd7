"""Lists whose numbers have no mark after them, in PDFs and in text files."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import ListFlowable, ListItem, Paragraph, SimpleDocTemplate, Spacer

from octavo_documents.document import Kind
from octavo_documents.parsing.pdf import extract
from octavo_documents.parsing.plain import read
from octavo_documents.structuring import structure

SAID = "Open the valve of the tank and wait until the lamp is out."


def kinds(path: Path, texts: list[str], **how: object) -> list[Kind]:
    """Return the kinds of the blocks that a list in a PDF becomes, between two paragraphs."""
    style = getSampleStyleSheet()["Normal"]
    items = ListFlowable([ListItem(Paragraph(text, style)) for text in texts], **how)
    SimpleDocTemplate(str(path)).build(
        [Paragraph("Do this:", style), items, Spacer(1, 30), Paragraph("That is all.", style)]
    )
    blocks = structure(extract(path), name="a.pdf", digest="0" * 64).blocks
    return [Kind(int(kind)) for kind in blocks.kind]


@pytest.mark.parametrize("start", [1, 8])
def test_numbers_that_count_on_are_items(tmp_path: Path, start: int) -> None:
    found = kinds(tmp_path / "a.pdf", [SAID] * 6, bulletType="1", start=start)
    assert found == [Kind.PARAGRAPH, *[Kind.LIST_ITEM] * 6, Kind.PARAGRAPH]


def test_numbers_that_do_not_count_on_are_none(tmp_path: Path) -> None:
    style = getSampleStyleSheet()["Normal"]
    path = tmp_path / "a.pdf"
    texts = [f"{year} {SAID}" for year in (12, 40, 41, 7, 90)]
    SimpleDocTemplate(str(path)).build([Paragraph(text, style) for text in texts])
    blocks = structure(extract(path), name="a.pdf", digest="0" * 64).blocks
    assert not (blocks.kind == Kind.LIST_ITEM).any()


def test_steps_of_a_text_file_are_items() -> None:
    text = "Do this:\n\nStep 1: Open the valve.\nStep 2: Wait for\nthe lamp.\nstep 3) Close it.\n\nStep out.\n"
    blocks = read(text.encode()).blocks
    assert [block.text for block in blocks if block.kind == Kind.LIST_ITEM] == [
        "Step 1: Open the valve.",
        "Step 2: Wait for the lamp.",
        "step 3) Close it.",
    ]
