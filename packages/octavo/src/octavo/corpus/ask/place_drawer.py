"""What draws places of documents for a question: pages and boxes of their files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from octavo.corpus.index.pictures import NONE, Pictures, RenderedPdfs
from octavo.errors import SourceError

if TYPE_CHECKING:
    from octavo.document import Document
    from octavo.layers.base import Renderer
    from octavo.models.ports import Raster
    from octavo.operators.core import Drawer, Place


def drawer(path_of: Callable[[str], str], prints: RenderedPdfs = NONE, documents: Sequence[Document] = ()) -> Drawer:
    """Return what draws places of documents; a process is started for each call and ends with it.

    `path_of` gives the file of a document by its id, "" for none; `prints` those of files that have no pages.
    `documents` are those whose files may have pages in files in them.
    """
    within = {one.id: one.pages.within for one in documents}

    def draw(document_id: str, places: Sequence[Place]) -> list[Raster | None]:
        with Pictures(document_id, path_of(document_id), print_of_it=prints.find(document_id)) as pictures:
            renderer = pictures.renderer(within.get(document_id, ()))
            return [None if renderer is None else _drawn(renderer, place) for place in places]

    return draw


def _drawn(renderer: Renderer, place: Place) -> Raster | None:
    try:
        return renderer(place.page, place.box, place.dpi)
    except SourceError:
        return None
