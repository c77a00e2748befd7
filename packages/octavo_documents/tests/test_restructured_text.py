"""What of reStructuredText takes more than a line: tables of columns, lists of options, lists of lists."""

from __future__ import annotations

from octavo_documents.document import Kind
from octavo_documents.parsing.markup import rst


def test_a_head_that_spans_columns_is_one_cell() -> None:
    table = """\
=====  =====  ======
   Inputs     Output
------------  ------
  A      B    A or B
=====  =====  ======
False  False  False
True   False  True
=====  =====  ======
"""
    (block,) = rst.read(table.encode()).blocks
    assert block.grid is not None
    cells = [(cell.row, cell.column, cell.columns, cell.text) for cell in block.grid.cells]
    assert cells[:4] == [(0, 0, 2, "Inputs"), (0, 2, 1, "Output"), (1, 0, 1, "A"), (1, 1, 1, "B")]
    assert block.grid.header_rows == 2


def test_each_option_is_an_item() -> None:
    text = """\
-a            all files
-b FILE, --book FILE  takes a book
              and no page
--long
    stands over its words

-5 degrees are no option
"""
    blocks = rst.read(text.encode()).blocks
    assert [(block.kind, block.text) for block in blocks] == [
        (Kind.LIST_ITEM, "-a: all files"),
        (Kind.LIST_ITEM, "-b FILE, --book FILE: takes a book and no page"),
        (Kind.LIST_ITEM, "--long: stands over its words"),
        (Kind.PARAGRAPH, "-5 degrees are no option"),
    ]


def test_a_list_in_a_cell_is_no_cell() -> None:
    text = """\
.. list-table::
   :header-rows: 1

   * - Bird
     - Price
   * - Crunchy

       - small
       - loud
     - 1.49
"""
    (block,) = rst.read(text.encode()).blocks
    assert block.grid is not None
    assert [list(row) for row in block.grid.rows()] == [["Bird", "Price"], ["Crunchy - small - loud", "1.49"]]


def _rows(text: str) -> list[list[str]]:
    (block,) = rst.read(text.encode()).blocks
    assert block.grid is not None
    return [list(row) for row in block.grid.rows()]


def test_signs_that_are_two_columns_wide_keep_cells_whole() -> None:
    simple = """\
======  ======  ======
温度    高い    低い
======  ======  ======
東京    30      20
======  ======  ======
"""
    drawn = """\
+--------+--------+
| 都市   | 人口   |
+========+========+
| 東京   | 13,960 |
+--------+--------+
"""
    assert _rows(simple) == [["温度", "高い", "低い"], ["東京", "30", "20"]]
    assert _rows(drawn) == [["都市", "人口"], ["東京", "13,960"]]


def test_two_dots_and_a_backslash_stand_in_empty_cells() -> None:
    table = """\
=====  =====  =====
Site   Small
-----  ------------
..     2021   2022
=====  =====  =====
Oslo   12     14
\\      7      9
=====  =====  =====
"""
    assert _rows(table) == [["Site", "Small", ""], ["", "2021", "2022"], ["Oslo", "12", "14"], ["", "7", "9"]]


def test_a_head_in_quotes_is_one_cell() -> None:
    table = """\
.. csv-table::
   :header: "Item", "Value, net", Unit

   "Clay, red", 12.5, kg
"""
    assert _rows(table) == [["Item", "Value, net", "Unit"], ["Clay, red", "12.5", "kg"]]
    other = ".. csv-table::\n   :delim: ;\n   :header: A; B\n\n   1,5; 2\n"
    assert _rows(other) == [["A", "B"], ["1,5", "2"]]


def test_options_of_other_systems_and_under_a_term_are_items() -> None:
    text = """\
/V            a word more
+p            plus

Switches
    -q   quiet
    -r   recursive
"""
    blocks = rst.read(text.encode()).blocks
    assert [(block.text, block.level) for block in blocks] == [
        ("/V: a word more", 1),
        ("+p: plus", 1),
        ("Switches", 1),
        ("-q: quiet", 2),
        ("-r: recursive", 2),
    ]


def test_a_directive_may_have_a_space_before_its_colons() -> None:
    text = """\
.. note ::

   Hold the valve until it clicks.

.. |yard| replace :: the east yard

Boats lie in |yard|.

.. list-table ::

   * - Berth
     - 12 m
"""
    blocks = rst.read(text.encode()).blocks
    assert [block.text for block in blocks] == [
        "Hold the valve until it clicks.",
        "Boats lie in the east yard.",
        "Berth | 12 m",
    ]
