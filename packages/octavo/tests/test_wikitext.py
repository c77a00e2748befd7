"""Wikitext: headings, lists, tables and boxes become blocks; templates and notes go; no input makes the reader slow."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import SourceError
from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing import DEFAULT_LIMITS, wikitext
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.formats import read_flow
from octavo_documents.structuring.flow import flowing

HEADING, PARAGRAPH, ITEM, TABLE = Kind.HEADING, Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.TABLE
CODE, FIGURE, CAPTION, FORMULA = Kind.CODE, Kind.FIGURE, Kind.CAPTION, Kind.FORMULA


def shape(source: str) -> list[tuple[Kind, int, str]]:
    return [(block.kind, block.level, block.text) for block in wikitext.read(source.encode()).blocks]


def text(source: str) -> str:
    return "\n".join(block.text for block in wikitext.read(source.encode()).blocks)


ARTICLE = """{{Short description|A port}}
{{Infobox port
| name  = South Haven
| image = haven.jpg
| image_size = 200px
| depth = {{convert|12|m|ft|abbr=on}}<ref>{{cite web|title=Depths|url=http://example.org}}</ref>
| berths =
}}
[[File:haven.jpg|thumb|right|200px|alt=Boats|The [[harbour]] of ''South Haven''{{cn}}]]
'''South Haven''' ({{lang-fr|Havre du Sud}}; {{IPA|x}}) is a [[port (harbour)|port]]<!-- really --> on the
[[North Coast]].<ref name="a" /> It has 5&nbsp;quays{{citation needed|date=May 2010}}.

== History == <!-- of the port -->
{{main|History of South Haven}}
It was opened on {{start date|1901|05|02}}, see [http://example.org the charter] or [https://example.org/x].
=== Trade ===
* grain
** wheat, [[rye]]
* wood<br>and coal
# first
; Tide : rise of the sea
: twice a day
[[Category:Ports]] [[fr:Havre du Sud]]
"""


def test_an_article_is_its_box_pictures_sections_and_lists() -> None:
    assert shape(ARTICLE) == [
        (TABLE, 0, "name | South Haven\ndepth | 12 m"),
        (FIGURE, 0, "The harbour of South Haven"),
        (PARAGRAPH, 0, "South Haven (Havre du Sud) is a port on the North Coast. It has 5 quays."),
        (HEADING, 2, "History"),
        (PARAGRAPH, 0, "It was opened on 2 May 1901, see the charter or ."),
        (HEADING, 3, "Trade"),
        (ITEM, 1, "grain"),
        (ITEM, 2, "wheat, rye"),
        (ITEM, 1, "wood and coal"),
        (ITEM, 1, "1. first"),
        (ITEM, 1, "Tide"),
        (ITEM, 2, "rise of the sea"),
        (ITEM, 2, "twice a day"),
    ]


# Marks

INLINE = [
    ("''a'' '''b''' '''''c''''' d's", "a b c d's"),
    ("[[Boat]]s, [[boat|ship]], [[Boat (vessel)|]]", "Boats, ship, Boat (vessel)"),
    ("[[:Category:Boats]] and [[Category:Ports]]x", "Category:Boats and x"),
    ("[http://a.example The [[quay]] (north)] http://b.example/x", "The quay (north) http://b.example/x"),
    ("H<sub>2</sub>O &amp; <u>CO</u> 1 < 2", "H2O & CO 1 < 2"),
    ("<nowiki>[[not]] ''a'' {{link}}</nowiki>", "[[not]] ''a'' {{link}}"),
    ("a<ref>{{x|[[y]]}}</ref> b<ref name=x/> c<REF group=n > </ref >", "a b c"),
    ("__NOTOC__ a <includeonly>no</includeonly><noinclude>b</noinclude>", "a b"),
    ("so <math>a^2 +\n b</math> it is", "so a^2 + b it is"),
    ("a {{{1|b}}} c", "a b c"),
]


@pytest.mark.parametrize(("source", "shown"), INLINE)
def test_marks_go_and_words_stay(source: str, shown: str) -> None:
    assert text(source) == shown


TEMPLATES = [
    ("{{convert|5|km|mi}} {{convert|5|to|10|km}} {{cvt|3|x|4|m|ft}}", "5 km 5 to 10 km 3 × 4 m"),
    ("{{lang|fr|le ''quai''}} {{lang-de|der Kai}} {{transl|ru|naberezhnaya}}", "le quai der Kai naberezhnaya"),
    ("{{birth date|df=y|1950|01|02}} {{dts|2010|May|3}} {{as of|2011}}", "2 January 1950 2010 May 3 As of 2011"),
    ("{{nowrap|a {{small|b}} [[c|d]]}} {{frac|3|1|2}} {{chem|H|2|O}} {{formatnum:1200}}", "a b d 3 1/2 H2O 1200"),
    ("{{nihongo|port|港|minato}}, {{hlist|a|[[b]]}}, {{plainlist|\n* c\n* d\n}}", "port (港, minato), a, b, c, d"),
    ("a {{No such thing|b|c=d}}{{#if:x|y}} {{nowrap|1=e}}", "a e"),
    ("a{{!}}b {{=}} c{{nbsp}}d{{ndash}}e", "a|b = c d–e"),
]


@pytest.mark.parametrize(("source", "shown"), TEMPLATES)
def test_templates_that_are_words_stay_and_all_others_go(source: str, shown: str) -> None:
    assert text(source) == shown


def test_a_quotation_is_a_paragraph_of_its_own() -> None:
    assert shape("He said: {{quote|Moor here.|The master}} And left.") == [
        (PARAGRAPH, 0, "He said:"),
        (PARAGRAPH, 0, "Moor here."),
        (PARAGRAPH, 0, "And left."),
    ]


def test_pictures_have_their_captions_and_ornaments_none() -> None:
    source = "[[Image:a.png|20px]] [[Datei:b.png|mini|alt=A chart|200x100px]]\n"
    source += "<gallery>\nFile:c.jpg|The [[quay]]\nd.jpg\n</gallery>"
    assert shape(source) == [(FIGURE, 0, "A chart"), (FIGURE, 0, "The quay")]


def test_code_and_formulas_are_kept_as_they_are() -> None:
    source = "<pre>\na [[b]]\n  c\n</pre>\nx\n"
    source += '<syntaxhighlight lang="c">int a;</syntaxhighlight>\n:<math>a_1</math>.\n p\n  q'
    assert shape(source) == [
        (CODE, 0, "a [[b]]\n  c"),
        (PARAGRAPH, 0, "x"),
        (CODE, 0, "int a;"),
        (FORMULA, 0, "a_1"),
        (CODE, 0, "p\n q"),
    ]


def test_headings_need_both_marks_and_paragraphs_all_in_bold_are_told() -> None:
    assert shape("= A =\n===B===\n=== C ==\n== x\n======= D =======") == [
        (HEADING, 1, "A"),
        (HEADING, 3, "B"),
        (HEADING, 2, "= C"),
        (PARAGRAPH, 0, "== x"),
        (HEADING, 6, "= D ="),
    ]
    found = wikitext.read(b"'''Rules'''\n\n'''A''' and '''B'''").blocks
    assert [block.bold for block in found] == [True, False]


def test_a_title_that_the_page_gives_itself_is_taken() -> None:
    assert wikitext.read(b"{{DISPLAYTITLE:''Haven'' (port)}}\nx").title == "Haven (port)"


# Tables


def grid_of(source: str) -> Grid:
    return next(block.grid for block in wikitext.read(source.encode()).blocks if block.grid)


FEES = """{| class="wikitable"
|+ style="x" | Fees of ''South Haven''
! Berth !! colspan="2" | Fee
|-
! rowspan=2 | North
| align=right | 1.5 || [[crown|crowns]]<ref>x</ref>
|-
| 2 || {{nowrap|crowns}}
and a half
|}
"""


def test_a_table_has_its_caption_headers_and_spans() -> None:
    assert shape(FEES)[0] == (CAPTION, 0, "Fees of South Haven")
    grid = grid_of(FEES)
    assert grid.filled() == [["Berth", "Fee", "Fee"], ["North", "1.5", "crowns¹"], ["North", "2", "crowns and a half"]]
    assert (grid.header_rows, grid.header_columns) == (1, 0)


def test_a_first_column_of_headers_is_told() -> None:
    assert grid_of("{|\n! a\n| 1\n|-\n! b\n| 2\n|}").header_columns == 1


def test_a_table_in_a_table_and_one_that_is_never_closed_are_read() -> None:
    tables = [block.text for block in wikitext.read(b"{|\n|a||b\n|-\n|\n{|\n|c||d\n|-\n|e||f\n|}\n||g").blocks]
    assert tables == ["c | d\ne | f", "a | b\n | g"]
    assert shape("{|\n|a||b\n|-\n|c||d\n== Next ==\nx")[1:] == [(HEADING, 2, "Next"), (PARAGRAPH, 0, "x")]


def test_a_table_that_lays_out_a_page_is_no_table() -> None:
    assert shape("{|\n| valign=top |\n* a\n* b\n|\nc\n|}") == [(ITEM, 1, "a"), (ITEM, 1, "b"), (PARAGRAPH, 0, "c")]


@pytest.mark.parametrize("span", ["99999999", "-4", "x", "0", "99999"])
def test_senseless_spans_are_held_in_bounds(span: str) -> None:
    grid = grid_of(f"{{|\n|colspan={span}|a||rowspan={span}|b\n|-\n|c||d\n|}}")
    assert grid.width <= 1002
    assert {cell.text for cell in grid.cells} == {"a", "b", "c", "d"}


# Files


@pytest.mark.parametrize("source", ["#REDIRECT [[South Haven]]", "\n#weiterleitung [[South Haven#Fees|x]]\n{{R}}"])
def test_a_redirect_is_refused_by_name(tmp_path: Path, source: str) -> None:
    (tmp_path / "a.wiki").write_text(source)
    with pytest.raises(SourceError, match="sends on to “South Haven”") as refused:
        read_flow(tmp_path / "a.wiki", DEFAULT_LIMITS)
    assert refused.value.reason == "format"


@pytest.mark.parametrize("name", ["a.wiki", "a.MediaWiki", "a.wikitext"])
def test_a_file_is_told_by_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("== A ==\n# [[b]]")
    assert [block.kind for block in read_flow(tmp_path / name, DEFAULT_LIMITS).blocks] == [HEADING, ITEM]


# Input of any sort

UNCLOSED = (
    *("{{", "[[", "]]", "}}", "{{lang|x|", "[[File:", "[http://a ", "'''", "== ", "&#x", "__A"),
    *("<ref>", "<!--", "<nowiki>", "<div ", "<li>", "<gallery>", "<math>"),
    *("\n{|", "\n|", "\n|-", "\n|+", "\n!", "\n*", "\n: ", "\n;", "\n "),
)
MARKS = st.sampled_from(
    [*UNCLOSED, "|", "||", "|}", "\n|}", "\n|-", "!!", "</ref>", "-->", "=", "]", "}", "a b", "(;)"]
)


@given(st.one_of(st.text(max_size=200), st.lists(MARKS, max_size=60).map("".join)))
def test_any_text_is_a_well_formed_document(source: str) -> None:
    try:
        content = wikitext.read(source.encode("utf-8", "ignore"))
    except NoText:
        return
    flowing(content, name="x", digest="0" * 64).check()
    assert not any("\x01" in block.text for block in content.blocks)


DEEP = [
    opener * 10_000 + "x" + closer * 10_000 for opener, closer in [("{{a|", "}}"), ("[[", "]]"), ("{{nowrap|y ", "}}")]
]
LONG = {
    **{
        f"{mark!r} without end": mark * (200_000 // len(mark))
        for mark in (*UNCLOSED, "=", ";", " ", "[[a|", "{{{", "(")
    },
    **{f"{source[:6]!r} nested": source for source in DEEP},
    "tables nested": "{|\n|\n" * 10_000,
    "10,000 headings": "".join(f"== H{at} ==\nword\n" for at in range(10_000)),
    "one long line": "word " * 100_000,
    "a wide table": "{|\n" + "|a" * 50_000 + "\n|-\n" * 1000 + "|}",
}


@pytest.mark.parametrize("name", LONG)
def test_no_input_takes_more_time_than_its_length_warrants(name: str) -> None:
    started = time.process_time()
    wikitext.read(LONG[name].encode())
    assert time.process_time() - started < 4


def test_links_after_many_unclosed_marks_are_read() -> None:
    assert text("{{" * 1000 + "the [[quay|quays]]") == "the quays"


def test_words_after_an_unclosed_mark_are_not_lost() -> None:
    source = "{{infobox\n| a = b\n== A ==\nx <ref>y [[z\n\n<!-- w\n\n{| \n|v"
    assert {"A", "b", "z", "v"} <= set(text(source).replace("=", " ").split())


def test_notes_with_words_are_kept_and_marked_where_they_belong() -> None:
    source = (
        "The fee is 320<ref>Since 2019.</ref> dollars, the tax 5<ref name='t'>Of the [[Act]].</ref> per cent."
        '<ref>{{cite|X}}</ref>\n\nIt was lower.<ref name="t" /> More.<ref group=note>A remark.</ref>'
        " And<ref name=z/> that.\n<references><ref name=z>Listed below.</ref></references>"
    )
    assert shape(source) == [
        (PARAGRAPH, 0, "The fee is 320¹ dollars, the tax 5² per cent."),
        (PARAGRAPH, 0, "It was lower.² More. [note 1] And⁴ that."),
        (Kind.FOOTNOTE, 0, "[1] Since 2019."),
        (Kind.FOOTNOTE, 0, "[2] Of the Act."),
        (Kind.FOOTNOTE, 0, "[note 1] A remark."),
        (Kind.FOOTNOTE, 0, "[4] Listed below."),
    ]


def test_lists_in_tags_have_their_nesting_and_numbers() -> None:
    source = (
        '<ol start="3">\n<li>Open it\n<ul><li>slowly</li><li>by hand</li></ul></li>\n<li>Close it</li>\n</ol>\nDone.\n'
        "<ol type=a><li>First<li>Second</ol><ul>\n<li>Rope</li></ul>"
    )
    assert shape(source) == [
        (ITEM, 1, "3. Open it"),
        (ITEM, 2, "slowly"),
        (ITEM, 2, "by hand"),
        (ITEM, 1, "4. Close it"),
        (PARAGRAPH, 0, "Done."),
        (ITEM, 1, "a. First"),
        (ITEM, 1, "b. Second"),
        (ITEM, 1, "Rope"),
    ]
