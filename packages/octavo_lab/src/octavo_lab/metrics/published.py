"""The rules of published benchmarks; MMLongBench-Doc's has a module of its own.

Each function takes the gold answer, the prediction and the answer's format, and returns 0..1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, cast

from octavo_documents.text.values import word_value
from octavo_lab.metrics import mmlongbench
from octavo_lab.metrics.mmlongbench import is_number
from octavo_lab.metrics.overlap import (
    aliases,
    aligned,
    is_refusal,
    items,
    normalize,
    parse_list,
    similarity,
    token_f1,
    without_citations,
)

UNANSWERABLE = "Unanswerable"
"""What Qasper's annotators write where a paper does not answer a question."""

_UNITS = (
    "kg",
    "mm",
    "m",
    "meters",
    "acres",
    "minutes",
    "mile",
    "miles",
    "million",
    "thousand",
    "billion",
)
_ARTICLE = {"a", "an", "the"}
_ENOUGH = 5
"""Answers at which recall-5 is full."""


def longdocurl(answer: object, prediction: object, answer_format: str) -> float:
    """Return LongDocURL's score; formats are Integer, Float, String and None (Int and Str too), the rest are lists.

    Deng et al., "LongDocURL", ACL 2025 (arXiv 2412.18424) and its published evaluation: MMLongBench-Doc's comparisons
    after units and thousands separators are dropped; a list scores each gold item's best match, times the square root
    of how much shorter the gold is than the prediction; items that are numbers must agree in order. Quirks are kept:
    units are stripped as sets of letters, so "12 km" becomes "12 k".
    """
    if answer_format in ("Integer", "Int"):
        return _integer(_clean(answer), _clean(prediction))
    if answer_format == "Float":
        return mmlongbench.decimal_score(_clean(answer), _clean(prediction))
    if answer_format in ("String", "Str", "None"):
        return mmlongbench.text_score(_clean(answer), _clean(prediction))
    return _list(_rows(answer), _rows(prediction))


def _clean(value: object) -> str:
    """Return LongDocURL's normal form: no separators, trailing units, parentheses, quotes or currency signs."""
    text = str(value).lower().strip().replace(",", "")
    for unit in _UNITS:
        if text.endswith(unit):
            text = text.rstrip(unit).strip()
    return mmlongbench.clean(text).lstrip("£").strip()


def _integer(answer: str, prediction: str) -> float:
    try:
        return float(int(answer) == int(prediction))
    except ValueError:
        return 0.0


def _rows(value: object) -> list[object]:
    """Return the items; where the first is a mapping, every one is written as its values joined by "-"."""
    found = mmlongbench.as_list(value)
    if found and isinstance(found[0], dict):
        return [_joined(item) for item in found]
    return found


def _joined(item: object) -> object:
    return "-".join(str(value) for value in cast("dict[Any, Any]", item).values()) if isinstance(item, dict) else item


def _list(answer: list[object], prediction: list[object]) -> float:
    wanted, given = [_clean(item) for item in answer], [_clean(item) for item in prediction]
    if not wanted or not given:
        return float(wanted == given)
    if is_number(wanted[0]) or mmlongbench.is_exact(wanted[0]):
        return float("-".join(wanted) == "-".join(given))
    best = sum(max(similarity(left, right) for right in given) for left in wanted) / len(wanted)
    return best * math.sqrt(min(1.0, len(wanted) / len(given)))


def qasper(answer: object, prediction: str, answer_format: str = "Str") -> float:
    """Return token F1 against the best annotator's answer; any refusal is read as "Unanswerable".

    Dasigi et al., "A Dataset of Information-Seeking Questions and Answers Anchored in Research Papers", NAACL 2021.
    """
    return token_f1(answer, UNANSWERABLE if is_refusal(prediction) else prediction, answer_format)


def m3docvqa(answer: object, prediction: object, _format: str = "List") -> float:
    """Return M3DocVQA's list F1, rounded to hundredths as published.

    Cho et al., "M3DocRAG", 2024 (arXiv 2411.04952); Talmor et al., "MultimodalQA", ICLR 2021; Dua et al., "DROP",
    NAACL 2019. Answers are lists of spans. Words are split at blanks and hyphens, numbers (also "three") written alike;
    spans are paired one to one so that the sum of bag F1 is highest, and a pair with different numbers counts nothing.
    """
    wanted, given = ([frozenset(_span(item).split()) for item in items(side)] for side in (answer, prediction))
    return round(aligned(wanted, given, _span_f1), 2)


def m3docvqa_em(answer: object, prediction: object, _format: str = "List") -> float:
    """Return M3DocVQA's list EM: 1.0 for the same spans, else 0.0."""
    wanted, given = ([_span(item) for item in items(side)] for side in (answer, prediction))
    return float(set(wanted) == set(given) and len(wanted) == len(given))


def _span(text: str) -> str:
    words = (_word(word) for word in re.split("[ -]", text.lower()))
    return " ".join(word for word in words if word and word not in _ARTICLE)


def _word(word: str) -> str:
    plain = word if is_number(word) else normalize(word)
    value = float(plain) if is_number(plain) else word_value(plain)
    return plain if value is None else str(value)


def _span_f1(wanted: frozenset[str], given: frozenset[str]) -> float:
    numbers = {word for word in wanted if is_number(word)}
    if numbers and not numbers & given:
        return 0.0
    if not wanted or not given:
        return float(wanted == given)
    return 2 * len(wanted & given) / (len(wanted) + len(given))


def qampari_precision(answer: object, prediction: str, _format: str = "") -> float:
    """Return the share of predicted items that are an alias of a gold answer.

    Amouyal et al., "QAMPARI", 2022, as measured by ALCE (Gao et al., EMNLP 2023, section 4): the prediction is a list
    separated by commas; the gold is a list of answers, each a list of its aliases. A list with semicolons, one with
    "and" before its last item and one that has an item a line are lists too.
    """
    groups = _groups(answer)
    given, known = _given(prediction, groups), {name for group in groups for name in group}
    return sum(item in known for item in given) / len(given) if given else 0.0


def qampari_recall(answer: object, prediction: str, _format: str = "", *, enough: int | None = None) -> float:
    """Return the share of gold answers predicted; with `enough`, full once that many are found."""
    groups = _groups(answer)
    given = set(_given(prediction, groups))
    if not groups:
        return 0.0
    limit = len(groups) if enough is None else min(enough, len(groups))
    return min(limit, sum(bool(group & given) for group in groups)) / limit


def qampari_recall_5(answer: object, prediction: str, _format: str = "") -> float:
    """Return recall that is full at five answers (ALCE)."""
    return qampari_recall(answer, prediction, enough=_ENOUGH)


def qampari_f1(answer: object, prediction: str, _format: str = "") -> float:
    """Return F1 of precision and recall over all answers."""
    return _harmonic(qampari_precision(answer, prediction), qampari_recall(answer, prediction))


def qampari_f1_5(answer: object, prediction: str, _format: str = "") -> float:
    """Return F1 of precision and recall-5 (ALCE)."""
    return _harmonic(qampari_precision(answer, prediction), qampari_recall_5(answer, prediction))


def _groups(answer: object) -> list[set[str]]:
    return [{normalize(name) for name in group} for group in aliases(answer)]


def _given(prediction: str, groups: Sequence[set[str]]) -> list[str]:
    """Return the normal forms of what a prediction lists."""
    listed = parse_list(prediction)
    parts = _split(prediction.strip().rstrip(".,;"), groups) if listed is None else map(str, listed)
    return [plain for plain in (normalize(without_citations(part)) for part in parts) if plain]


def _split(text: str, groups: Sequence[set[str]]) -> list[str]:
    """Return the items of a list that is written out: a line each, or with semicolons, else with commas and "and".

    An "and" inside a name that the gold has parts nothing: "Trinidad and Tobago".
    """
    lines = [_BULLET.sub("", line) for line in text.splitlines() if line.strip() and not line.rstrip().endswith(":")]
    if len(lines) > 1:
        return [line.strip().rstrip(".,;") for line in lines]
    if ";" in text:
        return text.split(";")
    *first, last = text.split(",")
    last = _AND.sub("", last)
    known = any(normalize(last) in group for group in groups)
    return [*first, *([last] if known else _JOINED.split(last))]


_BULLET = re.compile(r"^\s*(?:[-*•–]|\d+[.)])\s+")
_AND = re.compile(r"^\s*and\s+", re.IGNORECASE)
_JOINED = re.compile(r"\s+and\s+", re.IGNORECASE)


def _harmonic(left: float, right: float) -> float:
    return 2 * left * right / (left + right) if left + right else 0.0
