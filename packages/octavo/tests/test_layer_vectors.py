"""The layers of vectors: of texts, of what they are made from, and of how pages look."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import octavo.systems
import pdfs
from cli_corpus import octavo as octavo_command
from indexed import FakeEmbedder
from octavo.cli import context
from octavo.corpus import Corpus
from octavo.corpus.index.builders import Builders
from octavo.corpus.index.corpus_models import image_text_of
from octavo.errors import CorpusError, UsageError
from octavo.evidence import Evidence, Graph, PassageTable, Query, SummaryTable
from octavo.evidence.view import vectors_of_bytes
from octavo.layers import LAYERS, OPTIONAL_LAYERS, LayerInputs
from octavo.layers.entities import DESCRIBED
from octavo.layers.vectors import WRITTEN, PassageMeans, embed, entity_texts, unit
from octavo.models.ports import Raster, Vectors
from octavo.operators.core import Run, Step
from octavo.operators.read.direct_reader import DirectReader
from octavo.systems import System
from octavo_documents.document import Kind, TextColumn
from octavo_documents.document.columns import pack
from synthetic import Row, document

ROWS: list[Row] = [
    (Kind.HEADING, "Harbour", 1, 1),
    (Kind.PARAGRAPH, "The Northern Ferry leaves Westquay at noon. The Northern Ferry is slow.", 1, 0),
    (Kind.HEADING, "Kitchen", 2, 1),
    (Kind.PARAGRAPH, "Flour, butter and sugar are kept beside the oven.", 2, 0),
    (Kind.PARAGRAPH, "The Northern Ferry brings flour to Westquay on Mondays.", 3, 0),
    (Kind.FIGURE, "", 3, 0),
]
SOURCE = document(ROWS)
seen: list[tuple[str, int]] = []


def inputs() -> LayerInputs:
    stored: dict[str, bytes] = {}
    for name, layer in LAYERS.items():
        stored[name] = layer.build(LayerInputs(SOURCE, stored, embedder=FakeEmbedder))
    return LayerInputs(SOURCE, stored, embedder=FakeEmbedder)


def table(spans: list[tuple[int, int]]) -> SummaryTable:
    rows = np.array(spans, np.int32)
    texts = TextColumn.of(f"summary {at}" for at in range(len(spans)))
    return SummaryTable(texts, TextColumn.of(["section"] * len(spans)), rows[:, 0], rows[:, 1], rows[:, 0] * 0)


def built(layer: str, reads: str, data: bytes) -> npt.NDArray[np.float32]:
    known = inputs()
    return vectors_of_bytes(
        OPTIONAL_LAYERS[layer].build(dataclasses.replace(known, stored={**known.stored, reads: data}))
    )


def test_the_passages_of_the_document_are_one_a_page() -> None:
    assert PassageTable.from_bytes(inputs().stored["passages"]).start.tolist() == [0, 2, 4]


def test_a_run_has_the_mean_of_its_passages_by_length_and_share() -> None:
    means = PassageMeans(inputs())
    passages, vectors = (
        PassageTable.from_bytes(inputs().stored["passages"]),
        vectors_of_bytes(inputs().stored["vectors"]),
    )
    sizes = passages.text.lengths()
    found = means.of_spans(np.array([0, 1, 3, 5]), np.array([4, 2, 5, 6]))
    assert np.allclose(found[0], unit(sizes[0] * vectors[0] + sizes[1] * vectors[1]), atol=1e-5)
    assert np.allclose(found[1], vectors[0], atol=1e-3)
    assert np.allclose(found[2], unit(sizes[1] / 2 * vectors[1] + sizes[2] * vectors[2]), atol=1e-5)
    assert not found[3].any()


def test_owners_have_the_mean_of_the_passages_of_their_blocks_each_once() -> None:
    vectors = vectors_of_bytes(inputs().stored["vectors"])
    found = PassageMeans(inputs()).of_blocks(np.array([0, 0, 0, 2]), np.array([0, 1, 4, 5]), 3)
    assert np.allclose(found[0], unit(vectors[0] + vectors[2]), atol=1e-5)
    assert not found[1:].any()


@pytest.mark.parametrize(("layer", "reads"), [("summary_vectors", "summaries"), ("element_vectors", "descriptions")])
def test_what_a_model_wrote_and_what_stands_in_no_passage_is_embedded(layer: str, reads: str) -> None:
    summaries = table([(0, 2), (2, 4), (5, 6)])
    texts = FakeEmbedder().embed(list(summaries.text))
    vectors = vectors_of_bytes(inputs().stored["vectors"])
    written = np.array([False, True, False])
    found = built(layer, reads, pack(summaries.arrays("table") | {WRITTEN: written}, {}))
    assert np.allclose(found, [vectors[0], texts[1], texts[2]], atol=2e-3)


def test_a_text_that_comes_again_is_embedded_once() -> None:
    asked: list[str] = []

    class Counting(FakeEmbedder):
        def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> Vectors:
            asked.extend(texts)
            return super().embed(texts, progress=progress)

    told: list[tuple[int, int]] = []
    texts = ["word word", "tern", "word word", "word word"]
    found = embed(LayerInputs(SOURCE, {}, embedder=Counting, progress=lambda *done: told.append(done)), texts)
    assert asked == ["word word", "tern"]
    assert np.array_equal(found, FakeEmbedder().embed(texts))
    assert all(done <= count == len(texts) for done, count in told)


def test_where_a_layer_does_not_say_who_wrote_all_is_embedded() -> None:
    summaries = table([(0, 2), (2, 4)])
    found = built("summary_vectors", "summaries", summaries.to_bytes())
    assert np.allclose(found, FakeEmbedder().embed(list(summaries.text)), atol=1e-3)


def test_an_entity_lies_between_its_name_and_the_passages_that_mention_it() -> None:
    data = OPTIONAL_LAYERS["entities"].build(inputs())
    graph = Graph.from_bytes(data)
    found = built("entity_vectors", "entities", data)
    row = list(graph.entities.name).index("Northern Ferry")
    vectors = vectors_of_bytes(inputs().stored["vectors"])
    expected = unit(FakeEmbedder().embed(["Northern Ferry"])[0] + unit(vectors[0] + vectors[2]))
    assert np.allclose(found[row], expected, atol=2e-3)


def test_entities_that_a_model_described_are_embedded_with_what_it_said() -> None:
    graph = Graph.from_bytes(OPTIONAL_LAYERS["entities"].build(inputs()))
    described = dataclasses.replace(graph, statistics={**graph.statistics, DESCRIBED: True})
    found = built("entity_vectors", "entities", described.to_bytes())
    assert np.allclose(found, FakeEmbedder().embed(entity_texts(graph)), atol=1e-3)


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
    monkeypatch.setattr(context, "open_corpus", lambda _, **_options: Corpus(page.parent / "corpus"))
    done = octavo_command("add", str(page), "--for", "looks")
    assert done.status == 0
    assert done.err.startswith("octavo: looks goes without visual_vectors: no image-text model is named")


def test_a_name_is_checked_at_once_and_its_model_loaded_when_wanted() -> None:
    assert image_text_of(None) is image_text_of("none") is None
    assert image_text_of("sentence-transformers:no/such-model") is not None
    with pytest.raises(UsageError):
        image_text_of("crystal-ball:large")
    builders = Builders.default()
    late = {"passage_token_vectors", "element_token_vectors"}
    assert builders.absent.keys() == {"visual_vectors", *late}
    assert builders.with_models(MeanColour).absent.keys() == late
