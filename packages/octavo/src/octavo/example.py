"""The document that comes with Octavo, for whoever has none at hand, and what can be asked of it."""

from __future__ import annotations

from pathlib import Path

_NAME = "handbook.pdf"
_PACKAGE = Path(__file__).parent
_PLACES = (_PACKAGE / "examples" / _NAME, _PACKAGE.parents[3] / "examples" / _NAME)
"""Where it lies in what is installed, and in a checkout."""
EXAMPLE_QUESTIONS = (
    "How long does a nitrogen cylinder of the bubbler last?",
    "What is the greatest swell height for landing at North Gut?",
    "At which battery charge do the diesels start by themselves?",
)
"""What can be asked of it: two answers stand in the text, the second in a table."""


def example_file() -> Path | None:
    """Return where the example lies; None where it was left out."""
    return next((path for path in _PLACES if path.is_file()), None)
