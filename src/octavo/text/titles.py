"""Titles in running text: how a document's name is compared, and what in a text may be one.

Names are compared by their words without case, the ending of a file and brackets at the end left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from octavo.text.analyzer import analyze

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")
_LONGEST = 8
"""Words of a title that is looked for."""
_SHORTEST_WORD = 5
"""Characters of a title of one word: shorter ones are too often something else."""
_READ = 50_000
"""Characters of a text that are looked at, from its start."""


def title_key(name: str) -> str:
    """Return what a document's name is compared by; "" for one that is too short or too common to be looked for."""
    bare = _BRACKETS.sub("", _ENDING.sub("", name))
    return _key([word.group().casefold() for word in _WORD.finditer(bare)])


def title_candidates(text: str, begins: Collection[str] | None = None) -> Iterator[tuple[str, ...]]:
    """Yield for each word of a text that may begin a title the keys of what may be one, the longest first.

    A title begins with a capital or a digit, with one of the words `begins` (without case) where these are given, and
    has up to 8 words. The work is linear in the text.
    """
    words, folded = _words(text)
    for at, word in enumerate(words):
        if _may_begin(word) and (begins is None or folded[at] in begins):
            keys = (_key(folded[at:stop]) for stop in range(min(len(words), at + _LONGEST), at, -1))
            yield tuple(key for key in keys if key)


def _words(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text as they stand, and without case."""
    words = _WORD.findall(text[:_READ])
    return words, [word.casefold() for word in words]


def _may_begin(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _key(words: list[str]) -> str:
    if len(words) == 1 and (len(words[0]) < _SHORTEST_WORD or words[0].isdigit() or not analyze(words[0])):
        return ""
    return " ".join(words) if len(words) <= _LONGEST else ""


def by_title(names: Iterable[tuple[int, str]]) -> dict[str, list[int]]:
    """Return numbers by the key of their name, as `mentioned_in` takes them; names without a key are left out."""
    titles: dict[str, list[int]] = {}
    for number, name in names:
        if key := title_key(name):
            titles.setdefault(key, []).append(number)
    return titles


def mentioned_among(texts: Sequence[str], names: Mapping[int, str]) -> list[int]:
    """Return the numbers of the documents whose titles some texts mention, in the order of first mention.

    `names` are the documents' names by number. Of most of thousands no word of the texts is the first: only of the
    others are the keys made.
    """
    begins = {small for text in texts for word, small in zip(*_words(text), strict=True) if _may_begin(word)}
    titles = by_title((number, name) for number, name in names.items() if _first_word(name) in begins)
    return [*dict.fromkeys(number for text in texts for number in mentioned_in(text, titles))]


def _first_word(name: str) -> str:
    found = _WORD.search(name)
    return found.group().casefold() if found else ""


def mentioned_in(text: str, titles: dict[str, list[int]]) -> list[int]:
    """Return the numbers of the titles that a text mentions, in the order of first mention.

    `titles` are numbers by key. Of titles that begin at the same word the longest counts.
    """
    found: dict[int, None] = {}
    for keys in title_candidates(text, {key.partition(" ")[0] for key in titles}):
        longest = next((key for key in keys if key in titles), None)
        if longest is not None:
            found.update(dict.fromkeys(titles[longest]))
    return [*found]
