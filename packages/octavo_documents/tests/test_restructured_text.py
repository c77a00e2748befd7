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
