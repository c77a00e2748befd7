"""The record of a reproduced table: one JSON object, which the page, the Markdown and the CSV are written from.

Beside each figure of the paper stands what was measured; then what it took, what stood for the paper's parts, how
questions that went wrong did so, and the breakdowns, curves and histograms that the paper's analyses show.
"""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from octavo_lab.breakdowns import BY_RESPONSE, groups_of
from octavo_lab.intervals import Column, rounded
from octavo_lab.metrics.overlap import sequence
from octavo_lab.metrics.registry import METRICS
from octavo_lab.metrics.retrieval import irrelevant, perfect
from octavo_lab.metrics.traced import call_sizes, calls, error_class, is_right, used
from octavo_lab.question import RANKED, ScoredResponse
from octavo_lab.reproduce.data_sets import data_set
from octavo_lab.reproduce.figures import Cell, Line, lines_of, run_of
from octavo_lab.reproduce.presets import Preset, TableColumn
from octavo_lab.reproduce.running import Measured, run_name
from octavo_lab.runner import SystemRun
from octavo_lab.summary import GROUPS, usage_of

FORMAT_VERSION = 1
_MOST_FAILURES = 25
"""Failures of a row and benchmark that are listed."""
_LONGEST = 600
"""Characters of a text that are kept."""
_COUNTED = ("input_tokens", "output_tokens", "seconds")
_BREAKDOWNS = ("source", "span", "reach", "depth", "pictures")
Record = dict[str, Any]


def record_of(measured: Measured, *, model: str, judge: str, out: Path) -> Record:
    """Return the record; `model` and `judge` are named as they were given, "" for the rules."""
    preset, lines = measured.preset, lines_of(measured, model)
    return {
        "version": FORMAT_VERSION,
        "name": preset.name,
        "paper": preset.paper.title,
        "cite": preset.paper.cite,
        "place": preset.place,
        "title": preset.title,
        "date": datetime.now(UTC).date().isoformat(),
        "model": model,
        "judge": judge,
        "percent": preset.percent,
        "columns": [_column(column) for column in preset.columns],
        "rows": [_line(line) for line in lines],
        "notes": [*preset.notes, *preset.paper.notes],
        "sample": preset.sample,
        "papers_models": preset.paper.models,
        "substitutes": _substitutes(measured),
        "benchmarks": [_benchmark(measured, name) for name in measured.evaluations],
        "took": [_took(measured, line, name) for line in _asked(lines) for name in _asked_on(measured)],
        "breakdowns": [
            one for line in _asked(lines) for name in _asked_on(measured) for one in _breakdowns(measured, line, name)
        ],
        "curves": list(_curves(measured, lines)) if preset.curve else [],
        "histograms": list(_histograms(measured, lines)) if preset.histogram else [],
        "failures": [
            one
            for line in _asked(lines)
            for name in _asked_on(measured)
            for one in _failures(measured, line, name, out)
        ],
    }


def _asked(lines: Sequence[Line]) -> list[Line]:
    """Return the rows whose system answered."""
    return [line for line in lines if line.row.system and not line.why_not]


def _asked_on(measured: Measured) -> list[str]:
    return [name for name in measured.evaluations if measured.preset.asks(name)]


def _column(column: TableColumn) -> Record:
    definition = METRICS[column.metric].definition if column.is_measured else ""
    return {**dataclasses.asdict(column), "definition": definition}


def _line(line: Line) -> Record:
    return {
        "label": line.row.label,
        "reader": line.row.reader,
        "system": line.row.system,
        "why_not": line.why_not,
        "cells": [_cell(cell) for cell in line.cells],
    }


def _cell(cell: Cell) -> Record:
    return {
        "printed": cell.printed,
        "value": rounded(cell.value),
        "low": rounded(cell.low),
        "high": rounded(cell.high),
        "questions": cell.questions,
        "difference": rounded(cell.difference),
        "verdict": cell.verdict.value,
        "why_not": cell.why_not,
    }


def _substitutes(measured: Measured) -> list[Record]:
    """Return what stood for the parts that papers used, as answers of their plans tell, each once."""
    found: dict[tuple[str, str, str], None] = {}
    for evaluation in measured.evaluations.values():
        for run in evaluation.runs:
            for row in run.rows[:1]:
                found.update(
                    dict.fromkeys((one["role"], one["paper"], one["here"]) for one in row.response.substitutes)
                )
    return [{"role": role, "paper": paper, "here": here} for role, paper, here in found]


def _benchmark(measured: Measured, name: str) -> Record:
    evaluation, known = measured.evaluations[name], data_set(name)
    return {
        "name": name,
        "title": evaluation.benchmark.title,
        "questions": len(evaluation.benchmark.questions),
        "published_questions": known.questions,
        "documents": len(evaluation.documents),
        "published_documents": known.documents,
        "models": dict(evaluation.models),
        "assessor": evaluation.assessor,
        "assessed_by": dict(evaluation.assessed_by),
        "indexing": dataclasses.asdict(evaluation.took[-1]),
        "problems": [*evaluation.benchmark.problems, *evaluation.failures],
    }


def _took(measured: Measured, line: Line, benchmark: str) -> Record:
    run = run_of(measured, line.row, benchmark)
    return {
        "row": line.row.label,
        "system": run.name,
        "benchmark": benchmark,
        "questions": len(run.rows),
        "failed": sum(row.response.error is not None for row in run.rows),
        **usage_of(run.rows),
        **{name: round(sum(used(row, name) for row in run.rows) / max(len(run.rows), 1), 4) for name in _COUNTED},
    }


def _breakdowns(measured: Measured, line: Line, benchmark: str) -> Iterator[Record]:
    """Yield the main metric of a row by each kind of group that has two groups or more."""
    evaluation, run = measured.evaluations[benchmark], run_of(measured, line.row, benchmark)
    metric = METRICS[evaluation.benchmark.metrics[0]]
    for key in _BREAKDOWNS:
        of_each = [groups_of(key, row, evaluation.documents) for row in run.rows]
        names = sorted({name for several in of_each for name in several})
        if len(names) < 2:
            continue
        groups: dict[str, Record] = {}
        for name in names:
            inside = [row for row, several in zip(run.rows, of_each, strict=True) if name in several]
            values = Column.of([metric.of(row) for row in inside], [metric.weight(row) for row in inside])
            groups[name] = {"questions": len(inside), "value": rounded(values.mean())}
        title = BY_RESPONSE[key][0] if key in BY_RESPONSE else GROUPS[key][0]
        yield {
            "row": line.row.label,
            "benchmark": benchmark,
            "by": title,
            "metric": metric.label,
            "groups": groups,
        }


def _curves(measured: Measured, lines: Sequence[Line]) -> Iterator[Record]:
    """Yield, for each row and benchmark, (IPR, PR) of the first 1, 2, ... pages of the ranking, and of what it took.

    `needs` are the pages of its ranking that reach the recall of the first row, None where 20 do not.
    """
    for name in _asked_on(measured):
        wanted: float | None = None
        for line in _asked(lines):
            run = run_of(measured, line.row, name)
            rows = [row for row in run.rows if row.has_gold_pages]
            if not rows:
                continue
            at, own = [_point(rows, count) for count in range(1, RANKED + 1)], _point(rows, None)
            wanted = own[1] if wanted is None else wanted
            yield {
                "benchmark": name,
                "row": line.row.label,
                "at": at,
                "own": own,
                "pages": rounded(sum(len(row.pages) for row in rows) / len(rows)),
                "needs": next((count for count, (_, pr) in enumerate(at, 1) if pr >= wanted), None),
            }


def _point(rows: Sequence[ScoredResponse], count: int | None) -> tuple[float, float]:
    pages = [row.pages if count is None else row.ranking[:count] for row in rows]
    gold = [row.evidence_pages for row in rows]
    ipr = sum(irrelevant(wanted, found) for wanted, found in zip(gold, pages, strict=True)) / len(rows)
    pr = sum(perfect(wanted, found) for wanted, found in zip(gold, pages, strict=True)) / len(rows)
    return round(ipr, 4), round(pr, 4)


def _histograms(measured: Measured, lines: Sequence[Line]) -> Iterator[Record]:
    preset = measured.preset
    for name in _asked_on(measured):
        for line in _asked(lines):
            run = run_of(measured, line.row, name)
            yield {
                "benchmark": name,
                "row": line.row.label,
                "metric": METRICS[preset.histogram].label,
                "of": "calls" if preset.histogram == "output_tokens" else "questions",
                "counts": _counts(run, preset),
            }


def _counts(run: SystemRun, preset: Preset) -> list[tuple[str, int]]:
    """Return bars: questions by their calls, or calls by the tokens they wrote, in steps of 25."""
    if preset.histogram == "output_tokens":
        sizes: Counter[int] = Counter()
        for row in run.rows:
            for made, size in call_sizes(row):
                sizes[min(int(size) // 25, 12)] += round(made)
        return [(f"{25 * at}–{25 * at + 24}" if at < 12 else "300 and more", sizes[at]) for at in sorted(sizes)]
    values = Counter(int(METRICS[preset.histogram].of(row) or 0) for row in run.rows)
    return [(str(value), values[value]) for value in sorted(values)]


def _failures(measured: Measured, line: Line, benchmark: str, out: Path) -> Iterator[Record]:
    """Yield the first wrong answers of a row, with where their evidence stands."""
    evaluation, run = measured.evaluations[benchmark], run_of(measured, line.row, benchmark)
    places = {path.name: path for path in evaluation.benchmark.documents}
    wrong = [row for row in run.rows if not is_right(row)]
    for row in wrong[:_MOST_FAILURES]:
        question, response = row.question, row.response
        document = question.documents[0] if len(question.documents) == 1 else ""
        found = error_class(row)
        yield {
            "row": line.row.label,
            "system": run_name(measured.preset, line.row, benchmark),
            "benchmark": benchmark,
            "wrong": len(wrong),
            "id": question.id,
            "question": _cut(question.question),
            "document": document,
            "file": _relative(places.get(document), out),
            "expected": _cut(_told(question.answer)),
            "given": _cut(response.answer) if response.answerable else "",
            "prediction": _cut(row.prediction),
            "outcome": response.outcome.value,
            "error": response.error or "",
            "error_class": found.value if found is not None else "",
            "gold_pages": list(question.evidence_pages),
            "gold_documents": list(question.evidence_documents)[:10],
            "evidence": [_cut(text) for text in question.evidence_texts[:3]],
            "pages": sorted({page.page for page in response.pages})[:40] if document else [],
            "pages_read": None
            if response.pages_read is None
            else sorted({page for _, page in response.pages_read})[:40],
            "calls": int(calls(row)),
            "tokens": round(used(row, "input_tokens", "output_tokens")),
        }


def _relative(path: Path | None, out: Path) -> str:
    return "" if path is None else Path(os.path.relpath(path.absolute(), out.absolute())).as_posix()


def _told(answer: object) -> str:
    several = sequence(answer)
    return str(answer) if several is None else "; ".join(map(_told, several))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def page_keys(failures: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str, int]]:
    """Yield (benchmark, document, page) of the gold pages of failures, each once, those of the first failures first."""
    seen: set[tuple[str, str, int]] = set()
    for one in failures:
        for page in one["gold_pages"] if one["document"] else ():
            key = (one["benchmark"], one["document"], page)
            if key not in seen:
                seen.add(key)
                yield key
