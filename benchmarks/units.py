"""How well units are ranked, and the fit of their weights: over files of questions with acceptable answers.

A folder holds `questions.jsonl`: questions as people ask them (`answers`, `items`, `pages`) or a benchmark's (`answer`,
`evidence_pages`). The documents must be in the corpus. A unit counts as right when the passage it grows into holds an
answer and stands on a page that is known to hold it. Weights are fitted as a conditional logit (the chance that one
unit of a question is the best) and measured with the documents of each question left out, in twelve folds. Where the
passage scorer is installed, its weights are fitted too.

    python benchmarks/units.py FOLDER [FOLDER ...] --corpus INDEX [--system hybrid] [--without FEATURE]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

import octavo
from octavo import systems
from octavo.evidence import Query, View
from octavo.operators.core import Run
from octavo.operators.extractive import unit_scores
from octavo.operators.extractive.passages import render_passage
from octavo.operators.extractive.unit_scores import COMPARED, FEATURES, ScoredUnit, compared, first_scored, read_by
from octavo.question import understand
from octavo_lab.metrics.answer_correctness import holds, is_yes_or_no
from octavo_lab.metrics.overlap import is_refusal

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

FOLDS = 12
STRENGTH = 10.0
"""Of the ridge that keeps weights small; between 3 and 30 little changes."""
FIRST = [FEATURES.index(name) for name in ("page", "terms", "value", "numbers", "pieces_alone")]
LAST = [FEATURES.index(name) for name in ("page", "terms", "value", "numbers", "pieces", "pieces_around")]
READ = ("first score", "scorer")


@dataclasses.dataclass
class Case:
    """A question with its units: (n, n_features), whether each one's passage holds an answer, and on a known page.

    `read` is the same by the scorer, its features as in `READ`; None without one.
    """

    folder: str
    document: str
    kind: str
    question: str
    units: list[ScoredUnit]
    features: Floats
    holds: Flags
    is_known: Flags
    seconds: float
    read: Case | None = None


def rows_of(folder: Path, *, all_kinds: bool = False) -> Iterator[dict[str, Any]]:
    """Yield questions: `answers`, `items`, `pages`, `kind` and `document`; those with words to find, or all."""
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "answers" not in row:
            answer = row["answer"]
            refused = answer is None or (isinstance(answer, str) and is_refusal(answer))
            listed = answer if isinstance(answer, list) else []
            row |= {
                "answers": [] if refused or listed else [str(answer)],
                "items": [str(item) for item in listed],
                "pages": row.get("evidence_pages") or [],
                "kind": row.get("answer_format") or "Str",
            }
        if all_kinds or ((row["answers"] or row["items"]) and not is_yes_or_no(row["answers"])):
            yield row


def case_of(folder: str, row: dict[str, Any], view: View, system: systems.System, most: int) -> Case:
    """Return a question with its units, and the seconds that scoring them took."""
    run = Run(view)
    evidence = systems.run_search(system, Query(row["question"], limit=10), run).evidence
    question = understand(row["question"])
    started = time.perf_counter()
    first = first_scored(question, evidence, run)
    took = time.perf_counter() - started
    started = time.perf_counter()
    found = compared(question, first[:most], run)
    seconds = took + time.perf_counter() - started
    features = np.array([one.features for one in found]).reshape(-1, len(FEATURES))
    case = _case(folder, row, view, found, features, seconds)
    scorer = run.passage_scorer()
    if scorer is None:
        return case
    started = time.perf_counter()
    read = read_by(scorer, question, view, first[:COMPARED])
    seconds = took + time.perf_counter() - started
    before = {one.unit.key: one.score for one in first}
    figures = np.array([(before[one.unit.key], one.answers or 0.0) for one in read]).reshape(-1, len(READ))
    return dataclasses.replace(case, read=_case(folder, row, view, read, figures, seconds))


def _case(
    folder: str, row: dict[str, Any], view: View, found: list[ScoredUnit], features: Floats, seconds: float
) -> Case:
    known: dict[tuple[int, int, int], bool] = {}
    for one in found:
        place = (one.unit.row, one.span.first, one.span.last)
        if place not in known:
            known[place] = holds(row["answers"], passage(view, one), items=row["items"])
    held = np.array([known[one.unit.row, one.span.first, one.span.last] for one in found], np.bool_)
    pages = np.array([view.locate_page(one.page)[1] in row["pages"] for one in found], np.bool_)
    return Case(folder, row["document"], row["kind"], row["question"], found, features, held, pages, seconds)


def passage(view: View, one: ScoredUnit) -> str:
    return render_passage(view, one.stream, one.span, one.at)[0]


def fitted(cases: Sequence[Case], columns: Sequence[int]) -> Floats:
    """Return a weight for each column. What holds an answer on a page nobody named is neither right nor wrong."""
    rows = []
    for case in cases:
        right = case.holds & case.is_known if len(case.holds) else case.holds
        if right.any():
            known = ~case.holds | right
            rows.append((case.features[known][:, columns], right[known]))
    return conditional_logit(rows)


def conditional_logit(rows: Sequence[tuple[Floats, Flags]]) -> Floats:
    """Return the weights under which, of each question's (n, k) rows, the right ones are most likely the best."""
    together = np.concatenate([features for features, _ in rows])
    scale = together.std(axis=0) + 1e-6
    rows = [((features - together.mean(axis=0)) / scale, right) for features, right in rows]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.5 * STRENGTH * weights @ weights, STRENGTH * weights
        for features, right in rows:
            scores = features @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            mass = chances[right].sum()
            total -= np.log(mass)
            slope = slope - (chances[right] / mass) @ features[right] + chances @ features
        return float(total), slope

    return np.asarray(minimize(loss, np.zeros(together.shape[1]), jac=True, method="L-BFGS-B").x / scale)


def left_out(cases: Sequence[Case], columns: Sequence[int]) -> list[Floats]:
    """Return the scores of each case's units by weights that were fitted without its document."""
    documents = sorted({case.document for case in cases})
    fold = {document: at % FOLDS for at, document in enumerate(documents)}
    weights = [fitted([case for case in cases if fold[case.document] != at], columns) for at in range(FOLDS)]
    return [case.features[:, columns] @ weights[fold[case.document]] for case in cases]


def best(case: Case, scores: Floats, count: int = 3) -> list[int]:
    """Return the best units whose passages do not overlap."""
    chosen: list[int] = []
    for at in np.argsort(-scores, kind="stable").tolist():
        one = case.units[at]
        if not any(
            other.stream.units[other.span.first].key <= one.stream.units[one.span.last].key
            and one.stream.units[one.span.first].key <= other.stream.units[other.span.last].key
            for other in (case.units[before] for before in chosen)
        ):
            chosen.append(at)
            if len(chosen) == count:
                break
    return chosen


def measured(cases: Sequence[Case], scores: Sequence[Floats]) -> dict[str, str]:
    """Return unit@1, unit@3 and what could be reached, by folder and kind."""
    rows: dict[str, list[tuple[bool, bool, bool]]] = {}
    for case, own in zip(cases, scores, strict=True):
        chosen = best(case, own)
        first = bool(chosen) and bool(case.holds[chosen[0]])
        figures = (first, bool(case.holds[chosen].any()) if chosen else False, bool(case.holds.any()))
        for name in (case.folder, f"{case.folder}: {case.kind}"):
            rows.setdefault(name, []).append(figures)
    return {
        name: "  ".join(f"{statistics.mean(column):.3f}" for column in zip(*found, strict=True)) + f"  {len(found)}"
        for name, found in rows.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--system", default="hybrid")
    parser.add_argument(
        "--compared",
        type=int,
        default=unit_scores.COMPARED,
        help="units that are read by the network; 1000 for all, to fit the weights by which they are chosen",
    )
    parser.add_argument("--ablate", action="store_true", help="also leave out each feature in turn")
    chosen = parser.parse_args()
    corpus, system = octavo.open(chosen.corpus), systems.get(chosen.system)
    views: dict[str, View] = {}
    cases: list[Case] = []
    for folder in chosen.folders:
        for row in rows_of(folder):
            name = row["document"]
            if name not in views:
                views[name] = corpus.view([corpus.resolve(name).id], layers=sorted(system.needs()))
            case = case_of(folder.name, row, views[name], system, chosen.compared)
            if len(case.units):
                cases.append(case)
    report(cases, [case.read for case in cases if case.read is not None], chosen.folders, ablate=chosen.ablate)


def report(cases: Sequence[Case], read: Sequence[Case], folders: Sequence[Path], *, ablate: bool) -> None:
    for title, members in (("by word pieces", cases), ("by the scorer", read)):
        if members:
            seconds = statistics.median(case.seconds for case in members)
            print(f"{len(members)} questions, seconds to score {title}: p50 {seconds:.3f}")
    columns = LAST
    for title, used in (("without the network", FIRST), ("with it", columns)):
        print(f"\n{title}: unit@1  unit@3  reachable  questions, documents left out")
        for name, figures in measured(cases, left_out(cases, used)).items():
            print(f"  {figures}  {name}")
        weights = fitted(cases, used)
        print("  " + ", ".join(f"{FEATURES[at]} {weight:.2f}" for at, weight in zip(used, weights, strict=True)))
    for gone in columns if ablate else ():
        kept = [at for at in columns if at != gone]
        figures = measured(cases, left_out(cases, kept))
        print(f"without {FEATURES[gone]}: " + "; ".join(f"{folder.name} {figures[folder.name]}" for folder in folders))
    print("\nas it is:")
    for name, figures in measured(cases, [case.features @ unit_scores.WEIGHTS for case in cases]).items():
        print(f"  {figures}  {name}")
    if read:
        report_read(read)


def report_read(read: Sequence[Case]) -> None:
    print("\nby the scorer: unit@1  unit@3  reachable  questions, documents left out")
    for name, figures in measured(read, left_out(read, range(len(READ)))).items():
        print(f"  {figures}  {name}")
    weights = fitted(read, range(len(READ)))
    print("  " + ", ".join(f"{name} {weight:.2f}" for name, weight in zip(READ, weights, strict=True)))


if __name__ == "__main__":
    main()
