"""What the pronouns of a short question mean, told by the form of the question before it and of its answer."""

from __future__ import annotations

import dataclasses
import re

from octavo.question.expects import Expects
from octavo.question.phrases import (
    AUXILIARIES,
    BE,
    DO,
    PREPOSITIONS,
    WH,
    Asked,
    Word,
    follows_preposition,
    simple_phrases,
    whole_phrase,
    words_of,
)
from octavo.question.understand import understand
from octavo_documents.lazy import lazy_regex

SHORT_ANSWER = 60
"""Characters of an answer that can stand in a question."""
_PERSON = frozenset(("he", "she", "him", "her", "his", "hers"))
_THING = frozenset(("it", "its"))
_SEVERAL = frozenset(("they", "them", "their", "theirs"))
_POINTING = frozenset(("that", "this", "these", "those"))
_PRONOUNS = _PERSON | _THING | _SEVERAL | _POINTING
_OWNING = frozenset(("its", "their", "his"))
_MOST_CONTENT = {"person": 3, "thing": 3, "several": 1, "pointing": 1}
"""The most content words, numbers aside, beside a pronoun that is open.

"They" is said of whoever wrote what is read, so that a question with it says more by itself; so it is with "this".
"""
_EXPLETIVE = lazy_regex(r"\bit\b.*\b(?:to|that|if)\s+\w|\b(?:time|day|date) is it\b", re.IGNORECASE)
_EXTREME = lazy_regex(
    r"\b(?:[a-z]{2,}est|most|least|maximum|minimum|max|min|first|last|best|worst|more|less|fewer)\b", re.IGNORECASE
)
_NO_EXTREME = frozenset(("interest", "test", "request", "forest", "harvest", "guest", "west", "rest", "nest", "chest"))


@dataclasses.dataclass(frozen=True, slots=True)
class _Pointer:
    word: Word
    sort: str


def is_open(own: str) -> bool:
    """Return whether a short question has a pronoun and nothing that it could mean."""
    return bool(_open(own))


def pointed(own: str, earlier: Asked, answer: str) -> str | None:
    """Return a question with what its pronouns mean in their place; None where it leaves nothing open."""
    pointers = _open(own)
    if not pointers:
        return None
    if not any(word.lower in WH | AUXILIARIES for word in words_of(own)):  # "and opposed it?"
        return f"{earlier.text}? ({own[:1].lower()}{own[1:]})"
    if _is_done(own, pointers[-1].word):  # "Who does it?": what was asked about is done, not a thing
        return f"{own[:1].upper()}{own[1:]}? ({earlier.told})"
    put = [(pointer.word, _referent(pointer, own, earlier, answer)) for pointer in pointers]
    text = own
    for word, referent in reversed(put):
        if referent:
            text = text[: word.start] + referent + text[word.stop :]
    text = text[:1].upper() + text[1:]
    return f"{text}?" if all(referent for _, referent in put) else f"{text}? ({earlier.told})"


def _is_done(own: str, pronoun: Word) -> bool:
    """Return whether a pronoun ends a question right after "do"."""
    *before, last = words_of(own)
    is_last = last.start == pronoun.start and last.lower in ("it", "that", "this")
    return is_last and bool(before) and before[-1].lower in DO


def _open(own: str) -> list[_Pointer]:
    """Return the pronouns of a short question in which nothing stands that they could mean, one of each sort."""
    words = words_of(own)
    found: dict[str, _Pointer] = {}
    for at, word in enumerate(words):
        if word.lower in _PRONOUNS and _stands_alone(words, at):
            found.setdefault(_sort(word), _Pointer(word, _sort(word)))
    if not found or _EXPLETIVE.search(own) or _is_about(words):
        return []
    pointers = sorted(found.values(), key=lambda pointer: pointer.word.start)
    if "pointing" in found and "thing" in found:  # "Where does it say that?": it is the document
        pointers = [found["pointing"]]
    asked = Asked.of(own)
    content = [word for word in words[asked.wh :] if word.is_content and not word.text[0].isdigit()]
    limit = min(_MOST_CONTENT[pointer.sort] for pointer in pointers)
    before = [word for word in content if word.start < pointers[0].word.start]
    has_phrase = any(stop <= pointers[0].word.start for _, stop in simple_phrases(own))
    return [] if len(content) > limit or len(before) > 1 or has_phrase else pointers


def _sort(word: Word) -> str:
    lower = word.lower
    sorts = (("person", _PERSON), ("thing", _THING), ("several", _SEVERAL))
    return next((name for name, words in sorts if lower in words), "pointing")


def _stands_alone(words: list[Word], at: int) -> bool:
    """Whether a demonstrative is no article, conjunction or relative pronoun; other pronouns always stand alone."""
    if words[at].lower not in _POINTING:
        return True
    after = words[at + 1 :]
    if not after:
        return True
    if at > 0 and words[at - 1].lower in DO:
        return len(after) == 1
    is_first = at == 0 or words[at - 1].lower in AUXILIARIES | WH | PREPOSITIONS
    return is_first and (after[0].lower in AUXILIARIES | PREPOSITIONS or (len(after) == 1 and after[0].is_content))


def _is_about(words: list[Word]) -> bool:
    """Whether a question is what a thing is about: the document is meant."""
    return words[-1].lower == "about" and not any(word.is_content for word in words)


def _referent(pointer: _Pointer, own: str, earlier: Asked, answer: str) -> str:
    """Return what a pronoun means, with its ending where it says whose; "" where no phrase says it."""
    if pointer.sort == "person":
        found = _person(earlier, answer)
    elif pointer.sort == "thing":
        found = _thing(earlier, answer)
    elif pointer.sort == "several":
        found = _several(earlier) or _thing(earlier, answer)
    else:
        found = earlier.rest if _is_place_of_phrase(earlier) else ""
    owns = pointer.word.lower in _OWNING or (pointer.word.lower == "her" and _is_before_content(pointer.word, own))
    return f"{found}{'’' if found.endswith('s') else '’s'}" if found and owns else found


def _is_before_content(word: Word, own: str) -> bool:
    after = words_of(own[word.stop :])
    return bool(after) and after[0].is_content


def _is_place_of_phrase(earlier: Asked) -> bool:
    """Whether an earlier question asks what, who or where one thing is: what follows "is" is that thing."""
    if earlier.auxiliary not in ("is", "are") or not earlier.wh or earlier.thing:
        return False
    found = simple_phrases(f"of {earlier.rest}")
    return bool(found) and whole_phrase(f"of {earlier.rest}", *found[0]) == earlier.rest


def _person(earlier: Asked, answer: str) -> str:
    asks = understand(earlier.text).expects is Expects.PERSON
    if asks:
        return answer if _is_name(answer) else ""
    names = [
        earlier.text[start:stop]
        for start, stop in simple_phrases(earlier.text)
        if not follows_preposition(earlier.text, start)
    ]
    return next((name for name in names if name[0].isupper()), names[0] if len(names) == 1 else "")


def _is_name(answer: str) -> bool:
    return 0 < len(answer) <= SHORT_ANSWER and answer[0].isupper() and not answer.endswith(".")


def _is_named(answer: str) -> bool:
    return _is_name(answer) or re.match(r"the [A-Z]", answer) is not None


def _chosen(earlier: Asked) -> str:
    """Return the one thing a question asks to tell from others: "the sensor mounted in the nacelle"; "" for none."""
    if not earlier.thing or earlier.auxiliary not in BE or earlier.begins not in ("which", "what"):
        return ""
    rest, thing = earlier.rest, earlier.thing
    if extremes(rest) and any(start == 3 for start, _ in simple_phrases(f"of {rest}")):
        return f"{rest} {thing}" if len(words_of(rest)) == 2 else ""
    return "" if any(start == 3 for start, _ in simple_phrases(f"of {rest}")) else f"the {thing} {rest}"


def _several(earlier: Asked) -> str:
    return f"the {earlier.thing}" if earlier.thing.endswith("s") else ""


def _thing(earlier: Asked, answer: str) -> str:
    """Return what an earlier question is about; where it names nothing, its answer."""
    text = earlier.text
    if chosen := _chosen(earlier):
        return answer if _is_named(answer) else chosen
    first = earlier.words[earlier.wh].start if earlier.wh < len(earlier.words) else 0
    found = [(start, stop) for start, stop in simple_phrases(text) if start >= first]
    if not found:
        return answer if _is_named(answer) else ""
    if earlier.thing and earlier.begins in ("which", "what") and follows_preposition(text, found[0][0]):
        return ""  # "What meetings must schools hold about Title I?": these or what they are about
    asks_who = understand(text).expects is Expects.PERSON and earlier.auxiliary
    return text[slice(*found[-1])] if asks_who and len(found) > 1 else whole_phrase(text, *found[0])


def extremes(text: str) -> list[re.Match[str]]:
    """Return the superlatives of a text, and words such as "maximum"."""
    return [found for found in _EXTREME.finditer(text) if found.group().lower() not in _NO_EXTREME]
