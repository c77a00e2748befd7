"""What the API says of pages of files in files: those of text have no picture, and room among those that have one."""

from __future__ import annotations

from pathlib import Path

import pikepdf

import pdfs
from octavo_documents.reading import read
from octavo_server import shapes


def test_text_in_a_pdf_has_no_picture_and_the_room_of_a_page(tmp_path: Path) -> None:
    path = pdfs.write(tmp_path / "contract.pdf", pdfs.say("The contract has an annex."))
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        file.attachments["prices.csv"] = b"Crate;Price\nLamps;318 euros\n"
        file.save(path)
    document = read(path)
    first, second = shapes.page(document, 1), shapes.page(document, 2)
    assert (first["has_picture"], second["has_picture"]) == (True, False)
    assert (second["width"], second["height"]) == (first["width"], first["height"]) == (612.0, 792.0)
    assert second["page_label"] == "part 1 of prices.csv"
