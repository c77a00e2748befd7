"""The first table of the report: a line per system with what one looks at first.

Owns the choice of figures and the order of systems: best first by the main metric, variants under the system they are
of. Knows nothing about how figures were computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from octavo.evaluation.report.figure import best_of, figure, sure
from octavo.evaluation.report.marks import sample
from octavo.evaluation.report.markup import Html, element
from octavo.evaluation.report.plain import headline
from octavo.evaluation.report.style import looks, shown

Summary = Mapping[str, Any]
System = Mapping[str, Any]

_METRICS = ("pr", "ipr", "pages", "pr@5", "citations_verbatim", "refused_answerable")
_SPANS = {"single page": "PR, single page", "multi page": "PR, multi page"}
_AFTER = 2
"""Columns before those: the main metric and PR over all."""
_USED: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
    ("tokens", lambda usage: f"{usage['input_tokens'] + usage['output_tokens']:,.0f}"),
    ("seconds", lambda usage: f"{usage['seconds']:.3f}"),
)


def overview(summary: Summary) -> Html:
    """Return the table; a mark stands for a sure difference from the first system that was named."""
    names = headline(summary) or _of_benchmark(summary)
    heads = [_SPANS.get(name) or summary["metrics"][name]["label"] for name in names] + [told for told, _ in _USED]
    rows = [_row(summary, system, names) for system in ordered(summary)]
    head = element("tr", element("th", "system"), *(element("th", told, class_="group") for told in heads))
    return element(
        "div", element("table", element("thead", head), element("tbody", *rows), class_="overview"), class_="wide"
    )


def _of_benchmark(summary: Summary) -> list[str]:
    names = [name for name in (summary["main_metric"], *_METRICS) if name in summary["metrics"]]
    names[_AFTER:_AFTER] = [key for key in _SPANS if _has_span(summary, key)]
    return names


def ordered(summary: Summary) -> list[System]:
    """Return the systems best first by the main metric, each with its variants under it, these best first too."""
    systems, main = shown(summary), summary["main_metric"]

    def worth(system: System) -> float:
        value = system["metrics"].get(main)
        return -1.0 if value is None else float(value)

    groups: dict[str, list[System]] = {}
    for system in systems:
        groups.setdefault(system["base"], []).append(system)
    families = [sorted(group, key=lambda one: (one["system"] != one["base"], -worth(one))) for group in groups.values()]
    families.sort(key=lambda family: -worth(family[0]))
    return [system for family in families for system in family]


def _has_span(summary: Summary, key: str) -> bool:
    return any(system["by"].get("span", {}).get(key, {}).get("pr") is not None for system in shown(summary))


def _row(summary: Summary, system: System, names: Sequence[str]) -> Html:
    cells = [(_span if name in _SPANS else _metric)(summary, system, name) for name in names]
    cells += [element("td", written(system["usage"]), class_="number") for _, written in _USED]
    return element("tr", _name(summary, system), *cells)


def _name(summary: Summary, system: System) -> Html:
    name, base = system["system"], system["base"]
    is_variant = name != base and any(one["system"] == base for one in shown(summary))
    told = name.removeprefix(base) if is_variant else name
    failed = element("small", f" {system['failed']} failed", class_="bad") if system["failed"] else ""
    return element("th", sample(looks(shown(summary))[name]), told, failed, class_="variant" if is_variant else None)


def _metric(summary: Summary, system: System, name: str) -> Html:
    value, known = system["metrics"].get(name), summary["metrics"][name]
    if value is None:
        return element("td", "–", class_="number muted")
    best = best_of([one["metrics"].get(name) for one in shown(summary)], known["better"])
    written = element("span", figure(value, share=known["is_share"]), class_="best" if value == best else None)
    return element("td", written, sure(summary, system["system"], name), class_="number")


def _span(summary: Summary, system: System, key: str) -> Html:
    values = [one["by"]["span"].get(key, {}).get("pr") for one in shown(summary)]
    value = system["by"]["span"].get(key, {}).get("pr")
    if value is None:
        return element("td", "–", class_="number muted")
    written = element("span", figure(value, share=True), class_="best" if value == best_of(values, 1) else None)
    return element("td", written, class_="number")
