"""The element_vectors layer: one vector per description of a figure, chart, table or formula.

Owns what is embedded. Knows nothing about how descriptions are made.
"""

from __future__ import annotations

from octavo.document import SummaryTable
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.embedding import embedded


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_elements, dimension) float16 matrix named "vectors", row by row of the descriptions."""
    return embedded(inputs, list(SummaryTable.from_bytes(inputs.stored["descriptions"]).text))


ELEMENT_VECTORS = Layer(name="element_vectors", version=1, reads=("descriptions",), build=build, model=text_embedding)
