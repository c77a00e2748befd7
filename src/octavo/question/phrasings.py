"""Whole references as they are phrased: numbered, by position, told from something else, by title.

One pattern for each way of phrasing. They are long, and most questions point at nothing, so each is compiled when it
is first used.
"""

from __future__ import annotations

import re
from functools import cached_property

from octavo.text.things import NAME, NAMES, NUMBER
from octavo.text.values import NUMBER_WORDS

SEEN = (
    r"(?:tables?|figures?|charts?|graphs?|plots?|diagrams?|images?|pictures?|photos?|maps?|equations?|text|paragraphs?)"
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
_SPELLED = sorted((word for word, number in NUMBER_WORDS.items() if number), key=len, reverse=True)
SPELLED = rf"(?:{'|'.join(_SPELLED)})\b"
ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th))"
LAST = r"(?:very last|last|final|closing|concluding)"
BACK = (
    rf"(?:(?:{ORDINAL})[\s-]+(?:to[\s-]+|from[\s-]+)?(?:the[\s-]+)?last|last[\s-]but[\s-]one|penultimate"
    r"|next[\s-]to[\s-](?:the[\s-])?last)"
)
OPENING = r"(?:very first|opening|initial)"
POSITION = rf"(?:{BACK}|{LAST}|{OPENING}|{ORDINAL})"


class Late:
    """A pattern that is compiled when it is first used."""

    def __init__(self, source: str, flags: re.RegexFlag) -> None:
        self._source = source
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, ready."""
        return re.compile(self._source, self._flags)


PAGE = f"(?:{NAMES['page']})"
PLACED = rf"(?:{PAGE}|{SEEN}|{NAMES['section']}|{NAMES['chapter']}|{NAMES['appendix']})"
PARTS = (
    r"(?:table of contents|executive summary|list of (?:figures|tables|references)|works cited"
    r"|bibliography|references"
    r"|introduction|conclusions?|abstract|appendix|appendices|annex|glossary|preface|foreword|acknowledge?ments?"
    r"|methods|methodology|results|discussion|related works?|index page)"
)
_FILLER = r"[\s-]*(?:(?:numbers?|nos?\.|no|#|№)\s*)?"
_ONE = rf"\(?{NUMBER}\)?"
_SIDE = r"(?:[a-h]|[ivx]{1,4}|left|right|top|bottom|middle|center|centre|upper|lower)"
_PART = rf"(?:\s?\({_SIDE}(?:\s?[,&-]\s?{_SIDE})*\))"
_TO = r"\s*(?:-|–|—|\b(?:up\s+)?to\b|\bthrough\b|\bthru\b|\buntil\b)\s*"
_AND = r"\s*(?:,\s*(?:and\b|or\b|&)|\band\b|\bor\b|&)\s*"
_MORE = rf"(?:(?:{_AND}|{_TO}(?:(?P=noun)\s*)?|\s*(?P<comma>,)\s*){_ONE}{_PART}?)*"

_POSITIONED = rf"{POSITION}\s+(?:(?:bar|pie|line|flow|main|full|cover)\s+)?{PLACED}\b"
_QUOTED = r"[\"“‘'][^\"”’']{2,80}[\"”’']"
ANCHOR = (
    rf"(?:(?:the\s+)?(?:{NAME}{_FILLER}{_ONE}{_PART}?(?!\w)|{_POSITIONED}|{PARTS}\b"
    rf"|(?:section|chapter)\s+(?:(?:titled|called|named|on|about)\s+)?{_QUOTED}))"
)
INSIDE = Late(rf"\s*,?\s+(?:of|in|from|within)\s+(?P<anchor>{ANCHOR})", re.I)

NUMBERED = Late(
    rf"(?P<between>\bbetween\s+(?:the\s+)?)?(?<![\w.-])(?P<noun>{NAME}){_FILLER}(?P<numbers>{_ONE}{_PART}?{_MORE})",
    re.I,
)
SPELLED_NUMBER = Late(rf"\b(?P<noun>{NAME})\s+(?:number\s+)?(?P<spelled>{SPELLED})", re.I)
PIECE = Late(rf"(?P<to>{_TO})?(?P<and>{_AND})?(?:{NAME}\s*)?\(?(?<!\w)(?P<number>{NUMBER})\)?(?P<part>{_PART})?", re.I)

COUNTED = Late(
    rf"\b(?P<end>first|{OPENING}|{LAST})\s+(?P<count>\d{{1,3}}|{SPELLED})\s+(?:\w+\s+)?(?P<noun>{PLACED})\b", re.I
)
POSITIONED = Late(
    rf"\b(?P<position>{POSITION})\s+(?:(?:and|or|&)\s+(?:the\s+)?(?P<other>{POSITION})\s+)?"
    rf"(?:(?:bar|pie|line|flow|main|full|cover|body)\s+)?(?P<noun>{PLACED})\b(?!\s*\d)",
    re.I,
)
AT_PLACE = Late(rf"\b(?P<noun>{PAGE})\s+(?:at|that\s+is|which\s+is)\s+(?:the\s+)?(?P<position>{POSITION})\b", re.I)
BEFORE_LAST = Late(rf"\b(?P<noun>{PLACED})\s+before\s+the\s+(?:{LAST})(?:\s+(?:one|{PLACED}))?\b", re.I)
_OF_THIS = (
    r"(?!\s+of\s+(?!(?:the|this|our)\s+(?:document|report|paper|book|slides?|deck|brochure|guidebook|manual|pdf)))"
)
FRONT = Late(rf"\b(?:front\s+cover|(?:cover|title|front)\s+{PAGE}|(?:on|at)\s+the\s+cover)\b{_OF_THIS}", re.I)
BACK_COVER = Late(rf"\bback\s+(?:cover|page)\b{_OF_THIS}", re.I)

_CLOSE = (
    r"(?:(?:immediately|directly|right|just|shown|given|that|which|is|are|comes?|appears?|follows?|placed)\s+){0,4}"
)
_TURNED = r"(?:next|following|previous|preceding|prior|same|facing|opposite)"
PAGES_FROM = Late(
    rf"\b(?:(?P<count>\d{{1,2}}|{SPELLED})\s+)?(?:(?P<turned>{_TURNED})\s+)?(?P<noun>{PAGE})\s+{_CLOSE}"
    rf"(?P<side>after|before|following|preceding|as|to)\s+(?P<anchor>{ANCHOR})",
    re.I,
)
THING_ON_PAGE = Late(
    rf"\b(?P<noun>{SEEN})\s+{_CLOSE}(?:on|at|in)\s+the\s+(?P<turned>{_TURNED})\s+{PAGE}\s+"
    rf"(?:after|before|following|preceding|as|from|to|of)\s+(?P<anchor>{ANCHOR})",
    re.I,
)
THING_BESIDE = Late(
    rf"\b(?P<noun>{SEEN})\s+{_CLOSE}(?P<side>after|before|following|preceding|below|above|beneath|under|underneath"
    rf"|next\s+to|beside|to\s+the\s+(?:left|right)\s+of)\s+(?P<anchor>{ANCHOR})",
    re.I,
)

_TITLED_NOUN = r"(?P<noun>(?:sub)?sections?|chapters?|appendix)"
TITLE_AFTER = Late(
    rf"\b{_TITLED_NOUN}\s+(?:(?:titled|called|named|headed|entitled|on|about)\s+)?[\"“‘'](?P<title>[^\"”]{{2,100}}?)[\"”’'](?!\w)",
    re.I,
)
TITLE_BEFORE = Late(rf"[\"“](?P<title>[^\"”]{{2,100}})[\"”]\s+{_TITLED_NOUN}\b", re.I)
TITLE_CAPITALISED = Late(
    rf"\bthe\s+(?P<title>(?-i:[A-Z])[\w&'’-]*(?:\s+[\w&'’-]+){{0,4}}?)\s+{_TITLED_NOUN}\b(?!\s*\d)", re.I
)
TITLE_KNOWN = Late(
    rf"\b(?:(?:in|from|of|under|within|on)\s+(?:the\s+)?(?P<title>{PARTS})\b|(?P<before>{PARTS})\s+(?:section|chapter|page)s?\b)",
    re.I,
)

NOUNS = re.compile(rf"\b(?:{NAME}|{SEEN}|{PARTS})|\bcover\b|§", re.I)
"""One of these words stands in every reference."""

_PLACE = "|".join(NAMES[what] for what in ("page", "figure", "table", "chart", "section", "chapter", "appendix"))
_TURN = (
    r"next|previous|following|preceding|before|after|above|below|between|until|half|middle|beginning|end"
    rf"|{POSITION}|\d+"
)
MISSED = Late(
    rf"\b(?:{_TURN})\s+(?:\w+\s+){{0,2}}(?:{_PLACE})\b|(?<![\w.])(?:{_PLACE})\s+(?:\w+\s+){{0,2}}(?:{_TURN})\b", re.I
)
"""What looks like a reference."""


def position_of(words: str) -> int:
    """Return where "third", "2nd", "last" or "second to last" stands: 3, 2, -1, -2."""
    plain = " ".join(re.split(r"[\s-]+", words.lower()))
    if re.fullmatch(LAST, plain):
        return -1
    if re.fullmatch(OPENING, plain):
        return 1
    if plain == "penultimate" or "but one" in plain or plain.startswith("next to"):
        return -2
    number = _ordinal(plain.split()[0])
    return -number if plain.endswith("last") else number


def _ordinal(word: str) -> int:
    return _ORDINALS.index(word) + 1 if word in _ORDINALS else int(re.sub(r"\D", "", word) or 1)


def count_of(words: str) -> int:
    """Return the number that digits or a word stand for: "10" and "ten" give 10."""
    return int(words) if words.isdecimal() else NUMBER_WORDS[words.lower()]
