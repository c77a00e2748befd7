"""MMLongBench-Doc's rule.

Ma et al., "MMLongBench-Doc", NeurIPS 2024 (arXiv 2407.01523), section 4.1 and its published evaluation: numbers are
compared as numbers, texts by ANLS with threshold 0.5 or exactly where a near miss is a miss (addresses, files, pages,
telephone numbers, times, dates), lists item by item in sorted order, the worst item counting. The rule's own quirks
are kept: an integer with a thousands separator is no integer, and "12 miles" keeps its unit. Where the published code
would stop with an error (an unreadable gold number, an empty list) the score is 0.0, or 1.0 for two empty lists.
"""

from __future__ import annotations

import math
import re

from octavo_lab.metrics.overlap import normalize, parse_list, similarity

NOT_ANSWERABLE = "Not answerable"

_PARENTHESIS = re.compile(r"\s*\([^)]*\)")
_OUTER_QUOTE = re.compile(r"^['\"]|['\"]$")
_EXACT = (
    re.compile(r"\b\d+(-\d+|\s\d+)?\b"),
    re.compile(r"\b\d{4}[-\s]\d{2}[-\s]\d{2}\b"),
    re.compile(r"\b\d{4}[-\s]\d{2}\b"),
    re.compile(r"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}"),
)


def score(answer: object, prediction: object, answer_format: str) -> float:
    """Return 0..1 for a final answer; formats are Int, Float, Str, None, and anything else is a list."""
    if answer_format == "Int":
        return _integer(answer, prediction)
    if answer_format == "Float":
        return decimal_score(clean(answer), clean(prediction))
    if answer_format in ("Str", "None"):
        return text_score(clean(answer), clean(prediction))
    return _list(answer, prediction)


def clean(value: object) -> str:
    """Return the rule's normal form: lower case, no parentheses, outer quotes, leading "$" or trailing "%"."""
    text = _OUTER_QUOTE.sub("", _PARENTHESIS.sub("", str(value).lower().strip()).strip())
    return text.strip().lstrip("$").strip().rstrip("%").strip()


def is_exact(text: str) -> bool:
    """Return whether a gold text must be met exactly."""
    return (
        "https://" in text
        or text.endswith((".py", "ipynb"))
        or text.startswith("page")
        or "a.m." in text
        or "p.m." in text
        or any(pattern.fullmatch(text) for pattern in _EXACT)
    )


def is_number(text: str) -> bool:
    """Return whether a text reads as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def text_score(answer: str, prediction: str) -> float:
    """Return the score of one cleaned text against another."""
    return float(answer == prediction) if is_exact(answer) else similarity(answer, prediction)


def decimal_score(answer: str, prediction: str) -> float:
    """Return whether two cleaned texts are the same number, as 1.0 or 0.0; see `_numbers_agree`."""
    return float(is_number(answer) and is_number(prediction) and _numbers_agree(float(answer), float(prediction)))


def _numbers_agree(answer: float, prediction: float) -> bool:
    """Return whether two numbers are the same up to 1 %, rounding, or a percentage written as a fraction."""
    for wanted in (answer / 100, answer, answer * 100):
        if math.isclose(wanted, prediction, rel_tol=0.01):
            return True
        digits = max(min(_digits(prediction), _digits(wanted)), 2)
        if round(prediction, digits) == round(wanted, digits):
            return True
    return False


def _digits(value: float) -> int:
    """Return the digits after the point, 3 when the number is written without one."""
    _, point, after = str(value).partition(".")
    return len(after) if point else 3


def _integer(answer: object, prediction: object) -> float:
    try:
        return float(int(answer) == int(float(prediction)))  # pyright: ignore[reportArgumentType]
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _list(answer: object, prediction: object) -> float:
    wanted, given = as_list(answer), as_list(prediction)
    if len(wanted) != len(given):
        return 0.0
    if not wanted:
        return 1.0
    wanted, given = sorted(map(clean, wanted)), sorted(map(clean, given))
    if is_number(wanted[0]) or is_exact(wanted[0]):
        return float("-".join(wanted) == "-".join(given))
    return min(similarity(left, right) for left, right in zip(wanted, given, strict=True))


def as_list(value: object) -> list[object]:
    """Return a list as it is, a text that is a literal list as that list, and anything else as its one item."""
    if isinstance(value, list):
        return value  # pyright: ignore[reportUnknownVariableType]
    found = parse_list(value) if isinstance(value, str) else None
    return [value] if found is None else found


def is_not_answerable(value: object) -> bool:
    """Return whether a gold answer or a prediction says that the question cannot be answered."""
    return normalize(str(value)) == normalize(NOT_ANSWERABLE)


def f1_parts(value: float, answer: object, prediction: object) -> tuple[float, float]:
    """Return a question's share of F1, which is the sum of the first parts over the sum of the second.

    Recall is the scores of answerable questions over their number, precision the same over the number of questions
    answered at all; their harmonic mean is twice the scores over both numbers together.
    """
    answerable, answered = not is_not_answerable(answer), not is_not_answerable(prediction)
    return (2 * value if answerable else 0.0), float(answerable) + float(answered)
