"""The id of a citation leads back to its words, also where these moved, and to nothing else."""

from __future__ import annotations

import pytest

from octavo.errors import UsageError
from octavo.evidence import Citation, Passage, View
from octavo.evidence.citation_ids import CitationId
from octavo_documents.document import Kind
from synthetic import document

FIRST = document([(Kind.HEADING, "1 Results", 1, 1), (Kind.PARAGRAPH, "Costs fell.", 1, 0)], name="first.pdf")
SECOND = document(
    [(Kind.HEADING, "1 Results", 1, 1), (Kind.PARAGRAPH, "Revenue rose to\n$12.5 million (2015).", 2, 0)],
    name="second.pdf",
)
VIEW = View([FIRST, SECOND])


def test_the_same_words_have_the_same_id_however_many_documents_are_open() -> None:
    citation, alone = Citation.of(VIEW, 3, "$12.5 million"), Citation.of(View([SECOND]), 1, "$12.5 million")
    assert citation is not None
    assert alone is not None
    assert citation.id == alone.id
    found = CitationId.parse(citation.id)
    assert (found.row, found.start, found.stop) == (1, 16, 29)
    assert str(found) == citation.id
    assert found.found_in(SECOND) == (1, 16, 29)


def test_a_passage_is_its_words_or_its_whole_block_where_it_joins_what_stands_apart() -> None:
    assert CitationId.parse(Passage.at(VIEW, 3, "Revenue rose to $12.5 million").id).stop == 29
    joined = CitationId.parse(Passage.at(VIEW, 3, "2015: $12.5 million").id)
    assert joined.is_whole
    assert joined == CitationId.parse(Citation.at(VIEW, 3).id)
    assert joined.found_in(SECOND) == (1, 0, 0)


def test_words_that_moved_are_found_and_words_that_went_are_not() -> None:
    citation = Citation.of(VIEW, 3, "$12.5 million")
    assert citation is not None
    wanted = CitationId.parse(citation.id)
    again = [(Kind.PARAGRAPH, "A new first page.", 1, 0), (Kind.PARAGRAPH, "In 2015 it was $12.5 million.", 1, 0)]
    moved = document(again)
    assert wanted.found_in(moved) == (1, 15, 28)
    assert moved.blocks.text[1][15:28] == citation.quote
    assert wanted.found_in(FIRST) is None
    whole = CitationId.parse(Citation.at(VIEW, 1).id)
    assert whole.found_in(document([*again, (Kind.PARAGRAPH, "Costs fell.", 2, 0)])) == (2, 0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "b12",
        "0123456789abcdef-1-2-3",
        "0123456789ABCDEF-1-2-3-01234567",
        "0123456789abcdef-1-3-2-01234567",
        "0123456789abcdef-1-3-3-01234567",
        "0123456789abcdef--1-2-3-01234567",
        "0123456789abcdef-01-2-3-01234567",
        "0123456789abcdef-1-2-9999999999999999999-01234567",
        "0123456789abcdef-٣-4-5-01234567",
        "0123456789abcdef-1-2-3-01234567/../../x",
        "x" * 1_000_000,
    ],
)
def test_what_is_no_id_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        CitationId.parse(text)
    assert len(str(refused.value)) < 300
