"""Runs the program with a package from outside, which lies in a folder of its own on the path."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from cli_corpus import Done


def ran(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(site), str(Path(__file__).parent)))
    environment = {**os.environ, "PYTHONPATH": path, "OCTAVO_CORPUS": str(site.parent / "corpus")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=site.parent, env=environment, capture_output=True, text=True, check=False)


def octavo(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return ran(site, "-m", "octavo", *arguments)


IN_TURN = """
import cli_corpus, json, sys
print(json.dumps([vars(cli_corpus.octavo(*call)) for call in json.loads(sys.argv[1])]))
"""


def in_turn(site: Path, *calls: tuple[str, ...]) -> list[Done]:
    """Run the program for each of some calls, one after the other in one process."""
    done = ran(site, "-c", IN_TURN, json.dumps(calls))
    assert done.returncode == 0, done.stderr
    return [Done(**one) for one in json.loads(done.stdout)]
