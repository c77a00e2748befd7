"""What a reader is shown of a long table: parts under its heads that say how many rows they leave out."""

from __future__ import annotations

import re

from indexed import view_of
from octavo.evidence import Evidence
from octavo.operators.read.packing import pack
from octavo_documents.document import Kind
from synthetic import document, with_tables


def shown(rows: int) -> list[str]:
    table = [["Wood", "Price"], *([f"Wood {at}", f"{at * 7} crowns a board, sawn"] for at in range(rows))]
    view = view_of(with_tables(document([(Kind.TABLE, "", 1, 0)]), {0: table}))
    evidence = Evidence.of(view, [0]).with_score("relevance", [1.0])
    return [one.shown.text for one in sorted(pack(evidence, "relevance"), key=lambda one: one.shown.number)]


def test_parts_of_a_long_table_say_how_many_rows_they_leave_out() -> None:
    parts = shown(200)
    assert len(parts) > 2
    held = 0
    for text in parts:
        lines = text.split("\n")
        assert lines[0] == "Wood | Price"
        rows = [line for line in lines if line.startswith("Wood ") and line[5].isdigit()]
        left_out = [int(found[1]) for line in lines if (found := re.fullmatch(r"… (\d+) more rows?", line))]
        assert len(rows) + sum(left_out) == 200
        assert rows[0].startswith(f"Wood {held} |")
        held += len(rows)
        assert (lines[-1] in rows) == (held == 200)
    assert held == 200


def test_a_table_that_is_shown_whole_leaves_nothing_out() -> None:
    (text,) = shown(5)
    assert "more row" not in text
    assert text.count("\n") == 5
