"""The three paths of retrieval over a document map as DMAP prints them, and their union (section 3.3.1).

Structured semantic retrieval (equation 6) has one decision look at the outline and at the summaries of all pages and
elements. Textual and visual feature retrieval (equations 7 and 8) take the k elements nearest to the question, of all
there are, in a space of text and in one of pictures.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.decisions.engine.model_call import request_of
from octavo.decisions.select_sections import SELECT_SECTIONS, OutlineLine, SectionsInput
from octavo.errors import UsageError
from octavo.evidence import Evidence, Query, View
from octavo.evidence.layer_tables import DESCRIPTIONS_TABLE
from octavo.models.language import ModelFault
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.image_evidence import Spot
from octavo.operators.score.refer import labels_opening, page_scores, spellings
from octavo.operators.score.search import late_scores, visual_cosines
from octavo.question import understand
from octavo_methods.dmap.decisions.locate_on_map import (
    LOCATE_ON_MAP,
    Locations,
    MapQuestion,
    PageLine,
    likely,
    place_in,
)
from octavo_methods.dmap.document_map import DocumentMap, Section, grown_maps
from octavo_methods.dmap.elements import LOOK, PATH_COLUMNS, PATHS, STRUCTURE, TEXT, evidence_of, union_of, whole
from octavo_methods.dmap.grown_map import GrownMap, MapElement
from octavo_methods.dmap.layers.document_map import MAP_ELEMENTS

Floats = npt.NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class LocateOnMap(Step[Query, Evidence]):
    """Locate pages, tables and figures by the outline and all summaries (equation 6, appendix A.1), in one decision.

    Where they do not fit the model's context, up to `sections` sections are chosen first, by titles and by the
    summaries of their pages, and the pages of these are looked at. Pages are numbered through all documents in scope.
    """

    declares: ClassVar[Columns] = Columns(writes={STRUCTURE, whole(STRUCTURE)}, keeps=NEW)

    sections: int = 5

    def __post_init__(self) -> None:
        if self.sections < 1:
            raise UsageError("LocateOnMap takes one section or more")

    def needs(self) -> frozenset[str]:
        """Return the layer of the map, and of passages for documents without an outline."""
        return frozenset({"passages", "vectors", "descriptions", "document_map"})

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the rows of the located elements, the most relevant with the highest score."""
        view = using.view
        asked = fitted(value.question, tuple(_page_lines(view)), DocumentMap.grown(view), using, self.sections)
        located = using.judge.decide(LOCATE_ON_MAP, asked, rule=lambda one: _by_rule(one, view)).output
        return evidence_of(view, [*_spots(view, located)], STRUCTURE)


def outline_line(view: View, section: Section) -> str:
    """Return a section as the paper prints it: number, title, and its pages."""
    document = view.locate_page(section.first)[0]
    name = f"{view.names[document]}, " if len(view.documents) > 1 else ""
    title = f"{section.number}: {section.title}" if section.number else section.title
    return f"{name}{title} <-> {', '.join(str(page + 1) for page in section.pages)}"


def _page_lines(view: View) -> Iterator[PageLine]:
    for at, grown in enumerate(grown_maps(view)):
        elements = _by_page(view, at, grown)
        for number, summary in enumerate(grown.pages, int(view.page_starts[at]) + 1):
            yield PageLine(number, summary, tuple(_element_in_words(one) for one in elements[number - 1]))


def _by_page(view: View, document: int, grown: GrownMap) -> defaultdict[int, list[MapElement]]:
    found: defaultdict[int, list[MapElement]] = defaultdict(list)
    for one in grown.elements:
        found[int(view.page_index[int(view.row_starts[document]) + one.row])].append(one)
    return found


def _element_in_words(element: MapElement) -> str:
    return f"{element.name}: {element.summary}" if element.summary else element.name


def fitted(question: str, pages: tuple[PageLine, ...], document_map: DocumentMap, using: Run, most: int) -> MapQuestion:
    """Return a question with the outline and all pages where these fit the model's context.

    Else with the pages of up to `most` sections, which are chosen by their titles and the summaries of their pages.
    """
    view = document_map.view
    outline = tuple(outline_line(view, section) for section in document_map.sections)
    asked = MapQuestion(question, outline, pages, int(view.page_starts[-1]))
    model = using.judge.model_for(LOCATE_ON_MAP.name)
    if model is None or not document_map.sections or _fits(asked, model.context_tokens):
        return asked
    lines = tuple(_section_line(at, one, asked) for at, one in enumerate(document_map.sections))
    chosen = using.judge.decide(SELECT_SECTIONS, SectionsInput(asked.question, lines, limit=most)).output.sections
    inside = {page + 1 for at in chosen for page in document_map.sections[at].pages}
    return dataclasses.replace(asked, pages=tuple(one for one in asked.pages if one.page in inside))


def _fits(asked: MapQuestion, context_tokens: int) -> bool:
    try:
        return request_of(LOCATE_ON_MAP, asked, context_tokens)[1] == 0
    except ModelFault:
        return True  # there is no room for the question at all, and so the rule will locate


def _section_line(number: int, section: Section, asked: MapQuestion) -> OutlineLine:
    """Return a section with the summaries of its pages behind its title."""
    own = {page + 1 for page in section.pages}
    said = " ".join(one.summary for one in asked.pages if one.page in own)
    return OutlineLine(number, f"{section.title}: {said}", section.depth, section.first + 1, section.last + 1)


def _by_rule(asked: MapQuestion, view: View) -> Locations:
    """Locate figures and tables that the question names, then the pages it names, else those nearest to its words."""
    found = understand(asked.question).references
    scores = page_scores(found, view)
    named = [f"Page {page + 1}" for page in np.argsort(-scores, kind="stable").tolist() if scores[page] > 0]
    shown = [f"{one.what.title()} {number}" for one in found if not one.relation for number in one.numbers()]
    things = [one for one in shown if place_in(one) is not None and not one.startswith("Page")]
    return Locations(location=list(dict.fromkeys([*things, *named, *(() if named else likely(asked))])))


def _spots(view: View, located: Locations) -> Iterator[Spot]:
    """Yield the elements that places name; a table or figure that is nowhere is passed over."""
    for text in located.location:
        what, number = place_in(text) or ("", "")
        if what == "page":
            yield Spot(int(number) - 1)
        elif what:
            yield from _labelled(view, what, number)


def _labelled(view: View, what: str, number: str) -> Iterator[Spot]:
    wanted = set(spellings(what, number))
    for at, grown in enumerate(grown_maps(view)):
        for one in grown.elements:
            if not wanted.isdisjoint(labels_opening(one.name)):
                row = int(view.row_starts[at]) + one.row
                yield Spot(int(view.page_index[row]), row)


SPACES = (TEXT, LOOK)


@dataclasses.dataclass(frozen=True)
class NearestElements(Step[Query, Evidence]):
    """Take the `count` elements nearest to the question, `TopK(sim(v_q, v_e))` over all elements of the map.

    In the space `text_path` (equation 7) a figure, table or chart is its description, and a page is as near as the
    nearest of its passages: by late interaction, as in the paper, where such a model is named and has embedded both.
    In `look_path` (equation 8) elements and pages are pictures; without an image-text model nothing is found, and a
    step "skipped" says why.
    """

    space: str
    count: int = 4

    def __post_init__(self) -> None:
        if self.space not in SPACES or self.count < 1:
            raise UsageError(f"NearestElements takes one of {', '.join(SPACES)} and a count of one or more")

    def needs(self) -> frozenset[str]:
        """Return the layers that the space is made of."""
        if self.space == LOOK:
            return frozenset({"visual_vectors", "descriptions"})
        late = {"passage_token_vectors", "element_token_vectors"}
        return frozenset({"passages", "vectors", "descriptions", "element_vectors"} | late)

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(writes={self.space, whole(self.space)}, keeps=NEW)

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the rows of these elements, the nearest with the highest score; ties go to the first, pages first."""
        view = using.view
        spots, near = (_by_text if self.space == TEXT else _by_look)(view, value, using)
        order: list[int] = np.argsort(-near, kind="stable")[: self.count].tolist()
        return evidence_of(view, [spots[at] for at in order if np.isfinite(near[at])], self.space)


def _by_text(view: View, query: Query, using: Run) -> tuple[list[Spot], Floats]:
    rows = view.layer(DESCRIPTIONS_TABLE).start.astype(np.int64)
    is_element = np.isin(view.blocks.kind[rows], MAP_ELEMENTS)
    passages, described = _late(view, using) or _by_vectors(view, query, using)
    pages = np.full(int(view.page_starts[-1]), -np.inf)
    np.fmax.at(pages, view.page_index[view.passages.start], passages)
    spots = [Spot(page) for page in range(len(pages))]
    spots += [Spot(int(view.page_index[row]), row) for row in rows[is_element].tolist()]
    return spots, np.concatenate([pages, described[is_element]])


def _late(view: View, using: Run) -> tuple[Floats, Floats] | None:
    """Return how near passages and descriptions are by late interaction; None unless both were embedded so."""
    if using.late_interaction is None:
        return None
    passages = late_scores(view, using)
    if not len(passages):
        return None
    described = late_scores(view, using, of_elements=True) if len(view.layer(DESCRIPTIONS_TABLE)) else np.zeros(0)
    return (passages, described) if len(described) == len(view.layer(DESCRIPTIONS_TABLE)) else None


def _by_vectors(view: View, query: Query, using: Run) -> tuple[Floats, Floats]:
    """Return the cosines of passages and descriptions, one vector each, with the question."""
    question = using.vectors([query.question])[0]
    return view.cosines("vectors", question), view.cosines("element_vectors", question)


def _by_look(view: View, _query: Query, using: Run) -> tuple[list[Spot], Floats]:
    cosines = visual_cosines(view, using)
    if not len(cosines):
        return [], np.zeros(0)
    pages, rows = view.visuals
    described = view.layer(DESCRIPTIONS_TABLE).start  # an ornament is no element of the map
    is_element = (rows < 0) | (np.isin(view.blocks.kind[rows], MAP_ELEMENTS) & np.isin(rows, described))
    spots = [Spot(page, row) for page, row in zip(pages.tolist(), rows.tolist(), strict=True)]
    return spots, np.where(np.isnan(cosines) | ~is_element, -np.inf, cosines)


@dataclasses.dataclass(frozen=True)
class UnitePaths(Step[Evidence, Evidence]):
    """Unite what the paths found (equation 9): located elements first, then those near by text, then by look.

    The column `relevance` counts down from the first element; a block that belongs to several takes the best. The
    question's limit caps the pages.
    """

    declares: ClassVar[Columns] = Columns(uses=PATH_COLUMNS, writes={RELEVANCE})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows of the united elements, with their relevance."""
        spots = union_of(value)
        pages = list(dict.fromkeys(spot.page for spot in spots))[: max(using.query.limit, 0)]
        return ranked([spot for spot in spots if spot.page in set(pages)], value)


def ranked(spots: Sequence[Spot], value: Evidence) -> Evidence:
    """Return the rows of some elements of the evidence, with a `relevance` that counts down from the first."""
    kept = evidence_of(value.view, spots, RELEVANCE)
    own, page = kept.scores[RELEVANCE], kept.scores[f"{RELEVANCE}_page"]
    scores = np.full(len(value.view), np.nan)
    scores[kept.rows] = np.fmax(own, page)
    return value.with_score(RELEVANCE, scores[value.rows]).keep(~np.isnan(scores[value.rows]))


__all__ = ["PATHS", "LocateOnMap", "NearestElements", "UnitePaths", "fitted", "ranked"]
