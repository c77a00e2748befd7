"""What each part of the scores that all systems start from is worth: `hybrid` with one part left out at a time.

FOLDER holds `questions.jsonl` as MMLongBench-Doc, FinanceBench and the natural questions have it; their documents are
in the index. Printed are the shares of questions with all gold pages (any, for natural questions) among the first 1,
3, 5 and 10, and the mean of the four; the first row has every part.

    python benchmarks/parts.py FOLDER... --corpus INDEX
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import octavo
from octavo.evidence import Evidence, Query
from octavo.operators.core import Operator, Then
from octavo.operators.keep import RankPages
from octavo.operators.score.fuse import FUSED, Fuse
from octavo.systems import System
from octavo.systems.baselines import SCORED

FIRST = (1, 3, 5, 10)


def variants() -> dict[str, Operator[Query, Evidence]]:
    """Return the rankings to compare, by what is left out."""
    assert isinstance(SCORED, Then)
    linked, ranked = SCORED.first, SCORED.second >> RankPages(FUSED)
    assert isinstance(linked, Then)
    found, mentioned = linked.first, linked.second
    assert isinstance(found, Then)
    searches, fuse = found.first, found.second
    assert isinstance(fuse, Fuse)
    made: dict[str, Operator[Query, Evidence]] = {"": linked >> ranked, "pages beside": linked >> RankPages(FUSED)}
    for left_out in fuse.parts:
        parts = tuple(part for part in fuse.parts if part is not left_out)
        made[left_out.column] = searches >> Fuse(parts) >> mentioned >> ranked
    sure = tuple(dataclasses.replace(part, doubt=0.0, by="") for part in fuse.parts)
    made["doubt of words that cover little"] = searches >> Fuse(sure) >> mentioned >> ranked
    made["documents that others mention"] = found >> ranked
    return made


def questions(folder: Path) -> Iterator[tuple[str, str, set[int], bool]]:
    """Yield question, document, gold pages and whether any of these is enough."""
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        pages = row.get("pages") or row.get("evidence_pages")
        if pages:
            yield row["question"], row["document"], set(pages), "pages" in row


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--corpus", required=True)
    arguments = parser.parse_args()
    with octavo.open(arguments.corpus) as corpus:
        for folder in arguments.folders:
            asked = list(questions(folder))
            print(f"{folder.name}: {len(asked)} questions", *(f"@{first}" for first in FIRST), "mean", sep="  ")
            for name, plan in variants().items():
                system = System("part", plan, plan)
                right = []
                for question, document, gold, any_is_enough in asked:
                    found = corpus.search(question, documents=[document], system=system, limit=max(FIRST))
                    pages = [hit.page for hit in found.evidence.pages(found.by)]
                    tops = [set(pages[:first]) for first in FIRST]
                    right.append([bool(gold & top) if any_is_enough else gold <= top for top in tops])
                shares = np.array(right).mean(axis=0)
                print(
                    f"  {'without ' + name if name else 'hybrid':40}", *(f"{share:.3f}" for share in shares), end="  "
                )
                print(f"{shares.mean():.4f}")


if __name__ == "__main__":
    main()
