"""Whether the first row of a table names its columns, where the file does not say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo_documents.parsing.inline_marks import bare

_NUMBER = re.compile(r"[^A-Za-z]*\d[\d.,:/ \u00a0-]*\s?(?:%|[A-Za-z]{1,3})?|[-–—.]|n/?a", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_LONGEST = 120
"""Characters of a column's name."""


def is_headed(rows: Sequence[Sequence[str]], *, is_apart: bool, is_likely: bool) -> bool:
    """Return whether the first row holds names: of two columns or more, one text each, none a number.

    `is_apart` says that it is set apart, such as in bold; `is_likely` that the file may mean it. Without the first it
    must stand over numbers, or the file mean it in a table of three columns or more.
    """
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    first = rows[0]
    names = [text for text in first[1:] if not _YEAR.fullmatch(text)]
    if not all(first[1:]) or any(_is_value(text) for text in names) or max(map(len, first)) > _LONGEST:
        return False
    return is_apart or _is_over_numbers(rows) or (is_likely and len(first) > 2 and bool(first[0]))


def _is_over_numbers(rows: Sequence[Sequence[str]]) -> bool:
    below = [[row[column] for row in rows[1:] if row[column]] for column in range(1, len(rows[0]))]
    return any(texts and sum(map(_is_value, texts)) > len(texts) / 2 for texts in below)


def _is_value(text: str) -> bool:
    return bool(_NUMBER.fullmatch(bare(text)))
