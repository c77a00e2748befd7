"""Fit the chance that a page is needed, by which `auto` chooses how many pages a question gets.

The folder holds `documents/` and `questions.jsonl`, a JSON object a line with `document`, `question` and
`evidence_pages` (1-based). Pages are ranked as `auto` ranks them; what is fitted is, for the first 30 pages of each
question, whether this page or one further down is evidence. Printed are the coefficients of
`octavo.operators.auto.keep_by_chance`, fitted on all documents, and for several least chances the perfect recall and
the mean number of pages with coefficients fitted without the document of the question.

    python benchmarks/page_counts.py FOLDER --corpus INDEX
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

import octavo
from octavo.document import Query, View
from octavo.operators.auto.add_best_section import UNIT
from octavo.operators.auto.compose import Compose
from octavo.operators.auto.question_kinds import Way, by_rule
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import pages_with, ranked_pages
from octavo.operators.score.refer import page_scores
from octavo.operators.score.shape import Shape
from octavo.question import understand
from octavo.systems.baselines import SCORED

Floats = npt.NDArray[np.float64]

LOOKED_AT, LEAST, MOST = 30, 4, 20
NAMES = ("always", "behind", "further down", "in unit", "for every")
RIDGE = 1e-3


@dataclasses.dataclass(frozen=True)
class Ranking:
    """One question: its document, the features (n, 5) of its first pages, and which of them are evidence."""

    document: str
    features: Floats
    is_gold: npt.NDArray[np.bool_]
    gold: int
    """Pages of evidence, those further down too."""

    def target(self) -> Floats:
        """Return (n,) 1 for pages that are evidence or have some further down."""
        return (np.cumsum(self.is_gold[::-1])[::-1] > 0).astype(np.float64)


def ranking(question: dict[str, object], view: View) -> Ranking | None:
    """Return the ranking of a question, None where it names its page and the size is no question."""
    text = str(question["question"])
    names_page = bool((page_scores(understand(text).references, view) >= 1.0).any())
    chosen = by_rule(text, Shape.of(view), names_page=names_page)
    if chosen.way is Way.PLACE:
        return None
    pages = int(view.page_starts[-1])
    query = Query(text, limit=pages)
    evidence = Compose(SCORED, sized=False)(query, Run(view, query=query))
    score, order = ranked_pages(evidence)
    order = order[:LOOKED_AT]
    gold = {int(page) - 1 for page in question["evidence_pages"]}  # type: ignore[attr-defined]
    columns = (
        np.ones(len(order)),
        score[order[0]] - score[order],
        np.log1p(np.arange(len(order))),
        pages_with(evidence, UNIT)[order],
        np.full(len(order), chosen.way in (Way.EVERY, Way.OVERVIEW)),
    )
    features = np.stack(columns, axis=1).astype(np.float64)
    return Ranking(str(question["document"]), features, np.array([page in gold for page in order.tolist()]), len(gold))


def fitted(rankings: Sequence[Ranking]) -> Floats:
    """Return the coefficients (5,) of ridge logistic regression, by Newton's method; the first is not held back."""
    features = np.concatenate([one.features for one in rankings])
    target = np.concatenate([one.target() for one in rankings])
    ridge = RIDGE * len(target) * np.diag([0.0, *features[:, 1:].var(axis=0)])
    weights = np.zeros(features.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-features @ weights))
        slope = features.T @ (chance - target) + ridge @ weights
        bend = (features * (chance * (1 - chance))[:, None]).T @ features + ridge
        weights -= np.linalg.solve(bend, slope)
    return weights


def kept(one: Ranking, weights: Floats, least_chance: float) -> int:
    """Return how many pages a question gets."""
    needed = np.flatnonzero(1 / (1 + np.exp(-one.features @ weights)) >= least_chance)
    count = int(np.clip(needed[-1] + 1 if len(needed) else 0, LEAST, MOST))
    return min(count, len(one.features))


def main() -> None:
    """Print the coefficients, and figures with documents left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    given = parser.parse_args()
    lines = (given.folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [one for one in map(json.loads, lines) if one["evidence_pages"]]
    with octavo.open(given.corpus) as corpus:
        views = {name: corpus.view([name]) for name in {one["document"] for one in questions}}
        rankings = [found for one in questions if (found := ranking(one, views[one["document"]]))]
    for name, weight in zip(NAMES, fitted(rankings), strict=True):
        print(f"{name:12s} {weight:6.2f}")
    documents = {one.document for one in rankings}
    without = {name: fitted([one for one in rankings if one.document != name]) for name in documents}
    print("chance   pages   perfect recall, of questions that name no page")
    for chance in (0.08, 0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.17, 0.2):
        counts = [kept(one, without[one.document], chance) for one in rankings]
        found = [int(one.is_gold[:count].sum()) == one.gold for one, count in zip(rankings, counts, strict=True)]
        print(f"{chance:6.2f} {np.mean(counts):7.2f} {np.mean(found):8.3f}")


if __name__ == "__main__":
    main()
