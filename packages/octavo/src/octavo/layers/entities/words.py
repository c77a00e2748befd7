"""Blocks as words, and known names found among them: leftmost, longest, by words as they are matched.

Words are tokens with their places and sentences; a block says whether capital letters tell names there.
"""

from __future__ import annotations

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from octavo_documents.document import FURNITURE, BlockTable, Document, Kind
from octavo_documents.text.analyzer import fold, is_function_word, line_spans, sentence_spans
from octavo_documents.text.names import singular

_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,}"  # U.S.
    r"|['’]s\b"
    r"|[^\W_]+(?:[-‐‑.&][^\W_]+|['’](?!s\b)[^\W_]+)*[+#]*"
    r"|[^\w\s]|_"
)
_LEADERS = re.compile(r"(?:[.·•…_]\s?){4,}")
_APART = re.compile(
    r"(?:\d+(?:\.\d+)*\.?\s+)?(?:references|bibliography|works cited|literature cited|index|(?:table of )?contents)",
    re.IGNORECASE,
)
_LONGEST_TOKEN = 40
_OPENERS = frozenset(':;•·–—-“"(|*▪►✓●○')
Forms = tuple[str, ...]
"""The words of a name as they are matched: folded, in the singular."""


@dataclasses.dataclass(frozen=True)
class BlockWords:
    """The tokens of a block: `texts[i]` at characters `[starts[i], stops[i])`, in unit `units[i]` of the document.

    `telling` says whether capital letters tell names here, as they do not in a heading in title case; `apart` that
    the block is a reference list or contents, where names are only recognised.
    """

    row: int
    kind: Kind
    text: str
    texts: list[str]
    starts: list[int]
    stops: list[int]
    units: list[int]
    telling: bool
    apart: bool

    @cached_property
    def forms(self) -> list[str]:
        """Return what words are matched by: folded, in the singular."""
        return [form(text) for text in self.texts]

    def is_first(self, at: int) -> bool:
        """Return whether a token opens its sentence, or stands after what may open one."""
        return at == 0 or self.units[at - 1] != self.units[at] or self.texts[at - 1] in _OPENERS


@lru_cache(maxsize=131_072)
def form(token: str) -> str:
    """Return what a token is matched by."""
    return singular(fold(token).rstrip("."))


def tokens(text: str) -> list[str]:
    """Return the tokens of a text."""
    return _TOKEN.findall(text)


def forms_of(name: str) -> tuple[str, ...]:
    """Return the words that a name is matched by."""
    return tuple(map(form, tokens(name)))


def is_capital(token: str) -> bool:
    """Return whether a word begins with a capital letter."""
    return token[0].isupper()


def is_shouted(token: str) -> bool:
    """Return whether a word is all in capitals, digits and a plural "s" aside."""
    letters = [letter for letter in token.removesuffix("s") if letter.isalpha()]
    return len(letters) > 1 and all(map(str.isupper, letters))


def is_marked(token: str) -> bool:
    """Return whether this is an acronym or has capitals or digits inside: "RAG", "GPT-4", "iPhone", "TransE"."""
    capitals = sum(map(str.isupper, token))
    return capitals > 1 or (capitals == 1 and any(map(str.isdigit, token)))


def blocks_as_words(document: Document) -> list[BlockWords]:
    """Return the blocks with text as words, in reading order; page furniture is left out."""
    blocks = document.blocks
    rows = np.flatnonzero(~np.isin(blocks.kind, FURNITURE) & (blocks.text.lengths() > 0))
    texts = list(blocks.text)
    apart = _rows_apart(blocks)
    units = 0
    read: list[BlockWords] = []
    for row in rows.tolist():
        words = _read(row, blocks.kind_of(row), texts[row], units, is_apart=row in apart)
        units = words.units[-1] + 1 if words.units else units
        read.append(words)
    return read


def _rows_apart(blocks: BlockTable) -> frozenset[int]:
    """Return the rows of reference lists, contents and indexes."""
    rows: set[int] = set()
    for heading in blocks.headings().tolist():
        if _APART.fullmatch(blocks.text[heading].strip()):
            rows.update(range(heading, int(blocks.end[heading])))
    return frozenset(rows)


def _read(row: int, kind: Kind, text: str, first_unit: int, *, is_apart: bool) -> BlockWords:
    found = [one for one in _TOKEN.finditer(text) if one.end() - one.start() <= _LONGEST_TOKEN]
    texts = [one.group() for one in found]
    starts = [one.start() for one in found]
    return BlockWords(
        row=row,
        kind=kind,
        text=text,
        texts=texts,
        starts=starts,
        stops=[one.end() for one in found],
        units=list(_units(kind, text, starts, first_unit)),
        telling=kind not in (Kind.TITLE, Kind.HEADING, Kind.CODE, Kind.FORMULA) and _is_telling(texts),
        apart=is_apart or bool(_LEADERS.search(text)) or kind in (Kind.CODE, Kind.FORMULA),
    )


def _units(kind: Kind, text: str, starts: list[int], first_unit: int) -> Iterator[int]:
    by_line = kind in (Kind.TABLE, Kind.FIGURE, Kind.CHART, Kind.CODE)
    ends = iter([stop for _, stop in (line_spans if by_line else sentence_spans)(text)])
    unit, end = first_unit, next(ends, len(text))
    for start in starts:
        while start >= end:
            unit, end = unit + 1, next(ends, len(text) + 1)
        yield unit


def _is_telling(texts: list[str]) -> bool:
    """Return whether this is running text: a quarter in small letters, and not function words alone as in a title."""
    words = [token for token in texts if token[0].isalpha()]
    small = [token for token in words if token[0].islower()]
    return len(words) > 3 and 4 * len(small) >= len(words) and not all(map(is_function_word, small))


@dataclasses.dataclass(frozen=True, slots=True)
class KnownWords:
    """What a run of words is when it is met: its type, and how it must be written to be it.

    `letters` is "" for any way, "capital" for a first capital letter, "marked" for capitals or digits inside ("RAG").
    """

    type: str
    letters: Literal["", "capital", "marked"] = ""

    def is_written(self, token: str) -> bool:
        """Return whether the first token is written as it must be."""
        if self.letters == "marked":
            return is_marked(token)
        return not self.letters or is_capital(token) or token[0].isdigit()


class Gazetteer:
    """Known runs of words, to be found in blocks."""

    def __init__(self, known: Mapping[Forms, KnownWords]) -> None:
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for forms in known:
            lengths[forms[0]].add(len(forms))
        self._known = known
        self._lengths = {word: sorted(sizes, reverse=True) for word, sizes in lengths.items()}

    def found_in(self, block: BlockWords) -> Iterator[tuple[int, int, KnownWords]]:
        """Yield (first, stop, what it is) of the known runs of tokens in a block, none inside another."""
        forms = block.forms
        at = 0
        while at < len(forms):
            stop = self._longest(block, at) if forms[at] in self._lengths else 0
            if stop:
                yield at, stop, self._known[tuple(forms[at:stop])]
            at = stop or at + 1

    def _longest(self, block: BlockWords, at: int) -> int:
        """Return where the longest known run from `at` stops, 0 when there is none."""
        for size in self._lengths[block.forms[at]]:
            known = self._known.get(tuple(block.forms[at : at + size])) if at + size <= len(block.forms) else None
            if known is None or block.units[at + size - 1] != block.units[at]:
                continue
            if known.is_written(block.texts[at]):
                return at + size
        return 0
