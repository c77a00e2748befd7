"""Fingerprints: what a stored part was made from, so that nothing is computed twice and nothing stale is kept.

A layer's is `<base>.<flavour>`. The base says what it is: its name, version and parameters, the bases of what it reads,
and, in a part of its own, the embedding model. The flavour says who decided: `rule`, or a digest of the
models, and after `~` the flavours of what it reads where those are not all `rule`. After `+` stands, of vectors of a
document in other languages than English, which model made them, or `none`: nothing else of the layer goes by it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from octavo.corpus.store import DOCUMENT_PART, PartKey

if TYPE_CHECKING:
    from octavo.layers import Layer

_NO_MODEL = "none"
RULE = "rule"
"""The flavour of what the rules decided, or nobody had to."""
_SHORT = 12
"""Hex digits of a digest of models: 48 bits tell the few models of a corpus apart."""


def of(*parts: str) -> str:
    """Return the hex digest of texts; their borders count."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def of_documents(parts: Iterable[PartKey], layers: Collection[str] | None) -> dict[str, str]:
    """Return, by document id, a digest of what stored documents and their layers, all or these, were made from."""
    found: dict[str, list[str]] = {}
    for key in parts:
        if layers is None or key.name == DOCUMENT_PART or key.name in layers:
            found.setdefault(key.document_id, []).append(f"{key.name} {key.fingerprint}")
    return {name: of(*sorted(made)) for name, made in found.items()}


def of_document(
    document_id: str, *, parser: str, ocr: str, recognizer: str, layout: str = "", headings: str = "", printed: str = ""
) -> str:
    """Return the fingerprint of a parsed document.

    `parser` names the versions of extraction and structuring, `recognizer` the OCR model, `layout` the layout model and
    `headings` the model that doubtful headings are put to, each empty when none is used; `printed` says that it has the
    pages that another program prints of it.
    """
    more = [part for part in (headings, printed) if part]  # a document that the rules read alone has no such part
    return of(DOCUMENT_PART, document_id, parser, ocr, recognizer, layout, *more)


def of_layer(layer: Layer, model: str, parts: Mapping[str, str], decided: str = RULE) -> str:
    """Return the fingerprint of a layer.

    Args:
        layer: The layer.
        model: The embedding model it depends on, "" for none.
        parts: The fingerprints of the document and of what the layer reads, by part name.
        decided: Who decided, as `deciders` has it.
    """
    return f"{_base(layer, model, parts)}.{decided}{_read(layer, parts)}"


def of_layers(document: str, layers: Iterable[Layer], models: Mapping[str, str]) -> dict[str, str]:
    """Return, by part name, the fingerprint of a document and of every layer built on it by rule, in build order.

    Args:
        document: The document's own fingerprint.
        layers: Layers, each after those it reads.
        models: The model each layer depends on, by layer name.
    """
    known = {DOCUMENT_PART: document}
    for layer in layers:
        known[layer.name] = of_layer(layer, models[layer.name], known)
    return known


def sound(
    stored: Mapping[str, str], start: Mapping[str, str], layers: Iterable[Layer], model_of: Callable[[Layer], str]
) -> dict[str, str]:
    """Return `start` and, of the stored layers, those that were made from what is returned, whoever decided.

    Args:
        stored: Fingerprints of what a document has, by part name.
        start: Those that hold: the document's and of some layers.
        layers: Layers to look at, each after those it reads.
        model_of: Names the embedding model a layer depends on now.
    """
    kept = dict(start)
    for layer in layers:
        own = stored.get(layer.name)
        if own is None or any(name not in kept for name in layer.reads):
            continue
        base, _, flavour = own.partition(".")
        holds = base == _base(layer, model_of(layer), kept)
        if holds and flavour[len(_decided(flavour)) :] == _read(layer, kept):
            kept[layer.name] = own
    return kept


def deciders(models: Mapping[str, str]) -> str:
    """Return who decides as it stands in a flavour: a digest of model ids by decision, `rule` without any."""
    return of(*(f"{name}={models[name]}" for name in sorted(models)))[:_SHORT] if models else RULE


def decided_by(fingerprint: str) -> str:
    """Return who decided a layer: `rule`, or the digest of the models that did."""
    return _decided(fingerprint.partition(".")[2]) or RULE


def with_languages(fingerprint: str, model: str) -> str:
    """Return the fingerprint of vectors of a document in other languages; `model` made those, "" for none."""
    plain = fingerprint.partition("+")[0]
    return f"{plain}+{embedding(model) or _NO_MODEL}"


def languages_of(fingerprint: str) -> str:
    """Return which model made vectors of other languages, as `embedding` has it; "" where there are none to be made."""
    return fingerprint.partition("+")[2]


def holds(expected: str, stored: str | None, languages: str) -> bool:
    """Whether a stored part is as it is to be; `languages` is the model of other languages now, "" for none.

    Without such a model what one has made stays.
    """
    if stored is None or stored.partition("+")[0] != expected.partition("+")[0]:
        return False
    return not languages or languages_of(stored) in ("", embedding(languages))


def embedding(model: str) -> str:
    """Return what tells an embedding model apart in a base, "" for none."""
    return of("embedding", model)[:_SHORT] if model else ""


def embedding_of(fingerprint: str) -> str:
    """Return which embedding model a layer depends on, as `embedding` has it; "" for none or when it is not known."""
    return fingerprint.partition(".")[0].partition("-")[2]


def _base(layer: Layer, model: str, parts: Mapping[str, str]) -> str:
    reads = [parts[name].partition(".")[0] for name in (DOCUMENT_PART, *layer.reads)]
    own = of("layer", layer.name, str(layer.version), layer.parameters, model, *reads)
    return f"{own}-{embedding(model)}" if model else own


def _decided(flavour: str) -> str:
    return flavour.partition("+")[0].partition("~")[0]


def _read(layer: Layer, parts: Mapping[str, str]) -> str:
    """Return the end of a flavour: a digest of the flavours of what is read, "" when the rules made all of it."""
    flavours = [parts[name].partition(".")[2].partition("+")[0] for name in layer.reads]
    return "" if all(flavour == RULE for flavour in flavours) else f"~{of(*flavours)[:_SHORT]}"
