"""The example handbook says the same in every format: outline, tables and answers."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import pytest

import octavo
from handbook_files import FORMATS, golden, parts
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo_documents.document import Document, Kind, LinkKind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.formats import FLOWING
from octavo_documents.structuring.flow import flowing

LEAST = 0.98
ANSWERS = {
    "How many days does a nitrogen cylinder of the bubbler last at the normal rate?": "94 days",
    "At which battery charge do the diesels start by themselves?": "35 per cent",
    "Who may set the flag Q9?": "Senior observer",
    "On which VHF channel are distress calls made?": "16",
    "Since which year has the herring barrel been delivered empty?": "1974",
}
"""What is answered from the PDF: from text, a list, tables whose captions count, and a footnote."""
LEAST_CHANCE, NEAR = ExtractiveReader().least, 0.02


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return {ending: make() for ending, make in FORMATS.items()}


def document(ending: str, data: bytes) -> Document:
    content = import_module(f"octavo_documents.parsing.{FLOWING[ending]}").read(data)
    found = flowing(content, name=f"handbook{ending}", digest=hashlib.sha256(data).hexdigest())
    found.check()
    return found


def ends(one: Document, kind: LinkKind) -> list[tuple[int, int]]:
    """Return the rows that links of a kind lead from and to."""
    links = one.links
    return [(int(a), int(b)) for a, b, what in zip(links.source, links.target, links.kind, strict=True) if what == kind]


def references(one: Document) -> list[tuple[str, int]]:
    """Return the words that refer to something, and the row of what that is."""
    links = one.links
    found = zip(links.text, links.target, links.kind, strict=True)
    return [(words, int(b)) for words, b, kind in found if kind == LinkKind.REFERS_TO]


def places(tables: Iterable[Iterable[Iterable[str]]]) -> Counter[object]:
    """Return the texts of cells with the table, row and column they stand in."""
    return Counter(
        (at, row, column, text)
        for at, rows in enumerate(tables)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
        if text
    )


def agreement(found: Counter[object], true: Counter[object]) -> float:
    """Return F1 of what was found."""
    return 2 * (found & true).total() / (found.total() + true.total())


@pytest.mark.parametrize("ending", FORMATS)
def test_the_outline_and_the_cells_of_tables_are_those_of_the_source(files: dict[str, bytes], ending: str) -> None:
    one = document(ending, files[ending])
    blocks, is_slides = one.blocks, ending == ".pptx"  # titles of slides are on one level
    rows = [row for row in range(len(blocks)) if blocks.kind_of(row) == Kind.HEADING]
    found = Counter((blocks.text[row], 0 if is_slides else int(blocks.level[row])) for row in rows)
    true = Counter((part.text, 0 if is_slides else part.level) for part in parts() if part.kind == "heading")
    assert agreement(found, true) >= LEAST, (found - true, true - found)
    assert is_slides or ending == ".epub" or golden()["title"] in list(blocks.text.take([0]))

    grids = [Grid.from_json(grid).rows() for grid in blocks.grid if grid]
    cells = Counter(
        (at, row, text) for at, grid in enumerate(grids) for row, texts in enumerate(grid) for text in texts
    )
    wanted = Counter(
        (at, row, text)
        for at, part in enumerate(part for part in parts() if part.rows)
        for row, texts in enumerate(part.rows)
        for text in texts
    )
    assert agreement(cells, wanted) >= LEAST, (cells - wanted, wanted - cells)


@pytest.mark.parametrize("ending", FORMATS)
def test_captions_and_references_lead_where_they_do_in_the_source(files: dict[str, bytes], ending: str) -> None:
    one = document(ending, files[ending])
    text = one.blocks.text
    told = {(text[a], one.blocks.kind[b]) for a, b in ends(one, LinkKind.CAPTION_OF)}
    named = [caption["text"] for caption in golden()["captions"] if caption["text"].startswith("Table")]
    assert told >= {(" ".join(caption.split()), Kind.TABLE) for caption in named}

    led = {(words, text[b]) for words, b in references(one)}
    for reference in golden()["references"]:
        what, _, number = reference["text"].partition(" ")
        if what in ("Section", "Chapter"):
            assert any(words == reference["text"] and to.startswith(f"{number} ") for words, to in led), reference
        elif what == "Table":
            assert any(words == reference["text"] for words, _ in led), reference


@pytest.mark.slow
def test_questions_have_the_same_answers(files: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "handbooks"
    folder.mkdir()
    for ending, data in files.items():
        (folder / f"handbook{ending}").write_bytes(data)
    with octavo.open(tmp_path / "corpus") as corpus:
        report = corpus.add(folder)
        assert not report.failed
        for ending in FORMATS:
            for question, answer in ANSWERS.items():
                found = corpus.ask(question, documents=[f"handbook{ending}"])
                if abs(found.confidence - LEAST_CHANCE) < NEAR:  # processors differ in the last digits of vectors
                    assert answer in found.passages[0].text, (ending, question, found.text)
                else:
                    assert found.text == answer, (ending, question, found.text)
