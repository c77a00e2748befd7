"""A program in a network of its own, where there is loopback alone, as Ray is started in tests and benchmarks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import engines

_UNSHARE = ("unshare", "--net", "--map-root-user")
REFUSED = f"Ray is given a network of its own, and '{' '.join(_UNSHARE)} ip link' cannot be run here"


def can_be_alone() -> bool:
    """Return whether a program may be given a network of its own on this machine."""
    if not all(map(shutil.which, (_UNSHARE[0], "ip"))):
        return False
    return (
        subprocess.run([*_UNSHARE, "ip", "link", "set", "lo", "up"], capture_output=True, check=False).returncode == 0
    )


@contextmanager
def database_and_folder() -> Iterator[tuple[engines.Server, Path]]:
    """Give a PostgreSQL server and a temporary folder for the time of a program. Ends it where there is none."""
    with engines.running() as server, tempfile.TemporaryDirectory(prefix="octavo-alone-") as folder:
        if server is None:
            raise SystemExit(engines.ABSENT)
        yield server(), Path(folder)


def command(script: str | Path, *words: object) -> list[str]:
    """Return the command that runs a Python script so."""
    inside = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, str(script), *map(str, words)]
    return [*_UNSHARE, *inside]


def environment(script: str | Path, folder: Path) -> dict[str, str]:
    """Return its environment: caches are in a folder, modules of the tests and beside the script can be imported."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), str(Path(script).resolve().parent)]),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "disabled",  # whatever token of Ray the machine has
        "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
    }
