"""Headings that stand inside a block: found by a title, or as run-in headings, and cut out as blocks of their own.

Owns the places to cut and the cutting. Knows nothing about outlines, levels or what else makes a heading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from octavo.document import Kind
from octavo.parsing.content import PageContent, SourceContent, TextLine
from octavo.structuring import markers
from octavo.structuring.drafts import Draft
from octavo.structuring.headings.contents import plain
from octavo.structuring.lines import Look

_RUNNING = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION, Kind.CODE, Kind.FORMULA)


class _RunIn:
    """What a heading inside a block is told by, in characters unless it says otherwise; chosen by hand."""

    SHORTEST = 3  # letters of a title
    LONGEST_LEAD = 90  # characters of a run-in heading
    SHORTEST_REST = 20  # characters of the text it opens
    FEWEST = 3  # run-in headings that count on


_STOPS = ".:—–-"
_CLOSING = re.compile(r"[^\w\s(\[{“‘\"'•]*")
_ABSTRACT = re.compile(r"(?:abstract|summary)\s*[.:—–-]*\s*", re.I)


@dataclass(frozen=True, slots=True)
class _Lead:
    """A block that starts in another type than it goes on: `stop` is where in its text that start ends."""

    page: int
    item: Draft
    stop: int
    number: markers.Numbering | None
    look: Look


def cut(page: list[Draft], item: Draft, start: int, stop: int, source: PageContent) -> Draft:
    """Make characters `start` to `stop` of a block's text a paragraph of their own, and return it.

    What stands before and after stays in blocks before and after it on `page`; `item` is the longer of them.
    """
    ranges = [(0, start), (start, stop), (stop, len(item.text))]
    before, title, after = (_part(item, *bounds, source) for bounds in ranges)
    rest = after if len(after.text) >= len(before.text) else before
    item.text, item.box, item.lines = rest.text, rest.box, rest.lines
    if rest is after and item.kind == Kind.LIST_ITEM:
        item.kind, item.level = Kind.PARAGRAPH, 0
    title.kind, title.level, title.is_told = Kind.PARAGRAPH, 0, False
    parts = [item if part is rest else part for part in (before, title, after) if part.text]
    at = page.index(item)
    page[at : at + 1] = parts
    return title


def _part(item: Draft, start: int, stop: int, source: PageContent) -> Draft:
    """Return a block of some characters of another, with the lines they stand on and the type they start in."""
    text = item.text[start:stop].strip()
    first, last = len(plain(item.text[:start])), len(plain(item.text[:stop]))
    at, rows = 0, list[int]()
    for row in item.lines:
        end = at + len(plain(source.lines[row].text))
        if at < last and end > first:
            rows.append(row)
        at = end
    lines = [source.lines[row] for row in rows or item.lines]
    box = (
        min(line.box[0] for line in lines),
        min(line.box[1] for line in lines),
        max(line.box[2] for line in lines),
        max(line.box[3] for line in lines),
    )
    return replace(item, text=text, box=box, look=_start_look(lines[0], item.look), lines=tuple(rows), targets=[])


def _start_look(line: TextLine, usual: Look) -> Look:
    if not line.spans:
        return usual
    span = line.spans[0]
    return Look(span.size, span.bold, span.italic, span.color, span.monospace)


def title_inside(title: str, item: Draft, source: PageContent) -> tuple[int, int] | None:
    """Return where in a block's text a title stands that takes whole lines, or starts one and is set apart.

    `title` is plain; a section number before it belongs to it. None when the block is no running text or has it not.
    """
    if item.kind not in _RUNNING or len(title) < _RunIn.SHORTEST:
        return None
    letters = plain(item.text)
    if title not in letters or len(letters) == len(title):
        return None
    texts = [source.lines[row].text for row in item.lines]
    whole, starts = "".join(map(plain, texts)), [0]
    for text in texts:
        starts.append(starts[-1] + len(plain(text)))
    for row, at in enumerate(starts[:-1]):
        number = markers.numbering(texts[row])
        skipped = starts[row + 1] - at - len(plain(number.title)) if number else 0
        for shift in {0, max(skipped, 0)}:
            end = at + shift + len(title)
            if whole.startswith(title, at + shift):
                stop = _after_letters(item.text, end)
                if end in starts or _ends_lead(source.lines[item.lines[row]], item.text, stop, at_start=row == 0):
                    return _after_letters(item.text, at) if at else 0, stop
    return None


def _after_letters(text: str, count: int) -> int:
    """Return the offset behind the first `count` letters and digits of a text and what closes them."""
    seen = 0
    for at, character in enumerate(text):
        seen += character.isalnum()
        if seen == count:
            closing = _CLOSING.match(text, at + 1)
            return closing.end() if closing else at + 1
    return len(text)


def _ends_lead(line: TextLine, text: str, stop: int, *, at_start: bool) -> bool:
    """Tell whether a title at the start of a line is set apart from what follows: by a stop or another font."""
    if not at_start or len(text) - stop < _RunIn.SHORTEST_REST:
        return False
    ends = {span.stop for span in line.spans[:-1]}
    return text[stop - 1] in _STOPS or any(abs(end - stop) <= 1 for end in ends)


def cut_run_in(pages: Sequence[list[Draft]], content: SourceContent) -> set[int]:
    """Cut run-in headings out of the paragraphs they open; return their ids.

    They are bold or italic unlike what follows, numbered, and at least three of a kind count on; or say "Abstract".
    """
    leads = [
        lead
        for number, (page, source) in enumerate(zip(pages, content.pages, strict=True))
        for item in page
        if item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and item.lines
        for lead in [_lead(number, item, source)]
        if lead is not None
    ]
    followed: Counter[tuple[str, str, int, bool, bool]] = Counter()
    last: dict[tuple[str, str, int, bool, bool], int] = {}
    for lead in leads:
        if lead.number is not None:
            followed[_key(lead)] += lead.number.last in (1, last.get(_key(lead), 0) + 1)
            last[_key(lead)] = lead.number.last
    return {
        id(cut(pages[lead.page], lead.item, 0, lead.stop, content.pages[lead.page]))
        for lead in leads
        if lead.number is None or followed[_key(lead)] >= _RunIn.FEWEST
    }


def _key(lead: _Lead) -> tuple[str, str, int, bool, bool]:
    number = lead.number
    scheme, mark, depth = (number.scheme, number.mark, number.depth) if number else ("", "", 0)
    return scheme, mark, depth, lead.look.bold, lead.look.italic


def _lead(page: int, item: Draft, source: PageContent) -> _Lead | None:
    line = source.lines[item.lines[0]]
    if not line.spans or not (line.spans[0].bold or line.spans[0].italic):
        return None
    stop = _lead_stop(item, line, source)
    title = item.text[:stop]
    if not stop or stop > _RunIn.LONGEST_LEAD or len(item.text) - stop < _RunIn.SHORTEST_REST:
        return None
    look = _start_look(line, item.look)
    if _ABSTRACT.fullmatch(title):
        return _Lead(page, item, stop, None, look)
    number = markers.numbering(title)
    if number is None or sum(letter.isalpha() for letter in number.title) < _RunIn.SHORTEST:
        return None
    return _Lead(page, item, stop, number, look)


def _lead_stop(item: Draft, line: TextLine, source: PageContent) -> int:
    """Return where the type a block starts in ends, on its first line; 0 when it goes on or ends without a stop."""
    first = line.spans[0]
    look = (first.bold, first.italic)
    same = next((at for at, span in enumerate(line.spans) if span.font != first.font), len(line.spans))
    offset = line.spans[same - 1].stop
    if same < len(line.spans):
        title = line.text[:offset].strip()
        is_set_off = title[-1:] in _STOPS or line.text[offset:].lstrip()[:1] in tuple("—–")
        return len(title) if is_set_off and item.text.startswith(title) else 0
    following = source.lines[item.lines[1]].spans if len(item.lines) > 1 else ()
    number = markers.numbering(line.text)
    goes_on = not following or (following[0].bold, following[0].italic) == look
    is_section = number is not None and number.depth > 1 and not line.text.rstrip().endswith((",", "-"))
    text = line.text.strip()
    return len(text) if is_section and not goes_on and item.text.startswith(text) else 0
