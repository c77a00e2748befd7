"""The structure tree: sections and what they own, an Introduction, nested items, and what stands around content."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from indexed import view_of
from octavo.evidence import View
from octavo_documents.document import Document, Kind
from octavo_methods.rdr2.trees import StructureTree, sized
from synthetic import document, documents

NESTED = document(
    [
        (Kind.TITLE, "Fleet", 1, 0),
        (Kind.PARAGRAPH, "before", 1, 0),
        (Kind.HEADING, "Boats", 1, 1),
        (Kind.PARAGRAPH, "lead", 1, 0),
        (Kind.LIST_ITEM, "sail", 1, 1),
        (Kind.LIST_ITEM, "sail.sloop", 1, 2),
        (Kind.LIST_ITEM, "sail.sloop.red", 1, 3),
        (Kind.LIST_ITEM, "sail.ketch", 1, 2),
        (Kind.PAGE_FOOTER, "7", 1, 0),
        (Kind.LIST_ITEM, "oar", 2, 1),
        (Kind.LIST_ITEM, "oar.skiff", 2, 2),
        (Kind.PARAGRAPH, "tail", 2, 0),
        (Kind.LIST_ITEM, "orphan", 2, 2),
        (Kind.HEADING, "Empty", 2, 2),
        (Kind.HEADING, "Crew", 2, 1),
        (Kind.PARAGRAPH, "twelve", 2, 0),
    ],
    name="fleet",
)


def tree_of(*given: Document) -> StructureTree:
    return StructureTree(view_of(*given))


def texts(view: View, rows: object) -> list[str]:
    return view.blocks.text.take(np.asarray(rows).tolist())


def row_of(view: View, text: str) -> int:
    return list(view.blocks.text).index(text)


def around(tree: StructureTree, *names: str) -> list[str]:
    return texts(tree.view, tree.around(np.array([row_of(tree.view, name) for name in names], np.int64)))


def test_content_is_what_is_no_heading_title_or_furniture() -> None:
    tree = tree_of(NESTED)
    assert not {"Fleet", "Boats", "7", "Empty"} & set(texts(tree.view, np.flatnonzero(tree.is_content)))


def test_content_before_the_first_heading_stands_under_an_introduction_of_its_document() -> None:
    tree = tree_of(NESTED, NESTED)
    assert tree.sections_of(1)[0] == -2
    assert texts(tree.view, tree.own(-2)) == ["before"]
    assert tree.own(-2)[0] > len(NESTED.blocks)


def test_a_document_that_begins_with_a_heading_has_no_introduction() -> None:
    tree = tree_of(document([(Kind.HEADING, "Crew", 1, 1), (Kind.PARAGRAPH, "twelve", 1, 0)]))
    assert tree.sections_of(0) == [0]


def test_a_section_owns_the_content_that_stands_under_no_deeper_heading() -> None:
    tree = tree_of(NESTED)
    boats, empty, crew = (row_of(tree.view, name) for name in ("Boats", "Empty", "Crew"))
    assert texts(tree.view, tree.own(boats))[0] == "lead"
    assert texts(tree.view, tree.own(boats))[-1] == "orphan"
    assert len(tree.own(empty)) == 0
    assert texts(tree.view, tree.own(crew)) == ["twelve"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("lead",), ["lead", "sail", "oar", "tail", "orphan"]),  # siblings, nothing that nests in these
        (("sail",), ["lead", "sail", "sail.sloop", "sail.sloop.red", "sail.ketch", "oar", "tail", "orphan"]),
        (("sail.sloop.red",), ["sail", "sail.sloop", "sail.sloop.red"]),  # what it is nested in, up to the heading
        (("sail.ketch",), ["sail", "sail.sloop", "sail.ketch"]),
        (("oar.skiff",), ["oar", "oar.skiff"]),
        (("before", "twelve"), ["before", "twelve"]),
        (("Boats",), []),
    ],
)
def test_around_content_stand_its_siblings_ancestors_and_descendants(
    names: tuple[str, ...], expected: list[str]
) -> None:
    assert around(tree_of(NESTED), *names) == expected


def test_items_nest_over_furniture_but_not_over_other_content() -> None:
    tree = tree_of(NESTED)
    above = tree.above[row_of(tree.view, "orphan")]
    assert above == row_of(tree.view, "Boats")


def test_depth_counts_headings_and_nesting() -> None:
    tree = tree_of(NESTED)
    names = ("before", "Boats", "lead", "sail.sloop.red", "Empty", "twelve")
    assert [int(tree.depth[row_of(tree.view, name)]) for name in names] == [1, 0, 1, 3, 1, 1]


@given(documents())
def test_every_content_row_is_owned_by_one_section_and_stands_around_itself(drawn: Document) -> None:
    tree = tree_of(drawn)
    owned = [row for section in tree.sections_of(0) for row in tree.own(section).tolist()]
    assert sorted(owned) == np.flatnonzero(tree.is_content).tolist()
    rows = np.flatnonzero(tree.is_content)[::2]
    assert set(rows.tolist()) <= set(tree.around(rows).tolist())
    assert bool(np.isin(tree.section[tree.around(rows)], tree.section[rows]).all())


def test_what_does_not_fit_goes_farthest_first_and_something_always_stays() -> None:
    view = view_of(document([(Kind.PARAGRAPH, "x" * 400, 1, 0) for _ in range(9)]))
    rows = np.arange(9)
    assert sized(view, rows, rows[4:5], 310).tolist() == [3, 4, 5]
    assert sized(view, rows, rows[4:5], 1).tolist() == [4]
    assert sized(view, rows, rows[:1], 10_000).tolist() == rows.tolist()
    assert sized(view, rows[:0], rows[:0], 10).tolist() == []
