"""Three questions over the example handbook: answers, citations and the outline. Run by `make demo`.

The index is kept in `.demo/` at the root of the repository, so that a second run starts at once.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from octavo.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
HANDBOOK = ROOT / "examples" / "handbook.pdf"
QUESTIONS = (
    "How long does a nitrogen cylinder of the bubbler last?",
    "What is the greatest swell height for landing at North Gut?",
    "Which quality flag means that a value was replaced by a hand reading?",
)


def run(*arguments: str) -> int:
    """Print a command as one would type it, run it and return its exit status."""
    shown = " ".join(f'"{argument}"' if " " in argument else argument for argument in arguments)
    print(f"\n$ octavo {shown}".replace(str(ROOT) + "/", ""), flush=True)
    sys.argv = ["octavo", *arguments]
    try:
        main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


if __name__ == "__main__":
    os.environ["OCTAVO_CORPUS"] = str(ROOT / ".demo")
    failed = run("outline", str(HANDBOOK))
    for question in QUESTIONS:
        failed = failed or run("ask", question, str(HANDBOOK))
    sys.exit(failed)
