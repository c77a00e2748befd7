"""CSV and TSV: values parted by commas, semicolons, tabs or bars, whichever parts the lines most evenly."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator

from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowContent
from octavo_documents.parsing.sheets.blocks import region_blocks
from octavo_documents.parsing.sheets.sheet import CellBudget, Sheet

_DELIMITERS = ",;\t|"
_LOOKED_AT = 200
"""Lines by which the delimiter is told."""
_LONGEST_FIELD = 1 << 24
_SAID = "sep="
"""What some programs begin a file with, to say its delimiter."""


def read(data: bytes) -> FlowContent:
    """Return the table of a file. Raises NoText."""
    text, warnings = text_of(data)
    delimiter = ""
    if text[: len(_SAID)].lower() == _SAID:
        first, _, text = text.partition("\n")
        delimiter = first[len(_SAID) :].strip(" ")[:1]
        text = "\n" + text  # rows are numbered as spreadsheets show them
    sheet, counted = Sheet(""), CellBudget()
    for at, row in enumerate(_rows(text, delimiter or _delimiter(text))):
        texts = {column: value.strip() for column, value in enumerate(row) if value.strip()}
        if not counted.take(len(texts)):
            warnings = (*warnings, f"the rows after {at} were left out: there are too many")
            break
        if texts:
            sheet.rows[at] = texts
    return FlowContent(tuple(region_blocks(sheet, is_one=True)), warnings=warnings)


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(_LONGEST_FIELD)
    rows = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=delimiter != "\t")
    while True:
        try:
            yield next(rows)
        except StopIteration:
            return
        except csv.Error:
            continue


def _delimiter(text: str) -> str:
    """Return what parts the first lines into rows of the most equal length; of equals what makes more columns."""
    lines = "\n".join(text.split("\n", _LOOKED_AT)[:_LOOKED_AT])
    return max(_DELIMITERS, key=lambda one: _evenness(lines, one))


def _evenness(lines: str, delimiter: str) -> tuple[float, int]:
    """Return the share of rows that have the most common number of values, 0 where that is one, and that number."""
    counts = Counter(len(row) for row in _rows(lines, delimiter) if row)
    common, times = max(counts.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
    if common == 1:
        more = {width: count for width, count in counts.items() if width > 1}
        return (sum(more.values()) / max(counts.total(), 1) / 2, max(more, default=1))
    return times / counts.total(), common
