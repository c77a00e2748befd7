"""Pages in scripts that OCR does not know: nothing is read of them, and a warning says so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from octavo_documents.models.ports import Raster, RecognizedLine
from octavo_documents.parsing import images, pdf
from octavo_documents.parsing.recognition import Recognize, is_unknown, recognized_page

LINE = "The supplier delivers 1,450 cubic metres of spruce each quarter."
HEIGHT, LENGTH = 20.0, 800.0


def _reads(*texts: str, confidence: float = 0.97) -> Recognize:
    def recognize(raster: Raster) -> Sequence[RecognizedLine]:
        del raster
        boxes = ((50.0, 40.0 + 30 * at, 50.0 + LENGTH, 40.0 + HEIGHT + 30 * at) for at in range(len(texts)))
        return [RecognizedLine(text, box, confidence) for text, box in zip(texts, boxes, strict=True)]

    return recognize


def _page() -> Raster:
    return np.tile(np.array([255, 0], np.uint8), 600 * 800 * 3 // 2).reshape(600, 800, 3)


@pytest.mark.parametrize(
    ("texts", "confidence", "expected"),
    [
        ([LINE] * 3, 0.97, False),
        ([LINE] * 3, 0.8, False),
        (["08 ,  ,", ".  11 ,", "2 ."] * 2, 0.93, True),
        (["lauavnnnvavan luuaznbiuunuaulawaaun59ula 308 lau"] * 3, 0.56, True),
        ([""] * 4, 0.4, True),
        ([LINE, LINE, LINE, ""], 0.9, False),
        (["", "08 ,"], 0.4, False),
    ],
)
def test_gaps_and_guesses_tell_a_script(texts: Sequence[str], confidence: float, expected: bool) -> None:
    assert is_unknown(_reads(*texts, confidence=confidence)(_page())) is expected


def test_short_pieces_do_not_tell() -> None:
    lines = [RecognizedLine("7", (10.0, 30.0 * at, 50.0, 30.0 * at + 20), 0.6) for at in range(40)]
    assert not is_unknown(lines)


def test_a_page_on_its_head_is_read_before_it_is_given_up() -> None:
    guesses = ["jauavnnnvavan luuaznbiuunuaulawaaun59ula 308 lau"] * 4
    calls: list[int] = []

    def recognize(raster: Raster) -> Sequence[RecognizedLine]:
        calls.append(len(calls))
        texts, confidence = ([LINE] * 4, 0.98) if len(calls) > 1 else (guesses, 0.6)
        return _reads(*texts, confidence=confidence)(raster)

    found = recognized_page(_page(), recognize, scale=1.0, width=900, height=600)
    assert found is not None and [line.text for line in found] == [LINE] * 4


def test_a_picture_of_such_a_page_is_empty_and_told_of(tmp_path: Path) -> None:
    picture = Image.new("RGB", (900, 600), "white")
    ImageDraw.Draw(picture).rectangle((50, 40, 850, 60), fill="black")
    for name, extract in (("a.png", images.extract), ("a.pdf", pdf.extract)):
        picture.save(tmp_path / name)
        content = extract(tmp_path / name, recognize=_reads("", "", "08 ,", ""))
        assert content.pages[0].lines == ()
        assert content.warnings == (
            "page 1 is in a script that OCR does not read: it knows Latin letters, Chinese and Japanese",
        )
        assert extract(tmp_path / name, recognize=_reads(LINE, LINE, LINE)).warnings == ()
