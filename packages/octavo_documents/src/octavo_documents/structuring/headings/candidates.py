"""Which blocks stand out as headings, each judged by itself, and which lines stand as headings do.

The latter are alone, short, over running text, in a style that recurs in such places.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from octavo_documents.document import FURNITURE, Kind
from octavo_documents.parsing.content import Box, SourceContent
from octavo_documents.structuring import markers
from octavo_documents.structuring.drafts import Draft
from octavo_documents.structuring.lines import LineLook
from octavo_documents.structuring.markers import plain
from octavo_documents.text.label_names import is_notice_name
from octavo_documents.text.punctuation import COLONS, FULL_STOPS, JOINTS, SENTENCE_ENDS
from octavo_documents.text.raised import SUPERSCRIPTS


class _Evidence:
    """Evidence for a heading, added up to a score; chosen by hand and measured by `benchmarks/headings.py`."""

    # A tenth lower or higher moves no figure of 11 outlined and 75 generated documents (`benchmarks/ablation.py`).
    LONGEST = 180  # characters of a heading
    LONGEST_PLACED = 300  # characters of a sentence that stands where headings do
    MOST_LINES = 4  # lines of a heading
    ENOUGH_NUMBERED = 1.3  # score from which a block with a number is a candidate
    LETTERS = 0.4  # least share of letters
    LARGER = 1.06  # type size of what is larger than the body
    MOST_REPEATS = 8  # times that a heading's text may come in a document
    NOISE = 0.15  # share of broken blocks from which a text layer is read badly
    FEWEST_BROKEN = 8  # broken blocks from which a text layer is read badly
    VOUCHED = 3.0  # weight of other signs than its look
    PLACED = 1.5  # weight of a style that recurs where headings stand
    NAMED = 2.0  # weight of a table of contents that names it
    FROM_MODEL = 9.0  # score of what a layout model tells
    FEWEST_AUTHORS = 2  # names with marks from which a line lists authors


ENOUGH = 2.0
"""Score from which a block without a number is a candidate."""
_SIZES = ((1.3, 3.0), (1.12, 2.2), (1.06, 0.8), (0.93, 0.0), (0.8, -1.5), (-math.inf, -3.0))
"""What a type size speaks for a heading, by its ratio to the body's."""
_SYLLABLE = re.compile(r"[aeiouyAEIOUY\u00c0-\uffff]")
_SPOKEN = re.compile(
    r"[\"'“‘(]?(?=[^\W\d_]*[aeiouyAEIOUY\u00c0-\u024f])[^\W\d_]{2,}(?:[-’'/][^\W\d_]+)*[\"'”’).,:;?!]*"
)
_FIGURES = re.compile(rf"[\d\s.,:()$€£%/–—{SUPERSCRIPTS}-]*")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LABEL = re.compile(
    r"(?:figures?|tables?|charts?|exhibit|source|notes?|page|continued)\b[\s\d.:]*$|(?:dear|sincerely|yours)\b", re.I
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = rf"(?:(?:\d{{1,2}}[./-]){{2}}\d{{2,4}}|(?:\d{{1,2}}\s+)?{_MONTH}\s+(?:\d{{1,2}}(?:,\s*|\s+))?(?:\d{{4}})?)"
_DATE = re.compile(
    rf"(?:(?:for the )?(?:(?:fiscal|three|six|nine|twelve|\d+) )*(?:years?|months|quarters?|weeks|periods?) ended|"
    rf"(?:balances?,? )?(?:as )?(?:at|of)|balances?,?)?\s*{_DAY}(?:\s*(?:,|and|to|[–—-])\s*(?:{_DAY}|\d{{4}}))*",
    re.I,
)
_BRACKETED = re.compile(r"\([^()]*\)\W*")
_BLANK = re.compile(r"_{3,}")
_AUTHOR = re.compile(rf"[^\W\d_]{{2,}}\s?[\d{SUPERSCRIPTS}]+(?:\s?,\s?[\d{SUPERSCRIPTS}∗*†‡§])*\s?[,∗*†‡§]")
_CODE = re.compile(r"\\$|^[$˓→↳>]|[$#]\{|\(\);$|[{};]$|==|->|::")
_ADMONITION = re.compile(
    r"(?:note|notes|caution|warning|danger|attention|important|tip|hint|nota bene|n\.?b\.?|beware|reminder)\W*", re.I
)
_SECTION_NAME = re.compile(
    r"(?:abstract|introduction|background|related work|methods?|methodology|results|discussion|conclusions?|summary|"
    r"executive summary|references|bibliography|works cited|acknowledge?ments?|appendix|appendices|annex(?:es)?|"
    r"glossary|index|preface|foreword|prologue|epilogue|contents|table of contents|list of (?:figures|tables))\W*",
    re.I,
)
_CONTACT = re.compile(r"https?://|www\.|\S@\S+\.\S|^\(?\+?[\d\s().-]{7,}$")


@dataclass(frozen=True, slots=True)
class HeadingStyle:
    """A look coarse enough that the headings of one level share it. `size` is in points."""

    size: float
    bold: bool
    italic: bool
    caps: bool
    colored: bool

    @property
    def prominence(self) -> tuple[float, bool, bool, bool, bool]:
        """Sorts styles from the deepest to the highest."""
        return (self.size, self.caps, self.bold, self.colored, not self.italic)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A block that may be a heading, its style and section number, and how strong the evidence is."""

    item: Draft
    style: HeadingStyle
    number: markers.Numbering | None
    score: float
    vouched: bool = False
    """A table of contents names it, or other signs than its look speak for it."""
    is_placed: bool = False
    """Set in a style that recurs where headings stand."""


@dataclass(frozen=True, slots=True)
class Body:
    """How the document's running text is set."""

    size: float
    bold: bool
    caps: bool
    color: int


def body_of(drafts: Sequence[Draft]) -> Body:
    """Return the look of most characters of running text."""
    weights: Counter[tuple[float, bool, bool, int]] = Counter()
    for item in drafts:
        if item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM):
            look = item.look
            weights[_half(look.size), look.bold, is_caps(item.text), look.color] += len(item.text)
    if not weights:
        return Body(10.0, bold=False, caps=False, color=0)
    size, bold, caps, color = max(weights, key=lambda key: (weights[key], -key[0]))
    return Body(size, bold, caps, color)


def _half(size: float) -> float:
    return round(size * 2) / 2


def is_caps(text: str) -> bool:
    """Return whether a text is in capitals: at least four, and nearly no small letters."""
    if len(text) > _Evidence.LONGEST:
        return text.isupper()
    capitals = sum(map(str.isupper, text))
    return capitals >= 4 and capitals > 0.85 * sum(map(str.isalpha, text))


def is_section_name(text: str) -> bool:
    """Return whether sections of many documents have this title: "Introduction", "References"."""
    return bool(_SECTION_NAME.fullmatch(text))


def style_of(item: Draft, body: Body) -> HeadingStyle:
    """Return the style of a block."""
    look = item.look
    return HeadingStyle(
        size=_half(look.size),
        bold=look.bold,
        italic=look.italic,
        caps=is_caps(item.text),
        colored=look.color != body.color and is_saturated(look),
    )


def is_saturated(look: LineLook) -> bool:
    """Return whether a colour is neither black, grey nor white."""
    channels = (look.color >> 16 & 255, look.color >> 8 & 255, look.color & 255)
    return max(channels) - min(channels) > 40


def candidates(
    drafts: Sequence[Draft], body: Body, titles: Set[str], vouched: Set[int], standing: Set[int] = frozenset()
) -> list[Candidate]:
    """Return the blocks that look like headings by themselves, in order.

    `titles` are plain titles a table of contents names, `vouched` ids of blocks that other signs speak for, `standing`
    ids of blocks in a style that recurs where headings stand. What a layout model tells is a heading or none, as it
    says.
    """
    repeats = Counter(item.text for item in drafts)
    pages = max((item.page for item in drafts), default=0) + 1
    is_noisy = _is_noisy(drafts)
    found: list[Candidate] = []
    for item in drafts:
        if item.is_from_model:
            if item.kind == Kind.HEADING:
                found.append(
                    Candidate(
                        item, style_of(item, body), markers.numbering(item.text), _Evidence.FROM_MODEL, vouched=True
                    )
                )
            continue
        if not may_be_heading(
            item, longest=_Evidence.LONGEST_PLACED if id(item) in standing else _Evidence.LONGEST
        ) or _is_label(item, body, repeats[item.text], pages):
            continue
        if is_noisy and not _is_wordy(item.text):
            continue
        style, number = style_of(item, body), markers.numbering(item.text)
        score = _standing(style, body) + _wording(item, number, may_end=id(item) in standing)
        score += _Evidence.PLACED if id(item) in standing else 0.0
        named = plain(item.text) in titles or (number is not None and plain(number.title) in titles)
        score += (_Evidence.NAMED if named else 0.0) + (_Evidence.VOUCHED if id(item) in vouched else 0.0)
        if score >= (_Evidence.ENOUGH_NUMBERED if number else ENOUGH):
            found.append(Candidate(item, style, number, score, named or id(item) in vouched, id(item) in standing))
    return found


def _is_label(item: Draft, body: Body, repeats: int, pages: int) -> bool:
    """Return whether a text comes again and again: part of a form, or ("Example") a label in the size of the text."""
    is_large = item.look.size >= _Evidence.LARGER * body.size
    return repeats > (max(_Evidence.MOST_REPEATS, 0.25 * pages) if is_large else _Evidence.MOST_REPEATS)


def _is_noisy(drafts: Sequence[Draft]) -> bool:
    """Return whether a text layer was read badly: much of it short blocks that are neither words nor numbers."""
    blocks = [item.text for item in drafts if item.kind == Kind.PARAGRAPH]
    broken = sum(1 for text in blocks if not _SYLLABLE.search(text) and not _FIGURES.fullmatch(text))
    return broken >= _Evidence.FEWEST_BROKEN and broken > _Evidence.NOISE * len(blocks)


def _is_wordy(text: str) -> bool:
    """Return whether a text is made of words, by most of its characters."""
    words = [token for token in text.split() if _SPOKEN.fullmatch(token)]
    return 2 * sum(map(len, words)) >= len(text)


def may_be_heading(item: Draft, *, longest: int = _Evidence.LONGEST) -> bool:
    """Return whether a block of at most `longest` characters could be a heading at all, whatever its type."""
    text = item.text
    if item.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM) or not 2 <= len(text) <= longest:
        return False
    if len(item.lines) > _Evidence.MOST_LINES or markers.bullet(text):
        return False
    if _CODE.search(text) or not _has_words(text) or len(_AUTHOR.findall(text)) >= _Evidence.FEWEST_AUTHORS:
        return False
    if _DATE.fullmatch(text) or _BRACKETED.fullmatch(text) or _BLANK.search(text):
        return False
    if _LABEL.match(text) or _CONTACT.search(text) or _is_notice(text):
        return False
    return not text.endswith(JOINTS)


def _is_notice(text: str) -> bool:
    """Return whether a text heads a remark or a warning, and no section."""
    return _ADMONITION.fullmatch(text) is not None or is_notice_name(text.strip(" :.!"))


def _has_words(text: str) -> bool:
    """Return whether a text has words, not figures alone; a number of several parts vouches for one ("2.4 v1.0")."""
    number = markers.numbering(text)
    if number and number.depth > 1 and not number.word:
        return any(letter.isalpha() for letter in number.title)
    return bool(_WORD.search(text)) and sum(letter.isalpha() for letter in text) >= _Evidence.LETTERS * len(text)


def _standing(style: HeadingStyle, body: Body) -> float:
    ratio = style.size / max(body.size, 1.0)
    score = next(worth for least, worth in _SIZES if ratio >= least)
    score += 2.2 if style.bold and not body.bold else 0.0
    score += 1.4 if style.caps and not body.caps else 0.0
    score += 1.0 if style.colored else 0.0
    return score + (0.6 if style.italic else 0.0)


def _wording(item: Draft, number: markers.Numbering | None, *, may_end: bool) -> float:
    """Return what the words of a block speak for or against a heading; `may_end`: headings here may be sentences."""
    text = item.text
    score = 0.0
    if number and (number.title or not number.word):
        score += 1.5 if number.depth > 1 or number.word else 0.8
    elif text[:1].islower():
        score -= 2.5
    if is_section_name(text):
        score += 1.0
    if text.endswith(FULL_STOPS) and not may_end and not (number and len(text) < 60 and text.endswith(".")):
        score -= 1.6
    if text.endswith(COLONS):
        score -= 1.0
    if len(text) > 90 and not may_end:
        score -= 1.0
    if len(item.lines) > 2 and not may_end:
        score -= 0.8
    return score


class _Place:
    """Thresholds for the place of a heading, chosen by hand; lengths are in points unless they say otherwise."""

    # A tenth lower or higher moves no figure of 11 outlined and 75 generated documents (`benchmarks/ablation.py`).
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


_Setting: TypeAlias = tuple[HeadingStyle, bool]


def underlined(pages: Sequence[Sequence[Draft]], content: SourceContent) -> set[int]:
    """Return ids of short blocks of one line that have a rule of their own width right under their letters."""
    found: set[int] = set()
    for page, source in zip(pages, content.pages, strict=True):
        rules = [graphic.box for graphic in source.graphics if graphic.box[3] - graphic.box[1] < 2.0]
        if rules:
            found.update(id(item) for item in page if len(item.lines) == 1 and _has_rule(item, rules))
    return found


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
    return len(item.text) < _Place.SHORTEST_TEXT and item.text[0].isupper() and not item.text.endswith(SENTENCE_ENDS)


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
        sentences = [item for item in items if item.text.endswith(SENTENCE_ENDS)]
        if len(items) >= _Place.FEWEST:
            found.update({id(item) for item in items} - {id(item) for item in sentences})
        if len(sentences) >= _Place.FEWEST_SENTENCES and setting[0].bold and not _conclude(sentences, content, body):
            found.update(map(id, sentences))
    return found


def _conclude(sentences: Sequence[Draft], content: Sequence[Draft], body: Body) -> bool:
    """Return whether sentences end what titles open: titles part them, and not one stands right under a title."""
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
    """Return whether a short block differs from the body's type and stands right over running text."""
    style, is_lined = setting
    is_other = is_lined or style.italic or (style.bold and not body.bold) or (style.caps and not body.caps)
    if not is_other or not item.text[:1].isupper() or not _is_short(item, style):
        return False
    if below is None or not _is_text(below) or style_of(below, body) == style:
        return False
    gap = below.box[1] - item.box[3]
    is_ended = len(item.lines) > 1 or item.box[2] < below.box[2] - 2 * item.look.size
    return -item.look.size < gap < _Place.CLOSE * item.look.size and is_ended and _is_aligned(item.box, below.box)


def _is_short(item: Draft, style: HeadingStyle) -> bool:
    if style.bold and item.text.endswith(SENTENCE_ENDS):
        return len(item.lines) <= _Place.MOST_LINES_OF_SENTENCE and len(item.text) <= _Place.LONGEST_SENTENCE
    return len(item.lines) <= _Place.MOST_LINES and len(item.text) <= _Place.LONGEST


def _is_text(item: Draft) -> bool:
    return item.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and len(item.text) >= _Place.SHORTEST_TEXT


def _is_aligned(box: Box, below: Box) -> bool:
    return abs(box[0] - below[0]) < _Place.INDENT or abs(box[0] + box[2] - below[0] - below[2]) < 2 * _Place.SAME_EDGE
