"""Boxes on a page to columns in reading order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from octavo_documents.parsing.content import Graphic
from octavo_documents.structuring.panels import read_in_order
from octavo_documents.structuring.reading_order import Items, columns

Box = tuple[float, float, float, float]


def items_of(boxes: list[Box], *, characters: int = 40, solid: tuple[int, ...] = (), listed: bool = False) -> Items:
    return Items(
        boxes=np.array(boxes, np.float64).reshape(len(boxes), 4),
        characters=np.full(len(boxes), characters, np.int64),
        is_solid=np.isin(np.arange(len(boxes)), solid),
        is_listed=np.full(len(boxes), listed),
        em=10.0,
    )


def order(
    boxes: list[Box], *, characters: int = 40, solid: tuple[int, ...] = (), listed: bool = False
) -> list[list[int]]:
    return columns(items_of(boxes, characters=characters, solid=solid, listed=listed))


def column(x0: float, x1: float, top: float, count: int) -> list[Box]:
    return [(x0, top + 12 * at, x1, top + 12 * at + 10) for at in range(count)]


def flat(found: list[list[int]]) -> list[int]:
    return [item for part in found for item in part]


def test_two_columns_are_read_one_after_the_other_although_their_lines_stand_in_rows() -> None:
    left, right = column(72, 300, 100, 20), column(320, 540, 100, 20)
    mixed = [box for pair in zip(left, right, strict=True) for box in pair]
    assert flat(order(mixed)) == [*range(0, 40, 2), *range(1, 40, 2)]


def test_a_heading_over_columns_comes_before_both() -> None:
    boxes = [*column(72, 300, 100, 10), *column(320, 540, 100, 10), (72, 60, 540, 80)]
    assert flat(order(boxes)) == [20, *range(20)]


def test_a_full_width_figure_parts_the_columns_above_from_those_below() -> None:
    above = [*column(72, 300, 100, 8), *column(320, 540, 100, 8)]
    below = [*column(72, 300, 420, 8), *column(320, 540, 420, 8)]
    boxes = [*above, (72, 210, 540, 400), *below]
    assert flat(order(boxes, solid=(16,))) == list(range(33))


def test_columns_that_start_anew_under_a_white_band_are_read_after_all_above_it() -> None:
    above = [*column(72, 300, 100, 10), *column(320, 540, 100, 7)]
    below = [*column(72, 300, 260, 10), *column(320, 540, 260, 10)]
    assert flat(order([*below, *above])) == [*range(20, 37), *range(20)]


def test_a_gap_in_both_columns_under_which_they_go_on_at_other_heights_parts_nothing() -> None:
    left = [*column(72, 300, 100, 10), *column(72, 300, 260, 10)]
    right = [*column(320, 540, 100, 10), *column(320, 540, 275, 9)]
    assert flat(order([*left, *right])) == list(range(39))


def test_a_line_far_below_the_columns_is_read_last() -> None:
    boxes = [(72, 700, 280, 710), *column(72, 300, 100, 15), *column(320, 540, 100, 20)]
    assert flat(order(boxes)) == [*range(1, 36), 0]


def test_notes_that_run_into_the_gutter_under_two_columns_are_read_last() -> None:
    notes = [(72, 365, 325, 375), (72, 377, 310, 387)]
    boxes = [*notes, *column(72, 300, 100, 20), *column(320, 540, 100, 15)]
    assert flat(order(boxes)) == [*range(2, 37), 0, 1]


def test_three_columns_are_read_from_left_to_right() -> None:
    boxes = [*column(400, 540, 100, 15), *column(236, 376, 100, 15), *column(72, 212, 100, 15)]
    assert flat(order(boxes)) == [*range(30, 45), *range(15, 30), *range(15)]


def test_short_pieces_in_rows_are_a_table_and_are_read_row_by_row() -> None:
    boxes = [*column(72, 130, 100, 6), *column(250, 290, 100, 6), *column(400, 440, 100, 6)]
    expected = [row + 6 * part for row in range(6) for part in range(3)]
    assert flat(order(boxes, characters=6)) == expected


def test_the_short_last_line_of_a_full_width_paragraph_stays_with_it() -> None:
    paragraph = [(72, 60, 540, 70), (72, 72, 540, 82), (72, 84, 160, 94)]
    boxes = [*paragraph, *column(72, 300, 120, 10), *column(320, 540, 120, 10)]
    assert order(boxes)[0] == [0, 1, 2]


def test_a_short_heading_over_a_full_width_paragraph_stays_with_it() -> None:
    paragraph = [(72, 260, 160, 270), (72, 276, 540, 286), (72, 288, 540, 298)]
    boxes = [*column(72, 300, 100, 10), *column(320, 540, 100, 10), *paragraph]
    assert flat(order(boxes)) == list(range(23))


def test_a_line_that_pokes_into_the_gutter_does_not_join_the_columns() -> None:
    left = column(72, 300, 100, 12)
    left[5] = (72, 160, 322, 170)
    assert flat(order([*left, *column(320, 540, 100, 12)])) == list(range(24))


def test_a_picture_beside_text_is_a_column_of_its_own() -> None:
    boxes = [*column(72, 300, 100, 12), (330, 100, 540, 240)]
    assert flat(order(boxes, solid=(12,))) == list(range(13))


def test_lists_beside_each_other_are_read_one_after_the_other() -> None:
    boxes = [*column(72, 130, 100, 6), *column(250, 310, 100, 6)]
    assert flat(order(boxes, characters=14, listed=True)) == list(range(12))


def test_sections_of_other_columns_are_parted_at_the_white_between_them() -> None:
    above = [*column(54, 294, 54, 20), *column(318, 558, 54, 16)]
    heading = [(54.0, 330.0, 250.0, 343.0)]
    below = [*column(54, 207, 352, 20), *column(229, 383, 352, 20), *column(405, 558, 352, 12)]
    assert flat(order([*above, *heading, *below])) == list(range(36 + 1 + 52))


def test_a_note_far_under_pictures_beside_each_other_is_read_after_them() -> None:
    boxes = [(40, 90, 240, 340), (260, 90, 460, 340), (480, 90, 680, 340), (40, 378, 220, 388)]
    assert flat(order(boxes, solid=(0, 1, 2))) == [0, 1, 2, 3]


def panel(*box: float) -> Graphic:
    x0, y0, x1, y1 = box
    return Graphic("fill", (x0, y0, x1, y1), 0xCCDDEE)


def read(boxes: list[Box], graphics: list[Graphic], *, characters: int = 40) -> list[int]:
    return flat(read_in_order(items_of(boxes, characters=characters), graphics, 612.0 * 792.0))


def test_cards_in_rows_are_read_one_by_one_and_row_by_row() -> None:
    cards = [panel(x, y, x + 200, y + 100) for y in (90, 210) for x in (40, 260)]
    boxes = [(40.0, 40.0, 400.0, 60.0)]
    for card in cards:
        boxes += [
            (card.box[0] + 9, card.box[1] + top, card.box[0] + 120, card.box[1] + top + 10) for top in (20, 40, 60)
        ]
    assert read(boxes, cards, characters=12) == list(range(13))


def test_a_panel_cut_into_wide_text_is_read_as_a_whole() -> None:
    wide, aside = column(54, 558, 50, 6), column(60, 220, 150, 6)
    beside, under = column(244, 558, 146, 8), column(54, 558, 260, 6)
    found = read([*wide, *aside, *beside, *under], [panel(46, 134, 228, 240)])
    assert found == list(range(26))


def test_painted_rows_of_a_table_are_no_panels() -> None:
    boxes = [(x, float(y), x + 50.0, y + 10.0) for y in range(100, 220, 12) for x in (72.0, 200.0, 330.0)]
    stripes = [panel(60, y - 1, 400, y + 23) for y in range(100, 220, 48)]
    assert read(boxes, stripes, characters=7) == list(range(30))


coordinates = st.floats(0, 600, allow_nan=False, width=32)
boxes = st.builds(
    lambda x, y, w, h: (x, y, x + w, y + h), coordinates, coordinates, st.floats(0.5, 400), st.floats(0.5, 200)
)


@given(st.lists(boxes, min_size=1, max_size=30), st.lists(boxes, max_size=6))
def test_every_item_is_read_once_with_panels(found: list[Box], panels: list[Box]) -> None:
    assert sorted(read(found, [panel(*box) for box in panels])) == list(range(len(found)))


@given(st.lists(boxes, max_size=40), st.integers(0, 60))
def test_every_item_is_read_once(found: list[Box], characters: int) -> None:
    assert sorted(flat(order(found, characters=characters))) == list(range(len(found)))
