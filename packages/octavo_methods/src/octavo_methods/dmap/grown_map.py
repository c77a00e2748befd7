"""A document map as it is grown page by page (DMAP section 3.2): sections with their pages, one sentence a page and
an element.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Self

from octavo_documents.document.columns import damaged, pack, unpack


@dataclasses.dataclass(frozen=True, slots=True)
class MapSection:
    """A section: its hierarchical number "2.1", its title, and the pages (1-based, ascending) that belong to it."""

    number: str
    title: str
    pages: tuple[int, ...]

    @property
    def path(self) -> tuple[int, ...]:
        """The number by its parts: (2, 1)."""
        return tuple(int(part) for part in self.number.split("."))


@dataclasses.dataclass(frozen=True, slots=True)
class MapElement:
    """A figure, chart or table: the row of its block in the document, its caption or kind, and one sentence on it."""

    row: int
    name: str
    summary: str


@dataclasses.dataclass(frozen=True)
class GrownMap:
    """The map of one document: sections in order of their numbers, a sentence for each page, and the elements."""

    sections: tuple[MapSection, ...] = ()
    pages: tuple[str, ...] = ()
    elements: tuple[MapElement, ...] = ()
    written: tuple[bool, ...] = ()
    """Of each page, whether a model mapped it."""

    def to_bytes(self) -> bytes:
        """Pack the map; `from_bytes` gives an equal one."""
        return pack({}, dataclasses.asdict(self))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Unpack a map; raise CorpusError (`damaged`) when the bytes are not one."""
        _, header = unpack(data)
        try:
            found = cls(
                tuple(_section(one) for one in header["sections"]),
                tuple(map(str, header["pages"])),
                tuple(MapElement(int(one["row"]), one["name"], one["summary"]) for one in header["elements"]),
                tuple(map(bool, header["written"])),
            )
            found.check()
        except (ValueError, TypeError, KeyError) as wrong:
            raise damaged(str(wrong)) from wrong
        return found

    def check(self) -> None:
        """Raise ValueError unless sections have numbers and pages that there are."""
        for one in self.sections:
            if not one.path or not one.pages or not all(1 <= page <= len(self.pages) for page in one.pages):
                raise ValueError("a section of the map has no number or no page")
        if len(self.written) != len(self.pages):
            raise ValueError("the map does not say who mapped each page")


def _section(value: dict[str, Any]) -> MapSection:
    return MapSection(str(value["number"]), str(value["title"]), tuple(int(page) for page in value["pages"]))
