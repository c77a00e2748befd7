"""A description without a model: the caption, what the text says of the element, and the text inside it.

Owns their order and how much of each is kept.
"""

from __future__ import annotations

from collections.abc import Sequence

LONGEST = 1200
"""Characters of a description."""
_LONGEST_MENTION = 300
_MENTIONS = 3


def description(kind: str, caption: str, inside: str, mentions: Sequence[str]) -> str:
    """Return caption, the first sentences that refer to the element, and its text; the kind when there is nothing."""
    parts = [_line(caption), *(_line(one)[:_LONGEST_MENTION] for one in mentions[:_MENTIONS]), inside.strip()]
    text = "\n".join(dict.fromkeys(part for part in parts if part))
    return text[:LONGEST].rstrip() or kind.replace("_", " ") or "element"


def _line(text: str) -> str:
    return " ".join(text.split())
