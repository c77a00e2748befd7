"""The topology_vectors layer: one vector per node of the cross-page tree, for search over all its levels at once.

Owns nothing but the name: the tree is made from these vectors and keeps them. Knows nothing about search.
"""

from __future__ import annotations

from octavo.document.columns import pack, unpack
from octavo.layers.base import Layer, LayerInputs, text_embedding


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_nodes, dimension) float16 matrix named "vectors", row by row of the tree's nodes."""
    arrays, _ = unpack(inputs.stored["topology"])
    return pack({"vectors": arrays["vectors"]}, {})


TOPOLOGY_VECTORS = Layer(name="topology_vectors", version=1, reads=("topology",), build=build, model=text_embedding)
