"""Marks that readers of flowing text put around raised and struck-out words, and how they end as plain text.

A reader puts the marks around what it reads, run by run. Raised text is written out once the text around it is known
(`settled`, which `collapse_whitespace` calls), struck-out text at the very end (`shown`): a "~~" that stands in a
file's own words is told from one that says "struck out" only until then. The marks are control characters, which no
source has.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from octavo_documents.document import Kind
from octavo_documents.lazy import lazy_regex
from octavo_documents.parsing.look_marks import SIGNS, looking
from octavo_documents.text.raised import (
    HAS_SUPERSCRIPT,
    as_mark,
    is_unsure,
    sure_marks,
    with_powers,
    without_marks,
    written,
)
from octavo_documents.text.struck import without_signs

if TYPE_CHECKING:
    from octavo_documents.parsing.flow import FlowBlock

UP, LEVEL, STRUCK, VALID = "\x0e", "\x0f", "\x10", "\x11"
"""Around raised and around struck-out text."""
_UNSURE, _NOTED = "\x12", "\x13"
"""After an exponent that may be the mark of a note; after a raised mark at the start, which a note begins with."""
_ANY = lazy_regex(f"[\x0e-\x13{SIGNS}]")
_EXPONENTS = lazy_regex("\\^(\\d)\x12")
_NOTES = lazy_regex("(?:^|\n)\x10?\\(?(\\d)\\)?\x13")
_RAISED = lazy_regex("\x0e([^\x0e\x0f]*)\x0f?|\x0f")
_AGAIN = lazy_regex("\x0f[\x10\x11]*\x0e|(?<=\x0e)\x0e+|\x0f+(?=\x0f)")
_GAP = lazy_regex(r"[ \t]{2,}")
_PARTS = lazy_regex("([\x10\x11])")
_NEAR = 60
_BESIDE = 12
_WORD = lazy_regex(r"[^\W\d_]{2}")
_LABEL = lazy_regex(r"(?:\d{1,3}|[a-z]{1,4}|[*†‡§¶#]{1,4})(?:,\s?(?:\d{1,3}|[a-z]|[*†‡§¶#]))*")


def raised(text: str) -> str:
    """Return text that stands raised, as in a note's mark or a power."""
    return f"{UP}{text}{LEVEL}" if text else ""


def struck(text: str) -> str:
    """Return text that is struck out."""
    return f"{STRUCK}{text}{VALID}" if text.strip() else text


def marked(text: str, *, is_raised: bool, is_struck: bool, looks: str = "", ground: int = -1) -> str:
    """Return text with the marks that its look asks for; `looks` and `ground` as `StyledWords` has them."""
    text = looking(text, looks, ground) if looks else text
    text = raised(text) if is_raised else text
    return struck(text) if is_struck else text


def note_mark(label: str) -> str:
    """Return the mark of a note at the word that refers to it: "¹", " [smith]" where it cannot be raised."""
    label = label.strip().strip("[]()").strip()
    return as_mark(label) if _LABEL.fullmatch(label) else f" [{label}]" if label else ""


def settled(text: str) -> str:
    """Return text whose raised parts are written out, and whose struck-out parts are one each, without white space."""
    if UP in text or LEVEL in text:
        text = _written(text)
    return _joined(text) if STRUCK in text or VALID in text else text


def _written(text: str) -> str:
    text = _AGAIN.sub("", text)
    found: list[str] = []
    near, at = "", 0
    for match in _RAISED.finditer(text):
        found.append(text[at : match.start()])
        near = (near + found[-1])[-_NEAR:]
        at = match.end()
        if match[1]:
            is_tied, words = _with(near, match[1], text[at : at + _BESIDE])
            if is_tied:
                while found and not found[-1].strip():
                    found.pop()
                found[-1:] = [one.rstrip() for one in found[-1:]]
                near = near.rstrip()
            found.append(words)
            near = (near + words)[-_NEAR:]
    return "".join(found) + text[at:]


def _with(before: str, inside: str, after: str) -> tuple[bool, str]:
    """Return raised text as it is written, and whether a space that was typed before it is left out."""
    after, before = _ANY.sub("", after), _ANY.sub("", before)
    said = _ANY.sub("", inside).strip()
    if not said:
        return False, inside
    if not before.strip():
        gap = " " if _LABEL.fullmatch(said) and _WORD.match(after) else ""
        return False, (f"{inside}{_NOTED}" if said.isdecimal() and after.strip() else inside) + gap
    if before[-1].isspace() and not after[:1].isalnum():
        mark = written(before.rstrip(), said, after)
        if HAS_SUPERSCRIPT.match(mark) or mark.startswith("^"):
            return True, inside.replace(said, mark)
    sign = _UNSURE if is_unsure(before, said, after) else ""
    return False, inside.replace(said, written(before, said, after) + sign)


def _joined(text: str) -> str:
    runs: list[tuple[bool, str]] = []
    depth = 0
    for piece in _PARTS.split(text):
        if piece == STRUCK:
            depth += 1
        elif piece == VALID:
            depth = max(depth - 1, 0)
        elif piece:
            is_struck = depth > 0 if piece.strip() else bool(runs) and runs[-1][0]
            before = runs.pop()[1] if runs and runs[-1][0] == is_struck else ""
            runs.append((is_struck, before + piece))
    return "".join(_around(run) if is_struck else run for is_struck, run in runs)


def _around(run: str) -> str:
    inside = run.strip()
    start = run.index(inside)
    words = _GAP.sub(" ", inside)  # where two struck-out parts met, each had its space
    return f"{run[:start]}{STRUCK}{words}{VALID}{run[start + len(inside) :]}" if inside else run


def bare(text: str) -> str:
    """Return text without its marks, those of notes too: what a cell amounts to."""
    if text.isascii() and not _ANY.search(text):
        return text
    return without_marks(_ANY.sub("", _EXPONENTS.sub("", text))).strip()


def without(text: str) -> str:
    """Return text without any mark that this module sets."""
    return _ANY.sub("", settled(text)) if _ANY.search(text) else text


def notes_of(blocks: Iterable[FlowBlock]) -> frozenset[str]:
    """Return the marks of one digit that a document has notes for or that it surely uses elsewhere."""
    found = set[str]()
    for block in blocks:
        text = block.text
        if not text.isascii():
            found.update(mark for mark in sure_marks(text) if len(mark) == 1 and mark.isdecimal())
        found.update(_NOTES.findall(text) if _NOTED in text else ())
        if block.kind == Kind.FOOTNOTE and text[:1].isdecimal() and not text[1:2].isalnum():
            found.add(text[0])
    return frozenset(found)


def shown(block: FlowBlock, notes: frozenset[str] = frozenset()) -> FlowBlock:
    """Return a block as it is kept: struck-out text as "~~4~~", and no other text so. Code stays as it is.

    What may be an exponent or the mark of a note, raised or typed ("1000²"), is a mark where it is among the `notes` of
    the document.
    """
    text = block.text
    is_plain = "~~" not in text and (text.isascii() or with_powers(text, notes) == text)
    if not _ANY.search(text) and (is_plain or block.kind == Kind.CODE):
        return block
    grid = block.grid
    if grid is not None:
        grid = replace(grid, cells=tuple(replace(cell, text=_shown(cell.text, notes)) for cell in grid.cells))
        if text == block.grid.text():  # pyright: ignore[reportOptionalMemberAccess]
            return replace(block, text=grid.text(), grid=grid)
    return replace(block, text=_shown(text, notes, is_code=block.kind == Kind.CODE), grid=grid)


def _shown(text: str, notes: frozenset[str], *, is_code: bool = False) -> str:
    text = text if is_code else with_powers(without_signs(text), notes)
    if _UNSURE in text:
        text = _EXPONENTS.sub(lambda found: as_mark(found[1]) if found[1] in notes else found[0], text)
    if _ANY.search(text):
        text = _ANY.sub("", settled(text).replace(STRUCK, "~~").replace(VALID, "~~"))
    return text
