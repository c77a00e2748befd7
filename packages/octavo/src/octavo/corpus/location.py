"""Where a corpus is: the one named, or where it is when nobody says; and the layout of its folder."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from octavo.corpus.store.paths import absolute
from octavo.errors import UsageError
from octavo_documents import plugins

ENVIRONMENT = "OCTAVO_CORPUS"
_ENGINES = ("postgresql", "postgres")
"""What the URL of a shared corpus begins with, whether the package for it is installed or not."""
_FILENAME = "corpus.db"


@dataclass(frozen=True, slots=True)
class Location:
    """Where a corpus is. As a text it is what messages call it.

    `folder` is the corpus, or where this machine keeps what it made from one that many machines share, whose database
    `url` names. With `is_fixed` nothing is written there.
    """

    folder: Path
    url: str = field(default="", repr=False)
    is_fixed: bool = False

    def __str__(self) -> str:
        return without_password(self.url) or str(self.folder)

    @property
    def holder(self) -> str:
        """What messages call the file or the database that holds everything."""
        return str(self) if self.url else str(database(self.folder))


def usual() -> Path:
    """Return the folder of the user's own corpus, for those who name none."""
    from platformdirs import user_data_path

    return user_data_path("octavo") / "corpus"


def corpora_beside(folder: Path, most: int = 3) -> tuple[str, ...]:
    """Return the corpora beside a folder, or in it, whose names are like its name."""
    from difflib import get_close_matches

    try:
        names = [one.name for one in folder.parent.iterdir() if database(one).exists()]
        inside = [one.name for one in folder.iterdir() if database(one).exists()] if folder.is_dir() else []
    except OSError:
        return ()
    near = get_close_matches(folder.name, names, most)
    return tuple(str(path) for path in [folder.parent / name for name in near] + [folder / name for name in inside])[
        :most
    ]


def locate(path: str | Path | None) -> Location:
    """Return the place of a corpus: the one given, that of OCTAVO_CORPUS, or the user's own. Raises UsageError."""
    given = path if path is not None else os.environ.get(ENVIRONMENT) or None
    if given is None:
        return Location(usual())
    if "://" in str(given):
        return _shared(str(given))
    folder = Path(absolute(given))
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: a corpus is a folder; to read the file, use 'octavo add {folder.name}'")
    return Location(folder)


def _shared(url: str) -> Location:
    """Return the place of a corpus that many machines share; what is made from it here lies in the user's cache."""
    if not is_shared(url):
        raise UsageError(
            f"{without_password(url)} is no corpus: name a folder, or a database as postgresql://HOST/DATABASE"
        )
    from platformdirs import user_cache_path

    name = hashlib.sha256(without_password(url).encode()).hexdigest()[:16]
    return Location(user_cache_path("octavo") / "shared" / name, url)


def is_shared(text: str) -> bool:
    """Whether a text is the URL of a corpus that many machines share: one of an engine that a package brings."""
    engine, mark, _ = text.partition("://")
    return bool(mark) and (engine in _ENGINES or engine in plugins.names("octavo.stores"))


def without_password(url: str) -> str:
    """Return a URL as messages show it."""
    shown = re.sub(r"(://[^:/@?]*):[^/?]*@", r"\1@", url)
    return re.sub(r"([?&])password=[^&]*&?", r"\1", shown).rstrip("?&")


def database(folder: Path) -> Path:
    """Return the file of a corpus that holds everything."""
    return folder / _FILENAME


def derived(folder: Path) -> Path:
    """Return the folder of what can be made again."""
    return folder / "derived"


def shards(folder: Path) -> Path:
    """Return the folder of the shards that searchers on this machine hold."""
    return folder / "shards"


def printed(folder: Path) -> Path:
    """Return the folder of PDFs that LibreOffice printed of office files."""
    return folder / "printed"


def uploads(folder: Path) -> Path:
    """Return the folder of files that were sent: the corpus has their only copy, each in a folder of its hash."""
    return folder / "uploads"


def is_upload(folder: Path, path: str) -> bool:
    """Whether a path is that of a file which was sent to the corpus in a folder."""
    return Path(path).is_relative_to(uploads(folder))


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
