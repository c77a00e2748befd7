"""Which plots the report has, and what is drawn against what; each plot has its own legend."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence

from octavo_lab.report import html
from octavo_lab.report.html import Html, Look, element, join, legend, looks
from octavo_lab.report.tables import KIND, Summary, System, by_kind, is_plain, points, shown

_PAGE_TICKS = (1, 5, 10, 15, 20)
_PANELS = 3
_MOST_DOTS = 5
"""Systems up to which dots are drawn; a table of shades shows more."""
_SHADES = 10


def figures(summary: Summary) -> Html:
    """Return the plots against pages and cost, and one of dots for each kind of question."""
    first = [found for found in (_pages(summary), _cost(summary)) if found]
    groups = [_breakdown(summary, key) for key in summary["groups"]]
    return join(
        [
            element("div", *first, class_="plots") if first else "",
            *(_sweep(summary, sweep) for sweep in summary["sweeps"]),
            element("h2", "By kind of question"),
            element("div", *(group for group in groups if group), class_="plots broad"),
        ]
    )


def _pages(summary: Summary) -> Html | None:
    """Draw perfect recall of the first pages of each ranking, with a ring where each system stops."""
    systems, look = shown(summary), looks(shown(summary))
    lines = [
        html.Series(system["system"], look[system["system"]], _curve(system["pr_at"]))
        for system in systems
        if system["pr_at"]
    ]
    if not lines:
        return None
    rings = [
        html.Series(system["system"], look[system["system"]], [(system["metrics"]["pages"], system["metrics"]["pr"])])
        for system in systems
        if system["metrics"].get("pr") is not None
    ]
    last = max([20.0, *(point[0] for ring in rings for point in ring.points)])
    places = list(_PAGE_TICKS) if last <= _PAGE_TICKS[-1] else [1.0, *html.ticks(last)[1:]]
    drawn = html.curves(lines, rings, across="pages", up="PR, all gold pages found", places=places)
    caption = "Perfect recall of the first pages of each ranking. A ring marks the pages a system hands to its reader."
    return _figure(drawn, caption, look)


def _cost(summary: Summary) -> Html | None:
    """Draw the main metric against tokens per question, or where no model was used against seconds."""
    systems, look, main = shown(summary), looks(shown(summary)), summary["main_metric"]
    tokens = [system["usage"]["input_tokens"] + system["usage"]["output_tokens"] for system in systems]
    spent = tokens if any(tokens) else [system["usage"]["seconds"] for system in systems]
    rings = [
        html.Series(system["system"], look[system["system"]], [(cost, system["metrics"][main])])
        for system, cost in zip(systems, spent, strict=True)
        if system["metrics"].get(main) is not None
    ]
    if not rings or not summary["metrics"][main]["is_share"]:
        return None
    label, unit = summary["metrics"][main]["label"], "tokens" if any(tokens) else "seconds"
    drawn = html.curves([], rings, across=f"{unit} per question", up=label, places=html.ticks(max(spent)))
    told = "the tokens a question takes, in and out, cached or not" if any(tokens) else "the time a question takes"
    return _figure(drawn, f"{label} against {told}.", look)


def _sweep(summary: Summary, sweep: Summary) -> Html:
    """Draw the main metric and PR against the values of a setting, a curve per system; nothing to draw for words."""
    title = element("h2", f"Sweep of {sweep['setting']}")
    lines = [_swept(summary, sweep, metric) for metric in _swept_metrics(summary)]
    told = element("details", element("summary", "The points"), points(summary, sweep), class_="all")
    return join([title, element("div", *(line for line in lines if line), class_="plots"), told])


def _swept_metrics(summary: Summary) -> list[str]:
    names = dict.fromkeys((summary["main_metric"], "pr", "passage_em", "block_recall"))
    return [name for name in names if name in summary["metrics"] and summary["metrics"][name]["is_share"]]


def _swept(summary: Summary, sweep: Summary, metric: str) -> Html | None:
    look = looks(shown(summary))
    found: dict[str, list[tuple[float, float]]] = {}
    for point in sweep["points"]:
        value, up = _number(point["value"]), point["metrics"].get(metric)
        if value is not None and up is not None:
            found.setdefault(point["from"], []).append((value, up))
    if not found:
        return None
    reach = [across for line in found.values() for across, _ in line]
    curves = [html.Series(name, look[name], sorted(line)) for name, line in found.items()]
    level = [html.Series(name, look[name], line) for name, line in _level(summary, metric, found, reach)]
    label = summary["metrics"][metric]["label"]
    drawn = html.curves([*curves, *level], curves, across=sweep["setting"], up=label, places=html.ticks(max(reach)))
    told = f"{label} against {sweep['setting']}."
    if level:
        told += " Systems that do not have the setting are level lines."
    return _figure(drawn, told, {item.name: item.look for item in (*curves, *level)})


def _level(
    summary: Summary, metric: str, swept: Collection[str], reach: Sequence[float]
) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """Yield the systems that took no part in a sweep, each with its one value from the first point to the last."""
    for system in shown(summary):
        value = system["metrics"].get(metric)
        if system["system"] not in swept and value is not None:
            yield system["system"], [(min(reach), value), (max(reach), value)]


def _number(value: str) -> float | None:
    try:
        found = float(value)
    except ValueError:
        return None
    return found if 0 <= found < math.inf else None


def _breakdown(summary: Summary, key: str) -> Html | None:
    """Show up to three metrics for each group of one kind; None where there is only one group.

    A dot per system, or a table where dots would be too many.
    """
    systems = shown(summary)
    groups = list(systems[0]["by"].get(key, {})) if systems else []
    if len(groups) < 2:
        return None
    metrics, look = _panels(summary), looks(systems)
    title = element("h3", f"By {summary['groups'][key]}")
    if key == KIND:
        return join([title, by_kind(summary)])
    if len(systems) > _MOST_DOTS:
        return join([title, _heat(summary, key, groups, metrics)])
    panels = [[_row(systems, key, group, metric) for group in groups] for metric in metrics]
    drawn = html.dots([summary["metrics"][metric]["label"] for metric in metrics], panels, look)
    return join([title, _figure(drawn, "", look)])


def _panels(summary: Summary) -> list[str]:
    """Return the metrics of the breakdowns: the main one, and retrieval where there are gold pages."""
    beside = ("unit@3", "page@5") if is_plain(summary) else ()
    wanted = (summary["main_metric"], *beside, "pr", "pr@5", "passage_em", "block_recall")
    known = [name for name in wanted if name in summary["metrics"] and summary["metrics"][name]["is_share"]]
    return known[:_PANELS]


def _row(systems: Sequence[System], key: str, group: str, metric: str) -> html.DotRow:
    found = [system["by"][key][group] for system in systems]
    return html.DotRow(group, found[0]["questions"], [values[metric] for values in found])


def _heat(summary: Summary, key: str, groups: Sequence[str], metrics: Sequence[str]) -> Html:
    """Return a table with a row per system and a column per group, for each metric; shades go from 0 to 1."""
    systems = shown(summary)
    counts = {group: systems[0]["by"][key][group]["questions"] for group in groups}
    over = [
        element("th", summary["metrics"][name]["label"], colspan=len(groups), class_="part span first")
        for name in metrics
    ]
    heads = [
        element("th", f"{group} ({counts[group]})", class_=f"group{_edge(group, groups)}")
        for _ in metrics
        for group in groups
    ]
    body = (
        element(
            "tr",
            element("th", one["system"]),
            *(_shade(one["by"][key][group].get(name), _edge(group, groups)) for name in metrics for group in groups),
        )
        for one in systems
    )
    head = element("thead", element("tr", element("th", "", rowspan=2), *over), element("tr", *heads))
    return element("div", element("table", head, element("tbody", *body), class_="heat"), class_="wide")


def _edge(group: str, groups: Sequence[str]) -> str:
    """Return the class that parts one metric's columns from those before."""
    return " first" if group == groups[0] else ""


def _shade(value: float | None, edge: str) -> Html:
    if value is None:
        return element("td", "–", class_=f"number muted{edge}")
    shade = round(max(0.0, min(1.0, value)) * _SHADES)
    return element("td", f"{value:.2f}", class_=f"number heat{shade}{edge}")


def _curve(values: Sequence[float]) -> list[tuple[float, float]]:
    return [(float(count), value) for count, value in enumerate(values, start=1)]


def _figure(drawn: Html, caption: str, look: Mapping[str, Look]) -> Html:
    told = element("figcaption", caption) if caption else ""
    return element("figure", drawn, legend(look), told)
