"""Which rows of a table are sums of others: told by what they are called, and by what their numbers come to.

A total may stand before its parts or after them, and totals may be parts of others: districts of a land.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo_documents.lazy import lazy_regex

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_WORDS = (
    "totals?|sub-?totals?|grand total|sum|average|mean|overall|all|gesamt|insgesamt|summe|zwischensumme|zusammen|"
    "durchschnitt|ensemble|totale|totaux|total général|sous-total|somme|totales|suma|promedio|media|soma|média|totaal|"
    "subtotaal|gemiddelde|samt|summa|totalt|sammanlagt|yhteensä|razem|ogółem|celkem|összesen|toplam|"
    "σύνολο|итого|всего|разом|합계|총계|소계|总计|合计|小计|總計|合計|小計|計|المجموع|סך הכל|सकल|कुल|รวม"
)
_CALLED = lazy_regex(rf"\W*(?:\w+ )?(?:{_WORDS})\b\W*", re.IGNORECASE)
_BEGINS = lazy_regex(
    r"\W*(?:totals?|sub-?totals?|grand total|summe|gesamt|insgesamt|totaux|итого|всего)\b", re.IGNORECASE
)
_SPARSE = 0.25
"""Share of the cells that other rows have, up to which a row is no row like them."""
_DIGITS = 5
"""Digits that numbers must have together for their being a sum to be no chance."""
_NAMES = 0.5
"""Share of different texts above which a column says what its rows are called."""
_MOST_PARTS = 300
_MOST_ROWS = 5_000
_CLOSE = 0.02
"""Share by which a number may differ from the sum of all others and yet be looked on as it."""
_FEWEST = 4


def are_called_totals(columns: Sequence[Sequence[str]]) -> Flags:
    """Return (rows,) whether a row is called a total.

    It is so by one of its first two cells, by one that begins so where it has few, or where its column names no thing.
    """
    rows = [[(at, text) for at, text in enumerate(cells) if text.strip()] for cells in zip(*columns, strict=True)]
    usual = float(np.median([len(cells) for cells in rows])) if rows else 0.0
    names = [len(set(cells)) > _NAMES * len(cells) for cells in columns]
    flags = np.zeros(len(rows), np.bool_)
    for at, cells in enumerate(rows):
        is_sparse = len(cells) <= max(_SPARSE * usual, 2) < usual / 2
        begins = [column for column, text in cells if _BEGINS.match(text)]
        flags[at] = (
            any(_CALLED.fullmatch(text) for _, text in cells[:2])
            or (is_sparse and bool(begins))
            or any(column > cells[0][0] and not names[column] for column in begins)
        )
    return flags


def are_sums(numbers: Floats) -> Flags:
    """Return (rows,) whether the numbers of a row are the sums of rows right after it, or right before it.

    `numbers` is (rows, columns), nan where a cell has none. Parts that are sums themselves count once.
    """
    if not 2 < len(numbers) <= _MOST_ROWS or not numbers.shape[1]:
        return np.zeros(len(numbers), np.bool_)
    before, after = _sums_of_following(numbers), _sums_of_following(numbers[::-1])[::-1]
    return before if before.sum() >= after.sum() else after


def _sums_of_following(numbers: Floats) -> Flags:
    flags = np.zeros(len(numbers), np.bool_)
    known = np.nan_to_num(numbers)
    roots: list[int] = []
    for row in range(len(numbers) - 1, -1, -1):
        parts = roots[-1 : -_MOST_PARTS - 1 : -1]
        count = _parts(known[row], known[parts])
        if count:
            flags[row] = True
            again = _parts(known[row], known[parts[count:]])  # the same divided otherwise: the coarser are sums too
            own, others = parts[:count], parts[count : count + again]
            if again and flags[own].any() != flags[others].any():
                flags[others if flags[own].any() else own] = True
            del roots[len(roots) - count - again :]
        roots.append(row)
    return flags


def _parts(total: Floats, parts: Floats) -> int:
    """Return how many of the first parts have a total as their sum, 0 for none; one alone is no sum."""
    own = np.flatnonzero(total > 0)
    if len(parts) < 2 or not len(own):
        return 0
    added = np.cumsum(parts[:, own], axis=0)
    fits = np.abs(added - total[own]) <= 1e-6 * total[own]
    fits[0] = False
    varied = (parts[:, own] != 0).cumsum(axis=0) > 1
    digits = np.floor(np.log10(np.maximum(total[own], 1))) + 1
    weight = ((fits & varied) * digits).sum(axis=1)
    enough = (weight >= _DIGITS) & (2 * fits.sum(axis=1) >= len(own))
    found = np.flatnonzero(enough)
    return int(found[0]) + 1 if len(found) else 0


def is_as_much_as_all(values: Floats) -> bool:
    """Return whether one of some numbers comes to nearly the sum of all others: it may be their total."""
    if len(values) < _FEWEST or (values < 0).any():
        return False
    most = float(values.max())
    return abs(values.sum() - 2 * most) <= _CLOSE * most


def rests(labels: Sequence[str], totals: Flags) -> Flags:
    """Return (rows,) whether a row has what is left of a total: it is called as that, by another first word.

    `labels` are plain words: "postal votes perg" beside "district perg".
    """
    names = {name for label, is_total in zip(labels, totals, strict=True) if is_total for name in _names(label)}
    after = [label.partition(" ")[2] for label in labels]
    return np.array([bool(rest) and rest in names for rest in after], np.bool_) & ~totals


def _names(label: str) -> tuple[str, ...]:
    return tuple(filter(None, (label, label.partition(" ")[2])))
