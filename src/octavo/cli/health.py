"""What is usable on this machine: the parts Octavo is made of, examined one by one.

Owns the list of parts and what to do about one that is not usable. Knows nothing about how it is shown.
"""

from __future__ import annotations

import enum
import os
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from octavo.cli import settings
from octavo.errors import OctavoError, UsageError

_ROOM = 500_000_000
"""Bytes that should be free where the corpus is."""


class State(enum.StrEnum):
    """Whether a part is usable. LIMITED works with less than it could, BROKEN needs mending first."""

    OK = "ok"
    LIMITED = "limited"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Part:
    """One part: what was found, and what to do about it ("" when nothing)."""

    name: str
    state: State
    detail: str
    mend: str = ""


def examine(options: Mapping[str, Any]) -> list[Part]:
    """Return every part, settings first; a part that cannot be examined is BROKEN."""
    return [part for probe in PROBES for part in _guarded(probe, options)]


def _guarded(probe: Callable[[Mapping[str, Any]], Iterator[Part]], options: Mapping[str, Any]) -> list[Part]:
    name = probe.__name__.strip("_").replace("_", " ")
    try:
        return list(probe(options))
    except ImportError as wrong:
        return [Part(name, State.BROKEN, f"{wrong.name} is not installed", "install Octavo again: pip install octavo")]
    except (OctavoError, OSError) as wrong:
        return [Part(name, State.BROKEN, str(wrong))]


def _octavo(_options: Mapping[str, Any]) -> Iterator[Part]:
    detail = f"{metadata.version('octavo')} on Python {platform.python_version()}, {platform.system()}"
    yield Part("octavo", State.OK, f"{detail} {platform.machine()}, {os.cpu_count()} cores")


def _settings(options: Mapping[str, Any]) -> Iterator[Part]:
    found = settings.files(Path.cwd())
    try:
        settings.load(options)
    except UsageError as wrong:
        yield Part("settings", State.BROKEN, str(wrong), "correct it or take it out")
        return
    yield Part("settings", State.OK, ", ".join(map(str, found)) or "defaults; no octavo.toml is in force")


def _corpus(options: Mapping[str, Any]) -> Iterator[Part]:
    try:
        chosen = settings.load(options)
    except UsageError:
        return
    from octavo.corpus.location import locate

    folder = locate(chosen.corpus)
    existing = next(above for above in (folder, *folder.parents) if above.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        yield Part("corpus", State.BROKEN, f"{folder} cannot be written", "choose another folder: --corpus FOLDER")
        return
    free = shutil.disk_usage(existing).free
    detail = f"{folder}, {free / 1e9:.1f} GB free"
    if free < _ROOM:
        yield Part("corpus", State.LIMITED, detail, "make room on the disk")
    else:
        yield Part("corpus", State.OK, detail if folder.exists() else f"{detail}; made by the first 'octavo add'")


def _pdf_parser(_options: Mapping[str, Any]) -> Iterator[Part]:
    import pypdfium2

    yield Part("pdf parser", State.OK, f"pdfium {pypdfium2.PDFIUM_INFO}, pypdfium2 {pypdfium2.PYPDFIUM_INFO}")


def _store(_options: Mapping[str, Any]) -> Iterator[Part]:
    import apsw

    if "ENABLE_FTS5" not in apsw.compile_options:
        yield Part("store", State.BROKEN, f"SQLite {apsw.sqlitelibversion()} has no FTS5", "pip install --upgrade apsw")
        return
    yield Part("store", State.OK, f"SQLite {apsw.sqlitelibversion()} with FTS5")


PROBES: tuple[Callable[[Mapping[str, Any]], Iterator[Part]], ...] = (_octavo, _settings, _corpus, _store, _pdf_parser)
