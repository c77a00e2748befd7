"""The figures of a user's own questions, in words: what is told at the end of a run and in Markdown.

Owns which figures these are and how they are told. Knows nothing about how they were computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from octavo.evaluation.metrics.table import of_plain_questions
from octavo.evaluation.report.style import shown

Summary = Mapping[str, Any]
System = Mapping[str, Any]

KIND = "kind"
"""The breakdown that plain questions are read by."""
_BESIDE = {
    "judged": "judged right by {assessor}",
    "pr@5": "all pages needed together among the first five",
    "document_pr": "all documents needed together among those read",
}
"""What is shown too where a model judges, or where several pages or documents are needed together."""
_SECONDS = (("seconds a question, mean", "seconds"), ("seconds a question, median", "seconds_p50"))


def is_plain(summary: Summary) -> bool:
    """Return whether the questions are measured as own ones are."""
    return summary["main_metric"] in of_plain_questions()


def headline(summary: Summary) -> list[str]:
    """Return the metrics to look at first that concern any question; none where a benchmark has a rule of its own."""
    names = (*of_plain_questions(), *_BESIDE) if is_plain(summary) else ()
    return [name for name in names if any(one["metrics"].get(name) is not None for one in shown(summary))]


def table(summary: Summary) -> str:
    """Return a Markdown table: a line for each figure in words, a column for each system."""
    systems = shown(summary)
    lines = [["", *(system["system"] for system in systems)], ["---", *("---:" for _ in systems)]]
    lines += [
        [_told(summary, name), *(_share(one["metrics"], one["counts"], name) for one in systems)]
        for name in headline(summary)
    ]
    lines += [[told, *(f"{one['usage'][key]:.2f}" for one in systems)] for told, key in _SECONDS]
    return markdown(lines)


def _told(summary: Summary, name: str) -> str:
    if name in _BESIDE:
        return _BESIDE[name].format(assessor=summary["assessor"])
    return summary["metrics"][name]["definition"]


def kinds(summary: Summary) -> str:
    """Return a Markdown table for each system: a line for each kind of question, a column for each figure."""
    names = headline(summary)
    return "".join(_kinds(summary, system, names) for system in shown(summary) if system["by"].get(KIND))


def _kinds(summary: Summary, system: System, names: Sequence[str]) -> str:
    head = [f"{system['system']}, by kind", "questions", *(summary["metrics"][name]["label"] for name in names)]
    rows = [
        [kind, str(group["questions"]), *(_percent(group.get(name)) for name in names)]
        for kind, group in system["by"][KIND].items()
    ]
    return "\n" + markdown([head, ["---", *("---:" for _ in head[1:])], *rows])


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells as a Markdown table, padded to be read as it is; the second line says how cells align."""
    head, rule, *rows = lines
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    is_right = [cell.endswith(":") for cell in rule]
    drawn = [f"{'-' * (width - 1)}:" if right else "-" * width for width, right in zip(widths, is_right, strict=True)]
    written = [
        [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, is_right, strict=True)
        ]
        for line in (head, *rows)
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in (written[0], drawn, *written[1:]))


def _share(metrics: Mapping[str, float | None], counts: Mapping[str, int], name: str) -> str:
    """Return a share with what it is a share of: "16 % (26 of 168)"."""
    value = metrics.get(name)
    if value is None:
        return "–"
    return f"{_percent(value)} ({round(value * counts[name])} of {counts[name]})"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"
