"""Notes for Obsidian: links that lead somewhere, names that every system takes, nothing of anybody's overwritten."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import octavo
import synthetic
from cli_corpus import octavo as command
from octavo.about.document_about import DocumentAbout
from octavo.exports.obsidian import Note, document_note, note_name, path_in_vault, write_notes
from octavo_documents.document import Kind
from pdfs import say, write

NASTY = "[[own]] ![[x]] #tag %%gone%% ==lit== x ^page-1 <img src=http://evil.example/a.png> $y$ `c`"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault with a PDF in it, and a corpus beside it that knows the PDF."""
    (tmp_path / "vault" / ".obsidian").mkdir(parents=True)
    write(tmp_path / "vault" / "mast.pdf", say("The old mast was lowered after the storm of 1987."), say("It was oak."))
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add(tmp_path / "vault" / "mast.pdf")
    return tmp_path / "vault"


def export(vault: Path, *names: str, out: str = "notes", **given: str) -> Any:
    options = [text for name, value in given.items() for text in (f"--{name}", value)]
    where = ["--corpus", str(vault.parent / "corpus"), "--out", str(vault / out)]
    return command("export", *names, "--format", "obsidian", *options, *where)


def answer_of(vault: Path, question: str = "When was the mast lowered?") -> str:
    with octavo.open(vault.parent / "corpus") as corpus:
        value = corpus.ask(question).to_json(trace=False)
    path = vault.parent / f"{len([*vault.parent.iterdir()])}.json"
    path.write_text(json.dumps(value))
    return str(path)


def front(path: Path) -> dict[str, Any]:
    """Return the front matter of a note: a JSON value a line is YAML too."""
    lines = path.read_text().split("---\n")[1].splitlines()
    return {key: json.loads(value) for key, _, value in (line.partition(": ") for line in lines) if key != "octavo"}


def test_an_answer_leads_to_the_pages_of_notes_that_are_there(vault: Path) -> None:
    done = export(vault, answer_of(vault), base="http://127.0.0.1:8080")
    assert done.out.splitlines() == [
        str(vault / "notes" / name) for name in ("When was the mast lowered.md", "mast.md")
    ]
    note = (vault / "notes" / "When was the mast lowered.md").read_text()
    assert "> [!quote] [[mast#^page-1|mast, page 1]]" in note
    assert re.search(r"\[permalink\]\(<http://127\.0\.0\.1:8080/c/[0-9a-f]{16}-\d+-\d+-\d+-[0-9a-f]{8}>\)", note)
    of = (vault / "notes" / "mast.md").read_text()
    assert re.findall(r"\^(page-\d)$", of, re.MULTILINE) == ["page-1", "page-2"]
    assert "[[mast.pdf#page=2|file]]" in of
    assert front(vault / "notes" / "mast.md")["source"] == "[[mast.pdf]]"
    assert front(vault / "notes" / "When was the mast lowered.md")["documents"] == ["mast.pdf"]
    assert not [*(vault / "notes").glob(".*")]


def test_a_note_is_written_anew_unless_a_person_changed_it(vault: Path) -> None:
    answer = answer_of(vault)
    export(vault, answer)
    note, of = vault / "notes" / "When was the mast lowered.md", vault / "notes" / "mast.md"
    before = note.read_text()
    assert export(vault, answer, base="http://other").err == ""
    assert "http://other/c/" in note.read_text() != before
    of.write_text(of.read_text() + "\nMine.\n")
    done = export(vault, answer)
    assert "mast.md was changed by hand and is left as it is" in done.err
    assert done.out.splitlines() == [str(note)]
    assert of.read_text().endswith("\nMine.\n")
    assert note.read_text() == before


def test_another_note_of_that_name_stays_and_a_renamed_one_keeps_its_name(vault: Path) -> None:
    (vault / "notes").mkdir()
    (vault / "notes" / "Mast.md").write_text("my own words")
    export(vault, "mast.pdf")
    made = next(path for path in (vault / "notes").iterdir() if path.name != "Mast.md")
    assert re.fullmatch(r"mast \([0-9a-f]{8}\)\.md", made.name)
    made.rename(vault / "notes" / "The mast.md")
    export(vault, answer_of(vault))
    assert (vault / "notes" / "Mast.md").read_text() == "my own words"
    assert not made.exists()
    assert "[[The mast#^page-1|" in (vault / "notes" / "When was the mast lowered.md").read_text()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What is [[a]] / #b | c?", "What is a b c"),
        ("../../etc/passwd", "etc passwd"),
        ("CON", "CON note"),
        ("nul.txt", "nul.txt note"),
        ("...", "note"),
        ("Ä" * 200, "Ä" * 60),
        ("a\nb\x00c", "a bc"),
    ],
)
def test_names_are_taken_by_every_file_system_and_every_link(text: str, name: str) -> None:
    assert note_name(text) == name


def test_nothing_in_a_document_is_markup(tmp_path: Path) -> None:
    rows = [(Kind.HEADING, NASTY, 1, 1), (Kind.PARAGRAPH, NASTY, 1, 0), (Kind.LIST_ITEM, f"- {NASTY}", 1, 1)]
    made = synthetic.document(rows, pages=1)
    note = document_note(made, DocumentAbout(made.id, made.name, title='a "b": c\n', tags=("two words", "12", "#")))
    write_notes(tmp_path, [note])
    text = next(tmp_path.glob("*.md")).read_text()
    body = text.split("---\n", 2)[2]
    assert not re.search(r"(?<!\\)(\[\[|#tag|%%|==|<img|`c|\^page-1 )", body)
    assert body.count("^page-1\n") == 1
    assert [line[:2] for line in body.splitlines() if "own" in line] == ["# ", "\\[", "- "]
    told = front(next(tmp_path.glob("*.md")))
    assert told["title"] == 'a "b": c'
    assert told["tags"] == ["two-words", "_12"]


def test_what_cannot_be_written_is_told_in_a_line_and_nothing_else_is(vault: Path, tmp_path: Path) -> None:
    assert command("export", "mast.pdf", "--format", "obsidian").status == 2
    (tmp_path / "file").write_text("x")
    told = command("export", "mast.pdf", "--format", "obsidian", "--out", str(tmp_path / "file"))
    assert told.status == 2 and told.err.count("\n") == 1 and "is a file" in told.err
    empty = tmp_path / "empty.json"
    empty.write_text(json.dumps({"question": "?", "outcome": "nothing", "citations": [], "passages": []}))
    assert export(vault, str(empty)).status == 2
    assert not (vault / "notes").exists()
    assert export(vault, answer_of(vault), "mast.pdf").status == 2


def test_a_note_is_whole_or_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = Note("answer 0123456789abcdef", "one", {"question": "?"}, ["first"])
    write_notes(tmp_path, [note])
    before = (tmp_path / "one.md").read_text()

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:3])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(octavo.errors.OctavoError, match="No space left on device"):
        write_notes(tmp_path, [Note(note.of, "one", {"question": "?"}, ["second"])])
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("one.md", before)]


def test_the_file_is_linked_where_it_is_in_the_vault(vault: Path, tmp_path: Path) -> None:
    inside = str(vault / "papers" / "mast.pdf")
    assert path_in_vault([str(tmp_path / "other.pdf"), inside], vault / "a" / "b") == "papers/mast.pdf"
    assert path_in_vault([str(vault / "a [1].pdf")], vault) == ""
    assert path_in_vault(["https://example.org/mast.pdf"], vault) == ""


def test_documents_of_one_name_have_notes_of_their_own(vault: Path) -> None:
    (vault / "sub").mkdir()
    write(vault / "sub" / "mast.pdf", say("Another mast."))
    export(vault, str(vault))
    names = sorted(path.name for path in (vault / "notes").iterdir())
    assert [re.sub(r"[0-9a-f]{8}", "...", name) for name in names] == ["mast (...).md", "mast.md"]
    texts = [(vault / "notes" / name).read_text() for name in names]
    assert sum("Another mast" in text for text in texts) == sum("the storm" in text for text in texts) == 1
