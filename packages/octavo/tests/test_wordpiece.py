"""The tokenizer splits as uncased BERT does."""

from __future__ import annotations

import hashlib

import pytest

from octavo.models.bert import CLS, SEP, UNKNOWN, VOCABULARY, count_tokens, encode, token_spans, tokenizer


def pieces(text: str) -> list[str]:
    return tokenizer().encode(text, add_special_tokens=False).tokens


def test_the_vocabulary_is_the_published_one() -> None:
    digest = hashlib.sha256(VOCABULARY.read_bytes()).hexdigest()
    assert digest == "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, World!", ["hello", ",", "world", "!"]),
        ("naïve Ångström", ["naive", "ang", "##strom"]),
        ("unaffable", ["una", "##ffa", "##ble"]),
        ("東京", ["東", "京"]),
        ("$1,577.5", ["$", "1", ",", "57", "##7", ".", "5"]),
        ("x" * 101, ["[UNK]"]),
        ("\U0001faa8", ["[UNK]"]),
        ("a\x00b\u200bc\tone\n", ["abc", "one"]),
        ("", []),
        (" \t\n", []),
    ],
)
def test_text_splits_into_the_longest_known_pieces(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected
    assert count_tokens([text]) == [len(expected)]


def test_ids_stand_between_cls_and_sep_and_are_cut_to_the_limit() -> None:
    assert encode(["hello world", "", "\U0001faa8"], max_tokens=8) == [
        [CLS, 7592, 2088, SEP],
        [CLS, SEP],
        [CLS, UNKNOWN, SEP],
    ]
    (cut,) = encode(["hello " * 50], max_tokens=8)
    assert len(cut) == 8
    assert (cut[0], cut[-1]) == (CLS, SEP)


def test_spans_point_into_the_text_as_it_was_written() -> None:
    text = "Café  unaffable 東京"
    assert [text[start:end] for start, end in token_spans(text)] == ["Café", "una", "ffa", "ble", "東", "京"]
