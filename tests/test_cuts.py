"""Headings that stand inside a block: run-in ones, and those that an outline or a table of contents names."""

from __future__ import annotations

from octavo.document import Kind
from octavo.parsing.content import OutlineEntry, Span, TextLine
from printed import line, outline, page, prose, rows, structured, text


def run_in(lead: str, rest: str, y: float, *, bold: bool = True) -> TextLine:
    """A line that starts in bold or italic and goes on plain."""
    whole = f"{lead} {rest}"
    plain = line(whole, 72, y, width=468)
    middle, (x0, y0, x1, y1) = len(lead) + 1, plain.box
    split = x0 + (x1 - x0) * middle / len(whole)
    spans = (
        Span(0, middle, (x0, y0, split, y1), "Bold", 10.0, bold=bold, italic=not bold, color=0),
        Span(middle, len(whole), (split, y0, x1, y1), "Body", 10.0, bold=False, italic=False, color=0),
    )
    return TextLine(whole, plain.box, spans)


def paragraph(lead: str, y: float, *, bold: bool = True) -> list[TextLine]:
    seed = "".join(filter(str.isalpha, lead)).lower()[:5]
    return [run_in(lead, prose(9, seed=seed), y, bold=bold), *text(prose(20, seed=f"{seed}x"), 72, y + 12, 468)]


def test_numbered_run_in_headings_that_count_on_are_sections_and_their_paragraphs_stay_whole() -> None:
    leads = ["1) Data Structure:", "2) Granularity:", "3) Reranking:"]
    lines = [row for at, lead in enumerate(leads) for row in paragraph(lead, 100 + 80 * at, bold=False)]
    document = structured(page(lines))
    assert [title for _, title in outline(document)] == leads
    assert [words.split()[0] for words in rows(document, Kind.PARAGRAPH)] == ["datasaa", "granuaa", "reranaa"]


def test_a_single_lead_or_one_without_numbers_stays_in_its_paragraph() -> None:
    lines = [*paragraph("1) Data Structure:", 100), *paragraph("Granularity.", 200), *paragraph("Reranking.", 300)]
    assert outline(structured(page(lines))) == []


def test_an_abstract_that_starts_its_paragraph_is_a_section() -> None:
    lines = [line("A Title", 72, 60, size=20), *paragraph("Abstract—", 100), *text(prose(90), 72, 200, 468)]
    assert [title for _, title in outline(structured(page(lines)))] == ["Abstract—"]


def test_a_title_of_the_outline_is_cut_out_of_the_paragraph_it_opens() -> None:
    first = page([line("Sites", 72, 60, size=18), *paragraph("Harbour rules.", 100)])
    entries = [OutlineEntry("Sites", 1, 1), OutlineEntry("Harbour rules", 2, 1)]
    document = structured(first, outline=entries)
    assert outline(document) == [(1, "Sites"), (2, "Harbour rules.")]
    assert rows(document, Kind.PARAGRAPH)[0].startswith("harboaa")


def test_a_title_of_the_outline_on_a_line_inside_a_paragraph_parts_it_in_two() -> None:
    lines = [*text(prose(40), 72, 100, 468), line("Lights at night", 72, 136, width=468)]
    after = text(prose(40, seed="light"), 72, 148, 468)
    document = structured(page([*lines, *after]), outline=[OutlineEntry("Lights at night", 1, 1)])
    assert outline(document) == [(1, "Lights at night")]
    assert "".join(rows(document)).count("light") > 10
    assert rows(document).index("Lights at night") == 1


def test_a_title_that_a_paragraph_only_mentions_is_not_cut_out_of_it() -> None:
    lines = text(f"lights at night {prose(40)}", 72, 100, 468)
    entries = [OutlineEntry("Lights at night", 1, 1), OutlineEntry("Sites", 1, 2)]
    document = structured(page(lines), page([line("Sites", 72, 60, size=18)], 2), outline=entries)
    assert outline(document) == [(1, "Sites")]
