"""Pictures as scanned pages: sized by their dots per inch, turned as they are seen; bad ones are refused."""

from __future__ import annotations

import io
import struct
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from octavo.errors import SourceError
from octavo.models.ports import Raster, RecognizedLine
from octavo_documents.document import Document
from octavo_documents.parsing import images
from octavo_documents.structuring.parser_pool import ParserPool


class _Reader:
    """Reads the dark pixels of a picture as one line."""

    name = "dark-1"

    def read(self, raster: Raster) -> Sequence[RecognizedLine]:
        rows, columns = np.nonzero(raster.mean(axis=2) < 100)
        box = (float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1))
        return [RecognizedLine("GULL", box, 0.9)]


def _picture(size: tuple[int, int] = (300, 200), box: tuple[int, int, int, int] = (30, 20, 90, 40)) -> Image.Image:
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).rectangle((box[0], box[1], box[2] - 1, box[3] - 1), fill="black")
    return picture


def test_a_heic_picture_says_what_it_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.heic"
    path.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(SourceError, match="pip install pillow-heif") as caught:
        images.extract(path)
    assert caught.value.reason == "format"


@pytest.mark.parametrize("ending", [".png", ".jpg", ".tif", ".webp", ".bmp", ".gif"])
def test_a_picture_is_a_scanned_page(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"gull{ending}"
    _picture().save(path)
    (page,) = images.extract(path, recognize=_Reader().read).pages
    assert (page.width, page.height, page.is_scanned) == (144.0, 96.0, True)
    (line,) = page.lines
    assert line.text == "GULL"
    assert line.box == pytest.approx((14.4, 9.6, 43.2, 19.2), abs=0.5)
    assert images.words(path, 1, recognize=_Reader().read).texts == ("GULL",)
    assert images.render(path, 1, dpi=75).shape == (100, 150, 3)
    assert images.render(path, 1, box=(14.4, 9.6, 43.2, 19.2), dpi=150).max() < 120


def test_dots_per_inch_and_turning_are_heeded(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the top of the picture is at its right
    _picture().save(tmp_path / "turned.jpg", dpi=(300, 300), exif=exif)
    (page,) = images.extract(tmp_path / "turned.jpg", recognize=_Reader().read).pages
    assert (page.width, page.height) == (48.0, 72.0)
    assert page.lines[0].box == pytest.approx((38.4, 7.2, 43.2, 21.6), abs=0.5)


def test_a_fax_of_many_pages(tmp_path: Path) -> None:
    path = tmp_path / "fax.tiff"
    pages = [_picture().convert("1"), _picture((200, 300)).convert("LA"), _picture()]
    pages[0].save(path, save_all=True, append_images=pages[1:])
    with ParserPool(1) as pool:
        document = Document.from_bytes(pool.parse(path, name=path.name, digest="0", recognizer=_Reader()))
        assert pool.render(path, 2, dpi=150).shape == (300, 200, 3)
    assert [document.blocks.text[row] for row in range(len(document.blocks))] == ["GULL"] * 3
    assert document.pages.is_scanned.all()
    assert document.pages.height.tolist() == [96.0, 144.0, 96.0]


@pytest.mark.parametrize("mode", ["P", "RGBA", "CMYK", "I;16", "F", "L"])
def test_pictures_of_any_depth(tmp_path: Path, mode: str) -> None:
    if mode in ("I;16", "F"):
        grey = np.asarray(_picture().convert("L"), np.float32) * (200 if mode == "I;16" else 1)
        picture = Image.fromarray(grey.astype(np.uint16) if mode == "I;16" else grey)
    else:
        picture = _picture().convert(mode)
    picture.save(tmp_path / "deep.tif")
    assert images.extract(tmp_path / "deep.tif", recognize=_Reader().read).pages[0].lines[0].text == "GULL"


def _bomb(side: int) -> bytes:
    """Return a PNG that says it has so many pixels a side."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(99))) + chunk(b"IEND", b"")


def _saved() -> bytes:
    data = io.BytesIO()
    _picture().save(data, "PNG")
    return data.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"no picture at all", "format"),
        (_saved()[:60], "damaged"),
        (_bomb(13_000), "too_large"),
        (_bomb(60_000), "too_large"),
    ],
)
def test_what_is_no_picture_is_refused_with_its_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    (tmp_path / "bad.png").write_bytes(data)
    with pytest.raises(SourceError) as refused:
        images.extract(tmp_path / "bad.png")
    assert refused.value.reason == reason
