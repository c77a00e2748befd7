"""The layers of multilingual-e5-small as a network in ONNX: from vectors of pieces to one vector a text."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from octavo.models.e5_file import E5File
from octavo.models.onnx_graph import OnnxGraph

VECTORS, MASK = "vectors", "mask"
"""The inputs: (texts, pieces, width) and (texts, pieces), 1 for a piece and 0 for what fills a row up."""
_LARGEST = 127
_MASKED = 1e4


def network_of(file: E5File) -> bytes:
    """Return the network, whose output is (texts, width): the sum of the states of a text's pieces."""
    return _Network(file).written()


@dataclass
class _Network:
    file: E5File
    graph: OnnxGraph = field(default_factory=OnnxGraph)

    def written(self) -> bytes:
        """Return the whole network."""
        graph, file = self.graph, self.file
        vectors = graph.put(VECTORS, np.float32, ("texts", "pieces", file.width))
        mask = graph.put(MASK, np.float32, ("texts", "pieces"))
        aside = graph.node("Unsqueeze", mask, self._sizes(1, 2))
        hidden = graph.node("Mul", graph.node("Sub", aside, self._float(1.0)), self._float(_MASKED))
        states = self._scaled(vectors, "emb.ln")
        for layer in range(file.layers):
            states = self._layer(f"l{layer}", states, hidden)
        summed = graph.node("MatMul", graph.node("Unsqueeze", mask, self._sizes(1)), states)
        return graph.to_bytes(graph.node("Squeeze", summed, self._sizes(1), name="summed"), ("texts", file.width))

    def _layer(self, name: str, states: str, hidden: str) -> str:
        graph = self.graph
        size = self.file.width // self.file.heads
        asked = self._by_head(self._product(f"{name}.q", states, scale=size**-0.5), 0, 2, 1, 3)
        keys = self._by_head(self._product(f"{name}.k", states), 0, 2, 3, 1)
        values = self._by_head(self._product(f"{name}.v", states), 0, 2, 1, 3)
        weights = graph.node("Softmax", graph.node("Add", graph.node("MatMul", asked, keys), hidden), axis=-1)
        read = graph.node("Transpose", graph.node("MatMul", weights, values), perm=(0, 2, 1, 3))
        joined = graph.node("Reshape", read, self._sizes(0, 0, self.file.width))
        states = self._scaled(graph.node("Add", states, self._product(f"{name}.ao", joined)), f"{name}.aln")
        wide = graph.node("Gelu", self._product(f"{name}.fi", states))
        return self._scaled(graph.node("Add", states, self._product(f"{name}.fo", wide)), f"{name}.oln")

    def _product(self, name: str, states: str, *, scale: float = 1.0) -> str:
        """Return states times a matrix, rounded to int8 with a scale for each output, plus its bias."""
        graph = self.graph
        bias = self.file.vector(f"{name}.b")
        weights = self.file.matrix(f"{name}.w", len(bias)).T
        largest = np.maximum(np.abs(weights).max(axis=0, keepdims=True), 1e-12) / _LARGEST
        whole = graph.array(np.rint(weights / largest).astype(np.int8))
        scales = graph.array((largest * scale).astype(np.float32))
        floats = graph.node("Mul", graph.node("Cast", whole, to=1), scales)
        return graph.node("Add", graph.node("MatMul", states, floats), graph.array(bias * np.float32(scale)))

    def _by_head(self, states: str, *order: int) -> str:
        heads = self.file.heads
        shaped = self.graph.node("Reshape", states, self._sizes(0, 0, heads, self.file.width // heads))
        return self.graph.node("Transpose", shaped, perm=order)

    def _scaled(self, states: str, name: str) -> str:
        """Return states normalised as after each half of a layer."""
        weights, bias = (self.graph.array(self.file.vector(f"{name}.{one}")) for one in "wb")
        return self.graph.node("LayerNormalization", states, weights, bias, axis=-1, epsilon=self.file.epsilon)

    def _float(self, value: float) -> str:
        return self.graph.array(np.array(value, np.float32))

    def _sizes(self, *sizes: int) -> str:
        return self.graph.array(np.array(sizes, np.int64))
