# pyright: reportUnknownMemberType=false
"""What networks of BERT's kin share: word pieces, batches of texts of similar length, and a memory of what they gave.

Word pieces are those of uncased BERT models.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from octavo.errors import ModelError
from octavo_documents.models.networks import Engine, Feeds, Output

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")

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


def computed(
    engine: Engine,
    rows: Sequence[Sequence[int]],
    *,
    lengths: Sequence[int],
    width: Callable[[int], int],
    batch_tokens: int,
    second_from: int | None = None,
) -> Iterator[tuple[list[int], Output]]:
    """Yield positions in `rows`, which are token ids, with a network's output for them, batch by batch.

    Rows of similar `lengths` go together, the longest first so that the last batches, which leave cores idle, are
    small: as many as make `batch_tokens` at the `width` that the longest is padded to. Tokens from `second_from` on
    are those of a second text.
    """
    together = list(groups(lengths, width, batch_tokens))
    names = engine.inputs
    feeds = (_feeds([rows[at] for at in group], width(lengths[group[0]]), second_from, names) for group in together)
    for position, output in engine.stream(feeds):
        yield together[position], output


def groups(lengths: Sequence[int], width: Callable[[int], int], batch_tokens: int) -> Iterator[list[int]]:
    """Yield positions that are computed together, as in `computed`."""
    order, start = sorted(range(len(lengths)), key=lambda row: -lengths[row]), 0
    while start < len(order):
        size = max(1, batch_tokens // width(lengths[order[start]]))
        yield order[start : start + size]
        start += size


def _feeds(rows: Sequence[Sequence[int]], width: int, second_from: int | None, names: frozenset[str]) -> Feeds:
    """Return those inputs that the network has, (len(rows), width) int64 each. What is masked out may have any id."""
    ids = np.full((len(rows), width), PAD, dtype=np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    for row, tokens in enumerate(rows):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
        if second_from is not None:
            types[row, second_from : len(tokens)] = 1
    feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    return {name: values for name, values in feeds.items() if name in names}


class Kept(Generic[_Key, _Value]):
    """The last values that were asked for, as many as have `most` of `size` in all. Thread-safe."""

    def __init__(self, most: int, size: Callable[[_Value], int]) -> None:
        self._most, self._size, self._total = most, size, 0
        self._kept: OrderedDict[_Key, _Value] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, keys: Sequence[_Key], read: Callable[[list[_Key]], Iterable[_Value]]) -> list[_Value]:
        """Return the values of keys; `read` gives those that are not there, each once."""
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
            for key in found:
                self._kept.move_to_end(key)
        new = [key for key in dict.fromkeys(keys) if key not in found]
        if new:
            read_now = dict(zip(new, read(new), strict=True))
            found |= read_now
            self._keep(read_now)
        return [found[key] for key in keys]

    def _keep(self, values: dict[_Key, _Value]) -> None:
        with self._lock:
            for key, value in values.items():
                if key not in self._kept:
                    self._kept[key] = value
                    self._total += self._size(value)
            while self._total > self._most:
                self._total -= self._size(self._kept.popitem(last=False)[1])
