"""HTML: numbers of lists, tables in tables, frames, and what is shown where no script runs."""

from __future__ import annotations

import pytest

from octavo_documents.document import Kind
from octavo_documents.parsing import html
from octavo_documents.parsing.html_nesting import DEEPEST, bounded


def _texts(page: str) -> list[str]:
    return [block.text for block in html.read(page.encode()).blocks]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("<ol><li>a<li>b</ol>", ["1. a", "2. b"]),
        ("<ol start=5><li>a<li>b</ol>", ["5. a", "6. b"]),
        ("<ol start=-1><li>a</ol>", ["1. a"]),
        ("<ol reversed><li>a<li>b<li>c</ol>", ["3. a", "2. b", "1. c"]),
        ("<ol reversed start=9><li>a<li>b</ol>", ["9. a", "8. b"]),
        ("<ol><li>a<li value=7>b<li>c</ol>", ["1. a", "7. b", "8. c"]),
        ("<ol type=a><li>a<li>b</ol><ol type=I><li>c</ol>", ["a. a", "b. b", "I. c"]),
        ("<ol><li>a<ol><li>b</ol><li>c</ol>", ["1. a", "1. b", "2. c"]),
        ("<ol><li>a<ul><li>b</ul><li><p>c</p><p>d</p></ol>", ["1. a", "b", "2. c", "d"]),
        ('<ol style="list-style: none"><li>a</ol>', ["a"]),
        ("<ul><li value=3>a</ul>", ["a"]),
    ],
)
def test_ordered_lists_have_the_numbers_that_are_shown(written: str, shown: list[str]) -> None:
    assert _texts(written) == shown


INNER = "<table><tr><th>Berth<th>Length<tr><td>1<td>12 m<tr><td>2<td>18 m</table>"


NOTE = "Signals can be heard from here on by whoever has good ears, and seen a little before."


@pytest.mark.parametrize(
    "row",
    [
        f"<td><div class=title>Note</div></td><td><div><p>{NOTE}</p></div></td>",
        f"<td><img src=i.png alt=Warning></td><td>{NOTE}</td>",
        f"<td>{NOTE}</td>",
        f"<td>⚠</td><td><p>{NOTE}</p></td>",
        f"<td>注意</td><td>{NOTE}</td>",
    ],
)
def test_a_box_around_a_note_is_text(row: str) -> None:
    page = f"<h1>Signals</h1><p>Before.</p><table><tr>{row}</tr></table><p>After.</p>"
    blocks = [*html.blocks_of(page)]
    assert Kind.TABLE not in [block.kind for block in blocks]
    assert NOTE in [block.text for block in blocks]


@pytest.mark.parametrize("row", [f"<th>Reach</th><td>{NOTE}</td>", "<td>Mast</td><td>1998</td>", "<td>a</td>" * 4])
def test_a_table_of_one_row_of_data_is_a_table(row: str) -> None:
    assert Kind.TABLE in [block.kind for block in html.blocks_of(f"<p>Before.</p><table><tr>{row}</tr></table>")]


def test_a_table_that_lays_out_the_page_has_the_tables_in_it() -> None:
    blocks = html.read(f"<table><tr><td>Left menu<td>{INNER}</table>".encode()).blocks
    assert [(block.kind, block.text) for block in blocks] == [
        (Kind.PARAGRAPH, "Left menu"),
        (Kind.TABLE, "Berth | Length\n1 | 12 m\n2 | 18 m"),
    ]


def test_a_table_in_a_cell_of_data_is_a_line_for_each_row() -> None:
    rows = f"<tr><th>Pier<th>Depth<th>Berths<tr><td>North<td>4 m<td>{INNER}<tr><td>South<td>3 m<td>none"
    (block,) = html.read(f"<table>{rows}</table>".encode()).blocks
    assert block.text == ("Pier | Depth | Berths\nNorth | 4 m | Berth, Length; 1, 12 m; 2, 18 m\nSouth | 3 m | none")


def test_tables_three_deep_end_in_the_innermost() -> None:
    page = f"<table><tr><td>{INNER.join(('<table><tr><td>Menu<td>', '</table>'))}</table>"
    assert _texts(page) == ["Menu", "Berth | Length\n1 | 12 m\n2 | 18 m"]


def test_frames_that_are_written_in_a_page_are_read_to_a_depth() -> None:
    page = "<p>4 deep</p>"
    for number in (3, 2, 1):
        escaped = page.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        page = f'<p>{number} deep</p><iframe srcdoc="{escaped}" src="https://example.org"></iframe>'
    assert _texts(page) == ["1 deep", "2 deep", "3 deep", "4 deep"]
    escaped = page.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    assert _texts(f'<iframe srcdoc="{escaped}"></iframe>') == ["1 deep", "2 deep", "3 deep"]


def test_what_is_shown_without_scripts_is_read_but_for_advice_and_pictures() -> None:
    page = (
        "<noscript><p>Open from 6 to 21.</p></noscript><noscript>Please turn on JavaScript.</noscript>"
        "<img alt=Pier><noscript><img alt=Pier></noscript>"
    )
    assert _texts(page) == ["Open from 6 to 21.", "Pier"]


@pytest.mark.parametrize("source", ["<ol><li>a ", "<div><p>a ", "<table><tr><td>a "])
def test_words_that_stand_very_deep_are_kept_and_cost_no_more(source: str) -> None:
    blocks = html.read((source * 3000).encode()).blocks
    assert "".join(block.text for block in blocks).count("a") == 3000
    assert bounded(source * 500 + "</div></ol>") == source * 500 + "</div></ol>"
    closed = "<div>" * 600 + "a" + "</div>" * 600
    assert bounded(closed) == "<div>" * DEEPEST + "a" + "</div>" * DEEPEST
