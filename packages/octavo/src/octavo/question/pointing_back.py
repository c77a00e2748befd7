"""Questions in other languages than English that point back to the one before, told by the words in their tables."""

from __future__ import annotations

import enum
import re
from functools import cache

from octavo_documents.text.analyzer import analyze, is_function_word
from octavo_documents.text.languages import language, plain

_LONGEST_BEFORE = 300
"""Characters of a question that another may point back to."""
_MOST_LED = 2
"""Terms of a question that begins with "and"; one of more says what it is about."""
_MOST_ASKING = 3
"""Words of a question of a question word and one more ("Wie oft?", "Con quale frequenza?")."""
_MOST_SIGNS = 2
"""Characters beside its question word of such a question where no spaces part words ("多久一次")."""
_ENDS = " ¿¡?!.？！。؟;"
_BETWEEN = "; "
"""What stands between the questions that a question was completed with."""
_NO_QUESTION_WORDS = ("yes_no", "list", "definition")


class _Open(enum.Enum):
    """How a question leaves something open."""

    LED = "led"
    """By going on with another thing ("Und der Motor?")."""
    BARE = "bare"
    """By asking something else of the same thing ("Wie oft?", "Was kostet das?")."""


def points_back(text: str, before: str, code: str) -> str | None:
    """Return a question in another language than English with the one before it, where its words point back to it.

    They do in a question of function words alone ("Von wem?") or with one word after a question word ("Wie oft?"), in a
    short one that begins with "and" ("Und der Preis?"), and in one with a single other word, no name, beside a pronoun
    ("Was kostet das?"). Of a question that was completed itself only those parts are kept that the new one leaves open.
    """
    kind = _left_open(text, code)
    if kind is None or len(before) > _LONGEST_BEFORE:
        return None
    *parts, first = _parts(before, code)
    kept = [part for part in parts if _left_open(part, code) is not kind]
    return f"{text.rstrip(_ENDS)}? ({_BETWEEN.join((*kept, first.rstrip(_ENDS)))})"


def _parts(question: str, code: str) -> list[str]:
    """Return a question's own words, and the questions that completed it, the one that stands alone last."""
    own, told, base = question.partition("? (")
    if not told or _left_open(own, code) is None:
        return [question]
    *between, first = base.removesuffix(")").split(_BETWEEN)
    if all(_left_open(part, code) is not None for part in between):
        return [own, *between, first]
    return [own, base.removesuffix(")")]


def _left_open(text: str, code: str) -> _Open | None:
    """Return how a question leaves open what it is about; None for one that says it."""
    spoken = language(code)
    words = [word for word in text.casefold().strip(_ENDS).split() if word.strip(_ENDS)]
    if not words:
        return None
    terms = analyze(text, code)
    if words[0].lstrip(_ENDS) in spoken.joining and len(terms) <= _MOST_LED:
        return _Open.LED if terms else _Open.BARE
    if not terms:
        return _Open.BARE
    has_name = any(word[:1].isupper() for word in text.split()[1:])
    points = len(terms) <= 1 and any(word in spoken.pointing for word in words)
    is_bare = _asks_alone(words, code) if spoken.is_spaced else _asks_in_signs(text, code)
    return _Open.BARE if (points or is_bare) and not has_name else None


def _asks_alone(words: list[str], code: str) -> bool:
    """Return whether a question has one word with content, its last one, right after a question word."""
    *before, last = words
    if not language(code).asks:  # nothing says which words ask: the one before is a small one
        return len(before) == 1 and is_function_word(before[0], code)
    asking = bool(before) and plain(before[-1]) in _question_words(code)
    alone = all(is_function_word(word, code) or plain(word) in _question_words(code) for word in before)
    return asking and alone and len(words) <= _MOST_ASKING and last.isalpha()


def _asks_in_signs(text: str, code: str) -> bool:
    """Return the same of a question in a script without spaces."""
    said = plain(text.strip(_ENDS))
    asks = (said for kind, phrases in language(code).asks if kind not in _NO_QUESTION_WORDS for said in phrases)
    return any(plain(one) in said and len(said) - len(plain(one)) <= _MOST_SIGNS for one in asks)


@cache
def _question_words(code: str) -> frozenset[str]:
    """Return the single words that ask in a language, without accents."""
    phrases = (phrase for kind, said in language(code).asks if kind not in _NO_QUESTION_WORDS for phrase in said)
    words = (re.split(r"[\s'’]+", plain(phrase.lstrip("^")))[0] for phrase in phrases)
    return frozenset(word for word in words if is_function_word(word, code) or _is_alone(word, code))


def _is_alone(word: str, code: str) -> bool:
    """Return whether a word asks without any other ("wann")."""
    return any(word == plain(phrase.lstrip("^")) for _, phrases in language(code).asks for phrase in phrases)
