# pyright: reportUnknownMemberType=false
"""Text to the token ids of uncased BERT models, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

VOCABULARY = Path(__file__).parent / "data" / "bert-base-uncased-vocab.txt"
VOCABULARY_SIZE = 30522
PAD, UNKNOWN, CLS, SEP = 0, 100, 101, 102
"""Ids of the special tokens in the vocabulary of bert-base-uncased, which has `VOCABULARY_SIZE` entries."""


@cache
def tokenizer() -> Tokenizer:
    """Return the tokenizer, without special tokens, truncation or padding. Safe to use from many threads."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    if not VOCABULARY.is_file():
        raise ModelError(f"{VOCABULARY} is missing: run `pip install --force-reinstall octavo`")
    pieces = models.WordPiece.from_file(str(VOCABULARY), unk_token="[UNK]")  # noqa: S106
    built = Tokenizer(pieces)
    built.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=True)
    built.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if built.get_vocab_size() != VOCABULARY_SIZE:
        raise ModelError(f"{VOCABULARY} is damaged: run `pip install --force-reinstall octavo`")
    return built


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Return how many word pieces each text has, special tokens not counted. About 5 million a second on two cores."""
    return [len(encoding) for encoding in tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)]


def token_spans(text: str) -> list[tuple[int, int]]:
    """Return each word piece's [start, end) in characters of `text`, for cutting a long text between two of them."""
    return tokenizer().encode(text, add_special_tokens=False).offsets


def encode(texts: Sequence[str], *, max_tokens: int) -> list[list[int]]:
    """Return the token ids of each text between [CLS] and [SEP], cut to `max_tokens` ids (both included)."""
    encodings = tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)
    return [[CLS, *encoding.ids[: max_tokens - 2], SEP] for encoding in encodings]
