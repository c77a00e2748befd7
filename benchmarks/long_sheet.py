"""What a long sheet costs: indexing it, and asking for the state of one order and for a count over all of them.

python benchmarks/long_sheet.py [--rows 100000] [--format csv|xlsx] [--seed 5]

Prints the processor seconds of each command with its children, the most memory it held, and whether the answer is
right. Orders are drawn at random; whoever runs it gets the same sheet.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HEADS = ("Order", "Date", "Town", "Item", "Pieces", "Price", "State")
TOWNS = ("Oslo", "Bergen", "Tromso", "Hamar", "Narvik", "Alta", "Molde")
ITEMS = ("lamp", "rope", "anchor", "buoy", "chart", "flare", "winch")
STATES = ("open", "late", "sent", "paid", "returned")
Order = tuple[str, str, str, str, int, float, str]


def orders(count: int, seed: int) -> list[Order]:
    """Return so many orders with keys from A-100000 on."""
    drawn = random.Random(seed)
    return [
        (
            f"A-{100_000 + at}",
            f"2024-{drawn.randint(1, 12):02d}-{drawn.randint(1, 28):02d}",
            drawn.choice(TOWNS),
            drawn.choice(ITEMS),
            drawn.randint(1, 40),
            drawn.randint(100, 9999) / 100,
            drawn.choice(STATES),
        )
        for at in range(count)
    ]


def write(path: Path, rows: Sequence[Order]) -> None:
    """Write a sheet as the ending of its name says."""
    if path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([HEADS, *rows])
        return
    import xlsxwriter

    with xlsxwriter.Workbook(path, {"constant_memory": True}) as book:
        sheet = book.add_worksheet("Orders")
        for at, row in enumerate((HEADS, *rows)):
            sheet.write_row(at, 0, row)


def measured(*arguments: str) -> tuple[str, float, float]:
    """Run a command; return what it printed, its processor seconds, and the MB that it or a child held at most."""
    code = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run([sys.executable, '-m', 'octavo', *sys.argv[1:]], stdout=subprocess.PIPE, check=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "sys.stderr.write(f'\\n{used.ru_maxrss / 1024}')\n"
        "sys.stdout.buffer.write(done.stdout)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, seconds, float(done.stderr.rsplit("\n", 1)[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--format", choices=("csv", "xlsx"), default="csv")
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    rows = orders(options.rows, options.seed)
    one = rows[options.rows // 2]
    late = sum(row[2] == "Oslo" and row[6] == "late" for row in rows)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["OCTAVO_CORPUS"] = f"{folder}/corpus"
        path = Path(folder) / f"orders.{options.format}"
        write(path, rows)
        _, seconds, memory = measured("add", str(path))
        print(f"{options.rows:,} rows as {options.format}: indexed in {seconds:.1f} s, {memory:.0f} MB")
        for question, right in (
            (f"What is the state of order {one[0]}?", one[6]),
            ("How many orders from Oslo are late?", f"{late:,}"),
        ):
            told, seconds, memory = measured("ask", question, "--json")
            answer = json.loads(told)
            verdict = "right" if answer["answer"] == right else f"{answer['answer']!r} for {right!r}"
            print(f"{question} {verdict}, {seconds:.1f} s, {memory:.0f} MB: {answer['lead']}")


if __name__ == "__main__":
    main()
