"""What a question points at by name or place, read by a grammar: "page 5 of the appendix", "Fig. 2(b)".

One long pattern for each way of phrasing, compiled when it is first used: most questions point at nothing.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal

from octavo.question.numbering_remarks import numbering_spans
from octavo.question.words import without_examples
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.label_names import pages_in
from octavo_documents.text.looks_words import pages_at_ends
from octavo_documents.text.things import NAME, NAMES, NUMBER, What, canonical, named, number_value, roman_numeral
from octavo_documents.text.values import NUMBER_WORDS

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
_INSIDE = lazy_regex(rf"\s*,?\s+(?:of|in|from|within)\s+(?P<anchor>{ANCHOR})", re.I)

_NUMBERED = lazy_regex(
    rf"(?P<between>\bbetween\s+(?:the\s+)?)?(?<![\w.-])(?P<noun>{NAME}){_FILLER}(?P<numbers>{_ONE}{_PART}?{_MORE})",
    re.I,
)
_SPELLED_NUMBER = lazy_regex(rf"\b(?P<noun>{NAME})\s+(?:number\s+)?(?P<spelled>{SPELLED})", re.I)
_PIECE = lazy_regex(
    rf"(?P<to>{_TO})?(?P<and>{_AND})?(?:{NAME}\s*)?\(?(?<!\w)(?P<number>{NUMBER})\)?(?P<part>{_PART})?", re.I
)

_COUNTED = lazy_regex(
    rf"\b(?P<end>first|{OPENING}|{LAST})\s+(?P<count>\d{{1,3}}|{SPELLED})\s+(?:\w+\s+)?(?P<noun>{PLACED})\b", re.I
)
POSITIONED = lazy_regex(
    rf"\b(?P<position>{POSITION})\s+(?:(?:and|or|&)\s+(?:the\s+)?(?P<other>{POSITION})\s+)?"
    rf"(?:(?:bar|pie|line|flow|main|full|cover|body)\s+)?(?P<noun>{PLACED})\b(?!\s*\d)",
    re.I,
)
_AT_PLACE = lazy_regex(
    rf"\b(?P<noun>{PAGE})\s+(?:at|that\s+is|which\s+is)\s+(?:the\s+)?(?P<position>{POSITION})\b", re.I
)
_BEFORE_LAST = lazy_regex(rf"\b(?P<noun>{PLACED})\s+before\s+the\s+(?:{LAST})(?:\s+(?:one|{PLACED}))?\b", re.I)
_OF_THIS = (
    r"(?!\s+of\s+(?!(?:the|this|our)\s+(?:document|report|paper|book|slides?|deck|brochure|guidebook|manual|pdf)))"
)
_SEEN_ON = r"(?:colou?rs?|logos?|pictures?|images?|photos?|photographs?|titles?|subtitles?)"
_FRONT = lazy_regex(
    rf"\b(?:front\s+cover|(?:cover|title|front)\s+{PAGE}|(?:on|at)\s+the\s+cover"
    rf"|{_SEEN_ON}\s+(?:of|on|is|are|does|has|have|shows?)\s+the\s+cover)\b{_OF_THIS}",
    re.I,
)
_BACK_COVER = lazy_regex(rf"\bback\s+(?:cover|page)\b{_OF_THIS}", re.I)

_CLOSE = (
    r"(?:(?:immediately|directly|right|just|shown|given|that|which|is|are|comes?|appears?|follows?|placed)\s+){0,4}"
)
_TURNED = r"(?:next|following|previous|preceding|prior|same|facing|opposite)"
_PAGES_FROM = lazy_regex(
    rf"\b(?:(?P<count>\d{{1,2}}|{SPELLED})\s+)?(?:(?P<turned>{_TURNED})\s+)?(?P<noun>{PAGE})\s+{_CLOSE}"
    rf"(?P<side>after|before|following|preceding|as|to)\s+(?P<anchor>{ANCHOR})",
    re.I,
)
_THING_ON_PAGE = lazy_regex(
    rf"\b(?P<noun>{SEEN})\s+{_CLOSE}(?:on|at|in)\s+the\s+(?P<turned>{_TURNED})\s+{PAGE}\s+"
    rf"(?:after|before|following|preceding|as|from|to|of)\s+(?P<anchor>{ANCHOR})",
    re.I,
)
_THING_BESIDE = lazy_regex(
    rf"\b(?P<noun>{SEEN})\s+{_CLOSE}(?P<side>after|before|following|preceding|below|above|beneath|under|underneath"
    rf"|next\s+to|beside|to\s+the\s+(?:left|right)\s+of)\s+(?P<anchor>{ANCHOR})",
    re.I,
)
_ITEMS_BESIDE = lazy_regex(
    r"\b(?P<side>after|following|before|preceding)\s+(?:the\s+)?"
    rf"(?P<anchor>(?P<noun>{NAMES['step']}|{NAMES['item']}){_FILLER}{NUMBER}(?!\w))",
    re.I,
)

_TITLED_NOUN = r"(?P<noun>(?:sub)?sections?|chapters?|appendix)"
_TITLE_AFTER = lazy_regex(
    rf"\b{_TITLED_NOUN}\s+(?:(?:titled|called|named|headed|entitled|on|about)\s+)?[\"“‘'](?P<title>[^\"”]{{2,100}}?)[\"”’'](?!\w)",
    re.I,
)
_TITLE_BEFORE = lazy_regex(rf"[\"“](?P<title>[^\"”]{{2,100}})[\"”]\s+{_TITLED_NOUN}\b", re.I)
_TITLE_CAPITALISED = lazy_regex(
    rf"\bthe\s+(?P<title>(?-i:[A-Z])[\w&'’-]*(?:\s+[\w&'’-]+){{0,4}}?)\s+{_TITLED_NOUN}\b(?!\s*\d)", re.I
)
_TITLE_KNOWN = lazy_regex(
    rf"\b(?:(?:in|from|of|under|within|on)\s+(?:the\s+)?(?P<title>{PARTS})\b|(?P<before>{PARTS})\s+(?:section|chapter|page)s?\b)",
    re.I,
)

_NOUNS = lazy_regex(rf"\b(?:{NAME}|{SEEN}|{PARTS})|\bcover\b|§", re.I)
"""One of these words stands in every reference."""

_PLACE = "|".join(NAMES[what] for what in ("page", "figure", "table", "chart", "section", "chapter", "appendix"))
_TURN = (
    r"next|previous|following|preceding|before|after|above|below|between|until|half|middle|beginning|end"
    rf"|{POSITION}|\d+"
)
_MISSED = lazy_regex(
    rf"\b(?:{_TURN})\s+(?:\w+\s+){{0,2}}(?:{_PLACE})\b|(?<![\w.])(?:{_PLACE})\s+(?:\w+\s+){{0,2}}(?:{_TURN})\b", re.I
)
"""What looks like a reference."""


def _position_of(words: str) -> int:
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


def _count_of(words: str) -> int:
    """Return the number that digits or a word stand for: "10" and "ten" give 10."""
    return int(words) if words.isdecimal() else NUMBER_WORDS[words.lower()]


Relation = Literal["", "in", "before", "after", "previous page", "next page", "same page"]

_WIDEST = 50
"""Numbers; a wider range is read as its two ends."""


@dataclasses.dataclass(frozen=True, slots=True)
class Reference:
    """One thing pointed at. A page is named by its number or label, or by its position from the front or the back."""

    words: str
    """The words of the question, verbatim."""
    what: What
    number: str = ""
    """As `canonical` writes it: "3", "iv", "2.1", "a.2", "b"; "" when it is told by position or title."""
    to: str = ""
    """The last number of a range; "" when there is one number."""
    part: str = ""
    """The part of it that is meant: "b" of "Fig. 2(b)"."""
    position: int = 0
    """1 for the first, 2 for the second, -1 for the last of its kind; 0 when it has a number or title."""
    count: int = 1
    """How many, from that position on to the middle: 10 for "the first ten pages"."""
    title: str = ""
    """What it is called: "Results" for "the Results section"."""
    anchor: str = ""
    """Words for what it is told from: "the appendix" for "page 5 of the appendix"."""
    relation: Relation = ""
    """How it stands to the anchor."""

    def numbers(self) -> tuple[str, ...]:
        """Return every number it stands for, ranges spelled out; the two ends of one that is very wide or uneven."""
        if not self.to:
            return (self.number,) if self.number else ()
        first, last = number_value(self.number), number_value(self.to)
        if first is None or last is None or not first <= last <= first + _WIDEST:
            return self._stepped()
        if self.number.isdecimal():
            return tuple(str(number) for number in range(first, last + 1))
        return tuple(roman_numeral(number) for number in range(first, last + 1))

    def _stepped(self) -> tuple[str, ...]:
        """Spell out a range of numbers that differ in their last part only: 2.1 to 2.4, a to c."""
        stem, _, low = self.number.rpartition(".")
        other, _, high = self.to.rpartition(".")
        is_numbered = low.isdecimal() and high.isdecimal()
        if stem == other and stem and is_numbered and int(low) <= int(high) <= int(low) + _WIDEST:
            return tuple(f"{stem}.{number}" for number in range(int(low), int(high) + 1))
        if len(self.number) == len(self.to) == 1 and self.number.isalpha() and self.number <= self.to:
            return tuple(chr(letter) for letter in range(ord(self.number), ord(self.to) + 1))
        return (self.number, self.to)


ONE_PLACE = ("page", "figure", "table", "chart")
"""What is one place: a question that names one of these is answered there."""
_Found = tuple[int, int, list[Reference]]
_BACKWARD = ("before", "previous", "preceding", "prior", "above")
_LETTERED = ("appendix", "section", "part", "box", "unit", "exhibit")
_WITH_PARTS = ("figure", "table", "chart", "section", "equation")
_SUBPART = lazy_regex(r"(?<=\d)[a-h]\Z")
_OF_TOTAL = lazy_regex(r"\s+(?:of|out of)\s+\d")


def references(question: str) -> tuple[Reference, ...]:
    """Return what a question points at by name or place, in order of mention."""
    return tuple(reference for _, _, found in _spans(question) for reference in found)


def names_one_place(question: str) -> bool:
    """Return whether a question names one page, figure, table or chart, and so must not be taken apart."""
    named_once = [one for one in references(question) if one.what in ONE_PLACE]
    return len(named_once) == 1 and named_once[0].count == 1 and len(named_once[0].numbers()) <= 1


def unread(question: str) -> str:
    """Return the question with a comma for each stretch that was read as references."""
    kept, at = "", 0
    for start, stop, _ in _spans(question):
        kept += question[at:start] + ", "
        at = stop
    return kept + question[at:]


@lru_cache(maxsize=1024)
def _spans(question: str) -> tuple[_Found, ...]:
    """Return (start, stop, references) that do not overlap; the phrasing tried first and the longer match win.

    What only says how pages are numbered is a stretch without any.
    """
    question = without_examples(question)
    others = tuple(
        (page.start, page.stop, [Reference(question[page.start : page.stop], "page", page.number)])
        for page in pages_in(question)
    )
    others += tuple((start, stop, [at_end(question[start:stop], at)]) for start, stop, at in pages_at_ends(question))
    if not _NOUNS.search(question):
        return others
    taken: list[_Found] = [(start, stop, []) for start, stop in numbering_spans(question)]
    for pattern, read in _READERS:
        for match in pattern.finditer(question):
            found = read(question, match)
            if found is None or any(start < found[1] and found[0] < stop for start, stop, _ in taken):
                continue
            taken.append(found)
    taken += [one for one in others if not any(start < one[1] and one[0] < stop for start, stop, _ in taken)]
    return tuple(sorted(taken, key=lambda one: one[0]))


def at_end(words: str, position: int) -> Reference:
    """Return the first page of a document (position 1) or the last (-1)."""
    return Reference(words=words, what="page", position=position)


def _relative(match: re.Match[str], relation: Relation, *, position: int = 0) -> _Found:
    reference = Reference(
        words=match.group(),
        what=named(match["noun"]),
        position=position,
        anchor=_plain(match["anchor"]),
        relation=relation,
    )
    return match.start(), match.end(), [reference]


def _pages_from(question: str, match: re.Match[str]) -> _Found | None:
    """Read "the page after Figure 3" and "two pages before Table 1"."""
    side, turned = match["side"].lower(), (match["turned"] or "").lower()
    if side in ("as", "to") and not turned:
        return None
    if turned == "same":
        return _relative(match, "same page")
    is_back = side in _BACKWARD or turned in _BACKWARD
    steps = _count_of(match["count"]) if match["count"] else 1
    return _relative(match, "before" if is_back else "after", position=steps)


def _thing_on_page(question: str, match: re.Match[str]) -> _Found:
    turned = match["turned"].lower()
    if turned == "same":
        return _relative(match, "same page")
    return _relative(match, "previous page" if turned in _BACKWARD else "next page")


def _thing_beside(question: str, match: re.Match[str]) -> _Found:
    side = match["side"].lower()
    if side.startswith(("next", "beside", "to ")):
        return _relative(match, "same page")
    return _relative(match, "before" if side in _BACKWARD else "after", position=1)


def _items_beside(question: str, match: re.Match[str]) -> _Found:
    """Read "the steps after step 12" and "What comes before item 3?"."""
    return _relative(match, "before" if match["side"].lower() in _BACKWARD else "after", position=1)


def _counted(question: str, match: re.Match[str]) -> _Found:
    position = 1 if match["end"].lower() == "first" else _position_of(match["end"])
    count = max(1, _count_of(match["count"]))
    return _inside(question, match, [_at(match, match["noun"], position, count=count)])


def _positioned(question: str, match: re.Match[str]) -> _Found:
    found = [_at(match, match["noun"], _position_of(match["position"]))]
    if "other" in match.re.groupindex and match["other"]:
        found.append(_at(match, match["noun"], _position_of(match["other"])))
    return _inside(question, match, found)


def _before_last(question: str, match: re.Match[str]) -> _Found:
    return _inside(question, match, [_at(match, match["noun"], -2)])


def _front(question: str, match: re.Match[str]) -> _Found:
    return match.start(), match.end(), [_at(match, "page", 1)]


def _back_cover(question: str, match: re.Match[str]) -> _Found:
    return match.start(), match.end(), [_at(match, "page", -1)]


def _at(match: re.Match[str], noun: str, position: int, *, count: int = 1) -> Reference:
    return Reference(words=match.group(), what=named(noun), position=position, count=count)


def _spelled(question: str, match: re.Match[str]) -> _Found:
    number = str(_count_of(match["spelled"]))
    found = Reference(words=match.group(), what=named(match["noun"]), number=number)
    return _inside(question, match, [found])


def _numbered(question: str, match: re.Match[str]) -> _Found | None:
    """Read "pages 3 to 7 and 9", "Fig. 2(b)", "Appendices A and C"."""
    what, noun = named(match["noun"]), match["noun"]
    is_plural = _is_plural(noun)
    stop = match.start("comma") if match["comma"] and not is_plural else match.end()
    start = match.start("noun")
    found = list(_pieces(question[match.start("numbers") : stop], what, noun))
    if not found:
        return None
    if match["between"] and len(found) == 2:
        found = [dataclasses.replace(found[0], to=found[1].number)]
    words = question[start:stop].strip()
    found = [dataclasses.replace(reference, words=words) for reference in found]
    return _inside(question, match, found, start=start, stop=start + len(words))


def _pieces(numbers: str, what: What, noun: str) -> Iterator[Reference]:
    """Yield a reference for each number of a list; a range is one."""
    before: Reference | None = None
    for piece in _PIECE.finditer(numbers):
        number = piece["number"]
        if not _is_number(number, what, noun):
            break
        if piece["to"] and before is not None and not before.to:
            before = dataclasses.replace(before, to=canonical(number))
            continue
        if before is not None:
            yield before
        before = _piece(number, piece["part"] or "", what, is_range=what == "page" or _is_plural(noun))
    if before is not None:
        yield before


def _piece(number: str, part: str, what: What, *, is_range: bool) -> Reference:
    first, dash, last = number.partition("-")
    if is_range and dash and first.isdecimal() and last.isdecimal() and int(first) < int(last):
        return Reference(words=number, what=what, number=first, to=last)
    letter = _SUBPART.search(number) if what in _WITH_PARTS else None
    return Reference(
        words=number,
        what=what,
        number=canonical(number[: letter.start()] if letter else number),
        part=letter.group() if letter else part.strip(" ()").lower(),
    )


def _is_number(number: str, what: What, noun: str) -> bool:
    """Return whether a word is a label: "Table I" and "page iv" have one, "the table I saw" and "page mix" none."""
    if any(character.isdigit() for character in number):
        return True
    if len(number) > 1 and number.isalpha():
        return number_value(number) is not None and not (noun.lower() == "p" and number.islower())
    if number.islower():
        return what in ("page", "part") and noun.lower() != "p"
    return noun[0].isupper() or (number not in "AI" and what != "page") or (what in _LETTERED and number != "I")


def _is_plural(noun: str) -> bool:
    return noun.rstrip(".").lower().endswith(("s", "pp", "§§", "ces"))


def _titled(question: str, match: re.Match[str]) -> _Found | None:
    title = match["title"].strip()
    if title.lower() in _NO_TITLES:
        return None
    found = Reference(words=match.group(), what=named(match["noun"]), title=title)
    return match.start(), match.end(), [found]


_NO_TITLES = frozenset(["first", "second", "third", "last", "next", "previous", "following", "same", "whole", "entire"])


def _known_part(question: str, match: re.Match[str]) -> _Found:
    title = match["title"] or match["before"]
    start = match.start("title") if match["title"] else match.start()
    what: What = "appendix" if title.lower().startswith(("append", "annex")) else "section"
    return start, match.end(), [Reference(words=question[start : match.end()], what=what, title=title)]


def _inside(
    question: str, match: re.Match[str], found: list[Reference], *, start: int | None = None, stop: int | None = None
) -> _Found:
    """Add what the references stand in, when the words go on with "of the appendix" or "in Section 3"."""
    start = match.start() if start is None else start
    stop = match.end() if stop is None else stop
    within = _INSIDE.match(question, stop)
    if within is None or _OF_TOTAL.match(question, stop):
        return start, stop, found
    words, anchor = question[start : within.end()].strip(), _plain(within["anchor"])
    changed = [dataclasses.replace(one, words=words, anchor=anchor, relation="in") for one in found]
    return start, within.end(), changed


def _plain(anchor: str) -> str:
    """Return an anchor without the article and brackets of its sentence."""
    return re.sub(r"^the\s+", "", anchor.strip(), flags=re.I)


_Reader = Callable[[str, "re.Match[str]"], "_Found | None"]
_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (_THING_ON_PAGE, _thing_on_page),
    (_BEFORE_LAST, _before_last),
    (_PAGES_FROM, _pages_from),
    (_THING_BESIDE, _thing_beside),
    (_ITEMS_BESIDE, _items_beside),
    (_COUNTED, _counted),
    (_AT_PLACE, _positioned),
    (POSITIONED, _positioned),
    (_FRONT, _front),
    (_BACK_COVER, _back_cover),
    (_NUMBERED, _numbered),
    (_SPELLED_NUMBER, _spelled),
    (_TITLE_AFTER, _titled),
    (_TITLE_BEFORE, _titled),
    (_TITLE_CAPITALISED, _titled),
    (_TITLE_KNOWN, _known_part),
)
"""Tried in order: what one phrasing has read the later ones do not read again."""


def is_settled(question: str) -> bool:
    """Return whether the grammar has read every word that looks like a reference, so that nobody need be asked."""
    return not _MISSED.search(unread(question))
