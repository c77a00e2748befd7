"""How often a question among 300 like documents is answered from the one it means.

    python make_library.py FOLDER
    OCTAVO_CORPUS=CORPUS octavo add FOLDER
    python ask_library.py FOLDER CORPUS [SYSTEM ...]

Asks the questions of `questions.jsonl`, which people wrote who knew the documents and not how they are found. Prints
by system and kind of question how many there are, and the shares whose first page is of a right document, whose first
five documents have one (all of them where all are needed), whose first passage is of one, and of which a passage shown
holds the answer; and how many short answers were stated, how many of them right, and how many of another document.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import octavo
from octavo.evidence import Answer, Outcome

_FIRST = 5
HEADS = ("questions", "first page", "in five", "first passage", "answer shown", "stated", "right", "of another")


def ids_of(corpus: octavo.Corpus, folder: Path) -> dict[str, str]:
    """Return the ids of the documents below a folder, by their path in it."""
    found = {Path(path): identity for identity, paths in corpus.paths().items() for path in paths}
    return {str(path.relative_to(folder)): identity for path, identity in found.items() if path.is_relative_to(folder)}


def counted(question: dict[str, Any], answer: Answer, right: set[str]) -> Counter[str]:
    """Return what an answer counts under each of the heads."""
    documents = answer.evidence.view.documents
    ranked = list(dict.fromkeys(documents[hit.document].id for hit in answer.evidence.pages(answer.by)))
    first = ranked[: max(_FIRST, len(right))]
    found = right <= {*first} if question["match"] == "all" else bool(right & {*first})
    shown = [one for one in answer.passages if one.document_id in right]
    counts = Counter(
        {
            "questions": 1,
            "first page": bool(ranked) and ranked[0] in right,
            "in five": found,
            "first passage": bool(answer.passages) and answer.passages[0].document_id in right,
            "answer shown": any(_holds(one.text, question["answers"]) for one in shown),
        }
    )
    if answer.outcome is Outcome.ANSWER:
        is_right = bool(answer.citations) and answer.citations[0].document_id in right
        counts["stated"] = 1
        counts["of another"] = not is_right
        counts["right"] = is_right and _holds(answer.text, question["answers"])
    return counts


def _holds(text: str, answers: list[str]) -> bool:
    return any(answer.casefold() in text.casefold() for answer in answers)


def main() -> None:
    """Measure and print."""
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    folder, systems = Path(sys.argv[1]).resolve(), sys.argv[3:] or ["auto", "auto-no-preference"]
    lines = (Path(__file__).parent / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    with octavo.open(sys.argv[2]) as corpus:
        ids = ids_of(corpus, folder)
        for system in systems:
            rows: dict[str, Counter[str]] = defaultdict(Counter)
            for question in questions:
                answer = corpus.ask(question["question"], system=system)
                if question["kind"] == "none":
                    rows["none"].update(questions=1, stated=answer.outcome is Outcome.ANSWER)
                    continue
                counts = counted(question, answer, {ids[path] for path in question["documents"]})
                rows[question["kind"]] += counts
                rows["all"] += counts
            print(f"\n{system:16}" + "".join(f"{head:>15}" for head in HEADS))
            for kind, counts in sorted(rows.items()):
                shares = [f"{counts[head] / counts['questions']:.2f}" for head in HEADS[1:5]]
                numbers = [str(counts[head]) for head in HEADS[5:]]
                print(f"{kind:16}" + "".join(f"{cell:>15}" for cell in (str(counts["questions"]), *shares, *numbers)))


if __name__ == "__main__":
    main()
