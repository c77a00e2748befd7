"""Packing: evidence as numbered passages that a reader's prompt can hold.

Owns which blocks go into one passage, how a passage says where it stands, and the way back from a number and a quote
to a block. Knows nothing about prompts or models.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from octavo.decisions.answer_from_evidence import Shown
from octavo.document import Citation, Evidence, View, part_label
from octavo.models.analyzer import analyze
from octavo.models.language import estimate_tokens

_UNIT_TOKENS = 280
"""About how many tokens a passage has; neighbouring blocks of one section share one."""
_LEAST_SHARED = 1
"""Terms that a line must share with an answer to be quoted for it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Packed:
    """A passage of evidence: the rows it shows, its text, and its score; `start` is where a part of a block begins."""

    shown: Shown
    rows: tuple[int, ...]
    score: float


def pack(evidence: Evidence, by: str) -> list[Packed]:
    """Return the evidence as passages, best first by a column, numbered from 1 in document order.

    Neighbouring rows of one page and section are one passage while they are short; a block too long for one is shown
    in parts, cut between lines. Ties are broken by document order.
    """
    view = evidence.view
    scores = dict(zip(evidence.rows.tolist(), np.nan_to_num(evidence.scores[by], nan=0.0).tolist(), strict=True))
    packed: list[Packed] = []
    for rows in _runs(view, evidence.rows.tolist()):
        best = max(scores[row] for row in rows)
        for text in _parts(view, rows):
            packed.append(Packed(Shown(len(packed) + 1, _where(view, rows[0]), text), tuple(rows), best))
    return sorted(packed, key=lambda one: -one.score)


def cite(view: View, packed: Packed, quote: str, answer: str) -> Citation | None:
    """Return where a quote stands: the block that has it, else the line of the passage that says most of the answer.

    None when the quote is nowhere in the passage and no line shares a term with the answer.
    """
    for row in packed.rows:
        found = Citation.of(view, row, quote)
        if found is not None:
            return found
    wanted = set(analyze(answer)) | set(analyze(quote))
    lines = [(row, line) for row in packed.rows for line in view.blocks.text[row].splitlines() if line.strip()]
    shared = [len(wanted & set(analyze(line))) for _, line in lines]
    if not shared or max(shared) < _LEAST_SHARED:
        return None
    row, line = lines[shared.index(max(shared))]
    return Citation.of(view, row, line)


def _runs(view: View, rows: Sequence[int]) -> Iterator[list[int]]:
    """Yield neighbouring rows of one page and section, as many as are short enough together."""
    run: list[int] = []
    size = 0
    for row in rows:
        tokens = estimate_tokens(view.blocks.text[row])
        if run and (not _belongs(view, run[-1], row) or size + tokens > _UNIT_TOKENS):
            yield run
            run, size = [], 0
        run.append(row)
        size += tokens
    if run:
        yield run


def _belongs(view: View, before: int, row: int) -> bool:
    blocks = view.blocks
    is_next = row - before <= 2 and view.page_index[row] == view.page_index[before]
    return bool(is_next and (blocks.parent[row] == blocks.parent[before] or blocks.parent[row] == before))


def _parts(view: View, rows: Sequence[int]) -> Iterator[str]:
    """Yield the text of a run; a single long block in parts, its first line repeated: a table's header, mostly."""
    text = "\n".join(view.blocks.text[row] for row in rows).strip()
    if estimate_tokens(text) <= 3 * _UNIT_TOKENS:
        if text:
            yield text
        return
    lines = text.splitlines()
    part: list[str] = []
    for line in lines:
        if part and estimate_tokens("\n".join((*part, line))) > 2 * _UNIT_TOKENS:
            yield "\n".join(part)
            part = [lines[0]]
        part.append(line)
    yield "\n".join(part)


def _where(view: View, row: int) -> str:
    """Return document (when there are several), page and section of a row."""
    document = view.documents[int(view.document[row])].name if len(view.documents) > 1 else ""
    label = view.page_label(row)
    page = int(view.blocks.page[row])
    printed = f' (printed "{label}")' if label and label != str(page) else ""
    place = label if label == part_label(page) else f"page {page}{printed}"  # text without pages has parts
    section = " > ".join(view.blocks.section_path(row))
    return "; ".join(filter(None, (document, place, section)))
