"""Links from text to the parts of a document it refers to, by its words and by the file's link annotations.

The parts are known by what they are called: captions and headings by their numbers, formulas, footnotes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from octavo_documents.document import FURNITURE, PICTURED, Kind
from octavo_documents.parsing.content import Annotation, PageContent, SourceContent, TextLine
from octavo_documents.structuring.drafts import Draft
from octavo_documents.structuring.labels import Labels, shown_by
from octavo_documents.structuring.pointers import PAGE, NamedPointer, NearbyPointer, pointers, value

_NEAR = 0.8
"""How sure a pointer is that names no number ("the table below"); one that names it has 1. Chosen by hand."""
_CALLED = (Kind.CAPTION, Kind.HEADING, Kind.TITLE, Kind.FOOTNOTE)
_LEADERS = re.compile(r"(?:[.·…]\s?){4,}")
_BIBLIOGRAPHY = re.compile(r"[\W\d]*(?:references|bibliography|works cited|literature(?: cited)?)\W*", re.I)


class _Target:
    """Which block a link annotation means, chosen by hand."""

    # A tenth lower or higher moves no figure of 75 generated documents (`benchmarks/ablation.py --constants 0.1`).
    SLACK = 6.0  # points over a target's height at which a block still is under it
    AHEAD = 30.0  # points by which a heading or caption below a target's height goes before other text
    LEFT_OF = 36.0  # points by which a target may lie left of the text it means
    SHORTEST = 6  # letters and digits under which words are too few to name a title


_TITLED = (Kind.HEADING, Kind.CAPTION, Kind.TITLE)
_PLAIN = re.compile(r"[\W_]+")
_LEADER = re.compile(r"\s*(?:[.·…]\s?){3,}.*$", re.DOTALL)
_PRINTED = re.compile(
    r"(?:page|p\.)?\s*[-–|·]?\s*(?P<alone>\d{1,4}|[ivxlc]{1,7})\s*[-–|·]?|(?P<first>\d{1,4})\s+\D.*|.*\D\s(?P<last>\d{1,4})",
    re.I,
)
_FEWEST_COUNTING = 3
"""Printed page numbers that stand as far from the pages of the file, from which they tell how far all do."""


def link_references(pages: Sequence[Sequence[Draft]], content: SourceContent) -> None:
    """Add to each block what its words and its link annotations refer to, each target once."""
    unresolved = link_words(pages, [page.label for page in content.pages])
    anchors = Anchors(pages)
    for page in content.pages:
        for source, words, target in anchors.links(page):
            if source.kind in FURNITURE or any(_is_part(words, text) for _, text, _ in source.references):
                continue
            named = next((text for text in unresolved.get(id(source), ()) if _is_part(words, text)), words)
            _add(source, target, named, 1.0)


def link_words(
    pages: Sequence[Sequence[Draft]], labels: Sequence[str], *, has_pages: bool = True
) -> dict[int, list[str]]:
    """Add to each block what its words refer to; return, by `id` of a block, the words that name what is not there.

    Where the parts of the text are no pages (`has_pages`), words for a page lead nowhere.
    """
    finder = _Finder(pages, labels, has_pages=has_pages)
    return {id(item): found for page in pages for item in page if (found := list(finder.link(item)))}


def _is_part(words: str, text: str) -> bool:
    return words in text or text in words


def _add(source: Draft, target: Draft, text: str, weight: float) -> None:
    if target is not source and all(known is not target for known, _, _ in source.references):
        source.references.append((target, text, weight))


class _Finder:
    """The blocks of one document, by name and by place."""

    def __init__(self, pages: Sequence[Sequence[Draft]], labels: Sequence[str], *, has_pages: bool) -> None:
        self._pages, self._page_labels, self._has_pages = pages, labels, has_pages
        self._drafts = [item for page in pages for item in page]

    # Most short texts refer to nothing, and need none of these.

    @cached_property
    def _place(self) -> dict[int, int]:
        return {id(item): at for at, item in enumerate(self._drafts)}

    @cached_property
    def _labels(self) -> Labels:
        return Labels(self._drafts)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return page_numbers(self._pages, self._page_labels) if self._has_pages else {}

    def link(self, item: Draft) -> Iterator[str]:
        """Link what the words of a block refer to; yield the words that name something that is not there."""
        if item.kind in FURNITURE:
            return
        found = pointers(item.text)
        if not found or _LEADERS.search(item.text) or self._is_bibliography(item):
            return
        for pointer in found:
            if pointer.start == 0 and item.kind in _CALLED:
                continue
            targets = list(self._targets(pointer, item))
            for target, weight in targets:
                _add(item, target, pointer.text, weight)
            if not targets:
                yield pointer.text

    def _is_bibliography(self, item: Draft) -> bool:
        return any(_BIBLIOGRAPHY.fullmatch(above.text) for above in self._labels.path(item))

    def _targets(self, pointer: NamedPointer | NearbyPointer, source: Draft) -> Iterator[tuple[Draft, float]]:
        if isinstance(pointer, NearbyPointer):
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

    def _nearby(self, pointer: NearbyPointer, source: Draft) -> Draft | None:
        if pointer.on_page:
            return self._on_page(source.page + pointer.step, pointer.what) if self._has_pages else None
        at = self._place[id(source)]
        for other in range(at + 1, len(self._drafts)) if pointer.step > 0 else range(at - 1, -1, -1):
            item = self._drafts[other]
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
    return item.kind == Kind.TABLE if what == "table" else item.kind in PICTURED


class Anchors:
    """The blocks of a document by place."""

    def __init__(self, pages: Sequence[Sequence[Draft]]) -> None:
        self._pages = pages

    def links(self, page: PageContent) -> Iterator[tuple[Draft, str, Draft]]:
        """Yield the block an annotation lies on, its words, and the block it leads to."""
        inside = [item for item in page.annotations if 0 < item.page <= len(self._pages)]
        if not inside or not page.lines:
            return
        owner = {row: item for item in self._pages[page.number - 1] for row in item.lines}
        for annotation, row in zip(inside, _lines_under(inside, page.lines), strict=True):
            source = owner.get(row)
            if source is None:
                continue
            words = _words_under(page.lines[row], annotation)
            target = self._target(annotation, words)
            if target is not None:
                yield source, words, target

    def _target(self, annotation: Annotation, words: str) -> Draft | None:
        """Return the heading on the target's page that the words name, else what stands at the target's place."""
        page = self._pages[annotation.page - 1]
        height = annotation.y
        named = [item for item in page if item.kind in _TITLED and _names(words, item.text)]
        if named:
            return shown_by(min(named, key=lambda item: abs(item.box[1] - (height or 0.0))))
        below = [
            item for item in page if item.kind not in FURNITURE and height and item.box[1] >= height - _Target.SLACK
        ]
        if not below or height is None:
            return first_block(page)
        below = [item for item in below if _is_in_column(annotation.x, item)] or below
        return shown_by(
            min(below, key=lambda item: item.box[1] - height - (_Target.AHEAD if item.kind in _TITLED else 0.0))
        )


def _names(words: str, text: str) -> bool:
    """Whether words are a title, or the greater part of one, as in a list of contents."""
    said, title = _PLAIN.sub("", words).casefold(), _PLAIN.sub("", text).casefold()
    return said in title and len(said) >= max(_Target.SHORTEST, len(title) / 2)


def _is_in_column(x: float | None, item: Draft) -> bool:
    return x is not None and item.box[0] - _Target.LEFT_OF <= x < item.box[2]


def _lines_under(annotations: Sequence[Annotation], lines: Sequence[TextLine]) -> list[int]:
    """Return for each annotation the row of the line that shares most of its area, -1 for none."""
    a = np.array([item.box for item in annotations])[:, None, :]
    b = np.array([line.box for line in lines])[None, :, :]
    width = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    height = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    shared = np.maximum(width, 0) * np.maximum(height, 0)
    best = shared.argmax(axis=1)
    return np.where(shared.max(axis=1) > 0, best, -1).tolist()


def _words_under(line: TextLine, annotation: Annotation) -> str:
    """Return the words of a line that an annotation covers, told from how far along the line they stand."""
    x0, x1 = line.box[0], line.box[2]
    step = max(x1 - x0, 1e-6) / max(len(line.text), 1)
    first, last = (annotation.box[0] - x0) / step, (annotation.box[2] - x0) / step
    words = [
        found.group()
        for found in re.finditer(r"\S+", line.text)
        if first - 1 <= (found.start() + found.end()) / 2 <= last + 1
    ]
    return _LEADER.sub("", " ".join(words) or line.text).strip(" ,;:()")


def page_numbers(pages: Sequence[Sequence[Draft]], labels: Sequence[str]) -> dict[str, int]:
    """Return the page (0-based) of each printed number, in capitals; `labels` are those the file states.

    A number counts where at least three pages print numbers that count with the pages. What no page prints is looked
    for among the file's labels.
    """
    printed: dict[str, int] = {}
    seen = [(at, number) for at, page in enumerate(pages) for number in _printed_numbers(page)]
    for is_roman in (False, True):
        own = [(at, number) for at, number in seen if number[0].isdigit() != is_roman]
        offsets = Counter(value(number) - at for at, number in own)
        trusted = {offset for offset, count in offsets.items() if count >= _FEWEST_COUNTING}
        for at, number in own:
            if value(number) - at in trusted:
                printed.setdefault(number, at)
    for at, label in enumerate(labels):
        printed.setdefault(label.upper(), at)
    return printed


def _printed_numbers(page: Sequence[Draft]) -> list[str]:
    texts = [item.text.strip() for item in page if item.kind in FURNITURE]
    found = [match for text in texts if (match := _PRINTED.fullmatch(text))]
    return [(match["alone"] or match["first"] or match["last"]).upper() for match in found]


def first_block(page: Sequence[Draft]) -> Draft | None:
    """Return the first block of a page that is no header, the page's heading when it comes right after a picture."""
    content = [item for item in page if item.kind not in FURNITURE]
    return next((item for item in content[:2] if item.kind == Kind.HEADING), content[0] if content else None)
