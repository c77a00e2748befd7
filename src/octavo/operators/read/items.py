"""Items: the tables, figures or headings that a global question goes through, as something to be told and cited."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.engine.prompt import shorten
from octavo.document import Citation, Kind, View
from octavo.operators.score.refer import Label, labels_opening

_MOST_TOKENS = 240
_LONGEST_NAME = 160


def caption_of(view: View, row: int) -> int:
    """Return the row of a block's caption, -1 for none."""
    document = int(view.document[row])
    part, first = view.parts[document], int(view.row_starts[document])
    found = part.captions.get(row - first)
    return found[-1] + first if found else -1


def counted(view: View, rows: Sequence[int]) -> list[int]:
    """Return the items that a document itself counts: those with a numbered caption, one for each label; else all.

    "Table 3 (continued)" is no fourth table, and a table without a number beside numbered ones is mostly layout.
    """
    first: dict[frozenset[Label], int] = {}
    for row in rows:
        caption = caption_of(view, row)
        labels = labels_opening(view.blocks.text[caption]) if caption >= 0 else set[Label]()
        if labels:
            first.setdefault(frozenset(labels), row)
    return sorted(first.values()) or list(rows)


def item_text(view: View, row: int) -> str:
    """Return what is read of an item: its caption and the beginning of its text."""
    caption = caption_of(view, row)
    parts = [view.blocks.text[caption] if caption >= 0 else "", view.blocks.text[row]]
    return shorten("\n".join(filter(None, parts)), _MOST_TOKENS)[0]


def item_name(view: View, row: int) -> str:
    """Return what an item is called: its caption, else its first line, else its kind and page."""
    caption = caption_of(view, row)
    texts = (view.blocks.text[caption] if caption >= 0 else "", view.blocks.text[row])
    name = next((" ".join(text.split("\n")[0].split()) for text in texts if text.strip()), "")
    return name[:_LONGEST_NAME] or f"{Kind(int(view.blocks.kind[row])).label} on page {int(view.blocks.page[row])}"


def item_citation(view: View, row: int) -> Citation:
    """Cite an item by the first line of its caption or text; one without any words by its place alone."""
    caption = caption_of(view, row)
    for at in (caption, row):
        line = view.blocks.text[at].strip().split("\n")[0] if at >= 0 else ""
        cited = Citation.of(view, at, line) if line else None
        if cited is not None:
            return cited
    return Citation.at(view, row)
