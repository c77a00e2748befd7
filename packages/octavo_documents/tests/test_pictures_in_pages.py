"""Pictures in HTML, books and notebooks, what is filled in in forms of pages, and pages that stand in a form."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from octavo_documents.document import Document, Kind
from octavo_documents.models.ports import Raster, RecognizedLine
from octavo_documents.parsing import html
from octavo_documents.parsing.article_messages import ToRead
from octavo_documents.parsing.html_pictures import file_in_address
from octavo_documents.reading import read
from octavo_documents.structuring.parser_pool import ParserPool
from office_files import epub


class _Reader:
    name = "one line"

    def read(self, raster: Raster) -> Sequence[RecognizedLine]:
        return (RecognizedLine("Wharf 3 closes at dusk", (4.0, 4.0, raster.shape[1] - 4.0, 30.0), 0.9),)


def _picture() -> bytes:
    image = Image.effect_noise((300, 60), 90).convert("L")
    ImageDraw.Draw(image).rectangle((10, 10, 200, 40), fill=0)
    kept = io.BytesIO()
    image.save(kept, "png")
    return kept.getvalue()


ADDRESS = f"data:image/png;base64,{base64.b64encode(_picture()).decode()}"
PAGE = f'<p>See <img src="{ADDRESS}"> here</p><table><tr><td>A</td><td>B<img src="{ADDRESS}"></td></tr></table>'


def _book() -> bytes:
    made = epub({"one.xhtml": '<p>Plan</p><img src="img/a%20b.png"/><svg><image xlink:href="img/a%20b.png"/></svg>'})
    kept = io.BytesIO(made)
    with zipfile.ZipFile(kept, "a") as file:
        file.writestr("OPS/img/a b.png", _picture())
    return kept.getvalue()


def _notebook() -> bytes:
    shown = {"image/png": base64.b64encode(_picture()).decode(), "text/plain": "<Figure>"}
    cell = {"cell_type": "code", "source": "plot()", "outputs": [{"output_type": "display_data", "data": shown}]}
    return json.dumps({"cells": [cell], "nbformat": 4}).encode()


FILES = {
    "a.html": PAGE.encode(),
    "a.eml": b"Subject: s\nContent-Type: text/html\n\n" + PAGE.encode(),
    "a.epub": _book(),
    "a.ipynb": _notebook(),
}


@pytest.mark.parametrize("name", FILES)
def test_words_in_pictures_are_read(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    blocks = read(tmp_path / name, recognizer=_Reader()).blocks
    shown = [text for row, text in enumerate(blocks.text) if blocks.kind_of(row) == Kind.FIGURE]
    assert shown == ["Wharf 3 closes at dusk"] * (1 if name == "a.ipynb" else 2)


def test_an_article_of_many_has_the_words_around_its_pictures() -> None:
    with ParserPool(1) as pool:
        (found,) = pool.read_batch([ToRead("html", "a", "A", "0", PAGE.encode())], "a.jsonl")
    assert isinstance(found, bytes)
    assert list(Document.from_bytes(found).blocks.text) == ["See", "here", "A | B"]


@pytest.mark.parametrize(
    "address", ["plan.png", "data:text/html;base64,AAAA", "data:image/png;base64,!", "data:image/png;base64," + "A" * 9]
)
def test_other_addresses_hold_no_picture(address: str) -> None:
    assert file_in_address(address) is None


def _texts(page: str) -> list[str]:
    return [block.text for block in html.read(page.encode()).blocks]


def test_a_page_in_a_form_is_read_with_what_is_filled_in() -> None:
    form = (
        '<form><h1>Fees</h1><p>A berth costs 40 crowns.</p><label>Boat <input value="Heron"></label>'
        '<input type=checkbox checked> insured <input type=radio> towed<input type=hidden value="x7">'
        '<input type=password value="pw"><select><option>North<option selected>South</select>'
        "<textarea>Two masts</textarea></form>"
    )
    search = "<form action=/find><label>Find</label><input name=q><button>Go</button></form>"
    assert _texts(form + search) == ["Fees", "A berth costs 40 crowns.", "Boat Heron ☒ insured ○ towed South Two masts"]


def test_cells_have_what_is_filled_in_and_what_stands_for_their_pictures() -> None:
    rows = (
        '<tr><td>Boat</td><td><input value="Heron"></td></tr><tr><td>Tow</td><td><img alt="yes" src="t.png"></td></tr>'
    )
    assert _texts(f"<table>{rows}</table>") == ["Boat | Heron\nTow | yes"]


def test_words_of_a_drawing_are_a_figure_and_icons_are_none() -> None:
    drawing = "<svg><text>Quay A</text><text>9 m deep</text></svg>"
    icon = "<svg><title>Menu icon</title><path d='M0 0'/></svg>"
    assert _texts(f"<p>Plan</p>{drawing}{icon}") == [
        "Plan",
        "Quay A 9 m deep",
    ]
