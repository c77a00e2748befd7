"""Late interaction: many vectors a passage or picture, kept as int8, and questions compared with them by MaxSim.

The tests at the end run tiny networks with random weights through sentence-transformers, where it is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import FakeEmbedder
from memory_layers import MemoryLayers
from octavo.corpus.index.builders import Builders
from octavo.corpus.index.corpus_models import late_interaction_of
from octavo.errors import CorpusError, ModelError, UsageError
from octavo.evidence import Evidence, Query, View
from octavo.evidence.token_vectors import TokenVectors
from octavo.layers.base import LayerInputs, Renderer
from octavo.layers.vectors import element_token_vectors, passage_token_vectors, visual_vectors
from octavo.models.ports import Raster, Vectors
from octavo.operators.core import Run
from octavo.operators.keep import RELEVANCE
from octavo.operators.score.search import LATE, VISUAL, LateSearch, VisualSearch
from octavo.systems import get, run_search
from octavo_documents.document import Document, Kind
from octavo_documents.document.columns import pack
from octavo_documents.text.analyzer import analyze
from synthetic import document

REPORT = document(
    [
        (Kind.HEADING, "1 Quays", 1, 1),
        (Kind.PARAGRAPH, "The north quay is long.", 1, 0),
        (Kind.HEADING, "2 Cranes", 2, 1),
        (Kind.PARAGRAPH, "Four cranes lift granite.", 2, 0),
    ]
)


class WordVectors:
    """A model that gives each word a direction of its own, and a picture those of its colours."""

    name = "late-interaction:words"

    def embed_questions(self, texts: Sequence[str]) -> list[Vectors]:
        return self.embed_passages(texts)

    def embed_passages(self, texts: Sequence[str]) -> list[Vectors]:
        return [np.stack([_direction(word) for word in analyze(text)] or [_direction("")]) for text in texts]

    def embed_images(self, rasters: Sequence[Raster]) -> list[Vectors]:
        names = {(255, 0, 0): "red", (0, 255, 0): "green"}
        return [np.stack([_direction(names.get(tuple(raster[0, 0].tolist()), "other"))]) for raster in rasters]


def _direction(word: str) -> Vectors:
    drawn = np.random.default_rng(sum(map(ord, word)) * 31 + len(word)).normal(size=48)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


class ManyVectors(MemoryLayers):
    """Layers in memory with those of late interaction, of pages that `render` draws, without those `missing`."""

    def __init__(
        self, render: Renderer | None = None, *, source: Document = REPORT, missing: frozenset[str] = frozenset()
    ) -> None:
        super().__init__((source,), FakeEmbedder)
        self._render, self._source, self._missing = render, source, missing

    def load(self, document_id: str, layer: str) -> bytes | None:
        if layer in self._missing:
            return None
        for made in (passage_token_vectors(WordVectors), element_token_vectors(WordVectors)):
            if layer == made.name:
                stored = {name: self.load(document_id, name) or b"" for name in made.reads}
                return made.build(LayerInputs(self._source, stored))
        if layer == "visual_vectors":
            return visual_vectors(WordVectors).build(LayerInputs(self._source, render=self._render))
        return super().load(document_id, layer)


def late(question: str, model: Callable[[], WordVectors] | None = WordVectors) -> tuple[Run, Evidence]:
    run = Run(View((REPORT,), ManyVectors()), embedder=FakeEmbedder, late_interaction=model)
    run.query = Query(question)
    return run, LateSearch()(run.query, run)


def unit(rows: npt.NDArray[np.float32]) -> Vectors:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@given(st.lists(st.integers(0, 5), max_size=6), st.integers(1, 4))
def test_maxsim_is_the_mean_over_the_questions_vectors_of_the_nearest_of_an_item(sizes: list[int], asked: int) -> None:
    drawn = np.random.default_rng(sum(sizes) + asked)
    items = [unit(drawn.normal(size=(size, 8)).astype(np.float32)) for size in sizes]
    question = unit(drawn.normal(size=(asked, 8)).astype(np.float32))
    found = TokenVectors.of(items).max_sim(question)
    wanted = [np.nan if not len(item) else (question @ item.T).max(axis=1).mean() for item in items]
    np.testing.assert_allclose(found, np.array(wanted, np.float64).reshape(len(items)), atol=0.03)


def test_what_is_stored_is_read_back_and_joined_as_int8() -> None:
    first, second = TokenVectors.of(WordVectors().embed_passages(["a quay", ""])), TokenVectors.of([])
    again = TokenVectors.from_bytes(first.to_bytes())
    assert again.values.dtype == np.int8
    np.testing.assert_array_equal(again.start, first.start)
    both = TokenVectors.joined([second, again, first])
    assert len(both) == 4
    np.testing.assert_allclose(both.max_sim(_direction("quay")[None])[[0, 2]], 1.0, atol=0.02)


def test_vectors_of_another_kind_are_told_as_damaged() -> None:
    with pytest.raises(CorpusError, match="another kind"):
        TokenVectors.from_bytes(pack({"vectors": np.zeros((2, 3), np.float16)}, {}))


def test_the_passage_whose_words_are_nearest_comes_first() -> None:
    _, found = late("Which granite do cranes lift?")
    assert [hit.page for hit in found.pages(LATE)] == [2, 1]
    assert found.scores[LATE].max() > 0.3


def test_without_a_model_the_usual_vectors_stand_in_and_the_trace_says_so() -> None:
    run, found = late("Which granite do cranes lift?", None)
    assert len(found)
    assert np.isfinite(found.scores[LATE]).all()
    assert run.trace[0].parameters["why"] == "no model of late interaction is configured"


def test_a_model_that_cannot_be_loaded_is_done_without() -> None:
    def broken() -> WordVectors:
        raise ModelError("colbert cannot be loaded")

    run, found = late("Which granite?", broken)
    assert len(found)
    assert "colbert cannot be loaded" in run.trace[0].parameters["why"]


@pytest.mark.parametrize("model", [WordVectors, None])
@pytest.mark.needs("octavo_methods")
def test_a_system_finds_its_passages_by_late_interaction_and_by_vectors_without(
    model: Callable[[], WordVectors] | None,
) -> None:
    run = Run(View((REPORT,), ManyVectors()), embedder=FakeEmbedder, late_interaction=model)
    found = run_search(get("mmrag-late-interaction"), Query("Which granite do cranes lift?"), run).evidence
    assert next(hit.page for hit in found.pages(RELEVANCE)) == 2
    assert {"bm25", "dense"}.isdisjoint(found.scores)
    assert any(step.step == "skipped" for step in run.trace) is (model is None)
    searched = late("Which granite do cranes lift?", model)[1]
    wanted = dict(zip(searched.rows.tolist(), searched.scores[LATE].tolist(), strict=True))
    assert found.scores[LATE].tolist() == pytest.approx([wanted[row] for row in found.rows.tolist()])


def test_pages_are_found_by_the_patches_of_their_pictures() -> None:
    def paint(page: int, box: object, dpi: float) -> Raster:
        del box, dpi
        return np.tile(np.array([(255, 0, 0), (0, 255, 0)][page - 1], np.uint8), (8, 8, 1))

    run = Run(View((REPORT,), ManyVectors(paint)), embedder=FakeEmbedder, image_text=WordVectors)
    run.query = Query("green")
    found = VisualSearch(1)(Evidence.of(run.view, []), run)
    assert [hit.page for hit in found.pages(VISUAL)] == [2]


def test_a_model_is_named_as_late_interaction() -> None:
    assert late_interaction_of(None) is late_interaction_of("none") is None
    assert late_interaction_of("late-interaction:no/such-model") is not None
    with pytest.raises(UsageError):
        late_interaction_of("crystal-ball:large")
    made = Builders.default().with_models(late_interaction=WordVectors)
    assert {"passage_token_vectors", "element_token_vectors"} <= made.optional.keys()
    assert made.absent.keys() == {"visual_vectors"}


def tiny_colbert(folder: Path) -> str:
    """Write a network of the real library with random weights, and return where it is."""
    transformers = pytest.importorskip("transformers")
    library = pytest.importorskip("sentence_transformers", minversion="6.0")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz0123456789?."]
    words += [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz0123456789"]
    (folder / "vocab.txt").write_text("\n".join(words))
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    transformers.BertModel(config).save_pretrained(folder / "bert")
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder / "bert")
    library.MultiVectorEncoder(str(folder / "bert")).save(str(folder / "colbert"))
    return str(folder / "colbert")


def test_a_tiny_real_network_ranks_every_passage(tmp_path: Path) -> None:
    from octavo.models.sentence_transformers_models import SentenceLateInteraction

    model = SentenceLateInteraction(tiny_colbert(tmp_path))
    found = TokenVectors.of(model.embed_passages(["the north quay is long", "four cranes lift granite"]))
    question = model.embed_questions(["which quay is long"])[0]
    np.testing.assert_allclose(np.linalg.norm(question, axis=1), 1.0, atol=1e-3)
    scores = found.max_sim(question)
    assert np.isfinite(scores).all()
    assert (np.abs(scores) <= 1.01).all()
    with pytest.raises(ModelError, match="takes no pictures"):
        model.embed_images([np.zeros((8, 8, 3), np.uint8)])


def tiny_colpali(folder: Path) -> str:
    """Write a network that reads pictures and questions, of the real library with random weights."""
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("sentence_transformers", minversion="6.0")
    tokenizers = pytest.importorskip("tokenizers")
    words = ["<pad>", "<eos>", "<bos>", "<unk>", *"abcdefghijklmnopqrstuvwxyzQ?: \n"]
    letters = tokenizers.models.BPE({word: at for at, word in enumerate(words)}, [], unk_token="<unk>")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizers.Tokenizer(letters),
        bos_token="<bos>",
        eos_token="<eos>",
        pad_token="<pad>",
        unk_token="<unk>",
    )
    seeing = transformers.SiglipImageProcessor(size={"height": 28, "width": 28})
    seeing.image_seq_length = 4
    processor = transformers.ColPaliProcessor(seeing, tokenizer)
    size = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    both = transformers.PaliGemmaConfig(
        vision_config={"model_type": "siglip_vision_model", "image_size": 28, "patch_size": 14, **size},
        text_config={
            "model_type": "gemma",
            "vocab_size": len(processor.tokenizer),
            "num_key_value_heads": 1,
            "head_dim": 16,
            **size,
        },
        image_token_id=processor.image_token_id,
        projection_dim=32,
    )
    config = transformers.ColPaliConfig(vlm_config=both, embedding_dim=16)
    transformers.ColPaliForRetrieval(config).save_pretrained(folder / "colpali")
    processor.save_pretrained(folder / "colpali")
    return str(folder / "colpali")


def test_a_tiny_real_network_finds_pages_by_their_pictures_as_its_library_does(tmp_path: Path) -> None:
    from octavo.models.sentence_transformers_models import SentenceLateInteraction

    model = SentenceLateInteraction(tiny_colpali(tmp_path))
    pages = [np.random.default_rng(page).integers(0, 255, (40 + 9 * page, 30, 3), np.uint8) for page in (0, 1)]
    whole = document([(Kind.PARAGRAPH, "The quay.", 1, 0), (Kind.PARAGRAPH, "Cranes.", 2, 0)])

    class Pictures(MemoryLayers):
        def load(self, document_id: str, layer: str) -> bytes | None:
            if layer == "visual_vectors":
                inputs = LayerInputs(whole, render=lambda page, _box, _dpi: pages[page - 1])
                return visual_vectors(lambda: model).build(inputs)
            return super().load(document_id, layer)

    run = Run(View((whole,), Pictures((whole,), FakeEmbedder)), embedder=FakeEmbedder, image_text=lambda: model)
    run.query = Query("which quay is long")
    found = VisualSearch(2)(Evidence.of(run.view, []), run)
    assert not run.trace or run.trace[0].step != "skipped"

    library = model._model.get()  # pyright: ignore[reportPrivateUsage]
    question = library.encode_query([run.query.question])
    from PIL import Image

    seen = library.encode_document([Image.fromarray(page) for page in pages])
    wanted = np.asarray(library.similarity(question, seen))[0] / len(question[0])
    got = dict(zip(run.view.blocks.page[found.rows].tolist(), found.scores[VISUAL].tolist(), strict=True))
    np.testing.assert_allclose([got[1], got[2]], wanted, atol=0.02)
    alone = [model.embed_images([page])[0] for page in pages]
    for one, two in zip(model.embed_images(pages), alone, strict=True):
        np.testing.assert_allclose(one, two, atol=1e-4)


def test_a_real_network_for_pictures_takes_no_passages(tmp_path: Path) -> None:
    from octavo.models.sentence_transformers_models import SentenceLateInteraction

    model = SentenceLateInteraction(tiny_colpali(tmp_path))
    assert model.embed_passages([]) == []
    with pytest.raises(ModelError, match="takes pictures for passages"):
        model.embed_passages(["the north quay is long"])
