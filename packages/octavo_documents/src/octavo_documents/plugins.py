"""What other packages bring, by their entry points: systems, operators, formats, commands and more.

A package names in its metadata what it brings, in a group such as `octavo.systems`; whoever asks for that group finds
it, and no table of ours is touched. Nothing is imported before it is asked for.

The metadata are read here and not by `importlib.metadata`, which takes 20 to 40 ms of each start to read those of all
packages; the format is the one that packaging specifies (Entry points specification, "File format").
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from octavo_documents.errors import UsageError

_MARK = "[octavo."
"""What the entry points of a package that brings something contain."""


def names(group: str) -> tuple[str, ...]:
    """Return what installed packages bring to a group, by name."""
    return tuple(_groups().get(group, ()))


def value(group: str, name: str) -> str:
    """Return what an entry point says, "module" or "module:object". Raises KeyError where no package brings it."""
    return _groups().get(group, {})[name]


def load(group: str, name: str) -> Any:
    """Return the object that stands behind an entry point, or the module where it names no object.

    Raises KeyError where no package brings it, UsageError where the package that does cannot be loaded.
    """
    brought = value(group, name)
    module, _, attributes = brought.partition(":")
    try:
        return functools.reduce(getattr, filter(None, attributes.split(".")), import_module(module))
    except (ImportError, AttributeError) as error:
        raise UsageError(f"{name} of the package that brings it ({brought}) cannot be loaded: {error}") from error


def forget() -> None:
    """Look anew when next asked: packages were installed or removed."""
    _groups.cache_clear()


@functools.cache
def _groups() -> Mapping[str, Mapping[str, str]]:
    """Return what stands behind each name of each group; of two with one name the first on the path counts."""
    found: dict[str, dict[str, str]] = {}
    for text in _texts():
        group = ""
        for line in map(str.strip, text.splitlines()):
            if line.startswith("["):
                group = line.strip("[]").strip()
            elif group.startswith(_MARK[1:]) and "=" in line and not line.startswith(("#", ";")):
                name, _, brought = line.partition("=")
                found.setdefault(group, {}).setdefault(name.strip(), brought.partition("[")[0].strip())
    return found


def _texts() -> Iterator[str]:
    """Yield the entry points of each installed package that brings something, as they are written."""
    for place in dict.fromkeys(sys.path):
        try:
            with os.scandir(place or os.curdir) as entries:
                folders = sorted(one.path for one in entries if one.name.endswith(".dist-info"))
        except OSError:
            continue
        for folder in folders:
            try:
                with open(f"{folder}/entry_points.txt", encoding="utf-8") as file:  # noqa: PTH123  (a Path takes longer)
                    text = file.read()
            except (OSError, ValueError):
                continue
            if _MARK in text:
                yield text
