"""Titles of documents, and where running text mentions them.

Titles are compared by their words without case, the ending of a file and brackets at the end left out.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from octavo_documents.text.analyzer import analyze

_TITLE_WORD = re.compile(r"\w+(?:['’]\w+)*")
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
    return _key([word.group().casefold() for word in _TITLE_WORD.finditer(bare)])


@dataclasses.dataclass(frozen=True)
class TitleWords:
    """The first words of a text (of 50,000 characters), where titles are looked for.

    `folded` are its words without case; `begins` says for each word where it may begin a title, with a capital or a
    digit.
    """

    folded: Sequence[str]
    begins: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, text: str) -> TitleWords:
        """Read a text."""
        words = _TITLE_WORD.findall(text[:_READ])
        folded = [sys.intern(word.casefold()) for word in words]
        begins: dict[str, list[int]] = {}
        for at, word in enumerate(words):
            if word[0].isupper() or word[0].isdigit():
                begins.setdefault(folded[at], []).append(at)
        return cls(folded, begins)

    def candidates(self, at: int) -> Iterator[str]:
        """Yield the keys of what may be a title of up to 8 words from word `at` on, the longest first."""
        for stop in range(min(len(self.folded), at + _LONGEST), at, -1):
            key = _key(self.folded[at:stop])
            if key:
                yield key


def _key(words: Sequence[str]) -> str:
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


def mentioned_among(texts: Sequence[TitleWords], names: Mapping[int, str]) -> list[int]:
    """Return the numbers of the documents whose titles some texts mention, in the order of first mention.

    `names` are the documents' names by number. Of most of thousands no word of the texts is the first: only of the
    others are the keys made.
    """
    begins = set[str]().union(*(text.begins for text in texts))
    titles = by_title((number, name) for number, name in names.items() if _first_word(name) in begins)
    return [*dict.fromkeys(number for text in texts for number in mentioned_in(text, titles))]


def _first_word(name: str) -> str:
    found = _TITLE_WORD.search(name)
    return found.group().casefold() if found else ""


def mentioned_in(text: TitleWords, titles: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the numbers of the titles that a text mentions, in the order of first mention.

    `titles` are numbers by key. Of titles that begin at the same word the longest counts.
    """
    found: dict[int, None] = {}
    for at in sorted(at for word in {key.partition(" ")[0] for key in titles} for at in text.begins.get(word, ())):
        longest = next((key for key in text.candidates(at) if key in titles), None)
        if longest is not None:
            found.update(dict.fromkeys(titles[longest]))
    return [*found]
