"""What a layer's decisions would cost, by building it once without asking anybody.

Owns the estimate that layers share. It takes as long as building the layer by rule. Knows nothing about prices.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from octavo.layers.base import LayerInputs

Estimate = Callable[[LayerInputs], Sequence[tuple[str, int, int]]]


def rehearsed(
    build: Callable[[LayerInputs], Any], replies: Mapping[str, Callable[[int], int]] | None = None
) -> Estimate:
    """Return what tells the (decision, input tokens, output tokens) of each call that building would make.

    `replies` gives, by decision, how long a model's reply is where the rule's has so many tokens; the same by default.
    """
    longer = replies or {}

    def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
        from octavo.decisions.engine.rehearsal import Rehearsal

        judge = Rehearsal(inputs.judge)
        build(dataclasses.replace(inputs, judge=judge))
        return [(name, read, longer.get(name, int)(written)) for name, read, written in judge.calls]

    return estimate
