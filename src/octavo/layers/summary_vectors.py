"""The summary_vectors layer: one vector per summary of a page, a section or an element.

Owns what stands for a text about blocks: what a model wrote is embedded; what a rule copied has the mean of the
passages it is about, which finds as many pages and costs nothing. Knows nothing about how summaries are made.
"""

from __future__ import annotations

import numpy as np

from octavo.document import SummaryTable
from octavo.document.columns import unpack
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.embedding import embed, packed
from octavo.layers.means import WRITTEN, PassageMeans


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_summaries, dimension) float16 matrix named "vectors", row by row of the `SummaryTable`."""
    return standing_for(inputs, "summaries")


def standing_for(inputs: LayerInputs, layer: str) -> bytes:
    """Return the packed vectors of the `SummaryTable` of a layer; where it does not say who wrote, all is embedded."""
    stored = inputs.stored[layer]
    table = SummaryTable.from_bytes(stored)
    vectors = PassageMeans(inputs).of_spans(table.start.astype(np.int64), table.stop.astype(np.int64))
    written = unpack(stored)[0].get(WRITTEN, np.ones(len(table), np.bool_))
    # A figure without words stands in no passage: it is known by what is said of it alone.
    asked = np.flatnonzero(written | ~vectors.any(axis=1))
    if len(asked):
        vectors[asked] = embed(inputs, [table.text[at] for at in asked.tolist()])
    return packed(vectors)


SUMMARY_VECTORS = Layer(
    name="summary_vectors", version=2, reads=("passages", "vectors", "summaries"), build=build, model=text_embedding
)
