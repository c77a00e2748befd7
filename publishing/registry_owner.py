"""Whose the entry for the registry of MCP servers is: it takes `io.github.OWNER/octavo` from that owner alone.

    python publishing/registry_owner.py fill OWNER      # writes the owner into server.json and the package's README
    python publishing/registry_owner.py check OWNER     # says what is not OWNER's, and fails

The repository has a placeholder, so that a fork publishes under its own name: the release fills in whose it is, and
what is still the placeholder, or somebody else's, is not published.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACEHOLDER = "OWNER"
FILES = ("server.json", "packages/octavo/README.md")
"""The entry, and the page on the index whose hidden line says that the package is the entry's."""
_NAME = re.compile(r"io\.github\.([\w.-]+)/octavo\b")
_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?")


def misfits(owner: str, root: Path = ROOT) -> Iterator[str]:
    """Return a line for each name that is not the owner's."""
    if not _LOGIN.fullmatch(owner) or owner == PLACEHOLDER:
        yield f"{owner!r} is no owner: name the account on GitHub that publishes"
        return
    for file in FILES:
        found = _NAME.findall((root / file).read_text(encoding="utf-8"))
        if not found:
            yield f"{file}: names no io.github.{owner}/octavo"
        for one in found:
            if one == PLACEHOLDER:
                yield f"{file}: has the placeholder {PLACEHOLDER}: python publishing/registry_owner.py fill {owner}"
            elif one.casefold() != owner.casefold():
                yield f"{file}: is {one}'s, not {owner}'s"


def fill(owner: str, root: Path = ROOT) -> None:
    """Write the owner where the placeholder stands."""
    for file in FILES:
        path = root / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(f"io.github.{PLACEHOLDER}/octavo", f"io.github.{owner}/octavo"), encoding="utf-8")


if __name__ == "__main__":
    command, named = sys.argv[1:]
    if command == "fill" and _LOGIN.fullmatch(named):
        fill(named)
    lines = list(misfits(named))
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.exit(bool(lines))
