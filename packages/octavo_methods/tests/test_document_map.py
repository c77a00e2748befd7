"""The document map: documents hold sections, sections pages, pages elements; and what is near a page."""

from __future__ import annotations

import pytest
from hypothesis import given

from indexed import view_of
from located import GUIDE
from octavo_documents.document import Document, Kind
from octavo_methods.dmap.document_map import DocumentMap
from synthetic import Row, document, documents


def map_of(*sources: Document) -> DocumentMap:
    return DocumentMap.of(view_of(*sources))


def titles(found: DocumentMap, page: int) -> list[str]:
    return [found.sections[number].title for number in found.sections_on(page)]


def test_sections_hold_the_pages_from_their_heading_to_their_last_block() -> None:
    spans = {one.title: (one.first + 1, one.last + 1, one.depth) for one in map_of(GUIDE).sections}
    assert spans["1 Introduction"] == (3, 4, 1)
    assert spans["2 Mooring"] == (5, 8, 1)
    assert spans["2.1 Fees"] == (5, 6, 2)
    assert spans["2.2 Berths"] == (7, 8, 2)
    assert spans["Appendix B Logs"] == (17, 18, 1)


def test_a_page_belongs_to_all_its_sections_and_counts_for_those_above_them() -> None:
    shared = document(
        [
            (Kind.HEADING, "1 Sea", 1, 1),
            (Kind.HEADING, "1.1 Tides", 1, 2),
            (Kind.PARAGRAPH, "High.", 2, 0),
            (Kind.HEADING, "1.2 Waves", 2, 2),
            (Kind.PARAGRAPH, "Tall.", 3, 0),
            (Kind.HEADING, "2 Land", 3, 1),
            (Kind.PARAGRAPH, "Flat.", 4, 0),
        ]
    )
    found = map_of(shared)
    assert titles(found, 0) == ["1.1 Tides", "1 Sea"]
    assert titles(found, 1) == ["1.1 Tides", "1.2 Waves", "1 Sea"]
    assert titles(found, 2) == ["1.2 Waves", "1 Sea", "2 Land"]
    assert titles(found, 3) == ["2 Land"]
    assert [found.sections[number].title for number in found.innermost(1)] == ["1.1 Tides", "1.2 Waves"]
    assert [found.sections[number].title for number in found.innermost(2)] == ["1.2 Waves", "2 Land"]


def test_pages_before_the_first_heading_belong_to_no_section() -> None:
    assert map_of(GUIDE).sections_on(0) == []


def test_several_documents_have_maps_one_after_the_other() -> None:
    found = map_of(GUIDE, GUIDE)
    half = len(found.sections) // 2
    assert [one.title for one in found.sections[:half]] == [one.title for one in found.sections[half:]]
    assert titles(found, 20 + 8) == ["3 Crew"]
    assert all(0 <= number < half for one in found.sections[:half] if (number := one.parent) >= 0)
    assert all(number >= half for one in found.sections[half:] if (number := one.parent) >= 0)


@given(documents())
def test_every_map_is_a_tree_whose_sections_lie_inside_their_parents(source: Document) -> None:
    found = map_of(source)
    for number, section in enumerate(found.sections):
        assert 0 <= section.first <= section.last < len(source.pages)
        assert section.parent < number
        if section.parent >= 0:
            above = found.sections[section.parent]
            assert above.first <= section.first
            assert section.last <= above.last
            assert above.depth == section.depth - 1
    for page in range(len(source.pages)):
        known = set(found.sections_on(page))
        assert all(found.sections[number].parent in {*known, -1} for number in known)


def test_a_map_is_made_once_for_a_view() -> None:
    view = view_of(GUIDE)
    assert DocumentMap.of(view) is DocumentMap.of(view)


# Widening


def steps(source: Document, *pages: int) -> list[tuple[str, list[int]]]:
    """Return the steps around some pages (1-based), as they are called and with page numbers."""
    found = map_of(source).widened([page - 1 for page in pages])
    return [(name, [page + 1 for page in new]) for name, new in found]


def test_widening_goes_from_the_section_over_those_above_it_to_the_pages_beside() -> None:
    assert steps(GUIDE, 5) == [("section", [6]), ("parent", [6, 7, 8]), ("neighbours", [4, 6])]
    assert steps(GUIDE, 15) == [("section", []), ("parent", [13, 14]), ("neighbours", [14, 16])]
    assert steps(GUIDE, 1) == [("section", []), ("neighbours", [2])]


def test_widening_around_several_pages_takes_the_sections_of_all() -> None:
    assert steps(GUIDE, 5, 17)[0] == ("section", [6, 18])


def test_neighbours_stay_inside_their_document() -> None:
    found = map_of(GUIDE, GUIDE)
    assert dict(found.widened([19]))["neighbours"] == [18]
    assert dict(found.widened([20]))["neighbours"] == [21]


# Documents without an outline

TIDES = ["The tide is high and the water rises.", "Water and tide fall at night.", "The tide turns the water."]
BREAD = ["Bread is baked from rye flour.", "The oven bakes bread and flour.", "Rye bread, flour and the oven."]


def deck(*texts: str) -> Document:
    rows: list[Row] = [(Kind.PARAGRAPH, text, page, 0) for page, text in enumerate(texts, start=1)]
    return document(rows)


def test_pages_without_an_outline_are_cut_where_their_topic_shifts() -> None:
    found = map_of(deck(*TIDES, *BREAD))
    assert [(one.first + 1, one.last + 1) for one in found.sections] == [(1, 3), (4, 6)]
    assert [one.title for one in found.sections] == [TIDES[0], BREAD[0]]
    assert {(one.row, one.depth, one.parent) for one in found.sections} == {(-1, 1, -1)}


def test_topics_cover_every_page_also_blank_ones() -> None:
    found = map_of(document([(Kind.PARAGRAPH, "Alone.", 2, 0)], pages=4))
    assert sorted(page for one in found.sections for page in one.pages) == [0, 1, 2, 3]


@pytest.mark.parametrize("count", [0, 1])
def test_a_document_of_one_page_or_none_has_one_section_or_more(count: int) -> None:
    found = map_of(document([], pages=count or None))
    assert [one.title for one in found.sections] == ["page 1"]


def test_a_lone_heading_is_no_outline() -> None:
    rows: list[Row] = [(Kind.HEADING, "Menu", 1, 1), *((Kind.PARAGRAPH, text, 1, 0) for text in BREAD)]
    assert map_of(document(rows)).sections[0].row == -1
