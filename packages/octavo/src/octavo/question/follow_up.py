"""Making a question whole without a model: only what is clearly open is completed, by the form of the questions alone.

Clearly open are: a question of question words alone ("Why not?"), a fragment after "and" or "what about" ("and in
2021?"), which takes the place of the part of the earlier question that is of its type, and a short question whose
pronoun stands before anything it could mean ("How long is it?"). All else is asked as it stands.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from octavo.question.phrases import (
    BE,
    PREPOSITIONS,
    Asked,
    follows_preposition,
    is_bare,
    is_fragment,
    objects_of,
    simple_phrases,
    spelt_out,
    values_with_months,
    words_of,
)
from octavo.question.pointing_back import points_back
from octavo.question.referents import SHORT_ANSWER, extremes, is_open, pointed
from octavo.question.understand import understand
from octavo.question.words import DOCUMENT
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.lines import on_one_line

_LONGEST = 300
"""Characters; a longer question says what it is about."""
_LEAD = lazy_regex(r"^(?:(?:and|but|so|or|then|also|ok|okay|well)\b[\s,.:!…-]*)+", re.IGNORECASE)
_JOINING = lazy_regex(r"\b(?:and|but|or|also)\b", re.IGNORECASE)
_ABOUT = lazy_regex(r"^(?:what|how)\s+about\s+|^(?:the\s+)?same\s+(?:question\s+)?for\s+", re.IGNORECASE)
_STAND_IN = lazy_regex(r"^(?:the|that|those|these)?\s*\b(?:ones?|those|that)\s+(?=\S)", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class Completed:
    """A question made whole, and the documents it is about alone; () for all."""

    question: str
    documents: tuple[str, ...] = ()


def complete(question: str, turns: Sequence[PastTurn], documents: Sequence[str] = ()) -> Completed | None:
    """Return the question to ask in the place of one that the turns before complete; None for one that stands alone."""
    text = on_one_line(question)
    if not turns or len(text) > _LONGEST:
        return None
    other = next((one for one in (turns[-1].question, text) if understand(one).language != ENGLISH), "")
    if other and (points := points_back(text, turns[-1].question, understand(other).language)) is not None:
        return _kept(Completed(points), turns[-1], documents)
    last = next((turn for turn in reversed(turns) if _asks(turn.question)), None)
    if last is None or len(last.question) > _LONGEST:
        return None
    return (found := _in_english(text, last, documents)) and _kept(found, last, documents)


def _kept(found: Completed, last: PastTurn, documents: Sequence[str]) -> Completed:
    """Return a question, asked of the documents of the last answer where its words were only set beside the others."""
    kept = tuple(name for name in documents if name in last.documents and found.question.endswith(")"))
    return dataclasses.replace(found, documents=found.documents or kept)


def _in_english(text: str, last: PastTurn, documents: Sequence[str]) -> Completed | None:
    """Return what an earlier question makes of one in English; None for one that stands alone."""
    base, noted = _apart(last.question)
    earlier = Asked.of(base)
    lead = _LEAD.match(text)
    own = text[lead.end() :] if lead else text
    about = _ABOUT.match(own)
    own = spelt_out(own[about.end() :] if about else own).strip(" ,")
    if is_bare(own):
        if noted and not is_bare(base):
            return Completed(_beside(own, earlier.told, noted))
        return Completed(_asked_again(own, Asked.of(noted) if noted else earlier, last.answer))
    if is_fragment(own, is_led=bool(about or (lead and _JOINING.search(lead.group())))):
        own = _STAND_IN.sub("", own)
        meant = documents_meant(own, last, documents)
        if meant:
            return Completed(last.question, meant)
        is_left_open = bool(noted) and (is_bare(base) or is_open(base))
        return Completed(
            _beside(base, *_flat(exchanged(own, Asked.of(noted)))) if is_left_open else exchanged(own, earlier)
        )
    found = _counting(own, earlier) or pointed(own, earlier, last.answer)
    if found is None:
        return None
    return Completed(_beside(own, earlier.told, noted) if noted else found)


def _apart(question: str) -> tuple[str, str]:
    """Return a question's own words, and what was set beside them in brackets; "" for nothing."""
    own, told, rest = question.partition("? (")
    return (f"{own}?", rest.removesuffix(")")) if told and rest.endswith(")") else (question, "")


def _flat(question: str) -> list[str]:
    """Return what a question says and what was set beside it, without their marks."""
    return [part.rstrip(" ?") for part in _apart(question) if part]


def _beside(own: str, *notes: str) -> str:
    """Return a question with notes beside it, in one pair of brackets."""
    return f"{own[:1].upper()}{own[1:].rstrip(' ?')}? ({'; '.join(notes)})"


def _asks(question: str) -> bool:
    """Whether a question is one that another may follow: "thanks" is none."""
    asked = Asked.of(question)
    content = sum(word.is_content for word in asked.words)
    return content > 1 or (content == 1 and bool(asked.wh or asked.auxiliary))


def _counting(own: str, earlier: Asked) -> str | None:
    """Return "how many did Jones get?" with what was counted before; None for another question."""
    asked = Asked.of(own)
    if not (asked.begins == earlier.begins == "how many") or asked.thing or not earlier.thing or not asked.auxiliary:
        return None
    return f"How many {earlier.thing} {asked.auxiliary} {asked.rest}?"


def _asked_again(own: str, earlier: Asked, answer: str) -> str:
    """Return what an earlier question becomes with other words that ask: "Why?" gives "Why was the mast replaced?"."""
    first = own[:1].upper() + own[1:]
    if own.lower().split()[-1] in ("one", "ones") and earlier.thing:
        return f"{first.rsplit(' ', 1)[0]} {earlier.told}?"
    is_simple = bool(earlier.rest) and words_of(own)[-1].lower not in ("not", "else", "then", "so", "come", "exactly")
    if is_simple and earlier.auxiliary and (not earlier.wh or (earlier.auxiliary not in BE and not earlier.thing)):
        return f"{first} {earlier.auxiliary} {earlier.rest}?"
    if own.lower() == "why" and earlier.auxiliary in BE and not earlier.thing and 0 < len(answer) <= SHORT_ANSWER:
        return f"{first} {earlier.auxiliary} {earlier.rest} {answer}?"
    return f"{first}? ({earlier.told})"


_YEAR = lazy_regex(r"(?:1[5-9]|20)\d\d")
_ARTICLE = lazy_regex(r"(?:the|an?)\s+", re.IGNORECASE)


def exchanged(fragment: str, earlier: Asked) -> str:
    """Return the earlier question with the fragment in the place of a part; where none is like it, with it added."""
    fragment = _without_capital(fragment)
    readings = (_value, _counted, _placed, _one_like_it, _of_the_same_head, _extreme)
    for read in (*readings, _owned, _owner, _name, _phrase, _plain):
        found = read(fragment, earlier)
        if found is not None:
            return found if found.endswith(")") else f"{found.rstrip(' ?.')}?"
    if fragment.partition(" ")[0] in PREPOSITIONS:
        return f"{earlier.text} {fragment}?"
    if _YEAR.fullmatch(fragment):
        return f"{earlier.text} in {fragment}?"
    return f"{earlier.text}? ({fragment})"


def _without_capital(fragment: str) -> str:
    first = fragment.partition(" ")[0].lower()
    return fragment[:1].lower() + fragment[1:] if first in PREPOSITIONS | {"the", "a", "an"} else fragment


def _content(text: str) -> list[str]:
    return [word.text for word in words_of(text) if word.is_content]


def _put(earlier: Asked, start: int, stop: int, text: str) -> str:
    return earlier.text[:start] + text + earlier.text[stop:]


def _value(fragment: str, earlier: Asked) -> str | None:
    """Exchange values of the same kind: all of them, or the last one for a single one."""
    new = values_with_months(fragment)
    if not new or not _rest_terms(fragment, [value.text for value in new]) <= {*analyze(earlier.text)}:
        return None
    kind = new[-1].kind
    old = [value for value in values_with_months(earlier.text) if value.kind is kind]
    if len(old) != len(new) or any(value.kind is not kind for value in new):
        return None
    text = earlier.text
    for before, after in reversed([*zip(old, new, strict=True)]):
        text = text[: before.start] + after.text + text[before.stop :]
    return text


def _rest_terms(text: str, values: list[str]) -> set[str]:
    for value in values:
        text = text.replace(value, " ")
    return {*analyze(text)}


def _counted(fragment: str, earlier: Asked) -> str | None:
    """Exchange what is counted: "how much pectin" for "how much sugar"."""
    words = words_of(fragment)
    if len(words) < 3 or " ".join(word.lower for word in words[:2]) != earlier.begins or not earlier.thing:
        return None
    at = earlier.text.index(earlier.thing)
    return _put(earlier, at, at + len(earlier.thing), fragment[words[2].start :])


def _placed(fragment: str, earlier: Asked) -> str | None:
    """Exchange what stands after the same preposition, a name for a name and a phrase for a phrase."""
    preposition, _, thing = fragment.partition(" ")
    if preposition.lower() not in PREPOSITIONS or not thing:
        return None
    for start, stop in reversed(objects_of(earlier.text, preposition)):
        if _shape(earlier.text[start:stop]) == _shape(thing):
            return _put(earlier, start, stop, thing)
    return None


def _shape(text: str) -> str:
    """Return what a phrase is like: a value, a name, or another thing."""
    if values_with_months(text):
        return "value"
    words = [word for word in words_of(text) if word.is_content]
    return "name" if words and all(word.is_name for word in words) else "thing"


_LIKE_IT = lazy_regex(r"(?:the\s+)?(?P<which>\S.*?)\s+ones?", re.IGNORECASE)


def _one_like_it(fragment: str, earlier: Asked) -> str | None:
    """Exchange what tells a thing from others of its sort: "the red one" for "the blue rope"; of two such neither."""
    found = _LIKE_IT.fullmatch(fragment)
    phrases = [earlier.text[start:stop] for start, stop in simple_phrases(earlier.text)]
    told = [phrase for phrase in phrases if _ARTICLE.match(phrase) and len(_content(phrase)) > 1]
    if found is None or len(told) != 1:
        return None
    at = earlier.text.index(told[0]) + (article.end() if (article := _ARTICLE.match(told[0])) else 0)
    if _shape(told[0]) == "name":  # "the Lion Air one" of "the Ethiopian Airlines accident"
        is_name = _shape(found["which"]) == "name"
        return _put(earlier, at, earlier.text.index(told[0]) + len(told[0]), found["which"]) if is_name else None
    stop = earlier.text.index(told[0]) + words_of(told[0])[-1].start
    return _put(earlier, at, stop, f"{found['which']} ")


def _of_the_same_head(fragment: str, earlier: Asked) -> str | None:
    """Exchange the phrase that ends in the same word: "the industrial segment" for "the consumer segment"."""
    head = next((word for word in reversed(words_of(fragment)) if word.is_content), None)
    terms = analyze(head.text) if head else []
    # Of "how many client connections" what is counted may be exchanged, the words that ask not.
    first_of_thing = 2 if earlier.begins in ("how many", "how much") else max(earlier.wh, 1)
    for at, word in enumerate(earlier.words):
        if not terms or analyze(word.text) != terms or at < first_of_thing:
            continue
        first = at
        while first > 0 and earlier.words[first - 1].is_content:
            first -= 1
        has_article = first > 0 and _ARTICLE.match(f"{earlier.words[first - 1].text} ") is not None
        if first == at and not has_article:
            return None
        start = earlier.words[first - (has_article and _ARTICLE.match(fragment) is not None)].start
        return _put(earlier, start, word.stop, fragment)
    return None


def _extreme(fragment: str, earlier: Asked) -> str | None:
    """Exchange a superlative: "the shortest" for "the longest"."""
    new, old = extremes(fragment), extremes(earlier.text)
    if len(new) != 1 or len(old) != 1 or len(_content(fragment)) > 1:
        return None
    return _put(earlier, *old[0].span(), new[0].group())


def _name(fragment: str, earlier: Asked) -> str | None:
    """Exchange a name for the name the question is about: the first that no preposition places, else the last one."""
    if _shape(fragment) != "name":
        return None
    phrases = [
        (start, stop) for start, stop in simple_phrases(earlier.text) if _shape(earlier.text[start:stop]) == "name"
    ]
    free = [phrase for phrase in phrases if not follows_preposition(earlier.text, phrase[0])]
    if not phrases:
        return None
    start, stop = free[0] if free else phrases[-1]
    article = _ARTICLE.match(earlier.text[start:stop])
    if article and not _ARTICLE.match(fragment):
        start += article.end()
    return _put(earlier, start, stop, fragment)


def _owned(fragment: str, earlier: Asked) -> str | None:
    """Exchange what a thing has: "its density" for "the boiling point" of ethanol."""
    new = re.match(r"(?:its|their|his|her)\s+(\S.*)", fragment, re.IGNORECASE)
    old = re.search(r"\bthe\s+((?:(?!the\b)[\w-]+\s+){1,4}?)of\s+\w", earlier.text)
    return _put(earlier, *old.span(1), f"{new[1]} ") if new and old else None


def _owner(fragment: str, earlier: Asked) -> str | None:
    """Exchange whose a thing is: "the men's" for "the women's"."""
    owner = r"(?:the\s+)?\b[\w-]+(?:['’]s|s['’])(?!\w)"
    old = re.search(owner, earlier.text)
    return _put(earlier, *old.span(), fragment) if old and re.fullmatch(owner, fragment) else None


def _plain(fragment: str, earlier: Asked) -> str | None:
    """Exchange one word without an article for the only such word after a preposition: "kale" for "in spinach"."""
    found = [
        (start, stop)
        for preposition in sorted({word.lower for word in earlier.words} & PREPOSITIONS)
        for start, stop in objects_of(earlier.text, preposition)
        if " " not in earlier.text[start:stop] and _shape(earlier.text[start:stop]) == "thing"
    ]
    is_plain = " " not in fragment and _shape(fragment) == "thing"
    return _put(earlier, *found[0], fragment) if is_plain and len(found) == 1 else None


def _phrase(fragment: str, earlier: Asked) -> str | None:
    """Exchange the last phrase with an article for another one: "the drip tray" for "the milk nozzle"."""
    if not _ARTICLE.match(fragment) or not _content(fragment):
        return None
    phrases = [
        (start, stop)
        for start, stop in simple_phrases(earlier.text)
        if _shape(earlier.text[start:stop]) == "thing" and _ARTICLE.match(earlier.text[start:stop])
    ]
    return _put(earlier, *phrases[-1], fragment) if phrases else None


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PLACED = lazy_regex(
    rf"^(?:in|on|by|according to)?\s*the\s+(?P<which>{'|'.join(_ORDINALS)}|last|other)\s+"
    rf"(?P<noun>{DOCUMENT})$",
    re.IGNORECASE,
)
_OPENING = lazy_regex(r"^(?:in|on|by|for|of|according to)\s+", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class PastTurn:
    """A question as it was understood, and what came of it."""

    question: str
    answer: str = ""
    """The short answer; "" where passages were shown or nothing was found."""
    places: tuple[str, ...] = ()
    """Documents and sections that were cited, as "report.pdf, 3 Results"."""
    documents: tuple[str, ...] = ()
    """Names of the documents that were cited."""


def documents_meant(text: str, last: PastTurn, documents: Sequence[str]) -> tuple[str, ...]:
    """Return the document in scope that a fragment names, whole, by its place among them, or as the other one of two.

    Of an ordinal that the earlier question uses for a thing of its own ("the first report") nothing is taken.
    """
    named = _key(_OPENING.sub("", text))
    for name in documents:
        if named in (_key(name), _key(name.rpartition(".")[0])):
            return (name,)
    found = _PLACED.match(text)
    if found is None or len(documents) < 2 or re.search(rf"\b{found['noun']}\b", last.question, re.IGNORECASE):
        return ()
    which = found["which"].lower()
    if which == "other":
        others = [name for name in documents if name not in last.documents]
        return (others[0],) if len(documents) == 2 and len(others) == 1 else ()
    at = len(documents) - 1 if which == "last" else _ORDINALS.index(which)
    return (documents[at],) if at < len(documents) else ()


def _key(name: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", name.casefold()))
