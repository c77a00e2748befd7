"""What a question is asked with: checked words and limit, and pictures of pages for those who look."""

from __future__ import annotations

from pathlib import Path

import pytest

import pdfs
from octavo.corpus import Corpus
from octavo.corpus.ask.options import AskOptions
from octavo.corpus.ask.place_drawer import drawer
from octavo.errors import UsageError
from octavo.evidence import Query
from octavo.operators.core import Place


def test_a_question_and_its_limit_are_checked() -> None:
    assert AskOptions(limit=3).resolve("Who bakes?")[1] == Query("Who bakes?", limit=3)
    with pytest.raises(UsageError, match="ask something"):
        AskOptions().resolve("  ")
    with pytest.raises(UsageError, match="1 or more, not 0"):
        AskOptions(limit=0).resolve("Who bakes?")


def test_places_are_drawn_in_order_and_those_off_the_file_are_left_out(tmp_path: Path) -> None:
    path = pdfs.write(tmp_path / "a.pdf", pdfs.say("One."), pdfs.say("Two."))
    with Corpus(tmp_path / "corpus") as corpus:
        corpus.add(path)
        (info,) = corpus.list()
        draw = drawer(lambda document_id: info.path if document_id == info.id else "")
        page, missing, box = draw(info.id, [Place(1, dpi=36), Place(9), Place(2, (0, 0, 306, 396), 72)])
        assert page is not None
        assert page.shape == (396, 306, 3)
        assert missing is None
        assert box is not None
        assert box.shape == (396, 306, 3)
        assert draw("sha256:unknown", [Place(1)]) == [None]
        path.write_bytes(b"%PDF-1.4 another file")
        assert draw(info.id, [Place(1)]) == [None]
