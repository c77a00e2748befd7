"""Names of companies, offices and the like as texts write them, in English and in the language of the text.

What stands with a name to make it one ("GmbH", "Ville de", "株式会社"), what documents call who speaks in them ("la
Société", "当社") and what comes before a former name stands in the table of the language (`text.languages`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from octavo.about.names import is_legal_form, words_of
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import is_function_word
from octavo_documents.text.document_kinds import document_kinds
from octavo_documents.text.languages import ENGLISH, language
from octavo_documents.text.lines import on_one_line

EXCHANGE = r"\b(?:NYSE|NASDAQ|Nasdaq|LSE|AMEX|TSX|XETRA|ASX|SIX|HKEX|Euronext)(?:\s*(?:MKT|GS|Arca))?\s*[:：]"
_FORMS = r"Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|LLP|PLC|plc|GmbH|AG|SA|S\.A|NV|N\.V|SE"
_SORTS = "Group|Bancorp|Bancorporation|Bancshares|Holdings|Bank|Trust"
_FIELD = r"(?:[ \t]+(?:the|and|&))?(?:[ \t]+(?:(?:and|&)[ \t]+)?[A-Z](?:[\w\-]|['’](?!s\b))+){1,4}"
_COMPANY = lazy_regex(
    r"(?<![\w-])(?P<name>(?:\d[A-Z](?=[ \t])|[A-Z][\w&.'’\-]*)"
    r"(?:[ \t]+(?:[A-Z&][\w&.'’\-]*|of|and|the|de|for)){0,6}?,?[ \t]+"
    rf"(?:(?:{_FORMS}|Company(?![ \t]+Secretary)|Co|{_SORTS})\b\.?(?:,?[ \t]+(?:{_FORMS}|{_SORTS})\b\.?){{0,2}}"
    r"|(?:Council|University|Hospital|Institute|Ministry|Agency|Authority|Association|Foundation|Society|College)\b"
    rf"(?:(?:,?[ \t]+(?:{_FORMS}|{_SORTS})\b\.?){{1,2}}|[ \t]+(?:for|of){_FIELD})?)"
    rf"|(?:University|(?:(?<![^\n])|(?<=,[ ]))(?:Institute|Ministry))[ \t]+(?:for|of){_FIELD})"
)
SPEAKER = lazy_regex(
    r"(?<![\w.])(?P<name>[A-Z][\w&.'’\-]*(?:[ \t]+(?:[A-Z&][\w&.'’\-]*|of|and|the|de|for)){0,6},?)[ \t]*"
    rf"\((?:{EXCHANGE}[^()]{{0,40}}\)[ \t]*\()?[^()]{{0,60}}[\"“](?:the[ \t]+)?"
    r"(?:Company|Registrant|Corporation|Group|Bank|Trust|Fund|Partnership|Council|University|we|us)[\"”]"
)
"""Who goes on to speak as "the Company": 'First Harbour Bancorp (NYSE: FHB) (the "Company")'."""
NO_SHORT_FORMS = frozenset(
    """company registrant issuer group corporation we us our firm parent seller buyer customer supplier agreement report
    landlord tenant party parties act commission exchange board plan notes service services""".split()  # noqa: SIM905
)
"""What every document of a sort calls its subject."""

CAPITAL = r"[A-ZÀ-ÖØ-ÞĄĂĆČĎĐĘĞŁŃŇŐŘŚŞŠȘŤȚŮŰŹŻŽА-ЯЁІЇЄΑ-Ω]"
"""A letter that a name may begin with."""
_JOINER = (
    r"(?:of|and|the|for|de|du|des|la|le|les|et|und|für|der|die|di|del|della|dei|degli|e|y|do|da|dos|das|van|het|en|i|"
    r"al|&)"
)
_WORD = rf"(?:[dl]['’])?{CAPITAL}[\w&.'’\-]*"
_SPACED_NAME = rf"{_WORD}(?:[ \t]+(?:{_WORD}|{_JOINER})){{0,6}}?"
_HAN = r"[\u3400-\u9fffァ-ヶーA-Za-z0-9・＆&]"
_PARTICLES = "由与與和及是为為在于於的之向对對即"
"""Characters that part a Chinese name from what comes before it."""
_ARABIC = r"(?:[ \t]+[\u0600-\u06ff]{2,}){1,4}(?=[ \t]*(?:[(（.,،«:\n]|$))"
_OF_WHOM = lazy_regex(r"^.*\b(?:der|des)[ \t]+")
"""What a German name is preceded by: "Vorstand der"."""
_PEOPLE = lazy_regex(r"^.*\b[A-Z]\.[ \t]*[A-Z][\w'’\-]+[ \t]+(?=(?:Institute|University|Ministry)[ \t]+(?:for|of)\b)")
"""Authors on one line with where they work: "A. Vole and T. Heron University of Brackwater"."""
_WITH_DOT = frozenset({"inc", "co", "corp", "ltd", "lda", "ltda"})
_OPEN, _CLOSE = '"“”„«‹「『‘', '"“”»›」』’'
_QUOTED = lazy_regex(rf"[{_OPEN}]\s*([^{_OPEN}{_CLOSE}()（）\n]{{1,40}}?)\s*[{_CLOSE}]")
_DEFINING = lazy_regex(
    rf"[ \t]*(?:(?:[(（][^()（）\n]{{0,120}}[)）][ \t]*){{1,2}}|[,，、][^.。()（）\n]{{0,80}}[{_CLOSE}])"
)
"""What stands right behind a name and may say what it is called for short."""
_FORMER_NAME = lazy_regex(rf"[\s:：{_OPEN}]*(?P<name>[A-Z][\w&.'’\-]*(?:[ \t]+(?:[A-Z&][\w&.'’\-]*|of|and)){{0,5}})")
_RUN = r"[A-Z][\w&.'’\-]*(?:,?[ \t]+(?:[A-Z&][\w&.'’\-]*|of|and)){0,6}"
_RENAMED = lazy_regex(
    rf"\bchanged\s+(?:our|its)\s+(?:corporate\s+|legal\s+)?name\s+from\s+[“\"]?(?P<name>{_RUN})[”\"]?,?\s+to\s"
    rf"|(?<![\w&.])(?P<name2>{_RUN})[ \t]+changed\s+its\s+(?:corporate\s+|legal\s+)?name\s+to\s"
)
_ON_FORM = lazy_regex(rf"(?<![\w&.])(?P<name>{_RUN})[ \t\n]*\((?i:former\s+name)\b")
_BEFORE_FORMER, _AFTER_FORMER, _NEAR_FORMER, _BETWEEN = 200, 100, 25, 6
_IN_BRACKETS = lazy_regex(r"[(（][^()（）]*(?:[)）]|$)")


class Defined(NamedTuple):
    """A name and what the text calls it for short."""

    name: str
    short: str
    is_speaker: bool
    """Whether that is what any document calls who speaks in it: "the Company"."""


def companies_in(text: str, code: str = ENGLISH) -> Iterator[str]:
    """Yield the names of companies and offices in a text in a language, as they are written, in order by pattern."""
    return (name for name, _ in _placed(text, code))


def defined_in(text: str, code: str = ENGLISH) -> Iterator[Defined]:
    """Yield what a text in a language calls its companies for short.

    >>> [*defined_in("Kranzfeld AG (im Folgenden „Kranzfeld“ oder „Gesellschaft“)", "de")][0]
    Defined(name='Kranzfeld AG', short='Kranzfeld', is_speaker=False)
    """
    speakers = _speakers(code)
    for name, end in _placed(text, code):
        following = _DEFINING.match(text, end)
        for short in _QUOTED.findall(following[0]) if following else ():
            bare = " ".join(word for word in short.split() if not is_function_word(word, code) or word == short)
            if bare:
                yield Defined(name, bare, bare.casefold() in speakers)


def former_names(text: str, issuer: str, code: str = ENGLISH) -> Iterator[str]:
    """Yield the names that who issued a document had before, as a text in a language says right behind the issuer's."""
    own = own_words(issuer)
    for found in _formerly(code).finditer(text) if own else ():
        before = _IN_BRACKETS.sub("", text[max(0, found.start() - _BEFORE_FORMER) : found.start()])
        is_own = {*own} <= {word for word, _ in words_of(before[-len(issuer) - _BETWEEN :])}
        following = text[found.end() : found.end() + _AFTER_FORMER]
        named = next((name for name, end in _placed(following, code) if end - len(name) < _NEAR_FORMER), "")
        run = None if named or code != ENGLISH else _FORMER_NAME.match(following)
        name = named or (run["name"] if run else "")
        if name and is_own and own_words(name) != own_words(issuer):
            yield name.rstrip(",. ")
    for name in _said_to_be_former(text, own) if own and code == ENGLISH else ():
        if own_words(name) and own_words(name) != own and "applicable" not in own_words(name):
            yield name


def _said_to_be_former(text: str, own: Sequence[str]) -> Iterator[str]:
    """Yield the names that an English text says one of some words no longer has, wherever it does."""
    for pattern in (_RENAMED, _ON_FORM):
        for found in pattern.finditer(text):
            around = text[found.end() : found.end() + _AFTER_FORMER] if pattern is _RENAMED else text[: found.start()]
            if own[0] in {word for word, _ in words_of(around)}:
                yield next(filter(None, found.groups())).strip(" ,.")


def own_words(name: str) -> list[str]:
    """Return the words of a name that tell it, as names are compared."""
    return [word for word, _ in words_of(name) if not is_legal_form(word) and not is_function_word(word)]


def _placed(text: str, code: str) -> Iterator[tuple[str, int]]:
    """Yield names and where each ends; an English one that ends with one in the language is a part of it."""
    has_table = code != ENGLISH and language(code).legal_forms
    ends: set[int] = set()
    for pattern in (_of_language(code), _COMPANY) if has_table else (_COMPANY,):
        for match in pattern.finditer(text):
            written = match["name"] if pattern is _COMPANY else next(filter(None, match.groupdict().values()))
            name = _without_kind(on_one_line(written).rstrip(","), code)
            words = own_words(name)
            is_name = bool(words) and words[0] not in NO_SHORT_FORMS and not document_kinds(name, code)
            if is_name and ends.isdisjoint((match.end(), match.end() + 1)):
                ends |= {match.end()} if pattern is not _COMPANY else set()
                yield name, match.end()


def _without_kind(name: str, code: str) -> str:
    """Return a name without what comes before it: "Jahresbericht der Nordhafen AG" names Nordhafen."""
    name = _OF_WHOM.sub("", name) if code == "de" else _PEOPLE.sub("", name)
    words = name.split()
    if code != ENGLISH and words[-1].count(".") == 1 and words[-1].rstrip(".").lower() not in _WITH_DOT:
        words[-1] = words[-1].rstrip(".")
    while len(words) > 1 and (is_function_word(words[0], code) or (code != ENGLISH and document_kinds(words[0], code))):
        del words[0]
    return " ".join(words)


@cache
def _of_language(code: str) -> re.Pattern[str]:
    """Return what names companies and offices in a language."""
    spoken = language(code)
    forms, bodies = either(spoken.legal_forms), either(spoken.bodies)
    if not spoken.is_spaced:
        letters = f"(?:(?![{_PARTICLES}]){_HAN})" if code == "zh" else _HAN
        behind = f"(?P<n0>{letters}{{2,24}}?(?:{forms}|{bodies}))"
        return re.compile(f"{behind}|(?P<n1>(?:{forms}){letters}{{2,20}})" if code == "ja" else behind)
    if spoken.script == "arabic":
        return re.compile(rf"(?<![\u0600-\u06ff])(?P<n0>(?:{bodies}){_ARABIC})")
    parts = [
        rf"(?<![\w.])(?P<n0>{_SPACED_NAME},?[ \t]+(?:{forms}))(?!\w)",
        rf"(?<!\w)(?P<n1>(?:{forms})[ \t]+[{_OPEN}][^{_CLOSE}\n]{{2,60}}[{_CLOSE}])",
        rf"(?<!\w)(?P<n2>(?:{bodies})(?:[ \t]+{_JOINER})*[ \t]+{_WORD}(?:[ \t]+(?:{_JOINER}[ \t]+)*{_WORD}){{0,3}})",
    ]
    return re.compile("|".join(parts))


def either(phrases: Iterable[str]) -> str:
    """Return a pattern of any of some phrases, longer ones first, with dots and spaces as people put them."""
    found = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    parts = [re.escape(phrase).replace(r"\.", r"\.?[ \t]?").replace(r"\ ", r"[ \t]+") for phrase in found]
    return "|".join(part.removesuffix(r"[ \t]?") for part in parts)


@cache
def _speakers(code: str) -> frozenset[str]:
    return NO_SHORT_FORMS | {word.casefold() for word in language(code).speakers}


@cache
def _formerly(code: str) -> re.Pattern[str]:
    """Return what comes before a former name, in a language and in English."""
    spoken = language(code)
    phrases = {*spoken.formerly, *language(ENGLISH).formerly}
    parts = "|".join(re.escape(one).replace(r"\ ", r"\s+") for one in sorted(phrases, key=lambda one: (-len(one), one)))
    return re.compile(rf"(?<![^\W_])(?:{parts})(?![^\W_])" if spoken.is_spaced else f"(?:{parts})", re.IGNORECASE)
