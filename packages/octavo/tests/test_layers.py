"""Layers: passages stay inside a page and a section, and what they hold can be found again."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from indexed import FakeEmbedder
from octavo.evidence import PassageTable
from octavo.evidence.view import vectors_of_bytes
from octavo.layers import LAYERS, LayerInputs, search_texts
from octavo.layers.passages import PASSAGE_TOKENS, group, passages_of, split
from octavo.models.bert import count_tokens
from octavo.operators.score.search import TermIndex, read_terms
from octavo_documents.document import Document, Kind
from octavo_documents.document.columns import unpack
from octavo_documents.text.analyzer import line_spans, sentence_spans
from synthetic import document, documents

SENTENCE = "The committee met in the town hall and agreed on the budget for the coming year. "


def build(name: str, source: Document) -> bytes:
    reads = {layer: build(layer, source) for layer in LAYERS[name].reads}
    return LAYERS[name].build(LayerInputs(source, reads, embedder=FakeEmbedder))


def spans(passages: PassageTable) -> list[tuple[int, int]]:
    return list(zip(passages.start.tolist(), passages.stop.tolist(), strict=True))


@given(documents())
def test_passages_hold_every_content_block_once_and_no_furniture(source: Document) -> None:
    passages = passages_of(source)
    furniture = (Kind.PAGE_HEADER, Kind.PAGE_FOOTER)
    content = [row for row in range(len(source.blocks)) if source.blocks.kind_of(row) not in furniture]
    held = [row for start, stop in spans(passages) for row in range(start, stop) if source.blocks.text[row]]
    assert [row for row in held if row in content] == [row for row in content if source.blocks.text[row]]


@given(documents())
def test_a_passage_lies_on_one_page_and_in_one_section(source: Document) -> None:
    passages, blocks = passages_of(source), source.blocks
    for at, (start, stop) in enumerate(spans(passages)):
        rows = range(start, stop)
        assert {int(blocks.page[row]) for row in rows} == {int(passages.page[at])}
        own = start if blocks.kind_of(start) == Kind.HEADING else int(blocks.parent[start])
        above = {*blocks.ancestors(start), own}
        assert stop - start == 1 or any(row < 0 or stop <= blocks.end[row] for row in above)


@given(documents())
def test_every_page_with_text_has_a_passage(source: Document) -> None:
    blocks = source.blocks
    furniture = (Kind.PAGE_HEADER, Kind.PAGE_FOOTER)
    pages = {
        int(blocks.page[row]) for row in range(len(blocks)) if blocks.text[row] and blocks.kind_of(row) not in furniture
    }
    assert set(passages_of(source).page.tolist()) == pages


@given(documents())
def test_the_same_document_gives_the_same_bytes(source: Document) -> None:
    again = Document.from_bytes(source.to_bytes())
    assert build("passages", source) == build("passages", again)
    assert build("terms", source) == build("terms", again)


def test_short_sections_under_one_heading_share_a_passage() -> None:
    source = document(
        [
            (Kind.HEADING, "Contacts", 1, 1),
            (Kind.HEADING, "Graz", 1, 2),
            (Kind.PARAGRAPH, "Phone 12", 1, 0),
            (Kind.HEADING, "Linz", 1, 2),
            (Kind.PARAGRAPH, "Phone 34", 1, 0),
        ]
    )
    passages = passages_of(source)
    assert list(passages.text) == ["Contacts\nGraz\nPhone 12\nLinz\nPhone 34"]
    assert list(passages.heading) == ["Contacts"]


def test_chapters_never_share_a_passage() -> None:
    rows = [(Kind.HEADING, "One", 1, 1), (Kind.PARAGRAPH, "a", 1, 0), (Kind.HEADING, "Two", 1, 1)]
    assert list(passages_of(document(rows)).text) == ["One\na", "Two"]


def test_a_long_paragraph_is_split_between_sentences_and_each_part_knows_its_characters() -> None:
    text = SENTENCE * 40
    passages = passages_of(document([(Kind.HEADING, "Minutes", 1, 1), (Kind.PARAGRAPH, text, 1, 0)]))
    parts = [at for at in range(len(passages)) if passages.char_stop[at]]
    assert len(parts) > 2
    for at in parts:
        start, stop = int(passages.char_start[at]), int(passages.char_stop[at])
        assert passages.text[at] == text[start:stop]
        assert passages.text[at].startswith("The committee")
        assert passages.heading[at] == "Minutes"
    assert "".join(passages.text[at] for at in parts) == text
    assert max(count_tokens(list(passages.text))) <= PASSAGE_TOKENS


def test_later_parts_of_a_long_table_are_searched_with_its_header() -> None:
    lines = ["Region | Sales | Staff", *(f"Area number {at} | {at * 17} | {at * 3}" for at in range(80))]
    passages = passages_of(document([(Kind.TABLE, "\n".join(lines), 1, 0)]))
    assert len(passages) > 3
    assert passages.heading[0] == ""
    assert set(passages.heading[1:]) == {lines[0]}
    assert all(text.startswith("Area number") for text in passages.text[1:])


def test_search_texts_say_title_and_path_once() -> None:
    source = document(
        [
            (Kind.HEADING, "Results", 1, 1),
            (Kind.HEADING, "Sales", 1, 2),
            (Kind.PARAGRAPH, SENTENCE * 6, 1, 0),
            (Kind.PARAGRAPH, SENTENCE * 8 + "......... 12", 1, 0),
        ],
        name="report",
    )
    texts = search_texts(source, passages_of(source))
    assert texts[0].startswith("report > Results\nSales\nThe") or texts[0].startswith("report\nResults\nSales\nThe")
    assert texts[-1].startswith("report > Results > Sales\nThe")
    assert "...." not in texts[-1]


def test_a_document_without_text_has_no_passages_and_empty_layers() -> None:
    source = document([], pages=3)
    assert len(passages_of(source)) == 0
    assert len(TermIndex([read_terms(build("terms", source))])) == 0
    assert len(vectors_of_bytes(build("vectors", source))) == 0


def test_terms_count_text_and_heading() -> None:
    source = document([(Kind.HEADING, "Revenue", 1, 1), (Kind.PARAGRAPH, "sales and sales", 1, 0)], name="a.pdf")
    index = TermIndex([read_terms(build("terms", source))])
    assert [values.tolist() for values in index.postings("sale")] == [[0], [2.0]]
    assert [values.tolist() for values in index.postings("revenu")] == [[0], [2.0]]
    assert [values.tolist() for values in index.postings("absent")] == [[], []]


def test_vectors_are_half_floats_one_per_passage() -> None:
    source = document([(Kind.PARAGRAPH, f"text {page}", page, 0) for page in (1, 2, 3)])
    arrays, _ = unpack(build("vectors", source))
    assert arrays["vectors"].dtype == np.float16
    assert arrays["vectors"].shape == (3, FakeEmbedder.dimension)


def test_layers_come_after_what_they_read() -> None:
    names = list(LAYERS)
    assert all(names.index(read) < names.index(layer.name) for layer in LAYERS.values() for read in layer.reads)


@given(st.lists(st.integers(0, 300)))
def test_groups_cover_all_items_and_keep_the_limit(lengths: list[int]) -> None:
    runs = group(lengths, 200)
    assert [at for first, last in runs for at in range(first, last + 1)] == list(range(len(lengths)))
    assert all(first == last or sum(lengths[first : last + 1]) <= 200 for first, last in runs)


@given(st.text(alphabet="ab .!?\nA12", max_size=200), st.integers(1, 20))
def test_splitting_loses_nothing(text: str, tokens: int) -> None:
    assert "".join(text[start:stop] for start, stop in split(text, tokens=tokens)) == text
    assert "".join(text[start:stop] for start, stop in line_spans(text)) == text


def test_sentences_end_neither_in_numbers_nor_after_short_forms() -> None:
    text = "Dr. Gray (see Fig. 3, e.g. the inset) paid $3.5 to J. Smith et al. in May. It worked! Did it? Yes."
    assert [text[start:stop].strip() for start, stop in sentence_spans(text)] == [
        "Dr. Gray (see Fig. 3, e.g. the inset) paid $3.5 to J. Smith et al. in May.",
        "It worked!",
        "Did it?",
        "Yes.",
    ]


def test_sentences_do_not_end_in_german_dates() -> None:
    text = (
        "Der Vertrag gilt seit dem 1. Januar 2025, vgl. Abs. 3 und Nr. 12. Er endet am 31. Dezember. Es waren 15. Gut."
    )
    assert [text[start:stop].strip() for start, stop in sentence_spans(text)] == [
        "Der Vertrag gilt seit dem 1. Januar 2025, vgl. Abs. 3 und Nr. 12.",
        "Er endet am 31. Dezember.",
        "Es waren 15.",
        "Gut.",
    ]


def test_words_are_not_cut() -> None:
    text = "internationalisation " * 30
    parts = [text[start:stop] for start, stop in split(text, tokens=7)]
    assert len(parts) > 5
    assert all(part.endswith(" ") for part in parts)
