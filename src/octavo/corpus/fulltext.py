"""The full-text index: a document's terms in, passages that fit a question out (BM25).

Owns the FTS5 table; a passage's row number is its document's number and its own. Knows nothing about how text becomes
terms: it is given stems.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apsw

from octavo.corpus.schema import CREATE_TERMS

_PASSAGE_BITS = 24
_LAST_PASSAGE = (1 << _PASSAGE_BITS) - 1


def insert(connection: apsw.Connection, number: int, terms: Sequence[str]) -> None:
    """Index the passages of a document; each text is its terms joined by spaces."""
    rows = ((number << _PASSAGE_BITS | passage, text) for passage, text in enumerate(terms))
    connection.executemany("INSERT INTO terms (rowid, stems) VALUES (?, ?)", rows)


def delete(connection: apsw.Connection, number: int) -> None:
    """Forget the passages of a document."""
    first = number << _PASSAGE_BITS
    connection.execute("DELETE FROM terms WHERE rowid BETWEEN ? AND ?", (first, first | _LAST_PASSAGE))


def purge(connection: apsw.Connection) -> None:
    """Rewrite the index so that nothing of deleted passages stays in the file."""
    connection.execute("INSERT INTO terms (terms) VALUES ('optimize')")


def recreate(connection: apsw.Connection) -> None:
    """Empty the index, whatever state it is in."""
    connection.execute("DROP TABLE IF EXISTS terms")
    connection.execute(CREATE_TERMS)


def counts(connection: apsw.Connection) -> dict[int, int]:
    """Return how many passages are indexed, by document number."""
    rows = connection.execute("SELECT rowid >> ?, count(*) FROM terms GROUP BY 1", (_PASSAGE_BITS,))
    return {int(number): int(count) for number, count in rows}


def lacks(connection: apsw.Connection, expected: Mapping[str, int]) -> bool:
    """Whether any term stands in the index less often than expected: damage that leaves its structure whole.

    Only ASCII terms are compared: the tokenizer's table of letters is older than some alphabets. It lowers capitals.
    """
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, terms, row)")
    rows: Any = connection.execute("SELECT term, cnt FROM temp.vocabulary")
    indexed: dict[str, int] = dict(rows)
    return any(indexed.get(term.lower(), 0) < count for term, count in expected.items() if term.isascii())


def match(
    connection: apsw.Connection, terms: Iterable[str], numbers: Sequence[int] | None, limit: int
) -> list[tuple[int, int, float]]:
    """Return (document number, passage, score) of the best passages, best first; ties go by row."""
    unique = dict.fromkeys(term.replace('"', "") for term in terms)
    query = " OR ".join(f'"{term}"' for term in unique if term)
    if not query:
        return []
    sql = "SELECT rowid, rank FROM terms WHERE terms MATCH ?"
    bindings: list[Any] = [query]
    if numbers is not None:
        sql += " AND rowid >> ? IN (SELECT value FROM json_each(?))"
        bindings += [_PASSAGE_BITS, json.dumps(numbers)]
    rows = connection.execute(f"{sql} ORDER BY rank, rowid LIMIT ?", (*bindings, limit))
    return [(row >> _PASSAGE_BITS, row & _LAST_PASSAGE, -float(rank)) for row, rank in rows]
