"""How big the code is to hold in one head: modules, lines, modules with one importer, and the hops of one question.

A hop is a call from a module of one floor to a function of another, while a question is asked over a document that is
indexed already.

    python benchmarks/house.py [--ask QUESTION --corpus INDEX]
"""

from __future__ import annotations

import argparse
import ast
import collections
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import octavo

ROOT = Path(octavo.__file__).parent


def modules() -> dict[str, Path]:
    """Return the file of each module, by its dotted name."""
    found: dict[str, Path] = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = ("octavo", *path.relative_to(ROOT).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def importers(named: dict[str, Path]) -> dict[str, set[str]]:
    """Return which modules import each module."""
    by: dict[str, set[str]] = collections.defaultdict(set)
    for name, path in named.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    by[whole if whole in named else node.module].add(name)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    by[alias.name].add(name)
    return by


def hops(question: str, index: str) -> tuple[int, int]:
    """Return how many modules one question runs through, and how often it goes from one floor to another."""
    seen: set[str] = set()
    changes = 0
    floor = ""

    def watch(frame: FrameType, event: str, _: Any) -> None:
        nonlocal changes, floor
        path = frame.f_code.co_filename
        if event != "call" or not path.startswith(str(ROOT)):
            return
        seen.add(path)
        now = Path(path).relative_to(ROOT).parts[0]
        changes += now != floor
        floor = now

    with octavo.open(index) as corpus:
        corpus.ask(question)  # models are loaded and caches filled
        sys.setprofile(watch)
        try:
            corpus.ask(question)
        finally:
            sys.setprofile(None)
    return len(seen), changes


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--ask", default="")
    parser.add_argument("--corpus", default="")
    arguments = parser.parse_args()
    named = modules()
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in named.items()}
    by = importers(named)
    print("modules", len(named), "lines", sum(lines.values()))
    print("with one importer", sum(len(by[name]) == 1 for name in named))
    print("fewer than 60 lines", sum(count < 60 for count in lines.values()))
    if arguments.ask:
        ran, changes = hops(arguments.ask, arguments.corpus)
        print("one question: modules", ran, "changes of floor", changes)


if __name__ == "__main__":
    main()
