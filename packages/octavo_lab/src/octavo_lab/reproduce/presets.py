"""Result tables and figures of the papers, read from the files in `papers`.

A preset says which systems are run on which benchmarks, what is measured, and what the paper prints. A row that is not
built and a figure that cannot be measured have a reason in the place of a system or a metric.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from octavo.errors import UsageError

PAPERS = ("bookrag", "ladrag", "dmap", "mmrag", "rdr2")
MEAN = "mean"
"""The metric of a column that is the mean of those before it."""
GRAPH = "graph:"
"""Begins what is measured of the graphs that indexing made, not of answers."""
_WHY_NOT, _NOT_COMPARABLE, _MORE = "!", "~", "+"


@dataclasses.dataclass(frozen=True)
class TableColumn:
    """A column of a table: what is measured, on which benchmark, of which group of its questions ("" for all).

    `why_not` says why it cannot be measured. `is_comparable` is false where the paper's own formula is not known, and
    `is_more` true where the figure is what a row takes more than the first one.
    """

    label: str
    benchmark: str
    metric: str = ""
    breakdown: str = ""
    group: str = ""
    why_not: str = ""
    is_comparable: bool = True
    is_more: bool = False

    @property
    def is_measured(self) -> bool:
        """Whether answers of systems are measured for it."""
        return bool(self.metric) and self.metric != MEAN and not self.metric.startswith(GRAPH)


@dataclasses.dataclass(frozen=True)
class TableRow:
    """A row: the system that stands for it, or why none does, and a figure for each column, None where none is printed.

    `reader` is the model that answered in the paper, where the table has several.
    """

    label: str
    system: str
    why_not: str
    figures: tuple[float | None, ...]
    reader: str = ""


@dataclasses.dataclass(frozen=True)
class Paper:
    """A paper, and what it used that something else stands for here."""

    key: str
    title: str
    cite: str
    models: str
    notes: tuple[str, ...] = ()
    settings: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """Settings of systems by benchmark: how long answers are to be, say."""


@dataclasses.dataclass(frozen=True)
class Preset:
    """One result table or figure."""

    name: str
    paper: Paper
    place: str
    """Where it stands: "Table 5"."""
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    percent: bool = False
    """Whether the paper prints shares as percentages."""
    tell_format: bool = False
    """Whether systems that ask by the type of the answer are told the gold's."""
    judged: bool = False
    """Whether responses are judged though no column shows verdicts."""
    curve: bool = False
    """Whether perfect recall is drawn against irrelevant pages."""
    histogram: str = ""
    """The metric whose values are counted, "" for none."""
    sample: int | None = None
    """How many questions of each benchmark the paper took, None for all."""
    notes: tuple[str, ...] = ()

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """Names of the benchmarks that systems are run on."""
        names = (column.benchmark for column in self.columns if column.benchmark and not column.why_not)
        return tuple(dict.fromkeys(names)) if self.systems else ()

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems that are run, each once."""
        return tuple(dict.fromkeys(row.system for row in self.rows if row.system))

    def metrics(self, benchmark: str) -> tuple[str, ...]:
        """Return what is measured on a benchmark, each once."""
        found = [column.metric for column in self.columns if column.benchmark == benchmark and column.is_measured]
        return tuple(dict.fromkeys((*found, *(["judged"] if self.judged else []))))

    def asks(self, benchmark: str) -> bool:
        """Whether questions of a benchmark are put to systems; not where graphs alone are measured."""
        return bool(self.metrics(benchmark))

    @property
    def needs_judge(self) -> bool:
        """Whether the paper has a model judge responses for this table."""
        return self.judged or any(column.metric == "judged" for column in self.columns)

    def of_systems(self, wanted: Collection[str]) -> Preset:
        """Return the preset with the rows of these systems alone run."""
        why = "left out with --system"
        rows = (
            row if not row.system or row.system in wanted else dataclasses.replace(row, system="", why_not=why)
            for row in self.rows
        )
        return dataclasses.replace(self, rows=tuple(rows))

    def row_of(self, system: str, model: str) -> TableRow:
        """Return the row that a system's figures stand beside: of the reader most like the model, else the last."""
        rows = [row for row in self.rows if row.system == system]
        return max(enumerate(rows), key=lambda one: (_likeness(one[1], model), one[0]))[1]


def _likeness(row: TableRow, model: str) -> float:
    """Return 1.0 where a row's reader or label is named by the model's name, or the other way round, else 0.0."""
    wanted = {_plain(text) for text in (*row.reader.split(" & "), row.label) if text}
    given = _plain(model.partition(":")[2].partition("@")[0] or model)
    return float(any(len(one) > 3 and given and (one in given or given in one) for one in wanted))


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


def names() -> tuple[str, ...]:
    """Return the names of all presets, paper by paper."""
    return tuple(_all())


def preset(name: str) -> Preset:
    """Return the preset of a name; raise UsageError that says which is near."""
    known = _all()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        meant = f"did you mean {near[0]!r}? " if near else ""
        raise UsageError(f"there is no table {name!r}; {meant}octavo reproduce --list names all")
    return known[name]


@cache
def _all() -> dict[str, Preset]:
    return {one.name: one for key in PAPERS for one in _presets(key)}


def _presets(key: str) -> Iterator[Preset]:
    text = resources.files("octavo_lab.reproduce").joinpath("papers", f"{key}.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)
    paper = Paper(
        key,
        values["title"],
        values["cite"],
        values["models"],
        tuple(values.get("notes", ())),
        values.get("settings", {}),
    )
    for table in values["table"]:
        reasons = {**values.get("reasons", {}), **table.get("reasons", {})}
        yield _preset(paper, table, reasons, tell_format=bool(values.get("tell_format")))


def _preset(paper: Paper, table: Mapping[str, Any], reasons: Mapping[str, str], *, tell_format: bool) -> Preset:
    columns = tuple(_column(cells, reasons) for cells in table["columns"])
    blocks = table.get("block") or [{"reader": "", "rows": table["rows"]}]
    return Preset(
        name=f"{paper.key}-{table.get('name') or _plain(table['place'])}",
        paper=paper,
        place=table["place"],
        title=table["title"],
        columns=columns,
        rows=tuple(_row(cells, block["reader"], reasons, len(columns)) for block in blocks for cells in block["rows"]),
        percent=table.get("percent", False),
        tell_format=tell_format,
        judged=table.get("judged", False),
        curve="curve" in table,
        histogram=table.get("histogram", ""),
        sample=table.get("sample"),
        notes=tuple(table.get("notes", ())),
    )


def _column(cells: Sequence[str], reasons: Mapping[str, str]) -> TableColumn:
    label, benchmark, metric, *by = cells
    if metric.startswith(_WHY_NOT):
        return TableColumn(label, benchmark, why_not=reasons[metric[1:]])
    breakdown, group = by or ("", "")
    plain = metric.lstrip(_NOT_COMPARABLE + _MORE)
    return TableColumn(
        label,
        benchmark,
        plain,
        breakdown,
        group,
        is_comparable=not metric.startswith(_NOT_COMPARABLE),
        is_more=metric.startswith(_MORE),
    )


def _row(cells: Sequence[Any], reader: str, reasons: Mapping[str, str], width: int) -> TableRow:
    label, system, *given = cells
    if len(given) != width:
        raise ValueError(f"{label}: {len(given)} figures for {width} columns")
    figures = tuple(None if value == "" else float(value) for value in given)
    is_built = not system.startswith(_WHY_NOT)
    return TableRow(label, system if is_built else "", "" if is_built else reasons[system[1:]], figures, reader)


def listed(found: Iterable[Preset]) -> Iterator[tuple[str, str]]:
    """Yield each preset's name with what a list says of it."""
    for one in found:
        benchmarks = ", ".join(one.benchmarks) or "nothing to run"
        yield one.name, f"{one.paper.title}, {one.place}: {one.title} ({benchmarks})"
