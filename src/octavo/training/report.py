"""The report of a training: the loss curve, and routers side by side before and after.

Figures come as the JSON of a run, which report.json holds whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from octavo.evaluation.report import plots
from octavo.evaluation.report.html import Html, Look, element, join, legend, table, whole_page
from octavo.evaluation.report.write import NAMES, replace
from octavo.training.scoring import DEFINITIONS, LOWER_IS_BETTER

Run = Mapping[str, Any]

_SMOOTH = 5
"""Steps on either side whose mean is the smooth curve."""
_END_TO_END = {
    "passage_em": "share of the gold answers in the passages read",
    "passage_hit": "share of the questions with all gold answers in them",
    "passage_tokens": "tokens of the passages, estimated",
    "routed_by_model": "decisions per question that a model took",
}


def write(run: Run, folder: Path) -> tuple[Path, ...]:
    """Write report.json, report.html and report.md; return their paths. Raises CorpusError (`full`)."""
    contents = (json.dumps(run, ensure_ascii=False, indent=1) + "\n", page(run), markdown(run))
    targets = tuple(folder / name for name in NAMES)
    for target, content in zip(targets, contents, strict=True):
        replace(target, content)
    return targets


def markdown(run: Run) -> str:
    """Return the tables, a row per figure and a column per router."""
    parts = [f"# {_title(run)}\n\n{_facts(run)}\n"]
    for title, rows in _tables(run):
        routers = list(rows[0][2])
        lines = [
            "| " + " | ".join(("", *routers, "what it is")) + " |",
            "| --- |" + " ---: |" * len(routers) + " --- |",
        ]
        lines += [f"| {name} | {' | '.join(map(_figure, values.values()))} | {told} |" for name, told, values in rows]
        parts.append(f"## {title}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def page(run: Run) -> str:
    """Return the page; it fetches nothing and runs nothing."""
    main = element(
        "main",
        element("h1", _title(run)),
        element("p", _facts(run), class_="facts"),
        _curve(run),
        *(_table(title, rows) for title, rows in _tables(run)),
        _how(run),
    )
    return whole_page(_title(run), main)


def _title(run: Run) -> str:
    return f"Router trained on {run['name']}"


def _facts(run: Run) -> str:
    counts, training = run["examples"], run.get("training")
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts["kinds"].items())
    told = [f"{counts['train']:,} examples ({kinds}), {counts['held_out']:,} held out"]
    if training:
        told.append(f"{training['steps']:,} steps on {training['device']}, base model {training['base']}")
        left = f", {training['too_long']:,} left out as too long" if training["too_long"] else ""
        told.append(f"loss {training['losses'][0]:.3f} at first, {training['losses'][-1]:.3f} at last{left}")
        if held := training.get("held_out_loss"):
            told.append(f"on held-out examples {held[0]:.3f} before, {held[1]:.3f} after")
    return " · ".join(told)


_Row = tuple[str, str, Mapping[str, float | None]]


def _tables(run: Run) -> list[tuple[str, list[_Row]]]:
    """Return each table: a title, and rows of a name, what it is, and the value of each router."""
    found = [("Steps on held-out documents", _rows(run["routers"], DEFINITIONS)) if run.get("routers") else None]
    found.append(("End to end", _rows(run["end_to_end"], _END_TO_END)) if run.get("end_to_end") else None)
    return [table for table in found if table is not None]


def _rows(routers: Mapping[str, Mapping[str, float | None]], definitions: Mapping[str, str]) -> list[_Row]:
    return [(name, told, {who: one.get(name) for who, one in routers.items()}) for name, told in definitions.items()]


def _table(title: str, rows: Sequence[_Row]) -> Html:
    routers = list(rows[0][2])
    head = [element("th", ""), *(element("th", name, class_="number") for name in routers), element("th", "what it is")]
    body = (
        element(
            "tr",
            element("th", name.replace("_", " ")),
            *(_cell(value, _best(name, list(values.values()))) for value in values.values()),
            element("td", told, class_="definition"),
        )
        for name, told, values in rows
    )
    return join([element("h2", title), table(head, body)])


def _best(name: str, values: Sequence[float | None]) -> float | None:
    """Return the best of several figures; None where neither direction is better."""
    known = [value for value in values if value is not None]
    if name in ("passage_tokens", "routed_by_model") or len(set(known)) < 2:
        return None
    return min(known) if name in LOWER_IS_BETTER else max(known)


def _cell(value: float | None, best: float | None) -> Html:
    if value is None:
        return element("td", "–", class_="number muted")
    return element("td", element("span", _figure(value), class_="best" if value == best else None), class_="number")


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.0f}"


def _curve(run: Run) -> Html | str:
    """Draw the loss of each step and its running mean."""
    if not run.get("training"):
        return ""
    losses: list[float] = run["training"]["losses"]
    steps = [(float(at), loss) for at, loss in enumerate(losses, start=1)]
    smooth = [(at, _mean(losses[max(0, int(at) - 1 - _SMOOTH) : int(at) + _SMOOTH])) for at, _ in steps]
    looks = {"loss of a step": Look(7, 1), f"mean of {2 * _SMOOTH + 1} steps": Look(0, 0)}
    lines = [
        plots.Series(name, look, points) for (name, look), points in zip(looks.items(), (steps, smooth), strict=True)
    ]
    drawn = plots.curves(lines, (), across="step", up="loss", places=plots.ticks(len(losses)), most=max(losses))
    caption = element("figcaption", "Mean loss of a token of the reply, by step of training.")
    return join(
        [element("h2", "Loss"), element("div", element("figure", drawn, legend(looks), caption), class_="plots")]
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _how(run: Run) -> Html:
    training: Mapping[str, Any] = run.get("training") or {}
    settings: Mapping[str, object] = training.get("settings") or {}
    facts = (join([element("dt", name), element("dd", value)]) for name, value in settings.items())
    told = "Routers are measured on their first reply: nothing is repaired, and no rule stands in for a model."
    return join([element("h2", "How it was run"), element("p", told), element("dl", *facts)])
