"""The parts of a document that tell what it is about: cover, beginning, end, running heads, and what recurs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from octavo.about.names import name_word, tells, words_of_file
from octavo_documents.document import FURNITURE, Document, Kind
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.document_kinds import named_kinds
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.languages import ENGLISH

_COVER_PAGES, _COVER_CHARACTERS = 2, 3_000
_DEFINED_BLOCKS, DEFINED_CHARACTERS = 400, 40_000
"""Where short forms are defined: near the beginning."""
_LEAST_COUNT = 3
"""How often what recurs stands there at least."""
_FEW_PAGES = 6
"""Below so many pages what recurs is counted by blocks."""
_HEADS, _HEAD_SHARE = 6, 0.2
_CAPITALISED = lazy_regex(r"(?<![\w.'’-])[A-ZÀ-ÖØ-ÞА-ЯЁΑ-Ω][\w&'’]*(?:[A-Z&][\w]*)*")
_SMALL = lazy_regex(r"(?<![\w.'’-])[a-zà-öø-ÿа-яёα-ω][a-zà-öø-ÿа-яёα-ω'’]+")
_MACHINE_MADE = lazy_regex(r"^(?=[^.]*\d)[0-9a-f-]{16,}(?:\.|$)")
"""A file's name that a program gave it: a digest, the number of an upload."""
_NO_FILE_WORDS = frozenset(
    "final draft copy scan scanned doc document dated new old version rev file img page print pdf readme index".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class DocumentTexts:
    """What the parts of a document say that tell what it is about."""

    document: Document

    @cached_property
    def blocks(self) -> list[str]:
        """The texts of its blocks, in reading order."""
        return [*self.document.blocks.text]

    @cached_property
    def code(self) -> str:
        """The code of the language of its first pages."""
        return language_of(self.cover)

    @property
    def is_english(self) -> bool:
        """Whether its first pages are in English."""
        return self.code == ENGLISH

    @cached_property
    def whole(self) -> str:
        """All of it, a line a block."""
        return "\n".join(self.blocks)

    @cached_property
    def file(self) -> str:
        """The name of the file as words, without its ending; "" where a program made it."""
        name = self.document.name
        if _MACHINE_MADE.search(name):
            return ""
        return " ".join(re.split(r"[_\s]+", name.rpartition(".")[0] or name))

    @cached_property
    def file_words(self) -> frozenset[str]:
        """The words of the file's name that may tell something, as names are compared."""
        return frozenset(words_of_file(self.document.name)) - _NO_FILE_WORDS if self.file else frozenset()

    @cached_property
    def cover(self) -> str:
        """The first lines, without heads and feet."""
        return "\n".join(self.blocks[row] for row in self._cover_rows)[:_COVER_CHARACTERS]

    @cached_property
    def _cover_rows(self) -> list[int]:
        blocks = self.document.blocks
        taken: list[int] = []
        size = 0
        for row in np.flatnonzero((blocks.page <= _COVER_PAGES) & ~np.isin(blocks.kind, FURNITURE)).tolist():
            taken.append(row)
            size += len(self.blocks[row])
            if size > _COVER_CHARACTERS:
                break
        return taken

    def kinds_of_cover(self, most: int) -> list[str]:
        """Return which kinds of documents the first characters of the cover say that it is, in order."""
        found: dict[str, int] = {}
        at = 0
        for row in self._cover_rows:
            is_name = self.document.blocks.kind_of(row) != Kind.LIST_ITEM
            for line in self.blocks[row].split("\n"):
                found.update(named_kinds(line[: max(0, most - at)], self.code, is_name=is_name))
                at += len(line) + 1
        return [*found]

    @cached_property
    def beginning(self) -> str:
        """The first blocks, where names are defined."""
        return "\n".join(self.blocks[:_DEFINED_BLOCKS])[:DEFINED_CHARACTERS]

    @cached_property
    def ending(self) -> str:
        """The last lines, where names are signed."""
        return self.whole[max(len(self.beginning), len(self.whole) - _COVER_CHARACTERS) :]

    @cached_property
    def heads(self) -> Iterable[str]:
        """The running heads and feet that stand on many pages."""
        rows = np.flatnonzero(np.isin(self.document.blocks.kind, FURNITURE)).tolist()
        least = max(2, _HEAD_SHARE * len(self.document.pages))
        counted = Counter(self.blocks[row] for row in rows).most_common(_HEADS)
        return [text for text, count in counted if count >= least]

    @cached_property
    def capitals(self) -> Counter[str]:
        """How often each word stands with a capital."""
        found: Counter[str] = Counter()
        for written, count in self._capitalised[1].items():
            found[name_word(written)] += count
        return found

    @cached_property
    def small(self) -> Counter[str]:
        """How often each word stands without a capital."""
        return Counter(_SMALL.findall(self.whole))

    @cached_property
    def _capitalised(self) -> tuple[dict[str, int], Counter[str]]:
        """Capitalised words as they are written: on how many pages, or blocks, and how often each stands."""
        blocks = self.document.blocks
        places = blocks.page.tolist() if len(self.document.pages) >= _FEW_PAGES else range(len(blocks))
        is_content = (~np.isin(blocks.kind, FURNITURE)).tolist()
        found: dict[str, set[int]] = defaultdict(set)
        counts: Counter[str] = Counter()
        for text, place, is_text in zip(self.blocks, places, is_content, strict=True):
            if is_text and text:
                for written in _CAPITALISED.findall(text):
                    found[written].add(place)
                    counts[written] += 1
        return {written: len(where) for written, where in found.items()}, counts

    @cached_property
    def recurring(self) -> dict[str, float]:
        """Words with a capital by the share of pages, or blocks, they stand on (0..1), in full from two thirds."""
        places, counts = self._capitalised
        whole = len(self.document.pages)
        if whole < _FEW_PAGES:
            whole = sum(map(bool, self.blocks))
        shares: dict[str, float] = {}
        for written, where in places.items():
            word = name_word(written)
            if counts[written] >= _LEAST_COUNT and tells(word):
                shares[word] = max(shares.get(word, 0.0), min(1.0, 1.5 * where / max(1, whole)))
        return shares
