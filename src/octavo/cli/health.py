"""What is usable on this machine: the parts Octavo is made of, examined one by one, and what to do about each."""

from __future__ import annotations

import enum
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from octavo.cli import settings
from octavo.errors import OctavoError, UsageError

_ROOM = 500_000_000
"""Bytes that should be free where the corpus is."""


_NAMED = 4
"""Models that are named one by one."""


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
    except (OctavoError, OSError, subprocess.SubprocessError) as wrong:
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
    from octavo.corpus.location import database, locate

    folder = locate(chosen.corpus)
    existing = next(above for above in (folder, *folder.parents) if above.exists())
    if database(folder).exists():
        _open(folder)
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        state, what = State.BROKEN, "cannot be written"
        if database(folder).exists():
            state, what = State.LIMITED, "cannot be written: it can be asked, and nothing added"
        yield Part("corpus", state, f"{folder} {what}", "choose another folder: --corpus FOLDER")
        return
    free = shutil.disk_usage(existing).free
    detail = f"{folder}, {free / 1e9:.1f} GB free"
    if free < _ROOM:
        yield Part("corpus", State.LIMITED, detail, "make room on the disk")
    else:
        yield Part("corpus", State.OK, detail if folder.exists() else f"{detail}; made by the first 'octavo add'")


def _open(folder: Path) -> None:
    """Open a corpus that is there and read its tables of contents; raise CorpusError when that cannot be done."""
    from octavo.corpus import Corpus

    with Corpus(folder) as corpus:
        corpus.status()


def _pdf_parser(_options: Mapping[str, Any]) -> Iterator[Part]:
    import pypdfium2

    yield Part("pdf parser", State.OK, f"pdfium {pypdfium2.PDFIUM_INFO}, pypdfium2 {pypdfium2.PYPDFIUM_INFO}")


def _store(_options: Mapping[str, Any]) -> Iterator[Part]:
    import apsw

    yield Part("store", State.OK, f"SQLite {apsw.sqlitelibversion()}")


def _isolation(_options: Mapping[str, Any]) -> Iterator[Part]:
    """Whether the kernel lets a reading process give up writing; asked in a process of its own, for it is for good."""
    code = "from octavo.parsing.jail import forbid_writes; raise SystemExit(not forbid_writes())"
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=60)
    if asked.returncode == 0:
        yield Part("isolation", State.OK, "files are read in processes that cannot write")
    else:
        mend = "Linux 5.13 or newer with Landlock adds it; until then read files you trust"
        yield Part("isolation", State.LIMITED, "files are read in processes with limits on memory and time alone", mend)


def _models(_options: Mapping[str, Any]) -> Iterator[Part]:
    from octavo.models import describe

    for model in describe():
        if model.usable:
            runs = " ".join(part for part in (model.engine, model.version) if part)
            yield Part(model.role, State.OK, f"{model.name} on {runs}; {model.detail}")
        else:
            yield Part(model.role, State.BROKEN, model.name, model.detail)


def _configured_models(options: Mapping[str, Any]) -> Iterator[Part]:
    from octavo.cli.model_health import configured

    try:
        chosen = settings.load(options)
    except UsageError:
        return
    for found in configured(chosen, is_online=bool(options.get("online"))):
        state = State.BROKEN if found.wrong else State.OK
        yield Part(found.role, state, found.spec + (f"; {found.detail}" if found.detail else ""), found.wrong)


def _model_providers(_options: Mapping[str, Any]) -> Iterator[Part]:
    from octavo.cli.model_health import providers

    yield Part("model providers", State.OK, providers())


def _models_here(_options: Mapping[str, Any]) -> Iterator[Part]:
    from octavo.models.finding import find_models

    found = find_models()
    ready = [model.name for model in found if not model.problem]
    names = ", ".join(ready[:_NAMED]) + (", ..." if len(ready) > _NAMED else "") or "none can be used as it is"
    detail = f"{names}; 'octavo models' lists {len(found)}" if found else "none; 'octavo models' says how to get one"
    yield Part("models here", State.OK, detail)


PROBES: tuple[Callable[[Mapping[str, Any]], Iterator[Part]], ...] = (
    _octavo,
    _settings,
    _corpus,
    _store,
    _pdf_parser,
    _isolation,
    _models,
    _configured_models,
    _model_providers,
    _models_here,
)
