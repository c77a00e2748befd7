"""Whether a run of capitals is a whole name, and of a sort that may answer what is asked.

"Skye" is a part of "Songs from Skye" and "Peat" of the "Days of Peat" that is quoted; "RNLI" is no person, and what a
question of "which award" means is called an award where its sentence speaks of one.
"""

from __future__ import annotations

from octavo.question import Expects, Question
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze, fold
from octavo_documents.text.names import LEGAL_FORMS, owners_in

_QUOTED = lazy_regex(r"[\"“]([^\"“”]{1,120})[\"”]")
_COMPOUND_BEFORE = lazy_regex(r"[\w][-–/&]$")
_COMPOUND_AFTER = lazy_regex(r"[-–/]\w|['’]s?\b")
_TITLE_BEFORE = lazy_regex(r"(?<![\w.])[A-Z][\w'’]*\s(?:on|upon|to|from|with|without|over|under|against)\s$")
_ACRONYM = lazy_regex(r"(?:[A-Z]{2,}\d*|(?:[A-Z]\.)+[A-Z]?)")
_NUMBERED = lazy_regex(
    r"\b(?:Annex|Appendix|Article|Block|Book|Chapter|Class|Clause|Exhibit|Figure|Form|Gate|Grade|Group|Item|Level|Module"
    r"|Option|Part|Phase|Plan|Room|Schedule|Section|Series|Stage|Step|Table|Tier|Title|Type|Unit|Version|Volume|Zone)"
    r"s?\s(?:[A-Z]|[IVX]+|\d+)(?![\w.])"
)
"""A part or a sort of something by its letter or number, which is nobody's name: "Part A"."""
_PREFIXED = lazy_regex(r"\b(?:Mac|Mc|De|Di|Du|La|Le|Van|Von|Fitz)(?=[A-Z])")
_MADE_NAME = lazy_regex(r"[a-z]{2}[A-Z]")
"""Capitals within a word, as names of products have them and people's only behind "Mac" and the like."""
_BESIDE = 4
"""Words between a name and the noun that says what it is: "the Ferry Prize, a late honour"."""
_SAID = frozenset(analyze("term word name phrase expression nickname slogan motto title"))
"""Nouns of what is said: a name is one only where it is called so."""
_BEFORE = 12
"""Characters before a name in which "is called" may stand."""
_CLAUSE = lazy_regex(r"[.;:()]|\s[–—]\s|\b(?:is|are|was|were|has|have|had|who|which|that)\b")
_CALLED = lazy_regex(r"\b(?:is|are|was|were|as|be|became|become|called|named)\b")


def is_whole(text: str, start: int, stop: int) -> bool:
    """Return whether characters [start, stop) of a sentence are no part of a longer name, title or compound."""
    before = text[:start]
    if _COMPOUND_BEFORE.search(before) or _COMPOUND_AFTER.match(text, stop) or text[start:stop].endswith(("'s", "’s")):
        return False
    if " " not in text[start:stop] and _TITLE_BEFORE.search(before):
        return False
    quotes = [found.span(1) for found in _QUOTED.finditer(text)]
    around = [text[first:last] for first, last in quotes if first <= start and stop <= last]
    return all(quoted.strip(" ,.;:!?'’") == text[start:stop] for quoted in around)


def may_be_meant(question: Question, text: str, start: int, stop: int) -> bool:
    """Return whether a name at [start, stop) of a sentence is of the sort that a question asks for."""
    name = text[start:stop]
    if all(fold(word).strip(".,") in LEGAL_FORMS for word in name.split()):
        return False
    if question.expects is Expects.PERSON:
        first = analyze(name.split()[0])
        is_asked = bool(first) and name.split()[0] in question.text.split() and set(first) <= question.asked
        is_made = bool(_MADE_NAME.search(_PREFIXED.sub("", name)))
        return not (_ACRONYM.fullmatch(name) or is_asked or is_made or _owns_what_is_asked(question, name))
    if question.expects is Expects.PLACE and _owns_what_is_asked(question, name):
        return False
    if question.asks_for_sorts:  # "what kind of boat" is no name
        return False
    if question.expects is Expects.NAME and question.noun_asked:
        return _is_such(question.noun_asked, text, start, stop)
    return True


def _owns_what_is_asked(question: Question, name: str) -> bool:
    """Return whether a name has a word that owns what a question asks about: no Okonjo supervised "Okonjo's thesis".

    One of a family may bear the name of the other: "Okonjo's wife"; and a name may be told by who owns a part of it:
    "Brown's South African" plant is of a Brown that a question names.
    """
    owned = next(iter(owners_in(name)), "")
    words = {word.casefold() for word in name.split()}
    return bool(owners_in(question.text) & words) or (bool(owned) and set(analyze(owned)) <= question.asked)


def is_nobody(question: Question, text: str, start: int, stop: int) -> bool:
    """Return whether a person is asked for, and a name is that of a part ("Part A") or a heading in capitals.

    Such a heading runs into its text; a name in capitals mostly has an initial or stands within a sentence.
    """
    name = text[start:stop]
    opens = not text[:start].strip() and " " in name and "." not in name
    is_heading = opens and name.isupper() and not text.isupper()
    return question.expects is Expects.PERSON and (is_heading or _NUMBERED.search(name) is not None)


def _is_such(noun: str, text: str, start: int, stop: int) -> bool:
    """Return whether a sentence that has a noun says it of a name: in it, beside it, or as what it is or is called."""
    if noun in analyze(text[start:stop]) or (noun not in analyze(text) and noun not in _SAID):
        return True
    before, after = _CLAUSE.split(text[:start])[-1], _CLAUSE.split(text[stop:])[0]
    near = [*before.split()[-_BESIDE:], *after.split()[:_BESIDE]]
    is_told = _CALLED.search(text[max(0, start - _BEFORE) : start]) or _CALLED.match(text[stop:].lstrip(" ,"))
    return noun in analyze(" ".join(near)) or is_told is not None
