"""Questions that nobody would call good ones: long, short, of signs, in another writing. With and without the model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import octavo
from octavo.errors import UsageError
from octavo.evidence import Outcome
from octavo.models.embedders import embedder
from octavo.models.minilm import MiniLmEmbedder
from octavo.models.ports import TextEmbedder
from octavo_documents.models.networks import Weights

TEXT = (
    "# Ferry\n\nThe ferry leaves the north quay at seven and comes back at nine.\n\n"
    "# Lamp\n\nThe lamp was renewed in 1931 by the harbour office.\n"
)
ODD = {
    "of 2,000 words": "When does the ferry leave the north quay and who renewed the lamp? " * 154,
    "of a letter": "a",
    "of a digit": "7",
    "in Chinese": "渡轮几点离开北码头？",
    "in Arabic": "متى تغادر العبارة؟",
    "in German": "Wann fährt die Fähre ab?",
    "with control characters": "ferry\x00\x01 leaves",
    "of a word without end": "ferry" * 4000,
}


def _absent() -> TextEmbedder:
    return MiniLmEmbedder(weights=Weights("no_such_package", "model.onnx", "0" * 64, "no-such-package==1.0"))


@pytest.fixture(scope="module", params=[embedder, _absent], ids=["with the model", "without"])
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    given: Callable[[], TextEmbedder] = request.param
    folder: Path = tmp_path_factory.mktemp("odd")
    (folder / "island.md").write_text(TEXT, encoding="utf-8")
    with octavo.open(folder / "corpus", embedding=given) as opened:
        opened.add(folder / "island.md")
        yield opened


@pytest.mark.parametrize("question", ODD.values(), ids=ODD)
def test_what_comes_of_it_is_told_in_a_few_words(corpus, question: str) -> None:
    answer = corpus.ask(question)
    assert answer.outcome in (Outcome.PASSAGES, Outcome.NOTHING, Outcome.ANSWER)
    assert answer.passages or answer.outcome is Outcome.NOTHING
    assert len(answer.lead) < 300


@pytest.mark.parametrize("question", ["?!.,;:-()[]", "🙂🙂", '"'])
def test_signs_alone_ask_nothing(corpus, question: str) -> None:
    with pytest.raises(UsageError, match="signs alone ask nothing"):
        corpus.ask(question)
