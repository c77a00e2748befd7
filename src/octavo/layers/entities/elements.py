"""Tables, figures and formulas as entities, with what is contained in them: row and column headers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from octavo.document import BlockTable, Document, FigureKind, Kind, LinkKind
from octavo.document.grid import Grid
from octavo.layers.entities.extraction import (
    CONTAINED_IN,
    FIGURE,
    FORMULA,
    LABEL,
    TABLE,
    Extraction,
    Mention,
    Statement,
)
from octavo.text.sentences import sentence_spans

_TYPES = {Kind.TABLE: TABLE, Kind.FIGURE: FIGURE, Kind.CHART: FIGURE, Kind.FORMULA: FORMULA}
_LONGEST_NAME = 120
_LONGEST_HEADER = 80
_MOST_HEADERS = 60
"""Row headers of a table, and column headers, that become entities."""
_BLANK = frozenset(
    [
        "total",
        "totals",
        "other",
        "others",
        "amount",
        "amounts",
        "change",
        "millions",
        "thousands",
        "note",
        "notes",
        "yes",
        "none",
        "n/a",
        "no",
    ]
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_NOTE = re.compile(r"\s*(?:\(\d+\)|\[\d+\]|[*†‡]+|\(?in (?:millions|thousands|billions)[^)]*\)?)\s*$", re.IGNORECASE)


def add_elements(document: Document, extraction: Extraction) -> dict[int, int]:
    """Add the document's tables, figures and numbered formulas with their headers; return name number by block row."""
    blocks = document.blocks
    captions = document.links.captions()
    firsts, references = _links(document)
    numbers: dict[int, int] = {}
    places: Counter[tuple[int, Kind]] = Counter()
    for row in range(len(blocks)):
        kind = Kind(int(blocks.kind[row]))
        if kind not in _TYPES or (kind is Kind.FORMULA and row not in references):
            continue
        if blocks.figure[row] == FigureKind.LOGO:
            continue
        place = (int(blocks.page[row]), kind)
        places[place] += 1
        first = numbers.get(firsts.get(row, -1))
        if first is None:
            first = _add(blocks, extraction, row, captions.get(row, []), places[place])
        numbers[row] = first
        extraction.mentions.append(Mention(first, row, -1, -1))
        if kind is Kind.TABLE:
            _add_headers(blocks, extraction, row, first)
    for row, spoken in references.items():
        if row in numbers:
            extraction.mentions.extend(Mention(numbers[row], *one) for one in spoken)
    return numbers


def _links(document: Document) -> tuple[dict[int, int], dict[int, list[tuple[int, int, int]]]]:
    """Return the part before by part that continues it, and places that refer to an element."""
    firsts: dict[int, int] = {}
    references: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    links = document.links
    for source, target, kind, words in zip(
        links.source.tolist(), links.target.tolist(), links.kind.tolist(), links.text, strict=True
    ):
        if kind == LinkKind.CONTINUES:
            firsts[source] = target
        elif kind == LinkKind.REFERS_TO and words:
            start = document.blocks.text[source].find(words)
            references[target].append((source, start, start + len(words) if start >= 0 else -1))
    return firsts, references


def _add(blocks: BlockTable, extraction: Extraction, row: int, captions: list[int], place: int) -> int:
    """Add one element: named by its caption, else by what it shows and where it stands."""
    type_ = _TYPES[Kind(int(blocks.kind[row]))]
    caption = " ".join(" ".join(blocks.text[at] for at in captions).split())
    name = _first_sentences(caption) if caption else _unnamed(blocks, row, type_, place)
    number = extraction.name(name, type_, caption or _shown(blocks, row), element=row)
    for at in captions:
        text = blocks.text[at]
        is_verbatim = text.startswith(name)
        extraction.mentions.append(Mention(number, at, *((0, len(name)) if is_verbatim else (-1, -1))))
    return number


def _first_sentences(caption: str) -> str:
    """Return a caption's first sentence with its label: as many sentences as give more than a label."""
    stop = 0
    for _, end in sentence_spans(caption):
        stop = end
        if stop > 20:
            break
    return caption[: min(stop, _LONGEST_NAME)].strip().rstrip(".")


def _unnamed(blocks: BlockTable, row: int, type_: str, place: int) -> str:
    section = blocks.text[int(blocks.parent[row])] if blocks.parent[row] >= 0 else ""
    where = f"page {int(blocks.page[row])}" + (f" ({place})" if place > 1 else "")
    title = " ".join(section.split())[: _LONGEST_NAME - 30]
    return f"{type_.capitalize()} on {where}: {title}" if title else f"{type_.capitalize()} on {where}"


def _shown(blocks: BlockTable, row: int) -> str:
    if blocks.kind[row] != Kind.TABLE:
        return " ".join(blocks.text[row].split())[:200]
    headers = [header for header in Grid.from_json(blocks.grid[row]).headers() if header]
    return f"Columns: {'; '.join(headers)}"[:200] if headers else ""


def _add_headers(blocks: BlockTable, extraction: Extraction, row: int, table: int) -> None:
    """Add the headers of a table as names contained in it."""
    text = blocks.text[row]
    for at, header in enumerate(dict.fromkeys(_headers(Grid.from_json(blocks.grid[row])))):
        if at >= 2 * _MOST_HEADERS:
            break
        number = extraction.name(header, LABEL)
        start = text.find(header)
        stop = start + len(header) if start >= 0 else -1
        extraction.mentions.append(Mention(number, row, start, stop))
        extraction.statements.append(Statement(number, table, CONTAINED_IN, row, 1.0))


def _headers(grid: Grid) -> Iterator[str]:
    """Yield what names columns and rows: words, not numbers or long texts."""
    columns = [text for text in grid.headers() if text][:_MOST_HEADERS]
    rows = [texts[0] for texts in grid.rows()[grid.header_rows :] if texts and texts[0]]
    for text in [*columns, *rows[:_MOST_HEADERS]]:
        header = _NOTE.sub("", " ".join(text.split())).strip(" :.|$%·•-–—#*,;")
        header = header[1:-1] if header[:1] == "(" and header[-1:] == ")" and header.count("(") == 1 else header
        if 2 < len(header) <= _LONGEST_HEADER and header.lower() not in _BLANK and _is_worded(header):
            yield header


def _is_worded(header: str) -> bool:
    """Tell a header that is words, at most one in three a number or mark."""
    words = header.split()
    return 3 * sum(1 for word in words if _LETTERS.search(word)) > 2 * len(words)
