"""The visual_vectors layer: one vector per page and per figure, chart, table and formula, of how it looks.

There is one only where an image-text model is configured: it is made for that model, which the questions have to be
embedded with too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from octavo.document import BlockTable
from octavo.document.columns import pack
from octavo.document.view import visuals_of
from octavo.errors import SourceError
from octavo.layers.base import Layer, LayerInputs, Renderer
from octavo.models.ports import ImageTextEmbedder, Raster

DPI = 96.0
"""Models look at about 200 to 1000 pixels a side."""
_TOGETHER = 16
"""Pictures drawn and embedded together: so many are in memory."""
_LEAST_SIDE = 4.0
"""Points; what is smaller shows nothing."""


def visual_vectors(model: Callable[[], ImageTextEmbedder]) -> Layer:
    """Return the layer for what gives an image-text model; its rows are those of `View.visuals`."""
    return Layer(
        name="visual_vectors",
        version=1,
        reads=(),
        build=lambda inputs: _built(inputs, model()),
        model=lambda: model().name,
        parameters=f"dpi={DPI:g}",
        draws=True,
        is_dispensable=True,
    )


def _built(inputs: LayerInputs, model: ImageTextEmbedder) -> bytes:
    """Return the packed (n, dimension) float16 matrix named "vectors"; rows of what cannot be drawn are zeros."""
    if inputs.render is None:
        raise SourceError("missing", f"{inputs.document.name} cannot be drawn: put the file back and run 'octavo add'")
    pages, rows = visuals_of(inputs.document)
    vectors = np.zeros((len(pages), model.dimension), np.float16)
    pictures: list[tuple[int, Raster]] = []
    for at, picture in _drawn(inputs, inputs.render):
        pictures.append((at, picture))
        if len(pictures) == _TOGETHER:
            _embed(model, pictures, vectors)
            pictures = []
        if inputs.progress:
            inputs.progress(at + 1, len(rows))
    _embed(model, pictures, vectors)
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
            picture = render(page, box, DPI)
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


def _embed(model: ImageTextEmbedder, pictures: list[tuple[int, Raster]], vectors: npt.NDArray[np.float16]) -> None:
    if pictures:
        vectors[[at for at, _ in pictures]] = model.embed_images([picture for _, picture in pictures])
