"""What stands for a text that the rules copied from passages: the mean of their vectors, which costs nothing.

Owns which passages blocks lie in and how they are weighed. Knows nothing about what is made from means.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.document import PassageTable, Rows
from octavo.document.view import vectors_of_bytes
from octavo.layers.base import LayerInputs
from octavo.layers.embedding import unit
from octavo.models.ports import Vectors

WRITTEN = "written"
"""The stored (n,) bool array that says of each text of a layer whether a model wrote it, and no rule copied it."""
Weights = npt.NDArray[np.float64]


class PassageMeans:
    """Means of the vectors of a document's passages; `inputs` must have the layers `passages` and `vectors`."""

    def __init__(self, inputs: LayerInputs) -> None:
        passages = PassageTable.from_bytes(inputs.stored["passages"])
        self._vectors = vectors_of_bytes(inputs.stored["vectors"])
        self._start = passages.start.astype(np.int64)
        self._stop = passages.stop.astype(np.int64)
        self._size = passages.text.lengths().astype(np.float64)

    def of_blocks(self, owner: Rows, block: Rows, owners: int) -> Vectors:
        """Return (owners, dimension), for each owner the mean of the passages that hold its blocks, each once.

        Pair i says that `owner[i]` has `block[i]`. Rows are of length 1, or 0 where no passage holds any of them.
        """
        from scipy.sparse import csr_array

        first = np.searchsorted(self._stop, block, side="right")
        is_inside = first < np.searchsorted(self._start, block, side="right")
        pairs = np.unique(np.stack([owner[is_inside], first[is_inside]], axis=1), axis=0).astype(np.int64)
        shares: Any = csr_array((np.ones(len(pairs), np.float32), pairs.T), shape=(owners, len(self._vectors)))
        return unit(shares @ self._vectors)

    def of_spans(self, start: Rows, stop: Rows) -> Vectors:
        """Return (n, dimension), for each run of blocks `[start, stop)` the mean of the passages in it.

        A passage counts by its length, the first and the last of a run by the share of its blocks that is in the run.
        Rows are of length 1, or 0 for runs without any passage.
        """
        first = np.searchsorted(self._stop, start, side="right")
        last = np.maximum(np.searchsorted(self._start, stop, side="left"), first)
        weighted = self._vectors * self._size[:, None]
        sums = np.concatenate([np.zeros((1, weighted.shape[1])), np.cumsum(weighted, axis=0)])
        means = sums[last] - sums[first]
        for edge, counts in ((first, last > first), (last - 1, last > first + 1)):
            at = edge[counts]
            means[counts] -= weighted[at] * self._outside(at, start[counts], stop[counts])[:, None]
        return unit(means)

    def _outside(self, passage: Rows, start: Rows, stop: Rows) -> Weights:
        """Return the share of each passage's blocks that is not in its run."""
        first, last = self._start[passage], self._stop[passage]
        return 1.0 - (np.minimum(last, stop) - np.maximum(first, start)) / (last - first)
