"""Items have the numbers that are printed before them, in formats that only say that a list is numbered."""

from __future__ import annotations

from types import ModuleType

import pytest

from octavo_documents.document import Kind
from octavo_documents.parsing import wikitext
from octavo_documents.parsing.markup import asciidoc, latex, rst

_LATEX = r"\begin{{enumerate}}{}\item Open\item Press{}\end{{enumerate}}"


@pytest.mark.parametrize(
    ("reader", "text", "shown"),
    [
        (asciidoc, ". Open\n. Press\n.. Hold\n.. Let go\n. Wait\n.. Again", ["1.", "2.", "a.", "b.", "3.", "a."]),
        (asciidoc, "[start=4]\n. Open\n. Press\n\nBetween.\n\n. Anew", ["4.", "5.", "1."]),
        (asciidoc, "[upperroman,start=3]\n. Open\n. Press", ["III.", "IV."]),
        (wikitext, "# Open\n# Press\n## Hold\n#: more\n# Wait\n\n# Anew", ["1.", "2.", "1.", "3.", "1."]),
        (wikitext, "* Tools\n*# Open\n*# Press\n* Others\n*# Wait", ["", "1.", "2.", "", "1."]),
        (rst, "#. Open\n#. Press\n\n   #. Hold\n\n#. Wait\n\nBetween.\n\n#. Anew", ["1.", "2.", "1.", "3.", "1."]),
        (rst, "4. Open\n#. Press\n\nii) Hold\n\n#. Anew", ["4.", "5.", "ii)", "1."]),
        (latex, _LATEX.format("", ""), ["1.", "2."]),
        (latex, _LATEX.format("[label=\\roman*), start=7]", ""), ["vii)", "viii)"]),
        (latex, _LATEX.format("[(A)]", ""), ["(A)", "(B)"]),
        (latex, _LATEX.format("\\setcounter{enumi}{3}", _LATEX.format("", "")), ["4.", "5.", "(a)", "(b)"]),
        (latex, _LATEX.format("[label=\\textbf{Step \\arabic*}]", ""), ["1.", "2."]),
    ],
)
def test_items_have_their_numbers(reader: ModuleType, text: str, shown: list[str]) -> None:
    items = [block.text for block in reader.read(text.encode()).blocks if block.kind == Kind.LIST_ITEM]
    words = ("Open", "Press", "Hold", "Let go", "Wait", "Again", "Anew", "Tools", "Others")
    assert [item[: min(at for word in words if (at := item.find(word)) >= 0)].strip() for item in items] == shown
