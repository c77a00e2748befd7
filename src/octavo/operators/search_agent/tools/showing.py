"""How blocks are shown to the agent: a line each, with a number it can name.

Owns the numbers and the lines. Knows nothing about tools or turns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Sequence

from octavo.document import Kind, View
from octavo.document.columns import Rows
from octavo.operators.read.packing import PICTURED, depicted, page_told
from octavo.operators.search_agent.symbolic.execute import captions_of
from octavo.text.analyzer import analyze

MOST_LINES = 12
"""Blocks of one result that are shown where nobody says how many."""
_LONGEST, _LONGER, _SHORTER, _LONGEST_TITLE = 200, 400, 120, 120
_ID = re.compile(r"\s*\[?([br])\s*(\d{1,9})\]?\s*", re.IGNORECASE)


def number(row: int) -> str:
    """Return the number of a block: "b" and its row in the view."""
    return f"b{row}"


def read_number(text: str) -> tuple[str, int] | None:
    """Return ("b", row) or ("r", result) for a number as a model writes it; None for anything else."""
    found = _ID.fullmatch(text)
    return (found[1].lower(), int(found[2])) if found else None


def lines_of(
    view: View, rows: Rows, *, terms: Collection[str] = (), told: Container[int] = (), longer: int = 0
) -> list[str]:
    """Return a line for each row; those in `told` were shown before and are named together in the last line.

    Of a long text that line or stretch is shown which has most of the `terms` that are looked for: more of the first
    `longer` rows, and then less of the others.
    """
    new = [row for row in rows.tolist() if row not in told]
    again = [row for row in rows.tolist() if row in told]
    captions = captions_of(view, rows)
    rest = _SHORTER if longer else _LONGEST
    most = [_LONGER if at < longer else rest for at in range(len(new))]
    lines = [
        _line(view, row, captions.get(row, ()), frozenset(terms), size) for row, size in zip(new, most, strict=True)
    ]
    return lines + ([f"and, shown above: {', '.join(map(number, again))}"] if again else [])


def titles_of(view: View, rows: Sequence[int]) -> list[str]:
    """Return the headings at some rows with their numbers and pages, for an outline."""
    texts = [" ".join(view.blocks.text[row].split())[:_LONGEST_TITLE] for row in rows]
    return [f"[{number(row)}] {text} ({_page(view, row)})" for row, text in zip(rows, texts, strict=True)]


def _line(view: View, row: int, captions: Iterable[int], terms: frozenset[str], most: int) -> str:
    """Return a block's line; an element says its caption first, for it may have no words of its own."""
    blocks = view.blocks
    kind = depicted(view, row) if blocks.kind[row] in PICTURED else Kind(int(blocks.kind[row])).label
    section = view.blocks.section_path(row)
    where = f"{_page(view, row)}, {kind}" + (f", in: {section[-1][:50]}" if section and kind != "heading" else "")
    caption = " ".join(" ".join(blocks.text[at] for at in captions).split())
    is_table = blocks.kind[row] == Kind.TABLE
    text = rows_with_terms(blocks.text[row], terms) if is_table else excerpt(blocks.text[row], terms, most)
    said = f"{caption[:_LONGEST]} {text}".strip() or "(no words)"
    return f"[{number(row)}] ({where}) {said}"


def rows_with_terms(text: str, terms: frozenset[str]) -> str:
    """Return the first row of a table and those that have most of the terms, in their order, in 400 characters."""
    rows = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    if len(" ".join(rows)) <= _LONGER:
        return " / ".join(rows)
    shared = [len(terms & set(analyze(row))) for row in rows]
    order = sorted(range(1, len(rows)), key=lambda at: (-shared[at], at))
    kept, left = [0], _LONGER - len(rows[0])
    for at in order:
        if len(rows[at]) <= left and (shared[at] or not any(shared[1:])):
            kept.append(at)
            left -= len(rows[at]) + 3
    pieces = [
        rows[at][:_LONGER] if at == before + 1 else f"... {rows[at][:_LONGER]}"
        for before, at in zip([-1, *sorted(kept)], sorted(kept), strict=False)
    ]
    return " / ".join(pieces) + (" ..." if max(kept) < len(rows) - 1 else "")


def excerpt(text: str, terms: frozenset[str], most: int) -> str:
    """Return a text in one line, cut; where it begins elsewhere than at its start follows from the terms it has."""
    plain = " ".join(text.split())
    if len(plain) <= most:
        return plain
    lines = [line for line in text.splitlines() if line.strip()]
    best = max(range(len(lines)), key=lambda at: (len(terms & set(analyze(lines[at]))), -at))
    if best and terms & set(analyze(lines[best])):
        head = " ".join(lines[0].split())[: most // 3]
        return f"{head} ... {' '.join(lines[best].split())[:most]}..."
    words = plain.split(" ")
    return f"{_stretch(words, terms, most)}..."


def _stretch(words: Sequence[str], terms: frozenset[str], most: int) -> str:
    """Return the stretch of words, from the first or from near a term, that has most of the terms."""
    starts = [0, *(max(0, at - 4) for at, word in enumerate(words) if terms and terms & set(analyze(word)))]
    pieces = {start: " ".join(words[start : start + most // 5])[:most] for start in starts[:40]}
    best = max(pieces, key=lambda start: (len(terms & set(analyze(pieces[start]))), -start))
    return f"{'... ' if best else ''}{pieces[best]}"


def _page(view: View, row: int) -> str:
    name = f"{view.documents[int(view.document[row])].name} " if len(view.documents) > 1 else ""
    return f"{name}{page_told(view, row)}"
