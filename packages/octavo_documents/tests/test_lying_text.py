"""Text layers whose maps of glyphs are wrong: OCR reads them where it finds other words; ligatures mapped to none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from octavo_documents.models.ports import Raster, RecognizedLine
from octavo_documents.parsing import pdf
from octavo_documents.parsing.content import Span, TextLine
from octavo_documents.parsing.pdf.lying_text import Doubts, doubted
from pdfs import assembled, lettered, mapped_page, stream

SAID = (
    "The supplier delivers 1,450 cubic metres of spruce each quarter.",
    "The price is 96 euros a cubic metre, free at the saw mill.",
    "Late delivery costs the supplier two percent of the price a week.",
)


def _mapped(path: Path, lines: Sequence[str], shift: int, others: dict[int, int]) -> Path:
    """Write lines whose letters a font maps to others; `others` are single codes."""
    ranges = f"2 beginbfrange <20> <40> <0020> <41> <7A> <{0x41 + shift:04X}> endbfrange"
    single = " ".join(f"<{code:02X}> <{other:04X}>" for code, other in others.items())
    single = f"{len(others)} beginbfchar {single} endbfchar" if others else ""
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def "
        f"1 begincodespacerange <00> <FF> endcodespacerange {ranges} {single} endcmap end end"
    )
    shown = " 0 -15 Td ".join(f"({line}) Tj" for line in lines)
    return mapped_page(path, f"BT /F 11 Tf 72 700 Td {shown} ET", cmap, base="Helvetica")


def _reads(*lines: str, confidence: float = 0.97) -> pdf.Recognize:
    def recognize(raster: Raster) -> Sequence[RecognizedLine]:
        del raster
        return [
            RecognizedLine(line, (72, 80 + 15 * at, 400, 90 + 15 * at), confidence) for at, line in enumerate(lines)
        ]

    return recognize


@pytest.mark.parametrize("shift", [1, 4, 6])
def test_a_layer_of_no_language_is_read_by_ocr(tmp_path: Path, shift: int) -> None:
    path = _mapped(tmp_path / "a.pdf", SAID, shift, {})
    content = pdf.extract(path, recognize=_reads(*SAID))
    assert [line.text for line in content.pages[0].lines] == [*SAID]
    assert content.warnings == ("page 1 was read by OCR: its text layer says something else",)
    left = pdf.extract(path, ocr="never")
    assert left.pages[0].lines[0].text != SAID[0]
    assert left.warnings == ("page 1 may say something else than its text layer; OCR can tell",)


def test_an_unsure_reading_does_not_replace_a_layer(tmp_path: Path) -> None:
    path = _mapped(tmp_path / "a.pdf", SAID, 4, {})
    content = pdf.extract(path, recognize=_reads(*SAID, confidence=0.6))
    assert (content.pages[0].is_scanned, content.warnings) == (False, ())


def test_a_layer_in_letters_that_are_seldom_is_kept_where_ocr_reads_it_too(tmp_path: Path) -> None:
    parts = [
        "BKW PUMP GBX LVL KUG",
        "CHUCK BOLT MZX DUMMY PLUG",
        "BUMPY CLUB MUD PLUMB DUCK",
        "BUG LUMP CUB JUMPY PUB KVM",
    ]
    path = _mapped(tmp_path / "a.pdf", [*parts, *(part.lower() for part in parts)], 0, {})
    content = pdf.extract(path, recognize=_reads(*parts, *parts))
    assert (content.pages[0].is_scanned, content.warnings) == (False, ())


@pytest.mark.parametrize(
    "text",
    [
        "Die Vergütung beträgt monatlich zweitausend Euro und wird am ersten Werktag des Monats gezahlt.",
        "Umowa obowiązuje od dnia podpisania i może zostać wypowiedziana przez każdą ze stron w trzy miesiące.",
        "Hợp đồng có hiệu lực kể từ ngày ký và có thể chấm dứt bởi mỗi bên với thời hạn ba tháng trước, bằng văn bản.",
        "Kira sözleşmesi üç yıl süreyle geçerlidir ve her yılın başında taraflarca yeniden düzenlenebilir.",
        "Sopimus on voimassa kolme vuotta ja se voidaan irtisanoa kolmen kuukauden irtisanomisajalla heti.",
        "1,204 3,377 9,120 (44) 88.1% 12,004 7,720 6,105 (9) 3,004 5,000 1,112 8,004 2,244 9,901 3,303 7,120 4,008",
        "Договор действует " * 8,
        "Site Oslo 964 300 0.0 Site Bergen 237 301 7.1 Site Molde 341 304 28.4 Site Narvik 737 305 35.5 " * 9,
    ],
)
def test_letters_of_languages_are_not_doubted(text: str) -> None:
    span = Span(0, len(text), (0, 0, 1, 1), "", 10, bold=False, italic=False, color=0)
    assert not doubted([TextLine(text, (0, 0, 1, 1), (span,))], Doubts())


@pytest.mark.parametrize(("wrong", "warned"), [("זb", True), ("זב", False)])
def test_words_with_letters_of_two_scripts_are_told_of(tmp_path: Path, wrong: str, warned: bool) -> None:
    words = " ".join(f"מו{wrong}ן" for _ in range(6))
    read = pdf.extract(lettered(tmp_path / "a.pdf", [(100.0, y, words) for y in (700.0, 680.0)]), ocr="never")
    assert [one for one in read.warnings if "font" in one] == (
        ["a font tells its letters wrongly, so words of the text are wrong (page 1)"] if warned else []
    )


def test_ligatures_that_are_mapped_to_nothing_are_read(tmp_path: Path) -> None:
    lines = ["Los contratos son \xdermados en la o\xdecina,", "two re\xdeections of the \xdeag, con-", "sidered all."]
    read = pdf.extract(_mapped(tmp_path / "a.pdf", lines, 0, {0xDE: 0xFFFE}), ocr="never").pages[0].lines
    assert [line.text for line in read] == [
        "Los contratos son firmados en la oficina,",
        "two reflections of the flag, con-",
        "sidered all.",
    ]


TRUE = (
    "The annual report of the company covers the twelve months to the end of December and was",
    "approved by the board in its meeting of the second week of March. It has been checked by an",
    "auditor who found nothing that would have to be changed. The tables that follow are in tonnes.",
)
WRONG = (
    "The quarry at Lindholm opened in the spring and supplied granite to four harbours on the coast.",
    "It employs people of the village and produces much stone in a year of normal weather there.",
    "The manager of the site is Hilde Aasen, who took over from her father in a cold winter.",
    "Every load that leaves the gate is weighed twice, and the lower of both weights is paid.",
)


def _cmap(codes: dict[int, str]) -> bytes:
    single = " ".join(f"<{code:02X}> <{other}>" for code, other in codes.items())
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def 1 begincodespacerange <00> <FF> "
        f"endcodespacerange {len(codes)} beginbfchar {single} endbfchar endcmap end end"
    ).encode()


def _two_fonts(path: Path, right: Sequence[str], *wrong: Sequence[str], codes: dict[int, str]) -> Path:
    """Write a page for each of the lines in `wrong`, whose font has this map, under those in another font."""
    count = len(wrong)
    kids = " ".join(f"{8 + 2 * at} 0 R" for at in range(count))

    def font(base: str, number: int) -> bytes:
        return (
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding /ToUnicode {number} 0 R >>"
        ).encode()

    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        font("Times-Roman", 4),
        stream(_cmap({code: f"{code:04X}" for code in range(32, 127)})),
        font("Helvetica", 6),
        stream(_cmap({code: f"{code:04X}" for code in range(32, 127)} | codes)),
        b"<< /Font << /F 3 0 R /G 5 0 R >> >>",
    ]
    for at, lines in enumerate(wrong):
        page = f"/MediaBox [0 0 612 792] /Resources 7 0 R /Contents {9 + 2 * at} 0 R"
        texts = (" 0 -15 Td ".join(f"({line}) Tj" for line in one) for one in (right, lines))
        shown = "BT /F 11 Tf 72 720 Td {} ET BT /G 11 Tf 72 600 Td {} ET".format(*texts)
        objects += [f"<< /Type /Page /Parent 2 0 R {page} >>".encode(), stream(shown.encode())]
    path.write_bytes(assembled(objects))
    return path


def _reads_both(*pages: Sequence[str]) -> pdf.Recognize:
    """Read the lines of each page where they stand, one page after the other."""
    following = iter(pages)

    def recognize(raster: Raster) -> Sequence[RecognizedLine]:
        scale = raster.shape[1] / 612
        places = [(60 + 15 * at, line) for at, line in enumerate(TRUE)]
        places += [(180 + 15 * at, line) for at, line in enumerate(next(following))]
        boxes = ((line, (72 * scale, top * scale, 500 * scale, (top + 14) * scale)) for top, line in places)
        return [RecognizedLine(line, box, 0.97) for line, box in boxes]

    return recognize


_SMALL = range(0x61, 0x7B)


@pytest.mark.parametrize(
    "codes",
    [
        {code: f"{0x61 + (code - 0x61) * 7 % 26:04X}" for code in _SMALL},
        {code: f"{code:02X}00" for code in range(33, 127)},  # the bytes of each letter exchanged
        {code: f"{0x430 + code - 0x61:04X}" for code in _SMALL},
        {code: f"{0xF000 + code:04X}" for code in range(33, 127)},
    ],
)
def test_one_font_of_a_page_that_is_wrong_is_read_by_ocr(tmp_path: Path, codes: dict[int, str]) -> None:
    path = _two_fonts(tmp_path / "a.pdf", TRUE, WRONG, codes=codes)
    content = pdf.extract(path, recognize=_reads_both(WRONG))
    assert [line.text for line in content.pages[0].lines] == [*TRUE, *WRONG]
    assert content.warnings == ("page 1 was read by OCR: its text layer says something else",)


def test_a_font_that_was_wrong_is_doubted_where_it_has_few_words(tmp_path: Path) -> None:
    shifted = {code: f"{0x61 + (code - 0x61) * 7 % 26:04X}" for code in _SMALL}
    path = _two_fonts(tmp_path / "a.pdf", TRUE, WRONG, ["Output of Lindholm"], codes=shifted)
    content = pdf.extract(path, recognize=_reads_both(WRONG, ["Output of Lindholm"]))
    assert [line.text for line in content.pages[1].lines] == [*TRUE, "Output of Lindholm"]
    assert content.pages[1].lines[0].spans[0].font == "Times-Roman"


def test_a_list_of_names_is_kept_and_after_some_pages_not_asked_about(tmp_path: Path) -> None:
    names = [
        f"{one} {other}" for one in ("Aasen", "Humphrey", "Mulvaney", "Gwyn") for other in ("Ostervik", "Blum")
    ] * 4
    pages = [names] * 5
    path = _two_fonts(tmp_path / "a.pdf", [], *pages, codes={})
    asked: list[int] = []

    def recognize(raster: Raster) -> Sequence[RecognizedLine]:
        del raster
        asked.append(1)
        return [RecognizedLine(line, (72, 180 + 15 * at, 500, 194 + 15 * at), 0.97) for at, line in enumerate(names)]

    content = pdf.extract(path, recognize=recognize)
    assert (len(asked), content.warnings) == (3, ())
    assert [line.text for line in content.pages[4].lines] == names


@pytest.mark.parametrize("mapped", [0xFFFE, 0xF001, 0xE001, 0x1F, 0xAD])
def test_a_ligature_mapped_to_no_letter_is_read_within_its_word(tmp_path: Path, mapped: int) -> None:
    line = "The \xderm con\xderms that re-entry is \xdene."
    path = _mapped(tmp_path / "a.pdf", [line], 0, {0xDE: mapped})
    assert [one.text for one in pdf.extract(path, ocr="never").pages[0].lines] == [
        "The firm confirms that re-entry is fine."
    ]


def test_letters_that_word_gives_for_ligatures_are_spelt(tmp_path: Path) -> None:
    codes = {0xC0: 0x19F, 0xC1: 0x1A9, 0xC2: 0x14C, 0xC3: 0x1AB}
    lines = ["\xc0me for the ac\xc0on of the commi\xc1ee a\xc2er the se\xc3ngs le\xc2", "\xc2saka and \xc1"]
    path = _mapped(tmp_path / "a.pdf", lines, 0, codes)
    assert [one.text for one in pdf.extract(path, ocr="never").pages[0].lines] == [
        "time for the action of the committee after the settings left",
        "Ōsaka and Ʃ",
    ]


def test_old_figures_and_small_capitals_are_read(tmp_path: Path) -> None:
    codes = {0xC0 + digit: 0xF730 + digit for digit in range(10)} | {0xD0 + at: 0xF761 + at for at in range(3)}
    path = _mapped(tmp_path / "a.pdf", ["In \xc1\xc9\xc3\xc4 the \xd0\xd1\xd2 paid."], 0, codes)
    assert [one.text for one in pdf.extract(path, ocr="never").pages[0].lines] == ["In 1934 the abc paid."]


def test_a_layer_of_the_numbers_of_glyphs_is_read_by_ocr(tmp_path: Path) -> None:
    letters = dict.fromkeys("".join(SAID).lower())
    numbers = [one for one in range(3, 32) if one not in (9, 10, 13)]
    others = {ord(letter): numbers[at % len(numbers)] for at, letter in enumerate(letters) if letter != " "}
    path = _mapped(tmp_path / "a.pdf", SAID, 0, others)
    content = pdf.extract(path, recognize=_reads(*SAID))
    assert [line.text for line in content.pages[0].lines] == [*SAID]
    assert not pdf.extract(path, ocr="never").pages[0].lines


PRICES = ("The fee for boats is 1,880 euros in the year 2016.", "The mast is 28 metres high, the hall 960 metres long.")


@pytest.mark.parametrize(
    "order", ["1234567890", "0987654321", "8123456790"], ids=["one on", "backwards", "an 8 for a 0, a 0 for a 1"]
)
@pytest.mark.parametrize("others", [(), ("It has no numbers, and is as it is said to be.",)])
def test_digits_alone_that_are_exchanged_are_read_by_ocr(tmp_path: Path, order: str, others: tuple[str, ...]) -> None:
    lines = (*PRICES, *others)
    path = _mapped(tmp_path / "a.pdf", lines, 0, {0x30 + at: ord(digit) for at, digit in enumerate(order)})
    content = pdf.extract(path, recognize=_reads(*lines))
    assert [line.text for line in content.pages[0].lines] == [*lines]
    assert content.warnings == ("page 1 was read by OCR: its text layer says something else",)
    assert pdf.extract(path, ocr="never").warnings == (
        "page 1 may say something else than its text layer; OCR can tell",
    )


def test_digits_that_look_as_they_should_are_in_no_doubt(tmp_path: Path) -> None:
    path = _mapped(tmp_path / "a.pdf", PRICES, 0, {})
    content = pdf.extract(path, recognize=_reads("The fee is 7."))
    assert ([line.text for line in content.pages[0].lines], content.warnings) == ([*PRICES], ())
