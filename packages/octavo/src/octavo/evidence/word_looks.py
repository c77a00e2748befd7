"""Which blocks have words that are underlined, italic, bold or highlighted, and these words."""

from __future__ import annotations

import numpy as np

from octavo.evidence.view import View
from octavo_documents.document import Kind
from octavo_documents.document.columns import Mask
from octavo_documents.document.styled_words import joined_runs, unpacked
from octavo_documents.text.looks_words import WORD_LOOKS


def blocks_with_looks(view: View) -> dict[str, Mask]:
    """Return for each look (n_rows,) bool, true for blocks of which all or some words have it."""
    blocks = view.blocks
    masks = {look: np.zeros(len(view), np.bool_) for look in WORD_LOOKS}
    masks["bold"] |= blocks.bold
    masks["italic"] |= blocks.italic
    for row in np.flatnonzero(blocks.styled.lengths()).tolist():
        runs = [*unpacked(blocks.styled[row])]
        for look, mask in masks.items():
            mask[row] |= any(run.has(look) for run in runs)
    return masks


def blocks_standing_out(view: View, look: str) -> Mask:
    """Return (n_rows,) bool, true for blocks of which some words have a look by itself: headings are bold anyway."""
    found = view.derived(blocks_with_looks)[look]
    return found & ~view.of_kind(Kind.TITLE, Kind.HEADING) if look == "bold" else found


def words_with_look(view: View, row: int, look: str) -> list[tuple[str, int]]:
    """Return the words of a block with a look, each run with the colour behind it, 0xRRGGBB, or -1."""
    blocks = view.blocks
    is_whole = (look == "bold" and blocks.bold[row]) or (look == "italic" and blocks.italic[row])
    text = blocks.text[row]
    return [(text, -1)] if is_whole else joined_runs([*unpacked(blocks.styled[row])], look, text)
