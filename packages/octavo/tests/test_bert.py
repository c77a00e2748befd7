"""Batches of networks of BERT's kin, and what is kept of what they gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from octavo.models.bert import CLS, PAD, SEP, Kept, computed
from octavo_documents.errors import ModelError
from octavo_documents.models.inference import LazyEngine
from octavo_documents.models.networks import Engine, Feeds, Output


class Adding:
    """An engine that adds up the ids of each row, and answers its batches in the wrong order."""

    def __init__(self, *inputs: str) -> None:
        self.inputs = frozenset(inputs)
        self.seen: list[Feeds] = []

    def stream(self, batches: Iterable[Feeds]) -> Iterator[tuple[int, Output]]:
        self.seen = list(batches)
        for position in reversed(range(len(self.seen))):
            yield position, self.seen[position]["input_ids"].sum(axis=1, keepdims=True).astype(np.float32)


def test_rows_of_similar_length_go_together_and_come_back_to_their_places() -> None:
    rows = [[CLS, *([7] * count), SEP] for count in (1, 9, 2, 10, 30)]
    engine, sums = Adding("input_ids", "attention_mask"), dict[int, float]()
    lengths = [len(row) for row in rows]
    for at, output in computed(
        engine, rows, lengths=lengths, width=lambda length: -(-length // 4) * 4, batch_tokens=24
    ):
        sums.update(zip(at, output[:, 0].tolist(), strict=True))
    assert sums == {at: sum(row) for at, row in enumerate(rows)}
    assert [feeds["input_ids"].shape for feeds in engine.seen] == [(1, 32), (2, 12), (2, 4)]
    assert [feeds["attention_mask"].sum(axis=1).tolist() for feeds in engine.seen] == [[32], [12, 11], [4, 3]]
    assert engine.seen[2]["input_ids"][1].tolist() == [CLS, 7, SEP, PAD]
    assert {*engine.seen[0]} == {"input_ids", "attention_mask"}


def test_tokens_of_a_second_text_are_marked() -> None:
    engine = Adding("input_ids", "token_type_ids")
    rows = [[CLS, 5, SEP, 6, SEP], [CLS, 5, SEP, SEP]]
    [*computed(engine, rows, lengths=[5, 4], width=lambda _: 6, batch_tokens=100, second_from=3)]
    assert engine.seen[0]["token_type_ids"].tolist() == [[0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 0, 0]]


def test_values_are_read_once_and_the_oldest_are_forgotten() -> None:
    asked: list[list[str]] = []

    def read(new: list[str]) -> list[int]:
        asked.append(new)
        return [len(one) for one in new]

    kept = Kept[str, int](6, lambda value: value)
    assert kept.of(["a", "bb", "a"], read) == [1, 2, 1]
    assert kept.of(["bb", "ccc"], read) == [2, 3]
    assert kept.of(["bb"], read) == [2]
    kept.of(["d"], read)  # "a" goes, which was asked for longest ago
    kept.of(["bb", "ccc"], read)
    kept.of(["a"], read)
    assert kept.of(["eeeeeee"], read) == [7]  # too much to keep
    kept.of(["eeeeeee"], read)
    assert asked == [["a", "bb"], ["ccc"], ["d"], ["a"], ["eeeeeee"], ["eeeeeee"]]


def test_a_network_is_loaded_once_by_many_threads_and_again_where_loading_failed() -> None:
    loaded: list[Engine] = []

    def load() -> Engine:
        loaded.append(Adding())
        if len(loaded) == 1:
            raise ModelError("no engine")
        return loaded[-1]

    network = LazyEngine(load)
    with pytest.raises(ModelError, match="no engine"):
        network.loaded()
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda _: network.loaded(), range(8))]
    assert len(loaded) == 2
    assert {id(one) for one in found} == {id(loaded[1])}
