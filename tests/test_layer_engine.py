"""Layers that only some systems read: when they are built, by whom, at what price, and what survives what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import storing
from octavo.corpus import Corpus
from octavo.document import PassageTable
from octavo.document.columns import pack
from octavo.errors import CorpusError
from octavo.layers import PASSAGES, TERMS
from octavo.layers.base import Layer, LayerInputs, text_embedding
from storing import write

TEXT = "# Sales\nThey rose to 1,577.5 in 2015.\f# Costs\nThey fell."


class OtherEmbedder(storing.WordEmbedder):
    name = "other-words"


def _vectors(inputs: LayerInputs) -> bytes:
    texts = list(PassageTable.from_bytes(inputs.stored["passages"]).text)
    return pack({"vectors": inputs.embedder().embed(texts).astype(np.float16)}, {})


def vectors() -> Layer:
    return Layer("vectors", 1, ("passages",), _vectors, text_embedding)


class TestTheEmbeddingModel:
    @staticmethod
    def opened(folder: Path, embedding, log: list[str]) -> Corpus:
        def builders():
            made = storing.builders(log=log)
            return type(made)(
                "1", made.parser, made.recognizer, {layer.name: layer for layer in (PASSAGES, TERMS, vectors())}
            )

        return Corpus(folder, embedding=embedding, builders=builders)

    def test_another_one_computes_the_vectors_anew_and_nothing_else(self, tmp_path: Path) -> None:
        files, log = write(tmp_path, a=TEXT, b="other text"), list[str]()
        with self.opened(tmp_path / "corpus", storing.WordEmbedder, log) as corpus:
            corpus.add(files)
            before = {(key.document_id, key.name): key.number for key in corpus._opened().published()}
        with self.opened(tmp_path / "corpus", OtherEmbedder, log) as corpus:
            assert len(corpus.add(files).added) == 2
            after = {(key.document_id, key.name): key.number for key in corpus._opened().published()}
        assert {name for (_, name), number in after.items() if number not in before.values()} == {"vectors"}
        assert len(log) == 2

    def test_documents_indexed_with_another_one_are_not_asked_by_meaning(self, tmp_path: Path) -> None:
        files, log = write(tmp_path, a=TEXT), list[str]()
        with self.opened(tmp_path / "corpus", storing.WordEmbedder, log) as corpus:
            corpus.add(files)
            assert corpus.search("sales rose").trace
        with self.opened(tmp_path / "corpus", OtherEmbedder, log) as corpus:
            with pytest.raises(CorpusError, match=r"another embedding model than other-words: run 'octavo add'"):
                corpus.search("sales rose")
            assert corpus.search("sales rose", system="bm25").trace
            corpus.add(files)
            assert corpus.search("sales rose").trace

    def test_of_many_documents_none_is_ranked_in_a_foreign_space(self, tmp_path: Path) -> None:
        files, log = write(tmp_path, **{f"f{number}": f"text number{number}" for number in range(30)}), list[str]()
        with self.opened(tmp_path / "corpus", storing.WordEmbedder, log) as corpus:
            corpus.add(files)
        with self.opened(tmp_path / "corpus", OtherEmbedder, log) as corpus:
            corpus.add(files[:-1])
            with pytest.raises(CorpusError, match=r"f29.pdf was indexed with another embedding model"):
                corpus.search("text", system="bm25")
