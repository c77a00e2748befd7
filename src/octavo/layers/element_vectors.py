"""The element_vectors layer: one vector per description of a figure, chart, table or formula.

Owns which texts these are. Knows nothing about how descriptions are made.
"""

from __future__ import annotations

from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.summary_vectors import standing_for


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_elements, dimension) float16 matrix named "vectors", row by row of the descriptions."""
    return standing_for(inputs, "descriptions")


ELEMENT_VECTORS = Layer(
    name="element_vectors", version=2, reads=("passages", "vectors", "descriptions"), build=build, model=text_embedding
)
