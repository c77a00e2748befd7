"""Which layers a document has, who decided in them, and how many rows each holds.

Owns what a row of each layer is called. Builds nothing. Knows nothing about how it is printed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial

from octavo.document import View


@dataclasses.dataclass(frozen=True, slots=True)
class LayerCount:
    """A stored layer: `by` is `rule` or `model`, `rows` of the thing named `what`; None where it is not counted."""

    layer: str
    by: str
    rows: int | None
    what: str


def _vectors(name: str, view: View) -> int:
    return len(view.vectors(name))


_ROWS: Mapping[str, tuple[str, Callable[[View], int]]] = {
    "passages": ("passages", lambda view: len(view.passages)),
    "vectors": ("vectors", partial(_vectors, "vectors")),
    "links": ("links", lambda view: len(view.link_graph)),
    "communities": ("communities", lambda view: int(view.communities.max(initial=-1)) + 1),
    "descriptions": ("descriptions", lambda view: len(view.descriptions)),
    "summaries": ("summaries", lambda view: len(view.summaries)),
    "entities": ("entities", lambda view: len(view.graph)),
    "topology": ("leaves and clusters", lambda view: len(view.topology)),
}


def counted(layers: Mapping[str, str], view: View) -> list[LayerCount]:
    """Return the layers of a document in build order; `layers` says by name who decided."""
    from octavo.layers import LAYERS, OPTIONAL_LAYERS

    known = [name for name in (*LAYERS, *OPTIONAL_LAYERS) if name in layers]
    return [_counted(name, layers[name], view) for name in (*known, *sorted(layers.keys() - {*known}))]


def _counted(name: str, by: str, view: View) -> LayerCount:
    vectors = ("vectors", partial(_vectors, name)) if name.endswith("_vectors") else None
    found = _ROWS.get(name, vectors)
    return LayerCount(name, by, None, "") if found is None else LayerCount(name, by, found[1](view), found[0])
