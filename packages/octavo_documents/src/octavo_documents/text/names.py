"""Names: their normal form, how alike two are, and the acronyms that a document introduces.

Whether two names are surely or perhaps of one thing is decided by their letters alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import fold, is_function_word
from octavo_documents.text.lines import on_one_line

_WORD = lazy_regex(r"[^\W_]+(?:[.][^\W_]+)*[+#]*|[%$€£&]")
_DOTTED = lazy_regex(r"\b(?:[^\W\d_]\.){2,}|\b[^\W\d_](?:\.[^\W\d_])+\b")
_POSSESSIVE = lazy_regex(r"['’]s?(?=\s|$)")
_ARTICLES = frozenset({"the", "a", "an"})
_HONORIFICS = frozenset("mr mrs ms dr prof professor sir madam president senator sen rep gov hon rev".split())  # noqa: SIM905
LEGAL_FORMS = frozenset(
    "inc incorporated corp corporation ltd limited llc llp plc gmbh ag sa nv bv co company pty oy ab kg".split()  # noqa: SIM905
)
_GENERIC = frozenset(
    """agency algorithm app approach architecture association benchmark board brand center centre commission
    committee company corporation corpus council dataset department foundation framework group institute method
    model module network organization organisation package platform program programme project service software
    system team technique tool toolbox""".split()  # noqa: SIM905
)
"""What may stand behind a name without making it the name of another thing."""
_CONTAINED = 0.45
"""The most that a name with words the other lacks is alike: less than "low" in resolution."""
_GENERIC_TAIL = 0.75
_TYPO = 0.9
_ABBREVIATED = 0.85
_SHORT = r"[A-Z][A-Za-z]?[A-Z&][A-Za-z0-9&-]{0,8}|[A-Z]{2,8}(?:-\d+)?s?|(?:[A-Z]\.){2,6}"
_AFTER = lazy_regex(
    rf"[(\[][\"“'‘]?(?:the\s+|or\s+)?[\"“'‘]?(?P<short>{_SHORT})[\"”'’]?(?:[;,][^()\[\]]{{0,40}})?[)\]]"
)
"""What stands in brackets after the words it is short for."""
_BEFORE = lazy_regex(
    rf"(?<![\w-])(?P<short>{_SHORT})(?:\s+[(\[]|,?\s+(?:stands|is short) for\s+|\s+[–—=:]\s+)"
    r"(?P<long>[^()\[\].;:,]{5,90})"
)
_LETTERS = lazy_regex(r"[^\W_]+(?:[.'’&][^\W_]+)*|-|&")
_MOST_WORDS = 10


@lru_cache(maxsize=65_536)
def caseless(text: str) -> str:
    """Return a text on one line and without case, as two spellings of a name are compared."""
    return on_one_line(text.casefold())


def name_words(name: str) -> tuple[str, ...]:
    """Return the words that tell a name: folded, in the singular, without articles, honorifics and legal forms.

    >>> name_words("The Grey Herons, Inc.")
    ('grey', 'heron')
    """
    plain = _DOTTED.sub(lambda found: found.group().replace(".", ""), _POSSESSIVE.sub(" ", name))
    words = [singular(word) for word in _WORD.findall(fold(plain))]
    while len(words) > 1 and (words[0] in _ARTICLES or words[0] in _HONORIFICS):
        del words[0]
    while len(words) > 1 and words[-1] in LEGAL_FORMS:
        words.pop()
    return tuple(words)


def normal_form(name: str) -> str:
    """Return a text that is equal for names that differ in case, accents, hyphens, spaces, number or legal form."""
    words = name_words(name)
    parts = [
        f" {right}" if left[-1].isdigit() and right[0].isdigit() else right for left, right in pairwise(("|", *words))
    ]
    return "".join(parts)


def singular(word: str) -> str:
    """Return an English noun without its plural ending: "policies" gives policy, "boxes" box, "analysis" analysis."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("xes", "ches", "shes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def is_short_for(short: str, long: str) -> bool:
    """Return whether `short` is an acronym of `long`: its letters are the initials of the words, small words aside.

    "RAG" is short for "Retrieval-Augmented Generation", "GTs" for "ground truth", "UNSC" for "UN Security Council".
    """
    letters = [letter for letter in fold(re.sub(r"(?<=[A-Z])s$", "", short)) if letter.isalnum()]
    words = [word for word in _WORD.findall(fold(long)) if word not in _ARTICLES]
    if " " in short or len(letters) < 2 or len(words) < 2 or not letters[0].isalpha():
        return False
    if any(len(word) > 1 and fold(short).rstrip(".") == word for word in words):
        return False
    content = [word for word in words if not is_function_word(word) and word != "&"]
    return any(_initials(letters, tried) for tried in (content, words))


def _initials(letters: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether letters spell words by initials, a word giving several only when it is an acronym or compound."""
    if len(letters) == len(words):
        return all(word[0] == letter for word, letter in zip(words, letters, strict=True))
    at = 0
    for word in words:
        if at >= len(letters) or word[0] != letters[at]:
            return False
        at += len(word) if "".join(letters[at : at + len(word)]) == word and len(word) < 4 else 1
    return at == len(letters)


def likeness(left: str, right: str) -> float:
    """Return how alike two names are, 0 to 1; 1 for equal normal forms.

    Words are paired: equal, misspelt or abbreviated. A word without a partner makes another name, unless all that is
    missing are generic words at the end of a proper name ("Adobe", "Adobe System"); numbers and single letters must
    agree.
    """
    if normal_form(left) == normal_form(right):
        return 1.0
    if is_short_for(left, right) or is_short_for(right, left):
        return 0.95
    first, second = name_words(left), name_words(right)
    if _marks(first) != _marks(second) or not first or not second:
        return 0.2 * _overlap(first, second)
    rest, others = _without(first, second), _without(second, first)
    shared = len(first) - len(rest)
    whole = 2 * shared / (len(first) + len(second))
    if len(rest) == len(others):
        in_order = _without(first, rest) == _without(second, others)
        is_spelling = in_order and not _is_code(left) and not _is_code(right)
        pairs = _paired(rest, others) if is_spelling else []
        is_short = shared == 0 and min(pairs, default=0.0) < _TYPO
        return (shared + sum(pairs)) / len(first) if pairs and not is_short else min(whole, _CONTAINED)
    if _is_generic_tail(left, right) or _is_generic_tail(right, left):
        return _GENERIC_TAIL
    return min(whole, _CONTAINED)


def _marks(words: Sequence[str]) -> list[str]:
    """Return what tells members of a series apart: numbers, single letters, Roman numerals."""
    return sorted(word for word in words if len(word) == 1 or any(map(str.isdigit, word)) or _ROMAN.fullmatch(word))


_ROMAN = lazy_regex(r"(?:ii|iii|iv|vi|vii|viii|ix|xi|xii)")


def _is_code(name: str) -> bool:
    """Return whether every letter of a name counts: an acronym, or capitals inside words, as in "TACRED"."""
    if name.isupper():
        return " " not in name
    return any(sum(map(str.isupper, word)) > 1 for word in name.split())


def _overlap(first: Sequence[str], second: Sequence[str]) -> float:
    shared = len(set(first) & set(second))
    return 2 * shared / max(1, len(first) + len(second))


def _without(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the words that the other name lacks, repeats counted."""
    left = list(others)
    rest: list[str] = []
    for word in words:
        if word in left:
            left.remove(word)
        else:
            rest.append(word)
    return rest


def _paired(words: Sequence[str], others: Sequence[str]) -> list[float]:
    """Return how alike words are that stand at the same place of what two names do not share; none if two differ."""
    pairs = [_word_likeness(left, right) for left, right in zip(words, others, strict=True)]
    return pairs if all(pairs) else []


def _word_likeness(left: str, right: str) -> float:
    short, long = sorted((left, right), key=len)
    same_ends = left[0] == right[0] and left[-1] == right[-1]  # "Germany" and "German" are two words
    if len(short) >= 6 and same_ends and spelling_distance(left, right) <= (1 if len(short) < 13 else 2):
        return _TYPO
    return _ABBREVIATED if 3 <= len(short) <= 4 < len(long) and long.startswith(short) else 0.0


def _is_generic_tail(short: str, long: str) -> bool:
    """Return whether the longer of two proper names has only generic words more.

    A single plain word must be told by the legal form of the longer name: "Adobe", "Adobe Systems Incorporated", not
    "Space", "Space Programme".
    """
    first, second = name_words(short), name_words(long)
    if not (short[:1].isupper() and long[:1].isupper() and second[: len(first)] == first):
        return False
    is_firm = singular(fold(long.split()[-1]).strip(".,")) in LEGAL_FORMS
    is_certain = len(first) > 1 or is_firm or (_is_code(short) and not long.isupper())
    return is_certain and all(word in _GENERIC for word in second[len(first) :])


def spelling_distance(left: str, right: str) -> int:
    """Return how many letters must be put in, left out, changed or swapped with the next; 3 for more than two."""
    if abs(len(left) - len(right)) > 2:
        return 3
    before: list[int] = []
    above = list(range(len(right) + 1))
    for row, letter in enumerate(left, start=1):
        here = [row]
        for at, other in enumerate(right, start=1):
            cost = min(above[at] + 1, here[-1] + 1, above[at - 1] + (letter != other))
            if row > 1 and at > 1 and letter == right[at - 2] and left[row - 2] == other:
                cost = min(cost, before[at - 2] + 1)
            here.append(cost)
        before, above = above, here
    return min(above[-1], 3)


def acronyms(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs (short, long) that texts introduce, in order; of two readings of one acronym the more frequent.

    >>> acronyms(["We use retrieval-augmented generation (RAG)."])
    [('RAG', 'retrieval-augmented generation')]
    """
    counts = Counter(pair for text in texts for pair in _pairs(text))
    chosen: dict[str, str] = {}
    for short, long in counts:
        known = chosen.get(short)
        if known is None or counts[short, long] > counts[short, known]:
            chosen[short] = long
    return list(chosen.items())


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    if "(" not in text and "[" not in text and " for " not in text:
        return
    for found in _AFTER.finditer(text):
        long = _ending(text[max(0, found.start() - 120) : found.start()].rstrip(), found["short"])
        if long:
            yield found["short"], long
    for found in _BEFORE.finditer(text):
        long = _beginning(found["long"], found["short"])
        if long:
            yield found["short"], long


def _ending(before: str, short: str) -> str:
    """Return the shortest run of last words that the acronym is short for."""
    starts = [word.start() for word in _LETTERS.finditer(before) if word.group() != "-"][-_MOST_WORDS:]
    return next(filter(None, (_fitting(before[start:], short) for start in reversed(starts))), "")


def _beginning(after: str, short: str) -> str:
    """Return the shortest run of first words that the acronym is short for."""
    stops = [word.end() for word in _LETTERS.finditer(after) if word.group() != "-"][:_MOST_WORDS]
    return next(filter(None, (_fitting(after[:stop], short) for stop in stops)), "")


def _fitting(words: str, short: str) -> str:
    plain = on_one_line(words).strip("\"“”'‘’,")
    if not plain or is_function_word(plain.split()[0]) or any(mark in plain for mark in ".;:()"):
        return ""
    return plain if is_short_for(short, plain) else ""


_OWNER = lazy_regex(
    r"(?P<owner>[A-Z][\w-]+)['’]s?\s(?P<kin>(?:\w+\s)?(?:wife|husband|spouse|partner|widow|son|daughter|child|father|mother|parent"
    r"|brother|sister|sibling|uncle|aunt|nephew|niece|cousin|family|relative|grand\w+|real\sname|full\sname))?"
)


def owners_in(text: str) -> frozenset[str]:
    """Return whose something is in a text, without case; not of whom somebody is kin, who may bear the same name.

    >>> owners_in("Who supervised Okonjo's thesis?"), owners_in("Who was Okonjo's wife?")
    (frozenset({'okonjo'}), frozenset())
    """
    return frozenset(found["owner"].casefold() for found in _OWNER.finditer(text) if not found["kin"])
