"""The tables of the report: every metric for every system, and what the run took.

Owns how figures are written and marked. Knows nothing about how they were computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from octavo.evaluation.metrics.table import of_answers
from octavo.evaluation.report.markup import Html, element, join

Summary = Mapping[str, Any]

_FAITHFUL = ("citations_verbatim", "cited_pages_gold", "refused_unanswerable", "refused_answerable")
_USAGE = (
    ("seconds", "seconds per question", "{:.3f}"),
    ("seconds_p95", "seconds, slowest twentieth", "{:.3f}"),
    ("calls", "model calls per question", "{:.2f}"),
    ("input_tokens", "input tokens per question", "{:,.0f}"),
    ("output_tokens", "output tokens per question", "{:,.0f}"),
)


def results(summary: Summary) -> Html:
    """Return the table of metrics, a column per system: value, interval, and a mark for a sure difference."""
    systems = summary["systems"]
    head = [element("th", ""), *(element("th", system["system"], class_="number") for system in systems)]
    parts = _parts(list(summary["metrics"]))
    body = [row for title, names in parts if names for row in _part(summary, title, names)]
    return element(
        "div",
        element(
            "table",
            element("thead", element("tr", *head, element("th", "what it is"))),
            element("tbody", *body, *_cost(systems)),
        ),
        class_="wide",
    )


def _parts(names: Sequence[str]) -> list[tuple[str, list[str]]]:
    answers = set(of_answers())
    return [
        ("Answers", [name for name in names if name in answers]),
        ("Retrieval", [name for name in names if name not in answers and name not in _FAITHFUL]),
        ("Faithfulness", [name for name in names if name in _FAITHFUL]),
    ]


def _part(summary: Summary, title: str, names: Sequence[str]) -> list[Html]:
    span = len(summary["systems"]) + 2
    return [
        element("tr", element("th", title, colspan=span, class_="part")),
        *(_metric(summary, name) for name in names),
    ]


def _metric(summary: Summary, name: str) -> Html:
    known = summary["metrics"][name]
    values = [system["metrics"].get(name) for system in summary["systems"]]
    best = _best(values, known["better"])
    cells = [_cell(summary, system, name, best) for system in summary["systems"]]
    return element("tr", element("th", known["label"]), *cells, element("td", known["definition"], class_="definition"))


def _best(values: Sequence[float | None], better: int) -> float | None:
    known = [value for value in values if value is not None]
    if not better or len(known) < 2 or len(set(known)) < 2:
        return None
    return max(known) if better > 0 else min(known)


def _cell(summary: Summary, system: Mapping[str, Any], name: str, best: float | None) -> Html:
    value = system["metrics"].get(name)
    if value is None:
        return element("td", "–", class_="number muted")
    share = summary["metrics"][name]["is_share"]
    between = system["intervals"].get(name)
    shown = element("span", figure(value, share=share), class_="best" if value == best else None)
    spread = f"{figure(between[0], share=share)} – {figure(between[1], share=share)}" if between else ""
    return element("td", shown, _sure(summary, system["system"], name), element("small", spread), class_="number")


def _sure(summary: Summary, system: str, name: str) -> Html | str:
    """Mark a difference to the first system whose interval leaves out 0."""
    better = summary["metrics"][name]["better"]
    for comparison in summary["comparisons"]:
        found = comparison["metrics"].get(name) if comparison["system"] == system else None
        if found and better and found["interval"] and found["interval"][0] * found["interval"][1] > 0:
            up = found["difference"] > 0
            return element(
                "span",
                " ▲" if up else " ▼",
                class_="up" if up == (better > 0) else "down",
                title=f"{found['difference']:+.3f} against {comparison['against']}",
            )
    return ""


def _cost(systems: Sequence[Mapping[str, Any]]) -> list[Html]:
    rows = [element("tr", element("th", "Cost", colspan=len(systems) + 2, class_="part"))]
    for key, label, written in _USAGE:
        cells = [element("td", written.format(system["usage"][key]), class_="number") for system in systems]
        rows.append(element("tr", element("th", label), *cells, element("td", "", class_="definition")))
    return rows


def figure(value: float, *, share: bool) -> str:
    """Return a figure as the report writes it."""
    return f"{value:.3f}" if share else f"{value:,.1f}"


def matched(summary: Summary) -> Html | str:
    """Return PR at matched pages; nothing where all systems hand over the same number of pages."""
    counts = {system["metrics"].get("pages") for system in summary["systems"]}
    if len(counts) < 2 or not any(system["pr_at"] for system in summary["systems"]):
        return ""
    names = [system["system"] for system in summary["systems"]]
    own = {system["system"]: system["metrics"].get("pr") for system in summary["systems"]}
    head = [element("th", "as many pages as"), *(element("th", name, class_="number") for name in names)]
    body = [
        element(
            "tr",
            element("th", base),
            *(_matched_cell(own[base] if name == base else summary["matched_pages"][base][name]) for name in names),
        )
        for base in names
    ]
    told = element(
        "p",
        "Perfect recall of each ranking (columns) cut, question by question, to as many pages as the system of the row "
        "handed to its reader.",
    )
    table = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    return join([element("h3", "At matched pages"), told, element("div", table, class_="wide")])


def _matched_cell(value: float | None) -> Html:
    return element("td", "–" if value is None else figure(value, share=True), class_="number")
