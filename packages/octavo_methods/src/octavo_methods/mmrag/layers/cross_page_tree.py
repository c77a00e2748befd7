"""The layers of MMRAG-DocQA's cross-page index: leaves of 100 tokens, clustered and summed up until one root is left.

Equations 7 to 9: leaves are cut from all that a document says, descriptions of pictures too, and each has a vector of
its own; Gaussian mixtures cluster the nodes of a level; each cluster is summed up by itself; and what is said of it is
embedded, by whomever it was said. The layers whose names begin with `text_` leave the descriptions out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from octavo.layers.base import Layer, LayerInputs, rehearsed, text_embedding
from octavo.layers.topology import clusters_of
from octavo.layers.topology.tree import (
    LEAF_TOKENS,
    ROOM,
    Levels,
    TreeNode,
    TreeUnit,
    cluster,
    joined_text,
    leaf,
    row_units,
    sentence_units,
    size_of,
    to_bytes,
)
from octavo.layers.vectors import embed, unit
from octavo.models.bert import count_tokens
from octavo_documents.document.columns import pack, unpack
from octavo_methods.mmrag.decisions.summarize_cluster import SUMMARIZE_CLUSTER, ClusterText
from octavo_methods.mmrag.layers.page_texts import TABLE, pieces_of

_REPLY_TOKENS = 90
"""What a model says of a cluster at least, about."""


def leaves_of(units: Sequence[TreeUnit], tokens: int = LEAF_TOKENS) -> list[list[TreeUnit]]:
    """Return units in order as leaves of as many as have at most `tokens` tokens together; a longer one is alone."""
    found: list[list[TreeUnit]] = []
    filled = 0
    for one, size in zip(units, count_tokens([one.text for one in units]), strict=True):
        if not found or filled + size > tokens:
            found.append([])
            filled = 0
        found[-1].append(one)
        filled += size
    return found


def _units(pieces: Iterable[tuple[int, str, str]]) -> list[TreeUnit]:
    """Return the sentences and table rows of what a document says."""
    return [
        TreeUnit(row, text[start:stop])
        for row, kind, text in pieces
        for start, stop in (row_units(text) if kind == TABLE else sentence_units(text))
    ]


def _built(inputs: LayerInputs, *, has_descriptions: bool) -> Levels:
    """Return the levels of the tree, leaves first, the root last; none for a document without text."""
    leaves = leaves_of(_units(pieces_of(inputs, has_descriptions=has_descriptions)))
    if not leaves:
        return []
    texts = [joined_text(one).strip() for one in leaves]
    vectors = embed(inputs, texts)
    levels = [
        [
            leaf(text, vector, dict.fromkeys(one.row for one in units), "")
            for units, text, vector in zip(leaves, texts, vectors, strict=True)
        ]
    ]
    while len(levels[-1]) > 1:
        below = levels[-1]
        sizes = np.array([size_of(node.text) for node in below])
        clusters = clusters_of(unit(np.stack([node.vector for node in below])), sizes, ROOM)
        levels.append(_summed_up(inputs, below, clusters))
    return levels


def _summed_up(
    inputs: LayerInputs, below: Sequence[TreeNode], clusters: Sequence[Mapping[int, float]]
) -> list[TreeNode]:
    """Return a node for each cluster: its summary (equation 8), embedded."""
    asked = [ClusterText(tuple(below[at].text for at in sorted(members))) for members in clusters]
    said = [one.output.summary for one in inputs.judge.decide_many(SUMMARIZE_CLUSTER, asked)]
    rows = zip(said, inputs.embedder().embed(said), clusters, strict=True)
    return [cluster(text, vector, below, members) for text, vector, members in rows]


def _tree(name: str, *, has_descriptions: bool) -> Layer:
    def build(inputs: LayerInputs) -> bytes:
        return to_bytes(_built(inputs, has_descriptions=has_descriptions))

    return Layer(
        name=name,
        version=1,
        reads=("page_texts",),
        build=build,
        model=text_embedding,
        decisions=(SUMMARIZE_CLUSTER.name,),
        parameters=f"leaf={LEAF_TOKENS}",
        estimate=rehearsed(build, {SUMMARIZE_CLUSTER.name: lambda ruled: max(ruled, _REPLY_TOKENS)}),
    )


def _vectors(name: str, tree: str) -> Layer:
    return Layer(
        name=name,
        version=1,
        reads=(tree,),
        build=lambda inputs: pack({"vectors": unpack(inputs.stored[tree])[0]["vectors"]}, {}),
        model=text_embedding,
    )


CROSS_PAGE_TREE = _tree("cross_page_tree", has_descriptions=True)
CROSS_PAGE_TREE_VECTORS = _vectors("cross_page_tree_vectors", "cross_page_tree")
TEXT_CROSS_PAGE_TREE = _tree("text_cross_page_tree", has_descriptions=False)
TEXT_CROSS_PAGE_TREE_VECTORS = _vectors("text_cross_page_tree_vectors", "text_cross_page_tree")
