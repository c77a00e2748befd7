"""The summary_vectors layer: one vector per summary of a page, a section or an element.

Owns what is embedded. Knows nothing about how summaries are made.
"""

from __future__ import annotations

from octavo.document import SummaryTable
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.embedding import embedded


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_summaries, dimension) float16 matrix named "vectors", row by row of the `SummaryTable`."""
    return embedded(inputs, list(SummaryTable.from_bytes(inputs.stored["summaries"]).text))


SUMMARY_VECTORS = Layer(name="summary_vectors", version=1, reads=("summaries",), build=build, model=text_embedding)
