# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
"""Networks quantised for onnxruntime, rewritten for OpenVINO: their products of integers become products of floats.

Such a network rounds what goes into each product by operations of its own (DynamicQuantizeLinear, MatMulInteger), which
OpenVINO carries out one by one. Shown weights in int8 with their scale it rounds by itself, in a third of the time.
The weights stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

REWRITING = 1
"""Part of what tells a network that was compiled before: raised when it is rewritten in another way."""
_ROUNDED = ("Subtract", "Convert", "Convert", "Clamp", "Add", "Round", "Divide", "Multiply")
"""The operations between a product and the floats that go into it, by the first input of each."""
_WEIGHTS = ("Subtract", "Convert")


def with_float_products(network: Any) -> Any:
    """Return an OpenVINO model whose products of integers, where they are written so, are products of floats."""
    replaced = 0
    for node in network.get_ordered_ops():
        if node.get_type_name() == "MatMul" and node.get_output_element_type(0).get_type_name() == "i32":
            replaced += _replace(node)
    if replaced:
        network.validate_nodes_and_infer_types()
    return network


def _replace(product: Any) -> bool:
    """Replace a product and what scales it; return False, and leave it, where it is written in another way."""
    from openvino import opset13

    floats = _before(product.input_value(0), _ROUNDED)
    weights = _constant(_before(product.input_value(1), _WEIGHTS))
    zero = _constant(_before(product.input_value(1), ("Subtract",), second=True))
    scaled = _only_user(_only_user(product))
    scale = _scale(scaled)
    if floats is None or weights is None or scale is None or (zero is not None and zero.any()):
        return False
    # A scale for each output, and weights as they lie: with weights turned round OpenVINO 2026 loses the scale where it
    # computes several streams.
    scales = np.full((1, weights.shape[1]), scale, np.float32)
    weighed = opset13.multiply(opset13.convert(opset13.constant(weights), "f32"), opset13.constant(scales))
    scaled.output(0).replace(opset13.matmul(floats, weighed, transpose_a=False, transpose_b=False).output(0))
    return True


def _before(value: Any, kinds: Sequence[str], *, second: bool = False) -> Any:
    """Return what goes into a chain of operations, given their kinds from the last on; None where it is another one."""
    for at, kind in enumerate(kinds):
        node = value.get_node()
        if node.get_type_name() != kind:
            return None
        value = node.input_value(int(second and at == len(kinds) - 1))
    if second and value.get_node().get_type_name() == "Convert":
        value = value.get_node().input_value(0)
    return value


def _constant(value: Any) -> Any:
    """Return the numbers of a constant; None for what is no constant."""
    if value is None or value.get_node().get_type_name() != "Constant":
        return None
    return value.get_node().get_data()


def _only_user(node: Any) -> Any:
    users = list(node.output(0).get_target_inputs()) if node is not None else []
    return users[0].get_node() if len(users) == 1 else None


def _scale(scaled: Any) -> Any:
    """Return the scale of the weights in what scales a product by theirs and by that of what is rounded."""
    if scaled is None or scaled.get_type_name() != "Multiply":
        return None
    for value in scaled.input_values():
        node = value.get_node()
        if node.get_type_name() == "Multiply":
            return next((found for found in map(_constant, node.input_values()) if found is not None), None)
    return None
