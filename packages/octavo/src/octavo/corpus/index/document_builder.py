"""`DocumentBuilder`: store, `builders` and judge of one indexing, and how they show in the fingerprints of parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from octavo.corpus import judges
from octavo.corpus.index import fingerprints
from octavo.corpus.index.builders import OCR_MODES, Builders, OcrMode
from octavo.corpus.index.pictures import NONE, RenderedPdfs
from octavo.corpus.index.tasks import Task
from octavo.corpus.progress import Progress
from octavo.corpus.store import DOCUMENT_PART, Store
from octavo.decisions.engine.judge import Judge
from octavo.errors import CorpusError, UsageError
from octavo.layers.base import embeds_texts

if TYPE_CHECKING:
    from octavo.models.ports import LayoutModel


@dataclass(frozen=True)
class HowToRead:
    """How files are read."""

    ocr: OcrMode = "auto"
    layout: LayoutModel | None = None
    password: str | None = field(default=None, repr=False)
    prints: RenderedPdfs = NONE

    def __post_init__(self) -> None:
        """Raise UsageError for a mode of OCR that there is not."""
        if self.ocr not in OCR_MODES:
            raise UsageError(f"ocr is one of {', '.join(OCR_MODES)}, not {self.ocr!r}")


@dataclass(frozen=True)
class DocumentBuilder:
    """What documents are built with, and where they are kept. Thread-safe.

    `document_reading` reads a document, `document_layers` builds its layers, `publishing` makes it visible.
    """

    store: Store
    builders: Builders
    progress: Progress
    how: HowToRead = field(default_factory=HowToRead)
    judge: Judge = field(default_factory=Judge)
    """Where a model is named in it for doubtful headings, these are put to it."""
    renewed: set[str] = field(default_factory=set[str], init=False, repr=False)
    """Documents that were there, and that a model of many languages has read now, by id."""
    unread: dict[str, str] = field(default_factory=dict[str, str], init=False, repr=False)
    """What documents are called of which such a model would read more than a little, were it there, by id."""
    completed: set[str] = field(default_factory=set[str], init=False, repr=False)
    """Documents that were there without vectors, and have them now, by id."""
    wordless: set[str] = field(default_factory=set[str], init=False, repr=False)
    """Fingerprints of documents that stay without vectors, as the embedding model cannot be used."""
    had: dict[str, list[str]] = field(default_factory=dict[str, list[str]], init=False, repr=False)
    """Optional layers that documents had when they were first looked at, by id."""

    @cached_property
    def _models(self) -> dict[str, str]:
        return {name: self.builders.model_of(layer) for name, layer in self.builders.layers.items()}

    @cached_property
    def _recognizer(self) -> str:
        return "" if self.how.ocr == "never" else self.builders.recognizer().name

    @cached_property
    def languages(self) -> str:
        """The name of the model of other languages than English, "" for none."""
        model = self.builders.multilingual()
        return "" if model is None else model.name

    def lacks(self, expected: Mapping[str, str], stored: Mapping[str, str]) -> list[str]:
        """Return the parts, by the fingerprints they are to have, that are not stored so."""
        lacking = [
            name
            for name, fingerprint in expected.items()
            if stored.get(name) != fingerprint and not self._holds(fingerprint, stored.get(name))
        ]
        without = [name for name in lacking if self.is_without_vectors(name, expected, stored)]
        if not without or self.builders.embeds:
            return lacking
        self.wordless.add(expected[DOCUMENT_PART])
        return [name for name in lacking if name not in without]

    def is_without_vectors(self, name: str, expected: Mapping[str, str], stored: Mapping[str, str]) -> bool:
        """Return whether a part is as it is to be but for the vectors of a model that could not be used."""
        layer = self.builders.layers.get(name)
        if layer is None or not embeds_texts(layer) or name not in stored:
            return False
        return fingerprints.holds(fingerprints.of_layer(layer, "", expected), stored[name], "")

    def _holds(self, expected: str, stored: str | None) -> bool:
        # The model is looked for where a document needs it, for its whole file is read.
        languages = self.languages if fingerprints.languages_of(stored or "") else ""
        return fingerprints.holds(expected, stored, languages)

    @property
    def image_reader_version(self) -> str:
        """What pictures are looked at with: the parser and what reads them."""
        return f"{self.builders.version}.{self._recognizer}"

    def expected(self, document_id: str, *, by_rule: bool = False) -> dict[str, str]:
        """Return the fingerprints of an up-to-date document and of the layers every one has, by part name.

        With `by_rule` those of a document whose headings no model was asked about.
        """
        own = fingerprints.of_document(
            document_id,
            parser=self.builders.version,
            ocr=self.how.ocr,
            recognizer=self._recognizer,
            layout=self.how.layout.name if self.how.layout is not None else "",
            headings="" if by_rule else judges.headings_model(self.judge),
            printed="printed" if self.how.prints.is_expected(document_id) else "",
        )
        return fingerprints.of_layers(own, self.builders.layers.values(), self._models)

    def stored(self, ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the fingerprints of the parts of the visible documents among these, by name, by id."""
        found: dict[str, dict[str, str]] = {}
        for key in self.store.published(ids):
            found.setdefault(key.document_id, {})[key.name] = key.fingerprint
        for document_id, parts in found.items():
            if optional := [name for name in self.builders.optional if name in parts]:
                self.had.setdefault(document_id, optional)
        return found

    def finished_part(self, task: Task, name: str) -> bytes | None:
        """Return a part that an earlier run finished, None when there is none or it is damaged.

        Of vectors it is one that any model, or none, has added to.
        """
        expected, stored = task.fingerprints[name], self.store.staged(task.id)
        key = next((stored[one] for one in stored if fingerprints.holds(expected, one, "")), None)
        if key is None:
            return None
        try:
            return self.store.load(key)
        except CorpusError as error:
            if error.reason != "damaged":
                raise
            return None
