"""BM25: the formula, over one document and over several as one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import view_of
from memory_layers import MemoryLayers
from octavo.errors import CorpusError
from octavo.operators.score.search import TermIndex, bm25, idf, read_terms, terms_of
from octavo_documents.document import Kind
from synthetic import document, documents

PAGES = ["apple pie apple", "pear tart", "apple crumble and custard and cream", "bread"]


def index_of(*texts: str, name: str = "") -> TermIndex:
    return terms_of(view_of(document([(Kind.PARAGRAPH, text, at, 0) for at, text in enumerate(texts, 1)], name=name)))


def test_scores_follow_the_formula() -> None:
    scores = bm25(index_of(*PAGES), ["appl"], k1=1.2, b=0.75)
    average = (3 + 2 + 4 + 1) / 4
    weight = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))
    expected = [weight * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * size / average)) for tf, size in ((2, 3), (1, 4))]
    assert scores[[0, 2]].tolist() == pytest.approx(expected)
    assert scores[[1, 3]].tolist() == [0, 0]


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    index = index_of(*PAGES)
    assert idf(index, "bread") > idf(index, "appl") > 0
    assert idf(index, "unheard") > idf(index, "bread")


def test_a_term_asked_twice_counts_once() -> None:
    index = index_of(*PAGES)
    assert np.array_equal(bm25(index, ["appl", "appl"]), bm25(index, ["appl"]))


def test_units_are_scored_as_wholes() -> None:
    parts, whole = index_of("apple pie", "apple tart", "bread"), index_of("apple pie apple tart", "bread")
    assert bm25(parts, ["appl"], units=np.array([0, 0, 1])) == pytest.approx(bm25(whole, ["appl"]))


@given(st.lists(documents(), min_size=1, max_size=3, unique_by=lambda one: one.id), st.text(max_size=4))
def test_statistics_are_those_of_all_documents_together(parts: list[object], term: str) -> None:
    index = terms_of(view_of(*parts))  # pyright: ignore[reportArgumentType]
    assert len(bm25(index, [term])) == len(index) == len(index.lengths)
    assert (bm25(index, [term]) >= 0).all()


def test_passages_of_later_documents_are_numbered_on() -> None:
    first = document([(Kind.PARAGRAPH, "apple", 1, 0)], name="")
    second = document([(Kind.PARAGRAPH, "bread", 1, 0), (Kind.PARAGRAPH, "apple", 2, 0)], name="")
    assert terms_of(view_of(first, second)).postings("appl")[0].tolist() == [0, 2]


@pytest.mark.parametrize("at", range(0, 400, 13))
def test_damaged_terms_are_refused_or_harmless(at: int) -> None:
    source = document([(Kind.PARAGRAPH, text, page, 0) for page, text in enumerate(PAGES, 1)])
    data = bytearray(MemoryLayers([source]).load(source.id, "terms") or b"")
    data[at % len(data)] ^= 0x41
    try:
        scores = bm25(TermIndex([read_terms(bytes(data))]), ["appl", "bread"])
    except CorpusError as refused:
        assert refused.reason == "damaged"
    else:
        assert len(scores) < 10_000_000
