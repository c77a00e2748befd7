"""The tables of the report: every metric for every system, PR at matched pages, the points of sweeps.

Owns their rows and columns. Knows nothing about how figures were computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from octavo.evaluation.metrics.table import of_answers
from octavo.evaluation.report.figure import arrow, best_of, figure, sure
from octavo.evaluation.report.markup import Html, breakable, element, join
from octavo.evaluation.report.plain import KIND, headline
from octavo.evaluation.report.style import shown

Summary = Mapping[str, Any]

_FAITHFUL = ("citations_verbatim", "cited_pages_gold", "refused_unanswerable", "refused_answerable")
Usage = Mapping[str, Any]
_COST: tuple[tuple[str, str, Callable[[Usage], str]], ...] = (
    ("seconds per question", "", lambda usage: f"{usage['seconds']:.3f}"),
    ("seconds, slowest twentieth", "", lambda usage: f"{usage['seconds_p95']:.3f}"),
    ("model calls per question", "made for it, failed attempts included", lambda usage: f"{usage['calls']:.2f}"),
    ("replies from the cache", "calls a question did not have to make", lambda usage: f"{usage['cached_calls']:.2f}"),
    ("input tokens per question", "cached or not", lambda usage: f"{usage['input_tokens']:,.0f}"),
    ("output tokens per question", "cached or not", lambda usage: f"{usage['output_tokens']:,.0f}"),
    ("cost per question", "in the currency of the prices", lambda usage: _money(usage["cost"])),
    ("decisions per question", "by model, cache and rule", lambda usage: _by(usage["decided_by"])),
    ("a rule stood in", "questions where a model was asked and gave nothing usable", lambda usage: _stood_in(usage)),
)


def results(summary: Summary) -> Html:
    """Return the table of metrics, a column per system: value, interval, and a mark for a sure difference."""
    systems = shown(summary)
    head = [element("th", ""), *(element("th", breakable(system["system"]), class_="number") for system in systems)]
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
    span = len(shown(summary)) + 2
    return [
        element("tr", element("th", title, colspan=span, class_="part")),
        *(_metric(summary, name) for name in names),
    ]


def _metric(summary: Summary, name: str) -> Html:
    known = summary["metrics"][name]
    best = best_of([system["metrics"].get(name) for system in shown(summary)], known["better"])
    cells = [_cell(summary, system, name, best) for system in shown(summary)]
    return element("tr", element("th", known["label"]), *cells, element("td", known["definition"], class_="definition"))


def _cell(summary: Summary, system: Mapping[str, Any], name: str, best: float | None) -> Html:
    value = system["metrics"].get(name)
    if value is None:
        return element("td", "–", class_="number muted")
    share = summary["metrics"][name]["is_share"]
    between = system["intervals"].get(name)
    written = element("span", figure(value, share=share), class_="best" if value == best else None)
    spread = f"{figure(between[0], share=share)} – {figure(between[1], share=share)}" if between else ""
    return element("td", written, sure(summary, system["system"], name), element("small", spread), class_="number")


def _cost(systems: Sequence[Mapping[str, Any]]) -> list[Html]:
    rows = [element("tr", element("th", "Cost", colspan=len(systems) + 2, class_="part"))]
    for label, told, written in _COST:
        cells = [element("td", written(system["usage"]), class_="number") for system in systems]
        rows.append(element("tr", element("th", label), *cells, element("td", told, class_="definition")))
    return rows


def _money(cost: float | None) -> str:
    return "–" if cost is None else f"{cost:.6f}".rstrip("0").rstrip(".")


def _by(decided: Mapping[str, float]) -> str:
    return " / ".join(f"{decided[who]:.1f}" for who in ("model", "cache", "rule"))


def _stood_in(usage: Usage) -> str:
    found = usage["stood_in"]
    why = ", ".join(f"{kind} {count}" for kind, count in found["why"].items())
    return f"{found['questions']}" + (f" ({why})" if why else "")


def matched(summary: Summary) -> Html | str:
    """Return PR at matched pages; nothing where all systems hand over the same number of pages."""
    systems = shown(summary)
    counting = _counting(systems)
    if len(counting) < 2 or not any(system["pr_at"] for system in systems):
        return ""
    head = [
        element("th", "as many pages as"),
        *(element("th", breakable(one["system"]), class_="number") for one in systems),
    ]
    body = [
        element("tr", element("th", _counted(base)), *(_matched_cell(summary, base, one) for one in systems))
        for base in counting
    ]
    told = element(
        "p",
        "Perfect recall of each ranking (columns) cut, question by question, to as many pages as the system of the row "
        "handed to its reader. Small figures are the 95 % interval of the paired difference from that system; ▲ and ▼ "
        "mark those that leave out 0; “as good at 12” says that 12 pages of the ranking reach its PR. Systems with the "
        "same number of pages for every question share a row.",
        class_="muted",
    )
    table = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    return join([element("h3", "At matched pages"), told, element("div", table, class_="wide")])


def _counting(systems: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the first of all systems that hand over the same number of pages for each question."""
    found: dict[tuple[int, ...], Mapping[str, Any]] = {}
    for system in systems:
        found.setdefault(tuple(len(row["pages"]) for row in system["rows"]), system)
    return list(found.values())


def _counted(system: Mapping[str, Any]) -> Html:
    pages = system["metrics"].get("pages")
    return join([system["system"], element("small", "" if pages is None else f" {pages:.1f} pages")])


def _matched_cell(summary: Summary, base: Mapping[str, Any], one: Mapping[str, Any]) -> Html:
    if base is one:
        own = base["metrics"].get("pr")
        return element("td", "–" if own is None else element("span", figure(own, share=True)), class_="number self")
    value = summary["matched_pages"][base["system"]][one["system"]]
    found = summary["matched_differences"][base["system"]].get(one["system"])
    if value is None or found is None:
        return element("td", "–", class_="number muted")
    low, high = found["interval"]
    needed = summary["pages_to_match"][base["system"]][one["system"]]
    reached = "not within 20 pages" if needed is None else f"as good at {needed}"
    small = (element("small", f"{low:+.3f} – {high:+.3f}"), element("small", reached))
    return element("td", figure(value, share=True), arrow(found, 1, base["system"]), *small, class_="number")


def by_kind(summary: Summary) -> Html:
    """Return what is looked at first for each kind of question, a line for each system under the other."""
    names, systems = headline(summary), shown(summary)
    heads = [element("th", summary["metrics"][name]["label"], class_="group") for name in names]
    body: list[Html] = []
    for kind in systems[0]["by"][KIND]:
        groups = [system["by"][KIND][kind] for system in systems]
        title = f"{kind} ({groups[0]['questions']})"
        body.append(element("tr", element("th", title, colspan=len(names) + 1, class_="part")))
        for system, group in zip(systems, groups, strict=True):
            cells = ("–" if group[name] is None else figure(group[name], share=True) for name in names)
            body.append(element("tr", element("th", system["system"]), *(_number(cell) for cell in cells)))
    head = element("thead", element("tr", element("th", ""), *heads))
    return element("div", element("table", head, element("tbody", *body)), class_="wide")


def _number(cell: str) -> Html:
    return element("td", cell, class_="number")


def points(summary: Summary, sweep: Summary) -> Html:
    """Return the points of a sweep: a line per system and value."""
    wanted = (summary["main_metric"], "pr", "ipr", "pages", "passage_em", "block_recall", "block_pr", "passage_tokens")
    names = [name for name in wanted if name in summary["metrics"]]
    heads = [*(summary["metrics"][name]["label"] for name in names), "tokens", "seconds"]
    head = [element("th", "system"), *(element("th", told, class_="number") for told in (sweep["setting"], *heads))]
    rows = (element("tr", element("th", point["from"]), *_point(summary, point, names)) for point in sweep["points"])
    table = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    return element("div", table, class_="wide")


def _point(summary: Summary, point: Summary, names: Sequence[str]) -> list[Html]:
    usage = point["usage"]
    cells = [point["value"]]
    for name in names:
        value = point["metrics"].get(name)
        cells.append("–" if value is None else figure(value, share=summary["metrics"][name]["is_share"]))
    cells += [f"{usage['input_tokens'] + usage['output_tokens']:,.0f}", f"{usage['seconds']:.3f}"]
    return [element("td", cell, class_="number") for cell in cells]
