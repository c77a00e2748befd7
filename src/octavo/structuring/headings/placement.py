"""Lines that stand as headings do: alone, short, over running text, in a style that recurs in such places."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from octavo.document import FURNITURE, Kind
from octavo.parsing.content import Box, PageContent, SourceContent
from octavo.structuring.drafts import Draft
from octavo.structuring.headings.candidates import Body, Style, style_of


class _Place:
    """What the place of a heading is told by, chosen by hand; lengths are in points unless they say otherwise."""

    FEWEST = 3  # headings of a style that recurs
    FEWEST_SENTENCES = 5  # headings of a style that are sentences
    FEWEST_PARTED = 2  # pairs of sentences parted by titles from which they conclude what these open
    SHARE = 0.6  # share of a style's blocks that stand as headings do
    LONGEST = 220  # characters of a heading
    LONGEST_SENTENCE = 300  # characters of a heading that is a sentence
    MOST_LINES = 2  # lines of a heading
    MOST_LINES_OF_SENTENCE = 4  # lines of a heading that is a sentence
    SHORTEST_TEXT = 100  # characters of running text
    LARGER = 1.06  # times the body's size a title is set in that is not bold
    CLOSE = 2.6  # type sizes under a heading in which its text starts
    MOST_TITLES = 4  # blocks over a table that fills its page: company, title, period, unit
    FILLED = 0.7  # share of a page's characters in tables that fill it
    SAME_EDGE = 4.0  # half of what the middles of a heading and its text may differ by
    INDENT = 40.0  # difference between their left edges
    UNDER = (-0.15, 0.35)  # type sizes from a line's lower edge at which a rule underlines it, from and to
    UNDERLINED = 0.8  # share of a line's width that the rule covers


_SENTENCE_ENDS = (".", "!", "?")

_Setting: TypeAlias = tuple[Style, bool]


def underlined(pages: Sequence[Sequence[Draft]], content: SourceContent) -> set[int]:
    """Return ids of short blocks of one line that have a rule of their own width right under their letters."""
    found: set[int] = set()
    for page, source in zip(pages, content.pages, strict=True):
        rules = _rules(source)
        if rules:
            found.update(id(item) for item in page if len(item.lines) == 1 and _has_rule(item, rules))
    return found


def _rules(source: PageContent) -> list[Box]:
    return [graphic.box for graphic in source.graphics if graphic.box[3] - graphic.box[1] < 2.0]


def _has_rule(item: Draft, rules: Sequence[Box]) -> bool:
    x0, _, x1, bottom = item.box
    size = max(item.look.size, 1.0)
    over = [
        (max(rule[0], x0), min(rule[2], x1))
        for rule in rules
        if _Place.UNDER[0] * size < (rule[1] + rule[3]) / 2 - bottom < _Place.UNDER[1] * size
        and rule[0] > x0 - size
        and rule[2] < x1 + size
    ]
    return sum(max(stop - start, 0.0) for start, stop in over) > _Place.UNDERLINED * (x1 - x0)


def over_tables(pages: Sequence[Sequence[Draft]]) -> set[int]:
    """Return ids of bold lines that start a page which a table fills: its title, however small its type."""
    found: set[int] = set()
    for page in pages:
        content = [item for item in page if item.kind not in FURNITURE]
        at = next((at for at, item in enumerate(content) if item.kind == Kind.TABLE), None)
        if at is None or not 0 < at <= _Place.MOST_TITLES:
            continue
        length = sum(len(item.text) for item in content)
        if sum(len(item.text) for item in content if item.kind == Kind.TABLE) > _Place.FILLED * length:
            found.update(id(item) for item in content[:at] if item.look.bold and _is_title_of(item))
    return found


def _is_title_of(item: Draft) -> bool:
    return len(item.text) < _Place.SHORTEST_TEXT and item.text[0].isupper() and not item.text.endswith(_SENTENCE_ENDS)


def in_heading_places(drafts: Sequence[Draft], body: Body, lined: set[int]) -> set[int]:
    """Return ids of blocks that stand as headings do.

    `lined` are ids of underlined blocks. A style counts where it recurs in such places and seldom sets other text.
    """
    places: dict[_Setting, list[Draft]] = defaultdict(list)
    others: Counter[_Setting] = Counter()
    content = [item for item in drafts if item.kind not in FURNITURE]
    following = _following(content)
    for item in drafts:
        if item.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM):
            continue
        setting = style_of(item, body), id(item) in lined
        if _stands_as_heading(item, following.get(id(item)), setting, body):
            places[setting].append(item)
        else:
            others[setting] += 1
    found: set[int] = set()
    for setting, items in places.items():
        if len(items) < _Place.SHARE * (len(items) + others[setting]):
            continue
        sentences = [item for item in items if item.text.endswith(_SENTENCE_ENDS)]
        if len(items) >= _Place.FEWEST:
            found.update({id(item) for item in items} - {id(item) for item in sentences})
        if len(sentences) >= _Place.FEWEST_SENTENCES and setting[0].bold and not _conclude(sentences, content, body):
            found.update(map(id, sentences))
    return found


def _conclude(sentences: Sequence[Draft], content: Sequence[Draft], body: Body) -> bool:
    """Tell sentences that end what titles open: titles part them, and not one stands right under a title."""
    at = {id(item): row for row, item in enumerate(content)}
    rows = [at[id(item)] for item in sentences]
    titles = {row for row, item in enumerate(content) if _is_title(item, body)}
    parted = sum(before < row < after for before, after in pairwise(rows) for row in titles)
    return parted >= _Place.FEWEST_PARTED and not any(row - 1 in titles for row in rows)


def _is_title(item: Draft, body: Body) -> bool:
    style = style_of(item, body)
    stands_out = (style.bold and not body.bold) or style.size > _Place.LARGER * body.size
    is_worded = 3 < len(item.text) < _Place.SHORTEST_TEXT and item.text[0].isupper() and item.text[-1] not in ".!?:;,"
    return stands_out and is_worded and item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM)


def _following(content: Sequence[Draft]) -> dict[int, Draft]:
    """Return the block under each, by id, in the same column."""
    return {
        id(item): below for item, below in pairwise(content) if (below.page, below.column) == (item.page, item.column)
    }


def _stands_as_heading(item: Draft, below: Draft | None, setting: _Setting, body: Body) -> bool:
    """Tell a short block that differs from the body's type and stands right over running text."""
    style, is_lined = setting
    is_other = is_lined or style.italic or (style.bold and not body.bold) or (style.caps and not body.caps)
    if not is_other or not item.text[:1].isupper() or not _is_short(item, style):
        return False
    if below is None or not _is_text(below) or style_of(below, body) == style:
        return False
    gap = below.box[1] - item.box[3]
    is_ended = len(item.lines) > 1 or item.box[2] < below.box[2] - 2 * item.look.size
    return -item.look.size < gap < _Place.CLOSE * item.look.size and is_ended and _is_aligned(item.box, below.box)


def _is_short(item: Draft, style: Style) -> bool:
    if style.bold and item.text.endswith(_SENTENCE_ENDS):
        return len(item.lines) <= _Place.MOST_LINES_OF_SENTENCE and len(item.text) <= _Place.LONGEST_SENTENCE
    return len(item.lines) <= _Place.MOST_LINES and len(item.text) <= _Place.LONGEST


def _is_text(item: Draft) -> bool:
    return item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and len(item.text) >= _Place.SHORTEST_TEXT


def _is_aligned(box: Box, below: Box) -> bool:
    return abs(box[0] - below[0]) < _Place.INDENT or abs(box[0] + box[2] - below[0] - below[2]) < 2 * _Place.SAME_EDGE
