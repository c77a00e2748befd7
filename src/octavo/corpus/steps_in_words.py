"""The steps of a question in plain words, for people who watch an answer being found."""

from __future__ import annotations

from octavo.document import TraceStep


def told(step: TraceStep) -> str | None:
    """Return a sentence on what a step did, None for one that says nothing to a layman."""
    return f"{step.step}: {step.rows_in:,} → {step.rows_out:,} places" if step.rows_out else None
