"""Words of a question that only show what an answer should look like: "like ['Page 2', 'Page 4']".

Owns telling them. Knows nothing about answers.
"""

from __future__ import annotations

import re

_EXAMPLE = re.compile(
    r"\((?:for example|e\.g\.|such as)[^)]*\)"
    r"|\b(?:for example|e\.g\.|such as|like)[,:]?\s*[\[\"'].*?(?:\]|[.;](?=\s|$)|$)"
    r"|\[[^\]]*[,\"'][^\]]*\]|\b(?:answer|format|write|return|give) .{0,60}\bformat\b",
    re.IGNORECASE | re.DOTALL,
)


def without_examples(question: str) -> str:
    """Return the question with examples and orders of format as spaces, so that offsets stay."""
    return _EXAMPLE.sub(lambda found: " " * len(found.group()), question)
