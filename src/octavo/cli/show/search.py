"""What a search found, on the terminal: pages, best first, with the passages or stretches of text that fit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.text import Text

from octavo.cli.show.prose import EMPHASIS, MARK, kind_name, page_name, paragraph, section_name, show_text
from octavo.cli.terminal import one_line
from octavo.document import Evidence, Kind, PageHit, Passage, Result
from octavo.text.analyzer import analyze

if TYPE_CHECKING:
    from rich.console import Console

_BLOCKS = 3
"""Blocks shown of one page."""
_LENGTH = 160
"""Characters shown of one block."""
_LEAD = 5
"""Words shown before the first that matches."""


def show_result(screen: Console, result: Result) -> None:
    """Print every page found, with its score and the passages on it; a page without any shows its best blocks."""
    evidence = result.evidence
    hits = evidence.pages(result.by)
    if not hits:
        paragraph(screen, Text("Nothing found.", style="bold"))
    best = _best_blocks(evidence, result.by)
    for rank, hit in enumerate(hits, 1):
        if rank > 1:
            screen.print()
        _show_page(screen, rank, hit, evidence)
        if passages := _passages_on(hit, result):
            for passage in passages:
                _show_passage(screen, passage)
            continue
        section: tuple[str, ...] = ()
        for row in best[hit.document, hit.page]:
            section = _show_block(screen, result, row, under=section)


def _passages_on(hit: PageHit, result: Result) -> list[Passage]:
    where = (result.evidence.view.documents[hit.document].id, hit.page)
    return [passage for passage in result.passages if (passage.document_id, passage.page) == where]


def _show_passage(screen: Console, passage: Passage) -> None:
    path = section_name(passage.section)
    kind = kind_name(passage) if not path else "" if passage.kind == "paragraph" else f", {kind_name(passage)}"
    paragraph(screen, Text(path + kind, style="dim"), indent=4)
    show_text(screen, passage, indent=4)


def _best_blocks(evidence: Evidence, by: str) -> dict[tuple[int, int], list[int]]:
    """Return the rows to show of each (document, page), best first."""
    view = evidence.view
    rows: dict[tuple[int, int], list[int]] = {}
    for row in evidence.ranked(by).tolist():
        of_page = rows.setdefault((int(view.document[row]), int(view.blocks.page[row])), [])
        if len(of_page) < _BLOCKS:
            of_page.append(row)
    return rows


def _show_page(screen: Console, rank: int, hit: PageHit, evidence: Evidence) -> None:
    document = evidence.view.documents[hit.document]
    name = f"{one_line(document.name)}, {page_name(hit.page, document.pages.label[hit.page - 1])}"
    paragraph(screen, Text.assemble((f"{rank:>2}. ", MARK), name, (f"   {hit.score:.4g}", "dim")))


def _show_block(screen: Console, result: Result, row: int, *, under: tuple[str, ...]) -> tuple[str, ...]:
    """Print a block, its section first unless the block before stands under it too; return the section."""
    blocks = result.evidence.view.blocks
    kind = Kind(int(blocks.kind[row]))
    path = blocks.section_path(row)
    if path and path != under and kind != Kind.HEADING:
        paragraph(screen, Text(section_name(path), style="dim"), indent=4)
    label = kind.label.replace("_", " ")
    paragraph(
        screen, Text.assemble((f"{label}: ", "dim"), snippet(blocks.text[row], result.question, _LENGTH)), indent=4
    )
    return path


def snippet(text: str, question: str, length: int) -> Text:
    """Return at most `length` columns of a text as one line: the stretch with the most words of the question.

    Among equal stretches the first is taken. An ellipsis stands where something was left out.
    """
    terms = frozenset(analyze(question))
    words = one_line(text).split(" ")
    hits = [not terms.isdisjoint(_terms(word)) for word in words]
    first, stop = _stretch(words, hits, length - 2)
    shown = Text("…" if first else "")
    for at in range(first, stop):
        shown.append(words[at], EMPHASIS if hits[at] else "")
        shown.append(" " if at + 1 < stop else "")
    if stop < len(words):
        shown = shown[: max(len(shown.plain.rstrip(" .,;:")), 1)].append("…")
    shown.truncate(length, overflow="ellipsis")
    return shown


@lru_cache(maxsize=4096)
def _terms(word: str) -> frozenset[str]:
    return frozenset(analyze(word))


def _stretch(words: list[str], hits: list[bool], length: int) -> tuple[int, int]:
    """Return (first, stop) of the words to show."""
    starts = [0, *(max(at - _LEAD, 0) for at, hit in enumerate(hits) if hit)]
    ends = [_end(words, start, length) for start in starts]
    return max(zip(starts, ends, strict=True), key=lambda pair: (sum(hits[slice(*pair)]), -pair[0]))


def _end(words: list[str], start: int, length: int) -> int:
    """Return where words from `start` on no longer fit into `length` characters; one word always does."""
    room = length - len(words[start])
    stop = start + 1
    while stop < len(words) and (room := room - len(words[stop]) - 1) >= 0:
        stop += 1
    return stop
