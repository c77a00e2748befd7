"""Links from text to the parts of a document it refers to.

Owns which words become links and where they lead. Knows nothing about how such words or names are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from octavo.document import FURNITURE, Kind
from octavo.parsing.content import SourceContent
from octavo.structuring.drafts import Draft
from octavo.structuring.headings.numbered import first_block, page_numbers
from octavo.structuring.references.anchors import Anchors
from octavo.structuring.references.labels import Labels
from octavo.structuring.references.pointers import PAGE, Named, Nearby, pointers

_NEAR = 0.8
_LABELLED = (Kind.CAPTION, Kind.HEADING, Kind.TITLE, Kind.FOOTNOTE)
_LEADER = re.compile(r"(?:[.·…]\s?){4,}")
_BIBLIOGRAPHY = re.compile(r"[\W\d]*(?:references|bibliography|works cited|literature(?: cited)?)\W*", re.I)
_DRAWN = (Kind.FIGURE, Kind.CHART)


def link_references(pages: Sequence[Sequence[Draft]], content: SourceContent) -> None:
    """Add to each block what its words and its link annotations refer to, each target once."""
    finder = _Finder(pages, [page.label for page in content.pages])
    unresolved: dict[int, list[str]] = {}
    for page in pages:
        for item in page:
            unresolved[id(item)] = list(finder.link(item))
    anchors = Anchors(pages)
    for page in content.pages:
        for source, words, target in anchors.links(page):
            if source.kind in FURNITURE or any(_is_part(words, text) for _, text, _ in source.references):
                continue
            named = next((text for text in unresolved[id(source)] if _is_part(words, text)), words)
            _add(source, target, named, 1.0)


def _is_part(words: str, text: str) -> bool:
    return words in text or text in words


def _add(source: Draft, target: Draft, text: str, weight: float) -> None:
    if target is not source and all(known is not target for known, _, _ in source.references):
        source.references.append((target, text, weight))


class _Finder:
    """The blocks of one document, by name and by place."""

    def __init__(self, pages: Sequence[Sequence[Draft]], labels: Sequence[str]) -> None:
        self._pages = pages
        self._drafts = [item for page in pages for item in page]
        self._place = {id(item): at for at, item in enumerate(self._drafts)}
        self._labels = Labels(self._drafts)
        self._numbers = page_numbers(pages, labels)

    def link(self, item: Draft) -> Iterator[str]:
        """Link what the words of a block refer to; yield the words that name something that is not there."""
        if item.kind in FURNITURE:
            return
        found = pointers(item.text)
        if not found or _LEADER.search(item.text) or self._is_bibliography(item):
            return
        for pointer in found:
            if pointer.start == 0 and item.kind in _LABELLED:
                continue
            targets = list(self._targets(pointer, item))
            for target, weight in targets:
                _add(item, target, pointer.text, weight)
            if not targets:
                yield pointer.text

    def _is_bibliography(self, item: Draft) -> bool:
        return any(_BIBLIOGRAPHY.fullmatch(above.text) for above in self._labels.path(item))

    def _targets(self, pointer: Named | Nearby, source: Draft) -> Iterator[tuple[Draft, float]]:
        if isinstance(pointer, Nearby):
            target = self._nearby(pointer, source)
            if target:
                yield target, _NEAR
            return
        for number in pointer.numbers:
            if pointer.what == PAGE:
                page = self._numbers.get(number)
                first = first_block(self._pages[page]) if page is not None else None
                if first:
                    yield first, 1.0
            elif found := self._labels.find(pointer.what, number, source):
                yield found

    def _nearby(self, pointer: Nearby, source: Draft) -> Draft | None:
        if pointer.on_page:
            return self._on_page(source.page + pointer.step, pointer.what)
        at = self._place[id(source)]
        others = self._drafts[at + 1 :] if pointer.step > 0 else self._drafts[:at][::-1]
        for item in others:
            if abs(item.page - source.page) > 1:
                return None
            if _is_a(item, pointer.what):
                return item
        return None

    def _on_page(self, number: int, what: str) -> Draft | None:
        if not 0 <= number < len(self._pages):
            return None
        page = self._pages[number]
        return next((item for item in page if _is_a(item, what)), None) if what else first_block(page)


def _is_a(item: Draft, what: str) -> bool:
    return item.kind == Kind.TABLE if what == "table" else item.kind in _DRAWN
