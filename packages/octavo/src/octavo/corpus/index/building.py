"""One document: from its file to a publication, keeping each finished part on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from octavo.corpus import judges
from octavo.corpus.index import fingerprints, sources
from octavo.corpus.index.builders import OCR_MODES, Builders, OcrMode, Parser
from octavo.corpus.index.pictures import NONE, RenderedPdfs
from octavo.corpus.progress import Progress, Reporter
from octavo.corpus.store import (
    DOCUMENT_PART,
    NO_TEXT,
    DocumentInfo,
    DocumentPart,
    Lease,
    PartKey,
    Publication,
    Quarantined,
    Source,
    Store,
)
from octavo.corpus.store.paths import name_of, path_key, shown
from octavo.corpus.store.protocol import PREVIOUS_SUFFIX
from octavo.decisions.engine.judge import Judge
from octavo.errors import CorpusError, SourceError, UsageError
from octavo.evidence import PassageTable
from octavo_documents.document import Document
from octavo_documents.parsing.formats import is_picture

if TYPE_CHECKING:
    from octavo.layers import Layer
    from octavo.models.ports import LayoutModel


DEADLY = frozenset({"crashed", "timeout"})
"""Reasons for which a file is put in quarantine: trying it again costs a process or minutes."""
_LEAST_READ = 4
"""Letters and digits that make a picture a document."""


@dataclass(frozen=True, slots=True)
class Task:
    """A file whose document this process has the lease of."""

    source: Source
    lease: Lease
    fingerprints: dict[str, str]
    """Of the document and the layers every document has, by part name."""
    is_found: bool = False
    """Whether it was found in a folder; else somebody named it."""

    @property
    def id(self) -> str:
        """The document's id."""
        return self.lease.document_id


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
    """Builds documents with some builders into a store. Thread-safe."""

    store: Store
    builders: Builders
    progress: Progress
    ocr: OcrMode = "auto"
    password: str | None = field(default=None, repr=False)
    layout: LayoutModel | None = None
    prints: RenderedPdfs = NONE
    judge: Judge = field(default_factory=Judge)
    """Where a model is named in it for doubtful headings, these are put to it."""
    had: dict[str, list[str]] = field(default_factory=dict[str, list[str]], init=False, repr=False)
    """Optional layers that documents had when they were first looked at, by id."""

    @cached_property
    def _models(self) -> dict[str, str]:
        return {name: self.builders.model_of(layer) for name, layer in self.builders.layers.items()}

    @cached_property
    def _recognizer(self) -> str:
        return "" if self.ocr == "never" else self.builders.recognizer().name

    @property
    def image_reader_version(self) -> str:
        """What pictures are looked at with: the parser and what reads them."""
        return f"{self.builders.version}.{self._recognizer}"

    def expected(self, document_id: str, *, judged: bool = True) -> dict[str, str]:
        """Return the fingerprints an up-to-date document and the layers every one has, by part name.

        Those of a document as the rules read it, where its headings are not `judged`.
        """
        own = fingerprints.of_document(
            document_id,
            parser=self.builders.version,
            ocr=self.ocr,
            recognizer=self._recognizer,
            layout=self.layout.name if self.layout is not None else "",
            headings=judges.headings_model(self.judge) if judged else "",
            printed="printed" if self.prints.is_expected(document_id) else "",
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

    def read(self, task: Task, parser: Parser) -> tuple[Task, Document]:
        """Return the document of a file, from the store when it was read before, and the task with what it became.

        Where doubtful headings are put to a model and it fails, that is the document as the rules read it, with their
        fingerprints: the next run asks again. Raises SourceError, LeaseLost and, from the model, ModelError.
        """
        kept = self._kept(task, DOCUMENT_PART)
        if kept is not None:
            return task, Document.from_bytes(kept, checked=False)
        if not self.prints.made(task.id, task.source.at):
            return self.read(replace(task, fingerprints=self.expected(task.id)), parser)
        if not judges.headings_model(self.judge):
            return task, self._by_rule(task, parser)
        ruled = replace(task, fingerprints=self.expected(task.id, judged=False))
        document = self._by_rule(ruled, parser)
        self.progress.start(task.source.path, "headings", 0)
        judged = judges.with_judged_headings(document, self.judge)
        if judged is None:
            return ruled, document
        self.store.stage(task.lease, DocumentPart(DOCUMENT_PART, task.fingerprints[DOCUMENT_PART], judged.to_bytes()))
        return task, judged

    def _by_rule(self, task: Task, parser: Parser) -> Document:
        """Return the document as the rules read it, stored."""
        kept = self._kept(task, DOCUMENT_PART)
        if kept is not None:
            return Document.from_bytes(kept, checked=False)
        sources.confirm(task.source)
        data = self._parse(task, parser)
        document = trusted(data, task)
        if self.prints.find(task.id) and not document.has_pages:
            self.prints.unmatched(task.source.path)
        if task.is_found and is_picture(task.source.path) and not _is_legible(document):
            raise SourceError(NO_TEXT, f"{shown(task.source.path)} is a picture without text that can be read")
        sources.confirm(task.source)
        self.store.stage(task.lease, DocumentPart(DOCUMENT_PART, task.fingerprints[DOCUMENT_PART], data))
        return document

    def finish(self, task: Task, document: Document) -> DocumentInfo:
        """Build the layers of a document and make it visible. Raises LeaseLost, ModelError."""
        from octavo.layers import LayerInputs

        layers: dict[str, bytes] = {}
        for name, layer in self.builders.layers.items():
            data = self._kept(task, name)
            if data is None:
                self.progress.start(task.source.path, name, 0)
                reads = {needed: layers[needed] for needed in layer.reads}
                reporter = Reporter(self.progress, task.source.path, name)
                data = layer.build(LayerInputs(document, reads, reporter, embedder=self.builders.embedder))
                self.store.stage(task.lease, DocumentPart(name, task.fingerprints[name], data))
            layers[name] = data
        publication = self.publication(task, document, layers, self.parts_of(task))
        return self.store.publish(task.lease, publication, sources.settled(task.source))

    def publication(
        self, task: Task, document: Document, layers: Mapping[str, bytes], parts: Mapping[str, str]
    ) -> Publication:
        """Return what makes a document visible; `parts` are the fingerprints of what belongs to it, by name."""
        return Publication(
            info=_describe(document, layers, task.source),
            ocr=self.ocr,
            parts=parts,
        )

    def parts_of(self, task: Task) -> dict[str, str]:
        """Return the fingerprints of the parts to publish: optional layers that still hold stay, others may grow."""
        published = self.stored([task.id]).get(task.id, {})
        optional = [*self.builders.in_build_order(published).values()]
        parts = fingerprints.sound(published, task.fingerprints, optional, self.builders.model_of)
        return parts | _keep_previous(self.store, task.lease, task.source.path, self.builders.optional.values(), parts)

    def _parse(self, task: Task, parser: Parser) -> bytes:
        """Read a file in a child process, a second time if the first one died; then it is put in quarantine."""
        try:
            return self._parse_once(task, parser)
        except SourceError as error:
            if error.reason != "crashed":
                raise self.judged(task, error) from error
        try:
            return self._parse_once(task, parser)
        except SourceError as error:
            raise self.judged(task, error) from error

    def _parse_once(self, task: Task, parser: Parser) -> bytes:
        return self.parse(replace(task.source, document_id=task.id), parser)

    def parse(self, source: Source, parser: Parser) -> bytes:
        """Return the packed document of a file, stored nowhere. Raises SourceError."""
        path, document_id = source.path, source.document_id
        self.progress.start(path, "parse", 0)
        printed = self.prints.find(document_id)
        return parser.parse(
            source.at,
            **({"printed": str(printed)} if printed else {}),
            name=shown(name_of(source)),
            digest=document_id.removeprefix("sha256:"),
            password=self.password,
            ocr=self.ocr,
            recognizer=None if self.ocr == "never" else self.builders.recognizer(),
            layout=self.layout,
            progress=Reporter(self.progress, path, "parse"),
            figures=Reporter(self.progress, path, "figures"),
        )

    def judged(self, task: Task, error: SourceError) -> SourceError:
        """Return the error; the file is put in quarantine where trying it again would cost as much."""
        if task.source.file:
            error = SourceError(error.reason, task.source.told(error))
        if error.reason in DEADLY:
            self.store.quarantine(
                Quarantined(task.id, task.source.path, self.builders.version, error.reason, str(error))
            )
        return error

    def _kept(self, task: Task, name: str) -> bytes | None:
        """Return a part that an earlier run finished, None when there is none or it is damaged."""
        key: PartKey | None = self.store.staged(task.id).get(task.fingerprints[name])
        if key is None:
            return None
        try:
            return self.store.load(key)
        except CorpusError as error:
            if error.reason != "damaged":
                raise
            return None


def _is_legible(document: Document) -> bool:
    """Whether a picture says anything: a few letters that OCR read there, not a stray sign in a photograph."""
    read = 0
    for text in document.blocks.text:
        read += sum(map(str.isalnum, text))
        if read >= _LEAST_READ:
            return True
    return False


def trusted(data: bytes, task: Task) -> Document:
    """Unpack what a child sent; it read a hostile file and may send anything."""
    path = shown(task.source.path)
    try:
        document = Document.from_bytes(data)
    except CorpusError as error:
        raise SourceError("damaged", f"{path} was read into nonsense ({error}): it may be hostile") from error
    if document.id != task.id:
        raise SourceError("damaged", f"{path} was read into another document: add it again")
    return document


def _describe(document: Document, layers: Mapping[str, bytes], source: Source) -> DocumentInfo:
    name = shown(name_of(source))
    return DocumentInfo(
        id=document.id,
        name=name,
        path=shown(source.path),
        pages=len(document.pages),
        scanned_pages=int(document.pages.is_scanned.sum()),
        blocks=len(document.blocks),
        sections=len(document.blocks.headings()),
        passages=len(PassageTable.from_bytes(layers["passages"])),
        size_bytes=source.size,
        added="",
        title=document.title,
        damage=document.metadata.damage,
    )


def previous_name(layer: str) -> str:
    """Return the name of the part that keeps a layer's previous state."""
    return layer + PREVIOUS_SUFFIX


def _keep_previous(
    store: Store, lease: Lease, path: str, layers: Iterable[Layer], parts: Mapping[str, str]
) -> dict[str, str]:
    """Store the previous states of layers that are not among `parts`; return them as parts to publish.

    States that models were paid for are worth keeping. A document takes them over from itself, read by another version,
    and from the document whose place it takes.

    Raises LeaseLost.
    """
    wanted = {layer.name for layer in layers if layer.keeps_previous and layer.name not in parts}
    if not wanted:
        return {}
    before = store.sources([path]).get(path_key(path))
    ids = [lease.document_id, *([before.document_id] if before else [])]
    kept: dict[str, str] = {}
    for key in store.published(ids):
        layer = key.name.removesuffix(PREVIOUS_SUFFIX)
        if layer in wanted and fingerprints.decided_by(key.fingerprint) != fingerprints.RULE:
            data = store.load(key)
            if data is not None and previous_name(layer) not in kept:
                store.stage(lease, DocumentPart(previous_name(layer), key.fingerprint, data))
                kept[previous_name(layer)] = key.fingerprint
    return kept


def usable_previous(layer: Layer, model: str, parts: Mapping[str, PartKey]) -> PartKey | None:
    """Return the previous state that a layer may be built from, None for none or one of another embedding model."""
    key = parts.get(previous_name(layer.name))
    is_alike = key is not None and fingerprints.embedding_of(key.fingerprint) == fingerprints.embedding(model)
    return key if layer.keeps_previous and is_alike else None
