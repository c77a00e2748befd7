"""Which sheets, rows and cells of a workbook are hidden, and the warnings that say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from octavo_documents.parsing.left_out import Unseen

if TYPE_CHECKING:
    from octavo_documents.parsing.sheets.sheet import Sheet


def warnings_of(sheets: Sequence[Sheet]) -> list[str]:
    """Return what is to be said of the sheets of a file: which are hidden, and what each tells of itself, once."""
    hidden = [f'sheet "{sheet.name}" is hidden' for sheet in sheets if sheet.hidden]
    warnings = [one for sheet in sheets for one in (*sheet.warnings, *_unseen(sheet, is_shown=is_read(sheet, sheets)))]
    return list(dict.fromkeys([*hidden, *warnings]))


def is_read(sheet: Sheet, sheets: Sequence[Sheet]) -> bool:
    """Whether a sheet is read: one that is hidden is not, unless there are no words on any other."""
    return not sheet.hidden or not any(one.rows for one in sheets if not one.hidden)


def _unseen(sheet: Sheet, *, is_shown: bool) -> tuple[str, ...]:
    unseen = Unseen(f'sheet "{sheet.name}"')
    if not is_shown:
        rows = (" ".join(texts.values()) for texts in sheet.rows.values())
        unseen.hide(" ".join((*rows, *(note.text for note in sheet.notes))))
    unseen.hide(" ".join(sheet.unseen))
    return unseen.warnings()
