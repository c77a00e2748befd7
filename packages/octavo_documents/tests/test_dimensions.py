"""Numbers at a drawing are lengths or values: a drawing with dimensions is no chart, names beside one its rows."""

from __future__ import annotations

import pytest

from octavo_documents.document import Document, Kind
from octavo_documents.parsing.content import Graphic, TextLine
from octavo_documents.structuring.figures.dimensions import is_dimensioned
from printed import line, page, prose, rows, structured, text


def around(lines: list[TextLine], graphics: list[Graphic]) -> Document:
    over, under = text(prose(60), 72, 60, 468), text(prose(60, seed="on"), 72, 600, 468)
    return structured(page([*over, *lines, *under], graphics=tuple(graphics)))


def flat(x0: float, x1: float, y: float) -> Graphic:
    return Graphic("line", (x0, y, x1, y + 0.5))


def upright(x: float, y0: float, y1: float) -> Graphic:
    return Graphic("line", (x, y0, x + 0.5, y1))


def part() -> list[Graphic]:
    """What is drawn: a plate with a hole."""
    return [Graphic("stroke", (150, 200, 350, 340)), Graphic("stroke", (220, 240, 280, 300))]


def labels(*texts: str) -> list[TextLine]:
    places = [(245, 186), (160, 190), (300, 190), (356, 262), (225, 220), (250, 345)]
    return [line(said, x, y, size=7) for said, (x, y) in zip(texts, places, strict=False)]


def test_lengths_on_lines_with_marks_at_both_ends_make_a_drawing() -> None:
    measured = [flat(150, 350, 195), upright(150, 191, 199), upright(350, 191, 199)]
    measured += [upright(354, 200, 340), flat(350, 358, 200), flat(350, 358, 340)]
    document = around(labels("300", "45", "117.5", "210", "90"), [*part(), *measured])
    assert len(rows(document, Kind.FIGURE)) == 1
    assert not rows(document, Kind.CHART, Kind.TABLE)


@pytest.mark.parametrize("said", [("R30", "2 x Ø8"), ("All dimensions in mm", "A"), ("Maße in mm", "")])
def test_lengths_may_say_what_they_are(said: tuple[str, str]) -> None:
    assert not is_dimensioned([], ["300", "45", "117.5", "210"])
    assert is_dimensioned([], ["300", "45", "117.5", "210", *said])
    assert not is_dimensioned([], ["0", "100", "200", "300", "400", *said])


def test_numbers_in_even_steps_are_those_of_a_chart_whatever_marks_there_are() -> None:
    steps = [line(str(20 * at), 130, 335 - 25 * at, size=7) for at in range(6)]
    whiskers = [upright(x, 240, 300) for x in (200, 260, 320)]
    whiskers += [flat(x - 4, x + 4.5, y) for x in (200, 260, 320) for y in (240, 299.5)]
    plot = [flat(150, 350, 340), upright(150, 200, 340), Graphic("stroke", (160, 220, 340, 320))]
    document = around(
        [*steps, *(line(str(2020 + at), 180 + 60 * at, 344, size=7) for at in range(3))], [*plot, *whiskers]
    )
    assert len(rows(document, Kind.CHART)) == 1


def test_names_far_left_of_a_chart_stand_with_its_rows() -> None:
    names = ["Alpine huts", "Bakeries", "Cinemas", "Dentists", "Elevators"]
    lines = [line(name, 80, 200 + 20 * at, size=8) for at, name in enumerate(names)]
    graphics: list[Graphic] = []
    for at, value in enumerate((35, 18, 61, 43, 88)):
        x, y = 200 + 3 * value, 200 + 20 * at
        graphics += [Graphic("fill", (x - 4, y, x + 4, y + 8), 0xC00000), flat(200, 500, y + 4)]
        lines.append(line(str(value), x + 7, y, size=8))
    lines += [line(str(at), 198 + 3 * at, 300, size=8) for at in range(0, 101, 20)]
    document = around(lines, graphics)
    (chart,) = rows(document, Kind.CHART)
    assert chart.split("\n")[:5] == ["Alpine huts 35", "Bakeries 18", "Cinemas 61", "Dentists 43", "Elevators 88"]
    assert not rows(document, Kind.TABLE)


def test_numbers_at_an_axis_are_of_the_drawing_whatever_their_size() -> None:
    curve = [flat(150, 400, 340), upright(150, 200, 340), Graphic("stroke", (155, 210, 390, 330))]
    up = [line(said, 118, 334 - 33 * at) for at, said in enumerate(("0", "400", "800", "1,200", "1,600"))]
    along = [line(str(2010 + 2 * at), 145 + 55 * at, 346) for at in range(5)]
    document = around([*up, *along], curve)
    (chart,) = rows(document, Kind.CHART)
    assert {*chart.split()} >= {"0", "400", "1,600", "2010", "2018"}
    assert len(rows(document, Kind.PARAGRAPH)) == 2


def test_numbers_beside_a_drawing_that_stand_unevenly_are_none_of_an_axis() -> None:
    curve = [flat(150, 400, 340), upright(150, 200, 340), Graphic("stroke", (155, 210, 390, 330))]
    beside = [line(said, 118, y) for said, y in (("17", 210), ("3", 240), ("250", 322))]
    document = around(beside, curve)
    assert not any("250" in text for text in rows(document, Kind.CHART))
