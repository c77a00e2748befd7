"""What is drawn of a chart, figure or table: with its caption and the title over it, and nothing of its neighbours."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from test_shown_to_see import captioned, placed

import pdfs
from indexed import view_of
from octavo.corpus import Corpus
from octavo.corpus.judges import ModelConfig
from octavo.evidence import framed
from octavo.layers.crops import crop_of
from octavo.models.language import Request
from octavo.models.scripted import Line, ScriptedModel
from octavo.operators.read.image_evidence import graphics, is_axis
from octavo_documents.document import Document, Kind
from synthetic import document

LEFT, RIGHT, TOP, BOTTOM = 150.0, 350.0, 300.0, 420.0


def chart(*around: tuple[Kind, str, tuple[int, int, int, int]]) -> tuple[Document, int]:
    """Return a document of one page with a chart and what is around it, and the row of the chart."""
    rows = sorted([*around, (Kind.CHART, "20 40", (150, 300, 350, 420))], key=lambda one: one[2][1])
    source = document([(kind, text, 1, 1 if kind is Kind.HEADING else 0) for kind, text, _ in rows])
    made = placed(source, {at: box for at, (_, _, box) in enumerate(rows)})
    return made, next(at for at, (kind, _, _) in enumerate(rows) if kind is Kind.CHART)


@pytest.mark.parametrize(
    ("kind", "text", "box", "is_shown"),
    [
        (Kind.PARAGRAPH, "Berths by year", (180, 280, 320, 294), True),
        (Kind.HEADING, "Berths by year", (140, 278, 260, 292), True),
        (Kind.PARAGRAPH, "Berths by year", (180, 240, 320, 254), False),  # too far
        (Kind.PARAGRAPH, "Berths by year", (20, 280, 160, 294), False),  # over something else
        (Kind.PARAGRAPH, "Berths are let by the year. " * 9, (150, 280, 350, 294), False),  # text
        (Kind.PARAGRAPH, "Berths are let by the year.", (150, 220, 350, 294), False),
        (Kind.TABLE, "Berths | 4", (180, 280, 320, 294), False),
        (Kind.PARAGRAPH, "Berths by year", (180, 426, 320, 440), False),  # what goes on under it
    ],
)
def test_the_title_right_over_an_element_is_drawn_with_it(
    kind: Kind, text: str, box: tuple[int, int, int, int], is_shown: bool
) -> None:
    source, row = chart((kind, text, box))
    found = framed(source.blocks, {}, (row,), source.on_page(1))
    wanted = (min(LEFT, box[0]), box[1], max(RIGHT, box[2]), BOTTOM) if is_shown else (LEFT, TOP, RIGHT, BOTTOM)
    assert found == wanted


def test_a_title_of_two_blocks_is_drawn_whole_and_no_more() -> None:
    lines = [(Kind.PARAGRAPH, f"Line {at}", (160, at, 340, at + 14)) for at in (244, 262, 280)]
    source, row = chart(*lines)
    assert framed(source.blocks, {}, (row,), source.on_page(1)) == (LEFT, 262, RIGHT, BOTTOM)


def test_the_caption_is_drawn_and_that_of_another_element_is_not() -> None:
    around = [
        (Kind.FIGURE, "", (150, 100, 350, 280)),
        (Kind.CAPTION, "Figure 1: A pier", (150, 282, 350, 294)),
        (Kind.CAPTION, "Figure 2: Berths", (140, 426, 360, 440)),
    ]
    source, row = chart(*around)
    made = captioned(source)
    assert framed(made.blocks, made.links.captions(), (row,), made.on_page(1)) == (140, TOP, 360, 440)
    assert crop_of(made, row) == (136, TOP - 4, 364, 444)
    view = view_of(source, made)
    second = len(source.blocks)
    assert framed(view.blocks, view.captions, (second + row,), view.page_rows(1)) == (140, TOP, 360, 440)


AXIS = (Kind.PARAGRAPH, "2019 2020 2021 2022", (160, 460, 340, 470))


@pytest.mark.parametrize(
    ("parts", "is_shown"),
    [
        ([AXIS], True),
        ([(Kind.TABLE, "Aug | Oct | Feb\n2014 | 2014 | 2015", (160, 440, 340, 460))], True),
        (
            [(Kind.PARAGRAPH, str(year), (at, 460, at + 20, 470)) for year, at in ((10, 155), (12, 240), (14, 325))],
            True,
        ),
        ([(Kind.PARAGRAPH, "7", (240, 460, 250, 470))], False),  # the number of a page
        ([(Kind.PARAGRAPH, "2019 2020", (160, 460, 200, 470))], False),  # not as wide as the chart
        ([(Kind.PARAGRAPH, "Berths of 2019 and 2020", (160, 460, 340, 470))], False),
        ([(Kind.TABLE, "Berths | 2019\nBoats | 12", (160, 440, 340, 480))], False),
        ([(Kind.PARAGRAPH, "2019 2020", (160, 560, 340, 570))], False),  # too far
        ([(Kind.PARAGRAPH, "Words between.", (160, 430, 340, 440)), AXIS], False),
    ],
)
def test_the_numbers_along_the_axis_under_a_chart_are_drawn_with_it(
    parts: list[tuple[Kind, str, tuple[int, int, int, int]]], is_shown: bool
) -> None:
    source, row = chart(*parts)
    found = framed(source.blocks, {}, (row,), source.on_page(1))
    bottom = parts[-1][2][3]
    assert found == (LEFT, TOP, RIGHT, bottom if is_shown else BOTTOM)
    view = view_of(source)
    assert [at for at in range(len(view)) if is_axis(view, at)] == (
        [row + 1] if is_shown and parts[0][0] is Kind.TABLE else []
    )


def test_over_a_chart_whose_axis_stands_apart_its_legend_and_its_title_are_drawn() -> None:
    names = [(Kind.PARAGRAPH, name, (at, 244, at + 40, 254)) for name, at in (("Boats", 160), ("Ships", 230))]
    title = (Kind.HEADING, "Berths by year", (150, 200, 300, 214))
    lead = (Kind.PARAGRAPH, "% of berths", (150, 220, 300, 230))
    source, row = chart(title, lead, *names, AXIS)
    assert framed(source.blocks, {}, (row,), source.on_page(1)) == (LEFT, 200, RIGHT, 470)
    source, row = chart(title, lead, *names)
    assert framed(source.blocks, {}, (row,), source.on_page(1)) == (LEFT, TOP, RIGHT, BOTTOM)


@pytest.mark.parametrize(
    ("second", "between", "is_one"),
    [
        ((150, 450, 350, 520), [], True),
        ((150, 450, 350, 520), [(Kind.PARAGRAPH, "Ships", (160, 430, 340, 440))], False),
        ((150, 450, 240, 520), [], False),  # half as wide
        ((150, 500, 350, 520), [], False),  # far below
    ],
)
def test_charts_over_one_axis_are_one_graphic(
    second: tuple[int, int, int, int], between: list[tuple[Kind, str, tuple[int, int, int, int]]], is_one: bool
) -> None:
    axis = (Kind.PARAGRAPH, "2019 2020 2021 2022", (160, 540, 340, 550))
    source, row = chart(*between, (Kind.CHART, "5 6", second), axis)
    found = graphics(view_of(source), 0)
    assert len(found) == 2 - is_one
    assert found[0].row == row
    bare, _ = chart(*between, (Kind.CHART, "5 6", second))
    assert len(graphics(view_of(bare), 0)) == 2


def draw_chart(canvas: Canvas) -> None:
    """Draw bars with a red title over them, words over and under these, and a caption in blue."""
    canvas.setFont("Helvetica", 11)
    for at in range(5):
        canvas.drawString(72, 720 - 15 * at, "The harbour lets its berths by the year, and some by the month or week.")
    canvas.setFillColorRGB(1, 0, 0)
    canvas.setFont("Helvetica-Bold", 12)
    canvas.drawString(200, 610, "Berths let in each year")
    canvas.setFillColorRGB(0.2, 0.6, 0.3)
    for at in range(5):
        canvas.rect(160 + 50 * at, 460, 30, 40 + 20 * at, stroke=0, fill=1)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.line(150, 460, 420, 460)
    canvas.setFont("Helvetica", 8)
    for at in range(5):
        canvas.drawString(165 + 50 * at, 450, str(2020 + at))
    canvas.setFillColorRGB(0, 0, 1)
    canvas.setFont("Helvetica", 9)
    canvas.drawString(160, 430, "Figure 1. Berths of the harbour")
    canvas.setFillColorRGB(0, 0, 0)
    canvas.setFont("Helvetica", 11)
    for at in range(9):
        canvas.drawString(72, 390 - 15 * at, "Who wants a berth writes to the harbour master before the end of March.")


@pytest.mark.needs("octavo_methods")
def test_the_title_of_a_chart_in_a_file_is_on_the_picture_that_is_shown(tmp_path: Path) -> None:
    path = pdfs.write(tmp_path / "berths.pdf", draw_chart)

    def say(request: Request) -> Line:
        if request.decision == "answer_from_pictures":
            return json.dumps({"used": [1], "seen": "Bars.", "answerable": True, "answer": "2024"})
        return json.dumps({"evidence": [], "answerable": False, "answer": "", "missing": []})

    model = ScriptedModel(say, sees=True)
    with Corpus(tmp_path / "corpus", models=ModelConfig(model)) as corpus:
        corpus.add(path)
        corpus.ask("In which year of Figure 1 is the bar highest?", system="dmap")
    (looked,) = [one for one in model.requests if one.decision == "answer_from_pictures"]
    (picture,) = looked.turns[0].pictures
    pixels = np.asarray(Image.open(io.BytesIO(picture.data)).convert("RGB")).astype(int)
    assert pixels.shape[0] < pixels.shape[1]  # the chart, and not the page
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    assert ((red > 200) & (green < 90) & (blue < 90)).sum() > 50
    assert ((blue > 200) & (red < 90) & (green < 90)).sum() > 50
