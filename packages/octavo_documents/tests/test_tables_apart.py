"""Tables that stand close under each other are told apart, with their captions and the names over groups of columns."""

from __future__ import annotations

import numpy as np
import pytest

from octavo_documents.document import Document, Kind, LinkKind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.content import Graphic, PageContent, TextLine
from printed import line, page, prose, rows, structured, text

HEADS = ["Model", "Small", "Large", "Both"]
COLUMNS = [72.0, 180.0, 290.0, 400.0]


def table(top: float, heads: list[str], body: list[list[str]], *, ruled: bool) -> tuple[list[TextLine], list[Graphic]]:
    lines = [line(head, x, top, size=9, bold=True) for head, x in zip(heads, COLUMNS, strict=False)]
    for at, row in enumerate(body):
        lines.extend(line(cell, x, top + 14 + 12 * at, size=9) for cell, x in zip(row, COLUMNS, strict=False))
    bottom = top + 14 + 12 * len(body)
    heights = (top - 3, top + 11, bottom + 1) if ruled else ()
    return lines, [Graphic("line", (72, y, 460, y + 0.5)) for y in heights]


def body(*names: str) -> list[list[str]]:
    return [[name, f"{at + 1}1.4", f"{at + 3}7.2", f"{at + 2}0.9"] for at, name in enumerate(names)]


def grids(document: Document) -> list[list[str]]:
    """The first column of each table."""
    return [
        [row[0] for row in Grid.from_json(stored).rows()]
        for stored in document.blocks.grid
        if Grid.from_json(stored).cells
    ]


def tied(document: Document) -> list[tuple[str, str]]:
    """What of each tied caption and its table comes first."""
    blocks, links = document.blocks, document.links
    return [
        (blocks.text[int(links.source[at])][:9], Grid.from_json(blocks.grid[int(links.target[at])]).rows()[1][0])
        for at in np.flatnonzero(links.kind == LinkKind.CAPTION_OF).tolist()
    ]


def around(lines: list[TextLine], graphics: list[Graphic]) -> Document:
    over, under = text(prose(60), 72, 60, 468), text(prose(60, seed="on"), 72, 600, 468)
    return structured(page([*over, *lines, *under], graphics=tuple(graphics)))


@pytest.mark.parametrize("ruled", [True, False])
@pytest.mark.parametrize(
    "names", [("Table 1: ", "Table 2: "), ("Table A-1. ", "Table A-2. "), ("Exhibit 3  ", "Exhibit 4  ")]
)
def test_captions_under_tables_part_them(names: tuple[str, str], *, ruled: bool) -> None:
    lines: list[TextLine] = []
    graphics: list[Graphic] = []
    for at, (name, rivers) in enumerate(zip(names, (("Elbe", "Oder", "Isar"), ("Ruhr", "Main", "Saar")), strict=True)):
        top = 170 + 85 * at
        own, rules = table(top, HEADS, body(*rivers), ruled=ruled)
        lines += [*own, line(f"{name}Accuracy of all readers on two sets.", 72, top + 56, size=9)]
        graphics += rules
    document = around(lines, graphics)
    assert grids(document) == [["Model", "Elbe", "Oder", "Isar"], ["Model", "Ruhr", "Main", "Saar"]]
    assert [caption[:7] for caption in rows(document, Kind.CAPTION)] == [name[:7] for name in names]
    assert [first for _, first in tied(document)] == ["Elbe", "Ruhr"]


def test_bold_heads_far_under_numbers_begin_another_table() -> None:
    first, _ = table(170, ["Item", "2022", "2023"], body("Elbe", "Oder", "Isar", "Ruhr"), ruled=False)
    second, _ = table(246, ["Crew", "Men", "Women", "All"], body("Main", "Saar", "Lahn"), ruled=False)
    assert grids(around([*first, *second], [])) == [
        ["Item", "Elbe", "Oder", "Isar", "Ruhr"],
        ["Crew", "Main", "Saar", "Lahn"],
    ]


def test_a_bold_group_in_a_table_parts_nothing() -> None:
    own, rules = table(170, HEADS, body("Elbe", "Oder"), ruled=True)
    more = [
        line(cell, x, 212 + 12 * at, size=9, bold=at == 0)
        for at, row in enumerate([["Rivers in the east"], *body("Ruhr", "Main")])
        for cell, x in zip(row, COLUMNS, strict=False)
    ]
    document = around([*own, *more], [*rules[:2], Graphic("line", (72, 250, 460, 250.5))])
    assert grids(document) == [["Model", "Elbe", "Oder", "Rivers in the east", "Ruhr", "Main"]]


def test_names_over_groups_of_columns_stand_over_all_that_their_rule_underlines() -> None:
    places = (180, 240, 300, 360, 420, 480)
    names = (("Atlas-7B", 210), ("Borea-13B", 330), ("Cirrus-70B", 450))
    lines = [line(name, x - 2.25 * len(name), 170, size=9, bold=True) for name, x in names]
    lines += [line("Set", 72, 184, size=9, bold=True)]
    lines += [line("EM" if at % 2 == 0 else "F1", x - 4.5, 184, size=9, bold=True) for at, x in enumerate(places)]
    for at, name in enumerate(("News", "Hotpot", "Natural", "Average")):
        lines.append(line(name, 72, 200 + 12 * at, size=9))
        lines.extend(line(f"{at + 3}{number}.5", x - 9, 200 + 12 * at, size=9) for number, x in enumerate(places))
    graphics = [Graphic("line", (x - 50, 181, x + 50, 181.5)) for _, x in names]
    graphics += [Graphic("line", (72, y, 520, y + 0.5)) for y in (166, 196, 250)]
    document = around(lines, graphics)
    (stored,) = (one for one in document.blocks.grid if one)
    assert Grid.from_json(stored).headers() == [
        "Set",
        *(f"{name} {measure}" for name, _ in names for measure in ("EM", "F1")),
    ]


def test_the_caption_of_a_table_that_goes_on_is_no_running_header() -> None:
    pages: list[PageContent] = []
    for number in range(1, 5):
        again = " (continued)" if number > 1 else ""
        lines = [line(f"Table A-1 Rates of moves by region{again}", 72, 60, size=9)]
        for at in range(20):
            lines.extend(
                line(cell, x, 80 + 14 * at, size=9) for cell, x in zip(body(f"R{at}")[0], COLUMNS, strict=True)
            )
        lines.append(line(f"Harbour report {number}", 72, 760, size=8))
        pages.append(page([*lines, *text(prose(60), 72, 420, 468)], number))
    document = structured(*pages)
    assert len(rows(document, Kind.CAPTION)) == 4
    assert not rows(document, Kind.PAGE_HEADER)
    assert len(rows(document, Kind.PAGE_FOOTER)) == 4
