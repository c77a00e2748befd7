"""What is read from a PDF page: lines, looks, places, pictures, links, and where OCR comes in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from reportlab.lib.colors import HexColor
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

import pdfs
from octavo.models.ports import Raster, RecognizedLine
from octavo_documents.parsing import Limits
from octavo_documents.parsing.content import PageContent, SourceContent
from octavo_documents.parsing.pdf import extract, render
from octavo_documents.parsing.recognition import is_blank, ocr_scale


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.pdf"


def page_of(file: Path, *drawings: pdfs.Draw) -> PageContent:
    return extract(pdfs.write(file, *drawings)).pages[0]


def raw(file: Path, content: str, *, extra: str = "", font: str = pdfs.HELVETICA) -> PageContent:
    file.write_bytes(pdfs.raw_page(content, extra=extra, font=font))
    return extract(file).pages[0]


def texts(page: PageContent) -> list[str]:
    return [line.text for line in page.lines]


def test_a_line_has_its_place_size_and_looks(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Courier-BoldOblique", 14)
        canvas.setFillColor(HexColor(0xCC3300))
        canvas.drawString(100, 792 - 200, "let x = 1")

    (line,) = page_of(file, draw).lines
    (span,) = line.spans
    assert line.text == "let x = 1"
    assert (span.size, span.bold, span.italic, span.monospace, span.color) == (14.0, True, True, True, 0xCC3300)
    assert line.box == pytest.approx((100, 189, 100 + 9 * 8.4, 203), abs=0.5)


def test_the_size_is_that_of_the_matrix_not_of_the_fonts_box(file: Path) -> None:
    page = raw(file, "BT /F 1 Tf 9 0 0 9 72 700 Tm (nine) Tj ET BT /F 4.5 Tf 2 0 0 2 72 600 Tm (nine) Tj ET")
    assert [(line.spans[0].size, round(line.box[3] - line.box[1], 1)) for line in page.lines] == [(9.0, 9.0)] * 2


def test_italics_made_by_skewing_are_no_larger_and_keep_their_spaces(file: Path) -> None:
    page = raw(file, "BT /F 1 Tf 12 0 0 12 72 700 Tm (see the ) Tj 12 0 4 12 114 700 Tm (Wearing Guide) Tj ET")
    assert texts(page) == ["see the Wearing Guide"]
    assert {span.size for span in page.lines[0].spans} == {12.0}


def test_changes_of_font_make_spans_that_cover_the_line(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(72, 700)
        for font, word in (("Helvetica", "plain "), ("Helvetica-Bold", "bold "), ("Helvetica", "plain")):
            text.setFont(font, 11)
            text.textOut(word)
        canvas.drawText(text)

    (line,) = page_of(file, draw).lines
    assert [line.text[span.start : span.stop] for span in line.spans] == ["plain ", "bold ", "plain"]
    assert [span.bold for span in line.spans] == [False, True, False]
    assert line.spans[0].start == 0 and line.spans[-1].stop == len(line.text)


def placed(words: Sequence[tuple[float, str]], *, size: float = 10) -> str:
    return f"BT /F {size} Tf " + " ".join(f"1 0 0 1 {x} 700 Tm ({word}) Tj" for x, word in words) + " ET"


def test_words_placed_by_themselves_are_joined_with_spaces(file: Path) -> None:
    assert texts(raw(file, placed([(72, "Net"), (90.3, "income"), (125.3, "rose")]))) == ["Net income rose"]


def test_letters_placed_by_themselves_make_words(file: Path) -> None:
    widths = {"N": 7.22, "e": 5.56, "t": 2.78, " ": 2.78, "i": 2.22, "n": 5.56, "c": 5.0, "o": 5.56, "m": 8.33}
    letters, x = [], 72.0
    for letter in "Net income":
        if letter != " ":
            letters.append((x, letter))
        x += widths[letter]
    assert texts(raw(file, placed(letters))) == ["Net income"]


def test_words_out_of_order_on_one_baseline_are_put_in_order(file: Path) -> None:
    assert texts(raw(file, placed([(90.3, "income"), (72, "Net")]))) == ["Net income"]


def test_columns_and_cells_are_never_joined(file: Path) -> None:
    left, right = "the end of a line in the left column", "and one in the right column"
    assert texts(raw(file, placed([(72, left), (72 + 165, right)]))) == [left, right]
    assert texts(raw(file, placed([(72, "Revenue"), (200, "1,200"), (300, "1,100")]))) == ["Revenue", "1,200", "1,100"]


def test_a_justified_line_is_not_split(file: Path) -> None:
    line = "wide spaces in a justified line of text"
    assert texts(raw(file, f"BT /F 10 Tf 4 Tw 72 700 Td ({line}) Tj ET")) == [line]


def test_the_labels_of_an_axis_stand_alone_and_a_spread_line_of_words_does_not(file: Path) -> None:
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
    assert texts(raw(file, f"BT /F 10 Tf 12 Tw 72 700 Td ({' '.join(months)}) Tj ET")) == months
    spread = "Teja, evaluating the ideal chunk size"
    assert texts(raw(file, f"BT /F 10 Tf 9 Tw 72 700 Td ({spread}) Tj ET")) == [spread]


def test_a_list_number_stays_with_its_item_and_a_figure_in_a_cell_does_not(file: Path) -> None:
    assert texts(raw(file, placed([(72, "12."), (96, "Landing")]))) == ["12. Landing"]
    assert texts(raw(file, placed([(72, "412"), (110, "Living, galley")]))) == ["412", "Living, galley"]


def test_letters_drawn_one_by_one_share_the_looks_of_their_word(file: Path) -> None:
    words = ["glyph" + "abcdefghij"[at % 10] for at in range(120)]

    def draw(canvas: Canvas) -> None:
        for row, word in enumerate(words):
            canvas.setFillColorRGB(*((1, 0, 0) if row == 5 else (0, 0, 0)))
            canvas.setFont("Courier-Bold" if row == 7 else "Courier", 9)
            for place, letter in enumerate(word):
                canvas.drawString(72 + 100 * (row % 4) + 5.4 * place, 700 - 12 * (row // 4), letter)

    lines = page_of(file, draw).lines
    assert [line.text for line in lines] == words
    assert [line.text for line in lines if line.spans[0].color == 0xFF0000] == [words[5]]
    assert [line.text for line in lines if line.spans[0].bold] == [words[7]]


def test_a_coloured_word_inside_brackets_has_a_span_of_its_own(file: Path) -> None:
    page = raw(file, "BT /F 10 Tf 72 700 Td (see [) Tj 0 0 1 rg (12) Tj 0 g (, page 4]) Tj ET")
    assert [(page.lines[0].text[span.start : span.stop], span.color) for span in page.lines[0].spans] == [
        ("see [", 0),
        ("12", 0x0000FF),
        (", page 4]", 0),
    ]


def test_a_superscript_stays_in_its_line(file: Path) -> None:
    page = raw(file, "BT /F 10 Tf 72 700 Td (as shown) Tj /F 6 Tf 4 Ts (12) Tj /F 10 Tf 0 Ts ( before) Tj ET")
    assert texts(page) == ["as shown¹² before"]


def test_text_printed_twice_for_boldness_is_read_once(file: Path) -> None:
    assert texts(raw(file, placed([(72, "Heading"), (72.3, "Heading")]))) == ["Heading"]
    assert texts(raw(file, placed([(72, "bookkeeper aab")]))) == ["bookkeeper aab"]


def test_text_outside_the_page_is_left_out(file: Path) -> None:
    page = raw(file, "BT /F 10 Tf 72 700 Td (seen) Tj 0 400 Td (above) Tj 2000 -400 Td (beside) Tj ET")
    assert texts(page) == ["seen"]


def test_tiny_and_huge_type_is_read(file: Path) -> None:
    page = raw(file, "BT /F 1.5 Tf 72 700 Td (tiny print) Tj /F 150 Tf 0 -300 Td (BIG) Tj ET")
    assert [(line.text, line.spans[0].size) for line in page.lines] == [("tiny print", 1.5), ("BIG", 150.0)]


LIGATURES = (
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica "
    "/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /fl] >> >>"
)


def test_ligatures_are_spelled_out(file: Path) -> None:
    page = raw(file, "BT /F 10 Tf 72 700 Td (de\\001ne the \\002ow) Tj ET", font=LIGATURES)
    assert texts(page) == ["define the flow"]


def test_soft_hyphens_vanish_inside_a_line_and_show_at_its_end(file: Path) -> None:
    page = raw(file, "BT /F 10 Tf 72 700 Td (data\\255base infor\\255) Tj ET")
    assert texts(page) in (["database infor-"], ["data-base infor-"])


@pytest.mark.parametrize("turns", [0, 90, 180, 270])
def test_a_turned_page_reads_as_it_is_displayed(file: Path, turns: int) -> None:
    place = {0: "1 0 0 1 72 692", 90: "0 1 -1 0 100 72", 180: "-1 0 0 -1 540 100", 270: "0 -1 1 0 512 720"}[turns]
    page = raw(file, f"BT /F 10 Tf {place} Tm (upright) Tj ET", extra=f"/Rotate {turns}")
    (line,) = page.lines
    assert (page.width, page.height) == ((612, 792) if turns % 180 == 0 else (792, 612))
    assert (line.text, line.angle) == ("upright", 0)
    assert line.box == pytest.approx((72, 92, 72 + 30.6, 102), abs=0.5)


@pytest.mark.parametrize(
    ("matrix", "angle"), [("0 1 -1 0", 90), ("0 -1 1 0", 270), ("0.7071 0.7071 -0.7071 0.7071", 45)]
)
def test_text_written_askew_says_so(file: Path, matrix: str, angle: int) -> None:
    page = raw(file, f"BT /F 10 Tf {matrix} 300 400 Tm (two words) Tj ET")
    (line,) = page.lines
    assert (line.text, line.angle) == ("two words", angle)
    assert line.box[0] < 312 and line.box[2] > 288 and line.box[3] - line.box[1] > 20


def test_pictures_and_paths_are_told_apart(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(image()), 100, 500, 200, 100)
        canvas.setFillColor(HexColor(0x336699))
        canvas.rect(100, 300, 50, 40, stroke=0, fill=1)
        canvas.rect(300, 300, 50, 40, stroke=1, fill=0)
        canvas.line(100, 200, 400, 200)

    found = {graphic.kind: graphic for graphic in page_of(file, draw).graphics}
    assert set(found) == {"image", "fill", "stroke", "line"}
    assert found["image"].box == pytest.approx((100, 192, 300, 292), abs=0.5)
    assert found["fill"].color == 0x336699


def image(value: int = 200) -> object:
    from PIL import Image

    return Image.fromarray(np.random.default_rng(1).integers(0, value, (80, 160, 3)).astype(np.uint8))


def test_links_lead_to_pages_and_outside(file: Path) -> None:
    def first(canvas: Canvas) -> None:
        canvas.linkAbsolute("", "there", (72, 700, 172, 720))
        canvas.linkURL("https://example.org/a", (72, 600, 172, 620))

    def second(canvas: Canvas) -> None:
        canvas.bookmarkHorizontalAbsolute("there", 500)

    inside, outside = page_of(file, first, second).annotations
    assert (inside.page, inside.uri) == (2, "") and inside.y == pytest.approx(292, abs=1)
    assert (outside.page, outside.uri) == (0, "https://example.org/a")
    assert outside.box == pytest.approx((72, 172, 172, 192), abs=1)


def outlined(file: Path) -> SourceContent:
    pdfs.write(file, pdfs.say("one"), pdfs.say("two"), pdfs.say("three"))
    with pikepdf.open(file, allow_overwriting_input=True) as pdf:
        pages = [page.obj for page in pdf.pages]
        pdf.Root.Dests = pikepdf.Dictionary({"/named": pikepdf.Array([pages[2], pikepdf.Name.XYZ, 0, 392, 0])})
        labels = [0, {"/S": pikepdf.Name("/r")}, 2, {"/S": pikepdf.Name("/D"), "/P": pikepdf.String("A-")}]
        pdf.Root.PageLabels = pikepdf.Dictionary(
            Nums=pikepdf.Array([item if isinstance(item, int) else pikepdf.Dictionary(item) for item in labels])
        )
        with pdf.open_outline() as outline:
            chapter = pikepdf.OutlineItem("Chapter  one", 1, "XYZ", top=692)
            chapter.children.append(pikepdf.OutlineItem("Named", pikepdf.Name("/named")))
            outline.root.append(chapter)
        pdf.docinfo["/Title"] = "A title"
        pdf.save(file)
    return extract(file)


def test_outline_labels_and_properties_are_read(file: Path) -> None:
    content = outlined(file)
    assert [(item.title, item.level, item.page, item.y) for item in content.outline] == [
        ("Chapter one", 1, 2, 100.0),
        ("Named", 2, 3, 400.0),
    ]
    assert [page.label for page in content.pages] == ["i", "ii", "A-1"]
    assert content.title == "A title"


class Recognizer:
    """Finds one line on every raster it is given, and remembers these."""

    def __init__(self) -> None:
        self.seen: list[Raster] = []

    def __call__(self, raster: Raster) -> Sequence[RecognizedLine]:
        self.seen.append(raster)
        height, width, _ = raster.shape
        return [RecognizedLine("Read by  OCR", (0.1 * width, 0.2 * height, 0.5 * width, 0.25 * height), 0.875)]


def scanned(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(image()), 0, 0, 612, 792)


def read_with(file: Path, recognizer: Recognizer, *drawings: pdfs.Draw, ocr: str = "auto") -> SourceContent:
    return extract(pdfs.write(file, *drawings), ocr=ocr, recognize=recognizer)  # pyright: ignore[reportArgumentType]


def test_only_pages_without_text_are_read_by_ocr(file: Path) -> None:
    recognizer = Recognizer()
    content = read_with(file, recognizer, pdfs.say("A page with a text layer"), scanned)
    assert len(recognizer.seen) == 1
    assert [page.is_scanned for page in content.pages] == [False, True]
    (line,) = content.pages[1].lines
    assert (line.text, line.confidence) == ("Read by OCR", 0.875)
    assert line.box == pytest.approx((61.2, 158.4, 306, 198), abs=1)


def test_a_stamp_on_a_scan_is_kept_beside_what_ocr_read(file: Path) -> None:
    def stamped(canvas: Canvas) -> None:
        scanned(canvas)
        canvas.drawString(400, 30, "Page 7")

    page = read_with(file, Recognizer(), stamped).pages[0]
    assert texts(page) == ["Page 7", "Read by OCR"]
    assert page.is_scanned


@pytest.mark.parametrize(("shapes", "is_scanned"), [(240, True), (40, False)])
def test_a_page_of_letters_turned_into_outlines_is_read_though_its_header_is_text(
    file: Path, shapes: int, *, is_scanned: bool
) -> None:
    def outlined(canvas: Canvas) -> None:
        canvas.drawString(72, 760, "ANNUAL REPORT OF THE FERRY COMPANY")
        for at in range(shapes):
            canvas.circle(80 + 10 * (at % 40), 700 - 14 * (at // 40), 3, stroke=0, fill=1)

    page = read_with(file, Recognizer(), outlined).pages[0]
    assert page.is_scanned == is_scanned
    assert texts(page) == ["ANNUAL REPORT OF THE FERRY COMPANY", *["Read by OCR"] * is_scanned]


def test_ocr_can_be_forbidden_or_demanded(file: Path) -> None:
    recognizer = Recognizer()
    never = read_with(file, recognizer, scanned, ocr="never").pages[0]
    assert (never.lines, never.is_scanned, recognizer.seen) == ((), True, [])
    always = read_with(file, recognizer, pdfs.say("A text layer"), ocr="always").pages[0]
    assert texts(always) == ["Read by OCR"]


def test_blank_pages_are_not_given_to_ocr(file: Path) -> None:
    def white(canvas: Canvas) -> None:
        canvas.setFillColor(HexColor(0xFFFFFF))
        canvas.rect(0, 0, 612, 792, stroke=0, fill=1)

    recognizer = Recognizer()
    content = read_with(file, recognizer, lambda canvas: None, white)
    assert not recognizer.seen and not any(page.lines for page in content.pages)


NOWHERE = (
    "<< /Type /Font /Subtype /Type0 /BaseFont /Mystery /Encoding /Identity-H /DescendantFonts [<< /Type /Font "
    "/Subtype /CIDFontType2 /BaseFont /Mystery /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
    "/Supplement 0 >> /DW 500 >>] >>"
)


def test_a_text_layer_that_maps_to_nothing_counts_as_none(file: Path) -> None:
    recognizer = Recognizer()
    codes = "".join(f"{code:04x}" for code in range(600, 640))
    file.write_bytes(pdfs.raw_page(f"BT /F 10 Tf 72 700 Td <{codes}> Tj ET 72 72 300 300 re f", font=NOWHERE))
    page = extract(file, recognize=recognizer).pages[0]
    assert page.is_scanned and texts(page) == ["Read by OCR"]


def test_a_drawn_box_is_a_piece_of_the_drawn_page(file: Path) -> None:
    pdfs.write(file, pdfs.say("Hello", "there", size=30))
    whole = render(file, 1, dpi=72)
    piece = render(file, 1, dpi=72, box=(72, 40, 272, 140))
    assert whole.shape == (792, 612, 3) and piece.shape == (100, 200, 3)
    assert np.abs(whole[40:140, 72:272].astype(int) - piece).mean() < 2
    assert piece.min() < 50 and not is_blank(whole)


def test_pixels_are_capped_by_drawing_coarsely(file: Path) -> None:
    pdfs.write(file, pdfs.say("Hello"))
    raster = render(file, 1, dpi=10_000, limits=Limits(pixels=100_000))
    assert 90_000 < raster.shape[0] * raster.shape[1] < 102_000


@pytest.mark.parametrize(("size", "long_side"), [((960, 540), 1280), ((595, 842), 1600), ((600, 6000), 4000)])
def test_ocr_gets_pictures_of_the_size_it_reads_best(size: tuple[float, float], long_side: int) -> None:
    assert ocr_scale(*size) * max(size) == pytest.approx(long_side, rel=0.01)


def test_a_broken_page_is_left_empty_and_named(file: Path) -> None:
    file.write_bytes(
        pdfs.assembled(
            [
                b"<< /Type /Catalog /Pages 2 0 R >>",
                b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
                b"(no page)",
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>",
            ]
        )
    )
    content = extract(file)
    assert len(content.pages) == 2
    assert len(content.warnings) == 1 and "page 1" in content.warnings[0]


TYPE_3 = (
    "<< /Type /Font /Subtype /Type3 /FontBBox [0 -20 75 80] /FontMatrix [0.1 0 0 0.1 0 0] /FirstChar 97 /LastChar 97 "
    "/Widths [50] /Encoding << /Type /Encoding /Differences [97 /a] >> "
    "/CharProcs << /a 6 0 R >> /Resources << >> >>"
)


def test_a_font_that_counts_in_other_units_than_ems_is_as_large_as_it_looks(file: Path) -> None:
    page = "/MediaBox [0 0 612 792] /Resources << /Font << /F 5 0 R /G 7 0 R >> >> /Contents 4 0 R"
    content = b"BT /F 1.2 Tf 72 700 Td (aaaa) Tj ET BT /G 12 Tf 72 600 Td (plainly readable) Tj ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R {page} >>",
        pdfs.stream(content).decode(),
        TYPE_3,
        pdfs.stream(b"50 0 0 -20 75 80 d1 0 0 45 70 re f").decode(),
        pdfs.HELVETICA,
    ]
    file.write_bytes(pdfs.assembled(map(str.encode, objects)))
    drawn, plain = extract(file).pages[0].lines
    assert drawn.spans[0].size == pytest.approx(plain.spans[0].size, abs=0.2)
    assert drawn.box[3] - drawn.box[1] == pytest.approx(plain.box[3] - plain.box[1], abs=0.5)


def test_words_drawn_one_by_one_close_together_are_parted(file: Path) -> None:
    words = ["The", "five", "questions", "we", "ask", "about", "services"]
    places = [72.0]
    for word in words:
        places.append(places[-1] + stringWidth(word, "Helvetica", 10) + 1.1)
    assert texts(raw(file, placed(list(zip(places, words, strict=False))))) == [" ".join(words)]


def test_a_word_drawn_in_pieces_stays_whole(file: Path) -> None:
    pieces = ["An ", "examin", "ation of words and spaces"]
    places = [72.0]
    for piece in pieces:
        places.append(places[-1] + stringWidth(piece, "Helvetica", 10) + 1.0)
    assert texts(raw(file, placed(list(zip(places, pieces, strict=False))))) == ["An examination of words and spaces"]


def test_letters_set_apart_are_read_as_words_and_labels_of_columns_are_not(file: Path) -> None:
    assert texts(raw(file, "BT /F 10 Tf 5 Tc 72 700 Td (NEWS) Tj ET")) == ["NEWS"]
    assert texts(raw(file, "BT /F 10 Tf 72 700 Td (R E L E A S E) Tj ET")) == ["RELEASE"]
    assert texts(raw(file, "BT /F 10 Tf 3.2 Tc 72 700 Td (ANNUAL REPORT) Tj ET")) == ["ANNUAL REPORT"]
    assert texts(raw(file, "BT /F 10 Tf 72 700 Td (A B C D E) Tj ET")) == ["A B C D E"]
    assert texts(raw(file, "BT /F 10 Tf 72 700 Td (N N Y N) Tj ET")) == ["N N Y N"]


def test_a_picture_as_thin_as_a_hair_is_a_line_and_a_strip_of_a_picture_is_not(file: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(image()), 100, 700, 300, 0.5)
        for row in range(20):
            canvas.drawImage(ImageReader(image()), 100, 400 + row, 300, 1)

    kinds = [graphic.kind for graphic in page_of(file, draw).graphics]
    assert kinds == ["line", *["image"] * 20]
