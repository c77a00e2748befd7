"""The layers that every document has: of one document, each stored when it is done, or of many small ones together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from octavo.corpus.index import fingerprints
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.tasks import Draft
from octavo.corpus.progress import Reporter
from octavo.corpus.store import DOCUMENT_PART, DocumentPart
from octavo.layers import LayerInputs
from octavo.layers.base import embeds_texts
from octavo.layers.multilingual import share_in_other_languages

if TYPE_CHECKING:
    from octavo.layers import Layer

_WORTH_TELLING = 0.1
"""Share of a document's passages that are not in English from which on that is told: a code or a name may look so."""


def build_stored(builder: DocumentBuilder, draft: Draft) -> None:
    """Build the layers of a document that are not stored yet, and store each when it is done. Raises LeaseLost."""
    task = draft.task
    for name, layer in builder.builders.layers.items():
        inputs = _inputs(builder, layer, draft, Reporter(builder.progress, task.source.path, name))
        data = builder.finished_part(task, name)
        is_kept = data is not None and (layer.is_whole is None or layer.is_whole(data, inputs))
        if data is None or not is_kept:
            builder.progress.start(task.source.path, name, 0)
            data = layer.build(replace(inputs, earlier=data))
        if not is_kept:
            _note_vectors(builder, draft, layer)
        _note_languages(builder, draft, layer, data)
        if not is_kept:
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
        _note_vectors(builder, draft, layer)
        _note_languages(builder, draft, layer, data)
        draft.layers[layer.name] = draft.unstored[layer.name] = data


def _inputs(builder: DocumentBuilder, layer: Layer, draft: Draft, reporter: Reporter | None = None) -> LayerInputs:
    reads = {name: draft.layers[name] for name in layer.reads}
    return LayerInputs(
        draft.document,
        reads,
        reporter,
        embedder=builder.builders.embedder,
        multilingual=builder.builders.multilingual,
    )


def _note_vectors(builder: DocumentBuilder, draft: Draft, layer: Layer) -> None:
    """Note in the fingerprint of a layer that it has no vectors where the embedding model cannot be used."""
    if not embeds_texts(layer):
        return
    task = draft.task
    if not builder.builders.embeds:
        task.fingerprints[layer.name] = fingerprints.of_layer(layer, "", task.fingerprints)
        builder.wordless.add(task.fingerprints[DOCUMENT_PART])
    elif builder.is_without_vectors(layer.name, task.fingerprints, builder.stored([task.id]).get(task.id, {})):
        builder.completed.add(task.id)


def _note_languages(builder: DocumentBuilder, draft: Draft, layer: Layer, data: bytes) -> None:
    """Note in the fingerprint of a layer which model, if any, read what of it is in other languages."""
    if layer.languages is None or (model := layer.languages(data)) is None:
        return
    task = draft.task
    task.fingerprints[layer.name] = fingerprints.with_languages(task.fingerprints[layer.name], model)
    if not model:
        if share_in_other_languages(draft.layers["passages"]) >= _WORTH_TELLING:
            builder.unread[task.id] = draft.document.name
    elif task.is_visible:
        builder.renewed.add(task.id)
