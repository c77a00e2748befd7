"""Checks that a tag may be published: `python publishing/versions.py v0.2.0` says what does not fit it.

All packages have the version of the tag, name each other by it, and the change log has a section for it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def misfits(version: str, root: Path = ROOT) -> Iterator[str]:
    """Return a line for each thing that is of another version."""
    for path in sorted([root / "pyproject.toml", *root.glob("packages/*/pyproject.toml")]):
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        name = path.relative_to(root).as_posix()
        if project["version"] != version:
            yield f"{name}: the version is {project['version']}, not {version}"
        extras = project.get("optional-dependencies", {}).values()
        for needed in [*project["dependencies"], *(one for extra in extras for one in extra)]:
            pinned = re.fullmatch(r"octavo[\w-]*(?:\[\w+\])?==(.+)", needed)
            if pinned and pinned[1] != version:
                yield f"{name}: needs {needed}"
    if f"\n## {version}" not in (root / "CHANGELOG.md").read_text(encoding="utf-8"):
        yield f"CHANGELOG.md: no section {version}"
    for name in ("compose.yaml", "server.json"):
        path = root / name
        if path.exists() and version not in path.read_text(encoding="utf-8"):
            yield f"{name}: does not name {version}"


if __name__ == "__main__":
    found = list(misfits(sys.argv[1].removeprefix("v")))
    sys.stdout.write("".join(f"{line}\n" for line in found))
    sys.exit(bool(found))
