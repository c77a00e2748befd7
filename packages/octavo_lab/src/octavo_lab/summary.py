"""The figures of an evaluation, and a row for each question, as report.json has them: a contract others rely on."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.corpus import DocumentInfo
from octavo.question import understand
from octavo_lab import intervals
from octavo_lab.intervals import (
    Column,
    matched_differences,
    matched_pages,
    matched_passages,
    pages_to_match,
    pair,
    rounded,
)
from octavo_lab.metrics.registry import METRICS
from octavo_lab.metrics.retrieval import perfect
from octavo_lab.question import RANKED, Question, ScoredResponse
from octavo_lab.runner import Evaluation, SystemRun
from octavo_lab.scoring import metrics_shown, stood_in

FORMAT_VERSION = 1
Columns = Mapping[str, Column]
"""By the metric's name."""
Group = Callable[[Question, DocumentInfo | None], Sequence[str]]
"""Returns the groups of a question, from itself and the one document it is about, None for several or none."""
_BOUNDS = ((20, "up to 20 pages"), (50, "21 to 50 pages"), (100, "51 to 100 pages"))


def summarize(evaluation: Evaluation) -> dict[str, Any]:
    """Return the object of report.json."""
    benchmark = evaluation.benchmark
    names = metrics_shown(benchmark.metrics, (row for run in evaluation.runs for row in run.rows))
    columns = {run.name: _columns(run, names) for run in evaluation.runs}
    drawn = intervals.draws(len(benchmark.questions))
    means = {run.name: _means(columns[run.name], drawn) for run in evaluation.runs}
    masks = _masks(evaluation)
    named = [run for run in evaluation.runs if not run.swept]
    systems = [_system(run, columns[run.name], means[run.name], masks, benchmark.metrics[0]) for run in evaluation.runs]
    return {
        "version": FORMAT_VERSION,
        "benchmark": benchmark.name,
        "title": benchmark.title,
        "questions": len(benchmark.questions),
        "documents": len(evaluation.documents),
        "together": _together(evaluation),
        "pages": sum(info.pages for info in (*evaluation.documents.values(), *evaluation.beside)),
        "main_metric": benchmark.metrics[0],
        "metrics": {name: _described(name) for name in names},
        "groups": {key: GROUPS[key][0] for key in masks},
        "options": _options(evaluation),
        "models": dict(evaluation.models),
        "assessor": evaluation.assessor,
        "assessed_by": dict(evaluation.assessed_by),
        "problems": [*benchmark.problems, *evaluation.failures],
        "run": dataclasses.asdict(evaluation.took[-1]),
        "runs": [dataclasses.asdict(took) for took in evaluation.took],
        "systems": systems,
        "best": _best({run.name: columns[run.name] for run in named}, means, benchmark.metrics[0]),
        "comparisons": _comparisons(evaluation.runs, columns, means),
        "matched_pages": matched_pages(named),
        "matched_differences": matched_differences(named, drawn),
        "pages_to_match": pages_to_match(named),
        "matched_passages": matched_passages(named, names, drawn),
        "sweeps": _sweeps(systems),
    }


def _together(evaluation: Evaluation) -> dict[str, int] | None:
    """Return how many documents every question was asked of, and how many of them no question is about."""
    if not evaluation.benchmark.together:
        return None
    ids = {info.id for info in (*evaluation.documents.values(), *evaluation.beside)}
    return {"documents": len(ids), "beside": len(evaluation.beside)}


def _options(evaluation: Evaluation) -> dict[str, Any]:
    """Return the options of a run; the password of encrypted files is no part of any report."""
    given = evaluation.options
    values = {spec.name: getattr(given, spec.name) for spec in dataclasses.fields(given) if spec.name != "reading"}
    caps = {name: values[name] and dataclasses.asdict(values[name]) for name in ("caps", "total_caps")}
    how = given.reading
    layout = how.layout_model and how.layout_model.name
    reading = {"ocr": how.ocr, "layout_model": layout, "render": how.render, "workers": how.workers}
    return {**values, **caps, **reading, "sweeps": list(given.sweeps)}


def _described(name: str) -> dict[str, Any]:
    return {key: getattr(METRICS[name], key) for key in ("label", "definition", "better", "is_share")}


def _columns(run: SystemRun, names: Sequence[str]) -> Columns:
    return {
        name: Column.of([METRICS[name].of(row) for row in run.rows], [METRICS[name].weight(row) for row in run.rows])
        for name in names
    }


def _means(columns: Columns, drawn: intervals.Floats) -> dict[str, intervals.Floats]:
    return {name: intervals.resampled(column, drawn) for name, column in columns.items()}


def _masks(evaluation: Evaluation) -> dict[str, dict[str, npt.NDArray[np.bool_]]]:
    """Return, for each kind of group with more than one group, (n_questions,) bool by group name."""
    questions = evaluation.benchmark.questions
    found: dict[str, dict[str, npt.NDArray[np.bool_]]] = {}
    for key, (_, group) in GROUPS.items():
        of_each = [group(question, _only_document(question, evaluation)) for question in questions]
        names = sorted({name for several in of_each for name in several}, key=in_order)
        if names:
            found[key] = {name: np.array([name in several for several in of_each], np.bool_) for name in names}
    return found


def _only_document(question: Question, evaluation: Evaluation) -> DocumentInfo | None:
    return evaluation.documents.get(question.documents[0]) if len(question.documents) == 1 else None


def _system(
    run: SystemRun,
    columns: Columns,
    means: Mapping[str, intervals.Floats],
    masks: Mapping[str, Mapping[str, npt.NDArray[np.bool_]]],
    main: str,
) -> dict[str, Any]:
    return {
        "system": run.name,
        "base": run.base or run.name,
        "settings": dict(run.settings),
        "swept": run.swept,
        "plan": run.plan,
        "questions": len(run.rows),
        "failed": sum(row.response.error is not None for row in run.rows),
        "metrics": _averages(columns),
        "counts": {name: int((column.weights > 0).sum()) for name, column in columns.items()},
        "intervals": {name: pair(intervals.interval(values)) for name, values in means.items()},
        "by": {key: {name: _group(columns, mask) for name, mask in groups.items()} for key, groups in masks.items()},
        "pr_at": _perfect_recall_curve(run.rows),
        "usage": usage_of(run.rows),
        "rows": [_row(row, columns, at, main) for at, row in enumerate(run.rows)],
    }


def _row(row: ScoredResponse, columns: Mapping[str, Column], at: int, main: str) -> dict[str, Any]:
    """Return the row of question number `at`; `main` is the metric that is the row's score.

    A question that the main metric does not concern, for it has no answer, is scored by whether one was claimed.
    """
    question, response = row.question, row.response
    values = {name: rounded(float(column.values[at])) for name, column in columns.items() if column.weights[at]}
    several = len(question.scope) != 1
    return {
        "id": question.id,
        "document": question.documents[0] if len(question.documents) == 1 else None,
        "right_documents": sorted(row.right_documents),
        "question": question.question,
        "question_type": question.question_type,
        "kind": question.kind,
        "evidence_pages": [*question.evidence_pages, *map(list, question.evidence_places)],
        "sufficient_pages": [*question.sufficient_pages, *map(list, question.sufficient_places)],
        "evidence_sources": list(question.evidence_sources),
        "evidence_documents": list(question.evidence_documents),
        "answer_format": question.answer_format,
        "pages": [_page_json(dataclasses.asdict(page), several=several) for page in response.pages],
        "ranking": [list(place) if several else place[1] for place in response.ranking],
        "answer": question.answer,
        "items": list(question.items),
        "outcome": response.outcome.value,
        "response": response.answer,
        "prediction": row.prediction,
        "answerable": response.answerable,
        "passages": [dataclasses.asdict(passage) for passage in response.passages],
        "citations": [dataclasses.asdict(cited) for cited in response.citations],
        "score": values.get(main, _unclaimed(values, failed=response.error is not None)),
        "metrics": values,
        "usage": response.usage,
        "decided_by": response.decided_by,
        "trace": list(response.trace),
        "stopped": response.stopped,
        "error": response.error,
    }


def _unclaimed(values: Mapping[str, float | None], *, failed: bool) -> float | None:
    """Return the score of a question without an answer: whether none was claimed; one that failed is not right."""
    claimed = values.get("false_claims")
    return None if claimed is None else 0.0 if failed else 1.0 - claimed


def _page_json(page: dict[str, Any], *, several: bool) -> dict[str, Any]:
    if not several:
        del page["document"]
    return page


def _averages(columns: Columns) -> dict[str, float | None]:
    return {name: rounded(column.mean()) for name, column in columns.items()}


def _group(columns: Columns, mask: npt.NDArray[np.bool_]) -> dict[str, Any]:
    kept = {name: column.keep(mask) for name, column in columns.items()}
    return {"questions": int(mask.sum()), **_averages(kept)}


def _perfect_recall_curve(rows: Sequence[ScoredResponse]) -> list[float]:
    """Return PR of the first 1, 2, ... pages of the rankings; empty where gold pages are not all needed."""
    gold = [row for row in rows if row.has_gold_pages]
    if not gold or any(row.sufficient_pages for row in rows):
        return []
    counts = range(1, RANKED + 1)
    return [
        round(sum(perfect(row.evidence_pages, row.ranking[:count]) for row in gold) / len(gold), 4) for count in counts
    ]


def usage_of(rows: Sequence[ScoredResponse]) -> dict[str, Any]:
    """Return what a system took per question: means of calls, tokens and seconds, the median and the slow end.

    `decided_by` are decisions per question by who took them; `stood_in` counts questions where a rule stood in for a
    model that was asked.
    """
    responses = [row.response for row in rows]
    used = [response.usage for response in responses if response.usage]
    seconds = np.array([float(usage.get("seconds") or 0.0) for usage in used] or [0.0])
    costs = [usage["cost"] for usage in used if usage.get("cost") is not None]
    counted = ("calls", "cached_calls", "input_tokens", "output_tokens")
    return {
        **{name: round(sum(usage.get(name) or 0 for usage in used) / max(len(used), 1), 3) for name in counted},
        "seconds": round(float(seconds.mean()), 4),
        "seconds_p50": round(float(np.median(seconds)), 4),
        "seconds_p95": round(float(np.quantile(seconds, 0.95)), 4),
        "cost": round(sum(costs) / len(used), 6) if costs else None,
        "decided_by": {
            who: round(sum(response.decided_by.get(who, 0) for response in responses) / max(len(responses), 1), 3)
            for who in ("model", "cache", "rule")
        },
        "stood_in": stood_in(responses),
    }


def _comparisons(
    runs: Sequence[SystemRun], columns: Mapping[str, Columns], means: Mapping[str, Mapping[str, intervals.Floats]]
) -> list[dict[str, Any]]:
    """Return the paired differences of every system to the first one, and of variants to the system they are of."""
    names = [run.name for run in runs]
    pairs = [(name, names[0]) for name in names[1:]]
    pairs += [(run.name, run.base) for run in runs if run.base in names[1:] and run.base != run.name]
    return [
        {"system": name, "against": base, "metrics": _differences(columns, means, name, base)} for name, base in pairs
    ]


def _best(
    columns: Mapping[str, Columns], means: Mapping[str, Mapping[str, intervals.Floats]], metric: str
) -> list[str]:
    """Return those of some systems that do best by a metric: that equal the best, or may do so but for chance."""
    figures = {name: mean for name in columns if (mean := columns[name][metric].mean()) is not None}
    if not figures:
        return []
    best = max(figures, key=lambda name: figures[name])
    return [
        name
        for name, figure in figures.items()
        if figure == figures[best]
        or ((between := intervals.interval(means[best][metric] - means[name][metric])) and between[0] <= 0)
    ]


def _differences(
    columns: Mapping[str, Columns], means: Mapping[str, Mapping[str, intervals.Floats]], name: str, base: str
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for metric, column in columns[name].items():
        mine, other = column.mean(), columns[base][metric].mean()
        if mine is not None and other is not None:
            between = pair(intervals.interval(means[name][metric] - means[base][metric]))
            found[metric] = {"difference": rounded(mine - other), "interval": between}
    return found


def _sweeps(systems: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return, for each setting that was swept, its points in the order they were given, system after system.

    A point's name is that of the system it was made from, with the swept setting behind it.
    """
    settings = dict.fromkeys(system["swept"] for system in systems if system["swept"])
    return [
        {"setting": setting, "points": [_sweep_point(one, setting) for one in systems if one["swept"] == setting]}
        for setting in settings
    ]


def _sweep_point(system: Mapping[str, Any], setting: str) -> dict[str, Any]:
    return {
        "system": system["system"],
        "from": system["system"].rpartition("@")[0],
        "value": system["settings"][setting],
        "metrics": system["metrics"],
        "intervals": system["intervals"],
        "usage": system["usage"],
    }


def in_order(name: str) -> tuple[float, str]:
    """Return what groups are sorted by: the first number in their name, then the name; those without come last."""
    found = re.search(r"\d+", name)
    return (float(found.group()) if found else math.inf, name)


def _source(question: Question, _: DocumentInfo | None) -> Sequence[str]:
    return question.evidence_sources or (() if question.answerable else ("no answer",))


def _evidence_pages(question: Question, _: DocumentInfo | None) -> Sequence[str]:
    count = len(question.evidence_pages) + len(question.evidence_places)
    if not count:
        return ("no gold page",)
    return ("1 page" if count == 1 else "2 or 3 pages" if count <= 3 else "4 pages or more",)


def _span(question: Question, _: DocumentInfo | None) -> Sequence[str]:
    count = len(question.evidence_pages) + len(question.evidence_places)
    return ("single page" if count == 1 else "multi page",) if count else ()


def _reference(question: Question, _: DocumentInfo | None) -> Sequence[str]:
    return ("explicit reference" if understand(question.question).references else "no reference",)


def _length(_: Question, info: DocumentInfo | None) -> Sequence[str]:
    if info is None:
        return ()
    return (next((name for bound, name in _BOUNDS if info.pages <= bound), "more than 100 pages"),)


def _scan(_: Question, info: DocumentInfo | None) -> Sequence[str]:
    if info is None:
        return ()
    return ("scanned" if 2 * info.scanned_pages > info.pages else "born digital",)


def _named(name: str) -> Sequence[str]:
    return (name,) if name else ()


GROUPS: dict[str, tuple[str, Group]] = {
    "kind": ("what was asked", lambda question, _: _named(question.kind)),
    "source": ("evidence source", _source),
    "page": ("gold pages", _evidence_pages),
    "span": ("single or multi page", _span),
    "reference": ("reference to a page, figure, table or section in the question", _reference),
    "length": ("length of the document", _length),
    "scan": ("scanned or born digital", _scan),
    "type": ("question type", lambda question, _: _named(question.question_type)),
    "format": ("answer format", lambda question, _: () if question.kind else (question.answer_format,)),
    "document_type": ("kind of document", lambda question, _: _named(question.document_type)),
}
"""Title and function by the key in report.json."""
