"""The main figures as a Markdown table, for a README.

Owns which figures are main. Knows nothing about files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from octavo.evaluation.report import plain
from octavo.evaluation.report.style import shown

_RETRIEVAL = ("pr@1", "pr@3", "pr@5", "pr@10", "pr@20", "recall@5", "pages")
_COLLECTION = ("document_pr", "block_pr", "block_recall", "passage_em", "passage_score", "passage_tokens")


def table(summary: Mapping[str, Any]) -> str:
    """Return a row per system: the benchmark's main metric and retrieval, with half the width of each interval.

    For a user's own questions it is a line for each figure, in words.
    """
    if plain.is_plain(summary):
        return plain.table(summary)
    names = [name for name in (summary["main_metric"], *_wanted(summary)) if name in summary["metrics"]]
    head = ["system", *(summary["metrics"][name]["label"] for name in names), "s per question"]
    rows = [
        [system["system"], *(_figure(system, name) for name in names), f"{system['usage']['seconds']:.3f}"]
        for system in shown(summary)
    ]
    return plain.markdown([head, ["---", *("---:" for _ in head[1:])], *rows])


def document(summary: Mapping[str, Any]) -> str:
    """Return what report.md holds: the table, and for own questions the figures by kind of question."""
    return table(summary) + plain.kinds(summary) if plain.is_plain(summary) else table(summary)


def _wanted(summary: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the metrics of retrieval: over a collection those of blocks and passages, else those of pages."""
    return _COLLECTION if "document_pr" in summary["metrics"] else _RETRIEVAL


def _figure(system: Mapping[str, Any], name: str) -> str:
    value, between = system["metrics"].get(name), system["intervals"].get(name)
    if value is None:
        return "–"
    return f"{value:.3f}" if between is None else f"{value:.3f} ±{(between[1] - between[0]) / 2:.3f}"
