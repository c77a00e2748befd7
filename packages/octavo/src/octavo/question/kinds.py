"""What kind of question it is: how far it reaches, what is done with which things, how it speaks of the document."""

from __future__ import annotations

import enum
import re

from octavo.evidence import Operation, Reach
from octavo.question.names import phrases, quoted
from octavo.question.parts import split
from octavo.question.references import names_one_place, unread
from octavo.question.words import COLOURS, DOCUMENT, FRAME, without_examples
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.things import CHARTS, FIGURES, TABLES, THING, KindName, kinds_named

_A_DOCUMENT = rf"(?:(?:whole|entire|full|present)\s+)?(?:{DOCUMENT})s?"
_THINGS = rf"(?P<things>(?:[\w'-]+\s+){{0,3}}?(?:{THING})(?:(?:\s+and|\s*,|\s+or)\s+(?:{THING}))*)"
_FOUND_IN = (
    rf"(?:\b(?:in|throughout|across|within|over)\s+(?:the|this|these|all)\s+(?:the\s+)?{_A_DOCUMENT}"
    rf"|\b(?:does|do|did)\s+(?:the|this|these)\s+{_A_DOCUMENT}\s+\w+|\bin\s+(?:total|all)\b)"
)
_CUES: tuple[tuple[Operation, str], ...] = (
    (
        Operation.SUMMARIZE,
        rf"\bsummari[sz]e\b|\b(?:give|write|provide)\b.*\b(?:summary|overview)\b|\bmain\s+(?:idea|topic|points?|message"
        rf"|findings|takeaways?)\s+of\s+(?:the|this)\s+(?:{_A_DOCUMENT}|chapter|section)|\bwhat\s+is\s+(?:the|this)\s+{_A_DOCUMENT}"
        r"\s+about\b",
    ),
    (Operation.COUNT, rf"\b(?:how\s+many|number\s+of|count(?:\s+of)?(?:\s+all)?(?:\s+the)?)\s+{_THINGS}(?<=s)\b"),
    (Operation.COUNT, r"\bhow\s+many\s+(?:pages|slides)\s+(?:contain|have|include|show|mention|are\s+about)\b"),
    (
        Operation.LIST,
        rf"\b(?:list|enumerate|name)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:(?:titles?|names?|pages?|labels?|captions?)\s+(?:of|with)"
        rf"\s+(?:all\s+)?(?:the\s+)?)?{_THINGS}(?<=s)\b",
    ),
    (
        Operation.LIST,
        rf"\b(?:what|which)\s+(?:(?:types?|kinds?)\s+of\s+)?{_THINGS}(?<=s)\s+(?:are|were|do|have|show|contain|mention)\b",
    ),
    (
        Operation.LIST,
        r"\b(?:list|enumerate|name)\s+all\b(?!\s+of\s+(?:them|these|those))|\bon\s+which\s+pages\b|\ball\s+(?:the\s+)?pages\s+(?:on|in|where|that)\b",
    ),
    (
        Operation.COUNT,
        rf"\bhow\s+many\s+(?:(?!\b(?:of|more|less|fewer)\b)[\w'-]+\s+){{1,3}}?(?:are|were|is)\b.*{_FOUND_IN}",
    ),
    (
        Operation.COUNT,
        rf"\bhow\s+many\s+(?:(?!\b(?:of|more|less|fewer)\b)[\w'-]+\s+){{1,3}}?(?:does|do|did)\s+(?:the|this|these)\s+{_A_DOCUMENT}\b",
    ),
    (Operation.ANALYZE, rf"\b(?:throughout|across)\s+(?:the|this|all)\s+(?:the\s+)?{_A_DOCUMENT}"),
)
_GLOBAL: tuple[tuple[Operation, re.Pattern[str]], ...] = tuple(
    (operation, re.compile(pattern, re.IGNORECASE)) for operation, pattern in _CUES
)
"""What is said of things to be gone through, tried in order."""
_EVERY = lazy_regex(
    rf"\b(?:all|every|each)\s+(?:of\s+)?(?:the\s+|these\s+)?(?:[\w'-]+\s+){{0,2}}?"
    rf"(?P<things>(?:{THING})(?:\s+and\s+(?:{THING}))?)\b",
    re.IGNORECASE,
)
"""Words for all things of a kind: "among all charts", "each of the bar charts"."""


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
_FIGURES = lazy_regex(r"\bfigures?\b", re.IGNORECASE)
_PICTURES = lazy_regex(rf"\b(?:{FIGURES})\b", re.IGNORECASE)
_ASIDE = lazy_regex(r"\([^()]*\)")
_COUNTS_PAGES = lazy_regex(
    r"\b(?:how many|number of|count of)(?: all)?(?: of)?(?: the)? (?:\w+ )?(?:pages|slides)\b"
    r"|\bcount(?: all)?(?: of)?(?: the)? (?:\w+ )?(?:pages|slides)\b(?!\s+(?:\d|from\b|start|begin|as\b|by\b))",
    re.I,
)
"""How many pages; not how they are numbered: "count PDF pages 1 to 15", "counting pages from the cover"."""
_LISTS_PAGES = lazy_regex(
    r"\b(?:which|what|all)(?: of)?(?: (?:the|these|those|its|this))?"
    r"(?: (?!(?:on|in|at|to|for|from|with|and|or|of|are|is|has|have|does?)\b)[\w'’-]+)?(?: \w+['’]s?)?"
    r" (?:pages|slides)\b",
    re.I,
)
_ON_EACH = lazy_regex(
    r"\b(?:(?:on|in|per|for|of)\s+(?:each|every)|per\s+\w+|each\s+(?:page|slide)|respectively)\b", re.I
)
_STANDS = lazy_regex(
    r"\b(?:which|what|whose|the)\s+(?:\w+\s+)?(?:pages?|chapters?|sections?|parts?|append(?:ix|ices)|annex(?:es)?"
    r"|headings?|slides?)\s+(?:is|are|does|do|tells?|says?|has|have|covers?|explains?|describes?|deals?|number|of)\b"
    r"|\b(?:table|list) of contents\b|\bwhere\b.*\b(?:find|read|described|explained|covered|discussed|treated)\b"
    r"|\bwelche[mnrs]? (?:seiten?|kapitel|abschnitt)|\binhaltsverzeichnis\b|\bquel(?:le)? (?:page|chapitre|section)\b"
    r"|\bqué (?:página|capítulo|sección)|\b(?:quale|che) (?:pagina|capitolo|sezione)|\bwelke? (?:pagina|hoofdstuk)",
    re.IGNORECASE,
)
_SORTS = lazy_regex(r"\b(?:types?|kinds?|sorts?) of\b", re.IGNORECASE)
_BY_PLACE = lazy_regex(r"\b(?:first|last|initial|opening)\s+(?:\w+\s+)?(?:pages|slides)\b", re.IGNORECASE)
_SUBSECTIONS = lazy_regex(r"\bsub-?(?:section|heading|chapter)s?\b", re.IGNORECASE)
_SECTIONS = lazy_regex(r"\b(?:chapter|section|part)s?\b", re.IGNORECASE)
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
    """Return whether a question asks for something that is seen rather than read, by what it has most words for."""
    counts = [(len(pattern.findall(question)), is_seen) for is_seen, pattern in _SAYS_SHOWN]
    most, is_seen = max(counts, key=lambda one: one[0])
    return most > 0 and is_seen


def says_figures(question: str) -> bool:
    """Return whether a question says "figure", which charts are too."""
    return _FIGURES.search(question) is not None


def says_pictures(question: str) -> bool:
    """Return whether a question speaks of figures, photographs and the like, not of charts alone."""
    return _PICTURES.search(question) is not None


def counts_pages(question: str) -> bool:
    """Return whether pages are counted: "how many pages have a table"; what stands in parentheses counts nothing."""
    return _COUNTS_PAGES.search(on_one_line(_ASIDE.sub(" ", question))) is not None


def lists_pages(question: str) -> bool:
    """Return whether pages are listed: "which pages have a table", "on which of the PDF pages"."""
    return _LISTS_PAGES.search(question) is not None


def asks_where_it_stands(question: str) -> bool:
    """Return whether a question asks in which part or on which page something stands, or for the list of contents."""
    return _STANDS.search(question) is not None


def asks_for_each(question: str) -> bool:
    """Return whether a number is asked for of each page or thing: "how many on each", "per page"."""
    return _ON_EACH.search(question) is not None


def asks_for_sorts(question: str) -> bool:
    """Return whether a question is about sorts of things, not things: "how many types of chart"."""
    return _SORTS.search(question) is not None


def pages_by_place(question: str) -> bool:
    """Return whether pages are counted from an end: "the first ten pages"."""
    return _BY_PLACE.search(question) is not None


def says_subsections(question: str) -> bool:
    """Return whether a question speaks of subsections."""
    return _SUBSECTIONS.search(question) is not None


def says_chapters(question: str) -> bool:
    """Return whether a question speaks of chapters."""
    return "chapter" in question.lower()


def says_sections(question: str) -> bool:
    """Return whether a question speaks of chapters, sections or parts."""
    return _SECTIONS.search(question) is not None


def about_documents(question: str) -> frozenset[About]:
    """Return what is asked of a document as such; nothing for a question about what stands in it."""
    return frozenset(about for about, pattern in _ABOUT if pattern.search(question))


def reach_of(question: str) -> Reach:
    """Return how far a question reaches: global where it goes through things, multi-hop where it comes apart."""
    if operation_of(question) is not None:
        return Reach.GLOBAL
    return Reach.MULTI if len(split(question).retrieval) > 1 else Reach.SINGLE


def operation_of(question: str) -> Operation | None:
    """Return what is done with all things of a kind; None for a question that one or a few places answer."""
    if names_one_place(question):
        return None
    return next((operation for operation, pattern in _GLOBAL if pattern.search(question)), None)


def kinds_asked(question: str) -> tuple[KindName, ...]:
    """Return the kinds of block that a question goes through, by the words after "how many", "list all", "which"."""
    found = next(filter(None, (_things(pattern, question) for _, pattern in _GLOBAL)), None)
    return kinds_named(found["things"]) if found else ()


def goes_through_all(question: str) -> bool:
    """Return whether a question is about all things of a kind: counts or lists them, or speaks of all of them."""
    return operation_of(question) is not None or _EVERY.search(question) is not None


def kinds_gone_through(question: str) -> tuple[KindName, ...]:
    """Return the kinds of block all of which a question is about: those it counts or lists, or says "all" of."""
    if operation_of(question) is not None:
        return kinds_asked(question)
    every = _EVERY.search(question)
    return kinds_named(every["things"]) if every else ()


def topic(question: str) -> str:
    """Return what things must be about, "" when the question wants them all."""
    plain = without_examples(unread(question))
    found = next(filter(None, (_things(pattern, plain) for _, pattern in _GLOBAL)), None)
    if found:
        described, _, _ = found["things"].rpartition(" ")
        plain = f"{plain[: found.start('things')]}{described} {plain[found.end('things') :]}"
    told = [phrase for phrase in phrases(plain) if set(analyze(phrase)) - FRAME]
    return ", ".join(dict.fromkeys([*quoted(question), *told]))


def _things(pattern: re.Pattern[str], question: str) -> re.Match[str] | None:
    return pattern.search(question) if "things" in pattern.groupindex else None
