"""Which plots the report has, from the summary.

Owns the choice of what is drawn against what. Knows nothing about how it is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from octavo.evaluation.report import plots
from octavo.evaluation.report.markup import Html, element, join

Summary = Mapping[str, Any]

_PAGE_TICKS = (1, 5, 10, 15, 20)
_PANELS = 3


def figures(summary: Summary) -> Html:
    """Return the plots against pages and cost, and one of dots for each kind of question."""
    first = [found for found in (_pages(summary), _cost(summary)) if found]
    groups = [_breakdown(summary, key) for key in summary["groups"]]
    return join(
        [
            element("div", *first, class_="plots") if first else "",
            element("h2", "By kind of question"),
            element("div", *(group for group in groups if group), class_="plots broad"),
        ]
    )


def _pages(summary: Summary) -> Html | None:
    """Draw perfect recall of the first pages of each ranking, with a ring where each system stops."""
    systems = _numbered(summary)
    lines = [
        plots.Series(system["system"], number, _curve(system["pr_at"])) for number, system in systems if system["pr_at"]
    ]
    if not lines:
        return None
    rings = [
        plots.Series(system["system"], number, [(system["metrics"]["pages"], system["metrics"]["pr"])])
        for number, system in systems
        if system["metrics"].get("pr") is not None
    ]
    last = max([20.0, *(point[0] for ring in rings for point in ring.points)])
    places = list(_PAGE_TICKS) if last <= _PAGE_TICKS[-1] else [1.0, *plots.ticks(last)[1:]]
    drawn = plots.curves(lines, rings, across="pages", up="PR, all gold pages found", places=places)
    caption = "Perfect recall of the first pages of each ranking. A ring marks the pages a system hands to its reader."
    return _figure(drawn, caption)


def _cost(summary: Summary) -> Html | None:
    """Draw the main metric against tokens per question, or where no model was used against seconds."""
    systems, main = _numbered(summary), summary["main_metric"]
    tokens = [system["usage"]["input_tokens"] + system["usage"]["output_tokens"] for _, system in systems]
    spent = tokens if any(tokens) else [system["usage"]["seconds"] for _, system in systems]
    rings = [
        plots.Series(system["system"], number, [(cost, system["metrics"][main])])
        for (number, system), cost in zip(systems, spent, strict=True)
        if system["metrics"].get(main) is not None
    ]
    if not rings or not summary["metrics"][main]["is_share"]:
        return None
    label, unit = summary["metrics"][main]["label"], "tokens" if any(tokens) else "seconds"
    drawn = plots.curves([], rings, across=f"{unit} per question", up=label, places=plots.ticks(max(spent)))
    told = "the tokens a question takes, in and out, cached or not" if any(tokens) else "the time a question takes"
    return _figure(drawn, f"{label} against {told}.")


def _breakdown(summary: Summary, key: str) -> Html | None:
    """Draw up to three metrics for each group of one kind, a dot per system; None where there is only one group."""
    systems = summary["systems"]
    groups = list(systems[0]["by"].get(key, {})) if systems else []
    if len(groups) < 2:
        return None
    metrics = _panels(summary)
    panels = [[_row(systems, key, group, metric) for group in groups] for metric in metrics]
    titles = [summary["metrics"][metric]["label"] for metric in metrics]
    drawn = plots.dots(titles, panels, [system["system"] for system in systems])
    return join([element("h3", f"By {summary['groups'][key]}"), _figure(drawn, "")])


def _panels(summary: Summary) -> list[str]:
    """Return the metrics of the breakdowns: the main one, and retrieval where there are gold pages."""
    wanted = (summary["main_metric"], "pr@5", "pr@10")
    known = [name for name in wanted if name in summary["metrics"] and summary["metrics"][name]["is_share"]]
    return known[:_PANELS]


def _row(systems: Sequence[Mapping[str, Any]], key: str, group: str, metric: str) -> plots.DotRow:
    found = [system["by"][key][group] for system in systems]
    return plots.DotRow(group, found[0]["questions"], [values[metric] for values in found])


def _numbered(summary: Summary) -> list[tuple[int, Mapping[str, Any]]]:
    systems: Sequence[Mapping[str, Any]] = summary["systems"]
    return list(enumerate(systems))


def _curve(values: Sequence[float]) -> list[tuple[float, float]]:
    return [(float(count), value) for count, value in enumerate(values, start=1)]


def _figure(drawn: Html, caption: str) -> Html:
    return element("figure", drawn, element("figcaption", caption) if caption else "")
