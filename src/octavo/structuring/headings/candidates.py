"""Which blocks stand out as headings, each judged by itself."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from octavo.document import Kind
from octavo.structuring import markers
from octavo.structuring.drafts import Draft
from octavo.structuring.lines import Look
from octavo.structuring.markers import plain


class _Evidence:
    """Evidence for a heading, added up to a score; chosen by hand and measured by `benchmarks/headings.py`."""

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
_FIGURES = re.compile(r"[\d\s.,:()$€£%/–—-]*")
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
_AUTHOR = re.compile(r"[^\W\d_]{2,}\s?\d(?:\s?,\s?[\d∗*†‡§])*\s?[,∗*†‡§]")
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
class Style:
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
    style: Style
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
    """Tell a text in capitals: at least four, and nearly no small letters."""
    if len(text) > _Evidence.LONGEST:
        return text.isupper()
    capitals = sum(map(str.isupper, text))
    return capitals >= 4 and capitals > 0.85 * sum(map(str.isalpha, text))


def is_section_name(text: str) -> bool:
    """Tell a title that sections of many documents have: "Introduction", "References"."""
    return bool(_SECTION_NAME.fullmatch(text))


def style_of(item: Draft, body: Body) -> Style:
    """Return the style of a block."""
    look = item.look
    return Style(
        size=_half(look.size),
        bold=look.bold,
        italic=look.italic,
        caps=is_caps(item.text),
        colored=look.color != body.color and is_saturated(look),
    )


def is_saturated(look: Look) -> bool:
    """Tell a colour that is neither black, grey nor white."""
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
    """Tell a text that comes again and again: part of a form, or ("Example") a label in the size of the text."""
    is_large = item.look.size >= _Evidence.LARGER * body.size
    return repeats > (max(_Evidence.MOST_REPEATS, 0.25 * pages) if is_large else _Evidence.MOST_REPEATS)


def _is_noisy(drafts: Sequence[Draft]) -> bool:
    """Tell a text layer read badly: much of it short blocks that are neither words nor numbers."""
    blocks = [item.text for item in drafts if item.kind == Kind.PARAGRAPH]
    broken = sum(1 for text in blocks if not _SYLLABLE.search(text) and not _FIGURES.fullmatch(text))
    return broken >= _Evidence.FEWEST_BROKEN and broken > _Evidence.NOISE * len(blocks)


def _is_wordy(text: str) -> bool:
    """Tell a text made of words, by most of its characters."""
    words = [token for token in text.split() if _SPOKEN.fullmatch(token)]
    return 2 * sum(map(len, words)) >= len(text)


def may_be_heading(item: Draft, *, longest: int = _Evidence.LONGEST) -> bool:
    """Tell whether a block of at most `longest` characters could be a heading at all, whatever its type."""
    text = item.text
    if item.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM) or not 2 <= len(text) <= longest:
        return False
    if len(item.lines) > _Evidence.MOST_LINES or markers.bullet(text):
        return False
    if _CODE.search(text) or not _has_words(text) or len(_AUTHOR.findall(text)) >= _Evidence.FEWEST_AUTHORS:
        return False
    if _DATE.fullmatch(text) or _BRACKETED.fullmatch(text) or _BLANK.search(text):
        return False
    if _LABEL.match(text) or _CONTACT.search(text) or _ADMONITION.fullmatch(text):
        return False
    return not text.endswith((",", ";"))


def _has_words(text: str) -> bool:
    """Tell words from figures; a number of several parts vouches for a title that is hardly a word ("2.4 v1.0")."""
    number = markers.numbering(text)
    if number and number.depth > 1 and not number.word:
        return any(letter.isalpha() for letter in number.title)
    return bool(_WORD.search(text)) and sum(letter.isalpha() for letter in text) >= _Evidence.LETTERS * len(text)


def _standing(style: Style, body: Body) -> float:
    """Return how far a style stands out from the body."""
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
    if text.endswith(".") and not may_end and not (number and len(text) < 60):
        score -= 1.6
    if text.endswith(":"):
        score -= 1.0
    if len(text) > 90 and not may_end:
        score -= 1.0
    if len(item.lines) > 2 and not may_end:
        score -= 0.8
    return score
