"""What a question is asked with: its words and page limit, checked, the view opened for it, models and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from octavo.corpus.ask.candidate_documents import Opener
from octavo.corpus.index.prints import NONE, Prints
from octavo.corpus.judges import Judges
from octavo.corpus.store.references import Names
from octavo.document import Query
from octavo.errors import SourceError, UsageError

if TYPE_CHECKING:
    from octavo.decisions.engine.judge import Judge
    from octavo.layers.base import Renderer
    from octavo.models.ports import Raster
    from octavo.operators.core.run import Drawer, Place, Run
    from octavo.systems import System


def query_of(question: str, limit: int) -> Query:
    """Return the question as systems take it; raise UsageError when nothing is asked or no page is allowed."""
    if not question.strip():
        raise UsageError("the question is empty: ask something")
    if limit < 1:
        raise UsageError(f"the limit is a number of pages, 1 or more, not {limit}")
    return Query(question, limit=limit)


def run_of(opener: Opener, question: str, documents: Names | None, system: System, judge: Judge, judges: Judges) -> Run:
    """Return the run of a question: its documents opened, its models to be had. Raises as `Opener.open` does."""
    from octavo.operators.core.run import Run

    opened = opener.open(question, documents, system)
    run = Run(
        opened.view,
        opener.models.embedder,
        trace=[*opened.steps],
        judge=judge,
        reranker=judges.reranker(judge, opener.models.embedder),
        image_text=opener.models.image_text,
        pictures=drawer(opener.backend.catalogue.path, opener.readiness.prints),
    )
    if opened.vector is not None:
        run.remember(question, opened.vector)
    return run


def drawer(path_of: Callable[[str], str], prints: Prints = NONE) -> Drawer:
    """Return what draws places of documents; a process is started for each call and ends with it.

    `path_of` gives the file of a document by its id, "" for none; `prints` those of files that have no pages.
    """

    def draw(document_id: str, places: Sequence[Place]) -> list[Raster | None]:
        from octavo.corpus.index.pictures import Pictures

        with Pictures(document_id, path_of(document_id), print_of_it=prints.find(document_id)) as pictures:
            renderer = pictures.renderer()
            return [None if renderer is None else _drawn(renderer, place) for place in places]

    return draw


def _drawn(renderer: Renderer, place: Place) -> Raster | None:
    try:
        return renderer(place.page, place.box, place.dpi)
    except SourceError:
        return None
