"""Making documents visible, with what is listed of them and those parts of earlier states that still hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from octavo.corpus.index import fingerprints
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.previous_layers import keep_previous
from octavo.corpus.index.tasks import Draft, Task
from octavo.corpus.store import DocumentInfo, DocumentPart, LeaseLost, Publication, Ready
from octavo.corpus.store.paths import name_of, shown
from octavo.evidence import PassageTable


def publish(builder: DocumentBuilder, drafts: Sequence[Draft]) -> list[bool]:
    """Make documents visible in one step; return for each whether its lease was still held."""
    return builder.store.bulk.publish_many([_ready(builder, draft) for draft in drafts])


def _ready(builder: DocumentBuilder, draft: Draft) -> Ready:
    task = draft.task
    publication = Publication(_described(draft), builder.how.ocr, _parts(builder, task))
    unstored = [DocumentPart(name, task.fingerprints[name], data) for name, data in draft.unstored.items()]
    return Ready(task.lease, publication, task.remembered, unstored)


def _parts(builder: DocumentBuilder, task: Task) -> Mapping[str, str]:
    """Return the fingerprints of the parts to publish, by name.

    Optional layers that still hold stay; of others the previous state is kept where models made it.
    """
    if not task.is_visible and not task.candidate.replaces:
        return task.fingerprints
    published = builder.stored([task.id]).get(task.id, {})
    optional = [*builder.builders.in_build_order(published).values()]
    parts = fingerprints.sound(published, task.fingerprints, optional, builder.builders.model_of)
    layers = [layer for layer in builder.builders.optional.values() if layer.name not in parts]
    try:
        return parts | keep_previous(builder.store, task.lease, task.candidate.replaces, layers)
    except LeaseLost:
        return parts  # it will not be published


def _described(draft: Draft) -> DocumentInfo:
    document, source = draft.document, draft.task.source
    return DocumentInfo(
        id=document.id,
        name=shown(name_of(source)),
        path=shown(source.path),
        pages=len(document.pages),
        scanned_pages=int(document.pages.is_scanned.sum()),
        blocks=len(document.blocks),
        sections=len(document.blocks.headings()),
        passages=len(PassageTable.from_bytes(draft.layers["passages"])),
        size_bytes=source.size,
        added="",
        title=document.title,
        damage=document.metadata.damage,
    )
