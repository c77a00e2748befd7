"""Rule accuracy for every benchmark: right or wrong, by the rule of MMLongBench-Doc, or of LongDocURL for its formats.

LAD-RAG (section 3.3) has a model take the short answer out of a response and a rule compare it, also where a benchmark
has no such rule of its own, such as DUDE and MP-DocVQA. Of several accepted answers any will do; one that is a number
is compared as a number.
"""

from __future__ import annotations

from octavo_lab.metrics import mmlongbench, published
from octavo_lab.metrics.overlap import is_refusal, references, sequence

RIGHT = 0.5
"""The least score that is right: half of the letters, or of the items."""
_LONG, _LIST = "Long", "List"
_LONGDOCURL = frozenset({"Integer", "String"})


def rule_accuracy(answer: object, prediction: str, answer_format: str) -> float | None:
    """Return 1.0 where a prediction is right, else 0.0; None for long answers, which no rule compares."""
    if answer_format == _LONG:
        return None
    if _is_none(answer) or is_refusal(prediction):
        return float(_is_none(answer) and is_refusal(prediction))
    return float(max(_scores(answer, prediction, answer_format), default=0.0) >= RIGHT)


def _is_none(answer: object) -> bool:
    return isinstance(answer, str) and is_refusal(answer)


def _scores(answer: object, prediction: str, answer_format: str) -> list[float]:
    if answer_format in _LONGDOCURL:
        return [published.longdocurl(answer, prediction, answer_format)]
    if answer_format == _LIST or sequence(answer) is None:
        return [mmlongbench.score(answer, prediction, answer_format)]
    return [_of_one(wanted, prediction) for wanted in references(answer, answer_format)]


def _of_one(wanted: str, prediction: str) -> float:
    cleaned, given = mmlongbench.clean(wanted), mmlongbench.clean(prediction)
    if mmlongbench.is_number(cleaned) and mmlongbench.is_number(given):
        return mmlongbench.decimal_score(cleaned, given)
    return mmlongbench.text_score(cleaned, given)
