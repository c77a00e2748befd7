"""How often short answers are right where they are given, and the fit of both models behind that.

Folders and corpus are those of `benchmarks/units.py`, questions without an answer included. Which answer leads is a
conditional logit over the short answers of a question; the chance that it is right is a logistic model over what leads,
fitted on the folders named by `--sure` (questions as people ask them). Both are measured with documents left out.

    python benchmarks/short_answers.py FOLDER [FOLDER ...] --corpus INDEX --sure natural
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

import octavo
from octavo import systems
from octavo.evidence import Query, View
from octavo.operators.core import Run
from octavo.operators.extractive import sure_answers
from octavo.operators.extractive.extractive_reader import about_documents
from octavo.operators.extractive.matching import unknown_names
from octavo.operators.extractive.short_answers import ShortAnswer, may_lead, short_answers
from octavo.operators.extractive.sure_answers import BY_RULE, BY_SCORER, Weights, leading, odds_of, read_alone, signs_of
from octavo.operators.extractive.unit_scores import scored_units
from octavo.question import Question, understand
from octavo_lab.metrics.answer_correctness import is_right, is_yes_or_no
from units import FOLDS, conditional_logit, rows_of

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclasses.dataclass
class Case:
    """A question with its short answers, what speaks for each, and which are right."""

    folder: str
    row: dict[str, Any]
    question: Question
    view: View
    found: list[ShortAnswer]
    weights: Weights
    signs: Floats
    right: Flags


def case_of(folder: str, row: dict[str, Any], view: View, system: systems.System) -> Case:
    run = Run(view)
    evidence = systems.run_search(system, Query(row["question"], limit=10), run).evidence
    question = understand(row["question"])
    units = scored_units(question, evidence, run)
    is_first = about_documents(row["question"], evidence, run) is not None
    is_none = is_first or unknown_names(question, view)
    found = [] if is_none else may_lead(question, view, short_answers(question, view, units))
    answers = [] if is_yes_or_no(row["answers"]) else row["answers"]
    right = np.array([bool(answers) and is_right(answers, one.text, items=row["items"]) for one in found], np.bool_)
    weights, scorer = BY_RULE, run.passage_scorer()
    if scorer is not None and any(one.answers is not None for one in units):
        weights, found = BY_SCORER, read_alone(scorer, question, view, found)
    signs = signs_of(found, units[0].score if units else 0.0, tuple(weights.signs))
    return Case(folder, row, question, view, found, weights, signs, right)


def leads(case: Case, weights: Floats) -> tuple[int, Floats]:
    """Return which short answer leads and what its chance depends on."""
    scores = case.signs @ weights
    first, lead = leading(case.found, scores)
    names = tuple(case.weights.odds)
    return first, odds_of(case.question, case.view, case.found[first], names, score=float(scores[first]), lead=lead)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--system", default="hybrid")
    parser.add_argument("--sure", action="append", default=[])
    parser.add_argument("--show", type=int, default=0, help="print so many of the surest")
    chosen = parser.parse_args()
    corpus, system = octavo.open(chosen.corpus), systems.get(chosen.system)
    views: dict[str, View] = {}
    cases: list[Case] = []
    for folder in chosen.folders:
        for row in rows_of(folder, all_kinds=True):
            name = row["document"]
            if name not in views:
                views[name] = corpus.view([corpus.resolve(name).id], layers=sorted(system.needs()))
            cases.append(case_of(folder.name, row, views[name], system))
    documents = sorted({case.row["document"] for case in cases})
    fold = {document: at % FOLDS for at, document in enumerate(documents)}
    report(cases, [fold[case.row["document"]] for case in cases], chosen.sure or [chosen.folders[0].name], chosen.show)


def report(cases: Sequence[Case], folds: Sequence[int], sure: Sequence[str], shown: int) -> None:
    most = BY_SCORER if any(case.weights is BY_SCORER for case in cases) else BY_RULE
    fitting = [case for case in cases if case.found and case.weights is most]
    of = {id(case): fold for case, fold in zip(cases, folds, strict=True)}

    def fit(members: Sequence[Case]) -> Floats:
        return conditional_logit([(one.signs, one.right) for one in members if one.right.any()])

    weights = [fit([case for case in fitting if of[id(case)] != at]) for at in range(FOLDS)]
    told = [leads(case, weights[of[id(case)]]) for case in fitting]
    right = np.array([bool(case.right[first]) for case, (first, _) in zip(fitting, told, strict=True)])
    odds = np.array([figures for _, figures in told])
    member = np.array([case.folder in sure for case in fitting])
    own = np.array([of[id(case)] for case in fitting])
    chance = np.zeros(len(fitting))
    for at in range(FOLDS):
        chosen = member & (own != at)
        if not (own == at).any():
            continue
        chance[own == at] = logistic(odds[chosen], right[chosen]).predict_proba(odds[own == at])[:, 1]
    answerable = sum(1 for case in cases if case.folder in sure and (case.row["answers"] or case.row["items"]))
    empty = sum(1 for case in cases if case.folder in sure) - answerable
    print(f"{answerable} questions with an answer and {empty} without, documents left out:")
    print("  chance  given  precision  coverage  false claims")
    none = np.array([not (case.row["answers"] or case.row["items"]) for case in fitting])
    used = fitting[0].weights
    odds_lead = odds[:, tuple(used.odds).index("lead")]
    is_bound = np.array([case.found[first].is_bound for case, (first, _) in zip(fitting, told, strict=True)])
    chance[(odds_lead < sure_answers.LEAST_LEAD) | ~is_bound] = 0.0
    for least in (0.9, 0.75, 0.6, 0.5, 0.4, 0.3, 0.2):
        given = member & (chance >= least)
        precision = right[given].mean() if given.any() else float("nan")
        coverage, false = (given & ~none).sum() / answerable, (given & none).sum() / max(empty, 1)
        print(f"  {least:6.2f}  {given.sum():5d}  {precision:9.3f}  {coverage:8.3f}  {false:12.3f}")
    everything = fit(fitting)
    print("SIGN_WEIGHTS", dict(zip(used.signs, everything.round(2).tolist(), strict=True)))
    figures = np.array([leads(case, everything)[1] for case in fitting])
    model = logistic(figures[member], right[member])
    print(
        "ODDS_WEIGHTS", dict(zip(used.odds, model.coef_[0].round(2).tolist(), strict=True)), model.intercept_.round(2)
    )
    for at in np.argsort(-np.where(member, chance, -1.0))[:shown].tolist():
        case, (first, _) = fitting[at], told[at]
        gold = (case.row["answers"] or ["none"])[0]
        print(f"{chance[at]:.2f} {bool(right[at])!s:5} {case.row['question']} | {case.found[first].text} | {gold}")


def logistic(figures: Floats, right: Flags) -> Any:
    return _Scaled(figures.mean(axis=0), figures.std(axis=0) + 1e-6).fit(figures, right)


class _Scaled:
    """A logistic model over standardised figures, whose weights are given for the figures as they are."""

    def __init__(self, mean: Floats, spread: Floats) -> None:
        self.mean, self.spread = mean, spread
        self.model = LogisticRegression(C=0.3)

    def fit(self, figures: Floats, right: Flags) -> _Scaled:
        self.model.fit((figures - self.mean) / self.spread, right)
        self.coef_ = self.model.coef_ / self.spread
        self.intercept_ = self.model.intercept_ - self.coef_ @ self.mean
        return self

    def predict_proba(self, figures: Floats) -> Floats:
        return self.model.predict_proba((figures - self.mean) / self.spread)


if __name__ == "__main__":
    main()
