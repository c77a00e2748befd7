"""What a reader is shown: the passages that are likeliest to settle the question, and lines about the documents.

Passages take as much room as the question needs. They bring along what the question or the best of them lead to in one
step, which a reader would else have to ask for: a figure or table named by its label, the rest of a list or table that
a passage cuts, the entry of the bibliography that a line cites. Who judges whole pages is shown the passages of each
that are nearest to the question.

The lines tell titles, lengths, what the documents hold and what they lack. All come from structure: the inventory of
the block table, pictures that are not in words, and names of the question that occur nowhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from octavo.decisions.engine import first_that_fit
from octavo.document import Document, Evidence, FigureKind, Kind, LinkKind, Mask, Query, View
from octavo.models.language import estimate_tokens
from octavo.operators.core import Run
from octavo.operators.extractive.matching import Matcher, is_known
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.image_evidence import Spot
from octavo.operators.read.packing import (
    PICTURED,
    Packed,
    depicted,
    is_logo,
    lines_above,
    pack,
    page_told,
    place_of,
    running_lines,
    shortened,
)
from octavo.operators.score.page_features import signposts, statement_pages
from octavo.operators.score.refer import rows_of_references
from octavo.operators.score.search import TermIndex, terms_of
from octavo.question import Expects, Question, understand
from octavo.text.analyzer import analyze
from octavo.text.values import ValueKind, values_in

ONE_PLACE, SEVERAL = 3_000, 6_000
"""Tokens of passages for a question that one place answers, and for one that needs several."""
_FRAME = 12
"""Tokens around a passage's text."""
_SHARE = 4
"""A passage takes at most this part of a model's context: of a small one the passages are fewer."""
_PAGE = 0.4
_BESIDE = 0.25
"""What the page's rank counts, and what the best passage of a page does for the others of it."""
_SIGNPOST = 0.5
"""What a page loses that only says where things stand, such as a table of contents."""
_UNCHOSEN = 6
"""Beside what an agent chose, all else takes at most this part of the room."""
_NEXT = 0.25
"""What a passage gains there, of the best one's weight, that stands next to one which was chosen."""
_TINY = 1e-9
Floats = npt.NDArray[np.float64]
Meaning = Callable[[Sequence[Packed], Run], Floats]
"""Tells of each passage how near it is to the question in meaning, -1..1."""
_LABELLED = ("figure", "chart", "table")
_CAPTIONED = (*PICTURED, Kind.TABLE, Kind.CAPTION)
_MOST_ITEMS = 12
"""Items of a list that are added after the last one of a passage."""
_HEAD_LINES, _LIKELY_LINES, _MOST_CITED = 2, 2, 3
_CITED = re.compile(r"\[(\d{1,3})\]")
_ENTRY = re.compile(r"\s*\[(\d{1,3})\]\s")
_UNIT_TOKENS = 120


def room_for(query: Query, context_tokens: int) -> int:
    """Return how many tokens of passages a question needs, within a quarter of the model's context."""
    return min(SEVERAL if needs_several(query) else ONE_PLACE, context_tokens // _SHARE)


def passage_tokens(packed: Packed) -> int:
    """Return how many tokens of room a passage takes."""
    return estimate_tokens(packed.shown.text) + _FRAME


def needs_several(query: Query) -> bool:
    """Tell whether a question needs more than one place: it counts, lists, compares, sums up."""
    question = understand(query.question)
    if question.names_one_place:
        return False
    return (
        len(query.sub_questions) > 1
        or question.goes_through_all
        or question.expects is Expects.LIST
        or len(question.parts) > 1
    )


def settling(
    packed: Sequence[Packed],
    using: Run,
    *,
    tokens: int,
    first: Container[int] = (),
    chosen: Container[int] = (),
    meaning: Meaning | None,
) -> list[Packed]:
    """Return the passages to show within `tokens`, best first; those with a row of `first` before all others.

    A passage is weighed by what it shares with the question in words and in meaning, by its page's rank, and by the
    best of its page. The less it weighs, the less room may be taken before it: a passage half as good as the best
    comes only into the first half, for a question of several places into all of it. Beside passages with a row of
    `chosen`, which an agent picked, others get a small part of the room, those next to them before their like.
    Meaning is told by the `stored` vectors, by those of the passages themselves (`embedded`) or, with None, not at all.
    """
    if not packed:
        return []
    weights = _weights(packed, using, meaning)
    is_chosen = np.array([any(row in chosen for row in one.rows) for one in packed])
    is_first = is_chosen | np.array([any(row in first for row in one.rows) for one in packed])
    likely = weights + _NEXT * weights.max() * _beside(packed, is_chosen)
    order: list[int] = np.lexsort((-likely, ~is_first, ~is_chosen)).tolist()
    share = weights / max(float(weights.max()), _TINY)
    if needs_several(using.query):
        share = np.clip(2.0 * share, 0.5, 1.0)
    kept: list[Packed] = []
    taken = spent = 0
    for at in order:
        size = passage_tokens(packed[at])
        if is_first[at]:
            fits = taken + size <= tokens
        elif is_chosen.any():
            fits = spent + size <= min(tokens // _UNCHOSEN, tokens - taken)
        else:
            fits = taken + size <= tokens * share[at]
        if fits or not kept:
            kept.append(packed[at])
            taken += size
            spent += 0 if is_first[at] else size
    return kept


def _beside(packed: Sequence[Packed], chosen: Mask) -> Mask:
    """Return (n_passages,) bool, true for passages right before or after one that was chosen."""
    rows = {row for one, is_chosen in zip(packed, chosen, strict=True) if is_chosen for row in one.rows}
    around = {row + step for row in rows for step in (-1, 1)}
    return np.array([not around.isdisjoint(one.rows) for one in packed])


def _weights(packed: Sequence[Packed], using: Run, meaning: Meaning | None) -> Floats:
    matcher = Matcher.of(understand(using.query.question), using.view)
    words = np.array(
        [matcher.coverage(matcher.terms(one.shown.text), matcher.terms(one.shown.where)) for one in packed]
    )
    own = words if meaning is None else words + meaning(packed, using)
    page = np.array([int(using.view.page_index[one.rows[0]]) for one in packed])
    best = np.zeros(int(page.max()) + 1)
    np.maximum.at(best, page, own)
    weights = own + _BESIDE * best[page] + _PAGE * _scaled(np.array([one.score for one in packed]))
    return weights * (1.0 - _SIGNPOST * signposts(using.view)[page])


def stored(packed: Sequence[Packed], using: Run) -> Floats:
    """Return the cosine of the question with the nearest stored passage that has a row of each one, 0 for none."""
    passages = using.view.passages
    cosines = using.view.cosines("vectors", using.vectors([using.query.question])[0])
    nearest = np.zeros(len(using.view))
    for at in np.argsort(cosines).tolist():
        nearest[passages.start[at] : passages.stop[at]] = cosines[at]
    return np.array([nearest[[*one.rows]].max(initial=0.0) for one in packed])


def embedded(packed: Sequence[Packed], using: Run) -> Floats:
    """Return the cosine of the question with each passage under the name of its place."""
    vectors = using.vectors([using.query.question, *(f"{one.shown.where}\n{one.shown.text}" for one in packed)])
    return vectors[1:] @ vectors[0]


def _scaled(scores: Floats) -> Floats:
    low, high = float(scores.min()), float(scores.max())
    return (scores - low) / (high - low) if high > low else np.ones(len(scores))


def named_rows(view: View, question: str) -> list[int]:
    """Return the rows of what a question names: figures, charts and tables by label with captions, statements' tables.

    A statement is named by the measures that are worked out of it: a return on assets needs two.
    """
    pointed = [one for one in understand(question).references if one.what in _LABELLED and one.number]
    rows = set(rows_of_references(pointed, view))
    links = view.links
    caption = links.kind == LinkKind.CAPTION_OF
    rows |= set(links.target[caption & np.isin(links.source, [*rows])].tolist())
    return sorted({row for row in rows if view.blocks.kind[row] in _CAPTIONED}.union(_statement_rows(view, question)))


def _statement_rows(view: View, question: str) -> Iterator[int]:
    """Yield the tables of the statements behind a question's measures, with the lines right above; of one document."""
    asked = understand(question).statements
    if not asked or len(view.documents) > 1:
        return
    share = statement_pages(view)
    on_page = np.any([share[statement] == 1.0 for statement in asked], axis=0)
    for row in np.flatnonzero(on_page[view.page_index] & view.of_kind(Kind.TABLE)).tolist():
        yield from (*lines_above(view, row), row)


def following_rows(view: View, best: Sequence[Packed], question: str) -> list[int]:
    """Return the rows that go on from the best passages, and the entries of what their likeliest lines cite."""
    shown = {row for one in best for row in one.rows}
    found = {*_continued(view, shown), *_cited(view, best, understand(question).asked)}
    for one in best:
        found |= {*_rest_of_list(view, max(one.rows, default=-1))}
    return sorted(found - shown)


def _continued(view: View, rows: set[int]) -> Iterator[int]:
    """Yield the tables and lists that go on from some rows or to them."""
    links = view.links
    goes_on = links.kind == LinkKind.CONTINUES
    for source, target in zip(links.source[goes_on].tolist(), links.target[goes_on].tolist(), strict=True):
        kinds = {int(view.blocks.kind[source]), int(view.blocks.kind[target])}
        if kinds <= {Kind.TABLE, Kind.LIST_ITEM}:
            yield from (other for row, other in ((source, target), (target, source)) if row in rows)


def _rest_of_list(view: View, last: int) -> Iterator[int]:
    """Yield the items after the last row of a passage, where that is one of a list, across pages too."""
    blocks = view.blocks
    if last < 0 or blocks.kind[last] != Kind.LIST_ITEM:
        return
    rows = (row for row in range(last + 1, len(view)) if view.is_content[row])
    for _, row in zip(range(_MOST_ITEMS), rows, strict=False):
        if blocks.kind[row] != Kind.LIST_ITEM or view.document[row] != view.document[last]:
            return
        yield row


def _cited(view: View, best: Sequence[Packed], asked: frozenset[str]) -> Iterator[int]:
    """Yield the entries that the lines which say most of the question cite; a row of a table says its heads too."""
    told: list[tuple[int, str]] = []
    for one in best:
        lines = one.shown.text.splitlines()
        is_table = view.blocks.kind[max(one.rows, default=0)] == Kind.TABLE
        heads = asked.intersection(analyze(" ".join(lines[:_HEAD_LINES]))) if is_table else set[str]()
        told += [(len(heads.union(asked.intersection(analyze(line)))), line) for line in lines]
    likeliest = sorted(told, key=lambda one: -one[0])[:_LIKELY_LINES]
    wanted = {number for _, line in likeliest for number in _CITED.findall(line)[:_MOST_CITED]}
    for document in {int(view.document[row]) for one in best for row in one.rows} if wanted else ():
        rows = view.rows_of(document)
        for row in range(rows.start, rows.stop):
            entry = _ENTRY.match(view.blocks.text[row])
            if entry and entry[1] in wanted:
                yield row


def page_excerpts(view: View, pages: Iterable[int], using: Run, *, tokens: int) -> list[str]:
    """Return of each page index its passages that are nearest to the question, within `tokens`.

    Over them stands in which section they are, and below them which pictures without words the page has.
    """
    content = np.flatnonzero(view.is_content)
    texts: list[str] = []
    for page in pages:
        rows = content[view.page_index[content] == page]
        evidence = Evidence.of(view, rows, source="page", **{RELEVANCE: np.zeros(len(rows))})
        kept = settling(pack(evidence, RELEVANCE, unit=_UNIT_TOKENS), using, tokens=tokens, meaning=embedded)
        texts.append("\n".join((*_by_section(view, kept), *_pictured(view, rows.tolist()))))
    return texts


def page_name(view: View, page: int) -> str:
    """Return what a page index is called: its number with the printed one, after its document if there are several."""
    return ", ".join(place_of(view, page))


def _by_section(view: View, kept: Sequence[Packed]) -> Iterator[str]:
    """Yield the passages of a page in order, and before them their section, once for those that stand together."""
    before: list[str] = []
    for one in sorted(kept, key=lambda one: one.shown.number):
        path = _section(view, one)
        if path and path != before:
            same = next((at for at, (new, old) in enumerate(zip(path, before, strict=False)) if new != old), 0)
            yield f"[{' > '.join(['...'] * bool(same) + path[same:])}]"
        before = path or before
        yield one.shown.text


def _section(view: View, one: Packed) -> list[str]:
    """Return the titles over a passage, without document and page, which the page's name tells."""
    place = "; ".join(place_of(view, int(view.page_index[one.rows[0]])))
    told = one.shown.where.removeprefix(place).removeprefix("; ")
    return told.split(" > ") if told else []


def _pictured(view: View, rows: Iterable[int]) -> Iterator[str]:
    """Yield what pictures without words a page has."""
    found = [
        depicted(view, row)
        for row in rows
        if view.blocks.kind[row] in PICTURED and not view.blocks.text[row].strip() and not is_logo(view, row)
    ]
    if found:
        yield f"Pictures without words: {', '.join(found)}"


_MOST_DOCUMENTS = 8
_OPENING_WORDS = 80
_MOST_PAGES = 20
_HEADINGS_TOKENS = 700
_MOST_PICTURES = 12
_CHARACTERS = 100
_LONGEST_TITLE = 200
_ABBREVIATION = re.compile(r"[A-Z]{2,5}")
_SHORTEST_TYPO = 5
_WORD = re.compile(r"[^\W\d_]+")
_COUNTED = (Kind.TABLE, Kind.CHART, Kind.FIGURE)


def told_of(view: View, shown: Sequence[Packed], question: str, *, seen: Sequence[Spot] = ()) -> str:
    """Return the lines about the documents of a view, given the passages and pictures that are shown of them."""
    pages = sorted({int(view.page_index[row]) for one in shown for row in one.rows})
    asked = understand(question)
    lines = [*_documents(view, pages)]
    if len(view.documents) == 1:
        lines += [*_opening(view, shown), *_inventory(view, asked)]
    lines += [*_pictures(view, shown, pages, seen), *_unknown(view, asked)]
    return "\n".join(lines)


def title_of(document: Document) -> str:
    """Return what a document is called: its own title, else its file's name."""
    return " ".join(document.metadata.title.split()) or document.name


def _documents(view: View, pages: Sequence[int]) -> Iterator[str]:
    """Yield a line for each document with passages, the first eight of them, and how many more there are."""
    on = Counter[int](view.locate_page(page)[0] for page in pages)
    chosen = [at for at, _ in on.most_common(_MOST_DOCUMENTS)] or [*range(len(view.documents))][:_MOST_DOCUMENTS]
    for at in sorted(chosen):
        document = view.documents[at]
        title, name = title_of(document), document.name
        own = [number for index, number in map(view.locate_page, pages) if index == at]
        count = len(document.pages)
        called = f"“{shortened(title, _LONGEST_TITLE)}”" + (f" (file {name})" if name != title else "")
        if not document.has_pages and count == 1:
            yield f"{called}."
            continue
        part = document.unit
        shown = f"; passages below are from {part}{'s' * (len(own) > 1)} {_ranges(own)}" if own else ""
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
        yield f"Counted by structure, without logos, and not always as people count: {found or 'no tables or figures'}."
    if is_of_structure or asked.goes_through_all or asked.says_sections or asked.says_subsections:
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
                caption = " ".join(" ".join(view.blocks.text[at].split()) for at in view.captions.get(row, []))
                called = f" “{caption[:_CHARACTERS]}”" if caption else ""
                found[f"{page_told(view, row)}: {depicted(view, row)}{called}"] += 1
    if found:
        told = [f"{what} ({count} times)" if count > 1 else what for what, count in found.items()]
        more = f"; and {len(told) - _MOST_PICTURES} more" if len(told) > _MOST_PICTURES else ""
        yield f"On these pages, but not in words below: {'; '.join(told[:_MOST_PICTURES])}{more}."


def _unknown(view: View, asked: Question) -> Iterator[str]:
    """Yield the words of the question's names, and its numbers, that occur nowhere, each with what comes near it."""
    told = [f"“{word}”" + (f" (near: “{near}”)" if near else "") for word, near in nowhere(view, asked)]
    if told:
        yield f"Nowhere in the text: {', '.join(told)}."


def nowhere(view: View, asked: Question) -> Iterator[tuple[str, str]]:
    """Yield what a question names that occurs nowhere in the documents, with a word of theirs that is one letter away.

    "Golden Eagle"; "Eagle" of a name of which the rest occurs; "1907"; "Germen" with "German". A short abbreviation is
    left out where the documents have words that it may be short for, and so is a currency.
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
    """Tell whether neighbouring words of the documents have the letters of an abbreviation as initials."""
    between = r"[\w’'-]*(?:\s+|-|/)(?:(?:of|and|for|the|in|to|&)\s+)*"
    initials = re.compile(rf"(?<!\w){between.join(map(re.escape, short))}\w", re.IGNORECASE)
    return any(initials.search(text) for text in view.blocks.text)


def _near(view: View, index: TermIndex, word: str) -> str:
    """Return a word of the documents, as they write it, that is one letter away from one that they do not have."""
    if len(word) < _SHORTEST_TYPO or not word.isalpha():
        return ""
    terms = {term for one in analyze(word) for term in index.one_letter_away(one)}
    words = (found for text in view.blocks.text for found in _WORD.findall(text) if terms)
    return next((found for found in words if terms.intersection(analyze(found))), "")


def _ranges(numbers: Iterable[int]) -> str:
    """Return numbers that ascend as "1, 3-5"."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
