"""Choosing which passages of the evidence a reader is shown: those that are likeliest to settle the question.

Passages take as much room as the question needs. They bring along what the question or the best of them lead to in one
step, which a reader would else have to ask for: a figure or table named by its label, the rest of a list or table that
a passage cuts, the entry of the bibliography that a line cites. Who judges whole pages is shown the passages of each
that are nearest to the question.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from octavo.evidence import Evidence, Query, View
from octavo.models.language import estimate_tokens
from octavo.operators.core import Run
from octavo.operators.extractive.matching import Matcher
from octavo.operators.keep import RELEVANCE
from octavo.operators.meaning import passage_cosines
from octavo.operators.read.packing import Packed, depicted, is_logo, lines_above, pack, place_of
from octavo.operators.score.listed_items import items_named
from octavo.operators.score.page_features import signposts, statement_pages
from octavo.operators.score.refer import rows_of_references
from octavo.question import Expects, understand
from octavo_documents.document import PICTURED, Kind, LinkKind, Mask
from octavo_documents.text.analyzer import analyze

ONE_PLACE, SEVERAL = 3_000, 6_000
"""Tokens of passages for a question that one place answers, and for one that needs several."""
_FRAME = 12
"""Tokens around a passage's text."""
_SHARE = 4
"""A passage takes at most this part of a model's context: of a small one the passages are fewer."""
_PAGE, _BESIDE = 0.4, 0.25
"""What the page's rank counts, and what the best passage of a page does for the others of it; chosen by hand."""
_SIGNPOST = 0.5
"""What a page loses that only says where things stand, such as a table of contents."""
_UNCHOSEN = 6
"""Beside what an agent chose, all else takes at most this part of the room."""
_NEXT = 0.25
"""What a passage gains there, of the best one's weight, that stands next to one which was chosen."""
_TINY = 1e-9
Floats = npt.NDArray[np.float64]
Meaning = Callable[[Sequence[Packed], Run], Floats]
"""Returns for each passage how near it is to the question in meaning, -1..1."""
_LABELLED = ("figure", "chart", "table")
_CAPTIONED = (*PICTURED, Kind.TABLE, Kind.CAPTION)
_MOST_ITEMS = 12
"""Items of a list that are added after the last one of a passage."""
_HEAD_LINES, _LIKELY_LINES, _MOST_CITED = 2, 2, 3
"""Lines that head a table, the likeliest lines of a passage, and the works one of these cites that are looked up."""
_CITED = re.compile(r"\[(\d{1,3})\]")
_ENTRY = re.compile(r"\s*\[(\d{1,3})\]\s")
_UNIT_TOKENS = 120
"""About how many tokens a passage of an excerpt has: short ones leave room for several places of a page."""


def room_for(query: Query, context_tokens: int) -> int:
    """Return how many tokens of passages a question needs, within a quarter of the model's context."""
    return min(SEVERAL if needs_several(query) else ONE_PLACE, context_tokens // _SHARE)


def passage_tokens(packed: Packed) -> int:
    """Return how many tokens of room a passage takes."""
    return estimate_tokens(packed.shown.text) + _FRAME


def needs_several(query: Query) -> bool:
    """Return whether a question needs more than one place: it counts, lists, compares, sums up or enumerates."""
    question = understand(query.question)
    if question.names_one_place:
        return False
    return (
        len(query.sub_questions) > 1
        or question.goes_through_all
        or question.expects is Expects.LIST
        or len(question.parts) > 1
        or bool(question.enumerated)
    )


def choose_passages(
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
    cosines = passage_cosines(using.query.question, using)
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
    """Return the rows of what a question names: figures, charts and tables by label with captions, items of lists by
    number, statements' tables.

    A statement is named by the measures that are worked out of it: a return on assets needs two.
    """
    pointed = [one for one in understand(question).references if one.what in _LABELLED and one.number]
    rows = set(rows_of_references(pointed, view))
    links = view.links
    caption = links.kind == LinkKind.CAPTION_OF
    rows |= set(links.target[caption & np.isin(links.source, [*rows])].tolist())
    items = itertools.chain(*items_named(understand(question), view))
    captioned = {row for row in rows if view.blocks.kind_of(row) in _CAPTIONED}
    return sorted(captioned.union(_statement_rows(view, question), items))


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
    """Yield the tables and lists that go on from some rows or to them on another page.

    A sheet has no pages: it is cut by its length alone, and its next part says no more of a question than others.
    """
    links = view.links
    goes_on = (links.kind == LinkKind.CONTINUES) & view.blocks.box[links.source].any(axis=1)
    for source, target in zip(links.source[goes_on].tolist(), links.target[goes_on].tolist(), strict=True):
        kinds = {view.blocks.kind_of(source), view.blocks.kind_of(target)}
        if kinds <= {Kind.TABLE, Kind.LIST_ITEM}:
            yield from (other for row, other in ((source, target), (target, source)) if row in rows)


def _rest_of_list(view: View, last: int) -> Iterator[int]:
    """Yield the items after the last row of a passage, where that is one of a list, across pages too."""
    blocks = view.blocks
    if last < 0 or blocks.kind_of(last) != Kind.LIST_ITEM:
        return
    rows = (row for row in range(last + 1, len(view)) if view.is_content[row])
    for _, row in zip(range(_MOST_ITEMS), rows, strict=False):
        if blocks.kind_of(row) != Kind.LIST_ITEM or view.document[row] != view.document[last]:
            return
        yield row


def _cited(view: View, best: Sequence[Packed], asked: frozenset[str]) -> Iterator[int]:
    """Yield the entries that the lines which say most of the question cite; a row of a table says its heads too."""
    told: list[tuple[int, str]] = []
    for one in best:
        lines = one.shown.text.splitlines()
        is_table = view.blocks.kind_of(max(one.rows, default=0)) == Kind.TABLE
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
        kept = choose_passages(pack(evidence, RELEVANCE, unit=_UNIT_TOKENS), using, tokens=tokens, meaning=embedded)
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
        if view.blocks.kind_of(row) in PICTURED and not view.blocks.text[row].strip() and not is_logo(view, row)
    ]
    if found:
        yield f"Pictures without words: {', '.join(found)}"
