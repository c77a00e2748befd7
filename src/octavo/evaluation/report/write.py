"""Writing the report's files, each whole or not at all: it is written beside its place and moved into it."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from octavo.errors import CorpusError
from octavo.evaluation.report.markdown import document
from octavo.evaluation.report.page import page

NAMES = ("report.json", "report.html", "report.md")


def write(summary: Mapping[str, Any], folder: Path) -> tuple[Path, ...]:
    """Write report.json, report.html and report.md into a folder; return their paths.

    Raises CorpusError (`full`) when they cannot be written.
    """
    data = json.dumps(summary, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    targets = tuple(folder / name for name in NAMES)
    for target, content in zip(targets, (data + "\n", page(summary), document(summary)), strict=True):
        replace(target, content)
    return targets


def replace(target: Path, content: str | Iterable[str]) -> None:
    """Write a file of one text or of pieces, whole or not at all. Raises CorpusError (`full`)."""
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines([content] if isinstance(content, str) else content)
        beside.replace(target)
    except OSError as wrong:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise CorpusError("full", f"{target} cannot be written: {wrong.strerror}") from wrong
