"""What a document is about: its names, who issued it, its kind, the periods it covers, its date and version."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from octavo.about.names import BETWEEN, may_be_name, numbered_words, words_of, words_of_file
from octavo.errors import CorpusError
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.document_kinds import document_kinds

Strengths = Mapping[str, float]
"""How surely (0..1) each of some words or years tells what a document is about."""

BY_RULE, BY_MODEL = "about", "about_read"
"""The layers that hold profiles: by rule, and where a model read the document, which goes before."""
OF_FOLDER = 0.5
"""How surely a folder alone says what is in it."""
_BY_PLACE = ("beginnings", "folders")
"""Fields that a document's place tells: they are not packed."""
_CAPITALS = lazy_regex(r"(?<![^\W_])[A-Z]{2,5}(?![^\W\d_])")


@dataclasses.dataclass(frozen=True)
class DocumentProfile:
    """What a document is about, as far as it says so. Empty where it does not."""

    title: str = ""
    issuer: str = ""
    """Who issued it, as it is written there: a company, an office, an author."""
    kinds: tuple[str, ...] = ()
    """Of `text.document_kinds`, the surest first."""
    date: str = ""
    """Of the document itself: "2023", "2023-08" or "2023-08-30"."""
    period: str = ""
    """What it reports on: "2022", "2023 Q2"."""
    version: str = ""
    short_forms: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """Names that it defines itself, with what each stands for: {"AMEX": "American Express Company"}."""
    former: tuple[str, ...] = ()
    """Names that who issued it had before."""
    words: Strengths = dataclasses.field(default_factory=dict[str, float])
    """The words of its names, without case."""
    years: Strengths = dataclasses.field(default_factory=dict[str, float])
    """The years it is about, and its quarters as "2023 Q2"."""
    names: tuple[str, ...] = ()
    """Further names that a model read in it: products, places, people."""
    by_model: tuple[str, ...] = ()
    """The fields that a model said, by name: "title", "names"."""
    heads: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """Names at its head, as they are written, each with its words that the document always writes with a capital."""
    folders: tuple[str, ...] = ()
    """The names of the folders that it lies in, the outermost first; known by its place."""
    beginnings: Strengths = dataclasses.field(default_factory=dict[str, float])
    """The first words of its title, its file's name and its folders, which may say whose it is; known by its place."""

    def within(self, folders: Sequence[str], file: str = "") -> DocumentProfile:
        """Return the profile with what folders, the outermost first, and a file's name say, less than it says itself.

        That is the words of the folders, and the first words of all; and the capitals in a name that are letters of who
        issued it, in order: "HPL_2022.pdf" of Harrow & Pell. These are short forms of it.
        """
        words = {word: OF_FOLDER for name in folders for word, _ in words_of(name) if may_be_name(word)}
        words |= {one.key: OF_FOLDER for name in folders for one in numbered_words(name)}
        first = {word: 1.0 for words in (words_of_file(file), _words(self.title)) for word in [*words][:1]}
        of_folders = {word: OF_FOLDER for name in reversed(folders) for word in [*_words(name)][:1]}
        forms = {short: self.issuer for short in _capitals((*folders, file)) if _is_of_letters(short, self.issuer)}
        return dataclasses.replace(
            self,
            words={**words, **self.words},
            short_forms={**forms, **self.short_forms},
            beginnings={**of_folders, **first},
            folders=tuple(folders),
        )

    def to_bytes(self) -> bytes:
        """Pack it, but for what its place says; `from_bytes` gives an equal one."""
        told = {name: value for name, value in dataclasses.asdict(self).items() if name not in _BY_PLACE}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> DocumentProfile:
        """Unpack. Raises CorpusError (`damaged`)."""
        try:
            values: dict[str, Any] = json.loads(data)
            more = {name: tuple(values.pop(name, ())) for name in ("former", "names", "by_model")}
            return cls(kinds=tuple(values.pop("kinds")), **more, **values)
        except (ValueError, TypeError, KeyError) as error:
            raise CorpusError("damaged", f"what a document is about cannot be read: {error}") from error


def _capitals(names: Sequence[str]) -> Iterator[str]:
    """Yield the words of the names of files and folders that are capitals alone; two letters only as the first."""
    for name in names:
        for found in _CAPITALS.finditer(name):
            if (not found.start() or len(found[0]) > 2) and not document_kinds(found[0]):
                yield found[0]


def _is_of_letters(short: str, issuer: str) -> bool:
    """Return whether a short form begins as who issued a document does and has its letters from a name, in order."""
    letters = iter(issuer.casefold()) if BETWEEN not in issuer else iter("")
    return short[0] == issuer[:1] and all(letter in letters for letter in short.casefold())


def _words(text: str) -> Iterator[str]:
    return (word for word, _ in words_of(text))
