"""MiniLM's vectors: right, the same however texts are batched, and safe against bad caches, threads and interrupts."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from octavo.models.bert import token_spans
from octavo.models.minilm import WEIGHTS, MiniLmEmbedder
from octavo_documents.models.inference import open_engine
from octavo_documents.models.networks import Feeds, Output

ODD = [
    "",
    " ",
    "a",
    "12%",
    "naïve façade",
    "東京は日本の首都です",
    "Привет, как дела",
    "مرحبا",
    "👍🎉",
    "\x00\x01",
    "x" * 5000,
]
WORDS = ["revenue", "company", "the", "rose", "quarter", "because", "water", "energy", "and", "market", "research"]
NEEDS_OPENVINO = pytest.mark.skipif(not find_spec("openvino"), reason="OpenVINO is not installed")


def texts(count: int) -> list[str]:
    random = np.random.default_rng(7)
    return [" ".join(random.choice(WORDS, size=random.integers(1, 220))) for _ in range(count)]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def embedder(cache: Path) -> MiniLmEmbedder:
    return MiniLmEmbedder(cache=cache)


def test_similarities_are_those_of_the_model_card(embedder: MiniLmEmbedder) -> None:
    happy, dog, sunny = embedder.embed(["That is a happy person", "That is a happy dog", "Today is a sunny day"])
    assert happy @ dog == pytest.approx(0.696, abs=0.02)
    assert happy @ sunny == pytest.approx(0.261, abs=0.02)


def test_vectors_have_length_one_whatever_the_text(embedder: MiniLmEmbedder) -> None:
    vectors = embedder.embed(ODD)
    assert vectors.shape == (len(ODD), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_vectors(embedder: MiniLmEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_order_is_kept_and_batching_changes_rounding_only(embedder: MiniLmEmbedder) -> None:
    mixed = texts(24) + ODD
    together = embedder.embed(mixed)
    alone = np.concatenate([embedder.embed([text]) for text in mixed])
    assert (together * alone).sum(axis=1).min() > 0.9999
    assert np.allclose(together, embedder.embed(mixed[::-1])[::-1], atol=0.01)


def test_what_is_past_the_limit_is_not_seen(embedder: MiniLmEmbedder) -> None:
    long = "market " * 100_000
    assert embedder.embed([long])[0] @ embedder.embed(["market " * 300])[0] > 0.9999


def test_progress_counts_every_text(embedder: MiniLmEmbedder) -> None:
    seen: list[int] = []
    embedder.embed(texts(20), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 20


def test_threads_share_one_embedder(cache: Path) -> None:
    shared = MiniLmEmbedder(cache=cache)
    several = texts(12)
    expected = shared.embed(several)
    barrier = threading.Barrier(4)

    def work(_: int) -> float:
        barrier.wait()
        return float((shared.embed(several) * expected).sum(axis=1).min())

    with ThreadPoolExecutor(4) as pool:
        assert min(pool.map(work, range(4))) > 0.9999


def test_an_interrupt_leaves_the_embedder_usable(embedder: MiniLmEmbedder) -> None:
    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    expected = embedder.embed(["net income"])
    with pytest.raises(KeyboardInterrupt):
        embedder.embed(texts(30), progress=interrupt)
    assert (embedder.embed(["net income"]) * expected).sum() > 0.9999


@pytest.mark.skipif(not find_spec("onnxruntime"), reason="the reference engine, onnxruntime, is not installed")
def test_vectors_equal_those_of_the_reference_engine(embedder: MiniLmEmbedder) -> None:
    several = texts(30) + ODD
    reference = MiniLmEmbedder(engine="onnxruntime")
    assert (embedder.embed(several) * reference.embed(several)).sum(axis=1).min() >= 0.999


@NEEDS_OPENVINO
@pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
def test_a_damaged_cache_is_rebuilt(tmp_path: Path, damage: str) -> None:
    first = MiniLmEmbedder(cache=tmp_path).embed(["net income"])
    (kept,) = tmp_path.glob("*.blob")
    content = bytearray(kept.read_bytes())
    content[len(content) // 2] ^= 0xFF
    kept.write_bytes({"flip": content, "cut": content[:1000], "empty": b""}[damage])
    damaged = kept.read_bytes()
    assert (MiniLmEmbedder(cache=tmp_path).embed(["net income"]) * first).sum() > 0.9999
    assert kept.read_bytes() != damaged
    assert list(tmp_path.iterdir()) == [kept]


@NEEDS_OPENVINO
def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    assert MiniLmEmbedder(cache=blocked / "models").embed(["net income"]).any()


@NEEDS_OPENVINO
def test_an_engine_closed_early_can_be_dropped_and_its_batches_come_in_order() -> None:
    def batches(count: int) -> Iterator[Feeds]:
        for _ in range(count):
            ids = np.full((1, 32), 2000, dtype=np.int64)
            yield {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}

    def positions(found: Iterable[tuple[int, Output]]) -> list[int]:
        return [position for position, _ in found]

    engine = open_engine(WEIGHTS, engine="openvino")
    assert sorted(positions(engine.stream(batches(7)))) == list(range(7))
    early = engine.stream(batches(7))
    next(early)
    del early, engine


def test_word_pieces_by_themselves_tell_what_is_alike_without_reading_the_text_around() -> None:
    texts = ["The mariner left.", "A sailor came to the harbor.", "", "Bread and butter."]
    alike = MiniLmEmbedder().most_alike("sailors in the harbour", texts)
    assert alike.shape == (4, len(token_spans("sailors in the harbour")))
    sailors = alike[:, 0]
    assert sailors[1] > sailors[3]
    assert sailors[0] > sailors[3]
    assert not alike[2].any()
    assert alike.max() == pytest.approx(1.0, abs=1e-5)


def test_texts_without_words_are_like_nothing() -> None:
    assert MiniLmEmbedder().most_alike("", ["harbour"]).shape == (1, 0)
    assert MiniLmEmbedder().most_alike("harbour", []).shape[0] == 0
