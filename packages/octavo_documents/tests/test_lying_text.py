"""Text layers whose maps of glyphs are wrong: OCR reads them where it finds other words; ligatures mapped to none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from octavo_documents.models.ports import Raster, RecognizedLine
from octavo_documents.parsing import pdf
from octavo_documents.parsing.content import Span, TextLine
from octavo_documents.parsing.pdf.lying_text import may_lie
from pdfs import lettered, mapped_page

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
    ],
)
def test_letters_of_languages_are_not_doubted(text: str) -> None:
    span = Span(0, len(text), (0, 0, 1, 1), "", 10, bold=False, italic=False, color=0)
    assert not may_lie([TextLine(text, (0, 0, 1, 1), (span,))])


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
