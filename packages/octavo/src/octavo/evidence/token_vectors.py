"""Many vectors for each text or picture, as models of late interaction give them, and how these are compared.

ColBERT has a vector for each word piece, ColPali one for each patch of a page's picture. A question's score for a text
is the sum, over the vectors of the question, of the nearest vector of the text (Khattab and Zaharia, 2020, equation 3).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from octavo.errors import CorpusError
from octavo_documents.document.columns import Rows, pack, unpack

_STEPS = 127.0
"""Steps of a stored number on either side of 0: vectors have length 1, so that none of their numbers is beyond 1."""
_TOGETHER = 65_536
"""Stored vectors that are compared at once: so many are in memory as float32."""
Matrix = npt.NDArray[np.float32]


@dataclasses.dataclass(frozen=True, eq=False)
class TokenVectors:
    """The vectors of some items. `values` is (n, dimension) int8, `start` (n_items + 1,) int64: those of item i are
    the rows `start[i]` to `start[i + 1]`. An item may have none.
    """

    values: npt.NDArray[np.int8]
    start: Rows

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def dimension(self) -> int:
        """Length of a vector, 0 where there are none."""
        return self.values.shape[1]

    @classmethod
    def of(cls, items: Sequence[Matrix]) -> Self:
        """Keep (n_vectors, dimension) float32 vectors of length 1 of each item, rounded to 1/127."""
        sizes = [len(item) for item in items]
        dimension = max((item.shape[1] for item in items if len(item)), default=0)
        whole = np.concatenate([np.zeros((0, dimension), np.float32), *(item for item in items if len(item))])
        rounded = np.clip(np.rint(whole * _STEPS), -_STEPS, _STEPS).astype(np.int8)
        return cls(rounded, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))

    def to_bytes(self) -> bytes:
        """Return the bytes that `from_bytes` reads."""
        return pack({"values": self.values, "start": self.start}, {})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what `to_bytes` returned; raise CorpusError (`damaged`) for anything else."""
        arrays, _ = unpack(data)
        values, start = arrays.get("values"), arrays.get("start")
        if values is None or start is None or values.ndim != 2 or values.dtype != np.int8 or not _bounds(start, values):
            raise CorpusError("damaged", "stored vectors are of another kind: run 'octavo add' on the document again")
        return cls(values, start)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the items of several, one after the other."""
        kept = [part for part in parts if part.dimension]
        dimension = kept[0].dimension if kept else 0
        sizes = np.concatenate([np.zeros(0, np.int64), *(np.diff(part.start) for part in parts)])
        values = np.concatenate([np.zeros((0, dimension), np.int8), *(part.values for part in kept)])
        return cls(values, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))

    def max_sim(self, question: Matrix) -> npt.NDArray[np.float64]:
        """Return (n_items,) how near each item is to a question, -1..1; nan for items without vectors.

        Args:
            question: (n_vectors, dimension) float32, rows of length 1. The sum of equation 3 is divided by their
                number, so that questions of different length compare.
        """
        found = np.full(len(self), np.nan)
        items = np.flatnonzero(np.diff(self.start))
        if not len(items) or not len(question):
            return found
        for some in np.split(items, self._cuts(items)):
            first, last = self.start[some[0]], self.start[some[-1] + 1]
            alike = question @ (self.values[first:last].astype(np.float32) / np.float32(_STEPS)).T
            best = np.maximum.reduceat(alike, self.start[some] - first, axis=1)
            found[some] = best.sum(axis=0, dtype=np.float64) / len(question)
        return found

    def _cuts(self, items: Rows) -> Rows:
        """Return where to cut items so that each part has about as many vectors as are compared at once."""
        part = self.start[items] // _TOGETHER
        return np.flatnonzero(np.diff(part)) + 1


def _bounds(start: npt.NDArray[np.generic], values: npt.NDArray[np.generic]) -> bool:
    """Return whether (n + 1,) bounds go from 0 to the number of values and never back."""
    if start.ndim != 1 or not len(start) or not np.issubdtype(start.dtype, np.integer):
        return False
    return bool(start[0] == 0 and start[-1] == len(values) and (np.diff(start.astype(np.int64)) >= 0).all())
