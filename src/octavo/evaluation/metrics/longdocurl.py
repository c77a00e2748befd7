"""LongDocURL's rule.

Deng et al., "LongDocURL", ACL 2025 (arXiv 2412.18424) and its published evaluation: MMLongBench-Doc's comparisons
after units and thousands separators are dropped; a list scores each gold item's best match, times the square root of
how much shorter the gold is than the prediction; items that are numbers must agree in order. Quirks are kept: units
are stripped as sets of letters, so "12 km" becomes "12 k".
"""

from __future__ import annotations

import math
from typing import Any, cast

from octavo.evaluation.metrics import mmlongbench
from octavo.evaluation.metrics.anls import similarity

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


def score(answer: object, prediction: object, answer_format: str) -> float:
    """Return 0..1; formats are Integer, Float, String and None (Int and Str mean the same), the rest are lists."""
    if answer_format in ("Integer", "Int"):
        return _integer(clean(answer), clean(prediction))
    if answer_format == "Float":
        return _decimal(clean(answer), clean(prediction))
    if answer_format in ("String", "Str", "None"):
        return mmlongbench.text_score(clean(answer), clean(prediction))
    return _list(_rows(answer), _rows(prediction))


def clean(value: object) -> str:
    """Return the rule's normal form: no separators, trailing units, parentheses, quotes or currency signs."""
    text = str(value).lower().strip().replace(",", "")
    for unit in _UNITS:
        if text.endswith(unit):
            text = text.rstrip(unit).strip()
    text = mmlongbench.clean(text)
    return text.lstrip("£").strip()


def _integer(answer: str, prediction: str) -> float:
    try:
        given = int(prediction)
    except ValueError:
        return 0.0
    try:
        return float(int(answer) == given)
    except ValueError:
        return 0.0


def _decimal(answer: str, prediction: str) -> float:
    if not (mmlongbench.is_number(answer) and mmlongbench.is_number(prediction)):
        return 0.0
    return float(mmlongbench.numbers_agree(float(answer), float(prediction)))


def _rows(value: object) -> list[object]:
    """Return the items; where the first is a mapping, every one is written as its values joined by "-"."""
    found = mmlongbench.as_list(value)
    if found and isinstance(found[0], dict):
        return [_joined(item) for item in found]
    return found


def _joined(item: object) -> object:
    return "-".join(str(value) for value in cast("dict[Any, Any]", item).values()) if isinstance(item, dict) else item


def _list(answer: list[object], prediction: list[object]) -> float:
    wanted, given = [clean(item) for item in answer], [clean(item) for item in prediction]
    if not wanted or not given:
        return float(wanted == given)
    if mmlongbench.is_number(wanted[0]) or mmlongbench.is_exact(wanted[0]):
        return float("-".join(wanted) == "-".join(given))
    best = sum(max(similarity(left, right) for right in given) for left in wanted) / len(wanted)
    return best * math.sqrt(min(1.0, len(wanted) / len(given)))
