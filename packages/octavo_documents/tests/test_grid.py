"""A table's cells as people, search and browsers read them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo_documents.document.grid import Cell, Grid

SPANNED = Grid(
    height=4,
    width=3,
    cells=(
        Cell(0, 1, "Budget", columns=2, box=(10.0, 0.0, 50.0, 8.0)),
        Cell(1, 0, "Item"),
        Cell(1, 1, "2023"),
        Cell(1, 2, "2024"),
        Cell(2, 0, "Costs:"),
        Cell(3, 0, "Staff & fuel"),
        Cell(3, 1, "7"),
        Cell(3, 2, "(8.5)"),
    ),
    header_rows=2,
    header_columns=1,
)


@given(st.lists(st.lists(st.text(max_size=5), min_size=3, max_size=3), min_size=1, max_size=5))
def test_a_grid_of_rows_gives_them_back_also_after_storing(rows: list[list[str]]) -> None:
    grid = Grid.of_rows(rows, header_rows=1)
    assert grid.rows() == rows
    assert Grid.from_json(grid.to_json()) == grid


def test_spans_boxes_and_what_later_parts_carry_are_stored() -> None:
    assert Grid.from_json(SPANNED.to_json()) == SPANNED
    part = Grid(1, 2, (Cell(0, 0, "a"),), repeated=1, carried=("x", "y"))
    assert Grid.from_json(part.to_json()) == part


def test_damage_is_an_empty_grid() -> None:
    for damaged in ("", "{", "3", '{"size":[1,1],"headers":[0,0],"cells":[[5,0,1,1,"out"]]}', '{"cells":[]}'):
        assert Grid.from_json(damaged).rows() == []


def test_a_row_found_alone_says_its_headers_and_the_label_over_it() -> None:
    assert SPANNED.linearised() == [
        "", "", "Costs:", "Costs: Item: Staff & fuel; Budget 2023: 7; Budget 2024: (8.5)",
    ]  # fmt: skip


def test_rows_of_a_later_part_say_the_headers_of_the_first() -> None:
    part = Grid.of_rows([["Mast", "2010"]])
    carried = Grid(part.height, part.width, part.cells, carried=("Site", "Built"))
    assert carried.linearised() == ["Site: Mast; Built: 2010"]


def test_people_see_cells_parted_by_bars() -> None:
    assert SPANNED.text().splitlines()[2:] == ["Costs:", "Staff & fuel | 7 | (8.5)"]
