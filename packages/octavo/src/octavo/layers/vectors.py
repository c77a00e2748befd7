"""The layers of vectors: of passages, of what other layers made, and of how pages and figures look.

A passage is embedded with document title and heading path before it, and where it is in another language than English
by a second model, which knows many (`multilingual_vectors`). The passages of a long table share the mean of some
(`long_tables`). Of summaries, descriptions, entities and nodes
of the cross-page tree, what a model wrote is embedded; what a rule copied from the document has the mean of the
vectors of its passages, which finds as many pages and costs nothing. An entity that rules describe lies between its
name and the mean of the passages that mention it, which costs a fifth of embedding its description. Vectors of looks
are there only where an image-text model is configured, which the questions have to be embedded with too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.errors import SourceError
from octavo.evidence import Graph, PassageTable, SummaryTable
from octavo.evidence.token_vectors import TokenVectors
from octavo.evidence.view import vectors_of_bytes, visuals_of
from octavo.layers.base import Layer, LayerInputs, Renderer, text_embedding
from octavo.layers.long_tables import long_tables, read_of
from octavo.layers.multilingual import is_whole, multilingual_vectors, read_by
from octavo.layers.passages import search_texts
from octavo.models.ports import ImageTextEmbedder, LateInteraction, Raster, Vectors, is_late
from octavo_documents.document import BlockTable, Rows
from octavo_documents.document.columns import pack, unpack

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def build(inputs: LayerInputs) -> bytes:
    """Return the packed (n_passages, dimension) float16 matrix named "vectors", rows of length 1.

    Beside it stands what `multilingual_vectors` adds.
    """
    texts = _texts(inputs)
    if inputs.earlier is not None and len(earlier := vectors_of_bytes(inputs.earlier)) == len(texts):
        vectors = earlier
    else:
        share = _Sharing(inputs, len(texts))
        vectors = share.spread(embed(inputs, [texts[at] for at in share.read]))
    (added,) = multilingual_vectors([inputs], [texts])
    return _packed(vectors, *added)


def build_many(inputs: Sequence[LayerInputs]) -> list[bytes]:
    """Return what `build` does for each document, from one call of the model, which fills its batches across them."""
    texts = [_texts(one) for one in inputs]
    if not any(texts):
        return [build(one) for one in inputs]
    shares = [_Sharing(one, len(found)) for one, found in zip(inputs, texts, strict=True)]
    distinct, places = _distinct([found[at] for found, share in zip(texts, shares, strict=True) for at in share.read])
    vectors = inputs[0].embedder().embed(distinct)[places]
    ends = np.cumsum([len(share.read) for share in shares])[:-1]
    added = multilingual_vectors(inputs, texts)
    spread = (share.spread(own) for share, own in zip(shares, np.split(vectors, ends), strict=True))
    return [_packed(own, *more) for own, more in zip(spread, added, strict=True)]


class _Sharing:
    """Which passages of a document are read, and what vectors all of them have then: those of a long table its own."""

    def __init__(self, inputs: LayerInputs, passages: int) -> None:
        self._tables = long_tables(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))
        is_read = np.ones(passages, np.bool_)
        for table in self._tables:
            is_read[table] = False
            is_read[read_of(table)] = True
        self._is_read = is_read
        self.read: list[int] = np.flatnonzero(is_read).tolist()

    def spread(self, vectors: Vectors) -> Vectors:
        """Return (passages, dimension) float32 from those of what was read: a long table has its mean."""
        if not self._tables:
            return vectors
        found = np.zeros((len(self._is_read), vectors.shape[1]), np.float32)
        found[self._is_read] = vectors
        for table in self._tables:
            found[table] = unit(found[read_of(table)].mean(axis=0))
        return found


def _texts(inputs: LayerInputs) -> list[str]:
    return search_texts(inputs.document, PassageTable.from_bytes(inputs.stored["passages"]))


VECTORS = Layer(
    name="vectors",
    version=1,
    reads=("passages",),
    build=build,
    model=text_embedding,
    build_many=build_many,
    languages=read_by,
    is_whole=is_whole,
)


def embedded(inputs: LayerInputs, texts: Sequence[str]) -> bytes:
    """Return the packed (n_texts, dimension) float16 matrix named "vectors", rows of length 1."""
    return _packed(embed(inputs, texts))


def embed(inputs: LayerInputs, texts: Sequence[str]) -> Vectors:
    """Return (n_texts, dimension) float32, rows of length 1; a text that comes again is embedded once."""
    report = inputs.progress
    distinct, places = _distinct(texts)

    def advance(done: int) -> None:
        if report:
            report(done * len(texts) // len(distinct), len(texts))

    return inputs.embedder().embed(distinct, progress=advance)[places]


def _distinct(texts: Sequence[str]) -> tuple[list[str], Rows]:
    """Return each text once, and (n,) the place of each among these: the rows of a sheet may say the same."""
    known: dict[str, int] = {}
    places = [known.setdefault(text, len(known)) for text in texts]
    return list(known), np.array(places, np.int64)


def _packed(
    vectors: Vectors, more: Mapping[str, npt.NDArray[Any]] = _NOTHING, header: Mapping[str, Any] = _NOTHING
) -> bytes:
    """Return (n, dimension) vectors as they are stored."""
    return pack({"vectors": vectors.astype(np.float16), **more}, dict(header))


def unit(vectors: npt.NDArray[np.floating[Any]]) -> Vectors:
    """Return vectors scaled to length 1; those of length 0 stay."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


_STEP = 256
"""Texts between two reports of progress."""
WRITTEN = "written"
"""The stored (n,) bool array that says of each text of a layer whether a model wrote it, and no rule copied it."""
Weights = npt.NDArray[np.float64]
_MOST_ALIASES = 3
_LONGEST_TEXT = 240


class PassageMeans:
    """Means of the vectors of a document's passages; `inputs` must have the layers `passages` and `vectors`."""

    def __init__(self, inputs: LayerInputs) -> None:
        passages = PassageTable.from_bytes(inputs.stored["passages"])
        self._vectors = vectors_of_bytes(inputs.stored["vectors"])
        self._start = passages.start.astype(np.int64)
        self._stop = passages.stop.astype(np.int64)
        self._size = passages.text.lengths().astype(np.float64)

    def of_blocks(self, owner: Rows, block: Rows, owners: int) -> Vectors:
        """Return (owners, dimension), for each owner the mean of the passages that hold its blocks, each once.

        Pair i says that `owner[i]` has `block[i]`. Rows are of length 1, or 0 where no passage holds any of them.
        """
        from scipy.sparse import csr_array

        first = np.searchsorted(self._stop, block, side="right")
        is_inside = first < np.searchsorted(self._start, block, side="right")
        pairs = np.unique(np.stack([owner[is_inside], first[is_inside]], axis=1), axis=0).astype(np.int64)
        shares: Any = csr_array((np.ones(len(pairs), np.float32), pairs.T), shape=(owners, len(self._vectors)))
        return unit(shares @ self._vectors)

    def of_spans(self, start: Rows, stop: Rows) -> Vectors:
        """Return (n, dimension), for each run of blocks `[start, stop)` the mean of the passages in it.

        A passage counts by its length, the first and the last of a run by the share of its blocks that is in the run.
        Rows are of length 1, or 0 for runs without any passage.
        """
        first = np.searchsorted(self._stop, start, side="right")
        last = np.maximum(np.searchsorted(self._start, stop, side="left"), first)
        weighted = self._vectors * self._size[:, None]
        sums = np.concatenate([np.zeros((1, weighted.shape[1])), np.cumsum(weighted, axis=0)])
        means = sums[last] - sums[first]
        for edge, counts in ((first, last > first), (last - 1, last > first + 1)):
            at = edge[counts]
            means[counts] -= weighted[at] * self._outside(at, start[counts], stop[counts])[:, None]
        return unit(means)

    def _outside(self, passage: Rows, start: Rows, stop: Rows) -> Weights:
        """Return the share of each passage's blocks that is not in its run."""
        first, last = self._start[passage], self._stop[passage]
        return 1.0 - (np.minimum(last, stop) - np.maximum(first, start)) / (last - first)


def _summaries(inputs: LayerInputs) -> bytes:
    """Return the packed (n_summaries, dimension) float16 matrix named "vectors", row by row of the `SummaryTable`."""
    return standing_for(inputs, "summaries")


def standing_for(inputs: LayerInputs, layer: str) -> bytes:
    """Return the packed vectors of the `SummaryTable` of a layer; where it does not say who wrote, all is embedded."""
    stored = inputs.stored[layer]
    table = SummaryTable.from_bytes(stored)
    vectors = PassageMeans(inputs).of_spans(table.start.astype(np.int64), table.stop.astype(np.int64))
    written = unpack(stored)[0].get(WRITTEN, np.ones(len(table), np.bool_))
    # A figure without words stands in no passage: it is known by what is said of it alone.
    asked = np.flatnonzero(written | ~vectors.any(axis=1))
    if len(asked):
        vectors[asked] = embed(inputs, [table.text[at] for at in asked.tolist()])
    return _packed(vectors)


SUMMARY_VECTORS = Layer(
    name="summary_vectors",
    version=2,
    reads=("passages", "vectors", "summaries"),
    build=_summaries,
    model=text_embedding,
)


def _elements(inputs: LayerInputs) -> bytes:
    """Return the packed (n_elements, dimension) float16 matrix named "vectors", row by row of the descriptions."""
    return standing_for(inputs, "descriptions")


ELEMENT_VECTORS = Layer(
    name="element_vectors",
    version=2,
    reads=("passages", "vectors", "descriptions"),
    build=_elements,
    model=text_embedding,
)


def _entities(inputs: LayerInputs, graphs: str = "entities") -> bytes:
    """Return the packed (n_entities, dimension) float16 matrix named "vectors" of a layer's graph, rows of length 1."""
    from octavo.layers.entities import DESCRIBED

    graph = Graph.from_bytes(inputs.stored[graphs])
    if graph.statistics.get(DESCRIBED):
        return embedded(inputs, entity_texts(graph))
    names = embed(inputs, list(graph.entities.name))
    entity, block = (column.astype(np.int64) for column in (graph.mentions.entity, graph.mentions.block))
    return _packed(unit(names + PassageMeans(inputs).of_blocks(entity, block, len(graph))))


def entity_texts(graph: Graph) -> list[str]:
    """Return what each entity that a model described is embedded as: "Name (other name, other name): description"."""
    rows = zip(graph.entities.name, graph.entities.aliases, graph.entities.description, strict=True)
    return [_entity_text(name, aliases.split("\n") if aliases else [], said) for name, aliases, said in rows]


def _entity_text(name: str, aliases: list[str], description: str) -> str:
    known = {name.casefold()}
    others = [alias for alias in aliases if not (alias.casefold() in known or known.add(alias.casefold()))]
    named = f"{name} ({', '.join(others[:_MOST_ALIASES])})" if others else name
    return f"{named}: {description}"[:_LONGEST_TEXT] if description and description != name else named


ENTITY_VECTORS = Layer(
    name="entity_vectors", version=2, reads=("passages", "vectors", "entities"), build=_entities, model=text_embedding
)
BASIC_ENTITY_VECTORS = Layer(
    name="basic_entity_vectors",
    version=1,
    reads=("passages", "vectors", "basic_entities"),
    build=partial(_entities, graphs="basic_entities"),
    model=text_embedding,
)


def _nodes(inputs: LayerInputs) -> bytes:
    """Return the packed (n_nodes, dimension) float16 matrix named "vectors", row by row of the tree's nodes."""
    arrays, _ = unpack(inputs.stored["topology"])
    return pack({"vectors": arrays["vectors"]}, {})


TOPOLOGY_VECTORS = Layer(name="topology_vectors", version=1, reads=("topology",), build=_nodes, model=text_embedding)


_DPI = 96.0
"""Models look at about 200 to 1000 pixels a side."""
_TOGETHER = 16
"""Pictures drawn and embedded together: so many are in memory."""
_LEAST_SIDE = 4.0
"""Points; what is smaller shows nothing."""


def passage_token_vectors(model: Callable[[], LateInteraction]) -> Layer:
    """Return the layer of many vectors a passage, for what gives a model of late interaction; a `TokenVectors`."""
    return _token_layer("passage_token_vectors", "passages", _texts, model)


def element_token_vectors(model: Callable[[], LateInteraction]) -> Layer:
    """Return the same of what is said of each element, a `TokenVectors` row by row of the descriptions."""
    return _token_layer("element_token_vectors", "descriptions", _descriptions, model)


def _descriptions(inputs: LayerInputs) -> list[str]:
    return list(SummaryTable.from_bytes(inputs.stored["descriptions"]).text)


def _token_layer(
    name: str, of: str, texts_of: Callable[[LayerInputs], list[str]], model: Callable[[], LateInteraction]
) -> Layer:
    def build(inputs: LayerInputs) -> bytes:
        texts, found = texts_of(inputs), list[Vectors]()
        for start in range(0, len(texts), _STEP):
            found += model().embed_passages(texts[start : start + _STEP])
            if inputs.progress:
                inputs.progress(min(start + _STEP, len(texts)), len(texts))
        return TokenVectors.of(found).to_bytes()

    return Layer(name=name, version=1, reads=(of,), build=build, model=lambda: model().name, is_dispensable=True)


def visual_vectors(model: Callable[[], ImageTextEmbedder | LateInteraction]) -> Layer:
    """Return the layer for what gives an image-text model; its rows are those of `View.visuals`.

    A model of late interaction gives each a number of vectors (`TokenVectors`), any other model one.
    """
    return Layer(
        name="visual_vectors",
        version=1,
        reads=(),
        build=lambda inputs: _built(inputs, model()),
        model=lambda: model().name,
        parameters=f"dpi={_DPI:g}",
        needs_rendering=True,
        is_dispensable=True,
    )


def _built(inputs: LayerInputs, model: ImageTextEmbedder | LateInteraction) -> bytes:
    """Return the packed (n, dimension) float16 matrix named "vectors"; rows of what cannot be drawn are zeros.

    Of a model of late interaction the packed `TokenVectors`; what cannot be drawn has none.
    """
    if inputs.render is None:
        raise SourceError("missing", f"{inputs.document.name} cannot be drawn: put the file back and run 'octavo add'")
    count = len(visuals_of(inputs.document)[0])
    found: dict[int, Vectors] = {}
    pictures: list[tuple[int, Raster]] = []
    for at, picture in _drawn(inputs, inputs.render):
        pictures.append((at, picture))
        if len(pictures) == _TOGETHER:
            found.update(_embedded_pictures(model, pictures))
            pictures = []
        if inputs.progress:
            inputs.progress(at + 1, count)
    found.update(_embedded_pictures(model, pictures))
    if is_late(model):
        return TokenVectors.of([found.get(at, np.zeros((0, 0), np.float32)) for at in range(count)]).to_bytes()
    vectors = np.zeros((count, model.dimension), np.float16)
    for at, vector in found.items():
        vectors[at] = vector
    return pack({"vectors": vectors}, {})


def _drawn(inputs: LayerInputs, render: Renderer) -> Iterator[tuple[int, Raster]]:
    """Yield the pictures that can be drawn with their rows; raise SourceError when none can."""
    pages, rows = visuals_of(inputs.document)
    failed: SourceError | None = None
    drawn = 0
    for at, (page, row) in enumerate(zip(pages.tolist(), rows.tolist(), strict=True)):
        box = None if row < 0 else _box(inputs.document.blocks, row)
        if box is not None and min(box[2] - box[0], box[3] - box[1]) < _LEAST_SIDE:
            continue
        try:
            picture = render(page, box, _DPI)
        except SourceError as fault:
            failed = fault
            continue
        drawn += 1
        yield at, picture
    if failed is not None and not drawn:
        raise failed


def _box(blocks: BlockTable, row: int) -> tuple[float, float, float, float]:
    left, top, right, bottom = blocks.box[row].tolist()
    return left, top, right, bottom


def _embedded_pictures(
    model: ImageTextEmbedder | LateInteraction, pictures: list[tuple[int, Raster]]
) -> Iterator[tuple[int, Vectors]]:
    """Yield what a model makes of some pictures, each with its row."""
    if pictures:
        yield from zip(
            (at for at, _ in pictures), model.embed_images([picture for _, picture in pictures]), strict=True
        )
