"""`octavo show`: pictures of pages, with and without what was found on them."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import pdfs
import synthetic
from cli_corpus import octavo
from octavo.cli.drawing import drawn, png
from octavo_documents.document import Document, Kind, LinkTable
from octavo_documents.parsing.content import Graphic
from printed import line, page, structured


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown")
    pdfs.write(folder / "tide.pdf", pdfs.say("Tide tables", "High water at six."), pdfs.say("Second page"))
    return folder


def show(folder: Path, *arguments: str) -> tuple[int, str]:
    done = octavo("show", str(folder / "tide.pdf"), "--corpus", str(folder / "corpus"), *arguments)
    return done.status, done.out if done.status == 0 else done.err


def pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path))


def test_a_page_becomes_a_picture_of_its_size_and_the_layout_is_drawn_over_it(corpus: Path) -> None:
    plain, layout = corpus / "plain.png", corpus / "layout.png"
    assert show(corpus, "--dpi", "72", "--out", str(plain)) == (0, f"{plain}\n")
    assert show(corpus, "--dpi", "72", "--layout", "--out", str(layout))[0] == 0
    assert pixels(plain).shape == pixels(layout).shape == (792, 612, 3)
    is_grey = (pixels(plain).max(axis=2).astype(int) - pixels(plain).min(axis=2)) < 20
    assert is_grey.all()
    assert not (pixels(layout)[..., 0] == pixels(layout)[..., 2]).all()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--page", "3"), "octavo: --page 3: tide.pdf has pages 1 to 2\n"),
        (("--page", "two"), "octavo: --page is a whole number, not 'two'\n"),
        (("--dpi", "5"), "octavo: --dpi is 20 to 1200, not 5\n"),
        (("--dpi", "fine"), "octavo: --dpi is a number, not 'fine'\n"),
    ],
)
def test_what_cannot_be_drawn_is_said(corpus: Path, arguments: tuple[str, ...], told: str) -> None:
    assert show(corpus, *arguments) == (2, told)


def test_a_place_that_cannot_be_written_is_said(corpus: Path) -> None:
    status, told = show(corpus, "--out", str(corpus / "none" / "x.png"))
    assert status == 1
    assert "name another file with --out" in told


def test_a_file_that_changed_since_it_was_indexed_is_not_drawn(tmp_path: Path) -> None:
    from octavo import open as open_corpus
    from octavo.errors import SourceError

    path = pdfs.write(tmp_path / "tide.pdf", pdfs.say("One"))
    with open_corpus(tmp_path / "corpus") as corpus:
        (info,) = corpus.add(path).added
        pdfs.write(path, pdfs.say("Two"))
        with pytest.raises(SourceError, match="has changed since it was indexed"):
            corpus.render(info.id, 1)


def test_the_drawing_shows_each_block_in_the_colour_of_its_kind() -> None:
    document = synthetic.document([(Kind.HEADING, "One", 1, 1), (Kind.PARAGRAPH, "Two", 1, 0)])
    blank = np.full((842, 595, 3), 255, np.uint8)
    picture = drawn(blank, document, 1)
    assert picture.shape == blank.shape
    heading, paragraph = (picture[int(document.blocks.box[row, 3]), 300].astype(int) for row in (0, 1))
    assert heading[0] > heading[2] + 60
    assert paragraph[2] > paragraph[0] + 60


def test_links_on_the_page_are_arrows_and_links_to_other_pages_notes() -> None:
    near = page([line("Figure 1: The pier", 150, 410)], graphics=[Graphic("image", (150, 200, 450, 400))])
    far = page([line("The pier stands (see Figure 1), as it has stood since the storm.", 72, 80)], 2)
    document = structured(near, far)
    blank = np.full((792, 612, 3), 255, np.uint8)
    assert len(document.links) == 2
    for number in (1, 2):
        with_links = drawn(blank, document, number)
        without = drawn(blank, unlinked(document), number)
        assert (with_links != without).any()


def unlinked(document: Document) -> Document:
    return dataclasses.replace(document, links=LinkTable.empty())


def test_a_picture_comes_back_from_its_png_bytes() -> None:
    raster = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    assert (np.asarray(Image.open(io.BytesIO(png(raster)))) == raster).all()
