"""How a question speaks of a document's parts: what it wants seen, counts or lists, and the document as a whole."""

from __future__ import annotations

import enum
import re

from octavo.question.words import COLOURS, DOCUMENT
from octavo.text.things import CHARTS, FIGURES, TABLES, KindName


class About(enum.Enum):
    """What is asked of a document as such; its structure tells it."""

    LENGTH = "length"
    PARTS = "parts"
    GIST = "gist"
    """What it is, or what it is about."""
    ORIGIN = "origin"
    """Who made it, its title, or its date."""
    WHICH = "which"
    """Which of several documents speak of something."""


_SHOWN: tuple[tuple[bool, str], ...] = (
    (
        True,
        r"headers?|footers?|font|highlighted|underlined|bold|italic|margins?|(?:cover|title) page|table of contents"
        r"|how many (?:\w+ )?(?:pages|slides|chapters|sections|subsections|tables|figures|charts|appendices)"
        r"|(?:top|bottom|left|right|middle|cent(?:er|re)) (?:of|side of|corner of) (?:the )?(?:page|slide)"
        r"|subsections?|which (?:pages?|chapters?|sections?)",
    ),
    (False, rf"{TABLES}|tabular|rows?|columns?|cells?|balance sheet|income statement|cash flow statement"),
    (
        True,
        rf"{CHARTS}|{FIGURES}|fig|illustrat\w+|{COLOURS}|arrows?|bars?|legend|axis|wearing|shapes?|drawn|depict\w*",
    ),
)
_SAYS_SHOWN = tuple((is_seen, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for is_seen, words in _SHOWN)
"""Words for the look of a page, for tables, and for what figures show; whether such things are seen or read."""
_PICTURED = re.compile(rf"\b(?:{FIGURES}|{CHARTS})\b", re.IGNORECASE)
_TABLES = re.compile(rf"\b(?:{TABLES})\b", re.IGNORECASE)
_FIGURES = re.compile(r"\bfigures?\b", re.IGNORECASE)
_PICTURES = re.compile(rf"\b(?:{FIGURES})\b", re.IGNORECASE)

_COUNTS_PAGES = re.compile(
    r"\b(?:how many|number of|count(?: of)?(?: all)?(?: the)?) (?:\w+ )?(?:pages|slides)\b", re.I
)
_LISTS_PAGES = re.compile(r"\b(?:which|what|all(?: the)?) (?:pages|slides)\b", re.I)
_SORTS = re.compile(r"\b(?:types?|kinds?|sorts?) of\b", re.IGNORECASE)
_BY_PLACE = re.compile(r"\b(?:first|last|initial|opening)\s+(?:\w+\s+)?(?:pages|slides)\b", re.IGNORECASE)
_SUBSECTIONS = re.compile(r"\bsub-?(?:section|heading|chapter)s?\b", re.IGNORECASE)
_SECTIONS = re.compile(r"\b(?:chapter|section|part)s?\b", re.IGNORECASE)

_NOUN = rf"(?:{DOCUMENT}|guide|slide deck|thesis|study|publication|contract|policy)"
_THIS = rf"(?:this|it|the|these)(?: (?:whole|entire))?(?: {_NOUN})?"
_ABOUT: tuple[tuple[About, re.Pattern[str]], ...] = (
    (
        About.LENGTH,
        re.compile(
            rf"\bhow (?:many pages|long) (?:is|are|does|do|has) {_THIS}(?: have| contain)?\W*$"
            rf"|\bhow many pages are (?:there(?: in {_THIS})?|in {_THIS})\W*$"
            rf"|^\W*(?:what is |what's )?(?:the )?(?:total )?number of pages(?: (?:of|in) {_THIS})?\W*$",
            re.I,
        ),
    ),
    (
        About.PARTS,
        re.compile(
            r"\b(?:what|which) are (?:the |its )?(?:main |major )?(?:parts|sections|chapters)"
            rf"(?: (?:of|in) {_THIS})?\W*$"
            rf"|\bhow is {_THIS} (?:structured|organi[sz]ed|divided)\W*$|\b(?:outline|structure) of {_THIS}\W*$",
            re.I,
        ),
    ),
    (
        About.GIST,
        re.compile(
            rf"\bwhat(?:'s|’s| is| are| does)? {_THIS} (?:all )?(?:about|deal with|cover|say)\W*$"
            rf"|\bwhat(?:'s|’s| is| are) (?:this|these)(?: {_NOUN})?\W*$"
            r"|^\W*(?:please )?(?:give me |write )?(?:an? |the )?(?:short |brief )?(?:summar(?:y|i[sz]e)|overview)"
            rf"(?: (?:of )?{_THIS})?\W*$",
            re.I,
        ),
    ),
    (
        About.ORIGIN,
        re.compile(
            r"\bwho (?:wrote|made|created|prepared|published|authored|put together|produced)"
            rf" (?:this|these|the {_NOUN})(?: {_NOUN})?\W*$"
            rf"|\bwho put (?:this|these|the {_NOUN})(?: {_NOUN})? together\W*$"
            rf"|\bwho (?:is|are) the authors?(?: of {_THIS})?\W*$"
            rf"|\b(?:what is |what's )?the title(?: of {_THIS})?\W*$"
            rf"|\bwhen was {_THIS} (?:written|published|released|issued|made|created)\W*$",
            re.I,
        ),
    ),
    (
        About.WHICH,
        re.compile(
            r"\b(?:which|what) (?:of (?:the|these|my|our) )?(?:documents|papers|files|reports|books|manuals|articles)\b"
            r"(?=.*\b(?:about|on|mention|discuss|cover|deal|talk|speak|describe|contain|have|use)\b)",
            re.I,
        ),
    ),
)


def asks_to_see(question: str) -> bool:
    """Tell whether a question asks for something that is seen rather than read, by what it has most words for."""
    counts = [(len(pattern.findall(question)), is_seen) for is_seen, pattern in _SAYS_SHOWN]
    most, is_seen = max(counts, key=lambda one: one[0])
    return most > 0 and is_seen


def kinds_pictured(question: str) -> tuple[KindName, ...]:
    """Return figures and charts where a question speaks of either, and tables where it speaks of these."""
    shown: tuple[KindName, ...] = ("figure", "chart") if _PICTURED.search(question) else ()
    return (*shown, "table") if _TABLES.search(question) else shown


def says_figures(question: str) -> bool:
    """Tell whether a question says "figure", which charts are too."""
    return _FIGURES.search(question) is not None


def says_pictures(question: str) -> bool:
    """Tell whether a question speaks of figures, photographs and the like, not of charts alone."""
    return _PICTURES.search(question) is not None


def counts_pages(question: str) -> bool:
    """Tell whether pages are counted: "how many pages have a table"."""
    return _COUNTS_PAGES.search(question) is not None


def lists_pages(question: str) -> bool:
    """Tell whether pages are listed: "which pages have a table"."""
    return _LISTS_PAGES.search(question) is not None


def asks_for_sorts(question: str) -> bool:
    """Tell whether a question is about sorts of things, not things: "how many types of chart"."""
    return _SORTS.search(question) is not None


def pages_by_place(question: str) -> bool:
    """Tell whether pages are counted from an end: "the first ten pages"."""
    return _BY_PLACE.search(question) is not None


def says_subsections(question: str) -> bool:
    """Tell whether a question speaks of subsections."""
    return _SUBSECTIONS.search(question) is not None


def says_chapters(question: str) -> bool:
    """Tell whether a question speaks of chapters."""
    return "chapter" in question.lower()


def says_sections(question: str) -> bool:
    """Tell whether a question speaks of chapters, sections or parts."""
    return _SECTIONS.search(question) is not None


def about_documents(question: str) -> frozenset[About]:
    """Return what is asked of a document as such; nothing for a question about what stands in it."""
    return frozenset(about for about, pattern in _ABOUT if pattern.search(question))
