"""Visual vectors: there where an image-text model is named, done without where none is or the file has gone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import octavo.systems
import pdfs
from cli_corpus import octavo as octavo_command
from octavo.cli import context
from octavo.corpus import Corpus
from octavo.corpus.index.builders import Builders, image_text_of
from octavo.document import Evidence, Query
from octavo.errors import CorpusError, UsageError
from octavo.models.ports import Raster
from octavo.operators.core.base import Step
from octavo.operators.core.run import Run
from octavo.operators.read.direct_reader import DirectReader
from octavo.systems.base import System


class MeanColour:
    """A tiny image-text model."""

    name = "mean-colour"
    dimension = 3

    def embed_images(self, rasters: list[Raster]) -> npt.NDArray[np.float32]:
        return np.stack([raster.reshape(-1, 3).mean(axis=0) / 255 for raster in rasters]).astype(np.float32)

    def embed_texts(self, texts: list[str]) -> npt.NDArray[np.float32]:
        return np.ones((len(texts), 3), np.float32)


class Another(MeanColour):
    name = "another"


seen: list[tuple[str, int]] = []


@dataclass(frozen=True)
class Look(Step[Query, Evidence]):
    """Finds every block, after a look at the pages where it can."""

    def needs(self) -> frozenset[str]:
        return frozenset({"passages", "visual_vectors"})

    def apply(self, value: Query, using: Run) -> Evidence:
        del value
        try:
            vectors = 0 if using.image_text is None else len(using.view.vectors("visual_vectors"))
        except CorpusError:
            vectors = -1
        seen.append(("" if using.image_text is None else using.image_text().name, vectors))
        return Evidence.of(using.view, range(len(using.view)), source="all", relevance=[1.0] * len(using.view))


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    seen.clear()
    monkeypatch.setitem(octavo.systems.SYSTEMS, "looks", System("looks", Look(), Look() >> DirectReader()))
    pdfs.write(tmp_path / "tide.pdf", pdfs.say("High water at six."), pdfs.say("Low water at noon."))
    return tmp_path / "tide.pdf"


def test_there_are_none_without_a_model_and_the_report_says_so(page: Path) -> None:
    with Corpus(page.parent / "corpus") as corpus:
        report = corpus.add(page, systems=["looks"])
        assert [note.partition(":")[0] for note in report.notes] == ["looks goes without visual_vectors"]
        assert "image_text under [models]" in report.notes[0]
        assert "visual_vectors" not in corpus.layers()[report.added[0].id]
        assert corpus.search("water", system="looks").evidence
    assert seen == [("", 0)]


def test_with_a_model_they_are_built_when_a_system_reads_them_and_again_with_another_one(page: Path) -> None:
    with Corpus(page.parent / "corpus", image_text=MeanColour()) as corpus:
        corpus.add(page)
        assert corpus.search("water", system="looks").evidence
        assert corpus.add(page, systems=["looks"]).notes == ()
        before = corpus.fingerprints()
    with Corpus(page.parent / "corpus", image_text=Another()) as corpus:
        assert corpus.search("water", system="looks").evidence
        assert corpus.fingerprints() != before
    assert seen == [("mean-colour", 2), ("another", 2)]


def test_a_question_is_answered_although_the_file_has_gone(page: Path) -> None:
    with Corpus(page.parent / "corpus", image_text=MeanColour()) as corpus:
        corpus.add(page)
        page.unlink()
        assert corpus.search("water", system="looks").evidence
    assert seen == [("mean-colour", -1)]


def test_the_command_says_what_a_system_goes_without(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "open_corpus", lambda _: Corpus(page.parent / "corpus"))
    done = octavo_command("add", str(page), "--for", "looks")
    assert done.status == 0
    assert done.err.startswith("octavo: looks goes without visual_vectors: no image-text model is named")


def test_a_name_is_checked_at_once_and_its_model_loaded_when_wanted() -> None:
    assert image_text_of(None) is image_text_of("none") is None
    assert image_text_of("sentence-transformers:no/such-model") is not None
    with pytest.raises(UsageError):
        image_text_of("crystal-ball:large")
    builders = Builders.default()
    assert builders.absent.keys() == {"visual_vectors"}
    assert builders.seeing(MeanColour).absent == {}
