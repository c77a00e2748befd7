"""A fragment put in the place of the part of the earlier question that is of its type: "and in 2021?" for "in 2019"."""

from __future__ import annotations

import re

from octavo.question.follow_up.phrases import (
    PREPOSITIONS,
    Asked,
    follows_preposition,
    objects_of,
    simple_phrases,
    values_with_months,
    words_of,
)
from octavo.text.analyzer import analyze

_EXTREME = re.compile(
    r"\b(?:[a-z]{2,}est|most|least|maximum|minimum|max|min|first|last|best|worst|more|less|fewer)\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_ARTICLE = re.compile(r"(?:the|an?)\s+", re.IGNORECASE)
_NO_EXTREME = frozenset(("interest", "test", "request", "forest", "harvest", "guest", "west", "rest", "nest", "chest"))


def exchanged(fragment: str, earlier: Asked) -> str:
    """Return the earlier question with the fragment in the place of a part; where none is like it, with it added."""
    fragment = _without_capital(fragment)
    for read in (_value, _counted, _placed, _of_the_same_head, _extreme, _owned, _owner, _name, _phrase, _plain):
        found = read(fragment, earlier)
        if found is not None:
            return f"{found.rstrip(' ?.')}?"
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


def _of_the_same_head(fragment: str, earlier: Asked) -> str | None:
    """Exchange the phrase that ends in the same word: "the industrial segment" for "the consumer segment"."""
    head = next((word for word in reversed(words_of(fragment)) if word.is_content), None)
    terms = analyze(head.text) if head else []
    for at, word in enumerate(earlier.words):
        if not terms or analyze(word.text) != terms or at < max(earlier.wh, 1):
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


def extremes(text: str) -> list[re.Match[str]]:
    """Return the superlatives of a text, and words such as "maximum"."""
    return [found for found in _EXTREME.finditer(text) if found.group().lower() not in _NO_EXTREME]


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
