"""What of a question is only about the form of its answer: examples, orders of format."""

from __future__ import annotations

import re

from octavo.text.sentences import sentence_spans

_EXAMPLE = re.compile(
    r"\((?:for example|e\.g\.|such as)[^)]*\)"
    r"|\b(?:for example|e\.g\.|such as|like)[,:]?\s*[\[\"'].*?(?:\]|[.;](?=\s|$)|$)"
    r"|\[[^\]]*[,\"'][^\]]*\]|\b(?:answer|format|write|return|give) .{0,60}\bformat\b",
    re.IGNORECASE | re.DOTALL,
)
_EXAMPLE_BEGINS = re.compile(
    r"\b(?:for example|for instance|e\.g\.?|example:)|\b(?:like|as|format)\W*(?=[\[(][\"'\d])", re.I
)
"""Where words begin that only show what an answer may look like."""
_ABOUT_THE_ANSWER = re.compile(
    r"\s*(?:please\b|an[sw]{2}er\b|write\b|format\b|round\b|return\b|give\b|express\b|provide\b|note\b|use\b|output\b)",
    re.I,
)


def without_examples(question: str) -> str:
    """Return the question with examples and orders of format as spaces, so that offsets stay."""
    return _EXAMPLE.sub(lambda found: " " * len(found.group()), question)


def without_form(question: str) -> str:
    """Return the question without examples of answers and sentences about the answer's form."""
    spans = [question[start:stop] for start, stop in sentence_spans(question)]
    kept = [part for at, part in enumerate(spans) if at == 0 or not _ABOUT_THE_ANSWER.match(part)]
    return " ".join(_EXAMPLE_BEGINS.split(part, maxsplit=1)[0] for part in kept)
