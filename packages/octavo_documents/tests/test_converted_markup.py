"""What programs that convert documents write into markup: signs of their own for struck words, boxes and numbers."""

from __future__ import annotations

import pytest

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowBlock
from octavo_documents.parsing.inline_marks import shown
from octavo_documents.parsing.markup import asciidoc, jats, latex, org, rst


def _texts(blocks: tuple[FlowBlock, ...]) -> list[str]:
    return [shown(block, frozenset()).text for block in blocks]


LATEX = r"""
\usepackage[normalem]{ulem}
\pdfstringdefDisableCommands{\renewcommand{\sout}{}}
\begin{document}
\hypertarget{berths}{%
\section{Berths}\label{berths}}

A berth costs \sout{40} 45 francs.

\begin{itemize}
\item[$\boxtimes$] Paid
\item[$\square$] Not yet paid
\end{itemize}

\begin{longtable}[]{@{}lr@{}}
\toprule
Berth & Length \\
\midrule
\endfirsthead
\multicolumn{2}{l}{Continued} \\
Berth & Length \\
\midrule
\endhead
\multicolumn{2}{r}{More follows} \\
\endfoot
All & 30 m \\
\bottomrule
\endlastfoot
B1 & 12 m \\
B2 & 18 m \\
\end{longtable}
\end{document}
"""


def test_latex_of_a_converter() -> None:
    blocks = latex.read(LATEX.encode()).blocks
    assert _texts(blocks) == [
        "1 Berths",
        "A berth costs ~~40~~ 45 francs.",
        "☒ Paid",
        "☐ Not yet paid",
        "Berth | Length\nB1 | 12 m\nB2 | 18 m\nAll | 30 m",
    ]
    assert blocks[-1].grid and blocks[-1].grid.header_rows == 1


def test_two_dots_alone_part_a_list_from_the_lines_further_in() -> None:
    text = "- Rope\n- Fenders\n\n..\n\n   Boats too long are towed.\n\nA berth costs [STRIKEOUT:40] 45 francs.\n"
    assert _texts(rst.read(text.encode()).blocks) == [
        "Rope",
        "Fenders",
        "Boats too long are towed.",
        "A berth costs ~~40~~ 45 francs.",
    ]
    comment = "..\n   Nobody sees this.\n\nBoats lie here.\n"
    assert _texts(rst.read(comment.encode()).blocks) == ["Boats lie here."]


@pytest.mark.parametrize(("read", "mark"), [(org.read, "-"), (asciidoc.read, "*")])
def test_boxes_before_items_stay(read, mark: str) -> None:  # type: ignore[no-untyped-def]
    source = f"{mark} [X] Paid\n{mark} [ ] Not yet paid\n"
    assert [block.text for block in read(source.encode()).blocks] == ["[X] Paid", "[ ] Not yet paid"]


def test_asciidoc_of_a_converter() -> None:
    text = """\
A berth costs [line-through]*40* 45 francs.

. Cast off.
[loweralpha]
.. Coil it.
.. Stow it.

The sum is latexmath:[$a^2 + b^2 = c^2$] and stem:[x^2 + y^2] is less.
"""
    assert _texts(asciidoc.read(text.encode()).blocks) == [
        "A berth costs ~~40~~ 45 francs.",
        "1. Cast off.",
        "a. Coil it.",
        "b. Stow it.",
        "The sum is a^2 + b^2 = c^2 and x^2 + y^2 is less.",
    ]


def test_lettered_lists_of_jats() -> None:
    items = "<list-item><p>Coil it.</p></list-item><list-item><p>Stow it.</p></list-item>"
    text = f'<article><body><list list-type="alpha-lower">{items}</list></body></article>'
    blocks = jats.read(text.encode()).blocks
    assert [(block.kind, block.text) for block in blocks] == [
        (Kind.LIST_ITEM, "a. Coil it."),
        (Kind.LIST_ITEM, "b. Stow it."),
    ]
