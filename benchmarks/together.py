"""Ask the questions of single documents over several documents at once: does the right page still come first?

The folder holds `questions.jsonl`, a JSON object a line with `document`, `question` and `evidence_pages` (1-based), and
the index holds the documents. Each document is put together with the next ones by name, as many as `--together` says; 0
takes all. Printed are, for each system, the share of questions whose pages are all among the first 1, 3, 5, 10 and 20
that it hands on, and, compared with the first system, in how many documents the mean of these is higher and lower.

    python benchmarks/together.py FOLDER --corpus INDEX --together 4 --systems auto,auto-no-standing
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import octavo
from octavo import systems
from octavo.document import Query, View
from octavo.operators.core.run import Run

Floats = npt.NDArray[np.float64]

DEPTHS = (1, 3, 5, 10, 20)


def place(system: systems.System, question: dict[str, Any], view: View) -> int:
    """Return how far down the ranking the last page of evidence is, from 1; one more than any depth when it is not."""
    query = Query(question["question"], limit=max(DEPTHS))
    found = systems.run_search(system, query, Run(view))
    ranked = [(hit.document, hit.page) for hit in found.evidence.pages(found.by)]
    at = [document.name for document in view.documents].index(question["document"])
    wanted = [(at, int(page)) for page in question["evidence_pages"]]
    return max(ranked.index(page) + 1 if page in ranked else max(DEPTHS) + 1 for page in wanted)


def told(name: str, found: Floats, first: Floats, documents: Sequence[str]) -> str:
    """Return a line of figures; `found` and `first` are (n_questions, n_depths) of 0 and 1."""
    change = (found - first).mean(axis=1)
    sums = [change[[document == one for document in documents]].sum() for one in sorted(set(documents))]
    shares = " ".join(f"{share:.3f}" for share in found.mean(axis=0))
    return f"{name:24s} {shares}   higher in {sum(x > 0 for x in sums)}, lower in {sum(x < 0 for x in sums)} documents"


def main() -> None:
    """Print one line for each system."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--together", type=int, default=4)
    parser.add_argument("--systems", default="auto,auto-no-standing")
    parser.add_argument("--every", type=int, default=1, help="1 takes every question, 2 every second")
    given = parser.parse_args()
    lines = (given.folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [one for one in map(json.loads, lines) if one["evidence_pages"]]
    names = sorted({one["document"] for one in questions})
    size = given.together or len(names)
    questions = sorted(questions[:: given.every], key=lambda one: str(one["document"]))
    asked = given.systems.split(",")
    places: dict[str, list[int]] = {name: [] for name in asked}
    with octavo.open(given.corpus) as corpus:
        held, view = "", None
        for one in questions:
            start = names.index(one["document"]) if size < len(names) else 0
            if view is None or (held != one["document"] and size < len(names)):
                view = corpus.view([names[(start + at) % len(names)] for at in range(size)])
            held = one["document"]
            for name in asked:
                places[name].append(place(systems.get(name), one, view))
    found = {name: np.array([[at <= depth for depth in DEPTHS] for at in places[name]], np.float64) for name in asked}
    documents = [str(one["document"]) for one in questions]
    for name in asked:
        print(told(name, found[name], found[asked[0]], documents))


if __name__ == "__main__":
    main()
