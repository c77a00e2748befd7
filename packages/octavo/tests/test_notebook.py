"""What notebooks show, and pages drawn with the words of citations marked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import octavo
from cli_corpus import octavo as octavo_command
from octavo.corpus import Corpus
from octavo.errors import UsageError
from octavo.evidence import Citation

HANDBOOK = Path(__file__).parents[3] / "examples" / "handbook.pdf"
NASTY = "<script>alert(1)</script> The ferry Alba is painted green."
QUESTION = "Who was the first observer?"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "nasty.txt").write_text(NASTY)
    with octavo.open(folder / "corpus") as opened:
        opened.add([HANDBOOK, folder / "nasty.txt"])
    return folder / "corpus"


@pytest.fixture
def corpus(place: Path) -> Iterator[Corpus]:
    with octavo.open(place) as opened:
        yield opened


def test_an_answer_shows_itself_and_no_text_is_markup(corpus: Corpus) -> None:
    answer = corpus.ask("Which colour is the ferry Alba?", documents="nasty.txt")
    shown = answer._repr_html_()
    assert "<script" not in shown and "painted green" in shown
    assert "page 3 · Preface" in corpus.ask(QUESTION, documents="handbook.pdf")._repr_html_()
    assert "<script" not in corpus.search("Alba")._repr_html_()
    assert "<li>Preface (3)" in corpus.document("handbook.pdf")._repr_html_()


def marked(picture: Image.Image) -> np.ndarray:
    red, _, blue = np.moveaxis(np.asarray(picture, np.int16), 2, 0)
    return (red > 240) & (blue < 90)


def test_a_citation_is_drawn_with_its_words_marked(corpus: Corpus) -> None:
    answer = corpus.ask(QUESTION, documents="handbook.pdf")
    picture = answer.citations[0].picture(width=600)
    assert picture.width == 600
    page = corpus.document("handbook.pdf").pages
    rows = np.flatnonzero(marked(picture).any(axis=1)) / 600 * float(page.width[2])
    _, top, _, bottom = answer.citations[0].box
    assert len(rows) and top - 3 <= rows.min() and rows.max() <= bottom + 3
    assert not marked(Image.fromarray(corpus.picture("handbook.pdf", 3, 600))).any()
    assert answer.citations[0] == Citation(**{**_values(answer.citations[0]), "drawn_by": None})


def _values(citation: Citation) -> dict[str, object]:
    return {name: getattr(citation, name) for name in citation.to_json() if name != "cells"}


def test_what_has_no_page_or_no_corpus_is_not_drawn(corpus: Corpus) -> None:
    passage = corpus.search("Alba", documents="nasty.txt").passages[0]
    with pytest.raises(UsageError, match="no pages to draw"):
        corpus.picture_of(passage.id)
    answer = corpus.ask(QUESTION, documents="handbook.pdf")
    loose = Citation(**{**_values(answer.citations[0]), "section": ()})  # pyright: ignore[reportArgumentType]
    with pytest.raises(UsageError, match="by the corpus"):
        loose.picture()


def test_pictures_of_an_answer_are_written_and_what_has_none_is_said(place: Path, tmp_path: Path) -> None:
    where = ["--corpus", str(place), "--pictures", str(tmp_path / "pictures")]
    assert octavo_command("ask", QUESTION, "handbook.pdf", *where).status == 0
    (path,) = (tmp_path / "pictures").iterdir()
    assert path.name == "1-handbook-page-3.png"
    assert marked(Image.open(path)).any()
    told = octavo_command("ask", "Which colour is the ferry Alba?", "nasty.txt", *where)
    assert told.status == 0 and "is not drawn" in told.err
