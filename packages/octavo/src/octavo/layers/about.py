"""The layer that says what a document is about, by rule: what it is looked up by among many."""

from __future__ import annotations

from octavo.about.profiling import profile_of
from octavo.layers.base import Layer, LayerInputs


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `DocumentProfile` of a document."""
    return profile_of(inputs.document).to_bytes()


ABOUT = Layer("about", 7, reads=(), build=build)
