"""A paragraph of megabytes: no block, passage or unit made of it is larger than a bound, and no letter is lost."""

from __future__ import annotations

import re

import pytest

from octavo.evidence.citation import _verbatim
from octavo.layers.passages import passages_of
from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing import plain
from octavo_documents.parsing.flow import FlowBlock, FlowContent
from octavo_documents.structuring.flow import flowing
from octavo_documents.structuring.pieces import LONGEST

SIZE = 200_000
TEXTS = {
    "one word": "word " * (SIZE // 5),
    "no spaces": "word" * (SIZE // 4),
    "digits": "0123456789" * (SIZE // 10),
    "brackets": "word " + "([{" * (SIZE // 6) + "}])" * (SIZE // 6),
    "base64": "aGVsbG8gd29ybGQ+/" * (SIZE // 17),
    "sentences": "The skua nests on Gull Holm. " * (SIZE // 29),
}


def of(*blocks: FlowBlock) -> Document:
    return flowing(FlowContent(blocks), name="long.txt", digest="0" * 64)


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_made_of_a_long_paragraph_is_larger_than_the_bound(name: str) -> None:
    text = TEXTS[name]
    document = flowing(plain.read(text.encode()), name="long.txt", digest="0" * 64)
    assert max(map(len, document.blocks.text)) <= LONGEST
    assert max(map(len, passages_of(document).text)) <= LONGEST
    assert "".join("".join(document.blocks.text).split()) == "".join(text.split())
    assert len(document.blocks) <= 1 + len(text) // (0.9 * LONGEST)


def test_it_is_cut_after_sentences_else_between_words() -> None:
    assert all(text.endswith(".") for text in of(FlowBlock(Kind.PARAGRAPH, TEXTS["sentences"])).blocks.text)
    words = " ".join(of(FlowBlock(Kind.PARAGRAPH, TEXTS["one word"])).blocks.text).split()
    assert set(words) == {"word"}


def test_code_is_cut_between_lines() -> None:
    lines = [f"value_{at} = f(x. y)" for at in range(2_000)]
    blocks = of(FlowBlock(Kind.CODE, "\n".join(lines))).blocks
    assert len(blocks) > 1
    assert set(blocks.kind.tolist()) == {Kind.CODE}
    assert "\n".join(blocks.text).split("\n") == lines


def test_a_heading_that_long_is_text_and_a_part_begins_once() -> None:
    document = of(
        FlowBlock(Kind.HEADING, TEXTS["one word"], 1, part="sheet A"), FlowBlock(Kind.PARAGRAPH, "end", part="sheet B")
    )
    assert set(document.blocks.kind.tolist()) == {Kind.PARAGRAPH}
    assert [*document.pages.label].count("sheet B") == 1


@pytest.mark.parametrize("name", TEXTS)
def test_a_cell_that_long_ends_at_the_bound_and_goes_on_under_its_table(name: str) -> None:
    text = TEXTS[name].strip()
    table = Grid.of_rows([["Name", "Text"], ["Skua", text], ["Tern", "short"]], header_rows=1)
    blocks = of(FlowBlock(Kind.TABLE, table.text(), grid=table), FlowBlock(Kind.PARAGRAPH, "end")).blocks
    assert max(map(len, blocks.text)) <= LONGEST + 100
    assert [*blocks.kind.tolist()] == [Kind.TABLE, *[Kind.PARAGRAPH] * (len(blocks) - 1)]
    assert "Tern | short" in blocks.text[0]
    letters = "".join("".join(blocks.text).split())
    assert len(letters) == len("".join(f"{table.text()}end".split()))


def test_what_people_write_stays_whole() -> None:
    text = ("The skua nests on Gull Holm. " * 1_000)[:LONGEST]
    assert [*of(FlowBlock(Kind.PARAGRAPH, text)).blocks.text] == [text]


@pytest.mark.parametrize(
    "quote", ["two three", "two  three", "o t", "four", "four five", " ", "one\ntwo three\tfour", "thre"]
)
@pytest.mark.parametrize("text", ["one two three four", " one\n\ntwo   three\tfour ", "two two  three", ""])
def test_a_quote_is_found_where_its_words_stand_white_space_aside(quote: str, text: str) -> None:
    found = re.search(r"\s+".join(map(re.escape, quote.split())), text) if quote.strip() else None
    assert _verbatim(quote, text) == (found.span() if found else None)


def test_a_quote_of_megabytes_is_looked_for_without_a_pattern_of_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(re, "search", None)
    assert _verbatim(TEXTS["one word"], f"  {TEXTS['one word']}") == (2, 2 + len(TEXTS["one word"].strip()))
