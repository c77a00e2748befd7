"""What the parts of a document are called: captions and headings by their numbers, formulas, footnotes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from octavo_documents.document import Kind, LinkKind
from octavo_documents.structuring import markers
from octavo_documents.structuring.drafts import Draft
from octavo_documents.structuring.pointers import canonical, value
from octavo_documents.text.raised import with_plain_start

_CLASSES = {"fig": "figure", "figs": "figure", "figures": "figure", "tab": "table", "tables": "table"}
_SHOWN = (Kind.TABLE, Kind.FIGURE, Kind.CHART)
_EQUATION = re.compile(r"(?:^|\s)\(((?:[A-Z]\.)?\d{1,3}(?:[.-]\d{1,3})*[a-z]?)\)$")
_LONGEST_FORMULA = 160
_NOTE = re.compile(r"note\s+(\d{1,3}[A-Z]?)\b", re.I)
_NOTES = re.compile(r"\bnotes to\b", re.I)
_MARK = re.compile(r"\[?(\d{1,3}|[*†‡§¶]{1,3})")
_CONTINUED = re.compile(r"\bcont(?:inued|['’]d|\.)|\(cont\b", re.I)
_UNWORDED = ("section", "clause")
_ORDINALS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")
_Name = tuple[str, str]


class Labels:
    """The blocks of a document by what they are called; `drafts` are all blocks in reading order."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self._place = {id(item): at for at, item in enumerate(drafts)}
        self._paths = _paths(drafts)
        self._named: dict[_Name, list[Draft]] = defaultdict(list)
        self._valued: dict[tuple[str, int], list[Draft]] = defaultdict(list)
        for at, item in enumerate(drafts):
            for what, number in self._names(item, drafts, at):
                self._named[what, number].append(item)
                if (worth := value(number)) > 0:
                    self._valued[what, worth].append(item)

    def find(self, what: str, number: str, source: Draft) -> tuple[Draft, float] | None:
        """Return the block called so that is meant by a reference in `source`, and how sure that is (0..1).

        Among several it is the one that shares most of the source's sections, then the nearest. For a caption it is
        what the caption belongs to.
        """
        found = self._candidates(what, number)
        if not found:
            return None
        best = min(found, key=lambda item: self._remoteness(item, source))
        return shown_by(best), 1.0 if len(found) == 1 else 0.7

    def path(self, item: Draft) -> tuple[Draft, ...]:
        """Return the headings above a block, outermost first."""
        return self._paths[self._place[id(item)]]

    def _candidates(self, what: str, number: str) -> list[Draft]:
        found = self._named.get((what, number)) or self._valued.get((what, value(number))) or []
        if not found and number[-1].isalpha() and number[:1].isdigit():
            found = self._named.get((what, number[:-1])) or []
        return found

    def _remoteness(self, item: Draft, source: Draft) -> tuple[int, bool, int]:
        shared = sum(a is b for a, b in zip(self.path(item), self.path(source), strict=False))
        distance = abs(self._place[id(item)] - self._place[id(source)])
        return -shared, bool(_CONTINUED.search(item.text[:200])), distance

    def _names(self, item: Draft, drafts: Sequence[Draft], at: int) -> Iterator[_Name]:
        if item.kind == Kind.HEADING:
            yield from self._heading_names(item)
        if item.kind in (Kind.CAPTION, Kind.HEADING, *_SHOWN) and (label := markers.caption(item.text)):
            word, _, number = label.partition(" ")
            plain = word.lower().rstrip(".")
            yield _CLASSES.get(plain, plain.removesuffix("s") if plain != "box" else plain), canonical(number)
        elif item.kind == Kind.FOOTNOTE and (mark := _MARK.match(with_plain_start(item.text))):
            yield "footnote", mark[1]
        elif item.kind in (Kind.FORMULA, Kind.PARAGRAPH) and item.text.endswith(")"):
            yield from _equation_names(item, drafts, at)

    def _heading_names(self, item: Draft) -> Iterator[_Name]:
        note = _NOTE.match(item.text)
        if note:
            yield "note", note[1].upper()
        number = markers.numbering(item.text)
        if number is None:
            return
        parts = ".".join(number.parts)
        name = canonical(str(_ORDINALS.index(parts) + 1) if parts in _ORDINALS else parts)
        if number.word:
            yield {"annex": "appendix"}.get(number.word, number.word), name
            return
        yield from ((word, name) for word in _UNWORDED)
        if number.depth == 1:
            yield "chapter", name
        if number.scheme == "letter" or name[0].isalpha():
            yield "appendix", name
        if any(_NOTES.search(above.text) for above in self.path(item)):
            yield "note", name


def shown_by(item: Draft) -> Draft:
    """Return what a caption belongs to; the block itself when it is no caption or belongs to nothing."""
    return next((target for target, kind in item.targets if kind == LinkKind.CAPTION_OF), item)


def _paths(drafts: Sequence[Draft]) -> list[tuple[Draft, ...]]:
    """Return the open headings of each block, its own left out."""
    paths: list[tuple[Draft, ...]] = []
    path: tuple[Draft, ...] = ()
    for item in drafts:
        if item.kind == Kind.HEADING:
            path = tuple(above for above in path if above.level < item.level)
        paths.append(path)
        if item.kind == Kind.HEADING:
            path = (*path, item)
    return paths


def _equation_names(item: Draft, drafts: Sequence[Draft], at: int) -> Iterator[_Name]:
    """Yield the number at the end of a formula, or of the formula that a lone number stands beside."""
    found = _EQUATION.search(item.text) if len(item.text) < _LONGEST_FORMULA else None
    if not found:
        return
    is_alone = found.start() == 0
    beside = [other for other in drafts[max(at - 2, 0) : at + 3] if other is not item and _is_beside(other, item)]
    if item.kind == Kind.FORMULA or (is_alone and beside) or "=" in item.text:
        yield "equation", canonical(found[1])


def _is_beside(other: Draft, item: Draft) -> bool:
    middle = (item.box[1] + item.box[3]) / 2
    return other.page == item.page and other.box[1] - 4 <= middle <= other.box[3] + 4
