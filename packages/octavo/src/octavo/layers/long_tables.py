"""Tables of so many passages that these share a vector: what a row is about its words tell, and no network.

A sheet of 100,000 rows has 5,000 passages of names, numbers and dates. Embedding each takes minutes, and finds nothing
that words do not (docs/figures.md).
"""

from __future__ import annotations

import numpy as np

from octavo.evidence import PassageTable
from octavo_documents.document import Document, Kind, Rows
from octavo_documents.document.found_tables import chains

LONG = 64
"""Passages of a table from which on they share a vector: some 900 rows of a sheet."""
_READ = 32
"""Passages of such a table that are read for the vector, evenly from its first to its last."""


def long_tables(document: Document, passages: PassageTable) -> list[Rows]:
    """Return for each long table the passages that hold nothing but rows of it, ascending; `LONG` or more of them."""
    table_of = np.full(len(document.blocks) + 1, -1, np.int64)
    for number, rows in enumerate(chains(document)):
        table_of[rows] = number
    start, stop = passages.start.astype(np.int64), passages.stop.astype(np.int64)
    alone = np.flatnonzero((stop == start + 1) & (document.blocks.kind[start] == Kind.TABLE)) if len(start) else start
    of = table_of[start[alone]]
    numbers, counts = np.unique(of, return_counts=True)
    return [alone[of == number] for number in numbers[counts >= LONG].tolist()]


def read_of(table: Rows) -> Rows:
    """Return those passages of a long table that are read for the vector they all have."""
    return table[np.unique(np.linspace(0, len(table) - 1, _READ).round().astype(np.int64))]
