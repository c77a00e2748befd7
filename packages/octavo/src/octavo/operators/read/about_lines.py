"""The lines about the documents that a reader is shown before passages and pictures.

They tell titles, lengths, what the documents hold and what they lack. All come from structure: the inventory of the
block table, pictures that are not in words, and words of the question that occur nowhere. A later reading is told what
was shown before and what was asked for in vain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from octavo.decisions.engine import first_that_fit
from octavo.evidence import View
from octavo.models.language import estimate_tokens
from octavo.operators.core import Run
from octavo.operators.extractive.matching import is_known
from octavo.operators.read.image_evidence import Spot, places_due, said_of
from octavo.operators.read.packing import (
    Packed,
    depicted,
    is_logo,
    page_told,
    place_of,
    ranges,
    running_lines,
    shortened,
)
from octavo.operators.score.search import TermIndex, terms_of
from octavo.question import Question, understand
from octavo_documents.document import PICTURED, Document, FigureKind, Kind
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.values import ValueKind, values_in

_MOST_DOCUMENTS = 8
_OPENING_WORDS = 80
_MOST_PAGES = 20
_HEADINGS_TOKENS = 700
_MOST_PICTURES = 12
_CHARACTERS = 100
_LONGEST_TITLE = 200
_MOST_WORDS = 6
_ABBREVIATION = re.compile(r"[A-Z]{2,5}")
_SHORTEST_TYPO = 5
_ENDS_IN_NUMBER = re.compile(r"[^\W\d_]*\d+")
_WORD = re.compile(r"[^\W\d_]+")
_COUNTED = (Kind.TABLE, Kind.CHART, Kind.FIGURE)
_SEARCHED = "Not in the text as a whole word or number, words that only pictures show not being searched"


def lines_about_documents(view: View, shown: Sequence[Packed], question: str, *, seen: Sequence[Spot] = ()) -> str:
    """Return the lines about the documents of a view, given the passages and pictures that are shown of them."""
    pages = sorted({int(view.page_index[row]) for one in shown for row in one.rows})
    asked = understand(question)
    lines = [*_documents(view, pages)]
    if len(view.documents) == 1:
        lines += [*_opening(view, shown), *_inventory(view, asked)]
    lines += [*_pictures(view, shown, pages, seen), *_unknown(view, asked)]
    return "\n".join(lines)


def lines_about_earlier_readings(using: Run, shown: Sequence[Packed], seen: Sequence[Spot] = ()) -> Iterator[str]:
    """Yield for a later reading what was shown before and is not again, and what was asked for and is not there."""
    so_far, view = using.so_far, using.view
    if so_far.overview:
        yield so_far.overview
    due = [spot for spot in places_due(using) if spot not in seen and Spot(spot.page) not in seen]
    if due:
        yield f"Chosen or asked for too, and still to come if the answer stays open: {_in_words(view, due)}."
    if so_far.known:
        yield f"Known so far, from what was shown before: {so_far.known}"
    now = {int(view.page_index[row]) for one in shown for row in one.rows}
    pages = sorted({int(view.page_index[row]) for row in so_far.rows} - now)
    if pages:
        yield f"Words that were shown before, and not again: of {_in_words(view, [*map(Spot, pages)])}."
    pictures = [Spot(page, row) for (page, row), told in so_far.pictures.items() if not told]
    if pictures:
        yield f"Pictures that were shown before, and not again: {_in_words(view, pictures)}."
    if so_far.unknown:
        yield f"Asked for, and not in the document: {', '.join(so_far.unknown)}."


def _in_words(view: View, due: Sequence[Spot]) -> str:
    """Return places: "page 3, chart, Figure 5: Catch; pages 6, 13-15"."""
    parts = [said_of(view, spot).replace("; ", ", ") for spot in due if spot.row >= 0]
    whole: dict[int, list[int]] = {}
    for spot in due:
        if spot.row < 0:
            document, number = view.locate_page(spot.page)
            whole.setdefault(document, []).append(number)
    for document, numbers in whole.items():
        before = place_of(view, int(view.page_starts[document]))[:-1]
        unit = f"{view.documents[document].unit}{'s' * (len(numbers) > 1)}"
        parts.append(", ".join((*before, f"{unit} {ranges(sorted(numbers))}")))
    return "; ".join(parts)


def title_of(document: Document) -> str:
    """Return what a document is called: its own title, else its file's name."""
    return on_one_line(document.metadata.title) or document.name


def _documents(view: View, pages: Sequence[int]) -> Iterator[str]:
    """Yield a line for each document with passages, the first eight of them, and how many more there are."""
    on = Counter[int](view.locate_page(page)[0] for page in pages)
    chosen = [at for at, _ in on.most_common(_MOST_DOCUMENTS)] or [*range(len(view.documents))][:_MOST_DOCUMENTS]
    for at in sorted(chosen):
        document = view.documents[at]
        title, name = title_of(document), view.names[at]
        own = [number for index, number in map(view.locate_page, pages) if index == at]
        count = len(document.pages)
        called = f"“{shortened(title, _LONGEST_TITLE)}”" + (f" (file {name})" if name != title else "")
        if not document.has_pages and count == 1:
            yield f"{called}."
            continue
        part = document.unit
        shown = f"; passages below are from {part}{'s' * (len(own) > 1)} {ranges(own)}" if own else ""
        yield f"{called}: {count} {part}{'s' * (count > 1)}{shown}."
    if len(view.documents) > len(chosen):
        yield f"And {len(view.documents) - len(chosen)} more, of which nothing is below."


def _opening(view: View, shown: Sequence[Packed]) -> Iterator[str]:
    """Yield how the first page begins, unless it is among the passages."""
    rows = view.page_rows(0)
    content = [row for row in range(rows.start, rows.stop) if view.is_content[row]]
    if not {*content}.isdisjoint({row for one in shown for row in one.rows}):
        return
    words = " ".join(view.blocks.text[row] for row in content[:20]).split()
    if words:
        yield f"Page 1 begins: {' '.join(words[:_OPENING_WORDS])}{' ...' * (len(words) > _OPENING_WORDS)}"


def _inventory(view: View, asked: Question) -> Iterator[str]:
    """Yield how many tables and figures there are and where, and the main headings, to a question that needs them."""
    is_of_structure = bool(asked.about or asked.operation or asked.counts_pages or asked.lists_pages)
    if is_of_structure or asked.goes_through_all or asked.kinds_meant:
        blocks = view.blocks
        real = blocks.figure != FigureKind.LOGO
        counted = [_counted(view, kind, np.flatnonzero((blocks.kind == kind) & real).tolist()) for kind in _COUNTED]
        found = "; ".join(filter(None, counted))
        unseen = _read_as_images(view)
        if found or not unseen:
            told = found or "no tables or figures"
            yield f"Counted by structure, without logos, and not always as people count: {told}."
        if unseen:
            yield f"Read as images: {_in_words(view, unseen)}; pictures and tables on them were not told apart."
    if is_of_structure or asked.goes_through_all or asked.says_sections or asked.says_subsections:
        yield from _headings(view)


def _read_as_images(view: View) -> list[Spot]:
    """Return the scanned pages on which no figure, chart or table was told apart."""
    told = {int(view.page_index[row]) for kind in _COUNTED for row in np.flatnonzero(view.blocks.kind == kind)}
    pages = (page for page in range(int(view.page_starts[1])) if page not in told)
    return [Spot(page) for page in pages if view.documents[0].pages.is_scanned[page]]


def _headings(view: View) -> Iterator[str]:
    """Yield the headings, down to the deepest level that there is room for."""
    blocks, running = view.blocks, running_lines(view)
    rows = [row for row in view.sections().tolist() if row not in running]
    told = {row: f"{on_one_line(blocks.text[row])[:_CHARACTERS]} ({page_told(view, row)})" for row in rows}
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
            if view.blocks.kind_of(row) in PICTURED and not is_logo(view, row) and row not in in_words:
                caption = " ".join(on_one_line(view.blocks.text[at]) for at in view.captions.get(row, []))
                called = f" “{caption[:_CHARACTERS]}”" if caption else ""
                found[f"{page_told(view, row)}: {depicted(view, row)}{called}"] += 1
    if found:
        told = [f"{what} ({count} times)" if count > 1 else what for what, count in found.items()]
        more = f"; and {len(told) - _MOST_PICTURES} more" if len(told) > _MOST_PICTURES else ""
        yield f"On these pages, but not in words below: {'; '.join(told[:_MOST_PICTURES])}{more}."


def _unknown(view: View, asked: Question) -> Iterator[str]:
    """Yield the words of the question's names, and its numbers, that are not in the text, each with what comes near it.

    It is said what was searched: a word or number may still stand in a picture, or inside another one. Then come words
    for what it is about of which the text has no form: it may say the same in others.
    """
    told = [f"“{word}”" + (f" (near: “{near}”)" if near else "") for word, near in nowhere(view, asked)]
    if told:
        yield f"{_SEARCHED}: {', '.join(told)}."
    index = terms_of(view)
    unused = [word for word in asked.things_named if not any(_occurs(index, term) for term in analyze(word))]
    if unused:
        words = ", ".join(f"“{word}”" for word in unused[:_MOST_WORDS])
        yield f"Words of the question that the text does not use: {words}."


def nowhere(view: View, asked: Question) -> Iterator[tuple[str, str]]:
    """Yield what a question names that is not in the text of the documents, with a word of theirs that comes near it.

    "Golden Eagle"; "Eagle" of a name of which the rest occurs; "1907"; "Germen" with "German", one letter away; "64"
    with "64th" and "50-64yrs", of which it is a part, as "Q3" is of "2015Q3". A short abbreviation is left
    out where the documents have words that it may be short for, and so is a currency.
    """
    index = terms_of(view)
    found: dict[str, str] = {}
    for name in (*asked.named, *asked.numbers):
        words = [
            word for word in name.split() if (terms := analyze(word)) and not any(_occurs(index, t) for t in terms)
        ]
        words = [word for word in words if not (_ABBREVIATION.fullmatch(word) and _is_spelled_out(view, word))]
        words = [word for word in words if not _is_currency(word)]
        near = _near(view, index, words[0]) if len(words) == 1 else ""
        found.setdefault(" ".join(words).strip(".,;:?!'’\"”)("), near)
    yield from ((name, near) for name, near in found.items() if name)


def _occurs(index: TermIndex, term: str) -> bool:
    return bool(len(index.postings(term)[0])) if term.isdigit() else is_known(index, term)


def _is_currency(word: str) -> bool:
    return any(value.kind is ValueKind.MONEY for value in values_in(f"{word} 1"))


def _is_spelled_out(view: View, short: str) -> bool:
    """Return whether neighbouring words of the documents have the letters of an abbreviation as initials."""
    between = r"[\w’'-]*(?:\s+|-|/)(?:(?:of|and|for|the|in|to|&)\s+)*"
    initials = re.compile(rf"(?<!\w){between.join(map(re.escape, short))}\w", re.IGNORECASE)
    return any(initials.search(text) for text in view.blocks.text)


def _near(view: View, index: TermIndex, word: str) -> str:
    """Return a word of the documents, as they write it, that is one letter away from one that they do not have.

    For a number, or a word that ends in one ("Q3"), it is the first word that has it as a part, not within a longer
    number.
    """
    if _ENDS_IN_NUMBER.fullmatch(word):
        before = r"(?<!\d)(?<!\d[.,])" if word.isdecimal() else r"(?<![^\W\d_])"
        inside = re.compile(rf"[\w/–-]*{before}{word}(?!\d|[.,]\d)[\w/–-]*", re.IGNORECASE)
        return next((found[0] for text in view.blocks.text if (found := inside.search(text))), "")
    if len(word) < _SHORTEST_TYPO or not word.isalpha():
        return ""
    terms = {term for one in analyze(word) for term in index.one_letter_away(one)}
    words = (found for text in view.blocks.text for found in _WORD.findall(text) if terms)
    return next((found for found in words if terms.intersection(analyze(found))), "")
