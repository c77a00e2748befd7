"""The layers that every document has: of one document, each stored when it is done, or of many small ones together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.tasks import Draft
from octavo.corpus.progress import Reporter
from octavo.corpus.store import DocumentPart
from octavo.layers import LayerInputs

if TYPE_CHECKING:
    from octavo.layers import Layer


def build_stored(builder: DocumentBuilder, draft: Draft) -> None:
    """Build the layers of a document that are not stored yet, and store each when it is done. Raises LeaseLost."""
    task = draft.task
    for name, layer in builder.builders.layers.items():
        data = builder.finished_part(task, name)
        if data is None:
            builder.progress.start(task.source.path, name, 0)
            data = layer.build(_inputs(builder, layer, draft, Reporter(builder.progress, task.source.path, name)))
            builder.store.stage(task.lease, DocumentPart(name, task.fingerprints[name], data))
        draft.layers[name] = data


def build_first(builder: DocumentBuilder, drafts: Sequence[Draft]) -> None:
    """Build the layers of small documents up to the first one that is built of many documents at once.

    These layers are built while the loop builds the layers of another batch.
    """
    for layer in takewhile(lambda layer: layer.build_many is None, builder.builders.layers.values()):
        _build(builder, layer, drafts)


def build_rest(builder: DocumentBuilder, drafts: Sequence[Draft]) -> None:
    """Build the layers of small documents that `build_first` has left."""
    for layer in builder.builders.layers.values():
        _build(builder, layer, [draft for draft in drafts if layer.name not in draft.layers])


def _build(builder: DocumentBuilder, layer: Layer, drafts: Sequence[Draft]) -> None:
    inputs = [_inputs(builder, layer, draft) for draft in drafts]
    if layer.build_many is not None and inputs:
        built = layer.build_many(inputs)
    else:
        built = [layer.build(one) for one in inputs]
    for draft, data in zip(drafts, built, strict=True):
        draft.layers[layer.name] = draft.unstored[layer.name] = data


def _inputs(builder: DocumentBuilder, layer: Layer, draft: Draft, reporter: Reporter | None = None) -> LayerInputs:
    reads = {name: draft.layers[name] for name in layer.reads}
    return LayerInputs(draft.document, reads, reporter, embedder=builder.builders.embedder)
