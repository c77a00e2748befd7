"""Words on pages, pictures of them and marks are where the ink is; files that went or changed are told apart."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pikepdf
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

import pdfs
from octavo.corpus import Corpus
from octavo.corpus.index.builders import Builders
from octavo.corpus.places.marking import MarkedWords
from octavo.errors import CorpusError, SourceError, UnknownDocumentError, UsageError
from octavo.evidence import Citation
from octavo.models.ports import Raster, RecognizedLine
from octavo_documents.document.page_words import PageWords
from octavo_documents.parsing.word_boxes import words_in_line
from octavo_documents.structuring.parser_pool import ParserPool
from storing import WordEmbedder

SLACK = 2
"""Pixels that ink may reach over a mark."""


class Reader:
    """A recogniser that sees one line where the ink of a picture is."""

    name = "reader"

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        rows, columns = np.nonzero(raster.min(axis=2) < 128)
        box = (columns.min() - 1.0, rows.min() - 2.0, columns.max() + 2.0, rows.max() + 3.0)
        return (RecognizedLine("A ferry sails at noon", box, 0.9),)


class Blind(Reader):
    """A recogniser that nobody may ask."""

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        raise AssertionError("it was asked")


def builders() -> Builders:
    made = Builders.default(WordEmbedder)
    return Builders(made.version, made.parser, Reader, made.layers, made.optional, made.embedder)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder = tmp_path_factory.mktemp("places")
    upright = pdfs.write(
        folder / "upright.pdf",
        pdfs.say("The gypsum jetty was built in 1931.", "It stands on forty oak piles and the of-", "fice is on it."),
        pdfs.say("A second page about Qu\u00e9bec.", font="Times-Italic", size=14),
    )
    for turn in (90, 180, 270):
        with pikepdf.open(upright) as pdf:
            for page in pdf.pages:
                page.Rotate = turn
            pdf.save(folder / f"turned{turn}.pdf")
    (folder / "flow.md").write_text("# Boats\n\nA boat floats.\n")
    scanned(folder)
    with Corpus(folder / "corpus", builders=builders) as opened:
        report = opened.add(folder)
        assert not report.failed
        yield opened


def scanned(folder: Path) -> None:
    """Write a page that is a picture of a line."""
    drawn = pdfs.write(folder / "drawn.tmp", pdfs.say("A ferry sails at noon", size=24))
    with ParserPool(1) as pool:
        Image.fromarray(pool.render(drawn, 1, dpi=150)).save(folder / "scan.png")

    def picture(canvas: Canvas) -> None:
        canvas.drawImage(str(folder / "scan.png"), 0, 0, 612, 792)  # pyright: ignore[reportUnknownMemberType]

    pdfs.write(folder / "scan.pdf", picture)
    drawn.unlink()


def ink(corpus: Corpus, name: str, page: int = 1, width: int = 900) -> npt.NDArray[np.bool_]:
    return corpus.picture(name, page, width).min(axis=2) < 128


def covered(dark: npt.NDArray[np.bool_], boxes: npt.NDArray[np.float32], points: float) -> npt.NDArray[np.bool_]:
    """Return the dark pixels under boxes, which are in points of a page so many wide."""
    mask = np.zeros_like(dark)
    for x0, y0, x1, y1 in (boxes * dark.shape[1] / points).tolist():
        mask[max(int(y0) - SLACK, 0) : int(y1) + SLACK + 1, max(int(x0) - SLACK, 0) : int(x1) + SLACK + 1] = True
    return dark & mask


class TestWords:
    @pytest.mark.parametrize(
        ("name", "turn"), [("upright", 0), ("turned90", 90), ("turned180", 180), ("turned270", 270)]
    )
    def test_words_lie_on_their_ink_however_the_page_is_turned(self, corpus: Corpus, name: str, turn: int) -> None:
        words = corpus.words(f"{name}.pdf", 1)
        assert " ".join(words.texts).count("The gypsum jetty was built") == 1
        assert (words.rotation, words.source) == (turn, "text")
        dark = ink(corpus, f"{name}.pdf")
        points = 612.0 if turn in (0, 180) else 792.0
        assert covered(dark, words.boxes, points).sum() == dark.sum()
        assert len({*words.lines.tolist()}) == 3

    def test_a_word_ends_where_its_ink_does_and_is_as_high_as_its_line(self, corpus: Corpus) -> None:
        words = corpus.words("upright.pdf", 2)
        dark = ink(corpus, "upright.pdf", 2, width=1224)
        for x0, y0, x1, y1 in (words.boxes * 2).tolist():
            columns = np.flatnonzero(dark[int(y0) : int(y1) + 1, int(x0) - 4 : int(x1) + 5].any(axis=0)) + int(x0) - 4
            assert abs(columns[0] - x0) <= SLACK + 1
            assert abs(columns[-1] - x1) <= SLACK + 1
            assert 14 <= (y1 - y0) / 2 <= 18

    def test_a_scanned_page_is_read_again_and_cut_into_words_where_there_is_no_ink(self, corpus: Corpus) -> None:
        words = corpus.words("scan.pdf", 1)
        assert (words.texts, words.source) == (("A", "ferry", "sails", "at", "noon"), "ocr")
        dark = ink(corpus, "scan.pdf", width=1224)
        for box in words.boxes:
            held = covered(dark, box[None] + np.array([1.5, 0, -1.5, 0]), 612.0).any(axis=0)
            assert held.any()
        gaps = words.boxes[1:, 0] - words.boxes[:-1, 2]
        assert (gaps > 3).all()
        assert covered(dark, words.boxes, 612.0).sum() == dark.sum()

    def test_what_ocr_read_is_kept_until_the_document_is_removed(self, tmp_path: Path) -> None:
        scanned(tmp_path)
        with Corpus(tmp_path / "corpus", builders=builders) as opened:
            opened.add(tmp_path / "scan.pdf")
            words = opened.words("scan.pdf", 1)
        made = builders()
        blind = Builders(made.version, made.parser, Blind, made.layers, made.optional, made.embedder)
        with Corpus(tmp_path / "corpus", builders=lambda: blind) as again:
            kept = again.words("scan.pdf", 1)
            assert (kept.texts, kept.boxes.tolist()) == (words.texts, words.boxes.tolist())
            again.remove("scan.pdf")
        assert not [*(tmp_path / "corpus" / "words").iterdir()]

    def test_flowing_text_has_none_and_a_page_that_is_not_there_is_a_usage_error(self, corpus: Corpus) -> None:
        assert len(corpus.words("flow.md", 1)) == 0
        for page in (0, -1, 3, 10**9):
            with pytest.raises(UsageError, match="pages are 1 to 2"):
                corpus.words("upright.pdf", page)

    def test_packed_words_are_checked(self, corpus: Corpus) -> None:
        words = corpus.words("upright.pdf", 1)
        again = PageWords.from_bytes(words.to_bytes())
        assert again.texts == words.texts
        assert np.array_equal(again.boxes, words.boxes)
        wrong = PageWords(words.texts, words.boxes[:-1], words.lines, 0, "text")
        with pytest.raises(ValueError, match="do not fit"):
            PageWords.from_bytes(wrong.to_bytes())
        with pytest.raises(CorpusError):
            PageWords.from_bytes(b"nonsense")

    def test_a_line_without_gaps_is_cut_in_proportion(self) -> None:
        black = np.zeros((20, 100, 3), np.uint8)
        cut = [*words_in_line(black, RecognizedLine("ab cd", (0.0, 0.0, 100.0, 20.0), 1.0))]
        assert [word for word, _ in cut] == ["ab", "cd"]
        assert cut[0][1][2] < 50 < cut[1][1][0]
        assert not [*words_in_line(black, RecognizedLine(" ", (0.0, 0.0, 100.0, 20.0), 1.0))]


class TestPictures:
    def test_a_picture_has_the_width_that_was_asked_for(self, corpus: Corpus) -> None:
        for width in (16, 333, 900):
            assert corpus.picture("upright.pdf", 1, width).shape[1] == width
        assert corpus.picture("turned90.pdf", 1, 792).shape == (612, 792, 3)
        assert corpus.picture("upright.pdf", 1, 100, (72.0, 60.0, 172.0, 80.0)).shape[:2] == (20, 100)

    @pytest.mark.parametrize("width", [0, -5, 15, 8001])
    def test_a_width_out_of_range_is_a_usage_error(self, corpus: Corpus, width: int) -> None:
        with pytest.raises(UsageError, match="wide"):
            corpus.picture("upright.pdf", 1, width)

    def test_what_cannot_be_drawn_is_a_usage_error(self, corpus: Corpus) -> None:
        with pytest.raises(UsageError, match="outside"):
            corpus.picture("upright.pdf", 1, 900, (700.0, 0.0, 800.0, 10.0))
        with pytest.raises(UsageError, match="flowing text"):
            corpus.picture("flow.md", 1)

    def test_threads_share_the_processes(self, corpus: Corpus) -> None:
        shapes: list[tuple[int, ...]] = []
        threads = [
            threading.Thread(target=lambda: shapes.append(corpus.picture("upright.pdf", 1, 300).shape))
            for _ in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(shapes) == 6
        assert len({*shapes}) == 1

    def test_a_file_that_went_or_changed_is_told_apart_each_time(self, tmp_path: Path) -> None:
        path = pdfs.write(tmp_path / "a.pdf", pdfs.say("One."))
        with Corpus(tmp_path / "corpus", builders=builders) as opened:
            opened.add(path)
            before = path.stat()
            assert opened.words("a.pdf", 1).texts == ("One.",)
            data = path.read_bytes()
            path.write_bytes(data.replace(b"612", b"613"))
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 5_000_000_000))
            for call in (opened.words, opened.picture):
                with pytest.raises(SourceError) as changed:
                    call("a.pdf", 1)
                assert changed.value.reason == "damaged"
            path.write_bytes(data)
            assert opened.picture("a.pdf", 1, 100).shape[1] == 100
            path.unlink()
            with pytest.raises(SourceError) as gone:
                opened.picture("a.pdf", 1)
            assert gone.value.reason == "missing"

    def test_an_encrypted_file_is_said_to_be_so(self, tmp_path: Path) -> None:
        plain = pdfs.write(tmp_path / "plain.tmp", pdfs.say("One."))
        path = pdfs.encrypted(plain, tmp_path / "locked.pdf", "secret")
        with Corpus(tmp_path / "corpus", builders=builders) as opened:
            opened.add(path, password="secret")
            with pytest.raises(SourceError) as refused:
                opened.words("locked.pdf", 1)
            assert refused.value.reason == "encrypted"
            assert opened.render("locked.pdf", 1, dpi=20, password="secret").shape[2] == 3

    def test_an_encrypted_file_is_drawn_where_the_corpus_is_opened_with_its_password(self, tmp_path: Path) -> None:
        plain = pdfs.write(tmp_path / "plain.tmp", pdfs.say("One."))
        pdfs.encrypted(plain, tmp_path / "locked.pdf", "secret")
        pdfs.write(tmp_path / "open.pdf", pdfs.say("Two."))
        with Corpus(tmp_path / "corpus", password="secret", builders=builders) as opened:
            opened.add([tmp_path / "locked.pdf", tmp_path / "open.pdf"], password="secret")
            for name, said in (("locked.pdf", "One."), ("open.pdf", "Two.")):
                assert opened.words(name, 1).texts == (said,)
                assert opened.picture(name, 1, 100).shape[1] == 100
        kept = [path for path in (tmp_path / "corpus").rglob("*") if path.is_file()]
        assert kept
        assert not any(b"secret" in path.read_bytes() for path in kept)


class TestMarks:
    def test_a_quote_over_lines_has_a_box_a_line_that_covers_its_ink_and_no_more(self, corpus: Corpus) -> None:
        document = corpus.document("upright.pdf")
        row = next(row for row, text in enumerate(document.blocks.text) if "office" in text)
        (mark, other) = corpus.marks("upright.pdf", f"b{row}", ["on forty oak piles and the office is", "zinc"])
        assert (mark.page, other.boxes) == (1, ())
        words = corpus.words("upright.pdf", 1)
        held = {"on", "forty", "oak", "piles", "and", "the", "of-", "fice", "is"}
        rows = [at for at, text in enumerate(words.texts) if text in held][:9]
        dark = ink(corpus, "upright.pdf")
        boxes = np.array(mark.boxes, np.float32)
        assert len(boxes) == 2
        assert (covered(dark, words.boxes[rows], 612.0) & ~covered(dark, boxes, 612.0)).sum() == 0
        assert boxes[1][2] < words.boxes[words.texts.index("it.")][0]

    def test_a_citation_is_marked_where_it_stands_and_its_block_where_the_file_has_gone(self, tmp_path: Path) -> None:
        path = pdfs.write(tmp_path / "a.pdf", pdfs.say("Tolls rose in May and nobody knew why. Tolls rose in June."))
        with Corpus(tmp_path / "corpus", builders=builders) as opened:
            opened.add(path)
            view = opened.view()
            text = view.blocks.text[0]
            citation = Citation.between(view, 0, text.rindex("Tolls"), text.rindex("Tolls") + 5)
            found = opened.cited(citation.id)
            assert (found.state, found.citation, found.start) == ("same", citation, text.rindex("Tolls"))
            (spot,) = found.boxes
            places = [at for at, word in enumerate(opened.words("a.pdf", 1).texts) if word == "Tolls"]
            assert spot.box == pytest.approx(opened.words("a.pdf", 1).boxes[places[1]], abs=0.01)
            path.unlink()
            assert [spot.box for spot in opened.cited(citation.id).boxes] == [citation.box]
            opened.remove("a.pdf")
            with pytest.raises(UnknownDocumentError):
                opened.cited(citation.id)

    def test_flowing_text_is_cited_without_boxes(self, corpus: Corpus) -> None:
        view = corpus.view(["flow.md"])
        citation = Citation.of(view, 1, "boat floats")
        assert citation is not None
        assert corpus.cited(citation.id).boxes == ()
        assert corpus.marks("flow.md", "b1", ["boat"])[0].boxes == ()

    @pytest.mark.parametrize("block", ["", "12", "b", "b-1", "b999", "b1 ", "b\u0663", "b" + "9" * 400])
    def test_a_block_that_is_not_there_is_a_usage_error(self, corpus: Corpus, block: str) -> None:
        with pytest.raises(UsageError, match="no block") as refused:
            corpus.marks("upright.pdf", block, ["x"])
        assert len(str(refused.value)) < 200

    def test_too_many_or_too_long_texts_are_refused(self, corpus: Corpus) -> None:
        for texts in (["x"] * 65, ["x" * 20_001]):
            with pytest.raises(UsageError, match="at most"):
                corpus.marks("upright.pdf", "b0", texts)

    def test_cells_and_lines_are_marked_apart_and_short_texts_as_whole_words(self) -> None:
        table = PageWords.of(
            [
                ("Costs", (10, 10, 40, 20), 0),
                ("15", (60, 10, 70, 20), 1),
                ("5", (90, 10, 95, 20), 2),
                ("$", (100, 10, 105, 20), 3),
                ("Sales", (10, 30, 40, 40), 4),
                ("5", (60, 30, 65, 40), 5),
            ]
        )
        words = MarkedWords(table, (0, 0, 200, 100))
        assert words.find("Costs | 15 | 5") == ((10, 10, 40, 20), (60, 10, 70, 20), (90, 10, 95, 20))
        assert words.find("5") == ((90, 10, 95, 20),)
        assert words.find("5", 1.0) == ((60, 30, 65, 40),)
        assert words.find("$") == ((100, 10, 105, 20),)
        assert words.find("Sales: 5") == ((10, 30, 40, 40), (60, 30, 65, 40))
        assert words.find("5 $", 0.1) == ((90, 10, 95, 20), (100, 10, 105, 20))
        assert words.find("1") == words.find("") == words.find("\u00a7") == ()


class TestHighlights:
    @pytest.mark.parametrize("name", ["upright.pdf", "turned90.pdf", "turned180.pdf", "turned270.pdf"])
    def test_the_words_are_highlighted_where_they_are_seen(self, corpus: Corpus, tmp_path: Path, name: str) -> None:
        view = corpus.view([name])
        row = next(row for row, text in enumerate(view.blocks.text) if "gypsum jetty" in text)
        citation = Citation.of(view, row, "gypsum jetty")
        assert citation is not None
        path = tmp_path / "marked.pdf"
        path.write_bytes(corpus.highlighted(name, [citation.id, citation.id]))
        with pikepdf.open(path) as pdf:
            (note,) = pdf.pages[0].Annots
            assert (str(note.Subtype), str(note.Contents), len(note.QuadPoints)) == ("/Highlight", "gypsum jetty", 8)
            assert "/Annots" not in pdf.pages[1]
        (spot,) = corpus.cited(citation.id).boxes
        with ParserPool(1) as pool:
            raster = pool.render(path, 1, dpi=72)
        rows, columns = np.nonzero(raster[:, :, 2] + 60.0 < raster[:, :, 0])
        assert (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1) == pytest.approx(spot.box, abs=2)

    def test_the_file_itself_stays_as_it_was_within_the_new_one(self, corpus: Corpus) -> None:
        citation = Citation.of(corpus.view(["upright.pdf"]), 0, "gypsum")
        assert citation is not None
        before = Path(corpus.resolve("upright.pdf").path).read_bytes()
        assert corpus.highlighted("upright.pdf", [citation.id]).startswith(before)

    def test_what_cannot_be_highlighted_is_refused(self, corpus: Corpus) -> None:
        citation = Citation.of(corpus.view(["upright.pdf"]), 0, "gypsum")
        flowing = Citation.of(corpus.view(["flow.md"]), 1, "boat")
        assert citation is not None
        assert flowing is not None
        with pytest.raises(UsageError, match="is of upright"):
            corpus.highlighted("turned90.pdf", [citation.id])
        with pytest.raises(UsageError, match="flowing"):
            corpus.highlighted("flow.md", [flowing.id])
        with pytest.raises(UsageError, match="at most"):
            corpus.highlighted("upright.pdf", [citation.id] * 101)
        with pytest.raises(UsageError, match="no id"):
            corpus.highlighted("upright.pdf", ["nonsense"])
