"""The report as one page that fetches nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from octavo.document import number_of
from octavo.evaluation.report.figures import figures
from octavo.evaluation.report.html import Html, element, join, legend, looks, whole_page
from octavo.evaluation.report.questions import questions
from octavo.evaluation.report.tables import (
    Summary,
    at_equal_length,
    at_matched_pages,
    is_plain,
    overview,
    results,
    shown,
)

_SHORT = 0.1
"""Seconds that are not worth a word."""
_FEW = 6
"""Systems up to which the table of all metrics is open from the start, unless the first one says what matters."""


def page(summary: Summary) -> str:
    """Return the page for a summary, as `summary.summarize` makes it."""
    title = f"{summary['title']}: {', '.join(system['system'] for system in shown(summary))}"
    return whole_page(title, _main(summary))


def _main(summary: Summary) -> Html:
    return element(
        "main",
        element("h1", summary["title"]),
        element("p", _facts(summary), class_="facts"),
        legend(looks(shown(summary))),
        _problems(summary),
        element("h2", "Results"),
        element("p", *_legend(summary), class_="muted"),
        overview(summary),
        _stood_in(summary),
        at_matched_pages(summary),
        at_equal_length(summary),
        _all_metrics(summary),
        element("h2", "Pages and cost"),
        figures(summary),
        element("h2", "Questions"),
        questions(shown(summary), summary["metrics"][summary["main_metric"]]["label"]),
        element("h2", "How it was run"),
        _how(summary),
    )


def _facts(summary: Summary) -> str:
    runs: Sequence[Mapping[str, Any]] = summary["runs"]
    indexing, asking = (sum(run[f"{part}_seconds"] for run in runs) for part in ("indexing", "asking"))
    parts = [
        number_of(summary["questions"], "question"),
        f"{number_of(summary['documents'], 'document')} with {number_of(summary['pages'], 'page')}",
        f"indexed in {_seconds(indexing)}{_layers(runs, summary['pages'])}, asked in {_seconds(asking)}",
    ]
    if len(runs) > 1:
        parts[-1] += f" over {len(runs)} runs"
    memory = max((run["peak_memory"] or 0 for run in runs), default=0)
    if memory:
        parts.append(f"{memory / 2**20:,.0f} MiB at most")
    return " · ".join(parts)


def _layers(runs: Sequence[Mapping[str, Any]], pages: int) -> str:
    """Say what indexing took per page, what of it was for layers, and what models took for these."""
    total, layers = (sum(run[f"{part}_seconds"] for run in runs) for part in ("indexing", "layer"))
    used = [run["indexing_usage"] for run in runs if run["indexing_usage"]]
    calls = sum(usage["calls"] for usage in used)
    tokens = sum(usage["input_tokens"] + usage["output_tokens"] for usage in used)
    parts = [f"{total / pages:.2f} s a page"] if pages and total >= _SHORT * pages else []
    if layers >= _SHORT:
        asked = f" with {calls:,} model calls, {tokens / max(pages, 1):,.0f} tokens a page" if calls else ""
        parts.append(f"{_seconds(layers)} of it for layers{asked}")
    return f" ({', '.join(parts)})" if parts else ""


def _seconds(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"


def _stood_in(summary: Summary) -> Html | str:
    """Warn where figures are partly those of the rules although a model was asked."""
    told = [
        f"{system['system']}: {count} of {system['questions']}"
        for system in shown(summary)
        if (count := system["usage"]["stood_in"]["questions"])
    ]
    if not told:
        return ""
    words = "Questions where a model was asked, gave nothing usable, and a rule stood in: "
    return element("p", words, ", ".join(told), ".", class_="fair")


def _all_metrics(summary: Summary) -> Html:
    is_open = (len(shown(summary)) <= _FEW and not is_plain(summary)) or None
    told = element("summary", element("strong", "All metrics with their intervals and definitions"))
    return element("details", told, results(summary), open="open" if is_open else None, class_="all")


def _problems(summary: Summary) -> Html | str:
    if not summary["problems"]:
        return ""
    count = len(summary["problems"])
    told = f"{count:,} rows or documents were left out" if count > 1 else "A row or document was left out"
    lines = (element("li", problem) for problem in summary["problems"])
    return element("details", element("summary", told), element("ul", *lines, class_="problems"))


def _legend(summary: Summary) -> list[object]:
    first = summary["systems"][0]["system"] if summary["systems"] else ""
    told: list[object] = ["Best first by the first column; the best figure of a column is bold. "]
    if len(shown(summary)) > 1:
        told.append(f"▲ and ▼ mark differences from {first} whose 95 % interval (paired bootstrap) leaves out 0. ")
    told.append("Averages count every question: one that failed counts as wrong.")
    return told


def _option(name: str, value: object) -> str:
    """Return an option as words: "limit 10", "total caps: calls 60"."""
    told = name.replace("_", " ")
    if value is True:
        return told
    if isinstance(value, Mapping):
        given = cast(Mapping[str, object], value).items()
        return f"{told}: " + ", ".join(f"{key} {cap}" for key, cap in given if cap is not None)
    return f"{told} {', '.join(map(str, cast(list[object], value))) if isinstance(value, list) else value}"


def _assessed(by: Mapping[str, int]) -> str:
    """Say who really assessed: where the model fails the rule does."""
    return f" (model {by.get('model', 0)}, cache {by.get('cache', 0)}, rule {by.get('rule', 0)})" if by else ""


def _how(summary: Summary) -> Html:
    plans = (
        join([element("dt", system["system"]), element("dd", element("code", system["plan"]))])
        for system in shown(summary)
    )
    options = ", ".join(_option(name, value) for name, value in summary["options"].items() if value)
    models = ", ".join(f"{role}: {name}" for role, name in summary["models"].items()) or "none, the rules decided"
    return join(
        [
            element("dl", *plans),
            element("p", _scored(summary)),
            element("p", f"Models: {models}."),
            element("p", f"Options: {options}.", class_="muted"),
        ]
    )


def _scored(summary: Summary) -> str:
    """Say how answers were scored, and what of the gold was seen by whom."""
    is_by_rule = summary["assessor"] == "rule"
    by = "by rule" if is_by_rule else f"by {summary['assessor']}{_assessed(summary['assessed_by'])}"
    if is_plain(summary):
        told = "What was answered and shown was compared with the acceptable answers. No system saw any gold."
        return told if is_by_rule else f"{told} Judged {by}."
    if summary["options"]["give_format"]:
        return f"Answers were extracted {by}, with the gold's answer format given."
    return (
        f"Answers were extracted {by} from question and response alone; neither system nor extraction saw a gold "
        "answer, gold page or answer format."
    )
