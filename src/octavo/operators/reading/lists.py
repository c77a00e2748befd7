"""Candidates from lists: items under a matching lead, an enumeration in a sentence, and how many there are.

Owns what a list and its lead are. Knows nothing about tables.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from octavo.decisions.rules.question import Expects
from octavo.decisions.rules.values import Value, ValueKind
from octavo.document import Kind, View
from octavo.models.analyzer import analyze
from octavo.operators.reader.matching import Matcher
from octavo.operators.reading.candidate import Candidate, Quote

_FARTHEST = 60
"""Rows after its lead in which a list is looked for."""
_LONGEST_PARAGRAPH = 240
"""Characters of a paragraph after a colon that may be an item."""
_ITEM_WORDS = frozenset({"step", "item", "point", "stage", "instruct"})
"""Terms for the items of any list."""
_PARTS = frozenset({"section", "subsect", "chapter", "part", "topic", "head", "titl"})
"""Terms for what a section is divided into."""
_DIVIDED = 0.75
"""Fit of the headings below a heading, where a question asks for things and not for headings."""
_MOST_PARTS = 40
_NUMBERING = re.compile(r"^\s*(?:[A-Z]?\d+(?:\.\d+)*[.)]?|[A-Z][.)]|\(?[a-zA-Z\d]\))\s+")
_HOW_TO = re.compile(
    r"\bhow (?:to|do|can|could|should|must|would)\b|\b(?:steps?|procedure|instructions|process)\b", re.IGNORECASE
)
_NOT_ASKED = 0.6
"""Fit of a list where a sentence is asked for, and no way of doing something."""
_LONGEST_ITEM = 120
"""Characters; a longer item is named by its first words up to a colon or dash, where it has any."""
_MARK = re.compile(r"^\s*(?:[•▪◦●■*·–-]|\(?[0-9a-zA-Z]{1,3}[.)])\s+")
_TERM_AND_TEXT = re.compile(r"^(.{2,80}?)(?::\s|\s[–—-]\s)")
_SERIES = re.compile(
    r"(?:\b(?:includ(?:e[sd]?|ing)|are|were|is|namely|such as|like|of|as|by|with|into|in|from|between)\b|:)"
    r"\s*(?P<series>[^.;:,]+(?:,[^.;:,]+)+,?\s+(?:and|or)\s+[^,.;:]+)",
    re.IGNORECASE,
)
_NAME = r"[A-Z][\w'’&-]*(?: (?:of |the |de )?[A-Z][\w'’&-]*){0,4}"
_NAMES = re.compile(rf"(?<!\w)(?P<series>{_NAME}(?:, {_NAME})+,? (?:and|or) {_NAME})")
"""An enumeration of names that nothing leads to: "the boats Tern, Gannet and Auk"."""
_SEPARATOR = re.compile(r",\s*(?:and|or)\s+|,\s*|\s+(?:and|or)\s+")
_LEADERS = re.compile(r"(?:[.·•…_]\s?){5,}\s*\w{1,6}\s*$")
_LEADER_TAIL = 200


def is_contents_line(text: str) -> bool:
    """Say whether a text is a line of a table of contents, by the leaders before its last characters."""
    return bool(_LEADERS.search(text[-_LEADER_TAIL:]))


def from_list(matcher: Matcher, view: View, lead: int, context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield the list that follows the block in row `lead`, or the number of its items when a count is asked."""
    if matcher.question.expects not in (Expects.LIST, Expects.COUNT, Expects.PASSAGE):
        return
    rows = [row for row in _items_after(view, lead) if any(map(str.isalnum, item_name(view.blocks.text[row])))]
    if len(rows) < 2:
        return
    if is_contents_line(view.blocks.text[rows[0]]):
        return
    text = view.blocks.text[lead]
    coverage = matcher.coverage(analyze(text), context)
    if not coverage:
        return
    quotes = tuple(Quote(row, view.blocks.text[row]) for row in rows)
    items = tuple(item_name(view.blocks.text[row]) for row in rows)
    is_wanted = matcher.question.expects is not Expects.PASSAGE or _HOW_TO.search(matcher.question.text)
    fit = _number_fit(matcher, items, 1.0 if is_wanted else _NOT_ASKED)
    listed = Candidate("; ".join(items), quotes, text, coverage, coverage, fit, items=items)
    yield from _asked(matcher, listed, Quote(lead, text))


def from_headings(matcher: Matcher, view: View, row: int, context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield the headings right below the heading in `row`, what its section is divided into."""
    blocks = view.blocks
    is_wanted = matcher.question.expects is Expects.LIST or "subsect" in matcher.question.asked
    if not is_wanted or blocks.kind[row] not in (Kind.HEADING, Kind.TITLE):
        return
    inside = view.subtree(row)
    below = [at for at in range(inside.start + 1, inside.stop) if blocks.kind[at] == Kind.HEADING]
    rows = [at for at in below if blocks.parent[at] == row]
    coverage = matcher.coverage(analyze(blocks.text[row]), context)
    if not coverage or not 2 <= len(rows) <= _MOST_PARTS:
        return
    items = tuple(_NUMBERING.sub("", blocks.text[at]).strip() for at in rows)
    fit = _number_fit(matcher, items, 1.0 if _PARTS & matcher.question.asked else _DIVIDED)
    quotes = tuple(Quote(at, blocks.text[at]) for at in rows)
    yield Candidate("; ".join(items), quotes, blocks.text[row], coverage, coverage, fit, items=items)


def from_series(matcher: Matcher, row: int, sentence: str, context: tuple[str, ...]) -> Iterator[Candidate]:
    """Yield the enumeration in a sentence, such as "We sell tea, coffee and cocoa"."""
    if matcher.question.expects is not Expects.LIST:
        return
    found = _SERIES.search(sentence) or _NAMES.search(sentence)
    if not found:
        return
    items = tuple(item.strip() for item in _SEPARATOR.split(found["series"]) if item and item.strip())
    if len(items) < 2 or max(map(len, items)) > _LONGEST_ITEM or not _are_things(items):
        return
    coverage = matcher.coverage(matcher.terms(sentence), context)
    near = matcher.nearness(sentence, found.start("series"), found.end("series"))
    yield Candidate(
        found["series"],
        (Quote(row, sentence),),
        sentence,
        coverage,
        near,
        _number_fit(matcher, items, 0.9),
        items=items,
    )


def _are_things(items: Sequence[str]) -> bool:
    """Say whether the parts of a sentence are alike: all with letters, or all without, as years and amounts are."""
    worded = [any(map(str.isalpha, item)) for item in items]
    return all(worded) or not any(worded)


def _number_fit(matcher: Matcher, items: Sequence[str], fit: float) -> float:
    """Return how well a list fits: less when it has not as many items as the question says."""
    wanted = matcher.question.items
    return fit if wanted in (0, len(items)) else fit / 2


def item_name(text: str) -> str:
    """Return what a list item is called: without its bullet, and only its first words where a text follows them."""
    bare = _MARK.sub("", text).strip()
    named = _TERM_AND_TEXT.match(bare)
    return named.group(1) if named and len(bare) > len(named.group(1)) + 20 else bare


def _asked(matcher: Matcher, listed: Candidate, lead: Quote) -> Iterator[Candidate]:
    if matcher.question.expects is not Expects.COUNT:
        yield listed
        return
    # Counted, not printed: less sure than a number in the text, and only for a list of what is asked for.
    if set(matcher.question.subject) & {*analyze(lead.text), *_ITEM_WORDS}:
        count = str(len(listed.items))
        value = Value(ValueKind.NUMBER, count, 0, len(count), float(len(listed.items)))
        yield dataclasses.replace(listed, text=count, value=value, items=(), quotes=(lead, *listed.quotes), fit=0.7)


def _items_after(view: View, lead: int) -> list[int]:
    """Return the rows that a block introduces: the outermost items of the list after it, or what follows a colon."""
    blocks = view.blocks
    stop = min(int(view.row_starts[int(view.document[lead]) + 1]), lead + _FARTHEST)
    first = next((row for row in range(lead + 1, stop) if view.is_content[row]), stop)
    leads_on = blocks.text[lead].rstrip().endswith(":")
    if first == stop or not (leads_on or blocks.kind[first] == Kind.LIST_ITEM):
        return []
    rows = [row for row in range(first, stop) if view.is_content[row]]
    items = list(takewhile(lambda row: blocks.kind[row] == Kind.LIST_ITEM, rows))
    if items:
        return [row for row in items if blocks.level[row] <= blocks.level[items[0]]]
    page = view.page_index[lead]
    follows = takewhile(lambda row: blocks.kind[row] == Kind.PARAGRAPH and view.page_index[row] == page, rows)
    return [row for row in follows if len(blocks.text[row]) <= _LONGEST_PARAGRAPH]
