"""Embedding models of one's own: in a folder, behind an endpoint, and of a library that need not be there."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from json_server import JsonServer
from octavo.errors import ModelError, UsageError
from octavo.models import embedders, endpoint_models
from octavo.models.bert import CLS, SEP, tokenizer
from octavo.models.embedders import EMBEDDERS, image_text_embedder, parse_embedder
from octavo.models.endpoint_models import EndpointEmbedder
from octavo.models.folder_embedder import FolderEmbedder
from octavo.models.minilm import WEIGHTS, MiniLmEmbedder
from octavo.models.sentence_transformers_models import SentenceEmbedder
from octavo.models.spec import ModelSpec

TEXTS = ["A short one", "", "The company's revenue rose in the last quarter because of the weather " * 8, "12%"]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_models.time, "sleep", lambda _seconds: None)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the network that installs with Octavo, as model hubs lay one out."""
    from tokenizers import Tokenizer
    from tokenizers.processors import TemplateProcessing

    made = tmp_path_factory.mktemp("minilm")
    (made / "onnx").mkdir()
    (made / "onnx" / "model.onnx").write_bytes(WEIGHTS.path.read_bytes())
    words = Tokenizer.from_str(tokenizer().to_str())
    words.post_processor = TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", CLS), ("[SEP]", SEP)])
    words.save(str(made / "tokenizer.json"))
    (made / "sentence_bert_config.json").write_text('{"max_seq_length": 256}')
    return made


# Names


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("minilm", "minilm"),
        ("path:/models/my model", "path:/models/my model"),
        ("sentence-transformers:intfloat/e5-small", "sentence-transformers:intfloat/e5-small"),
        ("openai:embed@http://127.0.0.1:9/v1/", "openai:embed@http://127.0.0.1:9/v1"),
    ],
)
def test_an_embedding_model_is_named_by_kind(text: str, said: str) -> None:
    assert str(parse_embedder(text)) == said


@pytest.mark.parametrize("text", ["e5", "path:", "acme:e5", "path", ""])
def test_a_text_that_names_none_lists_the_kinds(text: str) -> None:
    with pytest.raises(UsageError, match=", ".join(EMBEDDERS)):
        embedders.embedder(text)


def test_a_relative_folder_is_seen_from_where_it_is_named(tmp_path: Path) -> None:
    assert parse_embedder("path:e5", folder=tmp_path).name == str(tmp_path / "e5")


def test_an_embedder_is_made_once_and_the_default_is_the_one_that_installs_with_octavo() -> None:
    assert embedders.embedder() is embedders.embedder("minilm")
    assert embedders.embedder().name == MiniLmEmbedder.name


# A folder


def test_a_folder_gives_the_vectors_of_its_network(folder: Path) -> None:
    own = FolderEmbedder(folder)
    seen: list[int] = []
    vectors = own.embed(TEXTS, progress=seen.append)
    assert np.sum(vectors * MiniLmEmbedder().embed(TEXTS), axis=1) == pytest.approx(1, abs=1e-3)
    assert (own.dimension, vectors.dtype, seen[-1]) == (384, np.float32, len(TEXTS))
    assert own.embed([]).shape == (0, 384)


def test_the_name_of_a_folder_s_model_changes_with_its_files(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / folder.name
    (other / "1_Pooling").mkdir(parents=True)
    for name in ("tokenizer.json", "sentence_bert_config.json"):
        (other / name).write_bytes((folder / name).read_bytes())
    (other / "model.onnx").write_bytes(b"another network")
    names = {FolderEmbedder(folder).name, FolderEmbedder(other).name}
    (other / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    names.add(FolderEmbedder(other).name)
    assert len(names) == 3


class Network:
    """An engine that says which inputs it was given: the hidden state of a token is its id and its place."""

    inputs = frozenset({"input_ids", "attention_mask"})

    def stream(self, batches: Any) -> Any:
        for position, feeds in enumerate(batches):
            assert feeds.keys() == self.inputs
            ids = feeds["input_ids"].astype(np.float32)
            yield position, np.stack([ids, np.ones_like(ids)], axis=2)


def test_a_network_gets_the_inputs_it_has_and_may_pool_by_its_first_token(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    (tmp_path / "model.onnx").touch()
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    vectors = FolderEmbedder(tmp_path, engine=Network()).embed(["one", "two three four"])
    first = np.array([CLS, 1]) / np.hypot(CLS, 1)
    assert vectors == pytest.approx(np.stack([first, first]))


@pytest.mark.parametrize("missing", ["tokenizer.json", "model.onnx"])
def test_a_folder_that_lacks_a_file_says_what_it_needs(tmp_path: Path, missing: str) -> None:
    for name in {"tokenizer.json", "model.onnx"} - {missing}:
        (tmp_path / name).touch()
    with pytest.raises(ModelError, match=r"is no embedding model: it needs tokenizer\.json and model\.onnx"):
        embedders.embedder(f"path:{tmp_path}")


def test_a_broken_tokenizer_is_one_line(tmp_path: Path) -> None:
    for name in ("tokenizer.json", "model.onnx"):
        (tmp_path / name).write_text("{")
    with pytest.raises(ModelError, match="cannot be read as a tokenizer"):
        FolderEmbedder(tmp_path).embed(["a"])


# An endpoint


def numbers(_path: str, body: Any) -> tuple[int, Any]:
    rows = [{"index": at, "embedding": [float(len(text)), 1.0]} for at, text in enumerate(body["input"])]
    return 200, {"data": rows[::-1]}


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_an_endpoint_is_asked_in_batches_and_its_rows_put_in_order() -> None:
    texts = ["x" * length for length in range(130)]
    seen: list[int] = []
    with JsonServer(numbers) as server:
        embedder = EndpointEmbedder(ModelSpec("openai", "e", server.url), "sk-key")
        vectors = embedder.embed(texts, progress=seen.append)
        assert embedder.dimension == 2
    assert seen == [64, 128, 130]
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-6)
    assert vectors[129, 0] / vectors[129, 1] == pytest.approx(129)
    path, body, headers = server.asked[0]
    assert (path, body["model"], body["input"][0]) == ("/v1/embeddings", "e", " ")
    assert headers["Authorization"] == "Bearer sk-key"


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize(
    ("reply", "said", "attempts"),
    [
        ((500, {}), "HTTP 500", 4),
        ((401, {}), "HTTP 401", 1),
        ((302, {}), "HTTP 302", 1),
        ((200, b"<html>"), "no JSON", 4),
        ((200, {"data": []}), "one vector for each text", 1),
        ((200, {"data": [{"index": 0, "embedding": ["x"]}]}), "one vector for each text", 1),
        ((200, {"data": [{"index": 0, "embedding": [float("nan")]}]}), "one vector for each text", 1),
        ((200, [1]), "one vector for each text", 1),
    ],
)
def test_an_endpoint_that_fails_is_one_line_after_bounded_attempts(
    reply: tuple[int, Any], said: str, attempts: int
) -> None:
    with JsonServer(lambda _path, _body: reply) as server:
        server.sent = {"Location": "http://127.0.0.1:9/steal"}
        with pytest.raises(ModelError, match=said) as failed:
            EndpointEmbedder(ModelSpec("openai", "e", server.url), "sk-hush").embed(["a"])
    assert len(server.asked) == attempts
    assert "hush" not in str(failed.value)
    assert "\n" not in str(failed.value)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_an_endpoint_that_fails_once_is_asked_again() -> None:
    replies = iter([(503, {}), (429, {})])
    with JsonServer(lambda path, body: next(replies, None) or numbers(path, body)) as server:
        assert EndpointEmbedder(ModelSpec("openai", "e", server.url)).embed(["a"]).shape == (1, 2)
    assert len(server.asked) == 3


# A library


class SentenceTransformer:
    """Stands in for the library's class: a text's vector is its length, an image's its mean."""

    def __init__(self, name: str, *, trust_remote_code: bool) -> None:
        assert not trust_remote_code
        if name == "missing":
            raise OSError("no such model\non the hub")

    def get_sentence_embedding_dimension(self) -> int:
        return 2

    def encode(self, items: Sequence[Any], *, normalize_embeddings: bool, **_others: Any) -> Any:
        assert normalize_embeddings
        rows = [[len(item) if isinstance(item, str) else np.asarray(item).mean(), 1.0] for item in items]
        return np.array([row / np.linalg.norm(row) for row in rows])


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        sys.modules,
        "sentence_transformers",
        SimpleNamespace(SentenceTransformer=SentenceTransformer),  # pyright: ignore[reportArgumentType]
    )


def test_models_of_the_library_embed_texts(library: None) -> None:
    embedder = SentenceEmbedder("e5")
    seen: list[int] = []
    vectors = embedder.embed(["ab", "abcd"] * 600, progress=seen.append)
    assert vectors.shape == (1200, embedder.dimension)
    assert vectors[1, 0] / vectors[1, 1] == pytest.approx(4)
    assert (embedder.name, seen) == ("sentence-transformers:e5", [1024, 1200])
    assert embedder.embed([]).shape == (0, 2)


def test_models_of_the_library_put_images_beside_texts(library: None) -> None:
    model = image_text_embedder("sentence-transformers:clip")
    assert model is not None
    images = model.embed_images([np.full((4, 4, 3), 7, np.uint8)])
    assert images[0, 0] / images[0, 1] == pytest.approx(7)
    assert model.embed_texts(["seven77"]) == pytest.approx(images)
    assert model.dimension == 2
    assert image_text_embedder() is None


def test_a_model_that_cannot_be_loaded_is_one_line(library: None) -> None:
    with pytest.raises(ModelError, match=r"no such model on the hub\): check its name"):
        SentenceEmbedder("missing").embed(["a"])


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelError, match=r"run `pip install 'octavo\[sentence-transformers\]'`"):
        SentenceEmbedder("e5").embed(["a"])
    assert json.dumps(SentenceEmbedder("e5").name)
