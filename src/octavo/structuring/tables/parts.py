"""Parts of one table on following pages: which header rows are printed again, and whose header counts.

Owns what a later part takes over from an earlier one. Knows nothing about where parts stand.
"""

from __future__ import annotations

import dataclasses

from octavo.document.grid import Grid

_LIKE = 0.75


def repeated_rows(first: Grid, second: Grid) -> int:
    """Return how many rows at the top of `second` print the header of `first` again."""
    above, below = first.rows(), second.rows()
    count = 0
    for one, other in zip(above[: max(first.header_rows, 1)], below, strict=False):
        if not _alike(one, other):
            break
        count += 1
    return count if count >= first.header_rows else 0


def _alike(one: list[str], other: list[str]) -> bool:
    """Tell rows with the same texts in the same order, a few aside that two pages part otherwise."""
    first, second = "".join("".join(one).split()), "".join("".join(other).split())
    if first == second:
        return bool(first)
    shared = len(set(filter(None, one)) & set(filter(None, other)))
    return shared >= 2 and shared >= _LIKE * max(len(list(filter(None, one))), len(list(filter(None, other))))


def continued(first: Grid, second: Grid) -> Grid:
    """Return `second` as the part of a table that `first` begins: its repeated header marked, or `first`'s kept."""
    count = repeated_rows(first, second)
    if count:
        return dataclasses.replace(
            second, header_rows=count, header_columns=first.header_columns, repeated=count, carried=()
        )
    carried = tuple(first.headers()) if first.width == second.width else ()
    return dataclasses.replace(second, header_rows=0, header_columns=first.header_columns, carried=carried)
