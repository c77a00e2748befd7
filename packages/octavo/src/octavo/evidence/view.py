"""A view: the documents in scope of a question, as one table with its layers.

Documents are concatenated: the same columns, rows shifted. Layers are loaded through a port when first asked for.
What was read of one document, or found out about it, is kept with the view of it alone, which views of several share.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from octavo.errors import CorpusError
from octavo.evidence.layer_tables import PASSAGES_TABLE, LayerTable, PassageTable
from octavo.evidence.token_vectors import TokenVectors
from octavo_documents.document.blocks import FURNITURE, BlockTable, Kind
from octavo_documents.document.columns import Mask, Rows, unpack
from octavo_documents.document.document import Document
from octavo_documents.document.links import LinkTable

_L = TypeVar("_L")
_P = ParamSpec("_P")


class LayerSource(Protocol):
    """Where a view gets the stored bytes of a document's layers."""

    def load(self, document_id: str, layer: str) -> bytes | None:
        """Return the layer's bytes, None when it was not built."""
        ...


class View:
    """Several documents as one block table.

    Rows of document i are `[row_starts[i], row_starts[i + 1])`; pages are numbered through the view by a page index,
    0-based, and page p of document i has index `page_starts[i] + p - 1`. Immutable and safe to share between threads.
    """

    def __init__(
        self, documents: Sequence[Document], layers: LayerSource | None = None, names: Sequence[str] | None = None
    ) -> None:
        self.documents = tuple(documents)
        self.names = tuple(document.name for document in documents) if names is None else tuple(names)
        """What each document is called: its name, or more of its path where others have the same."""
        self._layers = layers
        self._read: dict[str, object] = {}
        self._loaded: dict[str, object] = {}
        self._derived: dict[object, object] = {}
        self._lock = threading.RLock()

    @classmethod
    def of(cls, parts: Sequence[View], names: Sequence[str] | None = None) -> View:
        """Return the documents of views of one document each as one view, which shares what they keep.

        `names` are what they are called in it, in order.
        """
        if len(parts) == 1 and names in (None, parts[0].names):
            return parts[0]
        view = cls([part.documents[0] for part in parts], names=names)
        view.__dict__["parts"] = tuple(parts)
        return view

    def with_blocks(self, blocks: Sequence[BlockTable]) -> View:
        """Return the same documents and layers, with other blocks in the place of those of each document."""
        pairs = zip(self.parts, blocks, strict=True)
        parts = [View([dataclasses.replace(one.documents[0], blocks=own)], one._layers) for one, own in pairs]
        return View.of(parts, self.names)

    @cached_property
    def parts(self) -> tuple[View, ...]:
        """The view of each document alone."""
        if len(self.documents) == 1:
            return (self,)
        return tuple(View([document], self._layers) for document in self.documents)

    def __len__(self) -> int:
        return len(self.blocks)

    def __repr__(self) -> str:
        counts = (len(self.documents), int(self.page_starts[-1]), int(self.row_starts[-1]))
        return "View({} documents, {} pages, {} blocks)".format(*counts)

    @cached_property
    def row_starts(self) -> npt.NDArray[np.int64]:
        """(n_documents + 1,) first row of each document, and the number of rows."""
        return np.cumsum([0, *(len(document.blocks) for document in self.documents)])

    @cached_property
    def page_starts(self) -> npt.NDArray[np.int64]:
        """(n_documents + 1,) first page index of each document, and the number of pages."""
        return np.cumsum([0, *(len(document.pages) for document in self.documents)])

    @cached_property
    def blocks(self) -> BlockTable:
        """All blocks; `parent` and `end` count rows of the view, `page` stays the document's page number."""
        return BlockTable.join([document.blocks for document in self.documents], {"block": self._block_shifts()})

    @cached_property
    def links(self) -> LinkTable:
        """All links between rows of the view."""
        return LinkTable.join([document.links for document in self.documents], {"block": self._block_shifts()})

    @cached_property
    def captions(self) -> dict[int, list[int]]:
        """The rows of the captions of each element that has any, in reading order."""
        if len(self.documents) == 1:
            return self.links.captions()
        return {
            row + first: [one + first for one in found]
            for part, first in zip(self.parts, self.row_starts.tolist(), strict=False)
            for row, found in part.captions.items()
        }

    @cached_property
    def document(self) -> npt.NDArray[np.int32]:
        """(n_rows,) int32 index of each row's document."""
        return np.repeat(np.arange(len(self.documents), dtype=np.int32), np.diff(self.row_starts))

    @cached_property
    def page_index(self) -> npt.NDArray[np.int64]:
        """(n_rows,) int64 page index of each row, never decreasing."""
        return self.page_starts[self.document] + self.blocks.page - 1

    @cached_property
    def is_content(self) -> Mask:
        """(n_rows,) bool, false for page headers and footers."""
        return ~np.isin(self.blocks.kind, FURNITURE)

    def _block_shifts(self) -> list[int]:
        return self.row_starts[:-1].tolist()

    # Masks and slices

    def of_kind(self, *kinds: Kind) -> Mask:
        """Return (n_rows,) bool, true for blocks of these kinds."""
        return np.isin(self.blocks.kind, kinds)

    def on_pages(self, pages: Iterable[int], *, document: int = 0) -> Mask:
        """Return (n_rows,) bool, true for blocks that start on these physical pages (1-based) of one document."""
        count = len(self.documents[document].pages)
        wanted = np.zeros(int(self.page_starts[-1]), np.bool_)
        inside = [page - 1 for page in pages if 1 <= page <= count]
        wanted[int(self.page_starts[document]) + np.asarray(inside, np.int64)] = True
        return wanted[self.page_index] if len(self) else np.zeros(0, np.bool_)

    def page_rows(self, index: int) -> slice:
        """Return the rows that start on the page with this page index."""
        first, last = np.searchsorted(self.page_index, [index, index + 1])
        return slice(int(first), int(last))

    def subtree(self, row: int) -> slice:
        """Return the rows of the section that starts at `row`, or of the single block."""
        return self.blocks.subtree(row)

    def within(self, rows: Iterable[int]) -> Mask:
        """Return (n_rows,) bool, true for blocks inside the subtree of any of `rows`."""
        mask = np.zeros(len(self), np.bool_)
        for row in rows:
            mask[self.blocks.subtree(row)] = True
        return mask

    def rows_of(self, document: int) -> slice:
        """Return the rows of one document."""
        return slice(int(self.row_starts[document]), int(self.row_starts[document + 1]))

    # Naming rows and pages outside the view

    def locate_page(self, index: int) -> tuple[int, int]:
        """Return (document index, physical page number) of a page index."""
        document = int(np.searchsorted(self.page_starts, index, side="right")) - 1
        return document, int(index - self.page_starts[document]) + 1

    def block_id(self, row: int) -> str:
        """Return the block's id within its document: "b" and its row there."""
        return f"b{row - int(self.row_starts[int(self.document[row])])}"

    def page_label(self, row: int) -> str:
        """Return the printed label of the page a row starts on."""
        return self.documents[int(self.document[row])].pages.label[int(self.blocks.page[row]) - 1]

    def sections(self) -> Rows:
        """Return the rows of all headings."""
        return self.blocks.headings()

    # Layers

    def layer(self, table: LayerTable[_L]) -> _L:
        """Return a layer of all documents, loaded once.

        Raises CorpusError (`missing`) when a document has no such layer.
        """
        with self._lock:
            if table.name not in self._loaded:
                parts = [part._layer_alone(table) for part in self.parts]
                self._loaded[table.name] = table.join(parts, self.row_starts[:-1].tolist())
            return self._loaded[table.name]  # pyright: ignore[reportReturnType]

    def _layer_alone(self, table: LayerTable[Any]) -> Any:
        with self._lock:
            if table.name not in self._read:
                self._read[table.name] = table.read(self._stored(table.name))
            return self._read[table.name]

    def _stored(self, name: str) -> bytes:
        document = self.documents[0]
        data = None if self._layers is None else self._layers.load(document.id, name)
        if data is None:
            raise CorpusError("missing", f"{document.name} has no layer '{name}'; run 'octavo add' on it again")
        return data

    def derived(self, make: Callable[Concatenate[View, _P], _L], *arguments: _P.args, **named: _P.kwargs) -> _L:
        """Return what `make` works out of the view, made once for its arguments and kept as long as the view is.

        `make` is a function or a class of a module, which it is kept under: one that is made anew each time, such as a
        lambda, would be kept anew each time.
        """
        name = str(getattr(make, "__qualname__", make))
        if "<" in name:  # "<lambda>", "f.<locals>.g"
            raise ValueError(f"{name} is no function of a module")
        key = (make, arguments, tuple(sorted(named.items())))
        with self._lock:
            if key not in self._derived:
                self._derived[key] = make(self, *arguments, **named)
            return self._derived[key]  # pyright: ignore[reportReturnType]

    def each(self, make: Callable[[View], _L]) -> list[_L]:
        """Return what `make` works out of the view of each document alone, made once and kept with that view."""
        return [part.derived(make) for part in self.parts]

    @property
    def passages(self) -> PassageTable:
        """All passages; `start` and `stop` count rows of the view."""
        return self.layer(PASSAGES_TABLE)

    @cached_property
    def visuals(self) -> tuple[Rows, Rows]:
        """What the rows of layer `visual_vectors` are of: page indices, and block rows, -1 for whole pages.

        Document after document, its pages first, then its visual elements.
        """
        kept = [visuals_of(document) for document in self.documents]
        pages = [pages + start - 1 for (pages, _), start in zip(kept, self.page_starts[:-1], strict=True)]
        rows = [
            np.where(rows < 0, -1, rows + first) for (_, rows), first in zip(kept, self.row_starts[:-1], strict=True)
        ]
        return np.concatenate([np.zeros(0, np.int64), *pages]), np.concatenate([np.zeros(0, np.int64), *rows])

    def vectors(self, layer: str) -> npt.NDArray[np.float32]:
        """Return (n, dimension) float32, one row per row of what the layer embeds, document after document."""
        return self.layer(LayerTable(layer, read_vectors, _joined_vectors)).own

    @property
    def multilingual(self) -> tuple[Rows, npt.NDArray[np.float32]]:
        """The passages that a model of many languages read, by their place, and (n, dimension) their vectors.

        The other vectors stay with the view of each document: joined they would be 10 MB that each open answer holds.
        """
        each = [part._layer_alone(_VECTORS) for part in self.parts]
        starts = np.cumsum([0, *(len(one.own) for one in each)]).tolist()
        some = [one.multilingual for one in each if len(one.multilingual)]
        places = [one.places + start for one, start in zip(each, starts, strict=False)]
        return np.concatenate([np.zeros(0, np.int64), *places]), (
            np.concatenate(some) if some else np.zeros((0, 0), np.float32)
        )

    def token_vectors(self, layer: str) -> TokenVectors:
        """Return the many vectors of each row of what a layer embeds, document after document."""
        return self.layer(LayerTable(layer, TokenVectors.from_bytes, lambda each, _first: TokenVectors.joined(each)))

    def cosines(self, layer: str, vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Return (n,) float64 cosines of `vectors` with a (dimension,) vector of length 1.

        They are 0 in documents whose vectors have another dimension.
        """
        own = (part.vectors(layer) for part in self.parts)
        found = [each @ vector if each.shape[1] == len(vector) else np.zeros(len(each), np.float32) for each in own]
        return np.concatenate([np.zeros(0, np.float32), *found]).astype(np.float64)


def visuals_of(document: Document) -> tuple[Rows, Rows]:
    """Return what of a document is looked at as a picture: page numbers, and block rows, -1 for whole pages.

    All pages in order, then the figures, charts, tables and formulas in order.
    """
    blocks = document.blocks
    elements = np.flatnonzero(np.isin(blocks.kind, (Kind.FIGURE, Kind.CHART, Kind.TABLE, Kind.FORMULA)))
    whole = np.arange(1, len(document.pages) + 1)
    return np.concatenate([whole, blocks.page[elements].astype(np.int64)]), np.concatenate(
        [np.full(len(whole), -1), elements]
    )


class StoredVectors(NamedTuple):
    """The vectors of a layer, and of some rows of it those by a model of many languages."""

    own: npt.NDArray[np.float32]
    places: Rows
    """Rows, ascending."""
    multilingual: npt.NDArray[np.float32]


def read_vectors(data: bytes) -> StoredVectors:
    """Return what a vector layer's bytes hold. Raises CorpusError (`damaged`)."""
    own, (arrays, _) = vectors_of_bytes(data), unpack(data)
    places = arrays.get("multilingual.passage", np.zeros(0, np.int32)).astype(np.int64)
    multilingual = arrays.get("multilingual", np.zeros((0, 0), np.float16)).astype(np.float32)
    if len(places) != len(multilingual) or (len(places) and not 0 <= places.min() <= places.max() < len(own)):
        raise CorpusError("damaged", "stored vectors are damaged; run 'octavo check --repair'")
    return StoredVectors(own, places, multilingual)


def _joined_vectors(each: Sequence[StoredVectors], _first: Sequence[int]) -> StoredVectors:
    starts = np.cumsum([0, *(len(one.own) for one in each)])
    some = [one.multilingual for one in each if len(one.multilingual)]
    return StoredVectors(
        np.concatenate([_widened(one.own, max(one.own.shape[1] for one in each)) for one in each]),
        np.concatenate([one.places + start for one, start in zip(each, starts, strict=False)]),
        np.concatenate(some) if some else np.zeros((0, 0), np.float32),
    )


_VECTORS = LayerTable("vectors", read_vectors, _joined_vectors)


def _widened(vectors: npt.NDArray[np.float32], dimension: int) -> npt.NDArray[np.float32]:
    """Return vectors with zeros after them: of documents of several models none is compared with a question."""
    missing = dimension - vectors.shape[1]
    return np.pad(vectors, ((0, 0), (0, missing))) if missing else vectors


def vectors_of_bytes(data: bytes) -> npt.NDArray[np.float32]:
    """Return the (n, dimension) float32 matrix that a vector layer's bytes hold."""
    arrays, _ = unpack(data)
    if "vectors" not in arrays or arrays["vectors"].ndim != 2:
        raise CorpusError("damaged", "stored vectors are damaged; run 'octavo check --repair'")
    return arrays["vectors"].astype(np.float32)
