"""What a document is about, on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from octavo.about.description import GONE
from octavo.cli.show.prose import paragraph, table_of
from octavo.cli.terminal import draw, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from octavo.about.document_about import DocumentAbout, SaidBy
    from octavo.about.fields import FieldValue

_SAID_BY: dict[SaidBy, str] = {
    "rule": "found by rule",
    "model": "read by a model",
    "zotero": "Zotero",
    "sidecar": "the file beside it",
    "hand": "set by hand",
}
_GONE = "no longer in the watched folder"
"""Who says `gone`: a watched folder that a document's files left."""


def show_about(screen: Console, about: DocumentAbout) -> None:
    """Print what a document is about, a line for each field that holds something."""
    fields = about.fields()
    if not fields:
        name = one_line(about.name)
        paragraph(screen, f"Nothing is known of what {name} is about; --set title='...' and others say so.")
        return
    table = table_of("field", "value", "by")
    for field, value in fields.items():
        by = _GONE if field == GONE else _SAID_BY[about.by[field]]
        table.add_row(*map(Text, (field, one_line(_in_words(value)), by)))
    draw(screen, table)


def _in_words(value: FieldValue) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
