"""Text with marks in it as a reader sees it: RTF, LaTeX, reStructuredText, AsciiDoc, Org, notebooks, papers in JATS."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from textwrap import dedent

import pytest

import octavo
from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowBlock, NoText
from octavo_documents.parsing.markup import xml

RTF = rb"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Cyr;}}
{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}{\info{\title The Title}{\author Ana}}
{\header Page head\par}{\pard\s1 Caf\'e9 \u8211? prices\par}
\pard\f0 Plain {\b bold} text{\footnote \chftn  Note here.} and \f1\'cf\'f0\'e8 \f0 end.\par
\pard{\listtext\bullet\tab}\ls1\ilvl0 First item\par
\trowd\trhdr\cellx2000\cellx4000\cellx6000\pard\intbl Name\cell Age\cell City\cell\row
\trowd\clvmgf\cellx2000\cellx6000\pard\intbl Tom\cell wide\cell\row
\trowd\clvmrg\cellx2000\cellx4000\cellx6000\pard\intbl \cell 3\cell Rome\cell\row
\pard After {\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt link}} table.{\v hidden}{\pict 0102}\par}"""

LATEX = r"""\documentclass{article}
\newcommand{\gull}{Grey \emph{Gull}}
\title{The Harbour}\author{Ana Heron \and Ben Gull\thanks{Of the office.}}
\begin{document}\maketitle
\begin{abstract}All of it.\end{abstract}
\section{Berths}\label{sec:b}
The \gull{} costs \$40~a night\footnote{Since 2020.} (\citet[p.~3]{Ana20}), % a comment
see Table~\ref{tab:fees}. M\"unchen, na\"{\i}ve --- ``yes''. Here $x_{i}^2 \leq \frac{a}{b}$.
\begin{enumerate}\item One \begin{itemize}\item Inner\end{itemize} \item Two\end{enumerate}
\subsection*{Fees}
\begin{table}\caption{Fees of \gull}\label{tab:fees}
\begin{tabular}{l|rr}\hline & \multicolumn{2}{c}{Fee}\\ Berth & Day & Night\\ \hline
\multirow{2}{*}{North} & 1 & 2\\ & 3 & 4\\\hline\end{tabular}\end{table}
\begin{equation}E = mc^2\label{e}\end{equation}
\begin{verbatim}
tie % fast
\end{verbatim}
\input{other}
\begin{thebibliography}{9}\bibitem{Ana20} Ana: Berths.\end{thebibliography}
\end{document}"""

RST = """\
============
The Handbook
============

Berths
======

The *north* pier has **four** berths [1]_; see `the map <http://x.org>`_ and :ref:`fees <fee>`.

* First item
  goes on

  * Nested
* Second::

    code in item

.. table:: Fees of berths

   +-------+-----------+
   | Berth | Fee       |
   +=======+=====+=====+
   | 1     | 40  | 50  |
   |       +-----+-----+
   |       | 41        |
   +-------+-----------+

=====  =====
A      B
=====  =====
1      2
       more
=====  =====

.. note:: Mind the gap.

.. figure:: a.png
   :alt: The pier

   The pier at noon.

.. [1] Since 2020.
"""

ASCIIDOC = """\
= The Harbour
:price: 40

== Berths

The *north* pier costs {price} euros.footnote:[Since 2020.] See <<fees,the fees>>.

* One
** Inner
. First

.Fees of berths
[cols="1,1,1"]
|===
|Berth |Day |Night

.2+|North 2+|free
|3 |4
|===

----
tie --fast
----
include::other.adoc[]
"""

ORG = """\
#+TITLE: The Harbour
* TODO Berths :tag:
:PROPERTIES:
:ID: x
:END:
The *north* pier[fn:1], see [[http://x.org][the map]].
- one
  - inner
#+CAPTION: Fees of berths
| Berth | Fee |
|-------+-----|
| 1     | 40  |
#+BEGIN_SRC sh
tie --fast
#+END_SRC

[fn:1] Since 2020.
"""

JATS = b"""<!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "JATS-archivearticle1.dtd"><article><front><article-meta>
<title-group><article-title>On <italic>gulls</italic></article-title></title-group><contrib-group><contrib
contrib-type="author"><name><surname>Heron</surname><given-names>Ana</given-names></name></contrib></contrib-group>
<pub-date><year>2024</year></pub-date><abstract><p>Short.</p></abstract></article-meta></front><body><sec>
<label>1</label><title>Berths</title><p>CO<sub>2</sub> of gulls <xref>[1]</xref>.</p><table-wrap><label>Table 1.</label>
<caption><p>Fees.</p></caption><table><thead><tr><th rowspan="2">Berth</th><th colspan="2">Fee</th></tr><tr><th>Day</th>
<th>Night</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr></tbody></table>
<table-wrap-foot><fn><p>In euros.</p></fn></table-wrap-foot></table-wrap>
<fig><label>Fig 1.</label><caption><title>A gull.</title><p>At noon.</p></caption>
</fig></sec></body><back><ref-list>
<ref><label>1</label><mixed-citation>Ana: <source>Gulls</source>.</mixed-citation></ref>
</ref-list></back></article>"""

NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Gulls\n", "They eat fish."]},
        {
            "cell_type": "code",
            "source": "print(4)",
            "outputs": [
                {"output_type": "stream", "text": ["\x1b[31m4\x1b[0m\n"]},
                {"data": {"text/html": "<table><tr><th>a<th>b<tr><td>1<td>2</table>", "text/plain": "a b"}},
                {"output_type": "error", "ename": "ValueError", "evalue": "no fish"},
            ],
        },
    ],
    "metadata": {"title": "Gulls of the pier"},
    "nbformat": 4,
}


def _blocks(module: str, data: bytes | str) -> tuple[FlowBlock, ...]:
    reader = importlib.import_module(f"octavo_documents.parsing.markup.{module}")
    return reader.read(data if isinstance(data, bytes) else data.encode()).blocks


def _shown(module: str, data: bytes | str) -> list[tuple[str, int, str]]:
    return [(block.kind.label, block.level, block.text) for block in _blocks(module, data)]


def _filled(module: str, data: bytes | str) -> list[tuple[list[list[str]], int]]:
    grids = [block.grid for block in _blocks(module, data) if block.grid]
    return [(grid.filled(), grid.header_rows) for grid in grids]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"\url{https://a.b/c%20d} is open", "https://a.b/c%20d is open"),
        (r"\href{https://a.b/c%20d}{the page} is open", "the page is open"),
        (r"\verb|50% off| today", "50% off today"),
        (r"\lstinline[language=C]|x%y| is code", "x%y is code"),
        (r"\lstinline{x%y} is code", "x%y is code"),
        (r"\mintinline{c}{x%y} and \mintinline[a=1]{c}!u%v! are code", "x%y and u%v are code"),
        ("20\\% of it % a comment", "20% of it"),
    ],
)
def test_a_sign_in_an_address_or_in_verbatim_words_begins_no_comment(written: str, shown: str) -> None:
    page = f"\\documentclass{{article}}\\begin{{document}}\n{written}\n\\end{{document}}"
    assert _shown("latex", page.encode()) == [("paragraph", 0, shown)]


def test_rtf() -> None:
    assert _shown("rtf", RTF) == [
        ("heading", 2, "Café – prices"),
        ("paragraph", 0, "Plain bold text and При end."),
        ("footnote", 0, "Note here."),
        ("list_item", 1, "First item"),
        ("table", 0, "Name | Age | City\nTom | wide\n | 3 | Rome"),
        ("paragraph", 0, "After link table."),
        ("page_header", 0, "Page head"),
    ]
    assert _filled("rtf", RTF) == [([["Name", "Age", "City"], ["Tom", "wide", "wide"], ["Tom", "3", "Rome"]], 1)]


def test_latex() -> None:
    assert _shown("latex", LATEX) == [
        ("heading", 1, "The Harbour"),
        ("paragraph", 0, "Ana Heron , Ben Gull"),
        ("footnote", 0, "Of the office."),
        ("heading", 4, "Abstract"),
        ("paragraph", 0, "All of it."),
        ("heading", 4, "1 Berths"),
        (
            "paragraph",
            0,
            "The Grey Gull costs $40 a night¹ ([Ana20, p. 3]), see Table 1. München, naïve — “yes”. Here x_i^2 ≤a/b.",
        ),
        ("footnote", 0, "Since 2020."),
        ("list_item", 1, "1. One"),
        ("list_item", 2, "Inner"),
        ("list_item", 1, "2. Two"),
        ("heading", 5, "Fees"),
        ("caption", 0, "Table 1: Fees of Grey Gull"),
        ("table", 0, " | Fee\nBerth | Day | Night\nNorth | 1 | 2\n | 3 | 4"),
        ("formula", 0, "E = mc^2"),
        ("code", 0, "tie % fast"),
        ("heading", 4, "References"),
        ("list_item", 1, "[Ana20] Ana: Berths."),
    ]
    assert _filled("latex", LATEX) == [
        ([["", "Fee", "Fee"], ["Berth", "Day", "Night"], ["North", "1", "2"], ["North", "3", "4"]], 2)
    ]


def test_restructured_text() -> None:
    assert _shown("rst", RST)[:7] == [
        ("heading", 1, "The Handbook"),
        ("heading", 2, "Berths"),
        ("paragraph", 0, "The north pier has four berths¹; see the map and fees."),
        ("list_item", 1, "First item goes on"),
        ("list_item", 2, "Nested"),
        ("list_item", 1, "Second:"),
        ("code", 0, "code in item"),
    ]
    assert _filled("rst", RST) == [
        ([["Berth", "Fee", "Fee"], ["1", "40", "50"], ["1", "41", "41"]], 1),
        ([["A", "B"], ["1", "2 more"]], 1),
    ]
    assert [text for _, _, text in _shown("rst", RST)[-4:]] == [
        "Note: Mind the gap.",
        "The pier",
        "The pier at noon.",
        "[1] Since 2020.",
    ]


def test_asciidoc() -> None:
    shown = _shown("asciidoc", ASCIIDOC)
    assert shown[:8] == [
        ("heading", 1, "The Harbour"),
        ("heading", 2, "Berths"),
        ("paragraph", 0, "The north pier costs 40 euros.¹ See the fees."),
        ("footnote", 0, "Since 2020."),
        ("list_item", 1, "One"),
        ("list_item", 2, "Inner"),
        ("list_item", 3, "1. First"),
        ("caption", 0, "Fees of berths"),
    ]
    assert shown[-1] == ("code", 0, "tie --fast")
    assert _filled("asciidoc", ASCIIDOC) == [
        ([["Berth", "Day", "Night"], ["North", "free", "free"], ["North", "3", "4"]], 1)
    ]


def test_org() -> None:
    assert _shown("org", ORG) == [
        ("heading", 1, "The Harbour"),
        ("heading", 2, "Berths"),
        ("paragraph", 0, "The north pier¹, see the map."),
        ("list_item", 1, "one"),
        ("list_item", 2, "inner"),
        ("caption", 0, "Fees of berths"),
        ("table", 0, "Berth | Fee\n1 | 40"),
        ("code", 0, "tie --fast"),
        ("footnote", 0, "[1] Since 2020."),
    ]


def test_papers_in_jats() -> None:
    assert _shown("jats", JATS) == [
        ("heading", 1, "On gulls"),
        ("paragraph", 0, "Ana Heron"),
        ("paragraph", 0, "2024"),
        ("heading", 2, "Abstract"),
        ("paragraph", 0, "Short."),
        ("heading", 2, "1 Berths"),
        ("paragraph", 0, "CO2 of gulls [1]."),
        ("caption", 0, "Table 1. Fees."),
        ("table", 0, "Berth | Fee\n | Day | Night\n1 | 2 | 3"),
        ("footnote", 0, "In euros."),
        ("caption", 0, "Fig 1. A gull. At noon."),
        ("heading", 2, "References"),
        ("list_item", 1, "1 Ana: Gulls."),
    ]


def test_notebooks() -> None:
    assert _shown("notebook", json.dumps(NOTEBOOK)) == [
        ("heading", 1, "Gulls"),
        ("paragraph", 0, "They eat fish."),
        ("code", 0, "print(4)"),
        ("code", 0, "4"),
        ("table", 0, "a | b\n1 | 2"),
        ("code", 0, "ValueError: no fish"),
    ]


def test_what_is_not_followed_is_told() -> None:
    for module, source in (("latex", LATEX), ("asciidoc", ASCIIDOC), ("rst", f"{RST}\n.. include:: other.rst\n")):
        found = importlib.import_module(f"octavo_documents.parsing.markup.{module}").read(source.encode())
        assert any("other" in warning for warning in found.warnings)


def test_macros_that_call_each_other_end() -> None:
    bombs = "".join(
        "\\newcommand{\\" + name + "}{" + 9 * ("\\" + called) + "}"
        for name, called in zip("abcdef", "bcdefa", strict=True)
    )
    (block,) = _blocks("latex", f"{bombs}\n\\begin{{document}}Fin \\a\\end{{document}}")
    assert block.kind == Kind.PARAGRAPH
    assert len(block.text) < 3_000_000


@pytest.mark.parametrize("module", ["rtf", "latex", "rst", "asciidoc", "org", "jats", "notebook"])
@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff\xfe\x00", b"[" * 5000, b"{\\rtf1" + b"{" * 5000, b"<a>" * 3000, b"\\" * 999]
)
def test_odd_files_are_read_or_refused(module: str, data: bytes) -> None:
    try:
        _blocks(module, data)
    except NoText as refused:
        assert refused.reason in ("empty", "format", "damaged")


@pytest.mark.parametrize("span", ["\u00b2", "\u0663", "9" * 5000, "-1", "2.5", ""])
def test_numbers_that_are_none_are_no_spans_of_cells(span: str) -> None:
    table = f'<table><tr><td colspan="{span}">Day</td><td>Week</td></tr></table>'
    blocks = _blocks("jats", f"<article><body><table-wrap>{table}</table-wrap></body></article>".encode())
    assert "Week" in blocks[-1].text


@pytest.mark.parametrize(
    ("module", "data", "reason"),
    [
        ("rtf", b"plain", "format"),
        ("rtf", b"", "empty"),
        ("jats", b"<html/>", "format"),
        ("jats", b"<article>", "damaged"),
        ("jats", b'<!DOCTYPE a [<!ENTITY b "b">]><article>&b;</article>', "damaged"),
        ("notebook", b"[1]", "format"),
        ("notebook", b"{", "damaged"),
    ],
)
def test_what_is_of_another_kind_is_refused_with_its_reason(module: str, data: bytes, reason: str) -> None:
    with pytest.raises(NoText) as refused:
        _blocks(module, dedent(data.decode()).encode())
    assert refused.value.reason == reason


ROOTS = {
    '<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "x.dtd"><!-- a --><article>': "markup.jats",
    "\ufeff<pmc-articleset><article>": "markup.jats",
    '<office:document office:mimetype="application/vnd.oasis.opendocument.spreadsheet">': "sheets.ods",
    '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">': "html",
    '<article xmlns="http://docbook.org/ns/docbook">': "",
    "<project>": "",
    "<!-- a -->" * 700: "",
    "article": "",
    "": "",
}


@pytest.mark.parametrize("start", ROOTS)
def test_xml_is_told_by_its_root_element(start: str) -> None:
    assert xml.module_of(start.encode()) == ROOTS[start]


def test_xml_of_a_folder_is_a_document_where_it_is_a_paper(tmp_path: Path) -> None:
    paper = "<article><body><sec><title>Tides</title><p>They turn.</p></sec></body></article>"
    for name, text in {"paper.xml": paper, "pom.xml": "<project><p>No words.</p></project>"}.items():
        (tmp_path / name).write_text(text)
    with octavo.open(tmp_path / "corpus") as corpus:
        report = corpus.add(tmp_path)
        assert [info.name for info in report.added] == ["paper.xml"]
        assert "They turn." in list(corpus.document("paper.xml").blocks.text)
        left_out = {Path(one.path).name: one.reason for one in report.left_out}
        assert left_out["pom.xml"] == "format" and not report.failed
