"""How long a user waits before anything happens: `octavo --help`, `octavo --version` and a warm `ask`.

python benchmarks/startup.py [RUNS]

Prints the median and the fastest of RUNS runs (9 by default) of a fresh process each, wall and processor seconds. The
corpus is made in a temporary folder from examples/handbook.pdf; only questions are timed.
"""

from __future__ import annotations

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


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder:
        os.environ["OCTAVO_CORPUS"] = folder
        subprocess.run([sys.executable, "-m", "octavo", "add", str(HANDBOOK)], check=True, stdout=subprocess.DEVNULL)
        print(f"{'':<26}{'wall median':>12}{'fastest':>9}{'cpu median':>12}{'fastest':>9}   seconds, {runs} runs")
        for name, arguments in CALLS.items():
            timed(arguments)
            wall, processor = zip(*(timed(arguments) for _ in range(runs)), strict=True)
            figures = (statistics.median(wall), min(wall), statistics.median(processor), min(processor))
            print(
                f"{name:<26}"
                + "".join(f"{value:>{width}.3f}" for value, width in zip(figures, (12, 9, 12, 9), strict=True))
            )


if __name__ == "__main__":
    main()
