"""What is installed alone works, or says in one line what it needs beside.

Run by `make base-check` with the Python of a fresh virtual environment that has no extra and no pytest in it: with
`octavo-documents` alone, with `octavo` on top of it, and with the base install, which has the methods and evaluation.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

EXTRAS = ("starlette", "uvicorn", "jinja2", "mcp", "psycopg", "obstore", "ray", "datasets", "torch", "anthropic")
"""Packages that only extras bring: one that is here makes the check worthless."""
HANDBOOK = Path(__file__).parents[1] / "examples" / "handbook.pdf"
QUESTION = "What is the greatest swell height for landing at North Gut?"
FORMATS = ("bibtex", "csl-json", "ris", "web-annotation", "markdown", "pdf")
WHOLE = ("markdown", "html", "json", "docling", "csv", "xlsx")
TABLES = ("xlsx", "csv", "json", "html")

ALONE = ("octavo-documents", "octavo", "base")
"""What is installed: each has all before it."""


def works(folder: Path) -> dict[str, list[list[str]]]:
    """Return by command what is run and must work, in this order."""
    answer, questions = str(folder / "answer.json"), str(folder / "questions.jsonl")
    return {
        "ask": [["ask", QUESTION], ["ask", QUESTION, str(HANDBOOK), "--json"], ["ask", QUESTION, "--trace"]],
        "add": [["add", str(HANDBOOK)], ["add", str(HANDBOOK), "--dry-run"]],
        "watch": [["watch", str(folder / "papers"), "--once"], ["watch", str(folder / "papers"), "--prune"]],
        "search": [["search", "swell height"]],
        "outline": [["outline", "handbook.pdf"]],
        "show": [["show", "handbook.pdf", "--page", "28", "--out", str(folder / "page.png")]],
        "list": [["list", "--json"], ["list", "--about"]],
        "about": [["about", "handbook.pdf"], ["about", "handbook.pdf", "--set", "tags=tides"]],
        "status": [["status"]],
        "check": [["check"]],
        "doctor": [["doctor"]],
        "models": [["models"]],
        "chat": [["chat", "handbook.pdf"]],
        "export": [
            *(["export", answer, "--format", one, "--out", str(folder / f"cited.{one}")] for one in FORMATS),
            *(["export", "handbook.pdf", "--format", one, "--out", str(folder / f"whole.{one}")] for one in WHOLE),
        ],
        "evaluate": [
            [
                "evaluate",
                questions,
                "--documents",
                str(HANDBOOK.parent),
                "--system",
                "bm25",
                "--out",
                str(folder / "out"),
            ]
        ],
        "reproduce": [["reproduce", "--list"]],
        "table": [["table", str(folder / "asked.txt"), "--out", str(folder / f"answers.{one}")] for one in TABLES],
        "remove": [["remove", str(HANDBOOK), "--yes"]],
    }


NEEDS: dict[str, list[list[str]]] = {
    "evaluate": [["evaluate", "questions.jsonl"]],
    "reproduce": [["reproduce", "--list"]],
    "train-router": [["train-router"]],
    "ask": [["ask", "--system", "bookrag", QUESTION]],
    "serve": [["serve", "--port", "0"]],
    "mcp": [["mcp"]],
    "key": [["key", "list"]],
    "cluster": [["cluster", "status", "--corpus", "postgresql://nowhere/octavo"]],
}
"""By command what is run and must name the extra it lacks, with `octavo` alone."""


APART = ("train-router",)
"""Asks for a model in files before it asks for its extra, and this check has none."""


def run(arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program as a person does, in a corpus of the check's own."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder / "data"), "HOME": str(folder)}
    environment.pop("OCTAVO_CORPUS", None)
    return subprocess.run(
        [sys.executable, "-m", "octavo", *arguments],
        input="",
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
        check=False,
        timeout=100,
    )


def documents() -> list[str]:
    """Return what goes wrong with `octavo-documents` alone."""
    import octavo_documents

    found = [name for name in ("apsw", "pydantic", "openvino", "rapidocr", "typer", "tokenizers") if find_spec(name)]
    tables = octavo_documents.read(HANDBOOK).tables
    if not any("North Gut" in row for table in tables for row in table.grid.rows()):
        found.append(f"of {len(tables)} tables none is that of landing")
    return found


def failures(folder: Path, *, is_base: bool) -> list[str]:
    """Return a line for each command that does other than it should."""
    found: list[str] = []
    brought = ("evaluate", "reproduce", "train-router")
    working = {name: runs for name, runs in works(folder).items() if is_base or name not in brought}
    lacking = {name: runs for name, runs in NEEDS.items() if not (is_base and name in (*brought, "ask"))}
    row = {
        "id": "1",
        "document": "handbook.pdf",
        "question": QUESTION,
        "answer": "1.2",
        "evidence_text": ["Swell height, m"],
    }
    (folder / "questions.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (folder / "asked.txt").write_text(f"{QUESTION}\n", encoding="utf-8")
    (folder / "papers").mkdir()
    shutil.copy2(HANDBOOK, folder / "papers")
    first = run(["ask", QUESTION], folder)
    if "is empty" not in first.stderr or first.stderr.count("\n") != 1:
        found.append(f"ask of an empty corpus: {first.stderr}")
    run(["add", str(HANDBOOK)], folder)
    answer = run(["ask", QUESTION, "--json"], folder)
    (folder / "answer.json").write_text(answer.stdout, encoding="utf-8")
    json.loads(answer.stdout)
    for arguments in (one for command in working.values() for one in command):
        done = run(arguments, folder)
        if done.returncode != 0 or "No module named" in done.stderr + done.stdout:
            found.append(f"octavo {' '.join(arguments)} left with {done.returncode}: {done.stderr.strip()}")
    for arguments in (one for command in lacking.values() for one in command):
        done = run([word.format(folder=folder) for word in arguments], folder)
        lines = done.stderr.strip().splitlines()
        if done.returncode not in (1, 2) or len(lines) != 1 or "pip install 'octavo[" not in lines[0]:
            found.append(f"octavo {' '.join(arguments)} names no extra in one line: {done.stderr.strip()}")
    return found


def commands() -> set[str]:
    """Return the names of all commands."""
    done = subprocess.run([sys.executable, "-m", "octavo", "--help"], capture_output=True, text=True, check=True)
    rows = done.stdout.partition("Commands:")[2].splitlines()
    return {
        row.split()[0] for row in rows if row.startswith("  ") and row[2:3].strip() and not row.startswith("  Start")
    }


def main() -> None:
    """Check, and leave with 1 where something does other than it should."""
    installed = sys.argv[1] if len(sys.argv) > 1 else "base"
    here = [name for name in EXTRAS if find_spec(name)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if here:
            found = [f"{', '.join(here)}: no install of {installed} alone"]
        elif installed == "octavo-documents":
            found = documents()
        else:
            found = failures(folder, is_base=installed == "base")
            known = {*works(folder), *NEEDS, *APART}
            found += [f"octavo {name}: not in this check" for name in commands() - known]
    sys.stdout.write("".join(f"{line}\n" for line in found) or f"All is as it should be with {installed} alone.\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
