"""What of a PDF's text is struck out, and what is not painted on the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from octavo.models.ports import RecognizedLine
from octavo_documents.parsing.content import SourceContent
from octavo_documents.parsing.pdf import extract, words
from octavo_documents.parsing.pdf.features import PdfFeatures, features_of
from octavo_documents.parsing.recognition import recognized_lines
from octavo_documents.parsing.word_boxes import words_read
from pdfs import write


def read(path: Path) -> SourceContent:
    return extract(path, ocr="never")


def texts(path: Path) -> list[str]:
    return [line.text for line in read(path).pages[0].lines]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.pdf"


def said(canvas: Canvas, text: str, y: float = 700, x: float = 72, size: float = 11) -> None:
    canvas.setFont("Helvetica", size)
    canvas.drawString(x, y, text)


def at(text: str, before: str, x: float = 72, size: float = 11) -> tuple[float, float]:
    """Return where `text` starts and ends on a line after `before`."""
    start = x + stringWidth(before, "Helvetica", size)
    return start, start + stringWidth(text, "Helvetica", size)


# Raised


def test_raised_marks_and_powers_are_no_part_of_the_number_before(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(72, 700)
        for words_, mark in (("The fee is 320", "1"), (" dollars, the tank holds 10", "6"), (" litres in 240 m", "2")):
            text.setFont("Helvetica", 11)
            text.setRise(0)
            text.textOut(words_)
            text.setFont("Helvetica", 7)
            text.setRise(4)
            text.textOut(mark)
        canvas.drawText(text)

    assert texts(write(file, draw)) == ["The fee is 320¹ dollars, the tank holds 10^6 litres in 240 m^2"]


def test_a_note_of_the_page_makes_a_mark_of_what_could_be_a_power(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        said(canvas, "The track is 5 km", 700)
        said(canvas, "2", 704, at("", "The track is 5 km")[0], 7)
        said(canvas, "2 Without the spur.", 80, size=8)

    lines = texts(write(file, draw))
    assert lines == ["The track is 5 km²", "2 Without the spur."]


def _raised_runs(canvas: Canvas, runs: list[tuple[str, str]], size: float, share: float, rise: float) -> None:
    text = canvas.beginText(72, 700)
    for words_, mark in runs:
        text.setFont("Helvetica", size)
        text.setRise(0)
        text.textOut(words_)
        text.setFont("Helvetica", size * share)
        text.setRise(size * rise)
        text.textOut(mark)
    canvas.drawText(text)


@pytest.mark.parametrize("size", [7.0, 11.0, 24.0])
@pytest.mark.parametrize(
    ("share", "rise"), [(0.5, 0.1), (0.58, 0.33), (0.7, 0.2), (0.85, 0.12), (0.8, 0.5), (1.0, 0.15)]
)
def test_a_raised_figure_never_makes_a_number_longer(file: Path, size: float, share: float, rise: float) -> None:
    runs = [("A grid of 1000", "2"), (" cells and 320", "1"), (" dollars", "")]
    lines = texts(write(file, lambda canvas: _raised_runs(canvas, runs, size, share, rise)))
    assert lines == ["A grid of 1000^2 cells and 320¹ dollars"]


def test_a_note_of_the_page_makes_marks_of_all_figures_that_may_be_powers(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        runs = [("A grid of 1000", "2"), (" cells, or 900", "2"), (" boxes on 40 m", "2"), (" of ƒ", "2")]
        _raised_runs(canvas, runs, 11, 0.6, 0.35)
        said(canvas, "2 As far as counted.", 80, size=8)

    assert texts(write(file, draw))[0] == "A grid of 1000² cells, or 900² boxes on 40 m^2 of ƒ^2"


def test_lowered_figures_stay_joined(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        said(canvas, "CO")
        said(canvas, "2", 697, at("", "CO")[0], 7)
        said(canvas, "rises", x=at("", "CO")[0] + 8)

    assert texts(write(file, draw)) == ["CO2 rises"]


# Struck out


def struck(canvas: Canvas, before: str, text: str, y: float = 700) -> None:
    start, stop = at(text, before)
    canvas.line(start, y + 3, stop, y + 3)


def test_struck_out_words_are_marked(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        said(canvas, "A ticket costs 4 5 euros.")
        struck(canvas, "A ticket costs ", "4")
        canvas.setStrokeColorRGB(0.8, 0, 0)
        struck(canvas, "one two three four", "", 650)
        said(canvas, "Keep this and drop all of that", 650)
        struck(canvas, "Keep this and ", "drop all", 650)

    assert texts(write(file, draw)) == ["A ticket costs ~~4~~ 5 euros.", "Keep this and ~~drop all~~ of that"]


def test_tildes_of_the_page_are_no_signs_of_struck_out_text(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        said(canvas, "It costs ~~4~~ euros, about ~5, or ~ ~6.")
        said(canvas, "~~old~~ 4 5 euros", 650)
        struck(canvas, "~~old~~ ", "4", 650)

    expected = ["It costs ∼∼4∼∼ euros, about ~5, or ~ ~6.", "∼∼old∼∼ ~~4~~ 5 euros"]
    assert texts(write(file, draw)) == expected
    found = [word for word in words(file, 1).texts if "∼" in word or "~" in word]
    assert found == ["∼∼4∼∼", "~5,", "~", "~6.", "∼∼old∼∼"]


def test_tildes_that_ocr_reads_are_no_signs_of_struck_out_text() -> None:
    raster = np.full((40, 400, 3), 255, np.uint8)
    line = RecognizedLine("It costs ~~4~~ euros", (10.0, 5.0, 390.0, 30.0), 0.9)
    assert [one.text for one in recognized_lines([line], scale=1.0)] == ["It costs ∼∼4∼∼ euros"]
    assert [word for word, _, _ in words_read(raster, line, 1.0, 0)] == ["It", "costs", "∼∼4∼∼", "euros"]


def test_thin_boxes_strike_out_word_by_word(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for before, text in (("The old ", "fee is"), ("The old fee is ", "due")):
            start, stop = at(text, before)
            canvas.rect(start, 702.8, stop - start, 0.6, stroke=0, fill=1)
        said(canvas, "The old fee is due now")

    assert texts(write(file, draw)) == ["The old ~~fee is due~~ now"]


def _places(shift: float = 0.0) -> list[tuple[float, float, float]]:
    """Return where lines through words of three lines start, end and stand."""
    words_ = (("A ticket costs ", "4", 700.0), ("A pass costs ", "30", 680.0), ("A pass costs 30 or ", "40", 680.0))
    return [(*at(text, before), y + 3 + shift) for before, text, y in (*words_, ("The old fee is due ", "now", 660.0))]


def _lines_of_prices(canvas: Canvas) -> None:
    said(canvas, "A ticket costs 4 5 euros.")
    said(canvas, "A pass costs 30 or 40 50 euros.", 680)
    said(canvas, "The old fee is due now then.", 660)


STRUCK_PRICES = [
    "A ticket costs ~~4~~ 5 euros.",
    "A pass costs ~~30~~ or ~~40~~ 50 euros.",
    "The old fee is due ~~now~~ then.",
]


@pytest.mark.parametrize("is_filled", [False, True])
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_one_path_of_several_lines_strikes_out_the_words_of_each(file: Path, is_filled: bool, scale: float) -> None:
    def draw(canvas: Canvas) -> None:
        _lines_of_prices(canvas)
        canvas.scale(scale, scale)
        canvas.setLineWidth(0.6 / scale)
        path = canvas.beginPath()
        for start, stop, y in _places():
            if is_filled:
                path.rect(start / scale, y / scale - 0.3, (stop - start) / scale, 0.6)
            else:
                path.moveTo(start / scale, y / scale)
                path.lineTo(stop / scale, y / scale)
        canvas.drawPath(path, stroke=not is_filled, fill=is_filled)

    assert texts(write(file, draw)) == STRUCK_PRICES


def test_a_polygon_of_thin_boxes_strikes_out_and_one_in_a_form_too(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        _lines_of_prices(canvas)
        canvas.beginForm("strikes")
        path = canvas.beginPath()
        for start, stop, y in _places():
            path.moveTo(start, y - 0.3)
            for x, level in ((stop, y - 0.3), (stop, y + 0.3), (start, y + 0.3)):
                path.lineTo(x, level)
            path.close()
        canvas.drawPath(path, stroke=0, fill=1)
        canvas.endForm()
        canvas.doForm("strikes")

    assert texts(write(file, draw)) == STRUCK_PRICES


def test_one_path_of_underlines_frames_or_curves_strikes_nothing_out(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        _lines_of_prices(canvas)
        under = canvas.beginPath()
        for start, stop, y in _places(-4.5):
            under.moveTo(start, y)
            under.lineTo(stop, y)
        canvas.drawPath(under)
        frames = canvas.beginPath()
        for start, stop, y in _places():
            frames.rect(start - 2, y - 8, stop - start + 4, 16)
        canvas.drawPath(frames)
        waves = canvas.beginPath()
        for start, stop, y in _places():
            waves.moveTo(start, y)
            waves.curveTo(start + 1, y + 9, stop - 1, y - 9, stop, y)
        canvas.drawPath(waves)

    assert not any("~~" in text for text in texts(write(file, draw)))


PACKED = {"object_stream_mode": pikepdf.ObjectStreamMode.generate}
LOCKED = {**PACKED, "encryption": pikepdf.Encryption(owner="keys", user="")}


@pytest.mark.parametrize("how", [{}, PACKED, LOCKED], ids=["plain", "packed", "encrypted"])
@pytest.mark.parametrize("kind", [pikepdf.Name.StrikeOut, pikepdf.Name.Highlight], ids=str)
def test_an_annotation_strikes_out(file: Path, how: dict[str, Any], kind: pikepdf.Name) -> None:
    write(file, lambda canvas: said(canvas, "A ticket costs 4 5 euros."))
    x0, x1 = at("4", "A ticket costs ")
    with pikepdf.open(file, allow_overwriting_input=True) as pdf:
        page = pdf.pages[0]
        page.Annots = pdf.make_indirect(
            pikepdf.Array(
                [
                    pikepdf.Dictionary(
                        Type=pikepdf.Name.Annot,
                        Subtype=kind,
                        Rect=[x0, 697, x1, 711],
                        QuadPoints=[x0, 711, x1, 711, x0, 697, x1, 697],
                        C=[1, 0, 0],
                    )
                ]
            )
        )
        pdf.save(file, **how)
    strikes = kind == pikepdf.Name.StrikeOut
    assert texts(file) == ["A ticket costs ~~4~~ 5 euros." if strikes else "A ticket costs 4 5 euros."]
    is_locked = how is LOCKED
    assert features_of(file) == PdfFeatures(may_hide_layers=is_locked, may_mark_text=True)


def test_underlines_and_rules_strike_nothing_out(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        said(canvas, "An underlined word and more")
        start, stop = at("underlined", "An ")
        canvas.line(start, 698.5, stop, 698.5)
        canvas.line(40, 653, 500, 653)
        said(canvas, "Over a long rule", 650)
        canvas.line(72, 612, 100, 612)
        said(canvas, "12", 615)
        said(canvas, "40", 601)

    assert texts(write(file, draw)) == ["An underlined word and more", "Over a long rule", "12", "40"]


# Not painted


def noise(size: int = 64) -> ImageReader:
    """Return a picture with contrast everywhere."""
    pixels = np.random.default_rng(1).integers(0, 255, (size, size, 3), np.uint8)
    return ImageReader(Image.fromarray(pixels))


def covered(canvas: Canvas) -> None:
    said(canvas, "hidden words")
    canvas.rect(60, 690, 200, 25, stroke=0, fill=1)


def pictured(canvas: Canvas) -> None:
    said(canvas, "hidden words")
    canvas.drawImage(noise(), 60, 690, 200, 25)


def white(canvas: Canvas) -> None:
    canvas.setFillColorRGB(1, 1, 1)
    said(canvas, "hidden words")


def on_its_colour(canvas: Canvas) -> None:
    canvas.setFillColorRGB(0.9, 0.8, 0.1)
    canvas.rect(60, 690, 200, 25, stroke=0, fill=1)
    said(canvas, "hidden words")


def invisible(canvas: Canvas) -> None:
    text = canvas.beginText(72, 700)
    text.setFont("Helvetica", 11)
    text.setTextRenderMode(3)
    text.textOut("hidden words")
    text.setTextRenderMode(0)
    canvas.drawText(text)


def transparent(canvas: Canvas) -> None:
    canvas.setFillAlpha(0)
    said(canvas, "hidden words")
    canvas.setFillAlpha(1)


def tiny(canvas: Canvas) -> None:
    said(canvas, "hidden words", size=0.01)


def clipped(canvas: Canvas) -> None:
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(300, 300, 100, 100)
    canvas.clipPath(path, stroke=0, fill=0)
    said(canvas, "hidden words")
    canvas.restoreState()


def off_page(canvas: Canvas) -> None:
    said(canvas, "hidden words", y=-50)


@pytest.mark.parametrize(
    "draw",
    [covered, pictured, white, on_its_colour, invisible, transparent, tiny, clipped, off_page],
    ids=lambda one: one.__name__,
)
def test_what_is_not_painted_is_left_out_and_counted(file: Path, draw: object) -> None:
    def page(canvas: Canvas) -> None:
        assert callable(draw)
        canvas.setFillColorRGB(0, 0, 0)
        said(canvas, "Seen before", 740)
        draw(canvas)
        canvas.setFillColorRGB(0, 0, 0)
        said(canvas, "Seen after", 600)

    write(file, page)
    content = read(file)
    assert [line.text for line in content.pages[0].lines] == ["Seen before", "Seen after"]
    assert content.warnings == ("2 words that are not visible on the page were left out (page 1)",)
    assert "hidden" not in " ".join(words(file, 1).texts)


def test_a_layer_that_is_off_is_left_out(file: Path) -> None:
    write(file, lambda canvas: (said(canvas, "Seen"), said(canvas, "A caravan costs 22 pounds", 650)))
    with pikepdf.open(file, allow_overwriting_input=True) as pdf:
        group = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="Draft"))
        pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=[group], D=pikepdf.Dictionary(OFF=[group], Order=[group]))
        page = pdf.pages[0]
        page.Resources.Properties = pikepdf.Dictionary(MC0=group)
        content = page.Contents.read_bytes()
        start = content.rindex(b"BT")
        page.Contents = pdf.make_stream(
            content[:start] + b"/OC /MC0 BDC " + content[start:].replace(b"ET", b"ET EMC", 1)
        )
        pdf.save(file)
    assert texts(file) == ["Seen"]


def test_a_name_under_a_box_inside_of_a_line_is_left_out(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        said(canvas, "The inspector was Jane Redwood, who came")
        start, stop = at("Jane Redwood", "The inspector was ")
        canvas.rect(start, 696, stop - start, 15, stroke=0, fill=1)

    assert " ".join(texts(write(file, draw))) == "The inspector was , who came"


def test_what_is_seen_stays(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rect(60, 690, 300, 25, stroke=0, fill=1)
        canvas.setFillColorRGB(1, 1, 1)
        said(canvas, "White on black")
        canvas.drawImage(noise(), 60, 640, 300, 25)
        said(canvas, "White on a picture", 650)
        canvas.setFillColorRGB(0, 0, 0)
        said(canvas, "Under a highlighter", 600)
        canvas.setFillColorRGB(1, 1, 0)
        canvas.setFillAlpha(0.4)
        canvas.rect(60, 595, 300, 20, stroke=0, fill=1)
        canvas.setFillAlpha(1)
        canvas.setFillColorRGB(0.85, 0.85, 0.85)
        said(canvas, "DRAFT", 400, size=60)

    content = read(write(file, draw))
    assert [line.text for line in content.pages[0].lines] == [
        "White on black",
        "White on a picture",
        "Under a highlighter",
        "DRAFT",
    ]
    assert not content.warnings


@pytest.mark.parametrize("is_over", [False, True])
def test_the_text_layer_of_a_scan_stays(file: Path, is_over: bool) -> None:
    def draw(canvas: Canvas) -> None:
        if not is_over:
            canvas.drawImage(noise(400), 0, 0, 612, 792)
        text = canvas.beginText(72, 700)
        text.setFont("Helvetica", 11)
        text.setTextRenderMode(0 if is_over else 3)
        text.textOut("words of the scan")
        canvas.drawText(text)
        if is_over:
            canvas.drawImage(noise(400), 0, 0, 612, 792)

    content = read(write(file, draw))
    assert [line.text for line in content.pages[0].lines] == ["words of the scan"]
    assert not content.warnings
