"""Damaged and hostile PDFs through the real pool: one clear line each, soon, and the next file is read."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pdfs
from octavo.errors import SourceError
from octavo_documents.document import Document
from octavo_documents.parsing import Limits
from octavo_documents.parsing.pdf import extract
from octavo_documents.parsing.pdf.pdfium import check_file
from octavo_documents.structuring.parser_pool import ParserPool

DIGEST = "0" * 64
TEXT = "BT /F 12 Tf 72 700 Td (Hello there, reader) Tj ET"
GOOD = pdfs.raw_page(TEXT)


@pytest.fixture(scope="module")
def pool() -> Iterator[ParserPool]:
    with ParserPool(2, Limits(memory=1 << 30, seconds=60, progress_seconds=30)) as opened:
        yield opened


def parse(pool: ParserPool, path: Path, password: str | None = None) -> Document:
    return Document.from_bytes(pool.parse(path, name=path.name, digest=DIGEST, ocr="never", password=password))


def put(folder: Path, data: bytes) -> Path:
    path = folder / "file.pdf"
    path.write_bytes(data)
    return path


def words(document: Document) -> str:
    return " ".join(document.blocks.text[row] for row in range(len(document.blocks)))


REFUSED = {
    "empty": (b"", "empty"),
    "text": (b"plain text, not a PDF", "format"),
    "header only": (b"%PDF-1.7\n", "damaged"),
    "cut before its pages": (GOOD[:40], "damaged"),
    "cut before what its pages say": (GOOD[: GOOD.index(b"4 0 obj")], "damaged"),
    "cut, and once encrypted": (GOOD[: GOOD.index(b"xref")] + b"6 0 obj << /Encrypt 7 0 R >> endobj", "damaged"),
    "no pages": (pdfs.many_pages(0), "no_pages"),
    "10,000 pages": (pdfs.many_pages(10_000), "too_many_pages"),
    "Flate in Flate": (pdfs.bomb(layers=2, size=1 << 30), ("crashed", "too_large")),
    "one great Flate": (pdfs.bomb(layers=1, size=1 << 29), ("crashed", "too_large")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_file_is_refused_with_its_reason(pool: ParserPool, tmp_path: Path, name: str) -> None:
    data, reason = REFUSED[name]
    path = put(tmp_path, data)
    start = time.monotonic()
    with pytest.raises(SourceError) as caught:
        parse(pool, path)
    assert time.monotonic() - start < 20
    assert caught.value.reason in ((reason,) if isinstance(reason, str) else reason)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    assert words(parse(pool, put(tmp_path, GOOD))) == "Hello there, reader"


READ = {
    "a page of 200 inches": pdfs.raw_page(TEXT, box=(0, 0, 14400, 14400)),
    "a page of a billion points": pdfs.raw_page(TEXT, box=(0, 0, 1e9, 1e9)),
    "a box turned inside out": pdfs.raw_page(TEXT, box=(612, 792, 0, 0)),
    "a box of no size": pdfs.raw_page(TEXT, box=(0, 0, 0, 0)),
    "garbage for a cross-reference table": GOOD.replace(b"00000000", b"99zz9999"),
    "a page count that lies": GOOD.replace(b"/Count 1", b"/Count 999999999"),
    "200,000 saved states": pdfs.raw_page("q " * 200_000 + TEXT),
    "200,000 open arrays": pdfs.raw_page(TEXT + "[" * 200_000),
}


@pytest.mark.parametrize("name", READ)
def test_an_odd_file_is_read(pool: ParserPool, tmp_path: Path, name: str) -> None:
    document = parse(pool, put(tmp_path, READ[name]))
    assert len(document.pages) == 1
    assert "Hello there, reader" in words(document)


def packed(data: bytes) -> bytes:
    """Return a file with its objects packed in object streams."""
    with pikepdf.open(BytesIO(data)) as pdf:
        out = BytesIO()
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return out.getvalue()


CUT = {
    "its trailer": GOOD[: GOOD.index(b"xref")],
    "its catalogue": b"%PDF-1.7\n" + GOOD[GOOD.index(b"3 0 obj") : GOOD.index(b"xref")],
    "the end of a stream": GOOD[: GOOD.index(b"endstream")] + GOOD[GOOD.index(b"5 0 obj") : GOOD.index(b"xref")],
    "its trailer, its objects packed": packed(GOOD)[: packed(GOOD).rindex(b"startxref")].rpartition(b"/XRef")[0],
}


@pytest.mark.parametrize("name", CUT)
def test_a_file_that_lost_its_end_is_read_with_a_warning(pool: ParserPool, tmp_path: Path, name: str) -> None:
    document = parse(pool, put(tmp_path, CUT[name]))
    assert words(document) == "Hello there, reader"
    assert document.metadata.warnings == ("the end of the file is missing",)
    assert document.metadata.damage == ("1 page could be read, others may be lost" if name == "its catalogue" else "")


@pytest.mark.parametrize(("share", "told"), [(0.6, "8 of 44"), (0.9, "37 of 44"), (1.0, "")])
def test_what_could_be_saved_of_a_cut_file_is_told(tmp_path: Path, share: float, told: str) -> None:
    data = (Path(__file__).parents[3] / "examples" / "handbook.pdf").read_bytes()
    content = extract(put(tmp_path, data[: int(share * len(data))]))
    assert content.damage == (f"{told} pages could be read" if told else "")


def test_packed_objects_that_inflate_without_end_are_given_up(tmp_path: Path, pool: ParserPool) -> None:
    press = zlib.compress(pdfs.deflated_spaces(1 << 28))
    hostile = pdfs.stream(press, "/Type /ObjStm /N 100000 /First 10 /Filter /FlateDecode")
    data = pdfs.assembled([hostile] * 50)
    start = time.monotonic()
    with pytest.raises(SourceError):
        parse(pool, put(tmp_path, data[: data.index(b"xref")]))
    assert time.monotonic() - start < 10


OUTLINES = {
    "an item that follows itself": ["<< /Title (A) /First 100 0 R /Next 100 0 R >>"],
    "items inside each other": [
        "<< /Title (A) /First 101 0 R >>",
        "<< /Title (B) /First 100 0 R /Next 100 0 R >>",
    ],
    "5,000 levels": [f"<< /Title (T) /First {101 + i} 0 R /Last {101 + i} 0 R >>" for i in range(5000)],
    "20,000 items": [f"<< /Title (T) /Next {101 + i} 0 R >>" for i in range(20_000)],
}


@pytest.mark.parametrize("name", OUTLINES)
def test_an_endless_outline_ends(pool: ParserPool, tmp_path: Path, name: str) -> None:
    start = time.monotonic()
    assert len(parse(pool, put(tmp_path, pdfs.outlined(OUTLINES[name]))).pages) == 1
    assert time.monotonic() - start < 10


def test_a_page_of_too_many_glyphs_is_read_as_far_as_the_cap(pool: ParserPool, tmp_path: Path) -> None:
    rows = "".join(
        f"1 0 0 1 {10 + 200 * (row % 3)} {10 + 1.2 * (row // 3)} Tm ({'word ' * 60}) Tj " for row in range(1900)
    )
    document = parse(pool, put(tmp_path, pdfs.raw_page(f"BT /F 1 Tf {rows} ET")))
    assert 100_000 < len(words(document)) < 250_000
    assert sum("200,000 characters" in warning for warning in document.metadata.warnings) == 1


def test_a_page_whose_every_glyph_stands_alone_is_read(pool: ParserPool, tmp_path: Path) -> None:
    glyphs = "".join(f"1 0 0 1 {10 + 6 * (item % 97)} {10 + item / 40} Tm (x) Tj " for item in range(8_000))
    assert words(parse(pool, put(tmp_path, pdfs.raw_page(f"BT /F 1 Tf {glyphs} ET"))))


def test_an_encrypted_file_asks_for_its_password(pool: ParserPool, tmp_path: Path) -> None:
    path = pdfs.encrypted(put(tmp_path, GOOD), tmp_path / "secret.pdf", "open sesame")
    for password, reason in ((None, "encrypted"), ("wrong", "password")):
        with pytest.raises(SourceError) as caught:
            parse(pool, path, password)
        assert caught.value.reason == reason
    assert "Hello" in words(parse(pool, path, "open sesame"))


@pytest.mark.parametrize(
    ("name", "told"), [("a.pdf", "is not a PDF"), ("a.pages", "none of the documents that are read")]
)
def test_a_file_of_another_kind_is_told_what_is_read(tmp_path: Path, name: str, told: str) -> None:
    (tmp_path / name).write_bytes(b"PK and more")
    with pytest.raises(SourceError, match=told) as caught:
        check_file(tmp_path / name, limits=Limits())
    assert caught.value.reason == "format"


@pytest.mark.parametrize(("path", "reason"), [("nowhere.pdf", "missing"), (".", "format")])
def test_what_is_no_file_is_named(pool: ParserPool, tmp_path: Path, path: str, reason: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse(pool, tmp_path / path)
    assert caught.value.reason == reason


def test_a_huge_page_is_drawn_coarsely(pool: ParserPool, tmp_path: Path) -> None:
    for name in ("a page of 200 inches", "a page of a billion points"):
        raster = pool.render(put(tmp_path, READ[name]), 1)
        assert raster.shape[0] * raster.shape[1] <= 1.01 * Limits().pixels


def test_a_page_that_does_not_exist_is_not_drawn(pool: ParserPool, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no page 2"):
        pool.render(put(tmp_path, GOOD), 2)


@st.composite
def damages(draw: st.DrawFn) -> bytes:
    """Return a small PDF with some bytes changed and perhaps its end or a piece cut out."""
    data = bytearray(ORIGINAL)
    for place in draw(st.lists(st.integers(0, len(data) - 1), max_size=12)):
        data[place] = draw(st.integers(0, 255))
    if draw(st.booleans()):
        start = draw(st.integers(0, len(data)))
        del data[start : start + draw(st.integers(0, len(data)))]
    return bytes(data)


ORIGINAL = pdfs.outlined(["<< /Title (A) /Dest [3 0 R /XYZ 0 700 0] >>"]) + GOOD


@settings(max_examples=150)
@given(data=damages())
@example(data=ORIGINAL)
def test_a_damaged_file_is_read_or_refused(
    pool: ParserPool, tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = put(tmp_path_factory.getbasetemp(), data)
    start = time.monotonic()
    try:
        parse(pool, path).check()
    except SourceError as error:
        assert "\n" not in str(error) and error.reason in (
            "empty",
            "format",
            "damaged",
            "no_pages",
            "crashed",
            "too_large",
        )
    assert time.monotonic() - start < 20
