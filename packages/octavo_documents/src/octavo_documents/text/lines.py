"""A text on one line."""

from __future__ import annotations


def on_one_line(text: str) -> str:
    """Return a text with every run of white space as one space, and none at its ends."""
    return " ".join(text.split())
