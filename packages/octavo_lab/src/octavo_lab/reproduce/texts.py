"""A record as text: a line for each figure as CSV, and the table with what is to be known of it as Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Record = Mapping[str, Any]
_SIGNS = {"within": "=", "above": "▲", "below": "▼", "": ""}
_FEW = 5
"""Names that are told of those that share a reason."""
_FIELDS = ("printed", "value", "low", "high", "questions", "verdict")
_HEAD = (
    "table",
    "reader",
    "row",
    "system",
    "column",
    "benchmark",
    "metric",
    "group",
    "printed",
    "measured",
    "low",
    "high",
    "questions",
    "verdict",
    "why_not",
    "model",
    "judge",
    "date",
)


def as_csv(record: Record) -> str:
    """Return a line for each figure."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_HEAD)
    for row in record["rows"]:
        for column, cell in zip(record["columns"], row["cells"], strict=True):
            figures = (cell[key] for key in _FIELDS)
            writer.writerow(
                [
                    record["name"],
                    row["reader"],
                    row["label"],
                    row["system"],
                    column["label"],
                    column["benchmark"],
                    column["metric"],
                    column["group"],
                    *figures,
                    row["why_not"] or cell["why_not"],
                    record["model"],
                    record["judge"],
                    record["date"],
                ]
            )
    return out.getvalue()


def as_markdown(record: Record) -> str:
    """Return the table, printed / measured, what it took, and what is to be known of it."""
    lines = [f"# {record['paper']}, {record['place']}: {record['title']}", ""]
    lines += [f"{record['cite']}. {said_of_run(record)}", "", table_of(record), ""]
    lines += ["Each cell: the paper's figure / the one measured ± half of its 95 % interval (questions). ▲ and ▼: the"]
    lines += ["paper's figure lies outside of the interval, and the measured one is higher or lower; of fewer than ten"]
    lines += ["questions nothing is said.", ""]
    lines += [f"* {note}" for note in notes_of(record)]
    lines += ["", "| row | benchmark | questions | calls | tokens in | tokens out | cost | seconds |"]
    lines += ["| --- | --- | --: | --: | --: | --: | --: | --: |"]
    for one in record["took"]:
        calls = one["calls"] + one["cached_calls"]
        cells = (one["row"], one["benchmark"], one["questions"], f"{calls:.1f}", f"{one['input_tokens']:.0f}")
        more = (f"{one['output_tokens']:.0f}", _cost(one["cost"]), f"{one['seconds']:.2f}")
        lines.append(f"| {' | '.join(map(str, (*cells, *more)))} |")
    return "\n".join(lines) + "\n"


def said_of_run(record: Record) -> str:
    """Return in a sentence who answered and judged, and when."""
    answered, judged = record["model"] or "rules", record["judge"] or "a rule"
    return f"Answered by {answered}, judged by {judged}, {record['date']}."


def _cost(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def table_of(record: Record) -> str:
    """Return the table in Markdown, wide enough to be read as it is."""
    heads = ["", *(column["label"] for column in record["columns"])]
    rows: list[list[str]] = []
    reader = ""
    for row in record["rows"]:
        if row["reader"] != reader:
            reader = row["reader"]
            rows.append([f"**{reader}**", *[""] * len(record["columns"])])
        rows.append([row["label"], *(cell_text(cell, record) for cell in row["cells"])])
    widths = [max(len(line[at]) for line in (heads, *rows)) for at in range(len(heads))]
    rule = ["-" * max(widths[0], 3), *("-" * max(width - 1, 2) + ":" for width in widths[1:])]
    written = [
        [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        for line in (heads, *rows)
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (written[0], rule, *written[1:]))


def cell_text(cell: Record, record: Record) -> str:
    """Return "43.8 / 41.2 ± 3.0 (669) ▼", with a dash for what is not there."""
    printed = "–" if cell["printed"] is None else number(cell["printed"], record)
    if cell["value"] is None:
        return f"{printed} / –"
    half = "" if cell["low"] is None else f" ± {number((cell['high'] - cell['low']) / 2, record)}"
    return f"{printed} / {number(cell['value'], record)}{half} ({cell['questions']}) {_SIGNS[cell['verdict']]}".rstrip()


def number(value: float, record: Record) -> str:
    """Return a figure as the paper writes those of its table."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return (
        f"{value:.1f}"
        if record["percent"] or abs(value) >= 10
        else f"{value:.3f}"
        if abs(value) >= 0.01
        else f"{value:.2g}"
    )


def notes_of(record: Record) -> list[str]:
    """Return what whoever reads the table has to know."""
    found = [*record["notes"], f"The paper used: {record['papers_models']}."]
    here = "; ".join(f"{one['role'].replace('_', ' ')}: {one['here']}" for one in record["substitutes"])
    found += [f"In their place stood here: {here}."] if here else []
    for one in record["benchmarks"]:
        share = (
            f"{one['questions']:,} of {one['published_questions']:,} questions" if one["questions"] else "no question"
        )
        documents = "" if one["published_documents"] is None else f" of {one['published_documents']:,}"
        found.append(f"{one['title']}: {share}, {one['documents']:,}{documents} documents.")
    run = {one["name"] for one in record["benchmarks"]}
    names = dict.fromkeys(one["benchmark"] for one in record["columns"] if one["benchmark"] and not one["why_not"])
    for name in dict.fromkeys(one["benchmark"] for one in record["curves"]):
        some = [one for one in record["curves"] if one["benchmark"] == name]
        needs = ", ".join(f"{one['row']} {one['needs'] or 'more than 20'}" for one in some[1:])
        found += [f"Pages of its ranking that each needs for the recall of {some[0]['row']} on {name}: {needs}."]
    left = [name for name in names if name not in run]
    found += [f"Not run: {', '.join(left)}."] if left and run else []
    rows = dict.fromkeys((_named(row), row["why_not"]) for row in record["rows"])
    found += [f"Not measured: {told}." for told in _by_reason(rows)]
    columns = {(column["label"], column["why_not"]): None for column in record["columns"]}
    found += [f"Not measured, columns: {told}." for told in _by_reason(columns)]
    found += [f"Comparable among rows alone: {one['label']}." for one in record["columns"] if not one["is_comparable"]]
    stood = [one for one in record["took"] if one["stood_in"]["questions"]]
    found += [
        f"A rule stood in for the model at {one['stood_in']['questions']} questions: {one['row']}, {one['benchmark']}."
        for one in stood
    ]
    failed = [one for one in record["took"] if one["failed"]]
    found += [
        f"{one['failed']} questions of {one['row']} on {one['benchmark']} failed: they count as wrong."
        for one in failed
    ]
    return found


def _named(row: Record) -> str:
    return f"{row['label']} ({row['reader']})" if row["reader"] else row["label"]


def _by_reason(named: Iterable[tuple[str, str]]) -> list[str]:
    """Return "A, B: why" for each reason there is."""
    found: dict[str, list[str]] = {}
    for name, why in named:
        if why:
            found.setdefault(why, []).append(name)
    return [f"{_first(tuple(dict.fromkeys(names)))}: {why}" for why, names in found.items()]


def _first(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = [f"{len(names) - _FEW} more"] if len(names) > _FEW else []
    return ", ".join((*names[:_FEW], *more))
