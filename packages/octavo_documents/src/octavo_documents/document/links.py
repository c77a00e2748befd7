"""Links between the blocks of a document: captions, references, footnotes, continuations."""

from __future__ import annotations

import dataclasses
import enum

import numpy as np
import numpy.typing as npt

from octavo_documents.document.columns import Table, TextColumn, column, text_column


class LinkKind(enum.IntEnum):
    """What a link says of its source: source CAPTION_OF target, source REFERS_TO target, and so on."""

    CAPTION_OF = 0
    REFERS_TO = 1
    CONTINUES = 2
    EXPLAINS = 3
    FOOTNOTE_OF = 4
    PART_OF = 5
    NEXT = 6

    @property
    def label(self) -> str:
        """The kind in lower case, as in JSON."""
        return self.name.lower()


class LinkOrigin(enum.IntEnum):
    """Who found a link."""

    RULE = 0
    MODEL = 1

    @property
    def label(self) -> str:
        """The origin in lower case, as in JSON."""
        return self.name.lower()


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class LinkTable(Table):
    """Links from the block in row `source` to the block in row `target`."""

    source: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    target: npt.NDArray[np.int32] = column("<i4", rows_of="block")
    kind: npt.NDArray[np.uint8] = column("u1")
    weight: npt.NDArray[np.float32] = column("<f4")
    """0..1, how sure the link is."""
    text: TextColumn = text_column()
    """The words that made the link, for instance "Table 3"; empty when there are none."""
    origin: npt.NDArray[np.uint8] = column("u1", absent=LinkOrigin.RULE)
    """The `LinkOrigin` of the link."""

    def kind_of(self, at: int) -> LinkKind:
        """Return what the link says of its source."""
        return LinkKind(self.kind.item(at))

    def captions(self) -> dict[int, list[int]]:
        """Return the rows of the captions of each element that has any, in reading order."""
        found: dict[int, list[int]] = {}
        chosen = self.kind == LinkKind.CAPTION_OF
        for row, of in sorted(zip(self.source[chosen].tolist(), self.target[chosen].tolist(), strict=True)):
            found.setdefault(of, []).append(row)
        return found
