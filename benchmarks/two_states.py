"""Two reports of the same questions, question by question: what differs between two states of the code.

Run: python benchmarks/two_states.py BEFORE/report.json AFTER/report.json [--questions]

Each state writes its own report with `octavo evaluate BENCHMARK --out FOLDER` over a corpus of its own. Of each system
and metric that both have, the averages over the questions that both have, their difference and its paired 95 % interval
(2,000 draws of questions) are printed; --questions lists those whose score changed. The exit status is 1 where an
interval lies wholly on the worse side.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from octavo_lab.intervals import Floats, draws, interval

Rows = dict[str, dict[str, Any]]
"""By the question's id."""


def rows_of(report: dict[str, Any]) -> dict[str, Rows]:
    """Return the rows of each system by the ids of their questions."""
    return {system["system"]: {row["id"]: row for row in system["rows"]} for system in report["systems"]}


def compared(before: Rows, after: Rows, metric: str) -> tuple[list[str], Floats, Floats]:
    """Return the questions that a metric concerns in both, and its values in each."""
    ids = [
        one for one in before if one in after and metric in before[one]["metrics"] and metric in after[one]["metrics"]
    ]
    was, now = (np.array([rows[one]["metrics"][metric] for one in ids], np.float64) for rows in (before, after))
    return ids, was, now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--questions", action="store_true", help="list the questions whose score changed")
    options = parser.parse_args()
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (options.before, options.after))
    olds, news = rows_of(old), rows_of(new)
    is_worse = False
    print(f"{'system':12} {'metric':16} {'questions':>9} {'before':>7} {'after':>7} {'difference':>10}  95 %")
    for name in (one for one in olds if one in news):
        for metric, described in new["metrics"].items():
            ids, before, after = compared(olds[name], news[name], metric)
            if not ids:
                continue
            change = after - before
            low, high = interval((draws(len(ids)) @ change) / len(ids)) or (0.0, 0.0)
            better = described["better"]
            is_worse |= high < 0 if better > 0 else better < 0 < low
            print(
                f"{name:12} {metric:16} {len(ids):9} {before.mean():7.3f} {after.mean():7.3f} {change.mean():+10.3f}  "
                f"{low:+.3f} to {high:+.3f}"
            )
            if options.questions and metric == new["main_metric"]:
                for at in np.flatnonzero(change).tolist():
                    print(f"    {ids[at]}: {before[at]:g} to {after[at]:g}: {news[name][ids[at]]['question'][:90]}")
    sys.exit(is_worse)


if __name__ == "__main__":
    main()
