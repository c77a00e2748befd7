"""Where a heading begins and ends: cut out of the block it stands in, or joined from several blocks.

Cut out are titles that are looked for and run-in headings; joined are labels or numbers over their title, and titles
that wrap.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from octavo_documents.document import Kind
from octavo_documents.parsing.content import PageContent, SourceContent, TextLine
from octavo_documents.structuring import markers
from octavo_documents.structuring.drafts import Draft
from octavo_documents.structuring.headings.candidates import Candidate
from octavo_documents.structuring.lines import LineLook, box_around
from octavo_documents.structuring.markers import plain

_RUNNING = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.CAPTION, Kind.CODE, Kind.FORMULA)


class _RunIn:
    """Thresholds for a heading inside a block, in characters unless it says otherwise; chosen by hand."""

    # A tenth lower or higher moves no figure of 11 outlined and 75 generated documents (`benchmarks/ablation.py`).
    SHORTEST = 3  # letters of a title
    LONGEST_LEAD = 90  # characters of a run-in heading
    SHORTEST_REST = 20  # characters of the text it opens
    FEWEST = 3  # run-in headings that count on


_STOPS = ".:—–-"
_CLOSING = re.compile(r"[^\w\s(\[{“‘\"'•]*")
_ABSTRACT = re.compile(r"(?:abstract|summary)\s*[.:—–-]*\s*", re.I)
_COUNT = rf"(?:\d{{1,3}}[A-Z]?|[A-Z]|[IVXLC]{{1,7}}|{markers.NUMBER_WORD})"
_LABEL_WORD = r"(?:chapter|part|unit|module|lesson|section|appendix|annex|schedule|item|article|note)"
_LABEL = re.compile(rf"{_LABEL_WORD}\s+(?:{_COUNT}|\d{{1,2}}\.\d{{1,2}})\s*[.:]?", re.I)
_BARE_LABEL = re.compile(rf"{_LABEL_WORD}", re.I)
_NUMBER = re.compile(rf"{_COUNT}\s*[.:]?", re.I)


class _Join:
    """Thresholds for parts of one heading, in type sizes unless it says otherwise; chosen by hand."""

    # A tenth lower or higher moves no figure of 11 outlined and 75 generated documents (`benchmarks/ablation.py`).
    TITLE_SIZE = 1.12  # size of a title under a label, by the body's
    NUMBER_SIZE = 1.3  # size of a number that is a label, by the body's
    LONGEST = 140  # characters of a title
    FARTHEST = 6.0  # gap between a label and its title
    TIGHT = 0.35  # gap between the lines of one title
    LOOSE = 1.2  # gap between two lines of a title that is a sentence which goes on small
    LEVEL = 0.6  # difference of height on one line, by the label's height
    BESIDE = 8.0  # widest gap between a label and a title on its line


_TEXT = (Kind.PARAGRAPH, Kind.LIST_ITEM)


@dataclass(frozen=True, slots=True)
class _Lead:
    """A block that starts in another type than it goes on: `stop` is where in its text that start ends."""

    page: int
    item: Draft
    stop: int
    number: markers.Numbering | None
    look: LineLook


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
    title.kind, title.level, title.is_from_model = Kind.PARAGRAPH, 0, False
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
    box = box_around(*(line.box for line in lines))
    return replace(item, text=text, box=box, look=_start_look(lines[0], item.look), lines=tuple(rows), targets=[])


def _start_look(line: TextLine, usual: LineLook) -> LineLook:
    if not line.spans:
        return usual
    span = line.spans[0]
    return LineLook(span.size, span.bold, span.italic, span.color, span.monospace)


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
    """Return whether a title at the start of a line is set apart from what follows: by a stop or another font."""
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


def join_labels(pages: Sequence[list[Draft]], body: float) -> None:
    """Put labels ("Chapter 3", "THREE", "3") that stand over a title into the title; `body` is the body type size."""
    for page in pages:
        _join_beside(page, body)
        at = 0
        while at < len(page):
            count = _label_length(page, at, body)
            title = page[at + count] if count and at + count < len(page) else None
            if title is not None and _is_title(page[at + count - 1], title, body):
                _join(page[at : at + count], title)
                del page[at : at + count]
            at += 1


def _is_label(text: str) -> bool:
    return bool(_LABEL.fullmatch(text)) or markers.is_heading_label(text)


def _join_beside(page: list[Draft], body: float) -> None:
    """Put labels that stand left of a title, on its line ("ITEM 5." and the title in a column beside), into it."""
    for label in [item for item in page if item.kind in _TEXT and _is_label(item.text)]:
        beside = [item for item in page if _is_beside(label, item)]
        title = min(beside, key=lambda item: item.box[0], default=None)
        if title is not None and _is_title(label, title, body) and title.text[:1].isupper():
            _join([label], title)
            page.remove(label)


def _is_beside(label: Draft, item: Draft) -> bool:
    """Return whether a block starts on a label's line, right of it and near."""
    tall = label.box[3] - label.box[1]
    is_level = abs(item.box[1] - label.box[1]) < _Join.LEVEL * tall
    return item is not label and is_level and -tall < item.box[0] - label.box[2] < _Join.BESIDE * tall


def _label_length(page: Sequence[Draft], at: int, body: float) -> int:
    """Return how many blocks from `at` on are a label, 0 when none is."""
    item = page[at]
    if item.kind not in _TEXT or len(item.text) > 24:
        return 0
    if _is_label(item.text):
        return 1
    following = page[at + 1] if at + 1 < len(page) else None
    if _BARE_LABEL.fullmatch(item.text):
        return 2 if following is not None and _NUMBER.fullmatch(following.text) else 0
    is_large = item.look.size >= _Join.NUMBER_SIZE * body
    return 1 if is_large and item.text[:1].isdigit() and _NUMBER.fullmatch(item.text) else 0


def _is_title(label: Draft, title: Draft, body: float) -> bool:
    look, text, number = title.look, title.text, markers.numbering(title.text)
    gap = max(title.box[1] - label.box[3], label.box[1] - title.box[3])
    return (
        title.kind in _TEXT
        and (look.size >= _Join.TITLE_SIZE * body or (look.bold and look == label.look))
        and len(text) <= _Join.LONGEST
        and gap < _Join.FARTHEST * look.size
        and any(letter.isalpha() for letter in text)
        and (number is None or number.mark == ":")
        and not markers.bullet(text)
    )


def join_wrapped(found: Sequence[Candidate], pages: Sequence[list[Draft]]) -> list[Candidate]:
    """Put a heading that wraps into its first block and off its page; return the candidates that are left."""
    kept: list[Candidate] = []
    for candidate in found:
        page = pages[candidate.item.page]
        if kept and _wraps(kept[-1], candidate) and page.index(candidate.item) == page.index(kept[-1].item) + 1:
            page.remove(candidate.item)
            _merge([kept[-1].item, candidate.item], kept[-1].item)
        else:
            kept.append(candidate)
    return kept


def _wraps(first: Candidate, second: Candidate) -> bool:
    """Return whether two lines are of one heading: one style, tight, and the first set off from nothing."""
    above, below = first.item, second.item
    if above.page != below.page or first.style != second.style or second.number is not None:
        return False
    size = first.style.size
    reach = _Join.LOOSE if below.text[:1].islower() else _Join.TIGHT
    is_tight = -0.3 * size < below.box[1] - above.box[3] < reach * size
    is_centred = abs((above.box[0] + above.box[2]) - (below.box[0] + below.box[2])) < 2 * size
    is_left = abs(above.box[0] - below.box[0]) < 0.2 * size
    is_whole = len(above.text) + len(below.text) <= _Join.LONGEST and not above.text.endswith((".", "!", "?", ":"))
    return is_tight and is_whole and (is_centred or is_left)


def _join(labels: Sequence[Draft], title: Draft) -> None:
    _merge([*labels, title], title)


def _merge(parts: Sequence[Draft], title: Draft) -> None:
    title.text = " ".join(part.text for part in parts)
    title.lines = tuple(row for part in parts for row in part.lines)
    title.box = box_around(*(part.box for part in parts))
