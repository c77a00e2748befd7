"""How long a user waits before anything happens: `octavo --help`, `octavo --version` and a warm `ask`.

python benchmarks/startup.py [--runs 9] [--json]

Prints the median and the fastest of the runs of a fresh process each, wall and processor seconds. The corpus is made in
a temporary folder from examples/handbook.pdf; only questions are timed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HANDBOOK = Path(__file__).resolve().parent.parent / "examples" / "handbook.pdf"
QUESTION = "Which sensor is mounted in the turbine nacelle?"
CALLS = {
    "python -c pass": None,
    "octavo --help": ["--help"],
    "octavo ask --help": ["ask", "--help"],
    "octavo --version": ["--version"],
    "octavo list": ["list"],
    "octavo ask --system bm25": ["ask", QUESTION, "--system", "bm25"],
    "octavo ask": ["ask", QUESTION],
    "octavo ask FILE": ["ask", QUESTION, str(HANDBOOK)],
}


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(arguments: list[str] | None) -> tuple[float, float]:
    """Run once; return (wall, processor) seconds."""
    command = [sys.executable, "-c", "pass"] if arguments is None else [sys.executable, "-m", "octavo", *arguments]
    before, begun = processor_seconds(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun, processor_seconds() - before


def measure(runs: int) -> dict[str, dict[str, float]]:
    """Return the seconds of each call by what they are of."""
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["OCTAVO_CORPUS"] = folder
        subprocess.run([sys.executable, "-m", "octavo", "add", str(HANDBOOK)], check=True, stdout=subprocess.DEVNULL)
        for name, arguments in CALLS.items():
            timed(arguments)
            wall, processor = zip(*(timed(arguments) for _ in range(runs)), strict=True)
            figures[name] = {
                "wall median": statistics.median(wall),
                "wall fastest": min(wall),
                "cpu median": statistics.median(processor),
                "cpu fastest": min(processor),
            }
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.runs)
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{'':<26}{''.join(f'{name:>14}' for name in figures['octavo ask'])}   seconds, {options.runs} runs")
    for name, seconds in figures.items():
        print(f"{name:<26}{''.join(f'{value:>14.3f}' for value in seconds.values())}")


if __name__ == "__main__":
    main()
