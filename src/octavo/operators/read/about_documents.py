"""What a reader is told of the documents beside passages: what they are, what stands where, what is not there.

Owns these lines, all of them from structure: titles, lengths, the inventory of the block table, pictures that are not
in words, and names of the question that occur nowhere. Knows nothing about prompts or models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from octavo.decisions.engine.fitting import first_that_fit
from octavo.document import Document, FigureKind, Kind, View
from octavo.models.language import estimate_tokens
from octavo.operators.extractive.grounding import is_known
from octavo.operators.read.image_evidence import Spot
from octavo.operators.read.packing import PICTURED, Packed, captions_of, depicted, is_logo, page_told, running_lines
from octavo.operators.score.lexical import terms_of
from octavo.question import understand
from octavo.text.analyzer import analyze

_MOST_DOCUMENTS = 8
_OPENING_WORDS = 80
_MOST_PAGES = 20
_HEADINGS_TOKENS = 700
_MOST_PICTURES = 12
_CHARACTERS = 100
_COUNTED = (Kind.TABLE, Kind.CHART, Kind.FIGURE)


def told_of(view: View, shown: Sequence[Packed], question: str, *, seen: Sequence[Spot] = ()) -> str:
    """Return the lines about the documents of a view, given the passages and pictures that are shown of them."""
    pages = sorted({int(view.page_index[row]) for one in shown for row in one.rows})
    lines = [*_documents(view, pages)]
    if len(view.documents) == 1:
        lines += [*_opening(view, shown), *_inventory(view)]
    lines += [*_pictures(view, shown, pages, seen), *_unknown(view, question)]
    return "\n".join(lines)


def title_of(document: Document) -> str:
    """Return what a document is called: its own title, else its file's name."""
    return " ".join(document.metadata.title.split()) or document.name


def _documents(view: View, pages: Sequence[int]) -> Iterator[str]:
    on = Counter[int](view.locate_page(page)[0] for page in pages)
    others = (at for at in range(len(view.documents)) if at not in on)
    chosen = [*(at for at, _ in on.most_common()), *others][:_MOST_DOCUMENTS]
    for at in sorted(chosen):
        document = view.documents[at]
        title, name = title_of(document), document.name
        own = [number for index, number in map(view.locate_page, pages) if index == at]
        count = len(document.pages)
        part = "page" if document.has_pages else "part"
        shown = f"passages below are from {part}s {_ranges(own)}" if own else "no passages of it are below"
        called = f"“{title[:200]}”" + (f" (file {name})" if name != title else "")
        yield f"{called}: {count} {part}{'s' * (count > 1)}; {shown}."


def _opening(view: View, shown: Sequence[Packed]) -> Iterator[str]:
    """Yield how the first page begins, unless it is among the passages."""
    rows = view.page_rows(0)
    content = [row for row in range(rows.start, rows.stop) if view.is_content[row]]
    if not {*content}.isdisjoint({row for one in shown for row in one.rows}):
        return
    words = " ".join(view.blocks.text[row] for row in content[:20]).split()
    if words:
        yield f"Page 1 begins: {' '.join(words[:_OPENING_WORDS])}{' ...' * (len(words) > _OPENING_WORDS)}"


def _inventory(view: View) -> Iterator[str]:
    """Yield how many tables, charts and figures there are and where, and the main headings."""
    blocks = view.blocks
    real = blocks.figure != FigureKind.LOGO
    counted = [_counted(view, kind, np.flatnonzero((blocks.kind == kind) & real).tolist()) for kind in _COUNTED]
    found = "; ".join(filter(None, counted))
    yield f"Counted by structure, without logos, and not always as people count: {found or 'no tables or figures'}."
    yield from _headings(view)


def _headings(view: View) -> Iterator[str]:
    """Yield the headings, down to the deepest level that there is room for."""
    blocks, running = view.blocks, running_lines(view)
    rows = [row for row in view.sections().tolist() if row not in running]
    told = {row: f"{' '.join(blocks.text[row].split())[:_CHARACTERS]} ({page_told(view, row)})" for row in rows}
    levels = sorted({int(blocks.level[row]) for row in rows})
    shown = [[told[row] for row in rows if blocks.level[row] <= level] for level in levels]
    fitting = [texts for texts in shown if sum(map(estimate_tokens, texts)) <= _HEADINGS_TOKENS]
    if shown:
        kept, left = first_that_fit(fitting[-1] if fitting else shown[0], _HEADINGS_TOKENS)
        name = "Headings" if len(fitting) == len(shown) else "Main headings"
        yield f"{name}: {'; '.join(kept)}{f'; and {left} more' if left else ''}."


def _counted(view: View, kind: Kind, rows: Sequence[int]) -> str:
    if not rows:
        return ""
    pages = Counter(int(view.blocks.page[row]) for row in rows)
    told = [f"{page} ({count})" if count > 1 else str(page) for page, count in list(pages.items())[:_MOST_PAGES]]
    more = f" and {len(pages) - _MOST_PAGES} more pages" if len(pages) > _MOST_PAGES else ""
    sorts = Counter(depicted(view, row) for row in rows)
    named = ", ".join(f"{count} {sort}{'s' * (count > 1)}" for sort, count in sorts.most_common() if sort != kind.label)
    of_them = f" ({named})" if named else ""
    return f"{len(rows)} {kind.label}{'s' * (len(rows) > 1)}{of_them} on page {', '.join(told)}{more}"


def _pictures(view: View, shown: Sequence[Packed], pages: Iterable[int], seen: Sequence[Spot]) -> Iterator[str]:
    """Yield the pictures on the pages shown of which the passages have no words, and that are not seen."""
    in_words = {row for one in shown for row in one.rows} | {spot.row for spot in seen}
    whole = {spot.page for spot in seen if spot.row < 0}
    found = Counter[str]()
    for page in (page for page in pages if page not in whole):
        span = view.page_rows(page)
        for row in range(span.start, span.stop):
            if view.blocks.kind[row] in PICTURED and not is_logo(view, row) and row not in in_words:
                caption = " ".join(" ".join(view.blocks.text[at].split()) for at in captions_of(view, row))
                called = f" “{caption[:_CHARACTERS]}”" if caption else ""
                found[f"{page_told(view, row)}: {depicted(view, row)}{called}"] += 1
    if found:
        told = [f"{what} ({count} times)" if count > 1 else what for what, count in found.items()]
        more = f"; and {len(told) - _MOST_PICTURES} more" if len(told) > _MOST_PICTURES else ""
        yield f"On these pages, but not in words below: {'; '.join(told[:_MOST_PICTURES])}{more}."


def _unknown(view: View, question: str) -> Iterator[str]:
    """Yield the words of the question's names that occur nowhere."""
    words = nowhere(view, question)
    if words:
        yield f"Nowhere in the text, in any spelling: {', '.join(f'“{one}”' for one in words)}."


def nowhere(view: View, question: str) -> tuple[str, ...]:
    """Return what of the names that a question speaks of occurs nowhere in the documents: "Golden Eagle", "Eagle"."""
    index = terms_of(view)
    found: list[str] = []
    for name in understand(question).named:
        words = [
            word for word in name.split() if (terms := analyze(word)) and not any(is_known(index, t) for t in terms)
        ]
        found.append(" ".join(words).strip(".,;:?!'’\"”)("))
    return tuple(dict.fromkeys(filter(None, found)))


def _ranges(numbers: Iterable[int]) -> str:
    """Return numbers that ascend as "1, 3-5"."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
