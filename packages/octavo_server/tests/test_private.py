"""What a corpus keeps is readable by the user alone, or by the group whose folder it was put into."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
from octavo.corpus import private
from octavo_server.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def filled(folder: Path) -> Path:
    """Return the folder of a corpus with a document and all that is kept beside the store."""
    file = folder.parent / "fees.md"
    file.write_text("# Fees\n\nThe fee is 7 dollars.\n", encoding="utf-8")
    with octavo.open(folder) as corpus:
        corpus.add(file)
        corpus.ask("What is the fee?")
        Store.beside(folder).close()
        assert {*folder.glob("corpus.db*")} > {folder / "corpus.db"}  # the journal of the open file too
        for path in (folder, *folder.rglob("*")):
            assert _mode(path) & 0o007 == 0, path
    return folder


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_corpus_that_is_made_is_the_users_alone(tmp_path: Path) -> None:
    folder = filled(tmp_path / "corpus")
    for path in (folder, *folder.rglob("*")):
        assert _mode(path) == (0o700 if path.is_dir() else 0o600), path


def test_in_a_folder_that_was_there_what_is_kept_is_the_users_alone_and_the_folder_stays(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    file = tmp_path / "fees.md"
    file.write_text("# Fees\n\nThe fee is 7 dollars.\n", encoding="utf-8")
    with octavo.open(folder) as corpus:
        corpus.add(file)
        assert _mode(folder) == 0o755
        assert {_mode(path) for path in folder.glob("corpus.db*")} == {0o600}
        assert {_mode(path) for path in folder.iterdir() if path.is_dir()} <= {0o700}


@pytest.mark.parametrize("mode", [0o2770, 0o770, 0o2750])
def test_what_is_kept_in_the_folder_of_a_group_is_the_groups(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    folder.chmod(mode)
    filled(folder)
    assert _mode(folder / "corpus.db") == 0o600 | mode & 0o060
    private.make_folder(folder / "more")
    assert _mode(folder / "more") & 0o777 == mode & 0o777


def test_a_file_that_is_there_keeps_its_permissions(tmp_path: Path) -> None:
    folder = filled(tmp_path / "corpus")
    (folder / "corpus.db").chmod(0o644)
    with octavo.open(folder) as corpus:
        corpus.add(tmp_path / "fees.md")
        assert _mode(folder / "corpus.db") == 0o644
