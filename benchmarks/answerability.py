"""Whether the reader knows when there is no answer: refusals against false refusals, and the fit of both its models.

Folders are those of `benchmarks/reading.py`. Beside questions whose gold is that there is no answer, each question of a
folder of PDFs may be asked over another of its documents, which does not answer it. Logistic models of an answer being
there, and of the answer being right, are fitted with the documents of each question left out, and on all questions for
the constants in `octavo/operators/reading/answerability.py`.

    python benchmarks/answerability.py FOLDER [FOLDER ...] --corpus INDEX --elsewhere 0.5
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import octavo
from octavo import systems
from octavo.decisions.extract_answer_value.rule import extract
from octavo.decisions.rules.question import read_question
from octavo.document import Query
from octavo.evaluation.metrics import exact_match, mmlongbench
from octavo.operators import ExtractiveReader, Run
from octavo.operators.pages import RELEVANCE
from octavo.operators.reader.matching import Matcher
from octavo.operators.reading.answerability import answerability, confidence, signs_of
from octavo.operators.reading.choose import lead_of, ranked
from octavo.operators.reading.finding import candidates_in
from reading import Asked, over_articles, over_documents, rows_of

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

SIGNS = ("support", "together", "names", "numbers")
FIGURES = ("nearness", "fit", "similarity", "lead", "together")
FOLDS = 8
FALSE_REFUSALS = (0.1, 0.15, 0.2)


@dataclasses.dataclass(frozen=True)
class Case:
    """A question with what the reader made of it; no `figures` where it found no candidate at all."""

    folder: str
    asked: Asked
    signs: tuple[float, ...]
    figures: tuple[float, ...]
    answerable: float
    sure: float
    is_right: bool

    @property
    def has_answer(self) -> bool:
        return self.asked.answer is not None


def elsewhere(asked: Sequence[Asked], share: float) -> Iterator[Asked]:
    """Yield a share of the questions over another document than their own."""
    views = {one.group: one.view for one in asked}
    chance = random.Random(0)
    for one in asked:
        if len(views) > 1 and chance.random() < share:
            other = chance.choice([group for group in views if group != one.group])
            yield dataclasses.replace(one, answer=None, view=views[other])


def cases_of(folder: str, system: str, asked: Sequence[Asked]) -> Iterator[Case]:
    for one in asked:
        run = Run(one.view())
        evidence = systems.run_search(systems.get(system), Query(one.question, limit=10), run).evidence
        question = read_question(one.question)
        candidates = candidates_in(Matcher.of(question, run.view), evidence, RELEVANCE)
        leading = ranked(candidates, question.text, compare=ExtractiveReader().compare, embed=run.vectors)
        signs = signs_of(question, run.view, candidates)
        figures: tuple[float, ...] = ()
        sure, is_right = 0.0, False
        if leading:
            best, lead = leading[0], lead_of(leading)
            figures = (best.nearness, best.fit, max(best.similarity, 0.0), lead, signs.together)
            sure = confidence(best, lead, signs, is_compared=True)
            is_right = right(one, repr(list(best.items)) if best.items else best.text)
        yield Case(
            folder, one, dataclasses.astuple(signs), figures, answerability(signs) if leading else 0.0, sure, is_right
        )


def right(asked: Asked, text: str) -> bool:
    if asked.answer is None:
        return False
    final = text if asked.form == "List" else extract(asked.question, text, answer_format=asked.form).answer
    exact = exact_match.score(asked.answer, text, asked.form)
    return max(exact, mmlongbench.score(asked.answer, final, asked.form)) >= 0.5


def left_out(
    values: Floats, labels: Flags, groups: Sequence[str], *, weight: str | None
) -> tuple[Floats, LogisticRegression]:
    """Return the chance of each case by models that saw none of its group, and the model of all."""
    names = sorted(set(groups))
    fold_of = dict(zip(names, np.random.default_rng(0).permutation(len(names)) % FOLDS, strict=True))
    fold = np.array([fold_of[group] for group in groups])
    chances = np.zeros(len(labels))
    for at in range(FOLDS):
        seen, tested = fold != at, fold == at
        if tested.any():
            model = LogisticRegression(C=10, class_weight=weight).fit(values[seen], labels[seen])
            chances[tested] = model.predict_proba(values[tested])[:, 1]
    return chances, LogisticRegression(C=10, class_weight=weight).fit(values, labels)


def show_refusals(name: str, chances: Floats, labels: Flags) -> None:
    if labels.all() or not labels.any():
        return
    shares = (
        f"{np.mean(chances[~labels] < np.quantile(chances[labels], false)):.3f} at {false:.2f}"
        for false in FALSE_REFUSALS
    )
    area = roc_auc_score(labels, chances)
    print(f"  {name:34} {labels.sum():>4} with, {(~labels).sum():>4} without; ROC {area:.3f}; ", ", ".join(shares))


def show_at_threshold(cases: Sequence[Case]) -> None:
    least = ExtractiveReader().least
    for folder in dict.fromkeys(case.folder for case in cases):
        own = [case for case in cases if case.folder == folder]
        parts = {
            "refused without an answer": [case.answerable < least for case in own if not case.has_answer],
            "refused with one": [case.answerable < least for case in own if case.has_answer],
            "refused where right": [case.answerable < least for case in own if case.is_right],
            "right": [case.is_right for case in own if case.has_answer],
            "right and given": [case.is_right and case.answerable >= least for case in own if case.has_answer],
        }
        print(f"  {folder:34}", "; ".join(f"{key} {np.mean(part):.3f}" for key, part in parts.items() if part))


def show_reliability(sure: Floats, is_right: Flags) -> None:
    print(
        f"  Brier {np.mean((sure - is_right) ** 2):.4f}, of the mean {np.mean((is_right.mean() - is_right) ** 2):.4f}"
    )
    for low, high in itertools.pairwise((0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 1.01)):
        inside = (sure >= low) & (sure < high)
        if inside.any():
            print(f"    sure {sure[inside].mean():.2f}: right {is_right[inside].mean():.2f} of {inside.sum()}")


def show_fitted(names: Sequence[str], model: LogisticRegression) -> None:
    weights = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(names, model.coef_[0], strict=True))
    print(f"  fitted on all: {weights}; odds {model.intercept_[0]:.2f}")


def report(cases: Sequence[Case]) -> None:
    has_answer = np.array([case.has_answer for case in cases])
    groups = [f"{case.folder.split()[0]}/{case.asked.group}" for case in cases]
    chances, model = left_out(np.array([case.signs for case in cases]), has_answer, groups, weight="balanced")
    kept = np.array([case.answerable for case in cases])
    print("answerability, documents left out")
    for folder in dict.fromkeys(case.folder for case in cases):
        own = np.array([case.folder == folder for case in cases])
        show_refusals(folder, chances[own], has_answer[own])
        show_refusals(f"{folder}, as it is", kept[own], has_answer[own])
    show_fitted(SIGNS, model)
    print("as it is, at the reader's threshold")
    show_at_threshold(cases)
    answered = [case for case in cases if case.figures]
    is_right = np.array([case.is_right for case in answered])
    of = [group for group, case in zip(groups, cases, strict=True) if case.figures]
    sure, model = left_out(np.array([case.figures for case in answered]), is_right, of, weight=None)
    print("confidence, documents left out")
    show_reliability(sure, is_right)
    show_fitted(FIGURES, model)
    print("confidence as it is")
    show_reliability(np.array([case.sure for case in answered]), is_right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--system", default="hybrid")
    parser.add_argument("--corpus", type=Path, required=True, help="where the index of PDFs is, or is to be")
    parser.add_argument(
        "--elsewhere", type=float, default=0.0, help="share of questions also asked of another document"
    )
    parser.add_argument(
        "--most", type=int, default=0, help="questions of a folder of articles that are asked, 0 for all"
    )
    options = parser.parse_args()
    cases: list[Case] = []
    with octavo.open(options.corpus) as corpus:
        for folder in options.folders:
            is_articles = (folder / "articles.jsonl.gz").exists()
            asked = list(over_articles(folder) if is_articles else over_documents(folder, corpus))
            asked = asked[: options.most or None] if is_articles else asked
            cases += cases_of(folder.name, options.system, asked)
            if not is_articles:
                own = list(elsewhere(asked, options.elsewhere))
                cases += cases_of(f"{folder.name} elsewhere", options.system, own)
            print(f"{folder.name}: {len(rows_of(folder))} questions", flush=True)
    report(cases)


if __name__ == "__main__":
    main()
