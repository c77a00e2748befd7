"""Links by rule meet what a person read in the handbook, and the measure counts as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

import link_cases
from link_cases import Case, Reading
from octavo.layers.base import LayerInputs
from octavo.layers.links import links_of
from octavo_documents.document import Document, Kind, LinkKind, LinkTable
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure
from synthetic import Row, document

ROWS: list[Row] = [
    (Kind.HEADING, "1 Harbour", 1, 1),
    (Kind.PARAGRAPH, "Depths are shown below; for fees see Mooring Fees.", 1, 0),
    (Kind.TABLE, "January | 5.1", 1, 0),
    (Kind.HEADING, "2 Mooring Fees", 2, 1),
    (Kind.PARAGRAPH, "A berth costs 12 crowns.", 2, 0),
]


def found(*cases: Case, without_pages: frozenset[int] = frozenset()) -> tuple[int, int, int]:
    made = document(ROWS)
    links = links_of(LayerInputs(made))
    outcome = link_cases.compare(made, links, Reading(cases, without_pages))
    return outcome.figures(links, link_cases.READ)


def refers(source: str, page: int, *target: str, is_optional: bool = False) -> Case:
    return Case(LinkKind.REFERS_TO, 1, (source,), page, target, is_optional)


def test_cases_that_are_met_missed_and_links_that_none_names_are_counted() -> None:
    assert found(refers("Depths are shown", 1, "<table> January")) == (1, 0, 1)
    assert found(refers("Depths are shown", 1, "<chart>"), refers("Depths", 2, "mooring fees")) == (1, 1, 1)


def test_one_of_several_texts_names_the_block() -> None:
    assert found(refers("Depths", 1, "Table 1", "<table>"), refers("Depths", 2, "2 Mooring")) == (2, 0, 0)


def test_an_optional_case_is_neither_found_nor_missed_nor_wrong() -> None:
    table, title = refers("Depths", 1, "<table>", is_optional=True), refers("Depths", 2, "2 Mooring")
    assert found(table, title, refers("Depths", 2, "crowns", is_optional=True)) == (1, 0, 0)


def test_pages_that_were_not_read_are_left_out() -> None:
    assert found(without_pages=frozenset({1})) == (0, 0, 0)


@pytest.fixture(scope="module")
def handbook() -> tuple[Document, LinkTable]:
    made = structure(extract(link_cases.HANDBOOK), name="handbook.pdf", digest="0" * 64)
    return made, links_of(LayerInputs(made))


def test_no_link_of_the_handbook_is_wrong_and_few_are_missed(handbook: tuple[Document, LinkTable]) -> None:
    made, links = handbook
    reading = link_cases.reading_of(link_cases.HANDBOOK_CASES)
    outcome = link_cases.compare(made, links, reading)
    met, missed, wrong = outcome.figures(links, link_cases.READ)
    assert (met + missed, wrong) == (len(reading.cases), 0)
    assert missed <= 3


def test_every_case_of_the_handbook_names_blocks_that_are_there(handbook: tuple[Document, LinkTable]) -> None:
    made, _ = handbook
    rows = range(len(made.blocks))
    for case in link_cases.reading_of(link_cases.HANDBOOK_CASES).cases:
        assert any(link_cases.is_named(made, row, case.page, case.source) for row in rows), case
        assert any(link_cases.is_named(made, row, case.target_page, case.target) for row in rows), case


def test_a_file_of_cases_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(
        '{"reading": {"without_pages": [3]}}\n'
        '{"kind": "caption_of", "page": 1, "source": "Table 1", "target_page": 1, "target": ["<table>", "a"]}\n'
    )
    case = Case(LinkKind.CAPTION_OF, 1, ("Table 1",), 1, ("<table>", "a"))
    assert link_cases.reading_of(path) == Reading((case,), frozenset({3}))
