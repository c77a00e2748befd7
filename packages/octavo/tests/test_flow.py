"""Flowing text: Markdown, HTML and plain text become blocks, levels and parts; anything else is refused by name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import octavo
from octavo.errors import SourceError
from octavo_documents.document import Document, Kind, LinkKind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing import DEFAULT_LIMITS, Limits, html, markdown, plain
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, NoText
from octavo_documents.parsing.formats import FLOWING, is_flowing, read_flow
from octavo_documents.structuring.flow import flowing

Shape = tuple[Kind, int, str]


def shape(content: FlowContent) -> list[Shape]:
    return [(block.kind, block.level, block.text) for block in content.blocks]


HEADING, PARAGRAPH, ITEM, TABLE = Kind.HEADING, Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.TABLE
CODE, FIGURE, CAPTION, TITLE = Kind.CODE, Kind.FIGURE, Kind.CAPTION, Kind.TITLE

# Markdown

NOTES = b"""---
title: "Harbour notes"
author: A. Berg
---
# Harbour

The *mooring* fee is `12.50` [crowns](https://example.org) a
night.

- buoys
  - red
- lights

  They are lit at dusk.

1. first

| Berth | Fee |
|-------|-----|
| A     | 1.5 |

```python
x = 1
```

![A chart of the harbour](chart.png)

**Rules**

<div>See <b>below</b>.</div>
"""


def test_markdown_is_read_with_its_headings_lists_tables_code_and_pictures() -> None:
    content = markdown.read(NOTES)
    assert (content.title, content.author) == ("Harbour notes", "A. Berg")
    assert shape(content) == [
        (HEADING, 1, "Harbour"),
        (PARAGRAPH, 0, "The mooring fee is 12.50 crowns a night."),
        (ITEM, 1, "buoys"),
        (ITEM, 2, "red"),
        (ITEM, 1, "lights"),
        (PARAGRAPH, 0, "They are lit at dusk."),
        (ITEM, 1, "1. first"),
        (TABLE, 0, "Berth | Fee\nA | 1.5"),
        (CODE, 0, "x = 1"),
        (FIGURE, 0, "A chart of the harbour"),
        (PARAGRAPH, 0, "Rules"),
        (PARAGRAPH, 0, "See below."),
    ]
    assert [block.text for block in content.blocks if block.bold] == ["Rules"]


def test_a_markdown_table_has_its_header() -> None:
    found = next(block.grid for block in markdown.read(NOTES).blocks if block.grid)
    assert (found.header_rows, found.headers()) == (1, ["Berth", "Fee"])


# HTML

PAGE = b"""<!doctype html><html><head><title>Harbour  guide</title><meta name=author content="A. Berg"></head><body>
<nav><ul><li>home</li></ul></nav>
<main><h1>The <em>harbour</em></h1><p>Open   <a href=x>all year</a>, <b>day</b> and night.<p>Lit<br>at dusk.
<ul><li>One<ul><li>nested <i>x</i></li></ul><li>Two<p>more</p></ul>
<h3>Fees</h3>
<table><caption>Table 1: Fees</caption><thead><tr><th>Berth<th>Fee</thead><tr><td rowspan=2>A<td>1.5<tr><td>2</table>
<pre><code>x = 1
  y</code></pre>
<figure><img alt="A boat" src=boat.png><figcaption>Figure 1: A boat</figcaption></figure><img src=line.gif>
<p hidden>not shown</p><script>alert(1)</script><div role=navigation>skip</div>
<h2>End</h2> loose words <div>in a box</div></main><footer>imprint</footer></body></html>"""


def test_html_is_read_as_a_browser_shows_it() -> None:
    content = html.read(PAGE)
    assert (content.title, content.author) == ("Harbour guide", "A. Berg")
    assert shape(content) == [
        (HEADING, 1, "The harbour"),
        (PARAGRAPH, 0, "Open all year, day and night."),
        (PARAGRAPH, 0, "Lit at dusk."),
        (ITEM, 1, "One"),
        (ITEM, 2, "nested x"),
        (ITEM, 1, "Two"),
        (PARAGRAPH, 0, "more"),
        (HEADING, 3, "Fees"),
        (CAPTION, 0, "Table 1: Fees"),
        (TABLE, 0, "Berth | Fee\nA | 1.5\n | 2"),
        (CODE, 0, "x = 1\n  y"),
        (FIGURE, 0, "A boat"),
        (CAPTION, 0, "Figure 1: A boat"),
        (HEADING, 2, "End"),
        (PARAGRAPH, 0, "loose words"),
        (PARAGRAPH, 0, "in a box"),
    ]


def grid_of(markup: str) -> Grid:
    return next(block.grid for block in html.blocks_of(markup) if block.grid)


def test_cells_that_span_rows_and_columns_keep_their_places() -> None:
    grid = grid_of("<table><tr><th>a<th colspan=2>b<tr><th rowspan=2>c<td>1<td>2<tr><td>3<td>4</table>")
    assert grid.filled() == [["a", "b", "b"], ["c", "1", "2"], ["c", "3", "4"]]
    assert (grid.header_rows, grid.header_columns) == (1, 0)


def test_a_first_column_of_headers_is_told() -> None:
    assert grid_of("<table><tr><th>a<td>1<tr><th>b<td>2</table>").header_columns == 1


def test_a_table_that_lays_out_a_page_is_no_table() -> None:
    inner = "<table><tr><td><h2>News</h2><p>One.</p></td><td>Two.</td></tr></table>"
    assert [block.kind for block in html.blocks_of(inner)] == [HEADING, PARAGRAPH, PARAGRAPH]


@pytest.mark.parametrize("span", ["99999999", "-4", "x", "0", "100000"])
def test_senseless_spans_are_held_in_bounds(span: str) -> None:
    grid = grid_of(f"<table><tr><td colspan={span}>a<td rowspan={span}>b<tr><td>c</table>")
    assert grid.width <= 1002
    assert {cell.text for cell in grid.cells} == {"a", "b", "c"}


def test_elements_nested_without_end_do_not_end_the_reader() -> None:
    found = list(html.blocks_of("<div>" * 5000 + "deep" + "</div>" * 5000 + "<p>after</p>"))
    assert found[-1].text == "after"
    assert markdown.read(b">" * 5000 + b" deep").blocks is not None


# Plain text

LETTER = b"""HARBOUR RULES

1.2 Mooring

Boats moor at the buoys
on the north side.

  - red buoys
  - green buoys
    and lights

Fees
====
The fee is 12.50 crowns.

* * *

It rises in May.
"""


def test_plain_text_is_read_by_how_it_is_set() -> None:
    assert shape(plain.read(LETTER)) == [
        (HEADING, 1, "HARBOUR RULES"),
        (HEADING, 2, "1.2 Mooring"),
        (PARAGRAPH, 0, "Boats moor at the buoys on the north side."),
        (ITEM, 1, "- red buoys"),
        (ITEM, 1, "- green buoys and lights"),
        (HEADING, 1, "Fees"),
        (PARAGRAPH, 0, "The fee is 12.50 crowns."),
        (PARAGRAPH, 0, "It rises in May."),
    ]


MANUAL = b"""\
NAME
       gull - serves gulls

OPTIONS
    idle_time
       How long a gull may be silent.

SELECT a | b
  FROM gulls

NOTE: IN CAPITALS
but no heading

Appendix B. Sources

A.1. Feathers

B.2.1 Eggs and shells

A. Weiss
"""


def test_headings_of_manuals_and_appendices_are_headings() -> None:
    assert shape(plain.read(MANUAL)) == [
        (HEADING, 1, "NAME"),
        (PARAGRAPH, 0, "gull - serves gulls"),
        (HEADING, 1, "OPTIONS"),
        (PARAGRAPH, 0, "idle_time How long a gull may be silent."),
        (PARAGRAPH, 0, "SELECT a | b FROM gulls"),
        (PARAGRAPH, 0, "NOTE: IN CAPITALS but no heading"),
        (HEADING, 1, "Appendix B. Sources"),
        (HEADING, 2, "A.1. Feathers"),
        (HEADING, 3, "B.2.1 Eggs and shells"),
        (PARAGRAPH, 0, "A. Weiss"),
    ]


# Bytes

ENCODED = [
    ("Gebühr", "utf-8", ""),
    ("Gebühr", "utf-8-sig", ""),
    ("Gebühr", "utf-16", ""),
    ("Gebühr", "cp1252", "not UTF-8: read as Windows-1252"),
]


@pytest.mark.parametrize(("text", "encoding", "warning"), ENCODED)
def test_text_is_decoded_by_its_mark_else_utf8_else_windows(text: str, encoding: str, warning: str) -> None:
    assert text_of(text.encode(encoding)) == (text, (warning,) if warning else ())


def test_a_page_says_its_encoding() -> None:
    data = '<html><head><meta charset="koi8-r"></head><p>мост</p>'.encode("koi8-r")
    assert html.read(data).blocks[0].text == "мост"
    assert html.read(b'<meta charset="no-such"><p>bridge').blocks[0].text == "bridge"
    assert html.read(b'<meta charset="rot13"><p>bridge').blocks[0].text == "bridge"


def test_other_bytes_are_no_text() -> None:
    with pytest.raises(NoText):
        text_of(bytes(range(256)) * 8)


READERS = {name: import_module(f"octavo_documents.parsing.{name}").read for name in sorted(set(FLOWING.values()))}


@pytest.mark.parametrize("name", READERS)
@given(data=st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode("utf-8", "ignore"))))
def test_any_bytes_are_a_well_formed_document_or_no_text(name: str, data: bytes) -> None:
    try:
        content = READERS[name](data)
    except NoText:
        return
    flowing(content, name="x", digest="0" * 64).check()


# Documents


def made(*blocks: tuple[Kind, int, str]) -> Document:
    flow = FlowContent(tuple(FlowBlock(kind, text, level) for kind, level, text in blocks))
    return flowing(flow, name="x.md", digest="0" * 64)


def test_the_one_top_heading_is_the_title_and_levels_skip_none() -> None:
    document = made((HEADING, 2, "Guide"), (HEADING, 3, "A"), (HEADING, 6, "B"), (HEADING, 3, "C"), (PARAGRAPH, 0, "x"))
    assert document.blocks.kind.tolist() == [TITLE, HEADING, HEADING, HEADING, PARAGRAPH]
    assert document.blocks.level.tolist() == [0, 1, 2, 1, 0]
    assert document.metadata.title == "Guide"
    assert document.blocks.section_path(4) == ("C",)


def test_several_top_headings_are_sections() -> None:
    assert made((HEADING, 1, "A"), (HEADING, 1, "B")).blocks.kind.tolist() == [HEADING, HEADING]


def test_long_text_has_parts_that_begin_at_headings_where_they_can() -> None:
    words = "word " * 300
    document = made(*[(PARAGRAPH, 0, words)] * 2, (HEADING, 1, "Next"), *[(PARAGRAPH, 0, words)] * 4)
    assert document.blocks.page.tolist() == [1, 1, 2, 2, 2, 2, 3]
    assert list(document.pages.label) == ["part 1", "part 2", "part 3"]


# Files


def test_a_file_is_told_by_its_name_unless_it_begins_as_a_pdf(tmp_path: Path) -> None:
    for name, data, flows in (("a.MD", b"# x", True), ("b.txt", b"%PDF-1.7", False), ("c.pdf", b"# x", False)):
        (tmp_path / name).write_bytes(data)
        assert is_flowing(tmp_path / name) is flows


REFUSED = [("a.md", b"", "empty"), ("b.html", b"<nav>x</nav>", "empty"), ("c.txt", bytes(range(9)) * 99, "format")]


@pytest.mark.parametrize(("name", "data", "reason"), REFUSED)
def test_a_file_without_text_is_refused_by_name(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(SourceError, match=name) as refused:
        read_flow(tmp_path / name, DEFAULT_LIMITS)
    assert refused.value.reason == reason


def test_a_file_too_large_is_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("word " * 100)
    with pytest.raises(SourceError, match="at most 99"):
        read_flow(tmp_path / "a.txt", Limits(text_bytes=99))
    with pytest.raises(SourceError, match="cannot be read"):
        read_flow(tmp_path / "none.txt", DEFAULT_LIMITS)


def test_a_folder_of_texts_is_asked_like_any_other(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "notes.md").write_bytes(NOTES)
    (folder / "guide.html").write_bytes(PAGE)
    (folder / "rules.txt").write_bytes(LETTER)
    (folder / "left.rs").write_text("fn main() {}")
    with octavo.open(tmp_path / "corpus") as corpus:
        report = corpus.add(folder)
        assert [info.name for info in report.added] == ["guide.html", "notes.md", "rules.txt"]
        answer = corpus.ask("What is the fee of the mooring?", documents=["rules.txt"])
        assert answer.passages[0].page_label == "part 1"
        assert any("12.50" in one.text for one in answer.passages[:2])  # a passage ends with its section


NOTED = {
    ".md": b"# Boats\n\nShe is old[^1] and slow.\n\nOther words.\n\n[^1]: Built in 1911.\n",
    ".rst": b"Boats\n=====\n\nShe is old [1]_ and slow.\n\nOther words.\n\n.. [1] Built in 1911.\n",
    ".org": b"* Boats\nShe is old[fn:1] and slow.\n\nOther words.\n\n[fn:1] Built in 1911.\n",
    ".tex": rb"\section{Boats}She is old\footnote{Built in 1911.} and slow.",
    ".html": b"<h1>Boats</h1><p>She is old<sup><a href='#n'>1</a></sup> and slow.<p>Other words."
    b"<section role=doc-endnotes><ol><li id=n>Built in 1911.</ol></section>",
}


@pytest.mark.parametrize("ending", NOTED)
def test_a_note_leads_to_the_block_that_refers_to_it(ending: str) -> None:
    read = import_module(f"octavo_documents.parsing.{FLOWING[ending]}").read
    document = flowing(read(NOTED[ending]), name="a", digest="0" * 64)
    [source], [target], [kind] = document.links.source, document.links.target, document.links.kind
    assert kind == LinkKind.FOOTNOTE_OF
    assert "Built in 1911." in document.blocks.text[source]
    assert document.blocks.text[target].startswith("She is old")


def test_captions_and_words_lead_to_what_they_name() -> None:
    data = b"""# Fees

See Table 2 and Section 2; the table below is for boats. Page 3 is no page here.

Table 1: Fees of boats

| Boat | Fee |
|---|---|
| small | 40 |

| Berth | Fee |
|---|---|
| outer | 12 |

Table 2: Fees of berths

# 2 Rules

Pay at once.
"""
    document = flowing(markdown.read(data), name="a.md", digest="0" * 64)
    text, links = document.blocks.text, document.links
    found = {
        (LinkKind(kind).label, words or text[a], text[b].split("\n")[-1])
        for kind, words, a, b in zip(links.kind, links.text, links.source.tolist(), links.target.tolist(), strict=True)
    }
    assert found == {
        ("caption_of", "Table 1: Fees of boats", "small | 40"),
        ("caption_of", "Table 2: Fees of berths", "outer | 12"),
        ("refers_to", "Table 2", "outer | 12"),
        ("refers_to", "the table below", "small | 40"),
        ("refers_to", "Section 2", "2 Rules"),
    }


def test_xhtml_is_read_as_xml_ends_it() -> None:
    data = b"""<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>
    <body><p>One <a id="x"/>boat</p><div/><p>Two boats</p></body></html>"""
    assert [block.text for block in html.read(data).blocks] == ["One boat", "Two boats"]
