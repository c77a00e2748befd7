"""How often a system's pages hold all the evidence: PR@k, recall@5 and mean pages over a benchmark folder.

The folder holds `documents/` and `questions.jsonl`, a JSON object a line with `document`, `question`,
`evidence_pages` (1-based) and perhaps `evidence_sources`. Questions without evidence pages are not counted.

    python benchmarks/retrieval.py FOLDER --systems bm25,dense,hybrid --corpus INDEX --by
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import octavo
from octavo import systems
from octavo.evidence import Query, View
from octavo.operators.core import Run

CUTS = (1, 3, 5, 10, 20)


@dataclasses.dataclass(frozen=True)
class Outcome:
    """One question under one system: the ranking of its first 20 pages against the gold pages."""

    system: str
    document: str
    gold: frozenset[int]
    sources: tuple[str, ...]
    ranking: tuple[int, ...]
    is_scanned: bool
    seconds: float

    def perfect(self, cut: int) -> float:
        return float(self.gold <= set(self.ranking[:cut]))

    def recall(self, cut: int) -> float:
        return len(self.gold & set(self.ranking[:cut])) / len(self.gold)


def questions_of(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "questions.jsonl").read_text().splitlines()
    return [question for question in map(json.loads, lines) if question["evidence_pages"]]


def measure(names: Sequence[str], questions: Sequence[dict[str, Any]], view_of: Callable[[str], View]) -> list[Outcome]:
    """Run every system on every question over the question's own document."""
    return list(_outcomes(names, questions, view_of))


def _outcomes(
    names: Sequence[str], questions: Sequence[dict[str, Any]], view_of: Callable[[str], View]
) -> Iterator[Outcome]:
    for question in questions:
        view = view_of(question["document"])
        gold = frozenset(question["evidence_pages"])
        scanned = bool(view.documents[0].pages.is_scanned[[page - 1 for page in gold]].any())
        for name in names:
            run = Run(view)
            started = time.perf_counter()
            result = systems.run_search(systems.get(name), Query(question["question"], limit=max(CUTS)), run)
            yield Outcome(
                system=name,
                document=question["document"],
                gold=gold,
                sources=tuple(question.get("evidence_sources", ())),
                ranking=tuple(hit.page for hit in result.evidence.pages(result.by)),
                is_scanned=scanned,
                seconds=time.perf_counter() - started,
            )


def summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    table = {f"PR@{cut}": float(np.mean([one.perfect(cut) for one in outcomes])) for cut in CUTS}
    table["recall@5"] = float(np.mean([one.recall(5) for one in outcomes]))
    table["pages"] = float(np.mean([len(one.ranking) for one in outcomes]))
    table["p50 ms"] = float(np.median([one.seconds for one in outcomes]) * 1000)
    table["p95 ms"] = float(np.percentile([one.seconds for one in outcomes], 95) * 1000)
    return table


def groups(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Return outcomes by number of gold pages, evidence source and kind of page."""
    parts: dict[str, list[Outcome]] = {}
    for one in outcomes:
        names = ["single page" if len(one.gold) == 1 else "multi page", "scanned" if one.is_scanned else "born-digital"]
        for name in [*names, *one.sources]:
            parts.setdefault(name, []).append(one)
    return dict(sorted(parts.items()))


def documents_in(folder: Path) -> Path:
    """Return where the documents of a folder are: in its `documents`, else beside its questions."""
    documents = folder / "documents"
    return documents if documents.exists() else folder


def indexed(folder: Path, corpus: octavo.Corpus) -> Callable[[str], View]:
    """Add a folder's PDFs, beside its questions or in `documents`, and return how to open one by file name."""
    documents = documents_in(folder)
    for failure in corpus.add(sorted(folder.glob("*.pdf")) if documents == folder else documents).failed:
        print(f"{failure.path}: {failure.message}", file=sys.stderr)
    known: dict[str, View] = {}

    def view_of(name: str) -> View:
        if name not in known:
            known.clear()
            known[name] = corpus.view([corpus.resolve(name).id])
        return known[name]

    return view_of


def report(outcomes: Sequence[Outcome], names: Sequence[str], *, by_group: bool) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name in names:
        own = [one for one in outcomes if one.system == name]
        result[name] = {"questions": len(own), "metrics": summary(own)}
        if by_group:
            result[name]["by"] = {
                part: {"questions": len(members), "metrics": summary(members)} for part, members in groups(own).items()
            }
    return result


def print_table(result: dict[str, Any]) -> None:
    columns = list(next(iter(result.values()))["metrics"])
    print(f"{'system':34}{'n':>5}" + "".join(f"{name:>10}" for name in columns))
    for system, part in result.items():
        rows = [(system, part), *((f"  {name}", inner) for name, inner in part.get("by", {}).items())]
        for label, row in rows:
            figures = "".join(f"{row['metrics'][name]:>10.3f}" for name in columns)
            print(f"{label:34}{row['questions']:>5}{figures}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", default=",".join(systems.SYSTEMS))
    parser.add_argument("--corpus", type=Path, required=True, help="where the index is, or is to be")
    parser.add_argument("--by", action="store_true", help="also by gold pages, evidence source and kind of page")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    names = options.systems.split(",")
    with octavo.open(options.corpus) as corpus:
        outcomes = measure(names, questions_of(options.folder), indexed(options.folder, corpus))
    result = report(outcomes, names, by_group=options.by)
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        print_table(result)


if __name__ == "__main__":
    main()
