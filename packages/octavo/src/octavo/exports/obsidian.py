"""Notes for Obsidian: a document with its pages as anchors, and an answer whose quotes link to them.

A note says in its front matter what it was made of and a check of its own text. By the check a note that a person has
changed since is known, and left as it is; a note of anybody else's is never written over.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from octavo.errors import OctavoError, UsageError
from octavo.exports import escaped, names_of
from octavo.exports.bundle import Bundle, CitedSource, Quotation, one_line
from octavo.exports.writing import write_file
from octavo_documents.document import page_name
from octavo_documents.document.markdown import markdown

if TYPE_CHECKING:
    from octavo.about.document_about import DocumentAbout
    from octavo_documents.document import Document

_UNSAFE = re.compile(r'[\[\]#^|\\/:*?"<>%]')
"""What no link of Obsidian, or no file of some system, may have in its name."""
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_LONGEST = 120
"""Bytes of a name: with an ending and digits that tell it from others it fits every file system."""
_MARKS = re.compile(r"%%|==|\^")
"""What is markup to Obsidian beyond what `escaped` knows: comments, highlights, anchors."""
_NO_ALIAS = re.compile(r"[\[\]|]")
_NO_TAG = re.compile(r"[^\w/-]+")
_CHECK = re.compile(r"^octavo: ([0-9a-f]{16})$", re.MULTILINE)
_OF = re.compile(r'^octavo_of: "(sha256:[0-9a-f]{64}|(?:answer|citations) [0-9a-f]{16})"$', re.MULTILINE)
_CHECK_DIGITS, _APART_DIGITS = 16, 8


@dataclasses.dataclass(frozen=True, slots=True)
class NoteLink:
    """A place in a note's text that leads to another note, whose name is known only in its folder."""

    of: str
    anchor: str
    text: str
    before: str = ""
    after: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Note:
    """A note that is to be written. `of` names what it is made of for good, `name` what it would be called."""

    of: str
    name: str
    front: Mapping[str, object]
    body: Sequence[str | NoteLink]


@dataclasses.dataclass(frozen=True, slots=True)
class WrittenNotes:
    """What became of notes: the files that were written, and those that a person has changed, which stay."""

    notes: tuple[Path, ...]
    left: tuple[Path, ...]


def document_note(document: Document, about: DocumentAbout, *, base: str = "", file: str = "") -> Note:
    """Return the note of a document: what it is about, and its text, each page with an anchor.

    `base` is the address of a server, for permalinks; `file` the path of the document in the vault, "" for none.
    """
    source = CitedSource.of(document, about)
    front = {
        "aliases": [about.title] if about.title else [],
        "title": about.title or source.title,
        "author": [name.literal or f"{name.given} {name.family}".strip() for name in names_of(source.author)],
        "issuer": about.issuer,
        "date": about.date,
        "kind": about.kind,
        "tags": [tag for tag in map(_tag, about.tags) if tag],
        "source": f"[[{file}]]" if file else document.name,
        "pages": len(document.pages),
        "permalink": f"{base}/d/{source.digits}" if base else "",
    }
    body = markdown(document, pages=lambda page: _page_mark(document, page, source, base, file), shown=_shown)
    return Note(document.id, note_name(PurePosixPath(document.name).stem or document.name), front, [body])


def _page_mark(document: Document, page: int, source: CitedSource, base: str, file: str) -> str:
    """Return the line a page begins with: its name, links to it, and the anchor that other notes lead to."""
    told = escaped(page_name(page, document.pages.label[page - 1]))
    leads = [f"[[{file}#page={page}|file]]"] if file and source.suffix == ".pdf" else []
    leads += [f"[page](<{base}/d/{source.digits}/{page}>)"] if base else []
    return f"*{told}*{' · ' if leads else ''}{' · '.join(leads)} ^page-{page}"


def answer_note(bundle: Bundle) -> Note:
    """Return the note of an answer, or of citations alone: each quote a callout that leads to its page's note."""
    sources = {source.id: source for source in bundle.sources}
    same = [bundle.question, *sources] if bundle.question else [one.id for one in bundle.quotations]
    of = hashlib.sha256("\n".join(same).encode()).hexdigest()[:_CHECK_DIGITS]
    name = bundle.question or f"Citations of {bundle.file_stem()}"
    front = {"question": bundle.question, "documents": [source.name for source in bundle.sources]}
    body: list[str | NoteLink] = [f"# {_shown(bundle.question)}\n"] if bundle.question else []
    body += [f"{_shown(line)}\n" for line in bundle.answer.splitlines() if line.strip()]
    for one in bundle.quotations:
        body += _callout(bundle, one, sources[one.document_id])
    return Note(f"answer {of}" if bundle.question else f"citations {of}", note_name(name), front, body)


def _callout(bundle: Bundle, one: Quotation, source: CitedSource) -> Iterator[str | NoteLink]:
    where = one_line(_NO_ALIAS.sub(" ", f"{source.title}, {page_name(one.page, one.page_label)}"))
    place = f" · {_shown(one.place)}" if one.place else ""
    yield NoteLink(source.id, f"page-{one.page}", where, before="> [!quote] ", after=place)
    yield from (f"> {_shown(line)}" for line in one.quote.splitlines() if line.strip())
    link = bundle.link(one)
    yield f">\n> {f'[permalink](<{link}>)' if link else f'`{one.id}`'}\n"


def note_name(text: str) -> str:
    """Return a text as the name of a note that every file system and every link takes."""
    plain = unicodedata.normalize("NFC", one_line(_UNSAFE.sub(" ", text)))
    name = one_line(plain).strip(" .").encode()[:_LONGEST].decode("utf-8", "ignore").strip(" .")
    return f"{name} note" if _RESERVED.fullmatch(name) else name or "note"


def _tag(text: str) -> str:
    """Return a text as a tag of Obsidian's, which has no spaces and is no number; "" where nothing of it is left."""
    tag = _NO_TAG.sub("-", one_line(text)).strip("-/")
    return f"_{tag}" if tag.isdigit() else tag


def _shown(text: str) -> str:
    """Return a line so that Obsidian shows it as it is; pipes stay, which tables alone would take for their own."""
    safe = escaped(text).replace("\\|", "|")
    return _MARKS.sub(lambda found: "".join(f"\\{letter}" for letter in found[0]), safe)


def write_notes(folder: Path, notes: Sequence[Note]) -> WrittenNotes:
    """Write notes into a folder, made where there is none. Raises OctavoError where that cannot be.

    A note that was written before and not changed since is written anew; one that a person has changed stays, as does
    any other file of that name, beside which a note gets digits after its name.
    """
    try:
        folder.mkdir(exist_ok=True)
        before = [*_notes_in(folder)]
    except OSError as error:
        raise OctavoError(f"{folder} cannot be written: {error.strerror}; name another with --out") from error
    notes = [*{note.of: note for note in notes}.values()]
    names = _names(notes, before)
    written, left = list[Path](), list[Path]()
    changed = {path.name.casefold(): has_changed for path, _, has_changed in before}
    for note in notes:
        path = folder / f"{names[note.of]}.md"
        if changed.get(path.name.casefold()):
            left.append(path)
            continue
        write_file(path, _text(note, names).encode())
        written.append(path)
    return WrittenNotes(tuple(written), tuple(left))


def _notes_in(folder: Path) -> Iterator[tuple[Path, str, bool]]:
    """Yield each note of a folder with what it is made of, "" for one of anybody else's, and whether it has changed."""
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() == ".md":
            text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
            front = text.partition("\n---\n")[0] if text.startswith("---\n") else ""
            made, check = _OF.search(front), _CHECK.search(front)
            yield path, made[1] if made else "", not (check and _checked(text) == check[1])


def _names(notes: Iterable[Note], before: Iterable[tuple[Path, str, bool]]) -> dict[str, str]:
    """Return what each note is called: as before, else by its own name, with digits where another note has that."""
    there = {path.stem.casefold(): of for path, of, _ in before}
    names = {of: path.stem for path, of, _ in before if of}
    for note in notes:
        if note.of not in names:
            digits = note.of.removeprefix("sha256:").split()[-1][:_APART_DIGITS]
            names[note.of] = f"{note.name} ({digits})" if note.name.casefold() in there else note.name
        there[names[note.of].casefold()] = note.of
    return names


def _text(note: Note, names: Mapping[str, str]) -> str:
    body = "\n".join(part if isinstance(part, str) else _linked(part, names) for part in note.body)
    front = [f"{key}: {json.dumps(_yaml(value), ensure_ascii=False)}" for key, value in note.front.items() if value]
    of = f"octavo_of: {json.dumps(note.of)}"
    text = "\n".join(["---", *front, of, f"octavo: {'0' * _CHECK_DIGITS}", "---", "", body.strip(), ""])
    return _CHECK.sub(f"octavo: {_checked(text)}", text, count=1)


def _yaml(value: object) -> Any:
    """Return a value without what no line of YAML may hold."""
    if isinstance(value, list):
        return [one_line(str(one)) for one in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return value if isinstance(value, int) else one_line(str(value))


def _linked(link: NoteLink, names: Mapping[str, str]) -> str:
    return f"{link.before}[[{names[link.of]}#^{link.anchor}|{link.text}]]{link.after}"


def _checked(text: str) -> str:
    """Return the check of a note's text, whatever check stands in it."""
    return hashlib.sha256(_CHECK.sub("", text, count=1).encode()).hexdigest()[:_CHECK_DIGITS]


def _vault_of(folder: Path) -> Path:
    """Return the vault a folder is in: the next folder above that Obsidian has opened, else the folder itself."""
    whole = folder.absolute()
    return next((one for one in (whole, *whole.parents) if (one / ".obsidian").is_dir()), whole)


def path_in_vault(paths: Iterable[str], folder: Path) -> str:
    """Return the first of a document's paths that is in the vault of a folder, as its links name it; "" for none."""
    vault = _vault_of(folder)
    inside = (Path(path).relative_to(vault) for path in paths if Path(path).is_relative_to(vault))
    return next((one.as_posix() for one in inside if not any(map(_UNSAFE.search, one.parts))), "")


def check_folder(out: str | None) -> Path:
    """Return the folder that notes go to. Raises UsageError where none is named, or what is named is a file."""
    if out is None:
        raise UsageError("notes are files of a folder: name it with --out, such as --out vault/Octavo")
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{out} is a file: notes are files of a folder, name one with --out")
    if not folder.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {folder.parent} to make {folder.name} in")
    return folder
