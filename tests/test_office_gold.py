"""What is in office files, by the libraries for them, as tools are compared with it."""

from __future__ import annotations

from pathlib import Path

import docx
import pptx
from pptx.util import Inches

import converters
import office_gold


def test_headings_and_merged_cells_of_a_word_file(tmp_path: Path) -> None:
    made = docx.Document()
    made.add_heading("Tides", 0)
    made.add_heading("Gauges", 1)
    made.add_paragraph("Three of them.")
    table = made.add_table(2, 3)
    for at, text in enumerate(("Gauge", "Range", "", "Radar", "0 to", "30 m")):
        table.cell(at // 3, at % 3).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    made.save(tmp_path / "a.docx")
    assert office_gold.headings_of(tmp_path / "a.docx") == [(0, "Tides"), (1, "Gauges")]
    (cells,) = office_gold.tables_of(tmp_path / "a.docx")
    assert cells == {
        (0, 0): ("Gauge", 1, 1),
        (0, 1): ("Range", 1, 2),
        (1, 0): ("Radar", 1, 1),
        (1, 1): ("0to", 1, 1),
        (1, 2): ("30m", 1, 1),
    }
    gold = converters.gold_of(tmp_path / "a.docx", {})
    markdown = (
        "# Tides\n\n## Gauges\n\nThree of them.\n\n| Gauge | Range | Range |\n|---|---|---|\n| Radar | 0 to | 30 m |\n"
    )
    scored = converters.scored(markdown, gold)
    assert converters.scored(markdown.replace("Three of them.", ""), gold)["words"] < 1
    assert scored["headings"] == 1 and "levels" not in scored
    assert scored["words"] == 1 and 0.8 < scored["tables"] < 1  # "Range" stands there twice


def test_tables_of_slides(tmp_path: Path) -> None:
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Gauges"
    table = slide.shapes.add_table(1, 2, Inches(1), Inches(1), Inches(3), Inches(1)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "Radar", "30 m"
    made.save(tmp_path / "a.pptx")
    assert office_gold.is_office(tmp_path / "a.pptx") and not office_gold.is_office(tmp_path / "a.pdf")
    assert [*office_gold.tables_of(tmp_path / "a.pptx")] == [{(0, 0): ("Radar", 1, 1), (0, 1): ("30m", 1, 1)}]
    assert office_gold.headings_of(tmp_path / "a.pptx") == []
    assert "30 m" in office_gold.words_of(tmp_path / "a.pptx")
