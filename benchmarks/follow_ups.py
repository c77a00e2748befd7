"""How often the rule for follow-up questions changes a question that stands alone.

Example: `python benchmarks/follow_ups.py questions.jsonl` asks each question of a benchmark's file after each of the
others, as if they were one conversation; every change is a mistake.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from octavo.question import PastTurn, complete

_MOST_SHOWN = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", type=Path, help="JSON lines with a field `question`")
    parser.add_argument("--answer", default="Maria Lind", help="what each question before is said to have brought")
    options = parser.parse_args()
    lines = options.questions.read_text(encoding="utf-8").splitlines()
    questions = list(dict.fromkeys(json.loads(line)["question"] for line in lines if line.strip()))
    changed: dict[str, str] = {}
    for question in questions:
        for earlier in questions:
            found = complete(question, [PastTurn(earlier, options.answer)]) if earlier != question else None
            if found is not None:
                changed.setdefault(question, found.question)
    print(f"{len(questions)} questions, {len(changed)} changed after one or more of the others")
    for question, understood in list(changed.items())[:_MOST_SHOWN]:
        print(f"  {question} -> {understood}")


if __name__ == "__main__":
    main()
