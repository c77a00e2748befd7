"""Markdown as it is written comes out as the blocks it was written from, whatever stands beside what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo_documents.document import Kind
from octavo_documents.parsing import markdown
from octavo_documents.parsing.flow import FlowBlock

WORDS = st.lists(
    st.sampled_from(["harbour", "North", "pier", "1887", "the", "of", "café", "東京", "x"]), min_size=1, max_size=6
)
MARKS = (
    "{}",
    "**{}**x",
    "*{}*",
    "`{}`",
    "[{}](https://example.org/a 'b')",
    "[{}][note]",
    "{}<!-- left out -->",
    "<i>{}</i>",
)
"""What may stand around words; the first leaves them as they are."""
SHOWN = dict.fromkeys(MARKS, "{}") | {"**{}**x": "{}x"}


@st.composite
def running(draw: st.DrawFn) -> tuple[str, str]:
    """Return running text as written and as read."""
    runs = draw(st.lists(st.tuples(WORDS, st.sampled_from(MARKS)), min_size=1, max_size=4))
    pairs = [(mark.format(" ".join(words)), SHOWN[mark].format(" ".join(words))) for words, mark in runs]
    between = draw(st.sampled_from((" ", "\n", "  \n")))
    return between.join(one for one, _ in pairs), " ".join(one for _, one in pairs)


@st.composite
def piece(draw: st.DrawFn) -> tuple[str, list[FlowBlock]]:
    """Return a piece of Markdown and its blocks."""
    written, read = draw(running())
    line, words = written.replace("  \n", " ").replace("\n", " "), " ".join(draw(WORDS))
    level = draw(st.integers(1, 6))
    table = f"| {words} | b |\n|:--|--:|\n| {line} | 2 |"
    code = f"{words}\n\n  # {words}"
    return draw(
        st.sampled_from(
            [
                (written, [FlowBlock(Kind.PARAGRAPH, read)]),
                (f"{'#' * level} {line}", [FlowBlock(Kind.HEADING, read, level)]),
                (f"{line}\n===", [FlowBlock(Kind.HEADING, read, 1)]),
                (f"- {line}\n- {words}", [FlowBlock(Kind.LIST_ITEM, one, 1) for one in (read, words)]),
                (
                    f"3. {words}\n   * {line}",
                    [FlowBlock(Kind.LIST_ITEM, f"3. {words}", 1), FlowBlock(Kind.LIST_ITEM, read, 2)],
                ),
                (f"- {words}\n\n  {line}", [FlowBlock(Kind.LIST_ITEM, words, 1), FlowBlock(Kind.PARAGRAPH, read)]),
                (f"> {line}", [FlowBlock(Kind.PARAGRAPH, read)]),
                (f"**{words}**", [FlowBlock(Kind.PARAGRAPH, words, bold=True)]),
                (f"```py\n{code}\n```", [FlowBlock(Kind.CODE, code)]),
                (f"![{words}](a.jpg)", [FlowBlock(Kind.FIGURE, words)]),
                (f"<div><p>{words}</p></div>", [FlowBlock(Kind.PARAGRAPH, words)]),
                ("***", []),
                (table, [FlowBlock(Kind.TABLE, f"{words} | b\n{read} | 2")]),
            ]
        )
    )


@given(st.lists(piece(), max_size=6))
def test_what_is_written_comes_out_as_it_was_meant(pieces: list[tuple[str, list[FlowBlock]]]) -> None:
    # A comment parts lists, which would be one list otherwise.
    text = "\n\n<!-- -->\n\n".join([*(written for written, _ in pieces), "[note]: https://example.org/b"])
    found = markdown.read(text.encode()).blocks
    meant = [block for _, blocks in pieces for block in blocks]
    assert [(one.kind, one.text, one.level, one.bold) for one in found] == [
        (one.kind, one.text, one.level, one.bold) for one in meant
    ]


CASES = {
    "| a | b |\n|--|--|\n| 1 \\| 2 |\n": [["a", "b"], ["1 | 2", ""]],
    "a | b\n--|--\n`x` | **y**\n": [["a", "b"], ["x", "y"]],
}


@pytest.mark.parametrize("text", CASES)
def test_cells_are_read_without_their_marks(text: str) -> None:
    (block,) = markdown.read(text.encode()).blocks
    assert block.grid is not None
    assert (block.grid.rows(), block.grid.header_rows) == (CASES[text], 1)


def test_a_picture_in_a_sentence_says_what_it_shows_without_marks() -> None:
    (block,) = markdown.read(b"See ![the *old* pier](a.jpg) here.").blocks
    assert (block.kind, block.text) == (Kind.PARAGRAPH, "See the old pier here.")


def test_pictures_alone_on_their_lines_are_figures() -> None:
    found = markdown.read(b"![a *b*](x.png)\n![c](y.png)").blocks
    assert found == (FlowBlock(Kind.FIGURE, "a b"), FlowBlock(Kind.FIGURE, "c"))


def test_a_table_after_another_has_rows_and_headers_of_its_own() -> None:
    text = "| a |\n|--|\n| 1 |\n\n<!-- -->\n\n| b |\n|--|\n"
    found = [block.grid.rows() for block in markdown.read(text.encode()).blocks if block.grid]
    assert found == [[["a"], ["1"]], [["b"]]]


@pytest.mark.parametrize("above", ["Fees:", "See **below**\nand here", "## Fees"])
@pytest.mark.parametrize(
    "table", ["Berth | Fee\n--- | ---:\nA | 1.5", "| Berth | Fee |\n|---|---|\n| A | 1.5 |"], ids=["bare", "barred"]
)
def test_a_table_right_below_other_text_is_a_table(above: str, table: str) -> None:
    first, last = markdown.read(f"{above}\n{table}\n".encode()).blocks
    assert first.kind in (Kind.PARAGRAPH, Kind.HEADING)
    assert (last.kind, last.text) == (Kind.TABLE, "Berth | Fee\nA | 1.5")


def test_what_looks_like_a_table_between_fences_stays_as_it_is() -> None:
    code = "x\na | b\n--|--\n1 | 2"
    found = markdown.read(f"```\n{code}\n```\n\ny\na | b\n--|--\n1 | 2\n".encode()).blocks
    assert [(block.kind, block.text) for block in found] == [
        (Kind.CODE, code),
        (Kind.PARAGRAPH, "y"),
        (Kind.TABLE, "a | b\n1 | 2"),
    ]


def test_ordered_lists_keep_their_numbers() -> None:
    text = "4. open\n5. fill\n   1. left\n   - none\n\n   2. right\n6. start\n\nThen\n\n1) stop\n"
    assert [block.text for block in markdown.read(text.encode()).blocks] == [
        *("4. open", "5. fill", "1. left", "none", "2. right", "6. start"),
        *("Then", "1. stop"),
    ]
