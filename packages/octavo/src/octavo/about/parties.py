"""Between whom a contract is, by rule: by its opening clause, labels, what it calls them, and the places to sign.

A contract has no issuer of its own: the lawyers who drew it up stand on its cover too, and often more often.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from octavo.about.company_names import CAPITAL, NO_SHORT_FORMS, companies_in, defined_in, either, own_words
from octavo.about.document_texts import DocumentTexts
from octavo.about.names import has_legal_form, is_legal_form, name_word, tells
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import is_function_word
from octavo_documents.text.document_kinds import document_kinds
from octavo_documents.text.languages import ENGLISH, language
from octavo_documents.text.lines import on_one_line

CONTRACTS = ("contract", "lease", "amendment", "order")
"""Kinds of documents that are between parties."""
_NO_CONTRACTS = frozenset(
    (
        *("annual report", "quarterly report", "current report", "press release", "proxy statement", "prospectus"),
        *("minutes", "agenda", "manual", "handbook", "paper", "thesis", "presentation", "newsletter", "transcript"),
        *("judgment", "report", "notes", "questions", "case study", "white paper"),
    )
)
"""Kinds of documents that tell of contracts of others."""
_OPENING, _BEFORE, _BETWEEN_NAMES, _BEHIND = 6_000, 300, 700, 160
"""Characters in which parties are named, that say before them what is made, between two, and that say what each is."""
_MOST, _LONGEST = 6, 90
_LONGEST_ENDING = 3
_LONGEST_SHORT = 5
"""Characters of a legal form that has a dot of its own: "Corp."."""
_FORMS = (
    r"(?:Inc|Incorporated|Ltd|Limited|LLC|LLP|LP|[Pp][Ll][Cc]|Corp|Corporation|Company|Co|GmbH|AG|SE|S\.?A|N\.?V|B\.?V|"
    r"A/S|ApS|AB|ASA?|Oyj?|S\.?p\.?A)\b\.?"
)
_SMALL = r"(?:of|de|du|des|der|den|di|del|della|dei|van|von|zu|für|for|the|do|da|dos|la|le|les|el|al)"
_HONORIFIC = r"(?i:(?:Mrs?|Ms|Dr|Herrn?|Frau|Firma|Monsieur|Madame|Mme|Sig|Sra?|Don|Doña|Pani?)\b\.?[ \t]+)"
_LOWER = rf"(?:(?!{CAPITAL})[^\W\d_]|(?=(?:The|Di[ae]|D[ae][sr]?|L[ae]|El|Il|Het)\b)[A-Z])[^\W\d_]*['’.]?"
_NUMBER = r"[(]?(?:\d|[ivx]{1,3}|[a-dA-D])[.)]"
_LEADING = rf"[\s:,•–—-]*(?P<number>{_NUMBER}\s*)?(?:{_LOWER}[\s:]+){{0,4}}(?:{_HONORIFIC})?"
_TITLED = lazy_regex(f"^{_HONORIFIC}")
_ENDS = frozenset(',;)]\n”“»"–—-')
"""What a clause about a party ends with before "and"."""
_DEFINED = lazy_regex(r"[(（\[–—,][^()（）]{0,120}?[\"“”„«]|\(\s*(?:the\s+)?[A-ZÀ-Þ][\w -]{2,30}\)")
"""Behind a party, what it is called from there on: '(the "Supplier")'."""
_ROLE_END = lazy_regex(r"[(（\d]|,\s|;|\s[|–—-]\s|\s{3,}")


class _Party(NamedTuple):
    """A name in an opening clause, where it ends, and whether the clause numbers it or says what it is called."""

    name: str
    end: int
    is_defined: bool


def parties_of(texts: DocumentTexts, kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the parties of a contract of these kinds, the surest first, as it writes them; () of others.

    A document of no such kind is one too where its opening clause names two and what each is called.
    """
    if kinds and kinds[0] in _NO_CONTRACTS:
        return ()
    clause = _by_clause(texts, is_contract=bool(kinds) and kinds[0] in CONTRACTS)
    if clause or not (kinds and kinds[0] in CONTRACTS):
        return _as_written(clause, texts)
    opening = texts.beginning[:_OPENING]
    for found in (
        _by_label(opening, texts.code),
        {one.short: one.name for one in defined_in(opening, texts.code) if one.short.casefold() in _roles(texts.code)},
        dict(enumerate(_signed(texts))),
    ):
        names = _once(found.values(), texts.code)
        if len(names) > 1 or (names and kinds[0] == "order"):
            return _as_written(names, texts)
    return ()


def _as_written(names: Iterable[str], texts: DocumentTexts) -> tuple[str, ...]:
    """Return names in capitals as the document writes them elsewhere, where it does."""
    found = list[str]()
    for name in names:
        others = re.findall(re.escape(name), texts.beginning, re.IGNORECASE) if name.isupper() else ()
        found.append(next((other for other in others if not other.isupper()), name))
    return tuple(found)


def without_signing(name: str) -> str:
    """Return a name without what stands before it where it is signed: "Signed for Crest Company" names Crest."""
    return _SIGNED.sub("", name)


_SIGNED = lazy_regex(r"^(?:Signed|SIGNED|Executed|EXECUTED)\s+(?:for|by|on)\s+(?:and\s+on\s+)?(?:behalf\s+of\s+)?")


def _once(names: Iterable[str], code: str) -> tuple[str, ...]:
    """Return those that may be names of parties, each once, in the order in which they are told."""
    found: dict[tuple[str, ...], str] = {}
    for name in names:
        tidy = without_signing(_tidy(name))
        if _may_be_party(tidy, code):
            found.setdefault(tuple(own_words(tidy)), tidy)
    return tuple(found.values())[:_MOST]


def _tidy(name: str) -> str:
    line = _TITLED.sub("", on_one_line(name).strip(" ,;:"))
    last = line.rpartition(" ")[2]
    is_short = is_legal_form(name_word(last)) and len(last) <= _LONGEST_SHORT
    return line if is_short or "." in last[:-1] else line.rstrip(".")


def _may_be_party(name: str, code: str) -> bool:
    words = own_words(name)
    common = _roles(code) | NO_SHORT_FORMS | {one.casefold() for one in language(code).speakers}
    return (
        1 < len(name) <= _LONGEST
        and any(map(tells, words))
        and not all(word in common or word.isdigit() for word in words)
        and name.casefold() not in common
        and not is_function_word(words[0], code)
        and not any(words[0] in forms for forms in language(code).months)
        and not document_kinds(name, code)
    )


def _by_clause(texts: DocumentTexts, *, is_contract: bool) -> tuple[str, ...]:
    """Return whom the first clause "between A and B" names that says so of a contract, or what each is called."""
    code = texts.code
    opening = texts.beginning[:_OPENING]
    for between, joined in _clauses(code):
        for found in between.finditer(opening):
            parties = [*_named_from(opening, found.end(), joined, code)]
            names = _once((party.name for party in parties), code)
            said = opening[max(0, found.start() - _BEFORE) : found.start()]
            is_told = is_contract and any(kind in CONTRACTS for kind in document_kinds(said, code))
            if len(names) > 1 and (is_told or all(party.is_defined for party in parties)):
                return names
    return ()


def _named_from(text: str, at: int, joined: re.Pattern[str], code: str) -> Iterator[_Party]:
    """Yield the parties that a clause names from a place on: after the second, those whose numbers go on."""
    named = _party(code).match(text, at)
    for count in range(2, _MOST + 2):
        if named is None or not _may_be_party(_tidy(named["name"]), code):
            return
        behind = text[named.end() : named.end() + _BEHIND]
        following = _next(text, named.end(), joined, code, count)
        end = named.end() if following or count == 2 else _end_of_last(text, named, joined, code)
        is_defined = bool(named["number"] or _DEFINED.search(behind))
        yield _Party(text[named.start("name") : end], named.end(), is_defined)
        named = following


def _end_of_last(text: str, named: re.Match[str], joined: re.Pattern[str], code: str) -> int:
    """Return where the last party ends: one word that "and" goes on with may be half of "Harbour and Dock Union"."""
    end = named.end()
    found = joined.match(text, end + 1) if " " not in named["name"] and text[end : end + 1] == " " else None
    following = _party(code).match(text, found.end()) if found and not found["number"] else None
    is_name = following is not None and following[0].lstrip() == following["name"]
    return following.end() if following is not None and is_name else end


def _next(text: str, end: int, joined: re.Pattern[str], code: str, count: int) -> re.Match[str] | None:
    """Return the party that comes, as the one of a number, after one that ends there.

    Behind a first party that is described ("of Mill Lane, Ellerby and ...") the word may join two places: there what
    has a legal form is the party, else whatever alone may be.
    """
    described = list[re.Match[str]]()
    for found in joined.finditer(text, end, end + _BETWEEN_NAMES):
        between = text[end : found.start()]
        if between.count("(") > between.count(")"):
            continue
        following = _party(code).match(text, found.start() + 1 if found["number"] else found.end())
        if following is None:
            continue
        has_number, before = str(count) in (following["number"] or ""), between.rstrip()
        if count > 2 or found["number"]:
            if has_number and (text[found.start()] in ",;" or before[-1:] in (",", ";") or not found["number"]):
                return following
        elif has_number or not before or between.rstrip(" \t")[-1] in _ENDS or "\n" in following[0]:
            return following
        elif before[0] == "," and "\n" not in before:
            if has_legal_form(following["name"]):
                return following
            described.append(following)
    return described[0] if len(described) == 1 else None


@cache
def _clauses(code: str) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """Return what stands before the parties of a contract, and between them, in a language and in English."""
    phrases = dict.fromkeys((*language(code).between, *language(ENGLISH).between))
    pairs: dict[str, list[str]] = {}
    for phrase in phrases:
        before, _, joined = phrase.partition(" * ")
        pairs.setdefault(before, []).append(joined)
    return [
        (
            re.compile(rf"(?<!\w){re.escape(before)}(?!\w)", re.IGNORECASE),
            re.compile(rf"(?<!\w)(?:{either(joined)})(?!\w)|(?P<number>[;,]\s*[(]?[2-6][.)]\s)", re.IGNORECASE),
        )
        for before, joined in pairs.items()
    ]


@cache
def _party(code: str) -> re.Pattern[str]:
    """Return how a party is written in a clause: a number, small words or a title, and a name."""
    joined = {phrase.rpartition(" ")[2] for phrase in (*language(code).between, *language(ENGLISH).between)}
    forms = f"{either(language(code).legal_forms)}|{_FORMS}" if language(code).legal_forms else _FORMS
    word = rf"(?!(?i:{either(joined)})(?!\w))(?:[dlDL]['’])?(?:{CAPITAL}|\d(?=[\w-]*[A-Z]))[\w&.'’/\-]*"
    quoted = r"«[^»\n]{2,60}»"
    more = rf",?[ \t]+(?:{forms})(?![\w-])|[ \t]+(?:&|(?:{_SMALL}[ \t]+){{0,2}}(?:{word})|{quoted})"
    return re.compile(rf"{_LEADING}(?P<name>(?:{word}|{quoted})(?:{more}){{0,9}})")


@cache
def _roles(code: str) -> frozenset[str]:
    """Return what parties are called in contracts, in a language and in English."""
    return frozenset(one.casefold() for one in (*language(code).parties, *language(ENGLISH).parties))


def _by_label(text: str, code: str) -> dict[str, str]:
    """Return the names behind what parties are called on lines and in rows of tables: "Supplier: Ostra Vind"."""
    found: dict[str, str] = {}
    for match in _labelled(code).finditer(text):
        name = _ROLE_END.split(match["name"])[0]
        found.setdefault(match["role"].casefold(), name)
    return found


def is_role(short: str, code: str) -> bool:
    """Whether a word is what any contract calls a party, in any form that its ending gives it: "Dostawcą"."""
    word = short.casefold()
    return any(
        word.startswith(role[: max(4, len(role) - 2)]) and abs(len(word) - len(role)) <= _LONGEST_ENDING
        for role in _roles(code)
    )


@cache
def _labelled(code: str) -> re.Pattern[str]:
    roles = either(_roles(code))
    sign = r"[ \t]*(?:[(（][^()（）\n]{0,40}[)）][ \t]*)?(?:[:：|]|[ \t][–—-][ \t])[ \t]*"
    return re.compile(rf"^[ \t]*(?:the[ \t]+)?(?P<role>{roles}){sign}(?P<name>[^\s|].*)$", re.IGNORECASE | re.MULTILINE)


def _signed(texts: DocumentTexts) -> Iterator[str]:
    """Yield for whom a contract is signed at its end."""
    ending = texts.whole[-_OPENING // 2 :]
    for match in _signed_for(texts.code).finditer(ending):
        named = _party(texts.code).match(ending, match.end())
        if named is not None:
            yield next(companies_in(named["name"], texts.code), named["name"])


@cache
def _signed_for(code: str) -> re.Pattern[str]:
    phrases = {*language(code).signed_for, *language(ENGLISH).signed_for}
    return re.compile(rf"^[ \t]*(?:{either(phrases)})(?!\w)", re.IGNORECASE | re.MULTILINE)
