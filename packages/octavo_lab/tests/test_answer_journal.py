"""By what an answer that is kept is known again: the code that answers is part of its key."""

from __future__ import annotations

from pathlib import Path

import pytest

import octavo
import octavo_documents
from octavo_lab import journal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    code = tmp_path / "package" / "operators"
    code.mkdir(parents=True)
    (code / "read.py").write_text("one")
    (code / "prompt.md").write_text("two")
    (code / "weights.bin").write_text("three")
    return code


@pytest.mark.parametrize(("name", "counts"), [("read.py", True), ("prompt.md", True), ("weights.bin", False)])
def test_changed_code_and_prompts_are_other_answers(folder: Path, name: str, *, counts: bool) -> None:
    before = journal.fingerprint_of([(folder.parent, folder)])
    (folder / name).write_text("four")
    assert (journal.fingerprint_of([(folder.parent, folder)]) != before) is counts


def test_the_place_of_the_package_on_the_disk_does_not_count(folder: Path) -> None:
    before = journal.fingerprint_of([(folder.parent, folder)])
    (folder.parents[1] / "elsewhere").mkdir()
    moved = folder.parent.rename(folder.parents[1] / "elsewhere" / "package")
    assert journal.fingerprint_of([(moved, moved / "operators")]) == before


def test_a_folder_that_is_not_there_or_empty_is_no_code_that_never_changes(folder: Path) -> None:
    for missing in (folder / "moved", folder.parent / "empty"):
        (folder.parent / "empty").mkdir(exist_ok=True)
        with pytest.raises(FileNotFoundError, match=missing.name):
            journal.fingerprint_of([(folder.parent, folder), (folder.parent, missing)])


@pytest.mark.parametrize(
    "path",
    [
        Path(str(octavo.__file__)).parent / "question",
        Path(str(octavo.__file__)).parent / "evidence",
        Path(str(octavo.__file__)).parent / "layers",
        Path(str(octavo_documents.__file__)).parent / "document",
        Path(str(octavo_documents.__file__)).parent / "text",
    ],
    ids=lambda path: path.name,
)
def test_the_code_behind_an_answer_is_part_of_its_fingerprint(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    before = journal.code_fingerprint()
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: read.append(self) or real(self))
    journal.code_fingerprint.cache_clear()
    assert journal.code_fingerprint() == before
    assert set(path.rglob("*.py")) <= set(read)
