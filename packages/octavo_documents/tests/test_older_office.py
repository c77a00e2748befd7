"""Files of Word and PowerPoint of before 2007: converted in a process of its own, or refused with what mends it."""

from __future__ import annotations

import importlib
from email.message import EmailMessage
from pathlib import Path

import pytest
from docx import Document as WordFile

from octavo_documents.errors import SourceError
from octavo_documents.parsing import DEFAULT_LIMITS, older_office
from octavo_documents.parsing.compound_files import compound_file
from octavo_documents.parsing.mail import eml
from octavo_documents.parsing.office import older
from octavo_documents.reading import read

CONVERTER = """\
import os, pathlib, shutil

class EncryptedDocumentError(Exception):
    pass

def convert(source, target, *, password=None):
    held = pathlib.Path(source).read_bytes()
    if b"LOCKED" in held and password != "oak":
        raise EncryptedDocumentError("no key")
    if b"ODD" in held:
        raise ValueError("a shape is inside out")
    if b"CURIOUS" in held:
        pathlib.Path({outside!r}).write_text("seen")
    shutil.copyfile({made!r}, target)
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have a converter that always makes the same file."""
    word = WordFile()
    word.add_paragraph("The berth costs 45 francs.")
    home = tmp_path / "installed"
    (home / "doc2docx").mkdir(parents=True)
    word.save(str(home / "made.docx"))
    source = CONVERTER.format(made=str(home / "made.docx"), outside=str(tmp_path / "outside.txt"))
    (home / "doc2docx" / "__init__.py").write_text(source)
    monkeypatch.syspath_prepend(str(home))
    importlib.invalidate_caches()
    monkeypatch.delitem(importlib.import_module("sys").modules, "doc2docx", raising=False)
    return tmp_path


def _older(path: Path, words: bytes = b"berth") -> Path:
    held = compound_file({"WordDocument": words})
    assert held is not None
    path.write_bytes(held)
    return path


def test_a_file_is_read_as_what_it_is_converted_to(made: Path) -> None:
    document = read(_older(made / "berths.DOC"))
    assert document.name == "berths.DOC"
    assert [*document.blocks.text] == ["The berth costs 45 francs."]


def test_what_is_refused_says_why_and_what_to_do(made: Path) -> None:
    path = _older(made / "odd.doc", b"ODD")
    with pytest.raises(SourceError, match=r"odd\.doc cannot be converted \(a shape is inside out\): save it as") as odd:
        read(path)
    assert odd.value.reason == "format"
    locked = _older(made / "locked.doc", b"LOCKED")
    for password, reason in ((None, "encrypted"), ("elm", "password")):
        with pytest.raises(SourceError) as closed:
            read(locked, password=password)
        assert closed.value.reason == reason
    assert read(locked, password="oak").blocks.text[0] == "The berth costs 45 francs."


@pytest.mark.skipif(not Path("/sys/kernel/security").exists(), reason="the kernel confines no process")
def test_the_converter_writes_nothing_elsewhere(made: Path) -> None:
    with pytest.raises(SourceError, match="cannot be converted"):
        read(_older(made / "curious.doc", b"CURIOUS"))
    assert not (made / "outside.txt").exists()


def test_what_converts_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(older_office, "find_spec", lambda name: None)
    with (
        pytest.raises(SourceError, match=r"before 2007: save it as \.docx or \.pptx, or pip install"),
        older_office.converted(_older(tmp_path / "a.doc"), DEFAULT_LIMITS),
    ):
        pass


@pytest.mark.parametrize(
    "data", [b"{\\rtf1\\ansi The pier closes at nine.\\par}", b"<html><body><p>The pier closes at nine.</p></html>"]
)
def test_what_else_is_called_so_is_read_as_what_it_is(data: bytes) -> None:
    assert [block.text for block in older.read(data).blocks] == ["The pier closes at nine."]


def test_one_in_a_message_is_named(tmp_path: Path) -> None:
    held = _older(tmp_path / "a.doc").read_bytes()
    message = EmailMessage()
    message["Subject"] = "Lease"
    message.set_content("See attached.")
    message.add_attachment(held, maintype="application", subtype="msword", filename="lease.doc")
    assert any("lease.doc" in block.text for block in eml.read(bytes(message)).blocks)
    path = tmp_path / "a.eml"
    path.write_bytes(bytes(message))
    assert any("lease.doc" in one and "before 2007" in one for one in read(path).metadata.warnings)
