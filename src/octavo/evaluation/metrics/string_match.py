"""ALCE's string EM and string hit for long answers.

Gao et al., "Enabling Large Language Models to Generate Text with Citations", EMNLP 2023, section 4; the EM of ASQA
(Stelmakh et al., EMNLP 2022). The gold is a list of short answers, each a list of its aliases: string EM is the share
of them of which an alias stands in the response, a hit is all of them.
"""

from __future__ import annotations

from octavo.evaluation.metrics.inclusion import includes
from octavo.evaluation.metrics.normal import sequence, without_citations


def aliases(answer: object) -> list[list[str]]:
    """Return the gold as lists of aliases; a plain text is an answer with itself as only alias."""
    groups = sequence(answer)
    return [list(map(str, sequence(group) or [group])) for group in ([answer] if groups is None else groups)]


def score(answer: object, prediction: str, answer_format: str = "") -> float:
    """Return string EM in 0..1; 0.0 where there is no gold."""
    del answer_format
    groups, text = aliases(answer), without_citations(prediction)
    found = [any(includes(text, name) for name in group) for group in groups]
    return sum(found) / len(found) if found else 0.0


def hit(answer: object, prediction: str, answer_format: str = "") -> float:
    """Return 1.0 when every short answer stands in the response, else 0.0."""
    return float(score(answer, prediction, answer_format) == 1.0)
