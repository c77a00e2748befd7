"""The report of an evaluation: report.json for programs, report.html and report.md for people.

Each file is written whole or not at all: it is written beside its place and moved into it. report.md has the main
figures as Markdown tables, which are told at the end of a run too.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from octavo.errors import CorpusError
from octavo_lab.report.page import page
from octavo_lab.report.tables import BESIDE, KIND, Summary, System, asked_together, headline, is_plain, shown

_RETRIEVAL = ("pr@1", "pr@3", "pr@5", "pr@10", "pr@20", "recall@5", "pages")
_COLLECTION = ("document_pr", "block_pr", "block_recall", "passage_em", "passage_score", "passage_tokens")
_SECONDS = (("seconds a question, mean", "seconds"), ("seconds a question, median", "seconds_p50"))


def document(summary: Summary) -> str:
    """Return what report.md holds: the table, what was asked, and for own questions the figures by kind of question."""
    asked = asked_together(summary)
    whole = table(summary) + (f"\n{asked[0].upper()}{asked[1:]}.\n" if asked else "")
    if not is_plain(summary):
        return whole
    names = headline(summary)
    kinds = (_by_kind(summary, system, names) for system in shown(summary) if system["by"].get(KIND))
    return whole + "".join(kinds)


def table(summary: Summary) -> str:
    """Return a row per system: the benchmark's main metric and retrieval, with half the width of each interval.

    For a user's own questions it is a line for each figure, in words.
    """
    if is_plain(summary):
        return _in_words(summary)
    wanted = _COLLECTION if "document_pr" in summary["metrics"] else _RETRIEVAL
    if summary["together"]:
        wanted = ("document@1", *wanted, "recall@10")
    names = [name for name in (summary["main_metric"], *wanted) if name in summary["metrics"]]
    head = ["system", *(summary["metrics"][name]["label"] for name in names), "s per question"]
    rows = [
        [system["system"], *(_figure(system, name) for name in names), f"{system['usage']['seconds']:.3f}"]
        for system in shown(summary)
    ]
    return _aligned(head, rows)


def _figure(system: System, name: str) -> str:
    value, between = system["metrics"].get(name), system["intervals"].get(name)
    if value is None:
        return "–"
    return f"{value:.3f}" if between is None else f"{value:.3f} ±{(between[1] - between[0]) / 2:.3f}"


def _in_words(summary: Summary) -> str:
    """Return a line for each figure in words, a column for each system."""
    systems = shown(summary)
    rows = [
        [_told(summary, name), *(_share(one["metrics"], one["counts"], name) for one in systems)]
        for name in headline(summary)
    ]
    rows += [[told, *(f"{one['usage'][key]:.2f}" for one in systems)] for told, key in _SECONDS]
    return _aligned(["", *(system["system"] for system in systems)], rows)


def _told(summary: Summary, name: str) -> str:
    if name in BESIDE:
        return BESIDE[name].format(assessor=summary["assessor"])
    return summary["metrics"][name]["definition"]


def _by_kind(summary: Summary, system: System, names: Sequence[str]) -> str:
    """Return a line for each kind of question, a column for each figure."""
    head = [f"{system['system']}, by kind", "questions", *(summary["metrics"][name]["label"] for name in names)]
    rows = [
        [kind, str(group["questions"]), *(_percent(group.get(name)) for name in names)]
        for kind, group in system["by"][KIND].items()
    ]
    return "\n" + _aligned(head, rows)


def _share(metrics: Mapping[str, float | None], counts: Mapping[str, int], name: str) -> str:
    """Return a share with what it is a share of: "16 % (26 of 168)"."""
    value = metrics.get(name)
    return "–" if value is None else f"{_percent(value)} ({round(value * counts[name])} of {counts[name]})"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table padded to be read as it is, the first column to the left and all others to the right."""
    widths = [max(3 if at == 0 else 4, *(len(line[at]) for line in (head, *rows))) for at in range(len(head))]
    rule = ["-" * widths[0], *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    written = [
        [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        for line in (head, *rows)
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in (written[0], rule, *written[1:]))


NAMES = ("report.json", "report.html", "report.md")


def write(summary: Mapping[str, Any], folder: Path) -> tuple[Path, ...]:
    """Write report.json, report.html and report.md into a folder; return their paths.

    Raises CorpusError (`full`) when they cannot be written.
    """
    data = json.dumps(summary, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    targets = tuple(folder / name for name in NAMES)
    for target, content in zip(targets, (data + "\n", page(summary), document(summary)), strict=True):
        replace(target, content)
    return targets


def replace(target: Path, content: str | Iterable[str]) -> None:
    """Write a file of one text or of pieces, whole or not at all. Raises CorpusError (`full`)."""
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines([content] if isinstance(content, str) else content)
        beside.replace(target)
    except OSError as wrong:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise CorpusError("full", f"{target} cannot be written: {wrong.strerror}") from wrong
