"""What each rule of structuring is worth: one is switched off at a time, and documents are read again without it.

    python benchmarks/ablation.py [--outlines FOLDER...] [--authors headings.jsonl] [--tables FOLDER] [--seed 101]
        [--pages 30] [--only NAME...] [--as true | --constants 0.1]

**Rules** are the functions of `octavo_documents.structuring` that answer yes or no; one that is switched off says no
whatever it is asked (with `--as true`: yes). Only documents are read again for which it said yes (or no) before, so a
rule that never did so is listed as unused. STEPS are rules of other shapes, and what stands for each.

**Documents** are those that nothing was fitted on: `--outlines` are PDFs with bookmarks or authors' headings (their F1
within, bookmarks hidden, of at most `--pages` pages), `--tables` those of ICDAR 2013 (F1 of relations); generated from
`--seed`: pages in many layouts (Kendall's tau), tables (cells right), pages without tables, references with captions,
and figures. Each document has one figure from 0 to 1.

With `--constants 0.1` the numbers of each table of constants are all lowered by a tenth, then raised, instead.

Printed is what a rule's absence changes, in hundredths of the mean of each family and of all, with the interval of a
paired bootstrap over documents, 95 %: a rule is worth something where the interval of all or of a family is below 0.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import inspect
import pkgutil
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import figures as figure_scores
import headings as heading_scores
import reading_order as order_scores
import references as reference_scores
import table_layouts
import table_lookalikes
import tables as table_scores
from octavo_documents import structuring
from octavo_documents.document import Document, Kind, LinkKind
from octavo_documents.parsing.content import SourceContent
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure

sys.path.append(str(Path(__file__).parent.parent / "packages" / "octavo_documents" / "benchmarks"))
import icdar2013

DRAWS = 2000
SHOWN = 100.0
"""Figures are shown in hundredths."""


def first(given: Any, *_: Any, **__: Any) -> Any:
    """Return what a step is given: it changes nothing."""
    return given


def nothing(*_: Any, **__: Any) -> None:
    """Change nothing in place."""


STEPS: Mapping[str, Callable[..., Any]] = {
    "captions_and_footnotes.take_labels": nothing,
    "captions_and_footnotes.link_captions": nothing,
    "captions_and_footnotes.set_footnotes": nothing,
    "captions_and_footnotes.set_nesting": nothing,
    "continuation.link_continuations": nothing,
    "furniture.furniture": lambda pages, *_, **__: [{} for _ in pages],
    "furniture.without_cells": first,
    "furniture.repeated_images": lambda pages: [frozenset() for _ in pages],
    "lines.with_initials": first,
    "layout._with_marks": lambda page, groups: iter(groups),
    "headings.sections._join_title": nothing,
    "headings.sections._free_headers": nothing,
    "figures.by_caption.framed_texts": lambda *_: iter(()),
    "figures.by_caption.panels": lambda *_, **__: iter(()),
}


@dataclass
class Case:
    """A document: its family, its pages, and its figure as it was read."""

    family: str
    name: str
    content: SourceContent
    score: Callable[[Document], float]
    usual: float = 0.0
    said: dict[str, set[bool]] = field(default_factory=lambda: defaultdict(set))

    def measure(self) -> float:
        return self.score(structure(self.content, name=self.name, digest="0" * 64))


@dataclass(frozen=True)
class Rule:
    """A function by its name, and the places that hold it."""

    name: str
    function: Callable[..., Any]
    holders: tuple[tuple[Any, str], ...]

    def put(self, other: Any) -> None:
        for holder, name in self.holders:
            setattr(holder, name, other)


def modules() -> list[Any]:
    found = pkgutil.walk_packages(structuring.__path__, f"{structuring.__name__}.")
    return [importlib.import_module(one.name) for one in found if not one.name.endswith("worker")]


def rules() -> Iterator[Rule]:
    """Yield the rules of all modules of structuring."""
    all_modules = modules()
    for module in all_modules:
        short = module.__name__.removeprefix(f"{structuring.__name__}.")
        for name, value in vars(module).items():
            if inspect.isclass(value) and value.__module__ == module.__name__:
                for inner, method in vars(value).items():
                    if inspect.isfunction(method) and method.__annotations__.get("return") == "bool":
                        yield Rule(f"{short}.{value.__name__}.{inner}", method, ((value, inner),))
            if not inspect.isfunction(value) or value.__module__ != module.__name__:
                continue
            if value.__annotations__.get("return") == "bool" or f"{short}.{name}" in STEPS:
                held = [(one, at) for one in all_modules for at, other in vars(one).items() if other is value]
                yield Rule(f"{short}.{name}", value, tuple(held))


def harmonic(found: float, true: float, right: float) -> float:
    return 2 * right / (found + true) if found + true else 1.0


def outlined(folders: Sequence[Path], authors: Path | None, pages: int) -> Iterator[Case]:
    known = heading_scores.authors_headings(authors)
    for path in (path for folder in folders for path in sorted(folder.glob("*.pdf"))):
        content = extract(path, ocr="never")
        gold = heading_scores.gold_of(path.name, content, known)
        if gold is None:
            continue
        cut = replace(content, pages=content.pages[:pages], outline=())
        is_whole = len(cut.pages) == len(content.pages)
        wanted = [one for one in gold.sections if (one.page <= len(cut.pages) if one.page else is_whole)]
        if len(wanted) >= heading_scores.FEWEST:
            yield Case("headings", path.name, cut, functools.partial(headings_found, wanted=wanted))


def headings_found(document: Document, *, wanted: Sequence[heading_scores.Section]) -> float:
    score = heading_scores.compare(heading_scores.sections_of(document), wanted)
    return score.f1_within * (0.5 + 0.5 * score.levels)


def with_tables(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("*.pdf")):
        gold = path.with_name(f"{path.stem}-str.xml")
        if gold.exists():
            expected = icdar2013.gold(gold)
            yield Case(
                "icdar2013", path.name, extract(path, ocr="never"), functools.partial(relations, expected=expected)
            )


def relations(document: Document, *, expected: icdar2013.Relations) -> float:
    found = icdar2013.Relations()
    for table in document.tables:
        cells = table.grid.cells
        found += icdar2013.relations(
            icdar2013.cell(c.row, c.row + c.rows - 1, c.column, c.column + c.columns - 1, c.text) for c in cells
        )
    return harmonic(found.total(), expected.total(), (expected & found).total())


def generated(folder: Path, seed: int) -> Iterator[Case]:
    for layout in order_scores.LAYOUTS:
        dice = random.Random(f"{seed} {layout.__name__}")
        sheet = order_scores.Sheet(dice, size=10.0, font=dice.choice(["Times-Roman", "Helvetica"]))
        layout(sheet)
        path = folder / f"{layout.__name__}.pdf"
        sheet.write(path)
        yield Case("order", path.name, extract(path, ocr="never"), functools.partial(in_order, sheet=sheet))
    for layout in table_layouts.layouts(24, seed):
        path = folder / f"table-{layout.number}.pdf"
        table = table_layouts.drawn(layout, path)
        score = functools.partial(cells_right, layout=layout, table=table)
        yield Case("tables", path.name, extract(path), score)
    for name, draw in table_lookalikes.LOOKALIKES.items():
        path = folder / f"no-table-{name}.pdf"
        draw(path)
        yield Case("no tables", path.name, extract(path), without_tables)
    for at in range(8):
        content, true, captions = reference_scores.Writer(seed * 1000 + at).write()
        score = functools.partial(references, true=true, captions=captions)
        yield Case("references", f"references {at}", content, score)
    for path, drawn in figure_scores.books(folder, seed, 6):
        yield Case("figures", path.name, extract(path), functools.partial(figures_right, drawn=drawn))


def without_tables(document: Document) -> float:
    return float(Kind.TABLE not in document.blocks.kind)


def in_order(document: Document, *, sheet: order_scores.Sheet) -> float:
    text = " ".join(document.blocks.text[row] for row in range(len(document.blocks)))
    orders = [sheet.told, *([sheet.notes_last()] if sheet.aside else [])]
    return max(order_scores.tau(order, text)[0] for order in orders)


def cells_right(document: Document, *, layout: table_layouts.Layout, table: table_layouts.Table) -> float:
    outcome = table_scores.outcome(layout, table, document)
    parts = (outcome.right / outcome.total, outcome.headers_right, outcome.note_kept_out)
    return sum(weight * part for weight, part in zip((0.8, 0.1, 0.1), parts, strict=True))


def references(document: Document, *, true: set[reference_scores.Reference], captions: Sequence[str]) -> float:
    found = reference_scores.found_in(document)
    links, texts = document.links, document.blocks.text
    tied = [texts[links.source[at]] for at in range(len(links)) if links.kind_of(at) == LinkKind.CAPTION_OF]
    held = sum(any(text.startswith(caption[:40]) for text in tied) for caption in captions)
    return (harmonic(len(found), len(true), len(found & true)) + held / max(len(captions), 1)) / 2


def figures_right(document: Document, *, drawn: Sequence[figure_scores.Figure]) -> float:
    right = 0.0
    for figure in drawn:
        row, sort = figure_scores.told(document, figure)
        is_tied = not figure.caption or (row >= 0 and figure_scores.is_tied(document, figure, row))
        right += (sort == figure.kind) / 2 + is_tied / 2
    return right / max(len(drawn), 1)


def watched(rule: Rule, case: Case) -> Callable[..., bool]:
    @functools.wraps(rule.function)
    def watch(*given: Any, **named: Any) -> bool:
        found = rule.function(*given, **named)
        case.said[rule.name].add(bool(found))
        return found

    return watch


def interval(changes: Sequence[float]) -> tuple[float, float]:
    """Return the middle 95 % of the means of documents drawn with replacement."""
    drawn = np.random.default_rng(7).integers(0, len(changes), (DRAWS, len(changes)))
    low, high = np.quantile(np.asarray(changes)[drawn].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def line_of(name: str, cases: Sequence[Case], changed: Mapping[int, float], read: int) -> str:
    families = sorted({case.family for case in cases})
    parts: list[str] = []
    for family in ("all", *families):
        chosen = [at for at, case in enumerate(cases) if family in ("all", case.family)]
        changes = [changed.get(at, 0.0) for at in chosen]
        if any(changes):
            low, high = interval(changes)
            mean = SHOWN * sum(changes) / len(changes)
            parts.append(f"{family} {mean:+.2f} [{SHOWN * low:+.2f}, {SHOWN * high:+.2f}]")
    differ = sum(map(bool, changed.values()))
    return f"{name:58} read {read:3d} differ {differ:3d}  {'; '.join(parts) or 'no change'}"


def measure(rule: Rule, cases: Sequence[Case], *, as_true: bool) -> str:
    step = STEPS.get(rule.name)
    chosen = [at for at, case in enumerate(cases) if step or (not as_true) in case.said[rule.name]]
    rule.put(step or (lambda *_, **__: as_true))
    changed: dict[int, float] = {}
    try:
        for at in chosen:
            changed[at] = round(cases[at].measure() - cases[at].usual, 6)
    except Exception as error:  # noqa: BLE001 - some rules cannot be left out: what is built on them fails
        return f"{rule.name:58} cannot be left out: {type(error).__name__}: {str(error)[:60]}"
    finally:
        rule.put(rule.function)
    return line_of(rule.name, cases, changed, len(chosen))


def tables_of_constants() -> Iterator[type]:
    """Yield the classes of structuring that hold nothing but constants."""
    for module in modules():
        for value in vars(module).values():
            if inspect.isclass(value) and value.__module__ == module.__name__ and numbers_of(value):
                yield value


def numbers_of(table: type) -> dict[str, float]:
    held = {name: value for name, value in vars(table).items() if name.isupper()}
    return {name: value for name, value in held.items() if isinstance(value, int | float)}


def moved(value: float, share: float) -> float:
    """Return a constant that is moved by a share; a whole one by one at least."""
    if isinstance(value, float):
        return value * (1 + share)
    return value + (max(1, round(value * share)) if share > 0 else min(-1, round(value * share)))


def measure_constants(table: type, cases: Sequence[Case], share: float) -> str:
    usual = numbers_of(table)
    for name, value in usual.items():
        setattr(table, name, moved(value, share))
    try:
        changed = {at: round(case.measure() - case.usual, 6) for at, case in enumerate(cases)}
    except Exception as error:  # noqa: BLE001 - a number may leave the range that a step takes
        return f"{table.__module__}.{table.__name__} {share:+}: {type(error).__name__}"
    finally:
        for name, value in usual.items():
            setattr(table, name, value)
    short = table.__module__.removeprefix(f"{structuring.__name__}.")
    return line_of(f"{short}.{table.__name__} {share:+}", cases, changed, len(cases))


def report_constants(cases: Sequence[Case], options: argparse.Namespace) -> None:
    for table in tables_of_constants():
        if not options.only or any(part in f"{table.__module__}.{table.__name__}" for part in options.only):
            for share in (-options.constants, options.constants):
                print(measure_constants(table, cases, share), flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outlines", type=Path, nargs="*", default=[])
    parser.add_argument("--authors", type=Path)
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--as", dest="answer", choices=("false", "true"), default="false")
    parser.add_argument("--constants", type=float, default=0.0)
    return parser.parse_args()


def main() -> None:
    options = parse_arguments()
    with tempfile.TemporaryDirectory() as scratch:
        cases = [
            *outlined(options.outlines, options.authors, options.pages),
            *(with_tables(options.tables) if options.tables else ()),
            *generated(Path(scratch), options.seed),
        ]
    chosen = [rule for rule in rules() if not options.only or any(part in rule.name for part in options.only)]
    chosen = [] if options.constants else chosen
    started = time.monotonic()
    for case in cases:
        for rule in chosen:
            if rule.name not in STEPS:
                rule.put(watched(rule, case))
        case.usual = case.measure()
    for rule in chosen:
        rule.put(rule.function)
    for family in sorted({case.family for case in cases}):
        usual = [case.usual for case in cases if case.family == family]
        print(f"{family}: {len(usual)} documents, mean {SHOWN * sum(usual) / len(usual):.2f}")
    print(f"{len(chosen)} rules; read once in {time.monotonic() - started:.0f} s", flush=True)
    if options.constants:
        report_constants(cases, options)
        return
    for rule in chosen:
        print(measure(rule, cases, as_true=options.answer == "true"), flush=True)


if __name__ == "__main__":
    main()
