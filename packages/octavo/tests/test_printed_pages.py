"""Office files with the pages that LibreOffice prints: where their blocks stand, what is kept, what can fail."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import octavo
import pdfs
from handbook_files import FORMATS
from octavo.corpus.index.pictures import Pictures, RenderedPdfs
from octavo.errors import SourceError
from octavo_documents.document import Document, Kind
from octavo_documents.parsing import printing
from octavo_documents.parsing.flow import FlowBlock, FlowContent, table
from octavo_documents.parsing.formats import FLOWING
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring.flow import flowing
from octavo_documents.structuring.printed_pages import PRINTED_BY, on_printed_pages
from octavo_documents.text.quotes import letters

HANDBOOK = Path(__file__).parents[3] / "examples" / "handbook.pdf"
QUESTION = "How many days does a nitrogen cylinder of the bubbler last at the normal rate?"


def flow(*blocks: FlowBlock) -> Document:
    return flowing(FlowContent(tuple(blocks)), name="talk.pptx", digest="0" * 64)


def read(ending: str) -> Document:
    content = import_module(f"octavo_documents.parsing.{FLOWING[ending]}").read(FORMATS[ending]())
    return flowing(content, name=f"handbook{ending}", digest="0" * 64)


def words(text: str) -> list[str]:
    return [word for part in text.split() if (word := letters(part))]


@pytest.mark.parametrize("ending", [".docx", ".odt"])
def test_next_to_all_blocks_of_a_handbook_find_their_page_and_stand_on_it(ending: str) -> None:
    content = extract(HANDBOOK, ocr="never")
    document = on_printed_pages(read(ending), content.pages)
    assert document is not None
    document.check()
    printed = {page.number: "".join(word for line in page.lines for word in words(line.text)) for page in content.pages}
    rows = [row for row, text in enumerate(document.blocks.text) if words(text)]
    boxed = [row for row in rows if document.blocks.box[row, 2] > 0]
    right = [
        row for row in boxed if "".join(words(document.blocks.text[row])[:3]) in printed[int(document.blocks.page[row])]
    ]
    assert len(boxed) > 0.95 * len(rows)
    assert len(right) > 0.98 * len(boxed)
    assert document.pages.label[4] == f"page 5 {PRINTED_BY}"
    assert document.has_pages
    assert document.unit == "page"


def test_blocks_stay_what_the_file_says_of_itself() -> None:
    before = read(".docx")
    after = on_printed_pages(before, extract(HANDBOOK, ocr="never").pages)
    assert after is not None
    assert list(after.blocks.text) == list(before.blocks.text)
    assert np.array_equal(after.blocks.kind, before.blocks.kind)
    assert np.array_equal(after.blocks.parent, before.blocks.parent)


def test_what_is_not_printed_has_no_box_and_the_page_of_what_stands_before_it(tmp_path: Path) -> None:
    pages = extract(pdfs.write(tmp_path / "a.pdf", pdfs.say("The quay was built"), pdfs.say("It fell in the storm")))
    document = on_printed_pages(
        flow(
            FlowBlock(Kind.PARAGRAPH, "The quay was built"),
            FlowBlock(Kind.PARAGRAPH, "A comment that nobody prints"),
            FlowBlock(Kind.PARAGRAPH, "It fell in the storm"),
        ),
        pages.pages,
    )
    assert document is not None
    assert document.blocks.page.tolist() == [1, 1, 2]
    assert document.blocks.box[1].tolist() == [0, 0, 0, 0]
    assert document.blocks.box[2][1] < 90


def test_slides_are_the_printed_pages_and_keep_their_names(tmp_path: Path) -> None:
    slides = [
        FlowBlock(Kind.PARAGRAPH, "Why we are here", part="slide 1"),
        FlowBlock(Kind.PARAGRAPH, "a note of the speaker"),
        FlowBlock(Kind.PARAGRAPH, "Why we are here", part="slide 2"),
    ]
    say = pdfs.say("Why we are here")
    printed = extract(pdfs.write(tmp_path / "talk.pdf", say, say)).pages
    document = on_printed_pages(flow(*slides), printed)
    assert document is not None
    assert list(document.pages.label) == ["slide 1", "slide 2"]
    assert document.blocks.page.tolist() == [1, 1, 2]
    assert (document.blocks.box[:, 2] > 0).tolist() == [True, False, True]
    assert on_printed_pages(flow(*slides), printed[:1]) is None


def test_sheets_keep_their_names_and_one_that_is_not_printed_keeps_all_from_having_pages(tmp_path: Path) -> None:
    costs, plan = table([["Rope", "12"], ["Tar", "7"]], 0), table([["Boat", "1"], ["Crew", "4"]], 0)
    assert costs and plan
    blocks = [
        FlowBlock(Kind.HEADING, "Costs", 1, part="sheet Costs"),
        costs,
        FlowBlock(Kind.HEADING, "Plan", 1, part="sheet Plan"),
        plan,
    ]
    printed = extract(pdfs.write(tmp_path / "a.pdf", pdfs.say("Rope 12", "Tar 7"), pdfs.say("Boat 1", "Crew 4"))).pages
    document = on_printed_pages(flow(*blocks), printed)
    assert document is not None
    assert list(document.pages.label) == ["sheet Costs", "sheet Plan"]
    assert document.blocks.page.tolist() == [1, 1, 2, 2]
    assert on_printed_pages(flow(*blocks), printed[:1]) is None


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand in for LibreOffice: it prints every file as the handbook's own PDF; return what was printed."""
    asked: list[str] = []

    @contextlib.contextmanager
    def printed(path: str | Path) -> Iterator[Path]:
        asked.append(Path(path).name)
        yield HANDBOOK

    monkeypatch.setattr(printing, "office", lambda: "/usr/bin/soffice")
    monkeypatch.setattr(printing, "printed", printed)
    return asked


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    path = tmp_path / "handbook.docx"
    path.write_bytes(FORMATS[".docx"]())
    return path


def test_a_citation_of_a_printed_file_names_its_page_and_is_marked_there(
    tmp_path: Path, handbook: Path, office: list[str]
) -> None:
    with octavo.open(tmp_path / "corpus") as corpus:
        report = corpus.add(handbook, render=True)
        assert report.notes == ()
        passage = corpus.ask(QUESTION).passages[0]
        assert passage.page_label == f"page {passage.page} {PRINTED_BY}"
        (info,) = corpus.list()
        (mark,) = corpus.marks(info.id, passage.block, ["A cylinder of 50 litres lasts 94 days"])
        x0, y0, x1, y1 = mark.boxes[0]
        assert passage.box[0] - 2 < x0 < x1 < passage.box[2] + 2
        assert passage.box[1] - 2 < y0 < y1 < passage.box[3] + 2
        assert corpus.picture(info.id, passage.page).shape[1] in (899, 900)
        assert corpus.highlighted(info.id, [passage.id]).startswith(b"%PDF")

        assert corpus.add(handbook).added == ()  # it keeps its pages
        assert corpus.add(handbook, render=True).added == ()
        assert office == ["handbook.docx"]

        corpus.remove(handbook.name)
        assert not list((tmp_path / "corpus" / "printed").iterdir())


def test_what_a_model_is_shown_of_a_printed_file_is_drawn_from_its_print(
    tmp_path: Path, handbook: Path, office: list[str]
) -> None:
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add(handbook, render=True)
        (info,) = corpus.list()
    prints = RenderedPdfs(tmp_path / "corpus" / "printed")
    with Pictures(info.id, str(handbook), print_of_it=prints.find(info.id)) as pictures:
        renderer = pictures.renderer()
        assert renderer is not None
        assert renderer(3, None, 36.0).shape[2] == 3


def test_a_file_that_was_read_without_pages_gets_them_when_they_are_wished_for(
    tmp_path: Path, handbook: Path, office: list[str]
) -> None:
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add(handbook)
        assert not corpus.view().documents[0].has_pages
        assert len(corpus.add(handbook, render=True).added) == 1
        assert corpus.view().documents[0].has_pages
    assert office == ["handbook.docx"]


def test_a_print_that_is_gone_is_told_in_one_line(tmp_path: Path, handbook: Path, office: list[str]) -> None:
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add(handbook, render=True)
        (info,) = corpus.list()
        shutil.rmtree(tmp_path / "corpus" / "printed")
        with pytest.raises(SourceError, match=r"print of .*handbook\.docx is gone: add it with --render again"):
            corpus.picture(info.id, 1)


def test_without_libreoffice_files_are_read_without_pages_and_that_is_said_once(
    tmp_path: Path, handbook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "office", lambda: "")
    (tmp_path / "second.odt").write_bytes(FORMATS[".odt"]())
    with octavo.open(tmp_path / "corpus") as corpus:
        report = corpus.add([handbook, tmp_path / "second.odt"], render=True)
        assert len(report.added) == 2
        assert report.notes == ("LibreOffice is not installed: office files are read without pages",)


def test_a_file_that_cannot_be_printed_is_read_without_pages_and_tried_again_later(
    tmp_path: Path, handbook: Path, office: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    works = printing.printed

    @contextlib.contextmanager
    def fails(path: str | Path) -> Iterator[Path]:
        raise SourceError("timeout", "LibreOffice took more than 180 s to print it")
        yield Path(path)

    with octavo.open(tmp_path / "corpus") as corpus:
        monkeypatch.setattr(printing, "printed", fails)
        report = corpus.add(handbook, render=True)
        assert [info.name for info in report.added] == ["handbook.docx"]
        (note,) = report.notes
        assert note.endswith("handbook.docx is read without pages: LibreOffice took more than 180 s to print it")
        assert len(corpus.add(handbook, render=True).unchanged) == 1
        monkeypatch.setattr(printing, "printed", works)
        assert len(corpus.add(handbook, render=True).added) == 1
        assert corpus.view().documents[0].has_pages


def test_pages_that_do_not_fit_are_not_taken(tmp_path: Path, office: list[str]) -> None:
    (tmp_path / "deck.pptx").write_bytes(FORMATS[".pptx"]())
    with octavo.open(tmp_path / "corpus") as corpus:
        report = corpus.add(tmp_path / "deck.pptx", render=True)
        assert "cannot be matched with it" in report.notes[0]
        assert corpus.view().documents[0].unit == "slide"
        assert not corpus.view().documents[0].has_pages


CONFINED = """
import sys
from pathlib import Path
from octavo_documents.parsing.jail import confine_to

folder, outside, seen = sys.argv[1:4]
confine_to(folder, reads=[seen], sockets="/tmp", memory=1 << 32, seconds=20, file_bytes=1 << 20)
tried = {}
for name, what in {
    "write inside": lambda: Path(folder, "a").write_text("a"),
    "write outside": lambda: Path(outside, "b").write_text("b"),
    "read inside": lambda: Path(folder, "a").read_text(),
    "read what is named": lambda: Path(seen, "c").read_text(),
    "read outside": lambda: Path(outside, "secret").read_text(),
}.items():
    try:
        what()
    except OSError:
        continue
    tried[name] = True
print(sorted(tried))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own confinement is Linux's")
def test_a_confined_process_writes_in_its_folder_and_reads_what_it_is_given(tmp_path: Path) -> None:
    probe = [sys.executable, "-c", "from octavo_documents.parsing.jail import forbid_writes; print(forbid_writes())"]
    if subprocess.run(probe, capture_output=True, text=True, check=True).stdout.strip() != "True":
        pytest.skip("this kernel cannot confine processes to folders (Landlock)")
    for name in ("inside", "outside", "seen"):
        (tmp_path / name).mkdir()
    (tmp_path / "outside" / "secret").write_text("s")
    (tmp_path / "seen" / "c").write_text("c")
    command = [sys.executable, "-c", CONFINED, *(str(tmp_path / name) for name in ("inside", "outside", "seen"))]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "['read inside', 'read what is named', 'write inside']"


@pytest.mark.skipif(not printing.office(), reason="LibreOffice is not installed")
def test_libreoffice_prints_a_file_and_leaves_nothing_behind(handbook: Path) -> None:
    with printing.printed(handbook) as path:
        content = extract(path, ocr="never")
        folder = path.parent
    assert len(content.pages) > 10
    assert any("Station Operations Handbook" in line.text for line in content.pages[0].lines)
    assert not folder.exists()
    assert not printing.socket_of(folder).exists()


@pytest.mark.skipif(not printing.office(), reason="LibreOffice is not installed")
def test_what_libreoffice_cannot_print_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04 no sheet at all")
    with pytest.raises(SourceError, match="could not print it"), printing.printed(tmp_path / "broken.xlsx"):
        pass
