"""What of a summary is looked at first: which systems, in which order, and which metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from octavo.evaluation.metrics.table import of_plain_questions

Summary = Mapping[str, Any]
"""What `summary.summarize` returns; a system is one of its `systems`."""
System = Mapping[str, Any]

KIND = "kind"
"""The breakdown that a user's own questions are read by."""
BESIDE = {
    "judged": "judged right by {assessor}",
    "pr@5": "all pages needed together among the first five",
    "document_pr": "all documents needed together among those read",
}
"""What is shown too where a model judges, or where several pages or documents are needed together."""


def shown(summary: Summary) -> list[System]:
    """Return the systems that were named; points of sweeps have plots of their own."""
    return [system for system in summary["systems"] if not system["swept"]]


def ordered(summary: Summary) -> list[System]:
    """Return the systems best first by the main metric, each with its variants under it, these best first too."""
    main = summary["main_metric"]

    def worth(system: System) -> float:
        value = system["metrics"].get(main)
        return -1.0 if value is None else float(value)

    groups: dict[str, list[System]] = {}
    for system in shown(summary):
        groups.setdefault(system["base"], []).append(system)
    families = [sorted(group, key=lambda one: (one["system"] != one["base"], -worth(one))) for group in groups.values()]
    families.sort(key=lambda family: -worth(family[0]))
    return [system for family in families for system in family]


def is_plain(summary: Summary) -> bool:
    """Return whether the questions are measured as a user's own ones are."""
    return summary["main_metric"] in of_plain_questions()


def headline(summary: Summary) -> list[str]:
    """Return the metrics to look at first that concern any question; none where a benchmark has a rule of its own."""
    names = (*of_plain_questions(), *BESIDE) if is_plain(summary) else ()
    return [name for name in names if any(one["metrics"].get(name) is not None for one in shown(summary))]
