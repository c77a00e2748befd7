"""Where a corpus is: the one named, or where it is when nobody says; and the layout of its folder."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from octavo.corpus.store.paths import absolute
from octavo.errors import UsageError

ENVIRONMENT = "OCTAVO_CORPUS"
_FILENAME = "corpus.db"


@dataclass(frozen=True, slots=True)
class Location:
    """Where a corpus is. As a text it is what messages call it.

    `folder` is the corpus, or where this machine keeps what it made from one that many machines share, whose database
    `url` names.
    """

    folder: Path
    url: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.url or str(self.folder)


def locate(path: str | Path | None) -> Location:
    """Return the place of a corpus: the one given, that of OCTAVO_CORPUS, or the user's own. Raises UsageError."""
    given = path if path is not None else os.environ.get(ENVIRONMENT) or None
    if given is None:
        from platformdirs import user_data_path

        return Location(user_data_path("octavo") / "corpus")
    if "://" in str(given):
        raise UsageError(f"{given} is no folder: this version of Octavo keeps a corpus in a folder of this machine")
    folder = Path(absolute(given))
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: a corpus is a folder; to read the file, use 'octavo add {folder.name}'")
    return Location(folder)


def database(folder: Path) -> Path:
    """Return the file of a corpus that holds everything."""
    return folder / _FILENAME


def derived(folder: Path) -> Path:
    """Return the folder of what can be made again."""
    return folder / "derived"


def printed(folder: Path) -> Path:
    """Return the folder of PDFs that LibreOffice printed of office files."""
    return folder / "printed"


def words(folder: Path) -> Path:
    """Return the folder of words that OCR read on pages."""
    return folder / "words"


def derived_bytes(path: Path) -> int:
    """Return what the derived files of the corpus at a path take on disk."""
    return sum(map(_size, [*derived(path).glob("*"), *words(path).glob("*")]))


def _size(file: Path) -> int:
    """Return the bytes of a file; 0 for one that another process has just replaced."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
