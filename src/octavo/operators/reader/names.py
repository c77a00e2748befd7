"""Short answers in words: the names, quoted titles and phrases of a sentence.

Owns which stretches of a sentence may name a person, a place or a thing, and how well each fits. Knows nothing about
how near they stand to a question's words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from octavo.decisions.rules.names import singular
from octavo.decisions.rules.question import Expects, Question
from octavo.decisions.rules.values import NUMBER_WORDS
from octavo.models.analyzer import analyze, is_function_word

Span = tuple[int, int, float]
"""[start, stop) in characters, and fit 0..1."""

_NAME = re.compile(
    r"(?<![\w'’])[A-Z][\w'’&-]*(?:\.[A-Z]\.?)?(?:(?:\s(?:of|the|and|for|de|van|von|der|&)){0,2}\s[A-Z][\w'’&.-]*\b)*"
)
_QUOTED = re.compile(r"[“\"‘]([^“”\"‘’]{2,80})[”\"’]")
_PHRASE = re.compile(r"[\w][\w'’&/-]*(?: (?:of )?[\w][\w'’&/-]*)*")
_CENTURY = re.compile(r"\b(?:(?:early|mid|late)[- ])?\d{1,2}(?:st|nd|rd|th)[- ]century\b|\b\d{3,4}s\b", re.IGNORECASE)
_BODY = re.compile(
    r"\b(?:Inc|Ltd|LLC|Corporation|Corp|Company|University|College|School|Institute|Department|Association|Group|Party|"
    r"Award|Council|Committee|Society|Bank|Museum|League|Cup|Records|Pictures|Conference|Federation|Act|Street)\b\.?"
)
_IN_PLACE = re.compile(r"\b(?:in|at|near|from|to|of)\s+(?:the\s+)?$", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|named|is|was|and|with)\s+$", re.IGNORECASE)
_NAMING = re.compile(r"\b(?:called|named|known as|by|is|are|was|were)\s+(?:the\s+|an?\s+)?$", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(?:an?|the)\s+$", re.IGNORECASE)
_TELLS_NOTHING = frozenset(
    ["following", "other", "same", "different", "various", "each", "every", "first", "next", "new", "main", "many"]
)
"""Words beside a noun that do not say which one it is."""
_TELLS_KIND = 0.3
"""Fit of a phrase that only says the noun asked for again."""
_DONE = re.compile(r"[a-z]{3,}(?<!e)(?<!r)ed|written|known|born|made|built|held|shown|given|taken|seen|sung|led|set")
"""Participles that may follow a name: "film directed by", "house built in"."""
_DONE_OF = re.compile(rf"(?:{_DONE.pattern}) (?:of|from|by|in|as) ")
_ENDS = re.compile(r"\b(made (?:of|from)|called|named|known as|based on)\W*$", re.IGNORECASE)
"""How a question ends whose answer stands after the same words."""
_AFTER_ITS_WORDS = 0.95
_TIME = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?: \d{1,2})?"
)
_ORIGIN = re.compile(r"[A-Z][a-z]+(?:ish|[aeiln]ese|ican|[ie]an)")
"""One word that tells where something is from and not what it is: "British", "Canadian"."""
_ASKS_ORIGIN = re.compile(r"\b(?:nationalit|language|citizen|ethnic|descent|from)\w*", re.IGNORECASE)
_MARKS = ".,;:!?()“”\"'’"
_LONGEST_PHRASE = 6
"""Words of a phrase in lower case that may be an answer."""

_WORDED = (Expects.PERSON, Expects.PLACE, Expects.NAME)


def named_spans(question: Question, sentence: str) -> Iterator[Span]:
    """Yield the stretches that a question for a person, place or thing may mean; none for other questions."""
    if question.expects not in _WORDED:
        return
    for first, whole in _stretches(question, sentence):
        begins = _DONE_OF.match(sentence, first, whole)
        start = begins.end() if begins else first
        stop = _trimmed(question, sentence, start, whole)
        text = sentence[start:stop]
        if not set(analyze(text)) <= question.asked:
            yield start, stop, _fit(question, text, sentence[:start])


def _trimmed(question: Question, sentence: str, start: int, stop: int) -> int:
    """Return where a phrase ends without verbs after it, and words that only repeat the question: "lamp used"."""
    last = sentence.rfind(" ", start, stop)
    while last > start and sentence[last + 1].islower():
        word = sentence[last + 1 : stop]
        terms = set(analyze(word))
        repeats = bool(terms) and terms <= question.asked - set(question.subject)
        if not repeats and not _DONE.fullmatch(word):
            break
        stop, last = last, sentence.rfind(" ", start, last)
    return stop


def _stretches(question: Question, sentence: str) -> Iterator[tuple[int, int]]:
    for found in _NAME.finditer(sentence):
        start = found.start() + _function_words(found.group())
        opens_sentence = found.start() == 0 and " " not in sentence[start : found.end()]
        if start < found.end() and not opens_sentence:
            yield start, found.end()
    for found in _QUOTED.finditer(sentence):
        yield found.span(1)
    if question.expects is Expects.NAME:
        yield from _phrases(sentence)
        if "centuri" in question.asked:
            yield from (found.span() for found in _CENTURY.finditer(sentence))


def _function_words(text: str) -> int:
    """Return how many characters of function words a text opens with."""
    at = 0
    for word in text.split():
        if not is_function_word(word):
            break
        at += len(word) + 1
    return at


def _phrases(sentence: str) -> Iterator[tuple[int, int]]:
    """Yield runs of content words, at most as long as a short answer is."""
    for found in _PHRASE.finditer(sentence):
        first, last, words = -1, -1, 0
        for word in re.finditer(r"\S+", found.group()):
            if is_function_word(word.group()) and not (word.group() == "of" and words):
                if 0 < words <= _LONGEST_PHRASE:
                    yield found.start() + first, found.start() + last
                words, first = 0, -1
                continue
            first = word.start() if first < 0 else first
            words += 1
            last = word.end() if word.group() != "of" else last
        if 0 < words <= _LONGEST_PHRASE:
            yield found.start() + first, found.start() + last


def _fit(question: Question, text: str, before: str) -> float:
    words = text.split()
    if _TIME.fullmatch(text) or (_ORIGIN.fullmatch(text) and not _ASKS_ORIGIN.search(question.text)):
        return _TELLS_KIND / 2
    if question.expects is Expects.PERSON:
        return _person_fit(words, text, before)
    ends = _ENDS.search(question.text)
    if ends and before.rstrip().lower().endswith(ends[1].lower()):
        return _AFTER_ITS_WORDS
    is_name = text[0].isupper() or text[0].isdigit()
    if question.expects is Expects.PLACE:
        return (0.9 if _IN_PLACE.search(before) else 0.45) if is_name else 0.2
    head = set(question.subject[-1:])
    if head & set(analyze(text)) and len(words) > 1:
        return 0.9 if _tells_one(question, words, head) else _TELLS_KIND
    if is_name:
        return 0.65 if _NAMING.search(before) else 0.5
    return 0.45 if _NAMING.search(before) else 0.3 if _ARTICLE.search(before) else 0.15


def _tells_one(question: Question, words: Sequence[str], head: AbstractSet[str]) -> bool:
    """Say whether a phrase with the noun asked for says which one it is: "three rungs" and "each rung" do not."""
    asked = {word.strip(_MARKS).lower() for word in question.text.split()}
    named = [word for word in words if head & set(analyze(word))]
    if named and all(_is_plural(word) and word.lower() not in asked for word in named):
        return False
    others = [word.lower() for word in words if word not in named]
    return any(word not in NUMBER_WORDS and word not in _TELLS_NOTHING and word not in asked for word in others)


def _is_plural(word: str) -> bool:
    return singular(word.lower()) != word.lower()


def _person_fit(words: list[str], text: str, before: str) -> float:
    looks_like_one = 2 <= len(words) <= 4 and all(word[0].isupper() and word.upper() != word for word in words[::3])
    if looks_like_one and not _BODY.search(text):
        return 1.0 if _BY.search(before) else 0.85
    return 0.45 if _BY.search(before) else 0.25
